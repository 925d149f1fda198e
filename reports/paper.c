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

void wrap_text(textbuf *out, const char *text, size_t width, size_t indent)
{
    size_t column = 0;
    textbuf shown;
    text_init(&shown, TEXT_MAX_BYTES);
    text_shown(&shown, text);
    for (const char *word = shown.length ? shown.bytes : ""; *word;) {
        size_t length = strcspn(word, " "), columns = columns_of(word, length);
        if (column && column + 1 + columns > width) {
            text_printf(out, "\n%*s", (int)indent, "");
            column = 0;
        } else if (column) {
            text_puts(out, " ");
            column++;
        }
        text_add(out, word, length);
        column += columns;
        word += length;
        word += *word == ' ';
    }
    out->failed = out->failed || shown.failed;
    text_free(&shown);
}

void put_wrapped(textbuf *out, const char *text, size_t width, size_t indent)
{
    wrap_text(out, text, width, indent);
    text_puts(out, "\n");
}

void put_labelled(textbuf *out, const char *label, const char *text, size_t width)
{
    enum { LABEL_WIDTH = 13 };
    text_printf(out, "%-*s", LABEL_WIDTH, label);
    put_wrapped(out, text, width > (size_t)2 * LABEL_WIDTH ? width - LABEL_WIDTH : LABEL_WIDTH, LABEL_WIDTH);
}

void put_trimmed(textbuf *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n"), end = length;
        while (end && text[end - 1] == ' ')
            end--;
        text_add(out, text, end);
        text_add(out, "\n", 1);
        text += length + (text[length] == '\n');
    }
}

/* An underscore inside a word is only an underscore; elsewhere it may begin an emphasis. */
static bool begins_emphasis(const char *text, size_t i)
{
    return text[i] == '_' &&
           !(i && isalnum((unsigned char)text[i - 1]) && isalnum((unsigned char)text[i + 1]));
}

void put_markdown(textbuf *out, const char *text)
{
    static const char *const replacements[128] = {
        ['|'] = "\\|", ['<'] = "\\<", ['>'] = "\\>", ['`'] = "\\`",   ['*'] = "\\*", ['&'] = "\\&",
        ['['] = "\\[", [']'] = "\\]", ['#'] = "\\#", ['\\'] = "\\\\", ['~'] = "\\~"};
    size_t length = strlen(text), put = 0;
    for (size_t i = 0; i <= length; i++)
        if (i == length || begins_emphasis(text, i)) {
            text_escaped(out, text + put, i - put, replacements);
            text_puts(out, i < length ? "\\" : "");
            put = i;
        }
}

void put_markdown_code(textbuf *out, const char *text)
{
    text_puts(out, "<code>");
    put_markdown(out, text); /* what stands between these tags is still Markdown */
    text_puts(out, "</code>");
}
