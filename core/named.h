/* core/named.h - looks a name up in a short list, one item after the other; namemap.h is for long ones.
 *
 * Items without a name (NULL) are passed over, and a name that is NULL is none of them.
 *
 * Example: const unit *u = NAMED(units, N_OF(units), word, "ms"); NULL: there is no such unit
 */
#pragma once

#include "core/span.h"

#define N_OF(array) (sizeof(array) / sizeof *(array))

/* The index of the first of n items of size bytes, with a text at that many bytes in each, that has the name;
 * n when none has. */
uint32_t named_at(const void *items, size_t n, size_t size, size_t at, const char *name);
uint32_t named_span_at(const void *items, size_t n, size_t size, size_t at, text_span name);

/* Of the item that a mistyped name was meant to be: one that it begins, else the nearest in spelling; n where
 * none is near. */
uint32_t named_nearest_at(const void *items, size_t n, size_t size, size_t at, const char *typed);

/* The item; NULL: none. It is not const, as with bsearch. */
void *named_find(const void *items, size_t n, size_t size, size_t at, const char *name);
void *named_span_find(const void *items, size_t n, size_t size, size_t at, text_span name);

/* Defines the function that says the word of a value; otherwise: of one without a word.
 * NOLINTBEGIN(bugprone-macro-parentheses): a type, and the name of a parameter */
#define WORD_OF(function, type, value, otherwise, ...)                                                       \
    const char *function(type value)                                                                         \
    {                                                                                                        \
        static const char *const words[] = {__VA_ARGS__};                                                    \
        return (unsigned)(value) < N_OF(words) ? words[value] : (otherwise);                                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Arguments for items whose member is the name; one that is an array of characters does not compile. */
/* clang-format off */
#define NAMED_BY(items, member)                                                                           \
    sizeof *(items), _Generic(&(items)->member, char **: 1, const char **: 1,                                \
                              char *const *: 1, const char *const *: 1) *                                    \
                         offsetof(__typeof__(*(items)), member)
/* clang-format on */
#define NAMED(items, n, member, name)         named_find((items), (n), NAMED_BY(items, member), (name))
#define NAMED_AT(items, n, member, name)      named_at((items), (n), NAMED_BY(items, member), (name))
#define NEAREST_AT(items, n, member, typed)   named_nearest_at((items), (n), NAMED_BY(items, member), (typed))
#define NAMED_SPAN(items, n, member, name)    named_span_find((items), (n), NAMED_BY(items, member), (name))
#define NAMED_SPAN_AT(items, n, member, name) named_span_at((items), (n), NAMED_BY(items, member), (name))

/* The same for a list of words: */
#define WORD_AT(words, n, word) named_at((words), (n), sizeof *(words), 0, (word))
#define SPAN_AT(words, n, word) named_span_at((words), (n), sizeof *(words), 0, (word))

/* True where the word is in a table of words. */
#define IS_ONE_OF(words, word)      (WORD_AT(words, N_OF(words), word) < N_OF(words))
#define SPAN_IS_ONE_OF(words, word) (SPAN_AT(words, N_OF(words), word) < N_OF(words))
