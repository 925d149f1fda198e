/* Generated C files from untrusted places: the plan that comes of one must be whole, and what is refused
 * explained in one line. */
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, NULL);
    return 0;
}
