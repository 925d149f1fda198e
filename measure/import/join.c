/* Files of one toolkit, each with a part of what is known of a model: one experiment. */
#include "measure/import/importer.h"
#include "measure/profile/counter.h"
#include "measure/profile/run_facts.h"

/* How the importers' ids of the toolkit begin that writes several files about one model without its name. */
static const char toolkit[] = "sigmastar_";

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
    for (size_t k = 0; k < N_OF(words); k++) {
        size_t n = strlen(words[k]);
        names_core = names_core || (i >= n && memcmp(a + i - n, words[k], n) == 0);
    }
    return names_core && a[i] && b[i] && strchr(digits, a[i]) && strchr(digits, b[i]) &&
           strcmp(a + i + 1, b + i + 1) == 0;
}

/* Two files of one tool that are of two cores of one model: the same layers, in files whose names differ in
 * the number of the core. Each run then says of which core it is. */
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

/* A description of a model: its memory, and no time. */
static bool only_describes(const roof_experiment *e)
{
    const roof_run *run = e->runs;
    return e->n_runs == 1 && run->memory_bytes != ROOF_UNKNOWN && !run->n_layers && !run->n_phases &&
           isnan(run->total.mean_s);
}

static bool is_only_shares(const roof_run *run)
{
    bool all = run->n_layers > 0 && isnan(run->sum_of_layers_s);
    for (uint32_t i = 0; i < run->n_layers && all; i++)
        all = run->layers[i].basis == ROOF_TIME_SHARE;
    return all;
}

/* Rows are kinds of operators, all of one together. */
static bool is_of_kinds(const roof_run *run)
{
    bool all = is_only_shares(run);
    for (uint32_t i = 0; i < run->n_layers && all; i++)
        all = text_same(run->layers[i].type, run->layers[i].name);
    return all;
}

/* A listing of kinds and one of operators say the same, up to the digits that are printed. */
static bool listings_agree(const roof_experiment *a, const roof_experiment *b)
{
    static const double half_digit = 0.5e-5;
    if (a->n_runs != 1 || b->n_runs != 1 || !is_only_shares(a->runs) || !is_only_shares(b->runs) ||
        is_of_kinds(a->runs) == is_of_kinds(b->runs))
        return false;
    const roof_run *kinds = is_of_kinds(a->runs) ? a->runs : b->runs,
                   *operators = kinds == a->runs ? b->runs : a->runs;
    for (uint32_t i = 0; i < kinds->n_layers; i++) {
        double sum = 0;
        uint32_t n = 1;
        FOR_EACH(const roof_measured_layer, row, operators->layers, operators->n_layers) {
            if (!row->type || strcmp(row->type, kinds->layers[i].name) != 0)
                continue;
            sum += row->counters->share_ratio;
            n++;
        }
        if (!(fabs(sum - kinds->layers[i].counters->share_ratio) <= half_digit * (n + 1)))
            return false;
    }
    return true;
}

/* The source of the toolkit that an experiment is of; ROOF_NONE: there is none. */
static uint32_t source_of(const roof_measured *m, const roof_experiment *e)
{
    for (uint32_t i = 0; e->place && i < m->n_sources; i++) {
        const roof_measured_source *s = &m->sources[i];
        if (s->n_files == 1 && strncmp(s->tool, toolkit, strlen(toolkit)) == 0 &&
            strcmp(s->files[0], e->place) == 0)
            return i;
    }
    return ROOF_NONE;
}

/* Two experiments of one tool may be of two models, also where they are of the same file. */
static void find_parts(roof_measured *m, parts *out)
{
    const char *name = NULL;
    *out = (parts){.n = 0};
    for (uint32_t i = 0; i < m->n_experiments; i++) {
        const roof_experiment *e = &m->experiments[i];
        uint32_t source = source_of(m, e);
        if (source == ROOF_NONE)
            continue;
        for (uint32_t k = 0; k < out->n; k++)
            out->is_doubtful |= strcmp(m->sources[source].tool, m->sources[out->sources[k]].tool) == 0 &&
                                !only_describes(e) && !only_describes(&m->experiments[out->experiments[k]]) &&
                                !listings_agree(e, &m->experiments[out->experiments[k]]) &&
                                !are_cores(m, out->experiments[k], i);
        out->is_doubtful |= out->n == MOST_PARTS || !names_agree(name, e->model_name);
        if (out->is_doubtful)
            return;
        name = name ? name : e->model_name;
        out->experiments[out->n] = i;
        out->sources[out->n++] = source;
    }
}

static void take_out(roof_experiment *e, uint32_t at)
{
    memmove(&e->runs[at], &e->runs[at + 1], (e->n_runs - at - 1) * sizeof *e->runs);
    e->n_runs--;
}

/* A whole-network run gets the memory that a description states, which is then no run; nor is a listing of
 * kinds beside that of their operators. */
static void fold_runs(roof_experiment *e)
{
    uint32_t at = e->n_runs;
    roof_run *timed = NULL;
    for (uint32_t i = 0; i < e->n_runs; i++) {
        const roof_experiment one = {.runs = &e->runs[i], .n_runs = 1};
        if (only_describes(&one))
            at = i;
        else if (e->runs[i].mode == ROOF_RUN_BYPASS)
            timed = &e->runs[i];
    }
    if (at < e->n_runs && timed) {
        if (timed->memory_bytes == ROOF_UNKNOWN)
            timed->memory_bytes = e->runs[at].memory_bytes;
        take_out(e, at);
    }
    for (uint32_t i = 0; i < e->n_runs; i++)
        for (uint32_t k = 0; k < e->n_runs; k++)
            if (i != k && is_of_kinds(&e->runs[i]) && is_only_shares(&e->runs[k])) {
                take_out(e, i);
                return;
            }
}

/* All runs to the first experiment; the others are taken out. Errors: E_NO_MEMORY. */
static roof_status move_runs(roof_measured *m, const parts *p, roof_error *err)
{
    roof_experiment *first = &m->experiments[p->experiments[0]];
    for (uint32_t i = 1; i < p->n; i++) {
        const roof_experiment *e = &m->experiments[p->experiments[i]];
        for (uint32_t k = 0; k < e->n_runs; k++)
            TRY(ARENA_ADD(m->storage->arena, first->runs, first->n_runs, err, e->runs[k]));
        if (!first->model_name)
            first->model_name = e->model_name;
    }
    for (uint32_t i = p->n; i-- > 1;)
        measured_remove_experiment(m, p->experiments[i]);
    fold_runs(&m->experiments[p->experiments[0]]);
    return ROOF_OK;
}

/* --- seconds ------------------------------------------------------------------------------------------ */

/* Rows of shares are shares of the accelerator's phases in a whole-network run. */
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
            /* The first of two runs layer by layer is laid beside the whole-network run: the one that says
             * most. */
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

/* --- kernels that one tool times and another counts ----------------------------------------------------- */

/* "copy" of "void ns::copy<float>(float *, int)": Nsight Systems may keep that alone. */
static text_span bare_name(const char *name)
{
    text_span bare = {name, strcspn(name, "(<")};
    for (size_t i = 0; i < bare.length; i++)
        if (bare.text[i] == ' ' || bare.text[i] == ':')
            bare = span_from(bare, i + 1), i = (size_t)-1;
    return bare;
}

static bool is_same_bare(const char *a, const char *b)
{
    const text_span x = bare_name(a), y = bare_name(b);
    return x.length && span_same(x, y);
}

/* The name that a row's launches have in the counted run: the same, else that of the same place among those
 * which differ in arguments alone. NULL: there is none. */
static const char *counted_name(const roof_run *timed, uint32_t row, const roof_run *counted)
{
    const char *name = timed->layers[row].name;
    uint32_t place = 0;
    if (NAMED(counted->layers, counted->n_layers, name, name))
        return name;
    for (uint32_t i = 0; i < row; i++)
        place += is_same_bare(timed->layers[i].name, name);
    for (uint32_t i = 0; i < counted->n_layers; i++) {
        const char *other = counted->layers[i].name;
        const bool is_first = NAMED_AT(counted->layers, i, name, other) == i;
        if (is_first && is_same_bare(other, name) && !place--)
            return other;
    }
    return NULL;
}

/* Mean of what the launches of a name count; ROOF_UNKNOWN where one of them does not. */
static uint64_t mean_count(const roof_run *counted, const char *name, size_t at)
{
    double sum = 0;
    uint32_t n = 0;
    FOR_EACH(const roof_measured_layer, l, counted->layers, counted->n_layers) {
        if (strcmp(l->name, name) != 0)
            continue;
        const uint64_t count =
            l->counters ? *(const uint64_t *)((const char *)l->counters + at) : ROOF_UNKNOWN;
        if (count == ROOF_UNKNOWN)
            return ROOF_UNKNOWN;
        sum += (double)count;
        n++;
    }
    return n ? (uint64_t)llround(sum / n) : ROOF_UNKNOWN;
}

/* Gives a row what all launches of a name tell of units, as the mean of shares, since the row has no cycles
 * that were counted in its own run. */
static roof_status join_events(roof_measured *m, const roof_run *counted, const char *name,
                               roof_measured_layer *row, roof_error *err)
{
    const roof_measured_layer *first = NAMED(counted->layers, counted->n_layers, name, name);
    for (uint32_t k = 0; first && first->counters && k < first->counters->n_events; k++) {
        roof_event event = first->counters->events[k];
        const bool is_cycles = event.quantity == ROOF_COUNTER_ACTIVE_CYCLES;
        double sum = 0;
        uint32_t n = 0;
        const bool is_kept = event.scope == ROOF_COUNTER_UNIT || event.scope == ROOF_COUNTER_OTHER;
        for (uint32_t i = 0; i < counted->n_layers && is_kept; i++) {
            const roof_layer_counters *c = counted->layers[i].counters;
            if (!c || strcmp(counted->layers[i].name, name) != 0)
                continue;
            const uint64_t count = counter_find(c->events, c->n_events, &event);
            const double of = !is_cycles ? 1 : c->n_cycles == 1 ? (double)c->cycles->cycles / 1e6 : NAN;
            sum += count == ROOF_UNKNOWN ? (double)NAN : (double)count / of;
            n++;
        }
        if (!n || !(sum / n <= 0x1p53))
            continue;
        event.quantity = is_cycles ? ROOF_COUNTER_BUSY_PPM : event.quantity;
        event.count = (uint64_t)llround(sum / n);
        TRY(counted_set_event(counted_of_layer(m, row), event, err));
    }
    return ROOF_OK;
}

/* Gives what launches of the same kernels count to rows that another file times. Result: to how many. */
static roof_status join_counted(roof_measured *m, const roof_run *timed, const roof_run *counted,
                                uint32_t *n_joined, roof_error *err)
{
    static const size_t counts[] = {
        offsetof(roof_layer_counters, read_bytes), offsetof(roof_layer_counters, write_bytes),
        offsetof(roof_layer_counters, total_bytes), offsetof(roof_layer_counters, workload_ops)};
    uint32_t n = 0;
    for (uint32_t i = 0; i < timed->n_layers; i++) {
        roof_measured_layer *row = &timed->layers[i];
        const char *name = counted_name(timed, i, counted);
        roof_layer_counters *c = name ? layer_counters_of(m, row) : NULL;
        if (!name)
            continue;
        TRY(ALLOCATED(c, err));
        for (size_t k = 0; k < N_OF(counts); k++) {
            const uint64_t count = mean_count(counted, name, counts[k]);
            if (count == ROOF_UNKNOWN) /* another pass may have it */
                continue;
            *(uint64_t *)((char *)c + counts[k]) = count;
            c->bytes_origin = ROOF_BYTES_COUNTER;
        }
        TRY(join_events(m, counted, name, row, err));
        n++;
    }
    *n_joined = n > *n_joined ? n : *n_joined;
    return ROOF_OK;
}

/* Tools that time kernels as they run, and those that count while kernels run one by one. */
static const struct {
    const char *timed[3], *counted, *name, *of_times;
} counting[] = {
    {{"nsys_csv", "nsys_sqlite", "nsightful"}, "ncu_csv", "Nsight Compute", "Nsight Systems"},
    {{"rocprofv3"}, "rocprofv3_counters", "rocprof", "the file that counts none, else of the first pass"}};

/* The experiment that gives the times, and whether all others count: one of each source. ROOF_NONE: no. */
static uint32_t find_timed(const roof_measured *m, size_t way)
{
    uint32_t timed = ROOF_NONE, n_timed = 0;
    for (uint32_t i = 0; i < m->n_sources; i++) {
        const bool is_timed = IS_ONE_OF(counting[way].timed, m->sources[i].tool);
        if ((!is_timed && strcmp(m->sources[i].tool, counting[way].counted) != 0) ||
            m->experiments[i].n_runs != 1)
            return ROOF_NONE;
        timed = is_timed ? i : timed;
        n_timed += is_timed;
    }
    if (!n_timed && way == 1)
        return 0; /* passes alone: all have times */
    return n_timed == 1 ? timed : ROOF_NONE;
}

/* Gives bytes, operations and shares that one tool counts to rows of another, whose times are of
 * production. */
static roof_status join_kernels(roof_measured *m, const char **note, roof_error *err)
{
    uint32_t n_joined = 0, timed = ROOF_NONE;
    size_t way = 0;
    if (m->n_experiments < 2 || m->n_experiments != m->n_sources)
        return ROOF_OK;
    while (way < N_OF(counting) && (timed = find_timed(m, way)) == ROOF_NONE)
        way++;
    if (timed == ROOF_NONE)
        return ROOF_OK;
    roof_run *run = m->experiments[timed].runs;
    for (uint32_t i = 0; i < m->n_experiments; i++) {
        const roof_run *counted = m->experiments[i].runs;
        if (i == timed)
            continue;
        TRY(join_counted(m, run, counted, &n_joined, err));
        if (counted->n_tool_rules) {
            run->tool_rules = counted->tool_rules;
            run->n_tool_rules = counted->n_tool_rules;
        }
    }
    if (!n_joined)
        return ROOF_OK;
    *note = arena_printf(
        m->storage->arena,
        "%u of %u rows have what %s counted of kernels with their name, in their order; times are of %s",
        n_joined, run->n_layers, counting[way].name, counting[way].of_times);
    for (uint32_t i = m->n_experiments; i-- > 0;)
        if (i != timed)
            measured_remove_experiment(m, i);
    return *note ? source_add_note(m, &m->sources[timed], *note, err) : error_memory(err);
}

roof_status roof_import_join(roof_measured *m, const char **note, roof_error *err)
{
    parts p;
    *note = NULL;
    TRY(join_kernels(m, note, err));
    find_parts(m, &p);
    return !p.is_doubtful && p.n > 1 ? join(m, &p, note, err) : ROOF_OK;
}
