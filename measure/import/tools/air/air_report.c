#include "measure/import/tools/air/air_report.h"
#include "core/error.h"
#include "core/named.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 64, MOST_WORDS = 2, MOST_NUMBERS = 8 };

typedef struct found {
    double n[MOST_NUMBERS];
    text_span words[MOST_WORDS];
} found;

static roof_status step_of(air_report *r, text_span name, air_step **out, roof_error *err)
{
    air_phase *p = r->now;
    if (name.length > 4 && memcmp(name.text + name.length - 4, ".elf", 4) == 0)
        name.length -= 4;
    *out = NAMED_SPAN(p->steps, p->n, name, name);
    if (*out)
        return ROOF_OK;
    if (p->n == MOST_STEPS)
        return error_set(err, ROOF_E_LIMIT, "more than %d different steps", MOST_STEPS);
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

static roof_status take_prefill(air_report *r, const found *f, roof_error *err)
{
    (void)f, (void)err;
    r->now = &r->phases[0];
    r->now->inferences = 1;
    return ROOF_OK;
}

static roof_status take_decode(air_report *r, const found *f, roof_error *err)
{
    r->now = &r->phases[1];
    if (!(f->n[0] >= 1) || (r->now->inferences > 0 && fabs(r->now->inferences - f->n[0]) > 0))
        return error_set(err, ROOF_E_DATA, "%g tokens, want one number of 1 or more throughout the report",
                         f->n[0]);
    r->now->inferences = f->n[0];
    return ROOF_OK;
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
        return error_set(err, ROOF_E_DATA, "a decoder block of %g layers, want 1 or more", f->n[0]);
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
    TRY(step_of(r, f->words[0], &s, err));
    s->is_npu = is_npu;
    s->is_in_block = r->is_block;
    s->flow_ms = f->n[0];
    return ROOF_OK;
}

static roof_status take_sum(air_report *r, const found *f, roof_error *err)
{
    (void)err;
    *(span_is(f->words[0], "NPU") ? &r->now->calls : &r->now->host) = (air_sum){f->n[0], f->n[1]};
    return ROOF_OK;
}

static roof_status take_layer(air_report *r, const found *f, roof_error *err)
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
    TRY(step_of(r, f->words[0], &s, err));
    if (s->is_listed)
        return error_set(err, ROOF_E_DATA, "'%s' is there twice", s->name);
    if (n[1] > n[0] || n[0] > n[2] || !(n[3] >= 1))
        return error_set(err, ROOF_E_DATA, "%g ms between %g and %g ms of %g calls contradict one another",
                         n[0], n[1], n[2], n[3]);
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
    TRY(step_of(r, f->words[0], &s, err));
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

static roof_status take_trend(air_report *r, const found *f, roof_error *err)
{
    const double *n = f->n;
    (void)err;
    r->trend.first_s = n[0] / 1e3;
    r->trend.middle_s = n[2] / 1e3; /* n[1] and n[3] number the tokens */
    r->trend.steps = n[3] >= 1 ? (uint64_t)n[3] : ROOF_UNKNOWN;
    r->trend.last_s = n[4] / 1e3;
    r->trend.resolution_s = 2 * AIR_ROUNDING_MS / 1e3;
    return ROOF_OK;
}

static roof_status take_extremes(air_report *r, const found *f, roof_error *err)
{
    (void)err;
    r->trend.min_s = f->n[0] / 1e3;
    r->trend.max_s = f->n[1] / 1e3;
    r->trend.mean_s = f->n[2] / 1e3;
    return ROOF_OK;
}

/* Headings of tables, of whichever phase. */
static const struct {
    const char *words;
    air_table table;
} headings[] = {{"--- Wall-Time Attribution ---", AIR_WALL},   {"--- Per-Layer Execution ---", AIR_LAYERS},
                {"--- NPU XRT Call Breakdown", AIR_CALLS},     {"--- CPU Op Breakdown", AIR_HOST},
                {"--- Fine-Grained NPU Breakdown", AIR_PARTS}, {"--- ", AIR_NO_TABLE}};

/* Lines: in which table, how they look, and what a line that looks otherwise is a broken one by; NULL: it is
 * another line. Without a function n numbers are a member of the report or of the phase. */
#define TO(member)          NULL, NULL, false, offsetof(air_report, member), 1
#define IN_PHASE(member, n) NULL, NULL, true, offsetof(air_phase, member), n
static const struct {
    air_table table;
    const char *pattern, *broken;
    roof_status (*take)(air_report *r, const found *f, roof_error *err);
    bool in_phase;
    size_t member, n;
} rules[] = {
    {AIR_NO_TABLE, "Loading weights (*)", .take = take_model},
    {AIR_NO_TABLE, "* Inference: prompt_len=#,", TO(prompt_tokens)},
    {AIR_NO_TABLE, "Time to first token (TTFT): ~s", TO(ttft_s)},
    {AIR_NO_TABLE, "Tokens/second: ~", TO(tokens_per_s)},
    {AIR_NO_TABLE, " Preprocessing (one-time, *): ~ s", TO(setup_s)},
    {AIR_FLOW, " ┌─ Decoder block × # (", .take = take_block},
    {AIR_FLOW, " └", .take = take_block_end},
    {AIR_FLOW, " End-to-end (*) ~ ms", IN_PHASE(end_ms, 1)},
    {AIR_FLOW, " token 1 = ~ ms token # = ~ ms token # = ~ ms", .take = take_trend},
    {AIR_FLOW, " min = ~ ms max = ~ ms avg = ~ ms", .take = take_extremes},
    {AIR_FLOW, " * *PU ~ ms", .take = take_flow},
    {AIR_WALL, " * XRT calls ~ms (# ", .take = take_sum},
    {AIR_WALL, " * host ops ~ms (# ", .take = take_sum},
    {AIR_LAYERS, " Layer #: ~ms", .take = take_layer},
    {AIR_LAYERS, " Layer #: avg= ~ms", .take = take_layer},
    {AIR_CALLS, " * avg= ~ms min= ~ms max= ~ms (x#)", "avg=", .take = take_call},
    {AIR_HOST, " * avg= ~ms min= ~ms max= ~ms (x#)", "avg=", .take = take_call},
    {AIR_PARTS, " TOTAL ~ms ~ms ~ms ~ms", IN_PHASE(segments_ms, AIR_SEGMENTS)},
    {AIR_PARTS, " * ~ms ~ms ~ms ~ms ~MB #bo (x#)", "bo  (x", .take = take_segments},
};

static bool take_heading(air_report *r, text_span line, roof_status *status, roof_error *err)
{
    static const struct {
        const char *pattern;
        air_table table;
        roof_status (*take)(air_report *r, const found *f, roof_error *err);
    } phases[] = {{"--- PREFILL (", AIR_FLOW, take_prefill},
                  {"--- DECODE (avg per token, # tokens)", AIR_FLOW, take_decode},
                  {"PREFILL — detail", AIR_NO_TABLE, take_prefill},
                  {"DECODE (# tokens) — detail", AIR_NO_TABLE, take_decode}};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        found f;
        text_span rest = line;
        if (!span_cut(&rest, phases[i].pattern, f.n, f.words))
            continue;
        *status = phases[i].take(r, &f, err);
        r->table = phases[i].table;
        r->is_block = false;
        return true;
    }
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (span_begins(line, headings[i].words)) {
            r->table = r->now ? headings[i].table : AIR_NO_TABLE;
            return true;
        }
    return false;
}

roof_status air_read_line(air_report *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length};
    roof_status status = ROOF_OK;
    bool is_broken = false;
    if (take_heading(r, text, &status, err))
        return status;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        found f;
        text_span rest = text;
        if (rules[i].table != AIR_NO_TABLE && rules[i].table != r->table)
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
        return error_set(err, ROOF_E_DATA, "a row '%s' that is not whole: was the report cut here?",
                         SHOWN(text));
    return ROOF_OK;
}

roof_status air_begin(air_report *r, roof_error *err)
{
    r->setup_s = NAN;
    r->trend = (roof_trend){ROOF_UNKNOWN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int i = 0; i < AIR_PHASES; i++) {
        r->phases[i].least_layer_ms = INFINITY;
        r->phases[i].segments_ms[AIR_WRITE] = r->phases[i].segments_ms[AIR_RUN] = NAN;
        r->phases[i].segments_ms[AIR_READ] = NAN;
        r->phases[i].steps = NEW_ARRAY(r->in->scratch, air_step, MOST_STEPS);
        if (!r->phases[i].steps)
            return error_memory(err);
    }
    return ROOF_OK;
}
