#include "measure/compare/diff_edits.h"
#include "core/error.h"
#include "measure/reconcile/match_names.h"
#include "model/work/cost.h"
#include "model/work/opmap.h"
#include "model/lower/lower.h"

#include <string.h>

/* Features by which operators are alike. */
typedef struct look {
    const roof_op *op;
    uint32_t index; /* of the graph */
    text_span name;
    nhwc out;
} look;

typedef struct looks {
    look *items;
    uint32_t n;
} looks;

static look look_at(const diff_rows *s, uint32_t op)
{
    const roof_op *at = &s->program.graph->ops[op];
    return (look){.op = at, .index = op, .out = tensor_nhwc(&at->out)};
}

/* The operators that compute, in order of execution. */
static roof_status look_at_all(const diff_rows *s, roof_arena *arena, looks *out, roof_error *err)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < s->n; r++)
        n += diff_ops(s, r);
    TRY(ARENA_GET(arena, out->items, n, err));
    for (uint32_t r = 0; r < s->n; r++)
        for (uint32_t i = 0; i < diff_ops(s, r); i++) {
            if (!diff_op_is_stated(diff_op(s, r, i)))
                continue;
            look *at = &out->items[out->n++];
            *at = look_at(s, s->program.rows[r].work.demands[i].op);
            at->name = match_name_plain(at->op->name, arena);
        }
    return arena_status(arena, err);
}

static bool is_convolution(roof_rule rule)
{
    return rule == ROOF_RULE_CONV2D || rule == ROOF_RULE_DEPTHWISE || rule == ROOF_RULE_TRANSPOSED;
}

static bool has_same_window(const look *a, const look *b)
{
    const roof_window *x = &a->op->window, *y = &b->op->window;
    return x->kernel_h == y->kernel_h && x->kernel_w == y->kernel_w && x->stride_h == y->stride_h &&
           x->stride_w == y->stride_w && x->dilation_h == y->dilation_h && x->dilation_w == y->dilation_w;
}

static bool has_same_size(const look *a, const look *b)
{
    return a->out.h == b->out.h && a->out.w == b->out.w;
}

static bool has_same_type(const look *a, const look *b)
{
    return strcmp(a->op->type, b->op->type) == 0;
}

/* 0: they do not belong together. A kind is worth more than all the rest, so that as many as possible of one
 * kind are paired; an unlike convolution less than one of the same kind. */
static uint32_t likeness(const look *a, const look *b)
{
    const bool has_rule = a->op->rule == b->op->rule;
    const bool is_kind =
        has_rule && (has_same_type(a, b) || is_convolution(a->op->rule) || a->op->rule == ROOF_RULE_POOL);
    if (!is_kind && !(is_convolution(a->op->rule) && is_convolution(b->op->rule)))
        return 0;
    const bool has_name = a->name.length && a->name.length == b->name.length &&
                          memcmp(a->name.text, b->name.text, a->name.length) == 0;
    return (is_kind ? 16U : 4U) + 4U * has_same_window(a, b) + 3U * (a->out.c == b->out.c) +
           3U * has_same_size(a, b) + 2U * has_same_type(a, b) + has_name;
}

static bool is_equal(const look *a, const look *b)
{
    return a->op->rule == b->op->rule && has_same_window(a, b) && has_same_size(a, b) &&
           a->out.c == b->out.c && has_same_type(a, b);
}

roof_status edits_pair(const diff_rows *before, const diff_rows *after, roof_arena *arena, uint32_t **mate,
                       roof_error *err)
{
    enum { MOST_CELLS = 1 << 26 };
    enum { SKIP_A, SKIP_B, PAIR };
    const uint32_t n_ops = before->program.graph->n_ops;
    looks a = {0}, b = {0};
    TRY(look_at_all(before, arena, &a, err));
    TRY(look_at_all(after, arena, &b, err));
    TRY(ARENA_GET(arena, *mate, n_ops, err));
    memset(*mate, -1, n_ops * sizeof **mate); /* ROOF_NONE */
    const uint32_t least = a.n < b.n ? a.n : b.n;
    uint32_t front = 0, back = 0;
    for (; front < least && is_equal(&a.items[front], &b.items[front]); front++)
        (*mate)[a.items[front].index] = b.items[front].index;
    for (; back < least - front && is_equal(&a.items[a.n - 1 - back], &b.items[b.n - 1 - back]); back++)
        (*mate)[a.items[a.n - 1 - back].index] = b.items[b.n - 1 - back].index;
    const uint32_t n = a.n - front - back, m = b.n - front - back;
    if ((uint64_t)n * m > MOST_CELLS)
        return error_set(err, ROOF_E_LIMIT,
                         "the networks differ in %u and %u operators, which is too many to lay beside each "
                         "other",
                         n, m);
    unsigned char *step; /* of n rows of m: what the best pairing does behind what comes before */
    uint32_t *sum;       /* the best of the operators of a so far with the first k of b */
    TRY(ARENA_GET(arena, step, (size_t)n * m, err));
    TRY(ARENA_GET(arena, sum, (size_t)m + 1, err));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t corner = 0; /* of the row before, one to the left */
        for (uint32_t k = 0; k < m; k++) {
            const uint32_t above = sum[k + 1], alike = likeness(&a.items[front + i], &b.items[front + k]);
            unsigned char *at = &step[(size_t)i * m + k];
            uint32_t best = above;
            *at = SKIP_A;
            if (sum[k] > best) {
                best = sum[k];
                *at = SKIP_B;
            }
            if (alike && corner + alike > best) {
                best = corner + alike;
                *at = PAIR;
            }
            corner = above;
            sum[k + 1] = best;
        }
    }
    for (uint32_t i = n, k = m; i && k;) {
        const unsigned char at = step[(size_t)(i - 1) * m + k - 1];
        if (at == PAIR)
            (*mate)[a.items[front + i - 1].index] = b.items[front + k - 1].index;
        i -= at != SKIP_B;
        k -= at != SKIP_A;
    }
    return ROOF_OK;
}

static uint32_t reasons_of_pair(const look *a, const look *b)
{
    return (a->op->rule != b->op->rule ? ROOF_DIFF(GROUPS) : 0) |
           (has_same_window(a, b) ? 0 : ROOF_DIFF(WINDOW)) | (has_same_size(a, b) ? 0 : ROOF_DIFF(SIZE)) |
           (a->out.c == b->out.c ? 0 : ROOF_DIFF(CHANNELS));
}

static const roof_layer_prediction *layer_of(const diff_rows *s, const roof_diff_side *side)
{
    return &s->p->layers[side->rows[0]];
}

uint32_t edits_reasons(const diff_rows *before, const diff_rows *after, const uint32_t *mate,
                       const roof_diff_row *item)
{
    const roof_diff_side *a = &item->before, *b = &item->after;
    if (!a->n || !b->n)
        return layer_of(a->n ? before : after, a->n ? a : b)->executor == ROOF_BY_NOBODY
                   ? ROOF_DIFF(NAMES_MEMORY)
               : a->n ? ROOF_DIFF(REMOVED)
                      : ROOF_DIFF(ADDED);
    const roof_layer_prediction *x = layer_of(before, a), *y = layer_of(after, b);
    uint32_t reasons = x->executor != y->executor ? ROOF_DIFF(PLACE) : 0;
    for (uint32_t r = 0; r < a->n; r++)
        for (uint32_t i = 0; i < diff_ops(before, a->rows[r]); i++) {
            const uint32_t op = before->program.rows[a->rows[r]].work.demands[i].op;
            if (mate[op] == ROOF_NONE)
                continue;
            const look of_a = look_at(before, op), of_b = look_at(after, mate[op]);
            reasons |= reasons_of_pair(&of_a, &of_b);
        }
    if (a->n != 1 || b->n != 1 || strcmp(x->type ? x->type : "", y->type ? y->type : "") != 0)
        reasons |= ROOF_DIFF(FUSED);
    if (!reasons && a->macs != b->macs)
        reasons = ROOF_DIFF(CHANNELS); /* of what it reads */
    if (reasons)
        return reasons;
    return roof_traffic_total(&a->traffic) != roof_traffic_total(&b->traffic) ? ROOF_DIFF(BESIDE)
           : a->ideal_cycles != b->ideal_cycles                               ? ROOF_DIFF(UNEXPLAINED)
                                                                              : 0;
}

roof_status diff_rows_read(const roof_graph *graph, const roof_hw *hw, roof_arena *arena, diff_rows *out,
                           roof_error *err)
{
    TRY(lower_build(graph, hw, 0, arena, arena, &out->program, err));
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
