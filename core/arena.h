/* core/arena.h - memory that lives and dies together with one document.
 *
 * Units: bytes.
 * Ownership: everything from roof_arena_alloc belongs to the arena; nothing is freed on its own. An arena may
 *   be born with a limit; past it every allocation fails, which is how tests provoke exhaustion.
 */
#ifndef ROOF_CORE_ARENA_H
#define ROOF_CORE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include "roofline/status.h"

typedef struct roof_arena roof_arena;

/* limit_bytes: 0 for none. NULL when there is no memory. */
roof_arena *roof_arena_new(size_t limit_bytes);
void roof_arena_free(roof_arena *arena);

/* Zeroed, aligned for any object; NULL when exhausted or when count * size overflows. A size of 0 gives a
 * valid pointer. */
void *roof_arena_alloc(roof_arena *arena, size_t count, size_t size);

char *roof_arena_strdup(roof_arena *arena, const char *text);
char *roof_arena_strndup(roof_arena *arena, const char *text, size_t length);
char *roof_arena_printf(roof_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *roof_arena_vprintf(roof_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Text as core/utf8.h shows it, whole; text itself where nothing had to be done. */
const char *roof_arena_shown(roof_arena *arena, const char *text);

/* A copy with the bytes that are not UTF-8 as they are shown: a name that is the same once it was in a document. */
const char *roof_arena_utf8(roof_arena *arena, const char *text, size_t length);

/* Whether all that was ever asked for was given. Who owns an arena asks this before it hands on what was made, since a text
 * that could not be made may have been taken for one that is not there. Errors: E_NO_MEMORY. */
roof_status roof_arena_status(const roof_arena *arena, roof_error *err);

size_t roof_arena_used_bytes(const roof_arena *arena);

/* An array with room for one more behind its n items: room doubles when n reaches a power of two, and the old half stays
 * behind. items: what an earlier call gave, NULL for n = 0. NULL when exhausted. */
void *roof_arena_grow(roof_arena *arena, const void *items, size_t n, size_t item_size);

/* A typed allocation reads better and cannot forget the size. */
#define ROOF_NEW(arena, type)          ((type *)roof_arena_alloc((arena), 1, sizeof(type)))
#define ROOF_NEW_ARRAY(arena, type, n) ((type *)roof_arena_alloc((arena), (n), sizeof(type)))

#endif
