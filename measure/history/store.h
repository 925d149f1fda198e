/* measure/history/store.h - the file of a history: its tables, its guards, statements with checked columns,
 * and what is kept of a run.
 *
 * A column is taken only when it has the type and the range that it must have: other programs may have
 * written the file.
 */
#pragma once

#include "core/core.h"
#include "core/files/database.h"
#include "roofline/history.h"

/* "ROOF", at byte 68 of the file; and the version of the tables, at byte 60. */
enum { STORE_APPLICATION = 0x524f4f46, STORE_VERSION = 2 };

struct roof_history {
    sqlite3 *db;
    char *path;
    uint64_t calls_left; /* of a reader */
    uint64_t version;    /* of its tables; one that is only read keeps the version that it has */
};

/* An error with SQLite's message, and the file as its place. */
roof_status store_fail(const roof_history *h, int code, roof_error *err);

/* One change as a whole: begins it, waiting for others; ends it, undone where status is not ROOF_OK. */
roof_status store_begin(roof_history *h, roof_error *err);
roof_status store_end(roof_history *h, roof_status status, roof_error *err);

/* Who asks, and the statement while its rows are read. */
typedef struct store_query {
    roof_history *h;
    roof_arena *arena; /* of texts; NULL: none are read */
    roof_error *err;
    sqlite3_stmt *statement;
} store_query;

/* The value of a parameter: a text of NULL is "", NaN and ROOF_UNKNOWN are NULL. */
typedef struct store_value {
    enum { STORE_IS_TEXT, STORE_IS_COUNT, STORE_IS_NUMBER, STORE_IS_BYTES } is;
    const void *of;
    uint64_t count; /* of bytes as well */
    double number;
} store_value;
#define STORE_TEXT(text)     ((store_value){STORE_IS_TEXT, .of = (text)})
#define STORE_COUNT(n)       ((store_value){STORE_IS_COUNT, .count = (n)})
#define STORE_NUMBER(n)      ((store_value){STORE_IS_NUMBER, .number = (n)})
#define STORE_BYTES(from, n) ((store_value){STORE_IS_BYTES, .of = (from), .count = (n)})

/* Runs a statement with the values of its parameters, in their order, and gives each of its rows to a
 * function until one fails; NULL: none is read. */
typedef roof_status store_row(store_query *q, void *target);
roof_status store_ask(store_query *q, const char *sql, const store_value *values, size_t n, store_row *row,
                      void *target);
#define STORE_ASK(q, sql, row, target, ...)                                                                  \
    store_ask((q), (sql), (const store_value[]){__VA_ARGS__},                                                \
              sizeof((const store_value[]){__VA_ARGS__}) / sizeof(store_value), (row), (target))
#define STORE_PUT(q, sql, ...) STORE_ASK((q), (sql), NULL, NULL, __VA_ARGS__)

/* A store_row: the first column of the first row, into a count that was ROOF_UNKNOWN. */
roof_status store_take_count(store_query *q, void *count);
#define STORE_FIND(q, sql, to, ...)                                                                          \
    (*(to) = ROOF_UNKNOWN, STORE_ASK((q), (sql), store_take_count, (to), __VA_ARGS__))

/* Columns, from 0. Errors: E_DATA for another type, or a value out of range. */
roof_status store_text(store_query *q, int column, const char **out); /* "" is NULL */
roof_status store_count(store_query *q, int column, uint64_t *out);   /* NULL is ROOF_UNKNOWN */
roof_status store_number(store_query *q, int column, double *out);    /* finite, from 0; NULL is NaN */

/* ---- which numbers of a run are kept, and what tells series apart ---- */

/* The i-th metric of roof_history_metric_at; NaN: unknown. */
double metric_of_run(size_t i, const roof_run *run);

/* NULL: there is none of this name. */
const roof_history_metric *metric_named(const char *name);

/* True if rows have it as well, in a column of this name. */
bool metric_is_of_rows(const roof_history_metric *metric);

/* The columns of a key. */
#define SERIES_COLUMNS                                                                                       \
    "series.model, series.model_hash, series.device, series.stack, series.mode, series.workload"
enum { SERIES_KEY_COLUMNS = 6 };

/* Parameters 1 to 5; "" lets all through. */
#define SERIES_FILTER                                                                                        \
    "(?1 = '' OR series.model = ?1 OR series.model_hash = ?1) AND (?2 = '' OR series.device = ?2) AND (?3 "  \
    "= '' OR series.stack = ?3) AND (?4 = '' OR series.mode = ?4) AND (?5 = '' OR series.workload = ?5)"

#define SERIES_VALUES(filter)                                                                                \
    STORE_TEXT((filter)->model), STORE_TEXT((filter)->device), STORE_TEXT((filter)->stack),                  \
        STORE_TEXT((filter)->mode), STORE_TEXT((filter)->workload)

/* From the column first on. */
roof_status series_read_key(store_query *q, int first, roof_history_key *out);
