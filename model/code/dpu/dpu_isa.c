#include "model/code/dpu/dpu_isa.h"
#include "core/bytes.h"
#include "core/core.h"

/* A bit field of an instruction; mask 0: the instruction set has no such field, value 0. */
typedef struct bits {
    uint8_t word, low;
    uint32_t mask;
} bits;

/* By its word, lowest bit and width. */
#define B(word, low, width)                                                                                  \
    {                                                                                                        \
        (word), (low), (uint32_t)((UINT64_C(1) << (width)) - 1)                                              \
    }

typedef struct transfer_fields {
    bits channel, length, block_num, jump, reg_id, address, bank_id, bank_address;
} transfer_fields;

struct dpu_isa {
    const char *name;
    uint16_t id;        /* family << 8 | instruction set, as in a fingerprint */
    uint8_t load, save; /* indices into layouts */
    uint8_t compute;    /* into compute_layouts; 0: cycles are unknown */
    bits save_port;
    uint8_t words[16]; /* length by opcode; 0: no such opcode */
};

/* Opcodes are the same in every set, as far as a set has the instruction. */
enum {
    OP_LOAD = 0x0,
    OP_ALUINIT = 0x1,
    OP_ALU = 0x2,
    OP_ALUADDR = 0x3,
    OP_SAVE = 0x4,
    OP_CONVADDR = 0x5,
    OP_POOLINIT = 0x6,
    OP_END = 0x7,
    OP_CONV = 0x8,
    OP_CONVINIT = 0x9,
    OP_DPTWISE = 0xa,
    OP_DWINIT = 0xb,
    OP_POOL = 0xc,
    OP_ELEWINIT = 0xd,
    OP_ELEW = 0xe
};

static const struct {
    dpu_opcode kind;
    uint8_t queue;
} opcodes[16] = {
    [OP_LOAD] = {DPU_LOAD, DPU_QUEUE_LOAD},     [OP_ALUINIT] = {DPU_INIT, DPU_QUEUE_MISC},
    [OP_ALU] = {DPU_ALU, DPU_QUEUE_MISC},       [OP_ALUADDR] = {DPU_INIT, DPU_QUEUE_MISC},
    [OP_SAVE] = {DPU_SAVE, DPU_QUEUE_SAVE},     [OP_CONVADDR] = {DPU_INIT, DPU_QUEUE_CONV},
    [OP_POOLINIT] = {DPU_INIT, DPU_QUEUE_MISC}, [OP_END] = {DPU_END, DPU_QUEUE_SAVE},
    [OP_CONV] = {DPU_CONV, DPU_QUEUE_CONV},     [OP_CONVINIT] = {DPU_INIT, DPU_QUEUE_CONV},
    [OP_DPTWISE] = {DPU_OTHER, DPU_QUEUE_MISC}, [OP_DWINIT] = {DPU_INIT, DPU_QUEUE_MISC},
    [OP_POOL] = {DPU_OTHER, DPU_QUEUE_MISC},    [OP_ELEWINIT] = {DPU_INIT, DPU_QUEUE_MISC},
    [OP_ELEW] = {DPU_ELEW, DPU_QUEUE_MISC},     [15] = {DPU_OTHER, DPU_QUEUE_MISC},
};

/* Fields of what the engines do. The bits of ISA0 are not published: those of CONV and POOL are where ISA1
 * has them, which gives the same cycles for a network that was compiled for both, and the widths and channel
 * groups of the tensors. */
static const struct {
    bits kernel_h, kernel_w, groups, length, weights;
} conv = {B(2, 24, 4), B(3, 24, 4), B(1, 24, 8), B(2, 22, 10), B(2, 0, 12)};

typedef struct compute_fields {
    bits alu_kernel_h, alu_kernel_w, alu_length, alu_groups, alu_mode, alu_rows, alu_weights;
    bits pool_kernel_h, pool_kernel_w, pool_length, pool_groups;
    bits elew_length, elew_groups, elew_rows;
} compute_fields;

enum { COMPUTE_NOT_KNOWN, COMPUTE_ISA0, COMPUTE_ISA1, COMPUTE_LAYOUTS };

static const compute_fields compute_layouts[COMPUTE_LAYOUTS] = {
    [COMPUTE_ISA0] = {.pool_kernel_h = B(0, 10, 3),
                      .pool_kernel_w = B(0, 13, 3),
                      .pool_length = B(2, 6, 10),
                      .pool_groups = B(0, 12, 8),
                      .elew_length = B(1, 12, 10),
                      .elew_groups = B(0, 0, 8)},
    [COMPUTE_ISA1] = {.alu_kernel_w = B(0, 0, 8),
                      .alu_kernel_h = B(0, 8, 8),
                      .alu_mode = B(0, 16, 4),
                      .alu_length = B(2, 0, 11),
                      .alu_groups = B(2, 16, 8),
                      .alu_rows = B(1, 20, 3),
                      .alu_weights = B(3, 14, 14),
                      .elew_length = B(0, 0, 11),
                      .elew_groups = B(2, 17, 8),
                      .elew_rows = B(1, 29, 3)},
};

/* Layouts of LOAD and SAVE, named after the family (V: DPUCVDX8G, V2: DPUCV2DX8G) and their words. */
enum {
    TRANSFER_4,
    LOAD_5,
    SAVE_5,
    LOAD_V_5,
    SAVE_V_4,
    LOAD_V_6,
    SAVE_V_5,
    LOAD_V2_ISA0,
    LOAD_V2_ISA1,
    SAVE_V2
};

/* Tables are read by column. */
/* clang-format off */
static const transfer_fields layouts[] = {
    /*                 channel      length       block_num    jump         reg_id      address     bank_id
     *                 bank_address */
    [TRANSFER_4]   = {B(2, 0, 12),  B(2, 14, 10), B(0, 0, 0),   B(1, 0, 16),  B(3, 29, 3), B(3, 0, 29), B(0, 12, 6), B(0, 0, 12)},
    [LOAD_5]       = {B(2, 10, 14), B(2, 0, 10),  B(0, 0, 0),   B(1, 10, 16), B(3, 0, 3),  B(4, 0, 29), B(0, 14, 6), B(0, 0, 12)},
    [SAVE_5]       = {B(2, 10, 12), B(2, 0, 10),  B(0, 0, 0),   B(1, 10, 16), B(3, 0, 3),  B(4, 0, 29), B(0, 14, 6), B(0, 0, 12)},
    [LOAD_V_5]     = {B(2, 0, 12),  B(2, 14, 10), B(4, 14, 10), B(1, 0, 16),  B(3, 29, 3), B(3, 0, 29), B(0, 14, 6), B(0, 0, 14)},
    [SAVE_V_4]     = {B(2, 0, 12),  B(2, 14, 10), B(0, 0, 0),   B(1, 0, 16),  B(3, 29, 3), B(3, 0, 29), B(0, 14, 6), B(0, 0, 14)},
    [LOAD_V_6]     = {B(3, 10, 14), B(3, 0, 10),  B(2, 0, 10),  B(1, 10, 16), B(4, 0, 3),  B(5, 0, 29), B(0, 14, 6), B(0, 0, 14)},
    [SAVE_V_5]     = {B(2, 10, 12), B(2, 0, 10),  B(0, 0, 0),   B(1, 10, 16), B(3, 0, 3),  B(4, 0, 29), B(0, 14, 6), B(0, 0, 14)},
    [LOAD_V2_ISA0] = {B(3, 0, 15),  B(3, 15, 10), B(1, 19, 10), B(2, 0, 16),  B(2, 24, 8), B(4, 0, 29), B(0, 17, 3), B(0, 0, 17)},
    [LOAD_V2_ISA1] = {B(3, 0, 15),  B(3, 15, 10), B(1, 22, 10), B(2, 0, 16),  B(2, 24, 8), B(4, 0, 29), B(0, 17, 3), B(0, 0, 17)},
    [SAVE_V2]      = {B(2, 0, 12),  B(2, 12, 10), B(0, 0, 0),   B(1, 0, 16),  B(1, 24, 8), B(3, 0, 29), B(0, 0, 0),  B(0, 0, 17)},
};

static const dpu_isa isas[] = {
    /* name               id      LOAD          SAVE        compute            SAVE's port  words of opcode 0
     * to 0xe */
    {"dpuczdx8g_isa0",  0x0100, TRANSFER_4,   TRANSFER_4, COMPUTE_ISA0,      B(0, 18, 2), {4, 0, 0, 0, 4, 0, 2, 1, 5, 4, 5, 3, 5, 2, 3}},
    {"dpuczdx8g_isa1",  0x0101, LOAD_5,       SAVE_5,     COMPUTE_ISA1,      B(1, 29, 2), {5, 6, 5, 0, 5, 0, 2, 1, 5, 4, 5, 3, 5, 3, 3}},
    {"dpucvdx8g_isa1",  0x0601, LOAD_V_5,     SAVE_V_4,   COMPUTE_NOT_KNOWN, B(0, 0, 0),  {5, 5, 5, 0, 4, 0, 2, 1, 5, 6, 5, 4, 5, 2, 3}},
    {"dpucvdx8g_isa2",  0x0602, LOAD_V_5,     SAVE_V_4,   COMPUTE_NOT_KNOWN, B(0, 0, 0),  {5, 6, 5, 0, 4, 0, 2, 1, 5, 6, 5, 4, 5, 2, 3}},
    {"dpucvdx8g_isa3",  0x0603, LOAD_V_6,     SAVE_V_5,   COMPUTE_NOT_KNOWN, B(0, 0, 0),  {6, 6, 5, 0, 5, 0, 2, 1, 5, 6, 5, 4, 5, 3, 3}},
    {"dpucv2dx8g_isa0", 0x0900, LOAD_V2_ISA0, SAVE_V2,    COMPUTE_NOT_KNOWN, B(0, 0, 0),  {6, 8, 3, 3, 4, 2, 0, 1, 3, 9, 0, 0, 0, 0, 0}},
    {"dpucv2dx8g_isa1", 0x0901, LOAD_V2_ISA1, SAVE_V2,    COMPUTE_NOT_KNOWN, B(0, 0, 0),  {6, 8, 2, 3, 4, 3, 0, 1, 2, 7, 0, 0, 0, 0, 0}},
};
/* clang-format on */

const dpu_isa *dpu_isa_of(uint64_t fingerprint)
{
    for (size_t i = 0; i < N_OF(isas); i++)
        if (isas[i].id == fingerprint >> 48)
            return &isas[i];
    return NULL;
}

const char *dpu_isa_name(const dpu_isa *isa)
{
    return isa->name;
}

bool dpu_isa_has_cycles(const dpu_isa *isa)
{
    return isa->compute != COMPUTE_NOT_KNOWN;
}

dpu_decoder dpu_decode(const dpu_isa *isa, const roof_code *code)
{
    const transfer_fields *load = &layouts[isa->load];
    const bits differing[] = {load->address, load->bank_id, load->bank_address};
    dpu_decoder d = {.isa = isa,
                     .next = code->bytes,
                     .end = code->bytes + code->length_bytes,
                     .file_offset = code->file_offset,
                     .conv_kernel_slots = 1,
                     .alu_kernel_slots = 1};
    memset(d.same_bits, 0xff, 4 * (size_t)isa->words[OP_LOAD]);
    for (size_t i = 0; i < N_OF(differing); i++)
        for (unsigned bit = 0; bit < 32; bit++)
            if (differing[i].mask << differing[i].low >> bit & 1)
                d.same_bits[4 * differing[i].word + bit / 8] &= (unsigned char)~(1u << bit % 8);
    return d;
}

static inline uint32_t get(const unsigned char *instruction, bits field)
{
    return bytes_u32(instruction + 4 * (size_t)field.word) >> field.low & field.mask;
}

static void decode_transfer(const unsigned char *p, const transfer_fields *f, dpu_instruction *out)
{
    uint64_t rows = get(p, f->length) + 1ull, row_bytes = get(p, f->channel) + 1ull;
    uint64_t blocks = get(p, f->block_num) + 1ull, jump = get(p, f->jump) + 1ull;
    out->rows = (uint32_t)rows;
    out->row_bytes = (uint32_t)row_bytes;
    out->transfer_bytes = rows * row_bytes * blocks; /* at most 2^10 * 2^15 * 2^10 */
    out->span_bytes = (rows - 1) * jump + row_bytes;
    out->address = get(p, f->address);
    out->reg_id = (int32_t)get(p, f->reg_id);
    out->bank_id = get(p, f->bank_id);
    out->bank_address = get(p, f->bank_address);
    out->is_apart = rows > 1 && jump != row_bytes;
    out->is_timed = true;
}

static inline uint64_t eight_bytes(const unsigned char *p)
{
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
    return eight;
}

/* Eight bytes at a time: nine of ten instructions are a LOAD that repeats one. Behind each there is another
 * instruction. */
static inline bool repeats_load(const dpu_decoder *d, const unsigned char *p, size_t left)
{
    const unsigned char *last = d->last_load, *same = d->same_bits;
    _Static_assert(sizeof d->same_bits == 24, "all words are looked at");
    return last && left >= 24 &&
           !(((eight_bytes(p) ^ eight_bytes(last)) & eight_bytes(same)) |
             ((eight_bytes(p + 8) ^ eight_bytes(last + 8)) & eight_bytes(same + 8)) |
             ((eight_bytes(p + 16) ^ eight_bytes(last + 16)) & eight_bytes(same + 16)));
}

static uint32_t plus_1(const unsigned char *p, bits field)
{
    return get(p, field) + 1;
}

/* exec_mode of a maximum pooling, which is what a POOL is. */
enum { MODE_POOL = 2 };

static void decode_engine(dpu_decoder *d, unsigned opcode, const unsigned char *p, const compute_fields *f,
                          dpu_instruction *out)
{
    uint64_t positions = 0;
    out->is_timed = opcodes[opcode].kind == DPU_INIT || opcode == OP_END;
    if (!dpu_isa_has_cycles(d->isa))
        return;
    /* INITs leave what the engine instructions behind them have in common */
    if (opcode == OP_CONVINIT) {
        d->conv_kernel_slots = plus_1(p, conv.kernel_h) * plus_1(p, conv.kernel_w);
    } else if (opcode == OP_POOLINIT) {
        d->alu_kernel_slots = plus_1(p, f->pool_kernel_h) * plus_1(p, f->pool_kernel_w);
    } else if (opcode == OP_ALUINIT) {
        d->alu_kernel_slots = plus_1(p, f->alu_kernel_h) * plus_1(p, f->alu_kernel_w);
        d->alu_length = plus_1(p, f->alu_length);
        d->alu_groups = plus_1(p, f->alu_groups);
        d->alu_mode = get(p, f->alu_mode);
    }
    if (opcode == OP_CONV) {
        positions = (uint64_t)plus_1(p, conv.length) * plus_1(p, conv.groups);
        out->cycles = positions * d->conv_kernel_slots;
        out->weights_address = get(p, conv.weights);
    } else if (opcode == OP_ALU && f->alu_length.mask) {
        positions = (uint64_t)d->alu_length * d->alu_groups;
        out->cycles = positions * d->alu_kernel_slots;
        out->pixels = positions * plus_1(p, f->alu_rows);
        out->weights_address = get(p, f->alu_weights);
        out->mode = d->alu_mode;
    } else if (opcode == OP_POOL && f->pool_length.mask) {
        positions = (uint64_t)plus_1(p, f->pool_length) * plus_1(p, f->pool_groups);
        out->opcode = DPU_ALU;
        out->cycles = positions * d->alu_kernel_slots;
        out->pixels = positions;
        out->mode = MODE_POOL;
    } else if (opcode == OP_ELEW) {
        positions = (uint64_t)plus_1(p, f->elew_length) * plus_1(p, f->elew_groups);
        out->cycles = positions;
        out->pixels = positions * plus_1(p, f->elew_rows);
    }
    out->is_timed |= positions > 0;
}

static roof_status fail_code(const dpu_decoder *d, roof_error *err, const char *what, unsigned detail)
{
    return error_at(err, ROOF_E_DATA, d->file_offset, "instruction stream of %s: %s (%u)", d->isa->name, what,
                    detail);
}

/* Fields of every instruction of every set: dpdon and dpdby, which ISA0 spells dpby. */
static const bits waits_for = B(0, 24, 4), lets_go = B(0, 20, 4);

/* An instruction that does not repeat the one before it; out of line, as most do repeat it. */
static __attribute__((noinline)) roof_status decode_new(dpu_decoder *d, size_t left, bool *more,
                                                        roof_error *err)
{
    *more = left > 0;
    if (!*more)
        return fail_code(d, err, "it ends without END", 0);
    if (left < 4)
        return fail_code(d, err, "bytes left over", (unsigned)left);
    const unsigned char *instruction = d->next;
    unsigned opcode = bytes_u32(instruction) >> 28;
    unsigned words = d->isa->words[opcode];
    if (!words)
        return fail_code(d, err, "no such opcode", opcode);
    if (left < 4 * (size_t)words)
        return fail_code(d, err, "the last instruction is cut off, opcode", opcode);
    d->in = (dpu_instruction){.opcode = opcodes[opcode].kind,
                              .length_bytes = 4 * words,
                              .queue = opcodes[opcode].queue,
                              .waits_for = (uint8_t)get(instruction, waits_for),
                              .lets_go = (uint8_t)get(instruction, lets_go)};
    if (opcode == OP_LOAD)
        decode_transfer(instruction, &layouts[d->isa->load], &d->in);
    else if (opcode == OP_SAVE)
        decode_transfer(instruction, &layouts[d->isa->save], &d->in);
    else
        decode_engine(d, opcode, instruction, &compute_layouts[d->isa->compute], &d->in);
    if (opcode == OP_SAVE)
        d->in.port = (uint8_t)get(instruction, d->isa->save_port);
    d->last_load = opcode == OP_LOAD ? instruction : NULL;
    if (opcode == OP_END && left != 4)
        return fail_code(d, err, "END stands before the last word, words left", (unsigned)(left / 4 - 1));
    *more = opcode != OP_END;
    return ROOF_OK;
}

roof_status dpu_next(dpu_decoder *d, bool *more, roof_error *err)
{
    const size_t left = (size_t)(d->end - d->next);
    d->in.is_repeated = repeats_load(d, d->next, left);
    if (d->in.is_repeated) {
        const transfer_fields *f = &layouts[d->isa->load];
        d->in.address = get(d->next, f->address);
        d->in.bank_id = get(d->next, f->bank_id);
        d->in.bank_address = get(d->next, f->bank_address);
        d->last_load = d->next;
        *more = true;
    } else {
        TRY(decode_new(d, left, more, err));
    }
    d->next += d->in.length_bytes;
    d->file_offset += d->in.length_bytes;
    return ROOF_OK;
}
