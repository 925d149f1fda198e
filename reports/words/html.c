#include "reports/words/html.h"

static void put(textbuf *out, const char *text, size_t length)
{
    static const char *const references[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    text_escaped(out, text, length, references);
}

void html_text(textbuf *out, const char *text)
{
    put(out, text, strlen(text));
}

void html_sentence(textbuf *out, const char *text)
{
    bool is_code = false;
    while (*text) {
        const bool is_option = *text == '-' && (is_code || text[1] == '-');
        const size_t length = *text == '`' || *text == ' ' ? 1 : strcspn(text, "` ");
        if (*text == '`' && (is_code || strchr(text + 1, '`'))) {
            text_puts(out, is_code ? "</code>" : "<code>");
            is_code = !is_code;
        } else {
            text_puts(out, is_option ? "<span class=\"option\">" : "");
            put(out, text, length);
            text_puts(out, is_option ? "</span>" : "");
        }
        text += length;
    }
}

void html_printf(textbuf *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *at = format; *at; at += *at ? 2 : 0) {
        size_t run = strcspn(at, "%");
        text_add(out, at, run);
        at += run;
        const char *text = *at && at[1] == 's' ? va_arg(args, const char *) : NULL;
        if (text)
            html_text(out, text);
        else if (*at && at[1] == 'u')
            text_printf(out, "%u", va_arg(args, unsigned));
        else if (*at && at[1] == '%')
            text_puts(out, "%");
    }
    va_end(args);
}

/* Places to break a line at, behind '/' and '_'. */
static void put_breakable(textbuf *out, const char *text, size_t length, bool breaks)
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
            text_puts(out, "<wbr>");
    }
}

void html_name(textbuf *out, const char *name, size_t prefix, bool breaks)
{
    size_t length = strlen(name);
    if (prefix >= length)
        prefix = 0;
    text_puts(out, "<code>");
    if (prefix) {
        text_puts(out, "<span class=\"prefix\">");
        put_breakable(out, name, prefix, breaks);
        text_puts(out, breaks ? "</span><wbr>" : "</span>");
    }
    put_breakable(out, name + prefix, length - prefix, breaks);
    text_puts(out, "</code>");
}

void html_quantity(textbuf *out, const char *quantity)
{
    const char *unit = strrchr(quantity, ' ');
    put(out, quantity, unit ? (size_t)(unit - quantity) : strlen(quantity));
    if (!unit || !unit[1])
        return;
    html_printf(out, " <span class=\"unit\">%s</span>", unit + 1);
}
