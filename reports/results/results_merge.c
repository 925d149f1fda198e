/* Parts of a plan as one file. */
#include "roofline/results.h"
#include "core/files/input.h"
#include "core/files/outputs.h"
#include "reports/results/results_line.h"

/* A part: where it begins tells its place. */
typedef struct shard {
    const char *path;
    char *titles; /* "": JSON lines, or an empty file */
    bool is_empty, is_json;
    results_line first;
} shard;

typedef struct merging {
    shard *shards;
    uint32_t n, n_read;
    const char *identity; /* NULL: any */
    results_line of;      /* the plan of the first part; index: the point that is to come next */
    bool has_plan;
    const shard *last; /* the part that the point before that is of */
    const results_taker *taker;
} merging;

static roof_status fail_line(const char *path, uint64_t line, roof_error *err, const char *what)
{
    return error_placed(error_line(err, ROOF_E_DATA, line, "%s", what), err, "%s", path);
}

/* --- what parts there are ------------------------------------------------------------------------------- */

/* A line of titles ends as they do; lines of JSON have none. */
static roof_status read_titles(shard *s, results_reader *r, roof_error *err)
{
    static const char end[] = POINTS_LINE_TITLES, json[] = "{\"index\":";
    const size_t length = sizeof end - 1;
    TRY(results_reader_next(r, err));
    s->is_json = r->length >= sizeof json - 1 && memcmp(r->line, json, sizeof json - 1) == 0;
    if (s->is_json || !r->length)
        return ROOF_OK;
    if (!r->is_whole || r->length < length || memcmp(r->line + r->length - length, end, length) != 0)
        return fail_line(s->path, 1, err, "is no file of points: want what `roofline sweep` wrote");
    s->titles = strndup(r->line, r->length);
    return s->titles ? results_reader_next(r, err) : error_memory(err);
}

static roof_status look(merging *m, shard *s, results_reader *r, roof_error *err)
{
    (void)m;
    const roof_status status = read_titles(s, r, err);
    s->is_empty = status == ROOF_OK && !r->length;
    if (status == ROOF_OK && !s->is_empty &&
        !(r->is_whole && results_line_read(r->line, r->length, s->is_json, &s->first)))
        return fail_line(s->path, r->number, err,
                         "the line is torn, or was changed; write this part once more");
    if (status == ROOF_E_IO)
        error_prefix(err, "%s", s->path);
    return status;
}

static roof_status with_lines(merging *m, shard *s,
                              roof_status (*read)(merging *m, shard *s, results_reader *r, roof_error *err),
                              roof_error *err)
{
    input_file in;
    TRY(input_open(s->path, 0, &in, err));
    results_reader reader = {.fd = in.fd};
    const roof_status status = read(m, s, &reader, err);
    results_reader_end(&reader);
    input_close(&in);
    return status;
}

/* All of one plan and of one kind. */
static roof_status check_plan(merging *m, const shard *s, roof_error *err)
{
    if (!m->has_plan) {
        m->of = s->first;
        m->has_plan = true;
    }
    if (m->identity && strcmp(s->first.identity, m->identity) != 0)
        return error_in(
            err, s->path, ROOF_E_DATA,
            "is of plan %s, but the plan that was named is %s: it, a model or a device changed since",
            s->first.identity, m->identity);
    if (strcmp(s->first.identity, m->of.identity) != 0 || s->first.n_points != m->of.n_points)
        return error_in(err, s->path, ROOF_E_DATA, "is of plan %s, the parts before it are of %s",
                        s->first.identity, m->of.identity);
    if (s->is_json != m->shards[0].is_json ||
        strcmp(text_or_empty(s->titles), text_or_empty(m->shards[0].titles)) != 0)
        return error_in(err, s->path, ROOF_E_DATA, "has other columns than the parts before it");
    return ROOF_OK;
}

/* Parts without points are left out. */
static roof_status look_at_all(merging *m, const char *const *paths, roof_error *err)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        shard *s = &m->shards[kept];
        *s = (shard){.path = paths[i]};
        m->n_read = kept + 1;
        TRY(with_lines(m, s, look, err));
        if (s->is_empty) {
            free(s->titles);
            s->titles = NULL;
            continue;
        }
        TRY(check_plan(m, s, err));
        kept++;
    }
    m->n_read = m->n = kept;
    if (!kept)
        return error_data(err, "there is no point in these files");
    order_sort(m->shards, m->n, sizeof *m->shards, ORDER_BY(RISING(shard, first.index)));
    m->of.index = 0;
    return ROOF_OK;
}

/* --- one behind the other ------------------------------------------------------------------------------- */

/* Between what is there and the point that begins now. */
static roof_status check_next(const merging *m, const shard *s, const results_line *line, uint64_t number,
                              roof_error *err)
{
    if (line->index == m->of.index && strcmp(line->identity, m->of.identity) == 0)
        return ROOF_OK;
    if (strcmp(line->identity, m->of.identity) != 0)
        return fail_line(s->path, number, err, "the line is of another plan");
    if (line->index < m->of.index)
        error_line(err, ROOF_E_DATA, number, "point %" PRIu64 " is in '%.200s' already; give each part once",
                   line->index, m->last ? m->last->path : s->path);
    else
        error_line(err, ROOF_E_DATA, number,
                   "point %" PRIu64 " follows %" PRIu64 ", and those between are in none of the files",
                   line->index, m->of.index ? m->of.index - 1 : 0);
    error_prefix(err, "%s", s->path);
    return ROOF_E_DATA;
}

static roof_status take_lines(merging *m, shard *s, results_reader *r, roof_error *err)
{
    if (s->titles)
        TRY(results_reader_next(r, err));
    for (;;) {
        results_line line;
        TRY(results_reader_next(r, err));
        if (!r->length)
            return ROOF_OK;
        if (!r->is_whole || !results_line_read(r->line, r->length, s->is_json, &line))
            return fail_line(s->path, r->number, err,
                             "the line is torn, or was changed; write this part once more");
        TRY(check_next(m, s, &line, r->number, err));
        roof_error why;
        const roof_status status = m->taker->line(m->taker->context, r->line, r->length, line.index, &why);
        if (status == ROOF_E_DATA)
            return fail_line(s->path, r->number, err, why.what);
        if (status != ROOF_OK) {
            *err = why;
            return status;
        }
        m->of.index++;
        m->last = s;
    }
}

roof_status results_parts_read(const char *const *paths, uint32_t n, const char *identity,
                               const results_taker *taker, roof_error *err)
{
    merging m = {.shards = calloc(n ? n : 1, sizeof *m.shards), .n = n, .identity = identity, .taker = taker};
    roof_status status = m.shards ? look_at_all(&m, paths, err) : error_memory(err);
    THEN(status, taker->begin(taker->context, text_or_empty(m.shards[0].titles), &m.of, err));
    for (uint32_t i = 0; i < m.n && status == ROOF_OK; i++)
        status = with_lines(&m, &m.shards[i], take_lines, err);
    if (status == ROOF_OK && m.of.index != m.of.n_points)
        status =
            error_data(err, "the files end with point %" PRIu64 " of %" PRIu64 " (from 0): a part is missing",
                       m.of.index - 1, m.of.n_points);
    for (uint32_t i = 0; m.shards && i < m.n_read; i++)
        free(m.shards[i].titles);
    free(m.shards);
    return status;
}

/* --- into one file -------------------------------------------------------------------------------------- */

typedef struct copying {
    outputs set;
    outputs_file *file;
    const char *path;
    results_fields outcome;
    roof_results_progress *done;
} copying;

/* Opened when the parts are what they ought to be. */
static roof_status begin_copy(void *context, const char *titles, const results_line *first, roof_error *err)
{
    copying *c = context;
    c->done->of = first->n_points;
    TRY(results_outcome_begin(&c->outcome, titles, err));
    TRY(outputs_open(&c->set, c->path, &c->file, err));
    return outputs_write(c->file, titles, strlen(titles), err);
}

static roof_status copy_line(void *context, const char *line, size_t length, uint64_t index, roof_error *err)
{
    copying *c = context;
    (void)index;
    TRY(results_outcome_count(&c->outcome, line, length, c->done, err));
    c->done->done++;
    return outputs_write(c->file, line, length, err);
}

roof_status roof_results_merge(const char *const *paths, uint32_t n, const char *identity, const char *path,
                               roof_results_progress *done, roof_error *err)
{
    roof_results_progress unasked;
    copying c = {.path = path, .done = done ? done : &unasked};
    *c.done = (roof_results_progress){0};
    TRY(outputs_begin(&c.set, err));
    roof_status status =
        results_parts_read(paths, n, identity, &(results_taker){begin_copy, copy_line, &c}, err);
    if (c.file)
        status = outputs_close(c.file, status, err);
    results_fields_end(&c.outcome);
    return outputs_end(&c.set, status, err);
}
