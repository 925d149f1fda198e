/* prog_dla_dla_show_img_info of SigmaStar's SDK prints this of a model that it runs on the board, alone or in
 * a log, and what show_img_info.py prints of the file of a model.
 *
 *   Invoke Time: 5321 us        one call of the API: the driver, the IPU, and copies of the output
 *   IPU Time: 4810 us           the hardware alone
 *   BandWidth: 12.5 MB          read and written in external memory by one execution
 *   Variable size, work_mode, Batch mode, Setting batch, Suggest batch
 *   Offline IMG Version, Offline Model Size, ... Input: and Output:, with name, dtype, shape
 * The vendor's pages show both as pictures, so that units and their places are unknown: ':' or '=' parts a
 * name from its value, the unit stands behind either of them, and where there is none, --map time=us,bytes=MB
 * says it. A unit of the map counts before a printed one, since MB may be 2^20 bytes. A size whose unit
 * nobody says is unknown, and a doubt; a time without one is refused, since nothing is left without it.
 * The output of show_img_info.py has no time and gives remarks only.
 */
#include "measure/import/row.h"

#include <strings.h>

typedef enum fact {
    INVOKE_TIME,
    IPU_TIME,
    BANDWIDTH,
    VARIABLE_SIZE,
    SETTING_BATCH,
    SUGGEST_BATCH,
    WORK_MODE,
    BATCH_MODE,
    IMG_VARIABLE,
    IMG_FORMAT,
    IMG_MODEL,
    FACTS
} fact;

typedef enum fact_kind { OF_TIME, OF_SIZE, OF_COUNT, OF_WORDS } fact_kind;

/* Words are remarks, under the name that is printed. */
static const struct {
    const char *name;
    fact_kind kind;
} facts[FACTS] = {
    [INVOKE_TIME] = {"Invoke Time", OF_TIME},
    [IPU_TIME] = {"IPU Time", OF_TIME},
    [BANDWIDTH] = {"BandWidth", OF_SIZE},
    [VARIABLE_SIZE] = {"Variable size", OF_SIZE},
    [SETTING_BATCH] = {"Setting batch", OF_COUNT},
    [SUGGEST_BATCH] = {"Suggest batch", OF_COUNT},
    [WORK_MODE] = {"work_mode", OF_WORDS},
    [BATCH_MODE] = {"Batch mode", OF_WORDS},
    [IMG_VARIABLE] = {"Offline Model Variable Buffer Size", OF_SIZE},
    [IMG_FORMAT] = {"Offline IMG ", OF_WORDS},  /* its version */
    [IMG_MODEL] = {"Offline Model ", OF_WORDS}, /* sizes in bytes, as their documents say, and batches */
};

enum { TENSOR_SIZE = 512 };

typedef struct reading {
    import_state *in;
    csvmap_units map;
    double values[FACTS];    /* s, bytes, counts, 0 of words; NaN: not stated */
    bool logged, overflowed; /* while the log of the IPU was written; and it had no room */
    bool is_rounded;         /* a size in thousands, which the tool may mean otherwise */
    const char *side;        /* of the tensors that follow: "input", "output" */
    char tensor[TENSOR_SIZE];
} reading;

static roof_status begin(reading *r, roof_error *err)
{
    const char *map = r->in->options->map;
    for (fact f = 0; f < FACTS; f++)
        r->values[f] = NAN;
    if (map && !csvmap_is_units(map, &r->map))
        return error_set(err, ROOF_E_USAGE, "--map: '%s', want units such as time=us,bytes=MB",
                         SHOWN_TEXT(map));
    return ROOF_OK;
}

/* A number in the unit of the map, else in the one printed behind it or, with or without brackets, before. */
static roof_status read_quantity(reading *r, fact f, text_span before, text_span value, roof_error *err)
{
    bool is_time = facts[f].kind == OF_TIME;
    text_span unit = value;
    csvmap_units means = {0, 0};
    double number = 0, mapped = is_time ? r->map.per_second : r->map.bytes;
    if (!span_scan(&unit, "~ ", &number))
        return error_data(err, "%s is '%s', want a number", facts[f].name, SHOWN(value));
    if (!unit.length && (span_skip(&before, "(") || span_skip(&before, "[")))
        before = span_until(&before, ")]");
    unit = unit.length ? unit : span_trim(before);
    csvmap_unit_of(unit, &means);
    if (f == IMG_VARIABLE && !unit.length) /* "in bytes", as its document says */
        means.bytes = 1;
    double scale = mapped > 0 ? mapped : is_time ? means.per_second : means.bytes;
    if (!is_time && !(mapped > 0) && (!(scale > 0) || span_has(unit, "/")))
        return import_doubt(
            r->in, ROOF_DOUBT_NO_UNIT, err,
            "%s is '%s' with %s%s, so it is unknown: --map bytes=MB says what it is, or bytes=KiB",
            facts[f].name, SHOWN(value), unit.length ? "the unit " : "no unit", SHOWN(unit));
    if (!(scale > 0) || span_has(unit, "/"))
        return error_data(err, "%s is '%s' with %s%s; --map %s says what it is, or %s", facts[f].name,
                          SHOWN(value), unit.length ? "the unit " : "no unit", SHOWN(unit),
                          is_time ? "time=us" : "bytes=MB", is_time ? "time=ms" : "bytes=KiB");
    r->values[f] = is_time ? number / scale : number * scale;
    r->is_rounded = r->is_rounded || (!is_time && !(mapped > 0) && !(fmod(scale, 1e3) > 0));
    return ROOF_OK;
}

static roof_status read_fact(reading *r, fact f, text_span name, text_span value, roof_error *err)
{
    uint64_t count;
    if (facts[f].kind == OF_WORDS) {
        import_note(r->in, "%s %s", SHOWN(name), SHOWN(value));
        r->values[f] = 0;
        return ROOF_OK;
    }
    if (!isnan(r->values[f]))
        return error_data(err, "a second %s; import each run of a model by itself", facts[f].name);
    if (facts[f].kind != OF_COUNT)
        return read_quantity(r, f, span_trim(span_from(name, strlen(facts[f].name))), value, err);
    TRY(span_count(value, facts[f].name, &count, err));
    r->values[f] = (double)count;
    return ROOF_OK;
}

static void end_tensor(reading *r)
{
    if (r->tensor[0])
        import_note(r->in, "%s", r->tensor);
    r->tensor[0] = '\0';
}

/* "name: images" behind "Input:" begins a tensor; what else is said of it follows. */
static void read_tensor(reading *r, text_span member, text_span value)
{
    /* A name stands before what would not be understood without it. */
    static const struct {
        const char *name;
        bool is_named;
    } members[] = {{"index", true},
                   {"dtype", false},
                   {"layouts", false},
                   {"shape", false},
                   {"training_input_formats", true},
                   {"input_formats", true},
                   {"input_width_alignment", true},
                   {"input_height_alignment", true},
                   {"batch_mode", false},
                   {"batch", true}};
    bool is_input = span_is(member, "Input");
    size_t used = strlen(r->tensor);
    if (is_input || span_is(member, "Output")) {
        end_tensor(r);
        r->side = is_input ? "input" : "output";
    } else if (r->side && span_is(member, "name")) {
        end_tensor(r);
        snprintf(r->tensor, TENSOR_SIZE, "%s %s", r->side, SHOWN(value));
    }
    const uint32_t i = NAMED_SPAN_AT(members, N_OF(members), name, member);
    if (used && i < N_OF(members))
        snprintf(r->tensor + used, TENSOR_SIZE - used, ", %s%s%s", members[i].is_named ? members[i].name : "",
                 members[i].is_named ? " " : "", SHOWN(value));
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    /* The words of its vendor are a picture: these say that a buffer has no room. */
    static const char *const full[] = {"overflow", "insufficient", "not enough", "too small",
                                       "no space", "is full",      "incomplete", "exceed"};
    text_span rest = {line->text, line->length}, name = span_trim(span_until(&rest, ":="));
    /* of the command line, of the program, of the kernel */
    bool is_log = strcasestr(line->text, "ipu_log") || strcasestr(line->text, "ipu log");
    r->logged = r->logged || is_log;
    for (size_t i = 0; is_log && i < N_OF(full); i++)
        r->overflowed = r->overflowed || strcasestr(line->text, full[i]);
    if (!rest.length)
        return ROOF_OK;
    rest = span_trim(span_from(rest, 1));
    for (fact f = 0; f < FACTS; f++) {
        size_t n = strlen(facts[f].name);
        if (name.length >= n && strncasecmp(name.text, facts[f].name, n) == 0)
            return read_fact(r, f, name, rest, err);
    }
    read_tensor(r, name, rest);
    return ROOF_OK;
}

/* The rest is the CPU's: its driver, and copies of the output. */
static roof_status add_times(reading *r, roof_run *run, roof_error *err)
{
    double invoke_s = r->values[INVOKE_TIME], ipu_s = r->values[IPU_TIME], rest_s;
    run->total.mean_s = invoke_s;
    if (isnan(ipu_s))
        return ROOF_OK;
    if (ipu_s > invoke_s)
        return error_data(
            err,
            "IPU Time is %s ms, longer than Invoke Time, %s ms, which it is a part of: are the units right?",
            NUMBER(ipu_s * 1e3), NUMBER(invoke_s * 1e3));
    TRY(run_add_phase(r->in->out, run, (roof_phase){"ipu", ipu_s, NULL, ROOF_PHASE_ACCELERATOR}, err));
    if (isnan(invoke_s))
        return ROOF_OK;
    number_split(&invoke_s, &ipu_s, &rest_s);
    return run_add_phase(r->in->out, run, (roof_phase){"host", rest_s, NULL, ROOF_PHASE_HOST}, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run *run = NULL;
    bool has_time = !isnan(r->values[INVOKE_TIME]) || !isnan(r->values[IPU_TIME]);
    if (!has_time && isnan(r->values[IMG_FORMAT]) && isnan(r->values[IMG_MODEL]) &&
        isnan(r->values[IMG_VARIABLE]))
        return error_data(err, "no figures of prog_dla_dla_show_img_info, want lines \"Invoke Time: ...\" "
                               "and \"IPU Time: ...\"");
    end_tensor(r);
    if (isfinite(r->values[VARIABLE_SIZE]))
        import_note(r->in, "Variable size %.0f bytes of memory at run time, which models may share",
                    r->values[VARIABLE_SIZE]);
    if (r->is_rounded)
        import_note(r->in, "KB and MB are taken for 10^3 and 10^6 bytes, since nothing says which are meant: "
                           "--map bytes=MiB says otherwise");
    if (r->logged)
        TRY(import_doubt(r->in, ROOF_DOUBT_LOGGED, err,
                         "its vendor says that times and bandwidth printed while the IPU's log is written "
                         "must not be trusted: run the model again without --ipu_log%s",
                         r->overflowed ? "; the buffer of that log was too small, so that it is incomplete: "
                                         "make it again with a larger --ipu_log_size"
                                       : ""));
    if (!has_time)
        import_note(r->in, "show_img_info.py describes a model and has no time: run "
                           "prog_dla_dla_show_img_info on the board, and import what it prints");
    TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    TRY(add_times(r, run, err));
    run->total_bytes = count_from(r->values[BANDWIDTH]);
    run->memory_bytes =
        count_from(isnan(r->values[VARIABLE_SIZE]) ? r->values[IMG_VARIABLE] : r->values[VARIABLE_SIZE]);
    /* How many images one call works on is only certain where both numbers agree. */
    double set = r->values[SETTING_BATCH], inside = r->values[SUGGEST_BATCH];
    if (set >= 1 && set <= UINT16_MAX && fabs(set - inside) < 0.5)
        run->batch = (uint32_t)set;
    else if (set > 1 || (set >= 0 && inside > 1))
        import_note(r->in, "Setting batch and Suggest batch are not the same: how many images one call "
                           "worked on is not stated, so that the time of one image is unknown");
    return ROOF_OK;
}

const importer_def importer_sigmastar_console = {
    .id = "sigmastar_console",
    .tool = "SigmaStar",
    .marks = {SURE("Invoke Time", "IPU Time"), SURE("Offline IMG Version"),
              SURE("Offline Model Size", "Offline Model Variable Buffer Size")},
    WHOLE_ONLY("prog_dla_dla_show_img_info runs the whole model"),
    .takes_map = true,
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .begin = begin,
    .line = read_line,
    .finish = finish};
