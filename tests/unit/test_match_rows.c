/* Rows of profiles find their layers: by name in all the ways tools write names, by order, and not at all. */
#include "measure/reconcile/match_names.h"
#include "tests/unit/profile_fixture.h"

/* ---- names ---- */

static void plain_names_leave_out_what_tools_add(void **state)
{
    static const char *const cases[][2] = {{"subgraph_Conv1/BN(Fused)_fix", "conv1_bn"},
                                           {"conv1", "conv1"},
                                           {"Conv-1//Relu", "conv_1_relu"},
                                           {"a(b(c)d)e", "ae"},
                                           {"x_fix_fix", "x"},
                                           {"subgraph_(/m.0/Conv_output_0_vaip_31)", "_m_0_conv_output_0"},
                                           {"subgraph_(a_vaip_)", "a_vaip"},
                                           {"(all)", ""},
                                           {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"}};
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        text_span plain = match_name_plain(cases[i][0], arena);
        assert_int_equal(plain.length, strlen(cases[i][1]));
        assert_memory_equal(plain.text, cases[i][1], plain.length);
    }
    arena_free(arena);
}

/* ---- pairs ---- */

/* want: layer=row,row:how of every unit, in order; '-' stands for nothing, '+' joins layers. A model of which
 * no row is has no layers here. */
static const struct {
    const char *what, *layers, *rows, *more, *want;
} cases[] = {
    {"the same names", "a=1 b=1 c=1", "a=2 b=2 c=2", 0, "a=a:name b=b:name c=c:name"},
    {"another order", "a=1 b=1 c=1", "c=2 a=2 b=2", 0, "a=a:name b=b:name c=c:name"},
    {"the prefix of compilers", "subgraph_a=1 subgraph_b=1", "a=2 b=2", 0,
     "subgraph_a=a:name subgraph_b=b:name"},
    {"punctuation", "n/conv_1=1 n/conv_2=1", "n.Conv.1=2 n:conv/2(fused)=2", 0,
     "n/conv_1=n.Conv.1:name_like n/conv_2=n:conv/2(fused):name_like"},
    {"the end of a path", "net/stage1/conv=1 net/stage2/conv=1", "stage2/conv=2 stage1/conv=2", 0,
     "net/stage1/conv=stage1/conv:tail net/stage2/conv=stage2/conv:tail"},
    {"an end that two layers have", "net/stage1/conv=1 net/stage2/conv=1 net/x=1", "conv=2", 0,
     "-=conv:none"},
    {"a name that was cut", "a_very_long_name_of_a_layer=1 other=1", "...name_of_a_layer=2 other=2", 0,
     "a_very_long_name_of_a_layer=...name_of_a_layer:tail other=other:name"},
    {"a layer in parts", "conv1=1 conv2=1", "conv1/mac=2 conv1/relu=1 conv2=2", 0,
     "conv1=conv1/mac,conv1/relu:parts conv2=conv2:name"},
    {"numbers are no parts", "conv1=1 conv1_2=1", "conv1_1=2 conv1_2=2", 0,
     "conv1=conv1_1:order conv1_2=conv1_2:name"},
    {"layers in one row", "conv1=1 pool1=1 conv2=1", "conv1~+~pool1=3 conv2=2", 0,
     "conv1+pool1=conv1 + pool1:parts conv2=conv2:name"},
    {"a part that is no layer", "conv1=1 conv2=1", "conv1~+~relu1=3 conv2~+~relu2=2", 0,
     "conv1=conv1 + relu1:parts conv2=conv2 + relu2:parts"},
    {"nothing but the order", "a=1 b=1 c=1", "x=2 y=2 z=2", 0, "a=x:order b=y:order c=z:order"},
    {"order between sure pairs", "a=1 b=1 c=1 d=1", "a=2 x=2 c=2 y=2", 0,
     "a=a:name b=x:order c=c:name d=y:order"},
    {"too many rows between sure pairs", "a=1 b=1 c=1", "a=2 x=2 y=2 c=2", 0,
     "a=a:name b=-:none c=c:name -=x:none -=y:none"},
    {"a selection is no order", "a=1 b=1 c=1 d=1 e=1", "x=2", "\"boundaries\":5,", "-=x:none"},
    {"a selection with indices", "a=1 b=1 c=1 d=1 e=1", "2@x=2 5@y=2", "\"boundaries\":5,",
     "a=-:none b=x:order c=-:none d=-:none e=y:order"},
    {"indices that contradict the names", "a=1 b=1 c=1 d=1", "1@d=2 2@c=2 3@b=2 4@x=2", "\"boundaries\":4,",
     "a=-:none b=b:name c=c:name d=d:name -=x:none"},
    {"a repeated row", "a=1 b=1", "a=2 a=2 b=2", 0, "a=a:name b=b:name -=a:none"},
    {"the same name twice, as in the model", "a=1 a=1 b=1", "a=2 a=3 b=2", 0, "a=a:name a=a:name b=b:name"},
    {"a whole with the name of its first layer", "a=1 b=1 c=1", "a=6 a=2 b=2 c=2", 0,
     "a=a:name b=b:name c=c:name -=a:none"},
    {"a layer of the host", "a=1 soft:host=0 b=1", "a=2 b=2", 0, "a=a:name soft=-:none b=b:name"},
    {"rows of another model", "a=1 b=1", "x=1 y=1 z=1", 0, "-=x:none -=y:none -=z:none"},
    {"rows without an order by index", "a=1 b=1 c=1", "3@z=2 1@x=2 2@y=2", 0,
     "a=x:order b=y:order c=z:order"},
};

static void put_names(textbuf *out, const roof_reconciled *e, const roof_match *u)
{
    for (uint32_t i = 0; i < u->n_layers; i++)
        text_printf(out, "%s%s", i ? "+" : "", e->prediction->layers[e->layer_order[u->layer + i]].name);
    text_puts(out, u->n_layers ? "=" : "-=");
    for (uint32_t i = 0; i < u->n_rows; i++)
        text_printf(out, "%s%s", i ? "," : "", e->layer_run->layers[e->row_order[u->row + i]].name);
    text_printf(out, "%s:%s", u->n_rows ? "" : "-", roof_match_method_text((roof_match_method)u->method));
}

static void rows_find_their_layers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pf_result p = pf_reconcile(
            &(pf_experiment){.layers = cases[i].layers, .rows = cases[i].rows, .more = cases[i].more}, 1);
        const roof_reconciled *e = &p.r->experiments[0];
        textbuf got;
        text_init(&got, TEXT_MAX_BYTES);
        for (uint32_t k = 0; k < e->n_matches; k++) {
            text_puts(&got, k ? " " : "");
            put_names(&got, e, &e->matches[k]);
        }
        if (strcmp(got.bytes, cases[i].want) != 0)
            fail_msg("%s:\n  %s\nwant\n  %s", cases[i].what, got.bytes, cases[i].want);
        text_free(&got);
        pf_free(&p);
    }
}

/* ONNX Runtime counts the names of nodes that it makes anew, unless the model's own are counted. */
static void operators_are_found_by_counted_names(void **state)
{
    static const struct {
        const char *row;
        roof_match_method how;
    } rows[] = {{"/x/Add", ROOF_MATCH_OPERATOR},
                {"/x/Add_3", ROOF_MATCH_OPERATOR},
                {"/x/Add_token_13_2", ROOF_MATCH_OPERATOR},
                {"/x/Add_token_13", ROOF_MATCH_OPERATOR},
                {"/x/Relu_1", ROOF_MATCH_OPERATOR},
                {"/x/Relu_7", ROOF_MATCH_NONE},
                {"/x/Add_13_2", ROOF_MATCH_NONE},
                {"/x/Add_", ROOF_MATCH_NONE},
                {"_3", ROOF_MATCH_NONE}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char json[800];
        snprintf(json, sizeof json,
                 "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},"
                 "\"runs\":[{\"mode\":\"per_layer\",\"layers\":[{\"name\":\"first\",\"mean_s\":9},"
                 "{\"name\":\"%s\",\"mean_s\":1},{\"name\":\"other\",\"mean_s\":1}]}],\"prediction\":{"
                 "\"schema\":\"roofline.prediction/1\",\"layers\":[{\"name\":\"first\",\"device\":\"DPU\"},"
                 "{\"name\":\"sum\",\"device\":\"DPU\",\"operators\":[\"/x/Add\",\"/x/Relu\","
                 "\"/x/Relu_1\"],\"nodes\":[0,1,2]}]}}]}",
                 rows[i].row);
        pf_result p = pf_reconcile_document(json, NULL);
        const roof_reconciled *e = &p.r->experiments[0];
        roof_match_method how = ROOF_MATCH_NONE;
        for (uint32_t k = 0; k < e->n_matches; k++)
            if (e->matches[k].n_rows && e->matches[k].n_layers &&
                strcmp(e->layer_run->layers[e->row_order[e->matches[k].row]].name, rows[i].row) == 0)
                how = (roof_match_method)e->matches[k].method;
        if (how != rows[i].how)
            fail_msg("%s: %s", rows[i].row, roof_match_method_text(how));
        pf_free(&p);
    }
}

static void a_map_overrides_names(void **state)
{
    static const char json[] =
        "{\"schema\":\"roofline.measured/"
        "1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":\"per_layer\","
        "\"layers\":[{\"name\":\"a\",\"mean_s\":1},{\"name\":\"x, "
        "\\\"y\\\"\",\"mean_s\":2}]}],\"prediction\":{\"schema\":"
        "\"roofline.prediction/"
        "1\",\"layers\":[{\"name\":\"a\",\"device\":\"DPU\"},{\"name\":\"b\",\"device\":\"DPU\"}]}}]}";
    static const roof_reconcile_options options = {.map = "# a comment\na,b\r\n\"x, \"\"y\"\"\",a\n"};
    pf_result p = pf_reconcile_document(json, &options);
    const roof_reconciled *e = &p.r->experiments[0];
    (void)state;
    assert_int_equal(e->n_matches, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(e->matches[i].n_rows, 1);
        assert_int_equal(e->matches[i].method, ROOF_MATCH_MAP);
    }
    assert_true(pf_unit(e, "a")->measured_s == 2);
    assert_true(pf_unit(e, "b")->measured_s == 1);
    pf_free(&p);
}

/* A traced bypass run has a row for each launch of a subgraph, and the first layer often has its name. */
static void rows_of_a_bypass_run_are_whole_subgraphs(void **state)
{
    static const char json[] =
        "{\"schema\":\"roofline.measured/"
        "1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":\"bypass\","
        "\"total\":{\"mean_s\":9},\"layers\":[{\"name\":\"subgraph_a\",\"mean_s\":6},{\"name\":\"d\",\"mean_"
        "s\":3}]}],"
        "\"prediction\":{\"schema\":\"roofline.prediction/1\",\"hardware\":{\"clock_hz\":1},\"layers\":["
        "{\"name\":\"a\",\"subgraph\":\"a\",\"device\":\"DPU\",\"ideal_s\":2},"
        "{\"name\":\"b\",\"subgraph\":\"a\",\"device\":\"DPU\",\"ideal_s\":2},"
        "{\"name\":\"h\",\"subgraph\":\"h\",\"device\":\"CPU\"},"
        "{\"name\":\"d\",\"subgraph\":\"d\",\"device\":\"DPU\",\"ideal_s\":1}],\"total\":{\"ideal_s\":5,"
        "\"floor_s\":4}}}]}";
    pf_result p = pf_reconcile_document(json, NULL);
    const roof_reconciled *e = &p.r->experiments[0];
    (void)state;
    assert_int_equal(pf_unit(e, "a")->n_layers, 2);
    assert_true(pf_unit(e, "a")->ideal_s == 4 && pf_unit(e, "a")->measured_s == 6);
    assert_int_equal(pf_unit(e, "d")->n_layers, 1);
    assert_true(pf_unit(e, "d")->measured_s == 3);
    assert_true(isnan(e->total.inflation_ratio)); /* it is no other way of running the model */
    assert_null(e->layer_by_layer.of);
    assert_int_equal(p.r->fits[ROOF_FIT_BOUNDARY].fit.n, 0);
    pf_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names_leave_out_what_tools_add),     cmocka_unit_test(rows_find_their_layers),
        cmocka_unit_test(operators_are_found_by_counted_names),     cmocka_unit_test(a_map_overrides_names),
        cmocka_unit_test(rows_of_a_bypass_run_are_whole_subgraphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
