/* core/json/jsonsniff.h - the kind that a file states, read from its beginning. */
#pragma once

#include "core/core.h"
#include "roofline/status.h"

/* True when the first byte that is not blank opens an object; a byte order mark is skipped. Compiled models
 * begin otherwise. A file that cannot be read does not begin as JSON: who reads it next says why. */
bool json_begins(const char *path);

/* The key of the first member of the object that a document begins with, within its first 300 bytes. Where
 * that member is an object, rest begins with it. An empty span: it begins otherwise. rest may be NULL. */
text_span json_first_key(const void *bytes, uint64_t size, text_span *rest);

/* The member "schema" of the document, "" when it has none or it is no text. Text behind it is not read.
 *
 * schema: size bytes, cut to them.
 * Errors: those of core/json/jsonpull.h with the path as place.
 */
roof_status json_schema(const char *path, char *schema, size_t size, roof_error *err);
