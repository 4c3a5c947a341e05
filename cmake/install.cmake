# What `cmake --install` puts where: headers, both libraries, the CMake package, sinew.pc, the command, models.
# A Python wheel takes its own parts instead (python/CMakeLists.txt).
if(SKBUILD)
  return()
endif()
include(CMakePackageConfigHelpers)

install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# A file a component of the package, so that who wants the shared library needs none of those that it is made of.
install(TARGETS sinew EXPORT sinew-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS sinew_static EXPORT sinew-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(SINEW_EXPORTS shared static)
# What optimises across files is of this compiler alone, and four fifths of the archive; the machine code stays. The shared
# library and the command are linked by then.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_OBJCOPY AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(folder "\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(folder "${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(CODE "execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${CMAKE_OBJCOPY}
    --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_* \"\$ENV{DESTDIR}${folder}/libsinew.a\")")
endif()
if(TARGET sinew_mujoco)
  install(DIRECTORY include/mujoco DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  install(TARGETS sinew_mujoco EXPORT sinew-mujoco LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND SINEW_EXPORTS mujoco)
endif()
foreach(component ${SINEW_EXPORTS})
  install(EXPORT sinew-${component} NAMESPACE sinew:: FILE sinew-${component}-targets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
endforeach()

# What the static library needs, for CMake and for pkg-config: of the libraries that this build has. AMD has no file for
# pkg-config in older systems.
set(SINEW_NEEDS)
set(SINEW_PC_REQUIRES)
set(SINEW_PC_PRIVATE)
foreach(need EXPAT::EXPAT=EXPAT=expat PNG::PNG=PNG=libpng ZLIB::ZLIB=ZLIB=zlib Qhull::qhull_r=Qhull=qhull_r
    PkgConfig::CJSON=CJSON=libcjson AMD::AMD=AMD=- Threads::Threads=Threads=-)
  string(REPLACE "=" ";" need ${need})
  list(GET need 0 target)
  list(GET need 1 package)
  list(GET need 2 module)
  if(target IN_LIST SINEW_LIBRARIES)
    list(APPEND SINEW_NEEDS ${package})
    if(NOT module STREQUAL "-")
      list(APPEND SINEW_PC_REQUIRES ${module})
    endif()
  endif()
endforeach()
if("AMD" IN_LIST SINEW_NEEDS)
  cmake_path(GET AMD_LIBRARY PARENT_PATH folder)
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    list(APPEND SINEW_PC_PRIVATE -L${folder})
  endif()
  list(APPEND SINEW_PC_PRIVATE -lamd)
endif()
foreach(library ${CMAKE_DL_LIBS} m)
  list(APPEND SINEW_PC_PRIVATE -l${library})
endforeach()
list(APPEND SINEW_PC_PRIVATE ${CMAKE_THREAD_LIBS_INIT})
list(JOIN SINEW_PC_REQUIRES " " SINEW_PC_REQUIRES)
list(JOIN SINEW_PC_PRIVATE " " SINEW_PC_PRIVATE)

# As with the names of libraries: another minor version is another library until 1.0.
set(compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatible SameMinorVersion)
endif()
configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY ${compatible})
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
foreach(name sinew sinew-static)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
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
  install(FILES packaging/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
