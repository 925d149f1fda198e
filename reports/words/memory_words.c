#include "reports/words/memory_words.h"

enum { LONGEST_NAME = 48 };

static const char *short_name(roof_arena *arena, const char *name)
{
    const char *shown = arena_shown(arena, name ? name : "?");
    const size_t length = shown ? strlen(shown) : 0;
    if (length <= LONGEST_NAME)
        return text_or_empty(shown);
    return say_printf(arena, "%.16s...%s", shown, shown + length - (LONGEST_NAME - 19));
}

const char *memory_row_words(roof_arena *arena, const roof_memory *m, const roof_memory_pool *pool,
                             uint32_t row)
{
    return short_name(arena, roof_memory_row_name(m, pool, row));
}

const char *memory_pool_words(roof_arena *arena, const roof_memory *m, const roof_memory_pool *pool)
{
    bool has_others = false;
    for (uint32_t i = 0; i < m->n_pools; i++)
        has_others = has_others || m->pools[i].subgraph != pool->subgraph;
    if (pool->assuming)
        return say_printf(arena, "%s %s", short_name(arena, pool->name), pool->assuming);
    if (pool->subgraph != ROOF_NONE && has_others)
        return say_printf(arena, "%s of subgraph %u", short_name(arena, pool->name), pool->subgraph);
    return short_name(arena, pool->name);
}

bool memory_is_watched(const roof_memory_pool *pool)
{
    const bool is_given =
        pool->kind == ROOF_MEMORY_CONSTANTS || pool->kind == ROOF_MEMORY_CODE || pool->kind == ROOF_MEMORY_IO;
    return pool->peak_bytes != ROOF_UNKNOWN && pool->peak_bytes &&
           (!is_given || pool->fit > ROOF_MEMORY_FIT_YES);
}

/* The worst of all, and whether a size of any is known. */
static roof_memory_fit worst_fit(const roof_memory *m, const roof_memory_pool **of)
{
    roof_memory_fit worst = ROOF_MEMORY_FIT_UNKNOWN;
    *of = NULL;
    for (uint32_t i = 0; i < m->n_pools; i++)
        if (m->pools[i].fit > worst) {
            worst = m->pools[i].fit;
            *of = &m->pools[i];
        }
    if (m->sets_peak != ROOF_NONE && m->pools[m->sets_peak].fit == worst)
        *of = &m->pools[m->sets_peak];
    return worst;
}

static const char *bytes_of(roof_arena *arena, uint64_t bytes)
{
    return say_printf(arena, "%s B", say_count(arena, bytes));
}

static bool is_folded(const roof_memory_pool *pool)
{
    return strcmp(pool->assuming, "as stored") != 0;
}

const roof_memory_pool *memory_shown_pool(const roof_memory *m)
{
    const roof_memory_pool *least = NULL;
    if (!m->is_at_least)
        return m->sets_peak == ROOF_NONE ? NULL : &m->pools[m->sets_peak];
    FOR_EACH(const roof_memory_pool, pool, m->pools, m->n_pools)
        if (strcmp(pool->name, "activations") == 0 && pool->peak_bytes != ROOF_UNKNOWN &&
            (!least || is_folded(pool)))
            least = pool;
    return least;
}

/* Least memory of an uncompiled graph. */
static const char *say_least(roof_arena *arena, const roof_memory *m)
{
    const roof_memory_pool *least = memory_shown_pool(m);
    if (!least)
        return say_printf(arena, "How much is alive is unknown: %s.",
                          m->n_pools && m->pools[0].why_no_peak ? m->pools[0].why_no_peak
                                                                : "the file leaves shapes of tensors open");
    const char *words =
        say_printf(arena, "peak activations: at least %s without tiling, at %s%s",
                   bytes_of(arena, least->peak_bytes), memory_row_words(arena, m, least, least->at_row),
                   is_folded(least) ? ", even with 8 bits an element and what compilers fold" : "");
    if (least->fit == ROOF_MEMORY_FIT_NO)
        return say_printf(arena, "It does not fit: %s; there is room for %s.", words,
                          bytes_of(arena, least->size_bytes));
    if (least->fit == ROOF_MEMORY_FIT_YES)
        return say_printf(arena, "It may fit into %s: %s; what kernels need besides is unknown.",
                          bytes_of(arena, least->size_bytes), words);
    return say_printf(arena, "Uncompiled model: %s.", words);
}

const roof_memory_pool *memory_said_pool(const roof_memory *m)
{
    const roof_memory_pool *of;
    if (m->is_at_least)
        return memory_shown_pool(m);
    if (worst_fit(m, &of) > ROOF_MEMORY_FIT_YES)
        return of->peak_bytes == ROOF_UNKNOWN ? NULL : of;
    if (m->total_ram && m->total_ram->peak_bytes)
        return m->total_ram;
    return m->sets_peak == ROOF_NONE ? NULL : &m->pools[m->sets_peak];
}

const char *memory_verdict(roof_arena *arena, const roof_memory *m)
{
    const roof_memory_pool *of, *said = memory_said_pool(m);
    const roof_memory_fit fit = worst_fit(m, &of);
    if (m->is_at_least)
        return say_least(arena, m);
    if (fit == ROOF_MEMORY_FIT_NO && said)
        return say_printf(arena, "Does not fit: %s live in %s at %s, %s too much.",
                          bytes_of(arena, of->peak_bytes), memory_pool_words(arena, m, of),
                          memory_row_words(arena, m, of, of->at_row),
                          bytes_of(arena, of->peak_bytes - of->size_bytes));
    if (fit == ROOF_MEMORY_FIT_NO)
        return say_printf(arena, "It does not fit as it is packed: %s of %s are used; %s.",
                          bytes_of(arena, of->high_bytes), memory_pool_words(arena, m, of), of->why_no_peak);
    if (fit == ROOF_MEMORY_FIT_REPACKED)
        return say_printf(arena,
                          "Does not fit as packed: %s reserved in %s, %s too much; the peak is only %s, at "
                          "%s, so a better packing may fit.",
                          bytes_of(arena, of->high_bytes), memory_pool_words(arena, m, of),
                          bytes_of(arena, of->high_bytes - of->size_bytes), bytes_of(arena, of->peak_bytes),
                          memory_row_words(arena, m, of, of->at_row));
    const char *begin =
        fit == ROOF_MEMORY_FIT_YES ? "It fits" : "Whether it fits is unknown, as no pool has a size";
    if (said)
        return say_printf(arena, "%s: %s sets the peak, %s live of %s reserved in %s.", begin,
                          memory_row_words(arena, m, said, said->at_row), bytes_of(arena, said->peak_bytes),
                          bytes_of(arena, said->high_bytes),
                          said == m->total_ram ? "RAM" : memory_pool_words(arena, m, said));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are n_pools of them */
    const char *why = m->n_pools ? m->pools[0].why_no_peak : NULL;
    return say_printf(arena, "%s; which row sets the peak is unknown%s%s.", begin, m->n_pools ? ": " : "",
                      text_or_empty(why));
}

/* ---- rows and layers ---- */

struct memory_layers {
    namemap *names;
    uint32_t *layers; /* by the first layer of a name: that one; ROOF_NONE: others have the name too */
};

const memory_layers *memory_layers_of(roof_arena *arena, const roof_prediction *p)
{
    memory_layers *made = NEW(arena, memory_layers);
    if (!made)
        return NULL;
    made->names = namemap_new(arena, p->n_layers);
    made->layers = NEW_ARRAY(arena, uint32_t, p->n_layers);
    for (uint32_t i = 0; made->names && made->layers && i < p->n_layers; i++) {
        const char *name = p->layers[i].name;
        made->layers[i] = i;
        if (!namemap_add(made->names, name, strlen(name), i))
            made->layers[namemap_find(made->names, name, strlen(name))] = ROOF_NONE;
    }
    return made->names && made->layers ? made : NULL;
}

uint32_t memory_layer_of(const memory_layers *layers, const char *row)
{
    const uint32_t first = layers && row ? namemap_find(layers->names, row, strlen(row)) : ROOF_NONE;
    return first == ROOF_NONE ? ROOF_NONE : layers->layers[first];
}

/* "half of 'a' (100 B, epoch_1 to epoch_3) and of 'b' (...)" */
static const char *say_changes(roof_arena *arena, const roof_memory *m, const roof_memory_pool *pool,
                               const roof_memory_remedy *remedy)
{
    const char *list = "";
    enum { MOST_SAID = 3 };
    const uint32_t n = remedy->n_changes;
    for (uint32_t i = 0; i < n; i++) {
        const roof_memory_change *c = &remedy->changes[i];
        if (i == MOST_SAID && n > MOST_SAID + 1)
            return say_printf(arena, "%s and %u more, which JSON lists", list, n - MOST_SAID);
        const char *others =
            c->n_buffers > 1 ? say_printf(arena, " and what shares its bytes (%u)", c->n_buffers - 1) : "";
        const char *between = !i ? "" : i + 1 < n || n > MOST_SAID + 1 ? ", " : " and ";
        list = say_printf(arena, "%s%s%s'%s'%s (%s, %s to %s)", list, between,
                          remedy->halves ? "half of " : "", short_name(arena, c->name), others,
                          bytes_of(arena, c->bytes), memory_row_words(arena, m, pool, c->first_row),
                          memory_row_words(arena, m, pool, c->last_row));
    }
    return list;
}

void memory_remarks(const roof_memory *m, remarks *r)
{
    const roof_memory_pool *const shown = memory_shown_pool(m);
    FOR_EACH(const roof_memory_pool, pool, m->pools, m->n_pools) {
        if (m->is_at_least && (!shown || pool != shown))
            continue;
        const char *words = memory_pool_words(r->arena, m, pool);
        for (uint32_t i = 0; i < pool->n_remedies; i++) {
            const roof_memory_remedy *remedy = &pool->remedies[i];
            remarks_add(r, i ? " or" : "must shrink", "%s: %s %s the peak is %s%s", words,
                        remedy->halves ? "with" : "without", say_changes(r->arena, m, pool, remedy),
                        bytes_of(r->arena, remedy->peak_bytes),
                        remedy->is_smallest ? "" : "; found step by step, so a smaller set may do");
        }
        ADD_SAID(r, "must shrink", "[?{}: {}]", AS_TEXT(words), AS_TEXT(pool->why_no_remedy));
    }
    const char *why = NULL; /* that was said already */
    FOR_EACH(const roof_memory_pool, pool, m->pools, m->n_pools) {
        const char *reason = pool->why_no_peak ? pool->why_no_peak : pool->why_not_without;
        if (reason && (!why || strcmp(why, reason) != 0))
            remarks_add(r, "not known", "peak of %s: %s", memory_pool_words(r->arena, m, pool), reason);
        why = reason ? reason : why;
        ADD_SAID(r, "note", "[?{}: {}]", AS_TEXT(memory_pool_words(r->arena, m, pool)),
                 AS_TEXT(pool->remark));
    }
}
