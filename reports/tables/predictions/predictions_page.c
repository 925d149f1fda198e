/* Networks on boards as text, Markdown, CSV and JSON. */
#include "model/documents/documents.h"
#include "reports/renderers/renderer.h"
#include "reports/tables/predictions/predictions_view.h"
#include "reports/words/finding_groups.h"
#include "reports/words/prediction_words.h"

static predictions_view view_of(const rendering *r)
{
    return (predictions_view){r->predictions->pairs, r->predictions->n, r->options->details, r->arena};
}

void predictions_put(const rendering *r)
{
    enum { MOST_SENTENCES = 16 };
    const predictions_view v = view_of(r);
    const char *sentences[MOST_SENTENCES];
    cell_grid grid;
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES && (sentences[n] = predictions_sentence(&v, (uint32_t)n)))
        n++;
    writer_verdict(&r->writer, sentences, n);
    predictions_table(&v, &grid);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
    predictions_remarks(&v, &lines);
    finding_groups groups = {.arena = r->arena};
    for (uint32_t i = 0; i < v.n; i++) {
        const roof_prediction *p = v.pairs[i].prediction;
        const char *name =
            say_printf(r->arena, "%s on %s", predictions_model(&v, i), predictions_board(&v, i));
        for (uint32_t k = 0; p && k < p->n_findings; k++)
            finding_groups_add(&groups, &p->findings[k], name, 1);
    }
    remarks_put(&lines, &r->writer);
    finding_groups_put(&groups, &r->writer, r->options);
}

void predictions_csv(const rendering *r)
{
    const predictions_view v = view_of(r);
    cell_grid grid;
    predictions_begin_csv(&v, &grid, r->out);
    table_keep_csv(r, &grid);
    predictions_add_rows(&v, &grid);
    table_put_csv(r, &grid, "best_s");
}

void predictions_json(const rendering *r)
{
    predictions_codec_write(r->predictions, &words_of_predictions, r->out);
}
