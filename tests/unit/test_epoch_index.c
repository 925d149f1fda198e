/* Names that count epochs, and the layers that rows with such names get. */
#include "measure/epochs/epochs_make.h"
#include "measure/reconcile/steps.h"
#include "tests/unit/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static roof_error failure;

#define NO_RANGE                                                                                             \
    {                                                                                                        \
        0, 0, false                                                                                          \
    }

static void names_count_epochs(void **state)
{
    static const struct {
        const char *name;
        bool is_range;
        numbered_rows want;
    } cases[] = {{"epoch_5", true, {5, 5, false}},
                 {"EpochBlock_5", true, {5, 5, false}},
                 {"EpochBlock_1 -> 22", true, {1, 22, false}},
                 {"EpochBlock_53 (3)", true, {53, 53, true}},
                 {"epoch_999999999", true, {999999999, 999999999, false}},
                 {"epoch_1000000000", false, NO_RANGE},
                 {"EpochBlock_22 -> 1", false, NO_RANGE},
                 {"EpochBlock_1 -> ", false, NO_RANGE},
                 {"EpochBlock_1 -> 2x", false, NO_RANGE},
                 {"EpochBlock_1 (2", false, NO_RANGE},
                 {"EpochBlock_1 (2) ", false, NO_RANGE},
                 {"EpochBlock_", false, NO_RANGE},
                 {"epoch_-1", false, NO_RANGE},
                 {"epoch_1a", false, NO_RANGE},
                 {"conv_1", false, NO_RANGE},
                 {"", false, NO_RANGE}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        numbered_rows got;
        bool is_range = graph_rows_named(cases[i].name, &got);
        const numbered_rows *want = &cases[i].want;
        if (is_range != cases[i].is_range ||
            (is_range &&
             (got.first != want->first || got.last != want->last || got.is_part != want->is_part)))
            fail_msg("'%s': %d, %u to %u", cases[i].name, is_range, got.first, got.last);
    }
}

/* ---- claims ---- */

enum { LAYERS = 6 };

/* Epochs 2 to 7, in an order that is not that of their numbers. */
static roof_layer_prediction layers[LAYERS] = {{.name = "epoch_2"}, {.name = "epoch_3"}, {.name = "epoch_5"},
                                               {.name = "epoch_4"}, {.name = "epoch_6"}, {.name = "epoch_7"}};

static roof_prediction plan(void)
{
    for (uint32_t i = 0; i < LAYERS; i++) {
        layers[i].device = "NPU";
        layers[i].subgraph = "net";
        layers[i].type = "conv";
        layers[i].workload_ops = ROOF_UNKNOWN;
    }
    return (roof_prediction){.layers = layers, .n_layers = LAYERS, .is_started_by_rows = true};
}

static void an_epoch_is_handed_out_once(void **state)
{
    roof_prediction p = plan();
    roof_arena *arena = arena_new(0);
    epoch_index *index = epoch_index_new(&p, arena);
    const numbered_rows middle = {3, 5, false}, all = {0, 900000000, false}, five = {5, 5, false};
    const uint32_t in_middle[] = {1, 3, 2}, in_rest[] = {0, 4, 5};
    uint32_t layer;
    (void)state;
    assert_non_null(index);
    for (size_t i = 0; i < COUNT(in_middle); i++) {
        assert_true(epoch_index_claim(index, &middle, &layer));
        assert_int_equal(layer, in_middle[i]);
    }
    assert_false(epoch_index_claim(index, &middle, &layer));
    assert_false(epoch_index_claim(index, &five, &layer));
    assert_int_equal(epoch_index_first(index, &five), 2);
    for (size_t i = 0; i < COUNT(in_rest); i++) {
        assert_true(epoch_index_claim(index, &all, &layer));
        assert_int_equal(layer, in_rest[i]);
    }
    assert_false(epoch_index_claim(index, &all, &layer));
    arena_free(arena);
}

static void models_without_a_plan_have_no_epochs(void **state)
{
    roof_prediction p = plan();
    roof_arena *arena = arena_new(0);
    const numbered_rows all = {0, 900000000, false};
    uint32_t layer;
    (void)state;
    p.is_started_by_rows = false;
    assert_false(epoch_index_claim(epoch_index_new(&p, arena), &all, &layer));
    assert_false(epoch_index_claim(epoch_index_new(NULL, arena), &all, &layer));
    arena_free(arena);
}

/* ---- rows ---- */

/* want: of every row the layer that begins its unit, '-' for none; then of every layer the one that its unit
 * begins with. */
static void programs_and_parts_find_their_epochs(void **state)
{
    static const struct {
        const char *what, *rows[6], *of_rows, *joined;
    } cases[] = {
        {"a program", {"epoch_2", "EpochBlock_3 -> 5", "epoch_6", "epoch_7"}, "0 1 4 5", "0 1 1 1 4 5"},
        {"a part of an epoch", {"epoch_2", "EpochBlock_2 (7)", "epoch_3"}, "0 0 1", "0 1 2 3 4 5"},
        {"a part that comes first", {"EpochBlock_3 (1)", "EpochBlock_2 -> 4"}, "0 0", "0 0 2 0 4 5"},
        {"a part of no epoch", {"EpochBlock_9 (7)", "epoch_2"}, "- 0", "0 1 2 3 4 5"},
        {"an epoch with a row of its own", {"EpochBlock_2 -> 4", "epoch_3"}, "0 1", "0 1 2 0 4 5"},
        {"programs that overlap", {"EpochBlock_2 -> 4", "EpochBlock_3 -> 6"}, "0 2", "0 0 2 0 2 5"},
        {"the profiler's names", {"EpochBlock_2", "EpochBlock_7"}, "0 5", "0 1 2 3 4 5"},
    };
    roof_prediction p = plan();
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_measured_layer rows[6] = {0};
        roof_run run = {.mode = ROOF_RUN_PER_LAYER, .layers = rows, .boundaries = ROOF_NONE};
        roof_arena *arena = arena_new(0);
        row_matching m;
        char got[200] = "", joined[200] = "", text[20];
        for (; run.n_layers < 6 && cases[i].rows[run.n_layers]; run.n_layers++)
            rows[run.n_layers] = (roof_measured_layer){
                .name = cases[i].rows[run.n_layers], .index = ROOF_NONE, .time.mean_s = 1};
        reconciler with = {.arena = arena, .err = &failure};
        assert_int_equal(match_rows(&with, &run, &p, &m), ROOF_OK);
        for (uint32_t r = 0; r < run.n_layers; r++) {
            snprintf(text, sizeof text, "%s%u", r ? " " : "", m.layer_of_row[r]);
            if (m.layer_of_row[r] == ROOF_NONE)
                snprintf(text, sizeof text, "%s-", r ? " " : "");
            strcat(got, text);
        }
        for (uint32_t l = 0; l < LAYERS; l++) {
            snprintf(text, sizeof text, "%s%u", l ? " " : "", m.first_joined[l]);
            strcat(joined, text);
        }
        if (strcmp(got, cases[i].of_rows) != 0 || strcmp(joined, cases[i].joined) != 0)
            fail_msg("%s: rows %s, joined %s; want %s, %s", cases[i].what, got, joined, cases[i].of_rows,
                     cases[i].joined);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_count_epochs),
        cmocka_unit_test(an_epoch_is_handed_out_once),
        cmocka_unit_test(models_without_a_plan_have_no_epochs),
        cmocka_unit_test(programs_and_parts_find_their_epochs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
