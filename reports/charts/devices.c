/* Models on several devices: bounds, expected and measured times, the shortest of each model first. */
#include "reports/charts/chart.h"
#include "reports/charts/chart_axes.h"
#include "reports/charts/palette.h"
#include "reports/words/answer_words.h"
#include "reports/words/prediction_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_PX = 16, LINE_PX = 16, BETWEEN_PX = 14, MOST_DEVICES = 40, NAME_PX = 284, BELOW_PX = 78 };

typedef enum bar_kind { BEST, IDEAL, PREDICTED, MEASURED, KINDS } bar_kind;

static const struct {
    const char *word;
    uint32_t colour;
} bars[KINDS] = {
    [BEST] = {"bound", COLOUR_FLOOR},
    [IDEAL] = {"ideal", COLOUR_IDEAL},
    [PREDICTED] = {"predicted", COLOUR_PREDICTED},
    [MEASURED] = {"measured", COLOUR_MEASURED},
};

typedef struct device {
    const roof_prediction *p;
    uint32_t model;         /* the first device of the same one */
    double seconds[KINDS];  /* NaN: unknown */
    double rank_s;          /* the one that devices are compared by */
    bool is_layer_by_layer; /* measured as such, since there is no whole-network run */
    bool is_other_target;   /* than the one it was compiled for */
    uint32_t n_lines;       /* of what stands beside its bars */
    double top_px;
} device;

typedef struct drawing {
    chart_figure *f;
    plot_area plot;
    chart_scale scale;
    chart_axis x; /* scale.unit */
    device *devices;
    uint32_t n, n_left_out, n_models;
    /* expected where that is known of every device, the bound where each has a schedule, else ideal */
    bar_kind rank;
} drawing;

/* --- what is known of a device ------------------------------------------------------------------------ */

static device describe(const chart_source *s, const roof_prediction *p)
{
    device d = {.p = p,
                .seconds = {[BEST] = roof_best_s(p),
                            [IDEAL] = p->total.deployed.ideal_s,
                            [PREDICTED] = p->total.predicted_s,
                            [MEASURED] = NAN}};
    for (uint32_t i = 0; i < p->n_findings; i++)
        d.is_other_target = d.is_other_target || p->findings[i].kind == ROOF_FINDING_OTHER_TARGET;
    d.n_lines = d.is_other_target ? 3 : 2;
    for (uint32_t i = 0; s->reconciliation && i < s->reconciliation->n_experiments; i++) {
        const roof_reconciled *e = &s->reconciliation->experiments[i];
        if (e->prediction != d.p)
            continue;
        bool is_deployed = e->total.bypass_s > 0;
        double seconds = is_deployed ? e->total.bypass_s : roof_layered_seconds(e);
        if (!(seconds > 0) || (d.seconds[MEASURED] > 0 && (!is_deployed || !d.is_layer_by_layer)))
            continue;
        d.seconds[MEASURED] = seconds;
        d.is_layer_by_layer = !is_deployed;
    }
    for (int k = 0; k < KINDS; k++)
        if (!(d.seconds[k] > 0) || !isfinite(d.seconds[k]))
            d.seconds[k] = NAN;
    return d;
}

/* Order within a model: the faster first; of equally fast ones those that run it as it is, then by name, so
 * that the order does not depend on that of the arguments. */
static int faster_first(const void *a, const void *b)
{
    const device *first = a, *second = b;
    double difference = first->rank_s - second->rank_s;
    if (first->model != second->model)
        return first->model < second->model ? -1 : 1;
    return difference < 0   ? -1
           : difference > 0 ? 1
           : first->is_other_target != second->is_other_target
               ? (int)first->is_other_target - (int)second->is_other_target
               : strcmp(first->p->hardware.id, second->p->hardware.id);
}

/* --- words -------------------------------------------------------------------------------------------- */

/* "bound 1.631 ms, at most 613 inferences/s": a rate stands beside the time that it follows from; a sum of
 * layers is no rate that anything could run at. */
static const char *bar_words(const drawing *d, const device *one, bar_kind kind)
{
    const roof_prediction *p = one->p;
    double seconds = one->seconds[kind], batch = p->options.batch ? p->options.batch : 1;
    const uint32_t busy = p->total.busy_cores;
    double per_s = kind == BEST        ? roof_pair_of(p).per_s
                   : kind == PREDICTED ? p->total.predicted_inferences_per_s * (busy > 1 ? busy : 1)
                   : kind == MEASURED  ? batch / seconds
                                       : (double)NAN;
    const char *how = kind == MEASURED && one->is_layer_by_layer ? " in a per-layer run" : "",
               *word = kind == BEST && p->estimate_of ? "about" : bars[kind].word;
    const char *text = figure_printf(d->f, "%s%s %s", word, how, say_quantity(d->f->arena, seconds, "s"));
    if (!(per_s > 0) || !isfinite(per_s))
        return text;
    int digits = per_s < 10 ? 2 : per_s < 100 ? 1 : 0;
    return figure_printf(
        d->f, "%s, %s%.*f%s%s", text, kind == BEST && !p->estimate_of ? "at most " : "", digits, per_s,
        d->f->is_wide ? " inferences/s" : "/s",
        (kind == BEST && p->hardware.cores > 1) || (kind == PREDICTED && busy > 1) ? ", all cores" : "");
}

/* "kv260: 300 MHz, 19.2 GB/s" */
static const char *machine_words(const drawing *d, const device *one)
{
    const roof_prediction *p = one->p;
    double clock = p->hardware.clock_hz, bandwidth = p->hardware.bandwidth_bytes_per_s;
    return figure_printf(d->f, "%s: %s, %s", p->hardware.id,
                         clock > 0 ? say_quantity(d->f->arena, clock, "Hz") : "clock not known",
                         bandwidth > 0 ? say_quantity(d->f->arena, bandwidth, "B/s") : "memory not known");
}

/* A stream keeps its array; without one that fits, cycles are what the shapes would take. */
static bool is_from_shapes(const device *one)
{
    return one->is_other_target && one->p->total.deployed.cycles_basis != ROOF_BASIS_CODE;
}

/* "resnet50: kv260 is fastest", in the words of the table of pairs; of several models without times. */
static const char *verdict(drawing *d)
{
    enum { MOST = 3 };
    roof_arena *arena = d->f->arena;
    contestant *all = NEW_ARRAY(arena, contestant, d->n);
    const bool is_brief = d->n_models > 1;
    const char *list = "";
    uint32_t n_said = 0;
    for (uint32_t from = 0, to = 0; from < d->n && all; from = to) {
        roof_error err;
        uint32_t n = 0;
        for (to = from; to < d->n && d->devices[to].model == d->devices[from].model; to++) {
            const roof_pair pair = roof_pair_of(d->devices[to].p);
            const char *name = is_brief        ? pair.hardware
                               : d->f->is_wide ? d->devices[to].p->hardware.name
                                               : d->devices[to].p->hardware.id;
            n += answer_contestant(&pair, name, false, arena, &all[n], &err) == ROOF_OK;
        }
        if (n_said++ >= MOST)
            continue;
        /* room for the verdict; the rest is said above the table of pairs, and is not cut within */
        const char *said = n ? answer_contest(arena, all, n, is_brief) : "", *rest = strstr(said, "; ");
        list = say_printf(arena, "%s%s%s: %.*s", list, *list ? "; " : "", d->devices[from].p->model.name,
                          (int)(rest ? (size_t)(rest - said) : strlen(said)), said);
    }
    return n_said > MOST ? figure_printf(d->f, "%s; %u more", list, n_said - MOST) : list;
}

static const char *conditions(drawing *d)
{
    uint32_t others = 0, measured = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        others += d->devices[i].is_other_target;
        measured += d->devices[i].seconds[MEASURED] > 0;
    }
    const char *left_out = d->n_left_out ? figure_printf(d->f, "; %u not shown", d->n_left_out) : "";
    const char *other =
        others ? figure_printf(d->f, "; on %u not with the array that the model was compiled for", others)
               : "";
    const char *on = measured ? figure_printf(d->f, "measured on %u", measured) : "not measured";
    const char *what = d->n_models > 1 ? "pair" : "device";
    return figure_printf(d->f, "%u %s%s, %s%s%s", d->n, what, say_plural(d->n), on, other, left_out);
}

/* --- places ------------------------------------------------------------------------------------------- */

/* As high as the devices need. Names stand beside the bars of a wide canvas, else above them. */
static void lay_out(drawing *d, double top)
{
    const double least_px = 60;
    chart_figure *f = d->f;
    double words_px = 0, most_s = 0, y = top + 8;
    for (uint32_t i = 0; i < d->n; i++) {
        device *one = &d->devices[i];
        double names = (double)LINE_PX * one->n_lines, all = 0;
        for (bar_kind k = 0; k < KINDS; k++) {
            if (isnan(one->seconds[k]))
                continue;
            all += BAR_PX;
            most_s = fmax(most_s, one->seconds[k]);
            words_px = fmax(words_px, figure_text_width_px(bar_words(d, one, k), LETTER_SMALL));
        }
        one->top_px = y;
        y += (f->is_wide ? fmax(names, all) : names + 2 + all) + BETWEEN_PX;
    }
    double left = f->is_wide ? 16 + NAME_PX : 16, right = f->canvas.width_px - 16 - words_px - 8;
    d->plot = (plot_area){left, fmax(left + least_px, right), top + 4, y - BETWEEN_PX / 2.0};
    figure_set_height(f, y + BELOW_PX);
    d->scale = chart_scale_of(most_s);
    d->x = (chart_axis){0, most_s * d->scale.factor, .from_px = d->plot.left_px, .to_px = d->plot.right_px};
}

/* --- what is drawn ------------------------------------------------------------------------------------ */

static void put_bars(drawing *d)
{
    figure_block(d->f, "bars", "time\ty [px]\thalf height [px]\tcolour\twhat\tdevice");
    for (uint32_t i = 0; i < d->n; i++) {
        const device *one = &d->devices[i];
        double y = one->top_px + BAR_PX / 2.0 + (d->f->is_wide ? 0 : 2 + (double)LINE_PX * one->n_lines);
        for (bar_kind k = 0; k < KINDS; k++) {
            double value = one->seconds[k] * d->scale.factor;
            if (isnan(value))
                continue;
            FIGURE_NUMBERS(d->f, value, y, BAR_PX / 2.0 - 1.5, bars[k].colour);
            figure_text(d->f, bars[k].word);
            figure_text(d->f, one->p->hardware.name);
            figure_end_row(d->f);
            figure_put(d->f, chart_axis_px(&d->x, value) + 6, y, ANCHOR_LEFT, LETTER_SMALL,
                       k == BEST ? COLOUR_MUTED : COLOUR_INK, bar_words(d, one, k));
            y += BAR_PX;
        }
    }
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.f = f};
    d.devices = NEW_ARRAY(d.f->arena, device, s->n_devices);
    for (uint32_t i = 0; i < s->n_devices && d.devices; i++) {
        device *one = &d.devices[d.n];
        if (s->devices[i])
            *one = describe(s, s->devices[i]);
        if (!s->devices[i] || isnan(one->seconds[IDEAL]))
            continue;
        one->model = 0;
        while (one->model < d.n && !prediction_is_of_same(d.devices[one->model].p, one->p))
            one->model++;
        d.n_models += one->model == d.n;
        d.n++;
    }
    uint32_t n_predicted = 0, n_scheduled = 0;
    for (uint32_t i = 0; i < d.n; i++) {
        const bool is_bound = !d.devices[i].p->estimate_of;
        if (is_bound && d.devices[i].seconds[PREDICTED] > 0)
            n_predicted++;
        if (!isnan(d.devices[i].p->schedule.scheduled_s))
            n_scheduled++;
    }
    d.rank = n_predicted == d.n ? PREDICTED : n_scheduled == d.n ? BEST : IDEAL;
    for (uint32_t i = 0; i < d.n; i++)
        d.devices[i].rank_s = d.devices[i].seconds[d.rank];
    if (d.n)
        qsort(d.devices, d.n, sizeof *d.devices, faster_first);
    d.n = d.n < MOST_DEVICES ? d.n : MOST_DEVICES;
    d.n_left_out = s->n_devices - d.n;
    if (!d.n)
        return;
    lay_out(&d, figure_head(f, verdict(&d), conditions(&d)));
    figure_foot(f, chart_devices_provenance(s, f));
    figure_set_area(d.f, "plot", &d.plot);
    chart_axis_set(d.f, "x", &d.x);
    figure_set(d.f, "y_top", d.plot.top_px);
    figure_set(d.f, "y_bottom", d.plot.bottom_px);
    chart_axis_number(d.f, "x-grid", &d.x, AXIS_BELOW, &d.plot);
    chart_axis_title_below(d.f, &d.plot, figure_printf(d.f, "Time of one run [%s]", d.scale.unit));
    put_bars(&d);
    static const letter_kind letters[] = {LETTER_BOLD, LETTER_SMALL, LETTER_SMALL};
    static const uint32_t colours[] = {COLOUR_INK, COLOUR_MUTED, COLOUR_GAP};
    double left = d.f->is_wide ? 16 : 22;
    double width = d.f->is_wide ? NAME_PX - 16 : d.f->canvas.width_px - left - 16;
    for (uint32_t at = 0; at < d.n; at++) {
        const device *one = &d.devices[at];
        const char *target = one->p->model.target ? one->p->model.target : "another array";
        const char *const texts[] = {
            d.n_models > 1 ? figure_printf(f, "%s on %s", one->p->model.name, one->p->hardware.id)
                           : one->p->hardware.name,
            machine_words(&d, one),
            figure_printf(d.f, is_from_shapes(one) ? "shapes, not %s" : "array of %s", target)};
        for (uint32_t k = 0; k < one->n_lines && k < sizeof texts / sizeof *texts; k++)
            figure_put(d.f, left, one->top_px + LINE_PX * (k + 0.5), ANCHOR_LEFT, letters[k], colours[k],
                       figure_shorten(d.f, texts[k], letters[k], width));
    }
    f->caption =
        "For every device, the shortest bar first. Bound: no whole-network run is faster. Ideal: sum of the "
        "layers. Predicted: the time to expect on that device. Measured: the whole-network run. What is "
        "unknown has "
        "no bar.";
}

const chart_def chart_devices = {.id = "devices", .scope = CHART_DEVICES, .draw = draw};
