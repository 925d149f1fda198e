/* The two sentences on top of every report: what the network takes, ideally and at best, and what binds it, by how much. */
#include "core/error.h"
#include "core/quantity.h"
#include "model/engine.h"
#include "model/predictor.h"
#include "model/schedule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void format_rate(char *text, size_t size, double per_s)
{
    if (isnan(per_s))
        snprintf(text, size, "?");
    else if (per_s < 100)
        snprintf(text, size, "%.*f", per_s < 10 ? 2 : 1, per_s);
    else
        count_format(text, size, (uint64_t)(per_s + 0.5));
}

/* "DPUCZDX8G B4096 @ 300 MHz (board assumed: KV260)". A stream that was compiled for another array keeps that array. */
static const char *where(predictor *p)
{
    const roof_prediction *out = p->prediction;
    const char *board = out->hardware.board;
    char clock[40];
    bool named = board[0] && !strstr(out->hardware.name, board), own_array = p->view.array != p->hw;
    quantity_format(clock, sizeof clock, p->view.clock_hz, "Hz");
    const char *before = !named ? "" : roof_hw_board_is_assumed(p->hw) ? " (board assumed: " : " (";
    return arena_printf(p->arena, "%s%s%s @ %s%s%s%s", own_array ? roof_hw_name(p->view.array) : "",
                        own_array ? ", which it was compiled for, in place of " : "", out->hardware.name,
                        clock, before, named ? board : "", named ? ")" : "");
}

/* "; expect 2.95 ms (2.65 ms to 3.29 ms)" */
static void format_expected(const roof_prediction *out, char *text, size_t size)
{
    char time[40], low[40], high[40];
    const double *ci95_s = out->total.predicted_ci95_s;
    text[0] = '\0';
    if (isnan(out->total.predicted_s))
        return;
    quantity_format(time, sizeof time, out->total.predicted_s, "s");
    quantity_format(low, sizeof low, ci95_s[0], "s");
    quantity_format(high, sizeof high, ci95_s[1], "s");
    if (isnan(ci95_s[0]) || isnan(ci95_s[1]))
        snprintf(text, size, "; expect %s", time);
    else
        snprintf(text, size, "; expect %s (%s to %s)", time, low, high);
}

static roof_status first_sentence(predictor *p)
{
    roof_prediction *out = p->prediction;
    const roof_yield *yield = &out->total.yield;
    char time[80], best[40], batch[48] = "", rate[80], expected[140];
    const char *place = where(p), *cores = p->view.cores > 1 ? " with all cores" : "";
    if (!place)
        return error_memory(p->err);
    quantity_format(time, sizeof time, out->total.deployed.ideal_s, "s");
    quantity_format(best, sizeof best, roof_best_s(out), "s");
    if (yield->time)
        snprintf(time + strlen(time), sizeof time - strlen(time), " (%.20s)", yield->time);
    format_rate(rate, sizeof rate, roof_yield_per_s(out));
    snprintf(rate + strlen(rate), sizeof rate - strlen(rate), " %.20ss/s",
             yield->unit ? yield->unit : "inference");
    if (p->fit.batch > 1)
        snprintf(batch, sizeof batch, " for a batch of %u", p->fit.batch);
    format_expected(out, expected, sizeof expected);
    if (out->total.deployed.ideal_cycles == 0 || out->total.deployed.ideal_cycles == ROOF_UNKNOWN)
        out->verdict[0] = arena_printf(p->arena, "%s on %s: no time to predict", out->model.name, place);
    else if (out->estimate_of)
        out->verdict[0] = arena_printf(p->arena, "%s on %s: about %s%s, %s%s, an estimate of %s",
                                       out->model.name, place, time, batch, rate, cores, out->estimate_of);
    else if (!isnan(out->schedule.scheduled_s))
        out->verdict[0] = arena_printf(p->arena, "%s on %s: at best %s%s, %s%s%s", out->model.name, place,
                                       best, batch, rate, cores, expected);
    else
        out->verdict[0] = arena_printf(p->arena, "%s on %s: ideal %s layer by layer%s, %s%s; at best %s%s",
                                       out->model.name, place, time, batch, rate, cores, best, expected);
    return ROOF_OK;
}

/* What part of the ideal time the layers take that an engine binds. */
typedef struct share {
    double ratio;
    uint32_t layers;
} share;

static share share_bound_by(const roof_prediction *out, uint32_t engine)
{
    share s = {0};
    for (uint32_t i = 0; i < out->n_layers; i++) {
        if (out->layers[i].deployed.bound != engine)
            continue;
        s.ratio += roof_layer_ideal_cycles(&out->layers[i]) / (double)out->total.deployed.ideal_cycles;
        s.layers += !out->layers[i].is_remainder; /* instructions that no layer owns take time as well */
    }
    return s;
}

static uint32_t second_binder(const roof_prediction *out, uint32_t first)
{
    uint32_t best = ROOF_NONE;
    double most = 0;
    for (uint32_t e = 0; e < out->n_engines; e++) {
        double ratio = e == first ? 0 : share_bound_by(out, e).ratio;
        if (ratio > most) {
            most = ratio;
            best = e;
        }
    }
    return best;
}

/* What a roofline with a single peak would say: all MACs at the array's peak, nothing else. */
static double single_peak_s(const predictor *p)
{
    uint64_t macs = p->prediction->total.macs;
    bool is_known = p->prediction->total.deployed.cycles[ROOF_ENGINE_ARRAY] != ROOF_UNKNOWN;
    return macs == ROOF_UNKNOWN || !is_known ? 0
                                             : 2.0 * (double)macs / p->prediction->hardware.peak_ops_per_s;
}

/* What qualifies the sentence: the runner-up, the single-peak view, memory that is not known. */
static void qualify(const predictor *p, uint32_t bound, double ratio, char *text, size_t size)
{
    const roof_prediction *out = p->prediction;
    size_t used = 0;
    char peak[40];
    uint32_t second = second_binder(out, bound);
    text[0] = '\0';
    if (ratio < 0.5 && second != ROOF_NONE)
        used += (size_t)snprintf(text, size, ", then %s with %.0f %%", out->engines[second],
                                 100 * share_bound_by(out, second).ratio);
    const engine_info *binder = engine_named(out->engines[bound]);
    if (!(binder && binder->kind == ENGINE_KIND_ARRAY) && single_peak_s(p) > 0 && used < size) {
        quantity_format(peak, sizeof peak, single_peak_s(p), "s");
        used +=
            (size_t)snprintf(text + used, size - used, "; a roofline with one peak would promise %s", peak);
    }
    for (uint32_t e = 0; e < p->fit.n_binding && used < size; e++)
        if (out->total.deployed.cycles[e] == ROOF_UNKNOWN)
            used += (size_t)snprintf(text + used, size - used, "; the time of '%s' is not known and left out",
                                     out->engines[e]);
}

static void second_sentence(predictor *p)
{
    roof_prediction *out = p->prediction;
    uint32_t bound = out->total.deployed.bound;
    char rest[256];
    if (out->total.deployed.ideal_cycles == ROOF_UNKNOWN) {
        out->verdict[1] =
            "What binds is not known: the file tells neither bytes nor cycles of what the accelerator runs.";
        return;
    }
    if (bound == ROOF_NONE) {
        out->verdict[1] = "Nothing binds: no layer takes time on the accelerator.";
        return;
    }
    share s = share_bound_by(out, bound);
    const engine_info *binder = engine_named(out->engines[bound]);
    bool is_scheduled = !isnan(out->schedule.scheduled_s);
    qualify(p, bound, s.ratio, rest, sizeof rest);
    out->verdict[1] = arena_printf(
        p->arena, "%s binds%s: %s %.0f %% of the ideal time (%u of %u layers)%s%s%s.",
        binder && binder->subject ? binder->subject : out->engines[bound], s.ratio < 0.5 ? " most" : "",
        binder ? binder->clause : "its layers set", 100 * s.ratio, s.layers, out->total.layers, rest,
        is_scheduled ? "; the critical path is " : "", is_scheduled ? schedule_path(out, p->arena) : "");
}

roof_status predictor_verdict(predictor *p)
{
    TRY(first_sentence(p));
    second_sentence(p);
    return ROOF_OK;
}
