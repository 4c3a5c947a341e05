// Compiled models: files and bytes, copies, defaults, parameters.
#include "inside.h"
#include <string.h>

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs)
{
    int count;
    const snAsset* files = filesOf(vfs, &count);
    const snLoadOptions options = loadOptions(vfs, NULL);
    snError error = {0};
    int place = count - 1;
    while (place >= 0 && strcmp(files[place].name, filename) != 0) place--;
    snModel* m = place >= 0 ? sn_loadModelBytes(files[place].data, files[place].size, &options, &error)
                            : sn_loadModel(filename, &options, &error);
    if (!m) mju_warning("%s", error.message);
    return m;
}

void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz)
{
    snError error = {0};
    const size_t size = sn_sizeModel(m);
    snStatus status = SN_STATUS_OK;
    if (filename)
        status = sn_saveModel(m, filename, &error);
    else if (buffer && buffer_sz >= 0 && (size_t)buffer_sz >= size)
        status = sn_saveModelBytes(m, buffer, size, &error);
    else
        mju_warning("mj_saveModel: the buffer has %d bytes, the model %zu", buffer_sz, size);
    if (status != SN_STATUS_OK) mju_warning("%s", error.message);
}

int mj_sizeModel(const mjModel* m)
{
    return (int)sn_sizeModel(m);
}

// Whether the arrays of two models have the same sizes.
static bool sameSizes(const snModel* a, const snModel* b)
{
    int count;
    sn_modelSizes(&count);
    return memcmp(a, b, (size_t)count * sizeof(int)) == 0 && a->nbuffer == b->nbuffer;
}

// Everything but where the arrays are.
static void copyInto(snModel* to, const snModel* from)
{
    const snModel places = *to;
    *to = *from;
#define X(type, name, ...) to->name = places.name;
    SN_MODEL_FIELDS(X)
#undef X
    to->buffer = places.buffer;
    int count, rows, columns;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        sn_modelFieldShape(from, i, &rows, &columns);
        const size_t size = (size_t)rows * (size_t)columns * fields[i].itemsize;
        if (size)
            memcpy(*(void**)((char*)to + fields[i].offset),
                   *(void* const*)((const char*)from + fields[i].offset), size);
    }
}

mjModel* mj_copyModel(mjModel* dest, const mjModel* src)
{
    if (!dest) return sn_copyModel(src);
    if (sameSizes(dest, src))
        copyInto(dest, src);
    else
        mju_error("mj_copyModel: the models have other sizes");
    return dest;
}

void mjv_copyModel(mjModel* dest, const mjModel* src)
{
    mj_copyModel(dest, src);
}

void mj_deleteModel(mjModel* m)
{
    sn_deleteModel(m);
}

// ---- defaults

void mj_defaultOption(mjOption* opt)
{
    sn_defaultOption(opt);
}

void mj_defaultVisual(mjVisual* vis)
{
    sn_defaultVisual(vis);
}

void mj_defaultLROpt(mjLROpt* opt)
{
    *opt = (mjLROpt){.mode = mjLRMODE_MUSCLE,
                     .useexisting = 1,
                     .accel = 20,
                     .timeconst = 1,
                     .timestep = 0.01,
                     .inttotal = 10,
                     .interval = 2,
                     .tolrange = 0.05};
}

void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp)
{
    snOption opt;
    sn_defaultOption(&opt);
    if (solref) memcpy(solref, opt.o_solref, sizeof opt.o_solref);
    if (solimp) memcpy(solimp, opt.o_solimp, sizeof opt.o_solimp);
}

// ---- parameters

void mj_setConst(mjModel* m, mjData* d)
{
    sn_setConst(m, d);
}

int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error, int error_sz)
{
    snError e = {0};
    const bool good =
        index >= 0 && index < m->nactuator && sn_setLengthRange(m, d, index, opt, &e) == SN_STATUS_OK;
    giveText(good || *e.message ? e.message : "there is no such actuator", error, error_sz);
    return good;
}

mjtNum mj_getTotalmass(const mjModel* m)
{
    return sn_getTotalmass(m);
}

void mj_setTotalmass(mjModel* m, mjtNum newmass)
{
    sn_setTotalmass(m, newmass);
}

void mj_setKeyframe(mjModel* m, const mjData* d, int k)
{
    snError error;
    if (sn_setKeyframe(m, d, k, &error) != SN_STATUS_OK) mju_error("mj_setKeyframe: %s", error.message);
}

// ---- names

int mj_name2id(const mjModel* m, int type, const char* name)
{
    return sn_name2id(m, type, name);
}

const char* mj_id2name(const mjModel* m, int type, int id)
{
    return sn_id2name(m, type, id);
}

const char* mju_type2Str(int type)
{
    return sn_type2Str(type);
}

int mju_str2Type(const char* str)
{
    return sn_str2Type(str);
}

int mj_version(void)
{
    return mjVERSION_HEADER;
}

const char* mj_versionString(void)
{
    return "3.3.7";
}
