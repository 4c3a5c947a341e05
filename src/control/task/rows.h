// Rows of each type of task, all those of the type: sn_taskRows selects axes and multiplies weights.
//
// A [task->rows x columns], every number of the rows returned is written, those beyond nv with 0; lower,
// upper [task->rows], equal where the row is an equality; task->error. task->set.dof is there, set.axis of
// unit length, all settings are checked. Each returns how many rows there are, 0 or task->rows.
#ifndef SINEW_CONTROL_TASK_ROWS_H
#define SINEW_CONTROL_TASK_ROWS_H

#include <sinew/task.h>

typedef int snRowsOfType(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns,
                         double* A, double* lower, double* upper);

snRowsOfType sn_positionRows, sn_orientationRows, sn_poseRows, sn_contactTaskRows, sn_gazeRows,
    sn_impedanceRows, sn_admittanceRows, sn_comRows, sn_momentumRows, sn_capturePointRows, sn_postureRows,
    sn_jointVelocityRows, sn_manipulabilityRows, sn_distanceRows, sn_linearRows;

#endif
