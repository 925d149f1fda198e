/* Rules offer edits, the most promising ones are made and predicted, what gains is ranked, and the best ones
 * are put together. */
#include "roofline/advise.h"
#include "model/explore/advise/edit_rule.h"
#include "model/graph/format.h"
#include "model/work/cost.h"
#include "roofline/memory.h"

#define EDIT_RULE(id, doc) extern const edit_rule edit_rule_##id;
#include "model/edit_rules.def"
#undef EDIT_RULE

static const struct {
    const edit_rule *rule;
    const char *id, *doc;
} rules[] = {
#define EDIT_RULE(id, doc) {&edit_rule_##id, #id, (doc)},
#include "model/edit_rules.def"
#undef EDIT_RULE
};

enum { N_RULES = N_OF(rules), MOST_REFUSALS = 16, MOST_COMBINED = 16 };

/* A combination has to gain more by at least this part of what the network takes, for each edit that changes
 * its function. */
#define LEAST_MORE 0.005
/* Less than this part of the time is rounding. */
#define NOTHING 1e-6

const char *roof_edit_rule_name(size_t i)
{
    return i < N_RULES ? rules[i].id : NULL;
}

const char *roof_edit_rule_doc(size_t i)
{
    return i < N_RULES ? rules[i].doc : NULL;
}

WORD_OF(roof_advice_metric_word, roof_advice_metric, metric, NULL, "time", "memory", "energy")

const char *roof_edit_kind_word(roof_edit_kind kind)
{
    static const char *const words[] = {
#define EDIT(name, word) word,
#include "roofline/edits.def"
#undef EDIT
    };
    return (unsigned)kind < ROOF_EDIT_KINDS ? words[kind] : NULL;
}

/* An edit that gains, the candidate that it was, and the part of the metric that it saves. */
typedef struct gainful {
    roof_advised edit;
    const edit_candidate *of;
    double gain;
} gainful;

typedef struct advisor {
    const roof_graph *graph;
    const roof_hw *hw;
    const roof_advice_options *options;
    roof_predict_options predict;
    roof_prediction *base;
    roof_advice *out;
    edit_search search;
    gainful *gainful; /* in the order of the edits of the advice, once they are ranked */
    roof_arena *arena, *scratch;
    roof_error *err;
} advisor;

/* ---- cost of a network --------------------------------------------------------------------------------- */

/* The pool that decides on the memory of an uncompiled graph: activations, as an accelerator has them where
 * the file states them. */
static uint64_t peak_of(const roof_graph *graph, roof_error *err)
{
    roof_memory *memory = NULL;
    uint64_t peak = ROOF_UNKNOWN;
    if (roof_memory_of(graph, NULL, &memory, err) != ROOF_OK)
        return ROOF_UNKNOWN;
    for (uint32_t i = 0; i < memory->n_pools; i++)
        if (memory->pools[i].kind != ROOF_MEMORY_CONSTANTS)
            peak = memory->pools[i].peak_bytes; /* the last of them: folded, 8 bits */
    roof_memory_free(memory);
    return peak;
}

static uint64_t parameters_of(const roof_graph *g, unsigned char *is_counted)
{
    uint64_t n = 0;
    memset(is_counted, 0, g->n_ops);
    FOR_EACH(const roof_op, op, g->ops, g->n_ops)
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs) {
            const bool is_parameter = edge->role == ROOF_ROLE_WEIGHTS || edge->role == ROOF_ROLE_BIAS;
            if (!is_parameter || is_counted[edge->op] || g->ops[edge->op].rule == ROOF_RULE_INPUT)
                continue;
            is_counted[edge->op] = 1;
            if (__builtin_add_overflow(n, g->ops[edge->op].out.elements, &n))
                return ROOF_UNKNOWN;
        }
    return n;
}

static roof_status cost_of(advisor *a, const roof_graph *graph, const roof_prediction *p,
                           roof_advice_cost *out)
{
    unsigned char *is_counted;
    roof_error err = {0};
    TRY(ARENA_GET(a->scratch, is_counted, graph->n_ops, a->err));
    *out = (roof_advice_cost){.time_s = roof_layer_seconds(p, NULL),
                              .bytes = roof_traffic_total(&p->total.deployed.traffic),
                              .macs = p->total.macs,
                              .ops_count = p->total.ops_count,
                              .parameters = parameters_of(graph, is_counted),
                              .rows = p->n_layers,
                              .host_rows = p->total.host_layers,
                              .host_about_s = p->host.about_s};
    out->memory_bytes = peak_of(graph, &err);
    if (err.status == ROOF_E_NO_MEMORY)
        return error_memory(a->err);
    if (graph == a->graph && out->memory_bytes == ROOF_UNKNOWN)
        a->out->why_no_memory = arena_strdup(
            a->arena, err.status != ROOF_OK ? err.what : "the file tells no lifetimes of its tensors");
    return arena_status(a->arena, a->err);
}

/* ---- effect of an edit --------------------------------------------------------------------------------- */

static int64_t saved(uint64_t before, uint64_t after)
{
    if (before == ROOF_UNKNOWN || after == ROOF_UNKNOWN || before > INT64_MAX || after > INT64_MAX)
        return INT64_MIN;
    return (int64_t)before - (int64_t)after;
}

/* Rows of the network before that are gone, or take something else. */
static roof_status count_rows(advisor *a, const roof_prediction *p, uint32_t *out)
{
    uint32_t n_nodes = 0, *row_of, n = 0;
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers)
        for (uint32_t k = 0; k < l->n_nodes; k++)
            n_nodes = l->nodes[k] >= n_nodes ? l->nodes[k] + 1 : n_nodes;
    TRY(ARENA_GET(a->scratch, row_of, n_nodes, a->err));
    memset(row_of, 0xff, n_nodes * sizeof *row_of);
    for (uint32_t i = 0; i < p->n_layers; i++)
        for (uint32_t k = 0; k < p->layers[i].n_nodes; k++)
            row_of[p->layers[i].nodes[k]] = i;
    FOR_EACH(const roof_layer_prediction, x, a->base->layers, a->base->n_layers) {
        const roof_layer_prediction *y = NULL;
        if (!x->n_nodes)
            continue;
        if (x->nodes[0] < n_nodes && row_of[x->nodes[0]] != ROOF_NONE)
            y = &p->layers[row_of[x->nodes[0]]];
        n += !y || x->macs != y->macs || x->n_nodes != y->n_nodes || x->executor != y->executor ||
             strcmp(x->shape, y->shape) != 0 ||
             roof_traffic_total(&x->deployed.traffic) != roof_traffic_total(&y->deployed.traffic);
    }
    *out = n;
    return ROOF_OK;
}

/* The value of the metric for a network. */
static double measure(const advisor *a, const roof_advice_cost *cost)
{
    if (a->out->metric == ROOF_ADVICE_TIME)
        return cost->time_s;
    return cost->memory_bytes == ROOF_UNKNOWN ? NAN : (double)cost->memory_bytes;
}

static double saved_ratio(const advisor *a, const roof_advice_cost *after)
{
    return 1 - measure(a, after) / measure(a, &a->out->base);
}

static roof_status judge(advisor *a, const roof_graph *graph, const roof_prediction *p, roof_advised *e)
{
    const roof_advice_cost *base = &a->out->base;
    TRY(cost_of(a, graph, p, &e->after));
    if (p->options.batch != a->base->options.batch) {
        /* costs of as many images as before, where several are done at once: all but live memory, which is
         * that of all of them */
        const uint32_t before = a->base->options.batch;
        const double part = (double)before / p->options.batch;
        e->after.time_s *= part;
        e->after.host_about_s *= part;
        e->after.bytes =
            e->after.bytes == ROOF_UNKNOWN ? ROOF_UNKNOWN : (uint64_t)ceil((double)e->after.bytes * part);
        e->after.macs = a->out->base.macs;
        e->after.ops_count = a->out->base.ops_count;
        if (e->after.memory_bytes != ROOF_UNKNOWN &&
            __builtin_mul_overflow(e->after.memory_bytes, p->options.batch / before, &e->after.memory_bytes))
            e->after.memory_bytes = ROOF_UNKNOWN;
    }
    TRY(count_rows(a, p, &e->n_rows));
    e->gain_s = base->time_s - e->after.time_s;
    e->saving_ratio = e->gain_s / base->time_s;
    e->bytes_saved = saved(base->bytes, e->after.bytes);
    e->memory_saved_bytes = saved(base->memory_bytes, e->after.memory_bytes);
    const edit_ratio r = edit_ratio_of(base->time_s, e->after.time_s, e->after.ops_count, a->out->kind,
                                       a->out->is_estimate, a->hw);
    e->ratio = r.ratio;
    e->ratio_low = r.low;
    e->ratio_high = r.high;
    e->interval_why = r.why;
    e->gain_low_s = base->time_s * (1 - 1 / r.low);
    e->gain_high_s = base->time_s * (1 - 1 / r.high);
    e->is_distinguishable = a->out->metric == ROOF_ADVICE_TIME ? e->saving_ratio >= ROOF_EDIT_LEAST_SAVING
                                                               : e->memory_saved_bytes > 0;
    return ROOF_OK;
}

/* ---- trying ---------------------------------------------------------------------------------------------*/

static roof_edit_step step_of(const advisor *a, const edit *what)
{
    const edit_search *s = &a->search;
    roof_edit_step step = {.kind = (roof_edit_kind)what->kind,
                           .op = "",
                           .type = "",
                           .node = ROOF_NONE,
                           .to = what->value,
                           .factor = NAN};
    if (what->op != ROOF_NONE) {
        const roof_op *op = &a->graph->ops[what->op];
        step.op = arena_strdup(a->arena, op->name);
        step.type = arena_strdup(a->arena, op->type);
        step.node = op->node;
    }
    uint32_t image, height;
    switch (what->kind) {
    case EDIT_CHANNELS:
        step.from = edit_channels(s, what->op);
        break;
    case EDIT_KERNEL:
        step.from = a->graph->ops[what->op].window.kernel_h;
        step.from_w = a->graph->ops[what->op].window.kernel_w;
        step.to_w = what->value;
        break;
    case EDIT_STRIDE:
        step.from = a->graph->ops[what->op].window.stride_h;
        break;
    case EDIT_GROUPS:
        step.from = edit_groups_of(s, what->op);
        break;
    case EDIT_INPUT:
        if (edit_image(a->graph, &image, &height) == NULL) {
            step.from = a->graph->ops[image].out.dims[height];
            step.from_w = a->graph->ops[image].out.dims[height + 1];
        }
        step.to_w = what->value_w;
        break;
    case EDIT_WIDTH:
        step.factor = what->factor;
        break;
    case EDIT_BATCH:
        step.from = a->base->options.batch;
        break;
    case EDIT_PADS: {
        const roof_window *pads = edit_zero_pads(a->graph, what->op);
        const int32_t each[] = {pads->pad_top, pads->pad_left, pads->pad_bottom, pads->pad_right};
        for (size_t i = 0; i < N_OF(each); i++)
            step.pads[i] = (uint32_t)each[i];
        break;
    }
    case EDIT_DROP: { /* to: of its maps the one that readers read then */
        const uint32_t undone = edit_undone(a->graph, what->op);
        step.from = undone == ROOF_NONE || a->graph->ops[undone].node == ROOF_NONE
                        ? 0
                        : a->graph->ops[undone].node + 1;
        break;
    }
    default: /* activations and pads have no numbers */
        step.to = 0;
    }
    return step;
}

static roof_status set_steps(advisor *a, const edit *edits, uint32_t n, roof_edit_step **steps)
{
    TRY(ARENA_GET(a->arena, *steps, n, a->err));
    for (uint32_t i = 0; i < n; i++)
        (*steps)[i] = step_of(a, &edits[i]);
    return arena_status(a->arena, a->err);
}

/* The edited network and its prediction. is_possible: false where it cannot be edited so, and why says
 * that. */
static roof_status edit_and_judge(advisor *a, const edit *edits, uint32_t n, roof_advised *e,
                                  bool *is_possible, roof_error *why)
{
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_predict_options options = a->predict;
    for (uint32_t i = 0; i < n; i++)
        options.batch = edits[i].kind == EDIT_BATCH ? edits[i].value : options.batch;
    roof_status status = edit_graph(a->graph, edits, n, &graph, why);
    THEN(status, roof_predict(graph, a->hw, &options, &p, why));
    *is_possible = status == ROOF_OK;
    if (status == ROOF_E_NO_MEMORY)
        status = error_memory(a->err);
    else
        status = *is_possible ? judge(a, graph, p, e) : ROOF_OK;
    roof_prediction_free(p);
    roof_graph_free(graph);
    return status;
}

static roof_status try_one(advisor *a, const edit_candidate *c)
{
    roof_advice *out = a->out;
    roof_advised e = {.rule = c->rule_id,
                      .n_steps = c->n,
                      .keeps_function = c->rule->keeps_function,
                      .is_of_whole = c->rule->is_of_whole,
                      .evidence = c->rule->evidence};
    roof_error why = {0};
    bool is_possible;
    out->n_tried++;
    TRY(edit_and_judge(a, c->edits, c->n, &e, &is_possible, &why));
    if (!is_possible) {
        out->n_refused++;
        if (out->n_refusals == MOST_REFUSALS)
            return ROOF_OK;
        roof_advice_refusal refusal = {
            .rule = c->rule_id, .n_steps = c->n, .why = arena_strdup(a->arena, why.what)};
        TRY(set_steps(a, c->edits, c->n, &refusal.steps));
        return ARENA_ADD(a->arena, out->refusals, out->n_refusals, a->err, refusal);
    }
    /* an edit is worth a line that gains, or spares the host, or costs nothing */
    const double ratio = saved_ratio(a, &e.after);
    const bool is_no_slower = ratio > -NOTHING && e.saving_ratio > -NOTHING,
               is_spared = e.keeps_function || e.after.host_rows < out->base.host_rows;
    if (!(ratio > NOTHING || (is_no_slower && is_spared))) {
        out->n_without_gain++;
        return ROOF_OK;
    }
    TRY(set_steps(a, c->edits, c->n, &e.steps));
    return ARENA_ADD(a->scratch, a->gainful, out->n_edits, a->err, (gainful){e, c, ratio});
}

static roof_status try_all(advisor *a)
{
    const edit_search *s = &a->search;
    roof_advice *out = a->out;
    const edit_candidate **order;
    uint32_t n = 0;
    const double least = ROOF_ADVICE_LEAST_SHARE * out->base.time_s;
    TRY(ARENA_GET(a->scratch, order, s->n, a->err));
    for (uint32_t i = 0; i < s->n; i++)
        if (s->candidates[i].is_certain || s->candidates[i].is_on_host || s->candidates[i].promise >= least)
            order[n++] = &s->candidates[i];
    out->n_candidates = s->n;
    out->n_slight = s->n - n;
    /* Largest possible saving first; before these, edits that touch the host, whose time is unknown. */
    order_pointers(order, n, ORDER_BY(FALLING(edit_candidate, is_on_host), FALLING(edit_candidate, promise)));
    for (uint32_t i = 0; i < n && i < out->most_tried; i++)
        TRY(try_one(a, order[i]));
    out->n_over = n > out->most_tried ? n - out->most_tried : 0;
    return ROOF_OK;
}

/* ---- ranking and combining ----------------------------------------------------------------------------- */

static roof_status rank(advisor *a)
{
    roof_advice *out = a->out;
    TRY(ARENA_GET(a->arena, out->edits, out->n_edits, a->err));
    /* Among equal gains the edit that keeps the outputs, then the one that changes less, comes first. */
    order_sort(a->gainful, out->n_edits, sizeof *a->gainful,
               ORDER_BY(FALLING(gainful, edit.is_distinguishable), FALLING(gainful, gain),
                        FALLING(gainful, edit.keeps_function), RISING(gainful, edit.n_steps)));
    for (uint32_t i = 0; i < out->n_edits; i++) {
        out->edits[i] = a->gainful[i].edit;
        out->n_distinguishable += out->edits[i].is_distinguishable;
    }
    return ROOF_OK;
}

/* True if it changes an operator that is changed already, in the same way. */
static bool repeats(const edit *edits, uint32_t n, const edit_candidate *c)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < c->n; k++)
            if (edits[i].op == c->edits[k].op)
                return true;
    return false;
}

typedef struct pile {
    edit *edits;
    uint32_t n;
    roof_advised whole;
    double gain;
} pile;

/* With the edit on top, where the whole then gains more. */
static roof_status pile_up(advisor *a, pile *all, uint32_t i)
{
    const edit_candidate *c = a->gainful[i].of;
    roof_advised e = {0};
    roof_error why = {0};
    bool is_possible;
    memcpy(all->edits + all->n, c->edits, c->n * sizeof *c->edits);
    TRY(edit_and_judge(a, all->edits, all->n + c->n, &e, &is_possible, &why));
    const double gain = is_possible ? saved_ratio(a, &e.after) : (double)NAN;
    const bool spares_host = is_possible && e.after.host_rows < all->whole.after.host_rows;
    const double least = c->rule->keeps_function ? NOTHING : LEAST_MORE;
    if (!(gain >= all->gain + least) && !(spares_host && gain >= all->gain - NOTHING))
        return ROOF_OK;
    e.rule = !all->n ? c->rule_id
             : strstr(all->whole.rule, c->rule_id)
                 ? all->whole.rule
                 : arena_printf(a->arena, "%s + %s", all->whole.rule, c->rule_id);
    e.keeps_function = (!all->n || all->whole.keeps_function) && c->rule->keeps_function;
    e.is_combined = true;
    e.evidence = "none of the whole";
    all->whole = e;
    all->gain = gain;
    all->n += c->n;
    a->out->edits[i].is_combined = true;
    a->out->combined[a->out->n_combined++] = i;
    return arena_status(a->arena, a->err);
}

static roof_status combine(advisor *a)
{
    roof_advice *out = a->out;
    pile all = {.whole.after = out->base};
    uint32_t most = 0;
    for (uint32_t i = 0; i < out->n_edits; i++)
        most += a->gainful[i].of->n;
    TRY(ARENA_GET(a->scratch, all.edits, most, a->err));
    TRY(ARENA_GET(a->arena, out->combined, MOST_COMBINED, a->err));
    for (uint32_t i = 0, n_tried = 0; i < out->n_edits && n_tried < out->most_tried; i++) {
        if (out->n_combined == MOST_COMBINED)
            break;
        const roof_advised *e = &out->edits[i];
        const bool is_sure =
            e->is_distinguishable || e->keeps_function || e->after.host_rows < out->base.host_rows;
        if (e->is_of_whole || !is_sure || repeats(all.edits, all.n, a->gainful[i].of))
            continue;
        n_tried++;
        TRY(pile_up(a, &all, i));
    }
    if (!all.n)
        return ROOF_OK;
    out->combination = all.whole;
    out->combination.n_steps = all.n;
    return set_steps(a, all.edits, all.n, &out->combination.steps);
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static roof_status find_places(advisor *a)
{
    const roof_graph *g = a->graph;
    edit_place *places;
    edit_facts facts;
    uint32_t *last, n_nodes = 0, *row_of;
    TRY(ARENA_GET2(a->scratch, places, last, g->n_ops, a->err));
    TRY(edit_facts_of(g, a->scratch, &facts, a->err));
    FOR_EACH(const roof_op, op, g->ops, g->n_ops)
        n_nodes = op->node != ROOF_NONE && op->node >= n_nodes ? op->node + 1 : n_nodes;
    TRY(ARENA_GET(a->scratch, row_of, n_nodes, a->err));
    memset(row_of, 0xff, n_nodes * sizeof *row_of);
    for (uint32_t i = 0; i < a->base->n_layers; i++)
        for (uint32_t k = 0; k < a->base->layers[i].n_nodes; k++)
            if (a->base->layers[i].nodes[k] < n_nodes && row_of[a->base->layers[i].nodes[k]] == ROOF_NONE)
                row_of[a->base->layers[i].nodes[k]] = i;
    for (uint32_t k = 0; k < g->n_ops; k++) {
        const uint32_t i = facts.order[k];
        const roof_op *op = &g->ops[i];
        FOR_EACH(const roof_edge, edge, op_edges(g, op), op->n_inputs) {
            places[edge->op].n_readers++;
            places[edge->op].reader = i;
        }
        places[i].row = op->node == ROOF_NONE ? ROOF_NONE : row_of[op->node];
    }
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const uint32_t set = places[i].set = facts.sets[i];
        places[i].next = ROOF_NONE;
        if (set != ROOF_NONE && set != i)
            places[last[set]].next = i;
        if (set != ROOF_NONE)
            last[set] = i;
    }
    a->search.places = places;
    a->search.is_constant = facts.is_constant;
    return ROOF_OK;
}

static roof_status search(advisor *a)
{
    edit_search *s = &a->search;
    TRY(find_places(a));
    TRY(ARENA_GET(a->scratch, s->seen, a->base->n_layers, a->err));
    TRY(ARENA_GET(a->scratch, s->offered, a->graph->n_ops, a->err));
    for (size_t i = 0; i < N_RULES; i++) {
        s->rule = rules[i].rule;
        s->rule_id = rules[i].id;
        const char *const *requested = a->options->rules;
        while (requested && *requested && strcmp(*requested, rules[i].id) != 0)
            requested++;
        if (!requested || *requested)
            TRY(s->rule->find(s));
    }
    return arena_status(a->scratch, a->err);
}

static roof_status check_metric(const advisor *a)
{
    if (a->out->metric == ROOF_ADVICE_ENERGY)
        return error_set(
            a->err, ROOF_E_UNSUPPORTED,
            "no device description states the energy of an operation and of a byte, so that of an "
            "edited network cannot be predicted; time and memory can, and `roofline import "
            "--power` adds what a meter measured");
    if (a->out->metric == ROOF_ADVICE_MEMORY && a->out->base.memory_bytes == ROOF_UNKNOWN)
        return error_set(a->err, ROOF_E_UNSUPPORTED, "the peak of its memory is unknown: %.300s",
                         a->out->why_no_memory);
    if (!(a->out->base.time_s > 0))
        return error_set(a->err, ROOF_E_UNSUPPORTED,
                         "its time on this hardware is unknown; `roofline predict` says why");
    return ROOF_OK;
}

static roof_status advise(advisor *a)
{
    static const roof_predict_options defaults;
    roof_advice *out = a->out;
    for (const char *const *requested = a->options->rules; requested && *requested; requested++)
        if (!NAMED(rules, N_RULES, id, *requested))
            return error_set(a->err, ROOF_E_USAGE,
                             "no rule '%.40s' that finds edits; `roofline formats` lists them", *requested);
    TRY(edit_check(a->graph, a->err));
    a->predict = a->options->predict ? *a->options->predict : defaults;
    a->predict.explores = ROOF_EXPLORE_NOTHING;
    a->predict.hash = false;
    a->predict.no_steps = a->predict.names_operators = true;
    TRY(roof_predict(a->graph, a->hw, &a->predict, &a->base, a->err));
    out->path = arena_strdup(a->arena, a->graph->path);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was predicted */
    out->model = arena_strdup(a->arena, a->base->model.name);
    out->format = arena_strdup(a->arena, a->graph->format);
    out->hardware = arena_strdup(a->arena, a->base->hardware.name);
    out->metric = a->options->metric;
    out->most_tried = a->options->most_tried ? a->options->most_tried : ROOF_ADVICE_MOST_TRIED;
    out->kind = roof_rows_kind(a->base);
    out->is_estimate = roof_answer_is_bound(out->kind) && a->base->estimate_of;
    out->busy_cores = roof_answer_is_bound(out->kind) ? 0 : a->base->total.busy_cores;
    TRY(cost_of(a, a->graph, a->base, &out->base));
    TRY(check_metric(a));
    a->search = (edit_search){.graph = a->graph,
                              .base = a->base,
                              .hw = a->hw,
                              .by_memory = out->metric == ROOF_ADVICE_MEMORY,
                              .arena = a->scratch,
                              .err = a->err};
    TRY(search(a));
    TRY(try_all(a));
    TRY(rank(a));
    TRY(combine(a));
    return arena_status(a->arena, a->err);
}

roof_status roof_advice_find(const roof_graph *graph, const roof_hw *hw, const roof_advice_options *options,
                             roof_advice **out, roof_error *err)
{
    static const roof_advice_options defaults;
    roof_arena *arena = arena_new(0), *scratch = arena_new(0);
    advisor a = {.graph = graph,
                 .hw = hw,
                 .options = options ? options : &defaults,
                 .out = arena && scratch ? NEW(arena, roof_advice) : NULL,
                 .arena = arena,
                 .scratch = scratch,
                 .err = err};
    *out = NULL;
    roof_status status = a.out ? advise(&a) : error_memory(err);
    roof_prediction_free(a.base);
    arena_free(scratch);
    if (a.out)
        a.out->arena = arena;
    status = arena_settle(arena, status, err);
    *out = status == ROOF_OK ? a.out : NULL;
    return status;
}

ARENA_FREES(roof_advice_free, roof_advice, advice)
