// Actuators: what they drive, a little larger, in the colour of their control or activation.
#include "model/kinds.h"
#include "scene/decor/decor.h"
#include "shape/facts.h"
#include "smooth/actuator/so3.h"

// Where c stands in [low, high] between its limits: -1 at low, 1 at high, 0 at 0 or at the end nearest to it.
// Beyond that end the range is taken to reach to -1 or 1.
static double shareOf(double c, double low, double high)
{
    const double rest = low >= 0 ? low : high <= 0 ? high : 0, from = low >= 0 ? -1 : low;
    const double to = low >= 0 || high > 0 ? high : 1, way = c - rest;
    const double share = way / sn_max(way < 0 ? rest - from : to - rest, SN_MINVAL);
    return sn_min(sn_max(share, -1), 1);
}

// Of an orientation servo how far it turns, 1 for half a turn.
static double shareOfTurn(const snvList* list, int i)
{
    const snVec3 turn = sn_quatToRotvec(sn_commandedOrientation(list->m, list->d, i, false));
    return sn_min(sn_max(sn_v3Norm(turn) / SN_PI, 0), 1);
}

static double shareOfControl(const snvList* list, int i)
{
    const snModel* m = list->m;
    if (sn_isOrientationServo(m, i)) return shareOfTurn(list, i);
    const bool shows_act = snv_isOn(list, SN_VIS_ACTIVATION) && m->actuator_actnum[i] > 0;
    const bool controlled = m->actuator_ctrlnum[i] > 0;
    const int control = controlled ? m->actuator_ctrladr[i] : 0;
    const double *act = m->actuator_actrange + 2 * i, *ctrl = m->actuator_ctrlrange + 2 * control;
    static const double unlimited[2] = {-1, 1};
    const double* range = shows_act && m->actuator_actlimited[i]           ? act
                          : controlled && m->actuator_ctrllimited[control] ? ctrl
                                                                           : unlimited;
    const double value = shows_act    ? list->d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1]
                         : controlled ? list->d->ctrl[control]
                                      : 0;
    return shareOf(value, range[0], range[1]);
}

static void colour(const snvList* list, int i, float rgba[4])
{
    const snVisual* vis = &list->m->vis;
    const double share = shareOfControl(list, i);
    const float *rest = vis->rgba.actuator,
                *end = share < 0 ? vis->rgba.actuatornegative : vis->rgba.actuatorpositive;
    for (int k = 0; k < 4; k++) rgba[k] = rest[k] + (float)fabs(share) * (end[k] - rest[k]);
}

// A label for the geom that begins, which ends.
static void end(const snvList* list, snvGeom* geom, int i)
{
    if (!geom) return;
    snv_labelGeom(list, geom, SN_LABEL_ACTUATOR, SN_OBJ_ACTUATOR, i);
    snv_endGeom(list);
}

static void addAtJoint(const snvList* list, int i, const float rgba[4])
{
    const snModel* m = list->m;
    const snData* d = list->d;
    const int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint];
    const double width = snv_length(list, m->vis.scale.actuatorwidth),
                 length = snv_length(list, m->vis.scale.actuatorlength),
                 radius = 0.33 * snv_length(list, m->vis.scale.jointlength);
    const double size[3] = {radius, radius, radius}, *mat = d->xmat + 9 * m->jnt_bodyid[joint];
    const snVec3 anchor = sn_v3Load(d->xanchor + 3 * joint);
    if (sn_hasQuaternion(type))
        end(list,
            snv_beginShape(list, SN_OBJ_ACTUATOR, i, type == SN_JNT_FREE ? SN_GEOM_BOX : SN_GEOM_SPHERE, size,
                           d->xanchor + 3 * joint, mat, rgba),
            i);
    else
        end(list,
            snv_beginLink(list, SN_OBJ_ACTUATOR, i, type == SN_JNT_HINGE ? SN_GEOM_ARROW1 : SN_GEOM_ARROW,
                          width, anchor, sn_v3AddScaled(anchor, length, sn_v3Load(d->xaxis + 3 * joint)),
                          rgba),
            i);
}

static void addAtTendon(const snvList* list, int i, const float rgba[4])
{
    const snModel* m = list->m;
    const int tendon = m->actuator_trnid[2 * i];
    snvGeom look = {.category = SN_CAT_DECOR, .objtype = SN_OBJ_ACTUATOR, .objid = i};
    snv_initGeom(&look, SN_GEOM_CAPSULE, NULL, NULL, NULL, rgba);
    snv_labelGeom(list, &look, SN_LABEL_ACTUATOR, SN_OBJ_ACTUATOR, i);
    snv_addPath(list, tendon, &look, m->tendon_width[tendon] * (double)m->vis.map.actuatortendon);
}

// A shape of the model, larger by a twentieth.
static snvGeom* beginAround(const snvList* list, int i, int type, const double shape[3], const double pos[3],
                            const double mat[9], const float rgba[4])
{
    const double size[3] = {1.05 * shape[0], 1.05 * shape[1], 1.05 * shape[2]};
    return snv_beginShape(list, SN_OBJ_ACTUATOR, i, type, size, pos, mat, rgba);
}

static void addAtSite(const snvList* list, int i, const float rgba[4])
{
    const snModel* m = list->m;
    const int site = m->actuator_trnid[2 * i];
    if (m->site_dataid[site] >= 0) return; // a mesh is as large as it is
    end(list,
        beginAround(list, i, m->site_type[site], m->site_size + 3 * site, list->d->site_xpos + 3 * site,
                    list->d->site_xmat + 9 * site, rgba),
        i);
}

// All shapes of a body that have a size; the peer gives them no label.
static void addAtBody(const snvList* list, int i, const float rgba[4])
{
    const snModel* m = list->m;
    const snData* d = list->d;
    const int body = m->actuator_trnid[2 * i], first = m->body_geomadr[body];
    for (int g = first; g < first + m->body_geomnum[body]; g++) {
        const int type = m->geom_type[g];
        if (!sn_isPrimitive(type)) continue;
        if (!beginAround(list, i, type, m->geom_size + 3 * g, d->geom_xpos + 3 * g, d->geom_xmat + 9 * g,
                         rgba))
            return;
        snv_endGeom(list);
    }
}

void snv_addActuators(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_ACTUATOR)) return;
    for (int i = 0; i < m->nactuator; i++) {
        float rgba[4];
        if (!snv_showsGroup(list->opt->actuatorgroup, m->actuator_group[i])) continue;
        colour(list, i, rgba);
        switch ((snTrnType)m->actuator_trntype[i]) {
        case SN_TRN_JOINT:
        case SN_TRN_JOINTINPARENT: addAtJoint(list, i, rgba); break;
        case SN_TRN_TENDON: addAtTendon(list, i, rgba); break;
        case SN_TRN_SITE: addAtSite(list, i, rgba); break;
        case SN_TRN_BODY: addAtBody(list, i, rgba); break;
        case SN_TRN_SO3:
            m->actuator_trnid[2 * i + 1] < 0 ? addAtJoint(list, i, rgba) : addAtSite(list, i, rgba);
            break;
        case SN_TRN_SLIDERCRANK: // which has a look of its own
        case SN_TRN_UNDEFINED: break;
        }
    }
}
