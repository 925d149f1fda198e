/* core/bytes.h - numbers as files hold them, little-endian, wherever they lie. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint32_t bytes_u32(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline double bytes_f32(const unsigned char *b)
{
    const uint32_t bits = bytes_u32(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}
