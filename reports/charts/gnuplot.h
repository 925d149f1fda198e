/* reports/charts/gnuplot.h - drawing figures with gnuplot, an external program, and doing without it.
 *
 * Ownership: paths and figures are borrowed. gnuplot is started without a shell, in the folder of its script,
 * which names its files from there; so the script can be run again by hand: cd FOLDER && gnuplot NAME.gp.
 */
#pragma once

#include "core/files/outputs.h"
#include "reports/charts/figure.h"
#include "roofline/draw.h"

typedef enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF, PICTURE_FORMATS } picture_format;

/* By the ending of a name; PICTURE_FORMATS for another one. */
picture_format gnuplot_format_of(const char *name);

/* A picture to be drawn, and the script that draws it. */
typedef struct drawn_picture {
    outputs_folder *folder;
    const char *stem;
    picture_format format;
    const char *title;   /* of an SVG, in place of "Gnuplot": a browser's tab shows it; NULL: none */
    const char *caption; /* of an SVG with a title, in place of gnuplot's description: what is to be seen */
    bool stays;          /* false: it is only needed on the way */
    const char *file;    /* "STEM.svg": gnuplot_save_figure sets it */
    const char *svg; /* what gnuplot_run made, of the folder's set; NULL: it was not drawn, or is no SVG */
} drawn_picture;

/* Writes STEM.gp and STEM.dat; the script makes STEM.svg (.png, .pdf). Errors: E_IO, E_NO_MEMORY. */
roof_status gnuplot_save_figure(const chart_figure *f, drawn_picture *picture, roof_error *err);

/* The longest that gnuplot may be at one picture. Pictures of examples/ take less than a second. */
enum { GNUPLOT_MOST_MS = 20000 };

/* Runs the scripts of pictures of one folder and one format, several at a time, checks that each made its
 * picture, and gives those that were made their titles. It tells the watch when another picture is waited
 * for, and each second. why has E_DEVICE when gnuplot is not there, older than 5.2, does not draw, or is at a
 * picture for longer than most_ms; it says how to draw by hand, as all .gp and .dat are there. Else it has
 * ROOF_OK.
 * Errors: E_IO, E_NO_MEMORY. */
roof_status gnuplot_run(drawn_picture *pictures, size_t n, int most_ms, const roof_draw_watch *watch,
                        roof_error *why, roof_error *err);
