# Clang, headers and C libraries of zig (ziglang on PyPI) as the compiler of CMAKE_C_COMPILER, for the target that the file
# including this one has put into zig_target. `./dev cross NAME` uses them.
if(NOT SINEW_ZIG)
  file(GLOB SINEW_ZIG ${CMAKE_CURRENT_LIST_DIR}/../../.venv/lib/python3*/site-packages/ziglang/zig)
  if(NOT SINEW_ZIG)
    find_program(SINEW_ZIG zig)
  endif()
  if(NOT SINEW_ZIG)
    message(FATAL_ERROR "no zig here: pip install ziglang, or set SINEW_ZIG")
  endif()
endif()
file(REAL_PATH ${SINEW_ZIG} SINEW_ZIG) # one spelling, whoever gives it: ccache knows the compiler by it
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SINEW_ZIG)

# ccache wants a compiler of one word, and knows this one by what stands in its file: version and target. Kinds of x86-64
# have other names in zig.
get_filename_component(zig_folder ${CMAKE_CURRENT_LIST_DIR}/../../build/cross/bin ABSOLUTE)
execute_process(COMMAND ${SINEW_ZIG} version OUTPUT_VARIABLE zig_version OUTPUT_STRIP_TRAILING_WHITESPACE)
function(sinew_zig_program name words)
  set(file ${zig_folder}/${name})
  set(text [[
for word; do
    shift
    case $word in -march=x86-64-v*) word=-mcpu=x86_64_${word##*-} ;; esac
    set -- "$@" "$word"
done
]])
  set(text "#!/bin/sh\n# zig ${zig_version}\n${text}exec ${SINEW_ZIG} ${words} \"$@\"\n")
  set(there "")
  if(EXISTS ${file})
    file(READ ${file} there)
  endif()
  if(NOT there STREQUAL text)
    file(WRITE ${file} "${text}")
    file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endif()
endfunction()
sinew_zig_program(clang-${zig_target} "cc -target ${zig_target} -g0")
foreach(tool ar ranlib rc)
  sinew_zig_program(${tool} ${tool})
endforeach()
set(CMAKE_C_COMPILER ${zig_folder}/clang-${zig_target})
set(CMAKE_AR ${zig_folder}/ar)
set(CMAKE_RANLIB ${zig_folder}/ranlib)
set(CMAKE_RC_COMPILER ${zig_folder}/rc)

# nothing of the machine that builds
set(CMAKE_FIND_ROOT_PATH ${zig_folder}/none)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
