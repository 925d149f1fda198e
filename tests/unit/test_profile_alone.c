/* Profiles that are compared with nothing: their first sentence is what takes the time, conversions and
 * waiting are causes, and advice is that of the tool. */
#include "core/arena.h"
#include "measure/causes/cause_rule.h"
#include "measure/reconcile/steps.h"
#include "measure/profile/profile.h"
#include "tests/unit/profile_fixture.h"

static void what_only_converts_or_copies_is_told_from_what_computes(void **state)
{
    static const struct {
        const char *type, *name;
        bool is;
    } rows[] = {
        {"Transpose", "conv1", true},
        {"TRANSPOSE", NULL, true},
        {"Reorder", NULL, true},
        {"Convert", NULL, true},
        {"ios17.cast", NULL, true},
        {"PermuteDeviceOperation", NULL, true},
        {"InterleavedToShardedDeviceOperation", NULL, true},
        {"copy", "[CUDA memcpy Host-to-Device]", true},
        {"TRANSPOSE_CONV", NULL, false},
        {"ConvTranspose", NULL, false},
        {"CONV_2D", "model/transpose_block/Conv2D", false},
        {"MatMul", "layout", false},
        {NULL, "Reformatting CopyNode for Input Tensor 0 to Conv_0 + Relu_1", true},
        {NULL, "Conv_0 + Relu_1", false},
        {"kernel", "void nchwToNhwcKernel<float, half>(int)", true},
        {"kernel", "void cudnn::ops::convertTensor_kernel<float>(float)", true},
        {"kernel", "cupy_copy__float64_float64", true},
        {"kernel",
         "void at::native::unrolled_elementwise_kernel<Add, LoadWithCast<1>, StoreWithCast<1> >(int)", false},
        {"kernel", "void at::native::elementwise_kernel<128, at::native::direct_copy_kernel_cuda(int)>(int)",
         true},
        {"kernel", "ampere_sgemm_32x32_nt", false},
        {"kernel", "gemm_transpose", false},
        {"kernel", NULL, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (conversions_match(rows[i].type, rows[i].name) != rows[i].is)
            fail_msg("%s, %s: want %d", rows[i].type ? rows[i].type : "-", rows[i].name ? rows[i].name : "-",
                     rows[i].is);
}

static void functions_are_called_without_their_arguments(void **state)
{
    static const char *const rows[][2] = {
        {"void at::native::vectorized_elementwise_kernel<4, F>(int, F)", "vectorized_elementwise_kernel"},
        {"void (anonymous namespace)::softmax<float>(float)", "softmax"},
        {"void cutlass::Kernel<cutlass_80>(Params)", "cutlass::Kernel"},
        {"subtract_kernel(float*, int)", "subtract_kernel"},
        {"copy_blocked[v1,cw51](Array<long>)", "copy_blocked"},
        {"[CUDA memcpy Host-to-Device]", "[CUDA memcpy Host-to-Device]"},
        {"model/conv(1)/Relu", "model/conv(1)/Relu"},
        {"Conv_0 + Relu_1", "Conv_0 + Relu_1"},
        {"(no name)", "(no name)"},
        {"", ""},
    };
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(profile_alone_kernel(rows[i][0], arena), rows[i][1]);
    arena_free(arena);
}

static void time_in_which_nothing_ran_is_what_spans_leave(void **state)
{
    static const struct {
        span_of_time spans[4];
        uint32_t n;
        double span_s, busy_s;
    } rows[] = {
        {{{10, 20}}, 1, NAN, NAN},
        {{{10, 20}, {30, 40}}, 2, 30, 20},
        {{{30, 40}, {10, 20}}, 2, 30, 20},
        {{{10, 20}, {15, 40}, {16, 18}}, 3, 30, 30},
        {{{30, 40}, {10, 35}, {50, 60}}, 3, 50, 40},
        {{{10, 20}, {30, 25}, {40, 50}}, 3, 40, 20}, /* one ends before it begins */
        {{{-5, 5}, {INT64_MIN, INT64_MIN + 5}}, 2, 0x1p63 + 5, 15},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        span_list list = {.tick_s = 1};
        double span_s, busy_s;
        for (uint32_t k = 0; k < rows[i].n; k++)
            assert_int_equal(spans_add(&list, arena, rows[i].spans[k], NULL), ROOF_OK);
        spans_sum(&list, &span_s, &busy_s);
        if (isnan(rows[i].span_s) ? !isnan(span_s) || !isnan(busy_s)
                                  : span_s != rows[i].span_s || busy_s != rows[i].busy_s)
            fail_msg("row %zu: %g of %g", i, busy_s, span_s);
        arena_free(arena);
    }
}

/* tool, members of the run, rows; the sentences of the verdict. */
static roof_reconciliation *reconcile(const char *tool, const char *run, roof_measured **m)
{
    textbuf text;
    roof_reconciliation *r = NULL;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text,
                "{\"schema\":\"roofline.measured/1\",\"source\":{\"tool\":\"%s\",\"files\":[\"a/net.log\"]},"
                "\"experiments\":[{\"model\":{},\"runs\":[{\"mode\":\"per_layer\",%s}]}]}",
                tool, run);
    *m = pf_read(text.bytes);
    assert_int_equal(roof_reconcile(*m, NULL, NULL, &r, NULL), ROOF_OK);
    text_free(&text);
    return r;
}

static const roof_cause *found_cause(const roof_reconciliation *r, roof_cause_kind kind)
{
    for (uint32_t i = 0; i < r->experiments[0].n_causes; i++)
        if (r->experiments[0].causes[i].kind == kind)
            return &r->experiments[0].causes[i];
    return NULL;
}

static void the_first_sentence_is_what_takes_the_time(void **state)
{
    static const struct {
        const char *tool, *run, *says;
    } rows[] = {
        {"tflite_benchmark",
         "\"total\":{\"mean_s\":0.002,\"std_s\":0.00001},\"layers\":[{\"name\":\"a\",\"type\":\"CONV\","
         "\"mean_s\":0.0008},"
         "{\"name\":\"b\",\"type\":\"DW\",\"mean_s\":0.0006},{\"name\":\"c\",\"type\":\"DW\",\"mean_s\":0."
         "0006}]",
         "net.log (TFLite): 2 ms in a per-layer run, timing included; DW 60 % (2 rows), CONV 40 %; the "
         "largest "
         "row "
         "is a, 40 %; steady (CoV 0.5 %)."},
        {"onnxruntime",
         "\"total\":{\"mean_s\":0.002,\"std_s\":0.0004},\"layers\":[{\"name\":\"a\",\"mean_s\":0.0015,"
         "\"device\":\"CPU\"},"
         "{\"name\":\"b\",\"mean_s\":0.0005,\"device\":\"CPU\"}]",
         "net.log (ONNX Runtime, CPU): 2 ms in a per-layer run, timing included; a 75 %, b 25 %; not steady "
         "(CoV 20.0 %)."},
        {"qnn_csv",
         "\"total\":{\"mean_s\":0.01},\"layers\":[{\"name\":\"a\",\"mean_s\":0.001},{\"name\":\"b\",\"mean_"
         "s\":0.001}]",
         "net.log (QNN): 10 ms in a per-layer run, timing included; its rows take 2 ms, and 8 ms are outside "
         "of them: a 50 %, b 50 %."},
        {"sigmastar_op_cost",
         "\"layers\":[{\"name\":\"a\",\"share_ratio\":0.7,\"basis\":\"share\"},{\"name\":\"b\","
         "\"share_ratio\":0.3,\"basis\":\"share\"}]",
         "net.log (SigmaStar): shares of a time that is not stated; a 70 %, b 30 %."},
        {"vela_csv",
         "\"layers\":[{\"name\":\"a\",\"cycles\":{\"vela\":300},\"basis\":\"estimated\"},{\"name\":\"b\","
         "\"cycles\":{\"vela\":100},\"basis\":\"estimated\"}]",
         "net.log (Vela): 400 cycles of 2 rows without a clock, estimated by Vela and never measured; a 75 "
         "%, b 25 %."},
        {"nsys_csv",
         "\"whole_recording\":true,\"iterations\":3,\"layers\":[{\"name\":\"a\",\"mean_s\":0.001,\"count\":4}"
         ","
         "{\"name\":\"b\",\"mean_s\":0.002,\"count\":1}]",
         "net.log (Nsight Systems): 2 ms, the sum of 2 rows; a 67 %, b 33 %."},
        {"somebody's", "\"layers\":[{\"name\":\"a\",\"mean_s\":0.001}]",
         "net.log: 1 ms; all of it is one row, a."},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[ROOF_SENTENCE_SIZE];
        roof_measured *m;
        roof_reconciliation *r = reconcile(rows[i].tool, rows[i].run, &m);
        assert_string_equal(roof_sentence(r, ROOF_SENTENCE_VERDICT, 0, text), rows[i].says);
        roof_reconciliation_free(r);
        roof_measured_free(m);
    }
}

static void conversions_and_waiting_are_causes(void **state)
{
    roof_measured *m;
    roof_reconciliation *r = reconcile(
        "kineto",
        "\"span_s\":0.01,\"busy_s\":0.002,\"layers\":[{\"name\":\"a\",\"type\":\"Conv\",\"mean_s\":0.0015},"
        "{\"name\":\"t\",\"type\":\"Transpose\",\"mean_s\":0.0004},{\"name\":\"u\",\"type\":\"Cast\",\"mean_"
        "s\":0.0001}]",
        &m);
    const roof_cause *layout = found_cause(r, ROOF_CAUSE_LAYOUT), *idle = found_cause(r, ROOF_CAUSE_IDLE);
    (void)state;
    assert_non_null(layout);
    assert_int_equal(layout->n_units, 2);
    assert_true(fabs(layout->gain_s - 0.0005) < 1e-12 && fabs(layout->share_ratio - 0.25) < 1e-9);
    assert_int_equal(layout->sure, ROOF_SURE_BOUND);
    assert_non_null(idle);
    assert_true(fabs(idle->gain_s - 0.008) < 1e-12 && fabs(idle->share_ratio - 0.8) < 1e-9);
    assert_true(idle == &r->experiments[0].causes[0]); /* the larger part first */
    roof_reconciliation_free(r);
    roof_measured_free(m);
}

static void what_is_too_little_or_all_there_is_is_no_cause(void **state)
{
    static const char *const runs[] = {
        "\"layers\":[{\"name\":\"a\",\"mean_s\":1},{\"name\":\"t\",\"type\":\"Cast\",\"mean_s\":0.04}]",
        "\"layers\":[{\"name\":\"t\",\"type\":\"Copy\",\"mean_s\":0.1}]",
        "\"span_s\":0.01,\"busy_s\":0.0095,\"layers\":[{\"name\":\"a\",\"mean_s\":0.0095}]",
        "\"span_s\":0.01,\"layers\":[{\"name\":\"a\",\"mean_s\":0.001}]",
        "\"span_s\":0.01,\"busy_s\":0.02,\"layers\":[{\"name\":\"a\",\"mean_s\":0.001}]",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        roof_measured *m;
        roof_reconciliation *r = reconcile("kineto", runs[i], &m);
        if (r->experiments[0].n_causes)
            fail_msg("run %zu: %s", i, roof_cause_text(r->experiments[0].causes[0].kind));
        roof_reconciliation_free(r);
        roof_measured_free(m);
    }
}

/* Two modes of three models are asked for where a tool has two. */
static void advice_is_of_the_tool(void **state)
{
    static const struct {
        const char *tool, *next;
        bool asks_for_modes;
    } rows[] = {{"nsys_sqlite", "ncu --set full", false},
                {"tensorrt_times", "--exportProfile", false},
                {"vart_trace", NULL, true},
                {"somebody's", NULL, true}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[ROOF_SENTENCE_SIZE];
        roof_measured *m;
        roof_reconciliation *r =
            reconcile(rows[i].tool, "\"layers\":[{\"name\":\"a\",\"mean_s\":0.001}]", &m);
        bool found = false;
        for (uint32_t k = 0; rows[i].next && roof_sentence(r, ROOF_SENTENCE_VERDICT, k, text); k++)
            found = found || strstr(text, rows[i].next);
        assert_int_equal(found, rows[i].next != NULL);
        assert_int_equal(*roof_sentence(r, ROOF_SENTENCE_FIT_NEXT, ROOF_FIT_OVERHEAD, text) != '\0',
                         rows[i].asks_for_modes);
        roof_reconciliation_free(r);
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_only_converts_or_copies_is_told_from_what_computes),
        cmocka_unit_test(functions_are_called_without_their_arguments),
        cmocka_unit_test(time_in_which_nothing_ran_is_what_spans_leave),
        cmocka_unit_test(the_first_sentence_is_what_takes_the_time),
        cmocka_unit_test(conversions_and_waiting_are_causes),
        cmocka_unit_test(what_is_too_little_or_all_there_is_is_no_cause),
        cmocka_unit_test(advice_is_of_the_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
