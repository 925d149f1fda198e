#include "tests/support/trace_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a viewer's clock reads a time: as it is, and in whole nanoseconds, to which one version rounds and another cuts. */
enum { EXACT, ROUNDED, CUT, CLOCKS };

typedef struct row {
    double process, id;
    bool has_name, process_has_name;
    double begun_us, end[CLOCKS];
} row;

typedef struct checking {
    row *rows;
    size_t n_rows;
} checking;

static char message[400];

static const char *complain(const json_node *event, const char *what)
{
    const char *name = json_text(json_get(event, "name"));
    snprintf(message, sizeof message, "%s: ts %.17g, pid %g, tid %g, '%.80s'", what,
             json_value(json_get(event, "ts")), json_value(json_get(event, "pid")),
             json_value(json_get(event, "tid")), name ? name : "(none)");
    return message;
}

static double read_by(int clock, double us)
{
    return clock == EXACT ? us : clock == ROUNDED ? round(us * 1000) : floor(us * 1000);
}

/* The row of an event; a new one at its first. Rows are used for a while and then no more, so the last are looked at first. */
static row *row_of(checking *c, const json_node *event)
{
    double process = json_value(json_get(event, "pid"));
    double id = json_value(json_get(event, "tid"));
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

static const char *check_metadata(row *r, const json_node *event)
{
    const char *what = json_text(json_get(event, "name"));
    const json_node *args = json_get(event, "args");
    bool named = json_text(json_get(args, "name")) != NULL;
    bool sorted = json_is(json_get(args, "sort_index"), JSON_NUMBER);
    if (!what)
        return complain(event, "metadata without a name");
    if (strstr(what, "sort_index") ? !sorted : !named)
        return complain(event, "metadata without its value");
    r->has_name = r->has_name || strcmp(what, "thread_name") == 0;
    r->process_has_name = r->process_has_name || strcmp(what, "process_name") == 0;
    return NULL;
}

/* A viewer that sees an event begin inside another and end behind it drops it. */
static const char *check_place(row *r, const json_node *event)
{
    double ts = json_value(json_get(event, "ts"));
    double dur = strcmp(json_text(json_get(event, "ph")), "X") == 0 ? json_value(json_get(event, "dur")) : 0;
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

static const char *check_event(checking *c, const json_node *event)
{
    const char *phase = json_text(json_get(event, "ph"));
    row *r = row_of(c, event);
    if (!phase || !strchr("MXiC", *phase) || phase[1])
        return complain(event, "no phase that is known here");
    if (!r)
        return complain(event, "no row, or one of another process");
    if (!json_text(json_get(event, "name")) || !json_is(json_get(event, "args"), JSON_OBJECT))
        return complain(event, "no name, or no args");
    if (*phase == 'M')
        return check_metadata(r, event);
    if (!r->has_name || !r->process_has_name)
        return complain(event, "its row or its process has no name");
    return *phase == 'C' ? NULL : check_place(r, event);
}

const char *trace_check(const json_node *document)
{
    const json_node *events = json_get(document, "traceEvents");
    const char *unit = json_text(json_get(document, "displayTimeUnit")), *wrong = NULL;
    checking c = {0};
    if (!json_is(events, JSON_ARRAY) || !unit || strcmp(unit, "ns") != 0)
        return "no traceEvents, or another unit";
    for (const json_node *event = json_first(events); event && !wrong; event = json_next(event))
        wrong = check_event(&c, event);
    free(c.rows);
    return wrong;
}
