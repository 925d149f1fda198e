/* Real files of profilers, where ../shared has them: what was counted and computed from them by other means,
 * and that no file is taken for another tool's. */
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

#include <dirent.h>
#include <sys/stat.h>

static const char *profiles(char *buffer, size_t size, const char *name)
{
    snprintf(buffer, size, "%s/data/profiles/%s", shared_folder(), name);
    return buffer;
}

static roof_measured *import_real(const char *name)
{
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    if (roof_import_file(profiles(path, sizeof path, name), NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static void the_600_runs_of_a_board_have_their_published_statistics(void **state)
{
    roof_measured *m = import_real("vaitrace/vart_trace.csv");
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 1);
    assert_int_equal(l->time.count, 600);
    assert_close(l->time.mean_s, 0.011044, 0.5e-6);
    assert_close(l->time.median_s, 0.011041, 0.5e-6);
    assert_close(l->time.min_s, 0.011001, 1e-9);
    assert_close(l->time.max_s, 0.011346, 1e-9);
    assert_close(l->time.std_s, 0.000027, 0.5e-6);
    assert_int_equal(l->counters->workload_ops, 8200000000);
    assert_int_equal(im_run(m, 0)->total.count, 600);
    roof_measured_free(m);
}

static void percent_is_not_taken_for_operations(void **state)
{
    roof_measured *m = import_real("vaitrace/profile_summary.csv");
    const roof_measured_layer *l = im_run(m, 0)->layers;
    (void)state;
    assert_true(isnan(l->counters->ops_per_s));
    assert_int_equal(l->counters->total_bytes, 36987000);
    assert_int_equal(l->time.count, 600);
    assert_close(l->time.mean_s, 0.011044, 1e-12);
    im_want_note(m, "holds percent");
    im_want_note(m, "10.905 ms by the hardware counter");
    im_want_note(m, "CPU function xir::XrtCu::run: 600 calls of 11.02 ms");
    roof_measured_free(m);
}

static void a_summary_of_2_5_has_operations_and_binary_megabytes(void **state)
{
    roof_measured *m = import_real("vart/vaitrace_vtf/profile_summary.csv");
    const roof_layer_counters *c = im_run(m, 0)->layers[0].counters;
    (void)state;
    assert_close(c->ops_per_s, 69.194e9, 1);
    assert_int_equal(c->total_bytes, 108003); /* 0.103 MiB */
    assert_int_equal(im_run(m, 0)->layers[1].counters->workload_ops, ROOF_UNKNOWN);
    roof_measured_free(m);
}

static void raw_traces_have_a_row_for_every_layer_or_subgraph(void **state)
{
    static const uint64_t workloads[] = {1533312, 25706496, 1640448, 5130};
    roof_measured *fine = import_real("vart/raw_trace_fg/vaitrace_6958");
    roof_measured *normal = import_real("vart/raw_trace_normal/vaitrace_7751");
    (void)state;
    const roof_run *layers = im_run(fine, 0), *whole = im_run(normal, 0);
    assert_int_equal(layers->mode, ROOF_RUN_PER_LAYER);
    assert_int_equal(layers->n_layers, COUNT(workloads));
    for (uint32_t i = 0; i < COUNT(workloads); i++) {
        assert_int_equal(layers->layers[i].counters->workload_ops, workloads[i]);
        assert_int_equal(layers->layers[i].time.count, 12);
    }
    assert_string_equal(layers->layers[3].name, "subgraph_quant_dense(TransferMatMulToConv2d)");
    assert_close(layers->layers[0].time.samples_s[0], 0.000307478 - 0.000007461, 1e-12);
    assert_int_equal(layers->boundaries, 4);
    assert_int_equal(whole->mode, ROOF_RUN_BYPASS);
    assert_int_equal(whole->n_layers, 2);
    assert_int_equal(whole->layers[0].counters->workload_ops, 28880256);
    assert_int_equal(whole->layers[0].time.count, 15);
    roof_measured_free(fine);
    roof_measured_free(normal);
}

static void tables_have_the_megabytes_of_their_version(void **state)
{
    roof_measured *m = import_real("vart/vaitrace_txt/txt_fg.txt");
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 4);
    assert_int_equal(im_run(m, 0)->layers[1].counters->read_bytes, 66060); /* 0.063 MiB */
    assert_int_equal(im_run(m, 0)->layers[2].counters->write_bytes, ROOF_UNKNOWN);
    assert_close(im_run(m, 0)->layers[1].time.mean_s, 0.000265, 1e-12);
    roof_measured_free(m);
    m = import_real("vaitrace/txt_summary_transcribed.txt");
    assert_int_equal(im_run(m, 0)->layers[0].counters->read_bytes, 30693000);
    assert_int_equal(im_run(m, 0)->layers[0].counters->write_bytes, 4020000);
    assert_close(im_run(m, 0)->layers[0].time.mean_s, 0.009867, 1e-12);
    im_want_note(m, "9.798 ms by the hardware counter");
    roof_measured_free(m);
}

/* --- every file --------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *tool; /* the tool that is found, or NULL for a file that is refused */
    const char *words;       /* of the refusal */
} ours[] = {
    {"vaitrace/profile_summary.csv", "profile_summary", NULL},
    {"vaitrace/summary.csv", NULL, "summary.csv counts calls"},
    {"vaitrace/txt_summary_transcribed.txt", "vaitrace_text", NULL},
    {"vaitrace/vart_trace.csv", "vart_trace", NULL},
    {"vaitrace/vitis_ai_profile.csv", "vitis_ai_profile", NULL},
    {"vaitrace/xrt.run_summary", NULL, "only lists other files"},
    {"vart/fake_overhead.tsv", NULL, "a table of another tool has to be mapped"},
    {"vart/raw_trace_fg/vaitrace_6958", "vart_raw", NULL},
    {"vart/raw_trace_fg/vaitrace_subgraph_info_6958_0", NULL, "import the raw trace beside it"},
    {"vart/raw_trace_fg/vaitrace_subgraph_info_6958_1", NULL, "import the raw trace beside it"},
    {"vart/raw_trace_normal/vaitrace_7751", "vart_raw", NULL},
    {"vart/raw_trace_normal/vaitrace_subgraph_info_7751_0", NULL, "import the raw trace beside it"},
    {"vart/raw_trace_normal/vaitrace_subgraph_info_7751_1", NULL, "import the raw trace beside it"},
    {"vart/vaitrace_txt/run_fg.log", NULL, "the report is in 'txt_fg.txt'"},
    {"vart/vaitrace_txt/txt_fg.txt", "vaitrace_text", NULL},
    {"vart/vaitrace_txt/txt_normal.txt", "vaitrace_text", NULL},
    {"vart/vaitrace_vtf/profile_summary.csv", "profile_summary", NULL},
    {"vart/vaitrace_vtf/vart_trace.csv", "vart_trace", NULL},
    {"vart/vaitrace_vtf/vitis_ai_profile.csv", NULL, "import vart_trace.csv"},
    {"vart/vaitrace_vtf_fg/profile_summary.csv", "profile_summary", NULL},
    {"vart/vaitrace_vtf_fg/run.log", NULL, "import vart_trace.csv"},
    {"vart/vaitrace_vtf_fg/vart_trace.csv", "vart_trace", NULL},
    {"vart/vaitrace_vtf_fg/vitis_ai_profile.csv", NULL, "import vart_trace.csv"},
    {"vart/xrt_noop_profile/native_trace.csv", NULL, "without runs on a DPU"},
    {"vart/xrt_noop_profile/summary.csv", NULL, "summary.csv counts calls"},
    {"vart/xrt_noop_profile/xrt.ini", NULL, "the settings of XRT"},
    {"vart/xrt_noop_profile/xrt.run_summary", NULL, "only lists other files"},
};

/* What became of a file: the tool, or the sentence of the refusal. */
static void want_outcome(size_t i, roof_status status, const roof_measured *m, const roof_error *err)
{
    const char *got = status == ROOF_OK ? m->sources[0].tool : fx_message(err);
    const char *wanted = ours[i].tool ? ours[i].tool : ours[i].words;
    bool good = (status == ROOF_OK) == (ours[i].tool != NULL) && strstr(got, wanted);
    if (!good)
        fail_msg("%s: %s", ours[i].name, got);
}

static void every_file_of_a_dpu_is_recognised_or_refused_with_advice(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ours); i++) {
        char path[1024];
        roof_measured *m = NULL;
        roof_error err = {0};
        roof_status status = roof_import_file(profiles(path, sizeof path, ours[i].name), NULL, &m, &err);
        want_outcome(i, status, m, &err);
        roof_measured_free(m);
    }
}

/* Importers of one format, each of which may read what the other one's tool wrote. */
static bool are_one_family(const char *a, const char *b)
{
    static const char *const families[][2] = {{"stedgeai_validate", "npu_profiler"}};
    for (size_t i = 0; i < COUNT(families); i++)
        if ((strcmp(families[i][0], a) == 0 && strcmp(families[i][1], b) == 0) ||
            (strcmp(families[i][1], a) == 0 && strcmp(families[i][0], b) == 0))
            return true;
    return false;
}

/* By all importers but its own; without ROOFLINE_THOROUGH by some. */
static unsigned force_upon_others(const char *path, const char *own, unsigned turn)
{
    unsigned n = 0;
    for (size_t i = 0; roof_importer_name(i); i++) {
        const char *id = roof_importer_name(i);
        roof_import_options options = {.from = id};
        roof_measured *m = NULL;
        roof_error err = {0};
        if (strcmp(id, own) == 0 || are_one_family(id, own) ||
            (!getenv("ROOFLINE_THOROUGH") && (i + turn) % 5 != 0))
            continue;
        roof_status status = roof_import_file(path, &options, &m, &err);
        if (status == ROOF_OK || !*err.what ||
            (status != ROOF_E_DATA && status != ROOF_E_LIMIT && strcmp(id, "csv") != 0))
            fail_msg("%s, of %s, was taken by %s: %s", path, own, id,
                     status == ROOF_OK ? "" : fx_message(&err));
        n++;
    }
    return n;
}

static unsigned force_folder(const char *folder, unsigned *turn)
{
    DIR *dir = opendir(folder);
    unsigned n = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[4096];
        struct stat st;
        roof_measured *m = NULL;
        roof_error err = {0};
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode)) {
            n += force_folder(path, turn);
            continue;
        }
        bool good = roof_import_file(path, NULL, &m, &err) == ROOF_OK;
        n += force_upon_others(path, good ? m->sources[0].tool : "", ++*turn);
        roof_measured_free(m);
    }
    closedir(dir);
    return n;
}

static void every_sample_is_refused_by_all_importers_but_its_own(void **state)
{
    char path[1024];
    unsigned turn = 0;
    (void)state;
    assert_true(force_folder(profiles(path, sizeof path, "."), &turn) >= 200);
    assert_true(force_folder(profiles(path, sizeof path, "../profiles_synthetic"), &turn) >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_600_runs_of_a_board_have_their_published_statistics),
        cmocka_unit_test(percent_is_not_taken_for_operations),
        cmocka_unit_test(a_summary_of_2_5_has_operations_and_binary_megabytes),
        cmocka_unit_test(raw_traces_have_a_row_for_every_layer_or_subgraph),
        cmocka_unit_test(tables_have_the_megabytes_of_their_version),
        cmocka_unit_test(every_file_of_a_dpu_is_recognised_or_refused_with_advice),
        cmocka_unit_test(every_sample_is_refused_by_all_importers_but_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
