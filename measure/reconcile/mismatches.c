/* Mismatches that would make every comparison false: another model, times in another unit. Then nothing is
 * compared with the ideal, and the reader is told first. Other hardware than the document states is what the
 * reader requested: it is compared, and told first as well. */
#include "measure/import/tools.h"
#include "measure/profile/phases.h"
#include "measure/reconcile/steps.h"
#include "model/documents/documents.h"

#include <strings.h>

/* Measured times are within some tens of one another. A small network takes 100 to 1500 times its ideal where
 * host, copies and calls are in its time (14 ms of MobileNet-V3 on a phone: 1486), but those add less than a
 * second: beyond that, and within a tenth of a power of a thousand, the unit is doubted. */
#define UNITS_HIGH    300.0
#define IDEAL_HIGH    900.0
#define UNITS_LOW     0.05
#define NEAR_POWER    0.1
#define MOST_AROUND_S 1.0

static const char an_ideal[] = "ideal_s";

/* --- other hardware ------------------------------------------------------------------------------------- */

void mismatch_hardware(reconciler *r, roof_reconciled *e)
{
    const roof_prediction *p = e->prediction;
    if (!p)
        return;
    bool may_differ = e->stated_hardware_id && strcasecmp(e->stated_hardware_id, p->hardware.id) != 0;
    roof_hw *stated = may_differ ? reconciler_hardware(r, e->stated_hardware_id) : NULL;
    roof_hw *requested = stated ? reconciler_hardware(r, p->hardware.id) : NULL;
    bool is_device = experiment_is_of_other_device(e);
    if (is_device || (requested && roof_hw_is_other(stated, requested))) {
        const char *name = is_device ? e->device : arena_strdup(r->arena, roof_hw_name(stated));
        if (name)
            e->other_hardware =
                reconcile_find_kept(r, e, REMARK(OTHER_HARDWARE, AS_TEXT(name), AS_TEXT(p->hardware.name)));
    }
    roof_hw_free(stated);
    roof_hw_free(requested);
}

/* --- times in another unit ---------------------------------------------------------------------------- */

/* Two times of which one is not hundreds of times the other. */
typedef struct pair {
    const char *a, *b; /* as documents call them */
    double a_s, b_s;
    double more_s; /* b may be larger by this: what a board takes for empty launches is in no ideal */
    bool may_be_more, may_be_less; /* a than b, by any factor: a host may be slow, and rows a selection */
    bool
        may_be_host; /* a has all that is around the accelerator's work, and no other time of it is shorter */
} pair;

static void keep_reason(reconciler *r, roof_reconciled *e, roof_remark why)
{
    const roof_remark *kept = reconcile_find_kept(r, e, why);
    e->not_compared = e->not_compared ? e->not_compared : kept; /* the first one */
}

static void check_pair(reconciler *r, roof_reconciled *e, const pair *p)
{
    double ratio = p->a_s / p->b_s, above = p->a_s / (p->b_s + (p->more_s > 0 ? p->more_s : 0));
    bool of_ideal = p->b == an_ideal, is_less = ratio <= UNITS_LOW && !p->may_be_less;
    bool is_more = above >= (of_ideal ? IDEAL_HIGH : UNITS_HIGH) && !p->may_be_more;
    if (!isfinite(ratio) || !(ratio > 0) || !(is_less || is_more))
        return;
    /* the power of a thousand, one to three, that makes the ratio plausible; below 0 for times that are too
     * small */
    double power = ratio > 1 ? floor((log10(ratio) + 0.5) / 3) : ceil(-log10(ratio) / 3);
    if (p->may_be_host && is_more && fabs(above / pow(1000, round(log10(above) / 3)) - 1) > NEAR_POWER &&
        p->a_s - p->b_s < MOST_AROUND_S)
        return;
    int thousands = power < 1.5 ? 1 : power < 2.5 ? 2 : 3;
    roof_remark remark =
        REMARK(UNIT_OF_PAIR, AS_MEMBER(p->a), AS_SECONDS(p->a_s), AS("times", ratio), AS_MEMBER(p->b),
               AS_SECONDS(p->b_s), AS("thousands", ratio > 1 ? thousands : -thousands));
    if (of_ideal)
        remark.form = ROOF_FORM_UNIT_OF_IDEAL;
    e->has_doubtful_times = true;
    keep_reason(r, e, remark);
}

void mismatch_times(reconciler *r, roof_reconciled *e)
{
    const roof_prediction *p = e->prediction;
    const roof_run *layers = e->per_layer && e->per_layer->n_layers ? e->per_layer : e->bypass;
    double stated = e->per_layer ? e->per_layer->sum_of_layers_s : NAN, rows = NAN;
    for (uint32_t k = 0; layers && k < layers->n_layers; k++)
        rows = add_if_known(rows, row_inference_s(layers, &layers->layers[k]));
    double sum = isnan(stated) ? rows : stated;
    /* where rows are not those of all layers, their sum cannot be too small */
    bool lists_all = layers &&
                     (layers->boundaries == ROOF_NONE || run_executions(layers) >= layers->boundaries) &&
                     (!p || layers->n_layers >= p->total.boundaries);
    bool is_part = isnan(stated) && !lists_all;
    double total = e->per_layer ? times_typical(&e->per_layer->total) : NAN;
    double launch_s = p ? p->hardware.launch_floor_s : NAN;
    double bypass = e->bypass ? times_typical(&e->bypass->total) : NAN;
    /* the limit of another device says nothing of units */
    const bool has_ideal = p && !e->other_hardware;
    const pair pairs[] = {
        {"bypass_s", an_ideal, bypass, has_ideal ? p->total.deployed.ideal_s : NAN, .more_s = launch_s,
         .may_be_host = !(fmin(sum, total) * UNITS_HIGH < bypass)},
        {"sum_of_layers_s", an_ideal, sum, has_ideal ? experiment_layer_bound_s(e) : NAN,
         .more_s = launch_s * (layers ? run_executions(layers) : 1), .may_be_less = is_part},
        {"per_layer_s", "bypass_s", total, bypass, .more_s = 0},
        {"sum_of_layers_s", "bypass_s", e->per_layer ? sum : NAN, bypass, .may_be_less = true},
        {"per_layer_s", "sum_of_layers_s", total, sum, .may_be_more = is_part},
        {"stated_sum_of_layers_s", "listed_s", stated, rows, .may_be_more = true}};
    for (size_t k = 0; k < N_OF(pairs); k++)
        check_pair(r, e, &pairs[k]);
    if (e->has_doubtful_times)
        e->prediction = NULL;
}

/* --- layers that are not the accelerator's time ------------------------------------------------------- */

/* An inference of the whole-network run shows how long the accelerator worked. Layers counted in its cycles
 * take that long, unless another clock made them times, or some are missing. */
void mismatch_layers(reconciler *r, roof_reconciled *e)
{
    static const double most_ratio = 1.05;
    /* the clock at which all rows were counted, in whose cycles and nothing else their times are */
    const roof_run *run = e->per_layer;
    bool is_counted = run && run->n_clocks == 1 && run->n_layers > 0;
    for (uint32_t k = 0; is_counted && k < run->n_layers; k++) {
        const roof_layer_counters *c = run->layers[k].counters;
        is_counted = c && c->n_cycles == 1 && c->cycles_kind == ROOF_CYCLES_ELAPSED &&
                     strcmp(c->cycles->domain, run->clocks->domain) == 0;
    }
    double hz = is_counted ? run->clocks->hz : NAN, sum_s = e->total.sum_of_layers_s;
    double works_s = e->bypass ? phases_sum(e->bypass).of_s[ROOF_PHASE_ACCELERATOR] : NAN;
    double ratio = sum_s / works_s;
    if (e->not_compared || e->prediction || !isfinite(ratio * hz) ||
        (ratio <= most_ratio && ratio * most_ratio >= 1))
        return;
    keep_reason(r, e,
                ratio > 1 ? REMARK(COUNTED_CLOCK, AS_SECONDS(sum_s), AS("Hz", hz), AS_SECONDS(works_s),
                                   AS("Hz", hz * ratio), AS("", ratio))
                          : REMARK(CUT_LOG, AS_SECONDS(sum_s), AS_SECONDS(works_s), AS("Hz", hz),
                                   AS("Hz", hz * ratio)));
    e->has_doubtful_rows = true;
    e->total.inflation_ratio = NAN;
}

/* --- another model ------------------------------------------------------------------------------------ */

static bool is_like(double a, double b)
{
    static const double rounded_ops = 1e7; /* a tool prints hundredths of a GOP */
    /* Tools count work differently by some tenths: bias, activations, pooling. */
    static const double like_work_ratio = 0.75;
    return fmin(a, b) >= like_work_ratio * fmax(a, b) || fabs(a - b) <= rounded_ops;
}

/* Whole subgraphs of the accelerator, as a whole-network run states them. */
typedef struct whole_run {
    double ops;       /* of one inference; NaN: no row states it */
    uint32_t lacking; /* rows without a workload */
    uint32_t n_named; /* rows called "subgraph_..." */
    uint32_t unknown; /* those of them that no layer and no subgraph has */
    const char *name; /* of the first one that is unknown */
    bool is_matched;  /* some row has a layer by its name */
} whole_run;

static bool is_subgraph(const roof_prediction *p, const char *name)
{
    const char *last = NULL;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const char *subgraph = p->layers[i].subgraph;
        if (subgraph && subgraph != last && strcmp(subgraph, name) == 0)
            return true;
        last = subgraph;
    }
    return false;
}

static whole_run whole_run_of(const roof_run *run, const roof_prediction *p, const row_matching *m)
{
    static const char prefix[] = "subgraph_";
    whole_run w = {.ops = NAN};
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        double ops = row->counters ? known_count(row->counters->workload_ops) : NAN;
        bool is_named = row->name && strncmp(row->name, prefix, strlen(prefix)) == 0;
        bool is_known = m->how[i] < ROOF_MATCH_ORDER_AND_WORK || (is_named && is_subgraph(p, row->name));
        const char *device = row->counters ? row->counters->device : NULL;
        if (device && executor_of_device(device) == ROOF_BY_HOST)
            continue;
        w.lacking += !(ops > 0);
        w.ops = add_if_known(w.ops, ops > 0 ? ops * row_executions(row) : (double)NAN);
        w.n_named += is_named;
        w.unknown += is_named && !is_known;
        w.name = w.name || !is_named || is_known ? w.name : row->name;
        w.is_matched = w.is_matched || is_known;
    }
    return w;
}

/* True if the work may be the model's: as the file counts it or as we do, of one image or of a batch. Where a
 * name fits as well, a multiply-accumulate may count as one operation. */
static bool is_work_of(const whole_run *w, const roof_run *run, const roof_prediction *p)
{
    const double counts[] = {known_count(p->total.stored_workload_ops), known_count(p->total.workload_ops),
                             known_count(p->total.ops_count)};
    const double images[] = {1, run->batch == ROOF_NONE ? 1 : run->batch, p->hardware.batch_lanes,
                             p->options.batch};
    for (size_t i = 0; i < N_OF(counts); i++)
        for (size_t k = 0; k < N_OF(images); k++) {
            double model = counts[i] * images[k];
            bool is_like_it = is_like(w->ops, model) || (w->is_matched && is_like(2 * w->ops, model));
            if (model > 0 && (is_like_it || (w->lacking && w->ops < model)))
                return true;
        }
    return false;
}

/* Rows of a whole-network run are whole subgraphs: compares their work, their names and their number. */
static void check_subgraphs(reconciler *r, roof_reconciled *e, const row_matching *m)
{
    const roof_prediction *p = e->prediction;
    const whole_run w = whole_run_of(e->layer_run, p, m);
    const char *first = "", *last = "";
    uint32_t subgraphs = 0;
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        if (!layer_is_accelerated(l) || !l->subgraph || !*l->subgraph || strcmp(l->subgraph, last) == 0)
            continue;
        last = l->subgraph;
        first = subgraphs++ ? first : last;
    }
    double stored = known_count(p->total.stored_workload_ops), counted = known_count(p->total.workload_ops);
    double model_ops = stored > 0 ? stored : counted > 0 ? counted : known_count(p->total.ops_count);
    roof_remark why = {.form = ROOF_FORM_NONE};
    if (w.ops > 0 && model_ops > 0) {
        if (!is_work_of(&w, e->layer_run, p))
            why = REMARK(OTHER_WORKLOAD, AS("ops", w.ops), AS("ops", model_ops));
    } else if (w.unknown && subgraphs && w.n_named > subgraphs) {
        why = REMARK(MORE_SUBGRAPHS, AS_COUNT(w.n_named), AS_COUNT(subgraphs));
    } else if (w.unknown && subgraphs && w.unknown == w.n_named) {
        why = REMARK(OTHER_SUBGRAPH, AS_TEXT(w.name), AS_TEXT(first));
    }
    if (why.form == ROOF_FORM_NONE)
        return;
    e->prediction = NULL;
    keep_reason(r, e, why);
}

bool mismatch_kernels(const roof_measured *m)
{
    bool are = false; /* a meter may be beside the tool */
    for (uint32_t i = 0; i < m->n_sources && !are; i++) {
        tool_words words = {.names_kernels = false};
        are = m->sources[i].tool && tool_words_of(m->sources[i].tool, &words) && words.names_kernels;
    }
    return are;
}

void mismatch_model(reconciler *r, roof_reconciled *e, const row_matching *m)
{
    uint32_t rows = 0, matched = 0; /* rows that stand for themselves, and those of them that have a layer */
    double rows_s = 0, matched_s = 0;
    for (uint32_t k = 0; k < m->n_rows; k++)
        if (m->how[k] == ROOF_MATCH_MAP) /* somebody who knows says that they belong together */
            return;
    if (e->prediction && e->layer_run && e->layer_run == e->bypass)
        check_subgraphs(r, e, m);
    if (!e->prediction || !e->per_layer || e->layer_run != e->per_layer)
        return;
    for (uint32_t k = 0; k < m->n_rows; k++) {
        double seconds = row_inference_s(e->layer_run, &e->layer_run->layers[k]);
        bool has_layer = m->layer_of_row[k] != ROOF_NONE;
        if (m->repeated[k])
            continue;
        rows++;
        rows_s = add_if_known(rows_s, seconds);
        matched += has_layer;
        matched_s = add_if_known(matched_s, has_layer ? seconds : 0);
    }
    bool few = 2 * (uint64_t)matched < rows && 2 * matched_s <= rows_s;
    roof_remark remark = REMARK(FEW_ROWS_MATCH, AS_COUNT(matched), AS_COUNT(rows));
    if (!few)
        return;
    if (!matched && r->rows_are_kernels) {
        TELL(r, e, NULL, KERNELS_MATCH_NOT, AS_COUNT(rows));
        return;
    }
    if (matched < 2)
        remark.form = matched ? ROOF_FORM_ONE_ROW_MATCHES : ROOF_FORM_ROWS_MATCH_NOT;
    e->prediction = NULL;
    keep_reason(r, e, remark);
}
