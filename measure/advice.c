/* Files that lie beside a profile and hold no times of a network: which file to take instead. */
#include "measure/importer.h"

#include <string.h>

static const struct {
    const char *words[2]; /* all of them are there */
    const char *advice;
} known[] = {
    {{"Profile Summary", "Profiled application:"},
     "XRT's summary.csv counts calls of its own functions and has no times of a network; import "
     "profile_summary.csv or "
     "vart_trace.csv, which lie beside it"},
    {{"\"schema_version\"", "\"files\""},
     "xrt.run_summary only lists other files; import vart_trace.csv or profile_summary.csv, which lie beside "
     "it"},
    {{"\"subgraph_name\":", "\"op_list\":"},
     "this describes subgraphs and has no times; import the raw trace beside it, vaitrace_PID without "
     "subgraph_info in "
     "its name"},
    {{"VTF File Version", "MAPPING"},
     "a trace of XRT's own functions, without runs on a DPU; import vart_trace.csv, which vaitrace writes"},
    {{"VTF File Version", "STRUCTURE"},
     "a trace of XRT's own functions, without runs on a DPU; import vart_trace.csv, which vaitrace writes"},
    {{"[Debug]", "_trace"},
     "the settings of XRT have no times; import what was written with them, such as vart_trace.csv"},
    {{"ST Edge AI Core v", "Parameters            : generate"},
     "this is what `stedgeai generate` reports, which has no times: `roofline inspect` shows its epochs and "
     "pools, "
     "`roofline predict` takes it beside c_info.json or network.csv, and network_validate_report.txt, which "
     "`stedgeai validate --mode target` writes, is what to import"},
    {{"ST Edge AI Core v", "Parameters            : analyze"},
     "this is what `stedgeai analyze` reports, which has no times: `roofline inspect` shows its epochs and "
     "pools, "
     "`roofline predict` takes it beside c_info.json or network.csv, and network_validate_report.txt, which "
     "`stedgeai validate --mode target` writes, is what to import"},
    {{"roofline.measured/1", "\"schema\""}, "this is a measured document already, and needs no import"},
    {{"roofline.prediction/1", "\"schema\""}, "this is a prediction, which has no measured times"},
};

const char *import_advice(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *const *words = known[i].words;
        if (memmem(text, size, words[0], strlen(words[0])) && memmem(text, size, words[1], strlen(words[1])))
            return known[i].advice;
    }
    return NULL;
}
