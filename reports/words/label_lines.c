#include "reports/words/label_lines.h"
#include "core/quantity.h"

#include <math.h>

void remarks_add(remarks *r, const char *label, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->arena, format, args);
    va_end(args);
    remark *items = text && *text ? arena_grow(r->arena, r->items, r->n, sizeof *items) : NULL;
    if (!items)
        return;
    r->items = items;
    r->items[r->n++] = (remark){label, text};
}

void remarks_put(const remarks *r, const text_paper *p)
{
    for (size_t i = 0; i < r->n; i++)
        paper_item(p, r->items[i].label, r->items[i].text);
}

const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

const char *say_quantity(roof_arena *arena, double value, const char *unit)
{
    char text[64];
    quantity_format(text, sizeof text, value, unit);
    return text_or_empty(arena_strdup(arena, text));
}

const char *say_count(roof_arena *arena, uint64_t count)
{
    char text[40];
    count_format(text, sizeof text, count);
    return text_or_empty(arena_strdup(arena, text));
}

const char *say_number(roof_arena *arena, double value, int digits)
{
    char text[400] = "?"; /* the largest double has 309 digits */
    if (!isnan(value))
        number_format_fixed(text, sizeof text, value, digits, false);
    return text_or_empty(arena_strdup(arena, text));
}

const char *say_percent(roof_arena *arena, double ratio)
{
    return say_printf(arena, "%s %%", say_number(arena, 100 * ratio, 1));
}

const char *say_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *say_printf(roof_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = text_or_empty(arena_vprintf(arena, format, args));
    va_end(args);
    return text;
}

const char *say_text(roof_arena *arena, textbuf *text)
{
    const char *copy = text->failed ? NULL : arena_strdup(arena, text->bytes ? text->bytes : "");
    text_free(text);
    return copy;
}

const char *say_more(roof_arena *arena, const char *list, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *more = text_or_empty(arena_vprintf(arena, format, args));
    va_end(args);
    return say_printf(arena, "%s%s%s", list, *list ? ", " : "", more);
}
