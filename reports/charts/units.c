/* How busy units of the accelerator were while each layer ran, as its profiler counted: a panel for each
 * unit, layers from left to right as wide as their time, the longest first. A full panel is a unit that
 * everything waits for; below, the bottleneck of each layer. */
#include "core/quantity.h"
#include "measure/units/unit_facts.h"
#include "reports/charts/chart_panels.h"
#include "reports/charts/palette.h"

#include <math.h>
#include <stdlib.h>

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
    const roof_unit **units; /* the longest first */
    bool are_turned;         /* the names of layers */
} drawing;

static const struct {
    uint32_t colour;
    const char *words;
} looks[ROOF_BUSY_BOUNDS] = {[ROOF_BUSY_MEMORY] = {COLOUR_MEMORY, "memory"},
                             [ROOF_BUSY_COMPUTE] = {COLOUR_ARRAY, "computing"},
                             [ROOF_BUSY_NEITHER] = {COLOUR_GAP, "neither"},
                             [ROOF_BUSY_UNKNOWN] = {COLOUR_OTHER, "not known"}};

/* --- layers ------------------------------------------------------------------------------------------- */

/* The longest first; equal ones in order of execution. */
static int longer_first(const void *a_, const void *b_)
{
    const roof_unit *a = *(const roof_unit *const *)a_, *b = *(const roof_unit *const *)b_;
    if (a->measured_s != b->measured_s)
        return a->measured_s > b->measured_s ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* --- marks -------------------------------------------------------------------------------------------- */

static roof_busy_bound bound_of(const drawing *d, const panel_column *c)
{
    double bound_s[ROOF_BUSY_BOUNDS] = {0};
    roof_busy_bound most = ROOF_BUSY_UNKNOWN;
    for (uint32_t i = c->first; i < c->first + c->n; i++)
        bound_s[roof_unit_busy(d->e, d->units[i]).bound] += d->units[i]->measured_s;
    for (int k = 0; k < ROOF_BUSY_BOUNDS; k++)
        most = bound_s[k] > bound_s[most] ? (roof_busy_bound)k : most;
    return most;
}

static uint32_t colour_of(const char *unit, bool moves)
{
    const engine_info *known = engine_named(unit);
    return bound_styles[moves ? ENGINE_KIND_DATA : known ? known->kind : ENGINE_KIND_ARRAY].colour;
}

static void put_bars(const drawing *d)
{
    const time_panels *p = &d->panels;
    const double factor = p->scale.factor;
    figure_block(p->f, "bars", "from\tto\tbase\ttop\tbusy\tcolour");
    for (uint32_t k = 0; k < p->n; k++)
        for (uint32_t i = 0; i < p->n_columns; i++) {
            const panel_column *c = &p->columns[i];
            double busy_s = 0, base = panels_at(p, k); /* NaN: of one of the layers it is unknown */
            for (uint32_t u = c->first; u < c->first + c->n; u++)
                busy_s += roof_unit_busy(d->e, d->units[u]).ratios[k] * d->units[u]->measured_s;
            const double ratio = busy_s / (c->to_s - c->from_s);
            if (ratio > 0)
                FIGURE_ROW(p->f, c->from_s * factor, c->to_s * factor, base, base + FULL_BAR * fmin(ratio, 1),
                           ratio, colour_of(d->b->names[k], d->b->moves[k]));
        }
    figure_block(p->f, "bounds", "from\tto\tcolour");
    for (uint32_t i = 0; i < p->n_columns; i++)
        FIGURE_ROW(p->f, p->columns[i].from_s * factor, p->columns[i].to_s * factor,
                   looks[bound_of(d, &p->columns[i])].colour);
    panels_put_parting(p);
}

/* --- words -------------------------------------------------------------------------------------------- */

static void put_units(const drawing *d)
{
    static const char *const head = "busy";
    const time_panels *p = &d->panels;
    panels_put_words(p, 0, NULL, &head);
    figure_put(p->f, p->plot.left_px, p->plot.top_px - 10, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED,
               "upper line: 100 % of the cycles");
    for (uint32_t k = 0; k < p->n; k++) {
        const double ratio = d->b->whole.busy.ratios[k];
        const char *share = isnan(ratio) ? "?" : figure_printf(p->f, "%.1f %%", 100 * ratio);
        panels_put_words(p, panels_at(p, k) + FULL_BAR / 2, d->b->names[k], &share);
    }
    panels_put_words(p, STRIP_AT + STRIP / 2, "bound by", NULL);
}

/* A name stands under a column of one layer that is wide enough; NULL: none. */
static const char *name_of(const drawing *d, const panel_column *c)
{
    return c->n > 1 || panels_width_px(&d->panels, c) < NAME_PX
               ? NULL
               : prediction_name_without(prediction_name_prefix(d->e->prediction), d->units[c->first]->name);
}

static void put_names(const drawing *d)
{
    const time_panels *p = &d->panels;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const panel_column *c = &p->columns[i];
        const char *name = name_of(d, c);
        figure_text_label l = {panels_x_px(p, (c->from_s + c->to_s) / 2),
                               p->plot.bottom_px + 4,
                               90,
                               ANCHOR_RIGHT,
                               LETTER_SMALL,
                               COLOUR_INK,
                               name};
        if (!name)
            continue;
        if (d->are_turned)
            l.text = figure_shorten(p->f, name, LETTER_SMALL, MOST_NAMES_PX);
        else
            l = (figure_text_label){l.x_px, l.y_px + NAME_PX / 2.0, 0, ANCHOR_CENTRE, l.letter, l.colour,
                                    name};
        figure_label(p->f, &l);
    }
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* The title names the two that most of the time is in; where none is known, the chart's subject. */
static const char *verdict(const drawing *d)
{
    static const char *const layers[] = {"layers of which it is unknown", "layers bound by memory",
                                         "layers bound by computing", "layers where neither is busy"};
    const double *bound_s = d->b->whole.bound_s;
    const char *subject = chart_subject(d->e, d->panels.f);
    int most = ROOF_BUSY_MEMORY, next = ROOF_BUSY_UNKNOWN;
    for (int k = ROOF_BUSY_COMPUTE; k < ROOF_BUSY_BOUNDS; k++)
        most = bound_s[k] > bound_s[most] ? k : most;
    for (int k = 0; k < ROOF_BUSY_BOUNDS; k++)
        next = k != most && bound_s[k] > bound_s[next] ? k : next;
    if (!(bound_s[most] > 0))
        return figure_printf(d->panels.f, "%s: how busy %u units were", subject, d->b->n);
    const char *text = figure_printf(d->panels.f, "%s: %.0f %% of the time is in %s", subject,
                                     100 * bound_s[most] / d->b->total_s, layers[most]);
    return !(bound_s[next] > 0) ? text
                                : figure_printf(d->panels.f, "%s, %.0f %% in %s", text,
                                                100 * bound_s[next] / d->b->total_s, layers[next]);
}

static void lay_out(drawing *d)
{
    chart_key keys[ROOF_BUSY_BOUNDS + 1];
    size_t n_keys = 0;
    bool has_unknown = false;
    double most_px = 0;
    for (uint32_t i = 0; i < d->panels.n_columns; i++) {
        const panel_column *c = &d->panels.columns[i];
        const char *name = name_of(d, c);
        const double needs_px = name ? figure_text_width_px(name, LETTER_SMALL) : 0;
        most_px = fmax(most_px, needs_px);
        /* upright where all have room, else all turned */
        d->are_turned |= name && needs_px + 6 > panels_width_px(&d->panels, c);
        has_unknown |= bound_of(d, c) == ROOF_BUSY_UNKNOWN;
    }
    for (int k = ROOF_BUSY_MEMORY; k <= ROOF_BUSY_BOUNDS; k++) {
        const int bound = k % ROOF_BUSY_BOUNDS; /* what is unknown comes last */
        if (bound != ROOF_BUSY_UNKNOWN || has_unknown)
            keys[n_keys++] = (chart_key){KEY_SWATCH, looks[bound].colour, .words = looks[bound].words};
    }
    keys[n_keys++] =
        (chart_key){KEY_WORDS, 0, .words = panels_left_out(d->panels.f, d->n_left_out, "a time")};
    panels_place(&d->panels, most_px > 0 ? 8 + (d->are_turned ? fmin(most_px, MOST_NAMES_PX) : NAME_PX) : 0,
                 "Measured time, the longest layer first", keys, n_keys);
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.e = s->experiment,
                 .b = s->experiment ? s->experiment->busy : NULL,
                 .panels = {.f = f, .source = s, .look = {1, 62, 52, 0, STRIP_AT, 84, 92}}};
    if (!d.b)
        return;
    d.units = NEW_ARRAY(f->arena, const roof_unit *, d.e->n_units);
    for (uint32_t i = 0; i < d.e->n_units && d.units; i++) {
        const roof_unit *u = &d.e->units[i];
        bool is_drawn = u->measured_s > 0 && isfinite(u->measured_s) && !roof_unit_is_repeated(u);
        if (is_drawn) {
            d.units[d.n_layers++] = u;
            d.panels.total_s += u->measured_s;
        }
        d.n_left_out += !is_drawn && !roof_unit_is_repeated(u);
    }
    if (d.n_layers)
        qsort(d.units, d.n_layers, sizeof(const roof_unit *), longer_first);
    double *seconds = NEW_ARRAY(f->arena, double, d.n_layers);
    if (!d.n_layers || !seconds)
        return;
    for (uint32_t i = 0; i < d.n_layers; i++)
        seconds[i] = d.units[i]->measured_s;
    d.panels.n = d.b->n;
    panels_begin(&d.panels, verdict(&d), chart_conditions(s, f), d.b->names, "bound by");
    panels_collect(&d.panels, seconds, d.n_layers);
    lay_out(&d);
    figure_set(f, "strip", STRIP);
    figure_block(f, "panels", "base");
    for (uint32_t k = 0; k < d.b->n; k++)
        FIGURE_ROW(f, panels_at(&d.panels, k));
    figure_block(f, "levels", "50 % and 100 %");
    for (uint32_t k = 0; k < d.b->n; k++) {
        FIGURE_ROW(f, panels_at(&d.panels, k) + FULL_BAR / 2);
        FIGURE_ROW(f, panels_at(&d.panels, k) + FULL_BAR);
    }
    figure_block(f, "units", "unit\tbusy");
    for (uint32_t k = 0; k < d.b->n; k++) {
        figure_text(f, d.b->names[k]);
        FIGURE_ROW(f, d.b->whole.busy.ratios[k]);
    }
    put_bars(&d);
    put_units(&d);
    put_names(&d);
    f->caption = figure_printf(
        f,
        "Each column is a layer, as wide as its time, the longest first; each row a unit of "
        "the accelerator. The height of a bar is the part of the layer's cycles in which the "
        "unit worked, so the area is its busy time. Below, the bottleneck of a layer: the kind of its "
        "busiest unit if that works for at least %.0f %% of the cycles, else neither.%s",
        100 * ROOF_BUSY_LEAST_RATIO,
        d.panels.n_columns < d.n_layers ? " Layers thinner than a pixel are drawn together." : "");
}

const chart_def chart_units = {.id = "units", .scope = CHART_MODEL, .draw = draw};
