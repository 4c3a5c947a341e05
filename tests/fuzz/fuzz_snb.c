// Any bytes as a compiled model: read, validate, save again, and of what passes a few steps, alone and in
// lanes, and all there is to see; its source is read and packed again, too. Nothing may crash, leak or hang,
// and what fails must say why. The mutator seals what it changes, as the checksum would stop nearly every
// input otherwise; it turns texts of the corpus into compiled models with their source first.
#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "compile/save.h"
#include "model/binary/binary.h"

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

enum { HEADER = 64, ENTRY = 24, AT_SIZE = 40 };

static void require(int condition)
{
    if (!condition) abort();
}

// What passed is the same after another trip.
static void saveAgain(const snModel* m)
{
    const size_t size = sn_sizeModel(m);
    char* bytes = malloc(size);
    if (!bytes) return;
    require(sn_saveModelBytes(m, bytes, size, NULL) == SN_STATUS_OK);
    snModel* back = sn_loadModelBytes(bytes, size, NULL, NULL);
    require(back && sn_compareModel(m, back) == -1);
    sn_deleteModel(back);
    free(bytes);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Everything that there is to see, through a free camera and the model's first.
static void look(const snModel* m, snData* d)
{
    snvOption option;
    snvPerturb pointer;
    snvCamera camera;
    snvScene* scene = snv_makeScene(m, 2000, NULL);
    snv_defaultOption(&option);
    snv_defaultPerturb(&pointer);
    snv_defaultFreeCamera(m, &camera);
    memset(option.flags, 1, sizeof option.flags);
    pointer.select = m->nbody - 1;
    pointer.active = SN_PERT_TRANSLATE | SN_PERT_ROTATE;
    for (int i = 0; scene && i < 2; i++) {
        snv_updateScene(m, d, &option, &pointer, &camera, SN_CAT_ALL, scene, NULL);
        if (!m->ncam) break;
        camera.type = SN_CAMERA_FIXED;
        camera.fixedcamid = 0;
    }
    snv_freeScene(scene);
}

// Three in the widest lanes that can step the model, with outputs and parameters.
static void stepBatch(const snModel* m)
{
    snBatch* b = sn_makeBatch(m, 3, NULL, NULL);
    if (!b) return;
    sn_batchBind(b, "xpos", NULL);
    sn_batchBind(b, "cfrc_ext", NULL);
    sn_batchParameter(b, "body_mass", NULL);
    sn_batchStep(b, &(snBatchRun){.nstep = 2}, NULL);
    sn_batchSetConst(b, NULL, 0, NULL);
    sn_batchStep(b, &(snBatchRun){.ids = (int[]){2, 0}, .nid = 2}, NULL);
    sn_batchReset(b, NULL, NULL, 0, NULL);
    sn_batchForward(b, NULL, 0, NULL);
    sn_deleteBatch(b);
}

// As many iterations as a model asks for it gets: that is no fault, but takes its time.
static void step(snModel* m)
{
    if (m->nuserdata > 1 << 20 || m->nv > 200 || m->ngeom > 200) return;
    if (m->narena > (size_t)1 << 26) m->narena = (size_t)1 << 26;
    m->opt.iterations = least(m->opt.iterations, 20);
    m->opt.ls_iterations = least(m->opt.ls_iterations, 20);
    m->opt.noslip_iterations = least(m->opt.noslip_iterations, 20);
    snData* d = sn_makeData(m);
    for (int i = 0; d && i < 3; i++) sn_step(m, d);
    if (d) look(m, d);
    sn_deleteData(d);
    stepBatch(m);
}

// Every byte of the files in a source; what passes can be packed and has the same files then.
static void openSource(const uint8_t* bytes, size_t size)
{
    snError error = {.status = SN_STATUS_OK};
    snBinary binary;
    snSection section;
    snAsset* files = NULL;
    int n = 0;
    const bool opened = sn_openBinary(bytes, size, NULL, &binary, &error) == SN_STATUS_OK;
    if (opened && sn_findSection(&binary, SN_BINARY_FILES, &section) &&
        sn_unpackFilesSection(&section, NULL, &files, &n, &error) == SN_STATUS_OK) {
        char* again = malloc(section.size);
        require(sn_filesSectionSize(files, n) == section.size);
        if (again) sn_packFilesSection(files, n, again);
        for (int i = 0; i < n; i++) require(*files[i].name && !strchr(files[i].name, '/'));
        free(again);
        sn_free(files);
    }
    snSpec* spec = sn_loadSpecText((const char*)bytes, size, NULL, 0, NULL, &error);
    require(spec || error.message[0]);
    sn_deleteSpec(spec);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    snError error = {.status = SN_STATUS_OK};
    if (sn_isBinary(bytes, size)) openSource(bytes, size);
    const bool text = size > 0 && bytes[0] == '<';
    snModel* m = text ? sn_loadModelText((const char*)bytes, size, NULL, 0, NULL, &error)
                      : sn_loadModelBytes(bytes, size, NULL, &error);
    if (!m) {
        require(error.status != SN_STATUS_OK);
        require(error.message[0] && memchr(error.message, 0, sizeof error.message) != NULL);
        return 0;
    }
    require(sn_validateModel(m, &error) == SN_STATUS_OK);
    saveAgain(m);
    step(m);
    sn_deleteModel(m);
    return 0;
}

// ---- mutations

static unsigned pick(unsigned* seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (unsigned)((*seed >> 8) % (below ? below : 1));
}

// A mesh, so that texts of the corpus that refer to one of this name have a file.
static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

// The model of a text with its source, compiled into data; 0 when there is none or it is too large.
static size_t compile(uint8_t* data, size_t size, size_t max_size)
{
    static const char own[] = "<mujoco><asset><mesh file='m.obj'/></asset><worldbody><geom type='mesh' "
                              "mesh='m'/></worldbody></mujoco>";
    const snAsset asset = {"m.obj", mesh, sizeof mesh - 1};
    snSpec* spec = sn_loadSpecText((const char*)data, size, &asset, 1, NULL, NULL);
    if (!spec) spec = sn_loadSpecText(own, sizeof own - 1, &asset, 1, NULL, NULL);
    char* bytes = NULL;
    size_t length = 0;
    if (spec) sn_packSpec(spec, &bytes, &length, NULL, NULL);
    sn_deleteSpec(spec);
    const size_t fitting = bytes && length <= max_size ? length : 0;
    if (fitting) memcpy(data, bytes, length);
    sn_free(bytes);
    return fitting;
}

// Another value for one of the numbers of the model, more often among its sizes and options, which stand
// first.
static void changeNumber(uint8_t* data, size_t size, unsigned* seed)
{
    static const int words[] = {0,  1,   2,  3,  4,       5,       6,         7,        8,
                                20, 100, -1, -2, 1 << 16, 1 << 28, INT32_MAX, INT32_MIN};
    static const double reals[] = {0, 1, -1, 1e-300, 1e308, -1e308, 0.5, 1e10};
    const size_t first = HEADER + ENTRY;
    if (size < first + 16) return;
    const size_t span = pick(seed, 4) ? size - first : 1000;
    snBinary binary;
    snSection files = {.size = 0};
    const bool source = pick(seed, 4) == 0 &&
                        sn_openBinary(data, size, NULL, &binary, NULL) == SN_STATUS_OK &&
                        sn_findSection(&binary, SN_BINARY_FILES, &files) && files.size >= 64;
    const size_t at = source ? (size_t)((const uint8_t*)files.data - data) + pick(seed, 16) * 4
                             : first + pick(seed, (span < size - first ? span : size - first) / 4 - 2) * 4;
    if (pick(seed, 4)) {
        int value = words[pick(seed, sizeof words / sizeof *words)];
        if (pick(seed, 2)) { // near to what it was
            memcpy(&value, data + at, sizeof value);
            value = (int)((unsigned)value + (pick(seed, 2) ? 1u : -1u));
        }
        memcpy(data + at, &value, sizeof value);
    } else {
        memcpy(data + at, &reals[pick(seed, sizeof reals / sizeof *reals)], sizeof *reals);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    if (!sn_isBinary(data, size)) {
        const size_t compiled = compile(data, size, max_size);
        if (!compiled) return LLVMFuzzerMutate(data, size, max_size);
        size = compiled;
    }
    if (pick(&seed, 8) == 0) {
        size = LLVMFuzzerMutate(data, size, max_size);
    } else {
        for (unsigned n = 1 + pick(&seed, 3); n > 0; n--) changeNumber(data, size, &seed);
    }
    if (size < HEADER || pick(&seed, 50) == 0) return size;
    const uint64_t length = size;
    memcpy(data + AT_SIZE, &length, sizeof length);
    sn_sealBinary((char*)data, size);
    return size;
}
