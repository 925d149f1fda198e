#include "roofline/results.h"
#include "reports/results/results_line.h"
#include "reports/tables/views.h"

#include <stdatomic.h>

typedef struct writing {
    const roof_sweep_plan *swept;
    const roof_results_options *options;
    results_part part;
    roof_results_progress *done;
    atomic_uint_fast64_t n_failed, n_found; /* counted by all threads, beside those that were kept */
} writing;

static roof_status write_row(void *context, const roof_sweep_point *point, roof_sink out, roof_error *err)
{
    writing *w = context;
    const bool is_json = w->options->is_json_lines;
    textbuf text;
    text_init(&text, POINTS_MOST_LINE_BYTES);
    roof_status status = sweep_view_put(point->measured, point, is_json, &text, err);
    results_line_sign(&text, 0, is_json, w->swept->identity, w->swept->n_points);
    THEN(status, text_status(&text, err));
    THEN(status, out.write(out.context, text.bytes, text.length, err));
    if (status == ROOF_OK && point->why)
        w->n_failed++;
    if (status == ROOF_OK && point->pair && point->pair->prediction && point->pair->prediction->n_findings)
        w->n_found++;
    text_free(&text);
    return status;
}

static void tell(writing *w)
{
    w->done->failed = w->part.kept.failed + w->n_failed;
    w->done->found = w->part.kept.found + w->n_found;
    if (w->options->tell)
        w->options->tell(w->options->context, w->done);
}

static roof_status take_rows(void *context, uint64_t end, const char *bytes, size_t length, roof_error *err)
{
    writing *w = context;
    const uint64_t before = w->part.n_lines;
    (void)end;
    const roof_status status = results_part_add(&w->part, bytes, length, err);
    w->done->done += w->part.n_lines - before; /* a line a point, also of what a full disk took a part of */
    tell(w);
    return status;
}

roof_status roof_results_write(const roof_sweep_plan *plan, const roof_results_options *o,
                               roof_results_progress *done, roof_error *err)
{
    results_wanted wanted = {.swept = plan, .is_json = o->is_json_lines, .titles = "", .end = plan->n_points};
    writing w = {.swept = plan, .options = o, .part.fd = -1, .done = done};
    textbuf titles;
    *done = (roof_results_progress){0};
    if (o->n_shards)
        TRY(roof_sweep_shard(plan->n_points, o->shard, o->n_shards, &wanted.first, &wanted.end, err));
    done->of = wanted.end - wanted.first;
    roof_arena *arena = arena_new(0);
    text_init(&titles, POINTS_MOST_LINE_BYTES);
    roof_status status = arena ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK && !o->is_json_lines) {
        status = sweep_view_put(plan->n_measured, NULL, false, &titles, err);
        titles.length -= status == ROOF_OK; /* the end of the line is that of two more titles */
        text_puts(&titles, POINTS_LINE_TITLES);
        THEN(status, text_status(&titles, err));
        wanted.titles = titles.bytes;
        wanted.titles_length = titles.length;
    }
    if (status == ROOF_OK) {
        status = results_part_begin(&w.part, arena, o->path, &wanted, err);
        if (status == ROOF_OK) {
            done->kept = done->done = w.part.next - wanted.first;
            tell(&w);
            status = roof_sweep_run(plan, w.part.next, wanted.end, o->jobs,
                                    &(roof_sweep_use){write_row, take_rows, &w}, err);
        }
        status = results_part_end(&w.part, status, err);
    }
    text_free(&titles);
    arena_free(arena);
    return status;
}
