/* make_torch_gpu - writes the files of examples/torch-gpu, into a folder that exists: the trace of
 * torch.profiler of a segmentation network on an embedded GPU, and what a power meter of the board wrote
 * meanwhile. Network, board and figures are invented. Exit 0, 1 (cannot write) or 2 (usage). */
#include "tests/support/example_files.h"
#include "tests/support/onnx_text.h"

#include <inttypes.h>
#include <string.h>

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

/* ---- the network ---- */

/* A convolution named NAME, with what follows: b a batch normalisation, r a relu. Result in "NAME". */
static void put_conv(textbuf *out, const char *name, const char *from, unsigned in, unsigned n,
                     unsigned kernel, unsigned stride, const char *follows)
{
    const bool is_depthwise = in == n && kernel > 1;
    const bool has_norm = strchr(follows, 'b'), has_relu = strchr(follows, 'r');
    text_printf(
        out,
        "weights %s_w half %u,%u,%u,%u\nConv %s,%s_w -> %s%s strides=[%u,%u] pads=[%u,%u,%u,%u] group=%u "
        "name=%s_conv\n",
        name, n, is_depthwise ? 1 : in, kernel, kernel, from, name, name,
        has_norm   ? "_1"
        : has_relu ? "_2"
                   : "",
        stride, stride, kernel / 2, kernel / 2, kernel / 2, kernel / 2, is_depthwise ? in : 1, name);
    if (has_norm)
        text_printf(out,
                    "weights %s_s half %u\nweights %s_b half %u\nweights %s_m half %u\nweights %s_v half %u\n"
                    "BatchNormalization %s_1,%s_s,%s_b,%s_m,%s_v -> %s%s name=%s_norm\n",
                    name, n, name, n, name, n, name, n, name, name, name, name, name, name,
                    has_relu ? "_2" : "", name);
    if (has_relu)
        text_printf(out, "Relu %s_2 -> %s name=%s_relu\n", name, name, name);
}

/* As step_kernels has it: the stem, three blocks with a normalisation behind the depthwise convolution, two
 * without, and a head that doubles the map twice. */
static void put_model(textbuf *out)
{
    textbuf text;
    xm_buffer bytes;
    char from[16] = "pooled";
    text_init(&text, 1 << 20);
    text_puts(&text, "opset 17\ninput image half 1,3,512,512\n");
    put_conv(&text, "stem", "image", 3, 64, 3, 2, "br");
    text_puts(&text, "MaxPool stem -> pooled kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1] name=pool\n");
    for (unsigned block = 1; block <= 5; block++) {
        char wide[16], deep[16], thin[16];
        snprintf(wide, sizeof wide, "wide%u", block);
        snprintf(deep, sizeof deep, "deep%u", block);
        snprintf(thin, sizeof thin, "thin%u", block);
        put_conv(&text, wide, from, 64, 128, 1, 1, "br");
        put_conv(&text, deep, wide, 128, 128, 3, 1, block <= 3 ? "br" : "");
        put_conv(&text, thin, deep, 128, 64, 1, 1, "");
        text_printf(&text, "Add %s,%s -> sum%u name=add%u\nRelu sum%u -> out%u name=relu%u\n", thin, from,
                    block, block, block, block, block);
        snprintf(from, sizeof from, "out%u", block);
    }
    text_printf(&text,
                "Transpose %s -> last perm=[0,2,3,1] name=channels_last\nweights gemm_w half 64,64\n"
                "MatMul last,gemm_w -> mixed name=gemm\nTranspose mixed -> mixed_first perm=[0,3,1,2] "
                "name=channels_first\n"
                "values twice float 4 = 1,1,2,2\nResize mixed_first,,twice -> doubled mode=\"linear\" "
                "name=upsample1\n",
                from);
    put_conv(&text, "classes", "doubled", 64, 21, 1, 1, "br");
    text_puts(&text, "Resize classes,,twice -> large mode=\"linear\" name=upsample2\n"
                     "Softmax large -> scores axis=1 name=softmax\noutput scores half 1,21,512,512\n");
    onnx_text_write(text.bytes, &bytes);
    text_add(out, (const char *)bytes.data + bytes.start, bytes.capacity_bytes - bytes.start);
    xm_buffer_free(&bytes);
    text_free(&text);
}

static const example_file files[] = {
    {"trace.json", put_trace}, {"power.csv", put_power}, {"segmenter.onnx", put_model}};

int main(int argc, char **argv)
{
    return example_main("make_torch_gpu", files, sizeof files / sizeof *files, argc, argv);
}
