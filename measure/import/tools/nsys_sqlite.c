/* `nsys export --type sqlite` writes every execution of a kernel, every copy, every fill.
 *
 *   CUPTI_ACTIVITY_KIND_KERNEL  start, end [ns], demangledName -> StringIds.id
 *   CUPTI_ACTIVITY_KIND_MEMCPY  start, end [ns], copyKind -> ENUM_CUDA_MEMCPY_OPER.id
 *   CUPTI_ACTIVITY_KIND_MEMSET  start, end [ns]
 * (https://docs.nvidia.com/nsight-systems/UserGuide, "SQLite Schema Reference")
 *
 * The file is hostile until proved otherwise (https://sqlite.org/security.html): it is opened as one that
 * nobody changes, so that nothing beside it is looked for; views, triggers, columns that are computed and
 * tables that a module makes are off; nothing is indexed; strings have a largest length; pages have a least
 * size; and what takes more steps than a file of its size can need is ended.
 */
#include "core/files/database.h"
#include "core/platform/platform.h"
#include "measure/import/timings.h"

typedef struct reading {
    import_state *in;
    row_timings timings;
    sqlite3 *db;
    uint64_t calls_left, n_backwards, n_nameless;
} reading;

/* Columns: start, end, name. The second of a pair is for exports without the table of labels. */
static const struct {
    const char *type, *queries[2];
    bool is_needed;
} tables[] = {
    {"kernel",
     {"SELECT start, end, (SELECT value FROM StringIds WHERE id = demangledName) FROM "
      "CUPTI_ACTIVITY_KIND_KERNEL"},
     true},
    {"copy",
     {"SELECT start, end, '[CUDA memcpy ' || coalesce((SELECT label FROM ENUM_CUDA_MEMCPY_OPER WHERE id = "
      "copyKind), 'of kind ' || copyKind) || ']' FROM CUPTI_ACTIVITY_KIND_MEMCPY",
      "SELECT start, end, '[CUDA memcpy of kind ' || copyKind || ']' FROM CUPTI_ACTIVITY_KIND_MEMCPY"},
     false},
    {"fill", {"SELECT start, end, '[CUDA memset]' FROM CUPTI_ACTIVITY_KIND_MEMSET"}, false},
};

static roof_status fail(const reading *r, int code, roof_error *err)
{
    const char *what = r->db ? sqlite3_errmsg(r->db) : sqlite3_errstr(code);
    if (code == SQLITE_NOMEM)
        return error_memory(err);
    if (code == SQLITE_INTERRUPT)
        return error_set(err, ROOF_E_LIMIT,
                         "takes more steps than a database of this size can need: is it damaged?");
    return error_set(err, code == SQLITE_TOOBIG ? ROOF_E_LIMIT : ROOF_E_DATA,
                     "%s: is it what `nsys export --type sqlite` wrote, and unpacked?", SHOWN_TEXT(what));
}

static roof_status add_execution(reading *r, sqlite3_stmt *query, uint32_t table, roof_error *err)
{
    if (sqlite3_column_type(query, 0) != SQLITE_INTEGER || sqlite3_column_type(query, 1) != SQLITE_INTEGER)
        return error_data(err, "a %s without the times of its start and end", tables[table].type);
    int64_t start = sqlite3_column_int64(query, 0), end = sqlite3_column_int64(query, 1);
    const char *text = (const char *)sqlite3_column_text(query, 2);
    uint32_t row;
    if (!text && sqlite3_errcode(r->db) == SQLITE_NOMEM)
        return error_memory(err);
    if (!text || end < start) {
        r->n_nameless += !text;
        r->n_backwards += text != NULL;
        return ROOF_OK;
    }
    text_span name = {text, (size_t)sqlite3_column_bytes(query, 2)};
    TRY(import_check_name(name, err));
    TRY(timings_row_of(r->in, &r->timings, name, table, &row, err));
    TRY(timings_add(&r->timings, row, (double)((uint64_t)end - (uint64_t)start) / 1e9, err));
    r->timings.rows[row].type = tables[table].type;
    name = tables[table].is_needed ? name : (text_span){NULL, 0};
    return import_saw_named(r->in, (span_of_time){start, end}, 1e-9, name, err);
}

static roof_status read_file(reading *r, roof_error *err)
{
    enum { LONGEST_VALUE = 1 << 18, LEAST_PAGE_BYTES = 1024 };
    os_entry about;
    if (!os_look(OS_HERE, r->in->path, OS_FOLLOW, &about) || about.kind != OS_FILE)
        return error_data(err, "a database is read from a file of its own, not from a stream");
    /* SQLite keeps 8 bytes for every page that a value could lie on, and any file may state values of 4 GiB:
     * with pages of 512 bytes that is 68 MB. The size stands at bytes 16 and 17, and 1 is 65536
     * (https://sqlite.org/fileformat.html, "Page Size"). What is too short is no database, which SQLite tells. */
    const unsigned page_bytes =
        (unsigned)(unsigned char)r->in->head[16] << 8 | (unsigned char)r->in->head[17];
    if (page_bytes > 1 && page_bytes < LEAST_PAGE_BYTES)
        return error_data(err, "pages of %u bytes, and an export has at least %d: is it damaged?", page_bytes,
                          LEAST_PAGE_BYTES);
    int code;
    const database_asked requested = {r->in->path, SQLITE_OPEN_READONLY, "immutable=1", LONGEST_VALUE};
    TRY(database_open(&requested, &r->db, &code, err));
    if (code != SQLITE_OK)
        return fail(r, code, err);
    database_bound_steps(r->db, about.size_bytes, &r->calls_left);
    /* Reading a column that is computed, or a table that a module makes, would run what the file says. */
    static const char settings[] =
        "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA automatic_index = OFF",
                      query[] = "SELECT 1 FROM sqlite_master m WHERE type = 'table' AND (rootpage = 0 OR "
                                "EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE hidden > 0)) LIMIT 1";
    sqlite3_stmt *look = NULL;
    code = sqlite3_exec(r->db, settings, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(r->db, query, -1, &look, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(look);
    sqlite3_finalize(look);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return fail(r, code, err);
    if (code == SQLITE_ROW)
        return error_data(err, "has tables that compute what they hold, which no export has: is it damaged?");
    for (uint32_t table = 0; table < N_OF(tables); table++) {
        sqlite3_stmt *rows = NULL;
        roof_status status = ROOF_OK;
        code = SQLITE_ERROR;
        for (size_t i = 0; i < 2 && tables[table].queries[i] && code == SQLITE_ERROR; i++)
            code = sqlite3_prepare_v2(r->db, tables[table].queries[i], -1, &rows, NULL);
        if (code == SQLITE_ERROR && !tables[table].is_needed)
            code = SQLITE_DONE; /* the file has no such table */
        while (rows && status == ROOF_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
            status = add_execution(r, rows, table, err);
        if (status == ROOF_OK && code != SQLITE_DONE)
            status = fail(r, code, err);
        sqlite3_finalize(rows);
        TRY(status);
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run;
    if (!r->timings.n_rows)
        return error_data(err, "no execution of a kernel in CUPTI_ACTIVITY_KIND_KERNEL");
    TRY(timings_add_run(r->in, &r->timings, &run, err));
    import_sum_up(r->in, run);
    import_note(
        r->in,
        "streams of a device work at the same time: the sum of the rows may exceed the time that passed");
    import_note_count(r->in, r->n_nameless, "executions without a name are left out");
    import_note_count(r->in, r->n_backwards, "executions that end before they begin are left out");
    return ROOF_OK;
}

static void stop(reading *r)
{
    sqlite3_close(r->db);
}

static unsigned sniff(const char *text)
{
    return span_begins(span_of(text), "SQLite format 3") ? SNIFF_SURE : 0;
}

const importer_def importer_nsys_sqlite = {
    .id = "nsys_sqlite",
    .names_kernels = true,
    .program = "Nsight Systems",
    .tool = "Nsight Systems",
    .next = "profile the largest kernel by `ncu --set full -k regex:NAME -c 5 APPLICATION`",
    .sniff = sniff,
    .device = "GPU",
    ROWS_ONLY,
    .reading_bytes = sizeof(reading),
    .file = read_file,
    .finish = finish,
    .end = stop};
