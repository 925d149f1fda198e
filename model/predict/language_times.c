/* Expected times and memory of language models: constants of the entry, looked up once, and the two laws of
 * roofline/language.h.
 */
#include "model/predict/language_times.h"
#include "model/predict/calibrated.h"

#include <gsl/gsl_cdf.h>

/* Scatter of models that were calibrated by a point of their own: docs/hardware/aie.md, 15 models. */
#define ANCHORED_SCATTER 0.03
enum { ANCHORED_MODELS = 15, PADDED_TO = 512, FEW_HEADS = 8 };

/* ---- constants ----------------------------------------------------------------------------------------- */

static double constant(const language_request *a, const char *method, const char *name)
{
    return hw_view_value(a->view, NAN, "expect.%.30s.%.30s.%.24s", a->stack, method, name);
}

/* "decode", where constants are shares of a rate of the device; else kernels of a stack go by the width of
 * packed weights, not by how their scales are stored. */
static const char *method_of(const language_request *a, roof_arena *arena)
{
    if (hw_view_value(a->view, NAN, "expect.%.30s.decode.points", a->stack) > 0)
        return a->point.phase == ROOF_TEXT_DECODE ? "decode"
               : a->point.weights.group           ? "prefill_packed"
                                                  : "prefill";
    const char *form = a->point.weights.name, *packed = strncmp(form, "q4_", 3) == 0 ? "q4" : form;
    return arena_printf(arena, "%s_%.20s", a->point.phase == ROOF_TEXT_DECODE ? "step" : "prompt", packed);
}

/* The class by all its words, by heads that are fewer than the array's units, or by what all heads stream. */
static roof_status find_class(const language_request *a, roof_arena *arena, language_constants *k,
                              roof_error *err)
{
    const roof_language_model *m = a->model;
    const roof_layer_kind *full = NULL; /* these tell; a model without any has no class */
    FOR_EACH(const roof_layer_kind, kind, m->kinds, m->n_kinds)
        full = !full && kind->mixer == ROOF_MIXER_FULL ? kind : full;
    k->attention = NULL;
    k->per_token_s = full ? NAN : 0;
    if (!full || !isnan(k->cache_bytes_per_s))
        return ROOF_OK;
    const char *const names[] = {
        arena_printf(arena, "%s_h%u_kv%u", m->attention, full->head_dim, m->kv_heads),
        m->kv_heads < FEW_HEADS ? arena_printf(arena, "%s_h%u_few", m->attention, full->head_dim) : NULL,
        m->kv_heads <= FEW_HEADS ? arena_printf(arena, "stream_h%u", full->head_dim) : NULL};
    TRY(arena_status(arena, err));
    k->attention = names[0];
    for (size_t i = 0; i < N_OF(names) && isnan(k->per_token_s); i++)
        if (names[i] && !isnan(k->per_token_s = constant(a, names[i], "per_token")))
            k->attention = names[i];
    return ROOF_OK;
}

/* ---- stacks -------------------------------------------------------------------------------------------- */

/* The stack whose constants a key is of, if it is one for steps of language models. */
static bool is_of_stack(const roof_quantity *q, char *stack, size_t size)
{
    text_span rest = span_of(q->key);
    if (!span_skip(&rest, "expect."))
        return false;
    const text_span name = span_take_until(&rest, "."), method = span_take_until(&rest, ".");
    if (!span_is(rest, "points") || (!span_is(method, "decode") && !span_begins(method, "step_")))
        return false;
    snprintf(stack, size, "%.*s", (int)name.length, name.text);
    return true;
}

/* "llama-cpp-cuda" is called "llama.cpp", too. */
static bool is_called(const char *stack, const char *requested)
{
    for (; *requested; stack++, requested++)
        if (*stack != (*requested == '.' ? '-' : *requested))
            return false;
    return !*stack || *stack == '-';
}

/* The default one among the device's stacks of this name; NULL: of any name. A name that no entry has stays
 * as requested. */
static const char *stack_called(const hw_view *view, const char *requested, roof_arena *arena)
{
    const char *best = requested,
               *name = requested && strcmp(requested, "ollama") == 0 ? "llama.cpp" : requested;
    double least = INFINITY;
    char stack[40];
    for (size_t i = 0; roof_hw_at(view->board, i); i++) {
        if (!is_of_stack(roof_hw_at(view->board, i), stack, sizeof stack) ||
            (name && !is_called(stack, name)))
            continue;
        const double order = hw_view_value(view, name ? 1e3 : INFINITY, "expect.%.30s.decode.order", stack);
        if (order < least) {
            least = order;
            best = arena_strdup(arena, stack);
        }
    }
    return best;
}

bool language_has_stack(const hw_view *view, roof_arena *arena)
{
    return stack_called(view, NULL, arena);
}

/* "; it knows llama-cpp-cuda, mlc-cuda"; "" where it knows this one, or none. */
static const char *list_stacks(const language_request *a, roof_arena *arena)
{
    const char *list = "";
    char stack[40], last[40] = "";
    const bool is_known = hw_view_value(a->view, NAN, "expect.%.30s.decode.points", a->stack) > 0;
    for (size_t i = 0; !is_known && roof_hw_at(a->view->board, i) && list; i++) {
        if (!is_of_stack(roof_hw_at(a->view->board, i), stack, sizeof stack) || strcmp(stack, last) == 0)
            continue;
        list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "; it knows ", stack);
        memcpy(last, stack, sizeof last);
    }
    return list ? list : "";
}

/* ---- unknown values ------------------------------------------------------------------------------------ */

/* Why no time follows for any point of this model; NULL where one does. */
static const char *doubt_of(const language_request *a, const language_constants *k, roof_arena *arena)
{
    const bool is_step = a->point.phase == ROOF_TEXT_DECODE;
    const char *what = is_step ? "steps" : "prompts";
    if (isnan(k->points))
        return arena_printf(arena, "%.60s has no constants of %.30s for %s of %.20s weights%.300s",
                            a->hardware, a->stack, what, a->point.weights.name, list_stacks(a, arena));
    if (a->is_changed)
        return "its constants are of the machine's own clock and memory";
    if (a->point.batch > 1)
        return isnan(k->factor)
                   ? "no law of a batch is known: the one published step of 8 sequences took 3.7 times its "
                     "bound"
                   : "no law of a batch is known: 8 sequences took 1.16 to 7.5 times the time of one";
    if (k->needs_device && isnan(k->device_ratio))
        return arena_printf(
            arena,
            "devices differ by up to %.1f times from constants of %.30s, and %.60s has no factor of its own",
            k->factor, a->stack, a->hardware);
    for (uint32_t i = 0; i < a->model->n_kinds; i++)
        if (isnan(k->layer_s[a->model->kinds[i].mixer]))
            return arena_printf(arena, "%.30s was not measured on enough models with %s layers to tell %s",
                                a->stack, roof_mixer_text(a->model->kinds[i].mixer), what);
    if (a->model->experts && isnan(k->experts_s))
        return arena_printf(arena, "%.30s was not measured on enough models with experts to tell %s",
                            a->stack, what);
    if (!is_step && isnan(k->factor) && a->model->hidden % PADDED_TO)
        return arena_printf(
            arena,
            "a hidden size of %u is no multiple of %d: products are padded, by how much was not "
            "measured",
            a->model->hidden, PADDED_TO);
    if (is_step && isnan(k->most_tokens) && isnan(k->per_token_s) && isnan(k->cache_bytes_per_s))
        return arena_printf(
            arena,
            "attention of class %.60s was not measured with %.30s (other classes take 26 to 152 ns a "
            "layer and token)",
            k->attention, a->stack);
    return NULL;
}

/* An interval is of models that nothing was fitted to, as that of networks (roofline/calibration.h). */
static double reach_of(double scatter_ratio, double models)
{
    if (isnan(scatter_ratio) || !(models >= 1 && models < 1e6))
        return NAN;
    const family_scatter s =
        calibrated_family_scatter(models * scatter_ratio * scatter_ratio, (uint32_t)models);
    return exp(gsl_cdf_tdist_Pinv(0.975, s.dof) * fmax(s.total_ratio, scatter_ratio));
}

/* Shares of the device's own rates become rates, and the device's own factor is in them. */
static void take_shares(const language_request *a, language_constants *k)
{
    const language_shares *s = &k->shares;
    const double bandwidth = a->view->memory_bytes_per_s, peak = hw_view_value(a->view, NAN, "peak.f16"),
                 product = a->model->experts ? s->experts_product : s->product,
                 times = isnan(k->device_ratio) ? 1 : k->device_ratio,
                 layer = isnan(s->layer_work) ? times : times * s->layer_work;
    if (isnan(k->factor))
        return;
    k->bandwidth_bytes_per_s = bandwidth * s->weights / times;
    k->cache_bytes_per_s = bandwidth * s->cache / times;
    k->product_macs_per_s = peak * product / times;
    k->attention_macs_per_s = peak * s->attention / times;
    k->experts_s *= times;
    for (int i = 0; i < ROOF_MIXERS; i++)
        k->layer_s[i] *= layer;
}

roof_status language_constants_of(const language_request *requested, roof_arena *arena,
                                  language_constants *out, roof_error *err)
{
    language_constants *k = out;
    language_request own = *requested, *a = &own;
    own.stack = stack_called(a->view, a->stack, arena);
    *k = (language_constants){
        .stack = a->stack, .per_token_s = NAN, .cache_bytes_per_s = NAN, .reach_ratio = NAN};
    for (int i = 0; i < ROOF_MIXERS; i++)
        k->layer_s[i] = NAN;
    k->method = a->stack ? method_of(a, arena) : NULL;
    TRY(arena_status(arena, err));
    const struct {
        const char *name;
        double *to;
    } all[] = {{"bandwidth", &k->bandwidth_bytes_per_s},
               {"full_layer", &k->layer_s[ROOF_MIXER_FULL]},
               {"sliding_layer", &k->layer_s[ROOF_MIXER_SLIDING]},
               {"linear_layer", &k->layer_s[ROOF_MIXER_LINEAR]},
               {"conv_layer", &k->layer_s[ROOF_MIXER_CONV]},
               {"experts", &k->experts_s},
               {"chunk", &k->chunk_tokens},
               {"product_rate", &k->product_macs_per_s},
               {"attention_rate", &k->attention_macs_per_s},
               {"most_tokens", &k->most_tokens},
               {"points", &k->points},
               {"models", &k->models},
               {"error", &k->error},
               {"scatter", &k->scatter},
               {"factor95", &k->factor},
               {"device_ratio", &k->device_ratio},
               {"weights_ratio", &k->shares.weights},
               {"cache_ratio", &k->shares.cache},
               {"product_ratio", &k->shares.product},
               {"experts_product_ratio", &k->shares.experts_product},
               {"attention_ratio", &k->shares.attention},
               {arena_printf(arena, "%.12s_work", a->model->attention), &k->shares.layer_work}};
    TRY(arena_status(arena, err));
    for (size_t i = 0; i < N_OF(all); i++)
        *all[i].to = a->stack ? constant(a, k->method, all[i].name) : (double)NAN;
    if (!a->stack) {
        k->not_known =
            arena_printf(arena, "no stack is known that runs %.20s weights here; --stack names one",
                         a->point.weights.name);
        return arena_status(arena, err);
    }
    take_shares(a, k);
    TRY(find_class(a, arena, k, err));
    if (!isnan(k->most_tokens)) { /* the host's attention is in what a layer takes */
        k->per_token_s = NAN;
        k->attention = NULL;
    }
    k->product_macs_per_s /= 2; /* rates are of operations */
    k->attention_macs_per_s /= 2;
    k->reads_windows_whole = constant(a, k->method, "reads_windows_whole") > 0;
    k->needs_device = constant(a, k->method, "needs_device") > 0;
    k->reach_ratio = isnan(k->factor) ? reach_of(k->scatter, k->models) : k->factor;
    k->not_known = doubt_of(a, k, arena);
    return arena_status(arena, err);
}

/* ---- a point ------------------------------------------------------------------------------------------- */

/* Tokens that are attended to, summed over the layers whose time grows with the context. */
static double attended_tokens(const language_constants *k, const roof_language_model *m, uint32_t tokens)
{
    double n = 0;
    FOR_EACH(const roof_layer_kind, of, m->kinds, m->n_kinds) {
        if (of->mixer == ROOF_MIXER_FULL)
            n += (double)of->count * (of->window && of->window < tokens ? of->window : tokens);
        else if (of->mixer == ROOF_MIXER_SLIDING && k->reads_windows_whole)
            n += (double)of->count * tokens;
    }
    return n;
}

static double layers_s(const language_constants *k, const roof_language_model *m)
{
    double sum = m->experts ? m->layers * k->experts_s : 0;
    for (uint32_t i = 0; i < m->n_kinds; i++)
        sum += m->kinds[i].count * k->layer_s[m->kinds[i].mixer];
    return sum;
}

static void expect_step(const language_constants *k, const roof_language_model *m,
                        const roof_language_point *p, const roof_language_counts *c,
                        double parts_s[ROOF_LANGUAGE_PARTS])
{
    const bool is_of_bytes = !isnan(k->cache_bytes_per_s);
    parts_s[ROOF_PART_WEIGHTS] =
        (double)(is_of_bytes ? c->weight_bytes : c->streamed_bytes) / k->bandwidth_bytes_per_s;
    parts_s[ROOF_PART_CACHE] = is_of_bytes             ? (double)c->kv_bytes / k->cache_bytes_per_s
                               : isnan(k->per_token_s) ? 0
                                                       : attended_tokens(k, m, p->tokens) * k->per_token_s;
    parts_s[ROOF_PART_LAUNCHES] = layers_s(k, m);
    if (k->anchor.constant_s > 0) {
        parts_s[ROOF_PART_CACHE] = p->tokens * k->anchor.per_token_s;
        if (!(parts_s[ROOF_PART_WEIGHTS] < k->anchor.constant_s))
            parts_s[ROOF_PART_WEIGHTS] = k->anchor.constant_s;
        parts_s[ROOF_PART_LAUNCHES] = k->anchor.constant_s - parts_s[ROOF_PART_WEIGHTS];
    }
}

static void expect_prompt(const language_constants *k, const roof_language_model *m,
                          const roof_language_point *p, const roof_language_counts *c,
                          double parts_s[ROOF_LANGUAGE_PARTS])
{
    const double chunks = ceil(p->tokens / k->chunk_tokens);
    /* every expert has a token of a chunk */
    const uint64_t read_bytes = !m->experts ? c->weight_bytes
                                : m->stored ? c->resident_weight_bytes
                                            : roof_weight_format_bytes(&p->weights, c->parameters, false);
    parts_s[ROOF_PART_LAUNCHES] = chunks * layers_s(k, m);
    if (!isnan(k->shares.weights))
        parts_s[ROOF_PART_WEIGHTS] = chunks * (double)read_bytes / k->bandwidth_bytes_per_s;
    parts_s[ROOF_PART_ARRAY] = p->tokens * (double)c->weight_macs / k->product_macs_per_s;
    parts_s[ROOF_PART_CACHE] = (double)c->attention_macs / k->attention_macs_per_s;
}

void language_expect(const language_constants *k, const roof_language_model *m, const roof_language_point *p,
                     const roof_language_counts *c, const roof_language_memory *memory,
                     roof_language_expectation *out)
{
    *out = (roof_language_expectation){.stack = k->stack,
                                       .attention = k->attention,
                                       .seconds = NAN,
                                       .ci95_s = {NAN, NAN},
                                       .points = k->points,
                                       .models = k->models,
                                       .error = k->error,
                                       .not_known = k->not_known};
    for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++)
        out->parts_s[i] = NAN;
    if (!out->not_known && p->tokens > k->most_tokens)
        out->not_known = "longer contexts were not measured with this stack, whose attention runs on the CPU";
    if (!out->not_known && p->phase == ROOF_TEXT_PREFILL && c->weight_macs == ROOF_UNKNOWN)
        out->not_known = "its weights are packed, so that its products are unknown";
    if (!out->not_known && !isnan(k->factor) && !isnan(memory->limit_bytes) &&
        memory->fits != ROOF_MEMORY_FITS)
        out->not_known =
            memory->fits == ROOF_MEMORY_FITS_NOT
                ? "it does not fit into the memory: a part would run on the CPU, and no time of that is known"
                : "whether it fits into the memory is unknown, and what the host does of it takes longer";
    if (out->not_known)
        return;
    double parts_s[ROOF_LANGUAGE_PARTS] = {0};
    if (p->phase == ROOF_TEXT_DECODE)
        expect_step(k, m, p, c, parts_s);
    else
        expect_prompt(k, m, p, c, parts_s);
    out->seconds = 0;
    for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++)
        out->seconds += out->parts_s[i] = parts_s[i];
    out->ci95_s[0] = out->seconds / k->reach_ratio;
    out->ci95_s[1] = out->seconds * k->reach_ratio;
}

/* Constants of other devices do not make this one faster than it can be. */
void language_keep_bound(double ideal_s, roof_language_expectation *x)
{
    if (!isnan(x->ci95_s[0]) && x->ci95_s[0] < ideal_s)
        x->ci95_s[0] = fmin(ideal_s, x->seconds);
}

/* ---- points of one's own ------------------------------------------------------------------------------- */

/* A step of a stack whose constants are shares says by how much all of them are off here. */
static roof_status scale_to(language_constants *k, const language_request *a,
                            const roof_curve_measured *anchor, roof_error *err)
{
    const roof_language_memory any = {.limit_bytes = NAN};
    roof_language_counts c;
    roof_language_expectation x;
    roof_language_point p = a->point;
    p.tokens = anchor->tokens;
    TRY(roof_language_count(a->model, &p, &c, err));
    language_expect(k, a->model, &p, &c, &any, &x);
    const double times = anchor->seconds / x.seconds;
    k->bandwidth_bytes_per_s /= times;
    k->cache_bytes_per_s /= times;
    k->experts_s *= times;
    for (int i = 0; i < ROOF_MIXERS; i++)
        k->layer_s[i] *= times;
    return ROOF_OK;
}

roof_status language_anchor(language_constants *k, const language_request *a,
                            const roof_curve_measured *anchors, uint32_t n, roof_arena *arena,
                            roof_error *err)
{
    double sum_n = 0, sum_t = 0, sum_nn = 0, sum_nt = 0;
    if (n == 1 && !k->not_known && !isnan(k->cache_bytes_per_s))
        return scale_to(k, a, anchors, err);
    for (uint32_t i = 0; i < n; i++) {
        sum_n += anchors[i].tokens;
        sum_t += anchors[i].seconds;
    }
    for (uint32_t i = 0; i < n; i++) {
        sum_nn += pow(anchors[i].tokens - sum_n / n, 2);
        sum_nt += (anchors[i].tokens - sum_n / n) * (anchors[i].seconds - sum_t / n);
    }
    double per_token_s = sum_nn > 0 ? sum_nt / sum_nn : attended_tokens(k, a->model, 1) * k->per_token_s;
    if (isnan(per_token_s) || (!(sum_nn > 0) && a->point.batch > 1)) {
        k->not_known =
            arena_printf(arena,
                         "one measured step says nothing of longer contexts, since %s; give two, as "
                         "in --at 1k=15.5ms,8k=18.4ms",
                         k->not_known ? k->not_known : "the time of a batch grows in an unknown way");
        return arena_status(arena, err);
    }
    const double constant_s = (sum_t - per_token_s * sum_n) / n;
    if (!(constant_s > 0) || per_token_s < 0)
        return error_set(
            err, ROOF_E_USAGE,
            "--at: a line through these points gives %g ms without any context and %g ns a token: are "
            "they of one model and one run?",
            1e3 * constant_s, 1e9 * per_token_s);
    k->anchor = (language_line){constant_s, per_token_s};
    if (sum_nn > 0) /* no constant of a stack is in it */
        k->stack = k->attention = NULL;
    k->most_tokens = k->factor = NAN;
    k->reach_ratio = reach_of(ANCHORED_SCATTER, ANCHORED_MODELS);
    k->not_known = NULL;
    return ROOF_OK;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* An NPU's stack packs the head anew, and keeps the table of embeddings beside it; where stacks have an
 * overhead, they map the file: each weight once, of ggml's forms the table, too. Unknown where a state is. */
static uint64_t need_of(const roof_language_counts *c, const roof_weight_format *form,
                        const roof_language_memory *memory)
{
    uint64_t weights = c->resident_weight_bytes;
    if (memory->overhead_bytes && c->file_bytes != ROOF_UNKNOWN)
        weights = c->file_bytes;
    else if (memory->overhead_bytes && (!form->group || *form->name == 'q'))
        weights = roof_weight_format_bytes(form, c->parameters, false);
    return checked_sum_known(weights + c->cache_bytes + memory->overhead_bytes, c->state_bytes);
}

void language_memory_at(const roof_language_counts *c, const roof_weight_format *form,
                        roof_language_memory *memory)
{
    memory->need_bytes = need_of(c, form, memory);
    memory->fits = memory->need_bytes == ROOF_UNKNOWN                  ? ROOF_MEMORY_UNKNOWN
                   : (double)memory->need_bytes <= memory->limit_bytes ? ROOF_MEMORY_FITS
                   : (double)memory->need_bytes >= memory->fails_bytes ? ROOF_MEMORY_FITS_NOT
                                                                       : ROOF_MEMORY_UNKNOWN;
}

static double part_of_memory(const hw_view *view, const char *key, uint64_t available_bytes)
{
    const roof_quantity *q = hw_view_get(view, key);
    return q && available_bytes ? q->value * (double)available_bytes : NAN;
}

roof_status language_memory_of(const hw_view *view, const roof_language_model *m,
                               const roof_language_point *p, uint64_t available_bytes,
                               roof_language_memory *out, roof_error *err)
{
    if (!available_bytes)
        available_bytes = (uint64_t)hw_view_value(view, 0, "ddr.bytes");
    *out = (roof_language_memory){.available_bytes = available_bytes,
                                  .overhead_bytes = (uint64_t)hw_view_value(view, 0, "memory.overhead"),
                                  .limit_bytes = part_of_memory(view, "memory.fits_ratio", available_bytes),
                                  .fails_bytes = part_of_memory(view, "memory.fails_ratio", available_bytes)};
    roof_language_counts counts;
    roof_language_point at = *p;
    TRY(roof_language_count(m, p, &counts, err));
    if (isnan(out->fails_bytes) && available_bytes) /* more than there is fits nowhere */
        out->fails_bytes = (double)available_bytes;
    language_memory_at(&counts, &p->weights, out);
    if (isnan(out->limit_bytes))
        return ROOF_OK;
    const uint32_t most =
        m->positions && m->positions < MOST_CONTEXT_TOKENS ? m->positions : MOST_CONTEXT_TOKENS;
    uint32_t fits = 0, above = most + 1;
    at.phase = ROOF_TEXT_DECODE; /* a cache is of either */
    while (above - fits > 1) {
        at.tokens = fits + (above - fits) / 2;
        TRY(roof_language_count(m, &at, &counts, err));
        *((double)need_of(&counts, &p->weights, out) <= out->limit_bytes ? &fits : &above) = at.tokens;
    }
    out->largest_tokens = fits;
    return ROOF_OK;
}
