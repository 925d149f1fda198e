#include "reports/tables/reconcile/reconcile_tables.h"
#include "measure/matches/match_facts.h"

enum { BEFORE = 4, BEHIND = 2 }; /* columns around those of the matches */

/* "conv 57.1 %, load 45.2 %" */
void busy_add_line(const roof_reconciled *e, remarks *lines)
{
    const roof_busy *b = e->busy;
    const char *list = "";
    if (!b)
        return;
    for (uint32_t k = 0; k < b->n; k++)
        list = say_more(lines->arena, list, "%s %s", b->names[k],
                        say_percent(lines->arena, b->whole.busy.ratios[k]));
    remarks_add(lines, "units busy", "%s of all cycles; they work at the same time", list);
    if (b->n_left_out)
        remarks_add(lines, "units", "%u more are not shown", b->n_left_out);
}

/* --- tables ------------------------------------------------------------------------------------------- */

static void begin(cell_grid *grid, const roof_busy *b, const grid_column *before, const grid_column *behind,
                  roof_arena *arena)
{
    const size_t end = (size_t)BEFORE + b->n, n = end + BEHIND;
    grid_column *own = NEW_ARRAY(arena, grid_column, n);
    for (size_t i = 0; own && i < n; i++)
        own[i] = i < BEFORE ? before[i]
                 : i < end  ? (grid_column)GRID_PERCENT(b->names[i - BEFORE], 0)
                            : behind[i - end];
    grid_begin(grid, arena, own, n);
}

static void add_ratios(cell_grid *grid, const roof_busy *b, const roof_busy_ratios *busy)
{
    for (uint32_t k = 0; k < b->n; k++)
        GRID_ADD(grid, cell_value(busy->ratios[k]));
}

void busy_view_types(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(before, GRID_NAME("kind", 0), GRID_NUMBER("layers", NULL, 1), GRID_TIME("time", 0),
                 GRID_PERCENT("share", 0));
    GRID_COLUMNS(behind, GRID_PERCENT("memory-bound", 0), GRID_PERCENT("compute-bound", 0));
    const roof_busy *b = s->e->busy;
    begin(grid, b, before, behind, s->arena);
    for (uint32_t t = 0; t < s->e->n_types; t++) {
        const roof_type_share *type = &s->e->types[t];
        const roof_busy_type *busy = &b->types[t];
        bool is_known = type->measured_s - busy->bound_s[ROOF_BUSY_UNKNOWN] > 1e-9 * type->measured_s;
        double whole_s = is_known ? type->measured_s : NAN; /* by more than rounding */
        GRID_ADD(grid, cell_text(type->type), cell_number(type->layers, 0), cell_value(type->measured_s),
                 cell_value(type->time_share_ratio));
        add_ratios(grid, b, &busy->busy);
        GRID_ADD(grid, cell_value(quotient_of(busy->bound_s[ROOF_BUSY_MEMORY], whole_s)),
                 cell_value(quotient_of(busy->bound_s[ROOF_BUSY_COMPUTE], whole_s)));
    }
}

double busy_unit_bytes_per_s(const roof_reconciled *e, const roof_match *u)
{
    double measured, predicted;
    roof_match_bytes(e, u, &measured, &predicted);
    return quotient_of(measured, u->measured_s);
}

void busy_view_matches(const reconcile_scope *s, cell_grid *grid)
{
    GRID_COLUMNS(before, GRID_NAME("layer", 0), GRID_TEXT("type", 1), GRID_TIME("measured", 0),
                 GRID_PERCENT("share", 2));
    GRID_COLUMNS(behind, GRID_SCALED("memory", "[GB/s]", 1, .over = 1e9, .digits = 2),
                 GRID_TEXT("bound by", 0));
    const roof_reconciled *e = s->e;
    begin(grid, e->busy, before, behind, s->arena);
    grid->what = "layer";
    grid->largest = "measured";
    const bool *shown = GRID_CHOOSE(grid, e->matches, measured_s, e->n_matches, s->most);
    for (uint32_t i = 0; i < e->n_matches; i++) {
        const roof_match *u = &e->matches[i];
        if (shown && !shown[i])
            continue;
        roof_busy_ratios busy = roof_match_busy(e, u);
        GRID_ADD(grid, cell_text(prediction_name_without(s->prefix, u->name)),
                 cell_text(text_or_empty(u->type)), cell_value(u->measured_s),
                 cell_value(roof_match_share(e, u)));
        add_ratios(grid, e->busy, &busy);
        GRID_ADD(grid, cell_value(busy_unit_bytes_per_s(e, u)),
                 cell_text(text_or_empty(roof_busy_bound_text(busy.bound))));
    }
}

/* --- what is no share of the time ----------------------------------------------------------------------- */

void busy_view_rates(const reconcile_scope *s, cell_grid *grid)
{
    static const char *const names[] = {"l1_hits", "l2_hits", "occupancy", "possible_occupancy",
                                        "no_warp_ready"};
    GRID_COLUMNS(columns, GRID_NAME("kernel", 0), GRID_PERCENT("L1 hits", 0), GRID_PERCENT("L2 hits", 0),
                 GRID_PERCENT("occupancy", 0), GRID_PERCENT("possible", 1), GRID_PERCENT("none ready", 1),
                 GRID_TEXT("warps wait for", 0), GRID_PERCENT("of waits", 0));
    const roof_reconciled *e = s->e;
    grid_begin(grid, s->arena, columns, N_OF(columns));
    grid->what = "kernel";
    FOR_EACH(const roof_match, u, e->matches, e->n_matches) {
        const roof_layer_counters *c = u->n_rows == 1 ? match_row(e, u, 0)->counters : NULL;
        double waits = NAN;
        const char *reason = c ? row_most_waited(c, &waits) : NULL;
        bool has_any = reason;
        for (size_t k = 0; c && k < N_OF(names); k++)
            has_any = has_any || !isnan(row_rate(c, names[k]));
        if (!has_any)
            continue;
        if (s->most && grid->n_rows == s->most) {
            grid->left_out++;
            continue;
        }
        GRID_ADD(grid, cell_text(prediction_name_without(s->prefix, u->name)));
        for (size_t k = 0; k < N_OF(names); k++)
            GRID_ADD(grid, cell_value(row_rate(c, names[k])));
        GRID_ADD(grid, cell_text(text_or_empty(reason)), cell_value(waits));
    }
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_ratios(jsonout *j, const roof_busy *b, const roof_busy_ratios *busy)
{
    jsonout_object(j, "busy_ratios", true);
    for (uint32_t k = 0; k < b->n; k++)
        jsonout_derived(j, b->names[k], busy->ratios[k]);
    jsonout_end(j);
    jsonout_string(j, "busy_bound", roof_busy_bound_text(busy->bound));
}

/* key, type: NULL for what has none. */
static void put_times(jsonout *j, const char *key, const roof_busy *b, const roof_busy_type *t,
                      const char *type)
{
    jsonout_object(j, key, true);
    if (type)
        jsonout_string(j, "type", type);
    jsonout_derived(j, "memory_s", t->bound_s[ROOF_BUSY_MEMORY]);
    jsonout_derived(j, "compute_s", t->bound_s[ROOF_BUSY_COMPUTE]);
    jsonout_derived(j, "neither_s", t->bound_s[ROOF_BUSY_NEITHER]);
    jsonout_derived(j, "unknown_s", t->bound_s[ROOF_BUSY_UNKNOWN]);
    put_ratios(j, b, &t->busy);
    jsonout_end(j);
}

void busy_put_json(jsonout *j, const roof_reconciled *e)
{
    const roof_busy *b = e->busy;
    jsonout_object(j, "busy", false);
    jsonout_array(j, "units", false);
    for (uint32_t k = 0; k < b->n; k++)
        jsonout_texts(j, NULL, "name", b->names[k], "kind",
                      roof_busy_bound_text(b->moves[k] ? ROOF_BUSY_MEMORY : ROOF_BUSY_COMPUTE), NULL);
    jsonout_end(j);
    jsonout_derived(j, "total_s", b->total_s);
    put_times(j, "whole", b, &b->whole, NULL);
    jsonout_array(j, "types", false);
    for (uint32_t t = 0; t < e->n_types; t++)
        put_times(j, NULL, b, &b->types[t], e->types[t].type);
    jsonout_end(j);
    jsonout_end(j);
}

void busy_put_match_json(jsonout *j, const roof_reconciled *e, const roof_match *u)
{
    const roof_busy_ratios busy = roof_match_busy(e, u);
    const roof_layer_counters *c = u->n_rows == 1 ? match_row(e, u, 0)->counters : NULL;
    static const struct {
        roof_counter_quantity of;
        const char *key;
    } kinds[] = {{ROOF_COUNTER_RATE_PPM, "rate_ratios"}, {ROOF_COUNTER_STALL_PPM, "stall_ratios"}};
    if (e->busy) {
        put_ratios(j, e->busy, &busy);
        jsonout_derived(j, "bytes_per_s", busy_unit_bytes_per_s(e, u));
    }
    for (size_t k = 0; c && k < N_OF(kinds); k++) {
        bool any = false;
        for (uint32_t i = 0; i < c->n_events; i++) {
            if (c->events[i].quantity != kinds[k].of)
                continue;
            if (!any)
                jsonout_object(j, kinds[k].key, true);
            any = true;
            jsonout_derived(j, c->events[i].name, (double)c->events[i].count / 1e6);
        }
        if (any)
            jsonout_end(j);
    }
}
