# MuJoCo's C interface: include/mujoco and a library of its own over Sinew's, sinew::mujoco.
file(GLOB SINEW_MUJOCO_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/mujoco/*.c)
# libsinew hides what it has of the system: this library has its own.
list(APPEND SINEW_MUJOCO_SOURCES ${SINEW_PLATFORM_SOURCES})
add_library(sinew_mujoco SHARED ${SINEW_MUJOCO_SOURCES})
set_target_properties(sinew_mujoco PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${SINEW_SOVERSION} EXPORT_NAME mujoco
  INSTALL_RPATH $<IF:$<PLATFORM_ID:Darwin>,@loader_path,$ORIGIN>) # libsinew lies beside it
target_compile_definitions(sinew_mujoco PRIVATE SINEW_MUJOCO_INSIDE)
target_include_directories(sinew_mujoco PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(sinew_mujoco PRIVATE $<BUILD_INTERFACE:sinew_flags> ${SINEW_SYSTEM_LIBRARIES} PUBLIC sinew m)
sinew_export_versioned(sinew_mujoco SINEW_MUJOCO "mj*\; sinew_*")
add_library(sinew::mujoco ALIAS sinew_mujoco)
