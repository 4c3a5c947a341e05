#include "pinocchio.h"
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>

namespace pin = pinocchio;

namespace {

struct Chain {
    pin::Model model;
    pin::Data tree, constraint, lcaba;
    std::vector<pin::RigidConstraintModel> loops;
    std::vector<pin::RigidConstraintData> of_constraint, of_lcaba;
    Eigen::VectorXd force;
};

pin::SE3 at(double x)
{
    return pin::SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, 0, 0));
}

// A thin rod of 2 kg a metre along x that turns about y at x of its parent.
pin::JointIndex addRod(pin::Model& model, pin::JointIndex parent, double x, double length)
{
    const double mass = 2 * length, moment = mass * length * length / 12;
    const pin::JointIndex rod =
        model.addJoint(parent, pin::JointModelRY(), at(x), "rod" + std::to_string(model.njoints));
    const Eigen::Vector3d moments(0, moment, moment);
    model.appendBodyToJoint(rod, pin::Inertia(mass, Eigen::Vector3d(length / 2, 0, 0), moments.asDiagonal()),
                            pin::SE3::Identity());
    return rod;
}

} // namespace

void* pinChain(int bars)
{
    Chain* c = new Chain;
    c->model.gravity.linear() = Eigen::Vector3d(0, 0, -9.81);
    pin::JointIndex ground = 0;
    double x = 0;
    std::vector<pin::JointIndex> rockers, couplers;
    for (int i = 0; i < bars; i++) {
        rockers.push_back(addRod(c->model, ground, x + 0.5, 0.4));
        const pin::JointIndex crank = addRod(c->model, ground, x, 0.3);
        couplers.push_back(addRod(c->model, crank, 0.3, 0.55));
        ground = couplers.back();
        x = 0.55;
    }
    for (int i = 0; i < bars; i++)
        c->loops.emplace_back(pin::CONTACT_3D, c->model, couplers[i], at(0.55), rockers[i], at(0.4),
                              pin::LOCAL);
    for (const pin::RigidConstraintModel& loop : c->loops) {
        c->of_constraint.emplace_back(loop);
        c->of_lcaba.emplace_back(loop);
    }
    c->tree = c->constraint = c->lcaba = pin::Data(c->model);
    c->force = Eigen::VectorXd::Zero(c->model.nv);
    pin::initConstraintDynamics(c->model, c->constraint, c->loops, c->of_constraint);
    pin::computeJointMinimalOrdering(c->model, c->lcaba, c->loops);
    return c;
}

void pinAccelerate(void* chain, int method, const double* q, const double* v, double* a)
{
    Chain* c = static_cast<Chain*>(chain);
    const Eigen::Map<const Eigen::VectorXd> position(q, c->model.nq), velocity(v, c->model.nv);
    Eigen::Map<Eigen::VectorXd> acceleration(a, c->model.nv);
    // of those tried the fastest whose error stays below 1e-10 and, for lcaba, 1e-7
    pin::ProximalSettings settings(method == PIN_LCABA ? 1e-8 : 1e-10, method == PIN_LCABA ? 1e-5 : 1e-9, 20);
    if (method == PIN_TREE)
        acceleration = pin::aba(c->model, c->tree, position, velocity, c->force, pin::Convention::WORLD);
    else if (method == PIN_CONSTRAINT)
        acceleration = pin::constraintDynamics(c->model, c->constraint, position, velocity, c->force,
                                               c->loops, c->of_constraint, settings);
    else
        acceleration =
            pin::lcaba(c->model, c->lcaba, position, velocity, c->force, c->loops, c->of_lcaba, settings);
}
