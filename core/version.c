#include "roofline/version.h"

const char *roof_version(void)
{
    return ROOF_VERSION;
}
