/* model/documents/prediction_codec.h - roofline.prediction/1 in and out of memory, on its own or inside
 * another document. */
#ifndef ROOF_MODEL_DOCUMENTS_PREDICTION_CODEC_H
#define ROOF_MODEL_DOCUMENTS_PREDICTION_CODEC_H

#include "core/json/codec.h"
#include "roofline/prediction.h"

/* The document. Its user is the prediction, whose engines are named in it. */
extern const codec_object prediction_object;

/* "time" or "rate" of a roof_pair, as an answer. */
void prediction_codec_write_answer(codec *c, const char *key, const void *target);

/* Reads the prediction that event opened. *out: for roof_prediction_free; NULL after a failure. */
roof_status prediction_codec_read(codec *outer, const json_event *event, roof_prediction **out);

/* Executor of a device, by the device's word. */
roof_executor executor_of_device(const char *device);

/* Writers of sentences about a prediction's facts, in buffers of ROOF_SENTENCE_SIZE bytes:
 * roof_remark_sentence and roof_prediction_sentence, which reports have; and its conditions, by the table of
 * comparisons. */
typedef struct prediction_words {
    const char *(*remark)(const roof_remark *remark, char *buffer);
    const char *(*verdict)(const roof_prediction *prediction, uint32_t i, char *buffer);
    /* An object: under which conditions its times are. */
    void (*conditions)(const roof_prediction *prediction, const char *key, jsonout *out);
} prediction_words;

/* Writes the document; text remembers a failed allocation. */
void prediction_codec_write(const roof_prediction *prediction, const prediction_words *words, textbuf *text);

#endif
