#include "control/task/check.h"
#include <math.h>
#include <sinew/names.h>
#include <stdio.h>
#include "base/error.h"
#include "control/task/frame.h"
#include "control/task/type.h"
#include "model/weld.h"

enum { FORMAT = 200 };

// The error of a task. The text begins with what is wrong.
__attribute__((format(printf, 3, 4))) static snStatus wrong(snError* error, const snTaskSettings* s,
                                                            const char* format, ...)
{
    char text[FORMAT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *name = s->name ? s->name : "", *quote = s->name ? "'" : "", *space = s->name ? " " : "";
    return sn_fail(error, SN_STATUS_ARGUMENT, "task %s%.80s%s%s(%s): %s", quote, name, quote, space,
                   sn_taskKeyword(s->type), text);
}

static bool isLength(double x)
{
    return isfinite(x) && x >= 0;
}

static snStatus checkGains(const snTaskSettings* s, snError* error)
{
    if (s->level < 0) return wrong(error, s, "level is %d; levels count from 0, the highest", s->level);
    if (!isLength(s->weight))
        return wrong(error, s, "weight is %g; give a finite number, 0 or above", s->weight);
    if (!isLength(s->kp)) return wrong(error, s, "kp is %g; give a finite gain, 0 or above", s->kp);
    if (!isfinite(s->kd))
        return wrong(error, s, "kd is %g; give a finite gain, or a negative one for critical damping", s->kd);
    return SN_STATUS_OK;
}

static snStatus checkAxes(const snTaskSettings* s, const snTaskKind* kind, snError* error)
{
    const int rows = kind->reads & SN_READS_AXES ? kind->rows : s->type == SN_TASK_MANIPULABILITY ? 6 : 0;
    if (!rows || !s->axes || s->axes & ((1u << rows) - 1)) return SN_STATUS_OK;
    return wrong(error, s, "axes 0x%x select no row; bits 0 to %d are its rows, 0 is all", s->axes, rows - 1);
}

// An object of the model; what: the name of the settings' pair, obj or ref.
static snStatus checkObject(const snModel* m, const snTaskSettings* s, const char* what, int objtype, int id,
                            snError* error)
{
    const char* const kind = sn_frameKind(objtype);
    if (!kind)
        return wrong(error, s, "%stype %d is no frame; give SN_OBJ_BODY, SN_OBJ_SITE or SN_OBJ_GEOM", what,
                     objtype);
    const int count = sn_objectCount(m, objtype);
    if (id >= 0 && id < count) return SN_STATUS_OK;
    return count ? wrong(error, s, "there is no %s %d; %sid is 0 to %d", kind, id, what, count - 1)
                 : wrong(error, s, "there is no %s %d: the model has none; use another kind of frame", kind,
                         id);
}

static int moverOf(const snModel* m, int objtype, int id)
{
    return objtype == SN_OBJ_UNKNOWN ? 0 : sn_moverOf(m, sn_frameBody(m, objtype, id));
}

static snStatus checkFrame(const snModel* m, const snTaskSettings* s, snError* error)
{
    snStatus status = checkObject(m, s, "obj", s->objtype, s->objid, error);
    if (!status && s->type == SN_TASK_MANIPULABILITY && s->reftype != SN_OBJ_UNKNOWN)
        return wrong(error, s, "manipulability is of a frame in the world; leave reftype SN_OBJ_UNKNOWN");
    if (!status && s->reftype != SN_OBJ_UNKNOWN)
        status = checkObject(m, s, "ref", s->reftype, s->refid, error);
    if (status) return status;
    for (int k = 0; k < 3; k++)
        if (!isfinite(s->offset[k]))
            return wrong(error, s, "offset is not finite; give a point of the frame");
    if (moverOf(m, s->objtype, s->objid) != moverOf(m, s->reftype, s->refid)) return SN_STATUS_OK;
    const char* const name = sn_id2name(m, s->objtype, s->objid);
    return wrong(error, s, "no dof moves %s %d%s%.60s%s against %s; give a frame that moves",
                 sn_frameKind(s->objtype), s->objid, name ? " '" : "", name ? name : "", name ? "'" : "",
                 s->reftype == SN_OBJ_UNKNOWN ? "the world" : "its reference frame");
}

static snStatus checkSubtree(const snModel* m, const snTaskSettings* s, snError* error)
{
    const snStatus status = checkObject(m, s, "obj", SN_OBJ_BODY, s->objid, error);
    if (status) return status;
    if (m->body_subtreemass[s->objid] < SN_MINVAL)
        return wrong(error, s, "the subtree of body %d has no mass; give one that has", s->objid);
    if (s->type == SN_TASK_CAPTURE_POINT && !isLength(s->height))
        return wrong(error, s, "height is %g; give metres above the ground, or 0 for that of the present",
                     s->height);
    return SN_STATUS_OK;
}

bool sn_isFreeDof(const snModel* m, int k)
{
    return m->jnt_type[m->dof_jntid[k]] == SN_JNT_FREE;
}

static snStatus checkDofs(const snModel* m, const snTaskSettings* s, snError* error)
{
    int fit = 0;
    for (int k = 0; k < m->nv; k++) fit += !sn_isFreeDof(m, k);
    if (!s->dof) return fit ? SN_STATUS_OK : wrong(error, s, "the model has no joint but free ones to hold");
    if (s->ndof < 1 || s->ndof > m->nv)
        return wrong(error, s, "ndof is %d; give how many dofs there are in dof, 1 to nv = %d", s->ndof,
                     m->nv);
    for (int i = 0; i < s->ndof; i++) {
        const int k = s->dof[i];
        if (k < 0 || k >= m->nv) return wrong(error, s, "dof[%d] is %d; dofs are 0 to %d", i, k, m->nv - 1);
        if (sn_isFreeDof(m, k))
            return wrong(error, s, "dof[%d] is %d, of a free joint; leave it out, a pose task holds the body",
                         i, k);
    }
    return SN_STATUS_OK;
}

static snStatus checkMass(const snTaskSettings* s, snError* error)
{
    for (int i = 0; i < 6; i++)
        if (!(s->mass[i] > 0) || !isfinite(s->mass[i]))
            return wrong(error, s, "mass[%d] is %g; give a mass above 0", i, s->mass[i]);
    if (s->type == SN_TASK_ADMITTANCE && !(s->follow > 0 && isfinite(s->follow)))
        return wrong(error, s, "follow is %g; give a rate above 0", s->follow);
    return SN_STATUS_OK;
}

static snStatus checkGaze(const snTaskSettings* s, snError* error)
{
    const double length = sqrt(s->axis[0] * s->axis[0] + s->axis[1] * s->axis[1] + s->axis[2] * s->axis[2]);
    if (length > SN_MINVAL && isfinite(length)) return SN_STATUS_OK;
    return wrong(error, s, "axis has the length %g; give a direction in the frame", length);
}

static snStatus checkDistance(const snModel* m, const snTaskSettings* s, snError* error)
{
    if (s->objtype != SN_OBJ_GEOM || s->reftype != SN_OBJ_GEOM)
        return wrong(error, s, "a distance is between two geoms; set objtype and reftype to SN_OBJ_GEOM");
    snStatus status = checkObject(m, s, "obj", s->objtype, s->objid, error);
    if (!status) status = checkObject(m, s, "ref", s->reftype, s->refid, error);
    if (status) return status;
    if (s->objid == s->refid) return wrong(error, s, "both are geom %d; give two geoms", s->objid);
    if (moverOf(m, s->objtype, s->objid) == moverOf(m, s->reftype, s->refid))
        return wrong(error, s, "no dof moves geom %d against geom %d; give geoms of two bodies", s->objid,
                     s->refid);
    if (isfinite(s->distance_min) && isfinite(s->distance_max) && s->distance_min <= s->distance_max)
        return SN_STATUS_OK;
    return wrong(error, s,
                 "distance_min is %g, distance_max %g; give two numbers, the first not above the second",
                 s->distance_min, s->distance_max);
}

static snStatus checkSizes(const snModel* m, const snTaskSettings* s, snError* error)
{
    enum { MOST_ROWS = 1 << 16, MOST_NUMBERS = 1 << 26 };
    if (s->rows < 1 || s->rows > MOST_ROWS)
        return wrong(error, s, "rows is %d; give how many rows it has, at most %d", s->rows, MOST_ROWS);
    if (s->type == SN_TASK_FORCE)
        return s->rows % 3 ? wrong(error, s, "rows is %d; a force has 3 a point", s->rows) : SN_STATUS_OK;
    if (s->columns < m->nv)
        return wrong(error, s, "columns is %d; A has nv = %d columns, or more for forces", s->columns, m->nv);
    if ((long long)s->rows * s->columns > MOST_NUMBERS)
        return wrong(error, s, "A has %d x %d numbers; give at most %d in all", s->rows, s->columns,
                     MOST_NUMBERS);
    return SN_STATUS_OK;
}

snStatus sn_checkTask(const snModel* m, const snTaskSettings* s, snError* error)
{
    const snTaskKind* const kind = sn_taskKind(s->type);
    if (!kind) return wrong(error, s, "type %d is none; give one of snTaskType", s->type);
    snStatus status = checkGains(s, error);
    if (!status) status = checkAxes(s, kind, error);
    if (!status && kind->reads & SN_READS_FRAME) status = checkFrame(m, s, error);
    if (!status && kind->reads & SN_READS_SUBTREE) status = checkSubtree(m, s, error);
    if (!status && kind->reads & SN_READS_DOFS) status = checkDofs(m, s, error);
    if (!status && kind->reads & SN_READS_MASS) status = checkMass(s, error);
    if (!status && s->type == SN_TASK_GAZE) status = checkGaze(s, error);
    if (!status && s->type == SN_TASK_DISTANCE) status = checkDistance(m, s, error);
    if (!status && kind->rows == SN_SIZE_ROWS) status = checkSizes(m, s, error);
    return status;
}
