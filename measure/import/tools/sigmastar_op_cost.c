/* get_op_time_cost.py of SigmaStar's IPU toolchain prints, alone or in a log: which share of the time
 * each operator takes (mode each), or all operators of a type (mode total).
 *
 *   0 CONV_2D 7.880%          CONV_2D 80.743%
 *   1 CONV_2D 0.000%          SOFTMAX 8.033%
 * No time stands there. Operators of 0.000 % were fused into the one before them, or into the first one: such
 * a group is one row, which is named by all of them. A log with both listings has the rows of the operators,
 * and its types have to be their sums. Lines of another shape are skipped; shares have to add up.
 */
#include "measure/import/row.h"
#include "measure/import/timings.h"

#include <ctype.h>

enum { MOST_OPERATORS = 1 << 18, MOST_TYPES = 1024, NO_INDEX = -1 };

/* Half of the last digit that is printed, in percent. */
#define HALF_DIGIT 0.0005

typedef struct cost_line {
    double index; /* NO_INDEX: of a type */
    text_span type;
    double percent;
} cost_line;

typedef struct op_type {
    const char *name;
    double percent, of_operators; /* as listed, NaN without; and the sum of its operators */
    uint32_t n;                   /* of these */
} op_type;

typedef struct operator_cost {
    uint32_t index, type;
    double percent;
} operator_cost;

typedef struct reading {
    import_state *in;
    row_timings timings; /* a row without a time for each type */
    op_type *types;
    operator_cost *operators;
    uint32_t n_types, n_operators, n_listed;
} reading;

static bool is_type(text_span word)
{
    size_t i = 0;
    while (i < word.length && (isalnum((unsigned char)word.text[i]) || word.text[i] == '_'))
        i++;
    return i && i == word.length && isalpha((unsigned char)*word.text);
}

static bool read_cost(text_span line, cost_line *out)
{
    text_span share = span_trim(line), digits;
    *out = (cost_line){.index = NO_INDEX};
    out->type = digits = span_until(&share, " \t");
    if (span_scan(&digits, "#", &out->index) && !digits.length) {
        share = span_trim(share);
        out->type = span_until(&share, " \t");
    }
    share = span_trim(share);
    return is_type(out->type) && memchr(share.text, '.', share.length) &&
           span_scan(&share, "~%", &out->percent) && !share.length && out->percent <= 100;
}

/* Two lines are no listing unless they are all of the time. */
static unsigned sniff(const char *text)
{
    enum { LISTING = 3 };
    text_span rest = span_of(text);
    unsigned n = 0, longest = 0;
    double sum = 0;
    while (rest.length) {
        cost_line cost;
        n = read_cost(span_take_line(&rest), &cost) ? n + 1 : 0;
        sum += n ? cost.percent : 0;
        longest = n > longest ? n : longest;
    }
    return longest >= LISTING || (longest == LISTING - 1 && fabs(sum - 100) < 1) ? SNIFF_LIKELY : 0;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    cost_line cost;
    uint32_t type;
    if (!read_cost((text_span){line->text, line->length}, &cost))
        return ROOF_OK;
    TRY(timings_row_of(r->in, &r->timings, cost.type, 0, &type, err));
    TRY(HAS_ROOM(type, MOST_TYPES, err, "types of operators"));
    if (type == r->n_types) {
        TRY(ARENA_ADD(r->in->scratch, r->types, r->n_types, err,
                      (op_type){.name = r->timings.rows[type].name, .percent = NAN}));
    }
    if (cost.index > NO_INDEX) {
        const operator_cost *last = r->n_operators ? &r->operators[r->n_operators - 1] : NULL;
        if (cost.index >= MOST_OPERATORS)
            return error_set(err, ROOF_E_LIMIT, "operator %.0f, want at most %d of them", cost.index,
                             MOST_OPERATORS);
        if (last && cost.index <= last->index)
            return error_data(err,
                              "operator %.0f behind operator %u: a second listing? Import each by itself",
                              cost.index, last->index);
        TRY(ARENA_ADD(r->in->scratch, r->operators, r->n_operators, err,
                      (operator_cost){(uint32_t)cost.index, type, cost.percent}));
        r->types[type].of_operators += cost.percent;
        r->types[type].n++;
        return ROOF_OK;
    }
    if (!isnan(r->types[type].percent))
        return error_data(err, "%s is listed twice: a second listing? Import each by itself",
                          SHOWN(cost.type));
    r->types[type].percent = cost.percent;
    r->n_listed++;
    return ROOF_OK;
}

static roof_status keep_group(reading *r, uint32_t i, uint32_t n, roof_error *err)
{
    table_row row = row_unknown();
    textbuf name;
    text_init(&name, TEXT_MAX_BYTES);
    row.values[ROW_INDEX] = r->operators[i].index + 1.0;
    row.values[ROW_SHARE] = 0;
    for (uint32_t k = i; k < i + n; k++) {
        const operator_cost *o = &r->operators[k];
        text_printf(&name, "%s%u %s", k > i ? " + " : "", o->index, r->types[o->type].name);
        row.values[ROW_SHARE] += o->percent / 100;
        if (!row.type || o->percent > 0)
            row.type = r->types[o->type].name;
    }
    roof_status status = text_status(&name, err);
    THEN(status, ALLOCATED(row.name = measured_text(r->in->out, name.bytes, name.length), err));
    text_free(&name);
    return status == ROOF_OK ? row_keep(r->in, &row, err) : status;
}

static roof_status keep_operators(reading *r, roof_error *err)
{
    uint32_t n_fused = 0;
    for (uint32_t i = 0, n; i < r->n_operators; i += n) {
        /* From the i-th on these are one row: what costs something, and what was fused into it. */
        n = 1;
        while (i == 0 && n < r->n_operators && !(r->operators[n - 1].percent > 0))
            n++; /* nothing is before the first ones */
        while (i + n < r->n_operators && !(r->operators[i + n].percent > 0))
            n++;
        n_fused += n - 1;
        TRY(keep_group(r, i, n, err));
    }
    if (n_fused)
        import_note(r->in,
                    "%u of %u operators have 0.000 %%: taken for fused into the one before them, whose row "
                    "names them",
                    n_fused, r->n_operators);
    return ROOF_OK;
}

static roof_status check_sum(double percent, uint32_t n, const char *of, roof_error *err)
{
    if (!n || fabs(percent - 100) <= 1 + HALF_DIGIT * n)
        return ROOF_OK;
    return error_data(err, "the shares of %u %s add up to %s %%, want 100: is the listing whole?", n, of,
                      NUMBER(percent));
}

static roof_status finish(reading *r, roof_error *err)
{
    double listed = 0, operators = 0;
    for (uint32_t t = 0; t < r->n_types; t++) {
        listed += isnan(r->types[t].percent) ? 0 : r->types[t].percent;
        operators += r->types[t].of_operators;
    }
    if (!r->n_listed && !r->n_operators)
        return error_data(err, "no listing of get_op_time_cost.py, want lines such as \"0 CONV_2D 7.880%%\" "
                               "or \"CONV_2D 80.743%%\"");
    TRY(check_sum(operators, r->n_operators, "operators", err));
    TRY(check_sum(listed, r->n_listed, "types of operators", err));
    if (r->n_operators) {
        TRY(keep_operators(r, err));
    } else {
        for (uint32_t t = 0; t < r->n_types; t++) {
            table_row row = row_unknown();
            row.name = row.type = r->types[t].name;
            row.values[ROW_SHARE] = r->types[t].percent / 100;
            TRY(row_keep(r->in, &row, err));
        }
        import_note(r->in, "rows are types of operators, all operators of one together: mode each of "
                           "get_op_time_cost.py lists the operators");
    }
    if (r->n_operators && r->n_listed) {
        FOR_EACH(const op_type, type, r->types, r->n_types) {
            double percent = isnan(type->percent) ? 0 : type->percent;
            if (!(fabs(percent - type->of_operators) <= HALF_DIGIT * (type->n + 1.0) + 1e-9))
                import_note(r->in,
                            "%s has %s %% in one listing, and its operators add up to %s %%: the listings "
                            "are not of one run",
                            type->name, NUMBER(percent), NUMBER(type->of_operators));
        }
    }
    import_note(r->in, "shares of the time, and no time: what prog_dla_dla_show_img_info prints of the same "
                       "model, imported together with this, gives seconds");
    return row_add_run(r->in, r->in->rows, ROOF_RUN_PER_LAYER, err);
}

const importer_def importer_sigmastar_op_cost = {.id = "sigmastar_op_cost",
                                                 .tool = "SigmaStar",
                                                 .sniff = sniff,
                                                 LAYERS_ONLY("get_op_time_cost.py lists operators"),
                                                 .reading_bytes = sizeof(reading),
                                                 .line = read_line,
                                                 .finish = finish};
