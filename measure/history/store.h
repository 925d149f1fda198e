/* measure/history/store.h - the file of a history: its tables, its guards, and statements with checked
 * columns.
 *
 * A column is taken only when it has the type and the range that it must have: other programs may have
 * written the file.
 */
#ifndef ROOF_MEASURE_HISTORY_STORE_H
#define ROOF_MEASURE_HISTORY_STORE_H

#include "core/arena.h"
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

/* A statement that is walked through row by row. */
typedef struct store_query {
    roof_history *h;
    sqlite3_stmt *statement;
    roof_arena *arena; /* of texts; NULL: none are read */
    roof_error *err;
    int next; /* parameter to bind, from 1 */
} store_query;

/* After a failure nothing is left to end. */
roof_status store_query_begin(roof_history *h, const char *sql, roof_arena *arena, store_query *out,
                              roof_error *err);
void store_query_end(store_query *q);

/* Values for the parameters in their order: NULL is "", NaN and ROOF_UNKNOWN are NULL. */
roof_status store_bind_text(store_query *q, const char *text);
roof_status store_bind_count(store_query *q, uint64_t count);
roof_status store_bind_number(store_query *q, double value);
roof_status store_bind_bytes(store_query *q, const void *bytes, size_t size);

/* *is_row false: there is none left. */
roof_status store_step(store_query *q, bool *is_row);

/* One that gives no rows; ends it. */
roof_status store_run(store_query *q);

/* Columns, from 0. Errors: E_DATA for another type, or a value out of range. */
roof_status store_text(store_query *q, int column, const char **out); /* "" is NULL */
roof_status store_count(store_query *q, int column, uint64_t *out);   /* NULL is ROOF_UNKNOWN */
roof_status store_number(store_query *q, int column, double *out);    /* finite, from 0; NULL is NaN */

#endif
