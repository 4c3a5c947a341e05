// In the place of least_degree.c in builds without AMD.
#include "math/least_degree.h"

bool sn_hasLeastDegree(void)
{
    return false;
}

void sn_leastDegree(int n, int* start, int* list, int* length, int room, int used, int* work[6], int* order)
{
    (void)start, (void)list, (void)length, (void)room, (void)used, (void)work;
    for (int k = 0; k < n; k++) order[k] = k;
}
