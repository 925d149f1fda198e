/* traceN-energy.bin of EEMBC's EnergyRunner: the power of a device under test, sampled by an energy monitor.
 *
 *   byte 0xf1, float32 samples per second, then float32 milliwatts without end; little endian
 * Where inferences ran is in traceN-timestamps.json beside it, and results.txt has the energy of each window.
 */
#include "core/bytes.h"
#include "measure/import/power.h"

enum { FLOAT_BYTES = 4, FIRST_BYTE = 0xf1 };

typedef struct reading {
    import_state *in;
    roof_power_trace trace;
} reading;

static bool is_rate(double hz)
{
    return hz >= 1 && hz <= 1e7;
}

/* Zeros follow the text that is sniffed. */
static unsigned sniff(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    return *bytes == FIRST_BYTE && is_rate(bytes_f32(bytes + 1)) ? SNIFF_SURE : 0;
}

static roof_status finish(reading *r, roof_error *err)
{
    const unsigned char *bytes = r->in->whole;
    const size_t n = r->in->n_whole;
    double rate_hz = 0;
    if (n && bytes[0] != FIRST_BYTE)
        return error_data(err, "the first byte is 0x%02x, want 0xf1 of a trace of EnergyRunner", bytes[0]);
    for (size_t at = 1; at + FLOAT_BYTES <= n; at += FLOAT_BYTES) {
        const double value = bytes_f32(bytes + at);
        if (at > 1)
            TRY(power_add(r->in->out, &r->trace, (power_sample){r->trace.n / rate_hz, value / 1e3}, err));
        else if (!is_rate(value))
            return error_data(err, "%g samples per second, want 1 to 1e7", value);
        else
            rate_hz = value;
    }
    if (n && (n - 1) % FLOAT_BYTES)
        return error_data(err, "it ends within a number: is the file whole?");
    TRY(power_add_run(r->in, &r->trace, "device supply", err));
    import_note(r->in, "the windows in which inferences ran are in the timestamps.json beside it, --during "
                       "takes one of them");
    return ROOF_OK;
}

const importer_def importer_energyrunner_trace = {.id = "energyrunner_trace",
                                                  .sniff = sniff,
                                                  .outdone_by = "mlperf_tiny_energy",
                                                  .reading_bytes = sizeof(reading),
                                                  .whole_instead = "cut the file",
                                                  .finish = finish};
