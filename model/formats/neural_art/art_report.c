#include "model/formats/neural_art/art_report.h"
#include "core/files/mapfile.h"
#include "model/formats/neural_art/plan_build.h"

/* Parts of the report. */
typedef enum section { HEAD, POOLS, EPOCHS, TAIL } section;

typedef struct reader {
    bool was_for_npu;     /* the command says so */
    text_span text, line; /* the rest, and the line that is read, without blanks around it */
    uint64_t number;
    section section;
    uint64_t n_stated, n_host_stated, n_listed, n_host_listed;
    roof_arena *arena;
    art_report *out;
    roof_error *err;
} reader;

/* ---- lines and words ---- */

static bool next_line(reader *r)
{
    if (!r->text.length)
        return false;
    r->line = span_trim(span_take_line(&r->text));
    r->number++;
    return true;
}

/* Takes the word, which may stand behind any number of blanks. */
static bool take(text_span *at, const char *word)
{
    text_span from = span_trim(*at);
    if (!span_skip(&from, word))
        return false;
    *at = from;
    return true;
}

static bool take_number(text_span *at, uint64_t most, uint64_t *out)
{
    *at = span_trim(*at);
    return !span_begins(*at, "0x") && span_take_whole(at, out) && *out <= most;
}

bool art_report_take_address(text_span *at, uint64_t *out)
{
    *at = span_trim(*at);
    return span_begins(*at, "0x") && span_take_whole(at, out);
}

/* Takes the text before the word, and passes over the word as well: false where there is none. */
static bool take_until(text_span *at, const char *stop, text_span *out)
{
    if (!span_has(*at, stop))
        return false;
    *out = span_trim(span_take_until(at, stop));
    return true;
}

static roof_status fail(const reader *r, const char *want)
{
    return error_line(r->err, ROOF_E_DATA, r->number, "found '%s', want %s", SHOWN(r->line), want);
}

/* A text that is shown later, which may hold no control characters. */
static roof_status keep(const reader *r, text_span word, const char **out)
{
    if (utf8_first_bad(word.text, word.length) != word.length)
        return fail(r, "text without control characters");
    *out = arena_strndup(r->arena, word.text, word.length);
    return ALLOCATED(*out, r->err);
}

/* ---- memory pools ---- */

/* "803.063 kB (": up to what stands behind it. */
static bool take_size(text_span *at, const char *stop, uint64_t *out)
{
    text_span size;
    return take_until(at, stop, &size) && size_parse(size.text, size.length, out);
}

/* "npuRAM5 [0x342E0000 - 0x34350000]: 12.031 kB / 448.000 kB ( 2.69 % used) -- weights: 0 B ( 0.00 % used)
 * activations: ..." The sizes are rounded, and known where only one whole number of bytes is rounded so. */
bool art_report_take_pool(text_span at, text_span *name, roof_pool *pool)
{
    uint64_t end, rounded, weights, activations;
    text_span share;
    *pool = (roof_pool){.byte_width = ROOF_NONE, .freq_ratio = NAN};
    if (!take_until(&at, "[", name) || !name->length || !art_report_take_address(&at, &pool->address) ||
        !take(&at, "-") || !art_report_take_address(&at, &end) || end < pool->address || !take(&at, "]") ||
        !take(&at, ":"))
        return false;
    pool->size_bytes = end - pool->address;
    if (!take_size(&at, "/", &pool->used_bytes) || !take_size(&at, "(", &rounded) ||
        !take_until(&at, ")", &share) || !take(&at, "--") || !take(&at, "weights:") ||
        !take_size(&at, "(", &weights) || !take_until(&at, ")", &share) || !take(&at, "activations:") ||
        !take_size(&at, "(", &activations))
        return false;
    pool->content = !weights && !activations ? ROOF_POOL_UNLISTED
                    : !activations           ? ROOF_POOL_PARAMETERS
                    : !weights               ? ROOF_POOL_FEATURE_MAPS
                                             : ROOF_POOL_MIXED;
    return true;
}

/* ---- epochs ---- */

/* op: as the report has it. */
static roof_status add_row(reader *r, art_row *row, text_span op)
{
    TRY(keep(r, op, &row->op));
    if (row->last < row->first || (r->out->n_rows && row->first <= r->out->rows[r->out->n_rows - 1].last))
        return fail(r, "a number above that of the epoch before");
    if (r->out->n_rows == PLAN_MAX_EPOCHS)
        return error_line(r->err, ROOF_E_LIMIT, r->number, "more than %d epochs", PLAN_MAX_EPOCHS);
    TRY(ARENA_ADD(r->arena, r->out->rows, r->out->n_rows, r->err, *row));
    r->n_listed += (uint64_t)row->last - row->first + 1;
    r->n_host_listed += row->kind == ROOF_EPOCH_SW;
    return ROOF_OK;
}

static const struct {
    const char *word;
    roof_epoch_kind kind;
    bool by_controller;
} kind_words[] = {{"HW", ROOF_EPOCH_HW, false},        {"EC", ROOF_EPOCH_HW, true},
                  {"-SW-", ROOF_EPOCH_SW, false},      {"SW", ROOF_EPOCH_SW, false},
                  {"??", ROOF_EPOCH_HYBRID, false},    {"Hybrid", ROOF_EPOCH_HYBRID, false},
                  {"HYBRID", ROOF_EPOCH_HYBRID, false}};

static bool take_kind(text_span *at, art_row *row)
{
    for (size_t i = 0; i < N_OF(kind_words); i++)
        if (take(at, kind_words[i].word)) {
            row->kind = kind_words[i].kind;
            row->by_controller = kind_words[i].by_controller;
            return true;
        }
    return false;
}

/* "epoch 12 -SW- ( Softmax )" */
static roof_status read_line_row(reader *r)
{
    text_span at = r->line, op = {"", 0};
    uint64_t number;
    art_row row;
    bool good = take(&at, "epoch ") && take_number(&at, ROOF_NONE - 1, &number) && take_kind(&at, &row);
    if (good && take(&at, "("))
        good = take_until(&at, ")", &op);
    if (!good || at.length)
        return fail(r, "'epoch N' and HW, EC, -SW- or ??");
    row.first = row.last = (uint32_t)number;
    return add_row(r, &row, op);
}

/* "epoch_54", "epochs 1 -> 53" */
static bool take_numbers(text_span *at, art_row *row)
{
    uint64_t first, last;
    const bool is_one = take(at, "epoch_");
    if ((!is_one && !take(at, "epochs ")) || !take_number(at, ROOF_NONE - 1, &first))
        return false;
    last = first;
    if (!is_one && (!take(at, "->") || !take_number(at, ROOF_NONE - 1, &last)))
        return false;
    row->first = (uint32_t)first;
    row->last = (uint32_t)last;
    return true;
}

/* "| epoch_54 | SW | Softmax |"; "| <no executed epochs> | EC | |" is a program that does nothing. */
static roof_status read_table_row(reader *r)
{
    text_span at = r->line, op = {"", 0};
    art_row row;
    if (span_begins(r->line, "+-") || span_begins(r->line, "| epoch ID") ||
        span_begins(r->line, "| <no executed epochs>"))
        return ROOF_OK;
    if (!take(&at, "|") || !take_numbers(&at, &row) || !take(&at, "|") || !take_kind(&at, &row) ||
        !take(&at, "|") || !take_until(&at, "|", &op) || (row.first != row.last && !row.by_controller))
        return fail(r, "a row of '| epoch_N | HW, EC, SW or Hybrid | details |'");
    return add_row(r, &row, op);
}

static roof_status read_epoch_line(reader *r)
{
    if (span_begins(r->line, "Total number of epochs")) {
        text_span rest = r->line;
        if (take(&rest, "Total number of epochs:")) {
            if (!take_number(&rest, PLAN_MAX_EPOCHS, &r->n_stated) || !take(&rest, "of which") ||
                !take_number(&rest, r->n_stated, &r->n_host_stated))
                return fail(r, "numbers of epochs, and of those in software");
            return ROOF_OK;
        }
        r->out->has_program_rows = true;
        return take(&rest, "Total number of epochs") && take_number(&rest, PLAN_MAX_EPOCHS, &r->n_stated)
                   ? ROOF_OK
                   : fail(r, "the number of epochs");
    }
    if (span_begins(r->line, "epoch ID"))
        return ROOF_OK;
    if (r->out->has_program_rows && span_begins(r->line, ">>")) {
        text_span at = r->line;
        if (!take(&at, ">> pure software (SW) epochs"))
            return ROOF_OK;
        return take_number(&at, r->n_stated, &r->n_host_stated)
                   ? ROOF_OK
                   : fail(r, "a number of software epochs, not above that of all");
    }
    return r->out->has_program_rows ? read_table_row(r) : read_line_row(r);
}

/* Rows of programs may have room for more epochs than run; every row has one that does. */
static roof_status end_epochs(reader *r)
{
    if (!r->n_stated)
        return fail(r, "'Total number of epochs', of at least one, before the end of the list");
    if (r->n_listed < r->n_stated || r->out->n_rows > r->n_stated)
        return error_line(r->err, ROOF_E_DATA, r->number, "lists %llu epochs, but says that there are %llu",
                          (unsigned long long)r->n_listed, (unsigned long long)r->n_stated);
    if (r->n_host_listed != r->n_host_stated)
        return error_line(r->err, ROOF_E_DATA, r->number,
                          "lists %llu epochs in software, but says that there are %llu",
                          (unsigned long long)r->n_host_listed, (unsigned long long)r->n_host_stated);
    r->out->n_epochs = (uint32_t)r->n_stated;
    r->section = TAIL;
    return ROOF_OK;
}

/* ---- the whole ---- */

static roof_status read_line(reader *r)
{
    if (r->section == HEAD) {
        text_span at = r->line;
        if (span_begins(r->line, "Memory usage information"))
            r->section = POOLS;
        if (span_begins(r->line, "Epochs details"))
            r->section = EPOCHS;
        return take(&at, "Model name") && take(&at, "-") ? keep(r, span_trim(at), &r->out->network) : ROOF_OK;
    }
    if (r->section == TAIL || !r->line.length || span_begins(r->line, "---"))
        return ROOF_OK;
    if (r->section == EPOCHS)
        return span_begins(r->line, "====") ? end_epochs(r) : read_epoch_line(r);
    if (span_begins(r->line, "Total:") || span_begins(r->line, "====")) {
        r->section = HEAD;
        return ROOF_OK;
    }
    text_span name;
    roof_pool pool;
    if (!art_report_take_pool(r->line, &name, &pool))
        return fail(r, "a memory pool with what is used of it");
    if (r->out->n_pools == PLAN_MAX_POOLS)
        return error_line(r->err, ROOF_E_LIMIT, r->number, "more than %d memory pools", PLAN_MAX_POOLS);
    TRY(keep(r, name, &pool.name));
    return ARENA_ADD(r->arena, r->out->pools, r->out->n_pools, r->err, pool);
}

roof_status art_report_read_memory(const void *bytes, uint64_t size, roof_arena *arena, art_report *out,
                                   roof_error *err)
{
    reader r = {.text = {bytes, (size_t)size}, .arena = arena, .out = out, .err = err};
    *out = (art_report){.tool = "", .network = ""};
    if (next_line(&r)) { /* "ST Edge AI Core v2.2.0-20266 2adc00962": the version is enough */
        text_span tool = r.line, behind = r.line;
        if (span_skip_past(&behind, " v"))
            tool.length = (size_t)(behind.text - tool.text) + span_take_until(&behind, " ").length;
        TRY(keep(&r, tool, &out->tool));
    }
    while (next_line(&r)) {
        r.was_for_npu =
            r.was_for_npu || (span_begins(r.line, "Parameters") && span_has(r.line, "--st-neural-art"));
        TRY(read_line(&r));
    }
    if (r.section == TAIL)
        return ROOF_OK;
    if (r.section == HEAD && r.was_for_npu)
        return error_data(
            err, "has no 'Epochs details' though the command asks for the NPU: the model was compiled for "
                 "the processor, or the end of the file is missing. Read what the compiler printed, which "
                 "says why, and see that the model is quantised and its ONNX operators are supported");
    if (r.section == HEAD)
        return error_data(err, "has no 'Epochs details': the model was compiled for a CPU, of which no times "
                               "are known, or the end of the file is missing");
    return error_line(err, ROOF_E_DATA, r.number,
                      "ends within the list of %s: the end of the file is missing",
                      r.section == POOLS ? "memory pools" : "epochs");
}

roof_status art_report_read(const char *path, roof_arena *arena, art_report *out, roof_error *err)
{
    mapfile file = {0};
    TRY(mapfile_open(path, &file, err));
    roof_status status =
        error_placed(art_report_read_memory(file.bytes, file.size_bytes, arena, out, err), err, "%s", path);
    mapfile_close(&file);
    return status;
}

bool art_report_sniff(const unsigned char *bytes, uint64_t size)
{
    static const char tool[] = "ST Edge AI Core v", key[] = "\nParameters";
    text_span text = {(const char *)bytes, size < 512 ? (size_t)size : 512};
    return span_begins(text, tool) && span_skip_past(&text, key) && take(&text, ":") &&
           (take(&text, "generate") || take(&text, "analyze"));
}

/* ---- into a plan that was read from another file: network.csv has bytes and cycles and no kinds, the report
 * has kinds and neither ---- */

static uint64_t last_of(const void *row)
{
    return ((const art_row *)row)->last;
}

/* The row that has the epoch; NULL when none does. Numbers of rows rise. */
static const art_row *find_row(const art_report *report, uint32_t number)
{
    uint32_t at = lower_bound_search(report->rows, report->n_rows, sizeof *report->rows, number, last_of);
    return at < report->n_rows && report->rows[at].first <= number ? &report->rows[at] : NULL;
}

static const char *kind_text(roof_epoch_kind kind, bool by_controller)
{
    return by_controller ? "EC" : roof_epoch_kind_text(kind);
}

static roof_status compare(const roof_plan *plan, const art_report *report, roof_arena *arena,
                           const char **differs, roof_error *err)
{
    *differs = NULL;
    FOR_EACH(const roof_epoch, e, plan->epochs, plan->n_epochs) {
        const art_row *row = find_row(report, e->number);
        if (row && (e->kind == ROOF_EPOCH_UNKNOWN ||
                    (e->kind == row->kind && (e->blob != ROOF_NONE) == row->by_controller)))
            continue;
        *differs = row ? arena_printf(arena, "epoch_%u is %s in the plan, %s in the report", e->number,
                                      kind_text(e->kind, e->blob != ROOF_NONE),
                                      kind_text(row->kind, row->by_controller))
                   : e->number == ROOF_NONE
                       ? arena_strdup(arena, "an epoch of the plan has no number")
                       : arena_printf(arena, "epoch_%u of the plan is not in the report", e->number);
        return ALLOCATED(*differs, err);
    }
    return ROOF_OK;
}

static void fill_bytes(uint64_t *plan, uint64_t report)
{
    if (*plan == ROOF_UNKNOWN)
        *plan = report;
}

/* Where rows are no programs, those of the controller are one as long as nothing else stands between them. */
static bool one_program(const art_report *report, const art_row *from, const art_row *to)
{
    if (report->has_program_rows)
        return from == to;
    while (from <= to && from->by_controller)
        from++;
    return from > to;
}

static roof_status fill_epochs(plan_build *b, const art_report *report)
{
    const art_row *before = NULL;
    for (uint32_t i = 0; i < b->plan->n_epochs; i++) {
        roof_epoch *e = b->epoch = &b->plan->epochs[i];
        const art_row *row = find_row(report, e->number);
        if (!row || e->kind != ROOF_EPOCH_UNKNOWN) /* compare found one of each */
            continue;
        e->kind = row->kind;
        if (*row->op && !e->n_ops) { /* the host's operator: the only one, behind those of all other epochs */
            e->first_op = b->plan->n_ops;
            TRY(plan_add_op(b, &(roof_plan_op){.name = row->op, .kind = row->op, .unit = ""}));
        }
        if (row->by_controller && e->blob == ROOF_NONE) {
            if (!before || !one_program(report, before, row))
                TRY(plan_add_blob(b, arena_printf(b->arena, "from epoch_%u", e->number)));
            e->blob = b->plan->n_blobs - 1;
            b->plan->blobs[e->blob].n_epochs++;
        }
        before = row->by_controller ? row : NULL;
    }
    return ROOF_OK;
}

roof_status plan_apply_report(roof_plan *plan, const art_report *report, roof_arena *arena,
                              const char **differs, roof_error *err)
{
    TRY(compare(plan, report, arena, differs, err));
    if (*differs)
        return ROOF_OK;
    FOR_EACH(roof_pool, to, plan->pools, plan->n_pools) {
        const roof_pool *from = NAMED(report->pools, report->n_pools, name, to->name);
        if (!from)
            continue;
        fill_bytes(&to->address, from->address);
        fill_bytes(&to->size_bytes, from->size_bytes);
        fill_bytes(&to->used_bytes, from->used_bytes);
        if (to->content == ROOF_POOL_UNLISTED)
            to->content = from->content;
    }
    TRY(fill_epochs(&(plan_build){.plan = plan, .arena = arena, .err = err}, report));
    return arena_status(arena, err);
}
