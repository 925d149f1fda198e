/* Whether two entries describe different devices, so that what was measured on one says nothing of the other. */
#include "roofline/hw.h"

#include <string.h>
#include <strings.h>

/* What shapes an accelerator of one family. */
static const char *const shapes[] = {"conv.pixel_parallel",
                                     "conv.input_channel_parallel",
                                     "conv.output_channel_parallel",
                                     "mac.int8xint8",
                                     "array.rows",
                                     "batch"};

static bool have_other_shapes(const roof_hw *a, const roof_hw *b)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const roof_quantity *x = roof_hw_get(a, shapes[i]), *y = roof_hw_get(b, shapes[i]);
        if (x && y && x->value != y->value)
            return true;
    }
    return false;
}

static bool have_other_boards(const roof_hw *a, const roof_hw *b)
{
    const char *of_a = roof_hw_board(a), *of_b = roof_hw_board(b);
    return *of_a && *of_b && strcasecmp(of_a, of_b) != 0 && !roof_hw_board_is_assumed(a) &&
           !roof_hw_board_is_assumed(b);
}

bool roof_hw_is_other(const roof_hw *a, const roof_hw *b)
{
    if (strcasecmp(roof_hw_id(a), roof_hw_id(b)) == 0)
        return false;
    return strcmp(roof_hw_family(a), roof_hw_family(b)) != 0 || have_other_boards(a, b) ||
           have_other_shapes(a, b);
}
