/* core/jsonbind.h - JSON objects into structs, by a table of their members, while the text streams by.
 *
 * Every value is checked where it stands: its type, its range, a key that is there twice. A message has the JSON pointer
 * as its place and says what was found and what was wanted. null is "not known" and leaves the target as it is; keys
 * that the table does not have are skipped, since documents may grow; who wants to know of them is told.
 *
 * Example:
 *   static const bind_member members[] = {
 *       {"name", BIND_TEXT, offsetof(row, name)}, {"mean_s", BIND_POSITIVE, offsetof(row, mean_s)}};
 *   TRY(bind_object(b, event, members, 2, &row, NULL));
 */
#ifndef ROOF_CORE_JSONBIND_H
#define ROOF_CORE_JSONBIND_H

#include <stdbool.h>
#include "core/arena.h"
#include "core/jsonpull.h"

typedef struct json_binder json_binder;
struct bind_member;

/* Told of a member that is not null and that the table does not have, before it is skipped. */
typedef roof_status (*bind_unknown)(json_binder *b, const struct bind_member *members, size_t n,
                                    const char *key);

struct json_binder {
    jsonpull *puller;
    roof_arena *arena; /* of texts */
    void *user;
    roof_error *err;
    bind_unknown unknown; /* NULL: nobody wants to know */
};

/* 30,000 years: no duration is longer, and sums and squares of millions of them stay finite. */
#define BIND_MOST_SECONDS 1e12

typedef enum bind_kind {
    BIND_TEXT,     /* const char *, in the arena: any UTF-8, as our own documents hold names of files */
    BIND_NAME,     /* the same without control characters, which no tool writes that is well */
    BIND_COUNT,    /* uint64_t: whole, from 0 to 2^53 */
    BIND_SMALL,    /* uint32_t: whole, from 0 to 2^32 - 2 */
    BIND_POSITIVE, /* double: 0 or more */
    BIND_SECONDS,  /* double: from 0 to BIND_MOST_SECONDS */
    BIND_NUMBER,   /* double */
    BIND_BOOL,     /* bool */
    BIND_WORD,     /* an enum whose values are the places in words; "" there is a value without a word */
    BIND_CALL      /* call reads it */
} bind_kind;

/* Reads the value that event began, into a target. */
typedef roof_status (*bind_call)(json_binder *b, const json_event *event, void *target);

typedef struct bind_member {
    const char *key;
    bind_kind kind;
    size_t offset;            /* in the target; a call is given target + offset */
    bind_call call;           /* of BIND_CALL */
    const char *const *words; /* of BIND_WORD, ends with NULL */
} bind_member;

/* Reads the members of the object that event opens, up to its end. An event of another kind is an error. n is at most 64.
 * seen: NULL, or filled with a bit for every row of the table that was there and not null. */
roof_status bind_object(json_binder *b, const json_event *opened, const bind_member *members, size_t n,
                        void *target, uint64_t *seen);

/* Reads an array: each is called for every element. An event of another kind is an error. */
roof_status bind_array(json_binder *b, const json_event *event, bind_call each, void *target);

/* Reads an object whose keys no table names: each is called for every member, null or not, whose event has its key. An
 * event of another kind is an error. */
roof_status bind_members(json_binder *b, const json_event *event, bind_call each, void *target);

/* Reads one duration, as BIND_SECONDS does; target is a double. */
roof_status bind_seconds(json_binder *b, const json_event *event, void *target);

/* E_DATA at the place of the last event. */
roof_status bind_fail(json_binder *b, const char *format, ...) ROOF_PRINTF(2, 3);

/* "a string", "a number", ... */
const char *json_kind_text(json_kind kind);

#endif
