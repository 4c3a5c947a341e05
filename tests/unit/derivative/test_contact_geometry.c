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

static snModel* pair(int a, int b, double margin)
{
    char xml[4000];
    snprintf(
        xml, sizeof xml,
        "<mujoco><option><flag gravity='disable'/></option><asset>"
        "<mesh name='m' vertex='.3 .05 .1  -.25 .1 .2  .05 -.3 .15  .1 .25 -.2  -.2 -.15 -.25  .15 -.1 -.3"
        "  .02 .03 .35  -.3 -.05 -.03  .2 .22 .15'/>"
        "<hfield name='h' nrow='5' ncol='6' size='1 1 .4 .3' elevation='0 .3 .1 .5 .2 .9  .4 .1 .8 .3 .6 .1"
        "  .2 .7 .3 .9 .1 .5  .6 .2 .4 .1 .8 .3  .1 .5 .9 .2 .3 .6'/></asset><worldbody>"
        "<body mocap='true'><geom name='a' %s margin='%g'/></body>"
        "<body><freejoint/><geom name='b' %s margin='%g' mass='1'/></body></worldbody></mujoco>",
        geoms[a], margin, geoms[b], margin);
    return load(xml);
}

static double uniform(void)
{
    return 2 * drand48() - 1;
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
} Follow;

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
    memcpy(out, f->d->contact, (size_t)f->ncon * sizeof *out);
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
    double worst;
} Tally;

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
    if (!difference(f, direction, 6e-4, coarse) || !difference(f, direction, 3e-4, fine)) {
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
        if (unsure > 1e-8) {
            tally->skipped++;
            continue;
        }
        tally->compared++;
        tally->worst = fmax(tally->worst, off);
        if (!(off < 1e-8)) {
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
        if (known[i]) assert_int_equal(sn_contactSize(f->m, f->d, &con[i], size[i], &error), SN_STATUS_OK);
    }
    for (int direction = 0; direction < directions; direction++)
        compare(f, direction, g, size, con, known, tally);
}

static Tally samplePair(int a, int b, double margin, int samples)
{
    snModel* m = pair(a, b, margin);
    snData* d = sn_makeData(m);
    Tally tally = {0};
    Follow f = {.m = m, .d = d};
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

static void test_every_pair(void** state)
{
    (void)state;
    int bad = 0;
    const char* only = getenv("PAIR");
    srand48(1);
    for (int a = 0; a < KINDS; a++)
        for (int b = a < SPHERE ? SPHERE : a; b < KINDS; b++)
            for (int far = 0; far < 2; far++) {
                char name[64];
                snprintf(name, sizeof name, "%s-%s", names[a], names[b]);
                if (only && strcmp(only, name) != 0) continue;
                const Tally t = samplePair(a, b, far ? 0.1 : 0, atoi(getenv("N") ? getenv("N") : "12"));
                printf("%-20s margin %d: contacts %4d unsupported %3d compared %5d skipped %4d bad %4d worst "
                       "%.1e\n",
                       name, far, t.contacts, t.unsupported, t.compared, t.skipped, t.bad, t.worst);
                bad += t.bad || t.unsupported || t.skipped > t.compared / 5;
            }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
