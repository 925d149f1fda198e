/* model/lower/lower_rows.h - rows of what the rules of a target say is executed. */
#ifndef ROOF_MODEL_LOWER_ROWS_H
#define ROOF_MODEL_LOWER_ROWS_H

#include "model/lower/fate.h"

/* Sets rows, in the order in which they run, their operators and what they read.
 * Errors: E_LIMIT where concatenations of concatenations name too much, E_NO_MEMORY. */
roof_status lower_rows_make(lower_state *s);

#endif
