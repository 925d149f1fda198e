/* The table that a Monsoon power monitor exports: Time (s) or Time(ms), Main(mA) and Main Voltage(V), beside
 * those of USB and Aux, which feed other things and are left out.
 */
#include "measure/import/power_table.h"

const importer_def importer_monsoon = {
    .id = "monsoon",
    .marks = {SURE("Main(mA)", "Main Voltage(V)"), SURE("Main (mA)", "Main Voltage (V)")},
    .unverified = true,
    READING(power_table, .kind = &(const power_table_kind){.power = "Main Power",
                                                           .current = "Main",
                                                           .voltage = "Main Voltage",
                                                           .scope = "device supply"}),
    .line = power_table_line,
    .finish = power_table_finish};
