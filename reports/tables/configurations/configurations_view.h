/* reports/tables/configurations/configurations_view.h - the configurations of a board as sentences, one table
 * and lines below it.
 *
 * Ownership: texts are of the arena, "" without memory.
 */
#ifndef ROOF_REPORTS_CONFIGURATIONS_VIEW_H
#define ROOF_REPORTS_CONFIGURATIONS_VIEW_H

#include "core/table/grid.h"
#include "roofline/configurations.h"

/* 0: the cheapest that is enough, or what can be had; 1: what else is to be known of that; 2: what the
 * figures of other sizes and more cores rest on. NULL behind the last. */
const char *configurations_sentence(const void *document, uint32_t i, roof_arena *arena);

/* "2 x B1600", with " low DSP" where slices only multiply. */
const char *configurations_name(const roof_configuration *c, roof_arena *arena);

#endif
