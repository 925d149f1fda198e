/* reports/charts/chart_key.h - what the marks of a chart mean, in lines above it.
 *
 * Units: _px pixels. Ownership: of the figure's arena.
 */
#ifndef ROOF_REPORTS_CHARTS_CHART_KEY_H
#define ROOF_REPORTS_CHARTS_CHART_KEY_H

#include "reports/charts/figure.h"

typedef enum mark_kind { MARK_LINE, MARK_DASHES, MARK_AREA, MARK_DISC } mark_kind;

/* An area has a line of edge on top. */
typedef struct mark_key {
    mark_kind kind;
    uint32_t colour, edge;
    const char *words; /* NULL: left out */
} mark_key;

/* Writes them from left to right below top_px, in as many lines as they need. Returns where they end. */
double chart_key_put(chart_figure *f, double top_px, const mark_key *keys, size_t n);

#endif
