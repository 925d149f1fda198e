#include <string.h>

#if !defined(ECBLOB_CONST_SECTION)
#define ECBLOB_CONST_SECTION /* Empty */
#endif

ECBLOB_CONST_SECTION
// aligned to the cache line size (equal to 64 bytes)
__attribute__((aligned(64)))
static const uint64_t _ec_blob_tiny_2[8] =
{
  0x00000010ca057a7aUL, 0x0000000000000001UL, 0x0000000000000002UL, 0x0000000000000003UL,
  0x0000000000000004UL, 0x0000000000000005UL, 0x0000000000000006UL, 0x0000000000000007UL,
};

ECBLOB_CONST_SECTION
static const uint64_t _ec_blob_tiny_3 [] =
{
  0x00000006ca057a7aUL, 0x0000000000000001UL, 0x0000000000000002UL,
};
