// Trajectories at any number of times at once.
#include "control/control.h"
#include "memory/buffers.h"

// The times, and where positions, velocities and accelerations go, [times x n], [times x nv] twice.
typedef struct Course {
    Py_ssize_t times;
    int n, nv;
    const double* t;
    double *pos, *vel, *acc;
} Course;

static bool getCourse(Buffers* b, PyObject* const objects[4], Course* course)
{
    const Py_ssize_t count = course->times;
    return getDoubles(b, objects[0], "t", count, &course->t) &&
           (course->pos = getOutput(b, objects[1], "pos", 'd', count * course->n)) &&
           (course->vel = getOutput(b, objects[2], "vel", 'd', count * course->nv)) &&
           (course->acc = getOutput(b, objects[3], "acc", 'd', count * course->nv));
}

static PyObject* finish(PyObject* module, Buffers* b, bool found, snStatus status, const snError* error)
{
    releaseBuffers(b);
    if (found && status) raiseError(PyModule_GetState(module), error, NULL);
    if (!found || status) return NULL;
    Py_RETURN_NONE;
}

static PyObject* polynomial(PyObject* module, PyObject* args)
{
    PyObject *given[6], *course_objects[4];
    int degree;
    Course c = {0};
    snMotionEnds ends = {0};
    snError error = {0};
    snStatus status = SN_STATUS_OK;
    Py_buffer list[10];
    Buffers b = {.list = list};
    if (!PyArg_ParseTuple(args, "iidnOOOOOOOOOO", &degree, &ends.n, &ends.duration, &c.times, &given[0],
                          &given[1], &given[2], &given[3], &given[4], &given[5], &course_objects[0],
                          &course_objects[1], &course_objects[2], &course_objects[3]))
        return NULL;
    c.n = c.nv = ends.n;
    static const char* const names[] = {"pos0", "vel0", "acc0", "pos1", "vel1", "acc1"};
    const double** const parts[] = {&ends.pos0, &ends.vel0, &ends.acc0, &ends.pos1, &ends.vel1, &ends.acc1};
    bool found = getCourse(&b, course_objects, &c);
    for (int i = 0; found && i < 6; i++) found = getDoubles(&b, given[i], names[i], ends.n, parts[i]);
    for (Py_ssize_t i = 0; found && !status && i < c.times; i++)
        status =
            sn_polynomial(&ends, degree, c.t[i], c.pos + i * c.n, c.vel + i * c.nv, c.acc + i * c.nv, &error);
    return finish(module, &b, found, status, &error);
}

static PyObject* poseTrajectory(PyObject* module, PyObject* args)
{
    PyObject *first, *last, *course_objects[4];
    int screw;
    double duration;
    Course c = {.n = 7, .nv = 6};
    const double *pose0, *pose1;
    snError error = {0};
    snStatus status = SN_STATUS_OK;
    Py_buffer list[6];
    Buffers b = {.list = list};
    if (!PyArg_ParseTuple(args, "dpnOOOOOO", &duration, &screw, &c.times, &first, &last, &course_objects[0],
                          &course_objects[1], &course_objects[2], &course_objects[3]))
        return NULL;
    const bool found = getCourse(&b, course_objects, &c) && getDoubles(&b, first, "pose0", 7, &pose0) &&
                       getDoubles(&b, last, "pose1", 7, &pose1);
    for (Py_ssize_t i = 0; found && !status && i < c.times; i++)
        status = sn_poseTrajectory(pose0, pose1, duration, screw, c.t[i], c.pos + i * 7, c.vel + i * 6,
                                   c.acc + i * 6, &error);
    return finish(module, &b, found, status, &error);
}

PyMethodDef trajectory_functions[] = {
    {"polynomial", polynomial, METH_VARARGS,
     "polynomial(degree, n, duration, times, pos0, vel0, acc0, pos1, vel1, acc1, t, pos, vel, acc)"},
    {"poseTrajectory", poseTrajectory, METH_VARARGS,
     "poseTrajectory(duration, screw, times, pose0, pose1, t, pose, vel, acc)"},
    {NULL, NULL, 0, NULL},
};
