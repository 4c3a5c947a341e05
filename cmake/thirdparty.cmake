# Libraries of others from source instead of the system's: what cmake/thirdparty.txt lists, unpacked by
# tools/thirdparty.py. Their objects become part of every library and program of ours; nobody sees their names. Lists of our
# own: of each library what is used, with as few questions to the compiler as can be.
if(SINEW_THIRDPARTY STREQUAL "ON")
  set(thirdparty ${PROJECT_SOURCE_DIR}/build/thirdparty/source)
else()
  get_filename_component(thirdparty "${SINEW_THIRDPARTY}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
endif()
if(NOT EXISTS ${thirdparty}/expat/expat/lib/expat.h)
  message(FATAL_ERROR "SINEW_THIRDPARTY: no sources in ${thirdparty}; run: python tools/thirdparty.py")
endif()
include(CheckSymbolExists)
set(made ${PROJECT_BINARY_DIR}/thirdparty)

# What whoever links a static library would see of them gets names of ours, by a header of definitions. Sources of ours have
# it from where they include a header of others on, not before: `inflate` is a word of MJCF, too.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/thirdparty_names.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/thirdparty_names.txt names REGEX "^[^#]")
list(TRANSFORM names REPLACE "(.+)" "#define \\1 sn_others_\\1")
list(JOIN names "\n" names)
file(CONFIGURE OUTPUT ${made}/names.h CONTENT "${names}\n" @ONLY)

# name; folders of headers for those who use it, and the headers; files from the library's folder on. Defines thirdparty_NAME
# (objects) and sinew_use_NAME (headers), and appends the objects to SINEW_THIRDPARTY_OBJECTS.
function(sinew_thirdparty name)
  cmake_parse_arguments(PARSE_ARGV 1 of "" "" "HEADERS;SEEN;FILES;DEFINE;PUBLIC")
  list(TRANSFORM of_FILES PREPEND ${thirdparty}/${name}/)
  foreach(pattern ${of_FILES})
    file(GLOB files ${pattern})
    if(NOT files)
      message(FATAL_ERROR "SINEW_THIRDPARTY: ${pattern} is not there; run: python tools/thirdparty.py")
    endif()
    list(APPEND sources ${files})
  endforeach()
  add_library(sinew_use_${name} INTERFACE)
  foreach(header ${of_SEEN})
    # by its path: the compiler for macOS has a zlib.h of its own, before all folders of system headers
    find_file(theirs ${header} PATHS ${of_HEADERS} NO_CACHE NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(CONFIGURE OUTPUT ${made}/seen/${header} CONTENT
      "#pragma GCC system_header\n#include \"${made}/names.h\"\n#include \"${theirs}\"\n" @ONLY)
    unset(theirs)
  endforeach()
  target_include_directories(sinew_use_${name} INTERFACE ${made}/seen)
  target_include_directories(sinew_use_${name} SYSTEM INTERFACE ${of_HEADERS})
  target_compile_definitions(sinew_use_${name} INTERFACE ${of_PUBLIC})
  add_library(thirdparty_${name} OBJECT ${sources})
  target_compile_definitions(thirdparty_${name} PRIVATE ${of_DEFINE})
  # the same bits on every processor, as in all of Sinew; what is not used is left out where it is linked
  target_link_libraries(thirdparty_${name} PRIVATE sinew_use_${name})
  target_compile_options(thirdparty_${name} PRIVATE -w -ffp-contract=off -ffunction-sections -fdata-sections)
  if(NOT name STREQUAL "cmocka")
    target_compile_options(thirdparty_${name} PRIVATE "SHELL:-include ${made}/names.h")
    set(SINEW_THIRDPARTY_OBJECTS ${SINEW_THIRDPARTY_OBJECTS} $<TARGET_OBJECTS:thirdparty_${name}> PARENT_SCOPE)
    set(SINEW_LIBRARIES ${SINEW_LIBRARIES} $<BUILD_INTERFACE:sinew_use_${name}> PARENT_SCOPE)
  endif()
endfunction()

set(SINEW_THIRDPARTY_OBJECTS)
set(SINEW_LIBRARIES)

# where expat has the seed of its hashes from
set(CMAKE_REQUIRED_QUIET ON)
check_symbol_exists(getrandom sys/random.h HAVE_GETRANDOM)
check_symbol_exists(arc4random_buf stdlib.h HAVE_ARC4RANDOM_BUF)
file(CONFIGURE OUTPUT ${made}/expat/expat_config.h CONTENT [[
#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 1024
#define XML_DTD
#define XML_GE 1
#define XML_NS
#cmakedefine HAVE_GETRANDOM
#cmakedefine HAVE_ARC4RANDOM_BUF
#ifndef _WIN32
#define XML_DEV_URANDOM
#endif
]])
sinew_thirdparty(expat HEADERS ${thirdparty}/expat/expat/lib SEEN expat.h DEFINE HAVE_EXPAT_CONFIG_H PUBLIC XML_STATIC
  FILES expat/lib/xmlparse.c expat/lib/xmlrole.c expat/lib/xmltok.c)
target_include_directories(thirdparty_expat PRIVATE ${made}/expat)

sinew_thirdparty(qhull HEADERS ${thirdparty}/qhull/src SEEN libqhull_r/libqhull_r.h libqhull_r/poly_r.h FILES
  src/libqhull_r/geom*_r.c src/libqhull_r/global_r.c src/libqhull_r/io_r.c src/libqhull_r/libqhull_r.c
  src/libqhull_r/me*_r.c src/libqhull_r/poly*_r.c src/libqhull_r/qset_r.c src/libqhull_r/random_r.c
  src/libqhull_r/stat_r.c src/libqhull_r/user_r.c src/libqhull_r/usermem_r.c src/libqhull_r/userprintf_r.c)

sinew_thirdparty(zlib HEADERS ${thirdparty}/zlib SEEN zlib.h FILES
  adler32.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c)

if(SINEW_PNG)
  configure_file(${thirdparty}/libpng/scripts/pnglibconf.h.prebuilt ${made}/libpng/pnglibconf.h COPYONLY)
  sinew_thirdparty(libpng HEADERS ${thirdparty}/libpng ${made}/libpng SEEN png.h PUBLIC PNG_ARM_NEON_OPT=0 PNG_INTEL_SSE_OPT=0
    PNG_PREFIX=sn_others_ PNGPREFIX_H # names.h is that header
    FILES png.c png[!t]*.c pngtrans.c)
  target_link_libraries(thirdparty_libpng PRIVATE sinew_use_zlib)
endif()

if(SINEW_CJSON)
  configure_file(${thirdparty}/cjson/cJSON.h ${made}/cjson/cjson/cJSON.h COPYONLY)
  sinew_thirdparty(cjson HEADERS ${made}/cjson SEEN cjson/cJSON.h PUBLIC CJSON_HIDE_SYMBOLS FILES cJSON.c)
endif()

if(SINEW_AMD)
  sinew_thirdparty(amd HEADERS ${thirdparty}/amd/AMD/Include ${thirdparty}/amd/SuiteSparse_config
    SEEN amd.h FILES AMD/Source/amd_2.c AMD/Source/amd_post_tree.c AMD/Source/amd_postorder.c)
endif()

if(SINEW_TESTS)
  file(CONFIGURE OUTPUT ${made}/cmocka/config.h CONTENT [[
#define HAVE_ASSERT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_MALLOC_H 1
#define HAVE_SETJMP_H 1
#define HAVE_SIGNAL_H 1
#define HAVE_STDARG_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDIO_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_TIME_H 1
#define HAVE_STRUCT_TIMESPEC 1
#define HAVE_UINTPTR_T 1
#define HAVE_SNPRINTF 1
#define HAVE_VSNPRINTF 1
#define HAVE_GCC_THREAD_LOCAL_STORAGE 1
#ifdef _WIN32
#define HAVE_IO_H 1
#else
#define HAVE_STRINGS_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define HAVE_STRSIGNAL 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_CLOCK_REALTIME 1
#endif
#ifdef __APPLE__
#undef HAVE_MALLOC_H
#endif
]])
  sinew_thirdparty(cmocka HEADERS ${thirdparty}/cmocka/include DEFINE HAVE_CONFIG_H PUBLIC HAVE_UINTPTR_T FILES src/cmocka.c)
  # its header guesses uintptr_t, wrongly with musl on ARM64
  target_compile_options(sinew_use_cmocka INTERFACE "SHELL:-include stdint.h")
  target_include_directories(thirdparty_cmocka PRIVATE ${made}/cmocka)
endif()

# Licences want to be where what they are of has gone.
foreach(licence expat/expat/COPYING qhull/COPYING.txt zlib/LICENSE libpng/LICENSE cjson/LICENSE amd/AMD/Doc/License.txt)
  string(REGEX REPLACE "/.*" "" name ${licence})
  if(SKBUILD)
    install(FILES ${thirdparty}/${licence} DESTINATION sinew RENAME LICENSE.${name} COMPONENT python)
  else()
    install(FILES ${thirdparty}/${licence} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.${name})
  endif()
endforeach()
