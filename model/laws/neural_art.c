/* The cost model of ST's Neural-ART, twice: as its compiler counts, and from what the memories can do.
 *
 * vendor (equal to max_cycles of every epoch of eleven c_info.json and one network.csv, compilers 1.0.0-16 to
 * 1.1.3-275):
 *   max( compute, over pools of read_cycles, of write_cycles, of floor((reads + writes) freq_ratio /
 *   byte_width) ) The compiler's cycles per stream count elements, not bytes; where a file has none, the
 *   pool's occupancy stands alone.
 * ideal:
 *   max( compute, over pools of ceil((reads + writes) clock / rate) )
 *   rate is what the memory delivers at most, from its clock and width: the compiler's default for the octal
 *   flash is 2.4 times slower than that, and was measured to be wrong (2580487 cycles of 800 MHz for 1.28 MB
 *   are 397 MB/s of 400).
 *
 * A pool is one serial resource; reads and writes add up. compute is the longest stream of elements through
 * the stream switch, one a cycle at every port, as the compiler counts it: a lower bound.
 * docs/hardware/neural_art.md has the derivation.
 */
#include "core/findings.h"
#include "model/laws/law.h"

enum {
    COMPUTE,
    WEIGHTS,
    FEATURES
}; /* without memories of the program's own; with them, they follow compute */

typedef struct config {
    uint32_t conv_units, macs_8x8, macs_16x8, macs_16x16;
    double flash_bytes_per_s, ram_bytes_per_s;
    const roof_pool_rates *pools;
} config;

static roof_pool_rates describe_pool(const hw_view *view, const roof_pool *p)
{
    const roof_quantity *width = hw_view_pool(view, p->name, "byte_width"),
                        *ratio = hw_view_pool(view, p->name, "freq_ratio"),
                        *rate = hw_view_pool(view, p->name, "bandwidth");
    roof_pool_rates out = {.name = p->name,
                           .byte_width = p->byte_width,
                           .freq_ratio = p->freq_ratio,
                           .vendor_bytes_per_s = NAN,
                           .bytes_per_s = rate && rate->value > 0 ? rate->value : NAN,
                           .from_file = p->byte_width != ROOF_NONE && !isnan(p->freq_ratio),
                           .cached = p->cached,
                           .size_bytes = p->size_bytes,
                           .used_bytes = p->used_bytes};
    if (out.byte_width == ROOF_NONE && width && width->value >= 1 && width->value < ROOF_NONE)
        out.byte_width = (uint32_t)width->value;
    if (isnan(out.freq_ratio) && ratio && ratio->value > 0)
        out.freq_ratio = ratio->value;
    if (out.byte_width != ROOF_NONE && !isnan(out.freq_ratio))
        out.vendor_bytes_per_s = out.byte_width * view->clock_hz / out.freq_ratio;
    return out;
}

static roof_status add_memories(config *c, const hw_view *view, const roof_program *program,
                                roof_arena *arena, law_fit *fit, roof_error *err)
{
    static const char *const reserved[] = {"compute", "vendor", "ideal"}; /* other words of the same list */
    TRY(ARENA_GET(arena, fit->memories, program->n_memories, err));
    c->pools = fit->memories;
    for (uint32_t i = 0; i < program->n_memories; i++) {
        const char *name = program->memories[i].name;
        if (fit->n_engines == ROOF_MAX_ENGINES)
            return error_set(err, ROOF_E_LIMIT, "more than %d memory pools are used", ROOF_MAX_ENGINES - 1);
        if (strpbrk(name, "\"\\"))
            return error_data(err, "the name of memory pool '%.80s' holds a quote or a backslash", name);
        if (IS_ONE_OF(reserved, name))
            return error_data(err, "a memory pool is called '%s', which is another word here", name);
        fit->memories[i] = describe_pool(view, &program->memories[i]);
        fit->memories[i].engine = fit->n_engines;
        double rate = c->pools[i].bytes_per_s;
        TRY(law_add_engine(
            fit, &(law_engine){name, "memory pool, both directions", isnan(rate) ? 0 : rate / view->clock_hz},
            false, err));
    }
    return ROOF_OK;
}

/* Operands of 8 and of 16 bits. */
static roof_status at_type(roof_hw *hw, const char *type, bool *is_known, roof_error *err)
{
    const roof_quantity *wide = roof_hw_get(hw, "conv_acc.macs_16x16");
    bool is_wide = strcmp(type, "int16") == 0;
    *is_known = strcmp(type, "int8") == 0 || (is_wide && wide && wide->value > 0);
    return is_wide && *is_known
               ? roof_hw_set(hw, "conv_acc.macs_8x8", wide->value, "MACs/cycle", "conv_acc.macs_16x16", err)
               : ROOF_OK;
}

static roof_status configure(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err)
{
    config *c;
    TRY(ARENA_GET(arena, c, 1, err));
    out->config = c;
    TRY(hw_view_count(view, "conv_acc.units", 1, 0, &c->conv_units, err));
    TRY(hw_view_count(view, "conv_acc.macs_8x8", 1, 0, &c->macs_8x8, err));
    TRY(hw_view_count(view, "conv_acc.macs_16x8", 1, c->macs_8x8, &c->macs_16x8, err));
    TRY(hw_view_count(view, "conv_acc.macs_16x16", 1, c->macs_8x8, &c->macs_16x16, err));
    c->flash_bytes_per_s = hw_view_value(view, 0, "mempool.octoflash.bandwidth");
    c->ram_bytes_per_s = hw_view_value(view, 0, "npu_ram.bandwidth");
    const law_engine engines[] = {
        [COMPUTE] = {"compute", "multiply-accumulates of 8 x 8 bits", 2.0 * c->conv_units * c->macs_8x8},
        [WEIGHTS] = {"octoFlash", "weights from the flash, once", c->flash_bytes_per_s / view->clock_hz},
        [FEATURES] = {"npuRAM", "feature maps in the NPU's own memory", c->ram_bytes_per_s / view->clock_hz}};
    TRY(law_add_engine(out, &engines[COMPUTE], true, err));
    if (program->memories)
        return add_memories(c, view, program, arena, out, err);
    TRY(law_add_engine(out, &engines[WEIGHTS], false, err));
    return law_add_engine(out, &engines[FEATURES], false, err);
}

/* --- with memories of the program's own --------------------------------------------------------------- */

static void raise(roof_compiler_estimate *out, uint64_t cycles, uint32_t engine)
{
    if (cycles == ROOF_UNKNOWN || out->cycles == ROOF_UNKNOWN || cycles <= out->cycles)
        return;
    out->cycles = cycles;
    out->bound = engine;
}

static roof_compiler_estimate estimate(const void *config_, const roof_row *row)
{
    const config *c = config_;
    const roof_work *work = &row->work;
    roof_compiler_estimate out = {0, work->stated_cycles, ROOF_NONE};
    uint64_t compute = work->cycles ? work->cycles[COMPUTE] : ROOF_UNKNOWN;
    raise(&out, compute, COMPUTE);
    bool is_known = compute != ROOF_UNKNOWN;
    FOR_EACH(const roof_transfer, t, work->transfers, work->n_transfers) {
        /* in doubles as the compiler does; exact below 2^53. Bytes are each at most 2^63. */
        const roof_pool_rates *p = &c->pools[t->memory];
        const double width = p->byte_width == ROOF_NONE || t->read_bytes == ROOF_UNKNOWN ? (double)NAN
                                                                                         : p->byte_width,
                     whole = floor((double)(t->read_bytes + t->write_bytes) * p->freq_ratio / width);
        const uint64_t occupied = whole < 0x1p63 ? (uint64_t)whole : ROOF_UNKNOWN;
        raise(&out, occupied, COMPUTE + 1 + t->memory);
        raise(&out, t->stated_cycles, COMPUTE + 1 + t->memory);
        is_known = is_known && occupied != ROOF_UNKNOWN;
    }
    return is_known ? out : (roof_compiler_estimate){ROOF_UNKNOWN, work->stated_cycles, ROOF_NONE};
}

/* The compiler's operations are two for a multiply-accumulate and one for each element that another unit
 * works on. These units take an element a cycle at most, so the remaining operations are
 * multiply-accumulates. */
static bool is_beyond_units(const void *config_, const roof_row *row, roof_remark *out)
{
    const config *c = config_;
    const roof_array_use *use = &row->work.array;
    uint64_t cycles = row->work.cycles ? row->work.cycles[COMPUTE] : ROOF_UNKNOWN;
    uint32_t units = use->units > c->conv_units ? c->conv_units : use->units;
    double per_unit = use->macs_per_cycle == ROOF_NONE || use->macs_per_cycle == 72 ? c->macs_8x8
                      : use->macs_per_cycle == 36                                   ? c->macs_16x8
                                                                                    : c->macs_16x16;
    if (use->units == ROOF_NONE || !units || row->ops_count == ROOF_UNKNOWN || !cycles ||
        cycles == ROOF_UNKNOWN)
        return false;
    double macs = ((double)row->ops_count - (double)use->other_ops * (double)cycles) / 2;
    double rate = macs / (double)cycles, most = units * per_unit;
    if (!(rate > most))
        return false;
    *out = REMARK(BEYOND_UNITS, AS("", rate), AS_COUNT(units), AS("", most), AS("", rate / most));
    if (use->macs_per_cycle == 36)
        out->form = ROOF_FORM_BEYOND_UNITS_16X8;
    else if (use->macs_per_cycle == 18)
        out->form = ROOF_FORM_BEYOND_UNITS_16X16;
    return true;
}

/* --- without: what a network of other origin would take at least -------------------------------------- */

static roof_status add_op(const void *config_, const roof_graph *g, const roof_demand *d, uint64_t *cycles,
                          roof_error *err)
{
    const config *c = config_;
    if (d->macs == ROOF_UNKNOWN)
        return ROOF_OK;
    const uint64_t own = ceil_div(d->macs, (uint64_t)c->conv_units * c->macs_8x8);
    return law_add_cycles(&cycles[COMPUTE], (checked){own, false}, &g->ops[d->op], err);
}

/* Weights come from the flash once; feature maps stay in the NPU's own memory, all banks of it at work. */
static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *traffic,
                        uint64_t *cycles, roof_error *err)
{
    const config *c = fit->config;
    if (!c->pools) {
        cycles[WEIGHTS] = law_cycles_of_memory(fit, traffic->weights_bytes, c->flash_bytes_per_s);
        cycles[FEATURES] =
            law_cycles_of_memory(fit, traffic->input_bytes + traffic->output_bytes, c->ram_bytes_per_s);
        return ROOF_OK;
    }
    for (uint32_t e = COMPUTE + 1; e < fit->n_engines; e++)
        cycles[e] = 0;
    FOR_EACH(const roof_transfer, t, work->transfers, work->n_transfers) {
        uint64_t *at = &cycles[COMPUTE + 1 + t->memory];
        if (t->read_bytes == ROOF_UNKNOWN)
            continue;
        *at = law_cycles_of_memory(fit, t->read_bytes + t->write_bytes, c->pools[t->memory].bytes_per_s);
        TRY(law_scale(at, fit->batch, err));
    }
    return ROOF_OK;
}

const cycle_law law_neural_art = {
    .id = "neural_art",
    .only_type = "int8",
    .doc = "the compiler's own law beside bounds from the memories' clocks and widths",
    .has_memories = true,
    .memory_example = "octoflash",
    .keys = (const char *const[]){"clock", "conv_acc.units", "conv_acc.macs_8x8", NULL},
    .configure = configure,
    .add_op = add_op,
    .at_type = at_type,
    .move = move,
    .engine_of = law_macs_on_array,
    .estimate = estimate,
    .is_beyond_units = is_beyond_units,
};
