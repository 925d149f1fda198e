/* Whole predictions: exact totals of the example networks, sums that close, what-ifs, disagreements that
 * become findings, and hardware that lacks what a law needs. */
#include "roofline/calibration.h"
#include "tests/unit/fixture.h"

#include <unistd.h>

enum { CONV, ALU, ELTWISE, LOAD, SAVE, MEMORY, ENGINES };

static const fx_target b4096_target = {.name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096};

static fx_net example(const char *network)
{
    return fx_open(xn_find_network(network)->build(NULL, NULL), NULL);
}

static uint64_t bytes_of(const roof_traffic *t)
{
    return t->weights_bytes + t->input_bytes + t->output_bytes + t->instruction_bytes;
}

static const roof_layer_prediction *row_named(const roof_prediction *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_layers; i++)
        if (strcmp(p->layers[i].name, name) == 0)
            return &p->layers[i];
    fail_msg("no row '%s'", name);
    return NULL;
}

/* The call must fail like this, which names the model and, as x, the file of the hardware. */
static void assert_refused(const roof_graph *g, const char *spec, roof_status status, const char *want)
{
    roof_hw *hw = fx_hw(spec);
    roof_prediction *p = NULL;
    roof_error err = {0};
    assert_int_equal(roof_predict(g, hw, NULL, &p, &err), status);
    assert_null(p);
    char got[400], *at;
    snprintf(got, sizeof got, "%s", fx_message(&err));
    assert_int_equal(strncmp(got, "net.xmodel: ", 12), 0);
    if ((at = strstr(got, spec))) {
        *at = 'x';
        memmove(at + 1, at + strlen(spec), strlen(at + strlen(spec)) + 1);
    }
    assert_string_equal(got + 12, want);
    assert_int_equal(roof_predict(g, hw, NULL, &p, NULL), status);
    roof_hw_free(hw);
}

/* ---- totals ---- */

/* B4096 at 300 MHz on a KV260. Load and save move 32 B a cycle each, the memory 64 B a cycle for both. */
static const struct totals {
    const char *network;
    uint64_t macs, ops_count, workload_ops, traffic[4], cycles[ENGINES], ideal_cycles;
    uint32_t bound, floor_bound, layers, boundaries;
} totals[] = {
    {"tiny",
     137216,
     284712,
     285735,
     {10970, 2304, 10, 1508},
     {168, 64, 16, 416, 1, 233},
     433,
     LOAD,
     LOAD,
     4,
     3},
    {"mobilenetv1",
     568741376,
     1142579620,
     1142629795,
     {4222057, 1028608, 803817, 172472},
     {307328, 287392, 0, 164084, 25120, 97306},
     464192,
     CONV,
     CONV,
     15,
     15},
    {"mobilenetv2",
     300775552,
     608512324,
     608791427,
     {3489097, 1379840, 1155049, 264744},
     {165872, 342356, 3976, 152157, 36096, 98281},
     484156,
     ALU,
     ALU,
     36,
     36},
    {"resnet50",
     3857973248,
     7733963680,
     7739583391,
     {25530472, 9759232, 5219304, 655036},
     {2135168, 34496, 89600, 1102804, 163104, 643217},
     2272808,
     CONV,
     CONV,
     55,
     55},
};

static void assert_totals(const struct totals *want, const roof_prediction *p)
{
    const roof_cost *d = &p->total.deployed;
    const struct {
        const char *what;
        uint64_t got, want;
    } rows[] = {
        {"macs", p->total.macs, want->macs},
        {"ops", p->total.ops_count, want->ops_count},
        {"workload", p->total.workload_ops, want->workload_ops},
        {"stored workload", p->total.stored_workload_ops, want->workload_ops},
        {"weights", d->traffic.weights_bytes, want->traffic[0]},
        {"input", d->traffic.input_bytes, want->traffic[1]},
        {"output", d->traffic.output_bytes, want->traffic[2]},
        {"instructions", d->traffic.instruction_bytes, want->traffic[3]},
        {"conv", d->cycles[CONV], want->cycles[CONV]},
        {"alu", d->cycles[ALU], want->cycles[ALU]},
        {"eltwise", d->cycles[ELTWISE], want->cycles[ELTWISE]},
        {"load", d->cycles[LOAD], want->cycles[LOAD]},
        {"save", d->cycles[SAVE], want->cycles[SAVE]},
        {"memory", d->cycles[MEMORY], want->cycles[MEMORY]},
        {"ideal", d->ideal_cycles, want->ideal_cycles},
        {"bound", d->bound, want->bound},
        {"floor", p->total.floor_cycles, want->cycles[want->floor_bound]},
        {"floor's bound", p->total.floor_bound, want->floor_bound},
        {"layers", p->total.layers, want->layers},
        {"boundaries", p->total.boundaries, want->boundaries},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].got != rows[i].want)
            fail_msg("%s: %s %" PRIu64 ", want %" PRIu64, want->network, rows[i].what, rows[i].got,
                     rows[i].want);
}

static void totals_of_the_examples_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(totals); i++) {
        fx_net net = example(totals[i].network);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        assert_totals(&totals[i], p);
        assert_int_equal(p->n_findings, 0);
        assert_true(p->total.deployed.bytes_basis == ROOF_BASIS_CODE &&
                    p->total.deployed.cycles_basis == ROOF_BASIS_CODE);
        assert_true(p->total.unattributed_bytes_ratio == 0 && p->total.unattributed_cycles_ratio == 0);
        roof_prediction_free(p);
        fx_close(&net);
    }
    roof_prediction_free(NULL);
}

/* Once more from what the generator says, without the decoder; only the bytes of instructions are the row's
 * own. */
static void rows_follow_from_the_closed_formulas(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(totals); i++) {
        xn_summary summary;
        xm_model *m = xn_find_network(totals[i].network)->build(NULL, &summary);
        xn_layer_summary layers[64];
        assert_true(summary.n_layers <= COUNT(layers));
        memcpy(layers, summary.layers, summary.n_layers * sizeof *layers);
        fx_net net = fx_open(m, NULL);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        for (size_t l = 0; l < summary.n_layers; l++) {
            const roof_layer_prediction *row = &p->layers[l];
            const xn_costs *c = &layers[l].costs;
            uint64_t in = c->constant_bytes + layers[l].load_bytes, out = layers[l].save_bytes;
            const uint64_t want[ENGINES] = {
                c->conv_cycles,    c->alu_cycles,
                c->eltwise_cycles, ceil_div(in, 32),
                ceil_div(out, 32), ceil_div(in + out + row->deployed.traffic.instruction_bytes, 64)};
            uint64_t ideal = 0;
            for (unsigned e = 0; e < ENGINES; e++) {
                assert_int_equal(row->deployed.cycles[e], want[e]);
                ideal = want[e] > ideal ? want[e] : ideal;
            }
            assert_int_equal(row->deployed.ideal_cycles, ideal);
            assert_int_equal(row->macs, c->macs);
            assert_int_equal(row->workload_ops, c->workload_ops);
            assert_true(row->deployed.bound == ROOF_NONE ? ideal == 0 : want[row->deployed.bound] == ideal);
            assert_true(fabs(row->deployed.ideal_s - (double)ideal / 300e6) < 1e-15);
        }
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void mobilenetv2_is_bound_by_the_alu_and_the_verdict_says_so(void **state)
{
    (void)state;
    fx_net net = example("mobilenetv2");
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_true(strncmp(fx_verdict(p, 1), "Bottleneck: ALU; depthwise ", 27) == 0);
    assert_non_null(strstr(fx_verdict(p, 3), "489.5 us")); /* all MACs at 2048 a cycle */
    roof_prediction_free(p);
    fx_close(&net);
}

typedef struct sums {
    uint64_t macs, ops_count, ideal_cycles, cycles[ROOF_MAX_ENGINES];
    roof_traffic traffic;
} sums;

/* Only what is compiled for the hardware has a bound, which is the floor, not the sum over layers; and what a
 * fingerprint does not tell is called assumed. */
static void the_first_sentence_claims_no_more_than_is_known(void **state)
{
    static const struct {
        const char *network, *spec, *want, *below;
    } rows[] = {
        {"mobilenetv2", "b4096",
         " on DPUCZDX8G B4096 (board assumed: KV260): accelerator part expected 3.27 ms (2.737 ms to 3.907 "
         "ms), "
         "306 inferences/s, without 1 CPU layer (dequantize, softmax) and 1 transfer; bound 1.81 ms.",
         "Expected is 1.8x the bound, which allows 553 inferences/s."},
        {"mobilenetv2", "kv260",
         " on KV260: accelerator part expected 3.27 ms (2.737 ms to 3.907 ms), 306 inferences/s, without 1 "
         "CPU "
         "layer (dequantize, softmax) and 1 transfer; bound 1.81 ms.",
         "A MAC-only roofline predicts 489.5 us."},
        {"mobilenetv2", "base=b4096,board=my board",
         " on DPUCZDX8G B4096: accelerator part expected 3.27 ms (2.737 ms to 3.907 ms), 306 inferences/s, "
         "without 1 CPU layer (dequantize, softmax) and 1 transfer; bound 1.81 ms.",
         "On the board, instruction fetch costs more than the bottleneck."},
        {"mobilenetv2", "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s",
         " on custom hardware, but on DPUCZDX8G B4096, which it was compiled for: accelerator part about "
         "586.1 "
         "us, 1 706 inferences/s, without 1 CPU layer (dequantize, softmax) and 1 transfer, an estimate of a "
         "graph compiled for other hardware.",
         ""},
        {"quantised", "zcu104",
         " on ZCU104: expected 68.62 us (58.25 us to 80.85 us) with 2 cores busy, 29 144 inferences/s in "
         "all; "
         "bound 1.403 us.",
         "Uncompiled, lowered by rules. Expected is 48.9x the bound, which allows 1 269 265 inferences/s "
         "with "
         "all cores. With one core busy it takes 58.87 us."},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = example(rows[i].network);
        roof_prediction *p = fx_predict(net.graph, rows[i].spec, NULL);
        const char *got = strstr(fx_verdict(p, 0), " on ");
        assert_non_null(got);
        assert_string_equal(got, rows[i].want);
        assert_non_null(strstr(fx_verdict(p, 3), rows[i].below));
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void sum_rows(const roof_prediction *p, sums *sum)
{
    *sum = (sums){0};
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *row = &p->layers[i];
        const roof_cost *c = &row->deployed;
        sum->macs += row->macs == ROOF_UNKNOWN ? 0 : row->macs;
        sum->ops_count += row->ops_count == ROOF_UNKNOWN ? 0 : row->ops_count;
        if (c->bytes_basis == ROOF_BASIS_NONE)
            continue;
        sum->traffic.weights_bytes += c->traffic.weights_bytes;
        sum->traffic.input_bytes += c->traffic.input_bytes;
        sum->traffic.output_bytes += c->traffic.output_bytes;
        sum->traffic.instruction_bytes += c->traffic.instruction_bytes;
        sum->ideal_cycles += c->ideal_cycles;
        for (uint32_t e = 0; e < p->n_engines; e++)
            sum->cycles[e] += c->cycles[e] == ROOF_UNKNOWN ? 0 : c->cycles[e];
    }
}

static void sums_close_over_rows(void **state)
{
    static const char *const networks[] = {"tiny", "mobilenetv2", "quantised"};
    static const char *const specs[] = {"b4096", "b512", "mac=100/cycle,clock=1MHz,ddr=1GB/s",
                                        "dpucvdx8g-c32b3"};
    (void)state;
    for (size_t i = 0; i < COUNT(networks) * COUNT(specs); i++) {
        fx_net net = example(networks[i % COUNT(networks)]);
        roof_prediction *p = fx_predict(net.graph, specs[i / COUNT(networks)], NULL);
        sums sum;
        uint64_t most = 0;
        sum_rows(p, &sum);
        assert_int_equal(sum.macs, p->total.macs);
        assert_int_equal(sum.ops_count, p->total.ops_count);
        assert_int_equal(sum.ideal_cycles, p->total.deployed.ideal_cycles);
        assert_memory_equal(&sum.traffic, &p->total.deployed.traffic, sizeof sum.traffic);
        for (uint32_t e = 0; e < p->n_engines; e++) {
            assert_int_equal(sum.cycles[e], p->total.deployed.cycles[e]);
            most = sum.cycles[e] > most ? sum.cycles[e] : most;
        }
        assert_int_equal(p->total.floor_cycles, most);
        assert_true(p->total.floor_cycles <= p->total.deployed.ideal_cycles);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* ---- what-ifs ---- */

static void a_batch_multiplies_everything_where_a_pass_is_one_image(void **state)
{
    const roof_predict_options options = {.batch = 5};
    (void)state;
    fx_net net = example("mobilenetv2");
    roof_prediction *one = fx_predict(net.graph, "b4096", NULL),
                    *five = fx_predict(net.graph, "b4096", &options);
    assert_int_equal(five->total.macs, 5 * one->total.macs);
    assert_int_equal(five->total.ops_count, 5 * one->total.ops_count);
    assert_int_equal(bytes_of(&five->total.deployed.traffic), 5 * bytes_of(&one->total.deployed.traffic));
    for (unsigned e = CONV; e <= ELTWISE; e++)
        assert_int_equal(five->total.deployed.cycles[e], 5 * one->total.deployed.cycles[e]);
    assert_in_range(five->total.deployed.ideal_cycles, 5 * one->total.deployed.ideal_cycles - 5 * 36,
                    5 * one->total.deployed.ideal_cycles); /* halves of cycles of transfers add up */
    assert_true(fabs(five->total.inferences_per_s / one->total.inferences_per_s - 1) < 1e-3);
    roof_prediction_free(one);
    roof_prediction_free(five);
    fx_close(&net);
}

/* Three images share weights, instructions and cycles of a pass on three lanes. */
static void lanes_share_a_pass(void **state)
{
    static const struct {
        uint32_t batch, passes;
    } cases[] = {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {6, 2}, {7, 3}};
    (void)state;
    fx_net net = example("tiny");
    roof_prediction *one = fx_predict(net.graph, "dpucvdx8g-c32b3", NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const roof_predict_options options = {.batch = cases[i].batch};
        roof_prediction *p = fx_predict(net.graph, "dpucvdx8g-c32b3", &options);
        assert_int_equal(p->total.macs, cases[i].batch * one->total.macs);
        assert_int_equal(p->total.deployed.traffic.weights_bytes,
                         cases[i].passes * one->total.deployed.traffic.weights_bytes);
        assert_int_equal(p->total.deployed.traffic.instruction_bytes,
                         cases[i].passes * one->total.deployed.traffic.instruction_bytes);
        assert_int_equal(p->total.deployed.traffic.input_bytes,
                         cases[i].batch * one->total.deployed.traffic.input_bytes);
        assert_int_equal(p->total.deployed.traffic.output_bytes,
                         cases[i].batch * one->total.deployed.traffic.output_bytes);
        assert_int_equal(p->total.deployed.cycles[0], cases[i].passes * one->total.deployed.cycles[0]);
        roof_prediction_free(p);
    }
    roof_prediction_free(one);
    fx_close(&net);
}

static void clock_and_bandwidth_can_be_overridden(void **state)
{
    const roof_predict_options slow = {.clock_hz = 150e6}, narrow = {.bandwidth_bytes_per_s = 1.92e9};
    (void)state;
    fx_net net = example("mobilenetv2");
    roof_prediction *base = fx_predict(net.graph, "b4096", NULL);
    roof_prediction *a = fx_predict(net.graph, "b4096", &slow), *b = fx_predict(net.graph, "b4096", &narrow);
    assert_int_equal(a->total.deployed.cycles[CONV], base->total.deployed.cycles[CONV]);
    assert_true(a->total.deployed.cycles[MEMORY] <
                base->total.deployed.cycles[MEMORY]); /* 128 B a cycle now */
    assert_true(a->hardware.clock_hz == 150e6);
    assert_true(a->total.deployed.ideal_s > 1.99 * base->total.deployed.ideal_s);
    assert_true(b->hardware.bandwidth_bytes_per_s == 1.92e9);
    assert_in_range(b->total.deployed.cycles[MEMORY], 10 * base->total.deployed.cycles[MEMORY] - 10 * 36,
                    10 * base->total.deployed.cycles[MEMORY]);
    assert_string_equal(b->engines[b->total.deployed.bound], "memory");
    assert_int_equal(b->hardware.weakest_kind, ROOF_KIND_ASSUMED);
    roof_prediction_free(base);
    roof_prediction_free(a);
    roof_prediction_free(b);
    fx_close(&net);
}

/* More cores help until the memory that they share is used up. */
static void cores_multiply_the_rate_up_to_the_memory(void **state)
{
    const roof_predict_options two = {.cores = 2}, many = {.cores = 1000};
    (void)state;
    fx_net net = example("mobilenetv2");
    roof_prediction *one = fx_predict(net.graph, "b4096", NULL);
    roof_prediction *a = fx_predict(net.graph, "b4096", &two), *b = fx_predict(net.graph, "b4096", &many);
    assert_true(fabs(one->total.inferences_per_s * one->schedule.scheduled_s - 1) < 1e-12);
    assert_true(fabs(a->total.inferences_per_s / one->total.inferences_per_s - 2) < 1e-12);
    double most = 19.2e9 / (double)bytes_of(&one->total.deployed.traffic);
    assert_true(fabs(b->total.inferences_per_s / most - 1) < 1e-12);
    assert_int_equal(a->total.deployed.ideal_cycles, one->total.deployed.ideal_cycles);
    roof_prediction_free(one);
    roof_prediction_free(a);
    roof_prediction_free(b);
    fx_close(&net);
}

/* Where rates count all cores, one inference has the part of those that are asked for, and no more rate comes
 * of naming them; where they are of one core, cores multiply the rate. */
static void cores_are_counted_once(void **state)
{
    static const struct {
        const char *hw;
        uint32_t cores;     /* 0: not said */
        double per_s, of_s; /* rate and time at best, over those of all of them; 0: refused */
    } rows[] = {{"rk3588", 0, 1, 1},
                {"rk3588", 1, 1.0 / 3, 3},
                {"rk3588", 2, 2.0 / 3, 1.5},
                {"rk3588", 3, 1, 1},
                {"rk3588", 4, 0, 0},
                {"rk3576", 1, 1.0 / 2, 2},
                {"raspberry-pi-5", 1, 0.25, 4},
                {"raspberry-pi-5", 4, 1, 1},
                {"hailo-8", 1, 0, 0},
                {"t4", 2, 0, 0}};
    const roof_predict_options by_rate = {.bandwidth_bytes_per_s = 1e12}; /* the cores bind, not the memory */
    (void)state;
    fx_net net = example("resnet50");
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_predict_options options = by_rate;
        options.cores = rows[i].cores;
        roof_prediction *all = fx_predict(net.graph, rows[i].hw, &by_rate), *some = NULL;
        roof_hw *hw = fx_hw(rows[i].hw);
        roof_status status = roof_predict(net.graph, hw, &options, &some, NULL);
        roof_hw_free(hw);
        assert_int_equal(status, rows[i].per_s > 0 ? ROOF_OK : ROOF_E_USAGE);
        if (some &&
            (fabs(some->total.most_inferences_per_s / all->total.most_inferences_per_s / rows[i].per_s - 1) >
                 0.01 ||
             fabs(roof_best_s(some) / roof_best_s(all) / rows[i].of_s - 1) > 0.01))
            fail_msg("%s, %u cores: %g/s and %g s, all: %g/s and %g s", rows[i].hw, rows[i].cores,
                     some->total.most_inferences_per_s, roof_best_s(some), all->total.most_inferences_per_s,
                     roof_best_s(all));
        roof_prediction_free(all);
        roof_prediction_free(some);
    }
    fx_close(&net);
}

/* Numbers of other hardware are a question that is answered, but not as if the board had them. */
static void what_is_more_than_the_hardware_has_is_told_first(void **state)
{
    static const struct {
        const char *hw;
        roof_predict_options options;
        uint32_t findings;
        const char *first; /* what the verdict begins with */
    } rows[] = {
        {"kv260", {.cores = 4}, 1, "What if: 4 cores requested, kv260 has 1. "},
        {"zcu102", {.cores = 3}, 0, "net on "},
        {"b4096", {.cores = 2}, 0, "net on "}, /* how many a board has is its designer's choice */
        {"kv260", {.clock_hz = 3e9}, 1, "What if: requested clock 3 GHz exceeds what kv260 has: 300 MHz. "},
        {"kv260", {.clock_hz = 325e6}, 0, "net on "},
        {"kv260",
         {.bandwidth_bytes_per_s = 1e11},
         1,
         "What if: a bandwidth of 100 GB/s is requested, and kv260 has 19.2 GB/s. "},
        {"kv260", {.clock_hz = 6e8, .cores = 2}, 2, "What if: requested clock 600 MHz"},
    };
    (void)state;
    fx_net net = example("mobilenetv2");
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = fx_predict(net.graph, rows[i].hw, &rows[i].options);
        if (fx_count_findings(p, ROOF_FINDING_BEYOND_HARDWARE) != rows[i].findings ||
            strncmp(fx_verdict(p, 0), rows[i].first, strlen(rows[i].first)) != 0)
            fail_msg("row %zu: %s", i, fx_verdict(p, 0));
        roof_prediction_free(p);
    }
    fx_close(&net);
}

static void a_large_batch_on_many_cores_has_a_rate(void **state)
{
    const roof_predict_options options = {.batch = 65536, .cores = 65536};
    (void)state;
    fx_net net = example("tiny");
    roof_prediction *p = fx_predict(net.graph, "b4096", &options);
    assert_true(p->total.inferences_per_s > 1000);
    roof_prediction_free(p);
    fx_close(&net);
}

/* ---- the hardware asked for, and the hardware compiled for ---- */

static const fx_op conv_ops[] = {
    FX("in", "data-fix", {1, 8, 8, 16}, .in_ddr = true, .reg_id = 2),
    FX("w", "const-fix", {16, 1, 1, 16}, .layer = "l", .in_ddr = true, .reg_id = 0),
    FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1}, .layer = "l",
       .in_ddr = true, .reg_id = 1),
};

static void a_model_for_another_size_keeps_its_array(void **state)
{
    static const fx_target b512 = {.name = "DPUCZDX8G_ISA1_B512", .fingerprint = FX_B512};
    (void)state;
    fx_net net = fx_open(fx_model(conv_ops, COUNT(conv_ops), &b512), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    const char *text = fx_finding(p, ROOF_FINDING_OTHER_TARGET);
    assert_true(strncmp(text, "compiled for DPUCZDX8G B512, instruction set 1: convolution 4 x 8 x 8,", 70) ==
                0);
    assert_non_null(strstr(text, "engines from the file; clock, ports and memory from"));
    assert_int_equal(p->total.deployed.cycles[CONV], 2 * 8 * 2 * 2); /* 4 x 8 x 8, not 8 x 16 x 16 */
    assert_true(p->hardware.peak_ops_per_s == 512 * 300e6);
    roof_prediction_free(p);
    p = fx_predict(net.graph, "b512", NULL);
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_OTHER_TARGET), 0);
    roof_prediction_free(p);
    fx_close(&net);
}

/* A day for an inference, or a calibration of something else, is said, and not only printed. */
static void times_that_nobody_waits_for_are_found(void **state)
{
    static const struct {
        const char *hw;
        double per_inference_s;
        const char *text; /* NULL: none is absurd */
    } rows[] = {{"mac=64/cycle,clock=1MHz,ddr=1GB/s", 0.01, NULL},
                {"mac=64/cycle,clock=1MHz,ddr=1GB/s", 9e11,
                 "with this calibration an inference takes 900000000000 s"},
                {"mac=1/cycle,clock=1Hz,ddr=1B/s", 0, "ideally an inference takes"}};
    fx_net net = example("tiny");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_calibration c = {.n_parameters = 1};
        c.parameters[0].name = "per_inference_s";
        c.parameters[0].value = rows[i].per_inference_s;
        c.parameters[0].most = INFINITY;
        const roof_predict_options options = {.calibration = &c};
        roof_prediction *p = fx_predict(net.graph, rows[i].hw, rows[i].per_inference_s > 0 ? &options : NULL);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_ABSURD_TIME), rows[i].text != NULL);
        if (rows[i].text)
            assert_non_null(strstr(fx_finding(p, ROOF_FINDING_ABSURD_TIME), rows[i].text));
        roof_prediction_free(p);
    }
    fx_close(&net);
}

static void a_rate_of_a_hundred_times_the_hardwares_is_a_slip_of_a_prefix(void **state)
{
    static const struct {
        double clock_hz, bandwidth_bytes_per_s;
        const char *want; /* NULL: it is predicted */
    } rows[] = {
        {29.9e9, 0, NULL},
        {30e9, 0, "a clock of 30 GHz is 100 times the 300 MHz of 'b4096'; check the prefix of the unit"},
        {0, 1.919e12, NULL},
        {0, 1.92e12, "a bandwidth of 1.92 TB/s is 100 times the 19.2 GB/s of 'b4096'"},
    };
    fx_net net = example("mobilenetv2");
    roof_hw *hw = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_hw_load("b4096", &hw, &err), ROOF_OK);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_predict_options options = {.clock_hz = rows[i].clock_hz,
                                              .bandwidth_bytes_per_s = rows[i].bandwidth_bytes_per_s};
        roof_prediction *p = NULL;
        const roof_status status = roof_predict(net.graph, hw, &options, &p, &err);
        if (status != (rows[i].want ? ROOF_E_USAGE : ROOF_OK) ||
            (rows[i].want && !strstr(err.what, rows[i].want)))
            fail_msg("row %zu: %d, %s", i, status, fx_message(&err));
        roof_prediction_free(p);
    }
    roof_hw_free(hw);
    fx_close(&net);
}

/* No sentence holds a time that is infinite, and no number either: what would make one is named. */
static void a_time_that_overflows_is_refused_by_what_makes_it(void **state)
{
    static const struct {
        const char *hw;
        double per_inference_s;
        const char *want;
    } rows[] = {
        {"base=b4096,clock=1e-310Hz", 0, "hardware 'b4096': 'clock' is 1e-310 Hz, want 1 or more"},
        {"base=b4096,clock=0Hz", 0, "hardware 'b4096': 'clock' is 0 Hz, want 1 or more"},
        {"base=b4096,ddr.bandwidth=1e-310B/s", 0,
         "hardware 'b4096': 'ddr.bandwidth' is 1e-310 B/s, want 1 or more"},
        {"b4096", INFINITY,
         "an inference would take longer than 1e+12 s; look for a 0, or what is next to nothing, in"},
        {"b4096", 9e15, "an inference would take longer than 1e+12 s"},
        {"base=kv260,expect.vitis-ai-3.replay.load=0B/cycle,expect.vitis-ai-3.serial.conv=0", 0,
         "in constants of vitis-ai-3 on kv260: serial"},
    };
    fx_net net = example("mobilenetv2");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_calibration c = {.n_parameters = 1};
        roof_hw *hw = NULL;
        roof_prediction *p = NULL;
        roof_error err = {0};
        c.parameters[0].name = "per_inference_s";
        c.parameters[0].value = rows[i].per_inference_s;
        c.parameters[0].most = INFINITY;
        const roof_predict_options options = {.calibration = rows[i].per_inference_s > 0 ? &c : NULL};
        assert_int_equal(roof_hw_load(rows[i].hw, &hw, &err), ROOF_OK);
        if (roof_predict(net.graph, hw, &options, &p, &err) != ROOF_E_DATA || !strstr(err.what, rows[i].want))
            fail_msg("%s: %s", rows[i].hw, fx_message(&err));
        roof_hw_free(hw);
    }
    roof_prediction *p = fx_predict(net.graph, "base=kv260,expect.vitis-ai-3.replay.scatter=1e300", NULL);
    assert_true(isnan(p->total.predicted_ci95_s[1]) && p->total.predicted_s > 0);
    assert_null(strstr(fx_verdict(p, 0), "infinite"));
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_model_for_another_family_is_counted_by_its_shapes(void **state)
{
    (void)state;
    fx_net net = example("tiny");
    roof_prediction *p = fx_predict(net.graph, "mac=64/cycle,clock=1MHz,ddr=1GB/s,name=toy", NULL);
    const char *text = fx_finding(p, ROOF_FINDING_OTHER_TARGET);
    assert_non_null(
        strstr(text, "(0x101000056010407), not toy: bytes from the file, cycles from the shapes on"));
    assert_int_equal(p->layers[0].deployed.cycles[0], 110592 / 64);
    assert_int_equal(p->layers[0].deployed.bytes_basis, ROOF_BASIS_CODE);
    assert_int_equal(p->layers[0].deployed.cycles_basis, ROOF_BASIS_FORMULA);
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_PARTIAL_LAW), 1);
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_name_that_contradicts_the_fingerprint_is_a_finding(void **state)
{
    static const struct {
        const char *name;
        uint64_t fingerprint;
        uint32_t findings;
    } cases[] = {
        {"DPUCZDX8G_ISA1_B4096", FX_B4096, 0},
        {"DPUCZDX8G_ISA1_B4096_0101000056010407", FX_B4096, 0},
        {"DPUCVDX8G_ISA1_B4096", FX_B4096, 1},
        {"DPUCZDX8G_ISA0_B4096", FX_B4096, 1},
        {"DPUCZDX8G_ISA1_B512", FX_B4096, 1},
        {"", FX_B4096, 0},
        {"DPUCVDX8G_ISA0_B1152", 0x01000020f6012203, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fx_target target = {.name = cases[i].name, .fingerprint = cases[i].fingerprint};
        fx_net net = fx_open(fx_model(conv_ops, COUNT(conv_ops), &target), NULL);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        if (fx_count_findings(p, ROOF_FINDING_TARGET_NAME) != cases[i].findings)
            fail_msg("'%s'", cases[i].name);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void an_unknown_fingerprint_is_a_finding(void **state)
{
    static const fx_target old = {.name = "DPUv3e B4096", .fingerprint = 0x40000};
    (void)state;
    fx_net net = fx_open(fx_model(conv_ops, COUNT(conv_ops), &old), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_string_equal(
        fx_finding(p, ROOF_FINDING_UNKNOWN_TARGET),
        "compiled for 'DPUv3e B4096', fingerprint 0x40000, whose configuration is not public");
    assert_int_equal(p->total.deployed.cycles[CONV], 8);
    roof_prediction_free(p);
    fx_close(&net);
}

/* ---- hardware that does not do ---- */

static const char clock_only[] =
    "{\"schema\":\"roofline.hardware/1\",\"id\":\"x\",\"name\":\"x\",%s\"values\":{\"%s\":"
    "{\"value\":1000000,\"unit\":\"%s\",\"kind\":\"assumed\",\"source\":\"test\"}}}";

static void incomplete_hardware_is_refused_by_what_it_lacks(void **state)
{
    static const struct {
        const char *family, *key, *unit;
        roof_status status;
        const char *want;
    } cases[] = {
        {"\"family\":\"dpuczdx8g\",", "clock", "Hz", ROOF_E_DATA,
         "hardware 'x' states no 'conv.pixel_parallel', which the cost model 'dpuczdx8g' needs"},
        {"\"family\":\"dpuczdx8g\",", "ddr.bandwidth", "B/s", ROOF_E_DATA,
         "hardware 'x' states no 'clock'; pass --clock"},
        {"\"family\":\"dpucvdx8g\",", "clock", "Hz", ROOF_E_DATA,
         "hardware 'x': the hardware states neither 'peak' nor 'peak.rate' above 0"},
        {"\"family\":\"strange\",", "clock", "Hz", ROOF_E_UNSUPPORTED,
         "hardware 'x' is of family 'strange', for which there is no cost model"},
    };
    (void)state;
    fx_net net = example("quantised");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char path[] = "/tmp/roofline-test-XXXXXX.json";
        int fd = mkstemps(path, 5);
        assert_true(fd >= 0);
        assert_true(dprintf(fd, clock_only, cases[i].family, cases[i].key, cases[i].unit) > 0);
        close(fd);
        assert_refused(net.graph, path, cases[i].status, cases[i].want);
        unlink(path);
    }
    fx_close(&net);
}

/* A depthwise convolution on hardware without an engine for it takes an unknown time; a bound that leaves it
 * out says so. */
static void work_for_an_engine_that_is_not_there_is_a_finding(void **state)
{
    static const char *const specs[] = {"b4096-isa0-min", "base=b4096,alu.pixel_parallel=0"};
    (void)state;
    for (size_t i = 0; i < COUNT(specs); i++) {
        fx_net net = example("quantised");
        roof_prediction *p = fx_predict(net.graph, specs[i], NULL);
        uint32_t about_it = 0;
        assert_true(row_named(p, "dw1")->deployed.cycles[ALU] == ROOF_UNKNOWN);
        for (uint32_t f = 0; f < p->n_findings; f++)
            about_it += (p->findings[f].place && strcmp(p->findings[f].place, "dw1") == 0) ||
                        strstr(fx_finding_text(&p->findings[f]), "dw1") ||
                        strstr(fx_finding_text(&p->findings[f]), "depthwise");
        if (!about_it)
            fail_msg("%s: no finding about the depthwise convolution 'dw1'", specs[i]);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* ---- ops ---- */

static void unknown_and_host_ops_are_counted_findings(void **state)
{
    const fx_op ops[] = {FX("in", "data-fix", {1, 8}),
                         FX("u1", "made-up", {1, 8}, .inputs = {"in"}, .layer = "a"),
                         FX("u2", "made-up", {1, 8}, .inputs = {"u1"}, .layer = "b"),
                         FX("v", "other-fix", {1, 8}, .inputs = {"u2"}, .layer = "b"),
                         FX("h", "PPScatterV2", {1, 8}, .inputs = {"v"}, .layer = "cpu")};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), &b4096_target), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_UNKNOWN_OP), 2);
    assert_string_equal(fx_finding(p, ROOF_FINDING_UNKNOWN_OP),
                        "operator 'made-up' (2 of them, first 'u1') has no cost rule");
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_HOST_OP), 1);
    assert_true(row_named(p, "a")->macs == ROOF_UNKNOWN);
    assert_true(row_named(p, "a")->ops_count == ROOF_UNKNOWN);
    assert_true(p->total.macs == ROOF_UNKNOWN); /* of no row they are known, and a sum of none is not 0 */
    assert_true(p->total.ops_count == ROOF_UNKNOWN);
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_stored_workload_that_does_not_fit_is_a_finding(void **state)
{
    /* 16384 MACs and 1024 outputs: the first sets the convention, the second contradicts it */
    const fx_op ops[] = {
        conv_ops[0], conv_ops[1],
        FX("conv", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"in"}, .weights = "w", .kernel = {1, 1},
           .workload_ops = 33792, .layer = "l"),
        FX("again", "conv2d-fix", {1, 8, 8, 16}, .inputs = {"conv"}, .weights = "w", .kernel = {1, 1},
           .workload_ops = 32768, .layer = "l"),
        FX("flat", "reshape-fix", {1, 1024}, .inputs = {"again"}, .workload_ops = 7, .layer = "l")};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), &b4096_target), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_WORKLOAD_MISMATCH), 2);
    assert_string_equal(fx_finding(p, ROOF_FINDING_WORKLOAD_MISMATCH),
                        "op 'again' (conv2d-fix) stores a workload of 32768 ops, recomputed are 33792");
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_network_split_between_devices_is_a_finding(void **state)
{
    (void)state;
    xm_model *m = fx_model(conv_ops, COUNT(conv_ops), &b4096_target);
    xm_subgraph *parts = xm_add_children(m, m->root, 2);
    const xm_attr device = xm_string("device", "DPU");
    static const char *const names[] = {"conv"};
    for (size_t i = 0; i < 2; i++)
        parts[i] = (xm_subgraph){
            .name = i ? "second" : "first", .op_names = names, .n_op_names = 1, .attrs = {&device, 1}};
    fx_net net = fx_open(m, NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_string_equal(fx_finding(p, ROOF_FINDING_SPLIT_NETWORK),
                        "the network is split into 2 accelerator and 0 host subgraphs");
    roof_prediction_free(p);
    fx_close(&net);
}

static fx_net with_lost_op(const char *layer)
{
    fx_op ops[COUNT(conv_ops) + 1];
    memcpy(ops, conv_ops, sizeof conv_ops);
    ops[COUNT(conv_ops)] = conv_ops[2];
    ops[COUNT(conv_ops)].name = "lost";
    ops[COUNT(conv_ops)].layer = layer;
    return fx_open(fx_model(ops, COUNT(ops), &b4096_target), NULL);
}

/* An op that no layer of the accelerator lists, and one that no subgraph lists at all: their work must stay
 * in the sums. */
static void work_outside_of_layers_stays_in_the_sums(void **state)
{
    static const struct {
        const char *name, *layer;
    } cases[] = {{"in the user's part", NULL}, {"in no subgraph", "none"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fx_net net = with_lost_op(cases[i].layer);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        if (p->total.macs != 2 * 16384 || fx_count_findings(p, ROOF_FINDING_UNATTRIBUTED) == 0)
            fail_msg("%s: %" PRIu64 " MACs, want %d, and a finding", cases[i].name, p->total.macs, 2 * 16384);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void a_batch_multiplies_work_outside_of_layers_too(void **state)
{
    const roof_predict_options three = {.batch = 3};
    (void)state;
    fx_net net = with_lost_op(NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", &three);
    assert_int_equal(p->total.macs, 3 * 2 * 16384);
    assert_int_equal(p->total.ops_count, 3 * 2 * 32768);
    roof_prediction_free(p);
    fx_close(&net);
}

/* ---- code ---- */

static void without_code_bytes_and_cycles_come_from_shapes(void **state)
{
    (void)state;
    fx_net net = fx_open(fx_model(conv_ops, COUNT(conv_ops), &b4096_target), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    assert_string_equal(fx_finding(p, ROOF_FINDING_NO_CODE),
                        "subgraph 'subgraph_dpu' holds no instruction stream");
    const roof_cost *c = &row_named(p, "l")->deployed;
    assert_int_equal(c->bytes_basis, ROOF_BASIS_FORMULA);
    assert_int_equal(c->cycles_basis, ROOF_BASIS_FORMULA);
    assert_int_equal(c->traffic.weights_bytes, 256);
    assert_int_equal(c->traffic.input_bytes, 1024);
    assert_int_equal(c->traffic.output_bytes, 1024);
    assert_int_equal(c->cycles[CONV], 8);
    roof_prediction_free(p);
    fx_close(&net);
}

static void code_that_cannot_be_decoded_is_counted_and_a_finding(void **state)
{
    static const uint8_t code[] = {0, 0, 0, 0xf0};
    static const struct {
        uint64_t fingerprint;
        const char *row, *want;
    } cases[] = {
        {FX_B4096, "(instructions)",
         "subgraph 'subgraph_dpu': instruction stream of dpuczdx8g_isa1: no such opcode (15) (byte "},
        {0x020200000000002a, "(instructions)",
         "subgraph 'subgraph_dpu': the instruction set of 'T' is not public, its 4 bytes of code are only "
         "counted"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fx_target target = {
            .name = "T", .fingerprint = cases[i].fingerprint, .code = {code, sizeof code}};
        fx_net net = fx_open(fx_model(conv_ops, COUNT(conv_ops), &target), NULL);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        assert_true(
            strncmp(fx_finding(p, ROOF_FINDING_UNDECODABLE_CODE), cases[i].want, strlen(cases[i].want)) == 0);
        assert_true(row_named(p, cases[i].row)->is_remainder);
        assert_int_equal(p->total.deployed.traffic.instruction_bytes, sizeof code);
        assert_int_equal(p->total.deployed.traffic.weights_bytes, 256);
        roof_prediction_free(p);
        p = fx_predict(net.graph, "mac=1000/cycle,clock=1GHz,ddr=1MB/s", NULL);
        assert_int_equal(row_named(p, cases[i].row)->deployed.bound, p->total.deployed.bound);
        assert_non_null(strstr(fx_verdict(p, 1), "(1 of 1 layer)")); /* instructions are no layer */
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* An entry's assumption has to be known before the result is used; one's own is known. */
static void what_was_asked_for_is_no_finding(void **state)
{
    static const struct {
        const char *spec;
        roof_predict_options options;
        uint32_t findings;
    } rows[] = {
        {"b4096", {0}, 0},
        {"b4096", {.clock_hz = 200e6, .bandwidth_bytes_per_s = 1e9, .cores = 2}, 0},
        {"base=b4096,clock=200MHz", {0}, 0},
        {"b512", {0}, 1},
        {"b512", {.bandwidth_bytes_per_s = 1e9}, 1},
        {"b512", {.clock_hz = 200e6}, 0},
        {"base=b512,clock=200MHz", {0}, 0},
    };
    (void)state;
    fx_net net = fx_open(fx_model(conv_ops, COUNT(conv_ops), &b4096_target), NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = fx_predict(net.graph, rows[i].spec, &rows[i].options);
        if (fx_count_findings(p, ROOF_FINDING_ASSUMED_VALUE) != rows[i].findings)
            fail_msg("row %zu, %s", i, rows[i].spec);
        roof_prediction_free(p);
    }
    fx_close(&net);
}

static void code_of_layers_gives_a_second_cost(void **state)
{
    const xn_config config = {.layer_code = true};
    (void)state;
    fx_net with = fx_open(xn_mobilenet_v2(&config, NULL), NULL), without = example("mobilenetv2");
    roof_prediction *p = fx_predict(with.graph, "b4096", NULL), *q = fx_predict(without.graph, "b4096", NULL);
    assert_true(p->total.has_alone);
    assert_false(q->total.has_alone);
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_LAYER_CODE_DIFFERS), 1);
    assert_int_equal(p->total.deployed.ideal_cycles, q->total.deployed.ideal_cycles);
    uint64_t ideal = 0;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        if (strcmp(p->layers[i].device, "CPU") == 0)
            continue;
        assert_true(p->layers[i].has_alone);
        assert_true(bytes_of(&p->layers[i].alone.traffic) >= bytes_of(&p->layers[i].deployed.traffic));
        assert_int_equal(p->layers[i].alone.cycles[CONV], p->layers[i].deployed.cycles[CONV]);
        ideal += p->layers[i].alone.ideal_cycles;
    }
    assert_int_equal(p->total.alone.ideal_cycles, ideal);
    roof_prediction_free(p);
    roof_prediction_free(q);
    fx_close(&with);
    fx_close(&without);
}

/* ---- limits ---- */

/* One tensor of 2^58 bytes, read 64 times by one layer: each count fits, their sum does not. */
static void a_sum_of_bytes_beyond_64_bits_is_an_error(void **state)
{
    enum { READS = 64 };
    const fx_op big =
        FX("in", "data-fix", {1u << 17, 1u << 17, 1u << 17}, .bit_width = 1024, .in_ddr = true, .reg_id = 1);
    xm_model *m = xm_model_new("wide");
    const char *inputs[READS];
    const xm_arg arg = {"input", inputs, READS};
    const xm_attr device = xm_string("device", "DPU");
    const char *names[] = {"all"};
    (void)state;
    for (size_t i = 0; i < READS; i++)
        inputs[i] = "in";
    fx_add_op(m, &big);
    xm_op op = {.name = "all",
                .type = "eltwise-fix",
                .args = &arg,
                .n_args = 1,
                .output = {.name = "t", .dims = (const uint32_t[]){1}, .n_dims = 1, .bit_width = 8}};
    xm_add_op(m, &op);
    xm_subgraph *dpu = xm_add_children(m, m->root, 1);
    *dpu = (xm_subgraph){.name = "dpu", .op_names = names, .n_op_names = 1, .attrs = {&device, 1}};
    fx_net net = fx_open(m, NULL);
    roof_hw *hw = fx_hw("b4096");
    roof_prediction *p = NULL;
    roof_error err = {0};
    assert_true(net.graph->ops[0].out.bytes == (uint64_t)1 << 58);
    roof_status status = roof_predict(net.graph, hw, NULL, &p, &err);
    if (status != ROOF_E_LIMIT)
        fail_msg("status %d, input %" PRIu64 " bytes", (int)status,
                 p ? p->total.deployed.traffic.input_bytes : 0);
    roof_prediction_free(p);
    roof_hw_free(hw);
    fx_close(&net);
}

static void a_batch_that_overflows_is_an_error(void **state)
{
    const roof_predict_options options = {.batch = UINT32_MAX};
    const fx_op ops[] = {FX("in", "data-fix", {1, 1, 1, 1u << 20}),
                         FX("w", "const-fix", {1u << 14, 1, 1, 1u << 20}, .layer = "l"),
                         FX("conv", "conv2d-fix", {1, 1, 1u << 10, 1u << 14}, .inputs = {"in"},
                            .weights = "w", .kernel = {1, 1}, .layer = "l")};
    roof_hw *hw = fx_hw("b4096");
    roof_prediction *p = NULL;
    roof_error err = {0};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), &b4096_target), NULL);
    assert_int_equal(roof_predict(net.graph, hw, &options, &p, &err), ROOF_E_LIMIT);
    assert_non_null(strstr(fx_message(&err), "overflows 64 bits"));
    roof_hw_free(hw);
    fx_close(&net);
}

/* The convolution and the ALU work side by side; a layer that fills both does not run at more than its
 * peak. */
static void no_layer_uses_more_than_the_hardware(void **state)
{
    /* convolution 16/8 * 8 * 288/16 = 288 cycles, all lanes busy; depthwise 16/4 * 8 * 9 = 288 */
    const fx_op ops[] = {FX("in", "data-fix", {1, 16, 8, 288}),
                         FX("w", "const-fix", {16, 1, 1, 288}, .layer = "l", .in_ddr = true),
                         FX("conv", "conv2d-fix", {1, 16, 8, 16}, .inputs = {"in"}, .weights = "w",
                            .kernel = {1, 1}, .layer = "l"),
                         FX("dw", "const-fix", {1, 3, 3, 16}, .layer = "l"),
                         FX("depthwise", "depthwise-conv2d-fix", {1, 16, 8, 16}, .inputs = {"conv"},
                            .weights = "dw", .kernel = {3, 3}, .layer = "l")};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), &b4096_target), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    const roof_layer_prediction *row = row_named(p, "l");
    assert_int_equal(row->deployed.cycles[CONV], 288);
    assert_int_equal(row->deployed.cycles[ALU], 288);
    assert_int_equal(row->deployed.ideal_cycles, 288);
    if (row->utilisation_ratio > 1)
        fail_msg("utilisation %g", row->utilisation_ratio);
    roof_prediction_free(p);
    fx_close(&net);
}

/* ---- what the document says about itself ---- */

static void the_model_and_the_hardware_are_described(void **state)
{
    const roof_predict_options options = {.hash = true};
    (void)state;
    fx_net net = fx_written(xn_tiny(NULL, NULL), NULL);
    fx_read(&net, "folder/my.net.xmodel");
    roof_prediction *p = fx_predict(net.graph, "b4096", &options);
    assert_string_equal(p->model.path, "folder/my.net.xmodel");
    assert_string_equal(p->model.name, "my.net");
    assert_string_equal(p->model.compiler, "xcompiler.3.5.0");
    assert_string_equal(p->model.target, "DPUCZDX8G_ISA1_B4096");
    assert_true(p->model.fingerprint == FX_B4096);
    assert_int_equal(strlen(p->model.sha256), 64);
    assert_string_equal(p->model.graph_hash, net.graph->graph_hash);
    assert_string_equal(p->hardware.law, "dpuczdx8g");
    assert_string_equal(p->hardware.board, "KV260");
    assert_true(p->hardware.peak_ops_per_s == 1228.8e9);
    fx_close(&net); /* the prediction borrows nothing */
    assert_string_equal(p->model.name, "my.net");
    assert_string_equal(p->layers[0].name, "subgraph_conv0");
    assert_string_equal(p->layers[0].type, "conv+maxpool");
    assert_string_equal(p->layers[0].shape, "16x16x3 -> 16x16x16 k3x3 s1x1");
    assert_int_equal(p->layers[3].executor, ROOF_BY_NOBODY);
    assert_string_equal(p->layers[4].device, "CPU");
    assert_true(p->layers[4].deployed.ideal_cycles == ROOF_UNKNOWN);
    roof_prediction_free(p);
}

static void a_model_tells_the_hardware_that_it_was_compiled_for(void **state)
{
    static const struct {
        const char *network, *id;
    } rows[] = {{"tiny", "b4096"}, {"quantised", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = example(rows[i].network);
        roof_hw *hw = NULL;
        assert_int_equal(roof_hw_of_model(net.graph, &hw, NULL), ROOF_OK);
        assert_int_equal(hw != NULL, rows[i].id != NULL);
        if (hw)
            assert_string_equal(roof_hw_id(hw), rows[i].id);
        roof_hw_free(hw);
        fx_close(&net);
    }
}

static void a_quantised_network_is_a_finding(void **state)
{
    (void)state;
    /* by the rules of the compiler of a DPU, and by those of runtimes */
    static const struct {
        const char *spec, *begins;
        roof_finding_kind kind;
        uint32_t layers;
    } rows[] = {
        {"b4096", "uncompiled model: lowering rules give 4 accelerator layers and 0 CPU operators",
         ROOF_FINDING_LOWERED, 4},
        {"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s",
         "uncompiled model: lowering rules give 5 accelerator layers and 0 CPU operators",
         ROOF_FINDING_LOWERED, 5},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = example("quantised");
        roof_prediction *p = fx_predict(net.graph, rows[i].spec, NULL);
        assert_true(strncmp(fx_finding(p, rows[i].kind), rows[i].begins, strlen(rows[i].begins)) == 0);
        assert_false(p->model.compiled);
        assert_true(p->model.fingerprint == ROOF_UNKNOWN);
        assert_null(p->model.target);
        assert_int_equal(p->total.layers, rows[i].layers);
        assert_true(p->total.workload_ops == ROOF_UNKNOWN);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

static void every_kind_of_finding_has_a_word_and_advice(void **state)
{
    (void)state;
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++) {
        assert_true(strlen(roof_finding_kind_text((roof_finding_kind)kind)) > 3);
        assert_true(strlen(roof_finding_advice((roof_finding_kind)kind)) > 10);
    }
    assert_string_equal(roof_finding_kind_text(ROOF_FINDING_COUNT), "unknown");
    assert_string_equal(roof_finding_advice(ROOF_FINDING_COUNT), "");
}

/* A description of hardware may leave its family out. */
static void hardware_of_no_family_is_refused(void **state)
{
    char path[] = "/tmp/roofline-test-XXXXXX.json";
    (void)state;
    fx_net net = example("quantised");
    int fd = mkstemps(path, 5);
    assert_true(fd >= 0);
    assert_true(dprintf(fd, clock_only, "", "clock", "Hz") > 0);
    close(fd);
    assert_refused(net.graph, path, ROOF_E_UNSUPPORTED,
                   "hardware 'x' is of family '', for which there is no cost model");
    unlink(path);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_of_the_examples_are_exact),
        cmocka_unit_test(rows_follow_from_the_closed_formulas),
        cmocka_unit_test(mobilenetv2_is_bound_by_the_alu_and_the_verdict_says_so),
        cmocka_unit_test(the_first_sentence_claims_no_more_than_is_known),
        cmocka_unit_test(sums_close_over_rows),
        cmocka_unit_test(a_batch_multiplies_everything_where_a_pass_is_one_image),
        cmocka_unit_test(lanes_share_a_pass),
        cmocka_unit_test(clock_and_bandwidth_can_be_overridden),
        cmocka_unit_test(cores_multiply_the_rate_up_to_the_memory),
        cmocka_unit_test(cores_are_counted_once),
        cmocka_unit_test(what_is_more_than_the_hardware_has_is_told_first),
        cmocka_unit_test(a_large_batch_on_many_cores_has_a_rate),
        cmocka_unit_test(a_model_for_another_size_keeps_its_array),
        cmocka_unit_test(times_that_nobody_waits_for_are_found),
        cmocka_unit_test(a_rate_of_a_hundred_times_the_hardwares_is_a_slip_of_a_prefix),
        cmocka_unit_test(a_time_that_overflows_is_refused_by_what_makes_it),
        cmocka_unit_test(a_model_for_another_family_is_counted_by_its_shapes),
        cmocka_unit_test(a_name_that_contradicts_the_fingerprint_is_a_finding),
        cmocka_unit_test(an_unknown_fingerprint_is_a_finding),
        cmocka_unit_test(incomplete_hardware_is_refused_by_what_it_lacks),
        cmocka_unit_test(work_for_an_engine_that_is_not_there_is_a_finding),
        cmocka_unit_test(unknown_and_host_ops_are_counted_findings),
        cmocka_unit_test(a_stored_workload_that_does_not_fit_is_a_finding),
        cmocka_unit_test(a_network_split_between_devices_is_a_finding),
        cmocka_unit_test(work_outside_of_layers_stays_in_the_sums),
        cmocka_unit_test(a_batch_multiplies_work_outside_of_layers_too),
        cmocka_unit_test(without_code_bytes_and_cycles_come_from_shapes),
        cmocka_unit_test(code_that_cannot_be_decoded_is_counted_and_a_finding),
        cmocka_unit_test(what_was_asked_for_is_no_finding),
        cmocka_unit_test(code_of_layers_gives_a_second_cost),
        cmocka_unit_test(a_sum_of_bytes_beyond_64_bits_is_an_error),
        cmocka_unit_test(a_batch_that_overflows_is_an_error),
        cmocka_unit_test(no_layer_uses_more_than_the_hardware),
        cmocka_unit_test(the_model_and_the_hardware_are_described),
        cmocka_unit_test(a_model_tells_the_hardware_that_it_was_compiled_for),
        cmocka_unit_test(a_quantised_network_is_a_finding),
        cmocka_unit_test(every_kind_of_finding_has_a_word_and_advice),
        cmocka_unit_test(hardware_of_no_family_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
