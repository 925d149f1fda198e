/* roofline/version.h - which version of the library this is.
 *
 * Units: none. Shapes: none. Ownership: the text is static.
 */
#ifndef ROOFLINE_VERSION_H
#define ROOFLINE_VERSION_H

#include "roofline/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": of the library that is linked, which may be newer than the headers. */
ROOF_API const char *roof_version(void);

#ifdef __cplusplus
}
#endif
#endif
