/* The configurations of a board: frames per second over the largest share of the device that they take. The
 * line is of those that make more than all that cost less. */
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/tables/configurations/configurations_view.h"

#include <math.h>

enum { NUMBERS_PX = 52, RADIUS_PX = 5, LEFT_PX = 24 };

typedef struct drawing {
    chart_figure *f;
    const roof_configurations *of;
    chart_plane plane; /* per cent of the device, frames per second */
} drawing;

/* What is drawn of it: held, and its frames are known. */
static bool is_drawn(const roof_configuration *c)
{
    return c->is_held && !isnan(c->fps);
}

static void choose_axes(drawing *d)
{
    axis_extent costs = EXTENT_EMPTY, rates = EXTENT_EMPTY;
    double highest = 0;
    for (uint32_t i = 0; i < d->of->n; i++) {
        const roof_configuration *c = &d->of->all[i];
        if (!is_drawn(c))
            continue;
        chart_extent_take(&costs, 100 * c->cost_ratio);
        chart_extent_take(&rates, c->fps);
        highest = fmax(highest, c->fps);
    }
    /* what is asked far above the points would press them to the ground */
    if (d->of->asked_fps <= 2 * highest)
        chart_extent_take(&rates, d->of->asked_fps);
    chart_plane_set_axes(&d->plane, chart_axis_linear(costs, 0.06), chart_axis_linear(rates, 0.1));
}

/* Steps: up to the next cost a device makes no more. */
static void put_front(drawing *d)
{
    const roof_configuration *last = NULL;
    figure_block(d->f, "front", "cost [%]\tframes/s");
    for (uint32_t i = 0; i < d->of->n; i++) {
        const roof_configuration *c = &d->of->all[i];
        if (!c->is_on_front)
            continue;
        const double cost = 100 * c->cost_ratio;
        if (last) {
            chart_plane_put_line(&d->plane, (plane_line){100 * last->cost_ratio, last->fps, cost, last->fps},
                                 1);
            chart_plane_put_line(&d->plane, (plane_line){cost, last->fps, cost, c->fps}, 1);
        }
        last = c;
    }
    if (last)
        chart_plane_put_line(&d->plane,
                             (plane_line){100 * last->cost_ratio, last->fps, d->plane.x.max, last->fps}, 1);
}

static void put_points(drawing *d, bool on_front, const char *block)
{
    figure_block(d->f, block, "cost [%]\tframes/s\tfrom\tto: nine of ten\tcolour\tsymbol");
    for (uint32_t i = 0; i < d->of->n; i++) {
        const roof_configuration *c = &d->of->all[i];
        if (!is_drawn(c) || c->is_on_front != on_front)
            continue;
        const bool is_best = i == d->of->cheapest;
        FIGURE_ROW(d->f, 100 * c->cost_ratio, c->fps, c->fps_low, c->fps_high,
                   is_best    ? COLOUR_GAP
                   : on_front ? COLOUR_PREDICTED
                              : COLOUR_MUTED,
                   c->is_estimate ? SYMBOL_DISC - 1 : SYMBOL_DISC);
        chart_plane_avoid_point(&d->plane, 100 * c->cost_ratio, c->fps, RADIUS_PX);
    }
}

static void name_points(drawing *d, bool on_front)
{
    for (uint32_t i = 0; i < d->of->n; i++) {
        const roof_configuration *c = &d->of->all[i];
        if (is_drawn(c) && c->is_on_front == on_front)
            chart_plane_name_point(&d->plane, configurations_name(c, d->f->arena), 100 * c->cost_ratio,
                                   c->fps, RADIUS_PX);
    }
}

static void put_asked(drawing *d)
{
    const double fps = d->of->asked_fps;
    const along_line along = {.first = 0.02, .span = 0.9, .steps = 20};
    const plane_line line = {0, fps, d->plane.x.max, fps};
    figure_block(d->f, "asked", "cost [%]\tframes/s");
    if (!(fps <= d->plane.y.max))
        return;
    chart_plane_put_line(&d->plane, line, 1);
    chart_plane_label_line(&d->plane, figure_printf(d->f, "asked: %.4g frames/s", fps), LETTER_SMALL, line,
                           &along);
}

static void lay_out(drawing *d, double top_px, double bottom_px)
{
    chart_figure *f = d->f;
    d->plane.area =
        (plot_area){LEFT_PX + NUMBERS_PX, f->canvas.width_px - AXIS_END_PX, top_px + 10, bottom_px - 44};
    choose_axes(d);
    figure_set_area(f, "plot", &d->plane.area);
    chart_axis_number(f, "x-grid", &d->plane.x, AXIS_BELOW, &d->plane.area);
    chart_axis_number(f, "y-grid", &d->plane.y, AXIS_LEFT, &d->plane.area);
    chart_axis_set(f, "x", &d->plane.x);
    chart_axis_set(f, "y", &d->plane.y);
    chart_axis_title_left(f, &d->plane.area, NUMBERS_PX - 16, "Frames per second");
    chart_axis_title_below(f, &d->plane.area, "Largest share of the device that is taken at least [%]");
    put_points(d, true, "on-front");
    put_points(d, false, "behind");
    put_front(d);
    put_asked(d);
    name_points(d, true);
    name_points(d, false);
}

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_configurations *of = s->configurations;
    if (!of || of->most == ROOF_NONE)
        return;
    drawing d = {.f = f, .of = of, .plane.f = f};
    const char *basis = configurations_sentence(of, 0, f->arena);
    const double top = figure_head(f, basis ? basis : "",
                                   figure_printf(f, "%s on %s; host: %s; bars: ranges; hollow: estimates%s",
                                                 of->model, of->board, of->host ? of->host : "none",
                                                 of->only_size ? "" : "; constants of one size for all"));
    lay_out(&d, top, figure_foot(f, "roofline " ROOF_VERSION));
    f->caption =
        "Each point is a size of the array and a number of cores: frames per second over the largest "
        "share of the device that it takes at least. The line is of those that make more than all "
        "that cost less; hollow points are estimates, and the dashed line is what was asked for.";
}

const chart_def chart_pareto = {.id = "pareto", .scope = CHART_ANSWER, .draw = draw};
