# What `cmake --install` puts where: headers, both libraries, the CMake package, sinew.pc, the command, models.
# A Python wheel takes its own parts instead (python/CMakeLists.txt).
if(SKBUILD)
  return()
endif()
include(CMakePackageConfigHelpers)

install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS sinew sinew_static EXPORT sinew
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET sinew_mujoco)
  install(DIRECTORY include/mujoco DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  install(TARGETS sinew_mujoco EXPORT sinew LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(EXPORT sinew NAMESPACE sinew:: FILE sinew-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  cmake/FindAMD.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

# Paths in sinew.pc are relative to the file, so that the installed tree can be moved, unless a folder was
# given as an absolute path.
file(RELATIVE_PATH SINEW_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" SINEW_PC_PREFIX "${SINEW_PC_PREFIX}")
set(SINEW_PC_PREFIX "\${pcfiledir}/${SINEW_PC_PREFIX}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(SINEW_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
endif()
cmake_path(APPEND SINEW_PC_LIBDIR "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND SINEW_PC_INCLUDEDIR "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/sinew.pc.in sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET sinew_mujoco)
  configure_file(cmake/sinew-mujoco.pc.in sinew-mujoco.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/sinew-mujoco.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

install(FILES examples/models/humanoid.xml examples/models/desk_arm.urdf DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/models)
install(DIRECTORY examples/models/desk_arm DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/models)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(AMD_LICENCE)
  install(FILES ${AMD_LICENCE} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.AMD)
endif()
if(TARGET sinew_cli)
  install(TARGETS sinew_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
