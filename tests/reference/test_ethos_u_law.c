/* Vela's laws, recomputed from command streams, held against Vela's own reports; and the least that a network
 * takes against what was measured. Where ../shared has the files. */
#include "model/laws/ethos_u_cycles.h"
#include "roofline/prediction.h"
#include "tests/support/accuracy.h"
#include "tests/support/document_rows.h"
#include "tests/support/vela_tables.h"

#include <math.h>

/* ---- agreement, row by row ---- */

/* A system configuration and a memory mode, in the words of oracle_law.tsv. */
typedef struct around {
    const char *system, *mode, *words; /* words: Vela's own of the mode */
    ethosu_system is;
} around;

#define SRAM(bytes, latency)                                                                                 \
    {                                                                                                        \
        bytes, 32, latency, latency                                                                          \
    }
static const around systems[] = {
    {"hi55",
     "shared",
     "Shared_Sram",
     {{[ETHOSU_SRAM] = SRAM(8, 32), [ETHOSU_OFF_CHIP_FLASH] = {1, 128, 64, 64}},
      {ETHOSU_OFF_CHIP_FLASH, ETHOSU_SRAM, ETHOSU_SRAM}}},
    {"hi55",
     "sramonly",
     "Sram_Only",
     {{[ETHOSU_SRAM] = SRAM(8, 32), [ETHOSU_ON_CHIP_FLASH] = SRAM(8, 32)},
      {ETHOSU_ON_CHIP_FLASH, ETHOSU_SRAM, ETHOSU_SRAM}}},
    {"hi65",
     "dedicated",
     "Dedicated_Sram",
     {{[ETHOSU_SRAM] = SRAM(16, 32), [ETHOSU_DRAM] = {3.75, 128, 500, 250}},
      {ETHOSU_DRAM, ETHOSU_DRAM, ETHOSU_SRAM}}},
    {"cs65",
     "dedicated",
     "Dedicated_Sram",
     {{[ETHOSU_SRAM] = SRAM(16, 32), [ETHOSU_DRAM] = {12, 128, 500, 250}},
      {ETHOSU_DRAM, ETHOSU_DRAM, ETHOSU_SRAM}}},
    {"himax",
     "shared",
     "Shared_Sram",
     {{[ETHOSU_SRAM] = SRAM(8, 16), [ETHOSU_OFF_CHIP_FLASH] = {0.125, 32, 64, 64}},
      {ETHOSU_OFF_CHIP_FLASH, ETHOSU_SRAM, ETHOSU_SRAM}}},
};

static const around *around_of(const vela_table *t)
{
    for (size_t i = 0; i < COUNT(systems); i++)
        if (strcmp(systems[i].system, vela_cell(t, "system")) == 0 &&
            strcmp(systems[i].mode, vela_cell(t, "mode")) == 0)
            return &systems[i];
    fail_msg("no system '%s', '%s'", vela_cell(t, "system"), vela_cell(t, "mode"));
    return NULL;
}

/* What agrees, of one core of Vela, target and mode. */
typedef struct agreement {
    char of[80];
    bool is_regor;
    unsigned files, rows, macs, npu, memories[ETHOSU_MEMORIES];
    double worst_ratio; /* of the total of a network, away from 1 */
    double worst_npu_ratio;
} agreement;

static agreement agreements[32];
static size_t n_agreements;

static agreement *agreement_of(const char *of)
{
    size_t i = 0;
    while (i < n_agreements && strcmp(agreements[i].of, of) != 0)
        i++;
    assert_true(i < COUNT(agreements));
    if (i == n_agreements) {
        n_agreements++;
        snprintf(agreements[i].of, sizeof agreements[i].of, "%s", of);
    }
    return &agreements[i];
}

static void worsen(double *worst, double got, double want)
{
    const double away = fabs(got / want - 1);
    *worst = away > *worst ? away : *worst;
}

/* Vela prints fractions of cycles, Regor whole ones. */
static bool is_same(double got, double want, bool is_regor)
{
    return fabs(got - want) < (is_regor ? 1 : 1e-6 * (1 + want));
}

static void compare_rows(const vela_table *sample, const roof_program *p, const around *system)
{
    static const char *const columns[ETHOSU_MEMORIES] = {"SRAM AC", "DRAM AC", "OnFlash AC", "OffFlash AC"};
    char of[80];
    vela_table t;
    roof_error err = {0};
    const ethosu_stream *stream = p->rows[0].work.commands->stream;
    double npu = 0, vela_npu = 0, total = 0;
    if (!vela_open_layers(&t, vela_cell(sample, "sample")))
        return;
    snprintf(of, sizeof of, "%s %s-%u %s", stream->is_regor ? "Regor" : "Python",
             ethosu_product_text(stream->payload.product), stream->payload.macs_per_cycle, system->words);
    agreement *a = agreement_of(of);
    ethosu_estimate *e = calloc(stream->n_groups, sizeof *e);
    assert_non_null(e);
    assert_int_equal(ethosu_vela_estimates(stream, &system->is, e, &err), ROOF_OK);
    a->is_regor = stream->is_regor;
    a->files++;
    for (uint32_t i = 0; vela_next_layer(&t); i++) {
        double most = e[i].npu;
        assert_true(i < stream->n_groups);
        a->rows++;
        a->macs += stream->groups[i].macs == strtoull(vela_cell(&t, "MAC Count"), NULL, 10);
        a->npu += is_same(e[i].npu, vela_number(&t, "NPU"), a->is_regor);
        for (int m = 0; m < ETHOSU_MEMORIES; m++) {
            a->memories[m] += is_same(e[i].access[m], vela_number(&t, columns[m]), a->is_regor);
            most = fmax(most, e[i].access[m]);
        }
        npu += e[i].npu;
        vela_npu += vela_number(&t, "NPU");
        total += most;
    }
    worsen(&a->worst_npu_ratio, npu, vela_npu);
    worsen(&a->worst_ratio, total, vela_number(sample, "vela_total"));
    free(e);
}

/* "0.004 %"; "0" of less than is printed */
static const char *say_worst(double ratio, char text[16])
{
    if (ratio < 5e-6)
        return "0";
    snprintf(text, 16, "%.3f %%", 100 * ratio);
    return text;
}

static void rows_have_the_cycles_that_vela_prints(void **state)
{
    (void)state;
    vela_table t;
    unsigned rows[2] = {0};
    vela_need(&t, "ethosu/oracle_law.tsv");
    while (vela_next(&t)) {
        roof_graph *g = vela_read(vela_cell(&t, "sample"));
        roof_program *p = NULL;
        roof_error err = {0};
        if (!g)
            continue;
        assert_int_equal(roof_program_of(g, &p, &err), ROOF_OK);
        compare_rows(&t, p, around_of(&t));
        roof_program_free(p);
        roof_graph_free(g);
    }
    document_rows document = document_open("docs/hardware/ethos_u.md");
    for (size_t i = 0; i < n_agreements; i++) {
        const agreement *a = &agreements[i];
        /* the others are in use by nobody, so that 0 is the same there */
        unsigned external = a->rows;
        for (int m = 0; m < ETHOSU_MEMORIES; m++)
            external = m != ETHOSU_SRAM && a->memories[m] < external ? a->memories[m] : external;
        char row[200], sum[16], total[16];
        snprintf(row, sizeof row, "| %s | %u | %u | %u | %u | %u | %u | %s | %s |", a->of, a->files, a->rows,
                 a->macs, a->npu, a->memories[ETHOSU_SRAM], external, say_worst(a->worst_npu_ratio, sum),
                 say_worst(a->worst_ratio, total));
        document_has_row(&document, row);
        rows[a->is_regor] += a->rows;
        assert_int_equal(a->macs, a->rows);
        for (int m = 0; m < ETHOSU_MEMORIES; m++)
            assert_int_equal(a->memories[m], a->rows);
        assert_true(a->worst_ratio < 0.01);
        assert_true(a->worst_npu_ratio < 0.01);
        assert_true(a->npu * 10 > a->rows * 9);
    }
    document_close(&document, "| core, target, mode | networks | rows | MACs | NPU ");
    assert_true(rows[false] > 800 && rows[true] > 490);
}

/* ---- whole predictions, by the entries of the database ---- */

static roof_prediction *predict(const roof_graph *g, const char *spec)
{
    roof_hw *hw = fx_hw(spec);
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_predict(g, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s: %s", spec, fx_message(&err));
    roof_hw_free(hw);
    return p;
}

static void networks_have_the_total_that_vela_prints(void **state)
{
    (void)state;
    vela_table t;
    unsigned n = 0, n_u85 = 0;
    double worst = 0;
    accuracy totals = {.what = "Ethos-U55, U65: the total that Vela itself prints, no measured time",
                       .constants = "Vela's law, of which nothing is fitted"};
    vela_need(&t, "ethosu/oracle_vela_totals.tsv");
    while (vela_next(&t)) {
        char spec[160];
        const char *mode = vela_cell(&t, "memory_mode"), *system = vela_cell(&t, "system_config");
        roof_graph *g = vela_read(vela_cell(&t, "sample"));
        if (!g)
            continue;
        snprintf(spec, sizeof spec, "base=%s%s", system,
                 strcmp(mode, "Sram_Only") == 0 ? ",region.read_only.in_sram=1" : "");
        roof_prediction *p = predict(g, strchr(spec, ',') ? spec : system);
        if (strstr(system, "U85")) {
            assert_int_equal(p->total.estimate.cycles, ROOF_UNKNOWN);
            n_u85++;
        } else {
            const double total = vela_number(&t, "cycles_total");
            if (fabs((double)p->total.estimate.cycles / total - 1) > 0.01)
                fail_msg("%s: %" PRIu64 " cycles, want %.1f", vela_cell(&t, "sample"),
                         p->total.estimate.cycles, total);
            worsen(&worst, (double)p->total.estimate.cycles, total);
            accuracy_add(&totals, vela_cell(&t, "net"), (double)p->total.estimate.cycles, total, NULL);
            n++;
        }
        roof_prediction_free(p);
        roof_graph_free(g);
    }
    print_message("%u networks have Vela's total, the worst off by %.3f %%; %u of U85 have none\n", n,
                  100 * worst, n_u85);
    assert_int_equal(n, 30);
    assert_int_equal(n_u85, 15);
    accuracy_tell(&totals);
}

/* The least counts whole micro-blocks, but no filled-up blocks. Stripes of the Python core may be below it,
 * since Vela takes DMAs that ran ahead off them. */
static void no_row_is_estimated_below_the_least(void **state)
{
    (void)state;
    vela_table t;
    unsigned n = 0;
    vela_need(&t, "ethosu/oracle_vela_totals.tsv");
    while (vela_next(&t)) {
        vela_table layers;
        const char *sample = vela_cell(&t, "sample");
        roof_graph *g = vela_read(sample);
        roof_program *p = NULL;
        roof_error err = {0};
        if (!g || !vela_open_layers(&layers, sample))
            continue;
        assert_int_equal(roof_program_of(g, &p, &err), ROOF_OK);
        for (uint32_t i = 0; vela_next_layer(&layers); i++, n++) {
            ethosu_least least;
            assert_int_equal(ethosu_least_cycles(p->rows[i].work.commands, &least, &err), ROOF_OK);
            const double most = (double)(least.array > least.output ? least.array : least.output);
            if (most > vela_number(&layers, "NPU") && !p->rows[i].work.commands->is_striped)
                fail_msg("%s: row %u, %s: at least %.0f cycles, Vela counts %s", sample, i, p->rows[i].type,
                         most, vela_cell(&layers, "NPU"));
        }
        roof_program_free(p);
        roof_graph_free(g);
    }
    print_message("%u rows take no less than the least\n", n);
    assert_true(n > 1500);
}

/* ---- shapes ---- */

static ethosu_shape shape_of(const ethosu_payload *of, const ethosu_launch *l)
{
    const bool sums =
        l->kind == ETHOSU_CONV || (l->kind == ETHOSU_POOL && l->param == ETHOSU_POOL_REDUCE_SUM);
    return (ethosu_shape){.product = of->product,
                          .macs = of->macs_per_cycle,
                          .positions = (uint64_t)l->ofm.height * l->ofm.width,
                          .depth = l->ofm.depth,
                          .window = l->kind <= ETHOSU_POOL ? (uint64_t)l->kernel_h * l->kernel_w : 0,
                          .summed = sums ? l->ifm.depth : 0,
                          .stride = l->stride_w,
                          .is_wide = l->ifm.element_bits == 16,
                          .is_max = l->kind == ETHOSU_POOL && l->param == ETHOSU_POOL_MAX};
}

/* What a graph that nobody compiled is reckoned by, of the launches that Vela made: near to their least,
 * and never above it. */
static void shapes_take_no_longer_than_launches(void **state)
{
    (void)state;
    vela_table t;
    unsigned n = 0;
    double of_shapes = 0, of_launches = 0;
    vela_need(&t, "ethosu/oracle_vela_totals.tsv");
    while (vela_next(&t)) {
        roof_graph *g = vela_read(vela_cell(&t, "sample"));
        roof_program *p = NULL;
        roof_error err = {0};
        if (!g)
            continue;
        assert_int_equal(roof_program_of(g, &p, &err), ROOF_OK);
        for (uint32_t i = 0; i < p->n_rows; i++) {
            const ethosu_group *group = p->rows[i].work.commands;
            ethosu_least least, sum = {0};
            bool has_less = !group; /* weights or zeros that are passed over */
            for (uint32_t k = 0; group && k < group->n_members; k++) {
                const ethosu_launch *l = &group->stream->launches[group->members[k]];
                ethosu_least one;
                has_less = has_less || l->is_sparse || l->upscale == 2;
                if (l->kind == ETHOSU_DMA)
                    continue;
                const ethosu_shape shape = shape_of(&group->stream->payload, l);
                assert_int_equal(ethosu_least_of_shape(&shape, &one, &err), ROOF_OK);
                sum.array += one.array;
                sum.output += l->kind == ETHOSU_ELEMENTWISE && l->ofm.element_bits > 8 ? 0 : one.output;
            }
            if (has_less)
                continue;
            assert_int_equal(ethosu_least_cycles(group, &least, &err), ROOF_OK);
            if (sum.array > least.array || sum.output > least.output + group->n_members)
                fail_msg("%s: row %u, %s: %" PRIu64 " and %" PRIu64 " cycles, of launches %" PRIu64
                         " and %" PRIu64,
                         vela_cell(&t, "sample"), i, p->rows[i].type, sum.array, sum.output, least.array,
                         least.output);
            of_shapes += (double)sum.array;
            of_launches += (double)least.array;
            n++;
        }
        roof_program_free(p);
        roof_graph_free(g);
    }
    print_message("%u rows; the array of shapes %.3f of that of launches\n", n, of_shapes / of_launches);
    assert_true(n > 1500);
    assert_true(of_shapes > 0.7 * of_launches); /* less of a U85, whose micro-block is Vela's choice */
}

/* One network before Vela and behind it: what it puts on the NPU, and the cycles. Its weights are of another
 * length when they are compressed, so that bytes are not compared. */
static void a_network_takes_before_vela_what_it_takes_behind_it(void **state)
{
    (void)state;
    static const char *const devices[] = {"u55-32", "u55-128", "u65-256", "u65-512"};
    unsigned n = 0;
    for (size_t i = 0; i < COUNT(devices); i++) {
        char path[120], entry[40];
        snprintf(path, sizeof path, "gen_v310_ethos-%s_person.tflite", devices[i]);
        snprintf(entry, sizeof entry, "ethos-%s", devices[i]);
        roof_graph *source = vela_read("../models/person_detect.tflite"), *compiled = vela_read(path);
        if (!source || !compiled) {
            roof_graph_free(source);
            roof_graph_free(compiled);
            continue;
        }
        roof_prediction *before = predict(source, entry), *after = predict(compiled, entry);
        uint64_t of[2][2] = {{0}};
        assert_int_equal(before->total.host_layers, 0);
        for (int k = 0; k < 2; k++) { /* the array, and the output unit */
            const roof_prediction *p = k ? after : before;
            for (uint32_t r = 0; r < p->n_layers; r++)
                for (int e = 0; e < 2; e++)
                    if (p->layers[r].deployed.cycles && p->layers[r].deployed.cycles[e] != ROOF_UNKNOWN)
                        of[k][e] += p->layers[r].deployed.cycles[e];
        }
        const uint64_t ideal[] = {before->total.deployed.ideal_cycles, after->total.deployed.ideal_cycles};
        print_message("person_detect on %s: array %.3f of that compiled, output unit %.3f, ideal %.3f\n",
                      devices[i], (double)of[0][0] / (double)of[1][0], (double)of[0][1] / (double)of[1][1],
                      (double)ideal[0] / (double)ideal[1]);
        for (int e = 0; e < 2; e++)
            assert_true(of[0][e] <= of[1][e] && (double)of[0][e] > 0.9 * (double)of[1][e]);
        n++;
        roof_prediction_free(before);
        roof_prediction_free(after);
        roof_graph_free(source);
        roof_graph_free(compiled);
    }
    if (!n)
        skip();
}

/* ---- measured ---- */

/* The entry of a device; NULL: no entry, or no measurement. */
static const char *entry_of(const vela_table *t)
{
    const char *device = vela_cell(t, "device");
    if (strcmp(device, "Nuvoton M55M1") == 0)
        return "m55m1";
    return strcmp(device, "Corstone-300 FVP") == 0 ? "ethos_u55_high_end_embedded" : NULL;
}

/* Cycles of the accelerator's clock that a row of the table says; NaN: of none. */
static double measured_cycles(const vela_table *t, double clock_hz)
{
    const char *unit = vela_cell(t, "unit");
    const double value = vela_number(t, "value");
    if (strcmp(unit, "cycles") == 0 && !strstr(vela_cell(t, "quantity"), "Vela"))
        return value;
    if (strcmp(unit, "inf/s") == 0)
        return clock_hz / value;
    return NAN;
}

static void no_measurement_is_below_the_bound(void **state)
{
    (void)state;
    vela_table t;
    unsigned n = 0, n_all = 0;
    accuracy bounds = {.what = "Ethos-U55-256 of an M55M1, networks that Vela compiled"};
    vela_need(&t, "measured/ethosu.csv");
    print_message("%-18s %-32s %12s %12s %6s %6s %6s\n", "device", "network", "measured", "ideal", "ideal",
                  "floor", "Vela");
    while (vela_next(&t)) {
        const char *file = vela_cell(&t, "compiled_file"), *entry = entry_of(&t), *why = NULL;
        roof_graph *g = entry && *file ? vela_read(file) : NULL;
        n_all++;
        if (!entry)
            why = "no entry, or no clock, or not measured";
        else if (!*file)
            why = "its compiled file is not public";
        else if (!g)
            why = "its compiled file is not here";
        if (why) {
            print_message("%-18.18s %-32.32s %s\n", vela_cell(&t, "device"), vela_cell(&t, "network"), why);
            continue;
        }
        roof_prediction *p = predict(g, entry);
        const double cycles = measured_cycles(&t, p->hardware.clock_hz);
        const double ideal = (double)p->total.deployed.ideal_cycles, floor = (double)p->total.floor_cycles;
        print_message("%-18.18s %-32.32s %12.0f %12.0f %6.2f %6.2f %6.2f\n", vela_cell(&t, "device"),
                      vela_cell(&t, "network"), cycles, ideal, ideal / cycles, floor / cycles,
                      (double)p->total.estimate.cycles / cycles);
        assert_true(floor <= ideal);
        if (!(ideal <= cycles))
            fail_msg("%s: at least %.0f cycles, measured %.0f", file, ideal, cycles);
        accuracy_add_bound(&bounds, file, ideal, cycles);
        n++;
        roof_prediction_free(p);
        roof_graph_free(g);
    }
    print_message("%u of %u rows judged\n", n, n_all);
    assert_true(n >= 6);
    accuracy_tell(&bounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_the_cycles_that_vela_prints),
        cmocka_unit_test(networks_have_the_total_that_vela_prints),
        cmocka_unit_test(no_row_is_estimated_below_the_least),
        cmocka_unit_test(shapes_take_no_longer_than_launches),
        cmocka_unit_test(a_network_takes_before_vela_what_it_takes_behind_it),
        cmocka_unit_test(no_measurement_is_below_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
