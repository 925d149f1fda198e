/* Which runs are one: not those of a language model at two contexts, by two versions or of other weights. */
#include "measure/profile/profile.h"
#include "roofline/reconcile.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"

/* Quotes as JSON has them, in place. */
static void quote(char *text)
{
    for (; *text; text++)
        *text = *text == '\'' ? '"' : *text;
}

static void equal_times_of_unlike_points_are_no_copies(void **state)
{
    static const struct {
        const char *model[2], *beside[2];
        uint32_t n; /* what is left of two runs of the same time */
    } rows[] = {
        {{"'phase':'decode','context_tokens':7", "'phase':'decode','context_tokens':7"}, {"", ""}, 1},
        {{"'phase':'decode','context_tokens':7", "'phase':'decode','context_tokens':8"}, {"", ""}, 2},
        {{"'phase':'prefill','prompt_tokens':7", "'phase':'prefill','prompt_tokens':8"}, {"", ""}, 2},
        {{"'phase':'prefill'", "'phase':'decode'"}, {"", ""}, 2},
        {{"'weight_type':'q4_1'", "'weight_type':'bf16'"}, {"", ""}, 2},
        {{"'weight_type':'q4_1'", "'weight_type':'q4_1'"}, {"", ""}, 1},
        {{"'cache_type':'q8_0'", "'cache_type':'bf16'"}, {"", ""}, 2},
        {{"'family':'f'", "'family':'f'"}, {",'stack':'a'", ",'stack':'b'"}, 2},
        {{"'family':'f'", "'family':'f'"}, {",'stack_version':'1'", ",'stack_version':'2'"}, 2},
        {{"'family':'f'", "'family':'f'"}, {",'stack_version':'1'", ",'stack_version':'1'"}, 1},
        {{"'family':'f'", "'family':'f'"},
         {",'device':{'memory_bytes':1}", ",'device':{'memory_bytes':2}"},
         2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[900];
        roof_measured *m = NULL;
        roof_reconciliation *r = NULL;
        const roof_prediction *none[2] = {NULL};
        snprintf(text, sizeof text,
                 "{'schema':'roofline.measured/1','experiments':["
                 "{'model':{'name':'net',%s}%s,'runs':[{'mode':'bypass','total':{'mean_s':0.5}}]},"
                 "{'model':{'name':'net',%s}%s,'runs':[{'mode':'bypass','total':{'mean_s':0.5}}]}]}",
                 rows[i].model[0], rows[i].beside[0], rows[i].model[1], rows[i].beside[1]);
        quote(text);
        memory_source source = {text, strlen(text), 0};
        assert_int_equal(measured_codec_read(memory_read, &source, "m.json", &m, NULL), ROOF_OK);
        assert_int_equal(roof_reconcile(m, none, NULL, &r, NULL), ROOF_OK);
        if (r->n_experiments != rows[i].n)
            fail_msg("row %zu: %u runs are left, want %u", i, r->n_experiments, rows[i].n);
        roof_reconciliation_free(r);
        roof_measured_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_times_of_unlike_points_are_no_copies),
    };
    return cmocka_run_group_tests_name("pair_runs", tests, NULL, NULL);
}
