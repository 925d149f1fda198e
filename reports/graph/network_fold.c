#include "reports/graph/network_drawing.h"

/* A list of children in the making. */
typedef struct children {
    network_child *items;
    uint32_t n;
} children;

typedef struct folding {
    const network_view *view;
    roof_arena *arena;
    network_fold *out;
    namemap *kinds; /* numbers of what is alike, by a text that says what it is */
    uint32_t n_kinds;
} folding;

/* --- what is alike ------------------------------------------------------------------------------------- */

static uint32_t kind_of(folding *f, const char *text)
{
    if (!text)
        return 0;
    const uint32_t known = namemap_find(f->kinds, text, strlen(text));
    if (known != ROOF_NONE)
        return known;
    namemap_add(f->kinds, text, strlen(text), f->n_kinds);
    return f->n_kinds++;
}

static uint32_t kind_of_row(folding *f, const network_row *row)
{
    const roof_layer_prediction *l = row->layer;
    const roof_op *first = row->n_ops ? f->view->ops[row->first_op].op : NULL;
    const roof_window *w = first ? &first->window : NULL;
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text, "%s %d%s", row->type, l ? (int)l->executor : -1, row->is_there ? "" : " gone");
    for (uint32_t i = row->first_op; i < row->first_op + row->n_ops && !(w && w->kernel_h); i++)
        w = f->view->ops[i].op ? &f->view->ops[i].op->window : NULL;
    if (w)
        text_printf(&text, " k%ux%u s%ux%u", w->kernel_h, w->kernel_w, w->stride_h, w->stride_w);
    for (uint32_t i = 0; l && i < l->n_ops; i++)
        text_printf(&text, " %s", l->ops[i]);
    return kind_of(f, say_text(f->arena, &text));
}

/* --- blocks -------------------------------------------------------------------------------------------- */

/* Numbers are those of the rows, as tables have them. */
static const char *title_of_rows(const folding *f, const network_child *first, const network_child *last)
{
    return say_printf(f->arena, "rows %u to %u", first->first_row + 1, last->first_row + last->n_rows);
}

/* The innermost list comes first, so that blocks are numbered behind those in them; the whole is moved to the
 * front at the end. */
static network_child make_block(folding *f, network_block_kind kind, const char *title,
                                const network_child *items, uint32_t n)
{
    network_fold *out = f->out;
    network_block *blocks = arena_grow(f->arena, out->blocks, out->n_blocks, sizeof *blocks);
    network_child *own = NEW_ARRAY(f->arena, network_child, n);
    const network_child *last = &items[n - 1];
    textbuf kinds;
    text_init(&kinds, TEXT_MAX_BYTES);
    for (uint32_t i = 0; i < n; i++)
        text_printf(&kinds, "(%u", items[i].alike);
    const network_child made = {.block = out->n_blocks,
                                .first_row = items->first_row,
                                .n_rows = last->first_row + last->n_rows - items->first_row,
                                .alike = kind_of(f, say_text(f->arena, &kinds))};
    if (!blocks || !own)
        return *items;
    memcpy(own, items, n * sizeof *items);
    out->blocks = blocks;
    blocks[out->n_blocks++] = (network_block){.kind = kind,
                                              .title = title,
                                              .parent = ROOF_NONE,
                                              .first_row = made.first_row,
                                              .n_rows = made.n_rows,
                                              .children = own,
                                              .n_children = n};
    return made;
}

/* Lists of more than a box may have become runs, and runs of runs. */
static children cut_runs(folding *f, children list)
{
    while (list.n > NETWORK_MOST_CHILDREN && list.items) {
        children runs = {.items = NEW_ARRAY(f->arena, network_child, list.n / NETWORK_RUN + 1)};
        for (uint32_t i = 0; i < list.n && runs.items; i += NETWORK_RUN) {
            const uint32_t n = list.n - i < NETWORK_RUN ? list.n - i : NETWORK_RUN;
            const char *title = title_of_rows(f, &list.items[i], &list.items[i + n - 1]);
            runs.items[runs.n++] = make_block(f, NETWORK_RUN_OF_ROWS, title, &list.items[i], n);
        }
        list = runs;
    }
    return list;
}

static network_child box(folding *f, network_block_kind kind, const char *title, children list)
{
    list = cut_runs(f, list);
    if (!list.n) /* without memory */
        return (network_child){.block = ROOF_NONE};
    return list.n == 1 ? *list.items : make_block(f, kind, title, list.items, list.n);
}

/* --- titles -------------------------------------------------------------------------------------------- */

static bool ends_word(char c)
{
    return !c || strchr("/_.:", c);
}

/* Title by the common beginning of all names, else by the rows. */
static const char *title_by_names(const folding *f, const network_child *first, const network_child *last)
{
    const char *name = f->view->rows[first->first_row].name;
    size_t shared = strlen(name);
    for (uint32_t r = first->first_row + 1; r < last->first_row + last->n_rows; r++) {
        const char *other = f->view->rows[r].name;
        const size_t most = shared; /* what is the same, up to where a word of both ends */
        shared = 0;
        for (size_t i = 0; i < most && name[i] && name[i] == other[i]; i++)
            if (ends_word(name[i + 1]) && ends_word(other[i + 1]))
                shared = i + 1;
    }
    while (shared && ends_word(name[shared - 1]))
        shared--;
    /* "epoch" of "epoch_1", which the whole network begins with, names no part of it. */
    const network_row *rows = f->view->rows;
    const bool is_of_all = strncmp(rows[0].name, name, shared) == 0 &&
                           strncmp(rows[f->view->n_rows - 1].name, name, shared) == 0;
    const char *begins = shared > 1 && !is_of_all ? arena_strndup(f->arena, name, shared) : NULL;
    return begins ? begins + strspn(begins, "/") : title_of_rows(f, first, last);
}

/* --- branches and modules ------------------------------------------------------------------------------ */

/* Behind which rows one tensor, or none, is all that goes on. */
static bool *find_cuts(const folding *f)
{
    const network_view *v = f->view;
    uint32_t *last = NEW_ARRAY(f->arena, uint32_t, v->n_rows);
    int64_t *steps = NEW_ARRAY(f->arena, int64_t, (size_t)v->n_rows + 1);
    bool *cuts = NEW_ARRAY(f->arena, bool, v->n_rows);
    if (!last || !steps || !cuts)
        return NULL;
    for (uint32_t i = 0; i < v->n_edges; i++)
        if (v->edges[i].to > v->edges[i].from && v->edges[i].to > last[v->edges[i].from])
            last[v->edges[i].from] = v->edges[i].to;
    for (uint32_t r = 0; r < v->n_rows; r++)
        if (last[r] > r) {
            steps[r]++;
            steps[last[r]]--;
        }
    int64_t crossing = 0;
    for (uint32_t r = 0; r < v->n_rows; r++) {
        crossing += steps[r];
        cuts[r] = crossing <= 1;
    }
    return cuts;
}

/* How long the module is that a row begins, as far as it is of interest. */
static uint32_t module_rows(const folding *f, uint32_t row, uint32_t end)
{
    const char *name = f->view->rows[row].name, *slash = strchr(name + (*name == '/'), '/');
    const size_t length = slash ? (size_t)(slash - name) + 1 : 0;
    uint32_t n = 1;
    while (length && n < NETWORK_MOST_BRANCH && row + n < end &&
           strncmp(f->view->rows[row + n].name, name, length) == 0)
        n++;
    return n;
}

/* rows: the children that are rows, by their number. */
static children group_branches(folding *f, const network_child *rows)
{
    const uint32_t n = f->view->n_rows;
    const bool *cuts = find_cuts(f);
    children out = {.items = NEW_ARRAY(f->arena, network_child, n)};
    for (uint32_t r = 0, end, cut = 0; r < n && cuts && out.items; r = end) {
        for (cut = cut > r ? cut : r + 1; cut < n && !cuts[cut - 1];) /* of many rows it is found once */
            cut++;
        const bool is_long = cut - r > NETWORK_MOST_BRANCH || (cut - r) * 2 > n;
        end = is_long ? r + module_rows(f, r, cut) : cut; /* the first module of it; the rest comes next */
        const children list = {(network_child *)(uintptr_t)&rows[r], end - r};
        out.items[out.n++] = box(f, is_long ? NETWORK_MODULE : NETWORK_BRANCH,
                                 title_by_names(f, &rows[r], &rows[end - 1]), list);
    }
    return out;
}

/* --- repeats ------------------------------------------------------------------------------------------- */

/* A repeat that begins at a child: so many children, times over. */
typedef struct repeat {
    uint32_t period, times;
} repeat;

static uint32_t covered(const repeat *r)
{
    return r->period * r->times;
}

/* One child has to come three times, several of them twice; of equal lengths the shorter period is taken. */
static repeat *find_repeats(folding *f, children list)
{
    repeat *found = NEW_ARRAY(f->arena, repeat, list.n);
    for (uint32_t period = 1; found && period <= NETWORK_MOST_PERIOD && period * 2 <= list.n; period++) {
        uint32_t same = 0; /* children from this on that are alike to those a period later */
        for (uint32_t i = list.n - period; i-- > 0;) {
            same = list.items[i].alike == list.items[i + period].alike ? same + 1 : 0;
            const repeat now = {period, same / period + 1};
            if (now.times >= (period == 1 ? 3 : 2) && covered(&now) > covered(&found[i]))
                found[i] = now;
        }
    }
    return found;
}

static children fold_repeats(folding *f, children list);

/* Within each time there may be repeats again, which are shorter. */
static network_child box_repeat(folding *f, const network_child *items, const repeat *r)
{
    enum { MOST_TYPES = 3 };
    children times = {.items = NEW_ARRAY(f->arena, network_child, r->times)};
    const network_child *last = &items[r->period - 1];
    const uint32_t n_rows = last->first_row + last->n_rows - items->first_row;
    const char *types = ""; /* "conv, conv+eltwise"; none where that would be long */
    for (uint32_t i = 0; i < n_rows && n_rows <= MOST_TYPES; i++)
        types = say_more(f->arena, types, "%s", f->view->rows[items->first_row + i].type);
    for (uint32_t i = 0; i < r->times && times.items; i++) {
        const network_child *first = &items[(size_t)i * r->period];
        times.items[times.n++] =
            box(f, NETWORK_TIME, title_by_names(f, first, first + r->period - 1),
                fold_repeats(f, (children){(network_child *)(uintptr_t)first, r->period}));
    }
    const char *what = *types ? types : say_printf(f->arena, "a block of %u rows", n_rows);
    return times.n ? box(f, NETWORK_REPEAT, say_printf(f->arena, "%u x %s", r->times, what), times) : *items;
}

static children fold_repeats(folding *f, children list)
{
    enum { MOST_PASSES = 4 }; /* a repeat of repeats */
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        const repeat *found = find_repeats(f, list);
        children out = {.items = NEW_ARRAY(f->arena, network_child, list.n)};
        for (uint32_t i = 0; i < list.n && found && out.items;) {
            bool folds = found[i].times > 1 && covered(&found[i]) < list.n;
            /* another one that begins within the first time of it, and covers more, is waited for */
            for (uint32_t k = i + 1; folds && k < list.n && k < i + found[i].period; k++)
                folds = covered(&found[k]) <= covered(&found[i]);
            out.items[out.n++] = folds ? box_repeat(f, &list.items[i], &found[i]) : list.items[i];
            i += folds ? covered(&found[i]) : 1;
        }
        if (!out.items || out.n == list.n)
            break;
        list = out;
    }
    return list;
}

/* --- stages -------------------------------------------------------------------------------------------- */

/* The last of its rows that makes a picture tells; 0: none does. */
static uint64_t picture_of(const folding *f, const network_child *child)
{
    for (uint32_t r = child->first_row + child->n_rows; r-- > child->first_row;)
        if (f->view->rows[r].out_height)
            return (uint64_t)f->view->rows[r].out_height << 32 | f->view->rows[r].out_width;
    return 0;
}

/* Stages: a child without a picture belongs to the stage before it, one with a picture of 1x1 to none. */
static children group_stages(folding *f, children list)
{
    const uint64_t single = (uint64_t)1 << 32 | 1;
    children out = {.items = NEW_ARRAY(f->arena, network_child, list.n)};
    for (uint32_t i = 0, end; i < list.n && out.items; i = end) {
        const uint64_t picture = picture_of(f, &list.items[i]);
        for (end = i + 1; end < list.n && picture && picture != single; end++) {
            const uint64_t next = picture_of(f, &list.items[end]);
            if (next && next != picture)
                break;
        }
        const children stage = fold_repeats(f, (children){&list.items[i], end - i});
        if (end - i < list.n)
            out.items[out.n++] =
                box(f, NETWORK_STAGE,
                    say_printf(f->arena, "stage %ux%u", (uint32_t)(picture >> 32), (uint32_t)picture), stage);
        else
            return stage; /* it would be all */
    }
    return out;
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* The whole was made last, and becomes the first; then each knows what it is in. */
static void arrange(folding *f, network_child whole)
{
    network_fold *out = f->out;
    const uint32_t n = out->n_blocks;
    network_block *blocks = NEW_ARRAY(f->arena, network_block, n);
    out->block_of = NEW_ARRAY(f->arena, uint32_t, f->view->n_rows);
    if (!blocks || !out->block_of || whole.block != n - 1) {
        out->n_blocks = 0;
        return;
    }
    for (uint32_t b = 0; b < n; b++)
        blocks[n - 1 - b] = out->blocks[b];
    out->blocks = blocks;
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = 0; i < blocks[b].n_children; i++) {
            network_child *child = (network_child *)(uintptr_t)&blocks[b].children[i];
            if (child->block == ROOF_NONE) {
                out->block_of[child->first_row] = b;
                continue;
            }
            child->block = n - 1 - child->block;
            blocks[child->block].parent = b;
            blocks[child->block].depth = blocks[b].depth + 1;
        }
}

void network_fold_make(const network_view *view, roof_arena *arena, network_fold *out)
{
    folding f = {.view = view, .arena = arena, .out = out};
    const uint32_t n = view->n_rows;
    children list = {.items = NEW_ARRAY(arena, network_child, n), .n = n};
    *out = (network_fold){0};
    f.kinds = namemap_new(arena, 8 * (size_t)n + 64); /* fewer blocks than that can be */
    if (!list.items || !f.kinds || !n)
        return;
    for (uint32_t r = 0; r < n; r++)
        list.items[r] = (network_child){ROOF_NONE, r, 1, kind_of_row(&f, &view->rows[r])};
    if (n > NETWORK_FEW_ROWS) {
        list = group_branches(&f, list.items);
        list = group_stages(&f, list);
        list = fold_repeats(&f, list);
    }
    list = cut_runs(&f, list);
    if (arena_status(arena, NULL) != ROOF_OK)
        return;
    const network_child whole = make_block(&f, NETWORK_WHOLE, "the network", list.items, list.n);
    if (arena_status(arena, NULL) == ROOF_OK)
        arrange(&f, whole);
}

static uint64_t first_row_of(const void *child)
{
    return ((const network_child *)child)->first_row;
}

uint32_t network_child_of(const network_block *block, uint32_t row)
{
    return lower_bound_search(block->children, block->n_children, sizeof *block->children, row + 1ULL,
                              first_row_of) -
           1;
}
