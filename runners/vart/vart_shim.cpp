// The C++ of roofline-run-vart: XIR's graphs and VART's runners behind the functions of vart_shim.h. No
// exception leaves it.
#include "runners/vart/vart_shim.h"
#include "runners/speak.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vart/mm/host_flat_tensor_buffer.hpp>
#include <vart/runner.hpp>
#include <vart/runner_ext.hpp>
#include <vart/tensor_buffer.hpp>
#include <vector>
#include <xir/attrs/attrs.hpp>
#include <xir/dpu_controller.hpp>
#include <xir/graph/graph.hpp>
#include <xir/graph/subgraph.hpp>
#include <xir/tensor/tensor.hpp>

namespace
{

thread_local std::string why; // of the thread that failed

struct Part {
    const xir::Subgraph *subgraph;
    std::string name;
    std::uint64_t workload_ops, code_bytes;
    std::vector<Part> layers;
};

// Runs a function, and turns what it throws into what it returns in that case.
template <typename Function, typename Result> Result guarded(Result otherwise, Function function)
{
    try {
        return function();
    } catch (const std::exception &e) {
        why = e.what();
    } catch (...) {
        why = "an exception of no known kind";
    }
    return otherwise;
}

Part part_of(const xir::Subgraph *s)
{
    Part part{s, s->get_name(), 0, 0, {}};
    if (s->has_attr("workload"))
        part.workload_ops = s->get_attr<std::uint64_t>("workload");
    if (s->has_attr("mc_code"))
        part.code_bytes = s->get_attr<std::vector<char>>("mc_code").size();
    return part;
}

bool is_dpu(const xir::Subgraph *s)
{
    return s->has_attr("device") && s->get_attr<std::string>("device") == "DPU";
}

// In the order that the file lists, which is that of debug mode; what it does not list is not launched.
std::vector<Part> layers_of(const xir::Subgraph *s)
{
    std::vector<Part> layers;
    if (s->is_leaf())
        return layers;
    if (!s->has_attr("children_topological_sort")) {
        for (const auto *child : s->children_topological_sort())
            layers.push_back(part_of(child));
        return layers;
    }
    std::map<std::string, const xir::Subgraph *> by_name;
    for (const auto *child : s->get_children())
        by_name[child->get_name()] = child;
    for (const auto &name : s->get_attr<std::vector<std::string>>("children_topological_sort")) {
        auto found = by_name.find(name);
        layers.push_back(found != by_name.end() ? part_of(found->second) : Part{nullptr, name, 0, 0, {}});
    }
    return layers;
}

vart_part shown(const Part &part)
{
    return {part.name.c_str(), part.workload_ops, part.code_bytes, part.subgraph == nullptr};
}

using Buffers = std::vector<vart::TensorBuffer *>;

// VART wants the bytes of one image, and copies those of all images of a batch.
std::size_t image_bytes(const vart::TensorBuffer *buffer)
{
    const auto *tensor = buffer->get_tensor();
    auto shape = tensor->get_shape();
    auto bytes = static_cast<std::size_t>(tensor->get_data_size());
    return shape.empty() || shape[0] < 1 ? bytes : bytes / static_cast<std::size_t>(shape[0]);
}

// Where the host can reach the buffer; image by image, since those of a batch may lie apart.
void fill(const std::vector<vart::TensorBuffer *> &buffers, std::uint64_t seed)
{
    for (auto *buffer : buffers) {
        auto shape = buffer->get_tensor()->get_shape();
        auto size = image_bytes(buffer);
        std::vector<std::int32_t> at(shape.size(), 0);
        for (std::int32_t image = 0; image < (shape.empty() ? 1 : shape[0]); image++) {
            if (!at.empty())
                at[0] = image;
            auto place = buffer->data(at);
            if (place.first && place.second >= size)
                speak_random(&seed, reinterpret_cast<void *>(place.first),
                             size); // NOLINT(performance-no-int-to-ptr): VART has numbers
        }
    }
}

} // namespace

struct vart_model {
    std::unique_ptr<xir::Graph> graph;
    std::vector<Part> subgraphs;
};

// The attributes are read as long as the runner lives, so they go after it.
struct vart_task {
    std::unique_ptr<xir::Attrs> attrs;
    std::vector<std::unique_ptr<vart::TensorBuffer>> own;
    std::unique_ptr<vart::Runner> runner;
    Buffers inputs, outputs;
};

const char *vart_why(void)
{
    return why.c_str();
}

const char *vart_version(void)
{
    static std::string version = guarded(std::string("of no known version"), [] {
        std::vector<std::unique_ptr<vart::Runner>> (*in_library)(const std::string &) =
            &vart::Runner::create_runner;
        Dl_info about{};
        std::string found = "of no known version";
        if (!dladdr(reinterpret_cast<void *>(in_library), &about) || !about.dli_fname)
            return found;
        char *path = realpath(about.dli_fname, nullptr);
        std::string name = path ? path : "";
        free(path);
        auto at = name.rfind(".so.");
        return at == std::string::npos ? found : name.substr(at + 4);
    });
    return version.c_str();
}

bool vart_find_device(char *name, size_t size, uint32_t *n_cores)
{
    return guarded(false, [&] {
        auto controller = xir::DpuController::get_instance();
        *n_cores = controller ? static_cast<uint32_t>(controller->get_num_of_dpus()) : 0;
        if (*n_cores)
            snprintf(name, size, "%s", controller->get_kernel_name(0).c_str());
        else
            why = "VART finds no DPU on this machine";
        return *n_cores > 0;
    });
}

vart_model *vart_model_open(const char *path)
{
    return guarded<>(static_cast<vart_model *>(nullptr), [&] {
        auto model = std::make_unique<vart_model>();
        model->graph = xir::Graph::deserialize(path);
        for (const auto *s : model->graph->get_root_subgraph()->children_topological_sort()) {
            if (!is_dpu(s))
                continue;
            model->subgraphs.push_back(part_of(s));
            model->subgraphs.back().layers = layers_of(s);
        }
        return model.release();
    });
}

void vart_model_close(vart_model *model)
{
    delete model;
}

uint32_t vart_count_subgraphs(const vart_model *model)
{
    return static_cast<uint32_t>(model->subgraphs.size());
}

uint32_t vart_count_layers(const vart_model *model, uint32_t subgraph)
{
    return static_cast<uint32_t>(model->subgraphs[subgraph].layers.size());
}

vart_part vart_layer(const vart_model *model, uint32_t subgraph, uint32_t layer)
{
    return shown(model->subgraphs[subgraph].layers[layer]);
}

// The name in the file has no version, and is there with the development package alone: so it is named anew.
vart_task *vart_task_open(const vart_model *model, uint32_t subgraph, const vart_how *how)
{
    return guarded<>(static_cast<vart_task *>(nullptr), [&]() -> vart_task * {
        auto task = std::make_unique<vart_task>();
        std::map<std::string, std::string> libraries{
            {"DPU", how->library ? how->library : "libvart-dpu-runner.so.2"}};
        task->attrs = xir::Attrs::create();
        task->attrs->set_attr("lib", libraries);
        if (how->core >= 0)
            task->attrs->set_attr<size_t>("__device_core_id__", static_cast<size_t>(how->core));
        task->runner =
            vart::Runner::create_runner_with_attrs(model->subgraphs[subgraph].subgraph, task->attrs.get());
        if (!task->runner) {
            why = "VART makes no runner of the subgraph";
            return nullptr;
        }
        if (auto *with_buffers = dynamic_cast<vart::RunnerExt *>(task->runner.get())) {
            task->inputs = with_buffers->get_inputs(); // which the device reads itself
            task->outputs = with_buffers->get_outputs();
            fill(task->inputs, how->seed);
            return task.release();
        }
        auto add = [&](Buffers &to, const xir::Tensor *tensor) {
            task->own.push_back(std::make_unique<vart::mm::HostFlatTensorBuffer>(tensor));
            to.push_back(task->own.back().get());
        };
        for (const auto *tensor : task->runner->get_input_tensors())
            add(task->inputs, tensor);
        for (const auto *tensor : task->runner->get_output_tensors())
            add(task->outputs, tensor);
        fill(task->inputs, how->seed);
        return task.release();
    });
}

void vart_task_close(vart_task *task)
{
    delete task;
}

uint32_t vart_task_batch(const vart_task *task)
{
    return guarded(1u, [&] {
        auto shape =
            task->inputs.empty() ? std::vector<std::int32_t>{} : task->inputs[0]->get_tensor()->get_shape();
        return shape.empty() || shape[0] < 1 ? 1u : static_cast<uint32_t>(shape[0]);
    });
}

bool vart_task_run(vart_task *task, double phases_s[VART_PHASES])
{
    return guarded(false, [&] {
        double begin_s = speak_now_s();
        for (auto *buffer : task->inputs)
            buffer->sync_for_write(0, image_bytes(buffer));
        double written_s = speak_now_s();
        auto job = task->runner->execute_async(task->inputs, task->outputs);
        int status = job.second ? job.second : task->runner->wait(static_cast<int>(job.first), -1);
        double run_s = speak_now_s();
        for (auto *buffer : task->outputs)
            buffer->sync_for_read(0, image_bytes(buffer));
        phases_s[VART_WRITE] = written_s - begin_s;
        phases_s[VART_RUN] = run_s - written_s;
        phases_s[VART_READ] = speak_now_s() - run_s;
        if (status)
            why = "VART's runner ends with status " + std::to_string(status);
        return status == 0;
    });
}
