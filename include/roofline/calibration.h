/* roofline/calibration.h - how far real hardware stays behind its peaks: a few constants, fitted to measured
 * profiles, that turn an ideal time into an expected one. The document is "roofline.calibration/1"
 * (docs/schema).
 *
 * Units: _s seconds, _ratio none.
 * Ownership: a roof_calibration owns everything in it; free it with roof_calibration_free.
 *
 * Model of a layer:     t = per_layer + max over engines of (cycles / clock / efficiency of the engine)
 * of a network in a whole-network run: t = per_inference + sum over layers of the same without per_layer
 * The ports of a DPU (load, save, memory) share one efficiency: what of the peak bandwidth is left. The pools
 * of a Neural-ART are different memories; those of one kind (npuRAM3, npuRAM4, ...) share one.
 * For DPU code that can be replayed (docs/hardware/dpuczdx8g.md, "What to expect on a board"):
 *                       t = per_layer + replay of the layer's own code, and per_inference + replay of the
 *                       whole, in which an instruction is fetched fetch_cycles_per_word for each of its words
 *                       behind the one before it, and ports move efficiency.load and efficiency.save of their
 *                       width. Convolution array and ALU work at their peak.
 * For a Neural-ART plan, in per-layer and whole-network runs:
 *                       t = per_start + max over engines of (...) for what the host starts: an epoch, or a
 *                       blob of them; t = per_software_epoch for an epoch that the host runs, on top of the
 *                       rest where the NPU helps.
 * per_start is writing the configuration before an epoch and looking after it at its end. per_software_epoch
 * is one constant for whatever function it is: an order of magnitude.
 */
#ifndef ROOFLINE_CALIBRATION_H
#define ROOFLINE_CALIBRATION_H

#include "roofline/prediction.h"
#include "roofline/sink.h"

ROOF_BEGIN_C

#define ROOF_CALIBRATION_SCHEMA "roofline.calibration/1"

enum { ROOF_MAX_PARAMETERS = ROOF_MAX_ENGINES + 4 };

typedef struct roof_parameter {
    /* "efficiency.conv", "efficiency.npuRAM", "fetch_cycles_per_word", "per_layer_s", "per_inference_s",
     * "per_start_s", ... */
    const char *name;
    const char *meaning; /* for people */
    double value, ci95_low, ci95_high;
    double prior;       /* its value without data */
    double prior_width; /* standard deviation of the prior, in the transformed value */
    double most;        /* bound: the value lies in (0, most); infinite: only above 0 */
    bool determined;    /* by the data; otherwise it is what the prior makes of it, and says so */
    /* The part of an inference that it sets, |d ln(total) / d ln(value)|: the least and the largest of the
     * networks that were fitted. NaN: unknown. */
    double share_ratio[2];
} roof_parameter;

/* A model that was left out with all others of its family, and what the fit without them said of it. */
typedef struct roof_left_out {
    const char *model;
    const char *family; /* its label, or the first model of the family; NULL: unknown */
    double measured_s, predicted_s;
    double error_ratio; /* predicted_s / measured_s - 1 */
} roof_left_out;

typedef struct roof_calibration {
    const char *hardware_id; /* NULL: unknown */
    double clock_hz;         /* of the measured runs; NaN: unknown, or several */
    const char *tool;        /* that timed the layers; NULL: unknown */
    roof_parameter parameters[ROOF_MAX_PARAMETERS];
    uint32_t n_parameters;
    double covariance[ROOF_MAX_PARAMETERS][ROOF_MAX_PARAMETERS]; /* of the transformed values */
    double scatter_ratio; /* of a network of another family: standard deviation of ln(measured / predicted) */
    /* the same of what it was fitted to, which says nothing of other networks; NaN: unknown */
    double residual_ratio;
    double family_scatter; /* s of the interval; NaN: unknown */
    uint32_t families;     /* of fitted networks; 0: unknown */
    uint32_t layers, totals, dof;
    roof_left_out *left_out;
    uint32_t n_left_out;
    struct roof_arena *arena; /* private */
} roof_calibration;

/* Makes an empty one; NULL without memory. */
ROOF_API roof_calibration *roof_calibration_new(void);
ROOF_API void roof_calibration_free(roof_calibration *calibration);

/* Reads a document. path: "-" is standard input. Errors: E_DATA with a JSON pointer, E_NO_INPUT, E_IO. */
ROOF_API roof_status roof_calibration_read(const char *path, roof_calibration **out, roof_error *err);
ROOF_API roof_status roof_calibration_write(const roof_calibration *calibration, roof_sink sink,
                                            roof_error *err);

/* Parameters are fitted where they have no bounds: ln(v) or, with a bound, ln(v / (most - v)). */
ROOF_API double roof_parameter_transformed(const roof_parameter *parameter, double value);
ROOF_API double roof_parameter_value(const roof_parameter *parameter, double transformed);

/* Expected times of a prediction with a calibration. */
typedef struct roof_expected {
    double total_s, ci95_s[2]; /* of one inference, whole network */
    double per_inference_s;
    /* The parameter whose share of this network is farthest from those of the networks that were fitted,
     * where it is more than ROOF_SHARE_MARGIN outside; else ROOF_NONE. share_ratio is this network's. */
    uint32_t outside;
    double share_ratio;
} roof_expected;

#define ROOF_SHARE_MARGIN 0.1

/* layer_s: prediction->n_layers values, the expected time of each row within a whole-network run; NULL if not
 * wanted. Both are NaN where a plan has starts or software epochs and the calibration, being of another
 * family, knows nothing of them; and where the calibration is of replayed code, and the prediction has none
 * or was read from a document. Formula of the interval: total exp(-h) to total exp(h), h = t sqrt(G'
 * covariance G + scatter_ratio^2), G the gradient of ln(total)
 *   in the transformed parameters, t Student's for 97.5 % and dof. It is of a network of a family that was
 *   not fitted: scatter_ratio^2 = s^2 + 0.03^2, s^2 = (4 * 0.10^2 + sum of q) / (4 + n), dof = 4 + n, where q
 *   is the mean of ln(predicted / measured)^2 over a family that was left out of a fit of its own, for each
 *   of n families; with fewer than three families n is 0. Source: docs/hardware/dpuczdx8g.md, "Intervals",
 *   which has the evidence and a worked example (tests/unit/test_families.c).
 * Example (tests/unit/test_calibration.c): efficiencies of 0.5 and no constants double the ideal time. */
ROOF_API roof_expected roof_calibration_expect(const roof_calibration *calibration,
                                               const roof_prediction *prediction, double *layer_s);

ROOF_END_C
#endif
