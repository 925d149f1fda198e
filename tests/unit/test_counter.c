/* Typed counters and the names that documents have for them. */
#include "measure/profile/counter.h"
#include "tests/unit/fixture.h"

static roof_event parsed(const char *name, roof_arena *arena)
{
    roof_event e;
    assert_int_equal(counter_parse(name, arena, &e, NULL), ROOF_OK);
    return e;
}

#define OF(s, d, q, o) ROOF_COUNTER_##s, ROOF_COUNTER_##d, ROOF_COUNTER_##q, ROOF_COUNTER_##o

static void names_say_what_is_counted(void **state)
{
    static const struct {
        const char *text;
        roof_event want;
    } rows[] = {
        {"busif1.read_bytes", {NULL, OF(BUS, READ, BYTES, COUNTED), 1, 0, 0}},
        {"busif0.write_bursts_8", {NULL, OF(BUS, WRITE, BURSTS, COUNTED), 0, 8, 0}},
        {"stream4.in.active_cycles", {NULL, OF(STREAM, READ, ACTIVE_CYCLES, COUNTED), 4, 0, 0}},
        {"stream12.active_cycles", {NULL, OF(STREAM, UNDIRECTED, ACTIVE_CYCLES, COUNTED), 12, 0, 0}},
        {"stream7.out.npuRAM5_bytes", {"npuRAM5", OF(STREAM, WRITE, BYTES, PLANNED), 7, 0, 0}},
        {"stream3.npuRAM5_bytes", {"npuRAM5", OF(STREAM, UNDIRECTED, BYTES, PLANNED), 3, 0, 0}},
        {"cache.write_throughs", {NULL, OF(CACHE, WRITE, THROUGHS, COUNTED), 0, 0, 0}},
        {"compiler.max_cycles", {NULL, OF(PROGRAM, UNDIRECTED, MAX_CYCLES, PLANNED), 0, 0, 0}},
        {"unit.load.active_cycles", {"load", OF(UNIT, UNDIRECTED, ACTIVE_CYCLES, COUNTED), 0, 0, 0}},
        {"unit.npu.idle_cycles", {"npu", OF(UNIT, UNDIRECTED, IDLE_CYCLES, COUNTED), 0, 0, 0}},
        {"unit.npu.total_cycles", {"npu", OF(UNIT, UNDIRECTED, TOTAL_CYCLES, COUNTED), 0, 0, 0}},
        {"bus.axi0.read_beats", {"axi0", OF(BUS, READ, BEATS, COUNTED), 0, 0, 0}},
        {"bus.sram.write_beats", {"sram", OF(BUS, WRITE, BEATS, COUNTED), 0, 0, 0}},
        {"compiler.unit.CONV_ACC", {"CONV_ACC", OF(UNIT, UNDIRECTED, PIECES, PLANNED), 0, 0, 0}},
        {"compiler.operation.hw.conv", {"hw.conv", OF(OPERATION, UNDIRECTED, PIECES, PLANNED), 0, 0, 0}},
        {"compiler.octoFlash.read_bytes", {"octoFlash", OF(MEMORY, READ, BYTES, PLANNED), 0, 0, 0}},
        {"octoFlash.write_bytes", {"octoFlash", OF(MEMORY, WRITE, BYTES, SUMMED), 0, 0, 0}},
        {"watchdogs", {"watchdogs", OF(OTHER, UNDIRECTED, PIECES, COUNTED), 0, 0, 0}},
    };
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_event e = parsed(rows[i].text, arena);
        if (counter_compare(&e, &rows[i].want) != 0)
            fail_msg("%s is scope %d, direction %d, quantity %d, origin %d of %u, '%s'", rows[i].text,
                     (int)e.scope, (int)e.direction, (int)e.quantity, (int)e.origin, e.index,
                     e.name ? e.name : "");
    }
    arena_free(arena);
}

static void every_name_stays_as_it_is(void **state)
{
    static const char *const names[] = {"busif0.read_bytes",
                                        "busif00.read_bytes",
                                        "busif4294967296.read_bytes",
                                        "busif.read_bytes",
                                        "stream1.in._bytes",
                                        "stream01.active_cycles",
                                        "stream1.in.out.p_bytes",
                                        "stream.active_cycles",
                                        "cache.read_hits",
                                        "cache.reads",
                                        "cache.read_hits.more",
                                        "compiler.ops",
                                        "compiler..read_bytes",
                                        "compiler.unit.",
                                        ".read_bytes",
                                        "a.b [c]",
                                        "compiler.read_bytes",
                                        "compiler.unit.x.read_bytes",
                                        "busif0.read_bursts_",
                                        "x"};
    char long_name[LONGEST_KEY + 1], buffer[COUNTER_NAME_SIZE];
    roof_arena *arena = arena_new(0);
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const roof_event e = parsed(names[i], arena);
        assert_string_equal(counter_name(&e, buffer), names[i]);
    }
    memset(long_name, 'p', LONGEST_KEY);
    memcpy(long_name, "compiler.", 9);
    memcpy(long_name + LONGEST_KEY - 11, ".read_bytes", 12);
    const roof_event e = parsed(long_name, arena);
    assert_int_equal(e.scope, ROOF_COUNTER_MEMORY);
    assert_string_equal(counter_name(&e, buffer), long_name);
    arena_free(arena);
}

static void a_name_that_is_too_long_is_cut_behind_what_is_allowed(void **state)
{
    char pool[300], buffer[COUNTER_NAME_SIZE];
    const roof_event e = {pool, OF(MEMORY, READ, BYTES, PLANNED), 0, 0, 0};
    (void)state;
    memset(pool, 'p', sizeof pool - 1);
    pool[sizeof pool - 1] = '\0';
    assert_int_equal(strlen(counter_name(&e, buffer)), LONGEST_KEY + 1);
}

static void a_counter_is_found_whatever_it_counts(void **state)
{
    const roof_event events[] = {{NULL, OF(BUS, READ, BYTES, COUNTED), 0, 0, 5},
                                 {"p", OF(MEMORY, READ, BYTES, PLANNED), 0, 0, 6}};
    const roof_event bus = {NULL, OF(BUS, READ, BYTES, COUNTED), 0, 0, 0},
                     pool = {"p", OF(MEMORY, READ, BYTES, PLANNED), 0, 0, 1},
                     other = {"q", OF(MEMORY, READ, BYTES, PLANNED), 0, 0, 0};
    (void)state;
    assert_int_equal(counter_find(events, COUNT(events), &bus), 5);
    assert_int_equal(counter_find(events, COUNT(events), &pool), 6);
    assert_true(counter_find(events, COUNT(events), &other) == ROOF_UNKNOWN);
    assert_true(counter_find(NULL, 0, &bus) == ROOF_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_what_is_counted),
        cmocka_unit_test(every_name_stays_as_it_is),
        cmocka_unit_test(a_name_that_is_too_long_is_cut_behind_what_is_allowed),
        cmocka_unit_test(a_counter_is_found_whatever_it_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
