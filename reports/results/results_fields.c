#include "reports/results/results_line.h"
#include "core/json/jsonpull.h"

/* --- CSV ------------------------------------------------------------------------------------------------ */

/* Takes a cell off the row, which is behind its comma then. Quotes are doubled within quotes; an apostrophe
 * before = + - @ is there for spreadsheets (core/table/grid_csv.c). keeps: else it is passed over. False: it
 * is no cell. */
static bool take_cell(const char **at, const char *end, textbuf *out, bool keeps)
{
    const char *p = *at;
    const bool is_quoted = p < end && *p == '"';
    p += is_quoted;
    if (is_quoted && end - p > 1 && *p == '\'' && strchr("=+-@", p[1]))
        p++;
    while (p < end && (is_quoted || *p != ',')) {
        if (is_quoted && *p == '"' && !(end - p > 1 && p[1] == '"'))
            break;
        p += is_quoted && *p == '"';
        if (keeps)
            text_add(out, p, 1);
        p++;
    }
    if (is_quoted && !(p < end && *p++ == '"'))
        return false;
    if (p < end && *p != ',')
        return false;
    *at = p < end ? p + 1 : NULL;
    return true;
}

static size_t row_length(const char *line, size_t length)
{
    return length && line[length - 1] == '\n' ? length - 1 : length;
}

roof_status results_fields_begin(results_fields *f, const char *const *names, size_t n, const char *titles,
                                 roof_error *err)
{
    *f = (results_fields){.names = names, .n = n, .is_json = !*titles};
    text_init(&f->texts, TEXT_MAX_BYTES);
    const char *at = titles, *end = titles + row_length(titles, strlen(titles));
    while (!f->is_json && at) {
        f->texts.length = 0;
        if (f->n_titles == POINTS_MOST_TITLES || !take_cell(&at, end, &f->texts, true))
            return error_data(err, "the titles are none of a sweep");
        text_add(&f->texts, "", 1);
        TRY(text_status(&f->texts, err));
        f->place[f->n_titles++] = (uint8_t)WORD_AT(names, n, f->texts.bytes);
    }
    return ROOF_OK;
}

void results_fields_end(results_fields *fields)
{
    text_free(&fields->texts);
}

static roof_status read_row(results_fields *f, const char *line, size_t length, roof_error *err)
{
    const char *at = line, *end = line + row_length(line, length);
    for (size_t i = 0; i < f->n_titles; i++) {
        const size_t k = f->place[i];
        if (k < f->n)
            f->begins[k] = f->texts.length;
        if (!at || !take_cell(&at, end, &f->texts, k < f->n))
            return error_data(err, "is no row of the titles in line 1");
        if (k < f->n)
            text_add(&f->texts, "", 1);
    }
    return at ? error_data(err, "has more cells than there are titles in line 1") : ROOF_OK;
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static roof_status read_members(results_fields *f, jsonpull *pull, roof_error *err)
{
    json_event e;
    TRY(jsonpull_next(pull, &e, err));
    if (e.kind != JSON_OBJECT)
        return error_data(err, "is no object of JSON");
    for (;;) {
        TRY(jsonpull_next(pull, &e, err));
        if (e.kind == JSON_CLOSE)
            return jsonpull_next(pull, &e, err);
        const uint32_t k = WORD_AT(f->names, f->n, e.key);
        if (k < f->n && e.kind == JSON_STRING) {
            f->begins[k] = f->texts.length;
            text_add(&f->texts, e.text, e.text_length + 1);
        } else if (k < f->n) {
            f->values[k].number = e.kind == JSON_NUMBER  ? e.number
                                  : e.kind == JSON_TRUE  ? 1
                                  : e.kind == JSON_FALSE ? 0
                                                         : (double)NAN;
        }
        TRY(jsonpull_skip(pull, err));
    }
}

/* --- both ----------------------------------------------------------------------------------------------- */

roof_status results_fields_read(results_fields *f, const char *line, size_t length, roof_error *err)
{
    f->texts.length = 0;
    text_add(&f->texts, "", 1); /* of all that is not there */
    for (size_t i = 0; i < f->n; i++) {
        f->begins[i] = 0;
        f->values[i].number = (double)NAN;
    }
    jsonpull *pull = f->is_json ? jsonpull_of_memory(line, length) : NULL;
    const roof_status status = !f->is_json ? read_row(f, line, length, err)
                               : pull      ? read_members(f, pull, err)
                                           : error_memory(err);
    jsonpull_free(pull);
    TRY(status);
    TRY(text_status(&f->texts, err));
    for (size_t i = 0; i < f->n; i++) {
        const char *text = f->values[i].text = f->texts.bytes + f->begins[i];
        double number;
        if (!f->is_json && *text && number_parse(text, strlen(text), &number) == strlen(text))
            f->values[i].number = number;
    }
    return ROOF_OK;
}

/* --- what became of a point ----------------------------------------------------------------------------- */

enum { WHY, FINDINGS, OUTCOMES };

roof_status results_outcome_begin(results_fields *fields, const char *titles, roof_error *err)
{
    static const char *const names[OUTCOMES] = {[WHY] = "why", [FINDINGS] = "findings"};
    return results_fields_begin(fields, names, OUTCOMES, titles, err);
}

roof_status results_outcome_count(results_fields *fields, const char *line, size_t length,
                                  roof_results_progress *done, roof_error *err)
{
    TRY(results_fields_read(fields, line, length, err));
    done->failed += *fields->values[WHY].text != '\0';
    done->found += fields->values[FINDINGS].number > 0;
    return ROOF_OK;
}
