/* The payload of the driver: "COP1", then actions, of which the last one is the command stream. */
#include "core/bytes.h"
#include "core/error.h"
#include "model/code/ethosu/ethosu.h"

#include <inttypes.h>
#include <string.h>

enum { ACTION_CONFIG = 1, ACTION_COMMAND_STREAM = 2, ACTION_NOP = 5 };

const char *ethosu_product_text(ethosu_product product)
{
    static const char *const texts[ETHOSU_PRODUCTS] = {"U55", "U65", "U85"};
    return texts[product];
}

/* The configuration that the stream is for, and its identity: bits 31-28 of the first are the product, 15-8
 * the SHRAM, 3-0 log2 of the MACs per cycle. */
static roof_status read_config(ethosu_payload *p, uint32_t config, uint32_t id, uint64_t at, roof_error *err)
{
    static const struct {
        uint32_t least, most; /* log2 of MACs per cycle */
    } sizes[ETHOSU_PRODUCTS] = {{5, 8}, {8, 9}, {7, 11}};
    const uint32_t product = config >> 28, log2_macs = config & 15;
    if (product >= ETHOSU_PRODUCTS)
        return error_at(err, ROOF_E_UNSUPPORTED, at,
                        "product %" PRIu32 " of the configuration 0x%08" PRIx32
                        ", want 0 (U55), 1 (U65) or 2 (U85)",
                        product, config);
    p->product = (ethosu_product)product;
    if (log2_macs < sizes[product].least || log2_macs > sizes[product].most)
        return error_at(err, ROOF_E_UNSUPPORTED, at,
                        "2^%" PRIu32 " MACs a cycle in the configuration 0x%08" PRIx32 ", want 2^%" PRIu32
                        " to 2^%" PRIu32 " of a %s",
                        log2_macs, config, sizes[product].least, sizes[product].most,
                        ethosu_product_text(p->product));
    p->macs_per_cycle = (uint32_t)1 << log2_macs;
    static const unsigned char u85_cores[] = {1, 1, 2, 4, 4}; /* of 128, 256, ... MACs (Vela, Regor) */
    p->cores = p->product == ETHOSU_U85                               ? u85_cores[log2_macs - 7]
               : p->product == ETHOSU_U65 && p->macs_per_cycle == 512 ? 2
                                                                      : 1;
    p->shram_kib = p->product == ETHOSU_U85 ? 0 : config >> 8 & 255;
    p->arch_major = id >> 28;
    p->arch_minor = id >> 20 & 255;
    p->arch_patch = id >> 16 & 15;
    return ROOF_OK;
}

roof_status ethosu_open(const unsigned char *bytes, uint64_t size, uint64_t file_offset, bool is_whole,
                        ethosu_payload *out, roof_error *err)
{
    uint64_t at = 4;
    bool has_config = false;
    *out = (ethosu_payload){.macs_per_cycle = 0};
    if (size >= 4 && memcmp(bytes, "COP2", 4) == 0)
        return error_at(err, ROOF_E_UNSUPPORTED, file_offset,
                        "a driver payload of format COP2, want COP1: compile it without --cop-format COP2");
    if (size < 4 || memcmp(bytes, "COP1", 4) != 0)
        return error_at(err, ROOF_E_DATA, file_offset,
                        "no driver payload of an Ethos-U, which begins with COP1");
    for (;;) {
        if (size - at < 4)
            return error_at(err, ROOF_E_DATA, file_offset + at,
                            "the driver payload ends before its command stream");
        const uint32_t word = bytes_u32(bytes + at), action = word & 255;
        if (action == ACTION_COMMAND_STREAM)
            break;
        if (action == ACTION_CONFIG) {
            if (size - at < 12)
                return error_at(err, ROOF_E_DATA, file_offset + at,
                                "the configuration of the driver payload is cut off");
            TRY(read_config(out, bytes_u32(bytes + at + 4), bytes_u32(bytes + at + 8), file_offset + at + 4,
                            err));
            has_config = true;
            at += 12;
        } else if (action == ACTION_NOP) {
            at += 4;
        } else {
            return error_at(err, ROOF_E_UNSUPPORTED, file_offset + at,
                            "driver action %" PRIu32 " (word 0x%08" PRIx32
                            "), want 1 (configuration), 2 (command stream) or 5 (none)",
                            action, word);
        }
    }
    const uint32_t word = bytes_u32(bytes + at);
    if (!has_config)
        return error_at(err, ROOF_E_DATA, file_offset + at,
                        "the command stream comes before the configuration that it is for");
    out->n_words = (word >> 8 & 255) << 16 | word >> 16;
    at += 4;
    if (out->n_words > (size - at) / 4)
        return error_at(err, ROOF_E_DATA, file_offset + at - 4,
                        "a command stream of %" PRIu32 " words, and %" PRIu64
                        " bytes are left: the file is truncated or damaged",
                        out->n_words, size - at);
    out->bytes = bytes + at;
    out->file_offset = file_offset + at;
    out->length_bytes = at + 4 * (uint64_t)out->n_words;
    if (is_whole && size != out->length_bytes)
        return error_at(err, ROOF_E_DATA, file_offset + out->length_bytes,
                        "%" PRIu64 " bytes follow the command stream, want none", size - out->length_bytes);
    return ROOF_OK;
}
