/* The whole chain on untrusted files: read, predict on a DPU and on a described machine, render in every
 * format. Rows must add up to totals, cycles must order as their definitions say, and every output must be
 * well-formed. */
#include "core/error.h"
#include "core/json/jsontree.h"
#include "model/graph/format.h"
#include "roofline/render.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/prediction_check.h"
#include "tests/support/trace_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t threads[] = {1, 4, 64};
static const roof_load load = {threads, sizeof threads / sizeof *threads, "classify"};

static const struct machine {
    const char *hw;
    roof_predict_options options;
    roof_render_options render;
} machines[] = {
    {"b4096", {.names_operators = true, .load = &load}, {.width = 120}},
    {"mac=2048/cycle,clock=300MHz,ddr=19.2GB/s",
     {.batch = 3,
      .clock_hz = 2e8,
      .bandwidth_bytes_per_s = 1e9,
      .cores = 2,
      .hash = true,
      .names_operators = true},
     {.width = 40, .details = true, .all_findings = true}},
};
enum { N_MACHINES = sizeof machines / sizeof *machines };

static const roof_hw *hardware(int i)
{
    static roof_hw *hw[N_MACHINES];
    if (!hw[i])
        CHECK(roof_hw_load(machines[i].hw, &hw[i], NULL) == ROOF_OK);
    return hw[i];
}

/* ---- the numbers ---- */

/* What is not known adds nothing. */
static void add(uint64_t *total, uint64_t term)
{
    if (term != ROOF_UNKNOWN)
        CHECK(!__builtin_add_overflow(*total, term, total));
}

/* A cost with room for its cycles, to add up in. */
typedef struct sum {
    roof_traffic traffic;
    uint64_t cycles[ROOF_MAX_ENGINES], ideal_cycles;
} sum;

static void add_cost(sum *s, const roof_cost *cost, uint32_t n_engines)
{
    if (cost->bytes_basis == ROOF_BASIS_NONE && cost->cycles_basis == ROOF_BASIS_NONE)
        return;
    add(&s->traffic.weights_bytes, cost->traffic.weights_bytes);
    add(&s->traffic.input_bytes, cost->traffic.input_bytes);
    add(&s->traffic.output_bytes, cost->traffic.output_bytes);
    add(&s->traffic.instruction_bytes, cost->traffic.instruction_bytes);
    add(&s->ideal_cycles, cost->ideal_cycles);
    for (uint32_t e = 0; cost->cycles && e < n_engines; e++)
        add(&s->cycles[e], cost->cycles[e]);
}

static uint64_t largest(const roof_cost *cost, uint32_t n_engines)
{
    uint64_t most = 0;
    for (uint32_t e = 0; cost->cycles && e < n_engines; e++)
        if (cost->cycles[e] != ROOF_UNKNOWN && cost->cycles[e] > most)
            most = cost->cycles[e];
    return most;
}

/* Either nothing is known, or ideal is the largest of the engines and bound is the engine that has it. */
static void check_cost(const roof_cost *cost, uint32_t n_engines)
{
    if (cost->ideal_cycles == ROOF_UNKNOWN) {
        CHECK(cost->bound == ROOF_NONE && isnan(cost->ideal_s));
        return;
    }
    CHECK(cost->ideal_cycles == largest(cost, n_engines));
    CHECK(cost->ideal_cycles ? cost->bound < n_engines && cost->cycles[cost->bound] == cost->ideal_cycles
                             : cost->bound == ROOF_NONE);
    CHECK(isfinite(cost->ideal_s) && cost->ideal_s >= 0);
}

static void check_row(const roof_layer_prediction *row, uint32_t n_engines)
{
    CHECK(row->name && row->subgraph && row->type && row->device && row->shape);
    for (uint32_t i = 0; i < row->n_ops; i++)
        CHECK(row->ops[i]);
    check_cost(&row->deployed, n_engines);
    if (row->has_alone)
        check_cost(&row->alone, n_engines);
    const double ratios[] = {row->intensity_ops_per_byte, row->attainable_ops_per_s, row->utilisation_ratio};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        CHECK(isnan(ratios[i]) || (isfinite(ratios[i]) && ratios[i] >= 0));
    CHECK(!(row->utilisation_ratio > 1 + 1e-9));
    CHECK(row->roof == ROOF_NONE ? row->roof_ops_count == ROOF_UNKNOWN
                                 : row->roof < n_engines && row->roof_ops_count != ROOF_UNKNOWN);
}

/* Each is an operator of the file, by its name there or by none, and in two rows at most. */
static void check_operators(const roof_prediction *p, const roof_graph *g)
{
    uint32_t n_nodes = 0;
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (g->ops[i].node != ROOF_NONE && g->ops[i].node >= n_nodes)
            n_nodes = g->ops[i].node + 1;
    uint32_t *op_at = calloc(n_nodes + 1, sizeof *op_at), *rows_of = calloc(n_nodes + 1, sizeof *rows_of);
    CHECK(op_at && rows_of);
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (g->ops[i].node != ROOF_NONE)
            op_at[g->ops[i].node] = i;
    for (uint32_t r = 0; r < p->n_layers; r++) {
        const roof_layer_prediction *row = &p->layers[r];
        CHECK(row->n_operators == row->n_nodes);
        for (uint32_t i = 0; i < row->n_nodes; i++) {
            CHECK(row->nodes[i] < n_nodes && ++rows_of[row->nodes[i]] <= 2);
            const roof_op *op = &g->ops[op_at[row->nodes[i]]];
            CHECK(!*row->operators[i] || strcmp(row->operators[i], op->name) == 0);
            CHECK(op->rule != ROOF_RULE_CONSTANT);
        }
    }
    free(op_at);
    free(rows_of);
}

/* A sum of no row of which it is known is not known, where this one is 0. */
static bool is_sum(uint64_t added, uint64_t total, bool is_any_known)
{
    return is_any_known ? added == total : total == ROOF_UNKNOWN && added == 0;
}

static void check_same(const sum *s, const roof_cost *total, uint32_t n_engines)
{
    const uint64_t counts[][2] = {{s->traffic.weights_bytes, total->traffic.weights_bytes},
                                  {s->traffic.input_bytes, total->traffic.input_bytes},
                                  {s->traffic.output_bytes, total->traffic.output_bytes},
                                  {s->traffic.instruction_bytes, total->traffic.instruction_bytes}};
    const bool is_moved = s->traffic.output_bytes != 0 || total->traffic.output_bytes != ROOF_UNKNOWN;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        CHECK(is_sum(counts[i][0], counts[i][1], is_moved));
    CHECK(s->traffic.unsplit_bytes == total->traffic.unsplit_bytes);
    for (uint32_t e = 0; total->cycles && e < n_engines; e++)
        CHECK(total->cycles[e] == s->cycles[e] || (total->cycles[e] == ROOF_UNKNOWN && s->cycles[e] == 0));
    CHECK(is_sum(s->ideal_cycles, total->ideal_cycles, total->ideal_cycles != ROOF_UNKNOWN));
}

static void check_prediction(const roof_prediction *p)
{
    sum deployed = {0}, alone = {0};
    uint64_t macs = 0, ops = 0;
    bool has_macs = !p->n_layers, has_ops = has_macs, lacks_macs = false;
    CHECK(p->n_engines > 0 && p->n_engines <= ROOF_MAX_ENGINES);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *row = &p->layers[i];
        CHECK(row->index == i + 1);
        check_row(row, p->n_engines);
        add(&macs, row->macs);
        add(&ops, row->ops_count);
        has_macs = has_macs || row->macs != ROOF_UNKNOWN;
        lacks_macs = lacks_macs || row->macs == ROOF_UNKNOWN;
        has_ops = has_ops || row->ops_count != ROOF_UNKNOWN;
        add_cost(&deployed, &row->deployed, p->n_engines);
        if (row->has_alone)
            add_cost(&alone, &row->alone, p->n_engines);
    }
    for (uint32_t i = 0; i < p->n_findings; i++)
        if (p->findings[i].kind == ROOF_FINDING_MISFIT) { /* then no sum is whole */
            CHECK(p->total.macs == ROOF_UNKNOWN && p->total.ops_count == ROOF_UNKNOWN);
            CHECK(p->total.deployed.ideal_cycles == ROOF_UNKNOWN && isnan(p->total.floor_s));
            return;
        }
    /* 0 beside rows of which it is not known says nothing */
    CHECK(is_sum(macs, p->total.macs, has_macs && (macs || !lacks_macs)) &&
          is_sum(ops, p->total.ops_count, has_ops));
    CHECK(p->total.layers <= p->n_layers);
    check_same(&deployed, &p->total.deployed, p->n_engines);
    if (p->total.has_alone)
        check_same(&alone, &p->total.alone, p->n_engines);
    CHECK(is_sum(largest(&p->total.deployed, p->n_engines), p->total.floor_cycles,
                 p->total.deployed.ideal_cycles != ROOF_UNKNOWN));
    CHECK(p->total.floor_cycles <= p->total.deployed.ideal_cycles);
    CHECK(p->total.unattributed_bytes_ratio >= 0 && p->total.unattributed_bytes_ratio <= 1);
    CHECK(p->total.unattributed_cycles_ratio >= 0 && p->total.unattributed_cycles_ratio <= 1);
    char text[ROOF_SENTENCE_SIZE];
    for (uint32_t i = 0; i < p->n_findings; i++)
        CHECK(roof_finding_sentence(&p->findings[i], text)[0] && roof_finding_advice(p->findings[i].kind)[0]);
    CHECK(roof_prediction_sentence(p, 0, text)[0] && roof_prediction_sentence(p, 1, text)[0]);
}

/* ---- the documents ---- */

/* Lines of UTF-8 without control characters, the last one ended. */
static void check_lines(const char *text, size_t length)
{
    CHECK(length > 0 && text[length - 1] == '\n' && strlen(text) == length);
    for (size_t at = 0; at < length;) {
        size_t line = strcspn(text + at, "\n");
        CHECK(utf8_first_bad(text + at, line) == line);
        at += line + 1;
    }
}

/* Nested as deep as our own documents are. */
static void check_json_numbers(const cJSON *node)
{
    if (cJSON_IsNumber(node))
        CHECK(cJSON_GetNumberValue(node) >= 0 && isfinite(cJSON_GetNumberValue(node)));
    for (const cJSON *child = node->child; child; child = child->next)
        check_json_numbers(child);
}

static void check_json(const char *text, size_t length, size_t rows)
{
    cJSON *root = NULL;
    CHECK(jsontree_parse(text, length, NULL, &root, NULL) == ROOF_OK);
    check_json_numbers(root);
    const cJSON *layers = jsontree_get(root, "layers");
    CHECK(!rows || (size_t)cJSON_GetArraySize(layers) == rows);
    cJSON_Delete(root);
}

static void check_trace(const char *text, size_t length)
{
    cJSON *root = NULL;
    CHECK(jsontree_parse(text, length, NULL, &root, NULL) == ROOF_OK);
    CHECK(!trace_check(root));
    cJSON_Delete(root);
}

/* RFC 4180: every record has as many fields as the first one. Returns the number of records. */
static size_t check_csv(const char *text)
{
    size_t records = 0, fields = 1, want = 0;
    bool quoted = false;
    for (const char *p = text; *p; p++) {
        quoted ^= *p == '"';
        if (quoted)
            continue;
        fields += *p == ',';
        if (*p != '\n')
            continue;
        CHECK(!want || fields == want);
        want = fields;
        fields = 1;
        records++;
    }
    CHECK(!quoted);
    return records;
}

/* rows is 0 for an inspection, which has no fixed number of them. */
static void check_document(const char *format, const char *text, size_t length, size_t rows)
{
    check_lines(text, length);
    if (strcmp(format, "json") == 0)
        check_json(text, length, rows);
    if (strcmp(format, "csv") == 0)
        CHECK(check_csv(text) == rows + 1 || !rows);
    if (strcmp(format, "trace") == 0)
        check_trace(text, length);
}

/* Numbers on the graph, where programs show such a file. */
static void render_operators(const roof_graph *graph, const roof_prediction *p)
{
    static const char *const formats[] = {"netron", "model-explorer", "model-explorer-graph"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const roof_render_options options = {.format = formats[i], .graph = graph};
        char *text = NULL;
        size_t length = 0;
        cJSON *root = NULL;
        const bool is_shown = p->model.address != ROOF_ADDRESS_NONE;
        CHECK(roof_render_whole(p, &options, &text, &length, NULL) == (is_shown ? ROOF_OK : ROOF_E_USAGE));
        if (is_shown) {
            check_lines(text, length);
            CHECK(jsontree_parse(text, length, NULL, &root, NULL) == ROOF_OK);
        }
        cJSON_Delete(root);
        free(text);
    }
}

static void render(const roof_graph *graph, const roof_prediction *p, const roof_render_options *options)
{
    static const char *const formats[] = {"text", "json", "csv", "markdown", "trace"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        roof_render_options o = *options;
        char *text = NULL;
        size_t length = 0;
        o.format = formats[i];
        CHECK(roof_render_whole(p, &o, &text, &length, NULL) == ROOF_OK);
        check_document(formats[i], text, length, p->n_layers);
        free(text);
        text = NULL;
        roof_status status = roof_render_whole(graph, &o, &text, &length, NULL);
        CHECK(status == (strcmp(formats[i], "trace") == 0 ? ROOF_E_USAGE : ROOF_OK));
        if (status == ROOF_OK)
            check_document(formats[i], text, length, 0);
        free(text);
    }
}

/* Points, or why there are none; no core does more than its inferences one after the other. */
static void check_load(const roof_prediction *p)
{
    const roof_throughput *t = &p->throughput;
    CHECK(!p->options.load && (!t->not_known || !t->n_points));
    for (uint32_t i = 0; i < t->n_points; i++) {
        const roof_load_point *x = &t->points[i];
        const double most = t->cores / t->service[0].seconds;
        CHECK(x->fps > 0 && x->fps <= most * (1 + 1e-9) && x->busy_cores >= 1 && x->busy_cores <= t->cores);
        CHECK(fabs(x->fps * x->latency_s / x->threads - 1) < 1e-9);
    }
}

static void predict(const roof_graph *graph, int machine)
{
    roof_prediction *p = NULL;
    roof_error err = {0};
    roof_status status = roof_predict(graph, hardware(machine), &machines[machine].options, &p, &err);
    if (status == ROOF_OK) {
        check_prediction(p);
        check_load(p);
        check_prediction_comes_back(p, true);
        render(graph, p, &machines[machine].render);
        render_operators(graph, p);
        check_operators(p, graph);
    } else {
        CHECK(err.status == status && roof_status_exit_code(status) == 65 && err.what[0]);
    }
    roof_prediction_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_graph *graph = NULL;
    uint8_t *file = malloc(size);
    if (!size || !file) {
        free(file);
        return 0;
    }
    memcpy(file, data, size);
    if (graph_read_memory(file, size, "fuzz.xmodel", &graph, NULL) == ROOF_OK)
        for (int i = 0; i < N_MACHINES; i++)
            predict(graph, i);
    roof_graph_free(graph);
    free(file);
    return 0;
}
