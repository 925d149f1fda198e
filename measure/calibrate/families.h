/* measure/calibrate/families.h - networks that err alike, as the depths of one ResNet, or a block with three
 * sizes of its kernel: one witness for a network of another family (roofline/calibration.h, "The interval").
 *
 * Units: a scatter is the standard deviation of ln(measured / predicted).
 */
#pragma once

#include "core/core.h"
#include "roofline/calibration.h"
#include "roofline/reconcile.h"

/* family[i] becomes the first experiment of the family of experiment i. Alike are networks
 *   - with one label (model.family of the measured document); with two labels they never are,
 *   - of one graph,
 *   - whose rows are of the same kinds in the same order (operators, stride above 1, a repeated block once),
 *   - whose times depend on the constants alike: the cosine of their shares is above 0.97.
 * Any rule joins. shares: n_shares of each experiment, in a row; 0 for one without a prediction. arena: of
 * what is needed on the way. Errors: E_NO_MEMORY. */
roof_status families_find(const roof_reconciliation *r, const double *shares, size_t n_shares,
                          uint32_t *family, roof_arena *arena, roof_error *err);

/* An observation as it moves with the constants. */
typedef struct family_row {
    uint32_t family;
    double scatter;         /* of its own, beside that of its family */
    const double *gradient; /* d ln(expected) / d x of each constant */
} family_row;

/* The covariance of n_constants constants after all observations, of families that scatter by family_scatter:
 *   C = (diag(1 / prior_width^2) + sum over families of J' V^-1 J)^-1
 *   V = diag(scatter^2) + family_scatter^2 1 1'
 * families: more than every row's family. Errors: E_NO_MEMORY, E_DATA where a number is not finite. */
typedef struct family_data {
    const family_row *rows;
    size_t n_rows;
    uint32_t families, n_constants;
    const double *prior_width;
    double family_scatter;
} family_data;
roof_status families_covariance(const family_data *data,
                                double covariance[ROOF_MAX_PARAMETERS][ROOF_MAX_PARAMETERS], roof_error *err);
