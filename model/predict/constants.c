/* The hardware as a prediction describes it: each engine's most, and every value with its source. */
#include "core/error.h"
#include "core/named.h"
#include "core/span.h"
#include "model/graph/format.h"
#include "model/predict/predictor.h"

#include <math.h>
#include <string.h>

typedef struct what_if {
    const char *key, *unit;
    double value; /* 0: not requested */
} what_if;

/* The value that counts: that of the hardware, or the caller's in its place. */
static roof_status add_constant(predictor *p, const roof_quantity *q, const what_if *requested,
                                size_t n_requested)
{
    roof_quantity *constants =
        arena_grow(p->arena, p->out->hardware.constants, p->out->hardware.n_constants, sizeof *q);
    TRY(ALLOCATED(constants, p->err));
    roof_quantity *c = &constants[p->out->hardware.n_constants++];
    p->out->hardware.constants = constants;
    *c = *q;
    for (size_t i = 0; i < n_requested; i++)
        if (requested[i].value > 0 && strcmp(requested[i].key, q->key) == 0) {
            c->value = requested[i].value;
            c->kind = ROOF_KIND_ASSUMED;
            c->source = "requested, in place of the device's own";
            c->caveat = NULL; /* it was said of the value of the hardware */
        }
    c->key = arena_strdup(p->arena, c->key);
    c->unit = arena_strdup(p->arena, c->unit);
    c->source = arena_strdup(p->arena, c->source);
    c->caveat = c->caveat ? arena_strdup(p->arena, c->caveat) : NULL;
    return arena_status(p->arena, p->err);
}

/* True for keys that make no time here: resources of a device and of a core, by which boards are built; and
 * constants that only make times of uncompiled graphs in epochs. */
static bool is_of_others(const predictor *p, const char *key)
{
    return strncmp(key, "device.", strlen("device.")) == 0 ||
           strncmp(key, "resource.", strlen("resource.")) == 0 ||
           (!p->program.epochs && strncmp(key, "expect.", strlen("expect.")) == 0 && strstr(key, ".epochs."));
}

/* Constants of stacks that run language models: a device has several, and they say nothing of other
 * networks. */
static bool is_of_language(const char *key)
{
    text_span rest = span_of(key);
    if (!span_skip(&rest, "expect."))
        return false;
    (void)span_take_until(&rest, ".");
    const text_span method = span_take_until(&rest, ".");
    return span_is(method, "decode") || span_begins(method, "prefill");
}

/* Array and board may be two entries: each key counts where the law would look for it. */
static roof_status add_constants(predictor *p)
{
    const roof_predict_options *o = &p->out->options;
    const what_if requested[] = {{"clock", "Hz", o->clock_hz},
                                 {"cores", "count", o->cores},
                                 {"ddr.bandwidth", "B/s", o->bandwidth_bytes_per_s}};
    const size_t n_requested = sizeof requested / sizeof *requested;
    const roof_hw *const entries[] = {p->view.board, p->view.array};
    for (size_t e = 0; e < (entries[0] == entries[1] ? 1 : 2); e++)
        for (size_t i = 0; roof_hw_at(entries[e], i); i++) {
            const roof_quantity *q = roof_hw_at(entries[e], i);
            if (hw_view_get(&p->view, q->key) == q && !is_of_others(p, q->key) &&
                (p->graph->storage->language || !is_of_language(q->key)))
                TRY(add_constant(p, q, requested, n_requested));
        }
    for (size_t i = 0; i < n_requested; i++)
        if (requested[i].value > 0 &&
            !NAMED(p->out->hardware.constants, p->out->hardware.n_constants, key, requested[i].key)) {
            const roof_quantity absent = {.key = requested[i].key, .unit = requested[i].unit, .source = ""};
            TRY(add_constant(p, &absent, requested, n_requested));
        }
    return ROOF_OK;
}

roof_status predictor_describe_constants(predictor *p)
{
    const law_fit *fit = &p->fit;
    roof_ceiling *ceilings;
    TRY(ARENA_GET(p->arena, ceilings, fit->n_engines, p->err));
    /* engines that the hardware does not have, or of which no rate is known, have no ceiling */
    for (uint32_t e = 0; e < fit->n_engines; e++) {
        double per_s = fit->engines[e].most_per_cycle * p->view.clock_hz;
        double reached = fit->reached_per_cycle[e] * p->view.clock_hz;
        bool computes = e < fit->n_compute;
        if (!(per_s > 0))
            continue;
        ceilings[p->out->hardware.n_ceilings++] =
            (roof_ceiling){.engine = p->out->engines[e],
                           .meaning = fit->engines[e].meaning,
                           .ops_per_s = computes ? per_s : NAN,
                           .bytes_per_s = computes ? NAN : per_s,
                           .reached_per_s = reached > 0 ? reached : NAN};
    }
    p->out->hardware.ceilings = ceilings;
    p->out->hardware.has_pools = p->program.memories;
    p->out->hardware.pools = p->program.memories ? p->fit.memories : NULL;
    p->out->hardware.n_pools = p->program.memories ? fit->n_memories : 0;
    for (uint32_t i = 0; i < p->out->hardware.n_pools; i++)
        p->out->hardware.pools[i].name = arena_strdup(p->arena, p->out->hardware.pools[i].name);
    TRY(arena_status(p->arena, p->err));
    return add_constants(p);
}
