/* The control code of AIE2 overlays: mc_code in an .xmodel for a Ryzen AI NPU, and the sequences of xrt-smi.
 *
 * Operations without a header, to the last word. The first word of each has the opcode in bits 31..24, the
 * column in 23..16, the row in 15..8.
 * Source: Xilinx/aiebu, specification/aie2/isa-spec.yaml.
 */
#include "model/code/aie/aie_shim.h"

enum {
    OP_WRITEBD = 1,
    OP_WRITE32 = 2,
    OP_SYNC = 3,
    OP_DUMPDDR = 10,
    OP_WRITESHIMBD = 11,
    OP_DUMP_REGISTER = 18
};

/* Words of each operation; 0: it varies. */
static const uint8_t lengths[] = {1, 0, 3, 2, 8, 3, 10, 11, 4, 9, 44, 9, 9, 3, 2, 4, 1, 1, 0};
enum { N_OPS = N_OF(lengths) };

/* Classes of buffers, by the 4 bits of a descriptor's field. */
static const char *const classes[] = {"ifm", "param", "ofm", "inter", "out2", "ctrl"};
enum { N_CLASSES = N_OF(classes) };

static roof_status execute(aie_shim *s, uint64_t at, uint64_t n)
{
    const aie_words *w = s->words;
    uint32_t first = aie_word(w, at), opcode = first >> 24, column = first >> 16 & 255;
    if (column >= AIE_COLUMNS && (opcode == OP_WRITE32 || opcode == OP_WRITEBD || opcode == OP_WRITESHIMBD))
        return AIE_FAIL(s, at, "it writes into column %" PRIu32 ", want less than %d", column, AIE_COLUMNS);
    switch (opcode) {
    case OP_WRITE32:
        return aie_shim_write(s, column, first >> 8 & 255, aie_word(w, at + 1), aie_word(w, at + 2));
    case OP_WRITEBD:
    case OP_WRITESHIMBD:
        for (uint64_t i = 1; i < n; i++) {
            const uint32_t offset = 0x1D000 + 32 * (first & 15) + 4 * (uint32_t)(i - 1);
            const bool is_shim = opcode == OP_WRITESHIMBD || (first >> 8 & 255) == 0;
            TRY(aie_shim_write(s, column, !is_shim, offset, aie_word(w, at + i)));
        }
        return opcode == OP_WRITESHIMBD ? aie_shim_name(s, column, first & 15, first >> 4 & 15) : ROOF_OK;
    case OP_SYNC:
        s->out->syncs++;
        return ROOF_OK;
    default: /* writes into the array, and what waits, reads or marks */
        if (n > 1 && opcode != OP_DUMPDDR && opcode != OP_DUMP_REGISTER)
            s->out->configuration_bytes += 4 * (n - 1);
        return ROOF_OK;
    }
}

roof_status aie_decode_ctrlcode(aie_shim *s, roof_arena *arena)
{
    const aie_words *w = s->words;
    *s->out = (roof_control_code){
        .format = "aie2_ctrlcode", .generation = ROOF_NONE, .columns = ROOF_NONE, .length_bytes = 4 * w->n};
    for (uint64_t at = 0, n = 0; at < w->n; at += n) {
        const uint32_t first = aie_word(w, at), opcode = first >> 24;
        if (opcode >= N_OPS)
            return AIE_FAIL(s, at, "opcode %" PRIu32 " is not one of AIE2 control code, want less than %d",
                            opcode, N_OPS);
        n = opcode == OP_DUMP_REGISTER ? 1 + 2 * (uint64_t)(first & 0xFFFFFF) : lengths[opcode];
        if (opcode == OP_WRITEBD) /* descriptors of the shim and of memory tiles have 8 words */
            n = (first >> 8 & 255) < 2 ? 9 : 7;
        if (n > w->n - at)
            return AIE_FAIL(s, at, "operation %" PRIu32 " of %" PRIu64 " words is cut off after %" PRIu64,
                            opcode, n, w->n - at);
        TRY(execute(s, at, n));
        s->out->ops++;
    }
    return aie_shim_finish(s, classes, N_CLASSES, arena);
}
