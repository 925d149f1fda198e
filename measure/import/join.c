/* Files of one toolkit, each with a part of what is known of a model: one experiment. */
#include "core/error.h"
#include "core/namemap.h"
#include "measure/import/cores.h"
#include "measure/import/importer.h"
#include "measure/profile/run_facts.h"

#include <math.h>
#include <string.h>

/* How the importers' ids of a toolkit begin that writes several files about one model without its name. */
static const char *const toolkits[] = {"sigmastar_"};

enum { MOST_PARTS = 8 };

typedef struct parts {
    uint32_t experiments[MOST_PARTS], sources[MOST_PARTS];
    uint32_t n;
    bool is_doubtful; /* they may be of several models */
} parts;

/* "log_ctrl0.json", "log_ctrl1.json": the digit that names a core, and no other, which may number runs. */
static bool differ_in_a_core(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    static const char *const words[] = {"ctrl", "core"};
    size_t i = 0;
    bool names_core = false;
    while (a[i] && a[i] == b[i])
        i++;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t n = strlen(words[k]);
        names_core = names_core || (i >= n && memcmp(a + i - n, words[k], n) == 0);
    }
    return names_core && a[i] && b[i] && strchr(digits, a[i]) && strchr(digits, b[i]) &&
           strcmp(a + i + 1, b + i + 1) == 0;
}

/* Two files of one tool that are of two cores of one model: the same layers, in files whose names
 * differ in the number of the core. Each run then says of
 * which core it is. */
static bool are_cores(roof_measured *m, uint32_t a, uint32_t b)
{
    roof_experiment *x = &m->experiments[a], *y = &m->experiments[b];
    roof_run *of_x = x->runs, *of_y = y->runs;
    if (x->n_runs != 1 || y->n_runs != 1 || !differ_in_a_core(x->place, y->place) ||
        !cores_run_alike(of_x, of_y))
        return false;
    if (!of_x->core || !of_y->core || strcmp(of_x->core, of_y->core) == 0) {
        of_x->core = x->place;
        of_y->core = y->place;
    }
    return true;
}

/* Two experiments of one tool may be of two models, also where they are of the same file. */
static void find_parts(roof_measured *m, const namemap *sources, parts *out)
{
    const char *name = NULL;
    *out = (parts){.n = 0};
    for (uint32_t i = 0; i < m->n_experiments; i++) {
        const roof_experiment *e = &m->experiments[i];
        uint32_t source = e->place ? namemap_find(sources, e->place, strlen(e->place)) : ROOF_NONE;
        if (source == ROOF_NONE)
            continue;
        for (uint32_t k = 0; k < out->n; k++)
            out->is_doubtful |= strcmp(m->sources[source].tool, m->sources[out->sources[k]].tool) == 0 &&
                                !are_cores(m, out->experiments[k], i);
        out->is_doubtful |= out->n == MOST_PARTS || !names_agree(name, e->model_name);
        if (out->is_doubtful)
            return;
        name = name ? name : e->model_name;
        out->experiments[out->n] = i;
        out->sources[out->n++] = source;
    }
}

/* All runs to the first experiment; the others are taken out. Errors: E_NO_MEMORY. */
static roof_status move_runs(roof_measured *m, const parts *p, roof_error *err)
{
    roof_experiment *first = &m->experiments[p->experiments[0]];
    for (uint32_t i = 1; i < p->n; i++) {
        const roof_experiment *e = &m->experiments[p->experiments[i]];
        for (uint32_t k = 0; k < e->n_runs; k++) {
            TRY(ARENA_MORE(m->storage->arena, first->runs, first->n_runs, err));
            first->runs[first->n_runs++] = e->runs[k];
        }
        if (!first->model_name)
            first->model_name = e->model_name;
    }
    for (uint32_t i = p->n; i-- > 1;)
        measured_remove_experiment(m, p->experiments[i]);
    return ROOF_OK;
}

/* --- seconds ------------------------------------------------------------------------------------------ */

static bool is_only_shares(const roof_run *run)
{
    bool all = run->n_layers > 0 && isnan(run->sum_of_layers_s);
    for (uint32_t i = 0; i < run->n_layers && all; i++)
        all = run->layers[i].basis == ROOF_TIME_SHARE;
    return all;
}

/* Rows of shares are shares of the accelerator's phases in a bypass run. */
static roof_status join(roof_measured *m, const parts *p, const char **note, roof_error *err)
{
    uint32_t shares = ROOF_NONE; /* the source of the run whose rows are only that */
    double whole_s = NAN;
    for (uint32_t i = 0; i < p->n; i++) {
        const roof_experiment *e = &m->experiments[p->experiments[i]];
        if (e->n_runs == 1 && is_only_shares(&e->runs[0]))
            shares = p->sources[i];
    }
    TRY(move_runs(m, p, err));
    roof_experiment *e = &m->experiments[p->experiments[0]];
    roof_run *end = e->runs + e->n_runs;
    for (roof_run *run = e->runs; run < end; run++)
        if (is_only_shares(run)) {
            /* The first of two runs layer by layer is laid beside the bypass run: the one that says most. */
            const roof_run moved = *run;
            memmove(run, run + 1, (size_t)(end - run - 1) * sizeof *run);
            end[-1] = moved;
            break; /* each tool has one file */
        }
    for (const roof_run *run = e->runs; run < end; run++)
        for (uint32_t k = 0; k < run->n_phases && run->mode == ROOF_RUN_BYPASS; k++)
            if (run->phases[k].kind == ROOF_PHASE_ACCELERATOR)
                whole_s = add_if_known(whole_s, run->phases[k].seconds);
    for (roof_run *run = e->runs; run < end && shares != ROOF_NONE && !isnan(whole_s); run++) {
        if (!is_only_shares(run))
            continue;
        run->sum_of_layers_s = whole_s;
        *note = arena_printf(m->storage->arena,
                             "times of rows are derived: their shares of %s ms, the time of the accelerator "
                             "in the file beside this one",
                             NUMBER(whole_s * 1e3));
        return *note ? source_add_note(m, &m->sources[shares], *note, err) : error_memory(err);
    }
    return ROOF_OK;
}

/* A toolkit's sources by the path of their file, the place of their experiments; NULL without memory. */
static namemap *map_sources(const roof_measured *m, const char *toolkit, roof_arena *arena)
{
    namemap *map = namemap_new(arena, m->n_sources);
    for (uint32_t i = 0; map && i < m->n_sources; i++) {
        const roof_measured_source *s = &m->sources[i];
        if (s->n_files == 1 && strncmp(s->tool, toolkit, strlen(toolkit)) == 0)
            namemap_add(map, s->files[0], strlen(s->files[0]), i);
    }
    return map;
}

roof_status roof_import_join(roof_measured *m, const char **note, roof_error *err)
{
    roof_arena *arena = arena_new(0);
    roof_status status = arena ? ROOF_OK : error_memory(err);
    *note = NULL;
    for (size_t t = 0; t < sizeof toolkits / sizeof *toolkits && status == ROOF_OK; t++) {
        parts p = {.n = 0};
        namemap *sources = map_sources(m, toolkits[t], arena);
        if (sources)
            find_parts(m, sources, &p);
        if (!sources)
            status = error_memory(err);
        else if (!p.is_doubtful && p.n > 1)
            status = join(m, &p, note, err);
    }
    arena_free(arena);
    return status;
}
