/* model/documents/calibration_codec.h - calibrations as JSON.
 *
 * Ownership: as in roofline/calibration.h.
 */
#ifndef ROOF_MODEL_DOCUMENTS_CALIBRATION_CODEC_H
#define ROOF_MODEL_DOCUMENTS_CALIBRATION_CODEC_H

#include "core/json/codec.h"
#include "roofline/calibration.h"

/* Reads a document from anywhere; name: of the file, for messages. */
roof_status calibration_read_from(json_source source, void *context, const char *name, roof_calibration **out,
                                  roof_error *err);

/* The document, as it is written; also as a member of another one. */
extern const codec_object calibration_object;

#endif
