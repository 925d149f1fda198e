/* roofline.reconciliation/1; docs/schema/reconciliation-1.schema.json. One unit a line. Times that close to a sum are
 * written so that they read back as the same doubles. */
#include "core/jsonout.h"
#include "model/calibrated.h"
#include "reports/reconcile/epoch_json.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"
#include "roofline/statistics.h"

#include <math.h>

static void put_estimate(roof_jsonout *j, const char *value_key, const char *se_key, const char *ci_key,
                         const roof_estimate *e)
{
    roof_jsonout_derived(j, value_key, e->value);
    roof_jsonout_derived(j, se_key, e->se);
    roof_jsonout_array(j, ci_key, true);
    roof_jsonout_derived(j, NULL, e->ci95_low);
    roof_jsonout_derived(j, NULL, e->ci95_high);
    roof_jsonout_end(j);
}

static void put_layer_numbers(roof_jsonout *j, const roof_reconciled *e, const roof_unit *u)
{
    roof_jsonout_count(j, "index",
                       u->n_layers && e->prediction ? e->prediction->layers[e->layer_order[u->layer]].index
                                                    : ROOF_UNKNOWN);
    if (u->n_layers < 2 || !e->prediction)
        return;
    roof_jsonout_array(j, "layers", true);
    for (uint32_t i = 0; i < u->n_layers; i++)
        roof_jsonout_count(j, NULL, e->prediction->layers[e->layer_order[u->layer + i]].index);
    roof_jsonout_end(j);
}

static void put_notes(roof_jsonout *j, const roof_unit *u)
{
    roof_jsonout_array(j, "findings", true);
    for (int kind = ROOF_FINDING_FIRST_NOTE; kind < ROOF_FINDING_COUNT; kind++)
        if (u->notes & 1u << (kind - ROOF_FINDING_FIRST_NOTE))
            roof_jsonout_string(j, NULL, roof_finding_kind_text((roof_finding_kind)kind));
    roof_jsonout_end(j);
}

static void put_range(roof_jsonout *j, const char *key, const double range[2])
{
    if (isnan(range[0]) || isnan(range[1])) {
        roof_jsonout_null(j, key);
        return;
    }
    roof_jsonout_array(j, key, true);
    roof_jsonout_derived(j, NULL, range[0]);
    roof_jsonout_derived(j, NULL, range[1]);
    roof_jsonout_end(j);
}

static void put_cov(roof_jsonout *j, double computed, double printed)
{
    roof_jsonout_derived(j, "cov_ratio", computed);
    if (!isnan(printed))
        roof_jsonout_derived(j, "printed_cov_ratio", printed);
}

/* What repetitions say, where more is known of them than a mean; the median's interval needs the samples. */
static void put_statistics(roof_jsonout *j, const char *key, const roof_times *t)
{
    roof_statistics s;
    if (!t ||
        (!t->samples_s && isnan(t->median_s) && isnan(t->p95_s) && isnan(t->p99_s) && isnan(t->cov_ratio)))
        return;
    roof_status status = t->samples_s ? roof_statistics_of(t->samples_s, t->count, &s, NULL) : ROOF_E_DATA;
    bool known = status == ROOF_OK;
    j->out->failed = j->out->failed || status == ROOF_E_NO_MEMORY;
    roof_jsonout_object(j, key, true);
    roof_jsonout_count(j, "count", t->count);
    roof_jsonout_derived(j, "mean_s", t->mean_s);
    roof_jsonout_derived(j, "std_s", t->std_s);
    put_cov(j, t->std_s / t->mean_s, t->cov_ratio);
    roof_jsonout_derived(j, "min_s", t->min_s);
    roof_jsonout_derived(j, "median_s", t->median_s);
    roof_jsonout_derived(j, "p95_s", t->p95_s);
    roof_jsonout_derived(j, "p99_s", t->p99_s);
    roof_jsonout_derived(j, "max_s", t->max_s);
    put_range(j, "median_interval_s", known ? (double[]){s.median_low, s.median_high} : (double[]){NAN, NAN});
    roof_jsonout_derived(j, "median_confidence_ratio", known ? s.median_confidence_ratio : NAN);
    roof_jsonout_count(j, "outliers", known ? s.outliers : ROOF_UNKNOWN);
    roof_jsonout_end(j);
}

static void put_unit(roof_jsonout *j, const roof_reconciled *e, const roof_unit *u)
{
    const char *bound = roof_unit_bound(e, u);
    roof_jsonout_object(j, NULL, true);
    put_layer_numbers(j, e, u);
    roof_jsonout_string(j, "name", u->name);
    roof_jsonout_string(j, "type", u->type);
    roof_jsonout_derived(j, "ideal_s", u->ideal_s);
    roof_jsonout_derived(j, "measured_s", u->measured_s);
    roof_jsonout_derived(j, "overhead_s", u->overhead_s);
    roof_jsonout_derived(j, "corrected_s", u->corrected_s);
    roof_jsonout_derived(j, "gap_s", u->gap_s);
    roof_jsonout_derived(j, "host_s", u->host_s);
    roof_jsonout_derived(j, "efficiency_ratio", roof_unit_efficiency(u));
    roof_jsonout_derived(j, "time_share_ratio", roof_unit_share(e, u));
    put_cov(j, u->cov_ratio, roof_unit_printed_cov(e, u));
    roof_jsonout_string(j, "bound", bound[0] ? bound : NULL);
    roof_jsonout_string(j, "verdict", roof_verdict_text((roof_verdict)u->verdict));
    roof_jsonout_string(j, "match", roof_match_text((roof_match)u->match));
    roof_jsonout_derived(j, "confidence_ratio", roof_match_confidence((roof_match)u->match));
    roof_put_row_names(j, "matched_rows", e, u);
    if (u->n_rows == 1)
        put_statistics(j, "statistics", &e->layer_run->layers[e->row_order[u->row]].time);
    put_notes(j, u);
    roof_jsonout_end(j);
}

static void put_attribution(roof_jsonout *j, const char *key, const roof_attribution *a, bool are_phases)
{
    if (!a->of) {
        roof_jsonout_null(j, key);
        return;
    }
    roof_jsonout_object(j, key, false);
    roof_jsonout_string(j, "of", a->of);
    roof_jsonout_number(j, "total_s", a->total_s);
    roof_jsonout_number(j, "attributed_s", a->attributed_s);
    roof_jsonout_number(j, "unattributed_s", a->unattributed_s);
    roof_jsonout_array(j, "parts", false);
    for (uint32_t i = 0; i < a->n_parts; i++) {
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "name", a->parts[i].name);
        if (are_phases)
            roof_jsonout_string(j, "kind", a->parts[i].kind);
        roof_jsonout_derived(j, "seconds", a->parts[i].seconds);
        roof_jsonout_derived(j, "share_ratio", a->parts[i].share_ratio);
        roof_jsonout_string(j, "meaning", a->parts[i].meaning);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
    roof_jsonout_end(j);
}

/* What is attributed is the inference that was timed layer by layer; without one, the deployed one. */
static void put_closed_sum(roof_jsonout *j, const roof_reconciled *e)
{
    const roof_attribution *a = e->layer_by_layer.of ? &e->layer_by_layer : &e->deployed;
    roof_jsonout_number(j, "measured_s", a->of ? a->total_s : NAN);
    roof_jsonout_number(j, "attributed_s", a->of ? a->attributed_s : NAN);
    roof_jsonout_number(j, "unattributed_s", a->of ? a->unattributed_s : NAN);
}

static void put_total(roof_jsonout *j, const roof_reconciled *e)
{
    roof_jsonout_object(j, "total", false);
    roof_jsonout_derived(j, "bypass_s", e->total.bypass_s);
    roof_jsonout_derived(j, "per_layer_s", e->total.per_layer_s);
    roof_jsonout_derived(j, "sum_of_layers_s", e->total.sum_of_layers_s);
    roof_jsonout_derived(j, "listed_s", e->total.listed_s);
    roof_jsonout_derived(j, "ideal_s", e->total.ideal_s);
    roof_jsonout_derived(j, "floor_s", e->total.floor_s);
    roof_jsonout_derived(j, "ideal_per_layer_s", e->total.ideal_per_layer_s);
    roof_jsonout_derived(j, "corrected_s", e->total.corrected_s);
    put_range(j, "corrected_ci95_s", e->total.corrected_ci95_s);
    roof_jsonout_derived(j, "corrected_error_ratio", e->total.corrected_error_ratio);
    roof_jsonout_derived(j, "left_out_error_ratio", e->total.left_out_error_ratio);
    roof_jsonout_derived(j, "rule_error_ratio", e->total.rule_error_ratio);
    roof_jsonout_derived(j, "rule_total_error_ratio", e->total.rule_total_error_ratio);
    put_closed_sum(j, e);
    roof_jsonout_derived(j, "inflation_ratio", e->total.inflation_ratio);
    roof_jsonout_derived(j, "host_s", e->total.host_s);
    roof_jsonout_derived(j, "efficiency_ratio", e->total.efficiency_ratio);
    roof_jsonout_derived(j, "extra_bytes", e->total.extra_bytes);
    roof_jsonout_string(j, "extra_bytes_source",
                        isnan(e->total.extra_bytes)  ? NULL
                        : e->total.extra_is_measured ? "measured"
                                                     : "predicted");
    put_range(j, "launch_s", e->total.launch_s);
    put_range(j, "traffic_s", e->total.traffic_s);
    roof_jsonout_count(j, "bytes_compared", e->total.bytes_compared);
    roof_jsonout_count(j, "bytes_agree", e->total.bytes_agree);
    roof_jsonout_end(j);
}

static void put_types(roof_jsonout *j, const roof_reconciled *e)
{
    roof_jsonout_array(j, "types", false);
    for (uint32_t i = 0; i < e->n_types; i++) {
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "type", e->types[i].type);
        roof_jsonout_count(j, "layers", e->types[i].layers);
        roof_jsonout_derived(j, "ideal_s", e->types[i].ideal_s);
        roof_jsonout_derived(j, "measured_s", e->types[i].measured_s);
        roof_jsonout_derived(j, "time_share_ratio", e->types[i].time_share_ratio);
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

static void put_experiment(roof_jsonout *j, const roof_reconciled *e)
{
    roof_jsonout_object(j, NULL, false);
    roof_jsonout_string(j, "model", e->model);
    roof_jsonout_string(j, "graph_hash", e->prediction ? e->prediction->model.graph_hash : NULL);
    roof_jsonout_string(j, "hardware", e->hardware_id);
    roof_jsonout_string(j, "not_compared", e->not_compared);
    roof_jsonout_count(j, "boundaries", e->boundaries == ROOF_NONE ? ROOF_UNKNOWN : e->boundaries);
    roof_jsonout_derived(j, "boundary_cost_s", e->boundary_cost_s);
    roof_jsonout_string(j, "boundary_cost_source",
                        isnan(e->boundary_cost_s) ? NULL : e->boundary_cost_source);
    put_total(j, e);
    put_statistics(j, "bypass_statistics", e->bypass ? &e->bypass->total : NULL);
    put_statistics(j, "per_layer_statistics", e->per_layer ? &e->per_layer->total : NULL);
    put_attribution(j, "layer_by_layer", &e->layer_by_layer, false);
    put_attribution(j, "deployed", &e->deployed, false);
    put_attribution(j, "wall", &e->wall, true);
    put_types(j, e);
    roof_put_epochs(j, e->epochs);
    roof_jsonout_array(j, "layers", false);
    for (uint32_t i = 0; i < e->n_units; i++)
        put_unit(j, e, &e->units[i]);
    roof_jsonout_end(j);
    roof_jsonout_end(j);
}

static void put_line(roof_jsonout *j, const roof_line *line)
{
    put_estimate(j, "slope_s", "slope_se_s", "slope_ci95_s", &line->slope);
    put_estimate(j, "intercept_s", "intercept_se_s", "intercept_ci95_s", &line->intercept);
    roof_jsonout_derived(j, "r2", line->r2);
    roof_jsonout_derived(j, "residual_std_s", line->residual_std);
    roof_jsonout_count(j, "dof", line->dof);
}

static void put_other_line(roof_jsonout *j, const char *key, const roof_line *line)
{
    if (!line->known) {
        roof_jsonout_null(j, key);
        return;
    }
    roof_jsonout_object(j, key, true);
    put_line(j, line);
    roof_jsonout_end(j);
}

static void put_points(roof_jsonout *j, const roof_reconciliation *r, const roof_overhead_fit *f)
{
    roof_jsonout_array(j, "points", false);
    for (size_t i = 0; i < f->fit.n; i++) {
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "model", r->experiments[f->experiments[i]].model);
        roof_jsonout_derived(j, "x", f->points_x[i]);
        roof_jsonout_derived(j, "y", f->points_y[i]);
        roof_jsonout_derived(j, "residual_s", roof_overhead_residual(f, ROOF_LINE_FREE, i));
        roof_jsonout_derived(j, "residual_through_origin_s", roof_overhead_residual(f, ROOF_LINE_ORIGIN, i));
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

/* The free line stands in the object itself, so that scripts find a slope and an intercept in one place; `chosen` says
 * which line is preferred. */
static void put_fit(roof_jsonout *j, const char *key, const roof_reconciliation *r,
                    const roof_overhead_fit *f)
{
    static const char *const kinds[] = {
        [ROOF_LINE_FREE] = "free", [ROOF_LINE_ORIGIN] = "through_origin", [ROOF_LINE_ROBUST] = "robust"};
    const roof_line *line = &f->fit.lines[ROOF_LINE_FREE];
    roof_jsonout_object(j, key, false);
    roof_jsonout_string(j, "x", f->x);
    roof_jsonout_string(j, "y", f->y);
    roof_jsonout_string(j, "meaning", f->meaning);
    put_points(j, r, f);
    if (line->known) {
        put_line(j, line);
        put_other_line(j, "through_origin", &f->fit.lines[ROOF_LINE_ORIGIN]);
        put_other_line(j, "robust", &f->fit.lines[ROOF_LINE_ROBUST]);
    }
    roof_jsonout_string(j, "chosen", line->known ? kinds[f->fit.chosen] : NULL);
    roof_jsonout_string(j, "why", f->fit.why);
    roof_jsonout_string(j, "sentence", f->sentence);
    roof_jsonout_string(j, "advice", f->advice);
    roof_jsonout_end(j);
}

static void put_ceiling(roof_jsonout *j, const roof_reconciliation *r)
{
    if (isnan(r->ceiling.seconds)) {
        roof_jsonout_null(j, "ceiling");
        return;
    }
    const roof_reconciled *e = &r->experiments[r->ceiling.experiment];
    roof_jsonout_object(j, "ceiling", true);
    roof_jsonout_derived(j, "seconds", r->ceiling.seconds);
    roof_jsonout_string(j, "model", e->model);
    roof_jsonout_string(j, "layer", e->units[r->ceiling.unit].name);
    roof_jsonout_string(j, "from", r->ceiling.is_mean ? "mean" : "fastest_sample");
    roof_jsonout_string(j, "sentence", r->ceiling.sentence);
    roof_jsonout_end(j);
}

static void put_findings(roof_jsonout *j, const roof_reconciliation *r)
{
    roof_jsonout_array(j, "findings", false);
    for (uint32_t i = 0; i < r->n_findings; i++) {
        const roof_reconcile_finding *f = &r->findings[i];
        roof_jsonout_object(j, NULL, true);
        roof_jsonout_string(j, "kind", roof_finding_kind_text(f->kind));
        roof_jsonout_string(j, "model",
                            f->experiment == ROOF_NONE ? NULL : r->experiments[f->experiment].model);
        roof_jsonout_string(j, "layer", f->unit);
        roof_jsonout_string(j, "text", f->text);
        roof_jsonout_string(j, "advice", roof_finding_advice(f->kind));
        roof_jsonout_end(j);
    }
    roof_jsonout_end(j);
}

roof_status roof_reconcile_json(const roof_reconciliation *r, const roof_render_options *options,
                                roof_text *out, roof_error *err)
{
    roof_jsonout j;
    roof_jsonout_begin(&j, out);
    roof_jsonout_object(&j, NULL, false);
    roof_jsonout_string(&j, "schema", ROOF_RECONCILIATION_SCHEMA);
    roof_jsonout_array(&j, "verdict", false);
    for (uint32_t i = 0; i < r->n_verdict; i++)
        roof_jsonout_string(&j, NULL, r->verdict[i]);
    roof_jsonout_end(&j);
    roof_jsonout_array(&j, "experiments", false);
    for (uint32_t i = 0; i < r->n_experiments; i++)
        put_experiment(&j, &r->experiments[i]);
    roof_jsonout_end(&j);
    put_fit(&j, "overhead_fit", r, &r->fits[ROOF_FIT_OVERHEAD]);
    roof_jsonout_object(&j, "fits", false);
    put_fit(&j, "host", r, &r->fits[ROOF_FIT_HOST]);
    put_fit(&j, "boundary", r, &r->fits[ROOF_FIT_BOUNDARY]);
    roof_jsonout_end(&j);
    put_ceiling(&j, r);
    if (options->calibration)
        roof_calibration_put(&j, "calibration", options->calibration);
    else
        roof_jsonout_null(&j, "calibration");
    put_findings(&j, r);
    roof_jsonout_end(&j);
    return roof_text_status(out, err);
}
