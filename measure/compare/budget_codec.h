/* measure/compare/budget_codec.h - roofline.budget/1 out of memory. */
#pragma once

#include "roofline/budget.h"

/* name: the place in messages, and its folder that of a baseline. Errors: those of roof_budget_read. */
roof_status budget_codec_parse(const char *text, size_t size, const char *name, roof_budget **out,
                               roof_error *err);
