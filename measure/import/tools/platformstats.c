/* `xmutil xlnx_platformstats` and `platformstats` print of a board such as the KV260, once or again:
 *
 *   SOM total power                         :     3100 mW
 * The text has no times, so that it has a mean and no energy. Current and voltage are read at other moments,
 * and their product is another number.
 */
#include "measure/import/power.h"

typedef struct reading {
    import_state *in;
    roof_power_trace trace;
} reading;

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    double milliwatts;
    if (!span_scan_behind(span_of(line->text), "SOM total power", " : ~ mW", &milliwatts))
        return ROOF_OK;
    return power_add(r->in->out, &r->trace, (power_sample){NAN, milliwatts / 1e3}, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    if (!r->trace.n)
        return error_data(err, "no line \"SOM total power : ... mW\"");
    return power_add_run(r->in, &r->trace, "module", err);
}

const importer_def importer_platformstats = {.id = "platformstats",
                                             .marks = {SURE("SOM total power")},
                                             .unverified = true,
                                             .reading_bytes = sizeof(reading),
                                             .line = read_line,
                                             .finish = finish};
