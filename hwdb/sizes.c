/* The sizes that the array of a board can be built in: the abstract entries of its family that state what a
 * core of them takes. */
#include "core/error.h"
#include "hwdb/builtin.h"
#include "hwdb/hwdb.h"

#include <string.h>

/* "dpuczdx8g-b512" of the family "dpuczdx8g". */
static bool may_be_size(const hwdb_builtin *entry, const char *family)
{
    const size_t length = strlen(family);
    return entry->is_abstract && strncmp(entry->listing.id, family, length) == 0 &&
           entry->listing.id[length] == '-';
}

/* What the entry itself says, not what all sizes share: that a line of --hw may have changed. */
static roof_status put_array(const roof_hw *size, roof_hw *to, roof_error *err)
{
    for (size_t i = 0; i < size->n_values; i++)
        if (strcmp(size->values[i]->origin, size->id) == 0)
            TRY(hwdb_hw_put(to, &size->values[i]->quantity, size->values[i]->origin, true, err));
    return ROOF_OK;
}

static roof_status build(const roof_hw *board, const roof_hw *size, const char **name, roof_hw **out,
                         roof_error *err)
{
    roof_hw *hw;
    TRY(roof_hw_copy(board, &hw, err));
    roof_status status = put_array(size, hw, err);
    hw->name = arena_printf(hw->arena, "%s, %s", board->board ? board->board : board->id, size->name);
    *name = arena_strdup(hw->arena, size->name);
    if (status == ROOF_OK)
        status = arena_status(hw->arena, err);
    if (status == ROOF_OK)
        *out = hw;
    else
        roof_hw_free(hw);
    return status;
}

roof_status roof_hw_in_size(const roof_hw *board, size_t i, const char **name, roof_hw **out, roof_error *err)
{
    const char *family = roof_hw_family(board);
    *out = NULL;
    for (size_t k = hwdb_n_listed; k < hwdb_n_builtins; k++) {
        roof_hw *size;
        if (!may_be_size(&hwdb_builtins[k], family))
            continue;
        TRY(hwdb_load(hwdb_builtins[k].listing.id, (hwdb_document){0}, &size, err));
        const bool is_it = roof_hw_get(size, "resource.lut") && !i--;
        const roof_status status = is_it ? build(board, size, name, out, err) : ROOF_OK;
        roof_hw_free(size);
        if (is_it)
            return status;
    }
    return ROOF_OK;
}
