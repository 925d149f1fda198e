/* The compiler's law held against real plans, where ../shared has them: every epoch of every c_info.json and
 * network.csv. */
#include "tests/support/art_files.h"
#include "tests/unit/fixture.h"

typedef struct tally {
    unsigned files, refused, epochs, exact;
    uint64_t vendor_cycles;
} tally;

static tally counted; /* of the test that runs */

static void count_epochs(const roof_prediction *p, const char *path)
{
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        counted.epochs++;
        counted.exact += l->estimate.cycles == l->estimate.stored_cycles;
        if (l->estimate.cycles != l->estimate.stored_cycles)
            print_message("%s: %s: %llu computed, %llu in the file\n", path, l->name,
                          (unsigned long long)l->estimate.cycles,
                          (unsigned long long)l->estimate.stored_cycles);
        if (l->deployed.ideal_cycles != ROOF_UNKNOWN)
            assert_true(l->deployed.ideal_cycles <=
                        l->estimate.cycles); /* no memory is slower than its descriptor says */
    }
    assert_int_equal(p->total.estimate.cycles, p->total.estimate.stored_cycles);
    counted.vendor_cycles += p->total.estimate.cycles;
}

static void predict_file(const char *path)
{
    roof_graph *g = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    roof_status status = roof_graph_read(path, &g, &err);
    if (status != ROOF_OK) {
        assert_int_equal(roof_status_exit_code(status), 65);
        counted.refused++;
        return;
    }
    roof_hw *hw = fx_hw("stm32n6");
    assert_int_equal(roof_predict(g, hw, NULL, &p, &err), ROOF_OK);
    count_epochs(p, path);
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(g);
}

static void predict_files(const char *folder, const char *end)
{
    counted = (tally){0};
    counted.files = art_files_visit(folder, "", end, predict_file);
}

static void every_epoch_of_every_c_info_has_the_compilers_cycles(void **state)
{
    (void)state;
    predict_files("c_info", "c_info.json");
    print_message("%u files, %u refused, %u of %u epochs exact\n", counted.files, counted.refused,
                  counted.exact, counted.epochs);
    assert_int_equal(counted.exact, counted.epochs);
    assert_true(counted.epochs > 900);
    assert_int_equal(counted.refused, 1); /* compiled for a CPU */
}

static void what_validate_left_is_no_plan(void **state)
{
    (void)state;
    predict_files("measured", "c_info.json");
    assert_true(counted.files >= 7);
    assert_int_equal(counted.refused, counted.files);
}

/* Its pools' rates come from the hardware's entry. */
static void every_epoch_of_the_network_csv_has_the_compilers_cycles(void **state)
{
    (void)state;
    predict_files("citrinet", "verify__network.csv");
    print_message("%u of %u epochs exact\n", counted.exact, counted.epochs);
    assert_int_equal(counted.exact, counted.epochs);
    assert_int_equal(counted.epochs, 618);
    assert_int_equal(counted.vendor_cycles, 91893226); /* the file's own total is a float's: 91893224 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_epoch_of_every_c_info_has_the_compilers_cycles),
        cmocka_unit_test(what_validate_left_is_no_plan),
        cmocka_unit_test(every_epoch_of_the_network_csv_has_the_compilers_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
