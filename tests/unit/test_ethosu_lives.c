/* What is alive at which layer of a command stream, made up: each rule by a stream of its own. */
#include "model/code/ethosu/ethosu_lives.h"
#include "tests/support/ethosu_writer.h"
#include "tests/unit/fixture.h"

#include <string.h>

enum { MOST_LAUNCHES = 6, MOST_LIVES = 10 };

/* A stream, and what lives in region 1. BEFORE: it was there when the stream began. */
typedef struct life_case {
    const char *name;
    euw_launch launches[MOST_LAUNCHES];
    ethosu_range outputs[1];
    struct {
        uint64_t lo, hi;
        uint32_t first, last, writer; /* layers */
        bool is_by_dma;
    } want[MOST_LIVES];
    uint32_t config;
} life_case;

#define BEFORE ROOF_NONE
#define COPY(from_, to_, bytes_)                                                                             \
    {                                                                                                        \
        EUW_DMA, .from = {1, (from_), (bytes_)}, .to_region = 1, .to_base = (to_)                            \
    }
/* Element-wise operations with one operand of h x w x d cells. */
#define LRELU 5
#define ONE(from_, to_, h_)                                                                                  \
    {                                                                                                        \
        EUW_ELEMENTWISE, LRELU, .ifm = EUW_MAP(1, (from_), (h_), 4, 16),                                     \
                                .ofm = EUW_MAP(1, (to_), (h_), 4, 16)                                        \
    }
/* Two rows of a convolution, of weights of region 0. */
#define STRIPE(from_, to_, weights_)                                                                         \
    {                                                                                                        \
        EUW_CONV, .ifm = EUW_MAP(1, (from_), 2, 4, 16), .ofm = EUW_MAP(1, (to_), 2, 4, 16), .weights = {     \
            0,                                                                                               \
            (weights_),                                                                                      \
            64                                                                                               \
        }                                                                                                    \
    }

static const life_case cases[] = {
    {"from the first layer where nobody wrote it, to the end where nobody reads it",
     {ONE(0, 256, 4), ONE(256, 512, 4)},
     .want = {{256, 512, 0, 1, 0, false}, {512, 768, 1, 1, 1, false}, {0, 256, 0, 0, BEFORE, false}}},
    {"up to the last read, past others",
     {ONE(0, 256, 4), ONE(256, 512, 4), ONE(512, 768, 4), ONE(256, 1024, 4), ONE(0, 1280, 4)},
     .want = {{256, 512, 0, 3, 0, false},
              {512, 768, 1, 2, 1, false},
              {768, 1024, 2, 4, 2, false},
              {1024, 1280, 3, 4, 3, false},
              {1280, 1536, 4, 4, 4, false},
              {0, 256, 0, 4, BEFORE, false}}},
    {"in place: read before it is written in one launch",
     {ONE(0, 256, 4), ONE(256, 256, 4), ONE(256, 1024, 4)},
     .want = {{256, 512, 0, 1, 0, false},
              {256, 512, 1, 2, 1, false},
              {1024, 1280, 2, 2, 2, false},
              {0, 256, 0, 0, BEFORE, false}}},
    {"of one tensor what is written twice before it is read",
     {COPY(0, 256, 64), COPY(64, 288, 64), COPY(256, 512, 96)},
     .want = {{256, 320, 0, 2, 0, true},
              {320, 352, 1, 2, 1, true},
              {512, 608, 2, 2, 2, true},
              {0, 64, 0, 0, BEFORE, false},
              {64, 128, 0, 1, BEFORE, false}}},
    {"in cells of 16 bytes",
     {COPY(5, 100, 12)},
     .want = {{96, 112, 0, 0, 0, true}, {0, 32, 0, 0, BEFORE, false}}},
    {"weights by a DMA in the layer that needs them, and slices are of one layer",
     {ONE(0, 256, 4),
      {EUW_DMA, .from = {0, 0, 160}, .to_region = 1, .to_base = 4096},
      {EUW_CONV, .ifm = EUW_MAP(1, 256, 4, 4, 16), .ofm = {1, 1024, 4, 4, 16, .full_d = 32},
       .weights = {1, 4096, 80}, .scales = {1, 4176, 80}},
      {EUW_DMA, .from = {0, 160, 160}, .to_region = 1, .to_base = 4256},
      {EUW_CONV, .ifm = EUW_MAP(1, 256, 4, 4, 16), .ofm = {1, 1040, 4, 4, 16, .full_d = 32},
       .weights = {1, 4256, 80}, .scales = {1, 4336, 80}}},
     .want = {{256, 512, 0, 1, 0, false},
              {1024, 1536, 1, 1, 1, false},
              {4096, 4416, 1, 1, 1, true},
              {0, 256, 0, 0, BEFORE, false}}},
    {"a slice touches its own bytes alone",
     {{EUW_POOL, 1, .ifm = {1, 0, 2, 2, 16, .full_d = 64},
       .ofm = {1, 1024, 2, 2, 16, .is_bricked = true, .full_d = 32}}},
     .want = {{1024, 1056, 0, 0, 0, false},
              {1088, 1120, 0, 0, 0, false},
              {0, 16, 0, 0, BEFORE, false},
              {64, 80, 0, 0, BEFORE, false},
              {128, 144, 0, 0, BEFORE, false},
              {192, 208, 0, 0, BEFORE, false}}},
    {"layers that take turns are one step",
     {STRIPE(0, 1024, 0), STRIPE(1024, 2048, 64), STRIPE(128, 1024, 0), STRIPE(1024, 2176, 64),
      ONE(2048, 4096, 4)},
     .want = {{1024, 1152, 0, 1, 0, false},
              {2048, 2304, 0, 2, 1, false},
              {4096, 4352, 2, 2, 2, false},
              {0, 256, 0, 1, BEFORE, false}}},
    {"rows and columns behind a tile are where their bases are",
     {{EUW_ELEMENTWISE, LRELU, .ifm = {1, 0, 4, 4, 16, .tile_h = 3, .tile_w = 2, .tiles = {1024, 2048, 4096}},
       .ofm = EUW_MAP(1, 8192, 4, 4, 16)}},
     .want = {{8192, 8448, 0, 0, 0, false},
              {0, 32, 0, 0, BEFORE, false},
              {64, 96, 0, 0, BEFORE, false},
              {128, 160, 0, 0, BEFORE, false},
              {1024, 1056, 0, 0, BEFORE, false},
              {1088, 1120, 0, 0, BEFORE, false},
              {1152, 1184, 0, 0, BEFORE, false},
              {2048, 2080, 0, 0, BEFORE, false},
              {4096, 4128, 0, 0, BEFORE, false}}},
    {"half the rows where the input is upscaled, without pads",
     {{EUW_CONV, .ifm = EUW_MAP(1, 0, 4, 4, 16), .ofm = EUW_MAP(1, 1024, 7, 8, 16), .kernel = 3, .top = 1,
       .left = 1, .bottom = 1, .right = 1, .upscale = 1, .weights = {0, 0, 64}}},
     .want = {{1024, 1920, 0, 0, 0, false}, {0, 256, 0, 0, BEFORE, false}}},
    {"an operand that is broadcast is one row, a scalar is in no memory",
     {{EUW_ELEMENTWISE, 1, .ifm = EUW_MAP(1, 0, 4, 4, 16), .ifm2 = EUW_MAP(1, 512, 1, 4, 16),
       .ofm = EUW_MAP(1, 1024, 4, 4, 16), .broadcast2 = 1},
      {EUW_ELEMENTWISE, 1, .ifm = EUW_MAP(1, 1024, 4, 4, 16), .ifm2 = EUW_MAP(1, 768, 1, 1, 1),
       .ofm = EUW_MAP(1, 2048, 4, 4, 16), .broadcast2 = 0x80}},
     .want = {{1024, 1280, 0, 1, 0, false},
              {2048, 2304, 1, 1, 1, false},
              {0, 256, 0, 0, BEFORE, false},
              {512, 576, 0, 0, BEFORE, false}}},
    {"what a chain hands on is in no memory",
     {{EUW_ELEMENTWISE, LRELU, .ifm = EUW_MAP(1, 0, 4, 4, 16),
       .ofm = {1, 256, 4, 4, 16, .storage = EUW_CHAINED}},
      {EUW_ELEMENTWISE, LRELU, .ifm = {1, 256, 4, 4, 16, .storage = EUW_CHAINED},
       .ofm = EUW_MAP(1, 512, 4, 4, 16)}},
     .want = {{512, 768, 0, 0, 0, false}, {0, 256, 0, 0, BEFORE, false}},
     .config = EUW_U85_256},
    {"outputs to the end, also where they are read before",
     {ONE(0, 256, 4), ONE(256, 512, 4), ONE(512, 768, 4)},
     .outputs = {{256, 384}},
     .want = {{384, 512, 0, 1, 0, false},
              {256, 384, 0, 2, 0, false},
              {512, 768, 1, 2, 1, false},
              {768, 1024, 2, 2, 2, false},
              {0, 256, 0, 0, BEFORE, false}}},
};

static void check_lives(const life_case *c, const ethosu_life *lives, uint32_t n)
{
    uint32_t want = 0;
    while (want < MOST_LIVES && c->want[want].hi)
        want++;
    for (uint32_t i = 0; i < n; i++)
        if (i >= want || lives[i].bytes.lo != c->want[i].lo || lives[i].bytes.hi != c->want[i].hi ||
            lives[i].first != c->want[i].first || lives[i].last != c->want[i].last ||
            lives[i].writer != c->want[i].writer || lives[i].is_by_dma != c->want[i].is_by_dma)
            fail_msg("%s: life %u is %" PRIu64 " to %" PRIu64 " in layers %u to %u, written by %d%s", c->name,
                     i, lives[i].bytes.lo, lives[i].bytes.hi, lives[i].first, lives[i].last,
                     (int)lives[i].writer, lives[i].is_by_dma ? " by DMA" : "");
    if (n != want)
        fail_msg("%s: %u lives, want %u", c->name, n, want);
}

/* Each flow is of a life, whose writer it has and in which its reader falls; they are no more bytes. */
static void check_flows(const life_case *c, const ethosu_life *lives, uint32_t n, const ethosu_flow *flows,
                        uint32_t n_flows)
{
    for (uint32_t i = 0; i < n_flows; i++) {
        uint64_t alive = 0;
        for (uint32_t k = 0; k < n; k++)
            if (lives[k].writer == flows[i].writer && lives[k].first <= flows[i].reader &&
                flows[i].reader <= lives[k].last)
                alive += lives[k].bytes.hi - lives[k].bytes.lo;
        if (flows[i].writer == flows[i].reader || !flows[i].bytes || flows[i].bytes > alive)
            fail_msg("%s: %" PRIu64 " bytes from %u to %u, of %" PRIu64, c->name, flows[i].bytes,
                     flows[i].writer, flows[i].reader, alive);
    }
}

static void cells_live_from_their_first_write_to_their_last_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const life_case *c = &cases[i];
        euw_network net = {c->config, c->launches, 0};
        ethosu_budget budget = ethosu_budget_of(1000);
        roof_arena *arena = arena_new(0);
        ethosu_payload payload;
        ethosu_stream stream;
        ethosu_life *lives = NULL;
        uint32_t n = 0;
        roof_error err = {0};
        size_t size;
        while (net.n_launches < MOST_LAUNCHES && c->launches[net.n_launches].opcode)
            net.n_launches++;
        unsigned char *bytes = euw_write(&net, &size);
        assert_int_equal(ethosu_open(bytes, size, 0, true, &payload, &err), ROOF_OK);
        if (ethosu_decode(&payload, false, arena, &stream, &err) != ROOF_OK ||
            ethosu_lives_of(&stream, ETHOSU_SCRATCH, c->outputs, c->outputs[0].hi != 0, &budget, arena,
                            &lives, &n, &err) != ROOF_OK)
            fail_msg("%s: %s", c->name, fx_message(&err));
        check_lives(c, lives, n);
        ethosu_flow *flows;
        uint32_t n_flows;
        budget = ethosu_budget_of(1000);
        assert_int_equal(ethosu_flows_of(&stream, ETHOSU_SCRATCH, &budget, arena, &flows, &n_flows, &err),
                         ROOF_OK);
        check_flows(c, lives, n, flows, n_flows);
        arena_free(arena);
        free(bytes);
    }
}

static void a_flow_leads_from_who_wrote_to_who_reads(void **state)
{
    static const euw_launch launches[] = {ONE(0, 1024, 4), ONE(1024, 2048, 4), ONE(1024, 3072, 4)};
    static const ethosu_flow wanted[] = {{0, 1, 256}, {0, 2, 256}};
    const euw_network net = {EUW_U55_128, launches, COUNT(launches)};
    roof_arena *arena = arena_new(0);
    ethosu_budget budget = ethosu_budget_of(1000);
    ethosu_payload payload;
    ethosu_stream stream;
    ethosu_flow *flows;
    uint32_t n;
    roof_error err = {0};
    size_t size;
    (void)state;
    unsigned char *bytes = euw_write(&net, &size);
    assert_int_equal(ethosu_open(bytes, size, 0, true, &payload, &err), ROOF_OK);
    assert_int_equal(ethosu_decode(&payload, false, arena, &stream, &err), ROOF_OK);
    assert_int_equal(ethosu_flows_of(&stream, ETHOSU_SCRATCH, &budget, arena, &flows, &n, &err), ROOF_OK);
    assert_int_equal(n, COUNT(wanted));
    for (uint32_t i = 0; i < n; i++)
        if (flows[i].writer != wanted[i].writer || flows[i].reader != wanted[i].reader ||
            flows[i].bytes != wanted[i].bytes)
            fail_msg("flow %u: %u to %u, %" PRIu64, i, flows[i].writer, flows[i].reader, flows[i].bytes);
    arena_free(arena);
    free(bytes);
}

/* 2^32 cells of a map that lie apart, in a stream of some hundred bytes. */
static void a_few_words_that_touch_much_are_refused_with_little_memory(void **state)
{
    (void)state;
    static const euw_launch launches[] = {{EUW_POOL, 1, .ifm = {1, 0, 65536, 65536, 1, .full_d = 64},
                                           .ofm = {1, 64, 65536, 65536, 1, .full_d = 64}}};
    const euw_network net = {EUW_U55_128, launches, COUNT(launches)};
    roof_arena *arena = arena_new((size_t)1 << 20);
    ethosu_payload payload;
    ethosu_stream stream;
    ethosu_life *lives;
    uint32_t n;
    roof_error err = {0};
    size_t size;
    unsigned char *bytes = euw_write(&net, &size);
    assert_int_equal(ethosu_open(bytes, size, 0, true, &payload, &err), ROOF_OK);
    assert_int_equal(ethosu_decode(&payload, false, arena, &stream, &err), ROOF_OK);
    ethosu_budget budget = ethosu_budget_of(payload.n_words);
    assert_int_equal(ethosu_lives_of(&stream, ETHOSU_SCRATCH, NULL, 0, &budget, arena, &lives, &n, &err),
                     ROOF_E_LIMIT);
    assert_non_null(strstr(err.what, "in more pieces"));
    arena_free(arena);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_live_from_their_first_write_to_their_last_read),
        cmocka_unit_test(a_flow_leads_from_who_wrote_to_who_reads),
        cmocka_unit_test(a_few_words_that_touch_much_are_refused_with_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
