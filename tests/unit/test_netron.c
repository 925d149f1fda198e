/* Attachments of Netron: texts are metadata, numbers are metrics, each at the node that its file's programs
 * know it by. */
#include "roofline/render.h"
#include "tests/unit/nodes_fixture.h"

static void assert_rendered(const roof_prediction *p, const char *want)
{
    char *text = NULL;
    size_t length;
    roof_error err;
    if (roof_render_whole(p, &(roof_render_options){.format = "netron"}, &text, &length, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_string_equal(text, want);
    free(text);
}

static void an_attachment_addresses_nodes_by_name(void **state)
{
    static const char want[] =
        "{\n"
        " \"signature\":\"netron:attachment\",\n"
        " \"metadata\":[\n"
        "  {\"kind\":\"graph\",\"target\":\"\",\"name\":\"roofline.hardware\",\"value\":\"board\"},\n"
        "  {\"kind\":\"node\",\"target\":\"conv\",\"name\":\"roofline.bound\",\"value\":\"array\"},\n"
        "  {\"kind\":\"node\",\"target\":\"conv\",\"name\":\"roofline.runs_on\",\"value\":\"NPU\"},\n"
        "  {\"kind\":\"node\",\"target\":\"conv\",\"name\":\"roofline.layer\",\"value\":\"a\"},\n"
        "  {\"kind\":\"node\",\"target\":\"relu\",\"name\":\"roofline.layer\",\"value\":\"a\"},\n"
        "  {\"kind\":\"node\",\"target\":\"relu\",\"name\":\"roofline.fused_into\",\"value\":\"conv\"},\n"
        "  {\"kind\":\"node\",\"target\":\"swish\",\"name\":\"roofline.bound\",\"value\":\"ddr\"},\n"
        "  {\"kind\":\"node\",\"target\":\"swish\",\"name\":\"roofline.runs_on\",\"value\":\"NPU\"},\n"
        "  {\"kind\":\"node\",\"target\":\"swish\",\"name\":\"roofline.layer\",\"value\":\"d\"},\n"
        "  {\"kind\":\"node\",\"target\":\"soft\",\"name\":\"roofline.runs_on\",\"value\":\"CPU\"},\n"
        "  {\"kind\":\"node\",\"target\":\"soft\",\"name\":\"roofline.layer\",\"value\":\"e\"}\n"
        " ],\n"
        " \"metrics\":[\n"
        "  {\"kind\":\"graph\",\"target\":\"\",\"name\":\"roofline.ideal_us\",\"value\":83.825},\n"
        "  {\"kind\":\"graph\",\"target\":\"\",\"name\":\"roofline.ideal_us_beside_nodes\",\"value\":0.5},\n"
        "  {\"kind\":\"graph\",\"target\":\"\",\"name\":\"roofline.macs\",\"value\":1020},\n"
        "  {\"kind\":\"node\",\"target\":\"conv\",\"name\":\"roofline.ideal_us\",\"value\":80.3},\n"
        "  {\"kind\":\"node\",\"target\":\"conv\",\"name\":\"roofline.macs\",\"value\":1000},\n"
        "  {\"kind\":\"node\",\"target\":\"conv\",\"name\":\"roofline.bytes\",\"value\":60},\n"
        "  {\"kind\":\"node\",\"target\":\"swish\",\"name\":\"roofline.ideal_us\",\"value\":3}\n"
        " ]\n"
        "}\n";
    nodes_fixture f;
    uint32_t nameless;
    (void)state;
    assert_rendered(nodes_make(&f), want);
    assert_int_equal(roof_renderer_nameless_operators(&f.prediction, &nameless, NULL), ROOF_OK);
    assert_int_equal(nameless, 1);
}

static void without_names_of_operators_places_address_them(void **state)
{
    nodes_fixture f;
    char *text = NULL;
    size_t length;
    uint32_t nameless;
    (void)state;
    roof_prediction *p = nodes_make(&f);
    p->model.address = ROOF_ADDRESS_INDEX;
    assert_int_equal(roof_render_whole(p, &(roof_render_options){.format = "netron"}, &text, &length, NULL),
                     ROOF_OK);
    assert_non_null(strstr(text, "{\"kind\":\"node\",\"identifier\":\"2\",\"name\":\"roofline.ideal_us\","
                                 "\"value\":0.0247}"));
    assert_null(strstr(text, "conv"));
    free(text);
    assert_int_equal(roof_renderer_nameless_operators(p, &nameless, NULL), ROOF_OK);
    assert_int_equal(nameless, 0);
}

static void files_that_no_program_shows_are_refused(void **state)
{
    nodes_fixture f;
    char *text = NULL;
    size_t length;
    roof_error err;
    (void)state;
    roof_prediction *p = nodes_make(&f);
    p->model.address = ROOF_ADDRESS_NONE;
    p->model.format = "c_info";
    assert_int_equal(roof_render_whole(p, &(roof_render_options){.format = "netron"}, &text, &length, &err),
                     ROOF_E_USAGE);
    assert_string_equal(err.what,
                        "format 'netron' is for files whose graph other programs show, and none shows "
                        "a 'c_info'");
    assert_true(roof_renderer_shows_operators("netron") && !roof_renderer_shows_operators("json") &&
                !roof_renderer_shows_operators(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attachment_addresses_nodes_by_name),
        cmocka_unit_test(without_names_of_operators_places_address_them),
        cmocka_unit_test(files_that_no_program_shows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
