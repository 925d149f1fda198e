/* tests/support/curves.h - curves of language models made up in memory, so that what shows them can be tested
 * without what computes them.
 *
 * Ownership: for roof_curve_free.
 */
#ifndef ROOF_TESTS_CURVES_H
#define ROOF_TESTS_CURVES_H

#include "roofline/language.h"

/* A model of 1.24 G parameters whose steps and prompts are expected, with measured points beside, some of
 * them between two points; a session, a draft, an anchor. 128k does not fit. */
roof_curve *curves_known(void);

/* The same of another attention class: nothing is expected, nor known of where memory ends. */
roof_curve *curves_bound_only(void);

/* Steps alone, at each of the contexts; all is expected. */
roof_curve *curves_of_steps(const uint32_t *contexts, uint32_t n);

/* So many points, at 1k, 2k, 3k and on, of steps and as many of prompts. */
roof_curve *curves_long(uint32_t n);

#endif
