# CAMD of SuiteSparse as CAMD::CAMD, as FindAMD.cmake finds AMD; both come with the same package.
if(TARGET CAMD::CAMD)
  set(CAMD_FOUND TRUE)
  return()
endif()
find_path(CAMD_INCLUDE_DIR camd.h PATH_SUFFIXES suitesparse)
find_library(CAMD_LIBRARY NAMES ${CMAKE_STATIC_LIBRARY_PREFIX}camd${CMAKE_STATIC_LIBRARY_SUFFIX} camd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CAMD
  REASON_FAILURE_MESSAGE "install libsuitesparse-dev (Debian, Ubuntu) or suite-sparse (Homebrew)"
  REQUIRED_VARS CAMD_LIBRARY CAMD_INCLUDE_DIR)
if(CAMD_FOUND)
  add_library(CAMD::CAMD UNKNOWN IMPORTED)
  set_target_properties(CAMD::CAMD PROPERTIES
    IMPORTED_LOCATION ${CAMD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${CAMD_INCLUDE_DIR})
endif()
mark_as_advanced(CAMD_INCLUDE_DIR CAMD_LIBRARY)
