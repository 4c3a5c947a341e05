// Spatial tendons, tight or slack.
#include "scene/decor/decor.h"
#include "smooth/kinematics/resistance.h"

#define MOST_PARTS 99

static bool isActuated(const snModel* m, int tendon)
{
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_trntype[i] == SN_TRN_TENDON && m->actuator_trnid[2 * i] == tendon) return true;
    return false;
}

// How long a tendon is that hangs loose: one between two sites that pulls only where it is longer than that,
// by a spring or a limit. 0: it does not hang.
static double looseLength(const snvList* list, int i)
{
    const snModel* m = list->m;
    if (list->d->ten_wrapnum[i] != 2 || m->tendon_num[i] != 2) return 0;
    if (!sn_cubicIsZero(sn_damperOfTendon(m, i)) || m->tendon_frictionloss[i] != 0 || isActuated(m, i))
        return 0;
    const double *spring = sn_tendonRest(m, list->d, i), *range = m->tendon_range + 2 * i;
    if (sn_cubicIsZero(sn_springOfTendon(m, i))) return m->tendon_limited[i] && range[0] == 0 ? range[1] : 0;
    return spring[0] == 0 ? spring[1] : 0;
}

// Whether a row of constraints is of a tendon: its limit, its dry friction, or an equality with it.
static bool isRowOf(const snvList* list, int row, int tendon)
{
    const snModel* m = list->m;
    const int type = list->d->efc_type[row], id = list->d->efc_id[row];
    if (type == SN_CNSTR_LIMIT_TENDON || type == SN_CNSTR_FRICTION_TENDON) return id == tendon;
    return type == SN_CNSTR_EQUALITY && id >= 0 && id < m->neq && m->eq_type[id] == SN_EQ_TENDON &&
           (m->eq_obj1id[id] == tendon || m->eq_obj2id[id] == tendon);
}

// The island of the rows of a tendon; -1: it has none, or there are no islands.
static int islandOf(const snvList* list, int tendon)
{
    for (int row = 0; list->islands.nisland && row < snv_contactRows(list->d); row++)
        if (isRowOf(list, row, tendon)) return list->islands.efc_island[row];
    return -1;
}

static void setLook(const snvList* list, snvGeom* look, int i)
{
    const snModel* m = list->m;
    *look = (snvGeom){.category = SN_CAT_DYNAMIC, .objtype = SN_OBJ_TENDON, .objid = i};
    snv_initGeom(look, SN_GEOM_CAPSULE, NULL, NULL, NULL, NULL);
    snv_setMaterial(list, look, m->tendon_matid[i], m->tendon_rgba + 4 * i);
    snv_makeTransparent(list, look);
    snv_labelGeom(list, look, SN_LABEL_TENDON, SN_OBJ_TENDON, i);
}

// A tight tendon without a colour of its own shows that its limit holds; all of them show their island.
static void addTight(const snvList* list, snvGeom* look, int i)
{
    static const float grey[4] = {0.5f, 0.5f, 0.5f, 1};
    const snModel* m = list->m;
    if (m->tendon_matid[i] < 0 && memcmp(m->tendon_rgba + 4 * i, grey, sizeof grey) == 0)
        snv_mixLimit(list, SN_CNSTR_LIMIT_TENDON, i, look->rgba);
    if (snv_isOn(list, SN_VIS_ISLAND)) {
        snv_islandColour(list, islandOf(list, i), look->rgba);
        look->matid = -1;
    }
    snv_addPath(list, i, look, m->tendon_width[i]);
}

static void addLoose(const snvList* list, const snvGeom* look, int i, double length)
{
    const snModel* m = list->m;
    const double* ends = list->d->wrap_xpos + 3 * list->d->ten_wrapadr[i];
    const bool falls = !(m->opt.disableflags & SN_DSBL_GRAVITY);
    const snVec3 gravity = falls ? sn_v3Load(m->opt.gravity) : sn_v3(0, 0, 0);
    const int slices = m->vis.quality.numslices;
    const int most = slices < 1 ? 1 : slices > MOST_PARTS ? MOST_PARTS : slices;
    snVec3 points[MOST_PARTS + 2];
    const int count = snv_hang(sn_v3Load(ends), sn_v3Load(ends + 3), length, gravity, most, points);
    for (int k = 0; k < count; k++)
        if (!snv_addPart(list, look, m->tendon_width[i], points[k], points[k + 1])) return;
}

void snv_addTendons(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_TENDON) || !snv_wants(list, SN_CAT_DYNAMIC)) return;
    for (int i = 0; i < m->ntendon; i++) {
        if (!snv_showsGroup(list->opt->tendongroup, m->tendon_group[i])) continue;
        snvGeom look;
        setLook(list, &look, i);
        const double length = looseLength(list, i);
        if (length > 0 && length > list->d->ten_length[i])
            addLoose(list, &look, i, length);
        else
            addTight(list, &look, i);
    }
}
