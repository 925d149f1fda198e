/* hwdb/fingerprint_mask.h - which bits of a fingerprint must agree for an entry to describe the same
 * configuration. */
#ifndef ROOF_HWDB_FINGERPRINT_MASK_H
#define ROOF_HWDB_FINGERPRINT_MASK_H

#include "roofline/fingerprint.h"

/* The bits that name family, instruction set where it matters, and size. All bits for families that no rule
 * decodes. */
uint64_t hwdb_fingerprint_mask(uint64_t fingerprint);

#endif
