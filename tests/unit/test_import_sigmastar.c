/* What the tools of SigmaStar's IPUs print: listings of operators, the figures of a run, the description of a model. The
 * networks and their figures are invented. */
#include "tests/unit/imported.h"

#define EACH                                                                                                 \
    "0 CONV_2D 0.000%\n1 CONV_2D 40.000%\n2 MUL 0.000%\n3 CONV_2D 20.000%\n4 SOFTMAX 30.000%\n"              \
    "5 ADD 0.000%\n6 Fix2Float 10.000%\n"
#define TOTAL "CONV_2D 60.000%\nSOFTMAX 30.000%\nFix2Float 10.000%\nMUL 0.000%\nADD 0.000%\n"

/* --- listings ------------------------------------------------------------------------------------------- */

static void operators_without_a_cost_are_in_the_row_they_were_fused_into(void **state)
{
    static const struct {
        const char *name, *type;
        double share_ratio;
        uint32_t index;
    } rows[] = {{"0 CONV_2D + 1 CONV_2D + 2 MUL", "CONV_2D", 0.4, 1},
                {"3 CONV_2D", "CONV_2D", 0.2, 4},
                {"4 SOFTMAX + 5 ADD", "SOFTMAX", 0.3, 5},
                {"6 Fix2Float", "Fix2Float", 0.1, 7}};
    roof_measured *m = im_import("$ python3 get_op_time_cost.py -m net.sim\n" EACH "done\n", NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->mode, ROOF_RUN_PER_LAYER);
    assert_int_equal(run->n_layers, COUNT(rows));
    for (uint32_t i = 0; i < COUNT(rows); i++) {
        const roof_measured_layer *l = &run->layers[i];
        assert_string_equal(l->name, rows[i].name);
        assert_string_equal(l->type, rows[i].type);
        assert_int_equal(l->index, rows[i].index);
        assert_int_equal(l->basis, ROOF_TIME_SHARE);
        assert_close(l->counters->share_ratio, rows[i].share_ratio, 1e-15);
        assert_true(isnan(l->time.mean_s));
    }
    assert_true(isnan(run->sum_of_layers_s));
    im_want_note(m, "3 of 7 operators have 0.000 %");
    im_want_note(m, "shares of the time, and no time");
    roof_measured_free(m);
}

static void a_listing_of_types_has_a_row_for_each(void **state)
{
    roof_measured *m = im_import(TOTAL, NULL);
    const roof_run *run = im_run(m, 0);
    (void)state;
    assert_int_equal(run->n_layers, 5);
    assert_string_equal(run->layers[1].name, "SOFTMAX");
    assert_close(run->layers[1].counters->share_ratio, 0.3, 1e-15);
    im_want_note(m, "rows are types of operators");
    roof_measured_free(m);
}

static void two_listings_have_to_agree(void **state)
{
    roof_measured *m = im_import(TOTAL "\n" EACH, NULL);
    (void)state;
    assert_int_equal(im_run(m, 0)->n_layers, 4);
    assert_false(im_notes_have(m, "not of one run"));
    roof_measured_free(m);
    m = im_import("CONV_2D 50.000%\nSOFTMAX 40.000%\nFix2Float 10.000%\n" EACH, NULL);
    im_want_note(m, "CONV_2D has 50 % in one listing, and its operators add up to 60 %");
    roof_measured_free(m);
}

static void listings_that_are_not_whole_are_refused(void **state)
{
    static const im_bad rows[] = {
        {"cut",
         "0 CONV_2D 40.000%\n1 CONV_2D 20.000%\n2 ADD 3.000%\n",
         {0},
         ROOF_E_DATA,
         0,
         "the shares of 3 operators add up to 63 %"},
        {"types cut", "CONV_2D 40.000%\nMUL 20.000%\nADD 3.000%\n", {0}, ROOF_E_DATA, 0, "add up to 63 %"},
        {"twice", EACH EACH, {0}, ROOF_E_DATA, 8, "operator 0 behind operator 6"},
        {"types twice", TOTAL "CONV_2D 60.000%\n", {0}, ROOF_E_DATA, 6, "CONV_2D is listed twice"},
        {"an operator of many", EACH "300000 ADD 0.000%\n", {0}, ROOF_E_LIMIT, 8, "at most 262144"},
        {"another mode", EACH, {.mode = "bypass"}, ROOF_E_USAGE, 0, "which is no bypass run"},
        {"another tool's",
         "name,time\na,1\n",
         {.from = "sigmastar_op_cost"},
         ROOF_E_DATA,
         0,
         "no listing of get_op_time_cost.py"},
        {"shares of something",
         "usage 12.5%\nidle 20.0%\n",
         {.from = "sigmastar_op_cost"},
         ROOF_E_DATA,
         0,
         "is the listing whole?"},
        {"shares of something, by content",
         "usage 12.5%\nidle 20.0%\n",
         {0},
         ROOF_E_DATA,
         0,
         "not a profile"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

/* --- what a run prints ---------------------------------------------------------------------------------- */

#define BATCHES "work_mode: dual core\nBatch mode: n_buf\nSetting batch: 4\nSuggest batch: 4\n"

static void units_are_those_of_the_file_or_of_the_map(void **state)
{
    static const struct {
        const char *text, *map;
        uint64_t total_bytes;
    } rows[] = {
        {"Invoke Time: 5.5 ms\nIPU Time: 5000 us\nBandWidth: 2 MB\n", NULL, 2000000},
        {"Invoke Time(us): 5500\nIPU Time(us): 5000\nBandWidth(KB) = 2000\n", NULL, 2000000},
        {"Invoke Time = 5500\n  IPU Time = 5000\nBandwidth = 2\n", "time=us,bytes=MB", 2000000},
        {"Invoke Time: 5.5 ms\nIPU Time: 5 ms\nBandWidth: 2 MB\n", "bytes=MiB", 2097152},
        {"Invoke Time: 5500 usecs\nIPU Time: 5000 usecs\n", "time=us", ROOF_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, &(roof_import_options){.map = rows[i].map});
        const roof_run *run = im_run(m, 0);
        assert_int_equal(run->mode, ROOF_RUN_BYPASS);
        assert_close(run->total.mean_s, 0.0055, 1e-15);
        assert_int_equal(run->n_phases, 2);
        assert_string_equal(run->phases[0].name, "ipu");
        assert_int_equal(run->phases[0].kind, ROOF_PHASE_ACCELERATOR);
        assert_close(run->phases[0].seconds, 0.005, 1e-15);
        assert_int_equal(run->phases[1].kind, ROOF_PHASE_HOST);
        assert_close(run->phases[1].seconds, 0.0005, 1e-15);
        assert_true(run->total_bytes == rows[i].total_bytes);
        roof_measured_free(m);
    }
}

static void units_that_nobody_names_are_asked_for(void **state)
{
    static const im_bad rows[] = {
        {"no unit",
         "Invoke Time: 5500\nIPU Time: 5000\n",
         {0},
         ROOF_E_DATA,
         1,
         "with no unit; --map time=us"},
        {"a rate",
         "Invoke Time: 5 ms\nIPU Time: 5 ms\nBandWidth: 7 MB/s\n",
         {.map = "bytes=MB"},
         ROOF_E_DATA,
         3,
         "with the unit MB/s"},
        {"bytes for a time", "Invoke Time: 5 MB\nIPU Time: 5 ms\n", {0}, ROOF_E_DATA, 1, "with the unit MB"},
        {"no number", "Invoke Time: many us\nIPU Time: 5 ms\n", {0}, ROOF_E_DATA, 1, "want a number"},
        {"a part longer than its whole",
         "Invoke Time: 5 ms\nIPU Time: 5100 ms\n",
         {0},
         ROOF_E_DATA,
         0,
         "are the units right?"},
        {"two runs",
         "Invoke Time: 5 ms\nIPU Time: 5 ms\nInvoke Time: 6 ms\n",
         {0},
         ROOF_E_DATA,
         3,
         "a second Invoke Time"},
        {"a table's map",
         "Invoke Time: 5 ms\nIPU Time: 5 ms\n",
         {.map = "name=a,time=b:ms"},
         ROOF_E_USAGE,
         0,
         "want units such as time=us"},
        {"another tool's", EACH, {.from = "sigmastar_console"}, ROOF_E_DATA, 0, "no figures of"},
        {"a map of units for no file", "a,b\n1,2\n", {.map = "time=us"}, ROOF_E_USAGE, 0, "has no unit"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

static void a_size_without_a_unit_is_not_known_and_told(void **state)
{
    static const struct {
        const char *text, *note;
    } rows[] = {
        {"Invoke Time: 5.5 ms\nIPU Time: 5 ms\nBandWidth: 7\nVariable size: 2 MB\n",
         "a number without its unit: BandWidth is '7' with no unit, so it is not known: --map bytes=MB"},
        {"Invoke Time: 5.5 ms\nIPU Time: 5 ms\nBandWidth: 7 MB/s\nVariable size: 2 MB\n",
         "BandWidth is '7 MB/s' with the unit MB/s"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, NULL);
        const roof_run *run = im_run(m, 0);
        assert_close(run->total.mean_s, 0.0055, 1e-15);
        assert_true(run->total_bytes == ROOF_UNKNOWN);
        assert_true(run->memory_bytes == 2000000);
        assert_int_equal(run->n_doubts, 1);
        assert_int_equal(run->doubts[0].kind, ROOF_DOUBT_NO_UNIT);
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

static void formats_and_alignments_of_inputs_are_kept(void **state)
{
    roof_measured *m = im_import(
        "Offline IMG Version: 1\nOffline Model Size: 34\nInput:\n name: images\n index: 0\n dtype: uint8\n"
        " layouts: NHWC\n shape: [1, 4, 4, 3]\n training_input_formats: RGB\n input_formats: BGRA\n"
        " input_width_alignment: 16\n input_height_alignment: 2\n batch: 1\n batch_mode: n_buf\n",
        NULL);
    (void)state;
    im_want_note(
        m, "input images, index 0, uint8, NHWC, [1, 4, 4, 3], training_input_formats RGB, input_formats "
           "BGRA, input_width_alignment 16, input_height_alignment 2, batch 1, n_buf");
    roof_measured_free(m);
}

static void the_batch_is_known_where_both_figures_of_it_agree(void **state)
{
    static const struct {
        const char *text, *note;
        uint32_t batch;
    } rows[] = {{"Invoke Time: 5 ms\nIPU Time: 4 ms\n" BATCHES, "Batch mode n_buf", 4},
                {"Invoke Time: 5 ms\nIPU Time: 4 ms\nSetting batch: 4\nSuggest batch: 1\n",
                 "how many images one call worked on is not told", ROOF_NONE},
                {"Invoke Time: 5 ms\nIPU Time: 4 ms\n./prog -m a.img --ipu_log logs\n", "must not be trusted",
                 ROOF_NONE},
                {"Invoke Time: 5 ms\nIPU Time: 4 ms\n[ 1.5] ipu_log: buffer overflow\n",
                 "the log is incomplete", ROOF_NONE}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = im_import(rows[i].text, NULL);
        assert_int_equal(im_run(m, 0)->batch, rows[i].batch);
        im_want_note(m, rows[i].note);
        roof_measured_free(m);
    }
}

static void the_description_of_a_model_has_no_time(void **state)
{
    static const char text[] =
        "Offline IMG Version: 1.2.3\nOffline Model Size: 3456\nOffline Model Max Batch Number: 2\n"
        "Offline Model Variable Buffer Size: 1024\nOffline_Model:\n Input:\n  name: images\n  index: 0\n"
        "  dtype: uint8\n  shape: [1, 64, 64, 3]\n Output:\n  name: scores\n  dtype: int16\n";
    roof_measured *m = im_import(text, NULL);
    (void)state;
    assert_int_equal(m->n_experiments, 0);
    im_want_note(m, "Offline Model Size 3456");
    im_want_note(m, "input images, index 0, uint8, [1, 64, 64, 3]; output scores, int16");
    im_want_note(m, "run prog_dla_dla_show_img_info on the board");
    roof_measured_free(m);
}

/* --- several files of one model --------------------------------------------------------------------------- */

static roof_measured *import_as(const char *name, const char *text)
{
    im_text t = {.bytes = text, .length = strlen(text)};
    roof_measured *m = NULL;
    roof_error err = {0};
    if (import_stream(im_read, &t, name, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return m;
}

static void files_of_one_toolkit_are_one_experiment_unless_it_is_doubtful(void **state)
{
    static const char console[] = "Invoke Time: 6 ms\nIPU Time: 5 ms\n";
    static const struct {
        const char *texts[3];
        uint32_t n_experiments;
        double first_s; /* of the run with the listing */
    } rows[] = {{{EACH, console, NULL}, 1, 0.005},
                {{console, EACH, NULL}, 1, 0.005},
                {{EACH, EACH, console}, 3, NAN},
                {{EACH, NULL, NULL}, 1, NAN}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const char *const names[] = {"a", "b", "c"};
        const char *note = NULL;
        roof_error err = {0};
        roof_measured *all = import_as("a", rows[i].texts[0]);
        for (size_t k = 1; k < 3 && rows[i].texts[k]; k++)
            assert_int_equal(roof_measured_merge(all, import_as(names[k], rows[i].texts[k]), &err), ROOF_OK);
        assert_int_equal(roof_import_join(all, &note, &err), ROOF_OK);
        assert_int_equal(all->n_experiments, rows[i].n_experiments);
        const roof_experiment *e = &all->experiments[0];
        const roof_run *run = &e->runs[e->runs[0].n_layers ? 0 : 1];
        assert_true(isnan(rows[i].first_s) ? isnan(run->sum_of_layers_s)
                                           : run->sum_of_layers_s == rows[i].first_s);
        assert_true(isnan(rows[i].first_s) ? !note : note && strstr(note, "their shares of 5 ms"));
        roof_measured_free(all);
    }
}

/* Since the first run layer by layer is laid beside the bypass run. */
static void rows_with_times_come_before_shares(void **state)
{
    const char *note = NULL;
    roof_error err = {0};
    roof_measured *all = import_as("a", EACH), *timeline = import_as("b", EACH);
    roof_run *measured = &timeline->experiments[0].runs[0];
    (void)state;
    timeline->sources[0].tool = "sigmastar_timeline";
    for (uint32_t i = 0; i < measured->n_layers; i++) {
        measured->layers[i].basis = ROOF_TIME_MEASURED;
        measured->layers[i].time.mean_s = 0.001;
    }
    assert_int_equal(roof_measured_merge(all, timeline, &err), ROOF_OK);
    assert_int_equal(roof_measured_merge(all, import_as("c", "Invoke Time: 6 ms\nIPU Time: 5 ms\n"), &err),
                     ROOF_OK);
    assert_int_equal(roof_import_join(all, &note, &err), ROOF_OK);
    assert_int_equal(all->n_experiments, 1);
    const roof_experiment *e = &all->experiments[0];
    assert_int_equal(e->n_runs, 3);
    assert_close(e->runs[0].layers[0].time.mean_s, 0.001, 1e-15);
    assert_int_equal(e->runs[1].mode, ROOF_RUN_BYPASS);
    assert_close(e->runs[2].layers[0].counters->share_ratio, 0.4, 1e-15);
    assert_close(e->runs[2].sum_of_layers_s, 0.005, 1e-15);
    roof_measured_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_without_a_cost_are_in_the_row_they_were_fused_into),
        cmocka_unit_test(a_listing_of_types_has_a_row_for_each),
        cmocka_unit_test(two_listings_have_to_agree),
        cmocka_unit_test(listings_that_are_not_whole_are_refused),
        cmocka_unit_test(units_are_those_of_the_file_or_of_the_map),
        cmocka_unit_test(units_that_nobody_names_are_asked_for),
        cmocka_unit_test(a_size_without_a_unit_is_not_known_and_told),
        cmocka_unit_test(formats_and_alignments_of_inputs_are_kept),
        cmocka_unit_test(the_batch_is_known_where_both_figures_of_it_agree),
        cmocka_unit_test(the_description_of_a_model_has_no_time),
        cmocka_unit_test(files_of_one_toolkit_are_one_experiment_unless_it_is_doubtful),
        cmocka_unit_test(rows_with_times_come_before_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
