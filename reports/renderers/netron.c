/* An attachment of Netron (8.2.8 and later): open the model first, then this file. Texts become rows of a
 * node's metadata, numbers of its metrics. Nodes are addressed by name, or in files without names of
 * operators by place; there, operators of further subgraphs have the same places, and show the same numbers.
 */
#include "core/json/jsonout.h"
#include "reports/annotations/node_values.h"
#include "reports/renderers/renderer.h"

/* One value: of the graph where address is NULL. */
static void put_value(jsonout *json, const char *by, const char *address, const node_value *value)
{
    jsonout_object(json, NULL, true);
    jsonout_string(json, "kind", address ? "node" : "graph");
    jsonout_string(json, by, address ? address : "");
    jsonout_string(json, "name", value->name);
    if (isnan(value->number))
        jsonout_string(json, "value", value->text);
    else
        jsonout_number(json, "value", value->number);
    jsonout_end(json);
}

static void put_list(jsonout *json, const char *key, bool is_of_numbers, const graph_values *values,
                     const rendering *r)
{
    const bool is_by_name = r->prediction->model.address == ROOF_ADDRESS_NAME;
    jsonout_array(json, key, false);
    for (uint32_t i = 0; i < values->n_totals; i++)
        if (isnan(values->totals[i].number) != is_of_numbers)
            put_value(json, "target", NULL, &values->totals[i]);
    FOR_EACH(const node_values, node, values->nodes, values->n_nodes) {
        const char *address = node_values_address(r->prediction, node, r->arena);
        const bool is_found =
            address && !strchr(address, '\n'); /* Netron takes a target's first line alone */
        for (uint32_t k = 0; is_found && k < node->n_values; k++)
            if (isnan(node->values[k].number) != is_of_numbers)
                put_value(json, is_by_name ? "target" : "identifier", address, &node->values[k]);
    }
    jsonout_end(json);
}

static void put_prediction(const rendering *r)
{
    graph_values values;
    jsonout json;
    if (!node_values_make(r->prediction, r->arena, &values))
        return; /* the arena remembers */
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "signature", "netron:attachment");
    put_list(&json, "metadata", false, &values, r);
    put_list(&json, "metrics", true, &values, r);
    jsonout_end(&json);
}

const renderer_def renderer_netron = {
    .id = "netron", .own = {{put_prediction, ROOF_DOCUMENT_PREDICTION}}, .shows_operators = true};
