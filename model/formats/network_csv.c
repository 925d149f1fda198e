/* network.csv: what the Neural-ART compiler writes with --csv-file. A row an epoch: for every memory pool the
 * bytes and cycles of reads and writes, then what goes through the two bus ports, operations, cycles and
 * power. Behind the rows stand totals, which are held against the rows, so that a table that was cut is not
 * taken for a smaller network.
 *
 * Neither the kind of an epoch nor its operators are there, and no width or ratio of a pool. */
#include "core/files/csvin.h"
#include "model/graph/format.h"
#include "model/formats/neural_art/plan_build.h"

/* The six columns of a pool, in this order. */
enum { READ, WRITE, READ_WRITE, READ_CYCLES, WRITE_CYCLES, CYCLES, POOL_COLUMNS };
static const char *const pool_suffixes[POOL_COLUMNS] = {" (r)",        " (w)",        " (r+w)",
                                                        " (r cycles)", " (w cycles)", " (cycles)"};

/* Columns behind the pools that are kept; others are shares and power. "cyles" is the compiler's spelling. */
typedef struct kept_column {
    const char *name, *total; /* total: the key of its sum behind the rows */
    size_t offset;            /* in roof_epoch */
    bool is_needed;
} kept_column;

static const kept_column kept[] = {
    {"max (cycles)", "Total cycles", offsetof(roof_epoch, stored_vendor_cycles), true},
    {"epoch compute (cyles)", "Total ideal cycles", offsetof(roof_epoch, compute_cycles), true},
    {"epoch OPS", "Total OPS", offsetof(roof_epoch, ops_count), false},
    {"bus port 1 (r)", NULL, offsetof(roof_epoch, port_read_bytes[1]), false},
    {"bus port 1 (w)", NULL, offsetof(roof_epoch, port_write_bytes[1]), false},
    {"bus port 0 (r)", NULL, offsetof(roof_epoch, port_read_bytes[0]), false},
    {"bus port 0 (w)", NULL, offsetof(roof_epoch, port_write_bytes[0]), false},
};
enum { N_KEPT = N_OF(kept), MAX_COLUMNS = 1 + POOL_COLUMNS * PLAN_MAX_POOLS + 64 };

typedef struct reader {
    plan_build build;
    roof_arena *scratch;
    csvin in;
    csvin_cell *names;               /* of the columns */
    uint32_t n_columns, first_other; /* behind those of the pools */
    uint32_t place[N_KEPT];          /* the column of each, 0: it is not there */
    uint64_t *values, *sums;         /* of the columns that are counts */
    bool *is_count;
    uint64_t n_rows, last_number;
    bool in_totals, has_total_row, has_total_cycles;
    roof_error *err;
} reader;

/* An error in the line that is read. */
#define fail_row(r, ...) error_line((r)->err, ROOF_E_DATA, (r)->in.line, __VA_ARGS__)

/* Adds the line to what the builder, which knows of no lines, found wrong. */
static roof_status at_line(const reader *r, roof_status status)
{
    if (status == ROOF_E_DATA && r->err)
        r->err->line = r->in.line;
    return status;
}

/* ---- the columns ---- */

/* Column at begins a pool: the five behind it must be those of the same one. */
static roof_status read_pool_columns(reader *r, uint32_t at, csvin_cell pool)
{
    for (uint32_t i = 1; i < POOL_COLUMNS; i++) {
        const csvin_cell name = at + i < r->n_columns ? r->names[at + i] : (csvin_cell){"", 0};
        csvin_cell rest = name;
        if (span_skip_end(&rest, pool_suffixes[i]) && span_same(rest, pool))
            continue;
        return fail_row(r, "column %u is '%s', want '%s%s'", at + i + 1, SHOWN(name), SHOWN(pool),
                        pool_suffixes[i]);
    }
    return at_line(r, plan_add_pool(&r->build, arena_strndup(r->build.arena, pool.text, pool.length)));
}

/* ---- an epoch ---- */

static roof_status fail_cell(reader *r, uint32_t column, const char *want)
{
    return fail_row(r, "column '%s' is '%s', want %s", SHOWN(r->names[column]), SHOWN(r->in.cells[column]),
                    want);
}

static roof_status check_sum(reader *r, uint32_t column, uint64_t a, uint64_t b)
{
    if (r->values[column] == a + b)
        return ROOF_OK;
    return fail_row(r, "column '%s' is %" PRIu64 ", but its parts are %" PRIu64 " + %" PRIu64,
                    SHOWN(r->names[column]), r->values[column], a, b);
}

static roof_status read_epoch(reader *r)
{
    uint64_t number;
    bool is_idle = true;
    if (r->in_totals)
        return fail_row(r, "an epoch stands behind the totals");
    if (r->in.n_cells != r->n_columns)
        return fail_row(r, "a row of %u cells, want %u", r->in.n_cells, r->n_columns);
    if (!csvin_count(r->in.cells[0], &number) || number >= ROOF_NONE)
        return fail_cell(r, 0, "the number of an epoch");
    /* The first epoch, 0, holds the parameters and does nothing; it is in every table that is whole. */
    if (!r->n_rows && number > 1)
        return fail_row(r, "the first epoch is %" PRIu64 ", want 0: this is only the end of a network.csv",
                        number);
    if (r->n_rows && number <= r->last_number)
        return fail_row(r, "epoch %" PRIu64 " follows epoch %" PRIu64 ", want a larger number", number,
                        r->last_number);
    r->last_number = number;
    r->n_rows++;
    for (uint32_t i = 1; i < r->n_columns; i++) {
        if (!r->is_count[i] && !csvin_is_number(r->in.cells[i]))
            return fail_cell(r, i, "a number");
        if (r->is_count[i] && !csvin_count(r->in.cells[i], &r->values[i]))
            return fail_cell(r, i, "a whole number below 2^63");
        if (r->is_count[i] &&
            (__builtin_add_overflow(r->sums[i], r->values[i], &r->sums[i]) || r->sums[i] > INT64_MAX))
            return fail_cell(r, i, "a sum below 2^63");
        is_idle = is_idle && !r->values[i];
    }
    for (uint32_t at = 1; at < r->first_other; at += POOL_COLUMNS) {
        const uint64_t *v = &r->values[at];
        TRY(check_sum(r, at + READ_WRITE, v[READ], v[WRITE]));
        TRY(check_sum(r, at + CYCLES, v[READ_CYCLES], v[WRITE_CYCLES]));
    }
    if (is_idle) /* where the compiler keeps parameters and outputs; it is no layer */
        return ROOF_OK;
    TRY(plan_add_epoch(&r->build, (uint32_t)r->last_number, NULL));
    for (uint32_t i = 0; i < N_KEPT; i++)
        if (r->place[i])
            memcpy((char *)r->build.epoch + kept[i].offset, &r->values[r->place[i]], sizeof *r->values);
    for (uint32_t i = 0; i < r->build.plan->n_pools; i++) {
        const uint64_t *v = &r->values[1 + i * POOL_COLUMNS];
        const roof_pool_access access = {i, v[READ], v[WRITE], v[READ_CYCLES], v[WRITE_CYCLES]};
        TRY(plan_add_access(&r->build, &access));
    }
    return ROOF_OK;
}

/* ---- the lines behind the epochs ---- */

static roof_status check_numbers(reader *r, uint32_t from)
{
    for (uint32_t i = from; i < r->in.n_cells; i++)
        if (r->in.cells[i].length && !csvin_is_number(r->in.cells[i]))
            return fail_row(r, "cell %u is '%s', want a number", i + 1, SHOWN(r->in.cells[i]));
    return ROOF_OK;
}

/* The compiler adds these up in single precision: of 621 epochs with 91,893,226 cycles it says 91,893,224,
 * which is what a float gives. Each addition may be off by half a unit of the sum's last place, and each row
 * is rounded to a whole number. */
static uint64_t allowed_difference(const reader *r, uint64_t sum)
{
    int exponent;
    frexp((double)sum, &exponent);
    double half_unit = ldexp(0.5, exponent > 24 ? exponent - 24 : 0);
    return (uint64_t)ceil((double)r->n_rows * (half_unit + 1));
}

static roof_status read_key(reader *r)
{
    if (r->in.n_cells != 2 || !csvin_is_number(r->in.cells[1]))
        return fail_row(r, "'%s' is no total of one number, and no memory pool of this table",
                        SHOWN(r->in.cells[0]));
    for (uint32_t i = 0; i < N_KEPT; i++) {
        const uint64_t sum = r->place[i] ? r->sums[r->place[i]] : 0;
        uint64_t total;
        if (!r->place[i] || !kept[i].total || !csvin_is(r->in.cells[0], kept[i].total))
            continue;
        if (!csvin_count(r->in.cells[1], &total))
            return fail_row(r, "'%s' is no whole number below 2^63", kept[i].total);
        if ((total > sum ? total - sum : sum - total) > allowed_difference(r, sum))
            return fail_row(r, "'%s' is %" PRIu64 ", but '%s' of the epochs adds up to %" PRIu64,
                            kept[i].total, total, kept[i].name, sum);
        r->has_total_cycles = r->has_total_cycles || i == 0;
    }
    return ROOF_OK;
}

static roof_status read_totals(reader *r)
{
    r->in_totals = true;
    if (csvin_is(r->in.cells[0], "Total")) {
        if (r->in.n_cells < r->first_other || r->in.n_cells > r->n_columns)
            return fail_row(r, "a row of %u cells, want %u", r->in.n_cells, r->first_other);
        for (uint32_t i = 1; i < r->first_other; i++) {
            uint64_t total;
            if (!csvin_count(r->in.cells[i], &total))
                return fail_cell(r, i, "a whole number below 2^63");
            if (total != r->sums[i])
                return fail_row(r, "the total of '%s' is %" PRIu64 ", but the epochs add up to %" PRIu64,
                                SHOWN(r->names[i]), total, r->sums[i]);
        }
        r->has_total_row = true;
        return check_numbers(r, r->first_other);
    }
    if (csvin_is(r->in.cells[0], "BW"))
        return check_numbers(r, 1);
    roof_pool *pool = NAMED_SPAN(r->build.plan->pools, r->build.plan->n_pools, name, r->in.cells[0]);
    if (r->in.n_cells < 2 || !pool)
        return read_key(r);
    /* "9.73 MB" is how much of the pool is used; "?" is nothing or unknown. */
    csvin_cell cell = r->in.cells[1];
    if (csvin_is(cell, "?") || size_parse(cell.text, cell.length, &pool->used_bytes))
        return ROOF_OK;
    return fail_row(r, "memory pool '%.60s' uses '%s', want bytes or ?", pool->name, SHOWN(cell));
}

/* ---- the whole ---- */

static roof_status network_csv_read(roof_graph *graph, roof_error *err)
{
    reader r = {.scratch = graph->storage->scratch, .err = err};
    const mapfile *file = &graph->storage->file;
    csvin_cell *cells;
    TRY(ARENA_GET(r.scratch, cells, MAX_COLUMNS, r.err));
    r.in = csvin_from(file->bytes, file->size_bytes, cells, MAX_COLUMNS);
    TRY(plan_build_begin(&r.build, graph, graph->storage->arena, r.err));
    bool more;
    TRY(csvin_next(&r.in, &more, r.err));
    uint32_t n = r.n_columns = r.in.n_cells;
    r.names = NEW_ARRAY(r.scratch, csvin_cell, n);
    r.values = NEW_ARRAY(r.scratch, uint64_t, n);
    r.sums = NEW_ARRAY(r.scratch, uint64_t, n);
    r.is_count = NEW_ARRAY(r.scratch, bool, n);
    TRY(arena_status(r.scratch, r.err));
    if (n)
        memcpy(r.names, r.in.cells, n * sizeof *r.names);
    uint32_t at = 1;
    for (; at < r.n_columns && NAMED_SPAN_AT(kept, N_KEPT, name, r.names[at]) == N_KEPT; at += POOL_COLUMNS) {
        csvin_cell pool = r.names[at];
        if (!span_skip_end(&pool, pool_suffixes[READ]))
            break;
        TRY(read_pool_columns(&r, at, pool));
        memset(r.is_count + at, true, POOL_COLUMNS);
    }
    r.first_other = at;
    for (; at < r.n_columns; at++) {
        uint32_t i = NAMED_SPAN_AT(kept, N_KEPT, name, r.names[at]);
        if (i == N_KEPT)
            continue;
        if (r.place[i])
            return fail_row(&r, "column '%s' is there twice", kept[i].name);
        r.place[i] = at;
        r.is_count[at] = true;
    }
    for (uint32_t i = 0; i < N_KEPT; i++)
        if (kept[i].is_needed && !r.place[i])
            return fail_row(&r, "there is no column '%s'", kept[i].name);
    for (more = true; more;) {
        TRY(csvin_next(&r.in, &more, r.err));
        if (!r.in.n_cells)
            continue;
        const csvin_cell first = r.in.cells[0];
        bool is_epoch = first.length && first.text[0] >= '0' && first.text[0] <= '9';
        TRY(is_epoch ? read_epoch(&r) : read_totals(&r));
    }
    if (!r.has_total_row || !r.has_total_cycles)
        return fail_row(&r, "ends without '%s': the end of the file is missing",
                        r.has_total_row ? kept[0].total : "Total");
    return at_line(&r, plan_build_end(&r.build));
}

/* A table of epochs may be anybody's; the columns of a memory pool come first in this one. */
static bool network_csv_sniff(const unsigned char *bytes, uint64_t size)
{
    text_span text = {(const char *)bytes, size < 512 ? (size_t)size : 512};
    span_skip(&text, "\xef\xbb\xbf");
    return span_begins(text, "epochs,") && span_has(text, " (r),");
}

const graph_format format_network_csv = {
    .id = "network_csv",
    .doc = "network.csv of the Neural-ART compiler (--csv-file)",
    .sniff = network_csv_sniff,
    .read = network_csv_read,
    .memory = plan_memory,
    PLAN_FORMAT,
};
