// How fast a model is simulated: rollouts of the same steps on several threads, with noise at the actuators.
// Under MuJoCo's names: it compiles against either library.
//
//     testspeed MODEL [STEPS [THREADS [NOISE]]]
#include <mujoco/mujoco.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
};
using Model = std::unique_ptr<mjModel, Delete>;
using Data = std::unique_ptr<mjData, Delete>;

struct Count {
    long contacts = 0, rows = 0, iterations = 0;
    double seconds = 0;
};

double now()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Numbers in -1 .. 1, the same everywhere.
class Noise {
  public:
    double next()
    {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
    }

  private:
    unsigned long long state_ = 1;
};

Count rollout(const mjModel* m, mjData* d, int steps, double scale)
{
    Count count;
    Noise noise;
    const int test = mj_name2id(m, mjOBJ_KEY, "test");
    if (test >= 0) mj_resetDataKeyframe(m, d, test);
    const double start = now();
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < m->nu; k++) d->ctrl[k] = scale * noise.next();
        mj_step(m, d);
        count.contacts += d->ncon;
        count.rows += d->nefc;
        count.iterations += d->solver_niter[0];
    }
    count.seconds = now() - start;
    return count;
}

// The stages, as the library timed them in all steps of one data.
void printStages(const mjData* d, int steps)
{
    for (int k = mjTIMER_POSITION; k <= mjTIMER_ADVANCE; k++)
        std::printf("took %-10s %.3f us a step\n", mjTIMERSTRING[k], 1e6 * d->timer[k].duration / steps);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) return std::puts("usage: testspeed MODEL [STEPS [THREADS [NOISE]]]"), 2;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 10000, nthread = argc > 3 ? std::atoi(argv[3]) : 1;
    const double scale = argc > 4 ? std::atof(argv[4]) : 0.01;
    char error[1000] = "";
    Model m(mj_loadXML(argv[1], nullptr, error, sizeof error));
    if (!m) return std::fprintf(stderr, "%s\n", error), 1;

    mjcb_time = now;
    std::vector<Data> data;
    std::vector<Count> counts(nthread);
    std::vector<std::thread> threads;
    for (int t = 0; t < nthread; t++) data.emplace_back(mj_makeData(m.get()));
    const double start = now();
    for (int t = 0; t < nthread; t++)
        threads.emplace_back([&, t] { counts[t] = rollout(m.get(), data[t].get(), steps, scale); });
    for (std::thread& thread : threads) thread.join();
    const double total = now() - start;

    for (const Count& count : counts) std::printf("contacts %ld rows %ld\n", count.contacts, count.rows);
    std::printf("time %.17g qpos", data[0]->time);
    for (int i = 0; i < m->nq; i++) std::printf(" %.17g", data[0]->qpos[i]);
    std::printf("\ntook %.3f s, %.0f steps a second, %.2f iterations a step\n", total,
                nthread * steps / total, static_cast<double>(counts[0].iterations) / steps);
    printStages(data[0].get(), steps);
    return 0;
}
