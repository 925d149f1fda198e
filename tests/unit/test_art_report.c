/* Reports of the compiler: both layouts, what is refused, what one adds to a plan; and that all files of one
 * compilation predict the same. */
#include "model/formats/neural_art/art_report.h"
#include "tests/support/art_report_writer.h"
#include "tests/support/network_c_writer.h"
#include "tests/support/network_csv_writer.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#define HEAD                                                                                                 \
    "ST Edge AI Core v4.0.1-2 abcdef012\nCreated date : today\nParameters : generate --target stm32n6\n"
#define MODEL          "\nModel name - net_int8\n\n"
#define RULE           "-----------------\n"
#define END            "====\n"
#define POOLS(pools)   "Memory usage information  (all)\n" RULE pools "---\nTotal: 1 B\n" END
#define EPOCHS(epochs) "Epochs details\n" RULE epochs END
#define LINES(n, software, epochs)                                                                           \
    EPOCHS("Total number of epochs: " n " of which " software                                                \
           " implemented in software\n---\nepoch ID   HW/SW/EC Operation (SW only)\n" epochs)
#define TABLE(n, software, rows)                                                                             \
    EPOCHS("Total number of epochs " n "\n>> pure software (SW) epochs " software                            \
           "\n>> hybrid epochs (using both software and hardware) 1\n>> pure hardware (HW or EC) epochs 9  " \
           "(implemented in 2 epoch controller blobs/meta epochs)\n---\n+---+\n| epoch ID | Type | Details " \
           "|\n+---+\n" rows "+---+\n")
#define POOL(name, range, used, size, weights, activations)                                                  \
    "\t" name "  [" range "]: " used " / " size " ( 1.00 % used) -- weights: " weights                       \
    " (  1.00 % used)  activations: " activations " (  1.00 % used)\n"

typedef struct reading {
    roof_arena *arena;
    art_report report;
} reading;

static roof_status try_report(const char *text, size_t size, reading *r, roof_error *err)
{
    uint8_t *copy = fx_copy(text, size);
    r->arena = arena_new(0);
    assert_non_null(r->arena);
    roof_status status = art_report_read_memory(copy, size, r->arena, &r->report, err);
    free(copy);
    return status;
}

static reading read_report(const char *text)
{
    reading r;
    roof_error err = {0};
    if (try_report(text, strlen(text), &r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return r;
}

static void assert_row(const art_row *row, uint32_t first, uint32_t last, roof_epoch_kind kind,
                       bool by_controller, const char *op)
{
    assert_int_equal(row->first, first);
    assert_int_equal(row->last, last);
    assert_int_equal(row->kind, kind);
    assert_int_equal(row->by_controller, by_controller);
    assert_string_equal(row->op, op);
}

/* ---- reading ---- */

static void a_line_is_an_epoch(void **state)
{
    reading r = read_report(HEAD MODEL LINES("5", "1",
                                             "epoch 1       HW    \nepoch 2       EC    \nepoch 5      -SW-  "
                                             " (   QuantizeLinear   )\nepoch 6       ??    \n"
                                             "epoch 7       EC\n"));
    const art_row *rows = r.report.rows;
    (void)state;
    assert_string_equal(r.report.tool, "ST Edge AI Core v4.0.1-2");
    assert_string_equal(r.report.network, "net_int8");
    assert_int_equal(r.report.n_epochs, 5);
    assert_int_equal(r.report.n_rows, 5);
    assert_false(r.report.has_program_rows);
    assert_row(&rows[0], 1, 1, ROOF_EPOCH_HW, false, "");
    assert_row(&rows[1], 2, 2, ROOF_EPOCH_HW, true, "");
    assert_row(&rows[2], 5, 5, ROOF_EPOCH_SW, false, "QuantizeLinear");
    assert_row(&rows[3], 6, 6, ROOF_EPOCH_HYBRID, false, "");
    arena_free(r.arena);
}

static void a_row_of_the_table_may_be_a_program(void **state)
{
    reading r = read_report(HEAD MODEL TABLE("11", "1",
                                             "| epochs    1 -> 9  |   EC   |               |\n"
                                             "| epoch_12          | Hybrid | DepthToSpace  |\n"
                                             "| <no executed epochs> | EC  |               |\n"
                                             "| epochs   14 -> 14 |   EC   |               |\n"
                                             "| epoch_15          |   SW   | Sub(float)    |\n"));
    const art_row *rows = r.report.rows;
    (void)state;
    assert_int_equal(r.report.n_rows, 4);
    assert_int_equal(r.report.n_epochs, 11); /* of the numbers 1 to 9 one is no epoch that runs */
    assert_true(r.report.has_program_rows);
    assert_row(&rows[0], 1, 9, ROOF_EPOCH_HW, true, "");
    assert_row(&rows[1], 12, 12, ROOF_EPOCH_HYBRID, false, "DepthToSpace");
    assert_row(&rows[2], 14, 14, ROOF_EPOCH_HW, true, "");
    assert_row(&rows[3], 15, 15, ROOF_EPOCH_SW, false, "Sub(float)");
    arena_free(r.arena);
}

static void pools_have_a_place_and_what_they_hold(void **state)
{
    reading r = read_report(HEAD POOLS(
        POOL("npuRAM5", "0x342E0000 - 0x34350000", " 12.031 kB", "448.000 kB", "0  B", "12.031 kB")
            POOL("octoFlash", "0x71000000 - 0x78000000", "3.148 MB", "112.000 MB", "3.148 MB", "0  B")
                POOL("cpuRAM2", "0x34100000 - 0x34200000", "225  B", "1.000 MB", "25  B", "200  B")
                    POOL("hyperRAM", "0x90000000 - 0x90000000", "0  B", "0  B", "0  B", "0  B"))
                                LINES("1", "0", "epoch 1 HW\n"));
    static const roof_pool want[] = {
        {.name = "npuRAM5",
         .address = 0x342e0000,
         .size_bytes = 448 << 10,
         .used_bytes = 12320,
         .content = ROOF_POOL_FEATURE_MAPS},
        {.name = "octoFlash",
         .address = 0x71000000,
         .size_bytes = 112 << 20,
         .used_bytes = ROOF_UNKNOWN, /* many sizes are shown as 3.148 MB */
         .content = ROOF_POOL_PARAMETERS},
        {.name = "cpuRAM2",
         .address = 0x34100000,
         .size_bytes = 1 << 20,
         .used_bytes = 225,
         .content = ROOF_POOL_MIXED},
        {.name = "hyperRAM", .address = 0x90000000, .content = ROOF_POOL_UNLISTED}};
    (void)state;
    assert_int_equal(r.report.n_pools, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        const roof_pool *p = &r.report.pools[i];
        assert_string_equal(p->name, want[i].name);
        assert_int_equal(p->address, want[i].address);
        assert_int_equal(p->size_bytes, want[i].size_bytes);
        assert_int_equal(p->used_bytes, want[i].used_bytes);
        assert_int_equal(p->content, want[i].content);
        assert_true(p->byte_width == ROOF_NONE && isnan(p->freq_ratio));
    }
    arena_free(r.arena);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {HEAD MODEL, "has no 'Epochs details': the model was compiled for a CPU"},
        {HEAD "Epochs details\n" RULE
              "Total number of epochs: 2 of which 0 implemented in software\nepoch 1 HW\n",
         "ends within the list of epochs: the end of the file is missing (line 7)"},
        {HEAD "Memory usage information\n" RULE, "ends within the list of memory pools"},
        {HEAD LINES("3", "0", "epoch 1 HW\nepoch 2 HW\n"),
         "lists 2 epochs, but says that there are 3 (line 11)"},
        {HEAD LINES("1", "0", "epoch 1 HW\nepoch 2 HW\n"), "lists 2 epochs, but says that there are 1"},
        {HEAD LINES("2", "1", "epoch 1 HW\nepoch 2 HW\n"),
         "lists 0 epochs in software, but says that there are 1"},
        {HEAD LINES("2", "3", ""), "want numbers of epochs, and of those in software (line 6)"},
        {HEAD LINES("2", "0", "epoch 2 HW\nepoch 1 HW\n"),
         "want a number above that of the epoch before (line 10)"},
        {HEAD LINES("1", "0", "epoch 1 GPU\n"), "found 'epoch 1 GPU', want 'epoch N' and HW, EC, -SW- or ??"},
        {HEAD LINES("1", "0", "epoch 1 HW HW\n"), "want 'epoch N' and HW, EC, -SW- or ??"},
        {HEAD LINES("1", "0", "epoch 4294967295 HW\n"), "want 'epoch N' and HW, EC, -SW- or ??"},
        {HEAD LINES("1", "1", "epoch 1 -SW- (a\x01)\n"), "want text without control characters"},
        {HEAD TABLE("1", "0", "| epochs 2 -> 1 | EC | |\n"), "want a number above that of the epoch before"},
        {HEAD TABLE("1", "0", "| epochs 1 -> 2 | SW | a |\n"), "want a row of '| epoch_N |"},
        {HEAD TABLE("1", "0", "| epoch_1 | HW |\n"), "want a row of '| epoch_N |"},
        {HEAD TABLE("2", "0", "| epoch_1 | HW | |\n"), "lists 1 epochs, but says that there are 2"},
        {HEAD TABLE("2", "0", "| epochs 1 -> 3 | EC | |\n| epoch_4 | HW | |\n| epoch_5 | HW | |\n"),
         "lists 5 epochs, but says that there are 2"},
        {HEAD EPOCHS("epoch 1 HW\n"), "'Total number of epochs', of at least one"},
        {HEAD EPOCHS("Total number of epochs: 9999999 of which 0 implemented\n"), "want numbers of epochs"},
        {HEAD POOLS("\tram [0x2 - 0x1]: 1 B / 1 B\n"), "want a memory pool with what is used of it (line 6)"},
        {HEAD POOLS(POOL("ram", "0x1 - 0x2", "1 furlong", "1 B", "0 B", "1 B")), "want a memory pool"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        reading r;
        roof_error err = {0};
        assert_int_equal(try_report(cases[i].text, strlen(cases[i].text), &r, &err), ROOF_E_DATA);
        if (!strstr(fx_message(&err), cases[i].want))
            fail_msg("%zu: '%s', want '%s'", i, fx_message(&err), cases[i].want);
        arena_free(r.arena);
    }
}

static textbuf report_of_tiny(arw_layout layout)
{
    textbuf text;
    text_init(&text, 1 << 20);
    arw_write(&ci_tiny, layout, &text);
    assert_false(text.failed);
    return text;
}

static void a_report_that_was_cut_is_refused_wherever_it_was_cut(void **state)
{
    (void)state;
    for (int layout = 0; layout < ARW_LAYOUTS; layout++) {
        textbuf text = report_of_tiny((arw_layout)layout);
        const char *end = strstr(strstr(text.bytes, "Epochs details"), "====");
        for (size_t size = 0; size < (size_t)(end - text.bytes); size++) {
            reading r;
            roof_error err = {0};
            assert_int_equal(try_report(text.bytes, size, &r, &err), ROOF_E_DATA);
            arena_free(r.arena);
        }
        text_free(&text);
    }
}

/* ---- a report alone ---- */

static fx_net net_of(const char *text)
{
    fx_net net = {.bytes = fx_copy(text, strlen(text)), .size_bytes = strlen(text)};
    fx_read(&net, "net_generate_report.txt");
    return net;
}

static void a_report_alone_is_a_plan_of_unknown_cost(void **state)
{
    textbuf text = report_of_tiny(ARW_LINES);
    fx_net net = net_of(text.bytes);
    roof_hw *hw = fx_hw("stm32n6");
    roof_prediction *p = NULL;
    (void)state;
    assert_string_equal(net.graph->format, "generate_report");
    assert_string_equal(net.graph->name, "tiny");
    assert_int_equal(roof_plan_of(net.graph)->n_epochs, 7);
    assert_int_equal(roof_plan_of(net.graph)->n_blobs, 1);
    assert_int_equal(roof_plan_of(net.graph)->blobs[0].n_epochs, 2);
    assert_int_equal(roof_predict(net.graph, hw, NULL, &p, NULL), ROOF_OK);
    assert_true(p->total.deployed.ideal_cycles == ROOF_UNKNOWN && isnan(p->total.deployed.ideal_s));
    assert_true(isnan(p->total.inferences_per_s) && isnan(p->total.intensity_ops_per_byte));
    assert_true(roof_traffic_total(&p->total.deployed.traffic) == ROOF_UNKNOWN);
    assert_true(p->total.estimate.cycles == ROOF_UNKNOWN);
    assert_non_null(strstr(fx_verdict(p, 1), "Bottleneck unknown"));
    assert_non_null(fx_finding(p, ROOF_FINDING_MOVES_UNKNOWN));
    for (uint32_t i = 0; i < p->n_layers; i++)
        assert_true(p->layers[i].deployed.ideal_cycles == ROOF_UNKNOWN);
    roof_prediction_free(p);
    roof_hw_free(hw);
    fx_close(&net);
    text_free(&text);
}

static void a_program_of_which_numbers_are_missing_is_one_entry(void **state)
{
    fx_net net = net_of(HEAD TABLE(
        "3", "0", "| epochs 1 -> 3 | EC | |\n| epoch_4 | Hybrid | Concat |\n| epochs 6 -> 6 | EC | |\n"));
    const roof_plan *plan = roof_plan_of(net.graph);
    (void)state;
    assert_int_equal(plan->n_epochs, 3);
    assert_string_equal(net.graph->layers[0].name, "EpochBlock_1 -> 3");
    assert_string_equal(net.graph->layers[1].name, "epoch_4");
    assert_int_equal(plan->n_blobs, 2);
    assert_int_equal(plan->blobs[0].n_epochs, ROOF_NONE);
    assert_int_equal(plan->blobs[1].n_epochs, 1);
    fx_close(&net);
}

/* ---- beside other files ---- */

static void put(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void put_csv(void)
{
    textbuf text;
    text_init(&text, 1 << 20);
    csvw_write(&ci_tiny, &text);
    put("network.csv", text.bytes, text.length);
    text_free(&text);
}

static void put_c_info(void)
{
    textbuf text;
    text_init(&text, 1 << 20);
    ci_write(&ci_tiny, CI_3_0, &text);
    put("network_c_info.json", text.bytes, text.length);
    text_free(&text);
}

static void put_part(const char *name, int part)
{
    size_t length;
    char *text = ncw_write_plan(&ci_tiny, part, &length);
    assert_non_null(text);
    put(name, text, length);
    free(text);
}

static void put_report(arw_layout layout)
{
    textbuf text = report_of_tiny(layout);
    put("network_generate_report.txt", text.bytes, text.length);
    text_free(&text);
}

static void remove_all(void)
{
    static const char *const names[] = {"network.csv", "network_c_info.json", "network.c",
                                        "network_blob_trace.c", "network_generate_report.txt"};
    for (size_t i = 0; i < COUNT(names); i++)
        (void)unlink(in_folder(names[i]));
}

static roof_graph *read_folder(void)
{
    roof_graph *g = NULL;
    roof_error err = {0};
    if (roof_graph_read(folder, &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return g;
}

static roof_prediction *predict_folder(void)
{
    roof_graph *g = read_folder();
    roof_hw *hw = fx_hw("stm32n6");
    roof_prediction *p = NULL;
    assert_int_equal(roof_predict(g, hw, NULL, &p, NULL), ROOF_OK);
    roof_hw_free(hw);
    roof_graph_free(g);
    return p;
}

static void a_table_of_bytes_gets_kinds_and_contents(void **state)
{
    (void)state;
    for (int layout = 0; layout < ARW_LAYOUTS; layout++) {
        put_csv();
        put_report((arw_layout)layout);
        roof_graph *g = read_folder();
        const roof_plan *plan = roof_plan_of(g);
        static const roof_epoch_kind want[] = {ROOF_EPOCH_HW, ROOF_EPOCH_HW, ROOF_EPOCH_HW,    ROOF_EPOCH_HW,
                                               ROOF_EPOCH_HW, ROOF_EPOCH_SW, ROOF_EPOCH_HYBRID};
        assert_string_equal(g->name, "tiny");
        assert_null(plan->report_differs);
        assert_int_equal(plan->n_epochs, COUNT(want));
        for (uint32_t i = 0; i < plan->n_epochs; i++) {
            assert_int_equal(plan->epochs[i].kind, want[i]);
            assert_int_equal(plan->epochs[i].blob != ROOF_NONE, i == 1 || i == 2);
        }
        assert_int_equal(plan->n_blobs, 1);
        assert_int_equal(plan->blobs[0].n_epochs, 2);
        assert_string_equal(plan->ops[plan->epochs[5].first_op].kind, "Softmax");
        assert_int_equal(roof_plan_pool(plan, "octoFlash")->content, ROOF_POOL_PARAMETERS);
        assert_int_equal(roof_plan_pool(plan, "npuRAM5")->size_bytes, 448 << 10);
        roof_graph_free(g);
        remove_all();
    }
}

static void a_report_of_another_plan_adds_nothing_and_is_told(void **state)
{
    roof_prediction *p = NULL;
    (void)state;
    put_csv();
    put("network_generate_report.txt", HEAD LINES("1", "0", "epoch 1 HW\n"),
        strlen(HEAD LINES("1", "0", "epoch 1 HW\n")));
    roof_graph *g = read_folder();
    assert_string_equal(roof_plan_of(g)->report_differs, "epoch_2 of the plan is not in the report");
    assert_string_equal(g->name, "");
    for (uint32_t i = 0; i < roof_plan_of(g)->n_epochs; i++)
        assert_int_equal(roof_plan_of(g)->epochs[i].kind, ROOF_EPOCH_UNKNOWN);
    roof_hw *hw = fx_hw("stm32n6");
    assert_int_equal(roof_predict(g, hw, NULL, &p, NULL), ROOF_OK);
    assert_non_null(fx_finding(p, ROOF_FINDING_OTHER_REPORT));
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(g);
    remove_all();
}

static void a_broken_report_keeps_nobody_from_the_plan(void **state)
{
    static const char broken[] =
        HEAD "Epochs details\n" RULE "Total number of epochs: 7 of which 1 implemented\n";
    (void)state;
    put_c_info();
    put("network_generate_report.txt", broken, sizeof broken - 1);
    roof_prediction *p = predict_folder();
    remove_all();
    const char *finding = fx_finding(p, ROOF_FINDING_OTHER_REPORT);
    assert_non_null(
        strstr(finding, "network_generate_report.txt' is not used: ends within the list of epochs"));
    assert_int_equal(p->model.n_beside, 1);
    assert_non_null(strstr(p->model.beside[0], "network_generate_report.txt"));
    roof_prediction_free(p);
}

static void a_plan_that_knows_its_kinds_is_held_against_the_report(void **state)
{
    static const char other[] =
        HEAD LINES("7", "2",
                   "epoch 1 HW\nepoch 2 EC\nepoch 3 EC\nepoch 4 HW\nepoch 5 -SW- (Gemm)\n"
                   "epoch 6 -SW- (Softmax)\nepoch 7 ??\n");
    (void)state;
    put_c_info();
    put_report(ARW_TABLE);
    roof_graph *g = read_folder();
    assert_non_null(roof_plan_of(g)->report_path);
    assert_null(roof_plan_of(g)->report_differs);
    roof_graph_free(g);
    put("network_generate_report.txt", other, sizeof other - 1);
    g = read_folder();
    assert_string_equal(roof_plan_of(g)->report_differs, "epoch_5 is HW in the plan, SW in the report");
    roof_graph_free(g);
    remove_all();
}

/* What does not depend on who is asked: the bound of every epoch, and the bytes in every pool. */
static void assert_same(const roof_prediction *a, const roof_prediction *b)
{
    assert_int_equal(a->n_layers, b->n_layers);
    assert_int_equal(a->total.deployed.ideal_cycles, b->total.deployed.ideal_cycles);
    assert_int_equal(a->total.boundaries, b->total.boundaries);
    for (uint32_t i = 0; i < a->n_layers; i++) {
        const roof_layer_prediction *x = &a->layers[i], *y = &b->layers[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->deployed.ideal_cycles, y->deployed.ideal_cycles);
        assert_int_equal(x->deployed.bound, y->deployed.bound);
        if (x->executor == ROOF_BY_HOST) /* whose bytes network.c does not tell */
            continue;
        assert_int_equal(x->estimate.cycles, y->estimate.cycles);
        assert_int_equal(roof_traffic_total(&x->deployed.traffic), roof_traffic_total(&y->deployed.traffic));
    }
}

static void all_files_of_a_compilation_predict_the_same(void **state)
{
    (void)state;
    put_c_info();
    roof_prediction *of_c_info = predict_folder();
    remove_all();
    put_csv();
    put_report(ARW_LINES);
    roof_prediction *of_csv = predict_folder();
    remove_all();
    put_part("network.c", NCW_NETWORK);
    put_part("network_blob_trace.c", NCW_TRACE);
    roof_prediction *of_c = predict_folder();
    remove_all();
    assert_same(of_c_info, of_csv);
    assert_same(of_c_info, of_c);
    roof_prediction_free(of_c_info);
    roof_prediction_free(of_csv);
    roof_prediction_free(of_c);
}

static void programs_without_their_trace_are_of_unknown_bytes(void **state)
{
    (void)state;
    put_part("network.c", NCW_NETWORK);
    roof_prediction *p = predict_folder();
    remove_all();
    assert_int_equal(p->n_layers, 6);
    assert_int_equal(p->layers[1].deployed.ideal_cycles,
                     65536 + 32768); /* computing, as the file estimates it */
    assert_true(roof_traffic_total(&p->layers[1].deployed.traffic) == ROOF_UNKNOWN);
    assert_true(roof_traffic_total(&p->total.deployed.traffic) == ROOF_UNKNOWN);
    assert_non_null(fx_finding(p, ROOF_FINDING_MOVES_UNKNOWN));
    roof_prediction_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_an_epoch),
        cmocka_unit_test(a_row_of_the_table_may_be_a_program),
        cmocka_unit_test(pools_have_a_place_and_what_they_hold),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(a_report_that_was_cut_is_refused_wherever_it_was_cut),
        cmocka_unit_test(a_report_alone_is_a_plan_of_unknown_cost),
        cmocka_unit_test(a_program_of_which_numbers_are_missing_is_one_entry),
        cmocka_unit_test(a_table_of_bytes_gets_kinds_and_contents),
        cmocka_unit_test(a_report_of_another_plan_adds_nothing_and_is_told),
        cmocka_unit_test(a_broken_report_keeps_nobody_from_the_plan),
        cmocka_unit_test(a_plan_that_knows_its_kinds_is_held_against_the_report),
        cmocka_unit_test(all_files_of_a_compilation_predict_the_same),
        cmocka_unit_test(programs_without_their_trace_are_of_unknown_bytes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
