/* Every operator type that occurs in real files has a rule, and rules say what they count. */
#include "tests/unit/fixture.h"

/* Types as they occur in 74 compiled and quantised files of Vitis AI 1.1 to 3.5 and Ryzen AI. */
static const struct {
    const char *type;
    roof_rule rule;
} types[] = {
    {"Mylayer", ROOF_RULE_HOST},
    {"PPScatterV2", ROOF_RULE_HOST},
    {"add", ROOF_RULE_BINARY},
    {"aten::mean", ROOF_RULE_REDUCE},
    {"avgpool", ROOF_RULE_POOL},
    {"avgpool2d", ROOF_RULE_POOL},
    {"concat", ROOF_RULE_ALIAS},
    {"concat-fix", ROOF_RULE_ALIAS},
    {"const", ROOF_RULE_CONSTANT},
    {"const-fix", ROOF_RULE_CONSTANT},
    {"conv2d", ROOF_RULE_CONV2D},
    {"conv2d-fix", ROOF_RULE_CONV2D},
    {"data", ROOF_RULE_INPUT},
    {"data-fix", ROOF_RULE_INPUT},
    {"depthwise-conv2d", ROOF_RULE_DEPTHWISE},
    {"depthwise-conv2d-fix", ROOF_RULE_DEPTHWISE},
    {"depthwise-fix", ROOF_RULE_SCALE},
    {"div", ROOF_RULE_BINARY},
    {"download", ROOF_RULE_ALIAS},
    {"eltwise-fix", ROOF_RULE_ELTWISE},
    {"fix", ROOF_RULE_CONVERT},
    {"fix2float", ROOF_RULE_CONVERT},
    {"flatten", ROOF_RULE_ALIAS},
    {"float2fix", ROOF_RULE_CONVERT},
    {"hard-sigmoid", ROOF_RULE_FUNCTION},
    {"hard-sigmoid-fix", ROOF_RULE_HARD_SIGMOID},
    {"matmul", ROOF_RULE_MATMUL},
    {"maxpool2d", ROOF_RULE_POOL},
    {"mul", ROOF_RULE_BINARY},
    {"pixel-shuffle", ROOF_RULE_MOVE},
    {"pool-fix", ROOF_RULE_POOL},
    {"priorbox", ROOF_RULE_CONSTANT},
    {"reduction_max", ROOF_RULE_REDUCE},
    {"reduction_mean", ROOF_RULE_REDUCE},
    {"relu", ROOF_RULE_ACTIVATION},
    {"relu6", ROOF_RULE_RELU6},
    {"reshape", ROOF_RULE_ALIAS},
    {"reshape-fix", ROOF_RULE_ALIAS},
    {"resize", ROOF_RULE_RESIZE},
    {"softmax", ROOF_RULE_SOFTMAX},
    {"stack", ROOF_RULE_ALIAS},
    {"tanh", ROOF_RULE_FUNCTION},
    {"tile-fix", ROOF_RULE_MOVE},
    {"transpose", ROOF_RULE_MOVE},
    {"transposed-conv2d", ROOF_RULE_TRANSPOSED},
    {"transposed-conv2d-fix", ROOF_RULE_TRANSPOSED},
    {"upload", ROOF_RULE_ALIAS},
    {"upsample-fix", ROOF_RULE_RESIZE},
};

static void every_type_of_the_survey_has_its_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++)
        if (rule_of(types[i].type) != types[i].rule)
            fail_msg("%s: %s, want %s", types[i].type, roof_rule_text(rule_of(types[i].type)),
                     roof_rule_text(types[i].rule));
}

static void other_types_have_none(void **state)
{
    static const char *const others[] = {"",       "conv",    "conv2", "conv2d-fixed",
                                         "CONV2D", " conv2d", "zzz",   "\xff"};
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++)
        if (rule_of(others[i]) != ROOF_RULE_UNKNOWN)
            fail_msg("'%s' has a rule", others[i]);
}

/* All types of ops.def, once each. */
static void every_type_of_the_table_is_found(void **state)
{
    static const char *const names[] = {
#define OPS(kind, ...) __VA_ARGS__,
#include "model/work/ops.def"
#undef OPS
    };
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                fail_msg("'%s' is there twice", names[i]);
#define OPS(kind, ...)                                                                                       \
    for (size_t i = 0; i < COUNT(((const char *const[]){__VA_ARGS__})); i++)                                 \
        assert_int_equal(rule_of(((const char *const[]){__VA_ARGS__})[i]), ROOF_RULE_##kind);
#include "model/work/ops.def"
#undef OPS
}

static void rules_say_what_they_count(void **state)
{
    static const roof_rule with_macs[] = {ROOF_RULE_CONV2D,
                                          ROOF_RULE_DEPTHWISE,
                                          ROOF_RULE_TRANSPOSED,
                                          ROOF_RULE_MATMUL,
                                          ROOF_RULE_TRANSPOSED_DEPTHWISE,
                                          ROOF_RULE_CONV3D,
                                          ROOF_RULE_ATTENTION,
                                          ROOF_RULE_RECURRENT};
    static const roof_rule idle[] = {ROOF_RULE_MOVE, ROOF_RULE_ALIAS, ROOF_RULE_CONVERT, ROOF_RULE_CONSTANT,
                                     ROOF_RULE_INPUT};
    (void)state;
    for (int rule = 0; rule < ROOF_RULE_COUNT; rule++) {
        bool macs = false, computes = true;
        for (size_t i = 0; i < COUNT(with_macs); i++)
            macs = macs || with_macs[i] == (roof_rule)rule;
        for (size_t i = 0; i < COUNT(idle); i++)
            computes = computes && idle[i] != (roof_rule)rule;
        if (rule_has_macs((roof_rule)rule) != macs || rule_computes((roof_rule)rule) != computes)
            fail_msg("%s", roof_rule_text((roof_rule)rule));
    }
}

static void every_rule_has_a_word_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a < ROOF_RULE_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(roof_rule_text((roof_rule)a), roof_rule_text((roof_rule)b));
    assert_string_equal(roof_rule_text(ROOF_RULE_CONV2D), "conv2d");
    assert_string_equal(roof_rule_text(ROOF_RULE_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_of_the_survey_has_its_rule), cmocka_unit_test(other_types_have_none),
        cmocka_unit_test(every_type_of_the_table_is_found),      cmocka_unit_test(rules_say_what_they_count),
        cmocka_unit_test(every_rule_has_a_word_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
