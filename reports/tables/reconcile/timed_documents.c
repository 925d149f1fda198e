/* Curves in the document of a reconciliation, and as CSV. */
#include "reports/tables/reconcile/timed_tables.h"
#include "measure/units/unit_facts.h"

#include <math.h>

static const char *phase_text(roof_text_phase phase)
{
    return phase == ROOF_TEXT_DECODE ? "decode" : "prefill";
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void put_estimate(jsonout *j, const char *key, const char *ci_key, const roof_estimate *e)
{
    const double ci95[] = {e->ci95_low, e->ci95_high};
    jsonout_derived(j, key, e->value);
    jsonout_derived_pair(j, ci_key, ci95);
}

static void put_point(jsonout *j, const roof_timed_point *p)
{
    jsonout_object(j, NULL, true);
    jsonout_string(j, "phase", phase_text(p->phase));
    jsonout_count(j, "tokens", p->tokens);
    jsonout_derived(j, "measured_s", p->seconds);
    jsonout_derived(j, "ideal_s", p->ideal_s);
    if (p->no_ideal)
        jsonout_string(j, "no_ideal", p->no_ideal);
    jsonout_derived(j, "predicted_s", p->expected_s);
    jsonout_derived(j, "fitted_s", p->fitted_s);
    jsonout_derived(j, "left_out_ratio", p->left_out_ratio);
    if (p->is_stray)
        jsonout_bool(j, "is_stray", true);
    if (p->is_beyond_kink)
        jsonout_bool(j, "is_beyond_kink", true);
    if (p->doubt)
        jsonout_string(j, "impossible", roof_point_doubt_text(p->doubt));
    jsonout_end(j);
}

static void put_steps(jsonout *j, const roof_timed_curve *c)
{
    static const char *const bases[] = {[ROOF_WEIGHTS_BOUND] = "bound",
                                        [ROOF_WEIGHTS_EXPECTED] = "expected",
                                        [ROOF_WEIGHTS_FITTED] = "fitted"};
    const roof_step_fit *f = &c->steps;
    jsonout_object(j, "steps", false);
    if (f->not_known)
        jsonout_string(j, "not_fitted", f->not_known);
    put_estimate(j, "constant_s", "constant_ci95_s", &f->constant_s);
    put_estimate(j, "per_token_s", "per_token_ci95_s", &f->per_token_s);
    jsonout_derived(j, "weights_s", c->weights_s);
    jsonout_derived(j, "launches_s", c->launches_s);
    jsonout_string(j, "weights_by", bases[c->weights_basis]);
    jsonout_derived(j, "cache_bytes_per_s", c->cache_bytes_per_s);
    jsonout_count(j, "points", f->points);
    jsonout_derived(j, "scatter_ratio", f->scatter_ratio);
    jsonout_derived(j, "error_ratio", f->error_ratio);
    jsonout_derived(j, "left_out_ratio", f->left_out_ratio);
    jsonout_count(j, "kink_tokens", f->kink_tokens ? f->kink_tokens : ROOF_UNKNOWN);
    jsonout_derived(j, "kink_ratio", f->kink_tokens ? f->kink_ratio : (double)NAN);
    jsonout_end(j);
}

static void put_curves(jsonout *j, const roof_reconciliation *r)
{
    jsonout_array(j, "curves", false);
    for (uint32_t i = 0; i < r->n_curves; i++) {
        const roof_timed_curve *c = &r->curves[i];
        jsonout_object(j, NULL, false);
        jsonout_string(j, "model", c->model);
        jsonout_string(j, "hardware", c->hardware);
        jsonout_string(j, "stack", c->stack);
        jsonout_string(j, "stack_version", c->stack_version);
        jsonout_string(j, "weight_type", c->weights);
        jsonout_string(j, "cache_type", c->cache);
        jsonout_count(j, "batch", c->batch);
        jsonout_string(j, "attention", c->attention);
        jsonout_count(j, "weight_bytes", c->weight_bytes);
        jsonout_array(j, "points", false);
        for (uint32_t k = 0; k < c->n_points; k++)
            put_point(j, &r->curve_points[c->first_point + k]);
        jsonout_end(j);
        put_steps(j, c);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_growths(jsonout *j, const roof_reconciliation *r)
{
    jsonout_array(j, "growths", false);
    for (uint32_t i = 0; i < r->n_growths; i++) {
        const roof_growth *g = &r->growths[i];
        jsonout_object(j, NULL, true);
        jsonout_count(j, "from_curve", g->curves[0]);
        jsonout_count(j, "to_curve", g->curves[1]);
        jsonout_count(j, "from_tokens", g->tokens[0]);
        jsonout_count(j, "to_tokens", g->tokens[1]);
        jsonout_derived(j, "total_s", g->total_s);
        jsonout_derived(j, "weights_s", g->weights_s);
        jsonout_derived(j, "cache_s", g->cache_s);
        jsonout_derived(j, "launches_s", g->launches_s);
        jsonout_derived(j, "rest_s", g->rest_s);
        jsonout_string(j, "most", roof_language_part_text(g->most));
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_fit(jsonout *j, const roof_reconciliation *r, const roof_stack_fit *f)
{
    jsonout_object(j, NULL, false);
    jsonout_string(j, "stack", f->stack);
    jsonout_string(j, "stack_version", f->stack_version);
    jsonout_string(j, "hardware", f->hardware);
    if (f->not_known)
        jsonout_string(j, "not_fitted", f->not_known);
    jsonout_array(j, "constants", false);
    for (uint32_t i = 0; i < f->n_constants; i++) {
        const roof_stack_constant *c = &f->constants[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "name", c->name);
        jsonout_string(j, "unit", c->unit);
        jsonout_derived(j, "value", c->value);
        jsonout_derived_pair(j, "range", c->range);
        jsonout_count(j, "curves", c->curves);
        jsonout_end(j);
    }
    jsonout_end(j);
    jsonout_array(j, "models", false);
    for (uint32_t i = 0; i < f->n_models; i++) {
        const roof_stack_model *m = &f->models[i];
        jsonout_object(j, NULL, true);
        jsonout_string(j, "model", r->curves[m->curve].model);
        jsonout_count(j, "curve", m->curve);
        jsonout_derived(j, "error_ratio", m->error_ratio);
        jsonout_derived(j, "left_out_ratio", m->left_out_ratio);
        jsonout_bool(j, "is_alone", m->is_alone);
        jsonout_end(j);
    }
    jsonout_end(j);
    jsonout_count(j, "points", f->points);
    jsonout_derived(j, "error_median_ratio", f->error_median);
    jsonout_derived(j, "error_mean_ratio", f->error_mean);
    jsonout_derived(j, "left_out_median_ratio", f->left_out_median);
    jsonout_derived(j, "left_out_mean_ratio", f->left_out_mean);
    jsonout_derived(j, "alone_median_ratio", f->alone_median);
    jsonout_derived(j, "alone_mean_ratio", f->alone_mean);
    jsonout_end(j);
}

void timed_put_json(jsonout *j, const roof_reconciliation *r)
{
    if (!r->n_curves)
        return;
    put_curves(j, r);
    put_growths(j, r);
    jsonout_array(j, "stack_fits", false);
    for (uint32_t i = 0; i < r->n_stack_fits; i++)
        put_fit(j, r, &r->stack_fits[i]);
    jsonout_end(j);
}

/* --- CSV ------------------------------------------------------------------------------------------------ */

bool timed_put_csv(const roof_reconciliation *r, roof_arena *arena, textbuf *out)
{
    GRID_COLUMNS(
        columns, GRID_CSV("model"), GRID_CSV("hardware"), GRID_CSV("stack"), GRID_CSV("stack_version"),
        GRID_CSV("weight_type"), GRID_CSV("cache_type"), GRID_COLUMN(NUMBER, NULL, NULL, "batch", 0),
        GRID_CSV("phase"), GRID_COLUMN(NUMBER, NULL, NULL, "tokens", 0),
        GRID_COLUMN(NUMBER, NULL, NULL, "measured_s", 0), GRID_COLUMN(NUMBER, NULL, NULL, "ideal_s", 0),
        GRID_COLUMN(NUMBER, NULL, NULL, "predicted_s", 0), GRID_COLUMN(NUMBER, NULL, NULL, "fitted_s", 0),
        GRID_COLUMN(NUMBER, NULL, NULL, "left_out_ratio", 0), GRID_CSV("impossible"));
    cell_grid grid;
    if (!reconciliation_is_of_curves(r))
        return false;
    grid_begin_csv(&grid, arena, columns, sizeof columns / sizeof *columns, out);
    for (uint32_t i = 0; i < r->n_curves; i++) {
        const roof_timed_curve *c = &r->curves[i];
        for (uint32_t k = 0; k < c->n_points; k++) {
            const roof_timed_point *p = &r->curve_points[c->first_point + k];
            GRID_ADD(&grid, cell_text(c->model), cell_text(text_or_empty(c->hardware)),
                     cell_text(text_or_empty(c->stack)), cell_text(text_or_empty(c->stack_version)),
                     cell_text(text_or_empty(c->weights)), cell_text(text_or_empty(c->cache)),
                     cell_count(c->batch), cell_text(phase_text(p->phase)), cell_count(p->tokens),
                     cell_value(p->seconds), cell_value(p->ideal_s), cell_value(p->expected_s),
                     cell_value(p->fitted_s), cell_value(p->left_out_ratio),
                     cell_text(p->doubt ? roof_point_doubt_text(p->doubt) : ""));
        }
    }
    return true;
}
