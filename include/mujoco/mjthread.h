// Threads that work for a data or for the program: tasks in a pool.
#ifndef SINEW_MUJOCO_MJTHREAD_H
#define SINEW_MUJOCO_MJTHREAD_H

#define mjMAXTHREAD 128

typedef enum mjtTaskStatus_ { mjTASK_NEW = 0, mjTASK_QUEUED = 1, mjTASK_COMPLETED = 2 } mjtTaskStatus;

typedef void* (*mjfTask)(void* args);

/// A pool; mju_threadPoolCreate makes it, with what it needs beside this.
struct mjThreadPool_ {
    int nworker; ///< threads beside the caller's
};
typedef struct mjThreadPool_ mjThreadPool;

/// One task; the caller's memory until mju_taskJoin has returned.
struct mjTask_ {
    mjfTask func; ///< called with args
    void* args;
    volatile int status; ///< mjtTaskStatus
};
typedef struct mjTask_ mjTask;

#endif
