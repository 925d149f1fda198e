/* Files as shells and gzip leave them: what comes out, and what is damaged or too much. */
#include "measure/import/unpack.h"
#include "core/text.h"
#include "tests/unit/imported.h"

#include <zlib.h>

/* Reads all in pieces; the caller frees the text. */
static roof_status unpacked(const char *bytes, size_t length, size_t piece, uint64_t most_bytes, textbuf *out,
                            roof_error *err)
{
    im_text t = {.bytes = bytes, .length = length, .piece = piece};
    unpacker *u = unpack_new(im_read, &t, most_bytes);
    roof_status status = ROOF_OK;
    size_t got = 1;
    char buffer[100];
    text_init(out, TEXT_MAX_BYTES);
    text_add(out, "", 0);
    assert_non_null(u);
    while (status == ROOF_OK && got) {
        status = unpack_read(u, buffer, piece ? piece : sizeof buffer, &got, err);
        if (status == ROOF_OK)
            text_add(out, buffer, got);
    }
    unpack_free(u);
    return status;
}

static size_t pack(const char *text, size_t length, char *to, size_t room)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)text,
                  .avail_in = (unsigned)length,
                  .next_out = (unsigned char *)to,
                  .avail_out = (unsigned)room};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static void text_comes_out_whatever_it_was_packed_in(void **state)
{
    static const char text[] = "one \xc3\xa4 two \xf0\x9f\x98\x80 three three three three\n";
    char packed[400], both[800];
    size_t n = pack(text, strlen(text), packed, sizeof packed);
    memcpy(both, packed, n);
    memcpy(both + n, packed, n);
    const struct {
        const char *bytes;
        size_t length;
        const char *want;
    } rows[] = {
        {text, strlen(text), text},
        {"", 0, ""},
        {"\x1f", 1, "\x1f"},
        {packed, n, text},
        {both, 2 * n,
         "one \xc3\xa4 two \xf0\x9f\x98\x80 three three three three\none \xc3\xa4 two \xf0\x9f\x98\x80 three "
         "three "
         "three three\n"},
        {"\xff\xfe"
         "a\0\xe4\0\x3d\xd8\x00\xde\x3a\x20",
         12, "a\xc3\xa4\xf0\x9f\x98\x80\xe2\x80\xba"},
        {"\xfe\xff"
         "\0a\0\n",
         6, "a\n"},
        {"\xff\xfe", 2, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 0; piece < 20; piece++) {
            textbuf out;
            roof_error err = {0};
            if (unpacked(rows[i].bytes, rows[i].length, piece, UNPACK_MOST_BYTES, &out, &err) != ROOF_OK)
                fail_msg("%zu: %s", i, fx_message(&err));
            assert_string_equal(out.bytes, rows[i].want);
            text_free(&out);
        }
}

static void what_is_damaged_or_too_much_is_refused(void **state)
{
    static const char text[] = "text text text text text text text text";
    static char zeros[100000];
    char packed[400], damaged[400], longer[410], bomb[1000];
    size_t n = pack(text, strlen(text), packed, sizeof packed),
           n_bomb = pack(zeros, sizeof zeros, bomb, sizeof bomb);
    memcpy(damaged, packed, n);
    damaged[n - 8] ^= 1; /* of the checksum */
    memcpy(longer, packed, n);
    memcpy(longer + n, "text", 5);
    const struct {
        const char *bytes;
        size_t length;
        roof_status status;
        const char *words;
    } rows[] = {
        {packed, n - 1, ROOF_E_DATA, "the end is missing"},
        {packed, 12, ROOF_E_DATA, "the end is missing"},
        {damaged, n, ROOF_E_DATA, "compressed by gzip and damaged"},
        {"\x1f\x8b\x07....", 7, ROOF_E_DATA, "compressed by gzip and damaged"},
        {longer, n + 4, ROOF_E_DATA, "after the end of the gzip data"},
        {bomb, n_bomb, ROOF_E_LIMIT, "more than 50000 bytes"},
        {"\xff\xfe"
         "a",
         3, ROOF_E_DATA, "is not UTF-16"},
        {"\xff\xfe\x3d\xd8"
         "a\0",
         6, ROOF_E_DATA, "is not UTF-16"},
        {"\xff\xfe\x00\xde", 4, ROOF_E_DATA, "is not UTF-16"},
        {"\xff\xfe\x3d\xd8", 4, ROOF_E_DATA, "is not UTF-16"},
        {"\xff\xfe\0\0", 4, ROOF_E_DATA, "is not UTF-16"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf out;
        roof_error err = {0};
        roof_status status = unpacked(rows[i].bytes, rows[i].length, 5, 50000, &out, &err);
        if (status != rows[i].status || !strstr(fx_message(&err), rows[i].words))
            fail_msg("%zu: status %d, %s", i, (int)status, fx_message(&err));
        text_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_comes_out_whatever_it_was_packed_in),
        cmocka_unit_test(what_is_damaged_or_too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
