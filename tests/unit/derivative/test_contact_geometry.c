// How contacts move, against differences of the engine's own collisions: two geoms of every two types in
// random poses, each contact followed while one of them turns, shifts or grows a little.
//
// Differences are central, of order six: with a step of 3e-4 and shapes of size 0.3 their error is about
// 1e-11, of cores of EPA and of Newton's method on round shapes likewise, as these end at rounding. Where a
// step crosses a switch (another vertex comes down), differences of two steps do not agree; such places are
// left out, and counted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "derivative/contact/geometry.h"
#include "math/vec.h"
#include "model_text.h"

enum { PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, KINDS };

static const char* geoms[KINDS] = {
    "type='plane' size='5 5 .1'",       "type='hfield' hfield='h'",
    "type='sphere' size='.3'",          "type='capsule' size='.15 .3'",
    "type='ellipsoid' size='.3 .2 .4'", "type='cylinder' size='.25 .3'",
    "type='box' size='.3 .2 .25'",      "type='mesh' mesh='m'",
};

static const char* names[KINDS] = {"plane",     "hfield",   "sphere", "capsule",
                                   "ellipsoid", "cylinder", "box",    "mesh"};

// Two geoms, a on a body of its own that is set in place and b on a free one
static snModel* sceneOf(const char* a, const char* b, const char* flags, const char* more)
{
    char xml[4000];
    snprintf(
        xml, sizeof xml,
        "<mujoco><option gravity='0 0 0'><flag %s/></option><asset>"
        "<mesh name='m' vertex='.3 .05 .1  -.25 .1 .2  .05 -.3 .15  .1 .25 -.2  -.2 -.15 -.25  .15 -.1 -.3"
        "  .02 .03 .35  -.3 -.05 -.03  .2 .22 .15'/>"
        "<mesh name='cube' vertex='.2 .2 .2 -.2 .2 .2 .2 -.2 .2 -.2 -.2 .2 .2 .2 -.2 -.2 .2 -.2 .2 -.2 -.2"
        " -.2 -.2 -.2'/>"
        "<hfield name='flat' nrow='4' ncol='4' size='1 1 .4 .3' elevation='1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0'/>"
        "<hfield name='h' nrow='5' ncol='6' size='1 1 .4 .3' elevation='0 .3 .1 .5 .2 .9  .4 .1 .8 .3 .6 .1"
        "  .2 .7 .3 .9 .1 .5  .6 .2 .4 .1 .8 .3  .1 .5 .9 .2 .3 .6'/></asset><worldbody>"
        "<body mocap='true'><geom name='a' %s/></body>"
        "<body><freejoint/><geom name='b' %s mass='1'/></body></worldbody>%s</mujoco>",
        flags, a, b, more);
    return load(xml);
}

// Under the rules of MuJoCo 4
#define LATER "<custom><text name='sinew_physics' data='4.0'/></custom>"

static snModel* pair(int a, int b, double margin, const char* more)
{
    snModel* m = sceneOf(geoms[a], geoms[b], "", more);
    m->geom_margin[0] = m->geom_margin[1] = margin;
    return m;
}

// Numbers from 0 to 1, by the generator that POSIX calls drand48.
static uint64_t generator;

static void begin(unsigned seed)
{
    generator = (uint64_t)seed << 16 | 0x330e;
}

static double fraction(void)
{
    generator = (0x5deece66dull * generator + 11) & 0xffffffffffffull;
    return (double)generator * 0x1p-48;
}

static double uniform(void)
{
    return 2 * fraction() - 1;
}

static snQuat anyTurn(void)
{
    return sn_quatNormalize((snQuat){uniform(), uniform(), uniform(), uniform()});
}

// ---- moving one geom

typedef struct Stand {
    double mocap[7], free[7];
} Stand;

static void put(const snModel* m, snData* d, const Stand* s)
{
    memcpy(d->mocap_pos, s->mocap, 3 * sizeof(double));
    memcpy(d->mocap_quat, s->mocap + 3, 4 * sizeof(double));
    memcpy(d->qpos, s->free, 7 * sizeof(double));
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_collision(m, d);
}

// The body turned by w about the point x and shifted by v
static void displace(double body[7], snVec3 x, snVec3 w, snVec3 v)
{
    const double angle = sn_v3Norm(w);
    const snQuat q = angle > 0 ? sn_quatAxisAngle(sn_v3Scale(w, 1 / angle), angle) : sn_quatIdentity();
    const snVec3 p = sn_v3Load(body);
    sn_v3Store(body, sn_v3Add(sn_v3Add(x, v), sn_quatRotate(q, sn_v3Sub(p, x))));
    sn_quatStore(body + 3, sn_quatMul(q, sn_quatLoad(body + 3)));
}

// ---- differences

enum { ROWS = 7, MOST = 64 };

typedef struct Follow {
    const snModel* m;
    snData* d;
    Stand stand;
    double size[6]; // of both geoms, by id
    snVec3 centre[2];
    int ncon;
    double step, tolerance; // of differences; relative, on their agreement
} Follow;

// Contacts in the order of others that they are nearest to: that of a patch may change.
static void align(const snContact* now, snContact* list, int count)
{
    snContact sorted[MOST];
    bool taken[MOST] = {false}, kept = true;
    for (int i = 0; i < count; i++)
        kept &= sn_v3Norm(sn_v3Sub(sn_v3Load(now[i].pos), sn_v3Load(list[i].pos))) < 0.02;
    if (kept) return; // those of one place, as of two prisms, are not to be mixed up
    for (int i = 0; i < count; i++) {
        int best = i;
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            const double off = sn_v3Norm(sn_v3Sub(sn_v3Load(now[i].pos), sn_v3Load(list[k].pos))) +
                               sn_v3Norm(sn_v3Sub(sn_v3Load(now[i].frame), sn_v3Load(list[k].frame)));
            if (taken[k] || off >= least) continue;
            least = off;
            best = k;
        }
        taken[best] = true;
        sorted[i] = list[best];
    }
    memcpy(list, sorted, (size_t)count * sizeof *list);
}

// All contacts after a step along a direction: 0..11 motions of geoms 0 and 1, 12..17 their sizes. False: not
// as many.
static int contactsAt(const Follow* f, int direction, double step, snContact* out)
{
    Stand s = f->stand;
    const int g = direction < 12 ? direction / 6 : (direction - 12) / 3;
    if (direction < 12) {
        double x[6] = {0};
        x[direction % 6] = step;
        displace(g ? s.free : s.mocap, f->centre[g], sn_v3Load(x), sn_v3Load(x + 3));
    } else {
        f->m->geom_size[direction - 12] += step;
        f->m->geom_rbound[g] += fabs(step);
    }
    put(f->m, f->d, &s);
    if (direction >= 12) {
        f->m->geom_size[direction - 12] = f->size[direction - 12];
        f->m->geom_rbound[g] -= fabs(step);
    }
    if (f->d->ncon != f->ncon) return 0;
    for (int i = 0; i < f->ncon; i++) out[i] = f->d->contact[i];
    return 1;
}

static int difference(const Follow* f, int direction, double h, double out[][ROWS])
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    static snContact plus[MOST], minus[MOST];
    double frame[MOST][9] = {{0}};
    put(f->m, f->d, &f->stand);
    static snContact now[MOST];
    memcpy(now, f->d->contact, (size_t)f->ncon * sizeof *now);
    for (int i = 0; i < f->ncon; i++)
        for (int r = 0; r < ROWS; r++) out[i][r] = 0;
    for (int k = 1; k <= 3; k++) {
        if (!contactsAt(f, direction, k * h, plus) || !contactsAt(f, direction, -k * h, minus)) return 0;
        align(now, plus, f->ncon);
        align(now, minus, f->ncon);
        const double w = weight[k - 1] / h;
        for (int i = 0; i < f->ncon; i++) {
            out[i][0] += w * (plus[i].dist - minus[i].dist);
            for (int r = 0; r < 3; r++) out[i][1 + r] += w * (plus[i].pos[r] - minus[i].pos[r]);
            for (int r = 0; r < 9; r++) frame[i][r] += w * (plus[i].frame[r] - minus[i].frame[r]);
        }
    }
    for (int i = 0; i < f->ncon; i++) {
        snVec3 turn = {0, 0, 0};
        for (int r = 0; r < 3; r++)
            turn = sn_v3AddScaled(turn, 0.5,
                                  sn_v3Cross(sn_v3Load(now[i].frame + 3 * r), sn_v3Load(frame[i] + 3 * r)));
        sn_v3Store(out[i] + 4, turn);
    }
    return 1;
}

// ---- comparing

typedef struct Tally {
    int contacts, unsupported, compared, skipped, bad;
    double worst, unlike; // relative; of what is to be rigid
} Tally;

static double sumError(const snContactGradient* g, const snContact* con, int k, snVec3 wanted[2], snVec3 v[2])
{
    snVec3 pos = {0, 0, 0}, turn = {0, 0, 0};
    double dist = 0, size = 1;
    for (int i = 0; i < 2; i++) {
        // geom i turned about its own centre, and shifted
        const double by[6] = {k == 0, k == 1, k == 2, v[i].x, v[i].y, v[i].z};
        for (int c = 0; c < 6; c++) {
            const double s = k < 3 || c >= 3 ? by[c] : 0;
            const int at = 6 * i + c;
            dist += s * g->dist[at];
            pos = sn_v3AddScaled(pos, s, sn_v3(g->pos[0][at], g->pos[1][at], g->pos[2][at]));
            turn = sn_v3AddScaled(turn, s, sn_v3(g->turn[0][at], g->turn[1][at], g->turn[2][at]));
            size = fmax(size, fabs(g->turn[0][at]) + fabs(g->turn[1][at]) + fabs(g->turn[2][at]));
        }
    }
    const snVec3 n = sn_v3Cross(turn, sn_v3Load(con->frame));
    return (fabs(dist) + sn_v3Norm(sn_v3Sub(pos, wanted[0])) + sn_v3Norm(sn_v3Sub(n, wanted[1]))) / size;
}

// Both geoms moved as one move the contact with them: how far from that.
static double rigidError(const Follow* f, const snContactGradient* g, const snContact* con)
{
    double worst = 0;
    for (int k = 0; k < 6; k++) {
        const snVec3 e = sn_v3(k % 3 == 0, k % 3 == 1, k % 3 == 2), none = {0, 0, 0};
        snVec3 v[2], wanted[2];
        for (int i = 0; i < 2; i++) v[i] = k < 3 ? sn_v3Cross(e, f->centre[con->geom[i]]) : e;
        wanted[0] = k < 3 ? sn_v3Cross(e, sn_v3Load(con->pos)) : e;
        wanted[1] = k < 3 ? sn_v3Cross(e, sn_v3Load(con->frame)) : none;
        worst = fmax(worst, sumError(g, con, k, wanted, v));
    }
    return worst;
}

// Of geom ids 0 and 1 in the order that the contact has
static int columnOf(const snContact* con, int direction)
{
    const int width = direction < 12 ? 6 : 3, start = direction < 12 ? 0 : 12;
    const int g = (direction - start) / width, k = (direction - start) % width;
    return (con->geom[0] == g ? 0 : width) + k;
}

static void compare(const Follow* f, int direction, const snContactGradient* g, double (*size)[7][6],
                    const snContact* con, const int* known, Tally* tally)
{
    static double coarse[MOST][ROWS], fine[MOST][ROWS];
    if (!difference(f, direction, 2 * f->step, coarse) || !difference(f, direction, f->step, fine)) {
        tally->skipped += f->ncon;
        return;
    }
    for (int i = 0; i < f->ncon; i++) {
        if (!known[i]) continue;
        const int c = columnOf(&con[i], direction);
        double analytic[ROWS], scale = 1, off = 0, unsure = 0;
        for (int r = 0; r < ROWS; r++) {
            analytic[r] = direction >= 12 ? size[i][r][c]
                          : r == 0        ? g[i].dist[c]
                          : r < 4         ? g[i].pos[r - 1][c]
                                          : g[i].turn[r - 4][c];
            scale = fmax(scale, fabs(fine[i][r]));
        }
        for (int r = 0; r < ROWS; r++) {
            off = fmax(off, fabs(analytic[r] - fine[i][r]) / scale);
            unsure = fmax(unsure, fabs(coarse[i][r] - fine[i][r]) / scale);
        }
        if (unsure > f->tolerance) {
            tally->skipped++;
            continue;
        }
        tally->compared++;
        tally->worst = fmax(tally->worst, off);
        if (!(off < f->tolerance)) {
            tally->bad++;
            if (getenv("VERBOSE")) {
                printf("direction %d contact %d/%d dist %g off %g unsure %g\n", direction, i, f->ncon,
                       con[i].dist, off, unsure);
                for (int r = 0; r < ROWS; r++) printf("  %.10g %.10g\n", analytic[r], fine[i][r]);
            }
        }
    }
}

static void followAll(Follow* f, int directions, Tally* tally)
{
    static snContact con[MOST];
    static snContactGradient g[MOST];
    static double size[MOST][7][6];
    int known[MOST];
    snError error;
    put(f->m, f->d, &f->stand);
    f->ncon = f->d->ncon;
    if (f->ncon > MOST) return;
    for (int i = 0; i < f->ncon; i++) {
        con[i] = f->d->contact[i];
        const snStatus got = sn_contactGeometry(f->m, f->d, &con[i], &g[i], &error);
        known[i] = got == SN_STATUS_OK;
        tally->contacts++;
        tally->unsupported += !known[i];
        if (!known[i] && getenv("VERBOSE"))
            printf("unknown %d/%d dist %g n %g %g %g\n", i, f->ncon, con[i].dist, con[i].frame[0],
                   con[i].frame[1], con[i].frame[2]);
        if (known[i]) tally->unlike = fmax(tally->unlike, rigidError(f, &g[i], &con[i]));
        if (known[i]) assert_int_equal(sn_contactSize(f->m, f->d, &con[i], size[i], &error), SN_STATUS_OK);
    }
    for (int direction = 0; direction < directions; direction++)
        compare(f, direction, g, size, con, known, tally);
}

static Tally samplePair(int a, int b, double margin, const char* more, int samples)
{
    snModel* m = pair(a, b, margin, more);
    snData* d = sn_makeData(m);
    Tally tally = {0};
    Follow f = {.m = m, .d = d, .step = 3e-4, .tolerance = 1e-8};
    memcpy(f.size, m->geom_size, sizeof f.size);
    const double reach = a == PLANE ? 0.6 : a == HFIELD ? 0.9 : m->geom_rbound[0] + m->geom_rbound[1];
    for (int found = 0, tries = 0; found < samples && tries < 50 * samples; tries++) {
        sn_v3Store(f.stand.mocap, sn_v3(uniform(), uniform(), uniform()));
        sn_quatStore(f.stand.mocap + 3, anyTurn());
        snVec3 from = sn_v3Normalize(sn_v3(uniform(), uniform(), a == HFIELD ? 1 : uniform()));
        from = sn_v3Scale(from, reach * (0.3 + 0.35 * (1 + uniform())));
        if (a < SPHERE) from = sn_quatRotate(sn_quatLoad(f.stand.mocap + 3), from);
        sn_v3Store(f.stand.free, sn_v3Add(sn_v3Load(f.stand.mocap), from));
        sn_quatStore(f.stand.free + 3, anyTurn());
        put(m, d, &f.stand);
        if (d->ncon == 0) continue;
        found++;
        for (int g = 0; g < 2; g++) f.centre[g] = sn_v3Load(d->geom_xpos + 3 * g);
        followAll(&f, a == HFIELD || b == MESH ? 12 : 18, &tally);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
    return tally;
}

static void report(const char* name, const Tally* t)
{
    print_message(
        "%-24s contacts %4d unsupported %3d compared %5d skipped %4d bad %4d worst %.1e rigid %.1e\n", name,
        t->contacts, t->unsupported, t->compared, t->skipped, t->bad, t->worst, t->unlike);
}

static void test_every_pair(void** state)
{
    (void)state;
    int bad = 0;
    const char *only = getenv("PAIR"), *samples = getenv("SAMPLES");
    begin(1);
    for (int a = 0; a < KINDS; a++)
        for (int b = a < SPHERE ? SPHERE : a; b < KINDS; b++)
            for (int far = 0; far < 2; far++) {
                char name[64];
                snprintf(name, sizeof name, "%s-%s%s", names[a], names[b], far ? " margin" : "");
                if (only && strncmp(only, name, strlen(only)) != 0) continue;
                const Tally t = samplePair(a, b, far ? 0.1 : 0, AS_3_3_7, samples ? atoi(samples) : 20);
                const bool good = !t.bad && !t.unsupported && t.skipped < t.compared / 5 && t.unlike < 1e-12;
                if (!good || samples) report(name, &t);
                bad += !good;
            }
    assert_int_equal(bad, 0);
}

static void test_later_rules(void** state)
{
    (void)state;
    static const int pairs[][2] = {{BOX, BOX},      {BOX, MESH},     {MESH, MESH},
                                   {CYLINDER, BOX}, {CAPSULE, MESH}, {PLANE, MESH}};
    int bad = 0;
    begin(2);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int far = 0; far < 2; far++) {
            const Tally t = samplePair(pairs[i][0], pairs[i][1], far ? 0.1 : 0, LATER, 30);
            const bool good = !t.bad && !t.unsupported && t.skipped < t.compared / 5 && t.unlike < 1e-7;
            if (!good) report(names[pairs[i][1]], &t);
            bad += !good;
        }
    assert_int_equal(bad, 0);
}

// ---- poses that are made so

typedef struct Pose {
    const char *a, *b;
    double pos[3], axis[3], angle; // of b
    int contacts, unsupported;
} Pose;

// Where shapes lie side on side, the piece that is held is one of several, and the derivative of dist lies
// between the differences to both sides.
static const Pose poses[] = {
    {"type='plane' size='5 5 .1'", "type='box' size='.3 .2 .25'", {0, 0, .24}, {0}, 0, 4, 0},
    {"type='plane' size='5 5 .1'",
     "type='capsule' size='.15 .3'",
     {0, 0, .14},
     {1, 0, 0},
     1.5707963267948966,
     2,
     0},
    {"type='plane' size='5 5 .1'", "type='capsule' size='.15 .3'", {0, 0, .44}, {0}, 0, 1, 0},
    {"type='plane' size='5 5 .1'", "type='cylinder' size='.15 .3'", {0, 0, .29}, {0}, 0, 3, 0},
    {"type='plane' size='5 5 .1'",
     "type='cylinder' size='.15 .3'",
     {0, 0, .14},
     {1, 0, 0},
     1.5707963267948966,
     2,
     0},
    {"type='box' size='.3 .2 .25'", "type='box' size='.3 .2 .25'", {0, 0, .49}, {0}, 0, 4, 0},
    {"type='box' size='.3 .2 .25'", "type='box' size='.1 .15 .1'", {.05, .02, .34}, {0}, 0, 4, 0},
    {"type='box' size='.3 .2 .25'", "type='box' size='.3 .2 .25'", {0, 0, .49}, {0, 0, 1}, .7, 8, 0},
    {"type='box' size='.3 .2 .25'", "type='box' size='.3 .2 .25'", {0, 0, 0}, {0}, 0, 4, 0},
    {"type='capsule' size='.15 .3'", "type='capsule' size='.15 .3'", {.25, 0, .1}, {0}, 0, 2, 0},
    {"type='capsule' size='.15 .3'", "type='capsule' size='.15 .3'", {0, 0, .1}, {0, 1, 0}, 1.2, 1, 0},
    {"type='capsule' size='.15 .3'", "type='capsule' size='.15 .3'", {0, .2, .1}, {0, 1, 0}, 1.2, 1, 0},
    {"type='capsule' size='.05 .5'", "type='box' size='.3 .2 .25'", {.34, 0, .02}, {0}, 0, 2, 0},
    {"type='capsule' size='.05 .1'", "type='mesh' mesh='cube'", {.24, 0, 0}, {0}, 0, 1, 0},
    {"type='cylinder' size='.15 .3'", "type='box' size='.3 .2 .25'", {0, 0, .54}, {0}, 0, 1, 0},
    {"type='cylinder' size='.15 .3'", "type='cylinder' size='.15 .3'", {.29, 0, 0}, {0}, 0, 1, 0},
    {"type='cylinder' size='.15 .3'", "type='cylinder' size='.15 .3'", {0, 0, .59}, {0}, 0, 1, 0},
    {"type='box' size='.3 .2 .25'", "type='mesh' mesh='cube'", {0, .1, .44}, {0, 0, 1}, .3, 1, 0},
    {"type='mesh' mesh='cube'", "type='mesh' mesh='cube'", {0, 0, .39}, {0}, 0, 1, 0},
    {"type='hfield' hfield='flat'", "type='mesh' mesh='cube'", {0, 0, .59}, {0}, 0, 2, 0},
    {"type='hfield' hfield='flat'", "type='box' size='.3 .2 .25'", {0, 0, .64}, {0}, 0, 2, 0},
    {"type='sphere' size='.3'", "type='sphere' size='.3'", {0, 0, 0}, {0}, 0, 1, 1},
    {"type='sphere' size='.3'", "type='capsule' size='.15 .3'", {0, 0, .1}, {0}, 0, 1, 1},
    {"type='sphere' size='.3'", "type='cylinder' size='.15 .3'", {0, 0, .1}, {0}, 0, 1, 1},
    {"type='ellipsoid' size='.3 .3 .3'", "type='ellipsoid' size='.3 .3 .3'", {0, 0, 0}, {0}, 0, 1, 1},
};

static snVec3 jump(const snContact* a, const snContact* b)
{
    return sn_v3Sub(sn_v3Load(a->pos), sn_v3Load(b->pos));
}

// Contacts i whose derivative of dist along a direction is not between the differences; those that jump or go
// count only where there is but one.
static void between(const Follow* f, int direction, const snContact* con, const double* analytic, Tally* t)
{
    static snContact plus[MOST], minus[MOST];
    const double h = 1e-6;
    if (!contactsAt(f, direction, h, plus) || !contactsAt(f, direction, -h, minus)) return;
    for (int i = 0; i < f->ncon; i++) {
        if (f->ncon > 1 && sn_v3Norm(jump(&plus[i], &con[i])) + sn_v3Norm(jump(&minus[i], &con[i])) > 1e-3)
            continue;
        const double ahead = (plus[i].dist - con[i].dist) / h, behind = (con[i].dist - minus[i].dist) / h;
        t->compared++;
        t->bad += analytic[i] < fmin(ahead, behind) - 1e-5 || analytic[i] > fmax(ahead, behind) + 1e-5;
    }
}

static Tally madePose(const Follow* f)
{
    static snContact con[MOST];
    static snContactGradient g[MOST];
    double size[MOST][7][6], analytic[MOST];
    snError error;
    Tally t = {.contacts = f->ncon};
    memcpy(con, f->d->contact, (size_t)f->ncon * sizeof *con);
    for (int i = 0; i < f->ncon; i++) {
        if (sn_contactGeometry(f->m, f->d, &con[i], &g[i], &error)) {
            assert_non_null(strstr(error.message, "'a'"));
            assert_non_null(strstr(error.message, "sn_transitionFD"));
            t.unsupported++;
            continue;
        }
        assert_int_equal(sn_contactSize(f->m, f->d, &con[i], size[i], &error), SN_STATUS_OK);
        t.unlike = fmax(t.unlike, rigidError(f, &g[i], &con[i]));
        for (int k = 0; k < 12; k++)
            for (int r = 0; r < 3; r++) t.bad += !isfinite(g[i].pos[r][k]) || !isfinite(g[i].turn[r][k]);
        for (int k = 0; k < 42; k++) t.bad += !isfinite(size[i][k / 6][k % 6]);
    }
    if (t.unsupported) return t;
    for (int direction = 0; direction < 18; direction++) {
        if (direction >= 12 && !(f->size[direction - 12] > 0)) continue;
        for (int i = 0; i < f->ncon; i++) {
            const int c = columnOf(&con[i], direction);
            analytic[i] = direction < 12 ? g[i].dist[c] : size[i][0][c];
        }
        between(f, direction, con, analytic, &t);
    }
    return t;
}

static void test_made_poses(void** state)
{
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        const Pose* pose = &poses[i];
        snModel* m = sceneOf(pose->a, pose->b, "", AS_3_3_7);
        snData* d = sn_makeData(m);
        Follow f = {.m = m, .d = d, .stand = {{0, 0, 0, 1}, {0}}};
        memcpy(f.size, m->geom_size, sizeof f.size);
        memcpy(f.stand.free, pose->pos, sizeof pose->pos);
        sn_quatStore(f.stand.free + 3, sn_quatAxisAngle(sn_v3Load(pose->axis), pose->angle));
        put(m, d, &f.stand);
        f.ncon = d->ncon;
        for (int g = 0; g < 2; g++) f.centre[g] = sn_v3Load(d->geom_xpos + 3 * g);
        const Tally t = madePose(&f);
        if (t.bad || t.contacts != pose->contacts || t.unsupported != pose->unsupported || t.unlike > 1e-12) {
            print_message("%s\n", pose->a);
            report(pose->b, &t);
            bad++;
        }
        sn_deleteData(d);
        sn_deleteModel(m);
    }
    assert_int_equal(bad, 0);
}

// ---- the scene turned and moved as one

static double turnedError(const snContactGradient* g, const snContactGradient* h, snMat3 R, const double n[3],
                          const double m[3])
{
    double worst = 0, size = 1;
    for (int block = 0; block < 12; block += 3) {
        const snVec3 dist = sn_m3Mul(R, sn_v3Load(g->dist + block));
        worst = fmax(worst, sn_v3Norm(sn_v3Sub(dist, sn_v3Load(h->dist + block))));
        for (int k = 0; k < 3; k++) {
            // column k of the turned scene: of the motion R' e_k before
            const snVec3 e = sn_m3TMul(R, sn_v3(k == 0, k == 1, k == 2));
            snVec3 pos, turn;
            double x[3], w[3];
            for (int r = 0; r < 3; r++) {
                x[r] = sn_v3Dot(sn_v3Load(g->pos[r] + block), e);
                w[r] = sn_v3Dot(sn_v3Load(g->turn[r] + block), e);
            }
            pos = sn_m3Mul(R, sn_v3Load(x));
            turn = sn_m3Mul(R, sn_v3Cross(sn_v3Load(w), sn_v3Load(n)));
            const snVec3 now = {h->pos[0][block + k], h->pos[1][block + k], h->pos[2][block + k]};
            const snVec3 spin = {h->turn[0][block + k], h->turn[1][block + k], h->turn[2][block + k]};
            worst = fmax(worst, sn_v3Norm(sn_v3Sub(pos, now)));
            worst = fmax(worst, sn_v3Norm(sn_v3Sub(turn, sn_v3Cross(spin, sn_v3Load(m)))));
            size = fmax(size, sn_v3Norm(turn));
        }
    }
    return worst / (size * size);
}

static void test_turned_scene(void** state)
{
    (void)state;
    int contacts = 0;
    begin(4);
    for (int a = 0; a < KINDS; a++)
        for (int b = a < SPHERE ? SPHERE : a; b < KINDS; b++) {
            snModel* m = pair(a, b, 0, AS_3_3_7);
            snData* d = sn_makeData(m);
            for (int sample = 0; sample < 10; sample++) {
                Stand s = {{0, 0, 0, 1}, {0.2 * uniform(), 0.2 * uniform(), 0.35}};
                snContact con[MOST];
                snContactGradient before[MOST], after;
                snError error;
                const snQuat q = anyTurn();
                const snVec3 x = {uniform(), uniform(), uniform()};
                sn_quatStore(s.free + 3, anyTurn());
                put(m, d, &s);
                const int ncon = d->ncon;
                for (int i = 0; i < ncon; i++) con[i] = d->contact[i];
                for (int i = 0; i < ncon; i++)
                    assert_int_equal(sn_contactGeometry(m, d, &con[i], &before[i], &error), SN_STATUS_OK);
                sn_v3Store(s.free, sn_v3Add(x, sn_quatRotate(q, sn_v3Load(s.free))));
                sn_quatStore(s.free + 3, sn_quatMul(q, sn_quatLoad(s.free + 3)));
                sn_v3Store(s.mocap, x);
                sn_quatStore(s.mocap + 3, q);
                put(m, d, &s);
                assert_int_equal(d->ncon, ncon);
                for (int i = 0; i < ncon; i++, contacts++) {
                    assert_int_equal(sn_contactGeometry(m, d, &d->contact[i], &after, &error), SN_STATUS_OK);
                    const double off =
                        turnedError(&before[i], &after, sn_quatToMat(q), con[i].frame, d->contact[i].frame);
                    if (off > 1e-9) fail_msg("%s-%s contact %d: %g", names[a], names[b], i, off);
                }
            }
            sn_deleteData(d);
            sn_deleteModel(m);
        }
    assert_true(contacts > 200);
}

// ---- several contacts of convex pairs (multiccd), which differences of the narrow phase follow

static Tally tiltedPair(const char* a, const char* b, double height, double tilt)
{
    snModel* m = sceneOf(a, b, "multiccd='enable'", AS_3_3_7);
    snData* d = sn_makeData(m);
    Follow f = {.m = m, .d = d, .step = 1e-5, .tolerance = 1e-6};
    Tally t = {0};
    memcpy(f.size, m->geom_size, sizeof f.size);
    for (int sample = 0; sample < 10; sample++) {
        sn_v3Store(f.stand.mocap, sn_v3(uniform(), uniform(), uniform()));
        sn_quatStore(f.stand.mocap + 3, anyTurn());
        const snQuat q = sn_quatLoad(f.stand.mocap + 3);
        const snQuat lean = sn_quatAxisAngle(sn_v3Normalize(sn_v3(uniform(), uniform(), 0)), tilt);
        const snQuat spin = sn_quatAxisAngle(sn_v3(0, 0, 1), 3 * uniform());
        const snVec3 up = sn_v3(0.05 * uniform(), 0.05 * uniform(), height);
        sn_v3Store(f.stand.free, sn_v3Add(sn_v3Load(f.stand.mocap), sn_quatRotate(q, up)));
        sn_quatStore(f.stand.free + 3, sn_quatMul(q, sn_quatMul(lean, spin)));
        put(m, d, &f.stand);
        for (int g = 0; g < 2; g++) f.centre[g] = sn_v3Load(d->geom_xpos + 3 * g);
        followAll(&f, 12, &t);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
    return t;
}

static void test_several_contacts_of_a_pair(void** state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double height, tilt;
    } pairs[] = {
        {"type='box' size='.3 .2 .25'", "type='mesh' mesh='cube'", .44, 8e-4},
        {"type='mesh' mesh='cube'", "type='mesh' mesh='cube'", .39, 8e-4},
        {"type='box' size='.3 .3 .25'", "type='mesh' mesh='cube'", .44, 4e-3},
        {"type='cylinder' size='.15 .3'", "type='box' size='.3 .2 .25'", .54, 4e-3},
        {"type='cylinder' size='.15 .3'", "type='cylinder' size='.15 .3'", .59, 4e-3},
    };
    begin(2);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const Tally t = tiltedPair(pairs[i].a, pairs[i].b, pairs[i].height, pairs[i].tilt);
        if (t.bad || t.skipped > t.compared / 5 || getenv("SAMPLES")) report(pairs[i].b, &t);
        assert_int_equal(t.bad, 0);
        assert_true(t.unsupported <= t.contacts / 20); // flat sides switch at small angles
        assert_true(t.compared > 5 * t.skipped && t.contacts >= 10);
    }
}

// ---- geoms in the other order, and a pair element

static void test_order_of_geoms(void** state)
{
    (void)state;
    // the free geom comes first in contacts: its type does
    snModel* m = sceneOf("type='box' size='.3 .2 .25' contype='0' conaffinity='0'",
                         "type='sphere' size='.2' contype='0' conaffinity='0'", "",
                         "<contact><pair geom1='a' geom2='b' margin='.1' gap='.02'/></contact>");
    snData* d = sn_makeData(m);
    Follow f = {.m = m, .d = d, .step = 3e-4, .tolerance = 1e-8, .stand = {{0, 0, 0, 1}, {.35, .3, .1, 1}}};
    Tally t = {0};
    memcpy(f.size, m->geom_size, sizeof f.size);
    put(m, d, &f.stand);
    for (int g = 0; g < 2; g++) f.centre[g] = sn_v3Load(d->geom_xpos + 3 * g);
    assert_int_equal(d->ncon, 1);
    assert_int_equal(d->contact[0].geom[0], 1);
    followAll(&f, 18, &t);
    assert_int_equal(t.compared, 18);
    assert_int_equal(t.bad, 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// ---- nothing that is not a number

static double grid(void)
{
    static const double at[] = {0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 0.6, 1e-9, 1e-13};
    return (fraction() < 0.5 ? -1 : 1) * at[(int)(10 * fraction())];
}

// Turns by multiples of 45 degrees, at times by a hair more
static snQuat gridTurn(void)
{
    snQuat q = sn_quatIdentity();
    for (int k = 0; k < 3; k++) {
        const double angle = 0.25 * M_PI * (int)(8 * fraction()) + (fraction() < 0.2 ? 1e-10 * uniform() : 0);
        q = sn_quatMul(q, sn_quatAxisAngle(sn_v3(k == 0, k == 1, k == 2), angle));
    }
    return sn_quatNormalize(q);
}

static int notNumbers(const snModel* m, snData* d, int* unsupported)
{
    int bad = 0;
    for (int i = 0; i < d->ncon; i++) {
        snContactGradient g;
        double size[7][6];
        snError error;
        if (sn_contactGeometry(m, d, &d->contact[i], &g, &error)) {
            ++*unsupported;
            continue;
        }
        for (int k = 0; k < 12; k++)
            for (int r = 0; r < 3; r++)
                bad += !isfinite(g.dist[k]) || !isfinite(g.pos[r][k]) || !isfinite(g.turn[r][k]);
        if (sn_contactSize(m, d, &d->contact[i], size, &error)) continue;
        for (int k = 0; k < 42; k++) bad += !isfinite(size[k / 6][k % 6]);
    }
    return bad;
}

static void test_numbers_anywhere(void** state)
{
    (void)state;
    const char* samples = getenv("SAMPLES");
    int contacts = 0, unsupported = 0;
    begin(3);
    for (int a = 0; a < KINDS; a++)
        for (int b = a < SPHERE ? SPHERE : a; b < KINDS; b++) {
            snModel* m = pair(a, b, 0.05, "");
            snData* d = sn_makeData(m);
            for (int sample = 0; sample < (samples ? 50 * atoi(samples) : 100); sample++) {
                Stand s = {{0}, {grid(), grid(), grid()}};
                sn_quatStore(s.mocap + 3, gridTurn());
                sn_quatStore(s.free + 3, gridTurn());
                if (sample % 10 == 0) m->opt.enableflags ^= SN_ENBL_MULTICCD;
                put(m, d, &s);
                contacts += d->ncon;
                assert_int_equal(notNumbers(m, d, &unsupported), 0);
            }
            sn_deleteData(d);
            sn_deleteModel(m);
        }
    if (samples) print_message("%d contacts, %d unsupported\n", contacts, unsupported);
    assert_true(unsupported < contacts / 20);
}

static void test_what_is_no_contact(void** state)
{
    (void)state;
    snModel* m = pair(SPHERE, BOX, 0, "");
    snData* d = sn_makeData(m);
    snContactGradient g;
    snError error;
    snContact con = {.geom = {0, 7}};
    assert_int_equal(sn_contactGeometry(m, d, &con, &g, &error), SN_STATUS_ARGUMENT);
    con = (snContact){.geom = {0, 1}, .dist = NAN, .frame = {NAN, 0, 0}};
    assert_int_equal(sn_contactGeometry(m, d, &con, &g, &error), SN_STATUS_UNSUPPORTED);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair),       cmocka_unit_test(test_later_rules),
        cmocka_unit_test(test_made_poses),       cmocka_unit_test(test_several_contacts_of_a_pair),
        cmocka_unit_test(test_order_of_geoms),   cmocka_unit_test(test_turned_scene),
        cmocka_unit_test(test_numbers_anywhere), cmocka_unit_test(test_what_is_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
