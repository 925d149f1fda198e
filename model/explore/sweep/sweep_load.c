/* A plan with all that it names: its devices, and a hash of what its points depend on. */
#include "core/arena.h"
#include "core/error.h"
#include "core/files/mapfile.h"
#include "model/explore/sweep/sweep_plan.h"
#include "roofline/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void hash_text(XXH3_state_t *hash, const char *text)
{
    XXH3_64bits_update(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void hash_number(XXH3_state_t *hash, double number)
{
    XXH3_64bits_update(hash, &number, sizeof number);
}

static roof_status hash_file(XXH3_state_t *hash, const char *path, roof_error *err)
{
    mapfile file;
    TRY(mapfile_open(path, &file, err));
    XXH3_64bits_update(hash, &file.size_bytes, sizeof file.size_bytes);
    XXH3_64bits_update(hash, file.bytes, file.size_bytes);
    mapfile_close(&file);
    return ROOF_OK;
}

/* Weights are not read: a model's structure and the size of its file tell it from another one. A file that is
 * no readable model counts by its error. */
static roof_status hash_model(XXH3_state_t *hash, const roof_sweep_model *model, roof_error *err)
{
    roof_graph *graph = NULL;
    const roof_status status = roof_graph_read_as(model->file.found, &model->workload, &graph, err);
    if (status == ROOF_E_NO_INPUT || status == ROOF_E_IO || status == ROOF_E_NO_MEMORY)
        return status;
    hash_text(hash, status == ROOF_OK ? graph->graph_hash : err->what);
    hash_number(hash, status == ROOF_OK ? (double)graph->file_bytes : -1);
    roof_graph_free(graph);
    return ROOF_OK;
}

static void hash_device(XXH3_state_t *hash, const roof_hw *hw)
{
    const roof_quantity *q;
    hash_text(hash, roof_hw_id(hw));
    hash_text(hash, roof_hw_family(hw));
    for (size_t i = 0; (q = roof_hw_at(hw, i)); i++) {
        hash_text(hash, q->key);
        hash_text(hash, q->unit);
        hash_number(hash, q->value);
    }
}

static roof_status hash_plan(const char *text, size_t size, roof_sweep_plan *p, roof_error *err)
{
    XXH3_state_t *hash = XXH3_createState();
    roof_status status = hash ? ROOF_OK : error_memory(err);
    if (status != ROOF_OK)
        return status;
    XXH3_64bits_reset(hash);
    hash_text(hash, roof_version());
    XXH3_64bits_update(hash, text, size);
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_models; i++)
        status = hash_model(hash, &p->models[i], err);
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_devices; i++)
        hash_device(hash, p->hw[i]);
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_measured; i++)
        status = hash_file(hash, p->measured[i].found, err);
    for (uint32_t i = 0; status == ROOF_OK && i < p->n_calibrations; i++)
        status = hash_file(hash, p->calibrations[i].found, err);
    snprintf(p->identity, sizeof p->identity, "%016llx", (unsigned long long)XXH3_64bits_digest(hash));
    XXH3_freeState(hash);
    return status;
}

/* True for a path relative to the plan's folder; an entry's name or a description is none. */
static bool is_relative_file(const char *device)
{
    const char *dot = strrchr(device, '.');
    return device[0] != '/' && !strchr(device, '=') &&
           (strchr(device, '/') || (dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".csv") == 0)));
}

static roof_status load_devices(roof_sweep_plan *p, roof_error *err)
{
    const char *slash = strrchr(p->name, '/');
    TRY(ARENA_GET(p->arena, p->hw, p->n_devices, err));
    for (uint32_t i = 0; i < p->n_devices; i++) {
        const char *spec = p->devices[i];
        if (slash && is_relative_file(spec))
            spec = arena_printf(p->arena, "%.*s/%s", (int)(slash - p->name), p->name, spec);
        TRY(arena_status(p->arena, err));
        roof_status status = roof_hw_load(spec, &p->hw[i], err);
        if (status != ROOF_OK) {
            error_prefix(err, "%s: /devices/%u", p->name, i);
            return status;
        }
    }
    return ROOF_OK;
}

roof_status roof_sweep_plan_read(const char *path, roof_sweep_plan **out, roof_error *err)
{
    mapfile file;
    roof_sweep_plan *p = NULL;
    *out = NULL;
    TRY(mapfile_open(path, &file, err));
    roof_status status = sweep_plan_parse((const char *)file.bytes, (size_t)file.size_bytes, path, &p, err);
    if (status == ROOF_OK)
        status = load_devices(p, err);
    if (status == ROOF_OK)
        status = hash_plan((const char *)file.bytes, (size_t)file.size_bytes, p, err);
    mapfile_close(&file);
    if (status == ROOF_OK)
        *out = p;
    else
        roof_sweep_plan_free(p);
    return status;
}

void roof_sweep_plan_free(roof_sweep_plan *plan)
{
    if (!plan)
        return;
    for (uint32_t i = 0; plan->hw && i < plan->n_devices; i++)
        roof_hw_free(plan->hw[i]);
    arena_free(plan->arena);
}
