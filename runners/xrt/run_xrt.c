/* roofline-run-xrt: one kernel of an xclbin through AMD's XRT.
 *
 * Options: kernel, its name; in_bytes and out_bytes of a kernel with one buffer each; or arguments, all of
 * them in order, such
 *   as in:65536,out:65536,u32:16384; device, its number; insts, the instructions of an NPU.
 */
#include "runners/speak.h"
#include "runners/speak_load.h"
#include "runners/xrt/kernel.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <version.h>
#include <xrt.h>

typedef struct job {
    speaker *speaker;
    kernel_request request;
    const kernel_way *way;
    void **kernels; /* of each thread in mode load, else one */
    uint32_t n_threads;
    const char *code; /* of what a kernel could not be opened for */
    void *xrt;        /* the library that has the device */
} job;

/* --- what is asked -------------------------------------------------------------------------------------- */

static bool read_number(const char *text, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return errno == 0 && end != text && !*end && *text != '-' && *out <= most;
}

static bool read_argument(job *j, const char *word, size_t word_length)
{
    static const struct {
        const char *name;
        uint64_t most;
    } kinds[ARGUMENT_KINDS] = {[ARGUMENT_IN] = {"in:", (uint64_t)1 << 40},
                               [ARGUMENT_OUT] = {"out:", (uint64_t)1 << 40},
                               [ARGUMENT_U32] = {"u32:", UINT32_MAX},
                               [ARGUMENT_U64] = {"u64:", UINT64_MAX}};
    kernel_request *q = &j->request;
    char text[60];
    snprintf(text, sizeof text, "%.*s", (int)(word_length < sizeof text ? word_length : sizeof text - 1),
             word);
    if (q->n_arguments == KERNEL_MOST_ARGUMENTS)
        return speak_error(j->speaker, "usage", "more than %d arguments", KERNEL_MOST_ARGUMENTS);
    for (int kind = 0; kind < ARGUMENT_KINDS; kind++) {
        kernel_argument *a = &q->arguments[q->n_arguments];
        size_t length = strlen(kinds[kind].name);
        bool is_buffer = kind == ARGUMENT_IN || kind == ARGUMENT_OUT;
        if (strncmp(text, kinds[kind].name, length) != 0 ||
            !read_number(text + length, kinds[kind].most, &a->value) || (is_buffer && !a->value))
            continue;
        a->kind = (argument_kind)kind;
        q->n_arguments++;
        return true;
    }
    return speak_error(j->speaker, "usage",
                       "argument %" PRIu32 " of the kernel: '%s', want in:BYTES, out:BYTES, u32:N or u64:N",
                       q->n_arguments, text);
}

static bool read_arguments(job *j)
{
    const char *arguments = speak_option(j->speaker, "arguments", NULL);
    char simple[100];
    if (!arguments) {
        snprintf(simple, sizeof simple, "in:%.30s,out:%.30s", speak_option(j->speaker, "in_bytes", "65536"),
                 speak_option(j->speaker, "out_bytes", "65536"));
        arguments = simple;
    }
    for (size_t length; *arguments; arguments += length + (arguments[length] == ',')) {
        length = strcspn(arguments, ",");
        if (!read_argument(j, arguments, length))
            return false;
    }
    return true;
}

static bool read_options(job *j)
{
    const speak_request *requested = speak_request_of(j->speaker);
    kernel_request *q = &j->request;
    const char *device = speak_option(j->speaker, "device", "0");
    uint64_t number;
    if (!read_number(device, 255, &number))
        return speak_error(j->speaker, "usage", "option device: '%.40s' is no number of a device", device);
    q->device = (unsigned)number;
    q->is_random = speak_option(j->speaker, "seed", NULL) != NULL;
    if (!speak_seed(j->speaker, &q->seed))
        return speak_error(j->speaker, "usage", "option seed: '%.40s' is no whole number",
                           speak_option(j->speaker, "seed", ""));
    if (requested->probe || requested->batch > 1)
        return speak_error(
            j->speaker, "unsupported",
            "a kernel works on what its arguments say, and on nothing else: leave --batch out");
    j->n_threads = requested->load ? requested->threads : 1;
    j->kernels = calloc(j->n_threads, sizeof *j->kernels);
    if (!j->kernels)
        return speak_error(j->speaker, "no_device", "memory ran out");
    q->path = requested->model;
    if (!q->path)
        return true;
    q->name = speak_option(j->speaker, "kernel", NULL);
    q->instructions = speak_option(j->speaker, "insts", NULL);
    j->way = q->instructions ? &npu_kernel : &pl_kernel;
    if (!q->name)
        return speak_error(j->speaker, "usage", "which kernel of the xclbin? --option kernel=NAME");
    if (requested->per_layer)
        return speak_error(j->speaker, "unsupported", "a kernel has no layers that could be timed");
    return read_arguments(j);
}

/* --- the device ----------------------------------------------------------------------------------------- */

/* XRT takes the device of whatever library was loaded first. Otherwise it looks below XILINX_XRT, and ends
 * the process where that is not set. The emulations of Vitis need its simulators, and hang without them. */
static bool load_xrt(job *j)
{
    const char *mode = getenv("XCL_EMULATION_MODE");
    bool is_noop = mode && strcmp(mode, "noop") == 0;
    if (mode && *mode && !is_noop)
        return speak_error(j->speaker, "unsupported",
                           "XCL_EMULATION_MODE is '%.40s', and an emulation has no time to measure; unset it",
                           mode);
    j->xrt = dlopen(is_noop ? "libxrt_noop.so.2" : "libxrt_core.so.2", RTLD_NOW | RTLD_GLOBAL);
    return j->xrt || speak_error(j->speaker, "no_device", "XRT cannot be loaded: %s", dlerror());
}

/* XRT's interface for C has the device's name in its older half alone. */
static void name_device(const job *j, char *out, size_t size)
{
    typedef xclDeviceHandle open_device(unsigned, const char *, enum xclVerbosityLevel);
    typedef int ask_device(xclDeviceHandle, struct xclDeviceInfo2 *);
    typedef void close_device(xclDeviceHandle);
    open_device *open = (open_device *)(uintptr_t)dlsym(j->xrt, "xclOpen");
    ask_device *ask = (ask_device *)(uintptr_t)dlsym(j->xrt, "xclGetDeviceInfo2");
    close_device *close = (close_device *)(uintptr_t)dlsym(j->xrt, "xclClose");
    struct xclDeviceInfo2 info = {0};
    xclDeviceHandle device = open && ask && close ? open(j->request.device, NULL, XCL_QUIET) : NULL;
    if (device && ask(device, &info) == 0 && *info.mName)
        snprintf(out, size, "%.*s", (int)sizeof info.mName, info.mName);
    else
        snprintf(out, size, "XRT device %u", j->request.device);
    if (device)
        close(device);
}

static bool count_devices(job *j)
{
    typedef unsigned probe_devices(void);
    probe_devices *probe = (probe_devices *)(uintptr_t)dlsym(j->xrt, "xclProbe");
    unsigned n = probe ? probe() : 0;
    return j->request.device < n ||
           speak_error(j->speaker, "no_device",
                       "there is no device %u: XRT finds %u on this machine; `xbutil examine` lists them",
                       j->request.device, n);
}

static void say_hello(const job *j, const char *device)
{
    char note[200], version[40];
    const char *name = j->request.name;
    snprintf(version, sizeof version, "XRT %s", xrt_build_version); /* that this was built with */
    if (j->request.is_random)
        snprintf(note, sizeof note, "kernel '%.80s', random inputs of seed %" PRIu64, name ? name : "",
                 j->request.seed);
    else
        snprintf(note, sizeof note, "kernel '%.80s', inputs are 0", name ? name : "");
    speak_hello_to(j->speaker, &(speak_hello){.device = device,
                                              .version = version,
                                              .note = name ? note : NULL,
                                              .launches = name ? 1 : 0});
}

/* --- what it does --------------------------------------------------------------------------------------- */

static const char *const phase_names[KERNEL_PHASES] = {
    [KERNEL_WRITE] = "write_s", [KERNEL_RUN] = "run_s", [KERNEL_READ] = "read_s"};

static bool begin_thread(void *job_, uint32_t thread, char why[SPEAK_LOAD_WHY_SIZE])
{
    job *j = job_;
    j->kernels[thread] = j->way->open(&j->request, &j->code, why);
    return j->kernels[thread];
}

static bool run_thread(void *job_, uint32_t thread, double phases_s[SPEAK_LOAD_PHASES],
                       char why[SPEAK_LOAD_WHY_SIZE])
{
    const job *j = job_;
    return j->way->run(j->kernels[thread], phases_s, why);
}

static void end_thread(void *job_, uint32_t thread)
{
    job *j = job_;
    j->way->close(j->kernels[thread]);
    j->kernels[thread] = NULL;
}

/* Every thread has a handle of the device and a kernel of its own, which XRT starts in whatever order it
 * likes. */
static bool run_load(job *j, const char *device)
{
    _Static_assert((int)KERNEL_PHASES <= (int)SPEAK_LOAD_PHASES &&
                       (int)KERNEL_WHY_SIZE == (int)SPEAK_LOAD_WHY_SIZE,
                   "what a kernel says has its place");
    const speak_work work = {.context = j,
                             .begin = begin_thread,
                             .run = run_thread,
                             .end = end_thread,
                             .phases = phase_names,
                             .n_phases = KERNEL_PHASES,
                             .n_threads = j->n_threads};
    char why[SPEAK_LOAD_WHY_SIZE];
    speak_load *load = speak_load_begin(&work, why);
    if (!load)
        return speak_error(j->speaker, j->code ? j->code : "no_device", "%s", why);
    say_hello(j, device);
    const bool good = speak_load_turns(load, j->speaker, why);
    speak_load_end(load);
    if (!good)
        return speak_error(j->speaker, "no_device", "%s", why);
    speak_done(j->speaker, SPEAK_UNKNOWN);
    return true;
}

static bool run_turns(job *j)
{
    uint32_t iterations;
    while (speak_next_turn(j->speaker, &iterations)) {
        for (uint32_t i = 0; i < iterations; i++) {
            double phases_s[KERNEL_PHASES], begin_s = speak_now_s();
            char why[KERNEL_WHY_SIZE] = "";
            if (!j->way->run(j->kernels[0], phases_s, why))
                return speak_error(j->speaker, "no_device", "%s", why);
            speak_sample_of(j->speaker, &(speak_sample){.total_s = speak_now_s() - begin_s,
                                                        .phases = phase_names,
                                                        .phases_s = phases_s,
                                                        .n_phases = KERNEL_PHASES});
        }
        speak_round(j->speaker, iterations);
    }
    speak_done(j->speaker, SPEAK_UNKNOWN);
    return true;
}

static bool run(job *j)
{
    char device[200], why[KERNEL_WHY_SIZE] = "memory ran out";
    if (!read_options(j) || !load_xrt(j) || !count_devices(j))
        return false;
    name_device(j, device, sizeof device);
    if (!j->request.path) {
        say_hello(j, device);
        return true;
    }
    if (speak_request_of(j->speaker)->load)
        return run_load(j, device);
    if (!begin_thread(j, 0, why))
        return speak_error(j->speaker, j->code ? j->code : "no_device", "%s", why);
    say_hello(j, device);
    return run_turns(j);
}

int main(void)
{
    static const char *const options[] = {"kernel", "arguments", "in_bytes", "out_bytes",
                                          "insts",  "device",    "seed",     NULL};
    /* XRT ends the process by abort() when it lacks something. */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    job j = {.speaker = speak_begin()};
    if (j.speaker && speak_knows(j.speaker, options))
        run(&j);
    for (uint32_t i = 0; j.way && j.kernels && i < j.n_threads; i++)
        j.way->close(j.kernels[i]);
    free(j.kernels);
    return speak_end(j.speaker);
}
