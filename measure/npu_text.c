#include "measure/npu_text.h"
#include "core/error.h"
#include "core/quantity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static text_span from(text_span s, size_t n)
{
    return (text_span){s.text + n, s.length - n};
}

text_span npu_message(const char *text, size_t length, char *level)
{
    static const char target[] = "[TARGET:";
    text_span s = span_trim((text_span){text, length});
    *level = 'I';
    if (s.length >= 3 && s.text[0] == '[' && s.text[1] >= 'A' && s.text[1] <= 'Z' && s.text[2] == ']') {
        *level = s.text[1];
        s = span_trim(from(s, 3));
    }
    if (span_begins(s, target)) {
        const char *end = memchr(s.text, ']', s.length);
        if (end)
            s = span_trim(from(s, (size_t)(end + 1 - s.text)));
    }
    return s;
}

/* Digits, and a point with digits where it may be one. What Python prints has no exponent here. */
static size_t number_length(text_span s, bool whole)
{
    size_t n = 0;
    while (n < s.length && ((s.text[n] >= '0' && s.text[n] <= '9') || (!whole && s.text[n] == '.')))
        n++;
    return n;
}

static bool take_number(text_span *s, bool whole, double *out)
{
    enum { MOST_DIGITS = 300 };
    size_t n = number_length(*s, whole);
    double value = 0;
    if (!n || n > MOST_DIGITS || number_parse(s->text, n, &value) != n)
        return false;
    if (!isfinite(value) || (whole && value > 9007199254740992.0))
        return false;
    *out = value;
    *s = from(*s, n);
    return true;
}

static size_t blanks(text_span s)
{
    size_t n = 0;
    while (n < s.length && (s.text[n] == ' ' || s.text[n] == '\t'))
        n++;
    return n;
}

bool npu_scan(text_span *text, const char *pattern, double *out)
{
    text_span s = *text;
    for (const char *p = pattern; *p; p++) {
        if (*p == '#' || *p == '~') {
            if (!take_number(&s, *p == '#', out++))
                return false;
        } else if (*p == ' ') {
            s = from(s, blanks(s));
        } else if (s.length && *s.text == *p) {
            s = from(s, 1);
        } else {
            return false;
        }
    }
    *text = s;
    return true;
}

text_span npu_until(text_span *text, const char *stops)
{
    text_span before = *text;
    size_t n = 0;
    while (n < text->length && !strchr(stops, text->text[n]))
        n++;
    before.length = n;
    *text = from(*text, n);
    return before;
}

/* --- events ------------------------------------------------------------------------------------------- */

static roof_status print_name(roof_measured *m, const roof_event *events, uint32_t n, roof_event *event,
                              roof_error *err, const char *format, va_list args) ROOF_PRINTF(6, 0);

static roof_status print_name(roof_measured *m, const roof_event *events, uint32_t n, roof_event *event,
                              roof_error *err, const char *format, va_list args)
{
    char shown[SHOWN_SIZE], name[COUNTER_NAME_SIZE];
    uint64_t count = event->count;
    if (vsnprintf(name, sizeof name, format, args) < 0)
        return error_memory(err);
    TRY(counter_parse(name, m->storage->arena, event, err));
    event->count = count;
    if (counter_find(events, n, event) != ROOF_UNKNOWN)
        return error_set(err, ROOF_E_DATA, "'%s' is there twice", span_show(span_of(name), shown));
    return ROOF_OK;
}

roof_status npu_layer_event(roof_measured *m, roof_measured_layer *layer, uint64_t count, roof_error *err,
                            const char *format, ...)
{
    roof_event event = {.count = count};
    va_list args;
    const roof_layer_counters *c = layer->counters;
    va_start(args, format);
    roof_status status = print_name(m, c ? c->events : NULL, c ? c->n_events : 0, &event, err, format, args);
    va_end(args);
    TRY(status);
    return layer_set_event(m, layer, event, err);
}

roof_status npu_run_event(roof_measured *m, roof_run *run, uint64_t count, roof_error *err,
                          const char *format, ...)
{
    roof_event event = {.count = count};
    va_list args;
    va_start(args, format);
    roof_status status = print_name(m, run->events, run->n_events, &event, err, format, args);
    va_end(args);
    TRY(status);
    return run_set_event(m, run, event, err);
}

/* Saturates, so that a count that no document can hold is refused where it is set. */
uint64_t npu_burst_bytes(const uint64_t bursts[4])
{
    enum { BEAT_BYTES = 8 };
    uint64_t beats = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t some = 0;
        if (__builtin_mul_overflow(bursts[i], UINT64_C(1) << i, &some) ||
            __builtin_add_overflow(beats, some, &beats))
            return UINT64_MAX - 1;
    }
    return beats > UINT64_MAX / BEAT_BYTES ? UINT64_MAX - 1 : beats * BEAT_BYTES;
}

roof_status npu_set_bursts(roof_measured *m, roof_measured_layer *layer, unsigned busif, bool write,
                           const uint64_t bursts[4], roof_error *err)
{
    const char *way = write ? "write" : "read";
    TRY(npu_layer_event(m, layer, npu_burst_bytes(bursts), err, "busif%u.%s_bytes", busif, way));
    for (unsigned i = 0; i < 4; i++)
        TRY(npu_layer_event(m, layer, bursts[i], err, "busif%u.%s_bursts_%u", busif, way, 1U << i));
    return ROOF_OK;
}

roof_status npu_set_cache(roof_measured *m, roof_measured_layer *layer, bool write, const uint64_t counts[4],
                          roof_error *err)
{
    static const char *const names[2][4] = {
        {"read_hits", "read_misses", "read_alloc_misses", "read_evictions"},
        {"write_hits", "write_misses", "write_alloc_misses", "write_throughs"}};
    for (unsigned i = 0; i < 4; i++)
        TRY(npu_layer_event(m, layer, counts[i], err, "cache.%s", names[write][i]));
    return ROOF_OK;
}

/* --- epochs ------------------------------------------------------------------------------------------- */

const char *npu_epoch_name(uint64_t first, uint64_t last, char buffer[NPU_NAME_SIZE])
{
    if (first == last)
        snprintf(buffer, NPU_NAME_SIZE, "epoch_%llu", (unsigned long long)first);
    else
        snprintf(buffer, NPU_NAME_SIZE, "EpochBlock_%llu -> %llu", (unsigned long long)first,
                 (unsigned long long)last);
    return buffer;
}

const char *npu_device(const char *type)
{
    static const struct {
        const char *type, *device;
    } rows[] = {{"HW", "NPU"}, {"EC", "NPU"}, {"SW", "CPU"}, {"HYBRID", "NPU+CPU"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0)
            return rows[i].device;
    return NULL;
}
