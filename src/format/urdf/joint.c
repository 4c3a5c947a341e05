// Joints, and what couples them: mimic, transmissions.
#include "format/urdf/import.h"
#include "math/orient.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Limits, effort and dynamics of one joint; a planar joint has them on the first of its three.
static bool putLimits(const snUrdf* u, const snElement* node, snElement* joint, bool limits)
{
    const snElement *limit = sn_childElement(node, "limit"), *dynamics = sn_childElement(node, "dynamics");
    double range[2] = {0, 0}, effort = 0, damping = 0, friction = 0;
    if (limit && limits) {
        if (!sn_urdfNumbers(u, limit, "lower", range, 1) ||
            !sn_urdfNumbers(u, limit, "upper", range + 1, 1) ||
            !sn_urdfNumbers(u, limit, "effort", &effort, 1))
            return false;
        const double force[2] = {-effort, effort};
        if ((range[0] != 0 || range[1] != 0) && !sn_urdfPutNumbers(u, joint, "range", range, 2)) return false;
        if (effort > 0 && !sn_urdfPutNumbers(u, joint, "actuatorfrcrange", force, 2)) return false;
    }
    if (!dynamics) return true;
    if (!sn_urdfNumbers(u, dynamics, "damping", &damping, 1) ||
        !sn_urdfNumbers(u, dynamics, "friction", &friction, 1))
        return false;
    return (damping == 0 || sn_urdfPutNumbers(u, joint, "damping", &damping, 1)) &&
           (friction == 0 || sn_urdfPutNumbers(u, joint, "frictionloss", &friction, 1));
}

static bool isContinuous(const snElement* joint)
{
    const char* type = sn_attributeText(joint, "type");
    return type && !strcmp(type, "continuous");
}

static bool addJoint(const snUrdf* u, const snElement* node, snElement* body, const char* type,
                     const char* suffix, snVec3 axis, bool limits)
{
    const char* own = sn_attributeText(node, "name");
    char name[600];
    snprintf(name, sizeof name, "%.500s%s", own ? own : "", suffix);
    snElement* joint = sn_urdfAdd(u, body, "joint", node);
    const double direction[3] = {axis.x, axis.y, axis.z};
    const bool has_axis = !strcmp(type, "hinge") || !strcmp(type, "slide");
    if (!joint) return false;
    joint->endless = isContinuous(node);
    return sn_urdfPut(u, joint, "name", *name ? name : NULL) && sn_urdfPut(u, joint, "type", type) &&
           (!has_axis || sn_urdfPutNumbers(u, joint, "axis", direction, 3)) &&
           putLimits(u, node, joint, limits);
}

// Two slides in the plane whose normal is the axis, and a hinge about it.
static bool addPlanar(const snUrdf* u, const snElement* node, snElement* body, const double axis[3])
{
    snQuat q;
    if (!sn_orientZ(axis, &q)) return sn_urdfFail(u, node, SN_STATUS_MODEL, "the axis is zero");
    const snVec3 x = sn_quatRotate(q, sn_v3(1, 0, 0)), y = sn_quatRotate(q, sn_v3(0, 1, 0)),
                 z = sn_quatRotate(q, sn_v3(0, 0, 1));
    return addJoint(u, node, body, "slide", "_TX", x, true) &&
           addJoint(u, node, body, "slide", "_TY", y, false) &&
           addJoint(u, node, body, "hinge", "_RZ", z, false);
}

static bool addFree(const snUrdf* u, const snElement* node, snElement* body)
{
    snElement* joint = sn_urdfAdd(u, body, "freejoint", node);
    return joint ? sn_urdfPut(u, joint, "name", sn_attributeText(node, "name")) : sn_urdfNoMemory(u);
}

bool sn_urdfJoint(const snUrdf* u, const snElement* node, snElement* body)
{
    const char* type = sn_attributeText(node, "type");
    const snElement* direction = sn_childElement(node, "axis");
    double axis[3] = {1, 0, 0};
    if (direction && !sn_urdfNumbers(u, direction, "xyz", axis, 3)) return false;
    if (!type) return sn_urdfFail(u, node, SN_STATUS_MODEL, "attribute 'type' is missing");
    if (!strcmp(type, "fixed")) return true;
    if (!strcmp(type, "revolute") || !strcmp(type, "continuous"))
        return addJoint(u, node, body, "hinge", "", sn_v3Load(axis), true);
    if (!strcmp(type, "prismatic")) return addJoint(u, node, body, "slide", "", sn_v3Load(axis), true);
    if (!strcmp(type, "floating")) return addFree(u, node, body);
    if (!strcmp(type, "planar")) return addPlanar(u, node, body, axis);
    if (!strcmp(type, "spherical")) return addJoint(u, node, body, "ball", "", sn_v3Load(axis), true);
    return sn_urdfFail(u, node, SN_STATUS_MODEL,
                       "type=\"%.60s\": expected revolute, continuous, prismatic, fixed, floating, planar or "
                       "spherical",
                       type);
}

// Hinges and slides alone can follow, or be driven by a motor.
static bool isScalar(const snElement* joint)
{
    const char* type = joint ? sn_attributeText(joint, "type") : NULL;
    return type && (!strcmp(type, "revolute") || !strcmp(type, "continuous") || !strcmp(type, "prismatic"));
}

// q = multiplier * q_other + offset. A joint that does not move has nothing to follow with; one that is to
// follow a fixed joint is held; one that is to follow a joint which is not there moves freely, as it does for
// others that read URDF.
static bool addMimic(const snUrdf* u, const snElement* joint, const snElement* mimic, snElement** section)
{
    const char* other = sn_attributeText(mimic, "joint");
    double polynomial[5] = {0, 1, 0, 0, 0};
    if (!sn_urdfNumbers(u, mimic, "offset", polynomial, 1) ||
        !sn_urdfNumbers(u, mimic, "multiplier", polynomial + 1, 1))
        return false;
    const snElement* source = sn_urdfNamed(u, SN_URDF_JOINT, other);
    if (!other || !*other) return sn_urdfFail(u, mimic, SN_STATUS_MODEL, "attribute 'joint' is missing");
    if (!isScalar(joint) || !source) return true;
    const char* type = sn_attributeText(source, "type");
    const bool held = type && !strcmp(type, "fixed");
    if (!held && !isScalar(source))
        return sn_urdfFail(u, mimic, SN_STATUS_MODEL,
                           "joint=\"%.80s\": a joint can follow a revolute, continuous or prismatic one",
                           other);
    if (!*section) *section = sn_urdfAdd(u, u->root, "equality", mimic);
    snElement* equality = *section ? sn_urdfAdd(u, *section, "joint", mimic) : NULL;
    return equality && sn_urdfPut(u, equality, "joint1", sn_attributeText(joint, "name")) &&
           sn_urdfPut(u, equality, "joint2", held ? NULL : other) &&
           sn_urdfPutNumbers(u, equality, "polycoef", polynomial, 5);
}

// A motor a joint; its gear is the mechanical reduction.
static bool addTransmission(const snUrdf* u, const snElement* node, snElement** section)
{
    const snElement* actuator = sn_childElement(node, "actuator");
    const snElement* reduction = actuator ? sn_childElement(actuator, "mechanicalReduction") : NULL;
    if (!reduction) reduction = sn_childElement(node, "mechanicalReduction");
    const char* text = reduction ? sn_attributeText(reduction, SN_TREE_TEXT) : NULL;
    const double gear = text ? strtod(text, NULL) : 1;
    int driven = 0;
    for (const snElement* e = node->first; e; e = e->next) {
        const char* joint = strcmp(e->tag, "joint") ? NULL : sn_attributeText(e, "name");
        if (!joint || !isScalar(sn_urdfNamed(u, SN_URDF_JOINT, joint))) continue;
        if (!*section) *section = sn_urdfAdd(u, u->root, "actuator", node);
        snElement* motor = *section ? sn_urdfAdd(u, *section, "motor", node) : NULL;
        const char* name = actuator ? sn_attributeText(actuator, "name") : NULL;
        for (const snElement* other = *section ? (*section)->first : NULL; other && name;
             other = other->next) {
            const char* taken = sn_attributeText(other, "name");
            if (taken && !strcmp(taken, name)) name = NULL; // one transmission may drive two joints
        }
        if (!motor || !sn_urdfPut(u, motor, "name", name) || !sn_urdfPut(u, motor, "joint", joint))
            return false;
        if (gear != 1 && gear - gear == 0 && gear != 0 && !sn_urdfPutNumbers(u, motor, "gear", &gear, 1))
            return false;
        driven++;
    }
    return driven || sn_urdfWarn(u, node,
                                 "it gives no motor: it needs a <joint name=...> that names a revolute, "
                                 "continuous or prismatic joint of the robot");
}

bool sn_urdfCouplings(const snUrdf* u)
{
    snElement *equality = NULL, *actuator = NULL;
    if (u->options->actuators && !sn_childElement(u->robot, "transmission") &&
        !sn_urdfWarn(u, u->robot,
                     "actuators are asked for, and there is no <transmission> to make them of; write "
                     "<transmission name=\"..\"><joint name=\"..\"/></transmission> for each motor, or add "
                     "actuators to the model"))
        return false;
    for (const snElement* e = u->robot->first; e; e = e->next) {
        const snElement* mimic = strcmp(e->tag, "joint") ? NULL : sn_childElement(e, "mimic");
        if (mimic && !addMimic(u, e, mimic, &equality)) return false;
        if (u->options->actuators && !strcmp(e->tag, "transmission") && !addTransmission(u, e, &actuator))
            return false;
    }
    return true;
}
