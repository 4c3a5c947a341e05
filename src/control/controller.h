// The parts of a controller's cycle, and the memory that they share.
//
// A cycle lays out the rows (layout.c): blocks of rows, each of one kind and one level, level by level in one
// matrix. Each block is then filled where it stands: dynamics and torque (dynamics.c), loops (loop_rows.c),
// limits of joints (joint_rows.c), friction (friction_rows.c), contacts (contact.c), tasks (task.h).
#ifndef SINEW_CONTROL_CONTROLLER_H
#define SINEW_CONTROL_CONTROLLER_H

#include <sinew/control.h>
#include "control/actuator/torque.h"
#include "control/hierarchy/reach.h"

/// Rows that stand one behind the other: of one kind, one level, one owner.
typedef struct snRowGroup {
    int kind, id, level;
    int first, rows;
} snRowGroup;

enum {
    SN_CONE_PLANES = 24, ///< beside the box, of a contact whose friction is the cone itself
    SN_CONE_ROUNDS = 20, ///< in which planes are added, in a cycle
};
#define SN_CONE_TOLERANCE 1e-9 ///< of a force outside its cone, relative to the contact's largest

/// A contact at the present position.
typedef struct snContactPlace {
    int body[2];                        ///< its own, and the one that it touches
    double pos[3], mat[9];              ///< its frame, world
    double axes[9];                     ///< of its forces, world: columns are two tangents and the normal
    double point[SN_CONTACT_POINTS][3]; ///< world
    int planes, oldest;                 ///< of its cone, which stay; the one that goes next
    double plane[SN_CONE_PLANES][2];    ///< directions of them in the contact's axes
} snContactPlace;

/// What there is memory for.
typedef struct snControlRoom {
    int contacts, groups, columns, rows;
    int reach; ///< rows of tasks that have one
} snControlRoom;

struct snControlWork {
    snHqp* hqp;
    snControlActuators* actuators;
    snControlRoom room;
    void *constant, *memory; ///< of all arrays here and of the controller: sized by the model; by contacts
                             ///< and tasks
    int ngroup;
    snRowGroup* group;                       ///< [groups]
    snContactPlace* place;                   ///< [contacts]
    snHqpLevel level[SN_CONTROL_LEVELS + 1]; ///< as they are solved: physics, then levels 0, 1, ...
    bool physics; ///< rows of dynamics and loops are a level of their own above level 0, as nothing may be
                  ///< traded for them
    double force; ///< N: columns of forces count in this unit, in which they are as large as accelerations
    double *A, *lower, *upper, *weight; ///< [rows x nx], [rows]
    double* W;                          ///< [nx x nx] of the least norm; of acceleration M and force_norm
    int norm_columns;                   ///< nx and force_norm for which W has been made
    double norm;
    double* spare;     ///< [nv x nx] dynamics of dofs that have no row among A
    double** dynamics; ///< [nv] of each dof the row (M, -J_c', -K') that gives, with rest, tau; as all rows
                       ///< with columns of forces in units of `force`
    double* rest;      ///< [nv] bias - passive - applied - friction
    double* given;     ///< [nv] actuator force that no control changes (gravity compensation)
    double *torque_lower, *torque_upper;      ///< [nv] of what actuators can give now
    snReach reach;                            ///< what the hierarchy knows of rows that may be out of reach
    double *size, *error, *kp, *kd, *missing; ///< [rows] each, of it
    double* reach_work;
    int nlambda; ///< columns of loops, the last of x
    int nforce;  ///< columns of contacts
};

/// Arrays that the model sizes, zero. false: no memory.
bool sn_controlAllocate(snController* c);
/// Arrays that contacts and tasks size, where there is less than they need. Results of the last cycle are
/// gone then.
snStatus sn_controlReserve(snController* c, snError* error);
/// The room that all contacts and tasks need together.
snControlRoom sn_controlRoom(const snController* c);
/// Groups of rows and columns of a cycle; sets nx, nrow, nlevel, row, work's levels. Clears A's rows and sets
/// bounds to infinite and weights to 1.
void sn_controlLayout(snController* c, const snData* d);
/// Where row i of a group stands.
static inline double* sn_groupRow(const snController* c, const snRowGroup* g, int i)
{
    return c->work->A + (size_t)(g->first + i) * (size_t)c->nx;
}

/// What does not fit together among limits, contacts and tasks, which the caller may write at any time.
snStatus sn_controlCheck(const snController* c, const snData* d, snError* error);
/// Settings of a contact, of a controller, that are to be taken.
snStatus sn_checkContact(const snModel* m, const snContactSettings* s, int index, snError* error);
snStatus sn_checkTaskLevel(const snTask* task, int index, snError* error);
snStatus sn_checkController(const snModel* m, const snControllerSettings* s, snError* error);
/// "contact 'left'", "task 3", "joint 'knee'".
void sn_contactTitle(const char* name, int index, char text[64]);
void sn_taskTitle(const char* name, int index, char text[64]);
void sn_dofTitle(const snModel* m, int dof, char text[96]);

/// What actuators can give now.
void sn_controlRange(const snController* c, snData* d);
/// M of all rows of dynamics, rest, given. false, here and below: the arena is full.
bool sn_dynamicsRows(const snController* c, snData* d);
/// Bounds and weights of the groups of dynamics and torque, once all columns are there; rows of actuators.
bool sn_dynamicsBounds(const snController* c, snData* d);
/// W of the least norm: its part M; the layout makes the rest.
void sn_controlNorm(const snController* c, const snData* d);
/// tau = dynamics x + rest, of actuated dofs. false, and tau as it was: it overflows.
bool sn_controlTorque(const snController* c);

/// K x = k of loops and of equalities held as rows efc, and their columns -K'.
bool sn_loopRows(const snController* c, snData* d, const snRowGroup* g);
/// Rows of loops and of such equalities, at most.
int sn_loopRowsMost(const snModel* m);

/// Whether a dof has a bound of acceleration (velocity).
bool sn_jointHasRow(const snController* c, int dof);
void sn_jointRows(const snController* c, const snData* d, const snRowGroup* g);

/// Which rows have a reach, and how far it goes is asked of a controller and its data.
typedef struct snReachOwner {
    const snController* c;
    snData* d;
} snReachOwner;
/// Hands rows with a reach to the hierarchy; `owner` must live until it has solved.
void sn_reachRows(const snController* c, snReachOwner* owner);
/// out_of_reach and beyond of all tasks.
void sn_reachResults(const snController* c);

/// Moves ramps on; where contacts are; columns -J_c' of all dynamics; rows of friction.
void sn_contactRamp(const snController* c);
void sn_contactPlaces(const snController* c, const snData* d);
void sn_contactColumns(const snController* c, const snData* d);
void sn_frictionGroup(const snController* c, const snRowGroup* g);
/// Rows of a contact's friction.
int sn_contactForceRows(const snContactSettings* s);
/// Cones themselves (facets 0): a plane more for each point that the present results have outside its cone.
/// false: all are inside.
bool sn_coneCuts(const snController* c);
/// Forces, wrench and centre of pressure of all contacts from x.
void sn_contactResults(const snController* c);
/// Whether a contact takes part in the cycle: it is on, or its ramp is still falling.
static inline bool sn_contactHolds(const snControlContact* contact)
{
    return contact->active || contact->scale > 0;
}

#endif
