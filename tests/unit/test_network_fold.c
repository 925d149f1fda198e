/* Blocks of networks: what repeats is found, nothing else is, and every row is in one. */
#include "core/text.h"
#include "tests/support/drawn_network.h"

static uint32_t count_blocks(const network_fold *f, network_block_kind kind)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->n_blocks; b++)
        n += f->blocks[b].kind == kind;
    return n;
}

static const network_block *first_block(const network_fold *f, network_block_kind kind)
{
    for (uint32_t b = 0; b < f->n_blocks; b++)
        if (f->blocks[b].kind == kind)
            return &f->blocks[b];
    return NULL;
}

/* Nodes of the host, each a row: a word of letters is a type each; '+' adds what was made two nodes
 * before. */
static void put_nodes(textbuf *t, const char *letters, unsigned *made)
{
    static const char *const types[] = {"Erf", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh"};
    for (const char *c = letters; *c; c++, ++*made)
        if (*c == '+')
            text_printf(t, "Mod x%u,x%u -> x%u name=n%u\n", *made, *made - 2, *made + 1, *made);
        else
            text_printf(t, "%s x%u -> x%u name=n%u\n", types[*c - 'a'], *made, *made + 1, *made);
}

static drawn_network network_of(const char *letters)
{
    textbuf text;
    unsigned made = 0;
    text_init(&text, 1 << 20);
    text_puts(&text, "input x0 float 1,8\n");
    put_nodes(&text, letters, &made);
    text_printf(&text, "output x%u\n", made);
    assert_false(text.failed);
    drawn_network d = drawn_of(text.bytes);
    text_free(&text);
    return d;
}

static void planted_repeats_are_found_and_none_is_invented(void **state)
{
    static const struct {
        const char *what, *letters;
        uint32_t repeats;     /* blocks of them */
        uint32_t times, rows; /* of the first, in one of its times */
    } rows[] = {
        {"pairs", "abacdcdcdcdcdcdehgfbah", 1, 6, 2},
        {"three at a time, in the middle", "habcdefgabcabcabcabcgh", 1, 4, 3},
        {"one alone", "abcdefghhhhhhhhhabcdhf", 1, 9, 1},
        {"two is no repeat of one", "aabbccddeeffgghhafbgch", 0, 0, 0},
        {"nothing repeats", "abcdefghacegbdfhadgbeh", 0, 0, 0},
        {"few rows stay as they are", "abababab", 0, 0, 0},
        {"repeats of repeats", "haaabaaabaaabaaabgfcde", 5, 4, 4},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        drawn_network d = network_of(rows[i].letters);
        const network_block *found = first_block(&d.fold, NETWORK_REPEAT);
        drawn_check(&d);
        if (d.view.n_rows != strlen(rows[i].letters))
            fail_msg("%s: %u rows", rows[i].what, d.view.n_rows);
        if (count_blocks(&d.fold, NETWORK_REPEAT) != rows[i].repeats)
            fail_msg("%s: %u repeats, want %u", rows[i].what, count_blocks(&d.fold, NETWORK_REPEAT),
                     rows[i].repeats);
        if (found && (found->n_children != rows[i].times || found->children->n_rows != rows[i].rows))
            fail_msg("%s: %u times %u rows, want %u times %u", rows[i].what, found->n_children,
                     found->children->n_rows, rows[i].times, rows[i].rows);
        drawn_close(&d);
    }
}

/* Branches end where one tensor alone goes on. */
static void a_branch_is_a_block(void **state)
{
    drawn_network d = network_of("abcdefgha+bcdefghabc");
    const network_block *branch = first_block(&d.fold, NETWORK_BRANCH);
    (void)state;
    drawn_check(&d);
    assert_int_equal(count_blocks(&d.fold, NETWORK_BRANCH), 1);
    assert_int_equal(branch->first_row, 7); /* behind what both read: two nodes, and the sum */
    assert_int_equal(branch->n_rows, 3);
    drawn_close(&d);
}

/* ResNet-50 is what everybody knows: 3, 4, 6 and 3 blocks, the first of each of its own. */
static void the_stages_of_a_resnet_are_boxes(void **state)
{
    static const struct {
        const char *title;
        uint32_t branches;
    } stages[] = {{"stage 56x56", 3}, {"stage 28x28", 4}, {"stage 14x14", 6}, {"stage 7x7", 3}};
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/examples/models/resnet50-b4096.xmodel", getenv("ROOFLINE_SOURCE_DIR"));
    drawn_network d = drawn_from(path, "b4096");
    drawn_check(&d);
    for (size_t i = 0; i < COUNT(stages); i++) {
        const network_block *stage = NULL;
        uint32_t branches = 0;
        for (uint32_t b = 0; b < d.fold.n_blocks; b++)
            stage = strcmp(d.fold.blocks[b].title, stages[i].title) == 0 ? &d.fold.blocks[b] : stage;
        assert_non_null(stage);
        assert_int_equal(stage->parent, 0);
        for (uint32_t b = 0; b < d.fold.n_blocks; b++)
            branches += d.fold.blocks[b].kind == NETWORK_BRANCH &&
                        d.fold.blocks[b].first_row >= stage->first_row &&
                        d.fold.blocks[b].first_row < stage->first_row + stage->n_rows;
        assert_int_equal(branches, stages[i].branches);
    }
    assert_string_equal(first_block(&d.fold, NETWORK_REPEAT)->title, "5 x conv, conv, conv+eltwise");
    assert_in_range(d.fold.blocks[0].n_children, 4, 10);
    drawn_close(&d);
}

/* What would be a list of thousands becomes runs. */
static void no_box_has_more_than_five_hundred_children(void **state)
{
    textbuf letters;
    uint32_t at = 1;
    (void)state;
    text_init(&letters, 1 << 20);
    for (int i = 0; i < 3000; i++) {
        at = at * 1664525U + 1013904223U;
        text_printf(&letters, "%c", 'a' + (int)((at >> 24) % 8));
    }
    drawn_network d = network_of(letters.bytes);
    drawn_check(&d);
    assert_true(count_blocks(&d.fold, NETWORK_RUN_OF_ROWS) > 10);
    drawn_close(&d);
    text_free(&letters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_repeats_are_found_and_none_is_invented),
        cmocka_unit_test(a_branch_is_a_block),
        cmocka_unit_test(the_stages_of_a_resnet_are_boxes),
        cmocka_unit_test(no_box_has_more_than_five_hundred_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
