/* Times of the host held against what was measured, where ../shared has it: every software and hybrid epoch
 * of an STM32N6 that was published, operators of a Cortex-A53 in logs of TFLite; what is said of plans.
 * The rates were fitted to these rows, so that the first two show a slip of the pen and no more; what is
 * independent is one file by the rows of the others. */
#include "tests/support/accuracy.h"
#include "tests/support/art_files.h"
#include "tests/support/host_plan.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

/* --- STM32N6 -------------------------------------------------------------------------------------------- */

enum { LINE = 400, EPOCH = 6, TYPE, DURATION, PRE, CORE, POST, CELLS };

/* The host's cycles of an epoch that the table has; what the runtime puts into it is a row of its own. */
static double cycles_in_table(FILE *table, const hp_measured *of)
{
    char line[LINE];
    rewind(table);
    while (fgets(line, sizeof line, table)) {
        char *cells[CELLS] = {NULL}, *rest = line;
        for (int c = 0; c < CELLS && rest; c++)
            cells[c] = strsep(&rest, ",");
        if (!cells[POST] || strcmp(cells[0], of->file) != 0 || strcmp(cells[EPOCH], of->epoch) != 0 ||
            (strcmp(cells[TYPE], "SW") != 0 && strcmp(cells[TYPE], "HYBRID") != 0))
            continue;
        return strtod(cells[PRE], NULL) + strtod(cells[CORE], NULL) + strtod(cells[POST], NULL);
    }
    fail_msg("%s: no %s", of->file, of->epoch);
    return NAN;
}

static FILE *open_table(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/data/measured/n6_epochs.csv", shared_folder());
    FILE *table = fopen(path, "r");
    if (!table)
        skip_without(path);
    return table;
}

static double value_of(const roof_hw *hw, const char *kind, const char *what)
{
    char key[96];
    snprintf(key, sizeof key, "host_op.%s.%s", kind, what);
    const roof_quantity *q = roof_hw_get(hw, key);
    if (!q)
        fail_msg("no %s", key);
    return q->value;
}

static double factor_of(double a, double b)
{
    return a > b ? a / b : b / a;
}

/* Each through the whole program: a plan with that epoch, at the clock that it was measured at. */
static void every_epoch_of_the_host_is_within_a_factor_of_two(void **state)
{
    FILE *table = open_table();
    double worst = 1;
    (void)state;
    for (size_t i = 0; i < HP_MEASURED; i++) {
        const hp_measured *m = &hp_measured_rows[i];
        roof_hw *hw = fx_hw(m->hardware);
        roof_prediction *p = hp_predict(&m->row, 1, m->hardware, 1);
        const double measured_s = cycles_in_table(table, m) / roof_hw_get(hw, "mcu.clock")->value;
        const double factor = factor_of(p->layers[1].about_s, measured_s);
        print_message("%-14s %-20s %8.0f: %7.1f us predicted, %7.1f measured, factor %.2f\n", m->epoch,
                      m->kind, m->count, 1e6 * p->layers[1].about_s, 1e6 * measured_s, factor);
        assert_true(m->host_cycles == cycles_in_table(table, m));
        assert_true(m->count >= value_of(hw, m->kind, "least"));
        assert_true(p->host.shares[0].count == (uint64_t)m->count);
        assert_true(factor < ROOF_HOST_FACTOR);
        worst = fmax(worst, factor);
        roof_prediction_free(p);
        roof_hw_free(hw);
    }
    fclose(table);
    print_message("%d epochs, the worst is off by a factor of %.2f\n", HP_MEASURED, worst);
    assert_true(worst < 1.40);
}

/* The table has no other epoch of the host. */
static void no_epoch_of_the_host_is_left_out(void **state)
{
    char line[LINE];
    unsigned n = 0;
    FILE *table = open_table();
    (void)state;
    while (fgets(line, sizeof line, table))
        n += strstr(line, ",SW,") || strstr(line, ",HYBRID,");
    fclose(table);
    assert_int_equal(n, HP_MEASURED);
}

/* The geometric mean of the rates of a kind in all files, or in all but one; NaN: there is none. */
static double mean_rate(const char *kind, const char *without)
{
    double sum = 0;
    unsigned n = 0;
    for (size_t i = 0; i < HP_MEASURED; i++) {
        const hp_measured *m = &hp_measured_rows[i];
        if (strcmp(m->kind, kind) != 0 || (without && strcmp(m->file, without) == 0))
            continue;
        sum += log(m->host_cycles / m->count);
        n++;
    }
    return n ? exp(sum / n) : NAN;
}

/* One file by the rates of the others: nine rows have some. */
static void one_file_follows_from_the_others(void **state)
{
    unsigned n = 0, below = 0;
    double worst = 1;
    accuracy a = {.what = "STM32N6, epochs that the processor runs",
                  .constants = "the mean rate of their kind in the others",
                  .left_out = "files"};
    (void)state;
    for (size_t i = 0; i < HP_MEASURED; i++) {
        const hp_measured *m = &hp_measured_rows[i];
        const double rate = mean_rate(m->kind, m->file), factor = factor_of(rate, m->host_cycles / m->count);
        if (isnan(rate))
            continue;
        print_message("%-14s %-20s factor %.3f\n", m->epoch, m->kind, factor);
        accuracy_add(
            &a, m->file, rate * m->count, m->host_cycles,
            (const double[]){rate * m->count / ROOF_HOST_FACTOR, rate * m->count * ROOF_HOST_FACTOR});
        n++;
        below += factor < 1.5;
        worst = fmax(worst, factor);
    }
    print_message("%u rows, %u below 1.5, the worst is %.3f\n", n, below, worst);
    accuracy_tell(&a);
    assert_int_equal(n, 9);
    assert_int_equal(below, 8); /* the ninth, a quantisation of 1,280 elements, is 34 % low */
    assert_true(worst < 1.52);
}

/* The database has these means, with as many digits as they are good for. */
static void rates_are_the_means_of_the_rows(void **state)
{
    roof_hw *hw = fx_hw("stm32n6");
    (void)state;
    for (size_t i = 0; i < HP_MEASURED; i++) {
        const char *kind = hp_measured_rows[i].kind;
        const double mean = mean_rate(kind, NULL), stated = value_of(hw, kind, "cycles");
        if (!(fabs(stated - mean) < 0.01 * mean))
            fail_msg("%s: %g stated, the mean is %g", kind, stated, mean);
    }
    roof_hw_free(hw);
}

/* --- real plans ----------------------------------------------------------------------------------------- */

/* No time of these was published beside its plan: what is said of them, and what is not. */
static void plans_name_what_is_not_known(void **state)
{
    static const struct {
        const char *file;
        double about_s;
        const char *kinds; /* kind timed/small/unknown, the order is that of the document */
    } rows[] = {
        {"alex_mbv2_128_0.5_v2.1_network_c_info.json", NAN, "softmax 0/1/0;"},
        {"fallguard_od_ssdmbv1_256_v2.0_network_c_info.json", 418.03e-6,
         "dequantize 2/0/0;concat 0/0/2;resize 0/0/4;softmax 0/1/0;"},
        {"fallguard_pe_yolov8npose_256_v2.1_c_info.json", 8163.61e-6,
         "softmax 1/0/0;dequantize 1/0/0;depth to space 2/0/0;concat 2/3/4;transpose 1/0/0;slice 0/0/6;"},
        {"tito_transformer_dd2_v2.2_network_c_info.json", NAN,
         "conv 0/0/48;dequantize 0/12/0;mul 0/0/12;quantize 0/24/0;reciprocal 0/0/12;softmax 0/6/0;split "
         "0/0/6;"
         "subtract 0/0/12;transpose 0/18/0;"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[1024], kinds[1000] = "";
        size_t used = 0;
        roof_graph *graph = NULL;
        roof_error err = {0};
        snprintf(path, sizeof path, "%s/c_info/%s", art_files_folder(), rows[i].file);
        if (roof_graph_read(path, &graph, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        roof_prediction *p = fx_predict(graph, "stm32n6", NULL);
        for (uint32_t k = 0; k < p->host.n_shares && used < sizeof kinds; k++) {
            const roof_host_share *s = &p->host.shares[k];
            used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s %d/%d/%d;", s->kind,
                                     (int)s->timed, (int)s->small, (int)s->unknown);
        }
        print_message("%s: %.2f us, %s\n", rows[i].file, 1e6 * p->host.about_s, kinds);
        assert_string_equal(kinds, rows[i].kinds);
        assert_true(isnan(rows[i].about_s) ? isnan(p->host.about_s)
                                           : fabs(p->host.about_s / rows[i].about_s - 1) < 1e-4);
        roof_prediction_free(p);
        roof_graph_free(graph);
    }
}

/* --- Cortex-A53 ----------------------------------------------------------------------------------------- */

/* Operators whose size is that of the network that the line "Graph:" names: MobileNetV1 1.0 at 224x224,
 * Inception v4 at 299x299, SSD MobileNetV1 with 1917 boxes and 91 classes. */
static void operators_of_tflite_are_within_a_factor_of_two(void **state)
{
    static const struct {
        const char *log, *operator;
        const char *kind;
        double count;
    } rows[] = {
        {"mobilenet-CPU.log", "MobilenetV1/Logits/AvgPool_1a", "average_pool", 7 * 7 * 1024},
        {"mobilenet-CPU.log", "MobilenetV1/Predictions", "softmax", 1001},
        {"inception_v4_299_quant-CPU.log", "Mixed_5b/Branch_3/AvgPool_0a", "average_pool", 9 * 35 * 35 * 384},
        {"inception_v4_299_quant-CPU.log", "Mixed_6b/Branch_3/AvgPool_0a", "average_pool",
         9 * 17 * 17 * 1024},
        {"inception_v4_299_quant-CPU.log", "Mixed_7b/Branch_3/AvgPool_0", "average_pool", 9 * 8 * 8 * 1536},
        {"inception_v4_299_quant-CPU.log", "Logits/AvgPool_1a", "average_pool", 8 * 8 * 1536},
        {"inception_v4_299_quant-CPU.log", "Mixed_3a/Branch_0/MaxPool_0a", "max_pool", 9 * 73 * 73 * 64},
        {"inception_v4_299_quant-CPU.log", "Mixed_5a/Branch_1/MaxPool_1a", "max_pool", 9 * 35 * 35 * 192},
        {"inception_v4_299_quant-CPU.log", "Mixed_6a/Branch_2/MaxPool_1a", "max_pool", 9 * 17 * 17 * 384},
        {"inception_v4_299_quant-CPU.log", "Mixed_7a/Branch_2/MaxPool_1", "max_pool", 9 * 8 * 8 * 1024},
        {"inception_v4_299_quant-CPU.log", "Logits/Logits/BiasAdd", "fully_connected", 1536 * 1001},
        {"inception_v4_299_quant-CPU.log", "Logits/Predictions", "softmax", 1001},
        {"ssd_mobilenet-GPU.log", "[TFLite_Detection_PostProcess", "detection", 1},
        {"ssd_mobilenet-NPU.log", "[TFLite_Detection_PostProcess", "detection", 1},
        /* a run of ssd_mobilenet, whatever its name says */
        {"deeplabv3-GPU.log", "[TFLite_Detection_PostProcess", "detection", 1},
    };
    roof_hw *hw = fx_hw("imx8mp-npu");
    double worst = 1;
    accuracy a = {.what = "Cortex-A53, operators of TensorFlow Lite",
                  .constants = "built in, fitted to these"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[1024], line[2000];
        double first_ms = NAN, mean_ms = NAN;
        snprintf(path, sizeof path, "%s/data/profiles/tflite/%s", shared_folder(), rows[i].log);
        FILE *log = fopen(path, "r");
        if (!log)
            skip_without(path);
        while (isnan(mean_ms) && fgets(line, sizeof line, log)) /* type, start, first, mean, ... */
            if (strstr(line, rows[i].operator))
                sscanf(line, " %*s %*f %lf %lf", &first_ms, &mean_ms);
        fclose(log);
        const double about_ms = 1e3 * rows[i].count * value_of(hw, rows[i].kind, "seconds");
        const double factor = factor_of(about_ms, mean_ms);
        print_message("%-34s %-30s %6.3f ms predicted, %6.3f measured, factor %.2f\n", rows[i].log,
                      rows[i].operator, about_ms, mean_ms, factor);
        assert_true(rows[i].count >= value_of(hw, rows[i].kind, "least"));
        assert_true(factor < ROOF_HOST_FACTOR);
        worst = fmax(worst, factor);
        accuracy_add(&a, rows[i].log, about_ms, mean_ms,
                     (const double[]){about_ms / ROOF_HOST_FACTOR, about_ms * ROOF_HOST_FACTOR});
    }
    accuracy_tell(&a);
    assert_true(worst < 1.2);
    roof_hw_free(hw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_epoch_of_the_host_is_within_a_factor_of_two),
        cmocka_unit_test(no_epoch_of_the_host_is_left_out),
        cmocka_unit_test(one_file_follows_from_the_others),
        cmocka_unit_test(rates_are_the_means_of_the_rows),
        cmocka_unit_test(plans_name_what_is_not_known),
        cmocka_unit_test(operators_of_tflite_are_within_a_factor_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
