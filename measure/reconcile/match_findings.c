/* Finds what a reader must know of single matches before using their figures. */
#include "measure/profile/counter.h"
#include "measure/reconcile/steps.h"
#include "model/laws/engine.h"
#include "roofline/statistics.h"

/* A printed rate is explained by a formula when it is this near: times are printed with three digits. */
#define RATE_TOLERANCE 0.003
/* A rate contradicts its work and time only when it is further away: workloads are rounded as well. */
#define RATE_DIFFERS 0.03

/* vaitrace rounds the workload to two decimals of a GOP before it divides (vart_parser.py, v2.0 to v3.5). */
#define WORKLOAD_GRID_OPS 1e7

typedef struct subject {
    reconciler *r;
    const roof_reconciled *e;
    roof_match *u;
    const roof_measured_layer *row;     /* the only one, or NULL */
    const roof_layer_prediction *layer; /* likewise */
} subject;

static const roof_remark nothing;

static roof_remark check_impossible(const subject *s)
{
    bool is_row = s->row && !isnan(s->row->time.min_s);
    double n = is_row ? row_executions(s->row) : 1, bound_s = match_bound_s(s->u) / n;
    double fastest = is_row ? s->row->time.min_s : s->u->measured_s;
    if (s->u->verdict != ROOF_VERDICT_IMPOSSIBLE)
        return nothing;
    double is_hz = s->e->prediction->hardware.clock_hz, want_hz = is_hz * quotient_of(bound_s, fastest);
    if (!(want_hz < 1e15)) /* no clock would do */
        return REMARK(IMPOSSIBLE, AS_SECONDS(fastest), AS_SECONDS(bound_s));
    return REMARK(IMPOSSIBLE_CLOCK, AS_SECONDS(fastest), AS_SECONDS(bound_s), AS("Hz", want_hz),
                  AS("Hz", is_hz));
}

/* --- how times scatter -------------------------------------------------------------------------------- */

/* Where the order of the samples explains their scatter, that is told by itself. */
static roof_remark check_scatter(const subject *s)
{
    static const uint64_t by_order = ROOF_NOTE(ROOF_FINDING_WARM_UP) | ROOF_NOTE(ROOF_FINDING_DRIFT) |
                                     ROOF_NOTE(ROOF_FINDING_CHANGED) | ROOF_NOTE(ROOF_FINDING_TWO_SPEEDS);
    const roof_times *time = &s->row->time;
    double cov = s->u->cov_ratio;
    roof_outlier_reading reading;
    if (!(cov > ROOF_HIGH_COV_RATIO) || s->u->notes & by_order)
        return nothing;
    double shown = match_shown_cov(s->e, s->u);
    if (time->samples_s) {
        roof_statistics of;
        if (!reconciler_did(s->r, roof_statistics_of(time->samples_s, (size_t)time->count, &of, s->r->err)) ||
            !of.outliers || !(of.cov_without_outliers_ratio <= ROOF_HIGH_COV_RATIO))
            return REMARK(HIGH_COV, AS_RATIO(shown));
        return REMARK(OUTLIERS, AS_COUNT(of.outliers), AS_COUNT(of.count),
                      AS_RATIO(of.outlier_variance_ratio), AS_RATIO(of.cov_without_outliers_ratio),
                      AS_RATIO(of.cov_ratio), AS_SECONDS(of.median));
    }
    const roof_statistics t = {.count = time->count,
                               .mean = time->mean_s,
                               .std = isnan(time->std_s) ? cov * time->mean_s : time->std_s,
                               .min = time->min_s,
                               .max = time->max_s,
                               .cov_ratio = cov};
    if (t.count == ROOF_UNKNOWN || !roof_statistics_one_outlier(&t, &reading))
        return REMARK(HIGH_COV, AS_RATIO(shown));
    return REMARK(ONE_OUTLIER, AS_RATIO(shown), AS_COUNT(t.count), AS_SECONDS(reading.excess),
                  AS_SECONDS(reading.median), AS_RATIO(reading.mean_bias_ratio));
}

/* --- printed rates ------------------------------------------------------------------------------------ */

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fabs(b);
}

static roof_remark check_rate(const subject *s)
{
    const roof_layer_prediction *layer = s->layer;
    const roof_layer_counters *c = s->row->counters;
    double one_s = row_time_s(s->e->layer_run, s->row); /* of one execution, as the work */
    if (!c || isnan(c->ops_per_s) || !layer || layer->workload_ops == ROOF_UNKNOWN || !(one_s > 0))
        return nothing;
    double work = (double)layer->workload_ops, stated = c->ops_per_s,
           rounded = nearbyint(work / WORKLOAD_GRID_OPS) * WORKLOAD_GRID_OPS,
           plain = quotient_of(work, one_s);
    /* the mean of rounded work over each time: an outlier raises it above the quotient of means (Jensen) */
    const roof_times *t = &s->row->time;
    double n = (double)t->count, one = t->std_s * sqrt(n), rest = t->mean_s - one / n;
    bool has_one = t->count != ROOF_UNKNOWN && t->std_s > 0 && rest > 0;
    double of_rounded =
        has_one ? ((n - 1) * rounded / rest + rounded / (rest + one)) / n : rounded / t->mean_s;
    if (isnan(plain) || !(stated < 1e300))
        return nothing;
    if (stated == 0 && rounded == 0 && work > 0)
        return REMARK(ZERO_RATE, AS("ops", work), AS("ops/s", plain));
    if (near(stated, plain, RATE_TOLERANCE))
        return nothing;
    if (near(stated, of_rounded, RATE_TOLERANCE))
        return REMARK(ROUNDED_WORK, AS("ops/s", stated), AS("ops", rounded), AS("ops/s", of_rounded),
                      AS("ops", work), AS("ops/s", work / one_s));
    bool own = c->workload_ops != ROOF_UNKNOWN && near(stated, (double)c->workload_ops / one_s, RATE_DIFFERS);
    if (own || near(stated, plain, RATE_DIFFERS) || work == 0)
        return nothing;
    return REMARK(OTHER_RATE, AS("ops/s", stated), AS("ops", work), AS("ops/s", plain));
}

/* --- engines ------------------------------------------------------------------------------------------ */

/* A fused depthwise or pooling part that takes longer than the convolution before it. */
static roof_remark check_side_engine(const subject *s)
{
    const roof_layer_prediction *layer = s->layer;
    const roof_prediction *p = s->e->prediction;
    if (!layer || s->u->bound == ROOF_NONE || strncmp(layer->type, "conv+", 5) != 0)
        return nothing;
    const char *engine = p->engines[s->u->bound];
    const engine_info *binder = engine_named(engine);
    if (!binder || binder->kind != ENGINE_KIND_SIDE)
        return nothing;
    const roof_cost *cost = layer_cost(s->e->layer_run, layer);
    for (uint32_t i = 0; i < p->n_engines; i++)
        if (strcmp(p->engines[i], "conv") == 0 && cost->cycles[i] != ROOF_UNKNOWN)
            return REMARK(SIDE_ENGINE, AS_TEXT(engine), AS_TEXT(layer->type),
                          AS_SECONDS((double)cost->cycles[s->u->bound] / p->hardware.clock_hz),
                          AS_SECONDS((double)cost->cycles[i] / p->hardware.clock_hz),
                          AS_TEXT(strcmp(engine, "alu") == 0 ? "ALU" : engine));
    return nothing;
}

/* --- buffers ------------------------------------------------------------------------------------------ */

/* Writing what changes takes some percent of a call, and reading through a view nothing. */
static void note_buffers(const subject *s)
{
    static const double write_ratio = 0.1, read_ratio = 0.05, least_s = 1e-4;
    static const roof_event written = {
        .scope = ROOF_COUNTER_BUFFER, .direction = ROOF_COUNTER_WRITE, .quantity = ROOF_COUNTER_BYTES};
    const roof_layer_counters *c = s->row->counters;
    double call_s = row_time_s(s->e->layer_run, s->row);
    if (!c || !(call_s > 0))
        return;
    double bytes = known_count(counter_find(c->events, c->n_events, &written));
    const char *how_many =
        bytes > 0 ? arena_printf(s->r->arena, ", %.1f MiB", bytes / 1048576) : ""; /* the arena remembers */
    if (c->write_s >= least_s && c->write_s >= write_ratio * call_s && how_many)
        TELL(s->r, s->e, s->u, BUFFER_WRITE, AS_SECONDS(c->write_s), AS_SECONDS(call_s),
             AS_RATIO(c->write_s / call_s), AS_TEXT(how_many));
    if (c->read_s >= least_s && c->read_s >= read_ratio * call_s)
        TELL(s->r, s->e, s->u, BUFFER_READ, AS_SECONDS(c->read_s), AS_SECONDS(call_s),
             AS_RATIO(c->read_s / call_s));
}

/* --- all of them -------------------------------------------------------------------------------------- */

/* Rows and layers of one match do the same work, or their times must not be compared. */
static void note_work(const subject *s)
{
    double measured, predicted, resolution = (double)s->e->total.bytes_resolution;
    double executions = s->row ? row_executions(s->row) : NAN,
           repeat = s->layer ? layer_repeat(s->layer) : NAN;
    roof_match_bytes(s->e, s->u, &measured, &predicted);
    measured = isnan(measured) ? match_static_bytes(s->e, s->u) : measured;
    if (measured != 0 && fabs(measured - predicted) > resolution / 2)
        TELL(s->r, s->e, s->u, BYTES_DIFFER, AS("B", measured), AS("B", predicted));
    if (fabs(executions - repeat) > 0)
        TELL(s->r, s->e, s->u, EXECUTIONS_DIFFER, AS_COUNT(executions), AS_COUNT(repeat));
}

/* How rows and layers found each other. */
static void note_match(const subject *s)
{
    const roof_match *u = s->u;
    const char *name = s->row && s->row->name ? s->row->name : "(no name)";
    if (u->n_rows && u->n_layers > 1)
        TELL(s->r, s->e, s->u, JOINED, AS_COUNT(u->n_layers));
    if (u->n_rows > 1)
        TELL(s->r, s->e, s->u, CUT, AS_COUNT(u->n_rows));
    if (u->n_rows && u->n_layers && u->method == ROOF_MATCH_ORDER)
        TELL(s->r, s->e, s->u, WEAK_MATCH, AS_TEXT(name));
    if (!u->n_layers && s->e->prediction && !match_is_hosts(s->e, u))
        reconcile_find(s->r, s->e, s->u,
                       roof_match_is_repeated(u) ? REMARK(REPEATED_ROW, NO_OPERANDS)
                                                 : REMARK(NO_LAYER, NO_OPERANDS));
    if (u->verdict == ROOF_VERDICT_NOT_MEASURED && s->e->layer_run)
        reconcile_find(s->r, s->e, s->u,
                       u->n_rows ? REMARK(NO_TIME, NO_OPERANDS) : REMARK(NO_ROW, NO_OPERANDS));
    if (u->n_rows && u->measured_s == 0)
        TELL(s->r, s->e, s->u, ZERO_TIME, NO_OPERANDS);
}

void match_findings(reconciler *r, const roof_reconciled *e)
{
    subject s = {.r = r, .e = e};
    if (e != &r->out->experiments[e->first] &&
        !e->layer_run) /* it has the layers of the first runs, and no time of one */
        return;
    for (uint32_t k = 0; k < e->n_matches; k++) {
        s.u = &e->matches[k];
        s.row = s.u->n_rows == 1 ? match_row(e, s.u, 0) : NULL;
        s.layer = s.u->n_layers == 1 ? match_layer(e, s.u, 0) : NULL;
        if (s.u->is_unlisted)
            continue;
        reconcile_find(r, e, s.u, check_impossible(&s));
        if (s.row) {
            const roof_times *t = &s.row->time;
            reconcile_find(r, e, s.u, check_scatter(&s));
            if (times_covs_differ(t->cov_ratio, t->std_s / t->mean_s))
                TELL(r, e, s.u, ROW_COV, AS_RATIO(t->cov_ratio), AS_RATIO(s.u->cov_ratio));
            if (t->count < ROOF_MIN_INTERVAL_SAMPLES)
                TELL(r, e, s.u, FEW_SAMPLES, AS_COUNT(t->count));
            reconcile_find(r, e, s.u, check_rate(&s));
            note_buffers(&s);
        }
        reconcile_find(r, e, s.u, check_side_engine(&s));
        note_work(&s);
        note_match(&s);
        const roof_layer_counters *c = s.row ? s.row->counters : NULL;
        bool has_share_alone = c && isnan(times_typical(&s.row->time)) && !isnan(c->share_ratio);
        if (has_share_alone || (s.row && s.row->basis == ROOF_TIME_SHARE))
            TELL(r, e, s.u, SHARE, NO_OPERANDS);
        else if (s.row && s.row->basis == ROOF_TIME_ESTIMATED)
            TELL(r, e, s.u, ESTIMATED, NO_OPERANDS);
    }
}
