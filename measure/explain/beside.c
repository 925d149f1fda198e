/* A number is laid beside its bound and what is expected; traits are found of the question. */
#include "measure/explain/explaining.h"
#include "roofline/predictions.h"
#include "measure/profile/phases.h"
#include "model/predict/boards.h"
#include "model/work/cost.h"

/* --- values of an entry, other modes of its board, another prediction ----------------------------------- */

bool explaining_is_faster(const roof_explanation *e)
{
    return e->numbers->verdict == ROOF_EXPLAINED_FASTER || e->numbers->verdict == ROOF_EXPLAINED_IMPOSSIBLE;
}

const roof_quantity *explaining_value(const roof_hw *hw, const char *begin, size_t *i)
{
    const roof_quantity *q;
    while ((q = roof_hw_at(hw, (*i)++)))
        if (strncmp(q->key, begin, strlen(begin)) == 0)
            return q;
    return NULL;
}

const roof_quantity *explaining_largest(const roof_hw *hw, const char *begin)
{
    const roof_quantity *q, *largest = NULL;
    for (size_t i = 0; (q = explaining_value(hw, begin, &i));)
        largest = !largest || q->value > largest->value ? q : largest;
    return largest;
}

roof_hw *explaining_same_board(const roof_hw *hw, size_t *i)
{
    const roof_hw_listing *entry;
    while (*roof_hw_board(hw) && (entry = roof_hw_builtin((*i)++))) {
        roof_hw *other = NULL;
        roof_error ignored;
        if (strcmp(entry->family, roof_hw_family(hw)) != 0 || strcmp(entry->id, roof_hw_id(hw)) == 0 ||
            roof_hw_load(entry->id, &other, &ignored) != ROOF_OK)
            continue;
        if (strcmp(roof_hw_board(other), roof_hw_board(hw)) == 0)
            return other;
        roof_hw_free(other);
    }
    return NULL;
}

roof_status explaining_predict(explaining *x, const roof_explain_number *requested, const roof_hw *hw,
                               const char *data_type, roof_prediction **out)
{
    const bool is_what_if = data_type || hw != x->requested->hw;
    roof_predict_options o = requested->predict ? *requested->predict : (roof_predict_options){0};
    const roof_load load = {.threads = &requested->threads, .n_threads = 1};
    roof_error ignored;
    o.explores = ROOF_EXPLORE_NOTHING;
    o.no_steps = true;
    o.busy_cores = requested->threads > 1 || o.cores > 1 ? 0 : 1;
    o.load = requested->threads > 1 ? &load : NULL;
    o.data_type = data_type ? data_type : o.data_type;
    *out = NULL;
    const roof_status status = roof_predict(requested->graph, hw, &o, out, is_what_if ? &ignored : x->err);
    return is_what_if && status == ROOF_E_NO_MEMORY ? error_memory(x->err) : is_what_if ? ROOF_OK : status;
}

/* --- the expected time ---------------------------------------------------------------------------------- */

static bool is_expected(const roof_prediction *p)
{
    return p && p->total.predicted_s > 0 && p->total.predicted_ci95_s[0] > 0;
}

/* The first prediction in which a time is expected, of the type of the file and of those that networks run
 * in; NULL: none. */
static roof_status find_expected(explaining *x, const roof_explain_number *requested, const roof_hw *hw,
                                 roof_prediction **out)
{
    static const char *const types[] = {NULL, "f16", "int8"};
    const bool is_fixed =
        (requested->predict && requested->predict->data_type) || roof_language_of(requested->graph);
    *out = NULL;
    for (size_t i = 0; i < (is_fixed ? 1 : N_OF(types)) && !*out; i++) {
        TRY(explaining_predict(x, requested, hw, types[i], out));
        if (!is_expected(*out)) {
            roof_prediction_free(*out);
            *out = NULL;
        }
    }
    return ROOF_OK;
}

/* How many images or tokens one inference is, as the number counts them. */
static double counted(const roof_explain_number *requested, const roof_prediction *p)
{
    if (requested->measured.is_of_tokens && p->total.yield.count)
        return p->total.yield.count;
    return p->options.batch && !p->is_language ? p->options.batch : 1;
}

/* Takes that of one image, so many times as long. A load has its rate over all threads. */
static void take_expected(roof_explained_number *n, const roof_explain_number *requested,
                          const roof_prediction *p, bool is_carried, double times)
{
    const double *ends = p->total.predicted_ci95_s;
    const roof_load_point *load = p->throughput.n_points ? p->throughput.points : NULL;
    const uint32_t cores = p->hardware.cores;
    n->expected.kind = is_carried ? ROOF_ABOUT : ROOF_EXPECTED;
    n->expected.value = load ? times / load->fps : times * p->total.predicted_s / counted(requested, p);
    n->expected.low = n->expected.value * ends[0] / p->total.predicted_s;
    n->expected.high = n->expected.value * ends[1] / p->total.predicted_s;
    /* a rate may be of all cores, where nobody says */
    if (!requested->threads && requested->measured.is_rate && !p->options.cores && cores > 1 &&
        cores <= ROOF_MOST_CORES)
        n->expected.low *= fmin(1, roof_service_s(p, cores) / cores / p->total.predicted_s);
    n->expected.unit = "s";
    n->expected.covers.left_out = p->total.host_layers;
}

/* Another mode of the board of which something is expected: that, by the ratio of the bounds. p becomes the
 * prediction of the same type. */
static roof_status expect_by_same_board(explaining *x, const roof_explain_number *requested,
                                        roof_explained_number *n, double times, roof_prediction **p)
{
    roof_hw *hw;
    for (size_t i = 0; isnan(n->expected.value) && (hw = explaining_same_board(x->requested->hw, &i));) {
        roof_prediction *other = NULL, *own = NULL;
        roof_status status = find_expected(x, requested, hw, &other);
        if (status == ROOF_OK && other)
            status = explaining_predict(x, requested, x->requested->hw, other->hardware.data_type, &own);
        if (own) {
            take_expected(n, requested, other, true, times * roof_best_s(own) / roof_best_s(other));
            n->from =
                arena_printf(x->arena, "carried over from %s by the ratio of the bounds", roof_hw_id(hw));
            roof_prediction_free(*p);
            *p = own;
        }
        roof_prediction_free(other);
        roof_hw_free(hw);
        TRY(status);
    }
    return ROOF_OK;
}

#define ROUNDING 0.1 /* published rates are rounded, and clocks differ by some per cent */

/* --- what is known of the question ---------------------------------------------------------------------- */

/* Weights that come anew in each inference, in elements. */
static double loaded_weights(const board_set *set, const roof_prediction *p)
{
    const roof_sums *sums = &p->total.sums;
    board_size size = {.weights = sums->weight_elements, .macs = known_count(p->total.macs)};
    bool near;
    if (!set || set->kind == BOARD_PLAIN || set->kind == BOARD_FUSING)
        return 0;
    if (set->kind == BOARD_CACHED)
        return sums->weight_elements * board_weights_share(set, sums, 1);
    for (uint32_t i = 0; i < p->n_layers; i++)
        size.mac_rows += p->layers[i].macs && p->layers[i].macs != ROOF_UNKNOWN;
    return board_is_one_context(set->hw, &size, &near) && !near ? 0 : sums->weight_elements;
}

static bool computes_floats(const roof_hw *hw, const board_set *set)
{
    while (set && *set->data_type != 'f')
        set = board_next(set);
    return set || explaining_largest(hw, "peak.f") || explaining_largest(hw, "peak.bf");
}

#define TRAIT_IF(name, condition) ((condition) ? ROOF_TRAIT(name) : 0)

static uint64_t traits_of_hw(const roof_hw *hw, const board_set *set)
{
    const char *family = roof_hw_family(hw);
    const bool is_cpu = strcmp(family, "cpu") == 0 || (strcmp(family, "board") == 0 && set && set->threads),
               is_gpu = strcmp(family, "gpu") == 0, is_other = !is_cpu && !is_gpu,
               is_linked = explaining_largest(hw, "link."), is_cached = set && set->kind == BOARD_CACHED,
               has_memory = roof_hw_get(hw, "ddr.bandwidth") && !is_cached;
    const roof_quantity *cores = roof_hw_get(hw, "cores"), *processors = roof_hw_get(hw, "processors");
    return TRAIT_IF(PROCESSOR, is_cpu) | TRAIT_IF(GPU, is_gpu) | TRAIT_IF(ACCELERATOR, is_other) |
           TRAIT_IF(LINKED, is_linked) | TRAIT_IF(MEMORY, has_memory) |
           TRAIT_IF(SHARES_MEMORY, has_memory && !is_linked) |
           TRAIT_IF(ON_CHIP,
                    is_cached || (set && (set->kind == BOARD_CONTEXTS || set->kind == BOARD_ONE_CONTEXT))) |
           TRAIT_IF(SEVERAL_CORES, (cores && cores->value > 1) || (processors && processors->value > 1)) |
           TRAIT_IF(INTEGERS_ALONE, is_other && !computes_floats(hw, set)) |
           TRAIT_IF(FIXED_CLOCK, is_other && !explaining_largest(hw, "clock."));
}

static uint64_t traits_of_prediction(const roof_prediction *p, const roof_explained_number *n)
{
    static const char *const memories[] = {"memory", "load", "save"};
    const char *bound = roof_pair_of(p).bound, *from = p->facts_of_verdict.taken_from;
    const roof_sums *sums = &p->total.sums;
    const bool by_memory = bound && IS_ONE_OF(memories, bound);
    /* an accelerator's expected time is of one core, and a published one that is as long, too */
    const bool is_of_one =
        is_expected(p) && p->total.busy_cores == 1 && !(n->published_s < n->expected.value / 1.5);
    return TRAIT_IF(NO_CPU_ROWS, p->placement && !p->total.host_layers) | TRAIT_IF(MEMORY_BOUND, by_memory) |
           TRAIT_IF(ARRAY_BOUND, bound && !by_memory) |
           TRAIT_IF(CPU_ROWS, p->total.host_layers && p->total.host_layers != ROOF_NONE) |
           TRAIT_IF(SIGMOIDS, sums->smooth_elements > 0.2 * sums->map_elements) |
           TRAIT_IF(FLOAT_FILE, from && *from == 'f') | TRAIT_IF(LANGUAGE, p->is_language) |
           TRAIT_IF(ONE_CORE, is_of_one);
}

/* Adds those that the first number tells. */
static void add_traits(explaining *x, const roof_explain_number *requested, const roof_explained_number *n)
{
    const roof_hw *hw = x->requested->hw;
    const board_set *set = hw ? board_at(roof_hw_id(hw), 0) : NULL;
    const roof_quantity *link = hw ? explaining_largest(hw, "link.") : NULL;
    const phase_sums sums = requested->run ? phases_sum(requested->run) : (phase_sums){0};
    uint64_t *traits = &x->out->traits;
    *traits |= hw ? traits_of_hw(hw, set) : 0;
    *traits |= x->first ? traits_of_prediction(x->first, n) : 0;
    *traits |= TRAIT_IF(LANGUAGE, requested->measured.is_of_tokens) |
               TRAIT_IF(RATE, requested->measured.is_rate) | TRAIT_IF(ALONE, isnan(n->published_s)) |
               TRAIT_IF(SAME_NETWORK, fabs(n->published_s / n->others_s - 1) < 2 * ROUNDING) |
               TRAIT_IF(HOST_PHASES, sums.of_s[ROOF_PHASE_HOST] > 0.2 * n->measured_s) |
               TRAIT_IF(COPY_PHASES, sums.of_s[ROOF_PHASE_TRANSFER] > 0.2 * n->measured_s) |
               TRAIT_IF(TINY, n->measured_s < 1e-3 && n->measured_s > 100 * n->bound_s) |
               TRAIT_IF(MUCH_DATA, link && n->input_output_bytes / link->value > 0.3 * n->measured_s) |
               TRAIT_IF(FITS_CHIP, x->first && loaded_weights(set, x->first) == 0);
    if (!(*traits & ROOF_TRAIT(ACCELERATOR)))
        *traits &= ~ROOF_TRAIT(ONE_CORE); /* of a processor it is of all */
}

/* --- the network ---------------------------------------------------------------------------------------- */

/* Elements and bytes of the inputs, and of feature maps without a reader; NaN where a shape is open. scale:
 * size of the measured input over this one. */
static roof_status measure_maps(explaining *x, const roof_explain_number *requested, double *elements,
                                double *bytes, double *scale)
{
    const roof_graph *g = requested->graph;
    bool *is_read = NEW_ARRAY(x->arena, bool, g->n_ops);
    TRY(ALLOCATED(is_read, x->err));
    for (uint32_t i = 0; i < g->n_edges; i++)
        is_read[g->edges[i].op] = true;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const nhwc map = tensor_nhwc(&op->out);
        if (op->rule == ROOF_RULE_INPUT && requested->input_w && map.h > 1 && map.w > 1 && *scale == 1)
            *scale = (double)requested->input_w * requested->input_h / ((double)map.h * (double)map.w);
        if (op->rule != ROOF_RULE_INPUT && (is_read[i] || op->rule == ROOF_RULE_CONSTANT))
            continue;
        *elements += op->out.elements ? known_count(op->out.elements) : NAN;
        *bytes += op->out.bytes ? known_count(op->out.bytes) : NAN;
    }
    return ROOF_OK;
}

static roof_status look_at_network(explaining *x, const roof_explain_number *requested,
                                   roof_explained_number *n, roof_prediction **p)
{
    double elements = 0, bytes = 0, scale = 1;
    roof_prediction *expected;
    TRY(explaining_predict(x, requested, x->requested->hw, NULL, p));
    TRY(measure_maps(x, requested, &elements, &bytes, &scale));
    TRY(find_expected(x, requested, x->requested->hw, &expected));
    if (expected) {
        roof_prediction_free(*p);
        *p = expected;
        take_expected(n, requested, expected, scale != 1, scale);
        n->from = arena_strdup(x->arena, text_or_empty(expected->facts_of_verdict.from));
    } else {
        TRY(expect_by_same_board(x, requested, n, scale, p));
    }
    const roof_prediction *q = *p;
    const roof_quantity *size = roof_hw_get(x->requested->hw, "element.bytes");
    n->model = arena_strdup(x->arena, q->model.name);
    n->data_type = q->hardware.data_type ? arena_strdup(x->arena, q->hardware.data_type) : NULL;
    n->bound_s = scale * roof_best_s(q) / counted(requested, q);
    if (requested->measured.is_rate && !q->is_language)
        n->bound_s = fmin(n->bound_s, scale / q->total.most_inferences_per_s);
    const roof_published_time *others = q->n_published && q->published->is_same ? q->published : NULL;
    if (others) {
        n->others_s = others->seconds;
        n->others =
            arena_printf(x->arena, "%s on %s by %s, %s, batch %u (%s)", others->network, others->device,
                         others->software, others->data_type, others->batch, others->source);
    }
    n->rows = q->total.layers;
    n->cpu_rows = q->total.host_layers;
    n->input_output_bytes = q->is_language ? (double)NAN : bytes * scale;
    n->loaded_bytes = (elements * scale + loaded_weights(board_at(roof_hw_id(x->requested->hw), 0), q)) *
                      (size ? size->value : 1);
    return ROOF_OK;
}

/* --- the reference -------------------------------------------------------------------------------------- */

static roof_explain_verdict verdict_of_number(const roof_explained_number *n, bool is_certain)
{
    const double ratio = n->ratio.value;
    if (is_certain && n->measured_s < 0.98 * n->bound_s)
        return ROOF_EXPLAINED_IMPOSSIBLE;
    if (isnan(ratio))
        return ROOF_EXPLAINED_NOT_KNOWN;
    const bool is_published = !isnan(n->published_s);
    if (is_published ? ratio > 1 + ROUNDING : n->measured_s > n->expected.high)
        return ROOF_EXPLAINED_SLOWER;
    if (is_published ? ratio < 1 - ROUNDING : n->measured_s < n->expected.low)
        return ROOF_EXPLAINED_FASTER;
    return is_published ? ROOF_EXPLAINED_AS_PUBLISHED : ROOF_EXPLAINED_AS_EXPECTED;
}

/* Where nothing is expected: so many times the bound, the nearer the more there is to do. 1.2 to 2 are usual
 * of networks of 30 ms and more on DPUs, 1.5 to 6.4 on an STM32N6, 8.7 on an RK3588 (docs/hardware), and
 * small networks were up to 100 times as long. */
static const struct {
    double least_s, times, spread;
} above_bound[] = {{20e-3, 1.8, 0.5}, {2e-3, 2.5, 0.8}, {0, 4, 1.2}};

static roof_status hold_against(const explaining *x, roof_explained_number *n)
{
    static const double stated_spread = 0.05; /* of a published number: its rounding, another release */
    const roof_answer measured = {.kind = ROOF_MEASURED, .value = n->measured_s, .low = NAN, .high = NAN};
    const double published_s = n->published_s, factor = exp(1.96 * stated_spread);
    roof_answer reference = n->expected;
    size_t k = 0;
    n->ratio = (roof_answer_ratio){NAN, NAN, NAN};
    if (!isnan(published_s))
        reference = (roof_answer){ROOF_MEASURED, published_s, published_s / factor, published_s * factor,
                                  .unit = "s"};
    reference.covers.left_out = 0; /* the part is compared, and said to be one */
    n->reference_s = reference.value;
    n->spread = log(reference.high / reference.low) / (2 * 1.96);
    if (!isnan(reference.value)) {
        n->ratio = roof_answer_ratio_of(&reference, &measured);
        return ROOF_OK;
    }
    if (!(n->bound_s > 0))
        return error_set(
            x->err, ROOF_E_USAGE,
            "there is nothing to hold the number against: give a published one (--published), or "
            "a model and --hw");
    while (n->bound_s < above_bound[k].least_s)
        k++;
    n->reference_s = above_bound[k].times * n->bound_s;
    n->spread = above_bound[k].spread;
    return ROOF_OK;
}

roof_status explaining_expect(explaining *x, uint32_t i)
{
    static const char *const words[ROOF_EXPLAIN_VERDICTS] = {"not_known", "as_expected", "as_published",
                                                             "slower",    "faster",      "impossible"};
    const roof_explain_number *requested = &x->requested->numbers[i];
    roof_explained_number *n = &x->out->numbers[i];
    roof_prediction *p = NULL;
    *n = (roof_explained_number){.measured_s = requested->measured.seconds,
                                 .published_s = requested->published.seconds,
                                 .bound_s = NAN,
                                 .others_s = NAN,
                                 .expected = {.kind = ROOF_NOT_KNOWN, .value = NAN, .low = NAN, .high = NAN},
                                 .input_output_bytes = NAN,
                                 .loaded_bytes = NAN,
                                 .latency_s = requested->measured.latency_s};
    const uint32_t batch = requested->predict && requested->predict->batch ? requested->predict->batch : 1;
    if (isnan(n->latency_s) && requested->measured.is_rate && requested->threads) /* Little's law */
        n->latency_s = n->measured_s * requested->threads * batch;
    n->in_flight = n->latency_s / n->measured_s;
    roof_status status =
        requested->graph && x->requested->hw ? look_at_network(x, requested, n, &p) : ROOF_OK;
    THEN(status, hold_against(x, n));
    n->verdict = verdict_of_number(n, p && !p->estimate_of && !requested->input_w);
    n->is = words[n->verdict];
    if (i == 0) {
        x->first = p;
        add_traits(x, requested, n);
    } else {
        roof_prediction_free(p);
    }
    return status;
}
