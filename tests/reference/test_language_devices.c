/* Published rates of language models on 46 devices, where ../shared has them: that no bound is above any, and
 * what the law of a step says of a device or a model that nothing was fitted to.
 *
 * The fit is that of which the constants of hwdb/data/stacks were made: least squares of the relative error,
 * a device's rows weigh 1 / sqrt(how many they are), rows far off weigh less, and a weak prior stands in for
 * what the rows do not tell. Bytes of weights and cache are those of the table, whose files are mixes of
 * forms. Run it alone to see rows: build/release/tests/reference_tests test_language_devices */
#include "roofline/prediction.h"
#include "tests/support/accuracy.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROWS = 1200, MOST_MODELS = 80, LINE_BYTES = 1024, CELL_BYTES = 200, TERMS = 5 };

/* The columns of the table. */
enum {
    DEVICE,
    BANDWIDTH,
    CACHE,
    STACK,
    BACKEND,
    GROUP,
    MODEL,
    QUANT,
    PHASE,
    CONTEXT,
    BATCH,
    RATE,
    N,
    FILE_BYTES,
    READ_BYTES,
    KV_BYTES,
    STATUS,
    NOTE,
    CELLS
};

typedef struct row {
    char cells[CELLS][CELL_BYTES];
    double seconds;
    double terms[TERMS]; /* what each constant is multiplied by */
    double weight;
    const roof_language_model *model; /* NULL: of an architecture that is not read */
} row;

static row rows[MOST_ROWS];
static uint32_t n_rows;
static struct {
    char name[CELL_BYTES];
    roof_graph *graph;
} models[MOST_MODELS];
static uint32_t n_models;

/* --- the table ------------------------------------------------------------------------------------------ */

static bool next_row(FILE *file, row *out)
{
    char line[LINE_BYTES], *at = line;
    if (!fgets(line, sizeof line, file))
        return false;
    for (int i = 0; i < CELLS; i++) {
        const bool is_quoted = *at == '"';
        at += is_quoted;
        const size_t length = strcspn(at, is_quoted ? "\"" : ",\r\n");
        snprintf(out->cells[i], CELL_BYTES, "%.*s", (int)length, at);
        at += length + (is_quoted && at[length] == '"');
        at += *at == ',';
    }
    return true;
}

static double number_of(const row *r, int cell)
{
    return strtod(r->cells[cell], NULL);
}

/* NULL: its architecture is not read, which other tests are about. */
static const roof_graph *graph_of(const char *model)
{
    char path[LINE_BYTES];
    for (uint32_t i = 0; i < n_models; i++)
        if (strcmp(models[i].name, model) == 0)
            return models[i].graph;
    assert_true(n_models < MOST_MODELS);
    snprintf(models[n_models].name, CELL_BYTES, "%s", model);
    snprintf(path, sizeof path, "%s/data/llm_everywhere/configs/%.100s.json", shared_folder(), model);
    const roof_workload workload = {.phase = ROOF_TEXT_DECODE, .context_tokens = 1, .asks_text = true};
    roof_error err;
    if (roof_graph_read_as(path, &workload, &models[n_models].graph, &err) != ROOF_OK)
        models[n_models].graph = NULL;
    return models[n_models++].graph;
}

static bool is_step(const row *r)
{
    return strcmp(r->cells[PHASE], "decode") == 0;
}

static void take(row *r)
{
    const roof_graph *graph = graph_of(r->cells[MODEL]);
    const double bandwidth = 1e9 * number_of(r, BANDWIDTH);
    const double tokens = fmax(1, number_of(r, CONTEXT));
    r->seconds = (is_step(r) ? 1 : tokens) / number_of(r, RATE);
    r->model = graph ? roof_language_of(graph) : NULL;
    if (!r->model)
        return;
    double mixed = 0;
    for (uint32_t k = 0; k < r->model->n_kinds; k++)
        if (r->model->kinds[k].mixer == ROOF_MIXER_LINEAR || r->model->kinds[k].mixer == ROOF_MIXER_CONV)
            mixed += r->model->kinds[k].count;
    const double layers = r->model->layers * (strcmp(r->model->attention, "window") == 0 ? 1.6 : 1),
                 terms[TERMS] = {number_of(r, READ_BYTES) / bandwidth, number_of(r, KV_BYTES) / bandwidth,
                                 layers, r->model->experts ? r->model->layers : 0, mixed};
    memcpy(r->terms, terms, sizeof terms);
}

static int read_all(void **state)
{
    char path[LINE_BYTES];
    (void)state;
    snprintf(path, sizeof path, "%s/data/llm_everywhere/llm_measured.csv", shared_folder());
    FILE *file = fopen(path, "rb");
    if (!file)
        skip_without(path);
    while (n_rows < MOST_ROWS && next_row(file, &rows[n_rows])) {
        row *r = &rows[n_rows];
        const bool is_one = strcmp(r->cells[STATUS], "ok") == 0 && number_of(r, BATCH) == 1;
        /* a rate at a depth is of other lengths than its column says */
        if (is_one && !strstr(r->cells[NOTE], "depth")) {
            take(r);
            n_rows++;
        }
    }
    fclose(file);
    for (uint32_t i = 0; i < n_rows; i++) {
        double of_device = 0;
        for (uint32_t k = 0; k < n_rows; k++)
            of_device += is_step(&rows[k]) && strcmp(rows[i].cells[DEVICE], rows[k].cells[DEVICE]) == 0 &&
                         strcmp(rows[i].cells[GROUP], rows[k].cells[GROUP]) == 0;
        rows[i].weight = 1 / sqrt(fmax(1, of_device));
    }
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < n_models; i++)
        roof_graph_free(models[i].graph);
    return 0;
}

/* --- bounds --------------------------------------------------------------------------------------------- */

static const char *form_of(const char *quant)
{
    static const char *const forms[][2] = {
        {"Q4_K_M", "q4_k"}, {"Q4_K_S", "q4_k"}, {"Q4_0", "q4_0"},   {"Q8_0", "q8_0"}, {"BF16", "bf16"},
        {"F16", "f16"},     {"Q6_K", "q6_k"},   {"Q5_K_M", "q5_k"}, {"4BIT", "int4"}, {"8BIT", "int8"}};
    for (size_t i = 0; i < COUNT(forms); i++)
        if (strcmp(forms[i][0], quant) == 0)
            return forms[i][1];
    return NULL;
}

/* An M1 of 7 cores is said to read 8192 tokens 18 times as fast as 4096, at 6 times its cores' rate. */
static bool is_impossible(const row *r)
{
    return strcmp(r->cells[DEVICE], "apple-m1-7c") == 0 && !is_step(r) && number_of(r, CONTEXT) > 4096;
}

/* NaN: the device or the form is not known, or the model is refused there. */
static double bound_of(const row *r)
{
    const char *form = form_of(r->cells[QUANT]), *id = r->cells[DEVICE];
    char path[LINE_BYTES];
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    roof_curve *curve = NULL;
    roof_error err;
    const uint32_t tokens = (uint32_t)fmax(1, number_of(r, CONTEXT));
    if (!form || !r->model)
        return NAN;
    snprintf(path, sizeof path, "%s/data/llm_everywhere/configs/%.100s.json", shared_folder(),
             r->cells[MODEL]);
    const roof_workload workload = {
        .phase = ROOF_TEXT_DECODE, .context_tokens = 1, .weight_type = form, .asks_text = true};
    double bound_s = NAN;
    if (roof_hw_load(strcmp(id, "strix-halo") == 0 ? "strix-halo-gpu" : id, &hw, &err) == ROOF_OK &&
        roof_graph_read_as(path, &workload, &graph, &err) == ROOF_OK) {
        const roof_curve_options o = {
            .contexts = &tokens, .prompts = &tokens, .n_contexts = is_step(r), .n_prompts = !is_step(r)};
        if (roof_curve_predict(graph, hw, &o, &curve, &err) == ROOF_OK)
            bound_s = curve->points[0].ideal_s;
    }
    roof_curve_free(curve);
    roof_graph_free(graph);
    roof_hw_free(hw);
    return bound_s;
}

static void no_bound_is_above_a_measured_time(void **state)
{
    static accuracy bounds[] = {{.what = "GPUs, processors and NPUs, steps of language models"},
                                {.what = "GPUs, processors and NPUs, prompts of language models"}};
    (void)state;
    for (uint32_t i = 0; i < n_rows; i++) {
        const row *r = &rows[i];
        const double bound_s = is_impossible(r) ? (double)NAN : bound_of(r);
        if (isnan(bound_s))
            continue;
        if (bound_s > r->seconds)
            fail_msg("%s %s %s %s %s: bound %g ms, measured %g ms", r->cells[DEVICE], r->cells[MODEL],
                     r->cells[QUANT], r->cells[PHASE], r->cells[CONTEXT], 1e3 * bound_s, 1e3 * r->seconds);
        accuracy_add_bound(&bounds[!is_step(r)], r->cells[DEVICE], bound_s, r->seconds);
    }
    for (size_t i = 0; i < COUNT(bounds); i++) {
        accuracy_tell(&bounds[i]);
        assert_true(accuracy_quantile(&bounds[i], 0) >= 1);
    }
    assert_true(bounds[0].n >= 400 && bounds[0].n_groups >= 35 && bounds[1].n >= 150);
    /* a law that is loose throughout is at fault, not its devices */
    assert_true(accuracy_quantile(&bounds[0], 0.95) < 5);
}

/* A session's full load: rates of TensorRT-LLM, one GPU, offline. */
static void no_server_is_faster_than_its_full_load(void **state)
{
    static accuracy bounds = {.what = "GPUs, servers of language models under full load"};
    char path[LINE_BYTES], line[LINE_BYTES], model[CELL_BYTES], device[CELL_BYTES], type[CELL_BYTES];
    (void)state;
    snprintf(path, sizeof path, "%s/data/llm_everywhere/serving.tsv", shared_folder());
    FILE *file = fopen(path, "rb");
    if (!file)
        skip_without(path);
    assert_non_null(fgets(line, sizeof line, file)); /* the heading */
    while (fgets(line, sizeof line, file)) {
        roof_graph *graph;
        roof_hw *hw;
        roof_curve *curve;
        roof_error err;
        unsigned in, out;
        double tokens_per_s;
        assert_int_equal(sscanf(line, "%63s %63s %63s %*s %*s %*s %u %u %lf", model, device, type, &in, &out,
                                &tokens_per_s),
                         6);
        snprintf(path, sizeof path, "%s/data/llm_everywhere/configs/%s.json", shared_folder(), model);
        const roof_workload workload = {.phase = ROOF_TEXT_DECODE,
                                        .context_tokens = 1,
                                        .weight_type = type,
                                        .cache_type = "fp8", /* as it was run */
                                        .asks_text = true};
        const roof_curve_options o = {
            .contexts = &in, .n_contexts = 1, .session_prompt = in, .session_answer = out};
        assert_int_equal(roof_hw_load(device, &hw, &err), ROOF_OK);
        assert_int_equal(roof_graph_read_as(path, &workload, &graph, &err), ROOF_OK);
        assert_int_equal(roof_curve_predict(graph, hw, &o, &curve, &err), ROOF_OK);
        accuracy_add_bound(&bounds, device, 1 / curve->session.most_tokens_per_s, 1 / tokens_per_s);
        roof_curve_free(curve);
        roof_graph_free(graph);
        roof_hw_free(hw);
    }
    fclose(file);
    accuracy_tell(&bounds);
    /* the range that its sentence says */
    const double most = 1 / accuracy_quantile(&bounds, 0), least = 1 / accuracy_quantile(&bounds, 1);
    print_message("of the rate: %.3f to %.3f\n", least, most);
    assert_true(bounds.n == 30 && fabs(most - 0.67) < 0.005 && fabs(least - 0.34) < 0.005);
}

/* --- the law, of what was left out ---------------------------------------------------------------------- */

/* Of a group of rows; NULL: none is left out. Constants are 1 / eff, 1 / kv and seconds a layer. */
static void fit(const char *group, int left_out, const char *name, double constants[TERMS])
{
    static const double prior[TERMS] = {1 / 0.8, 1 / 0.5, 40e-6, 20e-6, 60e-6},
                        scale[TERMS] = {0.5, 1, 40e-6, 40e-6, 60e-6};
    memcpy(constants, prior, sizeof prior);
    for (int round = 0; round < 30; round++) {
        double a[TERMS * TERMS] = {0}, b[TERMS] = {0}, found[TERMS];
        for (int t = 0; t < TERMS; t++) {
            a[t * TERMS + t] = 0.02 / (scale[t] * scale[t]);
            b[t] = prior[t] * a[t * TERMS + t];
        }
        for (uint32_t i = 0; i < n_rows; i++) {
            const row *r = &rows[i];
            if (!is_step(r) || !r->model || strcmp(r->cells[GROUP], group) != 0 ||
                strcmp(r->cells[left_out], name) == 0)
                continue;
            double said = 0;
            for (int t = 0; t < TERMS; t++)
                said += constants[t] * r->terms[t];
            const double error = said / r->seconds - 1, weight = r->weight / fmax(1, fabs(error) / 0.1);
            for (int s = 0; s < TERMS; s++)
                for (int t = 0; t < TERMS; t++)
                    a[s * TERMS + t] += weight * r->terms[s] * r->terms[t] / r->seconds / r->seconds;
            for (int t = 0; t < TERMS; t++)
                b[t] += weight * r->terms[t] / r->seconds;
        }
        gsl_matrix_view matrix = gsl_matrix_view_array(a, TERMS, TERMS);
        gsl_vector_view right = gsl_vector_view_array(b, TERMS), x = gsl_vector_view_array(found, TERMS);
        assert_int_equal(gsl_linalg_cholesky_decomp1(&matrix.matrix), 0);
        assert_int_equal(gsl_linalg_cholesky_solve(&matrix.matrix, &right.vector, &x.vector), 0);
        for (int t = 0; t < TERMS; t++)
            constants[t] = fmax(0, found[t]);
    }
}

static void judge(const char *group, int left_out, double factor, accuracy *out)
{
    for (uint32_t i = 0; i < n_rows; i++) {
        const row *r = &rows[i];
        double constants[TERMS], said = 0;
        if (!is_step(r) || !r->model || strcmp(r->cells[GROUP], group) != 0)
            continue;
        fit(group, left_out, r->cells[left_out], constants);
        for (int t = 0; t < TERMS; t++)
            said += constants[t] * r->terms[t];
        accuracy_add(out, r->cells[left_out], said, r->seconds, (double[]){said / factor, said * factor});
    }
}

/* The intervals are those of the entries: factor95. */
static void a_device_or_a_model_that_is_left_out_is_met(void **state)
{
    static const struct {
        const char *group, *what, *of_models;
        double factor, most; /* the median error that is allowed: one and a half of what it is */
    } groups[] = {
        {"llama.cpp cuda, GDDR", "llama.cpp over CUDA, GDDR and LPDDR, steps", "the same steps", 1.5, 0.11},
        {"llama.cpp cuda, HBM", "llama.cpp over CUDA, HBM, steps", NULL, 1.5, 0.19},
        {"llama.cpp vulkan", "llama.cpp over Vulkan, RDNA 3 and 4 and GeForce RTX, steps", "the same steps",
         1.5, 0.11},
        {"llama.cpp metal", "llama.cpp over Metal, 2025 and 2026, steps", "the same steps", 1.98, 0.18},
        {"mlx metal", "MLX, steps", "the same steps", 1.5, 0.11},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(groups); i++) {
        static accuracy tables[2];
        for (int k = 0; k < (groups[i].of_models ? 2 : 1); k++) {
            tables[k] = (accuracy){.what = k ? groups[i].of_models : groups[i].what,
                                   .constants = "a fit to the others",
                                   .left_out = k ? "models" : "devices"};
            judge(groups[i].group, k ? MODEL : DEVICE, groups[i].factor, &tables[k]);
            accuracy_tell(&tables[k]);
            assert_true(tables[k].n > 0 && accuracy_quantile(&tables[k], 0.5) <= groups[i].most);
            assert_true(tables[k].inside >= 0.9 * tables[k].n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_bound_is_above_a_measured_time),
                                       cmocka_unit_test(no_server_is_faster_than_its_full_load),
                                       cmocka_unit_test(a_device_or_a_model_that_is_left_out_is_met)};
    (void)shared_folder(); /* what begins a group cannot skip it */
    return cmocka_run_group_tests(tests, read_all, free_all);
}
