/* What ST's npu_profiler.py (versions 0.2 to 0.4, "How to profile a deployed model" of ST Edge AI Core) prints of a model on
 * a Neural-ART, to a terminal or into a log with a letter before each line; and the raw counters that the runtime sends,
 * which such a log also has when it is detailed, or which were recorded alone.
 *
 *   Summary 'kws' - ['kws', 'img']                                    of each model: its runtime
 *   device.attrs : fpu,...,mcu_freq=800MHz,...
 *   [T] [TARGET:1] s:node:mcu_cycles:393:817152:372                   raw counters, of each epoch of each inference
 *   EpochBlock_1 (c_idx=0, num=1:22, c_type=EC, extra=0)              a block for each epoch, of means
 *   Measured, Memory bandwidth / inference                            the final part
 *
 * The processor (MCU) times every epoch in three phases, which one after the other are the duration; the accelerator (NPU)
 * counts cycles of its own clock in the same time. The two are never added.
 *
 * Blocks and the final part belong together when they state the same duration. In the article they do not: it shows blocks
 * of one run and the final part of another.
 */
#include "core/error.h"
#include "measure/lines.h"
#include "measure/npu_block.h"
#include "measure/npu_final.h"
#include "measure/npu_runtime.h"
#include "measure/npu_text.h"
#include "measure/st_report.h"
#include "measure/tally.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum place { OUTSIDE, IN_BLOCK, IN_FINAL };

/* The run that blocks are added to, and what they add up to. */
typedef struct open_run {
    roof_run *run;    /* NULL when there is none */
    double stated_ms; /* of all epochs, as the blocks say */
    double cycles;    /* of those that there are */
    uint64_t last_c_idx, line;
    bool ended;
    uint32_t n_blocks, n_without_compiler;
} open_run;

typedef struct reading {
    import_state *in;
    npu_trace *trace;
    enum place place;
    npu_runtime runtime;
    const char *model; /* name; NULL: not told */
    uint32_t n_models;
    open_run open;
    npu_block block;
    npu_final final;
    uint64_t n_skipped, first_skipped_line;
    bool is_result; /* blocks or a final part were found */
} reading;

static unsigned sniff(const char *text, size_t size)
{
    (void)size;
    if (strstr(text, "NPU Utility - AiRunner Profiler") ||
        (strstr(text, "EpochBlock_") && strstr(text, "(c_idx=")))
        return SNIFF_SURE;
    if (strstr(text, "total max_cycles") || strstr(text, "npu_core:"))
        return SNIFF_SURE;
    return strstr(text, "s:node:") || strstr(text, "s:config:mcu_freq:") ? SNIFF_LIKELY : 0;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static roof_measured_layer *last_layer(const reading *r)
{
    return &r->open.run->layers[r->open.run->n_layers - 1];
}

static double mcu_hz_of(const reading *r)
{
    return r->runtime.clocks.hz[ST_MCU];
}

static const char *model_text(const reading *r)
{
    return r->model ? r->model : "the model";
}

/* Of the model that is being read: one that is in the file twice has another run. */
static roof_status open_new_run(reading *r, roof_error *err)
{
    roof_experiment *e = import_experiment_of(r->in, r->model);
    r->open = (open_run){.run = e ? experiment_add_run(e, ROOF_RUN_PER_LAYER) : NULL, .stated_ms = NAN};
    return r->open.run ? ROOF_OK : error_memory(err);
}

/* How often every row was run, where raw counters tell. */
static uint64_t common_count(const roof_run *run)
{
    for (uint32_t i = 1; i < run->n_layers; i++)
        if (run->layers[i].time.count != run->layers[0].time.count)
            return ROOF_UNKNOWN;
    return run->layers[0].time.count;
}

/* What the rows say of the whole: when they are all there, their sum is the duration that each block states. */
static roof_status sum_up_rows(const reading *r, roof_run *run, roof_error *err)
{
    char listed[REMARK_NUMBER_SIZE], all[REMARK_NUMBER_SIZE];
    double sum_s = r->open.cycles / mcu_hz_of(r), stated_s = r->open.stated_ms / 1e3;
    double rounded_s = 0.51e-6 + 4 * run->n_layers / mcu_hz_of(r);
    if (sum_s > stated_s + rounded_s)
        return error_line(err, ROOF_E_DATA, r->open.line,
                          "the epochs up to here take %.3f ms, more than the %.3f ms that are stated for all",
                          1e3 * sum_s, r->open.stated_ms);
    if (sum_s < stated_s - rounded_s) {
        import_note(r->in, "%s: the file lists %u of the epochs, %s ms of %s ms", model_text(r),
                    run->n_layers, import_number(listed, 1e3 * sum_s), import_number(all, r->open.stated_ms));
        run->sum_of_layers_s = run->total.mean_s = stated_s;
        return ROOF_OK;
    }
    run->sum_of_layers_s = run->total.mean_s = sum_s;
    run->boundaries = run->n_layers;
    run->iterations = common_count(run);
    return npu_sum_phases(r->in->out, run, err);
}

/* The profiler knows nothing of what is planned for programs of the epoch controller, even where it knows the rest. */
static void remark_run(const reading *r)
{
    const open_run *o = &r->open;
    if (o->n_without_compiler && o->n_without_compiler < o->n_blocks)
        import_note(r->in,
                    "%s: of %u of %u epochs and programs the profile does not tell what the compiler "
                    "planned: %s",
                    model_text(r), o->n_without_compiler, o->n_blocks,
                    r->in->options->model ? "reconcile takes it from the model"
                                          : "name it with --model c_info.json, and reconcile completes them");
    else if (o->n_without_compiler)
        import_note(
            r->in,
            "%s: nothing is known of what the compiler planned, since c_info.json was not beside network.c "
            "when "
            "the profile was taken: copy it there (`stedgeai generate` writes it) and profile again",
            model_text(r));
}

static roof_status close_run(reading *r, const npu_final *final, roof_error *err)
{
    roof_run *run = r->open.run;
    if (!run)
        return ROOF_OK;
    if (run->n_layers)
        TRY(sum_up_rows(r, run, err));
    if (final)
        TRY(npu_final_set(final, r->in->out, mcu_hz_of(r), run, err));
    TRY(st_add_clocks(run, &r->runtime.clocks, err));
    remark_run(r);
    r->open.run = NULL;
    return ROOF_OK;
}

/* --- blocks ------------------------------------------------------------------------------------------- */

static void add_skipped(reading *r, uint64_t n, uint64_t first_line)
{
    if (n && !r->n_skipped)
        r->first_skipped_line = first_line;
    r->n_skipped += n;
}

static roof_status end_block(reading *r, roof_error *err)
{
    npu_block *b = &r->block;
    r->place = OUTSIDE;
    TRY(npu_runtime_check(&r->runtime, ST_MCU, b->mcu_mhz, b->line, err));
    TRY(npu_runtime_check(&r->runtime, ST_NPU, b->npu_mhz, b->line, err));
    TRY(npu_block_end(b, mcu_hz_of(r), r->trace, last_layer(r), err));
    for (unsigned p = 0; p < ST_PHASES; p++)
        r->open.cycles += (double)npu_block_cycles(b, p);
    r->open.stated_ms = b->numbers[NPU_DURATION + 2];
    r->open.n_blocks++;
    r->open.n_without_compiler += b->without_compiler;
    add_skipped(r, b->n_skipped, b->first_skipped_line);
    return ROOF_OK;
}

static roof_status end_final(reading *r, roof_error *err)
{
    char rows[REMARK_NUMBER_SIZE], total[REMARK_NUMBER_SIZE];
    double total_ms = r->final.numbers[NPU_FINAL_MS], rows_ms = r->open.stated_ms;
    r->place = OUTSIDE;
    add_skipped(r, r->final.n_skipped, r->final.first_skipped_line);
    if (!r->final.headed)
        return ROOF_OK;
    bool another = r->open.run && !isnan(total_ms) && !isnan(rows_ms) && fabs(total_ms - rows_ms) > 0.0015;
    if (another) {
        import_note(r->in, "%s: blocks of %s ms and a final part of %s ms are of two runs, which stand apart",
                    model_text(r), import_number(rows, rows_ms), import_number(total, total_ms));
        TRY(close_run(r, NULL, err));
    }
    if (!r->open.run)
        TRY(open_new_run(r, err));
    return close_run(r, &r->final, err);
}

static roof_status end_part(reading *r, roof_error *err)
{
    if (r->place == IN_BLOCK)
        return end_block(r, err);
    return r->place == IN_FINAL ? end_final(r, err) : ROOF_OK;
}

/* Rows stand in the order of execution; one that does not begins another run. */
static roof_status begin_block(reading *r, text_span message, uint64_t line, roof_error *err)
{
    npu_epoch_id id;
    char name[NPU_NAME_SIZE];
    roof_measured *m = r->in->out;
    TRY(end_part(r, err));
    TRY(npu_block_read_id(message, &id, err));
    TRY(npu_trace_cut(r->trace, err));
    if (r->open.run && r->open.run->n_layers && id.c_idx <= r->open.last_c_idx)
        TRY(close_run(r, NULL, err));
    if (!r->open.run)
        TRY(open_new_run(r, err));
    if (m->storage->n_layers++ >= TALLY_MAX_ROWS)
        return error_set(err, ROOF_E_LIMIT, "more than %d epochs", TALLY_MAX_ROWS);
    roof_measured_layer *layer = run_add_layer(r->open.run);
    npu_epoch_name(id.first, id.last, name);
    if (!layer || !(layer->name = measured_text(m, name, strlen(name))) ||
        !(layer->type = measured_text(m, id.type, strlen(id.type))))
        return error_memory(err);
    layer->index = (uint32_t)id.c_idx + 1;
    npu_block_begin(&r->block, m, &id, line);
    r->open.last_c_idx = id.c_idx;
    r->open.line = line;
    r->is_result = true;
    r->place = IN_BLOCK;
    return ROOF_OK;
}

static roof_status begin_final(reading *r, roof_error *err)
{
    TRY(end_part(r, err));
    npu_final_begin(&r->final);
    r->is_result = true;
    r->place = IN_FINAL;
    return ROOF_OK;
}

/* --- models -------------------------------------------------------------------------------------- */

/* "Summary 'kws' - ['kws', 'img']" */
static roof_status begin_model(reading *r, text_span message, uint64_t line, roof_error *err)
{
    text_span rest = message, name;
    TRY(end_part(r, err));
    TRY(close_run(r, NULL, err));
    TRY(npu_trace_cut(r->trace, err));
    if (!npu_scan(&rest, "Summary '", NULL))
        return ROOF_OK;
    name = npu_until(&rest, "'");
    TRY(import_check_name(name.text, name.length, line, err));
    r->model = measured_text(r->in->out, name.text, name.length);
    r->n_models++;
    return r->model ? ROOF_OK : error_memory(err);
}

/* --- lines -------------------------------------------------------------------------------------------- */

static bool begins_model(text_span message)
{
    return span_begins(message, "Summary '");
}

static roof_status read_part(reading *r, text_span message, uint64_t line, roof_error *err)
{
    if (r->place == IN_FINAL) {
        TRY(npu_final_line(&r->final, r->in->out, message, line, err));
        return r->final.ended ? end_final(r, err) : ROOF_OK;
    }
    if (r->place == OUTSIDE)
        return npu_runtime_line(&r->runtime, r->in, message, err);
    if (!message.length && !isnan(r->block.numbers[NPU_CYCLES]))
        return end_block(r, err);
    return npu_block_line(&r->block, message, line, last_layer(r), err);
}

static roof_status read_line(void *reading_, const roof_line *line, roof_error *err)
{
    char level;
    reading *r = reading_;
    text_span message = npu_message(line->text, line->length, &level);
    if (npu_trace_is_line(message))
        return npu_trace_line(r->trace, message, mcu_hz_of(r), err);
    if (npu_runtime_is_config(message))
        return npu_runtime_config(&r->runtime, message, err);
    if (level != 'I')
        return ROOF_OK;
    if (begins_model(message))
        return begin_model(r, message, line->number, err);
    if (npu_block_begins(message))
        return begin_block(r, message, line->number, err);
    if (r->place != IN_FINAL && npu_final_begins(message))
        TRY(begin_final(r, err));
    return read_part(r, message, line->number, err);
}

/* --- the end ------------------------------------------------------------------------------------------ */

static roof_status add_traced_run(void *reading_, roof_run **out, roof_error *err)
{
    reading *r = reading_;
    roof_experiment *e = import_add_experiment(r->in, r->n_models == 1 ? r->model : NULL);
    *out = e ? experiment_add_run(e, ROOF_RUN_PER_LAYER) : NULL;
    return *out ? st_add_clocks(*out, &r->runtime.clocks, err) : error_memory(err);
}

/* --model cannot be all of them. */
static void forget_model_path(import_state *in)
{
    roof_measured *m = in->out;
    if (!in->options->model || m->n_experiments < 2)
        return;
    for (uint32_t i = 0; i < m->n_experiments; i++)
        m->experiments[i].model_path = m->experiments[i].resolved_path = NULL;
    import_note(in, "the file has %u models, so that --model names none of them", m->n_experiments);
}

static roof_status finish(reading *r, roof_error *err)
{
    TRY(end_part(r, err));
    TRY(close_run(r, NULL, err));
    TRY(npu_trace_cut(r->trace, err));
    if (!r->is_result && !npu_trace_networks(r->trace))
        return error_set(
            err, ROOF_E_DATA,
            "no epochs, want lines \"EpochBlock_N (c_idx=...)\" of npu_profiler.py, or raw counters "
            "\"s:node:...\" of whole inferences");
    if (!r->is_result)
        TRY(npu_trace_write(r->trace, add_traced_run, r, err));
    npu_trace_remark(r->trace, r->is_result, r->in);
    if (r->n_skipped)
        import_note(r->in, "%llu line%s of blocks not understood and left out, the first is line %llu",
                    (unsigned long long)r->n_skipped, r->n_skipped == 1 ? "" : "s",
                    (unsigned long long)r->first_skipped_line);
    forget_model_path(r->in);
    return ROOF_OK;
}

static roof_status import(import_state *in, roof_error *err)
{
    reading r = {.in = in,
                 .trace = npu_trace_new(in->out),
                 .runtime = {.clocks = st_clocks_unknown()},
                 .open = {.stated_ms = NAN}};
    roof_status status = r.trace ? lines_each(in, read_line, &r, err) : error_memory(err);
    if (status == ROOF_OK)
        status = finish(&r, err);
    npu_trace_free(r.trace);
    return status;
}

const importer_def importer_npu_profiler = {.id = "npu_profiler", .sniff = sniff, .import = import};
