#include "tests/fuzz/graph_checks.h"
#include "model/graph/format.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/plan_check.h"
#include "tests/support/read_check.h"

#include <stdlib.h>
#include <string.h>

static void check_index(uint32_t index, uint32_t room)
{
    CHECK(index == ROOF_NONE || index < room);
}

static void check_tensor(const roof_tensor *t, const roof_xir_op *at)
{
    uint64_t elements = 1;
    check_text(t->name);
    CHECK(t->n_dims <= ROOF_MAX_DIMS);
    for (uint32_t i = 0; i < t->n_dims; i++)
        CHECK(!__builtin_mul_overflow(elements, (uint64_t)t->dims[i], &elements));
    CHECK(elements == t->elements);
    CHECK(t->bit_width > 0 && t->bytes >= t->elements / 8 && at->span_bytes >= t->bytes);
    CHECK(at->reg_id >= -1 && at->reg_id < 256);
}

static void check_code(const roof_graph *g, const uint8_t *file, const roof_code *code)
{
    if (!code->bytes)
        return;
    CHECK(code->length_bytes > 0 && code->file_offset < g->file_bytes);
    CHECK(code->length_bytes <= g->file_bytes - code->file_offset);
    CHECK(code->bytes == file + code->file_offset);
}

static void check_ops(const roof_graph *g)
{
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        check_text(op->name);
        check_text(op->type);
        check_text(roof_rule_text(op->rule));
        check_slice(op->first_input, op->n_inputs, g->n_edges);
        check_index(op->layer, g->n_layers);
        check_index(op->subgraph, g->n_subgraphs);
        check_tensor(&op->out, roof_xir_op_of(g, op));
    }
    for (uint32_t i = 0; i < g->n_edges; i++)
        CHECK(g->edges[i].op < g->n_ops && g->edges[i].role <= ROOF_ROLE_OTHER);
}

/* Children come after their parent, so that one pass backwards can sum over the tree. */
static void check_tree(const roof_graph *g, uint32_t index)
{
    const roof_subgraph *s = &g->subgraphs[index];
    CHECK(index == 0 ? s->parent == ROOF_NONE : s->parent < index);
    CHECK(index == 0 || s->depth == g->subgraphs[s->parent].depth + 1);
    CHECK(s->first_child == ROOF_NONE || (s->first_child > index && s->first_child < g->n_subgraphs));
    CHECK(s->next_sibling == ROOF_NONE || (s->next_sibling > index && s->next_sibling < g->n_subgraphs));
}

static void check_xir_subgraph(const roof_graph *g, const roof_xir_subgraph *s, const uint8_t *file)
{
    check_text(s->code_mode);
    check_code(g, file, &s->code);
    for (uint32_t i = 0; i < s->n_registers; i++) {
        CHECK(s->registers[i].id > (i ? s->registers[i - 1].id : -1));
        CHECK(s->registers[i].parameter_bytes <= g->file_bytes);
    }
}

static void check_subgraphs(const roof_graph *g, const uint8_t *file)
{
    CHECK(g->n_subgraphs > 0);
    for (uint32_t i = 0; i < g->n_subgraphs; i++) {
        const roof_subgraph *s = &g->subgraphs[i];
        check_text(s->name);
        check_text(s->device_name);
        check_text(s->target);
        check_xir_subgraph(g, roof_xir_subgraph_of(g, s), file);
        check_tree(g, i);
        check_slice(s->first_layer, s->n_layers, g->n_layers);
        check_slice(s->first_op, s->n_ops, g->n_subgraph_ops);
    }
    for (uint32_t i = 0; i < g->n_subgraph_ops; i++)
        CHECK(g->subgraph_ops[i] < g->n_ops);
}

static void check_layers(const roof_graph *g, const uint8_t *file)
{
    for (uint32_t i = 0; i < g->n_layers; i++) {
        const roof_layer *layer = &g->layers[i];
        check_text(layer->name);
        CHECK(layer->subgraph < g->n_subgraphs);
        check_index(layer->node, g->n_subgraphs);
        check_slice(layer->first_op, layer->n_ops, g->n_layer_ops);
        check_code(g, file, &roof_xir_layer_of(g, layer)->code);
        for (uint32_t j = 0; j < layer->n_ops; j++) {
            CHECK(g->layer_ops[layer->first_op + j] < g->n_ops);
            CHECK(g->ops[g->layer_ops[layer->first_op + j]].layer == i);
        }
    }
}

static void check_graph(const roof_graph *g, const uint8_t *file, size_t size)
{
    char hex[65];
    check_text(g->path);
    check_text(g->format);
    check_text(g->name);
    check_text(g->compiler);
    CHECK(strspn(g->graph_hash, "0123456789abcdef") == sizeof g->graph_hash - 1 && g->file_bytes == size);
    check_ops(g);
    check_subgraphs(g, file);
    check_layers(g, file);
    if (roof_plan_of(g))
        check_plan(g);
    CHECK(roof_graph_file_sha256(g, hex, NULL) == ROOF_OK && strspn(hex, "0123456789abcdef") == 64);
}

void graph_checks(const uint8_t *data, size_t size, graph_check more)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    uint8_t *file = malloc(size); /* exactly as long as the input: a sanitizer sees one byte too many */
    if (size && !file)
        return;
    if (size)
        memcpy(file, data, size);
    roof_status status = graph_read_memory(file, size, "fuzz", &graph, &err);
    if (status == ROOF_OK) {
        check_graph(graph, file, size);
        if (more)
            more(graph);
    } else {
        check_refusal(status, &err);
        CHECK(!graph && (err.byte_offset == ROOF_UNKNOWN || err.byte_offset <= size));
    }
    roof_graph_free(graph);
    free(file);
}
