/* Curves in the document of a reconciliation, and as CSV. */
#include "measure/matches/match_facts.h"
#include "reports/tables/reconcile/reconcile_tables.h"

/* A measured time and its curve, as columns find them. */
typedef struct timed_row {
    const roof_reconciliation *r;
    const roof_timed_curve *curve;
    const roof_timed_point *point;
} timed_row;

GRID_CELL(point_phase, timed_row, t, cell_text(t->point->phase == ROOF_TEXT_DECODE ? "decode" : "prefill"))
GRID_CELL(point_doubt, timed_row, t, cell_text(t->point->doubt ? roof_point_doubt_text(t->point->doubt) : ""))

static grid_cell basis_of_weights(const grid_row *row)
{
    static const char *const bases[] = {"", "bound", "expected", "fitted"};
    return cell_text(bases[((const roof_timed_curve *)row->is)->weights_basis]);
}

#define CURVE(name, member, from)                                                                            \
    GRID_VIA(name, timed_row, curve, roof_timed_curve, member, from, .title = NULL)
#define POINT(name, member, from)                                                                            \
    GRID_VIA(name, timed_row, point, roof_timed_point, member, from, .title = NULL)
#define NOTE(member_, from_)                                                                                 \
    {                                                                                                        \
        .json = #member_, .from = FROM_##from_, .via = offsetof(timed_row, point) + 1,                       \
        .at = offsetof(roof_timed_point, member_), .is_optional = true                                       \
    }
#define OF_CURVES                                                                                            \
    CURVE("model", model, TEXT), CURVE("hardware", hardware, TEXT), CURVE("stack", stack, TEXT),             \
        CURVE("stack_version", stack_version, TEXT), CURVE("weight_type", weights, TEXT),                    \
        CURVE("cache_type", cache, TEXT), CURVE("batch", batch, SMALL)
#define OF_POINTS                                                                                            \
    GRID_BY("phase", point_phase, .title = NULL), POINT("tokens", tokens, SMALL),                            \
        POINT("measured_s", seconds, VALUE), POINT("ideal_s", ideal_s, VALUE), NOTE(no_ideal, TEXT),         \
        POINT("predicted_s", expected_s, VALUE), POINT("fitted_s", fitted_s, VALUE),                         \
        POINT("left_out_ratio", left_out_ratio, VALUE), NOTE(is_stray, FLAG), NOTE(is_beyond_kink, FLAG),    \
        GRID_BY("impossible", point_doubt, .is_optional = true)

static const grid_column csv_columns[] = {OF_CURVES, OF_POINTS}, point_members[] = {OF_POINTS};

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void put_points(jsonout *json, const char *key, const grid_row *row)
{
    timed_row of = *(const timed_row *)row->is;
    jsonout_array(json, key, false);
    for (uint32_t k = 0; k < of.curve->n_points; k++) {
        of.point = &of.r->curve_points[of.curve->first_point + k];
        jsonout_object(json, NULL, true);
        GRID_MEMBERS(json, point_members, &of, row->arena);
        jsonout_end(json);
    }
    jsonout_end(json);
}

#define STEPS(name, member, from) GRID_AS(name, roof_timed_curve, member, from, .title = NULL)
static const grid_column steps_members[] = {
    GRID_AS("not_fitted", roof_timed_curve, steps.not_known, TEXT, .is_optional = true),
    STEPS("constant_s", steps.constant_s.value, VALUE),
    GRID_PAIR("constant_ci95_s", roof_timed_curve, steps.constant_s.ci95_low),
    STEPS("per_token_s", steps.per_token_s.value, VALUE),
    GRID_PAIR("per_token_ci95_s", roof_timed_curve, steps.per_token_s.ci95_low),
    STEPS("weights_s", weights_s, VALUE),
    STEPS("launches_s", launches_s, VALUE),
    GRID_BY("weights_by", basis_of_weights, .title = NULL),
    STEPS("cache_bytes_per_s", cache_bytes_per_s, VALUE),
    STEPS("points", steps.points, SMALL),
    STEPS("scatter_ratio", steps.scatter_ratio, VALUE),
    STEPS("error_ratio", steps.error_ratio, VALUE),
    STEPS("left_out_ratio", steps.left_out_ratio, VALUE),
    STEPS("kink_tokens", steps.kink_tokens, SIZE),
    STEPS("kink_ratio", steps.kink_ratio, VALUE),
};

static const grid_column curve_members[] = {
    OF_CURVES,
    CURVE("attention", attention, TEXT),
    CURVE("weight_bytes", weight_bytes, COUNT),
    GRID_NESTED("points", put_points),
    {.json = "steps",
     .from = FROM_OBJECT,
     .via = offsetof(timed_row, curve) + 1,
     .items = steps_members,
     .n_items = N_OF(steps_members)},
};

static void put_curves(jsonout *json, const char *key, const grid_row *row)
{
    const roof_reconciliation *r = row->is;
    jsonout_array(json, key, false);
    for (uint32_t i = 0; i < r->n_curves; i++) {
        const timed_row of = {r, &r->curves[i], NULL};
        jsonout_object(json, NULL, false);
        GRID_MEMBERS(json, curve_members, &of, row->arena);
        jsonout_end(json);
    }
    jsonout_end(json);
}

GRID_CELL(most_grown, roof_growth, is, cell_text(roof_language_part_text(is->most)))
GRID_CELL(name_of_model, roof_stack_model, m,
          cell_text(((const roof_reconciliation *)row->of)->curves[m->curve].model))

#define OF(type, member, from)           GRID_OF(type, member, from, .title = NULL)
#define CALLED(name, type, member, from) GRID_AS(name, type, member, from, .title = NULL)
static const grid_column growth_members[] = {CALLED("from_curve", roof_growth, curves[0], SMALL),
                                             CALLED("to_curve", roof_growth, curves[1], SMALL),
                                             CALLED("from_tokens", roof_growth, tokens[0], SMALL),
                                             CALLED("to_tokens", roof_growth, tokens[1], SMALL),
                                             OF(roof_growth, total_s, VALUE),
                                             OF(roof_growth, weights_s, VALUE),
                                             OF(roof_growth, cache_s, VALUE),
                                             OF(roof_growth, launches_s, VALUE),
                                             OF(roof_growth, rest_s, VALUE),
                                             GRID_BY("most", most_grown, .title = NULL)};
static const grid_column constant_members[] = {
    OF(roof_stack_constant, name, TEXT), OF(roof_stack_constant, unit, TEXT),
    OF(roof_stack_constant, value, VALUE), GRID_PAIR("range", roof_stack_constant, range),
    OF(roof_stack_constant, curves, SMALL)};
static const grid_column model_members[] = {
    GRID_BY("model", name_of_model, .title = NULL), OF(roof_stack_model, curve, SMALL),
    OF(roof_stack_model, error_ratio, VALUE), OF(roof_stack_model, left_out_ratio, VALUE),
    OF(roof_stack_model, is_alone, FLAG)};
static const grid_column fit_members[] = {
    OF(roof_stack_fit, stack, TEXT),
    OF(roof_stack_fit, stack_version, TEXT),
    OF(roof_stack_fit, hardware, TEXT),
    GRID_AS("not_fitted", roof_stack_fit, not_known, TEXT, .is_optional = true),
    GRID_ITEMS("constants", roof_stack_fit, constants, n_constants, constant_members, true),
    GRID_ITEMS("models", roof_stack_fit, models, n_models, model_members, true),
    OF(roof_stack_fit, points, SMALL),
    CALLED("error_median_ratio", roof_stack_fit, error_median, VALUE),
    CALLED("error_mean_ratio", roof_stack_fit, error_mean, VALUE),
    CALLED("left_out_median_ratio", roof_stack_fit, left_out_median, VALUE),
    CALLED("left_out_mean_ratio", roof_stack_fit, left_out_mean, VALUE),
    CALLED("alone_median_ratio", roof_stack_fit, alone_median, VALUE),
    CALLED("alone_mean_ratio", roof_stack_fit, alone_mean, VALUE),
};
static const grid_column members[] = {
    GRID_NESTED("curves", put_curves),
    GRID_ITEMS("growths", roof_reconciliation, growths, n_growths, growth_members, true),
    GRID_ITEMS("stack_fits", roof_reconciliation, stack_fits, n_stack_fits, fit_members, false),
};

void timed_put_json(jsonout *json, const roof_reconciliation *r, roof_arena *arena)
{
    if (r->n_curves)
        GRID_MEMBERS(json, members, r, arena);
}

/* --- CSV ------------------------------------------------------------------------------------------------ */

bool timed_put_csv(const roof_reconciliation *r, roof_arena *arena, textbuf *out)
{
    cell_grid grid;
    if (!reconciliation_is_of_curves(r))
        return false;
    grid_begin_csv(&grid, arena, csv_columns, N_OF(csv_columns), out);
    for (uint32_t i = 0; i < r->n_curves; i++)
        for (uint32_t k = 0; k < r->curves[i].n_points; k++) {
            const timed_row row = {r, &r->curves[i], &r->curve_points[r->curves[i].first_point + k]};
            grid_add_row(&grid, &row, r);
        }
    return true;
}
