/* The roofline of a processor, a GPU or an NPU: one peak, and one bandwidth for each level of memory.
 *
 *   compute  macs / (peak multiply-accumulates a cycle), in the data type that is computed in
 *   l1       all bytes of a row / bandwidth of the first cache: every element of input, weights and output
 *            passes it once
 *   l2       what of those that it reads, and of those that it makes, the first cache cannot hold / bandwidth
 *            of the second; l3 and memory likewise
 * Bytes are those of the tensors with elements of the data type that is computed in, whatever another
 * compiler made of the model; weights that are narrower than what they are multiplied with stay so. They
 * are at least as many: what a row makes and uses itself is not counted, and weights are read once for all
 * images. A cache of which the description has no bandwidth is no engine; its size counts.
 * Source: S. Williams et al., "Roofline" (CACM 2009), with one ceiling a level as in A. Ilic et al.,
 *   "Cache-aware Roofline" (2014).
 */
#include "hwdb/hwdb.h"
#include "model/laws/law.h"
#include "model/work/cost.h"
#include "model/work/product.h"
#include "model/work/traffic.h"

enum { COMPUTE, L1, L2, L3, MEMORY, ENGINES };

static const char *const names[ENGINES] = {"compute", "l1", "l2", "l3", "memory"};

typedef struct config {
    double macs_per_cycle, element_bytes;
    uint32_t model_bits;
    bool multiplies_apart; /* with lanes of its own, not by an array of a fixed product */
    /* By the engine that a level of memory is. */
    double bytes_per_s[ENGINES];      /* 0: unknown */
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
    TRY(ALLOCATED(c, err));
    if (!view->lacks_rate && (!rate || !(rate->value > 0)))
        return error_data(err, "the hardware states no 'peak.rate' above 0");
    const double ratio = view->rate_ratio > 0 ? view->rate_ratio : 1;
    c->macs_per_cycle = view->lacks_rate ? 0 : ratio * rate->value / view->clock_hz / 2;
    c->element_bytes = value_of(view, "element", "bytes", 4);
    c->model_bits = view->model_bits;
    c->multiplies_apart = strcmp(roof_hw_family(view->board), "cpu") == 0;
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
    if (!(c->macs_per_cycle > 0)) { /* computing may take any time */
        cycles[COMPUTE] = ROOF_UNKNOWN;
        return ROOF_OK;
    }
    return law_add_macs(g, d, c->macs_per_cycle, &cycles[COMPUTE], err);
}

/* Winograd's F(m x m, r x r) multiplies (m + r - 1)^2 times for what are m^2 r^2 multiply-accumulates, in
 * tiles of at most 8 x 8 where kernels have it. Sources: A. Lavin, S. Gray, "Fast Algorithms for
 * Convolutional Neural Networks" (arXiv 1509.09308); ncnn's convolution of 3 x 3 at stride 1 (F(6, 3), tiles
 * of 8). */
static double tile_ratio(uint32_t kernel)
{
    enum { TILE = 8 };
    return kernel > 1 && kernel < TILE ? (double)TILE / ((TILE + 1 - kernel) * kernel) : 1;
}

static double spared_ratio(const law_fit *fit, const roof_op *op)
{
    const config *c = fit->config;
    const roof_window *w = &op->window;
    const bool is_dense = op->rule == ROOF_RULE_CONV2D && w->stride_h == 1 && w->stride_w == 1 &&
                          w->dilation_h <= 1 && w->dilation_w <= 1;
    return is_dense && c->multiplies_apart ? 1 - tile_ratio(w->kernel_h) * tile_ratio(w->kernel_w) : 0;
}

/* --- bytes ---------------------------------------------------------------------------------------------- */

/* A tensor of another width than the model's, such as weights of 4 bits, stays as it is, unless the model is
 * converted and it becomes narrower so. */
static double tensor_bytes(const void *config_, const roof_graph *graph, const roof_tensor *t)
{
    const config *c = config_;
    uint32_t bits = tensor_bits(graph, t);
    bool is_converted = c->element_bytes * 8 != c->model_bits;
    bool is_element =
        !c->model_bits || !bits || bits == c->model_bits || (is_converted && bits / 8.0 > c->element_bytes);
    if (t->is_stored)
        return (double)t->bytes;
    return (double)t->elements * (is_element ? c->element_bytes : bits / 8.0);
}

static uint64_t whole_bytes(double bytes)
{
    return bytes < 9e18 ? (uint64_t)bytes : ROOF_UNKNOWN;
}

static void recount(const law_fit *fit, const roof_graph *graph, const roof_work *work, law_cost *out)
{
    const row_tensors n = traffic_row_tensors(graph, work, tensor_bytes, fit->config);
    out->basis = ROOF_BASIS_FORMULA;
    out->traffic = (roof_traffic){.weights_bytes = whole_bytes(n.weights),
                                  .input_bytes = whole_bytes(n.input * fit->batch),
                                  .output_bytes = whole_bytes(n.output * fit->batch)};
    out->given_bytes = whole_bytes(n.weights + n.given * fit->batch);
}

static uint64_t beyond(uint64_t bytes, uint64_t kept)
{
    return bytes > kept ? bytes - kept : 0;
}

/* A cache may hold a part of what a row reads when it begins, and a part of what it makes when it ends.
 * Images of a batch may go through the network one after another, so that maps of one have all of it. */
static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *t, uint64_t *cycles,
                        roof_error *err)
{
    const config *c = fit->config;
    const uint64_t all = roof_traffic_total(t), in = t->input_bytes / fit->batch,
                   out = t->output_bytes / fit->batch;
    (void)work;
    (void)err;
    for (uint32_t e = fit->n_compute; e < fit->n_engines; e++) {
        const uint64_t kept = c->capacity_bytes[e];
        const uint64_t moved = beyond(t->weights_bytes + in, kept) + (fit->batch - 1) * beyond(in, kept) +
                               fit->batch * beyond(out, kept);
        cycles[e] = law_cycles_of_memory(fit, all == ROOF_UNKNOWN ? all : moved, c->bytes_per_s[e]);
    }
    return ROOF_OK;
}

static bool cache_before(const law_fit *fit, uint32_t engine, law_cache *out)
{
    const config *c = fit->config;
    *out = (law_cache){c->bytes_per_s[engine], c->capacity_bytes[engine]};
    return true;
}

/* No rate is stated for a board: bandwidths alone bound its times. */
static roof_status configure_board(const hw_view *view, const roof_program *program, roof_arena *arena,
                                   law_fit *out, roof_error *err)
{
    hw_view without = *view;
    without.lacks_rate = true;
    return configure(&without, program, arena, out, err);
}

static const char *const needed_keys[] = {"clock", "peak.rate", "element.bytes", NULL},
                         *const board_keys[] = {"clock", "element.bytes", NULL};

#define ROOFLINE(id_, doc_, keys_, configure_)                                                               \
    {                                                                                                        \
        .id = (id_), .doc = (doc_), .is_partial = true, .first_engine = "compute", .keys = (keys_),          \
        .configure = (configure_), .add_op = add_op, .rate_of = rate_of, .at_type = at_type,                 \
        .recount = recount, .spared_ratio = spared_ratio, .cache_before = cache_before, .move = move,        \
        .engine_of = law_macs_on_array                                                                       \
    }

static const char of_rates[] = "one peak, and one bandwidth for each level of memory";
static const char of_no_rate[] = "no peak, and the bandwidths that are known";
const cycle_law law_cpu = ROOFLINE("cpu", of_rates, needed_keys, configure);
const cycle_law law_board = ROOFLINE("board", of_no_rate, board_keys, configure_board);
