#ifndef ROOF_TESTS_MUTATE_PLANTED_H
#define ROOF_TESTS_MUTATE_PLANTED_H

int held(int n, int bytes, int beat);
int called(int n, int bytes, int beat);
int forgotten(int n, int bytes, int beat);

#endif
