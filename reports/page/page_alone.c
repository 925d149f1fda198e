#include "reports/page/page_sections.h"
#include "core/core.h"

static bool is_wanted(const report_page *page, const page_section *s)
{
    return !s->wanted || s->wanted(page);
}

static void put_all(const page_alone *kind, const report_page *page, textbuf *out)
{
    const char *text = kind->sentence(page, 0);
    page_put_head(kind->kind, page->arena, out);
    page_begin_contents(kind->kind, out);
    for (const page_section *s = kind->sections; s->title; s++)
        if (is_wanted(page, s))
            page_put_content(s->id, s->title, out);
    html_printf(out, PAGE_CONTENTS_END "<header>\n<h1>%s</h1>\n<div class=\"verdict\">\n", text);
    for (uint32_t i = 1; (text = kind->sentence(page, i)); i++)
        html_printf(out, "<p>%s</p>\n", text);
    text_puts(out, "</div>\n</header>\n<main>\n");
    for (const page_section *s = kind->sections; s->title; s++) {
        if (!is_wanted(page, s))
            continue;
        page_begin_section(s->id, s->title, out);
        s->put(page, out);
        text_puts(out, PAGE_SECTION_END);
    }
    text_puts(out, PAGE_END);
}

static bool ends_in(const char *path, const char *end)
{
    const size_t length = strlen(path), n = strlen(end);
    return length > n && strcmp(path + length - n, end) == 0;
}

static roof_status write_into(const page_alone *kind, report_page *page, const char *path, outputs *set,
                              const roof_draw_watch *watch, roof_error *why, roof_error *err)
{
    roof_arena *arena = page->arena;
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
    outputs_folder *into;
    textbuf text;
    TRY(arena_status(arena, err));
    TRY(outputs_folder_open(set, folder, false, &into, err));
    page_drawing drawing = page_drawing_into(page, into, err);
    drawing.is_alone = true;
    TRY(kind->draw(page, &drawing));
    TRY(page_draw_end(&drawing, watch, why));
    text_init(&text, TEXT_MAX_BYTES);
    put_all(kind, page, &text);
    roof_status status = arena_status(arena, err);
    THEN(status, text_status(&text, err));
    THEN(status, outputs_save(path, text.bytes, text.length, err));
    text_free(&text);
    return status;
}

roof_status page_alone_write(const page_alone *kind, const void *answer, const char *path,
                             const roof_draw_watch *watch, roof_error *err)
{
    static const roof_report_input nothing;
    report_page page = {.input = &nothing, .arena = arena_new(0), .of = answer};
    roof_error why = {0};
    outputs set;
    TRY(ALLOCATED(page.arena, err));
    roof_status status = ends_in(path, ".html") || ends_in(path, ".htm")
                             ? outputs_begin(&set, err)
                             : error_set(err, ROOF_E_USAGE, "'%.200s' does not end in .html", path);
    THEN(status, outputs_end(&set, write_into(kind, &page, path, &set, watch, &why, err), err));
    arena_free(page.arena);
    if (status == ROOF_OK && why.status != ROOF_OK)
        return error_set(err, why.status, "%.200s is written, but without pictures: %.500s", path, why.what);
    return status;
}
