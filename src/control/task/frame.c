// Motion of a frame by the spatial velocities of two bodies, its own and the reference's, each about the
// centre of mass of its tree. Seen from B, the point p of F moves with u = v_F(p) - v_B(p), v_B(p) that of
// the point of B that is there; u' = a_F(p) - a_B(p) - 2 w_B x u, and w' = w_F' - w_B' - w_B x w_F.
#include "control/task/frame.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/object.h"

typedef struct Placed {
    snVec3 pos;
    snMat3 mat;
    int body;
} Placed;

// A body's motion about p.
typedef struct Carrier {
    int dof;       // the last that moves it
    snVec3 arm;    // p from the centre of mass of its tree
    snMotion vel;  // of the point of the body at p
    snMotion bias; // about the centre of mass: sum of cdof_dot qvel, of the dofs that are its own
} Carrier;

// Where columns go, and into which axes.
typedef struct Columns {
    double *Jp, *Jr;
    int stride;
    bool turned;
    snMat3 axes;
} Columns;

static Placed place(const snModel* m, const snData* d, snFrame frame)
{
    const int type = frame.objtype == SN_OBJ_BODY ? SN_OBJ_XBODY : frame.objtype;
    const snObjectFrame f = sn_objectFrame(m, d, type, frame.objid);
    Placed placed = {sn_v3Load(f.pos), sn_m3Load(f.mat), f.body};
    if (frame.offset) placed.pos = sn_v3Add(placed.pos, sn_m3Mul(placed.mat, sn_v3Load(frame.offset)));
    return placed;
}

// A motion about the tree's centre of mass, at a point `arm` away.
static inline snMotion at(snMotion v, snVec3 arm)
{
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, arm))};
}

static Carrier carrierAt(const snModel* m, const snData* d, int body, snVec3 p)
{
    const snVec3 arm = sn_v3Sub(p, sn_treeCom(m, d, body));
    return (Carrier){
        .dof = sn_lastDof(m, body), .arm = arm, .vel = at(sn_motionLoad(d->cvel + 6 * body), arm)};
}

static inline void storeColumn(double* J, int stride, snVec3 v)
{
    J[0] = v.x, J[stride] = v.y, J[2 * stride] = v.z;
}

static inline void writeColumn(const Columns* to, int k, snMotion s)
{
    if (to->turned) s = (snMotion){sn_m3TMul(to->axes, s.ang), sn_m3TMul(to->axes, s.lin)};
    if (to->Jp) storeColumn(to->Jp + k, to->stride, s.lin);
    if (to->Jr) storeColumn(to->Jr + k, to->stride, s.ang);
}

// Takes the last dof of a carrier's chain; sign -1: it moves the reference.
static inline void takeDof(const snModel* m, const snData* d, Carrier* c, double sign, const Columns* to)
{
    const int k = c->dof;
    c->bias = sn_motionAddScaled(c->bias, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
    c->dof = m->dof_parentid[k];
    if (!to) return;
    const snMotion s = at(sn_motionLoad(d->cdof + 6 * k), c->arm);
    writeColumn(to, k, (snMotion){sn_v3Scale(s.ang, sign), sn_v3Scale(s.lin, sign)});
}

// Acceleration, without qacc, of the body's point at p.
static snMotion pointDrift(const Carrier* c)
{
    snMotion a = at(c->bias, c->arm);
    a.lin = sn_v3Add(a.lin, sn_v3Cross(c->vel.ang, c->vel.lin));
    return a;
}

static snMotion difference(snMotion a, snMotion b)
{
    return (snMotion){sn_v3Sub(a.ang, b.ang), sn_v3Sub(a.lin, b.lin)};
}

static void storeLinearFirst(double to[6], snMat3 axes, snMotion v)
{
    sn_v3Store(to, sn_m3TMul(axes, v.lin));
    sn_v3Store(to + 3, sn_m3TMul(axes, v.ang));
}

static void clear(double* J, int columns)
{
    if (J) memset(J, 0, 3 * (size_t)columns * sizeof *J);
}

// Chains meet at the dofs that move both: parents come first, so the later of two dofs is only in its own.
static void walk(const snModel* m, const snData* d, Carrier* f, Carrier* b, const Columns* to)
{
    while (f->dof != b->dof)
        if (f->dof > b->dof)
            takeDof(m, d, f, 1, to);
        else
            takeDof(m, d, b, -1, to);
}

static void storeMotion(snFrameMotion* motion, const Placed* F, const Placed* B, const Carrier* f,
                        const Carrier* b)
{
    const snMotion u = difference(f->vel, b->vel);
    snMotion drift = difference(pointDrift(f), pointDrift(b));
    drift.lin = sn_v3AddScaled(drift.lin, -2, sn_v3Cross(b->vel.ang, u.lin));
    drift.ang = sn_v3Sub(drift.ang, sn_v3Cross(b->vel.ang, f->vel.ang));
    sn_v3Store(motion->pos, sn_m3TMul(B->mat, sn_v3Sub(F->pos, B->pos)));
    sn_m3Store(motion->mat, sn_m3TMulM3(B->mat, F->mat));
    storeLinearFirst(motion->vel, B->mat, u);
    storeLinearFirst(motion->drift, B->mat, drift);
}

void sn_frameFrom(const snModel* m, const snData* d, snFrame frame, snFrame from, bool local,
                  snFrameMotion* motion, double* Jp, double* Jr, int columns)
{
    const Placed F = place(m, d, frame), B = place(m, d, from);
    Carrier f = carrierAt(m, d, F.body, F.pos), b = carrierAt(m, d, B.body, F.pos);
    clear(Jp, columns);
    clear(Jr, columns);
    const Columns to = {Jp, Jr, columns, local || from.objtype != SN_OBJ_UNKNOWN, local ? F.mat : B.mat};
    walk(m, d, &f, &b, Jp || Jr ? &to : NULL);
    storeMotion(motion, &F, &B, &f, &b);
}

void sn_frameMotion(const snModel* m, snData* d, int objtype, int objid, const double offset[3],
                    snFrameMotion* motion, double* J, int columns)
{
    const snFrame frame = {objtype, objid, offset}, world = {SN_OBJ_UNKNOWN, -1, NULL};
    sn_frameFrom(m, d, frame, world, false, motion, J, J ? J + 3 * (size_t)columns : NULL, columns);
}

void sn_taskFrame(const snModel* m, const snData* d, const snTask* task, snFrameMotion* motion, double* Jp,
                  double* Jr, int columns)
{
    const snTaskSettings* s = &task->set;
    const snFrame frame = {s->objtype, s->objid, s->offset}, from = {s->reftype, s->refid, NULL};
    sn_frameFrom(m, d, frame, from, s->local, motion, Jp, Jr, columns);
}

void sn_taskView(const snModel* m, const snData* d, const snTask* task, const double world[3], double seen[3])
{
    const snFrame from = {task->set.reftype, task->set.refid, NULL};
    sn_v3Store(seen, sn_m3TMul(place(m, d, from).mat, sn_v3Load(world)));
}

int sn_frameBody(const snModel* m, int objtype, int objid)
{
    return objtype == SN_OBJ_SITE   ? m->site_bodyid[objid]
           : objtype == SN_OBJ_GEOM ? m->geom_bodyid[objid]
                                    : objid;
}

const char* sn_frameKind(int objtype)
{
    switch (objtype) {
    case SN_OBJ_BODY:
    case SN_OBJ_XBODY: return "body";
    case SN_OBJ_SITE: return "site";
    case SN_OBJ_GEOM: return "geom";
    default: return NULL;
    }
}
