/* The cost model of the DPUCZDX8G: separate engines for convolution, depthwise and pooling (ALU),
 * element-wise operations, loading and saving, each quantised by its own parallelism.
 * docs/hardware/dpuczdx8g.md has the derivation.
 *
 * Peak: PP * ICP * OCP multiply-accumulates a cycle, twice as many operations: B4096 is 4096 operations, 2048
 * MACs (PG338, "Architecture of the DPUCZDX8G": a multiplication and an accumulation are counted as two
 * operations).
 *
 * Cycles (rows are along H, so PP quantises OH):
 *   convolution  ceil(OH/PP) OW ceil(OC/OCP) KH KW ceil(IC/ICP)
 *     with channel augmentation  KH ceil(KW IC / ICP) in place of KH KW ceil(IC/ICP)
 *     dilated by d along H       sum over q < d of ceil(ceil((OH - q)/d) / PP) in place of ceil(OH/PP)
 *     before a tile by r         r^2 ceil(OC/r^2 / OCP) in place of ceil(OC/OCP): channels lie per sub-pixel
 *   transposed   ceil(IH/PP) IW KH KW ceil(OC/OCP) ceil(IC/ICP)
 *   depthwise, pooling  ceil(OH/APP) OW ceil(C/CP) KH KW on the ALU; hard sigmoid and scaling likewise, 1x1
 *   element-wise ceil(OH/EPP) OW ceil(C/CP)
 *   load, save   bytes / (ports * width); each direction has AXI channels of its own
 *   memory       all bytes, instructions included, / DDR rate
 * Evidence: equal to the decoded instruction streams of ISA1 on 710 of 722 layers for convolution (the rest
 * are halo rows of fused tiles), 722 of 722 for the ALU, 721 of 722 for element-wise.
 */
#include "model/laws/law.h"
#include "model/work/cost.h"

enum { CONV, ALU, ELTWISE, LOAD, SAVE, MEMORY };

typedef struct config {
    uint32_t conv_pp, conv_icp, conv_ocp;
    uint32_t augmentation_lanes;            /* 0: not built in */
    uint32_t depthwise_pp, pool_pp, alu_cp; /* 0: no such engine */
    uint32_t eltwise_pp, eltwise_cp;
    double port_bytes_per_cycle, memory_bytes_per_s;
} config;

static roof_status configure(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err)
{
    config *c;
    uint32_t alu_pp;
    (void)program;
    TRY(ARENA_GET(arena, c, 1, err));
    TRY(hw_view_count(view, "conv.pixel_parallel", 1, 0, &c->conv_pp, err));
    TRY(hw_view_count(view, "conv.input_channel_parallel", 1, 0, &c->conv_icp, err));
    TRY(hw_view_count(view, "conv.output_channel_parallel", 1, 0, &c->conv_ocp, err));
    TRY(hw_view_count(view, "conv.channel_augmentation", 0, 0, &c->augmentation_lanes, err));
    /* ISA1 has one ALU for depthwise and pooling; ISA0 has two engines, and either may be left out */
    TRY(hw_view_count(view, "alu.pixel_parallel", 0, 0, &alu_pp, err));
    TRY(hw_view_count(view, "alu.channel_parallel", 1, c->conv_icp, &c->alu_cp, err));
    TRY(hw_view_count(view, "dwconv.pixel_parallel", 0, alu_pp, &c->depthwise_pp, err));
    TRY(hw_view_count(view, "pool.pixel_parallel", 0, alu_pp, &c->pool_pp, err));
    TRY(hw_view_count(view, "eltwise.pixel_parallel", 0, alu_pp, &c->eltwise_pp, err));
    TRY(hw_view_count(view, "eltwise.channel_parallel", 1, c->conv_icp, &c->eltwise_cp, err));
    c->memory_bytes_per_s = view->memory_bytes_per_s;
    c->port_bytes_per_cycle = hw_view_value(view, 0, "port.bandwidth");
    out->config = c;
    /* A depthwise multiply-accumulate is two operations, an addition of two feature maps one. Loads and saves
     * have a line each, as their ports do; the memory has one for both together. */
    const law_engine engines[] = {
        [CONV] = {"conv", "convolutions on the MAC array", 2.0 * c->conv_pp * c->conv_icp * c->conv_ocp},
        [ALU] = {"alu", "depthwise convolutions on the ALU", 2.0 * c->depthwise_pp * c->alu_cp},
        [ELTWISE] = {"eltwise", "additions of two feature maps", 1.0 * c->eltwise_pp * c->eltwise_cp},
        [LOAD] = {"load", "loads through the data ports", c->port_bytes_per_cycle},
        [SAVE] = {"save", "saves through the data ports", c->port_bytes_per_cycle},
        [MEMORY] = {"memory", "external memory, both directions", c->memory_bytes_per_s / view->clock_hz},
    };
    for (uint32_t e = 0; e <= MEMORY; e++)
        TRY(law_add_engine(out, &engines[e], e <= ELTWISE, err));
    return ROOF_OK;
}

/* Row blocks of a plane of height h. With dilation d the rows of one residue class form a plane of their own.
 */
static uint64_t row_blocks(uint64_t h, uint64_t dilation, uint64_t pp)
{
    uint64_t blocks = 0;
    if (dilation <= 1 || dilation > h)
        return ceil_div(h, pp);
    for (uint64_t q = 0; q < dilation; q++)
        blocks += ceil_div(ceil_div(h - q, dilation), pp);
    return blocks;
}

static checked convolution(const config *c, const roof_graph *g, const roof_demand *d)
{
    const roof_op *op = &g->ops[d->op];
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT), *weights = op_input(g, op, ROOF_ROLE_WEIGHTS);
    nhwc out = tensor_nhwc(&op->out), in = input ? tensor_nhwc(&input->out) : (nhwc){0};
    uint64_t kh = op->window.kernel_h ? op->window.kernel_h : 1,
             kw = op->window.kernel_w ? op->window.kernel_w : 1;
    uint64_t ic = weights && weights->out.n_dims == 4 ? weights->out.dims[3] : in.c;
    /* The compiler marks the convolutions that it augments. In a file that is not compiled, those that would
     * fit are counted as augmented, so that the bound stays one. Source: in the models seen, the first layers
     * with KW IC <= 2 ICP are marked. */
    const bool folds_kernel =
        d->folds_kernel || (!g->compiled && c->augmentation_lanes && kw * ic <= c->augmentation_lanes);
    uint64_t inner = folds_kernel ? kh * ceil_div(kw * ic, c->conv_icp) : kh * kw * ceil_div(ic, c->conv_icp);
    uint64_t r2 = (uint64_t)d->sub_pixels * d->sub_pixels;
    uint64_t outer = out.c % r2 == 0 ? r2 * ceil_div(out.c / r2, c->conv_ocp) : ceil_div(out.c, c->conv_ocp);
    return CHECKED_PRODUCT(row_blocks(out.h, op->window.dilation_h, c->conv_pp), out.n, out.w, outer, inner);
}

static checked transposed(const config *c, const roof_graph *g, const roof_op *op)
{
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT);
    nhwc out = tensor_nhwc(&op->out), in = input ? tensor_nhwc(&input->out) : (nhwc){0};
    return CHECKED_PRODUCT(ceil_div(in.h, c->conv_pp), in.n, in.w,
                           (uint64_t)op->window.kernel_h * op->window.kernel_w, ceil_div(out.c, c->conv_ocp),
                           ceil_div(in.c, c->conv_icp));
}

/* A fully connected layer is compiled to a 1x1 convolution with one output position per row of the matrix.
 * Its input channels are those that each output sums over, however the input is shaped. */
static checked matrix_product(const config *c, const roof_op *op, uint64_t macs)
{
    nhwc out = tensor_nhwc(&op->out);
    return CHECKED_PRODUCT(ceil_div(out.n * out.h * out.w, c->conv_pp), ceil_div(out.c, c->conv_ocp),
                           ceil_div(op->out.elements ? macs / op->out.elements : 0, c->conv_icp));
}

static uint32_t engine_of(roof_rule rule)
{
    /* From 1 on. Activations are free: they sit behind the engines' adders. Of attention both operands are
     * computed, and no engine takes them. */
    static const uint8_t engines[ROOF_RULE_COUNT] = {[ROOF_RULE_CONV2D] = 1 + CONV,
                                                     [ROOF_RULE_TRANSPOSED] = 1 + CONV,
                                                     [ROOF_RULE_MATMUL] = 1 + CONV,
                                                     [ROOF_RULE_RECURRENT] = 1 + CONV,
                                                     [ROOF_RULE_ATTENTION] = 1 + CONV,
                                                     [ROOF_RULE_DEPTHWISE] = 1 + ALU,
                                                     [ROOF_RULE_TRANSPOSED_DEPTHWISE] = 1 + ALU,
                                                     [ROOF_RULE_POOL] = 1 + ALU,
                                                     [ROOF_RULE_HARD_SIGMOID] = 1 + ALU,
                                                     [ROOF_RULE_SCALE] = 1 + ALU,
                                                     [ROOF_RULE_ELTWISE] = 1 + ELTWISE,
                                                     [ROOF_RULE_BINARY] = 1 + ELTWISE};
    return engines[rule] ? engines[rule] - 1U : ROOF_NONE;
}

static roof_status add_op(const void *config_, const roof_graph *g, const roof_demand *d, uint64_t *cycles,
                          roof_error *err)
{
    const config *c = config_;
    const roof_op *op = &g->ops[d->op];
    const uint32_t engine = engine_of(op->rule);
    if (engine == ROOF_NONE)
        return ROOF_OK;
    if (op->rule == ROOF_RULE_ATTENTION || op->rule == ROOF_RULE_RECURRENT)
        cycles[CONV] = ROOF_UNKNOWN;
    if (engine == CONV)
        return law_add_cycles(&cycles[CONV],
                              op->rule == ROOF_RULE_CONV2D       ? convolution(c, g, d)
                              : op->rule == ROOF_RULE_TRANSPOSED ? transposed(c, g, op)
                                                                 : matrix_product(c, op, d->macs),
                              op, err);
    uint32_t pp = engine == ELTWISE            ? c->eltwise_pp
                  : op->rule == ROOF_RULE_POOL ? c->pool_pp
                                               : c->depthwise_pp;
    if (!pp) {
        cycles[engine] = ROOF_UNKNOWN;
        return ROOF_OK;
    }
    /* one plane after the other: pp pixels times so many channels a cycle */
    const nhwc out = tensor_nhwc(&op->out);
    const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT);
    const uint64_t area = (uint64_t)op->window.kernel_h * op->window.kernel_w,
                   whole = input && op->out.elements ? input->out.elements / op->out.elements : 1,
                   kernel = engine != ALU ? 1
                            : area        ? area
                                          : whole, /* of a global pooling */
        channels = ceil_div(out.c, engine == ALU ? c->alu_cp : c->eltwise_cp);
    return law_add_cycles(&cycles[engine],
                          CHECKED_PRODUCT(ceil_div(out.h, pp), out.n, out.w, channels, kernel), op, err);
}

static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *t, uint64_t *cycles,
                        roof_error *err)
{
    const config *c = fit->config;
    uint64_t loads = t->weights_bytes + t->input_bytes;
    (void)work;
    (void)err;
    cycles[LOAD] = law_cycles_for_bytes(loads, 1, c->port_bytes_per_cycle);
    cycles[SAVE] = law_cycles_for_bytes(t->output_bytes, 1, c->port_bytes_per_cycle);
    cycles[MEMORY] = law_cycles_for_bytes(loads + t->output_bytes + t->instruction_bytes, fit->clock_hz,
                                          c->memory_bytes_per_s);
    return ROOF_OK;
}

/* A save has one of two ports of half the width each. No port is faster than the memory. */
static void timing(const law_fit *fit, replay_timing *out)
{
    const config *c = fit->config;
    double memory = c->memory_bytes_per_s > 0 ? c->memory_bytes_per_s / fit->clock_hz : INFINITY;
    *out = (replay_timing){.load_bytes_per_cycle = fmin(c->port_bytes_per_cycle, memory),
                           .save_bytes_per_cycle = fmin(c->port_bytes_per_cycle / 2, memory)};
}

const cycle_law law_dpuczdx8g = {
    .id = "dpuczdx8g",
    .only_type = "int8",
    .doc = "separate engines, quantised by PP, ICP and OCP",
    .keys = (const char *const[]){"clock", "conv.pixel_parallel", "conv.input_channel_parallel",
                                  "conv.output_channel_parallel", "port.bandwidth", "ddr.bandwidth", NULL},
    .configure = configure,
    .add_op = add_op,
    .move = move,
    .engine_of = engine_of,
    .timing = timing,
};
