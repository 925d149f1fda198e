#include "reports/graph/network_drawing.h"
#include "core/files/child.h"

#include <errno.h>

#define PX_PER_INCH 72.0

/* --- what dot is asked ---------------------------------------------------------------------------------- */

static bool *find_joined(const network_level *level, roof_arena *arena)
{
    bool *joined = NEW_ARRAY(arena, bool, level->n_children);
    for (uint32_t i = 0; i < level->n_edges && joined; i++) {
        if (level->edges[i].from != NETWORK_OUTSIDE)
            joined[level->edges[i].from] = true;
        if (level->edges[i].to != NETWORK_OUTSIDE)
            joined[level->edges[i].to] = true;
    }
    return joined;
}

/* "n12"; "i" and "o" are where edges come in and go out. */
static void put_end(textbuf *out, uint32_t end, const char *outside)
{
    if (end == NETWORK_OUTSIDE)
        text_puts(out, outside);
    else
        text_printf(out, "n%u", end);
}

/* Input of dot for one level; NULL: none. */
static const char *network_dot_of(const network_level *level, roof_arena *arena)
{
    const bool *joined = find_joined(level, arena);
    uint32_t alone = ROOF_NONE;
    textbuf out;
    if (!joined)
        return NULL;
    text_init(&out, TEXT_MAX_BYTES);
    text_printf(&out,
                "digraph{nodesep=0.22;ranksep=0.36;node[shape=box,fixedsize=true,label=\"\",width=%.4f,"
                "height=%.4f];edge[arrowhead=none];i,o[width=0.02,height=0.02];",
                NETWORK_BOX_WIDTH_PX / PX_PER_INCH, NETWORK_BOX_HEIGHT_PX / PX_PER_INCH);
    for (uint32_t i = 0; i < level->n_children; i++) {
        text_printf(&out, "n%u;", i);
        if (joined[i])
            continue;
        if (alone != ROOF_NONE) /* below each other, not side by side */
            text_printf(&out, "n%u->n%u[style=invis];", alone, i);
        alone = i;
    }
    for (uint32_t i = 0; i < level->n_edges; i++) {
        put_end(&out, level->edges[i].from, "i");
        text_puts(&out, "->");
        put_end(&out, level->edges[i].to, "o");
        text_puts(&out, ";");
    }
    text_puts(&out, "}\n");
    return say_text(arena, &out);
}

/* --- what it answers ------------------------------------------------------------------------------------ */

static text_span next_word(text_span *rest)
{
    static const char blanks[] = " \t\r\n";
    while (rest->length && strchr(blanks, *rest->text))
        *rest = (text_span){rest->text + 1, rest->length - 1};
    text_span word = {rest->text, 0};
    while (word.length < rest->length && !memchr(blanks, word.text[word.length], sizeof blanks))
        word.length++;
    *rest = (text_span){rest->text + word.length, rest->length - word.length};
    return word;
}

/* Inches; none is as large as a picture of ours can be. */
static bool next_px(text_span *rest, double *px)
{
    const double most_inches = 1e5;
    const text_span word = next_word(rest);
    double inches;
    if (!word.length || number_parse(word.text, word.length, &inches) != word.length ||
        !(fabs(inches) < most_inches))
        return false;
    *px = inches * PX_PER_INCH;
    return true;
}

/* "n12" is 12, "i" and "o" are outside; false: no child of the level. */
static bool read_end(text_span word, const network_level *level, uint32_t *end)
{
    text_span rest = {word.text + 1, word.length - (word.length > 0)};
    uint64_t number;
    *end = NETWORK_OUTSIDE;
    if (span_is(word, "i") || span_is(word, "o"))
        return true;
    if (!word.length || *word.text != 'n' || !span_take_whole(&rest, &number) || rest.length ||
        number >= level->n_children)
        return false;
    *end = (uint32_t)number;
    return true;
}

/* dot counts upwards. */
static bool next_point(text_span *rest, double height_px, network_point *out)
{
    double x_px, y_px;
    if (!next_px(rest, &x_px) || !next_px(rest, &y_px))
        return false;
    *out = (network_point){(int32_t)lround(x_px), (int32_t)lround(height_px - y_px)};
    return true;
}

static bool read_node(text_span *rest, const network_level *level, double height_px, network_places *out,
                      bool *seen)
{
    network_point at;
    uint32_t box;
    if (!read_end(next_word(rest), level, &box) || !next_point(rest, height_px, &at))
        return false;
    if (box == NETWORK_OUTSIDE)
        return true;
    if (seen[box])
        return false;
    seen[box] = true;
    out->boxes[box] = at;
    return true;
}

/* An edge that was not requested is one of those that keep boxes below each other. */
static bool read_edge(text_span *rest, const network_level *level, double height_px, roof_arena *arena,
                      network_places *out)
{
    enum { MOST_POINTS = 3001 };
    uint32_t from, to;
    uint64_t n;
    if (!read_end(next_word(rest), level, &from) || !read_end(next_word(rest), level, &to))
        return false;
    text_span count = next_word(rest);
    if (!span_take_whole(&count, &n) || count.length || n < 4 || n > MOST_POINTS || n % 3 != 1)
        return false;
    network_point *points = NEW_ARRAY(arena, network_point, n);
    for (uint64_t i = 0; i < n; i++)
        if (!points || !next_point(rest, height_px, &points[i]))
            return false;
    /* It bends no farther down than where it ends, so that it stays out of a box that is opened there. */
    const int32_t begin_px = points[0].y_px, end_px = points[n - 1].y_px;
    for (uint64_t i = 0; i < n && begin_px <= end_px; i++) {
        points[i].y_px = points[i].y_px < begin_px ? begin_px : points[i].y_px;
        points[i].y_px = points[i].y_px > end_px ? end_px : points[i].y_px;
    }
    const uint64_t ends = (uint64_t)from << 32 | to;
    const uint32_t edge =
        lower_bound_search(level->edges, level->n_edges, sizeof *level->edges, ends, network_ends_of);
    if (edge == level->n_edges || network_ends_of(&level->edges[edge]) != ends)
        return true;
    if (out->curves[edge].points)
        return false;
    out->curves[edge] = (network_curve){points, (uint32_t)n};
    return true;
}

static bool begin_places(const network_level *level, roof_arena *arena, network_places *out)
{
    *out = (network_places){.boxes = NEW_ARRAY(arena, network_point, level->n_children),
                            .curves = NEW_ARRAY(arena, network_curve, level->n_edges),
                            .n_boxes = level->n_children,
                            .n_curves = level->n_edges};
    return out->boxes && out->curves;
}

bool network_read_plain(const char *text, size_t length, const network_level *level, roof_arena *arena,
                        network_places *out, size_t *used)
{
    text_span rest = {text, length};
    double scale_px, width_px, height_px;
    bool *seen = NEW_ARRAY(arena, bool, level->n_children);
    if (!seen || !begin_places(level, arena, out) || !span_is(next_word(&rest), "graph") ||
        !next_px(&rest, &scale_px) || !next_px(&rest, &width_px) || !next_px(&rest, &height_px))
        return false;
    out->width_px = (int32_t)lround(width_px);
    out->height_px = (int32_t)lround(height_px);
    for (;;) {
        const text_span word = next_word(&rest);
        if (span_is(word, "stop"))
            break;
        if (!(span_is(word, "node")   ? read_node(&rest, level, height_px, out, seen)
              : span_is(word, "edge") ? read_edge(&rest, level, height_px, arena, out)
                                      : false))
            return false;
        (void)span_take_until(&rest, "\n");
    }
    *used = (size_t)(rest.text - text);
    bool is_whole = true;
    for (uint32_t i = 0; i < out->n_boxes; i++)
        is_whole = is_whole && seen[i];
    for (uint32_t i = 0; i < out->n_curves; i++)
        is_whole = is_whole && out->curves[i].points;
    return is_whole;
}

/* --- without dot ---------------------------------------------------------------------------------------- */

void network_place_plainly(const network_level *level, roof_arena *arena, network_places *out)
{
    enum { STEP_X_PX = NETWORK_BOX_WIDTH_PX + 16, STEP_Y_PX = NETWORK_BOX_HEIGHT_PX + 26, EDGE_PX = 14 };
    uint32_t *rank = NEW_ARRAY(arena, uint32_t, level->n_children);
    uint32_t *used = NEW_ARRAY(arena, uint32_t, (size_t)level->n_children + 1);
    uint32_t n_ranks = 1, widest = 1, alone = 0;
    const bool *joined = find_joined(level, arena);
    if (!begin_places(level, arena, out) || !rank || !used || !joined)
        return;
    for (uint32_t i = 0; i < level->n_edges; i++) { /* by from, so those of a child come behind those to it */
        const network_level_edge *e = &level->edges[i];
        if (e->from != NETWORK_OUTSIDE && e->to != NETWORK_OUTSIDE && e->to > e->from &&
            rank[e->to] <= rank[e->from])
            rank[e->to] = rank[e->from] + 1;
    }
    for (uint32_t i = 0; i < level->n_children; i++) {
        rank[i] = joined[i] ? rank[i] : alone++;
        const uint32_t column = used[rank[i]]++;
        out->boxes[i] = (network_point){(int32_t)column * STEP_X_PX + STEP_X_PX / 2,
                                        (int32_t)rank[i] * STEP_Y_PX + STEP_Y_PX / 2};
        n_ranks = rank[i] >= n_ranks ? rank[i] + 1 : n_ranks;
        widest = column >= widest ? column + 1 : widest;
    }
    out->width_px = (int32_t)widest * STEP_X_PX;
    out->height_px = (int32_t)n_ranks * STEP_Y_PX;
    for (uint32_t i = 0; i < level->n_children; i++) /* ranks in the middle */
        out->boxes[i].x_px += (int32_t)(widest - used[rank[i]]) * STEP_X_PX / 2;
    for (uint32_t i = 0; i < level->n_edges; i++) {
        const network_level_edge *e = &level->edges[i];
        network_point from = {out->width_px / 2, -EDGE_PX / 2}, to = {out->width_px / 2, out->height_px};
        if (e->from != NETWORK_OUTSIDE) {
            from = out->boxes[e->from];
            from.y_px += NETWORK_BOX_HEIGHT_PX / 2;
        }
        if (e->to != NETWORK_OUTSIDE) {
            to = out->boxes[e->to];
            to.y_px -= NETWORK_BOX_HEIGHT_PX / 2;
        }
        const int32_t middle_px = from.y_px + (to.y_px - from.y_px) / 2;
        const network_point points[] = {from, {from.x_px, middle_px}, {to.x_px, middle_px}, to};
        network_point *p = arena_copy(arena, points, N_OF(points), sizeof *p);
        out->curves[i] = (network_curve){p, p ? N_OF(points) : 0};
    }
}

/* --- running -------------------------------------------------------------------------------------------- */

/* why: it failed, as a part of a sentence; NULL: it did not. */
static roof_status run_dot(int graphs, int answer, roof_arena *arena, const char **why, roof_error *err)
{
    static char program[] = "dot", form[] = "-Tplain";
    char path[OS_FILE_NAME_SIZE];
    child c;
    os_name_file(graphs, path);
    char *const arguments[] = {program, form, path, NULL};
    const int code =
        child_start(&(child_options){.most_ms = NETWORK_MOST_MS, .output = answer}, arguments, &c);
    if (code == ENOMEM)
        return error_memory(err);
    if (code) {
        *why = code == ENOENT ? "Graphviz's dot is not installed here"
                              : say_printf(arena, "Graphviz's dot cannot be started (%s)", strerror(code));
        return ROOF_OK;
    }
    child_end(&c);
    *why = c.timed_out ? "Graphviz's dot took too long" : c.failed ? "Graphviz's dot failed" : NULL;
    return ROOF_OK;
}

/* levels: one for each of the places, in the order in which they were requested. */
static bool read_answer(int answer, const network_level *const *levels, roof_arena *arena,
                        network_layout *out)
{
    os_entry about;
    size_t at = 0, used = 0;
    if (!os_look_into(answer, &about) || !about.size_bytes)
        return false;
    const char *text = os_map(&answer, about.size_bytes);
    if (!text)
        return false;
    bool good = true;
    for (uint32_t i = 0; i < out->n_places && good; i++, at += used)
        good = levels[i]->n_children > NETWORK_MOST_CHILDREN
                   ? (used = 0, true)
                   : network_read_plain(text + at, (size_t)about.size_bytes - at, levels[i], arena,
                                        &out->places[i], &used);
    os_unmap(text, about.size_bytes);
    return good;
}

static roof_status ask_dot(const textbuf *graphs, const network_level *const *levels, roof_arena *arena,
                           network_layout *out, roof_error *err)
{
    int in = os_memory_file(graphs->bytes, graphs->length), answer = os_memory_file("", 0);
    roof_status status = ROOF_OK;
    if (in < 0 || answer < 0)
        out->why_plain = "Graphviz's dot cannot be asked";
    else
        status = run_dot(in, answer, arena, &out->why_plain, err);
    if (status == ROOF_OK && !out->why_plain && !read_answer(answer, levels, arena, out))
        out->why_plain = "what Graphviz's dot wrote is no layout of it";
    os_close(&in);
    os_close(&answer);
    return status;
}

roof_status network_layout_make(const network_levels *levels, roof_arena *arena, network_layout *out,
                                roof_error *err)
{
    const network_level **distinct = NEW_ARRAY(arena, const network_level *, levels->n);
    namemap *known = namemap_new(arena, levels->n);
    textbuf graphs;
    *out = (network_layout){.of_level = NEW_ARRAY(arena, uint32_t, levels->n),
                            .places = NEW_ARRAY(arena, network_places, levels->n)};
    TRY(ALLOCATED(out->of_level && out->places && distinct && known, err));
    text_init(&graphs, TEXT_MAX_BYTES);
    for (uint32_t i = 0; i < levels->n; i++) {
        const char *requested = text_or_empty(network_dot_of(&levels->items[i], arena));
        out->of_level[i] = namemap_find(known, requested, strlen(requested));
        if (out->of_level[i] != ROOF_NONE)
            continue;
        namemap_add(known, requested, strlen(requested), out->n_places);
        distinct[out->n_places] = &levels->items[i];
        out->of_level[i] = out->n_places++;
        if (levels->items[i].n_children <= NETWORK_MOST_CHILDREN)
            text_puts(&graphs, requested);
    }
    roof_status status = arena_status(arena, err);
    THEN(status, text_status(&graphs, err));
    THEN(status, ask_dot(&graphs, distinct, arena, out, err));
    text_free(&graphs);
    for (uint32_t i = 0; i < out->n_places && status == ROOF_OK; i++)
        if (out->why_plain || distinct[i]->n_children > NETWORK_MOST_CHILDREN)
            network_place_plainly(distinct[i], arena, &out->places[i]);
    return status == ROOF_OK ? arena_status(arena, err) : status;
}
