/* roofline-run-cpu: any model that roofline reads, on this machine's processor, row by row, with random
 * data. */
#include "core/error.h"
#include "measure/run/runner.h"
#include "runners/cpu/onednn.h"
#include "runners/speak_load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct job {
    speaker *speaker;
    roof_arena *arena;
    roof_graph *graph;
    roof_program *program;
    const char *data_type;
    onednn **onednns; /* of each thread in mode load, else one */
    uint32_t n_threads;
    steps steps;
    uint64_t seed, asked_macs; /* of all steps; steps.macs: of those that oneDNN executes */
    double *layers_s;
    roof_error err;
} job;

enum { MOST_PROCESSORS = 4096 };

/* Variable that OpenMP, and so oneDNN, reads when it is loaded: the number of processors of one inference. */
static const char processors_name[] = "OMP_NUM_THREADS";

/* --- what it is ----------------------------------------------------------------------------------------- */

static void read_processor(char *out, size_t size)
{
    static const char key[] = "model name";
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "re");
    snprintf(out, size, "this machine's processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !value)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%s", value + 1 + strspn(value + 1, " "));
        break;
    }
    if (file)
        (void)fclose(file);
}

/* Per layer every row that is executed is submitted and waited for; else all of them at once. */
static uint32_t count_launches(const job *j)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < j->steps.n_rows; i++)
        n += !j->steps.rows[i].skipped;
    return speak_request_of(j->speaker)->per_layer ? n : 1;
}

/* As many as oneDNN takes. */
static uint32_t count_processors(void)
{
    const char *text = getenv(processors_name);
    long n = text ? strtol(text, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n <= MOST_PROCESSORS ? (uint32_t)n : 1;
}

static void say_hello(const job *j)
{
    const speak_request *q = speak_request_of(j->speaker);
    char device[200], note[300];
    const char *processors = getenv(processors_name);
    read_processor(device, sizeof device);
    snprintf(note, sizeof note, "random data of seed %" PRIu64 ", %.20s processor%s for an inference",
             j->seed, processors ? processors : "all", processors && strcmp(processors, "1") == 0 ? "" : "s");
    if (j->steps.macs < j->asked_macs) /* a whole network's time would be taken for all of it */
        snprintf(note + strlen(note), sizeof note - strlen(note),
                 ", %" PRIu64 " of %" PRIu64 " multiply-accumulates are executed: oneDNN has no more in %s",
                 j->steps.macs, j->asked_macs, j->data_type);
    /* Groups of processors, each of which works on one inference at a time under load, are its cores. */
    const long all = sysconf(_SC_NPROCESSORS_ONLN), each = (long)count_processors();
    speak_hello_to(j->speaker, &(speak_hello){.device = device,
                                              .version = onednn_version(j->onednns[0]),
                                              .data_type = j->data_type,
                                              .note = note,
                                              .launches = count_launches(j),
                                              .batch = q->batch ? q->batch : 1,
                                              .cores = !q->load      ? 0
                                                       : all >= each ? (uint32_t)(all / each)
                                                                     : 1});
}

static void say_layers(const job *j)
{
    speak_layer *rows = NEW_ARRAY(j->arena, speak_layer, j->steps.n_rows);
    for (uint32_t i = 0; rows && i < j->steps.n_rows; i++) {
        const step_row *row = &j->steps.rows[i];
        rows[i] = (speak_layer){row->name, row->type, row->skipped, row->macs, ROOF_UNKNOWN};
    }
    if (rows)
        speak_layers(j->speaker, rows, j->steps.n_rows);
}

/* --- what it does --------------------------------------------------------------------------------------- */

static roof_status prepare(job *j)
{
    const speak_request *q = speak_request_of(j->speaker);
    TRY(roof_graph_read(q->model, &j->graph, &j->err));
    TRY(roof_program_of(j->graph, &j->program, &j->err));
    TRY(steps_of(j->graph, j->program, q->batch ? q->batch : 1, j->arena, &j->steps, &j->err));
    j->asked_macs = j->steps.macs;
    j->layers_s = NEW_ARRAY(j->arena, double, j->steps.n_rows);
    return j->layers_s ? ROOF_OK : error_memory(&j->err);
}

/* oneDNN keeps by thread what its primitives need, so each thread makes its own. */
static roof_status make_onednn(job *j, uint32_t thread)
{
    TRY(onednn_open(j->data_type, j->seed, j->arena, &j->onednns[thread], &j->err));
    onednn_share_memory(j->onednns[thread], j->n_threads);
    TRY(onednn_make(j->onednns[thread], &j->steps, &j->err));
    return j->steps.macs || !j->asked_macs
               ? ROOF_OK
               : error_set(&j->err, ROOF_E_UNSUPPORTED,
                           "%s executes no layer in %s on this processor, so there is no time to take; "
                           "another data type is chosen by --option data_type=f32",
                           onednn_version(j->onednns[thread]), j->data_type);
}

/* All rows are submitted, and waited for once. */
static roof_status run_whole(job *j, speak_sample *sample)
{
    double begin_s = speak_now_s();
    for (uint32_t i = 0; i < j->steps.n_rows; i++)
        TRY(onednn_submit(j->onednns[0], i, &j->err));
    TRY(onednn_wait(j->onednns[0], &j->err));
    *sample = (speak_sample){.total_s = speak_now_s() - begin_s};
    return ROOF_OK;
}

/* A wait and a clock read behind every row. */
static roof_status run_layers(job *j, speak_sample *sample)
{
    double begin_s = speak_now_s(), last_s = begin_s;
    for (uint32_t i = 0; i < j->steps.n_rows; i++) {
        j->layers_s[i] = NAN;
        if (j->steps.rows[i].skipped)
            continue;
        TRY(onednn_submit(j->onednns[0], i, &j->err));
        TRY(onednn_wait(j->onednns[0], &j->err));
        double now_s = speak_now_s();
        j->layers_s[i] = now_s - last_s;
        last_s = now_s;
    }
    *sample =
        (speak_sample){.total_s = last_s - begin_s, .layers_s = j->layers_s, .n_layers = j->steps.n_rows};
    return ROOF_OK;
}

static roof_status run_turns(job *j)
{
    uint32_t iterations;
    while (speak_next_turn(j->speaker, &iterations)) {
        for (uint32_t i = 0; i < iterations; i++) {
            speak_sample sample;
            TRY(speak_request_of(j->speaker)->per_layer ? run_layers(j, &sample) : run_whole(j, &sample));
            speak_sample_of(j->speaker, &sample);
        }
        speak_round(j->speaker, iterations);
    }
    speak_done(j->speaker, j->steps.macs);
    return ROOF_OK;
}

/* --- load ----------------------------------------------------------------------------------------------- */

/* Threads begin one after the other, so that what they make may come out of one arena. */
static bool begin_thread(void *job_, uint32_t thread, char why[SPEAK_LOAD_WHY_SIZE])
{
    job *j = job_;
    if (make_onednn(j, thread) == ROOF_OK)
        return true;
    roof_error_format(&j->err, why, SPEAK_LOAD_WHY_SIZE);
    return false;
}

static bool run_thread(void *job_, uint32_t thread, double phases_s[SPEAK_LOAD_PHASES],
                       char why[SPEAK_LOAD_WHY_SIZE])
{
    const job *j = job_;
    onednn *own = j->onednns[thread];
    roof_error err;
    roof_status status = ROOF_OK;
    (void)phases_s;
    for (uint32_t i = 0; i < j->steps.n_rows && status == ROOF_OK; i++)
        status = onednn_submit(own, i, &err);
    THEN(status, onednn_wait(own, &err));
    if (status != ROOF_OK)
        roof_error_format(&err, why, SPEAK_LOAD_WHY_SIZE);
    return status == ROOF_OK;
}

static void end_thread(void *job_, uint32_t thread)
{
    job *j = job_;
    onednn_close(j->onednns[thread]);
    j->onednns[thread] = NULL;
}

static roof_status run_load(job *j)
{
    const speak_work work = {
        .context = j, .begin = begin_thread, .run = run_thread, .end = end_thread, .n_threads = j->n_threads};
    char why[SPEAK_LOAD_WHY_SIZE];
    speak_load *load = speak_load_begin(&work, why);
    if (!load)
        return error_set(&j->err, j->err.status ? j->err.status : ROOF_E_DEVICE, "%s", why);
    say_hello(j);
    const bool good = speak_load_turns(load, j->speaker, why);
    speak_load_end(load);
    if (!good)
        return error_set(&j->err, ROOF_E_DEVICE, "%s", why);
    speak_done(j->speaker, j->steps.macs);
    return ROOF_OK;
}

/* --- the program ---------------------------------------------------------------------------------------- */

/* In mode load one, so that a thread is to this machine what it is to the cores of an accelerator. */
static roof_status set_processors(job *j)
{
    const char *otherwise = speak_request_of(j->speaker)->load ? "1" : NULL;
    const char *text = speak_option(j->speaker, "processors", otherwise);
    const size_t n = text ? strspn(text, "0123456789") : 0;
    if (!text)
        return ROOF_OK;
    if (text[n] || n < 1 || n > 4 || *text == '0' || strtol(text, NULL, 10) > MOST_PROCESSORS)
        return error_set(&j->err, ROOF_E_USAGE, "option processors: '%.40s' is no number from 1 to %d", text,
                         MOST_PROCESSORS);
    speak_again(j->speaker, processors_name, text);
    return ROOF_OK;
}

static roof_status run(job *j)
{
    const speak_request *q = speak_request_of(j->speaker);
    TRY(set_processors(j));
    j->data_type = speak_option(j->speaker, "data_type", "f32");
    j->n_threads = q->load ? q->threads : 1;
    TRY(ARENA_GET(j->arena, j->onednns, j->n_threads, &j->err));
    if (!speak_seed(j->speaker, &j->seed))
        return error_set(&j->err, ROOF_E_USAGE, "option seed: '%.40s' is no whole number",
                         speak_option(j->speaker, "seed", ""));
    if (!q->model) {
        TRY(onednn_open(j->data_type, j->seed, j->arena, &j->onednns[0], &j->err));
        say_hello(j);
        return q->probe ? probe_run(j->speaker, count_processors(), j->arena, &j->err) : ROOF_OK;
    }
    TRY(prepare(j));
    if (q->load)
        return run_load(j);
    TRY(make_onednn(j, 0));
    say_hello(j);
    if (q->per_layer)
        say_layers(j);
    return run_turns(j);
}

int main(void)
{
    static const char *const options[] = {"data_type", "processors", "seed", NULL};
    char why[700];
    job j = {.speaker = speak_begin(), .arena = arena_new(0)};
    roof_status status = j.arena ? ROOF_OK : error_memory(&j.err);
    if (j.speaker && status == ROOF_OK && speak_knows(j.speaker, options))
        status = run(&j);
    roof_error_format(&j.err, why, sizeof why);
    if (j.speaker && status != ROOF_OK)
        speak_error(j.speaker, runner_code_of(status), "%s", why);
    for (uint32_t i = 0; j.onednns && i < j.n_threads; i++)
        onednn_close(j.onednns[i]);
    roof_program_free(j.program);
    roof_graph_free(j.graph);
    arena_free(j.arena);
    return speak_end(j.speaker);
}
