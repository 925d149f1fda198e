/* The facts that charts show of a layer, and those that they say of a model: a picture that leaves its page
 * still says what was found, how, and from what. */
#include "measure/matches/match_facts.h"
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/words/prediction_words.h"

/* --- what binds --------------------------------------------------------------------------------------- */

const bound_style bound_styles[ENGINE_KINDS] = {
    [ENGINE_KIND_ARRAY] = {"MAC array", "b-array", COLOUR_ARRAY, SYMBOL_DISC},
    [ENGINE_KIND_SIDE] = {"side engine", "b-side", COLOUR_SIDE, SYMBOL_TRIANGLE},
    [ENGINE_KIND_DATA] = {"memory", "b-memory", COLOUR_MEMORY, SYMBOL_DIAMOND},
    [ENGINE_KIND_OTHER] = {"not known", "b-other", COLOUR_OTHER, SYMBOL_SQUARE},
};

/* An engine that has a name which nobody knows is taken for one that moves data: a port, a pool. */
engine_kind chart_bound_class(const char *engine)
{
    static const char *const none[] = {"", "-", "?", "host"}; /* what cells have in place of an engine */
    const engine_info *known = engine_named(engine);
    if (IS_ONE_OF(none, engine))
        return ENGINE_KIND_OTHER;
    return known ? known->kind : ENGINE_KIND_DATA;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* No chart can show what is infinite, nor times that no device takes: they count as unknown. */
static double shown(double seconds)
{
    const double longest_s = 1e12; /* 30,000 years */
    return fabs(seconds) < longest_s ? seconds : NAN;
}

static double share_of(double seconds)
{
    return shown(seconds) > 0 ? seconds : 0;
}

static const char *bound_of(const roof_prediction *p, uint32_t bound)
{
    return !p || bound == ROOF_NONE ? "" : p->engines[bound];
}

static chart_row predicted_row(const roof_prediction *p, const roof_layer_prediction *l)
{
    const roof_cost *c = &l->deployed;
    double all_s = l->repeat * c->ideal_s; /* of all executions, as the rest of it */
    chart_row row = {.number = l->index,
                     .row = (uint32_t)(l - p->layers),
                     .n_layers = 1,
                     .name = l->name,
                     .type = l->type,
                     .ops = l->repeat * known_count(l->roof_ops_count),
                     .bytes = l->repeat * layer_plotted_bytes(p, l),
                     .ideal_s = shown(all_s),
                     .verdict = ROOF_VERDICT_NOT_MEASURED,
                     .time_s = share_of(roof_layer_seconds(p, l)),
                     .bound = bound_of(p, c->ideal_cycles ? c->bound : ROOF_NONE)};
    row.measured_s = row.overhead_s = row.gap_s = row.host_s = row.corrected_s = row.cov_ratio = NAN;
    return row;
}

static bool is_estimated(const roof_reconciled *e, const roof_match *u)
{
    bool any = u->notes & ROOF_NOTE(ROOF_FINDING_ESTIMATED);
    for (uint32_t i = 0; i < u->n_rows && e->layer_run && !any; i++)
        any = e->layer_run->layers[e->row_order[u->row + i]].basis != ROOF_TIME_MEASURED;
    return any;
}

static chart_row measured_row(const roof_reconciled *e, const roof_match *u, uint32_t number)
{
    const roof_prediction *p = e->prediction;
    bool has_layer = p && u->n_layers && !u->is_unlisted;
    const roof_layer_prediction *l = has_layer ? &p->layers[e->layer_order[u->layer]] : NULL;
    return (chart_row){
        .number = l   ? l->index
                  : p ? 0
                      : number,
        .row = u->n_rows ? e->row_order[u->row] : ROOF_NONE,
        .is_unlisted = u->is_unlisted,
        .n_layers = u->n_layers,
        .notes = u->notes,
        .name = u->name,
        .type = u->type ? u->type : "",
        .ops = match_plotted_ops(e, u),
        .bytes = match_plotted_bytes(e, u),
        .ideal_s = shown(u->ideal_s),
        .measured_s = shown(u->measured_s),
        .overhead_s = shown(u->overhead_s),
        .gap_s = shown(u->gap_s),
        .host_s = shown(u->host_s),
        .is_estimated = is_estimated(e, u),
        .corrected_s = shown(u->corrected_s),
        .cov_ratio = match_shown_cov(e, u),
        .verdict = u->verdict,
        .times = u->n_rows == 1 && e->layer_run ? &e->layer_run->layers[e->row_order[u->row]].time : NULL,
        .time_s = share_of(e->layer_run ? u->measured_s : u->ideal_s),
        .bound = bound_of(p, u->bound)};
}

/* Equal ones in order of execution. */
static const order_key longest_first[] = {FALLING(chart_row, time_s), {0, ORDER_END, false}};

/* Rows of less than this are not all of an inference. */
#define LISTED_RATIO 0.95

chart_rows chart_rows_of(const chart_source *s, roof_arena *arena)
{
    size_t most = s->experiment ? s->experiment->n_matches : s->prediction ? s->prediction->n_layers : 0;
    chart_rows out = {.rows = NEW_ARRAY(arena, chart_row, most),
                      .by_time = NEW_ARRAY(arena, chart_row *, most),
                      .is_measured = s->experiment && s->experiment->layer_run,
                      .prefix = prediction_name_prefix(s->prediction)};
    out.is_expected = !s->experiment && s->prediction && !roof_answer_is_bound(roof_rows_kind(s->prediction));
    if (!most || !out.rows || !out.by_time)
        return out;
    const roof_reconciled *e = s->experiment;
    for (uint32_t i = 0; e && i < e->n_matches; i++)
        if (!roof_match_is_repeated(&e->matches[i]))
            out.rows[out.n++] = measured_row(e, &e->matches[i], i + 1);
    for (uint32_t i = 0; !e && i < s->prediction->n_layers; i++)
        out.rows[out.n++] = predicted_row(s->prediction, &s->prediction->layers[i]);
    for (uint32_t i = 0; i < out.n; i++) {
        out.by_time[i] = &out.rows[i];
        out.rows[i].bound_class = chart_bound_class(out.rows[i].bound);
        out.total_s += out.rows[i].time_s;
    }
    for (uint32_t i = 0; i < out.n; i++)
        out.rows[i].share_ratio = out.total_s > 0 ? out.rows[i].time_s / out.total_s : 0;
    if (e && out.is_measured)
        out.whole_s = e->layer_run == e->bypass ? e->total.bypass_s : roof_layered_seconds(e);
    out.part_ratio = quotient_of(out.total_s, out.whole_s);
    out.is_part = out.is_measured && out.part_ratio < LISTED_RATIO;
    order_pointers(out.by_time, out.n, longest_first);
    return out;
}

void chart_rows_by_share(const roof_reconciled *e, chart_rows *rows)
{
    if (!rows->is_measured || rows->total_s > 0 || !e->profile || e->profile->basis != ROOF_PROFILE_SHARES)
        return;
    FOR_EACH(chart_row, row, rows->rows, rows->n) {
        const roof_layer_counters *c = row->row == ROOF_NONE ? NULL : e->layer_run->layers[row->row].counters;
        row->measured_s = c ? c->share_ratio : NAN;
        row->time_s = row->share_ratio = isnan(row->measured_s) ? 0 : row->measured_s;
        row->is_estimated = false;
        rows->total_s += row->time_s;
    }
    rows->are_shares = true;
    order_pointers(rows->by_time, rows->n, longest_first);
}

const char *chart_time_words(const chart_rows *rows)
{
    return rows->is_part       ? "listed time"
           : rows->is_measured ? "time"
           : rows->is_expected ? "expected time"
                               : "ideal time";
}

/* "12 conv2; 236 Mops; 1.2 MB; measured 1.61 ms; ideal 0.63 ms; 146 GOP/s of at most 371 GOP/s; 2.56x its
 * ideal; bound by conv". Unknown values are left out. */
const char *chart_row_words(const chart_rows *rows, const chart_row *row, chart_figure *f)
{
    double time_s = rows->is_measured ? row->measured_s : row->ideal_s;
    const char *text = figure_printf(f, row->number ? "%u %s" : "%.0u%s", row->number, row->name);
    const struct {
        const char *format;
        double value;
        const char *unit;
    } facts[] = {{"%s; %s", row->ops, "ops"},
                 {"%s; %s", row->bytes, "B"},
                 {"%s; measured %s", row->measured_s, "s"},
                 {"%s; ideal %s", row->ideal_s, "s"},
                 {"%s; %s", row->ops / time_s, "OP/s"},
                 {rows->is_measured ? "%s of at most %s" : NULL, row->ops / row->ideal_s, "OP/s"}};
    for (size_t i = 0; i < N_OF(facts); i++)
        if (facts[i].format && isfinite(facts[i].value))
            text = figure_printf(f, facts[i].format, text,
                                 say_quantity(f->arena, facts[i].value, facts[i].unit));
    const double of_ideal = quotient_of(time_s, row->ideal_s);
    if (rows->is_measured && !isnan(of_ideal))
        text = figure_printf(f, "%s; %.2fx its ideal", text, of_ideal);
    return row->bound[0] ? figure_printf(f, "%s; bound by %s", text, row->bound) : text;
}

chart_scale chart_scale_of(double most_s)
{
    static const chart_scale scales[] = {{1e9, "ns"}, {1e6, "us"}, {1e3, "ms"}, {1, "s"}};
    size_t i = 0;
    while (i + 1 < N_OF(scales) && most_s * scales[i].factor >= 1000)
        i++;
    return scales[i];
}

/* --- words -------------------------------------------------------------------------------------------- */

#define MADE_BY "roofline " ROOF_VERSION " | "

const char *chart_subject(const roof_reconciled *e, chart_figure *f)
{
    return figure_printf(f, "%s%s%s", e->model, e->hardware ? " on " : "", e->hardware ? e->hardware : "");
}

/* "mobilenetv1 on KV260: layers take 5.65 ms, 4.6x the sum of ideals of 1.23 ms" */
static const char *measured_verdict(const roof_reconciled *e, chart_figure *f)
{
    bool by_layers = !isnan(e->total.sum_of_layers_s);
    double measured = by_layers ? e->total.sum_of_layers_s : e->total.bypass_s;
    double ideal = by_layers ? e->total.ideal_per_layer_s : experiment_deployed_limit_s(e);
    if (isnan(measured))
        return figure_printf(f, "%s: nothing was measured", e->model);
    const char *took =
        figure_printf(f, "%s: %s take%s %s", chart_subject(e, f), by_layers ? "layers" : "an inference",
                      by_layers ? "" : "s", say_quantity(f->arena, measured, "s"));
    const double of_ideal = quotient_of(measured, ideal);
    if (isnan(of_ideal) || !e->prediction)
        return took;
    const char *limit = by_layers                    ? "the sum of ideals"
                        : e->prediction->estimate_of ? "the ideal"
                                                     : "the bound";
    const roof_limit_ratio *limits = &e->total.limits;
    if (by_layers && limits->rows < limits->rows_all)
        return limits->rows ? figure_printf(f, "%s, %.1fx %s in %u of %u rows", took, limits->of_rows, limit,
                                            limits->rows, limits->rows_all)
                            : took;
    /* timing is in their time, and in no bound */
    if (by_layers && e->boundary_cost_s > 0)
        return figure_printf(f, "%s, timing included; %s is %s", took, limit,
                             say_quantity(f->arena, ideal, "s"));
    return figure_printf(f, "%s, %.1fx %s of %s", took, of_ideal, limit, say_quantity(f->arena, ideal, "s"));
}

const char *chart_verdict(const chart_source *s, chart_figure *f)
{
    if (s->experiment)
        return measured_verdict(s->experiment, f);
    if (!s->prediction)
        return "";
    /* A title has room for what it takes; the page, and the table, have rates and scope. */
    const char *all = prediction_verdict(s->prediction, 0, f->arena), *rest = strstr(all, "; ");
    return rest ? figure_printf(f, "%.*s", (int)(rest - all), all) : all;
}

/* "36 layers, in a per-layer run, mean of 100 runs; of which timing costs 156 us at each of 36 boundaries" */
const char *chart_conditions(const chart_source *s, chart_figure *f)
{
    const roof_reconciled *e = s->experiment;
    const roof_run *run = e && e->layer_run ? e->layer_run : e ? e->bypass : NULL;
    if (!e && s->prediction)
        return prediction_verdict(s->prediction, 1, f->arena);
    if (!run)
        return "";
    uint32_t n = 0; /* that are estimated */
    for (uint32_t i = 0; i < e->n_matches; i++)
        n += (e->matches[i].notes & ROOF_NOTE(ROOF_FINDING_ESTIMATED)) != 0;
    const char *listed = "inferences timed as a whole",
               *how = n && n == run->n_layers ? "estimated, not measured"
                      : n                  ? figure_printf(f, "in a per-layer run, %u of them estimated", n)
                      : run->n_layers == 1 ? "timed"
                                           : "in a per-layer run";
    if (run->n_layers && e->boundaries != ROOF_NONE && run_executions(run) < e->boundaries)
        listed = figure_printf(f, "%u of %u layers listed, %s", run_executions(run), e->boundaries, how);
    else if (run->n_layers)
        listed = figure_printf(f, run->n_layers == 1 ? "%u layer %s" : "%u layers, %s", run->n_layers, how);
    return SAY_TEXT(f->arena,
                    "{}[?, mean of {} runs][?; of which timing costs {} at each of {} boundar{y|ies}]",
                    AS_TEXT(listed), AS_COUNT(run->iterations == ROOF_UNKNOWN ? 0 : run->iterations),
                    AS_SECONDS(e->layer_run ? e->boundary_cost_s : NAN),
                    AS_COUNT(e->boundaries == ROOF_NONE ? 0 : e->boundaries));
}

const char *chart_provenance(const chart_source *s, chart_figure *f)
{
    const roof_prediction *p = s->prediction;
    if (!p)
        return "roofline " ROOF_VERSION;
    const char *sha256 = p->model.sha256, *graph = p->model.graph_hash ? p->model.graph_hash : "not hashed";
    const char *hash = sha256 ? sha256 : graph;
    if (f->canvas.width_px < f->canvas.height_px) /* as much as tells models apart */
        return figure_printf(f, MADE_BY "hardware %s | model %.12s", p->hardware.id, hash);
    return figure_printf(f, MADE_BY "hardware %s, least certain value: %s | model %s %.32s", p->hardware.id,
                         roof_value_kind_words(p->hardware.weakest_kind), sha256 ? "sha256" : "graph", hash);
}

const char *chart_study_provenance(const roof_reconciliation *r, chart_figure *f)
{
    const char *hardware = NULL;
    for (uint32_t i = 0; i < r->n_experiments && r->one_hardware && !hardware; i++)
        hardware = r->experiments[i].hardware;
    if (!r->n_models)
        return figure_printf(f, MADE_BY "%u load run%s", r->n_loads, say_plural(r->n_loads));
    return figure_printf(f, MADE_BY "%u measured model%s%s%s", r->n_models, say_plural(r->n_models),
                         hardware ? " on " : "", hardware ? hardware : "");
}
