/* Lines of a runner, one by one: what is read of them, and what is wrong with those that the protocol does
 * not have. */
#include "core/error.h"
#include "measure/run/runner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array)       (sizeof(array) / sizeof *(array))
#define LAYERS             "{\"layers\":[{\"name\":\"a\"},{\"name\":\"b\",\"skipped\":\"x\"}]}\n"
#define SAYS(text_, says_) .text = (text_), .says = (says_)
#define SAMPLE(times)      "{\"sample\":{\"total_s\":1," times "}}"

typedef struct heard {
    runner_request request;
    runner r;
    runner_answer last;
    roof_error err;
    roof_status status;
} heard;

/* All lines of a text; the last one is judged. */
static void hear(heard *h, const char *text, bool counters)
{
    *h = (heard){.request = {.name = "test", .counters = counters}};
    h->r = (runner){.request = &h->request, .arena = arena_new(0), .err = &h->err};
    assert_non_null(h->r.arena);
    for (const char *end; *text && h->status == ROOF_OK; text = end + (*end == '\n')) {
        end = text + strcspn(text, "\n");
        h->status = runner_read_line(&h->r, text, (size_t)(end - text), &h->last);
    }
}

static void forget(heard *h)
{
    free(h->r.samples.layers_s);
    arena_free(h->r.arena);
}

static void what_is_wrong_has_its_place(void **state)
{
    static const struct {
        const char *text, *says;
        bool counters;
        roof_status status; /* 0: E_INTERNAL */
    } rows[] = {
        {SAYS("null", "its line: found null, want an object")},
        {SAYS("{\"hello\":{\"device\":\"d\"},\"done\":{}}", "a line with several of hello")},
        {SAYS("{\"later\":{}}", "a line with none of hello")},
        {SAYS("{\"hello\":{\"device\":\"d\"},\"error\":{\"code\":\"no_device\",\"text\":\"none\"}}", "none"),
         .status = ROOF_E_DEVICE},
        {SAYS("{\"hello\":{\"device\":\"\"}}", "an empty device")},
        {SAYS("{\"hello\":{\"device\":\"a\\nb\"}}", "its line: /hello/device: holds a control character")},
        {SAYS("{\"hello\":{\"device\":\"d\",\"device\":\"e\"}}",
              "its line: /hello: the key 'device' is there twice")},
        {SAYS("{\"hello\":{\"device\":\"d\",\"launches\":1.5}}",
              "/hello/launches: found 1.5, want a whole number")},
        {SAYS("{\"hello\":{\"device\":\"d\",\"clocks_hz\":{\"a\":-1}}}", "/hello/clocks_hz/a: found -1")},
        {SAYS("{\"hello\":{\"device\":\"d\",\"clocks_hz\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,"
              "\"g\":"
              "1,"
              "\"h\":1,\"i\":1}}}",
              "/hello/clocks_hz/i: is one clock too many")},
        {SAYS("{\"layers\":[null]}", "/layers/0: found null, want an object")},
        {SAYS("{\"layers\":[{\"name\":\"a\"},{}]}", "/layers/1: has no name")},
        {SAYS(LAYERS LAYERS, "layers once more")},
        {SAYS("{\"round\":{\"iterations\":null}}", "/round: has no iterations")},
        {SAYS("{\"sample\":{\"total_s\":2e12}}", "/sample/total_s: found 2000000000000, want at most 1e+12")},
        {SAYS(SAMPLE("\"phases\":{\"s\":1}"), "/sample/phases/s: is no phase")},
        {SAYS(SAMPLE("\"phases\":{\"run_s\":null}"), "/sample/phases/run_s: found null")},
        {SAYS(
            SAMPLE(
                "\"phases\":{\"a_s\":0,\"b_s\":0,\"c_s\":0,\"d_s\":0,\"e_s\":0,\"f_s\":0,\"g_s\":0,\"h_s\":0,"
                "\"i_s\":0}"),
            "/sample/phases/i_s: more than 8 phases")},
        {SAYS(SAMPLE("\"layers_s\":[1]"), "times of layers, but it named none")},
        {SAYS(LAYERS SAMPLE("\"layers_s\":[1]"),
              "/sample/layers_s: 1 times, want one for each of its 2 layers")},
        {SAYS(LAYERS SAMPLE("\"layers_s\":[null,null]"),
              "/sample/layers_s/0: null, want the seconds of 'a'")},
        {SAYS(LAYERS SAMPLE("\"layers_s\":[1,1]"), "/sample/layers_s/1: a time of 'b', which it skips")},
        {SAYS(LAYERS SAMPLE("\"layers_s\":[1,null]"), "layers_cycles is"), .counters = true},
        {SAYS(LAYERS SAMPLE("\"layers_cycles\":[1,null]"), "only wanted in a pass of counters")},
        {SAYS(LAYERS SAMPLE("\"layers_cycles\":[1.5,null]"), "/0: found 1.5, want a whole number"),
         .counters = true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        heard h;
        hear(&h, rows[i].text, rows[i].counters);
        if (h.status != (rows[i].status ? rows[i].status : ROOF_E_INTERNAL) ||
            !strstr(h.err.what, rows[i].says))
            fail_msg("%s\ngives %d, %s", rows[i].text, (int)h.status, h.err.what);
        forget(&h);
    }
}

static void what_is_told_is_kept(void **state)
{
    heard h;
    (void)state;
    hear(&h,
         "{\"hello\":{\"device\":\"d\",\"note\":null,\"clocks_hz\":{\"axi\":3e8,\"no\":null},\"batch\":4}}",
         false);
    assert_int_equal(h.last.is, ANSWER_HELLO);
    assert_null(h.last.hello.note);
    assert_int_equal(h.last.hello.n_clocks, 1);
    assert_true(h.last.hello.clocks[0].hz == 3e8 && h.last.hello.batch == 4);
    assert_int_equal(h.last.hello.launches, ROOF_NONE);
    forget(&h);
    /* more cycles than a duration may have seconds */
    hear(&h,
         LAYERS SAMPLE("\"phases\":{\"run_s\":0.25,\"x_s\":0.5},\"layers_cycles\":[9007199254740992,null]"),
         true);
    assert_int_equal(h.last.is, ANSWER_SAMPLE);
    assert_true(h.r.samples.layers_s[0] == 9007199254740992.0 && isnan(h.r.samples.layers_s[1]));
    assert_int_equal(h.r.samples.n_phases, 2);
    assert_string_equal(h.r.samples.phases[1], "x");
    assert_true(h.r.samples.phase_sums_s[1] == 0.5);
    assert_true(h.r.layers[0].macs == ROOF_UNKNOWN && h.r.layers[1].skipped);
    forget(&h);
}

static void every_code_of_a_failure_comes_back(void **state)
{
    static const roof_status all[] = {ROOF_E_DATA, ROOF_E_DEVICE, ROOF_E_UNSUPPORTED, ROOF_E_USAGE,
                                      ROOF_E_NO_INPUT};
    (void)state;
    for (size_t i = 0; i < COUNT(all); i++) {
        char line[120];
        heard h;
        snprintf(line, sizeof line, "{\"error\":{\"code\":\"%s\",\"text\":\"t\"}}", runner_code_of(all[i]));
        hear(&h, line, false);
        assert_int_equal(h.status, all[i]);
        forget(&h);
    }
    assert_string_equal(runner_code_of(ROOF_E_INTERNAL), "bad_model");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_has_its_place),
        cmocka_unit_test(what_is_told_is_kept),
        cmocka_unit_test(every_code_of_a_failure_comes_back),
    };
    return cmocka_run_group_tests_name("runner_line", tests, NULL, NULL);
}
