/* Where one description ends and the next one begins in "kv260,zcu104,mac=2048/cycle,clock=300MHz". */
#include "roofline/hw.h"
#include "core/platform/platform.h"
#include "core/core.h"

static text_span item_at(const char *text)
{
    return (text_span){text, strcspn(text, ",")};
}

static bool is_file_name(text_span item)
{
    static const char *const endings[] = {".json", ".csv"};
    bool is = false;
    for (size_t i = 0; i < N_OF(endings); i++) {
        const size_t length = strlen(endings[i]);
        is |= item.length > length && strncmp(item.text + item.length - length, endings[i], length) == 0;
    }
    return is;
}

/* KEY of KEY=VALUE without blanks around it; no text: it is no item of a description. */
static text_span key_of(text_span item)
{
    const bool is_item = span_has(item, "=") && !is_file_name(item);
    return is_item ? span_trim(span_take_until(&item, "=")) : (text_span){NULL, 0};
}

size_t roof_hw_first_of(const char *list)
{
    const text_span whole = span_of(list), first = item_at(list);
    if (first.length == whole.length || (is_file_name(whole) && os_may(OS_HERE, list, OS_MAY_BE)))
        return whole.length;
    size_t length = first.length;
    bool goes_on = key_of(first).text;
    while (goes_on && list[length]) {
        const text_span next = item_at(list + length + 1), key = key_of(next);
        goes_on = key.text;
        for (size_t at = 0; goes_on && at < length; at += item_at(list + at).length + 1) {
            const text_span before = key_of(item_at(list + at));
            goes_on = !before.text || key.length != before.length ||
                      strncmp(key.text, before.text, key.length) != 0;
        }
        if (goes_on)
            length += 1 + next.length;
    }
    return length;
}
