/* model/work/sums.h - the sums of a lowered graph by which times on boards are known.
 *
 * Units: multiply-accumulates and elements of one image.
 *   A dense convolution adds its M to its class (k or 1x1), and M / cin, M / c, M / (cin c), where
 *   cin = M / (output elements * taps) and c = cout / groups are the output channels of a group, with
 *   groups = input channels / cin, rounded.
 * Source: docs/hardware/boards.md.
 * Example (tests/unit/test_sums.c): 4x4x8 by 3x3 from 3 channels: 3456, 1152, 432, 144.
 */
#ifndef ROOF_MODEL_SUMS_H
#define ROOF_MODEL_SUMS_H

#include "roofline/prediction.h"

/* All are NaN where an operator has no rule or no shape, where the host runs a part, and of NULL. */
roof_sums work_sums(const roof_program *program);

/* Adds what a row is, so many times. False: not all of it is known. */
bool work_add_row_sums(roof_sums *sums, const roof_graph *graph, const roof_row *row, uint32_t times);

#endif
