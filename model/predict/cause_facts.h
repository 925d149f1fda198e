/* model/predict/cause_facts.h - what causes of predictions and of reconciliations have in common.
 *
 * Ownership: nothing is kept.
 */
#pragma once

#include "core/json/jsonout.h"
#include "core/findings.h"
#include "roofline/causes.h"

/* The least part of the time that is a cause. */
#define CAUSE_LEAST_SHARE 0.05

/* True if its subject is an engine or a memory, and its gain that of twice its speed. */
bool cause_is_of_engine(const roof_cause *cause);

/* True if its one layer says where it is. */
bool cause_is_of_one(const roof_cause *cause);

/* True if nothing else holds before it is cleared. */
bool cause_is_doubt(const roof_cause *cause);

/* True if it is of the model itself, whatever was measured. */
bool cause_is_limit(const roof_cause *cause);

/* True if the lost time is not located: no cause, but something to measure. */
bool cause_is_unlocated(const roof_cause *cause);

/* Order: doubts about all else; causes with a saving, whatever that rests on; losses of the per-layer run
 * alone; time that is not located; limits of the model. Within these the largest part of the time first,
 * unknown ones before them. */
void causes_rank(roof_cause *causes, uint32_t n);

/* The part of a batch's passes that is left empty: batch_lanes images are done in a pass. 0: none. */
double cause_empty_lanes_ratio(uint32_t images, uint32_t batch_lanes);

/* The order of two causes: -1, 0 or 1. causes_rank sorts by it. */
int cause_order(const void *cause, const void *other);

/* Names of the units of causes. */
typedef struct cause_names {
    const char *(*name)(const void *of, uint32_t unit);
    const void *of;
    const char *model;                       /* model of the matches, where there are several; NULL */
    const struct roof_prediction *requested; /* commands name its file and hardware; NULL: none */
} cause_names;

/* Makes words of a remark in a buffer of ROOF_SENTENCE_SIZE: roof_remark_sentence, which reports have. */
typedef const char *(*remark_words)(const roof_remark *remark, char *buffer);

/* Writes the member "causes" of a document. */
void causes_put(jsonout *j, const roof_cause *causes, uint32_t n, const cause_names *names,
                remark_words words);
