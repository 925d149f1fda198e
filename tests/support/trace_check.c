#include "tests/support/trace_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a viewer's clock reads a time: as it is, and in whole nanoseconds, to which one version rounds and
 * another cuts. */
enum { EXACT, ROUNDED, CUT, CLOCKS };

typedef struct row {
    double process, id;
    bool has_name, process_has_name;
    double begun_us, end[CLOCKS];
} row;

typedef struct span {
    double row, from_us, to_us;
} span;

typedef struct checking {
    row *rows;
    size_t n_rows;
    span *spans; /* all events that have a length */
    size_t n_spans, room;
    const cJSON *tail; /* of the arrow whose head follows */
    double last_id;
} checking;

static char message[400];

static const char *complain(const cJSON *event, const char *what)
{
    const char *name = cJSON_GetStringValue(jsontree_get(event, "name"));
    snprintf(message, sizeof message, "%s: ts %.17g, pid %g, tid %g, '%.80s'", what,
             cJSON_GetNumberValue(jsontree_get(event, "ts")),
             cJSON_GetNumberValue(jsontree_get(event, "pid")),
             cJSON_GetNumberValue(jsontree_get(event, "tid")), name ? name : "(none)");
    return message;
}

static double read_by(int clock, double us)
{
    return clock == EXACT ? us : clock == ROUNDED ? round(us * 1000) : floor(us * 1000);
}

/* The row of an event; a new one at its first. Rows are used for a while and then no more, so the last are
 * looked at first. */
static row *row_of(checking *c, const cJSON *event)
{
    double process = cJSON_GetNumberValue(jsontree_get(event, "pid"));
    double id = cJSON_GetNumberValue(jsontree_get(event, "tid"));
    for (size_t i = c->n_rows; i-- > 0;)
        if (!(c->rows[i].id < id) && !(c->rows[i].id > id))
            return c->rows[i].process < process || c->rows[i].process > process ? NULL : &c->rows[i];
    row *more = realloc(c->rows, (c->n_rows + 1) * sizeof *more);
    if (!more || isnan(id) || isnan(process)) {
        c->rows = more ? more : c->rows;
        return NULL;
    }
    c->rows = more;
    more[c->n_rows] = (row){.process = process, .id = id};
    for (size_t i = 0; i < c->n_rows; i++)
        more[c->n_rows].process_has_name |=
            more[i].process_has_name && !(more[i].process < process) && !(more[i].process > process);
    return &more[c->n_rows++];
}

static const char *check_metadata(row *r, const cJSON *event)
{
    const char *what = cJSON_GetStringValue(jsontree_get(event, "name"));
    const cJSON *args = jsontree_get(event, "args");
    bool named = cJSON_GetStringValue(jsontree_get(args, "name")) != NULL;
    bool sorted = cJSON_IsNumber(jsontree_get(args, "sort_index"));
    if (!what)
        return complain(event, "metadata without a name");
    if (strstr(what, "sort_index") ? !sorted : !named)
        return complain(event, "metadata without its value");
    r->has_name = r->has_name || strcmp(what, "thread_name") == 0;
    r->process_has_name = r->process_has_name || strcmp(what, "process_name") == 0;
    return NULL;
}

/* A viewer that sees an event begin inside another and end behind it drops it. */
static const char *check_place(row *r, const cJSON *event)
{
    double ts = cJSON_GetNumberValue(jsontree_get(event, "ts"));
    double dur = strcmp(cJSON_GetStringValue(jsontree_get(event, "ph")), "X") == 0
                     ? cJSON_GetNumberValue(jsontree_get(event, "dur"))
                     : 0;
    const double rounding = 1e-12 * ts;
    if (!(ts >= 0 && dur >= 0 && isfinite(ts + dur)))
        return complain(event, "no time");
    if (ts < r->begun_us)
        return complain(event, "earlier than the event before");
    for (int clock = 0; clock < CLOCKS; clock++) {
        double start = read_by(clock, ts), length = read_by(clock, dur);
        if (start + (clock == EXACT ? rounding : 0) < r->end[clock] && (dur > 0 || clock == EXACT))
            return complain(event, clock == EXACT ? "overlaps" : "overlaps in nanoseconds");
        r->end[clock] = fmax(r->end[clock], start + length);
    }
    r->begun_us = ts;
    return NULL;
}

static bool keep_span(checking *c, const cJSON *event)
{
    double ts = cJSON_GetNumberValue(jsontree_get(event, "ts")),
           dur = cJSON_GetNumberValue(jsontree_get(event, "dur"));
    if (c->n_spans == c->room) {
        size_t room = 2 * c->room + 64;
        span *more = realloc(c->spans, room * sizeof *more);
        if (!more)
            return false;
        c->spans = more;
        c->room = room;
    }
    c->spans[c->n_spans++] = (span){cJSON_GetNumberValue(jsontree_get(event, "tid")), ts, ts + dur};
    return true;
}

/* The last event of the row that is not later; NULL when it is over, but for the nanosecond that it may be
 * short. */
static const span *span_at(const checking *c, const cJSON *end)
{
    double id = cJSON_GetNumberValue(jsontree_get(end, "tid")),
           ts = cJSON_GetNumberValue(jsontree_get(end, "ts"));
    for (size_t i = c->n_spans; i-- > 0;)
        if (!(c->spans[i].row < id) && !(c->spans[i].row > id) && c->spans[i].from_us <= ts)
            return ts <= c->spans[i].to_us + 1e-3 ? &c->spans[i] : NULL;
    return NULL;
}

/* A tail and then its head, of one name, category and number, which no other arrow has. A viewer takes the
 * event that begins earlier for the one at the tail. */
static const char *check_arrow(checking *c, const cJSON *end)
{
    const cJSON *tail = c->tail;
    double id = cJSON_GetNumberValue(jsontree_get(end, "id"));
    const char *category = cJSON_GetStringValue(jsontree_get(end, "cat")),
               *bound = cJSON_GetStringValue(jsontree_get(end, "bp"));
    if (*cJSON_GetStringValue(jsontree_get(end, "ph")) == 's') {
        c->tail = end;
        bool is_new = !tail && category && id > c->last_id;
        c->last_id = id;
        return is_new ? NULL : complain(end, "an arrow without a head, a category or a number of its own");
    }
    c->tail = NULL;
    if (!tail || !category || !bound || strcmp(bound, "e") != 0 || !(id <= c->last_id && id >= c->last_id) ||
        strcmp(category, cJSON_GetStringValue(jsontree_get(tail, "cat"))) != 0 ||
        strcmp(cJSON_GetStringValue(jsontree_get(end, "name")),
               cJSON_GetStringValue(jsontree_get(tail, "name"))) != 0)
        return complain(end, "a head of no arrow");
    const span *from = span_at(c, tail), *to = span_at(c, end);
    return from && to && from->from_us < to->from_us ? NULL : complain(end, "an arrow between no two events");
}

static const char *check_event(checking *c, const cJSON *event)
{
    const char *phase = cJSON_GetStringValue(jsontree_get(event, "ph"));
    row *r = row_of(c, event);
    if (!phase || !strchr("MXiCsf", *phase) || phase[1])
        return complain(event, "no phase that is known here");
    if (!r)
        return complain(event, "no row, or one of another process");
    if (!cJSON_GetStringValue(jsontree_get(event, "name")) || !cJSON_IsObject(jsontree_get(event, "args")))
        return complain(event, "no name, or no args");
    if (*phase == 'M')
        return check_metadata(r, event);
    if (!r->has_name || !r->process_has_name)
        return complain(event, "its row or its process has no name");
    if (*phase == 's' || *phase == 'f')
        return check_arrow(c, event);
    if (*phase == 'X' && !keep_span(c, event))
        return "no memory";
    return *phase == 'C' ? NULL : check_place(r, event);
}

const char *trace_check(const cJSON *document)
{
    const cJSON *events = jsontree_get(document, "traceEvents");
    const char *unit = cJSON_GetStringValue(jsontree_get(document, "displayTimeUnit")), *wrong = NULL;
    checking c = {.last_id = 0};
    if (!cJSON_IsArray(events) || !unit || strcmp(unit, "ns") != 0)
        return "no traceEvents, or another unit";
    for (const cJSON *event = events->child; event && !wrong; event = event->next)
        wrong = check_event(&c, event);
    free(c.rows);
    free(c.spans);
    return wrong || !c.tail ? wrong : complain(c.tail, "an arrow without a head");
}
