/* Runs of months in their order: each of them, the medians between two changes, and where the level
 * changed. */
#include "reports/charts/chart.h"
#include "reports/charts/palette.h"
#include "reports/tables/history/history_view.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NUMBERS_PX = 60, RADIUS_PX = 3 };

typedef struct drawing {
    chart_figure *f;
    const roof_history_series *of;
    double factor; /* from base units to those of the axis */
    const char *unit;
    chart_plane plane; /* order of the runs from 1; the metric */
} drawing;

/* Times in the unit that fits; others as they are. */
static void choose_unit(drawing *d)
{
    double most = 0;
    for (uint32_t i = 0; i < d->of->n_points; i++)
        most = fmax(most, d->of->points[i].value);
    d->factor = 1;
    d->unit = d->of->metric->unit;
    if (strcmp(d->unit, "s") != 0)
        return;
    const chart_scale scale = chart_scale_of(most);
    d->factor = scale.factor;
    d->unit = scale.unit;
}

/* Not from 0: a change of a few per cent is what is looked for. */
static void choose_axes(drawing *d)
{
    axis_extent values = EXTENT_EMPTY;
    for (uint32_t i = 0; i < d->of->n_points; i++)
        chart_extent_take(&values, d->factor * d->of->points[i].value);
    const double room = values.high > values.low ? 0.08 * (values.high - values.low) : 0.05 * values.high;
    const chart_axis x = {.min = 0, .max = d->of->n_points + 1.0, .numbers = AXIS_COUNTS},
                     y = {.min = fmax(values.low - room, 0), .max = values.high + 2 * room};
    chart_plane_set_axes(&d->plane, x, y);
}

static void put_points(drawing *d)
{
    figure_block(d->f, "runs", "order\tvalue, scaled\trun");
    for (uint32_t i = 0; i < d->of->n_points; i++) {
        const double value = d->factor * d->of->points[i].value;
        FIGURE_ROW(d->f, i + 1, value, (double)d->of->points[i].run);
        chart_plane_avoid_point(&d->plane, i + 1, value, RADIUS_PX);
    }
}

static void put_segments(drawing *d)
{
    figure_block(d->f, "levels", "from\tto\tmedian, scaled\tlow: of the change, 95 %\thigh");
    for (uint32_t i = 0; i < d->of->n_segments; i++) {
        const roof_history_segment *g = &d->of->segments[i];
        const double before = i ? d->factor * d->of->segments[i - 1].median : NAN;
        FIGURE_ROW(d->f, g->first + 0.5, g->first + g->n + 0.5, d->factor * g->median,
                   before * g->ratio_ci95[0], before * g->ratio_ci95[1]);
    }
}

/* "3.1 % slower (2.4 to 3.8), commit 3f2a91c", at the first run of each change. */
static void name_changes(drawing *d)
{
    enum { MOST = 8 };
    for (uint32_t i = 1; i < d->of->n_segments && i <= MOST; i++) {
        const roof_history_segment *g = &d->of->segments[d->of->n_segments - i];
        const roof_history_point *first = &d->of->points[g->first];
        const char *change = history_change(d->of, g, d->f->arena);
        if (first->commit)
            change = figure_printf(d->f, "%s, %.12s", change, first->commit);
        chart_plane_name_point(&d->plane, change, g->first + 1, d->factor * g->median, RADIUS_PX + 2, false);
    }
}

/* "Median of an inference [ms]", "Row conv1, median [ms]" */
static const char *axis_title(const drawing *d)
{
    const char *words = d->of->metric->words;
    if (d->of->row)
        return figure_printf(d->f, "Row %s, %.*s [%s]", d->of->row, (int)strcspn(words, " "), words, d->unit);
    return figure_printf(d->f, "%c%s [%s]", toupper((unsigned char)words[0]), words + 1, d->unit);
}

static void draw(const chart_source *s, chart_figure *f)
{
    if (!s->series || !s->series->n_points)
        return;
    drawing d = {.f = f, .of = s->series, .plane.f = f};
    const plot_area page = chart_page(
        f, history_series_says(s->series, f->arena),
        figure_printf(f, "%" PRIu32 " runs; lines: medians; bands: changes, 95 %%", s->series->n_points),
        NULL, 0, "roofline " ROOF_VERSION);
    d.plane.area = chart_plane_area(&page, NUMBERS_PX, 10);
    choose_unit(&d);
    choose_axes(&d);
    chart_plane_put_axes(&d.plane, NULL, NUMBERS_PX - 16, axis_title(&d),
                         "Runs in the order in which they were added");
    put_segments(&d);
    put_points(&d);
    name_changes(&d);
    f->caption =
        "Each point is a run, in the order in which they were added. Lines are the medians between two "
        "changes of the level; a band is the 95 % interval of the change against the segment before.";
}

const chart_def chart_trend = {.id = "trend", .scope = CHART_SERIES, .draw = draw};
