/* measure/import/map_units.h - words for units, and "time=us,bytes=MB": the units of a file that prints
 * numbers without any. Such a map names no column, so that it is for no table.
 */
#ifndef ROOF_MEASURE_IMPORT_MAP_UNITS_H
#define ROOF_MEASURE_IMPORT_MAP_UNITS_H

#include "core/span.h"

typedef struct map_units {
    double per_second; /* units of a time in a second: 1e6 of "us"; 0: not told */
    double bytes;      /* of a unit of a size: 1e6 of "MB", 1048576 of "MiB"; 0: not told */
} map_units;

/* Puts the meaning of a word into its member; false for no unit. "KB" is 1000 bytes and "KiB" is 1024. */
bool map_unit_of(text_span word, map_units *out);

/* Whether a map holds units alone, which it gives to out (NULL: nobody asks). */
bool map_is_units(const char *map, map_units *out);

#endif
