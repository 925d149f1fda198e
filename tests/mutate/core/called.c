#include "core/planted.h"

int called(int n, int bytes, int beat)
{
    if (n < 1 || beat < 1)
        return -1;
    return n * ((bytes + beat - 1) / beat) + 7;
}
