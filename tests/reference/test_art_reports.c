/* Reports of real compilations, where ../shared has them: every one is read, and agrees with the plan of the
 * same compilation. */
#include "model/formats/neural_art/art_report.h"
#include "tests/support/art_files.h"
#include "tests/unit/fixture.h"

static unsigned reports, epochs, without_npu;

static void read_one(const char *path)
{
    roof_arena *arena = arena_new(0);
    art_report report;
    roof_error err = {0};
    roof_status status = art_report_read(path, arena, &report, &err);
    if (status == ROOF_OK) {
        reports++;
        epochs += report.n_epochs;
        assert_true(report.n_pools > 0 && *report.network &&
                    strstr(report.tool, "ST Edge AI Core v") == report.tool);
        for (uint32_t i = 0; i < report.n_pools; i++)
            assert_true(report.pools[i].used_bytes == ROOF_UNKNOWN ||
                        report.pools[i].used_bytes <= report.pools[i].size_bytes);
    } else if (strstr(fx_message(&err), "compiled for a CPU"))
        without_npu++;
    else
        fail_msg("%s", fx_message(&err));
    arena_free(arena);
}

static void every_report_is_read(void **state)
{
    (void)state;
    reports = epochs = without_npu = 0;
    unsigned files = art_files_visit("reports", "", "report.txt", read_one) +
                     art_files_visit("citrinet", "", "report.txt", read_one) +
                     art_files_visit("measured", "", "generate_report.txt", read_one);
    print_message("%u of %u reports with %u epochs\n", reports, files, epochs);
    assert_int_equal(reports, files);
    assert_true(reports >= 15 && epochs >= 1500);
}

/* What a report of reports/ or citrinet/ says of a plan of another folder. */
static void hold(const char *plan_name, const char *report_name, const char *want)
{
    char path[2][1200];
    roof_graph *g = NULL;
    roof_error err = {0};
    art_report report;
    roof_arena *arena = arena_new(0);
    const char *differs = NULL;
    snprintf(path[0], sizeof path[0], "%s/%s", art_files_folder(), plan_name);
    snprintf(path[1], sizeof path[1], "%s/%s", art_files_folder(), report_name);
    if (roof_graph_read(path[0], &g, &err) != ROOF_OK ||
        art_report_read(path[1], arena, &report, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_plan *plan = (roof_plan *)roof_plan_of(g); /* which nobody else has */
    assert_int_equal(plan_apply_report(plan, &report, arena, &differs, &err), ROOF_OK);
    if (want ? !differs || strcmp(differs, want) != 0 : differs != NULL)
        fail_msg("%s with %s: %s", plan_name, report_name, differs ? differs : "agrees");
    for (uint32_t i = 0; !want && i < plan->n_epochs; i++)
        assert_true(plan->epochs[i].kind != ROOF_EPOCH_UNKNOWN);
    roof_graph_free(g);
    arena_free(arena);
}

static void reports_agree_with_the_plans_of_their_compilation(void **state)
{
    static const char *const pairs[][2] = {
        {"c_info/fallguard_od_ssdmbv1_256_v2.0_network_c_info.json",
         "reports/fallguard_od_ssdmbv1_256_generate_report.txt"},
        {"c_info/fallguard_pe_yolov8npose_256_v2.1_c_info.json",
         "reports/fallguard_pe_yolov8npose_256_generate_report.txt"},
        {"c_info/alex_mbv2_128_0.5_v2.1_network_c_info.json", "reports/alex_generate_report.txt"},
        {"c_info/tito_transformer_dd2_v2.2_network_c_info.json", "reports/tito_cloud_generate_report.txt"},
        {"citrinet/g800_st_verify__network.csv", "citrinet/g800_st_verify__network_generate_report.txt"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++)
        hold(pairs[i][0], pairs[i][1], NULL);
}

static void the_report_of_a_later_compilation_is_told_apart(void **state)
{
    (void)state;
    hold("c_info/fallguard_pe_yolov8npose_256_v2.0_network_c_info.json",
         "reports/fallguard_pe_yolov8npose_256_generate_report.txt",
         "epoch_60 is EC in the plan, SW in the report");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_report_is_read),
        cmocka_unit_test(reports_agree_with_the_plans_of_their_compilation),
        cmocka_unit_test(the_report_of_a_later_compilation_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
