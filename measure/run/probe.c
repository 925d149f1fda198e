/* roof_probe: the peak rates of a runner's device, as a description of hardware. */
#include "core/json/jsonout.h"
#include "measure/run/machine.h"
#include "measure/run/runner.h"
#include "roofline/measure.h"
#include "roofline/statistics.h"

enum { ROUND = 5, ANSWER_MS = 120000 };
static const double narrow_ratio = 0.02, usual_most_s = 30;

/* One thread, and all. */
enum { ONE_THREAD, ALL_THREADS, PASSES };

/* A kernel's times. */
typedef struct finding {
    double best_s, width_ratio; /* width of the interval of the median; NaN: none yet */
    uint64_t n;
} finding;

typedef struct pass {
    runner runner;
    finding *findings; /* of each of the runner's rows */
    bool is_narrow;
} pass;

typedef struct probing {
    const roof_probe_options *options;
    char path[RUNNER_PATH_SIZE];
    runner_request requests[PASSES];
    pass passes[PASSES];
    roof_arena *arena;
    jsonout json;
    roof_error *err;
} probing;

/* --- measuring ----------------------------------------------------------------------------------------- */

static roof_status look(const probing *p, pass *one)
{
    const runner *r = &one->runner;
    double *seconds;
    roof_statistics s;
    one->is_narrow = true;
    TRY(ARENA_GET(p->arena, seconds, r->samples.n, p->err));
    for (uint32_t row = 0; row < r->n_layers; row++) {
        if (r->layers[row].skipped)
            continue;
        for (uint32_t i = 0; i < r->samples.n; i++)
            seconds[i] = r->samples.layers_s[(size_t)i * r->n_layers + row];
        TRY(roof_statistics_of(seconds, r->samples.n, &s, p->err));
        one->findings[row] = (finding){s.min, (s.median_high - s.median_low) / s.median, s.count};
        one->is_narrow = one->is_narrow && one->findings[row].width_ratio < narrow_ratio;
    }
    return ROOF_OK;
}

static roof_status run_pass(probing *p, int which)
{
    static const char *const doing[PASSES] = {"one thread", "all threads"};
    const double most_s = p->options->most_s > 0 ? p->options->most_s : usual_most_s;
    pass *one = &p->passes[which];
    TRY(runner_start(&p->requests[which], &one->runner, p->err));
    TRY(ARENA_GET(p->arena, one->findings, one->runner.n_layers, p->err));
    TRY(runner_run(&one->runner, 1, p->err)); /* nothing is cold behind it */
    runner_forget(&one->runner);
    double begin_s = machine_now_s(), now_s = begin_s;
    while (!one->is_narrow && now_s - begin_s < most_s) {
        double share = (which + (now_s - begin_s) / most_s) / PASSES;
        const roof_measure_progress now = {doing[which], share, (1 - share) * PASSES * most_s};
        if (p->options->progress)
            p->options->progress(p->options->context, &now);
        TRY(runner_run(&one->runner, ROUND, p->err));
        TRY(look(p, one));
        now_s = machine_now_s();
    }
    return runner_finish(&one->runner, p->err);
}

/* --- the description ----------------------------------------------------------------------------------- */

static void put_value(probing *p, const char *key, double value, const char *unit, const char *source)
{
    jsonout_object(&p->json, key, true);
    jsonout_number(&p->json, "value", value);
    jsonout_string(&p->json, "unit", unit);
    jsonout_string(&p->json, "kind", roof_value_kind_text(ROOF_KIND_MEASURED));
    jsonout_string(&p->json, "source", source);
    jsonout_end(&p->json);
}

/* A kernel as a value of a description: per second of its macs, twice; of its bytes; or its seconds. */
static const struct {
    const char *kernel, *key, *unit, *what;
    int pass;
    enum { RATE_OF_MACS, RATE_OF_BYTES, SECONDS } as;
} values[] = {
    {"clock", "clock", "Hz", "additions that wait for each other", ONE_THREAD, RATE_OF_BYTES},
    {"f32", "peak.f32", "ops/s", "product of matrices, 1536 x 1536", ALL_THREADS, RATE_OF_MACS},
    {"bf16", "peak.bf16", "ops/s", "product of matrices, 1536 x 1536", ALL_THREADS, RATE_OF_MACS},
    {"int8", "peak.int8", "ops/s", "product of matrices, 1536 x 1536", ALL_THREADS, RATE_OF_MACS},
    {"f32", "peak.f32.one_core", "ops/s", "product of matrices, 1536 x 1536", ONE_THREAD, RATE_OF_MACS},
    {"bf16", "peak.bf16.one_core", "ops/s", "product of matrices, 1536 x 1536", ONE_THREAD, RATE_OF_MACS},
    {"int8", "peak.int8.one_core", "ops/s", "product of matrices, 1536 x 1536", ONE_THREAD, RATE_OF_MACS},
    {"launch", "launch.floor", "s", "a primitive with nothing to do", ONE_THREAD, SECONDS},
    {"launch", "launch.all_cores", "s", "a primitive with nothing to do", ALL_THREADS, SECONDS},
    {"boundary", "boundary.floor", "s", "a wait with nothing to wait for, and a clock read", ONE_THREAD,
     SECONDS},
#define MEMORY(level)                                                                                        \
    {level ".read", level ".read_bandwidth", "B/s", "reading", ALL_THREADS, RATE_OF_BYTES},                  \
        {level ".write", level ".write_bandwidth", "B/s", "writing", ALL_THREADS, RATE_OF_BYTES},            \
        {level ".copy", level ".copy_bandwidth", "B/s", "copying", ALL_THREADS, RATE_OF_BYTES},              \
        {level ".triad", level ".triad_bandwidth", "B/s", "triad", ALL_THREADS, RATE_OF_BYTES},              \
        {level ".read", level ".read_bandwidth.one_core", "B/s", "reading", ONE_THREAD, RATE_OF_BYTES},      \
    {                                                                                                        \
        level ".triad", level ".triad_bandwidth.one_core", "B/s", "triad", ONE_THREAD, RATE_OF_BYTES         \
    }
    MEMORY("l1"),
    MEMORY("l2"),
    MEMORY("l3"),
    MEMORY("memory"),
#undef MEMORY
};

/* The value of a kernel in a pass; NaN: it was not measured. *row: where the pass has it. */
static double value_of(const pass *one, const char *kernel, int as, uint32_t *row)
{
    const runner *r = &one->runner;
    *row = NAMED_AT(r->layers, r->n_layers, name, kernel);
    if (*row == r->n_layers || r->layers[*row].skipped || !one->findings[*row].n)
        return NAN;
    double seconds = one->findings[*row].best_s;
    uint64_t count = as == RATE_OF_MACS ? r->layers[*row].macs : r->layers[*row].bytes;
    if (as == SECONDS)
        return seconds;
    return count == ROOF_UNKNOWN ? NAN : (double)count * (as == RATE_OF_MACS ? 2 : 1) / seconds;
}

/* With a source such as "roofline-run-cpu, oneDNN 2.6.3: int8, all threads; fastest of 60, the median's 95 %
 * interval is 1.2 % wide". */
static void put_kernel(probing *p, const pass *one, const char *kernel, int as, const char *key,
                       const char *unit, const char *what)
{
    uint32_t row;
    double value = value_of(one, kernel, as, &row);
    if (isnan(value))
        return;
    const finding *f = &one->findings[row];
    const char *version = text_or_empty(one->runner.about.version),
               *why = f->width_ratio < narrow_ratio
                          ? ""
                          : ", wider than the 2 % that were aimed at: the machine is not quiet";
    put_value(p, key, value, unit,
              arena_printf(p->arena,
                           RUNNER_PREFIX "%s, %.80s: %s, %s; fastest of %" PRIu64
                                         ", the median's 95 %% interval is %.1f %% wide%s",
                           one->runner.request->name, version, what,
                           one == &p->passes[ONE_THREAD] ? "one thread" : "all threads", f->n,
                           f->width_ratio * 100, why));
}

/* The better of both passes: on a machine that is busy, all threads may do less than one. */
static const pass *better(const probing *p, const char *kernel, int as)
{
    uint32_t row;
    double one = value_of(&p->passes[ONE_THREAD], kernel, as, &row),
           all = value_of(&p->passes[ALL_THREADS], kernel, as, &row);
    return &p->passes[one > all || (isnan(all) && !isnan(one)) ? ONE_THREAD : ALL_THREADS];
}

/* The best of all loops over a level: what no layer can exceed. */
static void put_bandwidth(probing *p, const char *level, const char *key)
{
    static const char *const loops[] = {"read", "write", "copy", "triad"};
    const char *best = NULL, *of_best = NULL;
    double most = 0;
    for (size_t i = 0; i < N_OF(loops); i++) {
        uint32_t row;
        const char *kernel = arena_printf(p->arena, "%s.%s", level, loops[i]);
        if (!kernel)
            return; /* which the arena remembers */
        double rate = value_of(better(p, kernel, RATE_OF_BYTES), kernel, RATE_OF_BYTES, &row);
        if (rate > most) {
            most = rate;
            best = kernel;
            of_best = loops[i];
        }
    }
    if (best)
        put_kernel(p, better(p, best, RATE_OF_BYTES), best, RATE_OF_BYTES, key, "B/s",
                   arena_printf(p->arena, "the best of read, write, copy and triad, %s", of_best));
}

static void put_law_values(probing *p, const char *data_type)
{
    static const struct {
        const char *name;
        double bytes;
    } types[] = {{"f32", 4}, {"bf16", 2}, {"int8", 1}};
    put_kernel(p, better(p, data_type, RATE_OF_MACS), data_type, RATE_OF_MACS, "peak.rate", "ops/s",
               arena_printf(p->arena, "product of matrices in %s", data_type));
    const uint32_t i = NAMED_AT(types, N_OF(types), name, data_type);
    if (i < N_OF(types))
        put_value(p, "element.bytes", types[i].bytes, "B",
                  arena_printf(p->arena, "the size of %s", data_type));
    put_bandwidth(p, "l1", "l1.bandwidth");
    put_bandwidth(p, "l2", "l2.bandwidth");
    put_bandwidth(p, "l3", "l3.bandwidth");
    put_bandwidth(p, "memory", "ddr.bandwidth");
}

static roof_status put_description(probing *p, textbuf *text)
{
    const roof_probe_options *o = p->options;
    const runner_about *about = &p->passes[ALL_THREADS].runner.about;
    const char *data_type = o->data_type ? o->data_type : "f32";
    machine here;
    machine_open(&here, "", p->arena);
    jsonout_document(&p->json, text, "roofline.hardware/1");
    jsonout_string(&p->json, "id", o->id ? o->id : "this-machine");
    jsonout_string(&p->json, "name", about->device);
    jsonout_string(&p->json, "family", "cpu");
    jsonout_string(
        &p->json, "summary",
        arena_printf(p->arena, "%.120s, %s, as `roofline hw probe` found it", about->device, data_type));
    jsonout_object(&p->json, "values", false);
    for (size_t i = 0; i < N_OF(values); i++)
        put_kernel(p, &p->passes[values[i].pass], values[i].kernel, (int)values[i].as, values[i].key,
                   values[i].unit, values[i].what);
    put_law_values(p, data_type);
    for (unsigned level = 1; level <= 3; level++) {
        uint64_t bytes = machine_cache_bytes(&here, level);
        if (bytes)
            put_value(p, arena_printf(p->arena, "l%u.bytes", level), (double)bytes, "B",
                      "/sys/devices/system/cpu: data caches of all processors together");
    }
    if (here.n_processors)
        put_value(p, "cores", 1, "count", "all processors of the machine work on one inference");
    jsonout_end(&p->json);
    jsonout_end(&p->json);
    TRY(arena_status(p->arena, p->err));
    return text_status(text, p->err);
}

static roof_status probe(probing *p)
{
    static char *const one_thread[] = {(char *)(uintptr_t) "OMP_NUM_THREADS=1", NULL};
    const char *device = p->options->device ? p->options->device : "cpu";
    TRY(runner_find(device, p->path, p->err));
    for (int i = 0; i < PASSES; i++) {
        p->requests[i] = (runner_request){.name = device,
                                          .path = p->path,
                                          .probe = true,
                                          .mode = ROOF_RUN_PER_LAYER,
                                          .settings = i == ONE_THREAD ? one_thread : NULL,
                                          .answer_ms = ANSWER_MS};
        TRY(run_pass(p, i));
    }
    return ROOF_OK;
}

roof_status roof_probe(const roof_probe_options *options, roof_sink sink, roof_error *err)
{
    textbuf text;
    roof_arena *arena;
    probing *p = NEW_ROOT(&arena, probing, err);
    if (!p)
        return ROOF_E_NO_MEMORY;
    text_init(&text, TEXT_MAX_BYTES);
    p->options = options;
    p->err = err;
    p->arena = arena;
    roof_status status = probe(p);
    THEN(status, put_description(p, &text));
    THEN(status, sink.write(sink.context, text.bytes, text.length, err));
    for (int i = 0; i < PASSES; i++)
        runner_free(&p->passes[i].runner);
    text_free(&text);
    arena_free(arena);
    return status;
}
