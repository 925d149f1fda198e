/* The profiling overhead: a point for every model, the lines through them, how far the chosen one can be
 * trusted, and what it leaves over. With three models the band says more than the line. */
#include "reports/charts/chart_discs.h"
#include "roofline/words.h"

enum { BAND_STEPS = 60, MOST_NAMED = 24, NAME_PX = 150, RADIUS_PX = 5, WORDS_PX = 16 };

/* How far a band may enlarge the picture, as part of the height that points and lines take. */
#define BAND_ROOM 0.6

/* In the order of roof_reconciliation.fits. prefix: of blocks and variables of the script. */
static const struct {
    const char *prefix, *name, *y;
} words[ROOF_FITS] = {
    [ROOF_FIT_OVERHEAD] = {"overhead", "Overhead", "Per-layer run - latency"},
    [ROOF_FIT_HOST] = {"host", "Host", "Per-layer run - sum of layers"},
    [ROOF_FIT_BOUNDARY] = {"boundary", "Inside the layers", "Sum of layers - latency"},
};

static const char *const kinds[ROOF_LINE_KINDS] = {[ROOF_LINE_FREE] = "free line",
                                                   [ROOF_LINE_ORIGIN] = "through the origin",
                                                   [ROOF_LINE_ROBUST] = "robust line"};

/* A model. */
typedef struct point {
    double boundaries, y_s, residual_s, away_s; /* how far from the line */
    const char *model;
} point;

typedef struct panel {
    chart_figure *f; /* that of plane */
    const roof_reconciliation *r;
    int which;
    const roof_overhead_fit *fit;
    chart_scale scale;
    chart_plane plane; /* boundaries; scale.unit */
    bool band_leaves;
    point *points;
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

/* --- axes --------------------------------------------------------------------------------------------- */

/* A line through the origin means nothing where a constant is expected; the tables leave it out likewise. */
static bool is_shown(const panel *p, int kind)
{
    return p->fit->fit.lines[kind].known && (p->which == ROOF_FIT_OVERHEAD || kind != ROOF_LINE_ORIGIN);
}

/* Points and lines must be readable, the band may enlarge the picture by a little only. */
static void choose_axes(panel *p)
{
    const roof_fit *fit = &p->fit->fit;
    axis_extent x = EXTENT_EMPTY, y = EXTENT_EMPTY, band = EXTENT_EMPTY;
    chart_extent_take(&x, fit->x_max);
    p->plane.x = chart_axis_linear(x, 0.12);
    chart_extent_take(&y, 0);
    for (size_t i = 0; i < fit->n; i++)
        chart_extent_take(&y, p->fit->points_y[i]);
    for (int kind = 0; kind < ROOF_LINE_KINDS; kind++)
        for (int end = 0; end < 2 && is_shown(p, kind); end++)
            chart_extent_take(&y, on_line(&fit->lines[kind], end ? p->plane.x.max : 0));
    for (int end = 0; end < 2; end++) {
        double at = end ? p->plane.x.max : 0, half = roof_fit_mean_half_width(fit, fit->chosen, at);
        chart_extent_take(&band, on_line(chosen(p), at) - half);
        chart_extent_take(&band, on_line(chosen(p), at) + half);
    }
    double room = BAND_ROOM * (y.high - y.low), low = fmax(fmin(band.low, y.low), y.low - room),
           high = fmin(fmax(band.high, y.high), y.high + room);
    p->band_leaves = band.low < low || band.high > high;
    p->scale = chart_scale_of(fmax(fabs(low), fabs(high)));
    y = (axis_extent){low * p->scale.factor, high * p->scale.factor};
    chart_plane_set_axes(&p->plane, p->plane.x, chart_axis_linear(y, 0.06));
}

/* On the plane, from end to end of it. */
static plane_line line_of(const panel *p, const roof_line *line)
{
    double end = p->plane.x.max, factor = p->scale.factor;
    return (plane_line){0, on_line(line, 0) * factor, end, on_line(line, end) * factor};
}

/* Where they stand in the plane, or where their residuals do. */
static void name_points(const panel *p, const chart_plane *plane, bool at_residuals)
{
    double width = fmin(NAME_PX, (plane->area.right_px - plane->area.left_px) / 2.5);
    for (size_t i = 0; i < p->fit->fit.n && i < MOST_NAMED && p->points; i++) {
        const point *at = &p->points[i];
        chart_plane_name_point(plane, figure_shorten(p->f, at->model, LETTER_BOLD, width), at->boundaries,
                               (at_residuals ? at->residual_s : at->y_s) * p->scale.factor, RADIUS_PX, false);
    }
}

/* --- panels ------------------------------------------------------------------------------------------- */

/* "0.156 ms per boundary, 95 % [-0.21, 0.53]" */
static const char *estimate_words(const panel *p, const roof_estimate *e, const char *per)
{
    chart_scale u = chart_scale_of(10 * fabs(e->value)); /* from 0.1 ms on in ms, as in the tables */
    double value = fabs(u.factor * e->value);
    int digits = value < 1 ? 3 : value < 10 ? 2 : 1; /* three in all, as far as these estimates carry any */
    return figure_printf(p->f, "%.*f %s%s, 95 %% [%.*f, %.*f]", digits, u.factor * e->value, u.unit, per,
                         digits, u.factor * e->ci95_low, digits, u.factor * e->ci95_high);
}

/* Name and numbers of a fit, three lines. Returns where they end. */
static double put_words(const panel *p, double left_px, double right_px, double top_px)
{
    const roof_line *line = chosen(p);
    char said[ROOF_SENTENCE_SIZE];
    const char *lines[] = {
        figure_printf(p->f, "%s: %s", words[p->which].name, words[p->which].y),
        line->known ? estimate_words(p, &line->slope, " per boundary")
                    : roof_sentence(p->r, ROOF_SENTENCE_FIT, (uint32_t)p->which, said),
        line->known ? estimate_words(p, &line->intercept, " once") : NULL,
    };
    size_t n = line->known ? 3 : 2;
    for (size_t i = 0; i < n; i++) {
        letter_kind letter = i ? LETTER_SMALL : LETTER_BOLD;
        figure_put(p->f, left_px, top_px + 8 + (double)i * WORDS_PX, ANCHOR_LEFT, letter,
                   i ? COLOUR_MUTED : COLOUR_INK, figure_shorten(p->f, lines[i], letter, right_px - left_px));
    }
    return top_px + (double)n * WORDS_PX;
}

/* rest: below the panel, which shares the axis of boundaries with it; NULL: nothing is. */
static void put_panel(panel *p, const plot_area *rest)
{
    choose_axes(p);
    chart_plane_put_axes(&p->plane, rest, 36,
                         rest ? figure_printf(p->f, "%s [%s]", words[p->which].y, p->scale.unit) : NULL,
                         rest ? "Boundaries timed in one inference" : NULL);
    const roof_fit *fit = &p->fit->fit;
    chart_plane_block(&p->plane, "band", "boundaries\tfrom\tto: 95 % interval of the line's mean");
    for (int i = 0; i <= BAND_STEPS; i++) {
        double x = p->plane.x.max * i / BAND_STEPS, half = roof_fit_mean_half_width(fit, fit->chosen, x);
        double y = on_line(chosen(p), x);
        if (isfinite(half))
            FIGURE_ROW(p->f, x, (y - half) * p->scale.factor, (y + half) * p->scale.factor);
    }
    chart_plane_block(&p->plane, "chosen", "boundaries\tseconds, scaled");
    chart_plane_put_line(&p->plane, line_of(p, chosen(p)), 1);
    chart_plane_block(&p->plane, "others", "boundaries\tseconds, scaled");
    for (int kind = 0; kind < ROOF_LINE_KINDS; kind++) {
        if (kind == (int)p->fit->fit.chosen || !is_shown(p, kind))
            continue;
        chart_plane_put_line(&p->plane, line_of(p, &p->fit->fit.lines[kind]), 1);
        figure_gap(p->f);
    }
    size_t n = p->fit->fit.n;
    p->points = NEW_ARRAY(p->f->arena, point, n);
    chart_plane_block(&p->plane, "points", "boundaries\tseconds, scaled\tresidual\tmodel");
    for (size_t i = 0; i < n && p->points; i++) {
        double x = p->fit->points_x[i], y_s = p->fit->points_y[i], y = y_s * p->scale.factor;
        double residual_s = roof_overhead_residual(p->fit, p->fit->fit.chosen, i);
        p->points[i] =
            (point){x, y_s, residual_s, fabs(residual_s), p->r->experiments[p->fit->experiments[i]].model};
        FIGURE_NUMBERS(p->f, x, y, residual_s * p->scale.factor);
        figure_text(p->f, p->points[i].model);
        figure_end_row(p->f);
        chart_plane_avoid_point(&p->plane, x, y, RADIUS_PX);
    }
}

/* One of the other fits, small: names are those of the large one. */
static void put_small(panel *p, const plot_area *place)
{
    const double numbers_px = 40, below_px = 24;
    double top = put_words(p, place->left_px, place->right_px, place->top_px);
    p->plane.area =
        (plot_area){place->left_px + numbers_px, place->right_px, top + 8, place->bottom_px - below_px};
    bool is_drawn = chosen(p)->known && p->plane.area.bottom_px - p->plane.area.top_px > 50;
    chart_plane_set(&p->plane, "shown", is_drawn);
    if (!is_drawn)
        return;
    put_panel(p, NULL);
    figure_put(p->f, p->plane.area.left_px + 6, p->plane.area.top_px + 8, ANCHOR_LEFT, LETTER_SMALL,
               COLOUR_MUTED,
               figure_printf(p->f, "%s%s", p->scale.unit, p->band_leaves ? "; the band goes beyond" : ""));
}

static void put_large(panel *p, const plot_area *rest)
{
    put_panel(p, rest);
    figure_set_area(p->f, "residual", rest);
    chart_axis_title_left(p->f, rest, 36, "Residual");
    const char *text = p->band_leaves ? "pale: 95 % band of the bold line; it leaves the picture"
                                      : "pale: 95 % band of the bold line";
    text = figure_shorten(p->f, text, LETTER_SMALL, p->plane.area.right_px - p->plane.area.left_px - 12);
    figure_put(p->f, p->plane.area.left_px + 8, p->plane.area.top_px + 10, ANCHOR_LEFT, LETTER_SMALL,
               COLOUR_MUTED, text);
    if (p->points) /* the furthest are named first, since they are what one asks about */
        order_sort(p->points, p->fit->fit.n, sizeof *p->points, ORDER_BY(FALLING(point, away_s)));
    name_points(p, &p->plane, false);
    /* Along the lines, near their right ends, above them or below. */
    const along_line along = {.first = 0.95, .span = -0.9, .steps = 20};
    for (int kind = 0; kind < ROOF_LINE_KINDS; kind++) {
        bool is_chosen = kind == (int)p->fit->fit.chosen;
        if (!is_shown(p, kind))
            continue;
        chart_plane_label_line(
            &p->plane, figure_printf(p->f, "%s%s", kinds[kind], is_chosen ? ", chosen" : ""),
            is_chosen ? LETTER_BOLD : LETTER_SMALL, line_of(p, &p->fit->fit.lines[kind]), &along);
    }
    axis_extent e = EXTENT_EMPTY;
    chart_plane plane = {.f = p->f, .area = *rest};
    size_t n = p->points ? p->fit->fit.n : 0;
    for (size_t i = 0; i < n; i++)
        chart_extent_take(&e, p->points[i].residual_s * p->scale.factor);
    chart_plane_set_axes(&plane, p->plane.x, chart_axis_linear(e, 0.35));
    chart_axis_number(p->f, "residual-grid", &plane.y, AXIS_LEFT, rest);
    chart_axis_set(p->f, "residual_y", &plane.y);
    for (size_t i = 0; i < n; i++)
        chart_plane_avoid_upright(&plane, p->points[i].boundaries, p->points[i].residual_s * p->scale.factor,
                                  0, 4);
    name_points(p, &plane, true);
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* The other fits stand beside the large one; where the canvas is high they are words below it. */
static void lay_out(panel panels[ROOF_FITS], double top, double bottom)
{
    const double left = 74, column_px = 320, gap_px = 36, below_px = 50, words_px = 56;
    chart_figure *f = panels[0].f;
    const double rest_px = f->is_wide ? 96 : 90, foot = f->is_wide ? bottom : bottom - 2 * words_px;
    double right = f->canvas.width_px - AXIS_END_PX, split = right - column_px, middle = (top + bottom) / 2;
    double end = f->is_wide ? split - gap_px : right;
    const plot_area rest = {left, end, foot - below_px - rest_px, foot - below_px};
    const plot_area places[ROOF_FITS] = {[ROOF_FIT_HOST] = {split, right, top + 6, middle - 8},
                                         [ROOF_FIT_BOUNDARY] = {split, right, middle + 2, bottom - 4}};
    panels[ROOF_FIT_OVERHEAD].plane.area = (plot_area){left, end, top + 10, rest.top_px - 18};
    put_large(&panels[ROOF_FIT_OVERHEAD], &rest);
    for (int i = ROOF_FIT_HOST; i < ROOF_FITS; i++) {
        if (f->is_wide) {
            put_small(&panels[i], &places[i]);
            continue;
        }
        chart_plane_set(&panels[i].plane, "shown", 0);
        put_words(&panels[i], 16, right, foot + (i - ROOF_FIT_HOST) * words_px);
    }
}

static void draw(const chart_source *s, chart_figure *f)
{
    panel panels[ROOF_FITS], *large = &panels[ROOF_FIT_OVERHEAD];
    for (int i = 0; i < ROOF_FITS && s->reconciliation; i++)
        panels[i] = (panel){.f = f,
                            .plane = {.f = f, .prefix = words[i].prefix},
                            .r = s->reconciliation,
                            .which = i,
                            .fit = &s->reconciliation->fits[i]};
    if (!s->reconciliation || !chosen(large)->known)
        return;
    const roof_estimate *slope = &chosen(large)->slope;
    /* Where there is room, a remark says what the other line tells, and why it is not the one. */
    char why[ROOF_SENTENCE_SIZE] = "";
    const roof_fit *fit = &large->fit->fit;
    int other = fit->chosen == ROOF_LINE_ORIGIN ? ROOF_LINE_FREE : ROOF_LINE_ORIGIN;
    const roof_line *line = &fit->lines[other], *free_line = &fit->lines[ROOF_LINE_FREE];
    roof_sentence(s->reconciliation, ROOF_SENTENCE_FIT_REASON, (uint32_t)large->which, why);
    const char *subtitle = figure_printf(
        f, "%zu points, %u degree%s of freedom, %s%s%s. %s: %s; the free line's intercept: %s.", fit->n,
        chosen(large)->dof, say_plural(chosen(large)->dof), kinds[fit->chosen], f->is_wide ? ": " : "",
        f->is_wide ? why : "", other == ROOF_LINE_FREE ? "Free line" : "Through the origin",
        line->known ? estimate_words(large, &line->slope, " per boundary") : "unknown",
        free_line->known ? estimate_words(large, &free_line->intercept, "") : "unknown");
    const char *doubt = slope->ci95_low <= 0 && slope->ci95_high >= 0 ? ": not significant" : "";
    const plot_area page = chart_page(f,
                                      figure_printf(f, "Timing every layer costs %s%s",
                                                    estimate_words(large, slope, " per boundary"), doubt),
                                      subtitle, NULL, 0, chart_study_provenance(s->reconciliation, f));
    lay_out(panels, page.top_px, page.bottom_px);
    f->caption = figure_printf(
        f,
        "Each point is a model: how much longer an inference takes when every layer is timed, over the "
        "number of timed boundaries. The bold line is the chosen fit, its slope the profiling overhead of a "
        "boundary; the pale band is its 95 %% confidence band. Below, the residuals. %s",
        large->band_leaves ? "The band leaves the picture: there are too few models to narrow it." : "");
}

const chart_def chart_overhead = {.id = "overhead", .scope = CHART_STUDY, .draw = draw};
