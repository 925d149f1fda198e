/* Figures of epochs, each out of counts of one clock. */
#include "measure/profile/profile.h"
#include "measure/profile/run_facts.h"
#include "measure/epochs/epochs_make.h"

#include <ctype.h>

/* A beat is read and one is written in a cycle. */
enum { BUS_BYTES_PER_CYCLE = 2 * COUNTER_BEAT_BYTES };

typedef struct maker {
    const roof_run *run;
    const roof_prediction *prediction; /* or NULL */
    const roof_hw *hw;                 /* what rates of memories are of without a prediction; or NULL */
    roof_epochs *out;
    epoch_index *index; /* of the prediction */
    roof_arena *arena;
} maker;

static uint64_t count_of(const roof_layer_counters *c, roof_event wanted)
{
    return counter_find(c->events, c->n_events, &wanted);
}

/* ---- cycles and times ---- */

/* Where the NPU's cycles are not counted they are converted from the CPU's. */
static void set_cycles(const maker *m, const roof_layer_counters *c, roof_measured_epoch *e)
{
    static const char *const phases[ROOF_EPOCH_PHASES] = {"pre", "core", "post"};
    double mcu_hz = m->out->mcu_hz, npu_hz = m->out->npu_hz, per_mcu = npu_hz / mcu_hz;
    for (int i = 0; i < ROOF_EPOCH_PHASES; i++) {
        e->mcu_cycles[i] = phase_cycles_of(c->phases, c->n_phases, phases[i], "mcu");
        e->npu_cycles[i] = phase_cycles_of(c->phases, c->n_phases, phases[i], "npu");
    }
    uint64_t outside = cycles_outside_core(c->phases, c->n_phases, "mcu"), all = outside;
    double core_mcu = known_count(e->mcu_cycles[ROOF_PHASE_CORE]),
           core_npu = known_count(e->npu_cycles[ROOF_PHASE_CORE]);
    checked_add_known(&all, e->mcu_cycles[ROOF_PHASE_CORE]);
    e->total_s = known_count(all) / mcu_hz;
    const double by_npu_s = quotient_of(core_npu, npu_hz);
    e->core_s = isnan(by_npu_s) ? core_mcu / mcu_hz : by_npu_s;
    e->npu_total_cycles = cycles_outside_core(c->phases, c->n_phases, "npu");
    checked_add_known(&e->npu_total_cycles, e->npu_cycles[ROOF_PHASE_CORE]);
    double converted = (isnan(core_npu) ? core_mcu * per_mcu : core_npu) + known_count(outside) * per_mcu;
    if (e->npu_total_cycles == ROOF_UNKNOWN && converted < 0x1p53) {
        e->npu_total_cycles = (uint64_t)(converted + 0.5);
        e->npu_total_is_converted = true;
    }
}

/* ---- what the compiler planned ---- */

static uint64_t array_cycles(const roof_cost *deployed)
{
    return deployed->cycles ? deployed->cycles[ROOF_ENGINE_ARRAY] : ROOF_UNKNOWN;
}

static uint64_t planned_count(const roof_layer_counters *c, roof_counter_quantity quantity)
{
    return count_of(
        c, (roof_event){.scope = ROOF_COUNTER_PROGRAM, .quantity = quantity, .origin = ROOF_COUNTER_PLANNED});
}

static void fill_in_plan(roof_measured_epoch *e, uint64_t ops, uint64_t compute, uint64_t vendor)
{
    e->ops_count = e->ops_count == ROOF_UNKNOWN ? ops : e->ops_count;
    e->compute_cycles = e->compute_cycles == ROOF_UNKNOWN ? compute : e->compute_cycles;
    e->vendor_cycles = e->vendor_cycles == ROOF_UNKNOWN ? vendor : e->vendor_cycles;
}

static void set_ratios(const maker *m, roof_measured_epoch *e)
{
    /* for a software epoch the compiler plans moving its data, not the CPU's work: ratios mean nothing */
    double npu = epoch_is_hosts(e) ? NAN : 1;
    double core = npu * e->core_s * m->out->npu_hz, all = npu * known_count(e->npu_total_cycles),
           compute = npu * known_count(e->compute_cycles), vendor = npu * known_count(e->vendor_cycles),
           ops = known_count(e->ops_count);
    e->vendor_error_ratio = quotient_of(vendor, core) - 1;
    e->compute_ratio = quotient_of(compute, all);
    e->core_compute_ratio = quotient_of(compute, core);
    e->ideal_ops_per_s = quotient_of(ops * m->out->npu_hz, compute);
    e->vendor_ops_per_s = quotient_of(ops * m->out->npu_hz, vendor);
    e->core_ops_per_s = quotient_of(ops * m->out->npu_hz, core);
    e->measured_ops_per_s = quotient_of(ops * m->out->npu_hz, all);
}

/* ---- flows ---- */

static void set_flow(const roof_measured_epoch *e, double most_bytes_per_s, roof_flow *f)
{
    double bytes = known_count(f->read_bytes) + known_count(f->write_bytes);
    f->peak_bytes_per_s = quotient_of(bytes, e->core_s);
    f->average_bytes_per_s = quotient_of(bytes, e->total_s);
    f->use_ratio = quotient_of(f->peak_bytes_per_s, most_bytes_per_s);
}

static void add_flow(roof_flow *sum, const roof_flow *f)
{
    checked_add_known(&sum->read_bytes, f->read_bytes);
    checked_add_known(&sum->write_bytes, f->write_bytes);
}

static void set_buses(const maker *m, const roof_layer_counters *c, roof_measured_epoch *e)
{
    static const char *const names[ROOF_BUS_INTERFACES] = {"busif 0", "busif 1"};
    roof_event bytes = {.scope = ROOF_COUNTER_BUS, .quantity = ROOF_COUNTER_BYTES};
    e->all_buses = (roof_flow){.name = "busif (total)"};
    for (int i = 0; i < ROOF_BUS_INTERFACES; i++) {
        roof_flow *f = &e->buses[i];
        f->name = names[i];
        bytes.index = (uint32_t)i;
        bytes.direction = ROOF_COUNTER_READ;
        f->read_bytes = count_of(c, bytes);
        bytes.direction = ROOF_COUNTER_WRITE;
        f->write_bytes = count_of(c, bytes);
        set_flow(e, BUS_BYTES_PER_CYCLE * m->out->npu_hz, f);
        add_flow(&e->all_buses, f);
    }
    set_flow(e, ROOF_BUS_INTERFACES * BUS_BYTES_PER_CYCLE * m->out->npu_hz, &e->all_buses);
}

/* Bandwidth of a pool in the device description, B/s, "mempool.octoflash.bandwidth"; NaN: none. */
static double pool_rate(const maker *m, const char *name)
{
    char *key = m->hw ? arena_printf(m->arena, "mempool.%s.bandwidth", name) : NULL;
    for (char *at = key; at && *at; at++)
        *at = (char)tolower((unsigned char)*at);
    const roof_quantity *rate = key ? roof_hw_get(m->hw, key) : NULL;
    return rate ? rate->value : (double)NAN;
}

/* The arena remembers that there was no memory for one. */
static void add_pool(const maker *m, roof_measured_epoch *e, roof_flow flow)
{
    roof_flow *pools = arena_grow(m->arena, e->pools, e->n_pools, sizeof *pools);
    if (!pools || !flow.name)
        return;
    const roof_prediction *p = m->prediction;
    const uint32_t i = p ? NAMED_AT(p->hardware.pools, p->hardware.n_pools, name, flow.name) : 0;
    set_flow(e, p && i < p->hardware.n_pools ? p->hardware.pools[i].bytes_per_s : pool_rate(m, flow.name),
             &flow);
    pools[e->n_pools++] = flow;
    e->pools = pools;
}

/* Adds the layers of a row: all epochs of a program; no plan tells anything of a part of an epoch. */
static void add_layers(const maker *m, roof_measured_epoch *e)
{
    const roof_prediction *p = m->prediction;
    roof_flow moved[ROOF_MAX_ENGINES] = {{.name = NULL}}; /* of engines that are memories */
    uint64_t ops = 0, compute = 0, vendor = 0;
    double ideal_s = 0;
    bool has_pools = e->n_pools;
    numbered_rows range;
    uint32_t layer;
    if (!p || !p->hardware.has_pools || !e->name || !graph_rows_named(e->name, &range) || range.is_part ||
        !epoch_index_claim(m->index, &range, &layer))
        return;
    do {
        const roof_layer_prediction *l = &p->layers[layer];
        ideal_s += l->deployed.ideal_s;
        checked_add_known(&ops, l->ops_count);
        checked_add_known(&compute, array_cycles(&l->deployed));
        checked_add_known(&vendor, l->estimate.cycles);
        for (uint32_t i = 0; i < p->n_engines; i++) {
            roof_transfer t = roof_layer_transfer(l, i);
            add_flow(&moved[i], &(roof_flow){.read_bytes = t.read_bytes, .write_bytes = t.write_bytes});
        }
    } while (epoch_index_claim(m->index, &range, &layer));
    fill_in_plan(e, ops, compute, vendor);
    e->ideal_s = epoch_is_hosts(e) ? NAN : ideal_s;
    for (uint32_t i = 0; i < ROOF_MAX_ENGINES && !has_pools; i++)
        if (moved[i].read_bytes || moved[i].write_bytes) {
            moved[i].name = p->engines[i];
            add_pool(m, e, moved[i]);
        }
}

static void sum_pools(roof_measured_epoch *e)
{
    roof_flow *all = &e->all_pools;
    *all = (roof_flow){.name = "total",
                       .read_bytes = e->n_pools ? 0 : ROOF_UNKNOWN,
                       .write_bytes = e->n_pools ? 0 : ROOF_UNKNOWN};
    for (uint32_t i = 0; i < e->n_pools; i++)
        add_flow(all, &e->pools[i]);
    set_flow(e, NAN, all);
}

/* ---- stream engines, and what came near its peak ---- */

/* Directions of a blob are not distinguished; each counter of an engine stands for itself. */
static void set_streams(const maker *m, const roof_layer_counters *c, roof_measured_epoch *e)
{
    double most = NAN;
    e->busiest_stream = ROOF_NONE;
    FOR_EACH(const roof_event, event, c->events, c->n_events)
        if (event->scope == ROOF_COUNTER_STREAM && event->quantity == ROOF_COUNTER_ACTIVE_CYCLES &&
            !((double)event->count <= most)) {
            most = (double)event->count;
            e->busiest_stream = event->index;
        }
    e->busiest_stream_ratio = quotient_of(most, e->core_s * m->out->npu_hz);
}

/* The plan of a software epoch is about its data, which the CPU moves: the NPU came near nothing. */
static void set_nearest(roof_measured_epoch *e)
{
    e->nearest_ratio = NAN;
    for (uint32_t i = 0; i < 1 + e->n_pools + ROOF_BUS_INTERFACES && !epoch_is_hosts(e); i++) {
        const roof_flow *f = !i ? NULL : i <= e->n_pools ? &e->pools[i - 1] : &e->buses[i - 1 - e->n_pools];
        double ratio = f ? f->use_ratio : e->core_compute_ratio;
        if (!(ratio > 0) || ratio <= e->nearest_ratio)
            continue;
        e->nearest = f ? f->name : "compute";
        e->nearest_ratio = ratio;
    }
}

/* ---- rows, types, the whole ---- */

static void fill(const maker *m, const roof_layer_counters *c, roof_measured_epoch *e)
{
    set_cycles(m, c, e);
    e->ideal_s = NAN;
    e->events = c->events;
    e->n_events = c->n_events;
    e->ops_count = planned_count(c, ROOF_COUNTER_OPS); /* what the profile itself says of it */
    e->compute_cycles = planned_count(c, ROOF_COUNTER_COMPUTE_CYCLES);
    e->vendor_cycles = planned_count(c, ROOF_COUNTER_MAX_CYCLES);
    for (uint32_t i = 0; i < c->n_events; i++) {
        /* of the whole run a tool may have added up itself what was planned for each pool */
        roof_event pool = c->events[i];
        if (pool.scope != ROOF_COUNTER_MEMORY || pool.direction != ROOF_COUNTER_READ ||
            (pool.origin == ROOF_COUNTER_SUMMED && e != &m->out->total))
            continue;
        pool.direction = ROOF_COUNTER_WRITE;
        add_pool(m, e,
                 (roof_flow){.name = arena_strdup(m->arena, pool.name),
                             .read_bytes = pool.count,
                             .write_bytes = count_of(c, pool)});
    }
    add_layers(m, e);
    set_ratios(m, e);
    set_buses(m, c, e);
    sum_pools(e);
    set_streams(m, c, e);
    set_nearest(e);
}

/* ---- sums of counters ---- */

/* Scopes that add up: the run does not state them, and every epoch of the NPU has them. Most epochs have no
 * extra ones. */
static void find_sums(const maker *m, bool wanted[ROOF_COUNTER_SCOPES])
{
    static const roof_counter_scope scopes[] = {ROOF_COUNTER_BUS, ROOF_COUNTER_STREAM, ROOF_COUNTER_CACHE,
                                                ROOF_COUNTER_UNIT, ROOF_COUNTER_OPERATION};
    for (size_t i = 0; i < N_OF(scopes); i++)
        wanted[scopes[i]] = true;
    FOR_EACH(const roof_measured_epoch, e, m->out->rows, m->out->n_rows) {
        bool has[ROOF_COUNTER_SCOPES] = {false};
        for (uint32_t k = 0; k < e->n_events; k++)
            has[e->events[k].scope] = true;
        for (int scope = 0; scope < ROOF_COUNTER_SCOPES && !epoch_is_hosts(e); scope++)
            wanted[scope] = wanted[scope] && has[scope];
    }
    wanted[ROOF_COUNTER_EXTRA] = true;
    for (uint32_t i = 0; i < m->run->n_events; i++)
        wanted[m->run->events[i].scope] = false;
}

static roof_status sum_events(const maker *m, roof_error *err)
{
    bool wanted[ROOF_COUNTER_SCOPES] = {false};
    const roof_run *run = m->run;
    roof_measured_epoch *t = &m->out->total;
    roof_event *sums = NULL;
    size_t n = 0;
    find_sums(m, wanted);
    for (uint32_t i = 0; i < m->out->n_rows; i++)
        for (uint32_t k = 0; k < m->out->rows[i].n_events; k++)
            if (wanted[m->out->rows[i].events[k].scope])
                TRY(ARENA_ADD(m->arena, sums, n, err, m->out->rows[i].events[k]));
    if (!n)
        return ROOF_OK;
    qsort(sums, n, sizeof *sums, counter_compare);
    size_t merged = 0;
    for (size_t i = 0; i < n; i++)
        if (merged && counter_compare(&sums[merged - 1], &sums[i]) == 0)
            checked_add_known(&sums[merged - 1].count, sums[i].count);
        else
            sums[merged++] = sums[i];
    n = merged;
    roof_layer_counters all = {.n_events = run->n_events + (uint32_t)n};
    TRY(ARENA_GET(m->arena, all.events, all.n_events, err));
    if (run->n_events)
        memcpy(all.events, run->events, run->n_events * sizeof *all.events);
    memcpy(all.events + run->n_events, sums, n * sizeof *sums);
    t->events = all.events;
    t->n_events = all.n_events;
    set_buses(m, &all, t);
    set_streams(m, &all, t);
    t->nearest = NULL;
    set_nearest(t);
    return ROOF_OK;
}

/* Where the tool has no totals: sums over the rows, unknown where one is. */
static void sum_rows(const maker *m, roof_measured_epoch *t)
{
    uint64_t *sums[] = {&t->npu_total_cycles, &t->ops_count, &t->compute_cycles, &t->vendor_cycles};
    for (int phase = 0; phase < ROOF_EPOCH_PHASES; phase++)
        t->mcu_cycles[phase] = t->npu_cycles[phase] = 0;
    for (size_t k = 0; k < N_OF(sums); k++)
        *sums[k] = 0;
    t->total_s = t->core_s = t->ideal_s = 0;
    FOR_EACH(const roof_measured_epoch, e, m->out->rows, m->out->n_rows) {
        const uint64_t terms[] = {e->npu_total_cycles, e->ops_count, e->compute_cycles, e->vendor_cycles};
        for (int phase = 0; phase < ROOF_EPOCH_PHASES; phase++) {
            checked_add_known(&t->mcu_cycles[phase], e->mcu_cycles[phase]);
            checked_add_known(&t->npu_cycles[phase], e->npu_cycles[phase]);
        }
        for (size_t k = 0; k < N_OF(sums); k++)
            checked_add_known(sums[k], terms[k]);
        t->npu_total_is_converted = t->npu_total_is_converted || e->npu_total_is_converted;
        t->total_s += e->total_s;
        t->core_s += e->core_s;
        t->ideal_s += epoch_is_hosts(e) ? 0 : e->ideal_s;
    }
}

/* Pools of all rows, where each epoch of the NPU has some and the tool adds none up. */
static void sum_row_pools(const maker *m, roof_measured_epoch *t)
{
    for (uint32_t i = 0; i < m->out->n_rows; i++)
        if (!epoch_is_hosts(&m->out->rows[i]) && !m->out->rows[i].n_pools)
            return;
    for (uint32_t i = 0; i < m->out->n_rows; i++)
        FOR_EACH(const roof_flow, f, m->out->rows[i].pools, m->out->rows[i].n_pools) {
            const uint32_t at = NAMED_AT(t->pools, t->n_pools, name, f->name);
            if (at == t->n_pools)
                add_pool(m, t, (roof_flow){.name = f->name});
            if (at < t->n_pools)
                add_flow(&t->pools[at], f);
        }
    for (uint32_t k = 0; k < t->n_pools; k++)
        set_flow(t, pool_rate(m, t->pools[k].name), &t->pools[k]);
    sum_pools(t);
}

static void set_total(maker *m)
{
    const roof_run *run = m->run;
    roof_epochs *out = m->out;
    roof_measured_epoch *t = &out->total;
    const roof_layer_counters whole = {.events = run->events,
                                       .n_events = run->n_events,
                                       .phases = run->phase_cycles,
                                       .n_phases = run->n_phase_cycles};
    t->name = "total";
    fill(m, &whole, t);
    if (!run->n_phase_cycles)
        sum_rows(m, t);
    const roof_prediction *p = m->prediction && m->prediction->hardware.has_pools ? m->prediction : NULL;
    if (p)
        fill_in_plan(t, p->total.ops_count, array_cycles(&p->total.deployed), p->total.estimate.cycles);
    if (p && run->n_phase_cycles)
        t->ideal_s = p->total.deployed.ideal_s;
    bool has_pools = t->n_pools;
    for (uint32_t i = 0; p && !has_pools && i < p->hardware.n_pools; i++) {
        const roof_pool_rates *r = &p->hardware.pools[i];
        add_pool(m, t,
                 (roof_flow){.name = r->name, .read_bytes = r->read_bytes, .write_bytes = r->write_bytes});
    }
    if (p && !has_pools)
        sum_pools(t);
    else if (!p && !has_pools)
        sum_row_pools(m, t);
    set_ratios(m, t);
    out->is_part = !run->n_phase_cycles && t->total_s < 0.99 * run->total.mean_s;
    double npu_hz = out->is_part ? NAN : out->npu_hz;
    out->ideal_inferences_per_s = quotient_of(npu_hz, known_count(t->compute_cycles));
    out->vendor_inferences_per_s = quotient_of(npu_hz, known_count(t->vendor_cycles));
    out->measured_inferences_per_s = quotient_of(out->is_part ? NAN : 1, t->total_s);
    t->time_share_ratio = 1;
}

/* Shares are of the whole inference, also where the profile lists a part of it. */
static void count_types(roof_epochs *out, double run_s)
{
    double all = 0;
    for (uint32_t i = 0; i < out->n_rows; i++)
        all += out->rows[i].total_s;
    if (run_s > all)
        all = run_s;
    FOR_EACH(roof_measured_epoch, e, out->rows, out->n_rows) {
        const char *name = e->type ? e->type : "?";
        uint32_t t = NAMED_AT(out->types, out->n_types, type, name);
        t = t < ROOF_MAX_EPOCH_TYPES ? t : ROOF_MAX_EPOCH_TYPES - 1; /* the last one stands for all others */
        roof_epoch_type *type = &out->types[t];
        if (t == out->n_types)
            out->types[out->n_types++].type = t == ROOF_MAX_EPOCH_TYPES - 1 ? "others" : name;
        e->time_share_ratio = quotient_of(e->total_s, all);
        type->n++;
        type->total_s += e->total_s;
        type->outside_core_s += e->total_s - known_count(e->mcu_cycles[ROOF_PHASE_CORE]) / out->mcu_hz;
        type->time_share_ratio = quotient_of(type->total_s, all);
    }
}

roof_status epochs_make(const roof_run *run, const roof_prediction *p, const roof_hw *hw, roof_arena *arena,
                        roof_epochs **out, roof_error *err)
{
    uint32_t n_rows = 0;
    *out = NULL;
    for (uint32_t i = 0; i < run->n_layers; i++)
        n_rows += run->layers[i].counters && run->layers[i].counters->n_phases;
    if (!n_rows && !run->n_phase_cycles)
        return ROOF_OK;
    roof_epochs *made = NEW(arena, roof_epochs);
    maker m = {.run = run, .prediction = p, .hw = hw, .out = made, .arena = arena};
    TRY(ALLOCATED(made, err));
    made->mcu_hz = run_clock_hz(run, "mcu");
    made->npu_hz = run_clock_hz(run, "npu");
    made->rows = NEW_ARRAY(arena, roof_measured_epoch, n_rows);
    m.index = epoch_index_new(p, arena);
    TRY(ALLOCATED(made->rows && m.index, err));
    FOR_EACH(const roof_measured_layer, row, run->layers, run->n_layers) {
        if (!row->counters || !row->counters->n_phases)
            continue;
        roof_measured_epoch *e = &made->rows[made->n_rows++];
        e->name = row->name;
        e->type = row->type;
        e->row = row;
        fill(&m, row->counters, e);
        made->converted += e->npu_total_is_converted;
    }
    set_total(&m);
    TRY(sum_events(&m, err));
    count_types(made, run->total.mean_s);
    *out = made;
    return ROOF_OK;
}
