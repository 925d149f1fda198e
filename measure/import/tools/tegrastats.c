/* tegrastats prints of a Jetson, a line a sample:
 *
 *   RAM 2840/7620MB ... EMC_FREQ 13%@2133 GR3D_FREQ 76% VDD_IN 5765mW/5762mW VDD_CPU_GPU_CV 1548mW/1500mW
 * VDD_IN, POM_5V_IN before JetPack 5, is all that the module draws; other rails are parts of it and are never
 * added up. The first number is that of the moment, the second one a mean since tegrastats began; milliwatts,
 * also where no unit stands. Lines of newer versions begin with the date.
 */
#include "measure/import/power.h"

typedef struct mean {
    double sum;
    uint32_t n;
} mean;

typedef struct reading {
    import_state *in;
    roof_power_trace trace;
    timestamp_clock clock;
    mean gpu, memory;
} reading;

static const char *const rails[] = {" VDD_IN ", " POM_5V_IN "};

/* "76%" behind a word. */
static void add_percent(text_span line, const char *word, mean *m)
{
    double percent;
    if (span_scan_behind(line, word, "~%", &percent)) {
        m->sum += percent;
        m->n++;
    }
}

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
    add_percent(text, "GR3D_FREQ ", &r->gpu);
    add_percent(text, "EMC_FREQ ", &r->memory);
    if (r->trace.n && isnan(sample.at_s) != isnan(r->trace.samples[0].at_s))
        return error_data(err, "a line with a date among lines without one, or the other way round");
    return power_add(r->in->out, &r->trace, sample, err);
}

static void remark_use(import_state *in, const char *what, const mean *m)
{
    if (m->n)
        import_note(in, "%s busy %s %% of the time, mean of %u samples", what, NUMBER(m->sum / m->n), m->n);
}

static roof_status finish(reading *r, roof_error *err)
{
    if (!r->trace.n)
        return error_data(err, "no line with RAM and VDD_IN or POM_5V_IN, the power of the whole module; "
                               "other rails are parts, and it is unknown whether they are all of it");
    TRY(power_add_run(r->in, &r->trace, "module", err));
    if (r->clock.is_local)
        power_remark_local_times(r->in);
    remark_use(r->in, "the GPU (GR3D) was", &r->gpu);
    remark_use(r->in, "the memory controller (EMC) was", &r->memory);
    return ROOF_OK;
}

const importer_def importer_tegrastats = {.id = "tegrastats",
                                          .marks = {SURE("RAM ", "VDD_IN ", "GR3D_FREQ"),
                                                    SURE("RAM ", "POM_5V_IN "),
                                                    SURE("RAM ", "EMC_FREQ ", "VDD_")},
                                          .reading_bytes = sizeof(reading),
                                          .line = read_line,
                                          .finish = finish};
