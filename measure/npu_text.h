/* measure/npu_text.h - the lines that npu_profiler.py of ST Edge AI prints, without the prefixes of its log, and numbers in
 * them.
 *
 * Ownership: spans point into the line that they were cut from.
 */
#ifndef ROOF_MEASURE_NPU_TEXT_H
#define ROOF_MEASURE_NPU_TEXT_H

#include "measure/fields.h"
#include "measure/profile.h"

/* The message of a line, trimmed: without "[I]    " and "[TARGET:1] ". level: the letter of the prefix, 'I' where there
 * is none, since the profiler prints the same to a terminal without. */
text_span npu_message(const char *text, size_t length, char *level);

/* Compares the beginning of a text with a pattern and takes what fits off it. In the pattern '#' stands for a whole
 * number up to 2^53, '~' for any of 0 or more, ' ' for blanks, which may be missing, and all else for itself. Numbers go
 * to out, one after the other. False, with nothing taken, where it does not fit; out may have changed. */
bool npu_scan(text_span *text, const char *pattern, double *out);

/* The text before the first of these characters, which is taken off; all of it where there is none. */
text_span npu_until(text_span *text, const char *stops);

/* A name for an event, which must not be there yet, and its count. Errors: E_DATA, those of layer_set_event. */
roof_status npu_layer_event(roof_measured *m, roof_measured_layer *layer, uint64_t count, roof_error *err,
                            const char *format, ...) ROOF_PRINTF(5, 6);
roof_status npu_run_event(roof_measured *m, roof_run *run, uint64_t count, roof_error *err,
                          const char *format, ...) ROOF_PRINTF(5, 6);

/* What an epoch is called: "epoch_186" as in c_info.json, or "EpochBlock_1 -> 22" for those of several, which c_info.json
 * does not have as one and reports of ST call so. */
enum { NPU_NAME_SIZE = 64 };
const char *npu_epoch_name(uint64_t first, uint64_t last, char buffer[NPU_NAME_SIZE]);

/* "NPU", "CPU" or "NPU+CPU" for the type of an epoch, "HW"; NULL for one that is not known. */
const char *npu_device(const char *type);

/* Bytes of bursts of 1, 2, 4 and 8 beats of 8 bytes, which a bus interface has. */
uint64_t npu_burst_bytes(const uint64_t bursts[4]);

/* The events of a bus interface: bytes and bursts. write: what it is of. */
roof_status npu_set_bursts(roof_measured *m, roof_measured_layer *layer, unsigned busif, bool write,
                           const uint64_t bursts[4], roof_error *err);

/* The events of the cache: hits, misses, ..., of reads or of writes. */
roof_status npu_set_cache(roof_measured *m, roof_measured_layer *layer, bool write, const uint64_t counts[4],
                          roof_error *err);

#endif
