/* The sentences on top of every report: how fast the network is and what it needs at best; what binds it, by
 * how much; what to do first, and what that gains. */
#include "reports/words/prediction_words.h"
#include "core/print.h"
#include "core/quantity.h"
#include "model/laws/engine.h"
#include "model/predict/predicted_causes.h"
#include "model/predict/causes/predicted_cause.h"
#include "reports/words/cause_words.h"
#include "reports/words/host_words.h"
#include "reports/words/say.h"
#include "roofline/predictions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void format_rate(char *text, size_t size, double per_s)
{
    if (isnan(per_s))
        snprintf(text, size, "?");
    else if (per_s < 100)
        print_into(text, size, "%.*f", per_s < 10 ? 2 : 1, per_s);
    else
        count_format(text, size, (uint64_t)(per_s + 0.5));
}

static const roof_finding *finding_of(const roof_prediction *p, roof_finding_kind kind)
{
    uint32_t i = 0;
    while (i < p->n_findings && p->findings[i].kind != kind)
        i++;
    return i < p->n_findings ? &p->findings[i] : NULL;
}

/* "expect 2.95 ms (2.65 ms to 3.29 ms), 339 inferences/s, 1.8x the hardware limit of 1.63 ms"; of several
 * cores "... with 3 cores busy, 188 inferences/s in all (11.2 ms with one)" */
static void say_expected(sentence *s, const roof_prediction *p, const char *batch, bool has_rate)
{
    const roof_yield *yield = &p->total.yield;
    const uint32_t busy = p->total.busy_cores;
    char rate[80];
    const double *ci95_s = p->total.predicted_ci95_s;
    double best_s = roof_best_s(p);
    say(s, "expect ");
    if (yield->time)
        SAY(s, "a {<20} of ", AS_TEXT(yield->time));
    SAY(s, "{}", AS_SECONDS(p->total.predicted_s));
    if (!isnan(ci95_s[0]) && !isnan(ci95_s[1]))
        SAY(s, " ({} to {})", AS_SECONDS(ci95_s[0]), AS_SECONDS(ci95_s[1]));
    if (finding_of(p, ROOF_FINDING_OUTSIDE_FIT))
        say(s, ", outside of what was fitted");
    say(s, batch);
    if (busy > 1)
        SAY(s, " with {} cores busy", AS_COUNT(busy));
    format_rate(rate, sizeof rate,
                (busy > 1 ? busy : 1) * p->total.predicted_inferences_per_s *
                    (yield->unit ? yield->count : 1));
    if (has_rate)
        SAY(s, ", {} {<20}s/s{}", AS_TEXT(rate), AS_TEXT(yield->unit ? yield->unit : "inference"),
            AS_TEXT(busy > 1                ? " in all"
                    : p->hardware.cores > 1 ? " a core"
                                            : ""));
    if (busy > 1 && p->throughput.n_service)
        SAY(s, " ({} with one)", AS_SECONDS(p->throughput.service->seconds));
    if (best_s > 0)
        SAY(s, ", {.1}x the hardware limit of {}", AS("", p->total.predicted_s / best_s), AS_SECONDS(best_s));
}

/* Says of which part the times are, where that is not all of the network. */
static void say_scope(sentence *s, const roof_prediction *p)
{
    if (finding_of(p, ROOF_FINDING_HOST_ATTENTION))
        say(s, "; the attention runs on the host: of it the bound has the reading of the cache");
    if (p->is_language && p->language.expected.not_known && !finding_of(p, ROOF_FINDING_NOT_OF_BATCH))
        SAY(s, "; what to expect is not known: {}", AS_TEXT(p->language.expected.not_known));
    if (finding_of(p, ROOF_FINDING_LOWERED) && !p->estimate_of)
        say(s, "; not compiled, its layers follow from rules");
}

/* More was asked for than the hardware has, or the calibration is of other hardware. */
static void say_caveats(sentence *s, const roof_prediction *p)
{
    for (uint32_t i = 0; i < p->n_findings; i++) {
        if (p->findings[i].kind != ROOF_FINDING_BEYOND_HARDWARE)
            continue;
        say(s, "What if: ");
        sentences_say_remark(s, &p->findings[i].remark);
        say(s, ". ");
    }
    sentences_say_remark(s, &p->facts_of_verdict.calibration);
}

/* "resnet on KV260, DPUCZDX8G B4096 @ 300 MHz"; code runs on no other array than the one that it was made
 * for, whose figures are then given, or an estimate from its shapes. */
static void say_subject(sentence *s, const roof_prediction *p)
{
    const bool is_foreign = p->model.compiled && finding_of(p, ROOF_FINDING_OTHER_TARGET);
    const char *target = p->facts_of_verdict.made_for;
    SAY(s, "{} ", AS_TEXT(p->model.name));
    if (p->facts_of_verdict.taken_from)
        SAY(s, "({}, taken as {}) ", AS_TEXT(p->facts_of_verdict.taken_from), AS_TEXT(p->hardware.data_type));
    say(s, is_foreign ? "does not run on " : "on ");
    /* "DPUCZDX8G B4096 @ 300 MHz (board assumed: KV260)" */
    const char *board = p->hardware.board, *name = p->facts_of_verdict.hardware;
    SAY(s, "{} @ {}", AS_TEXT(name), AS("Hz", p->hardware.clock_hz));
    if (board[0] && !strstr(name, board))
        SAY(s, p->facts_of_verdict.board_is_assumed ? " (board assumed: {})" : " ({})", AS_TEXT(board));
    if (is_foreign && strcmp(p->hardware.name, p->facts_of_verdict.hardware) != 0)
        SAY(s, "; figures are for {}, which it was compiled for, at this clock", AS_TEXT(target));
    else if (is_foreign && target)
        SAY(s, ", but on {<80}, which it was compiled for", AS_TEXT(target));
}

static void first_sentence(sentence *s, const roof_prediction *p)
{
    const roof_yield *yield = &p->total.yield;
    char rate[80], batch[48] = "";
    const char *cores = p->hardware.cores > 1 ? " with all cores" : "";
    const bool is_expected = !isnan(p->total.predicted_s);
    if (p->options.batch > 1)
        snprintf(batch, sizeof batch, " for a batch of %u", p->options.batch);
    say_caveats(s, p);
    say_subject(s, p);
    if (!finding_of(p, ROOF_FINDING_HOST_ATTENTION))
        host_say_scope(s, p);
    say(s, ": ");
    const roof_finding *misfit = finding_of(p, ROOF_FINDING_MISFIT);
    if (misfit) {
        SAY(s, "no time, since {}", AS_TEXT(roof_finding_sentence(misfit, (char[ROOF_SENTENCE_SIZE]){""})));
        return;
    }
    if (p->total.deployed.ideal_cycles == 0 || p->total.deployed.ideal_cycles == ROOF_UNKNOWN) {
        say(s, "no time to predict");
    } else {
        const double call_s = p->facts_of_verdict.least_call_s,
                     shown_s = p->estimate_of ? p->total.deployed.ideal_s : roof_best_s(p);
        if (is_expected && !p->estimate_of) {
            say_expected(s, p, batch, p->total.predicted_s > call_s);
        } else {
            SAY(s, p->estimate_of ? "about {}" : "at best {}", AS_SECONDS(shown_s));
            if (yield->time)
                SAY(s, " ({<20})", AS_TEXT(yield->time));
            say(s, batch);
        }
        say(s, p->estimate_of ? ", " : is_expected ? "; at most " : ", at most ");
        format_rate(rate, sizeof rate, p->estimate_of ? roof_yield_per_s(p) : roof_pair_of(p).per_s);
        SAY(s, "{} {<20}s/s{}", AS_TEXT(rate), AS_TEXT(yield->unit ? yield->unit : "inference"),
            AS_TEXT(cores));
        if (call_s > shown_s)
            SAY(s, ", one call after the other, since an empty call takes {}", AS_SECONDS(call_s));
        if (p->estimate_of)
            SAY(s, ", an estimate of {}", AS_TEXT(p->estimate_of));
    }
    if (finding_of(p, ROOF_FINDING_NOT_CARRIED))
        say(s, "; what to expect is known at the board's own clock and memory only");
    if (finding_of(p, ROOF_FINDING_NOT_OF_BATCH))
        say(s, "; what to expect of a batch is not known");
    say_scope(s, p);
}

/* "{}" of what limits the last point. */
static const char *const load_limits[ROOF_LOAD_BOUNDS] = {
    [ROOF_LOAD_THREADS] = "more threads give more",
    [ROOF_LOAD_CORES] = "the cores are the limit",
    [ROOF_LOAD_MEMORY] = "the memory that the cores share is the limit",
    [ROOF_LOAD_HOST] = "the host's processors are the limit",
};

/* "; the host takes 536 us of a frame"; without one what a host would have to take to bind. */
static void say_host(sentence *s, const roof_throughput *t)
{
    if (t->host.seconds > 0) {
        SAY(s, "; the host takes {} of a frame", AS_SECONDS(t->host.seconds));
        return;
    }
    say(s, "; accelerator only");
    for (uint32_t i = 0; i < t->n_host_kinds; i++)
        if (strcmp(t->host_kinds[i].kind, "classify") == 0)
            SAY(s, ": the host of a classifier adds {} a frame (--host classify)",
                AS_SECONDS(t->host_kinds[i].seconds));
    if (t->cpu_cores > 0)
        SAY(s, "; a host that takes more than {} would bind",
            AS_SECONDS(t->cpu_cores / t->points[t->n_points - 1].fps));
}

bool prediction_say_load(const roof_prediction *p, char *buffer)
{
    const roof_throughput *t = &p->throughput;
    const roof_load_point *last = t->n_points ? &t->points[t->n_points - 1] : NULL;
    char rate[3][80];
    sentence s = say_into(buffer);
    if (!last && t->not_known)
        SAY(&s, "Frames per second are not known: {}.", AS_TEXT(t->not_known));
    if (!last)
        return t->not_known != NULL;
    format_rate(rate[0], sizeof rate[0], last->fps);
    format_rate(rate[1], sizeof rate[1], last->fps_low);
    format_rate(rate[2], sizeof rate[2], last->fps_high);
    SAY(&s, "{} frames/s", AS_TEXT(rate[0]));
    if (!isnan(last->fps_low))
        SAY(&s, " ({} to {})", AS_TEXT(rate[1]), AS_TEXT(rate[2]));
    SAY(&s, " with {} thread{|s}, {} a frame", AS_COUNT(last->threads), AS_SECONDS(last->latency_s));
    format_rate(rate[0], sizeof rate[0], t->knee.fps);
    if (t->knee.threads < last->threads)
        SAY(&s, "; {} {is|are} enough: {} at {}", AS_COUNT(t->knee.threads), AS_TEXT(rate[0]),
            AS_SECONDS(t->knee.latency_s));
    else if (t->knee.threads > last->threads)
        SAY(&s, "; {} threads give {} at {}", AS_COUNT(t->knee.threads), AS_TEXT(rate[0]),
            AS_SECONDS(t->knee.latency_s));
    if (last->bound != ROOF_LOAD_THREADS || t->knee.threads > last->threads)
        SAY(&s, "; {}", AS_TEXT(load_limits[last->bound]));
    say_host(&s, t);
    say(&s, ".");
    return true;
}

/* A roofline with a single peak would say: all MACs at the array's peak, nothing else. */
static double single_peak_s(const roof_prediction *p)
{
    uint64_t macs = p->total.macs;
    bool is_known = p->total.deployed.cycles[ROOF_ENGINE_ARRAY] != ROOF_UNKNOWN;
    return macs == ROOF_UNKNOWN || !is_known ? 0 : 2.0 * (double)macs / p->hardware.peak_ops_per_s;
}

/* The engine that sets most of the ideal time; the runner-up; the single-peak view; unknown memory. */
static void second_sentence(sentence *s, const roof_prediction *p)
{
    bound_share shares[ROOF_MAX_ENGINES];
    if (finding_of(p, ROOF_FINDING_MISFIT)) {
        say(s,
            "No sum is whole without it; `roofline predict --findings` lists all that has to be corrected.");
        return;
    }
    if (p->total.deployed.ideal_cycles == ROOF_UNKNOWN) {
        say(s,
            "What binds is not known: the file tells neither bytes nor cycles of what the accelerator runs.");
        return;
    }
    uint32_t n = cause_bound_shares(p, shares);
    if (!n) {
        say(s, "Nothing binds: no layer takes time on the accelerator.");
        return;
    }
    const engine_info *binder = engine_named(p->engines[shares->engine]);
    bool waits = p->n_causes && p->causes[0].kind == ROOF_CAUSE_INSTRUCTIONS;
    SAY(s, "{} binds{}{}: {} {.0%} % of the ideal time ({} of {} layers)",
        AS_TEXT(binder && binder->subject ? binder->subject : p->engines[shares->engine]),
        AS_TEXT(shares->ratio < 0.5 ? " most" : ""), AS_TEXT(waits ? " at best" : ""),
        AS_TEXT(binder ? binder->clause : "its layers set"), AS_RATIO(shares->ratio),
        AS_COUNT(shares->layers), AS_COUNT(p->total.layers));
    if (shares->ratio < 0.5 && n > 1)
        SAY(s, ", then {} with {.0%} %", AS_TEXT(p->engines[shares[1].engine]), AS_RATIO(shares[1].ratio));
    if (!(binder && binder->kind == ENGINE_KIND_ARRAY) && single_peak_s(p) > 0)
        SAY(s, "; a MAC-only roofline predicts {}", AS_SECONDS(single_peak_s(p)));
    for (uint32_t e = 0; e < p->facts_of_verdict.n_binding; e++)
        if (p->total.deployed.cycles[e] == ROOF_UNKNOWN)
            SAY(s, "; the time of '{}' is not known and left out", AS_TEXT(p->engines[e]));
    say(s, waits ? ". On the board, waiting for instructions costs more." : ".");
}

const char *roof_prediction_sentence(const roof_prediction *p, uint32_t i, char *buffer)
{
    sentence s = say_into(buffer);
    if (i >= sizeof p->verdict / sizeof *p->verdict)
        return NULL;
    if (p->verdict[i])
        SAY(&s, "{}", AS_TEXT(p->verdict[i]));
    else if (i == 0)
        first_sentence(&s, p);
    else if (i == 1)
        second_sentence(&s, p);
    else
        causes_say_todo(&s, p->causes, p->n_causes, &(cause_names){predicted_layer_name, p});
    return buffer;
}

const char *prediction_verdict(const roof_prediction *p, uint32_t i, roof_arena *arena)
{
    char text[ROOF_SENTENCE_SIZE];
    return text_or_empty(
        arena_strdup(arena, p->verdict[i] ? p->verdict[i] : roof_prediction_sentence(p, i, text)));
}

const prediction_words words_of_predictions = {roof_remark_sentence, roof_prediction_sentence};
