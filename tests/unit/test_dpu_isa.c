/* Instruction streams, one instruction at a time: lengths by opcode for all seven sets, and fields of
 * instructions that are put together here word by word from the public tables (Xilinx/Vitis-AI,
 * dpu_mc_parser/inc). */
#include "model/code/dpu/dpu_isa.h"
#include "tests/unit/fixture.h"

enum { MOST_WORDS = 24 };

/* Fingerprints whose upper 16 bits name a set. */
#define CZ0 ((uint64_t)0x0100 << 48)
#define CZ1 ((uint64_t)0x0101 << 48)
#define CV1 ((uint64_t)0x0601 << 48)
#define CV2 ((uint64_t)0x0602 << 48)
#define CV3 ((uint64_t)0x0603 << 48)
#define C20 ((uint64_t)0x0900 << 48)
#define C21 ((uint64_t)0x0901 << 48)

typedef struct code_bytes {
    uint8_t bytes[4 * MOST_WORDS];
} code_bytes;

static dpu_decoder decode(uint64_t fingerprint, const uint32_t *words, size_t n, code_bytes *memory)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned b = 0; b < 4; b++)
            memory->bytes[4 * i + b] = (uint8_t)(words[i] >> (8 * b));
    const dpu_isa *isa = dpu_isa_of(fingerprint);
    assert_non_null(isa);
    const roof_code code = {.bytes = memory->bytes, .length_bytes = 4 * n, .file_offset = 1000};
    return dpu_decode(isa, &code);
}

/* ---- sets and lengths ---- */

static const struct {
    uint64_t fingerprint;
    const char *name;
    bool has_cycles;
    uint8_t words[16]; /* by opcode; 0: there is none */
} sets[] = {
    {CZ0, "dpuczdx8g_isa0", true, {4, 0, 0, 0, 4, 0, 2, 1, 5, 4, 5, 3, 5, 2, 3, 0}},
    {CZ1, "dpuczdx8g_isa1", true, {5, 6, 5, 0, 5, 0, 2, 1, 5, 4, 5, 3, 5, 3, 3, 0}},
    {CV1, "dpucvdx8g_isa1", false, {5, 5, 5, 0, 4, 0, 2, 1, 5, 6, 5, 4, 5, 2, 3, 0}},
    {CV2, "dpucvdx8g_isa2", false, {5, 6, 5, 0, 4, 0, 2, 1, 5, 6, 5, 4, 5, 2, 3, 0}},
    {CV3, "dpucvdx8g_isa3", false, {6, 6, 5, 0, 5, 0, 2, 1, 5, 6, 5, 4, 5, 3, 3, 0}},
    {C20, "dpucv2dx8g_isa0", false, {6, 8, 3, 3, 4, 2, 0, 1, 3, 9, 0, 0, 0, 0, 0, 0}},
    {C21, "dpucv2dx8g_isa1", false, {6, 8, 2, 3, 4, 3, 0, 1, 2, 7, 0, 0, 0, 0, 0, 0}},
};

static void sets_are_found_by_the_upper_bits_of_a_fingerprint(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        const dpu_isa *isa = dpu_isa_of(sets[i].fingerprint | 0x123456789abc);
        assert_non_null(isa);
        assert_string_equal(dpu_isa_name(isa), sets[i].name);
        assert_int_equal(dpu_isa_has_cycles(isa), sets[i].has_cycles);
    }
    assert_null(dpu_isa_of(0));
    assert_null(dpu_isa_of(0x40000));            /* Vitis AI 1.1 */
    assert_null(dpu_isa_of(0x020200000000002a)); /* DPUCAHX8H */
    assert_null(dpu_isa_of(0x08000205000943da)); /* AIE2 */
    assert_null(dpu_isa_of(0x0102000000000000)); /* a set that is not there yet */
}

static roof_status next_instruction(dpu_decoder *decoder, dpu_instruction *out, bool *more, roof_error *err)
{
    roof_status status = dpu_next(decoder, more, err);
    *out = decoder->in;
    return status;
}

static void every_opcode_has_its_length(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        for (uint32_t opcode = 0; opcode < 16; opcode++) {
            uint32_t words[MOST_WORDS] = {opcode << 28};
            code_bytes memory;
            dpu_instruction in;
            bool more;
            roof_error err = {0};
            size_t n = sets[i].words[opcode];
            if (n)
                words[n] = 0x7u << 28;
            dpu_decoder d = decode(sets[i].fingerprint, words, opcode == 7 ? 1 : n + 1, &memory);
            roof_status status = next_instruction(&d, &in, &more, &err);
            if (!n) {
                assert_int_equal(status, ROOF_E_DATA);
                continue;
            }
            if (status != ROOF_OK || in.length_bytes != 4 * n || more != (opcode != 7))
                fail_msg("%s, opcode %u: status %d, %u bytes", sets[i].name, opcode, (int)status,
                         in.length_bytes);
            if (opcode != 7)
                assert_int_equal(next_instruction(&d, &in, &more, &err), ROOF_OK);
            assert_int_equal(in.opcode, DPU_END);
            assert_false(more);
        }
    }
}

static void opcodes_have_their_kinds(void **state)
{
    static const struct {
        uint32_t opcode;
        dpu_opcode want;
    } rows[] = {{0x0, DPU_LOAD}, {0x1, DPU_INIT},  {0x2, DPU_ALU},  {0x4, DPU_SAVE}, {0x6, DPU_INIT},
                {0x7, DPU_END},  {0x8, DPU_CONV},  {0x9, DPU_INIT}, {0xb, DPU_INIT}, {0xd, DPU_INIT},
                {0xe, DPU_ELEW}, {0xa, DPU_OTHER}, {0xc, DPU_OTHER}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t words[MOST_WORDS] = {rows[i].opcode << 28};
        code_bytes memory;
        dpu_instruction in;
        bool more;
        dpu_decoder d = decode(CZ1, words, rows[i].opcode == 7 ? 1 : MOST_WORDS, &memory);
        assert_int_equal(next_instruction(&d, &in, &more, NULL), ROOF_OK);
        assert_int_equal(in.opcode, rows[i].want);
    }
}

/* ---- transfers ---- */

/* A field is (value - 1) << lowest bit. */
static const struct transfer {
    const char *name;
    uint64_t fingerprint;
    uint32_t words[6];
    dpu_opcode opcode;
    uint64_t transfer_bytes, address, span_bytes;
    int32_t reg_id;
    uint32_t bank_id, bank_address, rows, row_bytes;
} transfers[] = {
    /* bank_addr 0x123, bank_id 17; jump 1000; channel 300, length 7; address 0x0abcdef, reg 5 */
    {"LOAD of ISA0",
     CZ0,
     {17u << 12 | 0x123, 999, 299 | 6u << 14, 0x00abcdef | 5u << 29},
     DPU_LOAD,
     2100,
     0x00abcdef,
     6 * 1000 + 300,
     5,
     17,
     0x123,
     7,
     300},
    {"SAVE of ISA0",
     CZ0,
     {0x4u << 28 | 17u << 12 | 0x123, 999, 299 | 6u << 14, 0x00abcdef | 5u << 29},
     DPU_SAVE,
     2100,
     0x00abcdef,
     6300,
     5,
     17,
     0x123,
     7,
     300},
    {"the largest LOAD of ISA0",
     CZ0,
     {0x0003f000 | 0xfff, 0xffff, 0xfff | 0x3ffu << 14, 0xffffffff},
     DPU_LOAD,
     1024 * 4096,
     0x1fffffff,
     1023 * 65536 + 4096,
     7,
     63,
     0xfff,
     1024,
     4096},
    /* bank_id from bit 14; jump_read from bit 10 of word 1; length, channel in word 2; reg in word 3, address
     * in word 4 */
    {"LOAD of ISA1",
     CZ1,
     {20u << 14 | 0x345, 1999u << 10 | 0x3ff, 4 | 9999u << 10, 3, 0x01234567},
     DPU_LOAD,
     50000,
     0x01234567,
     4 * 2000 + 10000,
     3,
     20,
     0x345,
     5,
     10000},
    {"SAVE of ISA1",
     CZ1,
     {0x4u << 28 | 20u << 14 | 0x345, 1999u << 10 | 0x3ff, 4 | 1999u << 10, 3, 0x01234567},
     DPU_SAVE,
     10000,
     0x01234567,
     10000,
     3,
     20,
     0x345,
     5,
     2000},
    {"the largest LOAD of ISA1",
     CZ1,
     {0x000fcfff, 0x03ffffff, 0x00ffffff, 0xfffffff8 | 7, 0xffffffff},
     DPU_LOAD,
     1024 * 16384,
     0x1fffffff,
     1023 * 65536 + 16384,
     7,
     63,
     0xfff,
     1024,
     16384},
    {"channels of a SAVE are 12 bits",
     CZ1,
     {0x4u << 28, 0, 0xffffffff, 0, 0},
     DPU_SAVE,
     1024 * 4096,
     0,
     1023 + 4096,
     0,
     0,
     0,
     1024,
     4096},
    /* block_num: 4th of word 4 from bit 14, and the bytes are per block */
    {"LOAD of Versal ISA1",
     CV1,
     {9u << 14 | 0x2345, 99, 63 | 3u << 14, 0x00001000 | 2u << 29, 15u << 14},
     DPU_LOAD,
     4 * 64 * 16,
     0x1000,
     3 * 100 + 64,
     2,
     9,
     0x2345,
     4,
     64},
    {"SAVE of Versal ISA1",
     CV1,
     {0x4u << 28 | 9u << 14, 99, 63 | 3u << 14, 0x00001000 | 2u << 29},
     DPU_SAVE,
     256,
     0x1000,
     364,
     2,
     9,
     0,
     4,
     64},
    {"LOAD of Versal ISA2",
     CV2,
     {9u << 14 | 0x2345, 99, 63 | 3u << 14, 0x00001000 | 2u << 29, 15u << 14},
     DPU_LOAD,
     4 * 64 * 16,
     0x1000,
     364,
     2,
     9,
     0x2345,
     4,
     64},
    {"LOAD of Versal ISA3",
     CV3,
     {9u << 14 | 0x2345, 99u << 10, 0x3ffu << 10 | 15, 3 | 63u << 10, 6, 0x00001000},
     DPU_LOAD,
     4 * 64 * 16,
     0x1000,
     364,
     6,
     9,
     0x2345,
     4,
     64},
    {"SAVE of Versal ISA3",
     CV3,
     {0x4u << 28 | 9u << 14, 99u << 10, 3 | 63u << 10, 6, 0x00001000},
     DPU_SAVE,
     256,
     0x1000,
     364,
     6,
     9,
     0,
     4,
     64},
    /* mt_dst from bit 17; block_num from bit 19, and from bit 22 in ISA1; channel of 15 bits; reg of 8 bits
     * in word 2 */
    {"LOAD of V2 ISA0",
     C20,
     {5u << 17 | 0x1abcd, 15u << 19, 99 | 200u << 24, 19999 | 3u << 15, 0x00001000, 0},
     DPU_LOAD,
     4 * 20000 * 16,
     0x1000,
     300 + 20000,
     200,
     5,
     0x1abcd,
     4,
     20000},
    {"LOAD of V2 ISA1",
     C21,
     {5u << 17 | 0x1abcd, 15u << 22, 99 | 200u << 24, 19999 | 3u << 15, 0x00001000, 0},
     DPU_LOAD,
     4 * 20000 * 16,
     0x1000,
     20300,
     200,
     5,
     0x1abcd,
     4,
     20000},
    {"SAVE of V2",
     C21,
     {0x4u << 28 | 0x1abcd, 99 | 200u << 24, 1999 | 3u << 12, 0x00001000},
     DPU_SAVE,
     4 * 2000,
     0x1000,
     300 + 2000,
     200,
     0,
     0x1abcd,
     4,
     2000},
};

static void transfers_are_taken_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(transfers); i++) {
        const struct transfer *t = &transfers[i];
        code_bytes memory;
        dpu_instruction in;
        bool more;
        dpu_decoder d = decode(t->fingerprint, t->words, COUNT(t->words), &memory);
        assert_int_equal(next_instruction(&d, &in, &more, NULL), ROOF_OK);
        if (in.opcode != t->opcode || in.transfer_bytes != t->transfer_bytes || in.address != t->address ||
            in.span_bytes != t->span_bytes || in.reg_id != t->reg_id || in.bank_id != t->bank_id ||
            in.bank_address != t->bank_address || in.rows != t->rows || in.row_bytes != t->row_bytes)
            fail_msg("%s: %" PRIu64 " B at 0x%" PRIx64 " span %" PRIu64 " reg %d bank %u 0x%x %u x %u",
                     t->name, in.transfer_bytes, in.address, in.span_bytes, in.reg_id, in.bank_id,
                     in.bank_address, in.rows, in.row_bytes);
        assert_int_equal(in.cycles, 0);
    }
}

/* ---- engines of ISA1 ---- */

static void expect(dpu_decoder *d, dpu_opcode opcode, uint64_t cycles, uint64_t pixels)
{
    dpu_instruction in;
    bool more;
    assert_int_equal(next_instruction(d, &in, &more, NULL), ROOF_OK);
    assert_int_equal(in.opcode, opcode);
    assert_int_equal(in.cycles, cycles);
    assert_int_equal(in.pixels, pixels);
}

/* kernel_h in word 2, kernel_w in word 3 of CONVINIT; channel_group in word 1, length in word 2 of CONV. */
static void a_convolution_takes_its_kernel_from_the_init_before(void **state)
{
    static const uint32_t words[] = {0x9u << 28, 0,          2u << 24,
                                     4u << 24, /* 3 high, 5 wide */
                                     0x8u << 28, 11u << 24,  99u << 22 | 0xabc,
                                     0,          0, /* 100 long, 12 groups */
                                     0x8u << 28, 0,          0,
                                     0,          0, /* the kernel stays */
                                     0x9u << 28, 0,          0,
                                     0,          0x8u << 28, 0,
                                     6u << 22,   0,          0};
    code_bytes memory;
    dpu_instruction in;
    bool more;
    (void)state;
    dpu_decoder d = decode(CZ1, words, COUNT(words), &memory);
    expect(&d, DPU_INIT, 0, 0);
    assert_int_equal(next_instruction(&d, &in, &more, NULL), ROOF_OK);
    assert_int_equal(in.cycles, 100 * 12 * 15);
    assert_int_equal(in.weights_address, 0xabc);
    expect(&d, DPU_CONV, 15, 0);
    expect(&d, DPU_INIT, 0, 0);
    expect(&d, DPU_CONV, 7, 0);
}

/* kernel, exec_mode in word 0, length and channel_group in word 2 of ALUINIT; rows in word 1, weights in word
 * 3 of ALU. */
static void the_alu_takes_all_but_rows_from_the_init_before(void **state)
{
    static const uint32_t words[] = {0x1u << 28 | 7u << 16 | 2u << 8 | 6,
                                     0,
                                     49 | 3u << 16,
                                     0,
                                     0,
                                     0, /* 3 x 7, 50, 4, mode 7 */
                                     0x2u << 28,
                                     3u << 20,
                                     0,
                                     0x1234u << 14,
                                     0};
    code_bytes memory;
    dpu_instruction in;
    bool more;
    (void)state;
    dpu_decoder d = decode(CZ1, words, COUNT(words), &memory);
    expect(&d, DPU_INIT, 0, 0);
    assert_int_equal(next_instruction(&d, &in, &more, NULL), ROOF_OK);
    assert_int_equal(in.opcode, DPU_ALU);
    assert_int_equal(in.cycles, 50 * 4 * 21);
    assert_int_equal(in.pixels, 50 * 4 * 4);
    assert_int_equal(in.mode, 7);
    assert_int_equal(in.weights_address, 0x1234);
}

/* length in word 0, rows in word 1, channel_group in word 2. */
static void the_elementwise_engine_counts_positions(void **state)
{
    static const uint32_t words[] = {0xdu << 28, 0, 0, 0xeu << 28 | 27, 2u << 29, 9u << 17, 0xeu << 28, 0, 0};
    code_bytes memory;
    (void)state;
    dpu_decoder d = decode(CZ1, words, COUNT(words), &memory);
    expect(&d, DPU_INIT, 0, 0);
    expect(&d, DPU_ELEW, 28 * 10, 28 * 10 * 3);
    expect(&d, DPU_ELEW, 1, 1);
}

static void the_largest_counts_fill_their_fields(void **state)
{
    static const uint32_t words[] = {0x90000000, 0,          0x0f000000, 0x0f000000,    /* 16 x 16 */
                                     0x80000000, 0xff000000, 0xffc00000, 0,          0, /* 1024, 256 groups */
                                     0x1000ffff, 0,          0x00ff07ff, 0,          0,
                                     0, /* 256 x 256, 2048, 256 */
                                     0x20000000, 0x00700000, 0,          0,          0, /* 8 rows */
                                     0xe00007ff, 0xe0000000, 0x01fe0000};
    code_bytes memory;
    (void)state;
    dpu_decoder d = decode(CZ1, words, COUNT(words), &memory);
    expect(&d, DPU_INIT, 0, 0);
    expect(&d, DPU_CONV, 1024 * 256 * 256, 0);
    expect(&d, DPU_INIT, 0, 0);
    expect(&d, DPU_ALU, (uint64_t)2048 * 256 * 65536, (uint64_t)2048 * 256 * 8);
    expect(&d, DPU_ELEW, 2048 * 256, 2048 * 256 * 8);
}

/* ISA0: what was found from files that were compiled for both sets; lengths and groups in CONV, POOL and ELEW
 * themselves. */
static void the_first_set_has_a_pooling_engine_and_rows_of_its_own(void **state)
{
    static const uint32_t words[] = {0x9u << 28,
                                     0,
                                     2u << 24,
                                     4u << 24, /* 3 high, 5 wide */
                                     0x8u << 28,
                                     11u << 24,
                                     99u << 22,
                                     0,
                                     0, /* 100 long, 12 groups */
                                     0x6u << 28 | 1u << 10 | 2u << 13,
                                     0, /* 2 high, 3 wide */
                                     0xcu << 28 | 7u << 12,
                                     0,
                                     30u << 6,
                                     0,
                                     0, /* 31 long, 8 groups */
                                     0xdu << 28,
                                     0,
                                     0xeu << 28 | 15u,
                                     39u << 12,
                                     0};
    code_bytes memory;
    dpu_instruction in;
    bool more;
    (void)state;
    dpu_decoder d = decode(CZ0, words, COUNT(words), &memory);
    expect(&d, DPU_INIT, 0, 0);
    expect(&d, DPU_CONV, 100 * 12 * 15, 0);
    expect(&d, DPU_INIT, 0, 0);
    expect(&d, DPU_ALU, 31 * 8 * 6, 31 * 8);
    expect(&d, DPU_INIT, 0, 0);
    assert_int_equal(next_instruction(&d, &in, &more, NULL), ROOF_OK);
    assert_int_equal(in.cycles, 40 * 16);
    assert_int_equal(in.queue, DPU_QUEUE_MISC);
}

/* dpdon and dpdby in word 0 of every set; the port of a SAVE where its set has one. */
static void every_instruction_names_whom_it_waits_for(void **state)
{
    static const uint32_t words[] = {0x4u << 28 | 0xau << 24 | 0x5u << 20 | 1u << 18, 1u << 29, 0, 0, 0};
    static const struct {
        uint64_t fingerprint;
        uint8_t port;
    } rows[] = {{CZ0, 1}, {CZ1, 1}, {CV1, 0}, {C21, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        code_bytes memory;
        dpu_instruction in;
        bool more;
        dpu_decoder d = decode(rows[i].fingerprint, words, COUNT(words), &memory);
        assert_int_equal(next_instruction(&d, &in, &more, NULL), ROOF_OK);
        assert_int_equal(in.waits_for, 0xa);
        assert_int_equal(in.lets_go, 0x5);
        assert_int_equal(in.port, rows[i].port);
        assert_int_equal(in.queue, DPU_QUEUE_SAVE);
    }
}

static void sets_without_public_fields_have_no_cycles(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        uint32_t words[MOST_WORDS];
        code_bytes memory;
        if (sets[i].has_cycles)
            continue;
        memset(words, 0xff, sizeof words);
        words[0] = 0x8fffffff;
        dpu_decoder d = decode(sets[i].fingerprint, words, MOST_WORDS, &memory);
        expect(&d, DPU_CONV, 0, 0);
    }
}

/* ---- damaged ---- */

static void damaged_streams_are_refused_where_they_are(void **state)
{
    static const struct {
        const char *name;
        uint64_t fingerprint;
        uint32_t words[8];
        size_t n_bytes;
        const char *want;
    } rows[] = {
        {"nothing",
         CZ1,
         {0},
         0,
         "instruction stream of dpuczdx8g_isa1: it ends without END (0) (byte 0x3e8)"},
        {"three bytes",
         CZ1,
         {0},
         3,
         "instruction stream of dpuczdx8g_isa1: bytes left over (3) (byte 0x3e8)"},
        {"behind END",
         CZ1,
         {0x7u << 28},
         5,
         "instruction stream of dpuczdx8g_isa1: END stands before the last word, words left (0) (byte "
         "0x3e8)"},
        {"END early",
         CZ1,
         {0x7u << 28, 0, 0x7u << 28},
         12,
         "instruction stream of dpuczdx8g_isa1: END stands before the last word, words left (2) (byte "
         "0x3e8)"},
        {"bad opcode",
         CZ1,
         {0xeu << 28, 0, 0, 0x3u << 28},
         16,
         "instruction stream of dpuczdx8g_isa1: no such opcode (3) (byte 0x3f4)"},
        {"no ALU in ISA0",
         CZ0,
         {0x2u << 28, 0, 0, 0, 0},
         20,
         "instruction stream of dpuczdx8g_isa0: no such opcode (2) (byte 0x3e8)"},
        {"cut off",
         CZ1,
         {0xeu << 28, 0, 0, 0x8u << 28, 0, 0, 0},
         28,
         "instruction stream of dpuczdx8g_isa1: the last instruction is cut off, opcode (8) (byte 0x3f4)"},
        {"no END",
         CV3,
         {0xeu << 28, 0, 0},
         12,
         "instruction stream of dpucvdx8g_isa3: it ends without END (0) (byte 0x3f4)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        code_bytes memory;
        dpu_instruction in;
        bool more = true;
        roof_error err = {0};
        roof_status status = ROOF_OK;
        dpu_decoder d = decode(rows[i].fingerprint, rows[i].words, COUNT(rows[i].words), &memory);
        uint8_t *exact = fx_copy(memory.bytes, rows[i].n_bytes);
        d.next = exact;
        d.end = exact + rows[i].n_bytes;
        while (more && status == ROOF_OK)
            status = next_instruction(&d, &in, &more, &err);
        assert_int_equal(status, ROOF_E_DATA);
        if (strcmp(fx_message(&err), rows[i].want) != 0)
            fail_msg("%s: '%s'", rows[i].name, fx_message(&err));
        free(exact);
    }
}

/* Of two LOADs that stand side by side the second is decoded as if it stood alone, whichever bit tells them
 * apart. */
static void a_load_behind_another_is_decoded_as_if_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        const size_t n = sets[i].words[0];
        for (unsigned bit = 0; bit < 32 * n; bit++) {
            uint32_t words[MOST_WORDS] = {0x01234567, 0x89abcdef, 0x0fedcba9,
                                          0x13579bdf, 0x2468ace0, 0x55aa33cc};
            code_bytes memory, memory_alone;
            dpu_instruction alone, behind;
            bool more;
            memcpy(words + n, words, n * sizeof *words);
            words[n + bit / 32] ^= 1u << bit % 32;
            words[2 * n] = 0x7u << 28;
            if (words[n] >> 28) /* it is no LOAD any more */
                continue;
            dpu_decoder d = decode(sets[i].fingerprint, words, 2 * n + 1, &memory);
            dpu_decoder one = decode(sets[i].fingerprint, words + n, n + 1, &memory_alone);
            assert_int_equal(next_instruction(&d, &behind, &more, NULL), ROOF_OK);
            assert_int_equal(next_instruction(&d, &behind, &more, NULL), ROOF_OK);
            assert_int_equal(next_instruction(&one, &alone, &more, NULL), ROOF_OK);
            behind.is_repeated = false;
            if (memcmp(&alone, &behind, sizeof alone) != 0)
                fail_msg("%s, bit %u", sets[i].name, bit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_found_by_the_upper_bits_of_a_fingerprint),
        cmocka_unit_test(every_opcode_has_its_length),
        cmocka_unit_test(opcodes_have_their_kinds),
        cmocka_unit_test(transfers_are_taken_apart),
        cmocka_unit_test(a_convolution_takes_its_kernel_from_the_init_before),
        cmocka_unit_test(the_alu_takes_all_but_rows_from_the_init_before),
        cmocka_unit_test(the_elementwise_engine_counts_positions),
        cmocka_unit_test(the_largest_counts_fill_their_fields),
        cmocka_unit_test(the_first_set_has_a_pooling_engine_and_rows_of_its_own),
        cmocka_unit_test(every_instruction_names_whom_it_waits_for),
        cmocka_unit_test(sets_without_public_fields_have_no_cycles),
        cmocka_unit_test(a_load_behind_another_is_decoded_as_if_alone),
        cmocka_unit_test(damaged_streams_are_refused_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
