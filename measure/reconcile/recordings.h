/* measure/reconcile/recordings.h - runs that recorded more than one inference, or less, without telling which
 * row belongs to which. */
#ifndef ROOF_MEASURE_RECONCILE_RECORDINGS_H
#define ROOF_MEASURE_RECONCILE_RECORDINGS_H

#include "measure/reconcile/match_rows.h"
#include "measure/units/reconciler.h"

/* Makes one inference of a recording, or all of it where their number is unknown, unless its rows are
 * layers of a model, which are compared launch by launch. m: of its rows. Errors: E_NO_MEMORY. */
roof_status recordings_take(reconciler *r, roof_reconciled *e, const row_matching *m);

#endif
