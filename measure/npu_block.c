#include "measure/npu_block.h"
#include "core/error.h"
#include "measure/npu_text.h"
#include "measure/st_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Milliseconds are printed with three decimals; the profiler rounds the mean of each phase up to a cycle, and that of all
 * together once more. */
#define ROUNDED_MS 0.00051
enum { ROUNDED_CYCLES = 4 };

static roof_status malformed(text_span key, text_span value, const char *want, roof_error *err)
{
    char shown[SHOWN_SIZE], name[SHOWN_SIZE];
    return error_set(err, ROOF_E_DATA, "'%s' is '%s', want %s", span_show(key, name), span_show(value, shown),
                     want);
}

/* --- the heading -------------------------------------------------------------------------------------- */

bool npu_block_begins(text_span message)
{
    return span_begins(message, "EpochBlock_") && span_has(message, "(c_idx=");
}

roof_status npu_block_read_id(text_span message, npu_epoch_id *out, roof_error *err)
{
    double numbers[4] = {0}, extra = 0;
    char shown[SHOWN_SIZE];
    text_span rest = message;
    bool good = npu_scan(&rest, "EpochBlock_# (c_idx=#, num=#:#, c_type=", numbers);
    text_span type = npu_until(&rest, ",");
    good = good && npu_scan(&rest, ", extra=#)", &extra) && type.length && type.length < sizeof out->type &&
           text_first_bad(type.text, type.length) == type.length;
    if (!good || numbers[1] >= (double)(ROOF_NONE - 1) || numbers[3] < numbers[2])
        return error_set(err, ROOF_E_DATA,
                         "found '%s', want EpochBlock_N (c_idx=N, num=FIRST:LAST, c_type=HW, extra=N)",
                         span_show(message, shown));
    *out = (npu_epoch_id){.c_idx = (uint64_t)numbers[1],
                          .first = (uint64_t)numbers[2],
                          .last = (uint64_t)numbers[3],
                          .extra = (uint64_t)extra};
    memcpy(out->type, type.text, type.length);
    return ROOF_OK;
}

void npu_block_begin(npu_block *b, roof_measured *m, const npu_epoch_id *id, uint64_t line)
{
    *b = (npu_block){.m = m, .id = *id, .line = line, .mcu_mhz = NAN, .npu_mhz = NAN};
    for (unsigned i = 0; i < NPU_NUMBERS; i++)
        b->numbers[i] = NAN;
    for (unsigned i = 0; i < NPU_ENGINES; i++)
        b->active_cycles[i] = NAN;
}

/* --- lines of numbers --------------------------------------------------------------------------------- */

enum { BUSIF_NUMBERS = 10 };

static void bursts_of(const npu_block *b, unsigned busif, bool write, uint64_t out[4])
{
    const double *first = b->numbers + NPU_BUSIF + (size_t)BUSIF_NUMBERS * busif + 2 + (write ? 4 : 0);
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint64_t)first[i];
}

/* Bytes are not counted, but follow from the bursts. */
static roof_status check_busif(const npu_block *b, unsigned busif, roof_error *err)
{
    const double *stated = b->numbers + NPU_BUSIF + (size_t)BUSIF_NUMBERS * busif;
    for (int write = 0; write < 2; write++) {
        uint64_t bursts[4];
        bursts_of(b, busif, write, bursts);
        uint64_t bytes = npu_burst_bytes(bursts);
        if (bytes != (uint64_t)stated[write])
            return error_set(err, ROOF_E_DATA,
                             "busif %u: %s=%llu bytes, but bursts of 1, 2, 4 and 8 beats of 8 bytes are %llu",
                             busif, write ? "w" : "r", (unsigned long long)stated[write],
                             (unsigned long long)bytes);
    }
    return ROOF_OK;
}

static roof_status check_busif_0(const npu_block *b, roof_error *err)
{
    return check_busif(b, 0, err);
}

static roof_status check_busif_1(const npu_block *b, roof_error *err)
{
    return check_busif(b, 1, err);
}

static roof_status check_busifs(const npu_block *b, roof_error *err)
{
    for (unsigned i = 0; i < 2; i++) {
        double sum = b->numbers[NPU_BUSIF + i] + b->numbers[NPU_BUSIF + BUSIF_NUMBERS + i];
        double stated = b->numbers[NPU_BUSIFS + i];
        if (!isnan(sum) && sum != stated)
            return error_set(err, ROOF_E_DATA, "busif (total): %s=%.0f bytes, but both together have %.0f",
                             i ? "w" : "r", stated, sum);
    }
    return ROOF_OK;
}

#define BUSIF_PATTERN "r=# w=# rburst[1,2,4,8]x8=(#,#,#,#) wburst[1,2,4,8]x8=(#,#,#,#)"

static const struct number_line {
    const char *key, *pattern, *want;
    unsigned first, n;
    roof_status (*check)(const npu_block *b, roof_error *err);
} number_lines[] = {
    {"duration", "~ms (~%) total=~ms", "as in 0.043ms (0.3%) total=16.431ms", NPU_DURATION, 3, NULL},
    {"mcu cycles", "[#, #, #]", "cycles of three phases, [18859, 10599, 5253]", NPU_CYCLES, 3, NULL},
    {"extra mcu", "[#, #, #]", "cycles of three phases, [18859, 10599, 5253]", NPU_EXTRA_CYCLES, 3, NULL},
    {"core npu cycles", "#", "a whole number of cycles", NPU_CORE, 1, NULL},
    {"busif 0", BUSIF_PATTERN, "r=N w=N and both bursts", NPU_BUSIF, BUSIF_NUMBERS, check_busif_0},
    {"busif 1", BUSIF_PATTERN, "r=N w=N and both bursts", NPU_BUSIF + BUSIF_NUMBERS, BUSIF_NUMBERS,
     check_busif_1},
    {"busif (total)", "r=# w=#", "r=N w=N", NPU_BUSIFS, 2, check_busifs},
    {"ops", "#", "a whole number", NPU_OPS, 1, NULL},
    {"compute cycles", "# (max_cycles=#)", "as in 4608 (max_cycles=27648)", NPU_COMPUTE, 2, NULL},
};

/* The clock stands behind the cycles: "(mcu_freq=800MHz)". */
static void read_clock(text_span value, const char *key, double *mhz)
{
    const char *at = value.length ? memmem(value.text, value.length, key, strlen(key)) : NULL;
    if (!at)
        return;
    at += strlen(key);
    text_span rest = {at, value.length - (size_t)(at - value.text)};
    double number = NAN;
    if (npu_scan(&rest, "#MHz", &number) && number > 0)
        *mhz = number;
}

static roof_status read_numbers(npu_block *b, const struct number_line *row, text_span key, text_span value,
                                roof_error *err)
{
    text_span rest = value;
    if (span_begins(value, "<no"))
        return ROOF_OK;
    if (!isnan(b->numbers[row->first]))
        return error_set(err, ROOF_E_DATA, "'%s' is there twice in a block", row->key);
    if (!npu_scan(&rest, row->pattern, b->numbers + row->first))
        return malformed(key, value, row->want, err);
    read_clock(rest, "(mcu_freq=", &b->mcu_mhz);
    read_clock(rest, "(npu_freq=", &b->npu_mhz);
    return row->check ? row->check(b, err) : ROOF_OK;
}

/* --- lines of names and numbers ----------------------------------------------------------------------- */

typedef struct target {
    npu_block *b;
    roof_measured_layer *layer;
    text_span key, value;
    uint64_t line;
} target;

#define SHOWN(span) (int)((span).length < 200 ? (span).length : 200), (span).text

/* "{'hw.conv': 4, 'hw.mul': 1}" */
static roof_status read_dictionary(const target *t, const char *prefix, roof_error *err)
{
    static const char want[] = "names and numbers, as in {'hw.conv': 4, 'hw.mul': 1}";
    text_span rest = t->value;
    bool more = npu_scan(&rest, "{'", NULL);
    if (!more && !span_is(t->value, "{}"))
        return malformed(t->key, t->value, want, err);
    while (more) {
        double count;
        text_span name = npu_until(&rest, "'");
        if (!npu_scan(&rest, "': #", &count))
            return malformed(t->key, t->value, want, err);
        TRY(npu_layer_event(t->b->m, t->layer, (uint64_t)count, err, "%s%.*s", prefix, SHOWN(name)));
        more = npu_scan(&rest, ", '", NULL);
        if (!more && !npu_scan(&rest, "}", NULL))
            return malformed(t->key, t->value, want, err);
    }
    return ROOF_OK;
}

static roof_status read_operations(const target *t, roof_error *err)
{
    if (span_begins(t->value, "<no-info")) {
        t->b->without_compiler = true;
        return ROOF_OK;
    }
    return read_dictionary(t, "compiler.operation.", err);
}

static roof_status read_units(const target *t, roof_error *err)
{
    return read_dictionary(t, "compiler.unit.", err);
}

static roof_status set_pool(const target *t, text_span pool, const double bytes[2], roof_error *err)
{
    for (int write = 0; write < 2; write++)
        TRY(npu_layer_event(t->b->m, t->layer, (uint64_t)bytes[write], err, "compiler.%.*s.%s_bytes",
                            SHOWN(pool), write ? "write" : "read"));
    return ROOF_OK;
}

/* "[octoFlash: r=4608, w=0] [npuRAM5: r=19600, w=8820]", or nothing */
static roof_status read_accesses(const target *t, roof_error *err)
{
    text_span rest = t->value;
    while (rest.length) {
        double bytes[2];
        text_span pool = {"", 0};
        bool good = npu_scan(&rest, "[", NULL);
        if (good)
            pool = npu_until(&rest, ":");
        if (!good || !npu_scan(&rest, ": r=#, w=#] ", bytes))
            return malformed(t->key, t->value, "pools and bytes, as in [octoFlash: r=4608, w=0]", err);
        TRY(set_pool(t, pool, bytes, err));
    }
    return ROOF_OK;
}

/* A blob of the epoch controller uses an engine for inputs in some of its epochs and for outputs in others: then what is
 * printed is the mean of both (version 0.3 of the profiler), and of no direction. */
static const char *direction(const npu_block *b, bool is_output)
{
    if (b->id.first != b->id.last)
        return "";
    return is_output ? ".out" : ".in";
}

/* "STRENG.1.i: busif=0, 5845 cycles, [npuRAM5:12544], 44%" */
static roof_status read_stream(const target *t, roof_error *err)
{
    static const char want[] = "as in STRENG.1.i: busif=0, 5845 cycles, [npuRAM5:12544], 44%";
    double engine, numbers[2];
    text_span rest = t->value;
    npu_block *b = t->b;
    bool good = npu_scan(&rest, "STRENG.#.", &engine) && rest.length && strchr("io", *rest.text);
    bool is_output = good && *rest.text == 'o';
    if (!good || !npu_scan(&rest, is_output ? "o: busif=#, # cycles, " : "i: busif=#, # cycles, ", numbers) ||
        engine >= NPU_ENGINES)
        return malformed(t->key, t->value, want, err);
    unsigned e = (unsigned)engine;
    if (!isnan(b->active_cycles[e]))
        return error_set(err, ROOF_E_DATA, "stream engine %u is there twice in a block", e);
    b->active_cycles[e] = numbers[1];
    b->is_output[e] = is_output;
    for (bool more = npu_scan(&rest, "[", NULL); more; more = npu_scan(&rest, ", ", NULL)) {
        double bytes;
        text_span pool = npu_until(&rest, ":]");
        if (!npu_scan(&rest, ":#", &bytes))
            return malformed(t->key, t->value, want, err);
        TRY(npu_layer_event(b->m, t->layer, (uint64_t)bytes, err, "stream%u%s.%.*s_bytes", e,
                            direction(b, is_output), SHOWN(pool)));
        if (rest.length && *rest.text == ']')
            return ROOF_OK;
    }
    return ROOF_OK;
}

static void skip_line(npu_block *b, uint64_t line)
{
    if (!b->n_skipped++)
        b->first_skipped_line = line;
}

/* Version 0.3 of the profiler adds the counts to memory that was not set to 0 before, so that anything may stand here;
 * it is no reason to refuse the file. */
static roof_status read_cache(const target *t, roof_error *err)
{
    text_span rest = t->value;
    npu_block *b = t->b;
    if (!isnan(b->numbers[NPU_CACHE]))
        return error_set(err, ROOF_E_DATA, "'NPU cache cnts' is there twice in a block");
    if (!npu_scan(&rest, "R[hit=#, miss=#, alloc-miss=#, evict=#], W[hit=#, miss=#, alloc-miss=#, through=#]",
                  b->numbers + NPU_CACHE)) {
        b->numbers[NPU_CACHE] = NAN;
        skip_line(b, t->line);
    }
    return ROOF_OK;
}

/* The target's part repeats what the compiler planned of each pool, to divide it by the time. */
static roof_status read_pool(const target *t, const double bytes[2], roof_error *err)
{
    char name[LONGEST_KEY + 2];
    npu_block *b = t->b;
    const roof_layer_counters *c = layer_counters_of(b->m, t->layer);
    if (!c)
        return error_memory(err);
    b->pool_read_bytes += (uint64_t)bytes[0];
    b->pool_write_bytes += (uint64_t)bytes[1];
    for (int write = 0; write < 2; write++) {
        snprintf(name, sizeof name, "compiler.%.*s.%s_bytes", SHOWN(t->key), write ? "write" : "read");
        roof_event event;
        TRY(counter_parse(name, b->m->storage->arena, &event, err));
        uint64_t planned = counter_find(c->events, c->n_events, &event);
        if (planned == ROOF_UNKNOWN)
            return set_pool(t, t->key, bytes, err);
        if (planned != (uint64_t)bytes[write])
            return error_set(err, ROOF_E_DATA, "%s is %.0f here and %llu in the compiler's part", name,
                             bytes[write], (unsigned long long)planned);
    }
    return ROOF_OK;
}

static roof_status read_total(const target *t, roof_error *err)
{
    double bytes[2];
    text_span rest = t->value;
    const npu_block *b = t->b;
    if (!npu_scan(&rest, "r=# w=#", bytes))
        return malformed(t->key, t->value, "r=N w=N", err);
    if (bytes[0] != (double)b->pool_read_bytes || bytes[1] != (double)b->pool_write_bytes)
        return error_set(err, ROOF_E_DATA, "total is r=%.0f w=%.0f, but the pools together are r=%llu w=%llu",
                         bytes[0], bytes[1], (unsigned long long)b->pool_read_bytes,
                         (unsigned long long)b->pool_write_bytes);
    return ROOF_OK;
}

/* Follows from other lines. */
static roof_status leave_out(const target *t, roof_error *err)
{
    (void)t;
    (void)err;
    return ROOF_OK;
}

static const struct {
    const char *key;
    roof_status (*read)(const target *t, roof_error *err);
} named_lines[] = {
    {"operations", read_operations},
    {"processor units", read_units},
    {"mem accesses", read_accesses},
    {"active", read_stream},
    {"NPU cache cnts", read_cache},
    {"total", read_total},
    {"epoch type", leave_out},
    {"ops/cycle", leave_out},
    {"total mcu", leave_out},
    {"npu cycles", leave_out},
    {"compute cycles ratio", leave_out},
    {"strg engines", leave_out},
};

roof_status npu_block_line(npu_block *b, text_span message, uint64_t line, roof_measured_layer *layer,
                           roof_error *err)
{
    target t = {.b = b, .layer = layer, .line = line};
    double bytes[2];
    if (!message.length || *message.text == '-' || *message.text == '[')
        return ROOF_OK; /* rules, and the names of both parts */
    if (!st_cut_pair(message, &t.key, &t.value)) {
        skip_line(b, line);
        return ROOF_OK;
    }
    for (size_t i = 0; i < sizeof number_lines / sizeof *number_lines; i++)
        if (span_is(t.key, number_lines[i].key))
            return read_numbers(b, &number_lines[i], t.key, t.value, err);
    for (size_t i = 0; i < sizeof named_lines / sizeof *named_lines; i++)
        if (span_is(t.key, named_lines[i].key))
            return named_lines[i].read(&t, err);
    text_span rest = t.value;
    if (npu_scan(&rest, "r=# w=# ->", bytes))
        return read_pool(&t, bytes, err);
    skip_line(b, line);
    return ROOF_OK;
}

/* --- the end ------------------------------------------------------------------------------------------ */

uint64_t npu_block_cycles(const npu_block *b, unsigned phase)
{
    double extra = b->numbers[NPU_EXTRA_CYCLES + phase];
    return (uint64_t)b->numbers[NPU_CYCLES + phase] + (isnan(extra) ? 0 : (uint64_t)extra);
}

static roof_status set_time(const npu_block *b, double mcu_hz, roof_measured_layer *layer, roof_error *err)
{
    double cycles = 0, stated_ms = b->numbers[NPU_DURATION];
    if (isnan(b->numbers[NPU_CYCLES]) || isnan(stated_ms))
        return error_line(err, ROOF_E_DATA, b->line, "a block without '%s'",
                          isnan(stated_ms) ? "duration" : "mcu cycles");
    if (isnan(mcu_hz))
        return error_line(
            err, ROOF_E_DATA, b->line,
            "a block without the MCU's clock, want mcu_freq in device.attrs or behind 'mcu cycles'");
    for (unsigned p = 0; p < ST_PHASES; p++)
        cycles += (double)npu_block_cycles(b, p);
    layer->time.mean_s = cycles / mcu_hz;
    double away_ms = fabs(stated_ms - 1e3 * layer->time.mean_s);
    if (away_ms > ROUNDED_MS + 1e3 * ROUNDED_CYCLES / mcu_hz)
        return error_line(err, ROOF_E_DATA, b->line,
                          "a duration of %g ms, but its %.0f MCU cycles at %g MHz are %.3f ms", stated_ms,
                          cycles, mcu_hz / 1e6, 1e3 * layer->time.mean_s);
    return ROOF_OK;
}

static roof_status set_phases(const npu_block *b, roof_measured_layer *layer, roof_error *err)
{
    for (unsigned p = 0; p < ST_PHASES; p++)
        TRY(layer_set_phase(b->m, layer, st_phases[p], (roof_domain_cycles){"mcu", npu_block_cycles(b, p)},
                            err));
    if (isnan(b->numbers[NPU_CORE]))
        return ROOF_OK;
    return layer_set_phase(b->m, layer, "core", (roof_domain_cycles){"npu", (uint64_t)b->numbers[NPU_CORE]},
                           err);
}

static roof_status set_traffic(const npu_block *b, roof_layer_counters *c, roof_measured_layer *layer,
                               roof_error *err)
{
    uint64_t bytes[2] = {0, 0}, bursts[4];
    if (isnan(b->numbers[NPU_BUSIF]) || isnan(b->numbers[NPU_BUSIF + BUSIF_NUMBERS]))
        return ROOF_OK;
    for (unsigned i = 0; i < 4; i++) {
        bursts_of(b, i / 2, i % 2, bursts);
        TRY(npu_set_bursts(b->m, layer, i / 2, i % 2, bursts, err));
        bytes[i % 2] += npu_burst_bytes(bursts);
    }
    c->read_bytes = bytes[0];
    c->write_bytes = bytes[1];
    c->bytes_origin = ROOF_BYTES_COUNTER;
    return ROOF_OK;
}

static roof_status set_streams(const npu_block *b, roof_measured_layer *layer, roof_error *err)
{
    for (unsigned i = 0; i < NPU_ENGINES; i++)
        if (!isnan(b->active_cycles[i]))
            TRY(npu_layer_event(b->m, layer, (uint64_t)b->active_cycles[i], err, "stream%u%s.active_cycles",
                                i, direction(b, b->is_output[i])));
    return ROOF_OK;
}

static roof_status set_cache(const npu_block *b, roof_measured_layer *layer, roof_error *err)
{
    for (unsigned write = 0; write < 2 && !isnan(b->numbers[NPU_CACHE]); write++) {
        uint64_t counts[4];
        for (unsigned i = 0; i < 4; i++)
            counts[i] = (uint64_t)b->numbers[NPU_CACHE + 4 * write + i];
        TRY(npu_set_cache(b->m, layer, write, counts, err));
    }
    return ROOF_OK;
}

static roof_status set_plan(const npu_block *b, roof_measured_layer *layer, roof_error *err)
{
    static const char *const names[] = {"ops", "compute_cycles", "max_cycles"};
    for (unsigned i = 0; i < 3; i++)
        if (!isnan(b->numbers[NPU_OPS + i]))
            TRY(npu_layer_event(b->m, layer, (uint64_t)b->numbers[NPU_OPS + i], err, "compiler.%s",
                                names[i]));
    return ROOF_OK;
}

roof_status npu_block_end(npu_block *b, double mcu_hz, npu_trace *trace, roof_measured_layer *layer,
                          roof_error *err)
{
    bool matched = false;
    uint64_t cycles[ST_PHASES];
    roof_layer_counters *c = layer_counters_of(b->m, layer);
    if (!c)
        return error_memory(err);
    c->device = npu_device(b->id.type);
    TRY(set_time(b, mcu_hz, layer, err));
    TRY(set_phases(b, layer, err));
    TRY(set_traffic(b, c, layer, err));
    for (unsigned p = 0; p < ST_PHASES; p++)
        cycles[p] = npu_block_cycles(b, p);
    TRY(npu_trace_match(trace, &b->id, cycles, layer, &matched, err));
    if (!matched)
        TRY(set_streams(b, layer, err));
    TRY(set_cache(b, layer, err));
    return set_plan(b, layer, err);
}
