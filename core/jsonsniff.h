/* core/jsonsniff.h - what a file says that it is, before anybody reads all of it. */
#ifndef ROOF_CORE_JSONSNIFF_H
#define ROOF_CORE_JSONSNIFF_H

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

/* True when the first byte that is not blank opens an object; a byte order mark is skipped. Compiled models begin otherwise.
 * A file that cannot be read does not begin as JSON: who reads it next says why. */
bool begins_as_json(const char *path);

/* The member "schema" of the document, "" when it has none or it is no text. What stands behind it is not read.
 *
 * schema: size bytes, cut to them.
 * Errors: those of core/jsonpull.h with the path as place.
 */
roof_status json_schema(const char *path, char *schema, size_t size, roof_error *err);

#endif
