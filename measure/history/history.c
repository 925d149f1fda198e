/* Adds the runs of a document: all of them, or none. */
#include "measure/compare/conditions.h"
#include "measure/history/store.h"
#include "measure/profile/run_facts.h"
#include "model/documents/documents.h"

typedef struct adding {
    store_query q;
    const roof_measured *measured;
    const roof_history_document *about;
    const char *tool; /* of the first source */
    roof_history_added *out;
    uint64_t document;
    unsigned char *samples; /* of one run at a time */
    roof_arena *arena;
} adding;

/* --- what is kept --------------------------------------------------------------------------------------- */

/* Evenly over all, the first one included. Returns how many. */
static size_t keep_samples(const roof_times *t, unsigned char *bytes)
{
    const uint64_t all = t->samples_s && t->count != ROOF_UNKNOWN ? t->count : 0,
                   most = ROOF_HISTORY_MOST_SAMPLES;
    const size_t n = (size_t)(all < most ? all : most);
    for (size_t i = 0; i < n; i++) {
        const uint64_t at = all <= most ? i : (uint64_t)((double)i * (double)all / (double)most);
        uint64_t bits;
        memcpy(&bits, &t->samples_s[at], sizeof bits);
        for (size_t k = 0; k < sizeof bits; k++)
            bytes[i * sizeof bits + k] = (unsigned char)(bits >> (8 * k));
    }
    return n;
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

static uint64_t last_id(const adding *a)
{
    return (uint64_t)sqlite3_last_insert_rowid(a->q.h->db);
}

/* --- a document ----------------------------------------------------------------------------------------- */

static roof_status add_document(adding *a, bool *was_there)
{
    const roof_history_document *d = a->about;
    TRY(STORE_FIND(&a->q, "SELECT id FROM documents WHERE sha256 = ?1", &a->document, STORE_TEXT(d->sha256)));
    *was_there = a->document != ROOF_UNKNOWN;
    if (*was_there)
        return ROOF_OK;
    TRY(STORE_PUT(&a->q, "INSERT INTO documents(sha256, name, git_commit, added_s) VALUES(?1, ?2, ?3, ?4)",
                  STORE_TEXT(d->sha256), STORE_TEXT(d->name), STORE_TEXT(d->commit),
                  STORE_COUNT(d->added_s > 0 ? (uint64_t)d->added_s : 0)));
    a->document = last_id(a);
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
    for (size_t i = 0; i < N_OF(counts); i++)
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
    const char *model = e->model_name ? e->model_name : e->model_path;
    const store_value keys[] = {STORE_TEXT(e->graph_hash ? e->graph_hash : model),
                                STORE_TEXT(e->hardware_id ? e->hardware_id : e->device),
                                STORE_TEXT(a->about->stack ? a->about->stack : a->tool),
                                STORE_TEXT(roof_run_mode_text(run->mode)),
                                STORE_TEXT(workload_of(e, run, workload, sizeof workload)),
                                STORE_TEXT(model),
                                STORE_TEXT(e->graph_hash)};
    *out = ROOF_UNKNOWN;
    TRY(store_ask(
        &a->q,
        "SELECT id FROM series WHERE model_key = ?1 AND device = ?2 AND stack = ?3 AND mode = ?4 AND "
        "workload = ?5",
        keys, KEYS, store_take_count, out));
    if (*out != ROOF_UNKNOWN)
        return ROOF_OK;
    TRY(store_ask(
        &a->q,
        "INSERT INTO series(model_key, device, stack, mode, workload, model, model_hash) VALUES(?1, "
        "?2, ?3, ?4, ?5, ?6, ?7)",
        keys, N_OF(keys), NULL, NULL));
    *out = last_id(a);
    return ROOF_OK;
}

static roof_status add_rows(adding *a, const roof_run *run, uint64_t id)
{
    if (run->n_layers > ROOF_HISTORY_MOST_ROWS) {
        a->out->n_total_only++;
        return ROOF_OK;
    }
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        const double executions = row_executions(row);
        char number[24];
        snprintf(number, sizeof number, "#%" PRIu32, row->index == ROOF_NONE ? i + 1 : row->index);
        TRY(STORE_PUT(
            &a->q,
            "INSERT INTO layers(run, place, name, count, median_s, mean_s, std_s) VALUES(?1, ?2, ?3, "
            "?4, ?5, ?6, ?7)",
            STORE_COUNT(id), STORE_COUNT(i), STORE_TEXT(row->name ? row->name : number),
            STORE_COUNT(row->time.count), STORE_NUMBER(executions * row->time.median_s),
            STORE_NUMBER(row_inference_s(run, row)), STORE_NUMBER(executions * row->time.std_s)));
    }
    return ROOF_OK;
}

/* Runs of a night share them: each set is there once. */
static roof_status add_conditions(adding *a, const roof_experiment *e, const roof_run *run, uint64_t id)
{
    const char *lines;
    run_conditions of_run;
    uint64_t conditions;
    TRY(conditions_of_run(e, run, a->tool, NULL, a->arena, &of_run, a->q.err));
    TRY(conditions_write(&of_run, a->arena, &lines, a->q.err));
    TRY(STORE_PUT(&a->q, "INSERT OR IGNORE INTO conditions(lines) VALUES(?1)", STORE_TEXT(lines)));
    TRY(STORE_FIND(&a->q, "SELECT id FROM conditions WHERE lines = ?1", &conditions, STORE_TEXT(lines)));
    return STORE_PUT(&a->q, "INSERT INTO run_conditions(run, conditions) VALUES(?1, ?2)", STORE_COUNT(id),
                     STORE_COUNT(conditions));
}

static roof_status add_run(adding *a, const roof_experiment *e, const roof_run *run)
{
    uint64_t series, id;
    TRY(series_of(a, e, run, &series));
    const size_t n_kept = keep_samples(&run->total, a->samples);
    const uint64_t n_samples = run->total.samples_s ? run->total.count : 0;
    TRY(STORE_PUT(&a->q, "INSERT INTO runs(document, series, n_samples, samples) VALUES(?1, ?2, ?3, ?4)",
                  STORE_COUNT(a->document), STORE_COUNT(series), STORE_COUNT(n_samples),
                  STORE_BYTES(a->samples, n_kept * sizeof(double))));
    id = last_id(a);
    a->out->first_run = a->out->n_runs ? a->out->first_run : id;
    a->out->n_runs++;
    a->out->n_thinned += n_samples > n_kept;
    TRY(add_conditions(a, e, run, id));
    for (size_t i = 0; roof_history_metric_at(i); i++) {
        const double value = metric_of_run(i, run);
        if (value > 0 && isfinite(value))
            TRY(STORE_PUT(&a->q, "INSERT INTO metrics(run, name, value) VALUES(?1, ?2, ?3)", STORE_COUNT(id),
                          STORE_TEXT(roof_history_metric_at(i)->name), STORE_NUMBER(value)));
    }
    return add_rows(a, run, id);
}

static roof_status add_all(adding *a)
{
    uint32_t n = 0;
    TRY(add_document(a, &a->out->was_there));
    if (a->out->was_there) {
        uint64_t n_runs; /* that the history has of the document */
        TRY(STORE_FIND(&a->q, "SELECT min(id) FROM runs WHERE document = ?1", &a->out->first_run,
                       STORE_COUNT(a->document)));
        TRY(STORE_FIND(&a->q, "SELECT count(*) FROM runs WHERE document = ?1", &n_runs,
                       STORE_COUNT(a->document)));
        a->out->n_runs = (uint32_t)n_runs;
    }
    FOR_EACH(const roof_experiment, e, a->measured->experiments, a->measured->n_experiments)
        FOR_EACH(const roof_run, run, e->runs, e->n_runs) {
            if (!has_value(run))
                continue;
            if (!a->out->was_there) {
                TRY(add_run(a, e, run));
                continue;
            }
            if (n == a->out->n_runs)
                continue;
            /* A run of an earlier version has no conditions; runs of a document are numbered one after the
             * other. */
            const uint64_t id = a->out->first_run + n++;
            uint64_t conditions;
            TRY(STORE_FIND(&a->q, "SELECT conditions FROM run_conditions WHERE run = ?1", &conditions,
                           STORE_COUNT(id)));
            if (conditions != ROOF_UNKNOWN)
                continue;
            a->out->n_completed++;
            TRY(add_conditions(a, e, run, id));
        }
    return a->out->n_runs ? ROOF_OK : error_data(a->q.err, "has no run with a time, an energy or a power");
}

roof_status roof_history_add(roof_history *history, const roof_measured *measured,
                             const roof_history_document *about, roof_history_added *out, roof_error *err)
{
    adding a = {.q = {.h = history, .err = err},
                .measured = measured,
                .about = about,
                .tool = measured->n_sources ? measured->sources[0].tool : NULL,
                .out = out,
                .arena = arena_new(0)};
    *out = (roof_history_added){0};
    TRY(ALLOCATED(a.arena, err));
    roof_status status = ARENA_GET(a.arena, a.samples, ROOF_HISTORY_MOST_SAMPLES * sizeof(double), err);
    THEN(status, store_begin(history, err));
    THEN(status, store_end(history, add_all(&a), err));
    arena_free(a.arena);
    return status;
}
