/* reports/charts/figure.h - a picture before it is drawn: data in named blocks, variables, and texts whose
 * place is known.
 *
 * Units: _px pixels of the canvas, from its left upper corner, y downwards; texts have their vertical middle
 *   at y. Degrees count against the clock, as in gnuplot. Colours are 0xRRGGBB of palette.h.
 * Shapes: a figure becomes two files. NAME.dat has blocks, each begun by a line "# name", of rows with
 *   columns between tabs; NAME.gp has the variables and the chart's script from reports/charts/ (which reads
 *   the blocks by name) and can be run, restyled and run again. All texts from files are in the .dat, as data
 *   that gnuplot does not evaluate.
 * Ownership: a figure owns everything in it; what is passed is copied. A failed allocation is remembered, and
 *   figure_finish tells.
 *
 * Every text is placed here, so that none can lie on another: figure_fits says whether a place is free, and
 * the boxes are estimated with the widest of the usual fonts.
 */
#pragma once

#include "reports/charts/palette.h"
#include "reports/words/say.h"

/* --- rectangles, upright or turned -------------------------------------------------------------------- */

/* A part of the canvas: where data is drawn, which gnuplot's margins enclose, or where a legend stands. */
typedef struct plot_area {
    double left_px, right_px, top_px, bottom_px;
} plot_area;

/* A rectangle, possibly turned: its middle, half its sides, and by how much it is turned. */
typedef struct px_box {
    double x_px, y_px, half_width_px, half_height_px, degrees;
} px_box;

typedef struct px_point {
    double x, y;
} px_point;

/* A step of one pixel in a direction. The screen's y points down, angles are counted as if it pointed up. */
px_point figure_px_along(double degrees);

/* Also when less than a pixel is between them. */
bool figure_boxes_overlap(const px_box *a, const px_box *b);

/* --- figures ------------------------------------------------------------------------------------------ */

typedef struct chart_canvas {
    double width_px, height_px;
} chart_canvas;

typedef enum label_anchor { ANCHOR_LEFT, ANCHOR_CENTRE, ANCHOR_RIGHT, ANCHORS } label_anchor;

/* Sizes and weights: figure.c has them in a table, reports/charts/texts.gp draws them. */
typedef enum letter_kind { LETTER_TITLE, LETTER_TEXT, LETTER_SMALL, LETTER_BOLD, LETTERS } letter_kind;

typedef struct figure_text_label {
    double x_px, y_px, degrees;
    label_anchor anchor;
    letter_kind letter;
    uint32_t colour;
    const char *text;
} figure_text_label;

/* Filled marks, by their numbers in gnuplot. reports/charts/begin.gp makes them equal in area. */
enum { SYMBOL_SQUARE = 5, SYMBOL_DISC = 7, SYMBOL_TRIANGLE = 9, SYMBOL_DIAMOND = 13 };

/* Ornaments are drawn besides the data, in pixels: reports/charts/texts.gp draws each kind's block. */
typedef enum ornament_kind {
    DISCS,    /* x, y, radius, colour, symbol; 0 is a disc */
    RINGS,    /* likewise */
    SWATCHES, /* x, y, left, right, top, bottom, colour */
    RULES,    /* thin lines: x, y, how wide, how high, colour */
    ORNAMENTS
} ornament_kind;

typedef struct figure_ornament {
    ornament_kind kind;
    double values[7];
} figure_ornament;

/* A mark that stands for a row of a table. A page lays a link with these words over it. */
typedef struct figure_spot {
    px_box box; /* as large as the mark, upright */
    bool is_round;
    bool is_estimated;        /* the mark is hollow */
    uint32_t row;             /* number of the layer, as in the tables */
    double roof_y_px;         /* where the layer's own ceiling is, straight above or below; NaN: not shown */
    const char *bound, *kind; /* bottleneck of the layer, a class of the page; its type; "": unknown */
    const char *text;         /* what a reader wants to know of it, with "; " between the facts */
} figure_spot;

typedef struct chart_figure {
    roof_arena *arena;
    chart_canvas canvas;
    bool is_wide;       /* as it was begun: what has no room beside the data goes below it otherwise */
    const char *script; /* reports/charts/<script>.gp */
    const char *title; /* the verdict in a sentence; also what a page without eyes reads; NULL: no head yet */
    const char *caption; /* what is to be seen and how to read it */
    textbuf variables, data;
    figure_text_label *labels;
    px_box *boxes; /* of the labels, and what else must stay free */
    px_box *marks; /* what labels at points better keep off */
    figure_ornament *ornaments;
    figure_spot *spots; /* in the order in which the script draws their marks */
    size_t n_labels, n_boxes, n_marks, n_ornaments, n_spots;
    unsigned block_columns, block_rows; /* of the block that was begun last */
} chart_figure;

roof_status figure_begin(chart_figure *f, const char *script, chart_canvas canvas, roof_error *err);
void figure_free(chart_figure *f);

/* Adds the texts to the data. Afterwards the figure is only read. Errors: E_NO_MEMORY. */
roof_status figure_finish(chart_figure *f, roof_error *err);

/* --- head and foot ------------------------------------------------------------------------------------ */

/* Writes title (wrapped to at most four lines) and subtitle (three) on top, and returns where they end. */
double figure_head(chart_figure *f, const char *title, const char *subtitle);

/* One small line at the bottom: where the picture comes from. Returns where it begins. */
double figure_foot(chart_figure *f, const char *provenance);

/* --- variables and data ------------------------------------------------------------------------------- */

/* "name = value"; what is not finite is NaN, which scripts ask for. */
void figure_set(chart_figure *f, const char *name, double value);

/* PREFIX_left, _right, _top, _bottom as parts of the canvas, as gnuplot's margins want them. */
void figure_set_area(chart_figure *f, const char *prefix, const plot_area *area);

/* The canvas gets another height, such as what the rows of a chart need. */
void figure_set_height(chart_figure *f, double height_px);

/* Begins a block. columns: what they are, for people, separated by tabs. A block without a row gets one of
 * "?", since gnuplot stops at a block that is not there. */
void figure_block(chart_figure *f, const char *name, const char *columns);
void figure_numbers(chart_figure *f, const double *values, size_t n);
void figure_text(chart_figure *f, const char *text);
void figure_end_row(chart_figure *f);
/* An empty line: a curve ends, another one begins. */
void figure_gap(chart_figure *f);

/* Fields of the row, and the same at its end. */
#define FIGURE_NUMBERS(f, ...)                                                                               \
    figure_numbers((f), (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))
#define FIGURE_ROW(f, ...) (FIGURE_NUMBERS(f, __VA_ARGS__), figure_end_row(f))

/* --- texts -------------------------------------------------------------------------------------------- */

/* A text of the figure's arena, for titles, labels, names; "" without memory: figure_finish tells. */
const char *figure_printf(chart_figure *f, const char *format, ...) ROOF_PRINTF(2, 3);

/* Width that a text needs at most in any usual font. */
double figure_text_width_px(const char *text, letter_kind letter);
double figure_text_bytes_px(const char *text, size_t bytes, letter_kind letter); /* of its first bytes */
double figure_text_height_px(letter_kind letter);

/* The text shortened in the middle so that it needs at most width_px; of the figure's arena. */
const char *figure_shorten(chart_figure *f, const char *text, letter_kind letter, double width_px);

/* Writes a text, without asking whether its place is free, and keeps the place from then on. */
void figure_label(chart_figure *f, const figure_text_label *label);
void figure_put(chart_figure *f, double x_px, double y_px, label_anchor anchor, letter_kind letter,
                uint32_t colour, const char *text);

px_box figure_label_box(const figure_text_label *label);
/* Keeps a place free of labels that are placed later. */
void figure_keep_free(chart_figure *f, px_box box);
/* Keeps a place free of labels that are tried off the marks. */
void figure_avoid(chart_figure *f, px_box box);
/* True when the box lies within area (NULL: the canvas) and on nothing placed or kept free before. */
bool figure_fits(const chart_figure *f, const px_box *box, const plot_area *area);
/* Writes a label where it stands, if it fits there; off_marks: and lies on nothing that is to be avoided. */
bool figure_try_label(chart_figure *f, const figure_text_label *label, const plot_area *area, bool off_marks);

/* Marks of legends, lines from labels to points. */
void figure_add(chart_figure *f, figure_ornament ornament);
/* A filled rectangle, half_px up and down from y_px. */
void figure_swatch(chart_figure *f, double left_px, double right_px, double y_px, double half_px,
                   uint32_t colour);
/* Lines at 45 degrees within a box, for what is unknown; patterns of fills look different with every
 * terminal of gnuplot. */
void figure_hatch(chart_figure *f, double left_px, double right_px, double top_px, double bottom_px);

/* Texts are copied. */
void figure_add_spot(chart_figure *f, figure_spot spot);

/* ---- chart_key.c: what the marks of a chart mean, in lines above it or below ---- */

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
