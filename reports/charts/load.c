/* A network in use: frames per second over threads, with their ceilings, and below the latency of a frame.
 * Beyond the knee more threads only wait longer. */
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/words/prediction_words.h"

#include <math.h>

enum { NUMBERS_PX = 52, RADIUS_PX = 5 };

typedef struct load_chart {
    chart_figure *f;
    const roof_throughput *load;
    chart_plane rates, times; /* threads; frames per second, and the unit of scale */
    chart_scale scale;
} load_chart;

/* --- what is drawn ------------------------------------------------------------------------------------ */

static void choose_axes(load_chart *c)
{
    axis_extent threads = EXTENT_EMPTY, rates = EXTENT_EMPTY, times = EXTENT_EMPTY;
    double most_s = 0;
    for (uint32_t i = 0; i < c->load->n_points; i++) {
        const roof_load_point *x = &c->load->points[i];
        chart_extent_take(&threads, x->threads);
        chart_extent_take(&rates, fmax(x->fps, isnan(x->fps_high) ? 0 : x->fps_high));
        most_s = fmax(most_s, x->latency_s);
    }
    /* a ceiling far above the points would press them to the ground */
    const double ceilings[] = {c->load->ceilings.cores_fps, c->load->ceilings.host_fps};
    const double highest = rates.high;
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++)
        if (ceilings[i] <= 1.5 * highest)
            chart_extent_take(&rates, ceilings[i]);
    c->scale = chart_scale_of(most_s);
    chart_extent_take(&times, most_s * c->scale.factor);
    const chart_axis x = chart_axis_linear(threads, 0.06);
    chart_plane_set_axes(&c->rates, x, chart_axis_linear(rates, 0.08));
    chart_plane_set_axes(&c->times, x, chart_axis_linear(times, 0.12));
}

static void put_points(load_chart *c)
{
    figure_block(c->f, "load-points", "threads\tframes/s\tfrom\tto: nine of ten\tlatency, scaled");
    for (uint32_t i = 0; i < c->load->n_points; i++) {
        const roof_load_point *x = &c->load->points[i];
        const double latency = x->latency_s * c->scale.factor;
        FIGURE_ROW(c->f, x->threads, x->fps, x->fps_low, x->fps_high, latency);
        chart_plane_avoid_point(&c->rates, x->threads, x->fps, RADIUS_PX);
        chart_plane_avoid_point(&c->times, x->threads, latency, RADIUS_PX);
        if (i)
            chart_plane_avoid_line(
                &c->rates, (plane_line){(x - 1)->threads, (x - 1)->fps, x->threads, x->fps}, RADIUS_PX);
    }
}

/* Ceilings, from one side to the other, with their names above them. */
static void put_ceilings(load_chart *c)
{
    const struct {
        const char *words;
        double fps;
    } ceilings[] = {{figure_printf(c->f, "%u core%s busy: %.0f frames/s", c->load->cores,
                                   say_plural(c->load->cores), c->load->ceilings.cores_fps),
                     c->load->ceilings.cores_fps},
                    {figure_printf(c->f, "the host: %.0f frames/s", c->load->ceilings.host_fps),
                     c->load->ceilings.host_fps}};
    const along_line along = {.first = 0.02, .span = 0.9, .steps = 20, .above_only = true};
    figure_block(c->f, "load-ceilings", "threads\tframes/s");
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        const plane_line line = {0, ceilings[i].fps, c->rates.x.max, ceilings[i].fps};
        if (!(ceilings[i].fps <= c->rates.y.max))
            continue;
        chart_plane_put_line(&c->rates, line, 1);
        figure_gap(c->f);
        chart_plane_label_line(&c->rates, ceilings[i].words, LETTER_SMALL, line, &along);
    }
}

static void name_knee(const load_chart *c)
{
    const roof_throughput *t = c->load;
    for (uint32_t i = 0; i < t->n_points; i++)
        if (t->points[i].threads == t->knee.threads)
            chart_plane_name_point(&c->rates,
                                   figure_printf(c->f, "%u %s enough", t->knee.threads,
                                                 t->knee.threads == 1 ? "thread is" : "threads are"),
                                   t->knee.threads, t->points[i].fps, RADIUS_PX);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void put_plane(load_chart *c, const chart_plane *plane, const char *prefix, const char *title)
{
    figure_set_area(c->f, prefix, &plane->area);
    chart_axis_number(c->f, figure_printf(c->f, "%s-x-grid", prefix), &plane->x, AXIS_BELOW, &plane->area);
    chart_axis_number(c->f, figure_printf(c->f, "%s-y-grid", prefix), &plane->y, AXIS_LEFT, &plane->area);
    chart_axis_set(c->f, figure_printf(c->f, "%s_x", prefix), &plane->x);
    chart_axis_set(c->f, figure_printf(c->f, "%s_y", prefix), &plane->y);
    chart_axis_title_left(c->f, &plane->area, NUMBERS_PX - 16, title);
}

static void lay_out(load_chart *c, double top_px, double bottom_px)
{
    const double left = 24 + NUMBERS_PX, below_px = 44, between_px = 34;
    const double right = c->f->canvas.width_px - AXIS_END_PX, end = bottom_px - below_px;
    const double split = top_px + 0.62 * (end - top_px);
    c->rates.area = (plot_area){left, right, top_px + 10, split - between_px / 2};
    c->times.area = (plot_area){left, right, split + between_px / 2, end};
    choose_axes(c);
    put_plane(c, &c->rates, "rates", "Frames per second");
    put_plane(c, &c->times, "times", figure_printf(c->f, "Latency [%s]", c->scale.unit));
    chart_axis_title_below(c->f, &c->times.area, "Threads, each with a runner that stays on one core");
    put_points(c);
    put_ceilings(c);
    name_knee(c);
}

static void draw(const chart_source *s, chart_figure *f)
{
    char said[ROOF_SENTENCE_SIZE];
    if (!s->prediction || !s->prediction->throughput.n_points)
        return;
    load_chart c = {.f = f, .load = &s->prediction->throughput, .rates.f = f, .times.f = f};
    prediction_say_load(s->prediction, said);
    const double top = figure_head(f, said,
                                   figure_printf(f, "%s on %s; host: %s", s->prediction->model.name,
                                                 s->prediction->hardware.name, c.load->host.kind));
    lay_out(&c, top, figure_foot(f, chart_provenance(s, f)));
    f->caption =
        "Above, frames per second by the number of threads; the pale band holds nine of ten networks "
        "that nothing was fitted to, dashed lines are ceilings. Below, how long a frame takes: once the "
        "cores are busy, more threads only wait longer.";
}

const chart_def chart_load = {.id = "load", .scope = CHART_MODEL, .draw = draw};
