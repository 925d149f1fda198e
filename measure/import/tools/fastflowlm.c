/* Pages of FastFlowLM's benchmarks (docs/benchmarks, Markdown). A heading says the phase and the unit:
 *
 *   > - Results are based on FastFlowLM v0.9.30.
 *   AMD Ryzen AI 7 350 (Kraken Point) with 32 GB DRAM; ...
 *   ### Decoding Speed (TPS, or Tokens per Second, starting @ different context lengths)
 *   | **Model**        | **HW**    | **1k** | **2k** | ... | **128k** |
 *   |------------------|-----------|-------:|
 *   | **LLaMA 3.2 3B** | NPU (FLM) | 26.3   | 25.5   | ... | OOM |
 *   ### Prefill Speed (TTFT, or Time to First Token in **Seconds**, @ different sequence lengths)
 *
 * Prefill is in seconds up to v0.9.11, in tokens per second later. OOM (out of memory), OOC (out of the
 * model's context) and NA are no times. An empty model is that of the row above. Pages keep the tables of
 * older versions in HTML comments, which are none of theirs.
 */
#include "measure/import/text_points.h"

enum { MOST_CELLS = 64, KILO = 1024 };

static const char emphasis[] = "* \t"; /* of a cell */

typedef enum unit { NO_UNIT, RATE, SECONDS } unit;

typedef struct reading {
    import_state *in;
    bool in_comment, in_table;
    roof_text_phase phase; /* of the section; UNSTATED: of something else */
    unit unit;
    double columns[MOST_CELLS]; /* tokens; 0: of something else */
    size_t model_cell, hw_cell; /* MOST_CELLS: there is none */
    const char *model;          /* of the row */
    const char *system, *version;
    const char *igpu, *cpu; /* what ran there; NULL: not said */
    uint64_t memory_bytes;
    uint32_t n_points, n_memory, n_context, n_commented, n_elsewhere;
    bool has_weights;
} reading;

static const struct {
    const char *word, *stack;
} stacks[] = {{"FLM", "fastflowlm"},
              {"FastFlowLM", "fastflowlm"},
              {"RAI", "ryzen-ai-sw"},
              {"LM Studio", "lm-studio"},
              {"Ollama", "ollama"}};

static const char *stack_of(text_span word)
{
    const uint32_t i = NAMED_SPAN_AT(stacks, N_OF(stacks), word, word);
    return i < N_OF(stacks) ? stacks[i].stack : NULL;
}

/* Blanks out what is between "<!--" and "-->", over lines. */
static void blank_comments(reading *r, const import_line *line)
{
    bool has_table = false;
    for (char *at = line->text, *end = at + line->length; at < end;) {
        const char *const mark = r->in_comment ? "-->" : "<!--";
        char *stop = memmem(at, (size_t)(end - at), mark, strlen(mark));
        char *next = stop ? stop + strlen(mark) : end;
        has_table = has_table || (r->in_comment && memchr(at, '|', (size_t)(next - at)));
        if (r->in_comment)
            memset(at, ' ', (size_t)(next - at));
        else if (stop)
            memset(stop, ' ', strlen(mark));
        r->in_comment = stop ? !r->in_comment : r->in_comment;
        at = next;
    }
    r->n_commented += has_table;
}

/* ---- between the tables ------------------------------------------------------------------------------ */

static roof_status read_heading(reading *r, text_span text, roof_error *err)
{
    const bool is_decode = span_has(text, "Decoding Speed"), is_prefill = span_has(text, "Prefill Speed");
    r->phase = is_decode ? ROOF_TEXT_DECODE : is_prefill ? ROOF_TEXT_PREFILL : ROOF_TEXT_UNSTATED;
    r->unit = span_has(text, "Tokens per Second") ? RATE : span_has(text, "Seconds") ? SECONDS : NO_UNIT;
    return r->phase && !r->unit
               ? error_data(err, "'%s' says neither tokens per second nor seconds", SHOWN(text))
               : ROOF_OK;
}

static roof_status read_prose(reading *r, text_span text, roof_error *err)
{
    text_span version = text, igpu = text, cpu = text;
    if (span_skip_past(&version, "based on FastFlowLM v")) {
        version = span_until(&version, " \t,;");
        span_drop(&version, ".");
        const char *kept =
            arena_printf(r->in->out->storage->arena, "v%.*s", (int)version.length, version.text);
        TRY(ALLOCATED(kept, err));
        TRY(import_keep_name(r->in, span_of(kept), &r->version, err));
    }
    if (span_has(text, "reports the performance") && span_skip_past(&igpu, "iGPU ("))
        r->igpu = stack_of(span_until(&igpu, ")"));
    if (span_has(text, "reports the performance") && span_skip_past(&cpu, " CPU ("))
        r->cpu = stack_of(span_until(&cpu, ")"));
    /* "AMD Ryzen AI 7 350 (Kraken Point) with 32 GB DRAM" */
    double gb;
    text_span name;
    if (!span_cut(&text, "*with # GB DRAM", &gb, &name))
        return ROOF_OK;
    span_skip_past(&name, "spec:");
    name = span_strip(name, "> -\t");
    if (!name.length)
        return ROOF_OK;
    r->memory_bytes = gb < 0x1p20 ? (uint64_t)gb << 30 : 0;
    return import_keep_name(r->in, name, &r->system, err);
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static void begin_table(reading *r, const text_span *cells, size_t n)
{
    r->in_table = true;
    r->model = NULL;
    r->model_cell = r->hw_cell = MOST_CELLS;
    for (size_t i = n; i--;) { /* the first of each counts: they stand at both ends */
        const text_span cell = span_strip(cells[i], emphasis);
        text_span rest = cell;
        double n_k; /* "16k" */
        const bool is_length = span_scan(&rest, "#k", &n_k) || span_scan(&rest, "#K", &n_k);
        r->columns[i] = is_length && !rest.length ? n_k * KILO : 0;
        r->model_cell = span_is(cell, "Model") ? i : r->model_cell;
        r->hw_cell = span_is(cell, "HW") || span_is(cell, "Hardware") ? i : r->hw_cell;
    }
    memset(r->columns + n, 0, (MOST_CELLS - n) * sizeof *r->columns);
}

/* "NPU (FLM)", "iGPU" */
static roof_status read_hardware(reading *r, text_span cell, text_point *point, roof_error *err)
{
    text_span rest = cell, kind = span_trim(span_until(&rest, "(")), by = cell;
    point->stack = span_skip_past(&by, "(") ? stack_of(span_until(&by, ")"))
                   : span_is(kind, "iGPU")  ? r->igpu
                   : span_is(kind, "CPU")   ? r->cpu
                                            : NULL;
    point->is_elsewhere = !span_is(kind, "NPU");
    r->n_elsewhere += point->is_elsewhere;
    if (!kind.length)
        return ROOF_OK;
    if (!r->system)
        return import_keep_name(r->in, kind, &point->device, err);
    point->device =
        arena_printf(r->in->out->storage->arena, "%.*s of %s", (int)kind.length, kind.text, r->system);
    return point->device ? import_check_name(kind, err) : error_memory(err);
}

static roof_status read_value(reading *r, text_span cell, text_point *point, roof_error *err)
{
    double value;
    if (span_is(cell, "OOM") || span_is(cell, "OOC")) {
        *(span_is(cell, "OOM") ? &r->n_memory : &r->n_context) += 1;
        return ROOF_OK;
    }
    if (!cell.length || span_is(cell, "NA") || span_is(cell, "N/A") || span_is(cell, "-"))
        return ROOF_OK;
    TRY(span_number(cell, "the cell", &value, err));
    point->time = times_unknown();
    if (r->unit == SECONDS)
        point->time.mean_s = value;
    else
        point->time = text_times_of_rate(r->phase == ROOF_TEXT_DECODE ? 1 : point->tokens, value, NAN);
    r->n_points++;
    return text_point_add(r->in, point, err);
}

static roof_status read_row(reading *r, const text_span *cells, size_t n, roof_error *err)
{
    text_point point = text_point_unknown(NULL);
    const text_span model = r->model_cell < n ? span_strip(cells[r->model_cell], emphasis) : span_of("");
    if (model.length)
        TRY(import_keep_name(r->in, model, &r->model, err));
    if (r->hw_cell < n)
        TRY(read_hardware(r, span_strip(cells[r->hw_cell], emphasis), &point, err));
    point.model = r->model;
    point.phase = r->phase;
    point.batch = 1;
    point.memory_bytes = r->memory_bytes;
    if (point.stack && strcmp(point.stack, "fastflowlm") == 0) {
        point.stack_version = r->version;
        point.weight_type = "q4_1";
        point.cache_type = "bf16";
        r->has_weights = true;
    }
    for (size_t i = 0; i < n; i++) {
        point.tokens = r->columns[i];
        if (point.tokens > 0)
            TRY(read_value(r, span_strip(cells[i], emphasis), &point, err));
    }
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    blank_comments(r, line);
    const text_span text = span_trim((text_span){line->text, line->length});
    if (!span_begins(text, "|")) {
        r->in_table = false;
        return span_begins(text, "#") ? read_heading(r, text, err) : read_prose(r, text, err);
    }
    text_span cells[MOST_CELLS];
    const size_t n = span_split(text, '|', cells, MOST_CELLS);
    if (!r->phase || strspn(text.text, "|-: \t") >= text.length)
        return ROOF_OK;
    if (n > MOST_CELLS)
        return error_set(err, ROOF_E_LIMIT, "a row of %zu cells, want at most %d", n, MOST_CELLS);
    if (r->in_table)
        return read_row(r, cells, n, err);
    begin_table(r, cells, n);
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    if (!r->n_points)
        return error_data(err, "no time, want a table with **Model**, **HW**, **1k** below a heading with "
                               "\"Decoding Speed\" or \"Prefill Speed\"");
    import_note(in, "1k stands for 1024 tokens, of which the tool itself uses 2 to 5 %% fewer");
    if (r->has_weights)
        import_note(in, "the page does not say in which form weights are: that of FastFlowLM's models, q4_1 "
                        "with keys and values in bf16, is taken");
    if (!r->version)
        import_note(in, "the page does not say which version of FastFlowLM ran");
    import_note_count(in, r->n_memory, "cells are out of memory (OOM), and are no times");
    import_note_count(in, r->n_context, "cells are out of the model's context (OOC), and are no times");
    import_note_count(in, r->n_commented,
                      "lines of tables in HTML comments are of other versions, and are left out");
    import_note_count(
        in, r->n_elsewhere,
        "rows are of the iGPU or the CPU: import --hw, which names the NPU, is not given to them");
    return ROOF_OK;
}

const importer_def importer_fastflowlm = {
    .id = "fastflowlm",
    .tool = "FastFlowLM",
    .next =
        "predict the curve of the same model by `roofline predict config.json --phase decode --context N`",
    .marks = {SURE("FastFlowLM", "Decoding Speed", "**Model**"),
              SURE("FastFlowLM", "Prefill Speed", "**Model**")},
    WHOLE_ONLY("the page has rates of a whole model"),
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
