#include "measure/epochs/epochs_make.h"
#include "core/sets.h"

typedef struct entry {
    uint32_t number, layer;
} entry;

struct epoch_index {
    entry *entries; /* by number */
    uint32_t n;
    uint32_t *open; /* sets: one that was handed out is with the one behind it, the last with none */
};

epoch_index *epoch_index_new(const roof_prediction *p, roof_arena *arena)
{
    uint32_t n_layers = p && p->is_started_by_rows ? p->n_layers : 0;
    epoch_index *index = NEW(arena, epoch_index);
    if (!index || !(index->entries = NEW_ARRAY(arena, entry, n_layers)) ||
        sets_new(arena, n_layers + 1, &index->open, NULL) != ROOF_OK)
        return NULL;
    for (uint32_t i = 0; i < n_layers; i++) {
        numbered_rows range;
        if (graph_rows_named(p->layers[i].name, &range) && range.first == range.last && !range.is_part)
            index->entries[index->n++] = (entry){.number = range.first, .layer = i};
    }
    order_sort(index->entries, index->n, sizeof *index->entries,
               ORDER_BY(RISING(entry, number), RISING(entry, layer)));
    return index;
}

static uint64_t number_of(const void *element)
{
    return ((const entry *)element)->number;
}

/* The first entry of at least this number. */
static uint32_t lower_bound(const epoch_index *index, uint32_t number)
{
    return lower_bound_search(index->entries, index->n, sizeof *index->entries, number, number_of);
}

bool epoch_index_claim(epoch_index *index, const numbered_rows *range, uint32_t *layer)
{
    const uint32_t i = sets_root(index->open, lower_bound(index, range->first));
    if (i == index->n || index->entries[i].number > range->last)
        return false;
    sets_join(index->open, i + 1, i);
    *layer = index->entries[i].layer;
    return true;
}

uint32_t epoch_index_first(const epoch_index *index, const numbered_rows *range)
{
    uint32_t i = lower_bound(index, range->first);
    return i < index->n && index->entries[i].number == range->first ? index->entries[i].layer : ROOF_NONE;
}
