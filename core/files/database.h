/* core/files/database.h - opening a SQLite database that somebody else may have written.
 *
 * The file is hostile until proved otherwise (https://sqlite.org/security.html): views and triggers are off,
 * nothing that a schema says is trusted, nothing can be attached, and values have a largest length.
 * Ownership: the database is the caller's, to be closed also after a failure where it is not NULL.
 */
#pragma once

#include <sqlite3.h>
#include "roofline/status.h"

typedef struct database_asked {
    const char *path;       /* whatever it has in it, it is only a path */
    int flags;              /* SQLITE_OPEN_READONLY and others */
    const char *parameters; /* "immutable=1", or NULL */
    int longest_bytes;      /* of a value and of a statement */
} database_asked;

/* *code: that of SQLite. Errors: E_NO_MEMORY; where SQLite says why it is ROOF_OK, and *code tells. */
roof_status database_open(const database_asked *requested, sqlite3 **out, int *code, roof_error *err);

/* Ends what takes more steps than a file of so many bytes can need, with SQLITE_INTERRUPT. calls_left is
 * counted down as long as the database is open. */
void database_bound_steps(sqlite3 *db, uint64_t file_bytes, uint64_t *calls_left);
