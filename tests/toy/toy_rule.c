/* ### toy
 * A quarter of the channels of all layers. */
#include "model/explore/advise/edit_rule.h"

static roof_status find(edit_search *s)
{
    return edit_offer(s, &(edit){.kind = EDIT_WIDTH, .op = ROOF_NONE, .value = 8, .factor = 0.25}, 1);
}

const edit_rule edit_rule_toy = {.is_of_whole = true, .evidence = "none", .find = find};
