// The rows of kinds: what tables of types.h name has one, in agreement with itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "model/kinds.h"

static void joints(void** state)
{
    (void)state;
    for (int type = 0; type < SN_KINDS(SN_JOINT_TABLE); type++) {
        const snJointKind kind = sn_jointKind(type);
        // a quaternion is four numbers, its velocity three
        assert_int_equal(kind.coordinates, kind.dofs + (kind.quaternion >= 0));
        if (kind.quaternion >= 0) assert_int_equal(kind.coordinates, kind.quaternion + 4);
        assert_int_equal(sn_isScalarJoint(type), type == SN_JNT_SLIDE || type == SN_JNT_HINGE);
        assert_int_equal(sn_hasQuaternion(type), type == SN_JNT_FREE || type == SN_JNT_BALL);
    }
    assert_int_equal(sn_jointDofs(SN_JNT_FREE), 6);
    assert_int_equal(sn_jointDofs(SN_JNT_BALL), 3);
    assert_int_equal(sn_jointDofs(-1), 1);
    assert_false(sn_isScalarJoint(-1)); // as of a link that no joint moves
}

static void equalities(void** state)
{
    (void)state;
    assert_int_equal(SN_KINDS(SN_EQ_TABLE), 5);
    assert_int_equal(sn_equalityKind(SN_EQ_CONNECT).rows, 3);
    assert_int_equal(sn_equalityKind(SN_EQ_WELD).rows, 6);
    for (int type = SN_EQ_JOINT; type <= SN_EQ_FLEX; type++) {
        assert_int_equal(sn_equalityKind(type).rows, 1);
        assert_false(sn_equalityKind(type).bodies);
    }
}

// Each but UNDEFINED drives something.
static void transmissions(void** state)
{
    (void)state;
#define X(name, value, keyword, meaning)                                                                     \
    assert_int_equal(sn_transmissionTarget(value, -1) == SN_OBJ_UNKNOWN, value == SN_TRN_UNDEFINED);
    SN_TRN_TABLE(X)
#undef X
    assert_int_equal(sn_transmissionTarget(-1, -1), SN_OBJ_UNKNOWN);
}

static void dynamics(void** state)
{
    (void)state;
    for (int type = 0; type < SN_KINDS(SN_DYN_TABLE); type++)
        assert_int_equal(sn_dynamicsKind(type).most == 0, type == SN_DYN_NONE);
    assert_int_equal(sn_dynamicsKind(SN_DYN_INTEGRATOR).setpoint, SN_SETPOINT_ACT);
    assert_int_equal(sn_dynamicsKind(SN_DYN_NONE).setpoint, SN_SETPOINT_CTRL);
    assert_int_equal(sn_dynamicsKind(SN_DYN_FILTEREXACT).setpoint, SN_SETPOINT_CTRL);
    assert_true(sn_dynamicsKind(SN_DYN_USER).most > 1);
}

// One way of stepping each: by stages, or by one system of equations.
static void integrators(void** state)
{
    (void)state;
    for (int type = 0; type < SN_KINDS(SN_INTEGRATOR_TABLE); type++) {
        const snIntegratorKind kind = sn_integratorKind(type);
        assert_int_equal(kind.stages + kind.damps + kind.implicit + kind.metric, 1);
        if (kind.bias) assert_true(kind.implicit);
    }
    assert_true(sn_integratorKind(SN_INT_RK4).stages);
    assert_true(sn_integratorKind(SN_INT_IMPLICIT).bias);
    assert_false(sn_integratorKind(SN_INT_IMPLICITFAST).bias);
    assert_true(sn_integratorKind(SN_INT_DISCRETE).metric);
    assert_true(sn_integratorKind(-1).damps);
}

static void solvers(void** state)
{
    (void)state;
    for (int type = 0; type < SN_KINDS(SN_SOLVER_TABLE); type++) {
        const snSolverKind kind = sn_solverKind(type);
        assert_int_equal(kind.dual, type == SN_SOL_PGS);
        assert_int_equal(kind.factored, type == SN_SOL_CG);
        assert_int_equal(kind.lanes, type != SN_SOL_CG);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints),   cmocka_unit_test(equalities),  cmocka_unit_test(transmissions),
        cmocka_unit_test(dynamics), cmocka_unit_test(integrators), cmocka_unit_test(solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
