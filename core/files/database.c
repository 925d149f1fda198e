#include "core/files/database.h"
#include "core/core.h"

enum { STEPS_A_CALL = 1000, STEPS_A_BYTE = 16, FEWEST_STEPS = 10000000 };

roof_status database_open(const database_asked *requested, sqlite3 **out, int *code, roof_error *err)
{
    const int limits[][2] = {{SQLITE_LIMIT_LENGTH, requested->longest_bytes},
                             {SQLITE_LIMIT_SQL_LENGTH, requested->longest_bytes},
                             {SQLITE_LIMIT_ATTACHED, 0}};
    static const int settings[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}};
    textbuf uri; /* "file:%2Ftmp%2Fa.sqlite?immutable=1" */
    text_init(&uri, TEXT_MAX_BYTES);
    text_puts(&uri, "file:");
    for (const char *c = requested->path; *c; c++)
        text_printf(&uri, "%%%02X", (unsigned char)*c);
    if (requested->parameters)
        text_printf(&uri, "?%s", requested->parameters);
    roof_status status = text_status(&uri, err);
    *out = NULL;
    *code = SQLITE_NOMEM;
    if (status == ROOF_OK)
        *code =
            sqlite3_open_v2(uri.bytes, out, requested->flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    for (size_t i = 0; *code == SQLITE_OK && i < N_OF(limits); i++)
        sqlite3_limit(*out, limits[i][0], limits[i][1]);
    for (size_t i = 0; *code == SQLITE_OK && i < N_OF(settings); i++)
        sqlite3_db_config(*out, settings[i][0], settings[i][1], NULL);
    text_free(&uri);
    return status;
}

static int count_steps(void *calls_left_)
{
    uint64_t *calls_left = calls_left_;
    return *calls_left ? (--*calls_left, 0) : 1;
}

void database_bound_steps(sqlite3 *db, uint64_t file_bytes, uint64_t *calls_left)
{
    *calls_left = (file_bytes / STEPS_A_CALL) * STEPS_A_BYTE + FEWEST_STEPS / STEPS_A_CALL;
    sqlite3_progress_handler(db, STEPS_A_CALL, count_steps, calls_left);
}
