/* "roofline.inspection/1", docs/schema/inspection-1.schema.json: everything that the reader found,
 * nothing shortened. */
#include "core/error.h"
#include "reports/inspect/inspect_json.h"
#include "reports/renderer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_fingerprint(jsonout *j, const char *key, uint64_t fingerprint)
{
    char text[24]; /* a string: JSON numbers are doubles for many readers */
    snprintf(text, sizeof text, "0x%016" PRIx64, fingerprint);
    jsonout_string(j, key, text);
}

/* The file's name without folder and extension, as in a prediction. */
static void put_stem(jsonout *j, const inspect_view *v, const char *key, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const char *stem = arena_strndup(v->arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    j->out->failed = j->out->failed || !stem;
    jsonout_string(j, key, stem ? stem : "");
}

static void put_model(jsonout *j, const inspect_view *v)
{
    const roof_graph *g = v->graph;
    jsonout_object(j, "model", false);
    jsonout_string(j, "path", g->path);
    jsonout_string(j, "format", g->format);
    put_stem(j, v, "name", g->path);
    jsonout_string(j, "network", g->name);
    jsonout_string(j, "graph_hash", g->graph_hash);
    inspect_json_text_or_null(j, "compiler", g->compiler);
    inspect_json_text_or_null(j, "target", v->n_targets ? v->targets[0].name : "");
    jsonout_bool(j, "compiled", g->compiled);
    jsonout_count(j, "file_bytes", g->file_bytes);
    jsonout_end(j);
}

/* --- targets ------------------------------------------------------------------------------------------ */

static void put_config(jsonout *j, const roof_dpu_config *c)
{
    const struct {
        const char *key;
        uint32_t value;
    } counts[] = {{"pixel_parallel", c->pixel_parallel},
                  {"input_channel_parallel", c->input_channel_parallel},
                  {"output_channel_parallel", c->output_channel_parallel},
                  {"alu_pixel_parallel", c->alu_pixel_parallel},
                  {"dwconv_pixel_parallel", c->dwconv_pixel_parallel},
                  {"pool_pixel_parallel", c->pool_pixel_parallel},
                  {"eltwise_pixel_parallel", c->eltwise_pixel_parallel},
                  {"side_channel_parallel", c->side_channel_parallel},
                  {"channel_augmentation", c->channel_augmentation},
                  {"image_groups", c->image_groups},
                  {"convw_bank_base", c->convw_bank_base},
                  {"batch", c->batch},
                  {"aie_cores", c->aie_cores}};
    jsonout_object(j, "configuration", false);
    jsonout_string(j, "family", c->family);
    jsonout_string(j, "size", c->size[0] ? c->size : NULL);
    jsonout_count(j, "isa", c->isa);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        inspect_json_index(j, counts[i].key, counts[i].value, 0);
    jsonout_count(j, "image_bytes", c->image_bytes);
    put_fingerprint(j, "unexplained_bits", c->unexplained_bits);
    jsonout_end(j);
}

static void put_targets(jsonout *j, const inspect_view *v)
{
    jsonout_array(j, "targets", false);
    for (uint32_t i = 0; i < v->n_targets; i++) {
        const inspect_target *t = &v->targets[i];
        jsonout_object(j, NULL, false);
        inspect_json_text_or_null(j, "name", t->name);
        if (t->unnumbered) {
            jsonout_null(j, "fingerprint");
            jsonout_null(j, "text");
        } else {
            put_fingerprint(j, "fingerprint", t->fingerprint);
            jsonout_string(j, "text", t->text);
        }
        if (t->known) {
            jsonout_bool(j, "name_agrees", !t->contradiction);
            put_config(j, &t->config);
        } else {
            jsonout_null(j, "name_agrees");
            jsonout_null(j, "configuration");
        }
        jsonout_end(j);
    }
    jsonout_end(j);
}

/* --- subgraphs and layers ----------------------------------------------------------------------------- */

static void put_code(jsonout *j, const roof_code *code)
{
    jsonout_count(j, "code_bytes", code->length_bytes);
    jsonout_count(j, "code_offset_bytes", code->length_bytes ? code->file_offset : ROOF_UNKNOWN);
}

static void put_registers(jsonout *j, const roof_xir_subgraph *s)
{
    jsonout_array(j, "registers", !s->n_registers);
    for (uint32_t i = 0; i < s->n_registers; i++) {
        const roof_register *r = &s->registers[i];
        jsonout_object(j, NULL, true);
        jsonout_count(j, "id", (uint64_t)r->id);
        jsonout_string(j, "holds", r->constant ? "CONST" : "DATA");
        jsonout_count(j, "size_bytes", r->size_bytes);
        jsonout_count(j, "parameter_bytes", r->parameter_bytes);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_subgraph(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_graph *g = v->graph;
    const roof_subgraph *s = &g->subgraphs[index];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
    jsonout_object(j, NULL, false);
    jsonout_count(j, "index", index);
    jsonout_string(j, "name", s->name);
    inspect_json_index(j, "parent", s->parent, 0);
    jsonout_count(j, "depth", s->depth);
    inspect_json_text_or_null(j, "device", s->device_name);
    jsonout_string(j, "device_kind", inspect_device_word(s->device));
    inspect_json_text_or_null(j, "target", s->target);
    if (s->device == ROOF_DEVICE_ACCELERATOR && own->fingerprint != ROOF_UNKNOWN)
        put_fingerprint(j, "fingerprint", own->fingerprint);
    else
        jsonout_null(j, "fingerprint");
    inspect_json_text_or_null(j, "code_mode", own->code_mode);
    jsonout_count(j, "layers", index ? s->n_layers : g->n_layers);
    jsonout_count(j, "ops", v->subgraph_ops[index]);
    jsonout_count(j, "stored_workload_ops", s->stored_workload_ops);
    jsonout_bool(j, "skip_code_gen", own->skip_code_gen);
    put_code(j, &own->code);
    put_registers(j, own);
    jsonout_end(j);
}

static void put_layer_ops(jsonout *j, const inspect_view *v, const roof_layer *l)
{
    const roof_graph *g = v->graph;
    jsonout_array(j, "ops", true);
    for (uint32_t i = 0; i < l->n_ops; i++)
        jsonout_count(j, NULL, g->layer_ops[l->first_op + i]);
    jsonout_end(j);
    jsonout_array(j, "types", true);
    for (uint32_t i = 0; i < l->n_ops; i++) {
        const roof_op *op = &g->ops[g->layer_ops[l->first_op + i]];
        if (op->rule != ROOF_RULE_CONSTANT)
            jsonout_string(j, NULL, op->type);
    }
    jsonout_end(j);
}

static void put_layer(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_layer *l = &v->graph->layers[index];
    const inspect_layer *sums = &v->layers[index];
    const roof_xir_subgraph *own = roof_xir_layer_of(v->graph, l);
    jsonout_object(j, NULL, false);
    inspect_json_index(j, "index", index, 1);
    jsonout_string(j, "name", l->name);
    jsonout_count(j, "subgraph", l->subgraph);
    inspect_json_index(j, "node", l->node, 0);
    put_layer_ops(j, v, l);
    inspect_json_index(j, "output_op", sums->output, 0);
    jsonout_count(j, "outputs", sums->n_outputs);
    jsonout_count(j, "weights_bytes", sums->weights_bytes);
    jsonout_count(j, "stored_workload_ops", l->stored_workload_ops);
    jsonout_bool(j, "skip_code_gen", own->skip_code_gen);
    put_code(j, &own->code);
    jsonout_end(j);
}

/* --- operators ---------------------------------------------------------------------------------------- */

static void put_signed(jsonout *j, const char *key, int64_t value, bool known)
{
    if (known)
        jsonout_number(j, key, (double)value); /* addresses are below 2^53 */
    else
        jsonout_null(j, key);
}

static void put_tensor(jsonout *j, const inspect_view *v, const roof_op *op)
{
    const roof_tensor *t = &op->out;
    const roof_xir_op *at = roof_xir_op_of(v->graph, op);
    jsonout_object(j, "tensor", true);
    jsonout_string(j, "name", t->name);
    jsonout_array(j, "dims", true);
    for (uint32_t i = 0; i < t->n_dims; i++)
        jsonout_count(j, NULL, t->dims[i]);
    jsonout_end(j);
    jsonout_count(j, "bits", t->bit_width);
    jsonout_count(j, "elements", t->elements);
    jsonout_count(j, "bytes", t->bytes);
    jsonout_count(j, "span_bytes", at->span_bytes);
    put_signed(j, "register", at->reg_id, at->reg_id >= 0);
    put_signed(j, "address_bytes", at->ddr_addr, at->ddr_addr >= 0);
    if (v->graph->compiled)
        jsonout_bool(j, "in_ddr", at->in_ddr);
    else
        jsonout_null(j, "in_ddr");
    jsonout_bool(j, "in_place", at->in_place);
    jsonout_end(j);
}

static void put_pair(jsonout *j, const char *key, uint32_t h, uint32_t w)
{
    jsonout_array(j, key, true);
    jsonout_count(j, NULL, h);
    jsonout_count(j, NULL, w);
    jsonout_end(j);
}

static void put_window(jsonout *j, const roof_window *w)
{
    if (!w->kernel_h && !w->kernel_w && !w->stride_h && !w->stride_w) {
        jsonout_null(j, "window");
        return;
    }
    jsonout_object(j, "window", true);
    put_pair(j, "kernel_hw", w->kernel_h, w->kernel_w);
    put_pair(j, "stride_hw", w->stride_h, w->stride_w);
    put_pair(j, "dilation_hw", w->dilation_h, w->dilation_w);
    jsonout_array(j, "pad_left_right_top_bottom", true);
    jsonout_number(j, NULL, w->pad_left);
    jsonout_number(j, NULL, w->pad_right);
    jsonout_number(j, NULL, w->pad_top);
    jsonout_number(j, NULL, w->pad_bottom);
    jsonout_end(j);
    jsonout_end(j);
}

static void put_inputs(jsonout *j, const roof_graph *g, const roof_op *op)
{
    jsonout_array(j, "inputs", true);
    for (uint32_t e = 0; e < op->n_inputs; e++) {
        const roof_edge *edge = &g->edges[op->first_input + e];
        jsonout_object(j, NULL, true);
        jsonout_count(j, "op", edge->op);
        jsonout_string(j, "role", inspect_role_word(edge->role));
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_op(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_op *op = &v->graph->ops[index];
    jsonout_object(j, NULL, false);
    jsonout_count(j, "index", index);
    jsonout_string(j, "name", op->name);
    jsonout_string(j, "type", op->type);
    jsonout_string(j, "rule", roof_rule_text(op->rule));
    inspect_json_index(j, "layer", op->layer, 1);
    inspect_json_index(j, "subgraph", op->subgraph, 0);
    jsonout_count(j, "stored_workload_ops", op->stored_workload_ops);
    put_inputs(j, v->graph, op);
    put_window(j, &op->window);
    jsonout_count(j, "channel_augmentation", roof_xir_op_of(v->graph, op)->channel_augmentation);
    put_tensor(j, v, op);
    jsonout_end(j);
}

static void put_types(jsonout *j, const inspect_view *v)
{
    jsonout_array(j, "types", false);
    for (uint32_t i = 0; i < v->n_types; i++) {
        jsonout_object(j, NULL, true);
        jsonout_string(j, "type", v->types[i].type);
        jsonout_string(j, "rule", roof_rule_text(v->types[i].rule));
        jsonout_count(j, "ops", v->types[i].count);
        jsonout_count(j, "output_bytes", v->types[i].output_bytes);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_total(jsonout *j, const inspect_view *v)
{
    const roof_graph *g = v->graph;
    jsonout_object(j, "total", false);
    jsonout_count(j, "subgraphs", g->n_subgraphs);
    jsonout_count(j, "layers", g->n_layers);
    jsonout_count(j, "ops", g->n_ops);
    jsonout_count(j, "weights_bytes", v->weights_bytes);
    jsonout_count(j, "parameter_bytes", v->parameter_bytes);
    jsonout_count(j, "code_bytes", v->code_bytes);
    jsonout_count(j, "layer_code_bytes", v->layer_code_bytes);
    jsonout_end(j);
}

typedef void put_item(jsonout *j, const inspect_view *v, uint32_t index);

static void put_list(jsonout *j, const inspect_view *v, const char *key, uint32_t n, put_item *put)
{
    jsonout_array(j, key, false);
    for (uint32_t i = 0; i < n; i++)
        put(j, v, i);
    jsonout_end(j);
}

roof_status inspect_json(const roof_graph *graph, const roof_render_options *options, textbuf *out,
                         roof_error *err)
{
    inspect_view view;
    jsonout json;
    (void)options; /* the document is always complete */
    roof_status status = inspect_view_init(graph, &view, err);
    if (status == ROOF_OK) {
        jsonout_begin(&json, out);
        jsonout_object(&json, NULL, false);
        jsonout_string(&json, "schema", "roofline.inspection/1");
        put_model(&json, &view);
        put_targets(&json, &view);
        put_list(&json, &view, "subgraphs", graph->n_subgraphs, put_subgraph);
        put_list(&json, &view, "layers", graph->n_layers, put_layer);
        put_list(&json, &view, "ops", graph->n_ops, put_op);
        put_types(&json, &view);
        inspect_json_plan(&json, &view);
        put_total(&json, &view);
        jsonout_end(&json);
    }
    return inspect_view_end(&view, status, err);
}
