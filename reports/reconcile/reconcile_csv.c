/* One row per unit, base units in the header, empty for what is not known. */
#include "core/csvout.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"

/* Names of rows or layers of one unit in one field. */
static void put_rows(roof_text *out, const roof_reconciled *e, const roof_unit *u)
{
    roof_text names;
    roof_text_init(&names, ROOF_TEXT_MAX_BYTES);
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const char *name = e->layer_run->layers[e->row_order[u->row + i]].name;
        roof_text_printf(&names, "%s%s", i ? " + " : "", name ? name : "");
    }
    roof_csv_next_text(out, names.bytes);
    out->failed = out->failed || names.failed;
    roof_text_free(&names);
}

static void put_unit(roof_text *out, const roof_reconciled *e, const roof_unit *u)
{
    char notes[200];
    roof_csv_text(out, e->model);
    roof_csv_next_count(out,
                        u->n_layers ? e->prediction->layers[e->layer_order[u->layer]].index : ROOF_UNKNOWN);
    roof_csv_next_text(out, u->name);
    roof_csv_next_text(out, u->type);
    const double values[] = {u->ideal_s, u->measured_s,           u->overhead_s,         u->corrected_s,
                             u->gap_s,   roof_unit_efficiency(u), roof_unit_share(e, u), u->cov_ratio};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        roof_csv_next_number(out, values[i]);
    roof_csv_next_text(out, roof_unit_bound(e, u));
    roof_csv_next_text(out, roof_verdict_text((roof_verdict)u->verdict));
    roof_csv_next_text(out, roof_match_text((roof_match)u->match));
    put_rows(out, e, u);
    roof_view_notes(u, notes, sizeof notes);
    roof_csv_next_text(out, notes);
    roof_text_puts(out, "\n");
}

roof_status roof_reconcile_csv(const roof_reconciliation *r, const roof_render_options *options,
                               roof_text *out, roof_error *err)
{
    (void)options;
    roof_text_puts(out,
                   "model,index,name,type,ideal_s,measured_s,overhead_s,corrected_s,gap_s,efficiency_ratio,"
                   "time_share_ratio,cov_ratio,bound,verdict,match,rows,notes\n");
    for (uint32_t i = 0; i < r->n_experiments; i++)
        for (uint32_t k = 0; k < r->experiments[i].n_units; k++)
            put_unit(out, &r->experiments[i], &r->experiments[i].units[k]);
    return roof_text_status(out, err);
}
