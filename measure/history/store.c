#include "measure/history/store.h"
#include "core/files/input.h"
#include "measure/profile/run_facts.h"

#include <errno.h>

enum { LONGEST_VALUE = 1 << 20, MOST_WAIT_MS = 60000 };

/* An unstated value is '' where it is a part of a key, else NULL. Row times are of one inference. samples:
 * those of the total, 8 bytes each (IEEE 754), the least byte first. The first tables are those of version 1;
 * the others came with version 2, and lines of `conditions` are those of conditions_write. */
enum { N_TABLES_1 = 7 };
static const char *const tables[] = {
    "CREATE TABLE documents(id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, name TEXT NOT NULL, "
    "git_commit TEXT NOT NULL, added_s INTEGER NOT NULL)",
    "CREATE TABLE series(id INTEGER PRIMARY KEY, model_key TEXT NOT NULL, model TEXT NOT NULL, model_hash "
    "TEXT NOT NULL, device TEXT NOT NULL, stack TEXT NOT NULL, mode TEXT NOT NULL, workload TEXT "
    "NOT NULL, UNIQUE(model_key, device, stack, mode, workload))",
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, document INTEGER NOT NULL, series INTEGER NOT NULL, n_samples "
    "INTEGER NOT NULL, samples BLOB NOT NULL)",
    "CREATE INDEX runs_of_series ON runs(series)",
    "CREATE TABLE metrics(run INTEGER NOT NULL, name TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY(run, "
    "name)) WITHOUT ROWID",
    "CREATE TABLE layers(run INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, count INTEGER, "
    "median_s REAL, mean_s REAL, std_s REAL, PRIMARY KEY(run, place)) WITHOUT ROWID",
    "CREATE INDEX layers_by_name ON layers(name, run)",
    "CREATE TABLE conditions(id INTEGER PRIMARY KEY, lines TEXT NOT NULL UNIQUE)",
    "CREATE TABLE run_conditions(run INTEGER PRIMARY KEY, conditions INTEGER NOT NULL)"};

/* --- errors --------------------------------------------------------------------------------------------- */

roof_status store_fail(const roof_history *h, int code, roof_error *err)
{
    static const struct {
        int code;
        roof_status status;
        const char *advice;
    } known[] = {
        {SQLITE_INTERRUPT, ROOF_E_LIMIT,
         "takes more steps than a file of this size can need: is it damaged?"},
        {SQLITE_TOOBIG, ROOF_E_LIMIT, "a value of more than a megabyte"},
        {SQLITE_BUSY, ROOF_E_IO, "others have written to it for a minute; try again"},
        {SQLITE_FULL, ROOF_E_IO, "no space is left; what was there before is kept"},
        {SQLITE_IOERR, ROOF_E_IO, "cannot be read or written; what was there before is kept"},
        {SQLITE_READONLY, ROOF_E_IO, "cannot be written: the file, or its folder, is read-only"},
        {SQLITE_PERM, ROOF_E_IO, "may not be opened"},
        {SQLITE_CANTOPEN, ROOF_E_IO, "cannot be opened: is its folder there, and writable?"},
        {SQLITE_NOTADB, ROOF_E_DATA, "is no database"},
        {SQLITE_CORRUPT, ROOF_E_DATA, "is damaged; `sqlite3 FILE .recover` shows what can be saved"}};
    roof_status status = ROOF_E_DATA;
    const char *what = h->db ? sqlite3_errmsg(h->db) : sqlite3_errstr(code);
    char said[200];
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_memory(err);
    for (size_t i = 0; i < N_OF(known); i++)
        if ((code & 0xff) == known[i].code) {
            status = known[i].status;
            what = known[i].advice;
        }
    return error_in(err, h->path, status, "%s", quote_text(said, sizeof said, what, strlen(what)));
}

/* A value that no program of ours writes. */
static roof_status fail_column(const store_query *q, int column, const char *wanted)
{
    const char *name = sqlite3_column_name(q->statement, column);
    TRY(ALLOCATED(name, q->err));
    return error_in(q->err, q->h->path, ROOF_E_DATA,
                    "column '%s' holds %s that it cannot have, want %s: is it damaged?", SHOWN_TEXT(name),
                    sqlite3_column_type(q->statement, column) == SQLITE_NULL ? "nothing," : "a value",
                    wanted);
}

/* --- statements ----------------------------------------------------------------------------------------- */

static int bind(sqlite3_stmt *statement, int at, const store_value *v)
{
    switch (v->is) {
    case STORE_IS_TEXT:
        return sqlite3_bind_text(statement, at, text_or_empty(v->of), -1, SQLITE_TRANSIENT);
    case STORE_IS_COUNT:
        return v->count > INT64_MAX ? sqlite3_bind_null(statement, at)
                                    : sqlite3_bind_int64(statement, at, (int64_t)v->count);
    case STORE_IS_NUMBER:
        return sqlite3_bind_double(statement, at, v->number); /* NaN becomes NULL */
    default:
        return v->count ? sqlite3_bind_blob64(statement, at, v->of, v->count, SQLITE_TRANSIENT)
                        : sqlite3_bind_zeroblob(statement, at, 0);
    }
}

roof_status store_ask(store_query *q, const char *sql, const store_value *values, size_t n, store_row *row,
                      void *target)
{
    roof_status status = ROOF_OK;
    int code = sqlite3_prepare_v2(q->h->db, sql, -1, &q->statement, NULL);
    for (size_t i = 0; i < n && code == SQLITE_OK; i++)
        code = bind(q->statement, (int)i + 1, &values[i]);
    if (code == SQLITE_OK)
        code = SQLITE_ROW;
    while (code == SQLITE_ROW && status == ROOF_OK) {
        code = sqlite3_step(q->statement);
        if (code == SQLITE_ROW && row)
            status = row(q, target);
    }
    if (status == ROOF_OK && code != SQLITE_DONE)
        status = store_fail(q->h, code, q->err);
    sqlite3_finalize(q->statement);
    q->statement = NULL;
    return status;
}

roof_status store_take_count(store_query *q, void *count)
{
    uint64_t *out = count;
    return *out == ROOF_UNKNOWN ? store_count(q, 0, out) : ROOF_OK;
}

roof_status store_text(store_query *q, int column, const char **out)
{
    if (sqlite3_column_type(q->statement, column) != SQLITE_TEXT)
        return fail_column(q, column, "a text");
    const char *text = (const char *)sqlite3_column_text(q->statement, column);
    size_t length = (size_t)sqlite3_column_bytes(q->statement, column);
    *out = NULL;
    TRY(ALLOCATED(text, q->err));
    if (!length)
        return ROOF_OK;
    return ALLOCATED(*out = arena_name(q->arena, text, length), q->err);
}

roof_status store_count(store_query *q, int column, uint64_t *out)
{
    int type = sqlite3_column_type(q->statement, column);
    int64_t value = sqlite3_column_int64(q->statement, column);
    *out = type == SQLITE_NULL ? ROOF_UNKNOWN : (uint64_t)value;
    return type == SQLITE_NULL || (type == SQLITE_INTEGER && value >= 0)
               ? ROOF_OK
               : fail_column(q, column, "a whole number from 0");
}

roof_status store_number(store_query *q, int column, double *out)
{
    int type = sqlite3_column_type(q->statement, column);
    *out = type == SQLITE_NULL ? (double)NAN : sqlite3_column_double(q->statement, column);
    return type == SQLITE_NULL ||
                   ((type == SQLITE_FLOAT || type == SQLITE_INTEGER) && isfinite(*out) && *out >= 0)
               ? ROOF_OK
               : fail_column(q, column, "a number from 0");
}

/* --- changes -------------------------------------------------------------------------------------------- */

static roof_status execute(roof_history *h, const char *sql, roof_error *err)
{
    int code = sqlite3_exec(h->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? ROOF_OK : store_fail(h, code, err);
}

roof_status store_begin(roof_history *h, roof_error *err)
{
    return execute(h, "BEGIN IMMEDIATE", err); /* a lock to write from the start: nobody waits for two */
}

roof_status store_end(roof_history *h, roof_status status, roof_error *err)
{
    THEN(status, execute(h, "COMMIT", err));
    if (status != ROOF_OK && !sqlite3_get_autocommit(h->db))
        sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* --- opening -------------------------------------------------------------------------------------------- */

typedef struct file_mark {
    bool is_empty, is_database;
    uint32_t application, version;
} file_mark;

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The file's own bytes (https://sqlite.org/fileformat.html), before SQLite does anything to it. Closing the
 * file later would drop SQLite's locks, which belong to the process. */
static roof_status read_mark(const char *path, file_mark *out, roof_error *err)
{
    static const char magic[16] = "SQLite format 3";
    unsigned char header[100] = {0};
    size_t length = 0, got = 1;
    input_file input;
    TRY(input_open(path, 0, &input, err));
    roof_status status = ROOF_OK;
    for (; status == ROOF_OK && got && length < sizeof header; length += got)
        status = input_read(&input, (char *)header + length, sizeof header - length, &got, err);
    input_close(&input);
    *out = (file_mark){.is_empty = !length,
                       .is_database = length == sizeof header && !memcmp(header, magic, sizeof magic),
                       .application = big_endian(header + 68),
                       .version = big_endian(header + 60)};
    return status;
}

static roof_status check_mark(const file_mark *mark, roof_error *err)
{
    if (mark->is_empty)
        return ROOF_OK;
    if (!mark->is_database)
        return error_data(err, "is no database; name a file that `roofline history add` made, or a new one");
    if (mark->application != STORE_APPLICATION)
        return error_data(
            err, "is a database of another program; name a file that `roofline history add` made, or "
                 "a new one");
    if (mark->version > STORE_VERSION)
        return error_data(err,
                          "was written by a newer roofline: its tables are of version %" PRIu32
                          ", and this one knows version %d; update roofline",
                          mark->version, STORE_VERSION);
    return ROOF_OK;
}

/* Reads while another program writes the first page of a new file may see a half of it: a second look tells.
 */
static roof_status check_file(const char *path, roof_history_use use, uint64_t *size_bytes, roof_error *err)
{
    enum { LOOKS = 3, BETWEEN_MS = 20 };
    os_entry about;
    roof_status status = ROOF_OK;
    *size_bytes = 0;
    if (!os_look(OS_HERE, path, OS_FOLLOW, &about)) {
        if (errno == ENOENT && use == ROOF_HISTORY_WRITE)
            return ROOF_OK;
        return errno == ENOENT
                   ? error_set(err, ROOF_E_NO_INPUT, "there is no such file; `roofline history add` makes it")
                   : error_errno(err, ROOF_E_NO_INPUT, "cannot open");
    }
    if (about.kind != OS_FILE)
        return error_data(err, "is no file; a history needs one of its own");
    *size_bytes = about.size_bytes;
    for (int look = 0; look < LOOKS; look++) {
        file_mark mark;
        if (look)
            os_sleep_ms(BETWEEN_MS);
        TRY(read_mark(path, &mark, err));
        status = check_mark(&mark, err);
        if (status == ROOF_OK)
            return ROOF_OK;
    }
    return status;
}

/* The tables have to be those above, word by word: then no column is computed, and no module makes a
 * table. */
static roof_status check_tables(roof_history *h, roof_error *err)
{
    for (size_t i = 0; i < (h->version < STORE_VERSION ? N_TABLES_1 : N_OF(tables)); i++) {
        store_query q = {.h = h, .err = err};
        uint64_t is_there;
        TRY(STORE_FIND(&q, "SELECT 1 FROM sqlite_master WHERE sql = ?1", &is_there, STORE_TEXT(tables[i])));
        if (is_there == ROOF_UNKNOWN)
            return error_in(err, h->path, ROOF_E_DATA,
                            "its tables are not those of version %" PRIu64 ": did another program change it?",
                            h->version);
    }
    return ROOF_OK;
}

static roof_status pragma(roof_history *h, const char *sql, uint64_t *out, roof_error *err)
{
    store_query q = {.h = h, .err = err};
    *out = ROOF_UNKNOWN;
    TRY(store_ask(&q, sql, NULL, 0, store_take_count, out));
    return *out == ROOF_UNKNOWN ? store_fail(h, SQLITE_CORRUPT, err) : ROOF_OK;
}

/* Under the lock, so that one of many programs makes the tables, and the others find them. Tables of an
 * earlier version are checked before others are added. */
static roof_status make_tables(roof_history *h, roof_error *err)
{
    uint64_t n_items = 0;
    TRY(pragma(h, "PRAGMA user_version", &h->version, err));
    TRY(pragma(h, "SELECT count(*) FROM sqlite_master", &n_items, err));
    if (h->version >= STORE_VERSION || (!h->version && n_items))
        return ROOF_OK;
    if (h->version)
        TRY(check_tables(h, err));
    for (size_t i = h->version ? N_TABLES_1 : 0; i < N_OF(tables); i++)
        TRY(execute(h, tables[i], err));
    char marks[120];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION,
             STORE_VERSION);
    return execute(h, marks, err);
}

static roof_status open_file(roof_history *h, roof_history_use use, uint64_t size_bytes, roof_error *err)
{
    /* Also who only reads may have to undo what a killed program began. */
    const int flags = SQLITE_OPEN_READWRITE | (use == ROOF_HISTORY_WRITE ? SQLITE_OPEN_CREATE : 0);
    int code;
    TRY(database_open(&(database_asked){h->path, flags, NULL, LONGEST_VALUE}, &h->db, &code, err));
    if (code != SQLITE_OK)
        return store_fail(h, code, err);
    sqlite3_busy_timeout(h->db, MOST_WAIT_MS);
    if (use == ROOF_HISTORY_READ)
        database_bound_steps(h->db, size_bytes, &h->calls_left);
    TRY(execute(h, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY", err));
    /* of what is left when a killed program's change was undone */
    TRY(pragma(h, "PRAGMA user_version", &h->version, err));
    if (h->version < STORE_VERSION && use == ROOF_HISTORY_WRITE) {
        TRY(store_begin(h, err));
        TRY(store_end(h, make_tables(h, err), err));
        TRY(pragma(h, "PRAGMA user_version", &h->version, err));
    } else if (!h->version) {
        return error_in(err, h->path, ROOF_E_NO_INPUT,
                        "is empty: `roofline history add` puts the first run there");
    }
    return check_tables(h, err);
}

roof_status roof_history_open(const char *path, roof_history_use use, roof_history **out, roof_error *err)
{
    uint64_t size_bytes;
    *out = NULL;
    roof_status status = check_file(path, use, &size_bytes, err);
    if (status != ROOF_OK && err && !*err->where) /* reading names the file */
        error_prefix(err, "%s", path);
    TRY(status);
    roof_history *h = calloc(1, sizeof *h);
    if (h)
        h->path = strdup(path);
    status = h && h->path ? open_file(h, use, size_bytes, err) : error_memory(err);
    return GIVE(status, out, h, roof_history_close);
}

void roof_history_close(roof_history *history)
{
    if (!history)
        return;
    sqlite3_close(history->db);
    free(history->path);
    free(history);
}

/* --- what is kept of a run, and what tells series apart ------------------------------------------------- */

/* As stated, or of all rows. */
static double sum_of_layers_s(const roof_run *run)
{
    return !isnan(run->sum_of_layers_s) || run->is_recording ? run->sum_of_layers_s : run_rows_s(run);
}

/* A member of a run, or what a function says of it. */
#define MEMBER(member) NULL, offsetof(roof_run, member)
static const struct {
    roof_history_metric is;
    double (*of)(const roof_run *run);
    size_t at;
    bool is_of_rows;
} metrics[] = {
    {{"median_s", "median of an inference", "s", false}, MEMBER(total.median_s), true},
    {{"mean_s", "mean of an inference", "s", false}, MEMBER(total.mean_s), true},
    {{"p95_s", "P95 of an inference", "s", false}, MEMBER(total.p95_s), false},
    {{"p99_s", "P99 of an inference", "s", false}, MEMBER(total.p99_s), false},
    {{"sum_of_layers_s", "sum of the layers", "s", false}, sum_of_layers_s, 0, false},
    {{"frames_per_s", "inferences/s", "frames/s", true}, MEMBER(frames_per_s), false},
    {{"energy_j", "energy of an inference", "J", false}, MEMBER(energy_j), false},
    {{"power_w", "power", "W", false}, MEMBER(power_w), false},
    {{"total_bytes", "bytes in external memory of an inference", "B", false}, run_traffic, 0, false},
};

const roof_history_metric *roof_history_metric_at(size_t i)
{
    return i < N_OF(metrics) ? &metrics[i].is : NULL;
}

double metric_of_run(size_t i, const roof_run *run)
{
    const void *member = (const char *)run + metrics[i].at;
    return metrics[i].of ? metrics[i].of(run) : *(const double *)member;
}

const roof_history_metric *metric_named(const char *name)
{
    const uint32_t i = NAMED_AT(metrics, N_OF(metrics), is.name, name);
    return i < N_OF(metrics) ? &metrics[i].is : NULL;
}

bool metric_is_of_rows(const roof_history_metric *metric)
{
    for (size_t i = 0; i < N_OF(metrics); i++)
        if (&metrics[i].is == metric)
            return metrics[i].is_of_rows;
    return false;
}

roof_status series_read_key(store_query *q, int first, roof_history_key *out)
{
    const char **const texts[SERIES_KEY_COLUMNS] = {&out->model, &out->model_hash, &out->device,
                                                    &out->stack, &out->mode,       &out->workload};
    for (int i = 0; i < SERIES_KEY_COLUMNS; i++)
        TRY(store_text(q, first + i, texts[i]));
    return ROOF_OK;
}
