// Stages that should grow with the elements of flexes, once each, for valgrind to count: see bench/growth.py.
//
//   bench_growth MODEL
//
// Prints elements, contacts and rows.
#include <sinew/sinew.h>
#include <stdio.h>

__attribute__((noinline)) static void countForces(const snModel* m, snData* d)
{
    sn_flex(m, d);
    sn_flexVelocity(m, d);
    sn_passive(m, d);
}

__attribute__((noinline)) static void countContacts(const snModel* m, snData* d)
{
    sn_collision(m, d);
}

__attribute__((noinline)) static void countRows(const snModel* m, snData* d)
{
    sn_makeConstraint(m, d);
}

int main(int argc, char** argv)
{
    snError error = {.message = "out of memory"};
    const snModel* m = argc == 2 ? sn_loadModel(argv[1], NULL, &error) : NULL;
    snData* d = m ? sn_makeData(m) : NULL;
    if (!d) {
        fprintf(stderr, "bench_growth: %s\n", argc == 2 ? error.message : "one model is needed");
        return 1;
    }
    sn_fwdPosition(m, d);
    sn_fwdVelocity(m, d);
    countForces(m, d);
    countContacts(m, d);
    countRows(m, d);
    printf("%d %d %d\n", m->nflexelem, d->ncon, d->nefc);
    return 0;
}
