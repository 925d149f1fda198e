/* Descriptions of hardware from untrusted files, and the one-line form; numbers as people write them. */
#include "hwdb/hwdb.h"
#include "roofline/explanation.h"
#include "tests/fuzz/fuzz_target.h"

#include <stdlib.h>
#include <string.h>

static void touch(const roof_hw *hw)
{
    size_t length = strlen(roof_hw_id(hw)) + strlen(roof_hw_name(hw)) + strlen(roof_hw_family(hw));
    const roof_quantity *q;
    for (size_t i = 0; (q = roof_hw_at(hw, i)); i++)
        CHECK(roof_hw_get(hw, q->key) == q && *q->unit && *q->source && roof_hw_origin(hw, q->key));
    for (size_t i = 0; roof_hw_note(hw, i); i++)
        length += strlen(roof_hw_note(hw, i));
    CHECK(length > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_hw *hw = NULL;
    roof_error err = {0};
    const hwdb_document document = {.text = size ? (const char *)data : "", .size = size, .place = "fuzz"};
    if (hwdb_load(document, &hw, &err) == ROOF_OK)
        touch(hw);
    else
        CHECK(*err.what);
    roof_hw_free(hw);
    char *line = malloc(size + 1);
    if (!line)
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    for (const char *at = line;; at++) { /* as a list: all of it is in one part or another */
        const size_t length = roof_hw_first_of(at);
        CHECK(length <= strlen(at) && (!at[length] || at[length] == ','));
        at += length;
        if (!*at)
            break;
    }
    roof_pace pace;
    CHECK(roof_pace_parse(line, &pace, &err) != ROOF_OK || (pace.seconds >= 1e-9 && pace.seconds <= 1e7));
    hw = NULL;
    if (strchr(line, '=') && hwdb_load_inline(line, &hw, &err) == ROOF_OK)
        touch(hw);
    roof_hw_free(hw);
    free(line);
    return 0;
}
