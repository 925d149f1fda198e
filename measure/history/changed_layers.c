#include "measure/history/metrics.h"
#include "core/error.h"
#include "core/order.h"
#include "core/quantity.h"
#include "measure/compare/ranks.h"
#include "measure/history/change_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Documents that are looked at on either side of a change, and layers: those that a run keeps. */
enum { MOST_BESIDE = 50, MOST_LAYERS = ROOF_HISTORY_MOST_ROWS };

/* Times of one layer, before and behind the change. */
typedef struct layer_times {
    double *at[2];
    uint32_t n[2];
} layer_times;

typedef struct search {
    roof_history *h;
    roof_arena *arena;
    roof_history_series *s;
    roof_error *err;
    double *work; /* RANKS_WORK numbers */
    roof_history_layer *found;
    uint32_t n_found;
} search;

/* How many pairs have the larger one in a, ties as a half. */
static double count_above(sorted_samples a, sorted_samples b)
{
    double pairs = 0;
    for (size_t i = 0, below = 0, up_to = 0; i < a.n; i++) {
        while (below < b.n && b.at[below] < a.at[i])
            below++;
        while (up_to < b.n && b.at[up_to] <= a.at[i])
            up_to++;
        pairs += (double)(below + up_to) / 2;
    }
    return pairs;
}

static void compare(search *f, const char *name, layer_times *t)
{
    const rank_noise noise = {f->s->noise_factor, INFINITY};
    sorted_samples sides[2];
    if (t->n[0] < CHANGE_LEAST_RUNS || t->n[1] < CHANGE_LEAST_RUNS)
        return;
    for (int i = 0; i < 2; i++) {
        ORDER_VALUES(t->at[i], t->n[i]);
        sides[i] = (sorted_samples){t->at[i], t->n[i]};
    }
    const rank_shift shift = ranks_shift(sides[0], sides[1], noise, f->work);
    const double before_s = (t->at[0][(t->n[0] - 1) / 2] + t->at[0][t->n[0] / 2]) / 2;
    f->found[f->n_found++] = (roof_history_layer){
        .name = name,
        .before_s = before_s,
        .difference_s = shift.value,
        .difference_ci95_s = {shift.ci95[0], shift.ci95[1]},
        .ratio = quotient_of(before_s + shift.value, before_s),
        .p = change_points_p(t->n[0], t->n[1], count_above(sides[0], sides[1]), noise.factor)};
}

/* Rows come in the order of their names; each is of one document. */
static roof_status walk(search *f, store_query *q, uint64_t boundary, layer_times *t)
{
    const char *last = NULL, *name;
    bool is_row = true;
    while (true) {
        uint64_t document;
        double seconds;
        TRY(store_step(q, &is_row));
        if (is_row)
            TRY(store_text(q, 0, &name));
        const bool is_next = is_row && last && name && strcmp(last, name) == 0;
        if (!is_next) {
            if (last)
                compare(f, last, t);
            t->n[0] = t->n[1] = 0;
            last = is_row ? name : NULL;
        }
        if (!is_row || f->n_found == MOST_LAYERS)
            return ROOF_OK;
        TRY(store_count(q, 1, &document));
        TRY(store_number(q, 2, &seconds));
        const int side = document >= boundary;
        if (last && seconds > 0 && t->n[side] < MOST_BESIDE)
            t->at[side][t->n[side]++] = seconds;
    }
}

static roof_status document_of(const search *f, const roof_history_point *point, uint64_t *out)
{
    store_query q;
    bool is_row = false;
    TRY(store_query_begin(f->h, "SELECT document FROM runs WHERE id = ?1", NULL, &q, f->err));
    roof_status status = store_bind_count(&q, point->run);
    if (status == ROOF_OK)
        status = store_step(&q, &is_row);
    if (status == ROOF_OK && is_row)
        status = store_count(&q, 0, out);
    store_query_end(&q);
    return status == ROOF_OK && !is_row ? store_fail(f->h, SQLITE_CORRUPT, f->err) : status;
}

/* The documents of the change: the first and the last one beside it, and the one that it came with. */
static roof_status bind_documents(const search *f, store_query *q, uint64_t *boundary)
{
    const roof_history_segment *last = &f->s->segments[f->s->n_segments - 1], *before = last - 1;
    const uint32_t first = before->n > MOST_BESIDE ? last->first - MOST_BESIDE : before->first,
                   end = last->n > MOST_BESIDE ? last->first + MOST_BESIDE : last->first + last->n;
    uint64_t from = 0, to = 0;
    TRY(document_of(f, &f->s->points[first], &from));
    TRY(document_of(f, &f->s->points[last->first], boundary));
    TRY(document_of(f, &f->s->points[end - 1], &to));
    TRY(store_bind_count(q, from));
    return store_bind_count(q, to);
}

static int by_difference(const void *a_, const void *b_)
{
    const roof_history_layer *a = a_, *b = b_;
    const double x = fabs(a->difference_s), y = fabs(b->difference_s);
    return x > y ? -1 : x < y ? 1 : strcmp(a->name, b->name);
}

/* Holm, as roof_compare judges layers: the smallest of n is compared with level / n, the next with
 * level / (n - 1). */
static void keep_shown(search *f)
{
    const uint32_t n = f->n_found;
    uint32_t shown = 0;
    order_sort(f->found, n, sizeof *f->found,
               ORDER_BY(RISING(roof_history_layer, p), RISING(roof_history_layer, name)));
    while (shown < n && f->found[shown].p <= ROOF_COMPARE_LEVEL / (n - shown))
        shown++;
    qsort(f->found, shown, sizeof *f->found, by_difference);
    f->s->layers = f->found;
    f->s->n_layers = shown;
}

roof_status changed_layers_find(roof_history *h, uint64_t id, roof_arena *arena, roof_history_series *s,
                                roof_error *err)
{
    static const char sql[] =
        "SELECT layers.name, runs.document, sum(coalesce(layers.median_s, layers.mean_s)) FROM series AS "
        "this JOIN series AS of ON of.model_key = this.model_key AND of.device = this.device AND of.stack = "
        "this.stack AND of.workload = this.workload JOIN runs ON runs.series = of.id JOIN layers ON "
        "layers.run = runs.id WHERE this.id = ?3 "
        "AND runs.document BETWEEN ?1 AND ?2 GROUP BY layers.name, runs.id ORDER BY layers.name, runs.id";
    search f = {.h = h, .arena = arena, .s = s, .err = err};
    layer_times times = {{NULL, NULL}, {0, 0}};
    uint64_t boundary = 0;
    store_query q;
    TRY(ARENA_GET(arena, f.work, RANKS_WORK, err));
    TRY(ARENA_GET(arena, f.found, MOST_LAYERS, err));
    TRY(ARENA_GET(arena, times.at[0], MOST_BESIDE, err));
    TRY(ARENA_GET(arena, times.at[1], MOST_BESIDE, err));
    TRY(store_query_begin(h, sql, arena, &q, err));
    roof_status status = bind_documents(&f, &q, &boundary);
    if (status == ROOF_OK)
        status = store_bind_count(&q, id);
    if (status == ROOF_OK)
        status = walk(&f, &q, boundary, &times);
    store_query_end(&q);
    keep_shown(&f);
    return status;
}
