/* The roofline of a processor, a GPU or an NPU: one peak, and one bandwidth for each level of memory.
 *
 *   compute  macs / (peak multiply-accumulates a cycle), in the data type that is computed in
 *   l1       all bytes of a row / bandwidth of the first cache: every element of input, weights and output
 *   passes it once l2       what of them the first cache cannot hold / bandwidth of the second; l3 and memory
 *   likewise
 * Bytes are those of the tensors with elements of the data type that is computed in, whatever another
 * compiler made of the model; weights that are narrower than what they are multiplied with stay so. They
 * are at least as many: what a row makes and uses itself is not counted, and weights are read once for all
 * images. A cache of which the description has no bandwidth is no engine; its size counts.
 * Source: S. Williams et al., "Roofline" (CACM 2009), with one ceiling a level as in A. Ilic et al.,
 *   "Cache-aware Roofline" (2014).
 */
#include "core/error.h"
#include "hwdb/hwdb.h"
#include "model/laws/law.h"
#include "model/work/cost.h"
#include "model/work/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPUTE, L1, L2, L3, MEMORY, ENGINES, MOST_INPUTS = 64 };

static const char *const names[ENGINES] = {"compute", "l1", "l2", "l3", "memory"};

typedef struct config {
    double macs_per_cycle, element_bytes;
    uint32_t model_bits;
    /* By the engine that a level of memory is. */
    double bytes_per_s[ENGINES];      /* 0: not known */
    uint64_t capacity_bytes[ENGINES]; /* of the memories before it, which hold as much of a row */
} config;

static double value_of(const hw_view *view, const char *level, const char *what, double otherwise)
{
    const double value = hw_view_value(view, NAN, "%s.%s", level, what);
    return value >= 0 && value < 1e18 ? value : otherwise;
}

static roof_status configure(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err)
{
    static const char *const meanings[ENGINES] = {"multiply-accumulates", "first cache", "second cache",
                                                  "third cache", "external memory, both directions"};
    config *c = NEW(arena, config);
    const roof_quantity *rate = hw_view_get(view, "peak.rate");
    (void)program;
    if (!c)
        return error_memory(err);
    if (!rate || !(rate->value > 0))
        return error_set(err, ROOF_E_DATA, "the hardware states no 'peak.rate' above 0");
    c->macs_per_cycle = rate->value / view->clock_hz / 2;
    c->element_bytes = value_of(view, "element", "bytes", 4);
    c->model_bits = view->model_bits;
    out->config = c;
    const law_engine compute = {names[COMPUTE], meanings[COMPUTE], c->macs_per_cycle * 2};
    TRY(law_add_engine(out, &compute, true, err));
    double kept = 0;
    for (int level = L1; level < ENGINES; level++) {
        double rate_of_level =
            level == MEMORY ? view->memory_bytes_per_s : value_of(view, names[level], "bandwidth", 0);
        if (rate_of_level > 0 || level == MEMORY) {
            const law_engine engine = {names[level], meanings[level], rate_of_level / view->clock_hz};
            c->bytes_per_s[out->n_engines] = rate_of_level;
            c->capacity_bytes[out->n_engines] = (uint64_t)kept;
            out->external_memory = level == MEMORY ? out->n_engines : 0;
            TRY(law_add_engine(out, &engine, false, err));
        }
        kept = fmax(kept, level == MEMORY ? 0 : value_of(view, names[level], "bytes", 0));
    }
    return ROOF_OK;
}

/* "peak.int8"; entries call fp16 f16. */
static const roof_quantity *rate_of(const roof_hw *hw, const char *type)
{
    char key[40];
    bool is_float = strncmp(type, "fp", 2) == 0;
    snprintf(key, sizeof key, is_float ? "peak.f%.20s" : "peak.%.20s", is_float ? type + 2 : type);
    const roof_quantity *rate = roof_hw_get(hw, key);
    return rate && rate->value > 0 && data_type_bits(type) ? rate : NULL;
}

/* The rate stays worth what it is: its kind, source and caveat go with it. */
static roof_status at_type(roof_hw *hw, const char *type, bool *is_known, roof_error *err)
{
    const roof_quantity *of_type = rate_of(hw, type);
    char source[80];
    *is_known = of_type;
    if (!of_type)
        return ROOF_OK;
    snprintf(source, sizeof source, "the size of the data type of %.40s", of_type->key);
    roof_quantity rate = *of_type;
    rate.key = "peak.rate";
    const roof_quantity element = {.key = "element.bytes",
                                   .value = data_type_bits(type) / 8.0,
                                   .unit = "B",
                                   .kind = of_type->kind, /* it is worth no less */
                                   .source = source};
    TRY(hwdb_hw_put(hw, &element, of_type->key, true, err));
    return hwdb_hw_put(hw, &rate, of_type->key, true, err);
}

static roof_status add_op(const void *config_, const roof_graph *g, const roof_demand *d, uint64_t *cycles,
                          roof_error *err)
{
    const config *c = config_;
    return law_add_macs(g, d, c->macs_per_cycle, &cycles[COMPUTE], err);
}

/* --- bytes ---------------------------------------------------------------------------------------------- */

typedef struct counting {
    const roof_graph *graph;
    const roof_work *work;
    uint32_t seen[MOST_INPUTS], n_seen;
    double weights, input, given, output; /* bytes; given: of the input, what there is before the pass */
} counting;

/* Made by an operator of the same row, or counted before: what comes from outside passes once. */
static bool is_counted(counting *c, uint32_t op)
{
    for (uint32_t i = 0; i < c->n_seen; i++)
        if (c->seen[i] == op)
            return true;
    if (c->n_seen == MOST_INPUTS)
        return true; /* of so many the others are left out: a bound stays a bound */
    c->seen[c->n_seen++] = op;
    return false;
}

static bool names_memory(roof_rule rule)
{
    return rule == ROOF_RULE_ALIAS || rule == ROOF_RULE_CONVERT || rule == ROOF_RULE_CONSTANT ||
           rule == ROOF_RULE_INPUT;
}

/* A tensor of another width than the model's, such as weights of 4 bits, stays as it is, unless the model is
 * converted and it becomes narrower so. */
static double tensor_bytes(const config *c, const roof_graph *graph, const roof_tensor *t)
{
    uint32_t bits = tensor_bits(graph, t);
    bool is_converted = c->element_bytes * 8 != c->model_bits;
    bool is_element =
        !c->model_bits || !bits || bits == c->model_bits || (is_converted && bits / 8.0 > c->element_bytes);
    return (double)t->elements * (is_element ? c->element_bytes : bits / 8.0);
}

static uint64_t whole_bytes(double bytes)
{
    return bytes < 9e18 ? (uint64_t)bytes : ROOF_UNKNOWN;
}

static void recount(const law_fit *fit, const roof_graph *graph, const roof_work *work, law_cost *out)
{
    const config *c = fit->config;
    out->basis = ROOF_BASIS_FORMULA;
    counting n = {.graph = graph, .work = work};
    for (uint32_t i = 0; i < work->n_demands; i++) {
        const roof_op *op = &graph->ops[work->demands[i].op];
        if (names_memory(op->rule))
            continue;
        for (uint32_t k = 0; k < op->n_inputs; k++) {
            const roof_edge *edge = &n.graph->edges[op->first_input + k];
            const roof_op *producer = &n.graph->ops[edge->op];
            /* keys and values lie in memory; angles and masks of a row may be made where they are used */
            bool is_own = op->layer != ROOF_NONE && producer->layer == op->layer;
            bool is_given =
                producer->rule == ROOF_RULE_CONSTANT ||
                (producer->rule == ROOF_RULE_INPUT && (!is_own || op->rule == ROOF_RULE_ATTENTION));
            bool is_inside = is_own && !is_given;
            bool is_weight = producer->rule == ROOF_RULE_CONSTANT || edge->role == ROOF_ROLE_WEIGHTS ||
                             edge->role == ROOF_ROLE_BIAS;
            if (is_inside || is_counted(&n, edge->op))
                continue;
            const double bytes = tensor_bytes(c, graph, &producer->out);
            *(is_weight ? &n.weights : &n.input) += bytes;
            n.given += is_given && !is_weight ? bytes : 0;
        }
        n.output = tensor_bytes(c, graph, &op->out); /* of the last one */
    }
    out->traffic = (roof_traffic){.weights_bytes = whole_bytes(n.weights),
                                  .input_bytes = whole_bytes(n.input * fit->batch),
                                  .output_bytes = whole_bytes(n.output * fit->batch)};
    out->given_bytes = whole_bytes(n.weights + n.given * fit->batch);
}

static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *t, uint64_t *cycles,
                        roof_error *err)
{
    const config *c = fit->config;
    uint64_t all = roof_traffic_total(t);
    (void)work;
    (void)err;
    for (uint32_t e = fit->n_compute; e < fit->n_engines; e++) {
        uint64_t kept = c->capacity_bytes[e];
        bool is_known = c->bytes_per_s[e] > 0 && all != ROOF_UNKNOWN;
        cycles[e] = !is_known    ? ROOF_UNKNOWN
                    : all > kept ? law_cycles_for_bytes(all - kept, fit->clock_hz, c->bytes_per_s[e])
                                 : 0;
    }
    return ROOF_OK;
}

static bool cache_before(const law_fit *fit, uint32_t engine, law_cache *out)
{
    const config *c = fit->config;
    *out = (law_cache){c->bytes_per_s[engine], c->capacity_bytes[engine]};
    return true;
}

static const char *const needed_keys[] = {"clock", "peak.rate", "element.bytes", NULL};

const cycle_law law_cpu = {
    .id = "cpu",
    .doc = "one peak, and one bandwidth for each level of memory",
    .is_partial = true,
    .first_engine = "compute",
    .keys = needed_keys,
    .configure = configure,
    .add_op = add_op,
    .rate_of = rate_of,
    .at_type = at_type,
    .recount = recount,
    .cache_before = cache_before,
    .move = move,
    .engine_of = law_macs_on_array,
};
