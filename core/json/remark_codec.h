/* core/json/remark_codec.h - a finding or a cause for scripts: its form and operands.
 *
 *   "form": "high_cov", "operands": [{"number": 0.2, "unit": "ratio"}]
 *
 * Forms are those of roofline/forms.def in small letters; operands stand in the order of the form's sentence.
 */
#pragma once

#include "core/json/codec.h"
#include "roofline/finding.h"

/* Writes both members; nothing of a remark without a form. */
void remark_put(jsonout *json, const roof_remark *remark);

/* Readers of the members; target is a roof_remark. A form of a later version is none. */
roof_status remark_read_form(codec *c, const json_event *event, void *target);
roof_status remark_read_operand(codec *c, const json_event *event, void *target);

/* The same as a codec_writer, for the first of the members. */
void remark_write(codec *c, const char *key, const void *target);

#define CODEC_REMARK(type, member)                                                                           \
    {CODEC_BY("form", offsetof(type, member), remark_read_form, remark_write)},                              \
    {                                                                                                        \
        CODEC_BY("operands", offsetof(type, member), remark_read_operand, NULL), .how = CODEC_EACH           \
    }
