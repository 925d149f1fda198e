/* measure/measured_counts.h - the members of a measured document whose keys are names of somebody else: cycles of domains,
 * phases, events. Used by the document's reader.
 *
 * Errors of all: E_DATA at the place of the member (no number, negative, a name that is there twice or cannot be a key).
 */
#ifndef ROOF_MEASURE_MEASURED_COUNTS_H
#define ROOF_MEASURE_MEASURED_COUNTS_H

#include "core/jsonbind.h"
#include "roofline/measured.h"

/* Reads the members of an object: each is called for every one that is not null, and finds a number in its event. */
roof_status named_each(json_binder *b, const json_event *event, bind_call each, void *target);

/* Whether a name may stand behind n structs that begin with theirs, of which there may be 64. */
roof_status named_check_new(json_binder *b, const char *name, const void *items, size_t n, size_t item_size);

/* {"mcu":1}: target is a roof_layer_counters. */
roof_status counters_read_cycles(json_binder *b, const json_event *event, void *target);

/* {"pre":{"mcu":1}} and {"busif0.read_bytes":1} of a layer, whose target is a roof_layer_counters, and of a run. Errors:
 * also E_LIMIT. */
roof_status counters_read_phases(json_binder *b, const json_event *event, void *target);
roof_status counters_read_events(json_binder *b, const json_event *event, void *target);
roof_status run_read_phases(json_binder *b, const json_event *event, void *target);
roof_status run_read_events(json_binder *b, const json_event *event, void *target);

#endif
