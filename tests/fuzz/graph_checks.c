#include "tests/fuzz/graph_checks.h"
#include "roofline/memory.h"
#include "model/edit/edit.h"
#include "model/graph/format.h"
#include "model/graph/row_flows.h"
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

static void check_pool(const roof_memory *m, const roof_memory_pool *p)
{
    uint64_t most = 0;
    check_text(p->name);
    check_slice(p->first_row, p->n_rows, m->n_rows);
    CHECK(p->peak_bytes == ROOF_UNKNOWN ? p->why_no_peak && !p->bytes_by_row
                                        : p->bytes_by_row && !p->why_no_peak);
    CHECK(p->high_bytes != ROOF_UNKNOWN || p->why_no_high);
    if (!p->bytes_by_row)
        return;
    for (uint32_t r = 0; r < p->n_rows; r++)
        most = p->bytes_by_row[r] > most ? p->bytes_by_row[r] : most;
    CHECK(most == p->peak_bytes && (p->high_bytes == ROOF_UNKNOWN || p->high_bytes >= most));
    CHECK(!p->n_rows || p->bytes_by_row[p->at_row] == most);
    for (uint32_t i = 0; i < p->n_live; i++) {
        const roof_memory_buffer *b = &p->live[i];
        check_text(b->name);
        CHECK(b->first_row <= p->at_row && p->at_row <= b->last_row && b->last_row < p->n_rows);
        CHECK(b->peak_without_bytes == ROOF_UNKNOWN ? p->why_not_without != NULL
                                                    : b->peak_without_bytes <= most);
    }
    for (uint32_t i = 0; i < p->n_remedies; i++)
        CHECK(p->remedies[i].n_changes && p->remedies[i].peak_bytes <= p->size_bytes);
    CHECK(p->fit != ROOF_MEMORY_FIT_NO || p->n_remedies || p->why_no_remedy);
}

/* As the file has it, and where the first pool has half of what it needs. */
static void check_memory(const roof_graph *g)
{
    roof_error err = {0};
    roof_memory *m = NULL, *small = NULL;
    roof_status status = roof_memory_of(g, NULL, &m, &err);
    if (status != ROOF_OK) {
        check_refusal(status, &err);
        CHECK(!m);
        return;
    }
    for (uint32_t i = 0; i < m->n_pools; i++)
        check_pool(m, &m->pools[i]);
    if (m->n_pools) {
        const roof_memory_size half = {
            m->pools[0].name, m->pools[0].peak_bytes == ROOF_UNKNOWN ? 1 : m->pools[0].peak_bytes / 2};
        status = roof_memory_of(g, &(roof_memory_options){&half, 1}, &small, &err);
        CHECK(status == ROOF_OK || status == ROOF_E_NO_MEMORY);
        for (uint32_t i = 0; small && i < small->n_pools; i++)
            check_pool(small, &small->pools[i]);
    }
    roof_memory_free(small);
    roof_memory_free(m);
}

/* What flows between rows names rows, parts and operators that are there. */
static void check_flows(const roof_graph *g)
{
    roof_arena *arena = arena_new(0);
    row_flows flows = {0};
    roof_error err = {0};
    const roof_status status = arena ? row_flows_of(g, arena, &flows, &err) : ROOF_E_NO_MEMORY;
    CHECK(status == ROOF_OK || status == ROOF_E_NO_MEMORY);
    for (uint32_t i = 0; status == ROOF_OK && i < flows.n; i++) {
        const row_flow *f = &flows.items[i];
        check_text(f->from);
        check_text(f->to);
        check_index(f->from_part, flows.n_parts);
        check_index(f->to_part, flows.n_parts);
        CHECK(f->way < ROW_WAYS);
    }
    for (uint32_t i = 0; status == ROOF_OK && i < flows.n_parts; i++) {
        check_text(flows.parts[i].row);
        check_text(flows.parts[i].name);
    }
    for (uint32_t i = 0; status == ROOF_OK && i < flows.n_spans; i++)
        CHECK(flows.spans[i].op < g->n_ops && flows.spans[i].first && flows.spans[i].last);
    arena_free(arena);
}

/* A hostile network is edited, or refused: of all kinds the first few operators, then the whole. */
static void check_edits(const roof_graph *g, const uint8_t *file)
{
    enum { MOST_OPS = 12 };
    const uint32_t n = g->n_ops < MOST_OPS ? g->n_ops : MOST_OPS;
    for (uint32_t i = 0; i <= n; i++)
        for (int kind = 0; kind < EDIT_KINDS; kind++) {
            const bool is_of_whole = edit_is_of_whole((edit_kind)kind);
            const uint32_t value = kind == EDIT_DROP ? 0 : kind == EDIT_WIDTH ? 8 : 3;
            const edit what = {(edit_kind)kind, is_of_whole ? ROOF_NONE : i, value, 5, 0.5};
            roof_graph *out = NULL;
            roof_error err = {0};
            if (is_of_whole != (i == n))
                continue;
            const roof_status status = edit_graph(g, &what, 1, &out, &err);
            if (status != ROOF_OK) {
                check_refusal(status, &err);
                CHECK(!out);
                continue;
            }
            check_ops(out);
            check_layers(out, file);
            check_memory(out);
            roof_graph_free(out);
        }
}

static void check_graph(const roof_graph *g, const uint8_t *file, size_t size, bool tells_memory_alone)
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
    if (roof_plan_of(g) && !tells_memory_alone)
        check_plan(g);
    check_memory(g);
    check_flows(g);
    check_edits(g, file);
    CHECK(roof_graph_file_sha256(g, hex, NULL) == ROOF_OK && strspn(hex, "0123456789abcdef") == 64);
}

/* What is no graph may tell memory. */
static void check_what_tells_memory_alone(const uint8_t *file, size_t size)
{
    const roof_workload workload = {.asks_memory = true};
    roof_graph *graph = NULL;
    roof_error err = {0};
    const roof_status status = graph_read_memory_as(file, size, "fuzz", &workload, &graph, &err);
    if (status == ROOF_OK) {
        CHECK(!graph->n_layers);
        check_graph(graph, file, size, true);
    } else
        check_refusal(status, &err);
    roof_graph_free(graph);
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
        check_graph(graph, file, size, false);
        if (more)
            more(graph);
    } else {
        check_refusal(status, &err);
        CHECK(!graph && (err.byte_offset == ROOF_UNKNOWN || err.byte_offset <= size));
    }
    roof_graph_free(graph);
    if (status != ROOF_OK)
        check_what_tells_memory_alone(file, size);
    free(file);
}
