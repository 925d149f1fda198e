#include "measure/calibrate/families.h"
#include "core/sets.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- which networks are alike -------------------------------------------------------------------------- */

/* A hash of the kinds of rows: operators, and whether they take every pixel, which a shape tells as in "k3x3
 * s2x2". 0: nothing is known. */
static roof_status hash_of_kinds(const roof_prediction *p, roof_arena *arena, uint64_t *hash, roof_error *err)
{
    size_t n = 0;
    *hash = 0;
    if (!p)
        return ROOF_OK;
    uint64_t *kinds;
    TRY(ARENA_GET(arena, kinds, (size_t)p->n_layers + 1, err));
    FOR_EACH(const roof_layer_prediction, l, p->layers, p->n_layers) {
        const char *stride = l->shape ? strstr(l->shape, " s") : NULL;
        if (l->executor != ROOF_BY_HOST && !l->is_remainder && *l->type)
            kinds[n++] =
                XXH3_64bits_withSeed(l->type, strlen(l->type), stride && strncmp(stride, " s1x1", 5) != 0);
    }
    /* A block that follows itself is kept once, whatever its length: those of a transformer are shorter. */
    enum { LONGEST_BLOCK = 64 };
    for (size_t length = 1; length <= LONGEST_BLOCK && 2 * length <= n; length++) {
        size_t kept = 0;
        for (size_t i = 0; i < n; i++) {
            kinds[kept++] = kinds[i];
            const uint64_t *end = kinds + kept;
            if (kept >= 2 * length && end[-1] == end[-1 - (ptrdiff_t)length] &&
                memcmp(end - length, end - 2 * length, length * sizeof *kinds) == 0)
                kept -= length;
        }
        n = kept;
    }
    if (n)
        *hash = XXH3_64bits(kinds, n * sizeof *kinds);
    return ROOF_OK;
}

static double cosine(const double *a, const double *b, size_t n)
{
    double both = 0, of_a = 0, of_b = 0;
    for (size_t i = 0; i < n; i++) {
        both += a[i] * b[i];
        of_a += a[i] * a[i];
        of_b += b[i] * b[i];
    }
    return of_a > 0 && of_b > 0 ? both / sqrt(of_a * of_b) : NAN;
}

roof_status families_find(const roof_reconciliation *r, const double *shares, size_t n_shares,
                          uint32_t *family, roof_arena *arena, roof_error *err)
{
    /* The published grouping by shares, docs/hardware/dpuczdx8g.md, "Intervals". */
    static const double alike_cosine = 0.97;
    enum { MOST_COMPARED = 1000 }; /* each experiment with so many others, so that time stays linear */
    uint64_t *kinds;
    const char **labels;
    TRY(ARENA_GET2(arena, kinds, labels, (size_t)r->n_experiments + 1, err));
    for (uint32_t i = 0; i < r->n_experiments; i++) {
        TRY(hash_of_kinds(r->experiments[i].prediction, arena, &kinds[i], err));
        family[i] = i;
        labels[i] = r->experiments[i].family;
        for (uint32_t k = 0; k < i && k < MOST_COMPARED; k++) {
            uint32_t one = sets_root(family, k), other = sets_root(family, i);
            const char *label = r->experiments[i].family, *of_other = r->experiments[k].family;
            /* another build or board says more of this network than any other network does */
            const roof_prediction *p = r->experiments[i].prediction, *q = r->experiments[k].prediction;
            const char *hash = p && q ? p->model.graph_hash : NULL, *of_q = hash ? q->model.graph_hash : NULL;
            bool alike = (label && of_other && strcmp(label, of_other) == 0) ||
                         (of_q && *hash && strcmp(hash, of_q) == 0) || (kinds[i] && kinds[i] == kinds[k]) ||
                         cosine(shares + i * n_shares, shares + k * n_shares, n_shares) > alike_cosine;
            bool differ = labels[one] && labels[other] && strcmp(labels[one], labels[other]) != 0;
            if (one == other || !alike || differ)
                continue;
            const uint32_t root = sets_join(family, one < other ? one : other, one < other ? other : one);
            labels[root] = labels[one] ? labels[one] : labels[other];
        }
    }
    for (uint32_t i = 0; i < r->n_experiments; i++)
        family[i] = sets_root(family, i);
    return ROOF_OK;
}

/* --- what the constants are known by ------------------------------------------------------------------- */

/* Adds J' V^-1 J, where V^-1 = D^-1 - s^2 D^-1 1 1' D^-1 / (1 + s^2 1' D^-1 1) (Sherman and Morrison). D are
 * the rows' own variances; the second term takes off what a family has in common. */
static void add_information(const family_data *d, gsl_matrix *a, double *sums, double *weights)
{
    uint32_t p = d->n_constants;
    double variance = d->family_scatter * d->family_scatter;
    FOR_EACH(const family_row, row, d->rows, d->n_rows) {
        double weight = 1 / (row->scatter * row->scatter), *sum = sums + (size_t)row->family * p;
        weights[row->family] += weight;
        for (uint32_t k = 0; k < p; k++) {
            sum[k] += weight * row->gradient[k];
            for (uint32_t l = 0; l < p; l++)
                *gsl_matrix_ptr(a, k, l) += weight * row->gradient[k] * row->gradient[l];
        }
    }
    for (uint32_t g = 0; g < d->families; g++) {
        const double *u = sums + (size_t)g * p;
        double factor = variance / (1 + variance * weights[g]);
        for (uint32_t k = 0; k < p; k++)
            for (uint32_t l = 0; l < p; l++)
                *gsl_matrix_ptr(a, k, l) -= factor * u[k] * u[l];
    }
}

roof_status families_covariance(const family_data *d,
                                double covariance[ROOF_MAX_PARAMETERS][ROOF_MAX_PARAMETERS], roof_error *err)
{
    uint32_t p = d->n_constants;
    double *sums = calloc((size_t)d->families * p + 1, sizeof *sums);
    double *weights = calloc((size_t)d->families + 1, sizeof *weights);
    gsl_error_handler_t *before = gsl_set_error_handler_off(); /* it would abort the caller's process */
    gsl_matrix *a = gsl_matrix_calloc(p, p);
    roof_status status = ROOF_OK;
    if (!sums || !weights || !a) {
        status = error_memory(err);
    } else {
        for (uint32_t k = 0; k < p; k++)
            gsl_matrix_set(a, k, k, 1 / (d->prior_width[k] * d->prior_width[k]));
        add_information(d, a, sums, weights);
        if (gsl_linalg_cholesky_decomp1(a) != GSL_SUCCESS || gsl_linalg_cholesky_invert(a) != GSL_SUCCESS)
            status =
                error_data(err, "the profiles cannot be fitted: how the constants act on them is not finite");
    }
    for (uint32_t k = 0; k < p && status == ROOF_OK; k++)
        for (uint32_t l = 0; l < p; l++)
            covariance[k][l] = gsl_matrix_get(a, k, l);
    gsl_matrix_free(a);
    gsl_set_error_handler(before);
    free(sums);
    free(weights);
    return status;
}
