/* Times that boards took, beside what replayed code lets expect of them. Needs the optional folder that
 * ROOFLINE_SHARED names; without it the test is skipped. The figures are printed: they are what
 * docs/hardware/dpuczdx8g.md states. */
#include "model/predict/schedule.h"
#include "roofline/calibrate.h"
#include "tests/unit/profile_fixture.h"
#include "tests/support/skips.h"
#include "tests/support/replay_stream.h"
#include "tests/support/accuracy.h"

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

/* Families in the order of the table, whose blocks of one family follow one another. */
static unsigned family_of(size_t at)
{
    unsigned family = 0;
    for (size_t i = 1; i <= at; i++)
        family += !same_family(&blocks[i], &blocks[i - 1]);
    return family;
}

/* What a set of families tells, a bit for each. Their blocks are given `copies` times, with another last
 * digit; the document names no family, so which are alike is found out. */
static roof_calibration *calibrate_to(unsigned families, unsigned copies)
{
    textbuf text;
    const roof_prediction *predictions[2 * MOST_BLOCKS];
    size_t n = 0;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    for (size_t i = 0; i < copies * n_blocks; i++) {
        const block *b = &blocks[i % n_blocks];
        const size_t copy = i / n_blocks;
        if (!(families >> family_of(i % n_blocks) & 1))
            continue;
        text_printf(&text,
                    "%s{\"model\":{\"name\":\"%s\"},\"hardware\":{\"id\":\"%s\"},\"runs\":[{\"mode\":"
                    "\"bypass\",\"total\":{\"mean_s\":%.9f}}]}",
                    n ? "," : "", b->file, board, b->mean_ms / 1e3 * (1 + 1e-6 * (double)copy));
        predictions[n++] = b->prediction;
    }
    text_puts(&text, "]}");
    roof_calibration *c = pf_calibrate(text.bytes, predictions);
    text_free(&text);
    return c;
}

static void no_block_is_faster_than_its_schedule(void **state)
{
    accuracy a = {.what = "B2304, blocks of EfficientNetV2, by the schedule of their code"};
    (void)state;
    for (size_t i = 0; i < n_blocks; i++)
        accuracy_add_bound(&a, blocks[i].file, blocks[i].prediction->schedule.scheduled_s,
                           blocks[i].min_ms / 1e3);
    accuracy_tell(&a);
    assert_true(accuracy_quantile(&a, 0) >= 1);
}

/* What was said of blocks that were not fitted. */
typedef struct said {
    accuracy of;
    unsigned outside_of_fit, families;
    double halves;
} said;

static void predict_others(unsigned fitted, bool tell, said *out)
{
    roof_calibration *c = calibrate_to(fitted, 1);
    assert_in_range(c->families, 1,
                    __builtin_popcount(fitted)); /* two that depend on the constants alike are one */
    out->families += c->families;
    for (size_t i = 0; i < n_blocks; i++) {
        if (fitted >> family_of(i) & 1)
            continue;
        roof_expected x = roof_calibration_expect(c, blocks[i].prediction, NULL);
        const double measured_s = blocks[i].mean_ms / 1e3;
        char family[16];
        if (tell)
            print_message("%-75s %.3f ms, expected %.3f (%+.1f %%), 95 %% %.3f to %.3f%s\n", blocks[i].file,
                          blocks[i].mean_ms, 1e3 * x.total_s, 100 * (x.total_s / measured_s - 1),
                          1e3 * x.ci95_s[0], 1e3 * x.ci95_s[1],
                          x.outside == ROOF_NONE ? "" : ", outside of what was fitted");
        snprintf(family, sizeof family, "%u", family_of(i));
        accuracy_add(&out->of, family, x.total_s, measured_s, x.ci95_s);
        out->outside_of_fit += x.outside != ROOF_NONE;
        out->halves += log(x.ci95_s[1] / x.total_s);
    }
    roof_calibration_free(c);
}

static void blocks_follow_from_those_of_other_families(void **state)
{
    static const struct {
        int fitted;
        double most_error, most_width;
    } rows[] = {{4, 0.07, 1.45}, {3, 0.10, 1.55}, {2, 0.15, 1.6}};
    const unsigned n_families = family_of(n_blocks - 1) + 1;
    (void)state;
    assert_true(n_families >= 5);
    for (size_t r = 0; r < COUNT(rows); r++) {
        said all = {.of = {.what = "B2304, blocks of EfficientNetV2",
                           .constants = "a calibration to the others",
                           .left_out = "families"}};
        unsigned draws = 0;
        for (unsigned set = 0; set < 1u << n_families; set++)
            if (__builtin_popcount(set) == rows[r].fitted) {
                predict_others(set, r == 0, &all);
                draws++;
            }
        const double width = exp(all.halves / all.of.n);
        print_message(
            "%d of %u families (%.1f found), %u draws: mean error %.1f %%; %u of %u blocks of the others "
            "inside the 95 %% interval, x%.2f wide; %u outside of what was fitted\n",
            rows[r].fitted, n_families, (double)all.families / draws, draws, 100 * accuracy_mean(&all.of),
            all.of.inside, all.of.n, width, all.outside_of_fit);
        if (draws == n_families) /* each was left out once */
            accuracy_tell(&all.of);
        assert_true(accuracy_mean(&all.of) <= rows[r].most_error);
        assert_true(all.of.inside >= 0.9 * all.of.n);
        assert_true(width <= rows[r].most_width);
    }
}

static void blocks_given_twice_say_hardly_more(void **state)
{
    const unsigned all = (1u << (family_of(n_blocks - 1) + 1)) - 1;
    roof_calibration *once = calibrate_to(all, 1), *twice = calibrate_to(all, 2);
    double least = INFINITY;
    (void)state;
    assert_int_equal(twice->totals, 2 * once->totals);
    assert_int_equal(twice->families, once->families);
    for (size_t i = 0; i < n_blocks; i++) {
        roof_expected x = roof_calibration_expect(once, blocks[i].prediction, NULL);
        roof_expected y = roof_calibration_expect(twice, blocks[i].prediction, NULL);
        least = fmin(least, log(y.ci95_s[1] / y.total_s) / log(x.ci95_s[1] / x.total_s));
    }
    print_message("given twice, an interval is %.3f times as wide at least\n", least);
    assert_true(least > 0.9);
    roof_calibration_free(once);
    roof_calibration_free(twice);
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
        const uint32_t of_b4096 = (ic + 15) / 16 * ((oc + 15) / 16),
                       of_b3136 = (ic + 13) / 14 * ((oc + 13) / 14);
        return (double)of_b4096 / of_b3136;
    }
    return 1;
}

static double expect_as_b4096(const roof_graph *g, const roof_prediction *p)
{
    double cycles = 0;
    roof_error err;
    for (uint32_t s = 0; s < p->code->n_streams; s++) {
        roof_stream stream = p->code->streams[s];
        roof_task *tasks = malloc(stream.n_instructions * sizeof *tasks);
        roof_arena *arena = arena_new(0);
        replay_run times;
        assert_non_null(tasks);
        assert_non_null(arena);
        replay_expand(&stream, tasks);
        stream.n_tasks = stream.n_instructions;
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
        assert_int_equal(replay_stream(&stream, p->code->expected, arena, &times, &err), ROOF_OK);
        cycles += (double)times.cycles;
        arena_free(arena);
        free(tasks);
    }
    return cycles / p->code->clock_hz;
}

/* The Vitis AI Model Zoo's frame rates with several threads, on the one core of a KV260: the time of its DPU.
 * The constants are of layers of another network on another board. One network of the five, plate_detect, is
 * not among the files. */
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
    const size_t n = COUNT(rows);
    accuracy a = {.what = "KV260, compiled networks, by the replay of their code",
                  .constants =
                      "built in, fitted to layers of another network on a ZCU104; the form was chosen with "
                      "these in view",
                  .left_out = "networks"};
    (void)state;
    for (size_t i = 0; i < n; i++) {
        roof_graph *graph = graph_of("xmodel", rows[i].file);
        roof_prediction *p = fx_predict(graph, "kv260", NULL);
        const double *range = p->total.predicted_ci95_s;
        double expected_ms = 1e3 * (rows[i].is_b3136 ? expect_as_b4096(graph, p) : p->total.predicted_s);
        const double reach = range[1] / p->total.predicted_s,
                     interval_ms[2] = {expected_ms / reach, expected_ms * reach};
        print_message("%-55s %.3f ms, expected %.3f (%+.1f %%), 95 %% %.3f to %.3f\n", rows[i].file,
                      rows[i].ms, expected_ms, 100 * (expected_ms / rows[i].ms - 1), interval_ms[0],
                      interval_ms[1]);
        accuracy_add(&a, rows[i].file, expected_ms, rows[i].ms, interval_ms);
        roof_prediction_free(p);
        roof_graph_free(graph);
    }
    accuracy_tell(&a);
    assert_true(accuracy_mean(&a) <= 0.05);
    assert_int_equal(a.inside, n);
}

/* ---- layers of a ResNet-50, each timed alone on a ZCU104 ---- */

/* The code is generated as compilers write it; a launch is 76 us. */
static void convolutions_timed_alone_take_their_replay_and_a_launch(void **state)
{
    char path[4096], line[512], name[100];
    double mean_ms;
    accuracy of[2] = {{.what = "ZCU104, convolutions of ResNet-50, each timed alone",
                       .constants = "built in, fitted to 19 of these, and a launch of 76 us"},
                      {.what = "the same with an addition, whose code is a guess",
                       .constants = "the same, not fitted to these"}};
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
            accuracy_add(&of[adds], name, 1e3 * (seconds + launch_s), mean_ms, NULL);
        }
    }
    fclose(file);
    accuracy_tell(&of[0]);
    accuracy_tell(&of[1]);
    assert_int_equal(of[0].n, 37);
    assert_true(accuracy_mean(&of[0]) <= 0.06);
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
        cmocka_unit_test(blocks_follow_from_those_of_other_families),
        cmocka_unit_test(blocks_given_twice_say_hardly_more),
        cmocka_unit_test(networks_follow_from_the_layers_of_another_one),
        cmocka_unit_test(convolutions_timed_alone_take_their_replay_and_a_launch),
    };
    shared = shared_folder();
    if (!read_blocks())
        skip_without("the measured blocks of ../shared");
    return cmocka_run_group_tests(tests, NULL, close_blocks);
}
