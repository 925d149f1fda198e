/* One network before and after compiling: rows that belong together, and why they differ. */
#include "roofline/predictions.h"
#include "roofline/model_diff.h"
#include "core/arena.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/namemap.h"
#include "core/sets.h"
#include "measure/compare/diff_edits.h"
#include "measure/reconcile/match_names.h"
#include "model/edit/edit_ratio.h"
#include "model/work/cost.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

typedef struct matcher {
    roof_model_diff *out;
    diff_rows sides[2];
    uint32_t *sets;  /* of rows of both sides, those of the second behind the first: who belongs together */
    bool *by_name;   /* of each, likewise: paired by a name */
    bool *is_paired; /* by name or shape */
    uint32_t *mate;  /* of an edit: edits_pair */
    roof_arena *arena;
    roof_error *err;
} matcher;

enum { BEFORE, AFTER };

/* --- rows --------------------------------------------------------------------------------------------- */

/* "conv2d 1x112x112x32 10838016": rows of both sides that have one are alike. NULL: it computes nothing. */
static const char *shape_key(matcher *m, const diff_rows *s, uint32_t row)
{
    const roof_op *result = diff_result(s, row);
    if (!result)
        return NULL;
    const nhwc out = tensor_nhwc(&result->out);
    return arena_printf(m->arena, "%s %" PRIu64 "x%" PRIu64 "x%" PRIu64 " %" PRIu64,
                        roof_rule_text(diff_main(s, row)->rule), out.h, out.w, out.c, s->p->layers[row].macs);
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
    const char *shape = l->shape ? l->shape : "", *kernel = strstr(shape, " k");
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
    if (a->input_bytes == ROOF_UNKNOWN || b->input_bytes == ROOF_UNKNOWN || a->output_bytes == ROOF_UNKNOWN ||
        b->output_bytes == ROOF_UNKNOWN || a->weights_bytes == ROOF_UNKNOWN ||
        b->weights_bytes == ROOF_UNKNOWN)
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
    const uint64_t more = b->input_bytes > a->input_bytes ? b->input_bytes - a->input_bytes : 0;
    const uint64_t fewer = a->input_bytes > b->input_bytes ? a->input_bytes - b->input_bytes : 0;
    if (more)
        reasons |= more >= map || !a->input_bytes ? ROOF_DIFF(LOADED)
                   : skips                        ? ROOF_DIFF(SKIPPED)
                                                  : ROOF_DIFF(HALO);
    if (fewer)
        reasons |= fewer >= map || !b->input_bytes ? ROOF_DIFF(FOUND) : ROOF_DIFF(FEWER_ROWS);
    return reasons;
}

/* A row on one side alone. */
static uint32_t reason_alone(const matcher *m, const roof_diff_row *s)
{
    const int which = s->after.n ? AFTER : BEFORE;
    const roof_layer_prediction *l =
        &m->sides[which].p->layers[(s->after.n ? &s->after : &s->before)->rows[0]];
    return l->is_remainder                                 ? ROOF_DIFF(UNOWNED)
           : l->executor == ROOF_BY_NOBODY                 ? ROOF_DIFF(NAMES_MEMORY)
           : l->executor == ROOF_BY_HOST && which == AFTER ? ROOF_DIFF(HOST_ROW)
                                                           : ROOF_DIFF(UNEXPLAINED);
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
    if (!s->before.n || !s->after.n) {
        s->reasons = reason_alone(m, s);
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
    TRY(ARENA_GET(m->arena, ends, out->n, m->err));
    TRY(ARENA_GET(m->arena, before, out->n, m->err));
    TRY(ARENA_GET(m->arena, stays, out->n, m->err));
    for (uint32_t i = 0; i < out->n; i++) {
        if (out->items[i].pairing == ROOF_DIFF_UNPAIRED)
            continue;
        const uint32_t row = out->items[i].before.rows[0];
        uint32_t low = 0, high = n;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (out->items[ends[middle]].before.rows[0] < row)
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
    TRY(ARENA_GET(m->arena, item_of, n, m->err));
    TRY(ARENA_GET(m->arena, m->out->items, n, m->err));
    memset(item_of, -1, n * sizeof *item_of);   /* ROOF_NONE */
    for (uint32_t step = 0; step < n; step++) { /* those of the compiled file first */
        const uint32_t row = step < n - n_before ? n_before + step : step - (n - n_before);
        const uint32_t root = sets_root(m->sets, row);
        if (item_of[root] == ROOF_NONE)
            item_of[root] = m->out->n++;
        roof_diff_row *s = &m->out->items[item_of[root]];
        if (row >= n_before)
            TRY(add_row(m, AFTER, row - n_before, &s->after));
        else
            TRY(add_row(m, BEFORE, row, &s->before));
        if (s->before.n && s->after.n && s->pairing != ROOF_DIFF_BY_NAME)
            s->pairing = m->by_name[row] ? ROOF_DIFF_BY_NAME : ROOF_DIFF_BY_SHAPE;
    }
    FOR_EACH(roof_diff_row, item, m->out->items, m->out->n) {
        if (m->out->is_edit)
            item->reasons = edits_reasons(&m->sides[BEFORE], &m->sides[AFTER], m->mate, item);
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
        while (k < sizeof order / sizeof *order && !(item->reasons & (1U << order[k])))
            k++;
        if (k == sizeof order / sizeof *order)
            continue;
        s->changes[order[k]].n++;
        if (isnan(item->difference_s))
            s->changes[order[k]].n_unknown++;
        else {
            s->changes[order[k]].difference_s += item->difference_s;
            shared_s += item->difference_s;
        }
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
        if (out->is_edit
                ? s->pairing != ROOF_DIFF_UNPAIRED && !s->reasons
                : s->before.n == 1 && s->after.n == 1 && s->before.macs == s->after.macs &&
                      m->sides[BEFORE].p->layers[s->before.rows[0]].executor == ROOF_BY_ACCELERATOR &&
                      m->sides[AFTER].p->layers[s->after.rows[0]].executor == ROOF_BY_ACCELERATOR)
            out->n_same++;
        out->n_unexplained += (s->reasons & ROOF_DIFF(UNEXPLAINED)) != 0;
        for (int reason = 0; reason < ROOF_DIFF_REASONS; reason++)
            out->reasons[reason] += s->reasons >> reason & 1;
    }
    if (out->is_edit)
        share_difference(out);
}

static roof_status join_compiled(matcher *m)
{
    TRY(join_by_names(m));
    TRY(join_by_keys(m, shape_key));
    TRY(join_by_keys(m, code_key));
    join_between(m);
    join_lost_rows(m);
    join_by_order(m);
    return ROOF_OK;
}

static roof_status join_edited(matcher *m)
{
    const diff_rows *before = &m->sides[BEFORE], *after = &m->sides[AFTER];
    TRY(edits_pair(before, after, m->arena, &m->mate, m->err));
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
    TRY(diff_rows_read(requested->before_graph, requested->hw, m->arena, &m->sides[BEFORE], m->err));
    TRY(diff_rows_read(requested->after_graph, requested->hw, m->arena, &m->sides[AFTER], m->err));
    const size_t n = (size_t)m->sides[BEFORE].n + m->sides[AFTER].n;
    TRY(sets_new(m->arena, (uint32_t)n, &m->sets, m->err));
    TRY(ARENA_GET(m->arena, m->by_name, n, m->err));
    TRY(ARENA_GET(m->arena, m->is_paired, n, m->err));
    TRY(out->is_edit ? join_edited(m) : join_compiled(m));
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
