/* NAME_generate_report.txt alone: a plan that names its epochs and who runs them, and knows nothing of what
 * they move. Where another file of the compiler is there, that is the plan, and the report completes it
 * (model/formats/neural_art/plan_report.c). */
#include "core/error.h"
#include "model/formats/neural_art/art_report.h"
#include "model/graph/format.h"
#include "model/formats/neural_art/plan_build.h"

/* Rows have an epoch each, but programs may lack some of their numbers, and the report does not say which:
 * then a program is one entry, called as ST's profilers call it. */
static roof_status add_row(plan_build *b, const art_row *row, bool are_apart)
{
    bool is_one = !are_apart && row->first != row->last;
    const char *name = is_one ? arena_printf(b->arena, "EpochBlock_%u -> %u", row->first, row->last) : NULL;
    for (uint64_t number = row->first; number <= (is_one ? row->first : row->last); number++) {
        TRY(plan_add_epoch(b, (uint32_t)number, name));
        b->epoch->moves_unknown = true;
    }
    return ROOF_OK;
}

static roof_status generate_report_read(roof_graph *graph, roof_error *err)
{
    const mapfile *file = &graph->storage->file;
    roof_arena *arena = graph->storage->arena;
    art_report report;
    plan_build build;
    const char *differs;
    TRY(art_report_read_memory(file->bytes, file->size_bytes, arena, &report, err));
    TRY(plan_build_begin(&build, graph, arena, err));
    graph->name = report.network;
    graph->compiler = report.tool;
    for (uint32_t i = 0; i < report.n_pools; i++) {
        TRY(plan_add_pool(&build, report.pools[i].name));
        *build.pool = report.pools[i];
    }
    /* Whether every number of every row is an epoch that runs. */
    uint64_t listed = 0;
    for (uint32_t i = 0; i < report.n_rows; i++)
        listed += (uint64_t)report.rows[i].last - report.rows[i].first + 1;
    bool are_apart = listed == report.n_epochs;
    for (uint32_t i = 0; i < report.n_rows; i++)
        TRY(add_row(&build, &report.rows[i], are_apart));
    TRY(plan_apply_report(build.plan, &report, arena, &differs, err));
    for (uint32_t i = 0; !are_apart && i < build.plan->n_epochs; i++)
        if (report.rows[i].first != report.rows[i].last) /* a program, which the plan has as one entry */
            build.plan->blobs[build.plan->epochs[i].blob].n_epochs = ROOF_NONE;
    return plan_build_end(&build);
}

const graph_format format_generate_report = {
    .id = "generate_report",
    .doc = "NAME_generate_report.txt of ST Edge AI Core, which has no bytes nor cycles",
    .sniff = art_report_sniff,
    .read = generate_report_read,
    PLAN_FORMAT,
};
