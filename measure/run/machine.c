#include "measure/run/machine.h"
#include "core/quantity.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 512, MOST_ENTRIES = 1024 };

double machine_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The first line of a small file, without its end; false when there is none. */
static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    bool read = file && fgets(line, (int)size, file);
    if (file)
        (void)fclose(file);
    if (read)
        line[strcspn(line, "\n")] = '\0';
    return read;
}

static double read_number(const char *path)
{
    char line[80];
    double value = NAN;
    if (!read_line(path, line, sizeof line))
        return NAN;
    return number_parse(line, strcspn(line, " \t"), &value) ? value : NAN;
}

/* Calls each for every entry of root/class whose name begins so, with the file of it that is wanted. */
typedef void (*each_file)(const char *folder, const char *file, void *context);

static void visit(const char *root, const char *class, const char *begins, const char *file, each_file each,
                  void *context)
{
    char folder[PATH_SIZE], path[2 * PATH_SIZE];
    const struct dirent *entry;
    snprintf(folder, sizeof folder, "%s%s", root, class);
    DIR *d = opendir(folder);
    for (int i = 0; d && i < MOST_ENTRIES && (entry = readdir(d)); i++) {
        if (strncmp(entry->d_name, begins, strlen(begins)) != 0)
            continue;
        snprintf(folder, sizeof folder, "%s%s/%.200s", root, class, entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (access(path, R_OK) == 0)
            each(folder, path, context);
    }
    if (d)
        (void)closedir(d);
}

/* --- clock, temperature, load ---------------------------------------------------------------------------- */

typedef struct sum {
    double all, most;
    unsigned n;
} sum;

static void add_number(const char *folder, const char *file, void *sum_)
{
    sum *s = sum_;
    double value = read_number(file);
    (void)folder;
    if (isnan(value))
        return;
    s->all += value;
    s->most = s->n++ && s->most > value ? s->most : value;
}

static sum sum_of(const machine *m, const char *class, const char *begins, const char *file)
{
    sum s = {0};
    visit(m->root, class, begins, file, add_number, &s);
    return s;
}

roof_condition machine_condition(const machine *m)
{
    static const char cpus[] = "/sys/devices/system/cpu";
    char governor_path[PATH_SIZE], load_path[PATH_SIZE], governor[40];
    sum clock = sum_of(m, cpus, "cpu", "cpufreq/scaling_cur_freq");
    sum zones = sum_of(m, "/sys/class/thermal", "thermal_zone", "temp");
    snprintf(governor_path, sizeof governor_path, "%s%s/cpu0/cpufreq/scaling_governor", m->root, cpus);
    snprintf(load_path, sizeof load_path, "%s/proc/loadavg", m->root);
    double load = read_number(load_path);
    return (roof_condition){.at_s = machine_now_s() - m->begin_s,
                            .clock_hz = clock.n ? clock.all / clock.n * 1e3 : NAN,
                            .temperature_c = zones.n ? zones.most / 1e3 : NAN,
                            .load_ratio = m->n_processors ? load / m->n_processors : NAN,
                            .governor = read_line(governor_path, governor, sizeof governor)
                                            ? arena_utf8(m->arena, governor, strlen(governor))
                                            : NULL};
}

/* --- caches ---------------------------------------------------------------------------------------------- */

typedef struct caches {
    unsigned level;
    uint64_t bytes;
} caches;

static bool read_beside(const char *folder, const char *name, char *line, size_t size)
{
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_line(path, line, size);
}

/* Processors that share a cache list it once each: it counts at the first of them. */
static void add_cache(const char *folder, const char *file, void *caches_)
{
    caches *c = caches_;
    char text[80];
    const char *processor = strstr(folder, "/cpu/cpu");
    if (!read_beside(folder, "level", text, sizeof text) || strtoul(text, NULL, 10) != c->level ||
        !read_beside(folder, "type", text, sizeof text) || strcmp(text, "Instruction") == 0 || !processor ||
        !read_beside(folder, "shared_cpu_list", text, sizeof text) ||
        strtoul(text, NULL, 10) != strtoul(processor + strlen("/cpu/cpu"), NULL, 10) ||
        !read_line(file, text, sizeof text))
        return;
    char *unit;
    uint64_t size = strtoul(text, &unit, 10);
    c->bytes += size << (*unit == 'M' ? 20 : *unit == 'K' ? 10 : 0);
}

static void visit_caches(const char *folder, const char *file, void *caches_)
{
    (void)file;
    visit(folder, "/cache", "index", "size", add_cache, caches_);
}

uint64_t machine_cache_bytes(const machine *m, unsigned level)
{
    caches c = {level, 0};
    visit(m->root, "/sys/devices/system/cpu", "cpu", "cache", visit_caches, &c);
    return c.bytes;
}

/* --- energy ---------------------------------------------------------------------------------------------- */

/* Joules of a meter that only counts, or watts now. */
static double reading_of(const energy_meter *meter)
{
    return read_number(meter->path) / 1e6;
}

static void add_meter(machine *m, const char *folder, const char *file, bool is_power)
{
    char path[2 * PATH_SIZE], name[40];
    if (m->n_meters == MACHINE_MOST_METERS || isnan(read_number(file)))
        return;
    snprintf(path, sizeof path, "%s/name", folder);
    if (!read_line(path, name, sizeof name))
        return;
    energy_meter meter = {.is_power = is_power,
                          .path = arena_strdup(m->arena, file),
                          .name = arena_utf8(m->arena, name, strlen(name))};
    if (!meter.path || !meter.name)
        return; /* which the arena remembers */
    snprintf(path, sizeof path, "%s/max_energy_range_uj", folder);
    meter.range_j = is_power ? 0 : read_number(path) / 1e6;
    meter.last_j = reading_of(&meter);
    meter.last_s = machine_now_s();
    m->meters[m->n_meters++] = meter;
}

/* "intel-rapl:0" is a package; "intel-rapl:0:1" a part of it, which would count twice. */
static void add_package(const char *folder, const char *file, void *machine_)
{
    const char *name = strrchr(folder, '/');
    if (strchr(name, ':') == strrchr(name, ':'))
        add_meter(machine_, folder, file, false);
}

static void add_sensor(const char *folder, const char *file, void *machine_)
{
    add_meter(machine_, folder, file, true);
}

void machine_open(machine *m, const char *root, roof_arena *arena)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    *m = (machine){
        .root = root, .arena = arena, .begin_s = machine_now_s(), .n_processors = n > 0 ? (uint32_t)n : 0};
    visit(root, "/sys/class/powercap", "intel-rapl:", "energy_uj", add_package, m);
    if (!m->n_meters)
        visit(root, "/sys/class/hwmon", "hwmon", "power1_input", add_sensor, m);
}

double machine_energy_j(machine *m)
{
    double all = 0;
    for (uint32_t i = 0; i < m->n_meters; i++) {
        energy_meter *e = &m->meters[i];
        double now_s = machine_now_s(), reading = reading_of(e);
        if (e->is_power) {
            e->sum_j += (reading + e->last_j) / 2 * (now_s - e->last_s);
        } else {
            double used = reading - e->last_j;
            e->sum_j += used < 0 ? used + e->range_j : used;
        }
        e->last_j = reading;
        e->last_s = now_s;
        all += e->sum_j;
    }
    return m->n_meters ? all : NAN;
}

const char *machine_power_scope(const machine *m)
{
    const energy_meter *first = m->meters;
    return !m->n_meters       ? NULL
           : !first->is_power ? "package"
           : m->n_meters == 1 ? first->name
                              : "all power sensors";
}
