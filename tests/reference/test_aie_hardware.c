/* The entries of AI Engine arrays against tables that were collected from manuals, drivers and papers, where
 * ../shared has them: every row is a value of the entry, or left out for a reason; and the constants of
 * expected times keep the errors that they state. */
#include "measure/import/row.h"
#include "roofline/hw.h"
#include "tests/support/accuracy.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

/* What a parameter of the table is called in the database; factor: from its unit to ours. */
static const struct named {
    const char *parameter, *key;
    double factor;
} named[] = {
    {"array", "array.rows", 1},
    {"attainable_bf16", "attainable.bf16", 1e12},
    {"clock(benchmarks)", "clock.benchmarks", 1e9},
    {"clock_max", "clock", 1e9},
    {"clock_max-1L", "clock.1l", 1e9},
    {"clock_max-1M", "clock.1m", 1e9},
    {"clock_max-2H", "clock.2h", 1e9},
    {"clock_max-2M", "clock.2m", 1e9},
    {"clock_turbo_measured", "clock.phoenix", 1e9},
    {"columns", "array.columns", 1},
    {"core_rows", "array.rows", 1},
    {"dispatch_floor", "launch.small_kernel", 1e-6},
    {"driver_ops_per_cycle_per_column", "mac.int8xint8", 1 / 8.}, /* 4 cores, 2 operations a MAC */
    {"effective_dram_bw_decode_seed", "ddr.attainable.lm_head", 1e9},
    {"effective_dram_bw_eltwise_best", "ddr.attainable.eltwise", 1e9},
    {"effective_dram_bw_gemm", "ddr.attainable.gemm", 1e9},
    {"effective_dram_bw_gemv_best", "ddr.attainable.gemv", 1e9},
    {"empty_kernel_floor_native", "launch.floor", 1e-6},
    {"full_array_reconfig", "reconfigure.array", 1e-3},
    {"hclk_dpm_table", "clock.low", 1e6}, /* the first of its rows */
    {"host_ddr_peak(LPDDR5x-7500 128b)", "ddr.bandwidth", 1e9},
    {"l1_bytes_per_tile", "tile.bytes", 1},
    {"macs_per_cycle_per_tile.bf16", "mac.bf16", 1},
    {"macs_per_cycle_per_tile.bf16(bfp16-emulated 8x8x8)", "mac.bf16_as_bfp16", 1},
    {"macs_per_cycle_per_tile.bf16(native mmul 4x8x8)", "mac.bf16", 1},
    {"macs_per_cycle_per_tile.bfp16", "mac.bfp16", 1},
    {"macs_per_cycle_per_tile.cint16xcint16", "mac.cint16xcint16", 1},
    {"macs_per_cycle_per_tile.fp32", "mac.fp32", 1},
    {"macs_per_cycle_per_tile.int16xint16", "mac.int16xint16", 1},
    {"macs_per_cycle_per_tile.int16xint8", "mac.int16xint8", 1},
    {"macs_per_cycle_per_tile.int32xint16", "mac.int32xint16", 1},
    {"macs_per_cycle_per_tile.int32xint32", "mac.int32xint32", 1},
    {"macs_per_cycle_per_tile.int8xint4", "mac.int8xint4", 1},
    {"macs_per_cycle_per_tile.int8xint8", "mac.int8xint8", 1},
    {"measured_bfp16_bf16_gemm", "attainable.bfp16", 1e12},
    {"measured_core_macs_per_cycle.bf16", "core_mac.bf16", 1},
    {"measured_core_macs_per_cycle.bf16-bf16(emul)", "core_mac.bf16", 1},
    {"measured_core_macs_per_cycle.int8-int16", "core_mac.int8xint8.int16", 1},
    {"measured_core_macs_per_cycle.int8-int32", "core_mac.int8xint8.int32", 1},
    {"measured_core_macs_per_cycle.int8-int8", "core_mac.int8xint8.int8", 1},
    {"measured_gemm_fp32", "attainable.fp32", 1e12},
    {"measured_gemm_int8", "attainable.int8xint8", 1e12},
    {"measured_gemm_peak.bf16", "attainable.bf16", 1e12},
    {"measured_gemm_peak.bf16(bfp16 emul)", "attainable.bf16", 1e12},
    {"measured_gemm_peak.int8->int16", "attainable.int8xint8.int16", 1e12},
    {"measured_gemm_peak.int8->int32", "attainable.int8xint8.int32", 1e12},
    {"measured_gemm_peak.int8->int8", "attainable.int8xint8.int8", 1e12},
    {"measured_int8_peak_custom", "attainable.int8xint8", 1e12},
    {"memcpy_roof_mixed_rw", "ddr.attainable.memcpy", 1e9},
    {"memtile_bytes", "memtile.bytes", 1},
    {"memtile_rows", "memtile.rows", 1},
    {"npu_idle_power_penalty(>10s)", "idle.penalty", 1e-3},
    {"pl_to_aie_bw(-2M 0.80V)", "pl.bandwidth", 1e9},
    {"program_mem", "program.bytes", 1},
    {"program_mem_per_tile", "program.bytes", 1},
    {"reconfigure_ctrlpkt_i32_1024cubed", "reconfigure.control_packets", 1e-3},
    {"shim_columns", "shim.columns", 1},
    {"shim_dma_channels_per_col", "shim.channels", 1}, /* "2 MM2S + 2 S2MM" */
    {"shim_dma_channels_per_noc_tile", "shim.channels", 1},
    {"shim_dma_rate_per_channel", "shim.channel_width", 1},
    {"shim_rate_per_channel", "shim.channel_width", 1},
};

/* By the beginning of the parameter. */
static const struct left_out {
    const char *beginning, *reason;
} left_out[] = {
    {"bd_", "a limit of descriptors, not a rate"},
    {"core_load_store_per_cycle", "inside a core: no law looks there"},
    {"coretile_dma_channels", "inside the array: no law looks there"},
    {"dpu_", "of entries of their own: dpucvdx8g-c32b1, dpucvdx8g-c64b5"},
    {"host_ddr_peak(DDR5-5600 2ch)",
     "of one box; the bound is that of the fastest memory, the caveat has this one"},
    {"macs_per_cycle_per_tile.fp32", "text: emulated, without a rate"},
    {"macs_per_cycle_per_tile.int4", "text: none; sources disagree on what 4 bits are worth"},
    {"marginal_bw_fit", "a fit of others whose points are not published"},
    {"marketing_peak", "the product of cores, MACs and clock, rounded"},
    {"memtile_", "inside the array: no law looks there"},
    {"mlir_air_bf16_gemm_best", "what attainable.bf16 names in its caveat"},
    {"peak_", "the product of cores, MACs and clock"},
    {"per_dispatch_fixed_cost", "a fit of others whose points are not published"},
    {"repeat_count_max", "a limit of descriptors, not a rate"},
    {"shim_bds_per_tile", "a limit of descriptors, not a rate"},
    {"shim_read_ceiling", "the product of columns, channels, width and clock"},
    {"stream_width", "inside the array: no law looks there"},
    {"tile_streams", "inside the array: no law looks there"},
    {"tiles", "the product of columns and rows; of npu1 those of 4 columns, as array.columns says"},
    {"vitis_effective_bw", "of one network of one compiler, estimated"},
};

/* ---- tables of ../shared ---- */

enum { CELLS = 6, CELL_BYTES = 512 };

typedef struct csv {
    FILE *file;
    table_reader *table;
    char cell[CELLS][CELL_BYTES]; /* of the row that was read last */
} csv;

static csv csv_open(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/data/%s", shared_folder(), name);
    csv c = {.file = fopen(path, "rb")};
    if (!c.file)
        skip_without(path);
    c.table = table_new(',');
    assert_non_null(c.table);
    return c;
}

static void csv_close(csv *c)
{
    fclose(c->file);
    table_free(c->table);
}

static bool csv_next(csv *c)
{
    static char text[1 << 16];
    static uint64_t number;
    bool complete = false;
    while (!complete && fgets(text, sizeof text, c->file)) {
        const import_line line = {.text = text, .length = strcspn(text, "\r\n"), .number = ++number};
        assert_int_equal(table_feed(c->table, &line, &complete, NULL), ROOF_OK);
    }
    for (size_t i = 0; complete && i < CELLS; i++) {
        text_span cell = table_cell(c->table, i);
        snprintf(c->cell[i], CELL_BYTES, "%.*s", (int)cell.length, cell.text);
    }
    return complete;
}

static double value_of(const char *hw_id, const char *key)
{
    roof_hw *hw = fx_hw(hw_id);
    const roof_quantity *q = roof_hw_get(hw, key);
    double value = q ? q->value : NAN;
    roof_hw_free(hw);
    return value;
}

/* ---- values ---- */

static bool is_left_out(const char *parameter)
{
    for (size_t i = 0; i < COUNT(left_out); i++)
        if (strncmp(parameter, left_out[i].beginning, strlen(left_out[i].beginning)) == 0)
            return true;
    return false;
}

static void check_row(const char *device, const char *parameter, const char *text)
{
    char *end;
    double number = strtod(text, &end);
    size_t i = 0;
    while (i < COUNT(named) && strcmp(named[i].parameter, parameter) != 0)
        i++;
    if (i < COUNT(named) && end > text) {
        double want = number * named[i].factor, got = value_of(device, named[i].key);
        if (!(fabs(got - want) <= 1e-9 * fabs(want)))
            fail_msg("%s: %s is %g, want %g by %s", device, named[i].key, got, want, parameter);
    } else if (!is_left_out(parameter)) {
        fail_msg("%s: '%s' is no value of the entry, and is not left out for a reason", device, parameter);
    }
}

static void every_value_that_was_collected_is_in_its_entry(void **state)
{
    csv c = csv_open("hw/aie.csv");
    size_t n = 0;
    (void)state;
    for (csv_next(&c); csv_next(&c); n++)
        check_row(c.cell[0], c.cell[1], c.cell[2]);
    csv_close(&c);
    assert_true(n > 120);
}

/* ---- constants of expected times ---- */

/* Kernels whose time is t0 + bytes / bandwidth. */
static const struct kernel {
    const char *workload, *method;
    double bytes_per_element; /* 0: a matrix and two vectors of 2 bytes an element */
} kernels[] = {{"GEMV", "gemv", 0},          {"Element-wise Add", "add", 6}, {"SiLU-and-Mul", "silu_mul", 6},
               {"GELU-and-tanh", "gelu", 4}, {"RMSNorm", "rms_norm", 4},     {"RoPE", "rope", 6}};

static double constant_of(const char *method, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "expect.mlir-air.%s.%s", method, name);
    return value_of("npu2", key);
}

/* "2048x896", "1835008 (2048x896)" */
static double bytes_of(const struct kernel *kernel, const char *shape)
{
    double rows = 0, columns = 1;
    int n = sscanf(shape, "%lfx%lf", &rows, &columns);
    assert_true(n >= 1);
    return kernel->bytes_per_element > 0 ? kernel->bytes_per_element * rows * columns
                                         : 2 * (rows * columns + rows + columns);
}

static void check_kernel(const struct kernel *kernel)
{
    const double t0 = constant_of(kernel->method, "t0"), bandwidth = constant_of(kernel->method, "bandwidth");
    char what[80];
    accuracy a = {.what = what, .constants = "built in, fitted to these"};
    csv c = csv_open("measured/aie.csv");
    snprintf(what, sizeof what, "Ryzen AI NPU2, kernels of mlir-air, `%s`", kernel->method);
    while (csv_next(&c))
        if (strcmp(c.cell[0], kernel->workload) == 0 && strcmp(c.cell[3], "NPU2 Strix") == 0)
            accuracy_add(&a, c.cell[1], t0 + bytes_of(kernel, c.cell[1]) / bandwidth,
                         strtod(c.cell[4], NULL) * 1e-6, NULL);
    csv_close(&c);
    accuracy_tell(&a);
    assert_int_equal(a.n, (int)constant_of(kernel->method, "points"));
    assert_true(accuracy_quantile(&a, 0.5) <= 0.08);
}

static void constants_of_expected_times_fit_what_they_were_fitted_to(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kernels); i++)
        check_kernel(&kernels[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_that_was_collected_is_in_its_entry),
        cmocka_unit_test(constants_of_expected_times_fit_what_they_were_fitted_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
