/* Curves of language models from untrusted files: what can be read is written, read again, and written the
 * same; it can be shown, and its charts have no text on another. */
#include "model/documents/documents.h"
#include "reports/words/curve_words.h"
#include "roofline/render.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/chart_check.h"
#include "tests/support/memory_io.h"

#include <stdlib.h>
#include <string.h>

static roof_status read_text(const char *text, size_t length, roof_curve **out)
{
    memory_source source = {text, length, 0};
    return curve_codec_read(memory_read, &source, "fuzz.json", out, NULL);
}

static textbuf written(const roof_curve *curve)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    curve_codec_write(curve, &words_of_curves, &text);
    CHECK(text_status(&text, NULL) == ROOF_OK);
    return text;
}

static void draw(const char *id, const roof_curve *curve)
{
    chart_figure f;
    bool is_empty;
    char fault[1500];
    CHECK(chart_draw(chart_named(id), &(chart_source){.curve = curve}, canvas_wide, &f, &is_empty, NULL) ==
          ROOF_OK);
    CHECK(!chart_fault(&f, fault, sizeof fault));
    figure_free(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"text", "csv", "markdown"};
    roof_curve *curve = NULL, *again = NULL;
    if (read_text((const char *)data, size, &curve) != ROOF_OK)
        return 0;
    textbuf first = written(curve);
    CHECK(read_text(first.bytes, first.length, &again) == ROOF_OK);
    textbuf second = written(again);
    CHECK(first.length == second.length && memcmp(first.bytes, second.bytes, first.length) == 0);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        CHECK(roof_render(curve, &(roof_render_options){.format = formats[i]},
                          (roof_sink){memory_write, &text}, NULL) == ROOF_OK);
        text_free(&text);
    }
    draw("curve", curve);
    draw("memory_use", curve);
    text_free(&first);
    text_free(&second);
    roof_curve_free(again);
    roof_curve_free(curve);
    return 0;
}
