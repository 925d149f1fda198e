/* What a reconciliation shows at first: an answer on a screen, with statistics and all rows behind
 * --details. */
#include "roofline/render.h"
#include "tests/support/memory_io.h"
#include "tests/unit/drawn_fixture.h"

static textbuf rendered(const roof_reconciliation *r, const roof_render_options *options)
{
    textbuf text;
    roof_error err = {0};
    text_init(&text, TEXT_MAX_BYTES);
    if (roof_render(r, options, (roof_sink){memory_write, &text}, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return text;
}

static size_t lines_of(const textbuf *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++)
        n += text->bytes[i] == '\n';
    return n;
}

static void a_study_of_three_models_fits_on_a_screen(void **state)
{
    (void)state;
    pf_result p = df_example("kv260/measured.json");
    textbuf text = rendered(p.r, &(roof_render_options){.width = 120});
    if (lines_of(&text) > 60)
        fail_msg("%zu lines", lines_of(&text));
    text_free(&text);
    df_free_example(&p);
}

static void statistics_and_all_rows_are_behind_details(void **state)
{
    static const char *const details[] = {
        "residuals",  "Timing every layer costs",     "No fixed cost inside",
        "a boundary", "where the time goes measured", "res4a_branch2b"};
    (void)state;
    pf_result p = df_example("kv260/measured.json");
    textbuf first = rendered(p.r, &(roof_render_options){.width = 120}),
            all = rendered(p.r, &(roof_render_options){.width = 120, .details = true});
    for (size_t i = 0; i < COUNT(details); i++) {
        if (strstr(first.bytes, details[i]))
            fail_msg("at first: %s", details[i]);
        if (!strstr(all.bytes, details[i]))
            fail_msg("not with details: %s", details[i]);
    }
    assert_non_null(strstr(first.bytes, "--details shows"));
    text_free(&first);
    text_free(&all);
    df_free_example(&p);
}

/* All figures of a page are held against the limit that its first sentence names. */
static void one_limit_is_on_a_screen(void **state)
{
    (void)state;
    pf_result p = df_example("zcu104-resnet50/measured.json");
    textbuf text = rendered(p.r, &(roof_render_options){.width = 120});
    assert_non_null(strstr(text.bytes, "as expected ("));
    assert_non_null(strstr(text.bytes, "bound of 8.059 ms."));
    assert_null(strstr(text.bytes, "7.629"));
    assert_null(strstr(text.bytes, "62.6"));
    text_free(&text);
    df_free_example(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_study_of_three_models_fits_on_a_screen),
        cmocka_unit_test(statistics_and_all_rows_are_behind_details),
        cmocka_unit_test(one_limit_is_on_a_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
