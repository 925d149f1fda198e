/* tests/unit/drawn_fixture.h - predictions made up in memory, and looking at what a chart made of them:
 * blocks of its data, places of its texts.
 *
 * Units: the clock of these predictions is 1 MHz, so that a cycle is a microsecond.
 * Ownership: df_network lives in the arena that it is given.
 */
#ifndef ROOF_TESTS_DRAWN_FIXTURE_H
#define ROOF_TESTS_DRAWN_FIXTURE_H

#include "tests/support/chart_check.h"
#include "tests/unit/chart_fixture.h"

enum { DF_MOST_ROWS = 6000, DF_MOST_COLUMNS = 8 };

/* What no file name, no script and no page must ever evaluate. */
static inline const char *df_hostile_name(uint32_t i)
{
    static char longest[301];
    static const char *const names[] = {"`touch pwned`\\\" $(id)",
                                        "<script>alert(1)</script>&amp;",
                                        "''; set output '/tmp/pwned'; #",
                                        "\xe5\x8d\xb7\xe7\xa9\x8d \xc3\xa4\xc3\xb6\xc3\xbc \xf0\x9f\x98\x80",
                                        "tab\tand\nline \x01 end\\",
                                        "{/Symbol a}_{x}^2 @system",
                                        longest,
                                        " "};
    memset(longest, 'W', sizeof longest - 1);
    return names[i % COUNT(names)];
}

static inline uint64_t *df_cycles(roof_arena *arena, uint32_t n)
{
    uint64_t *cycles = NEW_ARRAY(arena, uint64_t, n);
    assert_non_null(cycles);
    return cycles;
}

/* Cycles of a layer on an engine, both counted from 0. */
typedef uint64_t (*df_cycles_of)(uint32_t layer, uint32_t engine);

static inline void df_add_layer(roof_arena *arena, roof_prediction *p, uint32_t i, df_cycles_of cycles_of)
{
    roof_layer_prediction *l = &p->layers[i];
    *l = (roof_layer_prediction){.index = i + 1,
                                 .repeat = 1,
                                 .name = arena_printf(arena, "layer%u", i + 1),
                                 .type = "conv",
                                 .device = "DPU",
                                 .subgraph = "",
                                 .ops_count = 1000,
                                 .roof_ops_count = 1000,
                                 .deployed = {.traffic = {.weights_bytes = 100}, .bound = ROOF_NONE}};
    l->deployed.cycles = df_cycles(arena, p->n_engines);
    for (uint32_t e = 0; e < p->n_engines; e++) {
        uint64_t cycles = l->deployed.cycles[e] = cycles_of(i, e);
        if (cycles == ROOF_UNKNOWN)
            continue;
        p->total.deployed.cycles[e] += cycles;
        if (cycles > l->deployed.ideal_cycles) {
            l->deployed.ideal_cycles = cycles;
            l->deployed.bound = e;
        }
    }
    l->deployed.ideal_s = (double)l->deployed.ideal_cycles / p->hardware.clock_hz;
    p->total.deployed.ideal_cycles += l->deployed.ideal_cycles;
}

static inline roof_prediction *df_network(roof_arena *arena, uint32_t n, uint32_t n_engines,
                                          df_cycles_of cycles_of)
{
    roof_prediction *p = NEW(arena, roof_prediction);
    assert_non_null(p);
    p->model.name = "net";
    p->hardware.id = "test";
    p->hardware.name = "Test";
    p->hardware.board = p->hardware.family = p->hardware.law = "";
    p->hardware.clock_hz = 1e6;
    p->hardware.bandwidth_bytes_per_s = 1e9;
    p->hardware.peak_ops_per_s = 2e9;
    p->hardware.cores = 1;
    p->verdict[0] = p->verdict[1] = p->verdict[2] = "A verdict.";
    p->engines = NEW_ARRAY(arena, const char *, n_engines);
    p->layers = NEW_ARRAY(arena, roof_layer_prediction, n);
    p->n_engines = n_engines;
    p->n_layers = n;
    for (uint32_t e = 0; e < n_engines; e++)
        p->engines[e] = e ? arena_printf(arena, "pool_%u", e) : "conv";
    p->total.deployed.cycles = df_cycles(arena, n_engines);
    p->total.predicted_s = NAN;
    for (uint32_t i = 0; i < n; i++)
        df_add_layer(arena, p, i, cycles_of);
    p->total.deployed.ideal_s = (double)p->total.deployed.ideal_cycles / p->hardware.clock_hz;
    p->total.floor_s = p->total.deployed.ideal_s / 2;
    p->total.inferences_per_s = 1 / p->total.deployed.ideal_s;
    return p;
}

/* An experiment that measured every layer of p: its ideal time times factor_of, of which overhead_s is
 * overhead. */
static inline roof_reconciled *df_experiment(roof_arena *arena, const roof_prediction *p,
                                             double (*factor_of)(uint32_t layer), double overhead_s)
{
    roof_reconciled *e = NEW(arena, roof_reconciled);
    roof_run *run = NEW(arena, roof_run);
    assert_true(e && run);
    *e = (roof_reconciled){.model = p->model.name,
                           .hardware = p->hardware.name,
                           .hardware_id = p->hardware.id,
                           .prediction = p,
                           .per_layer = run,
                           .layer_run = run,
                           .boundaries = p->n_layers,
                           .boundary_cost_s = overhead_s};
    e->matches = NEW_ARRAY(arena, roof_match, p->n_layers);
    e->layer_order = NEW_ARRAY(arena, uint32_t, p->n_layers);
    e->row_order = NEW_ARRAY(arena, uint32_t, p->n_layers);
    run->layers = NEW_ARRAY(arena, roof_measured_layer, p->n_layers);
    run->n_layers = e->n_matches = e->n_layer_order = e->n_row_order = p->n_layers;
    run->iterations = 100;
    e->total.bypass_s = e->total.sum_of_layers_s = e->total.per_layer_s = NAN;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        double ideal = l->deployed.ideal_s, measured = ideal * factor_of(i);
        double over = fmin(overhead_s, fmax(0, measured - ideal));
        e->layer_order[i] = e->row_order[i] = i;
        run->layers[i].name = l->name;
        e->matches[i] =
            (roof_match){.name = l->name,
                         .type = l->type,
                         .layer = i,
                         .n_layers = 1,
                         .row = i,
                         .n_rows = 1,
                         .ideal_s = ideal,
                         .measured_s = measured,
                         .overhead_s = over,
                         .corrected_s = measured - over,
                         .gap_s = measured - over - ideal,
                         .cov_ratio = NAN,
                         .bound = l->deployed.bound,
                         .verdict = measured < ideal ? ROOF_VERDICT_IMPOSSIBLE : ROOF_VERDICT_GAP};
    }
    return e;
}

/* --- drawing ------------------------------------------------------------------------------------------ */

static inline bool df_drawn(const char *id, const chart_source *source, chart_figure *f)
{
    return cf_draw(id, source, canvas_wide, f);
}

/* Every text within the canvas and on no other one. */
static inline void df_check_labels(const char *what, const chart_figure *f)
{
    char fault[1500];
    if (chart_fault(f, fault, sizeof fault))
        fail_msg("%s: %s", what, fault);
}

/* --- data --------------------------------------------------------------------------------------------- */

typedef struct df_block {
    double values[DF_MOST_ROWS][DF_MOST_COLUMNS]; /* NaN for a text, or what is not known */
    size_t n;
} df_block;

/* The rows of a block; what has no row has one of "?", which counts as none. The result lives until the next
 * call. */
static inline const df_block *df_read_block(const chart_figure *f, const char *name)
{
    static df_block block;
    char head[80];
    snprintf(head, sizeof head, "# %s\n", name);
    const char *at = strstr(f->data.bytes, head);
    at = at ? strchr(at + strlen(head), '\n') : NULL; /* what the columns are */
    assert_non_null(at);
    at++;
    for (block.n = 0; *at && *at != '#' && strncmp(at, "\n\n", 2) != 0 && block.n < DF_MOST_ROWS;) {
        const char *end = strchr(at, '\n');
        double *row = block.values[block.n];
        for (size_t c = 0; c < DF_MOST_COLUMNS; c++)
            row[c] = NAN;
        for (size_t c = 0; c < DF_MOST_COLUMNS && at && at < end; c++) {
            row[c] = *at == '"' || *at == '?' ? NAN : strtod(at, NULL);
            at = memchr(at, '\t', (size_t)(end - at));
            at = at ? at + 1 : NULL;
        }
        block.n += !isnan(row[0]) || !isnan(row[1]) || !isnan(row[2]);
        at = end + 1;
    }
    return &block;
}

static inline void df_assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("got %.12g, want %.12g", got, want);
}

/* --- examples ----------------------------------------------------------------------------------------- */

/* A document of examples/, held against its own models. */
static inline pf_result df_example(const char *path)
{
    char full[600];
    pf_result p = {0};
    roof_error err = {0};
    snprintf(full, sizeof full, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"), path);
    if (roof_measured_read(full, &p.measured, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    p.predictions = calloc(p.measured->n_experiments + 1, sizeof *p.predictions);
    assert_non_null(p.predictions);
    for (uint32_t i = 0; i < p.measured->n_experiments; i++) {
        roof_prediction *one = NULL;
        bool borrowed;
        if (roof_experiment_predict(&p.measured->experiments[i], NULL, NULL, NULL, &one, &borrowed, &err) !=
            ROOF_OK)
            fail_msg("%s", fx_message(&err));
        p.predictions[i] = one;
    }
    if (roof_reconcile(p.measured, p.predictions, NULL, &p.r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return p;
}

static inline void df_free_example(pf_result *p)
{
    for (uint32_t i = 0; i < p->measured->n_experiments; i++)
        roof_prediction_free((roof_prediction *)p->predictions[i]);
    pf_free(p);
}

#endif
