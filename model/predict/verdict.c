/* The sentences on top of every report: how fast the network is and what it needs at best; what binds it, by how much; what to do
 * first, and what that gains. */
#include "core/error.h"
#include "core/quantity.h"
#include "core/say.h"
#include "model/predict/cause_facts.h"
#include "model/laws/engine.h"
#include "model/predict/causes/predicted_cause.h"
#include "model/predict/predicted_causes.h"
#include "model/predict/predictor.h"

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

/* "DPUCZDX8G B4096 @ 300 MHz (board assumed: KV260)" */
static void say_hardware(sentence *s, const predictor *p)
{
    const roof_prediction *out = p->prediction;
    const char *board = out->hardware.board, *name = roof_hw_name(p->hw);
    bool is_named = board[0] && !strstr(name, board);
    SAY(s, "{} @ {}", AS_TEXT(name), AS("Hz", p->view.clock_hz));
    if (is_named)
        SAY(s, roof_hw_board_is_assumed(p->hw) ? " (board assumed: {})" : " ({})", AS_TEXT(board));
}

static bool has_finding(const roof_prediction *out, roof_finding_kind kind)
{
    bool any = false;
    for (uint32_t i = 0; i < out->n_findings && !any; i++)
        any = out->findings[i].kind == kind;
    return any;
}

/* "resnet on KV260, DPUCZDX8G B4096 @ 300 MHz: "; code runs on no other array than the one that it was made for, whose figures are then
 * given, or an estimate from its shapes. */
static void say_subject(sentence *s, const predictor *p)
{
    const roof_prediction *out = p->prediction;
    bool is_foreign = out->model.compiled && has_finding(out, ROOF_FINDING_OTHER_TARGET);
    const char *target = p->target_hw ? roof_hw_name(p->target_hw) : p->program.target.name;
    SAY(s, "{} {}", AS_TEXT(out->model.name), AS_TEXT(is_foreign ? "does not run on " : "on "));
    say_hardware(s, p);
    if (is_foreign && p->view.array != p->hw)
        SAY(s, "; figures are for {}, which it was compiled for, at this clock", AS_TEXT(target));
    else if (is_foreign && target)
        SAY(s, ", but on {<80}, which it was compiled for", AS_TEXT(target));
    say(s, ": ");
}

/* "expect 2.95 ms (2.65 ms to 3.29 ms), 339 inferences/s, 1.8x the hardware limit of 1.63 ms" */
static void say_expected(sentence *s, const roof_prediction *out, const char *batch, bool has_rate)
{
    const roof_yield *yield = &out->total.yield;
    char rate[80];
    const double *ci95_s = out->total.predicted_ci95_s;
    double best_s = roof_best_s(out);
    SAY(s, "expect {}", AS_SECONDS(out->total.predicted_s));
    if (!isnan(ci95_s[0]) && !isnan(ci95_s[1]))
        SAY(s, " ({} to {})", AS_SECONDS(ci95_s[0]), AS_SECONDS(ci95_s[1]));
    if (has_finding(out, ROOF_FINDING_OUTSIDE_FIT))
        say(s, ", outside of what was fitted");
    say(s, batch);
    format_rate(rate, sizeof rate, out->total.predicted_inferences_per_s * (yield->unit ? yield->count : 1));
    if (has_rate)
        SAY(s, ", {} {<20}s/s{}", AS_TEXT(rate), AS_TEXT(yield->unit ? yield->unit : "inference"),
            AS_TEXT(out->hardware.cores > 1 ? " a core" : ""));
    if (best_s > 0)
        SAY(s, ", {.1}x the hardware limit of {}", AS("", out->total.predicted_s / best_s),
            AS_SECONDS(best_s));
}

/* What the times are of, where that is not all of the network. */
static void say_scope(sentence *s, const roof_prediction *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n_layers; i++)
        n += out->layers[i].executor == ROOF_BY_HOST;
    if (has_finding(out, ROOF_FINDING_HOST_ATTENTION))
        say(s, "; the attention runs on the host: it is in no bound, and what a longer context costs is not "
               "known");
    else if (n)
        SAY(s, "; accelerator only, {} host layer{|s} not counted", AS_COUNT(n));
}

/* More than this of the ideal time is no overlap worth a word. */
#define NEARLY_ALL 0.995

static roof_status first_sentence(predictor *p)
{
    roof_prediction *out = p->prediction;
    const roof_yield *yield = &out->total.yield;
    char rate[80], batch[48] = "", text[ROOF_SENTENCE_SIZE];
    sentence s = sentence_in(text);
    const char *cores = p->view.cores > 1 ? " with all cores" : "";
    bool is_scheduled = !isnan(out->schedule.scheduled_s), is_expected = !isnan(out->total.predicted_s);
    format_rate(rate, sizeof rate, roof_yield_per_s(out));
    if (p->fit.batch > 1)
        snprintf(batch, sizeof batch, " for a batch of %u", p->fit.batch);
    if (p->lead)
        SAY(&s, "{<400}", AS_TEXT(p->lead));
    say_subject(&s, p);
    if (out->total.deployed.ideal_cycles == 0 || out->total.deployed.ideal_cycles == ROOF_UNKNOWN) {
        say(&s, "no time to predict");
    } else {
        double call_s = predictor_least_call_s(p),
               ideal_s = is_scheduled ? roof_best_s(out) : out->total.deployed.ideal_s;
        if (is_expected && !out->estimate_of) {
            say_expected(&s, out, batch, out->total.predicted_s > call_s);
            say(&s, is_scheduled ? "; at most " : "; ");
        }
        if (!is_expected || !is_scheduled || out->estimate_of) {
            SAY(&s,
                out->estimate_of ? "about {}"
                : is_scheduled   ? "at best {}"
                                 : "ideal {}",
                AS_SECONDS(ideal_s));
            if (yield->time)
                SAY(&s, " ({<20})", AS_TEXT(yield->time));
            say(&s, is_expected && !out->estimate_of ? "" : batch);
            say(&s, ", ");
        }
        SAY(&s, "{} {<20}s/s{}", AS_TEXT(rate), AS_TEXT(yield->unit ? yield->unit : "inference"),
            AS_TEXT(cores));
        if (call_s > ideal_s)
            SAY(&s, ", one call after the other, since an empty call takes {}", AS_SECONDS(call_s));
        if (out->estimate_of)
            SAY(&s, ", an estimate of {}", AS_TEXT(out->estimate_of));
        else if (!is_scheduled && !is_expected && roof_best_s(out) < NEARLY_ALL * ideal_s)
            SAY(&s, "; {} if its layers overlap perfectly", AS_SECONDS(roof_best_s(out)));
    }
    if (has_finding(out, ROOF_FINDING_NOT_CARRIED))
        say(&s, "; what to expect is known at the board's own clock and memory only");
    if (has_finding(out, ROOF_FINDING_NOT_OF_BATCH))
        say(&s, "; what to expect of a batch is not known");
    say_scope(&s, out);
    out->verdict[0] = arena_strdup(p->arena, text);
    return ROOF_OK;
}

/* What a roofline with a single peak would say: all MACs at the array's peak, nothing else. */
static double single_peak_s(const predictor *p)
{
    uint64_t macs = p->prediction->total.macs;
    bool is_known = p->prediction->total.deployed.cycles[ROOF_ENGINE_ARRAY] != ROOF_UNKNOWN;
    return macs == ROOF_UNKNOWN || !is_known ? 0
                                             : 2.0 * (double)macs / p->prediction->hardware.peak_ops_per_s;
}

/* The engine that sets most of the ideal time; the runner-up; the single-peak view; memory that is not known. */
static void second_sentence(predictor *p)
{
    roof_prediction *out = p->prediction;
    bound_share shares[ROOF_MAX_ENGINES];
    char text[ROOF_SENTENCE_SIZE];
    sentence s = sentence_in(text);
    if (out->total.deployed.ideal_cycles == ROOF_UNKNOWN) {
        out->verdict[1] =
            "What binds is not known: the file tells neither bytes nor cycles of what the accelerator runs.";
        return;
    }
    uint32_t n = bound_shares(out, shares);
    if (!n) {
        out->verdict[1] = "Nothing binds: no layer takes time on the accelerator.";
        return;
    }
    const engine_info *binder = engine_named(out->engines[shares->engine]);
    bool waits = out->n_causes && out->causes[0].kind == ROOF_CAUSE_INSTRUCTIONS;
    SAY(&s, "{} binds{}{}: {} {.0%} % of the ideal time ({} of {} layers)",
        AS_TEXT(binder && binder->subject ? binder->subject : out->engines[shares->engine]),
        AS_TEXT(shares->ratio < 0.5 ? " most" : ""), AS_TEXT(waits ? " at best" : ""),
        AS_TEXT(binder ? binder->clause : "its layers set"), AS_RATIO(shares->ratio),
        AS_COUNT(shares->layers), AS_COUNT(out->total.layers));
    if (shares->ratio < 0.5 && n > 1)
        SAY(&s, ", then {} with {.0%} %", AS_TEXT(out->engines[shares[1].engine]), AS_RATIO(shares[1].ratio));
    if (!(binder && binder->kind == ENGINE_KIND_ARRAY) && single_peak_s(p) > 0)
        SAY(&s, "; a MAC-only roofline predicts {}", AS_SECONDS(single_peak_s(p)));
    for (uint32_t e = 0; e < p->fit.n_binding; e++)
        if (out->total.deployed.cycles[e] == ROOF_UNKNOWN)
            SAY(&s, "; the time of '{}' is not known and left out", AS_TEXT(out->engines[e]));
    say(&s, waits ? ". On the board, waiting for instructions costs more." : ".");
    out->verdict[1] = arena_strdup(p->arena, text);
}

/* What to do first, and what next to that. */
static void third_sentence(predictor *p)
{
    roof_prediction *out = p->prediction;
    char text[ROOF_SENTENCE_SIZE];
    sentence s = sentence_in(text);
    causes_say_todo(&s, out->causes, out->n_causes, &(cause_names){layer_full_name, out});
    out->verdict[2] = arena_strdup(p->arena, text);
}

roof_status predictor_verdict(predictor *p)
{
    TRY(first_sentence(p));
    second_sentence(p);
    third_sentence(p);
    return arena_status(p->arena, p->err);
}
