/* How busy units of the accelerator were while each layer ran, as its profiler counted: a panel for each
 * unit, layers from left to right as wide as their time, the longest first. A full panel is a unit that
 * everything waits for; below, what binds each layer. */
#include "core/quantity.h"
#include "measure/units/unit_facts.h"
#include "reports/charts/chart.h"
#include "reports/charts/chart_axes.h"
#include "reports/charts/palette.h"

#include <math.h>
#include <stdlib.h>

enum {
    HEAD_PX = 22,
    MOST_PANEL_PX = 84,
    NAME_PX = 15, /* width that a turned name needs */
    MOST_NAMES_PX = 130,
    BELOW_PX = 92, /* axis, its title, the key */
    FOOT_PX = 28,
    BUSY_PX = 62,
    BUSY_OF_NARROW_PX = 52
};

/* Heights in a panel of height 1: a full bar, and the strip with what binds below all of them. */
#define FULL_BAR 0.84
#define STRIP    0.22
#define STRIP_AT (-0.36)

/* Columns from this width on are parted by a line. */
#define PARTED_PX 5.0

/* Layers that are drawn as one, since alone they are thinner than a pixel. */
typedef struct column {
    const roof_unit *first;
    uint32_t n;
    double from_s, to_s;
    double busy_s[ROOF_MAX_BUSY]; /* NaN: of one of them it is not known */
    double bound_s[ROOF_BUSY_BOUNDS];
} column;

typedef struct drawing {
    const roof_reconciled *e;
    const roof_busy *b;
    chart_figure *f;
    chart_scale scale;
    plot_area plot;
    chart_axis x; /* scale.unit */
    column *columns;
    uint32_t n_columns, n_layers, n_left_out;
    const roof_unit **units; /* the longest first */
    double total_s, busy_px, names_px;
    bool are_turned, has_unknown; /* the names of layers; what binds some layer */
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

static double x_px(const drawing *d, double seconds)
{
    return chart_axis_px(&d->x, seconds * d->scale.factor);
}

static double width_px(const drawing *d, const column *c)
{
    return x_px(d, c->to_s) - x_px(d, c->from_s);
}

/* --- marks -------------------------------------------------------------------------------------------- */

/* From below, in panels. */
static double panel_at(const drawing *d, uint32_t unit)
{
    return d->b->n - unit - 1;
}

static roof_busy_bound bound_of(const column *c)
{
    roof_busy_bound most = ROOF_BUSY_UNKNOWN;
    for (int k = 0; k < ROOF_BUSY_BOUNDS; k++)
        most = c->bound_s[k] > c->bound_s[most] ? (roof_busy_bound)k : most;
    return most;
}

static uint32_t colour_of(const char *unit, bool moves)
{
    const engine_info *known = engine_named(unit);
    return bound_styles[moves ? ENGINE_KIND_DATA : known ? known->kind : ENGINE_KIND_ARRAY].colour;
}

static void put_bars(drawing *d)
{
    figure_block(d->f, "bars", "from\tto\tbase\ttop\tbusy\tcolour");
    for (uint32_t k = 0; k < d->b->n; k++)
        for (uint32_t i = 0; i < d->n_columns; i++) {
            const column *c = &d->columns[i];
            double ratio = c->busy_s[k] / (c->to_s - c->from_s), base = panel_at(d, k);
            if (ratio > 0)
                FIGURE_ROW(d->f, c->from_s * d->scale.factor, c->to_s * d->scale.factor, base,
                           base + FULL_BAR * fmin(ratio, 1), ratio,
                           colour_of(d->b->names[k], d->b->moves[k]));
        }
    figure_block(d->f, "bounds", "from\tto\tcolour");
    for (uint32_t i = 0; i < d->n_columns; i++) {
        const column *c = &d->columns[i];
        d->has_unknown = d->has_unknown || bound_of(c) == ROOF_BUSY_UNKNOWN;
        FIGURE_ROW(d->f, c->from_s * d->scale.factor, c->to_s * d->scale.factor, looks[bound_of(c)].colour);
    }
    figure_block(d->f, "parting", "at");
    for (uint32_t i = 1; i < d->n_columns; i++)
        if (fmin(width_px(d, &d->columns[i - 1]), width_px(d, &d->columns[i])) >= PARTED_PX)
            FIGURE_ROW(d->f, d->columns[i].from_s * d->scale.factor);
}

/* --- words -------------------------------------------------------------------------------------------- */

static double y_px(const drawing *d, double panels)
{
    double low = STRIP_AT, high = d->b->n;
    return d->plot.bottom_px - (d->plot.bottom_px - d->plot.top_px) * (panels - low) / (high - low);
}

static void put_units(drawing *d)
{
    chart_figure *f = d->f;
    double right_px = d->plot.right_px + d->busy_px;
    figure_put(f, right_px, d->plot.top_px - HEAD_PX / 2.0 + 1, ANCHOR_RIGHT, LETTER_BOLD, COLOUR_INK,
               "busy");
    figure_put(f, d->plot.left_px, d->plot.top_px - HEAD_PX / 2.0 + 1, ANCHOR_LEFT, LETTER_SMALL,
               COLOUR_MUTED, "upper line: 100 % of the cycles");
    for (uint32_t k = 0; k < d->b->n; k++) {
        double y = y_px(d, panel_at(d, k) + FULL_BAR / 2), ratio = d->b->whole.busy.ratios[k];
        figure_put(f, 16, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_INK,
                   figure_shorten(f, d->b->names[k], LETTER_SMALL, d->plot.left_px - 24));
        figure_put(f, right_px, y, ANCHOR_RIGHT, LETTER_SMALL, COLOUR_INK,
                   isnan(ratio) ? "?" : figure_printf(f, "%.1f %%", 100 * ratio));
    }
    figure_put(f, 16, y_px(d, STRIP_AT + STRIP / 2), ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, "bound by");
}

/* Whether a name, or a number of layers drawn as one, stands under a column. */
static bool is_named(const drawing *d, const column *c)
{
    return c->n == 1 && width_px(d, c) >= NAME_PX;
}

static const char *name_of(const drawing *d, const column *c)
{
    return prediction_name_without(prediction_name_prefix(d->e->prediction), c->first->name);
}

static void put_names(drawing *d)
{
    const double y = d->plot.bottom_px + 4;
    for (uint32_t i = 0; i < d->n_columns; i++) {
        const column *c = &d->columns[i];
        double x = x_px(d, (c->from_s + c->to_s) / 2);
        if (!is_named(d, c))
            continue;
        if (!d->are_turned) {
            figure_put(d->f, x, y + NAME_PX / 2.0, ANCHOR_CENTRE, LETTER_SMALL, COLOUR_INK, name_of(d, c));
            continue;
        }
        const figure_text_label label = {x,
                                         y,
                                         90,
                                         ANCHOR_RIGHT,
                                         LETTER_SMALL,
                                         COLOUR_INK,
                                         figure_shorten(d->f, name_of(d, c), LETTER_SMALL, MOST_NAMES_PX)};
        figure_label(d->f, &label);
    }
}

/* "bound by [] memory [] computing [] neither", and what is not drawn. */
static void put_key(drawing *d, double y)
{
    enum { SWATCH_PX = 14, GAP_PX = 16 };
    chart_figure *f = d->f;
    double x = 16;
    for (int k = ROOF_BUSY_MEMORY; k <= ROOF_BUSY_BOUNDS; k++) {
        int bound = k % ROOF_BUSY_BOUNDS; /* what is not known comes last */
        if (bound == ROOF_BUSY_UNKNOWN && !d->has_unknown)
            continue;
        figure_add(
            f, (figure_ornament){
                   SWATCHES, {x + SWATCH_PX / 2.0, y, x, x + SWATCH_PX, y - 5, y + 5, looks[bound].colour}});
        x += SWATCH_PX + 5;
        figure_put(f, x, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED, looks[bound].words);
        x += figure_text_width_px(looks[bound].words, LETTER_SMALL) + GAP_PX;
    }
    if (!d->n_left_out)
        return;
    const char *text = figure_printf(f, "%u layer%s without a time %s left out", d->n_left_out,
                                     say_plural(d->n_left_out), d->n_left_out == 1 ? "is" : "are");
    figure_put(f, x, y, ANCHOR_LEFT, LETTER_SMALL, COLOUR_MUTED,
               figure_shorten(f, text, LETTER_SMALL, f->canvas.width_px - 16 - x));
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* The title names the two that most of the time is in; where none is known, the chart's subject. */
static const char *verdict(const drawing *d)
{
    static const char *const layers[] = {"layers of which it is not known", "layers bound by memory",
                                         "layers bound by computing", "layers where neither is busy"};
    const double *bound_s = d->b->whole.bound_s;
    const char *subject = chart_subject(d->e, d->f);
    int most = ROOF_BUSY_MEMORY, next = ROOF_BUSY_UNKNOWN;
    for (int k = ROOF_BUSY_COMPUTE; k < ROOF_BUSY_BOUNDS; k++)
        most = bound_s[k] > bound_s[most] ? k : most;
    for (int k = 0; k < ROOF_BUSY_BOUNDS; k++)
        next = k != most && bound_s[k] > bound_s[next] ? k : next;
    if (!(bound_s[most] > 0))
        return figure_printf(d->f, "%s: how busy %u units were", subject, d->b->n);
    const char *text = figure_printf(d->f, "%s: %.0f %% of the time is in %s", subject,
                                     100 * bound_s[most] / d->b->total_s, layers[most]);
    return !(bound_s[next] > 0) ? text
                                : figure_printf(d->f, "%s, %.0f %% in %s", text,
                                                100 * bound_s[next] / d->b->total_s, layers[next]);
}

static void lay_out(drawing *d, double top)
{
    chart_figure *f = d->f;
    double name_px = figure_text_width_px("bound by", LETTER_SMALL);
    d->busy_px = f->is_wide ? BUSY_PX : BUSY_OF_NARROW_PX;
    for (uint32_t k = 0; k < d->b->n; k++)
        name_px = fmax(name_px, figure_text_width_px(d->b->names[k], LETTER_SMALL));
    name_px = fmin(name_px, f->is_wide ? 160 : 76);
    d->plot = (plot_area){30 + name_px, f->canvas.width_px - 18 - d->busy_px, top + 4 + HEAD_PX, 0};
    d->scale = chart_scale_of(d->total_s);
    d->x =
        (chart_axis){0, d->total_s * d->scale.factor, .from_px = d->plot.left_px, .to_px = d->plot.right_px};
    double pixel_s = d->total_s / (d->plot.right_px - d->plot.left_px), at_s = 0;
    column *last = d->columns = NEW_ARRAY(d->f->arena, column, d->n_layers);
    for (uint32_t i = 0; i < d->n_layers && last; i++) {
        const roof_unit *u = d->units[i];
        if (!d->n_columns || last->to_s - last->from_s >= pixel_s || u->measured_s >= pixel_s) {
            last = &d->columns[d->n_columns++];
            *last = (column){.first = u, .from_s = at_s, .to_s = at_s};
        }
        roof_busy_ratios busy = roof_unit_busy(d->e, u);
        for (uint32_t k = 0; k < d->b->n; k++)
            last->busy_s[k] += busy.ratios[k] * u->measured_s;
        last->bound_s[busy.bound] += u->measured_s;
        last->to_s += u->measured_s;
        last->n++;
        at_s = last->to_s;
    }
    /* Upright where all have room, else all turned: widths of columns are known before their places. */
    double most_px = 0;
    for (uint32_t i = 0; i < d->n_columns; i++) {
        const column *c = &d->columns[i];
        double needs_px = figure_text_width_px(name_of(d, c), LETTER_SMALL);
        if (!is_named(d, c))
            continue;
        most_px = fmax(most_px, needs_px);
        d->are_turned = d->are_turned || needs_px + 6 > width_px(d, c);
    }
    d->names_px = most_px > 0 ? 8 + (d->are_turned ? fmin(most_px, MOST_NAMES_PX) : NAME_PX) : 0;
    double room = f->canvas.height_px - d->plot.top_px - d->names_px - BELOW_PX - FOOT_PX;
    double panels = d->b->n - STRIP_AT;
    d->plot.bottom_px = d->plot.top_px + fmin(fmax(room, 24 * panels), MOST_PANEL_PX * panels);
    figure_set_height(f, d->plot.bottom_px + d->names_px + BELOW_PX + FOOT_PX);
    figure_set_area(f, "plot", &d->plot);
    chart_axis_set(f, "x", &d->x);
    figure_set(f, "n_units", d->b->n);
    figure_set(f, "y_min", STRIP_AT);
    figure_set(f, "strip", STRIP);
    figure_set(f, "overlap", 0.4 * d->x.max / (d->plot.right_px - d->plot.left_px));
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.f = f, .e = s->experiment, .b = s->experiment ? s->experiment->busy : NULL};
    if (!d.b)
        return;
    d.units = NEW_ARRAY(d.f->arena, const roof_unit *, d.e->n_units);
    for (uint32_t i = 0; i < d.e->n_units && d.units; i++) {
        const roof_unit *u = &d.e->units[i];
        bool is_drawn = u->measured_s > 0 && isfinite(u->measured_s) && !roof_unit_is_repeated(u);
        if (is_drawn) {
            d.units[d.n_layers++] = u;
            d.total_s += u->measured_s;
        }
        d.n_left_out += !is_drawn && !roof_unit_is_repeated(u);
    }
    if (d.n_layers)
        qsort(d.units, d.n_layers, sizeof(const roof_unit *), longer_first);
    if (!d.n_layers)
        return;
    lay_out(&d, figure_head(f, verdict(&d), chart_conditions(s, f)));
    figure_foot(f, chart_provenance(s, f));
    figure_block(d.f, "panels", "base");
    for (uint32_t k = 0; k < d.b->n; k++)
        FIGURE_ROW(d.f, panel_at(&d, k));
    figure_block(d.f, "levels", "50 % and 100 %");
    for (uint32_t k = 0; k < d.b->n; k++) {
        FIGURE_ROW(d.f, panel_at(&d, k) + FULL_BAR / 2);
        FIGURE_ROW(d.f, panel_at(&d, k) + FULL_BAR);
    }
    figure_block(d.f, "units", "unit\tbusy");
    for (uint32_t k = 0; k < d.b->n; k++) {
        figure_text(d.f, d.b->names[k]);
        FIGURE_ROW(d.f, d.b->whole.busy.ratios[k]);
    }
    put_bars(&d);
    put_units(&d);
    put_names(&d);
    chart_axis_put_time(d.f, &d.x, &d.plot, d.names_px + 8,
                        figure_printf(d.f, "Measured time, the longest layer first [%s]", d.scale.unit));
    put_key(&d, d.plot.bottom_px + d.names_px + BELOW_PX - 14);
    f->caption =
        figure_printf(f,
                      "Each column is a layer, as wide as its time, the longest first; each row a unit of "
                      "the accelerator. The height of a bar is the part of the layer's cycles in which the "
                      "unit worked, so the area is its busy time. Below, what binds a layer: the kind of its "
                      "busiest unit if that works for at least %.0f %% of the cycles, else neither.%s",
                      100 * ROOF_BUSY_LEAST_RATIO,
                      d.n_columns < d.n_layers ? " Layers thinner than a pixel are drawn together." : "");
}

const chart_def chart_units = {.id = "units", .scope = CHART_MODEL, .draw = draw};
