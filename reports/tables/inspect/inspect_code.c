/* Control code of an AI Engine array: its streams, and what they move by argument and by channel. */
#include "reports/tables/inspect/inspect.h"

#include <inttypes.h>

GRID_COLUMNS(code_columns, INSPECT_NAME("code of", "layer", "layer", 0),
             INSPECT_TEXT("format", "format", "format", 2), INSPECT_TEXT("version", "version", "version", 3),
             INSPECT_NUMBER("generation", NULL, "generation", 5),
             INSPECT_NUMBER("columns", NULL, "columns", 4),
             INSPECT_NUMBER("code [B]", "code_bytes", "code_bytes", 3),
             INSPECT_NUMBER("operations", "ops", "ops", 2), INSPECT_NUMBER("pushes", "pushes", "pushes", 1),
             INSPECT_NUMBER("unresolved", "unresolved_pushes", "unresolved_pushes", 1),
             INSPECT_NUMBER("syncs", "syncs", "syncs", 4),
             INSPECT_NUMBER("configuration [B]", "configuration_bytes", "configuration_bytes", 4),
             INSPECT_NUMBER("read [B]", "read_bytes", "read_bytes", 0),
             INSPECT_NUMBER("written [B]", "write_bytes", "write_bytes", 0),
             INSPECT_FLAG("complete", "complete"));

GRID_COLUMNS(argument_columns, INSPECT_NAME("code of", NULL, NULL, 1),
             INSPECT_TEXT("argument", NULL, "argument", 0), INSPECT_NUMBER("read [B]", NULL, "read_bytes", 0),
             INSPECT_NUMBER("written [B]", NULL, "write_bytes", 0));

GRID_COLUMNS(channel_columns, INSPECT_NAME("code of", NULL, NULL, 1),
             INSPECT_NUMBER("column", NULL, "column", 0), INSPECT_TEXT("direction", NULL, "direction", 0),
             INSPECT_NUMBER("channel", NULL, "channel", 0), INSPECT_NUMBER("moved [B]", NULL, "bytes", 0));

static const roof_control_code *code_at(const inspect_view *v, uint32_t i)
{
    uint32_t n;
    return &roof_control_code_of(v->graph, &n)[i];
}

/* The name of a file's only stream says nothing. */
static grid_cell name_of(const roof_control_code *code)
{
    return cell_text(code->layer ? code->layer : "");
}

static grid_cell count_or_none(uint32_t count)
{
    return cell_count(count == ROOF_NONE ? ROOF_UNKNOWN : count);
}

static void add_arguments(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    for (uint32_t k = 0; k < code->n_arguments; k++)
        GRID_ADD(t, name_of(code), cell_text(code->arguments[k].name),
                 cell_count(code->arguments[k].read_bytes), cell_count(code->arguments[k].write_bytes));
}

static void add_channels(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    for (uint32_t k = 0; k < code->n_channels; k++) {
        const roof_code_channel *c = &code->channels[k];
        GRID_ADD(t, name_of(code), cell_count(c->column), cell_text(c->is_read ? "MM2S" : "S2MM"),
                 cell_count(c->channel), cell_count(c->bytes));
    }
}

static const inspect_section lists[] = {
    INSPECT_SECTION("Bytes of each argument", "arguments", true, argument_columns, add_arguments),
    INSPECT_SECTION("Bytes of each channel of the shim", "channels", true, channel_columns, add_channels)};

static void add_code(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    GRID_ADD(t, name_of(code), cell_text(code->format), cell_text(code->version ? code->version : ""),
             count_or_none(code->generation), count_or_none(code->columns), cell_count(code->length_bytes),
             cell_count(code->ops), cell_count(code->pushes), cell_count(code->unresolved_pushes),
             cell_count(code->syncs), cell_count(code->configuration_bytes), cell_count(code->read_bytes),
             cell_count(code->write_bytes), cell_count(code->is_complete));
    for (size_t k = 0; t->json && k < sizeof lists / sizeof *lists; k++)
        inspect_list(v, &lists[k], i, 1, t->json);
}

static const inspect_section codes =
    INSPECT_SECTION("Control code", "control_code", false, code_columns, add_code);

const inspect_section *inspect_code_section(size_t i)
{
    return i ? &lists[i - 1] : &codes;
}

void inspect_code_facts(const inspect_view *v, remarks *r)
{
    uint32_t n;
    const roof_control_code *code = roof_control_code_of(v->graph, &n);
    uint64_t read = 0, written = 0, unresolved = 0;
    for (uint32_t i = 0; i < n; i++) {
        (void)checked_add_known(&read, code[i].read_bytes);
        (void)checked_add_known(&written, code[i].write_bytes);
        unresolved += !code[i].is_complete;
    }
    if (n == 1)
        remarks_add(r, "moved", "%s B read, %s B written%s", inspect_count(v->arena, read),
                    inspect_count(v->arena, written), unresolved ? ", and what control packets move" : "");
}
