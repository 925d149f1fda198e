#include "measure/runner.h"
#include "core/codec.h"
#include "core/error.h"
#include "core/span.h"
#include "measure/profile.h"
#include "measure/runner_deaths.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ITERATIONS = 1 << 24, LIFE_MS = INT_MAX / 2, GOOD_BYE_MS = 2000 };

/* A line that it may write: one of these members is there. */
typedef struct answer {
    bool is_hello, is_sample, is_round, is_done, is_error, is_layers, has_times;
    runner_about hello;
    struct {
        double total_s;
    } sample;
    struct {
        uint32_t iterations;
    } round;
    struct {
        uint64_t macs;
    } done;
    struct {
        const char *code, *text, *advice;
    } error;
    runner *runner;
} answer;

/* --- where it is ---------------------------------------------------------------------------------------- */

/* Folders that runners may be in: those that ROOFLINE_RUNNER_PATH names and no others; else that of this program, where an
 * installed one has its helpers, and those of PATH. */
static const char *const beside[] = {".", "../libexec/roofline"};
enum { BESIDE = sizeof beside / sizeof *beside };

/* "" where there is nothing to look for. */
static void folder_beside(const char *name, char folder[RUNNER_PATH_SIZE])
{
    char self[RUNNER_PATH_SIZE / 2];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    *folder = '\0';
    if (slash)
        snprintf(folder, RUNNER_PATH_SIZE, "%.*s/%s", (int)(slash - self), self, name);
}

/* The i-th of them; false past the end. */
static bool folder_at(size_t i, char folder[RUNNER_PATH_SIZE])
{
    const char *list = getenv("ROOFLINE_RUNNER_PATH");
    size_t n_beside = list ? 0 : BESIDE;
    if (i < n_beside)
        return folder_beside(beside[i], folder), true;
    list = list ? list : getenv("PATH");
    text_span rest = span_of(list ? list : ""), one;
    for (i -= n_beside; rest.length; i--) {
        one = span_take_until(&rest, ":");
        if (i > 0)
            continue;
        *folder = '\0';
        if (one.length < RUNNER_PATH_SIZE - 100)
            snprintf(folder, RUNNER_PATH_SIZE, "%.*s", (int)one.length, one.text);
        return true;
    }
    return false;
}

static bool is_runner_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length && length < RUNNER_NAME_SIZE && !name[length];
}

roof_status runner_find(const char *name, char path[RUNNER_PATH_SIZE], roof_error *err)
{
    char folder[RUNNER_PATH_SIZE];
    for (size_t i = 0; is_runner_name(name) && folder_at(i, folder); i++)
        if (*folder &&
            snprintf(path, RUNNER_PATH_SIZE, "%s/" RUNNER_PREFIX "%s", folder, name) < RUNNER_PATH_SIZE &&
            access(path, X_OK) == 0)
            return ROOF_OK;
    return error_set(err, ROOF_E_DEVICE,
                     "there is no runner for '%.60s': no program " RUNNER_PREFIX
                     "%.60s beside roofline or in "
                     "PATH; `roofline formats` lists those that there are",
                     name, is_runner_name(name) ? name : "NAME");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_folder(const char *folder, runner_names *out, roof_arena *arena)
{
    const struct dirent *entry;
    DIR *d = *folder ? opendir(folder) : NULL;
    while (d && (entry = readdir(d))) {
        const char *name = entry->d_name + strlen(RUNNER_PREFIX);
        if (strncmp(entry->d_name, RUNNER_PREFIX, strlen(RUNNER_PREFIX)) != 0 || !is_runner_name(name) ||
            faccessat(dirfd(d), entry->d_name, X_OK, 0) != 0)
            continue;
        const char **grown = arena_grow(arena, out->names, out->n, sizeof *grown);
        if (!grown || !(grown[out->n] = arena_strdup(arena, name)))
            break; /* which the arena remembers */
        out->names = grown;
        out->n++;
    }
    if (d)
        (void)closedir(d);
}

roof_status runner_list(runner_names *out, roof_arena *arena, roof_error *err)
{
    char folder[RUNNER_PATH_SIZE];
    size_t different = 0;
    *out = (runner_names){0};
    for (size_t i = 0; folder_at(i, folder); i++)
        list_folder(folder, out, arena);
    TRY(arena_status(arena, err));
    if (out->n)
        qsort(out->names, out->n, sizeof *out->names, by_name);
    for (size_t i = 0; i < out->n; i++)
        if (i == 0 || strcmp(out->names[i], out->names[different - 1]) != 0)
            out->names[different++] = out->names[i];
    out->n = different;
    return ROOF_OK;
}

/* --- what went wrong ------------------------------------------------------------------------------------ */

/* Its own last words, with what they mean where that is known. */
static roof_status tell_death(runner *r, const char *how, roof_error *err)
{
    char line[300], shown[400];
    const runner_death *known = runner_death_of(r->child.said, r->child.last, line, sizeof line);
    if (known)
        return error_set(err, ROOF_E_DEVICE, "%s; %s", known->sentence, known->advice);
    quote_text(shown, sizeof shown, line, strlen(line));
    return error_set(err, ROOF_E_DEVICE, "%s%s%s", how, *line ? ": " : "", shown);
}

static roof_status tell_end(runner *r, roof_error *err)
{
    char how[120];
    child_end_within(&r->child, GOOD_BYE_MS);
    r->is_started = false;
    if (r->child.signal)
        snprintf(how, sizeof how, "it died (%s)", strsignal(r->child.signal));
    else
        snprintf(how, sizeof how,
                 r->child.timed_out ? "it closed its output, and was ended" : "it ended before it was done");
    return tell_death(r, how, err);
}

static roof_status tell_silence(runner *r, int ms, roof_error *err)
{
    char how[120];
    child_end_within(&r->child, 0);
    r->is_started = false;
    snprintf(how, sizeof how, "it was silent for %g s and was ended (--timeout makes that longer)", ms / 1e3);
    return tell_death(r, how, err);
}

/* It does not keep to the protocol. */
static roof_status tell_fault(runner *r, const char *format, ...) ROOF_PRINTF(2, 3);
static roof_status tell_fault(runner *r, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(r->err, ROOF_E_INTERNAL, "%s (docs/runner-protocol.md has the rules)", text);
}

/* What it says itself. */
static roof_status tell_error(const answer *a, roof_error *err)
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
    runner_samples *s = &((answer *)answer_)->runner->samples;
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
    if (wanted)
        TRY(codec_read_seconds(c, event, &seconds));
    t->row[t->n++] = seconds;
    return ROOF_OK;
}

static roof_status read_layer_times(codec *c, const json_event *event, void *answer_)
{
    runner *r = ((answer *)answer_)->runner;
    times_reading t = {r, NULL, 0};
    size_t row_bytes = r->n_layers * sizeof(double);
    if (!r->n_layers)
        return codec_fail(c, "times of layers, but it named none");
    if (!array_grow((void **)&r->samples.layers_s, r->samples.n, row_bytes))
        return error_memory(c->err);
    t.row = r->samples.layers_s + (size_t)r->samples.n * r->n_layers;
    ((answer *)answer_)->has_times = true;
    TRY(codec_read_array(c, event, read_layer_time, &t));
    return t.n == r->n_layers
               ? ROOF_OK
               : codec_fail(c, "%" PRIu32 " times, want one for each of its %" PRIu32 " layers", t.n,
                            r->n_layers);
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
    {CODEC_ITEMS("clocks_hz", runner_about, clocks, n_clocks, &clock_object, 8, INLINE_KEYS)},
    {CODEC(runner_about, launches, SMALL, OMIT)},
    {CODEC(runner_about, batch, SMALL, OMIT)}};
static const codec_object hello_object = {CODEC_ROWS(hello_members), .name = "hello"};

static const codec_member sample_members[] = {
    {CODEC_AS("total_s", answer, sample.total_s, SECONDS, ALWAYS), .missing = "has no total_s"},
    {CODEC_BY("phases", 0, read_phases, NULL)},
    {CODEC_BY("layers_s", 0, read_layer_times, NULL)}};
static const codec_object sample_object = {CODEC_ROWS(sample_members), .name = "a sample"};

static const codec_member round_members[] = {
    {CODEC_AS("iterations", answer, round.iterations, SMALL, ALWAYS), .missing = "has no iterations"}};
static const codec_object round_object = {CODEC_ROWS(round_members), .name = "a round"};

static const codec_member done_members[] = {{CODEC_AS("macs", answer, done.macs, COUNT, OMIT)}};
static const codec_object done_object = {CODEC_ROWS(done_members), .name = "done"};

static const codec_member error_members[] = {
    {CODEC_AS("code", answer, error.code, TEXT, ALWAYS)},
    {CODEC_AS("text", answer, error.text, NAME, ALWAYS), .missing = "has no text"},
    {CODEC_AS("advice", answer, error.advice, NAME, OMIT)}};
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
    answer *a = answer_;
    if (a->runner->n_layers)
        return codec_fail(c, "layers once more");
    a->is_layers = true;
    return codec_read_array(c, event, read_layer, a->runner);
}

static const codec_member answer_members[] = {
    {CODEC_IN("hello", offsetof(answer, hello), &hello_object), CODEC_IF(answer, is_hello)},
    {CODEC_BY("layers", 0, read_layers, NULL)},
    {CODEC_IN("sample", 0, &sample_object), CODEC_IF(answer, is_sample)},
    {CODEC_IN("round", 0, &round_object), CODEC_IF(answer, is_round)},
    {CODEC_IN("done", 0, &done_object), CODEC_IF(answer, is_done)},
    {CODEC_IN("error", 0, &error_object), CODEC_IF(answer, is_error)}};
static const codec_object answer_object = {CODEC_ROWS(answer_members), .name = "a line of a runner"};

typedef struct line_source {
    const char *text;
    size_t left;
} line_source;

static roof_status give_line(void *source_, char *buffer, size_t size, size_t *got, roof_error *err)
{
    line_source *s = source_;
    (void)err;
    *got = s->left < size ? s->left : size;
    memcpy(buffer, s->text, *got);
    s->text += *got;
    s->left -= *got;
    return ROOF_OK;
}

/* The next line that it writes, read. */
static roof_status hear(runner *r, answer *out)
{
    line_source source = {0};
    char *line = NULL;
    child_answer heard = child_hear(&r->child, r->request->answer_ms, &line, &source.left);
    *out = (answer){.runner = r};
    if (heard == CHILD_NO_MEMORY)
        return error_memory(r->err);
    if (heard == CHILD_LATE)
        return tell_silence(r, r->request->answer_ms, r->err);
    if (heard == CHILD_CLOSED)
        return tell_end(r, r->err);
    if (heard == CHILD_FLOOD)
        return tell_fault(r, "it writes a line of more than %d bytes", CHILD_LONGEST_LINE);
    source.text = line;
    codec_forget(&answer_object, out);
    roof_error why = {0};
    codec c = {.arena = r->arena, .err = &why};
    roof_status status = codec_read_from(&c, give_line, &source, "its line", &answer_object, out);
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(r->err);
    char text[512];
    roof_error_format(&why, text, sizeof text);
    if (status != ROOF_OK)
        return tell_fault(r, "%.350s", text);
    if (out->is_error)
        return tell_error(out, r->err);
    unsigned n = (unsigned)out->is_hello + out->is_layers + out->is_sample + out->is_round + out->is_done;
    return n == 1 ? ROOF_OK
                  : tell_fault(r, "it writes a line with %s of hello, layers, sample, round, done, error",
                               n ? "several" : "none");
}

/* --- requests ------------------------------------------------------------------------------------------- */

/* In one line: what JSON has of line ends stands between its values. */
static roof_status say(runner *r, textbuf *text)
{
    roof_status status = text_status(text, r->err);
    for (size_t i = 0; status == ROOF_OK && i < text->length; i++)
        text->bytes[i] = text->bytes[i] == '\n' ? ' ' : text->bytes[i];
    text_puts(text, "\n");
    if (status == ROOF_OK)
        status = text_status(text, r->err);
    /* What a dead runner does not take any more, its silence tells. */
    if (status == ROOF_OK)
        child_say(&r->child, text->bytes, text->length);
    text_free(text);
    return status;
}

static roof_status send_request(runner *r)
{
    const runner_request *q = r->request;
    textbuf text;
    jsonout j;
    text_init(&text, TEXT_MAX_BYTES);
    jsonout_begin(&j, &text);
    jsonout_object(&j, NULL, true);
    jsonout_string(&j, "protocol", "roofline.runner/1");
    jsonout_string(&j, "model", q->model);
    if (q->model)
        jsonout_string(&j, "mode", roof_run_mode_text(q->mode));
    if (q->probe)
        jsonout_bool(&j, "probe", true);
    if (q->batch)
        jsonout_count(&j, "batch", q->batch);
    if (q->threads)
        jsonout_count(&j, "threads", q->threads);
    jsonout_object(&j, "options", true);
    for (uint32_t i = 0; i < q->n_options; i++) {
        char key[CODEC_LONGEST_KEY + 1];
        size_t length = strcspn(q->options[i], "=");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1),
                 q->options[i]);
        jsonout_string(&j, key, q->options[i][length] ? q->options[i] + length + 1 : "");
    }
    jsonout_end(&j);
    jsonout_end(&j);
    return say(r, &text);
}

/* --- its life ------------------------------------------------------------------------------------------- */

static roof_status meet(runner *r)
{
    answer a;
    TRY(send_request(r));
    TRY(hear(r, &a));
    if (!a.is_hello)
        return tell_fault(r, "its first line is no hello");
    r->about = a.hello;
    if (r->about.batch == ROOF_NONE)
        r->about.batch = 1;
    bool names_rows = r->request->probe || (r->request->model && r->request->mode == ROOF_RUN_PER_LAYER);
    if (!names_rows)
        return ROOF_OK;
    TRY(hear(r, &a));
    return a.is_layers && r->n_layers ? ROOF_OK : tell_fault(r, "it does not name the layers that it times");
}

static roof_status place(const runner *r, roof_status status)
{
    if (status != ROOF_OK && status != ROOF_E_NO_MEMORY)
        error_prefix(r->err, "runner '%s'", r->request->name);
    return status;
}

roof_status runner_start(const runner_request *request, runner *out, roof_error *err)
{
    char *const arguments[] = {(char *)(uintptr_t)request->path, NULL};
    const child_options options = {.settings = request->settings, .most_ms = LIFE_MS, .talks = true};
    *out = (runner){.request = request, .arena = arena_new(0), .macs = ROOF_UNKNOWN, .err = err};
    if (!out->arena)
        return error_memory(err);
    int code = child_start(&options, arguments, &out->child);
    if (code)
        return place(out, error_set(err, ROOF_E_DEVICE, "'%.300s' cannot be started: %s", request->path,
                                    strerror(code)));
    out->is_started = true;
    return place(out, meet(out));
}

static roof_status keep_sample(runner *r, const answer *a)
{
    runner_samples *s = &r->samples;
    double sum = 0;
    const double *row = r->n_layers ? s->layers_s + (size_t)s->n * r->n_layers : NULL;
    for (uint32_t i = 0; i < r->n_layers; i++)
        sum += isnan(row[i]) ? 0 : row[i];
    if (sum > a->sample.total_s * (1 + 1e-6))
        return tell_fault(r, "the layers of a sample take %g s together, all of it %g s", sum,
                          a->sample.total_s);
    if (!array_grow((void **)&s->totals_s, s->n, sizeof *s->totals_s))
        return error_memory(r->err);
    s->totals_s[s->n++] = a->sample.total_s;
    return ROOF_OK;
}

static roof_status run(runner *r, uint32_t iterations)
{
    answer a;
    textbuf text;
    uint32_t before = r->samples.n;
    if (iterations > MOST_ITERATIONS - before)
        return error_set(r->err, ROOF_E_LIMIT, "more than %d iterations", MOST_ITERATIONS);
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text, "{\"iterations\": %" PRIu32 "}", iterations);
    TRY(say(r, &text));
    for (;;) {
        TRY(hear(r, &a));
        if (a.is_round && a.round.iterations == iterations && r->samples.n - before == iterations)
            return ROOF_OK;
        if (a.is_round)
            return tell_fault(
                r, "it ends a round of %" PRIu32 " iterations after %" PRIu32 " samples and says %" PRIu32,
                iterations, r->samples.n - before, a.round.iterations);
        if (!a.is_sample || r->samples.n - before == iterations)
            return tell_fault(r, a.is_sample ? "it gives more samples than it was asked for"
                                             : "it writes something else than samples in a round");
        if (r->n_layers && !a.has_times)
            return tell_fault(r, "its sample has no layers_s");
        TRY(keep_sample(r, &a));
    }
}

roof_status runner_run(runner *r, uint32_t iterations, roof_error *err)
{
    r->err = err;
    return place(r, run(r, iterations));
}

void runner_forget(runner *r)
{
    free(r->samples.totals_s);
    free(r->samples.layers_s);
    r->samples = (runner_samples){0};
}

static roof_status finish(runner *r)
{
    answer a;
    child_say_no_more(&r->child);
    TRY(hear(r, &a));
    if (!a.is_done)
        return tell_fault(r, "it has more to say when there is nothing more to do");
    r->macs = a.done.macs;
    return ROOF_OK;
}

roof_status runner_finish(runner *r, roof_error *err)
{
    r->err = err;
    roof_status status = place(r, finish(r));
    if (r->is_started)
        child_end_within(&r->child, GOOD_BYE_MS);
    r->is_started = false;
    return status;
}

void runner_free(runner *r)
{
    if (r->is_started)
        child_end_within(&r->child, 0);
    r->is_started = false;
    runner_forget(r);
    arena_free(r->arena);
    r->arena = NULL;
}
