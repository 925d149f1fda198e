/* Describes a profile without a prediction: its tool, its devices, what takes the time, how steady it is. */
#include "measure/profile/profile.h"
#include "measure/reconcile/steps.h"
#include "measure/import/tools.h"

#include <ctype.h>

/* --- where it comes from -------------------------------------------------------------------------------- */

/* "GPU", "CPU and NPU". NULL: rows do not say, or they are more than two. */
static const char *devices_of(const roof_reconciled *e, roof_arena *arena)
{
    const char *found[2] = {NULL, NULL};
    for (uint32_t i = 0; i < e->layer_run->n_layers; i++) {
        const roof_layer_counters *c = e->layer_run->layers[i].counters;
        const char *device = c ? c->device : NULL;
        if (!device)
            return NULL;
        int k = !found[0] || strcmp(found[0], device) == 0 ? 0 : 1;
        if (found[k] && strcmp(found[k], device) != 0)
            return NULL;
        found[k] = device;
    }
    return found[1] ? arena_printf(arena, "%s and %s", found[0], found[1]) : found[0];
}

/* --- names of kernels ----------------------------------------------------------------------------------- */

/* Where the arguments of a template or a function begin; Julia writes them as [v1](Array). */
static const char *arguments_of(const char *name)
{
    const char *at = name;
    while (*at && *at != '<' && *at != '(' && !(*at == '[' && strstr(at, "](")))
        at++;
    return at;
}

const char *profile_alone_kernel(const char *name, roof_arena *arena)
{
    enum { SAYS_LITTLE = 6 }; /* names of so many letters alone say nothing: "Kernel", "run" */
    static const char anonymous[] = "(anonymous namespace)";
    const char *end = arguments_of(name);
    while (strncmp(end, anonymous, sizeof anonymous - 1) == 0)
        end = arguments_of(end + sizeof anonymous - 1);
    const char *from = end;
    while (from > name && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
        from--;
    if (end - from <= SAYS_LITTLE && from > name + 2 && from[-1] == ':') /* "Kernel" of "cutlass::Kernel" */
        for (from -= 2; from > name && (isalnum((unsigned char)from[-1]) || from[-1] == '_');)
            from--;
    if (!*end || from == end || memchr(name, '/', (size_t)(end - name)))
        return name;
    return arena_strndup(arena, from, (size_t)(end - from));
}

/* --- what takes the time -------------------------------------------------------------------------------- */

static double amount(const roof_reconciled *e, roof_profile_basis basis, const roof_match *u)
{
    double value = basis == ROOF_PROFILE_TIMES    ? u->measured_s
                   : basis == ROOF_PROFILE_SHARES ? match_stated_share(e, u)
                                                  : match_cycles(e, u);
    return u->n_rows && value > 0 && !roof_match_is_repeated(u) ? value : 0;
}

/* Denominator of shares: the sum of all rows; for times that overlap, the time in which any row ran. */
static double shared(const roof_reconciled *e, roof_profile_basis basis, double all)
{
    const double busy_s = basis == ROOF_PROFILE_TIMES ? experiment_overlapped_busy_s(e) : NAN;
    return isnan(busy_s) ? all : busy_s;
}

/* The first basis that any row has. */
static void find_basis(const roof_reconciled *e, roof_profile *p)
{
    static const roof_profile_basis bases[] = {ROOF_PROFILE_TIMES, ROOF_PROFILE_SHARES, ROOF_PROFILE_CYCLES};
    for (size_t b = 0; b < N_OF(bases) && !(p->total > 0); b++) {
        double most = 0;
        p->total = 0;
        for (uint32_t i = 0; i < e->n_matches; i++) {
            double value = amount(e, bases[b], &e->matches[i]);
            p->total += value;
            if (value > most) {
                most = value;
                p->largest = i;
            }
        }
        p->basis = p->total > 0 ? bases[b] : ROOF_PROFILE_NOTHING;
        p->largest_ratio = most / shared(e, bases[b], p->total);
    }
}

/* Parts of equal types, or of equal names; of kernels what they are without their arguments. */
static void make_parts(reconciler *r, const roof_reconciled *e, roof_profile *p, bool by_kind)
{
    namemap *names = namemap_new(r->arena, e->n_matches);
    p->n_parts = 0;
    p->is_by_kind = by_kind;
    for (uint32_t i = 0; names && p->parts && i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        double value = amount(e, p->basis, u);
        const char *name = by_kind ? match_type(u) : profile_alone_kernel(u->name, r->arena);
        if (!(value > 0) || !name)
            continue;
        uint32_t at = namemap_find(names, name, strlen(name));
        if (at == ROOF_NONE) {
            at = p->n_parts++;
            p->parts[at] = (roof_profile_part){.name = name};
            namemap_add(names, name, strlen(name), at);
        }
        p->parts[at].rows++;
        p->parts[at].launches += match_executions(e, u);
        p->parts[at].share_ratio += value / shared(e, p->basis, p->total);
    }
    if (p->parts)
        order_sort(p->parts, p->n_parts, sizeof *p->parts,
                   ORDER_BY(FALLING(roof_profile_part, share_ratio), RISING(roof_profile_part, name)));
}

void profile_alone_look(reconciler *r, roof_reconciled *e)
{
    static const double one_kind = 0.995; /* where one kind has nearly all of the time, kinds tell nothing */
    if (e->prediction || e->not_compared)
        return;
    roof_profile *p = NEW(r->arena, roof_profile);
    if (!p)
        return; /* the arena remembers */
    p->largest = ROOF_NONE;
    e->profile = p;
    /* the only tool of all sources */
    const roof_measured *m = r->measured;
    const char *tool = m->n_sources ? m->sources[0].tool : NULL;
    for (uint32_t k = 1; tool && k < m->n_sources; k++)
        if (!m->sources[k].tool || strcmp(m->sources[k].tool, tool) != 0)
            tool = NULL;
    tool_words words = {.has_two_modes = true};
    tool_words_of(tool, &words);
    p->tool = words.tool;
    p->next = words.next;
    p->has_two_modes = words.has_two_modes;
    const roof_run *steady = e->bypass && e->total.bypass_s > 0 ? e->bypass : e->per_layer;
    const roof_times t = steady && !e->is_recording ? steady->total : times_unknown();
    p->cov_ratio = quotient_of(t.std_s, t.mean_s);
    p->cov_ratio = isnan(p->cov_ratio) ? t.cov_ratio : p->cov_ratio;
    p->tail_ratio = quotient_of(t.p99_s, t.median_s);
    if (!e->layer_run)
        return;
    p->devices = devices_of(e, r->arena);
    p->is_estimated = e->layer_run->n_layers > 0;
    for (uint32_t k = 0; k < e->layer_run->n_layers; k++)
        p->is_estimated = p->is_estimated && e->layer_run->layers[k].basis == ROOF_TIME_ESTIMATED;
    p->n_rows = e->layer_run->n_layers;
    p->parts = NEW_ARRAY(r->arena, roof_profile_part, (size_t)e->n_matches + 1);
    find_basis(e, p);
    if (p->largest != ROOF_NONE)
        p->largest_name = profile_alone_kernel(e->matches[p->largest].name, r->arena);
    if (!p->largest_name)
        return; /* nothing has an amount, or the arena remembers */
    make_parts(r, e, p, true);
    if (p->n_parts && p->parts[0].share_ratio * shared(e, p->basis, p->total) > one_kind * p->total)
        make_parts(r, e, p, false);
}
