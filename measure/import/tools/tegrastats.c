/* tegrastats prints of a Jetson, a line a sample:
 *
 *   RAM 2840/7620MB ... EMC_FREQ 13%@2133 GR3D_FREQ 76% VDD_IN 5765mW/5762mW VDD_CPU_GPU_CV 1548mW/1500mW
 * VDD_IN, POM_5V_IN before JetPack 5, is all that the module draws; other rails are parts of it and are never
 * added up. The first number is that of the moment, the second one a mean since tegrastats began; milliwatts,
 * also where no unit stands. Lines of newer versions begin with the date.
 */
#include "measure/import/power.h"

/* What else a line says in percent. */
static const struct {
    const char *word, *what;
} uses[] = {{"GR3D_FREQ ", "the GPU (GR3D)"}, {"EMC_FREQ ", "the memory controller (EMC)"}};

typedef struct reading {
    import_state *in;
    roof_power_trace trace;
    timestamp_clock clock;
    double percent[N_OF(uses)]; /* sums over so many lines */
    uint32_t n_told[N_OF(uses)];
} reading;

static const char *const rails[] = {" VDD_IN ", " POM_5V_IN "};

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length}, stamp = text, rest = text;
    power_sample sample = {NAN, NAN};
    stamp = span_trim(span_take_until(&stamp, "RAM "));
    bool found = span_skip_past(&rest, rails[0]) || span_skip_past(&rest, rails[1]);
    if (!span_has(text, "RAM ") || !found)
        return ROOF_OK;
    if (!span_scan(&rest, "~", &sample.watts))
        return error_data(err, "VDD_IN is '%s', want milliwatts", SHOWN(span_until(&rest, " ")));
    sample.watts /= 1e3;
    if (stamp.length)
        TRY(timestamp_read(&r->clock, stamp, &sample.at_s, err));
    for (size_t i = 0; i < N_OF(uses); i++) {
        double percent;
        if (!span_scan_behind(text, uses[i].word, "~%", &percent))
            continue;
        r->percent[i] += percent;
        r->n_told[i]++;
    }
    if (r->trace.n && isnan(sample.at_s) != isnan(r->trace.samples[0].at_s))
        return error_data(err, "a line with a date among lines without one, or the other way round");
    return power_add(r->in->out, &r->trace, sample, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    if (!r->trace.n)
        return error_data(err, "no line with RAM and VDD_IN or POM_5V_IN, the power of the whole module; "
                               "other rails are parts, and it is unknown whether they are all of it");
    TRY(power_add_run(r->in, &r->trace, "module", err));
    if (r->clock.is_local)
        power_remark_local_times(r->in);
    for (size_t i = 0; i < N_OF(uses); i++)
        if (r->n_told[i])
            import_note(r->in, "%s was busy %s %% of the time, mean of %u samples", uses[i].what,
                        NUMBER(r->percent[i] / r->n_told[i]), r->n_told[i]);
    return ROOF_OK;
}

const importer_def importer_tegrastats = {.id = "tegrastats",
                                          .marks = {SURE("RAM ", "VDD_IN ", "GR3D_FREQ"),
                                                    SURE("RAM ", "POM_5V_IN "),
                                                    SURE("RAM ", "EMC_FREQ ", "VDD_")},
                                          .reading_bytes = sizeof(reading),
                                          .line = read_line,
                                          .finish = finish};
