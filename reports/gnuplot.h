/* reports/gnuplot.h - drawing figures with gnuplot, an external program, and doing without it.
 *
 * Ownership: paths and figures are borrowed. gnuplot is started without a shell, in the folder of its script, which names
 * its files from there; so the script can be run again by hand: cd FOLDER && gnuplot NAME.gp.
 */
#ifndef ROOF_REPORTS_GNUPLOT_H
#define ROOF_REPORTS_GNUPLOT_H

#include "reports/figure.h"

typedef enum roof_picture_format {
    ROOF_PICTURE_SVG,
    ROOF_PICTURE_PNG,
    ROOF_PICTURE_PDF,
    ROOF_PICTURE_FORMATS
} roof_picture_format;

/* "svg" */
const char *roof_picture_extension(roof_picture_format format);

/* Writes FOLDER/STEM.gp and FOLDER/STEM.dat; the script, when run, makes FOLDER/STEM.svg (.png, .pdf).
 * Errors: E_IO, E_NO_MEMORY, E_USAGE for a stem with a control character or a '/'. */
roof_status roof_figure_save(const roof_figure *f, const char *folder, const char *stem,
                             roof_picture_format format, roof_error *err);

/* Runs the scripts FOLDER/STEM.gp of all stems, several at a time, and checks that each made its picture.
 * shown_folder: where the files will be found afterwards, for the message.
 * Errors: E_DEVICE when gnuplot is not there, older than 5.2 or does not draw: the message says how to draw by
 * hand, and all .gp and .dat are there. */
roof_status roof_gnuplot_run(const char *folder, const char *const *stems, size_t n,
                             roof_picture_format format, const char *shown_folder, roof_error *err);

/* Gives the picture FOLDER/STEM.svg a title, which is what a browser's tab shows and a screen reader says: gnuplot calls all
 * of them "Gnuplot". Errors: E_IO, E_NO_MEMORY. */
roof_status roof_picture_entitle(const char *folder, const char *stem, const char *title, roof_error *err);

#endif
