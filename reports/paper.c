#include "reports/paper.h"

#include <string.h>

/* Characters of a word on a terminal, not bytes. */
static size_t columns_of(const char *word, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += (word[i] & 0xc0) != 0x80;
    return n;
}

void roof_put_wrapped(roof_text *out, const char *text, size_t width, size_t indent)
{
    size_t column = 0;
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " "), columns = columns_of(word, length);
        if (column && column + 1 + columns > width) {
            roof_text_printf(out, "\n%*s", (int)indent, "");
            column = 0;
        } else if (column) {
            roof_text_puts(out, " ");
            column++;
        }
        roof_text_add(out, word, length);
        column += columns;
        word += length;
        word += *word == ' ';
    }
    roof_text_puts(out, "\n");
}

void roof_put_labelled(roof_text *out, const char *label, const char *text, size_t width)
{
    enum { LABEL_WIDTH = 13 };
    roof_text_printf(out, "%-*s", LABEL_WIDTH, label);
    roof_put_wrapped(out, text, width > (size_t)2 * LABEL_WIDTH ? width - LABEL_WIDTH : LABEL_WIDTH,
                     LABEL_WIDTH);
}

void roof_put_trimmed(roof_text *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n"), end = length;
        while (end && text[end - 1] == ' ')
            end--;
        roof_text_add(out, text, end);
        roof_text_add(out, "\n", 1);
        text += length + (text[length] == '\n');
    }
}

void roof_put_markdown_code(roof_text *out, const char *text)
{
    roof_text_puts(out, "<code>");
    for (const char *p = text; *p; p++) {
        const char *escape = *p == '|'   ? "&#124;"
                             : *p == '<' ? "&lt;"
                             : *p == '>' ? "&gt;"
                             : *p == '&' ? "&amp;"
                             : *p == '`' ? "&#96;"
                                         : NULL;
        if (escape)
            roof_text_puts(out, escape);
        else
            roof_text_add(out, p, 1);
    }
    roof_text_puts(out, "</code>");
}

void roof_put_markdown(roof_text *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (strchr("|<>`*_[]\\#", *p))
            roof_text_add(out, "\\", 1);
        roof_text_add(out, p, 1);
    }
}
