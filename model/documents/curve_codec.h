/* model/documents/curve_codec.h - roofline.curve/1 in and out of memory. */
#ifndef ROOF_MODEL_DOCUMENTS_CURVE_CODEC_H
#define ROOF_MODEL_DOCUMENTS_CURVE_CODEC_H

#include "core/json/codec.h"
#include "roofline/language.h"

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

#endif
