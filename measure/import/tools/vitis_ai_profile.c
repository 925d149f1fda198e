/* vitis_ai_profile.csv of vaitrace: inferences/s of a DPU and what the memory's ports moved, over time.
 *
 *   DPU Throughput
 *   timestamp,FPS
 *
 *   DDR Bandwidth
 *   timestamp,DDRC_PORT_S1_Read,DDRC_PORT_S1_Write,...     in 10^6 bytes per second, newest first
 * Neither is a time of a network: inferences/s of several threads say nothing of one frame, and the
 * memory serves the whole board, on a time base of its own. The means go into remarks, beside a profile that
 * is imported together with this file, and no experiment is made.
 */
#include "measure/import/importer.h"

enum { MAX_COLUMNS = 64 };

typedef enum section { OUTSIDE, FRAMES, MEMORY } section;

typedef struct reading {
    import_state *in;
    section section;
    size_t n_columns; /* 0: the heading comes next */
    bool writes[MAX_COLUMNS];
    uint64_t n_frames, n_memory;
    double frames, moved[2]; /* means; read and written */
} reading;

static roof_status read_row(reading *r, const text_span *cells, size_t n, roof_error *err)
{
    double values[MAX_COLUMNS] = {0}, moved[2] = {0, 0};
    if (n != r->n_columns)
        return error_data(err, "a row of %zu fields, want %zu: is the file whole?", n, r->n_columns);
    for (size_t i = 1; i < n; i++) {
        TRY(span_number(cells[i], r->section == FRAMES ? "FPS" : "a bandwidth", &values[i], err));
        moved[r->writes[i]] += values[i];
    }
    if (r->section == FRAMES) {
        r->frames += (values[1] - r->frames) / (double)++r->n_frames;
        return ROOF_OK;
    }
    r->n_memory++;
    for (int w = 0; w < 2; w++)
        r->moved[w] += (moved[w] - r->moved[w]) / (double)r->n_memory;
    return ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span cells[MAX_COLUMNS];
    bool frames = strcmp(line->text, "DPU Throughput") == 0;
    if (frames || strcmp(line->text, "DDR Bandwidth") == 0) {
        r->section = frames ? FRAMES : MEMORY;
        r->n_columns = 0;
        return ROOF_OK;
    }
    if (!line->length || r->section == OUTSIDE)
        return ROOF_OK;
    size_t n = span_split((text_span){line->text, line->length}, ',', cells, MAX_COLUMNS);
    TRY(HAS_ROOM(n - 1, MAX_COLUMNS, err, "fields"));
    if (n > 1 && !cells[n - 1].length)
        n--; /* lines end with a comma */
    if (r->n_columns)
        return read_row(r, cells, n, err);
    r->n_columns = n;
    if (!span_is(cells[0], "timestamp") || (r->section == FRAMES && !(n > 1 && span_is(cells[1], "FPS"))))
        return error_data(err, "'%s', want the headings timestamp and %s", SHOWN(cells[0]),
                          r->section == FRAMES ? "FPS" : "those of memory ports");
    for (size_t i = 1; i < n; i++) {
        r->writes[i] = !span_has(cells[i], "_Read");
        if (r->section == MEMORY && r->writes[i] && !span_has(cells[i], "_Write"))
            return error_data(err, "column %zu is '%s', want a memory port's Read or Write", i + 1,
                              SHOWN(cells[i]));
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    if (!r->n_frames && !r->n_memory)
        return error_data(err, "neither frames nor bandwidth were recorded; import vart_trace.csv or "
                               "profile_summary.csv, which lie beside it");
    import_note(in, "the file has no times of a network: import vart_trace.csv or profile_summary.csv, which "
                    "lie beside it, together with it");
    if (r->n_frames)
        import_note(in, "%s inferences/s (mean of %llu), of how many threads is not stated",
                    NUMBER(r->frames), (unsigned long long)r->n_frames);
    if (r->n_memory)
        import_note(
            in, "the memory of the whole board: %s MB/s read and %s MB/s written (10^6 bytes, mean of %llu)",
            NUMBER(r->moved[0]), NUMBER(r->moved[1]), (unsigned long long)r->n_memory);
    return ROOF_OK;
}

const importer_def importer_vitis_ai_profile = {.id = "vitis_ai_profile",
                                                .marks = {SURE("DPU Throughput", "timestamp,FPS")},
                                                .reading_bytes = sizeof(reading),
                                                .line = read_line,
                                                .finish = finish};
