/* One row per layer, base units in the header (cycles, bytes, seconds), empty for what is not known. */
#include "core/csvout.h"
#include "reports/cells.h"
#include "reports/renderer.h"

#include <math.h>

static void put_header(const roof_prediction *p, textbuf *out)
{
    text_puts(
        out,
        "index,name,subgraph,type,device,shape,macs,ops_count,workload_ops,stored_workload_ops,weights_bytes,"
        "input_bytes,output_bytes,instruction_bytes,total_bytes,bytes_source");
    for (uint32_t e = 0; e < p->n_engines; e++) {
        textbuf title;
        text_init(&title, TEXT_MAX_BYTES);
        text_printf(&title, "%s_cycles", p->engines[e]);
        csv_next_text(out, title.bytes);
        out->failed = out->failed || title.failed;
        text_free(&title);
    }
    text_puts(
        out, ",ideal_cycles,cycles_source,bound,ideal_s,share_ratio,utilisation_ratio,intensity_ops_per_byte,"
             "attainable_ops_per_s,per_layer_bytes,per_layer_ideal_s,array_macs,roof,roof_ops_count\n");
}

static const char *basis_word(roof_basis basis, const char *formula)
{
    return basis == ROOF_BASIS_CODE      ? "mc_code"
           : basis == ROOF_BASIS_FILE    ? "file"
           : basis == ROOF_BASIS_FORMULA ? formula
                                         : "";
}

static void put_row(const roof_prediction *p, const roof_layer_prediction *l, textbuf *out)
{
    const roof_cost *c = &l->deployed;
    const roof_traffic *t = &c->traffic;
    text_printf(out, "%u", l->index);
    csv_next_text(out, l->name);
    csv_next_text(out, l->subgraph);
    csv_next_text(out, l->type);
    csv_next_text(out, l->device);
    csv_next_text(out, l->shape);
    const uint64_t counts[] = {
        l->macs,        l->ops_count,    l->workload_ops,      l->stored_workload_ops, t->weights_bytes,
        t->input_bytes, t->output_bytes, t->instruction_bytes, roof_traffic_total(t)};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        csv_next_count(out, counts[i]);
    csv_next_text(out, basis_word(c->bytes_basis, "tensors"));
    for (uint32_t e = 0; e < p->n_engines; e++)
        csv_next_count(out, c->cycles[e]);
    csv_next_count(out, c->ideal_cycles);
    csv_next_text(out, basis_word(c->cycles_basis, "formula"));
    csv_next_text(out, c->bound == ROOF_NONE ? "" : p->engines[c->bound]);
    csv_next_number(out, c->ideal_s);
    csv_next_number(out, p->total.deployed.ideal_s > 0 ? c->ideal_s / p->total.deployed.ideal_s : NAN);
    csv_next_number(out, l->utilisation_ratio);
    csv_next_number(out, l->intensity_ops_per_byte);
    csv_next_number(out, l->attainable_ops_per_s);
    csv_next_count(out, l->has_alone ? roof_traffic_total(&l->alone.traffic) : ROOF_UNKNOWN);
    csv_next_number(out, l->has_alone ? l->alone.ideal_s : NAN);
    csv_next_count(out, l->array_macs);
    csv_next_text(out, l->roof == ROOF_NONE ? "" : p->engines[l->roof]);
    csv_next_count(out, l->roof_ops_count);
    text_puts(out, "\n");
}

static roof_status render_prediction(const roof_prediction *p, const roof_render_options *options,
                                     textbuf *out, roof_error *err)
{
    (void)options;
    put_header(p, out);
    for (uint32_t i = 0; i < p->n_layers; i++)
        put_row(p, &p->layers[i], out);
    return text_status(out, err);
}

const renderer_def renderer_csv = {
    .id = "csv",
    .prediction = render_prediction,
    .graph = inspect_csv,
    .reconciliation = reconcile_csv,
};
