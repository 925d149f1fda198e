/* core/files/sha256.h - SHA-256 as 64 hexadecimal digits and a NUL, to say which file a result is from. */
#pragma once

#include <stddef.h>
#include "roofline/status.h"

enum { SHA256_BYTES = 32, SHA256_HEX_SIZE = 65 };

void sha256_digest(const void *bytes, size_t size, unsigned char digest[SHA256_BYTES]);
void sha256_hex(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE]);

/* SHA-256 of a whole file, read piece by piece. size_bytes: how long it is. Errors: E_NO_INPUT, E_IO; the
 * path is the place. */
roof_status sha256_file(const char *path, char hex[SHA256_HEX_SIZE], uint64_t *size_bytes, roof_error *err);
