/* measure/npu_final.h - the final part of what npu_profiler.py prints: the whole network, planned and measured, and the
 * bytes of each memory pool.
 */
#ifndef ROOF_MEASURE_NPU_FINAL_H
#define ROOF_MEASURE_NPU_FINAL_H

#include "measure/fields.h"
#include "measure/profile.h"

/* Numbers of the final part; NaN where there is none. */
enum {
    NPU_FINAL_MS,                       /* duration, that of the NPU in the core phase, its percentage */
    NPU_FINAL_MCU = NPU_FINAL_MS + 3,   /* cycles, and those of the core phase */
    NPU_FINAL_NPU = NPU_FINAL_MCU + 2,  /* likewise */
    NPU_FINAL_PLAN = NPU_FINAL_NPU + 2, /* cycles, cycles with ideal memory, operations */
    NPU_FINAL_NUMBERS = NPU_FINAL_PLAN + 3
};

enum { NPU_MOST_POOLS = 64 };

typedef struct npu_pool {
    const char *name;
    uint64_t bytes[2]; /* read, written */
} npu_pool;

typedef struct npu_final {
    double numbers[NPU_FINAL_NUMBERS];
    npu_pool pools[NPU_MOST_POOLS];
    uint32_t n_pools;
    uint64_t line;      /* of the measured cycles */
    bool headed, ended; /* behind the first heading of a part of it, behind its last line */
    uint64_t n_skipped, first_skipped_line;
} npu_final;

bool npu_final_begins(text_span message);
void npu_final_begin(npu_final *f);

/* One line of it. Errors: E_DATA (a line that is known but not as it should be, a total that is not that of the pools),
 * E_LIMIT (more than 64 pools), E_NO_MEMORY. */
roof_status npu_final_line(npu_final *f, roof_measured *m, text_span message, uint64_t line, roof_error *err);

/* Total, phases and events of a run. The phases of its rows, where they are all there, are set already.
 * Errors: E_DATA with the line (cycles that do not take the duration), E_NO_MEMORY. */
roof_status npu_final_set(const npu_final *f, roof_measured *m, double mcu_hz, roof_run *run,
                          roof_error *err);

#endif
