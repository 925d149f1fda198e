/* core/json/jsonpull.h - reading JSON value by value, for documents that are too long for a tree.
 *
 * Units: bytes, lines from 1.
 * Ownership: the puller owns its window; what an event points to is valid until the next call.
 *
 * Memory is the window, the longest string (1 MiB at most) and 64 levels, however long the document. The
 * grammar is RFC 8259's, strictly; a byte order mark is skipped, and strings may not hold \u0000.
 * Numbers are read with '.' whatever the caller's locale is. Members that are there twice are the caller's to
 * notice.
 */
#pragma once

#include <stddef.h>
#include "roofline/status.h"

typedef struct jsonpull jsonpull;

/* Levels of objects and arrays that may be open at a time. */
enum { JSON_DEEPEST = 64 };

typedef enum json_kind {
    JSON_DONE, /* the document has ended, and so has the input */
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_CLOSE, /* of the object or array that was opened last */
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_kind;

/* "a string", "a number", ... */
const char *json_kind_text(json_kind kind);

typedef struct json_event {
    json_kind kind;
    const char *key;  /* of a member, NUL-terminated; NULL in arrays and at JSON_CLOSE */
    const char *text; /* of a string, NUL-terminated; else NULL */
    size_t text_length;
    double number; /* of a number; else NaN */
} json_event;

/* Fills buffer with at most size bytes; *got 0 is the end of the input. */
typedef roof_status (*json_source)(void *context, char *buffer, size_t size, size_t *got, roof_error *err);

/* NULL when there is no memory. context is borrowed until jsonpull_free. */
jsonpull *jsonpull_new(json_source source, void *context);

/* The same for a document that is in memory. bytes: borrowed until jsonpull_free; NULL for a size of 0. */
jsonpull *jsonpull_of_memory(const void *bytes, size_t size);

/* The same for JSON as people write it by hand: there may be comments, from two slashes to the end of the
 * line and between slash-star and star-slash, and three slips that occur in published files: a comma behind
 * the last member or element, no comma between a closed object and the next member, and a member's name that
 * lacks its first quote. */
jsonpull *jsonpull_of_loose(const void *bytes, size_t size);

void jsonpull_free(jsonpull *puller);

/* The next event. After a failure, and after JSON_DONE, the same again.
 * Errors: E_DATA (syntax, with the line), E_LIMIT (deeper than 64 levels, a string longer than 1 MiB), those
 *   of the source. */
roof_status jsonpull_next(jsonpull *puller, json_event *out, roof_error *err);

/* After JSON_OBJECT or JSON_ARRAY: goes on to behind its JSON_CLOSE. After any other event: nothing. */
roof_status jsonpull_skip(jsonpull *puller, roof_error *err);

/* The place of the last event as a JSON pointer (RFC 6901): "/experiments/0/runs/1/mode", "" for the document
 * itself. Long keys are cut. Returns buffer. Example (tests/unit/test_jsonpull.c): {"a":[1,{"b/c":2}]} has
 * its 2 at "/a/1/b~1c". */
const char *jsonpull_pointer(const jsonpull *puller, char *buffer, size_t size);

/* A key as one step of a JSON pointer: "a/b" becomes "a~1b", what a terminal would obey becomes \xNN, and a
 * long key is cut in the middle. Returns buffer. */
const char *json_pointer_step(char *buffer, size_t size, const char *key);

/* Line of what was read last. */
uint64_t jsonpull_line(const jsonpull *puller);
