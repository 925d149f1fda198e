/* Energy of an inference out of what a profile says of energy and power. The figures are worked by hand. */
#include "tests/unit/profile_fixture.h"

#include <math.h>

#define DOCUMENT(experiments) "{\"schema\":\"roofline.measured/1\",\"experiments\":[" experiments "]}"
#define ON(hardware, runs)                                                                                   \
    "{\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":\"" hardware "\"},\"runs\":[" runs "]}"
#define TIME               "\"total\":{\"mean_s\":0.01}"
#define BYPASS(members)    "{\"mode\":\"bypass\"" members "}"
#define PER_LAYER(members) "{\"mode\":\"per_layer\"" members "}"
#define ROW(name, members) "{\"name\":\"" name "\",\"mean_s\":0.001" members "}"

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

/* Whether some finding has the words. */
static bool has_finding(const roof_reconciliation *r, const char *words)
{
    char text[ROOF_SENTENCE_SIZE];
    for (uint32_t i = 0; i < r->n_findings; i++)
        if (roof_sentence(r, ROOF_SENTENCE_FINDING, i, text) && strstr(text, words))
            return true;
    return false;
}

static void energy_is_stated_or_power_for_its_time_or_that_of_all_rows(void **state)
{
    static const struct {
        const char *what, *runs, *basis;
        double inference_j, above_idle_j;
        const char *words; /* of a finding; NULL: nothing contradicts */
    } rows[] = {
        {"power x time", BYPASS("," TIME ",\"power_w\":5,\"idle_power_w\":3"), "power_x_time", 0.05, 0.02,
         NULL},
        {"no idle power", BYPASS("," TIME ",\"power_w\":5"), "power_x_time", 0.05, NAN, NULL},
        {"stated without idle power", BYPASS("," TIME ",\"power_w\":5,\"idle_power_w\":3,\"energy_j\":0.02"),
         "stated", 0.05, 0.02, NULL},
        {"stated, all of it", BYPASS("," TIME ",\"energy_j\":0.06"), "stated", 0.06, NAN, NULL},
        {"stated, of another window", BYPASS("," TIME ",\"power_w\":5,\"energy_j\":0.5"), "stated", 0.5, NAN,
         "stated energy 500 mJ per inference, but power x time is 50 mJ"},
        {"idle above", BYPASS("," TIME ",\"power_w\":5,\"idle_power_w\":6"), "power_x_time", 0.05, NAN,
         "idle power 6 W is at or above the 5 W"},
        {"idle above, and what is above it stated",
         BYPASS("," TIME ",\"power_w\":5,\"idle_power_w\":6,\"energy_j\":0.01"), "stated", NAN, 0.01,
         "idle power 6 W"},
        {"no time", BYPASS(",\"power_w\":5"), NULL, NAN, NAN, "the power log belongs to no timed run"},
        {"layer by layer", PER_LAYER("," TIME ",\"power_w\":5"), "power_x_time", 0.05, NAN, NULL},
        {"the sum of layers as the time",
         PER_LAYER(",\"power_w\":5,\"layers\":[" ROW("a", "") "," ROW("b", "") "]"), "power_x_time", 0.01,
         NAN, NULL},
        {"rows",
         PER_LAYER(",\"layers\":[" ROW("a", ",\"energy_j\":0.002") "," ROW("b", ",\"energy_j\":0.003") "]"),
         "rows", 0.005, NAN, NULL},
        {"some rows", PER_LAYER(",\"layers\":[" ROW("a", ",\"energy_j\":0.002") "," ROW("b", "") "]"), NULL,
         NAN, NAN, "1 of 2 rows state an energy"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char json[1000];
        snprintf(json, sizeof json, DOCUMENT(ON("test", "%s")), rows[i].runs);
        pf_result p = pf_reconcile_document(json, NULL);
        const roof_energy *e = &p.r->experiments[0].energy;
        const char *basis = roof_energy_basis_text(e->basis);
        if (!same(e->inference_j, rows[i].inference_j) || !same(e->above_idle_j, rows[i].above_idle_j) ||
            !same(e->inferences_per_j, 1 / rows[i].inference_j) || !e->basis != !rows[i].basis ||
            (basis && strcmp(basis, rows[i].basis) != 0))
            fail_msg("%s: %g J, %g J above idle, %s", rows[i].what, e->inference_j, e->above_idle_j,
                     basis ? basis : "unknown");
        if (rows[i].words ? !has_finding(p.r, rows[i].words)
                          : pf_finding(p.r, ROOF_FINDING_ENERGY_DIFFERS) != NULL)
            fail_msg("%s: %s", rows[i].what, rows[i].words ? rows[i].words : "a finding that is none");
        pf_free(&p);
    }
}

static void operations_of_a_joule_are_those_of_the_prediction(void **state)
{
    static const char json[] = DOCUMENT("{\"model\":{\"name\":\"net\"},\"runs\":[" BYPASS(
        "," TIME
        ",\"power_w\":5") "],\"prediction\":{\"schema\":\"roofline.prediction/1\",\"model\":{\"name\":"
                          "\"net\"},\"layers\":[],\"total\":{\"macs\":1000,\"ops_count\":2000}}}");
    pf_result p = pf_reconcile_document(json, NULL);
    (void)state;
    assert_true(same(p.r->experiments[0].energy.ops_per_j, 2000 / 0.05));
    pf_free(&p);
}

#define POWER(watts, scope) BYPASS("," TIME ",\"power_w\":" watts scope)
#define COVERS(what)        ",\"power_scope\":\"" what "\""

static void energies_that_cover_different_things_are_found(void **state)
{
    static const struct {
        const char *what, *experiments, *words; /* NULL: they can be compared */
    } rows[] = {
        {"the same", ON("x", POWER("5", COVERS("board"))) "," ON("y", POWER("3", COVERS("board"))), NULL},
        {"one alone", ON("x", POWER("5", "")), NULL},
        {"different", ON("x", POWER("5", COVERS("board"))) "," ON("y", POWER("3", COVERS("package"))),
         "net on x measures the energy of 'board', net on y that of 'package': not compared"},
        {"not stated", ON("x", POWER("5", COVERS("board"))) "," ON("y", POWER("3", "")),
         "the profile does not state which rail the energy of net on y covers"},
        {"no energy beside one", ON("x", POWER("5", COVERS("board"))) "," ON("y", BYPASS("," TIME)), NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char json[1000];
        snprintf(json, sizeof json, DOCUMENT("%s"), rows[i].experiments);
        pf_result p = pf_reconcile_document(json, NULL);
        const char *found = pf_finding(p.r, ROOF_FINDING_ENERGY_SCOPE);
        if (rows[i].words ? !found || !strstr(found, rows[i].words) : found != NULL)
            fail_msg("%s: %s", rows[i].what, found ? found : "no finding");
        pf_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_stated_or_power_for_its_time_or_that_of_all_rows),
        cmocka_unit_test(operations_of_a_joule_are_those_of_the_prediction),
        cmocka_unit_test(energies_that_cover_different_things_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
