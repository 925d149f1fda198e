/* How busy each engine is: layers from left to right, as wide as their ideal time, engines from top to
 * bottom. The network waits for an engine that is dark all along; a pale one could do more. */
#include "reports/charts/chart_panels.h"
#include "reports/charts/palette.h"
#include "reports/words/prediction_words.h"

#include <math.h>

/* How busy an engine is over the whole network. */
typedef struct occupancy {
    uint32_t engine;
    double ratio;  /* of the ideal time */
    bool is_least; /* cycles of some layers are unknown */
    uint32_t n_bound;
} occupancy;

typedef struct drawing {
    const roof_prediction *p;
    time_panels panels; /* a row each */
    occupancy rows[ROOF_MAX_ENGINES];
    uint32_t n_layers;
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

/* Steps of a scale from 0, or -1 for what is unknown. *busy, *of: cycles of the engine and of the ideal. */
static int level_of(const drawing *d, const panel_column *c, uint32_t engine, double *busy, double *of)
{
    bool unknown;
    *busy = sum_of(d, c->first, c->n, engine, &unknown);
    *of = 0;
    for (uint32_t i = c->first; i < c->first + c->n; i++)
        *of += has_width(&d->p->layers[i]) ? roof_layer_ideal_cycles(&d->p->layers[i]) : 0;
    return unknown     ? -1
           : *busy > 0 ? 1 + (int)fmin(BUSY_LEVELS - 1, *busy / *of * (BUSY_LEVELS - 1) + 0.5)
                       : 0;
}

/* --- cells -------------------------------------------------------------------------------------------- */

/* The bound of a column of several thin layers is that of the first. */
static void put_spots(drawing *d)
{
    const time_panels *p = &d->panels;
    const double middle_px = (p->plot.top_px + p->plot.bottom_px) / 2;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const panel_column *c = &p->columns[i];
        const roof_layer_prediction *l = &d->p->layers[c->first];
        double left = panels_x_px(p, c->from_s), right = panels_x_px(p, c->to_s);
        const char *engine = l->deployed.bound == ROOF_NONE ? "" : d->p->engines[l->deployed.bound];
        const char *more = c->n > 1 ? figure_printf(p->f, " and %u behind it", c->n - 1) : "";
        figure_add_spot(
            p->f, (figure_spot){.box = {(left + right) / 2, middle_px, (right - left) / 2,
                                        middle_px - p->plot.top_px, 0},
                                .row = l->index,
                                .roof_y_px = NAN,
                                .bound = bound_styles[chart_bound_class(engine)].html_class,
                                .kind = l->type ? l->type : "",
                                .text = figure_printf(p->f, "%u %s%s; ideal %s%s%s", l->index, l->name, more,
                                                      say_quantity(p->f->arena, c->to_s - c->from_s, "s"),
                                                      engine[0] ? "; bound by " : "", engine)});
    }
}

/* Neighbours of one shade are one cell; its ratio is that of all of them. Unknown ratios are hatched. */
static void put_cells(drawing *d, uint32_t row)
{
    const time_panels *p = &d->panels;
    const panel_column *end = p->columns + p->n_columns;
    const double at = panels_at(p, row);
    for (const panel_column *c = p->columns, *next; c < end; c = next) {
        double busy, of, sum = 0, cycles = 0;
        const int level = level_of(d, c, d->rows[row].engine, &busy, &of);
        for (next = c; next < end && level_of(d, next, d->rows[row].engine, &busy, &of) == level; next++) {
            sum += busy;
            cycles += of;
        }
        double from_s = c->from_s, to_s = next[-1].to_s;
        if (level < 0)
            figure_hatch(p->f, panels_x_px(p, from_s), panels_x_px(p, to_s), panels_y_px(p, at + 1) + 1,
                         panels_y_px(p, at) - 1);
        else if (level)
            FIGURE_ROW(p->f, from_s * p->scale.factor, to_s * p->scale.factor, at, sum / cycles,
                       busy_colour((unsigned)level - 1));
    }
}

static void put_engine_rows(drawing *d)
{
    const time_panels *p = &d->panels;
    figure_block(p->f, "cells", "from\tto\trow from below\tbusy\tcolour");
    for (uint32_t i = 0; i < p->n; i++)
        put_cells(d, i);
    panels_put_parting(p);
    figure_block(p->f, "rows", "edge from below");
    for (uint32_t i = 1; i < p->n; i++)
        FIGURE_ROW(p->f, i);
    figure_block(p->f, "engines", "engine\tbusy\tbinds layers");
    for (uint32_t i = 0; i < p->n; i++) {
        figure_text(p->f, d->p->engines[d->rows[i].engine]);
        FIGURE_ROW(p->f, d->rows[i].ratio, d->rows[i].n_bound);
    }
}

/* --- words -------------------------------------------------------------------------------------------- */

static void put_engines(const drawing *d)
{
    static const char *const heads[] = {"busy", "binds"};
    const time_panels *p = &d->panels;
    panels_put_words(p, 0, NULL, heads);
    for (uint32_t i = 0; i < p->n; i++) {
        const occupancy *row = &d->rows[i];
        const char *name = d->p->engines[row->engine];
        const bound_style *style = &bound_styles[chart_bound_class(name)];
        const double middle = panels_at(p, i) + 0.5;
        const char *const values[] = {
            figure_printf(p->f, "%s%.1f %%", row->is_least ? "> " : "", 100 * row->ratio),
            row->n_bound ? figure_printf(p->f, "%u", row->n_bound) : "-"};
        figure_add(p->f,
                   (figure_ornament){DISCS, {22, panels_y_px(p, middle), 5, style->colour, style->symbol}});
        panels_put_words(p, middle, name, values);
    }
}

/* Under its column where it is wide enough. */
static void number_columns(const drawing *d)
{
    const time_panels *p = &d->panels;
    const double y = p->plot.bottom_px + 11;
    bool is_any = false;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const panel_column *c = &p->columns[i];
        const char *text = figure_printf(p->f, "%u", d->p->layers[c->first].index);
        if (c->n > 1 || panels_width_px(p, c) < figure_text_width_px(text, LETTER_SMALL) + 3)
            continue;
        is_any = true;
        figure_put(p->f, panels_x_px(p, (c->from_s + c->to_s) / 2), y, ANCHOR_CENTRE, LETTER_SMALL,
                   COLOUR_INK, text);
    }
    if (is_any)
        figure_put(p->f, 16, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, "layer");
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* The busiest engine sets the floor: no overlap of layers can get below its own time. */
static const char *verdict(drawing *d)
{
    const roof_prediction *p = d->p;
    const occupancy *most = &d->rows[0];
    for (uint32_t i = 1; i < d->panels.n; i++)
        most = d->rows[i].ratio > most->ratio ? &d->rows[i] : most;
    return figure_printf(d->panels.f,
                         "%s on %s: %s is busiest, %.0f %% of the ideal time; overlap of layers could gain "
                         "%.0f %% of that at most",
                         p->model.name, p->hardware.name, p->engines[most->engine], 100 * most->ratio,
                         100 * fmax(0, 1 - most->ratio));
}

/* Engines that do anything, in the order of the tables. */
static void collect_engines(drawing *d, const char *names[ROOF_MAX_ENGINES])
{
    for (uint32_t e = 0; e < d->p->n_engines && d->panels.n < ROOF_MAX_ENGINES; e++) {
        occupancy row = {.engine = e};
        double sum = sum_of(d, 0, d->p->n_layers, e, &row.is_least);
        if (!(sum > 0))
            continue;
        row.ratio = sum / d->total_cycles;
        for (uint32_t i = 0; i < d->p->n_layers; i++)
            row.n_bound += has_width(&d->p->layers[i]) && d->p->layers[i].deployed.bound == e;
        d->has_unknown = d->has_unknown || row.is_least;
        names[d->panels.n] = d->p->engines[e];
        d->rows[d->panels.n++] = row;
    }
}

static void draw(const chart_source *s, chart_figure *f)
{
    const char *names[ROOF_MAX_ENGINES];
    drawing d = {.p = s->prediction, .panels = {.f = f, .source = s, .look = {2, 62, 52, 18, 0, 72, 86}}};
    double *seconds = d.p ? NEW_ARRAY(f->arena, double, d.p->n_layers) : NULL;
    for (uint32_t i = 0; seconds && i < d.p->n_layers; i++) {
        const roof_layer_prediction *l = &d.p->layers[i];
        if (!has_width(l))
            continue;
        d.n_layers++;
        d.panels.total_s += seconds[i] = l->repeat * l->deployed.ideal_s;
        d.total_cycles += roof_layer_ideal_cycles(l);
    }
    if (d.n_layers)
        collect_engines(&d, names);
    if (!d.panels.n)
        return;
    panels_begin(&d.panels, verdict(&d), prediction_verdict(d.p, 0, f->arena), names, "");
    panels_collect(&d.panels, seconds, d.p->n_layers);
    const chart_key keys[] = {
        {KEY_WORDS, 0, .words = "busy 0"},
        {KEY_SCALE, 0, .words = "100 %"},
        {KEY_UNKNOWN, COLOUR_OTHER, .words = d.has_unknown ? "not known" : NULL},
        {KEY_WORDS, 0, .words = panels_left_out(f, d.p->n_layers - d.n_layers, "an ideal")}};
    panels_place(&d.panels, 12, "Ideal time, layer after layer", keys, sizeof keys / sizeof *keys);
    put_engine_rows(&d);
    put_spots(&d);
    put_engines(&d);
    number_columns(&d);
    f->caption = figure_printf(
        f,
        "Each column is a layer, as wide as its ideal time; each row an engine; the stronger its colour, "
        "the busier it is in that layer. The busiest engine of a column is the bottleneck of the layer. An "
        "engine that is "
        "faint throughout "
        "has time to spare; an engine busy throughout gains nothing from overlap.%s%s",
        d.has_unknown ? " Hatched: not known." : "",
        d.panels.n_columns < d.n_layers ? " Layers thinner than a pixel are drawn together." : "");
}

const chart_def chart_engines = {.id = "engines", .scope = CHART_MODEL, .draw = draw};
