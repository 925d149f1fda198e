#include "runners/speak.h"
#include "core/codec.h"
#include "core/error.h"
#include "core/jsonout.h"
#include "measure/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct speaker {
    roof_arena *arena;
    speak_request request;
    const char *mode, *protocol;
    char *line; /* of getline */
    size_t line_size;
    FILE *out;    /* what was standard output */
    textbuf text; /* what is said next */
    jsonout json;
    bool failed;
};

double speak_now_s(void)
{
    return machine_now_s();
}

/* --- what is asked --------------------------------------------------------------------------------------- */

static roof_status read_option(codec *c, const json_event *event, void *request_)
{
    speak_request *q = request_;
    if (event->kind != JSON_STRING)
        return codec_fail(c, "is no text");
    if (q->n_options == SPEAK_MOST_OPTIONS)
        return codec_refuse(c, ROOF_E_LIMIT, "more than %d options", SPEAK_MOST_OPTIONS);
    q->keys[q->n_options] = arena_strdup(c->arena, event->key);
    q->values[q->n_options] = arena_strdup(c->arena, event->text);
    q->n_options++;
    return arena_status(c->arena, c->err);
}

static roof_status read_options(codec *c, const json_event *event, void *speaker_)
{
    return codec_read_members(c, event, read_option, &((speaker *)speaker_)->request);
}

static const codec_member request_members[] = {
    {CODEC_AS("protocol", speaker, protocol, TEXT, ALWAYS), .missing = "has no protocol"},
    {CODEC_AS("model", speaker, request.model, TEXT, OMIT)},
    {CODEC_AS("mode", speaker, mode, TEXT, OMIT)},
    {CODEC_AS("counters", speaker, request.counters, BOOL, OMIT)},
    {CODEC_AS("probe", speaker, request.probe, BOOL, OMIT)},
    {CODEC_AS("batch", speaker, request.batch, SMALL, OMIT)},
    {CODEC_AS("threads", speaker, request.threads, SMALL, OMIT)},
    {CODEC_BY("options", 0, read_options, NULL)}};
static const codec_object request_object = {CODEC_ROWS(request_members), .name = "the request"};

typedef struct turn {
    uint32_t iterations;
} turn;
static const codec_member turn_members[] = {
    {CODEC(turn, iterations, SMALL, ALWAYS), .missing = "has no iterations"}};
static const codec_object turn_object = {CODEC_ROWS(turn_members), .name = "a turn"};

/* What a program that was started anew has read before (speak_again). */
static const char request_again[] = "ROOFLINE_RUNNER_REQUEST";

/* The next line that is asked; false at the end, or when it cannot be understood. */
static bool hear(speaker *s, const codec_object *object, void *out)
{
    roof_error err;
    char message[600];
    const char *again = object == &request_object ? getenv(request_again) : NULL;
    ssize_t n = again ? (ssize_t)strlen(again) : getline(&s->line, &s->line_size, stdin);
    if (n <= 0)
        return false;
    codec c = {.arena = s->arena, .err = &err};
    codec_forget(object, out);
    if (codec_read_text(&c, again ? again : s->line, (size_t)n, "standard input", object, out) == ROOF_OK)
        return true;
    roof_error_format(&err, message, sizeof message);
    fprintf(stderr, "error: %s\n", message);
    s->failed = true;
    return false;
}

/* Some vendors' libraries print to standard output, which would be taken for an answer. */
static FILE *take_output(void)
{
    int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (own < 0)
        return NULL;
    FILE *out = dup2(STDERR_FILENO, STDOUT_FILENO) == STDOUT_FILENO ? fdopen(own, "w") : NULL;
    if (!out)
        close(own);
    return out;
}

speaker *speak_begin(void)
{
    speaker *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->arena = arena_new(0);
    text_init(&s->text, TEXT_MAX_BYTES);
    s->out = take_output();
    bool good = s->arena && s->out && hear(s, &request_object, s);
    if (good && strcmp(s->protocol ? s->protocol : "", "roofline.runner/1") == 0) {
        s->request.batch = s->request.batch == ROOF_NONE ? 0 : s->request.batch;
        s->request.threads = s->request.threads == ROOF_NONE ? 0 : s->request.threads;
        s->request.per_layer = s->mode && strcmp(s->mode, roof_run_mode_text(ROOF_RUN_PER_LAYER)) == 0;
        return s;
    }
    fprintf(
        stderr,
        "error: want a request of roofline.runner/1 on standard input; `roofline measure --on` writes one\n");
    (void)speak_end(s);
    return NULL;
}

void speak_again(speaker *s, const char *name, const char *value)
{
    char *const arguments[] = {(char *)(uintptr_t) "roofline-run", NULL};
    const char *now = getenv(name);
    if (!s->line || (now && strcmp(now, value) == 0))
        return;
    if (setenv(name, value, 1) == 0 && setenv(request_again, s->line, 1) == 0 &&
        dup2(fileno(s->out), STDOUT_FILENO) == STDOUT_FILENO)
        execv("/proc/self/exe", arguments);
    fprintf(stderr, "error: cannot start anew with %s=%s: %s\n", name, value, strerror(errno));
    exit(EXIT_FAILURE);
}

const speak_request *speak_request_of(const speaker *s)
{
    return &s->request;
}

const char *speak_option(const speaker *s, const char *key, const char *otherwise)
{
    for (uint32_t i = 0; i < s->request.n_options; i++)
        if (strcmp(s->request.keys[i], key) == 0)
            return s->request.values[i];
    return otherwise;
}

/* --- what is answered ------------------------------------------------------------------------------------ */

static void begin(speaker *s, const char *what)
{
    s->text.length = 0;
    jsonout_begin(&s->json, &s->text);
    jsonout_object(&s->json, NULL, true);
    jsonout_object(&s->json, what, true);
}

/* One line, whole. */
static void end(speaker *s)
{
    roof_error err;
    jsonout_end(&s->json);
    jsonout_end(&s->json);
    bool good = text_status(&s->text, &err) == ROOF_OK;
    good = good && fwrite(s->text.bytes, 1, s->text.length, s->out) == s->text.length && fflush(s->out) == 0;
    s->failed = s->failed || !good;
}

static void put_text(speaker *s, const char *key, const char *text)
{
    if (text)
        jsonout_string(&s->json, key, text);
}

void speak_hello_to(speaker *s, const speak_hello *hello)
{
    begin(s, "hello");
    jsonout_string(&s->json, "device", hello->device);
    put_text(s, "version", hello->version);
    put_text(s, "data_type", hello->data_type);
    put_text(s, "note", hello->note);
    put_text(s, "counts", hello->counts);
    if (hello->launches != ROOF_NONE)
        jsonout_count(&s->json, "launches", hello->launches);
    if (hello->batch != ROOF_NONE)
        jsonout_count(&s->json, "batch", hello->batch);
    end(s);
}

void speak_layers(speaker *s, const speak_layer *layers, uint32_t n)
{
    s->text.length = 0;
    jsonout_begin(&s->json, &s->text);
    jsonout_object(&s->json, NULL, true);
    jsonout_array(&s->json, "layers", true);
    for (uint32_t i = 0; i < n; i++) {
        jsonout_object(&s->json, NULL, true);
        jsonout_string(&s->json, "name", layers[i].name);
        put_text(s, "type", layers[i].type);
        put_text(s, "skipped", layers[i].skipped);
        if (layers[i].macs != ROOF_UNKNOWN)
            jsonout_count(&s->json, "macs", layers[i].macs);
        if (layers[i].bytes != ROOF_UNKNOWN)
            jsonout_count(&s->json, "bytes", layers[i].bytes);
        jsonout_end(&s->json);
    }
    end(s);
}

bool speak_next_turn(speaker *s, uint32_t *iterations)
{
    turn t;
    bool heard = !s->failed && hear(s, &turn_object, &t);
    *iterations = heard ? t.iterations : 0;
    return heard;
}

void speak_sample_of(speaker *s, const speak_sample *sample)
{
    begin(s, "sample");
    jsonout_number(&s->json, "total_s", sample->total_s);
    if (sample->n_phases) {
        jsonout_object(&s->json, "phases", true);
        for (uint32_t i = 0; i < sample->n_phases; i++)
            jsonout_number(&s->json, sample->phases[i], sample->phases_s[i]);
        jsonout_end(&s->json);
    }
    if (sample->n_layers) {
        jsonout_array(&s->json, s->request.counters ? "layers_cycles" : "layers_s", true);
        for (uint32_t i = 0; i < sample->n_layers; i++)
            jsonout_number(&s->json, NULL, sample->layers_s[i]);
        jsonout_end(&s->json);
    }
    end(s);
}

void speak_round(speaker *s, uint32_t iterations)
{
    begin(s, "round");
    jsonout_count(&s->json, "iterations", iterations);
    end(s);
}

void speak_done(speaker *s, uint64_t macs)
{
    begin(s, "done");
    if (macs != ROOF_UNKNOWN)
        jsonout_count(&s->json, "macs", macs);
    end(s);
}

void speak_error(speaker *s, const char *code, const char *text, const char *advice)
{
    begin(s, "error");
    jsonout_string(&s->json, "code", code);
    jsonout_string(&s->json, "text", text);
    put_text(s, "advice", advice);
    end(s);
    s->failed = true;
}

void speak_failure(speaker *s, roof_status status, const roof_error *err)
{
    static const struct {
        roof_status status;
        const char *code;
    } rows[] = {{ROOF_E_DEVICE, "no_device"},
                {ROOF_E_USAGE, "usage"},
                {ROOF_E_NO_INPUT, "no_input"},
                {ROOF_E_UNSUPPORTED, "unsupported"}};
    const char *code = "bad_model";
    char text[700];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        code = rows[i].status == status ? rows[i].code : code;
    roof_error_format(err, text, sizeof text);
    speak_error(s, code, text, NULL);
}

int speak_end(speaker *s)
{
    int code = !s || s->failed;
    if (s && s->out && fclose(s->out) != 0)
        code = 1;
    if (s) {
        text_free(&s->text);
        arena_free(s->arena);
        free(s->line);
    }
    free(s);
    return code;
}
