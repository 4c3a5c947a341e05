#include "smooth/flex/flex.h"

#include <sinew/smooth.h>
#include "model/made.h"

static void placeVertices(const snModel* m, snData* d)
{
    for (int v = 0; v < m->nflexvert; v++) {
        const int body = m->flex_vertbodyid[v];
        const snVec3 turned = sn_m3Mul(sn_m3Load(d->xmat + 9 * body), sn_v3Load(m->flex_vert + 3 * v));
        sn_v3Store(d->flexvert_xpos + 3 * v, sn_v3Add(sn_v3Load(d->xpos + 3 * body), turned));
    }
}

static void measureEdges(const snModel* m, snData* d, int flex)
{
    const int first = m->flex_vertadr[flex];
    for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; e++) {
        const int* ends = m->flex_edge + 2 * e;
        const snVec3 along = sn_v3Sub(sn_flexVertex(d, first + ends[1]), sn_flexVertex(d, first + ends[0]));
        d->flexedge_length[e] = sn_v3Norm(along);
    }
}

void sn_flex(const snModel* m, snData* d)
{
    sn_assertMade(m, d, xpos, xmat);
    placeVertices(m, d);
    for (int f = 0; f < m->nflex; f++) measureEdges(m, d, f);
}

void sn_flexVelocity(const snModel* m, snData* d)
{
    (void)m;
    (void)d;
}
