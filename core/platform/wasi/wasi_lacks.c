/* What wasi-libc lacks. */
#include "core/platform/wasi/lacks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#undef stderr
FILE *wasi_messages;

__attribute__((constructor(101))) static void take_messages(void)
{
    wasi_messages = stderr;
}

/* Of no use: no process is there that a signal could end. */
char *strsignal(int number)
{
    static char text[] = "a signal";
    (void)number;
    return text;
}

typedef struct sorting {
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *context;
} sorting;

/* Without room: the next item goes to its place among those before it. */
static void insert_each(char *items, size_t n, const sorting *s)
{
    for (size_t i = 1; i < n; i++)
        for (char *at = items + i * s->size; at > items && s->compare(at - s->size, at, s->context) > 0;
             at -= s->size)
            for (size_t k = 0; k < s->size; k++) {
                const char byte = at[k];
                at[k] = at[k - s->size];
                at[k - s->size] = byte;
            }
}

/* room: for as many items. */
static void merge_halves(char *items, size_t n, char *room, const sorting *s)
{
    enum { FEW = 4 };
    if (n <= FEW) {
        insert_each(items, n, s);
        return;
    }
    const size_t half = n / 2, size = s->size;
    char *left = room, *right = items + half * size, *end = items + n * size, *to = items;
    merge_halves(items, half, room, s);
    merge_halves(right, n - half, room, s);
    memcpy(room, items, half * size);
    while (left < room + half * size) {
        const bool takes_right = right < end && s->compare(left, right, s->context) > 0;
        memmove(to, takes_right ? right : left, size);
        *(takes_right ? &right : &left) += size;
        to += size;
    }
}

void wasi_sort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
               void *context)
{
    const sorting s = {size, compare, context};
    char *room = n > 1 ? calloc(n, size) : NULL;
    if (room)
        merge_halves(items, n, room, &s);
    else
        insert_each(items, n, &s);
    free(room);
}
