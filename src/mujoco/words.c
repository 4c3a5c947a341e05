// Words for people: names of flags, stages and switches.
#include "inside.h"

const char* mjDISABLESTRING[mjNDISABLE] = {
    "Constraint", "Equality",  "Frictionloss", "Limit",        "Contact",   "Spring",  "Damper",
    "Gravity",    "Clampctrl", "Warmstart",    "Filterparent", "Actuation", "Refsafe", "Sensor",
    "Midphase",   "Eulerdamp", "AutoReset",    "NativeCCD",    "Island",
};
const char* mjENABLESTRING[mjNENABLE] = {"Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD"};
const char* mjTIMERSTRING[mjNTIMER] = {
    "step",          "forward",    "inverse",     "position",       "velocity",
    "actuation",     "constraint", "advance",     "pos_kinematics", "pos_inertia",
    "pos_collision", "pos_make",   "pos_project", "col_broadphase", "col_narrowphase",
};
#define X(name, value, label, meaning) label,
const char* mjLABELSTRING[mjNLABEL] = {SN_LABEL_TABLE(X)};
const char* mjFRAMESTRING[mjNFRAME] = {SN_FRAME_TABLE(X)};
#undef X
#define X(name, value, label, initial, key, meaning) {label, #initial, key},
const char* mjVISSTRING[mjNVISFLAG][3] = {SN_VISFLAG_TABLE(X)};
const char* mjRNDSTRING[mjNRNDFLAG][3] = {SN_RNDFLAG_TABLE(X)};
#undef X
