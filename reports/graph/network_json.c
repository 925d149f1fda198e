/* A drawing as data of a page. */
#include "reports/graph/network_drawing.h"

/* Five digits are more than a box shows, and keep the page small. */
static void put_short(jsonout *json, double value)
{
    const double unit = pow(10, 4 - floor(log10(fabs(value))));
    jsonout_derived(json, NULL,
                    !isfinite(value)             ? (double)NAN
                    : fabs(value) < 1e-300       ? 0
                    : isfinite(unit) && unit > 0 ? round(value * unit) / unit
                                                 : value);
}

/* --- what is drawn -------------------------------------------------------------------------------------- */

static void put_network_rows(jsonout *json, const char *key, const network_drawing *d, network_side side)
{
    jsonout_array(json, key, false);
    for (uint32_t r = 0; r < d->view.n_rows; r++) {
        const network_row *row = &network_rows_of(&d->view, side)[r];
        const roof_layer_prediction *l = row->layer;
        jsonout_array(json, NULL, true);
        const char *const texts[] = {row->name, row->type, l ? l->shape : "", l ? l->device : ""};
        for (size_t i = 0; i < N_OF(texts); i++)
            jsonout_string(json, NULL, texts[i]);
        jsonout_count(json, NULL, l ? (uint64_t)l->executor : ROOF_UNKNOWN);
        jsonout_string(json, NULL, bound_styles[row->bound_class].html_class);
        jsonout_string(json, NULL, row->bound);
        const double numbers[] = {row->ideal_s,    row->expected_s, row->measured_s, row->gap_s,
                                  row->time_ratio, row->gap_ratio,  row->alive_ratio};
        for (size_t i = 0; i < N_OF(numbers); i++)
            put_short(json, numbers[i]);
        jsonout_count(json, NULL, row->alive_bytes);
        jsonout_count(json, NULL, row->number);
        jsonout_count(json, NULL, l && side == NETWORK_HERE && row->is_there ? l->index : 0);
        jsonout_count(json, NULL, row->is_with_others);
        jsonout_count(json, NULL, row->first_op);
        jsonout_count(json, NULL, row->n_ops);
        put_short(json, row->before_s);
        jsonout_count(json, NULL, (uint64_t)row->change);
        jsonout_count(json, NULL, d->levels.of_row[r] == ROOF_NONE ? ROOF_UNKNOWN : d->levels.of_row[r]);
        if (d->view.before) {
            jsonout_count(json, NULL, row->is_there);
            jsonout_string(json, NULL, row->change_words);
        }
        jsonout_end(json);
    }
    jsonout_end(json);
}

static void put_level(jsonout *json, const network_drawing *d, uint32_t number)
{
    const network_level *level = &d->levels.items[number];
    jsonout_array(json, NULL, true);
    jsonout_count(json, NULL, d->layout.of_level[number]);
    if (level->block == ROOF_NONE) {
        jsonout_null(json, NULL);
    } else {
        const network_block *b = &d->fold.blocks[level->block];
        jsonout_array(json, NULL, true);
        for (uint32_t i = 0; i < b->n_children; i++)
            jsonout_number(json, NULL,
                           b->children[i].block == ROOF_NONE ? b->children[i].first_row
                                                             : -(double)b->children[i].block);
        jsonout_end(json);
    }
    jsonout_array(json, NULL, true);
    FOR_EACH(const network_level_edge, e, level->edges, level->n_edges) {
        jsonout_array(json, NULL, true);
        jsonout_number(json, NULL, e->from == NETWORK_OUTSIDE ? -1 : (double)e->from);
        jsonout_number(json, NULL, e->to == NETWORK_OUTSIDE ? -1 : (double)e->to);
        for (int k = 0; k < (d->view.before ? NETWORK_SIDES : 1); k++) {
            jsonout_count(json, NULL, e->bytes[k][NETWORK_WAY_ON_CHIP]);
            jsonout_count(json, NULL, e->bytes[k][NETWORK_WAY_EXTERNAL]);
            jsonout_count(json, NULL, e->bytes[k][NETWORK_WAY_UNKNOWN]);
            if (d->view.before)
                jsonout_count(json, NULL, e->is_on[k]);
        }
        jsonout_end(json);
    }
    jsonout_end(json);
    jsonout_end(json);
}

void network_put_data(const network_drawing *d, const char *table, textbuf *out)
{
    textbuf text;
    jsonout json;
    text_init(&text, TEXT_MAX_BYTES);
    jsonout_begin(&json, &text);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "table", table);
    jsonout_array(&json, "words", true);
    jsonout_string(&json, NULL, d->view.time_words);
    jsonout_string(&json, NULL, d->view.gap_words);
    jsonout_string(&json, NULL, d->view.alive_words);
    jsonout_end(&json);
    put_network_rows(&json, "rows", d, NETWORK_HERE);
    if (d->view.before) {
        jsonout_array(&json, "titles", true);
        for (int k = 0; k < NETWORK_SIDES; k++)
            jsonout_string(&json, NULL, d->view.titles[k]);
        jsonout_end(&json);
        put_network_rows(&json, "before", d, NETWORK_BEFORE);
    }
    jsonout_array(&json, "ops", false);
    FOR_EACH(const network_op, op, d->view.ops, d->view.n_ops) {
        jsonout_array(&json, NULL, true);
        jsonout_string(&json, NULL, op->name);
        jsonout_string(&json, NULL, op->type);
        jsonout_count(&json, NULL, op->is_of_the_row);
        for (int k = 0; k < NETWORK_SIDES && d->view.before; k++)
            jsonout_count(&json, NULL, op->is_on[k]);
        jsonout_end(&json);
    }
    jsonout_end(&json);
    jsonout_array(&json, "blocks", false);
    FOR_EACH(const network_block, b, d->fold.blocks, d->fold.n_blocks) {
        jsonout_array(&json, NULL, true);
        jsonout_count(&json, NULL, (uint64_t)b->kind);
        jsonout_string(&json, NULL, b->title);
        jsonout_count(&json, NULL, b->first_row);
        jsonout_count(&json, NULL, b->n_rows);
        jsonout_end(&json);
    }
    jsonout_end(&json);
    jsonout_array(&json, "levels", false);
    for (uint32_t i = 0; i < d->levels.n; i++)
        put_level(&json, d, i);
    jsonout_end(&json);
    jsonout_end(&json);
    /* "<" begins a tag within <script>; within a string of JSON it may be written otherwise. */
    for (const char *at = text.bytes, *tag; at; at = tag ? tag + 1 : NULL) {
        tag = strchr(at, '<');
        text_add(out, at, tag ? (size_t)(tag - at) : strlen(at));
        text_puts(out, tag ? "\\u003c" : "");
    }
    out->failed = out->failed || text.failed;
    text_free(&text);
}

/* --- where it is drawn ---------------------------------------------------------------------------------- */

static void put_points(const network_point *points, uint32_t n, textbuf *out)
{
    for (uint32_t i = 0; i < n; i++)
        text_printf(out, "%s%" PRId32 ",%" PRId32, i ? "," : "", points[i].x_px, points[i].y_px);
}

void network_put_places(const network_drawing *d, textbuf *out)
{
    text_puts(out, "[");
    for (uint32_t i = 0; i < d->layout.n_places; i++) {
        const network_places *p = &d->layout.places[i];
        text_printf(out, "%s\n{\"size\":[%" PRId32 ",%" PRId32 "],\"boxes\":[", i ? "," : "", p->width_px,
                    p->height_px);
        put_points(p->boxes, p->n_boxes, out);
        text_puts(out, "],\"curves\":[");
        for (uint32_t k = 0; k < p->n_curves; k++) {
            text_puts(out, k ? ",[" : "[");
            put_points(p->curves[k].points, p->curves[k].n_points, out);
            text_puts(out, "]");
        }
        text_puts(out, "]}");
    }
    text_puts(out, "\n]\n");
}
