/* core/jsonout.h - writing JSON in order, into memory; a NaN or ROOF_UNKNOWN becomes null.
 *
 * Ownership: the text is the caller's. A failed allocation is remembered there; roof_text_status tells.
 */
#ifndef ROOF_CORE_JSONOUT_H
#define ROOF_CORE_JSONOUT_H

#include <stdbool.h>
#include "core/text.h"

typedef struct roof_jsonout {
    roof_text *out;
    unsigned depth;
    bool comma[64];        /* something was written on this level */
    bool inline_level[64]; /* arrays and objects that stay on one line */
    char closing[64];      /* the bracket that ends a level */
} roof_jsonout;

void roof_jsonout_begin(roof_jsonout *json, roof_text *out);
/* key is NULL inside arrays. */
void roof_jsonout_object(roof_jsonout *json, const char *key, bool one_line);
void roof_jsonout_array(roof_jsonout *json, const char *key, bool one_line);
void roof_jsonout_end(roof_jsonout *json);
void roof_jsonout_string(roof_jsonout *json, const char *key, const char *value); /* NULL is null */
void roof_jsonout_count(roof_jsonout *json, const char *key, uint64_t value);
void roof_jsonout_number(roof_jsonout *json, const char *key, double value);
/* A value that was computed, not read: 12 significant digits, more than any model is worth, and ten times faster. */
void roof_jsonout_derived(roof_jsonout *json, const char *key, double value);
void roof_jsonout_bool(roof_jsonout *json, const char *key, bool value);
void roof_jsonout_null(roof_jsonout *json, const char *key);

#endif
