/* Databases of Nsight Systems, each in a file of its own. */
#include "roofline/import.h"
#include "tests/fuzz/fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/roofline-fuzz-XXXXXX";

static void remove_file(void)
{
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    const roof_import_options options = {.from = "nsys_sqlite"};
    roof_measured *m = NULL;
    roof_error err = {0};
    if (fd < 0) {
        fd = mkstemp(path);
        atexit(remove_file);
    }
    CHECK(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    if (roof_import_file(path, &options, &m, &err) == ROOF_OK)
        CHECK(m->n_experiments == 1 && m->experiments[0].runs[0].n_layers > 0);
    else
        CHECK(*err.what && !m);
    roof_measured_free(m);
    return 0;
}
