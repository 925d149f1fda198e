/* tests/unit/drawn_folder.h - charts drawn into a test's folder (folder.h), and their scripts run there once
 * more. */
#ifndef ROOF_TESTS_DRAWN_FOLDER_H
#define ROOF_TESTS_DRAWN_FOLDER_H

#include <fcntl.h>

#include "reports/charts/gnuplot.h"
#include "tests/unit/folder.h"

/* Leaves script and data in the folder. */
static inline roof_status save_figure(const chart_figure *f, const char *stem, picture_format format,
                                      roof_error *err)
{
    outputs set;
    drawn_picture picture = {.stem = stem, .format = format, .stays = true};
    roof_status status = outputs_begin(&set, err);
    if (status == ROOF_OK)
        status = outputs_folder_open(&set, folder, false, &picture.folder, err);
    if (status == ROOF_OK)
        status = gnuplot_save_figure(f, &picture, err);
    return outputs_end(&set, status, err);
}

/* As somebody does by hand. */
static inline roof_status run_script(const char *stem, picture_format format, roof_error *err)
{
    outputs set = {.arena = arena_new(0)};
    outputs_folder here = {.set = &set,
                           .path = folder,
                           .temporary = folder,
                           .lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    static const char *const endings[PICTURE_FORMATS] = {"svg", "png", "pdf"};
    char file[300];
    snprintf(file, sizeof file, "%s.%s", stem, endings[format]);
    drawn_picture picture = {.folder = &here, .stem = stem, .format = format, .file = file};
    roof_error why;
    roof_status status = gnuplot_run(&picture, 1, GNUPLOT_MOST_MS, NULL, &why, err);
    if (status == ROOF_OK && why.status != ROOF_OK)
        *err = why;
    close(here.lock);
    arena_free(set.arena);
    return status == ROOF_OK ? why.status : status;
}

#endif
