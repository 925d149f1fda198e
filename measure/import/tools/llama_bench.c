/* Output of llama-bench of llama.cpp: -o json, -o jsonl, -o csv, and -o md, which is its default.
 *
 *   [ { "build_commit": "8cf427ff", "build_number": 5163, "cpu_info": "...", "gpu_info": "...", "backends":
 *       "CUDA", "model_filename": "models/x-Q4_K_M.gguf", "model_type": "qwen2 7B Q4_K - Medium", ...,
 *       "type_k": "f16", "type_v": "f16", "n_gpu_layers": 99, ..., "n_prompt": 0, "n_gen": 128, "n_depth": 0,
 *       "avg_ns": 1076767880, "stddev_ns": 9449585, "samples_ns": [ 1075361300, ... ], ... }, ...
 *   build_commit,build_number,...,avg_ns,stddev_ns,avg_ts,stddev_ts                          all cells quoted
 *   | model                  |     size |   params | backend | ngl |         test |           t/s |
 *   | qwen2 7B Q4_K - Medium | 4.36 GiB |   7.62 B | CUDA    |  99 | tg128 @ d512 | 116.71 ± 0.60 |
 *   build: 8cf427ff (5163)
 *
 * llama-batched-bench prints both phases of several sequences in one row, also as JSON lines:
 *   |    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
 *   |   512 |    128 |    8 |   5120 |    0.512 |  8000.00 |    2.560 |   400.00 |    3.072 |  1666.67 |
 * B sequences have a prompt of PP tokens each, or one that they share where N_KV says so.
 *
 * Times are of a whole test. "tg128" makes 128 tokens one after the other, behind n_depth that are there: a
 * step is the mean of 128, whose contexts grow by one each. "pp512" reads a prompt; behind a depth it is no
 * beginning. "pp512+tg128" is both in one time.
 */
#include "measure/import/row.h"
#include "measure/import/text_points.h"

enum { MOST_COLUMNS = 128, MOST_SAMPLES = 1 << 20, MOST_SETTINGS = 32 };

enum text_column { CPU, GPU, FILE_NAME, TYPE, TYPE_K, TYPE_V, LAYERS, COMMIT, BUILD, TEST, RATE, TEXTS };
enum number_column { N_PROMPT, N_GEN, N_DEPTH, AVG_NS, STDDEV_NS, N_SEQ, N_KV, T_PROMPT, T_GEN, NUMBERS };

/* Settings are told with the device, since rows that differ in them alone are no repetitions. */
typedef struct column {
    const char *key, *shown; /* in JSON and CSV; in Markdown, NULL: it is not there */
    enum { TEXT, NUMBER, OF_DEVICE } kind;
    unsigned at;
    const char *setting; /* its name; NULL: it is none */
} column;

static const column columns[] = {{"cpu_info", NULL, TEXT, CPU, NULL},
                                 {"gpu_info", NULL, TEXT, GPU, NULL},
                                 {"backends", "backend", OF_DEVICE, 0, "backend"},
                                 {"backend", NULL, OF_DEVICE, 0, "backend"}, /* of older versions */
                                 {"model_filename", NULL, TEXT, FILE_NAME, NULL},
                                 {"model_type", "model", TEXT, TYPE, NULL},
                                 {"type_k", "type_k", TEXT, TYPE_K, NULL},
                                 {"type_v", "type_v", TEXT, TYPE_V, NULL},
                                 {"n_gpu_layers", "ngl", TEXT, LAYERS, "ngl"},
                                 {"n_threads", "threads", OF_DEVICE, 0, "threads"},
                                 {"n_batch", "n_batch", OF_DEVICE, 0, "n_batch"},
                                 {"n_ubatch", "n_ubatch", OF_DEVICE, 0, "n_ubatch"},
                                 {"flash_attn", "fa", OF_DEVICE, 0, "fa"},
                                 {"no_kv_offload", "nkvo", OF_DEVICE, 0, "nkvo"},
                                 {"split_mode", "sm", OF_DEVICE, 0, "sm"},
                                 {"build_commit", NULL, TEXT, COMMIT, NULL},
                                 {"build_number", NULL, TEXT, BUILD, NULL},
                                 {"n_prompt", NULL, NUMBER, N_PROMPT, NULL},
                                 {"n_gen", NULL, NUMBER, N_GEN, NULL},
                                 {"n_depth", NULL, NUMBER, N_DEPTH, NULL},
                                 {"avg_ns", NULL, NUMBER, AVG_NS, NULL},
                                 {"stddev_ns", NULL, NUMBER, STDDEV_NS, NULL},
                                 {"pp", "PP", NUMBER, N_PROMPT, NULL},
                                 {"tg", "TG", NUMBER, N_GEN, NULL},
                                 {"pl", "B", NUMBER, N_SEQ, NULL},
                                 {"n_kv", "N_KV", NUMBER, N_KV, NULL},
                                 {"t_pp", "T_PP s", NUMBER, T_PROMPT, NULL},
                                 {"t_tg", "T_TG s", NUMBER, T_GEN, NULL},
                                 {"speed_pp", "S_PP t/s", OF_DEVICE, 0, NULL},
                                 {"speed_tg", "S_TG t/s", OF_DEVICE, 0, NULL},
                                 {"t", "T s", OF_DEVICE, 0, NULL},
                                 {"speed", "S t/s", OF_DEVICE, 0, NULL},
                                 {NULL, "test", TEXT, TEST, NULL},
                                 {NULL, "t/s", TEXT, RATE, NULL}};

typedef struct test_row {
    const char *texts[TEXTS];            /* NULL: not stated */
    double numbers[NUMBERS];             /* NaN likewise */
    const char *settings[MOST_SETTINGS]; /* by the keys of the reading */
    double *samples_s;                   /* of whole tests */
    uint32_t n_samples;
} test_row;

typedef struct reading {
    import_state *in;
    table_reader *reader; /* of CSV; NULL: its headings were not read */
    column columns[MOST_COLUMNS];
    size_t n_columns;
    bool in_table;                   /* of Markdown */
    const char *version;             /* the last line of Markdown */
    const char *keys[MOST_SETTINGS]; /* of settings: "ngl" */
    const char *const **settings;    /* of each experiment, as in test_row */
    uint32_t n_keys, n_settings;
    uint32_t n_tests, n_both, n_behind;
    bool has_steps, has_rates;
} reading;

static test_row no_test(void)
{
    return (test_row){.numbers = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
}

/* ---- values ------------------------------------------------------------------------------------------ */

static const column *column_of(text_span name, bool is_shown)
{
    for (size_t i = 0; i < N_OF(columns); i++) {
        const char *key = is_shown ? columns[i].shown : columns[i].key;
        if (key && span_is(name, key))
            return &columns[i];
    }
    return NULL;
}

static roof_status set(reading *r, test_row *row, const char *key, const char *value, roof_error *err)
{
    const uint32_t at = WORD_AT(r->keys, r->n_keys, key);
    TRY(HAS_ROOM(at, MOST_SETTINGS, err, "settings"));
    r->keys[at] = key;
    r->n_keys += at == r->n_keys;
    row->settings[at] = value;
    return ROOF_OK;
}

static roof_status put(reading *r, const column *c, text_span value, test_row *row, roof_error *err)
{
    const char *text = NULL;
    if (!value.length)
        return ROOF_OK;
    if (c->kind == NUMBER)
        return span_number(value, c->key, &row->numbers[c->at], err);
    TRY(import_keep_name(r->in, value, &text, err));
    if (c->kind == TEXT)
        row->texts[c->at] = text;
    return c->setting ? set(r, row, c->setting, text, err) : ROOF_OK;
}

static roof_status add_test(reading *r, const test_row *read, roof_error *err);

/* ---- JSON -------------------------------------------------------------------------------------------- */

static roof_status read_sample(codec *c, const json_event *event, void *target)
{
    test_row *row = target;
    if (event->kind != JSON_NUMBER || !(event->number >= 0))
        return codec_fail(c, "want a time in ns");
    TRY(HAS_ROOM(row->n_samples, MOST_SAMPLES, c->err, "repetitions"));
    return ARENA_ADD(c->arena, row->samples_s, row->n_samples, c->err, event->number / 1e9);
}

static roof_status read_member(codec *c, const json_event *event, void *target)
{
    char number[40];
    reading *r = c->user;
    if (strcmp(event->key, "samples_ns") == 0 && event->kind == JSON_ARRAY)
        return codec_read_array(c, event, read_sample, target);
    const column *known = column_of(span_of(event->key), false);
    if (!known || event->kind == JSON_OBJECT || event->kind == JSON_ARRAY || event->kind == JSON_NULL)
        return jsonpull_skip(c->puller, c->err);
    if (event->kind == JSON_NUMBER)
        number_format(number, sizeof number, event->number);
    const text_span value = event->kind == JSON_STRING   ? (text_span){event->text, event->text_length}
                            : event->kind == JSON_NUMBER ? span_of(number)
                                                         : span_of(event->kind == JSON_TRUE ? "1" : "0");
    roof_status status = put(r, known, value, target, c->err);
    return status == ROOF_E_DATA ? codec_fail(c, "%s", c->err->what) : status;
}

static roof_status read_test(codec *c, const json_event *event, void *target)
{
    test_row row = no_test();
    if (event->kind == JSON_ARRAY) /* the whole of -o json, in that of all documents */
        return codec_read_array(c, event, read_test, target);
    TRY(codec_read_members(c, event, read_member, &row));
    return add_test(target, &row, c->err);
}

/* ---- CSV and Markdown -------------------------------------------------------------------------------- */

/* In Markdown a column that is unknown is there because its value differs from the default. */
static roof_status find_columns(reading *r, const text_span *cells, size_t n, bool is_shown, roof_error *err)
{
    if (n > MOST_COLUMNS)
        return error_set(err, ROOF_E_LIMIT, "%zu columns, want at most %d", n, MOST_COLUMNS);
    r->n_columns = n;
    for (size_t i = 0; i < n; i++) {
        const column *known = column_of(cells[i], is_shown);
        const bool is_size = span_is(cells[i], "size") || span_is(cells[i], "params");
        r->columns[i] = known ? *known : (column){.kind = OF_DEVICE};
        if (!known && is_shown && !is_size && cells[i].length)
            TRY(import_keep_name(r->in, cells[i], &r->columns[i].setting, err));
    }
    return ROOF_OK;
}

static roof_status read_cells(reading *r, const text_span *cells, size_t n, roof_error *err)
{
    test_row row = no_test();
    if (n != r->n_columns)
        return error_data(err, "a row of %zu cells, want %zu: is the table whole?", n, r->n_columns);
    for (size_t i = 0; i < n; i++)
        if (r->columns[i].kind != OF_DEVICE || r->columns[i].setting)
            TRY(put(r, &r->columns[i], cells[i], &row, err));
    return add_test(r, &row, err);
}

static roof_status read_csv(reading *r, const import_line *line, roof_error *err)
{
    text_span cells[MOST_COLUMNS];
    bool is_complete;
    TRY(table_feed(r->reader, line, &is_complete, err));
    const size_t n = table_columns(r->reader);
    if (!is_complete)
        return ROOF_OK;
    for (size_t i = 0; i < n && i < MOST_COLUMNS; i++)
        cells[i] = table_cell(r->reader, i);
    return r->n_columns ? read_cells(r, cells, n, err) : find_columns(r, cells, n, false, err);
}

static roof_status read_markdown(reading *r, text_span text, roof_error *err)
{
    text_span cells[MOST_COLUMNS];
    const size_t n = span_split(text, '|', cells, MOST_COLUMNS);
    bool has_rate = false;
    for (size_t i = 0; i < n && i < MOST_COLUMNS; i++)
        has_rate = has_rate || span_is(cells[i], "t/s") || span_is(cells[i], "T_PP s");
    if (strspn(text.text, "|-: ") >= text.length)
        return ROOF_OK;
    if (has_rate) {
        r->in_table = true;
        return find_columns(r, cells, n, true, err);
    }
    return r->in_table ? read_cells(r, cells, n, err) : ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length}), version = text;
    if (r->reader)
        return read_csv(r, line, err);
    if (span_begins(text, "|"))
        return read_markdown(r, text, err);
    r->in_table = false;
    if (span_skip(&version, "build: ") && version.length)
        return import_keep_name(r->in, version, &r->version, err);
    if (!span_has(text, "n_prompt") || !span_has(text, "avg_ns"))
        return ROOF_OK; /* what the program says while it loads */
    if (!(r->reader = table_new(span_has(text, "n_prompt;") || span_has(text, "n_prompt\";") ? ';' : ',')))
        return error_memory(err);
    return read_csv(r, line, err);
}

/* ---- tests ------------------------------------------------------------------------------------------- */

/* "pp512", "tg128 @ d4096", "pp512+tg128"; older versions "pp 512" */
static roof_status read_words(test_row *row, roof_error *err)
{
    double *n = row->numbers;
    text_span test = span_of(row->texts[TEST]);
    const bool is_prompt = span_scan(&test, "pp #", &n[N_PROMPT]);
    const bool is_steps = span_scan(&test, is_prompt ? "+tg #" : "tg #", &n[N_GEN]);
    span_scan(&test, " @ d #", &n[N_DEPTH]);
    return (is_prompt || is_steps) && !test.length
               ? ROOF_OK
               : error_data(err, "the test is '%s', want such as pp512, tg128 or tg128 @ d4096",
                            SHOWN_TEXT(row->texts[TEST]));
}

static roof_status times_of(reading *r, const test_row *row, double steps, double tokens, roof_times *out,
                            roof_error *err)
{
    double rate, std = NAN;
    *out = times_unknown();
    if (row->texts[RATE]) {
        text_span rest = span_of(row->texts[RATE]), first = span_until(&rest, " ");
        TRY(span_number(first, "t/s", &rate, err));
        rest = span_of(row->texts[RATE]);
        if (span_skip_past(&rest, "±"))
            TRY(span_number(span_trim(rest), "the deviation of t/s", &std, err));
        *out = text_times_of_rate(tokens, rate, std);
        r->has_rates = true;
        return ROOF_OK;
    }
    for (uint32_t i = 0; i < row->n_samples; i++)
        row->samples_s[i] /= steps;
    if (row->n_samples)
        return times_from_samples(r->in->out, row->samples_s, row->n_samples, out, err);
    out->mean_s = row->numbers[AVG_NS] / 1e9 / steps;
    out->std_s = row->numbers[STDDEV_NS] / 1e9 / steps;
    return ROOF_OK;
}

/* "NVIDIA GeForce RTX 4080 (backend CUDA, ngl 99, threads 8)" */
static roof_status name_device(reading *r, const test_row *row, const char **out, roof_error *err)
{
    const char *const *t = row->texts;
    const bool by_gpu = t[GPU] && !(t[LAYERS] && strcmp(t[LAYERS], "0") == 0);
    const char *name = by_gpu ? t[GPU] : t[CPU];
    static const char *const usual[] = {"nkvo 0", "sm layer"}; /* say nothing of a device */
    roof_arena *arena = r->in->out->storage->arena;
    const char *rest = NULL;
    for (uint32_t k = 0; k < r->n_keys; k++) {
        const char *one = arena_printf(r->in->scratch, "%s %s", r->keys[k], text_or_empty(row->settings[k]));
        if (!row->settings[k] || IS_ONE_OF(usual, one))
            continue;
        rest = rest ? arena_printf(r->in->scratch, "%s, %s", rest, one) : one;
        TRY(ALLOCATED(rest, err));
    }
    if (!rest || !name)
        *out = rest ? arena_strdup(arena, rest) : name;
    else
        *out = arena_printf(arena, "%s (%s)", name, rest);
    return ALLOCATED(*out || (!rest && !name), err);
}

static roof_status add_point(reading *r, const text_point *point, const test_row *row, roof_error *err)
{
    const char *const *kept = arena_copy(r->in->scratch, row->settings, MOST_SETTINGS, sizeof *kept);
    TRY(ALLOCATED(kept, err));
    TRY(text_point_add(r->in, point, err));
    while (r->n_settings < r->in->out->n_experiments)
        TRY(ARENA_ADD(r->in->scratch, r->settings, r->n_settings, err, kept));
    return ROOF_OK;
}

/* Names that settings distinguish have those in which rows of one model differ: "qwen2 7B, fa 1". */
static roof_status name_curves(reading *r, roof_error *err)
{
    roof_experiment *all = r->in->out->experiments;
    for (uint32_t first = 0, last; first < r->n_settings; first = last) {
        const char *model = all[first].model_name;
        for (last = first + 1; last < r->n_settings && all[last].model_name == model;)
            last++;
        for (uint32_t k = 0; model && k < r->n_keys; k++) {
            bool varies = false;
            for (uint32_t i = first; i < last && r->settings[first][k]; i++)
                varies = varies || !text_same(r->settings[first][k], r->settings[i][k]);
            for (uint32_t i = first; i < last && varies; i++) {
                all[i].model_name = arena_printf(r->in->out->storage->arena, "%s, %s %s", all[i].model_name,
                                                 r->keys[k], text_or_empty(r->settings[i][k]));
                TRY(ALLOCATED(all[i].model_name, err));
            }
        }
    }
    return ROOF_OK;
}

/* Both phases of several sequences at a time. */
static roof_status add_batched(reading *r, const test_row *row, roof_error *err)
{
    const double *n = row->numbers, prompt = n[N_PROMPT], made = n[N_GEN], sequences = n[N_SEQ];
    const bool is_shared = sequences > 1 && n[N_KV] > 0 && n[N_KV] < sequences * (prompt + made);
    text_point point = text_point_unknown("llama.cpp");
    TRY(name_device(r, row, &point.device, err));
    text_point_of(&point, ROOF_TEXT_PREFILL, prompt, 0);
    point.batch = is_shared ? 1 : sequences;
    point.time.mean_s = n[T_PROMPT];
    if (prompt > 0)
        TRY(add_point(r, &point, row, err));
    text_point_of(&point, ROOF_TEXT_DECODE, prompt, made);
    point.batch = sequences;
    point.time.mean_s = n[T_GEN] / made;
    r->has_steps = r->has_steps || made > 0;
    return made > 0 ? add_point(r, &point, row, err) : ROOF_OK;
}

static roof_status add_test(reading *r, const test_row *read, roof_error *err)
{
    test_row row = *read;
    const char *const *t = row.texts;
    const double *n = row.numbers;
    text_point point = text_point_unknown("llama.cpp");
    r->n_tests++;
    if (!isnan(n[T_PROMPT]) || !isnan(n[T_GEN]))
        return add_batched(r, &row, err);
    if (t[TEST])
        TRY(read_words(&row, err));
    const double prompt = n[N_PROMPT] > 0 ? n[N_PROMPT] : 0, made = n[N_GEN] > 0 ? n[N_GEN] : 0;
    const double depth = n[N_DEPTH] > 0 ? n[N_DEPTH] : 0;
    r->n_both += prompt > 0 && made > 0;
    r->n_behind += prompt > 0 && !(made > 0) && depth > 0;
    if (prompt > 0 && (made > 0 || depth > 0))
        return ROOF_OK;
    text_point_of(&point, made > 0 ? ROOF_TEXT_DECODE : ROOF_TEXT_PREFILL, made > 0 ? depth : prompt, made);
    point.batch = 1;
    r->has_steps = r->has_steps || made > 0;
    TRY(times_of(r, &row, made > 0 ? made : 1, made > 0 ? 1 : prompt, &point.time, err));
    if (t[FILE_NAME])
        TRY(text_model_of_path(r->in, t[FILE_NAME], &point.model, err));
    point.model = point.model ? point.model : t[TYPE];
    if (t[TYPE])
        point.weight_type = text_weight_type(r->in, span_of(t[TYPE]));
    if (!point.weight_type && t[FILE_NAME])
        point.weight_type = text_weight_type(r->in, span_of(t[FILE_NAME]));
    if (t[TYPE_K] && t[TYPE_V] && strcmp(t[TYPE_K], t[TYPE_V]) == 0)
        point.cache_type = t[TYPE_K];
    else if (t[TYPE_K] || t[TYPE_V]) { /* one alone is the other's default */
        TRY(set(r, &row, "type_k", t[TYPE_K] ? t[TYPE_K] : "f16", err));
        TRY(set(r, &row, "type_v", t[TYPE_V] ? t[TYPE_V] : "f16", err));
    }
    if (t[COMMIT])
        point.stack_version =
            t[BUILD] ? arena_printf(r->in->out->storage->arena, "%s (%s)", t[COMMIT], t[BUILD]) : t[COMMIT];
    TRY(name_device(r, &row, &point.device, err));
    return add_point(r, &point, &row, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    if (r->reader)
        TRY(table_end(r->reader, err));
    if (!r->n_tests)
        return error_data(err, "no test, want what `llama-bench -o json`, jsonl, csv or md prints");
    TRY(name_curves(r, err));
    for (uint32_t i = 0; i < in->out->n_experiments && r->version; i++)
        if (!in->out->experiments[i].stack_version)
            in->out->experiments[i].stack_version = r->version;
    if (r->has_steps)
        import_note(in, "a step of tgN is the mean of N, whose contexts grow by one each: its context is the "
                        "middle of them, depth + N / 2");
    if (r->has_rates)
        import_note(
            in,
            "times are those of rates with the digits that are printed, their deviations the same shares");
    import_note_count(in, r->n_both, "tests of a prompt and its answer in one time (ppN+tgM) are left out");
    import_note_count(in, r->n_behind,
                      "tests of a prompt behind others (ppN @ dM) are left out, since a prompt is predicted "
                      "from its beginning");
    return in->out->n_experiments
               ? ROOF_OK
               : error_data(err,
                            "no test of ppN or tgN alone: run llama-bench with -p and -n instead of -pg");
}

static void end(reading *r)
{
    table_free(r->reader);
}

const importer_def importer_llama_bench = {
    .id = "llama_bench",
    .tool = "llama-bench",
    .next = "run llama-bench with -d 0,4096,16384, which times a step at several contexts",
    .marks = {SURE("\"model_filename\"", "\"n_gen\"", "\"avg_ns\""),
              SURE("model_filename,", "n_gen,", "avg_ns,"), SURE("model_filename;", "n_gen;", "avg_ns;"),
              SURE("| model ", " params |", " t/s |"), SURE("T_PP s", "S_PP t/s", "N_KV"),
              SURE("\"t_pp\"", "\"speed_pp\"", "\"n_kv\"")},
    WHOLE_ONLY("llama-bench times a whole model"),
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .item = read_test,
    .finish = finish,
    .end = end};
