#include "reports/paper.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Characters of a word on a terminal, not bytes. */
static size_t columns_of(const char *word, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += (word[i] & 0xc0) != 0x80;
    return n;
}

void roof_wrap(roof_text *out, const char *text, size_t width, size_t indent)
{
    size_t column = 0;
    roof_text shown;
    roof_text_init(&shown, ROOF_TEXT_MAX_BYTES);
    roof_text_shown(&shown, text);
    for (const char *word = shown.length ? shown.bytes : ""; *word;) {
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
    out->failed = out->failed || shown.failed;
    roof_text_free(&shown);
}

void roof_put_wrapped(roof_text *out, const char *text, size_t width, size_t indent)
{
    roof_wrap(out, text, width, indent);
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

/* An underscore inside a word is only an underscore; elsewhere it may begin an emphasis. */
static bool begins_emphasis(const char *text, size_t i)
{
    return text[i] == '_' &&
           !(i && isalnum((unsigned char)text[i - 1]) && isalnum((unsigned char)text[i + 1]));
}

void roof_put_markdown(roof_text *out, const char *text)
{
    static const char *const replacements[128] = {
        ['|'] = "\\|", ['<'] = "\\<", ['>'] = "\\>", ['`'] = "\\`",   ['*'] = "\\*", ['&'] = "\\&",
        ['['] = "\\[", [']'] = "\\]", ['#'] = "\\#", ['\\'] = "\\\\", ['~'] = "\\~"};
    size_t length = strlen(text), put = 0;
    for (size_t i = 0; i <= length; i++)
        if (i == length || begins_emphasis(text, i)) {
            roof_text_escaped(out, text + put, i - put, replacements);
            roof_text_puts(out, i < length ? "\\" : "");
            put = i;
        }
}

void roof_put_markdown_code(roof_text *out, const char *text)
{
    roof_text_puts(out, "<code>");
    roof_put_markdown(out, text); /* what stands between these tags is still Markdown */
    roof_text_puts(out, "</code>");
}
