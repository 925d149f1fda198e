#include "measure/history/series_keys.h"
#include "core/error.h"

roof_status series_bind_filter(store_query *q, const roof_history_filter *filter)
{
    static const roof_history_filter all;
    const roof_history_filter *f = filter ? filter : &all;
    TRY(store_bind_text(q, f->model));
    TRY(store_bind_text(q, f->device));
    TRY(store_bind_text(q, f->stack));
    TRY(store_bind_text(q, f->mode));
    return store_bind_text(q, f->workload);
}

roof_status series_read_key(store_query *q, int first, roof_history_key *out)
{
    TRY(store_text(q, first, &out->model));
    TRY(store_text(q, first + 1, &out->model_hash));
    TRY(store_text(q, first + 2, &out->device));
    TRY(store_text(q, first + 3, &out->stack));
    TRY(store_text(q, first + 4, &out->mode));
    return store_text(q, first + 5, &out->workload);
}
