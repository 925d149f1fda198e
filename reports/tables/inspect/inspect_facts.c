/* The head of `roofline inspect`: what the file is, in two sentences and a list. */
#include "model/work/cost.h"
#include "model/work/opmap.h"
#include "reports/tables/inspect/inspect.h"

/* --- sentences ---------------------------------------------------------------------------------------- */

static uint32_t count_layers(const roof_graph *g, roof_device device)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_layers; i++)
        n += g->subgraphs[g->layers[i].subgraph].device == device;
    return n;
}

/* "DPUCZDX8G B4096", as far as it is known. */
static const char *target_name(const inspect_view *v, const inspect_target *t)
{
    if (t->known)
        return say_printf(v->arena, "%s%s%s", t->config.name, t->config.size[0] ? " " : "", t->config.size);
    return *t->name ? text_or_empty(arena_shown(v->arena, t->name)) : "an unknown target";
}

static const char *what_it_is(const inspect_view *v)
{
    const roof_graph *g = v->graph;
    if (roof_plan_of(v->graph))
        return inspect_plan_verdict(v);
    /* "Placed operator by operator, not compiled: 303 of 1705 operators compute, 302 on NPU and 1 on CPU." */
    const char *placed = "Placed operator by operator, not compiled";
    for (uint32_t s = 0; s < g->n_subgraphs && !g->compiled && g->n_subgraphs > 1; s++)
        placed = s ? say_printf(v->arena, "%s%s%u on %s", placed, s > 1 ? " and " : ", ",
                                g->subgraphs[s].n_layers, g->subgraphs[s].device_name)
                   : say_printf(v->arena, "%s: %u of %u operators compute", placed, g->n_layers, g->n_ops);
    if (!g->compiled && g->n_subgraphs > 1)
        return say_printf(v->arena, "%s.", placed);
    if (!v->n_targets)
        return say_printf(
            v->arena,
            g->compiled ? "Compiled, for a target that the file does not name: %u of %u operators compute."
                        : "Not compiled: nothing is fused or placed yet, %u of %u operators compute.",
            g->n_layers, g->n_ops);
    uint32_t host = count_layers(g, ROOF_DEVICE_CPU), layers = count_layers(g, ROOF_DEVICE_ACCELERATOR);
    const char *rest = host ? say_printf(v->arena, ", %u on the CPU", host) : "";
    uint32_t n = 0;
    uint64_t rows = 0;
    const roof_command_stream *streams = roof_command_streams_of(g, &n);
    for (uint32_t i = 0; i < n; i++)
        (void)checked_add_known(&rows, streams[i].rows);
    if (n) /* an operator of the file is a stream of many */
        return say_printf(v->arena, "Compiled for %s: %" PRIu64 " row%s of work on the accelerator%s.",
                          target_name(v, &v->targets[0]), rows, say_plural(rows), rest);
    return say_printf(v->arena, "Compiled for %s: %u layer%s on the accelerator%s.",
                      target_name(v, &v->targets[0]), layers, say_plural(layers), rest);
}

uint64_t inspect_macs(const inspect_view *v)
{
    static const workload_convention none;
    uint64_t sum = roof_plan_of(v->graph) || !v->graph->n_ops ? ROOF_UNKNOWN : 0;
    for (uint32_t i = 0; i < v->graph->n_ops && sum != ROOF_UNKNOWN; i++) {
        const roof_op *op = &v->graph->ops[i];
        op_work work;
        roof_error ignored;
        if (op->rule == ROOF_RULE_UNKNOWN || op->rule == ROOF_RULE_MISFIT)
            sum = ROOF_UNKNOWN;
        else if (rule_has_macs(op->rule) && op_work_of(v->graph, op, &none, &work, &ignored) == ROOF_OK)
            (void)checked_add_known(&sum, work.macs);
    }
    return sum;
}

static const char *what_to_know(const inspect_view *v)
{
    const roof_finding *open = roof_graph_open_shape(v->graph);
    if (open)
        return say_printf(v->arena, "Open: %s.", roof_finding_sentence(open, (char[ROOF_SENTENCE_SIZE]){""}));
    for (uint32_t i = 0; i < v->graph->n_ops; i++)
        if (v->graph->ops[i].rule == ROOF_RULE_MISFIT)
            return say_printf(v->arena,
                              "No runtime runs it as it is: '%s' contradicts what it reads, or what the file "
                              "declares; `roofline predict --findings` says how.",
                              text_or_empty(arena_shown(v->arena, v->graph->ops[i].name)));
    FOR_EACH(const inspect_target, t, v->targets, v->n_targets)
        if (t->contradiction)
            return say_printf(v->arena,
                              "The file calls its target '%s', but the fingerprint 0x%016" PRIx64
                              " stands for %s %s, instruction set %u. The fingerprint is trusted: the "
                              "instructions fit it; the name is a label.",
                              text_or_empty(arena_shown(v->arena, t->name)), t->fingerprint, t->config.name,
                              t->config.size, t->config.isa);
    if (v->n_targets && v->targets[0].unnumbered)
        return "";
    if (v->n_targets && !v->targets[0].known)
        return "The configuration behind this fingerprint is not public, so only the name of the target is "
               "known.";
    if (!v->graph->compiled && v->graph->n_subgraphs > 1)
        return "`roofline predict` says first what its tool left to the CPU.";
    if (!v->n_targets && v->graph->compiled)
        return "`roofline predict` says what of it is known.";
    if (!v->n_targets)
        return "Compile it for a target to see layers, instructions and memory as the accelerator gets them.";
    return "";
}

void inspect_verdict(const inspect_view *view, const char *sentences[2])
{
    sentences[0] = text_or_empty(what_it_is(view));
    sentences[1] = text_or_empty(what_to_know(view));
}

/* --- facts -------------------------------------------------------------------------------------------- */

/* A kind of engine is so many pixels by so many channels. */
static void add_engine(remarks *r, const char *label, uint32_t pixels, uint32_t channels, const char *what)
{
    if (pixels == ROOF_NONE || pixels == 0)
        return;
    if (channels == ROOF_NONE)
        remarks_add(r, label, "%u pixels%s", pixels, what);
    else
        remarks_add(r, label, "%u pixel%s x %u channels%s", pixels, say_plural(pixels), channels, what);
}

static void add_config(remarks *r, const roof_dpu_config *c)
{
    uint32_t channels = c->side_channel_parallel;
    uint64_t macs = (uint64_t)c->pixel_parallel * c->input_channel_parallel * c->output_channel_parallel;
    if (c->pixel_parallel != ROOF_NONE && c->input_channel_parallel != ROOF_NONE &&
        c->output_channel_parallel != ROOF_NONE) {
        remarks_add(r, " convolution",
                    "%u pixels x %u input x %u output channels: %" PRIu64 " MACs = %" PRIu64 " ops per cycle",
                    c->pixel_parallel, c->input_channel_parallel, c->output_channel_parallel, macs, 2 * macs);
        if (!c->channel_augmentation)
            remarks_add(r, " augmentation", "not built in");
        else if (c->channel_augmentation != ROOF_NONE)
            remarks_add(r, " augmentation", "up to %u input channels with kernel columns read as one",
                        c->channel_augmentation);
    }
    add_engine(r, " ALU", c->alu_pixel_parallel, channels, " (depthwise, pooling, activations)");
    add_engine(r, " depthwise", c->dwconv_pixel_parallel, channels, "");
    add_engine(r, " pooling", c->pool_pixel_parallel, channels, "");
    add_engine(r, " element-wise", c->eltwise_pixel_parallel, channels, "");
    const char *size = "";
    if (c->image_bytes != ROOF_UNKNOWN)
        size = say_printf(r->arena, ", %s B", inspect_count(r->arena, c->image_bytes));
    if (c->image_groups != ROOF_NONE)
        remarks_add(r, " image banks", "%u group%s%s", c->image_groups, say_plural(c->image_groups), size);
    if (c->convw_bank_base != ROOF_NONE)
        remarks_add(r, " weight banks", "from number %u on", c->convw_bank_base);
    if (c->batch != ROOF_NONE && c->batch > 1)
        remarks_add(r, " batch", "%u images in one pass", c->batch);
    if (c->aie_cores != ROOF_NONE && c->aie_cores)
        remarks_add(r, " AI Engines", "%u per batch lane", c->aie_cores);
    if (c->unexplained_bits)
        remarks_add(r, " not explained", "feature bits 0x%" PRIx64, c->unexplained_bits);
}

static void add_sizes(const inspect_view *v, remarks *r)
{
    remarks_add(r, "ops", "%s", inspect_count(v->arena, v->graph->n_ops));
    if (inspect_macs(v) != ROOF_UNKNOWN)
        remarks_add(r, "MACs", "%s", inspect_count(v->arena, inspect_macs(v)));
    remarks_add(r, "weights", "%s B in tensors%s", inspect_count(v->arena, v->weights_bytes),
                v->n_targets && !v->parameter_bytes && !v->n_items[INSPECT_COMMANDS]
                    ? "; the file holds none of them"
                    : "");
    if (v->code_bytes)
        remarks_add(r, "code", "%s B for the subgraphs%s", inspect_count(v->arena, v->code_bytes),
                    v->layer_code_bytes ? "" : "; layers have none of their own");
    if (v->layer_code_bytes)
        remarks_add(r, "layers' code", "%s B, what a per-layer profile runs",
                    inspect_count(v->arena, v->layer_code_bytes));
}

void inspect_facts(const inspect_view *v, remarks *r)
{
    const roof_graph *g = v->graph;
    remarks_add(r, "file", "%s", text_or_empty(arena_shown(v->arena, g->path)));
    remarks_add(r, "format", "%s, %s B", g->format, inspect_count(v->arena, g->file_bytes));
    remarks_add(r, "network", "%s", text_or_empty(arena_shown(v->arena, g->name)));
    const char *unknown = g->compiled ? "not stated" : "";
    remarks_add(r, "compiler", "%s",
                *g->compiler ? text_or_empty(arena_shown(v->arena, g->compiler)) : unknown);
    remarks_add(r, "graph hash", "%s", g->graph_hash);
    FOR_EACH(const inspect_target, t, v->targets, v->n_targets) {
        const roof_dpu_config *c = &t->config;
        remarks_add(r, "target", "%s",
                    *t->name ? text_or_empty(arena_shown(r->arena, t->name)) : "(not named)");
        if (!t->unnumbered) {
            if (t->known)
                remarks_add(r, "fingerprint", "0x%016" PRIx64 ": %s%s%s, instruction set %u", t->fingerprint,
                            c->name, c->size[0] ? " " : "", c->size, c->isa);
            else
                remarks_add(r, "fingerprint", "0x%016" PRIx64 ": %s", t->fingerprint, t->text);
            if (t->known)
                add_config(r, c);
        }
    }
    if (roof_plan_of(v->graph))
        inspect_plan_facts(v, r);
    else
        add_sizes(v, r);
    inspect_code_facts(v, r);
}
