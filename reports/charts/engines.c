/* How busy each engine is: layers from left to right, as wide as their ideal time, engines from top to
 * bottom. The network waits for an engine that is dark all along; a pale one could do more. */
#include "reports/charts/chart_panels.h"
#include "reports/words/prediction_words.h"

/* How busy an engine is: in each layer, and over the whole network. */
typedef struct occupancy {
    double *cycles; /* NaN: unknown */
    double ratio;   /* of the ideal time */
    bool is_least;  /* cycles of some layers are unknown */
    uint32_t n_bound;
} occupancy;

typedef struct drawing {
    const roof_prediction *p;
    time_panels panels; /* a row each */
    panel_words words[ROOF_MAX_ENGINES];
    occupancy rows[ROOF_MAX_ENGINES];
    double *seconds, *cycles; /* ideal, by layer; 0: it has no width */
    uint32_t n_layers;
    bool has_unknown;
} drawing;

/* --- layers ------------------------------------------------------------------------------------------- */

/* Engines that do anything, in the order of the tables; none without memory. */
static void collect(drawing *d)
{
    const roof_prediction *p = d->p;
    roof_arena *arena = d->panels.f->arena;
    double total = 0;
    d->seconds = NEW_ARRAY(arena, double, p->n_layers);
    d->cycles = NEW_ARRAY(arena, double, p->n_layers);
    for (uint32_t i = 0; i < p->n_layers && d->seconds && d->cycles; i++) {
        const roof_cost *c = &p->layers[i].deployed;
        if (!c->ideal_cycles || c->ideal_cycles == ROOF_UNKNOWN || !(c->ideal_s > 0) || !isfinite(c->ideal_s))
            continue;
        d->n_layers++;
        d->panels.total_s += d->seconds[i] = p->layers[i].repeat * c->ideal_s;
        total += d->cycles[i] = roof_layer_ideal_cycles(&p->layers[i]);
    }
    for (uint32_t e = 0; e < p->n_engines && d->n_layers && d->panels.n < ROOF_MAX_ENGINES; e++) {
        occupancy row = {.cycles = NEW_ARRAY(arena, double, p->n_layers)};
        double sum = 0;
        for (uint32_t i = 0; i < p->n_layers && row.cycles; i++) {
            const roof_cost *c = &p->layers[i].deployed;
            if (!(d->seconds[i] > 0))
                continue;
            const bool is_known = c->cycles && c->cycles[e] != ROOF_UNKNOWN;
            row.cycles[i] = is_known ? (double)c->cycles[e] * p->layers[i].repeat : (double)NAN;
            sum += is_known ? row.cycles[i] : 0;
            row.is_least |= !is_known;
            row.n_bound += c->bound == e;
        }
        if (!(sum > 0))
            continue;
        row.ratio = sum / total;
        d->has_unknown |= row.is_least;
        d->words[d->panels.n] =
            (panel_words){p->engines[e],
                          {figure_printf(d->panels.f, "%s%.1f %%", row.is_least ? "> " : "", 100 * row.ratio),
                           row.n_bound ? figure_printf(d->panels.f, "%u", row.n_bound) : "-"}};
        d->rows[d->panels.n++] = row;
    }
}

/* --- cells -------------------------------------------------------------------------------------------- */

/* The bound of a column of several thin layers is that of the first. */
static void put_spots(drawing *d)
{
    const time_panels *p = &d->panels;
    const double middle_px = (p->plot.top_px + p->plot.bottom_px) / 2;
    FOR_EACH(const panel_column, c, p->columns, p->n_columns) {
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

/* Steps of a scale from 0, or -1 for what is unknown. *busy, *of: cycles of the engine and of the ideal. */
static int level_of(const drawing *d, const panel_column *c, uint32_t row, double *busy, double *of)
{
    *busy = panels_sum(c, d->rows[row].cycles);
    *of = panels_sum(c, d->cycles);
    return isnan(*busy) ? -1
           : *busy > 0  ? 1 + (int)fmin(BUSY_LEVELS - 1, *busy / *of * (BUSY_LEVELS - 1) + 0.5)
                        : 0;
}

/* Neighbours of one shade are one cell; its ratio is that of all of them. Unknown ratios are hatched. */
static void put_cells(drawing *d, uint32_t row)
{
    const time_panels *p = &d->panels;
    const panel_column *end = p->columns + p->n_columns;
    const double at = panels_at(p, row);
    for (const panel_column *c = p->columns, *next; c < end; c = next) {
        double busy, of, sum = 0, cycles = 0;
        const int level = level_of(d, c, row, &busy, &of);
        for (next = c; next < end && level_of(d, next, row, &busy, &of) == level; next++) {
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

static void put_rows(drawing *d)
{
    static const char *const heads[] = {"busy", "binds"};
    const time_panels *p = &d->panels;
    figure_block(p->f, "cells", "from\tto\trow from below\tbusy\tcolour");
    for (uint32_t i = 0; i < p->n; i++)
        put_cells(d, i);
    panels_put_parting(p);
    figure_block(p->f, "engines", "engine\tbusy\tbinds layers");
    for (uint32_t i = 0; i < p->n; i++) {
        const occupancy *row = &d->rows[i];
        const bound_style *style = &bound_styles[chart_bound_class(p->rows[i].name)];
        figure_text(p->f, p->rows[i].name);
        FIGURE_ROW(p->f, row->ratio, row->n_bound);
        figure_add(p->f,
                   (figure_ornament){
                       DISCS, {22, panels_y_px(p, panels_at(p, i) + 0.5), 5, style->colour, style->symbol}});
    }
    panels_put_rows(p, heads, 1, 0);
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.p = s->prediction, .panels = {.f = f, .source = s, .look = {2, 62, 52, 18, 0, 72, 86}}};
    d.panels.rows = d.words;
    if (d.p)
        collect(&d);
    if (!d.panels.n)
        return;
    /* The busiest engine sets the floor: no overlap of layers can get below its own time. */
    uint32_t most = 0;
    for (uint32_t i = 1; i < d.panels.n; i++)
        most = d.rows[i].ratio > d.rows[most].ratio ? i : most;
    const double ratio = d.rows[most].ratio;
    panels_begin(&d.panels,
                 figure_printf(f,
                               "%s on %s: %s is busiest, %.0f %% of the ideal time; overlap of layers could "
                               "gain %.0f %% of that at most",
                               d.p->model.name, d.p->hardware.name, d.words[most].name, 100 * ratio,
                               100 * fmax(0, 1 - ratio)),
                 prediction_verdict(d.p, 0, f->arena), "");
    panels_collect(&d.panels, d.seconds, d.p->n_layers);
    const chart_key keys[] = {
        {KEY_WORDS, 0, .words = "busy 0"},
        {KEY_SCALE, 0, .words = "100 %"},
        {KEY_UNKNOWN, COLOUR_OTHER, .words = d.has_unknown ? "not known" : NULL},
        {KEY_WORDS, 0, .words = panels_left_out(f, d.p->n_layers - d.n_layers, "an ideal")}};
    panels_place(&d.panels, 12, "Ideal time, layer after layer", keys, N_OF(keys));
    put_rows(&d);
    put_spots(&d);
    /* Numbers of layers under their columns, where these are wide enough. */
    const time_panels *p = &d.panels;
    const char **numbers = NEW_ARRAY(f->arena, const char *, p->n_columns);
    bool is_any = false;
    for (uint32_t i = 0; i < p->n_columns && numbers; i++) {
        const panel_column *c = &p->columns[i];
        const char *text = figure_printf(f, "%u", d.p->layers[c->first].index);
        if (c->n > 1 || panels_width_px(p, c) < figure_text_width_px(text, LETTER_SMALL) + 3)
            continue;
        is_any = true;
        numbers[i] = text;
    }
    if (is_any) {
        panels_name_columns(p, numbers, 0);
        panels_put_strip_name(p, p->plot.bottom_px + 11, "layer");
    }
    f->caption = figure_printf(
        f,
        "Each column is a layer, as wide as its ideal time; each row an engine; the stronger its colour, the "
        "busier it is in that layer. The busiest engine of a column is the bottleneck of the layer. An "
        "engine that is faint throughout has time to spare; an engine busy throughout gains nothing from "
        "overlap.%s%s",
        d.has_unknown ? " Hatched: not known." : "",
        d.panels.n_columns < d.n_layers ? " Layers thinner than a pixel are drawn together." : "");
}

const chart_def chart_engines = {.id = "engines", .scope = CHART_MODEL, .draw = draw};
