/* The curve of a language model as text, Markdown, CSV and JSON. */
#include "reports/renderers/renderer.h"
#include "reports/tables/curve/curve_view.h"

/* All rows where a reader chooses or sorts them. */
static curve_view view_of(const rendering *r)
{
    return (curve_view){r->curve, r->options->details || r->selection->is_asked, r->arena};
}

static void put_phase(const rendering *r, roof_text_phase phase, const char *title)
{
    const curve_view v = view_of(r);
    const uint32_t n = curve_rows(&v, phase);
    cell_grid grid;
    if (!n)
        return;
    writer_title(&r->writer, title);
    const uint32_t left_out = curve_table(&v, phase, &grid);
    table_put_arranged(r, &grid);
    if (left_out) {
        text_puts(r->out, r->writer.is_markdown ? "\n" : "");
        text_printf(r->out, "%u of %u rows; --details shows all\n", n - left_out, n);
    }
    text_puts(r->out, "\n");
}

void curve_put(const rendering *r)
{
    enum { MOST_SENTENCES = 3 };
    char buffers[MOST_SENTENCES][ROOF_SENTENCE_SIZE];
    const char *sentences[MOST_SENTENCES];
    const curve_view v = view_of(r);
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES && (sentences[n] = curve_say(r->curve, (uint32_t)n, buffers[n])))
        n++;
    writer_verdict(&r->writer, sentences, n);
    put_phase(r, ROOF_TEXT_DECODE, "Steps: the next token of each sequence");
    put_phase(r, ROOF_TEXT_PREFILL, "Prompts: until the first token");
    curve_remarks(&v, &lines);
    remarks_put(&lines, &r->writer);
}

void curve_csv(const rendering *r)
{
    const curve_view v = view_of(r);
    cell_grid grid;
    curve_begin_csv(&v, &grid, r->out);
    table_keep_csv(r, &grid);
    curve_add_csv(&v, &grid);
    table_put_csv(r, &grid, "ideal_s");
}

void curve_json(const rendering *r)
{
    curve_codec_write(r->curve, &words_of_curves, r->out);
}
