/* What cores take of a device, and which is cheapest: the rules of include/roofline/configurations.h, on
 * devices and sizes as AMD's tables have them. */
#include "model/explore/resources.h"
#include "tests/unit/fixture.h"

static const double zcu102[ROOF_RESOURCES] = {274080, 548160, 912, 0, 2520},
                    zcu104[ROOF_RESOURCES] = {230400, 460800, 312, 96, 1728},
                    k26[ROOF_RESOURCES] = {117120, 234240, 144, 64, 1248},
                    zu3eg[ROOF_RESOURCES] = {70560, 141120, 216, 0, 360};

static const core_needs b1600 = {{30877, 56267, 282}, {33130, 60739, 202}, 28, 9, 2},
                        b2304 = {{34379, 67481, 386}, {37055, 72850, 290}, 30, 11, 2},
                        b4096 = {{40865, 92630, 642}, {44583, 99791, 514}, 34, 15, 2};

static void assert_near(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%s: got %.12g, want %.12g", what, got, want);
}

/* Images that boards are known to run are held, the reckoning of each done by hand. */
static void what_boards_are_built_with_is_held(void **state)
{
    static const struct {
        const char *label;
        const double *device;
        const core_needs *core;
        uint32_t cores, uram_banks;
        bool is_low_dsp, is_held;
        double bram36, uram, dsp, cost_ratio;
        roof_resource binding;
    } rows[] = {
        {"ZCU102", zcu102, &b4096, 3, 0, false, true, 765, 0, 1926, 765 / 912.0, ROOF_RESOURCE_BRAM36},
        /* without UltraRAM it would need 510 of 312 block RAMs */
        {"ZCU104", zcu104, &b4096, 2, 18, false, true, 240, 72, 1284, 240 / 312.0, ROOF_RESOURCE_BRAM36},
        {"KV260", k26, &b4096, 1, 21, false, true, 97.5, 42, 642, 97.5 / 144, ROOF_RESOURCE_BRAM36},
        {"Ultra96", zu3eg, &b1600, 1, 0, true, true, 126, 0, 202, 126 / 216.0, ROOF_RESOURCE_BRAM36},
        {"Ultra96, B2304", zu3eg, &b2304, 1, 0, true, true, 165, 0, 290, 290 / 360.0, ROOF_RESOURCE_DSP},
        {"ZCU102, 4", zcu102, &b4096, 4, 0, false, false, 1020, 0, 2568, 1020 / 912.0, ROOF_RESOURCE_BRAM36},
        {"ZCU104, 3", zcu104, &b4096, 3, 18, false, false, 360, 108, 1926, 360 / 312.0, ROOF_RESOURCE_BRAM36},
        {"KV260, 2", k26, &b4096, 2, 21, false, false, 195, 84, 1284, 195 / 144.0, ROOF_RESOURCE_BRAM36},
        {"Ultra96, B4096", zu3eg, &b4096, 1, 0, true, false, 255, 0, 514, 514 / 360.0, ROOF_RESOURCE_DSP}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_configuration c = {.cores = rows[i].cores};
        resources_take(rows[i].device, rows[i].core, &c);
        assert_near(rows[i].label, c.needs[ROOF_RESOURCE_BRAM36], rows[i].bram36);
        assert_near(rows[i].label, c.needs[ROOF_RESOURCE_URAM], rows[i].uram);
        assert_near(rows[i].label, c.needs[ROOF_RESOURCE_DSP], rows[i].dsp);
        assert_near(rows[i].label, c.cost_ratio, rows[i].cost_ratio);
        if (c.uram_banks != rows[i].uram_banks || c.binding != rows[i].binding ||
            c.is_held != rows[i].is_held || c.is_low_dsp != rows[i].is_low_dsp)
            fail_msg("%s: %u banks in UltraRAM, %s binds, held %d, low DSP %d", rows[i].label, c.uram_banks,
                     roof_resource_word(c.binding), c.is_held, c.is_low_dsp);
    }
}

/* Neither one bank more of UltraRAM nor one less would lower the larger share. */
static void no_other_split_of_the_memory_costs_less(void **state)
{
    static const double *const devices[] = {zcu102, zcu104, k26};
    static const core_needs *const sizes[] = {&b1600, &b2304, &b4096};
    (void)state;
    for (size_t d = 0; d < COUNT(devices); d++)
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (uint32_t cores = 1; cores <= 4; cores++) {
                roof_configuration c = {.cores = cores};
                const core_needs *k = sizes[s];
                resources_take(devices[d], k, &c);
                const double got =
                    fmax(c.share_ratio[ROOF_RESOURCE_BRAM36], c.share_ratio[ROOF_RESOURCE_URAM]);
                for (uint32_t u = 0; u <= k->banks && devices[d][ROOF_RESOURCE_URAM] > 0; u++) {
                    const double bram36 = cores * (k->banks - u) * k->bank_bram18 / 2,
                                 uram = cores * u * k->bank_uram;
                    assert_true(got <= fmax(bram36 / devices[d][ROOF_RESOURCE_BRAM36],
                                            uram / devices[d][ROOF_RESOURCE_URAM]) *
                                           (1 + 1e-12));
                }
                assert_near("banks",
                            c.needs[ROOF_RESOURCE_BRAM36] / k->bank_bram18 * 2 +
                                c.needs[ROOF_RESOURCE_URAM] / k->bank_uram,
                            (double)cores * k->banks);
            }
}

/* --- the order ------------------------------------------------------------------------------------------ */

enum { MOST = 6 };

static void the_cheapest_that_is_enough_is_chosen(void **state)
{
    static const struct {
        const char *label;
        struct {
            double cost, dsp, fps, low; /* the upper end is 1.1 times what is expected */
        } is[MOST];
        uint32_t n;
        double requested;
        uint32_t cheapest, possible, most;
        const char *front; /* 1 of each in order of cost */
    } rows[] = {
        {"one by one", {{.2, 9, 20, 18}, {.1, 5, 10, 9}, {.4, 20, 30, 25}}, 3, 15, 1, ROOF_NONE, 2, "111"},
        {"what costs more and makes less is behind",
         {{.1, 5, 10, 9}, {.2, 9, 8, 7}, {.3, 9, 12, 9}},
         3,
         9,
         0,
         ROOF_NONE,
         2,
         "101"},
        {"the lower end asks for more", {{.1, 5, 10, 7}, {.2, 9, 12, 9}}, 2, 8, 1, 0, 1, "11"},
        {"fewer DSP slices among equals", {{.2, 9, 10, 9}, {.2, 5, 10, 9}}, 2, 5, 0, ROOF_NONE, 0, "10"},
        {"too much is asked", {{.1, 5, 10, 9}, {.2, 9, 12, 9}}, 2, 14, ROOF_NONE, ROOF_NONE, 1, "11"},
        {"the upper end may be enough", {{.1, 5, 10, 9}, {.2, 9, 12, 9}}, 2, 13, ROOF_NONE, 1, 1, "11"},
        {"nothing is asked", {{.1, 5, 10, 9}}, 1, NAN, ROOF_NONE, ROOF_NONE, 0, "1"},
        {"what is too large is last", {{1.1, 5, 99, 99}, {1, 9, 12, 9}}, 2, 5, 0, ROOF_NONE, 0, "10"},
        {"no frames are known",
         {{.1, 5, NAN, NAN}, {.2, 9, NAN, NAN}},
         2,
         5,
         ROOF_NONE,
         ROOF_NONE,
         ROOF_NONE,
         "00"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_configuration all[MOST] = {{0}};
        roof_configurations of = {
            .all = all, .n = rows[i].n, .asked_fps = rows[i].requested, .built_cost_ratio = NAN};
        for (uint32_t k = 0; k < of.n; k++) {
            all[k].cost_ratio = rows[i].is[k].cost;
            all[k].needs[ROOF_RESOURCE_DSP] = rows[i].is[k].dsp;
            all[k].fps = rows[i].is[k].fps;
            all[k].fps_low = rows[i].is[k].low;
            all[k].fps_high = 1.1 * all[k].fps;
            all[k].is_held = all[k].cost_ratio <= 1;
        }
        resources_compare(&of);
        if (of.cheapest != rows[i].cheapest || of.possible != rows[i].possible || of.most != rows[i].most)
            fail_msg("%s: cheapest %d, possible %d, most %d", rows[i].label, (int)of.cheapest,
                     (int)of.possible, (int)of.most);
        for (uint32_t k = 0; k < of.n; k++)
            if (all[k].is_on_front != (rows[i].front[k] == '1'))
                fail_msg("%s: the %u-th is%s on the front", rows[i].label, k,
                         all[k].is_on_front ? "" : " not");
    }
}

static void more_than_the_board_is_built_with_is_marked(void **state)
{
    roof_configuration all[] = {{.cost_ratio = .5, .is_held = true, .fps = 1},
                                {.cost_ratio = .7, .is_held = true, .fps = 2},
                                {.cost_ratio = .8, .is_held = true, .fps = 3},
                                {.cost_ratio = 1.2, .fps = NAN}};
    roof_configurations of = {.all = all, .n = COUNT(all), .asked_fps = NAN, .built_cost_ratio = .7};
    (void)state;
    resources_compare(&of);
    assert_int_equal(of.n_held, 3);
    assert_false(all[0].is_fuller || all[1].is_fuller || all[3].is_fuller);
    assert_true(all[2].is_fuller);
}

static void resources_have_words(void **state)
{
    (void)state;
    for (roof_resource r = 0; r < ROOF_RESOURCES; r++)
        assert_true(*roof_resource_word(r) && *roof_resource_words(r));
    assert_string_equal(roof_resource_word(ROOF_RESOURCE_BRAM36), "bram36");
    assert_string_equal(roof_resource_words(ROOF_RESOURCES), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_boards_are_built_with_is_held),
                                       cmocka_unit_test(no_other_split_of_the_memory_costs_less),
                                       cmocka_unit_test(the_cheapest_that_is_enough_is_chosen),
                                       cmocka_unit_test(more_than_the_board_is_built_with_is_marked),
                                       cmocka_unit_test(resources_have_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
