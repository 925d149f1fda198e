/* core/core.h - what nearly every file stands on. It is included instead of any header that is named here,
 * and not again where another header of the project brings it. */
#pragma once

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/named.h"
#include "core/namemap.h"
#include "core/order.h"
#include "core/print.h"
#include "core/quantity.h"
#include "core/span.h"
#include "core/text.h"
