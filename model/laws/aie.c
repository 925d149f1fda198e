/* Cycles of an array of AI Engines: NPUs of Ryzen AI, Versal.
 *
 *   array       multiply-accumulates / (cores at work * what one does a cycle in this data type)
 *   shim_read   bytes of the busiest channel that reads memory / its width; where no code states them, all
 *               channels share evenly
 *   shim_write  the same of bytes that are written
 *   memory      bytes / bandwidth, both directions
 *   launch      an empty launch, as often as there is one; beside the others, since launches in a queue
 *               overlap
 * A matrix product is cut into tiles of tile_m x tile_n of the result, one a core; across_m x across_n cores
 * work side by side. Each core reads its own rows of A and columns of B, so that all of them read
 *   A = M K N bytes(A) / (tile_n across_n), B = M K N bytes(B) / (tile_m across_m), C = M N bytes(C)
 * with M, K, N filled up to whole tiles. Source: arXiv 2512.13282, equations 6 to 10.
 * The default tile is that of Xilinx/mlir-air's kernel_registry for bf16; docs/hardware/aie.md has the
 * evidence.
 */
#include "core/findings.h"
#include "model/laws/law.h"
#include "model/work/cost.h"

enum { ARRAY, SHIM_READ, SHIM_WRITE, MEMORY, LAUNCH, ENGINES };

/* Tile sizes of mlir-air's kernels: small products have half the rows. */
enum { TILE_M = 64, TILE_M_OF_SMALL = 32, TILE_N = 128, LEAST_TILE = 16, TILE_K = 256 };
#define SMALL_MACS UINT64_C(4000000000)

/* Types of operands whose rate was looked up, which rows of a program repeat. */
typedef struct known_rate {
    const char *types;
    double macs_per_cycle;
} known_rate;

enum { MOST_RATES = 4 };

typedef struct config {
    const hw_view *view;
    known_rate rates[MOST_RATES];
    uint32_t n_rates;
    uint32_t columns, rows, shim_columns, channels; /* channels of a column in one direction */
    double channel_width, memory_bytes_per_s, launch_s;
} config;

/* How a product lies on the array. */
typedef struct tiling {
    uint64_t m, k, n;            /* filled up to whole tiles */
    uint64_t tile_m, tile_n;     /* of one core */
    uint64_t across_m, across_n; /* cores side by side */
    bool is_assumed;
} tiling;

/* ---- rates --------------------------------------------------------------------------------------------- */

static double rate_named(const hw_view *view, const char *first, const char *second)
{
    return hw_view_value(view, NAN, second ? "mac.%.20sx%.20s" : "mac.%.40s", first, second);
}

/* Multiply-accumulates of one core a cycle; NaN: unknown. Operands that the array does not multiply as stored
 * are widened to the first operand's type, or to 8 bits. */
static double mac_rate(const hw_view *view, const char *types)
{
    char first[24];
    const char *x = strchr(types, 'x'), *second = x ? x + 1 : NULL;
    snprintf(first, sizeof first, "%.*s", (int)(x && x - types < 20 ? x - types : 20), types);
    double rate = rate_named(view, first, second);
    if (isnan(rate))
        rate = rate_named(view, first, NULL);
    if (isnan(rate))
        rate = rate_named(view, first, first);
    if (isnan(rate) && strcmp(types, "int4xint4") == 0)
        rate = rate_named(view, "int8", "int8");
    return rate > 0 ? rate : NAN;
}

static double demand_rate(const config *c, const roof_graph *g, const roof_demand *d)
{
    char types[24];
    const known_rate *known = NAMED(c->rates, c->n_rates, types, d->types);
    if (known)
        return known->macs_per_cycle;
    if (d->types)
        return mac_rate(c->view, d->types);
    const roof_op *op = &g->ops[d->op];
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT), *weights = op_input(g, op, ROOF_ROLE_WEIGHTS);
    uint32_t in = input ? input->out.bit_width : op->out.bit_width, w = weights ? weights->out.bit_width : in;
    snprintf(types, sizeof types, "int%" PRIu32 "xint%" PRIu32, in, w);
    return mac_rate(c->view, types);
}

/* The measured rate per clock cycle; 0 where it is unknown, or above the nominal rate. */
static double reached(const hw_view *view, const char *key, double nominal_per_cycle)
{
    double per_cycle = hw_view_value(view, NAN, "%s", key) / view->clock_hz;
    return per_cycle > 0 && per_cycle <= nominal_per_cycle ? per_cycle : 0;
}

/* The rate of a type goes by the operands that a program names. */
static roof_status at_type(roof_hw *hw, const char *type, bool *is_known, roof_error *err)
{
    (void)err;
    *is_known = mac_rate(&(hw_view){.array = hw, .board = hw}, type) > 0;
    return ROOF_OK;
}

static roof_status configure(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err)
{
    config *c;
    TRY(ARENA_GET(arena, c, 1, err));
    *c = (config){.view = view,
                  .channel_width = hw_view_value(view, NAN, "shim.channel_width"),
                  .memory_bytes_per_s = view->memory_bytes_per_s,
                  .launch_s = hw_view_value(view, NAN, "launch.floor")};
    TRY(hw_view_count(view, "array.columns", 1, 1, &c->columns, err));
    TRY(hw_view_count(view, "array.rows", 1, 1, &c->rows, err));
    TRY(hw_view_count(view, "shim.columns", 1, c->columns, &c->shim_columns, err));
    TRY(hw_view_count(view, "shim.channels", 1, 2, &c->channels, err));
    if (!(c->channel_width > 0 && c->channel_width < 1e6))
        return error_data(err, "'shim.channel_width' is %g, want more than 0", c->channel_width);
    /* the fastest data type of the program: below its roof every row lies */
    const char *types = NULL;
    double rate = 0;
    for (uint32_t i = 0; i < program->n_rows; i++)
        FOR_EACH(const roof_demand, d, program->rows[i].work.demands, program->rows[i].work.n_demands) {
            const double own = d->types ? demand_rate(c, NULL, d) : 0;
            if (own > rate) {
                types = d->types;
                rate = own;
            }
            if (d->types && !NAMED(c->rates, c->n_rates, types, d->types) && c->n_rates < MOST_RATES)
                c->rates[c->n_rates++] = (known_rate){arena_strdup(arena, d->types), own};
            TRY(arena_status(arena, err)); /* the next one is compared with it */
        }
    types = types ? types : "int8xint8";
    rate = rate > 0 ? rate : mac_rate(view, types);
    double most = 2 * rate * c->columns * c->rows;
    double memory = c->memory_bytes_per_s > 0 ? c->memory_bytes_per_s / view->clock_hz : 0;
    char attainable[64];
    snprintf(attainable, sizeof attainable, "attainable.%.40s", types);
    double shim = (double)c->shim_columns * c->channels * c->channel_width;
    if (!(rate > 0))
        return error_data(err, "the hardware states no 'mac.int8xint8'");
    const law_engine engines[ENGINES] = {
        {"array", "multiply-accumulates, in the fastest data type of the model", most},
        {"shim_read", "memory to array, all channels", shim},
        {"shim_write", "array to memory, all channels", shim},
        {"memory", "external memory, both directions", memory},
        {"launch", "starts of a kernel", 0},
    };
    for (int e = 0; e < ENGINES; e++)
        TRY(law_add_engine(out, &engines[e], e == ARRAY, err));
    out->n_binding = LAUNCH;
    out->reached_per_cycle[ARRAY] = reached(view, attainable, most);
    out->reached_per_cycle[MEMORY] = reached(view, "ddr.attainable", memory);
    out->config = c;
    return ROOF_OK;
}

/* ---- matrix products ----------------------------------------------------------------------------------- */

static bool is_method(const roof_demand *d, const char *method)
{
    return d->method && strcmp(d->method, method) == 0;
}

static uint64_t up_to(uint64_t value, uint64_t step)
{
    return ceil_div(value, step) * step;
}

/* How many of at most so many cores have a tile of their own. */
static uint64_t across(uint64_t length, uint64_t tile, uint64_t most)
{
    uint64_t n = ceil_div(length, tile);
    return n > most ? most : n ? n : 1;
}

static uint64_t halve(uint64_t tile, uint64_t length, uint64_t most)
{
    while (tile * most > length && tile > LEAST_TILE)
        tile /= 2;
    return tile;
}

/* dims of C are [..., m, n]. */
static tiling tile_product(const config *c, const roof_graph *g, const roof_demand *d)
{
    const roof_tensor *out = &g->ops[d->op].out;
    uint64_t n = out->n_dims ? out->dims[out->n_dims - 1] : 1, m = n ? out->elements / n : 1;
    uint64_t k = m && n ? d->macs / m / n : 1;
    uint64_t tile_m = d->macs < SMALL_MACS ? TILE_M_OF_SMALL : TILE_M;
    tiling t = {.tile_m = d->tile_m ? d->tile_m : halve(tile_m, m, c->shim_columns),
                .tile_n = d->tile_n ? d->tile_n : halve(TILE_N, n, c->rows),
                .is_assumed = !d->tile_m};
    uint64_t tile_k = d->tile_k ? d->tile_k : TILE_K;
    t.across_m = across(m, t.tile_m, c->shim_columns);
    t.across_n = across(n, t.tile_n, c->rows);
    t.m = up_to(m, t.tile_m * t.across_m);
    t.n = up_to(n, t.tile_n * t.across_n);
    t.k = up_to(k, tile_k < k ? tile_k : k ? k : 1);
    return t;
}

static roof_status fail_limit(const roof_graph *g, const roof_demand *d, roof_error *err)
{
    return error_set(err, ROOF_E_LIMIT, "the counts of op '%.200s' overflow 64 bits", g->ops[d->op].name);
}

/* Array time of one demand, in multiply-accumulates of cores at work. Tiles that code has cut are
 * known to be moved, not how they lie on the array: its product is counted as it is. */
static roof_status array_cycles(const config *c, const roof_graph *g, const roof_demand *d, double *out,
                                roof_error *err)
{
    uint32_t columns = d->columns && d->columns < c->columns ? d->columns : c->columns;
    double macs = (double)d->macs, cores = (double)columns * c->rows;
    if (is_method(d, "gemm") && !d->columns) {
        tiling t = tile_product(c, g, d);
        checked filled = CHECKED_PRODUCT(t.m, t.k, t.n);
        if (filled.overflow)
            return fail_limit(g, d, err);
        macs = (double)filled.value;
        cores = (double)(t.across_m * t.across_n);
    }
    *out = macs / (cores * demand_rate(c, g, d));
    return ROOF_OK;
}

static roof_status add_op(const void *config_, const roof_graph *g, const roof_demand *d, uint64_t *cycles,
                          roof_error *err)
{
    double add;
    if (d->macs == ROOF_UNKNOWN || !d->macs || cycles[ARRAY] == ROOF_UNKNOWN)
        return ROOF_OK;
    TRY(array_cycles(config_, g, d, &add, err));
    if (isnan(add)) {
        cycles[ARRAY] = ROOF_UNKNOWN; /* no rate is known for this data type */
        return ROOF_OK;
    }
    if (!(ceil(add) + (double)cycles[ARRAY] < 1.8e19))
        return fail_limit(g, d, err);
    cycles[ARRAY] += (uint64_t)ceil(add - 1e-9 * add);
    return ROOF_OK;
}

/* ---- bytes --------------------------------------------------------------------------------------------- */

static uint64_t bytes_of(checked elements, uint32_t bits)
{
    unsigned __int128 bytes = ((unsigned __int128)elements.value * bits + 7) / 8;
    return elements.overflow || bytes > INT64_MAX ? ROOF_UNKNOWN : (uint64_t)bytes;
}

/* Adds the bytes that tiles read again, beside each tensor once. */
static void add_reuse(const config *c, const roof_graph *g, const roof_demand *d, roof_traffic *traffic)
{
    const roof_op *op = &g->ops[d->op];
    const roof_op *a = op_input(g, op, ROOF_ROLE_INPUT), *b = op_input(g, op, ROOF_ROLE_WEIGHTS);
    if (!a || !b)
        return;
    tiling t = tile_product(c, g, d);
    uint64_t moved[] = {
        bytes_of(CHECKED_PRODUCT(t.m, t.k, ceil_div(t.n, t.tile_n * t.across_n)), a->out.bit_width),
        bytes_of(CHECKED_PRODUCT(t.n, t.k, ceil_div(t.m, t.tile_m * t.across_m)), b->out.bit_width),
        bytes_of(CHECKED_PRODUCT(t.m, t.n), op->out.bit_width),
    };
    const uint64_t once[] = {a->out.bytes, b->out.bytes, op->out.bytes};
    uint64_t *const sums[] = {&traffic->input_bytes, &traffic->weights_bytes, &traffic->output_bytes};
    for (int i = 0; i < 3; i++)
        checked_add_known(sums[i], moved[i] == ROOF_UNKNOWN ? ROOF_UNKNOWN : moved[i] - once[i]);
}

/* For rows without code. */
static void recount(const law_fit *fit, const roof_graph *g, const roof_work *work, law_cost *out)
{
    roof_traffic more = {0}, *traffic = &out->traffic;
    if (out->basis != ROOF_BASIS_FORMULA)
        return;
    for (uint32_t i = 0; i < work->n_demands; i++)
        if (is_method(&work->demands[i], "gemm"))
            add_reuse(fit->config, g, &work->demands[i], &more);
    const checked input =
        checked_times((checked){more.input_bytes, more.input_bytes == ROOF_UNKNOWN}, fit->batch);
    const checked output =
        checked_times((checked){more.output_bytes, more.output_bytes == ROOF_UNKNOWN}, fit->batch);
    checked_add_known(&traffic->input_bytes, input.overflow ? ROOF_UNKNOWN : input.value);
    checked_add_known(&traffic->output_bytes, output.overflow ? ROOF_UNKNOWN : output.value);
    checked_add_known(&traffic->weights_bytes, more.weights_bytes);
}

static bool assumes(const law_fit *fit, const roof_graph *g, const roof_row *row, roof_remark *out)
{
    const config *c = fit->config;
    FOR_EACH(const roof_demand, d, row->work.demands, row->work.n_demands) {
        if (!is_method(d, "gemm") || d->tile_m || d->columns)
            continue;
        tiling t = tile_product(c, g, d);
        *out = REMARK(ASSUMED_TILE, AS_COUNT(t.tile_m), AS_COUNT(t.tile_n), AS_COUNT(t.across_m),
                      AS_COUNT(t.across_n), AS_COUNT(c->shim_columns), AS_COUNT(c->rows));
        return true;
    }
    return false;
}

/* ---- moves --------------------------------------------------------------------------------------------- */

static uint64_t channel_cycles(const config *c, uint64_t bytes, double channels)
{
    return bytes == ROOF_UNKNOWN ? ROOF_UNKNOWN
                                 : (uint64_t)ceil((double)bytes / (c->channel_width * channels));
}

static roof_status shim_cycles(const law_fit *fit, uint64_t busiest, uint64_t all, uint64_t *out,
                               roof_error *err)
{
    const config *c = fit->config;
    TRY(law_scale(&busiest, fit->batch, err));
    *out = busiest != ROOF_UNKNOWN ? channel_cycles(c, busiest, 1)
                                   : channel_cycles(c, all, (double)c->shim_columns * c->channels);
    return ROOF_OK;
}

static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *t, uint64_t *cycles,
                        roof_error *err)
{
    const config *c = fit->config;
    uint64_t all = roof_traffic_total(t), launches = work->hides_compute;
    uint64_t reads = all == ROOF_UNKNOWN ? ROOF_UNKNOWN : all - t->output_bytes;
    for (uint32_t i = 0; i < work->n_demands; i++)
        launches += work->demands[i].launches;
    TRY(shim_cycles(fit, work->busiest_read_bytes, reads, &cycles[SHIM_READ], err));
    TRY(shim_cycles(fit, work->busiest_write_bytes, all == ROOF_UNKNOWN ? all : t->output_bytes,
                    &cycles[SHIM_WRITE], err));
    cycles[MEMORY] = law_cycles_of_memory(fit, all, c->memory_bytes_per_s);
    cycles[LAUNCH] =
        isnan(c->launch_s) ? ROOF_UNKNOWN : (uint64_t)((double)launches * c->launch_s * fit->clock_hz);
    return ROOF_OK;
}

/* ---- the law ------------------------------------------------------------------------------------------- */

static roof_status load(const law_fit *fit, const roof_graph *g, const roof_demand *d, demand_load *out,
                        roof_error *err)
{
    roof_traffic reuse = {0};
    double cycles = 0;
    roof_demand done = *d;
    if (d->macs != ROOF_UNKNOWN) {
        done.macs += d->masked_macs;
        TRY(array_cycles(fit->config, g, &done, &cycles, err));
    }
    if (is_method(d, "gemm"))
        add_reuse(fit->config, g, d, &reuse);
    uint64_t more = roof_traffic_total(&reuse);
    const config *c = fit->config;
    *out = (demand_load){.columns = d->columns ? d->columns : c->shim_columns,
                         .core_macs = cycles * demand_rate(fit->config, g, d),
                         .bytes = d->least_bytes == ROOF_UNKNOWN || more == ROOF_UNKNOWN
                                      ? NAN
                                      : (double)d->least_bytes + (double)more};
    return ROOF_OK;
}

const cycle_law law_aie = {
    .id = "aie",
    .doc = "the array in each data type, the channels at its edge, external memory",
    .first_engine = "array",
    .keys = (const char *const[]){"clock", "array.columns", "array.rows", "shim.columns", "shim.channels",
                                  "shim.channel_width", NULL},
    .configure = configure,
    .add_op = add_op,
    .at_type = at_type,
    .recount = recount,
    .move = move,
    .engine_of = law_macs_on_array,
    .assumes = assumes,
    .load = load,
};
