#include "measure/npu_final.h"
#include "core/error.h"
#include "measure/npu_text.h"
#include "measure/st_report.h"

#include <math.h>
#include <string.h>

/* Milliseconds have three decimals. */
#define ROUNDED_MS 0.00051

static const char *const headings[] = {"Compiler", "Measured", "Memory bandwidth / inference"};

static bool is_heading(text_span message)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (span_is(message, headings[i]))
            return true;
    return false;
}

bool npu_final_begins(text_span message)
{
    return span_is(message, "Summary") || span_begins(message, "Final part") || is_heading(message);
}

void npu_final_begin(npu_final *f)
{
    *f = (npu_final){0};
    for (unsigned i = 0; i < NPU_FINAL_NUMBERS; i++)
        f->numbers[i] = NAN;
}

static roof_status malformed(text_span key, text_span value, const char *want, roof_error *err)
{
    char shown[SHOWN_SIZE], name[SHOWN_SIZE];
    return error_set(err, ROOF_E_DATA, "'%s' is '%s', want %s", span_show(key, name), span_show(value, shown),
                     want);
}

static const struct number_line {
    const char *key, *pattern, *want;
    unsigned first;
} number_lines[] = {
    {"total duration", "~ms, npu_core:~ms (~%)", "as in 13.649ms, npu_core:13.159ms (96.41%)", NPU_FINAL_MS},
    {"mcu cycles", "# (core only = #)", "as in 10919340 (core only = 10515928)", NPU_FINAL_MCU},
    {"npu cycles", "# (core only = #)", "as in 13692714 (core only = 13159399)", NPU_FINAL_NPU},
    {"cycles", "# (total max_cycles)", "as in 15424817 (total max_cycles)", NPU_FINAL_PLAN},
    {"ideal cycles", "# (total compute_cycles)", "as in 7485802 (total compute_cycles)", NPU_FINAL_PLAN + 1},
    {"ops", "#", "a whole number", NPU_FINAL_PLAN + 2},
};

/* Rates and ratios, which follow from the other lines. */
static const char *const derived_lines[] = {"ops/cycle", "inf/s", "ideal ops/cycle", "ideal inf/s",
                                            "compute cycles ratio"};

static roof_status read_numbers(npu_final *f, const struct number_line *row, text_span key, text_span value,
                                roof_error *err)
{
    text_span rest = value;
    if (!isnan(f->numbers[row->first]))
        return error_set(err, ROOF_E_DATA, "'%s' is there twice in the final part", row->key);
    if (!npu_scan(&rest, row->pattern, f->numbers + row->first))
        return malformed(key, value, row->want, err);
    if (row->first >= NPU_FINAL_PLAN)
        return ROOF_OK;
    const double *cycles = f->numbers + row->first;
    if (row->first != NPU_FINAL_MS && cycles[1] > cycles[0])
        return error_set(err, ROOF_E_DATA, "%s: %.0f of the core phase are more than %.0f of all phases",
                         row->key, cycles[1], cycles[0]);
    return ROOF_OK;
}

static roof_status check_total(npu_final *f, const double stated[2], roof_error *err)
{
    double sum[2] = {0, 0};
    for (uint32_t i = 0; i < f->n_pools; i++)
        for (int w = 0; w < 2; w++)
            sum[w] += (double)f->pools[i].bytes[w];
    f->ended = true;
    if (sum[0] != stated[0] || sum[1] != stated[1])
        return error_set(err, ROOF_E_DATA,
                         "total r/w is r=%.0f w=%.0f, but the pools together are r=%.0f w=%.0f", stated[0],
                         stated[1], sum[0], sum[1]);
    return ROOF_OK;
}

static roof_status add_pool(npu_final *f, roof_measured *m, text_span key, const double bytes[2],
                            roof_error *err)
{
    if (f->n_pools >= NPU_MOST_POOLS)
        return error_set(err, ROOF_E_LIMIT, "more than %d memory pools", NPU_MOST_POOLS);
    const char *name = measured_text(m, key.text, key.length);
    if (!name)
        return error_memory(err);
    f->pools[f->n_pools++] = (npu_pool){name, {(uint64_t)bytes[0], (uint64_t)bytes[1]}};
    return ROOF_OK;
}

static roof_status read_attribute(npu_final *f, roof_measured *m, text_span key, text_span value, bool *known,
                                  roof_error *err)
{
    double bytes[2];
    text_span rest = value;
    *known = true;
    for (size_t i = 0; i < sizeof number_lines / sizeof *number_lines; i++)
        if (span_is(key, number_lines[i].key))
            return read_numbers(f, &number_lines[i], key, value, err);
    for (size_t i = 0; i < sizeof derived_lines / sizeof *derived_lines; i++)
        if (span_is(key, derived_lines[i]))
            return ROOF_OK;
    if (npu_scan(&rest, "r=# w=# ->", bytes))
        return span_is(key, "total r/w") ? check_total(f, bytes, err) : add_pool(f, m, key, bytes, err);
    if (span_begins(value, "<no mempool info")) {
        f->ended = true;
        return ROOF_OK;
    }
    *known = false;
    return ROOF_OK;
}

roof_status npu_final_line(npu_final *f, roof_measured *m, text_span message, uint64_t line, roof_error *err)
{
    text_span key, value;
    bool known = false;
    f->headed = f->headed || is_heading(message);
    if (!message.length || *message.text == '-' || npu_final_begins(message))
        return ROOF_OK;
    if (!f->headed) /* memory pools and epochs as the compiler made them, in a table of ST's parser */
        return ROOF_OK;
    if (st_cut_pair(message, &key, &value))
        TRY(read_attribute(f, m, key, value, &known, err));
    if (known && span_is(key, "mcu cycles"))
        f->line = line;
    if (!known && !f->n_skipped++)
        f->first_skipped_line = line;
    return ROOF_OK;
}

/* --- into a run --------------------------------------------------------------------------------------- */

/* Only all phases together and the core phase are told apart. Where the rows did not say what pre and post took, these
 * are one phase, so that phases add up. */
static roof_status set_phases(const npu_final *f, roof_measured *m, roof_run *run, roof_error *err)
{
    const struct {
        const char *domain;
        const double *cycles;
    } domains[] = {{"mcu", f->numbers + NPU_FINAL_MCU}, {"npu", f->numbers + NPU_FINAL_NPU}};
    for (size_t i = 0; i < 2; i++) {
        const double *cycles = domains[i].cycles;
        bool split = false;
        for (uint32_t p = 0; p < run->n_phase_cycles; p++)
            for (uint32_t d = 0; d < run->phase_cycles[p].n_cycles; d++)
                split = split || (strcmp(run->phase_cycles[p].name, "pre") == 0 &&
                                  strcmp(run->phase_cycles[p].cycles[d].domain, domains[i].domain) == 0);
        if (split || isnan(cycles[0]))
            continue;
        TRY(run_set_phase(m, run, "core", (roof_domain_cycles){domains[i].domain, (uint64_t)cycles[1]}, err));
        TRY(run_set_phase(m, run, "pre+post",
                          (roof_domain_cycles){domains[i].domain, (uint64_t)cycles[0] - (uint64_t)cycles[1]},
                          err));
    }
    return ROOF_OK;
}

static roof_status set_events(const npu_final *f, roof_measured *m, roof_run *run, roof_error *err)
{
    static const char *const names[] = {"max_cycles", "compute_cycles", "ops"};
    for (unsigned i = 0; i < 3; i++)
        if (!isnan(f->numbers[NPU_FINAL_PLAN + i]))
            TRY(npu_run_event(m, run, (uint64_t)f->numbers[NPU_FINAL_PLAN + i], err, "compiler.%s",
                              names[i]));
    for (uint32_t i = 0; i < f->n_pools; i++)
        for (int w = 0; w < 2; w++)
            TRY(npu_run_event(m, run, f->pools[i].bytes[w], err, "%s.%s_bytes", f->pools[i].name,
                              w ? "write" : "read"));
    return ROOF_OK;
}

roof_status npu_final_set(const npu_final *f, roof_measured *m, double mcu_hz, roof_run *run, roof_error *err)
{
    double stated_ms = f->numbers[NPU_FINAL_MS], cycles = f->numbers[NPU_FINAL_MCU];
    if (!isnan(cycles) && isnan(mcu_hz))
        return error_line(err, ROOF_E_DATA, f->line,
                          "cycles without the MCU's clock, want mcu_freq in device.attrs");
    if (!isnan(cycles)) {
        /* The profiler adds up durations of epochs here, each rounded to a cycle, and cycles of phases there. */
        run->total.mean_s = cycles / mcu_hz;
        if (fabs(stated_ms - 1e3 * run->total.mean_s) > ROUNDED_MS + 1e-4 * stated_ms)
            return error_line(err, ROOF_E_DATA, f->line,
                              "a total duration of %g ms, but %.0f MCU cycles at %g MHz are %.3f ms",
                              stated_ms, cycles, mcu_hz / 1e6, 1e3 * run->total.mean_s);
        run->sum_of_layers_s = run->total.mean_s;
    }
    TRY(set_phases(f, m, run, err));
    return set_events(f, m, run, err);
}
