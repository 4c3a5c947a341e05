#include "control/task/type.h"

enum {
    FRAME = SN_READS_FRAME | SN_READS_AXES,
    PLACE = FRAME | SN_HAS_REACH,
    YIELDING = PLACE | SN_READS_MASS,
    CENTRE = SN_READS_SUBTREE | SN_READS_AXES
};

// clang-format off
static const snTaskKind kinds[] = {
    // rows, numbers of rows, pos and vel, what it reads
    [SN_TASK_POSITION]       = {sn_positionRows,       3, 3, 3, PLACE},
    [SN_TASK_ORIENTATION]    = {sn_orientationRows,    3, 4, 3, PLACE},
    [SN_TASK_POSE]           = {sn_poseRows,           6, 7, 6, PLACE},
    [SN_TASK_COM]            = {sn_comRows,            3, 3, 3, CENTRE | SN_HAS_REACH},
    [SN_TASK_MOMENTUM]       = {sn_momentumRows,       6, 0, 6, CENTRE},
    [SN_TASK_CAPTURE_POINT]  = {sn_capturePointRows,   2, 2, 2, CENTRE},
    [SN_TASK_POSTURE]        = {sn_postureRows,        SN_SIZE_NDOF, SN_SIZE_NQ, SN_SIZE_NV, SN_READS_DOFS},
    [SN_TASK_JOINT_VELOCITY] = {sn_jointVelocityRows,  SN_SIZE_NDOF, 0, SN_SIZE_NV, SN_READS_DOFS},
    [SN_TASK_CONTACT]        = {sn_contactTaskRows,        6, 7, 6, FRAME},
    [SN_TASK_FORCE]          = {NULL,                  SN_SIZE_ROWS, SN_SIZE_ROWS, 0, 0}, // the controller's
    [SN_TASK_IMPEDANCE]      = {sn_impedanceRows,      6, 7, 6, YIELDING},
    [SN_TASK_ADMITTANCE]     = {sn_admittanceRows,     6, 7, 6, YIELDING},
    [SN_TASK_GAZE]           = {sn_gazeRows,           2, 3, 3, PLACE},
    [SN_TASK_MANIPULABILITY] = {sn_manipulabilityRows, 1, 0, 1, SN_READS_FRAME | SN_READS_DOFS},
    [SN_TASK_DISTANCE]       = {sn_distanceRows,       1, 0, 0, 0},
    [SN_TASK_LINEAR]         = {sn_linearRows,         SN_SIZE_ROWS, 0, 0, 0},
};
// clang-format on

const snTaskKind* sn_taskKind(int type)
{
    return type >= 0 && type < (int)(sizeof kinds / sizeof *kinds) ? kinds + type : NULL;
}

const char* sn_taskKeyword(int type)
{
    static const char* const keywords[] = {
#define X(name, value, keyword, meaning) [value] = (keyword),
        SN_TASKTYPE_TABLE(X)
#undef X
    };
    return sn_taskKind(type) ? keywords[type] : "unknown";
}
