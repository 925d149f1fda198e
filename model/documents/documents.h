/* model/documents/documents.h - documents in and out of memory, and the members that they share: predictions,
 * one alone or several, curves and calibrations (docs/schema).
 *
 * Ownership: as in the public header of each.
 */
#pragma once

#include "core/files/input.h"
#include "core/json/codec.h"
#include "roofline/calibration.h"
#include "roofline/language.h"
#include "roofline/prediction.h"
#include "roofline/predictions.h"

/* Defines the reader of a document's file by the reader of its source. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type in parentheses is none */
#define DOCUMENT_READS(function, type, from_source)                                                          \
    roof_status function(const char *path, type **out, roof_error *err)                                      \
    {                                                                                                        \
        input_file input;                                                                                    \
        *out = NULL;                                                                                         \
        TRY(input_open(path, 0, &input, err));                                                               \
        roof_status status = from_source(input_read, &input, input.name, out, err);                          \
        input_close(&input);                                                                                 \
        return status;                                                                                       \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* ---- roofline.prediction/1, on its own or inside another document ---- */

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

/* The member "llm", and what it shares with a curve: objects of roof_prediction; roof_language_counts,
 * _expectation, _memory; double[ROOF_LANGUAGE_PARTS]. */
extern const codec_object language_object, language_counts_object, language_expected_object,
    language_memory_object, language_parts_object;

/* "", "prefill", "decode": of roof_text_phase. "weights" and so on: of roof_language_part. */
extern const char *const language_phases[], *const language_parts[];

/* The member "throughput". */
extern const codec_object throughput_object;

/* ---- roofline.predictions/1 ---- */

/* Reads from a source; a message begins with name. *out: NULL after a failure. */
roof_status predictions_codec_read(json_source source, void *context, const char *name,
                                   roof_predictions **out, roof_error *err);

/* Writes the document; text remembers a failed allocation. */
void predictions_codec_write(const roof_predictions *all, const prediction_words *words, textbuf *text);

/* ---- roofline.curve/1 ---- */

/* The document. */
extern const codec_object curve_object;

/* Writers of sentences about a curve, in buffers of ROOF_SENTENCE_SIZE bytes: curve_say, which reports
 * have. */
typedef struct curve_words {
    const char *(*verdict)(const roof_curve *curve, uint32_t i, char *buffer);
} curve_words;

/* Reads from a source; a message begins with name. *out: for roof_curve_free; NULL after a failure. */
roof_status curve_codec_read(json_source source, void *context, const char *name, roof_curve **out,
                             roof_error *err);

/* Writes the document; text remembers a failed allocation. words NULL: without sentences. */
void curve_codec_write(const roof_curve *curve, const curve_words *words, textbuf *text);

/* ---- roofline.calibration/1 ---- */

/* Reads a document from anywhere; name: of the file, for messages. */
roof_status calibration_read_from(json_source source, void *context, const char *name, roof_calibration **out,
                                  roof_error *err);

/* The document, as it is written; also as a member of another one. */
extern const codec_object calibration_object;
