/* The functions of a capture, as `streamline-cli -report -function -format csv` writes them: columns of the
 * Functions view (Arm DUI 0482, "Functions view column headers").
 *
 *   Self,% Self,Instances,...,Function Name,Location,Image
 * Self is a number of samples, not a time: a row only has its share of all samples.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Function Name"}, 0, NULL, ROW_NEEDED},
    {ROW_SHARE, {"% Self"}, 0.01, NULL, ROW_NEEDED},
    {ROW_MARK, {"Location"}, 0, NULL, ROW_NEEDED},
};

const importer_def importer_streamline_csv = {
    .id = "streamline_csv",
    .tool = "Streamline",
    .marks = {SURE("Function Name", "% Self", "Location")},
    .device = "CPU",
    ROWS_ONLY,
    .unverified = true,
    TABLE_LINES(table_reading, TABLE_OF(fields), .separator = ANY_SEPARATOR,
                .note = "samples are counted and no times: rows are shares of all samples")};
