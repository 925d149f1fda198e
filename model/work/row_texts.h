/* model/work/row_texts.h - how a layer is called for people: its name, type, shape and operators.
 *
 * Example: "conv+dw", "224x224x3 -> 112x112x32 k3x3 s2x2".
 */
#ifndef ROOF_MODEL_ROW_TEXTS_H
#define ROOF_MODEL_ROW_TEXTS_H

#include "model/program_build.h"

/* Sets name, type, shape and ops of row. Errors: E_NO_MEMORY. */
roof_status row_set_texts(program_builder *b, const roof_layer *layer, roof_row *row);

#endif
