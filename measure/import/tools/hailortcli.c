/* Output of Hailo's hailortcli, `benchmark` and `run`:
 *
 *   Network net/net: 100% | 3272 | FPS: 218.10 | ETA: 00:00:00
 *   FPS     (hw_only)                 = 218.106
 *           (streaming)               = 218.078
 *   Latency (hw)                      = 12.8354 ms
 *     Power in streaming mode (average) = 5.30504 W
 *   Network group: net
 *       Frames count: 3272
 *       FPS: 218.10
 *       HW Latency: 12.84 ms
 *
 * The chip works on several frames at a time, so that a frame takes its latency and not the inverse of the
 * rate.
 */
#include "measure/import/importer.h"

enum { HW_FPS, STREAM_FPS, FPS, LATENCY_MS, FRAMES, WATT, VALUES };

/* Patterns of lines, and their places in values. */
static const struct {
    const char *pattern;
    unsigned at;
} lines[] = {{"FPS (hw_only) = ~", HW_FPS},
             {"(streaming) = ~", STREAM_FPS},
             {"FPS: ~", FPS},
             {"Latency (hw) = ~ ms", LATENCY_MS},
             {"HW Latency: ~ ms", LATENCY_MS},
             {"Frames count: #", FRAMES},
             {"Power in streaming mode (average) = ~ W", WATT}};

typedef struct reading {
    import_state *in;
    const char *model;
    double values[VALUES]; /* 0: not stated */
} reading;

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length}), rest = text;
    if (!r->model && (span_skip(&rest, "Network group: ") || span_skip(&rest, "Network "))) {
        text_span name = span_trim(span_until(&rest, ":/"));
        if (name.length)
            TRY(import_keep_name(r->in, name, &r->model, err));
    }
    for (size_t i = 0; i < N_OF(lines); i++) {
        text_span at = text;
        span_scan(&at, lines[i].pattern, &r->values[lines[i].at]);
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    const double *v = r->values;
    const double fps = v[HW_FPS] > 0 ? v[HW_FPS] : v[FPS];
    roof_run *run;
    if (!r->model || (!(v[LATENCY_MS] > 0) && !(fps > 0)))
        return error_data(err, "neither a latency nor inferences/s, want those that `hailortcli benchmark` "
                               "prints behind its work");
    TRY(import_add_run(r->in, r->model, ROOF_RUN_BYPASS, &run, err));
    run->total.mean_s = v[LATENCY_MS] > 0 ? v[LATENCY_MS] / 1e3 : NAN;
    run->iterations = v[FRAMES] > 0 ? (uint64_t)v[FRAMES] : run->iterations;
    if (fps > 0)
        import_note(r->in,
                    "%s inferences/s of the chip: it works on several frames at a time, so that this is no "
                    "time of one",
                    NUMBER(fps));
    if (v[STREAM_FPS] > 0)
        import_note(r->in, "%s inferences/s with the copies of the host", NUMBER(v[STREAM_FPS]));
    if (!(v[LATENCY_MS] > 0))
        import_note(r->in,
                    "the time of a frame is unknown: `hailortcli run NET.hef --measure-latency` has it");
    if (v[WATT] > 0)
        import_note(r->in, "%s W while it streams", NUMBER(v[WATT]));
    return ROOF_OK;
}

const importer_def importer_hailortcli = {
    .id = "hailortcli",
    .tool = "HailoRT",
    .next =
        "the difference to the rate of the pipeline is the host's: time decoding and post-processing there",
    .marks = {SURE("FPS", "(hw_only)", "(streaming)"), SURE("HW Latency:", "FPS:", "Network"),
              SURE("Network group: ", "Frames count: ", "FPS: ")},
    .device = "NPU",
    WHOLE_ONLY("hailortcli times whole networks"),
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
