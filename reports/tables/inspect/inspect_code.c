/* Control code of an AI Engine array: its streams, and what they move by argument and by channel. */
#include "reports/tables/inspect/inspect.h"

static const roof_control_code *code_at(const inspect_view *v, uint32_t i)
{
    uint32_t n;
    return &roof_control_code_of(v->graph, &n)[i];
}

/* The name of a file's only stream says nothing. */
static grid_cell name_of_code(const grid_row *row)
{
    return cell_text(text_or_empty(((const roof_control_code *)row->of)->layer));
}

GRID_CELL(direction_of, roof_code_channel, is, cell_text(is->is_read ? "MM2S" : "S2MM"))

#define OF(type, kind_, title_, csv_, json_, rank_, member, from_)                                           \
    {                                                                                                        \
        .title = (title_), .csv = (csv_), .json = (json_), .kind = COLUMN_##kind_, .rank = (rank_),          \
        .from = FROM_##from_, .at = offsetof(type, member)                                                   \
    }
#define CODE(title, name, rank, member) OF(roof_control_code, NUMBER, title, name, name, rank, member, COUNT)
#define CODE_SMALL(name, rank)          OF(roof_control_code, NUMBER, #name, NULL, #name, rank, name, SMALL)
#define CODE_TEXT(name, rank)           OF(roof_control_code, TEXT, #name, #name, #name, rank, name, TEXT)
static const grid_column code_columns[] = {
    GRID_BY("layer", name_of_code, .title = "code of", .kind = COLUMN_NAME),
    CODE_TEXT(format, 2),
    CODE_TEXT(version, 3),
    CODE_SMALL(generation, 5),
    CODE_SMALL(columns, 4),
    CODE("code [B]", "code_bytes", 3, length_bytes),
    CODE("operations", "ops", 2, ops),
    CODE("pushes", "pushes", 1, pushes),
    CODE("unresolved", "unresolved_pushes", 1, unresolved_pushes),
    CODE("syncs", "syncs", 4, syncs),
    CODE("configuration [B]", "configuration_bytes", 4, configuration_bytes),
    CODE("read [B]", "read_bytes", 0, read_bytes),
    CODE("written [B]", "write_bytes", 0, write_bytes),
    GRID_AS("complete", roof_control_code, is_complete, FLAG, .kind = COLUMN_FLAG)};
static const grid_column argument_columns[] = {
    GRID_SAID("code of", name_of_code, .kind = COLUMN_NAME, .rank = 1),
    OF(roof_code_argument, TEXT, "argument", NULL, "argument", 0, name, TEXT),
    OF(roof_code_argument, NUMBER, "read [B]", NULL, "read_bytes", 0, read_bytes, COUNT),
    OF(roof_code_argument, NUMBER, "written [B]", NULL, "write_bytes", 0, write_bytes, COUNT)};
static const grid_column channel_columns[] = {
    GRID_SAID("code of", name_of_code, .kind = COLUMN_NAME, .rank = 1),
    OF(roof_code_channel, NUMBER, "column", NULL, "column", 0, column, SMALL),
    {.title = "direction", .json = "direction", .from = FROM_CALL, .cell = direction_of},
    OF(roof_code_channel, NUMBER, "channel", NULL, "channel", 0, channel, SMALL),
    OF(roof_code_channel, NUMBER, "moved [B]", NULL, "bytes", 0, bytes, COUNT)};

static void add_arguments(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    for (uint32_t k = 0; k < code->n_arguments; k++)
        grid_add_row(t, &code->arguments[k], code);
}

static void add_channels(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    for (uint32_t k = 0; k < code->n_channels; k++)
        grid_add_row(t, &code->channels[k], code);
}

static const inspect_section lists[] = {
    INSPECT_SECTION("Bytes of each argument", "arguments", true, argument_columns, add_arguments),
    INSPECT_SECTION("Bytes of each channel of the shim", "channels", true, channel_columns, add_channels)};

static void add_code(const inspect_view *v, uint32_t i, cell_grid *t)
{
    const roof_control_code *code = code_at(v, i);
    grid_add_row(t, code, code);
    for (size_t k = 0; t->json && k < N_OF(lists); k++)
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
