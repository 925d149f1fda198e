/* model/laws/engine.h - what an engine is, by its name: models, calibrations, sentences and charts ask here.
 * The table is model/engines.def.
 *
 * Ownership: all texts are static.
 */
#pragma once

#include <stdbool.h>

typedef enum engine_kind {
    ENGINE_KIND_ARRAY,
    ENGINE_KIND_SIDE,
    ENGINE_KIND_DATA,
    ENGINE_KIND_OTHER,
    ENGINE_KINDS
} engine_kind;

typedef struct engine_info {
    const char *name;
    engine_kind kind;
    const char *efficiency;       /* the parameter "efficiency.X" of a calibration */
    const char *subject, *clause; /* of a sentence on the bottleneck; subject NULL: the engine's own name */
} engine_info;

/* NULL for a name that the table does not have. */
const engine_info *engine_named(const char *name);

/* True for engines whose cycles are those of moving bytes. */
bool engine_moves_data(const char *engine);

/* The parameter that an engine's efficiency is: "efficiency.conv", "efficiency.memory" for all ports of a
 * DPU, "efficiency.npuRAM" for all pools of that kind. */
enum { EFFICIENCY_NAME_SIZE = 80 };
void engine_efficiency_name(const char *engine, char name[EFFICIENCY_NAME_SIZE]);
