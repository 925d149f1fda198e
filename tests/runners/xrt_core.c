/* Stands in for libxrt_core.so.2 under VART's own runner of a DPU: one device, whose launches take a planted
 * time.
 *
 * Environment: PLANT_LAUNCH_US each launch, PLANT_NS_PER_BYTE and each byte of its code, PLANT_COPY_US each
 *   copy to or from the device, PLANT_FINGERPRINT of the DPU in hex (0: VART does not check it),
 *   PLANT_DEVICES how many there are (1), PLANT_HANG 1: launches never end; PLANT_CYCLES_PER_BYTE of its
 *   code, what the counter of cycles shows for a launch; PLANT_CLOCK_NS, with this library in LD_PRELOAD: the
 *   whole process has a clock that only launches, copies and each look at it (by so much) move on, so a fit
 *   of times does not depend on what else the machine does.
 * Only what VART 2.5 calls is here, for its builds for servers (xclRead) and for boards (xclRegRead).
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <xrt/ert.h>
#include <xrt/xrt.h>

enum { MOST_BUFFERS = 4096, PAGE_BYTES = 4096, FIRST_ADDRESS = 0x10000000, WAIT_NS = 50000 };

/* Registers of a DPU. */
enum {
    REGISTERS_MASK = 0xfff,
    REGISTER_CODE_LOW = 0x50,
    REGISTER_CODE_HIGH = 0x54,
    REGISTER_CYCLES_LOW = 0x1a0, /* of the last launch */
    REGISTER_FINGERPRINT_LOW = 0x1f0,
    REGISTER_FINGERPRINT_HIGH = 0x1f4
};

typedef struct buffer {
    char *bytes; /* NULL: free */
    size_t size_bytes, room_bytes;
    uint64_t address; /* as the device has it */
    int64_t ends_ns;  /* of the launch that it commands; 0: none */
    unsigned flags;
} buffer;

static buffer buffers[MOST_BUFFERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t next_address = FIRST_ADDRESS;
static int64_t busy_until_ns; /* one launch after the other */
static int device;

/* Where it may, before all others: on a busy machine a launch would take longer than what is planted. */
__attribute__((constructor)) static void go_first(void)
{
    (void)sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
}

static double planted(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text ? strtod(text, NULL) : otherwise;
}

static _Atomic int64_t planted_now_ns = 1000000000; /* of the clock that nothing else moves */

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the library's are reserved */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    const int64_t look_ns = (int64_t)planted("PLANT_CLOCK_NS", 0);
    if (clock != CLOCK_MONOTONIC || !look_ns)
        return (int)syscall(SYS_clock_gettime, clock, t);
    const int64_t now = atomic_fetch_add(&planted_now_ns, look_ns) + look_ns;
    *t = (struct timespec){now / 1000000000, now % 1000000000};
    return 0;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Sleeps to shortly before, and spins the rest: to the microsecond, and a busy machine has little to
 * interrupt. */
static void wait_until(int64_t when_ns)
{
    if (planted("PLANT_CLOCK_NS", 0) > 0) {
        int64_t now = atomic_load(&planted_now_ns), slept_ns = when_ns > now ? when_ns - now : 0;
        while (now < when_ns && !atomic_compare_exchange_weak(&planted_now_ns, &now, when_ns)) {
        }
        /* Sleeps as long, too: roofline refuses samples that are longer than the time that passed. */
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){slept_ns / 1000000000, slept_ns % 1000000000},
                        NULL);
        return;
    }
    int64_t until_ns = when_ns - WAIT_NS;
    prctl(PR_SET_TIMERSLACK, 1UL);
    const struct timespec t = {until_ns / 1000000000, until_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
    }
    while (now_ns() < when_ns) {
    }
}

static buffer *at_address(uint64_t address, size_t bytes)
{
    for (size_t i = 1; i < MOST_BUFFERS; i++)
        if (buffers[i].bytes && address >= buffers[i].address &&
            address + bytes <= buffers[i].address + buffers[i].room_bytes)
            return &buffers[i];
    return NULL;
}

static buffer *of_handle(xclBufferHandle handle)
{
    return handle < MOST_BUFFERS && buffers[handle].bytes ? &buffers[handle] : NULL;
}

/* --- the device
 * ------------------------------------------------------------------------------------------- */

unsigned xclProbe(void)
{
    return (unsigned)planted("PLANT_DEVICES", 1);
}

xclDeviceHandle xclOpen(unsigned index, const char *log, enum xclVerbosityLevel level)
{
    (void)index, (void)log, (void)level;
    return &device;
}

void xclClose(xclDeviceHandle handle)
{
    (void)handle;
}

int xclLockDevice(xclDeviceHandle handle)
{
    (void)handle;
    return 0;
}

int xclUnlockDevice(xclDeviceHandle handle)
{
    (void)handle;
    return 0;
}

int xclGetDeviceInfo2(xclDeviceHandle handle, struct xclDeviceInfo2 *info)
{
    (void)handle;
    *info = (struct xclDeviceInfo2){.mName = "stand-in", .mDataAlignment = PAGE_BYTES};
    return 0;
}

int xclLoadXclBin(xclDeviceHandle handle, const struct axlf *xclbin)
{
    (void)handle, (void)xclbin;
    return 0;
}

int xclIPName2Index(xclDeviceHandle handle, const char *name)
{
    (void)handle, (void)name;
    return 0;
}

int xclOpenContext(xclDeviceHandle handle, const xuid_t id, unsigned ip, bool shared)
{
    (void)handle, (void)id, (void)ip, (void)shared;
    return 0;
}

int xclCloseContext(xclDeviceHandle handle, const xuid_t id, unsigned ip)
{
    (void)handle, (void)id, (void)ip;
    return 0;
}

static size_t last_code_bytes; /* of what was launched last */

static uint32_t read_register(uint64_t offset)
{
    const char *text = getenv("PLANT_FINGERPRINT");
    uint64_t fingerprint = text ? strtoull(text, NULL, 16) : 0;
    switch (offset & REGISTERS_MASK) {
    case REGISTER_FINGERPRINT_LOW:
        return (uint32_t)fingerprint;
    case REGISTER_FINGERPRINT_HIGH:
        return (uint32_t)(fingerprint >> 32);
    case REGISTER_CYCLES_LOW:
        return (uint32_t)(planted("PLANT_CYCLES_PER_BYTE", 0) * (double)last_code_bytes);
    default:
        return 0;
    }
}

int xclRegRead(xclDeviceHandle handle, uint32_t ip, uint32_t offset, uint32_t *value)
{
    (void)handle, (void)ip;
    *value = read_register(offset);
    return 0;
}

int xclRegWrite(xclDeviceHandle handle, uint32_t ip, uint32_t offset, uint32_t value)
{
    (void)handle, (void)ip, (void)offset, (void)value;
    return 0;
}

size_t xclRead(xclDeviceHandle handle, enum xclAddressSpace space, uint64_t offset, void *out, size_t bytes)
{
    (void)handle, (void)space;
    for (size_t i = 0; i + sizeof(uint32_t) <= bytes; i += sizeof(uint32_t)) {
        uint32_t value = read_register(offset + i);
        memcpy((char *)out + i, &value, sizeof value);
    }
    return bytes;
}

size_t xclWrite(xclDeviceHandle handle, enum xclAddressSpace space, uint64_t offset, const void *from,
                size_t bytes)
{
    (void)handle, (void)space, (void)offset, (void)from;
    return bytes;
}

/* --- its memory
 * ------------------------------------------------------------------------------------------- */

xclBufferHandle xclAllocBO(xclDeviceHandle handle, size_t bytes, int unused, unsigned flags)
{
    xclBufferHandle i = 1;
    (void)handle, (void)unused;
    pthread_mutex_lock(&lock);
    while (i < MOST_BUFFERS && buffers[i].bytes)
        i++;
    size_t room = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
    void *memory = i < MOST_BUFFERS
                       ? mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                       : MAP_FAILED;
    if (memory != MAP_FAILED) {
        buffers[i] = (buffer){memory, bytes, room, next_address, 0, flags};
        next_address += room + PAGE_BYTES;
    }
    pthread_mutex_unlock(&lock);
    return memory != MAP_FAILED ? i : (xclBufferHandle)-1;
}

/* Its pages stay: VART unmaps them itself. */
void xclFreeBO(xclDeviceHandle handle, xclBufferHandle b)
{
    (void)handle;
    if (of_handle(b))
        buffers[b].bytes = NULL;
}

void *xclMapBO(xclDeviceHandle handle, xclBufferHandle b, bool write)
{
    (void)handle, (void)write;
    return of_handle(b) ? buffers[b].bytes : NULL;
}

int xclUnmapBO(xclDeviceHandle handle, xclBufferHandle b, void *address)
{
    (void)handle, (void)b, (void)address;
    return 0;
}

int xclSyncBO(xclDeviceHandle handle, xclBufferHandle b, enum xclBOSyncDirection direction, size_t bytes,
              size_t offset)
{
    double us = planted("PLANT_COPY_US", 0);
    (void)handle, (void)b, (void)direction, (void)bytes, (void)offset;
    if (us > 0)
        wait_until(now_ns() + (int64_t)(us * 1e3));
    return 0;
}

int xclGetBOProperties(xclDeviceHandle handle, xclBufferHandle b, struct xclBOProperties *out)
{
    (void)handle;
    if (!of_handle(b))
        return -EINVAL;
    *out = (struct xclBOProperties){
        .handle = b, .flags = buffers[b].flags, .size = buffers[b].size_bytes, .paddr = buffers[b].address};
    return 0;
}

ssize_t xclUnmgdPwrite(xclDeviceHandle handle, unsigned flags, const void *from, size_t bytes,
                       uint64_t address)
{
    buffer *b = at_address(address, bytes);
    (void)handle, (void)flags;
    if (!b)
        return -EINVAL;
    memcpy(b->bytes + (address - b->address), from, bytes);
    return 0;
}

ssize_t xclUnmgdPread(xclDeviceHandle handle, unsigned flags, void *out, size_t bytes, uint64_t address)
{
    const buffer *b = at_address(address, bytes);
    (void)handle, (void)flags;
    if (!b)
        return -EINVAL;
    memcpy(out, b->bytes + (address - b->address), bytes);
    return 0;
}

/* --- launches
 * --------------------------------------------------------------------------------------------- */

/* The command has pairs of a register and its value behind the masks. */
static size_t code_bytes_of(const struct ert_start_kernel_cmd *c)
{
    uint64_t address = 0;
    for (uint32_t i = c->extra_cu_masks; c->opcode == ERT_EXEC_WRITE && i + 1 < c->count; i += 2) {
        if (c->data[i] == REGISTER_CODE_LOW)
            address |= c->data[i + 1];
        else if (c->data[i] == REGISTER_CODE_HIGH)
            address |= (uint64_t)c->data[i + 1] << 32;
    }
    const buffer *code = at_address(address, 1);
    return code ? code->size_bytes : 0;
}

int xclExecBuf(xclDeviceHandle handle, xclBufferHandle b)
{
    (void)handle;
    pthread_mutex_lock(&lock);
    if (of_handle(b)) {
        const struct ert_start_kernel_cmd *c = (const void *)buffers[b].bytes;
        last_code_bytes = code_bytes_of(c);
        double ns =
            1e3 * planted("PLANT_LAUNCH_US", 50) + planted("PLANT_NS_PER_BYTE", 0) * (double)last_code_bytes;
        int64_t now = now_ns();
        busy_until_ns = (busy_until_ns > now ? busy_until_ns : now) + (int64_t)ns;
        buffers[b].ends_ns = busy_until_ns;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

/* Of those that run, the one that ends first. */
static buffer *next_to_end(void)
{
    buffer *next = NULL;
    for (size_t i = 1; i < MOST_BUFFERS; i++)
        if (buffers[i].bytes && buffers[i].ends_ns && (!next || buffers[i].ends_ns < next->ends_ns))
            next = &buffers[i];
    return next;
}

int xclExecWait(xclDeviceHandle handle, int timeout_ms)
{
    (void)handle;
    if (planted("PLANT_HANG", 0) > 0) {
        wait_until(now_ns() + (int64_t)timeout_ms * 1000000);
        return 0;
    }
    pthread_mutex_lock(&lock);
    buffer *next = next_to_end();
    int64_t ends_ns = next ? next->ends_ns : 0;
    pthread_mutex_unlock(&lock);
    if (!next)
        return 0;
    wait_until(ends_ns);
    pthread_mutex_lock(&lock);
    if (next->ends_ns == ends_ns) { /* else another thread was here */
        next->ends_ns = 0;
        ((struct ert_packet *)(void *)next->bytes)->state = ERT_CMD_STATE_COMPLETED;
    }
    pthread_mutex_unlock(&lock);
    return 1;
}
