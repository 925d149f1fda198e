/* What an instruction stream takes: small ones written by hand, whose times follow from the protocol, and
 * generated networks, of which every sum closes whatever the timing. */
#include "core/arena.h"
#include "model/code/dpu/dpu_schedule.h"
#include "model/predict/predictor.h"
#include "tests/unit/fixture.h"
#include "tests/support/replay_stream.h"
#include "tests/support/schedule_check.h"

enum { L = 1 << DPU_QUEUE_LOAD, S = 1 << DPU_QUEUE_SAVE, C = 1 << DPU_QUEUE_CONV, M = 1 << DPU_QUEUE_MISC };

#define LOAD(bytes, waits, gives)                                                                            \
    {                                                                                                        \
        .amount = (bytes), .kind = ROOF_TASK_LOAD, .queue = DPU_QUEUE_LOAD, .waits_for = L | (waits),        \
        .lets_go = L | (gives), .pieces = 1, .words = 5                                                      \
    }
#define CONV(cycles, waits, gives)                                                                           \
    {                                                                                                        \
        .amount = (cycles), .kind = ROOF_TASK_CONV, .queue = DPU_QUEUE_CONV, .waits_for = C | (waits),       \
        .lets_go = C | (gives), .pieces = 1, .words = 5                                                      \
    }
#define ALU(cycles, waits, gives)                                                                            \
    {                                                                                                        \
        .amount = (cycles), .kind = ROOF_TASK_ALU, .queue = DPU_QUEUE_MISC, .waits_for = M | (waits),        \
        .lets_go = M | (gives), .pieces = 1, .words = 5                                                      \
    }
#define SAVE(bytes, port_, waits, gives)                                                                     \
    {                                                                                                        \
        .amount = (bytes), .kind = ROOF_TASK_SAVE, .queue = DPU_QUEUE_SAVE, .port = (port_),                 \
        .waits_for = (waits), .lets_go = (gives), .pieces = 1, .words = 5                                    \
    }
#define END                                                                                                  \
    {                                                                                                        \
        .kind = ROOF_TASK_SETUP, .queue = DPU_QUEUE_SAVE, .waits_for = S, .lets_go = S, .pieces = 1,         \
        .words = 1                                                                                           \
    }

static const replay_timing ideal = {.load_bytes_per_cycle = 32, .save_bytes_per_cycle = 16};

static roof_status replay(const roof_task *tasks, uint32_t n, const replay_timing *timing, replay_run *out,
                          roof_error *err)
{
    const roof_stream stream = {
        .tasks = tasks, .n_tasks = n, .n_instructions = n, .is_timed = true, .file_offset = 1000};
    roof_arena *arena = arena_new(0);
    roof_status status = replay_stream(&stream, timing, arena, out, err);
    arena_free(arena);
    return status;
}

static void assert_cycles(const char *what, const roof_task *tasks, uint32_t n, const replay_timing *timing,
                          uint64_t want)
{
    replay_run out;
    roof_error err = {0};
    if (replay(tasks, n, timing, &out, &err) != ROOF_OK)
        fail_msg("%s: %s", what, fx_message(&err));
    if (out.cycles != want)
        fail_msg("%s: %" PRIu64 " cycles, want %" PRIu64, what, out.cycles, want);
}

/* The example of dpu_schedule.h. */
static void a_convolution_waits_for_its_load(void **state)
{
    static const roof_task tasks[] = {LOAD(64, 0, C), CONV(10, L, 0)};
    replay_run out;
    roof_error err = {0};
    (void)state;
    assert_int_equal(replay(tasks, COUNT(tasks), &ideal, &out, &err), ROOF_OK);
    assert_int_equal(out.cycles, 12);
    assert_int_equal(out.queues[DPU_QUEUE_CONV].waits[DPU_QUEUE_LOAD], 2);
    assert_int_equal(out.queues[DPU_QUEUE_LOAD].tail, 10);
    assert_int_equal(out.queues[DPU_QUEUE_CONV].critical, 10);
    assert_int_equal(out.queues[DPU_QUEUE_LOAD].critical, 2);
}

static void times_follow_from_tokens_ports_and_queues(void **state)
{
    static const roof_task alone[] = {LOAD(32, 0, 0), CONV(10, 0, 0), ALU(7, 0, 0)};
    static const roof_task chain[] = {LOAD(320, 0, C), CONV(10, L, M), ALU(7, C, S), SAVE(160, 0, S | M, S)};
    static const roof_task serial[] = {CONV(10, 0, 0), CONV(5, 0, 0)};
    static const roof_task pair[] = {SAVE(160, 0, S, 0), SAVE(320, 1, 0, S), END};
    static const roof_task one_port[] = {SAVE(160, 0, S, 0), SAVE(320, 0, 0, S), END};
    static const roof_task two_pairs[] = {SAVE(160, 0, S, 0), SAVE(320, 1, 0, S), SAVE(16, 0, S, S), END};
    static const roof_task fifo[] = {LOAD(32, 0, C), LOAD(320, 0, C), CONV(3, L, 0), CONV(3, L, 0)};
    static const struct {
        const char *what;
        const roof_task *tasks;
        uint32_t n;
        uint64_t cycles;
    } rows[] = {
        {"queues without tokens run side by side", alone, COUNT(alone), 10},
        {"a chain takes the sum", chain, COUNT(chain), 10 + 10 + 7 + 10},
        {"a queue is in order", serial, COUNT(serial), 15},
        {"two saves run at once, one a port", pair, COUNT(pair), 20},
        {"saves of one port follow each other", one_port, COUNT(one_port), 30},
        {"a self token comes back when all saves before it are done", two_pairs, COUNT(two_pairs), 21},
        {"tokens are taken in the order in which they were left", fifo, COUNT(fifo), 14},
        {"nothing takes nothing", alone, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_cycles(rows[i].what, rows[i].tasks, rows[i].n, &ideal, rows[i].cycles);
}

/* Its events come from the last block to the first, each run again from where it begins. */
static void a_stream_of_several_blocks_has_the_schedule_of_one(void **state)
{
    enum { TIMES = 100000 };
    static const roof_task once[] = {LOAD(96, 0, 0), LOAD(64, 0, C), CONV(10, L, M), ALU(7, C, S),
                                     SAVE(160, 0, S | M, S)};
    roof_task *tasks = malloc((TIMES * COUNT(once) + 1) * sizeof *tasks);
    roof_stream stream = {.tasks = tasks, .is_timed = true, .file_offset = 1000};
    char text[200];
    (void)state;
    assert_non_null(tasks);
    for (uint32_t i = 0; i < TIMES; i++) {
        memcpy(tasks + stream.n_tasks, once, sizeof once);
        tasks[stream.n_tasks].alike = (uint16_t)(i % 5);
        stream.n_tasks += (uint32_t)COUNT(once);
        stream.n_instructions += (uint32_t)COUNT(once) + i % 5;
    }
    tasks[stream.n_tasks++] = (roof_task)END;
    stream.n_instructions++;
    assert_true(stream.n_instructions > 2 * REPLAY_BLOCK);
    if (schedule_fault(&stream, text, sizeof text))
        fail_msg("%s", text);
    free(tasks);
}

static void a_front_end_feeds_the_queues_one_after_the_other(void **state)
{
    static const roof_task tasks[] = {CONV(10, 0, 0), CONV(10, 0, 0), CONV(10, 0, 0), CONV(10, 0, 0),
                                      ALU(1, 0, 0)};
    static const replay_timing slow = {
        .load_bytes_per_cycle = 32, .save_bytes_per_cycle = 16, .fetch_cycles_per_word = 8};
    static const replay_timing short_queue = {.load_bytes_per_cycle = 32,
                                              .save_bytes_per_cycle = 16,
                                              .fetch_cycles_per_word = 0.2,
                                              .queue_depth = 1};
    static const replay_timing fast_conv = {
        .load_bytes_per_cycle = 32, .save_bytes_per_cycle = 16, .speed = {[ROOF_TASK_CONV] = 2}};
    (void)state;
    assert_cycles("instructions of 5 words at 8 cycles each", tasks, COUNT(tasks), &slow, 5 * 40 + 1);
    assert_cycles("the ALU waits until the convolutions before it have left the queue", tasks, COUNT(tasks),
                  &short_queue, 41);
    assert_cycles("a faster engine", tasks, COUNT(tasks), &fast_conv, 20);
}

/* The first convolution is fetched at 25 and works until 125. Then the second starts, which leaves room for
 * the third; behind that the ALU's instruction is fetched, at 150. */
static void the_critical_path_goes_through_the_fetch_and_what_left_room_for_it(void **state)
{
    static const roof_task tasks[] = {CONV(100, 0, 0), CONV(10, 0, 0), CONV(10, 0, 0), ALU(20, 0, 0)};
    static const replay_timing timing = {
        .load_bytes_per_cycle = 32, .save_bytes_per_cycle = 16, .fetch_cycles_per_word = 5, .queue_depth = 1};
    replay_run out;
    roof_error err = {0};
    (void)state;
    assert_int_equal(replay(tasks, COUNT(tasks), &timing, &out, &err), ROOF_OK);
    assert_int_equal(out.cycles, 170);
    assert_int_equal(out.queues[DPU_QUEUE_MISC].critical, 20);
    assert_int_equal(out.fetch_critical, 25 + 25);
    assert_int_equal(out.queues[DPU_QUEUE_CONV].critical, 100);
}

/* What lies apart is so many accesses, each of whole words. */
static void pieces_are_accesses_of_their_own(void **state)
{
    static const roof_task tasks[] = {
        {.amount = 10 * 40, .pieces = 10, .kind = ROOF_TASK_LOAD, .queue = DPU_QUEUE_LOAD}};
    static const replay_timing apart = {28, 10, true, 0, 0, {0}, 0};
    (void)state;
    assert_cycles("side by side", tasks, 1, &ideal, 13);
    assert_cycles("apart", tasks, 1, &apart, 20);
}

static void a_stream_that_cannot_run_is_refused_with_its_place(void **state)
{
    static roof_task many[2 * DPU_MOST_TOKENS];
    static const roof_task starved[] = {LOAD(32, 0, 0), CONV(1, L, 0)};
    static const roof_task left_over[] = {LOAD(32, 0, C), CONV(1, 0, 0)};
    static const roof_task no_self[] = {SAVE(16, 0, S, 0), SAVE(16, 1, S, S)};
    static const roof_task self_lost[] = {SAVE(16, 0, S, 0)};
    static const struct {
        const char *what;
        const roof_task *tasks;
        uint32_t n;
        uint64_t offset;
        const char *says;
    } rows[] = {{"a token that nobody leaves", starved, COUNT(starved), 1020, "LOAD for CONV"},
                {"a token that nobody takes", left_over, COUNT(left_over), 1040, "tokens are left"},
                {"a self token that is away", no_self, COUNT(no_self), 1020, "self token"},
                {"a self token that stays away", self_lost, COUNT(self_lost), 1020, "self tokens at the end"},
                {"a counter that overflows", many, COUNT(many), 1000 + 20 * DPU_MOST_TOKENS, "overflows"}};
    (void)state;
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = (roof_task)LOAD(32, 0, C);
    for (size_t i = 0; i < COUNT(rows); i++) {
        replay_run out;
        roof_error err = {0};
        if (replay(rows[i].tasks, rows[i].n, &ideal, &out, &err) != ROOF_E_DATA)
            fail_msg("%s: not refused", rows[i].what);
        if (err.byte_offset != rows[i].offset || !strstr(err.what, rows[i].says))
            fail_msg("%s: %s at %" PRIu64, rows[i].what, err.what, err.byte_offset);
    }
}

/* Such timings come of hardware that somebody described. */
static void timings_that_cannot_be_are_refused(void **state)
{
    static const roof_task tasks[] = {LOAD(320, 0, C), CONV(10, L, 0), LOAD(320, 0, 0)};
    static const struct {
        replay_timing timing;
        bool is_good;
    } rows[] = {
        {{32, 16, false, 8, REPLAY_DEEPEST_QUEUE, {0}, 0}, true},
        {{32, 16, false, 8, REPLAY_DEEPEST_QUEUE + 1, {0}, 0}, false},
        {{1e-13, 16, false, 0, 0, {0}, 0}, true},
        {{6e-14, 16, false, 0, 0, {0}, 0}, false},
        {{1e-300, 16, false, 0, 0, {0}, 0}, false},
        {{32, 16, false, 1e300, 0, {0}, 0}, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        replay_run out;
        roof_error err = {0};
        roof_status status = replay(tasks, COUNT(tasks), &rows[i].timing, &out, &err);
        if (status != (rows[i].is_good ? ROOF_OK : ROOF_E_DATA))
            fail_msg("timing %zu: status %d, %s", i, (int)status, err.what);
    }
}

/* ---- generated networks ---- */

static void assert_closes(const char *what, const roof_schedule_part *part)
{
    uint64_t critical = 0;
    for (uint32_t e = 0; e < part->n_engines; e++) {
        const roof_schedule_engine *engine = &part->engines[e];
        uint64_t sum = engine->busy_cycles + engine->tail_cycles;
        for (uint32_t i = 0; i < engine->n_waits; i++)
            sum += engine->waits[i].cycles;
        critical += engine->critical_cycles;
        if (engine->tail_cycles != ROOF_UNKNOWN && sum != part->scheduled_cycles)
            fail_msg("%s: %s is busy, waits and is done for %" PRIu64 " of %" PRIu64 " cycles", what,
                     engine->name, sum, part->scheduled_cycles);
    }
    if (critical != part->scheduled_cycles)
        fail_msg("%s: the critical path has %" PRIu64 " of %" PRIu64 " cycles", what, critical,
                 part->scheduled_cycles);
}

static roof_prediction *predict(xm_model *model, const char *hw, const roof_predict_options *options)
{
    roof_prediction *out = NULL;
    roof_error err = {0};
    roof_hw *hardware;
    fx_net net = fx_open(model, NULL);
    if (roof_hw_load(hw, &hardware, &err) != ROOF_OK ||
        roof_predict(net.graph, hardware, options, &out, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_hw_free(hardware);
    fx_close(&net);
    return out;
}

static void the_schedule_of_every_generated_network_closes(void **state)
{
    static const char *const archs[] = {"B512", "B1152", "B2304", "B4096"};
    size_t n;
    const xn_network *networks = xn_networks(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < COUNT(archs); a++) {
            const xn_config config = {.arch = xn_find_arch(archs[a])};
            if (strcmp(networks[i].name, "rnn") == 0 || strcmp(networks[i].name, "quantised") == 0)
                continue;
            roof_prediction *p = predict(networks[i].build(&config, NULL), archs[a], NULL);
            assert_int_equal(p->schedule.n_parts, 1);
            assert_closes(networks[i].name, &p->schedule.parts[0]);
            assert_true(p->schedule.scheduled_cycles >= p->total.floor_cycles);
            uint64_t critical = 0;
            for (uint32_t k = 0; k < p->n_layers; k++)
                if (p->layers[k].schedule.critical_cycles != ROOF_UNKNOWN)
                    critical += p->layers[k].schedule.critical_cycles;
            assert_int_equal(critical, p->schedule.scheduled_cycles);
            roof_prediction_free(p);
        }
    }
}

/* ---- code that does not balance ---- */

/* Opens a network, in whose code, or in the own code of a layer, an instruction waits for one more save. */
static fx_net open_damaged(uint32_t layer, size_t instruction, uint64_t *offset)
{
    const xn_config config = {.layer_code = true};
    fx_net net = fx_open(xn_tiny(&config, NULL), NULL);
    const roof_subgraph *dpu = &net.graph->subgraphs[fx_dpu(net.graph)];
    const roof_code *code = layer == ROOF_NONE
                                ? &roof_xir_subgraph_of(net.graph, dpu)->code
                                : &roof_xir_layer_of(net.graph, &net.graph->layers[layer])->code;
    assert_true(code->length_bytes > 4);
    *offset = code->file_offset + (instruction ? code->length_bytes - 4 : 0); /* an END has one word */
    net.bytes[*offset + 3] ^= instruction ? M : S;
    roof_graph_free(net.graph);
    fx_read(&net, "net.xmodel");
    return net;
}

static void assert_finding(const roof_prediction *p, const char *layer, uint64_t offset)
{
    char place[40];
    snprintf(place, sizeof place, "(byte 0x%" PRIx64 ")", offset);
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_UNBALANCED_CODE), 1);
    for (uint32_t i = 0; i < p->n_findings; i++)
        if (p->findings[i].kind == ROOF_FINDING_UNBALANCED_CODE) {
            assert_true(layer ? p->findings[i].place && strcmp(p->findings[i].place, layer) == 0
                              : !p->findings[i].place);
            if (!strstr(fx_finding_text(&p->findings[i]), place))
                fail_msg("%s: want %s", fx_finding_text(&p->findings[i]), place);
        }
}

/* The law knows its bytes and cycles all the same. */
static void code_that_does_not_balance_is_a_finding_and_has_no_schedule(void **state)
{
    static const roof_speedups faster = {.load = 2};
    const roof_predict_options ask = {.what_if = &faster};
    const xn_config config = {.layer_code = true};
    roof_prediction *good = predict(xn_tiny(&config, NULL), "kv260", NULL), *none = NULL;
    (void)state;
    assert_non_null(good->code);
    for (size_t instruction = 0; instruction < 2; instruction++) {
        uint64_t offset;
        roof_error err = {0};
        fx_net net = open_damaged(ROOF_NONE, instruction, &offset);
        roof_hw *hw = fx_hw("kv260");
        roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
        assert_finding(p, NULL, offset);
        assert_int_equal(p->schedule.n_parts, 0);
        assert_int_equal(p->schedule.scheduled_cycles, ROOF_UNKNOWN);
        assert_true(isnan(p->schedule.scheduled_s) && isnan(p->schedule.alone_s));
        assert_null(p->code);
        assert_int_equal(p->total.floor_cycles, good->total.floor_cycles);
        assert_int_equal(p->total.deployed.ideal_cycles, good->total.deployed.ideal_cycles);
        assert_true(roof_best_s(p) == p->total.floor_s && p->total.predicted_s >= p->total.floor_s);
        for (uint32_t i = 0; i < p->n_layers; i++)
            assert_int_equal(p->layers[i].schedule.critical_cycles, ROOF_UNKNOWN);
        assert_int_equal(roof_predict(net.graph, hw, &ask, &none, &err), ROOF_E_UNSUPPORTED);
        assert_null(none);
        roof_hw_free(hw);
        roof_prediction_free(p);
        fx_close(&net);
    }
    roof_prediction_free(good);
}

static void own_code_of_a_layer_that_does_not_balance_leaves_the_rest(void **state)
{
    const xn_config config = {.layer_code = true};
    roof_prediction *good = predict(xn_tiny(&config, NULL), "kv260", NULL);
    uint32_t damaged = 0;
    uint64_t offset;
    (void)state;
    while (good->layers[damaged].schedule.alone_cycles == ROOF_UNKNOWN)
        damaged++;
    fx_net net = open_damaged(damaged, 1, &offset);
    roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
    assert_finding(p, p->layers[damaged].name, offset);
    assert_int_equal(p->schedule.scheduled_cycles, good->schedule.scheduled_cycles);
    assert_true(isnan(p->schedule.alone_s) && !isnan(good->schedule.alone_s));
    for (uint32_t i = 0; i < p->n_layers; i++)
        assert_int_equal(p->layers[i].schedule.alone_cycles,
                         i == damaged ? ROOF_UNKNOWN : good->layers[i].schedule.alone_cycles);
    roof_prediction_free(p);
    roof_prediction_free(good);
    fx_close(&net);
}

static void what_is_faster_never_takes_longer_than_the_whole_it_was(void **state)
{
    static const roof_predict_options explore = {.explores = ROOF_EXPLORE_ALL};
    (void)state;
    roof_prediction *p = predict(xn_mobilenet_v2(NULL, NULL), "kv260", &explore);
    assert_true(p->schedule.n_what_ifs >= 8 + 5);
    for (uint32_t i = 0; i < p->schedule.n_what_ifs; i++) {
        const roof_what_if *w = &p->schedule.what_ifs[i];
        if (!(w->best_s <= p->schedule.scheduled_s) || !(w->best_s > 0) || !(w->expected_s >= w->best_s))
            fail_msg("%s: %g s at best, %g s expected", w->label, w->best_s, w->expected_s);
    }
    assert_true(p->total.predicted_s >= p->schedule.scheduled_s);
    double sum = 0;
    for (uint32_t i = 0; i < p->n_layers; i++)
        sum += isnan(p->layers[i].predicted_s) ? 0 : p->layers[i].predicted_s;
    assert_true(fabs(sum / p->total.predicted_s - 1) < 1e-9);
    roof_prediction_free(p);
}

static void speedups_are_read_as_they_are_written(void **state)
{
    static const struct {
        const char *text;
        double load, alu, fetch;
        bool is_good;
    } rows[] = {{"load=2,alu=1.5", 2, 1.5, 0, true},
                {"fetch=2", 0, 0, 2, true},
                {"", 0, 0, 0, false},
                {"load", 0, 0, 0, false},
                {"load=", 0, 0, 0, false},
                {"load=0", 0, 0, 0, false},
                {"load=2,", 0, 0, 0, false},
                {"loads=2", 0, 0, 0, false},
                {"load=nan", 0, 0, 0, false},
                {"load=2x", 0, 0, 0, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_speedups s;
        roof_error err = {0};
        bool is_good = roof_speedups_parse(rows[i].text, &s, &err) == ROOF_OK;
        if (is_good != rows[i].is_good ||
            (is_good && (s.load != rows[i].load || s.alu != rows[i].alu || s.fetch != rows[i].fetch)))
            fail_msg("'%s': %s", rows[i].text, is_good ? "read" : err.what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolution_waits_for_its_load),
        cmocka_unit_test(times_follow_from_tokens_ports_and_queues),
        cmocka_unit_test(a_stream_of_several_blocks_has_the_schedule_of_one),
        cmocka_unit_test(a_front_end_feeds_the_queues_one_after_the_other),
        cmocka_unit_test(the_critical_path_goes_through_the_fetch_and_what_left_room_for_it),
        cmocka_unit_test(pieces_are_accesses_of_their_own),
        cmocka_unit_test(a_stream_that_cannot_run_is_refused_with_its_place),
        cmocka_unit_test(timings_that_cannot_be_are_refused),
        cmocka_unit_test(the_schedule_of_every_generated_network_closes),
        cmocka_unit_test(code_that_does_not_balance_is_a_finding_and_has_no_schedule),
        cmocka_unit_test(own_code_of_a_layer_that_does_not_balance_leaves_the_rest),
        cmocka_unit_test(what_is_faster_never_takes_longer_than_the_whole_it_was),
        cmocka_unit_test(speedups_are_read_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
