/* reports/figure.h - a picture before it is drawn: data in named blocks, variables, and texts whose place is known.
 *
 * Units: _px pixels of the canvas, from its left upper corner, y downwards; texts have their vertical middle at y.
 *   Degrees count against the clock, as in gnuplot. Colours are 0xRRGGBB of reports/palette.h.
 * Shapes: a figure becomes two files. NAME.dat has blocks, each begun by a line "# name", of rows with columns between
 *   tabs; NAME.gp has the variables and the chart's script from reports/charts/ (which reads the blocks by name) and can
 *   be run, restyled and run again. All texts from files are in the .dat, as data that gnuplot does not evaluate.
 * Ownership: a figure owns everything in it; what is passed is copied. A failed allocation is remembered, and
 *   roof_figure_finish tells.
 *
 * Every text but the numbers at the axes is placed here, so that none can lie on another: roof_figure_fits says whether
 * a place is free, and the boxes are estimated with the widest of the usual fonts.
 */
#ifndef ROOF_REPORTS_FIGURE_H
#define ROOF_REPORTS_FIGURE_H

#include "core/arena.h"
#include "core/text.h"

typedef struct roof_canvas {
    double width_px, height_px;
} roof_canvas;

/* Where data is drawn: what gnuplot's margins enclose. */
typedef struct roof_plot_area {
    double left_px, right_px, top_px, bottom_px;
} roof_plot_area;

typedef enum roof_anchor {
    ROOF_ANCHOR_LEFT,
    ROOF_ANCHOR_CENTRE,
    ROOF_ANCHOR_RIGHT,
    ROOF_ANCHORS
} roof_anchor;
typedef enum roof_letter { /* sizes and weights; figure.c has them in a table, reports/charts/texts.gp draws them */
                           ROOF_LETTER_TITLE,
                           ROOF_LETTER_TEXT,
                           ROOF_LETTER_SMALL,
                           ROOF_LETTER_BOLD,
                           ROOF_LETTERS
} roof_letter;

typedef struct roof_label {
    double x_px, y_px, degrees;
    roof_anchor anchor;
    roof_letter letter;
    uint32_t colour;
    const char *text;
} roof_label;

/* A rectangle, possibly turned: its middle, half its sides, and by how much it is turned. */
typedef struct roof_box {
    double x_px, y_px, half_width_px, half_height_px, degrees;
} roof_box;

/* What is drawn besides the data, in pixels: each kind is a block that reports/charts/texts.gp draws. */
typedef enum roof_ornament_kind {
    ROOF_DISCS,
    ROOF_RINGS,
    ROOF_SWATCHES,
    ROOF_RULES,
    ROOF_ORNAMENTS
} roof_ornament_kind;
typedef struct roof_ornament {
    roof_ornament_kind kind;
    double values[7];
} roof_ornament;

typedef struct roof_figure {
    roof_arena *arena;
    roof_canvas canvas;
    const char *chart;   /* id: its script is reports/charts/<chart>.gp */
    const char *title;   /* the verdict in a sentence; also what a page without eyes reads */
    const char *caption; /* what is to be seen and how to read it */
    roof_text variables, data;
    roof_label *labels;
    roof_box *boxes; /* of the labels, and what else must stay free */
    roof_box *marks; /* what labels at points better keep off */
    roof_ornament *ornaments;
    size_t n_labels, n_boxes, n_marks, n_ornaments;
    unsigned block_columns, block_rows; /* of the block that was begun last */
    bool failed;
} roof_figure;

roof_status roof_figure_begin(roof_figure *f, const char *chart, roof_canvas canvas, roof_error *err);
void roof_figure_free(roof_figure *f);

/* Adds the texts to the data. Afterwards the figure is only read. Errors: E_NO_MEMORY. */
roof_status roof_figure_finish(roof_figure *f, roof_error *err);

/* --- head and foot --------------------------------------------------------------------------------------- */

/* Writes title (wrapped to at most three lines) and subtitle (two) on top, and returns where they end. */
double roof_figure_head(roof_figure *f, const char *title, const char *subtitle);

/* One small line at the bottom: where the picture comes from. Returns where it begins. */
double roof_figure_foot(roof_figure *f, const char *provenance);

void roof_figure_caption(roof_figure *f, const char *format, ...) ROOF_PRINTF(2, 3);

/* A text of the figure's arena, for titles, labels and names; "" without memory, which roof_figure_finish tells. */
const char *roof_figure_printf(roof_figure *f, const char *format, ...) ROOF_PRINTF(2, 3);

/* --- variables and data ---------------------------------------------------------------------------------- */

/* "name = value"; what is not finite is NaN, which scripts ask for. */
void roof_figure_set(roof_figure *f, const char *name, double value);

/* plot_left, plot_right, plot_top, plot_bottom as parts of the canvas, as gnuplot's margins want them; with prefix "plot".
 * Returns nothing: the area stays the caller's. */
void roof_figure_set_area(roof_figure *f, const char *prefix, const roof_plot_area *area);

/* Begins a block. columns: what they are, for people, separated by tabs. A block without a row gets one of "?", since
 * gnuplot stops at a block that is not there. */
void roof_figure_block(roof_figure *f, const char *name, const char *columns);
void roof_figure_number(roof_figure *f, double value);
void roof_figure_text(roof_figure *f, const char *text);
void roof_figure_end_row(roof_figure *f);
/* An empty line: a curve ends, another one begins. */
void roof_figure_gap(roof_figure *f);

/* --- texts ----------------------------------------------------------------------------------------------- */

/* Width that a text needs at most in any usual font. */
double roof_text_width_px(const char *text, roof_letter letter);
double roof_text_height_px(roof_letter letter);

/* The text shortened in the middle so that it needs at most width_px; of the figure's arena. */
const char *roof_figure_shorten(roof_figure *f, const char *text, roof_letter letter, double width_px);

/* Writes a text, without asking whether its place is free, and keeps the place from then on. */
void roof_figure_label(roof_figure *f, const roof_label *label);

roof_box roof_label_box(const roof_label *label);
/* Keeps a place free of labels that are placed later. */
void roof_figure_keep_free(roof_figure *f, roof_box box);
/* Keeps a place free of roof_figure_label_point as long as there is another one near. */
void roof_figure_avoid(roof_figure *f, roof_box box);
bool roof_figure_is_avoided(const roof_figure *f, const roof_box *box);
/* True when the box lies within area (NULL: the canvas) and on nothing that was placed or kept free before. */
bool roof_figure_fits(const roof_figure *f, const roof_box *box, const roof_plot_area *area);
/* Writes a label where it stands, if it fits there; off_marks: and lies on nothing that is to be avoided. */
bool roof_figure_try_label(roof_figure *f, const roof_label *label, const roof_plot_area *area,
                           bool off_marks);
bool roof_boxes_overlap(const roof_box *a, const roof_box *b);

/* A text beside a point: tries places around it, near ones first, and writes it at the first that is free and within
 * area. Returns false when there is none. radius_px: of the mark at the point, which the text keeps off.
 * placed: where it went, or NULL; a place further than a text's height away deserves a line to the point. */
bool roof_figure_label_point(roof_figure *f, const roof_label *label, double radius_px,
                             const roof_plot_area *area, roof_label *placed);

/* --- marks of legends, in pixels ---------------------------------------------------------------------------- */

void roof_figure_disc(roof_figure *f, double x_px, double y_px, double radius_px, uint32_t colour);
void roof_figure_ring(roof_figure *f, double x_px, double y_px, double radius_px, uint32_t colour);
/* A filled rectangle around a middle. */
void roof_figure_swatch(roof_figure *f, roof_box box, uint32_t colour);
/* A thin line, such as from a label to its point. */
void roof_figure_rule(roof_figure *f, double x_px, double y_px, double to_x_px, double to_y_px,
                      uint32_t colour);

/* --- axes ------------------------------------------------------------------------------------------------ */

/* From data to pixels, linear or logarithmic to base 10. */
typedef struct roof_axis {
    double min, max;
    bool is_log;
    double from_px, to_px; /* where min and max lie */
} roof_axis;

double roof_axis_px(const roof_axis *axis, double value);

/* A step of 1, 2 or 5 times a power of ten that cuts a range into at most n parts. */
double roof_nice_step(double range, unsigned n);

#endif
