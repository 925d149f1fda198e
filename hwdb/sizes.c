/* The sizes that the array of a board can be built in: the abstract entries of its family that state what a
 * core of them takes. */
#include "hwdb/builtin.h"
#include "hwdb/hwdb.h"

/* "dpuczdx8g-b512" of the family "dpuczdx8g", where it states what a core takes. */
static roof_status check_size(const hwdb_builtin *entry, const char *family, bool *is_size, roof_error *err)
{
    const size_t length = strlen(family);
    hwdb_entry read = {0};
    *is_size = false;
    if (!entry->is_abstract || strncmp(entry->listing.id, family, length) != 0 ||
        entry->listing.id[length] != '-')
        return ROOF_OK;
    roof_arena *arena = arena_new(0);
    const roof_status status = arena ? hwdb_builtin_read(entry, arena, &read, err) : error_memory(err);
    for (size_t i = 0; status == ROOF_OK && i < read.n_values && !*is_size; i++)
        *is_size = strcmp(read.values[i].key, "resource.lut") == 0;
    arena_free(arena);
    return status;
}

static roof_status build(const roof_hw *board, const roof_hw *size, const char **name, roof_hw **out,
                         roof_error *err)
{
    roof_hw *hw;
    TRY(roof_hw_copy(board, &hw, err));
    roof_status status = ROOF_OK;
    /* values of the entry itself, not those that all sizes share, which a line of --hw may have changed */
    for (size_t i = 0; i < size->n_values && status == ROOF_OK; i++)
        if (strcmp(size->values[i]->origin, size->id) == 0)
            status = hwdb_hw_put(hw, &size->values[i]->quantity, size->values[i]->origin, true, err);
    hw->name = arena_printf(hw->arena, "%s, %s", board->board ? board->board : board->id, size->name);
    *name = arena_strdup(hw->arena, size->name);
    THEN(status, arena_status(hw->arena, err));
    return GIVE(status, out, hw, roof_hw_free);
}

roof_status roof_hw_in_size(const roof_hw *board, size_t i, const char **name, roof_hw **out, roof_error *err)
{
    roof_hw *size;
    *out = NULL;
    for (size_t k = hwdb_n_listed; k < hwdb_n_builtins; k++) {
        bool is_size;
        TRY(check_size(&hwdb_builtins[k], roof_hw_family(board), &is_size, err));
        if (!is_size || i--)
            continue;
        TRY(hwdb_load((hwdb_document){.name = hwdb_builtins[k].listing.id}, &size, err));
        const roof_status status = build(board, size, name, out, err);
        roof_hw_free(size);
        return status;
    }
    return ROOF_OK;
}
