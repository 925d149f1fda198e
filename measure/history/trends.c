/* Series of runs, where their level changes, and whether the newest runs are within a factor of those
 * before. */
#include "core/error.h"
#include "measure/history/change_points.h"
#include "measure/history/changed_layers.h"
#include "measure/history/metrics.h"
#include "measure/history/series_keys.h"
#include "measure/history/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct finding {
    roof_history *h;
    const roof_history_asked *asked;
    const roof_history_metric *metric; /* NULL: by what a series has */
    roof_history_trends *out;
    roof_error *err;
} finding;

/* --- points --------------------------------------------------------------------------------------------- */

/* ?1 is the series, ?2 the metric; of a row ?2 is its name. The newest come first, so that a series that is
 * too long keeps them. Rows of one name are added up. */
static const char total_sql[] =
    "SELECT runs.id, documents.added_s, documents.git_commit, metrics.value FROM runs JOIN metrics ON "
    "metrics.run = runs.id AND metrics.name = ?2 JOIN documents ON documents.id = runs.document WHERE "
    "runs.series = ?1 ORDER BY runs.id DESC LIMIT ?3",
                  median_sql[] =
                      "SELECT runs.id, documents.added_s, documents.git_commit, (SELECT sum(layers.median_s) "
                      "FROM layers WHERE layers.name = ?2 AND layers.run = runs.id) FROM runs JOIN documents "
                      "ON documents.id = runs.document WHERE runs.series = ?1 ORDER BY runs.id DESC LIMIT ?3",
                  mean_sql[] =
                      "SELECT runs.id, documents.added_s, documents.git_commit, (SELECT sum(layers.mean_s) "
                      "FROM layers WHERE layers.name = ?2 AND layers.run = runs.id) FROM runs JOIN documents "
                      "ON documents.id = runs.document WHERE runs.series = ?1 ORDER BY runs.id DESC LIMIT ?3";

static roof_status read_point(store_query *q, roof_history_series *s, roof_arena *arena)
{
    roof_history_point point;
    uint64_t added_s;
    TRY(store_number(q, 3, &point.value));
    if (!(point.value > 0)) /* a run without it, or without the row */
        return ROOF_OK;
    TRY(store_count(q, 0, &point.run));
    TRY(store_count(q, 1, &added_s));
    TRY(store_text(q, 2, &point.commit));
    point.added_s = added_s > INT64_MAX ? 0 : (int64_t)added_s;
    TRY(ARENA_MORE(arena, s->points, s->n_points, q->err));
    s->points[s->n_points++] = point;
    return ROOF_OK;
}

static void turn(roof_history_point *points, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        const roof_history_point one = points[i];
        points[i] = points[n - 1 - i];
        points[n - 1 - i] = one;
    }
}

static roof_status read_points(const finding *f, uint64_t series, const roof_history_metric *metric,
                               roof_history_series *s)
{
    const bool is_median = strcmp(metric->name, "median_s") == 0;
    const char *row = f->asked->row, *sql = !row ? total_sql : is_median ? median_sql : mean_sql;
    store_query q;
    bool is_row = true;
    s->n_points = 0;
    s->metric = metric;
    TRY(store_query_begin(f->h, sql, f->out->arena, &q, f->err));
    roof_status status = store_bind_count(&q, series);
    if (status == ROOF_OK)
        status = store_bind_text(&q, row ? row : metric->name);
    if (status == ROOF_OK)
        status = store_bind_count(&q, ROOF_HISTORY_MOST_POINTS);
    while (status == ROOF_OK && is_row) {
        status = store_step(&q, &is_row);
        if (status == ROOF_OK && is_row)
            status = read_point(&q, s, f->out->arena);
    }
    store_query_end(&q);
    turn(s->points, s->n_points);
    return status;
}

/* --- changes -------------------------------------------------------------------------------------------- */

static roof_status find_changes(const finding *f, roof_history_series *s)
{
    roof_arena *arena = f->out->arena;
    change_points found;
    double *values;
    TRY(ARENA_GET(arena, values, s->n_points, f->err));
    for (uint32_t i = 0; i < s->n_points; i++)
        values[i] = s->points[i].value;
    TRY(change_points_find(values, s->n_points, arena, &found, f->err));
    TRY(ARENA_GET(arena, s->segments, found.n, f->err));
    s->n_segments = found.n;
    s->noise_factor = found.noise_factor;
    s->can_tell = change_points_can_tell(s->n_points);
    for (uint32_t i = 0; i < found.n; i++) {
        const change_segment *c = &found.segments[i];
        s->segments[i] = (roof_history_segment){
            c->first, c->n, c->median, c->ratio, {c->ratio_ci95[0], c->ratio_ci95[1]}, c->p};
    }
    return ROOF_OK;
}

/* The newest segment, as a multiple of the one before in which more is worse. */
static void judge(const finding *f, roof_history_series *s)
{
    const roof_history_segment *last = &s->segments[s->n_segments - 1];
    const bool is_larger_better = s->metric->is_larger_better;
    const double low = is_larger_better ? 1 / last->ratio_ci95[1] : last->ratio_ci95[0],
                 high = is_larger_better ? 1 / last->ratio_ci95[0] : last->ratio_ci95[1];
    const double factor = f->asked->factor;
    if (isnan(factor))
        return;
    if (s->n_segments == 1) {
        s->state = s->can_tell ? ROOF_CHECK_KEPT : ROOF_CHECK_UNKNOWN;
        s->why = s->can_tell
                     ? "no change beyond noise"
                     : arena_printf(f->out->arena, "%" PRIu32 " run%s: too few for a change to be seen",
                                    s->n_points, s->n_points == 1 ? "" : "s");
        return;
    }
    s->state = low > factor ? ROOF_CHECK_BROKEN : high <= factor ? ROOF_CHECK_KEPT : ROOF_CHECK_UNKNOWN;
    s->why = arena_printf(f->out->arena, "the newest %" PRIu32 " of %" PRIu32 " runs, 95 %% %.3f to %.3f",
                          last->n, s->n_points, low, high);
}

/* --- series --------------------------------------------------------------------------------------------- */

/* The metric that was asked for; else the median where a run has one, else the mean. */
static roof_status add_series(const finding *f, uint64_t id, const roof_history_key *key)
{
    roof_history_trends *out = f->out;
    roof_history_series s = {.key = *key, .row = f->asked->row, .state = ROOF_CHECK_SKIPPED};
    TRY(read_points(f, id, f->metric ? f->metric : metric_named("median_s"), &s));
    if (!s.n_points && !f->metric)
        TRY(read_points(f, id, metric_named("mean_s"), &s));
    if (!s.n_points)
        return ROOF_OK;
    TRY(find_changes(f, &s));
    if (s.n_segments > 1 && !s.row && strcmp(s.metric->unit, "s") == 0)
        TRY(changed_layers_find(f->h, id, out->arena, &s, f->err));
    judge(f, &s);
    TRY(ARENA_MORE(out->arena, out->items, out->n, f->err));
    out->items[out->n++] = s;
    return ROOF_OK;
}

/* Their ids first: a statement that is walked through sees what is added meanwhile. */
typedef struct series_list {
    uint64_t *ids;
    roof_history_key *keys;
    uint32_t n;
} series_list;

static roof_status read_series(const finding *f, series_list *out)
{
    static const char sql[] =
        "SELECT id, " SERIES_COLUMNS " FROM series WHERE " SERIES_FILTER " ORDER BY id LIMIT ?6";
    roof_arena *arena = f->out->arena;
    store_query q;
    bool is_row = true;
    TRY(ARENA_GET(arena, out->ids, ROOF_HISTORY_MOST_SERIES, f->err));
    TRY(ARENA_GET(arena, out->keys, ROOF_HISTORY_MOST_SERIES, f->err));
    TRY(store_query_begin(f->h, sql, arena, &q, f->err));
    roof_status status = series_bind_filter(&q, &f->asked->filter);
    if (status == ROOF_OK)
        status = store_bind_count(&q, ROOF_HISTORY_MOST_SERIES + 1);
    while (status == ROOF_OK) {
        status = store_step(&q, &is_row);
        if (status != ROOF_OK || !is_row)
            break;
        if (out->n == ROOF_HISTORY_MOST_SERIES)
            status =
                error_set(f->err, ROOF_E_USAGE,
                          "more than %d series; ask for those of one --model, --device, --stack or --mode",
                          ROOF_HISTORY_MOST_SERIES);
        if (status == ROOF_OK)
            status = store_count(&q, 0, &out->ids[out->n]);
        if (status == ROOF_OK)
            status = series_read_key(&q, 1, &out->keys[out->n++]);
    }
    store_query_end(&q);
    return status;
}

static roof_status fail_none(const finding *f, uint32_t n_series)
{
    if (!n_series)
        return error_set(
            f->err, ROOF_E_USAGE,
            "no run is of this model, device, stack and mode; `roofline history list` shows what "
            "there is");
    return error_set(f->err, ROOF_E_USAGE,
                     "no run of these %" PRIu32 " series has %s%.80s; `roofline history show ID` says what "
                     "there is of a run",
                     n_series, f->asked->row ? "a time of row " : "a number ",
                     f->asked->row ? f->asked->row
                     : f->metric   ? f->metric->name
                                   : "median_s or mean_s");
}

static roof_status find_metric(finding *f)
{
    const char *name = f->asked->metric;
    char known[200] = "";
    f->metric = name ? metric_named(name) : NULL;
    if (name && f->metric && (!f->asked->row || metric_is_of_rows(f->metric)))
        return ROOF_OK;
    if (!name)
        return ROOF_OK;
    for (size_t i = 0; roof_history_metric_at(i); i++) {
        const roof_history_metric *metric = roof_history_metric_at(i);
        if (f->asked->row && !metric_is_of_rows(metric))
            continue;
        strncat(known, *known ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, metric->name, sizeof known - strlen(known) - 1);
    }
    return error_set(f->err, ROOF_E_USAGE, "no metric '%.40s'%s; there are %s", name,
                     f->asked->row ? " of a row" : "", known);
}

static roof_status find_all(finding *f)
{
    series_list series = {NULL, NULL, 0};
    TRY(find_metric(f));
    TRY(read_series(f, &series));
    for (uint32_t i = 0; i < series.n; i++)
        TRY(add_series(f, series.ids[i], &series.keys[i]));
    return f->out->n || f->asked->may_be_none ? arena_status(f->out->arena, f->err) : fail_none(f, series.n);
}

roof_status roof_history_find_trends(roof_history *history, const roof_history_asked *asked,
                                     roof_history_trends **out, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    finding f = {history, asked, NULL, arena ? NEW(arena, roof_history_trends) : NULL, err};
    *out = NULL;
    roof_status status = f.out ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK) {
        *f.out = (roof_history_trends){.factor = asked->factor, .arena = arena};
        status = find_all(&f);
    }
    if (status == ROOF_OK)
        *out = f.out;
    else
        arena_free(arena);
    return status;
}

void roof_history_trends_free(roof_history_trends *trends)
{
    if (trends)
        arena_free(trends->arena);
}

uint32_t roof_history_failed(const roof_history_trends *trends)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < trends->n; i++)
        n += trends->items[i].state == ROOF_CHECK_BROKEN || trends->items[i].state == ROOF_CHECK_UNKNOWN;
    return n;
}

uint32_t roof_history_enough_runs(void)
{
    uint32_t n = 1;
    while (!change_points_can_tell(n))
        n++;
    return n;
}
