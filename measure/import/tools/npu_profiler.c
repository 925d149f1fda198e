/* The text that ST's npu_profiler.py (versions 0.2 to 0.4, "How to profile a deployed model" of ST Edge AI
 * Core) prints of a model on a Neural-ART, to a terminal or into a log with a letter before each line; and
 * the raw counters that the runtime sends, which such a log also has when it is detailed, or which stand
 * alone.
 *
 *   Summary 'kws' - ['kws', 'img']                                    of each model: its runtime
 *   device.attrs : fpu,...,mcu_freq=800MHz,...
 *   [T] [TARGET:1] s:node:mcu_cycles:393:817152:372             raw counters, of each epoch of each inference
 *   EpochBlock_1 (c_idx=0, num=1:22, c_type=EC, extra=0)              a block for each epoch, of means
 *   Measured, Memory bandwidth / inference                            the final part
 *
 * The processor (MCU) times every epoch in three phases, which one after the other are the duration; the
 * accelerator (NPU) counts cycles of its own clock in the same time. The two are never added.
 *
 * Blocks and the final part belong together when they state the same duration. In the article they do not: it
 * shows blocks of one run and the final part of another.
 */
#include "core/named.h"
#include "core/quantity.h"
#include "measure/import/importer.h"
#include "measure/import/tools/st/npu_report.h"
#include "measure/import/tools/st/st_report.h"
#include "measure/import/timings.h"

#include <math.h>
#include <string.h>

/* The run that blocks are added to, and what they add up to. */
typedef struct open_run {
    roof_run *run;    /* NULL when there is none */
    double stated_ms; /* of all epochs, as the blocks say */
    double cycles;    /* of those that there are */
    uint64_t last_c_idx, line;
    uint32_t n_blocks, n_without_compiler;
} open_run;

typedef struct reading {
    import_state *in;
    npu_trace *trace;
    st_clocks clocks;
    bool attributes_go_on; /* on the next line */
    const char *remarked;  /* what was remarked of the runtime, a line each; NULL: nothing */
    const char *model;     /* name; NULL: not stated */
    uint32_t n_models;
    open_run open;
    npu_part part; /* that is being read */
    uint64_t n_skipped, first_skipped_line;
    bool is_result; /* blocks or a final part were found */
} reading;

/* "fpu,npu_cache=1,mcu_freq=800MHz," and more on the next line, as the article breaks it. */
static roof_status read_attributes(reading *r, text_span value, roof_error *err)
{
    r->attributes_go_on = value.length && value.text[value.length - 1] == ',';
    return st_read_attrs(value, &r->clocks, err);
}

/* A line of the summary of a model; others are passed over. */
static roof_status read_summary(reading *r, text_span message, roof_error *err)
{
    static const char *const remarked[] = {"tools", "runtime lib", "device.desc"};
    const char *fact;
    text_span key, value;
    if (r->attributes_go_on)
        return read_attributes(r, message, err);
    if (!st_cut_pair(message, &key, &value) || !value.length)
        return ROOF_OK;
    if (span_is(key, "device.attrs"))
        return read_attributes(r, value, err);
    fact = st_model_fact(key);
    const uint32_t i = SPAN_AT(remarked, N_OF(remarked), key);
    if (!fact && i == N_OF(remarked))
        return ROOF_OK;
    fact = fact ? fact : remarked[i];
    /* Versions, which decide about times; models of one file mostly have the same. */
    enum { MOST_BYTES = 2000 };
    const char *before = r->remarked ? r->remarked : "", *text = SHOWN(value);
    if (strstr(before, text) || strlen(before) + strlen(text) + 2 >= MOST_BYTES)
        return ROOF_OK;
    r->remarked = arena_printf(r->in->scratch, "%s%s\n", before, text);
    import_note(r->in, "%s: %s", fact, text);
    return ALLOCATED(r->remarked, err);
}

/* A clock that a block repeats in whole MHz, NaN for none. */
static roof_status check_clock(reading *r, st_domain domain, double mhz, roof_error *err)
{
    double *hz = &r->clocks.hz[domain];
    if (isnan(mhz))
        return ROOF_OK;
    if (isnan(*hz))
        *hz = mhz * 1e6;
    if (floor(*hz / 1e6) != mhz)
        return error_line(err, ROOF_E_DATA, r->part.line,
                          "a block with %s_freq=%.0fMHz, where %.6g MHz was stated", st_domains[domain], mhz,
                          *hz / 1e6);
    return ROOF_OK;
}

static const char *model_text(const reading *r)
{
    return r->model ? r->model : "the model";
}

/* A run of the model that is being read: one that is in the file twice has another run. */
static roof_status open_new_run(reading *r, roof_error *err)
{
    roof_experiment *e = import_experiment_of(r->in, r->model);
    r->open =
        (open_run){.run = e ? experiment_add_run(r->in->out, e, ROOF_RUN_PER_LAYER) : NULL, .stated_ms = NAN};
    return ALLOCATED(r->open.run, err);
}

/* The rows say what the whole takes: when all are there, their sum is the duration that each block states.
 */
static roof_status sum_up_rows(const reading *r, roof_run *run, roof_error *err)
{
    double sum_s = r->open.cycles / r->clocks.hz[ST_MCU], stated_s = r->open.stated_ms / 1e3;
    double rounded_s = 0.51e-6 + 4 * run->n_layers / r->clocks.hz[ST_MCU];
    if (sum_s > stated_s + rounded_s)
        return error_line(err, ROOF_E_DATA, r->open.line,
                          "the epochs up to here take %.3f ms, more than the %.3f ms that are stated for all",
                          1e3 * sum_s, r->open.stated_ms);
    if (sum_s < stated_s - rounded_s) {
        import_note(r->in, "%s: the file lists %u of the epochs, %s ms of %s ms", model_text(r),
                    run->n_layers, NUMBER(1e3 * sum_s), NUMBER(r->open.stated_ms));
        run->sum_of_layers_s = run->total.mean_s = stated_s;
        return ROOF_OK;
    }
    run->sum_of_layers_s = run->total.mean_s = sum_s;
    run->boundaries = run->n_layers;
    if (import_counts_agree(run))
        run->iterations = run->layers[0].time.count;
    return npu_sum_phases(r->in->out, run, err);
}

static roof_status close_run(reading *r, const npu_part *final, roof_error *err)
{
    roof_run *run = r->open.run;
    if (!run)
        return ROOF_OK;
    if (run->n_layers)
        TRY(sum_up_rows(r, run, err));
    if (final)
        TRY(npu_final_end(final, r->clocks.hz[ST_MCU], run, err));
    TRY(st_add_clocks(r->in, run, &r->clocks, err));
    /* The profiler knows nothing of what is planned for programs of the epoch controller, even where it knows
     * more. */
    const open_run *o = &r->open;
    if (o->n_without_compiler && o->n_without_compiler < o->n_blocks)
        import_note(
            r->in,
            "%s: of %u of %u epochs and programs the profile does not state what the compiler planned: %s",
            model_text(r), o->n_without_compiler, o->n_blocks,
            r->in->options->model ? "reconcile takes it from the model"
                                  : "name it with --model c_info.json, and reconcile completes them");
    else if (o->n_without_compiler)
        import_note(
            r->in,
            "%s: nothing is known of what the compiler planned, since c_info.json was not beside network.c "
            "when the profile was taken: copy it there (`stedgeai generate` writes it) and profile again",
            model_text(r));
    r->open.run = NULL;
    return ROOF_OK;
}

/* The clock that a final part alone does not state: the only whole number of MHz in which its cycles take
 * the time that it prints. */
static void derive_clock(reading *r, st_domain domain, unsigned at, double ms)
{
    const double cycles = known_count(r->part.of[at]), mhz = round(cycles / ms / 1e3);
    const double rounded_ms = 0.00051;
    if (!isnan(r->clocks.hz[domain]) || !(ms > 0) || !(mhz >= 1) ||
        fabs(cycles / mhz / 1e3 - ms) > rounded_ms || fabs(cycles / (mhz + 1) / 1e3 - ms) <= rounded_ms ||
        fabs(cycles / (mhz - 1) / 1e3 - ms) <= rounded_ms)
        return;
    r->clocks.hz[domain] = mhz * 1e6;
    import_note(r->in, "%s_freq is not stated: %s cycles in %s ms are %s MHz", st_domains[domain],
                NUMBER(cycles), NUMBER(ms), NUMBER(mhz));
}

static roof_status end_final(reading *r, roof_error *err)
{
    double total_ms = r->part.duration[0], rows_ms = r->open.stated_ms;
    if (!r->part.headed)
        return ROOF_OK;
    derive_clock(r, ST_MCU, NPU_ALL_MCU, total_ms);
    derive_clock(r, ST_NPU, NPU_ALL_NPU + 1, r->part.duration[1]);
    /* The middle share is that of the counted cycles, to its two digits, or they are of two runs; the others
     * are known by these digits alone. */
    const double *percent = r->part.mcu_percent;
    double all = known_count(r->part.of[NPU_ALL_MCU]), core = known_count(r->part.of[NPU_ALL_MCU + 1]);
    double counted = 100 * core / all;
    if (!isnan(percent[1])) {
        if (fabs(counted - percent[1]) > 0.006)
            import_note(
                r->in,
                "%s: %s %% of the MCU's cycles are printed for the NPU's work, but %s of %s cycles are %s %%",
                model_text(r), NUMBER(percent[1]), NUMBER(core), NUMBER(all), NUMBER(counted));
        import_note(r->in,
                    "%s: of the MCU's cycles %s %% are before, %s %% while and %s %% after the NPU works",
                    model_text(r), NUMBER(percent[0]), NUMBER(percent[1]), NUMBER(percent[2]));
    }
    bool another = r->open.run && !isnan(total_ms) && !isnan(rows_ms) && fabs(total_ms - rows_ms) > 0.0015;
    if (another) {
        import_note(r->in, "%s: blocks of %s ms and a final part of %s ms are of two runs, which stand apart",
                    model_text(r), NUMBER(rows_ms), NUMBER(total_ms));
        TRY(close_run(r, NULL, err));
    }
    if (!r->open.run)
        TRY(open_new_run(r, err));
    return close_run(r, &r->part, err);
}

static roof_status end_part(reading *r, roof_error *err)
{
    npu_part_kind kind = r->part.kind;
    if (kind == NPU_OUTSIDE)
        return ROOF_OK;
    r->part.kind = NPU_OUTSIDE;
    if (kind == NPU_BLOCK) {
        npu_part *b = &r->part;
        TRY(check_clock(r, ST_MCU, b->mhz[0], err));
        TRY(check_clock(r, ST_NPU, b->mhz[1], err));
        TRY(npu_block_end(b, r->clocks.hz[ST_MCU], r->trace, err));
        r->open.cycles += npu_block_cycles(b);
        r->open.stated_ms = b->duration[2];
        r->open.n_blocks++;
        r->open.n_without_compiler += b->without_compiler;
    } else {
        TRY(end_final(r, err));
    }
    if (r->part.n_skipped && !r->n_skipped)
        r->first_skipped_line = r->part.first_skipped_line;
    r->n_skipped += r->part.n_skipped;
    return ROOF_OK;
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
    TRY(HAS_ROOM(m->storage->n_layers++, TIMINGS_MAX_ROWS, err, "epochs"));
    roof_measured_layer *layer = run_add_layer(m, r->open.run);
    npu_epoch_name(&id, name);
    TRY(ALLOCATED(layer && (layer->name = measured_text(m, name, strlen(name))) &&
                      (layer->type = measured_text(m, id.type, strlen(id.type))),
                  err));
    layer->index = (uint32_t)id.c_idx + 1;
    npu_part_begin(&r->part, NPU_BLOCK, m, layer);
    r->part.id = id;
    r->part.line = r->open.line = line;
    r->open.last_c_idx = id.c_idx;
    r->is_result = true;
    return ROOF_OK;
}

/* The message of a line, trimmed: without "[I]    " and "[TARGET:1] ". level: the letter of the prefix, 'I'
 * where there is none, since the profiler prints the same to a terminal without. */
static text_span message_of(const import_line *line, char *level)
{
    text_span s = span_trim((text_span){line->text, line->length}), rest;
    *level = 'I';
    if (s.length >= 3 && s.text[0] == '[' && s.text[1] >= 'A' && s.text[1] <= 'Z' && s.text[2] == ']') {
        *level = s.text[1];
        s = span_trim(span_from(s, 3));
    }
    rest = s;
    return span_skip(&rest, "[TARGET:") && span_skip_past(&rest, "]") ? span_trim(rest) : s;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    char level;
    text_span message = message_of(line, &level);
    if (npu_trace_is_line(message))
        return npu_trace_line(r->trace, message, r->clocks.hz[ST_MCU], err);
    if (span_skip(&message, "s:config:")) {
        /* "s:config:mcu_freq:800000000": exact, where attributes are in whole MHz. */
        for (st_domain d = ST_MCU; d < ST_DOMAINS; d++) {
            text_span rest = message;
            double hz = NAN;
            if (!span_skip(&rest, st_domains[d]) || !span_skip(&rest, "_freq:"))
                continue;
            text_span value = rest;
            if (!span_scan(&rest, "~", &hz) || rest.length || !(hz >= 1))
                return error_set(err, ROOF_E_DATA, "%s_freq is '%s', want a clock in Hz", st_domains[d],
                                 SHOWN(value));
            st_set_clock(&r->clocks, d, hz);
        }
        return ROOF_OK;
    }
    if (level != 'I')
        return ROOF_OK;
    if (span_skip(&message, "Summary '")) {
        /* message: what stands behind "Summary '", as in "kws' - ['kws', 'img']". */
        TRY(end_part(r, err));
        TRY(close_run(r, NULL, err));
        TRY(npu_trace_cut(r->trace, err));
        text_span name = span_until(&message, "'");
        r->n_models++;
        return import_keep_name(r->in, name, &r->model, err);
    }
    if (npu_block_begins(message))
        return begin_block(r, message, line->number, err);
    if (r->part.kind != NPU_FINAL && npu_final_begins(message)) {
        TRY(end_part(r, err));
        npu_part_begin(&r->part, NPU_FINAL, r->in->out, NULL);
        r->is_result = true;
    }
    npu_part *p = &r->part;
    if (p->kind == NPU_OUTSIDE)
        return read_summary(r, message, err);
    if (p->kind == NPU_BLOCK && !message.length && p->of[NPU_MCU] != ROOF_UNKNOWN)
        return end_part(r, err);
    TRY(npu_part_line(p, message, line->number, err));
    return p->kind == NPU_FINAL && p->ended ? end_part(r, err) : ROOF_OK;
}

static roof_status add_traced_run(reading *r, roof_run **out, roof_error *err)
{
    roof_experiment *e = import_add_experiment(r->in, r->n_models == 1 ? r->model : NULL);
    *out = e ? experiment_add_run(r->in->out, e, ROOF_RUN_PER_LAYER) : NULL;
    return *out ? st_add_clocks(r->in, *out, &r->clocks, err) : error_memory(err);
}

static roof_status finish(reading *r, roof_error *err)
{
    TRY(end_part(r, err));
    TRY(close_run(r, NULL, err));
    TRY(npu_trace_cut(r->trace, err));
    if (!r->is_result && !npu_trace_networks(r->trace))
        return error_set(err, ROOF_E_DATA,
                         "no epochs, want lines \"EpochBlock_N (c_idx=...)\" of npu_profiler.py, or raw "
                         "counters \"s:node:...\" of whole inferences");
    if (!r->is_result)
        TRY(npu_trace_write(r->trace, add_traced_run, r, err));
    npu_trace_remark(r->trace, r->is_result);
    if (r->n_skipped)
        import_note(r->in, "%llu line%s of blocks not understood and left out, the first is line %llu",
                    (unsigned long long)r->n_skipped, r->n_skipped == 1 ? "" : "s",
                    (unsigned long long)r->first_skipped_line);
    /* The only device that the profiler is for, by the clock of its NPU: rates of memories follow from it. */
    roof_measured *m = r->in->out;
    const double npu_hz = r->clocks.hz[ST_NPU];
    const char *device = npu_hz == 1e9 ? "stm32n6" : npu_hz == 8e8 ? "stm32n6-normal" : NULL;
    for (uint32_t i = 0; device && i < m->n_experiments; i++)
        if (!m->experiments[i].hardware_id)
            m->experiments[i].hardware_id = device;
    /* --model cannot be all of them. */
    if (!r->in->options->model || m->n_experiments < 2)
        return ROOF_OK;
    for (uint32_t i = 0; i < m->n_experiments; i++)
        m->experiments[i].model_path = m->experiments[i].resolved_path = NULL;
    import_note(r->in, "the file has %u models, so that --model names none of them", m->n_experiments);
    return ROOF_OK;
}

static roof_status begin(reading *r, roof_error *err)
{
    return ALLOCATED(r->trace = npu_trace_new(r->in), err);
}

const importer_def importer_npu_profiler = {.id = "npu_profiler",
                                            .marks = {{SNIFF_SURE, {"NPU Utility - AiRunner Profiler"}},
                                                      {SNIFF_SURE, {"EpochBlock_", "(c_idx="}},
                                                      {SNIFF_SURE, {"total max_cycles"}},
                                                      {SNIFF_SURE, {"npu_core:"}},
                                                      {SNIFF_LIKELY, {"s:node:"}},
                                                      {SNIFF_LIKELY, {"s:config:mcu_freq:"}}},
                                            READING(reading, .clocks = ST_NO_CLOCKS, .open.stated_ms = NAN),
                                            .begin = begin,
                                            .line = read_line,
                                            .finish = finish};
