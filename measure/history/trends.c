/* Series of runs, where their level changes, and whether the newest runs are within a factor of those
 * before. */
#include "measure/compare/ranks.h"
#include "measure/compare/conditions.h"
#include "measure/history/change_points.h"
#include "measure/history/store.h"

#include <gsl/gsl_sort.h>

/* Series of one key: runs whose conditions are alike those of the first run of the series. */
typedef struct series_group {
    roof_history_series s;
    uint64_t conditions; /* ROOF_UNKNOWN: not kept */
    run_conditions of;
    bool is_newest; /* the newest run of its key is in it */
} series_group;

typedef struct finding {
    roof_history *h;
    const roof_history_request *requested;
    const roof_history_metric *metric; /* NULL: by what a series has */
    roof_history_trends *out;
    roof_error *err;
    series_group *about; /* of each series of out */
} finding;

/* --- points --------------------------------------------------------------------------------------------- */

/* Runs of one key, in their order. */
typedef struct stored_run {
    roof_history_point point;
    uint64_t conditions; /* their number; ROOF_UNKNOWN: not kept */
} stored_run;

typedef struct run_list {
    stored_run *items;
    uint32_t n;
} run_list;

static roof_status read_point(store_query *q, void *list)
{
    run_list *all = list;
    stored_run run;
    uint64_t added_s;
    TRY(store_number(q, 3, &run.point.value));
    if (!(run.point.value > 0)) /* a run without it, or without the row */
        return ROOF_OK;
    TRY(store_count(q, 0, &run.point.run));
    TRY(store_count(q, 1, &added_s));
    TRY(store_text(q, 2, &run.point.commit));
    TRY(store_count(q, 4, &run.point.document));
    TRY(store_count(q, 5, &run.conditions));
    run.point.added_s = added_s > INT64_MAX ? 0 : (int64_t)added_s;
    return ARENA_ADD(q->arena, all->items, all->n, q->err, run);
}

/* ?1 is the series, ?2 the metric; of a row ?2 is its name, and rows of one name are added up. The newest
 * come first, so that a series that is too long keeps them. A file of version 1 has no conditions. */
static roof_status read_points(const finding *f, uint64_t series, const roof_history_metric *metric,
                               run_list *out)
{
    const bool has_conditions = f->h->version >= 2;
    const char *row = f->requested->row;
    store_query q = {.h = f->h, .arena = f->out->arena, .err = f->err};
    const char *sql =
        arena_printf(f->out->arena,
                     "SELECT runs.id, documents.added_s, documents.git_commit, %s%s%s, runs.document, %s "
                     "FROM runs JOIN documents ON "
                     "documents.id = runs.document%s%s WHERE runs.series = ?1 ORDER BY runs.id DESC LIMIT ?3",
                     row ? "(SELECT sum(layers." : "metrics.value",
                     !row                                    ? ""
                     : strcmp(metric->name, "median_s") == 0 ? "median_s"
                                                             : "mean_s",
                     row ? ") FROM layers WHERE layers.name = ?2 AND layers.run = runs.id)" : "",
                     has_conditions ? "run_conditions.conditions" : "NULL",
                     row ? "" : " JOIN metrics ON metrics.run = runs.id AND metrics.name = ?2",
                     has_conditions ? " LEFT JOIN run_conditions ON run_conditions.run = runs.id" : "");
    *out = (run_list){NULL, 0};
    TRY(ALLOCATED(sql, f->err));
    TRY(STORE_ASK(
        &q, sql, read_point, out, STORE_COUNT(series), STORE_TEXT(row ? row : metric->name),
        STORE_COUNT(f->requested->most_points ? f->requested->most_points : ROOF_HISTORY_MOST_POINTS)));
    order_sort(out->items, out->n, sizeof *out->items, ORDER_BY(RISING(stored_run, point.run)));
    return ROOF_OK;
}

/* --- conditions ----------------------------------------------------------------------------------------- */

/* As it is: a text that is stored has line ends, which a name may not have. */
static roof_status read_lines(store_query *q, void *lines)
{
    const char *text = (const char *)sqlite3_column_text(q->statement, 0);
    return ALLOCATED(*(const char **)lines = text ? arena_strdup(q->arena, text) : NULL, q->err);
}

static roof_status group_of(const finding *f, series_group **groups, uint32_t *n, uint64_t conditions,
                            uint32_t *out)
{
    run_conditions of = {{NULL}, {0}};
    if (conditions != ROOF_UNKNOWN) {
        const char *lines = "";
        store_query q = {.h = f->h, .arena = f->out->arena, .err = f->err};
        TRY(STORE_ASK(&q, "SELECT lines FROM conditions WHERE id = ?1", read_lines, &lines,
                      STORE_COUNT(conditions)));
        TRY(conditions_read(lines, f->out->arena, &of, f->err));
    }
    for (*out = *n; (*out)-- > 0;) {
        const series_group *g = &(*groups)[*out];
        roof_unlike *unlike = NULL;
        uint32_t n_unlike = 0, n_apart = 0;
        if (conditions == ROOF_UNKNOWN || g->conditions == ROOF_UNKNOWN) {
            if (conditions == g->conditions)
                return ROOF_OK;
            continue;
        }
        TRY(conditions_compare(&g->of, &of, f->out->arena, &unlike, &n_unlike, &n_apart, f->err));
        for (uint32_t i = 0; i < n_unlike; i++)
            n_apart -= strcmp(unlike[i].a, unlike[i].b) == 0; /* what neither states: as the key has it */
        if (!n_apart)
            return ROOF_OK;
    }
    if (*n == ROOF_HISTORY_MOST_SERIES)
        return error_set(f->err, ROOF_E_LIMIT, "runs of one series have more than %d kinds of conditions",
                         ROOF_HISTORY_MOST_SERIES);
    TRY(ARENA_MORE(f->out->arena, *groups, *n, f->err));
    (*groups)[ *out = (*n)++] = (series_group){.conditions = conditions, .of = of};
    return ROOF_OK;
}

static roof_status divide_by_conditions(const finding *f, const run_list *runs, series_group **groups,
                                        uint32_t *n)
{
    namemap *known = namemap_new(f->out->arena, runs->n);
    TRY(ALLOCATED(known, f->err));
    for (uint32_t i = 0; i < runs->n; i++) {
        const uint64_t *id = &runs->items[i].conditions;
        uint32_t at = namemap_find(known, (const char *)id, sizeof *id);
        if (at >= *n) { /* ROOF_NONE, too */
            TRY(group_of(f, groups, n, *id, &at));
            namemap_add(known, (const char *)id, sizeof *id, at);
        }
        roof_history_series *s = &(*groups)[at].s;
        TRY(ARENA_ADD(f->out->arena, s->points, s->n_points, f->err, runs->items[i].point));
    }
    return ROOF_OK;
}

/* --- layers that changed -------------------------------------------------------------------------------- */

/* The same documents, or others of the same model, device and stack, have a run with layers. Cost: of the 50
 * runs next to the change on either side. */

/* Documents that are looked at on either side of a change, and layers: those that a run keeps. */
enum { MOST_BESIDE = 50, MOST_LAYERS = ROOF_HISTORY_MOST_ROWS };

typedef struct search {
    store_query q;
    roof_history_series *s;
    uint64_t boundary; /* the document that the change came with */
    const char *last;  /* the layer whose rows are read */
    double *at[2];     /* its times, before and behind the change */
    uint32_t n[2];
    double *work; /* RANKS_WORK numbers */
    roof_history_layer *found;
    uint32_t n_found;
} search;

static void compare(search *f)
{
    const rank_noise noise = {f->s->noise_factor, INFINITY};
    sorted_samples sides[2];
    if (!f->last || f->n_found == MOST_LAYERS || f->n[0] < CHANGE_LEAST_RUNS || f->n[1] < CHANGE_LEAST_RUNS)
        return;
    for (int i = 0; i < 2; i++) {
        ORDER_VALUES(f->at[i], f->n[i]);
        sides[i] = (sorted_samples){f->at[i], f->n[i]};
    }
    const rank_shift shift = ranks_shift(sides[0], sides[1], noise, f->work);
    const double before_s = (f->at[0][(f->n[0] - 1) / 2] + f->at[0][f->n[0] / 2]) / 2;
    f->found[f->n_found++] = (roof_history_layer){
        .name = f->last,
        .before_s = before_s,
        .difference_s = shift.value,
        .difference_ci95_s = {shift.ci95[0], shift.ci95[1]},
        .ratio = quotient_of(before_s + shift.value, before_s),
        .p = change_points_p(f->n[0], f->n[1], ranks_u(sides[0], sides[1]), noise.factor)};
}

/* Rows come in the order of their names; each is of one document. */
static roof_status read_row(store_query *q, void *search_)
{
    search *f = search_;
    const char *name;
    uint64_t document;
    double seconds;
    TRY(store_text(q, 0, &name));
    if (!f->last || !name || strcmp(f->last, name) != 0) {
        compare(f);
        f->n[0] = f->n[1] = 0;
        f->last = name;
    }
    TRY(store_count(q, 1, &document));
    TRY(store_number(q, 2, &seconds));
    const int side = document >= f->boundary;
    if (f->last && seconds > 0 && f->n[side] < MOST_BESIDE)
        f->at[side][f->n[side]++] = seconds;
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

/* Fills layers of a series whose number in the file is id: those that differ beyond noise between the last
 * two segments, all rows tested together (Holm), the largest difference first. Errors: those of the file. */
static roof_status changed_layers_find(roof_history *h, uint64_t id, roof_arena *arena,
                                       roof_history_series *s, roof_error *err)
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
    TRY(ARENA_GET2(arena, f.at[0], f.at[1], MOST_BESIDE, err));
    TRY(document_of(&f, first, &from));
    TRY(document_of(&f, last->first, &f.boundary));
    TRY(document_of(&f, end - 1, &to));
    const roof_status status =
        STORE_ASK(&f.q, sql, read_row, &f, STORE_COUNT(from), STORE_COUNT(to), STORE_COUNT(id));
    if (status == ROOF_OK)
        compare(&f);
    /* Holm, as roof_compare judges layers: the smallest of n is compared with level / n, the next with
     * level / (n - 1). */
    order_sort(f.found, f.n_found, sizeof *f.found,
               ORDER_BY(RISING(roof_history_layer, p), RISING(roof_history_layer, name)));
    while (s->n_layers < f.n_found &&
           f.found[s->n_layers].p <= ROOF_COMPARE_LEVEL / (f.n_found - s->n_layers))
        s->n_layers++;
    qsort(f.found, s->n_layers, sizeof *f.found, by_difference);
    s->layers = f.found;
    return status;
}

/* --- the gate ------------------------------------------------------------------------------------------- */

/* So many runs at a level, and it is no streak of luck. */
enum { KNOWN_RUNS = 5 };

static roof_status not_known(roof_history_series *s, bool is_noise, const char *why, const finding *f)
{
    s->state = ROOF_HELD_NOT_KNOWN;
    s->is_noise = is_noise;
    s->why = why;
    return ALLOCATED(why, f->err);
}
#define NOT_KNOWN(f, s, is_noise, ...)                                                                       \
    not_known((s), (is_noise), arena_printf((f)->out->arena, __VA_ARGS__), (f))

/* The newest one or two runs, where all before in their segment are far from them. costs: in which more is
 * worse, of the segment. Returns how many, 0 for none; *times: how many times the median of those before
 * they take. */
static roof_status find_far_runs(const finding *f, const double *costs, uint32_t n, uint32_t *far,
                                 double *times)
{
    /* So many deviations, by the median of distances, no run of a series is off but by a cause. */
    static const double far_deviations = 5;
    double *sorted, *distances;
    *far = 0;
    TRY(ARENA_GET2(f->out->arena, sorted, distances, n, f->err));
    for (uint32_t newest = 1; newest <= 2 && n >= KNOWN_RUNS + newest; newest++) {
        const uint32_t rest = n - newest;
        double least = INFINITY, most = 0;
        memcpy(sorted, costs, rest * sizeof *sorted);
        gsl_sort(sorted, 1, rest);
        const double median = sorted[rest / 2];
        for (uint32_t i = 0; i < rest; i++)
            distances[i] = fabs(log(sorted[i] / median));
        gsl_sort(distances, 1, rest);
        for (uint32_t i = rest; i < n; i++) {
            least = fmin(least, costs[i]);
            most = fmax(most, costs[i]);
        }
        const double away = far_deviations * 1.4826 * distances[rest / 2];
        const bool is_slow = least > sorted[rest - 1] && log(least / median) > away &&
                             least > fmax(f->requested->factor, ROOF_COMPARE_RESOLUTION_RATIO) * median;
        if (is_slow || most * CONDITIONS_SLIP_RATIO < median) {
            *far = newest;
            *times = is_slow ? least / median : most / median;
            return ROOF_OK;
        }
    }
    return ROOF_OK;
}

/* The segment that the newest one is held against; ROOF_NONE: there is no such run. */
static uint32_t find_reference(const finding *f, const roof_history_series *s)
{
    const char *wanted = f->requested->baseline;
    const double sign = s->metric->is_larger_better ? -1 : 1;
    uint32_t best = ROOF_NONE;
    if (!wanted) {
        for (uint32_t i = 0; i + 1 < s->n_segments; i++)
            if (s->segments[i].n >= KNOWN_RUNS &&
                (best == ROOF_NONE || sign * s->segments[i].median < sign * s->segments[best].median))
                best = i;
        return best != ROOF_NONE ? best : s->n_segments < 2 ? 0 : s->n_segments - 2;
    }
    for (uint32_t i = 0; i < s->n_segments; i++)
        for (uint32_t k = s->segments[i].first; k < s->segments[i].first + s->segments[i].n; k++) {
            const roof_history_point *p = &s->points[k];
            char number[24];
            snprintf(number, sizeof number, "%" PRIu64, p->run);
            if ((p->commit && strncmp(p->commit, wanted, strlen(wanted)) == 0) || strcmp(number, wanted) == 0)
                best = i;
        }
    return best;
}

/* "tool vart 1.0 before, vart 1.1 now" */
static const char *list_begun_by(const roof_history_series *s, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t i = 0; list && i < s->n_begun_by; i++)
        list = arena_printf(arena, "%s%s%s %.80s before, %.80s now", list, i ? "; " : "", s->begun_by[i].what,
                            s->begun_by[i].a, s->begun_by[i].b);
    return list;
}

static roof_status judge_times(const finding *f, roof_history_series *s)
{
    roof_arena *arena = f->out->arena;
    const roof_history_segment *last = &s->segments[s->n_segments - 1];
    const double factor = f->requested->factor;
    const uint32_t reference = find_reference(f, s), window = f->requested->most_points;
    double *costs, times;
    uint32_t far;
    if (isnan(factor))
        return ROOF_OK;
    TRY(ARENA_GET(arena, costs, s->n_points, f->err));
    for (uint32_t i = 0; i < s->n_points; i++)
        costs[i] = s->metric->is_larger_better ? 1 / s->points[i].value : s->points[i].value;
    if (reference == ROOF_NONE)
        return NOT_KNOWN(f, s, false, "no run of this series is %.60s, the baseline", f->requested->baseline);
    if (s->n_begun_by && !f->requested->baseline && (!window || s->n_points < window))
        return NOT_KNOWN(f, s, false,
                         "since run %" PRIu64 " other conditions, %s; --baseline %" PRIu64
                         " holds it against its own first runs",
                         s->points->run, list_begun_by(s, arena), s->points->run);
    TRY(find_far_runs(f, costs + last->first, last->n, &far, &times));
    if (far)
        return NOT_KNOWN(f, s, times > 1, "the newest %s %.3g times the median of those before: %s",
                         far == 1 ? "run takes" : "2 runs take", times,
                         times > 1 ? "measure again" : "a slip of units, or other work");
    if (reference + 1 == s->n_segments) { /* no change since */
        if (s->can_tell) {
            s->state = ROOF_HELD_KEPT;
            s->why = "no change beyond noise";
            return ROOF_OK;
        }
        return NOT_KNOWN(f, s, true, "%" PRIu32 " run%s: too few for a change to be seen", s->n_points,
                         s->n_points == 1 ? "" : "s");
    }
    const roof_history_segment *held = &s->segments[reference];
    roof_history_segment change;
    TRY(change_points_ratio(costs, held, last, s->noise_factor, arena, &change, f->err));
    if (change.ratio * CONDITIONS_SLIP_RATIO <= 1)
        return NOT_KNOWN(f, s, false, "%.0f times as fast as before: a slip of units, or other work",
                         1 / change.ratio);
    const double low = change.ratio_ci95[0], high = change.ratio_ci95[1];
    s->why = arena_printf(arena,
                          "the newest %" PRIu32 " of %" PRIu32 " runs, beside runs %" PRIu64 " to %" PRIu64
                          ", 95 %% %.3f to %.3f",
                          last->n, s->n_points, s->points[held->first].run,
                          s->points[held->first + held->n - 1].run, low, high);
    s->is_noise = true;
    s->state = low > factor ? ROOF_HELD_BROKEN : high <= factor ? ROOF_HELD_KEPT : ROOF_HELD_NOT_KNOWN;
    return ALLOCATED(s->why, f->err);
}

/* Runs under unstated conditions may hide a change, and cannot keep a limit; that they got slower shows. */
static roof_status judge(const finding *f, roof_history_series *s)
{
    TRY(judge_times(f, s));
    if (s->has_conditions || f->requested->baseline || isnan(f->requested->factor))
        return ROOF_OK;
    s->is_noise = false;
    if (s->state != ROOF_HELD_KEPT)
        return ROOF_OK;
    return not_known(
        s, false,
        "an earlier version added its runs and kept no clock, data type or governor: `roofline history "
        "add` with the same documents adds them",
        f);
}

/* --- series --------------------------------------------------------------------------------------------- */

/* The metric that was requested; else the median where a run has one, else the mean. A gate is of the newest
 * runs: of several series of one key it judges the one that has the newest run. */
static roof_status add_series(finding *f, uint64_t id, const roof_history_key *key)
{
    roof_history_trends *out = f->out;
    const roof_history_metric *metric = f->metric ? f->metric : metric_named("median_s");
    series_group *groups = NULL;
    run_list runs;
    uint32_t n = 0, newest = 0;
    TRY(read_points(f, id, metric, &runs));
    if (!runs.n && !f->metric)
        TRY(read_points(f, id, metric = metric_named("mean_s"), &runs));
    TRY(divide_by_conditions(f, &runs, &groups, &n));
    for (uint32_t i = 0; i < n; i++) {
        roof_history_series *s = &groups[i].s;
        s->key = *key;
        s->row = f->requested->row;
        s->metric = metric;
        s->has_conditions = groups[i].conditions != ROOF_UNKNOWN;
        s->state = ROOF_HELD_SKIPPED;
        change_points found;
        double *values;
        TRY(ARENA_GET(out->arena, values, s->n_points, f->err));
        for (uint32_t k = 0; k < s->n_points; k++)
            values[k] = s->points[k].value;
        TRY(change_points_find(values, s->n_points, out->arena, &found, f->err));
        s->segments = found.segments;
        s->n_segments = found.n;
        s->noise_factor = found.noise_factor;
        s->can_tell = change_points_can_tell(s->n_points);
        if (s->n_segments > 1 && !s->row && strcmp(s->metric->unit, "s") == 0)
            TRY(changed_layers_find(f->h, id, out->arena, s, f->err));
        if (s->points[s->n_points - 1].run > groups[newest].s.points[groups[newest].s.n_points - 1].run)
            newest = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        TRY(ARENA_MORE(out->arena, f->about, out->n, f->err));
        f->about[out->n] = groups[i];
        f->about[out->n].is_newest = i == newest;
        TRY(ARENA_ADD(out->arena, out->items, out->n, f->err, groups[i].s));
    }
    return ROOF_OK;
}

/* An earlier series that ended, in a document before the first one of this, went on as this one under other
 * conditions: the times do not show what is faster or slower since. */
static roof_status find_begun_by(const finding *f, uint32_t i)
{
    static const char unstated[] = "not stated";
    const roof_history_trends *all = f->out;
    roof_history_series *s = &all->items[i];
    uint32_t before = ROOF_NONE, n_apart = 0;
    for (uint32_t k = 0; k < all->n; k++) {
        const roof_history_series *t = &all->items[k];
        const roof_history_point *end = &t->points[t->n_points - 1];
        if (k != i && text_same(t->key.model, s->key.model) && text_same(t->key.mode, s->key.mode) &&
            t->metric == s->metric && end->document < s->points->document && end->run < s->points->run &&
            (before == ROOF_NONE ||
             end->run > all->items[before].points[all->items[before].n_points - 1].run))
            before = k;
    }
    if (before == ROOF_NONE)
        return ROOF_OK;
    const roof_history_series *t = &all->items[before];
    const roof_unlike keys[] = {{"graph", t->key.model_hash, s->key.model_hash, true},
                                {"hardware", t->key.device, s->key.device, true},
                                {"tool", t->key.stack, s->key.stack, true},
                                {"workload", t->key.workload, s->key.workload, true}};
    FOR_EACH(const roof_unlike, key, keys, N_OF(keys))
        if (!text_same(key->a, key->b))
            TRY(ARENA_ADD(
                all->arena, s->begun_by, s->n_begun_by, f->err,
                (roof_unlike){key->what, key->a ? key->a : unstated, key->b ? key->b : unstated, true}));
    if (!s->n_begun_by && t->has_conditions && s->has_conditions)
        TRY(conditions_compare(&f->about[before].of, &f->about[i].of, all->arena, &s->begun_by,
                               &s->n_begun_by, &n_apart, f->err));
    return ROOF_OK;
}

/* Their ids first: a statement that is walked through sees what is added meanwhile. */
typedef struct series_list {
    struct {
        uint64_t id;
        roof_history_key key;
    } items[ROOF_HISTORY_MOST_SERIES];
    uint32_t n;
} series_list;

static roof_status read_series(store_query *q, void *list)
{
    series_list *out = list;
    if (out->n == ROOF_HISTORY_MOST_SERIES)
        return error_set(q->err, ROOF_E_USAGE,
                         "more than %d series; ask for those of one --model, --device, --stack or --mode",
                         ROOF_HISTORY_MOST_SERIES);
    TRY(store_count(q, 0, &out->items[out->n].id));
    return series_read_key(q, 1, &out->items[out->n++].key);
}

static roof_status fail_none(const finding *f, uint32_t n_series)
{
    if (!n_series)
        return error_set(
            f->err, ROOF_E_USAGE,
            "no run is of this model, device, stack and mode; `roofline history list` shows what there is");
    return error_set(f->err, ROOF_E_USAGE,
                     "no run of these %" PRIu32 " series has %s%.80s; `roofline history show ID` says what "
                     "there is of a run",
                     n_series, f->requested->row ? "a time of row " : "a number ",
                     f->requested->row ? f->requested->row
                     : f->metric       ? f->metric->name
                                       : "median_s or mean_s");
}

static roof_status find_metric(finding *f)
{
    const char *name = f->requested->metric;
    char known[200] = "";
    f->metric = name ? metric_named(name) : NULL;
    if (!name || (f->metric && (!f->requested->row || metric_is_of_rows(f->metric))))
        return ROOF_OK;
    for (size_t i = 0; roof_history_metric_at(i); i++) {
        const roof_history_metric *metric = roof_history_metric_at(i);
        if (f->requested->row && !metric_is_of_rows(metric))
            continue;
        strncat(known, *known ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, metric->name, sizeof known - strlen(known) - 1);
    }
    return error_set(f->err, ROOF_E_USAGE, "no metric '%.40s'%s; there are %s", name,
                     f->requested->row ? " of a row" : "", known);
}

static roof_status find_all(finding *f)
{
    series_list *series = NEW(f->out->arena, series_list);
    store_query q = {.h = f->h, .arena = f->out->arena, .err = f->err};
    TRY(find_metric(f));
    TRY(ALLOCATED(series, f->err));
    TRY(STORE_ASK(&q,
                  "SELECT id, " SERIES_COLUMNS " FROM series WHERE " SERIES_FILTER " ORDER BY id LIMIT ?6",
                  read_series, series, SERIES_VALUES(&f->requested->filter),
                  STORE_COUNT(ROOF_HISTORY_MOST_SERIES + 1)));
    for (uint32_t i = 0; i < series->n; i++)
        TRY(add_series(f, series->items[i].id, &series->items[i].key));
    for (uint32_t i = 0; i < f->out->n; i++)
        TRY(find_begun_by(f, i));
    for (uint32_t i = 0; i < f->out->n; i++)
        if (f->about[i].is_newest)
            TRY(judge(f, &f->out->items[i]));
    return f->out->n || f->requested->may_be_none ? arena_status(f->out->arena, f->err)
                                                  : fail_none(f, series->n);
}

roof_status roof_history_find_trends(roof_history *history, const roof_history_request *requested,
                                     roof_history_trends **out, roof_error *err)
{
    roof_arena *arena;
    finding f = {history, requested, NULL, NEW_ROOT(&arena, roof_history_trends, err), err, NULL};
    *out = NULL;
    if (!f.out)
        return ROOF_E_NO_MEMORY;
    *f.out = (roof_history_trends){.factor = requested->factor, .arena = arena};
    const roof_status status = find_all(&f);
    return GIVE(status, out, f.out, roof_history_trends_free);
}

ARENA_FREES(roof_history_trends_free, roof_history_trends, trends)

uint32_t roof_history_failed(const roof_history_trends *trends)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < trends->n; i++)
        n += trends->items[i].state == ROOF_HELD_BROKEN || trends->items[i].state == ROOF_HELD_NOT_KNOWN;
    return n;
}

uint32_t roof_history_enough_runs(void)
{
    uint32_t n = 1;
    while (!change_points_can_tell(n))
        n++;
    return n;
}
