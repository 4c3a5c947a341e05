// Tasks by priority: both forms, at full and at lost rank, against each other, closed forms and what a
// hierarchy promises; the planar arm of seed 004 from its printed matrices and from the engine's Jacobians.
#include <sinew/pseudo_inverse.h>
#include "model_text.h"
#include "control/random_matrix.h"
#include <float.h>

enum { LEVELS = 6 };

static double work[16 * FULL];

typedef struct Tasks {
    int n, count;
    double J[LEVELS][FULL], b[LEVELS][SIDE];
    snPriority task[LEVELS];
} Tasks;

static snPriority* addTask(Tasks* t, int rows)
{
    snPriority* task = t->task + t->count;
    *task = (snPriority){rows, t->J[t->count], t->b[t->count], 0};
    t->count++;
    return task;
}

static void addRandom(Tasks* t, Random* r, int rows)
{
    randomMatrix(r, rows * t->n, t->J[t->count]);
    randomMatrix(r, rows, t->b[t->count]);
    addTask(t, rows);
}

static void addGiven(Tasks* t, int rows, const double* J, const double* b)
{
    memcpy(t->J[t->count], J, (size_t)(rows * t->n) * sizeof(double));
    memcpy(t->b[t->count], b, (size_t)rows * sizeof(double));
    addTask(t, rows);
}

// The norm of what level i misses.
static double missed(const Tasks* t, int i, const double* x)
{
    double square = 0;
    for (int r = 0; r < t->task[i].rows; r++) {
        double sum = -t->b[i][r];
        for (int c = 0; c < t->n; c++) sum += t->J[i][r * t->n + c] * x[c];
        square += sum * sum;
    }
    return sqrt(square);
}

// x by both forms, which must agree in x within tolerance (1 + |x|) and in ranks.
static void solve(const Tasks* t, double tolerance, double within, double* x, int* rank)
{
    double other[SIDE];
    int ranks[LEVELS];
    snError error = {0};
    assert_true(sn_priorityWork(t->n, t->count, t->task) <= 16 * FULL);
    if (sn_solvePriorities(t->n, t->count, t->task, SN_PRIORITY_SUM, tolerance, x, rank, work, &error))
        fail_msg("%s", error.message);
    assert_int_equal(sn_solvePriorities(t->n, t->count, t->task, SN_PRIORITY_RECURSIVE, tolerance, other,
                                        ranks, work, &error),
                     SN_STATUS_OK);
    assert_true(farthest(x, other, t->n) <= within * (1 + largestOf(x, t->n)));
    for (int i = 0; i < t->count; i++) assert_int_equal(rank[i], ranks[i]);
}

// ---- full rank

// While rows fit, each level is reached; then the ranks end and the last is met as nearly as it can be.
static void randomTasks(void** state)
{
    (void)state;
    Random r = {1};
    double x[SIDE];
    int rank[LEVELS];
    for (int round = 0; round < 200; round++) {
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = 1 + randomInt(&r, SIDE);
        int used = 0;
        for (int i = 0; i < LEVELS; i++) addRandom(&t, &r, randomInt(&r, 7));
        solve(&t, -1, 1e-11, x, rank);
        for (int i = 0; i < LEVELS; i++) {
            const int rows = t.task[i].rows, room = t.n - used;
            assert_int_equal(rank[i], rows < room ? rows : room);
            if (rows <= room) assert_true(missed(&t, i, x) < 1e-10 * (1 + largestOf(x, t.n)));
            used += rank[i];
        }
    }
}

// Well-conditioned levels: orthonormal rows, mixed within and below each.
static void formsAgree(void** state)
{
    (void)state;
    Random r = {2};
    double Q[FULL], s[SIDE], x[SIDE];
    int rank[LEVELS];
    for (int i = 0; i < SIDE; i++) s[i] = 1;
    for (int round = 0; round < 50; round++) {
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = SIDE;
        withSingularValues(&r, SIDE, SIDE, s, Q);
        for (int i = 0; i < LEVELS; i++) {
            addRandom(&t, &r, 4);
            for (int c = 0; c < 4 * SIDE; c++)
                t.J[i][c] = Q[4 * i * SIDE + c] + (i ? 0.3 * t.J[i - 1][c] : 0);
        }
        solve(&t, -1, 1e-12, x, rank);
        for (int i = 0; i < LEVELS; i++) assert_true(missed(&t, i, x) < 1e-12);
    }
}

// One level: the pseudo-inverse. The least norm of all that reach the levels: x has no part in what is left.
static void leastNorm(void** state)
{
    (void)state;
    Random r = {3};
    static Tasks t;
    t.n = 9;
    addRandom(&t, &r, 4);
    double x[SIDE], P[FULL], again[SIDE], stack[FULL], N[FULL];
    int rank[LEVELS];
    solve(&t, -1, 1e-13, x, rank);
    sn_pseudoInverse(t.J[0], 4, 9, -1, P, work);
    product(P, t.b[0], 9, 4, 1, again);
    assert_true(farthest(x, again, 9) < 1e-13);
    addRandom(&t, &r, 3);
    solve(&t, -1, 1e-12, x, rank);
    memcpy(stack, t.J[0], 36 * sizeof(double));
    memcpy(stack + 36, t.J[1], 27 * sizeof(double));
    sn_nullProjector(stack, 7, 9, -1, N, work);
    product(N, x, 9, 9, 1, again);
    assert_true(largestOf(again, 9) < 1e-13);
    t.count = 0;
    solve(&t, -1, 0, x, rank);
    assert_true(largestOf(x, 9) == 0);
}

// ---- lower levels never disturb higher ones

static void compareAbove(Tasks* t, double tolerance)
{
    double all[SIDE], some[SIDE];
    int rank[LEVELS], count = t->count;
    solve(t, tolerance, HUGE_VAL, all, rank);
    for (t->count = 1; t->count < count; t->count++) {
        solve(t, tolerance, HUGE_VAL, some, rank);
        for (int form = 0; form < 2; form++) {
            double x[SIDE], y[SIDE];
            sn_solvePriorities(t->n, count, t->task, form, tolerance, x, NULL, work, NULL);
            sn_solvePriorities(t->n, t->count, t->task, form, tolerance, y, NULL, work, NULL);
            for (int i = 0; i < t->count; i++) {
                // a level that gave directions away is disturbed there; by rounding of x if x is huge
                if (rank[i] < t->task[i].rows) continue;
                const double moved = fabs(missed(t, i, x) - missed(t, i, y)), size = 1 + largestOf(x, t->n);
                assert_true(moved <= 1e-14 * size);
                assert_true(moved <= 1e-9 || size > 1e5);
            }
        }
    }
}

// Levels that depend on those above by less and less: 1e-1 ... 1e-12, and exactly.
static void lowerNeverDisturbHigher(void** state)
{
    (void)state;
    Random r = {4};
    for (int round = 0; round < 100; round++) {
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = 8;
        for (int i = 0; i < LEVELS; i++) {
            addRandom(&t, &r, 2);
            if (i == 0) continue;
            const double share = round % 10 == 0 ? 0 : pow(10, -(round % 10) * 1.2);
            for (int c = 0; c < 16; c++) t.J[i][c] = t.J[i - 1][c] + share * t.J[i][c];
        }
        compareAbove(&t, -1);
        for (int i = 0; i < LEVELS; i++) t.task[i].damping = 0.1 * i;
        compareAbove(&t, -1);
        compareAbove(&t, 1e-3);
    }
}

// A large tolerance gives directions away; what is kept stays kept: J_1 has (1, 0, 0) alone, J_2 leans on it,
// (1, 0.05, 0), which a tolerance of 0.1 leaves to others. With rows stacked as they are and the rank cut the
// third level would disturb the first.
static void directionsGivenAway(void** state)
{
    (void)state;
    static Tasks t = {.n = 3};
    double x[SIDE];
    int rank[LEVELS];
    addGiven(&t, 1, (const double[]){1, 0, 0}, (const double[]){1});
    addGiven(&t, 1, (const double[]){1, 0.05, 0}, (const double[]){2});
    addGiven(&t, 2, (const double[]){1, 1, 0, 0, 0, 1}, (const double[]){4, 5});
    solve(&t, 0.1, 1e-14, x, rank);
    assert_true(rank[0] == 1 && rank[1] == 0 && rank[2] == 2);
    assert_true(fabs(x[0] - 1) < 1e-14 && fabs(x[1] - 3) < 1e-14 && fabs(x[2] - 5) < 1e-14);
    solve(&t, 0.01, 1e-13, x, rank);
    assert_true(rank[1] == 1 && rank[2] == 1);
    assert_true(fabs(x[0] - 1) < 1e-14 && fabs(x[1] - 20) < 1e-12 && fabs(x[2] - 5) < 1e-13);
}

static void ranksAboutTheTolerance(void** state)
{
    (void)state;
    double x[SIDE];
    int rank[LEVELS];
    for (int above = 0; above < 2; above++) {
        const double lean = above ? 1e-5 : 1e-7;
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = 3;
        addGiven(&t, 1, (const double[]){3, 4, 0}, (const double[]){5});
        addGiven(&t, 1, (const double[]){3, 4, lean}, (const double[]){5 + lean});
        solve(&t, 1e-6, 1e-9, x, rank);
        assert_int_equal(rank[1], above);
        assert_true(fabs(x[2] - above) < 1e-9);
        assert_true(fabs(3 * x[0] + 4 * x[1] - 5) < 1e-14);
    }
}

// A task in units of 1e-150 or 1e150 is the same task.
static void unitsDoNotMatter(void** state)
{
    (void)state;
    Random r = {9};
    double x[SIDE], y[SIDE];
    int rank[LEVELS];
    for (int round = 0; round < 50; round++) {
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = 16;
        for (int i = 0; i < 4; i++) addRandom(&t, &r, 3);
        solve(&t, -1, 1e-11, x, rank);
        for (int i = 0; i < 4; i++) {
            const double unit = pow(10, 150 * (i % 2 == round % 2 ? 1 : -1));
            for (int j = 0; j < 3 * t.n; j++) t.J[i][j] *= unit;
            for (int j = 0; j < 3; j++) t.b[i][j] *= unit;
        }
        solve(&t, -1, 1e-11, y, rank);
        for (int i = 0; i < 4; i++) assert_int_equal(rank[i], 3);
        assert_true(farthest(x, y, t.n) <= 1e-11 * (1 + largestOf(x, t.n)));
    }
}

// ---- degenerate tasks

// A task again, its double, zeros, nothing, what contradicts it: no rank, no change, no large numbers.
static void degenerateTasks(void** state)
{
    (void)state;
    Random r = {5};
    double alone[SIDE], x[SIDE];
    int rank[LEVELS];
    for (int round = 0; round < 500; round++) {
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = 1 + randomInt(&r, 12);
        const int rows = 1 + randomInt(&r, t.n < 4 ? t.n : 4);
        addRandom(&t, &r, rows);
        solve(&t, -1, 1e-10, alone, rank);
        double scaled[FULL], b[SIDE], zero[FULL] = {0};
        for (int i = 0; i < rows * t.n; i++) scaled[i] = t.J[0][i] * (1 / 3.) * (round % 2 ? 1 : 1e6);
        randomMatrix(&r, rows, b);
        addGiven(&t, rows, t.J[0], t.b[0]); // again
        addGiven(&t, rows, scaled, b);      // against it
        addGiven(&t, rows, zero, b);        // nothing that x could do
        addGiven(&t, 0, zero, b);
        solve(&t, -1, 1e-10, x, rank);
        for (int i = 1; i < t.count; i++) assert_int_equal(rank[i], 0);
        assert_true(farthest(x, alone, t.n) <= 1e-10 * (1 + largestOf(alone, t.n)));
    }
}

// Two tasks that ask x_0 for 1 and for 3: by priority the first; at one priority the mean.
static void contradictingTasks(void** state)
{
    (void)state;
    static Tasks t = {.n = 2};
    double x[SIDE];
    int rank[LEVELS];
    addGiven(&t, 1, (const double[]){1, 0}, (const double[]){1});
    addGiven(&t, 1, (const double[]){1, 0}, (const double[]){3});
    solve(&t, -1, 1e-15, x, rank);
    assert_true(x[0] == 1 && x[1] == 0 && rank[0] == 1 && rank[1] == 0);
    t.count = 0;
    addGiven(&t, 2, (const double[]){1, 0, 1, 0}, (const double[]){1, 3});
    solve(&t, -1, 1e-15, x, rank);
    assert_true(fabs(x[0] - 2) < 4e-15 && fabs(x[1]) < 4e-15 && rank[0] == 1);
}

// "Task 2 is achieved" takes full row rank of J_2 N_1, not of J_2 alone: here J_2 N_1 has one rank of its
// two.
static void secondTaskOfLostRank(void** state)
{
    (void)state;
    static Tasks t = {.n = 3};
    double x[SIDE];
    int rank[LEVELS];
    addGiven(&t, 1, (const double[]){1, 0, 0}, (const double[]){1});
    addGiven(&t, 2, (const double[]){1, 1, 0, -1, 1, 0}, (const double[]){5, 5});
    solve(&t, -1, 1e-14, x, rank);
    assert_int_equal(rank[1], 1);
    assert_true(fabs(x[0] - 1) < 4e-15 && fabs(x[1] - 5) < 1e-14 && fabs(x[2]) < 1e-14);
    assert_true(fabs(missed(&t, 1, x) - sqrt(2)) < 1e-14);
}

// ---- damping

// One task: A'(AA' + d^2)^-1 b. Lower tasks see an undamped projector: no part of theirs moves task 1, and a
// second undamped copy of task 1 finds nothing left to do.
static void dampingOnTheTaskAlone(void** state)
{
    (void)state;
    Random r = {6};
    static Tasks t = {.n = 7};
    double x[SIDE], alone[SIDE], P[FULL], again[SIDE];
    int rank[LEVELS];
    addRandom(&t, &r, 3);
    t.task[0].damping = 0.7;
    solve(&t, -1, 1e-14, alone, rank);
    sn_dampedPseudoInverse(t.J[0], 3, 7, 0.7, P, work);
    product(P, t.b[0], 7, 3, 1, again);
    assert_true(farthest(alone, again, 7) < 1e-14);
    addGiven(&t, 3, t.J[0], t.b[0]);
    addRandom(&t, &r, 4);
    solve(&t, -1, 1e-12, x, rank);
    assert_true(rank[0] == 3 && rank[1] == 0 && rank[2] == 4);
    assert_true(fabs(missed(&t, 0, x) - missed(&t, 0, alone)) < 1e-13);
    assert_true(missed(&t, 0, x) > 0.01);
    assert_true(missed(&t, 2, x) < 1e-12);
}

// A damped step never exceeds |b - J x| / (2 damping), and grows as s / (s^2 + d^2).
static void dampingBoundsTheStep(void** state)
{
    (void)state;
    double x[SIDE];
    int rank[LEVELS];
    for (int i = 0; i < 14; i++) {
        const double s = pow(10, -i), d = 1e-3;
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = 2;
        addGiven(&t, 1, (const double[]){1, 0}, (const double[]){1});
        addGiven(&t, 1, (const double[]){1, s}, (const double[]){2});
        t.task[1].damping = d;
        solve(&t, -1, 1e-2, x, rank);
        assert_true(fabs(x[1]) <= 1 / (2 * d) * (1 + 1e-12) && fabs(x[0] - 1) < 1e-12);
        assert_true(fabs(x[1] - s / (s * s + d * d)) <= 1e-12 * (1 + 1 / d));
        assert_int_equal(rank[1], 1);
    }
}

// Damped, a task moves along directions that it gives away, too, so that nothing jumps where a singular value
// passes the tolerance; lower tasks have the last word on these.
static void dampedAlongWhatIsGivenAway(void** state)
{
    (void)state;
    static Tasks t = {.n = 2};
    double x[SIDE];
    int rank[LEVELS];
    addGiven(&t, 2, (const double[]){1, 0, 0, 0.05}, (const double[]){1, 1});
    t.task[0].damping = 0.05;
    solve(&t, 0.1, 1e-15, x, rank);
    assert_true(rank[0] == 1 && fabs(x[0] - 1 / 1.0025) < 1e-15 && fabs(x[1] - 10) < 1e-14);
    addGiven(&t, 1, (const double[]){0, 1}, (const double[]){3});
    solve(&t, 0.1, 1e-14, x, rank);
    assert_true(rank[1] == 1 && fabs(x[0] - 1 / 1.0025) < 1e-15 && fabs(x[1] - 3) < 1e-14);
}

// ---- the arm of seed 004

enum { JOINTS = 3 };
static const double LENGTH[JOINTS] = {0.5, 0.4, 0.3};

// Links lie along y and turn clockwise, as the seed draws them.
static const char ARM[] = "<mujoco><option gravity='0 0 0'/><default><joint axis='0 0 -1'/>"
                          "<geom type='capsule' size='0.02'/></default><worldbody>"
                          "<body><joint/><geom fromto='0 0 0 0 0.5 0'/>"
                          "<body pos='0 0.5 0'><joint/><geom fromto='0 0 0 0 0.4 0'/>"
                          "<body pos='0 0.4 0'><joint/><geom fromto='0 0 0 0 0.3 0'/>"
                          "<site name='tip' pos='0 0.3 0'/></body></body></body></worldbody></mujoco>";

// J_x and J_y as the seed prints them, with x and y.
static void printedMatrices(const double theta[JOINTS], double tip[2], double Jx[JOINTS], double Jy[JOINTS])
{
    const double a = theta[0], b = a + theta[1], c = b + theta[2];
    const double x[] = {LENGTH[0] * sin(a), LENGTH[1] * sin(b), LENGTH[2] * sin(c)};
    const double y[] = {LENGTH[0] * cos(a), LENGTH[1] * cos(b), LENGTH[2] * cos(c)};
    tip[0] = x[0] + x[1] + x[2];
    tip[1] = y[0] + y[1] + y[2];
    Jx[0] = y[0] + y[1] + y[2];
    Jx[1] = y[1] + y[2];
    Jx[2] = y[2];
    Jy[0] = -x[0] - x[1] - x[2];
    Jy[1] = -x[1] - x[2];
    Jy[2] = -x[2];
}

static void printedMatricesAreTheEngines(void** state)
{
    (void)state;
    snModel* m = load(ARM);
    snData* d = sn_makeData(m);
    Random r = {7};
    for (int round = 0; round < 20; round++) {
        double tip[2], Jx[JOINTS], Jy[JOINTS], jacp[3 * JOINTS];
        for (int i = 0; i < JOINTS; i++) d->qpos[i] = 3 * randomReal(&r);
        sn_forward(m, d);
        sn_jacSite(m, d, jacp, NULL, 0);
        printedMatrices(d->qpos, tip, Jx, Jy);
        assert_true(farthest(jacp, Jx, JOINTS) < 1e-15 && farthest(jacp + JOINTS, Jy, JOINTS) < 1e-15);
        assert_true(farthest(d->site_xpos, tip, 2) < 1e-15);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// q' = J1+ x' + N1 (J2 N1)+ (y' - J2 J1+ x') in the seed's letters, rows and numbers alone.
static void printedSolution(const double* J1, const double* J2, double v1, double v2, double* qvel)
{
    double square = 0, along = 0, across[JOINTS], rest = 0;
    for (int i = 0; i < JOINTS; i++) square += J1[i] * J1[i];
    for (int i = 0; i < JOINTS; i++) along += J2[i] * J1[i] / square;
    for (int i = 0; i < JOINTS; i++) across[i] = J2[i] - along * J1[i]; // J2 N1
    for (int i = 0; i < JOINTS; i++) rest += across[i] * across[i];
    for (int i = 0; i < JOINTS; i++) qvel[i] = J1[i] / square * v1 + across[i] / rest * (v2 - along * v1);
}

static void armByPriority(void** state)
{
    (void)state;
    Random r = {8};
    for (int round = 0; round < 100; round++) {
        const double theta[] = {randomReal(&r), 0.3 + 0.5 * (1 + randomReal(&r)),
                                0.3 + 0.5 * (1 + randomReal(&r))};
        const double v1 = randomReal(&r), v2 = randomReal(&r);
        double tip[2], Jx[JOINTS], Jy[JOINTS], qvel[SIDE], printed[JOINTS];
        int rank[LEVELS];
        printedMatrices(theta, tip, Jx, Jy);
        static Tasks t;
        memset(&t, 0, sizeof t);
        t.n = JOINTS;
        addGiven(&t, 1, Jx, &v1);
        addGiven(&t, 1, Jy, &v2);
        solve(&t, -1, 1e-13, qvel, rank);
        printedSolution(Jx, Jy, v1, v2, printed);
        assert_true(farthest(qvel, printed, JOINTS) < 1e-13 * (1 + largestOf(printed, JOINTS)));
        assert_true(missed(&t, 0, qvel) < 1e-13 && missed(&t, 1, qvel) < 1e-13);
    }
}

// Stretched along a direction J_x and J_y are parallel: y cannot be asked for, x still moves as it should.
static void stretchedArm(void** state)
{
    (void)state;
    const double theta[] = {0.7, 0, 0}, v1 = 0.2, v2 = 0.3;
    double tip[2], Jx[JOINTS], Jy[JOINTS], qvel[SIDE];
    int rank[LEVELS];
    printedMatrices(theta, tip, Jx, Jy);
    static Tasks t = {.n = JOINTS};
    addGiven(&t, 1, Jx, &v1);
    addGiven(&t, 1, Jy, &v2);
    solve(&t, -1, 1e-14, qvel, rank);
    assert_true(rank[0] == 1 && rank[1] == 0);
    assert_true(missed(&t, 0, qvel) < 1e-15);
    assert_true(fabs(missed(&t, 1, qvel) - fabs(-tan(0.7) * v1 - v2)) < 1e-14);
    assert_true(largestOf(qvel, JOINTS) < 1);
}

// Accelerations: J qacc = a - Jdot qvel. The tip on a circle without a step of time in between: site_xpos
// differentiated twice along qpos + t qvel + t^2 / 2 qacc has the acceleration that was asked for.
static void accelerationsOfTheArm(void** state)
{
    (void)state;
    const double theta[] = {0.3, 0.5, 0.7}, qvel[] = {0.4, -0.2, 0.9}, wanted[] = {0.6, -1.1}, h = 1e-4;
    double tip[3][2], Jx[JOINTS], Jy[JOINTS], forth[JOINTS], back[JOINTS], x[2][JOINTS], y[2][JOINTS],
        qacc[SIDE];
    int rank[LEVELS];
    for (int i = 0; i < JOINTS; i++) {
        forth[i] = theta[i] + h * qvel[i];
        back[i] = theta[i] - h * qvel[i];
    }
    printedMatrices(forth, tip[0], x[0], y[0]);
    printedMatrices(back, tip[1], x[1], y[1]);
    printedMatrices(theta, tip[2], Jx, Jy);
    double bx = wanted[0], by = wanted[1];
    for (int i = 0; i < JOINTS; i++) {
        bx -= (x[0][i] - x[1][i]) / (2 * h) * qvel[i];
        by -= (y[0][i] - y[1][i]) / (2 * h) * qvel[i];
    }
    static Tasks t = {.n = JOINTS};
    addGiven(&t, 1, Jx, &bx);
    addGiven(&t, 1, Jy, &by);
    solve(&t, -1, 1e-13, qacc, rank);
    for (int i = 0; i < JOINTS; i++) {
        forth[i] += h * h / 2 * qacc[i];
        back[i] += h * h / 2 * qacc[i];
    }
    printedMatrices(forth, tip[0], x[0], y[0]);
    printedMatrices(back, tip[1], x[1], y[1]);
    for (int i = 0; i < 2; i++)
        assert_true(fabs((tip[0][i] - 2 * tip[2][i] + tip[1][i]) / (h * h) - wanted[i]) < 1e-7);
}

// ---- mistakes

static void checkMistake(int n, int count, const snPriority* tasks, int form, double tolerance,
                         const char* text)
{
    double x[3] = {9, 9, 9};
    int rank[2] = {9, 9};
    snError error = {0};
    assert_int_equal(sn_solvePriorities(n, count, tasks, form, tolerance, x, rank, work, &error),
                     SN_STATUS_ARGUMENT);
    if (!strstr(error.message, text)) fail_msg("\"%s\" does not say \"%s\"", error.message, text);
    assert_int_equal(sn_solvePriorities(n, count, tasks, form, tolerance, x, rank, work, NULL),
                     SN_STATUS_ARGUMENT);
    assert_true(x[0] == 9 && x[2] == 9);
}

static void mistakes(void** state)
{
    (void)state;
    const double J[] = {1, 2, 3, 4, 5, 6}, holed[] = {1, 2, 3, 4, NAN, 6}, b[] = {1, 2},
                 endless[] = {1, INFINITY};
    snPriority t[] = {{1, J, b, 0}, {2, J, b, 0}};
    checkMistake(-1, 2, t, 0, -1, "n is -1");
    checkMistake(3, -1, t, 0, -1, "-1 tasks");
    checkMistake(3, 2, NULL, 0, -1, "no tasks");
    checkMistake(3, 2, t, 2, -1, "form is 2");
    checkMistake(3, 2, t, 0, NAN, "tolerance");
    t[1].rows = -2;
    checkMistake(3, 2, t, 0, -1, "task 1 has -2 rows");
    t[1] = (snPriority){2, NULL, b, 0};
    checkMistake(3, 2, t, 0, -1, "task 1 has no J, must be 2 x 3");
    t[1] = (snPriority){2, J, NULL, 0};
    checkMistake(3, 2, t, 0, -1, "task 1 has no b");
    t[1] = (snPriority){2, holed, b, 0};
    checkMistake(3, 2, t, 1, -1, "task 1: J[1][1] is nan");
    t[1] = (snPriority){2, J, endless, 0};
    checkMistake(3, 2, t, 0, -1, "task 1: b[1] is inf");
    t[1] = (snPriority){2, J, b, -1};
    checkMistake(3, 2, t, 0, -1, "task 1: damping is -1");
    t[1] = (snPriority){2, J, b, NAN};
    checkMistake(3, 2, t, 0, -1, "task 1: damping is");
    const double tiny[] = {1e-300, 0, 0}, huge[] = {1e300};
    t[0] = (snPriority){1, tiny, huge, 0};
    checkMistake(3, 1, t, 0, -1, "task 0: J or b is so large");
}

// Nothing to solve for, and nothing asked.
static void emptyProblems(void** state)
{
    (void)state;
    double x[2] = {3, 3};
    const double b[] = {1};
    int rank[1] = {9};
    const snPriority t = {1, NULL, b, 0};
    assert_int_equal(sn_solvePriorities(0, 1, &t, 0, -1, x, rank, work, NULL), SN_STATUS_OK);
    assert_true(rank[0] == 0 && x[0] == 3);
    assert_int_equal(sn_solvePriorities(2, 0, NULL, 1, -1, x, NULL, work, NULL), SN_STATUS_OK);
    assert_true(x[0] == 0 && x[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(randomTasks),
        cmocka_unit_test(formsAgree),
        cmocka_unit_test(leastNorm),
        cmocka_unit_test(lowerNeverDisturbHigher),
        cmocka_unit_test(directionsGivenAway),
        cmocka_unit_test(ranksAboutTheTolerance),
        cmocka_unit_test(degenerateTasks),
        cmocka_unit_test(contradictingTasks),
        cmocka_unit_test(secondTaskOfLostRank),
        cmocka_unit_test(dampingOnTheTaskAlone),
        cmocka_unit_test(dampingBoundsTheStep),
        cmocka_unit_test(dampedAlongWhatIsGivenAway),
        cmocka_unit_test(unitsDoNotMatter),
        cmocka_unit_test(printedMatricesAreTheEngines),
        cmocka_unit_test(armByPriority),
        cmocka_unit_test(stretchedArm),
        cmocka_unit_test(accelerationsOfTheArm),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(emptyProblems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
