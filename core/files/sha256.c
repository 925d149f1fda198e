#include "core/files/sha256.h"
#include "core/core.h"
#include "core/files/input.h"

#include <sha2.h>

_Static_assert(SHA256_BYTES == SHA256_DIGEST_LENGTH, "digest");

void sha256_digest(const void *bytes, size_t size, unsigned char digest[SHA256_BYTES])
{
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, size);
    SHA256Final(digest, &context);
}

void sha256_hex(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE])
{
    SHA256Data(bytes, size, hex);
}

roof_status sha256_file(const char *path, char hex[SHA256_HEX_SIZE], uint64_t *size_bytes, roof_error *err)
{
    SHA2_CTX context;
    unsigned char block[4096];
    input_file input;
    size_t got = 1;
    TRY(input_open(path, 0, &input, err));
    SHA256Init(&context);
    roof_status status = ROOF_OK;
    while (status == ROOF_OK && got) {
        status = input_read(&input, (char *)block, sizeof block, &got, err);
        if (status == ROOF_OK)
            SHA256Update(&context, block, got);
    }
    SHA256End(&context, hex);
    *size_bytes = input.read_bytes;
    input_close(&input);
    return error_placed(status, err, "%s", path);
}
