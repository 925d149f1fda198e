#include "measure/profile/profile.h"
#include "core/order.h"

#include <math.h>

roof_status spans_add(span_list *list, roof_arena *arena, span_of_time span, roof_error *err)
{
    span_of_time *last = list->n ? &list->spans[list->n - 1] : NULL;
    if (span.to < span.from)
        return ROOF_OK;
    list->whole.from = list->n_seen && list->whole.from < span.from ? list->whole.from : span.from;
    list->whole.to = list->n_seen && list->whole.to > span.to ? list->whole.to : span.to;
    list->n_seen++;
    if (last && span.from >= last->from && span.from <= last->to) {
        last->to = span.to > last->to ? span.to : last->to;
        return ROOF_OK;
    }
    if (list->n == SPANS_MOST) {
        list->is_cut = true;
        return ROOF_OK;
    }
    return ARENA_ADD(arena, list->spans, list->n, err, span);
}

/* As doubles, which differences of ticks always fit. */
static double ticks(int64_t from, int64_t to)
{
    return (double)((uint64_t)to - (uint64_t)from);
}

void spans_sum(span_list *list, double *span_s, double *busy_s)
{
    double busy = 0;
    *span_s = *busy_s = NAN;
    if (list->n_seen < 2)
        return;
    *span_s = ticks(list->whole.from, list->whole.to) * list->tick_s;
    if (list->is_cut)
        return;
    order_sort(list->spans, list->n, sizeof *list->spans,
               ORDER_BY(RISING(span_of_time, from), RISING(span_of_time, to)));
    int64_t end = list->spans[0].from;
    FOR_EACH(const span_of_time, s, list->spans, list->n) {
        int64_t from = s->from > end ? s->from : end;
        busy += s->to > from ? ticks(from, s->to) : 0;
        end = s->to > end ? s->to : end;
    }
    *busy_s = busy * list->tick_s;
}

double spans_busy(span_list *list)
{
    double span_s, busy_s;
    spans_sum(list, &span_s, &busy_s);
    return list->n_seen == 1 ? ticks(list->whole.from, list->whole.to) * list->tick_s
           : list->n_seen    ? busy_s
                             : 0;
}
