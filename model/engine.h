/* model/engine.h - what an engine is, by its name: models, calibrations, sentences and charts ask here. The table is
 * model/engines.def.
 *
 * Ownership: all texts are static.
 */
#ifndef ROOF_MODEL_ENGINE_H
#define ROOF_MODEL_ENGINE_H

typedef enum roof_engine_kind {
    ROOF_ENGINE_KIND_ARRAY,
    ROOF_ENGINE_KIND_SIDE,
    ROOF_ENGINE_KIND_DATA,
    ROOF_ENGINE_KIND_OTHER
} roof_engine_kind;

typedef struct roof_engine {
    const char *name;
    roof_engine_kind kind;
    const char *efficiency;       /* the parameter "efficiency.X" of a calibration */
    const char *subject, *clause; /* of a sentence on what binds; subject NULL: the engine's own name */
} roof_engine;

/* NULL for a name that the table does not have. */
const roof_engine *roof_engine_named(const char *name);

#endif
