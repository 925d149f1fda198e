#include "model/work/cost.h"
#include "model/work/opmap.h"
#include "model/work/traffic.h"

static double elements_of(const void *config, const roof_graph *g, const roof_tensor *t)
{
    (void)config;
    (void)g;
    return (double)t->elements;
}

/* Functions that no array has, which a table or a vector unit computes element by element. */
static const char smooth_types[] =
    "sigmoid swish hard-swish hard-sigmoid hard-sigmoid-fix qlinear-sigmoid gelu mish div softmax "
    "hard-softmax Sigmoid QLinearSigmoid HardSigmoid HardSwish Swish Erf Gelu FastGelu QuickGelu Mish "
    "Div Softmax LogSoftmax QLinearSoftmax LOGISTIC HARD_SWISH GELU DIV SOFTMAX LOG_SOFTMAX";

/* False: its multiply-accumulates, its kernel or what it reads is unknown. */
static bool add_demand(roof_sums *sums, const roof_graph *g, const roof_demand *d, uint32_t times)
{
    const roof_op *op = &g->ops[d->op];
    const double macs = (double)d->macs * times;
    if (d->macs == ROOF_UNKNOWN)
        return false;
    if (!rule_has_macs(op->rule) || !d->macs)
        return true;
    if (op->rule == ROOF_RULE_DEPTHWISE || op->rule == ROOF_RULE_TRANSPOSED_DEPTHWISE)
        sums->depthwise_macs += macs;
    else if (op->rule == ROOF_RULE_MATMUL || op->rule == ROOF_RULE_ATTENTION)
        sums->product_macs += macs;
    else {
        const roof_op *input = op_input(g, op, ROOF_ROLE_INPUT);
        const double taps = (double)op->window.kernel_h * op->window.kernel_w;
        if (!input || !(taps > 0))
            return false;
        const double cin = (double)d->macs / ((double)op->out.elements * taps);
        const double groups = fmax(1, round((double)tensor_nhwc(&input->out).c / cin));
        const double cout = (double)tensor_nhwc(&op->out).c / groups;
        roof_dense_sums *dense = taps > 1 ? &sums->k : &sums->one;
        dense->macs += macs;
        dense->macs_over_cin += macs / cin;
        dense->macs_over_cout += macs / cout;
        dense->macs_over_cin_cout += macs / (cin * cout);
    }
    return true;
}

bool work_add_row_sums(roof_sums *sums, const roof_graph *g, const roof_row *row, uint32_t times)
{
    const row_tensors n = traffic_row_tensors(g, &row->work, elements_of, NULL);
    const double maps = (n.input + n.output) * times;
    bool smooth = false;
    if (row->executor == ROOF_BY_NOBODY)
        return true;
    if (row->executor != ROOF_BY_ACCELERATOR)
        return false;
    for (uint32_t i = 0; i < row->work.n_demands; i++) {
        smooth = smooth || text_has_word(smooth_types, g->ops[row->work.demands[i].op].type);
        if (!add_demand(sums, g, &row->work.demands[i], times))
            return false;
    }
    sums->map_elements += maps;
    sums->map_elements_without_macs += row->macs ? 0 : maps;
    sums->smooth_elements += smooth ? n.output * times : 0;
    sums->weight_elements += n.weights * times;
    sums->rows += row->macs || maps > 0 ? times : 0;
    return true;
}

roof_sums work_sums(const roof_program *program)
{
    static const roof_sums unknown = {
        {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    roof_sums sums = {0};
    for (uint32_t i = 0; program && i < program->n_rows; i++)
        if (!work_add_row_sums(&sums, program->graph, &program->rows[i], program->rows[i].repeat))
            return unknown;
    return program && program->n_rows ? sums : unknown;
}
