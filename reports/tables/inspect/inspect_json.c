/* "roofline.inspection/1", docs/schema/inspection-1.schema.json: everything that the reader found,
 * nothing shortened. Nothing fails here: a text without memory marks the output as failed. */
#include "core/json/jsonout.h"
#include "reports/tables/inspect/inspect.h"
#include "reports/renderers/renderer.h"

#include <string.h>

/* null for "" and NULL. */
static void put_text(jsonout *j, const char *key, const char *text)
{
    jsonout_string(j, key, text && *text ? text : NULL);
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

static void put_config(jsonout *j, const inspect_view *v, const roof_dpu_config *c)
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
        jsonout_count(j, counts[i].key, counts[i].value == ROOF_NONE ? ROOF_UNKNOWN : counts[i].value);
    jsonout_count(j, "image_bytes", c->image_bytes);
    put_text(j, "unexplained_bits", inspect_hex(v->arena, c->unexplained_bits));
    jsonout_end(j);
}

static void put_target(jsonout *j, const inspect_view *v, const inspect_target *t)
{
    jsonout_object(j, NULL, false);
    put_text(j, "name", t->name);
    put_text(j, "fingerprint", inspect_hex(v->arena, t->fingerprint));
    jsonout_string(j, "text", t->text);
    if (t->known) {
        jsonout_bool(j, "name_agrees", !t->contradiction);
        put_config(j, v, &t->config);
    } else {
        jsonout_null(j, "name_agrees");
        jsonout_null(j, "configuration");
    }
    jsonout_end(j);
}

/* --- lists -------------------------------------------------------------------------------------------- */

static void put_list(jsonout *j, const inspect_view *v, size_t section)
{
    inspect_list(v, inspect_section_at(section), 0, v->n_items[section], j);
}

static void put_plan(jsonout *j, const inspect_view *v)
{
    const roof_plan *plan = roof_plan_of(v->graph);
    if (!plan) {
        jsonout_null(j, "plan");
        return;
    }
    jsonout_object(j, "plan", false);
    put_list(j, v, INSPECT_POOLS);
    put_text(j, "pools_path", plan->pools_path);
    put_text(j, "report_path", plan->report_path);
    put_text(j, "report_differs", plan->report_differs);
    put_list(j, v, INSPECT_DIFFERENCES);
    put_list(j, v, INSPECT_PROGRAMS);
    put_list(j, v, INSPECT_EPOCHS);
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
    if (!inspect_view_init(r->graph, true, true, r->arena, &view))
        return;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "schema", "roofline.inspection/1");
    put_model(&json, &view);
    jsonout_array(&json, "targets", false);
    for (uint32_t i = 0; i < view.n_targets; i++)
        put_target(&json, &view, &view.targets[i]);
    jsonout_end(&json);
    put_list(&json, &view, INSPECT_SUBGRAPHS);
    put_list(&json, &view, INSPECT_LAYERS);
    put_list(&json, &view, INSPECT_OPS);
    put_list(&json, &view, INSPECT_TYPES);
    put_plan(&json, &view);
    if (view.n_items[INSPECT_CODES])
        put_list(&json, &view, INSPECT_CODES);
    put_total(&json, &view);
    jsonout_end(&json);
}
