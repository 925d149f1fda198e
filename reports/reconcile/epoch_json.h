/* reports/reconcile/epoch_json.h - the epochs of a Neural-ART as a member of a reconciliation's document. */
#ifndef ROOF_REPORTS_EPOCH_JSON_H
#define ROOF_REPORTS_EPOCH_JSON_H

#include "core/codec.h"
#include "roofline/epochs.h"

/* Of a roof_epochs; it is written and not read. */
extern const codec_object epochs_object;

#endif
