# The kernels in lanes: the same files compiled once for each width (src/batch/lane/prelude.h). SINEW_LANE_OBJECTS
# receives their objects.
set(SINEW_LANE_SHARED
  collision/analytic/plane.c
  collision/analytic/round.c
  collision/shape/contact.c
  constraint/contact.c
  constraint/equality.c
  constraint/impedance.c
  constraint/make.c
  constraint/plan.c
  constraint/product.c
  constraint/reference.c
  math/vec.c
  smooth/actuator/activation.c
  smooth/actuator/actuation.c
  smooth/actuator/muscle.c
  smooth/actuator/transmission.c
  smooth/actuator/transmission_body.c
  smooth/actuator/transmission_site.c
  smooth/actuator/transmission_tendon.c
  smooth/energy.c
  smooth/inertia/acceleration.c
  smooth/inertia/contact_force.c
  smooth/inertia/crb.c
  smooth/inertia/damped.c
  smooth/inertia/rne.c
  smooth/kinematics/com.c
  smooth/kinematics/coordinates.c
  smooth/kinematics/jacobian.c
  smooth/kinematics/kinematics.c
  smooth/kinematics/object.c
  smooth/kinematics/subtree.c
  smooth/kinematics/velocity.c
  sensor/acceleration.c
  sensor/contact.c
  sensor/geometry.c
  sensor/position.c
  sensor/sensor.c
  sensor/touch.c
  sensor/velocity.c
  smooth/passive/ellipsoid_fluid.c
  smooth/passive/fluid.c
  smooth/passive/passive.c
  smooth/tendon/tendon.c
  smooth/tendon/tendon_inertia.c
  smooth/tendon/wrap.c
  smooth/velocity_derivative.c
)
list(TRANSFORM SINEW_LANE_SHARED PREPEND ${PROJECT_SOURCE_DIR}/src/)
file(GLOB SINEW_LANE_OWN CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/batch/lane/*.c)

# suffix: of names; lanes; further options
function(sinew_add_lanes suffix lanes)
  if(NOT suffix IN_LIST SINEW_LANE_WIDTHS)
    return()
  endif()
  set(target sinew_lanes_${suffix})
  add_library(${target} OBJECT ${SINEW_LANE_SHARED} ${SINEW_LANE_OWN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE sinew_flags)
  target_compile_definitions(${target} PRIVATE SN_LANES=${lanes} SN_LANE_SUFFIX=_${suffix})
  target_compile_options(${target} PRIVATE ${ARGN} -include batch/lane/prelude.h)
  set(SINEW_LANE_OBJECTS ${SINEW_LANE_OBJECTS} $<TARGET_OBJECTS:${target}> PARENT_SCOPE)
  # of the one file that asks, so that other widths compile nothing else again
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/batch/engines.c APPEND PROPERTY COMPILE_DEFINITIONS SN_LANES_${suffix})
endfunction()

# Constants become floats, too.
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  set(SINEW_LANE_SINGLE -DSN_SINGLE -Xclang -cl-single-precision-constant)
else()
  set(SINEW_LANE_SINGLE -DSN_SINGLE -fsingle-precision-constant)
endif()

set(SINEW_LANE_WIDTHS "8d;4d;2d;16f;8f;4f" CACHE STRING "Widths to compile: lanes and d (doubles) or f (floats)")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  sinew_add_lanes(8d 8 -march=x86-64-v4)
  sinew_add_lanes(4d 4 -march=x86-64-v3)
  sinew_add_lanes(2d 2 -march=x86-64-v2)
  sinew_add_lanes(16f 16 -march=x86-64-v4 ${SINEW_LANE_SINGLE})
  sinew_add_lanes(8f 8 -march=x86-64-v3 ${SINEW_LANE_SINGLE})
  sinew_add_lanes(4f 4 -march=x86-64-v2 ${SINEW_LANE_SINGLE})
else()
  sinew_add_lanes(2d 2)
  sinew_add_lanes(4f 4 ${SINEW_LANE_SINGLE})
endif()
