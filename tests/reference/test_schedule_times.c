/* Times that boards took, beside what replayed code lets expect of them. Needs the optional folder that ROOFLINE_SHARED names;
 * without it the test is skipped. The figures are printed: they are what docs/hardware/dpuczdx8g.md states. */
#include "model/schedule.h"
#include "roofline/calibrate.h"
#include "tests/unit/profile_fixture.h"

static const char *shared;

static roof_graph *graph_of(const char *folder, const char *file)
{
    char path[4096];
    roof_graph *graph;
    roof_error err;
    snprintf(path, sizeof path, "%s/data/%s/%s", shared, folder, file);
    if (roof_graph_read(path, &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return graph;
}

/* ---- blocks of EfficientNetV2 on a B2304, timed by vaitrace ---- */

static const char board[] = "base=b2304,clock=200MHz";
enum { MOST_BLOCKS = 64 };

typedef struct block {
    char file[200];
    double min_ms, mean_ms;
    roof_graph *graph;
    roof_prediction *prediction;
} block;

static block blocks[MOST_BLOCKS];
static size_t n_blocks;

/* Blocks that differ only in the size of the depthwise kernel: "-k_3", "-k_5". */
static bool same_family(const block *a, const block *b)
{
    size_t kernel = (size_t)(strstr(a->file, "-k_") - a->file) + 3;
    return strncmp(a->file, b->file, kernel) == 0 && strcmp(a->file + kernel + 1, b->file + kernel + 1) == 0;
}

static bool read_blocks(void)
{
    char path[4096], line[1024];
    roof_hw *hw = fx_hw(board);
    roof_error err;
    snprintf(path, sizeof path, "%s/data/measured/dpu_blocks.csv", shared);
    FILE *file = fopen(path, "r");
    for (unsigned n = 0; file && fgets(line, sizeof line, file) && n_blocks < MOST_BLOCKS; n++) {
        block *b = &blocks[n_blocks];
        if (n == 0 || sscanf(line, "%199[^,],%*[^,],%lf,%lf", b->file, &b->min_ms, &b->mean_ms) != 3)
            continue;
        b->graph = graph_of("xmodel_blocks", b->file);
        assert_int_equal(roof_predict(b->graph, hw, NULL, &b->prediction, &err), ROOF_OK);
        n_blocks++;
    }
    if (file)
        fclose(file);
    roof_hw_free(hw);
    return n_blocks;
}

/* What all families but one tell. */
static roof_calibration *calibrate_without(const block *family)
{
    textbuf text;
    roof_calibration *c = NULL;
    roof_error err;
    const roof_prediction *predictions[MOST_BLOCKS];
    roof_reconciliation *r;
    size_t n = 0;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    for (size_t i = 0; i < n_blocks; i++) {
        if (same_family(&blocks[i], family))
            continue;
        text_printf(&text,
                    "%s{\"model\":{\"name\":\"%s\"},\"hardware\":{\"id\":\"%s\"},\"runs\":[{\"mode\":"
                    "\"bypass\",\"total\":{\"mean_s\":%.9f}}]}",
                    n ? "," : "", blocks[i].file, board, blocks[i].mean_ms / 1e3);
        predictions[n++] = blocks[i].prediction;
    }
    text_puts(&text, "]}");
    roof_measured *measured = pf_read(text.bytes);
    if (roof_reconcile(measured, predictions, NULL, &r, &err) != ROOF_OK ||
        roof_calibrate(r, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_reconciliation_free(r);
    roof_measured_free(measured);
    text_free(&text);
    return c;
}

static void no_block_is_faster_than_its_schedule(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_blocks; i++)
        if (!(blocks[i].prediction->schedule.scheduled_s * 1e3 <= blocks[i].min_ms))
            fail_msg("%s: scheduled %g s, measured %g ms", blocks[i].file,
                     blocks[i].prediction->schedule.scheduled_s, blocks[i].min_ms);
}

static void blocks_of_a_family_follow_from_the_others(void **state)
{
    double sum = 0, worst = 0;
    unsigned inside = 0;
    (void)state;
    for (size_t i = 0; i < n_blocks; i++) {
        bool is_new = i == 0 || !same_family(&blocks[i], &blocks[i - 1]);
        static roof_calibration *c;
        if (is_new) {
            roof_calibration_free(c);
            c = calibrate_without(&blocks[i]);
        }
        roof_expected x = roof_calibration_expect(c, blocks[i].prediction, NULL);
        double measured_s = blocks[i].mean_ms / 1e3, error = x.total_s / measured_s - 1;
        print_message("%-75s %.3f ms, expected %.3f (%+.1f %%), 95 %% %.3f to %.3f\n", blocks[i].file,
                      blocks[i].mean_ms, 1e3 * x.total_s, 100 * error, 1e3 * x.ci95_s[0], 1e3 * x.ci95_s[1]);
        inside += x.ci95_s[0] <= measured_s && measured_s <= x.ci95_s[1];
        sum += fabs(error);
        worst = fmax(worst, fabs(error));
        if (i + 1 == n_blocks)
            roof_calibration_free(c);
    }
    print_message("%zu blocks, each family by the others: mean error %.1f %%, worst %.1f %%; %u inside the "
                  "95 %% interval\n",
                  n_blocks, 100 * sum / (double)n_blocks, 100 * worst, inside);
    assert_true(sum / (double)n_blocks <= 0.10);
    assert_true(inside >= 0.8 * (double)n_blocks);
}

/* ---- networks on a KV260 ---- */

/* Of what a convolution takes in a B3136, in a B4096: channels are done in groups of 16, not of 14. */
static double scale_of(const roof_graph *g, const roof_layer *layer)
{
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const roof_op *op = &g->ops[g->layer_ops[layer->first_op + i]];
        if (op->rule != ROOF_RULE_CONV2D && op->rule != ROOF_RULE_TRANSPOSED)
            continue;
        const roof_tensor *in = &g->ops[g->edges[op->first_input].op].out;
        for (uint32_t k = 0; k < op->n_inputs; k++)
            if (g->edges[op->first_input + k].role == ROOF_ROLE_INPUT)
                in = &g->ops[g->edges[op->first_input + k].op].out;
        uint32_t ic = in->dims[in->n_dims - 1], oc = op->out.dims[op->out.n_dims - 1];
        return (double)((ic + 15) / 16 * ((oc + 15) / 16)) / ((ic + 13) / 14 * ((oc + 13) / 14));
    }
    return 1;
}

static double expect_as_b4096(const roof_graph *g, const roof_prediction *p)
{
    double cycles = 0;
    roof_error err;
    for (uint32_t s = 0; s < p->code->n_streams; s++) {
        roof_stream stream = p->code->streams[s];
        roof_task *tasks = malloc(stream.n_tasks * sizeof *tasks);
        roof_arena *arena = arena_new(0);
        dpu_replay times;
        assert_non_null(tasks);
        assert_non_null(arena);
        memcpy(tasks, stream.tasks, stream.n_tasks * sizeof *tasks);
        for (uint32_t i = 0; i < stream.n_tasks; i++) {
            uint32_t row = tasks[i].row == ROOF_NONE ? ROOF_NONE : stream.first_row + tasks[i].row;
            bool is_conv = tasks[i].kind == ROOF_TASK_CONV && row != ROOF_NONE;
            for (uint32_t l = 0; is_conv && l < g->n_layers; l++)
                if (strcmp(g->layers[l].name, p->layers[row].name) == 0) {
                    tasks[i].amount = (uint64_t)ceil((double)tasks[i].amount * scale_of(g, &g->layers[l]));
                    break;
                }
        }
        stream.tasks = tasks;
        assert_int_equal(dpu_replay_stream(&stream, p->code->expected, arena, &times, &err), ROOF_OK);
        cycles += (double)times.cycles;
        arena_free(arena);
        free(tasks);
    }
    return cycles / p->code->clock_hz;
}

/* The Vitis AI Model Zoo's frame rates with several threads, on the one core of a KV260: the time of its DPU. The constants are of
 * layers of another network on another board. One network of the five, plate_detect, is not among the files. */
static void networks_follow_from_the_layers_of_another_one(void **state)
{
    static const struct {
        const char *file;
        bool is_b3136;
        double ms;
    } rows[] = {{"Vitis-AI-Reference-Tutorials__MobileNetV2.xmodel", false, 2.958},
                {"nlp-smartvision__densebox_640_360.xmodel", true, 2.300},
                {"smartcam__ssd_adas_pruned_0_95.xmodel", true, 8.400},
                {"smartcam__refinedet_pruned_0_96.xmodel", true, 9.050}};
    double sum = 0;
    unsigned inside = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_graph *graph = graph_of("xmodel", rows[i].file);
        roof_prediction *p = fx_predict(graph, "kv260", NULL);
        const double *range = p->total.predicted_ci95_s;
        double expected_ms = 1e3 * (rows[i].is_b3136 ? expect_as_b4096(graph, p) : p->total.predicted_s);
        double reach = range[1] / p->total.predicted_s, error = expected_ms / rows[i].ms - 1;
        print_message("%-55s %.3f ms, expected %.3f (%+.1f %%), 95 %% %.3f to %.3f\n", rows[i].file,
                      rows[i].ms, expected_ms, 100 * error, expected_ms / reach, expected_ms * reach);
        sum += fabs(error);
        inside += expected_ms / reach <= rows[i].ms && rows[i].ms <= expected_ms * reach;
        roof_prediction_free(p);
        roof_graph_free(graph);
    }
    print_message("%zu networks: mean error %.1f %%; %u inside the 95 %% interval\n", COUNT(rows),
                  100 * sum / COUNT(rows), inside);
    assert_true(sum / COUNT(rows) <= 0.05);
    assert_int_equal(inside, COUNT(rows));
}

/* ---- layers of a ResNet-50, each timed alone on a ZCU104 ---- */

/* The code is generated as compilers write it; a launch is 76 us. */
static void convolutions_timed_alone_take_their_replay_and_a_launch(void **state)
{
    char path[4096], line[512], name[100];
    double mean_ms, sum[2] = {0};
    unsigned n[2] = {0};
    const double launch_s = 76e-6;
    const xn_config own_code = {.layer_code = true};
    roof_error err;
    (void)state;
    fx_net net = fx_open(xn_find_network("resnet50ds")->build(&own_code, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "zcu104", NULL);
    snprintf(path, sizeof path, "%s/data/measured/dpu_resnet50_zcu104_layers.csv", shared);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%99[^,],%*d,%*f,%lf", name, &mean_ms) != 2)
            continue;
        for (uint32_t i = 0; i < p->n_layers; i++) {
            double seconds;
            bool adds = strcmp(p->layers[i].type, "conv+eltwise") == 0;
            if (strcmp(p->layers[i].name + strlen("subgraph_"), name) != 0 ||
                (!adds && strcmp(p->layers[i].type, "conv") != 0))
                continue;
            assert_int_equal(schedule_replay_alone(p->code, p->code->expected, i, &seconds, &err), ROOF_OK);
            sum[adds] += fabs(1e3 * (seconds + launch_s) / mean_ms - 1);
            n[adds]++;
        }
    }
    fclose(file);
    print_message("%u convolutions timed alone: mean error %.1f %%; %u with an addition: %.1f %%\n", n[0],
                  100 * sum[0] / n[0], n[1], 100 * sum[1] / n[1]);
    assert_int_equal(n[0], 37);
    assert_true(sum[0] / n[0] <= 0.06);
    roof_prediction_free(p);
    fx_close(&net);
}

static int close_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_blocks; i++) {
        roof_prediction_free(blocks[i].prediction);
        roof_graph_free(blocks[i].graph);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_block_is_faster_than_its_schedule),
        cmocka_unit_test(blocks_of_a_family_follow_from_the_others),
        cmocka_unit_test(networks_follow_from_the_layers_of_another_one),
        cmocka_unit_test(convolutions_timed_alone_take_their_replay_and_a_launch),
    };
    shared = getenv("ROOFLINE_SHARED");
    if (!shared || !read_blocks())
        return puts("skipped: no data/xmodel_blocks in the folder that ROOFLINE_SHARED names"), 77;
    return cmocka_run_group_tests(tests, NULL, close_blocks);
}
