/* core/arena.h - memory that lives and dies together with one document.
 *
 * Units: bytes.
 * Ownership: everything from arena_alloc belongs to the arena; nothing is freed on its own. An arena may
 *   be born with a limit; past it every allocation fails, which is how tests provoke exhaustion.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include "roofline/status.h"

typedef struct roof_arena roof_arena;

/* limit_bytes: 0 for none. NULL when there is no memory. */
roof_arena *arena_new(size_t limit_bytes);
void arena_free(roof_arena *arena);

/* Defines the function that frees a value with all that hangs on it: both lie in the value's own arena. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type, and the name of a parameter */
#define ARENA_FREES(function, type, value)                                                                   \
    void function(type *value)                                                                               \
    {                                                                                                        \
        if (value)                                                                                           \
            arena_free((value)->arena);                                                                      \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* An arena for one value after another: frees all that it gave, and keeps its largest piece for the next. */
void arena_reset(roof_arena *arena);

/* Zeroed, aligned for any object; NULL when exhausted or when count * size overflows. A size of 0 is good. */
void *arena_alloc(roof_arena *arena, uint64_t count, size_t size);

char *arena_strdup(roof_arena *arena, const char *text);
char *arena_strndup(roof_arena *arena, const char *text, size_t length);
char *arena_printf(roof_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(roof_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Text as core/utf8.h shows it, whole; text itself where nothing had to be done. */
const char *arena_shown(roof_arena *arena, const char *text);

/* Where a file lies that another one names: beside that, unless its path says where it is, or is NULL. */
const char *arena_path_beside(roof_arena *arena, const char *file, const char *path);

/* A copy with the bytes that are not UTF-8 as they are shown: a name as a document would have it. */
const char *arena_utf8(roof_arena *arena, const char *text, size_t length);

/* The same for controls as well: what a reader of names makes of any bytes. text may be NULL for none. */
const char *arena_name(roof_arena *arena, const char *text, size_t length);

/* OK where every request was met. The owner of an arena calls this before it hands on its values, since a
 * text that could not be made may have been taken for one that is not there. Errors: E_NO_MEMORY. */
roof_status arena_status(const roof_arena *arena, roof_error *err);

/* A zeroed value in an arena of its own, which ends with it. NULL, with E_NO_MEMORY told, without memory. */
void *arena_root(roof_arena **arena, size_t size, roof_error *err);

/* Ends the making of such a value: the status, or E_NO_MEMORY where a request was not met. The arena is gone
 * unless it is OK. */
roof_status arena_settle(roof_arena *arena, roof_status status, roof_error *err);

size_t arena_used_bytes(const roof_arena *arena);

/* An array with room for one more behind its n items: room doubles when n reaches a power of two, and the old
 * half stays behind. items: what an earlier call gave, NULL for n = 0. NULL when exhausted, also in a later
 * call, so that who counts an item that found no room writes none behind the end. */
void *arena_grow(roof_arena *arena, const void *items, size_t n, size_t item_size);

/* The same, but items themselves when exhausted, which arena_status reports: what walks over the array
 * afterwards finds the n that it had. */
void *arena_grow_or_keep(roof_arena *arena, const void *items, size_t n, size_t item_size);

/* The same items elsewhere, with no more room than they need. */
void *arena_copy(roof_arena *arena, const void *items, size_t n, size_t item_size);

/* A typed allocation reads better and cannot forget the size. */
#define NEW_ROOT(arena, type, err) ((type *)arena_root((arena), sizeof(type), (err)))
#define NEW(arena, type)           ((type *)arena_alloc((arena), 1, sizeof(type)))
#define NEW_ARRAY(arena, type, n)  ((type *)arena_alloc((arena), (n), sizeof(type)))

/* The same as a step that may fail, for TRY (core/error.h): p becomes an array of n, and so do q and r; array
 * gets room for one more behind its n, or one more, which is counted. */
#define ARENA_GET(arena, p, n, err) ALLOCATED((p) = arena_alloc((arena), (n), sizeof *(p)), (err))
#define ARENA_GET2(arena, p, q, n, err)                                                                      \
    (ARENA_GET((arena), p, (n), (err)) == ROOF_OK ? ARENA_GET((arena), q, (n), (err)) : ROOF_E_NO_MEMORY)
#define ARENA_GET3(arena, p, q, r, n, err)                                                                   \
    (ARENA_GET2((arena), p, q, (n), (err)) == ROOF_OK ? ARENA_GET((arena), r, (n), (err)) : ROOF_E_NO_MEMORY)
#define ARENA_MORE(arena, array, n, err)                                                                     \
    (((array) = arena_grow_or_keep((arena), (array), (n), sizeof *(array))), arena_status((arena), (err)))
#define ARENA_ADD(arena, array, n, err, ...)                                                                 \
    (ARENA_MORE((arena), (array), (n), (err)) == ROOF_OK ? ((array)[(n)++] = __VA_ARGS__, ROOF_OK)           \
                                                         : ROOF_E_NO_MEMORY)

/* Each of n items of an array, which must not move meanwhile, and may be NULL if n is 0. type: of an item. */
/* NOLINTBEGIN(bugprone-macro-parentheses, performance-no-int-to-ptr): a type, the name of a pointer; its end
 * by a number, since NULL + 0 is undefined, and analyzers remember a question for NULL behind the loop */
#define FOR_EACH(type, item, items, n)                                                                       \
    for (type *item = (items), *item##_end = (type *)((uintptr_t)item + (n) * sizeof *item);                 \
         item != item##_end; item++)
/* NOLINTEND(bugprone-macro-parentheses, performance-no-int-to-ptr) */

/* An array that grew elsewhere becomes its copy in this arena. */
#define ARENA_KEEP(arena, array, n, err)                                                                     \
    ALLOCATED((array) = arena_copy((arena), (array), (n), sizeof *(array)), (err))
