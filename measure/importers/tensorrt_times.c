/* What trtexec --exportTimes writes: an object for each inference, from end to end.
 *
 *   [ { "startEnqMs" : 0.1, ..., "h2dMs" : 0.02, "computeMs" : 0.8, "d2hMs" : 0.01, "latencyMs" : 0.83 }, ...
 * latencyMs is the sum of the copy to the device, the computation and the copy back. Older versions have inMs and outMs.
 */
#include "core/error.h"
#include "measure/tool_table.h"

#include <math.h>

static const row_field fields[] = {
    {ROW_TIME, {"latencyMs"}, 1e-3, NULL, ROW_NEEDED},
    {ROW_MIN, {"h2dMs", "inMs"}, 1e-3, NULL, 0},
    {ROW_MEDIAN, {"computeMs"}, 1e-3, NULL, 0},
    {ROW_MAX, {"d2hMs", "outMs"}, 1e-3, NULL, 0},
};

enum { PHASES = 3 };
static const struct {
    row_column column;
    roof_phase phase;
} phases[PHASES] = {
    {ROW_MIN, {"write", 0, NULL, ROOF_PHASE_TRANSFER}},
    {ROW_MEDIAN, {"run", 0, NULL, ROOF_PHASE_ACCELERATOR}},
    {ROW_MAX, {"read", 0, NULL, ROOF_PHASE_TRANSFER}},
};

typedef struct reading {
    table_reading table;
    double *samples_s, sums_s[PHASES];
    uint32_t n_samples;
} reading;

static roof_status take_row(void *reading_, table_row *row, roof_error *err)
{
    reading *r = reading_;
    if (!isfinite(row->values[ROW_TIME]))
        return error_set(err, ROOF_E_DATA, "an inference without latencyMs");
    double *sample = array_add(r->table.in->scratch, &r->samples_s, &r->n_samples, sizeof *sample);
    if (!sample)
        return error_memory(err);
    *sample = row->values[ROW_TIME];
    for (int p = 0; p < PHASES; p++)
        r->sums_s[p] += row->values[phases[p].column];
    return ROOF_OK;
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    import_state *in = r->table.in;
    roof_run *run = NULL;
    if (!r->n_samples)
        return error_set(err, ROOF_E_DATA, "no inference with latencyMs");
    TRY(import_add_run(in, NULL, ROOF_RUN_BYPASS, &run, err));
    TRY(times_from_samples(in->out, r->samples_s, r->n_samples, &run->total, err));
    run->iterations = r->n_samples;
    for (int p = 0; p < PHASES; p++) {
        roof_phase phase = phases[p].phase;
        phase.seconds = r->sums_s[p] / r->n_samples;
        if (isfinite(phase.seconds)) /* an inference that lacks it would make the mean wrong */
            TRY(run_add_phase(in->out, run, phase, err));
    }
    return ROOF_OK;
}

static const tool_table table = {TABLE_OF(fields), .row = take_row};

const importer_def importer_tensorrt_times = {.id = "tensorrt_times",
                                              .marks = {{SNIFF_SURE, {"\"startEnqMs\"", "\"latencyMs\""}},
                                                        {SNIFF_LIKELY, {"\"computeMs\"", "\"latencyMs\""}}},
                                              .device = "GPU",
                                              .mode_why = "the file has times of whole inferences",
                                              .mode = ROOF_RUN_BYPASS,
                                              .unverified = true,
                                              .table = &table,
                                              .reading_bytes = sizeof(reading),
                                              .begin = table_begin,
                                              .json = table_json,
                                              .finish = finish,
                                              .end = table_stop};
