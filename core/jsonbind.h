/* core/jsonbind.h - JSON objects into structs, by a table of their members, while the text streams by.
 *
 * Every value is checked where it stands: its type, its range, a key that is there twice. A message has the JSON pointer
 * as its place and says what was found and what was wanted. null is "not known" and leaves the target as it is; keys
 * that the table does not have are skipped, since documents may grow; who wants to know of them is told.
 *
 * Example:
 *   static const roof_bind_member members[] = {
 *       {"name", ROOF_BIND_TEXT, offsetof(row, name)}, {"mean_s", ROOF_BIND_POSITIVE, offsetof(row, mean_s)}};
 *   ROOF_TRY(roof_bind_object(b, event, members, 2, &row, NULL));
 */
#ifndef ROOF_CORE_JSONBIND_H
#define ROOF_CORE_JSONBIND_H

#include <stdbool.h>
#include "core/arena.h"
#include "core/jsonpull.h"

typedef struct roof_bind roof_bind;
struct roof_bind_member;

/* Told of a member that is not null and that the table does not have, before it is skipped. */
typedef roof_status (*roof_bind_unknown)(roof_bind *b, const struct roof_bind_member *members, size_t n,
                                         const char *key);

struct roof_bind {
    roof_jsonpull *puller;
    roof_arena *arena; /* of texts */
    void *user;
    roof_error *err;
    roof_bind_unknown unknown; /* NULL: nobody wants to know */
};

/* 30,000 years: no duration is longer, and sums and squares of millions of them stay finite. */
#define ROOF_BIND_MOST_SECONDS 1e12

typedef enum roof_bind_kind {
    ROOF_BIND_TEXT,     /* const char *, in the arena: any UTF-8, as our own documents hold names of files */
    ROOF_BIND_NAME,     /* the same without control characters, which no tool writes that is well */
    ROOF_BIND_COUNT,    /* uint64_t: whole, from 0 to 2^53 */
    ROOF_BIND_SMALL,    /* uint32_t: whole, from 0 to 2^32 - 2 */
    ROOF_BIND_POSITIVE, /* double: 0 or more */
    ROOF_BIND_SECONDS,  /* double: from 0 to ROOF_BIND_MOST_SECONDS */
    ROOF_BIND_NUMBER,   /* double */
    ROOF_BIND_BOOL,     /* bool */
    ROOF_BIND_WORD,     /* an enum whose values are the places in words; "" there is a value without a word */
    ROOF_BIND_CALL      /* call reads it */
} roof_bind_kind;

/* Reads the value that event began, into a target. */
typedef roof_status (*roof_bind_call)(roof_bind *b, const roof_json_event *event, void *target);

typedef struct roof_bind_member {
    const char *key;
    roof_bind_kind kind;
    size_t offset;            /* in the target; a call is given target + offset */
    roof_bind_call call;      /* of ROOF_BIND_CALL */
    const char *const *words; /* of ROOF_BIND_WORD, ends with NULL */
} roof_bind_member;

/* Reads the members of the object that event opens, up to its end. An event of another kind is an error. n is at most 64.
 * seen: NULL, or filled with a bit for every row of the table that was there and not null. */
roof_status roof_bind_object(roof_bind *b, const roof_json_event *opened, const roof_bind_member *members,
                             size_t n, void *target, uint64_t *seen);

/* Reads an array: each is called for every element. An event of another kind is an error. */
roof_status roof_bind_array(roof_bind *b, const roof_json_event *event, roof_bind_call each, void *target);

/* Reads an object whose keys no table names: each is called for every member, null or not, whose event has its key. An
 * event of another kind is an error. */
roof_status roof_bind_members(roof_bind *b, const roof_json_event *event, roof_bind_call each, void *target);

/* Reads one duration, as ROOF_BIND_SECONDS does; target is a double. */
roof_status roof_bind_seconds(roof_bind *b, const roof_json_event *event, void *target);

/* E_DATA at the place of the last event. */
roof_status roof_bind_fail(roof_bind *b, const char *format, ...) ROOF_PRINTF(2, 3);

/* "a string", "a number", ... */
const char *roof_json_kind_text(roof_json_kind kind);

#endif
