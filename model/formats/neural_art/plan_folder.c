/* A folder where the compiler of a Neural-ART left its files, as one model: the first file that holds a plan,
 * completed by the others. */
#include "core/error.h"
#include "model/graph/format.h"
#include "model/formats/neural_art/art_report.h"
#include "model/formats/neural_art/model_folder.h"
#include "model/formats/neural_art/mpool.h"
#include "model/formats/neural_art/plan_build.h"

#include <math.h>
#include <string.h>

static void hash_wide(graph_hash_value hash, void *h, uint64_t value)
{
    hash(h, (uint32_t)value);
    hash(h, (uint32_t)(value >> 32));
}

void plan_hash(const roof_graph *graph, graph_hash_value hash, void *h)
{
    const roof_plan *plan = roof_plan_of(graph);
    hash(h, plan->n_pools);
    FOR_EACH(const roof_pool, p, plan->pools, plan->n_pools) {
        hash(h, p->byte_width);
        hash(h, isnan(p->freq_ratio) ? ROOF_NONE : (uint32_t)(fmin(p->freq_ratio, 1e6) * 1000));
    }
    FOR_EACH(const roof_epoch, e, plan->epochs, plan->n_epochs) {
        hash(h, e->kind);
        hash(h, e->n_ops);
        hash_wide(hash, h, e->ops_count);
        hash_wide(hash, h, e->compute_cycles);
        hash_wide(hash, h, e->stored_vendor_cycles);
    }
    for (uint32_t i = 0; i < plan->n_accesses; i++) {
        hash(h, plan->accesses[i].pool);
        hash_wide(hash, h, plan->accesses[i].read_bytes);
        hash_wide(hash, h, plan->accesses[i].write_bytes);
    }
}

/* A file with what belongs behind it, which may be none: NULL. */
typedef struct plan_source {
    const char *path, *behind;
} plan_source;

/* The first of a network's files that holds a plan; the first failure says most when none does. */
static roof_status read_first(graph_file_reader read, const plan_source *sources, size_t n,
                              const model_folder *folder, roof_graph **out, roof_error *err)
{
    roof_error first = {0};
    for (size_t i = 0; i < n; i++) {
        roof_error failed = {0};
        if (!sources[i].path)
            continue;
        if (read(sources[i].path, sources[i].behind, out, &failed) == ROOF_OK)
            return ROOF_OK;
        if (first.status == ROOF_OK || failed.status == ROOF_E_NO_MEMORY)
            first = failed;
        if (failed.status == ROOF_E_NO_MEMORY)
            break; /* another file would be another answer */
    }
    if (first.status == ROOF_OK) {
        static const char wanted[] =
            "c_info.json, network.csv, network.c or report of a Neural-ART's compiler";
        if (!folder->others)
            return error_set(err, ROOF_E_NO_INPUT, "the folder holds no %s", wanted);
        return error_set(err, ROOF_E_NO_INPUT,
                         "the folder holds %.300s: give a file of it; a folder is read where it has a %s",
                         folder->others, wanted);
    }
    if (err)
        *err = first;
    return first.status;
}

static roof_status complete_epochs(roof_graph *graph, roof_plan *plan, const char *path, roof_error *err)
{
    art_report report;
    roof_arena *arena = graph->storage->arena;
    roof_error broken = {0};
    plan->report_path = arena_strdup(arena, path);
    roof_status status = art_report_read(path, arena, &report, &broken);
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(err);
    if (status != ROOF_OK) { /* a plan does without the report */
        char why[1400];
        broken.where[0] = '\0'; /* the path, which stands beside it */
        roof_error_format(&broken, why, sizeof why);
        plan->report_differs = arena_strdup(arena, why);
        return ROOF_OK;
    }
    TRY(plan_apply_report(plan, &report, arena, &plan->report_differs, err));
    if (!*graph->name && !plan->report_differs)
        graph->name = report.network;
    return ROOF_OK;
}

static roof_status complete(roof_graph *graph, const model_folder *folder, roof_error *err)
{
    roof_plan *plan = graph->storage->compiler_plan; /* of a graph that is still being made */
    if (plan && graph->storage->behind.bytes)
        plan->trace_path = arena_strdup(graph->storage->arena, folder->blob_trace_c);
    if (plan && folder->report && strcmp(graph->path, folder->report) != 0)
        TRY(complete_epochs(graph, plan, folder->report, err));
    if (plan && plan->n_blobs && folder->ecblobs_h)
        TRY(plan_read_blobs(plan, folder->ecblobs_h, graph->storage->arena, err));
    if (plan && folder->mpool) {
        art_list pools;
        roof_arena *arena = graph->storage->arena;
        TRY(mpool_read(folder->mpool, &art_pools, arena, &pools, err));
        TRY(mpool_apply(plan, pools.items, pools.n, arena, err));
        plan->pools_path = arena_strdup(arena, folder->mpool);
    }
    return arena_status(graph->storage->arena, err);
}

roof_status plan_read_folder(const char *path, graph_file_reader read, roof_graph **out, roof_error *err)
{
    model_folder folder;
    roof_graph *graph = NULL;
    roof_arena *arena = arena_new(0);
    roof_status status = arena ? model_folder_find(path, arena, &folder, err) : error_memory(err);
    if (status == ROOF_OK) {
        const plan_source sources[] = {{folder.c_infos[0], NULL},
                                       {folder.c_infos[1], NULL},
                                       {folder.c_infos[2], NULL},
                                       {folder.network_csv, NULL},
                                       /* work of the epoch controller is in its trace only */
                                       {folder.network_c, folder.blob_trace_c},
                                       {folder.blob_trace_c, NULL},
                                       {folder.report, NULL}};
        status = read_first(read, sources, sizeof sources / sizeof *sources, &folder, &graph, err);
        if (status == ROOF_E_NO_INPUT)
            error_prefix(err, "%s", path);
    }
    THEN(status, complete(graph, &folder, err));
    if (status == ROOF_OK)
        *out = graph;
    else
        roof_graph_free(graph);
    arena_free(arena);
    return status;
}
