#!/usr/bin/env bash
# The layers hold: no file includes or links upward. Prints every line that breaks a rule.
set -u
cd "${1:?the source folder}" || exit 1
bad=0

# forbid WHAT PATTERN PATH…  (further arguments may be grep options such as --exclude-dir)
forbid() {
  local what=$1 pattern=$2
  shift 2
  local hits
  hits=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cu' "$pattern" "$@" 2>/dev/null)
  [ -z "$hits" ] && return
  printf '%s:\n%s\n' "$what" "$hits"
  bad=1
}

forbid "core must not know Qt"              '#include <Q' core
forbid "VTK only in widgets/scene3d"        '#include <vtk' core app widgets/slice widgets/panels widgets/common
forbid "LibTorch only in core/nn, cluster"  '#include <(torch|ATen|c10)/' core/base core/volume core/io core/labels core/ops core/project core/link core/model widgets app
forbid "HDF5 and TIFF only in core/io"      '#include <(hdf5|H5|tiff)' core/base core/volume core/labels core/ops core/project core/link core/model core/nn widgets app
forbid "core must not look upward"          '#include "(widgets|app)/' core
forbid "widgets must not look upward"       '#include "app/' widgets
forbid "nn must not know file formats"      '#include "core/(io|project|labels)/' core/nn
forbid "base stands alone"                  '#include "core/(volume|io|ops|labels|project|link|nn|model)/' core/base
forbid "volume stands on base"              '#include "core/(io|ops|labels|project|link|nn|model)/' core/volume
forbid "io, ops and labels stand beside one another" '#include "core/(labels|project|link|nn)/' core/io core/ops
forbid "labels does not read files"         '#include "core/(io|project|link|nn)/' core/labels

[ "$bad" = 0 ] && echo "the layers hold"
exit "$bad"
