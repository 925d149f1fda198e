/* tests/support/art_profiles_writer.h - what ST's profilers and validation leave of ci_tiny, each added to a text. Cycles are those
 * of its plan with a tenth on top, and what the phases around them cost.
 */
#ifndef ROOF_TESTS_SUPPORT_ART_PROFILES_WRITER_H
#define ROOF_TESTS_SUPPORT_ART_PROFILES_WRITER_H

#include "core/text.h"

void apw_log(roof_text *text);      /* npu_profiler.py */
void apw_report(roof_text *text);   /* stedgeai validate --mode target */
void apw_val_json(roof_text *text); /* the same, --val-json */
void apw_counters(roof_text *text); /* raw counters of five inferences, s:node:... */

#endif
