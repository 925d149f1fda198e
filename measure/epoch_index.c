#include "measure/epoch_index.h"
#include "core/lower_bound.h"
#include "model/calibrated.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint32_t number, layer;
    uint32_t next; /* itself, or behind it when it was handed out */
} entry;

struct epoch_index {
    entry *entries; /* by number; one behind the last ends chains */
    uint32_t n;
};

/* Takes a number of at most nine digits off the text. */
static bool take_number(const char **text, uint32_t *out)
{
    const char *at = *text;
    uint32_t n = 0;
    while (*at >= '0' && *at <= '9' && at - *text < 9)
        n = 10 * n + (uint32_t)(*at++ - '0');
    bool good = at > *text && !(*at >= '0' && *at <= '9');
    *text = at;
    *out = n;
    return good;
}

static bool take(const char **text, const char *prefix)
{
    size_t length = strlen(prefix);
    bool begins = strncmp(*text, prefix, length) == 0;
    *text += begins ? length : 0;
    return begins;
}

bool epoch_range_read(const char *name, epoch_range *out)
{
    uint32_t part;
    *out = (epoch_range){0};
    if ((!take(&name, "epoch_") && !take(&name, "EpochBlock_")) || !take_number(&name, &out->first))
        return false;
    out->last = out->first;
    if (take(&name, " -> "))
        return take_number(&name, &out->last) && !*name && out->last >= out->first;
    out->is_part = take(&name, " (");
    return out->is_part ? take_number(&name, &part) && take(&name, ")") && !*name : !*name;
}

static int by_number(const void *a_, const void *b_)
{
    const entry *a = a_, *b = b_;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->layer > b->layer) - (a->layer < b->layer);
}

epoch_index *epoch_index_new(const roof_prediction *p, roof_arena *arena)
{
    uint32_t n_layers = p && p->is_started_by_rows ? p->n_layers : 0;
    epoch_index *index = NEW(arena, epoch_index);
    if (!index || !(index->entries = NEW_ARRAY(arena, entry, (size_t)n_layers + 1)))
        return NULL;
    for (uint32_t i = 0; i < n_layers; i++) {
        epoch_range range;
        if (epoch_range_read(p->layers[i].name, &range) && range.first == range.last && !range.is_part)
            index->entries[index->n++] = (entry){.number = range.first, .layer = i};
    }
    qsort(index->entries, index->n, sizeof *index->entries, by_number);
    for (uint32_t i = 0; i <= index->n; i++)
        index->entries[i].next = i;
    return index;
}

static uint64_t number_of(const void *element)
{
    return ((const entry *)element)->number;
}

/* The first entry of at least this number. */
static uint32_t lower_bound(const epoch_index *index, uint32_t number)
{
    return search_lower_bound(index->entries, index->n, sizeof *index->entries, number, number_of);
}

/* The way is halved while it is gone, so that long chains are gone once. */
static uint32_t open_from(epoch_index *index, uint32_t i)
{
    entry *e = index->entries;
    while (e[i].next != i) {
        e[i].next = e[e[i].next].next;
        i = e[i].next;
    }
    return i;
}

bool epoch_index_claim(epoch_index *index, const epoch_range *range, uint32_t *layer)
{
    uint32_t i = open_from(index, lower_bound(index, range->first));
    if (i == index->n || index->entries[i].number > range->last)
        return false;
    index->entries[i].next = i + 1;
    *layer = index->entries[i].layer;
    return true;
}

uint32_t epoch_index_first(const epoch_index *index, const epoch_range *range)
{
    uint32_t i = lower_bound(index, range->first);
    return i < index->n && index->entries[i].number == range->first ? index->entries[i].layer : ROOF_NONE;
}
