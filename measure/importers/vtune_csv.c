/* What `vtune -report hotspots -format csv` writes: a row for each function of the host.
 *
 *   Function<tab>CPU Time<tab>CPU Time:Effective Time<tab>...<tab>Module<tab>Function (Full)<tab>...
 * The separator is a tab, or what -csv-delimiter says. CPU time is in s, of all threads together, and sampled.
 */
#include "measure/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Function", "Function / Call Stack"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"CPU Time", "CPU Time (~)"}, 1, NULL, ROW_NEEDED | ROW_SPARSE},
    {ROW_MARK, {"Module"}, 0, NULL, ROW_NEEDED},
};

static roof_status finish(void *reading, roof_run *run, roof_error *err)
{
    (void)run;
    (void)err;
    import_note(
        ((table_reading *)reading)->in,
        "times are of all threads together and of the whole run, and were sampled: they are neither of one "
        "inference nor the time that passed");
    return ROOF_OK;
}

static const tool_table table = {TABLE_OF(fields), .separator = ANY_SEPARATOR, .finish = finish};

const importer_def importer_vtune_csv = {.id = "vtune_csv",
                                         .marks = {{SNIFF_SURE, {"CPU Time:", "Module", "Function"}},
                                                   {SNIFF_LIKELY, {"CPU Time", "Module", "Function"}}},
                                         .device = "CPU",
                                         .mode_why = "a list of functions has a time for each",
                                         .mode = ROOF_RUN_PER_LAYER,
                                         .unverified = true,
                                         TABLE_LINES(table, table_reading)};
