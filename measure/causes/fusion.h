/* measure/causes/fusion.h - rows of a profile that a compiler could have made a part of the layer before them. */
#ifndef ROOF_MEASURE_CAUSES_FUSION_H
#define ROOF_MEASURE_CAUSES_FUSION_H

#include "roofline/measured.h"

/* Marks in is_part, which has a place for each row, what only normalises or activates what the convolution or product right before it
 * made: rows that stand for one operator each, in the order of execution. Returns behind how many such layers they stand; 0 where the
 * order is not known. */
uint32_t fusion_find(const roof_run *run, bool *is_part);

#endif
