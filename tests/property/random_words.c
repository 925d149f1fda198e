/* No number that is none is printed: reconciliations of extreme profiles, as text, Markdown, JSON, CSV,
 * timeline and page, hold neither "nan" nor "inf", and their sums close. ROOF_SEED sets where to start. */
#include "reports/page/page_sections.h"
#include "roofline/calibrate.h"
#include "roofline/render.h"
#include "tests/property/random.h"
#include "tests/support/sample.h"
#include "tests/unit/profile_fixture.h"

#include <ctype.h>

enum { TRIALS = 1500 };

static uint32_t below(uint32_t n)
{
    return (uint32_t)(next_random() >> 33) % n;
}

static bool maybe(void)
{
    return below(2);
}

/* Denormal, tiny, ordinary, huge, and none; often the same, so that nothing scatters. */
static double extreme(void)
{
    static const double values[] = {0,     5e-324, 1e-310, 1e-30, 1e-9, 2e-6, 0.001,
                                    0.001, 0.004,  1,      3,     1e6,  1e12};
    return values[below(COUNT(values))];
}

static double count(void)
{
    static const double values[] = {1, 1, 2, 3, 100, 9007199254740992.0};
    return values[below(COUNT(values))];
}

/* --- a document --------------------------------------------------------------------------------------- */

static void put_times(textbuf *out)
{
    double time = extreme();
    switch (below(5)) {
    case 0:
        text_printf(out, "\"samples_s\":[%.17g", time);
        for (uint32_t i = below(12); i; i--)
            text_printf(out, ",%.17g", maybe() ? time : extreme());
        text_puts(out, "]");
        break;
    case 1:
        text_printf(out, "\"median_s\":%.17g", time);
        break;
    case 2:
        text_printf(out, "\"mean_s\":%.17g,\"std_s\":%.17g,\"min_s\":%.17g,\"max_s\":%.17g,\"count\":%.0f",
                    time, extreme(), time, time, count());
        break;
    case 3:
        text_printf(out, "\"count\":%.0f", count());
        break;
    default:
        text_printf(out, "\"mean_s\":%.17g", time);
    }
}

static void put_cycles(textbuf *out)
{
    text_printf(out, "{\"mcu\":%.0f,\"npu\":%.0f}", maybe() ? 0 : count(), maybe() ? 0 : count());
}

static void put_row(textbuf *out, uint32_t i, bool is_epochs)
{
    text_printf(out, "%s{\"name\":\"%s%u\"", i ? "," : "", is_epochs ? "epoch_" : "l", i + 1);
    if (below(4)) {
        text_puts(out, ",");
        put_times(out);
    } else if (maybe()) {
        text_printf(out, ",\"share_ratio\":%.17g", maybe() ? 0 : 0.5);
    }
    if (!below(3))
        text_printf(out, ",\"ops_per_s\":%.17g,\"read_bytes\":%.0f,\"write_bytes\":0", extreme(), count());
    if (is_epochs) {
        text_puts(out, ",\"type\":\"HW\",\"phase_cycles\":{\"core\":");
        put_cycles(out);
        text_puts(out, ",\"pre+post\":");
        put_cycles(out);
        text_printf(out,
                    "},\"events\":{\"compiler.ops\":%.0f,\"compiler.compute_cycles\":0,"
                    "\"compiler.max_cycles\":%.0f,\"busif0.read_bytes\":0}",
                    count(), count());
    }
    text_puts(out, "}");
}

static void put_run(textbuf *out, const char *mode, bool has_rows)
{
    bool is_epochs = has_rows && !below(4);
    text_printf(out, "{\"mode\":\"%s\"", mode);
    if (below(4)) {
        text_puts(out, ",\"total\":{");
        put_times(out);
        text_puts(out, "}");
    }
    if (!below(3))
        text_printf(out, ",\"sum_of_layers_s\":%.17g", extreme());
    if (maybe())
        text_printf(out, ",\"boundaries\":%u", below(40));
    if (maybe())
        text_printf(out, ",\"phases\":{\"run_s\":%.17g,\"host_s\":%.17g,\"x_s\":0}", extreme(), extreme());
    if (is_epochs || !below(4))
        text_printf(out, ",\"clocks_hz\":{\"mcu\":%g,\"npu\":%g}", maybe() ? 1 : 8e8, maybe() ? 1e300 : 1e9);
    if (is_epochs && maybe())
        text_puts(out, ",\"phase_cycles\":{\"core\":{\"mcu\":0},\"pre+post\":{\"mcu\":0}}");
    if (has_rows) {
        text_puts(out, ",\"layers\":[");
        for (uint32_t i = 0, n = 1 + below(6); i < n; i++)
            put_row(out, i, is_epochs);
        text_puts(out, "]");
    }
    text_puts(out, "}");
}

static void put_layer(textbuf *out, uint32_t i)
{
    double ideal = extreme();
    text_printf(
        out,
        "%s{\"index\":%u,\"name\":\"l%u\",\"type\":\"%s\",\"device\":\"%s\",\"macs\":0,\"ops_count\":%.0f,"
        "\"workload_ops\":%.0f,\"cycles\":{\"conv\":%.0f,\"alu\":0,\"ideal\":%.0f},\"bound\":\"conv\","
        "\"ideal_s\":%.17g}",
        i ? "," : "", i + 1, i + 1, maybe() ? "conv" : "pool", below(5) ? "DPU" : "CPU",
        maybe() ? 0 : count(), maybe() ? 0 : count(), maybe() ? 0 : count(), maybe() ? 0 : count(), ideal);
}

static void put_prediction(textbuf *out)
{
    text_printf(out,
                ",\"prediction\":{\"schema\":\"roofline.prediction/"
                "1\",\"model\":{\"name\":\"net\"},\"hardware\":{\"id\":"
                "\"test\",\"name\":\"Test\",\"clock_hz\":%g,\"bandwidth_bytes_per_s\":%g},\"layers\":[",
                maybe() ? 1e6 : 1e300, maybe() ? 1e9 : 1);
    for (uint32_t i = 0, n = 1 + below(5); i < n; i++)
        put_layer(out, i);
    text_printf(out, "],\"total\":{\"boundaries\":%u,\"ideal_s\":%.17g,\"floor_s\":%.17g}}", below(9),
                extreme(), extreme());
}

static void put_document(textbuf *out)
{
    text_puts(out, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    for (uint32_t i = 0, n = 1 + below(5); i < n; i++) {
        bool bypass = maybe();
        text_printf(out, "%s{\"model\":{\"name\":\"m%u\"},\"hardware\":{\"id\":\"test\"},\"runs\":[",
                    i ? "," : "", i);
        if (bypass)
            put_run(out, "bypass", !below(5));
        if (!bypass || maybe()) {
            text_puts(out, bypass ? "," : "");
            put_run(out, "per_layer", below(5));
        }
        text_puts(out, "]");
        if (below(4))
            put_prediction(out);
        text_puts(out, "}");
    }
    text_puts(out, "]}");
}

/* --- what is written of it ---------------------------------------------------------------------------- */

/* The first "nan" or "inf" that is a word; NULL: there is none. */
static const char *no_number(const char *text)
{
    for (const char *p = text; *p; p++) {
        bool begins = p == text || !isalnum((unsigned char)p[-1]);
        if (begins && (strncasecmp(p, "nan", 3) == 0 || strncasecmp(p, "inf", 3) == 0) &&
            !isalnum((unsigned char)p[3]) && p[3] != '_')
            return p;
    }
    return NULL;
}

static void check(const char *what, const char *text, const char *json)
{
    const char *found = no_number(text);
    if (found)
        fail_msg("%s: ...%.*s\n%s", what, 160, found > text + 120 ? found - 120 : text, json);
}

static void check_page(const roof_reconciliation *r, const roof_calibration *c, const char *json)
{
    const roof_report_input input = {.reconciliation = r, .calibration = c};
    page_model models[8];
    textbuf out;
    roof_error err;
    uint32_t n = 0;
    for (; n < r->n_experiments && n < COUNT(models); n++)
        models[n] = (page_model){.name = r->experiments[n].model,
                                 .experiment = &r->experiments[n],
                                 .prediction = r->experiments[n].prediction};
    report_page page = {.input = &input, .arena = arena_new(0), .models = models, .n_models = n};
    text_init(&out, TEXT_MAX_BYTES);
    if (page_put(&page, &out, &err) != ROOF_OK)
        fail_msg("%s\n%s", fx_message(&err), json);
    check("page", strstr(out.bytes, "<header>"), json);
    text_free(&out);
    arena_free(page.arena);
}

/* Parts and what they leave are the whole; phases are never more than theirs. */
static void check_sums(const roof_reconciled *e)
{
    const roof_attribution *const all[] = {&e->layer_by_layer, &e->deployed, &e->wall};
    for (size_t i = 0; i < COUNT(all); i++) {
        double sum = 0, least = 0;
        for (uint32_t k = 0; k < all[i]->n_parts; k++) {
            sum += all[i]->parts[k].seconds;
            least = fmin(least, all[i]->parts[k].seconds);
        }
        assert_true(!all[i]->of || all[i]->attributed_s + all[i]->unattributed_s == all[i]->total_s);
        assert_true(fabs(sum - all[i]->attributed_s) <= 1e-9 * fmax(all[i]->total_s, fabs(least)) ||
                    !all[i]->of);
        assert_true(all[i] != &e->wall || (least == 0 && sum <= 1.001001 * all[i]->total_s) || !all[i]->of);
    }
}

static void check_all(const roof_reconciliation *r, const char *json)
{
    static const char *const formats[] = {"text", "markdown", "json", "csv", "trace"};
    roof_calibration *c = NULL;
    roof_error err;
    if (roof_calibrate(r, &c, &err) != ROOF_OK)
        c = NULL;
    for (size_t i = 0; i < 2 * COUNT(formats); i++) {
        const char *format = formats[i % COUNT(formats)];
        bool is_chosen = i >= COUNT(formats), is_csv = strcmp(format, "csv") == 0;
        roof_render_options options = {
            .format = format, .all_findings = !is_chosen, .details = true, .calibration = c, .width = 200};
        if (is_chosen && (strcmp(format, "json") == 0 || strcmp(format, "trace") == 0))
            continue; /* without tables */
        if (is_chosen) {
            options.sort = maybe() ? (is_csv ? "ideal" : "bound") : is_csv ? "verdict:desc" : "model:asc";
            options.most_rows = 1 + below(3);
            options.deadline_s = is_csv ? 0 : extreme();
            options.height = 1;
        }
        textbuf out;
        text_init(&out, TEXT_MAX_BYTES);
        if (roof_render(r, &options, (roof_sink){memory_write, &out}, &err) != ROOF_OK)
            fail_msg("%s: %s\n%s", format, fx_message(&err), json);
        check(format, out.bytes, json);
        text_free(&out);
    }
    for (uint32_t i = 0; i < r->n_experiments; i++)
        check_sums(&r->experiments[i]);
    check_page(r, c, json);
    roof_calibration_free(c);
}

static void no_output_holds_what_is_no_number_and_sums_close(void **state)
{
    uint32_t read = 0;
    const uint32_t trials = sample_of(TRIALS, 4);
    (void)state;
    random_state = first_seed();
    for (uint32_t trial = 0; trial < trials; trial++) {
        textbuf json;
        roof_measured *m = NULL;
        roof_reconciliation *r = NULL;
        roof_error err;
        const roof_prediction *predictions[8] = {NULL};
        text_init(&json, TEXT_MAX_BYTES);
        put_document(&json);
        memory_source source = {json.bytes, json.length, 0};
        if (measured_codec_read(memory_read, &source, "m.json", &m, &err) == ROOF_OK) {
            for (uint32_t i = 0; i < m->n_experiments; i++)
                predictions[i] = m->experiments[i].prediction;
            if (roof_reconcile(m, predictions, NULL, &r, &err) != ROOF_OK)
                fail_msg("%s\n%s", fx_message(&err), json.bytes);
            check_all(r, json.bytes);
            read++;
        }
        roof_reconciliation_free(r);
        roof_measured_free(m);
        text_free(&json);
    }
    print_message("%u of %u documents are valid\n", read, trials);
    assert_true(read > trials / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_output_holds_what_is_no_number_and_sums_close)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
