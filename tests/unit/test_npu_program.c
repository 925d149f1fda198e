/* What Vela compiled, in its containers: streams of a file, rows of its layers, and containers that are
 * damaged. */
#include "roofline/command_stream.h"
#include "roofline/work.h"
#include "tests/support/ethosu_writer.h"
#include "tests/support/tflite_writer.h"
#include "tests/unit/fixture.h"

#include <string.h>

#define T TFW_TENSOR

static fx_net written(const tfw_network *network)
{
    fx_net net = {0};
    unsigned char *bytes = tfw_write(network, &net.size_bytes);
    net.bytes = fx_copy(bytes, net.size_bytes);
    free(bytes);
    return net;
}

static fx_net opened(const tfw_network *network)
{
    fx_net net = written(network);
    fx_read(&net, "net.tflite");
    return net;
}

static roof_program *program_of(const fx_net *net)
{
    roof_program *p = NULL;
    roof_error err = {0};
    if (roof_program_of(net->graph, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return p;
}

static const roof_command_stream *only_stream(const fx_net *net)
{
    uint32_t n;
    const roof_command_stream *s = roof_command_streams_of(net->graph, &n);
    assert_int_equal(n, 1);
    return s;
}

/* A file of a single NPU operator. */
static tfw_network network_of(const euw_network *payload, tfw_tensor tensors[5], const tfw_operator *op)
{
    static const tfw_tensor rows[5] = {T("ethos_u_command_stream", TFW_UINT8, {0}, .data = TFW_PAYLOAD),
                                       T("read_only", TFW_UINT8, {640}, .data = TFW_ZEROS),
                                       T("scratch", TFW_UINT8, {8192}), T("scratch_fast", TFW_UINT8, {8192}),
                                       T("y", TFW_INT8, {1, 8, 8, 16})};
    memcpy(tensors, rows, sizeof rows);
    tensors[0].payload = payload;
    return (tfw_network){.tensors = tensors,
                         .n_tensors = 5,
                         .operators = op,
                         .n_operators = 1,
                         .outputs = {"y"},
                         .description = "Vela Optimised"};
}
static const tfw_operator npu = {32, .custom = "ethos-u",
                                 .inputs = {"ethos_u_command_stream", "read_only", "scratch", "scratch_fast"},
                                 .outputs = {"y"}};

/* The example of roofline/command_stream.h. */
static void two_slices_are_two_launches_and_a_layer(void **state)
{
    (void)state;
    static const euw_launch launches[] = {
        {EUW_CONV, .ifm = EUW_MAP(1, 0, 8, 8, 4), .ofm = {1, 256, 8, 8, 8, .full_d = 16}, .kernel = 3,
         .top = 1, .left = 1, .bottom = 1, .right = 1, .weights = {0, 0, 288}, .scales = {0, 288, 32}},
        {EUW_CONV, .ifm = EUW_MAP(1, 0, 8, 8, 4), .ofm = {1, 264, 8, 8, 8, .full_d = 16}, .kernel = 3,
         .top = 1, .left = 1, .bottom = 1, .right = 1, .weights = {0, 320, 288}, .scales = {0, 608, 32}}};
    const euw_network payload = {EUW_U65_512, launches, COUNT(launches)};
    tfw_tensor tensors[5];
    const tfw_network network = network_of(&payload, tensors, &npu);
    fx_net net = opened(&network);
    const roof_command_stream *s = only_stream(&net);
    assert_int_equal(s->convolutions, 2);
    assert_int_equal(s->macs, 2 * 18432);
    assert_int_equal(s->rows, 1);
    assert_string_equal(s->target, "Ethos-U65-512");
    assert_string_equal(s->core, "regor");
    assert_string_equal(s->arch, "1.0.6");
    assert_null(s->vela_version);
    assert_int_equal(s->cores, 2);
    assert_int_equal(s->shram_bytes, 96 * 1024);
    fx_close(&net);
}

static void a_stream_is_what_its_launches_add_up_to(void **state)
{
    (void)state;
    fx_net net = opened(&tfw_vela);
    const roof_command_stream *s = only_stream(&net);
    assert_string_equal(net.graph->compiler, "Vela Optimised");
    assert_string_equal(s->name, "npu0");
    assert_string_equal(s->core, "python");
    assert_string_equal(s->vela_version, "3.10.0");
    assert_string_equal(net.graph->ops[s->op].name, "npu_out");
    assert_int_equal(s->convolution_macs, 36864);
    assert_int_equal(s->depthwise_macs, 9216);
    assert_int_equal(s->pooling_macs, 1024);
    assert_int_equal(s->macs, 47104);
    assert_int_equal(s->skipped_macs, 0);
    assert_int_equal(s->dmas, 4);
    assert_int_equal(s->dma_bytes, 400 + 400 + 256 + 16);
    assert_int_equal(s->lut_bytes, 256);
    assert_int_equal(s->weight_bytes, 320 + 320 + 160);
    assert_int_equal(s->scale_bytes, 80 + 80 + 160);
    assert_int_equal(s->kernel_waits, 1);
    assert_int_equal(s->dma_waits, 2);
    assert_int_equal(s->rows, 5);
    assert_int_equal(s->read_only_bytes, 1376);
    assert_int_equal(s->scratch_bytes, 5120);
    assert_int_equal(s->length_bytes, 4 * s->words);
    /* the words are where the stream says that they are */
    assert_int_equal(net.bytes[s->file_offset + s->length_bytes - 1], 0xFF);
    fx_close(&net);
}

static void layers_are_rows_with_work_and_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *type, *shape;
        uint64_t macs, ops, read[2], written; /* of read_only, of scratch; into scratch */
    } want[] = {
        {"npu0.0", "conv", "8x8x4 -> 8x8x16 k3x3 s1x1", 36864, 73728, {800, 2 * 256 + 800}, 1024 + 800},
        {"npu0.1", "dw", "8x8x16 -> 8x8x16 k3x3 s1x1", 9216, 18432, {320, 1024}, 1024},
        {"npu0.2", "add", "8x8x16 -> 8x8x16", 0, 1024, {0, 2048}, 1024},
        {"npu0.3", "avgpool", "8x8x16 -> 1x1x16 k8x8 s1x1", 1024, 2048, {256, 1024}, 16},
        {"npu0.4", "memcpy", "16 B", 0, 0, {0, 16}, 16},
    };
    fx_net net = opened(&tfw_vela);
    roof_program *p = program_of(&net);
    assert_string_equal(p->target.name, "Ethos-U55-128");
    assert_string_equal(p->target.family, "ethos_u");
    assert_int_equal(p->n_memories, 2); /* scratch_fast is not used */
    assert_string_equal(p->memories[0].name, "read_only");
    assert_string_equal(p->memories[1].name, "scratch");
    assert_int_equal(p->memories[0].size_bytes, 1376);
    assert_int_equal(p->n_rows, COUNT(want) + 1);
    for (size_t i = 0; i < COUNT(want); i++) {
        const roof_row *row = &p->rows[i];
        uint64_t moved[2][2] = {{0}};
        for (uint32_t k = 0; k < row->work.n_transfers; k++) {
            const roof_transfer *t = &row->work.transfers[k];
            moved[t->memory][0] += t->read_bytes;
            moved[t->memory][1] += t->write_bytes;
        }
        assert_string_equal(row->name, want[i].name);
        assert_string_equal(row->type, want[i].type);
        assert_string_equal(row->shape, want[i].shape);
        assert_int_equal(row->macs, want[i].macs);
        assert_int_equal(row->ops_count, want[i].ops);
        assert_int_equal(moved[0][0], want[i].read[0]);
        assert_int_equal(moved[1][0], want[i].read[1]);
        assert_int_equal(moved[0][1], 0);
        assert_int_equal(moved[1][1], want[i].written);
        assert_int_equal(row->work.traffic.weights_bytes, want[i].read[0]);
        assert_int_equal(row->work.traffic.input_bytes, want[i].read[1]);
        assert_int_equal(row->work.traffic.output_bytes, want[i].written);
        assert_int_equal(row->work.bytes_basis, ROOF_BASIS_CODE);
        assert_int_equal(row->executor, ROOF_BY_ACCELERATOR);
        assert_int_equal(row->is_boundary, i + 1 == COUNT(want));
        assert_int_equal(row->operators[0], only_stream(&net)->op);
        assert_non_null(row->work.commands);
    }
    const roof_row *host = &p->rows[COUNT(want)];
    assert_string_equal(host->name, "probabilities");
    assert_string_equal(host->type, "SOFTMAX");
    assert_int_equal(host->executor, ROOF_BY_HOST);
    assert_null(host->work.commands);
    roof_program_free(p);
    fx_close(&net);
}

/* A pad computes nothing and is a row all the same: the host does it. */
static void all_operators_of_the_host_are_rows(void **state)
{
    (void)state;
    static const tfw_tensor tensors[] = {
        T("x", TFW_INT8, {1, 8, 8, 4}),
        T("pads", TFW_INT32, {4, 2}, .data = TFW_VALUES, .values = {0, 0, 1, 1, 1, 1}),
        T("padded", TFW_INT8, {1, 10, 10, 4}),
        T("ethos_u_command_stream", TFW_UINT8, {0}, .data = TFW_PAYLOAD, .payload = &euw_small),
        T("read_only", TFW_UINT8, {1376}, .data = TFW_ZEROS),
        T("scratch", TFW_UINT8, {5120}),
        T("scratch_fast", TFW_UINT8, {5120}),
        T("y", TFW_INT8, {1, 16})};
    static const tfw_operator operators[] = {
        {34, .inputs = {"x", "pads"}, .outputs = {"padded"}},
        {32, .custom = "ethos-u",
         .inputs = {"ethos_u_command_stream", "read_only", "scratch", "scratch_fast", "padded"},
         .outputs = {"y"}}};
    fx_net net = opened(&(tfw_network){.tensors = tensors,
                                       .n_tensors = COUNT(tensors),
                                       .operators = operators,
                                       .n_operators = COUNT(operators),
                                       .inputs = {"x"},
                                       .outputs = {"y"}});
    roof_program *p = program_of(&net);
    assert_int_equal(p->n_rows, 6);
    assert_string_equal(p->rows[0].type, "PAD");
    assert_int_equal(p->rows[0].executor, ROOF_BY_HOST);
    assert_string_equal(p->rows[1].name, "npu0.0");
    roof_program_free(p);
    fx_close(&net);
}

static void another_hardware_has_no_use_for_command_streams(void **state)
{
    (void)state;
    fx_net net = opened(&tfw_vela);
    roof_hw *hw = fx_hw("b4096");
    roof_prediction *p = NULL;
    roof_error err = {0};
    assert_int_equal(roof_predict(net.graph, hw, NULL, &p, &err), ROOF_E_UNSUPPORTED);
    assert_non_null(strstr(err.what, "is made of command streams of an Arm Ethos-U"));
    assert_null(strstr(err.what, "null"));
    roof_hw_free(hw);
    fx_close(&net);
}

/* ---- containers ---- */

static void a_damaged_operator_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        tfw_data data;
        const char *inputs[4];
        const char *text;
    } rows[] = {
        {"three inputs",
         TFW_PAYLOAD,
         {"ethos_u_command_stream", "read_only", "scratch"},
         "operator 0: input 3 is missing, want a command stream, read-only data and two of scratch memory"},
        {"a stream that is left out",
         TFW_PAYLOAD,
         {"-", "read_only", "scratch", "scratch_fast"},
         "operator 0: input 0 is missing, want a command stream, read-only data and two of scratch memory"},
        {"no data",
         TFW_COMPUTED,
         {"ethos_u_command_stream", "read_only", "scratch", "scratch_fast"},
         "operator 0: its command stream, tensor 'ethos_u_command_stream', has no data"},
        {"zeros",
         TFW_ZEROS,
         {"ethos_u_command_stream", "read_only", "scratch", "scratch_fast"},
         "operator 0: no driver payload of an Ethos-U, which begins with COP1"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        tfw_tensor tensors[5];
        tfw_operator op = npu;
        memcpy(op.inputs, rows[i].inputs, sizeof rows[i].inputs);
        const tfw_network network = network_of(&euw_small, tensors, &op);
        tensors[0].data = rows[i].data;
        if (rows[i].data != TFW_PAYLOAD) {
            tensors[0].payload = NULL;
            tensors[0].dims[0] = 64;
        }
        fx_net net = written(&network);
        (void)fx_refused(rows[i].what, &net, ROOF_E_DATA, rows[i].text);
        fx_close(&net);
    }
}

/* Many operators that name one stream would take as much memory each. */
static void streams_are_never_longer_than_the_file(void **state)
{
    (void)state;
    enum { OPERATORS = 64 };
    tfw_tensor tensors[5 + OPERATORS];
    tfw_operator operators[OPERATORS] = {{0}};
    char names[OPERATORS][16];
    tfw_network network = network_of(&euw_small, tensors, operators);
    for (int i = 0; i < OPERATORS; i++) {
        snprintf(names[i], sizeof names[i], "out_%d", i);
        tensors[5 + i] = (tfw_tensor)T(names[i], TFW_INT8, {1, 2});
        operators[i] = npu;
        operators[i].outputs[0] = names[i];
    }
    network.n_tensors += OPERATORS;
    network.n_operators = OPERATORS;
    fx_net net = written(&network);
    roof_graph *graph = NULL;
    roof_error err = {0};
    assert_int_equal(graph_read_memory(net.bytes, net.size_bytes, "net.tflite", &graph, &err), ROOF_E_LIMIT);
    assert_string_equal(err.what, "command streams are longer than the file");
    fx_close(&net);
}

/* Bytes around payloads, at 16 bytes. */
static fx_net program_file(const euw_network *const *payloads, size_t n, size_t shift)
{
    static const unsigned char head[32] = {32, 0, 0, 0, 'E', 'T', '1', '2'}, pad[32];
    fx_net net = {0};
    fx_append(&net, head, sizeof head);
    for (size_t i = 0; i < n; i++) {
        size_t size;
        unsigned char *bytes = euw_write(payloads[i], &size);
        fx_append(&net, pad, shift);
        fx_append(&net, bytes, size);
        fx_append(&net, pad, 16 + (16 - (size + shift) % 16) % 16);
        free(bytes);
    }
    return net;
}

static void an_executorch_program_is_its_payloads(void **state)
{
    (void)state;
    static const euw_network *const payloads[] = {&euw_small, &euw_small};
    fx_net net = program_file(payloads, 2, 0);
    uint32_t n;
    fx_read(&net, "net.pte");
    assert_string_equal(net.graph->format, "pte");
    const roof_command_stream *s = roof_command_streams_of(net.graph, &n);
    assert_int_equal(n, 2);
    assert_string_equal(s[1].name, "npu1");
    assert_int_equal(s[1].macs, 47104);
    assert_null(s[0].core);
    assert_true(s[0].read_only_bytes == ROOF_UNKNOWN && s[0].scratch_bytes == ROOF_UNKNOWN);
    roof_program *p = program_of(&net);
    assert_int_equal(p->n_rows, 10);
    assert_string_equal(p->rows[9].name, "npu1.4");
    assert_int_equal(p->findings[ROOF_ABOUT_WHOLE].n, 1);
    assert_int_equal(p->findings[ROOF_ABOUT_WHOLE].items[0].kind, ROOF_FINDING_COMMAND_STREAMS);
    assert_true(p->memories[0].size_bytes == ROOF_UNKNOWN);
    roof_program_free(p);
    fx_close(&net);
    net = program_file(payloads, 1, 8); /* not where delegates' data are */
    (void)fx_refused("unaligned", &net, ROOF_E_UNSUPPORTED,
                     "is an ExecuTorch program without a command stream of an Ethos-U, which is all that is "
                     "read of one");
    fx_close(&net);
    net = program_file(payloads, 1, 0);
    net.size_bytes = 32 + 100;
    assert_int_equal(fx_refused("cut", &net, ROOF_E_DATA,
                                "a command stream of 168 words, and 68 bytes are left: the file is truncated "
                                "or damaged"),
                     32 + 28);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_slices_are_two_launches_and_a_layer),
        cmocka_unit_test(a_stream_is_what_its_launches_add_up_to),
        cmocka_unit_test(layers_are_rows_with_work_and_bytes),
        cmocka_unit_test(all_operators_of_the_host_are_rows),
        cmocka_unit_test(another_hardware_has_no_use_for_command_streams),
        cmocka_unit_test(a_damaged_operator_is_refused),
        cmocka_unit_test(streams_are_never_longer_than_the_file),
        cmocka_unit_test(an_executorch_program_is_its_payloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
