#include "hwdb/builtin.h"

/* The next text; NULL: there is none in its place. */
static const char *take(const uint16_t **at)
{
    const char *text = hwdb_builtin_texts + hwdb_builtin_places[*(*at)++];
    return *text ? text : NULL;
}

roof_status hwdb_builtin_read(const hwdb_builtin *builtin, roof_arena *arena, hwdb_entry *out,
                              roof_error *err)
{
    const uint16_t *at = hwdb_builtin_fields + builtin->first_field;
    *out = (hwdb_entry){.id = builtin->listing.id, .is_abstract = builtin->is_abstract};
    out->name = take(&at);
    out->board = take(&at);
    out->family = take(&at);
    out->summary = take(&at);
    hwdb_texts *const lists[] = {&out->aliases, &out->parents, &out->notes, &out->fingerprints};
    for (size_t i = 0; i < N_OF(lists); i++) {
        hwdb_texts *list = lists[i];
        const uint16_t *counted = at;
        size_t n = 0;
        while (take(&counted))
            n++;
        TRY(ARENA_GET(arena, list->items, n, err));
        while (list->n < n)
            list->items[list->n++] = take(&at);
        take(&at);
    }
    TRY(ARENA_GET(arena, out->values, builtin->n_values, err));
    for (; out->n_values < builtin->n_values; out->n_values++) {
        roof_quantity *q = &out->values[out->n_values];
        q->key = take(&at);
        q->unit = take(&at);
        q->source = take(&at);
        q->caveat = take(&at);
        q->kind = (roof_value_kind)*at++;
        q->value = hwdb_builtin_numbers[builtin->first_number + out->n_values];
    }
    return ROOF_OK;
}
