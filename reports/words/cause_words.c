/* Where a cause is, why, what it would gain, and what to do first. */
#include "reports/words/cause_words.h"
#include "roofline/prediction.h"

void cause_say_layers(sentence *s, const roof_cause *c)
{
    const char *subject = c->subject ? c->subject : "";
    if (c->kind == ROOF_CAUSE_SLOW_STAGE)
        SAY(s, "{} layer{|s} with {<40} outputs", AS_COUNT(c->n_units), AS_TEXT(subject));
    else
        SAY(s, *subject ? "{} {<40} {}" : "{}{<40} {}", AS_COUNT(c->n_units), AS_TEXT(subject),
            AS_TEXT(c->n_units == 1 ? "layer" : "layers"));
}

void cause_say(sentence *s, const roof_cause *c, const cause_names *names)
{
    enum { FEW = 2 };
    const char *subject = c->subject ? c->subject : "";
    const bool is_one = cause_is_of_one(c), are_named = c->n_units && c->n_units <= FEW && !is_one;
    if (is_one)
        SAY(s, "{<80}", AS_TEXT(names->name(names->of, c->units[0])));
    else if (cause_is_of_engine(c))
        SAY(s, "{<40}", AS_TEXT(subject));
    else if (c->n_units && *subject)
        cause_say_layers(s, c);
    else
        say(s, roof_cause_meaning(c->kind));
    for (uint32_t i = 0; are_named && i < c->n_units; i++)
        SAY(s, i ? ", {<80}" : " ({<80}", AS_TEXT(names->name(names->of, c->units[i])));
    say(s, are_named ? "): " : ": ");
    sentences_say_remark(s, &c->why);
}

const char *cause_gain_before(const roof_cause *c)
{
    return c->sure == ROOF_SURE_BOUND ? "at most " : c->sure == ROOF_SURE_GUESS ? "about " : "";
}

/* "`roofline advise net.onnx --hw kv260`" of a graph that can be edited, else "`roofline predict ...
 * --details`", with all that was requested; nothing where nobody said how to ask for it. */
static bool say_command(sentence *s, const roof_prediction *p, bool is_edit)
{
    const roof_commands none = {NULL, NULL}, *c = p ? &p->facts_of_verdict.commands : &none;
    const char *words = is_edit ? c->advise : c->predict;
    if (!words || (is_edit && (p->model.compiled || p->estimate_of || p->is_language)))
        return false;
    SAY(s, is_edit ? "`roofline advise {}`" : "`roofline predict {} --details`", AS_TEXT(words));
    return true;
}

void causes_say_todo(sentence *s, const roof_cause *causes, uint32_t n, const cause_names *names)
{
    const roof_cause *c = causes;
    if (!n)
        return;
    if (c->kind == ROOF_CAUSE_UNPROFILED) { /* nothing is gained by it */
        SAY(s, "Next: locate the {} with a per-layer profile.", AS_SECONDS(c->gain_s));
        return;
    }
    const char *advice = roof_cause_advice(c->kind);
    const bool is_of_layers = c->kind == ROOF_CAUSE_GAP || c->kind == ROOF_CAUSE_SLOW_LAYER ||
                              c->kind == ROOF_CAUSE_SLOW_KIND || c->kind == ROOF_CAUSE_SLOW_STAGE;
    char gist[120];
    size_t length = 0; /* up to where it goes into details */
    while (advice[length] && !((advice[length] == ':' || advice[length] == ';') && advice[length + 1] == ' '))
        length++;
    snprintf(gist, sizeof gist, "%.*s", (int)length, advice);
    say(s, "Next: ");
    if (c->kind == ROOF_CAUSE_MEMORY && names->requested && names->requested->is_language)
        say(s, say_command(s, names->requested, false)
                   ? " shows all layers"
                   : "a narrower --dtype or a shorter --context reduces memory traffic");
    else if (cause_is_of_engine(c) && say_command(s, names->requested, true))
        say(s, " ranks edits of the model");
    else if (cause_is_of_engine(c) && say_command(s, names->requested, false))
        say(s, " shows all layers");
    else if (is_of_layers && say_command(s, names->requested, false))
        say(s, " shows what limits them");
    else if (c->kind == ROOF_CAUSE_FALLBACK && c->n_units == 1)
        SAY(s, "replace '{<80}', which runs on the CPU", AS_TEXT(names->name(names->of, c->units[0])));
    else if (c->kind == ROOF_CAUSE_FALLBACK && c->n_units)
        SAY(s, "replace {} operator{|s} that run on the CPU", AS_COUNT(c->n_units));
    else
        SAY(s, "{}", AS_TEXT(gist));
    /* An engine's gain is of twice its speed, which no step of a user brings: its line below has it. The
     * inference of the whole-network run is without what timing costs. */
    if (!isnan(c->gain_s) && c->kind != ROOF_CAUSE_PROFILER && c->kind != ROOF_CAUSE_TIMING &&
        !cause_is_of_engine(c))
        SAY(s, ". Saves {}{} ({.0%} %)[? if as fast as the others][? of {<60}]",
            AS_TEXT(cause_gain_before(c)), AS_SECONDS(c->gain_s), AS_RATIO(c->share_ratio),
            AS_COUNT(c->sure == ROOF_SURE_PEERS), AS_TEXT(names->model));
    say(s, ".");
}

/* --- lines -------------------------------------------------------------------------------------------- */

typedef struct named_cause {
    roof_cause cause; /* the first member: cause_order compares */
    const cause_source *of;
} named_cause;

enum { MOST_COMPARED = 1000 };

/* From one on, before another. A fit over all models of a board is one cause: the same time of each. */
static uint32_t count_same(const named_cause *all, uint32_t from, uint32_t before, const named_cause *as)
{
    const roof_cause *d = &as->cause;
    uint32_t same = 0;
    for (uint32_t k = from; k < before; k++) {
        const roof_cause *c = &all[k].cause;
        same += c->kind == d->kind && !c->n_units && !d->n_units &&
                fabs(c->gain_s - d->gain_s) <= 1e-9 * c->gain_s && all[k].of != as->of;
    }
    return same;
}

/* "1.2 ms, 10 %, measured of resnet and as much of 2 more: conv1: why. Help: advice" */
static void add_line(remarks *lines, const char *label, const named_cause *t, uint32_t n_same,
                     bool with_advice)
{
    static const char *const behind[] = {[ROOF_SURE_MEASURED] = ", measured",
                                         [ROOF_SURE_PEERS] = ", compared with other layers",
                                         [ROOF_SURE_BOUND] = "",
                                         [ROOF_SURE_REPLAY] = ", by replay",
                                         [ROOF_SURE_GUESS] = ""};
    const roof_cause *c = &t->cause;
    char why[ROOF_SENTENCE_SIZE], size[ROOF_SENTENCE_SIZE];
    sentence said = say_into(why), gain = say_into(size);
    cause_say(&said, c, &t->of->names);
    if (isnan(c->gain_s))
        say(&gain, "saving unknown");
    else
        SAY(&gain, "{}{}, {.0%} %[? ({} to {})]{}", AS_TEXT(cause_gain_before(c)), AS_SECONDS(c->gain_s),
            AS_RATIO(c->share_ratio), AS_SECONDS(c->gain_ci95_s[0]), AS_SECONDS(c->gain_ci95_s[1]),
            AS_TEXT(behind[c->sure]));
    const char *same = n_same ? say_printf(lines->arena, " and as much of %u more", n_same) : "";
    remarks_add(lines, label, "%s%s%s%s: %s%s%s", size, *t->of->model ? " of " : "", t->of->model, same, why,
                with_advice ? ". Help: " : "", with_advice ? roof_cause_advice(c->kind) : "");
}

void cause_lines_add(const cause_source *sources, uint32_t n, uint32_t most, remarks *lines)
{
    named_cause *all = NULL;
    uint32_t n_all = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < sources[i].n; k++) {
            const named_cause more = {sources[i].causes[k], &sources[i]};
            if (ARENA_ADD(lines->arena, all, n_all, NULL, more) != ROOF_OK)
                return; /* the arena remembers */
        }
    if (n_all == 1 && most && !cause_is_of_engine(&all->cause))
        return; /* the verdict says it */
    if (n_all)
        qsort(all, n_all, sizeof *all, cause_order);
    uint32_t costs = 0; /* limits of the model are counted by themselves behind them */
    while (costs < n_all && !cause_is_limit(&all[costs].cause))
        costs++;
    uint32_t told_lines = 0, n_left_out = 0, number = 0;
    for (uint32_t i = 0; i < n_all; i++) {
        bool is_limit = costs && i >= costs,
             is_repeated = most && i < MOST_COMPARED && count_same(all, 0, i, &all[i]);
        if (is_repeated)
            continue;
        if (most && told_lines == most) {
            n_left_out++;
            continue;
        }
        told_lines++;
        number = i == costs ? 1 : number + 1;
        const char *label = cause_is_unlocated(&all[i].cause)
                                ? "not located"
                                : arena_printf(lines->arena, "%s %u", is_limit ? "limit" : "cause", number);
        add_line(lines, text_or_empty(label), &all[i], most ? count_same(all, i + 1, n_all, &all[i]) : 0,
                 !most);
    }
    ADD_SAID(lines, "", "[?and {} more; --details lists them]", AS_COUNT(n_left_out));
}
