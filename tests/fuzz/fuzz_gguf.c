/* GGUF from untrusted files: what the reader accepts is predicted in both phases and over its context, and
 * its rows add up to what its header says; what it refuses, it explains. */
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/fuzz/stored_checks.h"

#include <string.h>

static void check_model(const roof_graph *graph)
{
    if (strcmp(graph->format, "gguf") == 0)
        check_stored_model(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_model);
    return 0;
}
