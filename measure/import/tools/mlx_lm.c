/* Output of mlx_lm.benchmark, or of mlx_lm.generate for its one prompt:
 *
 *   Timing with prompt_tokens=512, generation_tokens=128, batch_size=1.
 *   Trial 1:  prompt_tps=1519.069, generation_tps=46.173, peak_memory=1.603
 *   Averages: prompt_tps=1518.432, generation_tps=46.160, peak_memory=1.603
 *   Prompt: 512 tokens, 1519.069 tokens-per-sec
 *   Generation: 128 tokens, 46.173 tokens-per-sec
 *
 * Rates are tokens of all sequences a second. Trials are samples; a log without them has their means.
 */
#include "measure/import/text_points.h"

enum { PROMPT, GENERATION, RATES, MOST_TRIALS = 1000 };

typedef struct reading {
    import_state *in;
    double n[3];       /* tokens of a prompt, tokens made, sequences; 0: not stated */
    double prompt_tps; /* of one prompt; 0: not stated */
    double samples_s[RATES][MOST_TRIALS];
    uint32_t n_trials;
    uint32_t n_runs;
} reading;

/* Both points of a benchmark, by the means or the trials before them. */
static roof_status add_points(reading *r, const double tps[RATES], roof_error *err)
{
    for (int i = 0; i < RATES; i++) {
        text_point point = text_point_unknown("mlx_lm");
        const double tokens = i == PROMPT ? r->n[0] * r->n[2] : r->n[2];
        text_point_of(&point, i == PROMPT ? ROOF_TEXT_PREFILL : ROOF_TEXT_DECODE, r->n[0], r->n[1]);
        point.batch = r->n[2];
        point.time = text_times_of_rate(tokens, tps[i], NAN);
        for (uint32_t k = 0; k < r->n_trials; k++)
            r->samples_s[i][k] = tokens / r->samples_s[i][k];
        if (r->n_trials)
            TRY(times_from_samples(r->in->out, r->samples_s[i], r->n_trials, &point.time, err));
        TRY(text_point_add(r->in, &point, err));
    }
    r->n_trials = 0;
    r->n_runs++;
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length});
    double n[3];
    if (span_scan(&text, "Timing with prompt_tokens=#, generation_tokens=#, batch_size=#", r->n)) {
        r->n_trials = 0;
        return ROOF_OK;
    }
    if (span_scan(&text, "Averages: prompt_tps=~, generation_tps=~", n)) {
        if (!(r->n[2] > 0))
            return error_data(err, "averages before \"Timing with prompt_tokens=...\"");
        return add_points(r, n, err);
    }
    if (span_scan(&text, "Prompt: # tokens, ~ tokens-per-sec", n)) {
        r->n[0] = n[0];
        r->prompt_tps = n[1];
    } else if (span_scan(&text, "Generation: # tokens, ~ tokens-per-sec", n) && r->prompt_tps > 0) {
        r->n[1] = n[0];
        r->n[2] = 1;
        return add_points(r, (double[]){r->prompt_tps, n[1]}, err);
    }
    if (!span_scan(&text, "Trial #: prompt_tps=~, generation_tps=~", n) || r->n_trials == MOST_TRIALS)
        return ROOF_OK;
    for (int i = 0; i < RATES; i++)
        r->samples_s[i][r->n_trials] = n[1 + i];
    r->n_trials += n[1] > 0 && n[2] > 0;
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    return r->n_runs ? ROOF_OK : error_data(err, "no averages, want the line \"Averages: prompt_tps=...\"");
}

const importer_def importer_mlx_lm = {
    .id = "mlx_lm",
    .tool = "mlx_lm",
    .next = "run mlx_lm.benchmark with several --prompt-tokens, which tell what a token of context costs",
    .marks = {SURE("prompt_tps=", "generation_tps="), SURE("Prompt: ", "Generation: ", " tokens-per-sec")},
    WHOLE_ONLY("the benchmark times a whole model"),
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
