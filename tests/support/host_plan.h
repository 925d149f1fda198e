/* tests/support/host_plan.h - plans of a Neural-ART in which the host does what rows say, as c_info.json, and
 * what was measured of such rows. For programs with cmocka.
 */
#ifndef ROOF_TESTS_SUPPORT_HOST_PLAN_H
#define ROOF_TESTS_SUPPORT_HOST_PLAN_H

#include "roofline/prediction.h"

/* An epoch with one operator of the host, or with a second one of which nothing is known: "Softmax+Split".
 * Shapes as text, "1,4,1029"; NULL: the file lists no such buffer. */
typedef struct hp_row {
    const char *kind, *mapping; /* "Softmax", "NODE_SW" */
    const char *input, *output;
    unsigned input_bits, output_bits;
} hp_row;

/* The document behind an epoch of the accelerator; the caller frees it. */
char *hp_write(const hp_row *rows, unsigned n);

/* Of the plan of rows on hardware, with a batch: layers[i + 1] is rows[i]. The caller frees it. */
roof_prediction *hp_predict(const hp_row *rows, unsigned n, const char *hardware, uint32_t batch);

/* Every software and hybrid epoch that was published with its time: 13 of YOLOv8n micro at 224x224, 3 of
 * MobileNetV2 at 224x224 by two compilers. Elements are those of the networks' graphs. Source:
 * ../shared/data/measured/n6_epochs.csv, where file and epoch are from. */
typedef struct hp_measured {
    const char *file, *epoch, *hardware; /* hardware: with the clock that it was measured at */
    hp_row row;
    double host_cycles; /* before, while and after the accelerator's part */
    const char *kind;   /* as host_op.KIND has it */
    double count;       /* in what its rate is of */
} hp_measured;

enum { HP_MEASURED = 19 };
extern const hp_measured hp_measured_rows[HP_MEASURED];

#endif
