/* Models on several devices: bounds, expected and measured times, the shortest of each model first. */
#include "reports/charts/chart.h"
#include "reports/words/prediction_words.h"

enum { BAR_PX = 16, LINE_PX = 16, BETWEEN_PX = 14, MOST_DEVICES = 40, NAME_PX = 284, BELOW_PX = 78 };

typedef enum bar_kind { BEST, IDEAL, PREDICTED, MEASURED, KINDS } bar_kind;

static const struct {
    const char *word;
    uint32_t colour;
} bars[KINDS] = {
    [BEST] = {"bound", COLOUR_FLOOR},
    [IDEAL] = {"ideal", COLOUR_IDEAL},
    [PREDICTED] = {"predicted", COLOUR_PREDICTED},
    [MEASURED] = {"measured", COLOUR_MEASURED},
};

typedef struct device {
    const roof_prediction *p;
    const char *id;           /* of its hardware */
    uint32_t model;           /* the first device of the same one */
    double seconds[KINDS];    /* NaN: unknown */
    const char *words[KINDS]; /* behind its bars */
    double rank_s;            /* the one that devices are compared by */
    bool is_layer_by_layer;   /* measured as such, since there is no whole-network run */
    bool is_other_target;     /* than the one it was compiled for */
    double names_px, bars_px; /* how high what stands beside its bars is, and these */
    double top_px;
} device;

typedef struct drawing {
    chart_figure *f;
    plot_area plot;
    device *devices;
    uint32_t n, n_left_out, n_models;
    double most_s, words_px; /* the longest bar, and the longest words behind one */
} drawing;

/* --- what is known of a device ------------------------------------------------------------------------ */

/* "bound 1.631 ms, at most 613 inferences/s": a rate stands beside the time that it follows from; a sum of
 * layers is no rate that anything could run at. */
static const char *bar_words(chart_figure *f, const device *one, bar_kind kind)
{
    const roof_prediction *p = one->p;
    double seconds = one->seconds[kind], batch = p->options.batch ? p->options.batch : 1;
    const uint32_t busy = p->total.busy_cores;
    double per_s = kind == BEST        ? roof_pair_of(p).per_s
                   : kind == PREDICTED ? p->total.predicted_inferences_per_s * (busy > 1 ? busy : 1)
                   : kind == MEASURED  ? batch / seconds
                                       : (double)NAN;
    const char *how = kind == MEASURED && one->is_layer_by_layer ? " in a per-layer run" : "",
               *word = kind == BEST && p->estimate_of ? "about" : bars[kind].word;
    const char *text = figure_printf(f, "%s%s %s", word, how, say_quantity(f->arena, seconds, "s"));
    if (!(per_s > 0) || !isfinite(per_s))
        return text;
    int digits = per_s < 10 ? 2 : per_s < 100 ? 1 : 0;
    return figure_printf(
        f, "%s, %s%.*f%s%s", text, kind == BEST && !p->estimate_of ? "at most " : "", digits, per_s,
        f->is_wide ? " inferences/s" : "/s",
        (kind == BEST && p->hardware.cores > 1) || (kind == PREDICTED && busy > 1) ? ", all cores" : "");
}

static device describe(const chart_source *s, const roof_prediction *p, chart_figure *f)
{
    device d = {.p = p,
                .id = p->hardware.id,
                .seconds = {[BEST] = roof_best_s(p),
                            [IDEAL] = p->total.deployed.ideal_s,
                            [PREDICTED] = p->total.predicted_s,
                            [MEASURED] = NAN}};
    for (uint32_t i = 0; i < p->n_findings; i++)
        d.is_other_target = d.is_other_target || p->findings[i].kind == ROOF_FINDING_OTHER_TARGET;
    for (uint32_t i = 0; s->reconciliation && i < s->reconciliation->n_experiments; i++) {
        const roof_reconciled *e = &s->reconciliation->experiments[i];
        if (e->prediction != d.p)
            continue;
        bool is_deployed = e->total.bypass_s > 0;
        double seconds = is_deployed ? e->total.bypass_s : roof_layered_seconds(e);
        if (!(seconds > 0) || (d.seconds[MEASURED] > 0 && (!is_deployed || !d.is_layer_by_layer)))
            continue;
        d.seconds[MEASURED] = seconds;
        d.is_layer_by_layer = !is_deployed;
    }
    d.names_px = LINE_PX * (d.is_other_target ? 3 : 2);
    for (bar_kind k = 0; k < KINDS; k++) {
        if (d.seconds[k] > 0 && isfinite(d.seconds[k])) {
            d.words[k] = bar_words(f, &d, k);
            d.bars_px += BAR_PX;
        } else {
            d.seconds[k] = NAN;
        }
    }
    return d;
}

/* --- words -------------------------------------------------------------------------------------------- */

/* "resnet50: kv260 is fastest", in the words of the table of pairs; of several models without times. */
static const char *verdict(drawing *d)
{
    enum { MOST = 3 };
    roof_arena *arena = d->f->arena;
    contestant *all = NEW_ARRAY(arena, contestant, d->n);
    const bool is_brief = d->n_models > 1;
    const char *list = "";
    uint32_t n_said = 0;
    for (uint32_t from = 0, to = 0; from < d->n && all; from = to) {
        roof_error err;
        uint32_t n = 0;
        for (to = from; to < d->n && d->devices[to].model == d->devices[from].model; to++) {
            const roof_pair pair = roof_pair_of(d->devices[to].p);
            const char *name = is_brief        ? pair.hardware
                               : d->f->is_wide ? d->devices[to].p->hardware.name
                                               : d->devices[to].p->hardware.id;
            n += answer_contestant(&pair, name, false, arena, &all[n], &err) == ROOF_OK;
        }
        if (n_said++ >= MOST)
            continue;
        /* room for the verdict; the rest is said above the table of pairs, and is not cut within */
        const char *said = n ? answer_contest(arena, all, n, is_brief) : "", *rest = strstr(said, "; ");
        list = say_printf(arena, "%s%s%s: %.*s", list, *list ? "; " : "", d->devices[from].p->model.name,
                          (int)(rest ? (size_t)(rest - said) : strlen(said)), said);
    }
    return n_said > MOST ? figure_printf(d->f, "%s; %u more", list, n_said - MOST) : list;
}

static const char *provenance(const chart_source *s, chart_figure *f)
{
    const char *list = "", *hash = s->n_devices ? s->devices[0]->model.graph_hash : NULL;
    bool one_model = hash != NULL, one_name = true;
    for (uint32_t i = 0; i < s->n_devices; i++) {
        const char *other = s->devices[i]->model.graph_hash, *id = s->devices[i]->hardware.id;
        uint32_t k = 0;
        while (strcmp(s->devices[k]->hardware.id, id) != 0)
            k++;
        if (k == i) /* several models may be on one */
            list = figure_printf(f, "%s%s%s", list, i ? ", " : "", id);
        one_model = one_model && other && strcmp(other, hash) == 0;
        one_name = one_name && strcmp(s->devices[i]->model.name, s->devices[0]->model.name) == 0;
    }
    return figure_printf(f, "roofline " ROOF_VERSION " | hardware %s | %s%.32s", list,
                         one_model  ? "model graph "
                         : one_name ? "compiled for each of them"
                                    : "several models",
                         one_model ? hash : "");
}

/* --- what is drawn ------------------------------------------------------------------------------------ */

/* In order; those that have no ideal, and others for which there is no room, are left out. */
static void take_devices(drawing *d, const chart_source *s)
{
    uint32_t n_predicted = 0, n_scheduled = 0;
    d->devices = NEW_ARRAY(d->f->arena, device, s->n_devices);
    for (uint32_t i = 0; i < s->n_devices && d->devices; i++) {
        device *one = &d->devices[d->n];
        if (s->devices[i])
            *one = describe(s, s->devices[i], d->f);
        if (!s->devices[i] || isnan(one->seconds[IDEAL]))
            continue;
        while (one->model < d->n && !prediction_is_of_same(d->devices[one->model].p, one->p))
            one->model++;
        d->n_models += one->model == d->n++;
        n_predicted += !one->p->estimate_of && one->seconds[PREDICTED] > 0;
        n_scheduled += isnan(one->p->schedule.scheduled_s) ? 0 : 1;
    }
    /* expected where that is known of every device, the bound where each has a schedule, else ideal */
    const bar_kind rank = n_predicted == d->n ? PREDICTED : n_scheduled == d->n ? BEST : IDEAL;
    for (uint32_t i = 0; i < d->n; i++)
        d->devices[i].rank_s = d->devices[i].seconds[rank];
    /* Within a model the faster first; of equally fast ones those that run it as it is, then by name, so that
     * the order does not depend on that of the arguments. */
    order_sort(d->devices, d->n, sizeof *d->devices,
               ORDER_BY(RISING(device, model), RISING(device, rank_s), RISING(device, is_other_target),
                        RISING(device, id)));
    d->n = d->n < MOST_DEVICES ? d->n : MOST_DEVICES;
    d->n_left_out = s->n_devices - d->n;
}

static void put_bars(const drawing *d, const chart_axis *x, double factor)
{
    figure_block(d->f, "bars", "time\ty [px]\thalf height [px]\tcolour\twhat\tdevice");
    FOR_EACH(const device, one, d->devices, d->n) {
        double y = one->top_px + BAR_PX / 2.0 + (d->f->is_wide ? 0 : 2 + one->names_px);
        for (bar_kind k = 0; k < KINDS; k++) {
            const double value = one->seconds[k] * factor;
            if (isnan(value))
                continue;
            FIGURE_NUMBERS(d->f, value, y, BAR_PX / 2.0 - 1.5, bars[k].colour);
            figure_text(d->f, bars[k].word);
            figure_text(d->f, one->p->hardware.name);
            figure_end_row(d->f);
            figure_put(d->f, chart_axis_px(x, value) + 6, y, ANCHOR_LEFT, LETTER_SMALL,
                       k == BEST ? COLOUR_MUTED : COLOUR_INK, one->words[k]);
            y += BAR_PX;
        }
    }
}

static void put_names(const drawing *d)
{
    static const letter_kind letters[] = {LETTER_BOLD, LETTER_SMALL, LETTER_SMALL};
    static const uint32_t colours[] = {COLOUR_INK, COLOUR_MUTED, COLOUR_GAP};
    chart_figure *f = d->f;
    const double left = f->is_wide ? 16 : 22,
                 width = f->is_wide ? NAME_PX - 16 : f->canvas.width_px - left - 16;
    FOR_EACH(const device, one, d->devices, d->n) {
        const roof_prediction *p = one->p;
        const double clock = p->hardware.clock_hz, bandwidth = p->hardware.bandwidth_bytes_per_s;
        /* a stream keeps its array; without one that fits, cycles are what the shapes would take */
        const bool is_from_shapes = p->total.deployed.cycles_basis != ROOF_BASIS_CODE;
        const char *const texts[] = {
            d->n_models > 1 ? figure_printf(f, "%s on %s", p->model.name, p->hardware.id) : p->hardware.name,
            figure_printf(f, "%s: %s, %s", p->hardware.id, /* "kv260: 300 MHz, 19.2 GB/s" */
                          clock > 0 ? say_quantity(f->arena, clock, "Hz") : "clock not known",
                          bandwidth > 0 ? say_quantity(f->arena, bandwidth, "B/s") : "memory not known"),
            figure_printf(f, is_from_shapes ? "shapes, not %s" : "array of %s",
                          p->model.target ? p->model.target : "another array")};
        for (uint32_t k = 0; k < (one->is_other_target ? 3 : 2); k++)
            figure_put(f, left, one->top_px + LINE_PX * (k + 0.5), ANCHOR_LEFT, letters[k], colours[k],
                       figure_shorten(f, texts[k], letters[k], width));
    }
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.f = f};
    uint32_t others = 0, measured = 0;
    take_devices(&d, s);
    if (!d.n)
        return;
    for (uint32_t i = 0; i < d.n; i++) {
        others += d.devices[i].is_other_target;
        measured += d.devices[i].seconds[MEASURED] > 0;
    }
    const char *conditions =
        SAY_TEXT(f->arena,
                 "{} {}{}, [?not measured][?measured on {}][?; on {} not with the array that the model was "
                 "compiled for][?; {} not shown]",
                 AS_COUNT(d.n), AS_TEXT(d.n_models > 1 ? "pair" : "device"), AS_TEXT(say_plural(d.n)),
                 AS_COUNT(!measured), AS_COUNT(measured), AS_COUNT(others), AS_COUNT(d.n_left_out));
    /* As high as the devices need. Names stand beside the bars of a wide canvas, else above them. */
    const double least_px = 60, top = figure_head(f, verdict(&d), conditions);
    double y = top + 8;
    FOR_EACH(device, one, d.devices, d.n) {
        for (bar_kind k = 0; k < KINDS; k++) {
            d.most_s = fmax(d.most_s, one->seconds[k]); /* of NaN and a number the number */
            if (one->words[k])
                d.words_px = fmax(d.words_px, figure_text_width_px(one->words[k], LETTER_SMALL));
        }
        one->top_px = y;
        y += (f->is_wide ? fmax(one->names_px, one->bars_px) : one->names_px + 2 + one->bars_px) + BETWEEN_PX;
    }
    double left = f->is_wide ? 16 + NAME_PX : 16, right = f->canvas.width_px - 16 - d.words_px - 8;
    d.plot = (plot_area){left, fmax(left + least_px, right), top + 4, y - BETWEEN_PX / 2.0};
    figure_set_height(f, y + BELOW_PX);
    figure_foot(f, provenance(s, f));
    const chart_scale scale = chart_scale_of(d.most_s);
    const chart_axis x = {0, d.most_s * scale.factor, .from_px = d.plot.left_px, .to_px = d.plot.right_px};
    figure_set_area(f, "plot", &d.plot);
    chart_axis_set(f, "x", &x);
    figure_set(f, "y_top", d.plot.top_px);
    figure_set(f, "y_bottom", d.plot.bottom_px);
    chart_axis_number(f, "x-grid", &x, AXIS_BELOW, &d.plot);
    chart_axis_title_below(f, &d.plot, figure_printf(f, "Time of one run [%s]", scale.unit));
    put_bars(&d, &x, scale.factor);
    put_names(&d);
    f->caption =
        "For every device, the shortest bar first. Bound: no whole-network run is faster. Ideal: sum of the "
        "layers. Predicted: the time to expect on that device. Measured: the whole-network run. What is "
        "unknown has no bar.";
}

const chart_def chart_devices = {.id = "devices", .scope = CHART_DEVICES, .draw = draw};
