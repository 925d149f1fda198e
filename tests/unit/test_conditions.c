/* Conditions of a run: every member of a measured document is in one row of the table, and rows decide as
 * they say. */
#include "measure/compare/conditions.h"
#include "core/json/jsontree.h"
#include "tests/unit/profile_fixture.h"

/* --- the table and the schema --------------------------------------------------------------------------- */

/* Below an experiment: "runs/layers/name"; of the document: "source/tool". */
typedef struct schema_walk {
    const cJSON *definitions;
    unsigned n_members, used[CONDITIONS];
} schema_walk;

static bool covers(const char *listed, size_t length, const char *path)
{
    return strncmp(listed, path, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static void look_up(schema_walk *w, const char *path)
{
    unsigned n = 0;
    for (size_t i = 0; i < CONDITIONS; i++)
        for (const char *at = condition_rows[i].members; *at;) {
            const size_t length = strcspn(at, " ");
            if (covers(at, length, path)) {
                n++;
                w->used[i]++;
            }
            at += length + (at[length] == ' ');
        }
    w->n_members++;
    if (n != 1)
        fail_msg("member '%s' is in %u rows of measure/compare/conditions.def", path, n);
}

/* A member whose own members are told apart by the table is no leaf. */
static bool is_divided(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < CONDITIONS; i++)
        for (const char *at = condition_rows[i].members; (at = strstr(at, path)); at += length)
            if ((at == condition_rows[i].members || at[-1] == ' ') && at[length] == '/')
                return true;
    return false;
}

static void walk_schema(schema_walk *w, const cJSON *node, const char *path, unsigned depth)
{
    const cJSON *reference = jsontree_get(node, "$ref"), *member;
    assert_true(depth < 30);
    if (reference) {
        const char *name = strrchr(cJSON_GetStringValue(reference), '/') + 1;
        walk_schema(w, jsontree_get(w->definitions, name), path, depth + 1);
        return;
    }
    if (jsontree_get(node, "items"))
        walk_schema(w, jsontree_get(node, "items"), path, depth + 1);
    cJSON_ArrayForEach(member, jsontree_get(node, "properties"))
    {
        char below[300];
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "/" : "", member->string);
        const char *of_experiment = strncmp(below, "experiments/", 12) == 0 ? below + 12 : below;
        if (strcmp(below, "experiments") == 0 || strcmp(below, "sources") == 0 || is_divided(of_experiment))
            walk_schema(w, member, strcmp(below, "sources") == 0 ? "source" : below, depth + 1);
        else
            look_up(w, of_experiment);
    }
}

static void each_member_of_the_schema_is_in_one_row(void **state)
{
    (void)state;
    cJSON *schema;
    roof_error err;
    schema_walk w = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/docs/schema/measured-1.schema.json", getenv("ROOFLINE_SOURCE_DIR"));
    if (jsontree_read(path, 1 << 20, &schema, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    w.definitions = jsontree_get(schema, "$defs");
    walk_schema(&w, schema, "", 0);
    assert_true(w.n_members > 90); /* of a walk that sees nothing none is missing */
    for (size_t i = 0; i < CONDITIONS; i++)
        if (!w.used[i] && *condition_rows[i].members)
            fail_msg("row '%s' has members that the schema does not have: %s", condition_rows[i].word,
                     condition_rows[i].members);
    cJSON_Delete(schema);
}

static void each_condition_is_in_the_documentation(void **state)
{
    (void)state;
    char path[600];
    snprintf(path, sizeof path, "%s/docs/formats/budget.md", getenv("ROOFLINE_SOURCE_DIR"));
    static char text[1 << 19];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *section = strstr(text, "## What makes two runs comparable");
    assert_non_null(section);
    const char *end = strstr(section, "So many samples");
    for (size_t i = 0; i < CONDITIONS; i++) {
        const char *at =
            condition_rows[i].kind == CONDITION_RESULT ? section : strstr(section, condition_rows[i].word);
        if (!at || at > end)
            fail_msg("docs/formats/budget.md does not name the condition '%s'", condition_rows[i].word);
    }
}

/* --- what is apart -------------------------------------------------------------------------------------- */

static const char *said(const roof_unlike *list, uint32_t n, roof_arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < n; i++)
        text = arena_printf(arena, "%s%s%s%s %s | %s", text, *text ? "; " : "",
                            list[i].is_apart ? "" : "(said) ", list[i].what, list[i].a, list[i].b);
    return text;
}

static roof_measured *one_run(const char *of_model, const char *of_experiment, const char *of_run)
{
    char json[2000];
    snprintf(json, sizeof json,
             "{\"schema\":\"roofline.measured/"
             "1\",\"source\":{\"tool\":\"t\"},\"experiments\":[{\"model\":{%s}%s%s,"
             "\"runs\":[{\"mode\":\"per_layer\"%s%s}]}]}",
             of_model, *of_experiment ? "," : "", of_experiment, *of_run ? "," : "", of_run);
    return pf_read(json);
}

static void conditions_differ_as_their_rows_say(void **state)
{
    (void)state;
    static const struct {
        const char *a[3], *b[3]; /* of the model, the experiment, the run */
        const char *wanted;
    } rows[] = {
#define NET   "\"name\":\"net\""
#define BOARD "\"hardware\":{\"id\":\"kv260\"}"
        {{NET, BOARD, ""}, {NET, BOARD, ""}, ""},
        {{NET, BOARD, ""}, {NET, BOARD, "\"batch\":1"}, ""},
        {{NET, BOARD, ""}, {NET, BOARD, "\"batch\":4"}, "batch 1 | 4"},
        {{NET, "", ""}, {NET, "", ""}, "hardware not stated | not stated"},
        {{"", BOARD, ""}, {"", BOARD, ""}, "model not stated | not stated"},
        {{NET, BOARD, ""}, {"", BOARD, ""}, "model net | not stated"},
        {{"\"path\":\"a/net\"", BOARD, ""}, {NET, BOARD, ""}, ""},
        {{NET ",\"path\":\"a/x.onnx\"", BOARD, ""}, {NET ",\"path\":\"b/x.onnx\"", BOARD, ""}, ""},
        {{NET ",\"path\":\"a/x.onnx\"", BOARD, ""},
         {NET ",\"path\":\"a/y.onnx\"", BOARD, ""},
         "model file x.onnx | y.onnx"},
        {{NET ",\"graph_hash\":\"1\"", BOARD, ""},
         {"\"name\":\"other\",\"graph_hash\":\"1\"", BOARD, ""},
         ""},
        {{NET ",\"graph_hash\":\"1\"", BOARD, ""}, {NET, BOARD, ""}, "graph 1 | not stated"},
        {{NET, "\"device\":{\"name\":\"a\"}", ""}, {NET, "\"device\":{\"name\":\"a\"}", ""}, ""},
        {{NET, BOARD, "\"clocks_hz\":{\"dpu\":3e8}"}, {NET, BOARD, "\"clocks_hz\":{\"dpu\":3.02e8}"}, ""},
        {{NET, BOARD, "\"clocks_hz\":{\"dpu\":3e8}"},
         {NET, BOARD, "\"clocks_hz\":{\"dpu\":6e8}"},
         "clock 300 MHz | 600 MHz"},
        {{NET, BOARD, "\"conditions\":[{\"at_s\":0,\"temperature_c\":40,\"load_ratio\":0.1}]"},
         {NET, BOARD, "\"conditions\":[{\"at_s\":0,\"temperature_c\":70,\"load_ratio\":0.4}]"},
         "(said) temperature 40 C | 70 C"},
        {{NET, BOARD, "\"conditions\":[{\"at_s\":0,\"load_ratio\":0}]"},
         {NET, BOARD, "\"conditions\":[{\"at_s\":0,\"load_ratio\":1}]"},
         "load of the machine 0 of its processors | 1 of its processors"},
        {{NET, BOARD, "\"total_bytes\":1000"}, {NET, BOARD, "\"total_bytes\":1900"}, ""},
        {{NET, BOARD, "\"total_bytes\":1000"}, {NET, BOARD, ""}, ""},
        {{NET, BOARD, "\"total_bytes\":1000"},
         {NET, BOARD, "\"total_bytes\":1000000"},
         "bytes of an inference 1 kB | 1 MB"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m[] = {one_run(rows[i].a[0], rows[i].a[1], rows[i].a[2]),
                              one_run(rows[i].b[0], rows[i].b[1], rows[i].b[2])};
        roof_arena *arena = arena_new(0);
        run_conditions sides[2], read;
        roof_unlike *list = NULL;
        uint32_t n = 0, n_apart = 0;
        roof_error err;
        for (size_t k = 0; k < 2; k++)
            assert_int_equal(conditions_of_run(m[k]->experiments, m[k]->experiments->runs, "t", NULL, arena,
                                               &sides[k], &err),
                             ROOF_OK);
        assert_int_equal(conditions_compare(&sides[0], &sides[1], arena, &list, &n, &n_apart, &err), ROOF_OK);
        assert_string_equal(said(list, n, arena), rows[i].wanted);
        /* a history keeps what makes runs incomparable, and it says the same */
        for (size_t k = 0; k < 2; k++) {
            const char *text;
            assert_int_equal(conditions_write(&sides[k], arena, &text, &err), ROOF_OK);
            assert_int_equal(conditions_read(text, arena, &read, &err), ROOF_OK);
            sides[k] = read;
        }
        list = NULL;
        n = n_apart = 0;
        assert_int_equal(conditions_compare(&sides[0], &sides[1], arena, &list, &n, &n_apart, &err), ROOF_OK);
        assert_string_equal(said(list, n, arena), strstr(rows[i].wanted, "(said)") ? "" : rows[i].wanted);
        arena_free(arena);
        roof_measured_free(m[0]);
        roof_measured_free(m[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_of_the_schema_is_in_one_row),
        cmocka_unit_test(each_condition_is_in_the_documentation),
        cmocka_unit_test(conditions_differ_as_their_rows_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
