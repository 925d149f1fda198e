#include "measure/import/unpack.h"

#include <zlib.h>

enum { BLOCK_BYTES = 1 << 16, LONGEST_CHARACTER = 4, GZIP = 16 };

typedef roof_status (*take_call)(unpacker *u, char *buffer, size_t size, size_t *got, roof_error *err);

struct unpacker {
    import_read read;
    void *context;
    uint64_t n_read, n_given, most_bytes; /* n_read: bytes of the file */
    unsigned char block[BLOCK_BYTES];
    size_t at, end;
    bool ended;
    take_call take; /* NULL: not known yet */
    z_stream stream;
    bool is_open, is_inside; /* the stream was begun; and is between the beginning and the end of a file */
    bool is_big_endian;
    unsigned high; /* first half of a surrogate pair; 0: none */
    char character[LONGEST_CHARACTER];
    const char *next; /* n_next bytes of the character that are not given yet */
    size_t n_next;
};

unpacker *unpack_new(import_read read, void *context, uint64_t most_bytes)
{
    unpacker *u = calloc(1, sizeof *u);
    if (u) {
        u->read = read;
        u->context = context;
        u->most_bytes = most_bytes;
    }
    return u;
}

void unpack_free(unpacker *u)
{
    if (u && u->is_open)
        inflateEnd(&u->stream);
    free(u);
}

/* At least so many bytes behind at, where there are. */
static roof_status want(unpacker *u, size_t n, roof_error *err)
{
    if (u->end - u->at >= n)
        return ROOF_OK;
    memmove(u->block, u->block + u->at, u->end - u->at);
    u->end -= u->at;
    u->at = 0;
    while (!u->ended && u->end < n) {
        size_t got = 0;
        TRY(u->read(u->context, (char *)u->block + u->end, sizeof u->block - u->end, &got, err));
        u->end += got;
        u->n_read += got;
        u->ended = got == 0;
    }
    return ROOF_OK;
}

static uint64_t place(const unpacker *u)
{
    return u->n_read - (u->end - u->at);
}

/* --- as it is ------------------------------------------------------------------------------------------- */

static roof_status take_plain(unpacker *u, char *buffer, size_t size, size_t *got, roof_error *err)
{
    size_t left = u->end - u->at;
    if (!left)
        return u->read(u->context, buffer, size, got, err);
    *got = left < size ? left : size;
    memcpy(buffer, u->block + u->at, *got);
    u->at += *got;
    return ROOF_OK;
}

/* --- gzip ----------------------------------------------------------------------------------------------- */

static bool is_gzip(const unpacker *u)
{
    return u->end - u->at >= 2 && u->block[u->at] == 0x1f && u->block[u->at + 1] == 0x8b;
}

static roof_status take_gzip(unpacker *u, char *buffer, size_t size, size_t *got, roof_error *err)
{
    const size_t most = size < BLOCK_BYTES ? size : BLOCK_BYTES;
    while (!*got) {
        TRY(want(u, u->is_inside ? 1 : 2, err));
        if (u->at == u->end && u->is_inside)
            return error_at(err, ROOF_E_DATA, place(u),
                            "compressed by gzip, and the end is missing: copy the file again");
        if (u->at == u->end)
            return ROOF_OK;
        if (!u->is_inside && !is_gzip(u))
            return error_at(err, ROOF_E_DATA, place(u), "bytes after the end of the gzip data");
        if (!u->is_inside &&
            (u->is_open ? inflateReset(&u->stream) : inflateInit2(&u->stream, MAX_WBITS + GZIP)) != Z_OK)
            return error_memory(err);
        u->is_open = true;
        u->stream.next_in = u->block + u->at;
        u->stream.avail_in = (unsigned)(u->end - u->at);
        u->stream.next_out = (unsigned char *)buffer;
        u->stream.avail_out = (unsigned)most;
        int status = inflate(&u->stream, Z_NO_FLUSH);
        u->at = u->end - u->stream.avail_in;
        *got = most - u->stream.avail_out;
        u->is_inside = status != Z_STREAM_END;
        if (status == Z_MEM_ERROR)
            return error_memory(err);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
            return error_at(err, ROOF_E_DATA, place(u), "compressed by gzip and damaged: %s",
                            u->stream.msg ? u->stream.msg : "want other bytes");
    }
    return ROOF_OK;
}

/* --- UTF-16 --------------------------------------------------------------------------------------------- */

/* The next character; 0 at the end. */
static roof_status take_character(unpacker *u, uint32_t *code, roof_error *err)
{
    *code = 0;
    do {
        TRY(want(u, 2, err));
        size_t left = u->end - u->at;
        if (!left && !u->high)
            return ROOF_OK;
        const unsigned char *p = u->block + u->at;
        unsigned unit = left < 2 ? 0 : u->is_big_endian ? 256U * p[0] + p[1] : 256U * p[1] + p[0];
        bool is_high = unit >= 0xd800 && unit < 0xdc00, is_low = unit >= 0xdc00 && unit < 0xe000;
        if (!unit || is_low != (u->high != 0))
            return error_at(
                err, ROOF_E_DATA, place(u),
                "is not UTF-16, as its byte order mark says; convert the file, for example with iconv");
        *code = is_low ? 0x10000 + ((u->high - 0xd800) << 10 | (unit - 0xdc00)) : unit;
        u->high = is_high ? unit : 0;
        u->at += 2;
    } while (u->high);
    return ROOF_OK;
}

static roof_status take_utf16(unpacker *u, char *buffer, size_t size, size_t *got, roof_error *err)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0}; /* of a character with so many more bytes */
    for (; *got < size; buffer[(*got)++] = *u->next++, u->n_next--) {
        uint32_t code = 0;
        if (u->n_next)
            continue;
        TRY(take_character(u, &code, err));
        if (!code)
            break;
        unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        u->character[0] = (char)(first[more] | code >> 6 * more);
        for (unsigned i = 1; i <= more; i++)
            u->character[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
        u->n_next = more + 1;
        u->next = u->character;
    }
    return ROOF_OK;
}

roof_status unpack_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    unpacker *u = context;
    *got = 0;
    if (!u->take) {
        const unsigned char *p = u->block;
        TRY(want(u, 2, err));
        u->take = is_gzip(u) ? take_gzip : take_plain;
        if (u->end >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff))) {
            u->take = take_utf16;
            u->is_big_endian = p[0] == 0xfe;
            u->at = 2;
        }
    }
    TRY(u->take(u, buffer, size, got, err));
    if (u->take != take_gzip)
        return ROOF_OK;
    if (*got > u->most_bytes - u->n_given)
        return error_set(err, ROOF_E_LIMIT,
                         "compressed, and more than %llu bytes: unpack it and import a part",
                         (unsigned long long)u->most_bytes);
    u->n_given += *got;
    return ROOF_OK;
}
