/* Timelines: read back, and held to what docs/formats/timelines.md promises of them. */
#include "model/code/dpu/dpu_schedule.h"
#include "model/predict/schedule.h"
#include "core/json/jsontree.h"
#include "roofline/render.h"
#include "tests/support/trace_check.h"
#include "tests/unit/profile_fixture.h"

/* ---- a trace, read back ---- */

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)) + 1e-20;
}

static cJSON *parse_trace(const char *text, size_t length)
{
    cJSON *root = NULL;
    roof_error err;
    if (jsontree_parse(text, length, NULL, &root, &err) != ROOF_OK)
        fail_msg("%s\n%.2000s", fx_message(&err), text);
    const char *wrong = trace_check(root);
    if (wrong)
        fail_msg("%s\n%.4000s", wrong, text);
    return root;
}

static cJSON *trace_of_prediction(const roof_prediction *p)
{
    char *text = NULL;
    size_t length = 0;
    roof_error err;
    if (roof_render_whole(p, &(roof_render_options){.format = "trace"}, &text, &length, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    cJSON *root = parse_trace(text, length);
    free(text);
    return root;
}

static textbuf text_of_reconciliation(const roof_reconciliation *r)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    assert_int_equal(
        roof_render(r, &(roof_render_options){.format = "trace"}, (roof_sink){memory_write, &text}, NULL),
        ROOF_OK);
    return text;
}

static cJSON *trace_of_reconciliation(const roof_reconciliation *r)
{
    textbuf text = text_of_reconciliation(r);
    cJSON *root = parse_trace(text.bytes, text.length);
    text_free(&text);
    return root;
}

static const char *text_at(const cJSON *node, const char *key)
{
    const char *text = cJSON_GetStringValue(jsontree_get(node, key));
    return text ? text : "";
}

static double number_at(const cJSON *node, const char *key)
{
    return cJSON_GetNumberValue(jsontree_get(node, key));
}

static const cJSON *args_of(const cJSON *event)
{
    return jsontree_get(event, "args");
}

static double end_of(const cJSON *event)
{
    return number_at(event, "ts") + number_at(event, "dur");
}

static bool is_phase(const cJSON *event, char phase)
{
    return text_at(event, "ph")[0] == phase;
}

static const cJSON *first_event(const cJSON *trace)
{
    return cJSON_GetArrayItem(jsontree_get(trace, "traceEvents"), 0);
}

/* The tid of a row, by the beginning of its process's name and by its own name; NaN when there is none. */
static double row_named(const cJSON *trace, const char *process, const char *name)
{
    double pid = NAN;
    for (const cJSON *e = first_event(trace); e; e = e->next) {
        if (!is_phase(e, 'M'))
            continue;
        const char *is = text_at(args_of(e), "name");
        if (strcmp(text_at(e, "name"), "process_name") == 0)
            pid = strncmp(is, process, strlen(process)) == 0 ? number_at(e, "pid") : NAN;
        if (strcmp(text_at(e, "name"), "thread_name") == 0 && number_at(e, "pid") == pid &&
            strcmp(is, name) == 0)
            return number_at(e, "tid");
    }
    return NAN;
}

typedef struct found {
    size_t n;
    double end_us, sum_us;
    const cJSON *first, *last;
} found;

/* Events of a phase in a row, all of them or those of one name. */
static found find(const cJSON *trace, double row, char phase, const char *name)
{
    found f = {0};
    for (const cJSON *e = first_event(trace); e; e = e->next) {
        if (!is_phase(e, phase) || !(number_at(e, "tid") == row) ||
            (name && strcmp(text_at(e, "name"), name) != 0))
            continue;
        f.first = f.n++ ? f.first : e;
        f.last = e;
        if (phase == 'X') {
            f.end_us = fmax(f.end_us, end_of(e));
            f.sum_us += number_at(e, "dur");
        }
    }
    return f;
}

static found find_row(const cJSON *trace, const char *process, const char *row)
{
    return find(trace, row_named(trace, process, row), 'X', NULL);
}

/* ---- predictions ---- */

/* Layers with cycles that look random, on two engines; a third one is idle. */
static void put_layers(textbuf *out, uint32_t n, double clock_hz, uint64_t most_cycles)
{
    uint64_t state = 1, total = 0;
    for (uint32_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t conv = (state >> 33) % (most_cycles + 1), alu = (state >> 40) % (most_cycles + 1);
        uint64_t ideal = conv > alu ? conv : alu;
        total += ideal;
        text_printf(out,
                    "%s{\"index\":%u,\"name\":\"net/layer_%u\",\"type\":\"conv\",\"device\":\"DPU\","
                    "\"macs\":%u,\"ops_count\":%u,\"cycles\":{\"conv\":%" PRIu64 ",\"alu\":%" PRIu64
                    ",\"idle\":0,\"ideal\":%" PRIu64 "},\"bound\":\"%s\",\"ideal_s\":%.17g}",
                    i ? "," : "", i + 1, i + 1, i, 2 * i + 1, conv, alu, ideal, conv > alu ? "conv" : "alu",
                    (double)ideal / clock_hz);
    }
    text_printf(out, "],\"total\":{\"ideal_s\":%.17g}}", (double)total / clock_hz);
}

/* A measured document, since that is where predictions are read from. */
static pf_result many_layers(uint32_t n, double clock_hz, uint64_t most_cycles)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(
        &text,
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"prediction\":{"
        "\"schema\":\"roofline.prediction/1\",\"model\":{\"name\":\"net\"},\"hardware\":{\"name\":\"Test\","
        "\"clock_hz\":%.17g},\"layers\":[",
        clock_hz);
    put_layers(&text, n, clock_hz, most_cycles);
    text_puts(&text, ",\"runs\":[{\"mode\":\"per_layer\",\"layers\":[");
    for (uint32_t i = 0; i < n; i++)
        text_printf(&text, "%s{\"name\":\"net/layer_%u\",\"mean_s\":%.17g}", i ? "," : "", i + 1,
                    (double)(most_cycles + i % 7 + 1) / clock_hz * 1.37);
    text_puts(&text, "]}]}]}");
    pf_result p = pf_reconcile_document(text.bytes, NULL);
    text_free(&text);
    return p;
}

/* Clocks whose periods are no whole nanoseconds, half ones, whole ones; from shorter than any viewer shows to
 * years. */
static const struct {
    double clock_hz;
    uint64_t most_cycles;
    uint32_t layers;
} lengths[] = {
    {300e6, 100, 2000}, {300e6, 60000, 50},  {333e6, 10, 2000}, {250e6, 1000, 500}, {2e9, 9, 2000},
    {1e9, 3, 300},      {1e12, 100000, 300}, {1e15, 7, 50},     {7, 100, 100},      {1e-6, 10000, 20},
    {1e6, 0, 5},        {300e6, 1, 1},       {300e6, 5, 0},     {1e300, 9, 9},
};

static void check_ideal(const cJSON *trace, const roof_prediction *p)
{
    double rows[] = {row_named(trace, "ideal: net on Test", "layers"), row_named(trace, "ideal", "conv"),
                     row_named(trace, "ideal", "alu")};
    found layers = find(trace, rows[0], 'X', NULL);
    assert_int_equal(layers.n, p->n_layers);
    assert_true(near(layers.end_us, p->total.deployed.ideal_s * 1e6));
    assert_true(isnan(row_named(trace, "ideal", "idle")));
    const cJSON *layer = NULL;
    uint32_t i = 0;
    for (const cJSON *e = first_event(trace); e; e = e->next) {
        const double row = number_at(e, "tid");
        if (!is_phase(e, 'X'))
            continue;
        if (row == rows[0]) {
            layer = e;
            assert_string_equal(text_at(args_of(e), "name")[0] ? text_at(args_of(e), "name")
                                                               : text_at(e, "name"),
                                p->layers[i].name);
            assert_true(near(number_at(args_of(e), "ideal_us"), p->layers[i].deployed.ideal_s * 1e6));
            assert_true(fabs(number_at(e, "dur") - p->layers[i].deployed.ideal_s * 1e6) <=
                        1.1e-3 + 1e-9 * layers.end_us);
            i++;
        } else if (row == rows[1] || row == rows[2]) {
            assert_non_null(layer);
            assert_true(number_at(e, "ts") == number_at(layer, "ts"));
            assert_true(end_of(e) <= end_of(layer) + 1e-3 + 1e-9 * layers.end_us);
            assert_string_equal(text_at(e, "name"), text_at(layer, "name"));
        }
    }
}

static void layers_follow_each_other_and_end_with_the_total(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        pf_result p = many_layers(lengths[i].layers, lengths[i].clock_hz, lengths[i].most_cycles);
        cJSON *trace = trace_of_prediction(p.predictions[0]);
        check_ideal(trace, p.predictions[0]);
        cJSON_Delete(trace);
        trace = trace_of_reconciliation(p.r);
        found measured = find_row(trace, "measured: net, per-layer run", "layers");
        if (lengths[i].layers) {
            assert_int_equal(measured.n, lengths[i].layers);
            assert_true(near(measured.end_us, p.r->experiments[0].total.listed_s * 1e6));
        }
        cJSON_Delete(trace);
        pf_free(&p);
    }
}

static void a_layer_without_a_time_is_shown(void **state)
{
    pf_result p = pf_reconcile(&(pf_experiment){.layers = "a=100 h:host=0 b=50", .bypass_us = 200}, 1);
    cJSON *trace = trace_of_prediction(p.predictions[0]);
    double row = row_named(trace, "ideal: net on Test", "layers");
    found timed = find(trace, row, 'X', NULL), unknown = find(trace, row, 'i', NULL);
    (void)state;
    assert_int_equal(timed.n, 2);
    assert_int_equal(unknown.n, 1);
    assert_string_equal(text_at(unknown.first, "name"), "h");
    assert_string_equal(text_at(unknown.first, "s"), "t");
    assert_true(number_at(unknown.first, "ts") == 100);
    assert_true(cJSON_IsNull(jsontree_get(args_of(unknown.first), "ideal")));
    assert_non_null(strstr(text_at(args_of(unknown.first), "why"), "CPU"));
    cJSON_Delete(trace);
    pf_free(&p);
}

static void args_say_what_the_tables_say(void **state)
{
    fx_net net = fx_open(xn_find_network("tiny")->build(NULL, NULL), NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    cJSON *trace = trace_of_prediction(p);
    const cJSON *args = args_of(find(trace, row_named(trace, "ideal: net on", "layers"), 'X', NULL).first);
    const roof_layer_prediction *l = &p->layers[0];
    (void)state;
    assert_true(number_at(args, "index") == l->index && number_at(args, "macs") == (double)l->macs);
    assert_true(number_at(args, "ops_count") == (double)l->ops_count);
    assert_string_equal(text_at(args, "type"), l->type);
    assert_string_equal(text_at(args, "device"), "DPU");
    assert_string_equal(text_at(args, "bound"), p->engines[l->deployed.bound]);
    assert_true(near(number_at(args, "intensity_ops_per_byte"), l->intensity_ops_per_byte));
    assert_true(near(number_at(args, "utilisation_ratio"), l->utilisation_ratio));
    for (uint32_t e = 0; e < p->n_engines; e++)
        assert_true(number_at(jsontree_get(args, "cycles"), p->engines[e]) == (double)l->deployed.cycles[e]);
    assert_string_equal(text_at(jsontree_get(trace, "otherData"), "tool"), "roofline");
    assert_int_equal(cJSON_GetArraySize(jsontree_get(jsontree_get(trace, "otherData"), "verdict")),
                     2 + (*fx_verdict(p, 2) != 0) + (*fx_verdict(p, 3) != 0));
    cJSON_Delete(trace);
    roof_prediction_free(p);
    fx_close(&net);
}

/* The host's layer 'h' has no expectation; 30 us come once per inference. */
static void what_a_calibration_expects_is_a_process(void **state)
{
    static const char json[] =
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":[{\"mode\":\"bypass\"}],"
        "\"prediction\":{\"schema\":\"roofline.prediction/1\",\"model\":{\"name\":\"net\"},\"hardware\":{"
        "\"name\":\"Test\"},\"layers\":["
        "{\"name\":\"a\",\"ops_count\":1000,\"ideal_s\":1e-5,\"predicted_s\":2e-5},{\"name\":\"h\"},"
        "{\"name\":\"b\",\"ops_count\":1000,\"ideal_s\":3e-5,\"predicted_s\":5e-5}],"
        "\"total\":{\"ideal_s\":4e-5,\"predicted_s\":1e-4}}}]}";
    pf_result p = pf_reconcile_document(json, NULL);
    cJSON *trace = trace_of_prediction(p.predictions[0]);
    double row = row_named(trace, "predicted: net on Test", "layers");
    found all = find(trace, row, 'X', NULL), rate = find(trace, row, 'C', NULL);
    (void)state;
    assert_int_equal(all.n, 3);
    assert_int_equal(find(trace, row, 'i', "h").n, 1);
    assert_true(near(all.end_us, 100));
    assert_string_equal(text_at(all.last, "name"), "(once per inference)");
    assert_true(near(number_at(all.last, "dur"), 30));
    assert_int_equal(rate.n, 3);
    assert_true(near(number_at(args_of(rate.first), "predicted"), 0.05)); /* 1000 operations in 20 us */
    assert_true(number_at(args_of(rate.last), "predicted") == 0 && near(number_at(rate.last, "ts"), 70));
    assert_true(isnan(row_named(trace, "ideal", "conv"))); /* no clock: engines have cycles, not times */
    cJSON_Delete(trace);
    pf_free(&p);
}

/* ---- schedules ---- */

/* Sums of an argument over the events of a row. */
static uint64_t sum_arg(const cJSON *trace, double row, const char *object, const char *key)
{
    uint64_t sum = 0;
    for (const cJSON *e = first_event(trace); e; e = e->next) {
        if (!is_phase(e, 'X') || !(number_at(e, "tid") == row))
            continue;
        const cJSON *of = object ? jsontree_get(args_of(e), object) : args_of(e);
        double value = of ? number_at(of, key) : NAN;
        sum += isnan(value) ? 0 : (uint64_t)value;
    }
    return sum;
}

static uint64_t sum_saves(const cJSON *trace, const char *process, const char *object, const char *key)
{
    uint64_t sum = 0;
    for (int port = 0; port < 2; port++) {
        char row[20];
        snprintf(row, sizeof row, "save, port %d", port);
        sum += sum_arg(trace, row_named(trace, process, row), object, key);
    }
    return sum;
}

static void check_engine(const cJSON *trace, const roof_schedule_engine *engine, uint64_t *path_cycles)
{
    static const char process[] = "schedule: ";
    bool is_save = strcmp(engine->name, "save") == 0;
    double row = row_named(trace, process, engine->name);
    assert_int_equal(is_save ? sum_saves(trace, process, NULL, "busy_cycles")
                             : sum_arg(trace, row, NULL, "busy_cycles"),
                     engine->busy_cycles);
    for (uint32_t i = 0; i < engine->n_waits && engine->busy_cycles; i++)
        assert_int_equal(is_save ? sum_saves(trace, process, "waited_cycles", engine->waits[i].name)
                                 : sum_arg(trace, row, "waited_cycles", engine->waits[i].name),
                         engine->waits[i].cycles);
    uint64_t critical =
        sum_arg(trace, row_named(trace, process, "critical path"), "critical_cycles", engine->name);
    assert_int_equal(critical, engine->critical_cycles);
    *path_cycles += critical;
}

/* Of an engine that takes one instruction after the other. */
static void check_times(const cJSON *trace, const char *process, const char *engine, double clock_hz)
{
    static const char *const waited_for[] = {"load", "save", "conv", "misc", "fetch"};
    double row = row_named(trace, process, engine);
    found all = find(trace, row, 'X', NULL);
    double whole_us = find_row(trace, process, "critical path").end_us;
    uint64_t cycles = sum_arg(trace, row, NULL, "busy_cycles");
    for (size_t i = 0; i < COUNT(waited_for); i++)
        cycles += sum_arg(trace, row, "waited_cycles", waited_for[i]);
    if (all.n && fabs((double)cycles / clock_hz * 1e6 - end_of(all.last)) > 1.1e-3 + 1e-9 * whole_us)
        fail_msg("%s%s: %" PRIu64 " cycles to %.12g us", process, engine, cycles, end_of(all.last));
}

static void a_schedule_has_the_cycles_of_its_prediction(void **state)
{
    static const char *const networks[] = {"tiny", "resnet50", "mobilenetv1", "mobilenetv2"};
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        fx_net net = fx_open(xn_find_network(networks[i])->build(NULL, NULL), NULL);
        roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
        cJSON *trace = trace_of_prediction(p);
        const roof_schedule_part *part = &p->schedule.parts[0];
        found path = find_row(trace, "schedule: ", "critical path");
        uint64_t path_cycles = 0;
        for (uint32_t e = 0; e < part->n_engines; e++) {
            check_engine(trace, &part->engines[e], &path_cycles);
            if (strcmp(part->engines[e].name, "save") != 0) {
                check_times(trace, "schedule: ", part->engines[e].name, p->hardware.clock_hz);
                check_times(trace, "schedule, as a board runs it: ", part->engines[e].name,
                            p->hardware.clock_hz);
            }
        }
        assert_int_equal(path_cycles, part->scheduled_cycles);
        assert_true(near(path.end_us, (double)part->scheduled_cycles / p->hardware.clock_hz * 1e6));
        assert_true(path.end_us - path.sum_us <= 1.1e-3 * (double)path.n + 1e-9 * path.end_us);
        found board = find_row(trace, "schedule, as a board runs it: ", "critical path");
        assert_true(near(board.end_us, p->total.predicted_s * 1e6));
        cJSON_Delete(trace);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* Of tasks written by hand, at 1 MHz: a cycle is a microsecond. A load of 32 bytes takes one. */
static cJSON *trace_of_tasks(const roof_task *tasks, uint32_t n)
{
    pf_result p = pf_reconcile(&(pf_experiment){.layers = "a=100 b=50", .bypass_us = 200}, 1);
    const roof_stream stream = {.part = "part",
                                .tasks = tasks,
                                .n_tasks = n,
                                .n_instructions = n,
                                .is_timed = true,
                                .replayer = &dpu_replayer};
    const replay_timing timing = {.load_bytes_per_cycle = 32, .save_bytes_per_cycle = 16};
    const schedule_code code = {
        .streams = &stream, .n_streams = 1, .ideal = timing, .passes = 1, .clock_hz = 1e6};
    roof_prediction *changed = p.measured->experiments[0].prediction;
    changed->hardware.clock_hz = 1e6;
    changed->code = &code;
    cJSON *trace = trace_of_prediction(changed);
    changed->code = NULL;
    pf_free(&p);
    return trace;
}

enum { L = 1 << DPU_QUEUE_LOAD, C = 1 << DPU_QUEUE_CONV };

static roof_task task(roof_task_kind kind, uint32_t row, uint64_t amount, unsigned waits, unsigned gives)
{
    uint8_t queue = kind == ROOF_TASK_LOAD ? DPU_QUEUE_LOAD : DPU_QUEUE_CONV, own = (uint8_t)(1u << queue);
    return (roof_task){.kind = (uint8_t)kind,
                       .queue = queue,
                       .row = row,
                       .amount = amount,
                       .pieces = 1,
                       .words = 1,
                       .waits_for = (uint8_t)(own | waits),
                       .lets_go = (uint8_t)(own | gives)};
}

/* What is set up waits for the load, and then nothing is left to wait for. */
static void instructions_without_a_gap_are_an_event_of_their_layer(void **state)
{
    const roof_task tasks[] = {task(ROOF_TASK_LOAD, 0, 160, 0, 0), task(ROOF_TASK_LOAD, 0, 160, 0, C),
                               task(ROOF_TASK_LOAD, 1, 320, 0, 0), task(ROOF_TASK_SETUP, 0, 0, L, 0),
                               task(ROOF_TASK_CONV, 0, 15, 0, 0),  task(ROOF_TASK_CONV, 0, 5, 0, 0),
                               task(ROOF_TASK_CONV, 1, 20, 0, 0)};
    cJSON *trace = trace_of_tasks(tasks, COUNT(tasks));
    double row = row_named(trace, "schedule: net on Test", "conv");
    found a = find(trace, row, 'X', "a"), b = find(trace, row, 'X', "b");
    found path = find_row(trace, "schedule: ", "critical path");
    found tail = find(trace, row_named(trace, "schedule: ", "load"), 's', "conv waits for load");
    found head = find(trace, row, 'f', "conv waits for load");
    (void)state;
    assert_int_equal(find_row(trace, "schedule: ", "load").n, 2);
    assert_true(a.n == 1 && number_at(a.first, "ts") == 10 && end_of(a.first) >= 30 - 2e-3);
    assert_true(number_at(args_of(a.first), "instructions") == 3);
    assert_true(number_at(args_of(a.first), "busy_cycles") == 20);
    assert_true(number_at(jsontree_get(args_of(a.first), "waited_cycles"), "load") == 10);
    assert_true(b.n == 1 && number_at(b.first, "ts") == 30 && number_at(args_of(b.first), "index") == 2);
    assert_int_equal(path.n, 3);
    assert_string_equal(text_at(path.first, "name"), "load: a");
    assert_string_equal(text_at(path.last, "name"), "conv: b");
    assert_true(tail.n == 1 && head.n == 1 && number_at(head.first, "ts") == 10);
    assert_true(number_at(args_of(head.first), "waited_cycles") == 10);
    assert_true(isnan(row_named(trace, "schedule: ", "misc")));
    cJSON_Delete(trace);
}

/* Load and convolution take turns, and each pair is of another layer than the one before: two arrows a pair,
 * but one for the first. */
static void of_many_waits_the_longest_have_arrows(void **state)
{
    enum { PAIRS = 1500, SHOWN = 1000 };
    static roof_task tasks[2 * PAIRS];
    (void)state;
    for (uint32_t i = 0; i < PAIRS; i++) {
        tasks[2 * i] = task(ROOF_TASK_LOAD, i % 2, i < SHOWN ? 64 : 32, i ? C : 0, C);
        tasks[2 * i + 1] = task(ROOF_TASK_CONV, i % 2, 1, L, i < PAIRS - 1 ? L : 0);
    }
    cJSON *trace = trace_of_tasks(tasks, COUNT(tasks));
    found heads = find(trace, row_named(trace, "schedule: ", "conv"), 'f', "conv waits for load");
    found left_out = find(trace, row_named(trace, "schedule: ", "critical path"), 'i', NULL);
    assert_int_equal(heads.n, SHOWN); /* of two cycles; all others are of one */
    assert_int_equal(left_out.n, 1);
    assert_true(number_at(args_of(left_out.first), "left_out") == 2 * PAIRS - 1 - SHOWN);
    cJSON_Delete(trace);
}

/* How many events the convolutions are. With gaps each waits for a load, which is longer; in turns a load, as
 * short, waits for the one before as well. Without gaps they follow each other. */
static const struct {
    uint32_t n;
    bool has_gaps, in_turns;
    uint32_t layers;
    size_t least, most;
} streams[] = {
    {1000, false, false, 1, 1, 1},          {1000, false, false, 2, 500, 500},
    {1000, true, false, 1, 500, 500},       {100000, true, false, 1, 1, 1},
    {100000, true, false, 2, 10000, 40002}, {100000, false, false, 2, 10000, 40002},
    {100000, true, true, 2, 10000, 40002},
};

static void the_events_of_a_long_stream_are_bounded_and_their_sums_are_not(void **state)
{
    static roof_task tasks[100000];
    (void)state;
    for (size_t k = 0; k < COUNT(streams); k++) {
        uint32_t n = streams[k].n, convs = streams[k].has_gaps ? n / 2 : n;
        for (uint32_t i = 0; i < n; i++)
            tasks[i] = streams[k].has_gaps && i % 2 == 0
                           ? task(ROOF_TASK_LOAD, streams[k].in_turns ? i / 2 % 2 : 0,
                                  streams[k].in_turns ? 32 : 64, i && streams[k].in_turns ? C : 0, C)
                           : task(ROOF_TASK_CONV, i / 2 % streams[k].layers, 1, streams[k].has_gaps ? L : 0,
                                  streams[k].in_turns && i < n - 1 ? L : 0);
        cJSON *trace = trace_of_tasks(tasks, n);
        double row = row_named(trace, "schedule: ", "conv");
        found conv = find(trace, row, 'X', NULL);
        if (conv.n < streams[k].least || conv.n > streams[k].most)
            fail_msg("%zu: %zu events", k, conv.n);
        assert_int_equal(sum_arg(trace, row, NULL, "busy_cycles"), convs);
        assert_int_equal(sum_arg(trace, row, NULL, "instructions"), convs);
        cJSON_Delete(trace);
    }
}

/* ---- rates ---- */

static const struct {
    const char *layers; /* JSON, of 10 us each */
    size_t points;
    double first;
} rates[] = {
    {"{\"name\":\"a\",\"ops_count\":10000,\"ideal_s\":1e-5},{\"name\":\"b\",\"ops_count\":0,\"ideal_s\":1e-"
     "5}",
     3, 1},
    {"{\"name\":\"a\",\"ops_count\":20000,\"ideal_s\":1e-5},{\"name\":\"b\",\"ops_count\":9,\"ideal_s\":0}",
     2, 2},
    {"{\"name\":\"a\",\"ops_count\":10000,\"ideal_s\":1e-5},{\"name\":\"host\"}", 2, 1},
    {"{\"name\":\"a\",\"ops_count\":10000,\"ideal_s\":1e-5},{\"name\":\"b\",\"ideal_s\":1e-5}", 0, NAN},
    {"{\"name\":\"host\"}", 0, NAN},
};

static void the_curve_of_rates_is_whole_or_not_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rates); i++) {
        char json[700];
        snprintf(json, sizeof json,
                 "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"runs\":[{\"mode\":\"bypass\"}],"
                 "\"prediction\":{\"schema\":\"roofline.prediction/1\",\"layers\":[%s]}}]}",
                 rates[i].layers);
        pf_result p = pf_reconcile_document(json, NULL);
        cJSON *trace = trace_of_prediction(p.predictions[0]);
        found points = find(trace, row_named(trace, "ideal", "layers"), 'C', "GOP/s");
        if (points.n != rates[i].points)
            fail_msg("%zu: %zu points, want %zu", i, points.n, rates[i].points);
        if (points.n) {
            assert_true(near(number_at(args_of(points.first), "ideal"), rates[i].first));
            assert_true(number_at(args_of(points.last), "ideal") == 0);
        }
        cJSON_Delete(trace);
        pf_free(&p);
    }
}

/* ---- reconciliations ---- */

/* The event of each unit, in their order, and below it what its time is made of. */
static void check_units(const cJSON *trace, const roof_reconciled *e)
{
    const double layers = row_named(trace, "measured: net, per-layer run", "layers");
    static const char *const parts[] = {"ideal", "overhead", "gap", "no ideal"};
    double at_us = 0, parts_us = 0;
    size_t shown = 0, aside = 0;
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        const bool timed = !isnan(u->measured_s) && !roof_match_is_repeated(u);
        found f = find(trace, layers, timed ? 'X' : 'i', u->name);
        assert_true(f.n >= 1);
        shown += timed;
        aside += !timed;
        if (!timed)
            continue;
        assert_true(near(number_at(f.first, "ts"), at_us) || at_us == 0);
        assert_string_equal(text_at(args_of(f.first), "verdict"),
                            roof_verdict_text((roof_verdict)u->verdict));
        at_us += u->measured_s * 1e6;
    }
    assert_int_equal(find(trace, layers, 'X', NULL).n, shown);
    assert_int_equal(find(trace, layers, 'i', NULL).n, aside);
    assert_true(near(find(trace, layers, 'X', NULL).end_us, at_us));
    for (size_t i = 0; i < COUNT(parts); i++)
        parts_us += find_row(trace, "measured: net, per-layer run", parts[i]).sum_us;
    assert_true(fabs(parts_us - at_us) <= 1e-9 * at_us + 1e-3 * 4 * (double)shown); /* see fitting_ticks */
}

static void check_whole(const cJSON *trace, const char *process, const roof_attribution *a)
{
    found whole = find_row(trace, process, "inference");
    double parts = row_named(trace, process, "its parts"), sum_us = 0;
    assert_int_equal(whole.n, a->of != NULL);
    if (!a->of)
        return;
    assert_true(near(whole.end_us, a->total_s * 1e6));
    for (const cJSON *e = first_event(trace); e; e = e->next)
        sum_us += number_at(e, "tid") == parts && !is_phase(e, 'M') ? number_at(args_of(e), "us") : 0;
    assert_true(near(sum_us, a->total_s * 1e6)); /* what is below zero is an instant, and counts */
}

static void every_measured_time_is_there_with_its_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < PF_DOCUMENTS; i++) {
        pf_result p = pf_reconcile(&pf_documents[i], 1);
        const roof_reconciled *e = &p.r->experiments[0];
        cJSON *trace = trace_of_reconciliation(p.r);
        if (e->layer_run && e->layer_run == e->per_layer)
            check_units(trace, e);
        check_whole(trace, "measured: net, per-layer run", &e->layer_by_layer);
        check_whole(trace, "measured: net, as deployed", &e->deployed);
        assert_int_equal(isnan(row_named(trace, "ideal: net", "layers")), e->prediction == NULL);
        cJSON_Delete(trace);
        pf_free(&p);
    }
}

/* A row of a document, and where its unit's parts lie: from, to in microseconds; 0, 0: there is none. */
static const struct {
    pf_experiment e;
    const char *unit;
    double measured[2], ideal[2], overhead[2], gap[2], no_ideal[2];
} splits[] = {
    {{.layers = "a=100 b=50", .bypass_us = 200, .per_layer_us = 400, .rows = "a=220 b=160"},
     "b",
     {220, 380},
     {220, 270},
     {270, 370},
     {370, 380},
     {0, 0}},
    {{.layers = "a=100 b=50", .rows = "a=220 b=160"}, "a", {0, 220}, {0, 100}, {0, 0}, {100, 220}, {0, 0}},
    {{.layers = "a=100 b=50", .rows = "a=220 b=40"}, "b", {220, 260}, {220, 260}, {0, 0}, {0, 0}, {0, 0}},
    {{.layers = "a=100 h:host=0", .rows = "a=220 h=40"}, "h", {220, 260}, {0, 0}, {0, 0}, {0, 0}, {220, 260}},
    {{.rows = "a=220 b=40"}, "a", {0, 220}, {0, 0}, {0, 0}, {0, 0}, {0, 220}},
};

static void check_span(const cJSON *trace, size_t i, const char *row, const double span[2])
{
    found f = find(trace, row_named(trace, "measured", row), 'X', splits[i].unit);
    assert_int_equal(f.n, span[1] > 0);
    if (f.n && !(fabs(number_at(f.first, "ts") - span[0]) < 1e-6 && fabs(end_of(f.first) - span[1]) < 1e-3))
        fail_msg("%zu: %s from %g to %g", i, row, number_at(f.first, "ts"), end_of(f.first));
}

static void a_measured_time_splits_into_what_it_is_made_of(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(splits); i++) {
        pf_result p = pf_reconcile(&splits[i].e, 1);
        cJSON *trace = trace_of_reconciliation(p.r);
        check_span(trace, i, "layers", splits[i].measured);
        check_span(trace, i, "ideal", splits[i].ideal);
        check_span(trace, i, "overhead", splits[i].overhead);
        check_span(trace, i, "gap", splits[i].gap);
        check_span(trace, i, "no ideal", splits[i].no_ideal);
        cJSON_Delete(trace);
        pf_free(&p);
    }
}

static void what_is_in_no_sum_is_aside(void **state)
{
    static const pf_experiment e = {.layers = "a=100 b=50 c=10", .rows = "a=120 a=130 b=40"};
    pf_result p = pf_reconcile(&e, 1);
    cJSON *trace = trace_of_reconciliation(p.r);
    double layers = row_named(trace, "measured", "layers"), gap = row_named(trace, "measured", "gap");
    found repeated = find(trace, layers, 'i', "a"), missing = find(trace, layers, 'i', "c");
    found impossible = find(trace, gap, 'i', "b");
    (void)state;
    assert_int_equal(repeated.n, 1);
    assert_non_null(strstr(text_at(args_of(repeated.first), "why"), "in no sum"));
    assert_true(near(number_at(args_of(repeated.first), "measured_us"), 130));
    assert_int_equal(missing.n, 1);
    assert_string_equal(text_at(args_of(missing.first), "why"), "the profile has no time for it");
    assert_int_equal(impossible.n, 1); /* 10 us faster than its bound */
    assert_true(near(number_at(args_of(impossible.first), "us"), -10));
    cJSON_Delete(trace);
    pf_free(&p);
}

static void phases_stand_with_their_run(void **state)
{
    static const char json[] =
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[{"
        "\"mode\":\"bypass\",\"total\":{\"mean_s\":0.010},\"phases\":{\"host_s\":0.002,\"run_s\":0.007}}]}]}";
    pf_result p = pf_reconcile_document(json, NULL);
    cJSON *trace = trace_of_reconciliation(p.r);
    found phases = find_row(trace, "measured: net, as deployed", "its phases");
    (void)state;
    assert_int_equal(phases.n, 3);
    assert_true(near(phases.end_us, 10000));
    assert_string_equal(text_at(phases.last, "name"), "in no phase");
    assert_true(isnan(row_named(trace, "measured: net, per-layer run", "layers")));
    cJSON_Delete(trace);
    pf_free(&p);
}

/* ---- names ---- */

/* As they stand in a document, and as they are then. */
static const struct {
    const char *json, *name;
} hostile[] = {
    {"say \\\"hi\\\"", "say \"hi\""},
    {"back\\\\slash", "back\\slash"},
    {"</script>", "</script>"},
    {"\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac"},
    {"\\ud83d\\ude80", "\xf0\x9f\x9a\x80"},
    {"{}[],:\\\"", "{}[],:\""},
    {"100 %s%n", "100 %s%n"},
};

static void names_are_strings_whatever_they_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++) {
        const char *h = hostile[i].json;
        char json[900];
        snprintf(
            json, sizeof json,
            "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"%s\"},\"runs\":[{"
            "\"mode\":\"per_layer\",\"layers\":[{\"name\":\"%s\",\"type\":\"%s\",\"mean_s\":0.002}]}],"
            "\"prediction\":{\"schema\":\"roofline.prediction/1\",\"model\":{\"name\":\"%s\"},\"layers\":["
            "{\"name\":\"%s\",\"type\":\"%s\",\"device\":\"%s\",\"ideal_s\":0.001}]}}]}",
            h, h, h, h, h, h, h);
        pf_result p = pf_reconcile_document(json, NULL);
        cJSON *trace = trace_of_reconciliation(p.r);
        assert_int_equal(find(trace, row_named(trace, "measured", "layers"), 'X', hostile[i].name).n, 1);
        assert_int_equal(find(trace, row_named(trace, "ideal", "layers"), 'X', hostile[i].name).n, 1);
        cJSON_Delete(trace);
        pf_free(&p);
    }
}

/* Readers of files refuse control characters; whoever builds a prediction by hand need not. */
static void control_characters_are_escaped(void **state)
{
    static const char name[] = "\a\x1b[31m\n\x7f";
    pf_result p = pf_reconcile(&(pf_experiment){.layers = "a=100", .bypass_us = 200}, 1);
    roof_prediction *changed = p.measured->experiments[0].prediction;
    (void)state;
    changed->layers[0].name = changed->layers[0].type = changed->model.name = name;
    cJSON *trace = trace_of_prediction(changed);
    assert_int_equal(find(trace, row_named(trace, "ideal", "layers"), 'X', name).n, 1);
    cJSON_Delete(trace);
    pf_free(&p);
}

/* What all names begin with is left out of the boxes, but never of a name that begins otherwise. */
static void boxes_have_short_names(void **state)
{
    static const pf_experiment e = {
        .layers = "networks_name/conv=100 networks_name/pool=50 another_name_and_a_long_one:host=0",
        .rows = "networks_name/conv=120 networks_name/pool=60 another_name_and_a_long_one=9"};
    pf_result p = pf_reconcile(&e, 1);
    cJSON *trace = trace_of_reconciliation(p.r);
    (void)state;
    const char *const processes[] = {"ideal", "measured"};
    for (size_t i = 0; i < COUNT(processes); i++) {
        double row = row_named(trace, processes[i], "layers");
        found conv = find(trace, row, 'X', "conv");
        assert_int_equal(conv.n, 1);
        assert_string_equal(text_at(args_of(conv.first), "name"), "networks_name/conv");
        assert_int_equal(find(trace, row, 'X', "pool").n, 1);
        assert_int_equal(find(trace, row, i ? 'X' : 'i', "another_name_and_a_long_one").n, 1);
    }
    cJSON_Delete(trace);
    pf_free(&p);
}

/* ---- the writer ---- */

static void the_same_input_gives_the_same_bytes(void **state)
{
    (void)state;
    pf_result p = many_layers(100, 300e6, 100);
    textbuf a = text_of_reconciliation(p.r), b = text_of_reconciliation(p.r);
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.bytes, b.bytes, a.length);
    text_free(&a);
    text_free(&b);
    pf_free(&p);
}

typedef struct pieces {
    size_t longest, sum;
} pieces;

static roof_status measure_piece(void *context, const char *bytes, size_t length, roof_error *err)
{
    pieces *p = context;
    (void)bytes;
    (void)err;
    p->longest = length > p->longest ? length : p->longest;
    p->sum += length;
    return ROOF_OK;
}

static void a_long_profile_goes_out_in_pieces(void **state)
{
    enum { MOST_AT_ONCE = 1 << 18 };
    pf_result p = many_layers(5000, 300e6, 1000);
    pieces out = {0};
    (void)state;
    assert_int_equal(
        roof_render(p.r, &(roof_render_options){.format = "trace"}, (roof_sink){measure_piece, &out}, NULL),
        ROOF_OK);
    assert_true(out.sum > 10 * MOST_AT_ONCE && out.longest < MOST_AT_ONCE);
    pf_free(&p);
}

static void what_a_file_holds_takes_no_time(void **state)
{
    fx_net net = fx_open(xn_find_network("tiny")->build(NULL, NULL), NULL);
    char *text = NULL;
    size_t length = 0;
    roof_error err;
    (void)state;
    assert_int_equal(
        roof_render_whole(net.graph, &(roof_render_options){.format = "trace"}, &text, &length, &err),
        ROOF_E_USAGE);
    assert_string_equal(fx_message(&err),
                        "format 'trace' cannot show what a file holds; there are text, json, csv, markdown");
    assert_int_equal(
        roof_render_whole(net.graph, &(roof_render_options){.format = "yaml"}, &text, &length, &err),
        ROOF_E_USAGE);
    assert_string_equal(fx_message(&err), "no format 'yaml'; there are text, json, csv, markdown");
    fx_close(&net);
}

static void formats_say_what_they_can_show(void **state)
{
    /* in the order of roof_document: prediction, graph, reconciliation, comparison, checks, predictions,
     * siblings, networks at a rate, configurations of a board, the curve of a language model,
     * trends of a history, published times, edits of a network, a number that is explained */
    static const char *const formats[][2] = {{"text", "11111111111111"},
                                             {"json", "11111111111111"},
                                             {"csv", "11111111111111"},
                                             {"markdown", "11111111111111"},
                                             {"trace", "10100001000000"},
                                             {"netron", "10000000000000"},
                                             {"model-explorer", "10000000000000"},
                                             {"model-explorer-graph", "10000000000000"},
                                             {"junit", "00001000000000"},
                                             {"benchmark", "00001000001000"},
                                             {"bencher", "00000000001000"}};
    size_t i = 0;
    (void)state;
    for (; i < COUNT(formats); i++) {
        assert_string_equal(roof_renderer_name(i), formats[i][0]);
        for (int d = 0; d < ROOF_DOCUMENTS; d++)
            assert_int_equal(roof_renderer_shows(i, (roof_document)d), formats[i][1][d] == '1');
    }
    assert_null(roof_renderer_name(i));
    assert_false(roof_renderer_shows(i, ROOF_DOCUMENT_PREDICTION));
    assert_false(roof_renderer_shows(0, ROOF_DOCUMENTS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_follow_each_other_and_end_with_the_total),
        cmocka_unit_test(a_layer_without_a_time_is_shown),
        cmocka_unit_test(args_say_what_the_tables_say),
        cmocka_unit_test(what_a_calibration_expects_is_a_process),
        cmocka_unit_test(a_schedule_has_the_cycles_of_its_prediction),
        cmocka_unit_test(instructions_without_a_gap_are_an_event_of_their_layer),
        cmocka_unit_test(of_many_waits_the_longest_have_arrows),
        cmocka_unit_test(the_events_of_a_long_stream_are_bounded_and_their_sums_are_not),
        cmocka_unit_test(the_curve_of_rates_is_whole_or_not_there),
        cmocka_unit_test(every_measured_time_is_there_with_its_parts),
        cmocka_unit_test(a_measured_time_splits_into_what_it_is_made_of),
        cmocka_unit_test(what_is_in_no_sum_is_aside),
        cmocka_unit_test(phases_stand_with_their_run),
        cmocka_unit_test(names_are_strings_whatever_they_hold),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(boxes_have_short_names),
        cmocka_unit_test(the_same_input_gives_the_same_bytes),
        cmocka_unit_test(a_long_profile_goes_out_in_pieces),
        cmocka_unit_test(what_a_file_holds_takes_no_time),
        cmocka_unit_test(formats_say_what_they_can_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
