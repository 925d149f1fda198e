#include "measure/runner_line.h"
#include "core/codec.h"
#include "core/error.h"
#include "measure/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what is wrong with it ------------------------------------------------------------------------------ */

roof_status runner_fault(runner *r, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(r->err, ROOF_E_INTERNAL, "%s (docs/runner-protocol.md has the rules)", text);
}

/* What it says itself. */
static roof_status tell_error(const runner_answer *a, roof_error *err)
{
    static const struct {
        const char *code;
        roof_status status;
    } rows[] = {{"no_device", ROOF_E_DEVICE},
                {"bad_model", ROOF_E_DATA},
                {"unsupported", ROOF_E_UNSUPPORTED},
                {"usage", ROOF_E_USAGE},
                {"no_input", ROOF_E_NO_INPUT}};
    roof_status status = ROOF_E_INTERNAL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (a->error.code && strcmp(rows[i].code, a->error.code) == 0)
            status = rows[i].status;
    return error_set(err, status, "%.300s%s%.200s", a->error.text, a->error.advice ? "; " : "",
                     a->error.advice ? a->error.advice : "");
}

/* --- a line --------------------------------------------------------------------------------------------- */

static roof_status read_phase(codec *c, const json_event *event, void *answer_)
{
    runner_samples *s = &((runner_answer *)answer_)->runner->samples;
    double seconds = NAN;
    char key[CODEC_LONGEST_KEY + 1];
    size_t length = strlen(event->key);
    if (length < 3 || length > CODEC_LONGEST_KEY || strcmp(event->key + length - 2, "_s") != 0)
        return codec_fail(c, "is no phase, want a name that ends with _s");
    snprintf(key, sizeof key, "%.*s", (int)length - 2, event->key);
    TRY(codec_read_seconds(c, event, &seconds));
    uint32_t i = 0;
    while (i < s->n_phases && strcmp(s->phases[i], key) != 0)
        i++;
    if (i == RUNNER_MOST_PHASES)
        return codec_refuse(c, ROOF_E_LIMIT, "more than %d phases", RUNNER_MOST_PHASES);
    if (i == s->n_phases) {
        if (s->n)
            return codec_fail(c, "is a phase that the samples before it did not have");
        s->phases[s->n_phases++] = arena_strdup(c->arena, key);
    }
    if (!s->phases[i])
        return error_memory(c->err);
    s->phase_sums_s[i] += seconds;
    return ROOF_OK;
}

static roof_status read_phases(codec *c, const json_event *event, void *answer_)
{
    return codec_read_members(c, event, read_phase, answer_);
}

typedef struct times_reading {
    runner *runner;
    double *row;
    uint32_t n;
} times_reading;

static roof_status read_layer_time(codec *c, const json_event *event, void *reading_)
{
    times_reading *t = reading_;
    double seconds = NAN;
    if (t->n == t->runner->n_layers)
        return codec_fail(c, "is more than the %" PRIu32 " layers that it named", t->n);
    bool wanted = !t->runner->layers[t->n].skipped;
    if (wanted != (event->kind != JSON_NULL))
        return codec_fail(c,
                          wanted ? "null, want the seconds of '%.80s'" : "a time of '%.80s', which it skips",
                          t->runner->layers[t->n].name);
    if (wanted && t->runner->request->counters) {
        uint64_t cycles = 0;
        TRY(codec_read_count(c, event, &cycles));
        seconds = (double)cycles;
    } else if (wanted) {
        TRY(codec_read_seconds(c, event, &seconds));
    }
    t->row[t->n++] = seconds;
    return ROOF_OK;
}

static roof_status read_layer_values(codec *c, const json_event *event, void *answer_)
{
    runner *r = ((runner_answer *)answer_)->runner;
    times_reading t = {r, NULL, 0};
    size_t row_bytes = r->n_layers * sizeof(double);
    if (!r->n_layers)
        return codec_fail(c, "times of layers, but it named none");
    if (!array_grow((void **)&r->samples.layers_s, r->samples.n, row_bytes))
        return error_memory(c->err);
    t.row = r->samples.layers_s + (size_t)r->samples.n * r->n_layers;
    ((runner_answer *)answer_)->has_times = true;
    TRY(codec_read_array(c, event, read_layer_time, &t));
    return t.n == r->n_layers
               ? ROOF_OK
               : codec_fail(c, "%" PRIu32 " times, want one for each of its %" PRIu32 " layers", t.n,
                            r->n_layers);
}

static roof_status read_layer_times(codec *c, const json_event *event, void *answer_)
{
    if (((runner_answer *)answer_)->runner->request->counters)
        return codec_fail(c, "is not wanted in a pass of counters, layers_cycles is");
    return read_layer_values(c, event, answer_);
}

static roof_status read_layer_cycles(codec *c, const json_event *event, void *answer_)
{
    if (!((runner_answer *)answer_)->runner->request->counters)
        return codec_fail(c, "is only wanted in a pass of counters");
    return read_layer_values(c, event, answer_);
}

static const codec_member layer_members[] = {
    {CODEC(runner_layer, name, NAME, ALWAYS), .missing = "has no name"},
    {CODEC(runner_layer, type, SHARED, OMIT)},
    {CODEC(runner_layer, macs, COUNT, OMIT)},
    {CODEC(runner_layer, bytes, COUNT, OMIT)},
    {CODEC(runner_layer, skipped, SHARED, OMIT)}};
static const codec_object layer_object = {CODEC_ROWS(layer_members), .name = "a layer"};

static const codec_member clock_members[] = {{CODEC(roof_clock, hz, POSITIVE, ALWAYS)}};
static const codec_object clock_object = {CODEC_ROWS(clock_members), .is_bare = true};

static const codec_member hello_members[] = {
    {CODEC(runner_about, device, NAME, ALWAYS), .missing = "has no device"},
    {CODEC(runner_about, version, NAME, OMIT)},
    {CODEC(runner_about, data_type, NAME, OMIT)},
    {CODEC(runner_about, note, NAME, OMIT)},
    {CODEC(runner_about, counts, NAME, OMIT)},
    {CODEC_ITEMS("clocks_hz", runner_about, clocks, n_clocks, &clock_object, 8, INLINE_KEYS)},
    {CODEC(runner_about, launches, SMALL, OMIT)},
    {CODEC(runner_about, batch, SMALL, OMIT)}};
static const codec_object hello_object = {CODEC_ROWS(hello_members), .name = "hello"};

static const codec_member sample_members[] = {
    {CODEC_AS("total_s", runner_answer, sample.total_s, SECONDS, ALWAYS), .missing = "has no total_s"},
    {CODEC_BY("phases", 0, read_phases, NULL)},
    {CODEC_BY("layers_s", 0, read_layer_times, NULL)},
    {CODEC_BY("layers_cycles", 0, read_layer_cycles, NULL)}};
static const codec_object sample_object = {CODEC_ROWS(sample_members), .name = "a sample"};

static const codec_member round_members[] = {
    {CODEC_AS("iterations", runner_answer, round.iterations, SMALL, ALWAYS), .missing = "has no iterations"}};
static const codec_object round_object = {CODEC_ROWS(round_members), .name = "a round"};

static const codec_member done_members[] = {{CODEC_AS("macs", runner_answer, done.macs, COUNT, OMIT)}};
static const codec_object done_object = {CODEC_ROWS(done_members), .name = "done"};

static const codec_member error_members[] = {
    {CODEC_AS("code", runner_answer, error.code, TEXT, ALWAYS)},
    {CODEC_AS("text", runner_answer, error.text, NAME, ALWAYS), .missing = "has no text"},
    {CODEC_AS("advice", runner_answer, error.advice, NAME, OMIT)}};
static const codec_object error_object = {CODEC_ROWS(error_members), .name = "error"};

static roof_status read_layer(codec *c, const json_event *event, void *runner_)
{
    runner *r = runner_;
    if (r->n_layers == RUNNER_MOST_LAYERS)
        return codec_refuse(c, ROOF_E_LIMIT, "more than %d layers", RUNNER_MOST_LAYERS);
    runner_layer *grown = arena_grow(r->arena, r->layers, r->n_layers, sizeof *grown);
    if (!grown)
        return error_memory(c->err);
    r->layers = grown;
    codec_forget(&layer_object, &grown[r->n_layers]);
    return codec_read_object(c, event, &layer_object, &grown[r->n_layers++], NULL);
}

static roof_status read_layers(codec *c, const json_event *event, void *answer_)
{
    runner_answer *a = answer_;
    if (a->runner->n_layers)
        return codec_fail(c, "layers once more");
    if (a->runner->samples.n)
        return codec_fail(c, "layers behind the first sample");
    a->is_layers = true;
    return codec_read_array(c, event, read_layer, a->runner);
}

static const codec_member answer_members[] = {
    {CODEC_IN("hello", offsetof(runner_answer, hello), &hello_object), CODEC_IF(runner_answer, is_hello)},
    {CODEC_BY("layers", 0, read_layers, NULL)},
    {CODEC_IN("sample", 0, &sample_object), CODEC_IF(runner_answer, is_sample)},
    {CODEC_IN("round", 0, &round_object), CODEC_IF(runner_answer, is_round)},
    {CODEC_IN("done", 0, &done_object), CODEC_IF(runner_answer, is_done)},
    {CODEC_IN("error", 0, &error_object), CODEC_IF(runner_answer, is_error)}};
static const codec_object answer_object = {CODEC_ROWS(answer_members), .name = "a line of a runner"};

roof_status runner_read_line(runner *r, const char *line, size_t length, runner_answer *out)
{
    roof_error why = {0};
    codec c = {.arena = r->arena, .err = &why};
    char text[512];
    *out = (runner_answer){.runner = r};
    codec_forget(&answer_object, out);
    roof_status status = codec_read_text(&c, line, length, "its line", &answer_object, out);
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(r->err);
    roof_error_format(&why, text, sizeof text);
    if (status != ROOF_OK)
        return runner_fault(r, "%.350s", text);
    if (out->is_hello && !*out->hello.device)
        return runner_fault(r, "its hello has an empty device");
    if (out->is_error)
        return tell_error(out, r->err);
    unsigned n = (unsigned)out->is_hello + out->is_layers + out->is_sample + out->is_round + out->is_done;
    return n == 1 ? ROOF_OK
                  : runner_fault(r, "it writes a line with %s of hello, layers, sample, round, done, error",
                                 n ? "several" : "none");
}
