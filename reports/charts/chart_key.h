/* reports/charts/chart_key.h - what the marks of a chart mean, in lines above it or below.
 *
 * Units: _px pixels. Ownership: of the figure's arena.
 */
#ifndef ROOF_REPORTS_CHARTS_CHART_KEY_H
#define ROOF_REPORTS_CHARTS_CHART_KEY_H

#include "reports/charts/figure.h"

/* WORDS have no mark: a heading, or what else is to be known. */
typedef enum key_mark {
    KEY_WORDS,
    KEY_SWATCH,
    KEY_HATCHED, /* swatches with lines on them, so that they are distinguished without colours */
    KEY_BACK,
    KEY_CROSSED,
    KEY_THIN,
    KEY_MARK,
    KEY_RULE,
    KEY_DOT,
    KEY_UNKNOWN, /* lines alone */
    KEY_LINE,    /* from here on wider ones */
    KEY_DASHES,
    KEY_AREA, /* has a line of edge on top */
    KEY_DISC,
    KEY_SCALE /* shades of what is busy */
} key_mark;

typedef struct chart_key {
    key_mark mark;
    uint32_t colour;
    const char *words; /* NULL: left out */
    uint32_t edge;
} chart_key;

/* Writes them from left to right below top_px, in as many lines as they need. Returns where they end. */
double chart_key_put(chart_figure *f, double top_px, const chart_key *keys, size_t n);

#endif
