/* NAME_generate_report.txt alone: a plan that names its epochs and who runs them, and knows nothing of what
 * they move. Where another file of the compiler is there, that is the plan, and the report completes it
 * (model/formats/neural_art/art_report.c). */
#include "model/formats/neural_art/art_report.h"
#include "model/graph/format.h"
#include "model/formats/neural_art/plan_build.h"
#include "model/memory/memory_build.h"

static const char ranges_begin[] = "Used memory ranges";

/* A line that ends so: logs have a time before it. */
static bool sniff_memory(const unsigned char *bytes, uint64_t size)
{
    text_span text = {(const char *)bytes, (size_t)size};
    while (span_skip_past(&text, ranges_begin))
        if (text.length && !span_trim(span_take_line(&text)).length)
            return true;
    return false;
}

/* A log, which states memory and is no plan: the output of `stedgeai` and programs around it while they build
 * and measure, with times before lines and bars of progress between them. */
static bool is_log(const roof_graph *graph)
{
    const mapfile *file = &graph->storage->file;
    return !art_report_sniff(file->bytes, file->size_bytes);
}

static roof_status generate_report_read(roof_graph *graph, roof_error *err)
{
    const mapfile *file = &graph->storage->file;
    roof_arena *arena = graph->storage->arena;
    art_report report;
    plan_build build;
    const char *differs;
    if (is_log(graph))
        return plan_build_nothing(graph, arena, err);
    TRY(art_report_read_memory(file->bytes, file->size_bytes, arena, &report, err));
    TRY(plan_build_begin(&build, graph, arena, err));
    graph->name = report.network;
    graph->compiler = report.tool;
    for (uint32_t i = 0; i < report.n_pools; i++) {
        TRY(plan_add_pool(&build, report.pools[i].name));
        *build.pool = report.pools[i];
    }
    /* Rows are apart if every number of every row is an epoch that runs; else a program lacks some of its
     * own, the report does not say which, and it is one entry, called as ST's profilers call it. */
    uint64_t listed = 0;
    for (uint32_t i = 0; i < report.n_rows; i++)
        listed += (uint64_t)report.rows[i].last - report.rows[i].first + 1;
    bool are_apart = listed == report.n_epochs;
    FOR_EACH(const art_row, row, report.rows, report.n_rows) {
        const bool is_one = !are_apart && row->first != row->last;
        const char *name =
            is_one ? arena_printf(build.arena, "EpochBlock_%u -> %u", row->first, row->last) : NULL;
        for (uint64_t number = row->first; number <= (is_one ? row->first : row->last); number++) {
            TRY(plan_add_epoch(&build, (uint32_t)number, name));
            build.epoch->moves_unknown = true;
        }
    }
    TRY(plan_apply_report(build.plan, &report, arena, &differs, err));
    for (uint32_t i = 0; !are_apart && i < build.plan->n_epochs; i++)
        if (report.rows[i].first != report.rows[i].last) /* a program, which the plan has as one entry */
            build.plan->blobs[build.plan->epochs[i].blob].n_epochs = ROOF_NONE;
    return plan_build_end(&build);
}

/* "npuRAM5    [0x342E0000 - 0x34350000]: 0x342E0000-0x34330000", of several ranges the last end counts. */
static bool take_range(text_span at, text_span *name, uint64_t *size_bytes, uint64_t *used_bytes)
{
    uint64_t start, end, from, to = 0;
    *name = span_trim(span_take_until(&at, "["));
    if (!name->length || !art_report_take_address(&at, &start))
        return false;
    at = span_trim(at);
    if (!span_skip(&at, "-") || !art_report_take_address(&at, &end) || end < start || !span_skip(&at, "]:"))
        return false;
    *size_bytes = end - start;
    *used_bytes = 0;
    while (art_report_take_address(&at, &from) && span_skip(&at, "-") && art_report_take_address(&at, &to) &&
           from <= to && from >= start) {
        *used_bytes = to - start > *used_bytes ? to - start : *used_bytes;
        span_skip(&at, ",");
    }
    return to != 0;
}

static roof_status set_range(memory_builder *b, text_span name, uint64_t size_bytes, uint64_t used_bytes)
{
    roof_memory_pool *pool = NAMED_SPAN(b->out->pools, b->out->n_pools, name, name);
    if (!pool) { /* the list of pools leaves out what the application brings */
        const char *text = arena_name(b->scratch, name.text, name.length);
        uint32_t index;
        TRY(ALLOCATED(text, b->err));
        TRY(memory_add_pool(b, text, plan_memory_kind(text, false), 0, b->graph->n_layers, &pool, &index));
        pool->why_no_peak = plan_has_no_lifetimes;
    }
    pool->size_bytes = size_bytes;
    pool->high_bytes = pool->stated_bytes = used_bytes;
    pool->stated_by = "used memory range";
    pool->why_no_high = NULL;
    return ROOF_OK;
}

/* The line of a log from the name of a pool on, which is the word before its addresses; nothing where it has
 * none. */
static text_span from_name(text_span line)
{
    text_span rest = line;
    size_t begin = span_trim(span_take_until(&rest, "[0x")).length;
    while (begin && line.text[begin - 1] != ' ' && line.text[begin - 1] != '\t')
        begin--;
    return (text_span){line.text + begin, rest.length ? line.length - begin : 0};
}

/* The list of pools has rounded sizes; the ranges behind it are exact. */
static roof_status generate_report_memory(memory_builder *b)
{
    const mapfile *file = &b->graph->storage->file;
    text_span text = {(const char *)file->bytes, (size_t)file->size_bytes}, name;
    uint64_t size_bytes, used_bytes, number = 0;
    const bool has_prefixes = is_log(b->graph);
    bool (*const says)(text_span line, const char *word) = has_prefixes ? span_has : span_begins;
    bool is_listed = false, is_over = false;
    roof_pool pool;
    TRY(plan_memory(b));
    while (text.length && !(is_over && !has_prefixes)) {
        text_span line = span_trim(span_take_line(&text));
        const bool begins = says(line, ranges_begin);
        number++;
        if (begins && is_listed)
            return error_line(b->err, ROOF_E_DATA, number,
                              "lists memory ranges for a second time, want one build");
        is_over = is_over || (is_listed && says(line, "===="));
        is_listed = is_listed || begins;
        line = has_prefixes ? from_name(line) : line;
        if (is_over)
            continue;
        if (is_listed && take_range(line, &name, &size_bytes, &used_bytes)) {
            TRY(set_range(b, name, size_bytes, used_bytes));
        } else if (!is_listed && has_prefixes && art_report_take_pool(line, &name, &pool)) {
            pool.name = arena_name(b->scratch, name.text, name.length);
            TRY(pool.name ? plan_memory_pool(b, &pool) : error_memory(b->err));
        }
    }
    return ROOF_OK;
}

const graph_format format_generate_report = {
    .id = "generate_report",
    .doc = "NAME_generate_report.txt of ST Edge AI Core, which has no bytes nor cycles",
    .sniff = art_report_sniff,
    .sniff_memory = sniff_memory,
    .read = generate_report_read,
    .memory = generate_report_memory,
    PLAN_FORMAT,
};
