/* The roofline of a processor: one peak, and one bandwidth for each level of memory.
 *
 *   compute  macs / (peak multiply-accumulates a cycle), in the data type that the description is for
 *   l1       all bytes of a row / bandwidth of the first cache: every element of input, weights and output
 *   passes it once l2       what of them the first cache cannot hold / bandwidth of the second; l3 and memory
 *   likewise
 * Bytes are those of the tensors with elements of the description's data type, whatever another compiler made
 * of the model. They are at least as many: what a row makes and uses itself is not counted, and weights are
 * read once for all images.
 * Source: S. Williams et al., "Roofline" (CACM 2009), with one ceiling a level as in A. Ilic et al.,
 *   "Cache-aware Roofline" (2014).
 */
#include "core/error.h"
#include "model/laws/law.h"
#include "model/work/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPUTE, L1, L2, L3, MEMORY, ENGINES, MOST_INPUTS = 64 };

static const char *const names[ENGINES] = {"compute", "l1", "l2", "l3", "memory"};

typedef struct config {
    double macs_per_cycle, element_bytes;
    double bytes_per_s[ENGINES];      /* 0: not known */
    uint64_t capacity_bytes[ENGINES]; /* of the memory before it, which holds as much of a row */
} config;

static double value_of(const hw_view *view, const char *level, const char *what, double otherwise)
{
    char key[40];
    snprintf(key, sizeof key, "%s.%s", level, what);
    const roof_quantity *q = hw_view_get(view, key);
    return q && q->value >= 0 && q->value < 1e18 ? q->value : otherwise;
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
    out->config = c;
    const law_engine compute = {names[COMPUTE], meanings[COMPUTE], c->macs_per_cycle * 2};
    TRY(law_add_engine(out, &compute, true, err));
    for (int level = L1; level < ENGINES; level++) {
        c->bytes_per_s[level] =
            level == MEMORY ? view->memory_bytes_per_s : value_of(view, names[level], "bandwidth", 0);
        c->capacity_bytes[level] = level == L1 ? 0 : (uint64_t)value_of(view, names[level - 1], "bytes", 0);
        if (c->capacity_bytes[level] < c->capacity_bytes[level - 1])
            c->capacity_bytes[level] = c->capacity_bytes[level - 1];
        const law_engine engine = {names[level], meanings[level], c->bytes_per_s[level] / view->clock_hz};
        TRY(law_add_engine(out, &engine, false, err));
    }
    return ROOF_OK;
}

/* "peak.int8" of the machine, and elements of that size. */
static roof_status at_type(roof_hw *hw, const char *type, bool *is_known, roof_error *err)
{
    char key[40];
    uint32_t bits = data_type_bits(type);
    bool is_float = strncmp(type, "fp", 2) == 0; /* "peak.f16" is of fp16 */
    snprintf(key, sizeof key, is_float ? "peak.f%.20s" : "peak.%.20s", is_float ? type + 2 : type);
    const roof_quantity *rate = roof_hw_get(hw, key);
    *is_known = rate && rate->value > 0 && bits >= 8;
    if (!*is_known)
        return ROOF_OK;
    TRY(roof_hw_set(hw, "peak.rate", rate->value, "ops/s", key, err));
    return roof_hw_set(hw, "element.bytes", bits / 8.0, "B", "asked for, as a what-if", err);
}

static roof_status add_op(const void *config_, const roof_graph *g, const roof_demand *d, uint64_t *cycles,
                          roof_error *err)
{
    const config *c = config_;
    if (d->macs == ROOF_UNKNOWN)
        return ROOF_OK;
    double add = floor((double)d->macs / c->macs_per_cycle);
    if (!(add + (double)cycles[COMPUTE] < 1.8e19))
        return error_set(err, ROOF_E_LIMIT, "the cycles of op '%.200s' overflow 64 bits", g->ops[d->op].name);
    cycles[COMPUTE] += (uint64_t)add;
    return ROOF_OK;
}

/* --- bytes ---------------------------------------------------------------------------------------------- */

typedef struct counting {
    const roof_graph *graph;
    const roof_work *work;
    uint32_t seen[MOST_INPUTS], n_seen;
    double weights, input, output; /* elements */
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

static uint64_t bytes_of(double elements, double element_bytes)
{
    double bytes = elements * element_bytes;
    return bytes < 9e18 ? (uint64_t)bytes : ROOF_UNKNOWN;
}

static void recount(const law_fit *fit, const roof_graph *graph, const roof_work *work, roof_traffic *traffic,
                    roof_basis *basis)
{
    const config *c = fit->config;
    *basis = ROOF_BASIS_FORMULA;
    counting n = {.graph = graph, .work = work};
    for (uint32_t i = 0; i < work->n_demands; i++) {
        const roof_op *op = &graph->ops[work->demands[i].op];
        if (names_memory(op->rule))
            continue;
        for (uint32_t k = 0; k < op->n_inputs; k++) {
            const roof_edge *edge = &n.graph->edges[op->first_input + k];
            const roof_op *producer = &n.graph->ops[edge->op];
            bool is_inside = op->layer != ROOF_NONE && producer->layer == op->layer &&
                             producer->rule != ROOF_RULE_CONSTANT;
            bool is_weight = producer->rule == ROOF_RULE_CONSTANT || edge->role == ROOF_ROLE_WEIGHTS ||
                             edge->role == ROOF_ROLE_BIAS;
            if (!is_inside && !is_counted(&n, edge->op))
                *(is_weight ? &n.weights : &n.input) += (double)producer->out.elements;
        }
        n.output = (double)op->out.elements; /* of the last one */
    }
    *traffic = (roof_traffic){.weights_bytes = bytes_of(n.weights, c->element_bytes),
                              .input_bytes = bytes_of(n.input * fit->batch, c->element_bytes),
                              .output_bytes = bytes_of(n.output * fit->batch, c->element_bytes)};
}

static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *t, uint64_t *cycles,
                        roof_error *err)
{
    const config *c = fit->config;
    uint64_t all = roof_traffic_total(t);
    (void)work;
    (void)err;
    for (int level = L1; level < ENGINES; level++) {
        uint64_t kept = c->capacity_bytes[level];
        bool is_known = c->bytes_per_s[level] > 0 && all != ROOF_UNKNOWN;
        cycles[level] = !is_known    ? ROOF_UNKNOWN
                        : all > kept ? law_cycles_for_bytes(all - kept, fit->clock_hz, c->bytes_per_s[level])
                                     : 0;
    }
    return ROOF_OK;
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
    .at_type = at_type,
    .recount = recount,
    .move = move,
    .engine_of = law_macs_on_array,
};
