/* The runtime sequence of an aie.mlir: it moves what the control code made of it moves, argument by argument,
 * channel by channel. */
#include "roofline/control_code.h"
#include "roofline/work.h"
#include "tests/support/aie_writer.h"
#include "tests/unit/fixture.h"

static const roof_control_code *only_code(const fx_net *net)
{
    uint32_t n;
    const roof_control_code *code = roof_control_code_of(net->graph, &n);
    assert_int_equal(n, 1);
    return code;
}

static fx_net open_text(const char *text, size_t length, const char *path)
{
    fx_net net = {.bytes = fx_copy(text, length), .size_bytes = length};
    fx_read(&net, path);
    return net;
}

static uint64_t read_of(const roof_control_code *code, const char *argument)
{
    for (uint32_t i = 0; i < code->n_arguments; i++)
        if (strcmp(code->arguments[i].name, argument) == 0)
            return code->arguments[i].read_bytes;
    return 0;
}

static void check_same(const roof_control_code *mlir, const roof_control_code *insts)
{
    assert_int_equal(mlir->read_bytes, insts->read_bytes);
    assert_int_equal(mlir->write_bytes, insts->write_bytes);
    assert_int_equal(mlir->pushes, insts->pushes);
    assert_int_equal(mlir->columns, insts->columns);
    assert_int_equal(mlir->generation, insts->generation);
    assert_int_equal(mlir->n_channels, insts->n_channels);
    for (uint32_t i = 0; i < mlir->n_channels; i++) {
        assert_int_equal(mlir->channels[i].column, insts->channels[i].column);
        assert_int_equal(mlir->channels[i].channel, insts->channels[i].channel);
        assert_int_equal(mlir->channels[i].bytes, insts->channels[i].bytes);
    }
    for (uint32_t i = 0; i < mlir->n_arguments; i++)
        assert_int_equal(mlir->arguments[i].read_bytes, read_of(insts, mlir->arguments[i].name));
}

static void a_sequence_moves_what_its_control_code_moves(void **state)
{
    static const aw_product rows[] = {
        {64, 32, 64, 16, 16, 2, 2, 2, 2, 4},
        {1024, 512, 1024, 32, 64, 4, 4, 1, 1, 1},
        {512, 64, 40000, 16, 16, 1, 1, 2, 1, 4}, /* more tiles than a push repeats */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t length;
        char *text = aw_mlir(&rows[i], true, &length);
        fx_net mlir = open_text(text, length, "aie.mlir");
        aw_code code = aw_write_product(AW_TXN_10, 4, &rows[i]);
        fx_net insts = {.bytes = fx_copy(code.words, 4 * code.n), .size_bytes = 4 * code.n};
        fx_read(&insts, "insts.bin");
        check_same(only_code(&mlir), only_code(&insts));
        fx_close(&mlir);
        fx_close(&insts);
        aw_free(&code);
        free(text);
    }
}

/* The name tells the shape, the design what its elements are. */
static void types_of_a_named_product_are_those_of_the_arguments(void **state)
{
    static const aw_product product = {64, 32, 64, 16, 16, 2, 2, 2, 2, 4};
    size_t length;
    roof_program *program = NULL;
    roof_error err;
    char *text = aw_mlir(&product, false, &length);
    (void)state;
    fx_net net = open_text(text, length, "aie_64x32x64_16x32x16.mlir");
    assert_int_equal(roof_program_of(net.graph, &program, &err), ROOF_OK);
    assert_int_equal(program->rows[0].macs, 64 * 32 * 64);
    assert_string_equal(program->rows[0].work.demands[0].types, "int16xint16");
    assert_int_equal(program->rows[0].work.demands[0].tile_n, 16);
    roof_program_free(program);
    fx_close(&net);
    free(text);
}

#define DESIGN                                                                                               \
    "module {\n  aie.device(npu2) {\n    %c1_i64 = arith.constant 1 : i64\n"                                 \
    "    %c17_i64 = arith.constant 17 : i64\n    %shim_0 = aie.tile(0, 0) {controller_id = 15}\n"            \
    "    %mem_0 = aie.tile(0, 1)\n"                                                                          \
    "    aie.objectfifo @inner(%mem_0, {%mem_0}, 2 : i32) : !aie.objectfifo<memref<8xi32>>\n"                \
    "    aie.runtime_sequence @sequence(%a: memref<17xi32>, %b: memref<4x17xbf16>) {\n"
#define ENDS                                                                                                 \
    "    }\n    aie.shim_dma_allocation @in(%shim_0, MM2S, 1)\n"                                             \
    "    aie.shim_dma_allocation @out(S2MM, 0, 2)\n  }\n}\n"

static void every_kind_of_statement_is_counted(void **state)
{
    static const struct {
        const char *statement;
        uint64_t read, written;
    } rows[] = {
        {"aiex.npu.dma_memcpy_nd(%a[%c1_i64, 0][%c1_i64, %c17_i64][0, 1]) {id = 0 : i64, metadata = @in} : "
         "memref<17xi32>\n",
         68, 0},
        {"aiex.npu.dma_memcpy_nd(0, 0, %b[0, 0, 0, 0][4, 1, 1, 17][0, 0, 0, 1]) {metadata = @out} : "
         "memref<4x17xbf16>\n",
         0, 136},
        {"%0 = aiex.dma_configure_task_for @out {\n aie.dma_bd(%b : memref<4x17xbf16>, 0, 34, [<size = 2, "
         "stride = "
         "17>])\n aie.end\n } {issue_token = true, repeat_count = 2 : i32}\n aiex.dma_await_task(%0)\n",
         0, 204},
        {"aiex.npu.writebd {bd_id = 3 : i32, buffer_length = 64 : i32, column = 1 : i32, next_bd = 4 : i32, "
         "row = 0 : "
         "i32, use_next_bd = 1 : i32}\naiex.npu.writebd {bd_id = 4 : i32, buffer_length = 32 : i32, column = "
         "1 : i32, "
         "row = 0 : i32}\naiex.npu.write32 {address = 119316 : ui32, column = 1 : i32, row = 0 : i32, value "
         "= 65539 : "
         "ui32}\n",
         768, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2000];
        int n = snprintf(text, sizeof text, "%s%s%s", DESIGN, rows[i].statement, ENDS);
        fx_net net = open_text(text, (size_t)n, "aie.mlir");
        const roof_control_code *code = only_code(&net);
        if (code->read_bytes != rows[i].read || code->write_bytes != rows[i].written)
            fail_msg("%s: %" PRIu64 " read, %" PRIu64 " written", rows[i].statement, code->read_bytes,
                     code->write_bytes);
        fx_close(&net);
    }
}

static void what_cannot_be_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *statement, *want;
    } rows[] = {
        {"aiex.npu.dma_memcpy_nd(%c[0][4][1]) {metadata = @in} : memref<17xi32>\n",
         "want an argument of the sequence and its [offsets][sizes][strides]"},
        {"aiex.npu.dma_memcpy_nd(%a[0][4][1]) {metadata = @no} : memref<17xi32>\n",
         "no fifo is called '@no'"},
        {"aiex.npu.dma_memcpy_nd(%a[0][%c2][1]) {metadata = @in} : memref<17xi32>\n",
         "a size is '', want a number or a constant"},
        {"aiex.npu.dma_memcpy_nd(%a[0][4][1]) {metadata = @in} : memref<17xf80>\n",
         "elements of 'f80' are unknown, want one of i8, i16, i32, bf16, f32"},
        {"aiex.npu.dma_memcpy_nd(%a[0][4][1]) {metadata = @inner} : memref<17xi32>\n",
         "the fifo has no end in the shim, row 0"},
        {"aiex.npu.dma_memcpy_nd(%a[0][9000000000, 9000000000][1]) {metadata = @in} : memref<17xi32>\n",
         "its bytes overflow 64 bits"},
        {"aiex.npu.blockwrite(%0) {address = 118784 : ui32} : memref<8xi32>\n",
         "the sequence is lowered to blocks of registers: give the insts.txt or insts.bin made of it"},
        {"aiex.npu.write32 {address = 119316 : ui32, column = 200 : i32, row = 0 : i32, value = 3 : ui32}\n",
         "it writes into column 200, want less than 128"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2000];
        roof_graph *graph = NULL;
        roof_error err = {0};
        int n = snprintf(text, sizeof text, "%s%s%s", DESIGN, rows[i].statement, ENDS);
        uint8_t *bytes = fx_copy(text, (size_t)n);
        roof_status status = graph_read_memory(bytes, (uint64_t)n, "aie.mlir", &graph, &err);
        if (status == ROOF_OK || strcmp(err.what, rows[i].want) != 0 || err.line != 9)
            fail_msg("%s: line %" PRIu64 ": '%s'", rows[i].statement, err.line, err.what);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sequence_moves_what_its_control_code_moves),
        cmocka_unit_test(types_of_a_named_product_are_those_of_the_arguments),
        cmocka_unit_test(every_kind_of_statement_is_counted),
        cmocka_unit_test(what_cannot_be_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
