#include "peer.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void openPeersShapes(const char* path)
{
    char plugin[4096];
    const char* slash = strrchr(path, '/');
    if (!slash) return;
    snprintf(plugin, sizeof plugin, "%.*s/plugin/libsdf_plugin%s", (int)(slash - path), path,
             strstr(slash, ".dylib") ? ".dylib" : ".so");
    dlopen(plugin, RTLD_NOW | RTLD_LOCAL); // registers them as it is opened
}

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
