#include "measure/reconcile/steps.h"

#include <gsl/gsl_linalg.h>

/* Constants in their order; classes of attention follow, in the order of their first model. */
enum { WEIGHTS, LAYERS, EXPERTS = LAYERS + ROOF_MIXERS, CLASSES };

static const char *const names[CLASSES] = {
    [WEIGHTS] = "weights",
    [LAYERS + ROOF_MIXER_FULL] = "full layer",
    [LAYERS + ROOF_MIXER_SLIDING] = "sliding layer",
    [LAYERS + ROOF_MIXER_LINEAR] = "linear layer",
    [LAYERS + ROOF_MIXER_CONV] = "convolution layer",
    [LAYERS + ROOF_MIXER_MAMBA] = "state space layer",
    [EXPERTS] = "experts of a layer",
};

/* All models, and room to work in: a row for each step, a column for each constant. */
typedef struct fitting {
    const stack_member *members;
    const char **classes;
    uint32_t n, n_classes, n_columns, rows;
    double *matrix, *right, *tau, *solution, *residual, *norms;
    uint32_t *columns; /* of a fit: which constants it has */
} fitting;

static bool is_used(const roof_timed_point *p)
{
    return !p->is_beyond_kink && !p->is_stray && p->seconds > 0;
}

/* Factor of a constant in a step: seconds are the sum over constants of the factor times the constant. */
static double amount(const fitting *f, const stack_member *m, uint32_t constant, double tokens)
{
    if (constant == WEIGHTS)
        return m->weight_bytes;
    if (constant < EXPERTS)
        return m->layers[constant - LAYERS];
    if (constant == EXPERTS)
        return m->expert_layers;
    return m->attention && strcmp(f->classes[constant - CLASSES], m->attention) == 0
               ? tokens * m->layers[ROOF_MIXER_FULL]
               : 0;
}

/* Curves that have it, without those of a model; ROOF_NONE: of all. */
static uint32_t curves_with(const fitting *f, uint32_t constant, uint32_t left_out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i++)
        n += f->members[i].model != left_out && amount(f, &f->members[i], constant, 1) > 0;
    return n;
}

/* --- least squares of fitted / measured - 1 ------------------------------------------------------------- */

static uint32_t fill(const fitting *f, uint32_t left_out, uint32_t n_columns)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < f->n; i++)
        for (uint32_t k = 0; f->members[i].model != left_out && k < f->members[i].n_steps; k++) {
            const roof_timed_point *p = &f->members[i].steps[k];
            if (!is_used(p))
                continue;
            for (uint32_t c = 0; c < n_columns; c++)
                f->matrix[(size_t)row * n_columns + c] =
                    amount(f, &f->members[i], f->columns[c], p->tokens) / p->seconds;
            f->right[row++] = 1;
        }
    return row;
}

/* The first column that the models do not separate from those before it; n_columns: none, and there is a
 * solution. */
static uint32_t solve(const fitting *f, uint32_t left_out, uint32_t n_columns)
{
    static const double least_apart = 1e-4;
    const uint32_t rows = fill(f, left_out, n_columns);
    if (rows < n_columns || !n_columns)
        return 0;
    gsl_matrix_view a = gsl_matrix_view_array(f->matrix, rows, n_columns);
    for (uint32_t c = 0; c < n_columns;
         c++) { /* of one length: what the diagonal of R has no other one says */
        gsl_vector_view column = gsl_matrix_column(&a.matrix, c);
        double squares = 0;
        for (uint32_t r = 0; r < rows; r++)
            squares += gsl_vector_get(&column.vector, r) * gsl_vector_get(&column.vector, r);
        f->norms[c] = sqrt(squares);
        for (uint32_t r = 0; r < rows; r++)
            f->matrix[(size_t)r * n_columns + c] /= f->norms[c];
    }
    gsl_vector_view tau = gsl_vector_view_array(f->tau, n_columns), b = gsl_vector_view_array(f->right, rows),
                    x = gsl_vector_view_array(f->solution, n_columns),
                    residual = gsl_vector_view_array(f->residual, rows);
    gsl_linalg_QR_decomp(&a.matrix, &tau.vector);
    for (uint32_t c = 0; c < n_columns; c++)
        if (!(fabs(f->matrix[(size_t)c * n_columns + c]) > least_apart))
            return c;
    gsl_linalg_QR_lssolve(&a.matrix, &tau.vector, &b.vector, &x.vector, &residual.vector);
    for (uint32_t c = 0; c < n_columns; c++)
        f->solution[c] /= f->norms[c];
    return n_columns;
}

/* The constant that is farthest below 0, by what it takes of the steps; n_columns: none is. */
static uint32_t most_negative(const fitting *f, uint32_t n_columns)
{
    uint32_t most = n_columns;
    double least = 0;
    for (uint32_t c = 0; c < n_columns; c++)
        if (f->solution[c] * f->norms[c] < least) {
            least = f->solution[c] * f->norms[c];
            most = c;
        }
    return most;
}

/* How many constants the curves do not separate from others: these stay NaN, as those that no curve has. */
static uint32_t fit_without(const fitting *f, uint32_t left_out, double *values)
{
    uint32_t n_columns = 0, untold = 0, gone;
    for (uint32_t c = 0; c < f->n_columns; c++) {
        values[c] = NAN;
        if (curves_with(f, c, left_out))
            f->columns[n_columns++] = c;
    }
    while (n_columns) {
        gone = solve(f, left_out, n_columns);
        if (gone < n_columns) {
            untold++;
        } else {
            gone = most_negative(f, n_columns);
            if (gone == n_columns)
                break;
            values[f->columns[gone]] = 0;
        }
        memmove(&f->columns[gone], &f->columns[gone + 1], (n_columns - gone - 1) * sizeof *f->columns);
        n_columns--;
    }
    for (uint32_t c = 0; c < n_columns; c++)
        values[f->columns[c]] = f->solution[c];
    return untold;
}

/* --- errors --------------------------------------------------------------------------------------------- */

/* The median class stands in for one that no other model has, and a full layer for a layer type. Experts have
 * no stand-in. */
static void stand_in(const fitting *f, double *values, double *scratch)
{
    for (uint32_t c = CLASSES; c < f->n_columns; c++)
        scratch[c - CLASSES] = values[c];
    const double median = step_fit_median(scratch, f->n_columns - CLASSES);
    for (uint32_t c = LAYERS; c < f->n_columns; c++)
        if (isnan(values[c]))
            values[c] = c >= CLASSES ? median : c == EXPERTS ? 0 : values[LAYERS + ROOF_MIXER_FULL];
}

/* Errors of all steps of a kind, for their median and mean. */
typedef struct errors {
    double *values, sum;
    uint32_t n;
} errors;

static void take(errors *e, double *median, double *mean)
{
    *mean = e->n ? e->sum / e->n : (double)NAN;
    *median = step_fit_median(e->values, e->n);
}

/* The median of a model's own steps; each is added to all. */
static double judge(const fitting *f, const double *values, const stack_member *m, double *scratch,
                    errors *all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_steps; i++)
        if (is_used(&m->steps[i])) {
            double seconds = 0;
            for (uint32_t c = 0; c < f->n_columns; c++) {
                const double part = amount(f, m, c, m->steps[i].tokens);
                seconds += part > 0 ? part * values[c] : 0;
            }
            const double error = fabs(seconds / m->steps[i].seconds - 1);
            scratch[n++] = error;
            all->values[all->n++] = error;
            all->sum += error;
        }
    return step_fit_median(scratch, n);
}

/* --- all of it ------------------------------------------------------------------------------------------ */

/* Why there is nothing to fit; NULL: there is. */
static const char *too_little(const fitting *f)
{
    uint32_t kinds = 0, models = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t first = 0;
        while (f->members[first].model != f->members[i].model)
            first++;
        models += first == i;
    }
    for (uint32_t c = 0; c < CLASSES; c++)
        kinds += curves_with(f, c, ROOF_NONE) > 0;
    if (models < ROOF_MIN_MODELS)
        return "constants of a stack take steps of three models or more";
    return models <= kinds
               ? "there are as many kinds of layers as models, so that no step tells them from weights"
               : NULL;
}

static roof_status put_constants(const fitting *f, const double *values, roof_arena *arena,
                                 roof_stack_fit *out, roof_error *err)
{
    TRY(ARENA_GET(arena, out->constants, f->n_columns, err));
    for (uint32_t c = 0; c < f->n_columns; c++) {
        const uint32_t curves = curves_with(f, c, ROOF_NONE);
        if (curves)
            out->constants[out->n_constants++] =
                (roof_stack_constant){.name = c < CLASSES ? names[c] : f->classes[c - CLASSES],
                                      .unit = c == WEIGHTS  ? "s/byte"
                                              : c < CLASSES ? "s"
                                                            : "s/token",
                                      .value = values[c],
                                      .range = {NAN, NAN},
                                      .curves = curves};
    }
    return ROOF_OK;
}

/* A model is left out in turn. */
static roof_status find_errors(fitting *f, const double *values, roof_arena *arena, roof_stack_fit *out,
                               roof_error *err)
{
    double *without, *scratch;
    errors all = {0}, seen = {0}, alone = {0};
    TRY(ARENA_GET(arena, without, f->n_columns, err));
    TRY(ARENA_GET(arena, scratch, (size_t)f->rows + f->n_columns, err));
    TRY(ARENA_GET3(arena, all.values, seen.values, alone.values, f->rows, err));
    TRY(ARENA_GET(arena, out->models, f->n, err));
    FOR_EACH(const stack_member, m, f->members, f->n) {
        roof_stack_model *model = &out->models[out->n_models++];
        *model = (roof_stack_model){.curve = m->curve};
        model->error_ratio = judge(f, values, m, scratch, &all);
        bool are_apart = !fit_without(f, m->model, without); /* else one constant holds a part of another */
        for (uint32_t c = 0, at = 0; c < f->n_columns && are_apart; c++)
            if (curves_with(f, c, ROOF_NONE))
                range_widen(out->constants[at++].range, without[c]);
        for (uint32_t c = 0; c < f->n_columns; c++) /* a constant that no other model tells */
            model->is_alone = model->is_alone || (amount(f, m, c, 1) > 0 && isnan(without[c]));
        stand_in(f, without, scratch);
        model->left_out_ratio = judge(f, without, m, scratch, model->is_alone ? &alone : &seen);
    }
    out->points = all.n;
    take(&all, &out->error_median, &out->error_mean);
    take(&seen, &out->left_out_median, &out->left_out_mean);
    take(&alone, &out->alone_median, &out->alone_mean);
    return ROOF_OK;
}

roof_status stack_fit_make(const stack_member *members, uint32_t n, roof_arena *arena, roof_stack_fit *out,
                           roof_error *err)
{
    fitting f = {.members = members, .n = n};
    double *values;
    out->error_median = out->error_mean = out->left_out_median = out->left_out_mean = NAN;
    out->alone_median = out->alone_mean = NAN;
    TRY(ARENA_GET(arena, f.classes, n, err));
    for (uint32_t i = 0; i < n; i++) {
        const char *own = members[i].attention;
        if (own && WORD_AT(f.classes, f.n_classes, own) == f.n_classes)
            f.classes[f.n_classes++] = own;
        f.rows += members[i].n_steps;
    }
    f.n_columns = CLASSES + f.n_classes;
    out->not_known = too_little(&f);
    if (out->not_known)
        return ROOF_OK;
    TRY(ARENA_GET(arena, f.matrix, (size_t)f.rows * f.n_columns, err));
    TRY(ARENA_GET2(arena, f.right, f.residual, f.rows, err));
    TRY(ARENA_GET3(arena, f.tau, f.solution, f.norms, f.n_columns, err));
    TRY(ARENA_GET2(arena, f.columns, values, f.n_columns, err));
    if (fit_without(&f, ROOF_NONE, values)) {
        out->not_known = "weights and layers of these models grow alike, so that no fit separates them";
        return ROOF_OK;
    }
    TRY(put_constants(&f, values, arena, out, err));
    return find_errors(&f, values, arena, out, err);
}
