/* traceN-energy.bin of EEMBC's EnergyRunner: the power of a device under test, sampled by an energy monitor.
 *
 *   byte 0xf1, float32 samples per second, then float32 milliwatts without end; little endian
 * Where inferences ran is in traceN-timestamps.json beside it, and results.txt has the energy of each window.
 */
#include "core/bytes.h"
#include "measure/import/power.h"

#include <string.h>

enum { FLOAT_BYTES = 4 };
static const char first_byte = (char)0xf1;

typedef struct reading {
    import_state *in;
    roof_power_trace *trace;
    bool is_begun;
    double rate_hz;                  /* 0: not read yet */
    unsigned char kept[FLOAT_BYTES]; /* of a number that two pieces share */
    size_t n_kept;
} reading;

static bool is_rate(double hz)
{
    return hz >= 1 && hz <= 1e7;
}

/* Zeros follow the text that is sniffed. */
static unsigned sniff(const char *text)
{
    unsigned char rate[FLOAT_BYTES];
    if (text[0] != first_byte)
        return 0;
    memcpy(rate, text + 1, sizeof rate);
    return is_rate(bytes_f32(rate)) ? SNIFF_SURE : 0;
}

static roof_status read_bytes(reading *r, const char *bytes, size_t n, roof_error *err)
{
    size_t from = 0;
    if (!r->is_begun && n) {
        if (bytes[0] != first_byte)
            return error_set(err, ROOF_E_DATA,
                             "the first byte is 0x%02x, want 0xf1 of a trace of EnergyRunner",
                             (unsigned char)bytes[0]);
        r->is_begun = true;
        from = 1;
    }
    for (size_t i = from; i < n; i++) {
        r->kept[r->n_kept++] = (unsigned char)bytes[i];
        if (r->n_kept < FLOAT_BYTES)
            continue;
        double value = bytes_f32(r->kept);
        r->n_kept = 0;
        if (r->rate_hz > 0)
            TRY(power_add(r->in->out, r->trace, (power_sample){r->trace->n / r->rate_hz, value / 1e3}, err));
        else if (!is_rate(value))
            return error_set(err, ROOF_E_DATA, "%g samples per second, want 1 to 1e7", value);
        else
            r->rate_hz = value;
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    if (r->n_kept)
        return error_set(err, ROOF_E_DATA, "it ends within a number: is the file whole?");
    TRY(power_add_run(r->in, r->trace, "device supply", err));
    import_note(r->in, "the windows in which inferences ran are in the timestamps.json beside it, --during "
                       "takes one of them");
    return ROOF_OK;
}

const importer_def importer_energyrunner_trace = {.id = "energyrunner_trace",
                                                  .sniff = sniff,
                                                  .outdone_by = "mlperf_tiny_energy",
                                                  .reading_bytes = sizeof(reading),
                                                  .begin = power_begin,
                                                  .bytes = read_bytes,
                                                  .finish = finish};
