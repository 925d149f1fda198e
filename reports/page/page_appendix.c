#include "reports/page/page_sections.h"
#include "reports/words/cause_words.h"
#include "roofline/version.h"

/* --- findings ----------------------------------------------------------------------------------------- */

/* Kinds with more than these are closed on a screen; paper shows all. */
enum { FEW = 4 };

static void put_group(const finding_groups *list, roof_finding_kind kind, bool name_models, textbuf *out)
{
    uint32_t count = (uint32_t)list->counts[kind]; /* html_printf has no longer numbers */
    char words[64]; /* "one_outlier" is the word in documents; people read "one outlier" */
    snprintf(words, sizeof words, "%s", roof_finding_kind_text(kind));
    for (char *p = words; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    html_printf(out, "<div class=\"finding\" id=\"finding-%s\">\n<h3>%s</h3>\n<p class=\"advice\">",
                roof_finding_kind_text(kind), words);
    html_sentence(out, roof_finding_advice(kind));
    html_printf(out, "</p>\n<details%s><summary>%u finding%s</summary>\n<ul>\n", count <= FEW ? " open" : "",
                count, say_plural(count));
    FOR_EACH(const found, f, list->items, list->n)
        if (f->kind == kind) {
            text_puts(out, "<li>");
            if (f->model && name_models)
                html_printf(out, "<strong>%s</strong>: ", f->model);
            if (f->layer) {
                html_name(out, f->layer, 0, true);
                text_puts(out, ": ");
            }
            html_printf(out, "%s</li>\n", f->text);
        }
    text_puts(out, "</ul></details>\n</div>\n");
}

void page_put_findings(const report_page *page, textbuf *out)
{
    finding_groups list = {.arena = page->arena};
    /* Findings of each prediction, each once, and those of the comparison. */
    const roof_reconciliation *r = page->input->reconciliation;
    FOR_EACH(const page_model, m, page->models, page->n_models)
        for (uint32_t k = 0; m->prediction && k < m->prediction->n_findings; k++)
            finding_groups_add(&list, &m->prediction->findings[k], m->name, 1);
    FOR_EACH(const roof_finding, f, r ? r->findings : NULL, r ? r->n_findings : 0)
        finding_groups_add(&list, f, f->experiment == ROOF_NONE ? NULL : page->models[f->experiment].name, 1);
    text_printf(out, "<p>%zu finding%s on how far to trust the numbers.</p>\n", list.n,
                list.n == 1 ? "" : "s");
    for (int kind = 0; kind < ROOF_FINDING_COUNT; kind++)
        if (list.counts[kind])
            put_group(&list, (roof_finding_kind)kind, page->n_models > 1, out);
}

/* --- method ------------------------------------------------------------------------------------------- */

typedef struct word {
    const char *name, *meaning;
} word;

static const word predicted_words[] = {
    {"bound",
     "the scheduled time where there is code, else the overlap bound. No whole-network run is faster: "
     "overlap bound &le; scheduled &le; any whole-network run."},
    {"scheduled", "the time of the instructions when each starts as soon as what it waits for is done, with "
                  "engines at their peak."},
    {"overlap bound",
     "the busiest engine's time, summed over all layers: the time with overlap of all layers."},
    {"ideal",
     "of a layer: the largest of its engines' cycles over the clock, since engines work in parallel inside a "
     "layer, each at its peak; of a network: the sum over its layers, one after the other. It bounds the "
     "per-layer run, not a whole-network run, in which layers may overlap."},
    {"bound", "the engine or memory whose cycles set the ideal."},
    {"MACs", "multiply-accumulates of convolutions and matrix products, from tensor shapes; 1 MAC = 2 ops."},
    {"DDR", "bytes between external memory and the accelerator: weights, feature maps, instructions."},
    {"share", "the layer's part of the network's ideal time, or of the measured sum of layers."},
    {"MAC use", "MACs in the ideal time, as a share of what the array could do in that time."},
    {"intensity",
     "operations per byte of external memory; for a layer, operations of the engine that takes longest."},
    {"work of bound, rate of bound", "operations of the engine that is the bottleneck of the layer, and "
                                     "these over the layer's measured time, or its ideal "
                                     "without one. A layer whose fused part is the bottleneck has more "
                                     "operations, which its other engines do."},
    {"alone", "the ideal of the layer run by its own code, which is what a per-layer profile measures."},
    {"predicted",
     "the time to expect on a board, by the built-in calibration of the device description or your own."},
    {"path", "the layer's or the engine's share of the critical path through the schedule. Only faster work "
             "on that path makes the inference faster."},
    {"waits", "the time that engines wait with an instruction of the layer, summed over the engines."},
};

static const word measured_words[] = {
    {"measured", "from the profile: one inference of the whole-network run, or one of the per-layer run."},
    {"overhead",
     "what timing at boundaries adds: per-layer run minus whole-network run; for a layer, the fitted "
     "cost of its boundaries."},
    {"corrected", "measured minus overhead, and never below ideal."},
    {"gap", "corrected minus ideal, and minus the host's part where the profile tells it apart. So measured "
            "= ideal + overhead + host + gap, for every layer and for the sum."},
    {"bound / measured", "the bound over the measured time: the schedule bound for a whole-network run, the "
                         "ideals of its layers one by one for a per-layer run."},
    {"outside", "time of an inference outside its layers: by the fit or by phases, else its time minus the "
                "sum of layers."},
    {"host", "what the host adds to every inference: by the fit over all models, or by measured phases."},
    {"unattributed",
     "unexplained time. Attributed and unattributed time sum up to the measured time, to the last digit."},
    {"CoV", "coefficient of variation: standard deviation / mean of the repetitions."},
    {"fits", "least squares with 95 % intervals from Student's t with the true degrees of freedom. The "
             "simpler line is chosen unless the data reject it."},
    {"error", "estimate / measured - 1: above 0 the estimate is too high."},
    {"left out", "the error of a model's estimate when that model is left out of its own fit."},
};

static void put_words(const word *words, size_t n, textbuf *out)
{
    text_puts(out, "<dl class=\"facts\">\n");
    FOR_EACH(const word, w, words, n)
        text_printf(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", w->name, w->meaning);
    text_puts(out, "</dl>\n");
}

void page_put_method(const report_page *page, textbuf *out)
{
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        uint32_t first = 0; /* model of this law */
        while (p && first < i &&
               (!page->models[first].prediction ||
                strcmp(page->models[first].prediction->hardware.law, p->hardware.law) != 0))
            first++;
        if (!p || first < i)
            continue;
        html_printf(out,
                    "<p>Cycles are those of the law <code>%s</code>; its formulas and their evidence are in "
                    "<code>docs/hardware/%s.md</code> of roofline's source.</p>\n",
                    p->hardware.law, p->hardware.law);
    }
    put_words(predicted_words, N_OF(predicted_words), out);
    if (page->input->reconciliation)
        put_words(measured_words, N_OF(measured_words), out);
    text_puts(out, "<p>A dash means not used; ? means not known.</p>\n");
}

/* --- constants ---------------------------------------------------------------------------------------- */

static void put_table(const cell_grid *grid, const char *what, uint32_t number, const char *hardware,
                      textbuf *out)
{
    const char *caption = say_printf(grid->arena, "%s of %s", what, hardware);
    grid_put_html(grid, &(html_table){.id = what, .number = number + 1, .caption = caption}, out);
}

static grid_cell quantity(roof_arena *arena, double value, const char *unit)
{
    const char *text = say_quantity(arena, value, unit), *prefix;
    return isfinite(value) ? cell_worded(text, quantity_shown(value, unit, &prefix), CELL_ANY_DIGITS)
                           : cell_text(text);
}

void page_put_constants(const report_page *page, textbuf *out)
{
    GRID_COLUMNS(columns, GRID_NAME("constant", 0), GRID_NUMBER("value", NULL, 0), GRID_NOTE("meaning", 0),
                 GRID_TEXT("kind", 0), GRID_NOTE("source", 0), GRID_NOTE("caveat", 1));
    GRID_COLUMNS(of_ceilings, GRID_NAME("engine", 0), GRID_NUMBER("at most", NULL, 0), GRID_NOTE("does", 0));
    cell_grid grid;
    text_puts(out, "<p>Every value of the hardware with what it is worth and where it comes from.</p>\n");
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page_new_hardware(page, i);
        if (!p)
            continue;
        html_printf(out, "<h3>%s <code>%s</code></h3>\n", p->hardware.name, p->hardware.id);
        grid_begin(&grid, page->arena, of_ceilings, N_OF(of_ceilings));
        FOR_EACH(const roof_ceiling, c, p->hardware.ceilings, p->hardware.n_ceilings) {
            bool moves = isnan(c->ops_per_s);
            GRID_ADD(&grid, cell_text(c->engine),
                     quantity(page->arena, moves ? c->bytes_per_s : c->ops_per_s, moves ? "B/s" : "OP/s"),
                     cell_text(c->meaning));
        }
        text_puts(out, grid.n_rows ? "<h4>Ceilings of one core</h4>\n" : "");
        put_table(&grid, "ceilings", i, p->hardware.name, out);
        grid_begin(&grid, page->arena, columns, N_OF(columns));
        FOR_EACH(const roof_quantity, q, p->hardware.constants, p->hardware.n_constants) {
            /* "2", not "2 count" */
            bool is_number = strcmp(q->unit, "count") == 0 || strcmp(q->unit, "ratio") == 0;
            GRID_ADD(&grid, cell_text(q->key), quantity(page->arena, q->value, is_number ? "" : q->unit),
                     cell_text(text_or_empty(roof_hw_key_meaning(q->key))),
                     cell_text(roof_value_kind_words(q->kind)), cell_text(q->source),
                     cell_text(text_or_empty(q->caveat)));
        }
        text_puts(out, "<h4>Constants</h4>\n");
        put_table(&grid, "constants", i, p->hardware.name, out);
    }
}

/* --- provenance: the inputs of the page, the program that made it, the files beside it ------------------ */

void page_put_provenance(const report_page *page, textbuf *out)
{
    text_printf(out, "<p>Written by roofline %s. The same files give the same page: it holds no date.</p>\n",
                roof_version());
    GRID_COLUMNS(columns, GRID_NAME("file", 0), GRID_NUMBER("size", "B", 0), GRID_NAME("SHA-256", 0));
    GRID_COLUMNS(of_models, GRID_NAME("model", 0), GRID_TEXT("format", 1), GRID_NAME("graph hash", 1),
                 GRID_TEXT("compiler", 1), GRID_NAME("target", 1), GRID_NAME("fingerprint", 1),
                 GRID_NAME("hardware", 0));
    cell_grid grid;
    if (page->n_inputs) {
        grid_begin(&grid, page->arena, columns, N_OF(columns));
        for (uint32_t i = 0; i < page->n_inputs; i++)
            GRID_ADD(&grid, cell_text(page->inputs[i].name), cell_count(page->inputs[i].size_bytes),
                     cell_text(page->inputs[i].sha256));
        text_puts(out, "<h3>Made from</h3>\n");
        grid_put_html(&grid, &(html_table){.id = "inputs", .caption = "Files that were read"}, out);
    }
    grid_begin(&grid, page->arena, of_models, N_OF(of_models));
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        if (!p)
            continue;
        bool is_numbered = p->model.fingerprint != ROOF_UNKNOWN;
        GRID_ADD(&grid, cell_text(text_or_empty(p->model.name)), cell_text(text_or_empty(p->model.format)),
                 cell_text(text_or_empty(p->model.graph_hash)), cell_text(text_or_empty(p->model.compiler)),
                 cell_text(text_or_empty(p->model.target)),
                 is_numbered ? cell_text(arena_printf(page->arena, "0x%016" PRIx64, p->model.fingerprint))
                             : cell_empty,
                 cell_text(p->hardware.id));
    }
    page_put_grid(&grid, "identities", "Models and device descriptions", out);
    text_puts(out, "<h3>Beside this page</h3>\n<ul class=\"beside\">\n");
    FOR_EACH(const page_file, f, page->files, page->n_files)
        html_printf(out, "<li><a href=\"%s\">%s</a> %s</li>\n", f->name, f->name, f->what);
    for (uint32_t i = 0; i < page->n_figures; i++)
        text_printf(out, "<li><code>%s</code> .svg, .gp and .dat: the chart, its script, its data</li>\n",
                    page->figures[i].stem);
    text_puts(out, "</ul>\n");
}
