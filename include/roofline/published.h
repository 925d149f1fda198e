/* roofline/published.h - times of networks on devices that others published, beside which every answer can be
 * laid.
 *
 * Units: seconds of one image, also of a batch.
 * Ownership: texts of times are constant. A roof_published owns its list; free it with roof_published_free.
 *
 * Exporters differ, so that no hash finds a network in other people's tables. It is the same where its input,
 * its multiply-accumulates and weights (within 3 %) and those of depthwise convolutions (within 5 %) are;
 * where nobody built the published one, its name is all that can agree.
 * A published time is no promise: on one phone's NPU two exporters of DenseNet-169 differ by a factor of 4.
 * Source: docs/hardware/boards.md.
 */
#ifndef ROOFLINE_PUBLISHED_H
#define ROOFLINE_PUBLISHED_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_PUBLISHED_SCHEMA "roofline.published/1"

/* A question for a list. */
typedef struct roof_published_question {
    const char *name;                  /* of a network, as people write it; NULL: any */
    const roof_prediction *prediction; /* of the network, in place of a name; NULL */
    const char *hw;                    /* as `roofline hw list` names it; NULL: all devices */
} roof_published_question;

typedef struct roof_published {
    const char *network, *hardware; /* as asked; NULL: all */
    roof_published_time *times;     /* of one network the shortest first, else in the order of the table */
    uint32_t n_times;
    struct roof_arena *arena; /* private */
} roof_published;

/* Errors: E_NO_INPUT for hardware that there is not; E_NO_MEMORY. None found is no error.
 * Example: tests/unit/test_published_times.c. */
ROOF_API roof_status roof_published_find(const roof_published_question *question, roof_published **out,
                                         roof_error *err);
ROOF_API void roof_published_free(roof_published *published);

ROOF_END_C
#endif
