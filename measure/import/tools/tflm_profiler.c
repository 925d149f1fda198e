/* Output of the MicroProfiler of TensorFlow Lite Micro, and of profilers of Arm for it, for every operator,
 * in a log of any length:
 *
 *   CONV_2D took 1200 ticks (4 ms).                      MicroProfiler::Log
 *   "Event","Tag","Ticks"                                MicroProfiler::LogCsv, in older ones also "ms"
 *   0,CONV_2D,1200
 *   1,ethos-u,900
 *   CONV_2D : cycle_cnt : 1200 cycles                    ethos-u-core-software, when an operator ends
 *   ethos-u : cycle_cnt : 900 cycles
 *   CONV_2D took 1200 cycles                             the same once more behind all, which is passed over
 *
 * A row called ethos-u is an operator that Vela made: one start of the NPU, and however many layers were
 * compiled into it. Ticks are of the processor's timer, but of ethos-u-core-software the cycles of ethos-u
 * are those of the NPU. Rows have no names but their kinds, so their places tell them apart. A profiler that
 * is not cleared repeats all rows in every inference.
 * Sources: tensorflow/tflite-micro, micro_profiler at 09d1cb66; renesas/ethos-u-core-software, its
 * layer_by_layer_profiler at 07cf70b4.
 */
#include "measure/import/timings.h"
#include "measure/import/tools/arm/ethosu_counts.h"

typedef struct operation {
    const char *tag;
    uint64_t ticks;
} operation;

/* Form of the log; the first one that it has counts. */
typedef enum form { NO_FORM, AS_TEXT, AS_CSV, WITH_CYCLES } form;

typedef struct reading {
    import_state *in;
    operation *all;
    uint32_t n;
    form form;
    row_timings timings;
    uint32_t n_tables; /* of CSV: each is of the inferences before it */
    bool is_table, is_executorch;
} reading;

static bool is_npu(const operation *o)
{
    return strcmp(o->tag, "ethos-u") == 0;
}

/* --- lines -------------------------------------------------------------------------------------------- */

static roof_status add(reading *r, form how, text_span tag, double ticks, roof_error *err)
{
    if (r->form != NO_FORM && r->form != how)
        return ROOF_OK;
    r->form = how;
    TRY(HAS_ROOM(r->n, TIMINGS_MAX_ROWS, err, "operators"));
    TRY(ARENA_MORE(r->in->scratch, r->all, r->n, err));
    r->all[r->n] = (operation){.ticks = (uint64_t)ticks};
    return import_keep_name(r->in, span_trim(tag), &r->all[r->n++].tag, err);
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length}), rest = text;
    double n;
    r->is_executorch |= span_has(text, "CPU cycles per operator");
    if (span_begins(text, "\"Event\",\"Tag\",\"Ticks\"")) {
        r->is_table = true;
        r->n_tables++;
        return ROOF_OK;
    }
    if (r->is_table) {
        /* "12,CONV_2D,1200" or "12,CONV_2D,1200,4"; anything else ends the table. */
        r->is_table = span_scan(&rest, "#,", &n);
        const text_span tag = span_until(&rest, ",");
        if (!r->is_table)
            return ROOF_OK;
        return tag.length && span_scan(&rest, ",#", &n)
                   ? add(r, AS_CSV, tag, n, err)
                   : error_data(err, "a row without its ticks, want \"NUMBER,TAG,TICKS\"");
    }
    text_span tag = span_take_until(&rest, " : cycle_cnt : ");
    if (span_scan(&rest, "# cycles", &n))
        return add(r, WITH_CYCLES, tag, n, err);
    rest = text;
    tag = span_take_until(&rest, " took ");
    return span_scan(&rest, "# ticks (", &n) ? add(r, AS_TEXT, tag, n, err) : ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

/* How many operators an inference has. All inferences must have the same ones. */
static roof_status period_of(const reading *r, uint64_t inferences, uint32_t *out, roof_error *err)
{
    *out = (uint32_t)(r->n / inferences);
    for (uint32_t i = *out; i < r->n && *out; i++)
        if (strcmp(r->all[i].tag, r->all[i - *out].tag) != 0)
            *out = 0;
    if (!*out || r->n % inferences)
        return error_data(err,
                          "%u operators are not those of %llu equal inferences: cut one of them out of the "
                          "log, or clear the profiler before each",
                          r->n, (unsigned long long)inferences);
    return ROOF_OK;
}

static bool has_time(const reading *r, const operation *o)
{
    return r->in->told_hz > 0 && (r->form != WITH_CYCLES || is_npu(o));
}

/* The mean of what an operator took in all inferences. row: of the timings, where it has any. */
static roof_status add_layer(reading *r, uint32_t at, uint32_t period, uint32_t *row, roof_run *run,
                             roof_error *err)
{
    const operation *o = &r->all[at];
    roof_measured *m = r->in->out;
    uint64_t sum = 0, inferences = r->n / period;
    roof_measured_layer *layer = NULL;
    for (uint32_t i = at; i < r->n; i += period)
        sum += r->all[i].ticks; /* each below 2^53, and 2^18 of them at most: their mean is below, too */
    if (has_time(r, o))
        TRY(timings_layer(&r->timings, (*row)++, run, &layer, err));
    else if (!(layer = run_add_layer(m, run)))
        return error_memory(err);
    roof_layer_counters *c = layer_counters_of(m, layer);
    TRY(ALLOCATED(c, err));
    layer->name = layer->type = o->tag;
    layer->index = at + 1;
    c->device = is_npu(o) ? "NPU" : "CPU";
    return layer_set_cycles(
        m, layer,
        (roof_domain_cycles){.domain = r->form == WITH_CYCLES && is_npu(o) ? "npu" : "ticks",
                             .cycles = (uint64_t)llround((double)sum / (double)inferences)},
        err);
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    uint64_t stated = r->in->options->inferences, inferences = stated            ? stated
                                                               : r->n_tables > 1 ? r->n_tables
                                                                                 : 1;
    uint32_t period, row = 0, n_npu = 0;
    if (!r->n || r->is_executorch)
        return error_data(err, "no operator with its ticks, want lines such as \"CONV_2D took 1200 ticks (4 "
                               "ms).\", or a table \"Event\",\"Tag\",\"Ticks\"");
    TRY(period_of(r, inferences, &period, err));
    TRY(import_add_run(r->in, NULL, ROOF_RUN_PER_LAYER, &run, err));
    for (uint32_t i = 0; i < r->n; i++) {
        if (!has_time(r, &r->all[i]))
            continue;
        TRY(timings_row_of(r->in, &r->timings, span_of(r->all[i].tag), i % period, &row, err));
        TRY(timings_add(&r->timings, row, (double)r->all[i].ticks / r->in->told_hz, err));
    }
    row = 0;
    for (uint32_t i = 0; i < period; i++) {
        n_npu += is_npu(&r->all[i]);
        TRY(add_layer(r, i, period, &row, run, err));
    }
    run->iterations = inferences;
    if (r->in->told_hz > 0)
        TRY(run_add_clock(r->in->out, run, r->form == WITH_CYCLES ? "npu" : "ticks", r->in->told_hz, err));
    if (r->in->told_hz > 0 && r->form != WITH_CYCLES)
        run->sum_of_layers_s = import_sum_of_rows(run);
    run->boundaries = run->launches = n_npu ? n_npu : period;
    if (!(r->in->told_hz > 0))
        import_note(
            r->in,
            "the rate of ticks is not in the log, so rows have no times: --map clock=400MHz tells it%s",
            r->form == WITH_CYCLES ? ", that of the NPU" : "");
    else if (r->form == WITH_CYCLES)
        import_note(r->in, "the clock is that of the NPU, so that operators of the processor have no times");
    import_note_count(r->in, n_npu, "operators of an inference start the NPU, each once");
    return ROOF_OK;
}

const importer_def importer_tflm_profiler = {.id = "tflm_profiler",
                                             .tool = "TensorFlow Lite Micro",
                                             .next = "name the rate of its ticks with --map clock=400MHz",
                                             .marks = {SURE(" took ", " ticks ("),
                                                       SURE("\"Event\",\"Tag\",\"Ticks\""),
                                                       SURE(" : cycle_cnt : ", "!CPU cycles per operator")},
                                             ROWS_ONLY,
                                             .takes_map = true,
                                             .unverified = true,
                                             .reading_bytes = sizeof(reading),
                                             .begin = ethosu_begin,
                                             .line = read_line,
                                             .finish = finish};
