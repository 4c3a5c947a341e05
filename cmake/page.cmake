# The page of the viewer, which node makes of page/: python/page.py says how, and what there is without node or network.
# It is built where the package is, before the source distribution is packed, too: who builds from that needs no node.
set(page_folder ${PROJECT_BINARY_DIR}/page)
set(build_page ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/page.py build ${PROJECT_SOURCE_DIR}/page ${page_folder})
if(SINEW_WERROR)
  list(APPEND build_page --strict)
endif()

if(SKBUILD_STATE STREQUAL "sdist")
  execute_process(COMMAND ${build_page} COMMAND_ERROR_IS_FATAL ANY)
endif()
add_custom_target(sinew_page COMMAND ${build_page} COMMENT "The page of the viewer" VERBATIM)
add_dependencies(sinew_python sinew_page)
install(DIRECTORY ${page_folder}/built/ DESTINATION sinew/_viewer/page COMPONENT python OPTIONAL
  PATTERN made-from EXCLUDE)
