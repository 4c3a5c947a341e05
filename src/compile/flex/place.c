// Where vertices are at qpos0.
#include "base/memory.h"
#include "compile/flex/flex.h"

double* sn_placeFlexVertices(const snModel* m)
{
    snPose* pose = sn_malloc((size_t)m->nbody * sizeof *pose);
    double* place = sn_malloc(3 * (size_t)m->nflexvert * sizeof *place);
    if (!pose || !place) {
        sn_free(pose);
        sn_free(place);
        return NULL;
    }
    pose[0] = (snPose){{0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 1; i < m->nbody; i++) {
        const snPose own = {sn_v3Load(m->body_pos + 3 * i), sn_quatLoad(m->body_quat + 4 * i)};
        pose[i] = sn_poseMul(pose[m->body_parentid[i]], own);
    }
    for (int v = 0; v < m->nflexvert; v++) {
        const snPose* body = pose + m->flex_vertbodyid[v];
        const snVec3 turned = sn_quatRotate(body->quat, sn_v3Load(m->flex_vert + 3 * (size_t)v));
        sn_v3Store(place + 3 * (size_t)v, sn_v3Add(body->pos, turned));
    }
    sn_free(pose);
    return place;
}
