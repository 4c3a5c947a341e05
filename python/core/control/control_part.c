// Controllers, their tasks and contacts as types whose attributes come from tables. All three are parts of
// one Memory, which owns the controller and holds the model's.
#include "control/control.h"
#include "record/record.h"
#include <math.h>

// ---- tables ----------------------------------------------------------------------------------------------

#define NUMBER(s, format, name, low, high, meaning)                                                          \
    {                                                                                                        \
#name, format, offsetof(s, name), low, high, meaning                                                 \
    }
#define SETTING(s, format, name, low, high, meaning)                                                         \
    {                                                                                                        \
#name, format, offsetof(s, set.name), low, high, meaning                                             \
    }
static const ControlNumber controller_numbers[] = {
    SETTING(snController, 'i', mode, 1, 0, "sinew.ControlMode"),
    SETTING(snController, 'd', dt, 1, 0, "of a cycle (s)"),
    NUMBER(snController, 'i', nx, 1, 0, "unknowns of the last cycle"),
    NUMBER(snController, 'i', nlevel, 1, 0, "levels of the last cycle"),
    NUMBER(snController, 'i', nrow, 1, 0, "rows of all levels of the last cycle"),
    NUMBER(snController, 'i', infeasible, 1, 0,
           "row of dynamics, loops or limits that the last cycle violated most; -1: all hold"),
    NUMBER(snController, 'i', cones, 1, 0, "solutions that friction cones took in the last cycle"),
    NUMBER(snController, 'd', time_rows, 1, 0, "to make the rows of the last cycle (s)"),
    NUMBER(snController, 'd', time_solve, 1, 0, "to solve them (s)"),
    {0},
};
static const ControlNumber task_numbers[] = {
    SETTING(snTask, 'i', type, 1, 0, "sinew.TaskType"),
    SETTING(snTask, 'i', level, 0, SN_CONTROL_LEVELS - 1, "priority, 0 is the highest"),
    SETTING(snTask, 'd', follow, 0, INFINITY, "of admittance: how fast its frame follows (1/s)"),
    NUMBER(snTask, '?', active, 0, 1, "whether the controller looks at it"),
    NUMBER(snTask, '?', fresh, 0, 1,
           "of contact and admittance: the next cycle takes the reference from where the frame is"),
    NUMBER(snTask, '?', out_of_reach, 1, 0,
           "whether the last cycle found that the robot cannot come to its reference"),
    NUMBER(snTask, 'i', rows, 1, 0, "of the type"),
    {0},
};
static const ControlNumber contact_numbers[] = {
    SETTING(snControlContact, 'd', mu, 0, INFINITY, "coefficient of friction"),
    SETTING(snControlContact, 'd', force_min, 0, INFINITY, "bound of the sum of normal forces (N)"),
    SETTING(snControlContact, 'd', force_max, 0, INFINITY, "bound of the sum of normal forces (N)"),
    SETTING(snControlContact, 'd', weight, 0, INFINITY, "of the motion held"),
    SETTING(snControlContact, 'i', npoint, 1, 0, "points"),
    NUMBER(snControlContact, 'd', scale, 1, 0, "of force_max by the ramp, 0 to 1"),
    {0},
};

#define NONE SIZE_MAX
#define ARRAY(s, format, name, count, columns, meaning)                                                      \
    {                                                                                                        \
#name, format, false, offsetof(s, name), count, columns, 0, meaning                                  \
    }
#define INSIDE(s, format, name, count, meaning)                                                              \
    {                                                                                                        \
#name, format, true, offsetof(s, name), NONE, NONE, count, meaning                                   \
    }
#define OF_NV(name, format, meaning) ARRAY(snController, format, name, NONE, NONE, meaning)
#define IN_TASK(name, count, meaning) ARRAY(snTask, 'd', name, offsetof(snTask, count), NONE, meaning)
static const ControlArray controller_arrays[] = {
    OF_NV(qpos_lower, 'd',
          "(nv,): bounds of hinge and slide joints (rad or m), from jnt_range where limited"),
    OF_NV(qpos_upper, 'd',
          "(nv,): bounds of hinge and slide joints (rad or m), from jnt_range where limited"),
    OF_NV(velocity_max, 'd', "(nv,): bounds of |qvel|; infinite"),
    OF_NV(acceleration_max, 'd', "(nv,): bounds of |qacc|; infinite"),
    OF_NV(torque_lower, 'd', "(nv,): bounds of tau, from the actuators"),
    OF_NV(torque_upper, 'd', "(nv,): bounds of tau, from the actuators"),
    OF_NV(actuated, 'B', "(nv,): 1 where tau may be other than 0"),
    OF_NV(frozen, 'B', "(nv,): 1 where the dof brakes and stays"),
    OF_NV(qvel, 'd', "(nv,): velocities that the last cycle wants, in mode velocity"),
    OF_NV(qacc, 'd', "(nv,): accelerations that the last cycle wants"),
    OF_NV(tau, 'd', "(nv,): joint-space force of the actuators that the last cycle wants"),
    {0},
};
static const ControlArray task_arrays[] = {
    IN_TASK(kp, rows, "(rows,): gain on the error"),
    IN_TASK(kd, rows, "(rows,): gain on the error of velocity"),
    IN_TASK(weight, rows, "(rows,): of the squared error"),
    IN_TASK(pos, npos, "(npos,): reference of position"),
    IN_TASK(vel, nvel, "(nvel,): reference of velocity"),
    IN_TASK(acc, nvel, "(nvel,): reference of acceleration"),
    IN_TASK(error, rows, "(rows,): reference less present, at the last cycle"),
    IN_TASK(beyond, rows, "(rows,): what of the error is out of reach, at the last cycle"),
    ARRAY(snTask, 'd', A, offsetof(snTask, rows), offsetof(snTask, set.columns),
          "(rows, columns): of a linear task; else None"),
    ARRAY(snTask, 'd', lower, offsetof(snTask, rows), NONE, "(rows,): of a linear task; else None"),
    ARRAY(snTask, 'd', upper, offsetof(snTask, rows), NONE, "(rows,): of a linear task; else None"),
    {"wrench", 'd', false, offsetof(snTask, wrench), NONE, NONE, 6,
     "(6,): of impedance and admittance, force and torque measured on the frame, world axes; else None"},
    {"state", 'd', false, offsetof(snTask, state), NONE, NONE, 13,
     "(13,): of admittance, the reference that yields: position, quaternion, velocity; else None"},
    {"mass", 'd', true, offsetof(snTask, set.mass), NONE, NONE, 6,
     "(6,): of impedance and admittance, kg and kg m^2"},
    {0},
};
static const ControlArray contact_arrays[] = {
    {"force", 'd', false, offsetof(snControlContact, force), offsetof(snControlContact, set.npoint), NONE, 3,
     "(npoint, 3): forces in the contact's axes, the normal last (N); 0 while it is not active"},
    INSIDE(snControlContact, 'd', wrench, 6,
           "(6,): force and torque about the frame's origin, on the frame, world axes"),
    INSIDE(snControlContact, 'd', cop, 2,
           "(2,): centre of pressure in the contact's axes (m); NaN without force"),
    {0},
};

static const ControlArray controller_copies[] = {
    ARRAY(snController, 'd', x, offsetof(snController, nx), NONE,
          "(nx,): unknowns, qacc and then the forces of the active contacts; or qvel. A copy"),
    ARRAY(snController, 'i', rank, offsetof(snController, nlevel), NONE,
          "(nlevel,): directions that each level took. A copy"),
    ARRAY(snController, 'd', violation, offsetof(snController, nlevel), NONE,
          "(nlevel,): sqrt(sum w v^2) of the rows of each level. A copy"),
    {"row", 'i', false, offsetof(snController, row), offsetof(snController, nrow), NONE, 4,
     "(nrow, 4): kind (sinew.ControlRowKind), id, index and level of each row. A copy"},
    ARRAY(snController, 'b', state, offsetof(snController, nrow), NONE,
          "(nrow,): sinew.HqpState of each row. A copy"),
    ARRAY(snController, 'd', slack, offsetof(snController, nrow), NONE,
          "(nrow,): by how much each row is violated. A copy"),
    {0},
};
static const ControlArray no_copies[] = {{0}};

const ControlPartTable control_parts[NCONTROL_PARTS] = {
    {"sinew._core.Controller", "What a controller works with and finds.", controller_numbers,
     controller_arrays, controller_copies},
    {"sinew._core.ControlTask", "A task at work.", task_numbers, task_arrays, no_copies},
    {"sinew._core.ControlContact", "A contact of a controller.", contact_numbers, contact_arrays, no_copies},
};

// ---- attributes ------------------------------------------------------------------------------------------

// Rows and columns of an array; columns < 0: one dimension.
static void extentOf(const ControlPart* part, const ControlArray* a, Py_ssize_t* rows, Py_ssize_t* columns)
{
    const char* base = part->address;
    *columns = a->columns != NONE ? *(const int*)(base + a->columns) : -1;
    if (a->count != NONE) {
        *rows = *(const int*)(base + a->count);
        if (a->fixed) *columns = a->fixed;
        return;
    }
    *rows = a->fixed ? a->fixed : part->memory->controller->model->nv;
}

static PyObject* getArray(PyObject* object, void* closure)
{
    const ControlPart* part = (ControlPart*)object;
    const ControlArray* a = closure;
    Py_ssize_t rows, columns;
    extentOf(part, a, &rows, &columns);
    char* address = (char*)part->address + a->offset;
    if (!a->inside) address = *(char**)address;
    if (!address && rows > 0) Py_RETURN_NONE;
    return makeView(part->memory, address, a->format, rows, columns);
}

static int setArray(PyObject* object, PyObject* value, void* closure)
{
    PyObject* view = getArray(object, closure);
    if (!view) return -1;
    int result = -1;
    if (view == Py_None)
        PyErr_Format(PyExc_AttributeError, "this task has no %s", ((const ControlArray*)closure)->name);
    else
        result = assignView(view, value);
    Py_DECREF(view);
    return result;
}

static PyObject* getControlNumber(PyObject* object, void* closure)
{
    const ControlNumber* f = closure;
    const char* address = (const char*)((ControlPart*)object)->address + f->offset;
    if (f->format == '?') return PyBool_FromLong(*(const bool*)address);
    if (f->format == 'i') return PyLong_FromLong(*(const int*)address);
    return PyFloat_FromDouble(*(const double*)address);
}

static int setControlNumber(PyObject* object, PyObject* value, void* closure)
{
    const ControlNumber* f = closure;
    char* address = (char*)((ControlPart*)object)->address + f->offset;
    double number;
    if (f->format == '?') {
        const int truth = value ? PyObject_IsTrue(value) : -1;
        if (truth < 0 && !PyErr_Occurred()) PyErr_SetString(PyExc_AttributeError, "cannot be deleted");
        if (truth >= 0) *(bool*)address = truth;
        return truth < 0 ? -1 : 0;
    }
    int whole;
    if (setNumber(f->format == 'i' ? (void*)&whole : (void*)&number, &f->format, value) < 0) return -1;
    if (f->format == 'i') number = whole;
    if (!(number >= f->low && number <= f->high)) {
        if (isinf(f->high))
            PyErr_Format(PyExc_ValueError, "%s must be %d or more", f->name, (int)f->low);
        else
            PyErr_Format(PyExc_ValueError, "%s must be in [%d, %d]", f->name, (int)f->low, (int)f->high);
        return -1;
    }
    if (f->format == 'i')
        *(int*)address = whole;
    else
        *(double*)address = number;
    return 0;
}

// A copy, because a later cycle may put the array elsewhere.
static PyObject* getCopy(PyObject* object, void* closure)
{
    Memory* memory = ((ControlPart*)object)->memory;
    if (!takeController(memory)) return NULL;
    PyObject* view = getArray(object, closure);
    PyObject* copy = view ? PyObject_CallMethod(view, "copy", NULL) : NULL;
    Py_XDECREF(view);
    releaseController(memory);
    return copy;
}

// ---- types -----------------------------------------------------------------------------------------------

bool takeController(Memory* memory)
{
    if (!atomic_flag_test_and_set_explicit(&memory->busy, memory_order_acquire)) return true;
    PyErr_SetString(PyExc_RuntimeError, "this Controller is in use by another thread; give each its own");
    return false;
}

void releaseController(Memory* memory)
{
    atomic_flag_clear_explicit(&memory->busy, memory_order_release);
}

PyObject* makeControlPart(PyTypeObject* type, Memory* memory, void* address)
{
    ControlPart* part = (ControlPart*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!part) return NULL;
    part->memory = (Memory*)Py_NewRef((PyObject*)memory);
    part->address = address;
    return (PyObject*)part;
}

static void ControlPart_dealloc(PyObject* object)
{
    Py_XDECREF((PyObject*)((ControlPart*)object)->memory);
    freeObject(object);
}

static PyObject* ControlPart_new(PyTypeObject* Py_UNUSED(type), PyObject* Py_UNUSED(args),
                                 PyObject* Py_UNUSED(kwargs))
{
    PyErr_SetString(PyExc_TypeError, "controllers are made by sinew.control.Controller(model), tasks and "
                                     "contacts by its add_task and add_contact");
    return NULL;
}

// One table of attributes after the other.
static PyGetSetDef* makeGetset(const ControlPartTable* t)
{
    size_t count = 0, k = 0;
    for (const ControlNumber* f = t->numbers; f->name; f++) count++;
    for (const ControlArray* f = t->arrays; f->name; f++) count++;
    for (const ControlArray* f = t->copies; f->name; f++) count++;
    PyGetSetDef* getset = PyMem_Calloc(count + 1, sizeof *getset);
    if (!getset) return NULL;
    for (const ControlNumber* f = t->numbers; f->name; f++)
        getset[k++] = (PyGetSetDef){f->name, getControlNumber, f->low <= f->high ? setControlNumber : NULL,
                                    f->meaning, (void*)f};
    for (const ControlArray* f = t->arrays; f->name; f++)
        getset[k++] = (PyGetSetDef){f->name, getArray, setArray, f->meaning, (void*)f};
    for (const ControlArray* f = t->copies; f->name; f++)
        getset[k++] = (PyGetSetDef){f->name, getCopy, NULL, f->meaning, (void*)f};
    return getset;
}

static PyTypeObject* makeControlType(Core* core, PyObject* module, int index)
{
    const ControlPartTable* table = &control_parts[index];
    PyGetSetDef* getset = core->control_getsets[index] = makeGetset(table);
    if (!getset) return (PyTypeObject*)PyErr_NoMemory();
    PyType_Slot slots[] = {
        {Py_tp_new, ControlPart_new},
        {Py_tp_dealloc, ControlPart_dealloc},
        {Py_tp_getset, getset},
        {Py_tp_doc, (void*)table->doc},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = table->type,
        .basicsize = sizeof(ControlPart),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    return addType(module, &spec);
}

int makeControlTypes(Core* core, PyObject* module)
{
    for (int i = 0; i < NCONTROL_PARTS; i++) {
        core->control_types[i] = makeControlType(core, module, i);
        if (!core->control_types[i]) return -1;
    }
    return 0;
}
