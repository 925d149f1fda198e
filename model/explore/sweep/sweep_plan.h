/* model/explore/sweep/sweep_plan.h - a plan's text, without the files that it names. */
#ifndef ROOF_MODEL_EXPLORE_SWEEP_SWEEP_PLAN_H
#define ROOF_MODEL_EXPLORE_SWEEP_SWEEP_PLAN_H

#include "roofline/sweep.h"

/* A plan in memory, whose devices are not loaded and which has no identity. name: of its file. Errors: those
 * of roof_sweep_plan_read that are of its text. */
roof_status sweep_plan_parse(const char *text, size_t size, const char *name, roof_sweep_plan **out,
                             roof_error *err);

#endif
