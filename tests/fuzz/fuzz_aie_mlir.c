/* Runtime sequences of mlir-aie from untrusted files: whatever is accepted adds up, by argument and by
 * channel; whatever is refused is explained in one line. */
#include "tests/fuzz/code_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, check_streams);
    return 0;
}
