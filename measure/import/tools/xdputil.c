/* `xdputil benchmark MODEL [-i SUBGRAPH] THREADS` prints this as its last line:
 *   FPS= 89.34 number_of_frames= 5361 time= 60.007 seconds.
 *
 * That is throughput. Only with one thread is its inverse the time of a frame; with more, frames overlap. The
 * number of threads is taken from the text where it is told: the command line, when the log holds it, or "N
 * threads".
 */
#include "measure/import/importer.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

typedef struct reading {
    import_state *in;
    bool found;
    double fps, seconds;
    uint64_t frames, threads; /* threads 0: not told */
} reading;

/* The word behind a key; empty when the key is not there. */
static text_span behind(text_span text, const char *key)
{
    if (!span_skip_past(&text, key))
        return span_of("");
    text = span_trim(text);
    return span_until(&text, " ,");
}

static void read_threads(reading *r, text_span digits)
{
    uint64_t threads;
    if (span_id(digits, "", &threads, NULL) == ROOF_OK)
        r->threads = threads;
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
    /* "4 threads", "1 thread" */
    if (span_skip_past(&rest, " thread") && (!rest.length || strchr("s .,", *rest.text))) {
        const char *end = rest.text - strlen(" thread"), *at = end;
        while (at > text.text && isdigit((unsigned char)at[-1]))
            at--;
        read_threads(r, (text_span){at, (size_t)(end - at)});
    }
    if (!span_has(text, "FPS=") || !span_has(text, "number_of_frames="))
        return ROOF_OK;
    if (r->found)
        return error_set(err, ROOF_E_DATA, "a second result; import each by itself");
    TRY(span_number(behind(text, "FPS="), "FPS", &r->fps, err));
    TRY(span_count(behind(text, "number_of_frames="), "number_of_frames", &r->frames, err));
    TRY(span_number(behind(text, " time="), "time", &r->seconds, err));
    if (!(r->fps > 0) || !r->frames)
        return error_set(err, ROOF_E_DATA, "%g FPS and %llu frames, want more than 0: did it run?", r->fps,
                         (unsigned long long)r->frames);
    if (fabs((double)r->frames / r->seconds / r->fps - 1) > 0.05)
        return error_set(err, ROOF_E_DATA, "%llu frames in %g s are not %g FPS",
                         (unsigned long long)r->frames, r->seconds, r->fps);
    r->found = true;
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    if (!r->found)
        return error_set(err, ROOF_E_DATA,
                         "no result, want a line \"FPS= ... number_of_frames= ... time= ... seconds.\"");
    roof_run *run = NULL;
    TRY(import_add_run(in, NULL, ROOF_RUN_BYPASS, &run, err));
    run->iterations = r->frames;
    if (r->threads == 1) {
        run->total.mean_s = 1 / r->fps;
        run->total.count = r->frames;
        return ROOF_OK;
    }
    if (r->threads)
        import_note(
            in,
            "%s frames per second with %llu threads: frames overlap, so that the time of one is not known",
            NUMBER(r->fps), (unsigned long long)r->threads);
    else
        import_note(in,
                    "%s frames per second: how many threads there were is not told, so that the time of one "
                    "frame is not known",
                    NUMBER(r->fps));
    return ROOF_OK;
}

const importer_def importer_xdputil = {
    .id = "xdputil",
    .unverified = true,
    .marks = {{SNIFF_SURE, {"FPS=", "number_of_frames="}}, {SNIFF_LIKELY, {"xdputil benchmark"}}},
    .mode_why = "xdputil benchmark runs a network as it is deployed",
    .mode = ROOF_RUN_BYPASS,
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
