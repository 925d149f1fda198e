/* The compiler's law held against real plans, where ../shared has them: every epoch of every c_info.json and network.csv. */
#include "tests/unit/fixture.h"

#include <dirent.h>
#include <stdio.h>

static const char *data_folder(void)
{
    static char path[1000];
    const char *shared = getenv("ROOFLINE_SHARED");
    DIR *dir;
    snprintf(path, sizeof path, "%s/data/neural_art", shared ? shared : "");
    dir = shared ? opendir(path) : NULL;
    if (!dir) {
        print_message("SKIPPED: needs the optional folder ../shared\n");
        skip();
        return NULL;
    }
    closedir(dir);
    return path;
}

typedef struct tally {
    unsigned files, refused, epochs, exact;
    uint64_t vendor_cycles;
} tally;

static void count_epochs(const roof_prediction *p, const char *path, tally *t)
{
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        t->epochs++;
        t->exact += l->vendor_cycles == l->stored_vendor_cycles;
        if (l->vendor_cycles != l->stored_vendor_cycles)
            print_message("%s: %s: %llu computed, %llu in the file\n", path, l->name,
                          (unsigned long long)l->vendor_cycles, (unsigned long long)l->stored_vendor_cycles);
        if (l->deployed.ideal_cycles != ROOF_UNKNOWN)
            assert_true(l->deployed.ideal_cycles <=
                        l->vendor_cycles); /* no memory is slower than its descriptor says */
    }
    assert_int_equal(p->total.vendor_cycles, p->total.stored_vendor_cycles);
    t->vendor_cycles += p->total.vendor_cycles;
}

static void predict_file(const char *path, tally *t)
{
    roof_graph *g = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    t->files++;
    roof_status status = roof_graph_read(path, &g, &err);
    if (status != ROOF_OK) {
        assert_int_equal(roof_status_exit_code(status), 65);
        t->refused++;
        return;
    }
    roof_hw *hw = fx_hw("stm32n6");
    assert_int_equal(roof_predict(g, hw, NULL, &p, &err), ROOF_OK);
    count_epochs(p, path, t);
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(g);
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static void predict_folder(const char *name, const char *end, tally *t)
{
    char path[2000];
    snprintf(path, sizeof path, "%s/%s", data_folder(), name);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!ends_with(entry->d_name, end))
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", data_folder(), name, entry->d_name);
        predict_file(path, t);
    }
    closedir(dir);
}

static void every_epoch_of_every_c_info_has_the_compilers_cycles(void **state)
{
    tally t = {0};
    (void)state;
    if (!data_folder())
        return;
    predict_folder("c_info", "c_info.json", &t);
    print_message("%u files, %u refused, %u of %u epochs exact\n", t.files, t.refused, t.exact, t.epochs);
    assert_int_equal(t.exact, t.epochs);
    assert_true(t.epochs > 900);
    assert_int_equal(t.refused, 1); /* compiled for a CPU */
}

static void what_validate_left_is_no_plan(void **state)
{
    tally t = {0};
    (void)state;
    if (!data_folder())
        return;
    predict_folder("measured", "c_info.json", &t);
    assert_true(t.files >= 7);
    assert_int_equal(t.refused, t.files);
}

/* Its pools' rates come from the hardware's entry. */
static void every_epoch_of_the_network_csv_has_the_compilers_cycles(void **state)
{
    tally t = {0};
    (void)state;
    if (!data_folder())
        return;
    predict_folder("citrinet", "verify__network.csv", &t);
    print_message("%u of %u epochs exact\n", t.exact, t.epochs);
    assert_int_equal(t.exact, t.epochs);
    assert_int_equal(t.epochs, 618);
    assert_int_equal(t.vendor_cycles, 91893226); /* the file's own total is a float's: 91893224 */
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
