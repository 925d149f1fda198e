/* Reads back what was added: the newest runs, or one with all that is kept of it. */
#include "measure/history/store.h"

/* Columns of a run, behind which those of its series follow. */
#define RUN_COLUMNS                                                                                          \
    "runs.id, runs.n_samples, documents.name, documents.sha256, documents.git_commit, documents.added_s, "   \
    "" SERIES_COLUMNS
#define FROM_RUNS                                                                                            \
    " FROM runs JOIN documents ON documents.id = runs.document JOIN series ON series.id = runs.series "      \
    "WHERE "

enum { RUN_ID, RUN_SAMPLES, RUN_DOCUMENT, RUN_SHA256, RUN_COMMIT, RUN_ADDED, RUN_SERIES };

static roof_status add_run(store_query *q, void *runs_)
{
    roof_history_runs *runs = runs_;
    uint64_t added_s;
    TRY(ARENA_MORE(runs->arena, runs->items, runs->n, q->err));
    roof_history_run *out = &runs->items[runs->n++];
    TRY(store_count(q, RUN_ID, &out->id));
    TRY(store_count(q, RUN_SAMPLES, &out->n_samples));
    TRY(store_text(q, RUN_DOCUMENT, &out->document));
    TRY(store_text(q, RUN_SHA256, &out->sha256));
    TRY(store_text(q, RUN_COMMIT, &out->commit));
    TRY(store_count(q, RUN_ADDED, &added_s));
    out->added_s = added_s > INT64_MAX ? 0 : (int64_t)added_s;
    return series_read_key(q, RUN_SERIES, &out->key);
}

static roof_status list_runs(roof_history *h, const roof_history_filter *filter, uint32_t most,
                             roof_history_runs *out, roof_error *err)
{
    store_query q = {.h = h, .arena = out->arena, .err = err};
    TRY(STORE_FIND(&q,
                   "SELECT count(*) FROM runs JOIN series ON series.id = runs.series WHERE " SERIES_FILTER,
                   &out->n_all, SERIES_VALUES(filter)));
    TRY(STORE_ASK(&q, "SELECT " RUN_COLUMNS FROM_RUNS SERIES_FILTER " ORDER BY runs.id DESC LIMIT ?6",
                  add_run, out, SERIES_VALUES(filter), STORE_COUNT(most)));
    if (out->n > out->n_all) /* they are counted in an index, which disagrees */
        return store_fail(h, SQLITE_CORRUPT, err);
    return ROOF_OK;
}

/* --- one run -------------------------------------------------------------------------------------------- */

/* 8 bytes each, the least first; what is no time is left out of a file that was damaged. */
static roof_status read_samples(store_query *q, int column, roof_arena *arena, roof_history_run *out)
{
    const unsigned char *bytes = sqlite3_column_blob(q->statement, column);
    const size_t size = (size_t)sqlite3_column_bytes(q->statement, column);
    size_t n = size / sizeof(double);
    double *samples;
    if (!bytes && size)
        return error_memory(q->err);
    if (n > ROOF_HISTORY_MOST_SAMPLES)
        n = ROOF_HISTORY_MOST_SAMPLES;
    TRY(ARENA_GET(arena, samples, n, q->err));
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        for (size_t k = 0; k < sizeof bits; k++)
            bits |= (uint64_t)bytes[i * sizeof bits + k] << (8 * k);
        memcpy(&samples[out->n_kept], &bits, sizeof bits);
        out->n_kept += isfinite(samples[out->n_kept]) && samples[out->n_kept] >= 0;
    }
    out->samples_s = n ? samples : NULL;
    return ROOF_OK;
}

static roof_status read_whole_run(store_query *q, void *runs)
{
    roof_history_runs *out = runs;
    TRY(add_run(q, out));
    out->n_all = out->n;
    return read_samples(q, RUN_SERIES + SERIES_KEY_COLUMNS, out->arena, &out->items[out->n - 1]);
}

/* A metric that this version does not know is left out. */
static roof_status read_metric(store_query *q, void *run_)
{
    roof_history_run *run = run_;
    const char *name;
    double value;
    TRY(store_text(q, 0, &name));
    TRY(store_number(q, 1, &value));
    const roof_history_metric *metric = name ? metric_named(name) : NULL;
    if (!metric)
        return ROOF_OK;
    return ARENA_ADD(q->arena, run->values, run->n_values, q->err, (roof_history_value){metric, value});
}

static roof_status read_row(store_query *q, void *run_)
{
    roof_history_run *run = run_;
    roof_history_row row;
    TRY(store_text(q, 0, &row.name));
    TRY(store_count(q, 1, &row.count));
    TRY(store_number(q, 2, &row.median_s));
    TRY(store_number(q, 3, &row.mean_s));
    TRY(store_number(q, 4, &row.std_s));
    row.name = text_or_empty(row.name);
    return ARENA_ADD(q->arena, run->rows, run->n_rows, q->err, row);
}

static roof_status show_run(roof_history *h, uint64_t id, roof_history_runs *out, roof_error *err)
{
    store_query q = {.h = h, .arena = out->arena, .err = err};
    TRY(STORE_ASK(&q, "SELECT " RUN_COLUMNS ", runs.samples" FROM_RUNS "runs.id = ?1", read_whole_run, out,
                  STORE_COUNT(id)));
    if (!out->n)
        return error_set(err, ROOF_E_USAGE,
                         "there is no run %" PRIu64 "; `roofline history list` shows which there are", id);
    TRY(STORE_ASK(&q, "SELECT name, value FROM metrics WHERE run = ?1 ORDER BY name", read_metric, out->items,
                  STORE_COUNT(id)));
    return STORE_ASK(&q,
                     "SELECT name, count, median_s, mean_s, std_s FROM layers WHERE run = ?1 ORDER BY place "
                     "LIMIT 4096", /* ROOF_HISTORY_MOST_ROWS */
                     read_row, out->items, STORE_COUNT(id));
}

/* --- all of it ------------------------------------------------------------------------------------------ */

/* The newest runs that a filter lets through; NULL: the run of an id. */
static roof_status read_runs(roof_history *h, const roof_history_filter *filter, uint32_t most, uint64_t id,
                             roof_history_runs **out, roof_error *err)
{
    roof_arena *arena;
    *out = NEW_ROOT(&arena, roof_history_runs, err);
    if (!*out)
        return ROOF_E_NO_MEMORY;
    (*out)->arena = arena;
    roof_status status = filter ? list_runs(h, filter, most, *out, err) : show_run(h, id, *out, err);
    status = arena_settle(arena, status, err);
    *out = status == ROOF_OK ? *out : NULL;
    return status;
}

roof_status roof_history_list(roof_history *history, const roof_history_filter *filter, uint32_t most,
                              roof_history_runs **out, roof_error *err)
{
    static const roof_history_filter all;
    return read_runs(history, filter ? filter : &all, most, 0, out, err);
}

roof_status roof_history_show(roof_history *history, uint64_t id, roof_history_runs **out, roof_error *err)
{
    return read_runs(history, NULL, 0, id, out, err);
}

ARENA_FREES(roof_history_runs_free, roof_history_runs, runs)
