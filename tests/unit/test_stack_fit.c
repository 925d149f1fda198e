/* Constants of a stack: what was planted in several models comes out, and what one alone has is said. */
#include "measure/reconcile/steps.h"
#include "tests/property/random.h"
#include "tests/unit/fixture.h"

#include <math.h>

enum { MOST_MODELS = 8, STEPS = 6 };

/* A model, and the constants that its times are made of: w, a full layer, a sliding one, experts, class. */
typedef struct planted {
    double gigabytes, full, sliding, expert_layers;
    const char *attention;
    double class_s;
} planted;

static const double w = 14.6e-12, full_s = 0.266e-3, sliding_s = 0.656e-3, experts_s = 0.407e-3;

typedef struct study {
    stack_member members[MOST_MODELS];
    roof_timed_point steps[MOST_MODELS][STEPS];
    roof_arena *arena;
    roof_stack_fit fit;
} study;

static study *study_of(const planted *models, uint32_t n, double noise_ratio)
{
    study *s = calloc(1, sizeof *s);
    roof_error err;
    assert_non_null(s);
    s->arena = arena_new(0);
    random_state = first_seed();
    for (uint32_t i = 0; i < n; i++) {
        const planted *m = &models[i];
        s->members[i] =
            (stack_member){.curve = i,
                           .model = i,
                           .attention = m->attention,
                           .weight_bytes = 1e9 * m->gigabytes,
                           .layers = {[ROOF_MIXER_FULL] = m->full, [ROOF_MIXER_SLIDING] = m->sliding},
                           .expert_layers = m->expert_layers,
                           .steps = s->steps[i],
                           .n_steps = STEPS};
        for (uint32_t k = 0; k < STEPS; k++) {
            const double any = 2 * (double)(next_random() >> 11) / (double)(1ULL << 53) - 1;
            const uint32_t tokens = 1024u << k;
            s->steps[i][k] = (roof_timed_point){
                .phase = ROOF_TEXT_DECODE,
                .tokens = tokens,
                .seconds = (1e9 * m->gigabytes * w + m->full * full_s + m->sliding * sliding_s +
                            m->expert_layers * experts_s + tokens * m->full * m->class_s) *
                           (1 + noise_ratio * any)};
        }
    }
    if (stack_fit_make(s->members, n, s->arena, &s->fit, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return s;
}

static void study_free(study *s)
{
    arena_free(s->arena);
    free(s);
}

static const roof_stack_constant *constant_of(const study *s, const char *name)
{
    for (uint32_t i = 0; i < s->fit.n_constants; i++)
        if (strcmp(s->fit.constants[i].name, name) == 0)
            return &s->fit.constants[i];
    fail_msg("no constant is called %s", name);
    return NULL;
}

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: got %.9g, want %.9g", what, got, want);
}

static const planted dense[] = {{0.77, 16, 0, 0, "gqa_h64_kv8", 26e-9},
                                {2.01, 28, 0, 0, "gqa_h128_kv8", 41.4e-9},
                                {4.69, 32, 0, 0, "gqa_h128_kv8", 41.4e-9},
                                {2.40, 32, 0, 0, "gqa_h128_kv8", 41.4e-9},
                                {0.60, 10, 0, 0, "gqa_h64_kv8", 26e-9}};

static void constants_of_a_stack_come_out(void **state)
{
    (void)state;
    study *s = study_of(dense, COUNT(dense), 0);
    assert_null(s->fit.not_known);
    assert_int_equal(s->fit.n_constants, 4);
    assert_int_equal(s->fit.points, COUNT(dense) * STEPS);
    assert_near("weights", constant_of(s, "weights")->value, w, 1e-9 * w);
    assert_near("a full layer", constant_of(s, "full layer")->value, full_s, 1e-9 * full_s);
    assert_near("one class", constant_of(s, "gqa_h64_kv8")->value, 26e-9, 1e-16);
    assert_near("the other", constant_of(s, "gqa_h128_kv8")->value, 41.4e-9, 1e-16);
    assert_int_equal(constant_of(s, "gqa_h128_kv8")->curves, 3);
    assert_true(s->fit.left_out_mean < 1e-9 && isnan(s->fit.alone_mean));
    study_free(s);
}

/* Errors of steps of a model that is left out are larger than its own, and the range holds the value. */
static void a_range_is_over_fits_without_a_model(void **state)
{
    (void)state;
    study *s = study_of(dense, COUNT(dense), 0.01);
    for (uint32_t i = 0; i < s->fit.n_constants; i++) {
        const roof_stack_constant *c = &s->fit.constants[i];
        assert_true(c->range[0] < c->value && c->value < c->range[1]);
        assert_true(c->range[1] - c->range[0] < 0.2 * c->value);
    }
    assert_near("weights", constant_of(s, "weights")->value, w, 0.02 * w);
    assert_true(s->fit.left_out_mean > s->fit.error_mean);
    assert_true(s->fit.left_out_mean < 0.02);
    study_free(s);
}

/* What one model has of its own is said: the others foretell it by what stands in. */
static void what_one_model_alone_has_is_said(void **state)
{
    planted models[COUNT(dense) + 1];
    (void)state;
    memcpy(models, dense, sizeof dense);
    models[COUNT(dense)] = (planted){1.9, 5, 29, 0, "window_h256_kv4", 55.3e-9};
    study *s = study_of(models, COUNT(models), 0);
    for (uint32_t i = 0; i < s->fit.n_models; i++) {
        const roof_stack_model *m = &s->fit.models[i];
        assert_int_equal(m->is_alone, i == COUNT(dense));
        assert_true(m->error_ratio < 1e-9);
        assert_true(m->is_alone ? m->left_out_ratio > 0.05 : m->left_out_ratio < 1e-9);
    }
    assert_near("a sliding layer", constant_of(s, "sliding layer")->value, sliding_s, 1e-9 * sliding_s);
    assert_int_equal(constant_of(s, "sliding layer")->curves, 1);
    assert_true(s->fit.alone_mean > 0.05 && s->fit.left_out_mean < 1e-9);
    study_free(s);
}

/* A model that is measured in two forms is one witness: both of its curves are left out together. */
static void two_curves_of_a_model_are_left_out_together(void **state)
{
    planted models[COUNT(dense) + 1];
    roof_error err;
    (void)state;
    memcpy(models, dense, sizeof dense);
    models[4] = (planted){1.0, 12, 0, 0, "own_h64_kv8", 90e-9};
    models[5] = (planted){2.0, 12, 0, 0, "own_h64_kv8", 90e-9};
    study *s = study_of(models, COUNT(models), 0);
    assert_false(s->fit.models[4].is_alone);
    s->members[5].model = 4;
    s->fit = (roof_stack_fit){0};
    assert_int_equal(stack_fit_make(s->members, COUNT(models), s->arena, &s->fit, &err), ROOF_OK);
    assert_true(s->fit.models[4].is_alone && s->fit.models[5].is_alone);
    study_free(s);
}

static void nothing_is_fitted_to_too_little(void **state)
{
    static const planted alike[] = {{1, 16, 0, 0, "gqa_h64_kv8", 26e-9},
                                    {2, 32, 0, 0, "gqa_h64_kv8", 26e-9},
                                    {0.5, 8, 0, 0, "gqa_h64_kv8", 26e-9}},
                         kinds[] = {{0.77, 16, 0, 0, "gqa_h64_kv8", 26e-9},
                                    {2.01, 28, 0, 28, "gqa_h64_kv8", 26e-9},
                                    {4.69, 8, 24, 0, "gqa_h64_kv8", 26e-9}};
    static const struct {
        const planted *models;
        uint32_t n;
        const char *why;
    } rows[] = {{dense, 2, "three models"}, {alike, 3, "grow alike"}, {kinds, 3, "as many kinds"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        study *s = study_of(rows[i].models, rows[i].n, 0);
        assert_non_null(s->fit.not_known);
        assert_non_null(strstr(s->fit.not_known, rows[i].why));
        assert_int_equal(s->fit.n_constants, 0);
        study_free(s);
    }
}

/* Steps of another kernel are in no constant. */
static void steps_behind_a_kink_are_left_out(void **state)
{
    roof_error err;
    (void)state;
    study *s = study_of(dense, COUNT(dense), 0);
    s->steps[1][5].seconds /= 2;
    s->steps[1][5].is_beyond_kink = true;
    s->steps[2][0].seconds *= 2;
    s->steps[2][0].is_stray = true;
    s->fit = (roof_stack_fit){0};
    assert_int_equal(stack_fit_make(s->members, COUNT(dense), s->arena, &s->fit, &err), ROOF_OK);
    assert_near("weights", constant_of(s, "weights")->value, w, 1e-9 * w);
    assert_int_equal(s->fit.points, COUNT(dense) * STEPS - 2);
    study_free(s);
}

/* A layer that would take less than no time takes none, and the rest is fitted again. */
static void no_constant_is_below_0(void **state)
{
    planted models[COUNT(dense)];
    (void)state;
    memcpy(models, dense, sizeof dense);
    study *s = study_of(models, COUNT(models), 0);
    for (uint32_t i = 0; i < COUNT(models); i++)
        for (uint32_t k = 0; k < STEPS; k++)
            s->steps[i][k].seconds -= s->members[i].layers[ROOF_MIXER_FULL] * 1.2 * full_s;
    roof_error err;
    s->fit = (roof_stack_fit){0};
    assert_int_equal(stack_fit_make(s->members, COUNT(models), s->arena, &s->fit, &err), ROOF_OK);
    assert_near("a full layer", constant_of(s, "full layer")->value, 0, 0);
    assert_true(constant_of(s, "weights")->value > 0);
    study_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(constants_of_a_stack_come_out),
                                       cmocka_unit_test(a_range_is_over_fits_without_a_model),
                                       cmocka_unit_test(what_one_model_alone_has_is_said),
                                       cmocka_unit_test(two_curves_of_a_model_are_left_out_together),
                                       cmocka_unit_test(nothing_is_fitted_to_too_little),
                                       cmocka_unit_test(steps_behind_a_kink_are_left_out),
                                       cmocka_unit_test(no_constant_is_below_0)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
