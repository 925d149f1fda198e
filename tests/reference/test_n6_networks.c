/* Times of networks of ST's model zoo on an STM32N6570-DK, whose graphs nobody compiled here: what the
 * built-in constants say of them, as a user gets it from the file, and what constants say that were fitted to
 * the other families. Needs the optional folder that ROOFLINE_SHARED names. */
#include "tests/support/accuracy.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

#include <math.h>

enum { GRAPH, FAMILY, MEASURED_MS, USE = 4, TOOL, FIELDS };

/* Constants that were fitted; prior: what documents say of it before anything is measured, 0: nothing. A
 * constant of which no other family tells is then 0, so that its part is missing. */
static const struct {
    const char *key;
    double prior, spread;
} constants[] = {
    {"st-edge-ai.epochs.conv_stream", 1, 0.3},  {"st-edge-ai.epochs.depthwise_stream", 1, 0.3},
    {"st-edge-ai.epochs.other_stream", 1, 0.3}, {"st-edge-ai.epochs.flash", 1, 0.1},
    {"st-edge-ai.epochs.copy", 0.31, 1},      /* a byte read and written at the internal RAM's rate */
    {"st-edge-ai.epochs.nearest", 0.92, 0.3}, /* 0.92 and 65: cycles of the host, of compiled networks */
    {"st-edge-ai.epochs.softmax", 65, 0.3},     {"st-edge-ai.epochs.start", 0, 0},
    {"st-edge-ai.epochs.channel", 0, 0},        {"st-edge-ai.epochs.once", 0, 0},
    {"st-edge-ai.epochs.big_pool", 0, 0},       {"st-edge-ai.epochs.bilinear", 0, 0},
    {"st-edge-ai.epochs.odd_channels", 0, 0},   {"st-edge-ai-2.epochs.silu", 0, 0},
    {"st-edge-ai-3.epochs.silu", 0, 0},
};
enum { CONSTANTS = COUNT(constants), MOST_NETWORKS = 64 };

/* A network that was measured; terms_s: of each constant as it is built in, rest_s: of none. */
typedef struct network {
    char family[40];
    double measured_s, rest_s, terms_s[CONSTANTS];
} network;

static network networks[MOST_NETWORKS];
static uint32_t n_networks;

typedef struct times {
    accuracy a, bounds;
    uint32_t n_outside,
        n_unnamed; /* networks with maps in external RAM, and those whose answer does not say so */
} times;

static bool split(char *line, const char **fields)
{
    for (int i = 0; i < FIELDS; i++) {
        char *comma = strchr(line, ',');
        if (!comma)
            return false;
        *comma = '\0';
        fields[i] = line;
        line = comma + 1;
    }
    return true;
}

static double built_in(int constant)
{
    char key[80];
    roof_hw *hw = fx_hw("stm32n6570-dk");
    snprintf(key, sizeof key, "expect.%s", constants[constant].key);
    const double value = roof_hw_get(hw, key)->value;
    roof_hw_free(hw);
    return value;
}

/* The law is a sum of its constants times what the network has of each, but for maxima, whose side stays. */
static void take_apart(const roof_graph *graph, const char *stack, double expected_s, network *out)
{
    enum { PER_CENT = 1 };
    out->rest_s = expected_s;
    for (int i = 0; i < CONSTANTS; i++) {
        char spec[160];
        snprintf(spec, sizeof spec, "base=stm32n6570-dk,expect.%s=%.9g", constants[i].key,
                 built_in(i) * (1 + 0.01 * PER_CENT));
        roof_prediction *p = fx_predict(graph, spec, &(roof_predict_options){.stack = stack});
        out->terms_s[i] = (p->total.predicted_s - expected_s) / (0.01 * PER_CENT);
        out->rest_s -= out->terms_s[i];
        roof_prediction_free(p);
    }
}

static roof_prediction *predict_row(const char *shared, const char *const *fields)
{
    char path[4096], stack[40];
    roof_graph *graph;
    roof_error err;
    snprintf(path, sizeof path, "%s/data/n6_networks/nets/%s", shared, fields[GRAPH]);
    const char *version = strrchr(fields[TOOL], ' ');
    snprintf(stack, sizeof stack, "st-edge-ai-%s", version ? version + 1 : "");
    if (roof_graph_read(path, &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_prediction *p = fx_predict(graph, "stm32n6570-dk", &(roof_predict_options){.stack = stack});
    if (strcmp(fields[USE], "judge") == 0 && n_networks < MOST_NETWORKS) {
        network *n = &networks[n_networks++];
        snprintf(n->family, sizeof n->family, "%.39s", fields[FAMILY]);
        n->measured_s = strtod(fields[MEASURED_MS], NULL) * 1e-3;
        take_apart(graph, stack, p->total.predicted_s, n);
    }
    roof_graph_free(graph);
    return p;
}

/* A pooling in floats is named in place of an expected time. */
static void add_row(times *t, const char *shared, const char *const *fields)
{
    const bool is_outside = strcmp(fields[USE], "external") == 0;
    if (!is_outside && strcmp(fields[USE], "judge") != 0)
        return;
    roof_prediction *p = predict_row(shared, fields);
    const double measured_s = strtod(fields[MEASURED_MS], NULL) * 1e-3;
    if (is_outside) {
        t->n_outside++;
        t->n_unnamed += isnan(p->total.predicted_s) ? !fx_count_findings(p, ROOF_FINDING_NO_CONSTANTS)
                                                    : !fx_count_findings(p, ROOF_FINDING_EXTERNAL_RAM) ||
                                                          p->total.predicted_s < measured_s / 2 ||
                                                          p->total.predicted_s > measured_s * 2;
    } else {
        accuracy_add(&t->a, fields[FAMILY], p->total.predicted_s, measured_s, p->total.predicted_ci95_s);
    }
    accuracy_add_bound(&t->bounds, fields[FAMILY], roof_best_s(p), measured_s);
    roof_prediction_free(p);
}

static void whole_networks_take_what_is_expected(void **state)
{
    static times t = {.a = {.what = "STM32N6570-DK, whole uncompiled networks",
                            .constants = "built in, fitted to these networks"},
                      .bounds = {.what = "STM32N6570-DK, whole uncompiled networks"}};
    char path[4096], line[2048];
    const char *fields[FIELDS], *shared = shared_folder();
    (void)state;
    snprintf(path, sizeof path, "%s/data/n6_networks/n6_networks.csv", shared);
    FILE *file = fopen(path, "r");
    if (!file)
        skip_without("networks of an STM32N6 with their times");
    while (fgets(line, sizeof line, file))
        if (split(line, fields))
            add_row(&t, shared, fields);
    fclose(file);
    assert_true(t.a.n > 40);
    assert_true(accuracy_quantile(&t.a, 0.5) <= 0.1);
    assert_true(accuracy_quantile(&t.a, 0.9) <= 0.2);
    assert_true(t.a.inside >= 0.9 * (t.a.inside + t.a.outside));
    assert_true(t.n_outside > 0 && t.n_unnamed == 0);
    for (uint32_t i = 0; i < t.bounds.n; i++)
        assert_true(t.bounds.values[i] >= 1);
    accuracy_tell(&t.a);
    accuracy_tell(&t.bounds);
}

/* In parts of what is built in, by the relative errors of the other families, each of which counts alike;
 * priors weigh as much as half a network that is off by half of the constant. */
static void fit_without(const char *family, double parts[CONSTANTS])
{
    for (int c = 0; c < CONSTANTS; c++)
        parts[c] = constants[c].prior / built_in(c);
    double prior[CONSTANTS];
    memcpy(prior, parts, sizeof prior);
    for (int round = 0; round < 30; round++) {
        double a[CONSTANTS * CONSTANTS] = {0}, b[CONSTANTS] = {0};
        for (int c = 0; c < CONSTANTS; c++) {
            a[c * CONSTANTS + c] = prior[c] > 0 ? 0.12 / pow(constants[c].spread * prior[c], 2) : 1e-9;
            b[c] = prior[c] * a[c * CONSTANTS + c];
        }
        for (uint32_t i = 0; i < n_networks; i++) {
            const network *n = &networks[i];
            double said_s = n->rest_s, alike = 0;
            if (strcmp(n->family, family) == 0)
                continue;
            for (uint32_t k = 0; k < n_networks; k++)
                alike += strcmp(networks[k].family, n->family) == 0;
            for (int c = 0; c < CONSTANTS; c++)
                said_s += parts[c] * n->terms_s[c];
            const double error = said_s / n->measured_s - 1, /* soft: an outlier pulls as if it were nearer */
                weight = 1 / sqrt(alike) / sqrt(1 + error * error / (0.15 * 0.15));
            for (int r = 0; r < CONSTANTS; r++) {
                for (int c = 0; c < CONSTANTS; c++)
                    a[r * CONSTANTS + c] +=
                        weight * n->terms_s[r] * n->terms_s[c] / n->measured_s / n->measured_s;
                b[r] += weight * n->terms_s[r] * (n->measured_s - n->rest_s) / n->measured_s / n->measured_s;
            }
        }
        for (int sweep = 0; sweep < 300; sweep++) /* none may be below 0 */
            for (int r = 0; r < CONSTANTS; r++) {
                double rest = b[r];
                for (int c = 0; c < CONSTANTS; c++)
                    rest -= c == r ? 0 : a[r * CONSTANTS + c] * parts[c];
                parts[r] = fmax(0, rest / a[r * CONSTANTS + r]);
            }
    }
}

static void families_that_are_left_out_take_what_is_expected(void **state)
{
    static accuracy a = {.what = "the same networks",
                         .constants = "a fit to the others, maxima on the side that they are built in with",
                         .left_out = "families"};
    const double factor = 1.51; /* expect.st-edge-ai.epochs.scatter, 0.199, by t of 23 degrees of freedom */
    (void)state;
    if (!n_networks)
        skip_without("networks of an STM32N6 with their times");
    for (uint32_t i = 0; i < n_networks; i++) {
        double parts[CONSTANTS], said_s = networks[i].rest_s;
        fit_without(networks[i].family, parts);
        for (int c = 0; c < CONSTANTS; c++)
            said_s += parts[c] * networks[i].terms_s[c];
        accuracy_add(&a, networks[i].family, said_s, networks[i].measured_s,
                     (double[]){said_s / factor, said_s * factor});
    }
    accuracy_tell(&a);
    assert_true(accuracy_quantile(&a, 0.5) <= 0.15 && a.inside >= 0.85 * a.n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_networks_take_what_is_expected),
                                       cmocka_unit_test(families_that_are_left_out_take_what_is_expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
