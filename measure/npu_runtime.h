/* measure/npu_runtime.h - what logs of ST's tools say of a board before they say anything of a model: its clocks, versions.
 *
 * Units: Hz.
 * Ownership: texts belong to the document.
 */
#ifndef ROOF_MEASURE_NPU_RUNTIME_H
#define ROOF_MEASURE_NPU_RUNTIME_H

#include "measure/st_report.h"

/* Begins with clocks of roof_st_clocks_unknown. */
typedef struct roof_npu_runtime {
    roof_st_clocks clocks;
    bool attributes_go_on; /* on the next line */
    const char *remarked;  /* what was, a line each; NULL: nothing */
} roof_npu_runtime;

/* "s:config:mcu_freq:800000000". False for other lines. Errors: E_DATA for what is no clock. */
bool roof_npu_runtime_is_config(roof_span message);
roof_status roof_npu_runtime_config(roof_npu_runtime *runtime, roof_span message, roof_error *err);

/* A line of the summary of a model: "device.attrs : ...,mcu_freq=800MHz,..." has the clocks; what the tools and the runtime
 * are becomes a remark. Others are passed over. Errors: E_DATA for what is no clock, E_NO_MEMORY. */
roof_status roof_npu_runtime_line(roof_npu_runtime *runtime, roof_import *in, roof_span message,
                                  roof_error *err);

/* A clock that is repeated in whole MHz, NaN for none. Errors: E_DATA with the line when it is another one. */
roof_status roof_npu_runtime_check(roof_npu_runtime *runtime, roof_st_domain domain, double mhz,
                                   uint64_t line, roof_error *err);

#endif
