/* Events of traces: what is read of them whatever the pieces are, what is refused and where, times beyond a
 * double's digits, and what is left of nested ones. */
#include "measure/import/events.h"
#include "core/error.h"
#include "core/text.h"
#include "measure/import/timings.h"
#include "tests/unit/imported.h"

/* --- what is heard -------------------------------------------------------------------------------------- */

/* Every event as "name cat phase thread start+dur", ps; every member of the top object as "name=value". */
static roof_status write_event(struct reading *target, const trace_event *e, roof_error *err)
{
    textbuf *out = (textbuf *)target;
    text_span name;
    uint32_t thread = 0;
    int64_t start_ps = 0, dur_ps = 0;
    TRY(event_text(e, e->name, &name, err));
    text_add(out, name.length ? name.text : "", name.length);
    text_printf(out, " %.*s %.*s", (int)e->cat.length, e->cat.text ? e->cat.text : "", (int)e->phase.length,
                e->phase.text ? e->phase.text : "");
    if (event_is_span(e)) {
        TRY(event_thread(e, &thread, err));
        TRY(event_times(e, &start_ps, &dur_ps, err));
        text_printf(out, " %u %lld+%lld", thread, (long long)start_ps, (long long)dur_ps);
    }
    text_span arg = event_arg(e, "k");
    text_printf(out, " %.*s\n", (int)arg.length, arg.text ? arg.text : "");
    return ROOF_OK;
}

static roof_status write_member(struct reading *target, text_span name, text_span value, roof_error *err)
{
    (void)err;
    text_printf((textbuf *)target, "%.*s=%.*s\n", (int)name.length, name.text, (int)value.length, value.text);
    return ROOF_OK;
}

static roof_status hear(im_text *t, bool pairs, textbuf *out, uint64_t *n_unpaired, roof_error *err)
{
    const event_calls calls = {write_event, write_member, pairs};
    roof_arena *scratch = arena_new(0);
    text_init(out, 1 << 20);
    text_add(out, "", 0);
    roof_status status = events_each(im_read, t, &calls, (struct reading *)out, scratch, n_unpaired, err);
    arena_free(scratch);
    return status;
}

#define X(name, ts, dur) "{\"name\":\"" name "\",\"ph\":\"X\",\"ts\":" ts ",\"dur\":" dur "}"

static void traces_are_the_same_whatever_their_shape_and_pieces_are(void **state)
{
    static const struct {
        const char *text, *want;
        bool pairs;
    } rows[] = {
        {"[]", "", false},
        {" [ ", "", false},
        {"\xef\xbb\xbf[{}]", "   \n", false},
        {"[" X("a", "1", "2") "," X("b", "4", "0.5") "]", "a  X 0 0+2000000 \nb  X 0 3000000+500000 \n",
         false},
        {"[" X("a", "1", "2"), "a  X 0 0+2000000 \n", false},
        {"[" X("a", "1", "2") ",\n", "a  X 0 0+2000000 \n", false},
        {"[" X("a", "1", "2") ",]", "a  X 0 0+2000000 \n", false},
        {"{\"schemaVersion\":1,\"p\":[{\"a\":\"]\"},2],\"traceEvents\":[" X(
             "a", "1", "2") "],\"displayTimeUnit\" : \"ns\"} \n",
         "schemaVersion=1\np=[{\"a\":\"]\"},2]\na  X 0 0+2000000 \ndisplayTimeUnit=\"ns\"\n", false},
        {"{\"traceEvents\":[]}", "", false},
        /* members in any order, of any kind, also twice; threads by both ids, numbers and texts */
        {"[{\"args\":{\"j\":[1,{}],\"K\":\"v\"},\"tid\":\"t "
         "1\",\"x\":null,\"pid\":1,\"dur\":1,\"cat\":\"c\",\"ts\":0,\"ph\":\"X\","
         "\"name\":\"a\"},{\"ph\":\"X\",\"name\":\"z\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":-1,\"dur\":"
         "0},"
         "{\"ph\":\"X\",\"pid\":\"1\",\"tid\":\"t 1\",\"ts\":\"5\",\"dur\":\"1e1\"}]",
         "a c X 0 0+1000000 v\nb  X 1 -1000000+0 \n  X 0 5000000+10000000 \n", false},
        {"[{\"name\":\"\\u00e4\\\"\\ud83d\\ude00\",\"ph\":\"i\"},{\"name\":\"\xc3\xa4\",\"ph\":\"M\","
         "\"args\":{\"k\":1.5e3}}]",
         "\xc3\xa4\"\xf0\x9f\x98\x80  i \n\xc3\xa4  M 1.5e3\n", false},
        /* 1.7e15 us and their picoseconds; digits behind them are cut off */
        {"[" X("a", "1700000000000000.125", "4.928") "," X("b", "1700000000000000.126001", "0.0000019") "]",
         "a  X 0 125000+4928000 \nb  X 0 126001+1 \n", false},
        /* begins and ends */
        {"[{\"ph\":\"B\",\"name\":\"a\",\"tid\":1,\"ts\":1},{\"ph\":\"B\",\"name\":\"b\",\"tid\":2,\"ts\":2,"
         "\"args\":{\"k\":7}},"
         "{\"ph\":\"B\",\"name\":\"c\",\"tid\":1,\"ts\":3},{\"ph\":\"E\",\"tid\":1,\"ts\":4,\"args\":{\"k\":"
         "8}},"
         "{\"ph\":\"E\",\"tid\":2,\"ts\":6},{\"ph\":\"E\",\"tid\":1,\"ts\":9},{\"ph\":\"E\",\"tid\":1,\"ts\":"
         "9},{\"ph\":\"B\",\"ts\":1}]",
         "c  X 0 0+1000000 8\nb  X 1 -1000000+4000000 7\na  X 0 -2000000+8000000 \n", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 0; piece <= strlen(rows[i].text); piece++) {
            im_text t = {.bytes = rows[i].text, .length = strlen(rows[i].text), .piece = piece};
            textbuf out;
            uint64_t n_unpaired = 0;
            roof_error err = {0};
            if (hear(&t, rows[i].pairs, &out, &n_unpaired, &err) != ROOF_OK)
                fail_msg("%s: %s", rows[i].text, fx_message(&err));
            assert_string_equal(out.bytes, rows[i].want);
            assert_int_equal(n_unpaired, rows[i].pairs ? 2 : 0);
            text_free(&out);
        }
}

static void what_is_no_trace_is_refused_where_it_goes_wrong(void **state)
{
    static const struct {
        const char *text;
        uint64_t byte; /* ROOF_UNKNOWN: of no byte */
        const char *words;
        roof_status status;
    } rows[] = {
        {"", 0, "ends too early, want an array or an object", ROOF_E_DATA},
        {"name,time", 0, "want an array or an object of trace events", ROOF_E_DATA},
        {"{\"a\":1}", ROOF_UNKNOWN, "no traceEvents", ROOF_E_DATA},
        {"{\"traceEvents\":{}}", 15, "want an array of events", ROOF_E_DATA},
        {"{\"traceEvents\":[],\"traceEvents\":[]}", 32, "traceEvents only once", ROOF_E_DATA},
        {"{\"traceEvents\":[{}", 18, "ends too early", ROOF_E_DATA},
        {"{\"traceEvents\":[]", 17, "ends too early", ROOF_E_DATA},
        {"{\"a\":[1,2", 9, "ends too early", ROOF_E_DATA},
        {"[{\"name\":\"a", 11, "ends too early, want the rest of a string", ROOF_E_DATA},
        {"[{\"name\":\"a\"", 12, "ends too early", ROOF_E_DATA},
        {"[{\"a\":1 \"b\":2}]", 8, "want a comma or the end of an object", ROOF_E_DATA},
        {"[{\"a\":1,}]", 8, "want the name of a member", ROOF_E_DATA},
        {"[{\"a\" 1}]", 6, "want a colon", ROOF_E_DATA},
        {"[{\"a\":[1,]}]", 9, "want a value", ROOF_E_DATA},
        {"[{\"a\":{\"b\":1,}}]", 13, "want the name of a member", ROOF_E_DATA},
        {"[{\"a\":[1 2]}]", 9, "want a comma", ROOF_E_DATA},
        {"[{\"a\":[1}]", 8, "want a comma", ROOF_E_DATA},
        {"[{\"a\":01}]", 6, "want a value", ROOF_E_DATA},
        {"[{\"a\":1.}]", 6, "want a value", ROOF_E_DATA},
        {"[{\"a\":1e}]", 6, "want a value", ROOF_E_DATA},
        {"[{\"a\":NaN}]", 6, "want a value", ROOF_E_DATA},
        {"[{\"a\":tru}]", 6, "want a value", ROOF_E_DATA},
        {"[{\"a\":\"\\x\"}]", 8, "after a backslash", ROOF_E_DATA},
        {"[{\"a\":\"\\u12g4\"}]", 11, "four hexadecimal digits", ROOF_E_DATA},
        {"[{\"a\":\"\n\"}]", 7, "without control characters", ROOF_E_DATA},
        {"[{\"a\":\"\xff....\"}]", 7, "UTF-8", ROOF_E_DATA},
        {"[{} {}]", 4, "want a comma or the end of the events", ROOF_E_DATA},
        {"[1]", 1, "want an event", ROOF_E_DATA},
        {"[,{}]", 1, "want an event", ROOF_E_DATA},
        {"[]]", 2, "nothing behind the end", ROOF_E_DATA},
        {"[" X("a", "1", "-2") "]", 1, "dur is '-2', want 0 or more", ROOF_E_DATA},
        {"[" X("a", "\"x\"", "2") "]", 1, "ts is 'x', want microseconds", ROOF_E_DATA},
        {"[" X("a", "1234567890123456789", "2") "]", 1, "want microseconds", ROOF_E_DATA},
        {"[" X("a", "1", "2") "," X("a", "9000000000000", "2") "]", 38, "more than 50 days", ROOF_E_LIMIT},
        {"[{\"name\":\"\\ud800\"}]", 1, "surrogate", ROOF_E_DATA},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        im_text t = {.bytes = rows[i].text, .length = strlen(rows[i].text), .piece = 3};
        textbuf out;
        roof_error err = {0};
        roof_status status = hear(&t, false, &out, NULL, &err);
        if (status != rows[i].status || !strstr(fx_message(&err), rows[i].words) ||
            err.byte_offset != rows[i].byte)
            fail_msg("%s: status %d, byte %lld: %s", rows[i].text, (int)status, (long long)err.byte_offset,
                     fx_message(&err));
        text_free(&out);
    }
}

/* A text of so many pieces, between a beginning and an end. */
static char *repeated(const char *begin, const char *piece, size_t n, const char *end)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, begin);
    for (size_t i = 0; i < n; i++)
        text_puts(&text, piece);
    text_puts(&text, end);
    assert_false(text.failed);
    return text.bytes;
}

static void what_is_too_much_is_a_limit(void **state)
{
    static const struct {
        const char *begin, *piece, *end, *words;
        size_t n;
        bool pairs, good;
    } rows[] = {
        {"[{\"a\":\"", "0123456789", "\"}]", "", 100000, false, true},
        {"[{\"a\":\"", "0123456789", "\"}]", "more than 1048576 bytes", 200000, false, false},
        {"[{\"a\":", "[", "1", "no more than 64 levels", 65, false, false},
        {"[", "{\"ph\":\"B\",\"ts\":1},", "]", "more than 4096 events that begin", 4097, true, false},
        {"{\"long\":[", "\"0123456789\",", "1],\"traceEvents\":[]}", "", 300000, false,
         true}, /* kept nowhere */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text = repeated(rows[i].begin, rows[i].piece, rows[i].n, rows[i].end);
        im_text t = {.bytes = text, .length = strlen(text)};
        textbuf out;
        roof_error err = {0};
        roof_status status = hear(&t, rows[i].pairs, &out, NULL, &err);
        if ((status == ROOF_OK) != rows[i].good || !strstr(fx_message(&err), rows[i].words))
            fail_msg("%zu: %s", i, fx_message(&err));
        text_free(&out);
        free(text);
    }
}

/* --- nesting -------------------------------------------------------------------------------------------- */

enum { MOST_EVENTS_HERE = 64 };

typedef struct nested_sums {
    nesting *n;
    int64_t self_ps[MOST_EVENTS_HERE];
    uint32_t group[MOST_EVENTS_HERE], n_heard;
} nested_sums;

static roof_status keep_self(void *target, const nested_event *e, roof_error *err)
{
    nested_sums *sums = (nested_sums *)target;
    (void)err;
    assert_true(e->row < MOST_EVENTS_HERE);
    sums->self_ps[e->row] = e->self_ps;
    sums->group[e->row] = e->group;
    sums->n_heard++;
    return ROOF_OK;
}

/* Names are rows; one of cat "run" begins a group. */
static roof_status add_nested(struct reading *target, const trace_event *e, roof_error *err)
{
    nested_sums *sums = (nested_sums *)target;
    uint32_t row = (uint32_t)(e->name.text[0] - 'a');
    return nesting_add(sums->n, e, (nested_event){.row = row, .begins_group = span_is(e->cat, "run")}, err);
}

typedef struct span_row {
    unsigned thread, start, dur, self; /* us */
    bool is_run;
    uint32_t group;
} span_row;

#define AT(...)                                                                                              \
    {                                                                                                        \
        __VA_ARGS__, false, 0                                                                                \
    }
#define OF(group, ...)                                                                                       \
    {                                                                                                        \
        __VA_ARGS__, false, group                                                                            \
    }
#define RUN(group, ...)                                                                                      \
    {                                                                                                        \
        __VA_ARGS__, true, group                                                                             \
    }

/* clang-format off */
static const struct {
    const char *what;
    size_t n;
    span_row spans[6]; /* thread, start, duration, without what is inside */
    const char *note;
} nestings[] = {
    {"one after the other", 3, {AT(1, 0, 5, 5), AT(1, 5, 5, 5), AT(1, 12, 1, 1)}, NULL},
    {"inside of one another", 4, {AT(1, 0, 100, 60), AT(1, 10, 30, 10), AT(1, 15, 20, 20), AT(1, 90, 10, 10)}, NULL},
    {"threads are apart", 3, {AT(1, 0, 100, 100), AT(2, 10, 30, 20), AT(2, 15, 10, 10)}, NULL},
    {"beginning at the same time", 3, {AT(1, 0, 10, 2), AT(1, 0, 8, 5), AT(1, 0, 3, 3)}, NULL},
    {"longer than the one around", 3, {AT(1, 0, 20, 5), AT(1, 0, 10, 5), AT(1, 5, 10, 10)}, "1 events end after the one"},
    {"of no time", 2, {AT(1, 0, 10, 10), AT(1, 5, 0, 0)}, NULL},
    {"groups, whichever thread", 6, {OF(0, 1, 0, 1, 1), RUN(1, 1, 2, 10, 6), OF(1, 1, 3, 4, 4), OF(1, 2, 5, 2, 2),
                                     RUN(2, 1, 20, 5, 4), OF(2, 1, 21, 1, 1)}, NULL},
    {"behind a group", 2, {RUN(1, 1, 0, 10, 10), OF(0, 1, 10, 1, 1)}, NULL},
    {"groups over one another", 3, {RUN(1, 1, 0, 10, 10), RUN(2, 2, 5, 10, 8), OF(2, 2, 6, 2, 2)}, "1 inferences or steps began before"},
};
/* clang-format on */

/* Events in this order, and at the end all of them have their own time. */
static void check_nesting(size_t of, const size_t *order)
{
    textbuf text;
    roof_error err = {0};
    import_state in = {.scratch = arena_new(0)};
    nested_sums sums = {.n_heard = 0};
    const event_calls calls = {.event = add_nested};
    text_init(&text, 1 << 16);
    text_init(&in.notes, 1 << 16);
    text_puts(&text, "[");
    for (size_t i = 0; i < nestings[of].n; i++) {
        const span_row *s = &nestings[of].spans[order[i]];
        text_printf(&text, "{\"name\":\"%c\",\"cat\":\"%s\",\"ph\":\"X\",\"tid\":%u,\"ts\":%u,\"dur\":%u},",
                    (char)('a' + order[i]), s->is_run ? "run" : "", s->thread, s->start, s->dur);
    }
    im_text t = {.bytes = text.bytes, .length = text.length};
    sums.n = nesting_new(&in, keep_self, &sums);
    assert_int_equal(events_each(im_read, &t, &calls, (struct reading *)&sums, in.scratch, NULL, &err),
                     ROOF_OK);
    assert_int_equal(nesting_finish(sums.n, NULL, &err), ROOF_OK);
    assert_int_equal(sums.n_heard, nestings[of].n);
    for (size_t i = 0; i < nestings[of].n; i++)
        if (sums.self_ps[i] != 1000000LL * nestings[of].spans[i].self ||
            sums.group[i] != nestings[of].spans[i].group)
            fail_msg("%s: event %zu has %lld ps, group %u", nestings[of].what, i, (long long)sums.self_ps[i],
                     sums.group[i]);
    if (nestings[of].note)
        assert_non_null(strstr(in.notes.bytes, nestings[of].note));
    else
        assert_int_equal(in.notes.length, 0);
    text_free(&text);
    text_free(&in.notes);
    arena_free(in.scratch);
}

/* All orders: Heap's algorithm. */
static void check_orders(size_t of, size_t *order, size_t n)
{
    if (n <= 1) {
        check_nesting(of, order);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        check_orders(of, order, n - 1);
        size_t other = n % 2 ? 0 : i, kept = order[other];
        order[other] = order[n - 1];
        order[n - 1] = kept;
    }
}

static void events_have_their_own_time_in_whatever_order_they_are_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(nestings); i++) {
        size_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        check_orders(i, order, nestings[i].n);
    }
}

/* --- beyond the window ---------------------------------------------------------------------------------- */

static roof_status add_up(void *target, const nested_event *e, roof_error *err)
{
    (void)err;
    *(int64_t *)target += e->self_ps;
    return ROOF_OK;
}

static roof_status add_long(struct reading *target, const trace_event *e, roof_error *err)
{
    return nesting_add((nesting *)target, e, (nested_event){.row = 0}, err);
}

/* An event around all others, first in the file and last, and with that inside of it nothing is there
 * twice. */
static void an_event_around_too_many_others_is_left_out_with_a_remark(void **state)
{
    enum { INSIDE = 2 * NESTING_WINDOW };
    (void)state;
    for (int is_last = 0; is_last < 2; is_last++) {
        textbuf text;
        roof_error err = {0};
        int64_t sum_ps = 0;
        import_state in = {.scratch = arena_new(0)};
        nesting *n = nesting_new(&in, add_up, &sum_ps);
        const event_calls calls = {.event = add_long};
        text_init(&text, TEXT_MAX_BYTES);
        text_init(&in.notes, 1 << 16);
        text_puts(&text, "[");
        for (long i = 0; i <= INSIDE; i++)
            if (i == (is_last ? INSIDE : 0))
                text_printf(&text, X("a", "0", "%ld") ",", 10L * INSIDE + 10);
            else
                text_printf(&text, X("b", "%ld", "4") ",", 10 * i + 1);
        im_text t = {.bytes = text.bytes, .length = text.length};
        assert_int_equal(events_each(im_read, &t, &calls, (struct reading *)n, in.scratch, NULL, &err),
                         ROOF_OK);
        assert_int_equal(nesting_finish(n, NULL, &err), ROOF_OK);
        assert_int_equal(sum_ps, 1000000LL * (is_last ? 4L * INSIDE : 10L * INSIDE + 10));
        assert_int_equal(in.notes.length > 0, is_last);
        if (is_last)
            assert_non_null(strstr(in.notes.bytes, "1 events stand so far behind"));
        text_free(&text);
        text_free(&in.notes);
        arena_free(in.scratch);
    }
}

static roof_status add_grouped(struct reading *target, const trace_event *e, roof_error *err)
{
    return nesting_add(((nested_sums *)target)->n, e, (nested_event){.begins_group = span_is(e->cat, "run")},
                       err);
}

/* A thread behind all of another one, as tools write them that go thread by thread. */
static void threads_far_behind_lie_in_the_group_of_their_time(void **state)
{
    textbuf text;
    roof_error err = {0};
    import_state in = {.scratch = arena_new(0)};
    nested_sums sums = {.n_heard = 0};
    const event_calls calls = {.event = add_grouped};
    uint32_t n_groups = 0;
    (void)state;
    text_init(&text, TEXT_MAX_BYTES);
    text_init(&in.notes, 1 << 16);
    text_puts(&text, "[");
    for (long i = 0; i < 2L * NESTING_WINDOW; i++)
        text_printf(&text, "{\"cat\":\"run\",\"ph\":\"X\",\"ts\":%ld,\"dur\":5},", 10 * i);
    text_puts(&text, "{\"ph\":\"X\",\"tid\":2,\"ts\":71,\"dur\":1}");
    im_text t = {.bytes = text.bytes, .length = text.length};
    sums.n = nesting_new(&in, keep_self, &sums);
    assert_int_equal(events_each(im_read, &t, &calls, (struct reading *)&sums, in.scratch, NULL, &err),
                     ROOF_OK);
    assert_int_equal(nesting_finish(sums.n, &n_groups, &err), ROOF_OK);
    assert_int_equal(n_groups, 2 * NESTING_WINDOW);
    assert_int_equal(sums.self_ps[0], 1000000); /* of the last one that ended */
    assert_int_equal(sums.group[0], 8);
    assert_int_equal(in.notes.length, 0);
    text_free(&text);
    text_free(&in.notes);
    arena_free(in.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_are_the_same_whatever_their_shape_and_pieces_are),
        cmocka_unit_test(what_is_no_trace_is_refused_where_it_goes_wrong),
        cmocka_unit_test(what_is_too_much_is_a_limit),
        cmocka_unit_test(events_have_their_own_time_in_whatever_order_they_are_written),
        cmocka_unit_test(an_event_around_too_many_others_is_left_out_with_a_remark),
        cmocka_unit_test(threads_far_behind_lie_in_the_group_of_their_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
