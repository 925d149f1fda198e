/* measure/run/machine.h - how the machine is while something is measured: clock, temperature, load, energy.
 *
 * Units: Hz, degrees Celsius, joules.
 * Source: Linux: cpufreq, thermal and hwmon classes, powercap (RAPL) of sysfs, /proc/loadavg. Values that a
 *   machine does not state are NaN or NULL.
 */
#pragma once

#include "core/core.h"
#include "roofline/measured.h"

enum { MACHINE_MOST_METERS = 8 };

/* Joules of RAPL's packages, which wrap around; or watts of a sensor (INA226, INA260), added up over time. */
typedef struct energy_meter {
    const char *path, *name;
    bool is_power;  /* microwatts now, in place of microjoules since some time */
    double range_j; /* where joules wrap around */
    double last_j, last_s, sum_j;
} energy_meter;

typedef struct machine {
    const char *root; /* "" */
    roof_arena *arena;
    double begin_s;
    uint32_t n_processors;
    energy_meter meters[MACHINE_MOST_METERS];
    uint32_t n_meters;
} machine;

/* root: "" for this machine, or a folder that has its proc and sys. */
void machine_open(machine *m, const char *root, roof_arena *arena);

/* How it is now. Texts are the arena's. */
roof_condition machine_condition(const machine *m);

/* Joules of all meters since machine_open; NaN without one. Powers are added up between calls: call often. */
double machine_energy_j(machine *m);

/* The meters' scope: RAPL's "package", a sensor's name, "all power sensors" of several; NULL: no meter. */
const char *machine_power_scope(const machine *m);

/* Bytes of all data caches of a level, 1 to 3, together; 0 where the machine tells of none. */
uint64_t machine_cache_bytes(const machine *m, unsigned level);

/* Seconds of a clock that only goes forward. */
double machine_now_s(void);
