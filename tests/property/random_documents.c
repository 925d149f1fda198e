/* Random measured profiles: written, read and written again they are the same bytes, in whatever order the
 * members of an object stand. ROOF_SEED sets where to start; a failure prints the seed of its document. */
#include "core/error.h"
#include "core/json/jsontree.h"
#include "core/quantity.h"
#include "measure/profile/phases.h"
#include "measure/profile/profile.h"
#include "tests/property/random.h"
#include "tests/support/codec_random.h"
#include "tests/support/memory_io.h"
#include "tests/support/sample.h"
#include "tests/unit/fixture.h"

enum { DOCUMENTS = 3000 };

static uint32_t below(uint32_t n)
{
    return (uint32_t)((next_random() >> 11) % n);
}

static bool maybe(void)
{
    return below(2);
}

/* ---- random values ---- */

/* Of every size, as many digits as a double has, and often just few. */
static double random_seconds(void)
{
    double value = ldexp((double)(next_random() >> 11), -(int)below(90) - 14);
    return maybe() ? value : (double)below(1000) / 1000;
}

static uint64_t random_count(void)
{
    return maybe() ? below(1000) : next_random() >> 11;
}

static const char *random_name(roof_measured *m)
{
    static const char *const letters[] = {
        "a", "B", "7", "_", "/", " ", "\"", "\\", "+", "\xc3\xa9", "\xf0\x9f\x98\x80"};
    char text[80] = "";
    for (uint32_t n = below(12); n > 0; n--)
        strcat(text, letters[below(COUNT(letters))]);
    return measured_text(m, text, strlen(text));
}

static const char *maybe_name(roof_measured *m)
{
    return maybe() ? random_name(m) : NULL;
}

/* Statistics in their order, or samples, or nothing. */
static void random_times(roof_measured *m, roof_times *t)
{
    double samples[8];
    size_t n = 1 + below(8);
    for (size_t i = 0; i < n; i++)
        samples[i] = random_seconds();
    *t = times_unknown();
    if (!below(3))
        return;
    assert_int_equal(times_from_samples(m, samples, n, t, NULL), ROOF_OK);
    if (maybe())
        return;
    double *const members[] = {&t->std_s, &t->min_s, &t->max_s, &t->median_s, &t->p95_s, &t->p99_s};
    t->cov_ratio = maybe() ? random_seconds() : NAN;
    t->samples_s = NULL;
    for (size_t i = 0; i < COUNT(members); i++)
        if (maybe())
            *members[i] = NAN;
    if (maybe())
        t->count = ROOF_UNKNOWN;
}

static void random_counters(roof_measured *m, roof_measured_layer *layer)
{
    static const char *const domains[] = {"dpu", "cpu", "x y", "[0]"};
    roof_layer_counters *c = layer_counters_of(m, layer);
    assert_non_null(c);
    c->device = maybe_name(m);
    uint64_t *const counts[] = {&c->read_bytes, &c->write_bytes, &c->total_bytes, &c->workload_ops};
    double *const numbers[] = {&c->ops_per_s, &c->energy_j};
    for (size_t i = 0; i < COUNT(counts); i++)
        *counts[i] = maybe() ? random_count() : ROOF_UNKNOWN;
    for (size_t i = 0; i < COUNT(numbers); i++)
        *numbers[i] = maybe() ? random_seconds() : NAN;
    c->share_ratio = maybe() ? (double)below(1001) / 1000 : NAN;
    c->bytes_origin = (roof_bytes_origin)below(3);
    c->cycles_kind = (roof_cycles_kind)below(3);
    c->n_cycles = below(COUNT(domains) + 1);
    c->cycles = NEW_ARRAY(m->storage->arena, roof_domain_cycles, c->n_cycles);
    for (uint32_t i = 0; i < c->n_cycles; i++)
        c->cycles[i] = (roof_domain_cycles){domains[i], random_count()};
}

static void random_phases_and_events(roof_measured *m, roof_measured_layer *layer, roof_run *run)
{
    static const char *const names[] = {"pre", "core", "post", "a.b [c]", "_"};
    static const char *const counters[COUNT(names)] = {"a.b [c]", "stream4.in.active_cycles",
                                                       "compiler.p.read_bytes", "p.read_bytes",
                                                       "busif1.write_bursts_8"};
    for (uint32_t i = 0, n = below(COUNT(names) + 1); i < n; i++) {
        const char *phase = names[i / 2];
        roof_domain_cycles cycles = {names[i], random_count()};
        roof_event event;
        assert_int_equal(counter_parse(counters[i], m->storage->arena, &event, NULL), ROOF_OK);
        event.count = random_count();
        counted_list of = layer ? counted_of_layer(m, layer) : counted_of_run(m, run);
        assert_int_equal(counted_set_phase(of, phase, cycles, NULL), ROOF_OK);
        assert_int_equal(counted_set_event(of, event, NULL), ROOF_OK);
    }
}

static void random_layer(roof_measured *m, roof_run *run, uint32_t index)
{
    roof_measured_layer *layer = run_add_layer(m, run);
    assert_non_null(layer);
    layer->index = maybe() ? index : ROOF_NONE;
    layer->name = layer->index == ROOF_NONE ? random_name(m) : maybe_name(m);
    layer->type = maybe_name(m);
    layer->basis = (roof_time_basis)below(3);
    random_times(m, &layer->time);
    if (maybe())
        random_counters(m, layer);
    if (maybe())
        random_phases_and_events(m, layer, NULL);
}

static void random_conditions(roof_measured *m, roof_run *run)
{
    const uint32_t n = below(4);
    roof_condition *all = n ? NEW_ARRAY(m->storage->arena, roof_condition, n) : NULL;
    for (uint32_t i = 0; i < n; i++)
        all[i] = (roof_condition){random_seconds(), maybe() ? random_seconds() : NAN,
                                  maybe() ? -random_seconds() : NAN, maybe() ? random_seconds() : NAN,
                                  maybe() ? "powersave" : NULL};
    run->conditions = all;
    run->n_conditions = n;
}

/* Instead of layers. */
static void random_load(roof_measured *m, roof_run *run)
{
    double *means_s;
    run->threads = 1 + below(5);
    run->frames_per_s = maybe() ? random_seconds() : NAN;
    if (maybe())
        return;
    assert_int_equal(ARENA_GET(m->storage->arena, means_s, run->threads, NULL), ROOF_OK);
    for (uint32_t i = 0; i < run->threads; i++)
        means_s[i] = maybe() ? random_seconds() : NAN;
    run->thread_means_s = means_s;
}

static void random_run(roof_measured *m, roof_experiment *e)
{
    static const char *const names[] = {"host", "write", "run", "DMA in", "_"};
    roof_run *run = experiment_add_run(m, e, (roof_run_mode)below(ROOF_RUN_MODES));
    assert_non_null(run);
    run->boundaries = maybe() ? below(UINT32_MAX) : ROOF_NONE;
    run->launches = maybe() ? below(50) : ROOF_NONE;
    run->warmup = maybe() ? random_count() : ROOF_UNKNOWN;
    run->total_bytes = maybe() ? random_count() : ROOF_UNKNOWN;
    run->sum_of_layers_s = maybe() ? random_seconds() : NAN;
    run->power_w = maybe() ? random_seconds() : NAN;
    run->idle_power_w = maybe() ? random_seconds() : NAN;
    random_conditions(m, run);
    for (uint32_t i = 0, n = below(3); i < n; i++)
        assert_int_equal(
            run_add_doubt(m, run, (roof_doubt_kind)below(ROOF_DOUBT_KINDS), NULL, "%u MB", below(9)),
            ROOF_OK);
    random_times(m, &run->total);
    random_phases_and_events(m, NULL, run);
    for (uint32_t i = 0, n = below(COUNT(names)); i < n; i++) {
        const char *whole = i && maybe() ? names[i - 1] : NULL;
        double seconds = whole ? run->phases[i - 1].seconds / 2 : random_seconds();
        roof_phase *phase = array_add(m->storage->arena, &run->phases, &run->n_phases, sizeof *phase);
        *phase = (roof_phase){names[i], seconds, whole, (roof_phase_kind)below(ROOF_PHASE_KINDS)};
        if (!phase->kind)
            phase->kind = phase_implied_kind(run, phase);
        assert_int_equal(run_add_clock(m, run, names[i], 1 + (double)random_count(), NULL), ROOF_OK);
    }
    if (run->mode == ROOF_RUN_LOAD)
        random_load(m, run);
    for (uint32_t i = 0, n = run->mode == ROOF_RUN_LOAD ? 0 : below(9); i < n; i++)
        random_layer(m, run, 1 + i * 3);
}

static void random_source(roof_measured *m)
{
    roof_measured_source *s = measured_add_source(m);
    assert_non_null(s);
    s->tool = maybe_name(m);
    s->notes = maybe_name(m);
    s->n_files = below(4);
    s->files = NEW_ARRAY(m->storage->arena, const char *, s->n_files);
    for (uint32_t i = 0; i < s->n_files; i++)
        s->files[i] = random_name(m);
}

static roof_measured *random_profile(void)
{
    static const char *const boards[] = {"kv260", "zcu104", NULL};
    roof_measured *m = measured_new();
    assert_non_null(m);
    for (uint32_t n = below(4); n > 0; n--)
        random_source(m);
    for (uint32_t n = 1 + below(3); n > 0; n--) {
        roof_experiment *e = measured_add_experiment(m);
        assert_non_null(e);
        e->model_path = maybe_name(m);
        e->model_name = maybe_name(m);
        e->graph_hash = maybe_name(m);
        e->hardware_id = boards[below(COUNT(boards))];
        for (uint32_t runs = 1 + below(3); runs > 0; runs--)
            random_run(m, e);
    }
    return m;
}

/* ---- out, in, and out again ---- */

static textbuf written(const roof_measured *m)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    assert_int_equal(roof_measured_write(m, (roof_sink){memory_write, &text}, NULL), ROOF_OK);
    assert_int_equal(text_status(&text, NULL), ROOF_OK);
    return text;
}

/* Of layers the tables see nothing, since what few of them have is kept apart; their bytes tell. */
static void assert_same_when_read(uint64_t seed, const textbuf *text, const roof_measured *is,
                                  const textbuf *want)
{
    memory_source source = {text->bytes, text->length, 1 + below(5000)};
    roof_measured *m = NULL;
    roof_error err;
    if (measured_codec_read(memory_read, &source, "m.json", &m, &err) != ROOF_OK)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s\n%s", seed, fx_message(&err), text->bytes);
    const char *difference = is ? codec_difference(&measured_object, is, m, NULL) : NULL;
    if (difference)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s came back as something else\n%s", seed, difference, text->bytes);
    textbuf again = written(m);
    if (strcmp(again.bytes, want->bytes) != 0)
        fail_msg("ROOF_SEED=%" PRIu64 ": got\n%s\nwant\n%s", seed, again.bytes, want->bytes);
    text_free(&again);
    roof_measured_free(m);
}

static uint64_t seed_random(uint64_t i)
{
    uint64_t seed = first_seed() + i;
    random_state = seed * 0x9e3779b97f4a7c15 + 1;
    return seed;
}

static void what_was_written_is_read_and_written_the_same(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = sample_of(DOCUMENTS, 4); i < n; i++) {
        uint64_t seed = seed_random(i);
        roof_measured *m = random_profile();
        textbuf text = written(m);
        assert_same_when_read(seed, &text, m, &text);
        roof_measured_free(m);
        text_free(&text);
    }
}

/* ---- members in another order ---- */

static void put_shuffled(textbuf *out, const cJSON *node, bool shuffle);

static void put_string(textbuf *out, const char *text)
{
    text_puts(out, "\"");
    for (; *text; text++)
        text_printf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    text_puts(out, "\"");
}

/* The order of these is that of the document, like that of a list. */
static bool is_list_of_names(const char *key)
{
    static const char *const keys[] = {"phases", "clocks_hz", "cycles", "phase_cycles", "events"};
    for (size_t i = 0; key && i < COUNT(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void put_children(textbuf *out, const cJSON *node, bool shuffle)
{
    const cJSON *children[64];
    size_t n = 0;
    bool object = cJSON_IsObject(node);
    for (const cJSON *c = node->child; c; c = c->next) {
        assert_true(n < COUNT(children));
        children[n++] = c;
    }
    for (size_t i = n; object && shuffle && i > 1; i--) {
        size_t k = below((uint32_t)i);
        const cJSON *c = children[k];
        children[k] = children[i - 1];
        children[i - 1] = c;
    }
    for (size_t i = 0; i < n; i++) {
        text_puts(out, i ? "," : "");
        if (object)
            put_string(out, children[i]->string);
        text_puts(out, object ? " : " : "\n");
        put_shuffled(out, children[i], !object || (shuffle && !is_list_of_names(children[i]->string)));
    }
}

static void put_shuffled(textbuf *out, const cJSON *node, bool shuffle)
{
    char number[40];
    if (cJSON_IsString(node)) {
        put_string(out, cJSON_GetStringValue(node));
    } else if (cJSON_IsNumber(node)) {
        number_format(number, sizeof number, cJSON_GetNumberValue(node));
        text_puts(out, number);
    } else if (cJSON_IsNull(node)) {
        text_puts(out, "null");
    } else {
        text_puts(out, cJSON_IsObject(node) ? "{" : "[");
        put_children(out, node, shuffle);
        text_puts(out, cJSON_IsObject(node) ? "}" : "]");
    }
}

static void the_order_of_members_is_of_no_matter(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = sample_of(DOCUMENTS / 3, 4); i < n; i++) {
        uint64_t seed = seed_random(i);
        roof_measured *m = random_profile();
        textbuf text = written(m), shuffled;
        cJSON *root = NULL;
        roof_measured_free(m);
        text_init(&shuffled, TEXT_MAX_BYTES);
        assert_int_equal(jsontree_parse(text.bytes, text.length, NULL, &root, NULL), ROOF_OK);
        put_shuffled(&shuffled, root, true);
        assert_same_when_read(seed, &shuffled, NULL, &text);
        cJSON_Delete(root);
        text_free(&text);
        text_free(&shuffled);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_and_written_the_same),
        cmocka_unit_test(the_order_of_members_is_of_no_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
