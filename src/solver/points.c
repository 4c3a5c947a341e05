// For each target: src/target/prelude.h.
#include "solver/points.h"
#include <string.h>
#include "math/simd.h"
#include "model/arena.h"
#include "solver/point_block.h"
#include "solver/problem.h"

static int chainLength(const snProblem* p, int c)
{
    return p->chains.adr[c + 1] - p->chains.adr[c];
}

static int elasticLength(const snProblem* p, int c)
{
    return p->elastic.adr[c + 1] - p->elastic.adr[c];
}

// Whether three unknowns from c on are a point: on no chain but their own, with the same neighbours.
static bool isPoint(const snProblem* p, int c)
{
    if (c + 3 > p->ndof || elasticLength(p, c) % 3 != 1) return false;
    for (int k = 0; k < 3; k++)
        if (chainLength(p, c + k) != k + 1 || elasticLength(p, c + k) != elasticLength(p, c) + k)
            return false;
    return p->chains.list[p->chains.adr[c + 2] + 2] == c;
}

// The root of an unknown's chain.
static int rootOf(const snProblem* p, int c)
{
    return p->chains.list[p->chains.adr[c + 1] - 1];
}

// Which unknowns are points. false: some elastic ones are of none, or others hang on one.
static bool sortUnknowns(const snProblem* p, snElasticPoints* q)
{
    q->count = q->nrest = 0;
    for (int c = 0; c < p->ndof;) {
        if (!elasticLength(p, c)) {
            if (q->place[rootOf(p, c)] >= 0 && rootOf(p, c) != c) return false;
            q->place[c] = ~q->nrest;
            q->rest[q->nrest++] = c++;
            continue;
        }
        if (!isPoint(p, c)) return false;
        for (int k = 0; k < 3; k++) q->place[c + k] = q->count;
        q->first[q->count++] = c;
        c += 3;
    }
    return true;
}

// Neighbours of each point; those of its three unknowns are the same by construction.
static void findNear(const snProblem* p, snElasticPoints* q)
{
    q->adr[0] = 0;
    for (int i = 0, at = 0; i < q->count; q->adr[++i] = at) {
        const int begin = p->elastic.adr[q->first[i]], end = p->elastic.adr[q->first[i] + 1] - 1;
        for (int k = begin; k < end; k += 3) q->near[at++] = q->place[p->elastic.col[k]];
    }
}

// The blocks, and the largest ratio on the diagonal.
static void fillBlocks(const snProblem* p, snElasticPoints* q)
{
    q->ratio = 0;
    memset(q->own, 0, SN_POINT * (size_t)q->count * sizeof(double));
    memset(q->pair, 0, SN_POINT * (size_t)q->adr[q->count] * sizeof(double));
    for (int i = 0; i < q->count; i++)
        for (int r = 0; r < 3; r++) {
            const int c = q->first[i] + r, *chain = p->chains.list + p->chains.adr[c];
            const double *M = p->chainM + p->chains.adr[c], *e = p->elastic.value + p->elastic.adr[c];
            for (int k = q->adr[i]; k < q->adr[i + 1]; k++, e += 3)
                for (int s = 0; s < 3; s++) q->pair[SN_POINT * k + 4 * s + r] = e[s];
            double* own = q->own + SN_POINT * i;
            for (int s = 0; s <= r; s++) own[4 * s + r] = e[s];
            if (e[r] > q->ratio * M[0]) q->ratio = e[r] / M[0];
            for (int k = 0; k <= r; k++) own[4 * (chain[k] - q->first[i]) + r] += M[k];
            for (int s = 0; s < r; s++) own[4 * r + s] = own[4 * s + r];
        }
}

bool sn_findPoints(snData* d, const snProblem* p, snElasticPoints* q)
{
    const int n = p->ndof;
    *q = (snElasticPoints){
        .first = sn_scratchInt(d, n / 3 + 1), .rest = sn_scratchInt(d, n), .place = sn_scratchInt(d, n)};
    if (!q->first || !q->rest || !q->place) return false;
    if (!sortUnknowns(p, q)) {
        q->count = 0;
        return true;
    }
    q->adr = sn_scratchInt(d, q->count + 1);
    q->near = sn_scratchInt(d, p->elastic.adr[n] / 9 + 1);
    if (!q->adr || !q->near) return false;
    findNear(p, q);
    q->own = sn_scratchReal(d, SN_POINT * q->count);
    q->pair = sn_scratchReal(d, SN_POINT * q->adr[q->count]);
    q->x = sn_scratchReal(d, 4 * q->count);
    q->y = sn_scratchReal(d, 4 * q->count);
    if (!q->own || !q->pair || !q->x || !q->y) return false;
    fillBlocks(p, q);
    return true;
}

void sn_mulPoints(const snElasticPoints* q, const double* x, double* y)
{
    sn_takePoints(q, x, q->x);
    for (int i = 0; i < q->count; i++) {
        const v4 xi = v4_load(q->x + 4 * i);
        v4Sum sum = v4Sum_of(sn_blockTimes(q->own + SN_POINT * i, q->x + 4 * i));
        for (int k = q->adr[i]; k < q->adr[i + 1]; k++) {
            const double* B = q->pair + SN_POINT * k;
            double* to = q->y + 4 * q->near[k];
            v4Sum_add(&sum, sn_blockTimes(B, q->x + 4 * q->near[k]));
            v4_store(to, v4_load(to) + sn_turnedBlockTimes(B, xi));
        }
        v4_store(q->y + 4 * i, v4Sum_value(sum));
    }
    for (int i = 0; i < q->count; i++)
        for (int k = 0; k < 3; k++) y[q->first[i] + k] += q->y[4 * i + k];
}
