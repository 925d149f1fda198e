/* A table of samples of power of any tool, as of a script that reads an INA sensor; headings have units:
 *
 *   timestamp,elapsed_s,som_power_mW,som_current_mA,som_voltage_mV
 *   18:31:48,0,5610,1077,5045
 * A column of power counts before current times voltage, which many sensors read at another moment. The
 * heading of its column states what the power covers, unless the user does.
 */
#include "measure/import/power_table.h"

const importer_def importer_power_csv = {.id = "power_csv",
                                         .sniff = power_table_sniff,
                                         READING(power_table, .kind = &(const power_table_kind){0}),
                                         .line = power_table_line,
                                         .finish = power_table_finish};
