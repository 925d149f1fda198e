/* measure/profile/unread.h - members of a document that nobody reads, with what was probably meant. */
#ifndef ROOF_MEASURE_PROFILE_UNREAD_H
#define ROOF_MEASURE_PROFILE_UNREAD_H

#include "core/json/codec.h"
#include "roofline/measured.h"

/* All kinds of objects that a document has, and the one where the member stands. */
typedef struct object_kinds {
    const codec_object *const *all;
    size_t n;
    const codec_object *here;
    const char *document; /* its name */
    bool is_of_hardware;
} object_kinds;

/* Notes a member that here does not have, once for each name and kind, in out.
 * is_of_hardware: the keys of --hw are members as well. */
roof_status unread_note(codec *c, const object_kinds *kinds, const char *key, roof_measured *out);

#endif
