/* A row that is the sum of the others is none of the layers: tables end with "Total" as often as not. */
#include "core/named.h"
#include "measure/import/importer.h"
#include "measure/profile/profile.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Names of such rows, letters alone. A layer may be called sum as well: then the numbers decide. */
static const struct {
    const char *letters;
    bool may_be_layer;
} words[] = {{"total", false},       {"totals", false},      {"grandtotal", false}, {"totaltime", false},
             {"overall", false},     {"sumoflayers", false}, {"alllayers", false},  {"layertotal", false},
             {"totallayers", false}, {"sum", true}};

enum { N_WORDS = sizeof words / sizeof *words };

static size_t word_of(const char *name)
{
    char letters[24];
    size_t n = 0;
    for (const char *c = name ? name : ""; *c; c++) {
        if (n + 1 == sizeof letters || isdigit((unsigned char)*c))
            return N_WORDS;
        if (isalpha((unsigned char)*c))
            letters[n++] = (char)tolower((unsigned char)*c);
    }
    letters[n] = '\0';
    return NAMED_AT(words, N_WORDS, letters, letters);
}

static bool is_near(double a, double b)
{
    static const double same_sum_ratio = 0.01; /* sums of printed numbers are off by their last digits */
    return fabs(a - b) <= same_sum_ratio * fmax(a, b);
}

/* The time of all executions in one inference; NaN: unknown. */
static double row_seconds(const roof_measured_layer *row)
{
    const double mean_s = isnan(row->time.mean_s) ? row->time.median_s : row->time.mean_s;
    return mean_s * (row->executions ? row->executions : 1);
}

static void take_row(import_state *in, roof_run *run, uint32_t row)
{
    const char *name = run->layers[row].name;
    double stated_s = row_seconds(&run->layers[row]), sum_s = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_layers; i++) {
        double seconds = i == row ? NAN : row_seconds(&run->layers[i]);
        if (isnan(seconds) || word_of(run->layers[i].name) < N_WORDS)
            continue;
        sum_s += seconds;
        n++;
    }
    double others_s = n ? sum_s : (double)NAN, with_s = stated_s + others_s;
    bool is_sum = is_near(stated_s, others_s);
    if (words[word_of(name)].may_be_layer && (!is_sum || run->n_layers < 3))
        return;
    memmove(&run->layers[row], &run->layers[row + 1], (run->n_layers - row - 1) * sizeof *run->layers);
    run->n_layers--;
    /* The import counted and added up with the row in it. */
    run->boundaries -= run->boundaries == run->n_layers + 1;
    run->launches -= run->launches == run->n_layers + 1;
    if (is_near(run->sum_of_layers_s, with_s))
        run->sum_of_layers_s = others_s;
    if (run->mode == ROOF_RUN_BYPASS && is_near(run->total.mean_s, with_s)) {
        run->total = times_unknown();
        run->total.mean_s = others_s;
    }
    if (is_sum) {
        run->sum_of_layers_s = isnan(run->sum_of_layers_s) ? stated_s : run->sum_of_layers_s;
        import_note(in, "row '%s' is the sum of the other %u, and no layer", SHOWN(span_of(name)),
                    run->n_layers);
    } else if (isnan(stated_s) || isnan(others_s)) {
        import_note(in, "row '%s' is left out: it is no layer", SHOWN(span_of(name)));
    } else {
        import_note(in,
                    "row '%s' of %s ms is left out: it is no layer, and the other %u add up to %s ms; look "
                    "for rows that are missing or doubled",
                    SHOWN(span_of(name)), NUMBER(1e3 * stated_s), run->n_layers, NUMBER(1e3 * others_s));
    }
}

void import_take_totals(import_state *in, roof_run *run)
{
    for (uint32_t i = run->n_layers; i-- > 0 && run->n_layers > 1;)
        if (word_of(run->layers[i].name) < N_WORDS)
            take_row(in, run, i);
}
