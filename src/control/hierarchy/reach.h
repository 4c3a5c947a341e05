// Levels near their singular poses. In the basis Z of what the levels above leave, the rows of a level that
// have a reach have the singular values s of A Z = U S V'. Where one is small beside the rows' size, the way
// of u'p along a step a of v is, to second order,
//     u'p(a) = s a + h a^2 / 2,    h = u'(A'(v) v), less what the rows above need to stay met,
// and the point nearest to an error e = u'(reference - p) >= 0 is at
//     a = 2 e / (s + sqrt(D)),  D = s^2 + 2 h e >= 0;     a = s / -h,  D < 0: out of reach.
// This is Newton's step of |e|^2 with its whole Hessian s^2 - h e: lambda^2 = -h e in the words of Nakamura
// and Hanafusa 1986, in the singular directions alone as Chiaverini 1997 has it. The direction v is led
// there as the task's gains say; all other directions get what they get elsewhere.
#ifndef SINEW_CONTROL_HIERARCHY_REACH_H
#define SINEW_CONTROL_HIERARCHY_REACH_H

#include <stdbool.h>
#include <stddef.h>

struct snHqp;

/// What a hierarchy must know of rows that have a reach. Arrays have a number for each row of all levels.
typedef struct snReach {
    int most;              ///< rows that may have a reach, at most
    double threshold;      ///< of s beside the rows' size, below which it is small; 0: never
    int motion;            ///< so many unknowns, the first, are velocities or accelerations; the rest forces
    bool accelerations;    ///< which
    double dt;             ///< s, of a cycle
    const double* qvel;    ///< [motion] velocity now
    const double* size;    ///< a row's norm far from singular poses; 0: it has no reach
    const double* error;   ///< reference less present
    const double *kp, *kd; ///< gains on the error (1/s^2; of velocities 1/s) and on its rate (1/s)
    double* missing;       ///< result: how much farther than it can the row is to go, else 0
    /// rate = A'(v) v of each row as the robot moves on with the velocity v [motion], NaN of rows that are no
    /// motion. false: no memory.
    bool (*rate)(void* owner, const double* v, double* rate);
    void* owner;
    double* work; ///< [sn_reachWork] at 64 bytes
} snReach;

/// Numbers of work memory for n unknowns, so many rows in all and `most` with a reach.
size_t sn_reachWork(int n, int rows, int most);

/// Whether the level has singular directions in the present basis, of which nothing of the level is taken
/// yet. Writes `missing` of its rows as far as directions that do not move at all go.
bool sn_isSingular(struct snHqp* h, int level);
/// In the list of a level that is singular, whose equalities are listed, rows that have a reach are replaced
/// by as many of unit norm or below along the directions v. Writes `missing`.
void sn_listReach(struct snHqp* h, int level);

#endif
