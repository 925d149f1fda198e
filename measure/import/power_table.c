#include "measure/import/power_table.h"

/* Headings are looked for in so many lines, of a text of which no more is known. */
enum { SEARCHED_LINES = 300 };

/* The unit at the end of a heading, in brackets or behind a blank, '_' or '.': "power.draw [W]",
 * "som_power_mW". Small letters do as well, but MW is no mW. */
static unit_kind unit_of(text_span heading, double *scale)
{
    size_t n = heading.length;
    while (n && strchr("])", heading.text[n - 1]))
        n--;
    size_t begin = n;
    while (begin && !strchr("[( _./", heading.text[begin - 1]))
        begin--;
    text_span unit = {heading.text + begin, n - begin};
    const unit_kind of = span_unit(unit, false, scale);
    return of || (unit.length && *unit.text == 'M') ? of : span_unit(unit, true, scale);
}

/* --- the headings ------------------------------------------------------------------------------------- */

static text_span bare(text_span cell)
{
    if (cell.length > 1 && cell.text[0] == '"' && cell.text[cell.length - 1] == '"')
        return span_trim((text_span){cell.text + 1, cell.length - 2});
    return cell;
}

/* True if a line, cut at a separator, has the headings; then they are those of the table. A quantity's column
 * is the one whose heading begins with its word, or the only one that there is. */
static bool cut_headings(power_table *t, const power_table_kind *kind, text_span line, char separator)
{
    const char *const words[] = {
        [UNIT_POWER] = kind->power, [UNIT_CURRENT] = kind->current, [UNIT_VOLTAGE] = kind->voltage};
    power_column *found = t->columns;
    bool several[UNIT_VOLTAGE + 1] = {false};
    text_span cells[POWER_MAX_CELLS];
    size_t n = span_split(line, separator, cells, POWER_MAX_CELLS);
    if (n < 2 || n > POWER_MAX_CELLS)
        return false;
    found[UNIT_TIME] = found[UNIT_POWER] = found[UNIT_CURRENT] = found[UNIT_VOLTAGE] = t->group =
        (power_column){ROOF_NONE, 0};
    for (uint32_t i = 0; i < n; i++) {
        double scale = 0;
        const text_span heading = cells[i] = bare(cells[i]);
        const unit_kind of = unit_of(heading, &scale);
        if (!kind->power &&
            span_begins(heading, "power.draw")) /* of nvidia-smi, which may be of several GPUs */
            return false;
        bool is_time = span_mentions(heading, "time") || span_mentions(heading, "elapsed") ||
                       span_is(heading, "s") || span_is(heading, "t_s") || span_is(heading, "date");
        /* A time with its unit comes before one of a clock, which counts whole seconds in many logs. */
        if (is_time &&
            (found[UNIT_TIME].place == ROOF_NONE || (of == UNIT_TIME && !(found[UNIT_TIME].unit_scale > 0))))
            found[UNIT_TIME] = (power_column){i, of == UNIT_TIME ? scale : 0};
        if (of < UNIT_POWER || (words[of] && !span_begins(heading, words[of])))
            continue;
        several[of] = several[of] || (found[of].place != ROOF_NONE && !words[of]);
        if (found[of].place == ROOF_NONE)
            found[of] = (power_column){i, scale};
    }
    for (size_t g = 0; g < N_OF(kind->groups) && kind->groups[g]; g++)
        for (uint32_t i = 0; i < n && t->group.place == ROOF_NONE; i++)
            t->group.place = span_begins(cells[i], kind->groups[g]) ? i : ROOF_NONE;
    bool has_power = found[UNIT_POWER].place != ROOF_NONE;
    bool is_product = !has_power && found[UNIT_CURRENT].place != ROOF_NONE &&
                      found[UNIT_VOLTAGE].place != ROOF_NONE && (!kind->power || kind->current);
    t->n_columns = n;
    if (found[UNIT_TIME].place == ROOF_NONE || !(has_power || is_product))
        return false;
    t->is_ambiguous = is_product ? several[UNIT_CURRENT] || several[UNIT_VOLTAGE] : several[UNIT_POWER];
    t->separator = separator;
    span_show(cells[found[is_product ? UNIT_CURRENT : UNIT_POWER].place], t->heading);
    return true;
}

static bool find_headings(power_table *t, const power_table_kind *kind, text_span line)
{
    bool found = false;
    for (const char *separators = ",;\t|"; *separators && !found; separators++)
        found = cut_headings(t, kind, line, *separators);
    return found;
}

unsigned power_table_sniff(const char *text)
{
    static const power_table_kind any;
    enum { MOST_BYTES = 1000 }; /* of a line of headings */
    power_table table;
    text_span rest = span_of(text);
    for (int n = 0; n < SEARCHED_LINES && rest.length; n++) {
        const text_span line = span_take_line(&rest);
        if (line.length < MOST_BYTES && find_headings(&table, &any, line))
            return SNIFF_LIKELY;
    }
    return 0;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* "44.94 W": a number with the unit of its heading. NaN where the tool says that it has none. */
static roof_status read_cell(power_column column, const text_span *cells, const char *what, double *out,
                             roof_error *err)
{
    const text_span cell = bare(cells[column.place]);
    static const char *const nothing[] = {"",    "[N/A]", "N/A", "[Not Supported]", "[Unknown Error]",
                                          "nan", "NaN",   "-"};
    double scale = column.unit_scale;
    *out = NAN;
    if (SPAN_IS_ONE_OF(nothing, cell))
        return ROOF_OK;
    size_t n = number_parse(cell.text, cell.length, out);
    text_span unit = span_trim(span_from(cell, n));
    bool agrees =
        !unit.length || (unit_of(unit, &scale) && !(scale < column.unit_scale || scale > column.unit_scale));
    if (!n || !agrees || !isfinite(*out))
        return error_data(err, "%s is '%s', want a number in the unit of its heading, with a decimal point",
                          what, SHOWN(cell));
    *out *= scale;
    return ROOF_OK;
}

/* The device that a row is of, with a trace of its own. */
static roof_status group_of(power_table *t, text_span name, power_group **out, roof_error *err)
{
    char shown[SHOWN_SIZE];
    uint32_t i = 0;
    span_show(name, shown);
    while (i < t->n_groups && strcmp(t->groups[i].name, shown) != 0)
        i++;
    if (i == POWER_MAX_GROUPS)
        return error_set(err, ROOF_E_LIMIT, "samples of more than %d devices", POWER_MAX_GROUPS);
    *out = &t->groups[i];
    if (i < t->n_groups)
        return ROOF_OK;
    t->n_groups++;
    (*out)->clock.unit_s = t->columns[UNIT_TIME].unit_scale;
    memcpy((*out)->name, shown, sizeof shown);
    return ROOF_OK;
}

roof_status power_table_line(power_table *t, const import_line *line, roof_error *err)
{
    text_span cells[POWER_MAX_CELLS], text = span_trim((text_span){line->text, line->length});
    if (!text.length || text.text[0] == '#')
        return ROOF_OK;
    if (!t->separator) {
        if (line->number <= SEARCHED_LINES)
            find_headings(t, t->kind, text);
        if (t->separator && t->is_ambiguous && !t->kind->power)
            return error_data(err, "several columns are of power, and rails overlap, so that nothing is "
                                   "added up: leave in the file the one that is meant");
        return ROOF_OK;
    }
    size_t n = span_split(text, t->separator, cells, POWER_MAX_CELLS);
    if (n != t->n_columns)
        return error_data(err, "a row of %zu cells, want %zu: is the file whole?", n, t->n_columns);
    power_group *group = NULL;
    power_sample sample;
    double amperes, volts;
    TRY(group_of(t, t->group.place == ROOF_NONE ? span_of("") : bare(cells[t->group.place]), &group, err));
    TRY(timestamp_read(&group->clock, bare(cells[t->columns[UNIT_TIME].place]), &sample.at_s, err));
    if (t->columns[UNIT_POWER].place != ROOF_NONE) {
        TRY(read_cell(t->columns[UNIT_POWER], cells, "the power", &sample.watts, err));
    } else {
        TRY(read_cell(t->columns[UNIT_CURRENT], cells, "the current", &amperes, err));
        TRY(read_cell(t->columns[UNIT_VOLTAGE], cells, "the voltage", &volts, err));
        sample.watts = amperes * volts;
    }
    if (!isnan(sample.watts))
        return power_add(t->in->out, &group->trace, sample, err);
    group->trace.n_left_out++;
    return ROOF_OK;
}

roof_status power_table_finish(power_table *t, roof_error *err)
{
    const char *scope = t->kind->scope ? t->kind->scope : t->heading;
    if (!t->separator)
        return error_data(err, "no line of headings with a time and a power, such as time_s,power_mW, or a "
                               "current and a voltage; units stand in the headings");
    if (!t->n_groups)
        return error_data(err, "no row below the headings");
    for (uint32_t i = 0; i < t->n_groups; i++) {
        if (t->n_groups > 1)
            import_note(t->in, "run %u is of the device '%s'", i + 1, t->groups[i].name);
        TRY(power_add_run(t->in, &t->groups[i].trace, scope, err));
    }
    if (t->groups[0].clock.is_local)
        power_remark_local_times(t->in);
    if (t->columns[UNIT_POWER].place == ROOF_NONE)
        import_note(t->in, "power is current times voltage of each row");
    return ROOF_OK;
}
