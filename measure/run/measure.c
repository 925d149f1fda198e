/* roof_measure: a model and a device in, a measured document out. */
#include "roofline/measure.h"
#include "core/error.h"
#include "core/files/input.h"
#include "core/text.h"
#include "measure/run/machine.h"
#include "measure/profile/profile.h"
#include "measure/run/runner.h"
#include "roofline/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARMUP_WINDOW = 5, MOST_WARMUP_S = 60, MOST_ROUNDS = 1000, MOST_REASONS = 8 };

/* A mode, and the process that runs it. */
typedef struct session {
    runner_request request;
    runner runner;
    bool is_open;
    uint64_t warmup;
    double iteration_s;         /* the median at the end of its warm-up */
    double busy_s, used_j;      /* of its rounds */
    roof_condition *conditions; /* one before and behind each round */
    uint32_t n_conditions;
} session;

typedef struct measurement {
    const roof_measure_options *options;
    const char *model;
    char path[RUNNER_PATH_SIZE];
    roof_arena *arena;
    char **settings; /* of the runner's environment; NULL behind the last */
    machine machine;
    session sessions[ROOF_RUN_MODES];
    session counting; /* a pass that is not timed, where the device counts cycles */
    double idle_w;
    textbuf notes;
    roof_measured *out;
    roof_error *err;
} measurement;

static const char *const doing[ROOF_RUN_MODES] = {
    [ROOF_RUN_BYPASS] = "bypass", [ROOF_RUN_PER_LAYER] = "per layer"};

static uint32_t or_else(uint32_t value, uint32_t otherwise)
{
    return value ? value : otherwise;
}

static void note(measurement *m, const char *format, ...) ROOF_PRINTF(2, 3);
static void note(measurement *m, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        *c = *c == ';' ? ',' : *c; /* which stands between notes */
    text_puts(&m->notes, m->notes.length ? "; " : "");
    text_puts(&m->notes, text);
}

static void tell(const measurement *m, const char *what, double done, double of, double left_s)
{
    const roof_measure_progress now = {what, of > 0 ? done / of : NAN, left_s};
    if (m->options->progress)
        m->options->progress(m->options->context, &now);
}

/* --- warm-up --------------------------------------------------------------------------------------------- */

static double median_of(const double *samples_s, size_t n)
{
    roof_statistics s;
    roof_error ignored;
    return roof_statistics_of(samples_s, n, &s, &ignored) == ROOF_OK ? s.median : NAN;
}

/* How far the median of the last window is from that of the one before it, as a share; NaN as long as there are no two. */
static double drift_of(const runner_samples *s)
{
    if (s->n < 2 * WARMUP_WINDOW)
        return NAN;
    const double *last = s->totals_s + s->n - WARMUP_WINDOW;
    double now = median_of(last, WARMUP_WINDOW), before = median_of(last - WARMUP_WINDOW, WARMUP_WINDOW);
    return fabs(now - before) / now;
}

static roof_status warm_up(measurement *m, session *s)
{
    static const double steady_ratio = 0.02;
    uint32_t most = or_else(m->options->most_warmup, 200);
    double begin_s = machine_now_s(), drift = NAN;
    const char *mode = doing[s->request.mode];
    while (s->runner.samples.n < most && !(drift <= steady_ratio) &&
           machine_now_s() - begin_s < MOST_WARMUP_S) {
        uint32_t left = most - s->runner.samples.n;
        tell(m, "warm-up", 0, 0, NAN);
        TRY(runner_run(&s->runner, left < WARMUP_WINDOW ? left : WARMUP_WINDOW, m->err));
        drift = drift_of(&s->runner.samples);
    }
    uint32_t n = s->runner.samples.n, window = n < WARMUP_WINDOW ? n : WARMUP_WINDOW;
    s->warmup = n;
    s->iteration_s = n ? median_of(s->runner.samples.totals_s + n - window, window) : NAN;
    if (n && drift > steady_ratio)
        note(m, "%s: not steady after a warm-up of %u inferences, whose median still moves by %.1f %%", mode,
             n, drift * 100);
    else if (n)
        note(m, "%s: %s after a warm-up of %u inferences", mode,
             isnan(drift) ? "not known whether it is steady" : "steady", n);
    runner_forget(&s->runner);
    return ROOF_OK;
}

/* --- rounds ---------------------------------------------------------------------------------------------- */

static void keep_condition(measurement *m, session *s)
{
    roof_condition *grown = arena_grow(m->arena, s->conditions, s->n_conditions, sizeof *grown);
    if (!grown)
        return; /* which the arena remembers */
    s->conditions = grown;
    grown[s->n_conditions++] = machine_condition(&m->machine);
}

static roof_status run_round(measurement *m, session *s, uint32_t iterations)
{
    keep_condition(m, s);
    double begin_s = machine_now_s(), begin_j = machine_energy_j(&m->machine);
    TRY(runner_run(&s->runner, iterations, m->err));
    s->used_j += machine_energy_j(&m->machine) - begin_j;
    s->busy_s += machine_now_s() - begin_s;
    keep_condition(m, s);
    return ROOF_OK;
}

/* One mode first in one round, the other one in the next: what drifts over time then adds the same to both. */
static roof_status run_rounds(measurement *m)
{
    uint32_t iterations = or_else(m->options->iterations, 100), rounds = or_else(m->options->rounds, 10);
    double left_s = 0, all_s = 0;
    rounds = rounds < iterations ? rounds : iterations;
    rounds = rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS; /* each keeps how the machine was */
    for (int mode = 0; mode < ROOF_RUN_MODES; mode++)
        if (m->sessions[mode].is_open)
            all_s += m->sessions[mode].iteration_s * iterations;
    left_s = all_s;
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t n = iterations / rounds + (round < iterations % rounds);
        for (int turn = 0; turn < ROOF_RUN_MODES; turn++) {
            session *s = &m->sessions[round % 2 ? ROOF_RUN_MODES - 1 - turn : turn];
            if (!s->is_open)
                continue;
            tell(m, doing[s->request.mode], all_s - left_s, all_s, left_s);
            TRY(run_round(m, s, n));
            left_s -= s->iteration_s * n;
        }
    }
    return ROOF_OK;
}

/* Mean power while nothing of ours runs; NaN where no meter is. */
static void measure_idle(measurement *m)
{
    enum { STEPS = 20, STEP_NS = 50 * 1000 * 1000 };
    double begin_j = machine_energy_j(&m->machine), begin_s = machine_now_s();
    m->idle_w = NAN;
    for (int i = 0; i < STEPS && m->machine.n_meters; i++) {
        nanosleep(&(struct timespec){.tv_nsec = STEP_NS}, NULL);
        m->idle_w = (machine_energy_j(&m->machine) - begin_j) / (machine_now_s() - begin_s);
    }
}

/* --- processes ------------------------------------------------------------------------------------------- */

/* Libraries of threads read how many there shall be when they are loaded. */
static roof_status collect_settings(measurement *m)
{
    const roof_measure_options *o = m->options;
    m->settings = NEW_ARRAY(m->arena, char *, o->n_settings + 2);
    for (uint32_t i = 0; m->settings && i < o->n_settings; i++)
        m->settings[i] = arena_strdup(m->arena, o->settings[i]);
    if (m->settings && o->threads)
        m->settings[o->n_settings] = arena_printf(m->arena, "OMP_NUM_THREADS=%" PRIu32, o->threads);
    return arena_status(m->arena, m->err);
}

static roof_status open_session(measurement *m, session *s, roof_run_mode mode, bool counters)
{
    const roof_measure_options *o = m->options;
    s->request = (runner_request){.name = o->device,
                                  .path = m->path,
                                  .model = m->model,
                                  .mode = mode,
                                  .counters = counters,
                                  .settings = m->settings,
                                  .options = o->options,
                                  .n_options = o->n_options,
                                  .batch = o->batch,
                                  .threads = o->threads,
                                  .answer_ms = child_ms(o->timeout_s > 0 ? o->timeout_s : 60)};
    s->is_open = true;
    return runner_start(&s->request, &s->runner, m->err);
}

/* What cannot be timed layer by layer may still run as a whole, where both were asked for. */
static roof_status open_sessions(measurement *m)
{
    const roof_measure_options *o = m->options;
    if (!o->only_per_layer)
        TRY(open_session(m, &m->sessions[ROOF_RUN_BYPASS], ROOF_RUN_BYPASS, false));
    if (o->only_bypass)
        return ROOF_OK;
    roof_status status = open_session(m, &m->sessions[ROOF_RUN_PER_LAYER], ROOF_RUN_PER_LAYER, false);
    if (status == ROOF_E_UNSUPPORTED && !o->only_per_layer) {
        note(m, "no per-layer run: %.400s", m->err->what);
        runner_free(&m->sessions[ROOF_RUN_PER_LAYER].runner);
        m->sessions[ROOF_RUN_PER_LAYER].is_open = false;
        return ROOF_OK;
    }
    return status;
}

/* Reading counters takes time, so that they have a pass of their own behind all that is timed. */
static roof_status count_cycles(measurement *m)
{
    enum { PASSES = 10 };
    const runner *timed = &m->sessions[ROOF_RUN_PER_LAYER].runner, *counted = &m->counting.runner;
    if (!m->sessions[ROOF_RUN_PER_LAYER].is_open || !timed->about.counts)
        return ROOF_OK;
    tell(m, "counters", 1, 1, 0);
    TRY(open_session(m, &m->counting, ROOF_RUN_PER_LAYER, true));
    TRY(runner_run(&m->counting.runner, PASSES, m->err));
    bool same = timed->n_layers == counted->n_layers;
    for (uint32_t i = 0; same && i < timed->n_layers; i++)
        same = strcmp(timed->layers[i].name, counted->layers[i].name) == 0 &&
               !timed->layers[i].skipped == !counted->layers[i].skipped;
    if (!same)
        return error_set(m->err, ROOF_E_INTERNAL, "runner '%.60s': it counts other layers than it times",
                         m->options->device);
    return runner_finish(&m->counting.runner, m->err);
}

static roof_status measure(measurement *m)
{
    TRY(inputs_require(m->model, m->err));
    TRY(runner_find(m->options->device, m->path, m->err));
    TRY(collect_settings(m));
    measure_idle(m);
    TRY(open_sessions(m));
    for (int mode = 0; mode < ROOF_RUN_MODES; mode++)
        if (m->sessions[mode].is_open)
            TRY(warm_up(m, &m->sessions[mode]));
    TRY(run_rounds(m));
    for (int mode = 0; mode < ROOF_RUN_MODES; mode++)
        if (m->sessions[mode].is_open)
            TRY(runner_finish(&m->sessions[mode].runner, m->err));
    return count_cycles(m);
}

/* --- the document ---------------------------------------------------------------------------------------- */

static const char *copy(const measurement *m, const char *text)
{
    return text ? measured_text(m->out, text, strlen(text)) : NULL;
}

/* What the device counted for a layer: the median, since a first execution may wait for what others find there. */
static roof_status add_cycles(measurement *m, uint32_t i, double *column, roof_measured_layer *layer)
{
    const runner *r = &m->counting.runner;
    if (!m->counting.is_open)
        return ROOF_OK;
    for (uint32_t k = 0; k < r->samples.n; k++)
        column[k] = r->samples.layers_s[(size_t)k * r->n_layers + i];
    const double cycles = median_of(column, r->samples.n);
    const char *domain = copy(m, m->sessions[ROOF_RUN_PER_LAYER].runner.about.counts);
    return domain ? layer_set_cycles(m->out, layer, (roof_domain_cycles){domain, (uint64_t)(cycles + 0.5)},
                                     m->err)
                  : error_memory(m->err);
}

static roof_status add_layers(measurement *m, const session *s, roof_run *run)
{
    const runner *r = &s->runner;
    const runner_samples *all = &r->samples;
    const uint32_t n_counted = m->counting.is_open ? m->counting.runner.samples.n : 0;
    double *column = NEW_ARRAY(m->arena, double, all->n > n_counted ? all->n : n_counted + 1);
    if (!column)
        return error_memory(m->err);
    run->boundaries = 0; /* the clock is read behind each that is executed */
    for (uint32_t i = 0; i < r->n_layers; i++) {
        if (r->layers[i].skipped)
            continue;
        run->boundaries++;
        for (uint32_t k = 0; k < all->n; k++)
            column[k] = all->layers_s[(size_t)k * r->n_layers + i];
        roof_measured_layer *layer = run_add_layer(m->out, run);
        if (!layer)
            return error_memory(m->err);
        layer->name = copy(m, r->layers[i].name);
        layer->type = copy(m, r->layers[i].type);
        layer->index = i + 1;
        TRY(times_from_samples(m->out, column, all->n, &layer->time, m->err));
        TRY(add_cycles(m, i, column, layer));
    }
    return ROOF_OK;
}

static roof_status add_phases(measurement *m, const runner_samples *s, roof_run *run)
{
    for (uint32_t i = 0; i < s->n_phases; i++) {
        roof_phase *phase = array_add(m->out->storage->arena, &run->phases, &run->n_phases, sizeof *phase);
        if (!phase)
            return error_memory(m->err);
        phase->name = copy(m, s->phases[i]);
        phase->seconds = s->phase_sums_s[i] / s->n;
    }
    return ROOF_OK;
}

static void add_energy(const measurement *m, const session *s, roof_run *run)
{
    run->power_scope = copy(m, machine_power_scope(&m->machine));
    run->idle_power_w = m->idle_w;
    run->power_w = s->busy_s > 0 ? s->used_j / s->busy_s : NAN;
    double net_j = s->used_j - m->idle_w * s->busy_s;
    run->energy_j = s->runner.samples.n && net_j >= 0 ? net_j / s->runner.samples.n : NAN;
}

static roof_status add_run(measurement *m, roof_experiment *e, const session *s)
{
    const runner_about *about = &s->runner.about;
    roof_run *run = experiment_add_run(m->out, e, s->request.mode);
    if (!run)
        return error_memory(m->err);
    run->warmup = s->warmup;
    run->iterations = s->runner.samples.n;
    run->launches = about->launches;
    for (uint32_t i = 0; i < about->n_clocks; i++)
        TRY(run_add_clock(m->out, run, about->clocks[i].domain, about->clocks[i].hz, m->err));
    roof_condition *kept = NEW_ARRAY(m->out->storage->arena, roof_condition, s->n_conditions);
    for (uint32_t i = 0; kept && i < s->n_conditions; i++) {
        kept[i] = s->conditions[i];
        kept[i].governor = copy(m, kept[i].governor);
    }
    run->conditions = kept;
    run->n_conditions = kept ? s->n_conditions : 0;
    add_energy(m, s, run);
    TRY(times_from_samples(m->out, s->runner.samples.totals_s, s->runner.samples.n, &run->total, m->err));
    TRY(add_phases(m, &s->runner.samples, run));
    return s->request.mode == ROOF_RUN_PER_LAYER ? add_layers(m, s, run) : ROOF_OK;
}

/* A model that we cannot read, such as a kernel, has no name but its file's. */
static roof_status describe_model(measurement *m, const runner_about *about, roof_experiment *e)
{
    roof_graph *graph = NULL;
    roof_error ignored;
    const char *path = m->options->model_path ? m->options->model_path : m->model;
    e->model_path = copy(m, path);
    e->resolved_path = copy(m, m->model);
    e->hardware_id = copy(m, m->options->hardware);
    e->device = copy(m, about->device);
    e->device_data_type = copy(m, about->data_type);
    e->device_runs_code = about->runs_code;
    const char *slash = strrchr(m->model, '/'), *name = slash ? slash + 1 : m->model,
               *dot = strrchr(name, '.');
    e->model_name = measured_text(m->out, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    if (roof_graph_read(m->model, &graph, &ignored) == ROOF_OK)
        e->graph_hash = copy(m, graph->graph_hash);
    roof_graph_free(graph);
    return e->model_path && e->model_name ? ROOF_OK : error_memory(m->err);
}

static roof_status add_source(measurement *m, const runner_about *about)
{
    roof_measured_source *source = measured_add_source(m->out);
    char tool[200];
    if (!source)
        return error_memory(m->err);
    snprintf(tool, sizeof tool, "roofline-run-%.40s%s%.100s", m->options->device, about->version ? " " : "",
             about->version ? about->version : "");
    source->tool = copy(m, tool);
    source->files = NEW(m->out->storage->arena, const char *);
    if (!source->files)
        return error_memory(m->err);
    source->files[0] = m->out->experiments[0].model_path;
    source->n_files = 1;
    note(m, "on %.200s%s%.60s", about->device, about->data_type ? ", " : "",
         about->data_type ? about->data_type : "");
    if (about->note)
        note(m, "%.400s", about->note);
    TRY(text_status(&m->notes, m->err));
    source->notes = copy(m, m->notes.bytes);
    return source->tool && source->notes ? ROOF_OK : error_memory(m->err);
}

typedef struct reason {
    const char *why, *first; /* the layer that has it first */
    uint32_t n;
} reason;

/* What a runner left out is said once for each reason; of very many the first ones. */
static void note_skipped(measurement *m, const runner *r)
{
    reason reasons[MOST_REASONS];
    uint32_t n_reasons = 0, n_others = 0;
    for (uint32_t i = 0; i < r->n_layers; i++) {
        const char *why = r->layers[i].skipped;
        uint32_t k = 0;
        while (why && k < n_reasons && strcmp(reasons[k].why, why) != 0)
            k++;
        if (why && k == n_reasons && k < MOST_REASONS)
            reasons[n_reasons++] = (reason){why, r->layers[i].name, 0};
        if (why)
            ++*(k < MOST_REASONS ? &reasons[k].n : &n_others);
    }
    for (uint32_t k = 0; k < n_reasons; k++)
        note(m, "%u of %u layers are not executed: %.200s (the first is '%.80s')", reasons[k].n, r->n_layers,
             reasons[k].why, reasons[k].first);
    if (n_others)
        note(m, "%u of %u layers are not executed for other reasons", n_others, r->n_layers);
}

static roof_status write_document(measurement *m)
{
    m->out = measured_new();
    roof_experiment *e = m->out ? measured_add_experiment(m->out) : NULL;
    if (!e)
        return error_memory(m->err);
    const session *first =
        &m->sessions[m->sessions[ROOF_RUN_BYPASS].is_open ? ROOF_RUN_BYPASS : ROOF_RUN_PER_LAYER];
    TRY(describe_model(m, &first->runner.about, e));
    note_skipped(m, &m->sessions[ROOF_RUN_PER_LAYER].runner);
    for (int mode = 0; mode < ROOF_RUN_MODES; mode++)
        if (m->sessions[mode].is_open)
            TRY(add_run(m, e, &m->sessions[mode]));
    TRY(add_source(m, &first->runner.about));
    return arena_status(m->out->storage->arena, m->err);
}

static void end_measurement(measurement *m)
{
    for (int mode = 0; mode < ROOF_RUN_MODES; mode++)
        if (m->sessions[mode].is_open)
            runner_free(&m->sessions[mode].runner);
    if (m->counting.is_open)
        runner_free(&m->counting.runner);
    text_free(&m->notes);
    arena_free(m->arena);
    free(m);
}

roof_status roof_measure(const char *model, const roof_measure_options *options, roof_measured **out,
                         roof_error *err)
{
    measurement *m = calloc(1, sizeof *m);
    if (!m)
        return error_memory(err);
    m->options = options;
    m->model = model;
    m->err = err;
    m->arena = arena_new(0);
    text_init(&m->notes, TEXT_MAX_BYTES);
    roof_status status = m->arena ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK) {
        machine_open(&m->machine, "", m->arena);
        status = measure(m);
    }
    if (status == ROOF_OK)
        status = write_document(m);
    if (status == ROOF_OK)
        status = arena_status(m->arena, err);
    if (status == ROOF_OK)
        *out = m->out;
    else
        roof_measured_free(m->out);
    end_measurement(m);
    return status;
}
