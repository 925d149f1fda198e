/* core/jsonloose.h - JSON as people write it by hand.
 *
 * Besides what core/jsonpull.h reads there may be comments, from two slashes to the end of the line and between slash-star
 * and star-slash, and three slips that occur in published files: a comma behind the last member or element, no comma
 * between a closed object and the next member, and a member's name that lacks its first quote. All else is an error, in the
 * line where it stands.
 *
 * Ownership: what was opened is closed, also after a failure. The bytes are borrowed for the call only.
 */
#ifndef ROOF_CORE_JSONLOOSE_H
#define ROOF_CORE_JSONLOOSE_H

#include "core/jsonpull.h"
#include "core/text.h"

enum { JSONLOOSE_MAX_BYTES = 16 << 20 };

typedef struct jsonloose {
    jsonpull *puller;
    textbuf text; /* as RFC 8259 wants it, each thing in the line that it had */
} jsonloose;

/* Errors: E_LIMIT beyond 16 MiB, E_NO_MEMORY. */
roof_status jsonloose_open(const void *bytes, uint64_t size, jsonloose *out, roof_error *err);
void jsonloose_close(jsonloose *loose);

#endif
