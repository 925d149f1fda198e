/* runners/xrt/kernel.h - one kernel of an xclbin, ready to be run, by one of the two ways that XRT has.
 *
 * pl_kernel: XRT's interface for C; the kernel is in the logic of an FPGA. npu_kernel: XRT's interface for
 * C++ with a context of the hardware; the kernel is a program of an NPU (Ryzen AI).
 * Units: _s seconds, _bytes bytes.
 * Errors: `why` has what it was, in words.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KERNEL_MOST_ARGUMENTS = 32, KERNEL_WHY_SIZE = 400 };

enum { KERNEL_WRITE, KERNEL_RUN, KERNEL_READ, KERNEL_PHASES };

typedef enum argument_kind {
    ARGUMENT_IN,
    ARGUMENT_OUT,
    ARGUMENT_U32,
    ARGUMENT_U64,
    ARGUMENT_KINDS
} argument_kind;

typedef struct kernel_argument {
    argument_kind kind;
    uint64_t value; /* bytes of a buffer, or the number itself */
} kernel_argument;

typedef struct kernel_request {
    const char *path, *name;  /* of the xclbin, and of the kernel in it */
    const char *instructions; /* a file of words for an NPU; NULL: none */
    unsigned device;
    bool is_random; /* inputs are random, of a seed; else they are 0 */
    uint64_t seed;
    kernel_argument arguments[KERNEL_MOST_ARGUMENTS]; /* in order; of an NPU those behind its instructions */
    uint32_t n_arguments;
} kernel_request;

typedef struct kernel_way {
    /* NULL and a code of the protocol: "no_device", "bad_model" (the xclbin), "usage" (the kernel or its
     * arguments), "no_input" or "unsupported". */
    void *(*open)(const kernel_request *request, const char **code, char why[KERNEL_WHY_SIZE]);
    /* Once: all inputs to the device, the kernel, all outputs back. */
    bool (*run)(void *kernel, double phases_s[KERNEL_PHASES], char why[KERNEL_WHY_SIZE]);
    void (*close)(void *kernel); /* NULL is allowed */
} kernel_way;

extern const kernel_way pl_kernel, npu_kernel;

#ifdef __cplusplus
}
#endif
