/* reports/words/html.h - texts from anywhere, tables and pictures as HTML.
 *
 * Text from a file is never markup: & < > " ' become character references; what cannot be shown as
 * it is, and what an HTML document may not hold, is shown as core/utf8.h says.
 */
#pragma once

#include "reports/words/prediction_tables.h"

/* Text between tags, or within the double quotes of an attribute. */
void html_text(textbuf *out, const char *text);

/* A sentence whose commands, "`roofline ...`", are <code>; no line ends within an option. */
void html_sentence(textbuf *out, const char *text);

/* A name in <code>, whole; breaks: lines may end behind its '/' and '_'. The first prefix bytes, which all
 * names of a table share, are set back. */
void html_name(textbuf *out, const char *name, size_t prefix, bool breaks);

/* A printf of %s, which is escaped and may be NULL for "", of %u and of %%. The format is markup. */
void html_printf(textbuf *out, const char *format, ...) ROOF_PRINTF(2, 3);

/* "1.614 ms" with its unit in small; for texts of quantity_format and the like. */
void html_quantity(textbuf *out, const char *quantity);

/* --- a grid as a table, which a script can sort and filter ------------------------------------------- */

/* Names that are links: those in columns of these titles, NULL at the end, to where a function says; NULL:
 * this one is none. */
typedef struct html_links {
    const char *const *columns;
    const char *(*href)(const void *of, const char *name);
    const void *of;
} html_links;

typedef struct html_table {
    const char *id;       /* of the table, good for an attribute as it is */
    uint32_t number;      /* behind the id, where it is not 0 */
    const char *caption;  /* what it shows; for those who do not see the heading above it */
    uint32_t heading;     /* level of a heading above it that says the same; 0: there is none */
    const char *filter;   /* what the box to filter rows by says; NULL: a small table without one */
    name_prefixes prefix; /* what names share, which is set back */
    const char *bar;      /* title of a column whose cells get a bar behind the number; NULL: none */
    const char *bound;    /* title of a column of engines, which get the colours of the charts; NULL: none */
    bool has_anchors;     /* rows are named by the number in their first column: "layers-1-12" */
    html_links links;
    /* By that number, what stands behind the name of its row, a link; NULL: nothing. */
    const char *const *marks;
    uint32_t n_marks;
    const char *mark_href;
} html_table;

/* Every cell is escaped; sums at the end become its foot. Numeric cells that are shown otherwise than as a
 * plain number ("1 285.6", "0.16 ± 0.02", "?") have it in data-value, which is empty for what is unknown.
 * Cell colours become classes. Nothing is written for a grid without rows.
 */
void grid_put_html(const cell_grid *g, const html_table *one, textbuf *out);

/* --- a picture of gnuplot as a part of a page -------------------------------------------------------------
 *
 * gnuplot's picture comes from another program, so this reads it tag by tag, in one pass, and writes only
 * what it knows: the elements that draw, and attributes that neither run nor fetch anything. Colours become
 * var(--cRRGGBB,#RRGGBB), which the page's style can turn for a dark screen. Names are made unique by a
 * prefix. The size is the page's. Titles of the plots, which would be tooltips with gnuplot's names, are left
 * out.
 */

typedef struct svg_words {
    const char *prefix;      /* of all ids: letters, digits, '-' */
    const char *title;       /* what the picture says, for those who do not see it */
    const char *description; /* how to read it */
} svg_words;

/* Appends <svg ...>...</svg>; nothing when it fails.
 * Errors: E_DATA for what is not a picture that gnuplot draws, with the byte: cut or unbalanced tags,
 *   elements that are unknown (script, foreignObject, image), attributes on...=, references to anything but
 *   the picture itself; E_LIMIT for tags nested deeper than 64; E_NO_MEMORY. */
roof_status svg_inline(const char *svg, size_t length, const svg_words *words, textbuf *out, roof_error *err);
