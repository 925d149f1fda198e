/* Nothing of roofline is linked: people copy these two files. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "speak.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct speaker {
    cJSON *requested; /* the request, which owns its texts */
    speak_request request;
    char *line; /* of getline */
    size_t line_size;
    FILE *out; /* what was standard output */
    bool failed;
};

double speak_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- what is asked -------------------------------------------------------------------------------------- */

/* A program that was started anew has read this before (speak_again). */
static const char request_again[] = "ROOFLINE_RUNNER_REQUEST";

/* The next line, or what was read before; NULL at the end, or when it is no JSON. */
static cJSON *hear(speaker *s, const char *again)
{
    if (!again && getline(&s->line, &s->line_size, stdin) <= 0)
        return NULL;
    cJSON *heard = cJSON_ParseWithOpts(again ? again : s->line, NULL, true);
    if (!heard)
        fprintf(stderr, "error: a line on standard input is no JSON\n");
    s->failed = s->failed || !heard;
    return heard;
}

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static uint32_t whole(const cJSON *number)
{
    double value = cJSON_GetNumberValue(number);
    return value >= 1 && value < UINT32_MAX ? (uint32_t)value : 0;
}

static bool read_request(speaker *s)
{
    const cJSON *requested = s->requested, *option;
    const char *protocol = cJSON_GetStringValue(get(requested, "protocol")),
               *mode = cJSON_GetStringValue(get(requested, "mode"));
    speak_request *q = &s->request;
    q->model = cJSON_GetStringValue(get(requested, "model"));
    q->per_layer = mode && strcmp(mode, "per_layer") == 0;
    q->load = mode && strcmp(mode, "load") == 0;
    q->counters = cJSON_IsTrue(get(requested, "counters"));
    q->probe = cJSON_IsTrue(get(requested, "probe"));
    q->batch = whole(get(requested, "batch"));
    q->threads = whole(get(requested, "threads"));
    cJSON_ArrayForEach(option, get(requested, "options"))
    {
        if (!cJSON_IsString(option) || q->n_options == SPEAK_MOST_OPTIONS)
            return false;
        q->keys[q->n_options] = option->string;
        q->values[q->n_options++] = option->valuestring;
    }
    return protocol && strcmp(protocol, "roofline.runner/1") == 0 && (!q->load || q->threads);
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
    s->out = take_output();
    s->requested = s->out ? hear(s, getenv(request_again)) : NULL;
    if (s->requested && read_request(s))
        return s;
    fprintf(
        stderr,
        "error: want a request of roofline.runner/1 on standard input, with at most %d options; `roofline "
        "measure --on` writes one\n",
        SPEAK_MOST_OPTIONS);
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

/* --- random data ---------------------------------------------------------------------------------------- */

bool speak_seed(const speaker *s, uint64_t *seed)
{
    const char *text = speak_option(s, "seed", NULL);
    char *end = NULL;
    *seed = SPEAK_SEED;
    if (!text)
        return true;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

void speak_random(uint64_t *state, void *bytes, size_t n)
{
    unsigned char *to = bytes;
    while (n) {
        uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);
        size_t some = n < sizeof value ? n : sizeof value;
        value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
        value ^= value >> 31;
        memcpy(to, &value, some);
        to += some;
        n -= some;
    }
}

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

bool speak_knows(speaker *s, const char *const *names)
{
    char known[400] = "";
    for (const char *const *name = names; *name; name++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", *name);
    }
    for (uint32_t i = 0; i < s->request.n_options; i++)
        if (!is_among(s->request.keys[i], names))
            return speak_error(s, "usage", "no option '%.60s'; this runner knows %s", s->request.keys[i],
                               *known ? known : "none");
    return true;
}

bool speak_next_turn(speaker *s, uint32_t *iterations)
{
    cJSON *turn = s->failed ? NULL : hear(s, NULL);
    *iterations = whole(get(turn, "iterations"));
    if (turn && !*iterations) {
        fprintf(stderr, "error: a turn has no iterations\n");
        s->failed = true;
    }
    cJSON_Delete(turn);
    return *iterations;
}

/* --- what is answered ----------------------------------------------------------------------------------- */

/* A line as it is made. */
typedef struct line {
    cJSON *root;
    bool lacks_memory;
} line;

/* Adds a member, or to an array what has no key. A lack of memory is noted. */
static cJSON *put(line *l, cJSON *to, const char *key, cJSON *item)
{
    if (item && to && (key ? cJSON_AddItemToObject(to, key, item) : cJSON_AddItemToArray(to, item)))
        return item;
    l->lacks_memory = true;
    cJSON_Delete(item);
    return NULL;
}

/* Bytes of the character in UTF-8 that begins at p and can be shown; 0: there is none. */
static unsigned shown_bytes(const unsigned char *p)
{
    unsigned n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
    bool is_none = *p < 0x20 || *p == 0x7f || (*p >= 0x80 && *p < 0xc2) || *p > 0xf4;
    for (unsigned i = 1; i < n && !is_none; i++)
        is_none = (p[i] & 0xc0) != 0x80;
    return is_none || (*p == 0xc2 && p[1] < 0xa0) || (*p == 0xe0 && p[1] < 0xa0) ||
                   (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f)
               ? 0
               : n;
}

/* Libraries say things in any encoding, and in several lines. */
static void put_text(line *l, cJSON *to, const char *key, const char *text)
{
    cJSON *item = text ? put(l, to, key, cJSON_CreateString(text)) : NULL;
    for (char *p = item ? item->valuestring : NULL; p && *p;) {
        unsigned n = shown_bytes((unsigned char *)p);
        if (!n)
            *p = '?';
        p += n ? n : 1;
    }
}

/* cJSON would write 15 digits of it. A count that is none is left out. */
static void put_count(line *l, cJSON *to, const char *key, uint64_t count, uint64_t none)
{
    char digits[24];
    if (count == none)
        return;
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    put(l, to, key, cJSON_CreateRaw(digits));
}

static cJSON *begin(line *l, const char *what, cJSON *content)
{
    *l = (line){.root = cJSON_CreateObject()};
    return put(l, l->root, what, content);
}

static void say(speaker *s, line *l)
{
    char *text = l->lacks_memory ? NULL : cJSON_PrintUnformatted(l->root);
    s->failed = !text || fprintf(s->out, "%s\n", text) < 0 || fflush(s->out) != 0 || s->failed;
    cJSON_free(text);
    cJSON_Delete(l->root);
}

void speak_hello_to(speaker *s, const speak_hello *hello)
{
    line l;
    cJSON *o = begin(&l, "hello", cJSON_CreateObject());
    put_text(&l, o, "device", hello->device);
    put_text(&l, o, "version", hello->version);
    put_text(&l, o, "data_type", hello->data_type);
    put_text(&l, o, "note", hello->note);
    put_text(&l, o, "counts", hello->counts);
    put_count(&l, o, "launches", hello->launches, 0);
    put_count(&l, o, "batch", hello->batch, 0);
    put_count(&l, o, "cores", hello->cores, 0);
    if (hello->runs_code)
        put(&l, o, "runs_code", cJSON_CreateTrue());
    say(s, &l);
}

void speak_layers(speaker *s, const speak_layer *layers, uint32_t n)
{
    line l;
    cJSON *array = begin(&l, "layers", cJSON_CreateArray());
    for (uint32_t i = 0; i < n; i++) {
        const speak_layer *layer = &layers[i];
        cJSON *o = put(&l, array, NULL, cJSON_CreateObject());
        put_text(&l, o, "name", layer->name);
        put_text(&l, o, "type", layer->type);
        put_text(&l, o, "skipped", layer->skipped);
        put_count(&l, o, "macs", layer->macs, SPEAK_UNKNOWN);
        put_count(&l, o, "bytes", layer->bytes, SPEAK_UNKNOWN);
    }
    say(s, &l);
}

static void say_sample(speaker *s, const speak_sample *sample, const uint32_t *thread)
{
    line l;
    cJSON *o = begin(&l, "sample", cJSON_CreateObject());
    put(&l, o, "total_s", cJSON_CreateNumber(sample->total_s));
    if (thread)
        put_count(&l, o, "thread", *thread, SPEAK_UNKNOWN);
    cJSON *phases = sample->n_phases ? put(&l, o, "phases", cJSON_CreateObject()) : NULL;
    for (uint32_t i = 0; i < sample->n_phases; i++)
        put(&l, phases, sample->phases[i], cJSON_CreateNumber(sample->phases_s[i]));
    const char *key = s->request.counters ? "layers_cycles" : "layers_s";
    cJSON *layers = sample->n_layers ? put(&l, o, key, cJSON_CreateArray()) : NULL;
    for (uint32_t i = 0; i < sample->n_layers; i++)
        if (s->request.counters && !isnan(sample->layers_s[i]))
            put_count(&l, layers, NULL, (uint64_t)sample->layers_s[i], SPEAK_UNKNOWN);
        else
            put(&l, layers, NULL, cJSON_CreateNumber(sample->layers_s[i])); /* null for NaN */
    say(s, &l);
}

void speak_sample_of(speaker *s, const speak_sample *sample)
{
    say_sample(s, sample, NULL);
}

void speak_sample_of_thread(speaker *s, uint32_t thread, const speak_sample *sample)
{
    say_sample(s, sample, &thread);
}

void speak_round(speaker *s, uint32_t iterations)
{
    line l;
    put_count(&l, begin(&l, "round", cJSON_CreateObject()), "iterations", iterations, SPEAK_UNKNOWN);
    say(s, &l);
}

void speak_done(speaker *s, uint64_t macs)
{
    line l;
    put_count(&l, begin(&l, "done", cJSON_CreateObject()), "macs", macs, SPEAK_UNKNOWN);
    say(s, &l);
}

bool speak_error(speaker *s, const char *code, const char *format, ...)
{
    char text[700];
    va_list args;
    line l;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cJSON *o = begin(&l, "error", cJSON_CreateObject());
    put_text(&l, o, "code", code);
    put_text(&l, o, "text", text);
    say(s, &l);
    s->failed = true;
    return false;
}

int speak_end(speaker *s)
{
    int code = !s || s->failed;
    if (s && s->out && fclose(s->out) != 0)
        code = 1;
    if (s) {
        cJSON_Delete(s->requested);
        free(s->line);
    }
    free(s);
    return code;
}
