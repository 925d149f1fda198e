/* measure/causes/conversions.h - which rows of a profile compute nothing: they change a layout or a type, or
 * copy. */
#ifndef ROOF_MEASURE_CAUSES_CONVERSIONS_H
#define ROOF_MEASURE_CAUSES_CONVERSIONS_H

#include <stdbool.h>

/* By its type, and where that says nothing of what it does ("kernel", "copy"), by its name; each may be
 * NULL. */
bool conversions_match(const char *type, const char *name);

#endif
