/* tests/support/edits.h - edited networks, predicted and compared. */
#ifndef ROOF_TESTS_SUPPORT_EDITS_H
#define ROOF_TESTS_SUPPORT_EDITS_H

#include "model/edit/edit.h"
#include "tests/unit/fixture.h"

static inline roof_graph *edits_make(const roof_graph *graph, const edit *edits, uint32_t n)
{
    roof_graph *out = NULL;
    roof_error err = {0};
    if (edit_graph(graph, edits, n, &out, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return out;
}

static inline roof_prediction *edits_predict(const roof_graph *graph, const roof_hw *hw)
{
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_predict(graph, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return p;
}

/* To the last bit; NaN is NaN. */
static inline bool edits_is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Work, bytes, cycles and times of each row and of all. */
static inline bool edits_are_same(const roof_prediction *a, const roof_prediction *b)
{
    bool same = a->n_layers == b->n_layers && a->total.macs == b->total.macs &&
                a->total.ops_count == b->total.ops_count && a->total.floor_cycles == b->total.floor_cycles &&
                edits_is_same(a->total.deployed.ideal_s, b->total.deployed.ideal_s) &&
                edits_is_same(a->total.predicted_s, b->total.predicted_s);
    for (uint32_t i = 0; i < a->n_layers && same; i++) {
        const roof_layer_prediction *x = &a->layers[i], *y = &b->layers[i];
        same = x->executor == y->executor && x->macs == y->macs && x->ops_count == y->ops_count &&
               memcmp(&x->deployed.traffic, &y->deployed.traffic, sizeof x->deployed.traffic) == 0 &&
               strcmp(x->shape, y->shape) == 0 && edits_is_same(x->deployed.ideal_s, y->deployed.ideal_s) &&
               edits_is_same(x->predicted_s, y->predicted_s) && edits_is_same(x->about_s, y->about_s);
    }
    return same;
}

#endif
