/* measure/import/joined_json.h - JSON documents that stand one after the other, as in JSON lines, as one
 * array of them.
 *
 * A document is an object or an array at the outermost level. Other text there is passed on, and is an error
 * for the reader of the array. An empty input stays empty.
 */
#ifndef ROOF_MEASURE_IMPORT_JOINED_JSON_H
#define ROOF_MEASURE_IMPORT_JOINED_JSON_H

#include <stdint.h>
#include "measure/import/lines.h"

/* Begins with what it reads from; the rest is 0. */
typedef struct joined_json {
    import_read read;
    void *context; /* borrowed */
    char block[4096];
    size_t length, at;
    uint64_t depth; /* of objects and arrays that are open */
    bool in_text, is_escaped, has_begun, is_put, has_ended;
} joined_json;

/* An import_read and a json_source, whose context is a joined_json. */
roof_status joined_json_read(void *joined, char *buffer, size_t size, size_t *got, roof_error *err);

#endif
