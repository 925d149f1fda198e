#include "cli/cli.h"
#include "roofline/realtime.h"

typedef struct arguments {
    cli_arguments common;
    const char *hw, *policy;
    roof_predict_options predict;
    uint32_t cores;
    bool strict;
} arguments;

static const struct argp_option known_options[] = {
    CLI_OPTION("hw", TEXT, hw, "HW",
               "The hardware: an id or alias (`roofline hw list`), a JSON file, or a description [default: "
               "what the models were compiled for]"),
    CLI_OPTION("policy", TEXT, policy, "POLICY",
               "fixed: each network belongs to a core, the i-th to core i modulo their number, as runners of "
               "Vitis AI do. fifo: a free core takes the oldest [default: fixed]"),
    {0, 0, 0, 0, "What if:", 0},
    CLI_OPTION("cores", COUNT, cores, "N", "Number of cores [default: all]"),
    CLI_OPTION("clock", HERTZ, predict.clock_hz, "HZ", "Clock of the accelerator, such as 300MHz"),
    {0, 0, 0, 0, "Contents:", 0},
    CLI_TABLE_OPTIONS,
    CLI_OPTION("strict", FLAG, strict, 0, "Exit with 1 when a deadline is missed"),
    {0},
};

static const char doc[] =
    "Says whether a device, or several, keep up with several networks, each requested at a rate. Shows use "
    "of the cores, worst response times, missed deadlines, who delays whom, and the smallest change that "
    "meets all. Nothing is run.\vMODEL@RATE is a model and how often it is requested: net.onnx@30Hz, "
    "net.onnx@30fps. An answer has to be there before the next one is requested, or sooner: "
    "net.onnx@30Hz/20ms. A model may be there twice. An inference that has begun runs to its end. First "
    "arrivals are unknown, so the response is the worst of all orders. Times are of the accelerator only; "
    "the host's come on top. A service time is the expected one where there are constants of the board, else "
    "the bound, and then real responses are longer.\n"
    "\n"
    "MODEL@RATE:HW names the device that a network runs on, where there are several. Then the answer also "
    "says what they do as a chain, in which each takes what the one before it makes.\n"
    "\n"
    "-o FILE.trace writes what happens when all networks are requested at once, for ui.perfetto.dev.\n"
    "\n"
    "Examples:\n"
    "  roofline schedule a.xmodel@30Hz b.xmodel@10Hz --hw zcu102\n"
    "  roofline schedule a.xmodel@30Hz/20ms --hw zcu102 --policy fifo\n"
    "  roofline schedule a.xmodel@30Hz b.xmodel@15fps --cores 1\n"
    "  roofline schedule a.xmodel@30Hz b.xmodel@10Hz --hw zcu102 -o both.trace\n"
    "  roofline schedule a.xmodel@30Hz:kv260 b.xmodel@30Hz:zcu104";

/* --- what is asked -------------------------------------------------------------------------------------- */

/* Where a task runs. */
typedef struct task_device {
    const char *requested; /* as it was given; NULL: it was not */
    const char *id, *name;
    uint32_t cores;
} task_device;

/* The tasks, one for each MODEL@RATE. */
typedef struct requested {
    roof_arena *arena;
    roof_realtime_task *tasks;
    roof_answer *services; /* MOST_CORES of each */
    task_device *devices;
    size_t n;
    bool has_devices;       /* which each task names */
    roof_prediction *first; /* says what hardware it is */
    char hardware[256];     /* of several: "KV260 and ZCU102" */
} requested;

static roof_status make_asked(requested *all, size_t n, roof_error *err)
{
    if (n > ROOF_REALTIME_MOST_TASKS)
        return error_set(err, ROOF_E_USAGE, "%zu networks; want at most %d", n, ROOF_REALTIME_MOST_TASKS);
    all->n = n;
    all->arena = arena_new(0);
    TRY(ALLOCATED(all->arena, err));
    TRY(ARENA_GET(all->arena, all->tasks, n, err));
    TRY(ARENA_GET(all->arena, all->services, n * ROOF_REALTIME_MOST_CORES, err));
    return ARENA_GET(all->arena, all->devices, n, err);
}

/* The path before the last '@', the rate, and behind a colon the device. */
static roof_status split(roof_arena *arena, const char *text, roof_realtime_task *task, const char **path,
                         const char **device, roof_error *err)
{
    const char *at = strrchr(text, '@'), *colon = at ? strchr(at, ':') : NULL;
    *path = *device = NULL;
    if (!at || at == text)
        return error_set(
            err, ROOF_E_USAGE,
            "'%.200s': how often? Want MODEL@RATE, such as net.xmodel@30Hz or net.xmodel@30Hz/20ms", text);
    const char *rate = arena_strndup(arena, at + 1, colon ? (size_t)(colon - at - 1) : strlen(at + 1));
    roof_status status = rate ? roof_realtime_rate_parse(rate, task, err) : error_memory(err);
    THEN(status, colon && !colon[1] ? error_set(err, ROOF_E_USAGE, "no device behind the colon") : ROOF_OK);
    TRY(error_placed(status, err, "%.200s", text));
    *path = arena_strndup(arena, text, (size_t)(at - text));
    *device = colon ? arena_strdup(arena, colon + 1) : NULL;
    return arena_status(arena, err);
}

/* "net", "net (2)" where the name is there before. */
static roof_status name_task(requested *all, size_t i, const char *name, roof_error *err)
{
    size_t n_before = 0;
    char number[24] = "";
    for (size_t k = 0; k < i; k++) {
        const char *other = all->tasks[k].name;
        n_before += strncmp(other, name, strlen(name)) == 0 &&
                    (!other[strlen(name)] || strncmp(other + strlen(name), " (", 2) == 0);
    }
    if (n_before)
        snprintf(number, sizeof number, " (%zu)", n_before + 1);
    all->tasks[i].name = arena_printf(all->arena, "%s%s", name, number);
    return arena_status(all->arena, err);
}

static roof_status fill_task(requested *all, size_t i, const char *path, const roof_prediction *p,
                             roof_error *err)
{
    roof_realtime_task *task = &all->tasks[i];
    roof_answer *services = &all->services[i * ROOF_REALTIME_MOST_CORES];
    task_device *device = &all->devices[i];
    device->id = arena_strdup(all->arena, p->hardware.id);
    device->name = arena_strdup(all->arena, p->hardware.name);
    device->cores = p->hardware.cores ? p->hardware.cores : 1;
    TRY(arena_status(all->arena, err));
    all->has_devices = all->has_devices || device->requested;
    if (!all->has_devices && all->first && strcmp(all->first->hardware.id, p->hardware.id) != 0)
        return error_set(
            err, ROOF_E_USAGE,
            "%.200s is for '%.80s', and what stands before it for '%.80s'; name one with --hw, or "
            "that of each, as in MODEL@30Hz:kv260",
            path, p->hardware.id, all->first->hardware.id);
    for (uint32_t busy = 1; busy <= ROOF_REALTIME_MOST_CORES; busy++)
        services[busy - 1] = roof_realtime_service(p, busy);
    if (!(services->value > 0))
        return error_set(err, ROOF_E_UNSUPPORTED,
                         "%.200s: its time on the accelerator is unknown; `roofline predict` says why", path);
    task->services = services;
    task->n_services = ROOF_REALTIME_MOST_CORES;
    task->core = ROOF_NONE;
    return name_task(all, i, p->model.name, err);
}

static roof_status read_task(const arguments *a, requested *all, size_t i, roof_error *err)
{
    const roof_predict_options options = {
        .clock_hz = a->predict.clock_hz, .explores = ROOF_EXPLORE_NOTHING, .no_steps = true};
    roof_prediction *p = NULL;
    const char *path = NULL;
    roof_status status =
        split(all->arena, a->common.files[i], &all->tasks[i], &path, &all->devices[i].requested, err);
    const char *hw = all->devices[i].requested ? all->devices[i].requested : a->hw;
    THEN(status, cli_predict(path, hw, NULL, &options, NULL, &p, err));
    THEN(status, fill_task(all, i, path, p, err));
    if (all->first)
        roof_prediction_free(p);
    else
        all->first = p;
    return status;
}

/* The cores of the devices, one behind the other; networks of a device are dealt out to its cores in turn.
 * The worst case has all those of a device busy that have work: *cores is how many there are of all. */
static roof_status place_on_devices(requested *all, uint32_t *cores, roof_error *err)
{
    uint32_t first[ROOF_REALTIME_MOST_TASKS] = {0}, on_device[ROOF_REALTIME_MOST_TASKS] = {0};
    size_t of[ROOF_REALTIME_MOST_TASKS], used = 0;
    *cores = 0;
    for (size_t i = 0; i < all->n; i++) {
        const task_device *device = &all->devices[i];
        for (of[i] = 0; strcmp(all->devices[of[i]].id, device->id) != 0; of[i]++)
            ;
        if (of[i] == i) {
            first[i] = *cores;
            if (device->cores > ROOF_REALTIME_MOST_CORES - *cores)
                return error_set(err, ROOF_E_USAGE, "more than %d cores of all devices",
                                 ROOF_REALTIME_MOST_CORES);
            *cores += device->cores;
            if (used < sizeof all->hardware)
                used += (size_t)snprintf(all->hardware + used, sizeof all->hardware - used, "%s%.*s",
                                         used ? " and " : "", (int)strcspn(device->name, ","), device->name);
        }
        all->tasks[i].core = first[of[i]] + on_device[of[i]]++ % device->cores;
        all->tasks[i].device = device->id;
    }
    for (size_t i = 0; i < all->n; i++) {
        const uint32_t n = all->devices[i].cores, busy = on_device[of[i]] < n ? on_device[of[i]] : n;
        all->tasks[i].services += (busy < ROOF_REALTIME_MOST_CORES ? busy : ROOF_REALTIME_MOST_CORES) - 1;
        all->tasks[i].n_services = 1;
    }
    return ROOF_OK;
}

/* --- the answer ----------------------------------------------------------------------------------------- */

static roof_status analyse(const arguments *a, requested *all, roof_realtime **out, roof_error *err)
{
    roof_realtime_set set = {.tasks = all->tasks, .n_tasks = (uint32_t)all->n};
    if (all->first) { /* it is, where there are tasks */
        set.board_cores = all->first->hardware.cores;
        set.hardware = all->first->hardware.name;
        set.clock_hz = all->first->hardware.clock_hz;
    }
    set.cores = a->cores ? a->cores : set.board_cores;
    if (a->policy)
        TRY(roof_realtime_policy_parse(a->policy, &set.policy, err));
    if (all->has_devices) {
        if (a->cores || set.policy != ROOF_REALTIME_FIXED || a->predict.clock_hz > 0)
            return error_set(
                err, ROOF_E_USAGE,
                "--cores, --clock and --policy fifo are of one device; leave them out, or name one "
                "with --hw");
        TRY(place_on_devices(all, &set.cores, err));
        set.board_cores = set.cores;
        set.hardware = all->hardware;
        set.clock_hz = 0;
    }
    return roof_realtime_analyse(&set, out, err);
}

/* MODEL@RATE of a task at factor times its rate, its deadline as it was; false: no room. Rates are rounded
 * down, so that what fits still does. */
static bool repeat_task(char words[CLI_COMMAND_SIZE], const char *text, double rate_hz, double factor)
{
    char task[CLI_COMMAND_SIZE];
    const char *at = strrchr(text, '@'), *deadline = strchr(at, '/');
    const double step_hz = pow(10, floor(log10(rate_hz * factor)) - 3);
    if (!(factor < 1))
        return cli_repeat_word(words, NULL, text);
    const int n =
        print_into(task, sizeof task, "%.*s@%.6gHz%s", (int)(at - text), text,
                   floor(rate_hz * factor / step_hz * (1 + 1e-12)) * step_hz, deadline ? deadline : "");
    return (size_t)n < sizeof task && cli_repeat_word(words, NULL, task);
}

/* "Next: `roofline schedule net.onnx@85.8Hz --hw zcu102 --cores 1` meets all deadlines.": with the change
 * that fits, else as a timeline. */
static void add_next(arguments *a, const roof_realtime *s)
{
    char words[CLI_COMMAND_SIZE] = "", cores[16], clock[32];
    const bool is_met = !s->n_missed && !s->n_not_known;
    const roof_realtime_change *c = NULL; /* the first that the same command can ask for */
    for (uint32_t i = 0; !is_met && !c && i < s->n_changes; i++) {
        const roof_realtime_change *may = &s->changes[i];
        if (may->kind == ROOF_REALTIME_CHANGE_RATES || may->kind == ROOF_REALTIME_CHANGE_RATE_OF_ONE ||
            may->kind == ROOF_REALTIME_CHANGE_POLICY ||
            (may->kind == ROOF_REALTIME_CHANGE_CORES && !may->is_beyond_board))
            c = may;
    }
    const bool is_policy = c && c->kind == ROOF_REALTIME_CHANGE_POLICY,
               is_cores = c && c->kind == ROOF_REALTIME_CHANGE_CORES;
    bool has_room = c || !a->common.output.path;
    for (uint32_t i = 0; has_room && i < s->n_rows; i++) {
        const bool is_slower = c && (c->kind == ROOF_REALTIME_CHANGE_RATES ||
                                     (c->kind == ROOF_REALTIME_CHANGE_RATE_OF_ONE && c->task == i));
        has_room = repeat_task(words, a->common.files[i], s->rows[i].rate_hz, is_slower ? c->factor : 1);
    }
    snprintf(cores, sizeof cores, "%u", is_cores ? c->cores : a->cores);
    print_into(clock, sizeof clock, "%.9gHz", a->predict.clock_hz);
    has_room =
        has_room && cli_repeat_word(words, "hw", a->hw) &&
        cli_repeat_word(words, "policy", is_policy ? roof_realtime_policy_word(c->policy) : a->policy) &&
        cli_repeat_word(words, "cores", is_cores || a->cores ? cores : NULL) &&
        cli_repeat_word(words, "clock", a->predict.clock_hz > 0 ? clock : NULL);
    cli_say_next(&a->common.output, "schedule", has_room ? words : NULL,
                 c ? "` tries that change." : " -o schedule.trace` writes a timeline for ui.perfetto.dev.");
}

int cmd_schedule(int argc, char **argv)
{
    arguments a = {
        .common = {.missing = "which networks, how often? Give MODEL@RATE, such as net.xmodel@30Hz",
                   .output.shows = ROOF_DOCUMENT_REALTIME}};
    requested all = {0};
    roof_realtime *answer = NULL;
    roof_error err;
    CLI_PARSE(&a, known_options, cli_parse_key, "MODEL@RATE[/DEADLINE]...", doc, cli_output_child);
    roof_realtime_policy policy; /* a wrong word is told before files are read */
    roof_status status = a.policy ? roof_realtime_policy_parse(a.policy, &policy, &err) : ROOF_OK;
    THEN(status, make_asked(&all, a.common.n_files, &err));
    for (size_t i = 0; status == ROOF_OK && i < all.n; i++)
        status = read_task(&a, &all, i, &err);
    THEN(status, cli_note_broken_hardware(&err));
    THEN(status, analyse(&a, &all, &answer, &err));
    if (status == ROOF_OK)
        add_next(&a, answer);
    THEN(status, cli_write_document(answer, &a.common.output, &err));
    const int exit_code = status != ROOF_OK ? cli_fail(&err)
                          : a.strict && answer->n_missed + answer->n_not_known
                              ? cli_fail_strict("of %u deadlines %u missed, %u not known", answer->n_rows,
                                                answer->n_missed, answer->n_not_known)
                              : CLI_DONE;
    roof_realtime_free(answer);
    roof_prediction_free(all.first);
    arena_free(all.arena);
    return exit_code;
}
