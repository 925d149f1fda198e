/* Documents as JSON; docs/schema. */
#include "reports/renderers/renderer.h"
#include "reports/words/prediction_words.h"

static void put_prediction(const rendering *r)
{
    prediction_codec_write(r->prediction, &words_of_predictions, r->out);
}

const renderer_def renderer_json = {.id = "json",
                                    .put = {put_prediction, inspect_json, reconcile_json, compare_json,
                                            checks_json, predictions_json, siblings_json, periodic_json,
                                            configurations_json, curve_json, trends_json, advice_json}};
