#include "reports/page/html.h"
#include "core/error.h"

#include <string.h>

/* Good text: all but the five characters is copied in runs. */
static void put_good(roof_text *out, const char *text, size_t length)
{
    static const struct {
        char character;
        const char *reference;
    } references[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    while (length) {
        size_t run = 0;
        while (run < length && !strchr("&<>\"'", text[run]))
            run++;
        roof_text_add(out, text, run);
        text += run;
        length -= run;
        for (size_t i = 0; length && i < sizeof references / sizeof *references; i++)
            if (references[i].character == *text)
                roof_text_puts(out, references[i].reference);
        text += length > 0;
        length -= length > 0;
    }
}

static void put(roof_text *out, const char *text, size_t length)
{
    while (length) {
        size_t good = roof_text_first_bad(text, length);
        put_good(out, text, good);
        text += good;
        length -= good;
        if (!length)
            return;
        roof_text_printf(out, "\\x%02x", (unsigned char)*text);
        text++;
        length--;
    }
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
