#include "core/table/writer.h"
#include "core/utf8.h"

#include <ctype.h>

void writer_wrap(textbuf *out, const char *text, size_t width, size_t indent)
{
    enum { LABEL = 8 }; /* "Next:": a command stays beside it, as does one that no line holds */
    size_t column = 0;
    textbuf shown;
    text_init(&shown, TEXT_MAX_BYTES);
    text_shown(&shown, text);
    for (const char *word = shown.length ? shown.bytes : ""; *word;) {
        /* a command is one word, so that it can be copied */
        const char *end = strncmp(word, "`roofline ", 10) == 0 ? strchr(word + 1, '`') : NULL;
        size_t length = end ? (size_t)(end - word) : 0;
        length += strcspn(word + length, " ");
        const size_t columns = utf8_width(word, length);
        const bool breaks = !end || (column > LABEL && columns <= width);
        if (column && column + 1 + columns > width && breaks) {
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

void writer_put_wrapped(textbuf *out, const char *text, size_t width, size_t indent)
{
    writer_wrap(out, text, width, indent);
    text_puts(out, "\n");
}

static void put_verdict_line(const text_writer *p, const char *sentence, const char *mark)
{
    if (!p->is_markdown) {
        writer_put_wrapped(p->out, sentence, p->width, 0);
        return;
    }
    text_puts(p->out, mark);
    writer_put_markdown(p->out, sentence);
    text_printf(p->out, "%s\n\n", mark);
}

void writer_verdict(const text_writer *p, const char *const *sentences, size_t n)
{
    enum { BEFORE_NEXT = 2 };
    for (size_t i = 0; i < n; i++) {
        put_verdict_line(p, sentences[i], i ? "" : "**");
        if (p->next && i + 1 == (n < BEFORE_NEXT ? n : BEFORE_NEXT))
            put_verdict_line(p, p->next, "");
    }
    text_puts(p->out, p->is_markdown ? "" : "\n");
}

void writer_title(const text_writer *p, const char *title)
{
    text_puts(p->out, p->is_markdown ? "## " : "");
    if (p->is_markdown)
        writer_put_markdown(p->out, title);
    else
        text_shown(p->out, title);
    text_puts(p->out, p->is_markdown ? "\n\n" : "\n");
}

void writer_item(const text_writer *p, const char *label, const char *text)
{
    enum { LABEL_WIDTH = 13 };
    if (p->is_markdown) {
        text_printf(p->out, "- %s: ", label);
        writer_put_markdown(p->out, text);
        text_puts(p->out, "\n");
    } else {
        text_printf(p->out, "%-*s", LABEL_WIDTH, label);
        writer_put_wrapped(p->out, text,
                           p->width > (size_t)2 * LABEL_WIDTH ? p->width - LABEL_WIDTH : LABEL_WIDTH,
                           LABEL_WIDTH);
    }
}

void remarks_add(remarks *r, const char *label, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->arena, format, args);
    va_end(args);
    if (text && *text)
        (void)ARENA_ADD(r->arena, r->items, r->n, NULL, (remark){label, text});
}

void remarks_put(const remarks *r, const text_writer *p)
{
    for (size_t i = 0; i < r->n; i++)
        writer_item(p, r->items[i].label, r->items[i].text);
}

void writer_put_markdown(textbuf *out, const char *text)
{
    static const char *const replacements[128] = {
        ['|'] = "\\|", ['<'] = "\\<", ['>'] = "\\>", ['`'] = "\\`",   ['*'] = "\\*", ['&'] = "\\&",
        ['['] = "\\[", [']'] = "\\]", ['#'] = "\\#", ['\\'] = "\\\\", ['~'] = "\\~"};
    size_t length = strlen(text), put = 0;
    for (size_t i = 0; i <= length; i++)
        /* An underscore inside a word is only an underscore; elsewhere it may begin an emphasis. */
        if (i == length || (text[i] == '_' && !(i && isalnum((unsigned char)text[i - 1]) &&
                                                isalnum((unsigned char)text[i + 1])))) {
            text_escaped(out, text + put, i - put, replacements);
            text_puts(out, i < length ? "\\" : "");
            put = i;
        }
}

void writer_put_markdown_code(textbuf *out, const char *text)
{
    text_puts(out, "<code>");
    writer_put_markdown(out, text); /* what stands between these tags is still Markdown */
    text_puts(out, "</code>");
}
