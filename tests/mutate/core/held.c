#include "core/planted.h"

/* Cycles of n transfers, each rounded up to whole beats, behind a first wait. */
int held(int n, int bytes, int beat)
{
    if (n < 1 || beat < 1)
        return -1;
    return n * ((bytes + beat - 1) / beat) + 7;
}
