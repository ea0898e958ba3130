# The warnings every target of this project compiles with.
add_library(voxelscribe_warnings INTERFACE)
add_library(voxelscribe::warnings ALIAS voxelscribe_warnings)
target_compile_options(voxelscribe_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
  -Woverloaded-virtual -Wnon-virtual-dtor
  $<$<BOOL:${VOXELSCRIBE_WERROR}>:-Werror>
  # GCC 12 mistakes `"text" + std::string` for overlapping copies when it optimises (its bug 105651).
  $<$<AND:$<BOOL:${VOXELSCRIBE_WERROR}>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
