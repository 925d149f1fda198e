/* Names without what all layers share: the host's layers, which need not share it, stay whole. */
#include "reports/words/cells.h"
#include "tests/unit/fixture.h"

static void only_names_that_have_the_prefix_lose_it(void **state)
{
    static const struct {
        const char *names[3], *shown[3]; /* the last one runs on the host */
    } rows[] = {
        {{"subgraph_net/conv1", "subgraph_net/conv2", "softmax_of_the_host"},
         {"conv1", "conv2", "softmax_of_the_host"}},
        {{"subgraph_net/conv1", "subgraph_net/conv2", "subgraph_net/softmax"}, {"conv1", "conv2", "softmax"}},
        {{"subgraph_net/", "subgraph_net/conv2", "x"}, {"subgraph_net/", "conv2", "x"}}, /* never empty */
        {{"net/conv1", "net/conv2", "x"}, {"net/conv1", "net/conv2", "x"}}, /* too short to matter */
        {{"subgraph_conv1", "another_conv2", "x"}, {"subgraph_conv1", "another_conv2", "x"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_layer_prediction layers[3] = {0};
        roof_prediction p = {.layers = layers, .n_layers = 3};
        for (uint32_t k = 0; k < 3; k++) {
            layers[k].name = rows[i].names[k];
            layers[k].executor = k == 2 ? ROOF_BY_HOST : ROOF_BY_ACCELERATOR;
        }
        name_prefixes prefix = name_prefix_of(&p);
        for (uint32_t k = 0; k < 3; k++)
            assert_string_equal(name_without(prefix, rows[i].names[k]), rows[i].shown[k]);
    }
    assert_int_equal(name_prefix_of(NULL).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_names_that_have_the_prefix_lose_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
