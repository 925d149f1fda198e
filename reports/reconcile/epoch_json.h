/* reports/reconcile/epoch_json.h - the epochs of a Neural-ART as a member of a reconciliation's document. */
#ifndef ROOF_REPORTS_EPOCH_JSON_H
#define ROOF_REPORTS_EPOCH_JSON_H

#include "core/jsonout.h"
#include "roofline/epochs.h"

/* Writes the member "epochs"; nothing for NULL. */
void markdown_epochs(jsonout *json, const roof_epochs *epochs);

#endif
