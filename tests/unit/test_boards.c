/* The law of boards: worked examples, and which set of constants answers a question. */
#include "model/predict/boards.h"
#include "tests/unit/fixture.h"

/* Sums of public networks: as of total.sums of their predictions. */
enum { YOLOV5S, RESNET50_SLIM, RESNETV2_152, MOBILENET_V2, RESNET50 };
static const roof_sums networks[] = {
    [YOLOV5S] = {{5308416000, 177868800, 57139200, 4492800},
                 {2908364800, 15863600, 23142400, 196800},
                 0,
                 0,
                 65322800,
                 2150400,
                 23654400,
                 7225893,
                 65},
    [RESNET50_SLIM] = {{1707589632, 49385728, 11891712, 711676},
                       {1772617728, 7350784, 6234368, 28812},
                       0,
                       2048000,
                       24365544,
                       2862080,
                       0,
                       25530472,
                       59},
    [RESNETV2_152] = {{10442545920, 120655872, 53403372, 1428282},
                      {9766227968, 31057856, 29003136, 85451},
                      0,
                      2050048,
                      143661524,
                      48019008,
                      0,
                      60310889,
                      207},
    [MOBILENET_V2] = {{10838016, 3612672, 338688, 112896},
                      {267939840, 3974880, 2874144, 45472},
                      20716416,
                      1280000,
                      13726696,
                      64000,
                      0,
                      3487886,
                      54},
    [RESNET50] = {{1967702016, 51756544, 14262528, 739459},
                  {2119434240, 8931328, 7551488, 34986},
                  0,
                  2048000,
                  28404712,
                  1105920,
                  0,
                  25530472,
                  56},
};

/* Reckoned by hand from the constants of each set; in microseconds. */
static const struct worked {
    board_question question;
    board_kind kind;
    int network;
    double us, factor;
} worked[] = {
    {{"rk3588-npu", "rknn", "int8", 1, 1}, BOARD_PLAIN, YOLOV5S, 23373.225475743, 2.138},
    {{"hailo-8", NULL, "int8", 1, 0}, BOARD_ONE_CONTEXT, YOLOV5S, 2071.556486487, 2.957},
    {{"hailo-15l", NULL, NULL, 8, 0}, BOARD_CONTEXTS, RESNET50_SLIM, 2553.993990034, 2.118},
    {{"coral-edge-tpu", NULL, NULL, 1, 0}, BOARD_PLAIN, RESNETV2_152, 139074.863194318, 3.476 * 1.25},
    {{"raspberry-pi-5", "ncnn", "f16", 1, 4}, BOARD_PLAIN, MOBILENET_V2, 7865.462376443, 1.486},
    {{"snapdragon-8-gen-3", "qnn", "f16", 1, 0}, BOARD_PLAIN, RESNET50, 1709.289625128, 1.617},
    {{"orin-nano-8gb-15w", "tensorrt", "f16", 1, 0}, BOARD_PLAIN, RESNET50, 5002.657446914, 1.342},
};

static void the_law_is_its_worked_examples_to_the_last_digit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(worked); i++) {
        const struct worked *w = &worked[i];
        const board_set *set = board_find(&w->question, w->kind);
        const roof_sums *sums = &networks[w->network];
        assert_non_null(set);
        const double us =
            1e6 * board_seconds(set, sums, board_weights_share(set, sums, w->question.batch), false);
        if (!(fabs(us - w->us) < 1e-9 * w->us && fabs(board_factor(set) - w->factor) < 1e-12))
            fail_msg("%s: %.9f us x %.4f, want %.9f x %.4f", w->question.hw, us, board_factor(set), w->us,
                     w->factor);
        const double row = board_seconds(set, sums, 1, true), all = board_seconds(set, sums, 1, false);
        assert_true(fabs(1e6 * (all - row) - set->constants[BOARD_C]) < 1e-6);
    }
}

static void a_question_finds_the_set_that_it_names(void **state)
{
    static const struct {
        board_question question;
        board_kind kind;
        const char *software; /* NULL: there is none */
    } rows[] = {
        {{"raspberry-pi-5", NULL, NULL, 1, 0}, BOARD_PLAIN, "ncnn, 4 threads"},
        {{"raspberry-pi-5", "ncnn", "int8", 1, 1}, BOARD_PLAIN, "ncnn, 1 thread"},
        {{"raspberry-pi-5", "ncnn", "f16", 1, 3}, BOARD_PLAIN, NULL},
        {{"raspberry-pi-5", "ncnn", "f32", 1, 0}, BOARD_PLAIN, NULL},
        {{"agx-orin-64gb", NULL, "f16", 1, 0}, BOARD_PLAIN, "TensorRT of JetPack 5.0.1"},
        {{"agx-orin-64gb", "ncnn", "f16", 1, 0}, BOARD_PLAIN, "ncnn with Vulkan"},
        {{"agx-orin-64gb", "ncnn", "f16", 1, 12}, BOARD_PLAIN, "ncnn, 12 threads"},
        {{"rk3588-npu", NULL, NULL, 1, 3}, BOARD_PLAIN, NULL},
        {{"ax8850", NULL, "int8", 8, 0}, BOARD_PLAIN, "Pulsar2 3.2-patch2"},
        {{"ax8850", NULL, "int8", 4, 0}, BOARD_PLAIN, NULL},
        {{"hailo-8", NULL, "int8", 8, 0}, BOARD_CONTEXTS, "HailoRT, several contexts"},
        {{"hailo-8", NULL, "int8", 8, 0}, BOARD_ONE_CONTEXT, "HailoRT, one context"},
        {{"kv260", NULL, NULL, 1, 0}, BOARD_PLAIN, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const board_set *set = board_find(&rows[i].question, rows[i].kind);
        const char *got = set ? set->software : "none", *want = rows[i].software ? rows[i].software : "none";
        if (strcmp(got, want) != 0)
            fail_msg("row %zu, %s: %s, want %s", i, rows[i].question.hw, got, want);
    }
}

static void contexts_follow_size_and_a_limit_nearby_is_told(void **state)
{
    static const struct {
        const char *hw;
        board_size size;
        bool is_one, is_near;
    } rows[] = {
        {"hailo-8", {7e6, 8e9, 60, false}, true, false},    {"hailo-8", {30e6, 8e9, 60, false}, false, true},
        {"hailo-8", {25e6, 8e9, 60, false}, true, true},    {"hailo-8", {60e6, 8e9, 60, false}, false, false},
        {"hailo-8", {7e6, 8e9, 60, true}, false, false},    {"hailo-8l", {3e6, 1e9, 20, false}, true, false},
        {"hailo-8l", {3e6, 1e9, 60, false}, false, true},   {"hailo-10h", {3e6, 1e9, 40, true}, true, false},
        {"hailo-15l", {3e6, 1e8, 10, false}, false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool near;
        if (board_is_one_context(rows[i].hw, &rows[i].size, &near) != rows[i].is_one ||
            near != rows[i].is_near)
            fail_msg("row %zu, %s", i, rows[i].hw);
    }
}

/* Constants that make a time, a source, and a device that the database describes; sets of a device lie
 * together. */
static void every_set_is_whole(void **state)
{
    const board_set *set;
    const char *last = "";
    size_t n = 0;
    (void)state;
    for (; (set = board_at(NULL, n)); n++) {
        assert_true(set->factor > 1 && set->points >= set->families && set->families && set->source[0]);
        for (size_t c = 0; c < BOARD_CONSTANTS; c++)
            assert_true(set->constants[c] > 0);
        if (strcmp(last, set->hw) != 0 && board_at(set->hw, 0) != set)
            fail_msg("sets of %s do not lie together", set->hw);
        last = set->hw;
        roof_hw_free(fx_hw(set->hw));
    }
    assert_int_equal(n, 143);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_is_its_worked_examples_to_the_last_digit),
        cmocka_unit_test(a_question_finds_the_set_that_it_names),
        cmocka_unit_test(contexts_follow_size_and_a_limit_nearby_is_told),
        cmocka_unit_test(every_set_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
