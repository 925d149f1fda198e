/* reports/words/memory_words.h - whether a network fits into its memory, which row sets the peak, and what
 * must shrink, in sentences.
 *
 * Ownership: texts are the arena's; "" without memory.
 */
#pragma once

#include "core/table/writer.h"
#include "reports/words/say.h"
#include "roofline/memory.h"
#include "roofline/prediction.h"

/* The first sentence: whether it fits, and which row sets the peak. */
const char *memory_verdict(roof_arena *arena, const roof_memory *memory);

/* Lines on pools that are too small: what must shrink; and on what is unknown. */
void memory_remarks(const roof_memory *memory, remarks *r);

/* "npuRAM5"; "REG_1 of subgraph 2" where several subgraphs have one; "activations as stored". */
const char *memory_pool_words(roof_arena *arena, const roof_memory *memory, const roof_memory_pool *pool);

/* "epoch_5", "rows 3 to 7": what names them, shown as text from a file; "?" for what is unknown. */
const char *memory_row_words(roof_arena *arena, const roof_memory *memory, const roof_memory_pool *pool,
                             uint32_t row);

/* The pool, or all RAM together, whose row the first sentence names; NULL: it names none. */
const roof_memory_pool *memory_said_pool(const roof_memory *memory);

/* Layer of a prediction for a row of memory: the only one of that name. Names are borrowed. NULL without
 * memory. */
typedef struct memory_layers memory_layers;
const memory_layers *memory_layers_of(roof_arena *arena, const roof_prediction *p);

/* The place of a row's layer among the prediction's; ROOF_NONE: it has none of its own, or layers is NULL. */
uint32_t memory_layer_of(const memory_layers *layers, const char *row);

/* The pool whose rows a picture shows: the one that sets the peak; of an uncompiled graph the
 * activations as an accelerator has them, where that is known. NULL: no pool has a peak. */
const roof_memory_pool *memory_shown_pool(const roof_memory *memory);

/* True if a first look needs the live memory of the pool: there is some, and it is neither constants nor the
 * buffers of the application, unless these do not fit. */
bool memory_is_watched(const roof_memory_pool *pool);
