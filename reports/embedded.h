/* reports/embedded.h - texts of the source tree that the program carries with it: gnuplot scripts, the report's style and
 * script. The build embeds reports/charts/ *.gp and reports/page/ *.css, *.js. */
#ifndef ROOF_REPORTS_EMBEDDED_H
#define ROOF_REPORTS_EMBEDDED_H

#include <stddef.h>

typedef struct roof_embedded {
    const char *name; /* of the file, "roofline.gp"; NULL ends the table */
    const char *text; /* NUL-terminated */
    size_t length;
} roof_embedded;

extern const roof_embedded roof_embedded_texts[];

/* The text of a file. There is one for every name that the source asks for: a test checks it. */
const char *roof_embedded_text(const char *name);

#endif
