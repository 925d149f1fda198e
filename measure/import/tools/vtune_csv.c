/* `vtune -report hotspots -format csv` writes a row for each function of the CPU.
 *
 *   Function<tab>CPU Time<tab>CPU Time:Effective Time<tab>...<tab>Module<tab>Function (Full)<tab>...
 * The separator is a tab, or what -csv-delimiter says. CPU time is in s, of all threads, and sampled.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Function", "Function / Call Stack"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"CPU Time", "CPU Time (~)"}, 1, NULL, ROW_NEEDED | ROW_SPARSE},
    {ROW_MARK, {"Module"}, 0, NULL, ROW_NEEDED},
};

const importer_def importer_vtune_csv = {
    .id = "vtune_csv",
    .tool = "VTune",
    .marks = {SURE("CPU Time:", "Module", "Function"), LIKELY("CPU Time", "Module", "Function")},
    .device = "CPU",
    ROWS_ONLY,
    .unverified = true,
    TABLE_LINES(table_reading, TABLE_OF(fields), .separator = ANY_SEPARATOR,
                .note = "times are of all threads together and of the whole run, and were sampled: they "
                        "are neither of one inference nor the time that passed")};
