/* core/json/jsonout.h - writing JSON in order, into memory; a NaN or ROOF_UNKNOWN becomes null.
 *
 * Ownership: the text is the caller's. A failed allocation is remembered there; text_status tells.
 */
#pragma once

#include "core/core.h"
#include "roofline/answer.h"

typedef struct jsonout {
    textbuf *out;
    unsigned depth;
    bool comma[64];        /* something was written on this level */
    bool inline_level[64]; /* arrays and objects that stay on one line */
    char closing[64];      /* the bracket that ends a level */
} jsonout;

void jsonout_begin(jsonout *json, textbuf *out);
/* The same with the object that a document of this schema is, which jsonout_end ends. */
void jsonout_document(jsonout *json, textbuf *out, const char *schema);
/* key is NULL inside arrays. */
void jsonout_object(jsonout *json, const char *key, bool one_line);
void jsonout_array(jsonout *json, const char *key, bool one_line);
void jsonout_end(jsonout *json);
void jsonout_string(jsonout *json, const char *key, const char *value); /* NULL is null */
/* An object of texts on one line: a key and a text each, and NULL behind them. */
void jsonout_texts(jsonout *json, const char *key, ...);
void jsonout_count(jsonout *json, const char *key, uint64_t value);
void jsonout_number(jsonout *json, const char *key, double value);
/* A value that was computed, not read: 12 digits, more than any model is worth, and ten times faster. */
void jsonout_derived(jsonout *json, const char *key, double value);
/* Two of them as an array; null where either is unknown. */
void jsonout_derived_pair(jsonout *json, const char *key, const double values[2]);
/* A number that says what it is: {"kind", "value", "low", "high", "unit", "covers", "why"}; low and high are
 * null where there is no such end. */
void jsonout_answer(jsonout *json, const char *key, const roof_answer *a);
void jsonout_bool(jsonout *json, const char *key, bool value);
void jsonout_null(jsonout *json, const char *key);
