/* reports/charts/chart_bars.h - pages of horizontal bars: a key on top, rows with a name at the left, an axis
 * of values below, a text at the end of each bar. A chart adds its words, its rows and, for other marks than
 * bars, its blocks.
 *
 * Units: _px pixels, _s seconds; values on the axis are in the axis' own unit. Shapes: the canvas becomes as
 *   high as the rows need. Every row has two places from 1 on, that of the chart and that in order of
 *   execution; its texts are data, so that a script with in_order = 1 draws all of it in the other order. No
 *   text can lie on another in either: each row has its strip of the canvas, and names and values have
 *   columns of their own.
 * Ownership: all is of the figure's arena or borrowed for the call. A failed allocation is left to
 *   figure_finish.
 */
#pragma once

#include "reports/charts/chart.h"
#include "reports/charts/chart_axes.h"

/* --- pages -------------------------------------------------------------------------------------------- */

/* From left to right: the ideal by its bottleneck, lost time, CPU time, profiling overhead. */
typedef enum bar_part {
    BAR_IDEAL, /* + an engine_kind; that of ENGINE_KIND_OTHER also takes time of which no ideal is known */
    BAR_GAP = BAR_IDEAL + ENGINE_KINDS,
    BAR_HOST,
    BAR_OVERHEAD,
    BAR_PARTS
} bar_part;

/* A row of the page: its texts, where it stands, and of a bar of time what it is made of. */
typedef struct chart_bar {
    const char *number, *name, *value; /* number and value may be "" */
    uint32_t order;                    /* of execution, in any numbers; ROOF_NONE: behind all others */
    double end;                        /* on the axis: what is drawn ends there, and value begins */
    const char *more;                  /* of a bar of time from here on: behind value and share, or "" */
    double parts_s[BAR_PARTS];         /* none is negative; they sum up to time_s */
    double time_s, share_ratio;
    double mark_s;        /* a thin line across the bar; NaN: none */
    const chart_row *row; /* of the layer; NULL: of none, or of several */
    uint32_t n_layers;    /* that it stands for */
    bool is_others;       /* is not drawn where it would be much longer than all others */
    bool is_estimated;    /* nobody measured it, or a part of it */
} chart_bar;

/* The unit in which the longest bar has four digits. */
typedef struct time_format {
    chart_scale scale;
    int decimals;
} time_format;

enum { PAGE_KEYS = 20 };

typedef struct bar_page {
    const chart_source *source;
    chart_figure *f;
    chart_rows layers;
    const char *title, *axis_title;
    chart_bar *bars;       /* from top to bottom; there is room for one of each layer */
    uint32_t n_bars, most; /* that the canvas has room for, that of what has none of its own included */
    double low, high;      /* of all that is drawn; low is 0 for bars */
    double line;           /* a value at which the chart draws a line, off which texts keep; 0: none */
    chart_key keys[PAGE_KEYS];
    uint32_t n_keys;
    double longest_s; /* of time, and how it is written at the axis: set by bars_draw */
    time_format format;
    plot_area plot; /* from here on: set by bars_lay_out */
    chart_axis x;
    double pitch_px; /* of rows */
} bar_page;

/* Entries for which there is no room are left out. */
void bars_key(bar_page *page, key_mark mark, uint32_t colour, const char *words);
/* "3 layers without a time"; nothing where there is none. */
void bars_key_count(bar_page *page, uint32_t n, const char *noun, const char *words);

/* Begins a page with the rows of a chart of times; where no layer was timed, those of the prediction. */
void bars_begin(bar_page *page, const chart_source *source, chart_figure *f);

/* Sentences of a caption on what a bar of time is made of. */
const char *bars_made_of(const bar_page *page);

/* Places head, key, names, values, axis and foot, sets the script's variables, writes block "names". */
void bars_lay_out(bar_page *page);

/* Begins a block whose first two columns are a row's places; begins a row of it; a whole row of it. */
void bars_block(const bar_page *page, const char *name, const char *columns);
void bars_put_places(const bar_page *page, uint32_t row);
#define BARS_ROW(page, row, ...) (bars_put_places((page), (row)), FIGURE_ROW((page)->f, __VA_ARGS__))

/* A bar without length; one with number, name and place of a row. Number "": several layers, or none. */
chart_bar bar_empty(const char *name);
chart_bar bar_of(const bar_page *page, const chart_row *row);

/* "MobileNetV1 on KV260", shortened to leave room for a sentence. */
const char *bars_subject(const bar_page *page);
/* " (0.3 % of 16 ms)": how much of the time is listed; "": all of it is, or that is unknown. */
const char *bars_part_words(const bar_page *page);
/* A name within such a sentence. */
const char *bars_shorten(chart_figure *f, const char *name);

/* --- bars of time --------------------------------------------------------------------------------------- */

/* Adds the time of a row: parts that contradict the measured time are cut to it. */
void bar_add(chart_bar *bar, const chart_row *row);
/* All bars from first on become one of this name. */
void bars_join(bar_page *page, uint32_t first, const char *name);

/* Adds the keys of the bars and of what they leave out, lays the page out and writes the blocks "bars" and
 * "marks". The scale is that of the longest bar; of others that are much longer there are words in place of a
 * bar, since every bar is true to the axis. */
void bars_draw(bar_page *page);
