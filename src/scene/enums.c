// The enumerations of scenes as data, for names in Python.
#include <sinew/scene.h>

#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem categoryItems[] = {SN_CATEGORY_TABLE(X)};
static const snEnumItem mouseItems[] = {SN_MOUSE_TABLE(X)};
static const snEnumItem perturbItems[] = {SN_PERTURB_TABLE(X)};
static const snEnumItem cameraItems[] = {SN_CAMERATYPE_TABLE(X)};
static const snEnumItem labelItems[] = {SN_LABEL_TABLE(X)};
static const snEnumItem frameItems[] = {SN_FRAME_TABLE(X)};
static const snEnumItem stereoItems[] = {SN_STEREO_TABLE(X)};
static const snEnumItem decorItems[] = {SN_DECOR_TABLE(X)};
#undef X
#define X(name, value, label, initial, key, meaning) {#name, value, label, meaning},
static const snEnumItem visItems[] = {SN_VISFLAG_TABLE(X)};
static const snEnumItem rndItems[] = {SN_RNDFLAG_TABLE(X)};
#undef X

_Static_assert(sizeof visItems / sizeof *visItems == SN_NVISFLAG, "SN_NVISFLAG counts the table");
_Static_assert(sizeof rndItems / sizeof *rndItems == SN_NRNDFLAG, "SN_NRNDFLAG counts the table");

#define ENUM(type, prefix, items)                                                                            \
    {                                                                                                        \
        type, prefix, (int)(sizeof(items) / sizeof((items)[0])), items                                       \
    }
static const snEnum enums[] = {
    ENUM("snCatBit", "SN_CAT_", categoryItems),  ENUM("snMouse", "SN_MOUSE_", mouseItems),
    ENUM("snPertBit", "SN_PERT_", perturbItems), ENUM("snCameraType", "SN_CAMERA_", cameraItems),
    ENUM("snLabel", "SN_LABEL_", labelItems),    ENUM("snFrameType", "SN_FRAME_", frameItems),
    ENUM("snStereo", "SN_STEREO_", stereoItems), ENUM("snVisFlag", "SN_VIS_", visItems),
    ENUM("snRndFlag", "SN_RND_", rndItems),      ENUM("snDecorType", "SN_GEOM_", decorItems),
};

const snEnum* sn_sceneEnums(int* count)
{
    *count = (int)(sizeof(enums) / sizeof(enums[0]));
    return enums;
}
