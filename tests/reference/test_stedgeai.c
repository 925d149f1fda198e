/* Real reports of stedgeai, where ../shared has them: every row of the table of epochs that was extracted
 * from them by other means, and files without times are refused with advice. */
#include "tests/support/art_files.h"
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

enum { MAX_ROWS = 1000, COLUMNS = 13 };

typedef enum column { FILE_NAME, TOOL, MCU, NOC, NPU, NIC, EPOCH, TYPE, DURATION, PRE, CORE, POST } column;

typedef struct row {
    char line[400];
    char *cells[COLUMNS];
} row;

static row rows[MAX_ROWS];
static unsigned n_rows;

static const char *shared(char *buffer, size_t size, const char *name)
{
    snprintf(buffer, size, "%s/data/%s", shared_folder(), name);
    return buffer;
}

static void read_rows(void)
{
    char path[1024];
    FILE *file = fopen(shared(path, sizeof path, "measured/n6_epochs.csv"), "r");
    assert_non_null(file);
    n_rows = 0;
    while (n_rows < MAX_ROWS && fgets(rows[n_rows].line, sizeof rows[n_rows].line, file)) {
        row *r = &rows[n_rows++];
        r->line[strcspn(r->line, "\r\n")] = '\0';
        char *rest = r->line;
        for (int c = 0; c < COLUMNS; c++)
            r->cells[c] = strsep(&rest, ",");
    }
    fclose(file);
    assert_true(n_rows > 100);
}

static double number(const row *r, column c)
{
    assert_non_null(r->cells[c]);
    return strtod(r->cells[c], NULL);
}

/* Names of epochs are the compiler's, those of blobs and parts are as printed. */
static void want_name(const row *r, const char *got)
{
    static const char block[] = "EpochBlock_";
    const char *number_of = r->cells[EPOCH] + strlen(block);
    char wanted[80];
    assert_int_equal(strncmp(r->cells[EPOCH], block, strlen(block)), 0);
    bool plain = number_of[strspn(number_of, "0123456789")] == '\0';
    snprintf(wanted, sizeof wanted, "%s%s", plain ? "epoch_" : block, number_of);
    assert_string_equal(got, wanted);
}

static void want_row(const row *r, const roof_measured_layer *l)
{
    const column phases[] = {PRE, CORE, POST};
    uint64_t sum = 0;
    want_name(r, l->name);
    assert_int_equal(strncmp(l->type, r->cells[TYPE], strlen(l->type)), 0); /* "extra HW.7" is an extra */
    assert_int_equal(l->counters->n_phases, COUNT(phases));
    for (size_t p = 0; p < COUNT(phases); p++) {
        assert_int_equal(l->counters->phases[p].cycles[0].cycles, (uint64_t)number(r, phases[p]));
        sum += l->counters->phases[p].cycles[0].cycles;
    }
    assert_int_equal(l->counters->cycles[0].cycles, sum);
    assert_close(l->time.mean_s, number(r, DURATION) / 1e3, 0.51e-6);
}

static void want_clocks(const row *r, const roof_run *run)
{
    assert_int_equal(run->n_clocks, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_close(run->clocks[i].hz, number(r, (column)(MCU + (int)i)) * 1e6, 1e-3);
}

/* Rows of the table that are of this file. Returns how many. */
static uint32_t want_file(const char *path, const char *name)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    uint32_t n = 0;
    if (roof_import_file(path, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_string_equal(m->sources[0].tool, "stedgeai_validate");
    const roof_run *run = im_run(m, 0);
    for (unsigned i = 1; i < n_rows; i++) {
        if (strcmp(rows[i].cells[FILE_NAME], name) != 0)
            continue;
        assert_true(n < run->n_layers);
        want_clocks(&rows[i], run);
        want_row(&rows[i], &run->layers[n++]);
    }
    assert_int_equal(n, run->n_layers);
    im_want_note(m, run->n_layers == 1 ? "its 1 row comes to its" : "rows sum up to its");
    roof_measured_free(m);
    return n;
}

static void every_epoch_of_every_report_is_imported(void **state)
{
    static const char prefix[] = "magnus_Output_";
    char path[1024];
    uint32_t n_imported = 0, n_files = 0;
    (void)state;
    read_rows();
    for (unsigned i = 1; i < n_rows; i++) {
        char name[300];
        if (strcmp(rows[i].cells[FILE_NAME], rows[i - 1].cells[FILE_NAME]) == 0)
            continue;
        snprintf(name, sizeof name, "neural_art/measured/%s%s", prefix, rows[i].cells[FILE_NAME]);
        FILE *there = fopen(shared(path, sizeof path, name), "r");
        if (!there)
            continue; /* the table has more files than the folder */
        fclose(there);
        n_imported += want_file(path, rows[i].cells[FILE_NAME]);
        n_files++;
    }
    print_message("%u rows of %u files\n", n_imported, n_files);
    assert_true(n_files >= 17 && n_imported >= 100);
}

/* --- JSON and other files ----------------------------------------------------------------------------- */

/* The report of the same run has the same cycles. */
static void want_same_as_report(const char *path)
{
    roof_measured *json = NULL, *text = NULL;
    roof_error err = {0};
    char report[2048];
    snprintf(report, sizeof report, "%.*snetwork_validate_report.txt",
             (int)(strlen(path) - strlen("network_c_info.json")), path);
    if (roof_import_file(path, NULL, &json, &err) != ROOF_OK ||
        roof_import_file(report, NULL, &text, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_string_equal(json->sources[0].tool, "stedgeai_val_json");
    const roof_run *a = im_run(json, 0), *b = im_run(text, 0);
    assert_int_equal(a->n_layers, b->n_layers);
    assert_close(a->sum_of_layers_s, b->sum_of_layers_s, 1e-15);
    for (uint32_t i = 0; i < a->n_layers; i++)
        assert_int_equal(a->layers[i].counters->cycles[0].cycles, b->layers[i].counters->cycles[0].cycles);
    assert_string_equal(json->experiments[0].model_name, text->experiments[0].model_name);
    roof_measured_free(json);
    roof_measured_free(text);
}

static void json_and_report_of_a_run_agree(void **state)
{
    (void)state;
    assert_true(art_files_visit("measured", "", "network_c_info.json", want_same_as_report) >= 7);
}

static void want_compiled_model(const char *path)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    roof_status status = roof_import_file(path, NULL, &m, &err);
    if (strstr(path, "st_doc_example")) {
        assert_int_equal(status, ROOF_OK);
        assert_int_equal(im_run(m, 0)->n_layers, 4);
    } else if (status != ROOF_E_DATA || !strstr(fx_message(&err), "which `roofline predict` reads")) {
        fail_msg("%s: %s", path, fx_message(&err));
    }
    roof_measured_free(m);
}

static void compiled_models_are_profiles_only_with_times(void **state)
{
    (void)state;
    assert_true(art_files_visit("c_info", "", "c_info.json", want_compiled_model) >= 8);
}

static void want_no_times(const char *path)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    if (roof_import_file(path, NULL, &m, &err) != ROOF_E_DATA ||
        !strstr(fx_message(&err), "network_validate_report.txt, which"))
        fail_msg("%s: %s", path, fx_message(&err));
    roof_measured_free(m);
}

static void reports_of_the_compiler_are_refused_with_advice(void **state)
{
    (void)state;
    assert_true(art_files_visit("reports", "", "_report.txt", want_no_times) >= 7);
    assert_true(art_files_visit("measured", "", "generate_report.txt", want_no_times) >= 7);
    assert_true(art_files_visit("citrinet", "", "generate_report.txt", want_no_times) >= 1);
}

static void a_log_of_two_networks_has_both(void **state)
{
    static const roof_import_options from = {.from = "stedgeai_validate"};
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    (void)state;
    shared(path, sizeof path, "neural_art/profiler_logs/seongmin_npu_profiler.log");
    if (roof_import_file(path, &from, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(m->n_experiments, 2);
    assert_string_equal(m->experiments[0].model_name, "kws");
    assert_string_equal(m->experiments[1].model_name, "img");
    assert_close(m->experiments[0].runs[0].total.mean_s, 1.023e-3, 1e-9);
    assert_close(m->experiments[1].runs[0].total.mean_s, 20.222e-3, 1e-9);
    assert_int_equal(m->experiments[1].runs[0].n_layers, 2);
    roof_measured_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_epoch_of_every_report_is_imported),
        cmocka_unit_test(json_and_report_of_a_run_agree),
        cmocka_unit_test(compiled_models_are_profiles_only_with_times),
        cmocka_unit_test(reports_of_the_compiler_are_refused_with_advice),
        cmocka_unit_test(a_log_of_two_networks_has_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
