#include "measure/import/fields.h"

enum { BLOCK_BYTES = 1 << 16, ROOM_BYTES = LINE_MAX_BYTES + BLOCK_BYTES };

/* Bytes that were read and not given yet. */
typedef struct line_reader {
    import_read read;
    void *context;
    char *buffer; /* with room for a byte behind its end */
    size_t start, end;
    uint64_t number; /* of the line that was read last */
    bool ended;
} line_reader;

static roof_status fill(line_reader *l, roof_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t got = 0, kept = l->end - l->start;
    if (kept > LINE_MAX_BYTES)
        return error_line(err, ROOF_E_LIMIT, l->number + 1,
                          "a line of more than %d bytes: is this a text file?", LINE_MAX_BYTES);
    if (l->start)
        memmove(l->buffer, l->buffer + l->start, kept);
    l->start = 0;
    TRY(l->read(l->context, l->buffer + kept, BLOCK_BYTES, &got, err));
    l->end = kept + got;
    l->ended = got == 0;
    if (l->number == 0 && l->end >= 3 && memcmp(l->buffer, mark, 3) == 0)
        l->start = 3;
    return ROOF_OK;
}

/* The next line; NULL behind the last. Control characters are no error: logs are full of colours. */
static roof_status next_line(line_reader *l, import_line *out, roof_error *err)
{
    size_t searched = 0, kept;
    char *begin, *newline;
    for (;;) {
        begin = l->buffer + l->start;
        kept = l->end - l->start;
        newline = kept > searched ? memchr(begin + searched, '\n', kept - searched) : NULL;
        if (newline || l->ended)
            break;
        searched = l->number ? kept : 0; /* a byte order mark may move the start */
        TRY(fill(l, err));
    }
    *out = (import_line){.number = l->number};
    if (!newline && !kept)
        return ROOF_OK;
    size_t length = newline ? (size_t)(newline - begin) : kept;
    if (length > LINE_MAX_BYTES)
        return error_line(err, ROOF_E_LIMIT, l->number + 1, "a line of %zu bytes, want at most %d", length,
                          LINE_MAX_BYTES);
    l->start += length + (newline != NULL);
    if (length && begin[length - 1] == '\r')
        length--;
    begin[length] = '\0';
    *out = (import_line){.text = begin, .length = length, .number = ++l->number, .is_open = !newline};
    const char *nul = memchr(begin, '\0', length);
    if (nul)
        return error_line(err, ROOF_E_DATA, out->number, "a NUL byte in column %zu, want text",
                          (size_t)(nul - begin) + 1);
    size_t at = utf8_before(begin, length, UTF8_BAD);
    if (at < length)
        return error_line(err, ROOF_E_DATA, out->number,
                          "byte 0x%02x in column %zu is not UTF-8; convert the file, for example with iconv",
                          (unsigned char)begin[at], at + 1);
    return ROOF_OK;
}

roof_status lines_each(import_read read, void *context, lines_call each, void *target, roof_error *err)
{
    line_reader lines = {.read = read, .context = context, .buffer = malloc(ROOM_BYTES + 1)};
    import_line line = {0};
    roof_status status = lines.buffer ? next_line(&lines, &line, err) : error_memory(err);
    while (status == ROOF_OK && line.text) {
        status = each(target, &line, err);
        if (status == ROOF_OK)
            status = next_line(&lines, &line, err);
        else if (err && err->line == ROOF_UNKNOWN)
            err->line = line.number;
    }
    free(lines.buffer);
    return status;
}
