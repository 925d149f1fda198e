/* Command streams of an Ethos-U, made up: what launches read from registers, which of them are one layer,
 * and what is refused, with its byte. */
#include "model/code/ethosu/ethosu.h"
#include "tests/support/ethosu_writer.h"
#include "tests/unit/fixture.h"

#include <string.h>

typedef struct decoded {
    roof_arena *arena;
    ethosu_stream stream;
} decoded;

static roof_status try_decode(const unsigned char *bytes, size_t size, bool is_regor, decoded *out,
                              roof_error *err)
{
    ethosu_payload payload;
    roof_status status = ethosu_open(bytes, size, 0, true, &payload, err);
    out->arena = arena_new(0);
    return status == ROOF_OK ? ethosu_decode(&payload, is_regor, out->arena, &out->stream, err) : status;
}

static decoded decode(const euw_network *net, bool is_regor)
{
    size_t size;
    unsigned char *bytes = euw_write(net, &size);
    decoded d;
    roof_error err = {0};
    if (try_decode(bytes, size, is_regor, &d, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    free(bytes);
    return d;
}

/* ---- launches ---- */

static void registers_become_what_a_launch_reads_and_makes(void **state)
{
    (void)state;
    static const euw_launch launches[] = {
        {EUW_CONV, .ifm = {2, 64, 9, 10, 20, .is_bricked = true}, .ofm = {1, 4096, 5, 5, 8, .bits = 16},
         .kernel = 3, .stride = 2, .top = 1, .left = 1, .bottom = 1, .block_h = 4, .block_w = 2,
         .block_d = 32, .weights = {0, 16, 1440}, .scales = {0, 1456, 80}},
        {EUW_POOL, ETHOSU_POOL_REDUCE_SUM, .ifm = {1, 0, 4, 6, 10, .bits = 32},
         .ofm = {1, 512, 4, 6, 1, .bits = 32}},
        {EUW_DEPTHWISE, .ifm = EUW_MAP(1, 0, 9, 9, 4), .ofm = EUW_MAP(1, 400, 5, 5, 4), .kernel = 3,
         .dilation = 2, .weights = {0, 0, 64}, .scales = {0, 64, 48}},
        {EUW_ELEMENTWISE, ETHOSU_MUL, .ifm = EUW_MAP(1, 0, 4, 4, 8), .ifm2 = EUW_MAP(1, 128, 1, 4, 1),
         .ofm = EUW_MAP(1, 256, 4, 4, 8), .broadcast2 = 5},
        {EUW_CONV, .ifm = EUW_MAP(1, 0, 4, 4, 2), .ofm = EUW_MAP(1, 256, 7, 7, 3), .kernel = 2, .bottom = 1,
         .right = 1, .upscale = 2, .weights = {0, 0, 32}, .scales = {0, 64, 48}},
        {EUW_POOL, ETHOSU_POOL_MAX, .ifm = EUW_MAP(1, 0, 9, 9, 4), .ofm = EUW_MAP(1, 400, 3, 3, 4),
         .kernel = 3, .stride = 3},
        {EUW_ELEMENTWISE, ETHOSU_SUB, .ifm = EUW_MAP(1, 0, 4, 4, 8), .ifm2 = EUW_MAP(1, 128, 4, 4, 8),
         .ofm = EUW_MAP(1, 256, 4, 4, 8), .broadcast2 = 0x80},
    };
    const euw_network net = {EUW_U55_256, launches, COUNT(launches)};
    decoded d = decode(&net, false);
    const ethosu_launch *l = d.stream.launches;
    assert_int_equal(d.stream.payload.macs_per_cycle, 256);
    assert_int_equal(d.stream.payload.shram_kib, 48);
    assert_int_equal(d.stream.n_launches, COUNT(launches));
    static const struct {
        uint32_t ifm[3];
        uint64_t macs;
    } want[] = {{{9, 10, 20}, 5 * 5 * 8 * 9 * 20},
                {{4, 6, 10}, 4 * 6 * 10},
                {{9, 9, 4}, 5 * 5 * 4 * 9},
                {{4, 4, 8}, 0},
                {{4, 4, 2}, 7 * 7 * 3 * 4 * 2},
                {{9, 9, 4}, 3 * 3 * 4 * 9},
                {{4, 4, 8}, 0}};
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(l[i].ifm.height, want[i].ifm[0]);
        assert_int_equal(l[i].ifm.width, want[i].ifm[1]);
        assert_int_equal(l[i].ifm.depth, want[i].ifm[2]);
        assert_int_equal(l[i].macs, want[i].macs);
    }
    assert_int_equal(l[0].ifm.layout, ETHOSU_NHCWB16);
    assert_int_equal(l[0].ifm.stride_y, 2 * 10 * 16);
    assert_int_equal(l[0].ofm.element_bits, 16);
    assert_int_equal(l[0].ifm.region, 2);
    assert_int_equal(l[0].block_h * 10000 + l[0].block_w * 100 + l[0].block_d, 40232);
    assert_int_equal(l[0].weights[0].bytes, 1440);
    assert_int_equal(l[1].weights[0].bytes, 0); /* the registers are still set, and no pooling reads them */
    assert_int_equal(l[2].dilation_h, 2);
    assert_int_equal(l[2].kernel_h, 3);
    assert_int_equal(l[3].ifm2.height * 100 + l[3].ifm2.width * 10 + l[3].ifm2.depth, 141);
    assert_int_equal(l[5].stride_w, 3);
    /* IFM of bricks, so that 20 channels are 32; a scalar is read from nowhere */
    assert_int_equal(d.stream.groups[0].moved[ETHOSU_SCRATCH_FAST].read_bytes, 9 * 10 * 32);
    assert_int_equal(d.stream.groups[0].moved[ETHOSU_READ_ONLY].read_bytes, 1440 + 80);
    assert_int_equal(d.stream.groups[0].moved[ETHOSU_SCRATCH].write_bytes, 5 * 5 * 8 * 2);
    assert_int_equal(d.stream.groups[3].moved[ETHOSU_SCRATCH].read_bytes, 4 * 4 * 8 + 4);
    assert_int_equal(d.stream.groups[6].moved[ETHOSU_SCRATCH].read_bytes, 4 * 4 * 8);
    arena_free(d.arena);
}

/* A U55's bits 15-14 of the OFM's precision are how it is scaled, a U85's where it is. */
static void sparse_weights_and_chains_are_those_of_a_u85(void **state)
{
    (void)state;
    static const euw_launch launches[] = {
        {EUW_CONV, .ifm = EUW_MAP(1, 0, 4, 4, 8), .ofm = EUW_MAP(1, 512, 4, 4, 8), .kernel = 1,
         .weight_format = 0x10, .weights = {0, 0, 64}, .scales = {0, 64, 48}},
        {EUW_DEPTHWISE, .ifm = EUW_MAP(1, 0, 4, 4, 8), .ofm = {3, 0, 4, 4, 8, .storage = EUW_CHAINED},
         .weights = {0, 0, 64}, .scales = {0, 64, 48}},
        {EUW_ELEMENTWISE, ETHOSU_ADD, .ifm = {3, 0, 4, 4, 8, .storage = EUW_CHAINED},
         .ifm2 = {0, 0, 1, 1, 1, .storage = EUW_NOWHERE}, .ofm = EUW_MAP(1, 1024, 4, 4, 8), .broadcast2 = 8},
    };
    const euw_network net = {EUW_U85_256, launches, COUNT(launches)};
    decoded d = decode(&net, true);
    assert_int_equal(d.stream.launches[0].macs, 4 * 4 * 8 * 8 / 2);
    assert_int_equal(d.stream.launches[0].skipped_macs, 4 * 4 * 8 * 8 / 2);
    assert_true(d.stream.launches[2].ifm2_is_scalar);
    assert_int_equal(d.stream.n_groups, 2);
    assert_true(d.stream.groups[1].is_chained);
    /* what stays in the core is moved nowhere */
    assert_int_equal(d.stream.groups[1].moved[ETHOSU_SCRATCH].read_bytes, 128);
    assert_int_equal(d.stream.groups[1].moved[ETHOSU_SCRATCH].write_bytes, 128);
    arena_free(d.arena);
}

/* ---- layers ---- */

#define WEIGHTS(base)                .weights = {1, (base), 64}, .scales = {1, (base) + 64, 16}
#define ROWS(base, y, rows, columns) EUW_MAP(1, (base) + (y) * (columns)*16, (rows), (columns), 16)
#define STRIPE(in, out, y)                                                                                   \
    {                                                                                                        \
        EUW_CONV, .ifm = ROWS(in, y, 2, 8), .ofm = ROWS(out, y, 2, 8), .weights = {0, (out), 64},            \
                  .scales = {                                                                                \
                      0,                                                                                     \
                      (out) + 64,                                                                            \
                      16                                                                                     \
                  }                                                                                          \
    }
#define SUM(in, out, y)                                                                                      \
    {                                                                                                        \
        EUW_ELEMENTWISE, ETHOSU_ADD, .ifm = ROWS(in, y, 2, 8), .ifm2 = ROWS(in, y, 2, 8),                    \
                                     .ofm = ROWS(out, y, 2, 8)                                               \
    }

enum { MOST = 6 };

static void launches_are_one_layer_by_registers_and_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint32_t config;
        bool is_regor;
        euw_launch launches[MOST];
        uint32_t groups, of[MOST]; /* of each launch */
        uint64_t ofm[3];           /* of the first group */
    } rows[] = {
        {"slices, each with weights of its own",
         0,
         false,
         {{EUW_CONV, .ifm = ROWS(0, 0, 8, 8), .ofm = {1, 4096, 8, 8, 16, .full_d = 40}, WEIGHTS(8192)},
          {EUW_CONV, .ifm = ROWS(0, 0, 8, 8), .ofm = {1, 4112, 8, 8, 16, .full_d = 40}, WEIGHTS(8400)},
          {EUW_CONV, .ifm = ROWS(0, 0, 8, 8), .ofm = {1, 4128, 8, 8, 8, .full_d = 40}, WEIGHTS(8192)}},
         1,
         {0, 0, 0},
         {8, 8, 40}},
        {"slices of bricks",
         0,
         false,
         {{EUW_CONV, .ifm = ROWS(0, 0, 8, 8), .ofm = {1, 4096, 8, 8, 32, .full_d = 48, .is_bricked = true},
           WEIGHTS(8192)},
          {EUW_CONV, .ifm = ROWS(0, 0, 8, 8),
           .ofm = {1, 4096 + 2 * 8 * 16, 8, 8, 16, .full_d = 48, .is_bricked = true}, WEIGHTS(8400)}},
         1,
         {0, 0},
         {8, 8, 48}},
        {"the same weights at the same place, brought anew",
         0,
         false,
         {{EUW_DMA, .from = {0, 0, 80}, .to_region = 1, .to_base = 8192},
          {EUW_CONV, .ifm = ROWS(0, 0, 8, 8), .ofm = {1, 4096, 8, 8, 16, .full_d = 32}, WEIGHTS(8192)},
          {EUW_DMA, .from = {0, 80, 80}, .to_region = 1, .to_base = 8192},
          {EUW_CONV, .ifm = ROWS(0, 0, 8, 8), .ofm = {1, 4112, 8, 8, 16, .full_d = 32}, WEIGHTS(8192)}},
         1,
         {0, 0, 0, 0},
         {8, 8, 32}},
        {"two convolutions of two inputs",
         0,
         false,
         {{EUW_CONV, .ifm = ROWS(0, 0, 8, 8), .ofm = {1, 4096, 8, 8, 16, .full_d = 32}, WEIGHTS(8192)},
          {EUW_CONV, .ifm = ROWS(1024, 0, 8, 8), .ofm = {1, 4112, 8, 8, 16, .full_d = 32}, WEIGHTS(8400)}},
         2,
         {0, 1},
         {8, 8, 16}},
        {"stripes of a cascade of two",
         0,
         false,
         {STRIPE(0, 2048, 0), STRIPE(2048, 4096, 0), STRIPE(0, 2048, 2), STRIPE(2048, 4096, 2)},
         2,
         {0, 1, 0, 1},
         {4, 8, 16}},
        {"stripes into a buffer that rolls",
         0,
         false,
         {STRIPE(0, 2048, 0), STRIPE(2048, 4096, 0), STRIPE(0, 2048, 0), STRIPE(2048, 4096, 2)},
         2,
         {0, 1, 0, 1},
         {4, 8, 16}},
        {"the same launch twice, with nothing in between",
         0,
         false,
         {STRIPE(0, 2048, 0), STRIPE(0, 2048, 0)},
         2,
         {0, 1},
         {2, 8, 16}},
        {"stripes of other weights",
         0,
         false,
         {{EUW_CONV, .ifm = ROWS(0, 0, 2, 8), .ofm = ROWS(4096, 0, 2, 8), WEIGHTS(8192)},
          {EUW_CONV, .ifm = ROWS(0, 2, 2, 8), .ofm = ROWS(4096, 2, 2, 8), WEIGHTS(8400)}},
         2,
         {0, 1},
         {2, 8, 16}},
        {"stripes of weights that were brought anew",
         0,
         false,
         {{EUW_DMA, .from = {0, 0, 80}, .to_region = 1, .to_base = 8192},
          {EUW_CONV, .ifm = ROWS(0, 0, 2, 8), .ofm = ROWS(4096, 0, 2, 8), WEIGHTS(8192)},
          {EUW_DMA, .from = {0, 80, 80}, .to_region = 1, .to_base = 8192},
          {EUW_CONV, .ifm = ROWS(0, 2, 2, 8), .ofm = ROWS(4096, 2, 2, 8), WEIGHTS(8192)}},
         2,
         {0, 0, 1, 1},
         {2, 8, 16}},
        {"products of a batch",
         0,
         false,
         {{EUW_CONV, .ifm = EUW_MAP(1, 0, 1, 1, 16), .ofm = EUW_MAP(1, 4096, 1, 1, 16), WEIGHTS(8192)},
          {EUW_CONV, .ifm = EUW_MAP(1, 16, 1, 1, 16), .ofm = EUW_MAP(1, 4112, 1, 1, 16), WEIGHTS(8192)}},
         2,
         {0, 1},
         {1, 1, 16}},
        {"a U55, whose bits of storage are how it scales",
         0,
         false,
         {{EUW_ELEMENTWISE, ETHOSU_ADD, .ifm = ROWS(0, 0, 2, 8), .ifm2 = ROWS(0, 0, 2, 8),
           .ofm = {1, 0, 2, 8, 16, .storage = EUW_CHAINED}},
          SUM(0, 2048, 0)},
         2,
         {0, 1},
         {2, 8, 16}},
        {"sums that take turns, of the Python core",
         0,
         false,
         {SUM(0, 2048, 0), STRIPE(2048, 4096, 0), SUM(0, 2048, 2), STRIPE(2048, 4096, 2)},
         2,
         {0, 1, 0, 1},
         {4, 8, 16}},
        {"sums that take turns, of Regor",
         0,
         true,
         {SUM(0, 2048, 0), STRIPE(2048, 4096, 0), SUM(0, 2048, 2), STRIPE(2048, 4096, 2)},
         3,
         {0, 1, 2, 1},
         {2, 8, 16}},
        {"sums one behind the other", 0, false, {SUM(0, 2048, 0), SUM(0, 2048, 2)}, 2, {0, 1}, {2, 8, 16}},
        {"a table, a copy, and a DMA for nobody",
         0,
         false,
         {{EUW_DMA, .from = {0, 0, 256}, .to_region = EUW_LUT},
          {EUW_DMA, .from = {1, 0, 64}, .to_region = 1, .to_base = 512},
          SUM(0, 2048, 0),
          {EUW_DMA, .from = {0, 256, 16}, .to_region = 1, .to_base = 64}},
         3,
         {1, 0, 1, 2},
         {0, 0, 0}},
        {"a chain, and what follows it",
         EUW_U85_256,
         true,
         {{EUW_CONV, .ifm = ROWS(0, 0, 2, 8), .ofm = {0, 0, 2, 8, 16, .storage = EUW_CHAINED}, WEIGHTS(8192)},
          {EUW_ELEMENTWISE, ETHOSU_ADD, .ifm = {0, 0, 2, 8, 16, .storage = EUW_CHAINED},
           .ifm2 = ROWS(0, 0, 2, 8), .ofm = {1, 0, 2, 8, 16, .storage = EUW_CHAINED}},
          {EUW_ELEMENTWISE, ETHOSU_MUL, .ifm = {1, 0, 2, 8, 16, .storage = EUW_CHAINED},
           .ifm2 = ROWS(0, 0, 2, 8), .ofm = ROWS(2048, 0, 2, 8)},
          SUM(2048, 4096, 0)},
         2,
         {0, 0, 0, 1},
         {2, 8, 16}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        euw_network net = {rows[i].config, rows[i].launches, 0};
        while (net.n_launches < MOST && rows[i].launches[net.n_launches].opcode)
            net.n_launches++;
        decoded d = decode(&net, rows[i].is_regor);
        uint64_t macs = 0, members = 0;
        if (d.stream.n_groups != rows[i].groups)
            fail_msg("%s: %u layers, want %u", rows[i].what, d.stream.n_groups, rows[i].groups);
        for (uint32_t k = 0; k < d.stream.n_launches; k++) {
            macs += d.stream.launches[k].macs;
            if (d.stream.launches[k].group != rows[i].of[k])
                fail_msg("%s: launch %u is of layer %u, want %u", rows[i].what, k, d.stream.launches[k].group,
                         rows[i].of[k]);
        }
        for (uint32_t k = 0; k < d.stream.n_groups; k++) {
            const ethosu_group *g = &d.stream.groups[k];
            macs -= g->macs;
            for (uint32_t m = 0; m < g->n_members; m++, members++)
                assert_int_equal(d.stream.launches[g->members[m]].group, k);
        }
        assert_int_equal(macs, 0);
        assert_int_equal(members, d.stream.n_launches);
        const ethosu_extent *ofm = &d.stream.groups[0].ofm;
        if (ofm->height != rows[i].ofm[0] || ofm->width != rows[i].ofm[1] || ofm->depth != rows[i].ofm[2])
            fail_msg("%s: the OFM is %ux%ux%u", rows[i].what, (unsigned)ofm->height, (unsigned)ofm->width,
                     (unsigned)ofm->depth);
        arena_free(d.arena);
    }
}

/* ---- what is refused ---- */

typedef struct refusal {
    const char *what;
    uint32_t words[16]; /* of a payload up to the first 0 behind n_words */
    uint32_t n_words;
    roof_status status;
    uint64_t byte;
    const char *text;
} refusal;

#define HEADER(config, n) 0x31504F43, 1, (config), 0x10060000, 2 | (n) << 16
#define STOP              0xFFFF0000

static void what_is_damaged_is_refused_with_its_byte(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {"nothing", {0}, 0, ROOF_E_DATA, 0, "no driver payload"},
        {"another magic", {0x31504F44}, 1, ROOF_E_DATA, 0, "begins with COP1"},
        {"COP2", {0x32504F43, 1}, 2, ROOF_E_UNSUPPORTED, 0, "COP2"},
        {"COP1 alone", {0x31504F43}, 1, ROOF_E_DATA, 4, "ends before its command stream"},
        {"a register that is read", {0x31504F43, 0x103}, 2, ROOF_E_UNSUPPORTED, 4, "driver action 3"},
        {"half a configuration", {0x31504F43, 1, 0x1807}, 3, ROOF_E_DATA, 4, "cut off"},
        {"product 3", {HEADER(0x30001807, 1), STOP}, 6, ROOF_E_UNSUPPORTED, 8, "product 3"},
        {"a U55 of 512", {HEADER(0x1809, 1), STOP}, 6, ROOF_E_UNSUPPORTED, 8, "2^9 MACs"},
        {"no configuration", {0x31504F43, 2 | 1 << 16, STOP}, 3, ROOF_E_DATA, 4, "before the configuration"},
        {"a stream that is longer", {HEADER(0x1807, 2), STOP}, 6, ROOF_E_DATA, 16, "of 2 words, and 4 bytes"},
        {"words behind it", {HEADER(0x1807, 1), STOP, 7}, 7, ROOF_E_DATA, 24, "4 bytes follow"},
        {"no word", {HEADER(0x1807, 0)}, 5, ROOF_E_DATA, 20, "ends without STOP"},
        {"no STOP", {HEADER(0x1807, 1), 0x104}, 6, ROOF_E_DATA, 24, "ends without STOP"},
        {"words behind STOP", {HEADER(0x1807, 2), STOP, 0x104}, 7, ROOF_E_DATA, 24, "1 words follow STOP"},
        {"control 2", {HEADER(0x1807, 2), 0x8104, STOP}, 7, ROOF_E_DATA, 20, "word 0x00008104: bits 15-10"},
        {"bit 10", {HEADER(0x1807, 2), 0x0504, STOP}, 7, ROOF_E_DATA, 20, "bits 15-10 are 0x01"},
        {"no such register",
         {HEADER(0x1807, 2), 0x110, STOP},
         7,
         ROOF_E_UNSUPPORTED,
         20,
         "cmd0 0x110 of a U55"},
        {"a U85's", {HEADER(0x1807, 2), 0x108, STOP}, 7, ROOF_E_UNSUPPORTED, 20, "cmd0 0x108 of a U55"},
        {"no such cmd1", {HEADER(0x1807, 3), 0x40FF, 1, STOP}, 8, ROOF_E_UNSUPPORTED, 20, "cmd1 0x0ff"},
        {"half a command", {HEADER(0x1807, 1), 0x4020}, 6, ROOF_E_DATA, 20, "ends within a command"},
        {"a resize of a U55", {HEADER(0x1807, 2), 7, STOP}, 7, ROOF_E_UNSUPPORTED, 20, "cmd0 0x007"},
        {"a division of a U55",
         {HEADER(0x1807, 2), 6 | 11 << 16, STOP},
         7,
         ROOF_E_UNSUPPORTED,
         20,
         "operation 11 of opcode 0x06"},
        {"a sum pooling of a U55",
         {HEADER(0x1807, 2), 5 | 3 << 16, STOP},
         7,
         ROOF_E_UNSUPPORTED,
         20,
         "operation 3 of opcode 0x05"},
        {"a DMA of two dimensions",
         {HEADER(0x1807, 3), 0x130 | 0x200 << 16, 0x10, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "a DMA from region 0x200"},
        {"a DMA to another place inside",
         {HEADER(0x1807, 3), 0x131 | 0x100 << 16, 0x10, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "to 0x100"},
        {"a DMA by a mode",
         {HEADER(0x1807, 2), 0x10 | 1 << 16, STOP},
         7,
         ROOF_E_UNSUPPORTED,
         20,
         "operation 1 of opcode 0x10"},
        {"region 3",
         {HEADER(0x1807, 3), 0x10F | 3 << 16, 5, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "IFM lies in region 3"},
        {"weights in region 4",
         {HEADER(0x1807, 3), 0x128 | 4 << 16, 2, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "weights lie in region 4"},
        {"layout 2",
         {HEADER(0x1807, 3), 0x114 | 0x80 << 16, 5, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "OFM has layout 2"},
        {"inputs of 64 bits",
         {HEADER(0x1807, 3), 0x105 | 0xC << 16, 5, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "IFM has element width 3"},
        {"outputs of 64 bits of a U55",
         {HEADER(0x1807, 3), 0x114 | 0x6 << 16, 5, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "OFM has element width 3"},
        {"storage 1 of a U85",
         {HEADER(0x20000018, 3), 0x114 | 0x4000 << 16, 5, STOP},
         8,
         ROOF_E_UNSUPPORTED,
         24,
         "OFM has storage 1"},
        {"pads alone",
         {HEADER(0x1807, 3), 0x100 | 1 << 16, 5, STOP},
         8,
         ROOF_E_DATA,
         24,
         "1 cells of the IFM, and 1 of them are pads"},
        {"too many MACs",
         {HEADER(0x1807, 7), 0xFFFF0111, 0xFFFF0112, 0xFFFF0113, 0xFFFF0120, 0xFFFF0121, 5, STOP},
         12,
         ROOF_E_LIMIT,
         40,
         "overflow 64 bits"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned char bytes[4 * COUNT(rows[i].words)];
        for (size_t k = 0; k < COUNT(rows[i].words); k++)
            for (int b = 0; b < 4; b++)
                bytes[4 * k + (size_t)b] = (unsigned char)(rows[i].words[k] >> (8 * b));
        uint8_t *exact = fx_copy(bytes, 4 * rows[i].n_words); /* so that a byte too far is seen */
        decoded d = {0};
        roof_error err = {0};
        roof_status status = try_decode(exact, 4 * rows[i].n_words, false, &d, &err);
        if (status != rows[i].status || err.byte_offset != rows[i].byte || !strstr(err.what, rows[i].text))
            fail_msg("%s: status %d, byte %u, '%s'", rows[i].what, status, (unsigned)err.byte_offset,
                     err.what);
        arena_free(d.arena);
        free(exact);
    }
}

/* A launch is a word, and takes some hundred bytes. */
static void a_kilobyte_never_takes_a_megabyte(void **state)
{
    (void)state;
    enum { WORDS = 256 };
    for (uint32_t opcode = EUW_CONV; opcode <= EUW_DMA; opcode += EUW_DMA - EUW_CONV) {
        euw_stream s;
        roof_error err = {0};
        ethosu_payload payload;
        ethosu_stream out;
        euw_begin(&s, EUW_U55_128);
        for (int i = 0; i < WORDS - 9; i++)
            euw_word(&s, opcode);
        euw_end(&s);
        roof_arena *arena = arena_new((size_t)1 << 20);
        assert_int_equal(ethosu_open(s.bytes, s.n, 0, true, &payload, &err), ROOF_OK);
        assert_int_equal(ethosu_decode(&payload, false, arena, &out, &err), ROOF_OK);
        assert_int_equal(out.n_launches, WORDS - 9);
        arena_free(arena);
        free(s.bytes);
    }
}

/* Cutting a stream anywhere is seen, and so is any byte that its length covers. */
static void a_stream_that_is_cut_is_refused(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = euw_write(&euw_small, &size);
    for (size_t length = 0; length < size; length++) {
        uint8_t *cut = fx_copy(bytes, length);
        decoded d = {0};
        roof_error err = {0};
        assert_int_equal(try_decode(cut, length, false, &d, &err), ROOF_E_DATA);
        assert_true(err.byte_offset <= length);
        arena_free(d.arena);
        free(cut);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_become_what_a_launch_reads_and_makes),
        cmocka_unit_test(sparse_weights_and_chains_are_those_of_a_u85),
        cmocka_unit_test(launches_are_one_layer_by_registers_and_addresses),
        cmocka_unit_test(what_is_damaged_is_refused_with_its_byte),
        cmocka_unit_test(a_kilobyte_never_takes_a_megabyte),
        cmocka_unit_test(a_stream_that_is_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
