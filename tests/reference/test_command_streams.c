/* Real files that Vela compiled, where ../shared has them: what an independent decoder counted in each
 * (oracle_ethosu.tsv), Vela's own sums (oracle_vela_totals.tsv), and Vela's own layers, row by row
 * (NAME_per-layer.csv): their MACs, and the bytes that are alive. */
#include "roofline/command_stream.h"
#include "roofline/memory.h"
#include "roofline/work.h"
#include "tests/support/document_rows.h"
#include "tests/support/vela_tables.h"

/* ---- the independent decoder ---- */

/* Counts of a file: the sums over its streams. */
static uint64_t sum(const roof_graph *g, size_t offset)
{
    uint32_t n;
    uint64_t all = 0;
    const roof_command_stream *s = roof_command_streams_of(g, &n);
    for (uint32_t i = 0; i < n; i++)
        all += *(const uint64_t *)((const char *)&s[i] + offset);
    return all;
}
#define SUM(g, member) sum((g), offsetof(roof_command_stream, member))

/* "126:2;39:8": numbers of TFLite's operators, and how many of each. */
static void check_host(const roof_graph *g, const char *want)
{
    static const struct {
        int number;
        const char *type;
    } types[] = {{34, "PAD"}, {39, "TRANSPOSE"}, {126, "BATCH_MATMUL"}};
    uint32_t left = 0;
    for (uint32_t i = 0; i < g->n_layers; i++)
        left += g->subgraphs[g->layers[i].subgraph].device == ROOF_DEVICE_CPU;
    for (const char *at = want; *at; at = at[strcspn(at, ";")] ? strchr(at, ';') + 1 : "") {
        int number;
        uint32_t count, found = 0;
        size_t k = 0;
        assert_int_equal(sscanf(at, "%d:%u", &number, &count), 2);
        while (k < COUNT(types) && types[k].number != number)
            k++;
        if (k == COUNT(types))
            fail_msg("operator %d has no name here", number);
        for (uint32_t i = 0; i < g->n_layers; i++)
            found += strcmp(g->ops[g->layer_ops[g->layers[i].first_op]].type, types[k].type) == 0;
        assert_int_equal(found, count);
        left -= count;
    }
    assert_int_equal(left, 0);
}

static void check_names(const roof_graph *g, const vela_table *t)
{
    char text[256];
    uint32_t n;
    const roof_command_stream *s = roof_command_streams_of(g, &n);
    const bool has_shram = s->shram_bytes != ROOF_UNKNOWN;
    assert_int_equal(n, strtoull(vela_cell(t, "payloads"), NULL, 10));
    assert_int_equal(g->file_bytes, strtoull(vela_cell(t, "bytes"), NULL, 10));
    /* "U55-256/shram48/arch1.0.6"; of a U85 these bits are something else */
    if (has_shram)
        snprintf(text, sizeof text, "%s/shram%" PRIu64 "/arch%s", s->target + strlen("Ethos-"),
                 s->shram_bytes / 1024, s->arch);
    else
        snprintf(text, sizeof text, "%s/%s/arch%s", s->target + strlen("Ethos-"),
                 strchr(vela_cell(t, "hw"), '/') + 1, s->arch);
    if (!has_shram)
        *strrchr(text, '/') = '\0';
    assert_memory_equal(text, vela_cell(t, "hw"), strlen(text));
    assert_string_equal(s->core ? s->core : "?", vela_cell(t, "core"));
    snprintf(text, sizeof text, "%s%s%s", g->compiler, s->vela_version ? "|" : "",
             s->vela_version ? s->vela_version : "");
    assert_string_equal(text, vela_cell(t, "vela"));
    check_host(g, vela_cell(t, "host_ops"));
    if (s->read_only_bytes != ROOF_UNKNOWN)
        assert_int_equal(s->read_only_bytes, strtoull(vela_cell(t, "readonly_bytes"), NULL, 10));
}

static void streams_hold_what_another_decoder_counted(void **state)
{
    (void)state;
    vela_table t;
    uint32_t n = 0;
    vela_need(&t, "ethosu/oracle_ethosu.tsv");
    while (vela_next(&t)) {
        roof_graph *g = vela_read(vela_cell(&t, "file"));
        if (!g)
            continue;
        /* macs_total leaves out that 2:4 sparse weights save half */
        const uint64_t skipped = SUM(g, skipped_macs);
        const struct {
            const char *column;
            uint64_t got;
        } counts[] = {{"words", SUM(g, words)},
                      {"cmds", SUM(g, commands)},
                      {"conv", SUM(g, convolutions)},
                      {"dw", SUM(g, depthwise)},
                      {"pool", SUM(g, poolings)},
                      {"elt", SUM(g, elementwise)},
                      {"resize", SUM(g, resizes)},
                      {"dma", SUM(g, dmas)},
                      {"kernel_wait", SUM(g, kernel_waits)},
                      {"dma_wait", SUM(g, dma_waits)},
                      {"macs_conv", SUM(g, convolution_macs) + skipped},
                      {"macs_dw", SUM(g, depthwise_macs)},
                      {"macs_pool", SUM(g, pooling_macs)},
                      {"macs_total", SUM(g, macs) + skipped},
                      {"dma_bytes", SUM(g, dma_bytes)},
                      {"dma_bytes_to_lut", SUM(g, lut_bytes)},
                      {"weight_bytes", SUM(g, weight_bytes)},
                      {"scale_bytes", SUM(g, scale_bytes)}};
        for (size_t i = 0; i < COUNT(counts); i++)
            if (counts[i].got != strtoull(vela_cell(&t, counts[i].column), NULL, 10))
                fail_msg("%s: %s is %" PRIu64 ", want %s", vela_cell(&t, "file"), counts[i].column,
                         counts[i].got, vela_cell(&t, counts[i].column));
        check_names(g, &t);
        roof_graph_free(g);
        n++;
    }
    print_message("%u files hold what another decoder counted\n", n);
    assert_true(n >= 60);
}

/* ---- Vela's own figures ---- */

/* Five networks of U85 have transposed convolutions, of which Vela counts the zeros that it inserts. */
static void macs_are_those_of_vela(void **state)
{
    (void)state;
    vela_table t;
    uint32_t n = 0;
    vela_need(&t, "ethosu/oracle_vela_totals.tsv");
    while (vela_next(&t)) {
        roof_graph *g = vela_read(vela_cell(&t, "sample"));
        if (!g)
            continue;
        if (SUM(g, macs) != strtoull(vela_cell(&t, "nn_macs"), NULL, 10))
            fail_msg("%s: %" PRIu64 " MACs, want %s", vela_cell(&t, "sample"), SUM(g, macs),
                     vela_cell(&t, "nn_macs"));
        roof_graph_free(g);
        n++;
    }
    print_message("%u networks have the MACs that Vela states\n", n);
    assert_true(n >= 40);
}

/* A column of Vela's layers; other: its name in the tables of the other core. */
static uint32_t read_layers(const char *sample, const char *column, const char *other, uint64_t values[],
                            uint32_t most)
{
    vela_table t;
    uint32_t n = 0;
    if (!vela_open_layers(&t, sample))
        return 0;
    while (vela_next_layer(&t)) {
        assert_true(n < most);
        values[n++] = strtoull(vela_cell(&t, vela_find(&t, column) ? column : other), NULL, 10);
    }
    return n;
}

enum { MOST_LAYERS = 1024 };

/* What agrees, of one core of Vela, target and memory mode. */
typedef struct agreement {
    char of[80], pool[16];
    uint32_t networks, rows, macs, alive, reserved;
} agreement;

/* Of its row in oracle_vela_totals.tsv: "Dedicated_Sram_384KB" is Dedicated_Sram. */
static agreement *agreement_of(agreement all[], size_t n, const roof_graph *g, const char *mode)
{
    char of[80];
    uint32_t n_streams;
    const roof_command_stream *s = roof_command_streams_of(g, &n_streams);
    snprintf(of, sizeof of, "%s %s %.*s", strcmp(s->core, "regor") == 0 ? "Regor" : "Python",
             s->target + strlen("Ethos-"), (int)strcspn(mode, "0123456789"), mode);
    if (of[strlen(of) - 1] == '_')
        of[strlen(of) - 1] = '\0';
    for (size_t i = 0; i < n; i++)
        if (!all[i].of[0] || strcmp(all[i].of, of) == 0) {
            memcpy(all[i].of, of, sizeof of);
            return &all[i];
        }
    fail_msg("%s: no room to count it", of);
    return NULL;
}

static void compare_macs(const char *sample, const roof_graph *g, agreement *a)
{
    static uint64_t macs[MOST_LAYERS];
    const uint32_t n_layers = read_layers(sample, "MAC Count", NULL, macs, MOST_LAYERS);
    roof_program *p = NULL;
    roof_error err = {0};
    if (roof_program_of(g, &p, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    if (p->n_rows != n_layers)
        fail_msg("%s: %u rows, want %u", sample, p->n_rows, n_layers);
    for (uint32_t i = 0; i < n_layers; i++, a->macs++)
        if (p->rows[i].macs != macs[i])
            fail_msg("%s: row %u, %s %s, has %" PRIu64 " MACs, want %" PRIu64, sample, i, p->rows[i].name,
                     p->rows[i].type, p->rows[i].macs, macs[i]);
    a->networks++;
    a->rows += n_layers;
    roof_program_free(p);
}

/* "SRAM Usage" of the Python core, "Staging Usage" of Regor: of scratch_fast where that is in use. */
static void compare_bytes(const char *sample, const roof_graph *g, agreement *a)
{
    static uint64_t usage[MOST_LAYERS];
    const uint32_t n_layers = read_layers(sample, "SRAM Usage", "Staging Usage", usage, MOST_LAYERS);
    roof_memory *m = NULL;
    roof_error err = {0};
    if (roof_memory_of(g, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_memory_pool *pool = &m->pools[0];
    for (uint32_t i = 0; i < m->n_pools; i++)
        if (strcmp(m->pools[i].name, "scratch_fast") == 0)
            pool = &m->pools[i];
    snprintf(a->pool, sizeof a->pool, "%s", pool->name);
    assert_int_equal(pool->n_rows, n_layers);
    for (uint32_t i = 0; i < n_layers; i++, a->alive++)
        if (pool->bytes_by_row[i] != usage[i])
            fail_msg("%s: %" PRIu64 " B are live in %s at row %u, want %" PRIu64, sample,
                     pool->bytes_by_row[i], pool->name, i, usage[i]);
    a->reserved += pool->high_bytes == pool->stated_bytes;
    roof_memory_free(m);
}

static void rows_their_macs_and_bytes_alive_are_those_of_vela(void **state)
{
    (void)state;
    agreement all[24] = {{.networks = 0}};
    vela_table t;
    uint32_t networks = 0, rows = 0;
    vela_need(&t, "ethosu/oracle_vela_totals.tsv");
    while (vela_next(&t)) {
        vela_table layers;
        const char *sample = vela_cell(&t, "sample");
        roof_graph *g = vela_read(sample);
        if (g && vela_open_layers(&layers, sample)) {
            fclose(layers.file);
            agreement *a = agreement_of(all, COUNT(all), g, vela_cell(&t, "memory_mode"));
            compare_macs(sample, g, a);
            compare_bytes(sample, g, a);
        }
        roof_graph_free(g);
    }
    document_rows document = document_open("docs/hardware/ethos_u.md");
    for (size_t i = 0; i < COUNT(all) && all[i].of[0]; i++) {
        const agreement *a = &all[i];
        char row[200];
        snprintf(row, sizeof row, "| %s | %u | %u | %u | `%s` | %u | %u |", a->of, a->networks, a->rows,
                 a->macs, a->pool, a->alive, a->reserved);
        document_has_row(&document, row);
        assert_int_equal(a->reserved, a->networks);
        networks += a->networks;
        rows += a->rows;
    }
    document_close(&document, "| core, target, mode | networks | rows | MACs | pool ");
    assert_int_equal(networks, 45);
    assert_int_equal(rows, 1739);
}

/* ---- what another implementation of the rules says ---- */

/* What an operator of the host reads and makes. */
static uint64_t operands_bytes(const roof_graph *g, const roof_op *op)
{
    uint64_t bytes = op->out.bytes;
    for (uint32_t i = 0; i < op->n_inputs; i++) {
        const roof_op *from = &g->ops[g->edges[op->first_input + i].op];
        bytes += from->rule == ROOF_RULE_CONSTANT ? 0 : from->out.bytes;
    }
    return bytes;
}

/* Of files with several NPU operators that table has peaks above its own high-water marks, which no buffers
 * can have that lie below them: it adds the scratch tensor, which is the arena, to the operands of an
 * operator of the host, which lie in the arena. */
static void a_peak_above_the_high_water_mark_counts_the_arena_as_a_buffer_in_itself(void **state)
{
    (void)state;
    vela_table t;
    uint32_t n = 0;
    vela_need(&t, "memory_oracle.tsv");
    while (vela_next(&t)) {
        if (strcmp(vela_cell(&t, "format"), "vela") != 0 ||
            vela_number(&t, "peak_bytes") <= vela_number(&t, "high_bytes"))
            continue;
        roof_graph *g = vela_read(vela_cell(&t, "file") + strlen("ethosu/"));
        uint64_t most = 0;
        if (!g)
            continue;
        for (uint32_t i = 0; i < g->n_layers; i++) {
            const roof_op *op = &g->ops[g->layer_ops[g->layers[i].first_op]];
            const uint64_t bytes =
                g->subgraphs[op->subgraph].device == ROOF_DEVICE_CPU ? operands_bytes(g, op) : 0;
            most = bytes > most ? bytes : most;
        }
        assert_true(vela_number(&t, "peak_bytes") == vela_number(&t, "high_bytes") + (double)most);
        roof_graph_free(g);
        n++;
    }
    print_message("%u peaks count the arena twice\n", n);
}

/* Rows that another implementation of the rules makes of the Python core's streams. */
static void layers_are_those_of_another_implementation(void **state)
{
    (void)state;
    vela_table t;
    uint32_t n = 0;
    vela_need(&t, "ethosu/oracle_law.tsv");
    while (vela_next(&t)) {
        /* of Regor its rules are older: element-wise launches were merged, which Vela's rows tell apart */
        roof_graph *g = strcmp(vela_cell(&t, "law"), "A") == 0 ? vela_read(vela_cell(&t, "sample")) : NULL;
        if (!g)
            continue;
        if (SUM(g, rows) != strtoull(vela_cell(&t, "groups"), NULL, 10))
            fail_msg("%s: %" PRIu64 " layers, want %s", vela_cell(&t, "sample"), SUM(g, rows),
                     vela_cell(&t, "groups"));
        roof_graph_free(g);
        n++;
    }
    assert_true(n >= 15);
}

/* A row's traffic is what it moves in all regions, and rows close with their streams. */
static void bytes_of_rows_close(void **state)
{
    (void)state;
    vela_table t;
    vela_need(&t, "ethosu/oracle_ethosu.tsv");
    while (vela_next(&t)) {
        roof_graph *g = vela_read(vela_cell(&t, "file"));
        roof_program *p = NULL;
        roof_error err = {0};
        uint64_t macs = 0;
        if (!g)
            continue;
        if (roof_program_of(g, &p, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        for (uint32_t i = 0; i < p->n_rows; i++) {
            const roof_row *row = &p->rows[i];
            uint64_t read = 0, written = 0;
            for (uint32_t k = 0; k < row->work.n_transfers; k++) {
                read += row->work.transfers[k].read_bytes;
                written += row->work.transfers[k].write_bytes;
            }
            if (row->executor != ROOF_BY_ACCELERATOR)
                continue;
            assert_int_equal(read, row->work.traffic.weights_bytes + row->work.traffic.input_bytes);
            assert_int_equal(written, row->work.traffic.output_bytes);
            macs += row->macs;
        }
        assert_int_equal(macs, SUM(g, macs));
        roof_program_free(p);
        roof_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_hold_what_another_decoder_counted),
        cmocka_unit_test(macs_are_those_of_vela),
        cmocka_unit_test(rows_their_macs_and_bytes_alive_are_those_of_vela),
        cmocka_unit_test(a_peak_above_the_high_water_mark_counts_the_arena_as_a_buffer_in_itself),
        cmocka_unit_test(layers_are_those_of_another_implementation),
        cmocka_unit_test(bytes_of_rows_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
