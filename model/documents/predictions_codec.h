/* model/documents/predictions_codec.h - roofline.predictions/1 in and out of memory. */
#ifndef ROOF_MODEL_DOCUMENTS_PREDICTIONS_CODEC_H
#define ROOF_MODEL_DOCUMENTS_PREDICTIONS_CODEC_H

#include "model/documents/prediction_codec.h"
#include "roofline/predictions.h"

/* Reads from a source; a message begins with name. *out: NULL after a failure. */
roof_status predictions_codec_read(json_source source, void *context, const char *name,
                                   roof_predictions **out, roof_error *err);

/* Writes the document; text remembers a failed allocation. */
void predictions_codec_write(const roof_predictions *all, const prediction_words *words, textbuf *text);

#endif
