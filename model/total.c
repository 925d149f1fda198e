/* Sums over the rows of a prediction, and the findings that need all of them. */
#include "core/error.h"
#include "core/quantity.h"
#include "model/work/opmap.h"
#include "model/predictor.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DISTINCT_TYPES = 32 };

static roof_status add(predictor *p, uint64_t *sum, uint64_t term)
{
    if (term != ROOF_UNKNOWN && *sum != ROOF_UNKNOWN &&
        (__builtin_add_overflow(*sum, term, sum) || *sum == ROOF_UNKNOWN))
        return error_set(p->err, ROOF_E_LIMIT, "a total overflows 64 bits");
    return ROOF_OK;
}

static roof_status add_cost(predictor *p, roof_cost *sum, const roof_cost *cost)
{
    if (cost->bytes_basis == ROOF_BASIS_NONE && cost->cycles_basis == ROOF_BASIS_NONE)
        return ROOF_OK;
    TRY(add(p, &sum->traffic.weights_bytes, cost->traffic.weights_bytes));
    TRY(add(p, &sum->traffic.input_bytes, cost->traffic.input_bytes));
    TRY(add(p, &sum->traffic.output_bytes, cost->traffic.output_bytes));
    TRY(add(p, &sum->traffic.instruction_bytes, cost->traffic.instruction_bytes));
    TRY(add(p, &sum->traffic.unsplit_bytes, cost->traffic.unsplit_bytes));
    for (uint32_t e = 0; e < p->law->n_engines; e++) {
        if (sum->cycles[e] == ROOF_UNKNOWN && cost->cycles[e] != ROOF_UNKNOWN)
            sum->cycles[e] = 0; /* an engine is unknown in the sum only when no row knows it */
        TRY(add(p, &sum->cycles[e], cost->cycles[e]));
    }
    TRY(add(p, &sum->ideal_cycles, cost->ideal_cycles));
    /* a sum is as good as its worst term */
    if (cost->bytes_basis > sum->bytes_basis && cost->bytes_basis != ROOF_BASIS_NONE)
        sum->bytes_basis = cost->bytes_basis;
    if (cost->cycles_basis > sum->cycles_basis && cost->cycles_basis != ROOF_BASIS_NONE)
        sum->cycles_basis = cost->cycles_basis;
    return ROOF_OK;
}

/* The engine that binds the network is the one whose layers take most of the ideal time. */
static void finish_cost(predictor *p, roof_cost *sum, bool alone)
{
    uint64_t bound_cycles[ROOF_MAX_ENGINES] = {0}, most = 0;
    sum->bound = ROOF_NONE;
    for (uint32_t i = 0; i < p->prediction->n_layers; i++) {
        const roof_layer_prediction *row = &p->prediction->layers[i];
        const roof_cost *cost = alone ? &row->alone : &row->deployed;
        if (alone && !row->has_alone)
            continue;
        if (cost->bound != ROOF_NONE)
            bound_cycles[cost->bound] += cost->ideal_cycles;
    }
    for (uint32_t e = 0; e < p->law->n_engines; e++) {
        if (bound_cycles[e] > most) {
            most = bound_cycles[e];
            sum->bound = e;
        }
    }
    sum->ideal_s = (double)sum->ideal_cycles / p->view.clock_hz;
}

static uint64_t total_bytes(const roof_traffic *t)
{
    uint64_t bytes = roof_traffic_total(t);
    return bytes == ROOF_UNKNOWN ? 0 : bytes;
}

static void set_floor(predictor *p)
{
    roof_prediction *out = p->prediction;
    out->total.floor_cycles = 0;
    out->total.floor_bound = ROOF_NONE;
    for (uint32_t e = 0; e < p->law->n_engines; e++) {
        uint64_t cycles = out->total.deployed.cycles[e];
        if (cycles != ROOF_UNKNOWN && cycles > out->total.floor_cycles) {
            out->total.floor_cycles = cycles;
            out->total.floor_bound = e;
        }
    }
    out->total.floor_s = (double)out->total.floor_cycles / p->view.clock_hz;
}

/* Cores work on different images and share the memory: more of them help until its bandwidth is used up. */
static void set_rates(predictor *p)
{
    roof_prediction *out = p->prediction;
    double bytes = (double)total_bytes(&out->total.deployed.traffic);
    out->total.intensity_ops_per_byte = bytes > 0 ? (double)out->total.ops_count / bytes : NAN;
    out->total.inferences_per_s = NAN;
    if (!(out->total.deployed.ideal_s > 0))
        return;
    double rate = (double)p->batch * p->view.cores / out->total.deployed.ideal_s;
    if (p->view.memory_bytes_per_s > 0 && bytes > 0) {
        double memory_rate = p->batch * p->view.memory_bytes_per_s / bytes;
        rate = rate < memory_rate ? rate : memory_rate;
    }
    out->total.inferences_per_s = rate;
}

static roof_status sum_rows(predictor *p, uint64_t *remainder_bytes, uint64_t *remainder_cycles)
{
    roof_prediction *out = p->prediction;
    bool every_alone = p->graph->compiled;
    for (uint32_t i = 0; i < out->n_layers; i++) {
        const roof_layer_prediction *row = &out->layers[i];
        bool accelerator = strcmp(row->device, "CPU") != 0;
        TRY(add(p, &out->total.macs, row->macs));
        TRY(add(p, &out->total.array_macs, row->array_macs));
        TRY(add(p, &out->total.ops_count, row->ops_count));
        TRY(add_cost(p, &out->total.deployed, &row->deployed));
        if (row->is_remainder) {
            if (row->deployed.bytes_basis == ROOF_BASIS_CODE)
                *remainder_bytes += total_bytes(&row->deployed.traffic);
            for (uint32_t e = 0; e < p->law->n_compute; e++)
                *remainder_cycles += row->deployed.cycles[e] == ROOF_UNKNOWN ? 0 : row->deployed.cycles[e];
        } else if (accelerator) {
            out->total.layers++;
            out->total.boundaries += !row->skip_code_gen;
            every_alone = every_alone && row->has_alone;
            if (row->has_alone)
                TRY(add_cost(p, &out->total.alone, &row->alone));
        }
    }
    out->total.has_alone = every_alone && out->total.layers > 0;
    return ROOF_OK;
}

static roof_status find_remainder(predictor *p, uint64_t bytes, uint64_t cycles)
{
    roof_prediction *out = p->prediction;
    uint64_t all_bytes = total_bytes(&out->total.deployed.traffic), all_cycles = 0;
    for (uint32_t e = 0; e < p->law->n_compute; e++)
        all_cycles += out->total.deployed.cycles[e] == ROOF_UNKNOWN ? 0 : out->total.deployed.cycles[e];
    out->total.unattributed_bytes_ratio = all_bytes ? (double)bytes / (double)all_bytes : 0;
    out->total.unattributed_cycles_ratio = all_cycles ? (double)cycles / (double)all_cycles : 0;
    if (!bytes && !cycles)
        return ROOF_OK;
    return add_finding(p, ROOF_FINDING_UNATTRIBUTED, NULL,
                       "%" PRIu64 " bytes (%.2f %%) and %" PRIu64
                       " engine cycles (%.2f %%) of the instruction stream belong to no layer",
                       bytes, 100 * out->total.unattributed_bytes_ratio, cycles,
                       100 * out->total.unattributed_cycles_ratio);
}

static roof_status find_layer_code(predictor *p)
{
    const roof_prediction *out = p->prediction;
    uint64_t deployed = total_bytes(&out->total.deployed.traffic),
             alone = total_bytes(&out->total.alone.traffic);
    if (!out->total.has_alone ||
        (deployed == alone && out->total.deployed.ideal_cycles == out->total.alone.ideal_cycles))
        return ROOF_OK;
    char bytes[2][40], times[2][40];
    count_format(bytes[0], sizeof bytes[0], alone);
    count_format(bytes[1], sizeof bytes[1], deployed);
    quantity_format(times[0], sizeof times[0], out->total.alone.ideal_s, "s");
    quantity_format(times[1], sizeof times[1], out->total.deployed.ideal_s, "s");
    return add_finding(
        p, ROOF_FINDING_LAYER_CODE_DIFFERS, NULL,
        "one layer at a time, as a per-layer profile runs it, the network moves %s bytes in at least %s; "
        "deployed it moves %s bytes, ideal %s",
        bytes[0], times[0], bytes[1], times[1]);
}

/* Only DPUCZDX8G keeps its constants unpadded, so only there the stream must load exactly what the tensors
 * hold. */
static roof_status find_weight_bytes(predictor *p)
{
    const roof_graph *g = p->graph;
    for (uint32_t i = 0, row = 0; i < g->n_layers; i++, row++) {
        const roof_layer *layer = &g->layers[i];
        while (row < p->prediction->n_layers && p->prediction->layers[row].is_remainder)
            row++;
        const roof_cost *cost = &p->prediction->layers[row].deployed;
        if (cost->bytes_basis != ROOF_BASIS_CODE || g->subgraphs[layer->subgraph].fingerprint >> 56 != 1)
            continue;
        uint64_t want = layer_weight_bytes(g, layer) * p->passes;
        if (cost->traffic.weights_bytes != want)
            TRY(add_finding(p, ROOF_FINDING_WEIGHT_BYTES, layer->name,
                            "the instruction stream loads %" PRIu64
                            " bytes of weights, the tensors hold %" PRIu64,
                            cost->traffic.weights_bytes, want));
    }
    return ROOF_OK;
}

typedef struct type_count {
    const char *type, *first;
    uint32_t n;
} type_count;

/* One finding per operator type, not per operator. */
static roof_status find_ops_without_rule(predictor *p, roof_rule rule, roof_finding_kind kind,
                                         const char *what)
{
    type_count types[DISTINCT_TYPES];
    uint32_t n_types = 0, others = 0;
    for (uint32_t i = 0; i < p->graph->n_ops; i++) {
        const roof_op *op = &p->graph->ops[i];
        uint32_t t = 0;
        if (op->rule != rule)
            continue;
        while (t < n_types && strcmp(types[t].type, op->type) != 0)
            t++;
        if (t == n_types && n_types == DISTINCT_TYPES)
            others++;
        else if (t == n_types)
            types[n_types++] = (type_count){op->type, op->name, 1};
        else
            types[t].n++;
    }
    for (uint32_t t = 0; t < n_types; t++)
        TRY(add_finding(p, kind, types[t].first, "operator '%s' (%u of them, first '%s') %s", types[t].type,
                        types[t].n, types[t].first, what));
    return others ? add_finding(p, kind, NULL, "%u more operators of other types %s", others, what) : ROOF_OK;
}

static roof_status find_split(predictor *p)
{
    const roof_graph *g = p->graph;
    uint32_t accelerator = 0, host = 0;
    for (uint32_t s = g->subgraphs[0].first_child; g->compiled && s != ROOF_NONE;
         s = g->subgraphs[s].next_sibling) {
        accelerator += g->subgraphs[s].device == ROOF_DEVICE_ACCELERATOR;
        host += g->subgraphs[s].device == ROOF_DEVICE_CPU;
    }
    if (accelerator < 2)
        return ROOF_OK;
    return add_finding(p, ROOF_FINDING_SPLIT_NETWORK, NULL,
                       "the network is split into %u accelerator and %u host subgraphs", accelerator, host);
}

roof_status predictor_total(predictor *p)
{
    uint64_t remainder_bytes = 0, remainder_cycles = 0;
    roof_prediction *out = p->prediction;
    out->total.vendor_cycles = out->total.stored_vendor_cycles = ROOF_UNKNOWN;
    TRY(sum_rows(p, &remainder_bytes, &remainder_cycles));
    finish_cost(p, &out->total.deployed, false);
    finish_cost(p, &out->total.alone, true);
    set_floor(p);
    set_rates(p);
    TRY(find_remainder(p, remainder_bytes, remainder_cycles));
    TRY(find_weight_bytes(p));
    TRY(find_layer_code(p));
    TRY(find_split(p));
    TRY(find_ops_without_rule(p, ROOF_RULE_UNKNOWN, ROOF_FINDING_UNKNOWN_OP, "has no cost rule"));
    return find_ops_without_rule(p, ROOF_RULE_HOST, ROOF_FINDING_HOST_OP, "is a custom operator of the host");
}
