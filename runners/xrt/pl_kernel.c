#include "runners/speak.h"
#include "runners/xrt/kernel.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

typedef struct pl_argument {
    kernel_argument is;
    xrtBufferHandle buffer; /* NULL: it is a number */
    void *host;             /* where its bytes come from, or go to */
} pl_argument;

typedef struct pl {
    xrtDeviceHandle device;
    xrtKernelHandle kernel;
    xrtRunHandle run;
    pl_argument arguments[KERNEL_MOST_ARGUMENTS];
    uint32_t n_arguments;
    bool is_random;
    uint64_t random; /* the state of what fills inputs */
} pl;

static void pl_close(void *pl_)
{
    pl *p = pl_;
    if (!p)
        return;
    if (p->run)
        xrtRunClose(p->run);
    for (uint32_t i = 0; i < p->n_arguments; i++) {
        if (p->arguments[i].buffer)
            xrtBOFree(p->arguments[i].buffer);
        free(p->arguments[i].host);
    }
    if (p->kernel)
        xrtKernelClose(p->kernel);
    if (p->device)
        xrtDeviceClose(p->device);
    free(p);
}

static const char *open_kernel(pl *p, const kernel_request *q, char *why)
{
    xuid_t id;
    p->device = xrtDeviceOpen(q->device);
    if (!p->device) {
        snprintf(why, KERNEL_WHY_SIZE,
                 "XRT opens no device %u (%s); `xbutil examine` lists those that it finds", q->device,
                 strerror(errno));
        return "no_device";
    }
    if (xrtDeviceLoadXclbinFile(p->device, q->path) != 0 || xrtDeviceGetXclbinUUID(p->device, id) != 0) {
        snprintf(why, KERNEL_WHY_SIZE, "XRT does not load the file: is it an xclbin for this device?");
        return "bad_model";
    }
    p->kernel = xrtPLKernelOpen(p->device, id, q->name);
    if (p->kernel && (p->run = xrtRunOpen(p->kernel)) != NULL)
        return NULL;
    snprintf(why, KERNEL_WHY_SIZE,
             "the xclbin has no kernel '%.80s' that can be opened; want another kernel=", q->name);
    return "usage";
}

static bool set_buffer(pl *p, uint32_t i, pl_argument *a)
{
    int group = xrtKernelArgGroupId(p->kernel, (int)i);
    a->host = calloc(1, a->is.value);
    if (group < 0 || !a->host)
        return false;
    if (p->is_random && a->is.kind == ARGUMENT_IN)
        speak_random(&p->random, a->host, a->is.value);
    a->buffer = xrtBOAlloc(p->device, a->is.value, XRT_BO_FLAGS_NONE, (xrtMemoryGroup)group);
    return a->buffer && xrtRunSetArg(p->run, (int)i, a->buffer) == 0;
}

static const char *set_arguments(pl *p, const kernel_request *q, char *why)
{
    for (uint32_t i = 0; i < q->n_arguments; i++) {
        pl_argument *a = &p->arguments[p->n_arguments++];
        a->is = q->arguments[i];
        bool is_buffer = a->is.kind == ARGUMENT_IN || a->is.kind == ARGUMENT_OUT;
        const int index = (int)i;
        if (is_buffer                    ? set_buffer(p, i, a)
            : a->is.kind == ARGUMENT_U32 ? xrtRunSetArg(p->run, index, (uint32_t)a->is.value) == 0
                                         : xrtRunSetArg(p->run, index, a->is.value) == 0)
            continue;
        snprintf(why, KERNEL_WHY_SIZE,
                 "XRT does not take %s of %" PRIu64 " as argument %" PRIu32 " of the kernel",
                 is_buffer ? "a buffer" : "a number", a->is.value, i);
        return "usage";
    }
    return NULL;
}

static void *pl_open(const kernel_request *q, const char **code, char why[KERNEL_WHY_SIZE])
{
    pl *p = calloc(1, sizeof *p);
    if (p) {
        p->is_random = q->is_random;
        p->random = q->seed;
    }
    *code = p ? open_kernel(p, q, why) : "no_device";
    if (!*code)
        *code = set_arguments(p, q, why);
    if (!*code)
        return p;
    pl_close(p);
    return NULL;
}

/* Copies the buffers of one kind: inputs to the device, outputs back. */
static bool copy_buffers(const pl *p, argument_kind kind)
{
    bool good = true;
    for (uint32_t i = 0; i < p->n_arguments && good; i++) {
        const pl_argument *a = &p->arguments[i];
        if (a->is.kind == kind && kind == ARGUMENT_IN)
            good = xrtBOWrite(a->buffer, a->host, a->is.value, 0) == 0 &&
                   xrtBOSync(a->buffer, XCL_BO_SYNC_BO_TO_DEVICE, a->is.value, 0) == 0;
        else if (a->is.kind == kind)
            good = xrtBOSync(a->buffer, XCL_BO_SYNC_BO_FROM_DEVICE, a->is.value, 0) == 0 &&
                   xrtBORead(a->buffer, a->host, a->is.value, 0) == 0;
    }
    return good;
}

static bool pl_run(void *pl_, double phases_s[KERNEL_PHASES], char why[KERNEL_WHY_SIZE])
{
    const pl *p = pl_;
    double begin_s = speak_now_s();
    bool written = copy_buffers(p, ARGUMENT_IN);
    double written_s = speak_now_s();
    enum ert_cmd_state state = ERT_CMD_STATE_NEW;
    if (written && xrtRunStart(p->run) == 0)
        state = xrtRunWait(p->run);
    double run_s = speak_now_s();
    bool read = copy_buffers(p, ARGUMENT_OUT);
    phases_s[KERNEL_WRITE] = written_s - begin_s;
    phases_s[KERNEL_RUN] = run_s - written_s;
    phases_s[KERNEL_READ] = speak_now_s() - run_s;
    if (written && read && state == ERT_CMD_STATE_COMPLETED)
        return true;
    snprintf(why, KERNEL_WHY_SIZE, "%s (state %d of XRT's ert_cmd_state)",
             !written ? "its inputs cannot be copied to the device"
             : !read  ? "its outputs cannot be copied back"
                      : "the kernel did not complete",
             (int)state);
    return false;
}

const kernel_way pl_kernel = {pl_open, pl_run, pl_close};
