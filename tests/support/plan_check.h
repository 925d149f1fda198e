/* tests/support/plan_check.h - what holds for every plan that a reader accepts. */
#ifndef ROOF_TESTS_SUPPORT_PLAN_CHECK_H
#define ROOF_TESTS_SUPPORT_PLAN_CHECK_H

#include "roofline/graph.h"

/* Aborts where indices are out of range, names are no text, or sums are beyond what readers may accept. */
void check_plan(const roof_graph *graph);

/* Predicts the graph on hardware that is known and on hardware that is not, and checks that sums close. */
void check_plan_prediction(const roof_graph *graph);

#endif
