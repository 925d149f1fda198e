/* How busy units of the accelerator were while each layer ran, as its profiler counted: a panel for each
 * unit, layers from left to right as wide as their time, the longest first. A full panel is a unit that
 * everything waits for; below, the bottleneck of each layer. */
#include "reports/charts/chart_panels.h"

enum { NAME_PX = 15 /* width that a turned name needs */, MOST_NAMES_PX = 130 };

/* Heights in a panel of height 1: a full bar, and the strip with the bottleneck below all of them. */
#define FULL_BAR 0.84
#define STRIP    0.22
#define STRIP_AT (-0.36)

typedef struct drawing {
    const roof_reconciled *e;
    const roof_busy *b;
    time_panels panels; /* a unit each */
    uint32_t n_layers, n_left_out;
    const roof_match **units; /* the longest first */
    const char **names;       /* of columns; NULL: none */
    double turned_px;         /* these are turned, and at most so long; 0: they are not */
} drawing;

static const struct {
    uint32_t colour;
    const char *words, *layers;
} looks[ROOF_BUSY_BOUNDS] = {
    [ROOF_BUSY_MEMORY] = {COLOUR_MEMORY, "memory", "layers bound by memory"},
    [ROOF_BUSY_COMPUTE] = {COLOUR_ARRAY, "computing", "layers bound by computing"},
    [ROOF_BUSY_NEITHER] = {COLOUR_GAP, "neither", "layers where neither is busy"},
    [ROOF_BUSY_UNKNOWN] = {COLOUR_OTHER, "not known", "layers of which it is unknown"}};

/* False: there is nothing to draw. */
static bool take_layers(drawing *d)
{
    d->units = NEW_ARRAY(d->panels.f->arena, const roof_match *, d->e->n_matches);
    for (uint32_t i = 0; i < d->e->n_matches && d->units; i++) {
        const roof_match *u = &d->e->matches[i];
        if (roof_match_is_repeated(u))
            continue;
        if (u->measured_s > 0 && isfinite(u->measured_s)) {
            d->units[d->n_layers++] = u;
            d->panels.total_s += u->measured_s;
        } else {
            d->n_left_out++;
        }
    }
    order_pointers(d->units, d->n_layers, ORDER_BY(FALLING(roof_match, measured_s)));
    return d->n_layers;
}

static roof_busy_bound bound_of(const drawing *d, const panel_column *c)
{
    double bound_s[ROOF_BUSY_BOUNDS] = {0};
    roof_busy_bound most = ROOF_BUSY_UNKNOWN;
    for (uint32_t i = c->first; i < c->first + c->n; i++)
        bound_s[roof_match_busy(d->e, d->units[i]).bound] += d->units[i]->measured_s;
    for (int k = 0; k < ROOF_BUSY_BOUNDS; k++)
        most = bound_s[k] > bound_s[most] ? (roof_busy_bound)k : most;
    return most;
}

static void put_bars(const drawing *d)
{
    const time_panels *p = &d->panels;
    const double factor = p->scale.factor;
    figure_block(p->f, "bars", "from\tto\tbase\ttop\tbusy\tcolour");
    for (uint32_t k = 0; k < p->n; k++) {
        const engine_info *known = engine_named(d->b->names[k]);
        const engine_kind kind = d->b->moves[k] ? ENGINE_KIND_DATA : known ? known->kind : ENGINE_KIND_ARRAY;
        FOR_EACH(const panel_column, c, p->columns, p->n_columns) {
            double busy_s = 0, base = panels_at(p, k); /* NaN: of one of the layers it is unknown */
            for (uint32_t u = c->first; u < c->first + c->n; u++)
                busy_s += roof_match_busy(d->e, d->units[u]).ratios[k] * d->units[u]->measured_s;
            const double ratio = busy_s / (c->to_s - c->from_s);
            if (ratio > 0)
                FIGURE_ROW(p->f, c->from_s * factor, c->to_s * factor, base, base + FULL_BAR * fmin(ratio, 1),
                           ratio, bound_styles[kind].colour);
        }
    }
    figure_block(p->f, "bounds", "from\tto\tcolour");
    for (uint32_t i = 0; i < p->n_columns; i++)
        FIGURE_ROW(p->f, p->columns[i].from_s * factor, p->columns[i].to_s * factor,
                   looks[bound_of(d, &p->columns[i])].colour);
    panels_put_parting(p);
}

/* --- words -------------------------------------------------------------------------------------------- */

/* The title names the two that most of the time is in; where none is known, the chart's subject. */
static const char *verdict(const drawing *d)
{
    chart_figure *f = d->panels.f;
    const double *bound_s = d->b->whole.bound_s;
    const char *subject = chart_subject(d->e, f);
    int most = ROOF_BUSY_MEMORY, next = ROOF_BUSY_UNKNOWN;
    for (int k = ROOF_BUSY_COMPUTE; k < ROOF_BUSY_BOUNDS; k++)
        most = bound_s[k] > bound_s[most] ? k : most;
    for (int k = 0; k < ROOF_BUSY_BOUNDS; k++)
        next = k != most && bound_s[k] > bound_s[next] ? k : next;
    if (!(bound_s[most] > 0))
        return figure_printf(f, "%s: how busy %u units were", subject, d->b->n);
    const double part = 100 * bound_s[most] / d->b->total_s, rest = 100 * bound_s[next] / d->b->total_s;
    return bound_s[next] > 0
               ? figure_printf(f, "%s: %.0f %% of the time is in %s, %.0f %% in %s", subject, part,
                               looks[most].layers, rest, looks[next].layers)
               : figure_printf(f, "%s: %.0f %% of the time is in %s", subject, part, looks[most].layers);
}

/* A name stands under a column of one layer that is wide enough: upright where all have room, else all
 * turned. Returns how high they are. */
static double choose_names(drawing *d)
{
    time_panels *p = &d->panels;
    double most_px = 0;
    d->names = NEW_ARRAY(p->f->arena, const char *, p->n_columns);
    for (uint32_t i = 0; i < p->n_columns && d->names; i++) {
        const panel_column *c = &p->columns[i];
        const double width_px = panels_width_px(p, c);
        if (c->n > 1 || width_px < NAME_PX)
            continue;
        d->names[i] =
            prediction_name_without(prediction_name_prefix(d->e->prediction), d->units[c->first]->name);
        const double needs_px = figure_text_width_px(d->names[i], LETTER_SMALL);
        most_px = fmax(most_px, needs_px);
        if (needs_px + 6 > width_px)
            d->turned_px = MOST_NAMES_PX;
    }
    return most_px > 0 ? 8 + (d->turned_px > 0 ? fmin(most_px, d->turned_px) : NAME_PX) : 0;
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void draw(const chart_source *s, chart_figure *f)
{
    static const char *const head = "busy";
    drawing d = {.e = s->experiment,
                 .b = s->experiment ? s->experiment->busy : NULL,
                 .panels = {.f = f, .source = s, .look = {1, 62, 52, 0, STRIP_AT, 84, 92}}};
    time_panels *p = &d.panels;
    chart_key keys[ROOF_BUSY_BOUNDS + 1];
    bool has_unknown = false;
    if (!d.b || !take_layers(&d))
        return;
    p->n = d.b->n;
    double *seconds = NEW_ARRAY(f->arena, double, d.n_layers);
    p->rows = NEW_ARRAY(f->arena, panel_words, p->n);
    if (!seconds || !p->rows)
        return;
    for (uint32_t k = 0; k < p->n; k++) {
        const double ratio = d.b->whole.busy.ratios[k];
        p->rows[k] =
            (panel_words){d.b->names[k], {isnan(ratio) ? "?" : figure_printf(f, "%.1f %%", 100 * ratio)}};
    }
    for (uint32_t i = 0; i < d.n_layers; i++)
        seconds[i] = d.units[i]->measured_s;
    panels_begin(p, verdict(&d), chart_conditions(s, f), "bound by");
    panels_collect(p, seconds, d.n_layers);
    for (uint32_t i = 0; i < p->n_columns; i++)
        has_unknown |= bound_of(&d, &p->columns[i]) == ROOF_BUSY_UNKNOWN;
    for (int k = 0; k < ROOF_BUSY_BOUNDS; k++) {
        const int bound = (k + ROOF_BUSY_MEMORY) % ROOF_BUSY_BOUNDS; /* what is unknown comes last */
        const bool is_shown = bound != ROOF_BUSY_UNKNOWN || has_unknown;
        keys[k] = (chart_key){KEY_SWATCH, looks[bound].colour, .words = is_shown ? looks[bound].words : NULL};
    }
    keys[ROOF_BUSY_BOUNDS] = (chart_key){KEY_WORDS, 0, .words = panels_left_out(f, d.n_left_out, "a time")};
    panels_place(p, choose_names(&d), "Measured time, the longest layer first", keys, N_OF(keys));
    figure_set(f, "strip", STRIP);
    figure_block(f, "units", "unit\tbusy");
    for (uint32_t k = 0; k < p->n; k++) {
        figure_text(f, d.b->names[k]);
        FIGURE_ROW(f, d.b->whole.busy.ratios[k]);
    }
    panels_put_rows(p, &head, FULL_BAR, 2);
    put_bars(&d);
    figure_put(f, p->plot.left_px, p->plot.top_px - 10, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED,
               "upper line: 100 % of the cycles");
    panels_put_strip_name(p, panels_y_px(p, STRIP_AT + STRIP / 2), "bound by");
    if (d.names)
        panels_name_columns(p, d.names, d.turned_px);
    f->caption = figure_printf(
        f,
        "Each column is a layer, as wide as its time, the longest first; each row a unit of "
        "the accelerator. The height of a bar is the part of the layer's cycles in which the "
        "unit worked, so the area is its busy time. Below, the bottleneck of a layer: the kind of its "
        "busiest unit if that works for at least %.0f %% of the cycles, else neither.%s",
        100 * ROOF_BUSY_LEAST_RATIO,
        p->n_columns < d.n_layers ? " Layers thinner than a pixel are drawn together." : "");
}

const chart_def chart_units = {.id = "units", .scope = CHART_MODEL, .draw = draw};
