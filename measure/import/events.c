#include "measure/import/events.h"
#include "core/json/jsonpull.h"
#include "core/json/jsonscan.h"

#include <strings.h>

enum {
    WINDOW_BYTES = 128 << 10,
    EVENT_MAX_BYTES = 1 << 20,
    MEMBER_MAX_BYTES = 64 << 10,
    MOST_THREADS = 1 << 16,
    THREAD_KEY_BYTES = 256,
    MOST_BEGINS = 4096,
};

/* A begin whose end has not come, with a copy of its text. */
typedef struct begin {
    struct begin *below; /* of the same thread */
    uint64_t byte;
    size_t length;
    char text[];
} begin;

typedef struct thread {
    const char *key; /* pid, NUL, tid */
    size_t length;
    begin *top;
} thread;

struct event_reader {
    import_read read;
    void *context;
    struct reading *target;
    const event_calls *calls;
    char *buffer; /* with a NUL behind its end */
    size_t start, end, room;
    uint64_t before; /* bytes of the file in front of the buffer */
    bool ended;      /* nothing more can be read */
    bool has_base;
    int64_t base_us;
    roof_arena *scratch;
    thread *threads;
    uint32_t n_threads, n_mapped, n_begins;
    namemap *map;
    uint64_t n_unpaired;
    textbuf text; /* of event_text */
};

/* --- bytes ---------------------------------------------------------------------------------------------- */

static roof_status check_size(const event_reader *r, size_t bytes, roof_error *err)
{
    return bytes <= EVENT_MAX_BYTES ? ROOF_OK
                                    : error_at(err, ROOF_E_LIMIT, r->before + r->start,
                                               "an event or a text of more than %d bytes", EVENT_MAX_BYTES);
}

/* Moves what was not used to the front, and makes room where that is most of the window. */
static roof_status fill(event_reader *r, roof_error *err)
{
    size_t got = 1, kept = r->end - r->start;
    TRY(check_size(r, kept, err));
    memmove(r->buffer, r->buffer + r->start, kept);
    r->before += r->start;
    r->start = 0;
    r->end = kept;
    if (kept > r->room / 2) {
        char *larger = realloc(r->buffer, 2 * r->room + 1);
        TRY(ALLOCATED(larger, err));
        r->buffer = larger;
        r->room *= 2;
    }
    while (got && r->end < r->room) {
        TRY(r->read(r->context, r->buffer + r->end, r->room - r->end, &got, err));
        r->end += got;
    }
    r->ended = got == 0;
    r->buffer[r->end] = '\0';
    return ROOF_OK;
}

static json_scan scan_here(const event_reader *r)
{
    return (json_scan){r->buffer + r->start, r->buffer + r->end, r->ended, NULL};
}

static roof_status fail(const event_reader *r, const json_scan *s, roof_error *err)
{
    char shown[64];
    uint64_t at = r->before + (uint64_t)(s->at - r->buffer);
    size_t left = (size_t)(s->end - s->at);
    if (!left)
        return error_at(err, ROOF_E_DATA, at, "is not JSON: it ends too early, want %s", s->want);
    quote_text(shown, sizeof shown, s->at, left < 12 ? left : 12);
    return error_at(err, ROOF_E_DATA, at, "is not JSON at '%s': want %s", shown, s->want);
}

/* After a step: *again when there are more bytes to do it with, from its beginning. */
static roof_status settle(event_reader *r, json_scan *s, scan_result result, bool *again, roof_error *err)
{
    *again = result == SCAN_MORE && !r->ended;
    if (*again)
        return fill(r, err);
    if (result == SCAN_MORE)
        s->at = s->end;
    if (result != SCAN_DONE)
        return fail(r, s, err);
    r->start = (size_t)(s->at - r->buffer);
    return ROOF_OK;
}

/* The next byte that is not blank, NUL at the end, which is not taken. */
static roof_status peek(event_reader *r, char *c, roof_error *err)
{
    for (;;) {
        json_scan s = scan_here(r);
        jsonscan_space(&s);
        r->start = (size_t)(s.at - r->buffer);
        *c = *s.at;
        if (s.at < s.end && !*c) {
            s.want = "JSON";
            return fail(r, &s, err);
        }
        if (*c || r->ended)
            return ROOF_OK;
        TRY(fill(r, err));
    }
}

static roof_status fail_here(const event_reader *r, const char *want, roof_error *err)
{
    json_scan s = scan_here(r);
    s.want = want;
    return fail(r, &s, err);
}

/* --- an event ------------------------------------------------------------------------------------------- */

static text_span *member_of(trace_event *e, text_span name)
{
    static const struct {
        char name[5];
        unsigned char length;
        unsigned char offset;
    } members[] = {{"ph", 2, offsetof(trace_event, phase)},  {"cat", 3, offsetof(trace_event, cat)},
                   {"name", 4, offsetof(trace_event, name)}, {"pid", 3, offsetof(trace_event, pid)},
                   {"tid", 3, offsetof(trace_event, tid)},   {"ts", 2, offsetof(trace_event, ts)},
                   {"dur", 3, offsetof(trace_event, dur)},   {"args", 4, offsetof(trace_event, args)},
                   {"id", 2, offsetof(trace_event, id)}};
    for (size_t i = 0; i < N_OF(members); i++)
        if (name.length == members[i].length && memcmp(name.text, members[i].name, name.length) == 0)
            return (text_span *)(void *)((char *)e + members[i].offset);
    return NULL;
}

/* Behind the opening brace of an event; a member that is there twice counts as the last one. */
static scan_result scan_event(json_scan *s, trace_event *e)
{
    text_span name, value;
    s->at++;
    for (bool is_first = true;; is_first = false) {
        scan_result result = jsonscan_member(s, is_first, &name, &value);
        if (result != SCAN_DONE || !name.text)
            return result;
        text_span *member = member_of(e, name);
        if (!member)
            continue;
        char before = value.text[-1]; /* strings are without their quotes */
        bool is_object = before != '"' && *value.text == '{', is_list = before != '"' && *value.text == '[';
        if (member == &e->args ? !is_object : is_object || is_list || span_is(value, "null"))
            value.length = 0; /* of no use here */
        *member = value;
    }
}

/* --- threads -------------------------------------------------------------------------------------------- */

roof_status event_thread(const trace_event *e, uint32_t *out, roof_error *err)
{
    event_reader *r = e->reader;
    char key[THREAD_KEY_BYTES], *kept;
    size_t length = e->pid.length + 1 + e->tid.length;
    if (length > sizeof key)
        return error_set(err, ROOF_E_LIMIT, "pid and tid of %zu bytes, want at most %d", length,
                         THREAD_KEY_BYTES);
    if (e->pid.length)
        memcpy(key, e->pid.text, e->pid.length);
    key[e->pid.length] = '\0';
    if (e->tid.length)
        memcpy(key + e->pid.length + 1, e->tid.text, e->tid.length);
    *out = r->map ? namemap_find(r->map, key, length) : ROOF_NONE;
    if (*out != ROOF_NONE)
        return ROOF_OK;
    TRY(HAS_ROOM(r->n_threads, MOST_THREADS, err, "threads"));
    TRY(ARENA_GET(r->scratch, kept, length, err));
    TRY(ARENA_MORE(r->scratch, r->threads, r->n_threads, err));
    memcpy(kept, key, length);
    *out = r->n_threads++;
    r->threads[*out] = (thread){.key = kept, .length = length};
    if (r->n_threads <= r->n_mapped)
        return ALLOCATED(namemap_add(r->map, kept, length, *out), err);
    r->n_mapped = r->n_mapped ? 2 * r->n_mapped : 64;
    r->map = namemap_new(r->scratch, r->n_mapped);
    for (uint32_t i = 0; r->map && i < r->n_threads; i++)
        namemap_add(r->map, r->threads[i].key, r->threads[i].length, i);
    return ALLOCATED(r->map, err);
}

/* --- times ---------------------------------------------------------------------------------------------- */

enum { PS_OF_US = 1000000, PS_DIGITS = 6 };

typedef struct stamp {
    int64_t us;
    int64_t ps; /* less than a microsecond, of the same sign */
} stamp;

/* Digits beyond picoseconds are cut off: nobody measured them. */
static bool read_stamp(text_span s, stamp *out)
{
    enum { MOST_DIGITS = 18 };
    bool is_minus = s.length && *s.text == '-';
    size_t i = is_minus, from = i;
    int64_t us = 0, ps = 0;
    for (; i < s.length && s.text[i] >= '0' && s.text[i] <= '9' && i - from < MOST_DIGITS; i++)
        us = 10 * us + (s.text[i] - '0');
    if (i == from || (i < s.length && s.text[i] >= '0' && s.text[i] <= '9'))
        return false;
    if (i < s.length && s.text[i] == '.') {
        int n = 0;
        for (i++; i < s.length && s.text[i] >= '0' && s.text[i] <= '9'; i++, n++)
            ps = n < PS_DIGITS ? 10 * ps + (s.text[i] - '0') : ps;
        for (; n < PS_DIGITS; n++)
            ps *= 10;
    }
    *out = (stamp){is_minus ? -us : us, is_minus ? -ps : ps};
    if (i == s.length)
        return true;
    double value = 0, whole; /* 1.5e3: rare, and no longer than a double holds */
    if (number_parse(s.text, s.length, &value) != s.length || !(fabs(value) < 9e18))
        return false;
    double fraction = modf(value, &whole);
    *out = (stamp){(int64_t)whole, llround(fraction * PS_OF_US)};
    return true;
}

/* The time of a stamp from a base on. */
static roof_status to_ps(text_span text, const char *what, int64_t base_us, int64_t *out, roof_error *err)
{
    stamp t;
    if (!read_stamp(text, &t))
        return error_data(err, "%s is '%s', want microseconds", what, SHOWN(text));
    if (__builtin_sub_overflow(t.us, base_us, out) || __builtin_mul_overflow(*out, (int64_t)PS_OF_US, out) ||
        __builtin_add_overflow(*out, t.ps, out) || *out > INT64_MAX / 2 || *out < INT64_MIN / 2)
        return error_set(err, ROOF_E_LIMIT, "%s is '%s', more than 50 days from the first event", what,
                         SHOWN(text));
    return ROOF_OK;
}

static roof_status start_of(const trace_event *e, int64_t *start_ps, roof_error *err)
{
    event_reader *r = e->reader;
    stamp t;
    if (!r->has_base && read_stamp(e->ts, &t)) {
        r->base_us = t.us;
        r->has_base = true;
    }
    return to_ps(e->ts, "ts", r->base_us, start_ps, err);
}

bool event_is_span(const trace_event *e)
{
    return span_is(e->phase, "X") && e->ts.length > 0 && (e->dur.length > 0 || e->lasts_ps >= 0);
}

roof_status event_times(const trace_event *e, int64_t *start_ps, int64_t *dur_ps, roof_error *err)
{
    TRY(start_of(e, start_ps, err));
    *dur_ps = e->lasts_ps;
    if (e->lasts_ps < 0)
        TRY(to_ps(e->dur, "dur", 0, dur_ps, err));
    return *dur_ps >= 0 ? ROOF_OK : error_data(err, "dur is '%s', want 0 or more", SHOWN(e->dur));
}

double event_seconds(int64_t ps)
{
    return (double)ps / 1e12;
}

/* --- begins and ends ------------------------------------------------------------------------------------ */

static roof_status push_begin(event_reader *r, const trace_event *e, text_span whole, roof_error *err)
{
    uint32_t at;
    TRY(HAS_ROOM(r->n_begins, MOST_BEGINS, err, "events that begin and do not end"));
    TRY(event_thread(e, &at, err));
    begin *b = malloc(sizeof *b + whole.length + 1);
    TRY(ALLOCATED(b, err));
    *b = (begin){r->threads[at].top, e->byte, whole.length};
    memcpy(b->text, whole.text, whole.length);
    b->text[whole.length] = '\0';
    r->threads[at].top = b;
    r->n_begins++;
    return ROOF_OK;
}

/* The last begin of the thread that ends here, as one event with it. */
static roof_status pop_begin(event_reader *r, const trace_event *e, roof_error *err)
{
    uint32_t at;
    int64_t start_ps, end_ps;
    TRY(event_thread(e, &at, err));
    begin *b = r->threads[at].top;
    if (!b) {
        r->n_unpaired++;
        return ROOF_OK;
    }
    trace_event both = {.reader = r, .byte = b->byte};
    json_scan s = {b->text, b->text + b->length, true, NULL};
    (void)scan_event(&s, &both); /* it was read once */
    both.args = both.args.length ? both.args : e->args;
    both.phase = span_of("X");
    roof_status status = start_of(&both, &start_ps, err);
    THEN(status, start_of(e, &end_ps, err));
    if (status == ROOF_OK && end_ps < start_ps)
        status = error_data(err, "an event that ends before it begins");
    if (status == ROOF_OK) {
        both.lasts_ps = end_ps - start_ps;
        status = r->calls->event(r->target, &both, err);
    }
    r->threads[at].top = b->below;
    r->n_begins--;
    free(b);
    return status;
}

/* --- the document --------------------------------------------------------------------------------------- */

static roof_status read_event(event_reader *r, roof_error *err)
{
    for (bool again = true; again;) {
        json_scan s = scan_here(r);
        const char *from = s.at;
        trace_event e = {.reader = r, .lasts_ps = -1, .byte = r->before + r->start};
        scan_result result = scan_event(&s, &e);
        text_span whole = {from, (size_t)(s.at - from)};
        TRY(check_size(r, whole.length, err));
        TRY(settle(r, &s, result, &again, err));
        if (again)
            continue;
        roof_status status = r->calls->pairs && span_is(e.phase, "B")   ? push_begin(r, &e, whole, err)
                             : r->calls->pairs && span_is(e.phase, "E") ? pop_begin(r, &e, err)
                                                                        : r->calls->event(r->target, &e, err);
        if (status != ROOF_OK && err && err->line == ROOF_UNKNOWN && err->byte_offset == ROOF_UNKNOWN)
            err->byte_offset = e.byte;
        TRY(status);
    }
    return ROOF_OK;
}

/* Behind the opening bracket. The end of a bare array may be missing. */
static roof_status read_events(event_reader *r, bool is_bare, roof_error *err)
{
    for (bool may_follow = true;;) {
        char c;
        TRY(peek(r, &c, err));
        if (!c && is_bare)
            return ROOF_OK;
        if (c == ']') {
            r->start++;
            return ROOF_OK;
        }
        if (c == ',' && !may_follow) {
            r->start++;
            may_follow = true;
        } else if (c == '{' && may_follow) {
            TRY(read_event(r, err));
            may_follow = false;
        } else {
            return fail_here(r, may_follow ? "an event" : "a comma or the end of the events", err);
        }
    }
}

/* A value beside the events, which may be of any length and is only kept where it is short. */
static roof_status read_other(event_reader *r, text_span name, roof_error *err)
{
    json_walk walk = {0};
    bool is_kept = r->calls->member != NULL;
    size_t done = 0; /* bytes behind start that the walk has passed */
    char c;
    TRY(peek(r, &c, err));
    for (bool again = true; again;) {
        json_scan s = scan_here(r);
        s.at += done;
        scan_result result = jsonscan_walk(&s, &walk);
        size_t length = (size_t)(s.at - r->buffer) - r->start;
        is_kept = is_kept && length <= MEMBER_MAX_BYTES;
        if (result == SCAN_MORE && !is_kept)
            r->start = (size_t)(s.at - r->buffer);
        done = is_kept ? length : 0;
        text_span value = {r->buffer + r->start, length};
        TRY(settle(r, &s, result, &again, err));
        if (!again && is_kept)
            TRY(r->calls->member(r->target, name, value, err));
    }
    return ROOF_OK;
}

static roof_status read_name(event_reader *r, char *name, size_t size, roof_error *err)
{
    for (bool again = true; again;) {
        json_scan s = scan_here(r);
        text_span raw = {0};
        scan_result result = jsonscan_string(&s, &raw);
        if (result == SCAN_DONE) {
            size_t length =
                raw.length < size ? raw.length : size - 1; /* no name that is requested is so long */
            memcpy(name, raw.text, length);
            name[length] = '\0';
            result = jsonscan_byte(&s, ':', "a colon");
        }
        TRY(settle(r, &s, result, &again, err));
    }
    return ROOF_OK;
}

/* Behind the opening brace. */
static roof_status read_object(event_reader *r, roof_error *err)
{
    char name[80], c;
    bool has_events = false;
    TRY(peek(r, &c, err));
    if (c != '}')
        do {
            TRY(peek(r, &c, err));
            TRY(read_name(r, name, sizeof name, err));
            TRY(peek(r, &c, err));
            bool is_events = strcmp(name, "traceEvents") == 0;
            if (is_events && has_events)
                return fail_here(r, "traceEvents only once", err);
            if (is_events && c != '[')
                return fail_here(r, "an array of events", err);
            has_events = has_events || is_events;
            r->start += is_events;
            TRY(is_events ? read_events(r, false, err) : read_other(r, span_of(name), err));
            TRY(peek(r, &c, err));
            r->start += c == ',';
        } while (c == ',');
    if (c != '}')
        return fail_here(r, "a comma or the end of the object", err);
    r->start++;
    return has_events ? ROOF_OK : error_data(err, "no traceEvents: it is no trace of events");
}

static roof_status read_document(event_reader *r, roof_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    char c;
    TRY(fill(r, err));
    if (r->end >= 3 && memcmp(r->buffer, mark, 3) == 0)
        r->start = 3;
    TRY(peek(r, &c, err));
    if (c != '[' && c != '{')
        return fail_here(r, "an array or an object of trace events", err);
    r->start++;
    TRY(c == '[' ? read_events(r, true, err) : read_object(r, err));
    TRY(peek(r, &c, err));
    return c ? fail_here(r, "nothing behind the end", err) : ROOF_OK;
}

roof_status events_each(import_read read, void *context, const event_calls *calls, struct reading *target,
                        roof_arena *scratch, uint64_t *n_unpaired, roof_error *err)
{
    event_reader r = {.read = read,
                      .context = context,
                      .target = target,
                      .calls = calls,
                      .room = WINDOW_BYTES,
                      .scratch = scratch,
                      .buffer = malloc(WINDOW_BYTES + 1)};
    text_init(&r.text, EVENT_MAX_BYTES + 1);
    roof_status status = r.buffer ? read_document(&r, err) : error_memory(err);
    for (uint32_t i = 0; i < r.n_threads; i++)
        for (begin *b; (b = r.threads[i].top);) {
            r.threads[i].top = b->below;
            free(b);
        }
    if (n_unpaired)
        *n_unpaired = r.n_unpaired + r.n_begins;
    text_free(&r.text);
    free(r.buffer);
    return status;
}

/* --- what an event says --------------------------------------------------------------------------------- */

roof_status event_text(const trace_event *e, text_span raw, text_span *out, roof_error *err)
{
    textbuf *text = &e->reader->text;
    json_event value = {.kind = JSON_NULL};
    *out = raw;
    if (!raw.length || !memchr(raw.text, '\\', raw.length))
        return ROOF_OK;
    jsonpull *puller = jsonpull_of_memory(raw.text - 1, raw.length + 2); /* with its quotes */
    roof_status status = puller ? jsonpull_next(puller, &value, err) : error_memory(err);
    text->length = 0;
    if (status == ROOF_OK) {
        text_add(text, value.text, value.text_length);
        status = text_status(text, err);
        *out = (text_span){text->bytes, text->length};
    } else if (err) {
        err->line = ROOF_UNKNOWN; /* of the text, not of the file */
    }
    jsonpull_free(puller);
    return status;
}

text_span event_member(text_span object, const char *name)
{
    text_span key, value, found = {"", 0};
    size_t length = strlen(name);
    if (!object.length)
        return found;
    json_scan s = {object.text + 1, object.text + object.length, true, NULL};
    for (bool is_first = true; jsonscan_member(&s, is_first, &key, &value) == SCAN_DONE && key.text;
         is_first = false)
        if (key.length == length && strncasecmp(key.text, name, length) == 0)
            found = value;
    return found;
}

text_span event_arg(const trace_event *e, const char *name)
{
    return event_member(e->args, name);
}
