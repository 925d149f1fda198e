/* roofline/version.h - the version of the library.
 *
 * Units: none. Shapes: none. Ownership: the text is static.
 */
#ifndef ROOFLINE_VERSION_H
#define ROOFLINE_VERSION_H

#include "roofline/status.h"

ROOF_BEGIN_C

/* "0.1.0": of the library that is linked, which may be newer than the headers. */
ROOF_API const char *roof_version(void);

ROOF_END_C
#endif
