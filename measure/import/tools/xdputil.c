/* `xdputil benchmark MODEL [-i SUBGRAPH] THREADS` prints a line for each thread, and this behind them:
 *   ... performance_test.hpp:85] thread-0 processes 5361 frames
 *   FPS= 89.34 number_of_frames= 5361 time= 60.007 seconds.
 *
 * FPS is throughput. Only with one thread is its inverse the time of a frame; with more, frames overlap. The
 * number of threads is that of their lines, or it is taken from the text where it is told: the command line,
 * when the log holds it, or "N threads".
 */
#include "measure/import/importer.h"

#include <ctype.h>

typedef struct reading {
    import_state *in;
    uint32_t n_results;
    double fps, seconds;
    uint64_t frames, threads, n_lines; /* threads 0: not stated; lines of single threads */
} reading;

static void read_threads(reading *r, text_span digits)
{
    uint64_t threads;
    if (span_id(digits, "", &threads, NULL) == ROOF_OK)
        r->threads = threads;
}

/* A run each. */
static roof_status add_result(reading *r, roof_error *err)
{
    import_state *in = r->in;
    roof_run *run = NULL;
    const uint64_t threads = r->n_lines ? r->n_lines : r->threads;
    const bool is_load = threads > 1 && threads < ROOF_NONE;
    TRY(import_add_run(in, NULL, is_load ? ROOF_RUN_LOAD : ROOF_RUN_BYPASS, &run, err));
    run->iterations = r->frames;
    r->n_lines = 0;
    r->n_results++;
    if (threads == 1) {
        run->total.mean_s = 1 / r->fps;
        run->total.count = r->frames;
        return ROOF_OK;
    }
    if (is_load) {
        run->threads = (uint32_t)threads;
        run->frames_per_s = r->fps;
    }
    if (threads)
        import_note(in,
                    "%s inferences/s with %llu threads: frames overlap, so that the time of one is unknown",
                    NUMBER(r->fps), (unsigned long long)threads);
    else
        import_note(in,
                    "%s inferences/s: how many threads there were is not stated, so that the time of one "
                    "frame is unknown",
                    NUMBER(r->fps));
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length}, command = text, rest = text;
    bool is_command = span_skip_past(&command, "xdputil benchmark ");
    command = span_trim(command);
    /* The arguments: [-i N] MODEL THREADS; the last one is a number of at most three digits. */
    const char *space = command.length ? memrchr(command.text, ' ', command.length) : NULL;
    if (is_command && space && command.text + command.length - space <= 4)
        read_threads(r, span_from(command, (size_t)(space + 1 - command.text)));
    double counted[2];
    if (span_scan_behind(text, "thread-", "# processes # frames", counted))
        r->n_lines++;
    /* "4 threads", "1 thread" */
    if (span_skip_past(&rest, " thread") && (!rest.length || strchr("s .,", *rest.text))) {
        const char *end = rest.text - strlen(" thread"), *at = end;
        while (at > text.text && isdigit((unsigned char)at[-1]))
            at--;
        read_threads(r, (text_span){at, (size_t)(end - at)});
    }
    if (!span_has(text, "FPS=") || !span_has(text, "number_of_frames="))
        return ROOF_OK;
    TRY(span_number(span_word_behind(text, "FPS="), "FPS", &r->fps, err));
    TRY(span_count(span_word_behind(text, "number_of_frames="), "number_of_frames", &r->frames, err));
    TRY(span_number(span_word_behind(text, " time="), "time", &r->seconds, err));
    if (!(r->fps > 0) || !r->frames)
        return error_data(err, "%g FPS and %llu frames, want more than 0: did it run?", r->fps,
                          (unsigned long long)r->frames);
    if (fabs((double)r->frames / r->seconds / r->fps - 1) > 0.05)
        return error_data(err, "%llu frames in %g s are not %g FPS", (unsigned long long)r->frames,
                          r->seconds, r->fps);
    return add_result(r, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    return r->n_results
               ? ROOF_OK
               : error_data(err,
                            "no result, want a line \"FPS= ... number_of_frames= ... time= ... seconds.\"");
}

const importer_def importer_xdputil = {
    .id = "xdputil",
    .unverified = true,
    .marks = {SURE("FPS=", "number_of_frames="), LIKELY("xdputil benchmark")},
    WHOLE_ONLY("xdputil benchmark runs the whole network"),
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
