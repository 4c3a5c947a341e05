// All of Sinew's public interface.
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include <sinew/base.h>
#include <sinew/binary.h>
#include <sinew/callback.h>
#include <sinew/collision.h>
#include <sinew/constraint.h>
#include <sinew/control.h>
#include <sinew/data.h>
#include <sinew/derivative.h>
#include <sinew/difference.h>
#include <sinew/dynamics.h>
#include <sinew/dynamics_derivative.h>
#include <sinew/hqp.h>
#include <sinew/island.h>
#include <sinew/kinematics_derivative.h>
#include <sinew/lcp.h>
#include <sinew/load.h>
#include <sinew/loop.h>
#include <sinew/loop_function.h>
#include <sinew/loop_inverse.h>
#include <sinew/loop_sparse.h>
#include <sinew/mechanism.h>
#include <sinew/model.h>
#include <sinew/muscle.h>
#include <sinew/names.h>
#include <sinew/noise.h>
#include <sinew/option.h>
#include <sinew/parameter.h>
#include <sinew/pipeline.h>
#include <sinew/pose.h>
#include <sinew/pseudo_inverse.h>
#include <sinew/qp.h>
#include <sinew/ray.h>
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <sinew/spec.h>
#include <sinew/state.h>
#include <sinew/support.h>
#include <sinew/task.h>
#include <sinew/thread_pool.h>
#include <sinew/trajectory.h>
#include <sinew/types.h>
#include <sinew/visual.h>

#endif
