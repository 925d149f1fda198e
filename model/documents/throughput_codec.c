#include "model/documents/documents.h"
#include "roofline/throughput.h"

enum { MOST_KINDS = 64 };

static const char *const bounds[] = {"threads", "cores", "memory", "host", NULL};

static const codec_member host_members[] = {
    {CODEC_AS("kind", roof_throughput, host.kind, TEXT, ALWAYS)},
    {CODEC_AS("seconds", roof_throughput, host.seconds, SECONDS, DERIVED)},
    {CODEC_AS("input_pixels", roof_throughput, host.input_pixels, COUNT, ALWAYS)},
    {CODEC_AS("output_bytes", roof_throughput, host.output_bytes, COUNT, ALWAYS)},
};

static const codec_member kind_members[] = {
    {CODEC(roof_host_kind, kind, TEXT, ALWAYS), .missing = "has no kind"},
    {CODEC(roof_host_kind, seconds, SECONDS, DERIVED)},
};

static const codec_member service_members[] = {
    {CODEC(roof_service, busy, SMALL, PLAIN)},
    {CODEC(roof_service, seconds, SECONDS, DERIVED)},
    {CODEC(roof_service, memory_ratio, POSITIVE, DERIVED)},
};

/* --- a point -------------------------------------------------------------------------------------------- */

static const codec_member threads_members[] = {{.key = "", .kind = CODEC_SMALL, .how = CODEC_PLAIN}};
static const codec_object threads_object = {CODEC_ROWS(threads_members), .is_bare = true};

static const codec_member point_members[] = {
    {CODEC(roof_load_point, threads, SMALL, PLAIN), .missing = "has no threads"},
    {CODEC_ITEMS("threads_on_core", roof_load_point, threads_on_core, n_cores, &threads_object,
                 ROOF_MOST_CORES, ALWAYS)},
    {CODEC(roof_load_point, busy_cores, POSITIVE, DERIVED)},
    {CODEC(roof_load_point, fps, POSITIVE, DERIVED)},
    {CODEC(roof_load_point, fps_low, POSITIVE, DERIVED)},
    {CODEC(roof_load_point, fps_high, POSITIVE, DERIVED)},
    {CODEC(roof_load_point, latency_s, SECONDS, DERIVED)},
    {CODEC_WORDS("bound", roof_load_point, bound, bounds, PLAIN)},
};

/* --- all ------------------------------------------------------------------------------------------------ */

static const codec_member knee_members[] = {
    {CODEC_AS("threads", roof_throughput, knee.threads, SMALL, ZERO)},
    {CODEC_AS("fps", roof_throughput, knee.fps, POSITIVE, DERIVED)},
    {CODEC_AS("latency_s", roof_throughput, knee.latency_s, SECONDS, DERIVED)},
};

static const codec_member ceiling_members[] = {
    {CODEC_AS("cores_fps", roof_throughput, ceilings.cores_fps, POSITIVE, DERIVED)},
    {CODEC_AS("host_fps", roof_throughput, ceilings.host_fps, POSITIVE, DERIVED)},
};

#define WITH_POINTS .how = CODEC_OMIT, CODEC_IF(roof_throughput, n_points)

static const codec_member members[] = {
    {CODEC(roof_throughput, cores, SMALL, PLAIN)},
    {CODEC(roof_throughput, cpu_cores, POSITIVE, ALWAYS)},
    {CODEC_IN("host", 0, CODEC_LINE_OF(host_members))},
    {CODEC_ITEMS("host_kinds", roof_throughput, host_kinds, n_host_kinds, CODEC_LINE_OF(kind_members),
                 MOST_KINDS, OMIT)},
    {CODEC_ITEMS("service", roof_throughput, service, n_service, CODEC_LINE_OF(service_members),
                 ROOF_MOST_CORES, ALWAYS)},
    {CODEC_ITEMS("points", roof_throughput, points, n_points, CODEC_LINE_OF(point_members),
                 ROOF_MOST_THREAD_COUNTS, ALWAYS)},
    {CODEC_IN("knee", 0, CODEC_LINE_OF(knee_members)), WITH_POINTS},
    {CODEC_IN("ceilings", 0, CODEC_LINE_OF(ceiling_members)), WITH_POINTS},
    {CODEC(roof_throughput, not_known, TEXT, OMIT)},
};

const codec_object throughput_object = {CODEC_ROWS(members)};
