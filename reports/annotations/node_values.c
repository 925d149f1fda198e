#include "reports/annotations/node_values.h"

uint32_t *node_values_places(const roof_graph *g, bool (*is_wanted)(const roof_op *op), roof_arena *arena,
                             uint32_t *n)
{
    *n = 0;
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (is_wanted(&g->ops[i]) && g->ops[i].node >= *n)
            *n = g->ops[i].node + 1;
    uint32_t *at = NEW_ARRAY(arena, uint32_t, *n);
    for (uint32_t i = 0; i < *n && at; i++)
        at[i] = ROOF_NONE;
    for (uint32_t i = 0; i < g->n_ops && at; i++)
        if (is_wanted(&g->ops[i]))
            at[g->ops[i].node] = i;
    return at;
}

/* A row, at one of its operators. */
typedef struct place {
    uint32_t node, layer, rank; /* rank 0 leads the row */
} place;

static void put_text(node_value *values, uint32_t *n, const char *name, const char *text)
{
    if (text && *text)
        values[(*n)++] = (node_value){name, text, NAN};
}

/* Returns the number as it is shown. */
static double put_number(node_value *values, uint32_t *n, const char *name, double value, roof_arena *arena)
{
    enum { MOST_DECIMALS = 12 };
    char text[400];
    double shown = NAN, unit = 0.1;
    int decimals = 3;
    if (!isfinite(value))
        return NAN;
    for (; fabs(value) < unit && decimals < MOST_DECIMALS; decimals++)
        unit /= 10;
    const int length = number_format_fixed(text, sizeof text, value, fabs(value) > 0 ? decimals : 0, false);
    if (length <= 0 || (size_t)length >= sizeof text || !number_parse(text, (size_t)length, &shown))
        return NAN;
    number_format(text, sizeof text, shown); /* 80.3, not 80.300 */
    values[(*n)++] = (node_value){name, arena_strdup(arena, text), shown};
    return shown;
}

static void put_count(node_value *values, uint32_t *n, const char *name, uint64_t count, roof_arena *arena)
{
    if (count != ROOF_UNKNOWN)
        values[(*n)++] = (node_value){name, arena_printf(arena, "%" PRIu64, count), (double)count};
}

/* repeat times a count of one execution; unknown where it is so, or too large. */
static uint64_t in_all(const roof_layer_prediction *l, uint64_t count)
{
    uint64_t all;
    return count == ROOF_UNKNOWN || __builtin_mul_overflow(count, l->repeat, &all) ? ROOF_UNKNOWN : all;
}

/* All rows that one operator leads, of n places that are the same node's; false: it leads none. */
static bool put_led(const roof_prediction *p, const place *places, uint32_t n, roof_arena *arena,
                    node_values *out)
{
    const roof_layer_prediction *main_row = NULL;
    double ideal_s = 0, expected_s = 0;
    uint64_t macs = 0, bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        const roof_layer_prediction *l = &p->layers[places[i].layer];
        if (places[i].rank != 0)
            continue;
        if (!main_row || l->repeat * l->deployed.ideal_s > main_row->repeat * main_row->deployed.ideal_s)
            main_row = l;
        ideal_s += l->repeat * l->deployed.ideal_s;
        expected_s += l->repeat * l->predicted_s;
        macs = checked_sum_known(macs, in_all(l, l->macs));
        bytes = checked_sum_known(bytes, in_all(l, roof_traffic_total(&l->deployed.traffic)));
    }
    if (!main_row)
        return false;
    out->ideal_us = put_number(out->values, &out->n_values, "roofline.ideal_us", 1e6 * ideal_s, arena);
    out->expected_us =
        put_number(out->values, &out->n_values, "roofline.expected_us", 1e6 * expected_s, arena);
    const uint32_t bound = main_row->deployed.bound;
    put_text(out->values, &out->n_values, "roofline.bound", bound == ROOF_NONE ? NULL : p->engines[bound]);
    put_count(out->values, &out->n_values, "roofline.macs", macs, arena);
    put_count(out->values, &out->n_values, "roofline.bytes", bytes, arena);
    put_text(out->values, &out->n_values, "roofline.runs_on", main_row->device);
    put_text(out->values, &out->n_values, "roofline.layer", main_row->name);
    return true;
}

bool node_values_make(const roof_prediction *p, roof_arena *arena, graph_values *out)
{
    size_t most = 0;
    uint32_t n = 0;
    double ideal_s = 0, expected_s = roof_beside_layers_s(p);
    *out = (graph_values){0};
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        most += l->n_operators;
        if (!l->n_operators && !isnan(l->deployed.ideal_s))
            ideal_s += l->repeat * l->deployed.ideal_s;
        if (!l->n_operators && !isnan(l->predicted_s))
            expected_s += l->repeat * l->predicted_s;
    }
    put_text(out->totals, &out->n_totals, "roofline.hardware", p->hardware.name);
    put_number(out->totals, &out->n_totals, "roofline.at_best_us", 1e6 * roof_best_s(p), arena);
    put_number(out->totals, &out->n_totals, "roofline.ideal_us", 1e6 * p->total.deployed.ideal_s, arena);
    put_number(out->totals, &out->n_totals, "roofline.ideal_us_beside_nodes", 1e6 * ideal_s, arena);
    if (!roof_answer_is_bound(roof_rows_kind(p))) {
        put_number(out->totals, &out->n_totals, "roofline.expected_us", 1e6 * p->total.predicted_s, arena);
        put_number(out->totals, &out->n_totals, "roofline.expected_us_beside_nodes", 1e6 * expected_s, arena);
    }
    put_count(out->totals, &out->n_totals, "roofline.macs", p->total.macs, arena);
    put_count(out->totals, &out->n_totals, "roofline.bytes", roof_traffic_total(&p->total.deployed.traffic),
              arena);
    put_text(out->totals, &out->n_totals, "roofline.estimate_of", p->estimate_of);
    if (p->options.batch > 1)
        put_count(out->totals, &out->n_totals, "roofline.batch", p->options.batch, arena);
    place *places = NEW_ARRAY(arena, place, most);
    out->nodes = NEW_ARRAY(arena, node_values, most);
    if (!places || !out->nodes)
        return false;
    for (uint32_t i = 0; i < p->n_layers; i++)
        for (uint32_t k = 0; k < p->layers[i].n_operators; k++)
            places[n++] = (place){p->layers[i].nodes[k], i, k};
    order_sort(places, n, sizeof *places, ORDER_BY(RISING(place, node), RISING(place, layer)));
    for (uint32_t i = 0, end; i < n; i = end) {
        const roof_layer_prediction *l = &p->layers[places[i].layer];
        node_values *node = &out->nodes[out->n_nodes++];
        *node = (node_values){.node = places[i].node,
                              .name = l->operators[places[i].rank],
                              .ideal_us = NAN,
                              .expected_us = NAN};
        for (end = i + 1; end < n && places[end].node == places[i].node;)
            end++;
        if (!put_led(p, &places[i], end - i, arena, node)) {
            const bool is_named = p->model.address == ROOF_ADDRESS_NAME && l->operators[0][0];
            put_text(node->values, &node->n_values, "roofline.layer", l->name);
            put_text(node->values, &node->n_values, "roofline.fused_into",
                     is_named ? l->operators[0] : arena_printf(arena, "operator %u", l->nodes[0]));
        }
    }
    return arena_status(arena, NULL) == ROOF_OK;
}

const char *node_values_address(const roof_prediction *p, const node_values *node, roof_arena *arena)
{
    return p->model.address == ROOF_ADDRESS_NAME    ? *node->name ? node->name : NULL
           : p->model.address == ROOF_ADDRESS_INDEX ? arena_printf(arena, "%u", node->node)
                                                    : NULL;
}
