#include "measure/compare/diff_rows.h"
#include "core/error.h"
#include "model/graph/program_build.h"
#include "model/lower/lower.h"
#include "model/work/opmap.h"

#include <string.h>

roof_status diff_rows_read(const roof_graph *graph, const roof_hw *hw, roof_arena *arena, diff_rows *out,
                           roof_error *err)
{
    const program_lowering by_rules = {lower_program, hw, 0};
    TRY(program_build(graph, hw, lower_applies(graph, hw) ? &by_rules : NULL, arena, arena, &out->program,
                      err));
    out->given = graph;
    out->n = out->program.n_rows < out->p->n_layers ? out->program.n_rows : out->p->n_layers;
    const uint32_t n_ops = out->program.graph->n_ops;
    TRY(ARENA_GET(arena, out->row_of, n_ops, err));
    memset(out->row_of, -1, n_ops * sizeof *out->row_of); /* ROOF_NONE */
    for (uint32_t r = 0; r < out->n; r++)
        for (uint32_t i = 0; i < diff_ops(out, r); i++)
            out->row_of[out->program.rows[r].work.demands[i].op] = r;
    return ROOF_OK;
}

const roof_op *diff_op(const diff_rows *s, uint32_t row, uint32_t i)
{
    return &s->program.graph->ops[s->program.rows[row].work.demands[i].op];
}

uint32_t diff_ops(const diff_rows *s, uint32_t row)
{
    return s->program.rows[row].work.n_demands;
}

bool diff_op_is_stated(const roof_op *op)
{
    return op->rule != ROOF_RULE_CONSTANT && op->rule != ROOF_RULE_INPUT && op->rule != ROOF_RULE_CONVERT &&
           op->rule != ROOF_RULE_ALIAS;
}

const roof_op *diff_result(const diff_rows *s, uint32_t row)
{
    for (uint32_t i = diff_ops(s, row); i-- > 0;)
        if (diff_op_is_stated(diff_op(s, row, i)))
            return diff_op(s, row, i);
    return NULL;
}

const roof_op *diff_main(const diff_rows *s, uint32_t row)
{
    const roof_op *main = NULL;
    for (uint32_t i = diff_ops(s, row); i-- > 0;) {
        const roof_op *op = diff_op(s, row, i);
        if (rule_has_macs(op->rule) || (diff_op_is_stated(op) && !(main && rule_has_macs(main->rule))))
            main = op;
    }
    return main;
}
