/* The work of each engine over time, as the schedule has it: a panel for each, filled from below by what it
 * works and above that by what it waits for. A dark strip on top of a panel is where the critical path runs
 * through it; below all stand the layers on that path. The network waits for an engine that is dark and full
 * all along. */
#include "reports/charts/chart_panels.h"

enum { NUMBER_PX = 8 /* beside the number of a layer */, STEPS = ROOF_SCHEDULE_STEPS };

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
    time_panels panels; /* an engine each */
} drawing;

static const look *look_of(const char *engine)
{
    static const look other = {"", COLOUR_OTHER, COLOUR_GRID};
    const look *known = NAMED(looks, N_OF(looks), engine, engine);
    return known ? known : &other;
}

/* --- fills -------------------------------------------------------------------------------------------- */

/* Parts follow one another, each in as many steps. */
typedef struct part_span {
    const roof_schedule_part *part;
    double from_s, step_s;
} part_span;

static part_span part_span_of(const drawing *d, uint32_t part)
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
    FOR_EACH(const roof_schedule_part, part, p->schedule.parts, p->schedule.n_parts) {
        if (part->n_engines != p->schedule.parts[0].n_engines || !part->n_engines || !part->scheduled_cycles)
            return false;
        for (uint32_t e = 0; e < part->n_engines; e++)
            if (!part->engines[e].busy_steps)
                return false;
    }
    return p->schedule.n_parts && p->hardware.clock_hz > 0;
}

enum { PATH_KIND = -1 };

/* Fills a panel by working or waiting, or, above that, by the part of each step that the critical path runs
 * through the engine: a row where the filled part begins, and one where it ends, of steps that are alike. */
static void put_steps(const drawing *d, uint32_t engine, int kind)
{
    const double base = panels_at(&d->panels, engine);
    for (uint32_t part = 0; part < d->p->schedule.n_parts; part++) {
        const part_span span = part_span_of(d, part);
        const roof_schedule_engine *e = &span.part->engines[engine];
        double low[STEPS], high[STEPS];
        for (size_t i = 0; i < STEPS; i++) {
            double below = 0;
            for (int k = 0; k < kind; k++)
                below += kind_at(e, (uint32_t)k, i);
            low[i] = base + (kind == PATH_KIND ? PATH_AT : FULL_BAR * fmin(1, below));
            high[i] = kind == PATH_KIND ? low[i] + PATH * ratio_at(e->path_steps, i)
                                        : base + FULL_BAR * fmin(1, below + kind_at(e, (uint32_t)kind, i));
        }
        for (size_t i = 0, end; i < STEPS; i = end) {
            for (end = i + 1; end < STEPS && low[end] == low[i] && high[end] == high[i];)
                end++;
            for (int k = 0; k < 2; k++)
                FIGURE_ROW(d->panels.f,
                           (span.from_s + span.step_s * (double)(k ? end : i)) * d->panels.scale.factor,
                           low[i], high[i]);
        }
    }
}

static void put_fills(const drawing *d)
{
    chart_figure *f = d->panels.f;
    uint32_t n_fills = 0;
    for (uint32_t e = 0; e < d->panels.n; e++) {
        const roof_schedule_engine *engine = &d->p->schedule.parts->engines[e];
        for (uint32_t kind = 0; kind <= engine->n_wait_steps; kind++) {
            const look *l = look_of(kind ? engine->wait_steps[kind - 1].name : engine->name);
            figure_set(f, figure_printf(f, "colour_%u", n_fills), kind ? l->waited_for : l->busy);
            figure_block(f, figure_printf(f, "fill-%u", n_fills++), "at\tlow\thigh");
            put_steps(d, e, (int)kind);
        }
    }
    figure_set(f, "n_fills", n_fills);
    figure_block(f, "path", "at\tlow\thigh");
    for (uint32_t e = 0; e < d->panels.n; e++) {
        put_steps(d, e, PATH_KIND);
        figure_gap(f);
    }
}

/* --- layers ------------------------------------------------------------------------------------------- */

/* A layer on the critical path, from where the path reaches it first to where it reaches the next. */
typedef struct layer_span {
    const roof_layer_prediction *layer;
    double from_s;
} layer_span;

/* Shades take turns; the number stands where it has room. Layers thinner than a pixel share one with the
 * next, whose number it has, since only the last of them can be long. */
static void put_path_layers(const drawing *d)
{
    static const uint32_t shades[] = {COLOUR_STRIP, COLOUR_STRIP_PALE};
    const time_panels *p = &d->panels;
    const double y = panels_y_px(p, STRIP_AT + STRIP / 2),
                 pixel_s = p->total_s / (p->plot.right_px - p->plot.left_px);
    layer_span *spans = NEW_ARRAY(p->f->arena, layer_span, d->p->n_layers);
    uint32_t n = 0, shade = 0;
    FOR_EACH(const roof_layer_prediction, l, d->p->layers, spans ? d->p->n_layers : 0) {
        const uint32_t n_parts = d->p->schedule.n_parts,
                       part = NAMED_AT(d->p->schedule.parts, n_parts, subgraph, l->subgraph);
        if (part == n_parts || l->schedule.path_start_cycles == ROOF_UNKNOWN || !l->schedule.critical_cycles)
            continue;
        spans[n++] = (layer_span){l, part_span_of(d, part).from_s +
                                         (double)l->schedule.path_start_cycles / d->p->hardware.clock_hz};
    }
    order_sort(spans, n, sizeof *spans, ORDER_BY(RISING(layer_span, from_s)));
    figure_block(p->f, "layers", "from\tto\tcolour");
    for (uint32_t i = 0, next; i < n; i = next, shade = !shade) {
        for (next = i + 1; next < n && spans[next].from_s - spans[i].from_s < pixel_s;)
            next++;
        double from_s = i ? spans[i].from_s : 0, to_s = next < n ? spans[next].from_s : p->total_s;
        FIGURE_ROW(p->f, from_s * p->scale.factor, to_s * p->scale.factor, shades[shade]);
        const char *number = figure_printf(p->f, "%u", spans[next - 1].layer->index);
        double left = panels_x_px(p, from_s), right = panels_x_px(p, to_s);
        if (right - left >= figure_text_width_px(number, LETTER_SMALL) + NUMBER_PX)
            figure_put(p->f, (left + right) / 2, y, ANCHOR_CENTRE, LETTER_SMALL, COLOUR_INK, number);
    }
}

/* --- words -------------------------------------------------------------------------------------------- */

static double share_of(const drawing *d, uint32_t engine, bool of_path)
{
    double cycles = 0;
    for (uint32_t i = 0; i < d->p->schedule.n_parts; i++) {
        const roof_schedule_engine *e = &d->p->schedule.parts[i].engines[engine];
        cycles += of_path ? (double)e->critical_cycles : (double)e->busy_cycles / (e->ports ? e->ports : 1);
    }
    return cycles / d->p->hardware.clock_hz / d->panels.total_s;
}

static void draw(const chart_source *s, chart_figure *f)
{
    static const char *const heads[] = {"busy", "path"};
    drawing d = {.p = s->prediction,
                 .panels = {.f = f, .source = s, .look = {2, 56, 48, 0, STRIP_AT, 84, 92}}};
    if (!d.p || !is_drawable(d.p))
        return;
    const roof_schedule_part *first = d.p->schedule.parts;
    chart_key *keys = NEW_ARRAY(f->arena, chart_key, first->n_engines + 2);
    panel_words *rows = d.panels.rows = NEW_ARRAY(f->arena, panel_words, first->n_engines);
    const char *busy = ""; /* "load works 23 %, save 15 %, conv 33 %, misc 71 %" */
    if (!keys || !rows)
        return;
    part_span last = part_span_of(&d, d.p->schedule.n_parts - 1);
    d.panels.total_s = last.from_s + last.step_s * STEPS;
    keys[0] = (chart_key){KEY_WORDS, 0, .words = f->is_wide ? "full colour: works; waits for" : "waits for"};
    for (uint32_t e = 0; e < first->n_engines; e++) {
        const char *name = first->engines[e].name;
        keys[++d.panels.n] = (chart_key){KEY_SWATCH, look_of(name)->waited_for, .words = name};
        const double ratio = share_of(&d, e, false);
        busy =
            figure_printf(f, "%s%s%s %s%.0f %%", busy, e ? ", " : "", name, e ? "" : "works ", 100 * ratio);
        rows[e] = (panel_words){name,
                                {figure_printf(f, "%.1f %%", 100 * ratio),
                                 figure_printf(f, "%.1f %%", 100 * share_of(&d, e, true))}};
    }
    keys[d.panels.n + 1] = (chart_key){KEY_THIN, COLOUR_INK, .words = f->is_wide ? "critical path" : "path"};
    const char *time = say_quantity(f->arena, d.panels.total_s, "s");
    panels_begin(&d.panels, figure_printf(f, "%s: bound %s, in which %s", d.p->model.name, time, busy),
                 chart_conditions(s, f), "layer");
    panels_place(&d.panels, 0, "Scheduled time", keys, d.panels.n + 2);
    figure_set(f, "strip", STRIP);
    panels_put_rows(&d.panels, heads, FULL_BAR, 1);
    panels_put_strip_name(&d.panels, panels_y_px(&d.panels, STRIP_AT + STRIP / 2), "layer");
    put_fills(&d);
    put_path_layers(&d);
    f->caption = "Every instruction starts as soon as what it waits for is done. A panel shows, from below, "
                 "the part of the time in which the engine works, and above that what it waits for. Where a "
                 "panel is empty the engine has nothing to do; for save, one of its two ports has. The strip "
                 "above a panel shows where the critical path runs through the engine; a faster engine helps "
                 "only there. At the bottom are the numbers of the layers on that path.";
}

const chart_def chart_timeline = {.id = "timeline", .scope = CHART_MODEL, .draw = draw};
