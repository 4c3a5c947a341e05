// The enumerations of control as data, for names in Python.
#include <sinew/control.h>
#include <sinew/qp.h>

#define X(name, value, text) {#name, value, "", text},
static const snEnumItem statusItems[] = {SN_QPSTATUS_TABLE(X)};
static const snEnumItem stateItems[] = {SN_HQPSTATE_TABLE(X)};
static const snEnumItem outputItems[] = {SN_CONTROLOUTPUT_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem typeItems[] = {SN_TASKTYPE_TABLE(X)};
static const snEnumItem modeItems[] = {SN_CONTROLMODE_TABLE(X)};
static const snEnumItem rowItems[] = {SN_CONTROLROW_TABLE(X)};
#undef X

#define ENUM(type, prefix, items)                                                                            \
    {                                                                                                        \
        type, prefix, (int)(sizeof(items) / sizeof((items)[0])), items                                       \
    }
static const snEnum enums[] = {
    ENUM("snQpStatus", "SN_QP_", statusItems),          ENUM("snHqpState", "SN_HQP_", stateItems),
    ENUM("snTaskType", "SN_TASK_", typeItems),          ENUM("snControlMode", "SN_CONTROL_", modeItems),
    ENUM("snControlOutput", "SN_OUTPUT_", outputItems), ENUM("snControlRowKind", "SN_ROW_", rowItems),
};

const snEnum* sn_controlEnums(int* count)
{
    *count = (int)(sizeof(enums) / sizeof(enums[0]));
    return enums;
}
