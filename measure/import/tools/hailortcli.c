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

typedef struct reading {
    import_state *in;
    const char *model;
    double chip_fps, stream_fps, fps, latency_s, frames, watts; /* 0: not stated */
} reading;

static roof_status take_network(reading *r, const line_found *found, roof_error *err)
{
    text_span name = found->words[0];
    name = span_trim(span_until(&name, ":/"));
    return name.length && !r->model ? import_keep_name(r->in, name, &r->model, err) : ROOF_OK;
}

static const line_field lines[] = {
    {"Network group: *", .take = take_network},
    {"Network *: #%", .take = take_network},
    {"FPS (hw_only) = ~", .target = offsetof(reading, chip_fps)},
    {"(streaming) = ~", .target = offsetof(reading, stream_fps)},
    {"FPS: ~", .target = offsetof(reading, fps)},
    {"Latency (hw) = ~ ms", .unit = 1e-3, .target = offsetof(reading, latency_s)},
    {"HW Latency: ~ ms", .unit = 1e-3, .target = offsetof(reading, latency_s)},
    {"Frames count: #", .target = offsetof(reading, frames)},
    {"Power in streaming mode (average) = ~ W", .target = offsetof(reading, watts)},
};

static roof_status finish(reading *r, roof_error *err)
{
    const double fps = r->chip_fps > 0 ? r->chip_fps : r->fps;
    roof_run *run;
    if (!r->model || (!(r->latency_s > 0) && !(fps > 0)))
        return error_data(err, "neither a latency nor inferences/s, want those that `hailortcli benchmark` "
                               "prints behind its work");
    TRY(import_add_run(r->in, r->model, ROOF_RUN_BYPASS, &run, err));
    run->total.mean_s = r->latency_s > 0 ? r->latency_s : NAN;
    run->iterations = r->frames > 0 ? (uint64_t)r->frames : run->iterations;
    if (fps > 0)
        import_note(r->in,
                    "%s inferences/s of the chip: it works on several frames at a time, so that this is no "
                    "time of one",
                    NUMBER(fps));
    if (r->stream_fps > 0)
        import_note(r->in, "%s inferences/s with the copies of the host", NUMBER(r->stream_fps));
    if (!(r->latency_s > 0))
        import_note(r->in,
                    "the time of a frame is unknown: `hailortcli run NET.hef --measure-latency` has it");
    if (r->watts > 0)
        import_note(r->in, "%s W while it streams", NUMBER(r->watts));
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
    LINES_OF(lines),
    .finish = finish};
