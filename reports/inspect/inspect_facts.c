/* The head of `roofline inspect`: what the file is, in two sentences and a list. */
#include "reports/inspect/inspect.h"
#include "core/error.h"
#include "core/quantity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return arena_printf(v->arena, "%s%s%s", t->config.name, t->config.size[0] ? " " : "", t->config.size);
    return *t->name ? arena_shown(v->arena, t->name) : "an unknown target";
}

static const char *what_it_is(const inspect_view *v)
{
    const roof_graph *g = v->graph;
    if (g->plan)
        return inspect_plan_verdict(v);
    if (!v->n_targets)
        return arena_printf(v->arena,
                            "Only quantised, not compiled: nothing is fused or placed yet, %" PRIu32
                            " of %" PRIu32 " operators compute.",
                            g->n_layers, g->n_ops);
    uint32_t host = count_layers(g, ROOF_DEVICE_CPU), layers = count_layers(g, ROOF_DEVICE_ACCELERATOR);
    const char *name = target_name(v, &v->targets[0]);
    const char *rest = host ? arena_printf(v->arena, ", %" PRIu32 " on the host", host) : "";
    return name && rest ? arena_printf(v->arena, "Compiled for %s: %" PRIu32 " layer%s on the accelerator%s.",
                                       name, layers, layers == 1 ? "" : "s", rest)
                        : NULL;
}

static const char *what_to_know(const inspect_view *v)
{
    for (uint32_t i = 0; i < v->n_targets; i++) {
        const inspect_target *t = &v->targets[i];
        const char *name = arena_shown(v->arena, t->name);
        if (t->contradiction)
            return arena_printf(
                v->arena,
                "The file calls its target '%s', but the fingerprint 0x%016" PRIx64 " stands for %s %s, "
                "instruction set %" PRIu32 ". The fingerprint is trusted: the instructions fit it; the "
                "name is a label.",
                name ? name : "", t->fingerprint, t->config.name, t->config.size, t->config.isa);
    }
    if (v->n_targets && v->targets[0].unnumbered)
        return "";
    if (v->n_targets && !v->targets[0].known)
        return "The configuration behind this fingerprint is not public, so only the name of the target is "
               "known.";
    if (!v->n_targets)
        return "Compile it for a target to see layers, instructions and memory as the accelerator gets them.";
    return "";
}

roof_status inspect_verdict(const inspect_view *view, const char *sentences[2], roof_error *err)
{
    sentences[0] = what_it_is(view);
    sentences[1] = what_to_know(view);
    return sentences[0] && sentences[1] ? ROOF_OK : error_memory(err);
}

/* --- facts -------------------------------------------------------------------------------------------- */

typedef struct fact_list {
    const inspect_view *view;
    inspect_fact *facts;
    size_t n;
    bool failed;
} fact_list;

static void add_fact(fact_list *list, const char *label, const char *value)
{
    list->failed = list->failed || !value;
    if (!value || !*value || list->n == INSPECT_MAX_FACTS)
        return;
    list->facts[list->n++] = (inspect_fact){label, value};
}

/* A kind of engine is so many pixels by so many channels. */
static void add_engine(fact_list *list, const char *label, uint32_t pixels, uint32_t channels,
                       const char *what)
{
    if (pixels == ROOF_NONE || pixels == 0)
        return;
    add_fact(list, label,
             channels == ROOF_NONE
                 ? arena_printf(list->view->arena, "%" PRIu32 " pixels%s", pixels, what)
                 : arena_printf(list->view->arena, "%" PRIu32 " pixel%s x %" PRIu32 " channels%s", pixels,
                                inspect_plural(pixels), channels, what));
}

static void add_convolution(fact_list *list, const roof_dpu_config *c)
{
    uint64_t macs = (uint64_t)c->pixel_parallel * c->input_channel_parallel * c->output_channel_parallel;
    roof_arena *arena = list->view->arena;
    if (c->pixel_parallel == ROOF_NONE || c->input_channel_parallel == ROOF_NONE ||
        c->output_channel_parallel == ROOF_NONE)
        return;
    add_fact(list, " convolution",
             arena_printf(arena,
                          "%" PRIu32 " pixels x %" PRIu32 " input x %" PRIu32 " output channels: %" PRIu64
                          " MACs = %" PRIu64 " ops per cycle",
                          c->pixel_parallel, c->input_channel_parallel, c->output_channel_parallel, macs,
                          2 * macs));
    if (c->channel_augmentation != ROOF_NONE)
        add_fact(list, " augmentation",
                 c->channel_augmentation
                     ? arena_printf(arena, "up to %" PRIu32 " input channels with kernel columns read as one",
                                    c->channel_augmentation)
                     : "not built in");
}

static void add_banks(fact_list *list, const roof_dpu_config *c)
{
    roof_arena *arena = list->view->arena;
    if (c->image_groups != ROOF_NONE && c->image_bytes != ROOF_UNKNOWN)
        add_fact(list, " image banks",
                 arena_printf(arena, "%" PRIu32 " group%s, %s B", c->image_groups,
                              inspect_plural(c->image_groups), inspect_count(arena, c->image_bytes)));
    else if (c->image_groups != ROOF_NONE)
        add_fact(
            list, " image banks",
            arena_printf(arena, "%" PRIu32 " group%s", c->image_groups, inspect_plural(c->image_groups)));
    if (c->convw_bank_base != ROOF_NONE)
        add_fact(list, " weight banks",
                 arena_printf(arena, "from number %" PRIu32 " on", c->convw_bank_base));
}

static void add_config(fact_list *list, const roof_dpu_config *c)
{
    roof_arena *arena = list->view->arena;
    add_convolution(list, c);
    add_engine(list, " ALU", c->alu_pixel_parallel, c->side_channel_parallel,
               " (depthwise, pooling, activations)");
    add_engine(list, " depthwise", c->dwconv_pixel_parallel, c->side_channel_parallel, "");
    add_engine(list, " pooling", c->pool_pixel_parallel, c->side_channel_parallel, "");
    add_engine(list, " element-wise", c->eltwise_pixel_parallel, c->side_channel_parallel, "");
    add_banks(list, c);
    if (c->batch != ROOF_NONE && c->batch > 1)
        add_fact(list, " batch", arena_printf(arena, "%" PRIu32 " images in one pass", c->batch));
    if (c->aie_cores != ROOF_NONE && c->aie_cores)
        add_fact(list, " AI Engines", arena_printf(arena, "%" PRIu32 " per batch lane", c->aie_cores));
    if (c->unexplained_bits)
        add_fact(list, " not explained", arena_printf(arena, "feature bits 0x%" PRIx64, c->unexplained_bits));
}

static void add_target(fact_list *list, const inspect_target *t)
{
    roof_arena *arena = list->view->arena;
    const char *isa = t->unnumbered ? ""
                      : t->known ? arena_printf(arena, ": %s%s%s, instruction set %" PRIu32, t->config.name,
                                                t->config.size[0] ? " " : "", t->config.size, t->config.isa)
                                 : arena_printf(arena, ": %s", t->text);
    add_fact(list, "target", *t->name ? arena_shown(arena, t->name) : "(not named)");
    if (t->unnumbered)
        return;
    add_fact(list, "fingerprint",
             isa ? arena_printf(arena, "0x%016" PRIx64 "%s", t->fingerprint, isa) : NULL);
    if (t->known)
        add_config(list, &t->config);
}

static void add_plan(fact_list *list)
{
    inspect_fact facts[INSPECT_PLAN_FACTS];
    size_t n;
    list->failed = list->failed || !inspect_plan_facts(list->view, facts, &n);
    for (size_t i = 0; !list->failed && i < n; i++)
        add_fact(list, facts[i].label, facts[i].value);
}

static void add_sizes(fact_list *list)
{
    const inspect_view *v = list->view;
    roof_arena *arena = v->arena;
    add_fact(list, "ops", inspect_count(arena, v->graph->n_ops));
    add_fact(list, "weights",
             arena_printf(arena, "%s B in tensors%s", inspect_count(arena, v->weights_bytes),
                          v->graph->compiled && !v->parameter_bytes ? "; the file holds none of them" : ""));
    if (v->code_bytes)
        add_fact(list, "code",
                 arena_printf(arena, "%s B for the subgraphs%s", inspect_count(arena, v->code_bytes),
                              v->layer_code_bytes ? "" : "; layers have none of their own"));
    if (v->layer_code_bytes)
        add_fact(list, "layers' code",
                 arena_printf(arena, "%s B, what a per-layer profile runs",
                              inspect_count(arena, v->layer_code_bytes)));
}

roof_status inspect_facts(const inspect_view *view, inspect_fact facts[INSPECT_MAX_FACTS], size_t *n,
                          roof_error *err)
{
    const roof_graph *g = view->graph;
    roof_arena *arena = view->arena;
    fact_list list = {.view = view, .facts = facts};
    add_fact(&list, "file", arena_shown(arena, g->path));
    add_fact(&list, "format",
             arena_printf(arena, "%s, %s B", g->format, inspect_count(arena, g->file_bytes)));
    add_fact(&list, "network", arena_shown(arena, g->name));
    add_fact(&list, "compiler",
             *g->compiler  ? arena_shown(arena, g->compiler)
             : g->compiled ? "not stated"
                           : "");
    add_fact(&list, "graph hash", g->graph_hash);
    for (uint32_t i = 0; i < view->n_targets; i++)
        add_target(&list, &view->targets[i]);
    if (g->plan)
        add_plan(&list);
    else
        add_sizes(&list);
    *n = list.n;
    return list.failed ? error_memory(err) : ROOF_OK;
}
