# Hot kernels: files compiled once for each target (src/target/prelude.h), those whose first two lines say so. Takes them
# out of SINEW_SOURCES; SINEW_TARGET_OBJECTS receives their objects.
set(default OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT SINEW_SANITIZE)
  set(default ON)
endif()
option(SINEW_TARGETS "Kernels for each kind of x86-64 (v2, v3, v4), chosen when loaded; off: one for all" ${default})

set(SINEW_KERNELS)
set(SINEW_WIDE_KERNELS)
foreach(source ${SINEW_SOURCES})
  file(STRINGS ${source} first LIMIT_COUNT 2)
  if(first MATCHES "// For each target(, x86-64-v4 too)?: src/target/prelude.h.")
    list(APPEND SINEW_KERNELS ${source})
    if(CMAKE_MATCH_1)
      list(APPEND SINEW_WIDE_KERNELS ${source})
    endif()
  endif()
endforeach()

# GCC 12 fuses a product with sums and differences by turns (vfmaddsub) whatever -ffp-contract says, so that kinds
# which can are told that they cannot. With AVX-512 it has no such word: tests/bits looks for such instructions.
set(SINEW_NO_FUSED $<$<C_COMPILER_ID:GNU>:-mno-fma>)

# target: name; suffixes of what is compiled for it and of what is for v4 alone; files
function(sinew_add_target target suffix wide)
  add_library(sinew_target_${target} OBJECT ${ARGN} ${PROJECT_SOURCE_DIR}/src/target/table.c)
  target_include_directories(sinew_target_${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(sinew_target_${target} PRIVATE sinew_flags)
  target_compile_definitions(sinew_target_${target} PRIVATE
    SN_TARGET_SUFFIX=_${suffix} SN_WIDE_TARGET_SUFFIX=_${wide} SN_TABLE=sn_kernels_${target})
  target_compile_options(sinew_target_${target} PRIVATE -march=x86-64-${target} ${SINEW_NO_FUSED} -include target/prelude.h)
  set(SINEW_TARGET_OBJECTS ${SINEW_TARGET_OBJECTS} $<TARGET_OBJECTS:sinew_target_${target}> PARENT_SCOPE)
endfunction()

set(SINEW_TARGET_OBJECTS)
set(SINEW_PLAIN_SOURCES ${SINEW_SOURCES})
if(SINEW_TARGETS)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/base/cpu.c APPEND PROPERTY COMPILE_DEFINITIONS SN_TARGETS)
  list(REMOVE_ITEM SINEW_PLAIN_SOURCES ${SINEW_KERNELS} ${PROJECT_SOURCE_DIR}/src/target/table.c)
  sinew_add_target(v2 v2 v2 ${SINEW_KERNELS})
  sinew_add_target(v3 v3 v3 ${SINEW_KERNELS})
  sinew_add_target(v4 v3 v4 ${SINEW_WIDE_KERNELS})
else()
  list(FILTER SINEW_PLAIN_SOURCES EXCLUDE REGEX "/src/target/")
endif()
