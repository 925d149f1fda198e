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

typedef enum map_key {
    CSVMAP_NAME,
    CSVMAP_TYPE,
    CSVMAP_INDEX,
    CSVMAP_TIME,
    CSVMAP_STD,
    CSVMAP_MIN,
    CSVMAP_MAX,
    CSVMAP_MEDIAN,
    CSVMAP_COUNT,
    CSVMAP_BYTES,
    CSVMAP_READ,
    CSVMAP_WRITE,
    CSVMAP_CYCLES,
    CSVMAP_SHARE,
    CSVMAP_OPS,
    CSVMAP_WORKLOAD,
    CSVMAP_KEYS
} map_key;

typedef struct map_entry {
    bool used;
    char heading[256]; /* empty: the column has a number only */
    uint32_t column;   /* from 0; ROOF_NONE until it is found by its heading */
    double scale;      /* of the unit */
    char domain[32];   /* of cycles */
    double clock_hz;   /* of that domain; 0: not stated */
} map_entry;

typedef struct csvmap {
    map_entry entries[CSVMAP_KEYS];
} csvmap;

/* Errors: E_USAGE, naming the entry and what it lacks. */
roof_status csvmap_parse(const char *text, csvmap *out, roof_error *err);

/* "time" */
const char *csvmap_key(map_key key);

/* The heading of an entry, or "#3". Returns buffer. */
const char *csvmap_column(const map_entry *entry, char buffer[SHOWN_SIZE]);

/* The unit in a heading, "ms" of "Mean (ms)", "time_ms" or "Time [ms]"; NULL if there is none. */
const char *csvmap_guess_unit(text_span heading);

#endif
