/* "roofline.inspection/1", docs/schema/inspection-1.schema.json: everything that the reader found,
 * nothing shortened. Nothing fails here: a text without memory marks the output as failed. */
#include "core/json/jsonout.h"
#include "reports/tables/inspect/inspect.h"
#include "reports/renderers/renderer.h"

/* null for "" and NULL. */
static void put_text(jsonout *j, const char *key, const char *text)
{
    jsonout_string(j, key, text && *text ? text : NULL);
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
    for (size_t i = 0; i < N_OF(counts); i++)
        jsonout_count(j, counts[i].key, counts[i].value == ROOF_NONE ? ROOF_UNKNOWN : counts[i].value);
    jsonout_count(j, "image_bytes", c->image_bytes);
    put_text(j, "unexplained_bits", inspect_hex(v->arena, c->unexplained_bits));
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

/* The document is always complete. */
void inspect_json(const rendering *r)
{
    inspect_view view;
    jsonout json;
    if (!inspect_view_init(r->graph, true, true, r->arena, &view))
        return;
    jsonout_document(&json, r->out, "roofline.inspection/1");
    const roof_graph *g = view.graph;
    const char *name = path_base_name(g->path);
    jsonout_object(&json, "model", false);
    jsonout_string(&json, "path", g->path);
    jsonout_string(&json, "format", g->format);
    jsonout_string(&json, "name", text_or_empty(arena_strndup(view.arena, name, path_stem_length(name))));
    jsonout_string(&json, "network", g->name);
    jsonout_string(&json, "graph_hash", g->graph_hash);
    put_text(&json, "compiler", g->compiler);
    put_text(&json, "target", view.n_targets ? view.targets[0].name : NULL);
    jsonout_bool(&json, "compiled", g->compiled);
    jsonout_count(&json, "file_bytes", g->file_bytes);
    jsonout_end(&json);
    jsonout_array(&json, "targets", false);
    FOR_EACH(const inspect_target, t, view.targets, view.n_targets) {
        jsonout_object(&json, NULL, false);
        put_text(&json, "name", t->name);
        put_text(&json, "fingerprint", inspect_hex(view.arena, t->fingerprint));
        jsonout_string(&json, "text", t->text);
        if (t->known) {
            jsonout_bool(&json, "name_agrees", !t->contradiction);
            put_config(&json, &view, &t->config);
        } else {
            jsonout_null(&json, "name_agrees");
            jsonout_null(&json, "configuration");
        }
        jsonout_end(&json);
    }
    jsonout_end(&json);
    put_list(&json, &view, INSPECT_SUBGRAPHS);
    put_list(&json, &view, INSPECT_LAYERS);
    put_list(&json, &view, INSPECT_OPS);
    put_list(&json, &view, INSPECT_TYPES);
    put_plan(&json, &view);
    if (view.n_items[INSPECT_CODES])
        put_list(&json, &view, INSPECT_CODES);
    if (view.n_items[INSPECT_COMMANDS])
        put_list(&json, &view, INSPECT_COMMANDS);
    if (r->options->memory)
        inspect_memory_json(&json, r->options->memory, r->arena);
    jsonout_object(&json, "total", false);
    jsonout_count(&json, "subgraphs", g->n_subgraphs);
    jsonout_count(&json, "layers", g->n_layers);
    jsonout_count(&json, "ops", g->n_ops);
    jsonout_count(&json, "macs", inspect_macs(&view));
    jsonout_count(&json, "weights_bytes", view.weights_bytes);
    jsonout_count(&json, "parameter_bytes", view.parameter_bytes);
    jsonout_count(&json, "code_bytes", view.code_bytes);
    jsonout_count(&json, "layer_code_bytes", view.layer_code_bytes);
    jsonout_end(&json);
    jsonout_end(&json);
}
