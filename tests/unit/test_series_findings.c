/* What a reconciliation says of the order of samples: one finding for one cause, of the run before its
 * rows. */
#include "tests/unit/profile_fixture.h"

enum { SAMPLES = 30 };

/* How samples of about 1 s go on; a letter each, in the lists below. */
static double time_of(char shape, int i)
{
    static const double noise[] = {0, 0.002, -0.003, 0.001, -0.001, 0.003, -0.002};
    double t = 1 + noise[i % 7];
    switch (shape) {
    case 'w': /* warms up */
        return i < 3 ? 1.5 * t : t;
    case 'd': /* drifts */
        return t * (1 + 0.004 * i);
    case 'c': /* changes */
        return i < 12 ? t : 1.2 * t;
    case 't': /* two speeds */
        return i % 3 ? t : 1.4 * t;
    case 'o': /* outliers */
        return i == 11 || i == 19 ? 2 * t : t;
    case 'n': /* noise */
        return 1 + 0.3 * noise[i % 7] / 0.003;
    default: /* steady */
        return t;
    }
}

static void put_samples(textbuf *out, char shape, double scale)
{
    text_puts(out, "\"samples_s\":[");
    for (int i = 0; i < SAMPLES; i++)
        text_printf(out, "%s%.6f", i ? "," : "", scale * time_of(shape, i));
    text_puts(out, "]");
}

/* bypass, total: shapes, ' ' for none. rows: a shape each, the second one takes twice the first and so on;
 * NULL: none. */
static pf_result reconcile(char bypass, char total, const char *rows)
{
    textbuf json;
    text_init(&json, TEXT_MAX_BYTES);
    text_puts(&json, "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":[");
    if (bypass != ' ') {
        text_puts(&json, "{\"mode\":\"bypass\",\"total\":{");
        put_samples(&json, bypass, 1);
        text_puts(&json, total != ' ' || rows ? "}}," : "}}");
    }
    if (total != ' ' || rows)
        text_puts(&json, "{\"mode\":\"per_layer\"");
    if (total != ' ') {
        text_puts(&json, ",\"total\":{");
        put_samples(&json, total, 20);
        text_puts(&json, "}");
    }
    for (int i = 0; rows && rows[i]; i++) {
        text_printf(&json, "%s{\"name\":\"%c%d\",", i ? "," : ",\"layers\":[", rows[i], i);
        put_samples(&json, rows[i], 1 + i);
        text_puts(&json, "}");
    }
    text_puts(&json, rows ? "]}" : total != ' ' ? "}" : "");
    text_puts(&json, "]}]}");
    pf_result p = pf_reconcile_document(json.bytes, NULL);
    text_free(&json);
    return p;
}

/* "warm_up:s0 drift": findings about samples in their order, each with its row. */
static const char *told(const pf_result *p)
{
    static char text[400];
    static const roof_finding_kind kinds[] = {ROOF_FINDING_WARM_UP,  ROOF_FINDING_DRIFT,
                                              ROOF_FINDING_CHANGED,  ROOF_FINDING_TWO_SPEEDS,
                                              ROOF_FINDING_OUTLIERS, ROOF_FINDING_HIGH_COV};
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < p->r->n_findings; i++)
        for (size_t k = 0; k < COUNT(kinds); k++) {
            const roof_finding *f = &p->r->findings[i];
            if (f->kind == kinds[k])
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s", used ? " " : "",
                                         roof_finding_kind_text(f->kind), f->place ? ":" : "",
                                         f->place ? f->place : "");
        }
    return text;
}

static void each_cause_is_told_once_of_the_run_before_its_rows(void **state)
{
    static const struct {
        char bypass, total;
        const char *rows, *told;
    } rows[] = {
        {'s', 's', "ss", ""},
        {'w', ' ', NULL, "warm_up"},
        {'d', ' ', NULL, "drift"},
        {'c', ' ', NULL, "changed_within"},
        {'t', ' ', NULL, "two_speeds"},
        {'o', ' ', NULL, "outliers"},
        {'n', ' ', NULL, "high_cov"},
        {'w', 'd', NULL, "warm_up drift"},
        {'s', 's', "wwd", "warm_up:w1 drift:d2"}, /* of the row that it costs most */
        {'s', 'd', "wdd", "drift warm_up:w0"},
        {'d', 's', "sds", "drift drift:d1"}, /* the rows are of the other run */
        {' ', ' ', "cso", "changed_within:c0 outliers:o2"},
        {' ', ' ', "tn", "two_speeds:t0 high_cov:n1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = reconcile(rows[i].bypass, rows[i].total, rows[i].rows);
        if (strcmp(told(&p), rows[i].told) != 0)
            fail_msg("'%c' '%c' '%s': '%s', want '%s'", rows[i].bypass, rows[i].total,
                     rows[i].rows ? rows[i].rows : "", told(&p), rows[i].told);
        pf_free(&p);
    }
}

/* Also those that no finding lists, and no second word for the same scatter. */
static void every_row_keeps_what_its_samples_show(void **state)
{
    static const roof_finding_kind want[] = {
        ROOF_FINDING_WARM_UP,  ROOF_FINDING_DRIFT,    ROOF_FINDING_CHANGED, ROOF_FINDING_TWO_SPEEDS,
        ROOF_FINDING_OUTLIERS, ROOF_FINDING_HIGH_COV, ROOF_FINDING_COUNT};
    pf_result p = reconcile('s', 'd', "wdctons");
    (void)state;
    for (uint32_t i = 0; i < COUNT(want); i++)
        assert_int_equal(p.r->experiments[0].matches[i].notes,
                         want[i] == ROOF_FINDING_COUNT ? 0 : ROOF_NOTE(want[i]));
    pf_free(&p);
}

static void the_figures_are_those_of_the_samples(void **state)
{
    static const struct {
        char bypass;
        roof_finding_kind kind;
        const char *said;
    } rows[] = {
        {'w', ROOF_FINDING_WARM_UP,
         "warm-up: the first 3 of 30 samples of the whole-network run average 1.5 s, the rest 1 s; including "
         "them "
         "raises the mean by 5.0 %"},
        {'d', ROOF_FINDING_DRIFT,
         "30 samples of the whole-network run get steadily slower: 1 s at the start, 1.116 s at the end "
         "(+11.6 %)"},
        {'c', ROOF_FINDING_CHANGED,
         "from sample 13 of 30 on, the whole-network run takes 1.2 s instead of 1 s (+20.0 %)"},
        {'t', ROOF_FINDING_TWO_SPEEDS,
         "two speeds: 10 of 30 samples of the whole-network run near 1.4 s, the rest near 1 s; the mean "
         "1.133 s "
         "describes neither"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = reconcile(rows[i].bypass, ' ', NULL);
        assert_string_equal(pf_finding(p.r, rows[i].kind), rows[i].said);
        assert_true(*roof_finding_advice(rows[i].kind));
        pf_free(&p);
    }
    pf_result p = reconcile(' ', 's', "www");
    assert_non_null(strstr(pf_finding(p.r, ROOF_FINDING_WARM_UP),
                           "samples of the row (and of 2 others likewise) average 4.498 s"));
    pf_free(&p);
}

/* And of its rows, also where only their sum shows it. */
static void a_warm_up_is_in_no_figure_of_its_run(void **state)
{
    static const struct {
        char bypass, total;
        const char *rows;
        uint64_t warm_up;
    } rows[] = {{'w', ' ', NULL, 3}, {' ', 'w', "ws", 3}, {' ', ' ', "wws", 3}, {'s', 's', "ww", 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        pf_result p = reconcile(rows[i].bypass, rows[i].total, rows[i].rows);
        const roof_reconciled *e = &p.r->experiments[0];
        const roof_run *run = rows[i].rows ? e->per_layer : e->bypass;
        const double stated = rows[i].rows ? 20 : 1;
        assert_true(isnan(run->total.mean_s) || fabs(run->total.mean_s / stated - 1) < 0.002);
        assert_int_equal(run->total.warm_up, run->total.samples_s ? rows[i].warm_up : 0);
        for (uint32_t k = 0; k < run->n_layers; k++) {
            const roof_times *t = &run->layers[k].time;
            assert_int_equal(t->warm_up, rows[i].warm_up);
            assert_int_equal(t->count, SAMPLES - rows[i].warm_up);
            assert_true(!rows[i].warm_up || fabs(t->mean_s / (1 + k) - 1) < 0.002);
        }
        pf_free(&p);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cause_is_told_once_of_the_run_before_its_rows),
        cmocka_unit_test(every_row_keeps_what_its_samples_show),
        cmocka_unit_test(the_figures_are_those_of_the_samples),
        cmocka_unit_test(a_warm_up_is_in_no_figure_of_its_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
