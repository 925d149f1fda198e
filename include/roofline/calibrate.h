/* roofline/calibrate.h - fitting a calibration to measured profiles.
 *
 * Units: as in roofline/calibration.h.
 * Ownership: *out is freed with roof_calibration_free.
 */
#ifndef ROOFLINE_CALIBRATE_H
#define ROOFLINE_CALIBRATE_H

#include "roofline/calibration.h"
#include "roofline/reconcile.h"

ROOF_BEGIN_C

/* Fits engine efficiencies, effective bandwidth and the two constants to everything that a reconciliation
 * compares: each match of a per-layer run, and each time of a whole-network run. Where the code of all of it
 * can be replayed, the fetching of instructions and the widths of ports take the place of the engines:
 * roofline/calibration.h has both models.
 *
 * Method: least squares of ln(predicted / measured) by Levenberg-Marquardt (gsl_multifit_nlinear), with a
 *   prior for every parameter as one more observation, so that a parameter that the data do not determine
 *   stays at its prior: a parameter whose width they shrink by less than a tenth is put back to it, and it is
 *   called determined when they have halved that width. per_layer_s is bounded by the ceiling of the
 *   reconciliation, efficiencies by 1. An interval is the wider one of the curvature at the solution, where
 *   networks of a family count as one witness (roofline/calibration.h), and of the parameter's reach, with
 *   Student's t. Replays count whole cycles, so their derivatives are central differences over a hundredth of
 *   the parameter. Left out: each experiment's whole-network time, or the sum of the epochs of a plan, is
 *   predicted by a fit to the experiments of all other families. Epochs of a Neural-ART: where a profile
 *   separates phases, the one called "core" is held against the engines, with Huber's loss, and the others
 *   against per_start_s; an epoch that the host runs against per_software_epoch_s. Constants that were fitted
 *   have five significant digits, so that every processor gets the same; all else follows from these.
 * Errors: E_DATA when nothing can be compared (no prediction, no per-layer matches and no whole-network run),
 *   E_NO_MEMORY.
 * Source: priors are those of docs/hardware/dpuczdx8g.md and neural_art.md, "Behind the peaks".
 * Example: examples/kv260; tests/property/random_calibrations.c recovers planted constants.
 */
ROOF_API roof_status roof_calibrate(const roof_reconciliation *reconciliation, roof_calibration **out,
                                    roof_error *err);

ROOF_END_C
#endif
