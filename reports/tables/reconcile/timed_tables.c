#include "reports/tables/reconcile/reconcile_tables.h"

/* "FastFlowLM v0.9.38 q4_1 x 8": what tells curves of one model apart. */
static const char *made_by(const roof_timed_curve *c, roof_arena *arena)
{
    const char *const words[] = {c->stack, c->stack_version, c->weights};
    const char *text = "";
    for (size_t i = 0; i < N_OF(words); i++)
        if (words[i])
            text = say_printf(arena, "%s%s%s", text, *text ? " " : "", words[i]);
    return c->batch > 1 ? say_printf(arena, "%s%sx %u", text, *text ? " " : "", c->batch) : text;
}

static void begin(const reconcile_scope *s, cell_grid *grid, const grid_column *columns, size_t n)
{
    grid_begin(grid, s->arena, columns, n);
    grid->times = (grid_times){1e3, "[ms]", 2};
}

void timed_view_points(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("curve", 0), GRID_TEXT("by", 3), GRID_TEXT("on", 5), GRID_TEXT("what", 0),
                 GRID_NUMBER("tokens", NULL, 0), GRID_TIME("measured", 0), GRID_NUMBER("rate", "[/s]", 2),
                 GRID_TIME("bound", 0), GRID_PERCENT("bound/meas.", 4), GRID_TIME("expected", 1),
                 GRID_SCALED("error", "[%]", 1, .times = 100, .digits = 1, .format = FORMAT_SIGNED),
                 GRID_TIME("line", 2),
                 GRID_SCALED("left out", "[%]", 3, .times = 100, .digits = 1, .format = FORMAT_SIGNED),
                 GRID_TEXT("note", 1));
    const roof_reconciliation *r = s->r;
    begin(s, grid, columns, N_OF(columns));
    FOR_EACH(const roof_timed_curve, c, r->curves, r->n_curves) {
        for (uint32_t k = 0; k < c->n_points; k++) {
            const roof_timed_point *p = &r->curve_points[c->first_point + k];
            const bool is_named = !k || s->is_page;
            const double tokens = p->phase == ROOF_TEXT_DECODE ? c->batch : (double)c->batch * p->tokens;
            GRID_ADD(grid, cell_text(is_named ? c->model : ""),
                     cell_text(is_named ? made_by(c, s->arena) : ""),
                     cell_text(is_named ? text_or_empty(c->hardware) : ""),
                     cell_text(p->phase == ROOF_TEXT_DECODE ? "step" : "prompt"), cell_number(p->tokens, 0),
                     cell_value(p->seconds), cell_number(tokens / p->seconds, 1), cell_value(p->ideal_s),
                     cell_value(quotient_of(p->ideal_s, p->seconds)), cell_value(p->expected_s),
                     cell_value(quotient_of(p->expected_s, p->seconds) - 1), cell_value(p->fitted_s),
                     cell_value(p->left_out_ratio),
                     cell_text(p->doubt            ? "below its limit"
                               : p->is_stray       ? "far from the line"
                               : p->is_beyond_kink ? "another kernel"
                               : p->no_ideal       ? "no ideal"
                                                   : ""));
        }
    }
}

/* "15.08 (14.92..15.24)" in a match of 1 / times. */
static grid_cell estimate(const roof_estimate *e, double times, int digits, roof_arena *arena)
{
    if (isnan(e->value))
        return cell_number(NAN, 0);
    return cell_worded(say_printf(arena, "%.*f (%.*f..%.*f)", digits, times * e->value, digits,
                                  times * e->ci95_low, digits, times * e->ci95_high),
                       times * e->value, digits);
}

void timed_view_lines(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("a step of", 0), GRID_TEXT("by", 0), GRID_NUMBER("constant", "[ms]", 0),
                 GRID_NUMBER("of a token of context", "[ns]", 0), GRID_TIME("weights", 1),
                 GRID_TIME("launches, host", 1), GRID_SCALED("cache", "[GB/s]", 2, .over = 1e9, .digits = 1),
                 GRID_PERCENT("error", 3), GRID_PERCENT("left out", 2), GRID_NUMBER("kink at", NULL, 1));
    begin(s, grid, columns, N_OF(columns));
    FOR_EACH(const roof_timed_curve, c, s->r->curves, s->r->n_curves) {
        if (c->n_steps < 2)
            continue;
        GRID_ADD(grid, cell_text(c->model), cell_text(made_by(c, s->arena)),
                 estimate(&c->steps.constant_s, 1e3, 2, s->arena),
                 estimate(&c->steps.per_token_s, 1e9, 0, s->arena), cell_value(c->weights_s),
                 cell_value(c->launches_s), cell_value(c->cache_bytes_per_s),
                 cell_value(c->steps.error_ratio), cell_value(c->steps.left_out_ratio),
                 c->steps.kink_tokens ? cell_number(c->steps.kink_tokens, 0) : cell_empty);
    }
}

void timed_view_growths(const reconcile_scope *s, cell_grid *grid)
{
#define GROWN(title, rank)                                                                                   \
    GRID_SCALED(title, "[ms]", rank, .times = 1e3, .digits = 2, .format = FORMAT_SIGNED)
    GRID_COLUMNS(columns, GRID_NAME("what grew", 0), GRID_TEXT("from", 0), GRID_TEXT("to", 0),
                 GROWN("a step", 0), GROWN("weights", 0), GROWN("cache", 0), GROWN("launches, host", 0),
                 GROWN("rest", 2), GRID_TEXT("most", 1));
    begin(s, grid, columns, N_OF(columns));
    FOR_EACH(const roof_growth, g, s->r->growths, s->r->n_growths) {
        const roof_timed_curve *from = &s->r->curves[g->curves[0]], *to = &s->r->curves[g->curves[1]];
        const bool is_one = from == to;
        GRID_ADD(grid, cell_text(to->model),
                 cell_text(is_one ? say_printf(s->arena, "%u", g->tokens[0]) : made_by(from, s->arena)),
                 cell_text(is_one ? say_printf(s->arena, "%u", g->tokens[1])
                                  : say_printf(s->arena, "%s at %u", made_by(to, s->arena), g->tokens[1])),
                 cell_value(g->total_s), cell_value(g->weights_s), cell_value(g->cache_s),
                 cell_value(g->launches_s), cell_value(g->rest_s),
                 cell_text(roof_language_part_text(g->most)));
    }
}

/* --- constants of a stack ------------------------------------------------------------------------------- */

void timed_view_constants(const reconcile_scope *s, cell_grid *grid)
{
    /* How people see a constant: its unit, and so many of them are one of the document's. */
    static const struct {
        const char *of, *unit;
        double times;
        int digits;
    } units[] = {{"s/byte", "ms/GB", 1e12, 2}, {"s/token", "ns/token", 1e9, 1}, {"s", "ms", 1e3, 3}};
    GRID_COLUMNS(columns, GRID_NAME("constants of", 0), GRID_TEXT("constant", 0),
                 GRID_NUMBER("value", NULL, 0), GRID_TEXT("unit", 0),
                 GRID_NUMBER("without a model, from", NULL, 0), GRID_NUMBER("to", NULL, 0),
                 GRID_NUMBER("curves", NULL, 1), GRID_TEXT("note", 1));
    begin(s, grid, columns, N_OF(columns));
    FOR_EACH(const roof_stack_fit, f, s->r->stack_fits, s->r->n_stack_fits) {
        for (uint32_t k = 0; k < f->n_constants; k++) {
            const roof_stack_constant *c = &f->constants[k];
            const uint32_t at = NAMED_AT(units, N_OF(units) - 1, of, c->unit); /* or the last */
            const double times = units[at].times;
            const int digits = units[at].digits;
            const char *stack = say_printf(s->arena, "%s%s%s", f->stack ? f->stack : "one stack",
                                           f->stack_version ? " " : "", text_or_empty(f->stack_version));
            GRID_ADD(grid, cell_text(k && !s->is_page ? "" : stack), cell_text(c->name),
                     cell_number(times * c->value, digits), cell_text(units[at].unit),
                     cell_number(times * c->range[0], digits), cell_number(times * c->range[1], digits),
                     cell_number(c->curves, 0), cell_text(c->curves == 1 ? "of one model alone" : ""));
        }
    }
}

void timed_view_models(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(columns, GRID_NAME("by these constants", 0), GRID_TEXT("attention", 1),
                 GRID_PERCENT("error", 0), GRID_PERCENT("left out", 0), GRID_TEXT("note", 1));
    begin(s, grid, columns, N_OF(columns));
    for (uint32_t i = 0; i < s->r->n_stack_fits; i++)
        FOR_EACH(const roof_stack_model, m, s->r->stack_fits[i].models, s->r->stack_fits[i].n_models) {
            const roof_timed_curve *c = &s->r->curves[m->curve];
            GRID_ADD(grid, cell_text(c->model), cell_text(text_or_empty(c->attention)),
                     cell_value(m->error_ratio), cell_value(m->left_out_ratio),
                     cell_text(m->is_alone ? "its attention type or layer is in no other model" : ""));
        }
}
