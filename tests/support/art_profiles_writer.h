/* tests/support/art_profiles_writer.h - what ST's profilers and validation leave of ci_tiny, each added to a
 * text. Cycles are those of its plan with a tenth on top, and what the phases around them cost.
 */
#ifndef ROOF_TESTS_SUPPORT_ART_PROFILES_WRITER_H
#define ROOF_TESTS_SUPPORT_ART_PROFILES_WRITER_H

#include "core/text.h"

void apw_log(textbuf *text);      /* npu_profiler.py */
void apw_report(textbuf *text);   /* stedgeai validate --mode target */
void apw_val_json(textbuf *text); /* the same, --val-json */
void apw_counters(textbuf *text); /* raw counters of five inferences, s:node:... */

#endif
