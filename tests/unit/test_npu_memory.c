/* Memory of files that Vela compiled: operators of the NPU and of the host in one file, tensors that pass by,
 * and what Vela counts as constants. */
#include "roofline/command_stream.h"
#include "roofline/memory.h"
#include "tests/support/ethosu_writer.h"
#include "tests/support/tflite_writer.h"
#include "tests/unit/fixture.h"

#include <string.h>

#define LRELU(from_, to_)                                                                                    \
    {                                                                                                        \
        EUW_ELEMENTWISE, 5, .ifm = EUW_MAP(1, (from_), 4, 4, 16), .ofm = EUW_MAP(1, (to_), 4, 4, 16)         \
    }
static const euw_launch first_launches[] = {LRELU(0, 256), LRELU(256, 512)},
                        second_launches[] = {LRELU(1024, 2048)};
static const euw_network first = {.launches = first_launches, .n_launches = COUNT(first_launches)},
                         second = {.launches = second_launches, .n_launches = COUNT(second_launches)};

#define CELLS(name_, offset_)                                                                                \
    {                                                                                                        \
        .name = (name_), .type = TFW_INT8, .dims = {1, 4, 4, 16}, .is_placed = true, .offset = (offset_)     \
    }
/* x is an input of both NPU operators, y of the last one. */
static const tfw_tensor tensors[] = {
    CELLS("x", 0),
    CELLS("y", 256),
    CELLS("u", 512),
    CELLS("v", 1024),
    CELLS("w", 2048),
    CELLS("p", 4096),
    TFW_TENSOR("a_command_stream", TFW_UINT8, {0}, .data = TFW_PAYLOAD, .payload = &first),
    TFW_TENSOR("b_command_stream", TFW_UINT8, {0}, .data = TFW_PAYLOAD, .payload = &second),
    TFW_TENSOR("read_only", TFW_UINT8, {640}, .data = TFW_ZEROS),
    {.name = "scratch", .type = TFW_UINT8, .dims = {8192}, .is_placed = true},
    TFW_TENSOR("scratch_fast", TFW_UINT8, {8192}),
};
static const tfw_operator operators[] = {
    {32, .custom = "ethos-u", .inputs = {"a_command_stream", "read_only", "scratch", "scratch_fast", "x"},
     .outputs = {"y", "u"}},
    {34, .inputs = {"u"}, .outputs = {"v"}},
    {32, .custom = "ethos-u",
     .inputs = {"b_command_stream", "read_only", "scratch", "scratch_fast", "v", "x"}, .outputs = {"w"}},
    {25, .inputs = {"w", "y"}, .outputs = {"p"}},
};
static const tfw_network network = {.tensors = tensors,
                                    .n_tensors = COUNT(tensors),
                                    .operators = operators,
                                    .n_operators = COUNT(operators),
                                    .inputs = {"x"},
                                    .outputs = {"p"},
                                    .description = "Vela Optimised",
                                    .has_plan = true};

static fx_net written(const tfw_network *of)
{
    fx_net net = {0};
    unsigned char *bytes = tfw_write(of, &net.size_bytes);
    net.bytes = fx_copy(bytes, net.size_bytes);
    free(bytes);
    return net;
}

/* Of a network, whose graph is freed. */
static roof_memory *memory_of(const tfw_network *of)
{
    fx_net net = written(of);
    roof_memory *m = NULL;
    roof_error err = {0};
    fx_read(&net, "net.tflite");
    if (roof_memory_of(net.graph, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    fx_close(&net);
    return m;
}

static const roof_memory_pool *pool_of(const roof_memory *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_pools; i++)
        if (strcmp(m->pools[i].name, name) == 0)
            return &m->pools[i];
    return NULL;
}

static void tensors_between_operators_are_alive_where_they_pass_by(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t bytes;
    } want[] = {{"npu0.0", 512}, /* x, y */
                {"npu0.1", 768}, /* x for later, y for later, u */
                {"v", 1024},     /* x, y, u, v */
                {"npu1.0", 768}, /* y, v, w; nobody reads x */
                {"p", 768}};     /* y, w, p */
    roof_memory *m = memory_of(&network);
    const roof_memory_pool *pool = pool_of(m, "scratch");
    assert_int_equal(m->n_rows, COUNT(want));
    for (uint32_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(m->row_names[i], want[i].name);
        assert_int_equal(pool->bytes_by_row[i], want[i].bytes);
    }
    assert_int_equal(pool->kind, ROOF_MEMORY_ARENA);
    assert_int_equal(pool->high_bytes, 4096 + 256);
    assert_int_equal(pool->stated_bytes, 8192);
    assert_string_equal(pool->stated_by, "scratch tensor");
    assert_int_equal(pool->at_row, 2);
    assert_int_equal(pool->n_live, 4);
    assert_true(pool->size_bytes == 8192 && pool->size_is_of_content && pool->fit == ROOF_MEMORY_FIT_UNKNOWN);
    assert_null(pool_of(m, "scratch_fast")); /* no launch uses it */
    assert_null(pool->remark);
    roof_memory_free(m);
}

static void a_size_that_is_asked_for_is_a_memory(void **state)
{
    (void)state;
    const roof_memory_size size = {"scratch", 1000};
    fx_net net = written(&network);
    roof_memory *m = NULL;
    roof_error err = {0};
    fx_read(&net, "net.tflite");
    assert_int_equal(roof_memory_of(net.graph, &(roof_memory_options){&size, 1}, &m, &err), ROOF_OK);
    const roof_memory_pool *pool = pool_of(m, "scratch");
    assert_int_equal(pool->fit, ROOF_MEMORY_FIT_NO);
    assert_int_equal(pool->headroom_bytes, 1000 - 4352);
    assert_int_equal(pool->n_remedies, 2);
    roof_memory_free(m);
    fx_close(&net);
}

/* Offsets are the file's: more of them than it has words are refused, and without them nothing is known of
 * what is between operators, which is said. */
static void a_plan_is_read_with_care(void **state)
{
    (void)state;
    static const char key[] = "OfflineMemoryAllocation";
    static const unsigned char head[12] = {0, 0, 0, 0, 1, 0, 0, 0, COUNT(tensors)};
    tfw_network none = network;
    none.has_plan = false;
    roof_memory *m = memory_of(&none);
    assert_int_equal(pool_of(m, "scratch")->bytes_by_row[2], 0);
    assert_string_equal(pool_of(m, "scratch")->remark,
                        "the file gives tensors between its operators no places, so they are not among it");
    roof_memory_free(m);

    fx_net net = written(&network);
    roof_error err = {0};
    size_t at = 0;
    assert_non_null(memmem(net.bytes, net.size_bytes, key, sizeof key));
    while (memcmp(net.bytes + at, head, sizeof head) != 0)
        at++;
    net.bytes[at + 8]++;
    fx_read(&net, "net.tflite");
    assert_int_equal(roof_memory_of(net.graph, NULL, &m, &err), ROOF_E_DATA);
    assert_string_equal(err.what, "OfflineMemoryAllocation has 12 offsets in 11 words");
    assert_int_equal(err.byte_offset, at + 8);
    fx_close(&net);
}

/* A stream of so many bytes, up to 16 as the Python core counts it. */
static uint64_t stream_bytes(const euw_network *of)
{
    size_t size;
    free(euw_write(of, &size));
    return (size + 15) / 16 * 16;
}

static void constants_are_what_vela_counts_as_such(void **state)
{
    (void)state;
    roof_memory *m = memory_of(&network);
    const roof_memory_pool *pool = pool_of(m, "read_only");
    assert_int_equal(pool->kind, ROOF_MEMORY_CONSTANTS);
    assert_int_equal(pool->size_bytes, 640); /* of both operators */
    assert_int_equal(pool->high_bytes, 640 + stream_bytes(&first) + stream_bytes(&second));
    assert_int_equal(pool->peak_bytes, pool->high_bytes);
    assert_null(pool->remark);
    roof_memory_free(m);

    /* Regor leaves streams out; where scratch_fast is used, scratch lies beside the constants */
    static const euw_launch fast[] = {
        {EUW_ELEMENTWISE, 5, .ifm = EUW_MAP(1, 0, 4, 4, 16), .ofm = EUW_MAP(2, 0, 4, 4, 16)},
        {EUW_ELEMENTWISE, 5, .ifm = EUW_MAP(2, 0, 4, 4, 16), .ofm = EUW_MAP(1, 256, 4, 4, 16)}};
    static const euw_network dedicated = {EUW_U65_512, fast, COUNT(fast)};
    static const tfw_tensor of_regor[] = {
        CELLS("x", 0),
        CELLS("y", 256),
        TFW_TENSOR("ethos_u_command_stream", TFW_UINT8, {0}, .data = TFW_PAYLOAD, .payload = &dedicated),
        TFW_TENSOR("read_only", TFW_UINT8, {640}, .data = TFW_ZEROS),
        TFW_TENSOR("scratch", TFW_UINT8, {512}),
        TFW_TENSOR("scratch_fast", TFW_UINT8, {256})};
    static const tfw_operator op = {
        32, .custom = "ethos-u",
        .inputs = {"ethos_u_command_stream", "read_only", "scratch", "scratch_fast", "x"}, .outputs = {"y"}};
    size_t size;
    char remark[256];
    free(euw_write(&dedicated, &size));
    m = memory_of(&(tfw_network){.tensors = of_regor,
                                 .n_tensors = COUNT(of_regor),
                                 .operators = &op,
                                 .n_operators = 1,
                                 .inputs = {"x"},
                                 .outputs = {"y"},
                                 .has_plan = true});
    pool = pool_of(m, "read_only");
    assert_int_equal(pool->high_bytes, 640 + 512);
    snprintf(
        remark, sizeof remark,
        "as Vela counts it; the command stream, %zu B, it leaves out, and the memory has to hold it as well",
        size);
    assert_string_equal(pool->remark, remark);
    assert_int_equal(pool_of(m, "scratch_fast")->peak_bytes, 256);
    assert_int_equal(pool_of(m, "scratch_fast")->stated_bytes, 256);
    assert_int_equal(pool_of(m, "scratch")->bytes_by_row[0], 256); /* x; y is written by the next layer */
    assert_int_equal(pool_of(m, "scratch")->bytes_by_row[1], 256);
    roof_memory_free(m);
}

static void an_executorch_program_has_scratch_memory_alone(void **state)
{
    (void)state;
    static const unsigned char head[32] = {32, 0, 0, 0, 'E', 'T', '1', '2'};
    fx_net net = {0};
    roof_memory *m = NULL;
    roof_error err = {0};
    size_t size;
    unsigned char *bytes = euw_write(&first, &size);
    fx_append(&net, head, sizeof head);
    fx_append(&net, bytes, size);
    free(bytes);
    fx_read(&net, "net.pte");
    assert_int_equal(roof_memory_of(net.graph, NULL, &m, &err), ROOF_OK);
    const roof_memory_pool *pool = pool_of(m, "scratch");
    assert_int_equal(pool->bytes_by_row[0], 512);
    assert_int_equal(pool->bytes_by_row[1], 512);
    assert_int_equal(pool->high_bytes, 768);
    assert_true(pool->stated_bytes == ROOF_UNKNOWN && pool->size_bytes == ROOF_UNKNOWN && !pool->stated_by);
    assert_string_equal(pool->live[1].name, "OFM of npu0.0");
    assert_string_equal(pool->live[0].name, "input of the network");
    assert_string_equal(pool_of(m, "read_only")->why_no_peak,
                        "an ExecuTorch program does not say how long the constants are");
    roof_memory_free(m);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_between_operators_are_alive_where_they_pass_by),
        cmocka_unit_test(a_size_that_is_asked_for_is_a_memory),
        cmocka_unit_test(a_plan_is_read_with_care),
        cmocka_unit_test(constants_are_what_vela_counts_as_such),
        cmocka_unit_test(an_executorch_program_has_scratch_memory_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
