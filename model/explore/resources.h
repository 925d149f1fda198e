/* model/explore/resources.h - what cores take of a device, and the order of what it holds;
 * include/roofline/configurations.h has the formulas.
 */
#pragma once

#include "roofline/configurations.h"

/* A core, at least: with DSP slices that add, and without (low). */
typedef struct core_needs {
    struct {
        double lut, registers, dsp;
    } high, low;
    uint32_t banks;
    double bank_bram18, bank_uram;
} core_needs;

enum { RESOURCES_MOST_BANKS = 4096 };

/* Sets what c->cores of them take, their shares and cost. The way with fewer DSP slices is taken where it
 * costs less. A device that has none of what is needed holds nothing. Example:
 * tests/unit/test_resources.c. */
void resources_take(const double device[ROOF_RESOURCES], const core_needs *core, roof_configuration *c);

/* Puts them in order, those that are held first; sets meets, is_on_front, is_fuller, and which are cheapest,
 * surest and make most. */
void resources_compare(roof_configurations *of);
