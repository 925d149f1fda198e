/* What a document says and no figure is made of: a slip, most of the time, that would else go unnoticed. */
#include "measure/unread.h"
#include "core/error.h"
#include "hwdb/entry.h"
#include "measure/profile.h"
#include "measure/reconciler.h"
#include "roofline/hw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_UNREAD = 64 };

/* The member that is nearest in spelling; NULL when none is near. */
static const char *nearest_of(const codec_object *object, const char *key)
{
    const char *nearest = NULL;
    unsigned best = 3; /* further away it is another word */
    for (size_t i = 0; i < object->n; i++) {
        unsigned distance = hwdb_edit_distance(key, object->members[i].key, best);
        nearest = distance < best ? object->members[i].key : nearest;
        best = distance < best ? distance : best;
    }
    return nearest;
}

/* The only other kind that has the name; NULL: there is none, or several have. */
static const char *owner_of(const object_kinds *kinds, const char *key)
{
    const char *owner = NULL;
    size_t n = 0;
    for (size_t k = 0; k < kinds->n; k++)
        for (size_t i = 0; i < kinds->all[k]->n; i++)
            if (strcmp(kinds->all[k]->members[i].key, key) == 0) {
                owner = kinds->all[k]->name;
                n++;
            }
    return n == 1 ? owner : NULL;
}

/* Never NULL but without memory. */
static const char *say_what(codec *c, const object_kinds *kinds, const char *key)
{
    const char *owner = owner_of(kinds, key), *nearest = nearest_of(kinds->here, key),
               *kind = kinds->here->name;
    if (owner)
        return arena_printf(c->arena, "is no member of %s, but one of %s", kind, owner);
    if (!nearest)
        return arena_printf(c->arena, "is no member of %s", kind);
    const char *unit = strrchr(nearest, '_');
    return arena_printf(c->arena, "is no member of %s; did you mean %s%s?", kind, nearest,
                        unit && strcmp(unit, "_s") == 0 ? ", in seconds" : "");
}

roof_status unread_note(codec *c, const object_kinds *kinds, const char *key, roof_measured *out)
{
    char pointer[400];
    for (uint32_t i = 0; i < out->n_unread; i++)
        if (out->unread[i].object == kinds->here->name && strcmp(out->unread[i].key, key) == 0) {
            out->unread[i].times++;
            return ROOF_OK;
        }
    if (out->n_unread == MOST_UNREAD) {
        out->unread[MOST_UNREAD - 1].times++;
        return ROOF_OK;
    }
    jsonpull_pointer(c->puller, pointer, sizeof pointer);
    roof_unread new = {.where = arena_printf(c->arena, "%s: %s (line %llu)", kinds->document, pointer,
                                             (unsigned long long)jsonpull_line(c->puller)),
                       .key = arena_strdup(c->arena, key),
                       .object = kinds->here->name,
                       .what = say_what(c, kinds, key),
                       .times = 1};
    if (out->n_unread == MOST_UNREAD - 1) /* the last one stands for all that follow */
        new.what = "and others are not known here";
    roof_unread *kept = measured_add_unread(out);
    if (!kept || !new.where || !new.key || !new.what)
        return error_memory(c->err);
    *kept = new;
    return ROOF_OK;
}

/* --- findings ----------------------------------------------------------------------------------------- */

roof_status reconciler_note_unread(reconciler *r)
{
    for (uint32_t i = 0; i < r->measured->n_unread; i++) {
        const roof_unread *u = &r->measured->unread[i];
        char times[40] = "";
        if (u->times > 1)
            snprintf(times, sizeof times, " (%llu of them)", (unsigned long long)u->times);
        TRY(add_remark(r, ROOF_FINDING_NOT_USED, ROOF_NONE, NULL, "%.400s %s%s", u->where, u->what, times));
    }
    return ROOF_OK;
}

/* What a run has of this and no figure is made of. */
static bool has_energy(const roof_run *run)
{
    bool any = !isnan(run->energy_j) || !isnan(run->power_w);
    for (uint32_t i = 0; i < run->n_layers && !any; i++)
        any = run->layers[i].counters && !isnan(run->layers[i].counters->energy_j);
    return any;
}

/* A domain of a row whose cycles are no time; NULL: there is none. */
static const char *clockless(const roof_reconciled *e)
{
    const roof_run *run = e->layer_run;
    for (uint32_t i = 0; run && i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        if (row->counters && row->counters->n_cycles && isnan(row_time_s(run, row)))
            return row->counters->cycles[0].domain;
    }
    return NULL;
}

/* An id that neither the prediction goes by nor the database knows, and that was not looked up for the experiment before. A
 * path or a description says what it is by itself. */
static roof_status check_hardware(reconciler *r, uint32_t i)
{
    const roof_reconciled *e = &r->out->experiments[i];
    const char *id = e->hardware_id, *before = i ? r->out->experiments[i - 1].hardware_id : NULL;
    const char *known = e->prediction ? e->prediction->hardware.id : NULL;
    roof_hw *hw = NULL;
    if (!id || strpbrk(id, "/=") || (known && strcmp(known, id) == 0) || (before && strcmp(before, id) == 0))
        return ROOF_OK;
    roof_status status = roof_hw_load(id, &hw, NULL);
    roof_hw_free(hw);
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(r->err);
    return status != ROOF_E_NO_INPUT
               ? ROOF_OK
               : add_remark(r, ROOF_FINDING_NOT_USED, i, NULL,
                            "no entry describes the hardware '%.80s': it is a name and nothing else", id);
}

roof_status reconciler_note_unused(reconciler *r, uint32_t experiment)
{
    const roof_reconciled *e = &r->out->experiments[experiment];
    if ((e->bypass && has_energy(e->bypass)) || (e->per_layer && has_energy(e->per_layer)))
        TRY(add_remark(r, ROOF_FINDING_NOT_USED, experiment, NULL,
                       "energy and power are kept in the document and no figure is made of them"));
    const char *domain = clockless(e);
    if (domain)
        TRY(add_remark(r, ROOF_FINDING_NOT_USED, experiment, NULL,
                       "cycles of '%.80s' are no times, since clocks_hz does not have this clock", domain));
    return check_hardware(r, experiment);
}
