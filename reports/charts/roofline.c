/* The roofline chart: what each layer reaches, at how many operations per byte, under the roofs of its hardware.
 *
 * S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for Multicore Architectures",
 * CACM 52(4), 2009: attainable = min(peak, bandwidth * operational intensity). Engines beside the MAC array are ceilings
 * of their own. */
#include "core/error.h"
#include "core/quantity.h"
#include "reports/cells.h"
#include "reports/chart_axes.h"
#include "reports/chart_legend.h"
#include "reports/chart_lines.h"
#include "reports/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DRAWN = 1000, MOST_ARROWS = 60, MOST_OBSTACLES = 300, MOST_CEILINGS = ROOF_MAX_ENGINES };

/* A share of all the time as the area of a disc. */
#define FULL_RADIUS_PX  46.0
#define LEAST_RADIUS_PX 2.0

static const double giga = 1e9;

typedef struct drawing {
    const roof_prediction *p;
    chart_figure *f;
    chart_rows rows;
    plot_area plot, legend;
    chart_axis x, y;                     /* Op/Byte, GOP/s */
    double peak, bandwidth;              /* GOP/s, GB/s; NaN: not known */
    double port;                         /* GB/s of the slowest port, where it is slower than the memory */
    uint32_t drawn[MOST_DRAWN], n_drawn; /* rows, the longest first */
    uint32_t n_numbers;                  /* of drawn that have a number and a line in the legend */
    double left_out_share;
    uint32_t n_left_out, n_small; /* without a place on the axes; too many to draw */
    bool has_estimated;
    const chart_row *unlisted; /* what the profile only sums up; NULL: nothing */
} drawing;

/* --- what is drawn ------------------------------------------------------------------------------------ */

static double intensity_of(const chart_row *row)
{
    return row->ops / row->bytes;
}

static double rate_in(const chart_row *row, double seconds)
{
    return row->ops / seconds / giga;
}

/* Where the disc stands: as measured, or at the ideal where nothing was measured. */
static double height_of(const drawing *d, const chart_row *row)
{
    return rate_in(row, d->rows.is_measured ? row->measured_s : row->ideal_s);
}

/* A layer without operations has no place on a logarithmic axis. */
static bool has_place(const drawing *d, const chart_row *row)
{
    double x = intensity_of(row), y = height_of(d, row);
    return x > 0 && y > 0 && isfinite(x) && isfinite(y);
}

static void choose(drawing *d)
{
    for (uint32_t i = 0; i < d->rows.n; i++) {
        const chart_row *row = &d->rows.rows[d->rows.by_time[i]];
        if (row->is_unlisted) {
            d->unlisted = row;
        } else if (!has_place(d, row)) {
            d->n_left_out++;
            d->left_out_share += row->share_ratio;
        } else if (d->n_drawn == MOST_DRAWN) {
            d->n_small++;
        } else {
            d->drawn[d->n_drawn++] = d->rows.by_time[i];
            d->has_estimated = d->has_estimated || row->is_estimated;
        }
    }
}

static const chart_row *drawn_row(const drawing *d, uint32_t i)
{
    return &d->rows.rows[d->drawn[i]];
}

/* --- axes --------------------------------------------------------------------------------------------- */

/* A logarithmic axis has no place for 0. */
static void take_in(axis_extent *e, double value)
{
    if (value > 0)
        extent_take(e, value);
}

/* From a whole decade to 1, 2 or 5 of one, with some room at both ends. */
static chart_axis decades(axis_extent e)
{
    double low = pow(10, floor(log10(e.low * 0.7))), high = nice_step(e.high * 1.6, 1);
    return (chart_axis){.min = low, .max = fmax(high, 10 * low), .is_log = true};
}

static void choose_axes(drawing *d)
{
    axis_extent x = EXTENT_EMPTY, y = EXTENT_EMPTY;
    for (uint32_t i = 0; i < d->n_drawn; i++) {
        const chart_row *row = drawn_row(d, i);
        take_in(&x, intensity_of(row));
        take_in(&y, height_of(d, row));
        take_in(&y, rate_in(row, row->ideal_s));
    }
    take_in(&x, d->peak / d->bandwidth);
    take_in(&x, d->peak / d->port);
    take_in(&y, d->peak);
    d->x = decades(x);
    d->y = decades(y);
    d->x.from_px = d->plot.left_px;
    d->x.to_px = d->plot.right_px;
    d->y.from_px = d->plot.bottom_px;
    d->y.to_px = d->plot.top_px;
    axis_set(d->f, "x", &d->x);
    axis_set(d->f, "y", &d->y);
}

/* --- roofs -------------------------------------------------------------------------------------------- */

typedef struct ceiling {
    char text[200];
    double value; /* GOP/s of an engine that computes, GB/s of one that moves data */
    bool moves;
} ceiling;

static line_in_px line_px(const drawing *d, double x0, double y0, double x1, double y1)
{
    return (line_in_px){axis_px(&d->x, x0), axis_px(&d->y, y0), axis_px(&d->x, x1), axis_px(&d->y, y1)};
}

/* Numbers and labels better keep off it. */
static void put_line(drawing *d, double x0, double y0, double x1, double y1)
{
    const line_in_px line = line_px(d, x0, y0, x1, y1);
    figure_xy(d->f, x0, y0);
    figure_xy(d->f, x1, y1);
    figure_avoid_line(d->f, &line, 0.5);
}

/* Where a memory line leaves the picture, or meets the peak. */
static double end_of_slope(const drawing *d, double bandwidth)
{
    double top = isnan(d->peak) ? d->y.max : d->peak;
    return fmin(d->x.max, top / bandwidth);
}

static double start_of_slope(const drawing *d, double bandwidth)
{
    return fmax(d->x.min, d->y.min / bandwidth);
}

static void put_roof(drawing *d)
{
    double knee = isnan(d->bandwidth) ? d->x.min : end_of_slope(d, d->bandwidth);
    figure_block(d->f, "roof", "intensity [Op/Byte]\tperformance [GOP/s]");
    if (!isnan(d->bandwidth)) {
        double start = start_of_slope(d, d->bandwidth);
        put_line(d, start, start * d->bandwidth, knee, knee * d->bandwidth);
    }
    if (!isnan(d->peak) && knee < d->x.max)
        put_line(d, knee, d->peak, d->x.max, d->peak);
}

static bool is_inside(const drawing *d, double knee)
{
    return knee > d->x.min && knee < d->x.max;
}

/* From here on the array waits for nothing: bytes may all go through one port. */
static double compute_knee(const drawing *d)
{
    return d->peak / (d->port > 0 ? d->port : d->bandwidth);
}

/* Left of the ridge point the memory bounds the array, right of that of the slowest port the array itself; between them that
 * depends on which port the bytes take. */
static void put_regions(drawing *d)
{
    double knee = d->peak / d->bandwidth, knees[] = {knee, compute_knee(d)};
    figure_block(d->f, "memory-region", "intensity [Op/Byte]\tperformance [GOP/s]");
    if (is_inside(d, knee)) {
        double start = start_of_slope(d, d->bandwidth);
        figure_xy(d->f, start, start * d->bandwidth);
        figure_xy(d->f, knee, d->peak);
    }
    figure_block(d->f, "compute-region", "intensity [Op/Byte]\tperformance [GOP/s]");
    if (is_inside(d, knees[1])) {
        figure_xy(d->f, knees[1], d->peak);
        figure_xy(d->f, d->x.max, d->peak);
    }
    figure_block(d->f, "ridge", "intensity [Op/Byte]\tperformance [GOP/s]");
    for (int i = 0; i < 2; i++) {
        if (!is_inside(d, knees[i]) || (i && !(d->port > 0)))
            continue;
        figure_xy(d->f, knees[i], d->y.min);
        figure_xy(d->f, knees[i], d->peak);
        figure_gap(d->f);
    }
}

/* Engines of the same rate share a line: "load or save". The governing roof has its own. */
static uint32_t collect_ceilings(const drawing *d, ceiling *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->p->hardware.n_ceilings; i++) {
        const roof_ceiling *c = &d->p->hardware.ceilings[i];
        bool moves = isnan(c->ops_per_s);
        double value = (moves ? c->bytes_per_s : c->ops_per_s) / giga,
               governing = moves ? d->bandwidth : d->peak;
        if (!(value > 0) || fabs(value / governing - 1) < 1e-9)
            continue;
        uint32_t same = 0;
        while (same < n && !(out[same].moves == moves && out[same].value == value))
            same++;
        if (same < n) {
            size_t used = strlen(out[same].text);
            snprintf(out[same].text + used, sizeof out[same].text - used, " or %s", c->engine);
            continue;
        }
        out[n] = (ceiling){.value = value, .moves = moves};
        snprintf(out[n++].text, sizeof out[0].text, "%s", c->engine);
    }
    return n;
}

static void find_port(drawing *d, const ceiling *ceilings, uint32_t n)
{
    d->port = NAN;
    for (uint32_t i = 0; i < n; i++)
        if (ceilings[i].moves && ceilings[i].value < d->bandwidth && !(d->port <= ceilings[i].value))
            d->port = ceilings[i].value;
}

static void put_ceilings(drawing *d, const ceiling *ceilings, uint32_t n)
{
    figure_block(d->f, "ceilings", "intensity [Op/Byte]\tperformance [GOP/s]");
    for (uint32_t i = 0; i < n; i++) {
        const ceiling *c = &ceilings[i];
        if (c->value > d->y.max && !c->moves)
            continue;
        double from = c->moves ? start_of_slope(d, c->value)
                               : fmax(d->x.min, isnan(d->bandwidth) ? 0 : c->value / d->bandwidth);
        double to = c->moves ? end_of_slope(d, c->value) : d->x.max;
        if (!(from < to) || (!c->moves && c->value < d->y.min))
            continue;
        put_line(d, from, c->moves ? from * c->value : c->value, to, c->moves ? to * c->value : c->value);
        figure_gap(d->f);
    }
}

/* --- labels of roofs ---------------------------------------------------------------------------------- */

/* At the right end above the line, else below it, else further left. */
static void label_horizontal(drawing *d, const char *text, double value, letter_kind letter)
{
    figure_text_label l = {.anchor = ANCHOR_RIGHT, .letter = letter, .colour = COLOUR_MUTED, .text = text};
    double off = text_height_px(letter) / 2 + 2, y = axis_px(&d->y, value);
    if (letter == LETTER_BOLD)
        l.colour = COLOUR_INK;
    for (int i = 0; i < 2 * 6 * 2; i++) {
        int step = i / 2 % 6;
        l.x_px = d->plot.right_px - 6 - 60 * step;
        l.y_px = i % 2 ? y + off : y - off;
        if (figure_try_label(d->f, &l, &d->plot, i < 2 * 6))
            return;
    }
}

/* Along the line, turned with it, above it or below. */
static void label_slope(drawing *d, const char *text, double bandwidth, letter_kind letter)
{
    const along_line along = {.first = 0.05, .span = 0.9, .steps = 40, .off_px = 3};
    double from = start_of_slope(d, bandwidth), to = end_of_slope(d, bandwidth);
    if (!(from < to))
        return;
    const line_in_px line = line_px(d, from, from * bandwidth, to, to * bandwidth);
    const figure_text_label l = {
        .letter = letter, .colour = letter == LETTER_BOLD ? COLOUR_INK : COLOUR_MUTED, .text = text};
    figure_label_along(d->f, &l, &line, &along, &d->plot);
}

static void label_roofs(drawing *d, ceiling *ceilings, uint32_t n)
{
    char text[260], value[40];
    if (!isnan(d->peak)) {
        quantity_format(value, sizeof value, d->peak * giga, "OP/s");
        snprintf(text, sizeof text, "peak %s", value);
        label_horizontal(d, text, d->peak, LETTER_BOLD);
    }
    if (!isnan(d->bandwidth)) {
        quantity_format(value, sizeof value, d->bandwidth * giga, "B/s");
        snprintf(text, sizeof text, "external memory %s", value);
        label_slope(d, text, d->bandwidth, LETTER_BOLD);
    }
    for (uint32_t i = 0; i < n; i++) {
        ceiling *c = &ceilings[i];
        quantity_format(value, sizeof value, c->value * giga, c->moves ? "B/s" : "OP/s");
        snprintf(text, sizeof text, "%s %s", c->text, value);
        if (c->moves)
            label_slope(d, text, c->value, LETTER_SMALL);
        else if (c->value > d->y.min && c->value < d->y.max)
            label_horizontal(d, text, c->value, LETTER_SMALL);
    }
}

/* At the foot of a line, right of it or left; false where there is no room. */
static bool label_foot(drawing *d, double knee, bool right, double up_px, const char *text)
{
    const figure_text_label l = {.x_px = axis_px(&d->x, knee) + (right ? 6 : -6),
                                 .y_px = d->plot.bottom_px - up_px,
                                 .anchor = right ? ANCHOR_LEFT : ANCHOR_RIGHT,
                                 .letter = LETTER_SMALL,
                                 .colour = COLOUR_MUTED,
                                 .text = text};
    return figure_try_label(d->f, &l, &d->plot, false);
}

static const char *ridge_words(drawing *d, const char *of, double knee)
{
    char value[40];
    number_format_derived(value, sizeof value, round(knee * 10) / 10);
    return figure_printf(d->f, "%s %s Op/Byte", of, value);
}

/* What bounds the array left and right of the ridges, and where these are: that of a port beside the memory's. */
static void label_regions(drawing *d)
{
    enum { RIDGE_UP_PX = 12, REGION_UP_PX = 30 };
    double knee = d->peak / d->bandwidth, last = compute_knee(d);
    bool has_port = d->port > 0;
    if (is_inside(d, knee)) {
        const char *text = ridge_words(d, "ridge point", knee);
        if (has_port || !label_foot(d, knee, true, RIDGE_UP_PX, text))
            (void)label_foot(d, knee, false, RIDGE_UP_PX, text);
        (void)label_foot(d, knee, false, REGION_UP_PX, "memory bound");
    }
    if (!is_inside(d, last))
        return;
    if (has_port)
        (void)label_foot(d, last, true, RIDGE_UP_PX, ridge_words(d, "port's ridge", last));
    (void)label_foot(d, last, true, REGION_UP_PX, "compute bound");
    double between_px = axis_px(&d->x, last) - axis_px(&d->x, knee);
    if (has_port && is_inside(d, knee) && between_px > text_width_px("either", LETTER_SMALL) + 12)
        (void)label_foot(d, knee, true, REGION_UP_PX, "either");
}

/* --- points ------------------------------------------------------------------------------------------- */

static double radius_of(const chart_row *row)
{
    return disc_radius_px(row->share_ratio, FULL_RADIUS_PX, LEAST_RADIUS_PX);
}

static void put_points(drawing *d)
{
    figure_block(d->f, "points",
                 "number\tideal [GOP/s]\tintensity [Op/Byte]\tperformance [GOP/s]\tshare [%]\tradius "
                 "[px]\tcolour\tbound\tlayer\testimated: 1");
    for (uint32_t i = 0; i < d->n_drawn; i++) {
        const chart_row *row = drawn_row(d, i);
        figure_number(d->f, row->number);
        figure_number(d->f, rate_in(row, row->ideal_s));
        figure_number(d->f, intensity_of(row));
        figure_number(d->f, height_of(d, row));
        figure_number(d->f, 100 * row->share_ratio);
        figure_number(d->f, round(100 * radius_of(row)) / 100);
        figure_number(d->f, bound_colour(row->bound_class));
        figure_text(d->f, row->bound[0] ? row->bound : "-");
        figure_text(d->f, row->name);
        figure_number(d->f, row->is_estimated);
        figure_end_row(d->f);
        if (i < MOST_OBSTACLES)
            figure_avoid(d->f, (px_box){.x_px = axis_px(&d->x, intensity_of(row)),
                                        .y_px = axis_px(&d->y, height_of(d, row)),
                                        .half_width_px = 0.8 * radius_of(row),
                                        .half_height_px = 0.8 * radius_of(row)});
    }
}

/* From measured up to ideal: on this axis the length of the arrow is the factor that is to be gained. */
static void put_arrows(drawing *d)
{
    uint32_t n = d->n_drawn <= MOST_ARROWS ? d->n_drawn : d->n_numbers;
    figure_block(d->f, "arrows", "intensity [Op/Byte]\tmeasured [GOP/s]\tideal [GOP/s]");
    for (uint32_t i = 0; i < n && d->rows.is_measured; i++) {
        const chart_row *row = drawn_row(d, i);
        if (!(row->ideal_s > 0))
            continue;
        figure_number(d->f, intensity_of(row));
        figure_number(d->f, height_of(d, row));
        figure_number(d->f, rate_in(row, row->ideal_s));
        figure_end_row(d->f);
        double from = axis_px(&d->y, height_of(d, row)), to = axis_px(&d->y, rate_in(row, row->ideal_s));
        figure_avoid(d->f, (px_box){.x_px = axis_px(&d->x, intensity_of(row)),
                                    .y_px = (from + to) / 2,
                                    .half_width_px = 3,
                                    .half_height_px = fabs(from - to) / 2 + 3});
    }
}

typedef struct spot {
    double x_px, y_px, radius_px;
} spot;

static spot spot_of(const drawing *d, uint32_t i)
{
    const chart_row *row = drawn_row(d, i);
    return (spot){axis_px(&d->x, intensity_of(row)), axis_px(&d->y, height_of(d, row)), radius_of(row)};
}

/* Layers on one spot share a label, "29, 31, 33". done: those that have theirs. */
static void add_numbers_at(drawing *d, uint32_t first, bool *done, char *text, size_t size)
{
    enum { SAME_SPOT_PX = 6 };
    spot here = spot_of(d, first);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = first; i < d->n_numbers && used < size; i++) {
        spot other = spot_of(d, i);
        if (done[i] || hypot(other.x_px - here.x_px, other.y_px - here.y_px) > SAME_SPOT_PX)
            continue;
        char number[NUMBER_TEXT_SIZE];
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                 chart_number(drawn_row(d, i)->number, number));
        done[i] = true;
    }
}

static void number_points(drawing *d)
{
    bool done[LEGEND_MOST_NUMBERS] = {false};
    for (uint32_t i = 0; i < d->n_numbers; i++) {
        char text[LEGEND_MOST_NUMBERS * NUMBER_TEXT_SIZE];
        spot at = spot_of(d, i);
        if (done[i])
            continue;
        add_numbers_at(d, i, done, text, sizeof text);
        figure_name_point(d->f, text, at.x_px, at.y_px, at.radius_px, &d->plot);
    }
}

/* --- legend ------------------------------------------------------------------------------------------- */

/* What the marks mean. Classes that no layer has are left out. */
static void put_key(drawing *d, chart_legend *l)
{
    bool used[BOUND_CLASSES] = {false};
    for (uint32_t i = 0; i < d->n_drawn; i++)
        used[drawn_row(d, i)->bound_class] = true;
    legend_bounds(l, used);
    legend_remark(l, d->rows.is_measured ? "disc: measured; area: share of the time"
                                         : "disc: ideal; area: share of the time");
    legend_remark(l, "Op: of the engine that takes longest");
    if (d->has_estimated)
        legend_remark(l, "hollow disc: estimated, not measured");
    if (d->rows.is_measured)
        legend_ring(l, COLOUR_INK, "ideal, an arrow from measured");
}

static double key_lines(const drawing *d)
{
    return 5.0 + d->has_estimated;
}

/* What has no line of its own is counted, so that the shares sum up to all of the time. */
static void put_rest(drawing *d, chart_legend *l)
{
    char text[160];
    double others = 0;
    for (uint32_t i = 0; i < d->rows.n; i++)
        others += d->rows.rows[i].share_ratio;
    for (uint32_t i = 0; i < d->n_numbers; i++)
        others -= drawn_row(d, i)->share_ratio;
    others -= d->left_out_share + (d->unlisted ? d->unlisted->share_ratio : 0);
    uint32_t n = d->n_drawn - d->n_numbers + d->n_small;
    if (n) {
        snprintf(text, sizeof text, "%u other layer%s: %.1f %%%s", n, n == 1 ? "" : "s",
                 100 * fmax(0, others), d->n_small ? ", not all drawn" : "");
        legend_remark(l, text);
    }
    if (d->unlisted) {
        snprintf(text, sizeof text, "%.80s: %.1f %%", d->unlisted->name, 100 * d->unlisted->share_ratio);
        legend_remark(l, text);
    }
    if (d->n_left_out) {
        snprintf(text, sizeof text, "%u without Op, bytes or time: %.1f %%", d->n_left_out,
                 100 * d->left_out_share);
        legend_remark(l, text);
    }
}

static void put_legend(drawing *d)
{
    chart_legend l = legend_in(d->f, &d->legend);
    const char *value = "share";
    legend_head(&l, "layer", &value, 1);
    for (uint32_t i = 0; i < d->n_numbers; i++) {
        const chart_row *row = drawn_row(d, i);
        char share[16];
        snprintf(share, sizeof share, "%.1f %%", 100 * row->share_ratio);
        value = share;
        legend_row(&l, &d->rows, row, &value, 1);
    }
    put_rest(d, &l);
    l.y_px = d->legend.bottom_px - (key_lines(d) - 0.5) * LEGEND_LINE_PX;
    put_key(d, &l);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void axis_titles(drawing *d)
{
    bool is_wide = d->f->canvas.width_px > d->f->canvas.height_px;
    axis_title_below(d->f, &d->plot,
                     !d->p->hardware.has_pools ? "Operational intensity [Op/Byte of external memory]"
                     : is_wide ? "Operational intensity [Op/Byte of the memory that takes longest]"
                               : "Op/Byte of the memory that takes longest");
    figure_label(d->f, &(figure_text_label){.x_px = d->plot.left_px - 56,
                                            .y_px = (d->plot.top_px + d->plot.bottom_px) / 2,
                                            .degrees = 90,
                                            .anchor = ANCHOR_CENTRE,
                                            .letter = LETTER_TEXT,
                                            .colour = COLOUR_INK,
                                            .text = "Performance [GOP/s], 1 MAC = 2 Op"});
}

/* Beside the plot where the canvas is wide, below it where it is high. The legend's height says how many lines it has:
 * the head, four of the key, three of the rest. */
static void lay_out(drawing *d, double top, double bottom)
{
    chart_canvas c = d->f->canvas;
    bool is_wide = c.width_px > c.height_px;
    double split = is_wide ? c.width_px - 300 : top + (bottom - top) * 0.56;
    d->plot = (plot_area){76, is_wide ? split - 34 : c.width_px - AXIS_END_PX, top + 10,
                          is_wide ? bottom - 52 : split - 52};
    d->legend = (plot_area){is_wide ? split : 16, c.width_px - 16, is_wide ? top + 10 : split, bottom - 2};
    figure_set_area(d->f, "plot", &d->plot);
    d->n_numbers = legend_room(&d->legend, key_lines(d) + 4.5);
    if (d->n_numbers > d->n_drawn)
        d->n_numbers = d->n_drawn;
}

static roof_status draw(const chart_source *s, chart_figure *f, bool *is_empty, roof_error *err)
{
    ceiling ceilings[MOST_CEILINGS];
    drawing *d = NEW(f->arena, drawing);
    if (!d)
        return error_memory(err);
    d->f = f;
    d->p = s->prediction;
    *is_empty = !d->p;
    if (*is_empty)
        return ROOF_OK;
    TRY(chart_rows_of(s, f->arena, &d->rows, err));
    choose(d);
    *is_empty = !d->n_drawn;
    if (*is_empty)
        return ROOF_OK;
    d->peak = d->p->hardware.peak_ops_per_s > 0 ? d->p->hardware.peak_ops_per_s / giga : NAN;
    d->bandwidth =
        d->p->hardware.bandwidth_bytes_per_s > 0 ? d->p->hardware.bandwidth_bytes_per_s / giga : NAN;
    double top = figure_head(f, chart_verdict(s, f), chart_conditions(s, f));
    double bottom = figure_foot(f, chart_provenance(s, f));
    lay_out(d, top, bottom);
    uint32_t n = collect_ceilings(d, ceilings);
    find_port(d, ceilings, n);
    choose_axes(d);
    axis_titles(d);
    put_regions(d);
    put_ceilings(d, ceilings, n);
    put_roof(d);
    put_points(d);
    put_arrows(d);
    label_roofs(d, ceilings, n);
    label_regions(d);
    number_points(d);
    put_legend(d);
    bool has_pools = d->p->hardware.has_pools;
    figure_caption(
        f,
        "Each disc is a layer: what it reaches against how many operations it does per byte of %s. A disc "
        "counts the operations of the engine that takes longest, whose line is its roof. The bold line is "
        "the most that the hardware can do, dashed lines are single engines and %s.%s %s",
        has_pools ? "the memory that takes longest" : "external memory", has_pools ? "memories" : "ports",
        d->port > 0 ? " The shading says what bounds the array; between the ridges a port may, before the "
                      "memory does."
                    : "",
        d->rows.is_measured ? "An arrow leads from measured up to ideal; its length is the factor to be "
                              "gained."
                            : "Nothing was measured: discs stand at the ideal.");
    return ROOF_OK;
}

const chart_def chart_roofline = {.id = "roofline", .name = "Roofline", .scope = CHART_MODEL, .draw = draw};
