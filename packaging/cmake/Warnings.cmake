# The warnings every target of this project compiles with.
add_library(voxelscribe_warnings INTERFACE)
add_library(voxelscribe::warnings ALIAS voxelscribe_warnings)
target_compile_options(voxelscribe_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
  -Woverloaded-virtual -Wnon-virtual-dtor
  $<$<BOOL:${VOXELSCRIBE_WERROR}>:-Werror>)
