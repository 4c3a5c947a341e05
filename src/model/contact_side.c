// Contacts of flexes: which bodies move them.
#include <assert.h>
#include "math/simplex.h"
#include "model/contact.h"

bool sn_isContactSide(const snModel* m, const snContact* con, int side)
{
    const int geom = con->geom[side], flex = con->flex[side], part = con->part[side];
    if (geom >= 0) return geom < m->ngeom;
    return geom == -1 && flex >= 0 && flex < m->nflex && part >= -m->flex_vertnum[flex] &&
           part < m->flex_elemnum[flex];
}

// The corners of the element, or the vertex alone, counted over all flexes; returns how many.
static int cornersOf(const snModel* m, const snContact* con, int side, int vertex[SN_SIDE_BODIES])
{
    const int flex = con->flex[side], part = con->part[side], first = m->flex_vertadr[flex];
    assert(sn_isContactSide(m, con, side));
    if (part < 0) {
        vertex[0] = first - 1 - part;
        return 1;
    }
    const int count = m->flex_dim[flex] + 1;
    const int* corner = m->flex_elem + m->flex_elemdataadr[flex] + part * count;
    for (int k = 0; k < count; k++) vertex[k] = first + corner[k];
    return count;
}

int sn_flexSideBodies(const snModel* m, const snContact* con, int side, int body[SN_SIDE_BODIES])
{
    int vertex[SN_SIDE_BODIES];
    const int count = cornersOf(m, con, side, vertex);
    for (int k = 0; k < count; k++) body[k] = m->flex_vertbodyid[vertex[k]];
    return count;
}

snContactSide sn_flexSide(const snModel* m, const snData* d, const snContact* con, int side)
{
    snContactSide s;
    int vertex[SN_SIDE_BODIES];
    snVec3 corner[SN_SIDE_BODIES];
    s.count = cornersOf(m, con, side, vertex);
    for (int k = 0; k < s.count; k++) {
        s.body[k] = m->flex_vertbodyid[vertex[k]];
        corner[k] = sn_v3Load(d->flexvert_xpos + 3 * vertex[k]);
    }
    sn_nearestInSimplex(corner, s.count, sn_v3Load(con->pos), s.weight);
    return s;
}
