/* Files that lie beside a profile and hold no times of a network: which file to take instead. */
#include "measure/import/importer.h"

#define OF_XRT                                                                                               \
    "a trace of XRT's own functions, without runs on a DPU; import vart_trace.csv, which vaitrace writes, "  \
    "or device_trace_0.csv, which XRT writes with device_trace=fine"
#define OF_STEDGEAI(command)                                                                                 \
    "this is what `stedgeai " command                                                                        \
    "` reports, which has no times: `roofline inspect` shows its epochs and pools, `roofline predict` "      \
    "takes it beside c_info.json or network.csv, and network_validate_report.txt, which `stedgeai "          \
    "validate --mode target` writes, is what to import"

static const struct {
    importer_mark mark;
    const char *advice;
} known[] = {
    {{.words = {"Profile Summary", "Profiled application:"}},
     "XRT's summary.csv counts calls of its own functions and has no times of a network; import "
     "profile_summary.csv or vart_trace.csv, which lie beside it, or one with times of compute units, which "
     "device_counters=true asks for"},
    {{.words = {"\"schema_version\"", "\"files\""}},
     "xrt.run_summary only lists other files; import vart_trace.csv, profile_summary.csv, summary.csv or "
     "device_trace_0.csv, which lie beside it"},
    {{.words = {"\"subgraph_name\":", "\"op_list\":"}},
     "this describes subgraphs and has no times; import the raw trace beside it, vaitrace_PID without "
     "subgraph_info in its name"},
    {{.words = {"\"Layers\"", "\"LayerType\""}},
     "layers of a TensorRT engine without times; import what trtexec --exportProfile writes, and name this "
     "file with --map"},
    {{.words = {"\"Unique Tag\"", "Total ticks across all events"}},
     "sums over kinds of operators, which LogTicksPerTagCsv() of TensorFlow Lite Micro prints; call LogCsv() "
     "of its profiler, which has a row for each operator"},
    {{.words = {"PK\x03\x04", "ETRECORD_V0"}},
     "an .etrecord of ExecuTorch has graphs and no times; import the .etdp beside it, or what "
     "Inspector(etdump_path=..., etrecord=...).save_data_to_tsv() writes, whose rows have the names"},
    {{.words = {"VTF File Version", "MAPPING"}}, OF_XRT},
    {{.words = {"VTF File Version", "STRUCTURE"}}, OF_XRT},
    {{.words = {"[Debug]", "_trace"}},
     "the settings of XRT have no times; import what was written with them, such as vart_trace.csv"},
    {{.words = {"\"Domain\"", "\"Function\"", "\"Start_Timestamp\""}},
     "calls of the host's API and nothing that ran on the device; import kernel_trace.csv, which `rocprofv3 "
     "--kernel-trace` writes"},
    {{.words = {"\"Counter_Name\"", "\"Counter_Value\"", "\"Kernel_Name\""}},
     "counters of kernels without their times; import kernel_trace.csv, which `rocprofv3 --kernel-trace` "
     "writes"},
    {{.words = {"workload_name,", "gpu_arch,"}},
     "this describes a machine and has no times; import pmc_perf.csv or timestamps.csv beside it"},
    {{.words = {"HBMBw,", "FP32Flops"}},
     "these are ceilings of a GPU that rocprof-compute measured, which are hardware and no profile: name the "
     "file with --hw; import pmc_perf.csv beside it"},
    {{.words = {"Dispatch_ID", "Kernel_Name", "!Start_Timestamp"}},
     "names of kernels without their times; import pmc_perf.csv or timestamps.csv beside it"},
    {{.words = {"stats report", "Total Time (ns)"}},
     "tables of nsys for people, whose names may be cut; `nsys stats -r cuda_gpu_kern_sum -f csv` writes "
     "what to import"},
    {{.words = {"PERFILE2"}},
     "samples of `perf record`, which have no times of layers: import what `perf stat -j` counts"},
    {{.words = {"Total Execution Time:", "times inference"}},
     "tables of MediaTek's Neuron profiler, one inside the other: keep the deepest with its headings, and "
     "import it with --map 'name=Description,time=Time/Inf.:ms'"},
    {{.words = {"Weight (in view)"}},
     "a table of Windows Performance Analyzer, samples of the host: import it with --map 'name=Function,"
     "time=Weight (in view) (ms):ms', where Function is the column that names rows"},
    {{.words = {"$enddefinitions", "$timescale"}},
     "a waveform (VCD) of a simulator such as Vivado's or Questa, without rows: have the test bench print "
     "name,cycles of each layer, and import that table with --map 'name=name,cycles=cycles:100MHz'"},
    {{.words = {"HLS Report for", "Latency (cycles)"}},
     "estimates of Vitis HLS for one function, which are no measurement: `roofline predict --hw` takes a "
     "described array; times of a run are in the summary.csv or device_trace_0.csv that XRT writes"},
    {{.words = {"Timing Analyzer", "Fmax"}},
     "the clock that Quartus reached, and no times: give it with --hw ID,clock=..., and import what the "
     "board or the test bench timed as a table with --map"},
    {{.words = {"ST Edge AI Core v", "Parameters            : generate"}}, OF_STEDGEAI("generate")},
    {{.words = {"ST Edge AI Core v", "Parameters            : analyze"}}, OF_STEDGEAI("analyze")},
    {{.words = {"roofline.measured/1", "\"schema\""}},
     "this is a measured document already, and needs no import"},
    {{.words = {"roofline.prediction/1", "\"schema\""}}, "this is a prediction, which has no measured times"},
};

const char *import_advice(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (import_has_words(&known[i].mark, text, size))
            return known[i].advice;
    return NULL;
}
