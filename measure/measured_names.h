/* measure/measured_names.h - the members of a measured document whose keys are names of somebody else: clocks, cycles of
 * domains, phases, events. Used by the document's codec.
 *
 * Where a target is an array, the number of its items stands behind it; a run's phases and clocks are the run's.
 * Errors of all readers: E_DATA at the place of the member (no number, negative, a name that is there twice or cannot be a
 * key), E_LIMIT. Writers write nothing where there is none.
 */
#ifndef ROOF_MEASURE_MEASURED_NAMES_H
#define ROOF_MEASURE_MEASURED_NAMES_H

#include "core/codec.h"
#include "roofline/measured.h"

/* {"mcu":800000000}: target is a roof_run. */
roof_status names_read_clocks(codec *c, const json_event *event, void *target);
void names_write_clocks(codec *c, const char *key, const void *target);

/* {"mcu":1}: target is an array of roof_domain_cycles. */
roof_status names_read_cycles(codec *c, const json_event *event, void *target);
void names_write_cycles(codec *c, const char *key, const void *target);

/* {"pre":{"mcu":1}}: target is an array of roof_phase_cycles. */
roof_status names_read_phase_cycles(codec *c, const json_event *event, void *target);
void names_write_phase_cycles(codec *c, const char *key, const void *target);

/* {"busif0.read_bytes":1}: target is an array of roof_event. */
roof_status names_read_events(codec *c, const json_event *event, void *target);
void names_write_events(codec *c, const char *key, const void *target);

/* {"run_s":0.01}, {"ipu_s":"accelerator"} and {"conv_s":"ipu_s"}, read in any order; target is the roof_run. */
roof_status names_read_phases(codec *c, const json_event *event, void *target);
roof_status names_read_kinds(codec *c, const json_event *event, void *target);
roof_status names_read_parents(codec *c, const json_event *event, void *target);
void names_write_phases(codec *c, const char *key, const void *target);
void names_write_kinds(codec *c, const char *key, const void *target);
void names_write_parents(codec *c, const char *key, const void *target);

#endif
