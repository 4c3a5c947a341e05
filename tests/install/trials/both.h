// What a program and a library that it loads each do by the version of Sinew that they were linked with.
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Prints the version, the version that a compiled model is stamped with by a call inside the library, and a
// height.
static void tell(const char* who, const char* path)
{
    snError error;
    snModel* m = sn_loadModel(path, NULL, &error);
    snData* d = m ? sn_makeData(m) : NULL;
    const size_t size = m ? sn_sizeModel(m) : 0;
    char* bytes = malloc(size + 1);
    if (!d || !bytes || sn_saveModelBytes(m, bytes, size, &error) != SN_STATUS_OK) exit(1);
    const char* stamp = NULL;
    for (size_t i = 0; i < 128 && !stamp; i++)
        if (bytes[i] == '0' && bytes[i + 1] == '.') stamp = bytes + i;
    for (int i = 0; i < 100; i++) sn_step(m, d);
    printf("%s %s %s %.17g\n", who, sn_version(), stamp ? stamp : "none", d->qpos[2]);
    free(bytes);
    sn_deleteData(d);
    sn_deleteModel(m);
}
