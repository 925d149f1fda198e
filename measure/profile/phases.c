#include "measure/profile/phases.h"
#include "measure/profile/profile.h"
#include "measure/profile/run_facts.h"

enum { MOST_NAMED = 64 };

/* Sums of printed times may exceed their whole by this much. */
#define ROUNDING_RATIO 0.001

/* Names that everybody writes. */
static const struct usual_phase {
    const char *name;
    roof_phase_kind kind;
    roof_part_id part;
} usual[] = {{"run", ROOF_PHASE_ACCELERATOR, ROOF_PART_RUN},
             {"write", ROOF_PHASE_TRANSFER, ROOF_PART_WRITE},
             {"read", ROOF_PHASE_TRANSFER, ROOF_PART_READ},
             {"host", ROOF_PHASE_HOST, ROOF_PART_PROCESSING},
             {"launch", ROOF_PHASE_HOST, ROOF_PART_LAUNCH}};

static const struct {
    const char *word;
    roof_part_id part;
} kinds[ROOF_PHASE_KINDS] = {[ROOF_PHASE_UNDECLARED] = {NULL, ROOF_PART_PHASE},
                             [ROOF_PHASE_ACCELERATOR] = {"accelerator", ROOF_PART_ACCELERATOR_PHASE},
                             [ROOF_PHASE_TRANSFER] = {"transfer", ROOF_PART_TRANSFER_PHASE},
                             [ROOF_PHASE_HOST] = {"host", ROOF_PART_HOST_PHASE}};

const char *roof_phase_kind_text(roof_phase_kind kind)
{
    return (unsigned)kind < ROOF_PHASE_KINDS ? kinds[kind].word : NULL;
}

roof_part_id phase_part(const roof_phase *phase)
{
    const struct usual_phase *known = NAMED(usual, N_OF(usual), name, phase->name);
    return known && known->kind == phase->kind ? known->part : kinds[phase->kind].part;
}

/* --- checks ------------------------------------------------------------------------------------------- */

static roof_status check_parent(codec *c, const roof_run *run, const roof_phase *phase)
{
    const roof_phase *above = phase;
    if (isnan(phase->seconds))
        return codec_fail(c, "phase_kinds or phase_parents has '%s_s', want a member of phases", phase->name);
    for (uint32_t steps = 0; above->parent; steps++) {
        const char *wanted = above->parent;
        above = NAMED(run->phases, run->n_phases, name, wanted);
        if (!above)
            return codec_fail(c, "phase_parents: '%s_s' is a part of '%s_s', want a member of phases",
                              phase->name, wanted);
        if (steps >= run->n_phases)
            return codec_fail(c, "phase_parents: '%s_s' is a part of itself", phase->name);
    }
    return ROOF_OK;
}

roof_phase_kind phase_implied_kind(const roof_run *run, const roof_phase *phase)
{
    for (bool is_itself = true; phase;
         phase = NAMED(run->phases, run->n_phases, name, phase->parent), is_itself = false) {
        const struct usual_phase *known = NAMED(usual, N_OF(usual), name, phase->name);
        if (!is_itself && phase->kind)
            return phase->kind;
        if (known)
            return known->kind;
    }
    return ROOF_PHASE_UNDECLARED;
}

double phase_excess_s(const roof_run *run, const roof_phase *phase)
{
    double own = phase_own_seconds(run, phase);
    return own < -ROUNDING_RATIO * phase->seconds ? phase->seconds - own : NAN;
}

roof_status phases_finish(codec *c, roof_run *run)
{
    for (uint32_t i = 0; i < run->n_phases; i++)
        TRY(check_parent(c, run, &run->phases[i]));
    FOR_EACH(roof_phase, phase, run->phases, run->n_phases) {
        double parts_s = phase_excess_s(run, phase);
        if (!isnan(parts_s))
            return codec_fail(c, "the parts of phase '%s_s' are %g s, want at most its own %g s", phase->name,
                              parts_s, phase->seconds);
        if (!phase->kind)
            phase->kind = phase_implied_kind(run, phase);
    }
    return ROOF_OK;
}

/* --- in and out of a document ------------------------------------------------------------------------- */

/* "run" of "run_s". */
static roof_status name_of(codec *c, const char *key, const char **out)
{
    size_t length = strlen(key);
    if (length < 3 || strcmp(key + length - 2, "_s") != 0)
        return codec_fail(c, "a phase is a name and its unit, as in \"run_s\"");
    const char *problem = codec_key_problem(key);
    if (problem)
        return codec_fail(c, "%s", problem);
    *out = arena_strndup(c->arena, key, length - 2);
    return ALLOCATED(*out, c->err);
}

/* The phase of a key, made where no other member has named it yet. */
static roof_status phase_of(codec *c, const char *key, roof_run *run, roof_phase **out)
{
    const char *name = NULL;
    TRY(name_of(c, key, &name));
    *out = NAMED(run->phases, run->n_phases, name, name);
    if (*out)
        return ROOF_OK;
    if (run->n_phases == MOST_NAMED)
        return codec_refuse(c, ROOF_E_LIMIT, "is one too many, want at most %d", MOST_NAMED);
    *out = array_add(c->arena, &run->phases, &run->n_phases, sizeof **out);
    TRY(ALLOCATED(*out, c->err));
    **out = (roof_phase){.name = name, .seconds = NAN};
    return ROOF_OK;
}

typedef struct phase_reading {
    roof_run *run;
    const char *want; /* NULL: seconds */
    bool is_kind;
} phase_reading;

static roof_status read_phase(codec *c, const json_event *event, void *reading)
{
    const phase_reading *r = reading;
    roof_phase *phase;
    double seconds = NAN;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    if (r->want && event->kind != JSON_STRING)
        return codec_fail(c, "found %s, want %s", json_kind_text(event->kind), r->want);
    if (!r->want)
        TRY(codec_read_seconds(c, event, &seconds));
    TRY(phase_of(c, event->key, r->run, &phase));
    if (r->is_kind ? phase->kind : r->want ? phase->parent != NULL : !isnan(phase->seconds))
        return codec_fail(c, "is there twice");
    if (r->want && !r->is_kind)
        return name_of(c, event->text, &phase->parent);
    if (!r->want) { /* phases that have a time stand first, in their order, whatever was named before them */
        roof_phase *first = r->run->phases, moved = *phase;
        while (!isnan(first->seconds))
            first++;
        moved.seconds = seconds;
        *phase = *first;
        *first = moved;
        return ROOF_OK;
    }
    for (int kind = ROOF_PHASE_ACCELERATOR; kind < ROOF_PHASE_KINDS && r->is_kind; kind++)
        if (strcmp(kinds[kind].word, event->text) == 0)
            phase->kind = (roof_phase_kind)kind;
    return phase->kind || !r->is_kind ? ROOF_OK : codec_fail(c, "found another word, want %s", r->want);
}

roof_status phases_read(codec *c, const json_event *event, void *target)
{
    const bool is_kind = strcmp(event->key, "phase_kinds") == 0,
               is_parent = strcmp(event->key, "phase_parents") == 0;
    phase_reading r = {target,
                       is_kind     ? "\"accelerator\", \"transfer\" or \"host\""
                       : is_parent ? "the name of the phase that it is a part of"
                                   : NULL,
                       is_kind};
    return codec_read_members(c, event, read_phase, &r);
}

void phases_write(codec *c, const char *key, const void *target)
{
    const roof_run *run = target;
    char name[CODEC_LONGEST_KEY + 8], parent[sizeof name];
    const bool is_kind = strcmp(key, "phase_kinds") == 0, is_parent = strcmp(key, "phase_parents") == 0;
    bool any = false;
    FOR_EACH(const roof_phase, phase, run->phases, run->n_phases) {
        const char *word = NULL;
        snprintf(name, sizeof name, "%s_s", phase->name);
        if (is_kind && phase->kind != phase_implied_kind(run, phase))
            word = roof_phase_kind_text(phase->kind);
        if (is_parent && phase->parent) {
            snprintf(parent, sizeof parent, "%s_s", phase->parent);
            word = parent;
        }
        if ((is_kind || is_parent) && !word)
            continue;
        if (!any)
            jsonout_object(c->out, key, true);
        any = true;
        if (word)
            jsonout_string(c->out, name, word);
        else
            jsonout_number(c->out, name, phase->seconds);
    }
    if (any)
        jsonout_end(c->out);
}

/* --- sums --------------------------------------------------------------------------------------------- */

double phase_own_seconds(const roof_run *run, const roof_phase *phase)
{
    double own = phase->seconds;
    for (uint32_t i = 0; i < run->n_phases; i++)
        if (run->phases[i].parent && strcmp(run->phases[i].parent, phase->name) == 0)
            own -= run->phases[i].seconds;
    return own;
}

phase_sums phases_sum(const roof_run *run)
{
    phase_sums sums = {.all_s = 0};
    for (int kind = 0; kind < ROOF_PHASE_KINDS; kind++)
        sums.of_s[kind] = NAN;
    FOR_EACH(const roof_phase, phase, run->phases, run->n_phases) {
        double own = fmax(0, phase_own_seconds(run, phase));
        sums.of_s[phase->kind] = add_if_known(sums.of_s[phase->kind], own);
        sums.all_s += own;
    }
    sums.exceed_total = sums.all_s > (1 + ROUNDING_RATIO) * times_typical(&run->total);
    return sums;
}

double phases_of_s(const roof_run *run)
{
    double whole_s = times_typical(&run->total);
    bool is_recording = isnan(whole_s) && run->mode == ROOF_RUN_PER_LAYER && run->n_phases > 1;
    return is_recording ? phases_sum(run).all_s : whole_s;
}

roof_phase_kind phases_bound(const roof_run *run)
{
    const phase_sums sums = phases_sum(run);
    double unknown_s = times_typical(&run->total), most_s = 0, next_s = 0;
    roof_phase_kind most = ROOF_PHASE_UNDECLARED;
    for (int kind = ROOF_PHASE_ACCELERATOR; kind < ROOF_PHASE_KINDS; kind++) {
        double seconds = isnan(sums.of_s[kind]) ? 0 : sums.of_s[kind];
        unknown_s -= seconds;
        next_s = fmax(next_s, fmin(seconds, most_s));
        if (seconds > most_s) {
            most_s = seconds;
            most = (roof_phase_kind)kind;
        }
    }
    bool is_sure = most_s > next_s + (unknown_s < 0 ? 0 : unknown_s); /* not where the whole is unknown */
    return is_sure && !sums.exceed_total ? most : ROOF_PHASE_UNDECLARED;
}

double phases_outside(const roof_run *run)
{
    phase_sums sums = phases_sum(run);
    double host = sums.of_s[ROOF_PHASE_HOST], transfer = sums.of_s[ROOF_PHASE_TRANSFER];
    if (sums.exceed_total)
        return NAN;
    return isnan(host) ? transfer : add_if_known(host, transfer);
}

const roof_run *phased_run(const roof_reconciled *e)
{
    const roof_run *run = e->bypass && e->bypass->n_phases ? e->bypass : e->per_layer;
    return run && run->n_phases ? run : NULL;
}

bool phases_explain_sum(const roof_reconciled *e)
{
    double outside_s = e->bypass ? phases_outside(e->bypass) : NAN;
    return e->per_layer && isnan(e->total.per_layer_s) && outside_s > 0 &&
           e->total.sum_of_layers_s < e->total.bypass_s &&
           e->total.sum_of_layers_s >= 0.99 * (e->total.bypass_s - outside_s);
}
