#include "tests/support/prediction_check.h"
#include "reports/words/prediction_words.h"
#include "tests/fuzz/fuzz_target.h"

#include <string.h>

static roof_status read_text(const textbuf *text, roof_prediction **out)
{
    json_event event;
    codec c = {.puller = jsonpull_of_memory(text->bytes, text->length)};
    *out = NULL;
    CHECK(c.puller && jsonpull_next(c.puller, &event, NULL) == ROOF_OK);
    roof_status status = prediction_codec_read(&c, &event, out);
    jsonpull_free(c.puller);
    return status;
}

void check_prediction_comes_back(const roof_prediction *prediction, bool may_be_refused)
{
    textbuf first, second;
    roof_prediction *again;
    text_init(&first, TEXT_MAX_BYTES);
    text_init(&second, TEXT_MAX_BYTES);
    prediction_codec_write(prediction, &words_of_predictions, &first);
    roof_status status = read_text(&first, &again);
    CHECK(status == ROOF_OK || (may_be_refused && status == ROOF_E_DATA));
    if (status == ROOF_OK) {
        prediction_codec_write(again, &words_of_predictions, &second);
        CHECK(text_status(&second, NULL) == ROOF_OK && first.length == second.length);
        CHECK(memcmp(first.bytes, second.bytes, first.length) == 0);
    }
    roof_prediction_free(again);
    text_free(&first);
    text_free(&second);
}
