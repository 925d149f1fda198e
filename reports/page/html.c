#include "reports/page/html.h"

#include <string.h>

static void put(roof_text *out, const char *text, size_t length)
{
    static const char *const references[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    roof_text_escaped(out, text, length, references);
}

void roof_html_text(roof_text *out, const char *text)
{
    put(out, text, strlen(text));
}

void roof_html_between(roof_text *out, const char *before, const char *text, const char *behind)
{
    roof_text_puts(out, before);
    roof_html_text(out, text);
    roof_text_puts(out, behind);
}

/* Places to break a line at, behind '/' and '_'. */
static void put_breakable(roof_text *out, const char *text, size_t length, bool breaks)
{
    while (length) {
        size_t run = breaks ? 0 : length;
        while (run < length && text[run] != '/' && text[run] != '_')
            run++;
        run += run < length;
        put(out, text, run);
        text += run;
        length -= run;
        if (length)
            roof_text_puts(out, "<wbr>");
    }
}

void roof_html_name(roof_text *out, const char *name, size_t prefix, bool breaks)
{
    size_t length = strlen(name);
    if (prefix >= length)
        prefix = 0;
    roof_text_puts(out, "<code>");
    if (prefix) {
        roof_text_puts(out, "<span class=\"prefix\">");
        put_breakable(out, name, prefix, breaks);
        roof_text_puts(out, breaks ? "</span><wbr>" : "</span>");
    }
    put_breakable(out, name + prefix, length - prefix, breaks);
    roof_text_puts(out, "</code>");
}

void roof_html_quantity(roof_text *out, const char *quantity)
{
    const char *unit = strrchr(quantity, ' ');
    size_t number = unit ? (size_t)(unit - quantity) : strlen(quantity);
    put(out, quantity, number);
    if (!unit || !unit[1])
        return;
    roof_html_between(out, " <span class=\"unit\">", unit + 1, "</span>");
}
