/* Two lines that the Vitis AI execution provider of ONNX Runtime prints when a session begins:
 *
 *   [Vitis AI EP] No. of Operators :   CPU     2    IPU   398  99.50%
 *   [Vitis AI EP] No. of Subgraphs :   CPU     1    IPU     1 Actually running on IPU     1
 *
 * They say how many operators run where, NPU, IPU, VAIML or a kind of operator, and have no times.
 */
#include "measure/import/importer.h"

typedef struct reading {
    import_state *in;
    uint32_t n_lines;
} reading;

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    static const char *const whats[] = {"Operators", "Subgraphs"};
    double all = 0, of_cpu = 0;
    (void)err;
    for (size_t i = 0; i < N_OF(whats); i++) {
        text_span rest = {line->text, line->length};
        if (!span_skip_past(&rest, "No. of ") || !span_skip(&rest, whats[i]) || !span_skip_past(&rest, ":"))
            continue;
        for (double n; (rest = span_trim(rest)).length && !span_begins(rest, "Actually");) {
            const text_span where = span_until(&rest, " \t");
            if (!span_scan(&rest, " #", &n))
                break;
            all += n;
            of_cpu += span_has(where, "CPU") ? n : 0;
            import_note(r->in, "%s: %s %s", SHOWN(where), NUMBER(n), i ? "subgraphs" : "operators");
            span_scan(&rest, " ~%", &n);
        }
        r->n_lines += all > 0;
        if (i == 0 && all > 0)
            import_note(r->in, "%s of %s operators run on the CPU, and the others on the NPU", NUMBER(of_cpu),
                        NUMBER(all));
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    if (!r->n_lines)
        return error_data(err, "no numbers of operators, want \"No. of Operators :   CPU  2   NPU  398\"");
    import_note(r->in, "these lines have no times: import the profile that ONNX Runtime wrote of the "
                       "session, together with them");
    return ROOF_OK;
}

const importer_def importer_vitisai_ep = {
    .id = "vitisai_ep",
    .tool = "Vitis AI execution provider",
    .marks = {LIKELY("No. of Operators :", "No. of Subgraphs :"), LIKELY("[Vitis AI EP] No. of Operators")},
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
