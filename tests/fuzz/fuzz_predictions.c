/* Documents of several predictions from untrusted files: what can be read is written, read again, and written
 * the same; and it can be shown. */
#include "model/documents/documents.h"
#include "reports/words/prediction_words.h"
#include "roofline/render.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"

#include <stdlib.h>
#include <string.h>

static roof_status read_text(const char *text, size_t length, roof_predictions **out)
{
    memory_source source = {text, length, 0};
    return predictions_codec_read(memory_read, &source, "fuzz.json", out, NULL);
}

static textbuf written(const roof_predictions *all)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    predictions_codec_write(all, &words_of_predictions, &text);
    CHECK(text_status(&text, NULL) == ROOF_OK);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"text", "csv", "markdown"};
    roof_predictions *all = NULL, *again = NULL;
    if (read_text((const char *)data, size, &all) != ROOF_OK)
        return 0;
    textbuf first = written(all);
    CHECK(read_text(first.bytes, first.length, &again) == ROOF_OK);
    textbuf second = written(again);
    CHECK(first.length == second.length && memcmp(first.bytes, second.bytes, first.length) == 0);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        CHECK(roof_render(all, &(roof_render_options){.format = formats[i]}, (roof_sink){memory_write, &text},
                          NULL) == ROOF_OK);
        text_free(&text);
    }
    text_free(&first);
    text_free(&second);
    roof_predictions_free(again);
    roof_predictions_free(all);
    return 0;
}
