/* One row per unit, base units in the header, empty for what is not known. */
#include "core/csvout.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"

/* Names of rows or layers of one unit in one field. */
static void put_rows(textbuf *out, const roof_reconciled *e, const roof_unit *u)
{
    textbuf names;
    text_init(&names, TEXT_MAX_BYTES);
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const char *name = e->layer_run->layers[e->row_order[u->row + i]].name;
        text_printf(&names, "%s%s", i ? " + " : "", name ? name : "");
    }
    csv_next_text(out, names.bytes);
    out->failed = out->failed || names.failed;
    text_free(&names);
}

static void put_unit(textbuf *out, const roof_reconciled *e, const roof_unit *u)
{
    char notes[200];
    csv_text(out, e->model);
    csv_next_count(out, u->n_layers ? e->prediction->layers[e->layer_order[u->layer]].index : ROOF_UNKNOWN);
    csv_next_text(out, u->name);
    csv_next_text(out, u->type);
    const double values[] = {u->ideal_s,  u->measured_s, u->overhead_s,           u->corrected_s,
                             u->gap_s,    u->host_s,     roof_unit_efficiency(u), roof_unit_share(e, u),
                             u->cov_ratio};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        csv_next_number(out, values[i]);
    csv_next_text(out, unit_bound(e, u));
    csv_next_text(out, roof_verdict_text((roof_verdict)u->verdict));
    csv_next_text(out, roof_match_text((roof_match)u->match));
    put_rows(out, e, u);
    view_notes(u, notes, sizeof notes);
    csv_next_text(out, notes);
    text_puts(out, "\n");
}

roof_status reconcile_csv(const roof_reconciliation *r, const roof_render_options *options, textbuf *out,
                          roof_error *err)
{
    (void)options;
    text_puts(out,
              "model,index,name,type,ideal_s,measured_s,overhead_s,corrected_s,gap_s,host_s,efficiency_ratio,"
              "time_share_ratio,cov_ratio,bound,verdict,match,rows,notes\n");
    for (uint32_t i = 0; i < r->n_experiments; i++)
        for (uint32_t k = 0; k < r->experiments[i].n_units; k++)
            put_unit(out, &r->experiments[i], &r->experiments[i].units[k]);
    return text_status(out, err);
}
