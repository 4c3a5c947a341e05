# CAMD of SuiteSparse as CAMD::CAMD; it comes with the same package as AMD.
if(TARGET CAMD::CAMD)
  set(CAMD_FOUND TRUE)
  return()
endif()
find_path(CAMD_INCLUDE_DIR camd.h PATH_SUFFIXES suitesparse)
# Debian's static one holds no code for shared libraries, which libsinew.so and the Python package are.
find_library(CAMD_LIBRARY NAMES camd)
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
