/* The reader of network.c: pools, epochs and what they move are what the file says, whatever version wrote it
 * and whether the epochs stand in functions or in a trace; what is derived stays at or below what a compiler
 * states; and what is cut off, contradictory or hostile is refused with its line. */
#include "model/formats/neural_art/plan_build.h"
#include "model/graph/format.h"
#include "tests/support/network_c_writer.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- reading ---- */

typedef struct net {
    char *bytes; /* exactly as long as the text: a sanitizer sees one byte too many */
    roof_graph *graph;
    roof_status status;
    roof_error err;
} net;

static net read_text(const char *text, size_t length)
{
    net n = {.bytes = malloc(length ? length : 1)};
    assert_non_null(n.bytes);
    memcpy(n.bytes, text, length);
    n.status = graph_read_memory((const unsigned char *)n.bytes, length, "own", &n.graph, &n.err);
    return n;
}

static net read_network(const ncw_network *network, int parts)
{
    size_t length = 0;
    char *text = ncw_write(network, parts, &length);
    assert_non_null(text);
    net n = read_text(text, length);
    free(text);
    if (n.status != ROOF_OK)
        fail_msg("refused: %s (line %" PRIu64 ")", n.err.what, n.err.line);
    return n;
}

static void drop(net *n)
{
    roof_graph_free(n->graph);
    free(n->bytes);
}

static const roof_epoch *epoch(const net *n, uint32_t number)
{
    for (uint32_t i = 0; i < roof_plan_of(n->graph)->n_epochs; i++)
        if (roof_plan_of(n->graph)->epochs[i].number == number)
            return &roof_plan_of(n->graph)->epochs[i];
    fail_msg("no epoch %" PRIu32, number);
    return NULL;
}

static const roof_pool_access *access_of(const net *n, uint32_t number, const char *pool)
{
    const roof_epoch *e = epoch(n, number);
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &roof_plan_of(n->graph)->accesses[e->first_access + i];
        if (strcmp(roof_plan_of(n->graph)->pools[a->pool].name, pool) == 0)
            return a;
    }
    fail_msg("epoch %" PRIu32 " moves nothing in %s", number, pool);
    return NULL;
}

static void assert_access(const net *n, uint32_t number, const char *pool, roof_pool_access want)
{
    const roof_pool_access *a = access_of(n, number, pool);
    assert_int_equal(a->read_bytes, want.read_bytes);
    assert_int_equal(a->write_bytes, want.write_bytes);
    assert_int_equal(a->read_cycles, want.read_cycles);
    assert_int_equal(a->write_cycles, want.write_cycles);
}

/* ---- the example ---- */

static void the_head_names_compiler_and_network(void **state)
{
    (void)state;
    net n = read_network(ncw_example(false), NCW_NETWORK);
    assert_string_equal(n.graph->format, "network_c");
    assert_string_equal(n.graph->compiler, "own-1.2-3-gabcdef, LL_ATON 1.2.3-45");
    assert_string_equal(n.graph->name, "own");
    assert_true(n.graph->compiled);
    drop(&n);
    n = read_network(ncw_example(true), NCW_TRACE);
    assert_string_equal(n.graph->compiler, "");
    assert_string_equal(n.graph->name, "own");
    drop(&n);
}

static void pools_are_as_described(void **state)
{
    (void)state;
    net n = read_network(ncw_example(false), NCW_NETWORK);
    const roof_plan *p = roof_plan_of(n.graph);
    assert_int_equal(p->n_pools, 4);
    const roof_pool *flash = &p->pools[0], *ram = roof_plan_pool(p, "fastRAM");
    assert_string_equal(flash->name, "slowFlash");
    assert_int_equal(flash->address, 0x60000000);
    assert_int_equal(flash->size_bytes, 1000000);
    assert_int_equal(flash->byte_width, 1);
    assert_true(flash->freq_ratio == 6 && ram->freq_ratio == 1.25);
    assert_true(flash->read_only && flash->cached && !flash->is_virtual);
    assert_false(ram->read_only || ram->cached || ram->is_virtual);
    assert_true(roof_plan_pool(p, "fastRAM_bigRAM")->is_virtual);
    assert_int_equal(ram->used_bytes, ROOF_UNKNOWN);
    drop(&n);
}

static void epochs_are_layers_in_order(void **state)
{
    static const char *const names[] = {"epoch_1", "epoch_2", "epoch_4", "epoch_7", "epoch_8"};
    (void)state;
    net n = read_network(ncw_example(false), NCW_NETWORK);
    assert_int_equal(n.graph->n_layers, COUNT(names));
    assert_int_equal(roof_plan_of(n.graph)->n_epochs, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(n.graph->layers[i].name, names[i]);
    drop(&n);
}

static void operators_have_their_kind_and_unit(void **state)
{
    (void)state;
    net n = read_network(ncw_example(false), NCW_NETWORK);
    const roof_epoch *e = epoch(&n, 2);
    assert_int_equal(e->n_ops, 2);
    const roof_plan_op *op = &roof_plan_of(n.graph)->ops[e->first_op + 1];
    assert_string_equal(op->name, "deep_ca_pipe_1");
    assert_string_equal(op->kind, "Conv");
    assert_string_equal(op->unit, "CONV_ACC_V2 3");
    op = &roof_plan_of(n.graph)->ops[epoch(&n, 7)->first_op];
    assert_string_equal(op->unit, "PROCESSOR 0");
    drop(&n);
}

/* Cycles are those of the formula for pieces that are read from end to end, and unknown for others. */
static void traffic_is_what_the_comments_say(void **state)
{
    (void)state;
    net n = read_network(ncw_example(false), NCW_NETWORK);
    const uint64_t unknown = ROOF_UNKNOWN;
    assert_access(&n, 1, "fastRAM", (roof_pool_access){0, 12288, 8192, 1920, 640});
    assert_access(&n, 1, "slowFlash", (roof_pool_access){0, 216, 0, 432, 0});
    assert_access(&n, 2, "fastRAM", (roof_pool_access){0, 8192, 2048, unknown, unknown});
    assert_access(&n, 2, "slowFlash", (roof_pool_access){0, 4608, 0, 27648, 0});
    assert_access(&n, 2, "bigRAM", (roof_pool_access){0, 65536, 65536, 10240, 10240});
    assert_access(&n, 4, "fastRAM", (roof_pool_access){0, 2048, 2048, 320, unknown});
    assert_int_equal(epoch(&n, 4)->outside_bytes, 100);
    assert_int_equal(epoch(&n, 7)->n_accesses, 0);
    drop(&n);
}

static void estimates_of_the_compiler_are_kept(void **state)
{
    (void)state;
    net n = read_network(ncw_example(false), NCW_NETWORK);
    assert_int_equal(epoch(&n, 2)->compute_cycles, 4608);
    assert_int_equal(epoch(&n, 2)->stored_vendor_cycles, 27648);
    assert_false(epoch(&n, 2)->compute_from_streams);
    assert_int_equal(epoch(&n, 4)->compute_cycles,
                     0); /* computes nothing: a number, since the whole has one */
    assert_false(epoch(&n, 4)->compute_from_streams);
    assert_int_equal(epoch(&n, 7)->compute_cycles, 2048);
    assert_int_equal(epoch(&n, 8)->stored_vendor_cycles, ROOF_UNKNOWN);
    drop(&n);
}

/* Two compilers that state nothing: the same structs give the same compute cycles as the example states. */
static void without_estimates_streams_are_counted(void **state)
{
    (void)state;
    ncw_network network = *ncw_example(false);
    ncw_epoch *epochs = malloc(network.n_epochs * sizeof *epochs);
    assert_non_null(epochs);
    memcpy(epochs, network.epochs, network.n_epochs * sizeof *epochs);
    for (size_t i = 0; i < network.n_epochs; i++)
        epochs[i].npu_cycles = epochs[i].total_cycles = 0;
    network.epochs = epochs;
    net n = read_network(&network, NCW_NETWORK);
    for (size_t i = 0; i < 3; i++) {
        const roof_epoch *e = &roof_plan_of(n.graph)->epochs[i];
        assert_int_equal(e->compute_cycles, ncw_example(false)->epochs[i].npu_cycles);
        assert_true(e->compute_from_streams);
        assert_int_equal(e->stored_vendor_cycles, ROOF_UNKNOWN);
    }
    assert_int_equal(epoch(&n, 7)->compute_cycles, ROOF_UNKNOWN); /* no streams of a function of the host */
    assert_false(epoch(&n, 7)->compute_from_streams);
    drop(&n);
    free(epochs);
}

/* ---- dialects ---- */

static void assert_same_work(const roof_plan *a, const roof_plan *b, uint32_t number)
{
    const roof_epoch *x = NULL, *y = NULL;
    for (uint32_t i = 0; i < a->n_epochs; i++)
        x = a->epochs[i].number == number ? &a->epochs[i] : x;
    for (uint32_t i = 0; i < b->n_epochs; i++)
        y = b->epochs[i].number == number ? &b->epochs[i] : y;
    assert_true(x && y);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->n_ops, y->n_ops);
    assert_int_equal(x->conv_units, y->conv_units);
    assert_int_equal(x->macs_per_unit, y->macs_per_unit);
    assert_int_equal(x->outside_bytes, y->outside_bytes);
    assert_int_equal(x->n_accesses, y->n_accesses);
    for (uint32_t i = 0; i < x->n_accesses; i++) {
        const roof_pool_access *p = &a->accesses[x->first_access + i], *q = &b->accesses[y->first_access + i];
        assert_string_equal(a->pools[p->pool].name, b->pools[q->pool].name);
        assert_int_equal(p->read_bytes, q->read_bytes);
        assert_int_equal(p->write_bytes, q->write_bytes);
    }
}

static void every_dialect_gives_the_same_work(void **state)
{
    static const struct {
        const char *name;
        bool blobs, old;
        int parts;
    } dialects[] = {
        {"functions of an old version", false, true, NCW_NETWORK},
        {"with a trace behind it", true, false, NCW_NETWORK | NCW_TRACE},
        {"old with a trace behind it", true, true, NCW_NETWORK | NCW_TRACE},
        {"the trace alone", true, false, NCW_TRACE},
    };
    (void)state;
    net plain = read_network(ncw_example(false), NCW_NETWORK);
    for (size_t d = 0; d < COUNT(dialects); d++) {
        ncw_network network = *ncw_example(dialects[d].blobs);
        network.old = dialects[d].old;
        net n = read_network(&network, dialects[d].parts);
        for (size_t i = 0; i < network.n_epochs; i++)
            if (dialects[d].parts & NCW_NETWORK || strcmp(network.epochs[i].flags, "pure_sw") != 0)
                assert_same_work(roof_plan_of(plain.graph), roof_plan_of(n.graph), network.epochs[i].number);
        drop(&n);
    }
    drop(&plain);
}

static void a_trace_alone_knows_pools_by_name_only(void **state)
{
    (void)state;
    net n = read_network(ncw_example(true), NCW_TRACE);
    const roof_plan *p = roof_plan_of(n.graph);
    assert_int_equal(p->n_epochs, 4);
    assert_int_equal(p->n_pools, 3); /* what is of the application is no pool */
    const roof_pool *ram = roof_plan_pool(p, "fastRAM");
    assert_int_equal(ram->byte_width, ROOF_NONE);
    assert_true(isnan(ram->freq_ratio));
    assert_int_equal(ram->size_bytes, ROOF_UNKNOWN);
    assert_access(&n, 1, "fastRAM", (roof_pool_access){0, 12288, 8192, ROOF_UNKNOWN, ROOF_UNKNOWN});
    assert_int_equal(epoch(&n, 2)->compute_cycles, 4608);
    assert_true(epoch(&n, 2)->compute_from_streams);
    assert_int_equal(epoch(&n, 4)->outside_bytes, 100);
    drop(&n);
}

/* ---- blobs ---- */

static void epochs_of_a_trace_belong_to_their_blob(void **state)
{
    (void)state;
    net n = read_network(ncw_example(true), NCW_NETWORK | NCW_TRACE);
    const roof_plan *p = roof_plan_of(n.graph);
    assert_int_equal(p->n_epochs, 5);
    assert_int_equal(p->n_blobs, 3);
    assert_string_equal(p->blobs[0].name, "_ec_blob_own_1");
    assert_int_equal(p->blobs[0].n_epochs, 2);
    assert_int_equal(epoch(&n, 2)->blob, 0);
    assert_int_equal(epoch(&n, 7)->blob, ROOF_NONE);
    /* An estimate of two epochs is of neither; that of a blob of one is of that one. */
    assert_int_equal(epoch(&n, 2)->stored_vendor_cycles, ROOF_UNKNOWN);
    assert_int_equal(epoch(&n, 4)->stored_vendor_cycles, 2560);
    drop(&n);
}

static void a_blob_without_its_trace_is_one_epoch(void **state)
{
    (void)state;
    for (int old = 0; old < 2; old++) {
        ncw_network network = *ncw_example(true);
        network.old = old;
        net n = read_network(&network, NCW_NETWORK);
        assert_int_equal(roof_plan_of(n.graph)->n_epochs, 4);
        const roof_epoch *e = epoch(&n, 1);
        assert_int_equal(e->kind, ROOF_EPOCH_HW);
        assert_int_equal(e->stored_vendor_cycles, old ? ROOF_UNKNOWN : 12288 + 27648);
        assert_int_equal(e->conv_units, ROOF_NONE);
        assert_int_equal(e->n_ops, 0);
        assert_string_equal(roof_plan_of(n.graph)->blobs[e->blob].name, "_ec_blob_own_1");
        assert_int_equal(roof_plan_of(n.graph)->blobs[e->blob].n_epochs, ROOF_NONE);
        drop(&n);
    }
}

/* ---- one epoch ---- */

static const ncw_pool one_pool[] = {{0, "ram", 0, 4096, 8, "1.25", false, false, false}};

static net read_one(const ncw_epoch *e)
{
    const ncw_network network = {one_pool, 1, e, 1, NULL, 0, NULL, false};
    return read_network(&network, NCW_NETWORK);
}

static void flags_give_the_kind(void **state)
{
    static const struct {
        const char *flags;
        roof_epoch_kind kind;
    } rows[] = {{"pure_hw", ROOF_EPOCH_HW},       {"pure_sw", ROOF_EPOCH_SW},
                {"hybrid", ROOF_EPOCH_HYBRID},    {"pure_hw | EpochBlock_Flags_pure_sw", ROOF_EPOCH_HYBRID},
                {"internal", ROOF_EPOCH_UNKNOWN}, {"blob_encrypted", ROOF_EPOCH_UNKNOWN}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const ncw_epoch e = {.number = 1, .flags = rows[i].flags};
        net n = read_one(&e);
        assert_int_equal(epoch(&n, 1)->kind, rows[i].kind);
        drop(&n);
    }
}

/* 72, 36 and 18 multiply-accumulates a cycle, by the operand widths that the struct turns on. */
static void the_struct_of_a_convolution_gives_its_rate(void **state)
{
    static const struct {
        int simd[2];
        uint32_t units, rate;
    } rows[] = {{{1, 1}, 2, 72}, {{2, 2}, 2, 36},         {{0, 0}, 2, 18},
                {{2, 1}, 2, 72}, {{-1, 1}, 2, ROOF_NONE}, {{3, 1}, 2, ROOF_NONE}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const ncw_epoch e = {.number = 1,
                             .flags = "pure_hw",
                             .ops = {{"CONV_ACC_V2 0", "Conv", "a", rows[i].simd[0]},
                                     {"CONV_ACC_V2 1", "Conv", "b", rows[i].simd[1]},
                                     {"POOL_ACC_V2 1", "MaxPool", "c", 0}}};
        net n = read_one(&e);
        assert_int_equal(epoch(&n, 1)->conv_units, rows[i].units);
        assert_int_equal(epoch(&n, 1)->macs_per_unit, rows[i].rate);
        drop(&n);
    }
}

#define WHOLE .raw = true, .frames = 1, .bits_in = 8, .bits_out = 8
static const struct count {
    const char *name;
    ncw_stream streams[3];
    uint64_t bytes; /* booked as read */
    uint64_t compute_cycles, read_cycles;
} counts[] = {
    {"bytes are elements", {{WHOLE, .to = 1000}}, 1000, 1000, 156},
    {"frames repeat", {{.raw = true, .to = 100, .frames = 7, .bits_in = 8, .bits_out = 8}}, 700, 700, 109},
    {"two bytes an element",
     {{.raw = true, .to = 100, .frames = 1, .bits_in = 16, .bits_out = 16}},
     100,
     50,
     7},
    {"memory holds what is read",
     {{.raw = true, .to = 100, .frames = 1, .bits_in = 8, .bits_out = 16}},
     100,
     100,
     15},
    {"three bytes, the last in part",
     {{.raw = true, .to = 102, .frames = 1, .bits_in = 24, .bits_out = 24, .comment = "4x5x5(8 bits)"}},
     100,
     34,
     5},
    {"a comment that speaks of all frames",
     {{.raw = true, .to = 27, .frames = 4, .bits_in = 24, .bits_out = 24, .comment = "4x5x5(8 bits)"}},
     100,
     34,
     5},
    {"frames with more than padding in them",
     {{.raw = true, .to = 30, .frames = 4, .bits_in = 24, .bits_out = 24, .comment = "4x5x5(8 bits)"}},
     120,
     40,
     6},
    {"a comment that is too large does not count",
     {{WHOLE, .to = 10, .comment = "4x5x5(8 bits)"}},
     10,
     10,
     1},
    {"a comment in words does not count",
     {{WHOLE, .to = 10, .comment = "from memory with batch=8"}},
     10,
     10,
     1},
    {"the longest sets the time", {{WHOLE, .to = 16}, {WHOLE, .to = 80}, {WHOLE, .to = 32}}, 128, 80, 19},
    {"places of a tensor",
     {{.width = 4, .height = 3, .depth = 5, .frames = 2, .bits_in = 8, .bits_out = 8}},
     120,
     120,
     ROOF_UNKNOWN},
    {"the compiler counted something else", {{WHOLE, .to = 1000}}, 999, 1000, ROOF_UNKNOWN},
    {"the compiler counted more", {{WHOLE, .to = 1000}}, 1001, 1000, ROOF_UNKNOWN},
    {"another pool", {{WHOLE, .to = 1000, .pool = 3}}, 1000, 1000, ROOF_UNKNOWN},
    {"no frames", {{.raw = true, .to = 100, .bits_in = 8, .bits_out = 8}}, 100, ROOF_UNKNOWN, ROOF_UNKNOWN},
    {"an empty piece", {{WHOLE, .from = 100, .to = 100}}, 100, ROOF_UNKNOWN, ROOF_UNKNOWN},
    {"a piece that ends first", {{WHOLE, .from = 100, .to = 10}}, 100, ROOF_UNKNOWN, ROOF_UNKNOWN},
    {"no width",
     {{.height = 3, .depth = 5, .frames = 2, .bits_in = 8, .bits_out = 8}},
     9,
     ROOF_UNKNOWN,
     ROOF_UNKNOWN},
    {"strange bits",
     {{.raw = true, .to = 100, .frames = 1, .bits_in = 99, .bits_out = 99}},
     100,
     ROOF_UNKNOWN,
     ROOF_UNKNOWN},
    {"more than 64 bits",
     {{.width = 4000000000,
       .height = 4000000000,
       .depth = 4000000000,
       .frames = 4000000000,
       .bits_in = 8,
       .bits_out = 8}},
     100,
     ROOF_UNKNOWN,
     ROOF_UNKNOWN},
    {"one of two is not proven", {{WHOLE, .to = 16}, {WHOLE}}, 16, ROOF_UNKNOWN, ROOF_UNKNOWN},
    /* With a partial sum that goes by memory, kernels count and features do not. */
    {"a partial sum",
     {{WHOLE, .to = 900}, {WHOLE, .port = 1, .to = 80}, {WHOLE, .port = 2, .sync = true, .to = 700}},
     1680,
     80,
     261},
    {"a partial sum in words",
     {{WHOLE, .to = 900},
      {WHOLE, .port = 1, .to = 80},
      {WHOLE, .port = 2, .to = 700, .comment = "partial accumulator 9"}},
     1680,
     80,
     261},
};

static void streams_give_least_cycles(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        ncw_epoch e = {.number = 1, .flags = "pure_hw", .ops = {{"POOL_ACC_V2 0", "MaxPool", "a", 0}}};
        memcpy(e.streams, counts[i].streams, sizeof counts[i].streams);
        e.moves[0] = (ncw_move){"ram", counts[i].bytes, false};
        net n = read_one(&e);
        uint64_t compute = epoch(&n, 1)->compute_cycles, cycles = access_of(&n, 1, "ram")->read_cycles;
        if (compute != counts[i].compute_cycles || cycles != counts[i].read_cycles)
            fail_msg("%s: %" PRIu64 " and %" PRIu64, counts[i].name, compute, cycles);
        assert_int_equal(epoch(&n, 1)->compute_from_streams, compute != ROOF_UNKNOWN);
        drop(&n);
    }
}

static void a_unit_that_passes_on_computes_nothing(void **state)
{
    const ncw_epoch e = {.number = 1,
                         .flags = "pure_hw",
                         .ops = {{"NULL_UNIT 0", "Reshape", "a", 0}},
                         .streams = {{WHOLE, .to = 1000}, {WHOLE, .output = true, .to = 1000}},
                         .moves = {{"ram", 1000, false}, {"ram", 1000, true}}};
    (void)state;
    net n = read_one(&e);
    assert_int_equal(epoch(&n, 1)->compute_cycles, 0);
    assert_true(epoch(&n, 1)->compute_from_streams);
    drop(&n);
}

static void epochs_out_of_order_are_put_in_order(void **state)
{
    static const ncw_epoch shuffled[] = {{.number = 9, .flags = "pure_hw", .total_cycles = 90},
                                         {.number = 2, .flags = "pure_hw", .total_cycles = 20},
                                         {.number = 5, .flags = "pure_sw", .total_cycles = 50}};
    const ncw_network network = {one_pool, 1, shuffled, COUNT(shuffled), NULL, 0, NULL, false};
    (void)state;
    net n = read_network(&network, NCW_NETWORK);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t numbers[] = {2, 5, 9};
        assert_int_equal(roof_plan_of(n.graph)->epochs[i].number, numbers[i]);
        assert_int_equal(roof_plan_of(n.graph)->epochs[i].stored_vendor_cycles, 10 * numbers[i]);
    }
    drop(&n);
}

/* ---- what is refused ---- */

#define HEAD       "#include \"ll_aton.h\"\n"
#define BEGIN      HEAD "ec_trace_start_epoch(1);\n"
#define END        "ec_trace_end_epoch(1);\n"
#define EMIT       "/* Emit conf for S node=n input ports=0 range=0[0,1] */\n"
#define READS      "/* Dma input bandwidth from memory pools: */\n"
#define POOL(rest) HEAD "/* index=0 file postfix=A name=ram offset=0x10 size=16 READ_ONLY " rest "\n" END
#define TABLE      HEAD "static const X ll_atonn_rt_epoch_block_array[] = {\n"
#define ROW(first, last)                                                                                     \
    "{\n.flags = EpochBlock_Flags_pure_hw,\n.epoch_num = " first ",\n.last_epoch_num = " last ",\n},\n"

static const struct refusal {
    const char *text, *says;
    uint64_t line;
} refusals[] = {
    {HEAD, "holds no epoch", ROOF_UNKNOWN},
    {BEGIN, "inside epoch 1", 2},
    {BEGIN "  {\n  /* Unit= 1 [X 0] */\n", "inside epoch 1", 4},
    {BEGIN "/* kind=Conv node=a\n" END, "ends on its line", 3},
    {BEGIN "/* kind=Conv node= */\n" END, "has no name", 2},
    {BEGIN "/* kind=Conv node=a\001b */\n" END, "control characters", 2},
    {BEGIN "/* kind=Co\001nv node=b */\n" END, "control characters", 2},
    {BEGIN "/* Unit= 1 [X 0]\n" END, "ends on its line", 3},
    {BEGIN "/*/\n/* Unit= */\n/* Unit= /\n" END, "ends on its line", 5},
    {BEGIN "/* Emit conf for S node=n ports=0 */\n" END, "input ports=", 3},
    {BEGIN "/* Emit conf for S node=n input ports=x range=0[0,1] */\n" END, "number of a port", 3},
    {BEGIN EMIT
     "static const LL_Streng_TensorInitTypeDef n = {\n.frame_tot_cnt = 99999999999999999999,\n};\n" END,
     "one number up to 2^63", 5},
    {BEGIN EMIT "static const LL_Streng_TensorInitTypeDef n = {\n.fwidth = -1,\n};\n" END, "one number", 5},
    {BEGIN EMIT "static const LL_Streng_TensorInitTypeDef n = {\n.fwidth = ,\n};\n" END, "one number", 5},
    {BEGIN EMIT "static const LL_Streng_TensorInitTypeDef n = {\n.fwidth = 1,\n" END, "the end of a struct",
     6},
    {BEGIN READS "/* ram -> 9223372036854775808 */\n" END, "bytes up to 2^63", 4},
    {BEGIN READS "/* ram -> many */\n" END, "an arrow, and bytes", 4},
    {BEGIN READS "/* ram */\n" END, "an arrow, and bytes", 4},
    {BEGIN READS "/*  -> 5 */\n" END, "a pool, an arrow", 4},
    {BEGIN READS "/* ram -> 5\n" END, "ends on its line", 4},
    {BEGIN READS "/* r -> 9223372036854775807 */\n/* r -> 1 */\n" END, "overflows 64 bits", 2},
    {BEGIN READS "/* _user_io_a -> 9223372036854775807 */\n/* _user_io_a -> 1 */\n" END, "overflow 64 bits",
     2},
    {BEGIN BEGIN, "before another one begins", 4},
    {BEGIN END "ec_trace_start_epoch(1);\n" END, "begins here and in line 2", 4},
    {HEAD "ec_trace_start_epoch(4294967295);\n", "below 2^32", 2},
    {HEAD "ec_trace_start_epoch(x);\n", "number of an epoch", 2},
    {HEAD "ec_trace_start_blob(\"b\");\n", "inside a blob", 2},
    {HEAD "ec_trace_start_blob(b);\n", "in quotes", 2},
    {HEAD "ec_trace_start_blob(\"b\");\nec_trace_start_blob(\"c\");\n", "before another one", 3},
    {HEAD "ec_trace_end_blob(\"b\");\n", "a blob that has begun", 2},
    {HEAD "static void LL_ATON_Start_EpochBlock_1(void)\n{\n}\n", "without the table", 4},
    {HEAD "static void LL_ATON_Start_EpochBlock_1(void)\n{\nstatic void LL_ATON_End_EpochBlock_1(void)\n",
     "before another one", 4},
    {HEAD "/* index=0 name=ram offset=0x1 size=1\n", "ends on its line", 2},
    {HEAD "/* index=0 offset=0x1 size=1 */\n", "name=", 2},
    {HEAD "/* index=0 name=ram size=1 */\n", "offset=", 2},
    {POOL("byte width=8 */"), "freq ratio=", 2},
    {POOL("byte width=8 freq ratio=0 */"), "above 0", 2},
    {POOL("byte width=8 freq ratio=1e999 */"), "above 0", 2},
    {POOL("byte width=0 freq ratio=1 */"), "byte width", 2},
    {POOL("byte width=18446744073709551616 freq ratio=1 */"), "byte width", 2},
    {POOL("byte width=4294967295 freq ratio=1 */"), "byte width", 2},
    {HEAD "/* index=0 name=a offset=0x1 size=1 byte width=1 freq ratio=1 */\n"
          "/* index=1 name=a offset=0x1 size=1 byte width=1 freq ratio=1 */\n",
     "there twice", 3},
    {TABLE, "inside the table", 2},
    {TABLE "{\n},\n};\n", "no .epoch_num", 3},
    {TABLE ".epoch_num = 1,\n};\n", "beginning of a row", 3},
    {TABLE ROW("x", "1") "};\n", "one number", 5},
    {TABLE "{\n.in_streng_mask = 640,\n},\n};\n", "a mask of stream engines", 4},
    {TABLE "{\n.out_streng_mask = 0x123456789,\n},\n};\n", "a mask of stream engines", 4},
    {TABLE ROW("2", "1") "};\n", "epochs 2 to 1", 3},
    {TABLE ROW("1", "4294967295") "};\n", "epochs 1 to 4294967295", 3},
    {TABLE ROW("1", "5") ROW("3", "3") "};\n", "epoch 3 is in this row and in that of line 3", 8},
};

/* The table alone, as an excerpt of it begins. */
static void masks_say_which_stream_engines_an_epoch_uses(void **state)
{
    static const char text[] =
        "const X *LL_ATON_EpochBlockItems_Default(void) {\n"
        "static const X ll_atonn_rt_epoch_block_array[] = {\n...\n{\n"
        ".flags = EpochBlock_Flags_pure_hw,\n.epoch_num = 9,\n.last_epoch_num = 9,\n"
        ".in_streng_mask = 0x00000110,\n.out_streng_mask = 0x00000003,\n},\n"
        "{\n.flags = EpochBlock_Flags_pure_sw,\n.epoch_num = 10,\n.last_epoch_num = 10,\n},\n...\n};\n";
    (void)state;
    net n = read_text(text, sizeof text - 1);
    assert_int_equal(n.status, ROOF_OK);
    assert_int_equal(epoch(&n, 9)->in_streams, 0x110);
    assert_int_equal(epoch(&n, 9)->out_streams, 3);
    assert_int_equal(epoch(&n, 10)->in_streams | epoch(&n, 10)->out_streams, 0);
    drop(&n);
}

static void damaged_text_is_refused_with_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        net n = read_text(refusals[i].text, strlen(refusals[i].text));
        if (n.status != ROOF_E_DATA && n.status != ROOF_E_LIMIT)
            fail_msg("%zu: read, but '%s' was expected", i, refusals[i].says);
        if (!strstr(n.err.what, refusals[i].says) || n.err.line != refusals[i].line)
            fail_msg("%zu: '%s' in line %" PRIu64 ", want '%s' in %" PRIu64, i, n.err.what, n.err.line,
                     refusals[i].says, refusals[i].line);
        drop(&n);
    }
}

/* Cut off wherever: refused while an epoch or the table is open, and never read beyond the end. */
static void a_file_that_is_cut_off_is_refused(void **state)
{
    size_t length = 0;
    (void)state;
    char *text = ncw_write(ncw_example(false), NCW_NETWORK, &length);
    assert_non_null(text);
    const char *row = strstr(text, "EpochBlock_Flags_last_eb");
    assert_non_null(row);
    for (size_t cut = 1; cut < length; cut += 7) {
        net n = read_text(text, cut);
        if (cut <= (size_t)(row - text))
            assert_int_equal(n.status, ROOF_E_DATA);
        drop(&n);
    }
    free(text);
}

static void only_what_the_compiler_writes_is_taken_for_it(void **state)
{
    static const char *const others[] = {
        "/* a program */\n#include <stdio.h>\nint main(void)\n{\n}\n",
        "#include \"network.h\"\n#include \"ll_aton.h\"\n",
        "/**\n  * @file    network.c\n  * @author  AST Embedded Analytics Research Platform\n  */\n",
        " NN Code autogenerated DO NOT MODIFY IT",
        "/",
        "#",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        net n = read_text(others[i], strlen(others[i]));
        assert_int_equal(n.status, ROOF_E_DATA);
        assert_non_null(strstr(n.err.what, "no known model"));
        drop(&n);
    }
}

/* ---- much of everything ---- */

typedef struct many {
    const char *name, *before, *line, *after;
    roof_status status;
} many;

static void a_million_lines_are_read_or_refused(void **state)
{
    static const many rows[] = {
        {"operators", BEGIN, "/* kind=Conv node=a */\n", END, ROOF_OK},
        {"transfers", BEGIN READS, "/* ram -> 5 */\n", "\n" END, ROOF_OK},
        {"streams", BEGIN, EMIT, END, ROOF_E_LIMIT},
        {"blobs", HEAD, "ec_trace_start_blob(\"b\");\nec_trace_end_blob(\"b\");\n", BEGIN END, ROOF_OK},
        {"rows of the table", TABLE, "{\n.epoch_num = 7,\n},\n", "};\n", ROOF_OK},
        {"comments", BEGIN, "/* nothing */\n", END, ROOF_OK},
        {"pools", HEAD, "/* index=0 name=a offset=0x1 size=1 byte width=1 freq ratio=1 */\n", "",
         ROOF_E_DATA},
    };
    enum { LINES = 1000000 };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t before = strlen(rows[i].before), line = strlen(rows[i].line), after = strlen(rows[i].after);
        char *text = malloc(before + line * LINES + after);
        assert_non_null(text);
        memcpy(text, rows[i].before, before);
        for (size_t k = 0; k < LINES; k++)
            memcpy(text + before + k * line, rows[i].line, line);
        memcpy(text + before + LINES * line, rows[i].after, after);
        net n = read_text(text, before + line * LINES + after);
        if (n.status != rows[i].status)
            fail_msg("a million %s: %s", rows[i].name, n.err.what);
        drop(&n);
        free(text);
    }
}

static void more_epochs_than_a_plan_has_room_for_are_refused(void **state)
{
    enum { EPOCHS = PLAN_MAX_EPOCHS + 1, EACH = 64 };
    char *text = malloc((size_t)EPOCHS * EACH + sizeof HEAD);
    size_t length = sizeof HEAD - 1;
    (void)state;
    assert_non_null(text);
    memcpy(text, HEAD, length);
    for (unsigned i = 0; i < EPOCHS; i++)
        length +=
            (size_t)snprintf(text + length, EACH, "ec_trace_start_epoch(%u);\nec_trace_end_epoch();\n", i);
    net n = read_text(text, length);
    assert_int_equal(n.status, ROOF_E_LIMIT);
    drop(&n);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_names_compiler_and_network),
        cmocka_unit_test(pools_are_as_described),
        cmocka_unit_test(epochs_are_layers_in_order),
        cmocka_unit_test(operators_have_their_kind_and_unit),
        cmocka_unit_test(traffic_is_what_the_comments_say),
        cmocka_unit_test(estimates_of_the_compiler_are_kept),
        cmocka_unit_test(without_estimates_streams_are_counted),
        cmocka_unit_test(every_dialect_gives_the_same_work),
        cmocka_unit_test(a_trace_alone_knows_pools_by_name_only),
        cmocka_unit_test(epochs_of_a_trace_belong_to_their_blob),
        cmocka_unit_test(a_blob_without_its_trace_is_one_epoch),
        cmocka_unit_test(flags_give_the_kind),
        cmocka_unit_test(the_struct_of_a_convolution_gives_its_rate),
        cmocka_unit_test(streams_give_least_cycles),
        cmocka_unit_test(a_unit_that_passes_on_computes_nothing),
        cmocka_unit_test(epochs_out_of_order_are_put_in_order),
        cmocka_unit_test(masks_say_which_stream_engines_an_epoch_uses),
        cmocka_unit_test(damaged_text_is_refused_with_its_line),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
        cmocka_unit_test(only_what_the_compiler_writes_is_taken_for_it),
        cmocka_unit_test(a_million_lines_are_read_or_refused),
        cmocka_unit_test(more_epochs_than_a_plan_has_room_for_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
