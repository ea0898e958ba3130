# Shared by packaging/run and packaging/test: installing what is missing and building the release preset.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=release
build="$root/build/$preset"

# A checkout in another folder finds what this one has compiled.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# As root directly, else through sudo.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "packages are missing and neither root nor sudo is there; as root run: apt-get install $missing"
  fi
}

# install_missing LIST… : installs the Debian packages named in these files that are not there yet.
install_missing() {
  missing=$(cat "$@" | while read -r package; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
  done)
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || fail "this script installs with apt-get (Debian 12); on another system install by hand: $missing"
  say "installing: $missing"
  as_root apt-get update -q >/dev/null || fail "apt-get update failed; check the network and /etc/apt/sources.list"
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing \
    || fail "apt-get could not install: $missing"
}

build_release() {
  cd "$root" || exit 1
  if [ ! -f "$build/build.ninja" ]; then
    say "configuring the $preset preset"
    cmake --preset "$preset" || fail "configuring failed; the lines above say why"
  fi
  say "building (nothing to do if nothing changed)"
  cmake --build --preset "$preset" -j "$(nproc)" || fail "the build failed; the first error above says why"
}
