/* Sums over the rows of a prediction, and the findings that need all of them. */
#include "model/graph/format.h"
#include "model/predict/predictor.h"
#include "model/work/opmap.h"
#include "model/work/traffic.h"

enum { DISTINCT_TYPES = 32 };

/* Adds a count as often as it is repeated. needs_all: the sum is ROOF_UNKNOWN when one term is. */
static roof_status add(predictor *p, uint64_t *sum, uint64_t term, uint32_t repeat, bool needs_all)
{
    TRY(law_scale(&term, repeat, p->err));
    if (needs_all ? checked_add_known(sum, term)
                  : term == ROOF_UNKNOWN || *sum == ROOF_UNKNOWN ||
                        (!__builtin_add_overflow(*sum, term, sum) && *sum != ROOF_UNKNOWN))
        return ROOF_OK;
    return error_set(p->err, ROOF_E_LIMIT, "a total overflows 64 bits");
}

/* The sum has the counts that a compiler states of a row, and lacks those that it leaves out. In a row of
 * operators, those without a rule count as 0, which a finding says, and CPU operators have no traffic of the
 * accelerator. */
static roof_status add_count(predictor *p, const roof_row *row, uint64_t *sum, uint64_t term)
{
    return add(p, sum, term, row->repeat, row->is_stated);
}

static roof_status add_cost(predictor *p, const roof_row *row, roof_cost *sum, const roof_cost *cost)
{
    uint64_t reads = cost->traffic.weights_bytes;
    /* of moves that are unknown nothing is added */
    if (cost->traffic.unsplit_bytes || cost->traffic.output_bytes == ROOF_UNKNOWN)
        reads = cost->traffic.unsplit_bytes ? cost->traffic.unsplit_bytes : ROOF_UNKNOWN;
    else if (!checked_add_known(&reads, cost->traffic.input_bytes))
        return error_set(p->err, ROOF_E_LIMIT, "a total overflows 64 bits");
    if (cost->traffic.unsplit_bytes) /* then neither of them is known, of the sum as well */
        sum->traffic.weights_bytes = sum->traffic.input_bytes = ROOF_UNKNOWN;
    TRY(add_count(p, row, &sum->traffic.weights_bytes, cost->traffic.weights_bytes));
    TRY(add_count(p, row, &sum->traffic.input_bytes, cost->traffic.input_bytes));
    TRY(add_count(p, row, &sum->traffic.output_bytes, cost->traffic.output_bytes));
    TRY(add_count(p, row, &sum->traffic.instruction_bytes, cost->traffic.instruction_bytes));
    TRY(add_count(p, row, &sum->traffic.unsplit_bytes, reads));
    for (uint32_t e = 0; e < p->fit.n_engines; e++) {
        if (sum->cycles[e] == ROOF_UNKNOWN && cost->cycles[e] != ROOF_UNKNOWN)
            sum->cycles[e] = 0; /* an engine is unknown in the sum only when no row knows it */
        TRY(add(p, &sum->cycles[e], cost->cycles[e], row->repeat, false));
    }
    TRY(add(p, &sum->ideal_cycles, cost->ideal_cycles, row->repeat, false));
    predictor_add_basis(&sum->bytes_basis, cost->bytes_basis);
    predictor_add_basis(&sum->cycles_basis, cost->cycles_basis);
    return ROOF_OK;
}

/* The bottleneck of the network is the engine whose layers take most of the ideal time. */
static void finish_cost(predictor *p, roof_cost *sum, bool alone)
{
    uint64_t bound_cycles[ROOF_MAX_ENGINES] = {0};
    sum->bound = ROOF_NONE;
    FOR_EACH(const roof_layer_prediction, row, p->out->layers, p->out->n_layers) {
        const roof_cost *cost = alone ? &row->alone : &row->deployed;
        if (alone && (!row->has_alone || row->shares_cache))
            continue;
        if (cost->bound != ROOF_NONE)
            bound_cycles[cost->bound] += cost->ideal_cycles * row->repeat; /* the sum was checked */
    }
    law_most_cycles(bound_cycles, p->fit.n_engines, &sum->bound);
    sum->ideal_s = sum->ideal_cycles == ROOF_UNKNOWN ? NAN : (double)sum->ideal_cycles / p->view.clock_hz;
    if (sum->traffic.weights_bytes != ROOF_UNKNOWN)
        sum->traffic.unsplit_bytes = 0;
}

static uint64_t total_bytes(const roof_traffic *t)
{
    const uint64_t bytes = roof_traffic_total(t);
    return bytes == ROOF_UNKNOWN ? 0 : bytes;
}

/* Cycles of all engines that compute. */
static uint64_t compute_cycles(const predictor *p, const roof_cost *cost)
{
    uint64_t sum = 0;
    for (uint32_t e = 0; e < p->fit.n_compute; e++)
        sum += cost->cycles[e] == ROOF_UNKNOWN ? 0 : cost->cycles[e];
    return sum;
}

/* A tenth of the shortest empty launch that the database has (launch.floor). A rate of a shorter time is one
 * of nothing that can be called. */
#define SHORTEST_CALL_S 1e-6

bool predictor_has_rate(const predictor *p, double seconds)
{
    bool has = seconds > 0 && (p->least_call_s > 0 || seconds >= SHORTEST_CALL_S);
    /* where something has to run whose work is unknown, times are of a part */
    for (uint32_t i = 0; i < p->program.n_rows && i < p->out->n_layers && has; i++) {
        const roof_row *row = &p->program.rows[i];
        has = row->executor == ROOF_BY_NOBODY || !row->work.n_demands ||
              p->program.graph->ops[row->work.demands->op].rule != ROOF_RULE_UNKNOWN ||
              p->out->layers[i].deployed.ideal_cycles != ROOF_UNKNOWN;
    }
    return has;
}

/* In this time each. Cores work on different images and share the memory: more of them help until its
 * bandwidth is used up. moved: in seconds, of one pass. */
static double rate_in(const predictor *p, double time_s, double moved_s)
{
    const double batch = p->fit.batch;
    if (!predictor_has_rate(p, time_s))
        return NAN;
    const double rate = batch * p->view.cores / fmax(time_s, p->least_call_s);
    return moved_s > 0 ? fmin(rate, batch / moved_s) : rate;
}

void predictor_rates(predictor *p)
{
    const double scheduled_s = p->out->schedule.scheduled_s;
    double bytes = (double)total_bytes(&p->out->total.deployed.traffic);
    p->out->total.intensity_ops_per_byte = bytes > 0 ? known_count(p->out->total.ops_count) / bytes : NAN;
    /* traffic of the host on its own keeps no core from the memory */
    for (uint32_t i = 0; i < p->out->n_layers; i++)
        if (p->out->layers[i].executor == ROOF_BY_HOST)
            bytes -= (double)total_bytes(&p->out->layers[i].deployed.traffic) * p->out->layers[i].repeat;
    const uint32_t memory = p->fit.external_memory;
    if (memory && p->out->total.deployed.cycles) /* behind caches, which take a part of the bytes */
        bytes =
            known_count(p->out->total.deployed.cycles[memory]) / p->fit.clock_hz * p->view.memory_bytes_per_s;
    const double moved_s = p->view.memory_bytes_per_s > 0 ? bytes / p->view.memory_bytes_per_s : 0;
    p->out->total.inferences_per_s =
        rate_in(p, isnan(scheduled_s) ? p->out->total.deployed.ideal_s : scheduled_s, moved_s);
    p->out->total.most_inferences_per_s = rate_in(p, roof_best_s(p->out), moved_s);
}

static roof_status add_row(predictor *p, const roof_row *work, const roof_layer_prediction *row)
{
    bool is_accelerated = row->executor != ROOF_BY_HOST && !row->is_remainder;
    TRY(add_count(p, work, &p->out->total.macs, row->macs));
    TRY(add_count(p, work, &p->out->total.array_macs, row->array_macs));
    TRY(add_count(p, work, &p->out->total.ops_count, row->ops_count));
    TRY(add_cost(p, work, &p->out->total.deployed, &row->deployed));
    FOR_EACH(const roof_transfer, moved, row->transfers, row->n_transfers) {
        roof_pool_rates *pool = p->out->hardware.pools;
        while (pool->engine != moved->memory)
            pool++;
        TRY(add(p, &pool->read_bytes, moved->read_bytes, work->repeat, true));
        TRY(add(p, &pool->write_bytes, moved->write_bytes, work->repeat, true));
    }
    TRY(add(p, &p->out->total.estimate.cycles, row->estimate.cycles, 1, true));
    TRY(add(p, &p->out->total.estimate.stored_cycles, row->estimate.stored_cycles, 1, true));
    p->out->total.layers += is_accelerated;
    p->out->total.boundaries += work->is_boundary ? work->repeat : 0;
    p->out->total.host_layers += row->executor == ROOF_BY_HOST;
    if (is_accelerated && row->has_alone && !row->shares_cache)
        TRY(add_cost(p, work, &p->out->total.alone, &row->alone));
    return ROOF_OK;
}

/* rest: bytes and cycles of the part of the instruction stream that belongs to no layer. */
static roof_status sum_rows(predictor *p, uint64_t *rest_bytes, uint64_t *rest_cycles)
{
    bool every_alone = p->graph->compiled, is_any_timed = !p->out->n_layers, is_any_counted = is_any_timed,
         is_any_work = is_any_timed, is_any_moved = is_any_timed, lacks_macs = false;
    for (uint32_t i = 0; i < p->out->n_layers; i++) {
        const roof_layer_prediction *row = &p->out->layers[i];
        TRY(add_row(p, &p->program.rows[i], row));
        every_alone = every_alone && ((row->has_alone && !row->shares_cache) || row->is_remainder ||
                                      row->executor == ROOF_BY_HOST);
        is_any_timed = is_any_timed || row->deployed.ideal_cycles != ROOF_UNKNOWN;
        is_any_counted = is_any_counted || row->macs != ROOF_UNKNOWN;
        lacks_macs = lacks_macs || row->macs == ROOF_UNKNOWN;
        is_any_work = is_any_work || row->ops_count != ROOF_UNKNOWN;
        is_any_moved = is_any_moved || row->deployed.traffic.output_bytes != ROOF_UNKNOWN ||
                       row->deployed.traffic.unsplit_bytes;
        if (!row->is_remainder)
            continue;
        if (row->deployed.bytes_basis == ROOF_BASIS_CODE)
            *rest_bytes += total_bytes(&row->deployed.traffic);
        *rest_cycles += compute_cycles(p, &row->deployed);
    }
    p->out->total.has_alone = every_alone && p->out->total.layers > 0;
    /* a sum over no row of which it is known is not 0, nor is one over rows that have none beside others */
    if (!is_any_timed)
        p->out->total.deployed.ideal_cycles = ROOF_UNKNOWN;
    if (!is_any_counted || (lacks_macs && !p->out->total.macs))
        p->out->total.macs = p->out->total.array_macs = ROOF_UNKNOWN;
    if (!is_any_work)
        p->out->total.ops_count = ROOF_UNKNOWN;
    if (!is_any_moved)
        p->out->total.deployed.traffic =
            (roof_traffic){ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN,
                           p->out->total.deployed.traffic.unsplit_bytes};
    return ROOF_OK;
}

typedef struct type_count {
    const char *type, *first;
    uint32_t n;
} type_count;

/* One finding per operator type, not per operator. */
static void find_ops_without_rule(predictor *p, roof_rule rule, bool lacks_shape, roof_form one,
                                  roof_form of_others)
{
    type_count types[DISTINCT_TYPES];
    uint32_t n_types = 0, others = 0;
    FOR_EACH(const roof_op, op, p->graph->ops, p->graph->n_ops) {
        /* unknown counts that the operator's row states are not taken for 0 */
        if (op->rule != rule || rule_lacks_shape(op) != lacks_shape ||
            (op->layer < p->program.n_rows && p->program.rows[op->layer].is_stated))
            continue;
        const uint32_t t = NAMED_AT(types, n_types, type, op->type);
        if (t == n_types && n_types == DISTINCT_TYPES)
            others++;
        else if (t == n_types)
            types[n_types++] = (type_count){op->type, op->name, 1};
        else
            types[t].n++;
    }
    for (uint32_t t = 0; t < n_types; t++)
        finding_add(
            &p->found, types[t].first,
            &(roof_remark){one, {AS_TEXT(types[t].type), AS_COUNT(types[t].n), AS_TEXT(types[t].first)}});
    if (others)
        finding_add(&p->found, NULL, &(roof_remark){of_others, {AS_COUNT(others)}});
}

static void find_pool(predictor *p, const roof_pool_rates *r)
{
    const roof_quantity *of_width = hw_view_pool(&p->view, r->name, "byte_width"),
                        *of_ratio = hw_view_pool(&p->view, r->name, "freq_ratio");
    const double width = of_width ? of_width->value : NAN, ratio = of_ratio ? of_ratio->value : NAN;
    if (isnan(r->bytes_per_s))
        FIND(&p->found, NULL, POOL_UNKNOWN, AS_TEXT(r->name));
    else if (isnan(r->vendor_bytes_per_s))
        FIND(&p->found, NULL, POOL_UNKNOWN_TO_COMPILER, AS_TEXT(r->name));
    if (isnan(r->bytes_per_s) || isnan(r->vendor_bytes_per_s))
        return;
    if (r->from_file &&
        ((!isnan(width) && width != r->byte_width) || (!isnan(ratio) && ratio != r->freq_ratio)))
        FIND(&p->found, NULL, FILE_POOL_DIFFERS, AS_TEXT(r->name), AS_COUNT(r->byte_width),
             AS("", r->freq_ratio), isnan(width) ? AS_TEXT("no value") : AS("", width),
             isnan(ratio) ? AS_TEXT("no value") : AS("", ratio), AS_TEXT(roof_hw_id(p->hw)));
    if (r->vendor_bytes_per_s > 0 && !(r->vendor_bytes_per_s * 1.5 > r->bytes_per_s))
        FIND(&p->found, NULL, POOL_PESSIMISTIC, AS_TEXT(r->name), AS("B/s", r->vendor_bytes_per_s),
             AS("B/s", r->bytes_per_s), AS_RATIO(r->bytes_per_s / r->vendor_bytes_per_s));
}

roof_status predictor_total(predictor *p)
{
    uint64_t rest_bytes = 0, rest_cycles = 0;
    TRY(ARENA_GET2(p->arena, p->out->total.deployed.cycles, p->out->total.alone.cycles, p->fit.n_engines,
                   p->err));
    for (uint32_t e = 0; e < p->fit.n_engines; e++)
        p->out->total.deployed.cycles[e] = p->out->total.alone.cycles[e] = ROOF_UNKNOWN;
    p->out->total.workload_ops = p->program.workload_ops;
    p->out->total.stored_workload_ops = p->program.stored_workload_ops;
    p->out->total.sums = work_sums(p->program.is_lowered && p->law->rate_of ? &p->program : NULL);
    p->out->total.estimate.bound = ROOF_NONE;
    if (!p->out->n_layers)
        p->out->total.estimate.cycles = p->out->total.estimate.stored_cycles = ROOF_UNKNOWN;
    TRY(sum_rows(p, &rest_bytes, &rest_cycles));
    finish_cost(p, &p->out->total.deployed, false);
    finish_cost(p, &p->out->total.alone, true);
    if (!graph_fits(p->graph)) { /* an operator that cannot run has no result, nor has a sum without it */
        p->out->total.macs = p->out->total.array_macs = p->out->total.ops_count = ROOF_UNKNOWN;
        p->out->total.has_alone = false;
        for (uint32_t i = 0; i < p->out->hardware.n_pools; i++)
            p->out->hardware.pools[i].read_bytes = p->out->hardware.pools[i].write_bytes = ROOF_UNKNOWN;
        TRY(predictor_forget_cost(&p->out->total.alone, p->fit.n_engines, p->arena, p->err));
        TRY(predictor_forget_cost(&p->out->total.deployed, p->fit.n_engines, p->arena, p->err));
    }
    bool is_known = p->out->total.deployed.ideal_cycles != ROOF_UNKNOWN;
    uint64_t least[ROOF_MAX_ENGINES] = {0};
    for (uint32_t e = 0; e < p->fit.n_engines; e++) {
        least[e] = p->out->total.deployed.cycles[e];
        if (least[e] != ROOF_UNKNOWN && least[e] < p->least_cycles[e])
            least[e] = p->least_cycles[e];
    }
    if (p->spared_cycles > 0 && least[ROOF_ENGINE_ARRAY] != ROOF_UNKNOWN)
        least[ROOF_ENGINE_ARRAY] -= (uint64_t)fmin(p->spared_cycles, (double)least[ROOF_ENGINE_ARRAY]);
    p->out->total.floor_bound = ROOF_NONE;
    p->out->total.floor_cycles =
        is_known ? law_most_cycles(least, p->fit.n_binding, &p->out->total.floor_bound) : ROOF_UNKNOWN;
    if (p->n_spared && is_known)
        FIND(&p->found, NULL, FAST_ALGORITHM, AS_COUNT(p->n_spared),
             AS("", (double)p->out->total.deployed.cycles[ROOF_ENGINE_ARRAY] /
                        (double)(least[ROOF_ENGINE_ARRAY] ? least[ROOF_ENGINE_ARRAY] : 1)));
    p->out->total.floor_s = is_known ? (double)p->out->total.floor_cycles / p->view.clock_hz : NAN;
    p->out->is_started_by_rows = p->program.is_started_by_rows;
    p->out->total.yield = p->program.yield;
    p->out->facts = p->program.facts;
    p->out->n_facts = p->program.n_facts;
    uint64_t all_bytes = total_bytes(&p->out->total.deployed.traffic),
             all_cycles = compute_cycles(p, &p->out->total.deployed);
    p->out->total.unattributed_bytes_ratio = all_bytes ? (double)rest_bytes / (double)all_bytes : 0;
    p->out->total.unattributed_cycles_ratio = all_cycles ? (double)rest_cycles / (double)all_cycles : 0;
    if (rest_bytes || rest_cycles)
        FIND(&p->found, NULL, UNATTRIBUTED, AS("B", rest_bytes),
             AS_RATIO(p->out->total.unattributed_bytes_ratio), AS_COUNT(rest_cycles),
             AS_RATIO(p->out->total.unattributed_cycles_ratio));
    for (uint32_t i = 0; i < p->out->hardware.n_pools; i++)
        find_pool(p, &p->out->hardware.pools[i]);
    findings_append(&p->found, &p->program.findings[ROOF_ABOUT_WHOLE]);
    const roof_cost *whole = &p->out->total.deployed, *alone = &p->out->total.alone;
    const uint64_t bytes_alone = total_bytes(&alone->traffic);
    if (p->out->total.has_alone && (all_bytes != bytes_alone || whole->ideal_cycles != alone->ideal_cycles))
        FIND(&p->found, NULL, LAYER_CODE_DIFFERS, AS("B", bytes_alone), AS_SECONDS(alone->ideal_s),
             AS("B", all_bytes), AS_SECONDS(whole->ideal_s));
    uint32_t accelerator = 0, host = 0;
    for (uint32_t s = p->graph->subgraphs[0].first_child; p->graph->compiled && s != ROOF_NONE;
         s = p->graph->subgraphs[s].next_sibling) {
        accelerator += p->graph->subgraphs[s].device == ROOF_DEVICE_ACCELERATOR;
        host += p->graph->subgraphs[s].device == ROOF_DEVICE_CPU;
    }
    if (accelerator > 1)
        FIND(&p->found, NULL, SPLIT_NETWORK, AS_COUNT(accelerator), AS_COUNT(host));
    find_ops_without_rule(p, ROOF_RULE_UNKNOWN, false, ROOF_FORM_UNKNOWN_OP, ROOF_FORM_UNKNOWN_OP_OTHERS);
    find_ops_without_rule(p, ROOF_RULE_UNKNOWN, true, ROOF_FORM_SHAPE_UNKNOWN,
                          ROOF_FORM_SHAPE_UNKNOWN_OTHERS);
    find_ops_without_rule(p, ROOF_RULE_HOST, false, ROOF_FORM_HOST_OP, ROOF_FORM_HOST_OP_OTHERS);
    return ROOF_OK;
}

double roof_layer_ideal_cycles(const roof_layer_prediction *layer)
{
    uint64_t cycles = layer->deployed.ideal_cycles;
    return cycles == ROOF_UNKNOWN ? NAN : (double)cycles * layer->repeat;
}

/* It is called for each row, and all but the last may take no time: what was found is kept. */
roof_answer_kind roof_rows_kind(const roof_prediction *prediction)
{
    bool any = prediction->rows_are_timed && prediction->has_row_time;
    for (uint32_t i = 0; !prediction->rows_are_timed && i < prediction->n_layers && !any; i++)
        any = prediction->layers[i].predicted_s > 0;
    return any && prediction->total.predicted_s > 0 ? ROOF_EXPECTED : ROOF_AT_LEAST;
}

bool roof_layer_is_left_out(const roof_prediction *prediction, const roof_layer_prediction *layer)
{
    const bool is_of_steps = prediction->is_language && !isnan(prediction->language.expected.parts_s[0]);
    return layer->executor == ROOF_BY_HOST && !is_of_steps &&
           (prediction->is_started_by_rows || !(layer->predicted_s > 0));
}

double roof_layer_seconds(const roof_prediction *prediction, const roof_layer_prediction *layer)
{
    const bool is_bound = roof_answer_is_bound(roof_rows_kind(prediction));
    if (!layer)
        return is_bound ? prediction->total.deployed.ideal_s : prediction->total.predicted_s;
    return layer->repeat * (is_bound ? layer->deployed.ideal_s : layer->predicted_s);
}

double roof_layer_share_ratio(const roof_prediction *prediction, const roof_layer_prediction *layer)
{
    double all = known_count(prediction->total.deployed.ideal_cycles);
    if (!roof_answer_is_bound(roof_rows_kind(prediction)))
        return layer->repeat * layer->predicted_s / prediction->total.predicted_s;
    return isnan(all) ? NAN : all > 0 ? roof_layer_ideal_cycles(layer) / all : 0;
}

/* A smaller part of the whole is the rounding of documents. */
#define LEAST_BESIDE_RATIO 1e-6

double roof_beside_layers_s(const roof_prediction *prediction)
{
    double rest = prediction->total.predicted_s;
    if (roof_answer_is_bound(roof_rows_kind(prediction)))
        return 0;
    for (uint32_t i = 0; i < prediction->n_layers; i++)
        if (!isnan(prediction->layers[i].predicted_s))
            rest -= prediction->layers[i].repeat * prediction->layers[i].predicted_s;
    return fabs(rest) > LEAST_BESIDE_RATIO * prediction->total.predicted_s ? rest : 0;
}

double roof_best_s(const roof_prediction *prediction)
{
    double scheduled_s = prediction->schedule.scheduled_s;
    return isnan(scheduled_s) ? prediction->total.floor_s : scheduled_s;
}

double roof_yield_per_s(const roof_prediction *prediction)
{
    const roof_yield *yield = &prediction->total.yield;
    return prediction->total.inferences_per_s * (yield->unit ? yield->count : 1);
}
