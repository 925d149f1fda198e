/* model/code/aie/aie_code.h - decoding the control code of AI Engine arrays: a walk over words that follows
 * the DMA engines at the array's edge. roofline/control_code.h says what comes of it. */
#pragma once

#include "core/core.h"
#include "core/bytes.h"
#include "roofline/control_code.h"
#include "roofline/work.h"

/* Words of 32 bits, little-endian, wherever they lie. */
typedef struct aie_words {
    const unsigned char *bytes;
    uint64_t n;
    uint64_t file_offset; /* of the first one, for messages */
} aie_words;

static inline uint32_t aie_word(const aie_words *words, uint64_t i)
{
    return bytes_u32(words->bytes + 4 * i);
}

/* True when the words begin with the header of a transaction (TXN) of so many bytes. */
bool aie_is_txn(const aie_words *words);

/* Decodes a whole stream: a transaction, or AIE2 control code. arena: of what out points to; all but
 * out->layer is filled.
 * Errors: E_DATA with the byte offset of the operation that cannot be, E_LIMIT, E_NO_MEMORY. */
roof_status aie_decode(const aie_words *words, bool is_txn, roof_arena *arena, roof_control_code *out,
                       roof_error *err);

/* Work of the row that has this code: traffic, the busiest ports. Unknown where pushes are unresolved. */
void aie_set_work(const roof_control_code *code, roof_work *work);
