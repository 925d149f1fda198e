/* Real files against tables that an independent decoder made of them. Needs the optional folder that
 * ROOFLINE_SHARED names; without it the test is skipped. */
#include "model/code/dpu/dpu_stream.h"
#include "model/work/cost.h"
#include "model/work/traffic.h"
#include "roofline/fingerprint.h"
#include "tests/support/stream_sum.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

/* ---- tables: tab-separated, the first line names the columns ---- */

enum { MOST_COLUMNS = 16 };

typedef struct table {
    char *text;
    const char *columns[MOST_COLUMNS];
    const char *(*rows)[MOST_COLUMNS];
    size_t n_columns, n_rows;
} table;

static table manifest, layer_rows, op_rows, stream_rows;
static const char *shared;

static char *read_all(const char *path)
{
    size_t used = 0, room = 1 << 20;
    char *text = malloc(room);
    FILE *file = fopen(path, "rb");
    if (!file || !text)
        return free(text), NULL;
    for (size_t n; (n = fread(text + used, 1, room - used - 1, file)) > 0;) {
        used += n;
        if (used + 1 == room)
            text = realloc(text, room *= 2);
    }
    fclose(file);
    text[used] = '\0';
    return text;
}

static size_t split_line(char *line, const char *cells[MOST_COLUMNS])
{
    size_t n = 0;
    for (char *cell = line; cell && n < MOST_COLUMNS; n++) {
        char *tab = strchr(cell, '\t');
        cells[n] = cell;
        if (tab)
            *tab++ = '\0';
        cell = tab;
    }
    for (size_t i = n; i < MOST_COLUMNS; i++)
        cells[i] = "";
    return n;
}

static bool load_table(table *t, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/data/xmodel/%s", shared, name);
    t->text = read_all(path);
    if (!t->text)
        return false;
    size_t lines = 0;
    for (const char *p = t->text; *p; p++)
        lines += *p == '\n';
    t->rows = calloc(lines + 1, sizeof *t->rows);
    char *line = t->text;
    for (size_t i = 0; line && *line; i++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (i == 0)
            t->n_columns = split_line(line, t->columns);
        else
            split_line(line, t->rows[t->n_rows++]);
        line = next;
    }
    return t->rows != NULL;
}

static void free_table(table *t)
{
    free(t->text);
    free((void *)t->rows);
}

static const char *cell(const table *t, size_t row, const char *column)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (strcmp(t->columns[i], column) == 0)
            return t->rows[row][i];
    fail_msg("no column '%s'", column);
    return "";
}

/* ROOF_UNKNOWN for an empty cell. */
static uint64_t number(const table *t, size_t row, const char *column)
{
    const char *text = cell(t, row, column);
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    return end == text ? ROOF_UNKNOWN : value;
}

/* ---- every file in turn ---- */

static roof_status open_model(const char *stem, roof_graph **graph, roof_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/data/xmodel/%s.xmodel", shared, stem);
    return roof_graph_read(path, graph, err);
}

typedef struct counts {
    size_t files, refused, layers, weights, ops, workloads, subgraph_sums, streams, constants, stream_bytes,
        unattributed_bytes;
    size_t differences;
} counts;

static counts done;

#define DIFFER(...) (done.differences++, print_error("DIFFERS " __VA_ARGS__), print_error("\n"))

static uint64_t layer_macs(const roof_graph *g, const roof_layer *layer)
{
    const workload_convention none = {0};
    uint64_t macs = 0;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        op_work work;
        assert_int_equal(op_work_of(g, &g->ops[g->layer_ops[layer->first_op + i]], &none, &work, NULL),
                         ROOF_OK);
        macs += work.macs == ROOF_UNKNOWN ? 0 : work.macs;
    }
    return macs;
}

/* Rows of the table come in the order of execution. */
static void check_layers(const char *stem, const roof_graph *g)
{
    uint32_t at = 0;
    for (size_t r = 0; r < layer_rows.n_rows; r++) {
        if (strcmp(cell(&layer_rows, r, "file"), stem) != 0)
            continue;
        while (at < g->n_layers && g->subgraphs[g->layers[at].subgraph].device != ROOF_DEVICE_ACCELERATOR)
            at++;
        if (at == g->n_layers) {
            DIFFER("%s: the table has more layers", stem);
            return;
        }
        const roof_layer *l = &g->layers[at++];
        uint64_t macs = layer_macs(g, l), stored = number(&layer_rows, r, "stored_workload");
        if (strcmp(l->name, cell(&layer_rows, r, "layer")) != 0 || macs != number(&layer_rows, r, "macs") ||
            strcmp(g->subgraphs[l->subgraph].name, cell(&layer_rows, r, "subgraph")) != 0 ||
            l->stored_workload_ops != stored)
            DIFFER("%s: layer %s has %" PRIu64 " MACs, the table %s %s", stem, l->name, macs,
                   cell(&layer_rows, r, "layer"), cell(&layer_rows, r, "macs"));
        done.layers++;
        if (roof_xir_subgraph_of(g, &g->subgraphs[l->subgraph])->fingerprint >> 56 != 1)
            continue;
        if (traffic_of_weights(g, l) != number(&layer_rows, r, "weight_bytes"))
            DIFFER("%s: layer %s has %" PRIu64 " bytes of weights, the table %s", stem, l->name,
                   traffic_of_weights(g, l), cell(&layer_rows, r, "weight_bytes"));
        done.weights++;
    }
    for (; at < g->n_layers && layer_rows.n_rows && g->compiled; at++)
        if (g->subgraphs[g->layers[at].subgraph].device == ROOF_DEVICE_ACCELERATOR)
            DIFFER("%s: layer %s is not in the table", stem, g->layers[at].name);
}

static const roof_op *find_op(const roof_graph *g, const char *name)
{
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (strcmp(g->ops[i].name, name) == 0)
            return &g->ops[i];
    return NULL;
}

static void check_ops(const char *stem, const roof_graph *g)
{
    workload_convention c = workload_detect(g);
    for (size_t r = 0; r < op_rows.n_rows; r++) {
        op_work work;
        if (strcmp(cell(&op_rows, r, "file"), stem) != 0)
            continue;
        const roof_op *op = find_op(g, cell(&op_rows, r, "op"));
        if (!op) {
            DIFFER("%s: no op %s", stem, cell(&op_rows, r, "op"));
            continue;
        }
        uint64_t stored = number(&op_rows, r, "stored_workload"), macs = number(&op_rows, r, "macs");
        assert_int_equal(op_work_of(g, op, &c, &work, NULL), ROOF_OK);
        if (work.macs != (macs == ROOF_UNKNOWN ? 0 : macs) || op->stored_workload_ops != stored)
            DIFFER("%s: op %s (%s) has %" PRIu64 " MACs, the table %s", stem, op->name, op->type, work.macs,
                   cell(&op_rows, r, "macs"));
        done.ops++;
    }
}

/* The stored workload of every op and of every level of the tree is reproduced, whatever the compiler. */
static void check_workload(const char *stem, const roof_graph *g)
{
    workload_convention c = workload_detect(g);
    uint64_t *sums = calloc(g->n_subgraphs, sizeof *sums);
    for (uint32_t i = 0; i < g->n_ops; i++) {
        op_work work;
        assert_int_equal(op_work_of(g, &g->ops[i], &c, &work, NULL), ROOF_OK);
        if (g->ops[i].stored_workload_ops == ROOF_UNKNOWN)
            continue;
        if (work.workload_ops != g->ops[i].stored_workload_ops)
            DIFFER("%s: op %s stores %" PRIu64 ", recomputed %" PRIu64, stem, g->ops[i].name,
                   g->ops[i].stored_workload_ops, work.workload_ops);
        done.workloads++;
    }
    for (uint32_t i = g->n_subgraphs; sums && i-- > 0;) {
        const roof_subgraph *s = &g->subgraphs[i];
        for (uint32_t o = 0; o < s->n_ops; o++) {
            uint64_t stored = g->ops[g->subgraph_ops[s->first_op + o]].stored_workload_ops;
            sums[i] += stored == ROOF_UNKNOWN ? 0 : stored;
        }
        if (s->parent != ROOF_NONE)
            sums[s->parent] += sums[i];
        if (s->stored_workload_ops == ROOF_UNKNOWN)
            continue;
        if (s->stored_workload_ops != sums[i])
            DIFFER("%s: subgraph %s stores %" PRIu64 ", its ops %" PRIu64, stem, s->name,
                   s->stored_workload_ops, sums[i]);
        done.subgraph_sums++;
    }
    free(sums);
}

/* ---- streams ---- */

static void attribute(const char *stem, const roof_graph *g, uint32_t subgraph, stream_cost *total)
{
    const roof_subgraph *s = &g->subgraphs[subgraph];
    uint64_t fingerprint = roof_xir_subgraph_of(g, s)->fingerprint;
    const dpu_isa *isa = dpu_isa_of(fingerprint);
    roof_dpu_config c = {0};
    roof_error err = {0};
    stream_costs costs;
    roof_arena *arena = arena_new(0);
    assert_int_equal(roof_fingerprint_decode(fingerprint, &c, &err), ROOF_OK);
    bank_layout banks = {c.input_channel_parallel == ROOF_NONE ? 16 : c.input_channel_parallel,
                         c.output_channel_parallel == ROOF_NONE ? 0 : c.output_channel_parallel,
                         c.convw_bank_base, c.pool_pixel_parallel};
    if (dpu_attribute(g, subgraph, isa, &banks, arena, &costs, &err) != ROOF_OK)
        fail_msg("%s: %s", stem, fx_message(&err));
    const stream_cost *layers = costs.layers, remainder = costs.remainder;
    *total = remainder;
    for (uint32_t i = 0; i < s->n_layers; i++) {
        const roof_layer *l = &g->layers[s->first_layer + i];
        stream_cost_add(total, &layers[i]);
        if (fingerprint >> 56 != 1) /* other families pad their constants */
            continue;
        if (layers[i].traffic.weights_bytes != traffic_of_weights(g, l))
            DIFFER("%s: layer %s loads %" PRIu64 " bytes of weights, its constants are %" PRIu64, stem,
                   l->name, layers[i].traffic.weights_bytes, traffic_of_weights(g, l));
        done.constants++;
    }
    uint64_t lost = remainder.traffic.input_bytes + remainder.traffic.output_bytes +
                    remainder.traffic.weights_bytes + remainder.traffic.instruction_bytes;
    uint64_t all = total->traffic.input_bytes + total->traffic.output_bytes + total->traffic.weights_bytes +
                   total->traffic.instruction_bytes;
    done.stream_bytes += all;
    done.unattributed_bytes += lost;
    if (lost * 100 >= all)
        DIFFER("%s: %" PRIu64 " of %" PRIu64 " bytes belong to no layer", stem, lost, all);
    uint64_t lost_cycles = remainder.conv_cycles + remainder.alu_cycles + remainder.eltwise_cycles;
    if (lost_cycles * 100 > total->conv_cycles + total->alu_cycles + total->eltwise_cycles)
        DIFFER("%s: %" PRIu64 " cycles belong to no layer", stem, lost_cycles);
    arena_free(arena);
}

static void check_stream(const char *stem, size_t r, const roof_graph *g, uint32_t subgraph)
{
    const roof_subgraph *s = &g->subgraphs[subgraph];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
    const dpu_isa *isa = dpu_isa_of(own->fingerprint);
    stream_cost sum, total;
    roof_stream stream;
    roof_arena *arena = arena_new(0);
    roof_error err = {0};
    assert_non_null(isa);
    assert_string_equal(dpu_isa_name(isa), cell(&stream_rows, r, "isa"));
    if (dpu_total(own, isa, &own->code, arena, &total, &stream, &err) != ROOF_OK)
        fail_msg("%s: %s", stem, fx_message(&err));
    arena_free(arena);
    attribute(stem, g, subgraph, &sum);
    const struct {
        const char *column;
        uint64_t total, sum;
    } rows[] = {{"weight_load_bytes", total.traffic.weights_bytes, sum.traffic.weights_bytes},
                {"data_load_bytes", total.traffic.input_bytes, sum.traffic.input_bytes},
                {"save_bytes", total.traffic.output_bytes, sum.traffic.output_bytes},
                {"code_bytes", total.traffic.instruction_bytes, sum.traffic.instruction_bytes},
                {"conv_cycles", total.conv_cycles, sum.conv_cycles},
                {"alu_cycles", total.alu_cycles, sum.alu_cycles},
                {"eltwise_cycles", total.eltwise_cycles, sum.eltwise_cycles},
                {"layers", s->n_layers, s->n_layers}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t want = number(&stream_rows, r, rows[i].column);
        /* cycles of sets whose fields are not public; those of ISA0 are in the table of schedules */
        if (want == ROOF_UNKNOWN)
            want = strcmp(dpu_isa_name(isa), "dpuczdx8g_isa0") == 0 ? rows[i].sum : 0;
        if (rows[i].total != want || rows[i].sum != want)
            DIFFER("%s: %s %" PRIu64 " and as a sum over layers %" PRIu64 ", the table has %" PRIu64, stem,
                   rows[i].column, rows[i].total, rows[i].sum, want);
    }
    done.streams++;
}

static void check_streams(const char *stem, const roof_graph *g)
{
    uint32_t s = g->subgraphs[0].first_child;
    for (size_t r = 0; r < stream_rows.n_rows; r++) {
        if (strcmp(cell(&stream_rows, r, "file"), stem) != 0)
            continue;
        while (s != ROOF_NONE && (g->subgraphs[s].device != ROOF_DEVICE_ACCELERATOR ||
                                  strcmp(g->subgraphs[s].name, cell(&stream_rows, r, "subgraph")) != 0))
            s = g->subgraphs[s].next_sibling;
        if (s == ROOF_NONE) {
            DIFFER("%s: no subgraph %s", stem, cell(&stream_rows, r, "subgraph"));
            return;
        }
        check_stream(stem, r, g, s);
        s = g->subgraphs[s].next_sibling;
    }
}

static bool stem_of(size_t row, char stem[512])
{
    const char *file = cell(&manifest, row, "file"), *dot = strrchr(file, '.');
    if (!dot)
        return false;
    snprintf(stem, 512, "%.*s", (int)(dot - file), file);
    return true;
}

static void every_file_agrees_with_the_tables(void **state)
{
    (void)state;
    for (size_t r = 0; r < manifest.n_rows; r++) {
        char stem[512];
        roof_graph *g = NULL;
        roof_error err = {0};
        if (!stem_of(r, stem))
            continue;
        done.files++;
        roof_status status = open_model(stem, &g, &err);
        if (strncmp(cell(&manifest, r, "dpu_name"), "RNN", 3) == 0) {
            assert_int_equal(status, ROOF_E_UNSUPPORTED);
            done.refused++;
            continue;
        }
        if (status != ROOF_OK) {
            DIFFER("%s", fx_message(&err));
            continue;
        }
        check_layers(stem, g);
        check_ops(stem, g);
        check_workload(stem, g);
        check_streams(stem, g);
        roof_graph_free(g);
    }
    print_message("%zu files (%zu refused): %zu layers, %zu weights of layers, %zu ops, %zu stored workloads "
                  "of ops and %zu of "
                  "subgraphs, %zu streams, constants of %zu layers loaded exactly; %zu of %zu bytes belong "
                  "to no layer\n",
                  done.files, done.refused, done.layers, done.weights, done.ops, done.workloads,
                  done.subgraph_sums, done.streams, done.constants, done.unattributed_bytes,
                  done.stream_bytes);
    assert_int_equal(done.differences, 0);
    assert_true(done.files >= 51 && done.layers > 1000 && done.workloads > 1000 && done.streams > 30);
}

/* ---- totals of whole networks ---- */

static uint64_t table_macs(const char *stem)
{
    uint64_t macs = 0;
    for (size_t r = 0; r < op_rows.n_rows; r++)
        if (strcmp(cell(&op_rows, r, "file"), stem) == 0 && number(&op_rows, r, "macs") != ROOF_UNKNOWN)
            macs += number(&op_rows, r, "macs");
    return macs;
}

/* Every row on the accelerator that multiplies has a roof: no file's counts contradict the peaks. */
static void check_roofs(const char *stem, const roof_prediction *p)
{
    fx_assert_below_roofs(stem, p);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        if (l->array_macs && strcmp(l->device, "DPU") == 0 && l->roof == ROOF_NONE)
            fail_msg("%s: '%s' multiplies, but has no roof", stem, l->name);
    }
}

static void totals_of_every_network_are_those_of_the_tables(void **state)
{
    size_t n_checked = 0, wrong = 0;
    roof_hw *hw = fx_hw("b4096");
    (void)state;
    for (size_t r = 0; r < manifest.n_rows; r++) {
        char stem[512];
        roof_graph *g = NULL;
        roof_prediction *p = NULL;
        roof_error err = {0};
        if (!stem_of(r, stem) || open_model(stem, &g, &err) != ROOF_OK)
            continue;
        if (roof_predict(g, hw, NULL, &p, &err) != ROOF_OK)
            fail_msg("%s: %s", stem, fx_message(&err));
        uint64_t want = table_macs(stem);
        if (p->total.macs != want) {
            print_error("%s: %" PRIu64 " MACs, the table has %" PRIu64 "\n", stem, p->total.macs, want);
            wrong++;
        }
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_WORKLOAD_MISMATCH), 0);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_WEIGHT_BYTES), 0);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_UNKNOWN_OP), 0);
        assert_true(p->total.floor_cycles <= p->total.deployed.ideal_cycles);
        check_roofs(stem, p);
        assert_true(isfinite(p->total.deployed.ideal_s));
        n_checked++;
        roof_prediction_free(p);
        roof_graph_free(g);
    }
    roof_hw_free(hw);
    print_message("%zu networks, %zu with other MACs\n", n_checked, wrong);
    assert_int_equal(wrong, 0);
    assert_true(n_checked >= 50);
}

/* The engines of the real MobileNetV2 for B4096, as the issue tracker of the project states them. */
static void the_real_mobilenetv2_has_its_known_cycles(void **state)
{
    roof_graph *g = NULL;
    roof_error err = {0};
    (void)state;
    if (open_model("Vitis-AI-Reference-Tutorials__MobileNetV2", &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_prediction *p = fx_predict(g, "b4096", NULL);
    assert_int_equal(p->total.deployed.cycles[0], 161806);
    assert_int_equal(p->total.deployed.cycles[1], 342356);
    assert_int_equal(p->total.deployed.cycles[2], 3976);
    assert_string_equal(p->engines[p->total.deployed.bound], "alu");
    roof_prediction_free(p);
    roof_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_agrees_with_the_tables),
        cmocka_unit_test(totals_of_every_network_are_those_of_the_tables),
        cmocka_unit_test(the_real_mobilenetv2_has_its_known_cycles),
    };
    shared = shared_folder();
    if (!load_table(&manifest, "manifest.tsv") || !load_table(&layer_rows, "oracle_layers.tsv") ||
        !load_table(&op_rows, "oracle_ops.tsv") || !load_table(&stream_rows, "oracle_streams.tsv"))
        skip_without("the tables of ../shared");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free_table(&manifest);
    free_table(&layer_rows);
    free_table(&op_rows);
    free_table(&stream_rows);
    return failed;
}
