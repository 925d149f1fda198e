#include "measure/import/map_units.h"
#include "core/span.h"

static const struct {
    const char *word;
    map_units means;
} units[] = {{"s", {1, 0}},           {"ms", {1e3, 0}},  {"us", {1e6, 0}},   {"\xc2\xb5s", {1e6, 0}},
             {"ns", {1e9, 0}},        {"B", {0, 1}},     {"byte", {0, 1}},   {"bytes", {0, 1}},
             {"Byte", {0, 1}},        {"Bytes", {0, 1}}, {"kB", {0, 1e3}},   {"KB", {0, 1e3}},
             {"MB", {0, 1e6}},        {"GB", {0, 1e9}},  {"KiB", {0, 1024}}, {"MiB", {0, 1048576}},
             {"GiB", {0, 1073741824}}};

bool map_unit_of(text_span word, map_units *out)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_is(word, units[i].word)) {
            if (units[i].means.bytes > 0)
                out->bytes = units[i].means.bytes;
            else
                out->per_second = units[i].means.per_second;
            return true;
        }
    return false;
}

bool map_is_units(const char *map, map_units *out)
{
    text_span rest = span_of(map ? map : "");
    map_units found = {0, 0};
    do {
        text_span entry = span_trim(span_take_until(&rest, ","));
        map_units means = {0, 0};
        bool is_time = span_skip(&entry, "time="), is_size = !is_time && span_skip(&entry, "bytes=");
        if ((!is_time && !is_size) || !map_unit_of(entry, &means))
            return false;
        if (is_time ? !(means.per_second > 0) || found.per_second > 0 : !(means.bytes > 0) || found.bytes > 0)
            return false;
        found.per_second += means.per_second;
        found.bytes += means.bytes;
    } while (rest.length);
    if (out)
        *out = found;
    return true;
}
