/* measure/explain/explaining.h - an explanation in the making, and its steps in their order. */
#pragma once

#include "roofline/explanation.h"
#include "core/core.h"

typedef struct explaining {
    const roof_explain_request *requested;
    roof_explanation *out;
    roof_prediction *first; /* of the first number, NULL: there is none; freed at the end */
    roof_arena *arena;
    roof_error *err;
} explaining;

/* Lays a number beside what it is held against; the first tells traits of the question as well (beside.c). */
roof_status explaining_expect(explaining *x, uint32_t i);

/* An amount that the board's entry states, or that follows from it; spread: of its logarithm. */
typedef struct stated_amount {
    double amount, spread;
    const char *name;
} stated_amount;
enum { MOST_STATED = 24 };

/* Finds those of a cause; returns how many (amounts.c). */
uint32_t explaining_amounts(explaining *x, roof_signature cause, stated_amount out[MOST_STATED]);

/* The first number is below what it is held against. */
bool explaining_is_faster(const roof_explanation *e);

/* The i-th value of an entry whose key begins so, NULL behind the last; the largest of them. */
const roof_quantity *explaining_value(const roof_hw *hw, const char *begin, size_t *i);
const roof_quantity *explaining_largest(const roof_hw *hw, const char *begin);

/* The next built-in entry of the same board in another mode, from the i-th on; freed by the caller. */
roof_hw *explaining_same_board(const roof_hw *hw, size_t *i);

/* A graph on hardware as it was measured, in a data type; NULL where that cannot be predicted. */
roof_status explaining_predict(explaining *x, const roof_explain_number *requested, const roof_hw *hw,
                               const char *data_type, roof_prediction **out);
