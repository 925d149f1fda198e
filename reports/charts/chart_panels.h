/* reports/charts/chart_panels.h - panels one below the other over a time that runs from left to right: names
 * at their left, shares at their right, below them the axis of time and a key. A chart adds the content of
 * its panels.
 *
 * Units: _px pixels, _s seconds, data in the unit of scale; upwards a panel has a height of 1, and the lowest
 *   one begins at 0.
 * Ownership: all is of the figure's arena. A failed allocation is left to figure_finish.
 */
#pragma once

#include "reports/charts/chart.h"

/* Neighbours that are drawn as one, since alone each is thinner than a pixel. */
typedef struct panel_column {
    uint32_t first, n;
    double from_s, to_s;
} panel_column;

typedef struct panel_look {
    uint32_t n_values;                /* shares beside each panel */
    double value_px, narrow_value_px; /* of a column of shares, on a wide canvas and on a narrow one */
    double mark_px;                   /* left of a name */
    double low;                       /* where the lowest of all ends; below 0 there is a strip */
    double most_px, below_px; /* of a panel's height; from what stands below all of them to the key's end */
} panel_look;

/* A panel's name, and the shares beside it. */
typedef struct panel_words {
    const char *name, *values[2];
} panel_words;

typedef struct time_panels {
    chart_figure *f;
    const chart_source *source;
    panel_look look;
    panel_words *rows;
    uint32_t n; /* panels */
    double total_s;
    plot_area plot; /* from here on: set by panels_begin, and by panels_place */
    chart_scale scale;
    chart_axis x;
    panel_column *columns;
    uint32_t n_columns;
} time_panels;

/* Gives time its place. least: a word that also has to have room where names are. */
void panels_begin(time_panels *p, const char *title, const char *subtitle, const char *least);
/* n widths in their order, 0 for what is left out. */
void panels_collect(time_panels *p, const double *seconds, uint32_t n);
/* Gives panels their places, writes the key, the axis of time below what is names_px high, and the foot. */
void panels_place(time_panels *p, double names_px, const char *title, const chart_key *keys, size_t n_keys);

double panels_x_px(const time_panels *p, double seconds);
double panels_y_px(const time_panels *p, double height);
/* The sum over what a column is made of. */
double panels_sum(const panel_column *column, const double *values);
double panels_width_px(const time_panels *p, const panel_column *column);
/* The height at which a panel begins; panel 0 is on top. */
double panels_at(const time_panels *p, uint32_t panel);

/* Block "panels" with the base of each, block "levels" with n_levels heights in each up to a full one, the
 * words in the middle of that, and above all of them what the shares are. */
void panels_put_rows(const time_panels *p, const char *const *heads, double full, unsigned n_levels);
/* What stands in a strip, left of it. */
void panels_put_strip_name(const time_panels *p, double y_px, const char *name);
/* Names of columns below them; NULL: none. turned_px: 0, or they are turned, and at most so long. */
void panels_name_columns(const time_panels *p, const char *const *names, double turned_px);
/* Block "parting" with the begin of columns that are wide enough to be parted by a line. */
void panels_put_parting(const time_panels *p);
/* "3 layers without a time are left out"; NULL: none is. */
const char *panels_left_out(chart_figure *f, uint32_t n, const char *what);
