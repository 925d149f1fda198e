/* Runs of months in their order: each of them, the medians between two changes, and where the level
 * changed. */
#include "reports/charts/chart.h"
#include "reports/tables/views.h"

#include <ctype.h>

enum { RADIUS_PX = 3, MOST_NAMED = 8 };

static void draw(const chart_source *s, chart_figure *f)
{
    const roof_history_series *of = s->series;
    chart_plane plane = {.f = f};
    axis_extent values = EXTENT_EMPTY;
    if (!of || !of->n_points)
        return;
    for (uint32_t i = 0; i < of->n_points; i++)
        chart_extent_take(&values, of->points[i].value);
    const char *unit = of->metric->unit, *words = of->metric->words;
    const chart_scale scale = strcmp(unit, "s") == 0 ? chart_scale_of(values.high) : (chart_scale){1, unit};
    const plot_area page =
        chart_page(f, history_series_says(of, f->arena),
                   figure_printf(f, "%u runs; lines: medians; bands: changes, 95 %%", of->n_points), NULL, 0,
                   "roofline " ROOF_VERSION);
    /* "Row conv1, median [ms]", "Median of an inference [ms]" */
    const char *title =
        of->row ? figure_printf(f, "Row %s, %.*s [%s]", of->row, (int)strcspn(words, " "), words, scale.unit)
                : figure_printf(f, "%c%s [%s]", toupper((unsigned char)words[0]), words + 1, scale.unit);
    /* Not from 0: a change of a few per cent is what is looked for. */
    const double low = scale.factor * values.low, high = scale.factor * values.high,
                 room = high > low ? 0.08 * (high - low) : 0.05 * high;
    chart_plane_open(&plane, &page, 10, (chart_axis){.max = of->n_points + 1.0, .numbers = AXIS_COUNTS},
                     (chart_axis){.min = fmax(low - room, 0), .max = high + 2 * room}, title,
                     "Runs in the order in which they were added");
    figure_block(f, "levels", "from\tto\tmedian, scaled\tlow: of the change, 95 %\thigh");
    for (uint32_t i = 0; i < of->n_segments; i++) {
        const roof_history_segment *g = &of->segments[i];
        const double before = i ? scale.factor * of->segments[i - 1].median : NAN;
        FIGURE_ROW(f, g->first + 0.5, g->first + g->n + 0.5, scale.factor * g->median,
                   before * g->ratio_ci95[0], before * g->ratio_ci95[1]);
    }
    figure_block(f, "runs", "order\tvalue, scaled\trun");
    for (uint32_t i = 0; i < of->n_points; i++) {
        const double value = scale.factor * of->points[i].value;
        FIGURE_ROW(f, i + 1, value, (double)of->points[i].run);
        chart_plane_avoid_point(&plane, i + 1, value, RADIUS_PX);
    }
    /* "3.1 % slower (2.4 to 3.8), commit 3f2a91c", at the first run of each change */
    for (uint32_t i = 1; i < of->n_segments && i <= MOST_NAMED; i++) {
        const roof_history_segment *g = &of->segments[of->n_segments - i];
        const char *commit = of->points[g->first].commit, *change = history_change(of, g, f->arena);
        chart_plane_name_point(&plane, commit ? figure_printf(f, "%s, %.12s", change, commit) : change,
                               g->first + 1, scale.factor * g->median, RADIUS_PX + 2, false);
    }
    f->caption =
        "Each point is a run, in the order in which they were added. Lines are the medians between two "
        "changes of the level; a band is the 95 % interval of the change against the segment before.";
}

const chart_def chart_trend = {.id = "trend", .scope = CHART_SERIES, .draw = draw};
