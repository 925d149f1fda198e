/* Qualcomm's snpe-diagview prints of a log:
 *
 *   Average SNPE Statistics:                     SNPE Execute Statistics (Averaged):
 *   Total Inference Time: 26458 us                 Total Inference Time: 1328 us
 *   RPC Execute Time: 0 us                         Accelerator Time: 59 us
 *   Layer Times:                                   Per-Layer Execution Times:
 *   0: 1419 us : CPU                                 1: conv1:OpId_18 (cycles) : 1252 cycles : DSP
 *
 * Cycles are summed over threads of the DSP: the time of such a row is its share of them in the accelerator's
 * time. Older versions do not name layers.
 */
#include "measure/import/tool_table.h"

enum { TOTAL, RPC, DRIVER, ACCELERATOR, TIMES };
static const char *const lines[TIMES] = {"Total Inference Time: ~ us", "RPC Execute Time: ~ us",
                                         "Snpe Accelerator Time: ~ us", "Accelerator Time: ~ us"};
static const roof_phase phases[] = {
    {"rpc", 0, NULL, ROOF_PHASE_HOST},
    {"accelerator_driver", 0, "rpc", ROOF_PHASE_HOST},
    {"accelerator", 0, "accelerator_driver", ROOF_PHASE_ACCELERATOR},
};

typedef struct reading {
    table_reading table;
    double seconds[TIMES], cycles;
    uint32_t n_statistics, n_counted, n_nameless;
    bool in_layers;
} reading;

/* The last " : " of a text, which is taken off with what is behind it. */
static text_span take_last(text_span *text)
{
    text_span last = {text->text + text->length, 0};
    for (size_t i = text->length; i-- > 1;)
        if (text->text[i] == ':' && text->text[i - 1] == ' ') {
            last = span_trim(span_from(*text, i + 1));
            text->length = i - 1;
            break;
        }
    return last;
}

/* "1: conv1:OpId_18 (cycles) : 1252 cycles : DSP", or without a name "0: 1419 us : CPU". */
static roof_status take_layer(reading *r, text_span text, roof_error *err)
{
    table_row row = row_unknown();
    double number, value;
    text_span device = take_last(&text), rest = text;
    if (!span_scan(&text, "#: ", &number) || !device.length)
        return ROOF_OK;
    rest = take_last(&text);
    bool is_named = rest.length;
    if (!is_named)
        rest = text;
    text_span counted = rest;
    if (span_scan(&rest, "~ us", &value) && !rest.length)
        row.values[ROW_TIME] = value / 1e6;
    else if (span_scan(&counted, "~ cycles", &value) && !counted.length)
        row.values[ROW_CYCLES] = value;
    else
        return error_data(err, "'%s' is no time of a layer, want us or cycles", SHOWN(rest));
    char nameless[40];
    print_into(nameless, sizeof nameless, "layer %.0f", number);
    text_span name = is_named ? span_take_until(&text, " (cycles)") : span_of(nameless);
    TRY(import_keep_name(r->table.in, span_take_until(&name, ":OpId_"), &row.name, err));
    TRY(import_keep_name(r->table.in, device, &row.device, err));
    row.exact = true;
    r->n_nameless += is_named ? 0 : 1;
    r->n_counted += isnan(row.values[ROW_CYCLES]) ? 0 : 1;
    r->cycles += isnan(row.values[ROW_CYCLES]) ? 0 : row.values[ROW_CYCLES];
    return row_keep(r->table.in, &row, err);
}

static roof_status take_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length});
    if (span_is(text, "Layer Times:") || span_is(text, "Per-Layer Execution Times:")) {
        r->in_layers = true;
        return ROOF_OK;
    }
    for (int t = 0; t < TIMES; t++) {
        text_span rest = text;
        double us;
        if (span_scan(&rest, lines[t], &us) && !rest.length) {
            r->seconds[t] = us > 0 ? us / 1e6 : NAN; /* 0 is printed where there is no such part */
            r->n_statistics += t == TOTAL ? 1 : 0;
        }
    }
    return r->in_layers ? take_layer(r, text, err) : ROOF_OK;
}

static roof_status finish_run(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    run->total.mean_s = r->seconds[TOTAL];
    TRY(run_add_phases(in->out, run, phases, r->seconds + RPC, TIMES - RPC, err));
    if (r->n_counted)
        import_note(in, "cycles are summed over threads that work at the same time: the time of such a row "
                        "is its share of them in the accelerator's time");
    if (r->n_nameless)
        import_note(in, "layers have numbers and no names, counted from 0 as the tool does");
    return ROOF_OK;
}

static roof_status share_out(reading *r, roof_error *err)
{
    import_state *in = r->table.in;
    if (r->n_statistics > 1)
        return error_data(err, "statistics of %u logs; cut the file in as many", r->n_statistics);
    if (!in->n_rows || isnan(r->seconds[TOTAL]))
        return error_data(err, "no \"Total Inference Time\" with times of layers below");
    for (uint32_t i = 0; i < in->n_rows; i++) {
        double *v = in->rows[i].values;
        if (!isnan(v[ROW_CYCLES]) && r->cycles > 0 && r->seconds[ACCELERATOR] > 0)
            v[ROW_TIME] = v[ROW_CYCLES] / r->cycles * r->seconds[ACCELERATOR];
    }
    return ROOF_OK;
}

const importer_def importer_snpe_diagview = {
    .id = "snpe_diagview",
    .fuse = "snpe-dlc-graph-prepare --optimization_level 3",
    .tool = "SNPE",
    .marks = {SURE("Total Inference Time:", "Layer Times:", "Snpe Accelerator"),
              SURE("Total Inference Time:", "Per-Layer Execution Times:")},
    ROWS_ONLY,
    .unverified = true,
    .empty = &(const reading){.seconds = {NAN, NAN, NAN, NAN}},
    TABLE_LINES(reading, .is_in_order = true, .cycles = "dsp_threads", .line = take_line, .rows = share_out,
                .finish = finish_run)};
