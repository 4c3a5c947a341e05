#include "peer.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool openPeer(Peer* peer, const char* path)
{
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "bench: cannot open the peer: %s\n", dlerror());
        return false;
    }
#define X(name)                                                                                              \
    {                                                                                                        \
        void* symbol = dlsym(library, #name);                                                                \
        if (!symbol) {                                                                                       \
            fprintf(stderr, "bench: the peer has no %s\n", #name);                                           \
            return false;                                                                                    \
        }                                                                                                    \
        memcpy(&peer->name, &symbol, sizeof symbol);                                                         \
    }
    PEER_FUNCTIONS(X)
#undef X
    return true;
}
