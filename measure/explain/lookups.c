/* Steps of an explanation look up values of an entry, other modes of its board, another prediction. */
#include "measure/explain/explaining.h"
#include "core/error.h"

#include <string.h>

bool explaining_is_faster(const roof_explanation *e)
{
    return e->numbers->verdict == ROOF_EXPLAINED_FASTER || e->numbers->verdict == ROOF_EXPLAINED_IMPOSSIBLE;
}

const roof_quantity *explaining_value(const roof_hw *hw, const char *begin, size_t *i)
{
    const roof_quantity *q;
    while ((q = roof_hw_at(hw, (*i)++)))
        if (strncmp(q->key, begin, strlen(begin)) == 0)
            return q;
    return NULL;
}

const roof_quantity *explaining_largest(const roof_hw *hw, const char *begin)
{
    const roof_quantity *q, *largest = NULL;
    for (size_t i = 0; (q = explaining_value(hw, begin, &i));)
        largest = !largest || q->value > largest->value ? q : largest;
    return largest;
}

roof_hw *explaining_same_board(const roof_hw *hw, size_t *i)
{
    const roof_hw_listing *entry;
    while (*roof_hw_board(hw) && (entry = roof_hw_builtin((*i)++))) {
        roof_hw *other = NULL;
        roof_error ignored;
        if (strcmp(entry->family, roof_hw_family(hw)) != 0 || strcmp(entry->id, roof_hw_id(hw)) == 0 ||
            roof_hw_load(entry->id, &other, &ignored) != ROOF_OK)
            continue;
        if (strcmp(roof_hw_board(other), roof_hw_board(hw)) == 0)
            return other;
        roof_hw_free(other);
    }
    return NULL;
}

roof_status explaining_predict(explaining *x, const roof_explain_number *requested, const roof_hw *hw,
                               const char *data_type, roof_prediction **out)
{
    const bool is_what_if = data_type || hw != x->requested->hw;
    roof_predict_options o = requested->predict ? *requested->predict : (roof_predict_options){0};
    const roof_load load = {.threads = &requested->threads, .n_threads = 1};
    roof_error ignored;
    o.explores = ROOF_EXPLORE_NOTHING;
    o.no_steps = true;
    o.busy_cores = requested->threads > 1 || o.cores > 1 ? 0 : 1;
    o.load = requested->threads > 1 ? &load : NULL;
    o.data_type = data_type ? data_type : o.data_type;
    *out = NULL;
    const roof_status status = roof_predict(requested->graph, hw, &o, out, is_what_if ? &ignored : x->err);
    return is_what_if && status == ROOF_E_NO_MEMORY ? error_memory(x->err) : is_what_if ? ROOF_OK : status;
}
