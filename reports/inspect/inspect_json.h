/* reports/inspect/inspect_json.h - what the parts of a roofline.inspection/1 share. Nothing fails here: a text without
 * memory marks the output as failed.
 */
#ifndef ROOF_REPORTS_INSPECT_INSPECT_JSON_H
#define ROOF_REPORTS_INSPECT_INSPECT_JSON_H

#include "core/jsonout.h"
#include "reports/inspect/inspect.h"

/* null for "". */
static inline void inspect_json_text_or_null(jsonout *json, const char *key, const char *text)
{
    jsonout_string(json, key, *text ? text : NULL);
}

/* null for ROOF_NONE. base: what the first one is called. */
static inline void inspect_json_index(jsonout *json, const char *key, uint32_t index, uint32_t base)
{
    jsonout_count(json, key, index == ROOF_NONE ? ROOF_UNKNOWN : (uint64_t)index + base);
}

/* The member "plan": null when the file has none. */
void inspect_json_plan(jsonout *json, const inspect_view *view);

#endif
