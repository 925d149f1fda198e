/* Predictions that were written as JSON come back: counts as they were, times to the printed digit. And
 * what is refused. */
#include "model/documents/documents.h"
#include "roofline/render.h"
#include "model/graph/format.h"
#include "tests/support/ep_writer.h"
#include "tests/support/prediction_check.h"
#include "tests/unit/folder.h"
#include "tests/unit/fixture.h"
#include "tests/unit/program.h"

#include <dirent.h>

/* ---- there and back ---- */

/* Computed values are written with 12 digits. */
static void assert_near(const char *what, double got, double want)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-11 * fabs(want)))
        fail_msg("%s: got %.17g, want %.17g", what, got, want);
}

static uint64_t cycles_of(const roof_prediction *p, const roof_cost *cost, const char *engine)
{
    for (uint32_t i = 0; i < p->n_engines; i++)
        if (strcmp(p->engines[i], engine) == 0)
            return cost->cycles[i];
    return ROOF_UNKNOWN;
}

static void assert_cost(const roof_prediction *got, const roof_cost *g, const roof_prediction *want,
                        const roof_cost *w, bool is_total)
{
    assert_memory_equal(&g->traffic, &w->traffic, sizeof g->traffic);
    for (uint32_t i = 0; w->cycles && i < want->n_engines; i++)
        assert_int_equal(cycles_of(got, g, want->engines[i]), w->cycles[i]);
    assert_int_equal(g->ideal_cycles, w->ideal_cycles);
    assert_near("ideal_s", g->ideal_s, w->ideal_s);
    if (is_total) /* the sum of the per-layer profile has no sources */
        return;
    assert_int_equal(g->bytes_basis, w->bytes_basis);
    assert_int_equal(g->cycles_basis, w->cycles_basis);
    assert_string_equal(g->bound == ROOF_NONE ? "none" : got->engines[g->bound],
                        w->bound == ROOF_NONE ? "none" : want->engines[w->bound]);
}

static void assert_row(const roof_prediction *got, const roof_layer_prediction *g,
                       const roof_prediction *want, const roof_layer_prediction *w)
{
    assert_int_equal(g->index, w->index);
    assert_string_equal(g->name, w->name);
    assert_string_equal(g->subgraph, w->subgraph);
    assert_string_equal(g->type, w->type);
    assert_int_equal(g->n_ops, w->n_ops);
    for (uint32_t i = 0; i < w->n_ops; i++)
        assert_string_equal(g->ops[i], w->ops[i]);
    assert_int_equal(g->n_operators, w->n_operators);
    assert_int_equal(g->n_nodes, w->n_nodes);
    for (uint32_t i = 0; i < w->n_operators; i++) {
        assert_string_equal(g->operators[i], w->operators[i]);
        assert_int_equal(g->nodes[i], w->nodes[i]);
    }
    assert_string_equal(g->device, w->device);
    assert_string_equal(g->shape, w->shape);
    assert_int_equal(g->is_remainder, w->is_remainder);
    assert_int_equal(g->executor, w->executor);
    assert_int_equal(g->macs, w->macs);
    assert_int_equal(g->ops_count, w->ops_count);
    assert_int_equal(g->array_macs, w->array_macs);
    assert_int_equal(g->roof_ops_count, w->roof_ops_count);
    assert_int_equal(g->roof == ROOF_NONE, w->roof == ROOF_NONE);
    assert_int_equal(g->workload_ops, w->workload_ops);
    assert_int_equal(g->stored_workload_ops, w->stored_workload_ops);
    assert_cost(got, &g->deployed, want, &w->deployed, false);
    assert_int_equal(g->has_alone, w->has_alone);
    if (w->has_alone)
        assert_cost(got, &g->alone, want, &w->alone, false);
    assert_near("predicted_s", g->predicted_s, w->predicted_s);
    assert_near("intensity", g->intensity_ops_per_byte, w->intensity_ops_per_byte);
    assert_near("attainable", g->attainable_ops_per_s, w->attainable_ops_per_s);
    assert_near("utilisation", g->utilisation_ratio, w->utilisation_ratio);
}

static void assert_same_text(const char *got, const char *want)
{
    assert_string_equal(got ? got : "(null)", want ? want : "(null)");
}

static void assert_head(const roof_prediction *got, const roof_prediction *want)
{
    assert_same_text(got->model.path, want->model.path);
    assert_same_text(got->model.format, want->model.format);
    assert_same_text(got->model.name, want->model.name);
    assert_same_text(got->model.graph_hash, want->model.graph_hash);
    assert_same_text(got->model.sha256, want->model.sha256);
    assert_same_text(got->model.compiler, want->model.compiler);
    assert_same_text(got->model.target, want->model.target);
    assert_int_equal(got->model.fingerprint, want->model.fingerprint);
    assert_int_equal(got->model.compiled, want->model.compiled);
    assert_same_text(got->hardware.id, want->hardware.id);
    assert_same_text(got->hardware.name, want->hardware.name);
    assert_same_text(got->hardware.board, want->hardware.board);
    assert_same_text(got->hardware.family, want->hardware.family);
    assert_same_text(got->hardware.law, want->hardware.law);
    assert_same_text(got->hardware.weakest_key, want->hardware.weakest_key);
    assert_near("clock", got->hardware.clock_hz, want->hardware.clock_hz);
    assert_near("bandwidth", got->hardware.bandwidth_bytes_per_s, want->hardware.bandwidth_bytes_per_s);
    assert_near("peak", got->hardware.peak_ops_per_s, want->hardware.peak_ops_per_s);
    assert_near("launch", got->hardware.launch_floor_s, want->hardware.launch_floor_s);
    assert_int_equal(got->hardware.cores, want->hardware.cores);
    assert_int_equal(got->hardware.batch_lanes, want->hardware.batch_lanes);
    assert_int_equal(got->options.batch, want->options.batch);
    assert_int_equal(got->options.cores, want->options.cores);
    assert_near("override", got->options.clock_hz, want->options.clock_hz);
}

static void assert_limits(const roof_prediction *got, const roof_prediction *want)
{
    assert_int_equal(got->hardware.weakest_kind, want->hardware.weakest_kind);
    assert_int_equal(got->hardware.n_ceilings, want->hardware.n_ceilings);
    for (uint32_t i = 0; i < want->hardware.n_ceilings; i++) {
        const roof_ceiling *g = &got->hardware.ceilings[i], *w = &want->hardware.ceilings[i];
        assert_string_equal(g->engine, w->engine);
        assert_string_equal(g->meaning, w->meaning);
        assert_near("ops_per_s", g->ops_per_s, w->ops_per_s);
        assert_near("bytes_per_s", g->bytes_per_s, w->bytes_per_s);
    }
    assert_int_equal(got->hardware.n_constants, want->hardware.n_constants);
    for (uint32_t i = 0; i < want->hardware.n_constants; i++) {
        const roof_quantity *g = &got->hardware.constants[i], *w = &want->hardware.constants[i];
        assert_string_equal(g->key, w->key);
        assert_string_equal(g->unit, w->unit);
        assert_string_equal(g->source, w->source);
        assert_same_text(g->caveat, w->caveat);
        assert_int_equal(g->kind, w->kind);
        assert_near(w->key, g->value, w->value);
    }
}

static void assert_words(const roof_prediction *got, const roof_prediction *want)
{
    for (int i = 0; i < 4; i++)
        assert_string_equal(got->verdict[i], fx_verdict(want, (uint32_t)i));
    assert_same_text(got->placement, want->placement);
    assert_same_text(got->calibration, want->calibration);
    assert_int_equal(got->n_findings, want->n_findings);
    for (uint32_t i = 0; i < want->n_findings; i++) {
        assert_int_equal(got->findings[i].kind, want->findings[i].kind);
        assert_same_text(got->findings[i].place, want->findings[i].place);
        assert_string_equal(got->findings[i].text, fx_finding_text(&want->findings[i]));
        assert_int_equal(got->findings[i].remark.form, want->findings[i].remark.form);
        for (int k = 0; k < ROOF_MAX_OPERANDS; k++) {
            const roof_operand *g = &got->findings[i].remark.operands[k],
                               *w = &want->findings[i].remark.operands[k];
            assert_same_text(g->text, w->text);
            assert_same_text(g->unit, w->unit);
            assert_near("operand", g->number, w->number);
        }
    }
}

static void assert_total(const roof_prediction *got, const roof_prediction *want)
{
    assert_int_equal(got->total.layers, want->total.layers);
    assert_int_equal(got->total.boundaries, want->total.boundaries);
    assert_int_equal(got->total.macs, want->total.macs);
    assert_int_equal(got->total.ops_count, want->total.ops_count);
    assert_int_equal(got->total.array_macs, want->total.array_macs);
    assert_int_equal(got->total.workload_ops, want->total.workload_ops);
    assert_int_equal(got->total.stored_workload_ops, want->total.stored_workload_ops);
    assert_cost(got, &got->total.deployed, want, &want->total.deployed, true);
    assert_int_equal(got->total.has_alone, want->total.has_alone);
    if (want->total.has_alone)
        assert_cost(got, &got->total.alone, want, &want->total.alone, true);
    assert_int_equal(got->total.floor_cycles, want->total.floor_cycles);
    assert_near("floor_s", got->total.floor_s, want->total.floor_s);
    assert_int_equal(got->total.floor_bound == ROOF_NONE, want->total.floor_bound == ROOF_NONE);
    if (want->total.floor_bound != ROOF_NONE)
        assert_string_equal(got->engines[got->total.floor_bound], want->engines[want->total.floor_bound]);
    assert_near("predicted_s", got->total.predicted_s, want->total.predicted_s);
    for (int i = 0; i < 2; i++)
        assert_near("interval", got->total.predicted_ci95_s[i], want->total.predicted_ci95_s[i]);
    assert_near("intensity", got->total.intensity_ops_per_byte, want->total.intensity_ops_per_byte);
    assert_near("rate", got->total.inferences_per_s, want->total.inferences_per_s);
    assert_near("bytes", got->total.unattributed_bytes_ratio, want->total.unattributed_bytes_ratio);
    assert_near("cycles", got->total.unattributed_cycles_ratio, want->total.unattributed_cycles_ratio);
}

static void assert_engine(const roof_schedule_engine *g, const roof_schedule_engine *w)
{
    assert_string_equal(g->name, w->name);
    assert_int_equal(g->ports, w->ports);
    assert_int_equal(g->busy_cycles, w->busy_cycles);
    assert_int_equal(g->tail_cycles, w->tail_cycles);
    assert_int_equal(g->critical_cycles, w->critical_cycles);
    assert_same_text(g->busy_steps, w->busy_steps);
    assert_same_text(g->path_steps, w->path_steps);
    assert_int_equal(g->n_waits, w->n_waits);
    for (uint32_t i = 0; i < w->n_waits; i++) {
        assert_string_equal(g->waits[i].name, w->waits[i].name);
        assert_int_equal(g->waits[i].cycles, w->waits[i].cycles);
    }
    assert_int_equal(g->n_wait_steps, w->n_wait_steps);
    for (uint32_t i = 0; i < w->n_wait_steps; i++)
        assert_string_equal(g->wait_steps[i].steps, w->wait_steps[i].steps);
}

/* But for the code, which is in the model. */
static void assert_schedule(const roof_prediction *got, const roof_prediction *want)
{
    assert_null(got->code);
    assert_int_equal(got->schedule.scheduled_cycles, want->schedule.scheduled_cycles);
    assert_near("scheduled_s", got->schedule.scheduled_s, want->schedule.scheduled_s);
    assert_near("alone_s", got->schedule.alone_s, want->schedule.alone_s);
    assert_int_equal(got->schedule.n_parts, want->schedule.n_parts);
    for (uint32_t i = 0; i < want->schedule.n_parts; i++) {
        const roof_schedule_part *g = &got->schedule.parts[i], *w = &want->schedule.parts[i];
        assert_string_equal(g->subgraph, w->subgraph);
        assert_int_equal(g->scheduled_cycles, w->scheduled_cycles);
        assert_int_equal(g->n_engines, w->n_engines);
        for (uint32_t e = 0; e < w->n_engines; e++)
            assert_engine(&g->engines[e], &w->engines[e]);
    }
    for (uint32_t i = 0; i < want->n_layers; i++) {
        const roof_layer_schedule *g = &got->layers[i].schedule, *w = &want->layers[i].schedule;
        assert_memory_equal(g, w, offsetof(roof_layer_schedule, expected_path_s));
        assert_near("expected_path_s", g->expected_path_s, w->expected_path_s);
    }
    assert_int_equal(got->schedule.n_what_ifs, want->schedule.n_what_ifs);
    for (uint32_t i = 0; i < want->schedule.n_what_ifs; i++) {
        assert_string_equal(got->schedule.what_ifs[i].label, want->schedule.what_ifs[i].label);
        assert_near("what if", got->schedule.what_ifs[i].best_s, want->schedule.what_ifs[i].best_s);
    }
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void assert_comes_back(const roof_graph *graph, const char *hw, const roof_predict_options *options)
{
    roof_prediction *want = fx_predict(graph, hw, options), *got = NULL;
    const char *path = in_folder("prediction.json");
    char *text = NULL;
    size_t length;
    roof_error err;
    assert_int_equal(roof_render_whole(want, &(roof_render_options){.format = "json"}, &text, &length, NULL),
                     ROOF_OK);
    write_file(path, text, length);
    if (roof_prediction_read(path, &got, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    check_prediction_comes_back(want, false);
    check_prediction_comes_back(got, false);
    assert_head(got, want);
    assert_limits(got, want);
    assert_words(got, want);
    assert_int_equal(got->n_layers, want->n_layers);
    for (uint32_t i = 0; i < want->n_layers; i++)
        assert_row(got, &got->layers[i], want, &want->layers[i]);
    if (options && options->names_operators)
        assert_int_equal(got->model.address, want->model.address);
    assert_total(got, want);
    assert_schedule(got, want);
    unlink(path);
    free(text);
    roof_prediction_free(got);
    roof_prediction_free(want);
}

static void what_was_written_comes_back(void **state)
{
    static const char *const examples[] = {
        "examples/models/mobilenetv1-b4096.xmodel",        "examples/models/mobilenetv2-b4096.xmodel",
        "examples/models/resnet50-b4096.xmodel",           "examples/kv260/mobilenetv1-b4096.xmodel",
        "examples/kv260/mobilenetv2-b4096.xmodel",         "examples/kv260/resnet50-b4096.xmodel",
        "examples/zcu104-resnet50/resnet50ds-b4096.xmodel"};
    static const struct {
        const char *hw;
        roof_predict_options options;
    } machines[] = {{"kv260", {.explores = ROOF_EXPLORE_ALL, .names_operators = true}},
                    {"b4096", {.batch = 3, .clock_hz = 2e8, .hash = true}},
                    {"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s", {.cores = 2}}};
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        char path[1024];
        roof_graph *graph = NULL;
        snprintf(path, sizeof path, "%s/%s", getenv("ROOFLINE_SOURCE_DIR"), examples[i]);
        assert_int_equal(roof_graph_read(path, &graph, NULL), ROOF_OK);
        for (size_t k = 0; k < COUNT(machines); k++)
            assert_comes_back(graph, machines[k].hw, &machines[k].options);
        roof_graph_free(graph);
    }
}

/* Layers with code of their own, others without any, the host's, and names that need escapes. */
static void odd_networks_come_back_too(void **state)
{
    static const char *const networks[] = {"tiny", "quantised", "chain"};
    const xn_config layer_code = {.layer_code = true, .n_layers = 4};
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++)
        for (int with_code = 0; with_code < 2; with_code++) {
            fx_net net =
                fx_open(xn_find_network(networks[i])->build(with_code ? &layer_code : NULL, NULL), NULL);
            assert_comes_back(net.graph, "b4096", NULL);
            fx_close(&net);
        }
}

static const char *caveat_of_clock(const roof_graph *graph, const char *hw, double clock_hz)
{
    roof_prediction *p = fx_predict(graph, hw, &(roof_predict_options){.clock_hz = clock_hz});
    const char *caveat = "no clock";
    for (uint32_t i = 0; i < p->hardware.n_constants; i++)
        if (strcmp(p->hardware.constants[i].key, "clock") == 0)
            caveat = p->hardware.constants[i].caveat ? "there" : NULL;
    roof_prediction_free(p);
    return caveat;
}

/* Not of a clock that was asked for in its place. */
static void a_caveat_comes_back_with_its_constant(void **state)
{
    static const char own[] = "{\"schema\":\"roofline.hardware/1\",\"id\":\"own\",\"extends\":\"b4096\","
                              "\"values\":{\"clock\":{\"value\":2e8,\"unit\":\"Hz\",\"kind\":\"measured\","
                              "\"source\":\"here\",\"caveat\":\"150 MHz there\"}}}";
    char path[128];
    fx_net net = fx_open(xn_find_network("tiny")->build(NULL, NULL), NULL);
    (void)state;
    snprintf(path, sizeof path, "%s", in_folder("own.json"));
    write_file(path, own, sizeof own - 1);
    assert_comes_back(net.graph, path, NULL);
    assert_string_equal(caveat_of_clock(net.graph, path, 0), "there");
    assert_null(caveat_of_clock(net.graph, path, 1e8));
    unlink(path);
    fx_close(&net);
}

/* ---- reports ---- */

static char *contents(const char *name)
{
    enum { MOST = 4 << 20 };
    FILE *file = fopen(in_folder(name), "rb");
    if (!file)
        fail_msg("no %s", name);
    char *bytes = calloc(1, MOST);
    assert_non_null(bytes);
    assert_true(fread(bytes, 1, MOST - 1, file) < MOST - 1);
    fclose(file);
    return bytes;
}

/* A page without what tells of which files and by which command it was made. */
static char *page_of(const char *name)
{
    char *page = contents(name), *made = strstr(page, "<p class=\"made\">"),
         *end = made ? strstr(made, "</p>") : NULL;
    if (end)
        memmove(made, end, strlen(end) + 1);
    char *from = strstr(page, "id=\"provenance\"");
    char *to = from ? strstr(from, "Models and device") : NULL;
    if (to)
        memmove(from, to, strlen(to) + 1);
    else
        fail_msg("%s does not say what it was made of", name);
    return page;
}

static void assert_same_files(const char *model)
{
    DIR *dir = opendir(in_folder("a"));
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char a[300], b[300];
        if (e->d_name[0] == '.')
            continue;
        snprintf(a, sizeof a, "a/%s", e->d_name);
        snprintf(b, sizeof b, "b/%s", e->d_name);
        bool is_page = strcmp(e->d_name, "index.html") == 0;
        char *of_model = is_page ? page_of(a) : contents(a), *of_saved = is_page ? page_of(b) : contents(b);
        if (strcmp(of_model, of_saved) != 0)
            fail_msg("%s: %s differs", model, e->d_name);
        free(of_model);
        free(of_saved);
        unlink(in_folder(a));
        unlink(in_folder(b));
    }
    closedir(dir);
    assert_int_equal(rmdir(in_folder("a")), 0);
    assert_int_equal(rmdir(in_folder("b")), 0);
}

static void a_report_of_a_saved_prediction_is_that_of_the_model(void **state)
{
    static const char *const models[] = {
        "models/resnet50-b4096.xmodel",   "kv260/mobilenetv1-b4096.xmodel --hw kv260",
        "stm32n6/network_c_info.json",    "stm32n6/network.csv --hw stm32n6",
        "stm32n6/network.c --hw stm32n6", "stm32n6/network_generate_report.txt"};
    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        char model[1024], command[1200];
        program p = {.folder = folder, .output = "p.json"};
        snprintf(model, sizeof model, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"), models[i]);
        /* --details: what would be faster is in reports as well; --operators: so is the graph of these */
        snprintf(command, sizeof command, "predict %s --details --operators --format json", model);
        program_run(&p, command);
        assert_int_equal(program_exit(&p), 0);
        p.output = NULL;
        snprintf(command, sizeof command, "report %s -o a", model);
        program_run(&p, command);
        assert_int_equal(program_exit(&p), 0);
        program_run(&p, "report p.json -o b");
        assert_int_equal(program_exit(&p), 0);
        assert_same_files(models[i]);
        unlink(in_folder("p.json"));
    }
}

/* ---- by hand ---- */

#define LAYERS(rows)     "{'schema':'roofline.prediction/1','layers':[" rows "]}"
#define HARDWARE(member) "{'schema':'roofline.prediction/1','layers':[],'hardware':{" member "}}"
#define LAYER(member)    LAYERS("{'name':'a'," member "}")

static roof_status read_text(const char *text, roof_prediction **out, roof_error *err)
{
    char *json = strdup(text);
    const char *path = in_folder("p.json");
    assert_non_null(json);
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    write_file(path, json, strlen(json));
    free(json);
    roof_status status = roof_prediction_read(path, out, err);
    unlink(path);
    return status;
}

static void what_is_left_out_is_unknown(void **state)
{
    roof_prediction *p = NULL;
    (void)state;
    assert_int_equal(read_text(LAYERS("{'name':'a'},{'index':9,'name':'(rest)','macs':null,'per_layer':null,"
                                      "'cycles':{'conv':null,'ideal':4,'load':3},'bound':'load'}"),
                               &p, NULL),
                     ROOF_OK);
    assert_int_equal(p->n_layers, 2);
    assert_true(p->layers[0].index == 1 && p->layers[1].index == 9);
    assert_true(!p->layers[0].is_remainder && p->layers[1].is_remainder && !p->layers[1].has_alone);
    assert_true(p->layers[1].macs == ROOF_UNKNOWN && isnan(p->layers[1].deployed.ideal_s));
    assert_int_equal(p->layers[0].deployed.bytes_basis, ROOF_BASIS_NONE);
    assert_int_equal(p->layers[0].deployed.cycles[0], ROOF_UNKNOWN);
    assert_int_equal(p->layers[1].deployed.ideal_cycles, 4);
    assert_string_equal(p->engines[p->layers[1].deployed.bound], "load");
    assert_true(isnan(p->hardware.clock_hz) && isnan(p->total.floor_s) && !p->total.has_alone);
    assert_string_equal(p->model.name, "");
    assert_null(p->model.graph_hash);
    roof_prediction_free(p);
}

/* An interval without what it rests on, a time of the schedule without its parts: other figures follow. */
static void what_is_there_without_its_reason_comes_back(void **state)
{
    static const char *const members[] = {"'total':{'predicted_s':0.002,'predicted_ci95_s':[0.001,0.003]}",
                                          "'schedule':{'scheduled_cycles':300000,'scheduled_s':0.001}",
                                          "'schedule':{'alone_s':0.004}"};
    (void)state;
    for (size_t i = 0; i < COUNT(members); i++) {
        char text[400];
        roof_prediction *p = NULL;
        snprintf(
            text, sizeof text,
            "{'schema':'roofline.prediction/1','hardware':{'clock_hz':300000000},%s,'layers':[{'name':'a'}]}",
            members[i]);
        assert_int_equal(read_text(text, &p, NULL), ROOF_OK);
        assert_true(!isnan(p->total.predicted_ci95_s[0]) || !isnan(p->schedule.scheduled_s) ||
                    !isnan(p->schedule.alone_s));
        const roof_render_options json = {.format = "json"};
        roof_prediction *again = NULL;
        char *written = NULL;
        size_t length = 0;
        assert_int_equal(roof_render_whole(p, &json, &written, &length, NULL), ROOF_OK);
        assert_int_equal(read_text(written, &again, NULL), ROOF_OK);
        const double pairs[][2] = {{p->total.predicted_ci95_s[0], again->total.predicted_ci95_s[0]},
                                   {p->schedule.scheduled_s, again->schedule.scheduled_s},
                                   {p->schedule.alone_s, again->schedule.alone_s}};
        for (size_t k = 0; k < COUNT(pairs); k++)
            assert_true(isnan(pairs[k][0]) ? isnan(pairs[k][1]) : fabs(pairs[k][0] - pairs[k][1]) < 1e-12);
        free(written);
        roof_prediction_free(again);
        roof_prediction_free(p);
    }
}

/* What no layer owns is told by what it lacks, not by its name alone. */
static void a_layer_in_parentheses_is_a_layer(void **state)
{
    roof_prediction *p = NULL;
    (void)state;
    assert_int_equal(read_text(LAYERS("{'name':'(a)','type':'conv'},{'name':'(b)','type':'-','ops':['x']},"
                                      "{'name':'(c)','shape':'1x1'},{'name':'(d)','type':'-','ops':[]},"
                                      "{'name':'e','type':'-'}"),
                               &p, NULL),
                     ROOF_OK);
    for (uint32_t i = 0; i < p->n_layers; i++)
        assert_int_equal(p->layers[i].is_remainder, strcmp(p->layers[i].name, "(d)") == 0);
    roof_prediction_free(p);
}

static void a_finding_of_a_later_version_keeps_its_text(void **state)
{
    roof_prediction *p = NULL;
    (void)state;
    assert_int_equal(
        read_text("{'schema':'roofline.prediction/1','layers':[],'findings':[{'kind':'of_tomorrow',"
                  "'layer':'a','text':'something new'}]}",
                  &p, NULL),
        ROOF_OK);
    assert_int_equal(p->n_findings, 1);
    assert_int_equal(p->findings[0].kind, ROOF_FINDING_FROM_NEWER);
    assert_string_equal(p->findings[0].text, "something new");
    assert_string_equal(p->findings[0].place, "a");
    roof_prediction_free(p);
}

static void wrong_documents_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "is empty, want a JSON document"},
        {"[]", "found an array, want an object (line 1)"},
        {"{}", "has no \"schema\", want \"roofline.prediction/1\" (line 1)"},
        {"{'schema':'roofline.prediction/1'}", "has no \"layers\" (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':null}", "has no \"layers\" (line 1)"},
        {"{'schema':'roofline.prediction/2','layers':[]}",
         "/schema: is \"roofline.prediction/2\", want \"roofline.prediction/1\"; another version of roofline "
         "wrote "
         "it (line 1)"},
        {"{'schema':7,'layers':[]}", "/schema: found a number, want \"roofline.prediction/1\" (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':{}}",
         "/layers: found an object, want an array (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':[],'layers':[]}", "/layers: is there twice (line 1)"},
        {LAYERS("1"), "/layers/0: found a number, want an object (line 1)"},
        {LAYERS("{}"), "/layers/0: has no name (line 1)"},
        {LAYERS("{'name':null}"), "/layers/0: has no name (line 1)"},
        {LAYER("'index':-1"), "/layers/0/index: found -1, want a whole number from 0 to 4294967294 (line 1)"},
        {LAYER("'macs':1.5"),
         "/layers/0/macs: found 1.5, want a whole number from 0 to 9007199254740992 (line 1)"},
        {LAYER("'ideal_s':-1"), "/layers/0/ideal_s: found -1 s, want 0 or more (line 1)"},
        {LAYER("'ideal_s':1e300"),
         "/layers/0/ideal_s: found 1.0000000000000001e+300 s, want at most 1e+12 (line 1)"},
        {LAYER("'bytes':[]"), "/layers/0/bytes: found an array, want an object (line 1)"},
        {LAYER("'bytes':{'weights':-1}"),
         "/layers/0/bytes/weights: found -1, want a whole number from 0 to 9007199254740992 (line 1)"},
        {LAYER("'bytes_source':'guess'"), "/layers/0/bytes_source: found the string \"guess\", want one of "
                                          "\"mc_code\", \"file\", \"tensors\" (line 1)"},
        {LAYER("'cycles':7"), "/layers/0/cycles: found a number, want an object (line 1)"},
        {LAYER("'cycles':{'conv':1.5}"), "/layers/0/cycles/conv: want a whole number of cycles (line 1)"},
        {LAYER("'cycles':{'conv':1e19}"), "/layers/0/cycles/conv: want a whole number of cycles (line 1)"},
        {LAYER("'operators':['a','b'],'nodes':[1]"),
         "/layers/0: has 2 names of operators, and 1 places of them in the file (line 1)"},
        {LAYER("'nodes':[1.5]"),
         "/layers/0/nodes/0: found 1.5, want a whole number from 0 to 4294967294 (line 1)"},
        {LAYER("'cycles':{'conv':1,'conv':2}"), "/layers/0/cycles/conv: is there twice (line 1)"},
        {LAYER("'cycles':{'ideal':1,'ideal':2}"), "/layers/0/cycles/ideal: is there twice (line 1)"},
        {LAYER("'cycles':{'':1}"), "/layers/0/cycles/: is no name of an engine (line 1)"},
        {LAYER("'cycles':{'a\\u0022b':1}"), "/layers/0/cycles/a\"b: is no name of an engine (line 1)"},
        {LAYER("'cycles':{'\\u001b[31m':1}"), "/layers/0/cycles/\\x1b[31m: is no name of an engine (line 1)"},
        {LAYER("'bound':7"), "/layers/0/bound: found a number, want an engine (line 1)"},
        {LAYER("'bound':'a\\\\b'"), "/layers/0/bound: is no name of an engine (line 1)"},
        {LAYER("'per_layer':{'cycles':{'conv':'x'}}"),
         "/layers/0/per_layer/cycles/conv: want a whole number of cycles (line 1)"},
        {LAYER("'skip_code_gen':0"), "/layers/0/skip_code_gen: found a number, want true or false (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':[],'total':{'floor_s':'x'}}",
         "/total/floor_s: found the string \"x\", want seconds (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':[],'hardware':{'cores':-1}}",
         "/hardware/cores: found -1, want a whole number from 0 to 4294967294 (line 1)"},
        {HARDWARE("'ceilings':[{'ops_per_s':1}]"), "/hardware/ceilings/0: has no engine (line 1)"},
        {HARDWARE("'ceilings':[{'engine':'','ops_per_s':1}]"),
         "/hardware/ceilings/0: is no name of an engine (line 1)"},
        {HARDWARE("'ceilings':[{'engine':'conv','ops_per_s':-1}]"),
         "/hardware/ceilings/0/ops_per_s: found -1, want 0 or more (line 1)"},
        {HARDWARE("'constants':[{'value':1}]"), "/hardware/constants/0: has no key (line 1)"},
        {HARDWARE("'constants':[{'key':'clock','kind':'guess'}]"),
         "/hardware/constants/0/kind: found the string \"guess\", want one of \"datasheet\", "
         "\"vendor_file\", "
         "\"measured\", \"derived\", \"assumed\" (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':[],'verdict':['a','b','c','d','e']}",
         "/verdict/4: is one too many, want at most 4 (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':[],'findings':[{'kind':7}]}",
         "/findings/0/kind: found a number, want a word (line 1)"},
        {"{'schema':'roofline.prediction/1','layers':[],'total':{'predicted_ci95_s':[1,2,3]}}",
         "/total/predicted_ci95_s/2: want two numbers of seconds (line 1)"},
        {LAYERS("") "{}", "more text follows the end of the document (line 1)"},
    };
    char prefix[200];
    (void)state;
    snprintf(prefix, sizeof prefix, "%s: ", in_folder("p.json"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_prediction *p = NULL;
        roof_error err = {0};
        roof_status want = strstr(rows[i].message, "one too many") ? ROOF_E_LIMIT : ROOF_E_DATA;
        assert_int_equal(read_text(rows[i].text, &p, &err), want);
        assert_null(p);
        const char *message = fx_message(&err);
        assert_memory_equal(message, prefix, strlen(prefix));
        assert_string_equal(message + strlen(prefix), rows[i].message);
        assert_int_equal(read_text(rows[i].text, &p, NULL), want);
    }
}

/* 24 of them have room in a cost. */
static void too_many_engines_are_refused(void **state)
{
    for (int n = ROOF_MAX_ENGINES; n <= ROOF_MAX_ENGINES + 1; n++) {
        char text[1000] = "{'schema':'roofline.prediction/1','layers':[{'name':'a','cycles':{'ideal':1";
        roof_prediction *p = NULL;
        for (int i = 0; i < n; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), ",'e%d':%d", i, i);
        strcat(text, "}}]}");
        assert_int_equal(read_text(text, &p, NULL), n > ROOF_MAX_ENGINES ? ROOF_E_DATA : ROOF_OK);
        roof_prediction_free(p);
    }
    (void)state;
}

static void a_document_that_ends_too_early_is_refused(void **state)
{
    static const char text[] =
        LAYERS("{'name':'a','cycles':{'conv':1,'ideal':1},'bytes':{'input':2},'ideal_s':0.5}");
    (void)state;
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char cut[sizeof text] = "";
        roof_prediction *p = NULL;
        memcpy(cut, text, n);
        assert_int_equal(read_text(cut, &p, NULL), ROOF_E_DATA);
        assert_null(p);
    }
}

static void what_stayed_on_the_host_comes_back(void **state)
{
    roof_graph *g = NULL;
    textbuf text;
    (void)state;
    text_init(&text, 1 << 20);
    epw_report(&epw_tiny, &text);
    assert_int_equal(
        graph_read_memory((const unsigned char *)text.bytes, text.length, "report.json", &g, NULL), ROOF_OK);
    assert_comes_back(g, "b4096", NULL);
    roof_graph_free(g);
    text_free(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stayed_on_the_host_comes_back),
        cmocka_unit_test(what_was_written_comes_back),
        cmocka_unit_test(odd_networks_come_back_too),
        cmocka_unit_test(a_caveat_comes_back_with_its_constant),
        cmocka_unit_test(what_is_left_out_is_unknown),
        cmocka_unit_test(a_report_of_a_saved_prediction_is_that_of_the_model),
        cmocka_unit_test(a_layer_in_parentheses_is_a_layer),
        cmocka_unit_test(what_is_there_without_its_reason_comes_back),
        cmocka_unit_test(a_finding_of_a_later_version_keeps_its_text),
        cmocka_unit_test(wrong_documents_are_refused_with_their_place),
        cmocka_unit_test(too_many_engines_are_refused),
        cmocka_unit_test(a_document_that_ends_too_early_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
