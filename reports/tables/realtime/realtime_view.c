#include "reports/renderers/document.h"
#include "reports/timeline/trace_layers.h"
#include "reports/words/say.h"

/* --- what becomes of a network ------------------------------------------------------------------------ */

/* "30/s", "29.97/s" */
static const char *say_rate(roof_arena *arena, double rate_hz)
{
    return say_printf(arena, "%.4g/s", rate_hz);
}

/* The same rounded down, of a rate that may not be exceeded. */
static const char *say_highest_rate(roof_arena *arena, double rate_hz)
{
    const double step_hz = pow(10, floor(log10(rate_hz)) - 3);
    return say_rate(arena, floor(rate_hz / step_hz * (1 + 1e-12)) * step_hz);
}

/* "resnet50 at 30/s may answer within 28.1 ms, or 24 ms to 36.1 ms (33.3 ms allowed)", "... a bound ..." */
static const char *say_open(const roof_realtime_row *row, roof_arena *arena)
{
    const char *answers = say_seconds(arena, row->response_s);
    if (isnan(row->response_s))
        return say_printf(arena, "%s at %s may be overloaded", row->name, say_rate(arena, row->rate_hz));
    if (isnan(row->response_low_s))
        answers = say_printf(arena, "about %s", answers);
    else if (roof_answer_is_bound(row->service.kind))
        answers = say_printf(arena, "a bound of %s", answers);
    else if (isinf(row->response_high_s))
        answers = say_printf(arena, "%s, %s at least", answers, say_seconds(arena, row->response_low_s));
    else if (row->response_high_s > row->response_low_s)
        answers = say_printf(arena, "%s, or %s to %s", answers, say_seconds(arena, row->response_low_s),
                             say_seconds(arena, row->response_high_s));
    return say_printf(arena, "%s at %s may answer within %s (%s allowed)", row->name,
                      say_rate(arena, row->rate_hz), answers, say_seconds(arena, row->deadline_s));
}

/* "resnet50 at 30/s answers within 40 ms, 6.67 ms late (it waits 20 ms for mobilenet)" */
static const char *say_missed(const roof_realtime *s, const roof_realtime_row *row, roof_arena *arena)
{
    if (isnan(row->response_s)) {
        const char *who = s->core_utilisation_ratios ? say_printf(arena, "core %u has", row->core)
                          : s->cores == 1            ? "the core has"
                                                     : "the cores have";
        return say_printf(arena, "%s at %s is overloaded: %s %.3g times the work that can be done", row->name,
                          say_rate(arena, row->rate_hz), who,
                          s->core_utilisation_ratios ? s->core_utilisation_ratios[row->core]
                                                     : s->utilisation_ratio);
    }
    const uint32_t by = row->n_delays ? row->delays[0].task : ROOF_NONE;
    return SAY_TEXT(
        arena, "{} at {} has a response time of {} at worst, {} late[? (it waits {} for {})]",
        AS_TEXT(row->name), AS_TEXT(say_rate(arena, row->rate_hz)), AS_SECONDS(row->response_s),
        AS_SECONDS(-row->slack_s), AS_SECONDS(row->n_delays ? row->delays[0].seconds : NAN),
        AS_TEXT(by < s->n_rows && &s->rows[by] != row ? s->rows[by].name : "its own earlier ones"));
}

/* --- the verdict -------------------------------------------------------------------------------------- */

/* The networks of which a deadline is kept, broken or not known, the tightest first. */
static const char *list_networks(const roof_realtime *s, roof_held met, roof_arena *arena)
{
    enum { MOST = 3 };
    typedef struct told {
        double left_ratio; /* of the deadline */
        const roof_realtime_row *row;
    } told;
    told all[ROOF_REALTIME_MOST_TASKS];
    const char *list = "";
    uint32_t n = 0;
    FOR_EACH(const roof_realtime_row, row, s->rows, s->n_rows)
        if (row->met == met)
            all[n++] = (told){isnan(row->slack_s) ? -INFINITY : row->slack_s / row->deadline_s, row};
    order_sort(all, n, sizeof *all, ORDER_BY(RISING(told, left_ratio)));
    for (uint32_t i = 0; i < n && i < MOST; i++) {
        const roof_realtime_row *row = all[i].row;
        const char *text = met == ROOF_HELD_BROKEN ? say_missed(s, row, arena) : say_open(row, arena);
        if (met == ROOF_HELD_KEPT) /* with every service at its upper end */
            text = say_printf(arena, "%s at %s: response time %s (deadline %s)", row->name,
                              say_rate(arena, row->rate_hz),
                              say_seconds(arena, row->response_high_s > row->response_s ? row->response_high_s
                                                                                        : row->response_s),
                              say_seconds(arena, row->deadline_s));
        list = say_printf(arena, "%s%s%s", list, i ? "; " : "", text);
    }
    return n > MOST ? say_printf(arena, "%s; %u other%s", list, n - MOST, say_plural(n - MOST)) : list;
}

/* Networks of each core, in the order of cores: "a and c on core 0, b on core 1". */
static const char *say_cores_of(const roof_realtime *s, const uint32_t *realtime_core_of, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t core = 0; core < s->cores; core++) {
        const char *names = "";
        for (uint32_t i = 0; i < s->n_rows; i++)
            if (realtime_core_of[i] == core)
                names = say_printf(arena, "%s%s%s", names, *names ? " and " : "", s->rows[i].name);
        if (*names)
            list = say_more(arena, list, "%s on core %u", names, core);
    }
    return list;
}

static const char *say_this_change(const roof_realtime *s, const roof_realtime_change *c, roof_arena *arena)
{
    switch (c->kind) {
    case ROOF_REALTIME_CHANGE_CORES_OF_NETWORKS:
        return say_cores_of(s, c->core_of, arena);
    case ROOF_REALTIME_CHANGE_POLICY:
        return say_printf(arena, "the policy %s", roof_realtime_policy_word(c->policy));
    case ROOF_REALTIME_CHANGE_CLOCK:
        return SAY_TEXT(arena, "a clock {6} times as high[?, {} instead of {}], if services go with 1/clock",
                        AS("", c->factor), AS("Hz", s->clock_hz > 0 ? s->clock_hz * c->factor : NAN),
                        AS("Hz", s->clock_hz));
    case ROOF_REALTIME_CHANGE_RATE_OF_ONE:
        return say_printf(arena, "%s at %s", s->rows[c->task].name,
                          say_highest_rate(arena, c->factor * s->rows[c->task].rate_hz));
    case ROOF_REALTIME_CHANGE_RATES:
        return say_printf(arena, "all rates %.6g times as high", c->factor);
    case ROOF_REALTIME_CHANGE_CORES:
        return say_printf(
            arena, "%u cores%s", c->cores,
            c->is_beyond_board ? say_printf(arena, ", of which the hardware has %u", s->board_cores) : "");
    default:
        return "";
    }
}

/* True of the service of some network. why: that it is an estimate, the first. */
typedef struct service_facts {
    const char *why;
    bool is_bound, has_range, is_part;
} service_facts;

static service_facts facts_of_services(const roof_realtime *s)
{
    service_facts facts = {0};
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const roof_answer *service = &s->rows[i].service;
        facts.why = facts.why ? facts.why : service->why;
        facts.is_bound = facts.is_bound || roof_answer_is_bound(service->kind);
        facts.has_range = facts.has_range || !isnan(service->low);
        facts.is_part = facts.is_part || service->covers.left_out;
    }
    return facts;
}

static const char *say_change(const roof_realtime *s, roof_arena *arena)
{
    /* of services that are the least, a core has more to do, and rates have less room */
    const service_facts facts = facts_of_services(s);
    const bool is_known = !facts.is_bound && !facts.why, is_exact = !facts.has_range && !facts.is_part;
    const char *by = is_known && !is_exact ? ", at the expected service times" : "";
    if (s->headroom_ratio >= 1) {
        const char *high = say_printf(arena, is_known ? "%.6g" : "%.3g", s->headroom_ratio);
        const char *used = is_known ? "" : facts.why ? "about " : "at least ";
        const char *could = is_known && !facts.is_part ? "" : facts.why ? "about " : "at most ";
        return say_printf(arena, "%s used for %s%.3g %%; all rates could be %s%s times as high%s.",
                          s->cores == 1 ? "The core is" : "The cores are", used, 100 * s->utilisation_ratio,
                          could, high, by);
    }
    if (!s->n_changes)
        return is_known ? "No single change of cores, clock, rates or policy meets all deadlines."
                        : "No change of one thing may fit: neither cores nor clock, rates or policy.";
    return say_printf(arena, "The smallest change that %s: %s%s.", is_known && is_exact ? "fits" : "may fit",
                      say_this_change(s, &s->changes[0], arena), by);
}

static const char *realtime_sentence_of(const void *document, uint32_t i, roof_arena *arena)
{
    const roof_realtime *s = document;
    const service_facts facts = facts_of_services(s);
    if (i == 1)
        return say_change(s, arena);
    if (i == 2 && facts.why)
        return say_printf(arena, "Service times are estimates of %s: they keep and break no deadline.",
                          facts.why);
    if (i)
        return i > 2            ? NULL
               : facts.is_bound ? "No expected times: service times are bounds, so real responses are longer."
               : facts.is_part  ? "Service times are without CPU time: real responses are longer."
                                : NULL;
    const char *where =
        s->hardware ? say_printf(arena, " on %.*s", (int)strcspn(s->hardware, ","), s->hardware) : "";
    const roof_held of = s->n_missed      ? ROOF_HELD_BROKEN
                         : s->n_not_known ? ROOF_HELD_NOT_KNOWN
                                          : ROOF_HELD_KEPT;
    const char *verdict = of == ROOF_HELD_BROKEN ? "FAIL" : of == ROOF_HELD_NOT_KNOWN ? "UNKNOWN" : "PASS";
    const uint32_t n = s->n_missed ? s->n_missed : s->n_not_known ? s->n_not_known : s->n_rows;
    const char *how_many = s->n_rows > 1 ? say_printf(arena, ", %u of %u networks", n, s->n_rows) : "";
    return say_printf(arena, "%s%s%s: %s.", verdict, where, how_many, list_networks(s, of, arena));
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* "mobilenet 20 ms, vgg 3 ms" */
static grid_cell realtime_list_delays(const grid_row *of)
{
    enum { MOST = 3 };
    const roof_realtime *s = of->of;
    const roof_realtime_row *row = of->is;
    const char *list = "";
    for (uint32_t i = 0; i < row->n_delays && i < MOST; i++)
        list = say_more(of->arena, list, "%s %s", s->rows[row->delays[i].task].name,
                        say_seconds(of->arena, row->delays[i].seconds));
    return cell_text(row->n_delays > MOST ? say_more(of->arena, list, "%u more", row->n_delays - MOST)
                                          : list);
}

static grid_cell realtime_core_of(const grid_row *of)
{
    const roof_realtime_row *row = of->is;
    const uint32_t core = row->core;
    if (row->device && !of->is_document)
        return cell_text(say_printf(of->arena, "%s %u", row->device, core));
    return core == ROOF_NONE ? cell_text(of->is_document ? "" : "any") : cell_count(core);
}

/* People see a word in the place of what has no bound. */
GRID_CELL(realtime_response_of, roof_realtime_row, r,
          isnan(r->response_s) && !row->is_document ? cell_worded("no bound", INFINITY, 0)
                                                    : cell_value(r->response_s))

/* Rounded down for people, since more is too much. */
GRID_CELL(realtime_highest_of, roof_realtime_row, r,
          cell_value(row->is_document ? r->highest_rate_hz : floor(r->highest_rate_hz * 100) / 100))

static grid_cell realtime_slack_of(const grid_row *of)
{
    const roof_realtime_row *row = of->is;
    if (isnan(row->slack_s) && !of->is_document)
        return cell_none;
    grid_cell cell = cell_value(row->slack_s);
    cell.colour = row->met == ROOF_HELD_KEPT     ? CELL_PLAIN
                  : row->met == ROOF_HELD_BROKEN ? CELL_RED
                                                 : CELL_YELLOW;
    return cell;
}

GRID_CELL(realtime_is_met, roof_realtime_row, r,
          r->met == ROOF_HELD_NOT_KNOWN ? cell_empty : cell_count(r->met == ROOF_HELD_KEPT))
GRID_CELL(realtime_is_lower_bound, roof_realtime_row, is, cell_count(roof_answer_is_bound(is->service.kind)))
GRID_CELL(realtime_delayed_most_by, roof_realtime_row, r,
          cell_text(r->n_delays ? ((const roof_realtime *)row->of)->rows[r->delays[0].task].name : ""))
GRID_CELL(realtime_longest_delay, roof_realtime_row, r,
          r->n_delays ? cell_value(r->delays[0].seconds) : cell_empty)
GRID_CELL(realtime_delaying_name, roof_realtime_delay, is,
          cell_text(((const roof_realtime *)row->of)->rows[is->task].name))

static const grid_column delay_members[] = {
    GRID_AS("network", roof_realtime_delay, task, SMALL, .title = NULL),
    GRID_BY("name", realtime_delaying_name, .title = NULL),
    GRID_AS("delay_s", roof_realtime_delay, seconds, VALUE, .title = NULL),
};

#define OF(member, from, ...) GRID_OF(roof_realtime_row, member, from, __VA_ARGS__)
#define MILLISECONDS(title_, ...)                                                                            \
    .title = (title_), .unit = "[ms]", .kind = COLUMN_NUMBER, .times = 1e3, .digits = 2, __VA_ARGS__

static const grid_column columns[] = {
    OF(name, TEXT, .title = "network", .kind = COLUMN_NAME),
    OF(rate_hz, VALUE, .title = "rate", .unit = "[/s]", .kind = COLUMN_NUMBER, .digits = 2),
    GRID_AS("service_s", roof_realtime_row, service.value, VALUE, MILLISECONDS("service", .rank = 2)),
    GRID_BY("is_lower_bound", realtime_is_lower_bound, .kind = COLUMN_FLAG),
    GRID_ANSWER("service", "s", roof_realtime_row, service),
    OF(device, TEXT, .title = NULL),
    GRID_BY("core", realtime_core_of, .title = "core", .kind = COLUMN_NUMBER, .rank = 3),
    OF(utilisation_ratio, VALUE, .title = "use", .unit = "[%]", .kind = COLUMN_NUMBER, .rank = 1,
       .times = 100, .digits = 1),
    GRID_BY("response_s", realtime_response_of, MILLISECONDS("response", .rank = 0)),
    OF(deadline_s, VALUE, MILLISECONDS("deadline", .rank = 0)),
    GRID_BY("slack_s", realtime_slack_of, MILLISECONDS("slack", .format = FORMAT_SIGNED)),
    OF(response_low_s, VALUE, .title = NULL),
    OF(response_high_s, VALUE, .title = NULL),
    GRID_BY("is_met", realtime_is_met, .kind = COLUMN_FLAG),
    GRID_BY("highest_rate_hz", realtime_highest_of, .title = "highest", .unit = "[/s]", .kind = COLUMN_NUMBER,
            .rank = 4, .digits = 2),
    {.csv = "delayed_most_by", .from = FROM_CALL, .cell = realtime_delayed_most_by},
    {.csv = "delay_s", .from = FROM_CALL, .cell = realtime_longest_delay},
    GRID_ITEMS("delays", roof_realtime_row, delays, n_delays, delay_members, true),
    GRID_SAID("waits for", realtime_list_delays, .kind = COLUMN_NOTE, .rank = 5),
};
#undef OF

static void realtime_add_rows(cell_grid *grid, const void *document)
{
    const roof_realtime *s = document;
    for (uint32_t i = 0; i < s->n_rows; i++)
        grid_add_row(grid, &s->rows[i], s);
}

/* --- lines below it ----------------------------------------------------------------------------------- */

/* Devices that hand on what they make: the sum of their responses, and the core that has most to do. */
static void add_chain(const roof_realtime *s, remarks *lines)
{
    double response_s = 0, busy_s[ROOF_REALTIME_MOST_CORES] = {0};
    const roof_realtime_row *most = s->rows;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        response_s += s->rows[i].response_s;
        busy_s[s->rows[i].core] += s->rows[i].service.value;
        most = busy_s[s->rows[i].core] > busy_s[most->core] ? &s->rows[i] : most;
    }
    if (isnan(response_s))
        remarks_add(lines, "as a chain", "an answer has no bound, since that of a network has none");
    else
        remarks_add(lines, "as a chain",
                    "where each network takes what the one before it makes, an answer is there within %s; at "
                    "most %s, set by core %u of %s",
                    say_seconds(lines->arena, response_s),
                    say_highest_rate(lines->arena, 1 / busy_s[most->core]), most->core, most->device);
}

static void realtime_add_remarks(const void *document, remarks *lines)
{
    const roof_realtime *s = document;
    static const char *const rules[ROOF_REALTIME_POLICIES] = {
        [ROOF_REALTIME_FIXED] = "each network belongs to a core, which serves in the order of requests: the "
                                "response is the sum of the services of a core, and is reached",
        [ROOF_REALTIME_FIFO] = "whichever core is free takes the oldest: the response is a bound"};
    remarks_add(lines, "policy", "%s: %s", roof_realtime_policy_word(s->policy), rules[s->policy]);
    const char *list = "";
    for (uint32_t core = 0; s->core_utilisation_ratios && core < s->cores; core++)
        list = say_more(lines->arena, list, "core %u %.1f %%", core, 100 * s->core_utilisation_ratios[core]);
    ADD_SAID(lines, "cores", "[?{}; ]{.1%} % of all {}[?, of which the hardware has {}]",
             AS_TEXT(*list ? list : NULL), AS_RATIO(s->utilisation_ratio), AS_COUNT(s->cores),
             AS_COUNT(s->board_cores < s->cores ? s->board_cores : 0));
    const service_facts facts = facts_of_services(s);
    if (s->rows->device)
        add_chain(s, lines);
    const char *kind = facts.why ? "an estimate of" : facts.is_bound ? "the bound of" : "what is expected of";
    remarks_add(lines, "service", "%s an inference with %s busy%s; the accelerator only", kind,
                s->rows->device
                    ? "all cores of its device that have work"
                    : say_printf(lines->arena, "%u core%s", s->busy_cores, say_plural(s->busy_cores)),
                facts.is_bound || facts.why ? "" : ", not the longest that may be");
    for (uint32_t i = 0; i < s->n_changes; i++)
        remarks_add(lines, i ? " or" : "may fit with", "%s",
                    say_this_change(s, &s->changes[i], lines->arena));
}

/* --- the document ------------------------------------------------------------------------------------- */

GRID_CELL(realtime_policy_of, roof_realtime, is, cell_text(roof_realtime_policy_word(is->policy)))

static const grid_column utilisation_of_core[] = {{.from = FROM_VALUE}};
#define OF(member, from) GRID_OF(roof_realtime, member, from, .title = NULL)
static const grid_column members[] = {
    OF(hardware, TEXT),
    GRID_BY("policy", realtime_policy_of, .title = NULL),
    OF(cores, SMALL),
    OF(board_cores, SIZE),
    OF(busy_cores, SMALL),
    OF(utilisation_ratio, VALUE),
    GRID_ITEMS("core_utilisation_ratios", roof_realtime, core_utilisation_ratios, cores, utilisation_of_core,
               true),
    GRID_AS("missed", roof_realtime, n_missed, SMALL, .title = NULL),
    GRID_AS("not_known", roof_realtime, n_not_known, SMALL, .title = NULL),
    OF(headroom_ratio, VALUE),
};
#undef OF

GRID_CELL(realtime_kind_of_change, roof_realtime_change, is, cell_text(roof_realtime_kind_word(is->kind)))

GRID_CELL(realtime_change_says, roof_realtime_change, is, cell_text(say_this_change(row->of, is, row->arena)))
GRID_CELL(realtime_policy_of_change, roof_realtime_change, is,
          cell_text(roof_realtime_policy_word(is->policy)))

static void realtime_put_core_of(jsonout *json, const char *key, const grid_row *of)
{
    const uint32_t *core_of_task = ((const roof_realtime_change *)of->is)->core_of;
    if (!core_of_task) {
        jsonout_null(json, key);
        return;
    }
    jsonout_array(json, key, true);
    for (uint32_t i = 0; i < ((const roof_realtime *)of->of)->n_rows; i++)
        jsonout_count(json, NULL, core_of_task[i]);
    jsonout_end(json);
}

#define OF(member, from) GRID_OF(roof_realtime_change, member, from, .title = NULL)
static const grid_column change_members[] = {
    GRID_BY("kind", realtime_kind_of_change, .title = NULL),
    GRID_BY("says", realtime_change_says, .title = NULL),
    OF(size_ratio, VALUE),
    OF(factor, VALUE),
    GRID_AS("network", roof_realtime_change, task, SMALL, .title = NULL),
    OF(cores, SMALL),
    OF(is_beyond_board, FLAG),
    GRID_BY("policy", realtime_policy_of_change, .title = NULL),
    GRID_NESTED("core_of", realtime_put_core_of),
};
#undef OF

static const grid_column more[] = {
    GRID_ITEMS("changes", roof_realtime, changes, n_changes, change_members, false)};

const document_view realtime_view = {.schema = ROOF_REALTIME_SCHEMA,
                                     DOCUMENT_MEMBERS(members),
                                     DOCUMENT_ROWS("networks", columns),
                                     DOCUMENT_MORE(more),
                                     .add_rows = realtime_add_rows,
                                     .what = "network",
                                     .largest = "response",
                                     .largest_csv = "response_s",
                                     .sentence = realtime_sentence_of,
                                     .remarks = realtime_add_remarks};

void realtime_trace(const rendering *r)
{
    traceout trace;
    const char *line;
    traceout_begin(&trace, r->out);
    traceout_put_realtime(&trace, r->realtime);
    traceout_verdict(&trace);
    for (uint32_t i = 0; (line = realtime_sentence_of(r->realtime, i, r->arena)); i++)
        jsonout_string(&trace.json, NULL, line);
    traceout_end(&trace);
}
