#include "math/least_degree.h"
#include <amd.h>
#include <stddef.h>

bool sn_hasLeastDegree(void)
{
    return true;
}

// amd_2 is the part of AMD that allocates nothing; it wants both directions of each edge, and no diagonal.
void sn_leastDegree(int n, int* start, int* list, int* length, int room, int used, int* work[6], int* order)
{
    amd_2(n, start, list, length, room, used, work[0], work[1], order, work[2], work[3], work[4], work[5],
          NULL, NULL);
}
