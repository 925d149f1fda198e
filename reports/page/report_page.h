/* reports/page/report_page.h - the page of a report, in one piece of HTML: what it is made of, and its sections.
 *
 * Ownership: a page borrows everything; what its sections need on the way is of its arena.
 * A failed allocation is remembered in the text that a section writes to.
 */
#ifndef ROOF_REPORTS_REPORT_PAGE_H
#define ROOF_REPORTS_REPORT_PAGE_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/text.h"
#include "roofline/report.h"

/* A model of the report: one that was measured, or one that was only predicted. */
typedef struct roof_page_model {
    const char *name; /* of the model; with the hardware where one name stands for several models */
    const roof_reconciled *experiment; /* NULL: not measured */
    const roof_prediction *prediction; /* NULL: measured, and nobody knows the model */
    const char *rows_file;             /* which file of the folder has all rows of its table */
} roof_page_model;

/* A chart that was drawn, or that would have been. */
typedef struct roof_page_figure {
    const char *stem; /* of its files, good for an attribute as it is */
    const char *title, *caption;
    uint32_t model;         /* it is about; ROOF_NONE: all of them */
    const char *wide_svg;   /* as gnuplot wrote it; NULL: gnuplot did not draw it */
    const char *narrow_svg; /* for small screens; NULL: there is only the wide one */
    size_t wide_bytes, narrow_bytes;
} roof_page_figure;

/* A file that the report was made from, or one that lies beside the page. */
typedef struct roof_page_file {
    const char *name;
    const char *what;    /* what it holds, for people; NULL for inputs */
    const char *sha256;  /* of inputs */
    uint64_t size_bytes; /* of inputs */
} roof_page_file;

typedef struct roof_page {
    const roof_report_input *input;
    roof_arena *arena;
    const roof_page_model *models;
    const roof_page_figure *figures;
    const roof_page_file *inputs, *files;
    uint32_t n_models, n_figures, n_inputs, n_files;
} roof_page;

/* The whole page. Errors: E_NO_MEMORY. */
roof_status roof_page_put(const roof_page *page, roof_text *out, roof_error *err);

/* --- sections, in their order; one with nothing to say writes nothing ------------------------------------ */

void roof_page_put_verdict(const roof_page *page, roof_text *out);
void roof_page_put_key_figures(const roof_page *page, roof_text *out);
void roof_page_put_study(const roof_page *page, roof_text *out); /* models, fits, where the time goes */
void roof_page_put_model(const roof_page *page, uint32_t model, roof_text *out);
void roof_page_put_epochs(const roof_page *page, uint32_t model,
                          roof_text *out); /* within that of the model */
void roof_page_put_calibration(const roof_page *page, roof_text *out);
void roof_page_put_findings(const roof_page *page, roof_text *out);
void roof_page_put_method(const roof_page *page, roof_text *out);
void roof_page_put_constants(const roof_page *page, roof_text *out);
void roof_page_put_provenance(const roof_page *page, roof_text *out);

/* --- what sections share ------------------------------------------------------------------------------- */

/* "3 models": the title of the document, without markup. */
const char *roof_page_title(const roof_page *page, roof_text *out);

/* Rows of a table that a browser sorts without a pause. */
enum { ROOF_PAGE_MOST_ROWS = 20000 };

/* A line of a list of facts, <dt> and <dd>; nothing for a text that is NULL or "". */
void roof_page_put_remark(roof_text *out, const char *label, const char *text);

/* The figures about a model; ROOF_NONE: those about all of them. */
void roof_page_put_figures(const roof_page *page, uint32_t model, roof_text *out);

/* <h2 id=...> and the start of a section; what is not escaped is ours. */
void roof_page_begin_section(const char *id, const char *title, roof_text *out);
void roof_page_end_section(roof_text *out);

/* The prediction of the i-th model if no earlier model has the same hardware with the same constants; else NULL. */
const roof_prediction *roof_page_new_hardware(const roof_page *page, uint32_t i);

bool roof_page_has_study(const roof_page *page);
bool roof_page_has_findings(const roof_page *page);

#endif
