#include "measure/lines.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16 };

void lines_init(line_reader *lines, import_read read, void *context)
{
    *lines = (line_reader){.read = read, .context = context};
}

void lines_free(line_reader *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
}

/* Room for one more block behind what is there: what was read is overwritten, and a long line makes the buffer grow. */
static roof_status make_room(line_reader *l, roof_error *err)
{
    size_t kept = l->end - l->start;
    if (kept > LINE_MAX_BYTES)
        return error_line(err, ROOF_E_LIMIT, l->number + 1,
                          "a line of more than %d bytes: is this a text file?", LINE_MAX_BYTES);
    if (l->start) {
        memmove(l->buffer, l->buffer + l->start, kept);
        l->start = 0;
        l->end = kept;
    }
    if (l->room - kept > BLOCK_BYTES)
        return ROOF_OK;
    size_t room = l->room ? 2 * l->room : 2 * (size_t)BLOCK_BYTES;
    char *bigger = realloc(l->buffer, room);
    if (!bigger)
        return error_memory(err);
    l->buffer = bigger;
    l->room = room;
    return ROOF_OK;
}

static roof_status fill(line_reader *l, roof_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t got = 0;
    TRY(make_room(l, err));
    TRY(l->read(l->context, l->buffer + l->end, BLOCK_BYTES, &got, err));
    l->end += got;
    l->ended = got == 0;
    if (l->number == 0 && l->start == 0 && l->end >= 3 && memcmp(l->buffer, mark, 3) == 0)
        l->start = 3;
    return ROOF_OK;
}

/* Control characters are no error: logs are full of colours. */
static roof_status check(const roof_line *line, roof_error *err)
{
    const char *nul = memchr(line->text, '\0', line->length);
    if (nul)
        return error_line(err, ROOF_E_DATA, line->number, "a NUL byte in column %zu, want text",
                          (size_t)(nul - line->text) + 1);
    size_t at = utf8_before(line->text, line->length, UTF8_BAD);
    if (at < line->length)
        return error_line(err, ROOF_E_DATA, line->number,
                          "byte 0x%02x in column %zu is not UTF-8; convert the file, for example with iconv",
                          (unsigned char)line->text[at], at + 1);
    return ROOF_OK;
}

/* length: without the \n. */
static roof_status cut(line_reader *l, size_t length, bool has_newline, roof_line *out, roof_error *err)
{
    char *text = l->buffer + l->start;
    if (length > LINE_MAX_BYTES)
        return error_line(err, ROOF_E_LIMIT, l->number + 1, "a line of %zu bytes, want at most %d", length,
                          LINE_MAX_BYTES);
    l->start += length + has_newline;
    if (length && text[length - 1] == '\r')
        length--;
    text[length] = '\0';
    *out = (roof_line){.text = text, .length = length, .number = ++l->number};
    return check(out, err);
}

roof_status lines_next(line_reader *l, roof_line *out, roof_error *err)
{
    size_t searched = 0;
    for (;;) {
        size_t kept = l->end - l->start;
        char *newline =
            kept > searched ? memchr(l->buffer + l->start + searched, '\n', kept - searched) : NULL;
        if (newline)
            return cut(l, (size_t)(newline - (l->buffer + l->start)), true, out, err);
        if (l->ended && kept)
            return cut(l, kept, false, out, err);
        if (l->ended)
            break;
        searched = kept;
        bool first = l->number == 0;
        TRY(fill(l, err));
        if (first)
            searched = 0; /* a byte order mark may have moved the start */
    }
    *out = (roof_line){.number = l->number};
    return ROOF_OK;
}

roof_status lines_each(import_read read, void *context, lines_call each, void *target, roof_error *err)
{
    line_reader lines;
    roof_line line = {0};
    lines_init(&lines, read, context);
    roof_status status = lines_next(&lines, &line, err);
    while (status == ROOF_OK && line.text) {
        status = each(target, &line, err);
        if (status == ROOF_OK)
            status = lines_next(&lines, &line, err);
        else if (err && err->line == ROOF_UNKNOWN)
            err->line = line.number;
    }
    lines_free(&lines);
    return status;
}
