/* tests/fuzz/graph_checks.h - what holds of every graph, whichever reader made it.
 *
 * The input is read as a model of any format. What is accepted must be whole, every index in range and every
 * pointer inside the file; what is refused must be explained in one line. A promise that is broken aborts.
 */
#ifndef ROOF_TESTS_FUZZ_GRAPH_CHECKS_H
#define ROOF_TESTS_FUZZ_GRAPH_CHECKS_H

#include <stddef.h>
#include <stdint.h>
#include "roofline/graph.h"

typedef void (*graph_check)(const roof_graph *graph);

/* more: what a target checks besides of what is accepted, or NULL. */
void graph_checks(const uint8_t *data, size_t size, graph_check more);

#endif
