#include "reports/tables/periodic/periodic_view.h"
#include "reports/words/say.h"

#include <inttypes.h>
#include <math.h>

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

/* "resnet50 at 30/s answers within 28.1 ms, or 24 to 36.1 ms (33.3 ms allowed)", "... within 3.5 ms at best
 * ..." */
static const char *say_open(const roof_periodic_row *row, roof_arena *arena)
{
    const char *answers = say_quantity(arena, row->response_s, "s");
    if (roof_answer_is_bound(row->service.kind))
        answers = say_printf(arena, "%s at best", answers);
    else if (isinf(row->response_high_s))
        answers =
            say_printf(arena, "%s, %s at least", answers, say_quantity(arena, row->response_low_s, "s"));
    else if (row->response_high_s > row->response_low_s)
        answers = say_printf(arena, "%s, or %s to %s", answers, say_quantity(arena, row->response_low_s, "s"),
                             say_quantity(arena, row->response_high_s, "s"));
    return say_printf(arena, "%s at %s may answer within %s (%s allowed)", row->name,
                      say_rate(arena, row->rate_hz), answers, say_quantity(arena, row->deadline_s, "s"));
}

/* "resnet50 at 30/s answers within 28.1 ms (33.3 ms allowed)" */
static const char *say_met(const roof_periodic_row *row, roof_arena *arena)
{
    return say_printf(arena, "%s at %s answers within %s (%s allowed)", row->name,
                      say_rate(arena, row->rate_hz), say_quantity(arena, row->response_s, "s"),
                      say_quantity(arena, row->deadline_s, "s"));
}

/* How many times the work that they can do the cores of a network have. */
static double load_of(const roof_periodic *s, const roof_periodic_row *row)
{
    return s->core_utilisation_ratios ? s->core_utilisation_ratios[row->core] : s->utilisation_ratio;
}

static const char *say_unbounded(const roof_periodic *s, const roof_periodic_row *row, roof_arena *arena)
{
    const char *who = s->core_utilisation_ratios ? say_printf(arena, "core %" PRIu32 " has", row->core)
                      : s->cores == 1            ? "the core has"
                                                 : "the cores have";
    return say_printf(arena, "%s at %s waits ever longer, since %s %.3g times the work that can be done",
                      row->name, say_rate(arena, row->rate_hz), who, load_of(s, row));
}

/* "resnet50 at 30/s answers within 40 ms, 6.67 ms late (it waits 20 ms for mobilenet)" */
static const char *say_missed(const roof_periodic *s, const roof_periodic_row *row, roof_arena *arena)
{
    if (isnan(row->response_s))
        return say_unbounded(s, row, arena);
    const char *wait = "";
    if (row->n_delays)
        wait = say_printf(arena, " (it waits %s for %s)", say_quantity(arena, row->delays[0].seconds, "s"),
                          row->delays[0].task < s->n_rows && &s->rows[row->delays[0].task] != row
                              ? s->rows[row->delays[0].task].name
                              : "its own earlier ones");
    return say_printf(arena, "%s at %s answers within %s at worst, %s late%s", row->name,
                      say_rate(arena, row->rate_hz), say_quantity(arena, row->response_s, "s"),
                      say_quantity(arena, -row->slack_s, "s"), wait);
}

/* --- the verdict -------------------------------------------------------------------------------------- */

/* The part of the deadline that is left: the least comes first. */
static double tightness(const roof_periodic_row *row)
{
    return isnan(row->slack_s) ? -INFINITY : row->slack_s / row->deadline_s;
}

/* The networks of which a deadline is kept, broken or not known, the tightest first. */
static const char *list_networks(const roof_periodic *s, roof_held met, roof_arena *arena)
{
    enum { MOST = 3 };
    bool is_told[ROOF_PERIODIC_MOST_TASKS] = {false};
    const char *list = "";
    uint32_t n = 0, n_told = 0;
    for (uint32_t i = 0; i < s->n_rows; i++)
        n += s->rows[i].met == met;
    for (; n_told < MOST && n_told < n; n_told++) {
        uint32_t next = ROOF_NONE;
        for (uint32_t i = 0; i < s->n_rows; i++)
            if (!is_told[i] && s->rows[i].met == met &&
                (next == ROOF_NONE || tightness(&s->rows[i]) < tightness(&s->rows[next])))
                next = i;
        is_told[next] = true;
        list = say_printf(arena, "%s%s%s", list, n_told ? "; " : "",
                          met == ROOF_HELD_KEPT     ? say_met(&s->rows[next], arena)
                          : met == ROOF_HELD_BROKEN ? say_missed(s, &s->rows[next], arena)
                                                    : say_open(&s->rows[next], arena));
    }
    return n > n_told ? say_printf(arena, "%s; %" PRIu32 " other%s", list, n - n_told, say_plural(n - n_told))
                      : list;
}

static const char *say_verdict(const roof_periodic *s, roof_arena *arena)
{
    const char *where = s->hardware ? say_printf(arena, " on %s", s->hardware) : "";
    if (!s->n_missed && s->n_not_known)
        return s->n_rows == 1
                   ? say_printf(arena, "Whether the network meets its deadline%s is not known: %s.", where,
                                list_networks(s, ROOF_HELD_NOT_KNOWN, arena))
                   : say_printf(arena,
                                "Whether %" PRIu32 " of %" PRIu32
                                " networks meet their deadlines%s is not known: %s.",
                                s->n_not_known, s->n_rows, where,
                                list_networks(s, ROOF_HELD_NOT_KNOWN, arena));
    if (!s->n_missed)
        return s->n_rows == 1 ? say_printf(arena, "The network meets its deadline%s: %s.", where,
                                           list_networks(s, ROOF_HELD_KEPT, arena))
                              : say_printf(arena, "All %" PRIu32 " networks meet their deadlines%s: %s.",
                                           s->n_rows, where, list_networks(s, ROOF_HELD_KEPT, arena));
    return say_printf(arena, "%" PRIu32 " of %" PRIu32 " network%s %s deadline%s: %s.", s->n_missed,
                      s->n_rows, say_plural(s->n_rows), s->n_missed == 1 ? "misses its" : "miss their", where,
                      list_networks(s, ROOF_HELD_BROKEN, arena));
}

/* Which network is where, in the order of cores: "a and c on core 0, b on core 1". */
static const char *say_cores_of(const roof_periodic *s, const uint32_t *core_of, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t core = 0; core < s->cores; core++) {
        const char *names = "";
        for (uint32_t i = 0; i < s->n_rows; i++)
            if (core_of[i] == core)
                names = say_printf(arena, "%s%s%s", names, *names ? " and " : "", s->rows[i].name);
        if (*names)
            list = say_more(arena, list, "%s on core %" PRIu32, names, core);
    }
    return list;
}

static const char *say_clock(const roof_periodic *s, double factor, roof_arena *arena)
{
    const char *hertz = "";
    if (s->clock_hz > 0)
        hertz = say_printf(arena, ", %s instead of %s", say_quantity(arena, s->clock_hz * factor, "Hz"),
                           say_quantity(arena, s->clock_hz, "Hz"));
    return say_printf(arena, "a clock %.6g times as high%s, if services go with 1/clock", factor, hertz);
}

const char *periodic_change(const roof_periodic *s, const roof_periodic_change *c, roof_arena *arena)
{
    switch (c->kind) {
    case ROOF_PERIODIC_CHANGE_CORES_OF_NETWORKS:
        return say_printf(arena, "%s", say_cores_of(s, c->core_of, arena));
    case ROOF_PERIODIC_CHANGE_POLICY:
        return say_printf(arena, "the policy %s", roof_periodic_policy_word(c->policy));
    case ROOF_PERIODIC_CHANGE_CLOCK:
        return say_clock(s, c->factor, arena);
    case ROOF_PERIODIC_CHANGE_RATE_OF_ONE:
        return say_printf(arena, "%s at %s", s->rows[c->task].name,
                          say_highest_rate(arena, c->factor * s->rows[c->task].rate_hz));
    case ROOF_PERIODIC_CHANGE_RATES:
        return say_printf(arena, "all rates %.6g times as high", c->factor);
    case ROOF_PERIODIC_CHANGE_CORES:
        return say_printf(arena, "%" PRIu32 " cores%s", c->cores,
                          c->is_beyond_board
                              ? say_printf(arena, ", of which the hardware has %" PRIu32, s->board_cores)
                              : "");
    default:
        return "";
    }
}

static const char *say_change(const roof_periodic *s, roof_arena *arena)
{
    if (s->headroom_ratio >= 1) {
        /* of services that are the least, a core has more to do, and rates have less room */
        bool is_known = true;
        for (uint32_t i = 0; i < s->n_rows; i++)
            is_known = is_known && !roof_answer_is_bound(s->rows[i].service.kind);
        const char *high = say_printf(arena, is_known ? "%.6g" : "%.3g", s->headroom_ratio);
        return say_printf(arena, "%s used for %s%.3g %%; all rates could be %s%s times as high.",
                          s->cores == 1 ? "The core is" : "The cores are", is_known ? "" : "at least ",
                          100 * s->utilisation_ratio, is_known ? "" : "at most ", high);
    }
    if (!s->n_changes)
        return "No change of one thing fits: neither cores nor clock, rates or policy.";
    return say_printf(arena, "The smallest change that fits: %s.", periodic_change(s, &s->changes[0], arena));
}

static const char *say_basis(const roof_periodic *s)
{
    for (uint32_t i = 0; i < s->n_rows; i++)
        if (roof_answer_is_bound(s->rows[i].service.kind))
            return "No expected times are known here: service times are those at best, a lower bound, and "
                   "real responses are longer.";
    for (uint32_t i = 0; i < s->n_rows; i++)
        if (isinf(s->rows[i].response_high_s))
            return "What the host does of an inference is in no service time, and real responses are longer.";
    return NULL;
}

const char *periodic_sentence(const roof_periodic *s, uint32_t i, roof_arena *arena)
{
    return i == 0 ? say_verdict(s, arena) : i == 1 ? say_change(s, arena) : i == 2 ? say_basis(s) : NULL;
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* Documents have the first ones, in this order; the last one is for people alone. */
enum {
    NETWORK,
    RATE,
    SERVICE,
    CORE,
    USE,
    RESPONSE,
    DEADLINE,
    SLACK,
    MET,
    HIGHEST,
    DELAYED_BY,
    DELAY,
    BOUND,
    LOW,
    HIGH,
    WAITS,
    COLUMNS
};
#define MILLISECONDS(title_, rank_, csv_, ...)                                                               \
    {                                                                                                        \
        title_, "[ms]", csv_, .kind = COLUMN_NUMBER, .rank = (rank_), .times = 1e3, .digits = 2, __VA_ARGS__ \
    }

static const grid_column columns[COLUMNS] = {
    [NETWORK] = {"network", .csv = "network", .kind = COLUMN_NAME},
    [RATE] = {"rate", "[/s]", "rate_hz", .kind = COLUMN_NUMBER, .digits = 2},
    [SERVICE] = MILLISECONDS("service", 2, "service_s", .format = FORMAT_FIXED),
    [CORE] = {"core", NULL, "core", .kind = COLUMN_NUMBER, .rank = 3},
    [USE] = {"use", "[%]", "utilisation_ratio", .kind = COLUMN_NUMBER, .rank = 1, .times = 100, .digits = 1},
    [RESPONSE] = MILLISECONDS("response", 0, "response_s", .format = FORMAT_FIXED),
    [DEADLINE] = MILLISECONDS("deadline", 0, "deadline_s", .format = FORMAT_FIXED),
    [SLACK] = MILLISECONDS("slack", 0, "slack_s", .format = FORMAT_SIGNED),
    [MET] = GRID_CSV("is_met"),
    [HIGHEST] = {"at most", "[/s]", "highest_rate_hz", .kind = COLUMN_NUMBER, .rank = 4, .digits = 2},
    [DELAYED_BY] = GRID_CSV("delayed_most_by"),
    [DELAY] = GRID_CSV("delay_s"),
    [BOUND] = GRID_CSV("is_lower_bound"),
    [LOW] = GRID_CSV("response_low_s"),
    [HIGH] = GRID_CSV("response_high_s"),
    [WAITS] = {"waits for", .kind = COLUMN_NOTE, .rank = 5},
};
#undef MILLISECONDS

/* "mobilenet 20 ms, vgg 3 ms" */
static const char *list_delays(const roof_periodic *s, const roof_periodic_row *row, roof_arena *arena)
{
    enum { MOST = 3 };
    const char *list = "";
    for (uint32_t i = 0; i < row->n_delays && i < MOST; i++)
        list = say_more(arena, list, "%s %s", s->rows[row->delays[i].task].name,
                        say_quantity(arena, row->delays[i].seconds, "s"));
    return row->n_delays > MOST ? say_more(arena, list, "%" PRIu32 " more", row->n_delays - MOST) : list;
}

/* People see a word in the place of what has no bound. */
static grid_cell response_cell(const roof_periodic_row *row, bool is_csv)
{
    return isnan(row->response_s) && !is_csv ? cell_worded("no bound", INFINITY, 0)
                                             : cell_value(row->response_s);
}

/* Rounded down, since more is too much. */
static grid_cell highest_cell(const roof_periodic_row *row, bool is_csv)
{
    return cell_value(is_csv ? row->highest_rate_hz : floor(row->highest_rate_hz * 100) / 100);
}

static grid_cell slack_cell(const roof_periodic_row *row, bool is_csv)
{
    if (isnan(row->slack_s) && !is_csv)
        return cell_none;
    grid_cell cell = cell_value(row->slack_s);
    cell.colour = row->met == ROOF_HELD_KEPT     ? CELL_PLAIN
                  : row->met == ROOF_HELD_BROKEN ? CELL_RED
                                                 : CELL_YELLOW;
    return cell;
}

void periodic_add_rows(const roof_periodic *s, cell_grid *grid)
{
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const roof_periodic_row *row = &s->rows[i];
        const bool has_delay = row->n_delays > 0;
        const grid_cell cells[COLUMNS] = {
            [NETWORK] = cell_text(row->name),
            [RATE] = cell_value(row->rate_hz),
            [SERVICE] = cell_value(row->service.value),
            [CORE] = row->core == ROOF_NONE ? cell_text(grid->csv ? "" : "any") : cell_count(row->core),
            [USE] = cell_value(row->utilisation_ratio),
            [RESPONSE] = response_cell(row, grid->csv),
            [DEADLINE] = cell_value(row->deadline_s),
            [SLACK] = slack_cell(row, grid->csv),
            [MET] = row->met == ROOF_HELD_NOT_KNOWN ? cell_empty : cell_count(row->met == ROOF_HELD_KEPT),
            [HIGHEST] = highest_cell(row, grid->csv),
            [DELAYED_BY] = cell_text(has_delay ? s->rows[row->delays[0].task].name : ""),
            [DELAY] = has_delay ? cell_value(row->delays[0].seconds) : cell_empty,
            [BOUND] = cell_count(roof_answer_is_bound(row->service.kind)),
            [LOW] = cell_value(isinf(row->response_low_s) ? (double)NAN : row->response_low_s),
            [HIGH] = cell_value(isinf(row->response_high_s) ? (double)NAN : row->response_high_s),
            [WAITS] = cell_text(grid->csv ? "" : list_delays(s, row, grid->arena))};
        grid_add(grid, cells, grid->csv ? WAITS : COLUMNS);
    }
}

void periodic_table(const roof_periodic *s, cell_grid *grid, roof_arena *arena)
{
    grid_begin(grid, arena, columns, COLUMNS);
    grid->what = "network";
    grid->largest = "response";
    periodic_add_rows(s, grid);
}

void periodic_begin_csv(cell_grid *grid, roof_arena *arena, textbuf *out)
{
    grid_begin_csv(grid, arena, columns, WAITS, out);
}

/* --- lines below it ----------------------------------------------------------------------------------- */

static void add_cores(const roof_periodic *s, remarks *lines)
{
    const char *list = "";
    for (uint32_t core = 0; s->core_utilisation_ratios && core < s->cores; core++)
        list = say_more(lines->arena, list, "core %" PRIu32 " %.1f %%", core,
                        100 * s->core_utilisation_ratios[core]);
    remarks_add(lines, "cores", "%s%s%.1f %% of all %" PRIu32 "%s", list, *list ? "; " : "",
                100 * s->utilisation_ratio, s->cores,
                s->board_cores && s->board_cores < s->cores
                    ? say_printf(lines->arena, ", of which the hardware has %" PRIu32, s->board_cores)
                    : "");
}

void periodic_remarks(const roof_periodic *s, remarks *lines)
{
    static const char *const rules[ROOF_PERIODIC_POLICIES] = {
        [ROOF_PERIODIC_FIXED] = "each network belongs to a core, which serves in the order of asking: the "
                                "response is the sum of the services of a core, and is reached",
        [ROOF_PERIODIC_FIFO] = "whichever core is free takes the oldest: the response is a bound"};
    remarks_add(lines, "policy", "%s: %s", roof_periodic_policy_word(s->policy), rules[s->policy]);
    add_cores(s, lines);
    bool is_bound = false;
    for (uint32_t i = 0; i < s->n_rows; i++)
        is_bound = is_bound || roof_answer_is_bound(s->rows[i].service.kind);
    remarks_add(lines, "service", "%s an inference with %" PRIu32 " core%s busy%s; the accelerator only",
                is_bound ? "at best, of" : "what is expected of", s->busy_cores, say_plural(s->busy_cores),
                is_bound ? "" : ", not the longest that may be");
    for (uint32_t i = 0; i < s->n_changes; i++)
        remarks_add(lines, i ? " or" : "fits with", "%s", periodic_change(s, &s->changes[i], lines->arena));
}
