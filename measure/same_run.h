/* measure/same_run.h - whether two runs are one measurement that was given twice. */
#ifndef ROOF_MEASURE_SAME_RUN_H
#define ROOF_MEASURE_SAME_RUN_H

#include "roofline/measured.h"

enum { CONTENT_BYTES = 16 };

/* A hash over all that was measured in a run: samples, or what was kept of them, rows, counters; not over where it
 * stands or what its file is called. Time follows the samples. */
void run_content(const roof_run *run, unsigned char content[CONTENT_BYTES]);

#endif
