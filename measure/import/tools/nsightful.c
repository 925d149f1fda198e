/* The trace that nsightful makes of a report of NVIDIA Nsight Systems: Chrome's format, an array, times from
 * the beginning of the report.
 *
 *   [{"name":"gemv","ph":"X","cat":"cuda","ts":15057.495,"dur":1.312,"pid":"Device 0","tid":"CUDA API 7",...
 *
 * Events of cat "cuda" are kernels. Events of "nvtx-kernel" stand for the same time again, by the user's
 * ranges; "cuda_api" and "nvtx" are CPU time. Copies are not in it.
 */
#include "measure/import/timings.h"

typedef struct reading {
    import_state *in;
    row_timings timings;
    uint64_t n_others;
} reading;

static roof_status read(reading *r, const trace_event *e, roof_error *err)
{
    if (event_is_span(e) && span_is(e->cat, "cuda")) {
        int64_t start_ps, dur_ps;
        uint32_t row;
        TRY(event_times(e, &start_ps, &dur_ps, err));
        TRY(import_saw_named(r->in, (span_of_time){start_ps, start_ps + dur_ps}, 1e-12, e->name, err));
        TRY(timings_row_of_event(r->in, &r->timings, e, 0, &row, err));
        return timings_add(&r->timings, row, event_seconds(dur_ps), err);
    }
    r->n_others += event_is_span(e);
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    if (!r->timings.n_rows)
        return error_data(err, "no kernel, want events with cat \"cuda\" and a duration");
    TRY(timings_add_run(r->in, &r->timings, &run, err));
    import_sum_iterations(r->in, run, 0);
    import_note(
        r->in,
        "kernels by name; the file does not state inferences, so it is unknown how often one runs each");
    import_note_count(r->in, r->n_others,
                      "events of the host and of ranges are left out, since kernels are in them again");
    return ROOF_OK;
}

const importer_def importer_nsightful = {
    .id = "nsightful",
    .tool = "Nsight Systems",
    .next = "profile the largest kernel by `ncu --set full -k regex:NAME -c 5 APPLICATION`",
    .marks = {SURE("\"cat\": \"cuda\"", "\"Device ", "\"ph\""),
              SURE("\"cat\":\"cuda\"", "\"Device ", "\"ph\"")},
    .device = "GPU",
    ROWS_ONLY,
    .reading_bytes = sizeof(reading),
    .trace = {.event = read},
    .finish = finish};
