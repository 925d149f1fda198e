/* The law of Arm's Ethos-U, twice: what its compiler Vela estimates for a layer, and the least.
 *
 * vendor (ethos_u_cycles.c has its formulas; docs/hardware/ethos_u.md how they agree with Vela's reports):
 *   max( npu, over memories of access cycles )
 *   by the core of Vela that wrote the file: its Python core or Regor. Unknown for a U85.
 * ideal:
 *   max( array, output unit, over memories of ceil((reads + writes) clock / rate) )
 *   array: whole micro-blocks, but no filled-up blocks; bytes: what the launches touch, each once. For an
 *   uncompiled graph the same from its shapes, where the product and its array are known.
 *
 * The memory mode says in which memory a region lies. It is not stored; a file whose layers use scratch_fast
 * was compiled for Dedicated_Sram, where the arena is outside; every other one is taken for Shared_Sram,
 * whose constants are outside. region.*.in_sram of the hardware says otherwise.
 */
#include "core/findings.h"
#include "model/laws/ethos_u_cycles.h"
#include "model/laws/law.h"
#include "model/work/cost.h"

enum { ARRAY, OUTPUT, COMPUTING };

static const char *const region_names[ETHOSU_REGIONS] = {"read_only", "scratch", "scratch_fast"};

/* In the order of ethosu_memory. */
static const char *const memory_names[ETHOSU_MEMORIES] = {"sram", "dram", "sram", "flash"};

typedef struct config {
    double macs;
    ethosu_system system;
    double bytes_per_s[ETHOSU_MEMORIES]; /* NaN: unknown */
    uint32_t engine_of[ETHOSU_MEMORIES]; /* ROOF_NONE: it is not used */
    const roof_row *rows;
    const uint64_t *estimates;   /* of each row; ROOF_UNKNOWN. NULL: Vela's law is unknown */
    const uint8_t *bounds;       /* likewise: the engine */
    const ethosu_stream *stream; /* the first one; NULL: the graph was not compiled */
    bool uses_fast, is_told;     /* is_told: the hardware says where regions lie */
    bool has_product;            /* the hardware says which: */
    ethosu_product product;
    const char *mode;
} config;

/* ---- memories ------------------------------------------------------------------------------------------ */

/* A positive value of a memory; NaN: the entry does not say. */
static double rate_of(const hw_view *view, ethosu_memory memory, const char *what)
{
    const roof_quantity *q = hw_view_pool(view, memory_names[memory], what);
    return q && q->value >= 0 ? q->value : NAN;
}

static roof_status in_sram(const hw_view *view, const char *key, bool otherwise, config *c, bool *out,
                           roof_error *err)
{
    uint32_t value;
    TRY(hw_view_count(view, key, 0, otherwise, &value, err));
    if (value > 1)
        return error_data(err, "'%s' is %u, want 1 (in the SRAM) or 0 (outside)", key, value);
    c->is_told = c->is_told || hw_view_get(view, key);
    *out = value;
    return ROOF_OK;
}

/* Vela has constants of Sram_Only in a memory of their own, as fast as the SRAM. */
static roof_status place_regions(config *c, const hw_view *view, roof_error *err)
{
    const ethosu_memory outside =
        hw_view_pool(view, "flash", "bandwidth") ? ETHOSU_OFF_CHIP_FLASH : ETHOSU_DRAM;
    bool constants, arena;
    TRY(in_sram(view, "region.read_only.in_sram", false, c, &constants, err));
    TRY(in_sram(view, "region.scratch.in_sram", !c->uses_fast, c, &arena, err));
    c->system.memory_of[ETHOSU_READ_ONLY] = constants ? ETHOSU_ON_CHIP_FLASH : outside;
    c->system.memory_of[ETHOSU_SCRATCH] = arena ? ETHOSU_SRAM : outside;
    c->system.memory_of[ETHOSU_SCRATCH_FAST] = ETHOSU_SRAM;
    c->mode = !arena ? "Dedicated_Sram" : constants ? "Sram_Only" : "Shared_Sram";
    for (ethosu_memory m = ETHOSU_SRAM; m < ETHOSU_MEMORIES; m++) {
        const double rate = rate_of(view, m, "bandwidth");
        c->bytes_per_s[m] = rate > 0 ? rate : NAN;
        c->system.memories[m] = (ethosu_memory_rate){.bytes_per_cycle = c->bytes_per_s[m] / view->clock_hz,
                                                     .burst_bytes = rate_of(view, m, "burst"),
                                                     .read_latency = rate_of(view, m, "read_latency"),
                                                     .write_latency = rate_of(view, m, "write_latency")};
    }
    return ROOF_OK;
}

/* The engine of a memory. Memories that Vela separates are one where they have one name. */
static roof_status add_memory(config *c, const hw_view *view, ethosu_memory memory, law_fit *fit,
                              uint32_t *place, roof_error *err)
{
    const double rate = c->bytes_per_s[memory], bytes = rate_of(view, memory, "bytes");
    for (*place = 0; *place < fit->n_memories; ++*place)
        if (strcmp(fit->memories[*place].name, memory_names[memory]) == 0) {
            c->engine_of[memory] = fit->memories[*place].engine;
            return ROOF_OK;
        }
    c->engine_of[memory] = fit->n_engines;
    fit->memories[fit->n_memories++] =
        (roof_pool_rates){.name = memory_names[memory],
                          .engine = fit->n_engines,
                          .byte_width = ROOF_NONE,
                          .freq_ratio = NAN,
                          .vendor_bytes_per_s = rate,
                          .bytes_per_s = rate,
                          .size_bytes = bytes >= 1 && bytes < 0x1p53 ? (uint64_t)bytes : ROOF_UNKNOWN,
                          .used_bytes = ROOF_UNKNOWN};
    return law_add_engine(fit,
                          &(law_engine){memory_names[memory], "memory, both directions",
                                        isnan(rate) ? 0 : rate / view->clock_hz},
                          false, err);
}

/* ---- the compiler's estimate --------------------------------------------------------------------------- */

/* Layers of a stream hand time on, so that it is estimated as a whole. Its rows follow one another. */
static roof_status estimate_streams(config *c, const roof_program *program, roof_arena *arena,
                                    roof_error *err)
{
    uint64_t *cycles;
    uint8_t *bounds;
    const ethosu_stream *stream = NULL;
    ethosu_estimate *of_groups = NULL;
    if (!c->stream || c->stream->payload.product == ETHOSU_U85)
        return ROOF_OK;
    for (uint32_t r = 0; r < ETHOSU_REGIONS; r++) {
        const ethosu_memory_rate *m = &c->system.memories[c->system.memory_of[r]];
        const bool is_rated =
            m->bytes_per_cycle > 0 && m->burst_bytes >= 1 && !isnan(m->read_latency + m->write_latency);
        if (!is_rated && (r != ETHOSU_SCRATCH_FAST || c->uses_fast))
            return ROOF_OK;
    }
    TRY(ARENA_GET2(arena, cycles, bounds, program->n_rows, err));
    for (uint32_t i = 0; i < program->n_rows; i++) {
        const ethosu_group *g = program->rows[i].work.commands;
        if (!g)
            continue;
        if (!of_groups || g->stream != stream) {
            stream = g->stream;
            TRY(ARENA_GET(arena, of_groups, stream->n_groups, err));
            TRY(ethosu_vela_estimates(stream, &c->system, of_groups, err));
        }
        const ethosu_estimate *e = &of_groups[g - stream->groups];
        double most = e->npu;
        bounds[i] = ARRAY;
        for (ethosu_memory m = ETHOSU_SRAM; m < ETHOSU_MEMORIES; m++)
            if (e->access[m] > most) {
                most = e->access[m];
                bounds[i] = (uint8_t)c->engine_of[m];
            }
        cycles[i] = most >= 0 && most < 0x1p63 ? (uint64_t)(most + 0.5) : ROOF_UNKNOWN;
    }
    c->rows = program->rows;
    c->estimates = cycles;
    c->bounds = bounds;
    return ROOF_OK;
}

static roof_compiler_estimate estimate(const void *config_, const roof_row *row)
{
    const config *c = config_;
    if (!c->estimates)
        return (roof_compiler_estimate){ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_NONE};
    if (!row->work.commands)
        return (roof_compiler_estimate){0, ROOF_UNKNOWN, ROOF_NONE};
    const size_t i = (size_t)(row - c->rows);
    return (roof_compiler_estimate){c->estimates[i], ROOF_UNKNOWN, c->bounds[i]};
}

/* ---- the law ------------------------------------------------------------------------------------------- */

static roof_status configure(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err)
{
    config *c;
    uint32_t macs, product;
    TRY(ARENA_GET(arena, c, 1, err));
    out->config = c;
    TRY(hw_view_count(view, "mac.int8xint8", 1, 0, &macs, err));
    TRY(hw_view_count(view, "ethos_u.product", 0, 0, &product, err));
    c->has_product = product == 55 || product == 65 || product == 85;
    c->product = product == 85 ? ETHOSU_U85 : product == 65 ? ETHOSU_U65 : ETHOSU_U55;
    for (uint32_t i = 0; i < program->n_rows; i++) {
        const ethosu_group *g = program->rows[i].work.commands;
        if (!g)
            continue;
        c->stream = c->stream ? c->stream : g->stream;
        c->uses_fast = c->uses_fast || g->moved[ETHOSU_SCRATCH_FAST].read_bytes ||
                       g->moved[ETHOSU_SCRATCH_FAST].write_bytes;
    }
    c->macs = c->stream ? c->stream->payload.macs_per_cycle : macs;
    for (int m = 0; m < ETHOSU_MEMORIES; m++)
        c->engine_of[m] = ROOF_NONE;
    TRY(place_regions(c, view, err));
    TRY(law_add_engine(out, &(law_engine){"compute", "multiply-accumulates of 8 x 8 bits", 2 * c->macs}, true,
                       err));
    TRY(law_add_engine(out, &(law_engine){"output", "elements that leave the array", 0}, true, err));
    TRY(ARENA_GET(arena, out->memories, ETHOSU_MEMORIES, err));
    TRY(ARENA_GET(arena, out->memory_of, program->n_memories, err));
    for (uint32_t i = 0; i < program->n_memories; i++) {
        const uint32_t region = WORD_AT(region_names, ETHOSU_REGIONS, program->memories[i].name);
        if (region == ETHOSU_REGIONS)
            return error_set(err, ROOF_E_UNSUPPORTED,
                             "the model moves something in '%.80s', which is no region of an Ethos-U",
                             program->memories[i].name);
        TRY(add_memory(c, view, c->system.memory_of[region], out, &out->memory_of[i], err));
    }
    for (uint32_t r = 0; r < ETHOSU_SCRATCH_FAST && !program->memories; r++) {
        uint32_t place;
        TRY(add_memory(c, view, c->system.memory_of[r], out, &place, err));
    }
    return estimate_streams(c, program, arena, err);
}

/* The kernel, derived from the multiply-accumulates: an element sums over window x channels. Without a rule
 * for that the window is 0. */
static ethosu_shape shape_of(const config *c, const roof_graph *g, const roof_demand *d)
{
    const roof_op *op = &g->ops[d->op];
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT);
    const nhwc out = tensor_nhwc(&op->out);
    const uint64_t area = (uint64_t)op->window.kernel_h * op->window.kernel_w;
    const bool is_product = op->rule == ROOF_RULE_MATMUL && op->out.n_dims;
    ethosu_shape y = {.product = c->product, .macs = (uint32_t)c->macs, .stride = op->window.stride_w};
    y.depth = is_product ? op->out.dims[op->out.n_dims - 1] : out.c;
    y.positions = y.depth ? op->out.elements / y.depth : 0;
    y.is_wide = input && input->out.bit_width == 16;
    y.is_max = op->rule == ROOF_RULE_POOL && !op->average;
    const uint64_t each =
        op->out.elements && d->macs % op->out.elements == 0 ? d->macs / op->out.elements : 0;
    if (op->rule == ROOF_RULE_POOL)
        y.window = area;
    else if (op->rule == ROOF_RULE_DEPTHWISE) {
        y.window = each;
        y.summed = input && tensor_nhwc(&input->out).c == 1; /* Vela makes a convolution of it */
    } else if (is_product || (op->rule == ROOF_RULE_CONV2D && area && each % area == 0)) {
        y.window = is_product ? 1 : area;
        y.summed = each / y.window;
        y.stride = is_product ? 1 : y.stride;
    }
    return y;
}

/* For uncompiled graphs. Operators of a row make the same elements, which leave the array once. */
static roof_status add_op(const void *config_, const roof_graph *g, const roof_demand *d, uint64_t *cycles,
                          roof_error *err)
{
    const config *c = config_;
    const uint64_t most = (uint64_t)c->macs;
    if (d->macs == ROOF_UNKNOWN)
        return ROOF_OK;
    if (!most) { /* of what lies around any array */
        cycles[ARRAY] = ROOF_UNKNOWN;
        return ROOF_OK;
    }
    ethosu_least least = {0};
    if (c->has_product) {
        const ethosu_shape shape = shape_of(c, g, d);
        TRY(ethosu_least_of_shape(&shape, &least, err));
    }
    const uint64_t at_peak = ceil_div(d->macs, most);
    if (least.output > cycles[OUTPUT])
        cycles[OUTPUT] = least.output;
    return law_add_cycles(&cycles[ARRAY], (checked){least.array > at_peak ? least.array : at_peak, false},
                          &g->ops[d->op], err);
}

static roof_status add_bytes(const config *c, uint32_t region, uint64_t bytes, uint64_t *in_memory,
                             roof_error *err)
{
    return checked_add_known(&in_memory[c->engine_of[c->system.memory_of[region]] - COMPUTING], bytes)
               ? ROOF_OK
               : error_set(err, ROOF_E_LIMIT, "the bytes of a layer overflow 64 bits");
}

static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *traffic,
                        uint64_t *cycles, roof_error *err)
{
    const config *c = fit->config;
    uint64_t bytes[ETHOSU_MEMORIES] = {0};
    if (work->commands) {
        ethosu_least least;
        TRY(ethosu_least_cycles(work->commands, &least, err));
        cycles[ARRAY] = least.array;
        cycles[OUTPUT] = least.output;
        TRY(law_scale(&cycles[ARRAY], fit->batch, err));
        TRY(law_scale(&cycles[OUTPUT], fit->batch, err));
        for (uint32_t r = 0; r < ETHOSU_REGIONS; r++) {
            const ethosu_moved *m = &work->commands->moved[r];
            if (!m->read_bytes && !m->write_bytes)
                continue;
            TRY(add_bytes(c, r, m->read_bytes, bytes, err));
            TRY(add_bytes(c, r, m->write_bytes, bytes, err));
        }
    } else if (!c->stream) { /* not compiled: constants once, feature maps in the arena */
        TRY(add_bytes(c, ETHOSU_READ_ONLY, traffic->weights_bytes, bytes, err));
        TRY(add_bytes(c, ETHOSU_SCRATCH, traffic->input_bytes, bytes, err));
        TRY(add_bytes(c, ETHOSU_SCRATCH, traffic->output_bytes, bytes, err));
    }
    for (uint32_t i = 0; i < fit->n_memories; i++) {
        uint64_t *at = &cycles[fit->memories[i].engine];
        *at = law_cycles_of_memory(fit, bytes[i], fit->memories[i].bytes_per_s);
        if (work->commands)
            TRY(law_scale(at, fit->batch, err));
    }
    return ROOF_OK;
}

static void tell(const law_fit *fit, roof_findings *out)
{
    const config *c = fit->config;
    if (!c->stream)
        return;
    FIND(out, NULL, MEMORY_MODE, AS_TEXT(c->mode),
         AS_TEXT(c->is_told     ? "as the hardware is described"
                 : c->uses_fast ? "since layers use scratch_fast"
                                : "since no layer uses scratch_fast"));
    if (c->stream->payload.product == ETHOSU_U85)
        FIND(out, NULL, PARTIAL_LAW, AS_TEXT(fit->law->id),
             AS_TEXT("of a U85 the least of array, output unit and bytes; Vela's own estimate is unknown"));
    else
        FIND(out, NULL, COMPILER_LAW,
             AS_TEXT(c->stream->is_regor ? "Vela's Regor core" : "Vela's Python core"));
}

const cycle_law law_ethos_u = {
    .id = "ethos_u",
    .only_type = "int8",
    .doc = "Vela's own law beside bounds from micro-blocks, output unit and bytes",
    .has_memories = true,
    .memory_example = "sram",
    .keys = (const char *const[]){"clock", "mempool.sram.bandwidth", NULL},
    .configure = configure,
    .add_op = add_op,
    .move = move,
    .engine_of = law_macs_on_array,
    .estimate = estimate,
    .tell = tell,
};
