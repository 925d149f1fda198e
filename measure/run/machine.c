#include "measure/run/machine.h"
#include "core/platform/platform.h"

enum { PATH_SIZE = 512, MOST_GAP = 64 };

double machine_now_s(void)
{
    enum { SECOND_NS = 1000000000 };
    const int64_t now_ns = os_now_ns(), whole_s = now_ns / SECOND_NS;
    return (double)whole_s + (double)(now_ns % SECOND_NS) / 1e9;
}

/* The first line of a small file, without its end; false when there is none. */
static bool read_line(const char *path, char *line, size_t size)
{
    int file = os_open(OS_HERE, path, OS_READ);
    const int64_t n = file >= 0 ? os_read(file, line, size - 1) : 0;
    os_close(&file);
    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return n > 0;
}

static double read_number(const char *path)
{
    char line[80];
    double value = NAN;
    if (!read_line(path, line, sizeof line))
        return NAN;
    return number_parse(line, strcspn(line, " \t"), &value) ? value : NAN;
}

static bool read_beside(const char *file, const char *name, char *line, size_t size)
{
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%.*s%s", (int)(path_base_name(file) - file), file, name);
    return read_line(path, line, size);
}

/* The first file from number *at on, of those that the kernel counts from 0 and of which some may be away.
 * Not glob(): where memory runs out, glibc's frees the names that it has found twice. */
static bool next_file(const char *root, const char *before, const char *behind, unsigned *at,
                      char file[PATH_SIZE])
{
    for (unsigned end = *at + MOST_GAP; *at < end;) {
        snprintf(file, PATH_SIZE, "%s%s%u%s", root, before, (*at)++, behind);
        if (os_may(OS_HERE, file, OS_MAY_READ))
            return true;
    }
    return false;
}

/* --- clock, temperature, load -------------------------------------------------------------------------- */

typedef struct sum {
    double all, most;
    unsigned n;
} sum;

static sum sum_of(const machine *m, const char *before, const char *behind)
{
    char file[PATH_SIZE];
    sum s = {0};
    for (unsigned at = 0; next_file(m->root, before, behind, &at, file);) {
        double value = read_number(file);
        if (isnan(value))
            continue;
        s.all += value;
        s.most = s.n++ && s.most > value ? s.most : value;
    }
    return s;
}

roof_condition machine_condition(const machine *m)
{
    char governor_path[PATH_SIZE], load_path[PATH_SIZE], governor[40];
    sum clock = sum_of(m, "/sys/devices/system/cpu/cpu", "/cpufreq/scaling_cur_freq");
    sum zones = sum_of(m, "/sys/class/thermal/thermal_zone", "/temp");
    snprintf(governor_path, sizeof governor_path, "%s/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
             m->root);
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

/* --- caches -------------------------------------------------------------------------------------------- */

/* Processors that share a cache list it once each: it counts at the first of them. */
uint64_t machine_cache_bytes(const machine *m, unsigned level)
{
    char caches[PATH_SIZE], file[PATH_SIZE], text[80], *unit;
    uint64_t bytes = 0;
    for (unsigned cpu = 0; next_file(m->root, "/sys/devices/system/cpu/cpu", "/cache", &cpu, caches);)
        for (unsigned i = 0; next_file(caches, "/index", "/size", &i, file);) {
            if (!read_beside(file, "level", text, sizeof text) || strtoul(text, NULL, 10) != level ||
                !read_beside(file, "type", text, sizeof text) || strcmp(text, "Instruction") == 0 ||
                !read_beside(file, "shared_cpu_list", text, sizeof text) ||
                strtoul(text, NULL, 10) != cpu - 1 || !read_line(file, text, sizeof text))
                continue;
            uint64_t size = strtoul(text, &unit, 10);
            bytes += size << (*unit == 'M' ? 20 : *unit == 'K' ? 10 : 0);
        }
    return bytes;
}

/* --- energy -------------------------------------------------------------------------------------------- */

static void add_meters(machine *m, const char *before, const char *behind, bool is_power)
{
    char file[PATH_SIZE], name[40], range[40];
    for (unsigned at = 0; next_file(m->root, before, behind, &at, file);) {
        double reading = read_number(file) / 1e6;
        if (m->n_meters == MACHINE_MOST_METERS || isnan(reading) ||
            !read_beside(file, "name", name, sizeof name))
            continue;
        energy_meter *meter = &m->meters[m->n_meters];
        *meter = (energy_meter){.is_power = is_power,
                                .path = arena_strdup(m->arena, file),
                                .name = arena_utf8(m->arena, name, strlen(name)),
                                .last_j = reading,
                                .last_s = machine_now_s()};
        if (!is_power && (!read_beside(file, "max_energy_range_uj", range, sizeof range) ||
                          !number_parse(range, strcspn(range, " \t"), &meter->range_j)))
            meter->range_j = NAN;
        meter->range_j /= 1e6;
        m->n_meters += meter->path && meter->name; /* else the arena remembers */
    }
}

void machine_open(machine *m, const char *root, roof_arena *arena)
{
    *m = (machine){
        .root = root, .arena = arena, .begin_s = machine_now_s(), .n_processors = os_processors(false)};
    /* "intel-rapl:0" is a package; "intel-rapl:0:1" would be a part of it, which would count twice. */
    add_meters(m, "/sys/class/powercap/intel-rapl:", "/energy_uj", false);
    if (!m->n_meters)
        add_meters(m, "/sys/class/hwmon/hwmon", "/power1_input", true);
}

double machine_energy_j(machine *m)
{
    double all = 0;
    FOR_EACH(energy_meter, e, m->meters, m->n_meters) {
        double now_s = machine_now_s(), reading = read_number(e->path) / 1e6;
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
