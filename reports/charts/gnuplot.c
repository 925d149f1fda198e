#include "reports/charts/gnuplot.h"
#include "core/files/child.h"
#include "core/files/mapfile.h"
#include "reports/embedded.h"
#include "reports/words/html.h"

#include <errno.h>
#include <strings.h>

/* How each kind of picture is made: its terminal, for a canvas of width times height pixels, 96 to an inch.
 * Letters of pdfcairo are 4/3 as large as points, which its fontscale takes back; lines half a point. */
static const struct {
    const char *extension, *terminal;
    double key_size;     /* gnuplot's size of a point whose radius, with its outline, is one pixel */
    double letter_scale; /* its size of a letter that is one pixel high */
} formats[PICTURE_FORMATS] = {
    [PICTURE_SVG] = {"svg", "svg size %.0f,%.0f fixed noenhanced font 'Arial,12' background '#ffffff'",
                     1 / 5.0, 1},
    [PICTURE_PNG] = {"png",
                     "pngcairo size 2*%.0f,2*%.0f noenhanced font 'Arial,9' fontscale 2 linewidth 2 "
                     "pointscale 2 background '#ffffff'",
                     1 / 3.1, 0.75},
    [PICTURE_PDF] = {"pdf",
                     "pdfcairo size %.0f/96.,%.0f/96. noenhanced font 'Arial,9' fontscale 0.75 linewidth "
                     "1.5 background '#ffffff'",
                     1 / 4.04, 0.75},
};

picture_format gnuplot_format_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    picture_format format = 0;
    while (format < PICTURE_FORMATS &&
           (!dot || dot == name || strcasecmp(dot + 1, formats[format].extension) != 0))
        format++;
    return format;
}

/* --- files -------------------------------------------------------------------------------------------- */

/* 'it''s': gnuplot evaluates nothing between single quotes. The ./ in front keeps it from taking a leading <
 * or | for a command to run. */
static void put_file_name(textbuf *out, const char *stem, const char *extension)
{
    text_puts(out, "'./");
    for (const char *p = stem; *p; p++)
        text_add(out, *p == '\'' ? "''" : p, *p == '\'' ? 2 : 1);
    text_printf(out, ".%s'", extension);
}

static roof_status save(const textbuf *text, const drawn_picture *p, const char *extension, roof_error *err)
{
    outputs_file *file;
    char *name = arena_printf(p->folder->set->arena, "%s.%s", p->stem, extension);
    TRY(ALLOCATED(name, err));
    TRY(outputs_open_in(p->folder, name, &file, err));
    if (!p->stays)
        outputs_drop(file);
    return outputs_close(file, outputs_write(file, text->bytes, text->length, err), err);
}

roof_status gnuplot_save_figure(const chart_figure *f, drawn_picture *p, roof_error *err)
{
    const char *const parts[] = {"begin", f->script, "texts"};
    textbuf script;
    text_init(&script, TEXT_MAX_BYTES);
    text_puts(
        &script,
        "# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this "
        "folder.\n"
        "if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'\n"
        "reset\nset terminal ");
    text_printf(&script, formats[p->format].terminal, f->canvas.width_px, f->canvas.height_px);
    text_puts(&script, "\nset output ");
    put_file_name(&script, p->stem, formats[p->format].extension);
    text_puts(&script, "\ndata = ");
    put_file_name(&script, p->stem, "dat");
    text_printf(&script, "\nkey_size = %.6f\nletter_scale = %g\n\n", formats[p->format].key_size,
                formats[p->format].letter_scale);
    text_add(&script, f->variables.bytes, f->variables.length);
    for (size_t i = 0; i < N_OF(parts); i++) {
        char name[80];
        snprintf(name, sizeof name, "%s.gp", parts[i]);
        text_puts(&script, "\n");
        text_puts(&script, embedded_text(name));
    }
    roof_status status = text_status(&script, err);
    THEN(status, save(&f->data, p, "dat", err));
    THEN(status, save(&script, p, "gp", err));
    text_free(&script);
    p->file = arena_printf(p->folder->set->arena, "%s.%s", p->stem, formats[p->format].extension);
    if (status == ROOF_OK && !p->file)
        return error_memory(err);
    return status == ROOF_OK && p->stays ? outputs_announce(p->folder, p->file, err) : status;
}

/* --- titles ------------------------------------------------------------------------------------------- */

/* gnuplot escapes '&' and '<' alone, but a text in XML may not hold "]]>" either. */
static void put_well_formed(textbuf *out, const char *bytes, size_t length)
{
    static const char end[] = "]]>";
    for (const char *found; (found = memmem(bytes, length, end, sizeof end - 1));) {
        size_t before = (size_t)(found - bytes);
        text_add(out, bytes, before);
        text_puts(out, "]]&gt;");
        bytes = found + sizeof end - 1;
        length -= before + sizeof end - 1;
    }
    text_add(out, bytes, length);
}

/* Reads the picture that gnuplot made in the temporary folder, and puts one with a title in its place. */
static roof_status take_svg(drawn_picture *p, roof_error *err)
{
    static const char open[] = "<title>", close[] = "</title>", open_words[] = "<desc>Produced by",
                      close_words[] = "</desc>";
    mapfile svg;
    textbuf text;
    roof_arena *arena = p->folder->set->arena;
    const char *path = arena_printf(arena, "%s/%s", p->folder->temporary, p->file);
    TRY(ALLOCATED(path, err));
    TRY(mapfile_open(path, &svg, err));
    p->svg = arena_strndup(arena, (const char *)svg.bytes, (size_t)svg.size_bytes);
    mapfile_close(&svg);
    TRY(ALLOCATED(p->svg, err));
    text_init(&text, TEXT_MAX_BYTES);
    /* The picture's title and description in place of the program's, the description behind the title;
     * "gnuplot_plot_5c", which a browser would show under the mouse, goes. */
    const char *at = p->svg;
    for (const char *found, *end; (found = strstr(at, open)) && (end = strstr(found, close));) {
        put_well_formed(&text, at, (size_t)(found - at));
        at = end + sizeof close - 1;
        if (p->title && strncmp(found, "<title>Gnuplot<", 15) == 0) {
            html_printf(&text, "<title>%s</title>\n<desc>%s</desc>", p->title, p->caption);
            const char *own = at + strspn(at, " \r\n"), *own_end = strstr(own, close_words);
            at = strncmp(own, open_words, sizeof open_words - 1) == 0 && own_end
                     ? own_end + sizeof close_words - 1
                     : at;
        } else if (strncmp(found, "<title>gnuplot_plot_", 20) != 0) {
            put_well_formed(&text, found, (size_t)(at - found));
        }
    }
    put_well_formed(&text, at, strlen(at));
    roof_status status = text_status(&text, err);
    THEN(status, outputs_replace(p->folder, p->file, text.bytes, text.length, err));
    text_free(&text);
    return status;
}

/* --- running ------------------------------------------------------------------------------------------ */

/* The last line that tells something: gnuplot puts the line of the script and a mark below it in front. */
static const char *last_message(child *c)
{
    char *save = NULL, *last = NULL;
    for (char *line = strtok_r(c->said, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        while (*line == ' ' || *line == '^')
            line++;
        if (*line)
            last = line;
    }
    return last ? last : "it said nothing";
}

typedef struct crew {
    drawn_picture *pictures;
    size_t n_pictures, n, started;
    child processes[OUTPUTS_CHILDREN];
    size_t begun[OUTPUTS_CHILDREN]; /* pictures of each process, the last of which it is at */
    int most_ms;                    /* for one */
    const roof_draw_watch *watch;
    roof_draw_progress reported;
    const outputs_folder *folder;
    roof_error *why; /* something is not drawn; its status tells */
} crew;

/* The i-th process draws every n-th picture from the i-th on. */
static roof_status start(crew *c, roof_error *err)
{
    static char program[] = "gnuplot", defaults[] = "-d";
    roof_arena *arena = c->folder->set->arena;
    int code = 0;
    char folder[220], **arguments;
    for (; c->started < c->n && !code; c->started += !code) {
        size_t used = 2;
        TRY(ARENA_GET(arena, arguments, c->n_pictures + 3, err));
        arguments[0] = program;
        arguments[1] = defaults;
        for (size_t i = c->started; i < c->n_pictures; i += c->n)
            arguments[used++] = arena_printf(arena, "./%s.gp", c->pictures[i].stem);
        TRY(arena_status(arena, err));
        code = child_start(&(child_options){.folder = c->folder->temporary, .most_ms = c->most_ms}, arguments,
                           &c->processes[c->started]);
    }
    if (code == ENOMEM)
        return error_memory(err);
    if (code)
        error_set(
            c->why, ROOF_E_DEVICE,
            "gnuplot cannot be started (%s), so nothing is drawn; install gnuplot 5.2 or later, then: cd "
            "%s && gnuplot ./*.gp",
            strerror(code), quote_for_shell(folder, sizeof folder, c->folder->path, "FOLDER"));
    return ROOF_OK;
}

static void tell(crew *c, size_t process, size_t drawn)
{
    size_t at = process + (c->begun[process] ? c->begun[process] - 1 : 0) * c->n;
    double waited_s = (c->most_ms - child_left_ms(&c->processes[process])) / 1e3;
    const roof_draw_progress now = {.drawn = (uint32_t)drawn,
                                    .of = (uint32_t)c->n_pictures,
                                    .picture = c->pictures[at].file,
                                    .waited_s = floor(waited_s),
                                    .most_s = c->most_ms / 1e3};
    if (!c->watch || !c->watch->tell ||
        (now.picture == c->reported.picture && now.drawn == c->reported.drawn &&
         now.waited_s <= c->reported.waited_s))
        return;
    c->reported = now;
    c->watch->tell(c->watch->context, &now);
}

/* Each process has so long for the picture that it is at; the first one that goes on is waited for. */
static void wait_for_all(crew *c)
{
    enum { STEP_MS = 5 };
    for (bool goes_on = true; goes_on;) {
        size_t slow = c->started, drawn = 0;
        for (size_t i = 0; i < c->started; i++) {
            child *process = &c->processes[i];
            size_t begun = 0; /* pictures: gnuplot makes the file when it comes to it */
            for (size_t k = i; k < c->n_pictures && outputs_made_bytes(c->folder, c->pictures[k].file) >= 0;
                 k += c->n)
                begun++;
            if (begun != c->begun[i])
                child_give(process, c->most_ms);
            c->begun[i] = begun;
            bool draws = child_goes_on(process, STEP_MS);
            if (draws && slow == c->started)
                slow = i;
            drawn += begun - (draws && begun);
        }
        goes_on = slow < c->started;
        if (goes_on)
            tell(c, slow, drawn);
    }
    for (size_t i = 0; i < c->started; i++)
        child_end(&c->processes[i]);
}

/* A process draws its scripts in order, so that it failed at the last one of which there is something. A
 * picture that is not whole is removed: gnuplot opens its output before it knows that it cannot draw. */
static void check_drawn(crew *c)
{
    const drawn_picture *missing = NULL;
    child *by = NULL;
    for (size_t i = c->n_pictures; i-- > 0;) {
        const drawn_picture *p = &c->pictures[i];
        child *process = &c->processes[i % c->n]; /* NOLINT(clang-analyzer-core.DivideZero): at least one */
        bool drawn = outputs_made_bytes(p->folder, p->file) > 0;
        if (drawn && !process->failed)
            continue;
        process->failed = process->failed && !drawn;
        outputs_remove(c->folder, p->file);
        missing = p;
        by = process;
    }
    char late[60], stem[120], folder[220];
    print_into(late, sizeof late, "it took longer than %g s, and was ended", c->most_ms / 1e3);
    if (!missing)
        return;
    error_set(c->why, ROOF_E_DEVICE,
              "gnuplot did not draw %.80s.%s: %.240s; to try by hand: cd %s && gnuplot %s.gp", missing->stem,
              formats[missing->format].extension, by->timed_out ? late : last_message(by),
              quote_for_shell(folder, sizeof folder, c->folder->path, "FOLDER"),
              quote_for_shell(stem, sizeof stem, missing->stem, "FILE"));
}

roof_status gnuplot_run(drawn_picture *pictures, size_t n, int most_ms, const roof_draw_watch *watch,
                        roof_error *why, roof_error *err)
{
    const size_t processors = os_processors(false), most = n < OUTPUTS_CHILDREN ? n : OUTPUTS_CHILDREN;
    *why = (roof_error){0};
    if (!n)
        return ROOF_OK;
    crew c = {.pictures = pictures,
              .n_pictures = n,
              .n = processors && processors < most ? processors : most,
              .most_ms = most_ms,
              .watch = watch,
              .folder = pictures->folder,
              .why = why};
    roof_status status = start(&c, err);
    wait_for_all(&c);
    if (status == ROOF_OK && why->status == ROOF_OK)
        check_drawn(&c);
    for (size_t i = 0; i < n && status == ROOF_OK; i++)
        if (pictures[i].format == PICTURE_SVG && outputs_made_bytes(c.folder, pictures[i].file) > 0)
            status = take_svg(&pictures[i], err);
    return status;
}
