/* tests/support/prediction_check.h - a saved prediction is the prediction. */
#ifndef ROOF_TESTS_PREDICTION_CHECK_H
#define ROOF_TESTS_PREDICTION_CHECK_H

#include "roofline/prediction.h"

/* Writes it, reads that, and writes it again: the same bytes. Aborts otherwise. may_be_refused: a network out
 * of an untrusted file may have counts above 2^53, which a document cannot hold. */
void check_prediction_comes_back(const roof_prediction *prediction, bool may_be_refused);

#endif
