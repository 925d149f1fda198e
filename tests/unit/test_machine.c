/* A machine tells of itself: clock, temperature, load, energy, caches; out of a folder that looks like its
 * /sys. */
#include "measure/run/machine.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <sys/stat.h>

/* A file, and the folders that it lies in. */
static void put(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void clear(void)
{
    char command[120];
    snprintf(command, sizeof command, "rm -rf %s/sys %s/proc", folder, folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a folder of our own */
}

static void a_machine_that_tells_nothing_is_not_known(void **state)
{
    machine m;
    roof_arena *arena = arena_new(0);
    (void)state;
    machine_open(&m, folder, arena);
    roof_condition c = machine_condition(&m);
    assert_true(isnan(c.clock_hz) && isnan(c.temperature_c) && isnan(c.load_ratio) && !c.governor);
    assert_true(isnan(machine_energy_j(&m)));
    assert_int_equal(machine_cache_bytes(&m, 1), 0);
    arena_free(arena);
}

static void clock_temperature_load_and_governor_are_read(void **state)
{
    machine m;
    roof_arena *arena = arena_new(0);
    (void)state;
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1000000\n");
    put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    put("/sys/devices/system/cpu/cpufreq/nothing", "");
    put("/sys/class/thermal/thermal_zone0/temp", "-5500\n");
    put("/sys/class/thermal/thermal_zone1/temp", "61250\n");
    put("/sys/class/thermal/thermal_zone2/temp", "broken\n");
    put("/proc/loadavg", "1.50 1.20 0.90 2/345 6789\n");
    machine_open(&m, folder, arena);
    m.n_processors = 2;
    roof_condition c = machine_condition(&m);
    assert_true(c.clock_hz == 2e9);
    assert_true(c.temperature_c == 61.25);
    assert_true(c.load_ratio == 0.75);
    assert_string_equal(c.governor, "powersave");
    arena_free(arena);
    clear();
}

/* Packages and not their parts; a counter that wrapped around. */
static void energy_of_packages_is_added(void **state)
{
    machine m;
    roof_arena *arena = arena_new(0);
    (void)state;
    put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
    put("/sys/class/powercap/intel-rapl:0/energy_uj", "9000000\n");
    put("/sys/class/powercap/intel-rapl:0/max_energy_range_uj", "10000000\n");
    put("/sys/class/powercap/intel-rapl:0:0/name", "core\n");
    put("/sys/class/powercap/intel-rapl:0:0/energy_uj", "7000000\n");
    put("/sys/class/powercap/intel-rapl:1/name", "package-1\n");
    put("/sys/class/powercap/intel-rapl:1/energy_uj", "1000000\n");
    put("/sys/class/powercap/intel-rapl:1/max_energy_range_uj", "10000000\n");
    machine_open(&m, folder, arena);
    assert_int_equal(m.n_meters, 2);
    assert_string_equal(machine_power_scope(&m), "package");
    assert_true(machine_energy_j(&m) == 0);
    put("/sys/class/powercap/intel-rapl:0/energy_uj", "500000\n");
    put("/sys/class/powercap/intel-rapl:1/energy_uj", "1250000\n");
    assert_true(fabs(machine_energy_j(&m) - 1.75) < 1e-9);
    assert_true(fabs(machine_energy_j(&m) - 1.75) < 1e-9);
    arena_free(arena);
    clear();
}

static void watts_of_a_sensor_are_added_up_over_time(void **state)
{
    machine m;
    roof_arena *arena = arena_new(0);
    (void)state;
    put("/sys/class/hwmon/hwmon3/name", "ina260_u14\n");
    put("/sys/class/hwmon/hwmon3/power1_input", "4000000\n");
    machine_open(&m, folder, arena);
    assert_int_equal(m.n_meters, 1);
    assert_string_equal(machine_power_scope(&m), "ina260_u14");
    double begin_s = m.meters[0].last_s;
    usleep(20000);
    put("/sys/class/hwmon/hwmon3/power1_input", "6000000\n");
    double joules = machine_energy_j(&m);
    assert_true(fabs(joules - 5 * (m.meters[0].last_s - begin_s)) < 1e-9); /* 5 W in the middle */
    arena_free(arena);
    clear();
}

static void a_cache_counts_once_whoever_shares_it(void **state)
{
    machine m;
    roof_arena *arena = arena_new(0);
    (void)state;
    for (int cpu = 0; cpu < 2; cpu++)
        for (int index = 0; index < 4; index++) {
            static const struct {
                const char *level, *type, *size;
            } caches[] = {{"1", "Data", "48K"},
                          {"1", "Instruction", "32K"},
                          {"2", "Unified", "1024K"},
                          {"3", "Unified", "32M"}};
            char name[120], alone[8];
            const char *const files[] = {"level", "type", "size", "shared_cpu_list"};
            snprintf(alone, sizeof alone, "%d\n", cpu);
            const char *const texts[] = {caches[index].level, caches[index].type, caches[index].size,
                                         index == 3 ? "0-1\n" : alone};
            for (size_t i = 0; i < COUNT(files); i++) {
                snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index,
                         files[i]);
                put(name, texts[i]);
            }
        }
    machine_open(&m, folder, arena);
    assert_int_equal(machine_cache_bytes(&m, 1), 2 * 48 << 10);
    assert_int_equal(machine_cache_bytes(&m, 2), 2 << 20);
    assert_int_equal(machine_cache_bytes(&m, 3), 32 << 20);
    arena_free(arena);
    clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_that_tells_nothing_is_not_known),
        cmocka_unit_test(clock_temperature_load_and_governor_are_read),
        cmocka_unit_test(energy_of_packages_is_added),
        cmocka_unit_test(watts_of_a_sensor_are_added_up_over_time),
        cmocka_unit_test(a_cache_counts_once_whoever_shares_it),
    };
    return cmocka_run_group_tests_name("machine", tests, make_folder, remove_folder);
}
