/* The cycle law of ST's Neural-ART, twice: as its compiler counts, and from what the memories can do.
 *
 * vendor (equal to max_cycles of every epoch of eleven c_info.json and one network.csv, compilers 1.0.0-16 to 1.1.3-275):
 *   max( compute, over pools of read_cycles, of write_cycles, of floor((reads + writes) freq_ratio / byte_width) )
 *   The compiler's cycles per stream count elements, not bytes; where a file has none, the pool's occupancy stands alone.
 * ideal:
 *   max( compute, over pools of ceil((reads + writes) clock / rate) )
 *   rate is what the memory delivers at most, from its clock and width: the compiler's default for the octal flash is 2.4
 *   times slower than that, and was measured to be wrong (2580487 cycles of 800 MHz for 1.28 MB are 397 MB/s of 400).
 *
 * A pool is one serial resource; reads and writes add up. compute is the longest stream of elements through the stream
 * switch, one a cycle at every port, as the compiler counts it: a lower bound.
 * docs/hardware/neural_art.md has the derivation.
 */
#include "core/error.h"
#include "model/work/cost.h"
#include "model/laws/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPUTE, WEIGHTS, FEATURES }; /* without a plan; with one, pools follow compute */

/* A pool that the plan uses. */
typedef struct pool {
    uint32_t engine; /* ROOF_NONE: nothing is moved in it */
    uint32_t byte_width;
    double freq_ratio, bytes_per_s;
    bool from_file;
} pool;

typedef struct config {
    double clock_hz;
    uint32_t conv_units, macs_8x8, macs_16x8, macs_16x16;
    double flash_bytes_per_s, ram_bytes_per_s;
    pool *pools; /* of the plan */
    uint32_t n_pools;
} config;

static pool describe_pool(const hw_view *view, const roof_pool *p)
{
    const roof_quantity *width = hw_view_pool(view, p->name, "byte_width"),
                        *ratio = hw_view_pool(view, p->name, "freq_ratio"),
                        *rate = hw_view_pool(view, p->name, "bandwidth");
    pool out = {.engine = ROOF_NONE,
                .byte_width = p->byte_width,
                .freq_ratio = p->freq_ratio,
                .bytes_per_s = rate && rate->value > 0 ? rate->value : NAN,
                .from_file = p->byte_width != ROOF_NONE && !isnan(p->freq_ratio)};
    if (out.byte_width == ROOF_NONE && width && width->value >= 1 && width->value < ROOF_NONE)
        out.byte_width = (uint32_t)width->value;
    if (isnan(out.freq_ratio) && ratio && ratio->value > 0)
        out.freq_ratio = ratio->value;
    return out;
}

/* Engines in the order of the plan's pools. */
static void number_pools(config *c, const roof_plan *plan)
{
    uint32_t next = COMPUTE + 1;
    for (uint32_t i = 0; i < plan->n_accesses; i++)
        if (plan->accesses[i].read_bytes || plan->accesses[i].write_bytes)
            c->pools[plan->accesses[i].pool].engine = 0;
    for (uint32_t i = 0; i < c->n_pools; i++)
        if (c->pools[i].engine != ROOF_NONE)
            c->pools[i].engine = next++;
}

static roof_status configure(const hw_view *view, roof_arena *arena, const void **out, roof_error *err)
{
    config *c = NEW(arena, config);
    if (!c)
        return error_memory(err);
    c->clock_hz = view->clock_hz;
    TRY(hw_view_count(view, "conv_acc.units", 1, 0, &c->conv_units, err));
    TRY(hw_view_count(view, "conv_acc.macs_8x8", 1, 0, &c->macs_8x8, err));
    TRY(hw_view_count(view, "conv_acc.macs_16x8", 1, c->macs_8x8, &c->macs_16x8, err));
    TRY(hw_view_count(view, "conv_acc.macs_16x16", 1, c->macs_8x8, &c->macs_16x16, err));
    const roof_quantity *flash = hw_view_pool(view, "octoflash", "bandwidth"),
                        *ram = hw_view_get(view, "npu_ram.bandwidth");
    c->flash_bytes_per_s = flash ? flash->value : 0;
    c->ram_bytes_per_s = ram ? ram->value : 0;
    if (view->plan) {
        c->n_pools = view->plan->n_pools;
        c->pools = NEW_ARRAY(arena, pool, c->n_pools);
        if (!c->pools)
            return error_memory(err);
        for (uint32_t i = 0; i < c->n_pools; i++)
            c->pools[i] = describe_pool(view, &view->plan->pools[i]);
        number_pools(c, view->plan);
    }
    *out = c;
    return ROOF_OK;
}

/* --- with a plan -------------------------------------------------------------------------------------- */

static roof_status adapt(const void *config_, const roof_plan *plan, cycle_law *law, roof_error *err)
{
    static const char *const reserved[] = {"compute", "vendor", "ideal"}; /* other words of the same list */
    const config *c = config_;
    law->n_engines = COMPUTE + 1;
    for (uint32_t i = 0; i < c->n_pools; i++) {
        const char *name = plan->pools[i].name;
        if (c->pools[i].engine == ROOF_NONE)
            continue;
        if (law->n_engines == ROOF_MAX_ENGINES)
            return error_set(err, ROOF_E_LIMIT, "more than %d memory pools are used", ROOF_MAX_ENGINES - 1);
        if (strpbrk(name, "\"\\"))
            return error_set(err, ROOF_E_DATA, "the name of memory pool '%.80s' holds a quote or a backslash",
                             name);
        for (size_t r = 0; r < sizeof reserved / sizeof *reserved; r++)
            if (strcmp(name, reserved[r]) == 0)
                return error_set(err, ROOF_E_DATA, "a memory pool is called '%s', which is another word here",
                                 name);
        law->engines[law->n_engines] = name;
        law->meanings[law->n_engines++] = "memory pool, both directions";
    }
    return ROOF_OK;
}

/* floor(bytes ratio / width), in doubles as the compiler does; exact below 2^53, where ratios are sums of few powers of 2. */
static uint64_t occupancy(uint64_t bytes, const pool *p)
{
    if (p->byte_width == ROOF_NONE || isnan(p->freq_ratio))
        return ROOF_UNKNOWN;
    double cycles = floor((double)bytes * p->freq_ratio / p->byte_width);
    return cycles < 0x1p63 ? (uint64_t)cycles : ROOF_UNKNOWN;
}

static void raise_vendor(epoch_cost *out, uint64_t cycles, uint32_t engine)
{
    if (cycles == ROOF_UNKNOWN || out->vendor_cycles == ROOF_UNKNOWN || cycles <= out->vendor_cycles)
        return;
    out->vendor_cycles = cycles;
    out->vendor_bound = engine;
}

static void add_access(const config *c, const roof_pool_access *a, epoch_cost *out)
{
    const pool *p = &c->pools[a->pool];
    uint64_t bytes = a->read_bytes + a->write_bytes; /* each at most 2^63 */
    if (p->engine == ROOF_NONE)
        return;
    out->moved[p->engine] = (roof_moved){a->read_bytes, a->write_bytes};
    out->cycles[p->engine] =
        isnan(p->bytes_per_s) ? ROOF_UNKNOWN : cycles_for_bytes(bytes, c->clock_hz, p->bytes_per_s);
    uint64_t occupied = occupancy(bytes, p);
    raise_vendor(out, occupied, p->engine);
    raise_vendor(out, a->read_cycles, p->engine);
    raise_vendor(out, a->write_cycles, p->engine);
    if (occupied == ROOF_UNKNOWN)
        out->vendor_cycles = ROOF_UNKNOWN;
}

static void epoch(const void *config_, const roof_plan *plan, const roof_epoch *e, epoch_cost *out)
{
    const config *c = config_;
    *out = (epoch_cost){.vendor_bound = ROOF_NONE};
    out->cycles[COMPUTE] = e->compute_cycles;
    if (e->compute_cycles == ROOF_UNKNOWN)
        out->vendor_cycles = ROOF_UNKNOWN;
    raise_vendor(out, e->compute_cycles, COMPUTE);
    for (uint32_t i = 0; i < e->n_accesses; i++)
        add_access(c, &plan->accesses[e->first_access + i], out);
    if (out->vendor_cycles == ROOF_UNKNOWN)
        out->vendor_bound = ROOF_NONE;
}

static roof_status add_pools(const void *config_, const roof_plan *plan, roof_arena *arena,
                             roof_prediction *out, roof_error *err)
{
    const config *c = config_;
    roof_pool_rates *rates = NEW_ARRAY(arena, roof_pool_rates, plan->n_pools);
    if (!rates)
        return error_memory(err);
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        const pool *p = &c->pools[i];
        bool known = p->byte_width != ROOF_NONE && !isnan(p->freq_ratio);
        if (p->engine == ROOF_NONE)
            continue;
        rates[out->hardware.n_pools] =
            (roof_pool_rates){.name = arena_strdup(arena, plan->pools[i].name),
                              .byte_width = p->byte_width,
                              .freq_ratio = p->freq_ratio,
                              .vendor_bytes_per_s = known ? p->byte_width * c->clock_hz / p->freq_ratio : NAN,
                              .bytes_per_s = p->bytes_per_s,
                              .from_file = p->from_file,
                              .cached = plan->pools[i].cached,
                              .size_bytes = plan->pools[i].size_bytes,
                              .used_bytes = plan->pools[i].used_bytes};
        if (!rates[out->hardware.n_pools++].name)
            return error_memory(err);
    }
    out->hardware.pools = rates;
    return ROOF_OK;
}

static const char *operands_of(uint32_t macs_per_unit)
{
    return macs_per_unit == 36   ? " with operands of 16 and 8 bits"
           : macs_per_unit == 18 ? " with operands of 16 bits"
                                 : "";
}

/* The compiler's operations are two for a multiply-accumulate and one for each element that another unit works on. Those
 * others take an element a cycle at most, so that what is left is multiply-accumulates whatever the rest did. */
static bool epoch_beyond_units(const void *config_, const roof_plan *plan, const roof_epoch *e, char *text,
                               size_t size)
{
    const config *c = config_;
    uint32_t units = e->conv_units > c->conv_units ? c->conv_units : e->conv_units;
    double per_unit = e->macs_per_unit == ROOF_NONE || e->macs_per_unit == 72 ? c->macs_8x8
                      : e->macs_per_unit == 36                                ? c->macs_16x8
                                                                              : c->macs_16x16;
    if (e->conv_units == ROOF_NONE || !units || e->ops_count == ROOF_UNKNOWN || !e->compute_cycles ||
        e->compute_cycles == ROOF_UNKNOWN)
        return false;
    (void)plan;
    double others = (double)(e->n_ops > e->conv_units ? e->n_ops - e->conv_units : 0);
    double macs = ((double)e->ops_count - others * (double)e->compute_cycles) / 2;
    double rate = macs / (double)e->compute_cycles, most = units * per_unit;
    if (!(rate > most))
        return false;
    snprintf(text, size,
             "the compiler counts %.0f multiply-accumulates a cycle, %u convolution accelerator%s %.0f at "
             "most%s: its "
             "compute cycles are %.2f times too few",
             rate, units, units == 1 ? " does" : "s do", most, operands_of(e->macs_per_unit), rate / most);
    return true;
}

/* --- without a plan: what a network of other origin would take at least ------------------------------- */

static roof_status add_op(const void *config_, const roof_graph *g, const roof_op *op, uint64_t *cycles,
                          roof_error *err)
{
    const config *c = config_;
    op_work work;
    const workload_convention none = {0};
    TRY(op_work_of(g, op, &none, &work, err));
    if (work.macs == ROOF_UNKNOWN)
        return ROOF_OK;
    uint64_t most = (uint64_t)c->conv_units * c->macs_8x8;
    if (__builtin_add_overflow(cycles[COMPUTE], work.macs / most + (work.macs % most != 0), &cycles[COMPUTE]))
        return error_set(err, ROOF_E_LIMIT, "the cycles of op '%.200s' overflow 64 bits", op->name);
    return ROOF_OK;
}

/* Weights come from the flash once; feature maps stay in the NPU's own memory, all banks of it at work. */
static void memory(const void *config_, const roof_traffic *t, uint64_t *cycles)
{
    const config *c = config_;
    cycles[WEIGHTS] = c->flash_bytes_per_s > 0
                          ? cycles_for_bytes(t->weights_bytes, c->clock_hz, c->flash_bytes_per_s)
                          : ROOF_UNKNOWN;
    cycles[FEATURES] = c->ram_bytes_per_s > 0 ? cycles_for_bytes(t->input_bytes + t->output_bytes,
                                                                 c->clock_hz, c->ram_bytes_per_s)
                                              : ROOF_UNKNOWN;
}

static double most_per_cycle(const void *config_, uint32_t engine)
{
    const config *c = config_;
    if (engine == COMPUTE)
        return 2.0 * c->conv_units * c->macs_8x8;
    for (uint32_t i = 0; i < c->n_pools; i++)
        if (c->pools[i].engine == engine)
            return isnan(c->pools[i].bytes_per_s) ? 0 : c->pools[i].bytes_per_s / c->clock_hz;
    return (engine == WEIGHTS ? c->flash_bytes_per_s : c->ram_bytes_per_s) / c->clock_hz;
}

static const char *const needed_keys[] = {"clock", "conv_acc.units", "conv_acc.macs_8x8", NULL};

const cycle_law law_neural_art = {
    .id = "neural_art",
    .doc = "the compiler's own law beside bounds from the memories' clocks and widths",
    .engines = {"compute", "octoFlash", "npuRAM"},
    .n_engines = 3,
    .n_compute = 1,
    .own_memories = true,
    .keys = needed_keys,
    .configure = configure,
    .add_op = add_op,
    .memory = memory,
    .engine_of = macs_on_array,
    .most_per_cycle = most_per_cycle,
    .meanings = {"multiply-accumulates of 8 x 8 bits", "weights from the flash, once",
                 "feature maps in the NPU's own memory"},
    .adapt = adapt,
    .epoch = epoch,
    .add_pools = add_pools,
    .epoch_beyond_units = epoch_beyond_units,
};
