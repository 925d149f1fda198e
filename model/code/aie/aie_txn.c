/* Transactions (TXN): what mlir-aie writes as insts.bin and insts.txt, DynamicDispatch as its operators'
 * .bin, and what lies in .ctrltext of a control ELF.
 *
 * A header of 4 words: major, minor, generation, rows; columns, rows of memory tiles; operations; bytes. Then
 * operations. Only the low byte of an operation's first word is its opcode: the others are memory that nobody
 * cleared.
 * Source: Xilinx/aie-rt, driver/src/common/xaie_txn.h (0.1); Xilinx/mlir-aie, lib/Targets/AIETargetNPU.cpp
 *   (1.0).
 */
#include "model/code/aie/aie_shim.h"

enum { HEADER_WORDS = 4, SHORTEST_OP = 2 };

typedef enum txn_does {
    DOES_WRITE,
    DOES_BLOCK,
    DOES_CONFIGURE,
    DOES_PATCH,
    DOES_SYNC,
    DOES_NOTHING
} txn_does;

/* How an operation of one version lies in words. */
typedef struct txn_op {
    uint32_t from, to;    /* opcodes */
    uint32_t n_words;     /* 0: word length_at says it in bytes */
    uint32_t length_at;   /* where n_words is not 0 as well: that word must say the same; 0: none does */
    uint32_t least_words; /* of those whose length varies */
    uint32_t address_at, value_at, argument_at;
    txn_does does;
} txn_op;

static const txn_op ops_01[] = {
    {0, 0, 6, 5, 6, 2, 4, 0, DOES_WRITE},         {1, 1, 0, 3, 4, 2, 4, 0, DOES_BLOCK},
    {3, 3, 0, 6, 7, 2, 4, 0, DOES_CONFIGURE}, /* 7 words of mlir-aie, 8 of aie-rt */
    {4, 4, 0, 6, 7, 2, 4, 0, DOES_NOTHING},       {7, 7, 0, 6, 7, 2, 4, 0, DOES_NOTHING},
    {0x80, 0x80, 0, 1, 3, 0, 0, 0, DOES_SYNC},    {0x81, 0x81, 0, 1, 11, 6, 0, 8, DOES_PATCH},
    {0x82, 0xff, 0, 1, 2, 0, 0, 0, DOES_NOTHING},
};

static const txn_op ops_10[] = {
    {0, 0, 3, 0, 3, 1, 2, 0, DOES_WRITE},       {1, 1, 0, 2, 3, 1, 3, 0, DOES_BLOCK},
    {3, 3, 4, 0, 4, 1, 2, 0, DOES_CONFIGURE},   {4, 4, 4, 0, 4, 1, 2, 0, DOES_NOTHING},
    {7, 7, 4, 0, 4, 1, 2, 0, DOES_NOTHING},     {0x80, 0x80, 0, 1, 3, 0, 0, 0, DOES_SYNC},
    {0x81, 0x81, 0, 1, 5, 2, 0, 3, DOES_PATCH}, {0x82, 0xff, 0, 1, 2, 0, 0, 0, DOES_NOTHING},
};

static const struct {
    uint32_t major, minor;
    const char *name;
    const txn_op *ops;
    uint32_t n_ops;
} versions[] = {
    {0, 1, "0.1", ops_01, N_OF(ops_01)},
    {1, 0, "1.0", ops_10, N_OF(ops_10)},
};
enum { N_VERSIONS = N_OF(versions) };

static uint32_t version_of(const aie_words *w)
{
    uint32_t first = aie_word(w, 0), v = 0;
    while (v < N_VERSIONS && (versions[v].major != (first & 255) || versions[v].minor != (first >> 8 & 255)))
        v++;
    return v;
}

bool aie_is_txn(const aie_words *w)
{
    if (w->n < HEADER_WORDS || version_of(w) == N_VERSIONS)
        return false;
    uint32_t generation = aie_word(w, 0) >> 16 & 255, shape = aie_word(w, 1);
    return (generation == 3 || generation == 4) && aie_word(w, 0) >> 24 == 6 && (shape >> 8 & 255) == 1 &&
           aie_word(w, 3) >= 4 * HEADER_WORDS && aie_word(w, 3) % 4 == 0;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* The form of the operation at a word, and its length, which the stream holds. */
static roof_status measure_op(const aie_shim *s, uint32_t version, uint64_t at, const txn_op **out,
                              uint64_t *n_words)
{
    uint64_t left = s->words->n - at;
    uint32_t opcode = aie_word(s->words, at) & 255;
    const txn_op *op = versions[version].ops, *const end = op + versions[version].n_ops;
    while (op < end && !(opcode >= op->from && opcode <= op->to))
        op++;
    *out = op;
    if (op == end)
        return AIE_FAIL(s, at, "opcode %" PRIu32 " is not one of version %s", opcode, versions[version].name);
    uint32_t head = op->length_at + 1 > SHORTEST_OP ? op->length_at + 1 : SHORTEST_OP;
    if (left < head || left < op->n_words)
        return AIE_FAIL(s, at, "operation %" PRIu32 " is cut off by the end of the code", opcode);
    uint32_t stated = op->length_at ? aie_word(s->words, at + op->length_at) : 4 * op->n_words;
    *n_words = stated / 4;
    if (stated % 4 || *n_words < op->least_words || (op->n_words && *n_words != op->n_words) ||
        *n_words > left)
        return AIE_FAIL(s, at,
                        "operation %" PRIu32 " is %" PRIu32 " bytes long, want %s%" PRIu32 " of %" PRIu64
                        " that are left",
                        opcode, stated, op->n_words ? "" : "at least ", 4 * op->least_words, 4 * left);
    return ROOF_OK;
}

static roof_status write_word(aie_shim *s, uint64_t address, uint32_t value)
{
    return aie_shim_write(s, (uint32_t)(address >> 25 & 127), (uint32_t)(address >> 20 & 31),
                          (uint32_t)(address & 0xFFFFF), value);
}

static roof_status execute(aie_shim *s, const txn_op *op, uint64_t at, uint64_t n_words)
{
    const aie_words *w = s->words;
    uint32_t address = op->address_at ? aie_word(w, at + op->address_at) : 0;
    uint32_t argument, descriptor, word;
    switch (op->does) {
    case DOES_WRITE:
        return write_word(s, address, aie_word(w, at + op->value_at));
    case DOES_BLOCK:
        for (uint64_t i = op->value_at; i < n_words; i++)
            TRY(write_word(s, address + 4 * (i - op->value_at), aie_word(w, at + i)));
        return ROOF_OK;
    case DOES_CONFIGURE:
        s->out->configuration_bytes += 4;
        return ROOF_OK;
    case DOES_PATCH:
        argument = aie_word(w, at + op->argument_at);
        descriptor = address >> 20 & 31 ? ROOF_NONE : aie_shim_descriptor_at(address & 0xFFFFF, &word);
        if (descriptor == ROOF_NONE || argument == ROOF_NONE)
            return ROOF_OK; /* of an address that no descriptor of the shim holds */
        return aie_shim_name(s, address >> 25, descriptor, argument);
    case DOES_SYNC:
        s->out->syncs++;
        return ROOF_OK;
    case DOES_NOTHING:
        break;
    }
    return ROOF_OK;
}

static roof_status decode_txn(aie_shim *s, roof_arena *arena)
{
    const aie_words *words = s->words;
    const uint32_t version = version_of(words);
    const uint64_t stated = aie_word(words, 2);
    if (aie_word(words, 3) != 4 * words->n)
        return AIE_FAIL(s, 3, "the header says %" PRIu32 " bytes, there are %" PRIu64, aie_word(words, 3),
                        4 * words->n);
    *s->out = (roof_control_code){.format = "txn",
                                  .version = versions[version].name,
                                  .generation = aie_word(words, 0) >> 16 & 255,
                                  .columns = aie_word(words, 1) & 255,
                                  .length_bytes = 4 * words->n};
    for (uint64_t at = HEADER_WORDS, n = 0; at < words->n; at += n) {
        const txn_op *op;
        if (s->out->ops == stated)
            return AIE_FAIL(s, at, "%" PRIu64 " bytes follow the last of the header's %" PRIu64 " operations",
                            4 * (words->n - at), stated);
        TRY(measure_op(s, version, at, &op, &n));
        TRY(execute(s, op, at, n));
        s->out->ops++;
    }
    if (s->out->ops != stated)
        return AIE_FAIL(s, words->n, "the code ends after %" PRIu64 " operations, the header says %" PRIu64,
                        s->out->ops, stated);
    return aie_shim_finish(s, NULL, 0, arena);
}

roof_status aie_decode(const aie_words *words, bool is_txn, roof_arena *arena, roof_control_code *out,
                       roof_error *err)
{
    roof_arena *scratch = arena_new(0);
    aie_shim shim = {.words = words, .out = out, .scratch = scratch, .err = err};
    roof_status status = ALLOCATED(scratch, err);
    THEN(status, (is_txn ? decode_txn : aie_decode_ctrlcode)(&shim, arena));
    arena_free(scratch);
    return status;
}
