/* tests/unit/fixture.h - small networks for tests: written as rows of a table, read from memory of exactly
 * their size, so that AddressSanitizer sees a read one byte too far.
 *
 * Ownership: a fx_net owns the bytes and the graph that points into them; fx_close frees both, NULL graphs
 *   too.
 */
#ifndef ROOF_TESTS_FIXTURE_H
#define ROOF_TESTS_FIXTURE_H

#include "model/graph/format.h"
#include "model/work/opmap.h"
#include "roofline/prediction.h"
#include "tests/support/xmodel_networks.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* B4096 of instruction set 1, as compilers from 3.0 on write it. */
#define FX_B4096 0x0101000056010407u
#define FX_B512  0x0101000056010200u

enum { FX_MAX_OPS = 64, FX_MAX_LAYERS = 64, FX_MAX_ATTRS = 24 };

/* ---- bytes, and the graph that is read from them ---- */

typedef struct fx_net {
    uint8_t *bytes;
    size_t size_bytes;
    roof_graph *graph;
} fx_net;

static inline uint8_t *fx_copy(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size);
    assert_true(copy || size == 0);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

/* The model is freed. The graph is not read yet. */
static inline fx_net fx_written(xm_model *model, const xm_options *options)
{
    fx_net net = {0};
    uint8_t *bytes = xm_write_memory(model, options, &net.size_bytes);
    assert_non_null(bytes);
    net.bytes = fx_copy(bytes, net.size_bytes);
    free(bytes);
    xm_model_free(model);
    return net;
}

static inline void fx_close(fx_net *net)
{
    roof_graph_free(net->graph);
    free(net->bytes);
    *net = (fx_net){0};
}

static inline const char *fx_message(const roof_error *err)
{
    static char text[1400];
    roof_error_format(err, text, sizeof text);
    return text;
}

static inline void fx_read(fx_net *net, const char *path)
{
    roof_error err = {0};
    if (graph_read_memory(net->bytes, net->size_bytes, path, &net->graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
}

static inline fx_net fx_open(xm_model *model, const xm_options *options)
{
    fx_net net = fx_written(model, options);
    fx_read(&net, "net.xmodel");
    return net;
}

/* Reading must fail like this; want is the text without the byte offset, which is returned. */
static inline uint64_t fx_refused(const char *name, const fx_net *net, roof_status status, const char *want)
{
    char text[1300];
    roof_graph *graph = NULL;
    roof_error err = {.byte_offset = ROOF_UNKNOWN};
    roof_status got = graph_read_memory(net->bytes, net->size_bytes, "net.xmodel", &graph, &err);
    roof_graph_free(graph);
    snprintf(text, sizeof text, "%s%s%s", err.where, err.where[0] ? ": " : "", err.what);
    if (got != status || err.status != status || strcmp(text, want) != 0)
        fail_msg("%s: status %d: '%s', want %d: '%s'", name, (int)got, got ? text : "", (int)status, want);
    return err.byte_offset;
}

static inline void fx_append(fx_net *net, const void *bytes, size_t size)
{
    uint8_t *longer = malloc(net->size_bytes + size);
    assert_non_null(longer);
    if (net->size_bytes)
        memcpy(longer, net->bytes, net->size_bytes);
    memcpy(longer + net->size_bytes, bytes, size);
    free(net->bytes);
    net->bytes = longer;
    net->size_bytes += size;
}

/* ---- networks as rows ---- */

typedef struct fx_op {
    const char *name, *type;
    uint32_t dims[9];                       /* up to the first 0 */
    const char *inputs[4], *weights, *bias; /* names of producers */
    int32_t kernel[2], stride[2], dilation[2],
        pad[4];       /* [w, h] and [left, right, top, bottom], as in the file */
    const char *kind; /* attribute "type" */
    int32_t augmentation, tile;
    uint64_t workload_ops; /* 0: not stored */
    /* the superlayer it belongs to; "cpu"; "none": in no subgraph; NULL: the user's part */
    const char *layer;
    bool in_ddr;
    int32_t reg_id, ddr_addr;            /* when in_ddr */
    int32_t bit_width;                   /* 0: 8 */
    const xm_attr *extra, *tensor_extra; /* one more attribute */
} fx_op;

/* A row: FX("conv1", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {3, 3}) */
#define FX(op_name, op_type, ...)                                                                            \
    {                                                                                                        \
        .name = (op_name), .type = (op_type), .dims = __VA_ARGS__                                            \
    }

typedef struct fx_target {
    const char *name, *compiler; /* "DPUCZDX8G_ISA1_B4096"; "xcompiler.3.5.0" or NULL */
    uint64_t fingerprint;
    xm_blob code, layer_code; /* layer_code: of every superlayer */
    bool no_dpu;              /* everything is left to the host */
} fx_target;

typedef struct fx_attrs {
    xm_attr list[FX_MAX_ATTRS];
    size_t count;
} fx_attrs;

static inline void fx_put(fx_attrs *attrs, xm_attr attr)
{
    assert_true(attrs->count < FX_MAX_ATTRS);
    attrs->list[attrs->count++] = attr;
}

static inline void fx_put_pair(xm_model *m, fx_attrs *attrs, const char *name, const int32_t pair[2])
{
    if (pair[0] || pair[1])
        fx_put(attrs, xm_i32_vec(m, name, pair, 2));
}

static inline xm_attrs fx_op_attrs(xm_model *m, const fx_op *op)
{
    fx_attrs attrs = {0};
    fx_put_pair(m, &attrs, "kernel", op->kernel);
    fx_put_pair(m, &attrs, "stride", op->stride);
    fx_put_pair(m, &attrs, "dilation", op->dilation);
    if (op->kernel[0])
        fx_put(&attrs, xm_i32_vec(m, "pad", op->pad, 4));
    if (op->kind)
        fx_put(&attrs, xm_string("type", op->kind));
    if (op->augmentation)
        fx_put(&attrs, xm_i32("channel_augmentation", op->augmentation));
    if (op->tile)
        fx_put(&attrs, xm_i32("stride", op->tile));
    if (op->workload_ops)
        fx_put(&attrs, xm_u64("workload", op->workload_ops));
    if (op->extra)
        fx_put(&attrs, *op->extra);
    return xm_attrs_copy(m, attrs.list, attrs.count);
}

static inline xm_tensor fx_tensor(xm_model *m, const fx_op *op)
{
    fx_attrs attrs = {0};
    xm_tensor t = {.name = xm_format(m, "%s_fix", op->name),
                   .dims = op->dims,
                   .data_type = XM_XINT,
                   .bit_width = op->bit_width ? op->bit_width : 8};
    while (t.n_dims < 8 && op->dims[t.n_dims])
        t.n_dims++;
    t.dims = xm_copy(m, op->dims, t.n_dims, sizeof *op->dims);
    fx_put(&attrs, xm_i32("location", op->in_ddr));
    if (op->in_ddr) {
        fx_put(&attrs, xm_i32("reg_id", op->reg_id));
        fx_put(&attrs, xm_i32("ddr_addr", op->ddr_addr));
    }
    if (op->tensor_extra)
        fx_put(&attrs, *op->tensor_extra);
    t.attrs = xm_attrs_copy(m, attrs.list, attrs.count);
    return t;
}

static inline void fx_add_op(xm_model *m, const fx_op *row)
{
    xm_arg args[3] = {0};
    size_t n_args = 0, n_inputs = 0;
    while (n_inputs < COUNT(row->inputs) && row->inputs[n_inputs])
        n_inputs++;
    if (n_inputs)
        args[n_args++] = (xm_arg){"input", xm_copy(m, row->inputs, n_inputs, sizeof *row->inputs), n_inputs};
    if (row->weights)
        args[n_args++] = (xm_arg){"weights", xm_copy(m, &row->weights, 1, sizeof row->weights), 1};
    if (row->bias)
        args[n_args++] = (xm_arg){"bias", xm_copy(m, &row->bias, 1, sizeof row->bias), 1};
    xm_op op = {.name = row->name, .type = row->type, .attrs = fx_op_attrs(m, row), .n_args = n_args};
    op.args = n_args ? xm_copy(m, args, n_args, sizeof *args) : NULL;
    op.output = fx_tensor(m, row);
    xm_add_op(m, &op);
}

/* Names of the ops whose layer is this one. */
static inline void fx_fill_leaf(xm_model *m, xm_subgraph *s, const fx_op *ops, size_t n_ops,
                                const char *layer)
{
    const char *names[FX_MAX_OPS];
    size_t n = 0;
    for (size_t i = 0; i < n_ops; i++)
        if (layer ? ops[i].layer && strcmp(ops[i].layer, layer) == 0 : !ops[i].layer)
            names[n++] = ops[i].name;
    s->op_names = n ? xm_copy(m, names, n, sizeof *names) : NULL;
    s->n_op_names = n;
}

static inline bool fx_is_superlayer(const char *layer)
{
    return layer && strcmp(layer, "cpu") != 0 && strcmp(layer, "none") != 0;
}

static inline size_t fx_superlayers(const fx_op *ops, size_t n_ops, const char *names[FX_MAX_LAYERS])
{
    size_t n = 0;
    for (size_t i = 0; i < n_ops; i++) {
        size_t at = 0;
        while (at < n && fx_is_superlayer(ops[i].layer) && strcmp(names[at], ops[i].layer) != 0)
            at++;
        if (fx_is_superlayer(ops[i].layer) && at == n)
            names[n++] = ops[i].layer;
    }
    return n;
}

static inline xm_attrs fx_dpu_attrs(xm_model *m, const fx_target *t, const char **names, size_t n_layers)
{
    static const xm_entry types[] = {
        {"REG_0", {.string = "CONST"}}, {"REG_1", {.string = "DATA"}}, {"REG_2", {.string = "DATA"}}};
    fx_attrs attrs = {0};
    fx_put(&attrs, xm_string("device", "DPU"));
    fx_put(&attrs, xm_string("dpu_name", t->name));
    fx_put(&attrs, xm_u64("dpu_fingerprint", t->fingerprint));
    fx_put(&attrs, xm_string_vec(m, "children_topological_sort", names, n_layers));
    fx_put(&attrs, xm_bytes(m, "mc_code", t->code));
    fx_put(&attrs, xm_map(m, "reg_id_to_context_type", XM_MAP_STRING, types, COUNT(types)));
    return xm_attrs_copy(m, attrs.list, attrs.count);
}

static inline void fx_add_dpu(xm_model *m, xm_subgraph *dpu, const fx_op *ops, size_t n_ops,
                              const fx_target *t)
{
    const char *names[FX_MAX_LAYERS];
    size_t n = fx_superlayers(ops, n_ops, names);
    xm_subgraph *children = xm_add_children(m, dpu, n);
    for (size_t i = 0; i < n; i++) {
        fx_attrs attrs = {0};
        children[i].name = names[i];
        fx_fill_leaf(m, &children[i], ops, n_ops, names[i]);
        if (t->layer_code.size_bytes)
            fx_put(&attrs, xm_bytes(m, "mc_code", t->layer_code));
        children[i].attrs = xm_attrs_copy(m, attrs.list, attrs.count);
    }
    dpu->name = "subgraph_dpu";
    dpu->attrs = fx_dpu_attrs(m, t, names, n);
}

static inline void fx_add_host(xm_model *m, xm_subgraph *s, const char *device, const fx_op *ops,
                               size_t n_ops)
{
    xm_attr attr = xm_string("device", device);
    s->name = xm_format(m, "subgraph_%s", device);
    s->attrs = xm_attrs_copy(m, &attr, 1);
    fx_fill_leaf(m, s, ops, n_ops, strcmp(device, "CPU") == 0 ? "cpu" : NULL);
}

/* Without a target the file is quantised and not compiled. */
static inline xm_model *fx_model(const fx_op *ops, size_t n_ops, const fx_target *target)
{
    xm_model *m = xm_model_new("fixture");
    for (size_t i = 0; i < n_ops; i++)
        fx_add_op(m, &ops[i]);
    if (target) {
        xm_subgraph *parts = xm_add_children(m, m->root, target->no_dpu ? 2 : 3);
        fx_add_host(m, &parts[0], "USER", ops, n_ops);
        fx_add_host(m, &parts[1], "CPU", ops, n_ops);
        if (!target->no_dpu)
            fx_add_dpu(m, &parts[2], ops, n_ops, target);
    }
    if (target && target->compiler) {
        xm_entry version = {target->compiler, {.string = "0"}};
        xm_attr attr = xm_map(m, "libs_info", XM_MAP_STRING, &version, 1);
        m->attrs = xm_attrs_copy(m, &attr, 1);
    }
    return m;
}

/* ---- looking things up ---- */

static inline const roof_op *fx_find_op(const roof_graph *g, const char *name)
{
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (strcmp(g->ops[i].name, name) == 0)
            return &g->ops[i];
    fail_msg("no op '%s'", name);
    return NULL;
}

/* The subgraph of the accelerator. */
static inline uint32_t fx_dpu(const roof_graph *g)
{
    for (uint32_t s = g->subgraphs[0].first_child; s != ROOF_NONE; s = g->subgraphs[s].next_sibling)
        if (g->subgraphs[s].device == ROOF_DEVICE_ACCELERATOR)
            return s;
    fail_msg("no subgraph of an accelerator");
    return ROOF_NONE;
}

static inline roof_hw *fx_hw(const char *spec)
{
    roof_hw *hw = NULL;
    roof_error err = {0};
    if (roof_hw_load(spec, &hw, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return hw;
}

static inline roof_prediction *fx_predict(const roof_graph *g, const char *spec,
                                          const roof_predict_options *options)
{
    roof_hw *hw = fx_hw(spec);
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_predict(g, hw, options, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hw);
    return p;
}

/* No row counts more operations than the roof that it counts them for lets pass. Returns how many rows have a
 * roof. */
static inline uint32_t fx_assert_below_roofs(const char *what, const roof_prediction *p)
{
    const double above = 1 + 1e-12; /* times and rates are rounded */
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        const roof_ceiling *roof = NULL;
        for (uint32_t c = 0; l->roof != ROOF_NONE && c < p->hardware.n_ceilings; c++)
            if (strcmp(p->hardware.ceilings[c].engine, p->engines[l->roof]) == 0)
                roof = &p->hardware.ceilings[c];
        if (l->utilisation_ratio > above ||
            (roof && (!(l->attainable_ops_per_s <= roof->ops_per_s * above) ||
                      l->attainable_ops_per_s >
                          l->intensity_ops_per_byte * p->hardware.bandwidth_bytes_per_s * above)))
            fail_msg("%s: row %u '%s' is above its roof: %g op/s, %g op/byte, %g of the array", what,
                     l->index, l->name, l->attainable_ops_per_s, l->intensity_ops_per_byte,
                     l->utilisation_ratio);
        n += roof != NULL;
    }
    return n;
}

static inline uint32_t fx_count_findings(const roof_prediction *p, roof_finding_kind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_findings; i++)
        n += p->findings[i].kind == kind;
    return n;
}

/* Until the next call. */
static inline const char *fx_finding_text(const roof_finding *finding)
{
    static char text[ROOF_SENTENCE_SIZE];
    return roof_finding_sentence(finding, text);
}

/* A sentence of the verdict, until the next call with the same i. */
static inline const char *fx_verdict(const roof_prediction *p, uint32_t i)
{
    static char texts[sizeof p->verdict / sizeof *p->verdict][ROOF_SENTENCE_SIZE];
    return roof_prediction_sentence(p, i, texts[i]);
}

/* The text of the first finding of a kind, until the next call. */
static inline const char *fx_finding(const roof_prediction *p, roof_finding_kind kind)
{
    for (uint32_t i = 0; i < p->n_findings; i++)
        if (p->findings[i].kind == kind)
            return fx_finding_text(&p->findings[i]);
    fail_msg("no finding '%s'", roof_finding_kind_text(kind));
    return "";
}

/* ---- a graph as text: all of it but names of tensors, places in the file and parameters ---- */

static inline void fx_dump_ops(FILE *out, const roof_graph *g)
{
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const roof_xir_op *own = roof_xir_op_of(g, op);
        const roof_tensor *t = &op->out;
        const roof_window *w = &op->window;
        fprintf(out, "op %s %s %d %s [", op->name, op->type, (int)op->rule, t->name);
        for (uint32_t d = 0; d < t->n_dims; d++)
            fprintf(out, "%u ", t->dims[d]);
        fprintf(out,
                "] %u bit %" PRIu64 " el %" PRIu64 " B reg %d at %" PRId64 " ddr %d place %d span %" PRIu64,
                t->bit_width, t->elements, t->bytes, own->reg_id, own->ddr_addr, own->in_ddr, own->in_place,
                own->span_bytes);
        fprintf(out, " k%ux%u s%ux%u d%ux%u p%d,%d,%d,%d", w->kernel_h, w->kernel_w, w->stride_h, w->stride_w,
                w->dilation_h, w->dilation_w, w->pad_left, w->pad_right, w->pad_top, w->pad_bottom);
        fprintf(out, " work %" PRIu64 " aug %u tile %u avg %d layer %u sub %u <-", op->stored_workload_ops,
                own->channel_augmentation, own->tile_stride, op->average, op->layer, op->subgraph);
        for (uint32_t e = 0; e < op->n_inputs; e++)
            fprintf(out, " %u:%d", g->edges[op->first_input + e].op, (int)g->edges[op->first_input + e].role);
        fputc('\n', out);
    }
}

static inline void fx_dump_code(FILE *out, const roof_code *code)
{
    uint64_t sum = code->length_bytes;
    for (uint64_t i = 0; i < code->length_bytes; i++)
        sum = sum * 31 + code->bytes[i];
    fprintf(out, " code %" PRIu64 " %" PRIx64 "\n", code->length_bytes, sum);
}

static inline void fx_dump_subgraphs(FILE *out, const roof_graph *g)
{
    for (uint32_t i = 0; i < g->n_subgraphs; i++) {
        const roof_subgraph *s = &g->subgraphs[i];
        const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
        fprintf(out,
                "subgraph %s %s %d depth %u of %u child %u next %u target %s %" PRIx64
                " mode %s work %" PRIu64,
                s->name, s->device_name, (int)s->device, s->depth, s->parent, s->first_child, s->next_sibling,
                s->target, own->fingerprint, own->code_mode, s->stored_workload_ops);
        fprintf(out, " layers %u+%u skip %d ops", s->first_layer, s->n_layers, own->skip_code_gen);
        for (uint32_t o = 0; o < s->n_ops; o++)
            fprintf(out, " %u", g->subgraph_ops[s->first_op + o]);
        fx_dump_code(out, &own->code);
    }
}

static inline void fx_dump_registers(FILE *out, const roof_graph *g)
{
    for (uint32_t i = 0; i < g->n_subgraphs; i++) {
        const roof_xir_subgraph *own = roof_xir_subgraph_of(g, &g->subgraphs[i]);
        for (uint32_t k = 0; k < own->n_registers; k++) {
            const roof_register *r = &own->registers[k];
            fprintf(out, "register %u %d const %d size %" PRIu64 "\n", i, r->id, r->constant, r->size_bytes);
        }
    }
}

static inline char *fx_dump(const roof_graph *g)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fprintf(out, "graph %s by %s hash %s compiled %d\n", g->name, g->compiler, g->graph_hash, g->compiled);
    fx_dump_ops(out, g);
    fx_dump_subgraphs(out, g);
    fx_dump_registers(out, g);
    for (uint32_t i = 0; i < g->n_layers; i++) {
        const roof_layer *l = &g->layers[i];
        const roof_xir_subgraph *own = roof_xir_layer_of(g, l);
        fprintf(out, "layer %s of %u node %u work %" PRIu64 " skip %d ops", l->name, l->subgraph, l->node,
                l->stored_workload_ops, own->skip_code_gen);
        for (uint32_t o = 0; o < l->n_ops; o++)
            fprintf(out, " %u", g->layer_ops[l->first_op + o]);
        fx_dump_code(out, &own->code);
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Names the first line that differs. Frees both. */
static inline void fx_assert_same_dump(const char *name, char *got, char *want)
{
    if (strcmp(got, want) != 0) {
        char *g = got, *w = want;
        while (*g && *w && strcspn(g, "\n") == strcspn(w, "\n") && memcmp(g, w, strcspn(g, "\n")) == 0) {
            g += strcspn(g, "\n") + 1;
            w += strcspn(w, "\n") + 1;
        }
        fail_msg("%s: got\n%.*s\nwant\n%.*s", name, (int)strcspn(g, "\n"), g, (int)strcspn(w, "\n"), w);
    }
    free(got);
    free(want);
}

/* --- documents ---------------------------------------------------------------------------------------- */

/* Its names are what no file, script or page may ever evaluate; its layers have operations and bytes, so that
 * there is something to draw. */
static inline roof_prediction *fx_hostile_prediction(void)
{
    char path[512];
    const char *root = getenv("ROOFLINE_SOURCE_DIR");
    roof_prediction *p = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/tests/support/hostile_prediction.json", root ? root : ".");
    if (roof_prediction_read(path, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return p;
}

#endif
