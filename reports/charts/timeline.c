/* The work of each engine over time, as the schedule has it: a panel for each, filled from below by what it
 * works and above that by what it waits for. A dark strip on top of a panel is where the critical path runs
 * through it; below all stand the layers on that path. What is dark and full all along is what the network
 * waits for. */
#include "core/quantity.h"
#include "reports/charts/chart.h"
#include "reports/charts/chart_axes.h"
#include "reports/charts/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_PX = 22,
    MOST_PANEL_PX = 84,
    BELOW_PX = 92, /* axis, its title, the key */
    FOOT_PX = 28,
    BUSY_PX = 112,
    BUSY_OF_NARROW_PX = 96,
    NUMBER_PX = 8, /* beside the number of a layer */
    STEPS = ROOF_SCHEDULE_STEPS
};

/* Heights in a panel of height 1: full, the strip of the path above, and that of layers below. */
#define FULL_BAR 0.78
#define PATH_AT  0.80
#define PATH     0.09
#define STRIP    0.24
#define STRIP_AT (-0.38)

/* The fillings of a panel: working, then waiting for each engine. */
typedef struct look {
    const char *engine;
    uint32_t busy, waited_for;
} look;

static const look looks[] = {{"load", COLOUR_MEMORY, COLOUR_WAIT_LOAD},
                             {"save", COLOUR_SAVE, COLOUR_WAIT_SAVE},
                             {"conv", COLOUR_ARRAY, COLOUR_WAIT_ARRAY},
                             {"misc", COLOUR_SIDE, COLOUR_WAIT_SIDE}};

typedef struct drawing {
    const roof_prediction *p;
    chart_figure *f;
    chart_scale scale;
    plot_area plot;
    chart_axis x; /* scale.unit */
    uint32_t n_engines, n_fills;
    double total_s, busy_px;
} drawing;

static const look *look_of(const char *engine)
{
    static const look other = {"", COLOUR_OTHER, COLOUR_GRID};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (strcmp(looks[i].engine, engine) == 0)
            return &looks[i];
    return &other;
}

static double panel_at(const drawing *d, uint32_t engine)
{
    return d->n_engines - engine - 1;
}

static double y_px(const drawing *d, double panels)
{
    double low = STRIP_AT, high = d->n_engines;
    return d->plot.bottom_px - (d->plot.bottom_px - d->plot.top_px) * (panels - low) / (high - low);
}

/* --- fills -------------------------------------------------------------------------------------------- */

/* Parts follow one another, each in as many steps. */
typedef struct part_span {
    const roof_schedule_part *part;
    double from_s, step_s;
} part_span;

static part_span span_of(const drawing *d, uint32_t part)
{
    double clock_hz = d->p->hardware.clock_hz, from = 0;
    for (uint32_t i = 0; i < part; i++)
        from += (double)d->p->schedule.parts[i].scheduled_cycles;
    const roof_schedule_part *at = &d->p->schedule.parts[part];
    return (part_span){at, from / clock_hz, (double)at->scheduled_cycles / STEPS / clock_hz};
}

static double ratio_at(const char *steps, size_t i)
{
    double ratio = steps && strlen(steps) == STEPS ? roof_step_ratio(steps[i]) : NAN;
    return isnan(ratio) ? 0 : ratio;
}

/* Working is kind 0, waiting for the k-th other one is kind k. */
static double kind_at(const roof_schedule_engine *e, uint32_t kind, size_t i)
{
    return kind == 0                 ? ratio_at(e->busy_steps, i)
           : kind <= e->n_wait_steps ? ratio_at(e->wait_steps[kind - 1].steps, i)
                                     : 0;
}

static bool is_drawable(const roof_prediction *p)
{
    for (uint32_t i = 0; i < p->schedule.n_parts; i++) {
        const roof_schedule_part *part = &p->schedule.parts[i];
        if (part->n_engines != p->schedule.parts[0].n_engines || !part->n_engines || !part->scheduled_cycles)
            return false;
        for (uint32_t e = 0; e < part->n_engines; e++)
            if (!part->engines[e].busy_steps)
                return false;
    }
    return p->schedule.n_parts && p->hardware.clock_hz > 0;
}

/* A row where the filled part begins, and one where it ends, of steps that are alike. */
static void put_steps(drawing *d, const part_span *span, uint32_t engine, uint32_t kind)
{
    const roof_schedule_engine *e = &span->part->engines[engine];
    double base = panel_at(d, engine);
    for (size_t i = 0, end; i < STEPS; i = end) {
        double below = 0, own = kind_at(e, kind, i);
        for (uint32_t k = 0; k < kind; k++)
            below += kind_at(e, k, i);
        for (end = i + 1; end < STEPS; end++) {
            double other = 0;
            for (uint32_t k = 0; k < kind; k++)
                other += kind_at(e, k, end);
            if (other != below || kind_at(e, kind, end) != own)
                break;
        }
        double low = base + FULL_BAR * fmin(1, below), high = base + FULL_BAR * fmin(1, below + own);
        FIGURE_ROW(d->f, (span->from_s + span->step_s * (double)i) * d->scale.factor, low, high);
        FIGURE_ROW(d->f, (span->from_s + span->step_s * (double)end) * d->scale.factor, low, high);
    }
}

/* As high as the part of the step that the path runs through the engine. */
static void put_path(drawing *d)
{
    figure_block(d->f, "path", "at\tlow\thigh");
    for (uint32_t e = 0; e < d->n_engines; e++) {
        double low = panel_at(d, e) + PATH_AT;
        for (uint32_t i = 0; i < d->p->schedule.n_parts; i++) {
            part_span span = span_of(d, i);
            for (size_t k = 0, end; k < STEPS; k = end) {
                double ratio = ratio_at(span.part->engines[e].path_steps, k);
                for (end = k + 1; end < STEPS && ratio_at(span.part->engines[e].path_steps, end) == ratio;)
                    end++;
                FIGURE_ROW(d->f, (span.from_s + span.step_s * (double)k) * d->scale.factor, low,
                           low + PATH * ratio);
                FIGURE_ROW(d->f, (span.from_s + span.step_s * (double)end) * d->scale.factor, low,
                           low + PATH * ratio);
            }
        }
        figure_gap(d->f);
    }
}

/* --- layers ------------------------------------------------------------------------------------------- */

/* A layer on the critical path, from where the path reaches it first to where it reaches the next. */
typedef struct layer_span {
    const roof_layer_prediction *layer;
    double from_s;
} layer_span;

static int earlier_first(const void *a, const void *b)
{
    const layer_span *x = a, *y = b;
    if (x->from_s != y->from_s)
        return x->from_s < y->from_s ? -1 : 1;
    return x->layer < y->layer ? -1 : x->layer > y->layer;
}

static uint32_t part_of(const drawing *d, const char *subgraph)
{
    for (uint32_t i = 0; i < d->p->schedule.n_parts; i++)
        if (strcmp(d->p->schedule.parts[i].subgraph, subgraph) == 0)
            return i;
    return ROOF_NONE;
}

static uint32_t collect_layers(const drawing *d, layer_span *spans)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->p->n_layers; i++) {
        const roof_layer_prediction *l = &d->p->layers[i];
        uint32_t part = part_of(d, l->subgraph);
        if (part == ROOF_NONE || l->schedule.path_start_cycles == ROOF_UNKNOWN ||
            !l->schedule.critical_cycles)
            continue;
        spans[n++] = (layer_span){l, span_of(d, part).from_s +
                                         (double)l->schedule.path_start_cycles / d->p->hardware.clock_hz};
    }
    if (n)
        qsort(spans, n, sizeof *spans, earlier_first);
    return n;
}

/* --- words -------------------------------------------------------------------------------------------- */

static double share_of(const drawing *d, uint32_t engine, bool of_path)
{
    double cycles = 0;
    for (uint32_t i = 0; i < d->p->schedule.n_parts; i++) {
        const roof_schedule_engine *e = &d->p->schedule.parts[i].engines[engine];
        cycles += of_path ? (double)e->critical_cycles : (double)e->busy_cycles / (e->ports ? e->ports : 1);
    }
    return cycles / d->p->hardware.clock_hz / d->total_s;
}

static void put_panels(drawing *d)
{
    chart_figure *f = d->f;
    double right_px = d->plot.right_px + d->busy_px, head_px = d->plot.top_px - HEAD_PX / 2.0 + 1;
    figure_block(f, "panels", "base");
    for (uint32_t e = 0; e < d->n_engines; e++)
        FIGURE_ROW(f, panel_at(d, e));
    figure_block(f, "levels", "100 %");
    for (uint32_t e = 0; e < d->n_engines; e++)
        FIGURE_ROW(f, panel_at(d, e) + FULL_BAR);
    figure_put(f, right_px - d->busy_px / 2, head_px, ANCHOR_RIGHT, LETTER_BOLD, COLOUR_INK, "busy");
    figure_put(f, right_px, head_px, ANCHOR_RIGHT, LETTER_BOLD, COLOUR_INK, "path");
    for (uint32_t e = 0; e < d->n_engines; e++) {
        double y = y_px(d, panel_at(d, e) + FULL_BAR / 2);
        figure_put(f, 16, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK, d->p->schedule.parts[0].engines[e].name);
        figure_put(f, right_px - d->busy_px / 2, y, ANCHOR_RIGHT, LETTER_SMALL, COLOUR_INK,
                   figure_printf(f, "%.1f %%", 100 * share_of(d, e, false)));
        figure_put(f, right_px, y, ANCHOR_RIGHT, LETTER_SMALL, COLOUR_INK,
                   figure_printf(f, "%.1f %%", 100 * share_of(d, e, true)));
    }
    figure_put(f, 16, y_px(d, STRIP_AT + STRIP / 2), ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, "layer");
}

/* "[] works, waits for [] load [] save ..., [] critical path" */
static void put_key(drawing *d, double y)
{
    enum { SWATCH_PX = 14, GAP_PX = 12 };
    chart_figure *f = d->f;
    double x = 16;
    const char *words = f->is_wide ? "full colour: works; waits for" : "waits for";
    figure_put(f, x, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, words);
    x += figure_text_width_px(words, LETTER_SMALL) + GAP_PX;
    for (uint32_t e = 0; e <= d->n_engines; e++) {
        bool is_path = e == d->n_engines;
        words = is_path ? "critical path" : d->p->schedule.parts[0].engines[e].name;
        uint32_t colour = is_path ? (uint32_t)COLOUR_INK : look_of(words)->waited_for;
        double half_px = is_path ? 3 : 5;
        if (x + SWATCH_PX + 5 + figure_text_width_px(words, LETTER_SMALL) > f->canvas.width_px - 16)
            return;
        figure_add(
            f, (figure_ornament){
                   SWATCHES, {x + SWATCH_PX / 2.0, y, x, x + SWATCH_PX, y - half_px, y + half_px, colour}});
        figure_put(f, x + SWATCH_PX + 5, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, words);
        x += SWATCH_PX + 5 + figure_text_width_px(words, LETTER_SMALL) + GAP_PX;
    }
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void lay_out(drawing *d, double top)
{
    chart_figure *f = d->f;
    d->busy_px = f->is_wide ? BUSY_PX : BUSY_OF_NARROW_PX;
    d->plot = (plot_area){30 + figure_text_width_px("layer", LETTER_SMALL),
                          f->canvas.width_px - 18 - d->busy_px, top + 4 + HEAD_PX, 0};
    double room = f->canvas.height_px - d->plot.top_px - BELOW_PX - FOOT_PX, panels = d->n_engines - STRIP_AT;
    d->plot.bottom_px = d->plot.top_px + fmin(fmax(room, 24 * panels), MOST_PANEL_PX * panels);
    figure_set_height(f, d->plot.bottom_px + BELOW_PX + FOOT_PX);
    d->scale = chart_scale_of(d->total_s);
    d->x =
        (chart_axis){0, d->total_s * d->scale.factor, .from_px = d->plot.left_px, .to_px = d->plot.right_px};
    figure_set_area(f, "plot", &d->plot);
    chart_axis_set(f, "x", &d->x);
    figure_set(f, "n_engines", d->n_engines);
    figure_set(f, "y_min", STRIP_AT);
    figure_set(f, "strip", STRIP);
}

/* "load works 23 %, save 15 %, conv 33 %, misc 71 %" */
static const char *busy_words(const drawing *d)
{
    const char *text = "";
    for (uint32_t e = 0; e < d->n_engines; e++)
        text = figure_printf(d->f, "%s%s%s %s%.0f %%", text, e ? ", " : "",
                             d->p->schedule.parts[0].engines[e].name, e ? "" : "works ",
                             100 * share_of(d, e, false));
    return text;
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.p = s->prediction, .f = f};
    if (!d.p || !is_drawable(d.p))
        return;
    d.n_engines = d.p->schedule.parts[0].n_engines;
    part_span last = span_of(&d, d.p->schedule.n_parts - 1);
    d.total_s = last.from_s + last.step_s * STEPS;
    const char *time = say_quantity(f->arena, d.total_s, "s");
    lay_out(&d, figure_head(
                    f, figure_printf(f, "%s: at best %s, in which %s", d.p->model.name, time, busy_words(&d)),
                    chart_conditions(s, f)));
    figure_foot(f, chart_provenance(s, f));
    put_panels(&d);
    const roof_schedule_part *first = d.p->schedule.parts;
    for (uint32_t e = 0; e < d.n_engines; e++)
        for (uint32_t kind = 0; kind <= first->engines[e].n_wait_steps; kind++) {
            const look *l =
                look_of(kind ? first->engines[e].wait_steps[kind - 1].name : first->engines[e].name);
            figure_set(d.f, figure_printf(d.f, "colour_%u", d.n_fills), kind ? l->waited_for : l->busy);
            figure_block(d.f, figure_printf(d.f, "fill-%u", d.n_fills++), "at\tlow\thigh");
            for (uint32_t i = 0; i < d.p->schedule.n_parts; i++) {
                part_span span = span_of(&d, i);
                put_steps(&d, &span, e, kind);
            }
        }
    figure_set(d.f, "n_fills", d.n_fills);
    put_path(&d);
    /* Shades take turns; the number stands where it has room. Layers thinner than a pixel share one with the
     * next, whose number it has, since only the last of them can be long. */
    static const uint32_t shades[] = {COLOUR_STRIP, COLOUR_STRIP_PALE};
    layer_span *spans = NEW_ARRAY(d.f->arena, layer_span, d.p->n_layers);
    uint32_t n = spans ? collect_layers(&d, spans) : 0, shade = 0;
    double y = y_px(&d, STRIP_AT + STRIP / 2), pixel_s = d.total_s / (d.plot.right_px - d.plot.left_px);
    figure_block(d.f, "layers", "from\tto\tcolour");
    for (uint32_t i = 0, next; i < n; i = next, shade = !shade) {
        for (next = i + 1; next < n && spans[next].from_s - spans[i].from_s < pixel_s;)
            next++;
        double from_s = i ? spans[i].from_s : 0, to_s = next < n ? spans[next].from_s : d.total_s;
        FIGURE_ROW(d.f, from_s * d.scale.factor, to_s * d.scale.factor, shades[shade]);
        const char *number = figure_printf(d.f, "%u", spans[next - 1].layer->index);
        double left = chart_axis_px(&d.x, from_s * d.scale.factor),
               right = chart_axis_px(&d.x, to_s * d.scale.factor);
        if (right - left >= figure_text_width_px(number, LETTER_SMALL) + NUMBER_PX)
            figure_put(d.f, (left + right) / 2, y, ANCHOR_CENTRE, LETTER_SMALL, COLOUR_INK, number);
    }
    chart_axis_put_time(d.f, &d.x, &d.plot, 8, figure_printf(d.f, "Scheduled time [%s]", d.scale.unit));
    put_key(&d, d.plot.bottom_px + BELOW_PX - 14);
    f->caption = "Every instruction starts as soon as what it waits for is done. A panel shows, from below, "
                 "the part of the time in which the engine works, and above that what it waits for. Where a "
                 "panel is empty the engine has nothing to do; for save, one of its two ports has. The strip "
                 "above a panel shows where the critical path runs through the engine; a faster engine helps "
                 "only there. At the bottom are the numbers of the layers on that path.";
}

const chart_def chart_timeline = {.id = "timeline", .scope = CHART_MODEL, .draw = draw};
