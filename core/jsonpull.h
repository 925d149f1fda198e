/* core/jsonpull.h - reading JSON value by value, for documents that are too long for a tree.
 *
 * Units: bytes, lines from 1.
 * Ownership: the puller owns its window; what an event points to is valid until the next call.
 *
 * Memory is the window, the longest string (1 MiB at most) and 64 levels, however long the document. The grammar is
 * RFC 8259's, strictly; a byte order mark is skipped, and strings may not hold \u0000.
 * Numbers are read with '.' whatever the caller's locale is. Members that are there twice are the caller's to notice.
 */
#ifndef ROOF_CORE_JSONPULL_H
#define ROOF_CORE_JSONPULL_H

#include <stddef.h>
#include "roofline/status.h"

typedef struct roof_jsonpull roof_jsonpull;

/* Levels of objects and arrays that may be open at a time. */
enum { ROOF_JSON_DEEPEST = 64 };

typedef enum roof_json_kind {
    ROOF_JSON_DONE, /* the document has ended, and so has the input */
    ROOF_JSON_OBJECT,
    ROOF_JSON_ARRAY,
    ROOF_JSON_CLOSE, /* of the object or array that was opened last */
    ROOF_JSON_STRING,
    ROOF_JSON_NUMBER,
    ROOF_JSON_TRUE,
    ROOF_JSON_FALSE,
    ROOF_JSON_NULL
} roof_json_kind;

typedef struct roof_json_event {
    roof_json_kind kind;
    const char *key;  /* of a member, NUL-terminated; NULL in arrays and at ROOF_JSON_CLOSE */
    const char *text; /* of a string, NUL-terminated; else NULL */
    size_t text_length;
    double number; /* of a number; else NaN */
} roof_json_event;

/* Fills buffer with at most size bytes; *got 0 is the end of the input. */
typedef roof_status (*roof_json_source)(void *context, char *buffer, size_t size, size_t *got,
                                        roof_error *err);

/* NULL when there is no memory. context is borrowed until roof_jsonpull_free. */
roof_jsonpull *roof_jsonpull_new(roof_json_source source, void *context);

/* The same for a document that is in memory. bytes is borrowed until roof_jsonpull_free; it may be NULL when size is 0. */
roof_jsonpull *roof_jsonpull_of_memory(const void *bytes, uint64_t size);

void roof_jsonpull_free(roof_jsonpull *puller);

/* The next event. After a failure, and after ROOF_JSON_DONE, the same again.
 * Errors: E_DATA (syntax, with the line), E_LIMIT (deeper than 64 levels, a string longer than 1 MiB), those of the
 *   source. */
roof_status roof_jsonpull_next(roof_jsonpull *puller, roof_json_event *out, roof_error *err);

/* After ROOF_JSON_OBJECT or ROOF_JSON_ARRAY: goes on to behind its ROOF_JSON_CLOSE. After any other event: nothing. */
roof_status roof_jsonpull_skip(roof_jsonpull *puller, roof_error *err);

/* The place of the last event as a JSON pointer (RFC 6901): "/experiments/0/runs/1/mode", "" for the document itself.
 * Long keys are cut. Returns buffer.
 * Example (tests/unit/test_jsonpull.c): {"a":[1,{"b/c":2}]} has its 2 at "/a/1/b~1c". */
const char *roof_jsonpull_pointer(const roof_jsonpull *puller, char *buffer, size_t size);

/* A key as one step of a JSON pointer: "a/b" becomes "a~1b", what a terminal would obey becomes \xNN, and a
 * long key is cut in the middle. Returns buffer. */
const char *roof_json_pointer_step(char *buffer, size_t size, const char *key);

/* Line of what was read last. */
uint64_t roof_jsonpull_line(const roof_jsonpull *puller);

#endif
