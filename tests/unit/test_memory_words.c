/* Which row of memory the first sentence names, and which layer a row is. */
#include "reports/words/memory_words.h"
#include "tests/unit/fixture.h"
#include "tests/unit/memory_fixture.h"

static void a_row_is_the_only_layer_of_its_name(void **state)
{
    static const struct {
        const char *row;
        uint32_t layer;
    } rows[] = {{"a", 0}, {"b", ROOF_NONE}, {"c", 3}, {"d", ROOF_NONE}, {"", ROOF_NONE}, {NULL, ROOF_NONE}};
    roof_layer_prediction layers[] = {{.name = "a"}, {.name = "b"}, {.name = "b"}, {.name = "c"}};
    const roof_prediction p = {.layers = layers, .n_layers = COUNT(layers)}, none = {.layers = NULL};
    roof_arena *arena = arena_new(0);
    const memory_layers *of = memory_layers_of(arena, &p);
    (void)state;
    assert_non_null(of);
    for (size_t i = 0; i < COUNT(rows); i++)
        if (memory_layer_of(of, rows[i].row) != rows[i].layer)
            fail_msg("row %zu: layer %u, want %u", i, memory_layer_of(of, rows[i].row), rows[i].layer);
    assert_int_equal(memory_layer_of(memory_layers_of(arena, &none), "a"), ROOF_NONE);
    assert_int_equal(memory_layer_of(NULL, "a"), ROOF_NONE);
    arena_free(arena);
}

/* Two buffers of 100 and 50 bytes at 0 and 200, alive together in row 1. */
static void the_row_that_the_sentence_names_is_that_of_its_pool(void **state)
{
    static const struct {
        uint64_t size_bytes;
        const char *begins;
        bool is_of_all;
    } rows[] = {{1000, "It fits: row 1 sets the peak, 150 B live of 250 B reserved in RAM", true},
                {200, "Does not fit as packed: 250 B reserved in pool, 50 B too much", false},
                {149, "Does not fit: 150 B live in pool at row 1, 1 B too much", false},
                {ROOF_UNKNOWN, "Whether it fits is unknown, as no pool has a size: row 1 sets", true}};
    static const memory_buffer buffers[] = {
        {.name = "a", .offset_bytes = 0, .bytes = 100, .first_row = 0, .last_row = 1},
        {.name = "b", .offset_bytes = 200, .bytes = 50, .first_row = 1, .last_row = 2}};
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_memory *m = memory_of(buffers, COUNT(buffers), 3, rows[i].size_bytes);
        const roof_memory_pool *said = memory_said_pool(m);
        const char *said_words = memory_verdict(arena, m);
        if (strncmp(said_words, rows[i].begins, strlen(rows[i].begins)) != 0)
            fail_msg("row %zu: %s", i, said_words);
        assert_ptr_equal(said, rows[i].is_of_all ? m->total_ram : &m->pools[0]);
        assert_string_equal(roof_memory_row_name(m, said, said->at_row), "row 1");
        roof_memory_free(m);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_is_the_only_layer_of_its_name),
                                       cmocka_unit_test(the_row_that_the_sentence_names_is_that_of_its_pool)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
