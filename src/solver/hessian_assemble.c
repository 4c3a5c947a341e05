// A large Hessian from its rows, on the threads of the data: each takes some places of the elimination, so
// that a number of the Hessian gets its sum from one thread, in the order of the rows.
#include <sinew/thread_pool.h>
#include "base/claim.h"
#include "model/arena.h"
#include "solver/hessian.h"

enum { PARTS = 4 }; // of each thread

typedef struct snAssemblyShare {
    snThreadPool* pool;
    int seats, parts;
    snPlaces* part;  // [parts]
    double* work;    // [seats x size]
    size_t size;     // of what sn_assemblePart works in
    snClaims claims; // of parts
    const snProblem* p;
    const double* weight;
    const snHessian* h;
} snAssemblyShare;

// Parts with about as many pieces each. count [nnode]: scratch.
static void divide(const snCoupling* c, int* count, snAssemblyShare* s)
{
    const int* place = c->elimination.place;
    int total = 0, sum = 0, most = s->parts;
    for (int k = 0; k < c->nnode; k++) count[k] = 0;
    for (int k = 0; k < c->nsupport; k++)
        for (int a = 0; a < c->support[k].npiece; a++, total++) count[place[c->support[k].piece[a].node]]++;
    s->parts = 0;
    s->part[0] = (snPlaces){.low = 0};
    for (int k = 0; k < c->nnode; k++) {
        sum += count[k];
        count[k] = s->parts; // now: which part a place is in
        if (sum * (double)most < (double)total * (s->parts + 1) && k + 1 < c->nnode) continue;
        s->part[s->parts].high = k + 1;
        if (s->parts + 1 < most && k + 1 < c->nnode) s->part[++s->parts] = (snPlaces){.low = k + 1};
    }
    s->parts++;
}

// The supports of each part: counted or, with lists, listed. part [nnode]: of a place.
static void listSupports(const snCoupling* c, const int* part, snAssemblyShare* s)
{
    for (int k = 0; k < s->parts; k++) s->part[k].nsupport = 0;
    for (int k = 0; k < c->nsupport; k++) {
        const snHessianSupport* support = c->support + k;
        for (int a = 0, last = -1; a < support->npiece; a++) {
            const int own = part[c->elimination.place[support->piece[a].node]];
            if (own == last) continue; // pieces are in the order of places
            last = own;
            if (s->part[own].support) s->part[own].support[s->part[own].nsupport] = k;
            s->part[own].nsupport++;
        }
    }
}

static bool plan(snData* d, const snCoupling* c, snAssemblyShare* s)
{
    int* part = sn_scratchInt(d, c->nnode);
    s->part = sn_scratchAlloc(d, (size_t)s->parts * sizeof *s->part);
    s->work = sn_scratchAlloc(d, (size_t)s->seats * s->size * sizeof(double));
    if (!part || !s->part || !s->work) return false;
    divide(c, part, s);
    for (int k = 0; k < s->parts; k++) s->part[k].support = NULL;
    listSupports(c, part, s);
    for (int k = 0; k < s->parts; k++) {
        s->part[k].support = sn_scratchInt(d, s->part[k].nsupport);
        if (!s->part[k].support) return false;
    }
    listSupports(c, part, s);
    return true;
}

void sn_shareAssembly(snData* d, const snProblem* p, snHessian* h)
{
    const snCoupling* c = &p->coupling;
    const int seats = sn_seatsOf(d->pool);
    const size_t mark = sn_scratchMark(d);
    h->assembly = NULL;
    if (!h->factor.share || !c->whole) return;
    snAssemblyShare* s = sn_scratchAlloc(d, sizeof *s);
    if (s)
        *s = (snAssemblyShare){.pool = d->pool,
                               .seats = seats,
                               .parts = PARTS * seats,
                               .size = (c->rows + SN_HESSIAN_STRIP * c->columns + 7) & ~(size_t)7};
    if (s && plan(d, c, s))
        h->assembly = s;
    else
        sn_scratchRelease(d, mark);
}

// What a seat does: the next part, until there is none.
static void work(void* arg, int index, int thread)
{
    snAssemblyShare* s = arg;
    const int seat = sn_seatOf(s->pool, s->seats, index, thread);
    for (int range = seat, k; (k = sn_claim(&s->claims, seat, &range)) >= 0;)
        sn_assemblePart(s->p, s->h->quad, s->weight, s->part + k, s->work + (size_t)seat * s->size,
                        s->h->factor.value);
}

void sn_hessianAssemble(const snProblem* p, const double* weight, snHessian* h)
{
    snAssemblyShare* s = h->assembly;
    sn_assembleInertia(p, weight, h->factor.value);
    if (!s) {
        sn_assembleRows(p, h->quad, weight, h->strip, h->factor.value);
        return;
    }
    s->p = p;
    s->h = h;
    s->weight = weight;
    sn_beginClaims(&s->claims, s->parts, s->seats);
    sn_runThreads(s->pool, s->seats, work, s);
}
