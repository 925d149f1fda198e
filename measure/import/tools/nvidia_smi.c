/* `nvidia-smi --query-gpu=timestamp,index,power.draw --format=csv -lms 100` prints:
 *
 *   timestamp, index, power.draw [W], utilization.gpu [%]
 *   2026/08/17 22:35:54.844, 0, 44.94 W, 100 %
 * Rows of several GPUs alternate; a column index, uuid or pci.bus_id tells them apart. The sensor averages
 * over a tenth of a second to a second, so that shorter inferences are not seen one by one. With noheader
 * nothing says what the columns are.
 */
#include "measure/import/power_table.h"

static roof_status finish(power_table *t, roof_error *err)
{
    if (!t->separator)
        return error_data(err, "no headings timestamp and power.draw [W]; ask nvidia-smi for both with "
                               "--format=csv, without noheader");
    TRY(power_table_finish(t, err));
    if (t->group.place == ROOF_NONE)
        import_note(t->in, "no column index: all rows are taken for those of one GPU");
    return ROOF_OK;
}

const importer_def importer_nvidia_smi = {
    .id = "nvidia_smi",
    .marks = {SURE("power.draw", "timestamp")},
    .device = "GPU",
    READING(power_table,
            .kind = &(const power_table_kind){.power = "power.draw",
                                              .groups = {"index", "uuid", "gpu_uuid", "pci.bus_id"},
                                              .scope = "GPU"}),
    .line = power_table_line,
    .finish = finish};
