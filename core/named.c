#include "core/named.h"
#include "core/text.h"

uint32_t named_span_at(const void *items, size_t n, size_t size, size_t at, text_span name)
{
    for (size_t i = 0; i < n && name.text; i++) { /* without items there may be no list */
        const char *own = *(const char *const *)((const char *)items + i * size + at);
        if (own && span_is(name, own))
            return (uint32_t)i;
    }
    return (uint32_t)n;
}

uint32_t named_at(const void *items, size_t n, size_t size, size_t at, const char *name)
{
    return named_span_at(items, n, size, at, name ? span_of(name) : (text_span){NULL, 0});
}

uint32_t named_nearest_at(const void *items, size_t n, size_t size, size_t at, const char *typed)
{
    unsigned least = 3; /* further away it is another word */
    size_t nearest = n;
    for (size_t i = 0; i < n && *typed; i++) {
        const char *name = *(const char *const *)((const char *)items + i * size + at);
        const bool is_beginning = strncmp(name, typed, strlen(typed)) == 0;
        const unsigned d = is_beginning ? 0 : text_edit_distance(typed, name, least);
        if (d < least && d < strlen(name)) {
            least = d;
            nearest = i;
        }
    }
    return (uint32_t)nearest;
}

void *named_span_find(const void *items, size_t n, size_t size, size_t at, text_span name)
{
    const uint32_t i = named_span_at(items, n, size, at, name);
    return i < n ? (char *)items + i * size : NULL;
}

void *named_find(const void *items, size_t n, size_t size, size_t at, const char *name)
{
    return named_span_find(items, n, size, at, name ? span_of(name) : (text_span){NULL, 0});
}
