/* model/lower/lower_residency.h - which maps a DPU's compiler keeps on chip, so that bytes are those of a
 * compiled file.
 *
 * Units: bytes; a map has one byte an element, as weights and biases do.
 *
 * A bank group holds PP banks of 2048 rows of ICP bytes; there are usually two. In memory a map takes
 *   padded = ceil(H / PP) PP W ceil(C / ICP) ICP
 * In program order what a row makes stays on chip when
 *   1. padded is at most one bank group;
 *   2. padded sizes of what stays and is still needed, with this one and one stripe of what the row streams
 *      in, are at most all groups. First come stays, nothing is evicted;
 *   3. it is not an output of the network, the host does not read it, nobody reads it in another shape, and
 *      it is no vector that a feature map is scaled by.
 * Else it is saved once, and loaded once by each row that reads it. A stripe is of
 * ceil(((PP - 1) stride + kernel) / PP) PP rows. A first layer with channel augmentation reads its input
 * OW KW / IW times, a kernel smaller than its stride only the rows that it touches. Weights are read once.
 * Source: bytes of the streams of 31 compiled DPUCZDX8G parts: 0.9 % in the mean (docs/hardware/dpuczdx8g.md,
 *   "Lowering"). Rows that overlap between stripes and instructions come on top.
 */
#ifndef ROOF_MODEL_LOWER_RESIDENCY_H
#define ROOF_MODEL_LOWER_RESIDENCY_H

#include "model/lower/fate.h"

/* The bytes of each row, by image_banks of the hardware; without these all stays that rule 3 lets stay.
 * Errors: E_NO_MEMORY, E_LIMIT. */
roof_status lower_residency(const lower_state *s, roof_traffic *traffic);

/* ---- lower_rows.c: rows of what the rules of a target say is executed. ---- */

/* Sets rows, in the order in which they run, their operators and what they read.
 * Errors: E_LIMIT where concatenations of concatenations name too much, E_NO_MEMORY. */
roof_status lower_rows_make(lower_state *s);

#endif
