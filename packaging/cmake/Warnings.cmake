# The warnings every target of this project compiles with.
add_library(voxelscribe_warnings INTERFACE)
add_library(voxelscribe::warnings ALIAS voxelscribe_warnings)
target_compile_options(voxelscribe_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
  -Woverloaded-virtual -Wnon-virtual-dtor
  $<$<BOOL:${VOXELSCRIBE_WERROR}>:-Werror>
  # GCC 12 sees overlaps and overflows in optimised string and vector code that are not there (its bugs 105651, 105329, 107852):
  # what its optimiser guesses is shown, but is no error.
  "$<$<AND:$<BOOL:${VOXELSCRIBE_WERROR}>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-error=stringop-overflow;-Wno-error=stringop-overread;-Wno-error=array-bounds;-Wno-error=maybe-uninitialized>")
