/* measure/reconcile/stack_fit.h - constants of a stack by the steps of several models;
 * roofline/timed_curves.h has the law. */
#ifndef ROOF_MEASURE_RECONCILE_STACK_FIT_H
#define ROOF_MEASURE_RECONCILE_STACK_FIT_H

#include "core/arena.h"
#include "roofline/timed_curves.h"

/* A model, as far as the law asks. */
typedef struct stack_member {
    uint32_t curve, model; /* curves of one model have one number, and are left out together */
    const char *attention; /* the class of its full layers; NULL: it has none */
    double weight_bytes;   /* that a step reads, as stored */
    double layers[ROOF_MIXERS];
    double expert_layers;
    const roof_timed_point *steps;
    uint32_t n_steps;
} stack_member;

/* out: its names are set. Errors: E_NO_MEMORY. */
roof_status stack_fit_make(const stack_member *members, uint32_t n, roof_arena *arena, roof_stack_fit *out,
                           roof_error *err);

#endif
