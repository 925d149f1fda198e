/* Findings about the order of samples. A slow run slows its rows as well: there is one finding of each kind,
 * of the run if its samples show it, else of the row that it costs most; other rows have a note. */
#include "measure/reconcile/steps.h"
#include "measure/profile/profile.h"
#include "roofline/statistics.h"

static const char of_bypass[] = "the whole-network run", of_layers[] = "the per-layer run";

/* A series as findings tell it: a warm-up, and what is behind it. */
enum { WARM_UP = ROOF_SERIES_STEADY, SERIES_FACTS = ROOF_SERIES_KINDS };

/* Facts of a row's series; rare slow samples of a row are outliers, which match_findings tells. */
enum { ROW_FACTS = ROOF_SERIES_PAUSES };
static const roof_finding_kind kinds[ROW_FACTS] = {[WARM_UP] = ROOF_FINDING_WARM_UP,
                                                   [ROOF_SERIES_TREND] = ROOF_FINDING_DRIFT,
                                                   [ROOF_SERIES_STEP] = ROOF_FINDING_CHANGED,
                                                   [ROOF_SERIES_MODES] = ROOF_FINDING_TWO_SPEEDS};

/* The row that shows something most: by the time of one inference that differs. */
typedef struct costliest_row {
    roof_match *match; /* NULL: none shows it */
    roof_series series;
    double cost_s;
    uint32_t rows; /* that show it */
} costliest_row;

static bool series_shows(const roof_series *s, int fact)
{
    return fact == WARM_UP ? s->warm_up > 0 : (int)s->kind == fact;
}

static roof_remark remark_of(const roof_series *s, int fact, const roof_times *t, const char *whose)
{
    const roof_operand all = AS_COUNT(t->count), of = AS_TEXT(whose);
    double change = quotient_of(s->second, s->first) - 1;
    switch (fact) {
    case ROOF_SERIES_TREND:
        return REMARK(DRIFT, all, of, AS_TEXT(change > 0 ? "slower" : "faster"), AS_SECONDS(s->first),
                      AS_SECONDS(s->second), AS_RATIO(change));
    case ROOF_SERIES_STEP:
        return REMARK(CHANGED, AS_COUNT(s->at + 1), all, of, AS_SECONDS(s->second), AS_SECONDS(s->first),
                      AS_RATIO(change));
    case ROOF_SERIES_MODES:
        return REMARK(TWO_SPEEDS, AS_COUNT(s->at), all, of, AS_SECONDS(s->second), AS_SECONDS(s->first),
                      AS_SECONDS(s->rest_mean));
    case ROOF_SERIES_PAUSES:
    case ROOF_SERIES_INTERRUPTED:
        return (roof_remark){fact == ROOF_SERIES_PAUSES ? ROOF_FORM_RUN_PAUSES : ROOF_FORM_RUN_INTERRUPTED,
                             {AS_COUNT(s->at), all, of, AS_SECONDS(s->second), AS_SECONDS(s->first),
                              AS_RATIO(1 - quotient_of(s->first, s->rest_mean))}};
    default:
        return REMARK(WARM_UP, AS_COUNT(s->warm_up), all, of, AS_SECONDS(s->warm_up_mean),
                      AS_SECONDS(s->rest_mean), AS_RATIO(quotient_of(t->mean_s, s->rest_mean) - 1));
    }
}

/* False without samples. */
static bool classify(reconciler *r, const roof_times *t, roof_series *out)
{
    return t->samples_s && reconciler_did(r, roof_series_of(t->samples_s, (size_t)t->count, out, r->err));
}

/* --- runs --------------------------------------------------------------------------------------------- */

/* found: the facts that it shows are marked. */
static void note_run(reconciler *r, const roof_reconciled *e, const roof_run *run, const char *whose,
                     bool found[SERIES_FACTS])
{
    roof_series s;
    bool any = false;
    if (!run || !classify(r, &run->total, &s))
        return;
    for (int k = 0; k < SERIES_FACTS; k++) {
        found[k] = series_shows(&s, k);
        any = any || found[k];
        if (found[k])
            reconcile_find(r, e, NULL, remark_of(&s, k, &run->total, whose));
    }
    if (any)
        return;
    /* A large deviation that the order does not explain. */
    roof_statistics t;
    if (!reconciler_did(r, roof_statistics_of(run->total.samples_s, (size_t)run->total.count, &t, r->err)) ||
        !(t.cov_ratio > ROOF_HIGH_COV_RATIO))
        return;
    if (t.outliers && t.cov_without_outliers_ratio <= ROOF_HIGH_COV_RATIO)
        TELL(r, e, NULL, RUN_OUTLIERS, AS_COUNT(t.outliers), AS_COUNT(t.count), AS_TEXT(whose),
             AS_RATIO(t.outlier_variance_ratio), AS_RATIO(t.cov_without_outliers_ratio),
             AS_RATIO(t.cov_ratio));
    else
        TELL(r, e, NULL, RUN_COV, AS_COUNT(t.count), AS_TEXT(whose), AS_RATIO(t.cov_ratio));
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void mark_row(reconciler *r, const roof_reconciled *e, roof_match *u, costliest_row most[ROW_FACTS])
{
    const roof_measured_layer *row = match_row(e, u, 0);
    roof_series s;
    if (!classify(r, &row->time, &s))
        return;
    for (int k = 0; k < ROW_FACTS; k++) {
        double differs_s = k == WARM_UP ? s.warm_up_mean - s.rest_mean : fabs(s.second - s.first);
        double cost_s = row_executions(row) * differs_s;
        if (!series_shows(&s, k))
            continue;
        u->notes |= ROOF_NOTE(kinds[k]);
        if (!most[k].rows++ || cost_s > most[k].cost_s) {
            most[k].match = u;
            most[k].series = s;
            most[k].cost_s = cost_s;
        }
    }
}

void series_findings(reconciler *r, const roof_reconciled *e)
{
    bool bypass[SERIES_FACTS] = {false}, layered[SERIES_FACTS] = {false};
    const bool *found = e->layer_run == e->per_layer ? layered : bypass; /* of the run that has the rows */
    costliest_row most[ROW_FACTS] = {{.rows = 0}};
    note_run(r, e, e->bypass, of_bypass, bypass);
    note_run(r, e, e->per_layer, of_layers, layered);
    for (uint32_t k = 0; k < e->n_matches; k++)
        if (e->matches[k].n_rows == 1)
            mark_row(r, e, &e->matches[k], most);
    for (int k = 0; k < ROW_FACTS; k++) {
        if (!most[k].match || found[k])
            continue;
        const char *whose = "the row";
        if (most[k].rows > 1) /* the arena remembers that memory ran out */
            whose = arena_printf(r->arena, "the row (and of %u other%s likewise)", most[k].rows - 1,
                                 most[k].rows == 2 ? "" : "s");
        reconcile_find(r, e, most[k].match,
                       remark_of(&most[k].series, k, &match_row(e, most[k].match, 0)->time, whose));
    }
}

/* --- the warm-up -------------------------------------------------------------------------------------- */

/* Times behind the first k samples. */
static roof_status times_behind(const roof_times *t, uint64_t k, roof_times *out, roof_error *err)
{
    TRY(times_from_kept(t->samples_s + k, (size_t)(t->count - k), out, err));
    out->warm_up = k;
    return ROOF_OK;
}

/* Phases are means of all inferences, which fit no other time than theirs. */
static roof_status leave_warm_up(reconciler *r, const roof_reconciled *e, const char *whose,
                                 const roof_run **of)
{
    const roof_run *run = *of;
    roof_series s;
    if (!run || run->is_recording || run->n_phases)
        return ROOF_OK;
    roof_times all = run->total;
    if (!all.samples_s && isnan(times_typical(&all)))
        TRY(times_of_rows(run, r->arena, &all, r->err));
    if (!classify(r, &all, &s) || !s.warm_up)
        return ROOF_OK;
    roof_run *steady = run_copy(run, 0, r->arena);
    TRY(ALLOCATED(steady, r->err));
    for (uint32_t i = 0; i < run->n_layers; i++)
        if (run->layers[i].time.samples_s && run->layers[i].time.count == all.count)
            TRY(times_behind(&run->layers[i].time, s.warm_up, &steady->layers[i].time, r->err));
    if (run->total.samples_s)
        TRY(times_behind(&all, s.warm_up, &steady->total, r->err));
    *of = steady;
    reconcile_find(r, e, NULL, remark_of(&s, WARM_UP, &all, whose));
    return ROOF_OK;
}

roof_status series_leave_warm_up(reconciler *r, roof_reconciled *e)
{
    TRY(leave_warm_up(r, e, of_bypass, &e->bypass));
    return leave_warm_up(r, e, of_layers, &e->per_layer);
}
