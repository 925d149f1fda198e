/* A prediction for people: the verdict, the table, what the totals rest on, the findings. */
#include "model/predict/schedule.h"
#include "reports/words/cause_words.h"
#include "reports/words/memory_words.h"
#include "reports/words/prediction_tables.h"
#include "reports/words/prediction_words.h"
#include "reports/renderers/renderer.h"

static const char *bytes(const remarks *r, uint64_t count)
{
    return say_quantity(r->arena, known_count(count), "B");
}

/* A plan has a compiler's estimate beside the bound, and several memories. */
static void vendor_and_pools(const roof_prediction *p, remarks *r)
{
    static const char why[] =
        "cannot be recomputed: its law, a figure of a memory, or what a row moves is unknown";
    uint64_t of_file = p->total.estimate.stored_cycles, own = p->total.estimate.cycles;
    const char *stored = say_count(r->arena, of_file), *cycles = say_count(r->arena, own);
    const char *time = say_seconds(r->arena, known_count(own) / p->hardware.clock_hz);
    if (own == ROOF_UNKNOWN && of_file == ROOF_UNKNOWN)
        remarks_add(r, "compiler", "its estimate %s", why);
    else if (own == ROOF_UNKNOWN)
        remarks_add(r, "compiler", "estimates %s cycles in the file; the estimate %s", stored, why);
    else if (of_file == ROOF_UNKNOWN)
        remarks_add(r, "compiler", "estimates %s cycles, %s, by its own law; the file states none", cycles,
                    time);
    else if (of_file == own)
        remarks_add(r, "compiler", "estimates %s cycles, %s (file and recount agree)", cycles, time);
    else
        remarks_add(r, "compiler", "estimates %s cycles in the file, %s recomputed: see findings", stored,
                    cycles);
    const char *list = "";
    FOR_EACH(const roof_pool_rates, pool, p->hardware.pools, p->hardware.n_pools) {
        double moved = known_count(pool->read_bytes) + known_count(pool->write_bytes);
        list = say_more(r->arena, list, "%s %s of %s", pool->name, say_quantity(r->arena, moved, "B"),
                        isnan(pool->bytes_per_s) ? "unknown rate"
                                                 : say_quantity(r->arena, pool->bytes_per_s, "B/s"));
    }
    remarks_add(r, "pools", "%s", *list ? list : "the file does not state what is moved in them");
}

/* "needs 1.334 GB of 34.36 GB: fits; up to 291 328 tokens of context are known to". */
static void language_memory(const roof_prediction *p, remarks *r)
{
    const roof_language_memory *m = &p->language.memory;
    static const char *const answers[] = {[ROOF_MEMORY_UNKNOWN] = "whether that fits is unknown",
                                          [ROOF_MEMORY_FITS] = "fits",
                                          [ROOF_MEMORY_FITS_NOT] = "does not fit"};
    if (p->is_language && m->available_bytes)
        ADD_SAID(r, "memory", "needs {} of {}: {}[?; up to {} tokens of context are known to]",
                 AS_TEXT(bytes(r, m->need_bytes)), AS_TEXT(bytes(r, m->available_bytes)),
                 AS_TEXT(answers[m->fits]),
                 AS_TEXT(m->largest_tokens ? say_count(r->arena, m->largest_tokens) : NULL));
    else if (p->is_language)
        remarks_add(r, "memory",
                    "needs %s for weights, cache and states; --memory 32GiB says whether that fits",
                    bytes(r, m->need_bytes));
}

static void sources(const roof_prediction *p, remarks *r)
{
    static const char *const bases[] = {[ROOF_BASIS_CODE] = "the instruction stream",
                                        [ROOF_BASIS_FILE] = "the file",
                                        [ROOF_BASIS_FORMULA] = "tensor shapes",
                                        [ROOF_BASIS_NONE] = "nowhere"};
    const roof_cost *c = &p->total.deployed;
    if (!p->total.layers)
        remarks_add(r, "source", "no layer runs on the accelerator");
    else if (c->ideal_cycles == ROOF_UNKNOWN)
        remarks_add(r, "source", "the file has neither bytes nor cycles");
    else if (c->bytes_basis == c->cycles_basis)
        remarks_add(r, "source", "bytes and cycles from %s", bases[c->bytes_basis]);
    else
        remarks_add(r, "source", "bytes from %s, cycles from %s (law '%s')", bases[c->bytes_basis],
                    bases[c->cycles_basis], p->hardware.law);
}

static void hardware(const roof_prediction *p, remarks *r)
{
    double rate = p->hardware.bandwidth_bytes_per_s;
    const char *memory = rate > 0                ? say_quantity(r->arena, rate, "B/s")
                         : p->hardware.has_pools ? "of each pool above"
                                                 : "unknown";
    const char *key = p->hardware.weakest_key;
    ADD_SAID(r, "hardware",
             "{} ({}): {}, [?{}, ]memory {}, {} core{|s}, law '{}'; least certain value: {}[? ({})]",
             AS_TEXT(p->hardware.name), AS_TEXT(p->hardware.id), AS("Hz", p->hardware.clock_hz),
             AS_TEXT(p->hardware.data_type), AS_TEXT(memory), AS_COUNT(p->hardware.cores),
             AS_TEXT(p->hardware.law), AS_TEXT(roof_value_kind_words(p->hardware.weakest_kind)),
             AS_TEXT(*key ? key : NULL));
}

/* The most that somebody measured of engines, beside their peaks. */
static void reached(const roof_prediction *p, remarks *r)
{
    const char *list = "";
    FOR_EACH(const roof_ceiling, c, p->hardware.ceilings, p->hardware.n_ceilings) {
        bool moves = isnan(c->ops_per_s);
        const char *unit = moves ? "B/s" : "op/s";
        if (c->reached_per_s > 0)
            list = say_more(r->arena, list, "%s %s of %s", c->engine,
                            say_quantity(r->arena, c->reached_per_s, unit),
                            say_quantity(r->arena, moves ? c->bytes_per_s : c->ops_per_s, unit));
    }
    if (*list)
        remarks_add(r, "reached", "%s: the most that was measured", list);
}

void prediction_summarise(const roof_prediction *p, remarks *r)
{
    uint32_t floor = p->total.floor_bound;
    uint32_t rows[5], n = prediction_largest_layers(p, rows, 5, r->arena);
    const char *list = "";
    const char *of_time =
        roof_answer_is_bound(roof_rows_kind(p)) ? " of the ideal time" : " of the expected time";
    for (uint32_t i = 0; i < n; i++) {
        const roof_layer_prediction *l = &p->layers[rows[i]];
        const char *bound = l->deployed.bound == ROOF_NONE ? "-" : p->engines[l->deployed.bound];
        const double share = roof_layer_share_ratio(p, l);
        list = say_more(r->arena, list, "#%u%s (%s)", l->index,
                        SAY_TEXT(r->arena, "[? {.1%} %{}]", AS_RATIO(isfinite(share) ? share : NAN),
                                 AS_TEXT(i ? "" : of_time)),
                        bound);
    }
    remarks_add(r, "largest", "%s", list);
    /* "1.631 ms, every instruction as early as ...; critical path 70 % misc, 18 % load, 12 % conv" */
    ADD_SAID(r, "schedule", "[?{}, every instruction as early as what it waits for allows; critical path {}]",
             AS_SECONDS(p->schedule.scheduled_s), AS_TEXT(schedule_path(p, r->arena)));
    ADD_SAID(r, "overlap", "[?bound {} if all layers overlapped ({})]", AS_SECONDS(p->total.floor_s),
             AS_TEXT(floor == ROOF_NONE ? "-" : p->engines[floor]));
    const double *ci95_s = p->total.predicted_ci95_s;
    const char *range = isnan(ci95_s[0])
                            ? ""
                            : say_printf(r->arena, ", 95 %% [%s, %s]", say_seconds(r->arena, ci95_s[0]),
                                         say_seconds(r->arena, ci95_s[1]));
    if (p->calibration)
        remarks_add(r, "predicted", "%s%s, by %s", say_seconds(r->arena, p->total.predicted_s), range,
                    p->calibration);
    enum { MOST_PUBLISHED = 4 }; /* where nothing is expected the most alike is a sentence */
    for (uint32_t i = isnan(p->total.predicted_s) ? 1U : 0U; i < p->n_published && i < MOST_PUBLISHED; i++)
        remarks_add(r, "published", "%s", prediction_published(p, i, r->arena));
    if (p->n_published > MOST_PUBLISHED)
        remarks_add(r, "published", "%u more: `roofline published %s --hw %s` lists them",
                    p->n_published - MOST_PUBLISHED, p->model.name, p->hardware.id);
    const roof_language_expectation *x = &p->language.expected; /* of a decode step or a prefill */
    const char *parts = "";
    for (int i = 0; p->is_language && i < ROOF_LANGUAGE_PARTS; i++)
        if (x->parts_s[i] > 0)
            parts = say_more(r->arena, parts, "%s %s", roof_language_part_text((roof_language_part)i),
                             say_seconds(r->arena, x->parts_s[i]));
    if (*parts && !isnan(x->seconds))
        remarks_add(r, "parts", x->attention ? "%s; attention of class %s" : "%s", parts, x->attention);
    remarks_add(r, "on the CPU", "%s", text_or_empty(host_line(p, r->arena)));
    if (p->hardware.has_pools) {
        vendor_and_pools(p, r);
    } else {
        const roof_traffic *t = &p->total.deployed.traffic;
        remarks_add(r, "DDR", "%s weights, %s in, %s out, %s instructions", bytes(r, t->weights_bytes),
                    bytes(r, t->input_bytes), bytes(r, t->output_bytes), bytes(r, t->instruction_bytes));
        if (p->total.has_alone)
            remarks_add(r, "per layer", "as a per-layer profile runs it: at least %s and %s",
                        say_seconds(r->arena, p->total.alone.ideal_s),
                        say_quantity(r->arena, (double)roof_traffic_total(&p->total.alone.traffic), "B"));
        uint64_t of_file = p->total.stored_workload_ops, own = p->total.workload_ops;
        const char *stored = say_count(r->arena, of_file);
        if (of_file == ROOF_UNKNOWN || own == ROOF_UNKNOWN)
            remarks_add(r, "workload", "the file stores none to compare with");
        else if (of_file == own)
            remarks_add(r, "ops", "%s (file and recount agree)", stored);
        else
            remarks_add(r, "workload", "%s ops in the file, %s recomputed: see findings", stored,
                        say_count(r->arena, own));
    }
    if (p->total.unattributed_bytes_ratio > 0 || p->total.unattributed_cycles_ratio > 0)
        remarks_add(r, "unattributed", "%.2f %% of bytes, %.2f %% of engine cycles",
                    100 * p->total.unattributed_bytes_ratio, 100 * p->total.unattributed_cycles_ratio);
    const char *facts = "";
    for (uint32_t i = 0; i < p->n_facts; i++) {
        const roof_fact *f = &p->facts[i];
        facts = say_more(r->arena, facts, "%s %s", f->name,
                         *f->unit ? say_quantity(r->arena, known_count(f->value), f->unit)
                                  : say_count(r->arena, f->value));
    }
    remarks_add(r, "model", "%s", facts);
    language_memory(p, r);
    if (p->hardware.batch_lanes > p->options.batch)
        remarks_add(r, "batch", "%u of %u lanes used: --batch %u fills one pass", p->options.batch,
                    p->hardware.batch_lanes, p->hardware.batch_lanes);
    ADD_SAID(r, "launch", "[?launch overhead {} per inference on this board (measured), {}]",
             AS_SECONDS(p->hardware.launch_floor_s),
             AS_TEXT(isnan(p->total.predicted_s)
                         ? "not included"
                         : "not in the bound; the expected time rests on runs that have it"));
    sources(p, r);
    hardware(p, r);
    reached(p, r);
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* A table beside that of layers; nothing where it has no row. */
static void put_beside(const roof_prediction *p, const rendering *r,
                       void (*view)(const roof_prediction *p, cell_grid *grid, roof_arena *arena))
{
    cell_grid grid;
    view(p, &grid, r->arena);
    if (!grid.n_rows)
        return;
    grid_put(&grid, &r->writer);
    text_puts(r->writer.out, "\n");
}

/* "expected 2.7 ms (2.3 ms to 3.2 ms), 17 % less": with a change, beside as it is. ends: of 95 %; NULL. */
static const char *changed_time(roof_arena *arena, const char *what, double seconds, const double *ends,
                                double of_s)
{
    const double ratio = 1 - seconds / of_s;
    return SAY_TEXT(arena, "{} {}[? ({} to {})], {.1} % {}", AS_TEXT(what), AS_SECONDS(seconds),
                    AS_SECONDS(ends ? ends[0] : NAN), AS_SECONDS(ends ? ends[1] : NAN),
                    AS("", 100 * fabs(ratio)), AS_TEXT(ratio < 0 ? "more" : "less"));
}

/* NULL: nothing of the kind was asked. */
static const roof_alternative *asked_alternative(const roof_prediction *p)
{
    return p->n_alternatives && p->alternatives->is_asked ? p->alternatives : NULL;
}

/* The answer to --what-if: what to expect where that is known, and the bound; the other sentences are of the
 * hardware as it is. NULL: nothing was asked. */
static const char *what_if_answer(const roof_prediction *p, roof_arena *arena)
{
    const roof_what_if *w = p->schedule.n_what_ifs ? p->schedule.what_ifs : NULL;
    const roof_alternative *a = asked_alternative(p);
    if (!a && !(w && w->is_asked))
        return NULL;
    const char *label = a ? a->label : w->label, *expected = "";
    const double expected_s = a ? a->expected_s : w->expected_s, best_s = a ? a->best_s : w->best_s,
                 *ends = a ? a->expected_ci95_s : w->expected_ci95_s;
    if (isnan(best_s) && isnan(expected_s))
        return say_printf(arena, "With %s: unknown.", label);
    if (!isnan(expected_s))
        expected = changed_time(arena, "expected", expected_s, ends, p->total.predicted_s);
    else if (!isnan(p->total.predicted_s))
        expected = "expected time unknown";
    return say_printf(
        arena, "With %s: %s%s%s.", label, expected, *expected ? "; " : "",
        changed_time(arena, p->estimate_of ? "about" : "at best", best_s, NULL, roof_best_s(p)));
}

/* The first answer: the requested load or change, else how fast; what limits it; the next step. */
static void put_verdict(const roof_prediction *p, const rendering *r)
{
    const char *limit = prediction_load(p, 1, r->arena);
    const char *const all[] = {prediction_load(p, 0, r->arena), what_if_answer(p, r->arena),
                               limit ? NULL : prediction_verdict(p, 0, r->arena),
                               isnan(p->total.predicted_s) ? prediction_published_first(p, r->arena) : NULL,
                               limit ? limit : prediction_verdict(p, 1, r->arena),
                               /* a document to paste: what to type next is for the terminal */
                               r->writer.is_markdown ? NULL : prediction_verdict(p, 2, r->arena)};
    const char *sentences[N_OF(all)];
    size_t n = 0;
    for (size_t i = 0; i < N_OF(all); i++)
        if (all[i] && *all[i])
            sentences[n++] = all[i];
    writer_verdict(&r->writer, sentences, n);
}

static const char *name_of_layer(const void *of, uint32_t layer)
{
    const roof_prediction *p = of;
    return prediction_name_without(prediction_name_prefix(p), p->layers[layer].name);
}

/* So much a reader sees at once; the largest are shown. */
enum { MOST_ROWS_OF_LAYERS = 20, MOST_CAUSES = 3 };

void prediction_put(const rendering *r)
{
    const roof_prediction *p = r->prediction;
    const text_writer *writer = &r->writer;
    cell_grid grid;
    remarks lines = {.arena = r->arena}, causes = lines;
    bool is_text = !writer->is_markdown;
    if (!r->selection->has_most && !r->options->details)
        r->selection->order.most = MOST_ROWS_OF_LAYERS;
    layers_view view = {.details = r->options->details,
                        .has_bars = is_text,
                        .prefix = is_text ? prediction_name_prefix(p) : (name_prefixes){"", 0},
                        .most = table_rows_at_most(r)};
    /* The row of a layer that sets the peak of memory; one that is no layer is named in the line. */
    const roof_memory *m = r->options->memory;
    const roof_memory_pool *said = m ? memory_said_pool(m) : NULL;
    const char *row = said ? roof_memory_row_name(m, said, said->at_row) : NULL;
    const uint32_t layer = row ? memory_layer_of(memory_layers_of(r->arena, r->prediction), row) : ROOF_NONE;
    view.mark = layer == ROOF_NONE ? NULL : "peak";
    view.marked_layer = layer;
    put_verdict(p, r);
    const cause_source source = {p->causes, p->n_causes, "", {name_of_layer, p, NULL, NULL}};
    if (!table_is_short(r))
        cause_lines_add(&source, 1, r->options->details ? 0 : MOST_CAUSES, &causes);
    remarks_put(&causes, writer);
    text_puts(writer->out, causes.n ? "\n" : "");
    put_beside(p, r, prediction_view_load);
    put_beside(p, r, prediction_view_what_ifs);
    if (asked_alternative(p))
        put_beside(p, r, prediction_view_alternatives);
    prediction_view_layers(p, &view, &grid, r->arena);
    table_put_arranged(r, &grid);
    prediction_put_prefix(writer->out, view.prefix);
    text_puts(writer->out, "\n");
    for (uint32_t i = 0; i < p->schedule.n_parts && r->options->details; i++) {
        const char *heading = prediction_schedule_heading(p, i, r->arena);
        if (heading)
            writer_verdict(writer, &heading, 1);
        prediction_view_schedule(p, i, &grid, r->arena);
        grid_put(&grid, writer);
        text_puts(writer->out, "\n");
    }
    if (p->n_alternatives && !asked_alternative(p))
        put_beside(p, r, prediction_view_alternatives);
    /* Facts left out of the first answer. */
    for (uint32_t i = 0; p->throughput.n_points && i < 2; i++)
        remarks_add(&lines, i ? " " : "without load", "%s", prediction_verdict(p, i, r->arena));
    if (!p->facts_of_verdict.is_placed_whole && p->placement)
        remarks_add(&lines, "placement", "%s", p->placement);
    remarks_add(&lines, "also", "%s", prediction_verdict(p, 3, r->arena));
    if (!table_is_short(r))
        prediction_summarise(p, &lines);
    if (r->options->memory && !table_is_short(r))
        remarks_add(&lines, "memory", "%s", memory_verdict(r->arena, r->options->memory));
    remarks_put(&lines, writer);
    finding_groups groups = {.arena = r->arena};
    for (uint32_t i = 0; i < p->n_findings; i++)
        finding_groups_add(&groups, &p->findings[i], NULL, 1);
    if (!table_is_short(r) || r->options->all_findings)
        finding_groups_put(&groups, writer, r->options);
    else
        writer_put_wrapped(writer->out, "--details shows causes, sources and findings", writer->width, 0);
    if (table_is_off_screen(r)) {
        text_puts(writer->out, "\n");
        put_verdict(p, r);
    }
}

/* One row a layer, base units in the header (cycles, bytes, seconds), empty for what is unknown. */
void prediction_csv(const rendering *r)
{
    const roof_prediction *p = r->prediction;
    const layers_view view = {.csv = r->out, .is_kept = r->selection->is_asked};
    cell_grid grid;
    prediction_view_layers(p, &view, &grid, r->arena);
    table_put_csv(r, &grid, roof_answer_is_bound(roof_rows_kind(p)) ? "ideal_s" : "predicted_s");
}

void prediction_json(const rendering *r)
{
    prediction_codec_write(r->prediction, &words_of_predictions, r->out);
}
