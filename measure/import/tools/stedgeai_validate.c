/* `stedgeai validate --mode target` of ST Edge AI Core 2.0 to 4.x reports of a network on an STM32, as
 * network_validate_report.txt or in a log of the CLI, of STM32CubeMX, of ST's cloud or of its profiler:
 *
 *   Summary 'network' - ['network']
 *   device.attrs   :   fpu,npu_cache=1,mcu_freq=800MHz,noc_freq=400MHz,npu_freq=1000MHz,nic_freq=900MHz
 *   ST.AI Profiling results v2.0 - "network"
 *   nb sample(s)   :   10
 *   duration       :   0.462 ms by sample (0.461/0.473/0.004)             mean (minimum/maximum/deviation)
 *    Inference time per node
 *    c_id    m_id   type          dur (ms)       %    cumul  CPU cycles                    name
 *    0       -      epoch            0.162   35.1%    35.1%  [  10,745  114,021  4,984 ]   EpochBlock_2
 *    n/a     n/a    Inter-nodal      0.001    0.2%   100.0%                                n/a
 *    total                           0.462                   [  30,050  327,134 12,470 ]
 *
 * An STM32 without an NPU has operators in place of epochs, one number of cycles, and no line "total":
 *    0       0      Conv2D (0x103)   8.000   64.8%    64.8%  [   3,200,000 ]   ai_node_0
 *   ---
 *                                   12.345 ms
 *
 * CPU cycles are the MCU's before, while and after the NPU works; those of the NPU are not printed, and
 * nothing here is converted into them. They are means of the samples, cut to whole numbers; the line "total"
 * is the sum of the rows, which tells whether a log has lost one. A run on the host prints the table without
 * cycles. Logs have empty lines and progress bars anywhere, so that lines which begin like none of these are
 * skipped.
 *
 * "EpochBlock_2" is what the compiler's c_info.json calls "epoch_2", so it gets that name. "EpochBlock_1 ->
 * 51" is one blob of the epoch controller, and "EpochBlock_52 (7)" a part that the runtime puts into epoch
 * 52: neither is an epoch of the compiler, so both stay as they are.
 */
#include "measure/import/tools/st/st_report.h"

#include <ctype.h>

/* The table that is being read. */
typedef struct table {
    roof_run *run;
    uint64_t line; /* of its headings; 0: none is open */
    checked cycles[ST_PHASES];
    double between_ms; /* of "Inter-nodal" */
    double rows_ms;
    bool is_of_mcu; /* alone: there is no NPU */
} table;

typedef struct reading {
    import_state *in;
    uint64_t line;               /* that is being read */
    st_clocks clocks;            /* of the device that was described last */
    roof_times duration;         /* of the network that ran last */
    const char *model, *network; /* of the next table; NULL: not named */
    table table;
    unsigned n_tables;
    uint64_t host_line, duration_line; /* of a table without cycles, of a duration; 0: none */
    bool generates;                    /* a log of the compiler */
    bool has_npu;                      /* of one table at least */
    bool summary;                      /* of a network, which says what it has */
    const char *remarked;              /* of summaries, a line each; NULL: nothing */
} reading;

static roof_status read_duration(reading *r, text_span value, roof_error *err)
{
    double ms[4];
    uint64_t n = r->duration.count;
    if (!span_has(value, " ms by sample ("))
        return ROOF_OK; /* another tool's duration in the same log */
    if (!span_scan(&value, "~ ms by sample (~/~/~)", ms))
        return error_data(err,
                          "the duration is '%s', want MEAN ms by sample (MIN/MAX/STD): is the line whole?",
                          SHOWN(value));
    if (ms[1] > ms[0] || ms[0] > ms[2])
        return error_data(err, "the duration is not between its minimum and its maximum");
    r->duration_line = r->line;
    for (int i = 0; i < 4; i++)
        ms[i] = ms[i] > 0 ? ms[i] / 1e3 : NAN; /* 0.000 is merely small */
    r->duration.mean_s = ms[0];
    r->duration.min_s = ms[1];
    r->duration.max_s = ms[2];
    /* The tool's deviation is that of the samples; ours, as everywhere, with count - 1. */
    bool several = n != ROOF_UNKNOWN && n >= 2;
    r->duration.std_s = several ? ms[3] * sqrt((double)n / (double)(n - 1)) : NAN;
    return ROOF_OK;
}

static roof_status read_beside(reading *r, text_span text, roof_error *err)
{
    text_span key, value, rest = text;
    if (span_skip(&rest, "Model name - ") && span_trim(rest).length)
        return import_keep_name(r->in, span_trim(rest), &r->model, err);
    if (span_begins(text, "Summary '")) {
        r->clocks = (st_clocks)ST_NO_CLOCKS;
        r->summary = true;
    }
    if (span_begins(text, "Epochs details") || span_has(text, "EXECUTING NEURAL ART COMPILER"))
        r->generates = true;
    if (span_skip(&rest, "ST.AI Profiling results")) {
        r->duration = times_unknown();
        r->network = NULL;
        text_span pieces[2];
        bool named = span_cut(&rest, "*\"*\"", NULL, pieces) && pieces[1].length;
        return named ? import_keep_name(r->in, pieces[1], &r->network, err) : ROOF_OK;
    }
    if (!st_cut_pair(text, &key, &value))
        return ROOF_OK;
    const char *fact = st_model_fact(key);
    if (fact) /* a log has the summary of a network once for each run of it */
        return r->summary ? st_remark(r->in, &r->remarked, fact, value, err) : ROOF_OK;
    if (span_is(key, "device.attrs"))
        return st_read_attrs(value, &r->clocks, err);
    if (span_is(key, "device.desc"))
        st_read_device(value, &r->clocks); /* not the clock of the attributes, but better than none */
    if (span_is(key, "model_name") && value.length)
        return import_keep_name(r->in, value, &r->model, err);
    if (span_is(key, "duration"))
        return read_duration(r, value, err);
    if (!span_is(key, "nb sample(s)") && !span_is(key, "nb samples"))
        return ROOF_OK;
    TRY(span_count(value, "nb sample(s)", &r->duration.count, err));
    return r->duration.count ? ROOF_OK : error_data(err, "nb sample(s) is 0: was the network run?");
}

/* --- the table ---------------------------------------------------------------------------------------- */

enum { MAX_WORDS = 32 };

/* The numbers between brackets, three or one without an NPU, and what stands on both sides. */
static roof_status cut_cycles(text_span text, text_span sides[2], uint64_t cycles[ST_PHASES], bool *is_of_mcu,
                              roof_error *err)
{
    text_span words[ST_PHASES], pieces[2];
    if (!span_cut(&text, "*[*]", NULL, pieces))
        return error_data(err, "no CPU cycles between [ and ]: is the line whole?");
    sides[0] = span_trim(pieces[0]);
    sides[1] = span_trim(text);
    size_t n = st_words(pieces[1], words, ST_PHASES);
    *is_of_mcu = n == 1;
    if (n != ST_PHASES && n != 1)
        return error_data(
            err,
            "%zu CPU cycles, want those before, while and after the NPU works, or one number without an NPU",
            n);
    for (size_t p = 0; p < n; p++)
        TRY(st_count(words[p], "a number of CPU cycles", &cycles[p], err));
    return ROOF_OK;
}

/* "epoch" alone is one of hardware. */
static roof_status read_type(text_span printed, st_epoch *out, roof_error *err)
{
    text_span rest = printed;
    bool bracket = span_skip(&rest, "epoch") && span_skip(&rest, " (");
    text_span type = bracket ? span_until(&rest, ")") : span_of("HW");
    bool whole = span_is(rest, bracket ? ")" : "");
    if (whole && (out->type = st_find_type(type, &out->device)))
        return ROOF_OK;
    if (!span_begins(printed, "epoch (extra "))
        return error_data(err, "the type is '%s', want epoch, epoch (EC), (SW), (HYBRID) or (extra ...)",
                          SHOWN(printed));
    out->type = "extra"; /* which one, ".7", stands in the name too */
    out->device = span_begins(printed, "epoch (extra HW") ? "NPU" : NULL;
    return ROOF_OK;
}

static roof_status read_name(reading *r, text_span printed, const char **out, roof_error *err)
{
    text_span number = printed;
    uint64_t n;
    if (!span_skip(&number, "EpochBlock_") || number.length > 20 || span_id(number, "", &n, NULL) != ROOF_OK)
        return import_keep_name(r->in, printed, out, err);
    *out = arena_printf(r->in->out->storage->arena, "epoch_%.*s", (int)number.length, number.text);
    return ALLOCATED(*out, err);
}

static roof_status read_row(reading *r, text_span text, roof_error *err)
{
    text_span sides[2];
    st_epoch epoch = {.rounding_s = 0.51e-6, .share_ratio = NAN, .count = r->duration.count};
    bool is_of_mcu;
    TRY(cut_cycles(text, sides, epoch.cycles, &is_of_mcu, err));
    if (r->table.run->n_layers && is_of_mcu != r->table.is_of_mcu)
        return error_data(err, "rows with one number of cycles and with three: is the line whole?");
    r->table.is_of_mcu = is_of_mcu;
    r->has_npu = r->has_npu || !is_of_mcu;
    /* The words before the cycles: c_id, m_id, those of the type, milliseconds, % and cumulated %. */
    enum { FIRST_OF_TYPE = 2, BEHIND_TYPE = 3 };
    text_span words[MAX_WORDS];
    uint64_t number;
    double ms;
    size_t n = st_words(sides[0], words, MAX_WORDS);
    if (n <= FIRST_OF_TYPE + BEHIND_TYPE || n > MAX_WORDS)
        return error_data(
            err, "a row of %zu words before its cycles, want c_id, m_id, type, dur (ms), %%, cumul", n);
    TRY(span_id(words[0], "c_id", &number, err));
    if (number != r->table.run->n_layers && !is_of_mcu)
        return error_data(err, "c_id is %llu, want %u: are rows missing?", (unsigned long long)number,
                          r->table.run->n_layers);
    const text_span type = span_to(words[FIRST_OF_TYPE], words[n - BEHIND_TYPE - 1]);
    if (is_of_mcu) {
        epoch.device = "CPU";
        TRY(import_keep_name(r->in, type, &epoch.type, err));
    } else {
        TRY(read_type(type, &epoch, err));
    }
    TRY(span_number(words[n - BEHIND_TYPE], "dur (ms)", &ms, err));
    epoch.stated_s = ms / 1e3;
    r->table.rows_ms += ms;
    TRY(read_name(r, sides[1], &epoch.name, err));
    for (int p = 0; p < ST_PHASES; p++)
        r->table.cycles[p] = checked_plus(r->table.cycles[p], epoch.cycles[p]);
    return st_add_epoch(r->in, r->table.run, &epoch, r->clocks.hz[ST_MCU], err);
}

/* The line "total"; without an NPU the sum of the durations, or whatever the table ends at. */
static roof_status end_table(reading *r, text_span text, roof_error *err)
{
    text_span sides[2];
    uint64_t total[ST_PHASES];
    roof_run *run = r->table.run;
    bool is_of_mcu = r->table.is_of_mcu;
    double stated_ms = NAN;
    if (is_of_mcu && !span_begins(text, "total"))
        span_scan(&text, "~ ms", &stated_ms);
    else
        TRY(cut_cycles(text, sides, total, &is_of_mcu, err));
    if (is_of_mcu != r->table.is_of_mcu)
        return error_data(err, "rows and total have different numbers of CPU cycles: is a line damaged?");
    if (fabs(stated_ms - r->table.rows_ms) > 0.51e-3 * (1 + run->n_layers))
        return error_data(err, "the rows take %s ms, the table states %s ms: are rows missing?",
                          NUMBER(r->table.rows_ms), NUMBER(stated_ms));
    for (int p = 0; p < ST_PHASES && !r->table.is_of_mcu; p++)
        if (r->table.cycles[p].overflow || r->table.cycles[p].value != total[p])
            return error_data(
                err, "the rows have %llu CPU cycles in phase %d of 3, the total has %llu: are rows missing?",
                (unsigned long long)r->table.cycles[p].value, p + 1, (unsigned long long)total[p]);
    if (!run->n_layers)
        return error_data(err, "a table without rows");
    TRY(st_add_clocks(r->in, run, &r->clocks, err));
    if (!r->table.is_of_mcu)
        TRY(st_sum_phases(r->in->out, run, err));
    run->total = r->duration;
    run->iterations = r->duration.count;
    st_sum_up(run);
    double total_ms = run->total.mean_s * 1e3, rows_ms = run->sum_of_layers_s * 1e3;
    /* The printed duration and, without a clock, every row are rounded; what is cut off cycles is less. */
    double rounding_ms = 0.51e-3 * (isnan(r->clocks.hz[ST_MCU]) ? 1 + run->n_layers : 2);
    const char *name = r->model ? r->model : r->network ? r->network : "a network";
    const char *of = SHOWN_TEXT(name);
    if (isnan(total_ms))
        import_note(r->in, "%s: no duration of the inference stands before the table", of);
    else if (fabs(total_ms - rows_ms) <= rounding_ms)
        import_note(r->in, "%s: its %u row%s to its %s ms", of, run->n_layers,
                    run->n_layers == 1 ? " comes" : "s sum up", NUMBER(total_ms));
    else
        import_note(r->in,
                    "%s: its %u rows take %s ms of its %s ms, and %s ms are stated to lie between them", of,
                    run->n_layers, NUMBER(rows_ms), NUMBER(total_ms), NUMBER(r->table.between_ms));
    if (isnan(r->clocks.hz[ST_MCU]))
        import_note(r->in, "the file states no mcu_freq, so times are the printed ones, rounded to 1 us");
    r->model = r->network = NULL;
    r->duration = times_unknown();
    r->table = (table){.run = NULL};
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    enum { MAX_TABLES = 1000 };
    text_span text = st_cut_line((text_span){line->text, line->length});
    r->line = line->number;
    if (r->table.line) {
        double ms;
        text_span rest = text;
        const bool is_sum = r->table.is_of_mcu && span_scan(&rest, "~ ms", &ms) && !rest.length;
        const bool goes_on = !text.length || isdigit((unsigned char)*text.text) || *text.text == '-';
        if (is_sum || (r->table.is_of_mcu && !goes_on))
            return end_table(r, text, err);
        if (span_begins(text, "c_id") || span_begins(text, "Statistic per tensor"))
            return error_data(err, "the table that begins in line %llu has no line 'total': is it whole?",
                              (unsigned long long)r->table.line);
        if (span_begins(text, "total"))
            return end_table(r, text, err);
        if (span_begins(text, "n/a")) {
            /* Time of the inference that no row has. */
            enum { DURATION = 3 };
            text_span words[MAX_WORDS];
            if (st_words(text, words, MAX_WORDS) <= DURATION)
                return error_data(err, "a row without a duration: is the line whole?");
            return span_number(words[DURATION], "dur (ms)", &r->table.between_ms, err);
        }
        return text.length && isdigit((unsigned char)*text.text) ? read_row(r, text, err) : ROOF_OK;
    }
    if (span_begins(text, "c_id ")) {
        /* There is no column of cycles where nothing counts them. */
        text_span rest = text;
        bool known = span_scan(&rest, "c_id m_id type dur (ms) % cumul ", NULL);
        bool counted = span_scan(&rest, "CPU cycles ", NULL);
        if (!known || !span_is(rest, "name"))
            return error_data(
                err, "the headings '%s', want c_id, m_id, type, dur (ms), %%, cumul, CPU cycles, name",
                SHOWN(text));
        if (!counted) {
            r->host_line = r->line;
            return ROOF_OK;
        }
        TRY(HAS_ROOM(r->n_tables++, MAX_TABLES, err, "tables"));
        r->table = (table){.line = r->line};
        return import_add_run(r->in, r->model ? r->model : r->network, ROOF_RUN_PER_LAYER, &r->table.run,
                              err);
    }
    return read_beside(r, text, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    if (r->table.line && r->table.is_of_mcu)
        TRY(end_table(r, span_of(""), err));
    if (r->table.line)
        return error_line(err, ROOF_E_DATA, r->table.line,
                          "the table that begins here has no line 'total': is the file whole?");
    if (!r->n_tables) {
        const uint64_t line = r->host_line ? r->host_line : r->duration_line;
        const char *found =
            r->host_line       ? "these times are of a validation on the host, not of the device"
            : r->duration_line ? "only the duration of the whole inference, and no row of an epoch"
            : r->generates     ? "this is what the compiler printed, which has no times: `roofline predict` "
                                 "reads the c_info.json or network.csv that it wrote"
                               : "no times of epochs";
        return error_line(err, ROOF_E_DATA, line ? line : ROOF_UNKNOWN,
                          "%s; want the table 'Inference time per node' with CPU cycles, which `stedgeai "
                          "validate --mode target` prints",
                          found);
    }
    if (r->n_tables > 1)
        import_note(r->in, "%u tables, a run each", r->n_tables);
    if (r->has_npu)
        import_note(
            r->in,
            "cycles are the MCU's, before, while and after the NPU works: those of the NPU are not printed");
    return ROOF_OK;
}

/* Logs may have nothing but what the compiler and the builder print at their beginning. A log of the profiler
 * has these tables too, and more than they say. */
const importer_def importer_stedgeai_validate = {
    .id = "stedgeai_validate",
    .program = "ST Edge AI Core",
    .marks = {SURE("ST Edge AI Core v", "Parameters            : validate", "!AiRunner Profiler"),
              SURE("Inference time per node", "c_id", "!AiRunner Profiler"),
              LIKELY("ST Edge AI Core v", "Parameters            : validate"),
              LIKELY("Inference time per node", "c_id"), LIKELY("ST.AI Profiling results"),
              LIKELY("Exec/report summary (", "stm32n6"), LIKELY("[INFO] CmdLine:", "stm32n6"),
              LIKELY("EXECUTING NEURAL ART COMPILER"), LIKELY("Executed command: ", "STM32CubeMX")},
    LAYERS_ONLY("stedgeai validate times every epoch"),
    READING(reading, .clocks = ST_NO_CLOCKS, .duration = TIMES_UNKNOWN),
    .line = read_line,
    .finish = finish};
