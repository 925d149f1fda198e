/* The table of ExecuTorch's Inspector: save_data_to_tsv(), or print_data_tabular() with its frame of lines:
 *
 *   event_block_name  event_name  p10 (ms)  p50 (ms)  ...  avg (ms)  ...  op_types  is_delegated_op  ...
 *   Default           Method::init         ...
 *   Execute           native_call_add.out  ...
 *   Execute           Method::execute      ...
 *
 * OPERATOR_CALL holds a native_call, DELEGATE_CALL what a delegate did, and Method::execute everything: a row
 * that holds others is left out. A delegate may count in another unit than the rest.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_GROUP, {"event_block_name"}, 0, NULL, ROW_NEEDED},
    {ROW_NAME, {"event_name"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"avg (~)"}, 1e-3, "the average time", ROW_NEEDED | ROW_SPARSE},
    {ROW_MEDIAN, {"p50 (~)"}, 1e-3, NULL, ROW_SPARSE},
    {ROW_MIN, {"min (~)"}, 1e-3, NULL, ROW_SPARSE},
    {ROW_MAX, {"max (~)"}, 1e-3, NULL, ROW_SPARSE},
    {ROW_TYPE, {"op_types"}, 0, NULL, 0},
    {ROW_WORD, {"is_delegated_op"}, 0, NULL, ROW_NEEDED},
};

typedef struct reading {
    table_reading table;
    double execute_s, setup_s; /* 0: not there */
    uint32_t n_delegated, n_native;
} reading;

static void take_row(reading *r, table_row *row)
{
    const double *v = row->values;
    row->group = NULL;
    if (strcmp(row->name, "Method::execute") == 0)
        r->execute_s = v[ROW_TIME];
    else if (strncmp(row->name, "Method::", 8) == 0 || strncmp(row->name, "Program::", 9) == 0)
        r->setup_s += isnan(v[ROW_TIME]) ? 0 : v[ROW_TIME];
    else {
        r->n_delegated += row->word && strcmp(row->word, "True") == 0;
        r->n_native += strncmp(row->name, "native_call", 11) == 0;
        return;
    }
    row->name = NULL;
}

/* Rows that hold others are known when all are there. */
static void drop_holders(reading *r)
{
    import_state *in = r->table.in;
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n_rows; i++)
        if ((strcmp(in->rows[i].name, "OPERATOR_CALL") != 0 || !r->n_native) &&
            (strcmp(in->rows[i].name, "DELEGATE_CALL") != 0 || !r->n_delegated))
            in->rows[n++] = in->rows[i];
    if (in->n_rows > n)
        import_note(in, "rows that hold others, left out: %u (OPERATOR_CALL, DELEGATE_CALL)", in->n_rows - n);
    in->n_rows = n;
}

static void finish_run(reading *r, roof_run *run)
{
    run->total.mean_s = r->execute_s > 0 ? r->execute_s : NAN;
    run->setup_s = r->setup_s > 0 ? r->setup_s : NAN;
    import_note_count(r->table.in, r->n_delegated,
                      "rows are of delegates, which may count cycles where the table says ms");
}

const importer_def importer_etdump = {.id = "etdump",
                                      .tool = "ExecuTorch",
                                      .marks = {SURE("event_block_name", "event_name", "is_delegated_op")},
                                      ROWS_ONLY,
                                      .unverified = true,
                                      TABLE_LINES(reading, TABLE_OF(fields), .separator = ANY_SEPARATOR,
                                                  .is_in_order = true, .see_row = take_row,
                                                  .see_rows = drop_holders, .tell = finish_run)};
