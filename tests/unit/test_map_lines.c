/* The map of a user: its fields, what is no line of a map, and that none of them goes unheard. */
#include "measure/matches/reconciler.h"
#include "measure/profile/profile.h"
#include "roofline/reconcile.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"

static void lines_are_two_names(void **state)
{
    static const struct {
        const char *text, *row, *layer; /* of the last line */
        uint32_t n;
        uint64_t number;
    } rows[] = {
        {"a,b", "a", "b", 1, 1},
        {"a,b\n", "a", "b", 1, 1},
        {"x,y\r\n\r\na b,c/d\r\n", "a b", "c/d", 2, 3},
        {"x,y\rz,w\r", "z", "w", 2, 2},
        {"# a,b\n\n\n a , b ", " a ", " b ", 1, 4},
        {"\"a,b\",c", "a,b", "c", 1, 1},
        {"a,\"b,\"\"c\"\"\"", "a", "b,\"c\"", 1, 1},
        {"a\"b,c", "a\"b", "c", 1, 1},
        {"\"a,b", NULL, NULL, 0, 1},
        {"a", NULL, NULL, 0, 1},
        {"a,", NULL, NULL, 0, 1},
        {",b", NULL, NULL, 0, 1},
        {"a,b\n\"\",b", NULL, NULL, 0, 2},
        {"a,b,c", NULL, NULL, 0, 1},
        {"\"a\"b,c", NULL, NULL, 0, 1},
        {"a,\"b\"c", NULL, NULL, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        layer_map map;
        roof_error err = {0};
        roof_status status = map_read(rows[i].text, arena, &map, &err);
        if (status != (rows[i].n ? ROOF_OK : ROOF_E_DATA))
            fail_msg("%s: %d", rows[i].text, (int)status);
        if (rows[i].n) {
            assert_int_equal(map.n, rows[i].n);
            assert_string_equal(map.lines[map.n - 1].row, rows[i].row);
            assert_string_equal(map.lines[map.n - 1].layer, rows[i].layer);
            assert_int_equal(map.lines[map.n - 1].number, rows[i].number);
        } else {
            char want[100];
            snprintf(want, sizeof want, "want two names, as in row,layer (line %d)", (int)rows[i].number);
            assert_string_equal(fx_message(&err), want);
        }
        arena_free(arena);
    }
}

static void a_text_without_lines_is_an_empty_map(void **state)
{
    static const char *const rows[] = {"", "\n\n", "#a,b"};
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        layer_map map;
        assert_int_equal(map_read(rows[i], arena, &map, NULL), ROOF_OK);
        assert_int_equal(map.n, 0);
        assert_int_equal(map_check(&map, NULL), ROOF_OK);
    }
    arena_free(arena);
}

/* Two models, each with rows that have names of their own. */
static const char study[] =
    "{\"schema\":\"roofline.measured/1\",\"experiments\":["
    "{\"model\":{\"name\":\"one\"},\"prediction\":{\"schema\":\"roofline.prediction/1\",\"layers\":["
    "{\"name\":\"conv_a\",\"ideal_s\":1},{\"name\":\"conv_b\",\"ideal_s\":2},{\"name\":\"conv,c\",\"ideal_"
    "s\":2}]},"
    "\"runs\":[{\"mode\":\"per_layer\",\"boundaries\":9,\"layers\":[{\"name\":\"7\",\"mean_s\":3},"
    "{\"name\":\"8\",\"mean_s\":4},{\"name\":\"8\",\"mean_s\":5}]}]},"
    "{\"model\":{\"name\":\"two\"},\"prediction\":{\"schema\":\"roofline.prediction/1\",\"layers\":["
    "{\"name\":\"pool\",\"ideal_s\":1}]},\"runs\":[{\"mode\":\"per_layer\",\"boundaries\":9,\"layers\":["
    "{\"name\":\"p\",\"mean_s\":3}]}]}]}";

static roof_measured *read_study(void)
{
    memory_source source = {study, strlen(study), 0};
    roof_measured *m = NULL;
    assert_int_equal(measured_codec_read(memory_read, &source, "m.json", &m, NULL), ROOF_OK);
    return m;
}

static roof_status reconcile(const roof_measured *m, bool with_models, const char *map,
                             roof_reconciliation **out, roof_error *err)
{
    const roof_prediction *predictions[2] = {NULL, NULL};
    for (uint32_t i = 0; with_models && i < 2; i++)
        predictions[i] = m->experiments[i].prediction;
    return roof_reconcile(m, predictions, &(roof_reconcile_options){.map = map}, out, err);
}

static void what_a_line_says_is_done(void **state)
{
    static const struct {
        const char *map;
        uint32_t row, layer; /* of the first model */
    } rows[] = {{"7,conv_b", 0, 1}, {"8,conv_a\n8,conv_b", 2, 1}, {"7,\"conv,c\"\np,pool\n", 0, 2}};
    roof_measured *m = read_study();
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_reconciliation *r = NULL;
        assert_int_equal(reconcile(m, true, rows[i].map, &r, NULL), ROOF_OK);
        const roof_reconciled *e = &r->experiments[0];
        uint32_t at = 0;
        while (at < e->n_matches &&
               !(e->matches[at].n_rows && e->row_order[e->matches[at].row] == rows[i].row))
            at++;
        assert_true(at < e->n_matches && e->matches[at].method == ROOF_MATCH_MAP);
        assert_int_equal(e->layer_order[e->matches[at].layer], rows[i].layer);
        roof_reconciliation_free(r);
    }
    roof_measured_free(m);
}

static void a_line_that_nobody_can_use_is_refused(void **state)
{
    static const struct {
        const char *map, *message;
        bool with_models;
    } rows[] = {
        {"7,conv_a\n\n9,conv_b", "map: no row of a profile has the name '9' (line 3)", true},
        {"7,conv_z", "map: no layer of a model has the name 'conv_z' (line 1)", true},
        {"7,pool", "map: '7' and 'pool' are of different models, or one of them is in another line (line 1)",
         true},
        {"7,conv_a\n7,conv_b",
         "map: '7' and 'conv_b' are of different models, or one of them is in another line (line 2)", true},
        {"7,conv_a\n8,conv_a",
         "map: '8' and 'conv_a' are of different models, or one of them is in another line (line 2)", true},
        {"\033[31m,conv_a", "map: no row of a profile has the name '\\x1b[31m' (line 1)", true},
        {"7", "map: want two names, as in row,layer (line 1)", true},
        {"7", "map: want two names, as in row,layer (line 1)", false},
        {"7,conv_a", "map: there is no model with layers to map to (line 1)", false},
    };
    roof_measured *m = read_study();
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_reconciliation *r = NULL;
        roof_error err = {0};
        assert_int_equal(reconcile(m, rows[i].with_models, rows[i].map, &r, &err), ROOF_E_DATA);
        assert_string_equal(fx_message(&err), rows[i].message);
        assert_null(r);
    }
    roof_measured_free(m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_two_names),
        cmocka_unit_test(a_text_without_lines_is_an_empty_map),
        cmocka_unit_test(what_a_line_says_is_done),
        cmocka_unit_test(a_line_that_nobody_can_use_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
