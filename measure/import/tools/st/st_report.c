#include "measure/import/tools/st/st_report.h"

#include <ctype.h>

/* How loggers of the CLI and of n6_loader.py begin a line; that of npu_profiler.py begins it with "[I]". */
static const char *const prefixes[] = {"#-#-# #:#:#,# [*] * -", "#/#/# #:#:# * * --"};

text_span st_cut_line(text_span line)
{
    double numbers[7];
    text_span words[2];
    const char *bar = line.length ? memrchr(line.text, '\r', line.length) : NULL;
    if (bar)
        line = span_from(line, (size_t)(bar + 1 - line.text));
    for (size_t i = 0; i < N_OF(prefixes); i++) {
        text_span rest = line;
        if (span_cut(&rest, prefixes[i], numbers, words) && words[0].length && words[1].length)
            return span_trim(rest);
    }
    if (line.length >= 3 && line.text[0] == '[' && isupper((unsigned char)line.text[1]) &&
        line.text[2] == ']')
        line = span_from(line, 3);
    return span_trim(line);
}

bool st_cut_pair(text_span line, text_span *key, text_span *value)
{
    if (!span_cut(&line, "*:", NULL, key))
        return false;
    *key = span_trim(*key);
    *value = span_trim(line);
    return true;
}

size_t st_words(text_span line, text_span *words, size_t room)
{
    size_t n = 0;
    for (line = span_trim(line); line.length; line = span_trim(line), n++) {
        text_span word = span_until(&line, " \t");
        if (n < room)
            words[n] = word;
    }
    return n;
}

roof_status st_count(text_span span, const char *what, uint64_t *out, roof_error *err)
{
    char buffer[PLAIN_NUMBER_SIZE];
    text_span plain;
    if (span_has(span, ".") || !span_plain_number(span, '.', buffer, &plain))
        return error_data(err, "%.80s is '%s', want a whole number", what, SHOWN(span));
    return span_count(plain, what, out, err);
}

const char *const st_domains[ST_DOMAINS] = {
    [ST_MCU] = "mcu", [ST_NOC] = "noc", [ST_NPU] = "npu", [ST_NIC] = "nic"};

void st_set_clock(st_clocks *clocks, st_domain domain, double hz)
{
    if (!isnan(hz) && floor(clocks->hz[domain] / 1e6) * 1e6 != hz)
        clocks->hz[domain] = hz;
}

/* A number with a unit that a clock can have; NaN when it is none. */
static double frequency_of(double value, text_span unit)
{
    static const double most_hz = 1e12;
    double hz = 0;
    const bool is_clock = span_unit(unit, false, &hz) == UNIT_CLOCK;
    return is_clock && value > 0 && value * hz <= most_hz ? value * hz : NAN;
}

roof_status st_read_attrs(text_span attrs, st_clocks *out, roof_error *err)
{
    st_clocks found = ST_NO_CLOCKS;
    for (; attrs.length; span_skip(&attrs, ",")) {
        text_span attr = span_trim(span_until(&attrs, ","));
        for (int d = 0; d < ST_DOMAINS; d++) {
            double value = NAN;
            text_span rest = attr;
            if (!span_skip(&rest, st_domains[d]) || !span_skip(&rest, "_freq="))
                continue;
            double hz = span_scan(&rest, "~", &value) ? frequency_of(value, rest) : NAN;
            if (isnan(hz))
                return error_data(err, "'%s', want a frequency, as in %s_freq=800MHz", SHOWN(attr),
                                  st_domains[d]);
            if (!isnan(found.hz[d]))
                return error_data(err, "'%s' is there twice", SHOWN(attr));
            found.hz[d] = hz;
        }
    }
    for (int d = 0; d < ST_DOMAINS; d++)
        st_set_clock(out, (st_domain)d, found.hz[d]);
    return ROOF_OK;
}

void st_read_device(text_span device, st_clocks *inout)
{
    const char *at = device.length ? memrchr(device.text, '@', device.length) : NULL;
    double values[2] = {NAN, NAN};
    if (!at)
        return;
    text_span rest = span_from(device, (size_t)(at + 1 - device.text));
    if (span_scan(&rest, "~", values))
        (void)span_scan(&rest, "/~", values + 1);
    for (int d = ST_MCU; d <= ST_NOC; d++)
        if (isnan(inout->hz[d]))
            inout->hz[d] = frequency_of(values[d], span_trim(rest));
}

roof_status st_add_clocks(import_state *in, roof_run *run, const st_clocks *clocks, roof_error *err)
{
    for (int d = 0; d < ST_DOMAINS; d++)
        if (!isnan(clocks->hz[d]))
            TRY(run_add_clock(in->out, run, st_domains[d], clocks->hz[d], err));
    return ROOF_OK;
}

static uint64_t sum_of(const uint64_t cycles[ST_PHASES])
{
    uint64_t sum = 0;
    for (int p = 0; p < ST_PHASES; p++)
        sum += cycles[p]; /* each is at most 2^53 */
    return sum;
}

/* The tool divides the same counters by the clock, as doubles or floats; each number is less than 1 off. */
static roof_status check_clock(const st_epoch *e, double mcu_hz, roof_error *err)
{
    char clock[32];
    double time_s = (double)sum_of(e->cycles) / mcu_hz;
    double may_differ_s = e->rounding_s + ST_PHASES / mcu_hz + 1e-6 * e->stated_s;
    if (fabs(time_s - e->stated_s) <= may_differ_s)
        return ROOF_OK;
    quantity_format(clock, sizeof clock, mcu_hz, "Hz");
    return error_data(
        err, "'%s': %llu cycles of %s are %s ms, but %s ms stand beside them; is the clock of another run?",
        SHOWN_TEXT(e->name), (unsigned long long)sum_of(e->cycles), clock, NUMBER(time_s * 1e3),
        NUMBER(e->stated_s * 1e3));
}

const char *const st_phases[ST_PHASES] = {"pre", "core", "post"};

const char *st_find_type(text_span type, const char **device)
{
    static const struct {
        const char *type, *device;
    } rows[] = {{"HW", "NPU"}, {"EC", "NPU"}, {"SW", "CPU"}, {"HYBRID", "NPU+CPU"}};
    const uint32_t i = NAMED_SPAN_AT(rows, N_OF(rows), type, type);
    if (i == N_OF(rows))
        return NULL;
    *device = rows[i].device;
    return rows[i].type;
}

roof_status st_set_phases(roof_measured *m, roof_measured_layer *layer, const uint64_t cycles[ST_PHASES],
                          const char *domain, roof_error *err)
{
    for (int p = 0; p < ST_PHASES; p++)
        if (cycles[p] != ROOF_UNKNOWN)
            TRY(counted_set_phase(counted_of_layer(m, layer), st_phases[p],
                                  (roof_domain_cycles){domain, cycles[p]}, err));
    return ROOF_OK;
}

roof_status st_add_epoch(import_state *in, roof_run *run, const st_epoch *e, double mcu_hz, roof_error *err)
{
    enum { MAX_ROWS = 1 << 18 };
    static const uint64_t most_cycles = UINT64_C(1) << 53; /* what a document can hold */
    TRY(HAS_ROOM(run->n_layers, MAX_ROWS, err, "rows"));
    if (sum_of(e->cycles) > most_cycles)
        return error_data(err, "%llu cycles, want at most 2^53", (unsigned long long)sum_of(e->cycles));
    if (!isnan(mcu_hz) && !isnan(e->stated_s))
        TRY(check_clock(e, mcu_hz, err));
    double time_s = isnan(mcu_hz) ? e->stated_s : (double)sum_of(e->cycles) / mcu_hz;
    roof_measured_layer *layer = run_add_layer(in->out, run);
    TRY(ALLOCATED(layer, err));
    layer->name = e->name;
    layer->type = e->type;
    layer->index = run->n_layers;
    layer->time.mean_s = time_s > 0 ? time_s : NAN; /* what is printed as 0.000 is merely small */
    layer->time.count = e->count;
    const roof_domain_cycles cycles = {st_domains[ST_MCU], sum_of(e->cycles)};
    TRY(layer_set_cycles(in->out, layer, cycles, err));
    layer->counters->device = e->device;
    layer->counters->share_ratio = e->share_ratio;
    /* without an NPU there is one phase */
    return e->cycles[1] || e->cycles[2] ? st_set_phases(in->out, layer, e->cycles, cycles.domain, err)
                                        : ROOF_OK;
}

void st_sum_up(roof_run *run)
{
    run->sum_of_layers_s = import_sum_of_rows(run);
    run->launches = run->boundaries = run->n_layers;
}

const char *st_model_fact(text_span key)
{
    static const char *const facts[] = {"n_nodes", "activations", "weights", "capabilities"};
    const uint32_t i = SPAN_AT(facts, N_OF(facts), key);
    if (i < N_OF(facts))
        return facts[i];
    text_span rest = key;
    bool is_input = span_begins(key, "I[");
    if ((!is_input && !span_begins(key, "O[")) || !span_skip_past(&rest, "] '"))
        return NULL;
    return is_input ? "input" : "output";
}

roof_status st_sum_phases(roof_measured *m, roof_run *run, roof_error *err)
{
    static const char *const domains[] = {"mcu", "npu"};
    for (unsigned i = 0; run->n_layers && i < 2 * ST_PHASES; i++) {
        const char *phase = st_phases[i / 2], *domain = domains[i % 2];
        uint64_t sum = 0;
        for (uint32_t row = 0; row < run->n_layers; row++) {
            const roof_layer_counters *c = run->layers[row].counters;
            (void)checked_add_known(&sum, c ? phase_cycles_of(c->phases, c->n_phases, phase, domain)
                                            : ROOF_UNKNOWN);
        }
        if (sum != ROOF_UNKNOWN)
            TRY(counted_set_phase(counted_of_run(m, run), phase, (roof_domain_cycles){domain, sum}, err));
    }
    return ROOF_OK;
}

roof_status st_remark(import_state *in, const char **before, const char *fact, text_span value,
                      roof_error *err)
{
    enum { MOST_BYTES = 4000 };
    const char *said = text_or_empty(*before),
               *line = arena_printf(in->scratch, "%s: %s\n", fact, SHOWN(value));
    TRY(ALLOCATED(line, err));
    if (strstr(said, line) || strlen(said) + strlen(line) >= MOST_BYTES)
        return ROOF_OK;
    import_note(in, "%s: %s", fact, SHOWN(value));
    *before = arena_printf(in->scratch, "%s%s", said, line);
    return ALLOCATED(*before, err);
}
