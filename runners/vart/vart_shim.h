/* runners/vart/vart_shim.h - parts of VART and XIR, which have no interface for C, for roofline-run-vart.
 *
 * Units: _s seconds.
 * Ownership: models and tasks are closed by the caller that opened them; a model outlives its tasks, and
 * texts live with their model.
 * Errors: NULL or false, and vart_why says what it was. Where VART itself gives up, for want of a device or
 * at a broken file, it ends the process: its last words on standard error are what there is to know.
 */
#pragma once

#include "roofline/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

ROOF_BEGIN_C

/* A subgraph of a DPU, or a layer inside of one. */
typedef struct vart_part {
    const char *name;
    uint64_t workload_ops; /* as the file states it; 0: none */
    uint64_t code_bytes;   /* of its own instructions */
    bool is_missing;       /* it is listed and not there, which debug mode ends the process for */
} vart_part;

typedef struct vart_model vart_model;
typedef struct vart_task vart_task; /* one subgraph, ready to run */

enum { VART_WRITE, VART_RUN, VART_READ, VART_PHASES };

/* How a subgraph is to be run. */
typedef struct vart_how {
    const char *library; /* that runs a DPU, by its soname; NULL: libvart-dpu-runner.so.2 */
    long core;           /* of the device; negative: as VART likes */
    uint64_t seed;       /* of the inputs' random data */
} vart_how;

/* The message of the last function that failed in this thread. */
const char *vart_why(void);

/* "2.5.0", by the name of the library that is loaded. */
const char *vart_version(void);

/* The name of the DPU, and how many cores it has. Ends the process where VART finds none. */
bool vart_find_device(char *name, size_t size, uint32_t *n_cores);

vart_model *vart_model_open(const char *path);
void vart_model_close(vart_model *model);

/* The subgraphs of a DPU, in the order of execution; no others are ever run. */
uint32_t vart_count_subgraphs(const vart_model *model);

/* The layers of one of them, in the order in which debug mode launches them. */
uint32_t vart_count_layers(const vart_model *model, uint32_t subgraph);
vart_part vart_layer(const vart_model *model, uint32_t subgraph, uint32_t layer);

/* Loads the library that runs it: what that one reads of the environment has to be set before. */
vart_task *vart_task_open(const vart_model *model, uint32_t subgraph, const vart_how *how);
void vart_task_close(vart_task *task);

/* Images of one run. */
uint32_t vart_task_batch(const vart_task *task);

/* Once: copies its inputs to the device, runs, copies its outputs back. Each takes so long. */
bool vart_task_run(vart_task *task, double phases_s[VART_PHASES]);

/* ---- launches.c: when the device was started and when it was done, seen on the way from VART to XRT ----
 *
 * VART starts a DPU with xclExecBuf and waits for it with xclExecWait. Our own functions of these names come
 * first in the order in which a program's symbols are found, look at the clock, and go on to XRT's. In debug
 * mode that is once for each layer.
 * Units: seconds; cycles of the clock of the DPU's AXI interface.
 */

/* From now on: launches are counted, and the times of the first `room` of them kept, each NaN until it was
 * waited for. With more than one thread there must be no room. counts: in place of times the cycles that the
 * device counts, as VART reads them from its registers when XLNX_SHOW_DPU_COUNTER is 1. */
void launches_watch(double *times_s, uint32_t room, bool counts);

/* How many there were. */
uint32_t launches_seen(void);

ROOF_END_C
