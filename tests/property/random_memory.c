/* Memory over rows against a byte map, and what must hold of every set of buffers. ROOF_SEED sets where to
 * start. */
#include "tests/property/random.h"
#include "tests/unit/fixture.h"
#include "tests/unit/memory_fixture.h"

#include <stdlib.h>

enum { SETS = 400, MOST_BUFFERS = 14, MOST_ROWS = 9, MOST_BYTES = 96 };

typedef struct buffer_set {
    memory_buffer items[MOST_BUFFERS + 1];
    uint32_t n, n_rows;
} buffer_set;

static uint32_t below(uint32_t n)
{
    return (uint32_t)(next_random() % n);
}

/* Some share ranges with others, as in-place operators do. */
static memory_buffer random_buffer(const buffer_set *s)
{
    memory_buffer b = {.name = "b", .bytes = 1 + below(MOST_BYTES / 3), .first_row = below(s->n_rows)};
    b.offset_bytes = below(MOST_BYTES - (uint32_t)b.bytes);
    b.last_row = b.first_row + below(s->n_rows - b.first_row);
    if (s->n && below(4) == 0) {
        const memory_buffer *of = &s->items[below(s->n)];
        b.offset_bytes = of->offset_bytes;
        b.bytes = below(2) ? of->bytes : 1 + below((uint32_t)of->bytes);
    }
    return b;
}

static buffer_set random_set(void)
{
    buffer_set s = {.n_rows = 1 + below(MOST_ROWS)};
    const uint32_t n = 1 + below(MOST_BUFFERS);
    while (s.n < n) {
        s.items[s.n] = random_buffer(&s);
        s.n++;
    }
    return s;
}

/* Bytes of a row by marking each of them; without one of the buffers. */
static uint64_t marked(const buffer_set *s, uint32_t row, uint32_t without)
{
    unsigned char map[MOST_BYTES] = {0};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint64_t k = 0; i != without && k < s->items[i].bytes; k++)
            if (s->items[i].first_row <= row && row <= s->items[i].last_row)
                map[s->items[i].offset_bytes + k] = 1;
    for (size_t k = 0; k < sizeof map; k++)
        sum += map[k];
    return sum;
}

static uint64_t marked_peak(const buffer_set *s, uint32_t without)
{
    uint64_t peak = 0;
    for (uint32_t r = 0; r < s->n_rows; r++) {
        const uint64_t bytes = marked(s, r, without);
        peak = bytes > peak ? bytes : peak;
    }
    return peak;
}

static void bytes_by_row_are_those_of_a_byte_map(void **state)
{
    (void)state;
    for (unsigned k = 0; k < SETS; k++) {
        const buffer_set s = random_set();
        roof_memory *m = memory_of(s.items, s.n, s.n_rows, ROOF_UNKNOWN);
        for (uint32_t r = 0; r < s.n_rows; r++)
            if (m->pools->bytes_by_row[r] != marked(&s, r, ROOF_NONE))
                fail_msg("set %u, row %u: %d bytes, the map has %d", k, r, (int)m->pools->bytes_by_row[r],
                         (int)marked(&s, r, ROOF_NONE));
        roof_memory_free(m);
    }
}

static void the_peak_without_a_buffer_is_that_of_the_others(void **state)
{
    (void)state;
    for (unsigned k = 0; k < SETS; k++) {
        buffer_set s = random_set();
        char names[MOST_BUFFERS][8];
        for (uint32_t i = 0; i < s.n; i++) {
            snprintf(names[i], sizeof names[i], "%u", i);
            s.items[i].name = names[i];
        }
        roof_memory *m = memory_of(s.items, s.n, s.n_rows, ROOF_UNKNOWN);
        for (uint32_t i = 0; i < m->pools->n_live; i++) {
            const uint32_t of = (uint32_t)strtoul(m->pools->live[i].name, NULL, 10);
            if (m->pools->live[i].peak_without_bytes != marked_peak(&s, of))
                fail_msg("set %u: without %u %d, the others have %d", k, of,
                         (int)m->pools->live[i].peak_without_bytes, (int)marked_peak(&s, of));
        }
        roof_memory_free(m);
    }
}

static void a_buffer_more_lowers_no_peak(void **state)
{
    (void)state;
    for (unsigned k = 0; k < SETS; k++) {
        buffer_set s = random_set();
        roof_memory *before = memory_of(s.items, s.n, s.n_rows, ROOF_UNKNOWN);
        s.items[s.n] = random_buffer(&s);
        roof_memory *after = memory_of(s.items, s.n + 1, s.n_rows, ROOF_UNKNOWN);
        assert_true(after->pools->peak_bytes >= before->pools->peak_bytes);
        assert_true(after->pools->high_bytes >= before->pools->high_bytes);
        roof_memory_free(before);
        roof_memory_free(after);
    }
}

static void all_sizes_times_a_factor_are_the_peak_times_it(void **state)
{
    enum { FACTOR = 4099 };
    (void)state;
    for (unsigned k = 0; k < SETS; k++) {
        buffer_set s = random_set();
        const bool is_placed = below(2);
        for (uint32_t i = 0; i < s.n && !is_placed; i++)
            s.items[i].offset_bytes = ROOF_UNKNOWN;
        roof_memory *one = memory_of(s.items, s.n, s.n_rows, ROOF_UNKNOWN);
        for (uint32_t i = 0; i < s.n; i++) {
            s.items[i].offset_bytes *= is_placed ? FACTOR : 1;
            s.items[i].bytes *= FACTOR;
        }
        roof_memory *many = memory_of(s.items, s.n, s.n_rows, ROOF_UNKNOWN);
        assert_int_equal(many->pools->peak_bytes, one->pools->peak_bytes * FACTOR);
        assert_int_equal(many->pools->at_row, one->pools->at_row);
        for (uint32_t r = 0; r < s.n_rows; r++)
            assert_int_equal(many->pools->bytes_by_row[r], one->pools->bytes_by_row[r] * FACTOR);
        roof_memory_free(one);
        roof_memory_free(many);
    }
}

static int ascending(const void *a_, const void *b_)
{
    const uint64_t *a = a_, *b = b_;
    return (*a > *b) - (*a < *b);
}

/* Rows r and r + 1 change places, where no buffer lives in both. */
static void rows_that_share_no_buffer_may_change_places(void **state)
{
    (void)state;
    unsigned n_swapped = 0;
    for (unsigned k = 0; k < SETS; k++) {
        buffer_set s = random_set();
        if (s.n_rows < 2)
            continue;
        const uint32_t r = below(s.n_rows - 1);
        roof_memory *before, *after;
        for (uint32_t i = 0; i < s.n; i++) /* those that live in both end earlier */
            if (s.items[i].first_row <= r && s.items[i].last_row > r)
                s.items[i].last_row = r;
        for (uint32_t i = 0; i < s.n; i++) /* and no buffer but of one of them alone */
            if (s.items[i].first_row < r && s.items[i].last_row == r)
                s.items[i].last_row = r - 1;
            else if (s.items[i].first_row == r + 1)
                s.items[i].last_row = r + 1;
        before = memory_of(s.items, s.n, s.n_rows, ROOF_UNKNOWN);
        for (uint32_t i = 0; i < s.n; i++)
            if (s.items[i].first_row == r || s.items[i].first_row == r + 1)
                s.items[i].first_row = s.items[i].last_row = s.items[i].first_row == r ? r + 1 : r;
        after = memory_of(s.items, s.n, s.n_rows, ROOF_UNKNOWN);
        qsort(before->pools->bytes_by_row, s.n_rows, sizeof(uint64_t), ascending);
        qsort(after->pools->bytes_by_row, s.n_rows, sizeof(uint64_t), ascending);
        assert_memory_equal(before->pools->bytes_by_row, after->pools->bytes_by_row,
                            s.n_rows * sizeof(uint64_t));
        n_swapped++;
        roof_memory_free(before);
        roof_memory_free(after);
    }
    assert_true(n_swapped > SETS / 2);
}

/* No set of one or two groups is missed: disjoint buffers, tried one by one and pair by pair. */
static void no_smaller_set_makes_it_fit(void **state)
{
    (void)state;
    for (unsigned k = 0; k < SETS; k++) {
        buffer_set s = random_set();
        uint64_t at = 0;
        for (uint32_t i = 0; i < s.n; i++) {
            s.items[i].offset_bytes = at;
            s.items[i].bytes = 1 + below(6); /* all together fit the map */
            at += s.items[i].bytes;
        }
        const uint64_t peak = marked_peak(&s, ROOF_NONE), size = below((uint32_t)peak);
        uint32_t smallest = 3;
        for (uint32_t i = 0; i < s.n; i++)
            for (uint32_t j = i; j < s.n; j++) {
                buffer_set rest = s;
                rest.items[i].bytes = rest.items[j].bytes = 0;
                if (marked_peak(&rest, ROOF_NONE) <= size) {
                    const uint32_t n = i == j ? 1 : 2;
                    smallest = n < smallest ? n : smallest;
                }
            }
        roof_memory *m = memory_of(s.items, s.n, s.n_rows, size);
        const roof_memory_remedy *found = m->pools->remedies;
        if (!m->pools->n_remedies || found->halves || (smallest < 3 && found->n_changes != smallest) ||
            (smallest == 3 && found->n_changes < 3) || found->is_smallest != (smallest < 3))
            fail_msg("set %u: %u buffers, the smallest set has %u", k,
                     m->pools->n_remedies ? found->n_changes : 0, smallest);
        assert_true(found->peak_bytes <= size);
        roof_memory_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_by_row_are_those_of_a_byte_map),
        cmocka_unit_test(the_peak_without_a_buffer_is_that_of_the_others),
        cmocka_unit_test(a_buffer_more_lowers_no_peak),
        cmocka_unit_test(all_sizes_times_a_factor_are_the_peak_times_it),
        cmocka_unit_test(rows_that_share_no_buffer_may_change_places),
        cmocka_unit_test(no_smaller_set_makes_it_fit),
    };
    random_state = first_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
