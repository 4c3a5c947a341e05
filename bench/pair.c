#include "pair.h"
#include <stdio.h>

bool openEngines(const Peer* p, const char* path, Engines* e)
{
    snError error;
    char message[1000] = "";
    *e = (Engines){.m = sn_loadModel(path, &(snLoadOptions){.physics = "4.0"}, &error)};
    e->pm = p->mj_loadXML(path, NULL, message, sizeof message);
    if (!e->m || !e->pm) {
        fprintf(stderr, "bench: %s\n", !e->m ? error.message : message);
        return false;
    }
    e->d = sn_makeData(e->m);
    e->pd = p->mj_makeData(e->pm);
    return e->d && e->pd;
}

void closeEngines(const Peer* p, const Engines* e)
{
    sn_deleteData(e->d);
    sn_deleteModel(e->m);
    p->mj_deleteData(e->pd);
    p->mj_deleteModel(e->pm);
}
