/* tests/schema/json_schema.h - checks a JSON document against a JSON Schema (2020-12), as far as ours go.
 *
 * Known keywords: type, properties, required, additionalProperties, propertyNames, items, minItems, maxItems,
 * enum, const, minimum, exclusiveMinimum, maximum, minLength, pattern, oneOf, anyOf, $ref (to
 * "#/$defs/NAME"); title, description, $comment, $schema, $id, $defs assert nothing. Any other is an error: a
 * constraint that nobody checks is worse than none. Values of enum and const are strings, numbers, booleans
 * or null. Patterns are POSIX extended; control characters may be written as \u0000-\u001f\u007f-\u009f.
 */
#ifndef ROOF_TESTS_JSON_SCHEMA_H
#define ROOF_TESTS_JSON_SCHEMA_H

#include "core/json/jsontree.h"

/* Looks at every subschema, those included that no document reaches. E_DATA names keyword and JSON
 * pointer. */
roof_status json_schema_check(const cJSON *schema, roof_error *err);

/* E_DATA names what was wanted and the JSON pointer of the value that is not so. schema must have passed the
 * check. described: a member that the schema does not describe is a fault too, though it is valid: readers
 * ignore it, but what we write ourselves shall be documented. */
roof_status json_schema_validate(const cJSON *schema, const cJSON *document, bool described, roof_error *err);

#endif
