#include "measure/run/runner.h"
#include "core/json/jsontree.h"
#include "measure/profile/profile.h"

/* --- what is wrong with it ------------------------------------------------------------------------------ */

roof_status runner_fault(runner *r, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    print_list(text, sizeof text, format, args);
    va_end(args);
    return error_set(r->err, ROOF_E_INTERNAL, "%s (docs/runner-protocol.md has the rules)", text);
}

static const struct {
    const char *code;
    roof_status status;
} codes[] = {{"bad_model", ROOF_E_DATA},
             {"no_device", ROOF_E_DEVICE},
             {"unsupported", ROOF_E_UNSUPPORTED},
             {"usage", ROOF_E_USAGE},
             {"no_input", ROOF_E_NO_INPUT}};

const char *runner_code_of(roof_status status)
{
    size_t i = 0;
    while (i < N_OF(codes) && codes[i].status != status)
        i++;
    return codes[i < N_OF(codes) ? i : 0].code;
}

/* --- a line --------------------------------------------------------------------------------------------- */

static double read_seconds(jsontree *t, const cJSON *node)
{
    return jsontree_number(t, node, 0, CODEC_MOST_SECONDS);
}

static void read_clocks(jsontree *t, const cJSON *clocks, runner_about *about)
{
    for (const cJSON *clock = clocks ? clocks->child : NULL; clock && t->status == ROOF_OK;
         clock = clock->next) {
        const char *problem = codec_key_problem(clock->string);
        const double hz = jsontree_number(t, clock, 0, HUGE_VAL);
        if (problem)
            jsontree_fail(t, clock, "%s", problem);
        else if (about->n_clocks == N_OF(about->clocks))
            jsontree_refuse(t, clock, ROOF_E_LIMIT, "is one clock too many");
        else if (!isnan(hz))
            about->clocks[about->n_clocks++] =
                (roof_clock){jsontree_copy(t, clock->string, strlen(clock->string)), hz};
    }
}

static void read_hello(jsontree *t, const cJSON *hello, runner_about *about)
{
    about->device = jsontree_name(t, jsontree_need(t, hello, "device"));
    about->version = jsontree_name(t, jsontree_get(hello, "version"));
    about->data_type = jsontree_name(t, jsontree_get(hello, "data_type"));
    about->note = jsontree_name(t, jsontree_get(hello, "note"));
    about->counts = jsontree_name(t, jsontree_get(hello, "counts"));
    about->launches = jsontree_small(t, jsontree_get(hello, "launches"));
    about->batch = jsontree_small(t, jsontree_get(hello, "batch"));
    about->cores = jsontree_small(t, jsontree_get(hello, "cores"));
    about->runs_code = jsontree_flag(t, jsontree_get(hello, "runs_code"));
    read_clocks(t, jsontree_object(t, jsontree_get(hello, "clocks_hz")), about);
}

static void read_layers(jsontree *t, const cJSON *layers, runner *r)
{
    const uint32_t n = (uint32_t)cJSON_GetArraySize(layers);
    if (r->n_layers || r->samples.n)
        jsontree_fail(t, layers, r->n_layers ? "layers once more" : "layers behind the first sample");
    else if (n > RUNNER_MOST_LAYERS)
        jsontree_refuse(t, layers, ROOF_E_LIMIT, "more than %d layers", RUNNER_MOST_LAYERS);
    else if (!(r->layers = NEW_ARRAY(t->arena, runner_layer, n)))
        t->status = error_memory(t->err);
    for (const cJSON *layer = n ? layers->child : NULL; layer && t->status == ROOF_OK; layer = layer->next) {
        const cJSON *o = jsontree_object(t, layer);
        runner_layer *to = &r->layers[r->n_layers++];
        if (!o)
            jsontree_fail(t, layer, "found null, want an object");
        to->name = jsontree_name(t, jsontree_need(t, o, "name"));
        to->type = jsontree_text(t, jsontree_get(o, "type"));
        to->macs = jsontree_count(t, jsontree_get(o, "macs"));
        to->bytes = jsontree_count(t, jsontree_get(o, "bytes"));
        to->skipped = jsontree_text(t, jsontree_get(o, "skipped"));
    }
}

static void read_phase(jsontree *t, const cJSON *phase, runner_samples *s)
{
    const size_t length = strlen(phase->string);
    const double seconds = read_seconds(t, phase);
    char name[CODEC_LONGEST_KEY + 1];
    if (length < 3 || length > CODEC_LONGEST_KEY || strcmp(phase->string + length - 2, "_s") != 0)
        jsontree_fail(t, phase, "is no phase, want a name that ends with _s");
    snprintf(name, sizeof name, "%.*s", (int)(length - 2), phase->string);
    const uint32_t i = WORD_AT(s->phases, s->n_phases, name);
    if (isnan(seconds))
        jsontree_fail(t, phase, "found null, want seconds");
    else if (i == RUNNER_MOST_PHASES)
        jsontree_refuse(t, phase, ROOF_E_LIMIT, "more than %d phases", RUNNER_MOST_PHASES);
    else if (i == s->n_phases && s->n)
        jsontree_fail(t, phase, "is a phase that the samples before it did not have");
    else if (i == s->n_phases)
        s->phases[i] = jsontree_copy(t, name, strlen(name));
    if (t->status != ROOF_OK)
        return;
    s->phase_sums_s[i] += seconds;
    s->n_phases += i == s->n_phases;
}

/* Into the row behind the samples. */
static void read_times(jsontree *t, const cJSON *times, runner *r)
{
    const uint32_t n = (uint32_t)cJSON_GetArraySize(times);
    if (!r->n_layers)
        jsontree_fail(t, times, "times of layers, but it named none");
    else if (n != r->n_layers)
        jsontree_fail(t, times, "%" PRIu32 " times, want one for each of its %" PRIu32 " layers", n,
                      r->n_layers);
    else if (!array_grow((void **)&r->samples.layers_s, r->samples.n, n * sizeof(double)))
        t->status = error_memory(t->err);
    if (t->status != ROOF_OK)
        return;
    double *row = r->samples.layers_s + (size_t)r->samples.n * n;
    const runner_layer *layer = r->layers;
    for (const cJSON *time = times->child; time; time = time->next, layer++) {
        const bool wanted = !layer->skipped;
        if (wanted == cJSON_IsNull(time))
            jsontree_fail(t, time,
                          wanted ? "null, want the seconds of '%.80s'" : "a time of '%.80s', which it skips",
                          layer->name);
        *row++ = !wanted                ? (double)NAN
                 : r->request->counters ? (double)jsontree_count(t, time)
                                        : read_seconds(t, time);
    }
}

static void read_sample(jsontree *t, const cJSON *sample, runner_answer *out)
{
    runner *r = out->runner;
    const cJSON *times = jsontree_array(t, jsontree_get(sample, "layers_s"));
    const cJSON *cycles = jsontree_array(t, jsontree_get(sample, "layers_cycles"));
    const cJSON *phase, *phases = jsontree_object(t, jsontree_get(sample, "phases"));
    out->total_s = read_seconds(t, jsontree_need(t, sample, "total_s"));
    cJSON_ArrayForEach(phase, phases) if (t->status == ROOF_OK) read_phase(t, phase, &r->samples);
    if (times && r->request->counters)
        jsontree_fail(t, times, "is not wanted in a pass of counters, layers_cycles is");
    else if (cycles && !r->request->counters)
        jsontree_fail(t, cycles, "is only wanted in a pass of counters");
    else if (times || cycles)
        read_times(t, times ? times : cycles, r);
    out->has_times = times || cycles;
    out->thread = jsontree_small(t, jsontree_get(sample, "thread"));
}

/* How many of the members it has; one is read, and an error whatever else is there. */
static unsigned read_kinds(jsontree *t, runner_answer *out)
{
    static const char *const keys[ANSWER_KINDS] = {"hello", "layers", "sample", "round", "done", "error"};
    const cJSON *line = jsontree_object(t, t->root), *found = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < ANSWER_KINDS; i++) {
        const cJSON *node = jsontree_get(line, keys[i]);
        node = i == ANSWER_LAYERS ? jsontree_array(t, node) : jsontree_object(t, node);
        out->is = node ? (answer_kind)i : out->is;
        found = node ? node : found;
        n += node != NULL;
    }
    n = out->is == ANSWER_ERROR ? 1 : n;
    if (n != 1 || t->status != ROOF_OK)
        return n;
    if (out->is == ANSWER_HELLO) {
        read_hello(t, found, &out->hello);
    } else if (out->is == ANSWER_LAYERS) {
        read_layers(t, found, out->runner);
    } else if (out->is == ANSWER_SAMPLE) {
        read_sample(t, found, out);
    } else if (out->is == ANSWER_ROUND) {
        out->iterations = jsontree_small(t, jsontree_need(t, found, "iterations"));
    } else if (out->is == ANSWER_DONE) {
        (void)jsontree_count(t, jsontree_get(found, "macs")); /* which nobody asks for */
    } else {
        out->code = jsontree_text(t, jsontree_get(found, "code"));
        out->text = jsontree_name(t, jsontree_need(t, found, "text"));
        out->advice = jsontree_name(t, jsontree_get(found, "advice"));
    }
    return n;
}

roof_status runner_read_line(runner *r, const char *line, size_t length, runner_answer *out)
{
    roof_error why = {0};
    cJSON *root;
    char text[512];
    unsigned n = 0;
    jsontree t = {.name = "its line", .arena = r->arena, .err = &why};
    *out = (runner_answer){.runner = r};
    t.status = jsontree_parse(line, length, t.name, &root, &why);
    t.root = root;
    if (root)
        n = read_kinds(&t, out);
    cJSON_Delete(root);
    if (t.status == ROOF_E_NO_MEMORY)
        return error_memory(r->err);
    roof_error_format(&why, text, sizeof text);
    if (t.status != ROOF_OK)
        return runner_fault(r, "%.350s", text);
    if (n != 1)
        return runner_fault(r, "it writes a line with %s of hello, layers, sample, round, done, error",
                            n ? "several" : "none");
    if (out->is == ANSWER_ERROR) {
        const uint32_t i = NAMED_AT(codes, N_OF(codes), code, out->code);
        return error_set(r->err, i < N_OF(codes) ? codes[i].status : ROOF_E_INTERNAL, "%.300s%s%.200s",
                         out->text, out->advice ? "; " : "", text_or_empty(out->advice));
    }
    return out->is == ANSWER_HELLO && !*out->hello.device ? runner_fault(r, "its hello has an empty device")
                                                          : ROOF_OK;
}
