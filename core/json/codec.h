/* core/json/codec.h - JSON objects into structs and back, by one table of their members.
 *
 * Reading: value by value while the text streams by, each checked where it stands: its type, its range, a key
 * that is there twice. A message has the JSON pointer as its place and says what was found and what was
 * wanted. null is unknown and leaves the target as it is; keys that the table does not have are skipped,
 * since documents may grow; who wants to know of them is told.
 * Writing: in the order of the table. An unknown value (NULL, ROOF_UNKNOWN, ROOF_NONE, NaN) becomes null, or
 * is left out where the table says so.
 *
 * Example:
 *   static const codec_member members[] = {
 *       {CODEC(row, name, TEXT, ALWAYS), .missing = "has no name"}, {CODEC(row, mean_s, SECONDS, OMIT)}};
 *   static const codec_object rows = {CODEC_ROWS(members), .one_line = true};
 *   TRY(codec_read_object(c, event, &rows, &row));
 *   codec_write_object(c, NULL, &rows, &row);
 */
#pragma once

#include "core/json/jsonout.h"
#include "core/json/jsonpull.h"

typedef struct codec codec;
typedef struct codec_member codec_member;
typedef struct codec_object codec_object;

/* Told of a member that is not null and that the table does not have, before it is skipped. */
typedef roof_status (*codec_unknown)(codec *c, const codec_object *object, const char *key);

struct codec {
    jsonpull *puller;  /* of reading */
    jsonout *out;      /* of writing */
    roof_arena *arena; /* of texts and lists that are read */
    void *user;
    const void *words; /* of writing: functions that make sentences of facts, where the document has such */
    roof_error *err;
    const char *otherwise;  /* said of a text that does not even begin as JSON; NULL: what is wrong with it */
    codec_unknown unknown;  /* NULL: nobody wants to know */
    uint64_t seen;          /* at the end of an object: a bit for each row that was there and not null */
    const char *shared[16]; /* words that many rows repeat, such as "conv": the oldest is replaced */
    unsigned next_shared;
};

/* 30,000 years: no duration is longer, and sums and squares of millions of them stay finite. */
#define CODEC_MOST_SECONDS 1e12

/* Bytes of a key that is a name of somebody else. */
enum { CODEC_LONGEST_KEY = 100 };

typedef enum codec_kind {
    CODEC_TEXT,         /* const char *, in the arena: any UTF-8, as our own documents hold names of files */
    CODEC_NAME,         /* the same without control characters, which no tool writes that is well */
    CODEC_SHARED,       /* the same as a text, of which rows of a list have few different ones */
    CODEC_COUNT,        /* uint64_t: whole, from 0 to 2^53 */
    CODEC_SMALL,        /* uint32_t: whole, from 0 to 2^32 - 2 */
    CODEC_POSITIVE,     /* double: 0 or more */
    CODEC_SECONDS,      /* double: from 0 to CODEC_MOST_SECONDS */
    CODEC_NUMBER,       /* double */
    CODEC_PAIR,         /* double[2], as an array of two numbers */
    CODEC_SECONDS_PAIR, /* the same from 0 to CODEC_MOST_SECONDS */
    CODEC_HEX,          /* uint64_t: a text such as "0x0101000056010407" */
    CODEC_BOOL,         /* bool */
    CODEC_WORD,         /* an enum whose values are the places in words; "" there is a value without a word */
    CODEC_SCHEMA,       /* the name of the document, which has no place in the target */
    CODEC_OBJECT,       /* a struct, or what lies at the offset */
    CODEC_LIST,         /* an array and a uint32_t that counts it */
    CODEC_CALL          /* functions read and write it */
} codec_kind;

/* How a member is written; and what stands in the target where nothing was read. Flags. */
typedef enum codec_how {
    CODEC_ALWAYS = 0,     /* null where it is unknown */
    CODEC_OMIT = 1,       /* left out where it is unknown, or an empty list */
    CODEC_ZERO = 2,       /* 0 and "" are unknown */
    CODEC_PLAIN = 4,      /* begins as 0 or "", and is written as it is */
    CODEC_DERIVED = 8,    /* a computed number: 12 significant digits */
    CODEC_SHOWN = 16,     /* not read: it follows from other members */
    CODEC_OR_NULL = 32,   /* null is unknown, whatever it begins as */
    CODEC_OPEN = 64,      /* a word that is unknown leaves the target as it is */
    CODEC_ONE_LINE = 128, /* a list that stays in one */
    CODEC_KEYED = 256,    /* a list as an object: items begin with their name, which is the key */
    CODEC_INLINE = 512,   /* a list in the target itself, with room for most */
    CODEC_FIXED = 1024,   /* the same of texts, without a count; NULL are left out */
    CODEC_EACH = 2048,    /* a call reads each element of an array */
    CODEC_EVERY = 4096,   /* a call reads every member of an object whose keys no table names, null or not */
    CODEC_OMIT_ZERO = CODEC_OMIT | CODEC_ZERO,
    CODEC_OMIT_DERIVED = CODEC_OMIT | CODEC_DERIVED,
    CODEC_PLAIN_DERIVED = CODEC_PLAIN | CODEC_DERIVED,
    CODEC_PLAIN_OR_NULL = CODEC_PLAIN | CODEC_OR_NULL,
    CODEC_LINE = CODEC_ONE_LINE | CODEC_OMIT,
    CODEC_KEYS = CODEC_KEYED | CODEC_ONE_LINE,
    CODEC_KEYS_OMIT = CODEC_KEYS | CODEC_OMIT,
    CODEC_INLINE_KEYS = CODEC_KEYS_OMIT | CODEC_INLINE
} codec_how;

/* Reads the value that event began, into a target. */
typedef roof_status (*codec_reader)(codec *c, const json_event *event, void *target);

/* Writes the member key of a target, or nothing where there is nothing to say. */
typedef void (*codec_writer)(codec *c, const char *key, const void *target);

struct codec_member {
    const char *key;
    codec_kind kind;
    codec_how how;
    size_t offset;       /* in the target; a call is given target + offset */
    const char *missing; /* "has no name": the member must be there; NULL: it need not */
    bool (*when)(const codec *c, const void *target); /* written where this holds; NULL: always */
    /* Written where not all of these bytes of the target are 0; elsewhere an object is null, or left out.
     * Where they are a bool, reading the member sets it. there_size 0: always. */
    size_t there, there_size;
    const char *schema;         /* of CODEC_SCHEMA */
    const char *const *words;   /* of CODEC_WORD, ends with NULL */
    const codec_object *object; /* of CODEC_OBJECT; of each item of a CODEC_LIST: NULL are texts */
    codec_reader read;          /* of CODEC_CALL; NULL: skipped */
    codec_writer write;
    /* For CODEC_LIST. Items lie in the codec's arena, or where add makes them, and begin as nothing known. */
    size_t item_size, count; /* bytes; where in the target the number of items stands */
    uint32_t most;
    const char *none; /* "is empty, want at least one row"; NULL: it may be empty */
    void *(*add)(void *target);
};

struct codec_object {
    const codec_member *members;
    size_t n;         /* at most 64 */
    const char *name; /* "a row of layers", for messages */
    bool one_line;
    bool is_bare; /* an item of a keyed list that is not an object, but the value of its only member */
    /* Sets what an item or an optional object begins with besides the table; NULL: nothing. */
    roof_status (*begin)(codec *c, void *target);
    /* At the end of reading: checks, and what follows from the members; NULL: nothing. */
    roof_status (*end)(codec *c, void *target);
};

/* Rows of a table, to be put in braces, which leaves room for .missing and the like. */
#define CODEC_AS(key_, type, member, kind_, how_)                                                            \
    .key = (key_), .kind = CODEC_##kind_, .how = CODEC_##how_, .offset = offsetof(type, member)
#define CODEC(type, member, kind_, how_) CODEC_AS(#member, type, member, kind_, how_)
#define CODEC_WORDS(key_, type, member, words_, how_)                                                        \
    CODEC_AS(key_, type, member, WORD, how_), .words = (words_)
#define CODEC_IS(id)                                                                                         \
    .key = "schema", .kind = CODEC_SCHEMA, .schema = (id), .missing = "has no \"schema\", want \"" id "\""
#define CODEC_IN(key_, offset_, object_)                                                                     \
    .key = (key_), .kind = CODEC_OBJECT, .offset = (offset_), .object = (object_)
#define CODEC_ITEMS(key_, type, member, n_member, object_, most_, how_)                                      \
    CODEC_AS(key_, type, member, LIST, how_), .item_size = sizeof *((type *)0)->member,                      \
                                              .count = offsetof(type, n_member), .object = (object_),        \
                                              .most = (most_)
#define CODEC_TEXTS(key_, type, member, how_)                                                                \
    .key = (key_), .kind = CODEC_LIST, .how = (codec_how)(CODEC_FIXED | CODEC_##how_),                       \
    .offset = offsetof(type, member), .item_size = sizeof(const char *),                                     \
    .most = CODEC_N(((type *)0)->member)
#define CODEC_BY(key_, offset_, read_, write_)                                                               \
    .key = (key_), .kind = CODEC_CALL, .offset = (offset_), .read = (read_), .write = (write_)
#define CODEC_IF(type, member) .there = offsetof(type, member), .there_size = sizeof((type *)0)->member

#define CODEC_N(table)    (sizeof(table) / sizeof *(table))
#define CODEC_ROWS(table) .members = (table), .n = CODEC_N(table)

/* An object that is no more than its table, where it is used; LINE_OF: in one line. */
#define CODEC_TABLE(table)   (&(const codec_object){CODEC_ROWS(table)})
#define CODEC_LINE_OF(table) (&(const codec_object){CODEC_ROWS(table), .one_line = true})

/* Defines when a member is written: where this holds of it, the struct that has the member, or of c. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type, and the name of a function */
#define CODEC_WHEN(function, type, condition)                                                                \
    static bool function(const codec *c, const void *target)                                                 \
    {                                                                                                        \
        const type *it = target;                                                                             \
        (void)c;                                                                                             \
        return (condition);                                                                                  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* --- reading ------------------------------------------------------------------------------------------ */

/* Every member of the table becomes unknown, also in objects within; calls are left alone. */
void codec_forget(const codec_object *object, void *target);

/* Reads the members of the object that event opens, up to its end. An event of another kind is an error. */
roof_status codec_read_object(codec *c, const json_event *event, const codec_object *object, void *target);

/* Reads an array: each is called for every element. An event of another kind is an error. */
roof_status codec_read_array(codec *c, const json_event *event, codec_reader each, void *target);

/* Reads an object whose keys no table names: each is called for every member, whose event has its key. An
 * event of another kind is an error. */
roof_status codec_read_members(codec *c, const json_event *event, codec_reader each, void *target);

/* Reads one duration, as CODEC_SECONDS does; target is a double. */
roof_status codec_read_seconds(codec *c, const json_event *event, void *target);

/* Reads the whole document that the puller gives; nothing may follow its object. */
roof_status codec_read_document(codec *c, const codec_object *object, void *target);

/* The same from a source; a message begins with name and says the place of what is no JSON, too. */
roof_status codec_read_from(codec *c, json_source source, void *context, const char *name,
                            const codec_object *object, void *target);

/* Why a name cannot be a key of a document, "has an empty name"; NULL when it can. */
const char *codec_key_problem(const char *name);

/* Why a document that calls itself found is not one of the schema; NULL when it is. Returns buffer. */
const char *codec_schema_problem(const char *found, const char *schema, char *buffer, size_t size);

/* An error at the place of the last event; codec_fail: E_DATA. */
roof_status codec_fill_error(codec *c, roof_status status, const char *format, ...) ROOF_PRINTF(3, 4);
#define codec_refuse(c, status, ...) error_is_one(codec_fill_error((c), (status), __VA_ARGS__))
#define codec_fail(c, ...)           codec_refuse((c), ROOF_E_DATA, __VA_ARGS__)

/* --- writing ------------------------------------------------------------------------------------------ */

/* key is NULL inside arrays, and for the document itself. */
void codec_write_object(codec *c, const char *key, const codec_object *object, const void *target);

/* Its members alone, into the object that is being written. */
void codec_write_members(codec *c, const codec_object *object, const void *target);

/* Writes a document of its own into text. user, words: of the codec. */
void codec_write_document(const codec_object *object, const void *target, const void *user, const void *words,
                          textbuf *text);
