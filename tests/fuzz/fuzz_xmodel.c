/* Compiled networks from untrusted files: whatever the reader accepts must be whole, every index in range and
 * every pointer inside the file; whatever it refuses it must explain in one line. */
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graph_checks(data, size, NULL);
    return 0;
}
