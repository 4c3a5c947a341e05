// A program as people write them: a linear regulator from derivatives of a step, tried on threads.
//     balance MODEL
#include <mujoco/mujoco.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct mjModel_; // declared once more, as headers of projects do
typedef struct mjData_ mjData;

namespace lqr {

using ModelPtr = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using DataPtr = std::unique_ptr<mjData, void (*)(mjData*)>;
using Matrix = std::vector<mjtNum>;

class Simulation {
  public:
    explicit Simulation(const std::string& path)
        : model_(nullptr, &mj_deleteModel), data_(nullptr, &mj_deleteData)
    {
        char error[1024] = {0};
        if (mjVERSION_HEADER != mj_version()) mju_error("headers and library are of different versions");
        model_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof(error)));
        if (!model_) throw std::runtime_error(error);
        data_.reset(mj_makeData(model_.get()));
        mj_forward(model_.get(), data_.get());
    }

    const mjModel* model() const { return model_.get(); }
    mjData* data() const { return data_.get(); }
    DataPtr copy() const { return DataPtr(mj_copyData(nullptr, model(), data()), &mj_deleteData); }

  private:
    ModelPtr model_;
    DataPtr data_;
};

// K of u = -K x by iterations of the Riccati equation, with unit costs.
Matrix gains(const mjModel* m, mjData* d)
{
    const int nx = 2 * m->nv, nu = m->nu;
    Matrix A(nx * nx), B(nx * nu), P(nx * nx), PA(nx * nx), PB(nx * nu), BPA(nu * nx), BPB(nu * nu),
        K(nu * nx);
    mjd_transitionFD(m, d, 1e-6, 1, A.data(), B.data(), nullptr, nullptr);
    mju_eye(P.data(), nx);
    for (int iteration = 0; iteration < 300; iteration++) {
        mju_mulMatMat(PA.data(), P.data(), A.data(), nx, nx, nx);
        mju_mulMatMat(PB.data(), P.data(), B.data(), nx, nx, nu);
        mju_mulMatTMat(BPA.data(), B.data(), PA.data(), nx, nu, nx);
        mju_mulMatTMat(BPB.data(), B.data(), PB.data(), nx, nu, nu);
        for (int i = 0; i < nu; i++) BPB[i * nu + i] += 1;
        mju_cholFactor(BPB.data(), nu, mjMINVAL);
        Matrix column(nu);
        for (int j = 0; j < nx; j++) {
            for (int i = 0; i < nu; i++) column[i] = BPA[i * nx + j];
            mju_cholSolve(column.data(), BPB.data(), column.data(), nu);
            for (int i = 0; i < nu; i++) K[i * nx + j] = column[i];
        }
        Matrix next(nx * nx), taken(nx * nx);
        mju_mulMatTMat(next.data(), A.data(), PA.data(), nx, nx, nx);
        mju_mulMatTMat(taken.data(), BPA.data(), K.data(), nu, nx, nx);
        mju_sub(P.data(), next.data(), taken.data(), nx * nx);
        for (int i = 0; i < nx; i++) P[i * nx + i] += 1;
    }
    return K;
}

// How far from rest a push leaves the model.
double run(const mjModel* m, mjData* d, const Matrix& K, const Matrix& rest, double push)
{
    Matrix x(2 * m->nv);
    d->qvel[0] += push;
    for (int i = 0; i < 300; i++) {
        mj_step1(m, d);
        mj_differentiatePos(m, x.data(), 1, rest.data(), d->qpos);
        mju_copy(x.data() + m->nv, d->qvel, m->nv);
        mju_mulMatVec(d->ctrl, K.data(), x.data(), m->nu, 2 * m->nv);
        mju_scl(d->ctrl, d->ctrl, -1, m->nu);
        mj_step2(m, d);
    }
    return mju_norm(x.data(), 2 * m->nv);
}

} // namespace lqr

int main(int, char** argv)
{
    lqr::Simulation simulation(argv[1]);
    const mjModel* m = simulation.model();
    const lqr::Matrix K = lqr::gains(m, simulation.data());
    const lqr::Matrix rest(simulation.data()->qpos, simulation.data()->qpos + m->nq);
    for (double k : K) std::printf("gain %.6g\n", k);

    std::vector<double> ends(6);
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; t++)
        threads.emplace_back([&, t] { ends[t] = lqr::run(m, simulation.copy().get(), K, rest, 0.1 * t); });
    for (std::thread& thread : threads) thread.join();
    for (double end : ends) std::printf("end %.6g\n", end);
    for (int i = 0; i < m->nsensor; i++) {
        const char* name = mj_id2name(m, mjtObj::mjOBJ_SENSOR, i);
        std::printf("sensor %s %d\n", name ? name : "", m->sensor_dim[i]);
    }
    return 0;
}
