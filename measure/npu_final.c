#include "measure/npu_final.h"
#include "core/error.h"
#include "measure/npu_text.h"
#include "measure/st_report.h"

#include <math.h>
#include <string.h>

/* Milliseconds have three decimals. */
#define ROUNDED_MS 0.00051

static const char *const headings[] = {"Compiler", "Measured", "Memory bandwidth / inference"};

static bool is_heading(roof_span message)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (roof_span_is(message, headings[i]))
            return true;
    return false;
}

bool roof_npu_final_begins(roof_span message)
{
    return roof_span_is(message, "Summary") || roof_span_begins(message, "Final part") || is_heading(message);
}

void roof_npu_final_begin(roof_npu_final *f)
{
    *f = (roof_npu_final){0};
    for (unsigned i = 0; i < ROOF_NPU_FINAL_NUMBERS; i++)
        f->numbers[i] = NAN;
}

static roof_status malformed(roof_span key, roof_span value, const char *want, roof_error *err)
{
    char shown[ROOF_SHOWN_SIZE], name[ROOF_SHOWN_SIZE];
    return roof_fail(err, ROOF_E_DATA, "'%s' is '%s', want %s", roof_span_show(key, name),
                     roof_span_show(value, shown), want);
}

static const struct number_line {
    const char *key, *pattern, *want;
    unsigned first;
} number_lines[] = {
    {"total duration", "~ms, npu_core:~ms (~%)", "as in 13.649ms, npu_core:13.159ms (96.41%)",
     ROOF_NPU_FINAL_MS},
    {"mcu cycles", "# (core only = #)", "as in 10919340 (core only = 10515928)", ROOF_NPU_FINAL_MCU},
    {"npu cycles", "# (core only = #)", "as in 13692714 (core only = 13159399)", ROOF_NPU_FINAL_NPU},
    {"cycles", "# (total max_cycles)", "as in 15424817 (total max_cycles)", ROOF_NPU_FINAL_PLAN},
    {"ideal cycles", "# (total compute_cycles)", "as in 7485802 (total compute_cycles)",
     ROOF_NPU_FINAL_PLAN + 1},
    {"ops", "#", "a whole number", ROOF_NPU_FINAL_PLAN + 2},
};

/* Rates and ratios, which follow from the other lines. */
static const char *const derived_lines[] = {"ops/cycle", "inf/s", "ideal ops/cycle", "ideal inf/s",
                                            "compute cycles ratio"};

static roof_status read_numbers(roof_npu_final *f, const struct number_line *row, roof_span key,
                                roof_span value, roof_error *err)
{
    roof_span rest = value;
    if (!isnan(f->numbers[row->first]))
        return roof_fail(err, ROOF_E_DATA, "'%s' is there twice in the final part", row->key);
    if (!roof_npu_scan(&rest, row->pattern, f->numbers + row->first))
        return malformed(key, value, row->want, err);
    if (row->first >= ROOF_NPU_FINAL_PLAN)
        return ROOF_OK;
    const double *cycles = f->numbers + row->first;
    if (row->first != ROOF_NPU_FINAL_MS && cycles[1] > cycles[0])
        return roof_fail(err, ROOF_E_DATA, "%s: %.0f of the core phase are more than %.0f of all phases",
                         row->key, cycles[1], cycles[0]);
    return ROOF_OK;
}

static roof_status check_total(roof_npu_final *f, const double stated[2], roof_error *err)
{
    double sum[2] = {0, 0};
    for (uint32_t i = 0; i < f->n_pools; i++)
        for (int w = 0; w < 2; w++)
            sum[w] += (double)f->pools[i].bytes[w];
    f->ended = true;
    if (sum[0] != stated[0] || sum[1] != stated[1])
        return roof_fail(err, ROOF_E_DATA,
                         "total r/w is r=%.0f w=%.0f, but the pools together are r=%.0f w=%.0f", stated[0],
                         stated[1], sum[0], sum[1]);
    return ROOF_OK;
}

static roof_status add_pool(roof_npu_final *f, roof_measured *m, roof_span key, const double bytes[2],
                            roof_error *err)
{
    if (f->n_pools >= ROOF_NPU_MOST_POOLS)
        return roof_fail(err, ROOF_E_LIMIT, "more than %d memory pools", ROOF_NPU_MOST_POOLS);
    const char *name = roof_measured_text(m, key.text, key.length);
    if (!name)
        return roof_fail_memory(err);
    f->pools[f->n_pools++] = (roof_npu_pool){name, {(uint64_t)bytes[0], (uint64_t)bytes[1]}};
    return ROOF_OK;
}

static roof_status read_attribute(roof_npu_final *f, roof_measured *m, roof_span key, roof_span value,
                                  bool *known, roof_error *err)
{
    double bytes[2];
    roof_span rest = value;
    *known = true;
    for (size_t i = 0; i < sizeof number_lines / sizeof *number_lines; i++)
        if (roof_span_is(key, number_lines[i].key))
            return read_numbers(f, &number_lines[i], key, value, err);
    for (size_t i = 0; i < sizeof derived_lines / sizeof *derived_lines; i++)
        if (roof_span_is(key, derived_lines[i]))
            return ROOF_OK;
    if (roof_npu_scan(&rest, "r=# w=# ->", bytes))
        return roof_span_is(key, "total r/w") ? check_total(f, bytes, err) : add_pool(f, m, key, bytes, err);
    if (roof_span_begins(value, "<no mempool info")) {
        f->ended = true;
        return ROOF_OK;
    }
    *known = false;
    return ROOF_OK;
}

roof_status roof_npu_final_line(roof_npu_final *f, roof_measured *m, roof_span message, uint64_t line,
                                roof_error *err)
{
    roof_span key, value;
    bool known = false;
    f->headed = f->headed || is_heading(message);
    if (!message.length || *message.text == '-' || roof_npu_final_begins(message))
        return ROOF_OK;
    if (!f->headed) /* memory pools and epochs as the compiler made them, in a table of ST's parser */
        return ROOF_OK;
    if (roof_st_cut_pair(message, &key, &value))
        ROOF_TRY(read_attribute(f, m, key, value, &known, err));
    if (known && roof_span_is(key, "mcu cycles"))
        f->line = line;
    if (!known && !f->n_skipped++)
        f->first_skipped_line = line;
    return ROOF_OK;
}

/* --- into a run --------------------------------------------------------------------------------------- */

/* Only all phases together and the core phase are told apart. Where the rows did not say what pre and post took, these
 * are one phase, so that phases add up. */
static roof_status set_phases(const roof_npu_final *f, roof_measured *m, roof_run *run, roof_error *err)
{
    const struct {
        const char *domain;
        const double *cycles;
    } domains[] = {{"mcu", f->numbers + ROOF_NPU_FINAL_MCU}, {"npu", f->numbers + ROOF_NPU_FINAL_NPU}};
    for (size_t i = 0; i < 2; i++) {
        const double *cycles = domains[i].cycles;
        bool split = false;
        for (uint32_t p = 0; p < run->n_phase_cycles; p++)
            for (uint32_t d = 0; d < run->phase_cycles[p].n_cycles; d++)
                split = split || (strcmp(run->phase_cycles[p].name, "pre") == 0 &&
                                  strcmp(run->phase_cycles[p].cycles[d].domain, domains[i].domain) == 0);
        if (split || isnan(cycles[0]))
            continue;
        ROOF_TRY(roof_run_set_phase(m, run, "core",
                                    (roof_domain_cycles){domains[i].domain, (uint64_t)cycles[1]}, err));
        ROOF_TRY(roof_run_set_phase(
            m, run, "pre+post",
            (roof_domain_cycles){domains[i].domain, (uint64_t)cycles[0] - (uint64_t)cycles[1]}, err));
    }
    return ROOF_OK;
}

static roof_status set_events(const roof_npu_final *f, roof_measured *m, roof_run *run, roof_error *err)
{
    static const char *const names[] = {"max_cycles", "compute_cycles", "ops"};
    for (unsigned i = 0; i < 3; i++)
        if (!isnan(f->numbers[ROOF_NPU_FINAL_PLAN + i]))
            ROOF_TRY(roof_npu_run_event(m, run, (uint64_t)f->numbers[ROOF_NPU_FINAL_PLAN + i], err,
                                        "compiler.%s", names[i]));
    for (uint32_t i = 0; i < f->n_pools; i++)
        for (int w = 0; w < 2; w++)
            ROOF_TRY(roof_npu_run_event(m, run, f->pools[i].bytes[w], err, "%s.%s_bytes", f->pools[i].name,
                                        w ? "write" : "read"));
    return ROOF_OK;
}

roof_status roof_npu_final_set(const roof_npu_final *f, roof_measured *m, double mcu_hz, roof_run *run,
                               roof_error *err)
{
    double stated_ms = f->numbers[ROOF_NPU_FINAL_MS], cycles = f->numbers[ROOF_NPU_FINAL_MCU];
    if (!isnan(cycles) && isnan(mcu_hz))
        return roof_fail_line(err, ROOF_E_DATA, f->line,
                              "cycles without the MCU's clock, want mcu_freq in device.attrs");
    if (!isnan(cycles)) {
        /* The profiler adds up durations of epochs here, each rounded to a cycle, and cycles of phases there. */
        run->total.mean_s = cycles / mcu_hz;
        if (fabs(stated_ms - 1e3 * run->total.mean_s) > ROUNDED_MS + 1e-4 * stated_ms)
            return roof_fail_line(err, ROOF_E_DATA, f->line,
                                  "a total duration of %g ms, but %.0f MCU cycles at %g MHz are %.3f ms",
                                  stated_ms, cycles, mcu_hz / 1e6, 1e3 * run->total.mean_s);
        run->sum_of_layers_s = run->total.mean_s;
    }
    ROOF_TRY(set_phases(f, m, run, err));
    return set_events(f, m, run, err);
}
