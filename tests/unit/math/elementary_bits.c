// A program of its own, for any compiler and processor: prints the hash of each elementary function, and
// exits with 1 if one is not the one that is written down.
#include <stdio.h>
#include "elementary_points.h"

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        const uint64_t hash = hashOf(FUNCTIONS + i);
        const int right = hash == FUNCTIONS[i].hash;
        printf("%-8s 0x%016llxu%s\n", FUNCTIONS[i].name, (unsigned long long)hash, right ? "" : " is new");
        wrong |= !right;
    }
    return wrong;
}
