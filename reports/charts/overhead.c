/* What timing costs: a point for every model, the lines through them, how far the chosen one can be trusted, and what it
 * leaves over. With three models the band says more than the line. */
#include "core/error.h"
#include "reports/chart_axes.h"
#include "reports/chart_legend.h"
#include "reports/chart_lines.h"
#include "reports/palette.h"
#include "roofline/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_STEPS = 60, MOST_NAMED = 24, NAME_PX = 150, RADIUS_PX = 5 };

/* How far a band may stretch the picture, as part of the height that points and lines take. */
#define BAND_ROOM 0.6

/* In the order of roof_reconciliation.fits. prefix: of blocks and variables of the script. */
static const struct {
    const char *prefix, *name, *y;
} words[ROOF_FITS] = {
    [ROOF_FIT_OVERHEAD] = {"overhead", "Overhead", "Layer by layer - bypass"},
    [ROOF_FIT_HOST] = {"host", "Host", "Layer by layer - sum of layers"},
    [ROOF_FIT_BOUNDARY] = {"boundary", "Inside the layers", "Sum of layers - bypass"},
};

static const char *const kinds[ROOF_LINE_KINDS] = {[ROOF_LINE_FREE] = "free line",
                                                   [ROOF_LINE_ORIGIN] = "through the origin",
                                                   [ROOF_LINE_ROBUST] = "robust line"};

typedef struct panel {
    chart_figure *f;
    const roof_reconciliation *r;
    int which;
    const roof_overhead_fit *fit;
    chart_scale scale;
    plot_area area;
    chart_axis x, y; /* boundaries; scale.unit */
    bool band_leaves;
} panel;

static const roof_line *chosen(const panel *p)
{
    return &p->fit->fit.lines[p->fit->fit.chosen];
}

/* Seconds on a line. */
static double on_line(const roof_line *line, double x)
{
    return line->intercept.value + line->slope.value * x;
}

static double x_px(const panel *p, double boundaries)
{
    return axis_px(&p->x, boundaries);
}

static double y_px(const panel *p, double seconds)
{
    return axis_px(&p->y, seconds * p->scale.factor);
}

/* --- axes --------------------------------------------------------------------------------------------- */

/* A line through the origin means nothing where a constant is expected; the tables leave it out likewise. */
static bool is_shown(const panel *p, int kind)
{
    return p->fit->fit.lines[kind].known && (p->which == ROOF_FIT_OVERHEAD || kind != ROOF_LINE_ORIGIN);
}

/* Points and lines must be readable, the band may stretch the picture by a little only. */
static void choose_axes(panel *p)
{
    const roof_fit *fit = &p->fit->fit;
    axis_extent x = EXTENT_EMPTY, y = EXTENT_EMPTY, band = EXTENT_EMPTY;
    extent_take(&x, fit->x_max);
    p->x = axis_linear(x, 0.12, p->area.left_px, p->area.right_px);
    extent_take(&y, 0);
    for (size_t i = 0; i < fit->n; i++)
        extent_take(&y, p->fit->points_y[i]);
    for (int kind = 0; kind < ROOF_LINE_KINDS; kind++)
        for (int end = 0; end < 2 && is_shown(p, kind); end++)
            extent_take(&y, on_line(&fit->lines[kind], end ? p->x.max : 0));
    for (int end = 0; end < 2; end++) {
        double at = end ? p->x.max : 0, half = roof_fit_mean_half_width(fit, fit->chosen, at);
        extent_take(&band, on_line(chosen(p), at) - half);
        extent_take(&band, on_line(chosen(p), at) + half);
    }
    double room = BAND_ROOM * (y.high - y.low), low = fmax(fmin(band.low, y.low), y.low - room),
           high = fmin(fmax(band.high, y.high), y.high + room);
    p->band_leaves = band.low < low || band.high > high;
    p->scale = chart_scale_of(fmax(fabs(low), fabs(high)));
    y = (axis_extent){low * p->scale.factor, high * p->scale.factor};
    p->y = axis_linear(y, 0.06, p->area.bottom_px, p->area.top_px);
}

static void set_axes(const panel *p)
{
    char name[40];
    snprintf(name, sizeof name, "%s_x", words[p->which].prefix);
    axis_set(p->f, name, &p->x);
    snprintf(name, sizeof name, "%s_y", words[p->which].prefix);
    axis_set(p->f, name, &p->y);
}

/* --- what is drawn ------------------------------------------------------------------------------------ */

static void begin_block(const panel *p, const char *what, const char *columns)
{
    char name[60];
    snprintf(name, sizeof name, "%s-%s", words[p->which].prefix, what);
    figure_block(p->f, name, columns);
}

static void put_band(const panel *p)
{
    const roof_fit *fit = &p->fit->fit;
    begin_block(p, "band", "boundaries\tfrom\tto: 95 % interval of the line's mean");
    for (int i = 0; i <= BAND_STEPS; i++) {
        double x = p->x.max * i / BAND_STEPS, half = roof_fit_mean_half_width(fit, fit->chosen, x);
        double y = on_line(chosen(p), x);
        if (!isfinite(half))
            continue;
        figure_number(p->f, x);
        figure_number(p->f, (y - half) * p->scale.factor);
        figure_number(p->f, (y + half) * p->scale.factor);
        figure_end_row(p->f);
    }
}

/* Names better keep off it. Only what lies within the picture is in the way. */
static line_in_px line_px(const panel *p, const roof_line *line)
{
    return (line_in_px){x_px(p, 0), y_px(p, on_line(line, 0)), x_px(p, p->x.max),
                        y_px(p, on_line(line, p->x.max))};
}

static void put_line(const panel *p, const roof_line *line)
{
    figure_xy(p->f, 0, on_line(line, 0) * p->scale.factor);
    figure_xy(p->f, p->x.max, on_line(line, p->x.max) * p->scale.factor);
    const line_in_px across = line_px(p, line);
    figure_avoid_line(p->f, &across, 1);
}

static void put_lines(const panel *p)
{
    begin_block(p, "chosen", "boundaries\tseconds, scaled");
    put_line(p, chosen(p));
    begin_block(p, "others", "boundaries\tseconds, scaled");
    for (int kind = 0; kind < ROOF_LINE_KINDS; kind++) {
        if (kind == (int)p->fit->fit.chosen || !is_shown(p, kind))
            continue;
        put_line(p, &p->fit->fit.lines[kind]);
        figure_gap(p->f);
    }
}

static const char *model_of(const panel *p, size_t point)
{
    return p->r->experiments[p->fit->experiments[point]].model;
}

static void put_points(const panel *p)
{
    const roof_overhead_fit *fit = p->fit;
    begin_block(p, "points", "boundaries\tseconds, scaled\tresidual\tmodel");
    for (size_t i = 0; i < fit->fit.n; i++) {
        figure_number(p->f, fit->points_x[i]);
        figure_number(p->f, fit->points_y[i] * p->scale.factor);
        figure_number(p->f, roof_overhead_residual(fit, fit->fit.chosen, i) * p->scale.factor);
        figure_text(p->f, model_of(p, i));
        figure_end_row(p->f);
        figure_avoid(p->f, (px_box){.x_px = x_px(p, fit->points_x[i]),
                                    .y_px = y_px(p, fit->points_y[i]),
                                    .half_width_px = RADIUS_PX,
                                    .half_height_px = RADIUS_PX});
    }
}

/* --- names -------------------------------------------------------------------------------------------- */

/* The points that are furthest from the line are named first, since they are what one asks about. */
static int further_first(const void *a, const void *b, void *fit_)
{
    const roof_overhead_fit *fit = fit_;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    double first = fabs(roof_overhead_residual(fit, fit->fit.chosen, i)),
           second = fabs(roof_overhead_residual(fit, fit->fit.chosen, k));
    return first != second ? (first > second ? -1 : 1) : i < k ? -1 : i > k;
}

static uint32_t *furthest_points(const panel *p)
{
    size_t n = p->fit->fit.n;
    uint32_t *order = NEW_ARRAY(p->f->arena, uint32_t, n);
    for (size_t i = 0; order && i < n; i++)
        order[i] = (uint32_t)i;
    if (order)
        qsort_r(order, n, sizeof *order, further_first, (void *)p->fit);
    p->f->failed = p->f->failed || !order;
    return order;
}

/* Returns how many could be named. */
static uint32_t name_points(const panel *p)
{
    const uint32_t *order = furthest_points(p);
    uint32_t named = 0;
    double width = fmin(NAME_PX, (p->area.right_px - p->area.left_px) / 2.5);
    for (size_t i = 0; order && i < p->fit->fit.n && i < MOST_NAMED; i++) {
        const char *name = figure_shorten(p->f, model_of(p, order[i]), LETTER_BOLD, width);
        named += figure_name_point(p->f, name, x_px(p, p->fit->points_x[order[i]]),
                                   y_px(p, p->fit->points_y[order[i]]), RADIUS_PX, &p->area);
    }
    return named;
}

/* Along a line, near its right end, above it or below. */
static void label_line(const panel *p, const roof_line *line, const char *text, letter_kind letter)
{
    const along_line along = {.first = 0.95, .span = -0.9, .steps = 20, .off_px = 3};
    const line_in_px across = line_px(p, line);
    const figure_text_label l = {
        .letter = letter, .colour = letter == LETTER_BOLD ? COLOUR_INK : COLOUR_MUTED, .text = text};
    figure_label_along(p->f, &l, &across, &along, &p->area);
}

static void label_lines(const panel *p)
{
    char text[80];
    for (int kind = 0; kind < ROOF_LINE_KINDS; kind++) {
        bool is_chosen = kind == (int)p->fit->fit.chosen;
        if (!is_shown(p, kind))
            continue;
        snprintf(text, sizeof text, "%s%s", kinds[kind], is_chosen ? ", chosen" : "");
        label_line(p, &p->fit->fit.lines[kind], text, is_chosen ? LETTER_BOLD : LETTER_SMALL);
    }
}

static void label_band(const panel *p)
{
    figure_text_label l = {.x_px = p->area.left_px + 8,
                           .y_px = p->area.top_px + 10,
                           .anchor = ANCHOR_LEFT,
                           .letter = LETTER_SMALL,
                           .colour = COLOUR_MUTED,
                           .text = p->band_leaves ? "pale: 95 % band of the bold line; it leaves the picture"
                                                  : "pale: 95 % band of the bold line"};
    l.text = figure_shorten(p->f, l.text, l.letter, p->area.right_px - p->area.left_px - 12);
    figure_label(p->f, &l);
}

/* --- residuals ---------------------------------------------------------------------------------------- */

static void put_residuals(const panel *p, const plot_area *area)
{
    axis_extent e = EXTENT_EMPTY;
    panel rest = *p;
    size_t n = p->fit->fit.n;
    double *y = NEW_ARRAY(p->f->arena, double, n);
    roof_overhead_fit fit = *p->fit; /* of a line that is zero everywhere */
    p->f->failed = p->f->failed || !y;
    for (size_t i = 0; y && i < n; i++) {
        y[i] = roof_overhead_residual(p->fit, p->fit->fit.chosen, i);
        extent_take(&e, y[i]);
    }
    if (!y)
        return;
    fit.points_y = y;
    fit.fit.lines[fit.fit.chosen].slope.value = fit.fit.lines[fit.fit.chosen].intercept.value = 0;
    rest.fit = &fit;
    rest.area = *area;
    e = (axis_extent){e.low * p->scale.factor, e.high * p->scale.factor};
    rest.y = axis_linear(e, 0.35, area->bottom_px, area->top_px);
    axis_number(p->f, "residual-grid", &rest.y, AXIS_LEFT, area);
    axis_set(p->f, "residual_y", &rest.y);
    for (size_t i = 0; i < n; i++)
        figure_avoid(p->f, (px_box){.x_px = x_px(&rest, fit.points_x[i]),
                                    .y_px = (y_px(&rest, y[i]) + y_px(&rest, 0)) / 2,
                                    .half_width_px = 4,
                                    .half_height_px = fabs(y_px(&rest, y[i]) - y_px(&rest, 0)) / 2 + 4});
    name_points(&rest);
}

/* --- panels ------------------------------------------------------------------------------------------- */

/* Three digits, as far as these estimates carry any. */
static int decimals_of(double value)
{
    return fabs(value) < 1 ? 3 : fabs(value) < 10 ? 2 : 1;
}

static void estimate_words(const roof_estimate *e, const char *per, char *text, size_t size)
{
    chart_scale u = chart_scale_of(10 * fabs(e->value)); /* from 0.1 ms on in ms, as in the tables */
    int digits = decimals_of(u.factor * e->value);
    snprintf(text, size, "%.*f %s%s, 95 %% [%.*f, %.*f]", digits, u.factor * e->value, u.unit, per, digits,
             u.factor * e->ci95_low, digits, u.factor * e->ci95_high);
}

static void put_left(chart_figure *f, double x_px, double *y_px, double width_px, letter_kind letter,
                     uint32_t colour, const char *text)
{
    figure_put(f, x_px, *y_px, ANCHOR_LEFT, letter, colour, figure_shorten(f, text, letter, width_px));
    *y_px += LEGEND_LINE_PX - 2;
}

/* Name and numbers of a fit, three lines. Returns where they end. */
static double put_words(const panel *p, double left_px, double right_px, double top_px)
{
    char text[200], said[ROOF_SENTENCE_SIZE];
    double y = top_px + 8, width = right_px - left_px;
    snprintf(text, sizeof text, "%s: %s", words[p->which].name, words[p->which].y);
    put_left(p->f, left_px, &y, width, LETTER_BOLD, COLOUR_INK, text);
    if (!chosen(p)->known) {
        put_left(p->f, left_px, &y, width, LETTER_SMALL, COLOUR_MUTED,
                 roof_sentence(p->r, ROOF_SENTENCE_FIT, (uint32_t)p->which, said));
        return y - 8;
    }
    estimate_words(&chosen(p)->slope, " per boundary", text, sizeof text);
    put_left(p->f, left_px, &y, width, LETTER_SMALL, COLOUR_MUTED, text);
    estimate_words(&chosen(p)->intercept, " once", text, sizeof text);
    put_left(p->f, left_px, &y, width, LETTER_SMALL, COLOUR_MUTED, text);
    return y - 8;
}

static void put_contents(const panel *p)
{
    set_axes(p);
    put_band(p);
    put_lines(p);
    put_points(p);
}

/* One of the other fits, small: names are those of the large one. */
static void put_small(panel *p, const plot_area *place)
{
    const double numbers_px = 40, below_px = 24;
    char name[40];
    double top = put_words(p, place->left_px, place->right_px, place->top_px);
    p->area = (plot_area){place->left_px + numbers_px, place->right_px, top + 8, place->bottom_px - below_px};
    bool is_drawn = chosen(p)->known && p->area.bottom_px - p->area.top_px > 50;
    snprintf(name, sizeof name, "%s_shown", words[p->which].prefix);
    figure_set(p->f, name, is_drawn);
    if (!is_drawn)
        return;
    figure_set_area(p->f, words[p->which].prefix, &p->area);
    choose_axes(p);
    snprintf(name, sizeof name, "%s-x-grid", words[p->which].prefix);
    axis_number(p->f, name, &p->x, AXIS_BELOW, &p->area);
    snprintf(name, sizeof name, "%s-y-grid", words[p->which].prefix);
    axis_number(p->f, name, &p->y, AXIS_LEFT, &p->area);
    char unit[60];
    snprintf(unit, sizeof unit, "%s%s", p->scale.unit, p->band_leaves ? "; the band goes beyond" : "");
    figure_put(p->f, p->area.left_px + 6, p->area.top_px + 8, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, unit);
    put_contents(p);
}

static void put_large(panel *p, const plot_area *rest)
{
    char text[120];
    figure_set_area(p->f, "overhead", &p->area);
    figure_set_area(p->f, "residual", rest);
    choose_axes(p);
    snprintf(text, sizeof text, "%s [%s]", words[p->which].y, p->scale.unit);
    axis_title_left(p->f, &p->area, 36, text);
    axis_title_left(p->f, rest, 36, "Residual");
    axis_title_below(p->f, rest, "Boundaries timed in one inference");
    axis_number(p->f, "overhead-x-grid", &p->x, AXIS_BELOW, rest);
    axis_number(p->f, "overhead-y-grid", &p->y, AXIS_LEFT, &p->area);
    put_contents(p);
    label_band(p);
    name_points(p);
    label_lines(p);
    put_residuals(p, rest);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static const char *title(const panel *p)
{
    char cost[120];
    const roof_line *line = chosen(p);
    bool includes_zero = line->slope.ci95_low <= 0 && line->slope.ci95_high >= 0;
    estimate_words(&line->slope, " per boundary", cost, sizeof cost);
    return figure_printf(p->f, "Timing every layer costs %s%s", cost,
                         includes_zero ? ": it cannot be told from nothing" : "");
}

/* What the other line says, and why it is not the one, where there is room for it. */
static const char *subtitle(const panel *p)
{
    char slope[120] = "unknown", once[120] = "unknown", why[ROOF_SENTENCE_SIZE] = "";
    const roof_fit *fit = &p->fit->fit;
    int other = fit->chosen == ROOF_LINE_ORIGIN ? ROOF_LINE_FREE : ROOF_LINE_ORIGIN;
    bool is_wide = p->f->canvas.width_px > p->f->canvas.height_px;
    if (is_wide)
        roof_sentence(p->r, ROOF_SENTENCE_FIT_REASON, (uint32_t)p->which, why);
    if (fit->lines[other].known)
        estimate_words(&fit->lines[other].slope, " per boundary", slope, sizeof slope);
    if (fit->lines[ROOF_LINE_FREE].known)
        estimate_words(&fit->lines[ROOF_LINE_FREE].intercept, "", once, sizeof once);
    return figure_printf(p->f,
                         "%zu points, %u degree%s of freedom, %s%s%s. %s: %s; the free line's "
                         "intercept: %s.",
                         fit->n, chosen(p)->dof, chosen(p)->dof == 1 ? "" : "s", kinds[fit->chosen],
                         is_wide ? ": " : "", why,
                         other == ROOF_LINE_FREE ? "Free line" : "Through the origin", slope, once);
}

static void lay_out_wide(panel panels[ROOF_FITS], double top, double bottom)
{
    const double left = 74, column_px = 320, gap_px = 36, rest_px = 96, below_px = 50;
    double right = panels[0].f->canvas.width_px - AXIS_END_PX, split = right - column_px;
    plot_area rest = {left, split - gap_px, bottom - below_px - rest_px, bottom - below_px};
    panels[ROOF_FIT_OVERHEAD].area = (plot_area){left, split - gap_px, top + 10, rest.top_px - 18};
    double middle = (top + bottom) / 2;
    const plot_area places[ROOF_FITS] = {[ROOF_FIT_HOST] = {split, right, top + 6, middle - 8},
                                         [ROOF_FIT_BOUNDARY] = {split, right, middle + 2, bottom - 4}};
    put_large(&panels[ROOF_FIT_OVERHEAD], &rest);
    for (int i = ROOF_FIT_HOST; i < ROOF_FITS; i++)
        put_small(&panels[i], &places[i]);
}

/* Where it is high the other fits are words only. */
static void lay_out_high(panel panels[ROOF_FITS], double top, double bottom)
{
    const double left = 74, rest_px = 90, below_px = 50, words_px = 56;
    double right = panels[0].f->canvas.width_px - AXIS_END_PX, y = bottom - 2 * words_px;
    plot_area rest = {left, right, y - below_px - rest_px, y - below_px};
    panels[ROOF_FIT_OVERHEAD].area = (plot_area){left, right, top + 10, rest.top_px - 18};
    put_large(&panels[ROOF_FIT_OVERHEAD], &rest);
    for (int i = ROOF_FIT_HOST; i < ROOF_FITS; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s_shown", words[i].prefix);
        figure_set(panels[i].f, name, 0);
        put_words(&panels[i], 16, right, y);
        y += words_px;
    }
}

static roof_status draw(const chart_source *s, chart_figure *f, bool *is_empty, roof_error *err)
{
    panel panels[ROOF_FITS];
    (void)err;
    for (int i = 0; i < ROOF_FITS && s->reconciliation; i++)
        panels[i] = (panel){.f = f, .r = s->reconciliation, .which = i, .fit = &s->reconciliation->fits[i]};
    *is_empty = !s->reconciliation || !chosen(&panels[ROOF_FIT_OVERHEAD])->known;
    if (*is_empty)
        return ROOF_OK;
    double top = figure_head(f, title(&panels[ROOF_FIT_OVERHEAD]), subtitle(&panels[ROOF_FIT_OVERHEAD]));
    double bottom = figure_foot(f, chart_study_provenance(s->reconciliation, f));
    if (f->canvas.width_px > f->canvas.height_px)
        lay_out_wide(panels, top, bottom);
    else
        lay_out_high(panels, top, bottom);
    figure_caption(f,
                   "Each point is a model: how much longer an inference takes when every layer is "
                   "timed, over the boundaries "
                   "at which it is. The bold line is the one to use, its slope the cost of a boundary; "
                   "the pale band holds "
                   "the true line with 95 %% confidence. Below, what the bold line leaves over. %s",
                   panels[ROOF_FIT_OVERHEAD].band_leaves
                       ? "The band leaves the picture: so few models hardly bound the line."
                       : "");
    return ROOF_OK;
}

const chart_def chart_overhead = {
    .id = "overhead", .name = "What timing costs", .scope = CHART_STUDY, .draw = draw};
