/* tests/reference/study.h - the studies of examples/, read, predicted and reconciled.
 *
 * Ownership: what study_open gives is closed by study_close.
 */
#ifndef ROOF_TESTS_STUDY_H
#define ROOF_TESTS_STUDY_H

#include "roofline/calibrate.h"
#include "tests/unit/fixture.h"

typedef struct study {
    roof_measured *measured;
    roof_prediction **predictions; /* of each experiment */
    roof_reconciliation *r;
} study;

/* As the profile, or the predictions, are now. */
static inline void study_reconcile(study *s)
{
    roof_error err;
    roof_reconciliation_free(s->r);
    s->r = NULL;
    if (roof_reconcile(s->measured, (const roof_prediction *const *)s->predictions, NULL, &s->r, &err) !=
        ROOF_OK)
        fail_msg("%s", fx_message(&err));
}

static inline study study_open(const char *name)
{
    study s = {0};
    char path[4096];
    roof_error err;
    bool borrowed;
    snprintf(path, sizeof path, "%s/examples/%s/measured.json", getenv("ROOFLINE_SOURCE_DIR"), name);
    if (roof_measured_read(path, &s.measured, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    s.predictions = calloc(s.measured->n_experiments, sizeof *s.predictions);
    assert_non_null(s.predictions);
    for (uint32_t i = 0; i < s.measured->n_experiments; i++)
        if (roof_experiment_predict(&s.measured->experiments[i], NULL, NULL, NULL, &s.predictions[i],
                                    &borrowed, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
    study_reconcile(&s);
    return s;
}

static inline void study_close(study *s)
{
    roof_reconciliation_free(s->r);
    for (uint32_t i = 0; i < s->measured->n_experiments; i++)
        roof_prediction_free(s->predictions[i]);
    free(s->predictions);
    roof_measured_free(s->measured);
}

#endif
