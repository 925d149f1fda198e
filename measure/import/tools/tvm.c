/* A profiling report of Apache TVM, Report.json() or Report.csv():
 *
 *   {"calls": [{"Duration (us)": {"microseconds": 12.3}, "Name": "fused_dense", "Count": {"count": 1},...
 *    "device_metrics": {"cpu": {"Duration (us)": {"microseconds": 334.2}, "Percent": {"percent": 100}}}}
 *
 * A call of a function that stands there for several has their sum. A device's own time includes the
 * executor.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Name"}, 0, NULL, ROW_NEEDED | ROW_WRAPPED},
    {ROW_TIME, {"Duration (us)"}, 1e-6, NULL, ROW_NEEDED | ROW_WRAPPED},
    {ROW_OTHER, {"Percent"}, 0.01, NULL, ROW_NEEDED | ROW_SPARSE | ROW_WRAPPED},
    {ROW_EXECUTIONS, {"Count"}, 0, NULL, ROW_SPARSE | ROW_WRAPPED},
    {ROW_WORD, {"Device"}, 0, NULL, ROW_WRAPPED},
};

typedef struct reading {
    table_reading table;
    double devices_s, rows_s;
} reading;

static void take_row(reading *r, table_row *row)
{
    double *v = row->values;
    *(row->name ? &r->rows_s : &r->devices_s) += isnan(v[ROW_TIME]) ? 0 : v[ROW_TIME];
    if (v[ROW_EXECUTIONS] > 1)
        v[ROW_TIME] /= v[ROW_EXECUTIONS];
}

static void finish(reading *r, roof_run *run)
{
    (void)run;
    if (r->devices_s > 0)
        import_note(r->table.in,
                    "the calls take %s us of the %s us of all devices, and the rest is the executor's",
                    NUMBER(r->rows_s * 1e6), NUMBER(r->devices_s * 1e6));
}

const importer_def importer_tvm = {.id = "tvm",
                                   .fuse = "tvmc compile --opt-level 3",
                                   .tool = "TVM",
                                   .marks = {SURE("\"calls\"", "\"Duration (us)\"", "\"microseconds\""),
                                             LIKELY("Duration (us)", "Name", "Argument Shapes")},
                                   ROWS_ONLY,
                                   .unverified = true,
                                   TABLE_EITHER(reading, TABLE_OF(fields), .separator = ',',
                                                .is_in_order = true, .see_row = take_row, .tell = finish)};
