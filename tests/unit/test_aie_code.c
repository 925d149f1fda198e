/* Control code of AI Engine arrays: what is moved, of which argument, by which channel; what cannot be known;
 * what is refused. */
#include "roofline/control_code.h"
#include "roofline/work.h"
#include "tests/support/aie_writer.h"
#include "tests/unit/fixture.h"

static const char *const kinds[] = {"TXN 0.1", "TXN 1.0", "control code"};

static fx_net net_of(aw_code *code)
{
    fx_net net = {.size_bytes = 4 * code->n};
    net.bytes = fx_copy(code->words, net.size_bytes);
    aw_free(code);
    return net;
}

static const roof_control_code *only_code(const fx_net *net)
{
    uint32_t n;
    const roof_control_code *code = roof_control_code_of(net->graph, &n);
    assert_int_equal(n, 1);
    return code;
}

/* Control code without a header is read as text only. */
static fx_net open_code(aw_code *code)
{
    fx_net net = {0};
    aw_end(code);
    if (code->kind == AW_CTRLCODE) {
        char *text = aw_text(code, &net.size_bytes);
        net.bytes = fx_copy(text, net.size_bytes);
        free(text);
        aw_free(code);
    } else {
        net = net_of(code);
    }
    fx_read(&net, "insts.bin");
    return net;
}

/* The example of roofline/control_code.h. */
static void write_two(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){0, 0, 16, AW_NO_NEXT, 0});
    aw_add_push(c, &(aw_push){.descriptor = 0, .is_read = true});
    aw_add_descriptor(c, &(aw_descriptor){0, 1, 16, AW_NO_NEXT, 2});
    aw_add_push(c, &(aw_push){.descriptor = 1, .repeat = 3});
    aw_sync(c);
}

static void a_push_moves_its_descriptor_as_often_as_it_says(void **state)
{
    (void)state;
    for (aw_kind kind = AW_TXN_01; kind <= AW_CTRLCODE; kind++) {
        aw_code c = aw_begin(kind, 3, 1);
        write_two(&c);
        fx_net net = open_code(&c);
        const roof_control_code *code = only_code(&net);
        if (code->read_bytes != 64 || code->write_bytes != 256 || code->pushes != 2 ||
            code->unresolved_pushes || code->syncs != 1 || code->configuration_bytes || code->n_channels != 2)
            fail_msg("%s: %" PRIu64 " read, %" PRIu64 " written, %" PRIu64 " pushes", kinds[kind],
                     code->read_bytes, code->write_bytes, code->pushes);
        assert_string_equal(code->arguments[0].name, kind == AW_CTRLCODE ? "ifm" : "0");
        assert_string_equal(code->arguments[1].name, kind == AW_CTRLCODE ? "ofm" : "2");
        assert_true(code->channels[0].is_read && !code->channels[1].is_read);
        fx_close(&net);
    }
}

static void chain(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){1, 4, 10, 5, 0});
    aw_add_descriptor(c, &(aw_descriptor){1, 5, 20, 6, 1});
    aw_add_descriptor(c, &(aw_descriptor){1, 6, 30, AW_NO_NEXT, 1});
    aw_add_push(c, &(aw_push){.column = 1, .channel = 1, .descriptor = 4, .repeat = 1, .is_read = true});
}

static void never_written(aw_code *c)
{
    aw_add_push(c, &(aw_push){.descriptor = 7, .is_read = true});
}

static void chain_with_a_hole(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){0, 0, 10, 1, 0});
    aw_add_push(c, &(aw_push){.is_read = true});
}

static void endless_chain(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){0, 0, 10, 1, 0});
    aw_add_descriptor(c, &(aw_descriptor){0, 1, 10, 0, 0});
    aw_add_push(c, &(aw_push){.is_read = true});
}

static void another_column(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){0, 0, 10, AW_NO_NEXT, 0});
    aw_add_push(c, &(aw_push){.column = 1, .is_read = true});
}

static void rewritten(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){0, 0, 10, AW_NO_NEXT, 0});
    aw_add_push(c, &(aw_push){.is_read = true});
    aw_write(c, 0, 0, 0x1D000, 100); /* its length alone */
    aw_add_push(c, &(aw_push){.is_read = true});
}

static void moved_elsewhere(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){0, 0, 10, AW_NO_NEXT, 0});
    aw_write(c, 0, 0, 0x1D004, 0x5000);
    aw_add_push(c, &(aw_push){.is_read = true});
}

static void other_rows(aw_code *c)
{
    aw_add_descriptor(c, &(aw_descriptor){0, 0, 10, AW_NO_NEXT, 0});
    aw_write(c, 0, 1, 0x1D214, 0x80000000); /* a memory tile has no such queue */
    aw_write(c, 0, 2, 0x32000, 1);
    aw_add_push(c, &(aw_push){.is_read = true});
}

static void marks(aw_code *c)
{
    aw_mask_write(c, 7);
    aw_mask_write(c, 8);
    write_two(c);
    if (c->kind != AW_CTRLCODE) {
        aw_custom(c, 0x83, 3);
        aw_custom(c, 0x84, 2);
    }
}

static void what_descriptors_and_pushes_make_together(void **state)
{
    static const struct {
        const char *name;
        void (*write)(aw_code *c);
        uint64_t pushes, unresolved, read, written, configuration;
        const char *argument; /* the last one of a transaction */
    } rows[] = {
        {"a chain is moved whole, repeated", chain, 1, 0, 480, 0, 0, "1"},
        {"what was never written is unknown", never_written, 1, 1, 0, 0, 0, NULL},
        {"nor is a chain with such a part", chain_with_a_hole, 1, 1, 0, 0, 0, NULL},
        {"nor one without an end", endless_chain, 1, 1, 0, 0, 0, NULL},
        {"columns have descriptors of their own", another_column, 1, 1, 0, 0, 0, NULL},
        {"a new length counts from then on", rewritten, 2, 0, 440, 0, 0, "0"},
        {"a new address is of no argument", moved_elsewhere, 1, 0, 40, 0, 0, "?"},
        {"other rows are configured", other_rows, 1, 0, 40, 0, 8, "0"},
        {"masks have two lengths, marks none that counts", marks, 2, 0, 64, 256, 8, "2"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (aw_kind kind = AW_TXN_01; kind <= AW_CTRLCODE; kind++) {
            aw_code c = aw_begin(kind, 4, 4);
            rows[i].write(&c);
            fx_net net = open_code(&c);
            const roof_control_code *code = only_code(&net);
            uint64_t configuration =
                kind == AW_CTRLCODE && rows[i].write == marks ? 16 : rows[i].configuration;
            if (code->pushes != rows[i].pushes || code->unresolved_pushes != rows[i].unresolved ||
                code->read_bytes != rows[i].read || code->write_bytes != rows[i].written ||
                code->configuration_bytes != configuration)
                fail_msg("%s, %s: %" PRIu64 " pushes, %" PRIu64 " unresolved, %" PRIu64 " read, %" PRIu64
                         " written, %" PRIu64 " configured",
                         rows[i].name, kinds[kind], code->pushes, code->unresolved_pushes, code->read_bytes,
                         code->write_bytes, code->configuration_bytes);
            if (kind != AW_CTRLCODE && rows[i].argument)
                assert_string_equal(code->arguments[code->n_arguments - 1].name, rows[i].argument);
            fx_close(&net);
        }
}

/* Equations 6 to 8 of arXiv 2512.13282: each core reads its rows of A and columns of B again for every tile
 * of C. */
static void the_code_of_a_product_moves_what_its_tiles_need(void **state)
{
    const aw_product p = {1024, 512, 1024, 32, 64, 4, 4, 2, 2, 2};
    const uint64_t mkn = (uint64_t)p.m * p.k * p.n;
    (void)state;
    for (aw_kind kind = AW_TXN_01; kind <= AW_TXN_10; kind++) {
        aw_code c = aw_write_product(kind, 4, &p);
        fx_net net = open_code(&c);
        const roof_control_code *code = only_code(&net);
        assert_int_equal(code->arguments[0].read_bytes, mkn * p.a_bytes / (p.tile_n * p.across_n));
        assert_int_equal(code->arguments[1].read_bytes, mkn * p.b_bytes / (p.tile_m * p.across_m));
        assert_int_equal(code->arguments[2].write_bytes, (uint64_t)p.m * p.n * p.c_bytes);
        assert_int_equal(code->n_channels, 12);
        fx_close(&net);
    }
}

/* Code whose descriptors of data lie in control packets moves the packets alone. */
static void code_that_only_reads_is_not_complete(void **state)
{
    (void)state;
    for (aw_kind kind = AW_TXN_01; kind <= AW_CTRLCODE; kind++) {
        aw_code c = aw_begin(kind, 4, 4);
        chain(&c);
        fx_net net = open_code(&c);
        roof_program *program = NULL;
        roof_error err;
        assert_int_equal(only_code(&net)->is_complete,
                         kind == AW_CTRLCODE); /* a layer's result may stay in the array */
        assert_int_equal(roof_program_of(net.graph, &program, &err), ROOF_OK);
        bool is_known = program->rows[0].work.bytes_basis != ROOF_BASIS_NONE;
        assert_int_equal(is_known, kind == AW_CTRLCODE);
        roof_program_free(program);
        fx_close(&net);
    }
}

static void text_and_binary_say_the_same(void **state)
{
    static const char comment[] = "# a comment, with 00000000 in it\n\n";
    (void)state;
    for (int has_comment = 0; has_comment < 2; has_comment++) {
        aw_code c = aw_begin(AW_TXN_10, 4, 4);
        size_t length;
        write_two(&c);
        aw_end(&c);
        char *text = aw_text(&c, &length);
        fx_net net = {.bytes = fx_copy(comment, has_comment ? sizeof comment - 1 : 0),
                      .size_bytes = has_comment ? sizeof comment - 1 : 0};
        fx_append(&net, text, length - 1); /* without the last line's end */
        fx_read(&net, "insts.txt");
        assert_int_equal(only_code(&net)->write_bytes, 256);
        assert_string_equal(only_code(&net)->version, "1.0");
        fx_close(&net);
        free(text);
        aw_free(&c);
    }
}

/* ---- what is refused ---- */

static void cut(aw_code *c)
{
    c->n -= 2;
}

static void longer(aw_code *c)
{
    aw_word(c, 0);
}

static void a_billion(aw_code *c)
{
    c->words[2] = 1000000000;
}

static void fewer(aw_code *c)
{
    c->words[2]--;
}

static void strange(aw_code *c)
{
    aw_word(c, 2);
    c->words[3] += 4;
    c->words[2]++;
}

static void strange_of_two(aw_code *c)
{
    aw_word(c, 2);
    strange(c);
}

static void too_long(aw_code *c)
{
    aw_word(c, 1);
    aw_word(c, 0x2000);
    aw_word(c, 0xfffffff0);
    c->words[3] += 12;
    c->words[2]++;
}

static void what_cannot_be_is_refused_with_its_place(void **state)
{
    static const struct {
        void (*spoil)(aw_code *c);
        const char *want;
    } rows[] = {
        {cut, "the header says 192 bytes, there are 184"},
        {longer, "the header says 192 bytes, there are 196"},
        {a_billion, "the code ends after 7 operations, the header says 1000000000"},
        {fewer, "16 bytes follow the last of the header's 6 operations"},
        {strange, "opcode 2 is not one of version 1.0"},
        {strange_of_two, "the header says 196 bytes, there are 200"},
        {too_long, "operation 1 is 4294967280 bytes long, want at least 12 of 12 that are left"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        aw_code c = aw_begin(AW_TXN_10, 4, 4);
        write_two(&c);
        aw_end(&c);
        rows[i].spoil(&c);
        fx_net net = net_of(&c);
        fx_refused(rows[i].want, &net, ROOF_E_DATA, rows[i].want);
        fx_close(&net);
    }
}

static void a_text_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *want;
        uint64_t line;
    } rows[] = {
        {"02000000\n0003FF00\n0000000G\n", "want a word of 8 hexadecimal digits", 3},
        {"02000000\n0003FF00\n000000001\n", "want a word of 8 hexadecimal digits", 3},
        {"# a\n02000000\n0003FF00\n", "operation 2 of 3 words is cut off after 2", 2},
        {"00000000\n\n77000000\n", "opcode 119 is not one of AIE2 control code, want less than 19", 3},
        {"02c80000\n0001D204\n00000000\n", "it writes into column 200, want less than 128", 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_graph *graph = NULL;
        roof_error err;
        uint8_t *text = fx_copy(rows[i].text, strlen(rows[i].text));
        assert_int_equal(graph_read_memory(text, strlen(rows[i].text), "s.txt", &graph, &err), ROOF_E_DATA);
        assert_string_equal(err.what, rows[i].want);
        assert_int_equal(err.line, rows[i].line);
        free(text);
    }
}

/* Bytes that wrap around would look like few. */
static void bytes_beyond_64_bits_are_refused(void **state)
{
    (void)state;
    roof_error err;
    roof_graph *graph = NULL;
    aw_code c = aw_begin(AW_TXN_10, 4, 4);
    for (int i = 0; i < 16; i++)
        aw_add_descriptor(&c, &(aw_descriptor){0, (uint32_t)i, UINT32_MAX, i < 15 ? i + 1 : AW_NO_NEXT, 0});
    for (int i = 0; i < 300000; i++)
        aw_add_push(&c, &(aw_push){.repeat = 255, .is_read = true});
    aw_end(&c);
    fx_net net = net_of(&c);
    roof_status status = graph_read_memory(net.bytes, net.size_bytes, "n", &graph, &err);
    assert_int_equal(status, ROOF_E_LIMIT);
    assert_string_equal(err.what, "the bytes of its transfers overflow 64 bits");
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push_moves_its_descriptor_as_often_as_it_says),
        cmocka_unit_test(what_descriptors_and_pushes_make_together),
        cmocka_unit_test(the_code_of_a_product_moves_what_its_tiles_need),
        cmocka_unit_test(code_that_only_reads_is_not_complete),
        cmocka_unit_test(text_and_binary_say_the_same),
        cmocka_unit_test(what_cannot_be_is_refused_with_its_place),
        cmocka_unit_test(a_text_is_refused_with_its_line),
        cmocka_unit_test(bytes_beyond_64_bits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
