/* model/code/ethosu/ethosu_groups.h - the layers that launches were cut from.
 *
 * Vela cuts a layer by the depth of its OFM (slices, whose weights it brings one after the other) and by rows
 * (stripes of a cascade, whose layers take turns); a U85 runs several operations as a chain. The file does
 * not say which launches belong together: that follows from registers that are alike, and from addresses.
 * Source: docs/hardware/ethos_u.md, "layers", with what it was checked against.
 */
#ifndef ROOF_MODEL_ETHOSU_GROUPS_H
#define ROOF_MODEL_ETHOSU_GROUPS_H

#include "model/code/ethosu/ethosu.h"

/* Sets the groups of a stream whose launches are there. Cost: linear. Errors: E_LIMIT, E_NO_MEMORY. */
roof_status ethosu_group_launches(ethosu_stream *stream, roof_arena *arena, roof_error *err);

#endif
