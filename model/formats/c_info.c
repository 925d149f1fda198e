/* c_info.json: what ST's Neural-ART compiler says of its plan, schema 2.0. The same name and schema is used for models of CPUs,
 * which have no estimates, and for what `stedgeai validate` leaves, which has no graph; both are refused with what to read
 * instead. */
#include "core/error.h"
#include "core/json/jsonsniff.h"
#include "model/formats/c_info/c_info.h"
#include "model/graph/format.h"
#include "model/formats/neural_art/plan_build.h"

#include <string.h>

/* The file's first member tells: they are in alphabetical order, or in the compiler's. */
static bool sniff(const unsigned char *bytes, uint64_t size)
{
    static const char *const keys[] = {"buffers",         "environment",     "graphs",
                                       "ec_blobs_info",   "memory_pools",    "json_schema_version",
                                       "memory_accesses", "validation",      "aton_execution_time",
                                       "power_estimates", "memory_footprint"};
    text_span key = json_first_key(bytes, size, NULL);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (span_is(key, keys[k]))
            return true;
    return false;
}

static roof_status check(const c_info *file, roof_error *err)
{
    if (file->schema[0] && strcmp(file->schema, "2.0") != 0)
        return error_set(err, ROOF_E_UNSUPPORTED, "is a c_info.json of schema '%.40s', want 2.0",
                         file->schema);
    if (!file->n_nodes)
        return error_set(
            err, ROOF_E_DATA, "holds no graph%s",
            file->has_times
                ? ", but the times that `stedgeai validate` measured: `roofline import` reads them, and the "
                  "plan is in the c_info.json that `stedgeai generate` wrote"
                : "; the plan is in the c_info.json that `stedgeai generate` wrote");
    if (!file->n_estimates)
        return error_set(
            err, ROOF_E_DATA,
            "holds no estimates of the NPU's compiler: the model was compiled for a CPU. Compile with "
            "`stedgeai generate --target stm32n6 --st-neural-art`");
    return ROOF_OK;
}

/* "ST.EdgeAI.Core 2.1.0-20194 329b0e98d, ATONN Compiler 1.1.0-31", and the model that they compiled. */
static roof_status describe(const c_info *file, roof_graph *graph, roof_error *err)
{
    const c_info_tool *tools = file->tools;
    roof_arena *arena = graph->storage->arena;
    graph->name = file->graph_name;
    graph->compiler = "";
    for (uint32_t i = 0; i < file->n_tools && i < 4; i++) {
        graph->compiler = arena_printf(arena, "%s%s%.60s %.60s", graph->compiler, i ? ", " : "",
                                       tools[i].name, tools[i].version);
        if (!graph->compiler)
            return error_memory(err);
        if (i == 0 && tools[i].model_name[0])
            graph->name = tools[i].model_name; /* the front end's; later ones call it "network" */
    }
    return ROOF_OK;
}

static roof_status read(roof_graph *graph, roof_error *err)
{
    c_info file;
    plan_build build;
    const mapfile *bytes = &graph->storage->file;
    TRY(c_info_pull(bytes->bytes, bytes->size_bytes, graph->storage->arena, &file, err));
    TRY(check(&file, err));
    TRY(describe(&file, graph, err));
    TRY(plan_build_begin(&build, graph, graph->storage->arena, err));
    return c_info_join(&file, &build);
}

const graph_format format_c_info = {
    .id = "c_info",
    .doc = "c_info.json of ST's Neural-ART compiler, schema 2.0",
    .sniff = sniff,
    .read = read,
    PLAN_FORMAT,
    .read_folder = plan_read_folder,
};
