#include "robots.h"
#include <cstdio>
#include <fstream>
#include <map>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace pin = pinocchio;
using Eigen::Map, Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Quaterniond, Eigen::Vector3d, Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

struct State {
    VectorXd q, v, a, tau;
    Matrix3d root; // of a free joint
};

struct Robot {
    pin::Model model;
    pin::Data data;
    std::vector<State> states;
    bool floating = false;
    int nq = 0; // ours: an angle where Pinocchio has its cosine and sine
};

bool isAngle(const pin::JointModel& joint)
{
    return joint.nv() == 1 && joint.nq() == 2;
}

pin::JointModel jointOf(const std::string& kind, const Vector3d& axis)
{
    static const std::map<std::string, pin::JointModel> joints = {
        {"JointModelFreeFlyer", pin::JointModelFreeFlyer()},
        {"JointModelRX", pin::JointModelRX()},
        {"JointModelRY", pin::JointModelRY()},
        {"JointModelRZ", pin::JointModelRZ()},
        {"JointModelRUBX", pin::JointModelRUBX()},
        {"JointModelRUBY", pin::JointModelRUBY()},
        {"JointModelRUBZ", pin::JointModelRUBZ()},
        {"JointModelPX", pin::JointModelPX()},
        {"JointModelPY", pin::JointModelPY()},
        {"JointModelPZ", pin::JointModelPZ()}};
    if (kind == "JointModelRevoluteUnaligned") return pin::JointModelRevoluteUnaligned(axis);
    if (kind == "JointModelPrismaticUnaligned") return pin::JointModelPrismaticUnaligned(axis);
    return joints.at(kind);
}

// A line of the file. Returns false at its end.
bool readJoint(std::istream& file, pin::Model& model)
{
    pin::JointIndex parent;
    std::string kind;
    double x[25];
    if (!(file >> parent >> kind)) return false;
    for (double& number : x) file >> number;
    if (!file) return false;
    const pin::SE3 at(Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(x + 3), Vector3d(x + 12));
    const pin::JointIndex i =
        model.addJoint(parent, jointOf(kind, Vector3d(x)), at, "joint" + std::to_string(model.njoints));
    const pin::Symmetric3 I(x[19], x[20], x[21], x[22], x[23], x[24]);
    model.appendBodyToJoint(i, pin::Inertia(x[15], Vector3d(x + 16), I), pin::SE3::Identity());
    return true;
}

// Velocities of a free joint from the world's axes to the body's.
VectorXd toBody(const Robot* r, const Matrix3d& root, const double* v)
{
    VectorXd out = Map<const VectorXd>(v, r->model.nv);
    if (r->floating) out.head<3>() = root.transpose() * out.head<3>();
    return out;
}

void toWorld(const Robot* r, const Matrix3d& root, VectorXd& v)
{
    if (r->floating) v.head<3>() = root * v.head<3>().eval();
}

VectorXd positions(const Robot* r, const double* qpos, Matrix3d& root)
{
    VectorXd q(r->model.nq);
    for (pin::JointIndex i = 1; i < (pin::JointIndex)r->model.njoints; i++) {
        const pin::JointModel& joint = r->model.joints[i];
        double* to = q.data() + joint.idx_q();
        if (joint.nq() == 7) {
            for (int k = 0; k < 3; k++) to[k] = *qpos++;
            const Quaterniond turn = Quaterniond(qpos[0], qpos[1], qpos[2], qpos[3]).normalized();
            root = turn.toRotationMatrix();
            to[3] = turn.x(), to[4] = turn.y(), to[5] = turn.z(), to[6] = turn.w();
            qpos += 4;
        } else if (isAngle(joint)) {
            to[0] = std::cos(*qpos), to[1] = std::sin(*qpos), qpos++;
        } else
            for (int k = 0; k < joint.nq(); k++) to[k] = *qpos++;
    }
    return q;
}

MatrixXd wholeMass(const Robot* r, const Matrix3d& root)
{
    MatrixXd M = r->data.M.selfadjointView<Eigen::Upper>();
    if (!r->floating) return M;
    M.topRows<3>() = root * M.topRows<3>().eval();
    M.leftCols<3>() = M.leftCols<3>().eval() * root.transpose();
    return M;
}

void storeMass(Robot* r, const State& s, double* out)
{
    const int nv = r->model.nv;
    Map<RowMatrix>(out, nv, nv) = wholeMass(r, s.root);
    VectorXd x = s.tau;
    pin::cholesky::solve(r->model, r->data, x);
    toWorld(r, s.root, x);
    Map<VectorXd>(out + nv * nv, nv) = x;
}

void storePoses(const Robot* r, double* out)
{
    const int count = r->model.njoints - 1;
    for (int i = 0; i < count; i++) {
        Map<Vector3d>(out + 3 * i) = r->data.oMi[i + 1].translation();
        Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(out + 3 * count + 9 * i) =
            r->data.oMi[i + 1].rotation();
    }
}

void storeDerivatives(const MatrixXd& by_q, const MatrixXd& by_v, MatrixXd by_a, double* out)
{
    const int nv = (int)by_q.rows();
    by_a.triangularView<Eigen::StrictlyLower>() = by_a.transpose().triangularView<Eigen::StrictlyLower>();
    Map<RowMatrix>(out, nv, nv) = by_q;
    Map<RowMatrix>(out + nv * nv, nv, nv) = by_v;
    Map<RowMatrix>(out + 2 * nv * nv, nv, nv) = by_a;
}

} // namespace

void* pinRobot(const char* path)
{
    std::ifstream file(path);
    Robot* r = new Robot;
    while (readJoint(file, r->model)) {
    }
    if (r->model.njoints < 2) {
        delete r;
        return nullptr;
    }
    r->model.gravity.linear() = Vector3d(0, 0, -9.81);
    r->data = pin::Data(r->model);
    r->floating = r->model.joints[1].nq() == 7;
    r->nq = r->model.nq;
    for (pin::JointIndex i = 1; i < (pin::JointIndex)r->model.njoints; i++)
        r->nq -= isAngle(r->model.joints[i]);
    return r;
}

void pinSizes(const void* robot, int* nbody, int* nq, int* nv)
{
    const Robot* r = static_cast<const Robot*>(robot);
    *nbody = r->model.njoints - 1;
    *nq = r->nq;
    *nv = r->model.nv;
}

void pinSetState(void* robot, int k, const double* qpos, const double* qvel, const double* qacc,
                 const double* tau)
{
    Robot* r = static_cast<Robot*>(robot);
    if ((size_t)k >= r->states.size()) r->states.resize((size_t)k + 1);
    State& s = r->states[(size_t)k];
    s.root.setIdentity();
    s.q = positions(r, qpos, s.root);
    s.v = toBody(r, s.root, qvel);
    s.a = toBody(r, s.root, qacc);
    // d(R'v)/dt = R'a - w x R'v
    if (r->floating) s.a.head<3>() -= s.v.segment<3>(3).cross(s.v.head<3>());
    s.tau = toBody(r, s.root, tau);
}

void pinRun(void* robot, int task, int k)
{
    Robot* r = static_cast<Robot*>(robot);
    const State& s = r->states[(size_t)k];
    switch (task) {
    case PIN_POSES: pin::forwardKinematics(r->model, r->data, s.q); break;
    case PIN_INVERSE: pin::rnea(r->model, r->data, s.q, s.v, s.a); break;
    case PIN_MASS:
    case PIN_MASS_WORLD:
        pin::crba(r->model, r->data, s.q, task == PIN_MASS ? pin::Convention::LOCAL : pin::Convention::WORLD);
        pin::cholesky::decompose(r->model, r->data);
        break;
    case PIN_FORWARD: pin::aba(r->model, r->data, s.q, s.v, s.tau, pin::Convention::LOCAL); break;
    case PIN_FORWARD_WORLD: pin::aba(r->model, r->data, s.q, s.v, s.tau, pin::Convention::WORLD); break;
    case PIN_INVERSE_DERIVATIVE: pin::computeRNEADerivatives(r->model, r->data, s.q, s.v, s.a); break;
    default: pin::computeABADerivatives(r->model, r->data, s.q, s.v, s.tau);
    }
}

void pinResult(void* robot, int task, int k, double* out)
{
    Robot* r = static_cast<Robot*>(robot);
    const State& s = r->states[(size_t)k];
    VectorXd x;
    switch (task) {
    case PIN_POSES: storePoses(r, out); return;
    case PIN_INVERSE: x = r->data.tau, toWorld(r, s.root, x); break;
    case PIN_MASS:
    case PIN_MASS_WORLD: storeMass(r, s, out); return;
    case PIN_FORWARD:
    case PIN_FORWARD_WORLD:
        x = r->data.ddq;
        if (r->floating) x.head<3>() += s.v.segment<3>(3).cross(s.v.head<3>());
        toWorld(r, s.root, x);
        break;
    case PIN_INVERSE_DERIVATIVE: storeDerivatives(r->data.dtau_dq, r->data.dtau_dv, r->data.M, out); return;
    default: storeDerivatives(r->data.ddq_dq, r->data.ddq_dv, r->data.Minv, out); return;
    }
    Map<VectorXd>(out, r->model.nv) = x;
}
