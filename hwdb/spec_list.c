/* Where one description ends and the next one begins in "kv260,zcu104,mac=2048/cycle,clock=300MHz". */
#include "roofline/hw.h"
#include "core/platform/platform.h"

#include <string.h>

typedef struct piece {
    const char *text;
    size_t length;
} piece;

static piece piece_at(const char *text)
{
    return (piece){text, strcspn(text, ",")};
}

static bool ends_in(piece p, const char *ending)
{
    const size_t length = strlen(ending);
    return p.length > length && strncmp(p.text + p.length - length, ending, length) == 0;
}

static bool is_file_name(piece p)
{
    return ends_in(p, ".json") || ends_in(p, ".csv");
}

/* KEY of KEY=VALUE without blanks around it; no text: it is no item of a description. */
static piece key_of(piece p)
{
    const char *equals = memchr(p.text, '=', p.length);
    if (!equals || is_file_name(p))
        return (piece){NULL, 0};
    piece key = {p.text, (size_t)(equals - p.text)};
    for (; key.length && *key.text == ' '; key.length--)
        key.text++;
    while (key.length && key.text[key.length - 1] == ' ')
        key.length--;
    return key;
}

size_t roof_hw_first_of(const char *list)
{
    const piece whole = {list, strlen(list)}, first = piece_at(list);
    if (first.length == whole.length || (is_file_name(whole) && os_may(OS_HERE, list, OS_MAY_BE)))
        return whole.length;
    size_t length = first.length;
    bool goes_on = key_of(first).text;
    while (goes_on && list[length]) {
        const piece next = piece_at(list + length + 1), key = key_of(next);
        goes_on = key.text;
        for (size_t at = 0; goes_on && at < length; at += piece_at(list + at).length + 1) {
            const piece before = key_of(piece_at(list + at));
            goes_on = !before.text || key.length != before.length ||
                      strncmp(key.text, before.text, key.length) != 0;
        }
        if (goes_on)
            length += 1 + next.length;
    }
    return length;
}
