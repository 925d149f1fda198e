/* measure/csvmap.h - which column of a table holds what: "name=Layer,time=Mean:ms,count=#4".
 *
 * Behind '=' stands the heading of a column, in quotes where it holds a comma, or '#' and its number from 1; behind ':'
 * the unit, which every quantity needs: a guess would be a wrong number. Cycles have a clock domain, a clock, or both there:
 * "cycles=total_cycle:dpu:300MHz".
 */
#ifndef ROOF_MEASURE_CSVMAP_H
#define ROOF_MEASURE_CSVMAP_H

#include <stdbool.h>
#include "measure/fields.h"

typedef enum roof_map_key {
    ROOF_MAP_NAME,
    ROOF_MAP_TYPE,
    ROOF_MAP_INDEX,
    ROOF_MAP_TIME,
    ROOF_MAP_STD,
    ROOF_MAP_MIN,
    ROOF_MAP_MAX,
    ROOF_MAP_MEDIAN,
    ROOF_MAP_COUNT,
    ROOF_MAP_BYTES,
    ROOF_MAP_READ,
    ROOF_MAP_WRITE,
    ROOF_MAP_CYCLES,
    ROOF_MAP_SHARE,
    ROOF_MAP_OPS,
    ROOF_MAP_WORKLOAD,
    ROOF_MAP_KEYS
} roof_map_key;

typedef struct roof_map_entry {
    bool used;
    char heading[256]; /* empty: the column has a number only */
    uint32_t column;   /* from 0; ROOF_NONE until it is found by its heading */
    double scale;      /* of the unit */
    char domain[32];   /* of cycles */
    double clock_hz;   /* of that domain; 0: not stated */
} roof_map_entry;

typedef struct roof_csvmap {
    roof_map_entry entries[ROOF_MAP_KEYS];
} roof_csvmap;

/* Errors: E_USAGE, naming the entry and what it lacks. */
roof_status roof_csvmap_parse(const char *text, roof_csvmap *out, roof_error *err);

/* "time" */
const char *roof_csvmap_key(roof_map_key key);

/* The heading of an entry, or "#3". Returns buffer. */
const char *roof_csvmap_column(const roof_map_entry *entry, char buffer[ROOF_SHOWN_SIZE]);

/* The unit in a heading, "ms" of "Mean (ms)", "time_ms" or "Time [ms]"; NULL if there is none. */
const char *roof_csvmap_guess_unit(roof_span heading);

#endif
