/* measure/reconcile/energy.h - energy of an inference. */
#ifndef ROOF_MEASURE_RECONCILE_ENERGY_H
#define ROOF_MEASURE_RECONCILE_ENERGY_H

#include "measure/units/reconciler.h"

void energy_of_experiment(reconciler *r, roof_reconciled *e);

/* Energies of different scopes stand in one table. */
void energy_note_scopes(reconciler *r);

#endif
