/* Operators of the file that each row stands for, by their names and places in it. */
#include "core/error.h"
#include "core/namemap.h"
#include "model/predict/predictor.h"

#include <string.h>

/* Operators that lie in the file, by name: the last of those with the same. is_shared: others have its name,
 * so that it names nothing. */
static roof_status find_shared(const roof_graph *g, roof_arena *scratch, bool **is_shared, roof_error *err)
{
    namemap *names = namemap_new(scratch, g->n_ops);
    TRY(ALLOCATED(names, err));
    TRY(ARENA_GET(scratch, *is_shared, g->n_ops, err));
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        const size_t length = strlen(op->name);
        if (op->node == ROOF_NONE || namemap_add(names, op->name, length, i))
            continue;
        (*is_shared)[i] = (*is_shared)[namemap_find(names, op->name, length)] = true;
    }
    return ROOF_OK;
}

static roof_status name_operators(predictor *p, roof_arena *scratch)
{
    bool *is_shared = NULL;
    const char **copies; /* an operator may be in two rows */
    TRY(find_shared(p->graph, scratch, &is_shared, p->err));
    TRY(ARENA_GET(scratch, copies, p->graph->n_ops, p->err));
    for (uint32_t r = 0; r < p->program.n_rows; r++) {
        const roof_row *row = &p->program.rows[r];
        roof_layer_prediction *l = &p->prediction->layers[r];
        TRY(ARENA_GET(p->arena, l->operators, row->n_operators, p->err));
        TRY(ARENA_GET(p->arena, l->nodes, row->n_operators, p->err));
        for (uint32_t i = 0; i < row->n_operators; i++) {
            const uint32_t k = row->operators[i];
            const roof_op *op = &p->graph->ops[k];
            if (op->node == ROOF_NONE)
                continue;
            if (!copies[k])
                copies[k] = is_shared[k] || op->is_unnamed ? "" : arena_strdup(p->arena, op->name);
            TRY(ALLOCATED(copies[k], p->err));
            l->operators[l->n_operators++] = copies[k];
            l->nodes[l->n_nodes++] = op->node;
        }
    }
    return ROOF_OK;
}

roof_status predictor_name_operators(predictor *p)
{
    roof_arena *scratch = arena_new(0);
    roof_status status = scratch ? name_operators(p, scratch) : error_memory(p->err);
    arena_free(scratch);
    return status;
}
