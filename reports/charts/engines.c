/* How busy each engine is: layers from left to right, as wide as their ideal time, engines from top to
 * bottom. What is dark all along is what the network waits for; what is pale could do more. */
#include "reports/charts/chart.h"
#include "reports/charts/chart_axes.h"
#include "reports/charts/palette.h"
#include "reports/words/prediction_words.h"

#include <math.h>

enum {
    LEVELS = BUSY_LEVELS,
    HEAD_PX = 22,
    MOST_ROW_PX = 72,
    BELOW_PX = 98,
    COLUMN_PX = 62,
    HATCH_PX = 6,
    COLUMN_OF_NARROW_PX = 52
};

/* Columns from this width on are parted by a line. */
#define PARTED_PX 5.0

/* Layers that are drawn as one, since alone they are thinner than a pixel. */
typedef struct column {
    uint32_t first, n; /* layers */
    double from_s, to_s;
    double ideal_cycles;
} column;

/* How busy an engine is over the whole network. */
typedef struct occupancy {
    uint32_t engine;
    double ratio;  /* of the ideal time */
    bool is_least; /* cycles of some layers are not known */
    uint32_t n_bound;
} occupancy;

typedef struct drawing {
    const roof_prediction *p;
    chart_figure *f;
    chart_scale scale;
    plot_area plot;
    chart_axis x; /* scale.unit */
    occupancy rows[ROOF_MAX_ENGINES];
    double column_px; /* of what stands at the right */
    uint32_t n_rows, n_columns, n_layers, n_left_out;
    column *columns;
    double total_s;
    double total_cycles;
    bool has_unknown;
} drawing;

/* --- layers ------------------------------------------------------------------------------------------- */

static bool has_width(const roof_layer_prediction *l)
{
    const roof_cost *c = &l->deployed;
    return c->ideal_cycles && c->ideal_cycles != ROOF_UNKNOWN && c->ideal_s > 0 && isfinite(c->ideal_s);
}

/* Cycles of an engine over those of n layers that have a width; *unknown: those of some layer are. */
static double sum_of(const drawing *d, uint32_t first, uint32_t n, uint32_t engine, bool *unknown)
{
    double sum = 0;
    *unknown = false;
    for (uint32_t i = first; i < first + n; i++) {
        const roof_cost *c = &d->p->layers[i].deployed;
        if (!has_width(&d->p->layers[i]))
            continue;
        if (!c->cycles || c->cycles[engine] == ROOF_UNKNOWN)
            *unknown = true;
        else
            sum += (double)c->cycles[engine] * d->p->layers[i].repeat;
    }
    return sum;
}

/* --- columns ------------------------------------------------------------------------------------------ */

static void collect_columns(drawing *d)
{
    double pixel_s = d->total_s / (d->plot.right_px - d->plot.left_px), at_s = 0;
    column *last = d->columns = NEW_ARRAY(d->f->arena, column, d->n_layers);
    for (uint32_t i = 0; i < d->p->n_layers && last; i++) {
        const roof_layer_prediction *l = &d->p->layers[i];
        double seconds = l->repeat * l->deployed.ideal_s;
        if (!has_width(l))
            continue;
        if (!d->n_columns || last->to_s - last->from_s >= pixel_s || seconds >= pixel_s) {
            last = &d->columns[d->n_columns++];
            *last = (column){.first = i, .from_s = at_s};
        }
        at_s += seconds;
        last->n = i - last->first + 1;
        last->to_s = at_s;
        last->ideal_cycles += roof_layer_ideal_cycles(l);
    }
}

/* 0 to LEVELS, or -1 for what is not known. *ratio: exactly. */
static int level_of(const drawing *d, const column *c, uint32_t engine, double *ratio)
{
    bool unknown;
    double sum = sum_of(d, c->first, c->n, engine, &unknown);
    *ratio = unknown ? NAN : sum / c->ideal_cycles;
    return unknown ? -1 : sum > 0 ? 1 + (int)fmin(LEVELS - 1, *ratio * (LEVELS - 1) + 0.5) : 0;
}

/* --- cells -------------------------------------------------------------------------------------------- */

/* Lines at 45 degrees within a box; patterns of fills look different with every terminal of gnuplot. */
static void hatch(chart_figure *f, double left, double right, double top, double bottom)
{
    double height = bottom - top;
    int n = (int)((right - left + height) / HATCH_PX);
    for (int i = 0; i <= n; i++) {
        double at = left - height + HATCH_PX * (i + 0.5), from = fmax(at, left),
               to = fmin(at + height, right);
        if (to > from)
            figure_add(f, (figure_ornament){
                              RULES, {from, bottom - (from - at), to - from, from - to, COLOUR_OTHER}});
    }
}

static double row_top_px(const drawing *d, uint32_t row)
{
    return d->plot.top_px + (d->plot.bottom_px - d->plot.top_px) * row / d->n_rows;
}

static double x_px(const drawing *d, double seconds)
{
    return chart_axis_px(&d->x, seconds * d->scale.factor);
}

/* The bound of a column of several thin layers is that of the first. */
static void put_spots(drawing *d)
{
    double middle_px = (d->plot.top_px + d->plot.bottom_px) / 2;
    for (uint32_t i = 0; i < d->n_columns; i++) {
        const column *c = &d->columns[i];
        const roof_layer_prediction *l = &d->p->layers[c->first];
        double left = x_px(d, c->from_s), right = x_px(d, c->to_s);
        const char *engine = l->deployed.bound == ROOF_NONE ? "" : d->p->engines[l->deployed.bound];
        const char *more = c->n > 1 ? figure_printf(d->f, " and %u behind it", c->n - 1) : "";
        figure_add_spot(
            d->f, (figure_spot){.box = {(left + right) / 2, middle_px, (right - left) / 2,
                                        middle_px - d->plot.top_px, 0},
                                .row = l->index,
                                .roof_y_px = NAN,
                                .bound = bound_styles[chart_bound_class(engine)].html_class,
                                .kind = l->type ? l->type : "",
                                .text = figure_printf(d->f, "%u %s%s; ideal %s%s%s", l->index, l->name, more,
                                                      say_quantity(d->f->arena, c->to_s - c->from_s, "s"),
                                                      engine[0] ? "; bound by " : "", engine)});
    }
}

static void put_cells(drawing *d)
{
    figure_block(d->f, "cells", "from\tto\trow from below\tbusy\tcolour");
    for (uint32_t i = 0; i < d->n_rows; i++) {
        /* Neighbours of one shade are one cell; its ratio is that of all of them. What is not known is
         * hatched. */
        const column *end = d->columns + d->n_columns;
        const double top_px = row_top_px(d, i) + 1, bottom_px = row_top_px(d, i + 1) - 1;
        for (const column *c = d->columns, *next; c < end; c = next) {
            double ratio, sum = 0, cycles = 0;
            int level = level_of(d, c, d->rows[i].engine, &ratio);
            for (next = c; next < end && level_of(d, next, d->rows[i].engine, &ratio) == level; next++) {
                sum += ratio * next->ideal_cycles;
                cycles += next->ideal_cycles;
            }
            double from_s = c->from_s, to_s = next[-1].to_s;
            if (level < 0)
                hatch(d->f, x_px(d, from_s), x_px(d, to_s), top_px, bottom_px);
            else if (level)
                FIGURE_ROW(d->f, from_s * d->scale.factor, to_s * d->scale.factor, d->n_rows - i - 1,
                           sum / cycles, busy_colour((unsigned)level - 1));
        }
    }
    figure_block(d->f, "parting", "at");
    for (uint32_t i = 1; i < d->n_columns; i++) {
        const column *c = &d->columns[i];
        double left = x_px(d, c->from_s) - x_px(d, c[-1].from_s),
               right = x_px(d, c->to_s) - x_px(d, c->from_s);
        if (!(fmin(left, right) < PARTED_PX))
            FIGURE_ROW(d->f, c->from_s * d->scale.factor);
    }
    figure_block(d->f, "rows", "edge from below");
    for (uint32_t i = 1; i < d->n_rows; i++)
        FIGURE_ROW(d->f, i);
    figure_block(d->f, "engines", "engine\tbusy\tbinds layers");
    for (uint32_t i = 0; i < d->n_rows; i++) {
        figure_text(d->f, d->p->engines[d->rows[i].engine]);
        FIGURE_ROW(d->f, d->rows[i].ratio, d->rows[i].n_bound);
    }
}

/* --- words -------------------------------------------------------------------------------------------- */

static void put_engines(drawing *d)
{
    chart_figure *f = d->f;
    double busy_px = d->plot.right_px + d->column_px, binds_px = d->plot.right_px + 2 * d->column_px;
    double y = d->plot.top_px - HEAD_PX / 2.0 + 1;
    figure_put(f, busy_px, y, ANCHOR_RIGHT, LETTER_BOLD, COLOUR_INK, "busy");
    figure_put(f, binds_px, y, ANCHOR_RIGHT, LETTER_BOLD, COLOUR_INK, "binds");
    for (uint32_t i = 0; i < d->n_rows; i++) {
        const occupancy *row = &d->rows[i];
        const char *name = d->p->engines[row->engine];
        y = (row_top_px(d, i) + row_top_px(d, i + 1)) / 2;
        figure_add(f, (figure_ornament){DISCS,
                                        {22, y, 5, bound_styles[chart_bound_class(name)].colour,
                                         bound_styles[chart_bound_class(name)].symbol}});
        figure_put(f, 34, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK,
                   figure_shorten(f, name, LETTER_SMALL, d->plot.left_px - 40));
        figure_put(f, busy_px, y, ANCHOR_RIGHT, LETTER_SMALL, COLOUR_INK,
                   figure_printf(f, "%s%.1f %%", row->is_least ? "> " : "", 100 * row->ratio));
        figure_put(f, binds_px, y, ANCHOR_RIGHT, LETTER_SMALL, COLOUR_INK,
                   row->n_bound ? figure_printf(f, "%u", row->n_bound) : "-");
    }
}

/* Under its column where it is wide enough. */
static void number_columns(drawing *d)
{
    const double y = d->plot.bottom_px + 11;
    bool is_any = false;
    for (uint32_t i = 0; i < d->n_columns; i++) {
        const column *c = &d->columns[i];
        double width = x_px(d, c->to_s) - x_px(d, c->from_s);
        const char *text = figure_printf(d->f, "%u", d->p->layers[c->first].index);
        if (c->n > 1 || width < figure_text_width_px(text, LETTER_SMALL) + 3)
            continue;
        is_any = true;
        figure_put(d->f, x_px(d, (c->from_s + c->to_s) / 2), y, ANCHOR_CENTRE, LETTER_SMALL, COLOUR_INK,
                   text);
    }
    if (is_any)
        figure_put(d->f, 16, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, "layer");
}

/* A text in secondary letters; returns where it ends. */
static double put_muted(drawing *d, double x, double y, const char *text)
{
    figure_put(d->f, x, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, text);
    return x + figure_text_width_px(text, LETTER_SMALL);
}

/* "0 [gradient] 100 % of the layer's ideal time   [hatched] not known" */
static void put_scale(drawing *d, double y)
{
    enum { STEP_PX = 7 };
    const double half = 6;
    double x = put_muted(d, 16, y, "busy 0") + 8;
    for (unsigned i = 0; i < LEVELS; i++)
        figure_add(d->f, (figure_ornament){SWATCHES,
                                           {x + (i + 0.5) * STEP_PX, y, x + i * STEP_PX,
                                            x + (i + 1.0) * STEP_PX, y - half, y + half, busy_colour(i)}});
    x = put_muted(d, x + LEVELS * STEP_PX + 8, y, "100 %") + 20;
    if (d->has_unknown) {
        hatch(d->f, x, x + 24, y - half, y + half);
        x = put_muted(d, x + 30, y, "not known") + 20;
    }
    if (!d->n_left_out)
        return;
    const char *text = figure_printf(d->f, "%u layer%s without an ideal %s left out", d->n_left_out,
                                     say_plural(d->n_left_out), d->n_left_out == 1 ? "is" : "are");
    put_muted(d, x, y, figure_shorten(d->f, text, LETTER_SMALL, d->f->canvas.width_px - 16 - x));
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* As high as its rows need, and no higher than the canvas that was asked for. */
static void lay_out(drawing *d, double top)
{
    chart_figure *f = d->f;
    const double foot_px = 28;
    bool is_wide = f->is_wide;
    double name_px = 30;
    d->column_px = is_wide ? COLUMN_PX : COLUMN_OF_NARROW_PX;
    for (uint32_t i = 0; i < d->n_rows; i++)
        name_px = fmax(name_px, figure_text_width_px(d->p->engines[d->rows[i].engine], LETTER_SMALL));
    name_px = fmin(name_px, is_wide ? 160 : 76);
    double room = f->canvas.height_px - top - 4 - HEAD_PX - BELOW_PX - foot_px;
    double height = fmin(room, (double)MOST_ROW_PX * d->n_rows);
    d->plot = (plot_area){44 + name_px, f->canvas.width_px - 18 - 2 * d->column_px, top + 4 + HEAD_PX,
                          top + 4 + HEAD_PX + height};
    figure_set_height(f, d->plot.bottom_px + BELOW_PX + foot_px);
    figure_set_area(f, "plot", &d->plot);
    d->scale = chart_scale_of(d->total_s);
    d->x =
        (chart_axis){0, d->total_s * d->scale.factor, .from_px = d->plot.left_px, .to_px = d->plot.right_px};
    chart_axis_set(f, "x", &d->x);
    figure_set(f, "n_rows", d->n_rows);
    figure_set(f, "overlap", 0.4 * d->x.max / (d->plot.right_px - d->plot.left_px));
}

/* The busiest engine sets the floor: no overlap of layers can get below its own time. */
static const char *verdict(drawing *d)
{
    const roof_prediction *p = d->p;
    const occupancy *most = &d->rows[0];
    for (uint32_t i = 1; i < d->n_rows; i++)
        most = d->rows[i].ratio > most->ratio ? &d->rows[i] : most;
    return figure_printf(d->f,
                         "%s on %s: %s is busiest, %.0f %% of the ideal time; overlap of layers could gain "
                         "%.0f %% of that at most",
                         p->model.name, p->hardware.name, p->engines[most->engine], 100 * most->ratio,
                         100 * fmax(0, 1 - most->ratio));
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.f = f, .p = s->prediction};
    if (!d.p)
        return;
    for (uint32_t i = 0; i < d.p->n_layers; i++) {
        const roof_layer_prediction *l = &d.p->layers[i];
        bool known = has_width(l);
        d.n_layers += known;
        d.n_left_out += !known;
        d.total_s += known ? l->repeat * l->deployed.ideal_s : 0;
        d.total_cycles += known ? roof_layer_ideal_cycles(l) : 0;
    }
    if (d.n_layers) {
        /* Engines that do anything, in the order of the tables. */
        for (uint32_t e = 0; e < d.p->n_engines && d.n_rows < ROOF_MAX_ENGINES; e++) {
            occupancy row = {.engine = e};
            double sum = sum_of(&d, 0, d.p->n_layers, e, &row.is_least);
            if (!(sum > 0))
                continue;
            row.ratio = sum / d.total_cycles;
            for (uint32_t i = 0; i < d.p->n_layers; i++)
                row.n_bound += has_width(&d.p->layers[i]) && d.p->layers[i].deployed.bound == e;
            d.has_unknown = d.has_unknown || row.is_least;
            d.rows[d.n_rows++] = row;
        }
    }
    if (!d.n_rows)
        return;
    lay_out(&d, figure_head(f, verdict(&d), prediction_verdict(d.p, 0, f->arena)));
    figure_foot(f, chart_provenance(s, f));
    collect_columns(&d);
    put_cells(&d);
    put_spots(&d);
    put_engines(&d);
    number_columns(&d);
    chart_axis_put_time(d.f, &d.x, &d.plot, 20,
                        figure_printf(d.f, "Ideal time, layer after layer [%s]", d.scale.unit));
    put_scale(&d, d.plot.bottom_px + BELOW_PX - 14);
    f->caption = figure_printf(
        f,
        "Each column is a layer, as wide as its ideal time; each row an engine, the darker the busier it is "
        "in that layer. The busiest engine of a column binds the layer. An engine that is faint throughout "
        "has time to spare; an engine busy throughout gains nothing from overlap.%s%s",
        d.has_unknown ? " Hatched: not known." : "",
        d.n_columns < d.n_layers ? " Layers thinner than a pixel are drawn together." : "");
}

const chart_def chart_engines = {.id = "engines", .scope = CHART_MODEL, .draw = draw};
