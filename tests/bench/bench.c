/* bench.c - whole-process time and peak memory of roofline, beside what people run in its place, in one run
 * and in turns: Debian's own reader of .xmodel files (`xir subgraph`, package libxir-utils), the Python
 * package onnx, a script of Python's csv module, `jq`, and a bare `cat`; how both grow with layers, weights
 * and rows; starts; what the schedule of code, load, lengths of a context, charts and a calibration add;
 * histories and sweeps; what timing a layer costs the runner of this machine's processor, and how well a
 * calibration of it foretells. Asserts nothing. Prints Markdown, of which cmake/benchmarks.cmake makes
 * docs/benchmarks.md.
 *
 * usage: roof_bench --roofline FILE --make-xmodels FILE --make-onnx FILE [--make-history FILE]
 *                   [--shared FOLDER] [--runs N] [--only WHAT]
 *   WHAT: a row of `subjects` or of `parts` below
 *
 * Units: milliseconds of wall time from before the start of a process to after its end, minimum / median over
 * the runs; MiB of peak resident memory. Ratios and differences are of the least processor time, without that
 * of an empty process: what else the machine does makes a long run longer and leaves a short one alone, so
 * that ratios of wall time would flatter whoever is short.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_RUNS = 100,
    MAX_REAL_FILES = 5,
    PATH_SIZE = 4096,
    TIMEOUT_S = 60,   /* for one process; after that it is killed and the cell says so */
    MAX_TOTAL_S = 10, /* a command that took this long in sum is not run again on that file */
};

static const char *roofline, *make_xmodels, *make_onnx, *make_history, *shared;
static int runs = 15;
static char folder[] = "/tmp/roofline-bench-XXXXXX";

/* ---- One process ---- */

static char *word(const char *text)
{
    return (char *)(uintptr_t)text; /* posix_spawn changes none */
}

typedef struct outcome {
    double wall_s, cpu_s;
    long max_rss_kib;
    int exit_code; /* 128 + signal when killed */
} outcome;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Needs SIGCHLD blocked, which main does. */
static void wait_or_kill(pid_t pid, time_t most_s)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct timespec limit = {.tv_sec = most_s};
    if (sigtimedwait(&child, NULL, &limit) < 0 && errno == EAGAIN) {
        kill(pid, SIGKILL);
        sigwaitinfo(&child, NULL); /* not left pending for the next process */
    }
}

/* Starts argv with all three standard streams on /dev/null and waits. False when it could not be started.
 * The kernel counts this process's own pages, shared until exec, into the child's peak: so this one stays
 * small. */
static bool run_within(char *const argv[], time_t most_s, outcome *out)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);

    pid_t pid;
    double start = now_s();
    bool started = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ) == 0;
    if (started) {
        struct rusage usage;
        int status;
        wait_or_kill(pid, most_s);
        while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
            ;
        out->wall_s = now_s() - start;
        out->cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
        out->max_rss_kib = usage.ru_maxrss;
        out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return started;
}

static bool run(char *const argv[], outcome *out)
{
    return run_within(argv, TIMEOUT_S, out);
}

/* ---- Some processes, over and over ---- */

typedef struct series {
    double times_s[MAX_RUNS];
    int n;
    double total_s, min_s, median_s; /* wall time */
    double cpu_s;                    /* the least processor time */
    long max_rss_kib;
    int exit_code;
    const char *absent; /* why it is not run; NULL: it is */
} series;

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void finish(series *s)
{
    if (!s->n)
        return;
    qsort(s->times_s, (size_t)s->n, sizeof *s->times_s, compare_doubles);
    s->min_s = s->times_s[0];
    s->median_s = s->n % 2 ? s->times_s[s->n / 2] : (s->times_s[s->n / 2 - 1] + s->times_s[s->n / 2]) / 2;
}

static uint64_t memory_bytes(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Once more, unless it failed or has taken long enough. */
static void run_once(char *const argv[], series *s)
{
    outcome o;
    if (s->absent || s->exit_code || s->total_s > MAX_TOTAL_S)
        return;
    if (!run(argv, &o)) {
        s->absent = "it cannot be started";
        return;
    }
    s->exit_code = o.exit_code;
    s->total_s += o.wall_s;
    s->cpu_s = s->n ? fmin(s->cpu_s, o.cpu_s) : o.cpu_s;
    s->times_s[s->n++] = o.wall_s;
    if (o.max_rss_kib > s->max_rss_kib)
        s->max_rss_kib = o.max_rss_kib;
}

/* In turns, so that what else the machine does meets all of them alike. A command that begins with NULL is
 * left out. */
static void measure(char *const *const commands[], size_t n, series all[])
{
    for (int i = 0; i < runs; i++)
        for (size_t c = 0; c < n; c++)
            if (commands[c][0])
                run_once(commands[c], &all[c]);
    for (size_t c = 0; c < n; c++)
        finish(&all[c]);
}

static void measure_in_turns(char *const first[], char *const second[], series all[2])
{
    memset(all, 0, sizeof(series) * 2);
    measure((char *const *const[]){first, second}, 2, all);
}

static bool usable(const series *s)
{
    return !s->absent && s->n && !s->exit_code;
}

/* What a process takes that does nothing: the start is the system's, and is in all times. */
static double empty_s;

static void measure_empty(series *s)
{
    char *const nothing[] = {"true", NULL};
    measure((char *const *const[]){nothing}, 1, s);
    empty_s = usable(s) ? s->cpu_s : 0;
}

/* Of times without the start of a process; NaN: not known. */
static double ratio(const series *of, const series *to)
{
    return usable(of) && usable(to) && to->cpu_s > empty_s ? (of->cpu_s - empty_s) / (to->cpu_s - empty_s)
                                                           : (double)NAN;
}

/* ---- Tables: Markdown whose columns also line up on a terminal ---- */

static struct table {
    int widths[12];
    int at;
} table;

static void end_row(void)
{
    puts("|");
    fflush(stdout);
    table.at = 0;
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("| %*s ", table.at ? table.widths[table.at] : -table.widths[0], text);
    table.at++;
}

/* heads: end with NULL. */
static void begin_table(const char *const heads[])
{
    puts("");
    for (int i = 0; heads[i]; i++) {
        const int length = (int)strlen(heads[i]), least = i ? 8 : 44;
        table.widths[i] = length > least ? length : least;
    }
    for (int i = 0; heads[i]; i++)
        put("%s", heads[i]);
    end_row();
    for (int i = 0; heads[i]; i++)
        printf("|%s", i ? "--:" : "---");
    end_row();
}

#define TABLE(...) begin_table((const char *const[]){__VA_ARGS__, NULL})

static void put_number(const char *format, double value)
{
    char text[40];
    snprintf(text, sizeof text, format, value); /* NOLINT(clang-diagnostic-format-nonliteral) */
    put("%s", isnan(value) ? "-" : text);
}

/* "1 000 000" */
static const char *grouped(unsigned long n, char digits[32])
{
    if (n >= 1000000)
        snprintf(digits, 32, "%lu %03lu %03lu", n / 1000000, n / 1000 % 1000, n % 1000);
    else if (n >= 1000)
        snprintf(digits, 32, "%lu %03lu", n / 1000, n % 1000);
    else
        snprintf(digits, 32, "%lu", n);
    return digits;
}

static void put_times(const series *s)
{
    if (s->absent)
        put("not measured: %s", s->absent);
    else if (!s->n)
        put("-");
    else if (s->exit_code == 128 + SIGKILL)
        put("> %d s", TIMEOUT_S);
    else if (s->exit_code)
        put("exit %d", s->exit_code);
    else
        put("%.2f / %.2f", 1e3 * s->min_s, 1e3 * s->median_s);
}

static void put_memory(const series *s)
{
    put_number("%.1f", usable(s) ? (double)s->max_rss_kib / 1024 : (double)NAN);
}

/* ---- Real files ---- */

typedef struct real_file {
    char name[256];
    uint64_t bytes;
} real_file;

static int compare_size(const void *a, const void *b)
{
    uint64_t x = ((const real_file *)a)->bytes, y = ((const real_file *)b)->bytes;
    return (x < y) - (x > y);
}

/* The end of a long name tells more than its start. */
static const char *short_name(const char *name, size_t size)
{
    size_t length = strlen(name);
    return length < size ? name : name + length - size + 1;
}

static void bench_real_files(void)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/data/xmodel", shared ? shared : "");
    DIR *dir = shared && *shared ? opendir(path) : NULL;
    if (!dir) {
        puts("\n## Real files\n\nNot measured here: needs the optional folder ../shared.");
        return;
    }
    static real_file files[512];
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(dir)) && n < sizeof files / sizeof *files;) {
        struct stat st;
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".xmodel") == 0 && fstatat(dirfd(dir), entry->d_name, &st, 0) == 0) {
            snprintf(files[n].name, sizeof files[n].name, "%s", entry->d_name);
            files[n++].bytes = (uint64_t)st.st_size;
        }
    }
    closedir(dir);
    qsort(files, n, sizeof *files, compare_size);

    puts("\n## Real files\n\n`.xmodel` files of public projects: the largest, and MobileNets.");
    TABLE("file", "[MB]", "roofline [ms]", "`xir` [ms]", "`xir` : roofline", "`cat` [ms]", "roofline [MiB]",
          "`xir` [MiB]");
    for (size_t i = 0; i < n; i++) {
        if (i >= MAX_REAL_FILES && !strcasestr(files[i].name, "mobilenet"))
            continue;
        enum { CAT, OURS, XIR, N };
        static series all[N];
        char *const cat[] = {"cat", path, NULL}, *const predict[] = {word(roofline), "predict", path,
                                                                     "--hw",         "b4096",   "--format",
                                                                     "json",         NULL},
                    *const xir[] = {"xir", "subgraph", path, NULL};
        snprintf(path, sizeof path, "%s/data/xmodel/%s", shared, files[i].name);
        memset(all, 0, sizeof all);
        measure((char *const *const[]){cat, predict, xir}, N, all);
        put("%s", short_name(files[i].name, 39));
        put("%.2f", (double)files[i].bytes / 1e6);
        put_times(&all[OURS]);
        put_times(&all[XIR]);
        put_number("%.1f", ratio(&all[XIR], &all[OURS]));
        put_times(&all[CAT]);
        put_memory(&all[OURS]);
        put_memory(&all[XIR]);
        end_row();
    }
}

/* ---- Generated files ---- */

static bool enough_room(uint64_t bytes)
{
    struct statvfs fs;
    return statvfs(folder, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize > bytes + bytes / 4;
}

static bool make_chain(const char *path, unsigned long weight_bytes, unsigned long layers)
{
    char weights_text[32], layers_text[32];
    outcome o;
    snprintf(weights_text, sizeof weights_text, "%lu", weight_bytes);
    snprintf(layers_text, sizeof layers_text, "%lu", layers);
    char *const make[] = {word(make_xmodels), "chain",    word(path),  "--weights",
                          weights_text,       "--layers", layers_text, NULL};
    return enough_room(weight_bytes) && run(make, &o) && o.exit_code == 0;
}

static bool make_layers(const char *path, unsigned long n)
{
    return make_chain(path, 0, n);
}

static bool make_weights(const char *path, unsigned long n)
{
    return make_chain(path, n * 1000000, 100);
}

static bool make_network_onnx(const char *path, const char *kind, unsigned long n)
{
    char size[24];
    outcome o;
    snprintf(size, sizeof size, "%lu", n);
    char *const make[] = {word(make_onnx), word(kind), size, word(path), NULL};
    return enough_room(200000000) && run(make, &o) && o.exit_code == 0;
}

static bool make_nodes(const char *path, unsigned long n)
{
    return make_network_onnx(path, "chain", n);
}

static bool make_onnx_weights(const char *path, unsigned long n)
{
    return make_network_onnx(path, "weights", n);
}

/* ---- Schedules ---- */

/* The layers of a chain have as many, see make_xmodels. */
enum { INSTRUCTIONS_PER_LAYER = 27 };

/* A model, and beside it the same one with code that cannot run, so that nothing is replayed. instructions 0:
 * not known. */
static void bench_schedule(const char *label, const char *model, unsigned long instructions)
{
    static series all[2];
    char untied[PATH_SIZE];
    char *program = word(roofline), *tied = word(model);
    outcome o;
    snprintf(untied, sizeof untied, "%s/untied.xmodel", folder);
    char *const untie[] = {word(make_xmodels), "--untie", tied, untied, NULL};
    char *const commands[2][8] = {{program, "predict", untied, "--hw", "kv260", "--format", "json", NULL},
                                  {program, "predict", tied, "--hw", "kv260", "--format", "json", NULL}};
    if (run(untie, &o) && o.exit_code == 0) {
        measure_in_turns(commands[0], commands[1], all);
        const bool known = usable(&all[0]) && usable(&all[1]);
        put("%s", label);
        put_times(&all[0]);
        put_memory(&all[0]);
        put_times(&all[1]);
        put_memory(&all[1]);
        put_number("%.2f", known ? all[1].cpu_s / all[0].cpu_s : (double)NAN);
        put_number("%.0f", known && instructions ? 1e9 * (all[1].cpu_s - all[0].cpu_s) / (double)instructions
                                                 : (double)NAN);
        end_row();
    }
    unlink(untied);
}

static void bench_generated_schedule(const char *network, unsigned long instructions)
{
    char path[PATH_SIZE], label[48], layers[24], digits[32];
    outcome o;
    snprintf(path, sizeof path, "%s/tied.xmodel", folder);
    snprintf(layers, sizeof layers, "%lu", instructions / INSTRUCTIONS_PER_LAYER + 1);
    snprintf(label, sizeof label, "%s, generated", network);
    if (instructions)
        snprintf(label, sizeof label, "%s instructions", grouped(instructions, digits));
    char *const make[] = {word(make_xmodels), word(network), path, "--layers", layers, NULL};
    if (run(make, &o) && o.exit_code == 0)
        bench_schedule(label, path, instructions);
    unlink(path);
}

static void bench_schedules(void)
{
    static const char *const real[] = {"Vitis-AI-Reference-Tutorials__MobileNetV2",
                                       "smartcam__refinedet_pruned_0_96"};
    puts("\n## The schedule of code\n\nThe same model with code that cannot run, so that nothing is "
         "replayed, and "
         "with code that can.");
    TABLE("network", "without [ms]", "[MiB]", "with [ms]", "[MiB]", "with : without", "an instruction [ns]");
    for (size_t i = 0; shared && *shared && i < sizeof real / sizeof *real; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/data/xmodel/%s.xmodel", shared, real[i]);
        if (access(path, R_OK) == 0)
            bench_schedule(short_name(real[i], 39), path, 0);
    }
    bench_generated_schedule("mobilenetv2", 0);
    bench_generated_schedule("resnet50", 0);
    for (unsigned long instructions = 10000; instructions <= 1000000; instructions *= 10)
        bench_generated_schedule("chain", instructions);
}

/* ---- Load ---- */

/* What 16 numbers of threads, and the fewest that are enough, take on top of a prediction. */
static void bench_load(void)
{
    static series all[2];
    static const char *const networks[] = {"mobilenetv2", "resnet50", "chain"};
    puts("\n## Inferences/s of 16 numbers of threads\n\nBeside a prediction alone.");
    TABLE("network", "alone [ms]", "with [ms]", "more [ms]");
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        char path[PATH_SIZE];
        outcome o;
        snprintf(path, sizeof path, "%s/load.xmodel", folder);
        char *program = word(roofline);
        char *const make[] = {word(make_xmodels), word(networks[i]), path, "--layers", "1000", NULL};
        char *const commands[2][10] = {
            {program, "predict", path, "--hw", "zcu102", NULL},
            {program, "predict", path, "--hw", "zcu102", "--threads", "1..16", "--host", "classify", NULL}};
        if (run(make, &o) && o.exit_code == 0) {
            measure_in_turns(commands[0], commands[1], all);
            put("%s", networks[i]);
            put_times(&all[0]);
            put_times(&all[1]);
            put_number("%.3f", usable(&all[0]) && usable(&all[1]) ? 1e3 * (all[1].cpu_s - all[0].cpu_s)
                                                                  : (double)NAN);
            end_row();
        }
        unlink(path);
    }
}

/* ---- Advice ---- */

/* Dozens of edited graphs, each predicted again, beside one prediction. */
static void bench_advice(void)
{
    static series all[2];
    static const struct {
        const char *name, *kind, *size;
    } networks[] = {{"ResNet-18", "resnet18", "1"}, {"Inception-v4", "inception", "1"}};
    puts("\n## Advice\n\nBeside one prediction.");
    TABLE("network", "predict [ms]", "advise [ms]", "more [ms]");
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        char path[PATH_SIZE];
        outcome o;
        snprintf(path, sizeof path, "%s/advice.onnx", folder);
        char *const make[] = {word(make_onnx), word(networks[i].kind), word(networks[i].size), path, NULL};
        char *const commands[2][6] = {{word(roofline), "predict", path, "--hw", "kv260", NULL},
                                      {word(roofline), "advise", path, "--hw", "kv260", NULL}};
        if (run(make, &o) && o.exit_code == 0) {
            measure_in_turns(commands[0], commands[1], all);
            put("%s", networks[i].name);
            put_times(&all[0]);
            put_times(&all[1]);
            put_number("%.3f", usable(&all[0]) && usable(&all[1]) ? 1e3 * (all[1].cpu_s - all[0].cpu_s)
                                                                  : (double)NAN);
            end_row();
        }
        unlink(path);
    }
}

/* ---- Curves ---- */

/* A language model at 1 and at 128 lengths: what a point costs. */
static void bench_curves(void)
{
    static series all[2];
    char path[PATH_SIZE];
    char *program = word(roofline);
    snprintf(path, sizeof path, "%s/config.json", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fputs(
        "{\"model_type\":\"llama\",\"hidden_size\":2048,\"num_hidden_layers\":16,\"num_attention_heads\":32,"
        "\"num_key_value_heads\":8,\"intermediate_size\":8192,\"vocab_size\":128256,\"tie_word_embeddings\":"
        "true}",
        file);
    fclose(file);
    char *const commands[2][12] = {
        {program, "predict", path, "--hw", "npu2", "--dtype", "q4_1", "--context", "1k,2k", NULL},
        {program, "predict", path, "--hw", "npu2", "--dtype", "q4_1", "--context", "1k..128k:128", NULL}};
    puts("\n## A language model over its context");
    TABLE("model", "2 lengths [ms]", "128 lengths [ms]", "a length [us]");
    measure_in_turns(commands[0], commands[1], all);
    put("Llama 3.2 1B, q4_1");
    put_times(&all[0]);
    put_times(&all[1]);
    put_number("%.1f",
               usable(&all[0]) && usable(&all[1]) ? 1e6 * (all[1].cpu_s - all[0].cpu_s) / 126 : (double)NAN);
    end_row();
    unlink(path);
}

/* ---- Profiles ---- */

/* A measured document of so many layers, or a table of so many samples of 100 layers. */
static bool write_profile(const char *path, bool csv, unsigned long rows)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs(csv ? "layer,mean [ms]\n"
              : "{\"schema\":\"roofline.measured/"
                "1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":"
                "\"per_layer\",\"layers\":[\n",
          file);
    for (unsigned long i = 0; i < rows; i++) {
        unsigned long us = 100 + i * 7919 % 900;
        if (csv)
            fprintf(file, "stage%lu/conv%lu,0.%03lu%03lu\n", i % 10, i % 100, us, i % 1000);
        else
            fprintf(file,
                    "%s{\"index\":%lu,\"name\":\"stage%lu/"
                    "conv%lu\",\"type\":\"conv\",\"mean_s\":0.000%lu,\"count\":100}\n",
                    i ? "," : "", i + 1, i / 10, i, us);
    }
    fputs(csv ? "" : "]}]}]}\n", file);
    return fclose(file) == 0;
}

static bool make_samples(const char *path, unsigned long n)
{
    return write_profile(path, true, n);
}

static bool make_rows(const char *path, unsigned long n)
{
    return write_profile(path, false, n);
}

/* ---- Traces of events ---- */

/* A launch of PyTorch on a GPU, with the operators around it, as torch.profiler prints it; without a device
 * their kernel is left out. */
static void write_launch(FILE *file, bool on_gpu, unsigned long i)
{
    static const char head[] =
        "  {\n    \"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s%lu\", \"pid\": %d, \"tid\": %d,\n"
        "    \"ts\": 17000000%08lu.%03lu, \"dur\": %lu.%03lu,\n    \"args\": {\n      ";
    static const char tail[] = "\n    }\n  },\n";
    unsigned long us = 20 * i, ns = i * 7919 % 1000;
    fprintf(file, head, "cpu_op", "aten::linear_", i % 50, 4037, 4037, us, ns, 16UL, ns);
    fprintf(file,
            "\"External id\": %lu, \"Ev Idx\": %lu, \"Input Dims\": [[1, 512], [512, 512]], \"Input type\": "
            "[\"float\", \"float\"]%s",
            i, i, tail);
    fprintf(file, head, "cpu_op", "aten::addmm_", i % 50, 4037, 4037, us + 1, ns, 12UL, ns);
    fprintf(file, "\"External id\": %lu, \"Record function id\": 0%s", i, tail);
    if (!on_gpu)
        return;
    fprintf(file, head, "cuda_runtime", "cudaLaunchKernel", 0UL, 4037, 4037, us + 3, ns, 5UL, ns);
    fprintf(file, "\"External id\": %lu, \"cbid\": 211, \"correlation\": %lu%s", i, i, tail);
    fprintf(file,
            "  {\n    \"ph\": \"s\", \"id\": %lu, \"pid\": 4037, \"tid\": 4037, \"ts\": 17000000%08lu,\n"
            "    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n",
            i, us);
    fprintf(file, head, "kernel",
            "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_tn_align4>(Params)_", i % 200, 0, 7,
            us + 6, ns, 4UL, ns);
    fprintf(
        file,
        "\"External id\": %lu, \"device\": 0, \"stream\": 7, \"correlation\": %lu,\n      \"registers per "
        "thread\": 86, \"grid\": [8, 8, 1], \"block\": [128, 1, 1]%s",
        i, i, tail);
}

static bool write_trace(const char *path, bool on_gpu, unsigned long megabytes)
{
    FILE *file = enough_room(megabytes * 1000000) ? fopen(path, "w") : NULL;
    if (!file)
        return false;
    fputs("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n  ],\n  \"traceEvents\": [\n", file);
    for (unsigned long i = 0; ftello(file) < (off_t)megabytes * 1000000; i++)
        write_launch(file, on_gpu, i);
    fputs("  {}\n  ]\n}\n", file);
    return fclose(file) == 0;
}

static bool make_trace_of_gpu(const char *path, unsigned long n)
{
    return write_trace(path, true, n);
}

static bool make_trace_of_cpu(const char *path, unsigned long n)
{
    return write_trace(path, false, n);
}

/* ---- Control code of an AI Engine array ---- */

/* Descriptors and their pushes, as a transaction or as its text. */
static bool write_code(const char *path, bool is_text, unsigned long bytes)
{
    static const uint32_t operations[] = {1, 0, 0x1D000,  48, 1024, 0,       0, 0,          0,
                                          0, 0, 1u << 25, 0,  0,    0x1D214, 0, 0x80000000, 24};
    enum { WORDS = sizeof operations / sizeof *operations };
    unsigned long times = bytes / (is_text ? 9 * WORDS : 4 * WORDS);
    const uint32_t header[] = {0x06040100, 0x0104, (uint32_t)(2 * times), (uint32_t)(16 + 4 * WORDS * times)};
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    for (unsigned long t = 0; t <= times; t++)
        for (size_t i = 0; i < (t ? WORDS : 4); i++) {
            uint32_t word = t ? operations[i] : header[i];
            if (is_text)
                fprintf(file, "%08X\n", (unsigned)word);
            else
                fwrite(&word, sizeof word, 1, file);
        }
    return fclose(file) == 0;
}

static bool make_code(const char *path, unsigned long n)
{
    return write_code(path, false, n * 1000000);
}

static bool make_code_text(const char *path, unsigned long n)
{
    return write_code(path, true, n * 1000000);
}

/* ---- Reports ---- */

/* A network of so many layers in the folder. */
static bool make_network(unsigned long layers, char path[PATH_SIZE])
{
    char count[24];
    outcome o;
    snprintf(count, sizeof count, "%lu", layers);
    snprintf(path, PATH_SIZE, "%s/net%lu.xmodel", folder, layers);
    char *const make[] = {word(make_xmodels), "chain", path, "--layers", count, NULL};
    return run(make, &o) && o.exit_code == 0;
}

/* Both ways of measuring such a network; no two copies have the same times. */
static void write_experiment(FILE *file, unsigned long layers, unsigned long copy)
{
    double slower = 1 + 1e-3 * (double)copy;
    fprintf(
        file,
        "{\"model\":{\"path\":\"net%lu.xmodel\"},\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":%g}},"
        "{\"mode\":\"per_layer\",\"total\":{\"mean_s\":%g},\"layers\":[\n",
        layers, slower * 0.4e-3 * (double)layers, slower * 0.6e-3 * (double)layers);
    for (unsigned long i = 0; i < layers; i++)
        fprintf(file, "%s{\"index\":%lu,\"name\":\"row%lu\",\"mean_s\":%g,\"std_s\":0.00001,\"count\":100}\n",
                i ? "," : "", i + 1, i, slower * 1e-6 * (double)(100 + i * 7919 % 900));
    fputs("]}]}", file);
}

/* So many copies of a study of some networks. */
static bool write_study(const char *path, const unsigned long *layers, size_t n, unsigned long copies)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("{\"schema\":\"roofline.measured/1\",\"hardware\":{\"id\":\"b4096\"},\"experiments\":[\n", file);
    for (unsigned long copy = 0; copy < copies; copy++)
        for (size_t i = 0; i < n; i++) {
            fputs(copy || i ? "," : "", file);
            write_experiment(file, layers[i], copy);
        }
    fputs("]}\n", file);
    return fclose(file) == 0;
}

static void empty_folder(const char *path)
{
    char file[PATH_SIZE * 2];
    struct dirent *entry;
    DIR *dir = opendir(path);
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.' &&
            snprintf(file, sizeof file, "%s/%s", path, entry->d_name) < (int)sizeof file)
            unlink(file);
    if (dir)
        closedir(dir);
    rmdir(path);
}

static void bench_report(unsigned long layers)
{
    static series all[2];
    char model[PATH_SIZE], study[PATH_SIZE], review[PATH_SIZE];
    char *program = word(roofline);
    snprintf(study, sizeof study, "%s/measured.json", folder);
    snprintf(review, sizeof review, "%s/review", folder);
    char *const commands[2][6] = {{program, "reconcile", study, NULL},
                                  {program, "report", study, "-o", review, NULL}};
    if (make_network(layers, model) && write_study(study, &layers, 1, 1)) {
        measure_in_turns(commands[0], commands[1], all);
        put("%lu layers, measured", layers);
        for (int i = 0; i < 2; i++) {
            put_times(&all[i]);
            put_memory(&all[i]);
        }
        end_row();
    }
    empty_folder(review);
    unlink(model);
    unlink(study);
}

static void bench_reports(void)
{
    puts("\n## Reports\n\nWith all charts, drawn by gnuplot.");
    TABLE("profile", "`reconcile` [ms]", "[MiB]", "`report` [ms]", "[MiB]");
    bench_report(50);
    bench_report(500);
    bench_report(5000);
}

/* ---- Calibration ---- */

/* As many layers as the networks of the study in examples/kv260 have. */
static const unsigned long study_layers[] = {15, 36, 55};
enum { STUDY_NETWORKS = sizeof study_layers / sizeof *study_layers };

static void bench_copies(const char *study, unsigned long copies, double *one_s)
{
    static series all[2];
    char fitted[PATH_SIZE];
    char *program = word(roofline), *document = word(study);
    snprintf(fitted, sizeof fitted, "%s/calibration.json", folder);
    char *const commands[2][6] = {{program, "reconcile", document, NULL},
                                  {program, "reconcile", document, "--calibration-out", fitted, NULL}};
    if (!write_study(study, study_layers, STUDY_NETWORKS, copies))
        return;
    measure_in_turns(commands[0], commands[1], all);
    if (copies == 1)
        *one_s = all[1].cpu_s;
    put("%lu of three models, %lu rows", copies, copies * (15 + 36 + 55));
    put_times(&all[0]);
    put_times(&all[1]);
    put_number("%.1f", usable(&all[1]) && *one_s > 0 ? all[1].cpu_s / *one_s : (double)NAN);
    end_row();
    unlink(fitted);
    unlink(study);
}

static void bench_calibration(void)
{
    static const unsigned long copies[] = {1, 3, 10, 40};
    char models[STUDY_NETWORKS][PATH_SIZE], study[PATH_SIZE];
    bool made = true;
    double one_s = 0;
    puts("\n## Calibration\n\nCopies of one study with other times.");
    TABLE("copies", "`reconcile` [ms]", "`--calibration-out` [ms]", "to one");
    snprintf(study, sizeof study, "%s/study.json", folder);
    for (size_t i = 0; i < STUDY_NETWORKS; i++)
        made = make_network(study_layers[i], models[i]) && made;
    for (size_t i = 0; made && i < sizeof copies / sizeof *copies; i++)
        bench_copies(study, copies[i], &one_s);
    for (size_t i = 0; i < STUDY_NETWORKS; i++)
        unlink(models[i]);
}

/* ---- Plans of a Neural-ART ---- */

/* A list with one element for every epoch, from 1 on. */
static void write_list(FILE *file, const char *key, unsigned long n,
                       void (*write)(FILE *file, unsigned long epoch))
{
    fprintf(file, "\"%s\":[", key);
    for (unsigned long i = 1; i <= n; i++) {
        fputs(i > 1 ? ",\n" : "\n", file);
        write(file, i);
    }
    fputs("]", file);
}

static void write_buffer(FILE *file, unsigned long i)
{
    fprintf(file, "{\"id\":%lu,\"is_param\":false,\"mpool_id\":1,\"name\":\"buffer_%lu\",\"nbits\":8}", i, i);
}

static void write_edge(FILE *file, unsigned long i)
{
    fprintf(file, "{\"buffer\":%lu,\"edge_kind\":\"EDGE_MEMORY\",\"end\":{\"node_id\":%lu,\"port\":0}}", i,
            10 * i + 1);
}

static void write_node(FILE *file, unsigned long i)
{
    fprintf(
        file,
        "{\"id\":%lu,\"macc\":0,\"mapping\":\"NODE_HW\",\"name\":\"epoch_%lu\",\"original_nodes\":[],"
        "\"attributes\":{},\"type\":\"\",\"subgraph_nodes\":[{\"id\":%lu,\"macc\":0,\"mapping\":\"NODE_HW\","
        "\"name\":\"Conv2D_%lu\",\"original_nodes\":[],\"attributes\":{\"assigned_processor\":\"CONV_ACC_V2 "
        "0\"},\"type\":\"Conv\",\"subgraph_nodes\":[]}]}",
        10 * i, i, 10 * i + 1, i);
}

static void write_access(FILE *file, unsigned long i)
{
    fprintf(file,
            "{\"mpool_id\":1,\"node_id\":%lu,\"read_cycles\":3840,\"reads\":24576,\"write_cycles\":3840,"
            "\"writes\":24576}",
            10 * i);
}

static void write_estimate(FILE *file, unsigned long i)
{
    fprintf(file,
            "{\"average_acc_power_mw\":59.5,\"compute_cycles\":4096,\"max_cycles\":7680,\"node_id\":%lu,"
            "\"ops\":524288}",
            10 * i);
}

/* The same with places and lifetimes: neighbours overlap in time, and take turns in 200 slots. */
static void write_placed_buffer(FILE *file, unsigned long i)
{
    enum { BUFFERS_AN_EPOCH = 100, SLOTS = 200 };
    const unsigned long epoch = i / BUFFERS_AN_EPOCH;
    fprintf(file,
            "{\"epochs\":{\"end\":%lu,\"start\":%lu},\"id\":%lu,\"is_param\":false,\"mpool_id\":1,\"name\":"
            "\"buffer_%lu\",\"nbits\":8,\"offset_start\":%lu,\"size_bytes\":%lu}",
            epoch + 1, epoch, i, i, i % SLOTS * 2048, 1024 + i % 1000);
}

/* A c_info.json of as many epochs, of schema 2.0 as compilers from 3.0 on write it. */
static bool write_plan_of(const char *path, unsigned long epochs, unsigned long placed)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("{", file);
    write_list(file, "buffers", placed ? placed : epochs, placed ? write_placed_buffer : write_buffer);
    fputs(",\"ec_blobs_info\":[],\"environment\":{\"tools\":[{\"input_model\":{\"name\":\"net\"},\"name\":"
          "\"ST.EdgeAI.Core\",\"version\":\"3.0.0\"}]},\"graphs\":[{",
          file);
    write_list(file, "edges", epochs, write_edge);
    fputs(",\"id\":1,\"name\":\"Default\",", file);
    write_list(file, "nodes", epochs, write_node);
    fputs("}],\"json_schema_version\":\"2.0\",", file);
    write_list(file, "memory_accesses", epochs, write_access);
    fputs(
        ",\"memory_pools\":[{\"address\":\"875429888\",\"attributes\":{\"byte_width\":8,\"freq_ratio\":1.25},"
        "\"cacheable\":\"CACHEABLE_OFF\",\"id\":1,\"name\":\"npuRAM5\",\"rights\":\"ACC_WRITE\","
        "\"size_bytes\":458752,\"subpools\":[],\"used_size_bytes\":65536}],",
        file);
    write_list(file, "power_estimates", epochs, write_estimate);
    fputs("}\n", file);
    return fclose(file) == 0;
}

static bool write_plan(const char *path, unsigned long epochs)
{
    return write_plan_of(path, epochs, 0);
}

/* ---- Memory over rows ---- */

/* Beside what reads the same file and shows all of it: what memory takes more is their difference. */
static void bench_memory_of(const char *what, const char *path)
{
    static series all[2];
    char *program = word(roofline), *file = word(path);
    char *const commands[2][5] = {{program, "inspect", file, NULL},
                                  {program, "inspect", file, "--memory", NULL}};
    measure_in_turns(commands[0], commands[1], all);
    put("%s", what);
    put_times(&all[0]);
    put_times(&all[1]);
    put_number("%.1f",
               usable(&all[0]) && usable(&all[1]) ? 1e3 * (all[1].cpu_s - all[0].cpu_s) : (double)NAN);
    put_memory(&all[1]);
    end_row();
}

static void bench_memory(void)
{
    enum { BUFFERS = 100000 };
    char path[PATH_SIZE];
    puts("\n## Memory over rows\n\nFiles of 100 000 buffers.");
    TABLE("file", "`inspect` [ms]", "`--memory` [ms]", "more [ms]", "roofline [MiB]");
    snprintf(path, sizeof path, "%s/placed", folder);
    if (write_plan_of(path, BUFFERS / 100, BUFFERS))
        bench_memory_of("a Neural-ART's plan", path);
    unlink(path);
    snprintf(path, sizeof path, "%s/net.xmodel", folder);
    if (make_layers(path, BUFFERS))
        bench_memory_of("an `.xmodel`", path);
    unlink(path);
}

/* ---- Histories ---- */

static void bench_histories(void)
{
    puts("\n## Histories\n\nRuns in each of two series.");
    TABLE("command", "runs", "file [MB]", "roofline [ms]", "a run [us]", "roofline [MiB]");
    for (unsigned long n = 1000; make_history && n <= 100000; n *= 10) {
        char path[PATH_SIZE], count[24], digits[32];
        outcome o;
        struct stat st;
        snprintf(path, sizeof path, "%s/runs.db", folder);
        snprintf(count, sizeof count, "%lu", n);
        char *const make[] = {word(make_history), "--runs", count, path, NULL};
        char *program = word(roofline);
        char *const commands[][9] = {
            {program, "history", "trend", "--db", path, "--mode", "bypass", NULL},
            {program, "history", "trend", "--db", path, "--row", "conv1", NULL},
            {program, "history", "gate", "--db", path, "--factor", "1.05", NULL},
            {program, "history", "list", "--db", path, NULL},
        };
        static const char *const labels[] = {"`trend` of one series", "`trend` of a row",
                                             "`gate` of both series", "`list`, the newest 40"};
        if (!run(make, &o) || o.exit_code != 0 || stat(path, &st) != 0)
            continue;
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
            series s = {0};
            measure((char *const *const[]){commands[i]}, 1, &s);
            put("%s", labels[i]);
            put("%s", grouped(n, digits));
            put("%.2f", (double)st.st_size / 1e6);
            put_times(&s);
            put_number("%.2f", usable(&s) ? 1e6 * s.cpu_s / (double)n : (double)NAN);
            put_memory(&s);
            end_row();
        }
        unlink(path);
    }
}

/* ---- The runner of this machine's processor ---- */

/* What `roofline hw probe` finds: a value under a key of its description. */
static bool find_value(const char *text, const char *key, double *value)
{
    char pattern[80];
    snprintf(pattern, sizeof pattern, "\"%s\":{\"value\":", key);
    const char *at = strstr(text, pattern);
    if (at)
        *value = strtod(at + strlen(pattern), NULL);
    return at;
}

static void bench_runner(void)
{
    static char text[1 << 16];
    char path[sizeof folder + 16];
    double boundary_s = 0, launch_s = 0;
    outcome o;
    snprintf(path, sizeof path, "%s/here.json", folder);
    char *const probe[] = {word(roofline), "hw", "probe", "--most", "2s", "-o", path, NULL};
    puts("\n## What timing every layer costs\n\nOf `roofline-run-cpu`, on this machine.");
    TABLE("at each layer", "[us]");
    bool good = run(probe, &o) && o.exit_code == 0;
    FILE *file = good ? fopen(path, "re") : NULL;
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file)
        (void)fclose(file);
    unlink(path);
    if (find_value(text, "boundary.floor", &boundary_s) && find_value(text, "launch.floor", &launch_s)) {
        put("a wait and a clock read");
        put("%.3f", boundary_s * 1e6);
        end_row();
        put("an empty primitive beside it");
        put("%.3f", launch_s * 1e6);
        end_row();
    } else {
        put("`roofline hw probe`");
        put("not measured: it exits with %d (libdnnl-dev gives the runner)", o.exit_code);
        end_row();
    }
}

/* ---- A calibration of this machine's processor ---- */

static double number_behind(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtod(at + strlen(key), NULL) : (double)NAN;
}

/* A number of the object `total` of a document, which the program is to write. */
static double total_of(char *const argv[], const char *path, const char *key)
{
    static char text[1 << 20];
    outcome o;
    FILE *file = run(argv, &o) && o.exit_code == 0 ? fopen(path, "re") : NULL;
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        (void)fclose(file);
    const char *total = strstr(text, "\"total\":{");
    return total ? number_behind(total, key) : (double)NAN;
}

enum { MOST_NETWORKS = 8 };

typedef struct measured_network {
    const char *name;
    char model[PATH_SIZE], document[PATH_SIZE];
} measured_network;

/* A network by a calibration to the others; the error, NaN: not known. */
static double put_left_out(const measured_network *all, size_t n, size_t of, const char *hw)
{
    char fitted[sizeof folder + 32], out[sizeof folder + 32];
    char *fit[MOST_NETWORKS + 8] = {word(roofline), "reconcile"};
    size_t words = 2;
    outcome o;
    snprintf(fitted, sizeof fitted, "%s/processor/fitted.json", folder);
    snprintf(out, sizeof out, "%s/processor/out.json", folder);
    for (size_t i = 0; i < n; i++)
        if (i != of)
            fit[words++] = word(all[i].document);
    fit[words++] = "--calibration-out";
    fit[words] = fitted;
    (void)run(fit, &o);
    char *const reconcile[] = {word(roofline), "reconcile", word(all[of].document), "-o", out, NULL},
                *const predict[] = {word(roofline),
                                    "predict",
                                    word(all[of].model),
                                    "--hw",
                                    word(hw),
                                    "--calibration",
                                    fitted,
                                    "-o",
                                    out,
                                    NULL};
    const double measured_s = total_of(reconcile, out, "\"bypass_s\":"),
                 expected_s = total_of(predict, out, "\"predicted_s\":"),
                 low_s = total_of(predict, out, "\"predicted_ci95_s\":["),
                 error = fabs(expected_s / measured_s - 1);
    put("%s", all[of].name);
    put_number("%.2f", 1e3 * measured_s);
    put_number("%.2f", 1e3 * expected_s);
    put_number("%.2f", expected_s / low_s);
    put_number("%.1f %%", 100 * error);
    end_row();
    return error;
}

static void bench_processor(void)
{
    static const char *const names[] = {"mobilenetv1-1.0", "mobilenetv2-1.0", "efficientnet-lite0",
                                        "resnet18_176x80", "resnet50_caffe",  "sphere20"};
    enum { N = sizeof names / sizeof *names, MOST_S = 60 };
    static measured_network all[N];
    char work[sizeof folder + 16], hw[sizeof folder + 32];
    double errors[N];
    size_t n = 0, known = 0;
    outcome o;
    snprintf(work, sizeof work, "%s/processor", folder);
    snprintf(hw, sizeof hw, "%s/here.json", work);
    char *const probe[] = {word(roofline), "hw", "probe", "--most", "2s", "-o", hw, NULL};
    const bool good = mkdir(work, 0700) == 0 && run_within(probe, MOST_S, &o) && o.exit_code == 0;
    for (size_t i = 0; good && i < N; i++) {
        measured_network *m = &all[n];
        m->name = names[i];
        snprintf(m->model, sizeof m->model, "%s/data/zoo/%s.onnx", shared ? shared : "", names[i]);
        snprintf(m->document, sizeof m->document, "%s/%s.json", work, names[i]);
        // clang-format off
        char *const measure_it[] = {word(roofline), "measure", m->model, "--hw", hw, "--option", "processors=1",
                                    "--iterations", "10", "--rounds", "5", "--warmup", "10", "-o", m->document,
                                    NULL};
        // clang-format on
        n += run_within(measure_it, MOST_S, &o) && o.exit_code == 0;
    }
    puts("\n## A calibration of this machine's processor\n\nNetworks that `roofline-run-cpu` measured on one "
         "processor; each by a calibration to the others.");
    TABLE("network", "measured [ms]", "expected [ms]", "95 %, times or through", "error");
    for (size_t i = 0; n >= 3 && i < n; i++) {
        errors[known] = put_left_out(all, n, i, hw);
        if (!isnan(errors[known]))
            known++;
    }
    qsort(errors, known, sizeof *errors, compare_doubles);
    put("median, and worst, of %zu", known);
    for (int i = 0; i < 3; i++)
        put("-");
    if (known)
        put("%.1f %%, %.1f %%", 100 * (errors[known / 2] + errors[(known - 1) / 2]) / 2,
            100 * errors[known - 1]);
    else
        put("not measured: needs libdnnl-dev for `roofline-run-cpu`, and the optional folder ../shared");
    end_row();
    empty_folder(work);
}

/* ---- Sweeps ---- */

enum { SWEPT_MODELS = 50, SWEPT_DEVICES = 20, SWEPT_CLOCKS = 10 };

static bool write_swept_model(int i)
{
    char path[PATH_SIZE], layers[24];
    outcome o;
    snprintf(path, sizeof path, "%s/swept-%d", folder, i);
    snprintf(layers, sizeof layers, "%d", 20 + 4 * (i * 31 % SWEPT_MODELS)); /* small and large in turns */
    char *const make[] = {word(make_xmodels), "chain", path, "--layers", layers, NULL};
    return run(make, &o) && o.exit_code == 0;
}

/* The first n_models, each on as many devices at as many clocks as the goal has: 200 points a model. */
static bool write_sweep_plan(const char *path, int n_models)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("{\"schema\":\"roofline.sweep/1\",\"models\":[", file);
    for (int i = 0; i < n_models; i++)
        fprintf(file, "%s\"swept-%d\"", i ? "," : "", i);
    fputs("],\"devices\":[", file);
    for (int i = 0; i < SWEPT_DEVICES; i++)
        fprintf(file, "%s\"base=b4096,ddr=%dGB/s\"", i ? "," : "", 5 + i);
    fputs("],\"clocks\":[", file);
    for (int i = 0; i < SWEPT_CLOCKS; i++)
        fprintf(file, "%s\"%dMHz\"", i ? "," : "", 200 + 20 * i);
    fputs("]}\n", file);
    return fclose(file) == 0;
}

/* Once each: a sweep is longer than what else the machine does in between. */
static void bench_sweeps(void)
{
    static const int counts[] = {5, 10, 25, SWEPT_MODELS};
    char plan[sizeof folder + 16], points[sizeof folder + 16], path[PATH_SIZE], digits[32];
    int n_made = 0;
    while (n_made < SWEPT_MODELS && write_swept_model(n_made))
        n_made++;
    snprintf(plan, sizeof plan, "%s/plan", folder);
    snprintf(points, sizeof points, "%s/points.csv", folder);
    printf("\n## Sweeps\n\nChains of 20 to 216 layers on %d devices at %d clocks, by all processors, once "
           "each.\n",
           SWEPT_DEVICES, SWEPT_CLOCKS);
    TABLE("points", "[s]", "a point [ms]", "processor time of it [ms]", "[MiB]");
    for (size_t i = 0; n_made == SWEPT_MODELS && i < sizeof counts / sizeof *counts; i++) {
        const int n_points = counts[i] * SWEPT_DEVICES * SWEPT_CLOCKS;
        char *const sweep[] = {word(roofline), "sweep", plan, "-o", points, NULL};
        outcome o = {0};
        const bool good = write_sweep_plan(plan, counts[i]) && run_within(sweep, 300, &o) && o.exit_code == 0;
        put("%s", grouped((unsigned long)n_points, digits));
        put_number("%.2f", good ? o.wall_s : (double)NAN);
        put_number("%.3f", good ? 1e3 * o.wall_s / n_points : (double)NAN);
        put_number("%.3f", good ? 1e3 * o.cpu_s / n_points : (double)NAN);
        put_number("%.1f", good ? (double)o.max_rss_kib / 1024 : (double)NAN);
        end_row();
        unlink(points);
    }
    unlink(plan);
    for (int i = 0; i < n_made; i++) {
        snprintf(path, sizeof path, "%s/swept-%d", folder, i);
        unlink(path);
    }
}

/* ---- What grows, and what people run in its place ---- */

static const char onnx_script[] = "import onnx, sys\n"
                                  "onnx.shape_inference.infer_shapes(onnx.load(sys.argv[1]))\n";
static const char csv_script[] =
    "import csv, statistics, sys\n"
    "rows = {}\n"
    "for name, ms in list(csv.reader(open(sys.argv[1])))[1:]:\n"
    "    rows.setdefault(name, []).append(float(ms))\n"
    "for name, times in rows.items():\n"
    "    print(name, len(times), min(times), statistics.fmean(times), max(times))\n";

/* Debian's modules are for Debian's python3; another one that comes first in PATH does not know them. */
#define PYTHON "/usr/bin/python3"

enum { NO_OTHER, XIR, ONNX, CSV, JQ };

static struct other {
    const char *what, *lacks;
    const char *probe[4], *command[4]; /* the file follows */
    int probed;                        /* the exit code of the probe where the program is there */
    uint64_t
        memory_share; /* it is left out for files above this share of the memory, which its copies fill */
    bool is_here;
} others[] = {
    // clang-format off
    [XIR] = {"`xir subgraph`", "needs libxir-utils", {"xir"}, {"xir", "subgraph"}, 1, 4, false},
    [ONNX] = {"python3: `onnx.load`, shapes", "needs python3-onnx",
              {PYTHON, "-c", "import onnx"}, {PYTHON, "-c", onnx_script}, 0, 10, false},
    [CSV] = {"python3: `csv`, means", "needs python3",
             {PYTHON, "-c", "import csv"}, {PYTHON, "-c", csv_script}, 0, 30, false},
    [JQ] = {"`jq`, a sum", "needs jq",
            {"jq", "--version"}, {"jq", "[.traceEvents[]|select(.cat==\"kernel\")|.dur]|add"}, 0, 30, false},
    // clang-format on
};

enum { MOST_SIZES = 4 };

/* Files of a kind, of several sizes. */
static const struct subject {
    const char *name, *what; /* for --only; and for people, behind a number */
    bool (*make)(const char *path, unsigned long n);
    const char *file;
    const char *arguments[6]; /* of roofline; the file stands behind the first */
    int other;
    unsigned long sizes[MOST_SIZES];
} subjects[] = {
    // clang-format off
    {"layers", "layers of an `.xmodel`", make_layers, "net.xmodel",
     {"predict", "--hw", "b4096", "--format", "json"}, XIR, {100, 1000, 10000, 100000}},
    {"weights", "MB of weights, 100 layers of an `.xmodel`", make_weights, "net.xmodel",
     {"predict", "--hw", "b4096", "--format", "json"}, XIR, {1, 10, 100, 1000}},
    {"onnx", "nodes of an ONNX file, on a KV260", make_nodes, "net.onnx",
     {"predict", "--hw", "kv260"}, ONNX, {100, 1000, 10000, 100000}},
    {"onnx", "nodes of an ONNX file, on an NPU2", make_nodes, "net.onnx",
     {"predict", "--hw", "npu2"}, ONNX, {100, 1000, 10000, 100000}},
    {"onnx", "MB of weights, one product in ONNX", make_onnx_weights, "net.onnx",
     {"predict", "--hw", "kv260"}, ONNX, {1, 10, 100}},
    {"profiles", "samples of 100 layers, CSV, `import`", make_samples, "profile",
     {"import", "--map", "name=layer,time=#2:ms"}, CSV, {10000, 100000, 1000000}},
    {"profiles", "layers of a measured document, `reconcile`", make_rows, "profile",
     {"reconcile"}, NO_OTHER, {10000, 100000, 1000000}},
    {"trace", "MB of a trace of a GPU, `import`", make_trace_of_gpu, "trace", {"import"}, JQ, {5, 50, 500}},
    {"trace", "MB of a trace of a CPU, `import`", make_trace_of_cpu, "trace", {"import"}, JQ, {5, 50, 500}},
    {"plans", "epochs of a Neural-ART's plan", write_plan, "plan", {"predict"}, NO_OTHER, {500, 5000, 50000}},
    {"code", "MB of an array's control code", make_code, "insts",
     {"predict", "-o", "/dev/null"}, NO_OTHER, {1, 10, 50}},
    {"code", "MB of the same as text", make_code_text, "insts",
     {"predict", "-o", "/dev/null"}, NO_OTHER, {1, 10, 50}},
    // clang-format on
};

enum { N_SUBJECTS = sizeof subjects / sizeof *subjects, CAT = 0, OURS, THEIRS, N_COMMANDS };

/* Of one file. file_bytes is 0 where it could not be made. */
static struct result {
    uint64_t file_bytes;
    series all[N_COMMANDS];
} results[N_SUBJECTS][MOST_SIZES];

static void measure_file(const struct subject *s, unsigned long n, struct result *r)
{
    const struct other *other = &others[s->other];
    char path[PATH_SIZE];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", folder, s->file);
    if (s->make(path, n) && stat(path, &st) == 0) {
        char *const cat[] = {"cat", path, NULL};
        char *ours[10] = {word(roofline), word(s->arguments[0]), path}, *theirs[6] = {NULL};
        for (size_t i = 1; i < 6 && s->arguments[i]; i++)
            ours[2 + i] = word(s->arguments[i]);
        for (size_t i = 0; i < 4 && other->command[i]; i++) {
            theirs[i] = word(other->command[i]);
            theirs[i + 1] = path;
        }
        r->file_bytes = (uint64_t)st.st_size;
        if (s->other && !other->is_here)
            r->all[THEIRS].absent = other->lacks;
        else if (s->other && r->file_bytes > memory_bytes() / other->memory_share)
            r->all[THEIRS].absent = "needs more memory";
        measure((char *const *const[]){cat, ours, theirs}, N_COMMANDS, r->all);
    }
    unlink(path);
}

static double memory_ratio(const series *of, const series *to)
{
    return usable(of) && usable(to) ? (double)of->max_rss_kib / (double)to->max_rss_kib : (double)NAN;
}

static void put_range(const double range[2])
{
    if (isnan(range[0]))
        put("-");
    else
        put("%.1f to %.1f", range[0], range[1]);
}

/* What the table of all files says. */
static void print_ranges(int other)
{
    double times[2] = {NAN, NAN}, memories[2] = {NAN, NAN}; /* fmin, fmax: of NaN the other one */
    int files = 0;
    for (size_t i = 0; i < N_SUBJECTS; i++)
        for (size_t k = 0; k < MOST_SIZES && subjects[i].other == other; k++) {
            const series *ours = &results[i][k].all[OURS], *theirs = &results[i][k].all[THEIRS];
            const double time = ratio(theirs, ours), memory = memory_ratio(theirs, ours);
            times[0] = fmin(times[0], time);
            times[1] = fmax(times[1], time);
            memories[0] = fmin(memories[0], memory);
            memories[1] = fmax(memories[1], memory);
            files += !isnan(time);
        }
    put("%s", others[other].what);
    if (others[other].is_here)
        put("%d", files);
    else
        put("not measured: %s", others[other].lacks);
    put_range(times);
    put_range(memories);
    end_row();
}

static void print_others(void)
{
    char digits[32];
    puts("\n## Beside other programs\n\nHow many times the processor time, and the memory, another program "
         "takes for the "
         "same file, in turns; least and most. They\ntell less: `xir` lists subgraphs, `onnx` finds shapes, "
         "`jq` and a "
         "script of Python add times up.");
    TABLE("other program", "files", "its time : roofline's", "its memory : roofline's");
    for (int i = 1; i < (int)(sizeof others / sizeof *others); i++)
        print_ranges(i);
    TABLE("file", "roofline [ms]", "other program", "[ms]", "time, other : roofline", "roofline [MiB]",
          "other [MiB]", "memory, other : roofline");
    for (size_t i = 0; i < N_SUBJECTS; i++)
        for (size_t k = 0; k < MOST_SIZES; k++) {
            const series *ours = &results[i][k].all[OURS], *theirs = &results[i][k].all[THEIRS];
            if (!subjects[i].other || !results[i][k].file_bytes)
                continue;
            put("%s %s", grouped(subjects[i].sizes[k], digits), subjects[i].what);
            put_times(ours);
            put("%s", others[subjects[i].other].what);
            put_times(theirs);
            put_number("%.1f", ratio(theirs, ours));
            put_memory(ours);
            put_memory(theirs);
            put_number("%.1f", memory_ratio(theirs, ours));
            end_row();
        }
}

/* Times are to the power of it between the smallest file and this one. */
static double exponent_of(const struct result *smallest, const struct result *r, double times_larger)
{
    return log(ratio(&r->all[OURS], &smallest->all[OURS])) / log(times_larger);
}

static void print_growth(void)
{
    char digits[32];
    puts("\n## Growth\n\nTime grows as size to the power of the exponent, from the smallest file on: 0 does "
         "not grow, "
         "1 is in proportion. Weights\nare not read; `cat` shows what reading takes.");
    TABLE("file", "[MB]", "roofline [ms]", "to the smallest", "exponent", "each [us]", "`cat` [ms]",
          "roofline [MiB]");
    for (size_t i = 0; i < N_SUBJECTS; i++)
        for (size_t k = 0; k < MOST_SIZES; k++) {
            const struct result *smallest = &results[i][0], *r = &results[i][k];
            const double n = (double)subjects[i].sizes[k], larger = n / (double)subjects[i].sizes[0];
            if (!r->file_bytes)
                continue;
            put("%s %s", grouped(subjects[i].sizes[k], digits), subjects[i].what);
            put("%.2f", (double)r->file_bytes / 1e6);
            put_times(&r->all[OURS]);
            put_number("%.2f", ratio(&r->all[OURS], &smallest->all[OURS]));
            put_number("%.2f", k ? exponent_of(smallest, r, larger) : (double)NAN);
            put_number("%.2f", usable(&r->all[OURS]) ? 1e6 * r->all[OURS].cpu_s / n : (double)NAN);
            put_times(&r->all[CAT]);
            put_memory(&r->all[OURS]);
            end_row();
        }
}

static bool bench_subjects(const char *only)
{
    bool any = false;
    for (size_t i = 1; i < sizeof others / sizeof *others; i++) {
        outcome o;
        char *const probe[] = {word(others[i].probe[0]), word(others[i].probe[1]), word(others[i].probe[2]),
                               NULL};
        others[i].is_here = run(probe, &o) && o.exit_code == others[i].probed;
    }
    for (size_t i = 0; i < N_SUBJECTS; i++)
        for (size_t k = 0; k < MOST_SIZES && (!*only || strcmp(only, subjects[i].name) == 0); k++)
            if (subjects[i].sizes[k]) {
                measure_file(&subjects[i], subjects[i].sizes[k], &results[i][k]);
                any = true;
            }
    if (any) {
        print_others();
        print_growth();
    }
    return any;
}

/* ---- Starts ---- */

static void bench_starts(void)
{
    enum { EMPTY, N = 6, MOST_WORDS = 6 };
    static series all[N];
    char path[PATH_SIZE];
    char *program = word(roofline);
    const struct {
        const char *label;
        int other; /* that it needs */
        char *const command[MOST_WORDS];
    } rows[N] = {
        {"an empty process", NO_OTHER, {"true"}},
        {"`roofline --version`", NO_OTHER, {program, "--version"}},
        {"`roofline predict`, an `.xmodel` of 50 layers",
         NO_OTHER,
         {program, "predict", path, "--hw", "b4096"}},
        {"`xir subgraph`, the same", XIR, {"xir", "subgraph", path}},
        {"`python3`", CSV, {PYTHON, "-c", "pass"}},
        {"`python3` with onnx", ONNX, {PYTHON, "-c", "import onnx"}},
    };
    char *const *commands[N];
    snprintf(path, sizeof path, "%s/small.xmodel", folder);
    for (size_t i = 0; i < N; i++) {
        commands[i] = rows[i].command;
        all[i].absent = rows[i].other && !others[rows[i].other].is_here ? others[rows[i].other].lacks : NULL;
    }
    if (make_chain(path, 0, 50))
        measure(commands, N, all);
    unlink(path);
    puts("\n## Starts");
    TABLE("process", "[ms]", "more than an empty one [ms]", "[MiB]");
    for (size_t i = 0; i < N; i++) {
        put("%s", rows[i].label);
        put_times(&all[i]);
        put_number("%.2f", usable(&all[i]) && i ? 1e3 * (all[i].cpu_s - all[EMPTY].cpu_s) : (double)NAN);
        put_memory(&all[i]);
        end_row();
    }
}

/* ---- The whole ---- */

static int usage(void)
{
    fprintf(stderr, "usage: roof_bench --roofline FILE --make-xmodels FILE --make-onnx FILE "
                    "[--make-history FILE] [--shared FOLDER] [--runs N] [--only WHAT]\n");
    return 64;
}

static const struct {
    const char *name;
    void (*bench)(void);
} parts[] = {
    {"starts", bench_starts},   {"sweep", bench_sweeps},        {"history", bench_histories},
    {"real", bench_real_files}, {"schedule", bench_schedules},  {"load", bench_load},
    {"curves", bench_curves},   {"reports", bench_reports},     {"calibration", bench_calibration},
    {"runner", bench_runner},   {"processor", bench_processor}, {"memory", bench_memory},
    {"advice", bench_advice},
};

int main(int argc, char **argv)
{
    const char *only = "";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--roofline") == 0)
            roofline = argv[i + 1];
        else if (strcmp(argv[i], "--make-xmodels") == 0)
            make_xmodels = argv[i + 1];
        else if (strcmp(argv[i], "--make-onnx") == 0)
            make_onnx = argv[i + 1];
        else if (strcmp(argv[i], "--make-history") == 0)
            make_history = argv[i + 1];
        else if (strcmp(argv[i], "--shared") == 0)
            shared = argv[i + 1];
        else if (strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
        else if (strcmp(argv[i], "--runs") == 0)
            runs = atoi(argv[i + 1]); /* NOLINT(cert-err34-c): checked below */
        else
            return usage();
    }
    if (argc % 2 == 0 || !roofline || !make_xmodels || !make_onnx || runs < 1 || runs > MAX_RUNS)
        return usage();

    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    if (!mkdtemp(folder)) {
        perror(folder);
        return 74;
    }

    static series empty;
    double load = NAN;
    measure_empty(&empty);
    getloadavg(&load, 1);
    printf("Cells of time are wall time, minimum / median of %d runs, fewer where a command takes long. "
           "Ratios, exponents "
           "and times of one\nof many are of processor time, the least of the runs without the %.2f ms of an "
           "empty "
           "process, since load makes long runs longer\nand leaves short ones alone. Load before the first "
           "run: %.1f, "
           "on %ld processors.\n",
           runs, 1e3 * empty_s, load, sysconf(_SC_NPROCESSORS_ONLN));
    bool any = bench_subjects(only);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!*only || strcmp(only, parts[i].name) == 0) {
            parts[i].bench();
            any = true;
        }
    if (!any)
        fprintf(stderr, "roof_bench: there is no part '%s'\n", only);
    return rmdir(folder) == 0 && any ? 0 : 74;
}
