/* One network before and after compiling: rows that belong together, and why they differ. */
#include "roofline/predictions.h"
#include "roofline/model_diff.h"
#include "core/sets.h"
#include "measure/matches/match_facts.h"
#include "measure/reconcile/match_names.h"
#include "model/edit/edit.h"
#include "model/lower/lower.h"
#include "model/work/cost.h"
#include "model/work/opmap.h"

static const char *const reason_texts[][2] = {
#define DIFFERENCE(name, word, words) {(word), (words)},
#include "roofline/model_diff.def"
#undef DIFFERENCE
};

const char *roof_diff_reason_word(roof_diff_reason reason)
{
    return reason_texts[reason][0];
}

const char *roof_diff_reason_words(roof_diff_reason reason)
{
    return reason_texts[reason][1];
}

_Static_assert(ROOF_DIFF_REASONS <= 32, "a bit for each reason");

/* The rows of a network as hardware executes them, with their operators; p and the graph are borrowed. */
typedef struct diff_rows {
    const roof_prediction *p;
    const roof_graph *given; /* that the program was made of, before it was lowered */
    roof_program program;
    uint32_t *row_of; /* of each operator of the program's graph; ROOF_NONE */
    uint32_t n;       /* rows of both */
} diff_rows;

typedef struct matcher {
    roof_model_diff *out;
    diff_rows sides[2];
    uint32_t *sets;  /* of rows of both sides, those of the second behind the first: who belongs together */
    bool *by_name;   /* of each, likewise: paired by a name */
    bool *is_paired; /* by name or shape */
    /* Of an edit, of each operator of the first graph: which of the second it is; ROOF_NONE: none. */
    uint32_t *mate;
    roof_arena *arena;
    roof_error *err;
} matcher;

enum { BEFORE, AFTER };

/* --- rows and their operators -------------------------------------------------------------------------- */

/* How many operators a row has, and the i-th of them. */
static uint32_t diff_ops(const diff_rows *s, uint32_t row)
{
    return s->program.rows[row].work.n_demands;
}

static const roof_op *diff_op(const diff_rows *s, uint32_t row, uint32_t i)
{
    return &s->program.graph->ops[s->program.rows[row].work.demands[i].op];
}

static roof_status diff_rows_read(matcher *m, int which, const roof_graph *graph, const roof_hw *hw)
{
    diff_rows *out = &m->sides[which];
    TRY(lower_build(graph, hw, 0, m->arena, m->arena, &out->program, m->err));
    out->given = graph;
    out->n = out->program.n_rows < out->p->n_layers ? out->program.n_rows : out->p->n_layers;
    const uint32_t n_ops = out->program.graph->n_ops;
    TRY(ARENA_GET(m->arena, out->row_of, n_ops, m->err));
    memset(out->row_of, -1, n_ops * sizeof *out->row_of); /* ROOF_NONE */
    for (uint32_t r = 0; r < out->n; r++)
        for (uint32_t i = 0; i < diff_ops(out, r); i++)
            out->row_of[out->program.rows[r].work.demands[i].op] = r;
    return ROOF_OK;
}

/* An operator whose name tells what a row computes: not its constants, nor what both may spell anew. */
static bool diff_op_is_stated(const roof_op *op)
{
    return op->rule != ROOF_RULE_CONSTANT && op->rule != ROOF_RULE_INPUT && op->rule != ROOF_RULE_CONVERT &&
           op->rule != ROOF_RULE_ALIAS;
}

/* The last operator that computes, whose output is the row's; NULL: none does. */
static const roof_op *diff_result(const diff_rows *s, uint32_t row)
{
    for (uint32_t i = diff_ops(s, row); i-- > 0;)
        if (diff_op_is_stated(diff_op(s, row, i)))
            return diff_op(s, row, i);
    return NULL;
}

/* The operator that has multiply-accumulates, the first of several; else the first that computes; NULL. */
static const roof_op *diff_main(const diff_rows *s, uint32_t row)
{
    const roof_op *main = NULL;
    for (uint32_t i = diff_ops(s, row); i-- > 0;) {
        const roof_op *op = diff_op(s, row, i);
        if (rule_has_macs(op->rule) || (diff_op_is_stated(op) && !(main && rule_has_macs(main->rule))))
            main = op;
    }
    return main;
}

/* --- operators of a network and of an edited one -------------------------------------------------------- */

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

/* What differs, as bits of roof_diff_reason: the rule as GROUPS. */
static uint32_t differences(const look *a, const look *b)
{
    const roof_window *x = &a->op->window, *y = &b->op->window;
    const bool has_window = x->kernel_h == y->kernel_h && x->kernel_w == y->kernel_w &&
                            x->stride_h == y->stride_h && x->stride_w == y->stride_w &&
                            x->dilation_h == y->dilation_h && x->dilation_w == y->dilation_w;
    return (a->op->rule == b->op->rule ? 0 : ROOF_DIFF(GROUPS)) | (has_window ? 0 : ROOF_DIFF(WINDOW)) |
           (a->out.h == b->out.h && a->out.w == b->out.w ? 0 : ROOF_DIFF(SIZE)) |
           (a->out.c == b->out.c ? 0 : ROOF_DIFF(CHANNELS));
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
    const bool has_name = a->name.length && span_same(a->name, b->name);
    const uint32_t differ = differences(a, b);
    return (is_kind ? 16U : 4U) + 4U * !(differ & ROOF_DIFF(WINDOW)) + 3U * !(differ & ROOF_DIFF(CHANNELS)) +
           3U * !(differ & ROOF_DIFF(SIZE)) + 2U * has_same_type(a, b) + has_name;
}

static bool is_equal(const look *a, const look *b)
{
    return !differences(a, b) && has_same_type(a, b);
}

/* Fills m->mate. Only operators that compute have one.
 *
 * Both are laid beside each other as texts are: in order, so that no pair crosses another, and so that what
 * is paired is as alike as it can be. A pair is alike by its kind first, then by window, channels, size and
 * name. Names alone pair nothing: exporters number operators, so
 * that conv_11 of one network is another layer in the next.
 *
 * Formula: the pairing with the largest sum of likenesses (Needleman and Wunsch, J. Mol. Biol. 48 (1970)
 *   443), with gaps that cost nothing. Equal operators at both ends are paired before: a network with one
 *   edit is linear in its operators, and two that have nothing in common take the product of both.
 * Errors: E_NO_MEMORY; E_LIMIT (more than 2^26 pairs to look at). */
static roof_status edits_pair(matcher *m)
{
    enum { MOST_CELLS = 1 << 26 };
    enum { SKIP_A, SKIP_B, PAIR };
    const uint32_t n_ops = m->sides[BEFORE].program.graph->n_ops;
    looks a = {0}, b = {0};
    TRY(look_at_all(&m->sides[BEFORE], m->arena, &a, m->err));
    TRY(look_at_all(&m->sides[AFTER], m->arena, &b, m->err));
    TRY(ARENA_GET(m->arena, m->mate, n_ops, m->err));
    memset(m->mate, -1, n_ops * sizeof *m->mate); /* ROOF_NONE */
    const uint32_t least = a.n < b.n ? a.n : b.n;
    uint32_t front = 0, back = 0;
    for (; front < least && is_equal(&a.items[front], &b.items[front]); front++)
        m->mate[a.items[front].index] = b.items[front].index;
    for (; back < least - front && is_equal(&a.items[a.n - 1 - back], &b.items[b.n - 1 - back]); back++)
        m->mate[a.items[a.n - 1 - back].index] = b.items[b.n - 1 - back].index;
    const uint32_t n_a = a.n - front - back, n_b = b.n - front - back;
    if ((uint64_t)n_a * n_b > MOST_CELLS)
        return error_set(m->err, ROOF_E_LIMIT,
                         "the networks differ in %u and %u operators, which is too many to lay beside each "
                         "other",
                         n_a, n_b);
    unsigned char *step; /* of n_a rows of n_b: what the best pairing does behind what comes before */
    uint32_t *sum;       /* the best of the operators of a so far with the first k of b */
    TRY(ARENA_GET(m->arena, step, (size_t)n_a * n_b, m->err));
    TRY(ARENA_GET(m->arena, sum, (size_t)n_b + 1, m->err));
    for (uint32_t i = 0; i < n_a; i++) {
        uint32_t corner = 0; /* of the row before, one to the left */
        for (uint32_t k = 0; k < n_b; k++) {
            const uint32_t above = sum[k + 1], alike = likeness(&a.items[front + i], &b.items[front + k]);
            unsigned char *at = &step[(size_t)i * n_b + k];
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
    for (uint32_t i = n_a, k = n_b; i && k;) {
        const unsigned char at = step[(size_t)(i - 1) * n_b + k - 1];
        if (at == PAIR)
            m->mate[a.items[front + i - 1].index] = b.items[front + k - 1].index;
        i -= at != SKIP_B;
        k -= at != SKIP_A;
    }
    return ROOF_OK;
}

static const roof_layer_prediction *layer_of(const diff_rows *s, const roof_diff_side *side)
{
    return &s->p->layers[side->rows[0]];
}

/* Changes of rows that belong together, as bits of roof_diff_reason. */
static uint32_t edits_reasons(const matcher *m, const roof_diff_row *item)
{
    const diff_rows *before = &m->sides[BEFORE], *after = &m->sides[AFTER];
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
            const uint32_t op = before->program.rows[a->rows[r]].work.demands[i].op, mate = m->mate[op];
            if (mate == ROOF_NONE)
                continue;
            const look was = look_at(before, op), is = look_at(after, mate); /* one on both sides */
            reasons |= differences(&was, &is);
        }
    if (a->n != 1 || b->n != 1 || strcmp(text_or_empty(x->type), text_or_empty(y->type)) != 0)
        reasons |= ROOF_DIFF(FUSED);
    if (!reasons && a->macs != b->macs)
        reasons = ROOF_DIFF(CHANNELS); /* of what it reads */
    if (reasons)
        return reasons;
    return roof_traffic_total(&a->traffic) != roof_traffic_total(&b->traffic) ? ROOF_DIFF(BESIDE)
           : a->ideal_cycles != b->ideal_cycles                               ? ROOF_DIFF(UNEXPLAINED)
                                                                              : 0;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* "conv2d 1x112x112x32 10838016": rows of both sides that have one are alike. NULL: it computes nothing. */
static const char *shape_key(matcher *m, const diff_rows *s, uint32_t row)
{
    const roof_op *result = diff_result(s, row), *main = diff_main(s, row);
    if (!result || !main)
        return NULL;
    const nhwc out = tensor_nhwc(&result->out);
    return arena_printf(m->arena, "%s %" PRIu64 "x%" PRIu64 "x%" PRIu64 " %" PRIu64,
                        roof_rule_text(main->rule), out.h, out.w, out.c, s->p->layers[row].macs);
}

/* The elements of the smallest map that a row reads from elsewhere; ROOF_UNKNOWN: it reads none. */
static uint64_t smallest_input(const diff_rows *s, uint32_t row)
{
    const roof_graph *g = s->program.graph;
    uint64_t least = ROOF_UNKNOWN;
    for (uint32_t i = 0; i < diff_ops(s, row); i++) {
        const roof_op *op = diff_op(s, row, i);
        for (uint32_t k = 0; k < op->n_inputs && diff_op_is_stated(op); k++) {
            const roof_edge *edge = &g->edges[op->first_input + k];
            const roof_op *from = &g->ops[edge->op];
            const bool is_map = (edge->role == ROOF_ROLE_INPUT || edge->role == ROOF_ROLE_OTHER) &&
                                from->rule != ROOF_RULE_CONSTANT;
            if (is_map && (from->layer == ROOF_NONE || from->layer != op->layer) &&
                from->out.elements < least)
                least = from->out.elements;
        }
    }
    return least;
}

/* --- who belongs together ----------------------------------------------------------------------------- */

static void join(matcher *m, uint32_t before, uint32_t after, bool by_name)
{
    sets_join(m->sets, before, m->sides[BEFORE].n + after); /* rows of the first side are roots */
    m->by_name[before] = m->by_name[m->sides[BEFORE].n + after] = by_name;
    m->is_paired[before] = m->is_paired[m->sides[BEFORE].n + after] = true;
}

static roof_status join_by_names(matcher *m)
{
    size_t n = 0;
    for (uint32_t r = 0; r < m->sides[BEFORE].n; r++)
        n += diff_ops(&m->sides[BEFORE], r);
    namemap *map = namemap_new(m->arena, n);
    TRY(ALLOCATED(map, m->err));
    for (int k = BEFORE; k <= AFTER; k++)
        for (uint32_t r = 0; r < m->sides[k].n; r++)
            for (uint32_t i = 0; i < diff_ops(&m->sides[k], r); i++) {
                const roof_op *op = diff_op(&m->sides[k], r, i);
                const text_span name =
                    diff_op_is_stated(op) ? match_name_plain(op->name, m->arena) : (text_span){NULL, 0};
                if (name.length && k == BEFORE)
                    namemap_add(map, name.text, name.length, r);
                const uint32_t row =
                    name.length && k == AFTER ? namemap_find(map, name.text, name.length) : ROOF_NONE;
                if (row != ROOF_NONE)
                    join(m, row, r, true);
            }
    return arena_status(m->arena, m->err);
}

/* "96x96x1 -> 48x48x8 165888", for rows of code that names no operators. NULL: it has none. */
static const char *code_key(matcher *m, const diff_rows *s, uint32_t row)
{
    const roof_layer_prediction *l = &s->p->layers[row];
    const char *shape = text_or_empty(l->shape), *kernel = strstr(shape, " k");
    const size_t length = kernel ? (size_t)(kernel - shape) : strlen(shape); /* a dense layer has no kernel */
    return length && l->macs && l->macs != ROOF_UNKNOWN
               ? arena_printf(m->arena, "%.*s %" PRIu64, (int)length, shape, l->macs)
               : NULL;
}

typedef const char *key_of_row(matcher *m, const diff_rows *s, uint32_t row);

static roof_status join_by_keys(matcher *m, key_of_row *key_of)
{
    key_list keys[2];
    for (int k = BEFORE; k <= AFTER; k++) {
        const diff_rows *s = &m->sides[k];
        TRY(pair_keys_new(m->arena, s->n, &keys[k], m->err));
        for (uint32_t r = 0; r < s->n; r++)
            keys[k].of[r] = m->is_paired[(k == AFTER ? m->sides[BEFORE].n : 0) + r] ? NULL : key_of(m, s, r);
    }
    TRY(arena_status(m->arena, m->err));
    TRY(pair_keys(m->arena, &keys[BEFORE], &keys[AFTER], m->err));
    for (uint32_t r = 0; r < m->sides[BEFORE].n; r++)
        if (keys[BEFORE].mate[r] != ROOF_NONE)
            join(m, r, keys[BEFORE].mate[r], false);
    return ROOF_OK;
}

/* Joins, for code that names no operators, one row of the graph and whatever is left of the code between the
 * same neighbours, such as a softmax and the steps that it became. */
static void join_between(matcher *m)
{
    const diff_rows *before = &m->sides[BEFORE], *after = &m->sides[AFTER];
    const bool *is_paired_after = m->is_paired + before->n;
    uint32_t at = 0; /* the next row of the code */
    for (uint32_t k = 0; k < after->n; k++)
        if (diff_result(after, k))
            return;
    for (uint32_t r = 0; r < before->n; r++) {
        if (m->is_paired[r]) {
            for (uint32_t k = after->n; k-- > at;)
                if (is_paired_after[k] && sets_root(m->sets, before->n + k) == sets_root(m->sets, r))
                    at = k + 1;
            continue;
        }
        const bool is_alone =
            (!r || m->is_paired[r - 1]) && (r + 1 == before->n || m->is_paired[r + 1]) && before->n > 1;
        const uint32_t first = at;
        while (is_alone && at < after->n && !is_paired_after[at])
            at++;
        if (r + 1 < before->n && at < after->n &&
            sets_root(m->sets, before->n + at) != sets_root(m->sets, r + 1))
            continue; /* the neighbours are others */
        for (uint32_t k = first; k < at; k++)
            join(m, r, k, false);
    }
}

/* The row that makes what an edge hands on, back through what takes no time; ROOF_NONE: none, or far away. */
static uint32_t maker_of(const diff_rows *s, uint32_t op)
{
    enum { MOST_STEPS = 64 };
    const roof_graph *g = s->program.graph;
    for (uint32_t step = 0; step < MOST_STEPS && s->row_of[op] == ROOF_NONE; step++) {
        const roof_op *at = &g->ops[op];
        uint32_t k = 0;
        while (k < at->n_inputs && g->ops[g->edges[at->first_input + k].op].rule == ROOF_RULE_CONSTANT)
            k++;
        if (k == at->n_inputs)
            return ROOF_NONE;
        op = g->edges[at->first_input + k].op;
    }
    return s->row_of[op];
}

/* A row of the graph that the compiled file does not have was joined with the row that reads what it makes,
 * where that is in both. */
static void join_lost_rows(matcher *m)
{
    const diff_rows *s = &m->sides[BEFORE];
    const roof_graph *g = s->program.graph;
    for (uint32_t r = s->n; r-- > 0;) /* the last first, so that several in a row are found */
        for (uint32_t i = 0; i < diff_ops(s, r); i++) {
            const roof_op *op = diff_op(s, r, i);
            for (uint32_t k = 0; k < op->n_inputs; k++) {
                const uint32_t lost = maker_of(s, g->edges[op->first_input + k].op);
                if (lost == ROOF_NONE || lost == r || !m->is_paired[r] || m->is_paired[lost])
                    continue;
                sets_join(m->sets, r, lost);
                m->is_paired[lost] = true;
            }
        }
}

static bool is_left(const matcher *m, int which, uint32_t row)
{
    const diff_rows *s = &m->sides[which];
    const roof_layer_prediction *l = &s->p->layers[row];
    return !m->is_paired[(which == AFTER ? m->sides[BEFORE].n : 0) + row] &&
           l->executor == ROOF_BY_ACCELERATOR && !l->is_remainder && l->macs && l->macs != ROOF_UNKNOWN;
}

/* Joins the remaining rows with multiply-accumulates, in order, where both sides have as many: the same
 * layers with other channels or another size. */
static void join_by_order(matcher *m)
{
    uint32_t n[2] = {0, 0}, after = 0;
    for (int k = BEFORE; k <= AFTER; k++)
        for (uint32_t r = 0; r < m->sides[k].n; r++)
            n[k] += is_left(m, k, r);
    for (uint32_t r = 0; n[BEFORE] == n[AFTER] && r < m->sides[BEFORE].n; r++) {
        if (!is_left(m, BEFORE, r))
            continue;
        while (!is_left(m, AFTER, after))
            after++;
        join(m, r, after, false);
    }
}

/* --- figures ------------------------------------------------------------------------------------------ */

/* A row that only names memory, or has no code, adds nothing; an unknown term makes its sum unknown. */
static roof_status add_row(matcher *m, int which, uint32_t row, roof_diff_side *to)
{
    const roof_layer_prediction *l = &m->sides[which].p->layers[row];
    TRY(ARENA_ADD(m->arena, to->rows, to->n, m->err, row));
    checked_add_known(&to->macs, l->macs);
    /* Between a graph and its compiled file one time is by the file's own code, the other by the cost model,
     * so they tell less of the compiler than of the model. */
    to->time_s += !m->out->is_edit                      ? NAN
                  : l->executor == ROOF_BY_NOBODY       ? 0
                  : !roof_answer_is_bound(m->out->kind) ? l->repeat * l->predicted_s
                  : l->executor == ROOF_BY_HOST         ? NAN
                                                        : l->repeat * l->deployed.ideal_s;
    if (l->executor == ROOF_BY_HOST || l->executor == ROOF_BY_NOBODY)
        return ROOF_OK;
    const roof_traffic *t = &l->deployed.traffic;
    checked_add_known(&to->traffic.weights_bytes, t->weights_bytes);
    checked_add_known(&to->traffic.input_bytes, t->input_bytes);
    checked_add_known(&to->traffic.output_bytes, t->output_bytes);
    if (t->instruction_bytes != ROOF_UNKNOWN)
        checked_add_known(&to->traffic.instruction_bytes, t->instruction_bytes);
    checked_add_known(&to->ideal_cycles, l->deployed.ideal_cycles);
    to->ideal_s += l->deployed.ideal_s;
    return ROOF_OK;
}

/* --- reasons ------------------------------------------------------------------------------------------ */

/* The rule that joins operators of these kinds in one row. */
static uint32_t joining_rule(const matcher *m, const roof_diff_row *s)
{
    bool has[ROOF_RULE_COUNT] = {false};
    const roof_diff_side *sides[] = {&s->before, &s->after};
    for (int k = BEFORE; k <= AFTER; k++)
        for (uint32_t r = 0; r < sides[k]->n; r++)
            for (uint32_t i = 0; i < diff_ops(&m->sides[k], sides[k]->rows[r]); i++)
                has[diff_op(&m->sides[k], sides[k]->rows[r], i)->rule] = true;
    const bool has_conv = has[ROOF_RULE_CONV2D] || has[ROOF_RULE_TRANSPOSED];
    return !has_conv                                         ? 0
           : has[ROOF_RULE_DEPTHWISE]                        ? 2
           : has[ROOF_RULE_POOL]                             ? 3
           : has[ROOF_RULE_ELTWISE] || has[ROOF_RULE_BINARY] ? 4
           : has[ROOF_RULE_MOVE]                             ? 5
                                                             : 0;
}

/* R8: the lowered graph makes less here than the one that was given. */
static bool has_moved_stride(const diff_rows *s, uint32_t row)
{
    for (uint32_t i = 0; i < diff_ops(s, row); i++) {
        const uint32_t op = s->program.rows[row].work.demands[i].op;
        if (op < s->given->n_ops && s->given->ops[op].out.elements != s->program.graph->ops[op].out.elements)
            return true;
    }
    return false;
}

/* Where multiply-accumulates differ: a stride that moved, a map of another size, other channels. */
static uint32_t reason_of_macs(const matcher *m, const roof_diff_row *s)
{
    const roof_op *a = diff_result(&m->sides[BEFORE], s->before.rows[0]),
                  *b = diff_result(&m->sides[AFTER], s->after.rows[0]);
    if (!a || !b || s->before.macs == ROOF_UNKNOWN || s->after.macs == ROOF_UNKNOWN)
        return ROOF_DIFF(NOT_KNOWN);
    const nhwc x = tensor_nhwc(&a->out), y = tensor_nhwc(&b->out);
    if (x.h != y.h || x.w != y.w)
        return ROOF_DIFF(SIZE);
    for (uint32_t r = 0; r < s->before.n; r++)
        if (has_moved_stride(&m->sides[BEFORE], s->before.rows[r]))
            return ROOF_DIFF(STRIDE);
    return x.c != y.c || s->before.traffic.weights_bytes != s->after.traffic.weights_bytes
               ? ROOF_DIFF(CHANNELS)
               : ROOF_DIFF(UNEXPLAINED);
}

static uint32_t reasons_of_bytes(const matcher *m, const roof_diff_row *s)
{
    const roof_traffic *a = &s->before.traffic, *b = &s->after.traffic;
    uint32_t reasons = b->instruction_bytes ? ROOF_DIFF(INSTRUCTIONS) : 0;
    if (isnan(traffic_bytes(a) + traffic_bytes(b)))
        return reasons | ROOF_DIFF(NOT_KNOWN);
    if (b->output_bytes != a->output_bytes)
        reasons |= b->output_bytes > a->output_bytes ? ROOF_DIFF(SAVED) : ROOF_DIFF(KEPT);
    if (b->weights_bytes != a->weights_bytes)
        reasons |= ROOF_DIFF(CONSTANTS);
    uint64_t map = ROOF_UNKNOWN;
    for (uint32_t r = 0; r < s->before.n; r++) {
        const uint64_t least = smallest_input(&m->sides[BEFORE], s->before.rows[r]);
        map = least < map ? least : map;
    }
    bool skips = false; /* rows between those that a kernel touches */
    for (uint32_t r = 0; r < s->before.n; r++)
        for (uint32_t i = 0; i < diff_ops(&m->sides[BEFORE], s->before.rows[r]); i++) {
            const roof_window *w = &diff_op(&m->sides[BEFORE], s->before.rows[r], i)->window;
            skips = skips || w->kernel_h < w->stride_h;
        }
    const uint64_t before = a->input_bytes, after = b->input_bytes;
    if (after > before)
        reasons |= after - before >= map || !before ? ROOF_DIFF(LOADED)
                   : skips                          ? ROOF_DIFF(SKIPPED)
                                                    : ROOF_DIFF(HALO);
    if (before > after)
        reasons |= before - after >= map || !after ? ROOF_DIFF(FOUND) : ROOF_DIFF(FEWER_ROWS);
    return reasons;
}

static bool is_host(const matcher *m, int which, const roof_diff_side *s)
{
    for (uint32_t r = 0; r < s->n; r++)
        if (m->sides[which].p->layers[s->rows[r]].executor != ROOF_BY_HOST)
            return false;
    return s->n;
}

static void explain(const matcher *m, roof_diff_row *s)
{
    if (!s->before.n || !s->after.n) { /* a row on one side alone */
        const roof_layer_prediction *l =
            s->after.n ? layer_of(&m->sides[AFTER], &s->after) : layer_of(&m->sides[BEFORE], &s->before);
        s->reasons = l->is_remainder                             ? ROOF_DIFF(UNOWNED)
                     : l->executor == ROOF_BY_NOBODY             ? ROOF_DIFF(NAMES_MEMORY)
                     : l->executor == ROOF_BY_HOST && s->after.n ? ROOF_DIFF(HOST_ROW)
                                                                 : ROOF_DIFF(UNEXPLAINED);
        return;
    }
    const bool has_one_before = s->before.n == 1, has_one_after = s->after.n == 1;
    if (!has_one_before || !has_one_after) {
        s->reasons |= has_one_before  ? ROOF_DIFF(APART)
                      : has_one_after ? ROOF_DIFF(TOGETHER)
                                      : ROOF_DIFF(OTHERWISE);
        s->rule = joining_rule(m, s);
    }
    const bool was_host = is_host(m, BEFORE, &s->before), runs_on_host = is_host(m, AFTER, &s->after);
    if (was_host != runs_on_host) {
        s->reasons |= runs_on_host ? ROOF_DIFF(TO_HOST) : ROOF_DIFF(FROM_HOST);
        return;
    }
    if (s->before.macs != s->after.macs)
        s->reasons |= reason_of_macs(m, s);
    if (was_host)
        return;
    const uint32_t of_bytes = reasons_of_bytes(m, s);
    s->reasons |= of_bytes;
    if (s->before.ideal_cycles == ROOF_UNKNOWN || s->after.ideal_cycles == ROOF_UNKNOWN)
        s->reasons |= ROOF_DIFF(NOT_KNOWN);
    else if (s->before.ideal_cycles != s->after.ideal_cycles && !(of_bytes & ~ROOF_DIFF(INSTRUCTIONS)) &&
             !(s->reasons & (ROOF_DIFF(STRIDE) | ROOF_DIFF(SIZE) | ROOF_DIFF(CHANNELS))))
        s->reasons |= ROOF_DIFF(CYCLES);
}

/* Marks paired rows that are not in a longest sequence that both sides execute in one order. */
static roof_status mark_moved(matcher *m)
{
    roof_model_diff *out = m->out;
    uint32_t *ends, *before, n = 0; /* ends[k]: the item that ends the best sequence of k + 1 */
    bool *stays;
    TRY(ARENA_GET3(m->arena, ends, before, stays, out->n, m->err));
    for (uint32_t i = 0; i < out->n; i++) {
        if (out->items[i].pairing == ROOF_DIFF_UNPAIRED)
            continue;
        uint32_t low = 0, high = n;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (out->items[ends[middle]].before.rows[0] < out->items[i].before.rows[0])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low ? ends[low - 1] : ROOF_NONE;
        ends[low] = i;
        n = low == n ? n + 1 : n;
    }
    for (uint32_t i = n ? ends[n - 1] : ROOF_NONE; i != ROOF_NONE; i = before[i])
        stays[i] = true;
    for (uint32_t i = 0; i < out->n; i++)
        if (out->items[i].pairing != ROOF_DIFF_UNPAIRED && !stays[i])
            out->items[i].reasons |= ROOF_DIFF(ORDER);
    return ROOF_OK;
}

/* --- all ---------------------------------------------------------------------------------------------- */

static roof_status collect(matcher *m)
{
    const uint32_t n_before = m->sides[BEFORE].n, n = n_before + m->sides[AFTER].n;
    uint32_t *item_of;
    TRY(ARENA_GET2(m->arena, item_of, m->out->items, n, m->err));
    memset(item_of, -1, n * sizeof *item_of);   /* ROOF_NONE */
    for (uint32_t step = 0; step < n; step++) { /* those of the compiled file first */
        const uint32_t row = step < n - n_before ? n_before + step : step - (n - n_before);
        const uint32_t root = sets_root(m->sets, row);
        if (item_of[root] == ROOF_NONE)
            item_of[root] = m->out->n++;
        roof_diff_row *s = &m->out->items[item_of[root]];
        TRY(row >= n_before ? add_row(m, AFTER, row - n_before, &s->after)
                            : add_row(m, BEFORE, row, &s->before));
        if (s->before.n && s->after.n && s->pairing != ROOF_DIFF_BY_NAME)
            s->pairing = m->by_name[row] ? ROOF_DIFF_BY_NAME : ROOF_DIFF_BY_SHAPE;
    }
    FOR_EACH(roof_diff_row, item, m->out->items, m->out->n) {
        if (m->out->is_edit)
            item->reasons = edits_reasons(m, item);
        else
            explain(m, item);
        item->difference_s = m->out->is_edit ? item->after.time_s - item->before.time_s : NAN;
    }
    return mark_moved(m);
}

/* Differences of an edit by reason: each counts for one, so that all of them close with the rest. */
static void share_difference(roof_model_diff *s)
{
    static const roof_diff_reason order[] = {
        ROOF_DIFF_REMOVED, ROOF_DIFF_ADDED, ROOF_DIFF_PLACE,    ROOF_DIFF_GROUPS, ROOF_DIFF_WINDOW,
        ROOF_DIFF_FUSED,   ROOF_DIFF_SIZE,  ROOF_DIFF_CHANNELS, ROOF_DIFF_BESIDE, ROOF_DIFF_UNEXPLAINED};
    double shared_s = 0;
    FOR_EACH(const roof_diff_row, item, s->items, s->n) {
        size_t k = 0;
        while (k < N_OF(order) && !(item->reasons & (1U << order[k])))
            k++;
        if (k == N_OF(order))
            continue;
        const bool is_known = !isnan(item->difference_s);
        s->changes[order[k]].n++;
        s->changes[order[k]].n_unknown += !is_known;
        s->changes[order[k]].difference_s += is_known ? item->difference_s : 0;
        shared_s += is_known ? item->difference_s : 0;
    }
    s->rest_s = s->total[AFTER].time_s - s->total[BEFORE].time_s - shared_s;
    if (fabs(s->rest_s) < 1e-9 * s->total[AFTER].time_s)
        s->rest_s = 0; /* of rounding */
}

static void set_ratio(roof_model_diff *s, const roof_hw *hw)
{
    const uint64_t a = s->before_prediction->total.ops_count, b = s->after_prediction->total.ops_count;
    s->is_estimate = roof_answer_is_bound(s->kind) &&
                     (s->before_prediction->estimate_of || s->after_prediction->estimate_of);
    const edit_ratio r = edit_ratio_of(s->total[BEFORE].time_s, s->total[AFTER].time_s, a < b ? a : b,
                                       s->kind, s->is_estimate, hw);
    s->ratio = r.ratio;
    s->ratio_low = r.low;
    s->ratio_high = r.high;
    s->ratio_why = r.why;
    s->is_distinguishable = r.is_distinguishable;
    for (int k = BEFORE; k <= AFTER; k++)
        s->host_rows[k] = roof_pair_of(k == BEFORE ? s->before_prediction : s->after_prediction).host_layers;
    if (s->host_rows[BEFORE] != s->host_rows[AFTER]) { /* of unlike parts there is no ratio */
        s->ratio = s->ratio_low = s->ratio_high = NAN;
        s->ratio_why = "one side leaves out other CPU layers than the other";
    }
}

static void sum_up(matcher *m)
{
    roof_model_diff *out = m->out;
    out->is_lowered = m->sides[BEFORE].program.is_lowered;
    for (int k = BEFORE; k <= AFTER; k++) {
        const roof_prediction *p = m->sides[k].p;
        for (uint32_t i = 0; i < m->sides[k].n; i++)
            out->n_layers[k] += p->layers[i].executor == ROOF_BY_ACCELERATOR && !p->layers[i].is_remainder;
        out->total[k] = (roof_diff_side){.macs = p->total.macs,
                                         .traffic = p->total.deployed.traffic,
                                         .ideal_cycles = p->total.deployed.ideal_cycles,
                                         .ideal_s = p->total.deployed.ideal_s,
                                         .time_s = !out->is_edit                      ? NAN
                                                   : !roof_answer_is_bound(out->kind) ? p->total.predicted_s
                                                                                      : roof_best_s(p)};
    }
    FOR_EACH(const roof_diff_row, s, out->items, out->n) {
        out->n_paired += s->pairing != ROOF_DIFF_UNPAIRED;
        const bool is_same =
            out->is_edit ? s->pairing != ROOF_DIFF_UNPAIRED && !s->reasons
                         : s->before.n == 1 && s->after.n == 1 && s->before.macs == s->after.macs &&
                               layer_of(&m->sides[BEFORE], &s->before)->executor == ROOF_BY_ACCELERATOR &&
                               layer_of(&m->sides[AFTER], &s->after)->executor == ROOF_BY_ACCELERATOR;
        out->n_same += is_same;
        out->n_unexplained += (s->reasons & ROOF_DIFF(UNEXPLAINED)) != 0;
        for (int reason = 0; reason < ROOF_DIFF_REASONS; reason++)
            out->reasons[reason] += s->reasons >> reason & 1;
    }
    if (out->is_edit)
        share_difference(out);
}

static roof_status join_edited(matcher *m)
{
    const diff_rows *before = &m->sides[BEFORE], *after = &m->sides[AFTER];
    TRY(edits_pair(m));
    for (uint32_t r = 0; r < before->n; r++)
        for (uint32_t i = 0; i < diff_ops(before, r); i++) {
            const uint32_t mate = m->mate[before->program.rows[r].work.demands[i].op];
            if (mate != ROOF_NONE && after->row_of[mate] != ROOF_NONE)
                join(m, r, after->row_of[mate], false);
        }
    return ROOF_OK;
}

static roof_status compare(matcher *m, const roof_model_diff_request *requested)
{
    roof_model_diff *out = m->out;
    const roof_predict_options options = {
        .explores = ROOF_EXPLORE_NOTHING, .no_steps = true, .names_operators = true};
    if (requested->before_graph->compiled && !requested->after_graph->compiled)
        return error_set(m->err, ROOF_E_USAGE,
                         "want the uncompiled graph first: '%.200s' is compiled, '%.200s' is not",
                         requested->before, requested->after);
    out->is_edit = requested->before_graph->compiled == requested->after_graph->compiled;
    TRY(roof_predict(requested->before_graph, requested->hw, &options, &out->before_prediction, m->err));
    TRY(roof_predict(requested->after_graph, requested->hw, &options, &out->after_prediction, m->err));
    const roof_pair before = roof_pair_of(out->before_prediction),
                    after = roof_pair_of(out->after_prediction);
    out->kind = roof_pairs_kind(&before, &after);
    m->sides[BEFORE].p = out->before_prediction;
    m->sides[AFTER].p = out->after_prediction;
    TRY(diff_rows_read(m, BEFORE, requested->before_graph, requested->hw));
    TRY(diff_rows_read(m, AFTER, requested->after_graph, requested->hw));
    const size_t n = (size_t)m->sides[BEFORE].n + m->sides[AFTER].n;
    TRY(sets_new(m->arena, (uint32_t)n, &m->sets, m->err));
    TRY(ARENA_GET2(m->arena, m->by_name, m->is_paired, n, m->err));
    if (out->is_edit) {
        TRY(join_edited(m));
    } else {
        TRY(join_by_names(m));
        TRY(join_by_keys(m, shape_key));
        TRY(join_by_keys(m, code_key));
        join_between(m);
        join_lost_rows(m);
        join_by_order(m);
    }
    TRY(collect(m));
    sum_up(m);
    if (out->is_edit)
        set_ratio(out, requested->hw);
    return arena_status(m->arena, m->err);
}

roof_status roof_model_diff_find(const roof_model_diff_request *requested, roof_model_diff **out,
                                 roof_error *err)
{
    matcher m = {.err = err};
    *out = NULL;
    m.out = NEW_ROOT(&m.arena, roof_model_diff, err);
    if (!m.out)
        return ROOF_E_NO_MEMORY;
    m.out->arena = m.arena;
    m.out->ratio = m.out->ratio_low = m.out->ratio_high = m.out->rest_s = NAN;
    m.out->before = arena_strdup(m.arena, requested->before);
    m.out->after = arena_strdup(m.arena, requested->after);
    const roof_status status = compare(&m, requested);
    return GIVE(status, out, m.out, roof_model_diff_free);
}

void roof_model_diff_free(roof_model_diff *diff)
{
    if (!diff)
        return;
    roof_prediction_free(diff->before_prediction);
    roof_prediction_free(diff->after_prediction);
    arena_free(diff->arena);
}
