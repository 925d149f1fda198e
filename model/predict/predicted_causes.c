/* Causes of time in a prediction: every rule of causes.def is asked, and the causes found are ranked.
 * docs/causes.md is made of the comments on top of the rules. */
#include "model/predict/causes/predicted_cause.h"

#define CAUSE(id) extern const predicted_cause cause_##id;
#include "model/predict/causes.def"
#undef CAUSE

static const predicted_cause *const rules[] = {
#define CAUSE(id) &cause_##id,
#include "model/predict/causes.def"
#undef CAUSE
};

roof_status predicted_causes_find(roof_prediction *p, roof_error *err)
{
    p->rows_are_timed = false;
    p->has_row_time = !roof_answer_is_bound(roof_rows_kind(p));
    p->rows_are_timed = true;
    p->causes = NULL;
    p->n_causes = 0;
    for (size_t i = 0; i < N_OF(rules); i++)
        TRY(rules[i]->find(p, err));
    causes_rank((roof_cause *)(uintptr_t)p->causes, p->n_causes);
    return ROOF_OK;
}

const char *predicted_layer_name(const void *prediction, uint32_t layer)
{
    return ((const roof_prediction *)prediction)->layers[layer].name;
}
