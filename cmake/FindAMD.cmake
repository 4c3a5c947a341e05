# AMD of SuiteSparse as AMD::AMD: amd.h and the library, static where that is there, so that what links Sinew needs
# nothing at run time. (Only newer releases have a package of their own.)
if(TARGET AMD::AMD)
  set(AMD_FOUND TRUE)
  return()
endif()
find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse)
find_library(AMD_LIBRARY NAMES ${CMAKE_STATIC_LIBRARY_PREFIX}amd${CMAKE_STATIC_LIBRARY_SUFFIX} amd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(AMD
  REASON_FAILURE_MESSAGE "install libsuitesparse-dev (Debian, Ubuntu) or suite-sparse (Homebrew)"
  REQUIRED_VARS AMD_LIBRARY AMD_INCLUDE_DIR)
if(AMD_FOUND)
  add_library(AMD::AMD UNKNOWN IMPORTED)
  set_target_properties(AMD::AMD PROPERTIES
    IMPORTED_LOCATION ${AMD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${AMD_INCLUDE_DIR})
endif()
# Its licence wants to be where its static library has gone.
find_file(AMD_LICENCE NAMES copyright LICENSE.txt License.txt NO_DEFAULT_PATH
  PATHS /usr/share/doc/libamd2 /usr/share/doc/libamd3 /usr/share/doc/libsuitesparse-dev
        /opt/homebrew/opt/suite-sparse /usr/local/opt/suite-sparse
  PATH_SUFFIXES . share/doc share/doc/suite-sparse)
mark_as_advanced(AMD_INCLUDE_DIR AMD_LIBRARY AMD_LICENCE)
