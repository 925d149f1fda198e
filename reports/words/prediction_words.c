/* The sentences on top of every report: the time of the network and its bound; the bottleneck, and its share;
 * the next step, and what it saves. */
#include "reports/words/prediction_words.h"
#include "model/laws/engine.h"
#include "model/predict/causes/predicted_cause.h"
#include "reports/words/cause_words.h"
#include "roofline/predictions.h"

#include <ctype.h>

static void format_rate(char *text, size_t size, double per_s)
{
    if (isnan(per_s))
        snprintf(text, size, "?");
    else if (per_s < 100)
        print_into(text, size, "%.*f", per_s < 10 ? 2 : 1, per_s);
    else
        count_format(text, size, (uint64_t)(per_s + 0.5));
}

/* "339 inferences/s in all", of what a network makes; before: what stands in front of it. */
static void say_rate(sentence *s, const roof_prediction *p, const char *before, double per_s,
                     const char *scope)
{
    char rate[80];
    format_rate(rate, sizeof rate, per_s);
    SAY(s, "{}{} {<20}s/s{}", AS_TEXT(before), AS_TEXT(rate),
        AS_TEXT(p->total.yield.unit ? p->total.yield.unit : "inference"), AS_TEXT(scope));
}

static const char *say_all_cores(const roof_prediction *p)
{
    return p->hardware.cores > 1 ? " with all cores" : "";
}

static const roof_finding *finding_of(const roof_prediction *p, roof_finding_kind kind)
{
    uint32_t i = 0;
    while (i < p->n_findings && p->findings[i].kind != kind)
        i++;
    return i < p->n_findings ? &p->findings[i] : NULL;
}

/* "expected 2.95 ms (2.65 ms to 3.29 ms), 339 inferences/s"; "... with 3 cores busy, 188 in all" */
static void say_expected(sentence *s, const roof_prediction *p, const char *batch, bool has_rate)
{
    const roof_yield *yield = &p->total.yield;
    const uint32_t busy = p->total.busy_cores;
    const double *ci95_s = p->total.predicted_ci95_s;
    SAY(s, "expected [?{<20} ]{}[? ({} to {})]", AS_TEXT(yield->time), AS_SECONDS(p->total.predicted_s),
        AS_SECONDS(ci95_s[0]), AS_SECONDS(ci95_s[1]));
    const roof_finding *outside = finding_of(p, ROOF_FINDING_OUTSIDE_FIT);
    if (outside && outside->remark.form == ROOF_FORM_OUTSIDE_CONTEXTS)
        SAY(s, ", beyond the contexts that were fitted (up to {} token{|s})", outside->remark.operands[1]);
    else if (outside)
        say(s, ", outside of what was fitted");
    SAY(s, "{}[? with {} core{|s} busy]", AS_TEXT(batch), AS_COUNT(busy > 1 ? busy : 0));
    const char *of_what = busy > 1 ? " in all" : p->hardware.cores > 1 ? " a core" : "";
    if (has_rate)
        say_rate(s, p, ", ",
                 (busy > 1 ? busy : 1) * p->total.predicted_inferences_per_s *
                     (yield->unit ? yield->count : 1),
                 of_what);
}

/* "resnet on KV260"; the line "hardware" below says which array at which clock. Code runs on no other array
 * than the one that it was made for, whose figures are then given, or an estimate from its shapes. */
static void say_subject(sentence *s, const roof_prediction *p)
{
    const bool is_foreign = p->model.compiled && finding_of(p, ROOF_FINDING_OTHER_TARGET);
    const char *target = p->facts_of_verdict.made_for, *requested = p->facts_of_verdict.hardware,
               *name = requested ? requested : p->hardware.name; /* of a prediction that was read */
    SAY(s, "{} [?({} as {}) ]{}", AS_TEXT(p->model.name), AS_TEXT(p->facts_of_verdict.taken_from),
        AS_TEXT(text_or_empty(p->hardware.data_type)), AS_TEXT(is_foreign ? "does not run on " : "on "));
    say_board(s, name);
    const bool is_assumed = p->facts_of_verdict.board_is_assumed && p->hardware.board[0];
    SAY(s, "[? (board assumed: {})][? @ {}]", AS_TEXT(is_assumed ? p->hardware.board : NULL),
        AS("Hz", p->options.clock_hz > 0 ? p->hardware.clock_hz : NAN));
    if (is_foreign && strcmp(p->hardware.name, name) != 0)
        SAY(s, "; figures are for {}, which it was compiled for, at this clock", AS_TEXT(target));
    else if (is_foreign && target)
        SAY(s, ", but on {<80}, which it was compiled for", AS_TEXT(target));
}

/* Remarks on the law of published times; is_reason: those that say why nothing is expected. */
static void say_of_boards(sentence *s, const roof_prediction *p, bool is_reason)
{
    static const struct {
        roof_finding_kind kind;
        bool is_reason;
    } said[] = {{ROOF_FINDING_NO_BOARD_TIMES, true},
                {ROOF_FINDING_LAW_BELOW_BOUND, true},
                {ROOF_FINDING_NEAR_ONE_CONTEXT, false},
                {ROOF_FINDING_BOUND_OF_ALL_CORES, false},
                {ROOF_FINDING_OWN_TIMES, false}};
    for (size_t i = 0; i < N_OF(said); i++) {
        const roof_finding *f = said[i].is_reason == is_reason ? finding_of(p, said[i].kind) : NULL;
        if (!f)
            continue;
        say(s, is_reason ? "; " : " ");
        const size_t at = s->length;
        sentences_say_remark(s, &f->remark);
        if (!is_reason) {
            /* Makes a clause, from a byte on, a sentence. */
            s->text[at] = (char)toupper((unsigned char)s->text[at]);
            if (s->length && !strchr(".?", s->text[s->length - 1]))
                say(s, ".");
        }
    }
}

/* The input whose open shape leaves nothing known; NULL: none. */
static const roof_finding *open_shape(const roof_prediction *p)
{
    uint32_t i = 0;
    while (i < p->n_findings && p->findings[i].remark.form != ROOF_FORM_OPEN_DIMENSION)
        i++;
    return i < p->n_findings && p->total.deployed.ideal_cycles == ROOF_UNKNOWN ? &p->findings[i] : NULL;
}

/* An operator that runs a graph of its own, of which no work is known: it may be nearly all of it. */
static const roof_finding *hidden_graph(const roof_prediction *p)
{
    return finding_of(p, ROOF_FINDING_UNKNOWN_OP) ? finding_of(p, ROOF_FINDING_CONTROL_FLOW) : NULL;
}

/* The finding that leaves no time of the network known; NULL: none. */
static const roof_finding *leaves_no_time(const roof_prediction *p)
{
    return open_shape(p)     ? open_shape(p)
           : hidden_graph(p) ? hidden_graph(p)
                             : finding_of(p, ROOF_FINDING_MISFIT);
}

/* Attention that the host runs has its reads in the bound; an expected time may leave it out. */
static bool is_part(const roof_prediction *p)
{
    return host_is_left_out(p) &&
           !(finding_of(p, ROOF_FINDING_HOST_ATTENTION) && isnan(p->total.predicted_s));
}

static void say_what_is_left_out(sentence *s, const roof_prediction *p)
{
    if (finding_of(p, ROOF_FINDING_HOST_ATTENTION) && !is_part(p))
        say(s, ", attention runs on the CPU: the bound counts only its KV-cache reads");
    else
        host_say_scope(s, p);
}

/* "expected 10.96 ms (...), 91.2 inferences/s; bound 7.523 ms", "bound 7.523 ms, at most 133 inferences/s" */
static void say_bounded(sentence *s, const roof_prediction *p, const char *batch)
{
    const roof_yield *yield = &p->total.yield;
    const double call_s = p->facts_of_verdict.least_call_s,
                 shown_s = p->estimate_of ? p->total.deployed.ideal_s : roof_best_s(p);
    if (!isnan(p->total.predicted_s)) {
        say_expected(s, p, batch,
                     p->total.predicted_s > call_s && !isnan(p->total.predicted_inferences_per_s) &&
                         !(p->is_language && is_part(p)));
        say_what_is_left_out(s, p);
        if (!p->estimate_of)
            SAY(s, "; bound {}", AS_SECONDS(shown_s));
    } else {
        SAY(s, "{} {}[? ({<20})]{}", AS_TEXT(p->estimate_of ? "about" : "bound"), AS_SECONDS(shown_s),
            AS_TEXT(yield->time), AS_TEXT(batch));
        if (isnan(p->total.inferences_per_s))
            say(s, "; no rate, since what a call costs or the work of a layer is unknown");
        else
            say_rate(s, p, p->estimate_of ? ", " : ", at most ",
                     p->estimate_of ? roof_yield_per_s(p) : roof_pair_of(p).per_s, say_all_cores(p));
        say_what_is_left_out(s, p);
    }
    SAY(s, "[?, one call after the other, since an empty launch takes {}][?, an estimate of {}]",
        AS_SECONDS(call_s > shown_s ? call_s : NAN), AS_TEXT(p->estimate_of));
}

/* How fast, and what is not in it. */
static void first_sentence(sentence *s, const roof_prediction *p)
{
    char batch[48] = "";
    const bool is_expected = !isnan(p->total.predicted_s);
    if (p->options.batch > 1)
        snprintf(batch, sizeof batch, " for a batch of %u", p->options.batch);
    /* More was requested than the hardware has, or the calibration is of other hardware. */
    for (uint32_t i = 0; i < p->n_findings; i++) {
        if (p->findings[i].kind != ROOF_FINDING_BEYOND_HARDWARE)
            continue;
        say(s, "What if: ");
        sentences_say_remark(s, &p->findings[i].remark);
        say(s, ". ");
    }
    sentences_say_remark(s, &p->facts_of_verdict.calibration);
    say_subject(s, p);
    const roof_finding *unknown = leaves_no_time(p);
    if (unknown) {
        SAY(s, ": no time, since {}[?; the rest is expected to take {}].",
            AS_TEXT(roof_finding_sentence(unknown, (char[ROOF_SENTENCE_SIZE]){""})),
            AS_SECONDS(unknown == hidden_graph(p) ? p->total.predicted_s : NAN));
        return;
    }
    say(s, is_part(p) ? ": accelerator part " : ": ");
    const bool has_bound = p->total.deployed.ideal_cycles && p->total.deployed.ideal_cycles != ROOF_UNKNOWN;
    if (!has_bound && is_expected) {
        say_expected(s, p, batch, true);
        say_what_is_left_out(s, p);
        say(s, "; no bound: no rates are known");
    } else if (!has_bound) {
        say(s, "no time to predict");
    } else {
        say_bounded(s, p, batch);
    }
    if (p->is_language && p->language.expected.not_known && !finding_of(p, ROOF_FINDING_NOT_OF_BATCH))
        SAY(s, "; no expected time: {}", AS_TEXT(p->language.expected.not_known));
    if (finding_of(p, ROOF_FINDING_NOT_CARRIED))
        say(s, "; expected time only at the board's own clock and memory");
    if (finding_of(p, ROOF_FINDING_NOT_OF_BATCH))
        say(s, "; no expected time for a batch");
    /* A layer of which nothing can be expected leaves nothing to expect of the network. */
    for (uint32_t i = 0; i < p->n_findings; i++)
        if (p->findings[i].remark.form == ROOF_FORM_POOL_IN_FLOATS ||
            p->findings[i].remark.form == ROOF_FORM_LAYER_NOT_MEASURED) {
            say(s, "; expected time unknown: ");
            sentences_say_remark(s, &p->findings[i].remark);
        }
    say_of_boards(s, p, true);
    say(s, ".");
}

/* Words for the limit of the last point. */
static const char *const load_limits[ROOF_LOAD_BOUNDS] = {
    [ROOF_LOAD_THREADS] = "number of threads, more give more",
    [ROOF_LOAD_CORES] = "accelerator cores",
    [ROOF_LOAD_MEMORY] = "memory that the cores share",
    [ROOF_LOAD_HOST] = "CPU of the host",
};

/* CPU time that would limit the rate of a load without any. */
static void say_host(sentence *s, const roof_throughput *t, uint32_t left_out)
{
    if (!t->n_points || t->host.seconds > 0)
        return;
    for (uint32_t i = 0; i < t->n_host_kinds && !left_out; i++)
        if (strcmp(t->host_kinds[i].kind, "classify") == 0)
            SAY(s, " The CPU part of a classifier adds {} an inference (--host classify).",
                AS_SECONDS(t->host_kinds[i].seconds));
    if (t->cpu_cores > 0)
        SAY(s, " CPU work above {} per inference would become the bottleneck.",
            AS_SECONDS(t->cpu_cores / t->points[t->n_points - 1].fps));
}

const char *prediction_load(const roof_prediction *p, uint32_t i, roof_arena *arena)
{
    const roof_throughput *t = &p->throughput;
    const roof_load_point *last = t->n_points ? &t->points[t->n_points - 1] : NULL;
    char text[ROOF_SENTENCE_SIZE], rate[3][80];
    sentence s = say_into(text);
    if (!last && (!t->not_known || i))
        return NULL;
    if (!last) {
        SAY(&s, "Rate unknown: {}.", AS_TEXT(t->not_known));
    } else if (i) {
        SAY(&s, "Bottleneck: {}", AS_TEXT(load_limits[last->bound]));
        format_rate(rate[0], sizeof rate[0], t->knee.fps);
        if (t->knee.threads != last->threads)
            SAY(&s,
                t->knee.threads < last->threads ? "; {} thread{ is|s are} enough: {} inferences/s at {}"
                                                : "; {} thread{ gives|s give} {} inferences/s at {}",
                AS_COUNT(t->knee.threads), AS_TEXT(rate[0]), AS_SECONDS(t->knee.latency_s));
        say(&s, ".");
    } else {
        format_rate(rate[0], sizeof rate[0], last->fps);
        format_rate(rate[1], sizeof rate[1], last->fps_low);
        format_rate(rate[2], sizeof rate[2], last->fps_high);
        say_subject(&s, p);
        const uint32_t left_out = t->host.seconds > 0 ? 0 : p->total.host_layers;
        SAY(&s, left_out ? ": accelerator part expected {} inferences/s" : ": expected {} inferences/s",
            AS_TEXT(rate[0]));
        const bool has_range = !isnan(last->fps_low);
        SAY(&s, "[? ({} to {})][?, without an interval,] with {} thread{|s}, latency {}",
            AS_TEXT(has_range ? rate[1] : NULL), AS_TEXT(rate[2]), AS_COUNT(!has_range),
            AS_COUNT(last->threads), AS_SECONDS(last->latency_s));
        if (t->host.seconds > 0)
            SAY(&s, ", of which the CPU takes {}.", AS_SECONDS(t->host.seconds));
        else if (left_out)
            SAY(&s, "; without the time of {} CPU layer{|s}.", AS_COUNT(left_out));
        else
            say(&s, "; accelerator only.");
    }
    return text_or_empty(arena_strdup(arena, text));
}

/* A roofline with a single peak would say: all MACs at the array's peak, nothing else. */
static double single_peak_s(const roof_prediction *p)
{
    uint64_t macs = p->total.macs;
    bool is_known = p->total.deployed.cycles[ROOF_ENGINE_ARRAY] != ROOF_UNKNOWN;
    return macs == ROOF_UNKNOWN || !is_known ? 0 : 2.0 * (double)macs / p->hardware.peak_ops_per_s;
}

/* The engine that sets most of the ideal time, and what of it is unknown. */
static void second_sentence(sentence *s, const roof_prediction *p)
{
    bound_share shares[ROOF_MAX_ENGINES];
    const bool is_open = p->total.deployed.ideal_cycles == ROOF_UNKNOWN;
    const struct {
        bool is_so;
        const char *words;
    } reasons[] = {
        {finding_of(p, ROOF_FINDING_MISFIT),
         "No sum is whole without it; `roofline predict --findings` lists all that has to be corrected."},
        {isnan(p->hardware.peak_ops_per_s) && is_open,
         "Bottleneck unknown: no rates of the hardware are known."},
        {hidden_graph(p), "Bottleneck unknown: the work of that operator is unknown."},
        {open_shape(p), "Bottleneck unknown: the shape is open."},
        {is_open, "Bottleneck unknown: the file states neither bytes nor cycles."},
        {!cause_bound_shares(p, shares),
         p->total.layers ? "Bottleneck unknown: the file tells no time of what the accelerator runs."
                         : "No layer runs on the accelerator."}};
    for (size_t i = 0; i < N_OF(reasons); i++)
        if (reasons[i].is_so) {
            say(s, reasons[i].words);
            return;
        }
    const engine_info *binder = engine_named(p->engines[shares->engine]);
    const char *subject = binder && binder->subject ? binder->subject : p->engines[shares->engine];
    say(s, "Bottleneck: ");
    const size_t at = s->length;
    SAY(s, "{}", AS_TEXT(strncmp(subject, "The ", 4) == 0 ? subject + 4 : subject));
    if (subject == (binder ? binder->subject : NULL) && strncmp(subject, "The ", 4) != 0)
        s->text[at] = (char)tolower((unsigned char)s->text[at]);
    SAY(s, "; {} {.0%} % of the ideal time ({} of {} layer{|s})",
        AS_TEXT(binder ? binder->clause : "its layers set"), AS_RATIO(shares->ratio),
        AS_COUNT(shares->layers), AS_COUNT(p->total.layers));
    for (uint32_t e = 0; e < p->facts_of_verdict.n_binding; e++)
        if (p->total.deployed.cycles[e] == ROOF_UNKNOWN)
            SAY(s, "; the time of '{}' is unknown and left out", AS_TEXT(p->engines[e]));
    say(s, ".");
}

/* Facts left out of the first three sentences: their basis, and later remarks. */
static void say_asides(sentence *s, const roof_prediction *p)
{
    const roof_throughput *t = &p->throughput;
    const roof_service *all = t->n_points && t->n_service ? &t->service[t->n_service - 1] : NULL;
    const bool is_expected = !isnan(p->total.predicted_s) && !p->estimate_of;
    const double best_s = roof_best_s(p);
    bound_share shares[ROOF_MAX_ENGINES];
    if (finding_of(p, ROOF_FINDING_LOWERED) && !p->estimate_of)
        say(s, " Uncompiled, lowered by rules.");
    if (leaves_no_time(p))
        return;
    const bool has_bound = is_expected && best_s > 0;
    SAY(s, "[? The expected time is {}.][? Expected is {.1}x the bound]",
        AS_TEXT(is_expected ? p->facts_of_verdict.from : NULL),
        AS("", has_bound ? p->total.predicted_s / best_s : NAN));
    if (has_bound && !isnan(p->total.inferences_per_s))
        say_rate(s, p, ", which allows ", roof_pair_of(p).per_s, say_all_cores(p));
    say(s, has_bound ? "." : "");
    if (is_expected && p->total.busy_cores > 1 && t->n_service)
        SAY(s, " With one core busy it takes {}.", AS_SECONDS(t->service->seconds));
    if (all && isnan(all->memory_ratio) && all->seconds > t->service->seconds)
        SAY(s, " With all {} core{|s} busy, which share the memory, each inference takes {}.",
            AS_COUNT(all->busy), AS_SECONDS(all->seconds));
    say_host(s, t, host_is_left_out(p) ? p->total.host_layers : 0);
    say_of_boards(s, p, false);
    const uint32_t n = p->total.deployed.ideal_cycles == ROOF_UNKNOWN ? 0 : cause_bound_shares(p, shares);
    const engine_info *binder = n ? engine_named(p->engines[shares->engine]) : NULL;
    if (n > 1 && shares->ratio < 0.5)
        SAY(s, " Behind the bottleneck comes {} with {.0%} %.", AS_TEXT(p->engines[shares[1].engine]),
            AS_RATIO(shares[1].ratio));
    if (n && !(binder && binder->kind == ENGINE_KIND_ARRAY) && single_peak_s(p) > 0)
        SAY(s, " A MAC-only roofline predicts {}.", AS_SECONDS(single_peak_s(p)));
    if (n && p->n_causes && p->causes[0].kind == ROOF_CAUSE_INSTRUCTIONS)
        say(s, " On the board, instruction fetch costs more than the bottleneck.");
}

const char *roof_prediction_sentence(const roof_prediction *p, uint32_t i, char *buffer)
{
    sentence s = say_into(buffer);
    if (i >= N_OF(p->verdict))
        return NULL;
    if (p->verdict[i])
        SAY(&s, "{}", AS_TEXT(p->verdict[i]));
    else if (i == 0)
        first_sentence(&s, p);
    else if (i == 1)
        second_sentence(&s, p);
    else if (i == 2 && hidden_graph(p))
        return buffer;
    else if (i == 2)
        causes_say_todo(&s, p->causes, p->n_causes, &(cause_names){predicted_layer_name, p, NULL, p});
    else
        say_asides(&s, p);
    if (i > 2 && *buffer == ' ')
        memmove(buffer, buffer + 1, strlen(buffer));
    return buffer;
}

const char *prediction_verdict(const roof_prediction *p, uint32_t i, roof_arena *arena)
{
    char text[ROOF_SENTENCE_SIZE];
    return text_or_empty(
        arena_strdup(arena, p->verdict[i] ? p->verdict[i] : roof_prediction_sentence(p, i, text)));
}

/* "1 372 inferences/s (728.9 us), resnet_v1_50 on Hailo-8 by Dataflow Compiler 3.33, int8, batch 8, the same
 * MACs, weights and input (hailo-ai/hailo_model_zoo ..., 2026-01-20)" */
const char *prediction_published(const roof_prediction *p, uint32_t i, roof_arena *arena)
{
    char rate[80];
    if (i >= p->n_published)
        return NULL;
    const roof_published_time *t = &p->published[i];
    format_rate(rate, sizeof rate, 1 / t->seconds);
    return say_printf(arena, "%s inferences/s (%s), %s on %s by %s, %s%s, %s (%s)", rate,
                      say_quantity(arena, t->seconds, "s"), t->network, t->device, t->software, t->data_type,
                      t->batch > 1 ? say_printf(arena, ", batch %u", t->batch) : "",
                      t->is_same ? "the same MACs, weights and input" : "of the same name", t->source);
}

const char *prediction_published_first(const roof_prediction *p, roof_arena *arena)
{
    const char *first = prediction_published(p, 0, arena);
    return first ? say_printf(arena, "Published%s: %s.", isnan(p->total.predicted_s) ? " times only" : "",
                              first)
                 : NULL;
}

const prediction_words words_of_predictions = {roof_remark_sentence, roof_prediction_sentence,
                                               answer_put_conditions};

bool prediction_is_of_same(const roof_prediction *a, const roof_prediction *b)
{
    const char *hash = a->model.graph_hash, *other = b->model.graph_hash;
    return strcmp(a->model.name, b->model.name) == 0 || (hash && other && *hash && strcmp(hash, other) == 0);
}
