/* model/explore/pairs.h - what the reader of a document of several predictions shares with what makes
 * them. */
#pragma once

#include "roofline/predictions.h"

/* From now on it is freed with all; it is freed as well when that fails. Errors: E_NO_MEMORY. */
roof_status pairs_own(roof_predictions *all, roof_prediction *prediction, roof_error *err);

/* The figures of a combination whose path, asked_hw, why and prediction are set. */
void pairs_describe(roof_pair *pair);

/* A message behind the path that it begins with, and what stands between: ": ", or '/' before a place in the
 * file. So it is the same wherever the file lies. */
const char *pairs_behind_path(const char *why, const char *path);
