/* measure/unread.h - members of a document that nobody reads, with what was probably meant. */
#ifndef ROOF_MEASURE_UNREAD_H
#define ROOF_MEASURE_UNREAD_H

#include "core/jsonbind.h"
#include "roofline/measured.h"

/* A kind of object: the table of its members, and its name for people. */
typedef struct roof_object_kind {
    const roof_bind_member *members;
    size_t n;
    const char *name; /* "a row of layers" */
} roof_object_kind;

/* All kinds of a document, and the one where the member stands. */
typedef struct roof_object_kinds {
    const roof_object_kind *all;
    size_t n;
    const roof_object_kind *here;
    const char *document; /* its name */
} roof_object_kinds;

/* Notes a member that here does not have, once for each name and kind, in out. */
roof_status roof_unread_note(roof_bind *b, const roof_object_kinds *kinds, const char *key,
                             roof_measured *out);

#endif
