/* model/graph/foreign.h - files that people give as a model and that no format reads: what they are, and what to give instead.
 *
 * Ownership: nothing is kept.
 */
#ifndef ROOF_MODEL_GRAPH_FOREIGN_H
#define ROOF_MODEL_GRAPH_FOREIGN_H

#include <stdint.h>

/* "is an ONNX model, not compiled: ..."; NULL: it is of no kind that is known. */
const char *foreign_advice(const unsigned char *bytes, uint64_t size);

#endif
