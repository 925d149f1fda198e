/* Counts of a command by `perf stat`: as JSON lines (-j), with separators (-x), and as people read it;
 * intervals (-I), repetitions (-r) and counts by socket or processor are taken, too.
 *
 *   {"counter-value" : "88.44", "unit" : "Joules", "event" : "power/energy-pkg/",...
 *   485.05,Joules,power/energy-pkg/,28141742128,100.00,1.077,/sec
 *   0.74 msec task-clock    #    0.007 CPUs utilized
 *   0.101414068 seconds time elapsed
 * All is of the command, which counts as one inference unless the user says how many it ran. Intervals and
 * sockets of an event are added up; what is "<not supported>" or "<not counted>" is unknown, and is not 0.
 * Joules are those of the package (or of what else the event names) while the command ran, whoever used them.
 * The run time of an event is summed over sockets, so that joules are never divided by it: power follows from
 * the elapsed time alone, which the last interval, the event duration_time, or the text for people has.
 */
#include "measure/import/power.h"

#include <ctype.h>

enum { MOST_EVENTS_NAMED = 256, MOST_CELLS = 64 };

typedef struct counted {
    const char *name, *unit;
    double sum;           /* NaN: never counted */
    double least_percent; /* of the time that it was counted; less than 100 is scaled up by perf */
} counted;

typedef struct reading {
    import_state *in;
    counted *events;
    uint32_t n_events;
    double elapsed_s; /* NaN: not stated */
    bool is_text;     /* for people: its heading was read */
} reading;

/* One count of a line. */
typedef struct count_row {
    text_span value, unit, event, percent;
} count_row;

/* --- counts ------------------------------------------------------------------------------------------- */

/* A number as perf prints it for people: commas at thousands. Some locales part thousands by points. */
static roof_status read_value(const count_row *row, double *out, roof_error *err)
{
    char buffer[PLAIN_NUMBER_SIZE];
    text_span plain = row->value;
    (void)span_plain_number(row->value, '.', buffer, &plain);
    if (span_number(plain, "the count", out, NULL) == ROOF_OK)
        return ROOF_OK;
    return error_data(err, "the count is '%s', want a number with a decimal point: run perf with LC_ALL=C",
                      SHOWN(row->value));
}

static roof_status add_count(reading *r, const count_row *row, roof_error *err)
{
    double value = 0, percent = 100;
    uint32_t i = 0;
    while (i < r->n_events &&
           !(span_is(row->event, r->events[i].name) && span_is(row->unit, r->events[i].unit)))
        i++;
    if (i == r->n_events) {
        counted new = {.sum = NAN, .least_percent = 100};
        TRY(HAS_ROOM(i, MOST_EVENTS_NAMED, err, "different events"));
        TRY(import_keep_name(r->in, row->event, &new.name, err));
        TRY(ALLOCATED(new.unit = measured_text(r->in->out, row->unit.text, row->unit.length), err));
        TRY(ARENA_ADD(r->in->scratch, r->events, r->n_events, err, new));
    }
    counted *event = &r->events[i];
    if (span_begins(row->value, "<not "))
        return ROOF_OK;
    TRY(read_value(row, &value, err));
    event->sum = isnan(event->sum) ? value : event->sum + value;
    if (row->percent.length)
        TRY(span_number(row->percent, "the share of the time", &percent, err));
    event->least_percent = fmin(event->least_percent, percent);
    return ROOF_OK;
}

/* Stamps of intervals begin at 0, and the last one is when the command ended. */
static roof_status take_interval(reading *r, text_span stamp, roof_error *err)
{
    if (!stamp.length)
        return ROOF_OK;
    if (!span_has(stamp, "."))
        return error_data(
            err,
            "the interval is '%s', want seconds with a decimal point: run perf with LC_ALL=C, or with -x \\;",
            SHOWN(stamp));
    return span_number(stamp, "the interval", &r->elapsed_s, err);
}

static bool is_value(text_span cell)
{
    double value;
    return span_begins(cell, "<not ") ||
           (cell.length && number_parse(cell.text, cell.length, &value) == cell.length);
}

/* [interval,] [processor or socket, [how many,]] value,unit,event,run time,percent: the value is the first
 * one that has a unit, or none, and the name of an event behind it. */
static roof_status read_separated(reading *r, text_span line, char separator, roof_error *err)
{
    text_span cells[MOST_CELLS];
    size_t n = span_split(line, separator, cells, MOST_CELLS), i = 0;
    while (i + 4 < n && i < 4 &&
           !(is_value(cells[i]) && !is_value(cells[i + 1]) && cells[i + 2].length && !is_value(cells[i + 2])))
        i++;
    if (n > MOST_CELLS || i + 4 >= n || i == 4)
        return n >= 5 && !is_value(cells[0]) && !cells[2].length
                   ? ROOF_OK /* a second metric of the event above */
                   : error_data(err,
                                "'%s', want value%cunit%cevent%crun time%cpercent; with a decimal comma run "
                                "perf with LC_ALL=C",
                                SHOWN(line), separator, separator, separator, separator);
    if (i && is_value(cells[0]))
        TRY(take_interval(r, cells[0], err));
    /* with -r the deviation stands behind the event: "1.69%" */
    bool variance = i + 5 < n && cells[i + 3].length && cells[i + 3].text[cells[i + 3].length - 1] == '%';
    const count_row row = {cells[i], cells[i + 1], cells[i + 2], variance ? cells[i + 5] : cells[i + 4]};
    return add_count(r, &row, err);
}

/* --- for people --------------------------------------------------------------------------------------- */

static bool begins_count(text_span rest)
{
    return span_begins(rest, "<not ") || (rest.length && isdigit((unsigned char)rest.text[0]));
}

/* "S0-D0" of a socket, "N0" of a node, "CPU0". */
static bool begins_place(text_span rest)
{
    text_span word = span_until(&rest, " ");
    return word.length > 1 && isdigit((unsigned char)word.text[word.length - 1]) &&
           (span_begins(word, "CPU") || (strchr("SN", word.text[0]) && isdigit((unsigned char)word.text[1])));
}

/* Past what stands before a count: "0.050 S0-D0 2", the stamp of an interval, a place, and how many
 * processors it has. */
static text_span take_place(text_span line, text_span *stamp)
{
    for (int i = 0; i < 3; i++) {
        text_span rest = line, word = span_until(&rest, " ");
        rest = span_trim(rest);
        bool is_before = begins_count(word) && (begins_count(rest) || begins_place(rest));
        if (!is_before && !begins_place(word))
            break;
        if (!i && is_before)
            *stamp = word;
        line = rest;
    }
    return line;
}

static roof_status read_human(reading *r, text_span line, roof_error *err)
{
    static const char *const units[] = {"msec", "Joules", "MiB", "ns", "ms"};
    count_row row = {.unit = span_of(""), .percent = span_of("")};
    text_span stamp = span_of("");
    if (span_has(line, "seconds time elapsed")) {
        row.value = span_until(&line, " ");
        return read_value(&row, &r->elapsed_s, err);
    }
    text_span rest = line = take_place(line, &stamp);
    bool is_missing = span_begins(line, "<not ");
    row.value = is_missing ? span_until(&rest, ">") : span_until(&rest, " ");
    rest = span_trim(span_from(rest, is_missing && rest.length));
    if (!begins_count(line) || !rest.length || span_begins(rest, "seconds "))
        return ROOF_OK;
    TRY(take_interval(r, stamp, err));
    row.event = span_until(&rest, " ");
    for (size_t i = 0; i < N_OF(units); i++)
        if (span_is(row.event, units[i])) {
            row.unit = row.event;
            rest = span_trim(rest);
            row.event = span_until(&rest, " ");
        }
    if (!row.unit.length && !is_missing && span_has(row.value, "."))
        return error_data(err, "the count is '%s', want a whole number: run perf with LC_ALL=C",
                          SHOWN(row.value));
    text_span share = rest; /* "(74.94%)" where events took turns */
    const char *open = rest.length ? memrchr(rest.text, '(', rest.length) : NULL;
    if (open && rest.text[rest.length - 1] == ')' && !span_has(rest, "+-"))
        share = span_from(rest, (size_t)(open + 1 - rest.text)), row.percent = span_until(&share, "%");
    return add_count(r, &row, err);
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    static const char separators[] = {';', '\t', '|', '@', ',', ':'};
    text_span text = span_trim((text_span){line->text, line->length});
    size_t i = 0;
    /* headings of the whole, and of intervals */
    r->is_text |= span_begins(text, "Performance counter stats for") || span_has(text, "counts unit events");
    if (!text.length || text.text[0] == '#')
        return ROOF_OK;
    if (text.text[0] == '{') {
        const count_row row = {event_member(text, "counter-value"), span_trim(event_member(text, "unit")),
                               event_member(text, "event"), event_member(text, "pcnt-running")};
        if (!row.value.length) /* a metric alone */
            return ROOF_OK;
        if (text.text[text.length - 1] != '}')
            return error_data(err, "a line without its '}': is the file whole?");
        TRY(take_interval(r, event_member(text, "interval"), err));
        return add_count(r, &row, err);
    }
    while (i < sizeof separators && /* people are given columns, with blanks between them */
           (span_has(text, "  ") || span_split(text, separators[i], NULL, 0) < 5))
        i++;
    if (i < sizeof separators)
        return read_separated(r, text, separators[i], err);
    return r->is_text ? read_human(r, text, err) : ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status add_event(reading *r, roof_run *run, const counted *event, double n, roof_error *err)
{
    double count = event->sum / n;
    if (codec_key_problem(event->name) || !(count < 9e15))
        return ROOF_OK;
    return counted_set_event(counted_of_run(r->in->out, run),
                             (roof_event){.name = event->name, .count = (uint64_t)llround(count)}, err);
}

/* The unit of a time in seconds, as that of task-clock and of duration_time; 0: it is none. */
static double second_of(const counted *event)
{
    return strcmp(event->unit, "msec") == 0 ? 1e-3 : strcmp(event->unit, "ns") == 0 ? 1e-9 : 0;
}

/* "task-clock" of msec: time of processors, all of them together. */
static roof_status add_time(reading *r, roof_run *run, const counted *event, double n, roof_error *err)
{
    if (codec_key_problem(event->name) || run->n_phases >= MOST_PHASES)
        return ROOF_OK;
    return ARENA_ADD(r->in->out->storage->arena, run->phases, run->n_phases, err,
                     (roof_phase){.name = event->name, .seconds = event->sum * second_of(event) / n});
}

/* Meters of joules, the widest first; the narrower ones are parts of a wider one, but for RAM. */
static const struct {
    const char *word, *scope;
} meters[] = {{"energy-psys", "platform"},          {"energy-pkg", "package"}, {"energy-cores", "cores"},
              {"energy-gpu", "GPU of the package"}, {"energy-ram", "RAM"},     {"", "joules of perf stat"}};

static bool is_energy(const counted *event)
{
    return strcmp(event->unit, "Joules") == 0 && !isnan(event->sum);
}

static void add_energy(reading *r, roof_run *run, double n)
{
    const counted *used = NULL; /* the widest */
    size_t k = 0;
    for (; !used && k < N_OF(meters); k++)
        for (uint32_t i = 0; !used && i < r->n_events; i++)
            if (is_energy(&r->events[i]) && strstr(r->events[i].name, meters[k].word))
                used = &r->events[i];
    if (!used)
        return;
    power_set_scope(r->in, run, meters[k - 1].scope);
    run->energy_j = used->sum / n;
    run->power_w = quotient_of(used->sum, r->elapsed_s);
    import_note(r->in, "%s J of %s: of all that ran meanwhile, and only with -a of all processors",
                NUMBER(used->sum), used->name);
    for (uint32_t i = 0; i < r->n_events; i++)
        if (is_energy(&r->events[i]) && &r->events[i] != used)
            import_note(r->in, "%s J of %s left aside: meters are parts of one another, and never added up",
                        NUMBER(r->events[i].sum), r->events[i].name);
    if (isnan(r->elapsed_s))
        import_note(r->in, "how long the command took is not stated, so that no power follows: the run time "
                           "of an event is summed over sockets");
}

static roof_status finish(reading *r, roof_error *err)
{
    uint64_t stated = r->in->options->inferences;
    double n = stated ? (double)stated : 1;
    roof_run *run = NULL;
    if (!r->n_events)
        return error_data(err, "no count of an event, want lines such as \"0.74 msec task-clock\"");
    TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    /* The event duration_time is the elapsed time, where nothing else tells it. */
    for (uint32_t i = 0; i < r->n_events && isnan(r->elapsed_s); i++)
        if (strcmp(r->events[i].name, "duration_time") == 0 && second_of(&r->events[i]) > 0)
            r->elapsed_s = r->events[i].sum * second_of(&r->events[i]);
    FOR_EACH(const counted, event, r->events, r->n_events) {
        bool is_count = !*event->unit, is_time = second_of(event) > 0;
        if (isnan(event->sum))
            import_note(r->in, "%s was not counted, and is unknown", event->name);
        else if (event->least_percent < 99.5)
            import_note(r->in, "%s was counted %s %% of the time, and perf scaled it up", event->name,
                        NUMBER(event->least_percent));
        if (!isnan(event->sum) && (is_count || is_time))
            TRY((is_count ? add_event : add_time)(r, run, event, n, err));
        else if (!isnan(event->sum) && !is_energy(event))
            import_note(r->in, "%s %s of %s left aside: nothing is made of this unit", NUMBER(event->sum),
                        event->unit, event->name);
    }
    add_energy(r, run, n);
    if (!isnan(r->elapsed_s))
        run->total.mean_s = r->elapsed_s / n;
    if (stated)
        run->iterations = stated;
    else
        import_note(
            r->in, "all is of the command, which counts as one inference: --inferences says how many it ran");
    return ROOF_OK;
}

const importer_def importer_perf_stat = {
    .id = "perf_stat",
    .tool = "perf",
    .next = "count with -e cycles,instructions,cache-references,cache-misses; `perf record` says which "
            "functions take them",
    .marks = {SURE("\"counter-value\"", "\"event\"", "\"unit\""), SURE("Performance counter stats for"),
              SURE("counts unit events"), SURE("# started on ", "100.00"), SURE(",Joules,power/energy-"),
              SURE(";Joules;power/energy-"), SURE(",msec,task-clock,"), SURE(";msec;task-clock;")},
    WHOLE_ONLY("perf stat counts a whole command"),
    READING(reading, .elapsed_s = NAN),
    .line = read_line,
    .finish = finish};
