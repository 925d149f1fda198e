/* Runs of one model on one hardware become experiments: the first whole-network run with the first per-layer
 * run, the second with the second, in whatever documents they are. A run that was given twice is one. */
#include "measure/reconcile/steps.h"
#include "measure/profile/run_facts.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* All runs of one model on one hardware. */
typedef struct group {
    uint32_t next;                  /* another group of the same key with another graph_hash */
    const char *graph_hash;         /* NULL: unknown */
    uint32_t last[ROOF_RUN_MODES];  /* the slot that got the last run of a mode */
    uint32_t place[ROOF_RUN_MODES]; /* of that slot among those of the group */
    uint32_t first_slot, last_slot;
} group;

typedef struct pairing {
    reconciler *r;
    namemap *keys;
    group *groups;
    uint32_t n_groups;
    roof_reconciled *slots;
    uint32_t *next_slot;                      /* of the same group */
    uint32_t n_slots, n_runs[ROOF_RUN_MODES]; /* runs: given */
    namemap *contents;                        /* of the runs so far, with the slots that they are in */
} pairing;

static uint32_t group_of(pairing *p, const roof_experiment *e, const char *key)
{
    uint32_t i = namemap_find(p->keys, key, strlen(key)), last = ROOF_NONE;
    for (; i != ROOF_NONE; last = i, i = p->groups[i].next) {
        const char **hash = &p->groups[i].graph_hash;
        if (!*hash)
            *hash = e->graph_hash;
        if (!e->graph_hash || strcmp(*hash, e->graph_hash) == 0)
            return i;
    }
    uint32_t made = p->n_groups++;
    memset(&p->groups[made], -1, sizeof *p->groups); /* ROOF_NONE */
    p->groups[made].graph_hash = e->graph_hash;
    if (last == ROOF_NONE)
        namemap_add(p->keys, key, strlen(key), made);
    else
        p->groups[last].next = made;
    return made;
}

/* --- naming ------------------------------------------------------------------------------------------- */

static const char *model_name(const roof_experiment *e, const roof_prediction *prediction)
{
    const char *name = experiment_model_name(e);
    if (name)
        return name;
    return prediction && prediction->model.name[0] ? prediction->model.name : NULL;
}

static void describe(pairing *p, roof_reconciled *slot, const roof_experiment *e, uint32_t index,
                     uint32_t repetition)
{
    const roof_prediction *prediction = p->r->predictions ? p->r->predictions[index] : NULL;
    const char *name = model_name(e, prediction);
    slot->prediction = slot->prediction ? slot->prediction : prediction;
    slot->family = slot->family ? slot->family : e->model_family;
    if (!slot->hardware_id)
        slot->hardware_id = e->hardware_id ? e->hardware_id : prediction ? prediction->hardware.id : NULL;
    if (!slot->device && !e->device_runs_code)
        slot->device = e->device;
    if (!slot->hardware)
        slot->hardware = slot->device ? slot->device
                         : prediction ? prediction->hardware.name
                                      : e->hardware_id;
    if (slot->model)
        return;
    const roof_measured *m = p->r->measured;
    if (!name && m->n_experiments == 1 && m->n_sources == 1 && m->sources[0].n_files == 1)
        name = m->sources[0].files[0] ? path_base_name(m->sources[0].files[0]) : NULL; /* as its only file */
    if (!name)
        slot->model = arena_printf(p->r->arena, "experiment %u", index + 1);
    else
        slot->model = repetition ? arena_printf(p->r->arena, "%s (%u)", name, repetition + 1)
                                 : arena_strdup(p->r->arena, name);
}

/* --- slots -------------------------------------------------------------------------------------------- */

/* The slot of the next run of a mode in a group: one that another mode has opened, or a new one. */
static uint32_t slot_for(pairing *p, group *g, roof_run_mode mode)
{
    uint32_t slot = g->last[mode] == ROOF_NONE ? g->first_slot : p->next_slot[g->last[mode]];
    if (slot == ROOF_NONE) {
        slot = p->n_slots++;
        p->slots[slot] = (roof_reconciled){.boundaries = ROOF_NONE};
        p->next_slot[slot] = ROOF_NONE;
        if (g->last_slot == ROOF_NONE)
            g->first_slot = slot;
        else
            p->next_slot[g->last_slot] = slot;
        g->last_slot = slot;
    }
    g->last[mode] = slot;
    g->place[mode]++; /* from ROOF_NONE on */
    return slot;
}

/* --- the same measurement twice ----------------------------------------------------------------------- */

static roof_status digest(void *state, const char *bytes, size_t length, roof_error *err)
{
    (void)err;
    XXH3_128bits_update(state, bytes, length);
    return ROOF_OK;
}

/* The slot of an equal run of the same model and hardware, or ROOF_NONE. Paths do not count: a copy in
 * another folder is no other evidence. *key: to remember the run by. */
static roof_status find_equal(pairing *p, const roof_experiment *e, roof_run *run, XXH128_canonical_t **key,
                              uint32_t *slot)
{
    XXH3_state_t state;
    roof_experiment alone = *e;
    alone.model_name = e->model_path ? path_base_name(e->model_path) : e->model_name;
    alone.model_path = alone.graph_hash = alone.model_family = alone.device_data_type = NULL;
    alone.device_runs_code = false;
    alone.runs = run;
    alone.n_runs = 1;
    const roof_measured document = {.experiments = &alone, .n_experiments = 1};
    *slot = ROOF_NONE;
    TRY(ARENA_GET(p->r->arena, *key, 1, p->r->err));
    if (p->n_runs[run->mode] < 2)
        return ROOF_OK;
    XXH3_128bits_reset(&state);
    TRY(roof_measured_write(&document, (roof_sink){digest, &state}, p->r->err));
    XXH128_canonicalFromHash(*key, XXH3_128bits_digest(&state));
    *slot = namemap_find(p->contents, *key, sizeof **key);
    return ROOF_OK;
}

/* Cores of one accelerator that worked at the same time are one run, which the first of them becomes. *done:
 * it did. */
static roof_status join_core(pairing *p, const roof_experiment *e, uint32_t k, uint32_t slot, bool *done)
{
    const roof_run *run = &e->runs[k];
    *done = slot != ROOF_NONE && run->core;
    for (uint32_t i = 0; i < k && *done; i++)
        *done = e->runs[i].mode != run->mode || (e->runs[i].core && strcmp(e->runs[i].core, run->core) != 0);
    if (!*done)
        return ROOF_OK;
    const roof_run **into = run->mode == ROOF_RUN_BYPASS ? &p->slots[slot].bypass : &p->slots[slot].per_layer;
    TELL(p->r, &p->slots[slot], NULL, CORES, AS_TEXT(run->core), AS_SECONDS(run->sum_of_layers_s),
         AS_TEXT((*into)->core), AS_SECONDS((*into)->sum_of_layers_s));
    *into = cores_together(p->r->arena, *into, run);
    return ALLOCATED(*into, p->r->err);
}

/* A load run stands for itself. */
static roof_status add_load(pairing *p, const roof_experiment *e, uint32_t index, roof_run *run)
{
    roof_reconciliation *out = p->r->out;
    XXH128_canonical_t *content;
    uint32_t at;
    TRY(find_equal(p, e, run, &content, &at));
    if (at != ROOF_NONE) {
        TELL(p->r, NULL, NULL, REPEATED_LOAD, AS_TEXT(e->place ? e->place : "another experiment"));
        return ROOF_OK;
    }
    namemap_add(p->contents, content, sizeof *content, out->n_loads);
    roof_reconciled named = {.boundaries = ROOF_NONE};
    describe(p, &named, e, index, 0);
    out->loads[out->n_loads++] = (roof_load_run){.model = named.model,
                                                 .hardware = named.hardware,
                                                 .run = run,
                                                 .experiment = e,
                                                 .prediction = named.prediction};
    return arena_status(p->r->arena, p->r->err);
}

static roof_status add_experiment(pairing *p, uint32_t index)
{
    const roof_experiment *e = &p->r->measured->experiments[index];
    const roof_operand place = AS_TEXT(e->place ? e->place : "another experiment");
    /* Experiments of one model share its path or name, its hardware, and the workload of a language model:
     * with other weights or another version of what runs it, it is another one. */
    const char *model = e->resolved_path ? e->resolved_path : e->model_name;
    const char *hardware = e->hardware_id ? e->hardware_id : text_or_empty(e->device);
    const char *key =
        model ? arena_printf(p->r->arena, "%zu %d %u %u %s %s %s %s %s%s", strlen(hardware), (int)e->phase,
                             e->prompt_tokens, e->context_tokens, text_or_empty(e->weight_type),
                             text_or_empty(e->cache_type), text_or_empty(e->stack),
                             text_or_empty(e->stack_version), hardware, model)
              : arena_printf(p->r->arena, "#%u", index);
    TRY(ALLOCATED(key, p->r->err));
    group *g = &p->groups[group_of(p, e, key)];
    uint32_t of_cores[ROOF_RUN_MODES] = {ROOF_NONE, ROOF_NONE};
    for (uint32_t i = 0; i < e->n_runs; i++) {
        roof_run *run = &e->runs[i];
        XXH128_canonical_t *content;
        uint32_t at;
        bool joined;
        if (run->mode == ROOF_RUN_LOAD) {
            TRY(add_load(p, e, index, run));
            continue;
        }
        TRY(join_core(p, e, i, of_cores[run->mode], &joined));
        if (joined)
            continue;
        TRY(find_equal(p, e, run, &content, &at));
        if (at != ROOF_NONE) {
            reconcile_find(p->r, &p->slots[at], NULL,
                           run->mode == ROOF_RUN_BYPASS ? REMARK(REPEATED_BYPASS, place)
                                                        : REMARK(REPEATED_PER_LAYER, place));
            continue;
        }
        at = slot_for(p, g, run->mode);
        namemap_add(p->contents, content, sizeof *content, at);
        roof_reconciled *slot = &p->slots[at];
        slot->first = g->first_slot;
        slot->source = slot->bypass || slot->per_layer ? slot->source : index;
        slot->stated_model = model_name(e, NULL);
        slot->stated_hardware_id = e->hardware_id;
        slot->phase = e->phase;
        slot->prompt_tokens = e->prompt_tokens;
        slot->context_tokens = e->context_tokens;
        slot->weight_type = e->weight_type;
        slot->cache_type = e->cache_type;
        slot->stack = e->stack;
        slot->stack_version = e->stack_version;
        of_cores[run->mode] = run->core ? at : ROOF_NONE;
        *(run->mode == ROOF_RUN_BYPASS ? &slot->bypass : &slot->per_layer) = run;
        *(run->mode == ROOF_RUN_BYPASS ? &slot->bypass_of : &slot->per_layer_of) = e;
        describe(p, slot, e, index, g->place[run->mode]);
    }
    return ROOF_OK;
}

roof_status pair_runs(reconciler *r)
{
    const roof_measured *m = r->measured;
    pairing p = {.r = r};
    for (uint32_t i = 0; i < m->n_experiments; i++)
        for (uint32_t k = 0; k < m->experiments[i].n_runs; k++)
            p.n_runs[m->experiments[i].runs[k].mode]++;
    size_t n_runs =
        (size_t)p.n_runs[ROOF_RUN_BYPASS] + p.n_runs[ROOF_RUN_PER_LAYER] + p.n_runs[ROOF_RUN_LOAD];
    p.keys = namemap_new(r->arena, m->n_experiments);
    p.contents = namemap_new(r->arena, n_runs);
    p.groups = NEW_ARRAY(r->arena, group, m->n_experiments);
    p.slots = NEW_ARRAY(r->arena, roof_reconciled, n_runs);
    p.next_slot = NEW_ARRAY(r->arena, uint32_t, n_runs);
    if (p.n_runs[ROOF_RUN_LOAD])
        TRY(ARENA_GET(r->arena, r->out->loads, p.n_runs[ROOF_RUN_LOAD], r->err));
    TRY(ALLOCATED(p.keys && p.contents && p.groups && p.slots && p.next_slot, r->err));
    r->out->experiments = p.slots; /* findings are told on the way */
    for (uint32_t i = 0; i < m->n_experiments; i++)
        TRY(add_experiment(&p, i));
    r->out->n_experiments = p.n_slots;
    for (uint32_t i = 0; i < p.n_groups; i++) /* none is left of a group of copies */
        r->out->n_models += p.groups[i].first_slot != ROOF_NONE;
    return ROOF_OK;
}
