/* Ideal against measured: how many times its bound each layer takes, and what is left when the cost of timing is taken
 * off. Both axes are logarithmic and the same, so that a factor is a distance from the diagonal, wherever a layer is. */
#include "core/error.h"
#include "core/quantity.h"
#include "reports/chart_axes.h"
#include "reports/chart_legend.h"
#include "reports/chart_lines.h"
#include "reports/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DRAWN = 1000, MOST_DROPS = 100, MOST_OBSTACLES = 300, MOST_NUMBERS = 16 };

#define FULL_RADIUS_PX  40.0
#define LEAST_RADIUS_PX 2.0

/* Points nearer than this look like one. */
#define NEAR_PX 7.0

/* How many times the bound, with a line each. */
static const double factors[] = {1, 2, 5, 10};

typedef struct drawing {
    chart_figure *f;
    const roof_reconciled *e;
    chart_rows rows;
    chart_scale scale;
    plot_area plot, legend;
    chart_axis x, y;                     /* in scale.unit */
    uint32_t drawn[MOST_DRAWN], n_drawn; /* rows, the longest first */
    uint32_t by_gap[MOST_DRAWN];         /* the same rows: impossible ones first, then the largest gap */
    uint32_t n_numbers;                  /* of by_gap that have a number and a line in the legend */
    uint32_t n_left_out, n_small, n_impossible, n_above;
    double left_out_share, longest_s;
    bool has_overhead, has_host, has_estimated;
    const chart_row *sum; /* of the layers that the profile does not list; NULL: it lists all */
} drawing;

/* --- what is drawn ------------------------------------------------------------------------------------ */

static const chart_row *row_of(const drawing *d, uint32_t index)
{
    return &d->rows.rows[index];
}

static bool has_place(const chart_row *row)
{
    return row->number && row->ideal_s > 0 && row->measured_s > 0 && isfinite(row->ideal_s) &&
           isfinite(row->measured_s);
}

/* Stands for all layers that the profile only sums up: no layer, and as heavy as all of them. */
static bool is_sum(const chart_row *row)
{
    return !row->number && row->measured_s > 0 && row->ideal_s > 0;
}

static bool is_impossible(const chart_row *row)
{
    return row->verdict == ROOF_VERDICT_IMPOSSIBLE;
}

/* Below its bound without a doubt comes first, the largest gap next. */
static int larger_gap_first(const void *a, const void *b, void *rows_)
{
    const chart_row *rows = rows_;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    double gaps[] = {rows[i].gap_s, rows[k].gap_s};
    if (is_impossible(&rows[i]) != is_impossible(&rows[k]))
        return is_impossible(&rows[i]) ? -1 : 1;
    if (gaps[0] != gaps[1] && !isnan(gaps[0]) && !isnan(gaps[1]))
        return (gaps[0] > gaps[1]) == !is_impossible(&rows[i]) ? -1 : 1;
    return i < k ? -1 : i > k;
}

/* How many rows are below their bound; where there are too many rows to draw, these have a half to themselves. */
static uint32_t count_impossible(const drawing *d)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->rows.n; i++)
        n += has_place(&d->rows.rows[i]) && is_impossible(&d->rows.rows[i]);
    return n;
}

static void count_slow(drawing *d, const chart_row *row)
{
    d->n_above += row->gap_s > 0;
    d->has_overhead = d->has_overhead || row->overhead_s > 0;
    d->has_host = d->has_host || row->host_s > 0;
}

/* What is taken off of measured times; "" for nothing. */
static const char *taken_off(const drawing *d)
{
    if (d->has_host)
        return d->has_overhead ? "the cost of timing and the host's part" : "the host's part";
    return d->has_overhead ? "the cost of timing" : "";
}

static void choose(drawing *d)
{
    d->n_impossible = count_impossible(d);
    uint32_t reserved = d->n_impossible < MOST_DRAWN / 2 ? d->n_impossible : MOST_DRAWN / 2;
    uint32_t room[] = {MOST_DRAWN - reserved, reserved};
    for (uint32_t i = 0; i < d->rows.n; i++) {
        uint32_t index = d->rows.by_time[i];
        const chart_row *row = row_of(d, index);
        if (has_place(row))
            count_slow(d, row);
        if (is_sum(row)) {
            d->sum = row;
        } else if (!has_place(row)) {
            d->n_left_out++;
            d->left_out_share += row->share_ratio;
        } else if (room[is_impossible(row)]) {
            room[is_impossible(row)]--;
            d->drawn[d->n_drawn++] = index;
            d->has_estimated = d->has_estimated || row->is_estimated;
        } else {
            d->n_small++;
        }
    }
    memcpy(d->by_gap, d->drawn, d->n_drawn * sizeof *d->by_gap);
    qsort_r(d->by_gap, d->n_drawn, sizeof *d->by_gap, larger_gap_first, d->rows.rows);
}

/* --- axes --------------------------------------------------------------------------------------------- */

/* 1, 2 or 5 of a decade, at value or below. */
static double round_down(double value)
{
    double power = pow(10, floor(log10(value)));
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

static double x_px(const drawing *d, double seconds)
{
    return axis_px(&d->x, seconds * d->scale.factor);
}

static double y_px(const drawing *d, double seconds)
{
    return axis_px(&d->y, seconds * d->scale.factor);
}

static double radius_of(const chart_row *row)
{
    return disc_radius_px(row->share_ratio, FULL_RADIUS_PX, LEAST_RADIUS_PX);
}

static void set_axes(drawing *d, double low, double high)
{
    d->x = (chart_axis){
        .min = low, .max = high, .is_log = true, .from_px = d->plot.left_px, .to_px = d->plot.right_px};
    d->y = d->x;
    d->y.from_px = d->plot.bottom_px;
    d->y.to_px = d->plot.top_px;
}

static bool reaches_out(const drawing *d, bool at_top)
{
    for (uint32_t i = 0; i < d->n_drawn; i++) {
        const chart_row *row = row_of(d, d->drawn[i]);
        double r = fmax(8, radius_of(row)), x = x_px(d, row->ideal_s), y = y_px(d, row->measured_s);
        if (at_top ? x + r > d->plot.right_px || y - r < d->plot.top_px
                   : x - r < d->plot.left_px || y + r > d->plot.bottom_px)
            return true;
    }
    return false;
}

/* The least range in steps of 1, 2 and 5 that holds the discs, at least a decade. */
static void choose_axes(drawing *d)
{
    enum { TRIALS = 8 };
    axis_extent e = EXTENT_EMPTY;
    for (uint32_t i = 0; i < d->n_drawn; i++) {
        const chart_row *row = row_of(d, d->drawn[i]);
        extent_take(&e, row->ideal_s);
        extent_take(&e, row->measured_s);
    }
    d->longest_s = e.high;
    d->scale = chart_scale_of(e.high);
    double low = round_down(e.low * d->scale.factor), high = nice_step(e.high * d->scale.factor, 1);
    high = fmax(high, 10 * low);
    set_axes(d, low, high);
    for (int i = 0; i < TRIALS && reaches_out(d, true); i++)
        set_axes(d, low, high = nice_step(high * 1.2, 1));
    for (int i = 0; i < TRIALS && reaches_out(d, false); i++)
        set_axes(d, low = round_down(low / 1.2), high);
    axis_set(d->f, "axis", &d->x);
}

/* --- lines -------------------------------------------------------------------------------------------- */

/* Where y = factor * x enters and leaves the picture. */
static void ends_of(const drawing *d, double factor, double x[2])
{
    x[0] = fmax(d->x.min, d->x.min / factor);
    x[1] = fmin(d->x.max, d->x.max / factor);
}

static void put_lines(drawing *d)
{
    figure_block(d->f, "bounds", "ideal\tmeasured\ttimes the bound");
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        double x[2];
        ends_of(d, factors[i], x);
        for (int k = 0; k < 2; k++) {
            figure_number(d->f, x[k]);
            figure_number(d->f, x[k] * factors[i]);
            figure_number(d->f, factors[i]);
            figure_end_row(d->f);
        }
        figure_gap(d->f);
    }
    const line_in_px diagonal = {d->plot.left_px, d->plot.bottom_px, d->plot.right_px, d->plot.top_px};
    figure_avoid_line(d->f, &diagonal, 1.5);
}

/* Along a line at 45 degrees, above it: from its upper end down, first where no disc is in the way. */
static void label_line(drawing *d, double factor, const char *text, letter_kind letter)
{
    const along_line along = {.first = 0.97, .span = -0.95, .steps = 24, .off_px = 3, .above_only = true};
    double x[2];
    ends_of(d, factor, x);
    const line_in_px line = {axis_px(&d->x, x[0]), axis_px(&d->y, x[0] * factor), axis_px(&d->x, x[1]),
                             axis_px(&d->y, x[1] * factor)};
    const figure_text_label l = {
        .letter = letter, .colour = letter == LETTER_BOLD ? COLOUR_INK : COLOUR_MUTED, .text = text};
    figure_label_along(d->f, &l, &line, &along, &d->plot);
}

static void label_lines(drawing *d)
{
    char text[40];
    figure_text_label region = {.x_px = d->plot.right_px - 8,
                                .y_px = d->plot.bottom_px - 14,
                                .anchor = ANCHOR_RIGHT,
                                .letter = LETTER_SMALL,
                                .colour = COLOUR_MUTED,
                                .text = "impossible: below the bound"};
    figure_label(d->f, &region);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        snprintf(text, sizeof text, "%g times", factors[i]);
        if (d->x.max / d->x.min > factors[i])
            label_line(d, factors[i], factors[i] > 1 ? text : "at its bound",
                       factors[i] > 1 ? LETTER_SMALL : LETTER_BOLD);
    }
}

/* --- points ------------------------------------------------------------------------------------------- */

static void put_points(drawing *d)
{
    figure_block(d->f, "points",
                 "number\tshare [%]\tideal\tmeasured\tradius [px]\tcolour\tverdict\tlayer\testimated: 1");
    for (uint32_t i = 0; i < d->n_drawn; i++) {
        const chart_row *row = row_of(d, d->drawn[i]);
        figure_number(d->f, row->number);
        figure_number(d->f, round(1e4 * row->share_ratio) / 100);
        figure_number(d->f, row->ideal_s * d->scale.factor);
        figure_number(d->f, row->measured_s * d->scale.factor);
        figure_number(d->f, round(100 * radius_of(row)) / 100);
        figure_number(d->f, bound_colour(row->bound_class));
        figure_text(d->f, roof_verdict_text(row->verdict));
        figure_text(d->f, row->name);
        figure_number(d->f, row->is_estimated);
        figure_end_row(d->f);
        if (i < MOST_OBSTACLES)
            figure_avoid(d->f, (px_box){.x_px = x_px(d, row->ideal_s),
                                        .y_px = y_px(d, row->measured_s),
                                        .half_width_px = 0.8 * radius_of(row),
                                        .half_height_px = 0.8 * radius_of(row)});
    }
}

/* What is left of a layer's time when the cost of timing and the host's part are taken off. */
static double own_s(const chart_row *row)
{
    double seconds = isnan(row->corrected_s) ? row->measured_s : row->corrected_s;
    return row->host_s > 0 ? seconds - row->host_s : seconds;
}

static bool has_drop(const chart_row *row)
{
    return own_s(row) > 0 && own_s(row) < row->measured_s;
}

/* Down to where a layer stands when these are taken off. */
static uint32_t put_drops(drawing *d)
{
    uint32_t n = 0;
    figure_block(d->f, "corrected", "ideal\tmeasured\tmeasured - overhead - host");
    for (uint32_t i = 0; i < d->n_drawn && n < MOST_DROPS; i++) {
        const chart_row *row = row_of(d, d->drawn[i]);
        if (!has_drop(row))
            continue;
        n++;
        figure_number(d->f, row->ideal_s * d->scale.factor);
        figure_number(d->f, row->measured_s * d->scale.factor);
        figure_number(d->f, own_s(row) * d->scale.factor);
        figure_end_row(d->f);
        double from = y_px(d, row->measured_s), to = y_px(d, own_s(row));
        figure_avoid(d->f, (px_box){.x_px = x_px(d, row->ideal_s),
                                    .y_px = (from + to) / 2,
                                    .half_width_px = 4,
                                    .half_height_px = (to - from) / 2 + 4});
    }
    return n;
}

static void put_impossible(drawing *d)
{
    figure_block(d->f, "below-bound", "number\tideal\tmeasured\tlayer");
    for (uint32_t i = 0; i < d->n_drawn && is_impossible(row_of(d, d->by_gap[i])); i++) {
        const chart_row *row = row_of(d, d->by_gap[i]);
        figure_number(d->f, row->number);
        figure_number(d->f, row->ideal_s * d->scale.factor);
        figure_number(d->f, row->measured_s * d->scale.factor);
        figure_text(d->f, row->name);
        figure_end_row(d->f);
    }
}

static bool are_near(const drawing *d, const chart_row *a, const chart_row *b)
{
    return hypot(x_px(d, a->ideal_s) - x_px(d, b->ideal_s), y_px(d, a->measured_s) - y_px(d, b->measured_s)) <
           NEAR_PX;
}

/* "35 41 47 +2": layers that stand in one place share a text; alike blocks of a network are many. Returns how many. */
static uint32_t numbers_at(const drawing *d, uint32_t first, bool *told, char *text, size_t size)
{
    enum { MOST_TOLD = 3 };
    size_t used = 0;
    uint32_t n = 0;
    for (uint32_t i = first; i < d->n_numbers; i++) {
        if (told[i] || !are_near(d, row_of(d, d->by_gap[first]), row_of(d, d->by_gap[i])))
            continue;
        told[i] = true;
        if (n++ < MOST_TOLD)
            used += (size_t)snprintf(text + used, size - used, "%s%u", n > 1 ? " " : "",
                                     row_of(d, d->by_gap[i])->number);
    }
    if (n > MOST_TOLD)
        snprintf(text + used, size - used, " +%u", n - MOST_TOLD);
    return n;
}

static void number_points(drawing *d)
{
    bool told[MOST_NUMBERS] = {false};
    char text[80];
    for (uint32_t i = 0; i < d->n_numbers; i++) {
        const chart_row *row = row_of(d, d->by_gap[i]);
        if (!told[i] && numbers_at(d, i, told, text, sizeof text))
            figure_name_point(d->f, text, x_px(d, row->ideal_s), y_px(d, row->measured_s), radius_of(row),
                              &d->plot);
    }
}

/* --- legend ------------------------------------------------------------------------------------------- */

static void put_rest(drawing *d, chart_legend *l)
{
    char text[200], gap[40];
    double others_s = 0;
    uint32_t n = d->n_drawn - d->n_numbers;
    for (uint32_t i = d->n_numbers; i < d->n_drawn; i++) {
        double gap_s = row_of(d, d->by_gap[i])->gap_s;
        others_s += isnan(gap_s) ? 0 : gap_s;
    }
    quantity_format(gap, sizeof gap, others_s, "s");
    if (n) {
        snprintf(text, sizeof text, "%u other layer%s: gap %s", n, n == 1 ? "" : "s", gap);
        legend_remark(l, text);
    }
    if (d->sum) {
        quantity_format(gap, sizeof gap, d->sum->gap_s, "s");
        snprintf(text, sizeof text, "%.80s: gap %s", d->sum->name, gap);
        legend_remark(l, text);
    }
    if (d->n_small) {
        snprintf(text, sizeof text, "%u of the shortest are not drawn", d->n_small);
        legend_remark(l, text);
    }
    if (d->n_left_out) {
        snprintf(text, sizeof text, "%u without measured or ideal time: %.1f %% of the time", d->n_left_out,
                 100 * d->left_out_share);
        legend_remark(l, text);
    }
}

static double key_lines(const drawing *d)
{
    return 4.0 + (d->n_impossible > 0) + d->has_estimated;
}

static void put_key(drawing *d, chart_legend *l, uint32_t n_drops)
{
    bool used[BOUND_CLASSES] = {false};
    char text[120];
    for (uint32_t i = 0; i < d->n_drawn; i++)
        used[row_of(d, d->drawn[i])->bound_class] = true;
    l->y_px = d->legend.bottom_px - (key_lines(d) - 0.5) * LEGEND_LINE_PX;
    legend_bounds(l, used);
    legend_remark(l, "disc: measured; area: share of the time");
    if (d->has_estimated)
        legend_remark(l, "hollow disc: estimated, not measured");
    if (n_drops == MOST_DROPS)
        snprintf(text, sizeof text, "without %s, the longest %u", taken_off(d), n_drops);
    else
        snprintf(text, sizeof text, "without %s", taken_off(d));
    if (n_drops)
        legend_ring(l, COLOUR_INK, text);
    if (d->n_impossible)
        legend_cross(l, COLOUR_GAP, "faster than its bound: impossible");
}

/* Four digits of the longest; a profile seldom has more. */
static void put_time(const drawing *d, double seconds, char *cell, size_t size)
{
    int whole = (int)fmax(0, floor(log10(d->longest_s * d->scale.factor)));
    if (isnan(seconds))
        snprintf(cell, size, "?");
    else
        snprintf(cell, size, "%.*f", whole < 3 ? 3 - whole : 1, seconds * d->scale.factor);
}

static void put_legend(drawing *d, uint32_t n_drops)
{
    static const char *const titles[] = {"measured", "ideal", "gap"};
    enum { COLUMNS = sizeof titles / sizeof *titles };
    chart_legend l = legend_in(d->f, &d->legend);
    char head[40], cells[COLUMNS][40];
    l.column_px = 76;
    snprintf(head, sizeof head, "layer [%s]", d->scale.unit);
    legend_head(&l, head, titles, COLUMNS);
    for (uint32_t i = 0; i < d->n_numbers; i++) {
        const chart_row *row = row_of(d, d->by_gap[i]);
        const double seconds[COLUMNS] = {row->measured_s, row->ideal_s, row->gap_s};
        const char *values[COLUMNS];
        for (size_t k = 0; k < COLUMNS; k++) {
            put_time(d, seconds[k], cells[k], sizeof cells[k]);
            values[k] = cells[k];
        }
        legend_row(&l, &d->rows, row, values, COLUMNS);
    }
    put_rest(d, &l);
    put_key(d, &l, n_drops);
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* A square, the legend beside it or below. */
static void lay_out(drawing *d, double top, double bottom)
{
    const double left = 70, foot = 50;
    chart_canvas c = d->f->canvas;
    bool is_wide = c.width_px > c.height_px;
    double room = is_wide ? bottom - top - 10 - foot : (bottom - top) * 0.62 - foot;
    double side = fmax(40, fmin(room, c.width_px - left - (is_wide ? 300 : AXIS_END_PX)));
    d->plot = (plot_area){left, left + side, top + 10, top + 10 + side};
    if (!is_wide) {
        double off = (c.width_px - left - AXIS_END_PX - side) / 2;
        d->plot.left_px += off;
        d->plot.right_px += off;
    }
    d->legend = is_wide ? (plot_area){d->plot.right_px + 40, c.width_px - 16, top + 10, bottom - 2}
                        : (plot_area){16, c.width_px - 16, d->plot.bottom_px + foot + 2, bottom - 2};
    figure_set_area(d->f, "plot", &d->plot);
    d->n_numbers = legend_room(&d->legend, key_lines(d) + 4);
    const uint32_t most = d->n_drawn < MOST_NUMBERS ? d->n_drawn : MOST_NUMBERS;
    d->n_numbers = d->n_numbers < most ? d->n_numbers : most;
}

/* Counts are of rows that have both times. */
static const char *verdict(drawing *d)
{
    const roof_reconciled *e = d->e;
    const char *on = e->hardware ? " on " : "", *hardware = e->hardware ? e->hardware : "";
    uint32_t n = d->n_drawn + d->n_small;
    if (d->n_impossible)
        return figure_printf(d->f, "%s%s%s: %u of %u layers %s faster than %s bound, which is impossible",
                             e->model, on, hardware, d->n_impossible, n, d->n_impossible == 1 ? "is" : "are",
                             d->n_impossible == 1 ? "its" : "their");
    const chart_row *worst = row_of(d, d->by_gap[0]);
    if (!(worst->gap_s > 0))
        return figure_printf(d->f, "%s%s%s: no layer is slower than its bound", e->model, on, hardware);
    char gap[40];
    quantity_format(gap, sizeof gap, worst->gap_s, "s");
    const char *off = taken_off(d);
    return figure_printf(d->f,
                         "%s%s%s: %s%s%s%u of %u layers %s slower than %s bound; most by %s, layer %u, %s",
                         e->model, on, hardware, off[0] ? "without " : "", off, off[0] ? ", " : "",
                         d->n_above, n, d->n_above == 1 ? "is" : "are", d->n_above == 1 ? "its" : "their",
                         gap, worst->number, chart_row_name(&d->rows, worst));
}

static void axis_titles(drawing *d)
{
    char text[80];
    snprintf(text, sizeof text, "Ideal [%s]", d->scale.unit);
    axis_title_below(d->f, &d->plot, text);
    snprintf(text, sizeof text, "Measured [%s]", d->scale.unit);
    axis_title_left(d->f, &d->plot, 34, text);
}

static roof_status draw(const chart_source *s, chart_figure *f, bool *is_empty, roof_error *err)
{
    drawing *d = NEW(f->arena, drawing);
    if (!d)
        return error_memory(err);
    d->f = f;
    d->e = s->experiment;
    *is_empty = !d->e || !d->e->prediction;
    if (*is_empty)
        return ROOF_OK;
    TRY(chart_rows_of(s, f->arena, &d->rows, err));
    choose(d);
    *is_empty = !d->n_drawn;
    if (*is_empty)
        return ROOF_OK;
    double top = figure_head(f, verdict(d), chart_conditions(s, f));
    double bottom = figure_foot(f, chart_provenance(s, f));
    lay_out(d, top, bottom);
    choose_axes(d);
    axis_titles(d);
    axis_number(f, "x-grid", &d->x, AXIS_BELOW, &d->plot);
    axis_number(f, "y-grid", &d->y, AXIS_LEFT, &d->plot);
    put_lines(d);
    put_points(d);
    uint32_t n_drops = put_drops(d);
    put_impossible(d);
    label_lines(d);
    number_points(d);
    put_legend(d, n_drops);
    const char *drops = figure_printf(
        f,
        "A line leads down to where the layer stands without %s; what is left between there and the bold "
        "line is the gap.",
        taken_off(d));
    figure_caption(
        f,
        "Each disc is a layer: its measured time above its ideal time. On the bold line it runs at its "
        "bound, "
        "and every dashed line is a factor away from it. Nothing can be below. %s",
        n_drops ? drops : "The cost of timing is not known, so nothing is taken off.");
    return ROOF_OK;
}

const chart_def chart_parity = {
    .id = "parity", .name = "Ideal against measured", .scope = CHART_MODEL, .draw = draw};
