#include "core/planted.h"

int main(void)
{
    static const struct {
        int n, bytes, beat, want;
    } rows[] = {{3, 64, 16, 19}, {3, 65, 16, 22}, {3, 63, 16, 19}, {1, 1, 1, 8},    {2, 5, 1, 17},
                {1, 0, 16, 7},   {0, 64, 16, -1}, {3, 64, 0, -1},  {-1, 64, 16, -1}};
    int wrong = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        wrong += held(rows[i].n, rows[i].bytes, rows[i].beat) != rows[i].want;
        (void)called(rows[i].n, rows[i].bytes, rows[i].beat ? rows[i].beat : 1);
    }
    return wrong;
}
