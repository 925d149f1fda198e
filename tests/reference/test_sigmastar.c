/* The listings that SigmaStar's pages show of onnx_yolov8s, where ../shared has them. Their sums were
 * computed by other means. */
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

#include <dirent.h>
#include <sys/stat.h>

static roof_measured *import_listing(const char *name)
{
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    snprintf(path, sizeof path, "%s/data/profiles/sigmastar/%s", shared_folder(), name);
    if (roof_import_file(path, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static double sum_of_type(const roof_run *run, const char *type)
{
    double sum = 0;
    for (uint32_t i = 0; i < run->n_layers; i++)
        sum += !type || strcmp(run->layers[i].type, type) == 0 ? run->layers[i].counters->share_ratio : 0;
    return sum;
}

/* Half a digit of each operator and one of the type. */
static void operators_of_a_type_add_up_to_its_share(void **state)
{
    roof_measured *each = import_listing("get_op_time_cost_each_yolov8s.txt"),
                  *total = import_listing("get_op_time_cost_total_yolov8s.txt");
    const roof_run *operators = im_run(each, 0), *types = im_run(total, 0);
    (void)state;
    assert_int_equal(operators->n_layers, 89);
    assert_int_equal(types->n_layers, 12);
    assert_close(sum_of_type(operators, NULL), 0.99998, 1e-9);
    assert_close(sum_of_type(types, NULL), 0.99998, 1e-9);
    assert_close(sum_of_type(operators, "CONV_2D"), 0.80742, 1e-9);
    for (uint32_t i = 0; i < types->n_layers; i++)
        assert_close(sum_of_type(operators, types->layers[i].name), types->layers[i].counters->share_ratio,
                     1.1e-5);
    assert_string_equal(operators->layers[0].name, "0 CONV_2D + 1 CONV_2D + 2 CONV_2D");
    im_want_note(each, "7 of 96 operators have 0.000 %");
    roof_measured_free(each);
    roof_measured_free(total);
}

static void refuse_as(const char *path, const char *from)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    roof_status status = roof_import_file(path, &(roof_import_options){.from = from}, &m, &err);
    if (status != ROOF_E_DATA && status != ROOF_E_LIMIT) /* a line of more than a megabyte */
        fail_msg("%s as %s: %s", path, from, m ? "was taken" : fx_message(&err));
    assert_null(m);
}

/* csv takes any table. */
static void no_other_importer_takes_them(void **state)
{
    static const char *const names[] = {"each", "total"};
    char path[1024];
    (void)state;
    for (size_t k = 0; k < COUNT(names); k++)
        for (size_t i = 0; roof_importer_name(i); i++) {
            const char *id = roof_importer_name(i);
            snprintf(path, sizeof path, "%s/data/profiles/sigmastar/get_op_time_cost_%s_yolov8s.txt",
                     shared_folder(), names[k]);
            if (strcmp(id, "csv") != 0 && strcmp(id, "sigmastar_op_cost") != 0)
                refuse_as(path, id);
        }
}

static unsigned refuse_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    unsigned n = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[4096];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "sigmastar") == 0 || stat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode)) {
            n += refuse_folder(path);
            continue;
        }
        refuse_as(path, "sigmastar_op_cost");
        refuse_as(path, "sigmastar_console");
        n++;
    }
    closedir(dir);
    return n;
}

static void nothing_else_is_taken_for_theirs(void **state)
{
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/data/profiles", shared_folder());
    assert_true(refuse_folder(path) >= 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_of_a_type_add_up_to_its_share),
        cmocka_unit_test(no_other_importer_takes_them),
        cmocka_unit_test(nothing_else_is_taken_for_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
