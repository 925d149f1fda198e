/* The program of a plan: a row for each epoch, with the bytes and cycles that the compiler counted. */
#include "model/graph/format.h"
#include "model/formats/neural_art/plan_build.h"
#include "model/graph/program_build.h"

#include <ctype.h>

/* The state of making one program. */
typedef struct epochs {
    program_builder *b;
    const roof_plan *plan; /* its ops may be NULL, when no epoch has one */
    uint32_t *memory_of;   /* of each pool of the plan: into program->memories, or ROOF_NONE */
} epochs;

static const char hardware_id[] = "stm32n6"; /* the only one with a Neural-ART */

roof_status plan_hardware(const roof_graph *graph, roof_hw **out, roof_error *err)
{
    (void)graph; /* epochs are planned for one accelerator, whose clocks are the user's to choose */
    return roof_hw_load(hardware_id, out, err);
}

/* ---- texts of a row ---- */

/* A kind takes a byte and a '+' of the text, but for a first one without a name: no more have room. */
enum { TYPE_SIZE = 96, MOST_KINDS = TYPE_SIZE / 2 + 1 };

/* Kinds of an epoch's operators, in the order of their first one. */
typedef struct kind_list {
    const char *names[MOST_KINDS];
    uint32_t counts[MOST_KINDS], n;
} kind_list;

/* "4 conv + mul + 2 add" */
static const char *type_of(const epochs *x, const roof_epoch *e)
{
    kind_list kinds = {.n = 0};
    char text[TYPE_SIZE] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < e->n_ops; i++) {
        const char *name = x->plan->ops[e->first_op + i].kind;
        const uint32_t at = WORD_AT(kinds.names, kinds.n, name);
        if (at == MOST_KINDS)
            continue;
        if (at == kinds.n)
            kinds.names[kinds.n++] = name;
        kinds.counts[at]++;
    }
    for (uint32_t i = 0; i < kinds.n && used < sizeof text - 1; i++) {
        char count[16] = "";
        if (kinds.counts[i] > 1)
            snprintf(count, sizeof count, "%u", kinds.counts[i]);
        int wrote =
            snprintf(text + used, sizeof text - used, "%s%s%.40s", used ? "+" : "", count, kinds.names[i]);
        used = wrote < 0 || (size_t)wrote >= sizeof text - used ? sizeof text - 1 : used + (size_t)wrote;
    }
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return program_share(x->b, used ? text : "epoch");
}

/* ---- work ---- */

/* Reads are weights where the pool holds nothing else, and input where it holds none. */
static roof_status set_traffic(const epochs *x, const roof_epoch *e, roof_traffic *t)
{
    uint64_t weights = 0, maps = 0, unsplit = 0, written = 0;
    bool fits = true;
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &x->plan->accesses[e->first_access + i];
        const roof_pool *pool = &x->plan->pools[a->pool];
        bool parameters = pool->content == ROOF_POOL_PARAMETERS || pool->read_only;
        uint64_t *sum = parameters ? &weights : pool->content == ROOF_POOL_FEATURE_MAPS ? &maps : &unsplit;
        fits = fits && !__builtin_add_overflow(*sum, a->read_bytes, sum) &&
               !__builtin_add_overflow(written, a->write_bytes, &written);
    }
    uint64_t all = 0;
    fits = fits && !__builtin_add_overflow(weights, maps, &all) &&
           !__builtin_add_overflow(all, unsplit, &all) && all < INT64_MAX && written < INT64_MAX;
    if (!fits)
        return error_set(x->b->err, ROOF_E_LIMIT, "the bytes of an epoch overflow 64 bits");
    *t = (roof_traffic){.weights_bytes = unsplit ? ROOF_UNKNOWN : weights,
                        .input_bytes = unsplit ? ROOF_UNKNOWN : maps,
                        .output_bytes = written,
                        .unsplit_bytes = unsplit ? all : 0,
                        .instruction_bytes = e->blob == ROOF_NONE ? 0 : ROOF_UNKNOWN};
    return ROOF_OK;
}

/* Traffic that the file does not state is unknown in every memory. */
static roof_status set_transfers(const epochs *x, const roof_epoch *e, roof_work *work)
{
    uint32_t most = e->moves_unknown ? x->b->out->n_memories : e->n_accesses;
    roof_transfer *transfers;
    TRY(ARENA_GET(x->b->rows, transfers, most, x->b->err));
    work->transfers = transfers;
    for (uint32_t i = 0; e->moves_unknown && i < most; i++)
        transfers[work->n_transfers++] = (roof_transfer){i, ROOF_UNKNOWN, ROOF_UNKNOWN, 0};
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &x->plan->accesses[e->first_access + i];
        uint32_t memory = x->memory_of[a->pool];
        if (memory != ROOF_NONE)
            transfers[work->n_transfers++] =
                (roof_transfer){memory, a->read_bytes, a->write_bytes,
                                a->read_cycles > a->write_cycles ? a->read_cycles : a->write_cycles};
    }
    return ROOF_OK;
}

static bool has_no_bound(const roof_epoch *e)
{
    return e->moves_unknown && e->compute_cycles == ROOF_UNKNOWN;
}

/* The host's part of an epoch. Where the file lists no buffers, its only operator still has a name. */
static roof_status set_host(const epochs *x, const roof_epoch *e, roof_row *row)
{
    roof_host_op *host;
    if (e->kind != ROOF_EPOCH_SW && e->kind != ROOF_EPOCH_HYBRID)
        return ROOF_OK;
    TRY(ARENA_GET(x->b->rows, host, 1, x->b->err));
    *host = (roof_host_op){.type = e->host_type,
                           .input_elements = e->host_input_elements,
                           .input_bytes = e->host_input_bytes,
                           .output_elements = e->host_output_elements,
                           .output_bytes = e->host_output_bytes,
                           .row_cells = e->host_row_cells};
    if (!host->type && e->kind == ROOF_EPOCH_SW && e->n_ops == 1)
        host->type = x->plan->ops[e->first_op].kind;
    row->host = host;
    return ROOF_OK;
}

/* Epochs on the CPU are not timed: the file states no time of theirs. */
static roof_status add_epoch(const epochs *x, const roof_layer *layer, const roof_epoch *e)
{
    roof_row *row = program_next_row(x->b);
    roof_work *work = &row->work;
    row->name = arena_strdup(x->b->arena, layer->name);
    row->part = program_share(x->b, e->blob == ROOF_NONE ? x->b->graph->name : x->plan->blobs[e->blob].name);
    row->type = type_of(x, e);
    TRY(ARENA_GET(x->b->arena, row->ops, e->n_ops, x->b->err));
    for (uint32_t i = 0; i < e->n_ops; i++)
        row->ops[row->n_ops++] = program_share(x->b, x->plan->ops[e->first_op + i].kind);
    row->executor = e->kind == ROOF_EPOCH_SW       ? ROOF_BY_HOST
                    : e->kind == ROOF_EPOCH_HYBRID ? ROOF_BY_BOTH
                                                   : ROOF_BY_ACCELERATOR;
    TRY(set_host(x, e, row));
    /* the host starts every blob and every other epoch; its own lie between */
    row->is_boundary = e->blob == ROOF_NONE || e == x->plan->epochs || e->blob != e[-1].blob;
    row->is_stated = true;
    row->macs = row->workload_ops = ROOF_UNKNOWN; /* operations are counted, not these */
    row->ops_count = e->ops_count;
    row->is_timed = e->kind != ROOF_EPOCH_SW && !has_no_bound(e);
    TRY(set_transfers(x, e, work));
    if (!e->moves_unknown) {
        TRY(set_traffic(x, e, &work->traffic));
        work->bytes_basis = ROOF_BASIS_FILE;
    }
    uint64_t *cycles;
    TRY(ARENA_GET(x->b->rows, cycles, 1, x->b->err));
    *cycles = e->compute_cycles;
    work->cycles = cycles;
    work->cycles_basis = e->compute_from_streams ? ROOF_BASIS_FORMULA : ROOF_BASIS_FILE;
    work->stated_cycles = e->stored_vendor_cycles;
    work->array = (roof_array_use){.units = e->conv_units,
                                   .macs_per_cycle = e->macs_per_unit,
                                   .other_ops = e->n_ops > e->conv_units ? e->n_ops - e->conv_units : 0};
    return ROOF_OK;
}

/* ---- findings ---- */

static void find_host_work(const epochs *x)
{
    const roof_plan *plan = x->plan;
    roof_findings *list = &x->b->out->findings[ROOF_ABOUT_WHOLE];
    uint32_t kinds[ROOF_EPOCH_KINDS] = {0};
    for (uint32_t i = 0; i < plan->n_epochs; i++)
        kinds[plan->epochs[i].kind]++;
    if (kinds[ROOF_EPOCH_SW] + kinds[ROOF_EPOCH_HYBRID])
        FIND(list, NULL, SOFTWARE_EPOCHS, AS_COUNT(plan->n_epochs), AS_COUNT(kinds[ROOF_EPOCH_SW]),
             AS_COUNT(kinds[ROOF_EPOCH_HYBRID]));
    if (kinds[ROOF_EPOCH_UNKNOWN])
        FIND(list, NULL, EPOCH_KINDS, AS_COUNT(kinds[ROOF_EPOCH_UNKNOWN]), AS_COUNT(plan->n_epochs));
    /* programs of the epoch controller: their bytes, where a file states them of all, and the largest */
    const roof_blob *largest = plan->blobs;
    double bytes = 0;
    for (uint32_t i = 0; i < plan->n_blobs && largest; i++) {
        const roof_blob *blob = &plan->blobs[i];
        bytes += (double)blob->bytes;
        largest = blob->bytes == ROOF_UNKNOWN ? NULL : blob->bytes > largest->bytes ? blob : largest;
    }
    if (plan->n_blobs && largest)
        FIND(list, NULL, BLOB_BYTES, AS_COUNT(plan->n_blobs), AS("B", bytes), AS_TEXT(largest->name),
             AS("B", largest->bytes));
    else if (plan->n_blobs)
        FIND(list, NULL, BLOB_CODE, AS_COUNT(plan->n_blobs));
}

static void find_unknown_moves(const epochs *x)
{
    static const roof_form forms[2][2] = {{ROOF_FORM_MOVES_UNKNOWN, ROOF_FORM_MOVES_UNBOUND},
                                          {ROOF_FORM_MOVES_COMPUTING, ROOF_FORM_MOVES_COMPUTING_UNBOUND}};
    uint32_t moves = 0, computing = 0, bounds = 0;
    FOR_EACH(const roof_epoch, e, x->plan->epochs, x->plan->n_epochs) {
        bool timed = e->moves_unknown && e->kind != ROOF_EPOCH_SW;
        moves += e->moves_unknown;
        bounds += timed && has_no_bound(e);
        computing += timed && !has_no_bound(e);
    }
    if (!moves)
        return;
    roof_remark remark = {forms[computing > 0][bounds > 0], {AS_COUNT(moves), AS_COUNT(x->plan->n_epochs)}};
    if (computing || bounds)
        remark.operands[2] = AS_COUNT(computing ? computing : bounds);
    if (computing && bounds)
        remark.operands[3] = AS_COUNT(bounds);
    finding_add(&x->b->out->findings[ROOF_ABOUT_WHOLE], NULL, &remark);
}

/* ---- the program ---- */

static roof_status describe(epochs *x)
{
    roof_program *out = x->b->out;
    const char *const paths[] = {x->plan->trace_path, x->plan->report_path, x->plan->pools_path};
    TRY(ARENA_GET(x->b->arena, out->beside, N_OF(paths), x->b->err));
    for (size_t i = 0; i < N_OF(paths); i++)
        if (paths[i])
            out->beside[out->n_beside++] = arena_strdup(x->b->arena, paths[i]);
    out->name = arena_strdup(x->b->arena, x->b->graph->name);
    out->is_started_by_rows = true;
    out->words[ROOF_BY_ACCELERATOR] = out->words[ROOF_BY_NOBODY] = "NPU";
    out->words[ROOF_BY_HOST] = "CPU";
    out->words[ROOF_BY_BOTH] = "NPU+CPU";
    out->engines[out->n_engines++] = "compute";
    out->target.name = "Neural-ART";
    out->target.family = "neural_art";
    out->target.text = "a plan for a Neural-ART: it holds epochs and bytes";
    out->target.plan_of = "a plan for a Neural-ART: it holds epochs and bytes, but no shapes";
    out->target.hardware = hardware_id;
    return ROOF_OK;
}

roof_status plan_program(program_builder *b)
{
    epochs x = {.b = b, .plan = roof_plan_of(b->graph)};
    if (!x.plan->n_epochs)
        return error_set(b->err, ROOF_E_UNSUPPORTED, "was read for its memory alone, and has no epochs");
    TRY(describe(&x));
    roof_pool *memories;
    TRY(ARENA_GET2(b->rows, memories, x.memory_of, x.plan->n_pools, b->err));
    for (uint32_t i = 0; i < x.plan->n_accesses; i++)
        if (x.plan->accesses[i].read_bytes || x.plan->accesses[i].write_bytes)
            x.memory_of[x.plan->accesses[i].pool] = 1;
    for (uint32_t i = 0; i < x.plan->n_pools; i++) {
        bool used = x.memory_of[i];
        x.memory_of[i] = used ? b->out->n_memories : ROOF_NONE;
        if (used)
            memories[b->out->n_memories++] = x.plan->pools[i];
    }
    b->out->memories = memories;
    TRY(ARENA_GET(b->rows, b->out->rows, b->graph->n_layers, b->err));
    for (uint32_t i = 0; i < b->graph->n_layers; i++)
        TRY(add_epoch(&x, &b->graph->layers[i], &x.plan->epochs[i]));
    /* of what the law reads; sizes and flags change nothing here */
    FOR_EACH(const roof_pool_difference, d, x.plan->differences, x.plan->n_differences) {
        if (strcmp(d->what, "byte_width") == 0 || strcmp(d->what, "freq_ratio") == 0)
            FIND(&b->out->findings[ROOF_ABOUT_ROWS], NULL, PLAN_POOL_DIFFERS, AS_TEXT(d->pool),
                 AS_TEXT(d->what), AS("", d->in_plan), AS("", d->in_file), AS_TEXT(x.plan->pools_path));
    }
    find_host_work(&x);
    if (x.plan->report_differs)
        FIND(&b->out->findings[ROOF_ABOUT_WHOLE], NULL, OTHER_REPORT, AS_TEXT(x.plan->report_path),
             AS_TEXT(x.plan->report_differs));
    find_unknown_moves(&x);
    uint64_t bytes = 0, n = 0;
    FOR_EACH(const roof_epoch, e, x.plan->epochs, x.plan->n_epochs) {
        if (!checked_add_known(&bytes, e->outside_bytes))
            return error_set(b->err, ROOF_E_LIMIT, "a total overflows 64 bits");
        n += e->outside_bytes > 0;
    }
    if (bytes)
        FIND(&b->out->findings[ROOF_ABOUT_WHOLE], NULL, OUTSIDE_BYTES, AS("B", bytes), AS_COUNT(n));
    return ROOF_OK;
}

/* --- names of epochs in profiles ----------------------------------------------------------------------- */

/* Takes a decimal number of at most nine digits off the text. */
static bool take_number(text_span *rest, uint32_t *out)
{
    uint64_t n = 0;
    size_t before = rest->length;
    bool good = !span_begins(*rest, "0x") && span_take_whole(rest, &n) && before - rest->length <= 9;
    *out = (uint32_t)n;
    return good;
}

/* "epoch_5" and "EpochBlock_5" are 5 to 5, "EpochBlock_1 -> 22" is a program of the epoch controller from 1
 * to 22, and "EpochBlock_53 (3)" is a part that the runtime puts into 53. */
bool plan_epochs_named(const char *name, numbered_rows *out)
{
    text_span rest = span_of(name);
    uint32_t part;
    *out = (numbered_rows){0};
    if ((!span_skip(&rest, "epoch_") && !span_skip(&rest, "EpochBlock_")) || !take_number(&rest, &out->first))
        return false;
    out->last = out->first;
    if (span_skip(&rest, " -> "))
        return take_number(&rest, &out->last) && !rest.length && out->last >= out->first;
    out->is_part = span_skip(&rest, " (");
    return out->is_part ? take_number(&rest, &part) && span_is(rest, ")") : !rest.length;
}
