/* measure/import/cores.h - runs of several cores of one accelerator that work on one model together. */
#ifndef ROOF_MEASURE_IMPORT_CORES_H
#define ROOF_MEASURE_IMPORT_CORES_H

#include "core/arena.h"
#include "roofline/measured.h"

/* One run out of two that are of different cores: a layer that both ran takes as long as the slower of them,
 * and how busy its units were is that of both. The result borrows from both. NULL without memory. */
roof_run *cores_together(roof_arena *arena, const roof_run *a, const roof_run *b);

/* True if both name rows alike, in one order, as two cores do that run one model. */
bool cores_run_alike(const roof_run *a, const roof_run *b);

#endif
