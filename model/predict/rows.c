/* Rows of a prediction: what the law makes of each row of the program. */
#include "model/predict/predictor.h"
#include "model/work/opmap.h"

/* Tolerance of ratios, since times and rates are rounded. */
#define SLACK 1e-12

/* ---- cost ---- */

roof_status predictor_forget_cost(roof_cost *cost, uint32_t n_engines, roof_arena *arena, roof_error *err)
{
    *cost = (roof_cost){.traffic = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0},
                        .cycles = NEW_ARRAY(arena, uint64_t, n_engines),
                        .bytes_basis = ROOF_BASIS_NONE,
                        .cycles_basis = ROOF_BASIS_NONE,
                        .ideal_cycles = ROOF_UNKNOWN,
                        .bound = ROOF_NONE,
                        .ideal_s = NAN};
    for (uint32_t e = 0; cost->cycles && e < n_engines; e++)
        cost->cycles[e] = ROOF_UNKNOWN;
    return cost->cycles ? ROOF_OK : error_memory(err);
}

void predictor_add_basis(roof_basis *sum, roof_basis basis)
{
    if (basis != ROOF_BASIS_NONE && basis > *sum)
        *sum = basis;
}

/* The engine with most cycles is the bottleneck; among equals the first, so that an engine comes before
 * memory. */
static void set_ideal(const predictor *p, roof_cost *cost)
{
    cost->ideal_cycles = law_most_cycles(cost->cycles, p->fit.n_binding, &cost->bound);
    if (cost->bound == ROOF_NONE && p->view.lacks_rate) /* nothing of it is known to take time */
        cost->ideal_cycles = ROOF_UNKNOWN;
    cost->ideal_s = cost->ideal_cycles == ROOF_UNKNOWN ? NAN : (double)cost->ideal_cycles / p->view.clock_hz;
}

/* given: NULL, or the bytes that there are before the pass. */
static roof_status set_cost(predictor *p, const roof_row *row, const roof_work *work, roof_cost *cost,
                            uint64_t *given)
{
    law_cost law;
    TRY(predictor_forget_cost(cost, p->fit.n_engines, p->arena, p->err));
    /* formulas are of shapes: where an operator's are unknown, so is the time of its row */
    const bool is_open =
        row->macs == ROOF_UNKNOWN && !row->is_stated && work->bytes_basis == ROOF_BASIS_FORMULA;
    FOR_EACH(const roof_demand, d, work->demands, is_open ? work->n_demands : 0)
        if (rule_lacks_shape(&p->program.graph->ops[d->op]))
            return ROOF_OK;
    TRY(law_apply(&p->fit, p->program.graph, work, &law, p->err));
    if (given)
        *given = law.given_bytes;
    cost->bytes_basis = law.basis;
    if (law.basis != ROOF_BASIS_NONE)
        cost->traffic = law.traffic;
    if (!row->is_timed)
        return ROOF_OK;
    memcpy(cost->cycles, law.cycles, p->fit.n_engines * sizeof *law.cycles);
    bool is_known = work->cycles && p->fit.takes_known_cycles;
    cost->cycles_basis = is_known || work->commands ? work->cycles_basis : ROOF_BASIS_FORMULA;
    for (uint32_t e = 0; e < p->fit.n_compute && !is_known && !work->hides_compute && !p->view.lacks_rate;
         e++)
        if (law.cycles[e] == ROOF_UNKNOWN)
            FIND(&p->found, row->is_remainder ? NULL : row->name, MISSING_ENGINE,
                 AS_TEXT(p->fit.engines[e].name));
    set_ideal(p, cost);
    return ROOF_OK;
}

/* ---- estimates of a compiler, and traffic by memory ---- */

static roof_status set_estimate(predictor *p, const roof_row *row, roof_layer_prediction *out)
{
    roof_remark remark;
    if (!p->program.memories)
        return ROOF_OK;
    roof_compiler_estimate *e = &out->estimate;
    *e = p->law->estimate(p->fit.config, row);
    if (p->law->is_beyond_units && p->law->is_beyond_units(p->fit.config, row, &remark))
        finding_add(&p->found, row->name, &remark);
    if (e->stored_cycles != ROOF_UNKNOWN && e->cycles != ROOF_UNKNOWN && e->stored_cycles != e->cycles)
        FIND(&p->found, row->name, VENDOR_DIFFERS, AS_COUNT(e->stored_cycles), AS_COUNT(e->cycles));
    TRY(law_scale(&e->cycles, p->fit.batch, p->err));
    return law_scale(&e->stored_cycles, p->fit.batch, p->err);
}

/* ---- the roofline ---- */

/* Counts of one engine in a row itself: two operations for a multiply-accumulate, without the bias that
 * waits behind its adders. Where no operators are known, all counted operations are the array's. */
static void count_engine(const predictor *p, const roof_row *row, uint32_t engine, uint64_t *macs,
                         uint64_t *ops)
{
    *macs = row->is_stated ? ROOF_UNKNOWN : 0;
    *ops = row->is_stated && engine == ROOF_ENGINE_ARRAY ? row->ops_count : 0;
    FOR_EACH(const roof_demand, d, row->work.demands, row->is_stated ? 0 : row->work.n_demands) {
        if (d->macs == ROOF_UNKNOWN || d->ops_count == ROOF_UNKNOWN ||
            p->law->engine_of(p->program.graph->ops[d->op].rule) != engine)
            continue;
        *macs += d->macs;
        *ops += d->macs ? 2 * d->macs : d->ops_count;
    }
}

static roof_status set_ratios(const predictor *p, const roof_row *row, roof_layer_prediction *out)
{
    if (out->deployed.bytes_basis == ROOF_BASIS_NONE)
        return ROOF_OK;
    /* NaN where there are more MACs than the cycles of the file's code hold */
    double seconds = out->deployed.ideal_s;
    double use = 2.0 * known_count(out->array_macs) / (seconds * p->out->hardware.peak_ops_per_s);
    if (seconds > 0 && use <= 1 + SLACK)
        out->utilisation_ratio = use;
    if (out->ops_count == ROOF_UNKNOWN)
        return ROOF_OK;
    uint64_t total = roof_traffic_total(&out->deployed.traffic);
    double bytes = total == ROOF_UNKNOWN ? 0 : (double)total;
    /* the row counts the engine that takes longest of those that compute: work of others meanwhile is below
     * roofs of their own. Counts beyond the engine's peak contradict its cycles, and have no place there; nor
     * have those of an engine without one */
    uint32_t engine = ROOF_NONE;
    uint64_t longest = law_most_cycles(out->deployed.cycles, p->fit.n_compute, &engine);
    uint64_t macs, ops = ROOF_UNKNOWN;
    if (engine != ROOF_NONE)
        count_engine(p, row, engine, &macs, &ops);
    TRY(law_scale(&ops, p->fit.batch, p->err));
    if (ops != ROOF_UNKNOWN && p->fit.engines[engine].most_per_cycle > 0 &&
        (double)ops <= (double)longest * p->fit.engines[engine].most_per_cycle * (1 + SLACK)) {
        out->roof = engine;
        out->roof_ops_count = ops;
    }
    if (bytes > 0)
        out->intensity_ops_per_byte = known_count(out->roof_ops_count) / bytes;
    if (out->deployed.ideal_s > 0)
        out->attainable_ops_per_s = known_count(out->roof_ops_count) / out->deployed.ideal_s;
    return ROOF_OK;
}

/* ---- rows ---- */

/* Memories of the program that are one memory of the hardware have one transfer. */
static roof_status add_transfers(predictor *p, const roof_row *row, roof_layer_prediction *out)
{
    TRY(ARENA_GET(p->arena, out->transfers, row->work.n_transfers, p->err));
    for (uint32_t i = 0; i < row->work.n_transfers; i++) {
        roof_transfer moved = row->work.transfers[i], *t = out->transfers;
        const uint32_t memory = p->fit.memory_of ? p->fit.memory_of[moved.memory] : moved.memory;
        moved.memory = p->fit.memories[memory].engine;
        TRY(law_scale(&moved.read_bytes, p->fit.batch, p->err));
        TRY(law_scale(&moved.write_bytes, p->fit.batch, p->err));
        while (t < out->transfers + out->n_transfers && t->memory != moved.memory)
            t++;
        if (t == out->transfers + out->n_transfers) {
            out->transfers[out->n_transfers++] = moved;
            continue;
        }
        if (!checked_add_known(&t->read_bytes, moved.read_bytes) ||
            !checked_add_known(&t->write_bytes, moved.write_bytes))
            return error_set(p->err, ROOF_E_LIMIT, "the bytes of row '%.200s' overflow 64 bits", row->name);
        t->stated_cycles += moved.stated_cycles;
    }
    return ROOF_OK;
}

/* Cycles of the first engine for multiply-accumulates that another algorithm does not make. */
static void spare_cycles(predictor *p, const roof_row *row, const roof_cost *cost)
{
    double all = 0, spared = 0;
    FOR_EACH(const roof_demand, d, row->work.demands, p->law->spared_ratio ? row->work.n_demands : 0) {
        const double ratio = p->law->spared_ratio(&p->fit, &p->program.graph->ops[d->op]);
        if (d->macs == ROOF_UNKNOWN)
            continue;
        all += (double)d->macs;
        spared += ratio * (double)d->macs;
        p->n_spared += ratio > 0;
    }
    if (spared > 0 && cost->cycles[ROOF_ENGINE_ARRAY] != ROOF_UNKNOWN)
        p->spared_cycles += row->repeat * (double)cost->cycles[ROOF_ENGINE_ARRAY] * spared / all;
}

static roof_status add_row(predictor *p, const roof_row *row, law_pass_row *pass)
{
    roof_layer_prediction *out = &p->out->layers[p->out->n_layers++];
    *out = (roof_layer_prediction){.index = p->out->n_layers,
                                   .name = row->name,
                                   .subgraph = row->part,
                                   .type = row->type,
                                   .device = p->program.words[row->executor],
                                   .ops = row->ops,
                                   .n_ops = row->n_ops,
                                   .shape = row->shape,
                                   .executor = row->executor,
                                   .repeat = row->repeat,
                                   .is_remainder = row->is_remainder,
                                   .macs = row->macs,
                                   .ops_count = row->ops_count,
                                   .workload_ops = row->workload_ops,
                                   .stored_workload_ops = row->stored_workload_ops,
                                   .has_alone = row->alone,
                                   .predicted_s = NAN,
                                   .about_s = NAN,
                                   .least_bytes = ROOF_UNKNOWN,
                                   .roof = ROOF_NONE,
                                   .roof_ops_count = ROOF_UNKNOWN,
                                   .intensity_ops_per_byte = NAN,
                                   .attainable_ops_per_s = NAN,
                                   .utilisation_ratio = NAN,
                                   .estimate = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_NONE}};
    uint64_t array_ops;
    roof_remark assumed;
    count_engine(p, row, ROOF_ENGINE_ARRAY, &out->array_macs, &array_ops);
    if (row->macs == ROOF_UNKNOWN)
        out->array_macs = ROOF_UNKNOWN;
    TRY(law_scale(&out->macs, p->fit.batch, p->err));
    TRY(law_scale(&out->ops_count, p->fit.batch, p->err));
    TRY(law_scale(&out->array_macs, p->fit.batch, p->err));
    TRY(set_cost(p, row, &row->work, &out->deployed, &pass->given_bytes));
    if (!row->is_timed || out->deployed.bytes_basis == ROOF_BASIS_NONE)
        pass->given_bytes = 0;
    if (row->is_timed)
        spare_cycles(p, row, &out->deployed);
    pass->cycles = out->deployed.cycles;
    pass->repeat = row->repeat;
    if (row->alone)
        TRY(set_cost(p, row, row->alone, &out->alone, NULL));
    /* known where every operator says it */
    if (p->law->load && row->work.bytes_basis == ROOF_BASIS_FORMULA && row->work.n_demands)
        out->least_bytes = 0;
    FOR_EACH(const roof_demand, d, row->work.demands, row->work.n_demands)
        (void)checked_add_known(&out->least_bytes, d->least_bytes ? d->least_bytes : ROOF_UNKNOWN);
    TRY(law_scale(&out->least_bytes, p->fit.batch, p->err));
    if (p->law->assumes && p->law->assumes(&p->fit, p->program.graph, row, &assumed))
        finding_add(&p->found, row->name, &assumed);
    TRY(set_estimate(p, row, out));
    return add_transfers(p, row, out);
}

roof_status predictor_add_rows(predictor *p)
{
    const uint32_t n = p->program.n_rows;
    law_pass_row *pass;
    TRY(ARENA_GET(p->arena, p->out->layers, n, p->err));
    TRY(ARENA_GET(p->rows, pass, n, p->err));
    TRY(ARENA_GET(p->rows, p->least_cycles, p->fit.n_engines, p->err));
    for (uint32_t i = 0; i < n; i++)
        TRY(add_row(p, &p->program.rows[i], &pass[i]));
    for (uint32_t i = 0; i < n; i++) {
        roof_layer_prediction *out = &p->out->layers[i];
        if (!pass[i].given_bytes || out->has_alone)
            continue;
        out->alone = out->deployed;
        TRY(ARENA_KEEP(p->arena, out->alone.cycles, p->fit.n_engines, p->err));
    }
    law_share_caches(&p->fit, pass, n, p->least_cycles);
    for (uint32_t i = 0; i < n; i++) {
        roof_layer_prediction *out = &p->out->layers[i];
        if (pass[i].given_bytes && !out->has_alone) {
            set_ideal(p, &out->deployed);
            out->has_alone = out->shares_cache = out->deployed.ideal_cycles != out->alone.ideal_cycles;
        }
        TRY(set_ratios(p, &p->program.rows[i], out));
    }
    return ROOF_OK;
}
