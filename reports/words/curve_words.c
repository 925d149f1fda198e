#include "reports/words/curve_words.h"

/* --- facts -------------------------------------------------------------------------------------------- */

curve_phase curve_steps(const roof_curve *curve)
{
    return (curve_phase){curve->points, curve->n_decode};
}

curve_phase curve_prompts(const roof_curve *curve)
{
    return (curve_phase){curve->points + curve->n_decode, curve->n_points - curve->n_decode};
}

bool curve_is_expected(curve_phase phase)
{
    for (uint32_t i = 0; i < phase.n; i++)
        if (!isnan(phase.points[i].expected.seconds))
            return true;
    return false;
}

double curve_rate(const roof_curve *curve, const roof_curve_point *point, double seconds)
{
    const double tokens = point->phase == ROOF_TEXT_DECODE ? 1 : point->tokens;
    return quotient_of(tokens * curve->batch, seconds);
}

double curve_crossing(curve_phase steps)
{
    const bool is_expected = curve_is_expected(steps);
    double from = NAN, last = NAN, last_tokens = NAN;
    for (uint32_t i = 0; i < steps.n; i++) {
        /* By how much the cache takes longer than the weights. NaN: unknown. */
        const double *parts_s =
            is_expected ? steps.points[i].expected.parts_s : steps.points[i].ideal_parts_s;
        const double lead = parts_s[ROOF_PART_CACHE] - parts_s[ROOF_PART_WEIGHTS],
                     tokens = steps.points[i].tokens;
        if (isnan(lead))
            continue;
        if (lead <= 0)
            from = NAN;
        else if (isnan(last))
            from = 0;
        else if (last <= 0)
            from = tokens - (tokens - last_tokens) * lead / (lead - last);
        last = lead;
        last_tokens = tokens;
    }
    return from;
}

const char *curve_not_known(const roof_curve *curve)
{
    for (uint32_t i = 0; i < curve->n_points; i++)
        if (isnan(curve->points[i].expected.seconds) && curve->points[i].expected.not_known)
            return curve->points[i].expected.not_known;
    return NULL;
}

int curve_reason_length(const char *reason)
{
    const size_t length = strlen(reason), most = ROOF_SENTENCE_SIZE / 2;
    return (int)(length > most ? most : length && reason[length - 1] == '.' ? length - 1 : length);
}

/* --- pieces of sentences ------------------------------------------------------------------------------ */

const char *curve_tokens(uint32_t tokens, char buffer[CURVE_TOKENS_SIZE])
{
    if (tokens >= 1024 && tokens % 1024 == 0)
        snprintf(buffer, CURVE_TOKENS_SIZE, "%uk", tokens / 1024);
    else
        count_format(buffer, CURVE_TOKENS_SIZE, tokens);
    return buffer;
}

const char *curve_say_tokens(roof_arena *arena, uint32_t tokens)
{
    char buffer[CURVE_TOKENS_SIZE];
    return text_or_empty(arena_strdup(arena, curve_tokens(tokens, buffer)));
}

/* A text in a sentence, which lives as long as the call that it is an argument of. */
typedef struct piece {
    char text[64];
} piece;

static piece tokens_piece(uint32_t n)
{
    piece p;
    curve_tokens(n, p.text);
    return p;
}
#define TOKENS(n) AS_TEXT(tokens_piece(n).text)

/* "91 471 tokens", "64k" */
static piece length_piece(uint32_t n)
{
    piece p = tokens_piece(n);
    if (n < 1024 || n % 1024)
        strcat(p.text, " tokens");
    return p;
}
#define LENGTH(n) AS_TEXT(length_piece(n).text)

/* A crossing lies between two points: two digits, "36k", "870". */
static piece about_piece(double n)
{
    const double unit = n >= 1024 ? 1024 : 1, value = n / unit;
    const double step = value > 0 ? pow(10, floor(log10(value)) - 1) : 1;
    piece p;
    print_into(p.text, sizeof p.text, "%.15g%s", step * round(value / step), unit > 1 ? "k" : "");
    return p;
}

/* The first and the last point that are shown of a phase: with an expected time where any has one. */
typedef struct curve_ends {
    const roof_curve_point *first, *last; /* the same one where there is one; NULL: none */
    bool are_expected;
} curve_ends;

static double seconds_at(const roof_curve_point *point, bool is_expected)
{
    return is_expected ? point->expected.seconds : point->ideal_s;
}

static curve_ends ends_of(curve_phase phase, bool are_expected)
{
    curve_ends ends = {.are_expected = are_expected};
    for (uint32_t i = 0; i < phase.n; i++) {
        const roof_curve_point *point = &phase.points[i];
        if (isnan(seconds_at(point, are_expected)))
            continue;
        ends.first = ends.first ? ends.first : point;
        ends.last = point;
    }
    return ends;
}

/* --- the three ---------------------------------------------------------------------------------------- */

/* "a prompt of 1k takes an expected 789 ms, one of 32k 45.2 s" */
static void add_prompts(sentence *s, const char *a, const curve_ends *ends)
{
    const bool is_one = ends->last == ends->first;
    SAY(s, "{} prompt of {} takes {} {}[?, one of {} {}]", AS_TEXT(a), TOKENS(ends->first->tokens),
        AS_TEXT(ends->are_expected ? "an expected" : "at least"),
        AS_SECONDS(seconds_at(ends->first, ends->are_expected)), TOKENS(ends->last->tokens),
        AS_SECONDS(is_one ? NAN : seconds_at(ends->last, ends->are_expected)));
}

static piece rate_at(const roof_curve *curve, const roof_curve_point *point, bool is_expected)
{
    const double value = curve_rate(curve, point, seconds_at(point, is_expected));
    piece p = {"?"};
    if (!isnan(value)) /* three digits, and no fewer than the whole number: "64.2", "1 283" */
        number_format_spaced(p.text, sizeof p.text, value, value < 10 ? 2 : value < 100 ? 1 : 0);
    return p;
}

/* Speed of decode steps, "expected 64.2 tokens/s at 1k, 13.7 at 128k"; of prompts only if there are no steps,
 * else the third sentence has them. */
static void say_speed(sentence *s, const roof_curve *curve)
{
    const curve_phase steps = curve_steps(curve), prompts = curve_prompts(curve);
    const curve_ends of_steps = ends_of(steps, curve_is_expected(steps)),
                     of_prompts = ends_of(prompts, curve_is_expected(prompts));
    const curve_ends *ends = steps.n ? &of_steps : &of_prompts;
    const curve_phase phase = steps.n ? steps : prompts;
    const double crossing = ends->first ? curve_crossing(steps) : (double)NAN;
    /* a model's name may be as long as it likes, and is cut where a sentence would be */
    SAY(s, "{<100} {<40} on {<100}[?, batch {}]: ", AS_TEXT(curve->model), AS_TEXT(curve->weights),
        AS_TEXT(curve->hardware_name ? curve->hardware_name : curve->hardware),
        AS_COUNT(curve->batch > 1 ? curve->batch : 0));
    if (!ends->first)
        say(s, "no time is known");
    else if (steps.n)
        SAY(s, "{} {} tokens/s at {}[?, {} at {}]", AS_TEXT(ends->are_expected ? "expected" : "at most"),
            AS_TEXT(rate_at(curve, ends->first, ends->are_expected).text), TOKENS(ends->first->tokens),
            AS_TEXT(ends->last != ends->first ? rate_at(curve, ends->last, ends->are_expected).text : NULL),
            TOKENS(ends->last->tokens));
    else
        add_prompts(s, "a", ends);
    const uint32_t n_anchors = curve->anchor_tokens ? curve->n_anchors > 1 ? curve->n_anchors : 1 : 0;
    if (ends->are_expected)
        SAY(s,
            "[?, by the line through {} step{|s} that {was|were} measured, from {} on][?, by the step "
            "measured at {}][?{} {<60}][?, not known beyond {}]",
            AS_COUNT(n_anchors > 1 ? n_anchors : 0), TOKENS(curve->anchor_tokens),
            AS_TEXT(n_anchors == 1 ? tokens_piece(curve->anchor_tokens).text : NULL),
            AS_TEXT(n_anchors ? " and constants of" : ", by the built-in calibration of"),
            AS_TEXT(curve->stack),
            AS_TEXT(ends->last && ends->last != &phase.points[phase.n - 1]
                        ? tokens_piece(ends->last->tokens).text
                        : NULL));
    SAY(s, "[?. Reading the KV cache takes longer than the weights ][?from {} on][?at all of these lengths].",
        AS_COUNT(crossing >= 0), AS_TEXT(crossing > 0 ? about_piece(crossing).text : NULL),
        AS_COUNT(crossing >= 0 && !(crossing > 0)));
}

#define GIB(bytes) AS("", known_count(bytes) / (1 << 30))

/* "that fits up to 64k, and is known not to at 128k" */
static void add_fit(sentence *s, curve_phase phase)
{
    const roof_curve_point *last = &phase.points[phase.n - 1], *fails = NULL; /* the first that does */
    for (uint32_t i = 0; i < phase.n && !fails; i++)
        fails = phase.points[i].memory.fits == ROOF_MEMORY_FITS_NOT ? &phase.points[i] : NULL;
    const uint32_t largest = last->memory.largest_tokens;
    const double fails_bytes = last->memory.fails_bytes;
    if (last->memory.fits == ROOF_MEMORY_FITS)
        SAY(s, "all of that fits[?, and up to {}]",
            AS_TEXT(largest > last->tokens ? length_piece(largest).text : NULL));
    else if (fails == phase.points)
        SAY(s, "none of that fits[?, since it is known to fail from {3} GiB on]",
            AS("", fails_bytes < known_count(last->memory.available_bytes) ? fails_bytes / (1 << 30) : NAN));
    else if (largest)
        SAY(s, "that is known to fit up to {}[?, and not at {}]", LENGTH(largest),
            AS_TEXT(fails ? length_piece(fails->tokens).text : NULL));
    else if (fails)
        SAY(s, "that is known not to fit at {}", LENGTH(fails->tokens));
    else
        SAY(s, "whether that fits is unknown[?; add --memory SIZE to check]",
            AS_COUNT(!last->memory.available_bytes));
}

static void say_memory(sentence *s, const roof_curve *curve)
{
    const curve_phase phase = curve->n_decode ? curve_steps(curve) : curve_prompts(curve);
    if (!phase.n)
        return;
    const roof_curve_point *first = phase.points, *last = &phase.points[phase.n - 1];
    const roof_language_memory *m = &last->memory;
    if (first->memory.need_bytes == ROOF_UNKNOWN || m->need_bytes == ROOF_UNKNOWN)
        return;
    SAY(s, "Weights, cache and states take {3} GiB at {}[? and {3} GiB at {}]; [?with {3} GiB ]",
        GIB(first->memory.need_bytes), LENGTH(first->tokens), GIB(phase.n > 1 ? m->need_bytes : ROOF_UNKNOWN),
        LENGTH(last->tokens), GIB(m->available_bytes ? m->available_bytes : ROOF_UNKNOWN));
    add_fit(s, phase);
    say(s, ".");
}

/* ", what is expected is 1.9 to 5.6 times that" */
static void add_ratios(sentence *s, curve_phase phase)
{
    double least = INFINITY, most = 0;
    uint32_t known = 0, last_tokens = 0;
    for (uint32_t i = 0; i < phase.n; i++) {
        known += isnan(phase.points[i].expected.seconds) ? 0 : 1;
        last_tokens = isnan(phase.points[i].expected.seconds) ? last_tokens : phase.points[i].tokens;
        const double ratio = quotient_of(phase.points[i].expected.seconds, phase.points[i].ideal_s);
        least = ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
    }
    const double top = most / least > 1.05 ? most : (double)NAN;
    if (most > 0 && known < phase.n) /* beyond it nothing is expected */
        SAY(s, "; expected up to {}: {2}[? to {2}] times that", TOKENS(last_tokens), AS("", least),
            AS("", top));
    else if (most > 0)
        SAY(s, " (expected: {2}[? to {2}] times that)", AS("", least), AS("", top));
}

static void add_bound(sentence *s, const char *no, curve_phase phase)
{
    const curve_ends ends = ends_of(phase, false);
    SAY(s, "{} is shorter than {} at {}[? and {} at {}]", AS_TEXT(no), AS_SECONDS(ends.first->ideal_s),
        TOKENS(ends.first->tokens), AS_SECONDS(ends.last != ends.first ? ends.last->ideal_s : NAN),
        TOKENS(ends.last->tokens));
    add_ratios(s, phase);
    say(s, ".");
}

static void say_rest(sentence *s, const roof_curve *curve)
{
    const curve_phase steps = curve_steps(curve), prompts = curve_prompts(curve);
    const curve_ends of_prompts = ends_of(prompts, curve_is_expected(prompts));
    const bool is_expected = curve_is_expected(steps) || curve_is_expected(prompts);
    const bool has_bound = ends_of(steps, false).first, has_prompts = steps.n && of_prompts.first;
    const char *why = curve_not_known(curve);
    if (has_prompts) {
        add_prompts(s, "A", &of_prompts);
        say(s, is_expected && has_bound ? "; " : ".");
    }
    if (is_expected && has_bound)
        add_bound(s, has_prompts ? "no step" : "No step", steps);
    else if (is_expected && !steps.n && of_prompts.first && ends_of(prompts, false).first)
        add_bound(s, "No prompt", prompts);
    if (!is_expected && why)
        say_format(s, "%sBounds only, no expected time: %.*s.", has_prompts ? " " : "",
                   curve_reason_length(why), why);
}

const char *curve_say(const roof_curve *curve, uint32_t i, char *buffer)
{
    static void (*const sayers[])(sentence *, const roof_curve *) = {say_speed, say_memory, say_rest};
    /* what has nothing to say is no sentence */
    for (size_t k = 0; k < N_OF(sayers); k++) {
        sentence s = say_into(buffer);
        sayers[k](&s, curve);
        if (s.length && !i--)
            return buffer;
    }
    return NULL;
}

const curve_words words_of_curves = {curve_say};
