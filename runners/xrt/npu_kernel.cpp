// A kernel of an NPU (Ryzen AI) through XRT's contexts of the hardware. THIS HAS NOT BEEN RUN: it needs XRT
// 2.14 or later with the driver of the NPU. It follows the public examples of the mlir-aie project: the
// kernel takes an operation code, a buffer of instructions, their number of words, and then its data.
#include "runners/speak.h"
#include "runners/xrt/kernel.h"

#include <cstdio>

#if defined(__has_include) && __has_include(<xrt/xrt_hw_context.h>)

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_hw_context.h>
#include <xrt/xrt_kernel.h>

namespace
{

constexpr int operation_code = 3; // run the instructions, then the data
constexpr int first_data = 3;     // argument

struct Npu {
    xrt::device device;
    xrt::hw_context context;
    xrt::kernel kernel;
    xrt::bo instructions;
    std::vector<xrt::bo> inputs, outputs;
    std::vector<xrt::bo> data; // all of them, in the order of the arguments
    unsigned words = 0;
};

// In an xclbin the kernel has a number behind its name.
std::string full_name(const xrt::xclbin &xclbin, const std::string &name)
{
    for (const auto &kernel : xclbin.get_kernels())
        if (kernel.get_name().compare(0, name.size(), name) == 0)
            return kernel.get_name();
    return "";
}

std::vector<char> read_words(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const char *open_npu(Npu &npu, const kernel_request *q, char *why)
{
    auto words = read_words(q->instructions);
    if (words.empty() || words.size() % sizeof(uint32_t)) {
        snprintf(why, KERNEL_WHY_SIZE, "'%.200s' has no instructions: want words of 4 bytes",
                 q->instructions);
        return "no_input";
    }
    npu.device = xrt::device(q->device);
    xrt::xclbin xclbin{std::string(q->path)};
    auto name = full_name(xclbin, q->name);
    if (name.empty()) {
        snprintf(why, KERNEL_WHY_SIZE, "the xclbin has no kernel whose name begins with '%.80s'", q->name);
        return "usage";
    }
    npu.device.register_xclbin(xclbin);
    npu.context = xrt::hw_context(npu.device, xclbin.get_uuid());
    npu.kernel = xrt::kernel(npu.context, name);
    npu.instructions = xrt::bo(npu.device, words.size(), XCL_BO_FLAGS_CACHEABLE, npu.kernel.group_id(1));
    npu.instructions.write(words.data());
    npu.instructions.sync(XCL_BO_SYNC_BO_TO_DEVICE);
    npu.words = static_cast<unsigned>(words.size() / sizeof(uint32_t));
    std::uint64_t random = q->seed;
    for (uint32_t i = 0; i < q->n_arguments; i++) {
        const auto &a = q->arguments[i];
        if (a.kind != ARGUMENT_IN && a.kind != ARGUMENT_OUT) {
            snprintf(why, KERNEL_WHY_SIZE, "an NPU takes buffers alone, want in:BYTES or out:BYTES");
            return "usage";
        }
        npu.data.emplace_back(npu.device, a.value, XRT_BO_FLAGS_HOST_ONLY,
                              npu.kernel.group_id(first_data + static_cast<int>(i)));
        auto *bytes = npu.data.back().map<void *>();
        std::memset(bytes, 0, a.value);
        if (q->is_random && a.kind == ARGUMENT_IN)
            speak_random(&random, bytes, a.value);
        (a.kind == ARGUMENT_IN ? npu.inputs : npu.outputs).push_back(npu.data.back());
    }
    return nullptr;
}

void *npu_open(const kernel_request *q, const char **code, char why[KERNEL_WHY_SIZE])
{
    *code = "no_device";
    try {
        auto npu = std::make_unique<Npu>();
        *code = open_npu(*npu, q, why);
        return !*code ? npu.release() : nullptr;
    } catch (const std::exception &e) {
        snprintf(why, KERNEL_WHY_SIZE, "%s", e.what());
    } catch (...) {
        snprintf(why, KERNEL_WHY_SIZE, "XRT throws what is no exception of the standard library");
    }
    return nullptr;
}

bool npu_run(void *npu_, double phases_s[KERNEL_PHASES], char why[KERNEL_WHY_SIZE])
{
    auto &npu = *static_cast<Npu *>(npu_);
    try {
        double begin_s = speak_now_s();
        for (auto &buffer : npu.inputs)
            buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE);
        double written_s = speak_now_s();
        xrt::run run(npu.kernel);
        run.set_arg(0, operation_code);
        run.set_arg(1, npu.instructions);
        run.set_arg(2, npu.words);
        for (size_t i = 0; i < npu.data.size(); i++)
            run.set_arg(first_data + static_cast<int>(i), npu.data[i]);
        run.start();
        auto state = run.wait();
        double run_s = speak_now_s();
        for (auto &buffer : npu.outputs)
            buffer.sync(XCL_BO_SYNC_BO_FROM_DEVICE);
        phases_s[KERNEL_WRITE] = written_s - begin_s;
        phases_s[KERNEL_RUN] = run_s - written_s;
        phases_s[KERNEL_READ] = speak_now_s() - run_s;
        if (state != ERT_CMD_STATE_COMPLETED)
            snprintf(why, KERNEL_WHY_SIZE, "the kernel did not complete (state %d of XRT's ert_cmd_state)",
                     static_cast<int>(state));
        return state == ERT_CMD_STATE_COMPLETED;
    } catch (const std::exception &e) {
        snprintf(why, KERNEL_WHY_SIZE, "%s", e.what());
    } catch (...) {
        snprintf(why, KERNEL_WHY_SIZE, "XRT throws what is no exception of the standard library");
    }
    return false;
}

void npu_close(void *npu)
{
    delete static_cast<Npu *>(npu);
}

} // namespace

const kernel_way npu_kernel = {npu_open, npu_run, npu_close};

#endif
