/* roof_measure_command: any benchmark is run, and what it wrote goes to the importers. */
#include "measure/import/importer.h"
#include "measure/run/runner.h"
#include "roofline/measure.h"

#include <errno.h>

typedef struct running {
    const roof_command_options *options;
    int output; /* what it printed, in memory */
    int64_t begin_ns;
    roof_measured *all;
    roof_error *err;
} running;

/* --- running ------------------------------------------------------------------------------------------- */

static roof_status tell_failure(const running *r, const child *c)
{
    const char *name = r->options->command[0];
    char how[240];
    if (c->timed_out)
        print_into(how, sizeof how,
                   "'%.100s' ran longer than %g s and was ended (--timeout makes that longer)", name,
                   r->options->timeout_s);
    else if (c->signal)
        snprintf(how, sizeof how, "'%.100s' died (%s)", name, strsignal(c->signal));
    else
        snprintf(how, sizeof how, "'%.100s' failed", name);
    return runner_tell_death(c, how, true, r->err);
}

/* --- what it wrote ------------------------------------------------------------------------------------- */

static roof_status add(running *r, roof_measured *one)
{
    roof_status status = r->all ? roof_measured_merge(r->all, one, r->err) : ROOF_OK;
    if (status != ROOF_OK)
        roof_measured_free(one);
    else if (!r->all)
        r->all = one;
    return status;
}

/* A file of yesterday is not what the command wrote. */
static roof_status add_file(running *r, const char *path)
{
    os_entry about;
    roof_measured *one = NULL;
    if (!os_look(OS_HERE, path, OS_FOLLOW, &about))
        return error_placed(error_errno(r->err, ROOF_E_NO_INPUT, "the command did not write it"), r->err,
                            "%s", path);
    if (about.written_ns < r->begin_ns)
        return error_in(r->err, path, ROOF_E_DATA, "is older than the run: the command did not write it");
    TRY(roof_import_file(path, &r->options->import, &one, r->err));
    return add(r, one);
}

static roof_status read_output(void *file, char *buffer, size_t size, size_t *got, roof_error *err)
{
    const int64_t n = os_read(*(const int *)file, buffer, size);
    if (n < 0)
        return error_errno(err, ROOF_E_IO, "cannot read what it printed");
    *got = (size_t)n;
    return ROOF_OK;
}

/* Beside files, what is printed may be for people alone. */
static roof_status add_output(running *r)
{
    roof_measured *one = NULL;
    char name[120];
    os_entry printed;
    const bool is_empty = os_look_into(r->output, &printed) && printed.size_bytes == 0;
    if (is_empty && r->all)
        return ROOF_OK;
    if (is_empty)
        return error_data(r->err, "'%.100s' printed nothing; --collect names the files that it writes",
                          r->options->command[0]);
    os_rewind(r->output);
    snprintf(name, sizeof name, "output of %.100s", r->options->command[0]);
    roof_status status = import_stream(read_output, &r->output, name, &r->options->import, &one, r->err);
    if (status == ROOF_E_DATA && r->all)
        return ROOF_OK;
    return status == ROOF_OK ? add(r, one) : status;
}

static roof_status run(running *r)
{
    const roof_command_options *o = r->options;
    child c;
    r->output = os_memory_file("", 0);
    if (r->output < 0)
        return error_errno(r->err, ROOF_E_IO, "cannot keep what the command prints");
    r->begin_ns = os_file_time_ns();
    const child_options options = {.settings = (char *const *)(uintptr_t)o->settings,
                                   .most_ms = child_ms(o->timeout_s),
                                   .output = r->output};
    int code = child_start(&options, (char *const *)(uintptr_t)o->command, &c);
    if (code == ENOMEM)
        return error_memory(r->err);
    if (code)
        return error_set(r->err, ROOF_E_DEVICE, "'%.200s' cannot be started: %s", o->command[0],
                         strerror(code));
    child_end(&c);
    if (c.failed)
        return tell_failure(r, &c);
    for (uint32_t i = 0; i < r->options->n_files; i++)
        TRY(add_file(r, r->options->files[i]));
    TRY(add_output(r));
    return r->all->n_experiments
               ? ROOF_OK
               : error_data(r->err, "no time of a network in what '%.100s' wrote", r->options->command[0]);
}

roof_status roof_measure_command(const roof_command_options *options, roof_measured **out, roof_error *err)
{
    running r = {.options = options, .output = OS_NONE, .err = err};
    roof_status status = run(&r);
    os_close(&r.output);
    return GIVE(status, out, r.all, roof_measured_free);
}
