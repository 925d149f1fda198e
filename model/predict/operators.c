/* Operators of the file that each row stands for, by their names and places in it. */
#include "core/error.h"
#include "core/namemap.h"
#include "model/predict/predictor.h"

#include <string.h>

static roof_status name_operators(predictor *p, roof_arena *scratch)
{
    bool *is_shared = NULL;
    const char **copies; /* an operator may be in two rows */
    /* operators that lie in the file, by name; one whose name others have, too, names nothing */
    namemap *names = namemap_new(scratch, p->graph->n_ops);
    TRY(ALLOCATED(names, p->err));
    TRY(ARENA_GET(scratch, is_shared, p->graph->n_ops, p->err));
    for (uint32_t i = 0; i < p->graph->n_ops; i++) {
        const roof_op *one = &p->graph->ops[i];
        const size_t length = strlen(one->name);
        if (one->node == ROOF_NONE || namemap_add(names, one->name, length, i))
            continue;
        is_shared[i] = is_shared[namemap_find(names, one->name, length)] = true;
    }
    TRY(ARENA_GET(scratch, copies, p->graph->n_ops, p->err));
    for (uint32_t r = 0; r < p->program.n_rows; r++) {
        const roof_row *row = &p->program.rows[r];
        roof_layer_prediction *l = &p->out->layers[r];
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
