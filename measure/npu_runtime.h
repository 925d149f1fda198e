/* measure/npu_runtime.h - what logs of ST's tools say of a board before they say anything of a model: its clocks, versions.
 *
 * Units: Hz.
 * Ownership: texts belong to the document.
 */
#ifndef ROOF_MEASURE_NPU_RUNTIME_H
#define ROOF_MEASURE_NPU_RUNTIME_H

#include "measure/st_report.h"

/* Begins with clocks of st_clocks_unknown. */
typedef struct npu_runtime {
    st_clocks clocks;
    bool attributes_go_on; /* on the next line */
    const char *remarked;  /* what was, a line each; NULL: nothing */
} npu_runtime;

/* "s:config:mcu_freq:800000000". False for other lines. Errors: E_DATA for what is no clock. */
bool npu_runtime_is_config(text_span message);
roof_status npu_runtime_config(npu_runtime *runtime, text_span message, roof_error *err);

/* A line of the summary of a model: "device.attrs : ...,mcu_freq=800MHz,..." has the clocks; what the tools and the runtime
 * are becomes a remark. Others are passed over. Errors: E_DATA for what is no clock, E_NO_MEMORY. */
roof_status npu_runtime_line(npu_runtime *runtime, import_state *in, text_span message, roof_error *err);

/* A clock that is repeated in whole MHz, NaN for none. Errors: E_DATA with the line when it is another one. */
roof_status npu_runtime_check(npu_runtime *runtime, st_domain domain, double mhz, uint64_t line,
                              roof_error *err);

#endif
