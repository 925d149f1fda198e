/* tests/support/trace_samples.h - small traces in the form that tools write them, with invented layers and figures. */
#ifndef ROOF_TESTS_SUPPORT_TRACE_SAMPLES_H
#define ROOF_TESTS_SUPPORT_TRACE_SAMPLES_H

/* PyTorch: two steps of three kernels, launched in the steps, and one of them runs behind its step; a step without a launch; a
 * copy; what the GPU repeats of the marks. */
#define KINETO_EVENT(cat, name, pid, tid, ts, dur)                                                           \
    "  {\n    \"ph\": \"X\", \"cat\": \"" cat "\", \"name\": \"" name "\", \"pid\": " pid ", \"tid\": " tid  \
    ",\n    \"ts\": 17000000000000" ts ", \"dur\": " dur ",\n    \"args\": {\"External id\": 5}\n  },\n"
#define KINETO_LAUNCH(ts) KINETO_EVENT("cuda_runtime", "cudaLaunchKernel", "1", "1", ts, "2")
#define KINETO_STEP(n, ts)                                                                                   \
    KINETO_EVENT("user_annotation", "ProfilerStep#" n, "1", "1", ts, "20")                                   \
    KINETO_EVENT("gpu_user_annotation", "ProfilerStep#" n, "0", "7", ts, "20")
#define KINETO_HEAD                                                                                          \
    "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": \"a GPU\"}\n  ],\n"    \
    "  \"traceEvents\": [\n"
#define KINETO_TAIL                                                                                          \
    "  {\"name\": \"process_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": 1, \"tid\": 0, \"args\": {\"name\": " \
    "\"python\"}}\n  ],\n  \"traceName\": \"t.json\"\n}\n"
#define KINETO_CPU                                                                                           \
    KINETO_EVENT("cpu_op", "aten::linear", "1", "1", "01", "10.5")                                           \
    KINETO_EVENT("cpu_op", "aten::addmm", "1", "1", "03", "4.25")                                            \
    KINETO_EVENT("cpu_op", "aten::linear", "1", "2", "03", "4")
/* clang-format off */
#define KINETO_TRACE                                                                                         \
    KINETO_HEAD KINETO_CPU                                                                                   \
    KINETO_LAUNCH("01") KINETO_LAUNCH("02") KINETO_LAUNCH("19") KINETO_STEP("1", "00")                       \
    KINETO_EVENT("kernel", "gemm", "0", "7", "05.125", "4.5")                                                \
    KINETO_EVENT("kernel", "gemm", "0", "7", "10", "5.5")                                                    \
    KINETO_EVENT("kernel", "void relu<\\\"x\\\">", "0", "7", "21", "1")                                      \
    KINETO_EVENT("gpu_memcpy", "Memcpy HtoD", "0", "7", "22", "3")                                           \
    KINETO_STEP("2", "30") KINETO_LAUNCH("31") KINETO_LAUNCH("32") KINETO_LAUNCH("33")                       \
    KINETO_EVENT("kernel", "gemm", "0", "7", "35", "4")                                                      \
    KINETO_EVENT("kernel", "gemm", "0", "7", "40", "6")                                                      \
    KINETO_EVENT("kernel", "void relu<\\\"x\\\">", "0", "7", "46", "2")                                      \
    KINETO_STEP("3", "60") KINETO_TAIL
/* clang-format on */

/* ONNX Runtime: events are written when they end; three runs, a node with another one inside, fences of old versions. */
#define ORT_EVENT(cat, name, tid, ts, dur, args)                                                             \
    "{\"cat\" : \"" cat "\",\"pid\" :9,\"tid\" :" tid ",\"dur\" :" dur ",\"ts\" :" ts                        \
    ",\"ph\" : \"X\",\"name\" :\"" name "\",\"args\" : {" args "}},\n"
#define ORT_NODE(name, op, ts, dur)                                                                          \
    ORT_EVENT("Node", name "_kernel_time", "2", ts, dur,                                                     \
              "\"op_name\" : \"" op                                                                          \
              "\",\"provider\" : \"CPUExecutionProvider\",\"activation_size\" : \"64\","                     \
              "\"parameter_size\" : \"36\",\"output_size\" : \"128\",\"node_index\" : \"0\"")
#define ORT_RUN(ts, loop, body, conv, run)                                                                   \
    ORT_EVENT("Node", "conv_fence_before", "2", ts "01", "0", "\"op_name\" : \"Conv\"")                      \
    ORT_NODE("conv", "Conv", ts "01", conv)                                                                  \
    ORT_NODE("body", "Add", ts "52", body)                                                                   \
    ORT_NODE("loop", "Loop", ts "51", loop)                                                                  \
    ORT_EVENT("Session", "SequentialExecutor::Execute", "2", ts "00", run, "")                               \
    ORT_EVENT("Session", "model_run", "2", ts "00", run, "")
#define ORT_HEAD                                                                                             \
    "[\n" ORT_EVENT("Session", "model_loading_uri", "2", "1", "5", "")                                       \
        ORT_EVENT("Session", "session_initialization", "2", "6", "5", "")
#define ORT_TRACE                                                                                            \
    ORT_HEAD ORT_RUN("10", "48", "20", "45", "1000") ORT_RUN("20", "8", "3", "40", "60")                     \
        ORT_RUN("30", "10", "4", "42", "66") "]\n"

/* TensorFlow: streams of a GPU and lines that are derived from them, and a TPU's line with an operator inside of another. */
#define TF_NAME(what, pid, tid, name)                                                                        \
    "{\"ph\":\"M\",\"pid\":" pid ",\"tid\":" tid ",\"name\":\"" what "\",\"args\":{\"name\":\"" name "\"}},"
#define TF_EVENT(pid, tid, name, ts, dur)                                                                    \
    "{\"ph\":\"X\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur ",\"name\":\"" name "\"},"
#define TF_HEAD "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\n\"traceEvents\":["
/* clang-format off */
#define TF_GPU                                                                                               \
    TF_HEAD TF_NAME("process_name", "1", "0", "/device:GPU:0 (pid 1)")                                       \
    TF_NAME("thread_name", "1", "14", "Stream #14(Kernel)") TF_NAME("thread_name", "1", "15", "XLA Ops")     \
    TF_NAME("process_name", "2", "0", "/device:CPU:0") TF_NAME("thread_name", "2", "1", "Stream #1")         \
    TF_EVENT("2", "1", "conv", "100", "9")                                                                   \
    TF_NAME("process_name", "701", "0", "/host:CPU") TF_NAME("thread_name", "701", "3", "python")            \
    TF_EVENT("1", "14", "sgemm", "100.5", "4.928") TF_EVENT("1", "14", "sgemm", "110", "5.072")              \
    TF_EVENT("1", "15", "fusion", "100", "20") TF_EVENT("701", "3", "Step", "1", "200") "{}]}"
#define TF_TPU                                                                                               \
    TF_HEAD TF_NAME("process_name", "1", "0", "/device:TPU:0")                                               \
    TF_NAME("thread_name", "1", "2", "XLA Ops") TF_NAME("thread_name", "1", "1", "Steps")                    \
    TF_EVENT("1", "2", "while", "0", "10") TF_EVENT("1", "2", "fusion.1", "2", "6")                          \
    TF_EVENT("1", "1", "0", "0", "10") "{}]}"
/* clang-format on */

/* nsightful: kernels, the same by the user's ranges, and the host. */
#define NSIGHTFUL_EVENT(cat, name, tid, ts, dur)                                                             \
    "{\"name\": \"" name "\", \"ph\": \"X\", \"cat\": \"" cat "\", \"ts\": " ts ", \"dur\": " dur            \
    ", \"tid\": \"" tid "\", \"pid\": \"Device 0\", \"args\": {\"NVTXRegions\": [null]}}"
/* clang-format off */
#define NSIGHTFUL_TRACE                                                                                      \
    "[" NSIGHTFUL_EVENT("cuda", "gemv", "CUDA API 7", "15057.495", "1.312") ", "                             \
    NSIGHTFUL_EVENT("cuda", "axpy", "CUDA API 7", "15060.5", "2") ", "                                       \
    NSIGHTFUL_EVENT("cuda", "gemv", "CUDA API 7", "15070", "1.688") ", "                                     \
    NSIGHTFUL_EVENT("nvtx-kernel", "range", "NVTX 7", "15057.495", "15") ", "                                \
    NSIGHTFUL_EVENT("cuda_api", "cudaLaunchKernel", "CUDA API 7", "15050", "3") "]"
/* clang-format on */

/* SigmaStar: two cores; shares as numbers and as texts; one layer twice; one event of two halves. */
#define SIGMASTAR_ARGS(cycles, conv, load)                                                                   \
    "{\"total_cycle\":" cycles ",\"conv_cycle_percent\":" conv ",\"vector_cycle_percent\":3,"                \
    "\"dma_load_cycle_percent\":" load ",\"dma_store_cycle_percent\":\"12.5%\"}"
#define SIGMASTAR_EVENT(name, tid, ts, dur, cycles, conv, load)                                              \
    "{\"name\":\"" name "\",\"ph\":\"X\",\"ts\":" ts ",\"dur\":" dur ",\"pid\":0,\"tid\":\"" tid             \
    "\",\"args\":" SIGMASTAR_ARGS(cycles, conv, load) "}"
/* clang-format off */
#define SIGMASTAR_TRACE                                                                                      \
    "{\"traceEvents\":["                                                                                     \
    SIGMASTAR_EVENT("0_CONV", "core0", "1000", "100", "80000", "71.2", "\"45.5%\"") ","                      \
    SIGMASTAR_EVENT("1_POOL", "core0", "1102", "50", "40000", "0", "97") ","                                 \
    SIGMASTAR_EVENT("0_CONV", "core0", "2000", "110", "88000", "70", "50") ","                               \
    SIGMASTAR_EVENT("1_POOL", "core0", "2110", "50", "40000", "0", "97") ","                                 \
    "{\"name\":\"0_CONV\",\"ph\":\"B\",\"ts\":1000,\"pid\":0,\"tid\":\"core1\"},"                            \
    "{\"ph\":\"E\",\"ts\":1100,\"pid\":0,\"tid\":\"core1\",\"args\":" SIGMASTAR_ARGS("80000", "50", "50")    \
    "}],\"displayTimeUnit\":\"ns\"}"
/* clang-format on */

#endif
