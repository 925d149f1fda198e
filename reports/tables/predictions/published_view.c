/* Published times as a table; what of one stands beside a prediction. */
#include "reports/renderers/document.h"
#include "reports/words/say.h"

static const char *published_sentence(const void *document, uint32_t i, roof_arena *arena)
{
    const roof_published *all = document;
    uint32_t same = 0, devices = 0; /* those of the same network */
    for (uint32_t t = 0; t < all->n_times; t++) {
        devices += NAMED_AT(all->times, t, device, all->times[t].device) == t;
        same += all->times[t].is_same;
    }
    if (i == 1 && all->n_times)
        return "Runs differ in stack, type, threads and date: no time here is a promise, and none ranks "
               "devices.";
    if (i)
        return NULL;
    if (!all->n_times)
        return SAY_TEXT(arena,
                        "No published time[? of {}][? on {}] is known; `roofline published` lists all.",
                        AS_TEXT(all->network), AS_TEXT(all->hardware));
    return SAY_TEXT(arena,
                    "{#} published time{|s}[? of {}] on {#} device{|s}[?: {.0} of the same network, "
                    "{.0} where the name alone agrees].",
                    AS_COUNT(all->n_times), AS_TEXT(all->network), AS_COUNT(devices),
                    AS("", all->network ? (double)same : NAN), AS("", all->n_times - same));
}

GRID_CELL(published_rate, roof_published_time, is, cell_value(1 / is->seconds))
GRID_CELL(published_threads, roof_published_time, t, t->threads ? cell_count(t->threads) : cell_none)

GRID_CELL(published_match, roof_published_time, t,
          cell_text(!((const roof_published *)row->of)->network ? ""
                    : t->is_same                                ? "same"
                                                                : "name"))

#define OF(member, from, ...) GRID_OF(roof_published_time, member, from, __VA_ARGS__)
static const grid_column columns[] = {
    OF(network, TEXT, .title = "network", .kind = COLUMN_NAME),
    OF(device, TEXT, .title = "device", .kind = COLUMN_NAME),
    OF(hardware, TEXT, .title = "--hw", .rank = 5),
    OF(stack, TEXT, .title = "stack", .rank = 1),
    OF(software, TEXT, .title = "by", .rank = 4),
    GRID_AS("dtype", roof_published_time, data_type, TEXT, .title = "type"),
    OF(batch, SMALL, .title = "batch", .kind = COLUMN_NUMBER, .rank = 2),
    GRID_BY("threads", published_threads, .title = "threads", .kind = COLUMN_NUMBER, .rank = 2),
    GRID_AS("time_s", roof_published_time, seconds, VALUE, .title = "time", .unit = "[ms]",
            .kind = COLUMN_NUMBER, .times = 1e3, .digits = 3),
    GRID_BY("per_s", published_rate, .title = "frames", .unit = "[/s]", .kind = COLUMN_NUMBER,
            .format = FORMAT_SPACED, .digits = 1, .rank = 1),
    GRID_BY("match", published_match, .title = "match", .rank = 3),
    OF(source, TEXT, .title = "table", .kind = COLUMN_NOTE, .rank = 6),
};

static void published_add_rows(cell_grid *grid, const void *document)
{
    const roof_published *all = document;
    for (uint32_t i = 0; i < all->n_times; i++)
        grid_add_row(grid, &all->times[i], all);
}

/* Without a network nothing agrees. */
static void published_begin(cell_grid *grid, const void *document)
{
    if (!((const roof_published *)document)->network)
        grid_hide(grid, "match");
}

static void published_put(const rendering *r)
{
    cell_grid grid;
    if (!((const roof_published *)r->document)->n_times)
        return;
    document_table(&published_view, r->document, &grid, r->arena);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
}

static void published_remarks(const void *document, remarks *lines)
{
    const roof_published *all = document;
    if (all->n_times)
        remarks_add(lines, "times",
                    "of one image, also of a batch; docs/hardware/boards.md has whose tables");
    if (all->network && all->n_times)
        remarks_add(lines, "same", "input, multiply-accumulates and weights within 3 %%");
}

#define MEMBER(member) GRID_OF(roof_published, member, TEXT, .title = NULL)
static const grid_column members[] = {MEMBER(network), MEMBER(hardware)};

const document_view published_view = {.schema = ROOF_PUBLISHED_SCHEMA,
                                      DOCUMENT_MEMBERS(members),
                                      DOCUMENT_ROWS("times", columns),
                                      .add_rows = published_add_rows,
                                      .what = "time",
                                      .largest_csv = "time_s",
                                      .begin = published_begin,
                                      .put_tables = published_put,
                                      .sentence = published_sentence,
                                      .remarks = published_remarks};
