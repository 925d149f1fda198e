/* Where XRT has no contexts of the hardware: what an NPU would need is said. */
#include "runners/xrt/kernel.h"

#include <stdio.h>

static void *no_open(const kernel_request *q, const char **code, char why[KERNEL_WHY_SIZE])
{
    (void)q;
    *code = "unsupported";
    snprintf(why, KERNEL_WHY_SIZE,
             "option insts: this runner was built with an XRT before 2.14, which cannot run an NPU; build it "
             "with a later one");
    return NULL;
}

static bool no_run(void *kernel, double phases_s[KERNEL_PHASES], char why[KERNEL_WHY_SIZE])
{
    (void)kernel, (void)phases_s, (void)why;
    return false;
}

static void no_close(void *kernel)
{
    (void)kernel;
}

const kernel_way npu_kernel = {no_open, no_run, no_close};
