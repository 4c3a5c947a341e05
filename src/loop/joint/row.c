// Everything in world axes, at the origin of S: there the spatial vectors of both bodies, which refer to the
// centres of mass of their trees, meet. The rounding error that section 8.7 warns of, of bodies far from the
// base, does not arise: no number here grows with the distance from the world's origin but the differences of
// positions.
#include "loop/joint/row.h"
#include "smooth/kinematics/jacobian.h"

// A motion of a body, from the point that its spatial vectors refer to, to `point`.
static snMotion atPoint(const snModel* m, const snData* d, int body, snMotion v, snVec3 point)
{
    const snVec3 arm = sn_v3Sub(point, sn_treeCom(m, d, body));
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, arm))};
}

static snMotion velocity(const snModel* m, const snData* d, int body, snVec3 point)
{
    return atPoint(m, d, body, sn_motionLoad(d->cvel + 6 * body), point);
}

// a^vp: the acceleration of a body when no joint accelerates, gravity left out, and without that of the
// loop's root, whose last dof is `end`.
static snMotion velocityProduct(const snModel* m, const snData* d, int body, int end, snVec3 point)
{
    snMotion a = {{0, 0, 0}, {0, 0, 0}};
    for (int j = sn_lastDof(m, body); j != end; j = m->dof_parentid[j])
        a = sn_motionAddScaled(a, d->qvel[j], sn_motionLoad(d->cdof_dot + 6 * j));
    return atPoint(m, d, body, a, point);
}

static snMotion difference(snMotion a, snMotion b)
{
    return sn_motionAddScaled(a, -1, b);
}

static snMotion inFrame(snMat3 R, snMotion v)
{
    return (snMotion){sn_m3TMul(R, v.ang), sn_m3TMul(R, v.lin)};
}

snLoopPose sn_loopPlace(const snLoopFrames* f)
{
    return (snLoopPose){.E = sn_m3TMulM3(f->mat[1], f->mat[0]),
                        .r = sn_m3TMul(f->mat[0], sn_v3Sub(f->pos[1], f->pos[0]))};
}

snLoopPose sn_loopPose(const snModel* m, const snData* d, const snLoopFrames* f)
{
    const snMotion v =
        difference(velocity(m, d, f->body[1], f->pos[1]), velocity(m, d, f->body[0], f->pos[1]));
    snLoopPose pose = sn_loopPlace(f);
    pose.v_J = inFrame(f->mat[1], v);
    return pose;
}

int sn_loopDofs(const snModel* m, const int body[2], int* dofs)
{
    int p = sn_lastDof(m, body[0]), s = sn_lastDof(m, body[1]), count = 0;
    while (p != s) {
        int* last = p > s ? &p : &s;
        dofs[count++] = *last;
        *last = m->dof_parentid[*last];
    }
    return count;
}

// Columns of K: sign T' S_j in S's coordinates, for the dofs of a body up to, without, `end`.
static void addChain(const snModel* m, const snData* d, const snLoopFrames* f, const snLoopRows* rows,
                     int body, int end, double sign, const int* index, int stride, double* K)
{
    const snVec3 arm = sn_v3Sub(f->pos[1], sn_treeCom(m, d, body));
    for (int j = sn_lastDof(m, body); j != end; j = m->dof_parentid[j]) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * j);
        const snMotion moved = {s.ang, sn_v3Add(s.lin, sn_v3Cross(s.ang, arm))};
        const snMotion v = inFrame(f->mat[1], moved);
        double* column = K + index[j];
        for (int r = 0; r < rows->count; r++, column += stride)
            *column = sign * sn_motionDotForce(v, rows->T[r]);
    }
}

// The dof at which the chains of two bodies meet; -1: none.
static int meeting(const snModel* m, const int body[2])
{
    int p = sn_lastDof(m, body[0]), s = sn_lastDof(m, body[1]);
    while (p != s) {
        int* last = p > s ? &p : &s;
        *last = m->dof_parentid[*last];
    }
    return p;
}

void sn_loopJacobian(const snModel* m, const snData* d, const snLoopFrames* f, const snLoopRows* rows,
                     const int* index, int stride, double* K)
{
    const int root = meeting(m, f->body);
    addChain(m, d, f, rows, f->body[0], root, -1, index, stride, K);
    addChain(m, d, f, rows, f->body[1], root, 1, index, stride, K);
}

void sn_loopBias(const snModel* m, const snData* d, const snLoopFrames* f, const snLoopPose* pose,
                 const snLoopRows* rows, double* k, double* speed)
{
    const snVec3 point = f->pos[1];
    const snMotion v_p = velocity(m, d, f->body[0], point), v_s = velocity(m, d, f->body[1], point);
    const int root = meeting(m, f->body);
    const snMotion a = difference(velocityProduct(m, d, f->body[1], root, point),
                                  velocityProduct(m, d, f->body[0], root, point));
    const snMotion carried = inFrame(f->mat[1], sn_motionAdd(a, sn_crossMotion(v_s, v_p)));
    for (int r = 0; r < rows->count; r++) {
        k[r] = -sn_motionDotForce(carried, rows->T[r]) - sn_motionDotForce(pose->v_J, rows->T_rate[r]);
        speed[r] = sn_motionDotForce(pose->v_J, rows->T[r]);
    }
}

static snForce inWorld(snMat3 R, snForce f)
{
    return (snForce){sn_m3Mul(R, f.ang), sn_m3Mul(R, f.lin)};
}

snForce sn_forceOnSide(const snModel* m, const snData* d, const snLoopFrames* frames, snForce f, int side)
{
    const snForce w = inWorld(frames->mat[1], f);
    const double sign = side ? 1 : -1;
    return sn_forceAtCom(m, d, frames->body[side], sn_v3Scale(w.lin, sign), sn_v3Scale(w.ang, sign),
                         frames->pos[1]);
}
