/* roofline/reconcile.h - a measured profile beside the ideal: cost of the instrumentation, waste of each
 * layer, and unexplained time.
 *
 * Units: _s seconds, _ratio none. Unknown doubles are NaN, unknown indices ROOF_NONE.
 * Shapes: an experiment is one model on one hardware, with a run of each mode at most; what ran more often
 *   has more experiments, of which the second one is "net (2)". An experiment has matches. A match is usually
 *   one layer and one row of the profile, to be compared; several rows where the profile cut a layer, several
 *   layers where it joined them; a layer without a row, or a row without a layer, where nothing fits.
 *   Every row, and every layer that a profile by layers times, is in exactly one match.
 * Ownership: a roof_reconciliation owns what it made and borrows the documents and predictions it was made
 *   from, which must outlive it: a profile may have a million rows. Free it with roof_reconciliation_free.
 *
 * Words: measured is from the profile. overhead is what timing at boundaries added. corrected = measured -
 *   overhead, never below ideal. host is what the CPU takes of it outside the accelerator's core phases,
 *   where a profile separates them (epochs of a Neural-ART). gap = corrected - ideal - host. So measured =
 *   ideal + overhead + host + gap, for every match and for the sum.
 */
#ifndef ROOFLINE_RECONCILE_H
#define ROOFLINE_RECONCILE_H

#include "roofline/answer.h"
#include "roofline/busy.h"
#include "roofline/causes.h"
#include "roofline/timed_curves.h"
#include "roofline/epochs.h"
#include "roofline/fit.h"
#include "roofline/measured.h"

ROOF_BEGIN_C

#define ROOF_RECONCILIATION_SCHEMA "roofline.reconciliation/1"

/* How a row and a layer found each other, surest first. */
typedef enum roof_match_method {
#define MATCH(name, word, confidence, meaning) ROOF_MATCH_##name,
#include "roofline/matches.def"
#undef MATCH
    ROOF_MATCH_COUNT
} roof_match_method;

/* Verdict on a match, in one word. */
typedef enum roof_verdict {
#define VERDICT(name, word, words, meaning) ROOF_VERDICT_##name,
#include "roofline/verdicts.def"
#undef VERDICT
    ROOF_VERDICT_COUNT
} roof_verdict;

ROOF_API const char *roof_match_method_text(roof_match_method method);
ROOF_API double roof_match_method_confidence(roof_match_method method);
ROOF_API const char *roof_verdict_text(roof_verdict verdict);
ROOF_API const char *roof_verdict_words(roof_verdict verdict); /* for people: "at its bound" */
ROOF_API const char *roof_verdict_meaning(roof_verdict verdict);

typedef struct roof_match {
    const char *name, *type;  /* the first layer's; the row's own where there is no layer; type may be NULL */
    uint32_t layer, n_layers; /* into roof_reconciled.layer_order */
    uint32_t row, n_rows;     /* into roof_reconciled.row_order */
    double ideal_s, measured_s, overhead_s, corrected_s, gap_s, cov_ratio;
    /* the schedule of its layers' own codes; NaN: not timed alone, or a layer has no code of its own */
    double scheduled_s;
    double host_s;       /* NaN: no phases separate it, so what there is of it is in the gap */
    uint32_t boundaries; /* timed in layers within the match */
    /* by one inference, of which all times here are; 0: its rows, or layers, differ in it */
    uint32_t executions;
    uint32_t bound; /* engine of the prediction, or ROOF_NONE */
    uint64_t notes; /* ROOF_NOTE of each kind of finding that is about this match */
    roof_match_method method : 8;
    roof_verdict verdict : 8;
    bool is_unlisted; /* stands for all layers that the profile does not list, whose time it only sums up */
} roof_match;

struct roof_reconciled;
/* External traffic of a match in one inference, instructions left out: of its rows, and of its layers as the
 * run executed them. NaN when not known; bytes that a tool computed from the compiled model are no traffic of
 * its rows. */
ROOF_API void roof_match_bytes(const struct roof_reconciled *experiment, const roof_match *match,
                               double *measured, double *predicted);

/* Operations of the layers of a match in one inference, all together; NaN when one of them is unknown, and
 * without a layer or a prediction. Example (tests/unit/test_reconcile.c): two layers of 2,000 operations each
 * that share a row make 4,000. */
ROOF_API double roof_match_ops(const struct roof_reconciled *experiment, const roof_match *match);

/* The bit of a kind of finding in roof_match.notes, from the first one on that can be about a match. */
enum { ROOF_FINDING_FIRST_NOTE = ROOF_FINDING_IMPOSSIBLE };
#define ROOF_NOTE(kind) (UINT64_C(1) << ((kind)-ROOF_FINDING_FIRST_NOTE))

/* A row whose layer has another row already, or that is a whole subgraph: it is shown, and in no sum. */
ROOF_API bool roof_match_is_repeated(const roof_match *match);

/* The CoV that the profile states of the only row of a match, beside cov_ratio, which is that of its
 * deviation and mean where these are known; NaN when it states none. */
ROOF_API double roof_match_printed_cov(const struct roof_reconciled *experiment, const roof_match *match);

/* Share of the sum of layers: by times, or as the profile states it where no time is known; NaN otherwise. */
ROOF_API double roof_match_share(const struct roof_reconciled *experiment, const roof_match *match);

/* ideal / measured; NaN when one of them is unknown, or measured is 0. */
ROOF_API double roof_match_efficiency(const roof_match *match);

/* Kind of a part of a measured time. */
typedef enum roof_part_id {
#define PART(name, word, meaning) ROOF_PART_##name,
#include "roofline/parts.def"
#undef PART
    ROOF_PART_COUNT
} roof_part_id;

ROOF_API const char *roof_part_meaning(roof_part_id part);

/* A share of a measured time. */
typedef struct roof_part {
    roof_part_id id;
    const char *name; /* as documents write it; of a phase its own */
    double seconds, share_ratio;
    const char *kind; /* of a phase: "accelerator", "transfer", "host"; NULL: unknown, or no phase */
} roof_part;

enum { ROOF_MAX_PARTS = 16 };

/* Parts that sum up to a measured time: attributed_s + unattributed_s is total_s, to the last bit, and to the
 * last digit of documents: all three are rounded to the twelfth digit of the time. */
typedef struct roof_attribution {
    const char *of; /* the measured time: "one inference of the per-layer run"; NULL: nothing to attribute */
    double total_s, attributed_s, unattributed_s;
    roof_part parts[ROOF_MAX_PARTS];
    uint32_t n_parts;
} roof_attribution;

/* Time by layer type. */
typedef struct roof_type_share {
    const char *type;
    uint32_t layers;
    double ideal_s, measured_s, time_share_ratio;
} roof_type_share;

/* Source of the profiling overhead of a boundary. */
typedef enum roof_boundary_source {
    ROOF_BOUNDARY_UNKNOWN,
    ROOF_BOUNDARY_FIT,    /* the slope of the boundary fit */
    ROOF_BOUNDARY_TOTALS, /* of this model alone: per-layer minus whole-network time, over boundaries */
    ROOF_BOUNDARY_SUM,    /* likewise by the sum of layers, as if the host added nothing to the latency */
    ROOF_BOUNDARY_CALIBRATION, /* of a calibration of this board, where no line is known */
    ROOF_BOUNDARY_GIVEN,       /* by the caller */
    ROOF_BOUNDARY_DOCUMENT,    /* by the per-layer run itself */
    ROOF_BOUNDARY_ENTRY        /* by the device description, of this profiler, where nothing else states it */
} roof_boundary_source;

/* How the energy of an inference came about. */
typedef enum roof_energy_basis {
    ROOF_ENERGY_UNKNOWN,
    ROOF_ENERGY_STATED,     /* by the profile, as energy_j */
    ROOF_ENERGY_POWER_TIME, /* power x time: as if it never waited */
    ROOF_ENERGY_ROWS        /* the sum of the energies of all rows */
} roof_energy_basis;

/* "stated", "power_x_time", "rows"; NULL for one that is unknown. */
ROOF_API const char *roof_energy_basis_text(roof_energy_basis basis);

/* Energy of an inference: that of the whole-network run, else of the per-layer run; NaN where nothing states
 * it.
 *
 * Formulas: inference_j = energy_j, with a stated idle power energy_j x power / (power - idle power), since
 *   energy_j excludes it then; else power x time. above_idle_j = energy_j where idle power is stated, else
 *   (power - idle power) x time. ops_per_j = operations of the prediction (1 MAC = 2 ops) / inference_j. 1 /
 * inference_j is inferences per joule, which is inferences per second and watt. Example
 * (tests/unit/test_energy.c): 5 W, of which 3 W are idle, for 10 ms: 50 mJ, 20 mJ above idle, 20 inferences
 * per joule. */
typedef struct roof_energy {
    roof_energy_basis basis;
    roof_run_mode mode; /* of the run */
    const char *scope;  /* measured part, as roof_run.power_scope; NULL: not stated */
    double inference_j, above_idle_j, power_w, idle_power_w, time_s, inferences_per_j, ops_per_j;
} roof_energy;

/* Quantity by which a profile states the cost of a row. */
typedef enum roof_profile_basis {
    ROOF_PROFILE_NOTHING,
    ROOF_PROFILE_TIMES,
    ROOF_PROFILE_SHARES, /* of a whole that it does not state */
    ROOF_PROFILE_CYCLES  /* without a clock */
} roof_profile_basis;

/* Rows of one kind, or of one name; of functions that is their name without arguments. */
typedef struct roof_profile_part {
    const char *name;
    uint32_t rows;
    uint64_t launches; /* of them all, in one inference or in the recording */
    double share_ratio;
} roof_profile_part;

/* Summary of a profile without a model: the kinds and rows that take the time, and how steady it is. */
typedef struct roof_profile {
    const char *tool; /* as people call it; NULL: unknown, or several */
    const char *next; /* next step with a profile of this tool; NULL: none in particular */
    /* this tool, or an unknown one: layers and whole inferences can be compared */
    bool has_two_modes;
    const char *devices; /* that its rows name, "GPU", "CPU and NPU"; NULL: none, or not all rows do */
    roof_profile_basis basis;
    bool is_estimated;        /* by the tool, nothing of it was measured */
    bool is_by_kind;          /* parts are kinds of rows, else names of them */
    double total;             /* seconds, 1 or cycles, of all rows */
    roof_profile_part *parts; /* the largest first */
    uint32_t n_parts, n_rows;
    uint32_t largest;         /* the match that takes most; ROOF_NONE: none */
    const char *largest_name; /* of it, as those of parts */
    double largest_ratio;
    double cov_ratio;  /* of the inferences; NaN: unknown */
    double tail_ratio; /* their P99 over their median; NaN likewise */
} roof_profile;

typedef struct roof_reconciled {
    const char *model, *hardware; /* names for people; hardware is NULL when not known */
    const char *hardware_id;      /* NULL likewise */
    /* The runner's hardware, where that says nothing of the model's target; NULL: not stated. */
    const char *device;
    const char *family; /* the document's label for networks that are alike; NULL: none */
    /* As the document states them, which a prediction does not add to: the model's name, or its file's, and
     * the hardware. NULL: not stated. */
    const char *stated_model, *stated_hardware_id;
    roof_text_phase phase; /* of a language model, as in roofline/measured.h */
    uint32_t prompt_tokens, context_tokens;
    uint32_t source; /* the first of measured's experiments that it is of */
    uint32_t curve;  /* that it is a point of; ROOF_NONE */
    const char *weight_type, *cache_type, *stack, *stack_version; /* NULL: not stated */
    uint32_t first; /* the experiment of the first runs of this model: itself, or an earlier one */
    const roof_run *bypass, *per_layer; /* NULL: not measured; they may be of different documents */
    const roof_experiment *bypass_of, *per_layer_of; /* that these runs are of; measured's, NULL likewise */
    const roof_prediction *prediction;               /* NULL: none, and then nothing is ideal */
    /* Why a prediction was given and is not used; NULL: nothing speaks against it. */
    const roof_remark *not_compared;
    /* The document was measured on other hardware than the prediction is of: another family, board or array.
     * The comparison was requested as it is, and no causes are ranked; NULL: nothing says so. */
    const roof_remark *other_hardware;
    bool has_doubtful_times; /* in another unit: the modes are not compared with one another either */
    bool has_doubtful_rows;  /* not the accelerator's time: counted at another clock, or some are missing */
    roof_match *matches;
    uint32_t n_matches;
    uint32_t *layer_order, *row_order; /* indices into prediction->layers and into the rows of layer_run */
    uint32_t n_layer_order, n_row_order;
    const roof_run *layer_run; /* the run whose rows are in the matches; NULL: none */
    /* Its rows are of a whole recording, and none of them is a layer of a model: all times here, of matches
     * too, are of the recording and not of one inference, since the number of inferences is
     * unknown. */
    bool is_recording;
    /* Boundaries of one inference of the per-layer run; without one the starts that the profile states of the
     * whole-network run, where a network is started piece by piece. ROOF_NONE: unknown. */
    uint32_t boundaries;
    double boundary_cost_s;    /* profiling overhead of one boundary; NaN: unknown */
    double boundary_ci95_s[2]; /* of a calibration; else NaN */
    roof_boundary_source boundary_source;
    const char *boundary_entry; /* of ROOF_BOUNDARY_ENTRY where its entry has it from; else NULL */
    /* What a launch takes in a call that has several, from and to; NaN: not known, or no row has. And where
     * that is from: "launch.chained" of its entry, "per_start_s" of a calibration; NULL likewise. */
    double row_launch_s[2];
    const char *row_launch_source;
    /* Why the calibration that was given has no say here; NULL: it has one, or none was given. */
    const roof_remark *calibration_unused;
    /* Of the prediction's hardware, else of the one that the profile names, at its clock; NaN: not known. */
    double peak_ops_per_s, peak_bytes_per_s;
    struct {
        double bypass_s, per_layer_s, sum_of_layers_s;
        double listed_s;         /* of the rows that the profile lists */
        double ideal_s, floor_s; /* floor: overlap of all layers */
        double best_s;           /* the bound of a whole-network run: roof_best_s of the prediction */
        double expected_s;       /* expected time of it, by the prediction's constants; NaN: none */
        /* Each layer by its own code where the model has it: the bound of a per-layer run. */
        double ideal_per_layer_s;
        /* Estimate of the whole-network time, from the per-layer run: by the boundary fit, else without what
         * its boundaries are stated to cost. */
        double corrected_s;
        double corrected_ci95_s[2];
        double corrected_error_ratio; /* against bypass_s */
        double left_out_error_ratio;  /* the same, with this model left out of the fit */
        /* Error of a common rule, as it is worded: the sum of layers - rule_cost_s x boundaries. */
        double rule_error_ratio;
        double rule_total_error_ratio; /* of its other reading: per_layer_s - rule_cost_s x boundaries */
        /* per_layer_s / bypass_s - 1; sum_of_layers_s / ... without a per-layer total. */
        double inflation_ratio;
        double host_s; /* CPU time of every inference, by the host fit or by phases */
        /* ideal_s / bypass_s; without a whole-network run 1 / limits.of_rows, where they have 95 % of the
         * time */
        double efficiency_ratio;
        roof_limit_ratio limits; /* of the rows that have one */
        double extra_bytes;      /* more external traffic in the per-layer than in the whole-network run */
        bool extra_is_measured;  /* by counters of both runs, not by the prediction */
        uint32_t bytes_compared; /* matches with bytes on both sides */
        uint32_t bytes_agree;    /* those of them that are equal to the printed digit */
        /* The same where the tool computed the bytes from the model, which says nothing of traffic. */
        uint32_t static_bytes_compared, static_bytes_agree;
        uint64_t bytes_resolution; /* that digit: all measured bytes are multiples of it */
        /* Weights that the accelerator's layers read in one inference: of layers that it executes several
         * times, and of the others; NaN without a prediction. Over buffer_bytes_per_s this is what writing
         * them again would take. */
        double layer_weights_bytes, rest_weights_bytes;
        /* How the difference of the modes may be split, from and to; NaN: unknown. */
        double launch_s[2], traffic_s[2];
        /* Starts of the accelerator in an inference of the whole-network run, ROOF_NONE: unknown; what one
         * start in place of them would gain, from and to, by what a start takes in the per-layer run. NaN:
         * unknown. */
        uint32_t starts;
        double merge_gain_s[2];
        bool is_replayed; /* these two are from replaying the code of the whole and of each layer */
    } total;
    roof_attribution layer_by_layer; /* of one inference of the per-layer run */
    roof_attribution deployed;       /* of one whole-network inference */
    roof_attribution wall;           /* of the same by phases */
    roof_type_share *types;
    uint32_t n_types;
    /* Epochs of the per-layer run, where it was profiled by their phases; NULL: it was not. */
    const roof_epochs *epochs;
    /* How busy the units of the accelerator were, where the rows of layer_run say; NULL: they do not. */
    const roof_busy *busy;
    roof_energy energy;
    /* NULL: there is a model, and times are compared with it, or nothing was profiled */
    const roof_profile *profile;
    const roof_cause *causes; /* causes of time, the first to look at first */
    uint32_t n_causes;
} roof_reconciled;

/* One inference of the per-layer run: its total, else the sum of its layers; NaN without such a run. */
ROOF_API double roof_layered_seconds(const roof_reconciled *experiment);

/* One fit over all experiments. */
typedef struct roof_overhead_fit {
    const char *id, *x, *y; /* as documents call them */
    roof_fit fit;
    uint32_t *experiments;       /* the points: indices of roof_reconciliation.experiments */
    double *points_x, *points_y; /* n of the fit each */
    /* Boundaries of one more model that would narrow the slope's interval; NaN: no line is known. */
    double next_boundaries;
    double next_half_width; /* of that interval with it, in y per x */
    double noise;           /* how far the means of the points scatter by themselves, in y; NaN: unknown */
} roof_overhead_fit;

/* y minus the line at one of the points; NaN when the line is unknown. */
ROOF_API double roof_overhead_residual(const roof_overhead_fit *fit, roof_line_kind kind, size_t point);

enum { ROOF_FIT_OVERHEAD, ROOF_FIT_HOST, ROOF_FIT_BOUNDARY, ROOF_FITS };

typedef struct roof_reconcile_options {
    const char *map;      /* text of lines "row,layer" that override the matching; NULL: none */
    const char *map_name; /* of its file, for messages; NULL: "map" */
    /* Calibration from earlier profiles of this board and tool: a boundary costs its per_layer_s, where these
     * profiles have no line of their own. Borrowed like the documents; NULL: none. */
    const struct roof_calibration *calibration;
    /* Known profiling overhead of a boundary, in place of any that profiles give; 0: unknown. */
    double boundary_cost_s;
    /* Language models of the experiments, in their order, NULL where one is none or is unknown: by them the
     * times of a curve are split into parts. Borrowed during the call; NULL: none is known. */
    const roof_language_model *const *languages;
} roof_reconcile_options;

/* Time of a match's fastest sample above its ideal. */
typedef struct roof_margin {
    double seconds; /* NaN: unknown */
    uint32_t experiment, unit;
    bool is_mean; /* of the mean, since the fastest sample is unknown */
} roof_margin;

/* A run of mode load, which is paired with no other and whose latencies are no bypass_s: several inferences
 * wait for one device there. */
typedef struct roof_load_run {
    const char *model, *hardware;      /* hardware NULL: not stated */
    const roof_run *run;               /* measured's */
    const roof_experiment *experiment; /* that it is of; measured's */
    const roof_prediction *prediction;
    double law_fps;    /* by what is predicted of an inference, with the sweep's host; NaN: nothing is */
    double fitted_fps; /* by the sweep's own constants; NaN: there are none */
    /* by those of all other numbers of threads, over what was measured, less 1; NaN: too few are left */
    double left_out_ratio;
    roof_load_bound bound; /* of the fit */
    /* Latency of an inference under this load: the stated mean, else by Little's law threads x batch /
     * frames_per_s, as if every thread had one in flight all the time; NaN: neither is known. Source: J. D.
     * C. Little, "A Proof for the Queuing Formula L = lambda W", Operations Research 9 (1961). Example
     * (tests/unit/test_sweeps.c): 2 threads of 5 images at 1009.56/s, 9.905 ms. */
    double latency_s;
    bool latency_is_derived;
    /* Most images a second of all cores, by the prediction of the same number of images; NaN: unknown. */
    double most_fps;
} roof_load_run;

/* Load runs of one model on one device, by their numbers of threads: the closed system of
 * roofline/throughput.h fitted to them, with S(n) = S(1) (1 + contention (n - 1)). Formula: the least squares
 * of ln(fitted / measured) over H, contention >= 0; S(1) follows from the mean. Contention and host are taken
 * where the points determine them, and where points that are left out are foretold better with them than
 * without. Example: tests/unit/test_sweeps.c. */
typedef struct roof_sweep {
    uint32_t first_load, n_loads; /* of loads */
    uint32_t cores;               /* of the device; 0: unknown, or too many runs: nothing is fitted */
    double service_s;             /* S(1); NaN: not fitted, as the others */
    double contention_ratio, host_s;
    /* Ranges that meet the points as well: within 1 %, or twice the error of the best, root mean square. */
    double service_range_s[2], host_range_s[2];
    /* Else they are taken to be 0, and service_s holds them. */
    bool has_contention, has_host;
    double error_ratio, left_out_ratio, law_error_ratio; /* medians of |error|; NaN: unknown */
    uint32_t knee_threads; /* the fewest measured that give 95 % of the most measured; 0: unknown */
    double knee_fps;
    /* Mean latency of the slowest thread over that of the fastest, in the run with a thread for each core. */
    double unequal_ratio;
} roof_sweep;

typedef struct roof_reconciliation {
    roof_reconciled *experiments;
    uint32_t n_experiments;
    roof_load_run *loads; /* one sweep after the other, by threads */
    uint32_t n_loads;
    roof_sweep *sweeps; /* in the order of the documents */
    uint32_t n_sweeps;
    roof_timed_point *curve_points; /* one curve after the other */
    uint32_t n_curve_points;
    roof_timed_curve *curves; /* in the order of the documents */
    uint32_t n_curves;
    roof_growth *growths; /* of one curve, then between two of one model */
    uint32_t n_growths;
    roof_stack_fit *stack_fits; /* of stacks with two curves or more */
    uint32_t n_stack_fits;
    uint32_t n_models; /* of them; less where a model ran several times in one mode */
    roof_overhead_fit fits[ROOF_FITS];
    bool one_hardware;  /* fits are made over one kind of hardware only */
    bool by_epochs;     /* all were profiled by phases of epochs, which give fixed costs without a line */
    bool by_phases;     /* or have the host's copies apart from the accelerator's work, which does so too */
    double rule_cost_s; /* slope of the overhead fit with two digits, as it is usually quoted; NaN: none */
    /* of the host into buffers that it shares with the accelerator; NaN: unknown */
    double buffer_bytes_per_s;
    roof_margin ceiling; /* no fixed cost in a layer is larger than the least margin that one leaves */
    roof_finding *findings;
    uint32_t n_findings;
    /* The first member of a document's `hardware` that is not used, though every number would be another one
     * with it; measured's. NULL: there is none. The verdict begins with it. */
    const roof_unread *unused_hardware;
    const char *tool;           /* that all documents are of; NULL: unknown, or several */
    const char *calibration_of; /* the hardware of the calibration that was given; NULL: none */
    struct roof_arena *arena;   /* private */
} roof_reconciliation;

/* Lays profiles beside predictions.
 *
 * measured: all experiments of it take part; runs of one model on one hardware are brought together, in
 * whatever
 *   experiments they are, the first whole-network run with the first per-layer run and so on. Equal runs
 *   count once.
 * predictions: measured->n_experiments entries, NULL where there is none.
 * options: NULL for defaults.
 * out: the caller frees it before measured and predictions.
 * Formulas: overhead fit: (per-layer total - latency) over boundaries. Host fit: (per-layer total - sum of
 *   layers). Boundary fit: (sum of layers - latency) = b N + a; then corrected_s = sum of layers - b N - a,
 *   and a layer's corrected_s = max(measured - b, ideal).
 * Errors: E_DATA for a line of the map that names no row, no layer, or one that is taken, and where measured
 *   has no experiment; E_LIMIT, E_NO_MEMORY.
 * Source: the method is ours; the fits are those of roofline/fit.h.
 * Example: examples/kv260, tests/reference/test_studies.c: b = 0.1564 +- 0.0189 ms, a = -2.24 +- 0.73 ms.
 */
ROOF_API roof_status roof_reconcile(const roof_measured *measured, const roof_prediction *const *predictions,
                                    const roof_reconcile_options *options, roof_reconciliation **out,
                                    roof_error *err);
ROOF_API void roof_reconciliation_free(roof_reconciliation *reconciliation);

ROOF_END_C
#endif
