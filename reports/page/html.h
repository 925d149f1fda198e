/* reports/page/html.h - texts from anywhere as HTML.
 *
 * What comes from a file is never markup: & < > " ' become character references; what cannot be shown as
 * it is, and what an HTML document may not hold, is shown as core/utf8.h says.
 */
#ifndef ROOF_REPORTS_HTML_H
#define ROOF_REPORTS_HTML_H

#include "core/text.h"

/* Text between tags, or within the double quotes of an attribute. */
void html_text(textbuf *out, const char *text);

/* A name in <code>, whole; breaks: lines may end behind its '/' and '_'. The first prefix bytes, which all names of a table
 * share, are set back. */
void html_name(textbuf *out, const char *name, size_t prefix, bool breaks);

/* A printf of %s, which is escaped and may be NULL for "", of %u and of %%. The format is markup. */
void html_printf(textbuf *out, const char *format, ...) ROOF_PRINTF(2, 3);

/* "1.614 ms" with its unit in small; for texts of quantity_format and the like. */
void html_quantity(textbuf *out, const char *quantity);

#endif
