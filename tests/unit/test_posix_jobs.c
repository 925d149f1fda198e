/* What os_do_jobs promises: order, groups, the first failure. */
#include "core/platform/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <cmocka.h>

enum { JOBS = 200, GROUP = 7, MOST = 64 };

typedef struct run {
    uint32_t n_jobs, fails_at; /* fails_at: this job does; JOBS: none */
    uint32_t begun, n_slots;
    uint32_t job_of[MOST];     /* by slot */
    uint64_t group_of[MOST];   /* by place */
    atomic_uint is_held[MOST]; /* by place */
    uint32_t taken;
    atomic_uint n_opened, n_closed;
    atomic_bool is_wrong;
} run;

static bool next(void *run_, os_job *job)
{
    run *r = run_;
    if (r->begun == r->n_jobs)
        return false;
    r->job_of[job->slot] = r->begun;
    job->group = r->begun++ / GROUP;
    job->next_group = r->begun < r->n_jobs ? r->begun / GROUP : ROOF_UNKNOWN;
    return true;
}

static roof_status open_group(void *run_, uint64_t group, uint32_t place, roof_error *err)
{
    run *r = run_;
    (void)err;
    r->is_wrong = (atomic_fetch_add(&r->is_held[place], 1) != 0) || r->is_wrong;
    r->group_of[place] = group;
    r->n_opened++;
    return ROOF_OK;
}

static void close_group(void *run_, uint32_t place)
{
    run *r = run_;
    atomic_fetch_sub(&r->is_held[place], 1);
    r->n_closed++;
}

static roof_status work(void *run_, uint32_t slot, uint32_t place, roof_error *err)
{
    run *r = run_;
    const uint32_t job = r->job_of[slot];
    r->is_wrong = (r->group_of[place] != job / GROUP || !r->is_held[place]) || r->is_wrong;
    if (job != r->fails_at)
        return ROOF_OK;
    *err = (roof_error){.status = ROOF_E_DATA};
    return ROOF_E_DATA;
}

static roof_status take(void *run_, uint32_t slot, roof_error *err)
{
    run *r = run_;
    (void)err;
    r->is_wrong = (r->job_of[slot] != r->taken) || r->is_wrong;
    r->taken++;
    return ROOF_OK;
}

static run done(uint32_t n_jobs, uint32_t fails_at, uint32_t n_threads, roof_status expected)
{
    run r = {.n_jobs = n_jobs, .fails_at = fails_at, .n_slots = 2 * n_threads};
    roof_status status = ROOF_E_IO;
    roof_error err = {0};
    const os_jobs jobs = {.n_threads = n_threads,
                          .n_slots = r.n_slots,
                          .context = &r,
                          .next = next,
                          .open = open_group,
                          .work = work,
                          .take = take,
                          .close = close_group};
    assert_true(os_do_jobs(&jobs, &status, &err));
    assert_int_equal(status, expected);
    assert_int_equal(err.status, expected);
    assert_false(r.is_wrong);
    assert_int_equal(r.n_opened, r.n_closed);
    return r;
}

static void results_come_in_order_from_any_number_of_threads(void **state)
{
    (void)state;
    for (uint32_t n_threads = 1; n_threads <= 8; n_threads++) {
        run r = done(JOBS, JOBS, n_threads, ROOF_OK);
        assert_int_equal(r.taken, JOBS);
        assert_int_equal(r.n_opened, (JOBS + GROUP - 1) / GROUP);
    }
}

static void a_failure_ends_all_and_nothing_behind_it_is_taken(void **state)
{
    (void)state;
    for (uint32_t at = 0; at < JOBS; at += 13)
        assert_true(done(JOBS, at, 1 + at % 5, ROOF_E_DATA).taken <= at);
}

static void no_jobs_are_done_at_once(void **state)
{
    (void)state;
    assert_int_equal(done(0, JOBS, 3, ROOF_OK).taken, 0);
}

static void leave_early(void *at)
{
    *(int *)at = 1;
    os_give_up();
}

static void come_back(void *at)
{
    *(int *)at = 2;
}

static void an_attempt_is_left_or_made(void **state)
{
    (void)state;
    int at = 0;
    assert_false(os_attempt(leave_early, &at));
    assert_int_equal(at, 1);
    assert_true(os_attempt(come_back, &at));
    assert_int_equal(at, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_in_order_from_any_number_of_threads),
        cmocka_unit_test(a_failure_ends_all_and_nothing_behind_it_is_taken),
        cmocka_unit_test(no_jobs_are_done_at_once),
        cmocka_unit_test(an_attempt_is_left_or_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
