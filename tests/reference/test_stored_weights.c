/* Headers of published models, held against tables that others made: types of ggml, bytes that a step
 * reads, caches. */
#include "roofline/language.h"
#include "tests/support/skips.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static FILE *open_table(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/data/llm_everywhere/%s", shared_folder(), name);
    FILE *file = fopen(path, "r");
    if (!file)
        skip_without("headers of language models in ../shared");
    return file;
}

/* Rows of the table are the rows of ours, and no other. */
static void types_are_those_of_ggml(void **state)
{
    static const struct {
        int number;
        const char *name;
        int weights, bytes;
    } types[] = {
#define GGML_TYPE(number, name, weights, bytes) {number, #name, weights, bytes},
#define GGML_GONE(number, name)
#include "model/work/ggml_types.def"
#undef GGML_TYPE
#undef GGML_GONE
    };
    FILE *file = open_table("ggml_types.tsv");
    char line[512], name[64];
    size_t n = 0;
    int id, bytes, weights;
    (void)state;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%d %63s %d %d", &id, name, &bytes, &weights), 4);
        assert_true(n < sizeof types / sizeof *types);
        assert_int_equal(types[n].number, id);
        assert_int_equal(strcasecmp(types[n].name, name), 0);
        assert_int_equal(types[n].weights, weights);
        assert_int_equal(types[n++].bytes, bytes);
    }
    assert_int_equal(n, sizeof types / sizeof *types);
    fclose(file);
}

static void headers_are_counted_to_the_byte(void **state)
{
    const roof_workload w = {.phase = ROOF_TEXT_DECODE, .context_tokens = 1024, .asks_text = true};
    const roof_weight_format form = {"bf16", 16, 0, 0, 0};
    FILE *file = open_table("headers.tsv");
    char line[1024], name[128], want[16], path[4096];
    uint64_t tensors, parameters, matrices, bytes, read, cache;
    (void)state;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        roof_graph *g = NULL;
        roof_error err = {0};
        roof_language_counts c;
        assert_int_equal(
            sscanf(line, "%127s %15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
                   name, want, &tensors, &parameters, &matrices, &bytes, &read, &cache),
            8);
        snprintf(path, sizeof path, "%s/data/llm_everywhere/headers/%s", shared_folder(), name);
        const roof_status status = roof_graph_read_as(path, &w, &g, &err);
        if (strcmp(want, "ok") != 0) {
            assert_int_equal(status, ROOF_E_DATA);
            continue;
        }
        if (status != ROOF_OK)
            fail_msg("%s: %s", name, err.what);
        const roof_language_point point = {ROOF_TEXT_DECODE, 1024, 1, form, form};
        assert_int_equal(roof_language_count(roof_language_of(g), &point, &c, NULL), ROOF_OK);
        assert_int_equal(c.parameters, parameters);
        assert_int_equal(c.resident_weight_bytes, bytes);
        assert_int_equal(c.weight_bytes, read);
        assert_int_equal(c.kv_bytes_per_token, cache);
        roof_graph_free(g);
    }
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_those_of_ggml),
        cmocka_unit_test(headers_are_counted_to_the_byte),
    };
    shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
