// The tree of bodies: parents, roots, poses, mocap, and what belongs to which body.
#include "compile/body/body.h"
#include "model/rules.h"

static bool buildMocap(snBuild* b, const snSpecBody* body, int id, int* count)
{
    snModel* m = b->m;
    m->body_mocapid[id] = -1;
    if (!body->mocap) return true;
    if (id == 0 || m->body_parentid[id] != 0 || body->joints.count)
        return sn_buildFail(b, &body->head, SN_STATUS_MODEL,
                            "a mocap body must be a child of the world without joints");
    m->body_mocapid[id] = (*count)++;
    return true;
}

// Mocap bodies begin a group of their own: they are moved.
static int weldOf(const snModel* m, const snSpecBody* body, int id)
{
    const bool own = body->mocap && sn_means(m->physics, SN_RULE_MOCAP_WELD);
    return own || body->joints.count ? id : id == 0 ? 0 : m->body_weldid[m->body_parentid[id]];
}

// First element and count of each kind; -1 when there is none.
static void buildRange(const void* first, int first_id, int count, int* adr, int* num)
{
    *adr = first ? first_id : -1;
    *num = count;
}

bool sn_buildTree(snBuild* b)
{
    snModel* m = b->m;
    int mocaps = 0;
    for (int i = 0; i < m->nbody; i++) {
        const snSpecBody* body = b->body[i];
        m->body_parentid[i] = body->parent ? body->parent->head.id : 0;
        const int parent = m->body_parentid[i];
        m->body_rootid[i] = parent == 0 ? i : m->body_rootid[parent];
        m->body_weldid[i] = weldOf(m, body, i);
        if (i == 0 && body->joints.count)
            return sn_buildFail(b, &body->joints.first->head, SN_STATUS_MODEL,
                                "the world has no joints: put it into a body");
        if (!buildMocap(b, body, i, &mocaps)) return false;
        snPose pose;
        if (!sn_buildPose(b, &body->head, body->frame, body->pos, &body->orient, &pose)) return false;
        sn_v3Store(m->body_pos + 3 * i, pose.pos);
        sn_quatStore(m->body_quat + 4 * i, pose.quat);
        m->body_gravcomp[i] = body->gravcomp;
        sn_buildUser(m->body_user + (size_t)m->nuser_body * (size_t)i, m->nuser_body, body->user);
        buildRange(body->joints.first, body->joints.first ? body->joints.first->head.id : 0,
                   body->joints.count, &m->body_jntadr[i], &m->body_jntnum[i]);
        buildRange(body->geoms.first, body->geoms.first ? body->geoms.first->head.id : 0, body->geoms.count,
                   &m->body_geomadr[i], &m->body_geomnum[i]);
    }
    return true;
}
