/* What prog_dla_dla_show_img_info of SigmaStar's SDK prints of a model that it runs on the board, alone or in a log, and what
 * show_img_info.py prints of the file of a model.
 *
 *   Invoke Time: 5321 us        one call of the API: the driver, the IPU, and copies of the output
 *   IPU Time: 4810 us           the hardware alone
 *   BandWidth: 12.5 MB          read and written in external memory by one execution
 *   Variable size, work_mode, Batch mode, Setting batch, Suggest batch
 *   Offline IMG Version, Offline Model Size, ... Input: name, dtype, shape
 * The vendor's pages show both as pictures, so that units and their places are not known: ':' or '=' parts a name from its
 * value, the unit stands behind either of them, and where there is none, --map time=us,bytes=MB says it. A unit of the map
 * counts before a printed one, since MB may be 2^20 bytes. What show_img_info.py prints has no time and gives remarks only.
 */
#include "core/error.h"
#include "core/quantity.h"
#include "measure/importer.h"
#include "measure/map_units.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef enum fact {
    INVOKE_TIME,
    IPU_TIME,
    BANDWIDTH,
    VARIABLE_SIZE,
    WORK_MODE,
    BATCH_MODE,
    SETTING_BATCH,
    SUGGEST_BATCH,
    IMG_VERSION,
    IMG_SIZE,
    MAX_BATCH,
    IMG_SUGGESTED,
    IMG_SUPPORTED,
    IMG_VARIABLE,
    FACTS
} fact;

typedef enum fact_kind { OF_TIME, OF_SIZE, OF_COUNT, OF_WORDS } fact_kind;

static const struct {
    const char *name;
    fact_kind kind;
} facts[FACTS] = {
    [INVOKE_TIME] = {"Invoke Time", OF_TIME},
    [IPU_TIME] = {"IPU Time", OF_TIME},
    [BANDWIDTH] = {"BandWidth", OF_SIZE},
    [VARIABLE_SIZE] = {"Variable size", OF_SIZE},
    [WORK_MODE] = {"work_mode", OF_WORDS},
    [BATCH_MODE] = {"Batch mode", OF_WORDS},
    [SETTING_BATCH] = {"Setting batch", OF_COUNT},
    [SUGGEST_BATCH] = {"Suggest batch", OF_COUNT},
    [IMG_VERSION] = {"Offline IMG Version", OF_WORDS},
    [IMG_SIZE] = {"Offline Model Size", OF_WORDS}, /* bytes, as their documents say */
    [MAX_BATCH] = {"Offline Model Max Batch", OF_WORDS},
    [IMG_SUGGESTED] = {"Offline Model Suggested Batch", OF_WORDS},
    [IMG_SUPPORTED] = {"Offline Model Supported Batch", OF_WORDS},
    [IMG_VARIABLE] = {"Offline Model Variable Buffer Size", OF_WORDS},
};

enum { WORDS_SIZE = 120, MOST_TENSORS = 16 };

typedef struct reading {
    import_state *in;
    map_units map;
    bool found[FACTS];
    double values[FACTS]; /* s, bytes, counts */
    char words[FACTS][WORDS_SIZE];
    bool logged, overflowed; /* while the log of the IPU was written; and it had no room */
    bool is_rounded;         /* a size in thousands, which the tool may mean otherwise */
    const char *side;        /* of the tensors that follow: "input", "output" */
    char tensor[WORDS_SIZE];
    uint32_t n_tensors;
} reading;

/* --- names and values --------------------------------------------------------------------------------- */

/* Past a name at the beginning of a text, however its letters are written. */
static bool skip_name(text_span *text, const char *name)
{
    size_t n = strlen(name);
    if (text->length < n || strncasecmp(text->text, name, n) != 0)
        return false;
    *text = span_from(*text, n);
    return true;
}

/* " (us): 12.5 ms": what stands behind a name, cut into the units and the value. False without ':' or '='. */
static bool cut_value(text_span rest, text_span *before, text_span *value)
{
    text_span head = span_trim(span_until(&rest, ":="));
    if (!rest.length)
        return false;
    *value = span_trim(span_from(rest, 1));
    if (head.length > 1 && strchr("([", *head.text) && strchr(")]", head.text[head.length - 1]))
        head = (text_span){head.text + 1, head.length - 2};
    *before = span_trim(head);
    return true;
}

static roof_status fail_unit(fact f, text_span value, text_span unit, roof_error *err)
{
    bool is_time = facts[f].kind == OF_TIME;
    return error_set(err, ROOF_E_DATA, "%s is '%s' with %s%s; --map %s says what it is, or %s", facts[f].name,
                     SHOWN(value), unit.length ? "the unit " : "no unit", SHOWN(unit),
                     is_time ? "time=us" : "bytes=MB", is_time ? "time=ms" : "bytes=KiB");
}

/* A number in the unit of the map, else in the one that is printed before or behind it. */
static roof_status read_quantity(reading *r, fact f, text_span before, text_span value, roof_error *err)
{
    bool is_time = facts[f].kind == OF_TIME, is_digit = value.length && strchr("0123456789", *value.text);
    text_span unit = value, whole = value;
    map_units means = {0, 0};
    double number = 0;
    if (!is_digit || !span_scan(&unit, "~", &number))
        return error_set(err, ROOF_E_DATA, "%s is '%s', want a number", facts[f].name, SHOWN(value));
    unit = span_trim(unit).length ? span_trim(unit) : before;
    bool known = map_unit_of(unit, &means) && (is_time ? means.per_second : means.bytes) > 0;
    bool is_rate = memchr(unit.text, '/', unit.length);
    double mapped = is_time ? r->map.per_second : r->map.bytes;
    if (is_rate || (!known && !(mapped > 0)))
        return fail_unit(f, whole, unit, err);
    double scale = mapped > 0 ? mapped : is_time ? means.per_second : means.bytes;
    r->values[f] = is_time ? number / scale : number * scale;
    r->is_rounded = r->is_rounded || (!is_time && !(mapped > 0) && scale > 1);
    return ROOF_OK;
}

static roof_status read_fact(reading *r, fact f, text_span before, text_span value, roof_error *err)
{
    if (r->found[f])
        return error_set(err, ROOF_E_DATA, "a second %s; import each run of a model by itself",
                         facts[f].name);
    r->found[f] = true;
    if (facts[f].kind == OF_WORDS) {
        quote_text(r->words[f], WORDS_SIZE, value.text, value.length);
        return ROOF_OK;
    }
    if (facts[f].kind != OF_COUNT)
        return read_quantity(r, f, before, value, err);
    uint64_t count;
    TRY(span_count(value, facts[f].name, &count, err));
    r->values[f] = (double)count;
    return ROOF_OK;
}

/* --- other lines -------------------------------------------------------------------------------------- */

static void end_tensor(reading *r)
{
    if (r->tensor[0] && r->n_tensors++ < MOST_TENSORS)
        import_note(r->in, "%s %s", r->side, r->tensor);
    r->tensor[0] = '\0';
}

/* "name: images" behind "Input:" begins a tensor; what else is said of it follows. */
static void read_tensor(reading *r, text_span line)
{
    static const char *const members[] = {"dtype", "layouts", "shape", "batch_mode", "batch"};
    text_span none, value, rest = line;
    bool is_side = skip_name(&rest, "Input:") || skip_name(&rest, "Output:");
    if (is_side) {
        end_tensor(r);
        r->side = strchr("Ii", *line.text) ? "input" : "output";
        line = span_trim(rest);
    }
    rest = line;
    if (r->side && skip_name(&rest, "name") && cut_value(rest, &none, &value)) {
        end_tensor(r);
        quote_text(r->tensor, sizeof r->tensor, value.text, value.length);
        return;
    }
    for (size_t i = 0; r->tensor[0] && i < sizeof members / sizeof *members; i++) {
        size_t used = strlen(r->tensor);
        rest = line;
        if (!skip_name(&rest, members[i]) || !cut_value(rest, &none, &value) || used + 4 > WORDS_SIZE)
            continue;
        memcpy(r->tensor + used, ", ", 3);
        quote_text(r->tensor + used + 2, WORDS_SIZE - used - 2, value.text, value.length);
        return;
    }
}

static bool has_word(const char *line, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasestr(line, words[i]))
            return true;
    return false;
}

/* Of the command line, of the program, of the kernel. */
static void look_for_log(reading *r, const char *line)
{
    static const char *const logs[] = {"ipu_log", "ipu log"}, *const full[] = {"overflow", "insufficient",
                                                                               "not enough", "too small",
                                                                               "is full"};
    if (!has_word(line, logs, sizeof logs / sizeof *logs))
        return;
    r->logged = true;
    r->overflowed = r->overflowed || has_word(line, full, sizeof full / sizeof *full);
}

static roof_status read_line(void *reading_, const roof_line *line, roof_error *err)
{
    reading *r = reading_;
    text_span text = span_trim((text_span){line->text, line->length}), before, value;
    look_for_log(r, line->text);
    for (fact f = 0; f < FACTS; f++) {
        text_span rest = text;
        if (!skip_name(&rest, facts[f].name))
            continue;
        if (cut_value(rest, &before, &value))
            return read_fact(r, f, before, value, err);
    }
    read_tensor(r, text);
    return ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status begin(void *reading_, roof_error *err)
{
    reading *r = reading_;
    const char *map = r->in->options->map;
    if (map && !map_is_units(map, &r->map))
        return error_set(err, ROOF_E_USAGE, "--map: '%s', want units such as time=us,bytes=MB",
                         SHOWN(span_of(map)));
    return ROOF_OK;
}

static roof_status add_phase(reading *r, roof_run *run, roof_phase phase, roof_error *err)
{
    roof_phase *added = array_add(r->in->out->storage->arena, &run->phases, &run->n_phases, sizeof *added);
    if (!added)
        return error_memory(err);
    *added = phase;
    return ROOF_OK;
}

/* What is not the IPU's is the host's: its driver, and copies of the output. */
static roof_status add_times(reading *r, roof_run *run, roof_error *err)
{
    double invoke_s = r->found[INVOKE_TIME] ? r->values[INVOKE_TIME] : NAN, ipu_s = r->values[IPU_TIME];
    run->total.mean_s = invoke_s;
    if (!r->found[IPU_TIME])
        return ROOF_OK;
    if (ipu_s > invoke_s)
        return error_set(err, ROOF_E_DATA,
                         "IPU Time is %s ms, longer than Invoke Time, %s ms, which it is a part of: are the "
                         "units right?",
                         NUMBER(ipu_s * 1e3), NUMBER(invoke_s * 1e3));
    TRY(add_phase(r, run, (roof_phase){"ipu", ipu_s, NULL, ROOF_PHASE_ACCELERATOR}, err));
    if (isnan(invoke_s))
        return ROOF_OK;
    double whole_s = invoke_s, part_s = ipu_s, rest_s;
    number_split(&whole_s, &part_s, &rest_s);
    return add_phase(r, run, (roof_phase){"host", rest_s, NULL, ROOF_PHASE_HOST}, err);
}

/* How many images one call works on is only certain where both numbers agree. */
static void set_batch(reading *r, roof_run *run)
{
    double set = r->values[SETTING_BATCH], inside = r->values[SUGGEST_BATCH];
    if (!r->found[SETTING_BATCH])
        return;
    if (r->found[SUGGEST_BATCH] && set >= 1 && set <= UINT16_MAX && fabs(set - inside) < 0.5)
        run->batch = (uint32_t)set;
    else if (set > 1 || inside > 1)
        import_note(r->in,
                    "Setting batch is %.0f and Suggest batch %.0f: how many images one call worked on is not "
                    "told, so that the time of one image is not known",
                    set, inside);
}

static void remark_facts(reading *r)
{
    for (fact f = WORK_MODE; f < FACTS; f++)
        if (r->found[f] && facts[f].kind == OF_WORDS)
            import_note(r->in, "%s %s", facts[f].name, r->words[f]);
    if (r->found[VARIABLE_SIZE])
        import_note(r->in, "Variable size %.0f bytes of memory at run time, which models may share",
                    r->values[VARIABLE_SIZE]);
    if (r->is_rounded)
        import_note(r->in, "KB and MB are taken for 10^3 and 10^6 bytes, since nothing says which are meant: "
                           "--map bytes=MiB says otherwise");
    if (r->logged)
        import_note(r->in, "the log of the IPU was being written: its vendor says that times and bandwidth "
                           "printed meanwhile must not be trusted, so run the model again without --ipu_log");
    if (r->overflowed)
        import_note(r->in,
                    "the buffer of the IPU's log was too small, so that the log is incomplete: make it "
                    "again with a larger --ipu_log_size");
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    roof_run *run = NULL;
    bool is_img = r->found[IMG_VERSION] || r->found[IMG_SIZE];
    end_tensor(r);
    if (!r->found[INVOKE_TIME] && !r->found[IPU_TIME] && !is_img)
        return error_set(
            err, ROOF_E_DATA,
            "no figures of prog_dla_dla_show_img_info, want lines \"Invoke Time: ...\" and \"IPU "
            "Time: ...\"");
    if (!r->found[INVOKE_TIME] && !r->found[IPU_TIME]) {
        remark_facts(r);
        import_note(r->in, "show_img_info.py describes a model and has no time: run "
                           "prog_dla_dla_show_img_info on the board, and import what it prints");
        return ROOF_OK;
    }
    TRY(import_add_run(r->in, NULL, ROOF_RUN_BYPASS, &run, err));
    TRY(add_times(r, run, err));
    run->total_bytes = r->found[BANDWIDTH] ? count_from(r->values[BANDWIDTH]) : ROOF_UNKNOWN;
    set_batch(r, run);
    remark_facts(r);
    return ROOF_OK;
}

const importer_def importer_sigmastar_console = {
    .id = "sigmastar_console",
    .marks = {{SNIFF_SURE, {"Invoke Time", "IPU Time"}},
              {SNIFF_SURE, {"Offline IMG Version"}},
              {SNIFF_SURE, {"Offline Model Size", "Offline Model Variable Buffer Size"}}},
    .mode_why = "prog_dla_dla_show_img_info runs a model as it is deployed",
    .mode = ROOF_RUN_BYPASS,
    .takes_map = true,
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .begin = begin,
    .line = read_line,
    .finish = finish};
