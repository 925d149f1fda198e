/* Memory over rows: buffers become bytes by row, peaks, what each of them is worth, and what must shrink. */
#include "model/memory/memory_build.h"
#include "tests/unit/fixture.h"
#include "tests/unit/memory_fixture.h"

#include <string.h>

enum { KIB = 1024 };

static void the_example_of_the_header_holds(void **state)
{
    static const memory_buffer buffers[] = {
        {"a", 0, 100, 0, 0, 1}, {"b", 100, 50, 0, 1, 2}, {"c", 0, 80, 0, 2, 3}};
    (void)state;
    roof_memory *m = memory_of(buffers, COUNT(buffers), 4, ROOF_UNKNOWN);
    const roof_memory_pool *p = m->pools;
    static const uint64_t by_row[] = {100, 150, 130, 80};
    assert_int_equal(p->high_bytes, 150);
    assert_int_equal(p->peak_bytes, 150);
    assert_int_equal(p->at_row, 1);
    assert_int_equal(p->fragmentation_bytes, 0);
    assert_memory_equal(p->bytes_by_row, by_row, sizeof by_row);
    assert_int_equal(p->n_live, 2);
    assert_string_equal(p->live[0].name, "a");
    assert_int_equal(p->live[0].peak_without_bytes, 130);
    assert_int_equal(p->fit, ROOF_MEMORY_FIT_UNKNOWN);
    assert_string_equal(roof_memory_row_name(m, p, 1), "row 1");
    assert_null(roof_memory_row_name(m, p, 4));
    roof_memory_free(m);
}

static void bytes_that_are_shared_count_once(void **state)
{
    static const struct {
        const char *what;
        memory_buffer buffers[3];
        uint64_t peak, without_first;
    } rows[] = {
        {"equal", {{"a", 0, 64, 0, 0, 1}, {"b", 0, 64, 0, 1, 2}, {"c", 64, 8, 0, 1, 1}}, 72, 72},
        {"nested", {{"a", 0, 64, 0, 0, 1}, {"b", 16, 16, 0, 1, 2}, {"c", 64, 8, 0, 1, 1}}, 72, 24},
        {"interleaved", {{"a", 0, 64, 0, 0, 1}, {"b", 32, 64, 0, 1, 2}, {"c", 96, 8, 0, 1, 1}}, 104, 72},
        {"at other times", {{"a", 0, 64, 0, 0, 0}, {"b", 0, 32, 0, 1, 2}, {"c", 32, 8, 0, 1, 1}}, 64, 40},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_memory *m = memory_of(rows[i].buffers, 3, 3, ROOF_UNKNOWN);
        if (m->pools->peak_bytes != rows[i].peak ||
            live_named(m->pools, "a")->peak_without_bytes != rows[i].without_first)
            fail_msg("%s: peak %d, without the first %d", rows[i].what, (int)m->pools->peak_bytes,
                     (int)live_named(m->pools, "a")->peak_without_bytes);
        roof_memory_free(m);
    }
}

static void what_fits_is_told_from_what_would_fit_packed_better(void **state)
{
    static const memory_buffer buffers[] = {{"a", 0, 100, 0, 0, 1}, {"b", 200, 50, 0, 1, 2}};
    static const struct {
        uint64_t size;
        roof_memory_fit fit;
        int64_t headroom;
    } rows[] = {{ROOF_UNKNOWN, ROOF_MEMORY_FIT_UNKNOWN, INT64_MIN},
                {250, ROOF_MEMORY_FIT_YES, 0},
                {249, ROOF_MEMORY_FIT_REPACKED, -1},
                {150, ROOF_MEMORY_FIT_REPACKED, -100},
                {149, ROOF_MEMORY_FIT_NO, -101}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_memory *m = memory_of(buffers, COUNT(buffers), 3, rows[i].size);
        assert_int_equal(m->pools->fit, rows[i].fit);
        assert_int_equal(m->pools->headroom_bytes, rows[i].headroom);
        assert_int_equal(m->pools->n_remedies > 0, rows[i].fit == ROOF_MEMORY_FIT_NO);
        roof_memory_free(m);
    }
}

/* Names of a remedy in the order of letters, "" for none. */
static const char *names_of(const roof_memory_pool *p, bool halves)
{
    static char text[64];
    text[0] = '\0';
    for (uint32_t i = 0; i < p->n_remedies; i++)
        for (char c = 'a'; p->remedies[i].halves == halves && c <= 'z'; c++)
            for (uint32_t k = 0; k < p->remedies[i].n_changes; k++)
                if (p->remedies[i].changes[k].name[0] == c)
                    snprintf(text + strlen(text), sizeof text - strlen(text), "%c", c);
    return text;
}

static void the_smallest_sets_that_make_it_fit_are_found(void **state)
{
    static const struct {
        const char *what;
        memory_buffer buffers[6];
        uint32_t n;
        uint64_t size;
        const char *gone, *halved;
    } rows[] = {
        {"the smaller of two that are enough",
         {{"a", 0, 100, 0, 0, 2}, {"b", 100, 60, 0, 0, 2}, {"c", 160, 40, 0, 0, 2}},
         3,
         150,
         "b",
         "a"},
        {"nobody lives in both rows that are too large",
         {{"a", 0, 100, 0, 0, 0}, {"b", 100, 50, 0, 0, 0}, {"c", 0, 100, 0, 2, 2}, {"d", 100, 30, 0, 2, 2}},
         4,
         120,
         "bd",
         "ad"},
        {"aliases shrink together",
         {{"a", 0, 100, 0, 0, 1}, {"b", 0, 100, 0, 1, 2}, {"c", 100, 20, 0, 0, 2}},
         3,
         60,
         "a",
         "ac"},
        {"three rows",
         {{"a", 0, 100, 0, 0, 0}, {"b", 0, 100, 0, 1, 1}, {"c", 0, 100, 0, 2, 2}},
         3,
         90,
         "abc",
         "abc"},
        {"half is never enough", {{"a", 0, 100, 0, 0, 0}}, 1, 10, "a", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_memory *m = memory_of(rows[i].buffers, rows[i].n, 3, rows[i].size);
        char gone[64];
        snprintf(gone, sizeof gone, "%s", names_of(m->pools, false));
        if (strcmp(gone, rows[i].gone) != 0 || strcmp(names_of(m->pools, true), rows[i].halved) != 0)
            fail_msg("%s: without '%s', half of '%s'", rows[i].what, gone, names_of(m->pools, true));
        for (uint32_t k = 0; k < m->pools->n_remedies; k++) {
            assert_true(m->pools->remedies[k].peak_bytes <= rows[i].size);
            assert_int_equal(m->pools->remedies[k].is_smallest, m->pools->remedies[k].n_changes < 3);
        }
        roof_memory_free(m);
    }
}

static void sizes_are_read_with_their_units(void **state)
{
    static const struct {
        const char *text, *name;
        uint64_t bytes;
    } rows[] = {{"sram=256KiB", "sram", 256 * KIB},
                {"a=b=2MiB", "a=b", 2048 * KIB},
                {"x=7", "x", 7},
                {"x=7B", "x", 7},
                {"x=1GiB", "x", 1 << 30},
                {"x=0", "x", 0},
                {"x=", NULL, 0},
                {"=5", NULL, 0},
                {"x", NULL, 0},
                {"x=5KB", NULL, 0},
                {"x=-1", NULL, 0},
                {"x=9223372036854775807GiB", NULL, 0},
                {"x=99999999999999999999", NULL, 0},
                {"x=1.5MiB", NULL, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char name[64];
        roof_memory_size size;
        roof_error err;
        const roof_status status = roof_memory_size_parse(rows[i].text, name, &size, &err);
        assert_int_equal(status, rows[i].name ? ROOF_OK : ROOF_E_USAGE);
        if (rows[i].name) {
            assert_string_equal(name, rows[i].name);
            assert_int_equal(size.bytes, rows[i].bytes);
        }
    }
}

static void a_size_of_a_pool_that_there_is_not_names_those_that_there_are(void **state)
{
    static const memory_buffer buffer = {"a", 0, 100, 0, 0, 0};
    static const roof_memory_size size = {"sram", 5};
    roof_memory *m;
    roof_error err;
    (void)state;
    assert_int_equal(memory_with(&buffer, 1, 1, ROOF_UNKNOWN, &(roof_memory_options){&size, 1}, &m, &err),
                     ROOF_E_USAGE);
    assert_non_null(strstr(err.what, "'sram'"));
    assert_non_null(strstr(err.what, "there is pool"));
}

static void buffers_that_cannot_be_are_refused(void **state)
{
    static const memory_buffer rows[] = {
        {"late", 0, 1, 0, 0, 3}, {"backwards", 0, 1, 0, 2, 1}, {"far", UINT64_MAX - 8, 4, 0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_memory *m;
        roof_error err;
        assert_int_equal(memory_with(&rows[i], 1, 3, ROOF_UNKNOWN, NULL, &m, &err), ROOF_E_DATA);
        assert_non_null(strstr(err.what, rows[i].name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_header_holds),
        cmocka_unit_test(bytes_that_are_shared_count_once),
        cmocka_unit_test(what_fits_is_told_from_what_would_fit_packed_better),
        cmocka_unit_test(the_smallest_sets_that_make_it_fit_are_found),
        cmocka_unit_test(sizes_are_read_with_their_units),
        cmocka_unit_test(a_size_of_a_pool_that_there_is_not_names_those_that_there_are),
        cmocka_unit_test(buffers_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
