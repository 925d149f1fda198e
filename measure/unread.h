/* measure/unread.h - members of a document that nobody reads, with what was probably meant. */
#ifndef ROOF_MEASURE_UNREAD_H
#define ROOF_MEASURE_UNREAD_H

#include "core/jsonbind.h"
#include "roofline/measured.h"

/* A kind of object: the table of its members, and its name for people. */
typedef struct object_kind {
    const bind_member *members;
    size_t n;
    const char *name; /* "a row of layers" */
} object_kind;

/* All kinds of a document, and the one where the member stands. */
typedef struct object_kinds {
    const object_kind *all;
    size_t n;
    const object_kind *here;
    const char *document; /* its name */
} object_kinds;

/* Notes a member that here does not have, once for each name and kind, in out. */
roof_status unread_note(json_binder *b, const object_kinds *kinds, const char *key, roof_measured *out);

#endif
