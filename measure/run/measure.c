/* roof_measure: a model and a device in, a measured document out. */
#include "roofline/measure.h"
#include "core/files/input.h"
#include "measure/run/machine.h"
#include "measure/profile/profile.h"
#include "measure/run/runner.h"
#include "roofline/statistics.h"

enum { WARMUP_WINDOW = 5, MOST_WARMUP_S = 60, MOST_ROUNDS = 1000, MOST_REASONS = 8 };
enum { MODES = 2 }; /* bypass and per layer, where no load is measured */

/* A mode, of mode load with a number of threads, and the process that runs it. */
typedef struct session {
    runner_request request;
    const char *name; /* "bypass", "load of 4 threads" */
    uint32_t at_once; /* inferences that run at the same time: its threads in mode load, else 1 */
    runner runner;
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
    session *sessions; /* bypass before per layer, or one for each number of threads */
    uint32_t n_sessions;
    session counting; /* a pass that is not timed, where the device counts cycles; without a name: none is */
    double idle_w;
    textbuf notes;
    roof_measured *out;
    roof_error *err;
} measurement;

static const char *const doing[ROOF_RUN_MODES] = {
    [ROOF_RUN_BYPASS] = "bypass", [ROOF_RUN_PER_LAYER] = "per layer", [ROOF_RUN_LOAD] = "load"};

static void note(measurement *m, const char *format, ...) ROOF_PRINTF(2, 3);
static void note(measurement *m, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    print_list(text, sizeof text, format, args);
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

/* --- warm-up ------------------------------------------------------------------------------------------- */

static double median_of(const double *samples_s, size_t n)
{
    roof_statistics s;
    roof_error ignored;
    return roof_statistics_of(samples_s, n, &s, &ignored) == ROOF_OK ? s.median : NAN;
}

/* Inferences of a session for so many of each of its threads; what is beyond the most is refused later. */
static uint32_t of_all_threads(const session *s, uint32_t each)
{
    return each > UINT32_MAX / s->at_once ? UINT32_MAX : each * s->at_once;
}

static roof_status warm_up(measurement *m, session *s)
{
    static const double steady_ratio = 0.02;
    const runner_samples *heard = &s->runner.samples;
    const uint32_t most = of_all_threads(s, m->options->most_warmup ? m->options->most_warmup : 200),
                   window = of_all_threads(s, WARMUP_WINDOW);
    double begin_s = machine_now_s(),
           drift = NAN; /* of the last window's median from that of the one before */
    while (heard->n < most && !(drift <= steady_ratio) && machine_now_s() - begin_s < MOST_WARMUP_S) {
        uint32_t left = most - heard->n;
        tell(m, "warm-up", 0, 0, NAN);
        TRY(runner_run(&s->runner, left < window ? left : window, m->err));
        if (heard->n < 2 * window)
            continue;
        const double *last = heard->totals_s + heard->n - window;
        double now = median_of(last, window), before = median_of(last - window, window);
        drift = fabs(now - before) / now;
    }
    const uint32_t n = heard->n, last = n < window ? n : window;
    s->warmup = n;
    s->iteration_s = n ? median_of(heard->totals_s + n - last, last) : NAN;
    if (n && drift > steady_ratio)
        note(m, "%s: not steady after a warm-up of %u inferences, whose median still moves by %.1f %%",
             s->name, n, drift * 100);
    else if (n)
        note(m, "%s: %s after a warm-up of %u inferences", s->name,
             isnan(drift) ? "not known whether it is steady" : "steady", n);
    runner_forget(&s->runner);
    return ROOF_OK;
}

/* --- rounds -------------------------------------------------------------------------------------------- */

static roof_status run_rounds(measurement *m)
{
    uint32_t iterations = m->options->iterations ? m->options->iterations : 100,
             rounds = m->options->rounds ? m->options->rounds : 10;
    double left_s, all_s = 0;
    rounds = rounds < iterations ? rounds : iterations;
    rounds = rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS; /* each keeps how the machine was */
    for (uint32_t i = 0; i < m->n_sessions; i++)
        all_s += m->sessions[i].iteration_s * iterations;
    left_s = all_s;
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t n = iterations / rounds + (round < iterations % rounds);
        for (uint32_t turn = 0; turn < m->n_sessions; turn++) {
            /* Forwards in one round and backwards in the next, so that what drifts over time adds the same to
             * all; two rounds later another one is first, so that none always follows a pause. */
            const uint32_t place =
                (round % 2 ? m->n_sessions - 1 - turn : turn) + (m->n_sessions > MODES ? round / 2 : 0);
            session *s = &m->sessions[place % m->n_sessions];
            tell(m, doing[s->request.mode], all_s - left_s, all_s, left_s);
            TRY(ARENA_ADD(m->arena, s->conditions, s->n_conditions, m->err, machine_condition(&m->machine)));
            double begin_s = machine_now_s(), begin_j = machine_energy_j(&m->machine);
            TRY(runner_run(&s->runner, of_all_threads(s, n), m->err));
            s->used_j += machine_energy_j(&m->machine) - begin_j;
            s->busy_s += machine_now_s() - begin_s;
            TRY(ARENA_ADD(m->arena, s->conditions, s->n_conditions, m->err, machine_condition(&m->machine)));
            left_s -= s->iteration_s * n;
        }
    }
    return ROOF_OK;
}

/* Mean power while nothing of ours runs; NaN where no meter is. */
static void measure_idle(measurement *m)
{
    enum { STEPS = 20, STEP_MS = 50 };
    double begin_j = machine_energy_j(&m->machine), begin_s = machine_now_s();
    m->idle_w = NAN;
    for (int i = 0; i < STEPS && m->machine.n_meters; i++) {
        os_sleep_ms(STEP_MS);
        m->idle_w = (machine_energy_j(&m->machine) - begin_j) / (machine_now_s() - begin_s);
    }
}

/* --- processes ----------------------------------------------------------------------------------------- */

/* threads: of mode load, else 0. */
static roof_status open_session(measurement *m, session *s, roof_run_mode mode, uint32_t threads)
{
    const roof_measure_options *o = m->options;
    s->request = (runner_request){.name = o->device,
                                  .path = m->path,
                                  .model = m->model,
                                  .mode = mode,
                                  .counters = s == &m->counting,
                                  .settings = m->settings,
                                  .options = o->options,
                                  .n_options = o->n_options,
                                  .batch = o->batch,
                                  .threads = threads,
                                  .answer_ms = child_ms(o->timeout_s > 0 ? o->timeout_s : 60)};
    s->at_once = threads ? threads : 1;
    s->name = threads
                  ? arena_printf(m->arena, "load of %" PRIu32 " thread%s", threads, threads > 1 ? "s" : "")
                  : doing[mode];
    TRY(ALLOCATED(s->name, m->err));
    return runner_start(&s->request, &s->runner, m->err);
}

/* A model that cannot be timed layer by layer may still run as a whole, where both were requested. */
static roof_status open_modes(measurement *m)
{
    const roof_measure_options *o = m->options;
    if (!o->only_per_layer)
        TRY(open_session(m, &m->sessions[m->n_sessions++], ROOF_RUN_BYPASS, 0));
    if (o->only_bypass)
        return ROOF_OK;
    session *layered = &m->sessions[m->n_sessions++];
    roof_status status = open_session(m, layered, ROOF_RUN_PER_LAYER, 0);
    if (status != ROOF_E_UNSUPPORTED || o->only_per_layer)
        return status;
    note(m, "no per-layer run: %.400s", m->err->what);
    runner_free(&layered->runner);
    m->n_sessions--;
    return ROOF_OK;
}

/* One process for each number of threads, all at first, so that a sweep that cannot be done ends before
 * anything is timed. */
static roof_status open_load(measurement *m)
{
    const roof_measure_options *o = m->options;
    for (uint32_t i = 0; i < o->n_thread_counts; i++) {
        m->err->what[0] = '\0';
        roof_status status =
            open_session(m, &m->sessions[m->n_sessions++], ROOF_RUN_LOAD, o->thread_counts[i]);
        const size_t used = strlen(m->err->what);
        if (status == ROOF_E_UNSUPPORTED)
            snprintf(m->err->what + used, sizeof m->err->what - used,
                     "; without --threads one inference at a time is measured");
        TRY(status);
    }
    return ROOF_OK;
}

static roof_status make_sessions(measurement *m)
{
    const roof_measure_options *o = m->options;
    for (uint32_t i = 0; i < o->n_thread_counts; i++)
        if (o->thread_counts[i] < 1 || o->thread_counts[i] > ROOF_MOST_THREADS)
            return error_set(m->err, ROOF_E_USAGE, "%" PRIu32 " threads, want from 1 to %d",
                             o->thread_counts[i], ROOF_MOST_THREADS);
    if (o->n_thread_counts > ROOF_MOST_THREAD_COUNTS ||
        o->only_bypass + o->only_per_layer > !o->n_thread_counts)
        return error_set(m->err, ROOF_E_USAGE,
                         "want at most %d numbers of threads, and then no mode, since a load sweep is one",
                         ROOF_MOST_THREAD_COUNTS);
    return ARENA_GET(m->arena, m->sessions, o->n_thread_counts ? o->n_thread_counts : MODES, m->err);
}

/* NULL: layers are not timed. */
static const session *layered_session(const measurement *m)
{
    const session *last = &m->sessions[m->n_sessions - 1];
    return last->request.mode == ROOF_RUN_PER_LAYER ? last : NULL;
}

/* Reading counters takes time, so that they have a pass of their own behind all that is timed. */
static roof_status count_cycles(measurement *m)
{
    enum { PASSES = 10 };
    const session *layered = layered_session(m);
    const runner *counted = &m->counting.runner, *timed;
    if (!layered || !layered->runner.about.counts)
        return ROOF_OK;
    timed = &layered->runner;
    tell(m, "counters", 1, 1, 0);
    TRY(open_session(m, &m->counting, ROOF_RUN_PER_LAYER, 0));
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
    const roof_measure_options *o = m->options;
    machine_open(&m->machine, "", m->arena);
    TRY(inputs_require(m->model, m->err));
    TRY(runner_find(o->device, m->path, m->err));
    TRY(ARENA_GET(m->arena, m->settings, o->n_settings + (size_t)1, m->err));
    for (uint32_t i = 0; i < o->n_settings; i++)
        m->settings[i] = arena_strdup(m->arena, o->settings[i]);
    TRY(arena_status(m->arena, m->err));
    TRY(make_sessions(m));
    measure_idle(m);
    TRY(o->n_thread_counts ? open_load(m) : open_modes(m));
    for (uint32_t i = 0; i < m->n_sessions; i++)
        TRY(warm_up(m, &m->sessions[i]));
    TRY(run_rounds(m));
    for (uint32_t i = 0; i < m->n_sessions; i++)
        TRY(runner_finish(&m->sessions[i].runner, m->err));
    return count_cycles(m);
}

/* --- the document -------------------------------------------------------------------------------------- */

static const char *copy(const measurement *m, const char *text)
{
    return text ? measured_text(m->out, text, strlen(text)) : NULL;
}

static roof_status add_layers(measurement *m, const session *s, roof_run *run)
{
    const runner *r = &s->runner, *counting = m->counting.name ? &m->counting.runner : NULL;
    const uint32_t n = r->samples.n, n_counted = counting ? counting->samples.n : 0;
    double *column;
    TRY(ARENA_GET(m->arena, column, n > n_counted ? n : n_counted + (size_t)1, m->err));
    run->boundaries = 0; /* the clock is read behind each that is executed */
    for (uint32_t i = 0; i < r->n_layers; i++) {
        if (r->layers[i].skipped)
            continue;
        run->boundaries++;
        for (uint32_t k = 0; k < n; k++)
            column[k] = r->samples.layers_s[(size_t)k * r->n_layers + i];
        roof_measured_layer *layer = run_add_layer(m->out, run);
        TRY(ALLOCATED(layer, m->err));
        layer->name = copy(m, r->layers[i].name);
        layer->type = copy(m, r->layers[i].type);
        layer->index = i + 1;
        TRY(times_from_samples(m->out, column, n, &layer->time, m->err));
        if (!counting)
            continue;
        /* The median of the counts, since a first execution may wait for what others find there. */
        for (uint32_t k = 0; k < n_counted; k++)
            column[k] = counting->samples.layers_s[(size_t)k * r->n_layers + i];
        const roof_domain_cycles cycles = {r->about.counts, (uint64_t)(median_of(column, n_counted) + 0.5)};
        TRY(layer_set_cycles(m->out, layer, cycles, m->err));
    }
    return ROOF_OK;
}

/* frames_per_s = batch * sum over threads of (inferences / sum of latencies): the end of a turn, where some
 * threads have nothing left to do, does not count. Threads also run inferences that do not count, so that
 * energy is power over rate. */
static roof_status add_load(measurement *m, const session *s, roof_run *run)
{
    const runner_samples *samples = &s->runner.samples;
    const uint32_t batch = s->runner.about.batch, threads = s->request.threads;
    const double net_w = run->power_w - m->idle_w;
    double *sums_s, *means_s, per_s = 0;
    uint32_t *counts;
    TRY(ARENA_GET(m->arena, sums_s, threads, m->err));
    TRY(ARENA_GET(m->out->storage->arena, means_s, threads, m->err));
    TRY(ARENA_GET(m->arena, counts, threads, m->err));
    for (uint32_t i = 0; i < samples->n; i++) {
        sums_s[samples->threads[i]] += samples->totals_s[i];
        counts[samples->threads[i]]++;
    }
    for (uint32_t t = 0; t < threads; t++) {
        means_s[t] = counts[t] ? sums_s[t] / counts[t] : NAN; /* others may have taken all of a short turn */
        per_s += counts[t] ? counts[t] / sums_s[t] : 0;
    }
    run->threads = threads;
    run->batch = batch;
    run->thread_means_s = means_s;
    run->frames_per_s = isfinite(per_s * batch) ? per_s * batch : NAN; /* a coarse clock may say 0 s */
    run->cores = s->runner.about.cores;
    run->energy_j = net_w >= 0 ? net_w * batch / run->frames_per_s : NAN;
    return ROOF_OK;
}

static roof_status add_run(measurement *m, roof_experiment *e, const session *s)
{
    const runner_about *about = &s->runner.about;
    const runner_samples *samples = &s->runner.samples;
    roof_run *run = experiment_add_run(m->out, e, s->request.mode);
    TRY(ALLOCATED(run, m->err));
    run->warmup = s->warmup;
    run->iterations = samples->n;
    run->launches = about->launches;
    for (uint32_t i = 0; i < about->n_clocks; i++)
        TRY(run_add_clock(m->out, run, about->clocks[i].domain, about->clocks[i].hz, m->err));
    roof_condition *kept;
    TRY(ARENA_GET(m->out->storage->arena, kept, s->n_conditions, m->err));
    for (uint32_t i = 0; i < s->n_conditions; i++) {
        kept[i] = s->conditions[i];
        kept[i].governor = copy(m, kept[i].governor);
    }
    run->conditions = kept;
    run->n_conditions = s->n_conditions;
    double net_j = s->used_j - m->idle_w * s->busy_s;
    run->power_scope = copy(m, machine_power_scope(&m->machine));
    run->idle_power_w = m->idle_w;
    run->power_w = s->busy_s > 0 ? s->used_j / s->busy_s : NAN;
    run->energy_j = samples->n && net_j >= 0 ? net_j / samples->n : NAN;
    TRY(times_from_samples(m->out, samples->totals_s, samples->n, &run->total, m->err));
    for (uint32_t i = 0; i < samples->n_phases; i++)
        TRY(run_add_phase(m->out, run,
                          (roof_phase){.name = copy(m, samples->phases[i]),
                                       .seconds = samples->phase_sums_s[i] / samples->n},
                          m->err));
    if (s->request.mode == ROOF_RUN_LOAD)
        return add_load(m, s, run);
    return s->request.mode == ROOF_RUN_PER_LAYER ? add_layers(m, s, run) : ROOF_OK;
}

/* A model that we cannot read, such as a kernel, has no name but its file's. */
static void describe_model(measurement *m, const runner_about *about, roof_experiment *e)
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
    const char *name = path_base_name(m->model);
    e->model_name = measured_text(m->out, name, path_stem_length(name));
    if (roof_graph_read(m->model, &graph, &ignored) == ROOF_OK)
        e->graph_hash = copy(m, graph->graph_hash);
    roof_graph_free(graph);
}

static roof_status add_source(measurement *m, const runner_about *about)
{
    roof_measured_source *source = measured_add_source(m->out);
    char tool[200];
    TRY(ALLOCATED(source, m->err));
    snprintf(tool, sizeof tool, "roofline-run-%.40s%s%.100s", m->options->device, about->version ? " " : "",
             text_or_empty(about->version));
    source->tool = copy(m, tool);
    TRY(ARENA_GET(m->out->storage->arena, source->files, 1, m->err));
    source->files[0] = m->out->experiments[0].model_path;
    source->n_files = 1;
    note(m, "on %.200s%s%.60s", about->device, about->data_type ? ", " : "", text_or_empty(about->data_type));
    if (about->note)
        note(m, "%.400s", about->note);
    TRY(text_status(&m->notes, m->err));
    source->notes = copy(m, m->notes.bytes);
    return ROOF_OK;
}

/* Says what a runner left out, once for each reason; of very many the first ones. */
static void note_skipped(measurement *m, const runner *r)
{
    struct {
        const char *why, *first; /* the layer that has it first */
        uint32_t n;
    } reasons[MOST_REASONS];
    uint32_t n_reasons = 0, n_others = 0;
    for (uint32_t i = 0; i < r->n_layers; i++) {
        const char *why = r->layers[i].skipped;
        const uint32_t k = NAMED_AT(reasons, n_reasons, why, why);
        if (why && k == n_reasons && k < MOST_REASONS) {
            reasons[k].why = why;
            reasons[k].first = r->layers[i].name;
            reasons[k].n = 0;
            n_reasons++;
        }
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
    TRY(ALLOCATED(e, m->err));
    const runner_about *about = &m->sessions->runner.about;
    const session *layered = layered_session(m);
    describe_model(m, about, e);
    if (layered)
        note_skipped(m, &layered->runner);
    for (uint32_t i = 0; i < m->n_sessions; i++)
        TRY(add_run(m, e, &m->sessions[i]));
    TRY(add_source(m, about));
    return arena_status(m->out->storage->arena, m->err);
}

roof_status roof_measure(const char *model, const roof_measure_options *options, roof_measured **out,
                         roof_error *err)
{
    roof_arena *arena;
    measurement *m = NEW_ROOT(&arena, measurement, err);
    if (!m)
        return ROOF_E_NO_MEMORY;
    m->options = options;
    m->model = model;
    m->err = err;
    m->arena = arena;
    text_init(&m->notes, TEXT_MAX_BYTES);
    roof_status status = measure(m);
    THEN(status, write_document(m));
    THEN(status, arena_status(arena, err));
    status = GIVE(status, out, m->out, roof_measured_free);
    for (uint32_t i = 0; i < m->n_sessions; i++)
        runner_free(&m->sessions[i].runner);
    runner_free(&m->counting.runner);
    text_free(&m->notes);
    arena_free(arena);
    return status;
}
