/* The functions of a capture, as `streamline-cli -report -function -format csv` writes them: columns of the Functions view (Arm
 * DUI 0482, "Functions view column headers").
 *
 *   Self,% Self,Instances,...,Function Name,Location,Image
 * Self is a number of samples, not a time: a row only has its share of all samples.
 */
#include "measure/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Function Name"}, 0, NULL, ROW_NEEDED},
    {ROW_SHARE, {"% Self"}, 0.01, NULL, ROW_NEEDED},
    {ROW_MARK, {"Location"}, 0, NULL, ROW_NEEDED},
};

static roof_status finish(void *reading, roof_run *run, roof_error *err)
{
    (void)run;
    (void)err;
    import_note(((table_reading *)reading)->in,
                "samples are counted and no times: rows are shares of all samples");
    return ROOF_OK;
}

static const tool_table table = {TABLE_OF(fields), .separator = ANY_SEPARATOR, .finish = finish};

const importer_def importer_streamline_csv = {
    .id = "streamline_csv",
    .marks = {{SNIFF_SURE, {"Function Name", "% Self", "Location"}}},
    .device = "CPU",
    .mode_why = "a list of functions has a share for each",
    .mode = ROOF_RUN_PER_LAYER,
    .unverified = true,
    TABLE_LINES(table, table_reading)};
