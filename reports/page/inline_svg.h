/* reports/page/inline_svg.h - a picture of gnuplot as a part of an HTML page.
 *
 * Units: bytes. Ownership: everything is borrowed for the call.
 *
 * What gnuplot wrote comes from outside, so this reads it tag by tag, in one pass, and writes only what it knows: the
 * elements that draw, and attributes that neither run nor fetch anything. Colours become
 * var(--cRRGGBB,#RRGGBB), which the page's style can turn for a dark screen. Names are made unique by a prefix. The size is
 * the page's. Titles of the plots, which would be tooltips with gnuplot's names, are left out.
 */
#ifndef ROOF_REPORTS_INLINE_SVG_H
#define ROOF_REPORTS_INLINE_SVG_H

#include "core/text.h"

typedef struct svg_words {
    const char *prefix;      /* of all ids: letters, digits, '-' */
    const char *title;       /* what the picture says, for those who do not see it */
    const char *description; /* how to read it */
} svg_words;

/* Appends <svg ...>...</svg>; nothing when it fails.
 * Errors: E_DATA for what is not a picture that gnuplot draws, with the byte: cut or unbalanced tags, elements that are not
 *   known (script, foreignObject, image), attributes on...=, references to anything but the picture itself;
 *   E_LIMIT for tags nested deeper than 64; E_NO_MEMORY. */
roof_status svg_inline(const char *svg, size_t length, const svg_words *words, textbuf *out, roof_error *err);

#endif
