/* model/predict/cause_facts.h - what causes of predictions and of reconciliations have in common.
 *
 * Ownership: nothing is kept.
 */
#ifndef ROOF_MODEL_PREDICT_CAUSE_FACTS_H
#define ROOF_MODEL_PREDICT_CAUSE_FACTS_H

#include "core/json/jsonout.h"
#include "core/findings.h"
#include "roofline/causes.h"

/* What is less than this part of the time is no cause. */
#define CAUSE_LEAST_SHARE 0.05

/* Whether its subject is an engine or a memory, and its gain that of twice its speed. */
bool cause_is_of_engine(const roof_cause *cause);

/* Whether its one layer says where it is. */
bool cause_is_of_one(const roof_cause *cause);

/* Whether nothing else holds before it is cleared. */
bool cause_is_doubt(const roof_cause *cause);

/* Whether it is of the model itself, whatever was measured. */
bool cause_is_limit(const roof_cause *cause);

/* Whether it is a part of the gap between what is possible and what was measured. */
bool cause_is_gap(const roof_cause *cause);

/* Whether nothing says where the time is lost: no cause, but what to measure. */
bool cause_is_unlocated(const roof_cause *cause);

/* What puts all else in doubt, then what would gain, whatever that rests on; then what only the per-layer run
 * loses, then time that nothing locates, then limits of the model. The largest part of the time first, one
 * that is not known before them. */
void causes_rank(roof_cause *causes, uint32_t n);

/* The part of a batch's passes that is left empty: batch_lanes images are done in a pass. 0: none. */
double cause_empty_lanes_ratio(uint32_t images, uint32_t batch_lanes);

/* Which of two is told first: -1, 0 or 1. causes_rank sorts by it. */
int cause_order(const void *cause, const void *other);

/* What the units of causes are called. */
typedef struct cause_names {
    const char *(*name)(const void *of, uint32_t unit);
    const void *of;
} cause_names;

/* Makes words of a remark in a buffer of ROOF_SENTENCE_SIZE: roof_remark_sentence, which reports have. */
typedef const char *(*remark_words)(const roof_remark *remark, char *buffer);

/* Writes the member "causes" of a document. */
void causes_put(jsonout *j, const roof_cause *causes, uint32_t n, const cause_names *names,
                remark_words words);

#endif
