/* Documents as JSON; docs/schema. */
#include "model/prediction_codec.h"
#include "reports/renderer.h"

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     textbuf *out, roof_error *err)
{
    (void)options;
    prediction_codec_write(p, out);
    return text_status(out, err);
}

const renderer_def renderer_json = {
    .id = "json",
    .prediction = render_prediction,
    .graph = inspect_json,
    .reconciliation = reconcile_json,
};
