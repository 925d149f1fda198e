/* measure/units/map_lines.h - the user's word on which row of a profile is which layer of a model: lines of
 * "row,layer".
 *
 * Fields are those of RFC 4180: quoted where they hold a comma. Empty lines, and those that begin with '#',
 * do not count.
 */
#ifndef ROOF_MEASURE_UNITS_MAP_LINES_H
#define ROOF_MEASURE_UNITS_MAP_LINES_H

#include <stdbool.h>
#include "core/arena.h"
#include "roofline/status.h"

/* Flags of a line: whether a model and its profile know it. */
enum { CSVMAP_ROW = 1, CSVMAP_LAYER = 2, CSVMAP_PAIR = 4 };

typedef struct map_line {
    const char *row, *layer;
    uint64_t number; /* in the text, from 1 */
    unsigned found;  /* CSVMAP_..., in any model */
} map_line;

typedef struct layer_map {
    map_line *lines;
    uint32_t n;
    bool was_used; /* there was a model with layers to look for them in */
} layer_map;

/* Errors: E_DATA for a line that is not two names (with its number), E_LIMIT, E_NO_MEMORY. */
roof_status map_read(const char *text, roof_arena *arena, layer_map *out, roof_error *err);

/* A line is of one model; others do not know it. A line that no model could use is a mistake in a name.
 * Errors: E_DATA for the first line that made no pair. */
roof_status map_check(const layer_map *map, roof_error *err);

#endif
