/* Adds the runs of a document: all of them, or none. */
#include "core/error.h"
#include "measure/compare/conditions.h"
#include "measure/history/metrics.h"
#include "measure/history/store.h"
#include "measure/profile/run_facts.h"
#include "model/documents/documents.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept_samples {
    unsigned char bytes[ROOF_HISTORY_MOST_SAMPLES * sizeof(double)];
    size_t n;
} kept_samples;

typedef struct adding {
    roof_history *h;
    const roof_measured *measured;
    const roof_history_document *about;
    roof_history_added *out;
    roof_error *err;
    uint64_t document;
    kept_samples *samples; /* of one run at a time */
    roof_arena *arena;
} adding;

/* --- what is kept --------------------------------------------------------------------------------------- */

/* Evenly over all, the first one included. */
static void keep_samples(const roof_times *t, kept_samples *out)
{
    const uint64_t all = t->samples_s && t->count != ROOF_UNKNOWN ? t->count : 0,
                   most = ROOF_HISTORY_MOST_SAMPLES;
    out->n = all < most ? (size_t)all : most;
    for (size_t i = 0; i < out->n; i++) {
        const uint64_t at = all <= most ? i : (uint64_t)((double)i * (double)all / (double)most);
        uint64_t bits;
        memcpy(&bits, &t->samples_s[at], sizeof bits);
        for (size_t k = 0; k < sizeof bits; k++)
            out->bytes[i * sizeof bits + k] = (unsigned char)(bits >> (8 * k));
    }
}

static bool has_value(const roof_run *run)
{
    for (size_t i = 0; roof_history_metric_at(i); i++)
        if (metric_of_run(i, run) > 0)
            return true;
    for (uint32_t i = 0; i < run->n_layers; i++)
        if (row_inference_s(run, &run->layers[i]) > 0)
            return true;
    return false;
}

/* --- statements ----------------------------------------------------------------------------------------- */

static roof_status begin(const adding *a, const char *sql, store_query *q)
{
    return store_query_begin(a->h, sql, NULL, q, a->err);
}

/* Runs it when all that was bound went well; ends it in any case. */
static roof_status run_bound(store_query *q, roof_status status)
{
    if (status == ROOF_OK)
        return store_run(q);
    store_query_end(q);
    return status;
}

static roof_status bind_texts(store_query *q, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        TRY(store_bind_text(q, texts[i]));
    return ROOF_OK;
}

static uint64_t last_id(const adding *a)
{
    return (uint64_t)sqlite3_last_insert_rowid(a->h->db);
}

/* The first column of the only row; ROOF_UNKNOWN: there is none. */
static roof_status find_id(store_query *q, roof_status status, uint64_t *out)
{
    bool is_row = false;
    *out = ROOF_UNKNOWN;
    if (status == ROOF_OK)
        status = store_step(q, &is_row);
    if (status == ROOF_OK && is_row)
        status = store_count(q, 0, out);
    store_query_end(q);
    return status;
}

/* --- a document ----------------------------------------------------------------------------------------- */

static roof_status add_document(adding *a, bool *was_there)
{
    const roof_history_document *d = a->about;
    store_query q;
    TRY(begin(a, "SELECT id FROM documents WHERE sha256 = ?1", &q));
    TRY(find_id(&q, store_bind_text(&q, d->sha256), &a->document));
    *was_there = a->document != ROOF_UNKNOWN;
    if (*was_there)
        return ROOF_OK;
    TRY(begin(a, "INSERT INTO documents(sha256, name, git_commit, added_s) VALUES(?1, ?2, ?3, ?4)", &q));
    roof_status status = bind_texts(&q, (const char *[]){d->sha256, d->name, d->commit}, 3);
    if (status == ROOF_OK)
        status = store_bind_count(&q, d->added_s > 0 ? (uint64_t)d->added_s : 0);
    TRY(run_bound(&q, status));
    a->document = last_id(a);
    return ROOF_OK;
}

/* Runs of the document that the history has: the first one's id, and their number. */
static roof_status find_runs(adding *a)
{
    uint64_t n = 0;
    store_query q;
    TRY(begin(a, "SELECT min(id) FROM runs WHERE document = ?1", &q));
    TRY(find_id(&q, store_bind_count(&q, a->document), &a->out->first_run));
    TRY(begin(a, "SELECT count(*) FROM runs WHERE document = ?1", &q));
    TRY(find_id(&q, store_bind_count(&q, a->document), &n));
    a->out->n_runs = (uint32_t)n;
    return ROOF_OK;
}

/* --- a run ---------------------------------------------------------------------------------------------- */

/* "decode, batch 4, 128 prompt tokens, 512 context tokens, 2 threads, core 1": what makes runs of one model
 * no repetition of one another; "" where nothing is stated. */
static const char *workload_of(const roof_experiment *e, const roof_run *run, char *out, size_t size)
{
    const struct {
        uint32_t n, without;
        const char *before, *behind;
    } counts[] = {
        {run->batch == ROOF_NONE ? 1 : run->batch, 1, "batch ", ""},
        {e->prompt_tokens, 0, "", " prompt tokens"},
        {e->context_tokens, 0, "", " context tokens"},
        {run->threads == ROOF_NONE ? 0 : run->threads, 0, "", run->threads == 1 ? " thread" : " threads"}};
    size_t used = 0;
    *out = '\0';
    if (e->phase == ROOF_TEXT_PREFILL || e->phase == ROOF_TEXT_DECODE)
        used = (size_t)snprintf(out, size, "%s", language_phases[e->phase]);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].n != counts[i].without && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s%" PRIu32 "%s", used ? ", " : "",
                                     counts[i].before, counts[i].n, counts[i].behind);
    if (run->core && used < size)
        (void)snprintf(out + used, size - used, "%score %s", used ? ", " : "", run->core);
    return out;
}

static roof_status series_of(adding *a, const roof_experiment *e, const roof_run *run, uint64_t *out)
{
    enum { KEYS = 5 };
    char workload[256];
    const char *stack = a->about->stack;
    if (!stack && a->measured->n_sources)
        stack = a->measured->sources[0].tool;
    const char *model = e->model_name ? e->model_name : e->model_path;
    const char *const keys[] = {e->graph_hash ? e->graph_hash : model,
                                e->hardware_id ? e->hardware_id : e->device,
                                stack,
                                roof_run_mode_text(run->mode),
                                workload_of(e, run, workload, sizeof workload),
                                model,
                                e->graph_hash};
    store_query q;
    TRY(begin(a,
              "SELECT id FROM series WHERE model_key = ?1 AND device = ?2 AND stack = ?3 AND mode = ?4 AND "
              "workload = ?5",
              &q));
    TRY(find_id(&q, bind_texts(&q, keys, KEYS), out));
    if (*out != ROOF_UNKNOWN)
        return ROOF_OK;
    TRY(begin(a,
              "INSERT INTO series(model_key, device, stack, mode, workload, model, model_hash) VALUES(?1, "
              "?2, ?3, ?4, ?5, ?6, ?7)",
              &q));
    TRY(run_bound(&q, bind_texts(&q, keys, sizeof keys / sizeof *keys)));
    *out = last_id(a);
    return ROOF_OK;
}

static roof_status add_metrics(adding *a, const roof_run *run, uint64_t id)
{
    for (size_t i = 0; roof_history_metric_at(i); i++) {
        const double value = metric_of_run(i, run);
        store_query q;
        if (!(value > 0 && isfinite(value)))
            continue;
        TRY(begin(a, "INSERT INTO metrics(run, name, value) VALUES(?1, ?2, ?3)", &q));
        roof_status status = store_bind_count(&q, id);
        if (status == ROOF_OK)
            status = store_bind_text(&q, roof_history_metric_at(i)->name);
        if (status == ROOF_OK)
            status = store_bind_number(&q, value);
        TRY(run_bound(&q, status));
    }
    return ROOF_OK;
}

static roof_status bind_row(store_query *q, const roof_run *run, uint32_t place, uint64_t id)
{
    const roof_measured_layer *row = &run->layers[place];
    const double executions = row_executions(row);
    char number[24];
    snprintf(number, sizeof number, "#%" PRIu32, row->index == ROOF_NONE ? place + 1 : row->index);
    TRY(store_bind_count(q, id));
    TRY(store_bind_count(q, place));
    TRY(store_bind_text(q, row->name ? row->name : number));
    TRY(store_bind_count(q, row->time.count));
    TRY(store_bind_number(q, executions * row->time.median_s));
    TRY(store_bind_number(q, row_inference_s(run, row)));
    return store_bind_number(q, executions * row->time.std_s);
}

static roof_status add_rows(adding *a, const roof_run *run, uint64_t id)
{
    if (run->n_layers > ROOF_HISTORY_MOST_ROWS) {
        a->out->n_total_only++;
        return ROOF_OK;
    }
    for (uint32_t i = 0; i < run->n_layers; i++) {
        store_query q;
        TRY(begin(a,
                  "INSERT INTO layers(run, place, name, count, median_s, mean_s, std_s) VALUES(?1, ?2, ?3, "
                  "?4, ?5, ?6, ?7)",
                  &q));
        TRY(run_bound(&q, bind_row(&q, run, i, id)));
    }
    return ROOF_OK;
}

/* Runs of a night share them: each set is there once. */
static roof_status add_conditions(adding *a, const roof_experiment *e, const roof_run *run, uint64_t id)
{
    const char *tool = a->measured->n_sources ? a->measured->sources[0].tool : NULL, *lines;
    run_conditions of_run;
    uint64_t conditions;
    store_query q;
    TRY(conditions_of_run(e, run, tool, NULL, a->arena, &of_run, a->err));
    TRY(conditions_write(&of_run, a->arena, &lines, a->err));
    TRY(begin(a, "INSERT OR IGNORE INTO conditions(lines) VALUES(?1)", &q));
    TRY(run_bound(&q, store_bind_text(&q, lines)));
    TRY(begin(a, "SELECT id FROM conditions WHERE lines = ?1", &q));
    TRY(find_id(&q, store_bind_text(&q, lines), &conditions));
    TRY(begin(a, "INSERT INTO run_conditions(run, conditions) VALUES(?1, ?2)", &q));
    roof_status status = store_bind_count(&q, id);
    if (status == ROOF_OK)
        status = store_bind_count(&q, conditions);
    return run_bound(&q, status);
}

static roof_status add_run(adding *a, const roof_experiment *e, const roof_run *run)
{
    kept_samples *samples = a->samples;
    uint64_t series, id;
    store_query q;
    TRY(series_of(a, e, run, &series));
    keep_samples(&run->total, samples);
    const uint64_t n_samples = run->total.samples_s ? run->total.count : 0;
    TRY(begin(a, "INSERT INTO runs(document, series, n_samples, samples) VALUES(?1, ?2, ?3, ?4)", &q));
    roof_status status = store_bind_count(&q, a->document);
    if (status == ROOF_OK)
        status = store_bind_count(&q, series);
    if (status == ROOF_OK)
        status = store_bind_count(&q, n_samples);
    if (status == ROOF_OK)
        status = store_bind_bytes(&q, samples->bytes, samples->n * sizeof(double));
    TRY(run_bound(&q, status));
    id = last_id(a);
    a->out->first_run = a->out->n_runs ? a->out->first_run : id;
    a->out->n_runs++;
    a->out->n_thinned += n_samples > samples->n;
    TRY(add_conditions(a, e, run, id));
    TRY(add_metrics(a, run, id));
    return add_rows(a, run, id);
}

/* Adds conditions to a stored run of an earlier version, which kept none. Runs of a document are numbered one
 * after the other. */
static roof_status complete_run(adding *a, const roof_experiment *e, const roof_run *run, uint64_t id)
{
    uint64_t conditions;
    store_query q;
    TRY(begin(a, "SELECT conditions FROM run_conditions WHERE run = ?1", &q));
    TRY(find_id(&q, store_bind_count(&q, id), &conditions));
    if (conditions != ROOF_UNKNOWN)
        return ROOF_OK;
    a->out->n_completed++;
    return add_conditions(a, e, run, id);
}

static roof_status add_all(adding *a)
{
    uint32_t n = 0;
    TRY(add_document(a, &a->out->was_there));
    if (a->out->was_there)
        TRY(find_runs(a));
    for (uint32_t i = 0; i < a->measured->n_experiments; i++)
        for (uint32_t k = 0; k < a->measured->experiments[i].n_runs; k++) {
            const roof_experiment *e = &a->measured->experiments[i];
            if (!has_value(&e->runs[k]))
                continue;
            if (!a->out->was_there)
                TRY(add_run(a, e, &e->runs[k]));
            else if (n < a->out->n_runs)
                TRY(complete_run(a, e, &e->runs[k], a->out->first_run + n++));
        }
    return a->out->n_runs ? ROOF_OK
                          : error_set(a->err, ROOF_E_DATA, "has no run with a time, an energy or a power");
}

roof_status roof_history_add(roof_history *history, const roof_measured *measured,
                             const roof_history_document *about, roof_history_added *out, roof_error *err)
{
    adding a = {history, measured, about, out, err, 0, malloc(sizeof(kept_samples)), arena_new(0)};
    *out = (roof_history_added){0};
    roof_status status = a.samples && a.arena ? store_begin(history, err) : error_memory(err);
    if (status == ROOF_OK)
        status = store_end(history, add_all(&a), err);
    free(a.samples);
    arena_free(a.arena);
    return status;
}
