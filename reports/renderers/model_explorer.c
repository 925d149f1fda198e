/* Node data of Model Explorer: one metric a file, for the one graph that is shown. The format has no unit, so
 * the name says it; a node without a number is left out, since null would be shown as a text. A key is looked
 * up among names of tensors before it is taken for a node. */
#include "core/json/jsonout.h"
#include "reports/annotations/node_values.h"
#include "reports/renderers/renderer.h"

static void put_gradient(jsonout *json)
{
    static const struct {
        double stop;
        const char *colour;
    } stops[] = {{0, "#ffffff"}, {0.5, "#ffd54f"}, {1, "#c62828"}};
    jsonout_array(json, "gradient", true);
    for (size_t i = 0; i < N_OF(stops); i++) {
        jsonout_object(json, NULL, true);
        jsonout_number(json, "stop", stops[i].stop);
        jsonout_string(json, "bgColor", stops[i].colour);
        jsonout_end(json);
    }
    jsonout_end(json);
}

static void put_prediction(const rendering *r)
{
    const roof_prediction *p = r->prediction;
    const char *metric = r->options->metric;
    const bool is_expected =
        metric ? strcmp(metric, "expected") == 0 : !roof_answer_is_bound(roof_rows_kind(p));
    graph_values values;
    jsonout json;
    if (!node_values_make(p, r->arena, &values))
        return; /* the arena remembers */
    /* where operators are known by their places, the name that they have is that of their output tensor */
    namemap *tensors = namemap_new(r->arena, values.n_nodes);
    for (uint32_t i = 0; tensors && p->model.address == ROOF_ADDRESS_INDEX && i < values.n_nodes; i++)
        namemap_add(tensors, values.nodes[i].name, strlen(values.nodes[i].name), i);
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "name", is_expected ? "roofline expected (us)" : "roofline ideal (us)");
    put_gradient(&json);
    jsonout_object(&json, "results", false);
    for (uint32_t i = 0; tensors && i < values.n_nodes; i++) {
        const node_values *node = &values.nodes[i];
        const char *key = node_values_address(p, node, r->arena);
        const double us = is_expected ? node->expected_us : node->ideal_us;
        if (!key || isnan(us) || namemap_find(tensors, key, strlen(key)) != ROOF_NONE)
            continue;
        jsonout_object(&json, key, true);
        jsonout_number(&json, "value", us);
        jsonout_end(&json);
    }
    jsonout_end(&json);
    jsonout_end(&json);
}

const renderer_def renderer_model_explorer = {.id = "model-explorer",
                                              .own = {{put_prediction, ROOF_DOCUMENT_PREDICTION}},
                                              .shows_operators = true,
                                              .has_metrics = true};
