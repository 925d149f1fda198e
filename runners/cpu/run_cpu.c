/* roofline-run-cpu: any model that roofline reads, on this machine's processor, row by row, with random
 * data. */
#include "core/error.h"
#include "measure/run/runner_line.h"
#include "runners/cpu/onednn.h"
#include "runners/cpu/kernels.h"
#include "runners/speak.h"

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
    onednn *onednn;
    steps steps;
    uint64_t seed;
    double *layers_s;
    roof_error err;
} job;

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

static void say_hello(const job *j, const char *data_type)
{
    const speak_request *q = speak_request_of(j->speaker);
    char device[200], note[200];
    const char *threads = getenv("OMP_NUM_THREADS");
    read_processor(device, sizeof device);
    snprintf(note, sizeof note, "random data of seed %" PRIu64 ", %.20s threads", j->seed,
             threads ? threads : "all");
    speak_hello_to(j->speaker, &(speak_hello){.device = device,
                                              .version = onednn_version(j->onednn),
                                              .data_type = data_type,
                                              .note = note,
                                              .launches = count_launches(j),
                                              .batch = q->batch ? q->batch : 1});
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
    TRY(onednn_make(j->onednn, &j->steps, &j->err));
    j->layers_s = NEW_ARRAY(j->arena, double, j->steps.n_rows);
    return j->layers_s ? ROOF_OK : error_memory(&j->err);
}

/* All rows are submitted, and waited for once. */
static roof_status run_whole(job *j, speak_sample *sample)
{
    double begin_s = speak_now_s();
    for (uint32_t i = 0; i < j->steps.n_rows; i++)
        TRY(onednn_submit(j->onednn, i, &j->err));
    TRY(onednn_wait(j->onednn, &j->err));
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
        TRY(onednn_submit(j->onednn, i, &j->err));
        TRY(onednn_wait(j->onednn, &j->err));
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

/* As many as oneDNN takes. */
static uint32_t count_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    long n = text ? strtol(text, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n < 4096 ? (uint32_t)n : 1;
}

static roof_status run(job *j)
{
    const char *data_type = speak_option(j->speaker, "data_type", "f32");
    if (!speak_seed(j->speaker, &j->seed))
        return error_set(&j->err, ROOF_E_USAGE, "option seed: '%.40s' is no whole number",
                         speak_option(j->speaker, "seed", ""));
    TRY(onednn_open(data_type, j->seed, j->arena, &j->onednn, &j->err));
    if (!speak_request_of(j->speaker)->model) {
        say_hello(j, data_type);
        return speak_request_of(j->speaker)->probe ? probe_run(j->speaker, count_threads(), j->arena, &j->err)
                                                   : ROOF_OK;
    }
    TRY(prepare(j));
    say_hello(j, data_type);
    if (speak_request_of(j->speaker)->per_layer)
        say_layers(j);
    return run_turns(j);
}

int main(void)
{
    static const char *const options[] = {"data_type", "seed", NULL};
    char why[700];
    job j = {.speaker = speak_begin(), .arena = arena_new(0)};
    roof_status status = j.arena ? ROOF_OK : error_memory(&j.err);
    if (j.speaker && status == ROOF_OK && speak_knows(j.speaker, options))
        status = run(&j);
    roof_error_format(&j.err, why, sizeof why);
    if (j.speaker && status != ROOF_OK)
        speak_error(j.speaker, runner_code_of(status), "%s", why);
    onednn_close(j.onednn);
    roof_program_free(j.program);
    roof_graph_free(j.graph);
    arena_free(j.arena);
    return speak_end(j.speaker);
}
