#include "measure/reconcile/steps.h"
#include "measure/epochs/epochs_make.h"
#include "measure/reconcile/match_names.h"
#include "model/work/op_program.h"
#include "model/work/opmap.h"

/* Comparisons that a search among leftovers may take, and cells of an alignment. */
enum { MOST_COMPARISONS = 4 << 20, MOST_CELLS = 1 << 20 };

typedef struct matcher {
    const roof_run *run;
    const roof_prediction *prediction;
    roof_arena *arena; /* for the length of the search */
    row_matching *m;
    namechain bare, plain; /* layers by match_name_bare, by match_name_plain */
    namemap *operators;    /* bare names of those that layers stand for, into layers; NULL: none is known */
    epoch_index *epochs;
    bool *used;             /* layers that have a row */
    uint32_t *row_of_layer; /* the last row that was paired with a layer */
    uint32_t *left;         /* layers without a row, when the ends of names are compared */
    uint32_t n_left;
    double total_s; /* of all rows */
    bool failed;    /* no memory for an alignment */
} matcher;

/* --- pairs -------------------------------------------------------------------------------------------- */

static const roof_measured_layer *row_of(const matcher *x, uint32_t row)
{
    return &x->run->layers[row];
}

static void pair(matcher *x, uint32_t row, uint32_t layer, roof_match_method how)
{
    x->m->layer_of_row[row] = layer;
    x->m->how[row] = (unsigned char)how;
    x->row_of_layer[layer] = row;
    x->used[layer] = true;
}

/* Another layer of the match that begins with *first, if there is one already. */
static void join(matcher *x, uint32_t layer, uint32_t *first)
{
    *first = *first == ROOF_NONE ? layer : *first;
    x->m->first_joined[layer] = *first;
    x->used[layer] = true;
}

static bool is_open(const matcher *x, uint32_t row)
{
    return x->m->layer_of_row[row] == ROOF_NONE && !x->m->repeated[row];
}

static roof_status index_layers(matcher *x)
{
    const roof_prediction *p = x->prediction;
    TRY(namechain_new(x->arena, p->n_layers, &x->bare, NULL));
    TRY(namechain_new(x->arena, p->n_layers, &x->plain, NULL));
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const text_span bare = match_name_bare(p->layers[i].name),
                        plain = match_name_plain(p->layers[i].name, x->arena);
        if (!p->layers[i].is_remainder && bare.length)
            namechain_add(&x->bare, bare, i);
        if (!p->layers[i].is_remainder && plain.length)
            namechain_add(&x->plain, plain, i);
    }
    return ROOF_OK;
}

/* Operators that several layers stand for are the first one's. */
static bool index_operators(matcher *x)
{
    const roof_prediction *p = x->prediction;
    size_t n = 0;
    for (uint32_t i = 0; i < p->n_layers; i++)
        n += p->layers[i].n_operators;
    x->operators = n ? namemap_new(x->arena, n) : NULL;
    for (uint32_t i = 0; i < p->n_layers && x->operators; i++)
        for (uint32_t k = 0; k < p->layers[i].n_operators; k++) {
            text_span key = match_name_bare(p->layers[i].operators[k]);
            if (key.length)
                namemap_add(x->operators, key.text, key.length, i);
        }
    return !n || x->operators;
}

/* --- ways by name: the layer of a row, or ROOF_NONE ----------------------------------------------------- */

/* A whole subgraph often has the name of its first layer; its time is that of all others together. */
static bool is_whole(const matcher *x, uint32_t row)
{
    double mean = row_of(x, row)->time.mean_s * row_executions(row_of(x, row));
    return x->m->n_rows > 2 && mean >= 0.45 * x->total_s;
}

static uint32_t by_name(matcher *x, uint32_t row)
{
    text_span key = match_name_bare(row_of(x, row)->name);
    uint32_t layer = namechain_open(&x->bare, key, x->used), any = namechain_first(&x->bare, key);
    if (layer != ROOF_NONE || any == ROOF_NONE)
        return layer;
    /* all layers of this name have rows: one of the rows is the parent, or the row is there twice */
    uint32_t other = x->row_of_layer[any];
    bool is_parent = !is_whole(x, row) && is_whole(x, other);
    x->m->repeated[is_parent ? other : row] = true;
    if (is_parent) {
        x->m->layer_of_row[other] = ROOF_NONE;
        x->m->how[other] = ROOF_MATCH_NONE;
        pair(x, row, any, ROOF_MATCH_NAME);
    }
    return ROOF_NONE;
}

static uint32_t by_plain_name(matcher *x, uint32_t row)
{
    return namechain_open(&x->plain, match_name_plain(row_of(x, row)->name, x->arena), x->used);
}

/* A name may be a megabyte of separators, and each beginning would be hashed. */
enum { LONGEST_BEGINNING = 1024 };

/* ONNX Runtime counts what it names anew: a node NAME becomes "NAME_token_13" (Graph::GenerateNodeName), and
 * its QNN provider ends names in "_2". Where the model has "NAME_1" as well, numbers are the model's own. */
static uint32_t operator_of_counted(matcher *x, text_span name)
{
    static const char token[] = "_token";
    const size_t length = strlen(token);
    uint32_t found = ROOF_NONE;
    for (int i = 0; i < 2 && found == ROOF_NONE; i++) { /* a number, and another one behind "_token" */
        size_t n = name.length;
        while (n && name.text[n - 1] >= '0' && name.text[n - 1] <= '9')
            n--;
        if (n < 2 || n == name.length || name.text[n - 1] != '_')
            return ROOF_NONE;
        name.length = n - 1;
        if (name.length > length && memcmp(name.text + name.length - length, token, length) == 0)
            name.length -= length;
        else if (i)
            return ROOF_NONE;
        found = namemap_find(x->operators, name.text, name.length);
    }
    if (found == ROOF_NONE || name.length > LONGEST_BEGINNING)
        return ROOF_NONE;
    const char *second = arena_printf(x->arena, "%.*s_1", (int)name.length, name.text);
    return second && namemap_find(x->operators, second, name.length + 2) == ROOF_NONE ? found : ROOF_NONE;
}

/* True for "...rest", which becomes the rest of the name. */
static bool was_cut(text_span *name)
{
    return name->length > 3 && span_skip(name, "...");
}

/* True if the shorter name is the end of the longer one, from a separator on or cut ("..."). */
static bool is_tail(text_span a, text_span b)
{
    bool a_cut = was_cut(&a), b_cut = was_cut(&b);
    bool a_is_short = a.length <= b.length;
    text_span short_one = a_is_short ? a : b, long_one = a_is_short ? b : a;
    const char *at = long_one.text + long_one.length - short_one.length;
    return short_one.length && memcmp(at, short_one.text, short_one.length) == 0 &&
           (at == long_one.text || memchr("/.:|", at[-1], 4) || (a_is_short ? a_cut : b_cut));
}

static bool joins(char c)
{
    return memchr("+,;|&", c, 5) != NULL;
}

/* The next part of a joined name, as in "conv1 + relu, pool"; false at the end. Advances *rest. */
static bool next_part(text_span *rest, text_span *part)
{
    while (rest->length && (joins(*rest->text) || *rest->text == ' '))
        *rest = (text_span){rest->text + 1, rest->length - 1};
    size_t n = 0;
    while (n < rest->length && !joins(rest->text[n]))
        n++;
    *part = (text_span){rest->text, n};
    *rest = (text_span){rest->text + n, rest->length - n};
    while (part->length && part->text[part->length - 1] == ' ')
        part->length--;
    return part->length > 0;
}

/* "Conv_0 + Relu_1", and "Relu_1" alone: the layers that stand for these operators. The first of a list has
 * to be one: "Copy for Conv_5 + Add_6" is none of its operators. */
static uint32_t by_operators(matcher *x, uint32_t row)
{
    text_span rest = match_name_bare(row_of(x, row)->name), part;
    uint32_t first = ROOF_NONE;
    if (!x->operators)
        return ROOF_NONE;
    const uint32_t named = namemap_find(x->operators, rest.text, rest.length),
                   whole = named == ROOF_NONE ? operator_of_counted(x, rest) : named;
    if (whole != ROOF_NONE)
        return x->m->first_joined[whole];
    while (next_part(&rest, &part)) {
        const uint32_t layer = namemap_find(x->operators, part.text, part.length);
        if (layer == ROOF_NONE && first == ROOF_NONE)
            return ROOF_NONE;
        if (layer == ROOF_NONE)
            continue;
        if (first == ROOF_NONE)
            first = x->m->first_joined[layer];
        else if (!x->used[layer] && x->m->first_joined[layer] == layer)
            x->m->first_joined[layer] = first;
        x->used[layer] = true;
    }
    return first;
}

/* A row of a whole program, "EpochBlock_1 -> 22", stands for all epochs of it that have no row. */
static uint32_t by_epochs(matcher *x, uint32_t row)
{
    uint32_t first = ROOF_NONE, layer;
    numbered_rows range;
    if (!graph_rows_named(row_of(x, row)->name, &range) || range.is_part)
        return ROOF_NONE;
    while (epoch_index_claim(x->epochs, &range, &layer))
        if (!x->used[layer])
            join(x, layer, &first);
    return first;
}

/* A part of an epoch, "EpochBlock_53 (3)", joins the row of that epoch or of its program, found before. */
static uint32_t by_part_of_epoch(matcher *x, uint32_t row)
{
    numbered_rows range;
    if (!graph_rows_named(row_of(x, row)->name, &range) || !range.is_part)
        return ROOF_NONE;
    uint32_t layer = epoch_index_first(x->epochs, &range);
    return layer == ROOF_NONE ? ROOF_NONE : x->m->first_joined[layer];
}

/* Layers without a row; none where a search would take too long: the order may still tell. */
static void collect_left(matcher *x)
{
    uint64_t open = 0;
    x->left = NEW_ARRAY(x->arena, uint32_t, x->m->n_layers);
    for (uint32_t i = 0; i < x->m->n_rows; i++)
        open += is_open(x, i);
    for (uint32_t i = 0; x->left && i < x->m->n_layers; i++)
        if (!x->used[i] && !x->prediction->layers[i].is_remainder)
            x->left[x->n_left++] = i;
    if (open * x->n_left > MOST_COMPARISONS)
        x->n_left = 0;
}

/* The only layer whose name ends as the row's does, or ROOF_NONE when there are none or several. */
static uint32_t by_tail(matcher *x, uint32_t row)
{
    text_span bare = match_name_bare(row_of(x, row)->name);
    uint32_t found = ROOF_NONE;
    for (uint32_t i = 0; i < x->n_left; i++) {
        uint32_t layer = x->left[i];
        if (x->used[layer] || !is_tail(bare, match_name_bare(x->prediction->layers[layer].name)))
            continue;
        if (found != ROOF_NONE)
            return ROOF_NONE;
        found = layer;
    }
    return found;
}

/* "conv1 + pool1" is both layers; parts without a layer, such as activations, were fused. Else the layer
 * whose name begins the row's, up to a separator: "conv1/relu" belongs to "conv1". */
static uint32_t by_parts(matcher *x, uint32_t row)
{
    text_span bare = match_name_bare(row_of(x, row)->name), rest = bare, part;
    uint32_t first = ROOF_NONE;
    uint32_t n_parts = 0;
    for (text_span left = bare; n_parts < 2 && next_part(&left, &part);)
        n_parts++;
    while (n_parts > 1 && next_part(&rest, &part)) {
        char *copy = arena_strndup(x->arena, part.text, part.length);
        uint32_t layer = copy ? namechain_open(&x->bare, match_name_bare(copy), x->used) : ROOF_NONE;
        if (copy && layer == ROOF_NONE)
            layer = namechain_open(&x->plain, match_name_plain(copy, x->arena), x->used);
        if (layer != ROOF_NONE)
            join(x, layer, &first);
    }
    if (first != ROOF_NONE)
        return first;
    for (size_t n = bare.length < LONGEST_BEGINNING ? bare.length : LONGEST_BEGINNING; n > 1; n--) {
        char c = bare.text[n - 1];
        uint32_t layer =
            strchr("/:. (_#", c) ? namechain_first(&x->bare, (text_span){bare.text, n - 1}) : ROOF_NONE;
        bool number = n < bare.length && bare.text[n] >= '0' && bare.text[n] <= '9' && c == '_';
        if (layer != ROOF_NONE && !number && layer_is_timed(&x->prediction->layers[layer]))
            return layer;
    }
    return ROOF_NONE;
}

/* The only layer whose name stands in the row's as words of it, where both run equally often, as programs of
 * a language model do: "decode_attention_cpu" is the layer "attention". */
static uint32_t by_words(matcher *x, uint32_t row)
{
    const double executions = row_executions(row_of(x, row));
    const text_span name = match_name_plain(row_of(x, row)->name, x->arena);
    uint32_t found = ROOF_NONE;
    for (uint32_t i = 0; i < x->n_left && executions > 1; i++) {
        const uint32_t layer = x->left[i];
        const text_span word = match_name_plain(x->prediction->layers[layer].name, x->arena);
        const char *at = word.length ? memmem(name.text, name.length, word.text, word.length) : NULL;
        if (!at || x->used[layer] || (at > name.text && at[-1] != '_') ||
            (at + word.length < name.text + name.length && at[word.length] != '_') ||
            fabs(layer_repeat(&x->prediction->layers[layer]) - executions) > 0.5)
            continue;
        if (found != ROOF_NONE)
            return ROOF_NONE;
        found = layer;
    }
    return found;
}

/* From the surest on: each looks at the rows that are still without a layer. */
static void match_by_name(matcher *x, bool exactly)
{
    static const struct {
        uint32_t (*find)(matcher *x, uint32_t row);
        roof_match_method how;
    } ways[] = {{by_name, ROOF_MATCH_NAME},
                {by_plain_name, ROOF_MATCH_NAME_LIKE},
                {by_operators, ROOF_MATCH_OPERATOR},
                {by_epochs, ROOF_MATCH_EPOCHS},
                {by_part_of_epoch, ROOF_MATCH_EPOCHS},
                {by_tail, ROOF_MATCH_TAIL},
                {by_parts, ROOF_MATCH_PARTS},
                {by_words, ROOF_MATCH_PARTS}};
    size_t n = exactly ? 1 : N_OF(ways);
    for (size_t k = 0; k < n; k++) {
        if (ways[k].find == by_tail)
            collect_left(x);
        for (uint32_t i = 0; i < x->m->n_rows; i++) {
            uint32_t row = x->m->row_order[i];
            uint32_t layer = is_open(x, row) && row_of(x, row)->name ? ways[k].find(x, row) : ROOF_NONE;
            if (layer != ROOF_NONE)
                pair(x, row, layer, ways[k].how);
        }
    }
}

/* --- by order ----------------------------------------------------------------------------------------- */

typedef enum agreement { DISAGREE, UNKNOWN, AGREE } agreement;

/* "CONV_2D" is the kind of a layer "conv+Relu": tools name the same operators in words of their own. A
 * product with constant weights may stand for a convolution. */
static agreement kinds_agree(const char *type, const roof_layer_prediction *l)
{
    const roof_rule rule = type ? rule_of(type) : ROOF_RULE_UNKNOWN;
    if (type && l->type && strcmp(type, l->type) == 0)
        return AGREE;
    if (rule == ROOF_RULE_UNKNOWN || !rule_computes(rule))
        return UNKNOWN;
    agreement found = DISAGREE;
    text_span words = span_of(text_or_empty(l->type));
    while (words.length && found != AGREE) {
        const roof_rule own = op_program_rule_of(span_take_until(&words, "+"));
        if (own == rule)
            found = AGREE;
        else if (own == ROOF_RULE_UNKNOWN || (own == ROOF_RULE_MATMUL && rule == ROOF_RULE_CONV2D) ||
                 (own == ROOF_RULE_CONV2D && rule == ROOF_RULE_MATMUL))
            found = UNKNOWN;
    }
    return found;
}

static agreement row_agrees(const matcher *x, uint32_t row, uint32_t layer)
{
    /* They agree in work when they differ by less: vaitrace rounds to two decimals of a GOP. */
    static const double rounding_ops = 5e6, tolerance_ratio = 0.01;
    const roof_measured_layer *r = row_of(x, row);
    const roof_layer_prediction *l = &x->prediction->layers[layer];
    uint64_t stated = r->counters ? r->counters->workload_ops : ROOF_UNKNOWN;
    if (stated == ROOF_UNKNOWN || l->workload_ops == ROOF_UNKNOWN)
        return kinds_agree(r->type, l);
    double wanted = (double)l->workload_ops, difference = fabs((double)stated - wanted);
    return difference <= rounding_ops || difference <= tolerance_ratio * wanted ? AGREE : DISAGREE;
}

static void pair_by_order(matcher *x, uint32_t row, uint32_t layer)
{
    agreement a = row_agrees(x, row, layer);
    if (a != DISAGREE)
        pair(x, row, layer, a == AGREE ? ROOF_MATCH_ORDER_AND_WORK : ROOF_MATCH_ORDER);
}

/* A range of rows and one of layers between two pairs that are sure. */
typedef struct gap {
    uint32_t rows[2], layers[2]; /* from, to: into row_order and into places */
} gap;

/* The longest common subsequence of what agrees in work or kind; bounded, since leftovers are few. */
static void align(matcher *x, const gap *g, const uint32_t *layers)
{
    size_t n = g->rows[1] - g->rows[0], m = g->layers[1] - g->layers[0];
    if (n == 0 || m == 0 || n > MOST_CELLS / (m + 1))
        return;
    uint32_t *length = calloc((n + 1) * (m + 1), sizeof *length);
    x->failed = x->failed || !length;
    if (!length)
        return;
#define LENGTH(i, j) length[(i) * (m + 1) + (j)]
#define AGREES(i, j) (row_agrees(x, x->m->row_order[g->rows[0] + (i)], layers[g->layers[0] + (j)]) == AGREE)
    for (size_t i = n; i-- > 0;)
        for (size_t j = m; j-- > 0;) {
            uint32_t skip = LENGTH(i + 1, j) > LENGTH(i, j + 1) ? LENGTH(i + 1, j) : LENGTH(i, j + 1);
            uint32_t take = AGREES(i, j) ? LENGTH(i + 1, j + 1) + 1 : 0;
            LENGTH(i, j) = take > skip ? take : skip;
        }
    for (size_t i = 0, j = 0; i < n && j < m;) {
        if (AGREES(i, j) && LENGTH(i, j) == LENGTH(i + 1, j + 1) + 1) {
            pair(x, x->m->row_order[g->rows[0] + i], layers[g->layers[0] + j], ROOF_MATCH_ORDER_AND_WORK);
            i++, j++;
        } else if (LENGTH(i + 1, j) >= LENGTH(i, j + 1)) {
            i++;
        } else {
            j++;
        }
    }
#undef AGREES
#undef LENGTH
    free(length);
}

static void match_gap(matcher *x, const gap *g, const uint32_t *layers)
{
    uint32_t n = g->rows[1] - g->rows[0];
    for (uint32_t i = g->rows[0]; i < g->rows[1]; i++)
        if (!is_open(x, x->m->row_order[i]))
            return;
    for (uint32_t i = g->layers[0]; i < g->layers[1]; i++)
        if (x->used[layers[i]])
            return;
    if (n != g->layers[1] - g->layers[0]) {
        align(x, g, layers);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        pair_by_order(x, x->m->row_order[g->rows[0] + i], layers[g->layers[0] + i]);
}

/* Goes from one sure pair to the next. Only a profile of all layers may be filled by order. */
static void match_gaps(matcher *x, const uint32_t *layers, uint32_t n, const uint32_t *place_of_layer)
{
    gap g = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i <= x->m->n_rows; i++) {
        uint32_t row = i < x->m->n_rows ? x->m->row_order[i] : 0;
        uint32_t layer = i < x->m->n_rows ? x->m->layer_of_row[row] : ROOF_NONE;
        uint32_t place = i == x->m->n_rows ? n : layer == ROOF_NONE ? ROOF_NONE : place_of_layer[layer];
        if (place == ROOF_NONE || place < g.layers[0])
            continue;
        g.rows[1] = i;
        g.layers[1] = place;
        match_gap(x, &g, layers);
        g.rows[0] = i + 1;
        g.layers[0] = place + 1;
    }
}

/* Accelerated layers have places in the order of execution, as an index of a profile counts them; of a plan
 * also the epochs that the CPU runs. */
static void match_order(matcher *x)
{
    bool planned = x->prediction->is_started_by_rows;
    uint32_t n = 0;
    uint32_t *layers = NEW_ARRAY(x->arena, uint32_t, x->m->n_layers);
    uint32_t *place_of_layer = NEW_ARRAY(x->arena, uint32_t, x->m->n_layers);
    if (!layers || !place_of_layer)
        return;
    for (uint32_t i = 0; i < x->m->n_layers; i++) {
        const roof_layer_prediction *l = &x->prediction->layers[i];
        bool counts = planned ? layer_is_timed(l) : layer_is_accelerated(l);
        place_of_layer[i] = counts ? n : ROOF_NONE;
        layers[n] = i;
        n += counts;
    }
    /* indices count places where there are as many, and known pairs agree */
    uint32_t agree = 0, differ = 0;
    for (uint32_t row = 0; row < x->m->n_rows; row++) {
        uint32_t layer = x->m->layer_of_row[row], index = row_of(x, row)->index;
        bool same = index >= 1 && index <= n && layers[index - 1] == layer;
        if (layer != ROOF_NONE && index != ROOF_NONE)
            ++*(same ? &agree : &differ);
    }
    bool has_places = (x->run->boundaries == n || x->m->n_rows == n) && 4 * differ <= agree;
    for (uint32_t row = 0; has_places && row < x->m->n_rows; row++) {
        uint32_t index = row_of(x, row)->index;
        if (is_open(x, row) && index >= 1 && index <= n && !x->used[layers[index - 1]])
            pair_by_order(x, row, layers[index - 1]);
    }
    bool partial = x->run->boundaries != ROOF_NONE && x->m->n_rows < x->run->boundaries;
    if (!partial && (uint64_t)2 * x->m->n_rows >= n) /* few rows of many layers are a selection, no order */
        match_gaps(x, layers, n, place_of_layer);
}

/* --- the user's word ---------------------------------------------------------------------------------- */

static void apply_line(matcher *x, map_line *line)
{
    text_span bare = match_name_bare(line->layer);
    uint32_t layer = namechain_open(&x->bare, bare, x->used);
    if (namechain_first(&x->bare, bare) != ROOF_NONE)
        line->found |= CSVMAP_LAYER;
    for (uint32_t row = 0; row < x->m->n_rows; row++) {
        const char *name = row_of(x, row)->name;
        if (!name || strcmp(name, line->row) != 0)
            continue;
        line->found |= CSVMAP_ROW;
        if (layer == ROOF_NONE || x->m->layer_of_row[row] != ROOF_NONE)
            continue;
        pair(x, row, layer, ROOF_MATCH_MAP);
        line->found |= CSVMAP_PAIR;
        return;
    }
}

/* --- all of it ---------------------------------------------------------------------------------------- */

/* Rows are ordered by index where all have one; as they stand otherwise. */
static roof_status make_matching(const roof_run *run, const roof_prediction *p, roof_arena *arena,
                                 row_matching *m, roof_error *err)
{
    bool all = true;
    *m = (row_matching){.n_rows = run->n_layers, .n_layers = p ? p->n_layers : 0};
    TRY(ARENA_GET3(arena, m->row_order, m->layer_of_row, m->how, m->n_rows, err));
    TRY(ARENA_GET(arena, m->repeated, m->n_rows, err));
    TRY(ARENA_GET(arena, m->first_joined, m->n_layers, err));
    for (uint32_t i = 0; i < m->n_rows; i++) {
        m->layer_of_row[i] = ROOF_NONE;
        m->how[i] = ROOF_MATCH_NONE;
        m->row_order[i] = i;
        all = all && run->layers[i].index != ROOF_NONE;
        m->unsorted = m->unsorted || (i && run->layers[i].index < run->layers[i - 1].index);
    }
    m->unsorted = m->unsorted && all;
    for (uint32_t i = 0; i < m->n_layers; i++)
        m->first_joined[i] = i;
    if (!m->unsorted)
        return ROOF_OK;
    uint64_t *rows = malloc(m->n_rows * sizeof *rows); /* index, row */
    TRY(ALLOCATED(rows, err));
    for (uint32_t i = 0; i < m->n_rows; i++)
        rows[i] = (uint64_t)run->layers[i].index << 32 | i;
    ORDER_VALUES(rows, m->n_rows);
    for (uint32_t i = 0; i < m->n_rows; i++)
        m->row_order[i] = (uint32_t)rows[i];
    free(rows);
    return ROOF_OK;
}

/* --- whole subgraphs ---------------------------------------------------------------------------------- */

/* Rows of a whole-network run are whole subgraphs. The first layer often has the name of its subgraph, so
 * names of layers must not be asked. True when all rows are subgraphs. */
static bool match_subgraphs(matcher *x)
{
    namemap *map = namemap_new(x->arena, x->m->n_layers);
    uint32_t *first = NEW_ARRAY(x->arena, uint32_t, x->m->n_rows);
    if (!map || !first || x->run->mode != ROOF_RUN_BYPASS)
        return false;
    uint32_t n = 0; /* subgraphs of the accelerator, by the first layer of each */
    for (uint32_t i = 0; i < x->m->n_layers; i++) {
        const roof_layer_prediction *l = &x->prediction->layers[i];
        text_span name = match_name_bare(l->subgraph);
        n += layer_is_accelerated(l) && name.length && namemap_add(map, name.text, name.length, i);
    }
    if (x->m->n_rows > n)
        return false;
    for (uint32_t row = 0; row < x->m->n_rows; row++) {
        text_span name = match_name_bare(row_of(x, row)->name ? row_of(x, row)->name : "");
        first[row] = namemap_find(map, name.text, name.length);
        if (first[row] == ROOF_NONE)
            return false;
    }
    for (uint32_t row = 0; row < x->m->n_rows; row++) {
        if (x->used[first[row]])
            x->m->repeated[row] = true;
        else
            pair(x, row, first[row], ROOF_MATCH_NAME);
    }
    for (uint32_t i = 0; i < x->m->n_layers; i++) {
        text_span name = match_name_bare(x->prediction->layers[i].subgraph);
        uint32_t of = namemap_find(map, name.text, name.length);
        if (of != ROOF_NONE && x->used[of] && layer_is_accelerated(&x->prediction->layers[i]))
            x->m->first_joined[i] = of;
    }
    return true;
}

/* The arena remembers that memory ran out. */
static void match_all(matcher *x, layer_map *map, bool are_kernels)
{
    x->used = NEW_ARRAY(x->arena, bool, x->m->n_layers);
    x->row_of_layer = NEW_ARRAY(x->arena, uint32_t, x->m->n_layers);
    x->epochs = epoch_index_new(x->prediction, x->arena);
    if (!x->used || !x->row_of_layer || !x->epochs || index_layers(x) != ROOF_OK || !index_operators(x))
        return;
    if (!map && match_subgraphs(x))
        return;
    for (uint32_t i = 0; map && i < map->n; i++)
        apply_line(x, &map->lines[i]);
    if (map)
        map->was_used = true;
    match_by_name(x, are_kernels);
    if (!are_kernels)
        match_order(x);
}

roof_status match_rows(reconciler *r, const roof_run *run, const roof_prediction *p, row_matching *out)
{
    matcher x = {.run = run, .prediction = p, .m = out};
    TRY(make_matching(run, p, r->arena, out, r->err));
    x.arena = arena_new(0); /* names and indices; gone when the pairs are found */
    TRY(ALLOCATED(x.arena, r->err));
    for (uint32_t i = 0; i < run->n_layers; i++)
        x.total_s = add_if_known(x.total_s, run->layers[i].time.mean_s * row_executions(&run->layers[i]));
    if (p)
        match_all(&x, r->map, r->rows_are_kernels);
    roof_status status = x.failed ? error_memory(r->err) : arena_status(x.arena, r->err);
    arena_free(x.arena);
    return status;
}
