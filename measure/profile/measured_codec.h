/* measure/profile/measured_codec.h - measured documents from anywhere, for roof_measured_read. */
#ifndef ROOF_MEASURE_PROFILE_MEASURED_CODEC_H
#define ROOF_MEASURE_PROFILE_MEASURED_CODEC_H

#include "core/json/codec.h"
#include "roofline/measured.h"

/* The document. */
extern const codec_object measured_object;

/* name: of the file, for messages and for paths that are relative to it. */
roof_status measured_codec_read(json_source source, void *context, const char *name, roof_measured **out,
                                roof_error *err);

#endif
