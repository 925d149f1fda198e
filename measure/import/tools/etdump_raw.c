/* ETDump of ExecuTorch, NETWORK.etdp, as a runner writes it: a FlatBuffer with the identifier ED00, mostly
 * behind four bytes with its size. Tables and their fields, in the order of the schema:
 *
 *   ETDump        version, run_data: a block for each of init, execute, execute, ...
 *   RunData       name, bundled_input_index, allocators, events
 *   Event         profile_event, allocation_event, debug_event: one of them
 *   ProfileEvent  name, chain_index, instruction_id, delegate_debug_id_int, delegate_debug_id_str,
 *                 delegate_debug_metadata, start_time, end_time
 *
 * A block with Method::execute is an inference. Events are written when they end, so that those inside of
 * another one stand before it. An event that holds others of its instruction is no row; a DELEGATE_CALL and
 * an OPERATOR_CALL hold what they share their instruction with whatever the times are, since a delegate may
 * have a clock of its own. Events of a delegate have a text or a number for a name; the meaning of the number
 * stands in the .etrecord, which holds graphs as PyTorch serializes them and is not read here.
 *
 * Ticks are nanoseconds, as ExecuTorch's Inspector takes them, unless --map time=us or clock=400MHz says
 * otherwise: a runner on bare metal has cycles of its processor.
 * Source: pytorch/executorch, the schema of etdump at a7a24d20, its writer at 00f16074.
 */
#include "core/bytes.h"
#include "core/flatbuffer.h"
#include "measure/import/row.h"
#include "measure/import/timings.h"
#include "measure/import/tools/arm/ethosu_counts.h"

enum { LEAST_EVENT_BYTES = 4, MOST_NAME_BYTES = 1000 };

/* An event of the last instruction that no later one holds so far. */
typedef struct open_event {
    uint64_t start, end;
    double setup_s; /* of it, if it is one of setting up */
} open_event;

typedef struct reading {
    import_state *in;
    row_timings rows, totals;
    uint64_t n_events, n_inferences, n_delegate_calls;
    uint64_t n_holders, n_backwards, n_nameless, n_delegated;
    double setup_s;
    open_event *open;
    uint32_t n_open, room_open;
    int64_t instruction; /* of these */
} reading;

typedef struct event {
    text_span name;
    int64_t instruction, delegate_id;
    bool is_delegate; /* it has a number or a text for what a delegate did */
    uint64_t start, end;
} event;

/* --- the bytes ---------------------------------------------------------------------------------------- */

static const char identifier[] = "ED00";

static bool is_etdump(const unsigned char *bytes, size_t at)
{
    return memcmp(bytes + at, identifier, sizeof identifier - 1) == 0;
}

/* Zeros follow the text that is sniffed. */
static unsigned sniff(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    return is_etdump(bytes, 4) || is_etdump(bytes, 8) ? SNIFF_SURE : 0;
}

/* --- events ------------------------------------------------------------------------------------------- */

static roof_status read_event(const fb_table *table, event *e, roof_error *err)
{
    enum { NAME, CHAIN, INSTRUCTION, DELEGATE_ID, DELEGATE_NAME, METADATA, START, END };
    text_span of_delegate;
    TRY(fb_string(table, NAME, &e->name, err));
    TRY(fb_signed(table, INSTRUCTION, 4, -1, &e->instruction, err));
    TRY(fb_signed(table, DELEGATE_ID, 4, -1, &e->delegate_id, err));
    TRY(fb_string(table, DELEGATE_NAME, &of_delegate, err));
    TRY(fb_unsigned(table, START, 8, 0, &e->start, err));
    TRY(fb_unsigned(table, END, 8, 0, &e->end, err));
    e->is_delegate = of_delegate.length || e->delegate_id >= 0;
    if (!e->name.length)
        e->name = of_delegate;
    return e->name.length <= MOST_NAME_BYTES
               ? ROOF_OK
               : error_data(err, "an event's name of %zu bytes, want %d at most", e->name.length,
                            MOST_NAME_BYTES);
}

/* Takes off the events that this one holds: of its instruction, which were written before it. With a coarse
 * clock, an event of no time that began with it may be the one before it. *inner_s: what they tell of the
 * time to set up. */
static roof_status take_inner(reading *r, const event *e, bool *holds, double *inner_s, roof_error *err)
{
    *holds = false;
    *inner_s = 0;
    r->n_open = r->instruction == e->instruction ? r->n_open : 0;
    r->instruction = e->instruction;
    while (r->n_open) {
        const open_event *inner = &r->open[r->n_open - 1];
        if (inner->start < e->start || inner->end > e->end ||
            (inner->start == e->start && inner->end == inner->start))
            break;
        *inner_s += inner->setup_s;
        *holds = true;
        r->n_open--;
    }
    const open_event new = {.start = e->start, .end = e->end};
    if (r->n_open == r->room_open)
        TRY(ARENA_ADD(r->in->scratch, r->open, r->room_open, err, new));
    r->open[r->n_open++] = new;
    return ROOF_OK;
}

static roof_status add_row(reading *r, const event *e, double seconds, roof_error *err)
{
    char number[40];
    uint32_t row;
    text_span name = e->name;
    if (!name.length && e->delegate_id < 0) {
        r->n_nameless++;
        return ROOF_OK;
    }
    if (!name.length) {
        snprintf(number, sizeof number, "delegate event %lld", (long long)e->delegate_id);
        name = span_of(number);
    }
    TRY(import_check_name(name, err));
    r->n_delegated += e->is_delegate;
    uint64_t tag = (uint64_t)(uint32_t)e->instruction << 32 | (uint32_t)e->delegate_id;
    TRY(timings_row_of(r->in, &r->rows, name, tag, &row, err));
    return timings_add(&r->rows, row, seconds, err);
}

/* last: the instruction of what the delegate did, or the operator, before this event; -1: none. */
static roof_status take_event(reading *r, const event *e, int64_t *last, roof_error *err)
{
    bool holds = false, is_call = span_is(e->name, "DELEGATE_CALL") || span_is(e->name, "OPERATOR_CALL");
    double seconds = (double)(e->end - e->start) / r->in->told_hz, inner_s;
    uint32_t row;
    if (e->end < e->start) {
        r->n_backwards++;
        return ROOF_OK;
    }
    TRY(take_inner(r, e, &holds, &inner_s, err));
    r->n_delegate_calls += span_is(e->name, "DELEGATE_CALL");
    if (span_is(e->name, "Method::execute")) {
        r->n_inferences++;
        TRY(timings_row_of(r->in, &r->totals, e->name, 0, &row, err));
        return timings_add(&r->totals, row, seconds, err);
    }
    if (span_begins(e->name, "Method::") || span_begins(e->name, "Program::")) {
        r->setup_s += seconds - inner_s; /* loading a program holds setting up its method */
        r->open[r->n_open - 1].setup_s = seconds;
        return ROOF_OK;
    }
    if (holds || (is_call && e->instruction >= 0 && *last == e->instruction)) {
        r->n_holders++;
        return ROOF_OK;
    }
    if (!is_call)
        *last = e->instruction;
    return add_row(r, e, seconds, err);
}

static roof_status read_block(reading *r, const fb_table *block, roof_error *err)
{
    enum { EVENTS = 3, PROFILE = 0 };
    int64_t last = -1;
    fb_vector events;
    TRY(fb_elements(block, EVENTS, 4, &events, err));
    /* Blocks may name one list of events again and again, so that a small file had events without end. */
    r->n_events += events.n;
    if (r->n_events > r->in->n_whole / LEAST_EVENT_BYTES)
        return error_data(err, "more events than %zu bytes can hold: the file is damaged", r->in->n_whole);
    r->n_open = 0;
    for (uint32_t i = 0; i < events.n; i++) {
        fb_table each, profile;
        event e = {0};
        bool is_there = false;
        TRY(fb_table_of(&events, i, &each, err));
        TRY(fb_enter(&each, PROFILE, &profile, &is_there, err));
        if (!is_there)
            continue;
        TRY(read_event(&profile, &e, err));
        TRY(take_event(r, &e, &last, err));
    }
    return ROOF_OK;
}

static roof_status read_dump(reading *r, roof_error *err)
{
    enum { RUN_DATA = 1, SIZE_BYTES = 4 };
    fb_table root;
    fb_vector blocks;
    bool is_bare = r->in->n_whole >= 8 && is_etdump(r->in->whole, 4),
         has_size = !is_bare && r->in->n_whole >= 12 && is_etdump(r->in->whole, 8);
    if (!is_bare && !has_size)
        return error_data(err, "no identifier ED00 in the first 12 bytes, want an ETDump of ExecuTorch");
    const unsigned char *file = r->in->whole + (has_size ? SIZE_BYTES : 0);
    uint64_t size = r->in->n_whole - (has_size ? SIZE_BYTES : 0);
    if (has_size) {
        const uint32_t stated = bytes_u32(r->in->whole);
        if (stated > size)
            return error_data(err, "it ends after %llu of %u bytes: is the file whole?",
                              (unsigned long long)size, stated);
        size = stated;
    }
    TRY(fb_root(file, size, &root, err));
    TRY(fb_elements(&root, RUN_DATA, 4, &blocks, err));
    for (uint32_t i = 0; i < blocks.n; i++) {
        fb_table block;
        TRY(fb_table_of(&blocks, i, &block, err));
        TRY(read_block(r, &block, err));
    }
    return ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    TRY(read_dump(r, err));
    if (!r->rows.n_rows && !r->n_inferences)
        return error_data(
            err, "no event with a time: build the runner with the event tracer, and profile Method::execute");
    TRY(timings_add_run(r->in, &r->rows, &run, err));
    if (r->n_inferences)
        TRY(timings_times(&r->totals, 0, &run->total, err));
    run->setup_s = r->setup_s > 0 ? r->setup_s : NAN;
    if (!r->in->options->map)
        import_note(r->in, "a tick is taken for a nanosecond, as ExecuTorch's Inspector does: --map time=us "
                           "or --map clock=400MHz says otherwise");
    import_note_count(r->in, r->n_holders, "events hold others, and are left out");
    import_note_count(r->in, r->n_backwards, "events end before they begin, and are left out");
    import_note_count(r->in, r->n_nameless, "events have no name, and are left out");
    import_note_count(
        r->in, r->n_delegated,
        "events are of delegates, which may have a clock of their own: compare their sum with the total");
    import_sum_iterations(r->in, run, r->n_inferences);
    /* Each is a start of the accelerator, and rows may be many of one. */
    if (r->n_inferences && r->n_delegate_calls && r->n_delegate_calls % r->n_inferences == 0 &&
        r->n_delegate_calls / r->n_inferences < ROOF_NONE)
        run->launches = (uint32_t)(r->n_delegate_calls / r->n_inferences);
    return ROOF_OK;
}

static roof_status begin(reading *r, roof_error *err)
{
    const char *map = r->in->options->map;
    csvmap_units units = {0};
    r->in->told_hz = 1e9;
    if (map && csvmap_is_units(map, &units) && units.per_second > 0)
        r->in->told_hz = units.per_second;
    else if (map && strncmp(map, "clock=", 6) == 0)
        return ethosu_begin(r, err);
    else if (map)
        return error_set(err, ROOF_E_USAGE,
                         "--map '%s', want what a tick is, time=us or clock=400MHz; names of an .etrecord "
                         "are read by ExecuTorch alone: Inspector(etdump_path=..., "
                         "etrecord=...).save_data_to_tsv() writes a table with them, which is imported",
                         SHOWN_TEXT(map));
    return ROOF_OK;
}

const importer_def importer_etdump_raw = {.id = "etdump_raw",
                                          .tool = "ExecuTorch",
                                          .sniff = sniff,
                                          ROWS_ONLY,
                                          .takes_map = true,
                                          .unverified = true,
                                          .reading_bytes = sizeof(reading),
                                          .begin = begin,
                                          .whole_instead = "write an ETDump of fewer inferences",
                                          .finish = finish};
