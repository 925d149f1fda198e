/* "roofline.inspection/1", docs/schema/inspection-1.schema.json: everything that the reader found,
 * nothing shortened. Nothing fails here: a text without memory marks the output as failed. */
#include "core/jsonout.h"
#include "reports/inspect/inspect.h"
#include "reports/renderer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void put_item(jsonout *j, const inspect_view *v, uint32_t index);

static void put_list(jsonout *j, const inspect_view *v, const char *key, uint32_t n, put_item *put)
{
    jsonout_array(j, key, false);
    for (uint32_t i = 0; i < n; i++)
        put(j, v, i);
    jsonout_end(j);
}

/* null for "" and NULL. */
static void put_text(jsonout *j, const char *key, const char *text)
{
    jsonout_string(j, key, text && *text ? text : NULL);
}

/* null for ROOF_NONE. base: what the first one is called. */
static void put_index(jsonout *j, const char *key, uint32_t index, uint32_t base)
{
    jsonout_count(j, key, index == ROOF_NONE ? ROOF_UNKNOWN : (uint64_t)index + base);
}

static void put_pair(jsonout *j, const char *key, uint64_t first, uint64_t second)
{
    jsonout_array(j, key, true);
    jsonout_count(j, NULL, first);
    jsonout_count(j, NULL, second);
    jsonout_end(j);
}

static void put_fingerprint(jsonout *j, const char *key, uint64_t fingerprint)
{
    char text[24]; /* a string: JSON numbers are doubles for many readers */
    snprintf(text, sizeof text, "0x%016" PRIx64, fingerprint);
    jsonout_string(j, key, fingerprint == ROOF_UNKNOWN ? NULL : text);
}

static void put_model(jsonout *j, const inspect_view *v)
{
    const roof_graph *g = v->graph;
    const char *slash = strrchr(g->path, '/'), *name = slash ? slash + 1 : g->path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name); /* as in a prediction */
    jsonout_object(j, "model", false);
    jsonout_string(j, "path", g->path);
    jsonout_string(j, "format", g->format);
    jsonout_string(j, "name", text_or_empty(arena_strndup(v->arena, name, length)));
    jsonout_string(j, "network", g->name);
    jsonout_string(j, "graph_hash", g->graph_hash);
    put_text(j, "compiler", g->compiler);
    put_text(j, "target", v->n_targets ? v->targets[0].name : NULL);
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
    put_text(j, "size", c->size);
    jsonout_count(j, "isa", c->isa);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        put_index(j, counts[i].key, counts[i].value, 0);
    jsonout_count(j, "image_bytes", c->image_bytes);
    put_fingerprint(j, "unexplained_bits", c->unexplained_bits);
    jsonout_end(j);
}

static void put_target(jsonout *j, const inspect_view *v, uint32_t index)
{
    const inspect_target *t = &v->targets[index];
    jsonout_object(j, NULL, false);
    put_text(j, "name", t->name);
    put_fingerprint(j, "fingerprint", t->fingerprint);
    jsonout_string(j, "text", t->text);
    if (t->known) {
        jsonout_bool(j, "name_agrees", !t->contradiction);
        put_config(j, &t->config);
    } else {
        jsonout_null(j, "name_agrees");
        jsonout_null(j, "configuration");
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

static const char *const device_words[] = {[ROOF_DEVICE_NONE] = "none",
                                           [ROOF_DEVICE_USER] = "user",
                                           [ROOF_DEVICE_CPU] = "cpu",
                                           [ROOF_DEVICE_ACCELERATOR] = "accelerator"};

static void put_subgraph(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_graph *g = v->graph;
    const roof_subgraph *s = &g->subgraphs[index];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
    jsonout_object(j, NULL, false);
    jsonout_count(j, "index", index);
    jsonout_string(j, "name", s->name);
    put_index(j, "parent", s->parent, 0);
    jsonout_count(j, "depth", s->depth);
    put_text(j, "device", s->device_name);
    jsonout_string(j, "device_kind", device_words[s->device]);
    put_text(j, "target", s->target);
    put_fingerprint(j, "fingerprint", s->device == ROOF_DEVICE_ACCELERATOR ? own->fingerprint : ROOF_UNKNOWN);
    put_text(j, "code_mode", own->code_mode);
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
    put_index(j, "index", index, 1);
    jsonout_string(j, "name", l->name);
    jsonout_count(j, "subgraph", l->subgraph);
    put_index(j, "node", l->node, 0);
    put_layer_ops(j, v, l);
    put_index(j, "output_op", sums->output, 0);
    jsonout_count(j, "outputs", sums->n_outputs);
    jsonout_count(j, "weights_bytes", sums->weights_bytes);
    jsonout_count(j, "stored_workload_ops", l->stored_workload_ops);
    jsonout_bool(j, "skip_code_gen", own->skip_code_gen);
    put_code(j, &own->code);
    jsonout_end(j);
}

/* --- operators ---------------------------------------------------------------------------------------- */

/* null for what is below 0. */
static void put_signed(jsonout *j, const char *key, int64_t value)
{
    jsonout_number(j, key, value < 0 ? NAN : (double)value); /* addresses are below 2^53 */
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
    put_signed(j, "register", at->reg_id);
    put_signed(j, "address_bytes", at->ddr_addr);
    if (v->graph->compiled)
        jsonout_bool(j, "in_ddr", at->in_ddr);
    else
        jsonout_null(j, "in_ddr");
    jsonout_bool(j, "in_place", at->in_place);
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

static const char *const role_words[] = {[ROOF_ROLE_INPUT] = "input",
                                         [ROOF_ROLE_WEIGHTS] = "weights",
                                         [ROOF_ROLE_BIAS] = "bias",
                                         [ROOF_ROLE_OTHER] = "other"};

static void put_inputs(jsonout *j, const roof_graph *g, const roof_op *op)
{
    jsonout_array(j, "inputs", true);
    for (uint32_t e = 0; e < op->n_inputs; e++) {
        const roof_edge *edge = &g->edges[op->first_input + e];
        jsonout_object(j, NULL, true);
        jsonout_count(j, "op", edge->op);
        jsonout_string(j, "role", role_words[edge->role]);
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
    put_index(j, "layer", op->layer, 1);
    put_index(j, "subgraph", op->subgraph, 0);
    jsonout_count(j, "stored_workload_ops", op->stored_workload_ops);
    put_inputs(j, v->graph, op);
    put_window(j, &op->window);
    jsonout_count(j, "channel_augmentation", roof_xir_op_of(v->graph, op)->channel_augmentation);
    put_tensor(j, v, op);
    jsonout_end(j);
}

static void put_type(jsonout *j, const inspect_view *v, uint32_t index)
{
    const inspect_type *t = &v->types[index];
    jsonout_object(j, NULL, true);
    jsonout_string(j, "type", t->type);
    jsonout_string(j, "rule", roof_rule_text(t->rule));
    jsonout_count(j, "ops", t->count);
    jsonout_count(j, "output_bytes", t->output_bytes);
    jsonout_end(j);
}

/* --- the plan ----------------------------------------------------------------------------------------- */

static void put_pool(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_pool *p = &roof_plan_of(v->graph)->pools[index];
    jsonout_object(j, NULL, false);
    jsonout_string(j, "name", p->name);
    jsonout_count(j, "address", p->address);
    jsonout_count(j, "size_bytes", p->size_bytes);
    jsonout_count(j, "used_bytes", p->used_bytes);
    put_index(j, "byte_width", p->byte_width, 0);
    jsonout_number(j, "freq_ratio", p->freq_ratio);
    jsonout_string(j, "holds", inspect_content_word(p->content));
    jsonout_bool(j, "read_only", p->read_only);
    jsonout_bool(j, "cached", p->cached);
    jsonout_bool(j, "virtual", p->is_virtual);
    jsonout_count(j, "read_bytes", v->moved[index].read_bytes);
    jsonout_count(j, "write_bytes", v->moved[index].write_bytes);
    jsonout_end(j);
}

static void put_plan_ops(jsonout *j, const inspect_view *v, const roof_epoch *e)
{
    jsonout_array(j, "operators", false);
    for (uint32_t i = 0; i < e->n_ops; i++) {
        const roof_plan_op *op = &roof_plan_of(v->graph)->ops[e->first_op + i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", op->name);
        jsonout_string(j, "kind", op->kind);
        put_text(j, "unit", op->unit);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_accesses(jsonout *j, const inspect_view *v, const roof_epoch *e)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    if (e->moves_unknown) {
        jsonout_null(j, "accesses");
        return;
    }
    jsonout_array(j, "accesses", false);
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "pool", plan->pools[a->pool].name);
        jsonout_count(j, "read_bytes", a->read_bytes);
        jsonout_count(j, "write_bytes", a->write_bytes);
        jsonout_count(j, "read_cycles", a->read_cycles);
        jsonout_count(j, "write_cycles", a->write_cycles);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_epoch(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    const roof_epoch *e = &plan->epochs[index];
    jsonout_object(j, NULL, false);
    jsonout_string(j, "name", v->graph->layers[index].name);
    put_text(j, "kind", roof_epoch_kind_text(e->kind));
    jsonout_count(j, "ops_count", e->ops_count);
    jsonout_count(j, "compute_cycles", e->compute_cycles);
    jsonout_bool(j, "compute_from_streams", e->compute_from_streams);
    jsonout_count(j, "stored_vendor_cycles", e->stored_vendor_cycles);
    jsonout_count(j, "outside_bytes", e->moves_unknown ? ROOF_UNKNOWN : e->outside_bytes);
    put_text(j, "program", e->blob == ROOF_NONE ? NULL : plan->blobs[e->blob].name);
    put_index(j, "convolution_units", e->conv_units, 0);
    put_index(j, "macs_per_unit", e->macs_per_unit, 0);
    put_pair(j, "port_read_bytes", e->port_read_bytes[0], e->port_read_bytes[1]);
    put_pair(j, "port_write_bytes", e->port_write_bytes[0], e->port_write_bytes[1]);
    put_plan_ops(j, v, e);
    put_accesses(j, v, e);
    jsonout_end(j);
}

static void put_program(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_blob *blob = &roof_plan_of(v->graph)->blobs[index];
    jsonout_object(j, NULL, true);
    jsonout_string(j, "name", blob->name);
    put_index(j, "epochs", blob->n_epochs, 0);
    jsonout_end(j);
}

static void put_difference(jsonout *j, const inspect_view *v, uint32_t index)
{
    const roof_pool_difference *d = &roof_plan_of(v->graph)->differences[index];
    jsonout_object(j, NULL, true);
    jsonout_string(j, "pool", d->pool);
    jsonout_string(j, "what", d->what);
    jsonout_number(j, "plan", d->in_plan);
    jsonout_number(j, "file", d->in_file);
    jsonout_end(j);
}

static void put_plan(jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    if (!plan) {
        jsonout_null(j, "plan");
        return;
    }
    jsonout_object(j, "plan", false);
    put_list(j, v, "pools", plan->n_pools, put_pool);
    put_text(j, "pools_path", plan->pools_path);
    put_text(j, "report_path", plan->report_path);
    put_text(j, "report_differs", plan->report_differs);
    put_list(j, v, "differences", plan->n_differences, put_difference);
    put_list(j, v, "programs", plan->n_blobs, put_program);
    put_list(j, v, "epochs", plan->n_epochs, put_epoch);
    jsonout_end(j);
}

/* --- the document ------------------------------------------------------------------------------------- */

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

/* The document is always complete. */
void inspect_json(const rendering *r)
{
    inspect_view view;
    jsonout json;
    if (!inspect_view_init(r->graph, true, r->arena, &view))
        return;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "schema", "roofline.inspection/1");
    put_model(&json, &view);
    put_list(&json, &view, "targets", view.n_targets, put_target);
    put_list(&json, &view, "subgraphs", r->graph->n_subgraphs, put_subgraph);
    put_list(&json, &view, "layers", r->graph->n_layers, put_layer);
    put_list(&json, &view, "ops", r->graph->n_ops, put_op);
    put_list(&json, &view, "types", view.n_types, put_type);
    put_plan(&json, &view);
    put_total(&json, &view);
    jsonout_end(&json);
}
