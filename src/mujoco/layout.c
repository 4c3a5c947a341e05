// Programs see structs of their own, with MuJoCo's tags: they are laid out as ours.
#undef SINEW_MUJOCO_INSIDE
#include <mujoco/mujoco.h>
#include <stddef.h>

#define SAME(theirs, ours, name)                                                                             \
    _Static_assert(offsetof(theirs, name) == offsetof(ours, name), "member " #name " of " #theirs);

// Members that cannot be used cannot be looked at, either: their neighbours hold them in their places.

_Static_assert(sizeof(mjModel) == sizeof(snModel), "mjModel");
#define X(name, ...) SAME(mjModel, snModel, name)
SN_MODEL_SIZES(X)
#undef X
SAME(mjModel, snModel, narena)
SAME(mjModel, snModel, physics)
SAME(mjModel, snModel, opt)
SAME(mjModel, snModel, vis)
SAME(mjModel, snModel, stat)
SAME(mjModel, snModel, qpos0)
SAME(mjModel, snModel, geom_size)
SAME(mjModel, snModel, names)
SAME(mjModel, snModel, paths)
SAME(mjModel, snModel, buffer)

_Static_assert(sizeof(mjContact) == sizeof(snContact), "mjContact");
SAME(mjContact, snContact, mu)
SAME(mjContact, snContact, dim)
SAME(mjContact, snContact, geom)
SAME(mjContact, snContact, efc_address)
SAME(mjContact, snContact, flex)
SAME(mjContact, snContact, part)
_Static_assert(offsetof(mjContact, geom2) == offsetof(mjContact, geom) + sizeof(int), "geom2 is geom[1]");

_Static_assert(sizeof(mjData) == sizeof(snData), "mjData");
SAME(mjData, snData, nefc)
SAME(mjData, snData, solver_niter)
SAME(mjData, snData, energy)
SAME(mjData, snData, warning)
SAME(mjData, snData, solver)
SAME(mjData, snData, parena)
SAME(mjData, snData, nbuffer)
SAME(mjData, snData, qpos)
SAME(mjData, snData, ten_length)
SAME(mjData, snData, wrap_obj)
SAME(mjData, snData, qM)
SAME(mjData, snData, qLDiagInv)
SAME(mjData, snData, qHDiagInv)
SAME(mjData, snData, contact)
SAME(mjData, snData, efc_id)
SAME(mjData, snData, efc_pos)
SAME(mjData, snData, efc_force)
SAME(mjData, snData, buffer)
SAME(mjData, snData, callback)
_Static_assert(offsetof(mjData, threadpool) == offsetof(snData, callback.user), "threadpool");
_Static_assert(offsetof(mjData, nisland) == offsetof(snData, sleepview), "nisland");
SAME(mjData, snData, timer)

SAME(mjvScene, snvScene, geoms)
SAME(mjvScene, snvScene, status)
SAME(mjvScene, snvScene, skinnormal)
SAME(mjvScene, snvScene, lights)
SAME(mjvScene, snvScene, camera)
_Static_assert(offsetof(mjvScene, made) >= sizeof(snvScene), "what is ours comes first");
_Static_assert(sizeof(mjvFigure) == sizeof(snvFigure), "mjvFigure");
SAME(mjvFigure, snvFigure, linergb)
SAME(mjvFigure, snvFigure, linename)
SAME(mjvFigure, snvFigure, linedata)
SAME(mjvFigure, snvFigure, yaxisdata)
