/* roofline.curve/1: what is written comes back, and what contradicts itself is refused. */
#include "model/documents/documents.h"
#include "tests/support/codec_random.h"
#include "tests/support/curves.h"
#include "tests/support/memory_io.h"
#include "tests/support/text_save.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

static textbuf written(const roof_curve *curve)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    curve_codec_write(curve, NULL, &text);
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    return text;
}

static roof_status read_text(const char *text, size_t length, roof_curve **out, roof_error *err)
{
    memory_source source = {text, length, 0};
    return curve_codec_read(memory_read_growing, &source, "c.json", out, err);
}

static void check_round_trip(const roof_curve *curve)
{
    roof_curve *again = NULL;
    roof_error err = {0};
    textbuf first = written(curve);
    if (read_text(first.bytes, first.length, &again, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const char *difference = codec_difference(&curve_object, curve, again, NULL);
    if (difference)
        fail_msg("%s does not come back", difference);
    textbuf second = written(again);
    assert_string_equal(first.bytes, second.bytes);
    assert_int_equal(again->n_decode, curve->n_decode);
    assert_int_equal(again->has_draft, curve->has_draft);
    assert_int_equal(again->has_session, curve->has_session);
    text_free(&first);
    text_free(&second);
    roof_curve_free(again);
}

static void what_is_written_comes_back(void **state)
{
    static const uint32_t contexts[] = {1, 1000, 4294967294};
    roof_curve *curves[] = {curves_known(), curves_bound_only(), curves_long(3),
                            curves_of_steps(contexts, COUNT(contexts))};
    (void)state;
    curves[2]->batch = 8;
    for (size_t i = 0; i < COUNT(curves); i++) {
        check_round_trip(curves[i]);
        roof_curve_free(curves[i]);
    }
}

static void a_file_is_read(void **state)
{
    roof_curve *curve = curves_known(), *again = NULL;
    textbuf text = written(curve);
    roof_error err = {0};
    const char *path = in_folder("curve.json");
    (void)state;
    assert_int_equal(text_save(&text, path, NULL), ROOF_OK);
    if (roof_curve_read(path, &again, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_null(codec_difference(&curve_object, curve, again, NULL));
    roof_curve_free(again);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(roof_curve_read(path, &again, &err), ROOF_E_NO_INPUT);
    assert_null(again);
    text_free(&text);
    roof_curve_free(curve);
}

/* null is not known: never 0, and no list but one. */
static void what_is_not_there_is_not_known(void **state)
{
    static const char text[] = "{\"schema\":\"roofline.curve/1\",\"model\":\"m\",\"later\":[1],\"points\":["
                               "{\"phase\":\"decode\",\"tokens\":5,\"ideal_s\":null}]}";
    roof_curve *curve = NULL;
    roof_error err = {0};
    (void)state;
    if (read_text(text, strlen(text), &curve, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_curve_point *p = curve->points;
    assert_int_equal(curve->n_decode, 1);
    assert_int_equal(curve->batch, 1);
    assert_null(curve->stack);
    assert_false(curve->has_session || curve->has_draft || curve->anchor_tokens);
    assert_true(isnan(p->ideal_s) && isnan(p->expected.seconds) && isnan(p->expected.ci95_s[1]) &&
                isnan(p->expected.parts_s[ROOF_PART_CACHE]) && isnan(p->memory.limit_bytes));
    assert_true(p->counts.kv_bytes == ROOF_UNKNOWN && p->memory.need_bytes == ROOF_UNKNOWN);
    assert_int_equal(p->memory.fits, ROOF_MEMORY_UNKNOWN);
    roof_curve_free(curve);
}

static void what_contradicts_itself_is_refused(void **state)
{
#define CURVE(members) "{\"schema\":\"roofline.curve/1\",\"model\":\"m\"," members "}"
#define POINTS(points) CURVE("\"points\":[" points "]")
#define STEP(tokens)   "{\"phase\":\"decode\",\"tokens\":" #tokens "}"
#define PROMPT(tokens) "{\"phase\":\"prefill\",\"tokens\":" #tokens "}"
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"[]", "found an array, want an object"},
        {"{\"model\":\"m\",\"points\":[" STEP(1) "]}", "has no \"schema\", want \"roofline.curve/1\""},
        {"{\"schema\":\"roofline.curve/1\",\"points\":[" STEP(1) "]}", "has no \"model\""},
        {CURVE("\"batch\":1"), "has no \"points\""},
        {POINTS(""), "/points: is empty, want at least one point"},
        {POINTS("{\"tokens\":1}"), "/points/0: has no phase"},
        {POINTS("{\"phase\":\"both\",\"tokens\":1}"),
         "/points/0/phase: found the string \"both\", want one of \"prefill\", \"decode\""},
        {POINTS("{\"phase\":\"decode\"}"), "/points/0: has no tokens"},
        {POINTS(STEP(0)), "/points/0: tokens are 0, want at least 1"},
        {POINTS(STEP(1.5)), "/points/0/tokens: found 1.5, want a whole number"},
        {POINTS(STEP(4) "," STEP(4)), "point 1 has 4 tokens behind 4, want them ascending"},
        {POINTS(PROMPT(4) "," PROMPT(2)), "point 1 has 2 tokens behind 4, want them ascending"},
        {POINTS(PROMPT(4) "," STEP(8)), "point 1 is of decode behind one of prefill, want steps first"},
        {CURVE("\"batch\":0,\"points\":[" STEP(1) "]"), "batch is 0, want at least 1"},
        {CURVE("\"points\":[" STEP(1) "],\"measured\":[{\"phase\":\"decode\",\"tokens\":1,\"seconds\":0}]"),
         "/measured/0: want seconds above 0"},
        {POINTS("{\"phase\":\"decode\",\"tokens\":1,\"ideal_s\":-1}"), "/points/0/ideal_s: "},
        {POINTS("{\"phase\":\"decode\",\"tokens\":1,\"memory\":{\"fits\":\"maybe\"}}"),
         "/points/0/memory/fits: want true or false"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_curve *curve = NULL;
        roof_error err = {0};
        assert_int_equal(read_text(rows[i].text, strlen(rows[i].text), &curve, &err), ROOF_E_DATA);
        assert_null(curve);
        if (!strstr(fx_message(&err), rows[i].message))
            fail_msg("%s: got '%s', want '%s'", rows[i].text, fx_message(&err), rows[i].message);
    }
#undef CURVE
#undef POINTS
#undef STEP
#undef PROMPT
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_written_comes_back),
                                       cmocka_unit_test(a_file_is_read),
                                       cmocka_unit_test(what_is_not_there_is_not_known),
                                       cmocka_unit_test(what_contradicts_itself_is_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
