/* A history through its public header: what is kept, what comes back, what is refused and left as it is. */
#include "roofline/history.h"
#include "tests/support/history_runs.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <sqlite3.h>
#include <sys/stat.h>

static const char *db_path(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/runs.db", folder);
    return path;
}

static roof_history *opened(roof_history_use use)
{
    roof_history *h = NULL;
    roof_error err = {0};
    if (roof_history_open(db_path(), use, &h, &err) != ROOF_OK)
        fail_msg("%s: %s", err.where, err.what);
    return h;
}

/* With n documents around a time, then m around another one. */
static void make(uint64_t n, double time_s, uint64_t m, double then_s)
{
    uint64_t noise = 7;
    roof_error err;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    assert_int_equal(
        history_add_runs(h, (history_document){1, "net", time_s, true, true, 0}, n, &noise, &err), ROOF_OK);
    assert_int_equal(
        history_add_runs(h, (history_document){n + 1, "net", then_s, true, true, 0}, m, &noise, &err),
        ROOF_OK);
    roof_history_close(h);
}

static int remove_db(void **state)
{
    (void)state;
    unlink(db_path());
    return 0;
}

static void run_script(const char *path, const char *script)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, script, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* --- adding and reading --------------------------------------------------------------------------------- */

static void a_document_is_added_once(void **state)
{
    (void)state;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    roof_history_added added;
    roof_error err;
    const history_document one = {1, "net", 0.002, true, true, 0}, two = {2, "net", 0.002, true, true, 0};
    assert_int_equal(history_add_document(h, &one, &added, &err), ROOF_OK);
    assert_true(added.first_run == 1 && added.n_runs == 2 && !added.was_there);
    assert_int_equal(history_add_document(h, &two, &added, &err), ROOF_OK);
    assert_true(added.first_run == 3 && added.n_runs == 2 && !added.was_there);
    assert_int_equal(history_add_document(h, &one, &added, &err), ROOF_OK);
    assert_true(added.first_run == 1 && added.n_runs == 2 && added.was_there);
    roof_history_runs *runs;
    assert_int_equal(roof_history_list(h, NULL, 100, &runs, &err), ROOF_OK);
    assert_int_equal(runs->n_all, 4);
    assert_int_equal(runs->items[0].id, 4); /* the newest first */
    roof_history_runs_free(runs);
    roof_history_close(h);
}

static double value_of(const roof_history_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->n_values; i++)
        if (strcmp(run->values[i].metric->name, name) == 0)
            return run->values[i].value;
    return NAN;
}

static void a_run_comes_back_as_it_was(void **state)
{
    (void)state;
    make(1, 0.002, 0, 1);
    roof_history *h = opened(ROOF_HISTORY_READ);
    roof_history_runs *runs;
    roof_error err;
    assert_int_equal(roof_history_show(h, 1, &runs, &err), ROOF_OK);
    const roof_history_run *run = runs->items;
    assert_string_equal(run->key.model, "net");
    assert_string_equal(run->key.model_hash, "9f1c02ab55d3e871");
    assert_string_equal(run->key.device, "kv260");
    assert_string_equal(run->key.stack, "vart");
    assert_string_equal(run->key.mode, "bypass");
    assert_string_equal(run->commit, "c0001");
    assert_string_equal(run->document, "measured.json");
    assert_int_equal(run->added_s, 1767225600 + 86400);
    assert_true(run->n_samples == HISTORY_SAMPLES && run->n_kept == HISTORY_SAMPLES && run->n_rows == 0);
    uint64_t noise = 7;
    const double time_s = 0.002 * history_noise(&noise);
    for (int i = 0; i < HISTORY_SAMPLES; i++) /* to the bit */
        assert_true(run->samples_s[i] == time_s * (1 + 0.001 * (i - HISTORY_SAMPLES / 2.0)));
    assert_true(value_of(run, "median_s") == time_s && value_of(run, "p95_s") == 1.05 * time_s);
    assert_true(isnan(value_of(run, "energy_j")) && isnan(value_of(run, "frames_per_s")));
    roof_history_runs_free(runs);
    assert_int_equal(roof_history_show(h, 2, &runs, &err), ROOF_OK);
    run = runs->items;
    assert_true(run->n_samples == 0 && run->n_rows == 2);
    assert_string_equal(run->rows[1].name, "conv2");
    assert_true(run->rows[1].median_s == 0.3 * time_s && run->rows[1].count == HISTORY_SAMPLES);
    assert_true(fabs(value_of(run, "sum_of_layers_s") - 0.9 * time_s) < 1e-12);
    roof_history_runs_free(runs);
    assert_int_equal(roof_history_show(h, 3, &runs, &err), ROOF_E_USAGE);
    assert_non_null(strstr(err.what, "no run 3"));
    roof_history_close(h);
}

/* 2 500 samples and 5 000 rows: 1 000 and none are kept, and that is said. */
static void what_is_too_much_is_thinned_and_said(void **state)
{
    (void)state;
    enum { SAMPLES = 2500, ROWS = ROOF_HISTORY_MOST_ROWS + 1 };
    static double samples_s[SAMPLES];
    static roof_measured_layer layers[ROWS];
    for (int i = 0; i < SAMPLES; i++)
        samples_s[i] = i + 1;
    for (int i = 0; i < ROWS; i++)
        layers[i] = (roof_measured_layer){.time = history_times(1e-6), .index = ROOF_NONE};
    roof_run run = history_run(ROOF_RUN_PER_LAYER, 1);
    run.total.samples_s = samples_s;
    run.total.count = SAMPLES;
    run.layers = layers;
    run.n_layers = ROWS;
    roof_experiment experiment = {.model_name = "net", .runs = &run, .n_runs = 1};
    const roof_measured m = {.experiments = &experiment, .n_experiments = 1};
    const roof_history_document about = {"aa", "m.json", NULL, NULL, 0};
    roof_history_added added;
    roof_history_runs *runs;
    roof_error err;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    assert_int_equal(roof_history_add(h, &m, &about, &added, &err), ROOF_OK);
    assert_true(added.n_thinned == 1 && added.n_total_only == 1);
    assert_int_equal(roof_history_show(h, 1, &runs, &err), ROOF_OK);
    assert_true(runs->items->n_samples == SAMPLES && runs->items->n_kept == ROOF_HISTORY_MOST_SAMPLES);
    assert_true(runs->items->n_rows == 0);
    assert_true(runs->items->samples_s[0] == 1 && runs->items->samples_s[999] == 2498); /* 2.5 apart */
    assert_null(runs->items->key.device);
    assert_null(runs->items->commit);
    roof_history_runs_free(runs);
    roof_history_close(h);
}

static void a_document_without_a_number_is_not_added(void **state)
{
    (void)state;
    roof_run run = history_run(ROOF_RUN_BYPASS, NAN);
    roof_experiment experiment = {.model_name = "net", .runs = &run, .n_runs = 1};
    const roof_measured m = {.experiments = &experiment, .n_experiments = 1};
    const roof_history_document about = {"aa", "m.json", NULL, NULL, 0};
    roof_history_added added;
    roof_history_runs *runs;
    roof_error err;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    assert_int_equal(roof_history_add(h, &m, &about, &added, &err), ROOF_E_DATA);
    run = history_run(ROOF_RUN_BYPASS, 0.002); /* what was refused left nothing */
    assert_int_equal(roof_history_add(h, &m, &about, &added, &err), ROOF_OK);
    assert_false(added.was_there);
    assert_int_equal(roof_history_list(h, NULL, 10, &runs, &err), ROOF_OK);
    assert_int_equal(runs->n_all, 1);
    roof_history_runs_free(runs);
    roof_history_close(h);
}

/* --- trends --------------------------------------------------------------------------------------------- */

static roof_history_trends *trends_of(const roof_history_request *requested)
{
    roof_history *h = opened(ROOF_HISTORY_READ);
    roof_history_trends *trends = NULL;
    roof_error err = {0};
    if (roof_history_find_trends(h, requested, &trends, &err) != ROOF_OK)
        fail_msg("%s", err.what);
    roof_history_close(h);
    return trends;
}

static void thirty_runs_and_five_slower_ones_are_two_segments(void **state)
{
    (void)state;
    make(30, 0.001, 5, 0.0011);
    static const roof_history_request requested[] = {
        {.filter.mode = "bypass", .factor = NAN},
        {.filter = {.model = "9f1c02ab55d3e871", .device = "kv260", .stack = "vart", .mode = "bypass"},
         .metric = "p95_s",
         .factor = NAN},
        {.row = "conv1", .factor = NAN},
        {.row = "conv2", .metric = "mean_s", .factor = NAN},
        {.metric = "sum_of_layers_s", .factor = NAN}};
    for (size_t i = 0; i < COUNT(requested); i++) {
        roof_history_trends *trends = trends_of(&requested[i]);
        assert_int_equal(trends->n, 1);
        const roof_history_series *s = trends->items;
        assert_int_equal(s->n_points, 35);
        assert_int_equal(s->n_segments, 2);
        assert_int_equal(s->segments[1].first, 30);
        assert_true(s->segments[1].ratio_ci95[0] < 1.1 && 1.1 < s->segments[1].ratio_ci95[1]);
        assert_string_equal(s->points[30].commit, "c0031");
        assert_true(s->state == ROOF_HELD_SKIPPED && !s->why);
        roof_history_trends_free(trends);
    }
}

/* conv2 takes a fifth more, which is 6 % of the whole; conv1 is as it was. */
static void the_layers_that_changed_with_a_series_are_named(void **state)
{
    (void)state;
    uint64_t noise = 7;
    roof_error err;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    const history_document before = {1, "net", 0.001, true, true, 0},
                           behind = {101, "net", 0.001, true, true, 0.2};
    assert_int_equal(history_add_runs(h, before, 60, &noise, &err), ROOF_OK);
    assert_int_equal(history_add_runs(h, behind, 20, &noise, &err), ROOF_OK);
    roof_history_close(h);
    static const char *const modes[] = {"bypass", "per_layer"}; /* also where the runs have no layers */
    for (size_t i = 0; i < COUNT(modes); i++) {
        roof_history_trends *trends =
            trends_of(&(roof_history_request){.filter.mode = modes[i], .factor = NAN});
        const roof_history_series *s = trends->items;
        assert_int_equal(s->n_segments, 2);
        assert_int_equal(s->n_layers, 1);
        assert_string_equal(s->layers->name, "conv2");
        assert_true(s->layers->difference_ci95_s[0] < 6e-5 && 6e-5 < s->layers->difference_ci95_s[1]);
        assert_true(fabs(s->layers->ratio - 1.2) < 0.01 && fabs(s->layers->before_s - 3e-4) < 3e-6);
        roof_history_trends_free(trends);
    }
    roof_history_trends *trends = trends_of(&(roof_history_request){.row = "conv2", .factor = NAN});
    assert_true(trends->items->n_segments == 2 && trends->items->n_layers == 0);
    roof_history_trends_free(trends);
}

static void a_gate_is_kept_broken_or_not_known_as_the_interval_says(void **state)
{
    (void)state;
    static const struct {
        uint64_t n, m;
        double then, factor;
        roof_held want;
    } cases[] = {{40, 10, 1.1, 1, ROOF_HELD_BROKEN},   {40, 10, 1.1, 1.05, ROOF_HELD_BROKEN},
                 {40, 10, 1.1, 1.2, ROOF_HELD_KEPT},   {40, 10, 1.1, 1.1, ROOF_HELD_NOT_KNOWN},
                 {40, 10, 0.9, 1, ROOF_HELD_KEPT},     {40, 10, 1, 1, ROOF_HELD_KEPT},
                 {40, 10, 0.9, 0.8, ROOF_HELD_BROKEN}, /* faster, and not by as much as is wanted */
                 {5, 5, 1, 1, ROOF_HELD_NOT_KNOWN},    {5, 5, 1.5, 1, ROOF_HELD_NOT_KNOWN}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        make(cases[i].n, 0.001, cases[i].m, 0.001 * cases[i].then);
        roof_history_trends *trends =
            trends_of(&(roof_history_request){.filter.mode = "bypass", .factor = cases[i].factor});
        if (trends->items->state != cases[i].want)
            fail_msg("case %zu: %s, want %s (%s)", i, roof_held_text(trends->items->state),
                     roof_held_text(cases[i].want), trends->items->why);
        assert_non_null(trends->items->why);
        assert_int_equal(roof_history_failed(trends), cases[i].want != ROOF_HELD_KEPT);
        roof_history_trends_free(trends);
        remove_db(NULL);
    }
}

/* Conditions of a run: "vart", "kv260", and not stated. */
typedef struct run_setting {
    const char *tool, *board, *hash, *data_type, *governor;
    double clock_hz;
} run_setting;

/* Runs one after the other. */
typedef struct stretch {
    uint32_t n;
    double factor, each; /* each: of every run in it */
    run_setting as;
} stretch;

/* A run each day of each case, all of one tool in one document. */
typedef struct night {
    roof_run runs[32];
    roof_experiment experiments[32];
    roof_clock clocks[32];
    roof_condition moments[32];
    uint32_t n;
} night;

static void add_to_night(night *all, const char *model, double time_s, const run_setting *as)
{
    const uint32_t i = all->n++;
    all->clocks[i] = (roof_clock){"dpu", as->clock_hz};
    all->moments[i] =
        (roof_condition){.clock_hz = NAN, .temperature_c = NAN, .load_ratio = NAN, .governor = as->governor};
    all->runs[i] = history_run(ROOF_RUN_BYPASS, time_s);
    all->runs[i].clocks = &all->clocks[i];
    all->runs[i].n_clocks = as->clock_hz > 0;
    all->runs[i].conditions = &all->moments[i];
    all->runs[i].n_conditions = as->governor != NULL;
    all->experiments[i] = (roof_experiment){.model_name = model,
                                            .graph_hash = as->hash,
                                            .hardware_id = as->board ? as->board : "kv260",
                                            .device = as->data_type ? "a" : NULL,
                                            .device_data_type = as->data_type,
                                            .runs = &all->runs[i],
                                            .n_runs = 1};
}

static void add_night(roof_history *h, const night *all, const char *tool, uint32_t day)
{
    roof_measured_source source = {.tool = tool};
    const roof_measured m = {.sources = &source,
                             .n_sources = 1,
                             .experiments = (roof_experiment *)all->experiments,
                             .n_experiments = all->n};
    char sha256[40], commit[16];
    roof_history_added added;
    roof_error err;
    snprintf(sha256, sizeof sha256, "%" PRIu32 " %s", day, tool);
    snprintf(commit, sizeof commit, "c%04" PRIu32, day + 1);
    if (all->n && roof_history_add(h, &m, &(roof_history_document){sha256, "m", commit, NULL, 0}, &added,
                                   &err) != ROOF_OK)
        fail_msg("%s", err.what);
}

static void a_gate_sees_what_a_drift_or_other_conditions_hide(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        stretch of[10];
        const char *baseline;
        roof_held want;
        bool is_noise;
        const char *why;
    } cases[] = {
        {"equal", {{60, 1, 0, {0}}}, NULL, ROOF_HELD_KEPT, false, "no change"},
        {"0.4 % a run", {{120, 1, 0.004, {0}}}, NULL, ROOF_HELD_BROKEN, true, "beside runs"},
        {"0.1 % a run", {{120, 1, 0.001, {0}}}, NULL, ROOF_HELD_BROKEN, true, "beside runs"},
        {"0.4 % faster a run", {{100, 1, -0.004, {0}}}, NULL, ROOF_HELD_KEPT, true, "beside runs"},
        {"27 % in steps of 3 %",
         {{15, 1, 0, {0}},
          {15, 1.03, 0, {0}},
          {15, 1.06, 0, {0}},
          {15, 1.09, 0, {0}},
          {15, 1.12, 0, {0}},
          {15, 1.15, 0, {0}},
          {15, 1.18, 0, {0}},
          {15, 1.21, 0, {0}},
          {15, 1.24, 0, {0}},
          {15, 1.27, 0, {0}}},
         NULL,
         ROOF_HELD_BROKEN,
         true,
         "beside runs"},
        {"twice, then 5 % less",
         {{20, 1, 0, {0}}, {20, 2, 0, {0}}, {20, 1.9, 0, {0}}},
         NULL,
         ROOF_HELD_BROKEN,
         true,
         "beside runs"},
        {"twice, then 5 % less, and that was meant",
         {{20, 1, 0, {0}}, {20, 2, 0, {0}}, {20, 1.9, 0, {0}}},
         "c0025",
         ROOF_HELD_KEPT,
         true,
         "beside runs"},
        {"twice, and back",
         {{20, 1, 0, {0}}, {20, 2, 0, {0}}, {20, 1, 0, {0}}},
         NULL,
         ROOF_HELD_KEPT,
         true,
         "beside"},
        {"the newest at 10 times",
         {{30, 1, 0, {0}}, {1, 10, 0, {0}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         true,
         "newest run takes"},
        {"the newest two at 10 times",
         {{30, 1, 0, {0}}, {2, 10, 0, {0}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         true,
         "newest 2 runs take"},
        {"the newest at 1.5 times",
         {{30, 1, 0, {0}}, {1, 1.5, 0, {0}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         true,
         "measure again"},
        {"the newest 1000 times as fast",
         {{30, 1, 0, {0}}, {1, 1e-3, 0, {0}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "units"},
        {"1000 times as fast",
         {{30, 1, 0, {0}}, {10, 1e-3, 0, {0}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "units"},
        {"another tool",
         {{20, 1, 0, {0}}, {20, 2, 0, {.tool = "vart 2"}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "tool vart before, vart 2 now"},
        {"another tool, and that was meant",
         {{20, 1, 0, {0}}, {20, 2, 0, {.tool = "vart 2"}}},
         "c0021",
         ROOF_HELD_KEPT,
         false,
         "no change"},
        {"another graph",
         {{20, 1, 0, {0}}, {20, 2, 0, {.hash = "11"}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "graph"},
        {"another board",
         {{20, 1, 0, {0}}, {20, 2, 0, {.board = "kv260 b"}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "hardware"},
        {"another data type",
         {{20, 1, 0, {.data_type = "int8"}}, {20, 1, 0, {.data_type = "f32"}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "data type int8 before, f32 now"},
        {"another clock",
         {{20, 1, 0, {.clock_hz = 3e8}}, {20, 1, 0, {.clock_hz = 6e8}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "clock 300 MHz before, 600 MHz now"},
        {"another governor",
         {{20, 1, 0, {.governor = "a"}}, {20, 1, 0, {.governor = "b"}}},
         NULL,
         ROOF_HELD_NOT_KNOWN,
         false,
         "governor a before, b now"},
        {"a night at another clock",
         {{20, 1, 0, {.clock_hz = 3e8}}, {1, 2, 0, {.clock_hz = 1.5e8}}, {10, 1, 0, {.clock_hz = 3e8}}},
         NULL,
         ROOF_HELD_KEPT,
         false,
         "no change"},
    };
    static const char *const tools[] = {"vart", "vart 2"};
    enum { DAYS = 150 };
    uint64_t noise = 7;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    for (uint32_t day = 0; day < DAYS; day++)
        for (size_t t = 0; t < COUNT(tools); t++) {
            static night all;
            all.n = 0;
            for (size_t i = 0; i < COUNT(cases); i++) {
                uint32_t k = 0, run = day;
                while (k < COUNT(cases[i].of) && run >= cases[i].of[k].n)
                    run -= cases[i].of[k++].n;
                const stretch *at = k < COUNT(cases[i].of) ? &cases[i].of[k] : NULL;
                if (at && strcmp(at->as.tool ? at->as.tool : "vart", tools[t]) == 0)
                    add_to_night(&all, cases[i].what,
                                 1e-3 * at->factor * pow(1 + at->each, run) * history_noise(&noise), &at->as);
            }
            add_night(h, &all, tools[t], day);
        }
    roof_history_close(h);
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_history_trends *trends = trends_of(&(roof_history_request){.filter.model = cases[i].what,
                                                                        .factor = 1.05,
                                                                        .baseline = cases[i].baseline,
                                                                        .most_points = ROOF_HISTORY_WINDOW});
        const roof_history_series *s = NULL;
        for (uint32_t k = 0; k < trends->n; k++)
            if (!s ||
                trends->items[k].points[trends->items[k].n_points - 1].run > s->points[s->n_points - 1].run)
                s = &trends->items[k];
        if (s->state != cases[i].want || s->is_noise != cases[i].is_noise || !strstr(s->why, cases[i].why))
            fail_msg("%s: %s, want %s (%s)", cases[i].what, roof_held_text(s->state),
                     roof_held_text(cases[i].want), s->why);
        roof_history_trends_free(trends);
    }
}

/* As many series of equal runs as models, each with noise of its own. */
static void equal_runs_keep_a_gate_in_nineteen_of_twenty(void **state)
{
    (void)state;
    enum { SERIES = 200, RUNS = 40 };
    static roof_run runs[SERIES];
    static roof_experiment experiments[SERIES];
    static char names[SERIES][8];
    uint64_t noise = 11;
    roof_error err;
    roof_history_added added;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    for (uint32_t day = 0; day < RUNS; day++) {
        for (uint32_t i = 0; i < SERIES; i++) {
            snprintf(names[i], sizeof names[i], "%" PRIu32, i);
            runs[i] = history_run(ROOF_RUN_BYPASS, 1e-3 * history_noise(&noise));
            experiments[i] = (roof_experiment){
                .model_name = names[i], .hardware_id = "kv260", .runs = &runs[i], .n_runs = 1};
        }
        const roof_measured m = {.experiments = experiments, .n_experiments = SERIES};
        char sha256[24];
        snprintf(sha256, sizeof sha256, "%" PRIu32, day);
        assert_int_equal(
            roof_history_add(h, &m, &(roof_history_document){sha256, "m", NULL, NULL, 0}, &added, &err),
            ROOF_OK);
    }
    roof_history_close(h);
    roof_history_trends *trends =
        trends_of(&(roof_history_request){.factor = 1.05, .most_points = ROOF_HISTORY_WINDOW});
    assert_int_equal(trends->n, SERIES);
    const uint32_t failed = roof_history_failed(trends);
    printf("of %d series of equal runs %" PRIu32 " fail\n", SERIES, failed);
    assert_true(failed <= SERIES / 20);
    roof_history_trends_free(trends);
}

/* A file of version 1 is read, and its runs are not known to be alike; the same documents complete them. */
static void an_earlier_version_is_read_and_completed(void **state)
{
    (void)state;
    make(30, 0.001, 0, 1);
    run_script(db_path(), "DROP TABLE conditions; DROP TABLE run_conditions; PRAGMA user_version = 1");
    const roof_history_request requested = {.filter.mode = "bypass", .factor = 1.05};
    roof_history_trends *trends = trends_of(&requested);
    assert_int_equal(trends->items->state, ROOF_HELD_NOT_KNOWN);
    assert_true(!trends->items->is_noise && strstr(trends->items->why, "earlier version"));
    roof_history_trends_free(trends);
    uint64_t noise = 7;
    roof_error err;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    assert_int_equal(
        history_add_runs(h, (history_document){1, "net", 0.001, true, true, 0}, 30, &noise, &err), ROOF_OK);
    roof_history_close(h);
    trends = trends_of(&requested);
    assert_true(trends->n == 1 && trends->items->n_points == 30 && trends->items->state == ROOF_HELD_KEPT);
    roof_history_trends_free(trends);
}

/* Of frames per second fewer are worse: the gate turns the interval round. */
static void fewer_frames_per_second_are_worse(void **state)
{
    (void)state;
    roof_error err;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    uint64_t noise = 7;
    for (uint64_t i = 0; i < 40; i++) {
        roof_run run = history_run(ROOF_RUN_LOAD, 0.001);
        run.threads = 4;
        run.frames_per_s = (i < 30 ? 100 : 80) * history_noise(&noise);
        roof_experiment experiment = {.model_name = "net", .runs = &run, .n_runs = 1};
        const roof_measured m = {.experiments = &experiment, .n_experiments = 1};
        char sha256[24];
        roof_history_added added;
        snprintf(sha256, sizeof sha256, "%" PRIu64, i);
        assert_int_equal(
            roof_history_add(h, &m, &(roof_history_document){sha256, "m", NULL, NULL, 0}, &added, &err),
            ROOF_OK);
    }
    roof_history_close(h);
    roof_history_trends *trends = trends_of(&(roof_history_request){.metric = "frames_per_s", .factor = 1.1});
    assert_string_equal(trends->items->key.workload, "4 threads");
    assert_int_equal(trends->items->state, ROOF_HELD_BROKEN);
    assert_true(trends->items->segments[1].ratio < 0.85);
    roof_history_trends_free(trends);
    trends = trends_of(&(roof_history_request){.metric = "frames_per_s", .factor = 1.4});
    assert_int_equal(trends->items->state, ROOF_HELD_KEPT);
    roof_history_trends_free(trends);
}

/* Runs that are no repetition of one another are in series of their own: no change is seen where there is
 * none. */
static void another_workload_is_another_series(void **state)
{
    (void)state;
    static const struct {
        roof_text_phase phase;
        uint32_t prompt_tokens, context_tokens, batch, threads;
        const char *core, *want;
    } cases[] = {{ROOF_TEXT_UNSTATED, 0, 0, ROOF_NONE, ROOF_NONE, NULL, NULL},
                 {ROOF_TEXT_UNSTATED, 0, 0, 4, ROOF_NONE, NULL, "batch 4"},
                 {ROOF_TEXT_PREFILL, 128, 0, 1, ROOF_NONE, NULL, "prefill, 128 prompt tokens"},
                 {ROOF_TEXT_DECODE, 128, 512, 2, 1, "cu0",
                  "decode, batch 2, 128 prompt tokens, 512 context tokens, 1 thread, core cu0"}};
    roof_error err;
    roof_history_added added;
    roof_history *h = opened(ROOF_HISTORY_WRITE);
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_run run = history_run(ROOF_RUN_BYPASS, 0.001 * (double)(i + 1));
        run.batch = cases[i].batch;
        run.threads = cases[i].threads;
        run.core = cases[i].core;
        roof_experiment experiment = {.model_name = "net",
                                      .phase = cases[i].phase,
                                      .prompt_tokens = cases[i].prompt_tokens,
                                      .context_tokens = cases[i].context_tokens,
                                      .runs = &run,
                                      .n_runs = 1};
        const roof_measured m = {.experiments = &experiment, .n_experiments = 1};
        const char sha256[] = {(char)('a' + (char)i), '\0'};
        assert_int_equal(
            roof_history_add(h, &m, &(roof_history_document){sha256, "m", NULL, NULL, 0}, &added, &err),
            ROOF_OK);
    }
    roof_history_close(h);
    roof_history_trends *trends = trends_of(&(roof_history_request){.factor = NAN});
    assert_int_equal(trends->n, COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); i++)
        if (cases[i].want)
            assert_string_equal(trends->items[i].key.workload, cases[i].want);
        else
            assert_null(trends->items[i].key.workload);
    roof_history_trends_free(trends);
    trends = trends_of(&(roof_history_request){.filter.workload = "batch 4", .factor = NAN});
    assert_int_equal(trends->n, 1);
    roof_history_trends_free(trends);
}

static void what_is_not_there_is_said(void **state)
{
    (void)state;
    make(3, 0.001, 0, 1);
    static const struct {
        roof_history_request requested;
        const char *says;
    } cases[] = {
        {{.metric = "speed"}, "no metric 'speed'; there are median_s, mean_s"},
        {{.metric = "energy_j", .row = "conv1"}, "no metric 'energy_j' of a row; there are median_s, mean_s"},
        {{.metric = "energy_j"}, "has a number energy_j"},
        {{.row = "conv9"}, "has a time of row conv9"},
        {{.filter.model = "other"}, "no run is of this model"}};
    roof_history *h = opened(ROOF_HISTORY_READ);
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_history_trends *trends;
        roof_error err = {0};
        assert_int_equal(roof_history_find_trends(h, &cases[i].requested, &trends, &err), ROOF_E_USAGE);
        assert_null(trends);
        if (!strstr(err.what, cases[i].says))
            fail_msg("'%s' does not say '%s'", err.what, cases[i].says);
    }
    roof_history_close(h);
}

/* --- files that are none -------------------------------------------------------------------------------- */

static size_t read_bytes(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(bytes, 1, size, file) : 0;
    if (file)
        fclose(file);
    return got;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Each is refused for reading and for writing, and has the same bytes afterwards. */
static void other_files_are_refused_and_not_touched(void **state)
{
    (void)state;
    static char before[1 << 17], after[1 << 17];
    static const struct {
        const char *text, *script, *says;
        bool is_changed_history;
    } cases[] = {
        {"not a database, but long enough to have a header of one hundred bytes, which is what is looked at "
         "first of all files that are named",
         NULL, "is no database", false},
        {"short", NULL, "is no database", false},
        {NULL, "CREATE TABLE photos(id)", "database of another program", false},
        {NULL, "PRAGMA application_id = 77; CREATE TABLE photos(id)", "database of another program", false},
        {NULL, "PRAGMA user_version = 3", "version 3, and this one knows version 2; update", true},
        {NULL, "DROP TABLE metrics", "its tables are not those of version 2", true},
        {NULL, "DROP TABLE layers; CREATE VIEW layers AS SELECT 1", "its tables are not those", true},
        {NULL, "ALTER TABLE runs ADD COLUMN more", "its tables are not those", true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (cases[i].is_changed_history)
            make(2, 0.001, 0, 1);
        if (cases[i].text)
            write_text(db_path(), cases[i].text);
        else
            run_script(db_path(), cases[i].script);
        const size_t size = read_bytes(db_path(), before, sizeof before);
        for (roof_history_use use = ROOF_HISTORY_READ; use <= ROOF_HISTORY_WRITE; use++) {
            roof_history *h = NULL;
            roof_error err = {0};
            assert_int_equal(roof_history_open(db_path(), use, &h, &err), ROOF_E_DATA);
            assert_null(h);
            if (!strstr(err.what, cases[i].says))
                fail_msg("case %zu: '%s' does not say '%s'", i, err.what, cases[i].says);
            assert_string_equal(err.where, db_path());
        }
        assert_true(size && read_bytes(db_path(), after, sizeof after) == size);
        assert_memory_equal(before, after, size);
        remove_db(NULL);
    }
}

static void what_cannot_be_a_history_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        roof_history_use use;
        roof_status status;
        const char *says;
    } cases[] = {{"/dev/full", ROOF_HISTORY_WRITE, ROOF_E_DATA, "is no file"},
                 {"/", ROOF_HISTORY_READ, ROOF_E_DATA, "is no file"},
                 {"no-such.db", ROOF_HISTORY_READ, ROOF_E_NO_INPUT, "no such file; `roofline history add`"},
                 {"no-such-folder/a.db", ROOF_HISTORY_WRITE, ROOF_E_IO, "cannot be opened"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_history *h;
        roof_error err = {0};
        assert_int_equal(roof_history_open(cases[i].path, cases[i].use, &h, &err), cases[i].status);
        if (!strstr(err.what, cases[i].says))
            fail_msg("'%s' does not say '%s'", err.what, cases[i].says);
        assert_string_equal(err.where, cases[i].path);
    }
    write_text(db_path(), "");
    roof_history *h;
    roof_error err = {0};
    assert_int_equal(roof_history_open(db_path(), ROOF_HISTORY_READ, &h, &err), ROOF_E_NO_INPUT);
    assert_non_null(strstr(err.what, "is empty"));
    roof_history_close(opened(ROOF_HISTORY_WRITE)); /* an empty file is a new one */
}

/* A path is only a path: no URI, no name of SQLite's own. */
static void a_strange_name_is_a_file(void **state)
{
    (void)state;
    static const char *const names[] = {"a b?mode=memory&x=%41#.db", "file:a.db", "-"};
    char path[256];
    for (size_t i = 0; i < COUNT(names); i++) {
        roof_history *h;
        roof_error err;
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(roof_history_open(path, ROOF_HISTORY_WRITE, &h, &err), ROOF_OK);
        roof_history_close(h);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(unlink(path), 0);
    }
}

/* Values that no program of ours writes. */
static void columns_of_another_kind_are_damage(void **state)
{
    (void)state;
    static const struct {
        const char *script, *says;
    } cases[] = {
        {"UPDATE metrics SET value = 'fast'", "column 'value' holds a value that it cannot have"},
        {"UPDATE metrics SET value = -1", "want a number from 0"},
        {"UPDATE metrics SET value = 9e999", "want a number from 0"},
        {"UPDATE runs SET n_samples = -1", NULL},
        {"UPDATE series SET model = x'00'", "want a text"},
        {"UPDATE documents SET added_s = 'today'", "want a whole number"},
        {"UPDATE documents SET git_commit = 5.5, name = 3", NULL}}; /* become texts: nothing is wrong */
    for (size_t i = 0; i < COUNT(cases); i++) {
        make(5, 0.001, 0, 1);
        run_script(db_path(), cases[i].script);
        roof_history *h = opened(ROOF_HISTORY_READ);
        roof_history_trends *trends = NULL;
        roof_error err = {0};
        roof_status status =
            roof_history_find_trends(h, &(roof_history_request){.factor = NAN}, &trends, &err);
        assert_int_equal(status, cases[i].says ? ROOF_E_DATA : ROOF_OK);
        if (cases[i].says && !strstr(err.what, cases[i].says))
            fail_msg("'%s' does not say '%s'", err.what, cases[i].says);
        roof_history_trends_free(trends);
        roof_history_close(h);
        remove_db(NULL);
    }
}

/* An index that is another one's: counts of it and rows of the table disagree. */
static void an_index_that_disagrees_is_damage(void **state)
{
    (void)state;
    make(5, 0.001, 0, 1);
    run_script(db_path(), HISTORY_ANOTHER_INDEX);
    roof_history *h = opened(ROOF_HISTORY_READ);
    roof_history_runs *runs;
    roof_error err;
    assert_int_equal(roof_history_list(h, NULL, 20, &runs, &err), ROOF_E_DATA);
    assert_null(runs);
    assert_non_null(strstr(err.what, "is damaged"));
    roof_history_close(h);
}

/* Rows that belong to no run, and texts that are no UTF-8. */
static void strange_texts_are_shown_as_others_are(void **state)
{
    (void)state;
    make(2, 0.001, 0, 1);
    run_script(db_path(), "UPDATE series SET model = CAST(x'6e65740aff' AS TEXT)");
    roof_history *h = opened(ROOF_HISTORY_READ);
    roof_history_runs *runs;
    roof_error err;
    assert_int_equal(roof_history_list(h, NULL, 10, &runs, &err), ROOF_OK);
    assert_null(strchr(runs->items->key.model, '\n'));
    assert_null(strchr(runs->items->key.model, '\xff'));
    roof_history_runs_free(runs);
    roof_history_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_document_is_added_once, remove_db),
        cmocka_unit_test_teardown(a_run_comes_back_as_it_was, remove_db),
        cmocka_unit_test_teardown(what_is_too_much_is_thinned_and_said, remove_db),
        cmocka_unit_test_teardown(a_document_without_a_number_is_not_added, remove_db),
        cmocka_unit_test_teardown(thirty_runs_and_five_slower_ones_are_two_segments, remove_db),
        cmocka_unit_test_teardown(the_layers_that_changed_with_a_series_are_named, remove_db),
        cmocka_unit_test_teardown(a_gate_is_kept_broken_or_not_known_as_the_interval_says, remove_db),
        cmocka_unit_test_teardown(a_gate_sees_what_a_drift_or_other_conditions_hide, remove_db),
        cmocka_unit_test_teardown(equal_runs_keep_a_gate_in_nineteen_of_twenty, remove_db),
        cmocka_unit_test_teardown(an_earlier_version_is_read_and_completed, remove_db),
        cmocka_unit_test_teardown(fewer_frames_per_second_are_worse, remove_db),
        cmocka_unit_test_teardown(another_workload_is_another_series, remove_db),
        cmocka_unit_test_teardown(what_is_not_there_is_said, remove_db),
        cmocka_unit_test_teardown(other_files_are_refused_and_not_touched, remove_db),
        cmocka_unit_test_teardown(what_cannot_be_a_history_is_said, remove_db),
        cmocka_unit_test_teardown(a_strange_name_is_a_file, remove_db),
        cmocka_unit_test_teardown(columns_of_another_kind_are_damage, remove_db),
        cmocka_unit_test_teardown(an_index_that_disagrees_is_damage, remove_db),
        cmocka_unit_test_teardown(strange_texts_are_shown_as_others_are, remove_db),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
