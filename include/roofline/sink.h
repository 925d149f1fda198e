/* roofline/sink.h - where a document goes to, piece by piece.
 *
 * Units: bytes.
 * Shapes: pieces in order, of any length.
 * Ownership: the context is the caller's; what write is given is good for the call.
 */
#ifndef ROOFLINE_SINK_H
#define ROOFLINE_SINK_H

#include <stddef.h>
#include "roofline/status.h"

ROOF_BEGIN_C

typedef struct roof_sink {
    roof_status (*write)(void *context, const char *bytes, size_t length, roof_error *err);
    void *context;
} roof_sink;

ROOF_END_C
#endif
