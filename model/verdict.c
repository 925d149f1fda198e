/* The two sentences on top of every report: what the network takes at best, and what binds it, by how much.
 */
#include "core/error.h"
#include "core/quantity.h"
#include "model/predictor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *engine, *subject, *what;
} engines[] = {
    {"conv", "The convolution array", "convolutions"},
    {"alu", "The ALU", "depthwise and pooling layers"},
    {"eltwise", "The element-wise engine", "additions and products"},
    {"load", "Loading", "weights and feature maps that come in through the data ports"},
    {"save", "Saving", "feature maps that leave through the data ports"},
    {"memory", "The external memory", "bytes that all ports share"},
    {"compute", "The MAC array", "multiply-accumulates"},
};

static const char *subject_of(const char *engine)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (strcmp(engines[i].engine, engine) == 0)
            return engines[i].subject;
    return engine;
}

static const char *what_of(const char *engine)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (strcmp(engines[i].engine, engine) == 0)
            return engines[i].what;
    return "its layers";
}

static roof_status first_sentence(roof_predictor *p)
{
    const roof_prediction *out = p->prediction;
    char clock[40], time[40], batch[48] = "", rate[40] = "?";
    roof_quantity_format(clock, sizeof clock, p->view.clock_hz, "Hz");
    roof_quantity_format(time, sizeof time, out->total.deployed.ideal_s, "s");
    if (!isnan(out->total.inferences_per_s))
        snprintf(rate, sizeof rate, "%.*f",
                 out->total.inferences_per_s < 10    ? 2
                 : out->total.inferences_per_s < 100 ? 1
                                                     : 0,
                 out->total.inferences_per_s);
    if (p->batch > 1)
        snprintf(batch, sizeof batch, " for a batch of %u", p->batch);
    bool named = out->hardware.board[0] && !strstr(out->hardware.name, out->hardware.board);
    p->prediction->verdict[0] =
        roof_arena_printf(p->arena, "%s on %s @ %s%s%s%s: at best %s%s, %s inferences/s%s", out->model.name,
                          out->hardware.name, clock, named ? " (" : "", named ? out->hardware.board : "",
                          named ? ")" : "", time, batch, rate, p->view.cores > 1 ? " with all cores" : "");
    return p->prediction->verdict[0] ? ROOF_OK : roof_fail_memory(p->err);
}

static double share_bound_by(const roof_prediction *out, uint32_t engine, uint32_t *layers)
{
    double sum = 0;
    *layers = 0;
    for (uint32_t i = 0; i < out->n_layers; i++) {
        if (out->layers[i].deployed.bound != engine)
            continue;
        sum += (double)out->layers[i].deployed.ideal_cycles;
        ++*layers;
    }
    return out->total.deployed.ideal_cycles ? sum / (double)out->total.deployed.ideal_cycles : 0;
}

/* What a roofline with a single peak would say: all MACs at the array's peak, nothing else. */
static double single_peak_s(const roof_predictor *p)
{
    const roof_prediction *out = p->prediction;
    return 2.0 * (double)out->total.macs / (p->law->peak_ops_per_cycle(p->law_config) * p->view.clock_hz);
}

static roof_status second_sentence(roof_predictor *p)
{
    const roof_prediction *out = p->prediction;
    uint32_t bound = out->total.deployed.bound, layers;
    if (bound == ROOF_NONE) {
        p->prediction->verdict[1] = "Nothing binds it: no layer runs on the accelerator.";
        return ROOF_OK;
    }
    double share = share_bound_by(out, bound, &layers), peak = single_peak_s(p);
    const char *engine = out->engines[bound];
    char single[80] = "", peak_text[40];
    roof_quantity_format(peak_text, sizeof peak_text, peak, "s");
    if (strcmp(engine, "conv") != 0 && strcmp(engine, "compute") != 0 && peak > 0)
        snprintf(single, sizeof single, "; a roofline with one peak would promise %s", peak_text);
    p->prediction->verdict[1] = roof_arena_printf(
        p->arena, "%s binds: %s set %.0f %% of the ideal time (%u of %u layers)%s.", subject_of(engine),
        what_of(engine), 100 * share, layers, out->total.layers, single);
    return p->prediction->verdict[1] ? ROOF_OK : roof_fail_memory(p->err);
}

roof_status roof_predictor_verdict(roof_predictor *p)
{
    ROOF_TRY(first_sentence(p));
    return second_sentence(p);
}
