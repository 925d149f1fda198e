/* A network under load: inferences/s over threads, with their ceilings, and below the latency of one.
 * Beyond the saturation point more threads only wait longer. */
#include "reports/charts/chart.h"
#include "reports/words/prediction_words.h"
#include "reports/words/verdict_words.h"

enum { RADIUS_PX = 5, CEILINGS = 2 };

/* Lines over threads: of inferences/s, and of times; what is not measured by the law, or as it was fitted. */
enum { FPS, FPS_LOW, FPS_HIGH, FPS_MEASURED };
enum { LATENCY, MEAN, P50, P95 };

typedef struct load_chart {
    chart_figure *f;
    plane_row *rates, *times;
    uint32_t n, knee_threads;
    int line; /* of rates that is named */
    plane_level ceilings[CEILINGS];
    const char *title, *subtitle;
} load_chart;

/* --- what is drawn ------------------------------------------------------------------------------------ */

static void set_ceilings(load_chart *c, uint32_t cores, double cores_fps, double host_fps)
{
    const char *busy = figure_printf(c->f, "%u core%s busy", cores, say_plural(cores));
    c->ceilings[0] = (plane_level){busy, cores_fps, COLOUR_MUTED, .digits = 0};
    c->ceilings[1] = (plane_level){"the host", host_fps, COLOUR_MUTED, .digits = 0};
}

static void take_prediction(load_chart *c, const roof_prediction *p)
{
    const roof_throughput *t = &p->throughput;
    for (uint32_t i = 0; i < c->n; i++) {
        const roof_load_point *x = &t->points[i];
        c->rates[i] = (plane_row){x->threads, {x->fps, x->fps_low, x->fps_high, NAN}};
        c->times[i] = (plane_row){x->threads, {x->latency_s, NAN, NAN, NAN}};
    }
    c->line = FPS;
    c->knee_threads = t->knee.threads;
    set_ceilings(c, t->cores, t->ceilings.cores_fps, t->ceilings.host_fps);
    c->title = text_or_empty(prediction_load(p, 0, c->f->arena));
    c->subtitle = figure_printf(c->f, "%s on %s; host: %s", p->model.name, p->hardware.name, t->host.kind);
}

static void take_sweep(load_chart *c, const roof_reconciliation *r, const roof_sweep *sweep)
{
    const roof_load_run *loads = &r->loads[sweep->first_load];
    char said[ROOF_SENTENCE_SIZE];
    for (uint32_t i = 0; i < c->n; i++) {
        const roof_load_run *l = &loads[i];
        const roof_times *t = &l->run->total;
        const double batch = l->run->batch == ROOF_NONE || !l->run->batch ? 1 : l->run->batch;
        c->rates[i] = (plane_row){l->run->threads, {l->fitted_fps, NAN, NAN, l->run->frames_per_s}};
        c->times[i] = (plane_row){
            l->run->threads, {l->run->threads * batch / l->fitted_fps, l->latency_s, t->median_s, t->p95_s}};
    }
    c->line = FPS_MEASURED;
    c->knee_threads = sweep->knee_threads;
    set_ceilings(c, sweep->cores,
                 sweep->cores / (sweep->service_s * (1 + sweep->contention_ratio * (sweep->cores - 1.0))),
                 NAN);
    verdict_say_load(r, sweep, said);
    c->title = figure_printf(c->f, "%s", said);
    c->subtitle = figure_printf(c->f, "%s%s%s, measured under load; line: what is fitted to it", loads->model,
                                loads->hardware ? " on " : "", loads->hardware ? loads->hardware : "");
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void put_planes(load_chart *c, const plot_area *page)
{
    chart_plane rates = {.f = c->f, .prefix = "rates"}, times = {.f = c->f, .prefix = "times"};
    axis_extent threads = EXTENT_EMPTY, fps = EXTENT_EMPTY, seconds = EXTENT_EMPTY;
    chart_plane_take_rows(&threads, &fps, c->rates, c->n);
    chart_plane_take_rows(&threads, &seconds, c->times, c->n);
    chart_levels_take(&fps, c->ceilings, CEILINGS, 1.5);
    const chart_scale scale = chart_scale_of(seconds.high);
    chart_plane_scale_rows(c->times, c->n, scale.factor);
    chart_axis x = chart_axis_linear(threads, 0.06);
    x.numbers = AXIS_COUNTS;
    plot_area above = *page, below = *page;
    const double split = page->top_px + 0.62 * (page->bottom_px - page->top_px - 44);
    above.bottom_px = split + 27; /* no title stands below it */
    below.top_px = split + 7;
    chart_plane_open(&rates, &above, 10, x, chart_axis_linear(fps, 0.08), "Inferences/s", NULL);
    chart_plane_open(&times, &below, 10, x,
                     chart_axis_linear((axis_extent){0, seconds.high * scale.factor}, 0.12),
                     figure_printf(c->f, "Latency [%s]", scale.unit),
                     "Threads, each with a runner that stays on one core");
    chart_plane_block(&rates, "lines", "threads\tinferences/s\tfrom\tto: nine of ten\tmeasured");
    chart_plane_put_rows(&rates, c->rates, c->n, PLANE_LINES, FPS, FPS + 1);
    chart_plane_block(&times, "lines", "threads\tlatency, scaled\tmean, scaled\tP50\tP95");
    chart_plane_put_rows(&times, c->times, c->n, PLANE_LINES, 0, 0);
    for (uint32_t i = 0; i < c->n; i++)
        chart_plane_avoid_point(&rates, c->rates[i].x, c->rates[i].y[c->line], RADIUS_PX);
    chart_plane_put_levels(&rates, c->ceilings, CEILINGS, "inferences/s", false);
    for (uint32_t i = 0; i < c->n; i++)
        if ((uint32_t)c->rates[i].x == c->knee_threads)
            chart_plane_name_point(&rates,
                                   figure_printf(c->f, "%u %s enough", c->knee_threads,
                                                 c->knee_threads == 1 ? "thread is" : "threads are"),
                                   c->rates[i].x, c->rates[i].y[c->line], RADIUS_PX, false);
}

static void draw(const chart_source *s, chart_figure *f)
{
    const uint32_t n = s->sweep ? s->sweep->n_loads : s->prediction ? s->prediction->throughput.n_points : 0;
    load_chart c = {.f = f,
                    .rates = NEW_ARRAY(f->arena, plane_row, n),
                    .times = NEW_ARRAY(f->arena, plane_row, n),
                    .n = n};
    if (!n || !c.rates || !c.times)
        return;
    if (s->sweep)
        take_sweep(&c, s->reconciliation, s->sweep);
    else
        take_prediction(&c, s->prediction);
    const plot_area page =
        chart_page(f, c.title, c.subtitle, NULL, 0,
                   s->sweep ? chart_study_provenance(s->reconciliation, f) : chart_provenance(s, f));
    figure_set(f, "is_measured", c.line == FPS_MEASURED);
    put_planes(&c, &page);
    f->caption =
        s->sweep
            ? "Above, inferences/s by the number of threads that call the device at the same time: discs are "
              "measured, the line is what is fitted to them, dashed lines are ceilings. Below, how long a "
              "frame takes: the mean, and from the median to the 95th percentile."
            : "Above, inferences/s by the number of threads; the pale band holds nine of ten networks that "
              "nothing was fitted to, dashed lines are ceilings. Below, how long an inference takes: once "
              "the cores are busy, more threads only wait longer.";
}

const chart_def chart_load = {.id = "load", .scope = CHART_LOAD, .draw = draw};
