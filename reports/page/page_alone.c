#include "reports/page/page_sections.h"
#include "core/error.h"

#include <string.h>

static bool is_wanted(const page_alone *page, const alone_section *s)
{
    return !s->wanted || s->wanted(page);
}

static void put_all(const page_alone *page, textbuf *out)
{
    const char *text = page->sentence(page, 0);
    page_put_head(page->kind, page->page->arena, out);
    page_begin_contents(page->kind, out);
    for (size_t i = 0; i < page->n_sections; i++)
        if (is_wanted(page, &page->sections[i]))
            page_put_content(page->sections[i].id, page->sections[i].title, out);
    html_printf(out, PAGE_CONTENTS_END "<header>\n<h1>%s</h1>\n<div class=\"verdict\">\n", text);
    for (uint32_t i = 1; (text = page->sentence(page, i)); i++)
        html_printf(out, "<p>%s</p>\n", text);
    text_puts(out, "</div>\n</header>\n<main>\n");
    FOR_EACH(const alone_section, s, page->sections, page->n_sections) {
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

static roof_status write_into(page_alone *page, const char *path, outputs *set, const roof_draw_watch *watch,
                              roof_error *why, roof_error *err)
{
    roof_arena *arena = page->page->arena;
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
    outputs_folder *into;
    textbuf text;
    TRY(arena_status(arena, err));
    TRY(outputs_folder_open(set, folder, false, &into, err));
    page_drawing drawing = page_drawing_into(page->page, into, err);
    drawing.is_alone = true;
    TRY(page->draw(page, &drawing));
    TRY(page_draw_end(&drawing, watch, why));
    text_init(&text, TEXT_MAX_BYTES);
    put_all(page, &text);
    roof_status status = arena_status(arena, err);
    THEN(status, text_status(&text, err));
    THEN(status, outputs_save(path, text.bytes, text.length, err));
    text_free(&text);
    return status;
}

roof_status page_alone_write(page_alone *page, const char *path, const roof_draw_watch *watch,
                             roof_error *err)
{
    static const roof_report_input nothing;
    report_page figures = {.input = &nothing, .arena = arena_new(0)};
    roof_error why = {0};
    outputs set;
    TRY(ALLOCATED(figures.arena, err));
    page->page = &figures;
    roof_status status = ends_in(path, ".html") || ends_in(path, ".htm")
                             ? outputs_begin(&set, err)
                             : error_set(err, ROOF_E_USAGE, "'%.200s' does not end in .html", path);
    THEN(status, outputs_end(&set, write_into(page, path, &set, watch, &why, err), err));
    arena_free(figures.arena);
    page->page = NULL;
    if (status == ROOF_OK && why.status != ROOF_OK)
        return error_set(err, why.status, "%.200s is written, but without pictures: %.500s", path, why.what);
    return status;
}
