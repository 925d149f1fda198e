/* Documents as JSON; docs/schema. */
#include "model/documents/prediction_codec.h"
#include "reports/renderers/renderer.h"

static void put_prediction(const rendering *r)
{
    prediction_codec_write(r->prediction, r->out);
}

const renderer_def renderer_json = {.id = "json", .put = {put_prediction, inspect_json, reconcile_json, compare_json, checks_json}};
