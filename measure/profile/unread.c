#include "measure/profile/unread.h"
#include "core/text.h"
#include "core/error.h"
#include "hwdb/hwdb.h"
#include "measure/profile/profile.h"

#include <string.h>

enum { MOST_UNREAD = 64 };

/* The member that is nearest in spelling; NULL when none is near. */
static const char *nearest_of(const codec_object *object, const char *key)
{
    const char *nearest = NULL;
    unsigned best = 3; /* further away it is another word */
    for (size_t i = 0; i < object->n; i++) {
        unsigned distance = text_edit_distance(key, object->members[i].key, best);
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

/* "clock" is meant by "clock_hz" and "frequency_hz", which --hw takes with a unit. */
static const char *say_key(codec *c, const char *key)
{
    char *word = arena_strdup(c->arena, key), *end;
    while (word && !hwdb_item_is_known(word) && (end = strrchr(word, '_')))
        *end = '\0';
    const char *nearest = !word || hwdb_item_is_known(word) ? word : hwdb_key_nearest(key);
    return arena_printf(c->arena, "is no member of hardware%s%s%s", nearest ? ", but " : "",
                        nearest ? nearest : "", nearest ? " is, with the units of --hw" : "");
}

/* Never NULL but without memory. */
static const char *say_what(codec *c, const object_kinds *kinds, const char *key)
{
    const char *owner = owner_of(kinds, key), *nearest = nearest_of(kinds->here, key),
               *kind = kinds->here->name;
    if (kinds->is_of_hardware)
        return say_key(c, key);
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
        out->unread[MOST_UNREAD - 1].is_of_hardware |= kinds->is_of_hardware;
        return ROOF_OK;
    }
    jsonpull_pointer(c->puller, pointer, sizeof pointer);
    roof_unread new = {.where = arena_printf(c->arena, "%s: %s (line %llu)", kinds->document, pointer,
                                             (unsigned long long)jsonpull_line(c->puller)),
                       .key = arena_strdup(c->arena, key),
                       .object = kinds->here->name,
                       .what = say_what(c, kinds, key),
                       .times = 1,
                       .is_of_hardware = kinds->is_of_hardware};
    if (out->n_unread == MOST_UNREAD - 1) /* the last one stands for all that follow */
        new.what = "and others are not known here";
    roof_unread *kept = array_add(c->arena, &out->unread, &out->n_unread, sizeof *kept);
    if (!kept || !new.where || !new.key || !new.what)
        return error_memory(c->err);
    *kept = new;
    return ROOF_OK;
}
