/* reports/words/cause_lines.h - what costs time, as lines beside a table.
 *
 * Ownership: texts belong to the arena of the lines.
 */
#ifndef ROOF_REPORTS_WORDS_CAUSE_LINES_H
#define ROOF_REPORTS_WORDS_CAUSE_LINES_H

#include "reports/words/cause_words.h"
#include "core/table/writer.h"
#include "reports/words/say.h"

/* The causes of one prediction, or of one experiment. */
typedef struct cause_source {
    const roof_cause *causes;
    uint32_t n;
    const char *model; /* "": there is only one */
    cause_names names;
} cause_source;

/* Adds the first `most` causes of all sources, the first to look at first, and how many are left out; 0: all,
 * each with what to do. */
void cause_lines_add(const cause_source *sources, uint32_t n, uint32_t most, remarks *lines);

#endif
