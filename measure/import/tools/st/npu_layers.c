#include "measure/import/tools/st/npu_layers.h"
#include "core/error.h"
#include "measure/import/tools/st/st_report.h"

#include <math.h>
#include <string.h>

/* Milliseconds are printed with three decimals. */
#define ROUNDED_MS 0.00051

double npu_block_cycles(const npu_part *b)
{
    return (double)b->of[NPU_MCU] + (double)b->of[NPU_MCU + 1] + (double)b->of[NPU_MCU + 2];
}

roof_status npu_block_end(npu_part *b, double mcu_hz, npu_trace *trace, roof_error *err)
{
    enum { BURSTS = 8 };
    const uint64_t *busif[] = {b->of + NPU_BUSIF, b->of + NPU_BUSIF + NPU_BUSIF_NUMBERS};
    bool both = *busif[0] != ROOF_UNKNOWN && *busif[1] != ROOF_UNKNOWN;
    npu_counts counts = {.by_engine = true};
    roof_layer_counters *c = layer_counters_of(b->m, b->layer);
    if (!c)
        return error_memory(err);
    if (b->of[NPU_MCU] == ROOF_UNKNOWN || isnan(*b->duration))
        return error_line(err, ROOF_E_DATA, b->line, "a block without '%s'",
                          isnan(*b->duration) ? "duration" : "mcu cycles");
    /* They are in the cycles of the block as well. */
    TRY(npu_add_extra(b->m, b->layer, b->id.extra, err));
    for (unsigned p = 0; p < ST_PHASES && b->of[NPU_EXTRA_MCU] != ROOF_UNKNOWN; p++) {
        const roof_event cycles = {.scope = ROOF_COUNTER_EXTRA,
                                   .quantity = ROOF_COUNTER_ACTIVE_CYCLES,
                                   .name = st_phases[p],
                                   .count = b->of[NPU_EXTRA_MCU + p]};
        TRY(npu_add_event(b->m, b->layer, cycles, err));
        b->of[NPU_MCU + p] += cycles.count;
    }
    /* The profiler rounds the mean of each phase up to a cycle, and that of all together once more. */
    enum { ROUNDED_CYCLES = 4 };
    double cycles = npu_block_cycles(b), time_s = cycles / mcu_hz;
    if (isnan(mcu_hz))
        return error_line(
            err, ROOF_E_DATA, b->line,
            "a block without the MCU's clock, want mcu_freq in device.attrs or behind 'mcu cycles'");
    if (fabs(*b->duration - 1e3 * time_s) > ROUNDED_MS + 1e3 * ROUNDED_CYCLES / mcu_hz)
        return error_line(err, ROOF_E_DATA, b->line,
                          "a duration of %g ms, but its %.0f MCU cycles at %g MHz are %.3f ms", *b->duration,
                          cycles, mcu_hz / 1e6, 1e3 * time_s);
    b->layer->time.mean_s = time_s;
    (void)st_find_type(span_of(b->id.type), &c->device);
    for (unsigned i = 0; both && i < 2; i++)
        memcpy(b->of + NPU_BURSTS + (size_t)BURSTS * i, busif[i] + 2, BURSTS * sizeof *b->of);
    memcpy(counts.of, b->of, sizeof counts.of);
    TRY(npu_trace_match(trace, &b->id, &counts, b->layer, err));
    return npu_set_counts(b->m, b->layer, &counts, err);
}

/* Only all phases together and the core phase are told apart. Where the rows did not say what pre and post took, these
 * are one phase, so that phases add up. */
static roof_status set_phases(const npu_part *f, const char *domain, const uint64_t *cycles, roof_run *run,
                              roof_error *err)
{
    if (*cycles == ROOF_UNKNOWN ||
        phase_cycles_of(run->phase_cycles, run->n_phase_cycles, "pre", domain) != ROOF_UNKNOWN)
        return ROOF_OK;
    TRY(counted_set_phase(counted_of_run(f->m, run), "core", (roof_domain_cycles){domain, cycles[1]}, err));
    return counted_set_phase(counted_of_run(f->m, run), "pre+post",
                             (roof_domain_cycles){domain, cycles[0] - cycles[1]}, err);
}

static roof_status set_total(const npu_part *f, double mcu_hz, roof_run *run, roof_error *err)
{
    double stated_ms = *f->duration, cycles = (double)f->of[NPU_ALL_MCU];
    if (f->of[NPU_ALL_MCU] == ROOF_UNKNOWN)
        return ROOF_OK;
    if (isnan(mcu_hz))
        return error_line(err, ROOF_E_DATA, f->line,
                          "cycles without the MCU's clock, want mcu_freq in device.attrs");
    /* The profiler adds up durations of epochs here, each rounded to a cycle, and cycles of phases there. */
    run->total.mean_s = run->sum_of_layers_s = cycles / mcu_hz;
    if (fabs(stated_ms - 1e3 * run->total.mean_s) > ROUNDED_MS + 1e-4 * stated_ms)
        return error_line(err, ROOF_E_DATA, f->line,
                          "a total duration of %g ms, but %.0f MCU cycles at %g MHz are %.3f ms", stated_ms,
                          cycles, mcu_hz / 1e6, 1e3 * run->total.mean_s);
    return ROOF_OK;
}

roof_status npu_final_set(const npu_part *f, double mcu_hz, roof_run *run, roof_error *err)
{
    TRY(set_total(f, mcu_hz, run, err));
    TRY(set_phases(f, "mcu", f->of + NPU_ALL_MCU, run, err));
    TRY(set_phases(f, "npu", f->of + NPU_ALL_NPU, run, err));
    for (unsigned i = NPU_PLAN + 3; i-- > NPU_PLAN;) /* in the order of the report */
        if (f->of[i] != ROOF_UNKNOWN)
            TRY(counted_set_event(counted_of_run(f->m, run), npu_event_at(i, f->of[i]), err));
    for (uint32_t i = 0; i < f->n_pools; i++)
        TRY(counted_set_event(counted_of_run(f->m, run), f->pools[i], err));
    return ROOF_OK;
}
