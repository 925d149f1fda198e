/* Drawings of random networks: every operator is drawn once, every row is in one block, no block is too
 * large, edges keep their bytes, and a sequence that was planted several times is found. ROOF_SEED sets
 * where to start; a failure prints the seed of its network. */
#include "core/text.h"
#include "tests/property/random.h"
#include "tests/support/drawn_network.h"

enum { ROUNDS = 150, MOST_NODES = 220 };

static unsigned below(unsigned n)
{
    return (unsigned)((next_random() >> 33) % n);
}

static void put_node(textbuf *t, unsigned type, unsigned made, unsigned back)
{
    static const char *const types[] = {"Erf", "Sin", "Cos", "Tan", "Asin", "Acos", "Relu", "Identity"};
    if (back && back <= made)
        text_printf(t, "Add x%u,x%u -> x%u name=n%u\n", made, made - back, made + 1, made);
    else
        text_printf(t, "%s x%u -> x%u name=n%u\n", types[type], made, made + 1, made);
}

/* Nodes of any kind, some of which add what was made before. */
static unsigned put_random(textbuf *t, unsigned made, unsigned n)
{
    for (; n--; made++)
        put_node(t, below(8), made, below(4) ? 0 : 1 + below(12));
    return made;
}

static void drawings_hold_what_they_promise(void **state)
{
    (void)state;
    random_state = first_seed();
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t seed = random_state;
        textbuf text;
        text_init(&text, 1 << 20);
        text_puts(&text, "input x0 float 1,16\n");
        const unsigned made = put_random(&text, 0, 1 + below(MOST_NODES));
        text_printf(&text, "output x%u\n", made);
        print_message("ROOF_SEED=%llu\r", (unsigned long long)seed);
        drawn_network d = drawn_of(text.bytes);
        drawn_check(&d);
        for (uint32_t i = 0; i < d.levels.n; i++) {
            network_places p;
            network_place_plainly(&d.levels.items[i], d.arena, &p);
            drawn_check_places(&d.levels.items[i], &p);
        }
        drawn_close(&d);
        text_free(&text);
    }
}

/* Types that differ within the sequence, and are found nowhere else. */
static void planted_sequences_are_found(void **state)
{
    static const char *const own[] = {"Sinh", "Cosh", "Asinh", "Acosh", "Atanh"};
    (void)state;
    random_state = first_seed();
    for (int round = 0; round < ROUNDS; round++) {
        const unsigned period = 2 + below(COUNT(own) - 1), times = 2 + below(8), before = 17 + below(30);
        textbuf text;
        text_init(&text, 1 << 20);
        text_puts(&text, "input x0 float 1,16\n");
        unsigned made = 0;
        bool found = false;
        for (; made < before; made++)
            put_node(&text, below(6), made, 0);
        for (unsigned i = 0; i < period * times; i++, made++)
            text_printf(&text, "%s x%u -> x%u name=n%u\n", own[i % period], made, made + 1, made);
        for (unsigned i = below(20); i > 0; i--, made++)
            put_node(&text, below(6), made, 0);
        text_printf(&text, "output x%u\n", made);
        drawn_network d = drawn_of(text.bytes);
        for (uint32_t b = 0; b < d.fold.n_blocks; b++)
            found = found ||
                    (d.fold.blocks[b].kind == NETWORK_REPEAT && d.fold.blocks[b].first_row == before &&
                     d.fold.blocks[b].n_children == times && d.fold.blocks[b].children->n_rows == period);
        if (!found)
            fail_msg("%u times %u behind %u rows are not found", times, period, before);
        drawn_close(&d);
        text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawings_hold_what_they_promise),
        cmocka_unit_test(planted_sequences_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
