/* Checks of operands: by letters, which extents.def explains, and one function for each way in which
 * operators bring extents together. The first contradiction ends it. Each function says what the numbers of
 * its row are. */
#include "model/work/extents.h"
#include "core/findings.h"

enum { LAW_NUMBERS = 4, MOST_NUMBERS = 64 };

typedef struct fitting {
    const extents_law *law;
    const extents_call *call;
    extents_misfit *out;
    bool is_found;
} fitting;

/* at: the numbers of its row, of which the first is an operand of the check: x, or NULL where its shape is
 * unknown. */
struct extents_law {
    const char *types, *operands;
    void (*check)(fitting *f, const int *at, const extents_operand *x);
    int at[LAW_NUMBERS];
};

static void contradict(fitting *f, const extents_misfit *misfit, const char *what, uint32_t axis)
{
    if (f->is_found)
        return;
    *f->out = *misfit;
    if (axis == ROOF_NONE)
        snprintf(f->out->what, sizeof f->out->what, "%s", what);
    else
        snprintf(f->out->what, sizeof f->out->what, "%s %u", what, axis);
    f->is_found = true;
}

/* CONTRADICT(f, PAIR, "at axis", axis, .of = name, .has = 8, .by = name, .wants = 64) */
#define CONTRADICT(f, form_, what, axis, ...)                                                                \
    contradict((f), &(extents_misfit){.form = ROOF_FORM_MISFIT_##form_, __VA_ARGS__}, (what), (axis))

static void same(fitting *f, const char *what, uint32_t axis, text_span of, double has, text_span by,
                 double wants)
{
    if (has != wants)
        CONTRADICT(f, PAIR, what, axis, .of = of, .has = has, .by = by, .wants = wants);
}

/* Numbers that are not negative, or unknown. */
static void multiple(fitting *f, const char *what, uint32_t axis, text_span of, double has, text_span by,
                     double wants)
{
    if (fmod(has, wants) > 0)
        CONTRADICT(f, MULTIPLE, what, axis, .of = of, .has = has, .by = by, .wants = wants);
}

static void at_least(fitting *f, const char *what, uint32_t axis, text_span of, double has, double least)
{
    if (has < least)
        CONTRADICT(f, LEAST, what, axis, .of = of, .has = has, .wants = least);
}

/* ---- operands of a call ---- */

static const extents_operand *operand_at(const fitting *f, int slot)
{
    return slot >= 0 && (uint32_t)slot < f->call->n_inputs && !f->call->inputs[slot].is_left_out
               ? &f->call->inputs[slot]
               : NULL;
}

/* The operand if its shape is known, but for single extents; else NULL. */
static const extents_operand *shaped_at(const fitting *f, int slot)
{
    const extents_operand *o = operand_at(f, slot);
    return o && o->shape && o->shape->n_dims != ROOF_NONE ? o : NULL;
}

/* The i-th output, of a format whose files state its shape; NULL. */
static const extents_operand *stated_at(const fitting *f, uint32_t i)
{
    const extents_operand *y = f->call->outputs && i < f->call->n_outputs ? &f->call->outputs[i] : NULL;
    return y && y->shape && y->shape->n_dims != ROOF_NONE ? y : NULL;
}

static text_span own_type(const fitting *f)
{
    return span_of(f->call->type);
}

/* ROOF_NONE: unknown. */
static uint32_t attribute(const fitting *f, const char *name, double *out, uint32_t max)
{
    const uint32_t n = f->call->numbers(f->call->reader, name, out, max);
    return n <= max ? n : ROOF_NONE;
}

/* NaN: unknown. */
static double number_or(const fitting *f, const char *name, double otherwise)
{
    double out;
    const uint32_t n = attribute(f, name, &out, 1);
    return n == 0 ? otherwise : n == 1 ? out : NAN;
}

/* Numbers of an input or an attribute, and whose they are. */
typedef struct list {
    double at[MOST_NUMBERS];
    uint32_t n; /* 0: none, or unknown */
    bool is_known;
    text_span whose;
} list;

/* At most max numbers that are an input, or else an attribute. */
static list list_at(const fitting *f, int slot, const char *name, uint32_t max)
{
    const extents_operand *o = operand_at(f, slot);
    list l;
    l.whose = o ? o->name : span_of(name);
    l.n = !o                        ? attribute(f, name, l.at, max)
          : o->values               ? o->n_values
          : extents_count(o->shape) ? ROOF_NONE
                                    : 0;
    l.is_known = l.n <= max;
    for (uint32_t i = 0; o && l.is_known && i < l.n; i++) {
        l.at[i] = o->values[i];
        l.is_known = !isnan(l.at[i]);
    }
    l.n = l.is_known ? l.n : 0;
    return l;
}

uint64_t extents_count(const extents *shape)
{
    bool is_known = shape && shape->n_dims != ROOF_NONE;
    for (uint32_t i = 0; is_known && i < shape->n_dims; i++)
        is_known = shape->dims[i] != ROOF_UNKNOWN;
    const checked product = is_known ? checked_product(shape->dims, shape->n_dims) : (checked){0, true};
    return product.overflow ? ROOF_UNKNOWN : product.value;
}

/* An axis that may count from the end; ROOF_NONE where it is unknown. One beyond the shape contradicts,
 * where more of them than there are dimensions may be named. */
static uint32_t axis_of(fitting *f, const extents_operand *x, double axis, uint32_t more, text_span whose)
{
    const uint32_t n = x->shape->n_dims + more;
    if (isnan(axis))
        return ROOF_NONE;
    if (axis < (n ? -(double)n : -1) || axis >= (n ? n : 1)) {
        same(f, "dimensions", ROOF_NONE, x->name, x->shape->n_dims, whose,
             axis < 0 ? -axis - more : axis + 1 - more);
        return ROOF_NONE;
    }
    return n ? (uint32_t)(axis < 0 ? axis + n : axis) : ROOF_NONE;
}

static void same_extent(fitting *f, const extents_operand *x, uint32_t axis, text_span by, double wants)
{
    const uint64_t has = x->shape->dims[axis];
    if (has != ROOF_UNKNOWN)
        same(f, "at axis", axis, x->name, (double)has, by, wants);
}

/* The extents of two operands along an axis of each. */
static void same_extents(fitting *f, const extents_operand *a, uint32_t axis, const extents_operand *b,
                         uint32_t axis_of_b)
{
    if (b->shape->dims[axis_of_b] != ROOF_UNKNOWN)
        same_extent(f, a, axis, b->name, (double)b->shape->dims[axis_of_b]);
}

static void same_rank(fitting *f, const extents_operand *x, text_span by, uint32_t wants)
{
    same(f, "dimensions", ROOF_NONE, x->name, x->shape->n_dims, by, wants);
}

/* Nothing can be computed of an operand without elements. */
static void not_empty(fitting *f, const extents_operand *x)
{
    for (uint32_t i = 0; x && i < x->shape->n_dims; i++)
        at_least(f, "at axis", i, x->name, (double)x->shape->dims[i], 1);
}

bool extents_declared_otherwise(const extents *inferred, const extents *declared, extents_misfit *out)
{
    fitting f = {.out = out};
    if (inferred->n_dims == ROOF_NONE || !declared || declared->n_dims == ROOF_NONE)
        return false;
    /* a single number may be written in any way; a batch comes last, since it may have been left open */
    if (extents_count(inferred) == 1 && extents_count(declared) == 1)
        return false;
    if (inferred->n_dims != declared->n_dims)
        CONTRADICT(&f, DECLARED, "dimensions", ROOF_NONE, .has = inferred->n_dims, .wants = declared->n_dims);
    for (uint32_t i = inferred->n_dims; i-- > 0 && !f.is_found;)
        if (inferred->dims[i] != declared->dims[i] && inferred->dims[i] != ROOF_UNKNOWN &&
            declared->dims[i] != ROOF_UNKNOWN)
            CONTRADICT(&f, DECLARED, "at axis", i, .has = (double)inferred->dims[i],
                       .wants = (double)declared->dims[i]);
    return f.is_found;
}

/* Checks an output that the file states against the inferred shape. */
static void makes(fitting *f, uint32_t i, const extents *inferred)
{
    const extents_operand *y = stated_at(f, i);
    if (!f->is_found && y)
        f->is_found = extents_declared_otherwise(inferred, y->shape, f->out);
}

/* The same where it has to have as many elements. */
static void makes_elements(fitting *f, uint64_t n)
{
    const extents_operand *y = stated_at(f, 0);
    const uint64_t made = y ? extents_count(y->shape) : ROOF_UNKNOWN;
    if (n != ROOF_UNKNOWN && made != ROOF_UNKNOWN && n != made)
        CONTRADICT(f, DECLARED, "elements", ROOF_NONE, .has = (double)n, .wants = (double)made);
}

/* ---- by letters ---- */

typedef struct letter {
    double value; /* 0: not bound */
    text_span name;
} letter;

static const char *word_of(char of)
{
    static const char *const words[] = {
        ['B'] = "sequences", ['C'] = "channels", ['D'] = "directions", ['H'] = "hidden cells",
        ['I'] = "features",  ['K'] = "columns",  ['N'] = "images",     ['O'] = "output channels",
        ['R'] = "regions",   ['T'] = "steps"};
    return (size_t)of < N_OF(words) && words[(size_t)of] ? words[(size_t)of] : "elements";
}

static void fit_extent(fitting *f, letter *letters, text_span token, const extents_operand *o,
                       uint64_t extent, uint32_t axis)
{
    uint64_t factor = 1;
    const bool divides = span_skip(&token, "|"), is_number = span_take_whole(&token, &factor);
    double has = (double)extent, stated;
    char name[24];
    if (extent == ROOF_UNKNOWN || span_is(token, "."))
        return;
    if (is_number && !token.length) {
        same(f, "at axis", axis, o->name, has, own_type(f), (double)factor);
        return;
    }
    const char of = *token.text, relation = token.length > 1 ? token.text[1] : ' ';
    letter *own = &letters[of - 'A'];
    if (relation == '/' || relation == '=') {
        snprintf(name, sizeof name, "%.*s", (int)(token.length - 2), token.text + 2);
        stated = number_or(f, name, relation == '/' ? 1 : NAN);
        if (relation == '/' && !(stated >= 1))
            return;
        if (relation == '/')
            has *= stated;
        else if (!isnan(stated))
            same(f, word_of(of), ROOF_NONE, o->name, has, span_of(name), stated);
    }
    if (divides) {
        multiple(f, word_of(of), ROOF_NONE, own->name, own->value, o->name, has);
        return;
    }
    multiple(f, "at axis", axis, o->name, has, own_type(f), (double)factor);
    has /= (double)factor;
    if (!(own->value > 0))
        *own = (letter){has, o->name};
    else
        same(f, word_of(of), ROOF_NONE, own->name, own->value, o->name, has);
    const letter *divisor = relation == '%' ? &letters[token.text[2] - 'A'] : NULL;
    if (divisor)
        multiple(f, word_of(of), ROOF_NONE, o->name, has, divisor->name, divisor->value);
}

static void fit_operand(fitting *f, letter *letters, text_span spec, const extents_operand *o)
{
    text_span tokens[ROOF_MAX_DIMS + 1];
    const uint32_t n = (uint32_t)span_split(spec, ' ', tokens, ROOF_MAX_DIMS + 1), rank = o->shape->n_dims;
    uint32_t star = ROOF_NONE;
    for (uint32_t i = 0; i < n; i++)
        star = span_is(tokens[i], "*") ? i : star;
    if (n == 1 && star == ROOF_NONE) {
        fit_extent(f, letters, tokens[0], o, extents_count(o->shape), 0);
        return;
    }
    if (star == ROOF_NONE)
        same_rank(f, o, own_type(f), n);
    if (star == ROOF_NONE ? rank != n : rank + 1 < n)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = i <= star ? i : rank - (n - i);
        if (i != star)
            fit_extent(f, letters, tokens[i], o, o->shape->dims[at], at);
    }
}

/* ---- windows ---- */

typedef struct sliding {
    const extents_operand *x, *w;  /* NULL: unknown, or none */
    uint32_t n, first, first_of_w; /* spatial dimensions */
    bool has_kernel;
    text_span kernel_by; /* its source */
    double kernel[ROOF_MAX_DIMS], strides[ROOF_MAX_DIMS], dilations[ROOF_MAX_DIMS], pads[2 * ROOF_MAX_DIMS];
    double padding; /* extents_padding; NaN: unknown */
} sliding;

/* A list of an attribute, one number for each spatial dimension; false: unknown, or it contradicts. */
static bool list_fits(fitting *f, const char *name, const sliding *s, uint32_t times, double least,
                      double otherwise, double *out)
{
    const uint32_t n = attribute(f, name, out, ROOF_MAX_DIMS * times), want = s->n * times;
    for (uint32_t i = 0; i < want && n == 0; i++)
        out[i] = otherwise;
    if (n == ROOF_NONE || n == 0)
        return n == 0;
    same(f, "values", ROOF_NONE, span_of(name), n, own_type(f), want);
    for (uint32_t i = 0; i < n && n == want; i++)
        at_least(f, "at axis", s->first + i % s->n, span_of(name), out[i], least);
    return !f->is_found;
}

/* Numbers of a row: input, weights, first spatial dimension of the input, of the weights. */
static bool read_sliding(fitting *f, const int *at, const extents_operand *x, sliding *s)
{
    *s = (sliding){.x = x,
                   .w = shaped_at(f, at[1]),
                   .first = (uint32_t)at[2],
                   .first_of_w = (uint32_t)at[3],
                   .kernel_by = span_of("kernel_shape")};
    const uint32_t n_stated = attribute(f, "kernel_shape", s->kernel, ROOF_MAX_DIMS);
    s->has_kernel = n_stated && n_stated != ROOF_NONE;
    const extents_operand *of = s->x ? s->x : s->w;
    const uint32_t rank = of ? of->shape->n_dims : s->has_kernel ? n_stated + 2 : 0;
    if (of && rank < 3)
        same_rank(f, of, own_type(f), 3);
    if (s->x && s->w)
        same_rank(f, s->w, s->x->name, rank);
    not_empty(f, s->x);
    not_empty(f, s->w);
    if (f->is_found || !rank)
        return false;
    s->n = rank - 2;
    if (s->has_kernel && !list_fits(f, "kernel_shape", s, 1, 1, 1, s->kernel))
        return false;
    for (uint32_t i = 0; s->w && i < s->n; i++) {
        const uint64_t own = s->w->shape->dims[s->first_of_w + i];
        if (s->has_kernel && own != ROOF_UNKNOWN)
            same(f, "at axis", s->first + i, span_of("kernel_shape"), s->kernel[i], s->w->name, (double)own);
        s->kernel[i] = own == ROOF_UNKNOWN ? NAN : (double)own;
    }
    if (s->w)
        s->kernel_by = s->w->name;
    s->has_kernel = s->has_kernel || s->w;
    s->padding = number_or(f, "auto_pad", EXTENTS_AS_STATED);
    const bool knows_steps = list_fits(f, "strides", s, 1, 1, 1, s->strides),
               knows_dilations = list_fits(f, "dilations", s, 1, 1, 1, s->dilations),
               knows_pads = list_fits(f, "pads", s, 2, -INFINITY, 0, s->pads);
    return knows_steps && knows_dilations && knows_pads && s->x && s->has_kernel && !f->is_found;
}

static void whole_groups(fitting *f, const sliding *s)
{
    const double group = number_or(f, "group", 1);
    const uint64_t channels =
                       s->x ? s->x->shape->dims[s->first == 2 ? 1 : s->x->shape->n_dims - 1] : ROOF_UNKNOWN,
                   kernels = s->w && s->first == 2 ? s->w->shape->dims[0] : ROOF_UNKNOWN;
    at_least(f, "groups", ROOF_NONE, span_of("group"), group, 1);
    if (channels != ROOF_UNKNOWN)
        multiple(f, "channels", ROOF_NONE, s->x->name, (double)channels, span_of("group"), group);
    if (kernels != ROOF_UNKNOWN)
        multiple(f, "kernels", ROOF_NONE, s->w->name, (double)kernels, span_of("group"), group);
}

/* Places of a window along one dimension, as far as they are known: at least one. */
static double places(fitting *f, const sliding *s, uint32_t i, const extents_operand *in)
{
    const uint64_t extent = in->shape->dims[s->first + i];
    const double reach = (s->kernel[i] - 1) * s->dilations[i] + 1, ceil_mode = number_or(f, "ceil_mode", 0);
    const bool is_stated = s->padding == EXTENTS_AS_STATED;
    const double padded = (double)extent + (is_stated ? s->pads[i] + s->pads[s->n + i] : 0);
    if (extent == ROOF_UNKNOWN || isnan(s->padding + reach))
        return NAN;
    if (s->padding == EXTENTS_SAME)
        return ceil((double)extent / s->strides[i]);
    const double steps = (padded - reach) / s->strides[i];
    if (isnan(steps) || (ceil_mode != 0 && steps > -1 && steps < 0))
        return NAN;
    if (steps < 0)
        CONTRADICT(f, WINDOW, "at axis", s->first + i, .of = in->name, .has = padded, .by = s->kernel_by,
                   .wants = reach);
    return floor(steps) + 1;
}

/* Convolutions and poolings; read_sliding says what the numbers are. */
static void window(fitting *f, const int *at, const extents_operand *x)
{
    sliding s;
    const bool is_known = read_sliding(f, at, x, &s);
    if (!f->is_found)
        whole_groups(f, &s);
    extents out = {.n_dims = s.x ? s.x->shape->n_dims : ROOF_NONE};
    for (uint32_t i = 0; i < ROOF_MAX_DIMS; i++)
        out.dims[i] = ROOF_UNKNOWN;
    for (uint32_t i = 0; is_known && !s.w && s.padding == EXTENTS_AS_STATED && i < s.n; i++) {
        const double pad = fmax(s.pads[i], s.pads[s.n + i]);
        if (pad >= s.kernel[i]) /* a window that holds padding alone, which ONNX Runtime refuses */
            same(f, "at axis", s.first + i, s.kernel_by, s.kernel[i], span_of("pads"), pad + 1);
    }
    for (uint32_t i = 0; is_known && !f->is_found && i < s.n; i++) {
        const double n = places(f, &s, i, s.x);
        out.dims[s.first + i] = n >= 1 ? (uint64_t)n : ROOF_UNKNOWN;
    }
    makes(f, 0, &out);
}

/* Transposed convolutions: what they make, slid over, is what they read. Numbers: as of window. */
static void window_back(fitting *f, const int *at, const extents_operand *x)
{
    sliding s;
    double more[ROOF_MAX_DIMS], sizes[ROOF_MAX_DIMS];
    const bool is_known = read_sliding(f, at, x, &s) && list_fits(f, "output_padding", &s, 1, 0, 0, more);
    if (!f->is_found)
        whole_groups(f, &s);
    const extents_operand *y = stated_at(f, 0);
    for (uint32_t i = 0; is_known && i < s.n; i++)
        if (more[i] > 0 && more[i] >= fmax(s.strides[i], s.dilations[i]))
            same(f, "at axis", s.first + i, span_of("strides"), s.strides[i], span_of("output_padding"),
                 more[i] + 1);
    for (uint32_t i = 0; is_known && y && y->shape->n_dims == s.n + 2 && i < s.n && !f->is_found; i++) {
        const double n = places(f, &s, i, y);
        if (!isnan(n))
            same_extent(f, x, s.first + i, y->name, n);
    }
    if (!is_known || y || s.padding != EXTENTS_AS_STATED ||
        attribute(f, "output_shape", sizes, ROOF_MAX_DIMS))
        return;
    for (uint32_t i = 0; i < s.n; i++) {
        const uint64_t in = s.x->shape->dims[s.first + i];
        const double whole =
            s.strides[i] * ((double)in - 1) + (s.kernel[i] - 1) * s.dilations[i] + 1 + more[i];
        const double cut = s.pads[i] + s.pads[s.n + i];
        if (in != ROOF_UNKNOWN && whole - cut < 1)
            same(f, "to cut at axis", s.first + i, s.x->name, whole - 1, span_of("pads"), cut);
    }
}

/* ---- products ---- */

/* Extents of a factor along its last two dimensions; a vector is a row as the first, a column as the
 * second. */
static void sides(const extents_operand *o, bool is_first, bool is_turned, double *rows, double *columns)
{
    const extents *e = o->shape;
    const uint64_t last = e->dims[e->n_dims - 1], before = e->n_dims > 1 ? e->dims[e->n_dims - 2] : 1;
    const bool stands = (e->n_dims == 1 && !is_first) != is_turned;
    *rows = (double)(stands ? last : before);
    *columns = (double)(stands ? before : last);
}

/* Some formats read what is multiplied as rows, whatever its shape is: the length of these is what the second
 * factor has for each column. */
static bool rows_fit(const extents_operand *a, const extents_operand *b, const extents_operand *y)
{
    const uint64_t columns = y && y->shape->n_dims ? y->shape->dims[y->shape->n_dims - 1] : 0;
    const double all = (double)extents_count(a->shape), made = y ? (double)extents_count(y->shape) : 0;
    const double inner = columns ? (double)extents_count(b->shape) / (double)columns : 0;
    return b->shape->n_dims == 2 && inner > 0 && inner == floor(inner) &&
           all * (double)columns == made * inner;
}

static void factors(fitting *f, const extents_operand *a, const extents_operand *b)
{
    const double turns_a = number_or(f, "transA", 0), turns_b = number_or(f, "transB", 0);
    double rows, inner, wants, columns;
    const uint64_t dims[] = {a->shape->dims[a->shape->n_dims - 1], b->shape->dims[b->shape->n_dims - 1],
                             a->shape->n_dims > 1 ? a->shape->dims[a->shape->n_dims - 2] : 1,
                             b->shape->n_dims > 1 ? b->shape->dims[b->shape->n_dims - 2] : 1};
    bool any = false;
    for (int i = 0; i < 4; i++)
        if (dims[i] == ROOF_UNKNOWN)
            return;
    for (int turns = 3; turns >= 0 && !any; turns--) { /* where it is unknown, any way that fits does */
        const bool turn_a = isnan(turns_a) ? turns & 1 : turns_a != 0,
                   turn_b = isnan(turns_b) ? turns >> 1 & 1 : turns_b != 0;
        sides(a, true, turn_a, &rows, &inner);
        sides(b, false, turn_b, &wants, &columns);
        any = inner == wants;
    }
    if (!any && !(isnan(turns_a) && rows_fit(a, b, stated_at(f, 0))))
        same(f, "columns", ROOF_NONE, a->name, inner, b->name, wants);
    extents out = {.n_dims = a->shape->n_dims > b->shape->n_dims ? a->shape->n_dims : b->shape->n_dims};
    for (uint32_t i = 0; i < out.n_dims; i++)
        out.dims[i] = ROOF_UNKNOWN;
    if (a->shape->n_dims < 2 || b->shape->n_dims < 2 || isnan(turns_a + turns_b))
        return;
    out.dims[out.n_dims - 2] = (uint64_t)rows;
    out.dims[out.n_dims - 1] = (uint64_t)columns;
    makes(f, 0, &out);
}

/* Extents of b that are 1 are for all of a's, from behind; is_mutual: the other way round as well. */
static void spreads(fitting *f, const extents_operand *a, const extents_operand *b, uint32_t skip,
                    bool is_mutual)
{
    const uint32_t n_a = a->shape->n_dims, n_b = b->shape->n_dims;
    for (uint32_t k = skip + 1; k <= n_a && k <= n_b; k++) {
        const uint64_t x = a->shape->dims[n_a - k], y = b->shape->dims[n_b - k];
        if (y != 1 && !(is_mutual && x == 1))
            same_extents(f, a, n_a - k, b, n_b - k);
    }
    for (uint32_t k = n_a + 1; !is_mutual && k <= n_b; k++)
        if (b->shape->dims[n_b - k] != 1)
            same_rank(f, a, b->name, n_b);
}

/* Numbers: first factor, second factor, whether one without elements is none. */
static void product(fitting *f, const int *at, const extents_operand *a)
{
    const extents_operand *b = shaped_at(f, at[1]);
    if (!a || !b || !(number_or(f, "transBatchA", 0) + number_or(f, "transBatchB", 0) == 0))
        return;
    if (!a->shape->n_dims || !b->shape->n_dims) {
        same_rank(f, a->shape->n_dims ? b : a, own_type(f), 1);
        return;
    }
    if (at[2] && (a->shape->dims[0] == 0 || b->shape->dims[0] == 0))
        not_empty(f, a->shape->dims[0] == 0 ? a : b);
    factors(f, a, b);
    if (a->shape->n_dims > 2 && b->shape->n_dims > 2)
        spreads(f, a, b, 2, true);
}

/* Numbers: first factor, second factor, what is added. */
static void product_sum(fitting *f, const int *at, const extents_operand *a)
{
    const extents_operand *b = shaped_at(f, at[1]), *c = shaped_at(f, at[2]);
    double broadcast_as_once, rows, columns, inner;
    if (attribute(f, "broadcast", &broadcast_as_once, 1) || !a || !b)
        return;
    same_rank(f, a, own_type(f), 2);
    same_rank(f, b, own_type(f), 2);
    not_empty(f, a);
    not_empty(f, b);
    if (f->is_found)
        return;
    factors(f, a, b);
    sides(a, true, number_or(f, "transA", 0) != 0, &rows, &inner);
    sides(b, false, number_or(f, "transB", 0) != 0, &inner, &columns);
    const extents sum = {{(uint64_t)rows, (uint64_t)columns}, 2};
    const extents_operand made = {.name = own_type(f), .shape = &sum};
    if (c && a->shape->dims[0] != ROOF_UNKNOWN && a->shape->dims[1] != ROOF_UNKNOWN)
        spreads(f, &made, c, 0, false);
}

/* Rows of any input, by weights of OC IC. Numbers: input, weights. */
static void rows(fitting *f, const int *at, const extents_operand *x)
{
    const extents_operand *w = shaped_at(f, at[1]);
    if (!x || !w || w->shape->n_dims != 2)
        return;
    not_empty(f, x);
    not_empty(f, w);
    const uint64_t all = extents_count(x->shape), inner = w->shape->dims[1], outer = w->shape->dims[0];
    if (f->is_found || all == ROOF_UNKNOWN || inner == ROOF_UNKNOWN || outer == ROOF_UNKNOWN)
        return;
    if (all % inner)
        CONTRADICT(f, MULTIPLE, "elements", ROOF_NONE, .of = x->name, .has = (double)all, .by = w->name,
                   .wants = (double)inner);
    const checked want = checked_times((checked){all / inner, false}, outer);
    makes_elements(f, want.overflow ? ROOF_UNKNOWN : want.value);
}

/* ---- element by element ---- */

/* Numbers: first operand, operands between, end; -1: all. */
static void broadcast(fitting *f, const int *at, const extents_operand *x)
{
    const int end = at[2] < 0 ? (int)f->call->n_inputs : at[2];
    const extents_operand *from[ROOF_MAX_DIMS] = {NULL}; /* source of each extent, from behind */
    extents all = {.n_dims = 0};
    double as_once;
    if (!x)
        return;
    if (attribute(f, "broadcast", &as_once, 1)) { /* up to opset 6 another rule, by which the first is kept */
        if (f->call->made && x->shape)
            *f->call->made = *x->shape;
        return;
    }
    for (int i = at[0]; i < end; i += at[1]) {
        const extents_operand *o = shaped_at(f, i);
        if (!o)
            return;
        const uint32_t n = o->shape->n_dims, more = n > all.n_dims ? n - all.n_dims : 0;
        memmove(all.dims + more, all.dims, all.n_dims * sizeof *all.dims);
        for (uint32_t k = 0; k < more; k++)
            all.dims[k] = 1;
        all.n_dims += more;
        for (uint32_t k = 1; k <= n; k++) {
            uint64_t *so_far = &all.dims[all.n_dims - k];
            const uint64_t own = o->shape->dims[n - k];
            if (*so_far != 1 && own != 1 && *so_far != ROOF_UNKNOWN)
                same_extents(f, from[k - 1], from[k - 1]->shape->n_dims - k, o, n - k);
            if (*so_far == 1) {
                *so_far = own;
                from[k - 1] = o;
            } else if (own == ROOF_UNKNOWN) {
                *so_far = ROOF_UNKNOWN;
            }
        }
    }
    makes(f, 0, &all);
    if (f->call->made && !f->is_found)
        *f->call->made = all;
}

/* Numbers: whom they are for, the first of those that are spread over it, their end, whether one for each
 * channel may stand without the dimensions behind. */
static void spread(fitting *f, const int *at, const extents_operand *x)
{
    for (int i = at[1]; x && i < at[2]; i++) {
        const extents_operand *o = shaped_at(f, i);
        const bool is_of_channels = at[3] && o && o->shape->n_dims == 1 && x->shape->n_dims > 1 &&
                                    o->shape->dims[0] == x->shape->dims[1];
        if (o && !is_of_channels)
            spreads(f, x, o, 0, false);
    }
}

/* One scale for all, or one for each extent of an axis, with as many zeros. Numbers: the input, scales,
 * zeros. */
static void scales_of_axis(fitting *f, const int *at, const extents_operand *x)
{
    const extents_operand *scale = shaped_at(f, at[1]), *zero = shaped_at(f, at[2]);
    const uint64_t n = scale ? extents_count(scale->shape) : ROOF_UNKNOWN;
    double block;
    if (n == ROOF_UNKNOWN || attribute(f, "block_size", &block, 1))
        return;
    const uint64_t n_zeros = zero ? extents_count(zero->shape) : ROOF_UNKNOWN;
    if (n_zeros != ROOF_UNKNOWN)
        same(f, "elements", ROOF_NONE, scale->name, (double)n, zero->name, (double)n_zeros);
    if (!x || n == 1 || scale->shape->n_dims != 1)
        return;
    /* a vector has but one axis, which writers leave out as well */
    const double axis = x->shape->n_dims == 1 ? 0 : number_or(f, "axis", 1);
    const uint32_t along = axis_of(f, x, axis, 0, span_of("axis"));
    if (along != ROOF_NONE)
        same_extent(f, x, along, scale->name, (double)n);
}

/* Scales are one for each group, in later opsets one for each channel. Numbers: the input, the first of
 * those, their end. */
static void group_scales(fitting *f, const int *at, const extents_operand *x)
{
    const double groups = number_or(f, "num_groups", NAN);
    at_least(f, "groups", ROOF_NONE, span_of("num_groups"), groups, 1);
    if (!x || x->shape->n_dims < 2 || x->shape->dims[1] == ROOF_UNKNOWN || isnan(groups))
        return;
    const double channels = (double)x->shape->dims[1];
    multiple(f, "channels", ROOF_NONE, x->name, channels, span_of("num_groups"), groups);
    for (int i = at[1]; i < at[2]; i++) {
        const extents_operand *o = shaped_at(f, i);
        const uint64_t n = o ? extents_count(o->shape) : ROOF_UNKNOWN;
        if (n != ROOF_UNKNOWN && (double)n != channels && (double)n != groups)
            same(f, "channels", ROOF_NONE, x->name, channels, o->name, (double)n);
    }
}

/* ---- other shapes of the same elements ---- */

/* As many elements as before. Numbers: the input. */
static void elements(fitting *f, const int *at, const extents_operand *x)
{
    (void)at;
    makes_elements(f, x ? extents_count(x->shape) : ROOF_UNKNOWN);
}

/* Numbers: the input, where the new shape is. */
static void reshape(fitting *f, const int *at, const extents_operand *x)
{
    const list shape = list_at(f, at[1], "shape", ROOF_MAX_DIMS);
    double known = 1, n_rest = 0;
    const bool keeps_zeros = number_or(f, "allowzero", 0) != 0;
    const uint64_t all = x ? extents_count(x->shape) : ROOF_UNKNOWN;
    bool is_known = all != ROOF_UNKNOWN && shape.is_known;
    for (uint32_t i = 0; i < shape.n; i++) {
        const double wanted = shape.at[i];
        at_least(f, "at place", i, shape.whose, wanted, -1);
        const bool copies = wanted == 0 && !keeps_zeros;
        if (copies && x && i >= x->shape->n_dims)
            same_rank(f, x, shape.whose, i + 1);
        const bool is_copied = copies && x && i < x->shape->n_dims;
        is_known = is_known && (!copies || is_copied);
        n_rest += wanted == -1;
        known *= wanted == -1 ? 1 : is_copied ? (double)x->shape->dims[i] : wanted;
    }
    if (n_rest > 1)
        same(f, "times -1", ROOF_NONE, shape.whose, n_rest, own_type(f), 1);
    if (!is_known)
        return;
    if (n_rest == 0)
        same(f, "elements", ROOF_NONE, x->name, (double)all, shape.whose, known);
    if (n_rest == 1)
        multiple(f, "elements", ROOF_NONE, x->name, (double)all, shape.whose, known);
}

/* Numbers: the input, where axes are. */
static void unsqueeze(fitting *f, const int *at, const extents_operand *x)
{
    const list new = list_at(f, at[1], "axes", ROOF_MAX_DIMS);
    uint32_t taken = 0;
    for (uint32_t i = 0; x && i < new.n && x->shape->n_dims + new.n <= ROOF_MAX_DIMS; i++) {
        const uint32_t axis = axis_of(f, x, new.at[i], new.n, new.whose);
        if (axis != ROOF_NONE && taken >> axis & 1)
            same(f, "times axis", axis, new.whose, 2, own_type(f), 1);
        taken |= axis == ROOF_NONE ? 0 : 1U << axis;
    }
}

/* Every dimension once. Numbers: the input, where its new order is. */
static void permute(fitting *f, const int *at, const extents_operand *x)
{
    const list order = list_at(f, at[1], "perm", ROOF_MAX_DIMS);
    uint32_t taken = 0;
    if (!x || !order.n)
        return;
    same_rank(f, x, order.whose, order.n);
    extents out = {.n_dims = order.n};
    for (uint32_t i = 0; i < order.n && !f->is_found; i++) {
        const uint32_t from = axis_of(f, x, order.at[i], 0, order.whose);
        if (from == ROOF_NONE)
            return;
        if (taken >> from & 1)
            same(f, "times axis", from, order.whose, 2, x->name, 1);
        taken |= 1U << from;
        out.dims[i] = x->shape->dims[from];
    }
    makes(f, 0, &out);
}

/* Numbers: the input, the axis of its channels, whether blocks go into these. */
static void blocks(fitting *f, const int *at, const extents_operand *x)
{
    const uint32_t channels = (uint32_t)at[1], first = channels == 1 ? 2 : 1;
    const double size = number_or(f, "blocksize", NAN);
    at_least(f, "elements", ROOF_NONE, span_of("blocksize"), size, 1);
    if (!x || isnan(size) || f->is_found)
        return;
    same_rank(f, x, own_type(f), 4);
    for (uint32_t i = 0; i < 4 && x->shape->n_dims == 4; i++) {
        const bool is_divided = at[2] ? i == first || i == first + 1 : i == channels;
        const double by = at[2] ? size : size * size;
        if (is_divided && x->shape->dims[i] != ROOF_UNKNOWN)
            multiple(f, "at axis", i, x->name, (double)x->shape->dims[i], span_of("blocksize"), by);
    }
}

/* ---- parts and sums of parts ---- */

/* Numbers: the first operand, operands between, whether they differ along the axis; else along none. */
static void join(fitting *f, const int *at, const extents_operand *x)
{
    (void)x; /* others than the first tell as well */
    const extents_operand *first = NULL;
    uint32_t axis = ROOF_NONE;
    uint64_t sum = 0;
    for (int i = at[0]; (uint32_t)i < f->call->n_inputs; i += at[1]) {
        const extents_operand *o = shaped_at(f, i);
        if (!o) { /* its part is unknown */
            sum = ROOF_UNKNOWN;
            continue;
        }
        if (extents_count(o->shape) == 0) /* runtimes pass by what is empty, whatever its shape is */
            continue;
        if (!first) {
            first = o;
            axis = at[2] ? axis_of(f, o, number_or(f, "axis", NAN), 0, span_of("axis")) : ROOF_NONE;
            if (at[2] && axis == ROOF_NONE)
                return;
        }
        same_rank(f, first, o->name, o->shape->n_dims);
        for (uint32_t k = 0; k < o->shape->n_dims && k < first->shape->n_dims; k++)
            if (k != axis)
                same_extents(f, first, k, o, k);
        if (axis != ROOF_NONE && !f->is_found && sum != ROOF_UNKNOWN)
            sum = o->shape->dims[axis] == ROOF_UNKNOWN ? ROOF_UNKNOWN : sum + o->shape->dims[axis];
    }
    if (!first || axis == ROOF_NONE)
        return;
    extents out = *first->shape;
    out.dims[axis] = sum;
    makes(f, 0, &out);
}

/* Numbers: the input, where the axis is, where the sizes are. */
static void parts(fitting *f, const int *at, const extents_operand *x)
{
    const list axis = list_at(f, at[1], "axis", 1), sizes = list_at(f, at[2], "split", MOST_NUMBERS);
    const uint32_t n = sizes.n, n_parts = f->call->n_outputs;
    double sum = 0, as_many;
    if (!x || !axis.is_known || !sizes.is_known || !n_parts)
        return;
    const uint32_t along = axis_of(f, x, axis.n ? axis.at[0] : 0, 0, axis.whose);
    if (along == ROOF_NONE || x->shape->dims[along] == ROOF_UNKNOWN)
        return;
    const double extent = (double)x->shape->dims[along];
    if (n)
        same(f, "values", ROOF_NONE, sizes.whose, n, own_type(f), n_parts);
    else if (f->call->opset < 18 && !attribute(f, "num_outputs", &as_many, 1))
        multiple(f, "at axis", along, x->name, extent, own_type(f), n_parts);
    for (uint32_t i = 0; i < n; i++) {
        if (sizes.at[i] < 0) /* the rest, for some */
            return;
        sum += sizes.at[i];
    }
    if (n)
        same_extent(f, x, along, sizes.whose, sum);
    extents part = *x->shape;
    for (uint32_t i = 0; i < n_parts && !f->is_found && (n || f->call->opset < 18); i++) {
        part.dims[along] = n ? (uint64_t)sizes.at[i] : x->shape->dims[along] / n_parts;
        makes(f, i, &part);
    }
}

/* Numbers: the input. */
static void cut(fitting *f, const int *at, const extents_operand *x)
{
    (void)at;
    enum { STARTS, ENDS, AXES, STEPS, LISTS };
    static const char *const names[LISTS] = {"starts", "ends", "axes", "steps"};
    list lists[LISTS];
    for (int i = 0; i < LISTS; i++)
        lists[i] = list_at(f, f->call->n_inputs > 1 ? i + 1 : -1, names[i], ROOF_MAX_DIMS);
    const list *starts = &lists[STARTS], *axes = &lists[AXES], *steps = &lists[STEPS];
    for (int i = ENDS; i < LISTS; i++)
        if (starts->is_known && lists[i].is_known && (lists[i].n || i == ENDS))
            same(f, "values", ROOF_NONE, starts->whose, starts->n, lists[i].whose, lists[i].n);
    for (uint32_t i = 0; i < steps->n; i++)
        if (steps->at[i] == 0)
            CONTRADICT(f, LEAST, "at place", i, .of = steps->whose, .has = 0, .wants = 1);
    for (uint32_t i = 0; x && i < axes->n; i++)
        axis_of(f, x, axes->at[i], 0, axes->whose);
    if (x && starts->n > x->shape->n_dims)
        same_rank(f, x, starts->whose, starts->n);
}

/* Every index that is known lies within the extent. */
static void indices_fit(fitting *f, const extents_operand *x, uint32_t at, const extents_operand *indices)
{
    const uint64_t extent = at == ROOF_NONE ? ROOF_UNKNOWN : x->shape->dims[at];
    for (uint32_t i = 0; indices && indices->values && extent != ROOF_UNKNOWN && i < indices->n_values; i++) {
        const double index = indices->values[i], wants = index < 0 ? -index : index + 1;
        if (wants > (double)extent)
            same(f, "at axis", at, x->name, (double)extent, indices->name, wants);
    }
}

/* Numbers: the input, indices. */
static void gather(fitting *f, const int *at, const extents_operand *x)
{
    if (x && !x->shape->n_dims)
        same_rank(f, x, own_type(f), 1);
    const uint32_t along = x ? axis_of(f, x, number_or(f, "axis", 0), 0, span_of("axis")) : ROOF_NONE;
    indices_fit(f, x, along, operand_at(f, at[1]));
}

/* Numbers: the input, indices, what is put there. */
static void gather_elements(fitting *f, const int *at, const extents_operand *x)
{
    const extents_operand *indices = shaped_at(f, at[1]), *updates = shaped_at(f, at[2]);
    if (!x || !indices)
        return;
    same_rank(f, indices, x->name, x->shape->n_dims);
    const uint32_t axis = axis_of(f, x, number_or(f, "axis", 0), 0, span_of("axis"));
    if (f->is_found || axis == ROOF_NONE)
        return;
    for (uint32_t i = 0; i < x->shape->n_dims; i++)
        if (i != axis && indices->shape->dims[i] > x->shape->dims[i])
            same_extents(f, x, i, indices, i);
    indices_fit(f, x, axis, indices);
    if (updates)
        same_rank(f, updates, indices->name, indices->shape->n_dims);
    for (uint32_t i = 0; updates && i < indices->shape->n_dims && i < updates->shape->n_dims; i++)
        same_extents(f, indices, i, updates, i);
}

/* Numbers: the input, indices, what is put there. */
static void gather_points(fitting *f, const int *at, const extents_operand *x)
{
    const extents_operand *indices = shaped_at(f, at[1]), *updates = shaped_at(f, at[2]);
    const double batch = number_or(f, "batch_dims", 0);
    if (!x || !indices || !indices->shape->n_dims || !(batch >= 0))
        return;
    const uint32_t last = indices->shape->n_dims - 1;
    const uint64_t depth = indices->shape->dims[last];
    if (depth == ROOF_UNKNOWN)
        return;
    if ((double)depth + batch > x->shape->n_dims)
        same(f, "dimensions", ROOF_NONE, x->name, x->shape->n_dims, indices->name, (double)depth + batch);
    if (!updates || f->is_found)
        return;
    same_rank(f, updates, own_type(f), last + x->shape->n_dims - (uint32_t)depth);
    for (uint32_t i = 0; i < updates->shape->n_dims && !f->is_found; i++)
        same_extents(f, updates, i, i < last ? indices : x, i < last ? i : i - last + (uint32_t)depth);
}

/* Numbers: the input, where pads are, where axes are, whether both pads of a dimension stand together. */
static void pad(fitting *f, const int *at, const extents_operand *x)
{
    const list pads = list_at(f, at[1], "pads", 2 * ROOF_MAX_DIMS),
               axes = list_at(f, at[2], "axes", ROOF_MAX_DIMS);
    if (!x || !axes.is_known || !pads.n)
        return;
    const uint32_t half = axes.n ? axes.n : x->shape->n_dims;
    same(f, "values", ROOF_NONE, pads.whose, pads.n, x->name, 2 * half);
    extents out = *x->shape;
    for (uint32_t i = 0; i < half && !f->is_found; i++) {
        const uint32_t axis = axes.n ? axis_of(f, x, axes.at[i], 0, axes.whose) : i;
        const double before = pads.at[at[3] ? 2 * i : i], behind = pads.at[at[3] ? 2 * i + 1 : half + i];
        if (axis == ROOF_NONE || x->shape->dims[axis] == ROOF_UNKNOWN)
            continue;
        const double size = (double)x->shape->dims[axis] + before + behind;
        if (size < 0)
            same(f, "to cut at axis", axis, x->name, (double)x->shape->dims[axis], pads.whose,
                 -before - behind);
        out.dims[axis] = size >= 0 && size <= UINT32_MAX ? (uint64_t)size : ROOF_UNKNOWN;
    }
    makes(f, 0, &out);
}

/* Numbers: the input, where it says how often. */
static void repeat(fitting *f, const int *at, const extents_operand *x)
{
    const list times = list_at(f, at[1], "repeats", ROOF_MAX_DIMS);
    if (!x || !times.n || (f->call->opset && f->call->opset < 6)) /* another operator up to then */
        return;
    same_rank(f, x, times.whose, times.n);
    for (uint32_t i = 0; i < times.n; i++)
        at_least(f, "at place", i, times.whose, times.at[i], 0);
}

/* Numbers: the input, where the shape is that it is spread over. */
static void expand(fitting *f, const int *at, const extents_operand *x)
{
    const list shape = list_at(f, at[1], "shape", ROOF_MAX_DIMS);
    for (uint32_t k = 1; k <= shape.n; k++) {
        const uint64_t has = x && k <= x->shape->n_dims ? x->shape->dims[x->shape->n_dims - k] : 1;
        const double wanted = shape.at[shape.n - k];
        at_least(f, "at place", shape.n - k, shape.whose, wanted, 0);
        if (has != 1 && wanted != 1)
            same_extent(f, x, x->shape->n_dims - k, shape.whose, wanted);
    }
}

/* Numbers: the input, where sizes are, where scales are: up to opset 10 in the second input. */
static void resize(fitting *f, const int *at, const extents_operand *x)
{
    const bool is_old = f->call->opset && f->call->opset < 11;
    const list axes = list_at(f, -1, "axes", ROOF_MAX_DIMS),
               wanted[] = {list_at(f, is_old ? -1 : at[1], "", ROOF_MAX_DIMS),
                           list_at(f, is_old ? 1 : at[2], "scales", ROOF_MAX_DIMS)};
    const extents_operand named = {.name = axes.whose, .shape = &(extents){{0}, axes.n}};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < wanted[k].n; i++)
            if (!x || extents_count(x->shape) != 0)
                at_least(f, "at place", i, wanted[k].whose, wanted[k].at[i], !k);
    for (int k = 0; k < 2 && x && axes.is_known; k++)
        if (wanted[k].n)
            same_rank(f, axes.n ? &named : x, wanted[k].whose, wanted[k].n);
    for (uint32_t i = 0; x && i < axes.n; i++)
        axis_of(f, x, axes.at[i], 0, axes.whose);
}

/* ---- along axes ---- */

/* Numbers: the input, whether the one behind its last dimension may be named, where the axis is. */
static void axis(fitting *f, const int *at, const extents_operand *x)
{
    const list own = list_at(f, at[2], "axis", 1);
    if (x && own.n && !(at[1] && own.at[0] == x->shape->n_dims))
        axis_of(f, x, own.at[0], 0, own.whose);
}

/* Numbers: the input, where axes are, whether each has to be a single extent. */
static void axes(fitting *f, const int *at, const extents_operand *x)
{
    const list all = list_at(f, at[1], "axes", ROOF_MAX_DIMS);
    for (uint32_t i = 0; x && i < all.n; i++) {
        const uint32_t axis = axis_of(f, x, all.at[i], 0, all.whose);
        if (at[2] && axis != ROOF_NONE)
            same_extent(f, x, axis, all.whose, 1);
    }
}

/* Numbers: the input, where it says how many. */
static void largest(fitting *f, const int *at, const extents_operand *x)
{
    const list count = list_at(f, at[1], "k", 1);
    const uint32_t along = x ? axis_of(f, x, number_or(f, "axis", -1), 0, span_of("axis")) : ROOF_NONE;
    if (!count.n || along == ROOF_NONE || x->shape->dims[along] == ROOF_UNKNOWN)
        return;
    at_least(f, "elements", ROOF_NONE, count.whose, count.at[0], 0);
    if (count.at[0] > (double)x->shape->dims[along])
        same_extent(f, x, along, count.whose, count.at[0]);
}

/* ---- all operators ---- */

static const extents_law laws[] = {
#define FITS(types, operands, check, ...) {(types), (operands), (check), {__VA_ARGS__}},
#include "model/work/extents.def"
#undef FITS
};

const extents_law *extents_law_of(const char *type)
{
    FOR_EACH(const extents_law, law, laws, strchr(type, ' ') ? 0 : N_OF(laws))
        if (text_has_word(law->types, type))
            return law;
    return NULL;
}

bool extents_contradict(const extents_law *law, const extents_call *call, extents_misfit *out)
{
    fitting f = {.law = law, .call = call, .out = out};
    double spatial;
    /* an old BatchNormalization may have statistics of each place */
    if (!law || (attribute(&f, "spatial", &spatial, 1) == 1 && spatial == 0))
        return false;
    if (law->check)
        law->check(&f, law->at, shaped_at(&f, law->at[0]));
    if (!f.is_found && law->operands[0]) {
        letter letters[26] = {{0}};
        text_span outputs = span_of(f.law->operands), all[16];
        const size_t n = span_split(span_take_until(&outputs, "->"), ';', all, 16);
        for (size_t i = 0; i < n; i++) {
            const extents_operand *o = shaped_at(&f, (int)i);
            if (o && all[i].length)
                fit_operand(&f, letters, all[i], o);
        }
        const extents_operand *y = stated_at(&f, 0);
        if (y && span_has(span_of(law->operands), "->"))
            fit_operand(&f, letters, span_trim(outputs), y);
    }
    return f.is_found;
}

roof_status extents_tell(const extents_misfit *m, const char *name, roof_findings *found, roof_error *err)
{
    roof_remark remark = {m->form, {AS_TEXT(name)}};
    roof_operand *next = &remark.operands[1];
    if (m->of.length)
        *next++ = AS_TEXT(arena_name(found->arena, m->of.text, m->of.length));
    *next++ = AS_COUNT(m->has);
    *next++ = AS_TEXT(m->what);
    if (m->by.length)
        *next++ = AS_TEXT(arena_name(found->arena, m->by.text, m->by.length));
    *next = AS_COUNT(m->wants);
    TRY(arena_status(found->arena, err)); /* of names */
    finding_add(found, name, &remark);
    return arena_status(found->arena, err);
}
