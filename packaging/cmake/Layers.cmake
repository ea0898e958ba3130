# voxelscribe_module(NAME SOURCES … LIBS …) adds the static library of one core or widgets folder,
# with an alias voxelscribe::NAME and the project's include root.
function(voxelscribe_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS;PRIVATE_LIBS" ${ARGN})
  add_library(voxelscribe_${name} STATIC ${arg_SOURCES})
  add_library(voxelscribe::${name} ALIAS voxelscribe_${name})
  target_include_directories(voxelscribe_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(voxelscribe_${name}
    PUBLIC ${arg_LIBS}
    PRIVATE $<BUILD_INTERFACE:voxelscribe::warnings> ${arg_PRIVATE_LIBS})
endfunction()
