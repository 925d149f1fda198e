/* `make profile` of mlir-air's language models prints this (llama32_1b_inference.py, _print_dataflow_summary,
 * and Profiler.report of shared/infra/cache.py): for prefill and decode a table in the order of execution,
 * then tables of what was timed.
 *
 *   --- DECODE (avg per token, 30 tokens) ---
 *     embed_lookup                          CPU       0.01 ms
 *     |- Decoder block x 16 (per layer, per token) -|
 *       rms_gemv_rope.elf                   NPU       0.87 ms
 *   DECODE (30 tokens) - detail tables
 *   --- NPU XRT Call Breakdown (avg per invocation) ---
 *     rms_gemv_rope       avg=   0.87ms  min=   0.85ms  max=   0.95ms  (x480)
 *   --- Fine-Grained NPU Breakdown (avg per invocation) ---
 *     rms_gemv_rope       0.02ms     0.83ms     0.01ms     0.86ms     0.0MB    2bo  (x480)
 *
 * A row is one execution; an inference executes it count / inferences times. MB are 2^20 bytes; "bo" counts
 * buffers that are read back. The call of the language model's head that ends the prefill is counted with
 * those of the tokens: prefill then has its mean from the table in the order of execution. Times have two
 * decimals: what is printed as 0.00 is unknown.
 */
#include "core/order.h"
#include "measure/import/tools/air/air_report.h"

#include <math.h>
#include <string.h>

#define MIB 1048576.0

static const char *const phase_names[AIR_PHASES] = {"prefill", "decode"};

/* Whole hundredths of a ms, so that sums have no digits of their own. A printed 0.00 is small, so unknown. */
static double seconds_of(double ms)
{
    return ms > 0 ? round(100 * ms) / 1e5 : NAN;
}

/* A call that the report counts with those of the tokens. */
static const air_step *counted_elsewhere(const air_report *r, const air_phase *p, const air_step *s)
{
    const air_phase *other = &r->phases[AIR_DECODE];
    for (uint32_t i = 0; p != other && !s->is_listed && i < other->n; i++)
        if (other->steps[i].is_listed && strcmp(other->steps[i].name, s->name) == 0)
            return &other->steps[i];
    return NULL;
}

/* The call that ends the prefill. */
static bool is_borrowed(const air_report *r, const air_phase *p, const air_step *s)
{
    const air_phase *prefill = &r->phases[AIR_PREFILL];
    for (uint32_t i = 0; p != prefill && i < prefill->n; i++)
        if (counted_elsewhere(r, prefill, &prefill->steps[i]) == s)
            return true;
    return false;
}

static roof_status add_row(air_report *r, const air_phase *p, const air_step *s, roof_run *run,
                           roof_error *err)
{
    import_state *in = r->in;
    const air_step *other = counted_elsewhere(r, p, s), *timed = other ? other : s;
    roof_measured_layer *layer = run_add_layer(in->out, run);
    roof_layer_counters *c = layer ? layer_counters_of(in->out, layer) : NULL;
    if (!c)
        return error_memory(err);
    layer->name = s->name;
    layer->type = s->is_npu ? "ELF" : "host operation";
    /* A step that is only in the order of execution is executed by each layer of its block, or once. */
    double n = s->is_listed     ? floor((s->count - is_borrowed(r, p, s)) / p->inferences)
               : s->is_in_block ? p->layers
                                : 1;
    layer->executions = n >= 1 && n < 4e9 ? (uint32_t)n : 1;
    layer->time.mean_s = seconds_of(s->is_listed ? s->mean_ms : s->flow_ms);
    layer->time.min_s = seconds_of(timed->min_ms);
    layer->time.max_s = seconds_of(timed->max_ms);
    layer->time.count = timed->is_listed ? (uint64_t)timed->count : ROOF_UNKNOWN;
    c->device = s->is_npu ? "NPU" : "CPU";
    c->write_s = seconds_of(timed->segments_ms[AIR_WRITE]);
    c->run_s = seconds_of(timed->segments_ms[AIR_RUN]);
    c->read_s = seconds_of(timed->segments_ms[AIR_READ]);
    if (other)
        import_note(in,
                    "prefill: '%s' is one of its %g calls that decode counts, and their mean stands for it",
                    s->name, other->count);
    if (isnan(timed->written_mib))
        return ROOF_OK;
    counted_list counted = counted_of_layer(in->out, layer);
    roof_event event = {.scope = ROOF_COUNTER_BUFFER,
                        .direction = ROOF_COUNTER_WRITE,
                        .quantity = ROOF_COUNTER_BYTES,
                        .count = (uint64_t)llround(timed->written_mib * MIB)};
    if (!(timed->written_mib < 1e6))
        return error_set(err, ROOF_E_DATA, "'%s' writes %g MB, want less than 10^6", timed->name,
                         timed->written_mib);
    if (event.count) /* 0.0 MB is merely little */
        TRY(counted_set_event(counted, event, err));
    event.direction = ROOF_COUNTER_READ;
    event.quantity = ROOF_COUNTER_PIECES;
    event.count = (uint64_t)timed->n_read;
    return counted_set_event(counted, event, err);
}

/* The phases of an inference, one after the other; what no phase has is for the reconciliation to show. The
 * calls have time of their own: what the driver adds. */
enum { HOST, CALLS, WRITE, RUN, READ, PHASES };
static const roof_phase phases[PHASES] = {{"host", 0, NULL, ROOF_PHASE_HOST},
                                          {"calls", 0, NULL, ROOF_PHASE_HOST},
                                          {"write", 0, "calls", ROOF_PHASE_TRANSFER},
                                          {"run", 0, "calls", ROOF_PHASE_ACCELERATOR},
                                          {"read", 0, "calls", ROOF_PHASE_TRANSFER}};

static void check_sum(air_report *r, const char *name, const char *what, air_sum printed, air_sum rows)
{
    double rounding_ms = AIR_ROUNDING_MS * (rows.n + 2);
    if (printed.n > 0 && (fabs(printed.ms - rows.ms) > rounding_ms || fabs(printed.n - rows.n) > 0))
        import_note(r->in, "%s: the report sums up %s ms in %s %s, its rows %s ms in %s", name,
                    NUMBER(printed.ms), NUMBER(printed.n), what, NUMBER(rows.ms), NUMBER(rows.n));
}

static void check_rows(air_report *r, const air_phase *p, const char *name)
{
    air_sum calls = {0, 0}, host = {0, 0};
    for (uint32_t i = 0; i < p->n; i++) {
        const air_step *s = &p->steps[i];
        double each = s->is_listed ? s->count : 0, left = fmod(each - is_borrowed(r, p, s), p->inferences);
        air_sum *sum = s->is_npu ? &calls : &host;
        sum->ms += each > 0 ? each * s->mean_ms : 0;
        sum->n += each;
        if (left > 0)
            import_note(r->in, "%s: '%s' has %s executions, which are no multiple of the %s inferences", name,
                        s->name, NUMBER(each), NUMBER(p->inferences));
    }
    check_sum(r, name, "calls of the NPU", p->calls, calls);
    check_sum(r, name, "host operations", p->host, host);
    /* Each call of a row may be off by its last digit, and the sum by its own, of which it has one. */
    static const char *const words[AIR_SEGMENTS] = {"writing", "running", "reading"};
    for (int k = 0; k < AIR_SEGMENTS; k++) {
        double sum_ms = 0, n = 0;
        for (uint32_t i = 0; i < p->n; i++)
            if (p->steps[i].is_listed && !isnan(p->steps[i].segments_ms[k])) {
                sum_ms += p->steps[i].count * p->steps[i].segments_ms[k];
                n += p->steps[i].count;
            }
        if (fabs(sum_ms - p->segments_ms[k]) > AIR_ROUNDING_MS * (n + 11))
            import_note(r->in, "%s: the report sums up %s ms of %s, its rows %s ms", name,
                        NUMBER(p->segments_ms[k]), words[k], NUMBER(sum_ms));
    }
    if (p->most_layer_ms > 0)
        import_note(r->in, "%s: layers took %s to %s ms", name, NUMBER(p->least_layer_ms),
                    NUMBER(p->most_layer_ms));
}

/* Times of the layers as they are printed. */
static roof_status add_blocks(air_report *r, const air_phase *p, roof_run *run, roof_error *err)
{
    double *blocks_s;
    if (!p->n_layers)
        return ROOF_OK;
    TRY(ARENA_GET(r->in->out->storage->arena, blocks_s, p->n_layers, err));
    for (uint32_t i = 0; i < p->n_layers; i++)
        blocks_s[i] = seconds_of(p->layers_ms[i]);
    run->blocks_s = blocks_s;
    run->n_blocks = p->n_layers;
    return ROOF_OK;
}

/* Layers are equal: one that takes a tenth more than the median of the others stands out. */
static roof_status add_standout(air_report *r, air_phase *p, roof_run *run, roof_error *err)
{
    enum { FEWEST = 4 };
    static const double least_ratio = 1.1;
    uint32_t others = p->n_layers ? p->n_layers - 1 : 0;
    if (p->n_layers < FEWEST)
        return ROOF_OK;
    ORDER_VALUES(p->layers_ms, p->n_layers);
    double median_ms = (p->layers_ms[others / 2] + p->layers_ms[(others - 1) / 2]) / 2;
    if (!(median_ms > 0) || !(p->most_layer_ms > least_ratio * median_ms))
        return ROOF_OK;
    run->stands_out = (roof_standout){arena_printf(r->in->out->storage->arena, "layer %u", p->slowest),
                                      seconds_of(p->most_layer_ms), seconds_of(median_ms), others};
    return run->stands_out.name ? ROOF_OK : error_memory(err);
}

static roof_status add_phase(air_report *r, int which, roof_error *err)
{
    import_state *in = r->in;
    air_phase *p = &r->phases[which];
    const char *name = phase_names[which];
    roof_arena *arena = in->out->storage->arena;
    const char *model = r->model ? arena_printf(arena, "%s, %s", r->model, name) : name;
    roof_experiment *e = model ? import_add_experiment(in, model) : NULL;
    roof_run *run = e ? experiment_add_run(in->out, e, ROOF_RUN_PER_LAYER) : NULL;
    if (!run)
        return error_memory(err);
    e->phase = which ? ROOF_TEXT_DECODE : ROOF_TEXT_PREFILL;
    if (r->prompt_tokens >= 1 && r->prompt_tokens < 1e9)
        *(which ? &e->context_tokens : &e->prompt_tokens) = (uint32_t)r->prompt_tokens;
    for (uint32_t i = 0; i < p->n; i++)
        TRY(add_row(r, p, &p->steps[i], run, err));
    double seconds[PHASES] = {0}, n_calls = 0;
    /* Sums are of whole hundredths of a ms, which doubles hold exactly. */
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_measured_layer *l = &run->layers[i];
        const roof_layer_counters *c = l->counters;
        bool is_npu = strcmp(c->device, "NPU") == 0;
        double each_s[PHASES] = {NAN, NAN, c->write_s, c->run_s, c->read_s};
        each_s[is_npu ? CALLS : HOST] = l->time.mean_s;
        for (int k = 0; k < PHASES; k++)
            seconds[k] += isnan(each_s[k]) ? 0 : l->executions * round(1e5 * each_s[k]);
        n_calls += is_npu ? l->executions : 0;
    }
    seconds[CALLS] = fmax(seconds[CALLS], seconds[WRITE] + seconds[RUN] + seconds[READ]); /* by rounding */
    run->sum_of_layers_s = (seconds[CALLS] + seconds[HOST]) / 1e5;
    for (int k = 0; k < PHASES; k++)
        seconds[k] /= 1e5;
    run->iterations = run->total.count = (uint64_t)p->inferences;
    run->total.mean_s = seconds_of(p->end_ms);
    run->launches = n_calls < 4e9 ? (uint32_t)n_calls : ROOF_NONE;
    run->setup_s = which ? NAN : r->setup_s;
    if (which)
        run->trend = r->trend;
    double calls_ms = 1e3 * seconds[CALLS], host_ms = 1e3 * seconds[HOST];
    check_rows(r, p, name);
    if (p->end_ms > 0)
        import_note(r->in, "%s: %s calls of the NPU %s + host operations %s + unattributed %s = %s ms", name,
                    NUMBER(n_calls), NUMBER(calls_ms), NUMBER(host_ms),
                    NUMBER(p->end_ms - calls_ms - host_ms), NUMBER(p->end_ms));
    TRY(add_blocks(r, p, run, err)); /* before they are put in order */
    TRY(add_standout(r, p, run, err));
    return run_add_phases(in->out, run, phases, seconds, PHASES, err);
}

static roof_status finish(air_report *r, roof_error *err)
{
    if (!r->phases[0].n && !r->phases[1].n)
        return error_set(err, ROOF_E_DATA,
                         "no row, want the report that `make profile` prints behind the answer of the model");
    for (int i = 0; i < AIR_PHASES; i++)
        if (r->phases[i].n)
            TRY(add_phase(r, i, err));
    import_note(r->in, "1 MB is 2^20 bytes here");
    import_note(r->in, "a time that is printed as 0.00 ms is unknown");
    if (r->prompt_tokens > 0)
        import_note(r->in, "the prompt is padded to %s tokens", NUMBER(r->prompt_tokens));
    if (r->ttft_s > 0)
        import_note(r->in, "the time to the first token was %s s", NUMBER(r->ttft_s));
    if (r->tokens_per_s > 0)
        import_note(r->in, "%s tokens per second", NUMBER(r->tokens_per_s));
    if (r->setup_s > 0)
        import_note(r->in, "%s s of preparation, once, are in no time of an inference", NUMBER(r->setup_s));
    return ROOF_OK;
}

const importer_def importer_mlir_air_profile = {
    .id = "mlir_air_profile",
    .unverified = true,
    .marks = {{SNIFF_SURE, {"END-TO-END DATAFLOW (per make profile"}},
              {SNIFF_SURE, {"PROFILING REPORT\n", "--- Wall-Time Attribution ---"}},
              {SNIFF_SURE, {" Inference: prompt_len=", "n_tokens="}},
              {SNIFF_LIKELY, {"Compiling prefill kernels..."}},
              {SNIFF_LIKELY, {"Loading weights (", "prefill"}}},
    .mode_why = "mlir-air times every call of an ELF",
    .mode = ROOF_RUN_PER_LAYER,
    .reading_bytes = sizeof(air_report),
    .begin = air_begin,
    .line = air_read_line,
    .finish = finish};
