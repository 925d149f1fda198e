/* measure/npu_final.h - the final part of what npu_profiler.py prints: the whole network, planned and measured, and the
 * bytes of each memory pool.
 */
#ifndef ROOF_MEASURE_NPU_FINAL_H
#define ROOF_MEASURE_NPU_FINAL_H

#include "measure/fields.h"
#include "measure/profile.h"

/* Numbers of the final part; NaN where there is none. */
enum {
    ROOF_NPU_FINAL_MS, /* duration, that of the NPU in the core phase, its percentage */
    ROOF_NPU_FINAL_MCU = ROOF_NPU_FINAL_MS + 3,   /* cycles, and those of the core phase */
    ROOF_NPU_FINAL_NPU = ROOF_NPU_FINAL_MCU + 2,  /* likewise */
    ROOF_NPU_FINAL_PLAN = ROOF_NPU_FINAL_NPU + 2, /* cycles, cycles with ideal memory, operations */
    ROOF_NPU_FINAL_NUMBERS = ROOF_NPU_FINAL_PLAN + 3
};

enum { ROOF_NPU_MOST_POOLS = 64 };

typedef struct roof_npu_pool {
    const char *name;
    uint64_t bytes[2]; /* read, written */
} roof_npu_pool;

typedef struct roof_npu_final {
    double numbers[ROOF_NPU_FINAL_NUMBERS];
    roof_npu_pool pools[ROOF_NPU_MOST_POOLS];
    uint32_t n_pools;
    uint64_t line;      /* of the measured cycles */
    bool headed, ended; /* behind the first heading of a part of it, behind its last line */
    uint64_t n_skipped, first_skipped_line;
} roof_npu_final;

bool roof_npu_final_begins(roof_span message);
void roof_npu_final_begin(roof_npu_final *f);

/* One line of it. Errors: E_DATA (a line that is known but not as it should be, a total that is not that of the pools),
 * E_LIMIT (more than 64 pools), E_NO_MEMORY. */
roof_status roof_npu_final_line(roof_npu_final *f, roof_measured *m, roof_span message, uint64_t line,
                                roof_error *err);

/* Total, phases and events of a run. The phases of its rows, where they are all there, are set already.
 * Errors: E_DATA with the line (cycles that do not take the duration), E_NO_MEMORY. */
roof_status roof_npu_final_set(const roof_npu_final *f, roof_measured *m, double mcu_hz, roof_run *run,
                               roof_error *err);

#endif
