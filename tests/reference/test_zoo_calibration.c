/* A calibration to networks of the Vitis AI Model Zoo (zoo.h), timed as a whole with all cores of a board
 * busy: what it says of a family of networks that it was not fitted to. Families are those that the
 * calibration itself finds. No constant of the database is used, so that this is what a user's own board
 * would give. */
#include "roofline/calibrate.h"
#include "tests/reference/zoo.h"
#include "tests/support/accuracy.h"
#include "tests/unit/profile_fixture.h"

static const struct board {
    const char *name;
    uint32_t cores;
    double most_median; /* of the errors */
    const char *what;
} boards[] = {
    {"kv260", 1, 0.12, "KV260, networks, 1 core busy"},
    {"zcu104", 2, 0.12, "ZCU104, networks, both cores busy"},
    {"zcu102", ZOO_MOST_CORES, 0.12, "ZCU102, networks, all 3 cores busy"},
};

typedef struct network {
    const zoo_row *row;
    roof_prediction *prediction;
    double seconds;
    char family[100];
} network;

/* To all networks but those of a family; NULL: to all. */
static roof_calibration *calibrate_without(const char *family, const network *networks, uint32_t n)
{
    textbuf text;
    const roof_prediction *predictions[ZOO_MOST_ROWS];
    uint32_t used = 0;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    for (uint32_t i = 0; i < n; i++) {
        if (family && strcmp(networks[i].family, family) == 0)
            continue;
        text_printf(&text,
                    "%s{\"model\":{\"name\":\"%s\"},\"hardware\":{\"id\":\"%s\"},\"runs\":[{\"mode\":"
                    "\"bypass\",\"total\":{\"mean_s\":%.9f}}]}",
                    used ? "," : "", networks[i].row->file, networks[i].row->board, networks[i].seconds);
        predictions[used++] = networks[i].prediction;
    }
    text_puts(&text, "]}");
    roof_calibration *c = pf_calibrate(text.bytes, predictions);
    text_free(&text);
    return c;
}

static void find_families(network *networks, uint32_t n)
{
    roof_calibration *all = calibrate_without(NULL, networks, n);
    assert_int_equal(all->n_left_out, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (strcmp(all->left_out[k].model, networks[i].row->file) == 0)
                snprintf(networks[i].family, sizeof networks[i].family, "%s", all->left_out[k].family);
    roof_calibration_free(all);
}

static void predict_family(const char *family, const network *networks, uint32_t n, accuracy *a)
{
    roof_calibration *c = calibrate_without(family, networks, n);
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(networks[i].family, family) != 0)
            continue;
        const roof_expected x = roof_calibration_expect(c, networks[i].prediction, NULL);
        print_message("%-34s of %-30s %8.3f ms, expected %8.3f (%+.1f %%), 95 %% %.3f to %.3f\n",
                      networks[i].row->file, family, 1e3 * networks[i].seconds, 1e3 * x.total_s,
                      100 * (x.total_s / networks[i].seconds - 1), 1e3 * x.ci95_s[0], 1e3 * x.ci95_s[1]);
        accuracy_add(a, family, x.total_s, networks[i].seconds, x.ci95_s);
    }
    roof_calibration_free(c);
}

static void families_follow_from_the_others(void **state)
{
    static zoo_row rows[ZOO_MOST_ROWS];
    static network networks[ZOO_MOST_ROWS];
    const uint32_t n_rows = zoo_read(rows);
    (void)state;
    for (size_t b = 0; b < COUNT(boards); b++) {
        accuracy a = {
            .what = boards[b].what, .constants = "a calibration to the others", .left_out = "families"};
        roof_hw *hw = fx_hw(boards[b].name);
        uint32_t n = 0;
        for (uint32_t i = 0; i < n_rows; i++)
            if (strcmp(rows[i].board, boards[b].name) == 0)
                networks[n++] = (network){.row = &rows[i],
                                          .prediction = zoo_predict(&rows[i], hw),
                                          .seconds = boards[b].cores / rows[i].fps};
        find_families(networks, n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t first = 0;
            while (strcmp(networks[first].family, networks[i].family) != 0)
                first++;
            if (first == i)
                predict_family(networks[i].family, networks, n, &a);
        }
        accuracy_tell(&a);
        assert_int_equal(a.n, n);
        assert_true(accuracy_quantile(&a, 0.5) <= boards[b].most_median);
        assert_true(a.inside >= 0.9 * a.n);
        for (uint32_t i = 0; i < n; i++)
            roof_prediction_free(networks[i].prediction);
        roof_hw_free(hw);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(families_follow_from_the_others)};
    shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
