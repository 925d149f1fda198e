/* make_torch_gpu - writes the files of examples/torch-gpu, into a folder that exists: the trace of
 * torch.profiler of a segmentation network on an embedded GPU, and what a power meter of the board wrote
 * meanwhile. Network, board and figures are invented. Exit 0, 1 (cannot write) or 2 (usage). */
#include "tests/support/example_files.h"

#include <inttypes.h>

enum {
    STEPS = 20,
    GAP_NS = 4000,          /* between two kernels */
    LAUNCH_NS = 9000,       /* of the host */
    COPY_NS = 310000,       /* of the picture, to the device */
    HOST_NS = 1100000,      /* between two steps */
    FIRST_EXTRA_NS = 61000, /* of each kernel in the first step, which is loaded then */
    IDLE_MS = 500,
    SAMPLE_MS = 10
};

/* Microseconds since 1970, as Kineto has them: beyond the digits of a double. */
#define BEGIN_US 1790000000000000u

static const struct {
    const char *name;
    unsigned ns, noise_ns;
} kernels[] = {
    {"nchw_to_nhwc_f16", 1150000, 9000},
    {"conv_fprop_f16_64x64_stem", 1480000, 15000},
    {"conv_fprop_f16_128x64", 620000, 7000},
    {"conv_fprop_f16_128x128", 710000, 8000},
    {"depthwise_conv2d_3x3_f16", 1240000, 90000},
    {"batch_norm_relu_f16", 240000, 4000},
    {"add_relu_f16", 265000, 4000},
    {"max_pool2d_nhwc_f16", 390000, 5000},
    {"upsample_bilinear2d_nhwc_f16", 860000, 9000},
    {"gemm_f16_64x64_splitk", 180000, 30000},
    {"softmax_warp_forward_f32", 520000, 6000},
    {"nhwc_to_nchw_f32", 1630000, 12000},
};

/* A step, as indices of kernels: stem, eight blocks, head. */
static const char step_kernels[] = "ABFH" /* to NHWC, stem, norm, pool */
                                   "CFEFCG"
                                   "CFEFCG"
                                   "CFEFCG"
                                   "DFEDG"
                                   "DFEDG"
                                   "JIDFI"
                                   "KL";

enum { LAUNCHES = sizeof step_kernels - 1 };

typedef struct clock {
    uint64_t seed, ns; /* ns: since the trace began */
} clock;

static clock start(void)
{
    return (clock){.seed = 16};
}

static uint64_t kernel_ns(clock *now, unsigned step, unsigned i)
{
    unsigned k = (unsigned)(step_kernels[i] - 'A');
    return kernels[k].ns + example_noise(&now->seed, kernels[k].noise_ns) +
           (step == 0 ? FIRST_EXTRA_NS + kernels[k].ns : 0);
}

static void put_event(textbuf *out, const char *cat, const char *name, unsigned tid, uint64_t ns,
                      uint64_t length_ns, unsigned correlation)
{
    text_printf(out,
                ",\n{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64
                ".%03u,\"dur\":%" PRIu64 ".%03u",
                cat, name, tid == 7 ? 0 : 4100, tid, BEGIN_US + ns / 1000, (unsigned)(ns % 1000),
                length_ns / 1000, (unsigned)(length_ns % 1000));
    text_printf(out, correlation ? ",\"args\":{\"correlation\":%u}}" : "}", correlation);
}

/* The host launches all kernels of a step at once and waits for the last one. */
static void put_step(textbuf *out, clock *now, unsigned step)
{
    uint64_t begin_ns = now->ns, host_ns = begin_ns + 20000;
    char name[32];
    now->ns += 60000;
    put_event(out, "gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 7, now->ns, COPY_NS, 0);
    now->ns += COPY_NS + GAP_NS;
    for (unsigned i = 0; i < LAUNCHES; i++) {
        unsigned id = step * LAUNCHES + i + 1;
        uint64_t length_ns = kernel_ns(now, step, i);
        put_event(out, "cuda_runtime", "cudaLaunchKernel", 4100, host_ns, LAUNCH_NS, id);
        put_event(out, "kernel", kernels[step_kernels[i] - 'A'].name, 7, now->ns, length_ns, id);
        host_ns += LAUNCH_NS + 1000;
        now->ns += length_ns + GAP_NS;
    }
    snprintf(name, sizeof name, "ProfilerStep#%u", step);
    put_event(out, "user_annotation", name, 4100, begin_ns, now->ns - begin_ns, 0);
    now->ns += HOST_NS;
}

static void put_trace(textbuf *out)
{
    clock now = start();
    text_puts(out,
              "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"a GPU of 1024 cores\"}],\n"
              "\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":4100,\"tid\":0,"
              "\"args\":{\"name\":\"python\"}}");
    for (unsigned step = 0; step < STEPS; step++)
        put_step(out, &now, step);
    text_puts(out, "\n]}\n");
}

/* How long all steps take. */
static uint64_t run_ns(void)
{
    clock now = start();
    for (unsigned step = 0; step < STEPS; step++)
        for (unsigned i = 0; i < LAUNCHES; i++)
            now.ns += kernel_ns(&now, step, i) + GAP_NS + (i ? 0 : 60000 + COPY_NS + GAP_NS + HOST_NS);
    return now.ns;
}

/* Milliwatts of the board: idle, the first samples of a run that the supply follows, and the run. */
static void put_power(textbuf *out)
{
    uint64_t seed = 7, run_ms = run_ns() / 1000000;
    text_puts(out, "elapsed_s,board_power_mW\n");
    for (uint64_t ms = 0; ms <= 2 * IDLE_MS + run_ms; ms += SAMPLE_MS) {
        bool runs = ms >= IDLE_MS && ms < IDLE_MS + run_ms;
        uint32_t mw = runs ? (ms < IDLE_MS + 20 ? 19800 : 23400) : 7150;
        mw += example_noise(&seed, runs ? 900 : 120);
        text_printf(out, "%" PRIu64 ".%03u,%u\n", ms / 1000, (unsigned)(ms % 1000), mw);
    }
}

static const example_file files[] = {{"trace.json", put_trace}, {"power.csv", put_power}};

int main(int argc, char **argv)
{
    return example_main("make_torch_gpu", files, sizeof files / sizeof *files, argc, argv);
}
