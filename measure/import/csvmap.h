/* measure/import/csvmap.h - which column of a table holds what: "name=Layer,time=Mean:ms,count=#4".
 *
 * Behind '=' stands the heading of a column, in quotes where it holds a comma, or '#' and its number from 1;
 * behind ':' the unit, which every quantity needs: a guess would be a wrong number. Cycles have a clock
 * domain, a clock, or both there: "cycles=total_cycle:dpu:300MHz".
 */
#ifndef ROOF_MEASURE_IMPORT_CSVMAP_H
#define ROOF_MEASURE_IMPORT_CSVMAP_H

#include "measure/import/row.h"

typedef struct map_entry {
    bool used;
    char heading[256]; /* empty: the column has a number only */
    uint32_t column;   /* from 0; ROOF_NONE until it is found by its heading */
    double scale;      /* of the unit */
    char domain[32];   /* of cycles */
    double clock_hz;   /* of that domain; 0: not stated */
} map_entry;

/* Keys of texts that tell rows apart, behind those of row_column: a model and its phase are an experiment. */
enum { MAP_MODEL = ROW_KEYS, MAP_PHASE, MAP_DEVICE, MAP_KEYS };

typedef struct csvmap {
    map_entry entries[MAP_KEYS];
} csvmap;

/* Errors: E_USAGE, naming the entry and what it lacks. */
roof_status csvmap_parse(const char *text, csvmap *out, roof_error *err);

/* The heading of an entry, or "#3". Returns buffer. */
const char *csvmap_column(const map_entry *entry, char buffer[SHOWN_SIZE]);

/* Refuses a table whose columns no map names: tells the widest row that there is, or NULL, and a map that
 * may fit it. Returns E_DATA or E_USAGE, or E_NO_MEMORY. */
roof_status csvmap_refuse(const table_reader *widest, bool has_map, roof_error *err);

/* A map that names no column, so that it is for no table, but the units of a file that prints numbers without
 * any: "time=us,bytes=MB". */
typedef struct csvmap_units {
    double per_second; /* units of a time in a second: 1e6 of "us"; 0: not stated */
    double bytes;      /* of a unit of a size: 1e6 of "MB", 1048576 of "MiB"; 0: not stated */
} csvmap_units;

/* Puts the meaning of a word into its member; false for no unit. "KB" is 1000 bytes and "KiB" is 1024. */
bool csvmap_unit_of(text_span word, csvmap_units *out);

/* True if a map holds units alone, which it gives to out (NULL: not needed). */
bool csvmap_is_units(const char *map, csvmap_units *out);

#endif
