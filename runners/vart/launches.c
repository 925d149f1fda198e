#include "runners/vart/vart_shim.h"
#include "runners/speak.h"

#include <dlfcn.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int exec_buf(void *device, unsigned buffer);
typedef int exec_wait(void *device, int timeout_ms);
typedef int reg_read(void *device, uint32_t unit, uint32_t offset, uint32_t *value);
typedef size_t read_space(void *device, int space, uint64_t offset, void *out, size_t bytes);

/* As xrt.h declares them. */
__attribute__((visibility("default"))) exec_buf xclExecBuf;
__attribute__((visibility("default"))) exec_wait xclExecWait;
__attribute__((visibility("default"))) reg_read xclRegRead;
__attribute__((visibility("default"))) read_space xclRead;

static struct {
    atomic_uint n;
    double *times_s;
    uint32_t room;
    double begin_s; /* of the last launch */
    bool counts;    /* cycles are wanted, and no times */
} watch;

void launches_watch(double *times_s, uint32_t room, bool counts)
{
    atomic_store(&watch.n, 0);
    watch.counts = counts;
    watch.times_s = times_s;
    watch.room = room;
    for (uint32_t i = 0; i < room; i++)
        times_s[i] = NAN;
}

uint32_t launches_seen(void)
{
    return atomic_load(&watch.n);
}

/* XRT's own: behind us in the order of symbols, or in a library that was loaded for itself. */
static void *next_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    void *xrt = found ? NULL : dlopen("libxrt_core.so.2", RTLD_NOW);
    found = xrt ? dlsym(xrt, name) : found;
    if (!found) {
        fprintf(stderr, "error: cannot find %s in XRT\n", name);
        exit(EXIT_FAILURE);
    }
    return found;
}

int xclExecBuf(void *device, unsigned buffer)
{
    static exec_buf *_Atomic next;
    if (!next)
        next = (exec_buf *)(uintptr_t)next_of("xclExecBuf");
    atomic_fetch_add(&watch.n, 1);
    if (watch.room)
        watch.begin_s = speak_now_s();
    return next(device, buffer);
}

/* VART may wait several times for one launch: the last one counts. */
int xclExecWait(void *device, int timeout_ms)
{
    static exec_wait *_Atomic next;
    if (!next)
        next = (exec_wait *)(uintptr_t)next_of("xclExecWait");
    int code = next(device, timeout_ms);
    uint32_t n = launches_seen();
    if (n && n <= watch.room && !watch.counts)
        watch.times_s[n - 1] = speak_now_s() - watch.begin_s;
    return code;
}

/* --- counters ------------------------------------------------------------------------------------------- */

/* Registers of the DPU that hold how many cycles its last start took. VART reads them behind every launch
 * when it is to show counters, by xclRegRead on boards and by xclRead elsewhere. Source: Vitis AI 2.5,
 * dpu_controller. */
enum { CYCLES_LOW = 0x1a0, CYCLES_HIGH = 0x1a4, REGISTERS_MASK = 0xfff };

static void keep_cycles(uint64_t offset, uint32_t value)
{
    uint32_t n = launches_seen();
    uint64_t which = offset & REGISTERS_MASK;
    if (!watch.counts || !n || n > watch.room)
        return;
    if (which == CYCLES_LOW)
        watch.times_s[n - 1] = (double)value;
    else if (which == CYCLES_HIGH) /* read behind the low half */
        watch.times_s[n - 1] += (double)value * 4294967296.0;
}

int xclRegRead(void *device, uint32_t unit, uint32_t offset, uint32_t *value)
{
    static reg_read *_Atomic next;
    if (!next)
        next = (reg_read *)(uintptr_t)next_of("xclRegRead");
    int code = next(device, unit, offset, value);
    if (code == 0)
        keep_cycles(offset, *value);
    return code;
}

size_t xclRead(void *device, int space, uint64_t offset, void *out, size_t bytes)
{
    static read_space *_Atomic next;
    if (!next)
        next = (read_space *)(uintptr_t)next_of("xclRead");
    size_t n = next(device, space, offset, out, bytes);
    for (size_t i = 0; i + sizeof(uint32_t) <= bytes; i += sizeof(uint32_t)) {
        uint32_t value;
        memcpy(&value, (const char *)out + i, sizeof value);
        keep_cycles(offset + i, value);
    }
    return n;
}
