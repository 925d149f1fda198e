/* tests/fuzz/stored_checks.h - what holds of every model that the header of its weights tells, whoever
 * wrote it. */
#ifndef ROOF_TESTS_FUZZ_STORED_CHECKS_H
#define ROOF_TESTS_FUZZ_STORED_CHECKS_H

#include "roofline/graph.h"

/* Predicts it in both phases and over its context. What is broken aborts. */
void check_stored_model(const roof_graph *graph);

#endif
