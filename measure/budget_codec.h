/* measure/budget_codec.h - roofline.budget/1 in and out of memory. */
#ifndef ROOF_MEASURE_BUDGET_CODEC_H
#define ROOF_MEASURE_BUDGET_CODEC_H

#include "core/codec.h"
#include "roofline/budget.h"

/* A document in members; a baseline's path is not one. */
extern const codec_object budget_object;

/* Reads a document from anywhere; name is the place in messages, and its folder that of a baseline. Errors: those of
 * roof_budget_read. */
roof_status budget_read_from(json_source source, void *context, const char *name, roof_budget **out,
                             roof_error *err);

#endif
