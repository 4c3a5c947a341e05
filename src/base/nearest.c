#include "base/nearest.h"
#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 };

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// Optimal string alignment distance, three rows of the table at a time.
int sn_wordDistance(const char* a, const char* b)
{
    const int na = (int)strnlen(a, LONGEST), nb = (int)strnlen(b, LONGEST);
    int rows[3][LONGEST + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= nb; j++) above[j] = j;
    for (int i = 1; i <= na; i++) {
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            const int equal = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = smaller(smaller(above[j], row[j - 1]) + 1, above[j - 1] + !equal);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        int* free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[nb];
}

const char* sn_nearestWord(const char* word, const char* const* candidates, int n)
{
    const char* nearest = NULL;
    int best = LONGEST + 1;
    for (int i = 0; i < n; i++) {
        if (!candidates[i]) continue;
        const int distance = sn_wordDistance(word, candidates[i]);
        const int allowed = (int)(strnlen(candidates[i], LONGEST) + 2) / 3;
        if (distance <= allowed && distance < best) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
