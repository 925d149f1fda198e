/* summary.csv of XRT: a row for each compute unit in programmable logic, and what it moved.
 *
 *   Compute Unit Utilization
 *   Device,Compute Unit,Kernel,...,Number Of Calls,...,Average Time (ms),Maximum Time (ms),...
 *   Data Transfer: Kernels to Global Memory
 *   Device,Compute Unit/Port Name,Kernel Arguments,...,Transfer Type,Number Of Transfers,...
 *   Guidance Parameters
 *   PORT_BIT_WIDTH,load_1/m_axi_gmem0,1024,
 * Bytes are transfers x size, KB = 1000, which the columns in MB have with six digits only. Units run at the
 * same time. TOTAL_KERNEL_RUN_TIME_MS is the last end minus the first begin, and was seen below 0.
 */
#include "measure/import/tool_table.h"
#include "roofline/hw.h"

static const row_field fields[] = {
    {ROW_NAME, {"Compute Unit", "Compute Unit/Port Name"}, 0, NULL, ROW_NEEDED},
    {ROW_GROUP, {"Device"}, 0, NULL, ROW_NEEDED},
    {ROW_COUNT, {"Number Of Calls", "Number Of Transfers"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"Kernel", "Transfer Type"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"Average Time (ms)"}, 1e-3, NULL, 0},
    {ROW_MIN, {"Minimum Time (ms)"}, 1e-3, NULL, 0},
    {ROW_MAX, {"Maximum Time (ms)"}, 1e-3, NULL, 0},
    {ROW_BYTES, {"Average Size (KB)"}, 1e3, NULL, 0},
    {ROW_OTHER, {"Clock Frequency (MHz)"}, 1e6, NULL, ROW_SPARSE},
};

typedef struct reading {
    table_reading table;
    row_clocks clocks;
    double lost_bytes;
} reading;

enum { EXPECTED_PORT_BITS = 512 }; /* UG1393: what AXI ports of kernels should be as wide as */

static roof_status add_underflow(reading *r, text_span where, roof_error *err)
{
    return import_doubt(r->table.in, ROOF_DOUBT_UNDERFLOW, err,
                        "'%s' holds a number near 2^64, which is left out", SHOWN(where));
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length};
    if (span_begins(text, "Flow mode:") && span_has(text, "Emulation"))
        TRY(import_doubt(r->table.in, ROOF_DOUBT_EMULATION, err, "the file says '%s'", SHOWN(text)));
    if (span_begins(text, "TOTAL_KERNEL_RUN_TIME_MS,") && span_has(text, ",-"))
        import_note(r->table.in, "the time of all kernels is below 0 in the file, and is left out: an end "
                                 "stands before its begin");
    /* A difference below 0 that was printed as an unsigned number: 2^64 bytes, in B, KB or MB. */
    if (span_has(text, "18446744073") || span_has(text, "1.84467e+"))
        TRY(add_underflow(r, text, err));
    text_span cells[3];
    uint64_t bits;
    if (span_split(text, ',', cells, 3) < 3 || !span_is(cells[0], "PORT_BIT_WIDTH") ||
        span_id(cells[2], "", &bits, NULL) != ROOF_OK || bits * 2 != EXPECTED_PORT_BITS)
        return ROOF_OK;
    return import_doubt(r->table.in, ROOF_DOUBT_HALF_WIDTH, err, "%s has %llu bits, not %d", SHOWN(cells[1]),
                        (unsigned long long)bits, EXPECTED_PORT_BITS);
}

static roof_status add_transfer(reading *r, const table_row *row, roof_error *err)
{
    enum { MOST_UNITS = 256 }; /* which are looked through for each transfer */
    const import_state *in = r->table.in;
    const text_span name = {row->name, strcspn(row->name, "/")}; /* of the unit of "load_1/m_axi_gmem0" */
    table_row *unit = NULL;                                      /* NULL where it has no row */
    for (uint32_t i = 0; !unit && i < in->n_rows && in->n_rows <= MOST_UNITS; i++)
        if (span_is(name, in->rows[i].name) && in->rows[i].group && row->group &&
            strcmp(in->rows[i].group, row->group) == 0)
            unit = &in->rows[i];
    double bytes = row->values[ROW_COUNT] * row->values[ROW_BYTES];
    if (isnan(bytes))
        return ROOF_OK;
    if (bytes >= 0x1p63)
        return add_underflow(r, span_of(row->name), err);
    if (!unit) {
        r->lost_bytes += bytes;
        return ROOF_OK;
    }
    double *sum = &unit->values[strcmp(row->type, "READ") == 0 ? ROW_READ : ROW_WRITE];
    *sum = (isnan(*sum) ? 0 : *sum) + bytes / unit->values[ROW_COUNT];
    return ROOF_OK;
}

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    double *v = row->values;
    if (!(v[ROW_COUNT] >= 1)) {
        row->name = NULL; /* a unit that was never called, a port that moved nothing */
    } else if (isnan(v[ROW_TIME])) {
        if (!row->type || !(strcmp(row->type, "READ") == 0 || strcmp(row->type, "WRITE") == 0))
            return error_data(err, "a transfer of '%s', want READ or WRITE",
                              SHOWN_TEXT(row->type ? row->type : ""));
        TRY(add_transfer(r, row, err));
        row->name = NULL;
    } else {
        row_see_clock(&r->clocks, v[ROW_OTHER]);
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    import_note(in, "compute units run at the same time: the sum of the rows is no latency");
    if (r->lost_bytes > 0)
        import_note(in, "%s bytes of units without a time are in no row", NUMBER(r->lost_bytes));
    /* The clock that the hardware should have, which the user named. */
    roof_hw *hw = NULL;
    const char *id = in->options->hardware;
    const bool is_known = id && roof_hw_load(id, &hw, NULL) == ROOF_OK;
    const roof_quantity *clock = is_known ? roof_hw_get(hw, "clock") : NULL;
    const double expected_hz = clock ? clock->value : NAN, ratio = r->clocks.most_hz / expected_hz;
    roof_hw_free(hw);
    if (id && ratio > 0.45 && ratio < 0.55)
        TRY(import_doubt(r->table.in, ROOF_DOUBT_HALF_CLOCK, err, "%s MHz in the file, %s MHz of '%s'",
                         NUMBER(r->clocks.most_hz * 1e-6), NUMBER(expected_hz * 1e-6), SHOWN_TEXT(id)));
    return row_add_clock(in, &r->clocks, run, "kernel", err);
}

const importer_def importer_xrt_summary = {
    .id = "xrt_summary",
    .tool = "XRT",
    .next = "device_trace=fine in xrt.ini traces every execution; read and write ports of a unit tell "
            "whether memory limits it",
    .marks = {SURE("Profile Summary", "Device,Compute Unit,Kernel,")},
    .device = "PL",
    ROWS_ONLY,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ',', .bytes = ROOF_BYTES_COUNTER, .line = read_line,
                .row = take_row, .finish = finish)};
