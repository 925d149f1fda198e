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
 *
 * Here _ms are milliseconds as printed, and _mib 2^20 bytes; what is unknown is NaN.
 */
#include "measure/import/row.h"

enum { AIR_PREFILL, AIR_DECODE, AIR_PHASES };
enum { AIR_WRITE, AIR_RUN, AIR_READ, AIR_SEGMENTS };

/* Half of the last digit of a printed time, in ms. */
#define AIR_ROUNDING_MS 0.005

/* An ELF or an operation of the CPU. */
typedef struct air_step {
    const char *name;
    bool is_npu, is_in_block;
    bool is_listed;               /* in a table of what was timed, not only in that of the order */
    bool is_borrowed;             /* one call of it ends the prefill */
    const struct air_step *timed; /* the step of decode that counts this one of the prefill; NULL: none */
    double flow_ms, mean_ms, min_ms, max_ms, count, segments_ms[AIR_SEGMENTS], written_mib, n_read;
} air_step;

/* A sum of the report, and of how many executions. */
typedef struct air_sum {
    double ms, n;
} air_sum;

enum { AIR_MOST_LAYERS = 512, AIR_MOST_STEPS = 64 };

typedef struct air_phase {
    air_step steps[AIR_MOST_STEPS]; /* in the order of execution, as far as it is printed */
    uint32_t n;
    double inferences, layers, end_ms; /* 0: not printed */
    air_sum calls, host;
    double segments_ms[AIR_SEGMENTS]; /* of all calls, to one decimal; NaN: not printed */
    double least_layer_ms, most_layer_ms;
    double layers_ms[AIR_MOST_LAYERS]; /* of each layer that is printed, in their order */
    uint32_t n_layers, slowest;        /* slowest: the number of the layer of most_layer_ms */
} air_phase;

typedef enum air_table { AIR_NONE, AIR_FLOW, AIR_WALL, AIR_LAYERS, AIR_CALLS, AIR_HOST, AIR_PARTS } air_table;

typedef struct reading {
    import_state *in;
    air_phase phases[AIR_PHASES], *now;
    air_table table;
    bool is_block;     /* within the decoder block */
    const char *model; /* NULL: not printed */
    double setup_s, ttft_s, tokens_per_s, prompt_tokens;
    double trend_ms[5]; /* of the layers' loop of a token: three tokens, with the numbers of the later two */
    double extremes_ms[3];
} air_report;

/* ---- the report, line by line ---- */

enum { MOST_WORDS = 2, MOST_NUMBERS = 8 };

typedef struct found {
    double n[MOST_NUMBERS];
    text_span words[MOST_WORDS];
} found;

static roof_status air_step_of(air_report *r, text_span name, air_step **out, roof_error *err)
{
    air_phase *p = r->now;
    span_drop(&name, ".elf");
    *out = NAMED_SPAN(p->steps, p->n, name, name);
    if (*out)
        return ROOF_OK;
    TRY(HAS_ROOM(p->n, AIR_MOST_STEPS, err, "different steps"));
    *out = &p->steps[p->n++];
    **out = (air_step){.flow_ms = NAN,
                       .mean_ms = NAN,
                       .min_ms = NAN,
                       .max_ms = NAN,
                       .count = NAN,
                       .segments_ms = {NAN, NAN, NAN},
                       .written_mib = NAN};
    return import_keep_name(r->in, name, &(*out)->name, err);
}

static roof_status take_block_end(air_report *r, const found *f, roof_error *err)
{
    (void)f, (void)err;
    r->is_block = false;
    return ROOF_OK;
}

static roof_status take_block(air_report *r, const found *f, roof_error *err)
{
    if (!(f->n[0] >= 1))
        return error_data(err, "a decoder block of %g layers, want 1 or more", f->n[0]);
    r->now->layers = f->n[0];
    r->is_block = true;
    return ROOF_OK;
}

static roof_status take_flow(air_report *r, const found *f, roof_error *err)
{
    air_step *s = NULL;
    bool is_npu = span_is(f->words[1], "N");
    if (!is_npu && !span_is(f->words[1], "C"))
        return ROOF_OK;
    TRY(air_step_of(r, f->words[0], &s, err));
    s->is_npu = is_npu;
    s->is_in_block = r->is_block;
    s->flow_ms = f->n[0];
    return ROOF_OK;
}

static roof_status take_layer_time(air_report *r, const found *f, roof_error *err)
{
    (void)err;
    r->now->least_layer_ms = fmin(r->now->least_layer_ms, f->n[1]);
    if (f->n[1] > r->now->most_layer_ms && f->n[0] < AIR_MOST_LAYERS)
        r->now->slowest = (uint32_t)f->n[0];
    if (r->now->n_layers < AIR_MOST_LAYERS)
        r->now->layers_ms[r->now->n_layers++] = f->n[1];
    r->now->most_layer_ms = fmax(r->now->most_layer_ms, f->n[1]);
    return ROOF_OK;
}

static roof_status take_call(air_report *r, const found *f, roof_error *err)
{
    air_step *s = NULL;
    const double *n = f->n;
    TRY(air_step_of(r, f->words[0], &s, err));
    if (s->is_listed)
        return error_data(err, "'%s' is there twice", s->name);
    if (n[1] > n[0] || n[0] > n[2] || !(n[3] >= 1))
        return error_data(err, "%g ms between %g and %g ms of %g calls contradict one another", n[0], n[1],
                          n[2], n[3]);
    s->is_listed = true;
    s->is_npu = r->table == AIR_CALLS;
    s->mean_ms = n[0];
    s->min_ms = n[1];
    s->max_ms = n[2];
    s->count = n[3];
    return ROOF_OK;
}

static roof_status take_segments(air_report *r, const found *f, roof_error *err)
{
    air_step *s = NULL;
    TRY(air_step_of(r, f->words[0], &s, err));
    memcpy(s->segments_ms, f->n, sizeof s->segments_ms);
    s->written_mib = f->n[4];
    s->n_read = f->n[5];
    return ROOF_OK;
}

static roof_status take_model(air_report *r, const found *f, roof_error *err)
{
    text_span name = f->words[0];
    while (span_skip_past(&name, "/")) /* "meta-llama/Llama-3.2-1B" */
        ;
    return import_keep_name(r->in, name, &r->model, err);
}

/* Lines: in which table, how they look, and what a line that looks otherwise is a broken one by; NULL: it is
 * another line. Without a function n numbers are a member of the report or of the phase. */
#define TO(member, n)       NULL, NULL, false, offsetof(air_report, member), n
#define IN_PHASE(member, n) NULL, NULL, true, offsetof(air_phase, member), n
static const struct {
    air_table table;
    const char *pattern, *broken;
    roof_status (*take)(air_report *r, const found *f, roof_error *err);
    bool in_phase;
    size_t member, n;
} rules[] = {
    {AIR_NONE, "Loading weights (*)", .take = take_model},
    {AIR_NONE, "* Inference: prompt_len=#,", TO(prompt_tokens, 1)},
    {AIR_NONE, "Time to first token (TTFT): ~s", TO(ttft_s, 1)},
    {AIR_NONE, "Tokens/second: ~", TO(tokens_per_s, 1)},
    {AIR_NONE, " Preprocessing (one-time, *): ~ s", TO(setup_s, 1)},
    {AIR_FLOW, " ┌─ Decoder block × # (", .take = take_block},
    {AIR_FLOW, " └", .take = take_block_end},
    {AIR_FLOW, " End-to-end (*) ~ ms", IN_PHASE(end_ms, 1)},
    {AIR_FLOW, " token 1 = ~ ms token # = ~ ms token # = ~ ms", TO(trend_ms, 5)},
    {AIR_FLOW, " min = ~ ms max = ~ ms avg = ~ ms", TO(extremes_ms, 3)},
    {AIR_FLOW, " * *PU ~ ms", .take = take_flow},
    {AIR_WALL, " NPU XRT calls ~ms (# ", IN_PHASE(calls, 2)},
    {AIR_WALL, " NPU host ops ~ms (# ", IN_PHASE(calls, 2)},
    {AIR_WALL, " * XRT calls ~ms (# ", IN_PHASE(host, 2)},
    {AIR_WALL, " * host ops ~ms (# ", IN_PHASE(host, 2)},
    {AIR_LAYERS, " Layer #: ~ms", .take = take_layer_time},
    {AIR_LAYERS, " Layer #: avg= ~ms", .take = take_layer_time},
    {AIR_CALLS, " * avg= ~ms min= ~ms max= ~ms (x#)", "avg=", .take = take_call},
    {AIR_HOST, " * avg= ~ms min= ~ms max= ~ms (x#)", "avg=", .take = take_call},
    {AIR_PARTS, " TOTAL ~ms ~ms ~ms ~ms", IN_PHASE(segments_ms, AIR_SEGMENTS)},
    {AIR_PARTS, " * ~ms ~ms ~ms ~ms ~MB #bo (x#)", "bo  (x", .take = take_segments},
};

static roof_status take_heading(air_report *r, text_span line, bool *is_heading, roof_error *err)
{
    static const struct {
        const char *pattern;
        air_table table;
        int phase; /* AIR_PHASES: of whichever */
    } headings[] = {{"--- PREFILL (", AIR_FLOW, AIR_PREFILL},
                    {"--- DECODE (avg per token, # tokens)", AIR_FLOW, AIR_DECODE},
                    {"PREFILL — detail", AIR_NONE, AIR_PREFILL},
                    {"DECODE (# tokens) — detail", AIR_NONE, AIR_DECODE},
                    {"--- Wall-Time Attribution ---", AIR_WALL, AIR_PHASES},
                    {"--- Per-Layer Execution ---", AIR_LAYERS, AIR_PHASES},
                    {"--- NPU XRT Call Breakdown", AIR_CALLS, AIR_PHASES},
                    {"--- CPU Op Breakdown", AIR_HOST, AIR_PHASES},
                    {"--- Fine-Grained NPU Breakdown", AIR_PARTS, AIR_PHASES},
                    {"--- ", AIR_NONE, AIR_PHASES}};
    *is_heading = true;
    for (size_t i = 0; i < N_OF(headings); i++) {
        double n = 1;
        text_span rest = line;
        if (!span_scan(&rest, headings[i].pattern, &n))
            continue;
        r->table = r->now || headings[i].phase < AIR_PHASES ? headings[i].table : AIR_NONE;
        if (headings[i].phase == AIR_PHASES)
            return ROOF_OK;
        r->now = &r->phases[headings[i].phase];
        r->is_block = false;
        if (!(n >= 1) || (r->now->inferences > 0 && fabs(r->now->inferences - n) > 0))
            return error_data(err, "%g tokens, want one number of 1 or more throughout the report", n);
        r->now->inferences = n;
        return ROOF_OK;
    }
    *is_heading = false;
    return ROOF_OK;
}

static roof_status read_report_line(air_report *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length};
    bool is_heading, is_broken = false;
    TRY(take_heading(r, text, &is_heading, err));
    for (size_t i = 0; i < N_OF(rules) && !is_heading; i++) {
        found f;
        text_span rest = text;
        if (rules[i].table != AIR_NONE && rules[i].table != r->table)
            continue;
        if (span_cut(&rest, rules[i].pattern, f.n, f.words)) {
            if (rules[i].take)
                return rules[i].take(r, &f, err);
            char *of = rules[i].in_phase ? (char *)r->now : (char *)r;
            memcpy(of + rules[i].member, f.n, rules[i].n * sizeof *f.n);
            return ROOF_OK;
        }
        is_broken = is_broken || (rules[i].broken && span_has(text, rules[i].broken));
    }
    if (is_broken)
        return error_data(err, "a row '%s' that is not whole: was the report cut here?", SHOWN(text));
    return ROOF_OK;
}

/* ---- the document ---- */

static const char *const phase_names[AIR_PHASES] = {"prefill", "decode"};

/* Whole hundredths of a ms, so that sums have no digits of their own. A printed 0.00 is small, so unknown. */
static double seconds_of(double ms)
{
    return ms > 0 ? round(100 * ms) / 1e5 : NAN;
}

static roof_status add_row(air_report *r, const air_phase *p, const air_step *s, roof_run *run,
                           roof_error *err)
{
    static const double mib = 1048576.0;
    import_state *in = r->in;
    const air_step *timed = s->timed ? s->timed : s;
    roof_measured_layer *layer = run_add_layer(in->out, run);
    roof_layer_counters *c = layer ? layer_counters_of(in->out, layer) : NULL;
    TRY(ALLOCATED(c, err));
    layer->name = s->name;
    layer->type = s->is_npu ? "ELF" : "host operation";
    /* A step that is only in the order of execution is executed by each layer of its block, or once. */
    double n = s->is_listed     ? floor((s->count - s->is_borrowed) / p->inferences)
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
    if (s->timed)
        import_note(in,
                    "prefill: '%s' is one of its %g calls that decode counts, and their mean stands for it",
                    s->name, timed->count);
    if (isnan(timed->written_mib))
        return ROOF_OK;
    counted_list counted = counted_of_layer(in->out, layer);
    roof_event event = {.scope = ROOF_COUNTER_BUFFER,
                        .direction = ROOF_COUNTER_WRITE,
                        .quantity = ROOF_COUNTER_BYTES,
                        .count = (uint64_t)llround(timed->written_mib * mib)};
    if (!(timed->written_mib < 1e6))
        return error_data(err, "'%s' writes %g MB, want less than 10^6", timed->name, timed->written_mib);
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
    FOR_EACH(const air_step, s, p->steps, p->n) {
        double each = s->is_listed ? s->count : 0, left = fmod(each - s->is_borrowed, p->inferences);
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

/* Layers are equal: one that takes a tenth more than the median of the others stands out. */
static roof_status add_layers(air_report *r, air_phase *p, roof_run *run, roof_error *err)
{
    enum { FEWEST = 4 };
    static const double least_ratio = 1.1;
    roof_arena *arena = r->in->out->storage->arena;
    double *blocks_s = NULL;
    for (uint32_t i = 0; i < p->n_layers; i++)
        TRY(ARENA_ADD(arena, blocks_s, run->n_blocks, err, seconds_of(p->layers_ms[i])));
    run->blocks_s = blocks_s;
    if (p->n_layers < FEWEST)
        return ROOF_OK;
    const uint32_t others = p->n_layers - 1;
    ORDER_VALUES(p->layers_ms, p->n_layers);
    double median_ms = (p->layers_ms[others / 2] + p->layers_ms[(others - 1) / 2]) / 2;
    if (!(median_ms > 0) || !(p->most_layer_ms > least_ratio * median_ms))
        return ROOF_OK;
    run->stands_out = (roof_standout){arena_printf(arena, "layer %u", p->slowest),
                                      seconds_of(p->most_layer_ms), seconds_of(median_ms), others};
    return ALLOCATED(run->stands_out.name, err);
}

static roof_trend trend_of(const air_report *r)
{
    const double *n = r->trend_ms; /* n[1] and n[3] number the tokens */
    return (roof_trend){.steps = n[3] >= 1 ? (uint64_t)n[3] : ROOF_UNKNOWN,
                        .first_s = n[0] / 1e3,
                        .middle_s = n[2] / 1e3,
                        .last_s = n[4] / 1e3,
                        .min_s = r->extremes_ms[0] / 1e3,
                        .max_s = r->extremes_ms[1] / 1e3,
                        .mean_s = r->extremes_ms[2] / 1e3,
                        .resolution_s = isnan(n[0]) ? NAN : 2 * AIR_ROUNDING_MS / 1e3};
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
    TRY(ALLOCATED(run, err));
    e->phase = which ? ROOF_TEXT_DECODE : ROOF_TEXT_PREFILL;
    if (r->prompt_tokens >= 1 && r->prompt_tokens < 1e9)
        *(which ? &e->context_tokens : &e->prompt_tokens) = (uint32_t)r->prompt_tokens;
    for (uint32_t i = 0; i < p->n; i++)
        TRY(add_row(r, p, &p->steps[i], run, err));
    double seconds[PHASES] = {0}, n_calls = 0;
    /* Sums are of whole hundredths of a ms, which doubles hold exactly. */
    FOR_EACH(const roof_measured_layer, l, run->layers, run->n_layers) {
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
        run->trend = trend_of(r);
    double calls_ms = 1e3 * seconds[CALLS], host_ms = 1e3 * seconds[HOST];
    check_rows(r, p, name);
    if (p->end_ms > 0)
        import_note(r->in, "%s: %s calls of the NPU %s + host operations %s + unattributed %s = %s ms", name,
                    NUMBER(n_calls), NUMBER(calls_ms), NUMBER(host_ms),
                    NUMBER(p->end_ms - calls_ms - host_ms), NUMBER(p->end_ms));
    TRY(add_layers(r, p, run, err));
    return run_add_phases(in->out, run, phases, seconds, PHASES, err);
}

static roof_status finish(air_report *r, roof_error *err)
{
    if (!r->phases[0].n && !r->phases[1].n)
        return error_data(
            err, "no row, want the report that `make profile` prints behind the answer of the model");
    /* The call that ends the prefill is counted with those of the tokens. */
    FOR_EACH(air_step, s, r->phases[AIR_PREFILL].steps, r->phases[AIR_PREFILL].n) {
        air_phase *decode = &r->phases[AIR_DECODE];
        air_step *other = s->is_listed ? NULL : NAMED(decode->steps, decode->n, name, s->name);
        if (!other || !other->is_listed)
            continue;
        s->timed = other;
        other->is_borrowed = true;
    }
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

#define NO_PHASE                                                                                             \
    {                                                                                                        \
        .least_layer_ms = INFINITY, .segments_ms = { NAN, NAN, NAN }                                         \
    }

const importer_def importer_mlir_air_profile = {
    .id = "mlir_air_profile",
    .unverified = true,
    .marks = {SURE("END-TO-END DATAFLOW (per make profile"),
              SURE("PROFILING REPORT\n", "--- Wall-Time Attribution ---"),
              SURE(" Inference: prompt_len=", "n_tokens="), LIKELY("Compiling prefill kernels..."),
              LIKELY("Loading weights (", "prefill")},
    LAYERS_ONLY("mlir-air times every call of an ELF"),
    READING(air_report, .setup_s = NAN, .trend_ms = {NAN, NAN, NAN, NAN, NAN}, .extremes_ms = {NAN, NAN, NAN},
            .phases = {NO_PHASE, NO_PHASE}),
    .line = read_report_line,
    .finish = finish};
