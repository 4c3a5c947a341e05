// What the bench of scenes asks of an engine; both answer it, so that all else is written once.
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include <stdbool.h>

// Numbers of coordinates, dofs, controls and activations: a state has qpos, qvel, the warm start, ctrl, act.
typedef struct Sizes {
    int nq, nv, nu, na;
} Sizes;

// What a step had to do.
typedef struct Work {
    int contacts, rows;
    bool dropped; // contacts or rows found no room, now or before
} Work;

/// An engine holds one model and one data; what is made is left to the end of the process.
typedef struct Engine {
    const char* name;
    bool (*load)(const char* path); ///< reads the model; says on stderr what is wrong
    bool (*make)(void);             ///< makes the data
    Sizes (*sizes)(void);
    void (*set)(const double* state);
    void (*step)(void);
    void (*place)(void);   ///< poses, which the collision stage starts from
    void (*collide)(void); ///< the collision stage alone
    Work (*work)(void);    ///< of the last step
} Engine;

extern const Engine ours, theirs;

/// Opens the library of `theirs`; says what is wrong and returns false on failure.
bool openTheirs(const char* path);

/// Runs our engine to where the model itself says that it has settled.
void settleOurs(void);

/// Runs our engine on, under the noise that the model asks for.
void advanceOurs(int steps);

/// Copies the state of our engine, all the arrays that Sizes counts.
void copyState(double* state);

#endif
