/* The table that a Monsoon power monitor exports: Time (s) or Time(ms), Main(mA) and Main Voltage(V), beside
 * those of USB and Aux, which feed other things and are left out.
 */
#include "measure/import/power_table.h"

static roof_status begin(power_table *t, roof_error *err)
{
    static const power_table_kind kind = {
        .power = "Main Power", .current = "Main", .voltage = "Main Voltage", .scope = "device supply"};
    (void)err;
    t->kind = &kind;
    return ROOF_OK;
}

const importer_def importer_monsoon = {
    .id = "monsoon",
    .marks = {{SNIFF_SURE, {"Main(mA)", "Main Voltage(V)"}}, {SNIFF_SURE, {"Main (mA)", "Main Voltage (V)"}}},
    .unverified = true,
    .reading_bytes = sizeof(power_table),
    .begin = begin,
    .line = power_table_line,
    .finish = power_table_finish};
