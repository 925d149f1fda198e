#include "model/predict/predictor.h"
#include "model/graph/format.h"
#include "model/laws/law.h"
#include "model/work/product.h"

#include <ctype.h>
#include <strings.h>

/* ---- reading ------------------------------------------------------------------------------------------- */

static roof_status add_pool(const char *item, size_t length, roof_changes *out, roof_error *err)
{
    size_t name = strcspn(item, "=,"), digits = length > name ? length - name - 1 : 0;
    double times = NAN;
    if (out->n_pools == ROOF_MOST_POOL_CHANGES)
        return error_set(err, ROOF_E_USAGE, "more than %d memories", ROOF_MOST_POOL_CHANGES);
    roof_pool_change *pool = &out->pools[out->n_pools];
    if (!name || name >= sizeof pool->pool)
        return error_set(err, ROOF_E_USAGE, "want names of at most %zu letters, as in octoFlash=2",
                         sizeof pool->pool - 1);
    snprintf(pool->pool, sizeof pool->pool, "%.*s", (int)name, item);
    if (!digits || number_parse(item + name + 1, digits, &times) != digits ||
        !(times >= 1e-3 && times <= 1e3))
        return error_set(err, ROOF_E_USAGE, "%s: want how many times as fast, from 0.001 to 1000, as in %s=2",
                         pool->pool, pool->pool);
    pool->times = times;
    out->n_pools++;
    return ROOF_OK;
}

roof_status roof_what_if_parse(const char *text, roof_what_if_request *out, roof_error *err)
{
    static const char precision[] = "precision=";
    *out = (roof_what_if_request){0};
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char item[160];
        size_t length = strcspn(at, ",");
        if (length >= sizeof item)
            return error_set(err, ROOF_E_USAGE, "an item is longer than %zu letters", sizeof item - 1);
        snprintf(item, sizeof item, "%.*s", (int)length, at);
        if (strncmp(item, precision, sizeof precision - 1) == 0) {
            const char *type = item + sizeof precision - 1;
            out->changes.precision = data_type_name(type, strlen(type));
            out->has_changes = true;
            if (!out->changes.precision)
                return error_set(err, ROOF_E_USAGE,
                                 "precision: '%.40s' is no data type; want one such as int8, int4, int16, "
                                 "bf16, f16 or f32",
                                 type);
        } else if (what_if_is_engine(item, strcspn(item, "="))) {
            TRY(what_if_add_speedup(item, &out->speedups, err));
            out->has_speedups = true;
        } else {
            TRY(add_pool(item, length, &out->changes, err));
            out->has_changes = true;
        }
    }
    return ROOF_OK;
}

/* ---- pools --------------------------------------------------------------------------------------------- */

/* The rate of the memory that the name is of, whatever its case is. */
static roof_status change_pool(roof_hw *hw, const roof_prediction *base, const roof_pool_change *change,
                               roof_arena *arena, roof_error *err)
{
    const roof_pool_rates *pool = NULL;
    char key[120];
    FOR_EACH(const roof_pool_rates, p, base->hardware.pools, base->hardware.n_pools)
        if (strcasecmp(p->name, change->pool) == 0)
            pool = p;
    if (!pool && base->hardware.n_pools) {
        const char *known = "";
        for (uint32_t i = 0; i < base->hardware.n_pools && known; i++)
            known = arena_printf(arena, "%s%s%s", known, *known ? ", " : "", base->hardware.pools[i].name);
        return error_set(err, ROOF_E_USAGE,
                         "what if: '%s' is no memory of this model; want %.300s, or precision=TYPE",
                         change->pool, text_or_empty(known));
    }
    if (!pool)
        return error_set(err, ROOF_E_USAGE,
                         "what if: '%s' is no engine; want " WHAT_IF_ENGINES ", or precision=TYPE",
                         change->pool);
    if (isnan(pool->bytes_per_s))
        return error_set(err, ROOF_E_UNSUPPORTED, "what if: nothing is known of how fast '%s' is",
                         pool->name);
    snprintf(key, sizeof key, "mempool.%.80s.bandwidth", pool->name);
    for (char *c = key; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return roof_hw_set(hw, key, pool->bytes_per_s * change->times, "B/s", "requested, as a what-if", err);
}

/* ---- data types ---------------------------------------------------------------------------------------- */

static roof_status change_graph(alternative_case *out, const roof_graph *graph, const char *type,
                                roof_arena *arena, roof_error *err)
{
    roof_workload workload;
    const graph_format *format = graph->storage->format;
    if (format->at_type && format->at_type(graph, type, &workload, &out->product)) {
        const mapfile *file = &graph->storage->file;
        TRY(file->bytes
                ? graph_read_memory_as(file->bytes, file->size_bytes, graph->path, &workload, &out->read, err)
                : roof_graph_read_as(NULL, &workload, &out->read, err));
        out->graph = out->read;
        return ROOF_OK;
    }
    out->is_of_tensors = true;
    out->graph = &out->copy;
    const uint32_t bits = data_type_bits(type);
    out->copy = *graph;
    out->copy.floats_are_8_bits = false;
    TRY(ARENA_GET(arena, out->copy.ops, graph->n_ops, err));
    for (uint32_t i = 0; i < graph->n_ops; i++) {
        roof_tensor *t = &out->copy.ops[i].out;
        uint64_t all;
        out->copy.ops[i] = graph->ops[i];
        if (!t->elements)
            continue;
        if (__builtin_mul_overflow(t->elements, (uint64_t)bits, &all) || all > UINT64_MAX - 7)
            return error_set(err, ROOF_E_LIMIT, "what if: a tensor of %u bits an element is too large", bits);
        t->bit_width = bits;
        t->bytes = (all + 7) / 8;
    }
    return ROOF_OK;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

roof_status alternative_begin(const roof_graph *graph, const roof_hw *hw, const roof_prediction *base,
                              const roof_changes *changes, roof_arena *arena, alternative_case *out,
                              roof_error *err)
{
    *out = (alternative_case){.graph = graph};
    TRY(roof_hw_copy(hw, &out->hw, err));
    for (uint32_t i = 0; i < changes->n_pools; i++)
        TRY(change_pool(out->hw, base, &changes->pools[i], arena, err));
    if (changes->precision) {
        const cycle_law *law = law_of(roof_hw_family(hw));
        TRY(change_graph(out, graph, changes->precision, arena, err));
        /* weights are widened to what is multiplied */
        bool is_known = out->read && out->read->storage->format->takes_text;
        if (!is_known && law && law->at_type)
            TRY(law->at_type(out->hw, changes->precision, &is_known, err));
        if (!is_known)
            return error_set(
                err, ROOF_E_UNSUPPORTED,
                "what if: '%.60s' states no rates by data type, or none of %s; `roofline hw show "
                "%.60s` has those that it states",
                roof_hw_id(hw), changes->precision, roof_hw_id(hw));
    }
    const char *label = !changes->precision ? ""
                        : out->read && out->read->storage->format->takes_text
                            ? arena_printf(arena, "%s weights", changes->precision)
                            : changes->precision;
    for (uint32_t i = 0; i < changes->n_pools && label; i++)
        label = arena_printf(arena, "%s%s%s x%g", label, *label ? ", " : "", changes->pools[i].pool,
                             changes->pools[i].times);
    out->label = label;
    return arena_status(arena, err);
}

void alternative_end(alternative_case *one)
{
    roof_graph_free(one->read);
    roof_hw_free(one->hw);
    *one = (alternative_case){0};
}

roof_status alternative_check(const alternative_case *one, const roof_prediction *other,
                              const roof_changes *changes, roof_error *err)
{
    const roof_cost *all = &other->total.deployed;
    bool is_formula = all->bytes_basis == ROOF_BASIS_FORMULA && all->cycles_basis == ROOF_BASIS_FORMULA;
    if (!one->is_of_tensors || is_formula)
        return ROOF_OK;
    return error_set(err, ROOF_E_UNSUPPORTED,
                     "what if: bytes and cycles of this file are those of what its compiler made of it, so "
                     "that nothing follows for %s; compile the model for %s and predict that",
                     changes->precision, changes->precision);
}
