/* model/graph/unsupported.h - files that people give as a model and that no format reads: what they are, and
 * what to give instead.
 *
 * Ownership: nothing is kept.
 */
#ifndef ROOF_MODEL_GRAPH_UNSUPPORTED_H
#define ROOF_MODEL_GRAPH_UNSUPPORTED_H

#include <stdint.h>

/* "is an ONNX model, not compiled: ..."; NULL: it is of no kind that is known. */
const char *unsupported_advice(const unsigned char *bytes, uint64_t size);

#endif
