/* A network under load: inferences/s over threads, with their ceilings, and below the latency of one.
 * Beyond the saturation point more threads only wait longer. */
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/words/prediction_words.h"
#include "reports/words/verdict_words.h"

#include <math.h>

enum { NUMBERS_PX = 52, RADIUS_PX = 5 };

/* Values drawn at a number of threads; NaN: unknown. */
typedef struct load_mark {
    double threads, fps, low, high, latency_s; /* by the law, or by what was fitted to the sweep */
    double measured_fps, mean_s, p50_s, p95_s;
} load_mark;

typedef struct load_chart {
    chart_figure *f;
    load_mark *marks;
    uint32_t n, cores, knee_threads;
    double cores_fps, host_fps;
    const char *title, *subtitle;
    bool is_measured;
    chart_plane rates, times; /* threads; inferences/s, and the unit of scale */
    chart_scale scale;
} load_chart;

/* --- what is drawn ------------------------------------------------------------------------------------ */

static bool take_prediction(load_chart *c, const roof_prediction *p)
{
    const roof_throughput *t = &p->throughput;
    c->marks = NEW_ARRAY(c->f->arena, load_mark, t->n_points);
    for (; c->n < t->n_points && c->marks; c->n++) {
        const roof_load_point *x = &t->points[c->n];
        c->marks[c->n] =
            (load_mark){x->threads, x->fps, x->fps_low, x->fps_high, x->latency_s, NAN, NAN, NAN, NAN};
    }
    c->cores = t->cores;
    c->knee_threads = t->knee.threads;
    c->cores_fps = t->ceilings.cores_fps;
    c->host_fps = t->ceilings.host_fps;
    c->title = figure_printf(c->f, "%s", text_or_empty(prediction_load(p, 0, c->f->arena)));
    c->subtitle = figure_printf(c->f, "%s on %s; host: %s", p->model.name, p->hardware.name, t->host.kind);
    return c->n;
}

static bool take_sweep(load_chart *c, const roof_reconciliation *r, const roof_sweep *sweep)
{
    const roof_load_run *loads = &r->loads[sweep->first_load];
    char said[ROOF_SENTENCE_SIZE];
    c->marks = NEW_ARRAY(c->f->arena, load_mark, sweep->n_loads);
    for (; c->n < sweep->n_loads && c->marks; c->n++) {
        const roof_load_run *l = &loads[c->n];
        const roof_times *t = &l->run->total;
        const double batch = l->run->batch == ROOF_NONE || !l->run->batch ? 1 : l->run->batch;
        c->marks[c->n] = (load_mark){l->run->threads,
                                     l->fitted_fps,
                                     NAN,
                                     NAN,
                                     l->run->threads * batch / l->fitted_fps,
                                     l->run->frames_per_s,
                                     l->latency_s,
                                     t->median_s,
                                     t->p95_s};
    }
    c->cores = sweep->cores;
    c->knee_threads = sweep->knee_threads;
    c->cores_fps = sweep->cores / (sweep->service_s * (1 + sweep->contention_ratio * (sweep->cores - 1.0)));
    c->host_fps = NAN;
    c->is_measured = true;
    verdict_say_load(r, sweep, said);
    c->title = figure_printf(c->f, "%s", said);
    c->subtitle = figure_printf(c->f, "%s%s%s, measured under load; line: what is fitted to it", loads->model,
                                loads->hardware ? " on " : "", loads->hardware ? loads->hardware : "");
    return c->n;
}

static void choose_axes(load_chart *c)
{
    axis_extent threads = EXTENT_EMPTY, rates = EXTENT_EMPTY, times = EXTENT_EMPTY;
    double most_s = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const load_mark *m = &c->marks[i];
        const double fps[] = {m->fps, m->high, m->measured_fps},
                     latencies_s[] = {m->latency_s, m->mean_s, m->p95_s};
        chart_extent_take(&threads, m->threads);
        for (size_t k = 0; k < sizeof fps / sizeof *fps; k++) {
            chart_extent_take(&rates, fps[k]);
            most_s = latencies_s[k] > most_s ? latencies_s[k] : most_s;
        }
    }
    /* a ceiling far above the points would press them to the ground */
    const double ceilings[] = {c->cores_fps, c->host_fps}, highest = rates.high;
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++)
        if (ceilings[i] <= 1.5 * highest)
            chart_extent_take(&rates, ceilings[i]);
    c->scale = chart_scale_of(most_s);
    chart_extent_take(&times, most_s * c->scale.factor);
    chart_axis x = chart_axis_linear(threads, 0.06);
    x.numbers = AXIS_COUNTS;
    chart_plane_set_axes(&c->rates, x, chart_axis_linear(rates, 0.08));
    chart_plane_set_axes(&c->times, x, chart_axis_linear(times, 0.12));
}

static void put_points(load_chart *c)
{
    figure_block(c->f, "load-points",
                 "threads\tframes/s\tfrom\tto: nine of ten\tlatency, scaled\tmeasured inferences/s\tmean, "
                 "scaled\tP50\tP95");
    for (uint32_t i = 0; i < c->n; i++) {
        const load_mark *m = &c->marks[i];
        const double scale = c->scale.factor;
        FIGURE_ROW(c->f, m->threads, m->fps, m->low, m->high, m->latency_s * scale, m->measured_fps,
                   m->mean_s * scale, m->p50_s * scale, m->p95_s * scale);
        chart_plane_avoid_point(&c->rates, m->threads, c->is_measured ? m->measured_fps : m->fps, RADIUS_PX);
        if (i && isfinite(m->fps) && isfinite((m - 1)->fps))
            chart_plane_avoid_line(
                &c->rates, (plane_line){(m - 1)->threads, (m - 1)->fps, m->threads, m->fps}, RADIUS_PX);
    }
}

/* Ceilings, from one side to the other, with their names above them. */
static void put_ceilings(load_chart *c)
{
    const struct {
        const char *words;
        double fps;
    } ceilings[] = {{figure_printf(c->f, "%u core%s busy", c->cores, say_plural(c->cores)), c->cores_fps},
                    {"the host", c->host_fps}};
    const along_line along = {.first = 0.02, .span = 0.9, .steps = 20, .above_only = true};
    figure_block(c->f, "load-ceilings", "threads\tframes/s");
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        const plane_line line = {0, ceilings[i].fps, c->rates.x.max, ceilings[i].fps};
        if (!(ceilings[i].fps <= c->rates.y.max))
            continue;
        chart_plane_put_line(&c->rates, line, 1);
        figure_gap(c->f);
        chart_plane_label_line(
            &c->rates, figure_printf(c->f, "%s: %.0f inferences/s", ceilings[i].words, ceilings[i].fps),
            LETTER_SMALL, line, &along);
    }
}

static void name_knee(const load_chart *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        if ((uint32_t)c->marks[i].threads == c->knee_threads)
            chart_plane_name_point(&c->rates,
                                   figure_printf(c->f, "%u %s enough", c->knee_threads,
                                                 c->knee_threads == 1 ? "thread is" : "threads are"),
                                   c->marks[i].threads,
                                   c->is_measured ? c->marks[i].measured_fps : c->marks[i].fps, RADIUS_PX,
                                   false);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void lay_out(load_chart *c, const plot_area *page)
{
    const double between_px = 34;
    c->rates.area = c->times.area = chart_plane_area(page, NUMBERS_PX, 10);
    const double split = page->top_px + 0.62 * (c->times.area.bottom_px - page->top_px);
    c->rates.area.bottom_px = split - between_px / 2;
    c->times.area.top_px = split + between_px / 2;
    choose_axes(c);
    chart_plane_put_axes(&c->rates, NULL, NUMBERS_PX - 16, "Inferences/s", NULL);
    chart_plane_put_axes(&c->times, NULL, NUMBERS_PX - 16, figure_printf(c->f, "Latency [%s]", c->scale.unit),
                         "Threads, each with a runner that stays on one core");
    figure_set(c->f, "is_measured", c->is_measured);
    put_points(c);
    put_ceilings(c);
    name_knee(c);
}

static void draw(const chart_source *s, chart_figure *f)
{
    load_chart c = {.f = f, .rates = {.f = f, .prefix = "rates"}, .times = {.f = f, .prefix = "times"}};
    const bool is_there = s->sweep ? take_sweep(&c, s->reconciliation, s->sweep)
                                   : s->prediction && take_prediction(&c, s->prediction);
    if (!is_there)
        return;
    const plot_area page =
        chart_page(f, c.title, c.subtitle, NULL, 0,
                   s->sweep ? chart_study_provenance(s->reconciliation, f) : chart_provenance(s, f));
    lay_out(&c, &page);
    f->caption =
        c.is_measured
            ? "Above, inferences/s by the number of threads that call the device at the same time: "
              "discs "
              "are measured, the line is what is fitted to them, dashed lines are ceilings. Below, how long "
              "a "
              "frame takes: the mean, and from the median to the 95th percentile."
            : "Above, inferences/s by the number of threads; the pale band holds nine of ten networks "
              "that nothing was fitted to, dashed lines are ceilings. Below, how long an inference takes: "
              "once "
              "the "
              "cores are busy, more threads only wait longer.";
}

const chart_def chart_load = {.id = "load", .scope = CHART_LOAD, .draw = draw};
