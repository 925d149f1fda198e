/* roofline-run-vart: the DPU subgraphs of a compiled model through AMD's VART, whole or layer by layer.
 *
 * Options: lib, the library that runs a DPU, by its soname; core, of the device.
 */
#include "core/arena.h"
#include "core/error.h"
#include "measure/run/runner.h"
#include "runners/speak.h"
#include "runners/speak_load.h"
#include "runners/vart/vart_shim.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_THREADS = 256 };

typedef struct job {
    speaker *speaker;
    roof_arena *arena;
    roof_graph *graph;
    roof_program *program;
    vart_model *model;
    uint32_t n_subgraphs, n_threads;
    uint32_t n_cores;  /* 0: unknown */
    vart_task **tasks; /* all subgraphs of the first thread, then those of the second, ... */
    vart_how how;
    char device[200];
    bool is_dpu; /* not the dummy library */
    uint32_t batch;
    speak_layer *rows; /* of the program; in mode per_layer */
    uint32_t n_rows, n_skipped;
    uint32_t n_launches; /* of one inference; 0: they do not go through XRT */
    double *launches_s, *layers_s;
    uint64_t macs;
    roof_error err;
} job;

static bool is_per_layer(const job *j)
{
    return speak_request_of(j->speaker)->per_layer;
}

/* --- what it is ----------------------------------------------------------------------------------------- */

/* Another library than that of a DPU, such as the dummy, needs no device. */
static roof_status find_device(job *j)
{
    const char *core = speak_option(j->speaker, "core", "-1");
    char *end;
    j->how.core = strtol(core, &end, 10);
    if (!*core || *end)
        return error_set(&j->err, ROOF_E_USAGE, "option core: '%.40s' is no number of a core", core);
    j->how.library = speak_option(j->speaker, "lib", NULL);
    if (!speak_seed(j->speaker, &j->how.seed))
        return error_set(&j->err, ROOF_E_USAGE, "option seed: '%.40s' is no whole number",
                         speak_option(j->speaker, "seed", ""));
    if (j->how.library && !strstr(j->how.library, "dpu-runner")) {
        snprintf(j->device, sizeof j->device, "%s", j->how.library);
        return ROOF_OK;
    }
    j->is_dpu = true;
    if (!vart_find_device(j->device, sizeof j->device, &j->n_cores))
        return error_set(&j->err, ROOF_E_DEVICE, "%s", vart_why());
    return j->how.core < (long)j->n_cores
               ? ROOF_OK
               : error_set(&j->err, ROOF_E_USAGE, "there is no core %ld: the DPU has %" PRIu32, j->how.core,
                           j->n_cores);
}

static void say_hello(const job *j)
{
    char version[60], note[250];
    int used = snprintf(note, sizeof note, "random inputs of seed %" PRIu64, j->how.seed);
    snprintf(version, sizeof version, "VART %s", vart_version());
    if (j->n_skipped)
        snprintf(note + used, sizeof note - (size_t)used,
                 ", rows that are not the DPU's and not run: %" PRIu32, j->n_skipped);
    speak_hello_to(j->speaker, &(speak_hello){.device = j->device,
                                              .version = version,
                                              .data_type = j->model ? "int8" : NULL,
                                              .note = j->model ? note : NULL,
                                              .counts = is_per_layer(j) ? "axi" : NULL,
                                              .launches = j->n_launches,
                                              .batch = j->model ? j->batch : 0,
                                              .cores = j->n_cores,
                                              .runs_code = j->is_dpu});
}

/* --- what it will run ----------------------------------------------------------------------------------- */

/* Debug mode is a matter of the environment, and read when the library that runs a DPU is loaded: with the
 * first task. */
static roof_status open_model(job *j)
{
    const speak_request *q = speak_request_of(j->speaker);
    if (q->threads > MOST_THREADS)
        return error_set(&j->err, ROOF_E_USAGE, "%" PRIu32 " threads, want at most %d", q->threads,
                         MOST_THREADS);
    TRY(roof_graph_read(q->model, &j->graph, &j->err));
    TRY(roof_program_of(j->graph, &j->program, &j->err));
    TRY(find_device(j));
    if (setenv("XLNX_ENABLE_DEBUG_MODE", q->per_layer ? "1" : "0", 1) != 0)
        return error_memory(&j->err);
    j->model = vart_model_open(q->model);
    if (!j->model)
        return error_set(&j->err, ROOF_E_DATA, "XIR cannot read the model: %s", vart_why());
    j->n_subgraphs = vart_count_subgraphs(j->model);
    j->n_threads = q->load ? q->threads : 1;
    return j->n_subgraphs ? ROOF_OK
                          : error_set(&j->err, ROOF_E_UNSUPPORTED,
                                      "the model has no subgraph for a DPU; compile it with vai_c_xir");
}

static vart_task **tasks_of(const job *j, uint32_t thread)
{
    return j->tasks + (size_t)thread * j->n_subgraphs;
}

static void close_thread(job *j, uint32_t thread)
{
    for (uint32_t s = 0; s < j->n_subgraphs; s++) {
        vart_task_close(tasks_of(j, thread)[s]);
        tasks_of(j, thread)[s] = NULL;
    }
}

static void close_tasks(job *j)
{
    for (uint32_t i = 0; j->tasks && i < j->n_threads; i++)
        close_thread(j, i);
}

/* VART gives the n-th runner of a process the core n modulo their number, and never moves it. Runners are
 * made anew for each turn, so that the count would go on: each gets the core that it had in a new process.
 * Where the user has a list of cores, VART goes by that. False: vart_why says it. */
static bool open_thread(job *j, uint32_t thread)
{
    const bool is_spread = speak_request_of(j->speaker)->load && j->n_cores && j->how.core < 0 &&
                           !getenv("XLNX_DPU_DEVICE_CORES");
    for (uint32_t s = 0; s < j->n_subgraphs; s++) {
        vart_how how = j->how;
        if (is_spread)
            how.core = (long)((thread * j->n_subgraphs + s) % j->n_cores);
        vart_task **task = &tasks_of(j, thread)[s];
        *task = vart_task_open(j->model, s, &how);
        if (!*task)
            return false;
    }
    return true;
}

static roof_status open_tasks(job *j)
{
    const speak_request *q = speak_request_of(j->speaker);
    TRY(ARENA_GET(j->arena, j->tasks, (size_t)j->n_threads * j->n_subgraphs, &j->err));
    for (uint32_t i = 0; i < j->n_threads; i++)
        if (!open_thread(j, i))
            return error_set(&j->err, ROOF_E_DEVICE, "%s", vart_why());
    j->batch = vart_task_batch(j->tasks[0]);
    if (q->batch && q->batch != j->batch)
        return error_set(&j->err, ROOF_E_UNSUPPORTED,
                         "a batch of %" PRIu32 ", but this DPU runs %" PRIu32 " at once; leave --batch out",
                         q->batch, j->batch);
    return ROOF_OK;
}

/* The names of what debug mode launches, in this order. A layer that works and has no instructions of its own
 * would be left out in silence. */
static roof_status list_launches(job *j, const char ***names)
{
    uint32_t n = 0, most = 0;
    for (uint32_t s = 0; s < j->n_subgraphs; s++)
        most += vart_count_layers(j->model, s);
    TRY(ARENA_GET2(j->arena, *names, j->launches_s, most + 1, &j->err));
    for (uint32_t s = 0; s < j->n_subgraphs; s++)
        for (uint32_t i = 0; i < vart_count_layers(j->model, s); i++) {
            vart_part layer = vart_layer(j->model, s, i);
            if (layer.is_missing)
                return error_set(
                    &j->err, ROOF_E_UNSUPPORTED,
                    "the file lists a layer '%.80s' that it does not have; measure the whole with "
                    "--mode bypass",
                    layer.name);
            if (layer.workload_ops && !layer.code_bytes)
                return error_set(
                    &j->err, ROOF_E_UNSUPPORTED,
                    "the file has no code for each layer ('%.80s' has none), which compilers "
                    "from 3.0 on do not write any more; measure the whole with --mode bypass, or "
                    "compile the model with Vitis AI 2.5",
                    layer.name);
            if (layer.code_bytes)
                (*names)[n++] = layer.name;
        }
    j->n_launches = n;
    return ROOF_OK;
}

/* The rows of `roofline predict`, each with its launch: both lists are of the same file and in the order of
 * execution. */
static roof_status list_rows(job *j)
{
    const char **names;
    uint32_t launched = 0;
    TRY(list_launches(j, &names));
    TRY(ARENA_GET2(j->arena, j->rows, j->layers_s, j->program->n_rows + 1, &j->err));
    FOR_EACH(const roof_row, row, j->program->rows, j->program->n_rows) {
        if (row->is_remainder)
            continue;
        bool runs = launched < j->n_launches && strcmp(names[launched], row->name) == 0;
        launched += runs;
        const bool is_dpus = row->executor == ROOF_BY_ACCELERATOR || row->executor == ROOF_BY_NOBODY;
        j->rows[j->n_rows++] = (speak_layer){.name = row->name,
                                             .type = row->type,
                                             .skipped = runs      ? NULL
                                                        : is_dpus ? "no instructions of its own"
                                                                  : "not the DPU's, so VART leaves it to the "
                                                                    "application",
                                             .macs = row->macs,
                                             .bytes = ROOF_UNKNOWN};
    }
    return launched == j->n_launches
               ? ROOF_OK
               : error_set(&j->err, ROOF_E_UNSUPPORTED,
                           "VART would launch '%.80s', which is no row of this model here; measure it with "
                           "--mode bypass",
                           names[launched]);
}

/* --- what it does --------------------------------------------------------------------------------------- */

/* One inference: all subgraphs, one after the other. */
static bool run_once(const job *j, vart_task **tasks, double phases_s[VART_PHASES])
{
    double one_s[VART_PHASES];
    for (int p = 0; p < VART_PHASES; p++)
        phases_s[p] = 0;
    for (uint32_t s = 0; s < j->n_subgraphs; s++) {
        if (!vart_task_run(tasks[s], one_s))
            return false;
        for (int p = 0; p < VART_PHASES; p++)
            phases_s[p] += one_s[p];
    }
    return true;
}

/* Before anything is said or timed: how often the device is started, and whether it runs at all. */
static roof_status try_once(job *j)
{
    double phases_s[VART_PHASES];
    launches_watch(NULL, 0, false);
    if (!run_once(j, j->tasks, phases_s))
        return error_set(&j->err, ROOF_E_DEVICE, "%s", vart_why());
    uint32_t seen = launches_seen();
    if (is_per_layer(j) && seen != j->n_launches)
        return error_set(&j->err, ROOF_E_UNSUPPORTED,
                         "VART starts the device %" PRIu32 " times for the model's %" PRIu32
                         " layers with code, so that none of its times is that of a layer; measure the whole "
                         "with --mode bypass",
                         seen, j->n_launches);
    j->n_launches = seen;
    FOR_EACH(const roof_row, row, j->program->rows, j->program->n_rows) {
        j->n_skipped += !row->is_remainder && row->executor != ROOF_BY_ACCELERATOR;
        if (row->executor == ROOF_BY_ACCELERATOR && seen && row->macs != ROOF_UNKNOWN)
            j->macs = (j->macs == ROOF_UNKNOWN ? 0 : j->macs) + row->macs * j->batch;
    }
    return ROOF_OK;
}

static const char *const phase_names[VART_PHASES] = {
    [VART_WRITE] = "write_s", [VART_RUN] = "run_s", [VART_READ] = "read_s"};

static roof_status run_whole(job *j)
{
    double phases_s[VART_PHASES], begin_s = speak_now_s();
    if (!run_once(j, j->tasks, phases_s))
        return error_set(&j->err, ROOF_E_DEVICE, "%s", vart_why());
    speak_sample_of(j->speaker, &(speak_sample){.total_s = speak_now_s() - begin_s,
                                                .phases = phase_names,
                                                .phases_s = phases_s,
                                                .n_phases = VART_PHASES});
    return ROOF_OK;
}

static roof_status run_layers(job *j)
{
    double phases_s[VART_PHASES], begin_s = speak_now_s();
    uint32_t launched = 0;
    launches_watch(j->launches_s, j->n_launches, speak_request_of(j->speaker)->counters);
    if (!run_once(j, j->tasks, phases_s))
        return error_set(&j->err, ROOF_E_DEVICE, "%s", vart_why());
    double total_s = speak_now_s() - begin_s;
    if (launches_seen() != j->n_launches)
        return error_set(&j->err, ROOF_E_DEVICE,
                         "VART started the device %" PRIu32 " times, and %" PRIu32 " times before",
                         launches_seen(), j->n_launches);
    for (uint32_t i = 0; i < j->n_rows; i++) {
        j->layers_s[i] = j->rows[i].skipped ? NAN : j->launches_s[launched++];
        if (!j->rows[i].skipped && isnan(j->layers_s[i]))
            return error_set(&j->err, ROOF_E_DEVICE, "VART did not %s '%.80s'",
                             speak_request_of(j->speaker)->counters ? "read the counter of" : "wait for",
                             j->rows[i].name);
    }
    speak_sample_of(j->speaker,
                    &(speak_sample){.total_s = total_s, .layers_s = j->layers_s, .n_layers = j->n_rows});
    return ROOF_OK;
}

/* --- load ----------------------------------------------------------------------------------------------- */

/* A thread has runners of its own. Instructions and constants are brought to the DPU by an inference that
 * does not count. */
static bool begin_thread(void *job_, uint32_t thread, char why[SPEAK_LOAD_WHY_SIZE])
{
    job *j = job_;
    double phases_s[VART_PHASES];
    const bool good = open_thread(j, thread) && run_once(j, tasks_of(j, thread), phases_s);
    if (!good)
        snprintf(why, SPEAK_LOAD_WHY_SIZE, "%s", vart_why());
    return good;
}

static bool run_thread(void *job_, uint32_t thread, double phases_s[SPEAK_LOAD_PHASES],
                       char why[SPEAK_LOAD_WHY_SIZE])
{
    const job *j = job_;
    const bool good = run_once(j, tasks_of(j, thread), phases_s);
    if (!good)
        snprintf(why, SPEAK_LOAD_WHY_SIZE, "%s", vart_why());
    return good;
}

static void end_thread(void *job_, uint32_t thread)
{
    close_thread(job_, thread);
}

static roof_status run_load(job *j, uint32_t iterations)
{
    _Static_assert((int)VART_PHASES <= (int)SPEAK_LOAD_PHASES, "phases of an inference have their places");
    const speak_work work = {.context = j,
                             .begin = begin_thread,
                             .run = run_thread,
                             .end = end_thread,
                             .phases = phase_names,
                             .n_phases = VART_PHASES,
                             .n_threads = j->n_threads};
    char why[SPEAK_LOAD_WHY_SIZE];
    speak_load *load = speak_load_begin(&work, why);
    const bool good = load && speak_load_turn(load, j->speaker, iterations, why);
    speak_load_end(load);
    return good ? ROOF_OK : error_set(&j->err, ROOF_E_DEVICE, "%s", why);
}

/* --- turns ---------------------------------------------------------------------------------------------- */

/* VART lets one process at a time have a DPU, and the other mode is a process of its own: so the DPU is taken
 * for a turn alone, and begins with an inference that does not count. */
static roof_status run_turn(job *j, uint32_t iterations)
{
    char why[SPEAK_LOAD_WHY_SIZE];
    if (speak_request_of(j->speaker)->load)
        return run_load(j, iterations);
    if (!begin_thread(j, 0, why))
        return error_set(&j->err, ROOF_E_DEVICE, "%s", why);
    for (uint32_t i = 0; i < iterations; i++)
        TRY(is_per_layer(j) ? run_layers(j) : run_whole(j));
    close_tasks(j);
    return ROOF_OK;
}

static roof_status run(job *j)
{
    uint32_t iterations;
    if (speak_request_of(j->speaker)->counters)
        speak_again(j->speaker, "XLNX_SHOW_DPU_COUNTER", "1"); /* read when the program is loaded */
    if (speak_request_of(j->speaker)->probe)
        return error_set(&j->err, ROOF_E_UNSUPPORTED,
                         "the runner of a DPU runs models alone, and cannot probe");
    if (!speak_request_of(j->speaker)->model) {
        TRY(find_device(j));
        say_hello(j);
        return ROOF_OK;
    }
    TRY(open_model(j));
    if (is_per_layer(j))
        TRY(list_rows(j));
    TRY(open_tasks(j));
    TRY(try_once(j));
    close_tasks(j);
    say_hello(j);
    if (is_per_layer(j))
        speak_layers(j->speaker, j->rows, j->n_rows);
    while (speak_next_turn(j->speaker, &iterations)) {
        TRY(run_turn(j, iterations));
        speak_round(j->speaker, iterations);
    }
    speak_done(j->speaker, j->macs);
    return ROOF_OK;
}

int main(void)
{
    static const char *const options[] = {"core", "lib", "seed", NULL};
    char why[700];
    /* VART ends the process by abort() when it lacks something. */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    job j = {.speaker = speak_begin(), .arena = arena_new(0), .macs = ROOF_UNKNOWN};
    roof_status status = j.arena ? ROOF_OK : error_memory(&j.err);
    if (j.speaker && status == ROOF_OK && speak_knows(j.speaker, options))
        status = run(&j);
    roof_error_format(&j.err, why, sizeof why);
    if (j.speaker && status != ROOF_OK)
        speak_error(j.speaker, runner_code_of(status), "%s", why);
    close_tasks(&j);
    vart_model_close(j.model);
    roof_program_free(j.program);
    roof_graph_free(j.graph);
    arena_free(j.arena);
    return speak_end(j.speaker);
}
