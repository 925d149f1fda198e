/* bench.c - whole-process time and peak memory of `roofline predict` beside Debian's own reader of .xmodel
 * files (`xir subgraph`, package libxir-utils) and beside a bare `cat`, in one run, interleaved; then on
 * networks that nobody compiled beside the Python package onnx (Debian: python3-onnx); on plans of a
 * Neural-ART, of what the schedule of code adds, of `reconcile` and `import` on profiles of up to
 * a million rows, of `import` on traces of up to 500 MB beside `jq`, on reports, on calibrations, and what
 * timing a layer costs the runner of this machine's processor. Prints; asserts nothing.
 *
 * usage: roof_bench --roofline FILE --make-xmodels FILE --make-onnx FILE [--shared FOLDER] [--runs N]
 *                   [--only WHAT]
 *   WHAT: real, weights, layers, onnx, schedule, plans, profiles, trace, reports, calibration, code, runner
 *
 * Units: milliseconds of wall time from before the start of a process to after its end; MiB of peak resident
 * memory. Each cell is minimum / median over the runs. Ratios are of minima: the minimum is what the program
 * costs, the rest is what else the machine did. Of ratios of two programs the start of an empty process is
 * taken off both.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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
    MAX_RUNS = 1000,
    MAX_REAL_FILES = 5,
    PATH_SIZE = 4096,
    TIMEOUT_S = 20,   /* for one process; after that it is killed and the cell says so */
    MAX_TOTAL_S = 10, /* a command that took this long in sum is not run again on that file */
    XIR_MEMORY_SHARE =
        4, /* xir copies the weights: it is left out for files above this share of the memory */
};

static const char *roofline, *make_xmodels, *make_onnx, *shared;
static int runs = 15;
static char folder[] = "/tmp/roofline-bench-XXXXXX";

/* ---- One process ---- */

typedef struct outcome {
    double wall_s;
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
static void wait_or_kill(pid_t pid)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct timespec limit = {.tv_sec = TIMEOUT_S};
    if (sigtimedwait(&child, NULL, &limit) < 0 && errno == EAGAIN) {
        kill(pid, SIGKILL);
        sigwaitinfo(&child, NULL); /* not left pending for the next process */
    }
}

/* Starts argv with all three standard streams on /dev/null and waits. False when it could not be started.
 * The kernel counts this process's own pages, shared until exec, into the child's peak: so this one stays
 * small. */
static bool run(char *const argv[], outcome *out)
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
        wait_or_kill(pid);
        while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
            ;
        out->wall_s = now_s() - start;
        out->max_rss_kib = usage.ru_maxrss;
        out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return started;
}

/* ---- Some processes, over and over ---- */

typedef struct series {
    const char *name;
    double times_s[MAX_RUNS];
    int n;
    double total_s, min_s, median_s;
    long max_rss_kib;
    int exit_code;
    bool absent;
} series;

enum { CAT, ROOFLINE, XIR, N_COMMANDS };

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
        s->absent = true;
        return;
    }
    s->exit_code = o.exit_code;
    s->total_s += o.wall_s;
    s->times_s[s->n++] = o.wall_s;
    if (o.max_rss_kib > s->max_rss_kib)
        s->max_rss_kib = o.max_rss_kib;
}

/* Runs cat, roofline and xir on one file in turns, so that what else the machine does meets all of them
 * alike. */
static void measure(const char *path, uint64_t file_bytes, series all[N_COMMANDS])
{
    char *file = (char *)(uintptr_t)path;
    char *const commands[N_COMMANDS][8] = {
        {"cat", file, NULL},
        {(char *)(uintptr_t)roofline, "predict", file, "--hw", "b4096", "--format", "json", NULL},
        {"xir", "subgraph", file, NULL},
    };
    memset(all, 0, sizeof(series) * N_COMMANDS);
    all[XIR].absent = file_bytes > memory_bytes() / XIR_MEMORY_SHARE;
    for (int i = 0; i < runs; i++) {
        for (int c = 0; c < N_COMMANDS; c++)
            run_once(commands[c], &all[c]);
    }
    for (int c = 0; c < N_COMMANDS; c++)
        finish(&all[c]);
}

/* The same for two commands. */
static void measure_in_turns(char *const first[], char *const second[], series all[2])
{
    memset(all, 0, sizeof(series) * 2);
    for (int i = 0; i < runs; i++)
        for (int c = 0; c < 2; c++)
            run_once(c ? second : first, &all[c]);
    finish(&all[0]);
    finish(&all[1]);
}

/* ---- Tables ---- */

static const char *cell(const series *s, char *buffer, size_t size)
{
    if (s->absent || !s->n)
        snprintf(buffer, size, "-");
    else if (s->exit_code == 128 + SIGKILL)
        snprintf(buffer, size, "> %d s", TIMEOUT_S);
    else if (s->exit_code)
        snprintf(buffer, size, "exit %d", s->exit_code);
    else
        snprintf(buffer, size, "%.2f / %.2f", 1e3 * s->min_s, 1e3 * s->median_s);
    return buffer;
}

static bool usable(const series *s)
{
    return !s->absent && s->n && !s->exit_code;
}

/* What a process takes that does nothing: the start is the system's, and is in all times. */
static double empty_s;

static void measure_empty(void)
{
    char *const nothing[] = {"true", NULL};
    static series s;
    for (int i = 0; i < runs; i++)
        run_once(nothing, &s);
    finish(&s);
    empty_s = usable(&s) ? s.min_s : 0;
}

/* Without the start of a process. */
static const char *ratio(const series *of, const series *to, char *buffer, size_t size)
{
    if (usable(of) && usable(to) && to->min_s > empty_s)
        snprintf(buffer, size, "%.1f", (of->min_s - empty_s) / (to->min_s - empty_s));
    else
        snprintf(buffer, size, "-");
    return buffer;
}

static const char *memory(const series *s, char *buffer, size_t size)
{
    if (usable(s))
        snprintf(buffer, size, "%.1f", (double)s->max_rss_kib / 1024);
    else
        snprintf(buffer, size, "-");
    return buffer;
}

static void print_head(const char *title, const char *extra)
{
    printf("\n%s\n", title);
    printf("%-38s %9s %15s %15s %19s %8s %9s %8s %s\n", "", "file", "cat", "roofline", "xir",
           "xir :", "roofline", "xir", extra);
    printf("%-38s %9s %15s %15s %19s %8s %9s %8s\n", "", "[MB]", "[ms]", "[ms]", "[ms]", "roofline", "[MiB]",
           "[MiB]");
}

static void print_row(const char *label, uint64_t file_bytes, const series all[N_COMMANDS], const char *extra)
{
    char cat[32], ours[32], theirs[32], times[32], our_memory[32], their_memory[32];
    printf("%-38.38s %9.2f %15s %15s %19s %8s %9s %8s %s\n", label, (double)file_bytes / 1e6,
           cell(&all[CAT], cat, sizeof cat), cell(&all[ROOFLINE], ours, sizeof ours),
           cell(&all[XIR], theirs, sizeof theirs), ratio(&all[XIR], &all[ROOFLINE], times, sizeof times),
           memory(&all[ROOFLINE], our_memory, sizeof our_memory),
           memory(&all[XIR], their_memory, sizeof their_memory), extra);
    fflush(stdout);
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
        printf("\nreal files: skipped, there is no ../shared/data/xmodel\n");
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

    print_head("Real files: the largest, and MobileNets", "");
    static series all[N_COMMANDS];
    for (size_t i = 0; i < n; i++) {
        if (i >= MAX_REAL_FILES && !strcasestr(files[i].name, "mobilenet"))
            continue;
        snprintf(path, sizeof path, "%s/data/xmodel/%s", shared, files[i].name);
        measure(path, files[i].bytes, all);
        print_row(short_name(files[i].name, 39), files[i].bytes, all, "");
    }
}

/* ---- Generated files ---- */

static bool enough_room(uint64_t bytes)
{
    struct statvfs fs;
    return statvfs(folder, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize > bytes + bytes / 4;
}

/* One chain of layers with so many bytes of weights; false with a line that says why there is none. */
static bool generate(const char *path, uint64_t weight_bytes, uint64_t layers)
{
    char weights_text[32], layers_text[32];
    snprintf(weights_text, sizeof weights_text, "%llu", (unsigned long long)weight_bytes);
    snprintf(layers_text, sizeof layers_text, "%llu", (unsigned long long)layers);
    char *const argv[] = {(char *)(uintptr_t)make_xmodels,
                          "chain",
                          (char *)(uintptr_t)path,
                          "--weights",
                          weights_text,
                          "--layers",
                          layers_text,
                          NULL};
    outcome o;
    if (!enough_room(weight_bytes)) {
        printf("skipped: %.0f MB do not fit into %s\n", (double)weight_bytes / 1e6, folder);
        return false;
    }
    if (!run(argv, &o) || o.exit_code) {
        printf("skipped: make_xmodels --weights %s --layers %s failed\n", weights_text, layers_text);
        return false;
    }
    return true;
}

static bool measure_generated(uint64_t weight_bytes, uint64_t layers, series all[N_COMMANDS],
                              uint64_t *file_bytes)
{
    char path[PATH_SIZE];
    struct stat st;
    snprintf(path, sizeof path, "%s/generated.xmodel", folder);
    bool ok = generate(path, weight_bytes, layers) && stat(path, &st) == 0;
    if (ok) {
        *file_bytes = (uint64_t)st.st_size;
        measure(path, *file_bytes, all);
    }
    unlink(path);
    return ok;
}

static void bench_weights(void)
{
    static const uint64_t sizes[] = {0, 1000000, 10000000, 100000000, 1000000000};
    static series all[N_COMMANDS];
    double none_s = 0;
    print_head("Weights: the same 100 layers", "to none");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t file_bytes;
        char label[48], extra[32] = "";
        if (!measure_generated(sizes[i], 100, all, &file_bytes))
            continue;
        if (i == 0)
            none_s = all[ROOFLINE].min_s;
        if (none_s > 0 && usable(&all[ROOFLINE]))
            snprintf(extra, sizeof extra, "%6.2f", all[ROOFLINE].min_s / none_s);
        snprintf(label, sizeof label, "%llu MB of weights", (unsigned long long)(sizes[i] / 1000000));
        print_row(label, file_bytes, all, extra);
    }
}

static void bench_layers(void)
{
    static const uint64_t counts[] = {100, 1000, 10000, 100000};
    static series all[N_COMMANDS];
    print_head("Layers: no weights", "us/layer");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t file_bytes;
        char label[48], extra[32] = "";
        if (!measure_generated(0, counts[i], all, &file_bytes))
            continue;
        if (usable(&all[ROOFLINE]))
            snprintf(extra, sizeof extra, "%7.2f", 1e6 * all[ROOFLINE].min_s / (double)counts[i]);
        snprintf(label, sizeof label, "%llu layers", (unsigned long long)counts[i]);
        print_row(label, file_bytes, all, extra);
    }
}

/* ---- Networks that nobody compiled ---- */

/* Beside what people check a file with: loading it, and inferring its shapes. */
static void bench_onnx_file(const char *label, const char *kind, const char *size, const char *hardware)
{
    enum { OURS, THEIRS, N };
    static const char script[] = "import onnx, sys\n"
                                 "onnx.shape_inference.infer_shapes(onnx.load(sys.argv[1]))\n";
    static series all[N];
    char path[PATH_SIZE], ours[32], theirs[32], times[32], our_memory[32], their_memory[32];
    struct stat st;
    outcome o;
    snprintf(path, sizeof path, "%s/network.onnx", folder);
    char *const make[] = {(char *)(uintptr_t)make_onnx, (char *)(uintptr_t)kind, (char *)(uintptr_t)size,
                          path, NULL};
    char *const predict[] = {(char *)(uintptr_t)roofline, "predict", path, "--hw",
                             (char *)(uintptr_t)hardware, NULL};
    char *const check[] = {"/usr/bin/python3", "-c", (char *)(uintptr_t)script, path, NULL};
    if (enough_room(200000000) && run(make, &o) && !o.exit_code && stat(path, &st) == 0) {
        measure_in_turns(predict, check, all);
        printf("%-38.38s %9.2f %19s %19s %8s %9s %8s\n", label, (double)st.st_size / 1e6,
               cell(&all[OURS], ours, sizeof ours), cell(&all[THEIRS], theirs, sizeof theirs),
               ratio(&all[THEIRS], &all[OURS], times, sizeof times),
               memory(&all[OURS], our_memory, sizeof our_memory),
               memory(&all[THEIRS], their_memory, sizeof their_memory));
    } else {
        printf("skipped: make_onnx %s %s failed, or there is no room in %s\n", kind, size, folder);
    }
    fflush(stdout);
    unlink(path);
}

static void bench_onnx(void)
{
    static const struct {
        const char *label, *kind, *size;
    } files[] = {{"100 MB of weights, one product", "weights", "100"},
                 {"1 000 nodes", "chain", "1000"},
                 {"10 000 nodes", "chain", "10000"},
                 {"100 000 nodes", "chain", "100000"}};
    static const char *const boards[] = {"kv260", "npu2"};
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
        printf("\nONNX, predicted on %s\n%-38s %9s %19s %19s %8s %9s %8s\n%-38s %9s %19s %19s %8s %9s %8s\n",
               boards[b], "", "file", "roofline", "python3 onnx", "onnx :", "roofline", "onnx", "", "[MB]",
               "[ms]", "[ms]", "roofline", "[MiB]", "[MiB]");
        for (size_t i = 0; i < sizeof files / sizeof *files; i++)
            bench_onnx_file(files[i].label, files[i].kind, files[i].size, boards[b]);
    }
}

/* ---- Schedules ---- */

/* The layers of a chain have as many, see make_xmodels. */
enum { INSTRUCTIONS_PER_LAYER = 27 };

/* A model, and beside it the same one with code that cannot run, so that nothing is replayed. instructions 0:
 * not known. */
static void bench_schedule(const char *label, const char *model, unsigned long instructions)
{
    static series all[2];
    char untied[PATH_SIZE], text[2][32], used[2][32], times[24] = "-", each[24] = "-";
    char *program = (char *)(uintptr_t)roofline, *tied = (char *)(uintptr_t)model;
    outcome o;
    snprintf(untied, sizeof untied, "%s/untied.xmodel", folder);
    char *const untie[] = {(char *)(uintptr_t)make_xmodels, "--untie", tied, untied, NULL};
    char *const commands[2][8] = {{program, "predict", untied, "--hw", "kv260", "--format", "json", NULL},
                                  {program, "predict", tied, "--hw", "kv260", "--format", "json", NULL}};
    if (run(untie, &o) && o.exit_code == 0) {
        measure_in_turns(commands[0], commands[1], all);
        if (usable(&all[0]) && usable(&all[1]))
            snprintf(times, sizeof times, "%.2f", all[1].min_s / all[0].min_s);
        if (instructions && usable(&all[0]) && usable(&all[1]))
            snprintf(each, sizeof each, "%.0f", 1e9 * (all[1].min_s - all[0].min_s) / (double)instructions);
        printf("%-38s %19s %9s %19s %9s %9s %14s\n", label, cell(&all[0], text[0], sizeof text[0]),
               memory(&all[0], used[0], sizeof used[0]), cell(&all[1], text[1], sizeof text[1]),
               memory(&all[1], used[1], sizeof used[1]), times, each);
        fflush(stdout);
    }
    unlink(untied);
}

static void bench_generated_schedule(const char *network, unsigned long instructions)
{
    char path[PATH_SIZE], label[48], layers[24];
    outcome o;
    snprintf(path, sizeof path, "%s/tied.xmodel", folder);
    snprintf(layers, sizeof layers, "%lu", instructions / INSTRUCTIONS_PER_LAYER + 1);
    snprintf(label, sizeof label, "%s, generated", network);
    if (instructions)
        snprintf(label, sizeof label, "%lu instructions", instructions);
    char *const make[] = {
        (char *)(uintptr_t)make_xmodels, (char *)(uintptr_t)network, path, "--layers", layers, NULL};
    if (run(make, &o) && o.exit_code == 0)
        bench_schedule(label, path, instructions);
    unlink(path);
}

static void bench_schedules(void)
{
    static const char *const real[] = {"Vitis-AI-Reference-Tutorials__MobileNetV2",
                                       "smartcam__refinedet_pruned_0_96"};
    printf(
        "\nThe schedule of code, at best and as expected\n%-38s %19s %9s %19s %9s %9s %14s\n%-38s %19s %9s "
        "%19s %9s %9s %14s\n",
        "", "without", "", "with", "", "with :", "an instruction", "", "[ms]", "[MiB]", "[ms]", "[MiB]",
        "without", "[ns]");
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
    printf(
        "\nFrames per second of 16 numbers of threads, beside a prediction alone\n%-38s %19s %19s %9s\n%-38s "
        "%19s %19s %9s\n",
        "", "alone", "with", "more", "", "[ms]", "[ms]", "[ms]");
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        char path[PATH_SIZE], text[2][32];
        outcome o;
        snprintf(path, sizeof path, "%s/load.xmodel", folder);
        char *program = (char *)(uintptr_t)roofline;
        char *const make[] = {
            (char *)(uintptr_t)make_xmodels, (char *)(uintptr_t)networks[i], path, "--layers", "1000", NULL};
        char *const commands[2][10] = {
            {program, "predict", path, "--hw", "zcu102", NULL},
            {program, "predict", path, "--hw", "zcu102", "--threads", "1..16", "--host", "classify", NULL}};
        if (run(make, &o) && o.exit_code == 0) {
            measure_in_turns(commands[0], commands[1], all);
            printf("%-38s %19s %19s", networks[i], cell(&all[0], text[0], sizeof text[0]),
                   cell(&all[1], text[1], sizeof text[1]));
            if (usable(&all[0]) && usable(&all[1]))
                printf(" %9.3f", 1e3 * (all[1].min_s - all[0].min_s));
            printf("\n");
            fflush(stdout);
        }
        unlink(path);
    }
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

/* A row of time and memory of the program beside `cat` on one file; rows: what the time is divided by, 0:
 * nothing. */
static void print_pair(const char *label, const char *path, char *const ours[], unsigned long rows)
{
    static series all[2];
    char cat_text[32], our_text[32], our_memory[32], per_row[32] = "-";
    struct stat st;
    char *const cat[] = {"cat", (char *)(uintptr_t)path, NULL};
    if (stat(path, &st) != 0)
        return;
    measure_in_turns(cat, ours, all);
    if (rows && usable(&all[1]))
        snprintf(per_row, sizeof per_row, "%.2f", 1e6 * all[1].min_s / (double)rows);
    printf("%-38.38s %9.2f %15s %19s %9s %9s\n", label, (double)st.st_size / 1e6,
           cell(&all[0], cat_text, sizeof cat_text), cell(&all[1], our_text, sizeof our_text), per_row,
           memory(&all[1], our_memory, sizeof our_memory));
    fflush(stdout);
}

static void print_pair_head(const char *title)
{
    printf("\n%s\n%-38s %9s %15s %19s %9s %9s\n%-38s %9s %15s %19s %9s %9s\n", title, "", "file", "cat",
           "roofline", "a row", "roofline", "", "[MB]", "[ms]", "[ms]", "[us]", "[MiB]");
}

static void bench_profile(bool csv, unsigned long rows)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/profile", folder);
    char *program = (char *)(uintptr_t)roofline;
    char *const ours[6] = {program,
                           csv ? "import" : "reconcile",
                           path,
                           csv ? "--map" : NULL,
                           csv ? "name=layer,time=#2:ms" : NULL,
                           NULL};
    if (write_profile(path, csv, rows))
        print_pair(csv ? "import, samples of 100 layers" : "reconcile, layers", path, ours, rows);
    unlink(path);
}

static void bench_profiles(void)
{
    print_pair_head("Profiles of 10^4, 10^5 and 10^6 rows");
    for (int csv = 0; csv < 2; csv++)
        for (unsigned long rows = 10000; rows <= 1000000; rows *= 10)
            bench_profile(csv, rows);
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

/* jq makes a tree of it. */
static void bench_trace(bool on_gpu, unsigned long megabytes)
{
    enum { READ, IMPORT, TREE, N, JQ_MEMORY_SHARE = 30 };
    static series all[N];
    char path[PATH_SIZE], label[48], text[N][32], used[2][32], times[2][24], speed[24] = "-";
    struct stat st = {.st_size = 0};
    snprintf(path, sizeof path, "%s/trace", folder);
    snprintf(label, sizeof label, "%lu MB, %s", megabytes,
             on_gpu ? "kernels of a GPU" : "operators of a CPU");
    char *const commands[N][6] = {{"cat", path, NULL},
                                  {(char *)(uintptr_t)roofline, "import", path, NULL},
                                  {"jq", "[.traceEvents[]|select(.cat==\"kernel\")|.dur]|add", path, NULL}};
    memset(all, 0, sizeof all);
    if (!write_trace(path, on_gpu, megabytes) || stat(path, &st) != 0)
        printf("%s: skipped, it does not fit into %s\n", label, folder);
    all[TREE].absent = (uint64_t)st.st_size > memory_bytes() / JQ_MEMORY_SHARE;
    for (int i = 0; st.st_size && i < runs; i++)
        for (int c = 0; c < N; c++)
            run_once(commands[c], &all[c]);
    unlink(path);
    for (int c = 0; c < N; c++)
        finish(&all[c]);
    if (usable(&all[IMPORT]))
        snprintf(speed, sizeof speed, "%.0f", 1e-6 * (double)st.st_size / all[IMPORT].min_s);
    printf("%-38s %15s %19s %9s %9s %9s %15s %9s %9s\n", label,
           cell(&all[READ], text[READ], sizeof text[READ]),
           cell(&all[IMPORT], text[IMPORT], sizeof text[IMPORT]), speed,
           memory(&all[IMPORT], used[0], sizeof used[0]),
           ratio(&all[IMPORT], &all[READ], times[0], sizeof times[0]),
           cell(&all[TREE], text[TREE], sizeof text[TREE]), memory(&all[TREE], used[1], sizeof used[1]),
           ratio(&all[TREE], &all[IMPORT], times[1], sizeof times[1]));
    fflush(stdout);
}

static void bench_traces(void)
{
    outcome o;
    char *const jq[] = {"jq", "--version", NULL};
    printf("\nTraces of events, beside a plain read and a tree of them\n"
           "%-38s %15s %19s %9s %9s %9s %15s %9s %9s\n%-38s %15s %19s %9s %9s %9s %15s %9s %9s\n",
           "", "cat", "roofline", "", "", ": cat", "jq", "", ": roofline", "", "[ms]", "[ms]", "[MB/s]",
           "[MiB]", "", "[ms]", "[MiB]", "");
    if (!run(jq, &o) || o.exit_code == 127)
        printf("jq is not installed (package jq), so its columns are empty.\n");
    bench_trace(true, 50);
    bench_trace(true, 500);
    bench_trace(false, 500);
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

static void bench_code(void)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/insts", folder);
    char *const ours[] = {(char *)(uintptr_t)roofline, "predict", path, "-o", "/dev/null", NULL};
    print_pair_head("Control code of 1, 10 and 50 MB; a row is 1,000 words");
    for (int is_text = 0; is_text < 2; is_text++)
        for (unsigned long megabytes = 1; megabytes <= 50;
             megabytes = megabytes == 10 ? 50 : 10 * megabytes) {
            if (write_code(path, is_text, megabytes * 1000000))
                print_pair(is_text ? "predict, text" : "predict, binary", path, ours,
                           megabytes * 1000 / (is_text ? 9 : 4));
            unlink(path);
        }
}

/* ---- Reports ---- */

/* A network of so many layers in the folder. */
static bool make_network(unsigned long layers, char path[PATH_SIZE])
{
    char count[24];
    outcome o;
    snprintf(count, sizeof count, "%lu", layers);
    snprintf(path, PATH_SIZE, "%s/net%lu.xmodel", folder, layers);
    char *const make[] = {(char *)(uintptr_t)make_xmodels, "chain", path, "--layers", count, NULL};
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
    char model[PATH_SIZE], study[PATH_SIZE], review[PATH_SIZE], label[40], text[2][32], used[2][32];
    char *program = (char *)(uintptr_t)roofline;
    snprintf(study, sizeof study, "%s/measured.json", folder);
    snprintf(review, sizeof review, "%s/review", folder);
    char *const commands[2][6] = {{program, "reconcile", study, NULL},
                                  {program, "report", study, "-o", review, NULL}};
    if (make_network(layers, model) && write_study(study, &layers, 1, 1)) {
        measure_in_turns(commands[0], commands[1], all);
        snprintf(label, sizeof label, "%lu layers, measured", layers);
        printf("%-38s %19s %9s %19s %9s\n", label, cell(&all[0], text[0], sizeof text[0]),
               memory(&all[0], used[0], sizeof used[0]), cell(&all[1], text[1], sizeof text[1]),
               memory(&all[1], used[1], sizeof used[1]));
        fflush(stdout);
    }
    empty_folder(review);
    unlink(model);
    unlink(study);
}

static void bench_reports(void)
{
    printf("\nReports, with all charts drawn by gnuplot\n%-38s %19s %9s %19s %9s\n%-38s %19s %9s %19s %9s\n",
           "", "reconcile", "", "report", "", "", "[ms]", "[MiB]", "[ms]", "[MiB]");
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
    char fitted[PATH_SIZE], label[40], text[2][32], times[24] = "-";
    char *program = (char *)(uintptr_t)roofline, *document = (char *)(uintptr_t)study;
    snprintf(fitted, sizeof fitted, "%s/calibration.json", folder);
    char *const commands[2][6] = {{program, "reconcile", document, NULL},
                                  {program, "reconcile", document, "--calibration-out", fitted, NULL}};
    if (!write_study(study, study_layers, STUDY_NETWORKS, copies))
        return;
    measure_in_turns(commands[0], commands[1], all);
    if (copies == 1)
        *one_s = all[1].min_s;
    if (usable(&all[1]) && *one_s > 0)
        snprintf(times, sizeof times, "%.1f", all[1].min_s / *one_s);
    snprintf(label, sizeof label, "%lu of three models, %lu rows", copies, copies * (15 + 36 + 55));
    printf("%-38s %19s %19s %9s\n", label, cell(&all[0], text[0], sizeof text[0]),
           cell(&all[1], text[1], sizeof text[1]), times);
    fflush(stdout);
    unlink(fitted);
    unlink(study);
}

static void bench_calibration(void)
{
    static const unsigned long copies[] = {1, 3, 10, 40};
    char models[STUDY_NETWORKS][PATH_SIZE], study[PATH_SIZE];
    bool made = true;
    double one_s = 0;
    printf("\nCalibration, copies of one study with other times\n%-38s %19s %19s %9s\n%-38s %19s %19s %9s\n",
           "", "reconcile", "--calibration-out", "to one", "", "[ms]", "[ms]", "");
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

/* A c_info.json of as many epochs, of schema 2.0 as compilers from 3.0 on write it. */
static bool write_plan(const char *path, unsigned long epochs)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("{", file);
    write_list(file, "buffers", epochs, write_buffer);
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

static void bench_real_plans(void)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/data/neural_art/c_info", shared ? shared : "");
    DIR *dir = shared && *shared ? opendir(path) : NULL;
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct stat st;
        if (!strstr(entry->d_name, "c_info.json") || fstatat(dirfd(dir), entry->d_name, &st, 0) != 0 ||
            st.st_size < 1000000)
            continue;
        snprintf(path, sizeof path, "%s/data/neural_art/c_info/%s", shared, entry->d_name);
        char *const ours[] = {(char *)(uintptr_t)roofline, "predict", path, NULL};
        print_pair(entry->d_name, path, ours, 0);
    }
    closedir(dir);
}

static void bench_plans(void)
{
    print_pair_head("Plans of a Neural-ART: the large ones in ../shared, and generated ones");
    bench_real_plans();
    for (unsigned long epochs = 500; epochs <= 50000; epochs *= 10) {
        char path[PATH_SIZE], label[48];
        snprintf(path, sizeof path, "%s/plan", folder);
        snprintf(label, sizeof label, "%lu epochs", epochs);
        char *const ours[] = {(char *)(uintptr_t)roofline, "predict", path, NULL};
        if (write_plan(path, epochs))
            print_pair(label, path, ours, epochs);
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
    char *const probe[] = {(char *)(uintptr_t)roofline, "hw", "probe", "--most", "2s", "-o", path, NULL};
    printf("\nroofline-run-cpu: what timing every layer costs\n");
    bool good = run(probe, &o) && o.exit_code == 0;
    FILE *file = good ? fopen(path, "re") : NULL;
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file)
        (void)fclose(file);
    unlink(path);
    if (find_value(text, "boundary.floor", &boundary_s) && find_value(text, "launch.floor", &launch_s))
        printf("  a wait and a clock read: %.3f us a layer; an empty primitive beside it: %.3f us\n",
               boundary_s * 1e6, launch_s * 1e6);
    else
        printf("  not known: `roofline hw probe` exits with %d (libdnnl-dev gives the runner)\n",
               o.exit_code);
}

/* ---- The whole ---- */

static int usage(void)
{
    fprintf(
        stderr,
        "usage: roof_bench --roofline FILE --make-xmodels FILE --make-onnx FILE [--shared FOLDER] [--runs N] "
        "[--only real|weights|layers|onnx|schedule|plans|profiles|trace|reports|calibration|code|runner]\n");
    return 64;
}

static const struct {
    const char *name;
    void (*bench)(void);
} parts[] = {
    {"real", bench_real_files},   {"weights", bench_weights},
    {"layers", bench_layers},     {"schedule", bench_schedules},
    {"load", bench_load},         {"plans", bench_plans},
    {"profiles", bench_profiles}, {"trace", bench_traces},
    {"reports", bench_reports},   {"calibration", bench_calibration},
    {"code", bench_code},         {"runner", bench_runner},
    {"onnx", bench_onnx},
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

    outcome o;
    char *const xir[] = {"xir", "help", NULL};
    measure_empty();
    printf("%d runs each, minimum / median; ratios are of minima, without the %.2f ms of an empty process.\n",
           runs, 1e3 * empty_s);
    if (!run(xir, &o) || o.exit_code == 127)
        printf("xir is not installed (package libxir-utils), so its columns are empty.\n");

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!*only || strcmp(only, parts[i].name) == 0)
            parts[i].bench();
    return rmdir(folder) == 0 ? 0 : 74;
}
