/* model/explore/sweep/sweep_point.h - the text of a plan, and what one point of it comes to. */
#pragma once

#include "model/predict/predictor.h"
#include "roofline/sweep.h"

/* A plan in memory, whose devices are not loaded and which has no identity. name: of its file. Errors: those
 * of roof_sweep_plan_read that are of its text. */
roof_status sweep_plan_parse(const char *text, size_t size, const char *name, roof_sweep_plan **out,
                             roof_error *err);

/* Data that points of one model, or of one measured document, share: read once. */
typedef struct sweep_subject {
    roof_graph *graph;
    predict_program program; /* of the graph on the first device */
    roof_measured *measured;
    roof_prediction *prediction; /* of what was measured; NULL: nothing says of which model it is */
    bool is_borrowed;            /* it belongs to measured */
    roof_status status;          /* of reading it */
    roof_error why;
} sweep_subject;

/* How many points lie side by side that are of one subject. */
uint64_t sweep_points_a_subject(const roof_sweep_plan *plan);

/* Reads the subject of that number. Errors: what ends a sweep; else it stays in the subject. */
roof_status sweep_subject_read(const roof_sweep_plan *plan, uint64_t number, sweep_subject *out,
                               roof_error *err);
void sweep_subject_free(sweep_subject *subject);

/* Points of one subject on one device, which lie side by side and are computed together: from first up to
 * before end. {0}: none; whoever has it frees it. */
typedef struct sweep_device {
    uint64_t first, end;
    predict_program program; /* where that of the subject does not serve */
    predict_points points;
    roof_status status; /* of the program */
    roof_error why;
    uint32_t threads[PREDICT_MOST_POINTS];
    roof_load loads[PREDICT_MOST_POINTS];
} sweep_device;
void sweep_device_free(sweep_device *device);

/* Computes a point of the subject, and has use->row write it. end: behind the points of that subject that
 * follow; device: of the point before. */
roof_status sweep_point_put(const roof_sweep_plan *plan, const sweep_subject *subject, uint64_t index,
                            uint64_t end, sweep_device *device, const roof_sweep_use *use, roof_sink out,
                            roof_error *err);
