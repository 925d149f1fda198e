#include "measure/history/store.h"
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
    store_query q;
    roof_history_series *s;
    uint64_t boundary; /* the document that the change came with */
    layer_times times; /* of the layer whose rows are read */
    const char *last;  /* its name */
    double *work;      /* RANKS_WORK numbers */
    roof_history_layer *found;
    uint32_t n_found;
} search;

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
        .p = change_points_p(t->n[0], t->n[1], ranks_u(sides[0], sides[1]), noise.factor)};
}

/* Rows come in the order of their names; each is of one document. */
static roof_status read_row(store_query *q, void *search_)
{
    search *f = search_;
    layer_times *t = &f->times;
    const char *name;
    uint64_t document;
    double seconds;
    TRY(store_text(q, 0, &name));
    if (!f->last || !name || strcmp(f->last, name) != 0) {
        if (f->last && f->n_found < MOST_LAYERS)
            compare(f, f->last, t);
        t->n[0] = t->n[1] = 0;
        f->last = name;
    }
    TRY(store_count(q, 1, &document));
    TRY(store_number(q, 2, &seconds));
    const int side = document >= f->boundary;
    if (f->last && seconds > 0 && t->n[side] < MOST_BESIDE)
        t->at[side][t->n[side]++] = seconds;
    return ROOF_OK;
}

static roof_status document_of(search *f, uint32_t point, uint64_t *out)
{
    TRY(STORE_FIND(&f->q, "SELECT document FROM runs WHERE id = ?1", out,
                   STORE_COUNT(f->s->points[point].run)));
    return *out == ROOF_UNKNOWN ? store_fail(f->q.h, SQLITE_CORRUPT, f->q.err) : ROOF_OK;
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
    search f = {.q = {.h = h, .arena = arena, .err = err}, .s = s};
    const roof_history_segment *last = &s->segments[s->n_segments - 1], *before = last - 1;
    const uint32_t first = before->n > MOST_BESIDE ? last->first - MOST_BESIDE : before->first,
                   end = last->n > MOST_BESIDE ? last->first + MOST_BESIDE : last->first + last->n;
    uint64_t from, to;
    TRY(ARENA_GET(arena, f.work, RANKS_WORK, err));
    TRY(ARENA_GET(arena, f.found, MOST_LAYERS, err));
    TRY(ARENA_GET(arena, f.times.at[0], MOST_BESIDE, err));
    TRY(ARENA_GET(arena, f.times.at[1], MOST_BESIDE, err));
    TRY(document_of(&f, first, &from));
    TRY(document_of(&f, last->first, &f.boundary));
    TRY(document_of(&f, end - 1, &to));
    const roof_status status =
        STORE_ASK(&f.q, sql, read_row, &f, STORE_COUNT(from), STORE_COUNT(to), STORE_COUNT(id));
    if (status == ROOF_OK && f.last && f.n_found < MOST_LAYERS)
        compare(&f, f.last, &f.times);
    keep_shown(&f);
    return status;
}
