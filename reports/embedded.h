/* reports/embedded.h - texts of the source tree that the program carries with it: gnuplot scripts, the
 * report's style and script. The build embeds reports/charts/ *.gp and reports/page/ *.css, *.js. */
#pragma once

#include <stddef.h>

typedef struct embedded_file {
    const char *name; /* of the file, "roofline.gp"; NULL ends the table */
    const char *text; /* NUL-terminated */
    size_t length;
} embedded_file;

extern const embedded_file embedded_texts[];

/* The text of a file. There is one for every name that the source asks for: a test checks it. */
const char *embedded_text(const char *name);
