// Where a connect or weld holds its two bodies.
#ifndef SINEW_SMOOTH_INERTIA_EQUALITY_ANCHOR_H
#define SINEW_SMOOTH_INERTIA_EQUALITY_ANCHOR_H

#include <sinew/data.h>
#include "math/vec.h"
#include "model/kinds.h"

/// Whether `eq` is a connect or a weld.
static inline bool sn_isBetweenBodies(const snModel* m, int eq)
{
    return sn_equalityKind(m->eq_type[eq]).bodies;
}

/// The body on a side (0: first, 1: second) of connect or weld `eq`.
static inline int sn_equalityBody(const snModel* m, int eq, int side)
{
    const int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
    return m->eq_objtype[eq] == SN_OBJ_SITE ? m->site_bodyid[id] : id;
}

/// The point of that body that the other side's point is to coincide with, world. Between bodies, eq_data of
/// a connect begins with the anchors in body 1 and body 2, that of a weld with those in body 2 and body 1.
static inline snVec3 sn_equalityAnchor(const snModel* m, const snData* d, int eq, int side)
{
    const int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
    if (m->eq_objtype[eq] == SN_OBJ_SITE) return sn_v3Load(d->site_xpos + 3 * id);
    const int place = m->eq_type[eq] == SN_EQ_CONNECT ? side : 1 - side;
    const snVec3 local = sn_v3Load(m->eq_data + SN_NEQDATA * eq + 3 * place);
    return sn_v3Add(sn_v3Load(d->xpos + 3 * id), sn_m3Mul(sn_m3Load(d->xmat + 9 * id), local));
}

/// Orientation of the frame on a side of a weld, which is to coincide with the other side's: that of body 1
/// times the relative orientation, that of body 2, or those of the sites.
static inline snQuat sn_weldFrame(const snModel* m, const snData* d, int eq, int side)
{
    const int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
    const snQuat body = sn_quatLoad(d->xquat + 4 * sn_equalityBody(m, eq, side));
    if (m->eq_objtype[eq] == SN_OBJ_SITE) return sn_quatMul(body, sn_quatLoad(m->site_quat + 4 * id));
    return side ? body : sn_quatMul(body, sn_quatLoad(m->eq_data + SN_NEQDATA * eq + 6));
}

/// Scale s of a weld's rotation residual r = s vec(q2* q1), q1 and q2 its two frames.
static inline real sn_weldScale(const snModel* m, int eq)
{
    return m->eq_data[SN_NEQDATA * eq + 10];
}

#endif
