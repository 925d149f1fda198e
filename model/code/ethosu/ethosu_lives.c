/* Two passes over what launches touch: the first one finds where ranges begin and end, so that all cells
 * between two of these bounds have one history; the second one follows these histories. Memory grows with the
 * bounds, and not with addresses. */
#include "model/code/ethosu/ethosu_lives.h"

/* Cells of equal history, from a bound to the next. */
typedef struct cell_run {
    uint32_t first, last; /* groups; first ROOF_NONE: nothing is alive */
    uint32_t writer;
    bool is_by_dma, is_read;
    uint32_t reader; /* the last one, so that not each launch of it is noted */
} cell_run;

/* A group reads what another one wrote in a run. */
typedef struct run_flow {
    uint32_t writer, reader, run;
} run_flow;

/* A life of one run. */
typedef struct run_life {
    uint32_t run, first, last, writer;
    bool is_by_dma;
} run_life;

typedef struct tracer tracer;
typedef roof_status touch(tracer *t, uint64_t first_cell, uint64_t end_cell);

struct tracer {
    const ethosu_stream *s;
    uint32_t region;
    ethosu_budget *budget;
    roof_arena *arena;
    roof_error *err;
    uint32_t *step_first, *step_last; /* groups, of each group's step */
    uint64_t *bounds;                 /* cells; sorted and without repetitions before the second pass */
    uint32_t n_bounds, room;
    cell_run *runs; /* n_bounds of them, the last one without cells */
    run_life *lives;
    uint32_t n_lives;
    bool notes_flows;
    run_flow *flows;
    uint32_t n_flows;
    /* The access that is walked over. */
    touch *touch;
    bool is_write;
    const ethosu_launch *launch;
};

ethosu_budget ethosu_budget_of(uint64_t words)
{
    return (ethosu_budget){
        .steps = (UINT64_C(1) << 18) + 256 * words, .ranges = 6144 + 32 * words, .lives = 1024 + 4 * words};
}

static roof_status spend(tracer *t, uint64_t *left, uint64_t n)
{
    if (n > *left)
        return error_set(t->err, ROOF_E_LIMIT,
                         "its launches touch memory in more pieces than a command stream of its length is "
                         "followed through");
    *left -= n;
    return ROOF_OK;
}

/* ---- ranges that a launch touches ---------------------------------------------------------------------- */

static roof_status touch_bytes(tracer *t, uint64_t base, uint64_t bytes)
{
    if (!bytes)
        return ROOF_OK;
    TRY(spend(t, &t->budget->steps, 1));
    return t->touch(t, base / ETHOSU_CELL_BYTES, (base + bytes - 1) / ETHOSU_CELL_BYTES + 1);
}

/* Two axes of pieces that are alike. Pieces with less than a cell between them touch all cells from the first
 * one to the last one. */
static roof_status touch_pieces(tracer *t, uint64_t base, uint64_t bytes, const uint64_t counts[2],
                                const uint64_t strides[2])
{
    uint64_t n[2] = {counts[0], counts[1]};
    for (int axis = 1; axis >= 0 && (axis || n[1] == 1); axis--)
        if (strides[axis] < bytes + ETHOSU_CELL_BYTES) {
            bytes = (n[axis] - 1) * strides[axis] + bytes;
            n[axis] = 1;
        }
    for (uint64_t i = 0; i < n[0]; i++)
        for (uint64_t k = 0; k < n[1]; k++)
            TRY(touch_bytes(t, base + i * strides[0] + k * strides[1], bytes));
    return ROOF_OK;
}

/* A tile: rows by columns that lie in the strides of one base. */
static roof_status touch_tile(tracer *t, const ethosu_map *m, uint64_t base, uint32_t height, uint32_t width)
{
    const uint64_t element = m->element_bits / 8U;
    if (!height || !width)
        return ROOF_OK;
    if (m->layout == ETHOSU_NHCWB16)
        return touch_pieces(t, base, 16 * element * width,
                            (const uint64_t[]){height, ((uint64_t)m->depth + 15) / 16},
                            (const uint64_t[]){m->stride_y, m->stride_c});
    return touch_pieces(t, base, m->depth * element, (const uint64_t[]){height, width},
                        (const uint64_t[]){m->stride_y, m->stride_x});
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static roof_status touch_map(tracer *t, const ethosu_map *m)
{
    const uint32_t width = least(m->width, m->tile_width0);
    const uint32_t heights[] = {least(m->height, m->tile_height0), least(m->height, m->tile_height1)};
    if (m->storage != ETHOSU_IN_MEMORY || m->region != t->region)
        return ROOF_OK;
    TRY(touch_tile(t, m, m->base[0], heights[0], width));
    TRY(touch_tile(t, m, m->base[1], heights[1], m->width - width));
    TRY(touch_tile(t, m, m->base[2], m->height - heights[0], width));
    return touch_tile(t, m, m->base[3], m->height - heights[1], m->width - width);
}

static roof_status read_launch(tracer *t, const ethosu_launch *l)
{
    if (l->kind == ETHOSU_DMA)
        return l->dma_source_region == t->region ? touch_bytes(t, l->dma_source, l->dma_bytes) : ROOF_OK;
    TRY(touch_map(t, &l->ifm));
    if (l->has_ifm2 && !l->ifm2_is_scalar)
        TRY(touch_map(t, &l->ifm2));
    for (int i = 0; i < ETHOSU_CORES; i++) {
        if (l->weight_region == t->region)
            TRY(touch_bytes(t, l->weights[i].base, l->weights[i].bytes));
        if (l->scale_region == t->region)
            TRY(touch_bytes(t, l->scales[i].base, l->scales[i].bytes));
    }
    return ROOF_OK;
}

static roof_status walk(tracer *t, touch *to)
{
    t->touch = to;
    for (uint32_t i = 0; i < t->s->n_launches; i++) {
        t->launch = &t->s->launches[i];
        t->is_write = false;
        TRY(read_launch(t, t->launch));
        t->is_write = true;
        const ethosu_launch *l = t->launch;
        if (l->kind != ETHOSU_DMA)
            TRY(touch_map(t, &l->ofm));
        else if (l->dma_target_region == t->region)
            TRY(touch_bytes(t, l->dma_target, l->dma_bytes));
    }
    return ROOF_OK;
}

/* ---- bounds -------------------------------------------------------------------------------------------- */

static void sort_bounds(tracer *t)
{
    uint32_t n = 0;
    ORDER_VALUES(t->bounds, t->n_bounds);
    for (uint32_t i = 0; i < t->n_bounds; i++)
        if (!n || t->bounds[i] != t->bounds[n - 1])
            t->bounds[n++] = t->bounds[i];
    t->n_bounds = n;
}

/* Most launches touch what others do: repetitions go before there is more room. */
static roof_status add_bounds(tracer *t, uint64_t first_cell, uint64_t end_cell)
{
    if (t->n_bounds + 2 > t->room) {
        sort_bounds(t);
        if (t->n_bounds > t->budget->ranges)
            return spend(t, &t->budget->ranges, t->n_bounds);
        if (t->n_bounds >= t->room / 2) {
            uint64_t *more;
            t->room = t->room ? 2 * t->room : 256;
            TRY(ARENA_GET(t->arena, more, t->room, t->err));
            if (t->n_bounds)
                memcpy(more, t->bounds, t->n_bounds * sizeof *more);
            t->bounds = more;
        }
    }
    t->bounds[t->n_bounds++] = first_cell;
    t->bounds[t->n_bounds++] = end_cell;
    return ROOF_OK;
}

static uint64_t cell_of(const void *bound)
{
    return *(const uint64_t *)bound;
}

/* The run that begins at a bound. */
static uint32_t run_at(const tracer *t, uint64_t cell)
{
    return lower_bound_search(t->bounds, t->n_bounds, sizeof *t->bounds, cell, cell_of);
}

/* ---- histories ----------------------------------------------------------------------------------------- */

static roof_status end_life(tracer *t, uint32_t run)
{
    cell_run *r = &t->runs[run];
    TRY(spend(t, &t->budget->ranges, 1));
    TRY(ARENA_ADD(t->arena, t->lives, t->n_lives, t->err,
                  (run_life){run, r->first, r->last, r->writer, r->is_by_dma}));
    r->first = ROOF_NONE;
    return ROOF_OK;
}

static roof_status follow(tracer *t, uint64_t first_cell, uint64_t end_cell)
{
    const uint32_t from = run_at(t, first_cell), to = run_at(t, end_cell);
    const uint32_t group = t->launch->group, first = t->step_first[group], last = t->step_last[group];
    TRY(spend(t, &t->budget->steps, to - from));
    for (uint32_t i = from; i < to; i++) {
        cell_run *r = &t->runs[i];
        /* a cell that a step wrote and read lives on where it is written again: it is alive in all of it */
        if (t->is_write && r->first != ROOF_NONE && r->is_read &&
            (r->first != first || r->writer == ROOF_NONE))
            TRY(end_life(t, i));
        if (r->first == ROOF_NONE)
            *r = t->is_write ? (cell_run){first, last, group, t->launch->kind == ETHOSU_DMA, false, ROOF_NONE}
                             : (cell_run){0, last, ROOF_NONE, false, true, ROOF_NONE};
        if (!t->is_write && t->notes_flows && r->writer != ROOF_NONE && r->writer != group &&
            r->reader != group) {
            r->reader = group;
            TRY(spend(t, &t->budget->ranges, 1));
            TRY(ARENA_ADD(t->arena, t->flows, t->n_flows, t->err, (run_flow){r->writer, group, i}));
        }
        r->is_read = !t->is_write;
        r->last = last > r->last ? last : r->last;
    }
    return ROOF_OK;
}

/* ---- lives --------------------------------------------------------------------------------------------- */

/* Neighbours of one writer with equal lifetimes are one. */
static roof_status join_neighbours(tracer *t, ethosu_life **lives, uint32_t *n_lives)
{
    *lives = NULL;
    *n_lives = 0;
    /* Lives that differ in their place alone stand one behind the other. */
    order_sort(t->lives, t->n_lives, sizeof *t->lives,
               ORDER_BY(RISING(run_life, writer), RISING(run_life, is_by_dma), RISING(run_life, first),
                        RISING(run_life, last), RISING(run_life, run)));
    FOR_EACH(const run_life, l, t->lives, t->n_lives) {
        const ethosu_range bytes = {t->bounds[l->run] * ETHOSU_CELL_BYTES,
                                    t->bounds[l->run + 1] * ETHOSU_CELL_BYTES};
        ethosu_life *before = *n_lives ? &(*lives)[*n_lives - 1] : NULL;
        if (before && before->bytes.hi == bytes.lo && before->writer == l->writer &&
            before->is_by_dma == l->is_by_dma && before->first == l->first && before->last == l->last) {
            before->bytes.hi = bytes.hi;
            continue;
        }
        TRY(spend(t, &t->budget->lives, 1));
        TRY(ARENA_ADD(t->arena, *lives, *n_lives, t->err,
                      (ethosu_life){bytes, l->first, l->last, l->writer, l->is_by_dma}));
    }
    return ROOF_OK;
}

static roof_status trace(tracer *t, const ethosu_range *outputs, uint32_t n_outputs)
{
    /* layers take turns where the launches of one begin before those of another end. DMAs that wait for a
     * launch run ahead of it and take no turn */
    TRY(ARENA_GET2(t->arena, t->step_first, t->step_last, t->s->n_groups, t->err));
    uint32_t first = 0, begin = 0, end = 0; /* of the step: its first group, and its launches */
    for (uint32_t g = 0; g < t->s->n_groups; g++) {
        const ethosu_group *group = &t->s->groups[g];
        const uint32_t last = group->members[group->n_members - 1];
        if (!g || group->first > end || group->first < begin) {
            first = g;
            begin = group->first;
            end = last;
        }
        end = last > end ? last : end;
        t->step_first[g] = first;
    }
    for (uint32_t g = t->s->n_groups; g-- > 0;)
        t->step_last[g] =
            g + 1 < t->s->n_groups && t->step_first[g + 1] == t->step_first[g] ? t->step_last[g + 1] : g;
    TRY(walk(t, add_bounds));
    for (uint32_t k = 0; t->n_bounds && k < n_outputs; k++)
        TRY(add_bounds(t, outputs[k].lo / ETHOSU_CELL_BYTES,
                       (outputs[k].hi + ETHOSU_CELL_BYTES - 1) / ETHOSU_CELL_BYTES));
    sort_bounds(t);
    TRY(spend(t, &t->budget->ranges, t->n_bounds));
    TRY(ARENA_GET(t->arena, t->runs, t->n_bounds, t->err));
    for (uint32_t i = 0; i < t->n_bounds; i++)
        t->runs[i].first = t->runs[i].reader = ROOF_NONE;
    return walk(t, follow);
}

roof_status ethosu_lives_of(const ethosu_stream *stream, uint32_t region, const ethosu_range *outputs,
                            uint32_t n_outputs, ethosu_budget *budget, roof_arena *arena, ethosu_life **lives,
                            uint32_t *n_lives, roof_error *err)
{
    tracer t = {.s = stream, .region = region, .budget = budget, .arena = arena, .err = err};
    TRY(trace(&t, outputs, n_outputs));
    for (uint32_t k = 0; k < n_outputs; k++) {
        const uint32_t to = run_at(&t, (outputs[k].hi + ETHOSU_CELL_BYTES - 1) / ETHOSU_CELL_BYTES);
        for (uint32_t i = run_at(&t, outputs[k].lo / ETHOSU_CELL_BYTES); i < to; i++)
            t.runs[i].is_read = false;
        TRY(spend(&t, &t.budget->steps, t.n_bounds));
    }
    for (uint32_t i = 0; i < t.n_bounds; i++)
        if (t.runs[i].first != ROOF_NONE) {
            if (!t.runs[i].is_read)
                t.runs[i].last = t.s->n_groups - 1;
            TRY(end_life(&t, i));
        }
    return join_neighbours(&t, lives, n_lives);
}

roof_status ethosu_flows_of(const ethosu_stream *stream, uint32_t region, ethosu_budget *budget,
                            roof_arena *arena, ethosu_flow **flows, uint32_t *n_flows, roof_error *err)
{
    tracer t = {
        .s = stream, .region = region, .budget = budget, .arena = arena, .err = err, .notes_flows = true};
    *flows = NULL;
    *n_flows = 0;
    TRY(trace(&t, NULL, 0));
    const order_key *by_groups =
        ORDER_BY(RISING(run_flow, writer), RISING(run_flow, reader), RISING(run_flow, run));
    order_sort(t.flows, t.n_flows, sizeof *t.flows, by_groups);
    for (uint32_t i = 0; i < t.n_flows; i++) {
        const run_flow *f = &t.flows[i];
        ethosu_flow *last = *n_flows ? &(*flows)[*n_flows - 1] : NULL;
        if (i && order_compare(f, f - 1, by_groups) == 0)
            continue;
        if (!last || last->writer != f->writer || last->reader != f->reader) {
            TRY(ARENA_MORE(arena, *flows, *n_flows, err));
            last = &(*flows)[(*n_flows)++];
            *last = (ethosu_flow){f->writer, f->reader, 0};
        }
        last->bytes += (t.bounds[f->run + 1] - t.bounds[f->run]) * ETHOSU_CELL_BYTES; /* below 2^44 in all */
    }
    return ROOF_OK;
}
