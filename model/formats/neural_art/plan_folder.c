/* A folder where the compiler of a Neural-ART left its files, as one model: the first file that holds a plan,
 * completed by the others. */
#include "core/files/mapfile.h"
#include "model/formats/neural_art/art_report.h"
#include "model/formats/neural_art/model_folder.h"
#include "model/formats/neural_art/mpool.h"
#include "model/formats/neural_art/plan_build.h"
#include "model/graph/format.h"

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
        graph_hash_wide(hash, h, e->ops_count);
        graph_hash_wide(hash, h, e->compute_cycles);
        graph_hash_wide(hash, h, e->stored_vendor_cycles);
    }
    for (uint32_t i = 0; i < plan->n_accesses; i++) {
        hash(h, plan->accesses[i].pool);
        graph_hash_wide(hash, h, plan->accesses[i].read_bytes);
        graph_hash_wide(hash, h, plan->accesses[i].write_bytes);
    }
}

/* ---- how large the programs of the epoch controller are. The compiler writes them as arrays of C into
 * NAME_ecblobs.h, which an application compiles:
 *
 *   static const uint64_t _ec_blob_net_2[1288] =        before 3.0 "_ec_blob_2 []"
 *   {
 *     0x00000a07ca057a7aUL, 0x0000007d0000005dUL,
 *   };
 *
 * Numbers are counted and not read. ---- */

static const char blob_begins[] = "_ec_blob_";

static bool is_of_name(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static text_span behind(text_span span, size_t n)
{
    return (text_span){span.text + n, span.length - n};
}

/* Past a mark, which may stand behind blanks and ends of lines. */
static bool pass_mark(text_span *rest, const char *mark)
{
    span_skip_any(rest, " \t\r\n");
    return span_skip(rest, mark);
}

/* Behind the name of an array, up to its end: "[1288] =\n{ ... }". ROOF_UNKNOWN: it is no array, or not of so
 * many. */
static uint64_t take_array(text_span *rest)
{
    uint64_t stated, n = 0; /* constants */
    bool is_inside = false;
    if (!pass_mark(rest, "["))
        return ROOF_UNKNOWN;
    const bool is_stated = span_take_whole(rest, &stated);
    if (!span_skip(rest, "]") || !pass_mark(rest, "=") || !pass_mark(rest, "{"))
        return ROOF_UNKNOWN;
    for (; rest->length && *rest->text != '}'; *rest = behind(*rest, 1)) {
        const bool is = is_of_name(*rest->text);
        n += is && !is_inside;
        is_inside = is;
    }
    return rest->length && (!is_stated || stated == n) ? n : ROOF_UNKNOWN;
}

/* Bytes of an element, by the type that stands before the array's name; 0: another one. */
static uint64_t element_bytes(const char *begin, const char *name)
{
    static const struct {
        const char *type;
        uint64_t bytes;
    } types[] = {{"uint64_t ", 8}, {"uint32_t ", 4}, {"uint8_t ", 1}};
    text_span before = {begin, (size_t)(name - begin)};
    for (size_t i = 0; i < N_OF(types); i++)
        if (span_skip_end(&before, types[i].type))
            return types[i].bytes;
    return 0;
}

roof_status plan_apply_blobs(roof_plan *plan, text_span text, roof_arena *arena, roof_error *err)
{
    namemap *blobs = namemap_new(arena, plan->n_blobs);
    text_span rest = text;
    TRY(ALLOCATED(blobs, err));
    for (uint32_t i = 0; i < plan->n_blobs; i++)
        namemap_add(blobs, plan->blobs[i].name, strlen(plan->blobs[i].name), i);
    while (span_skip_past(&rest, blob_begins)) {
        const char *name = rest.text - (sizeof blob_begins - 1);
        while (rest.length && is_of_name(*rest.text))
            rest = behind(rest, 1);
        const uint32_t at = namemap_find(blobs, name, (size_t)(rest.text - name));
        const uint64_t bytes = element_bytes(text.text, name), n = bytes ? take_array(&rest) : ROOF_UNKNOWN;
        if (at != ROOF_NONE && n != ROOF_UNKNOWN)
            plan->blobs[at].bytes = n * bytes;
    }
    return ROOF_OK;
}

static roof_status read_blobs(roof_plan *plan, const char *path, roof_arena *arena, roof_error *err)
{
    mapfile file = {0};
    roof_error why;
    roof_status status = mapfile_open(path, &file, &why);
    if (status == ROOF_OK)
        status = plan_apply_blobs(plan, (text_span){(const char *)file.bytes, (size_t)file.size_bytes}, arena,
                                  err);
    else if (status == ROOF_E_NO_MEMORY)
        return error_memory(err);
    mapfile_close(&file);
    return status == ROOF_E_NO_MEMORY ? status : ROOF_OK; /* a plan does without */
}

/* ---- the files of a network ---- */

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
        TRY(read_blobs(plan, folder->ecblobs_h, graph->storage->arena, err));
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
        status = read_first(read, sources, N_OF(sources), &folder, &graph, err);
        if (status == ROOF_E_NO_INPUT)
            error_prefix(err, "%s", path);
    }
    THEN(status, complete(graph, &folder, err));
    arena_free(arena);
    return GIVE(status, out, graph, roof_graph_free);
}
