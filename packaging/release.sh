#!/bin/sh
# Makes what a release consists of, from a folder with its sources alone:
#   release.sh SOURCE OUT WHEELS [CMAKE OPTION...]
# sdist, wheels, a tarball with libraries and the command, SHA256SUMS. The same sources make the same bytes wherever they
# lie: SOURCE_DATE_EPOCH says when they are of, and no name of a folder is compiled into anything. WHEELS: names of
# tools/wheels.py with commas between, "all" of them, or "native", that of this system as pip builds it.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
wheels=$3
shift 3
: "${SOURCE_DATE_EPOCH:?says when the sources are of}"
LC_ALL=C TZ=UTC
CFLAGS="-ffile-prefix-map=$source=."
export SOURCE_DATE_EPOCH LC_ALL TZ CFLAGS
umask 022
version=$(sed -n 's/^project(sinew VERSION \([0-9.]*\) .*/\1/p' "$source/CMakeLists.txt")
system=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)

# The source distribution, which fetches sources of others, and wheels.
python_packages() {
    (cd "$source" && python -c 'import sys; from scikit_build_core import build; build.build_sdist(sys.argv[1])' "$out")
    case $wheels in
    native) CMAKE_ARGS="$*" python -m pip wheel --no-cache-dir --no-build-isolation --no-deps -w "$out" "$source" ;;
    all) python "$source/tools/wheels.py" --into "$out" ;;
    *) echo "$wheels" | tr , '\n' | xargs python "$source/tools/wheels.py" --into "$out" ;;
    esac
}

# What a program and a command of the tarball want of the system, a name a line.
needed() { objdump -p "$1" | sed -n 's/^ *NEEDED *//p' | sort; }

# sinew-VERSION-SYSTEM.tar.gz: what ./dev install installs, to be unpacked anywhere.
tarball() {
    build=$source/build/tarball name=sinew-$version-$system
    # where it is built is no part of a library's name for itself
    cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSINEW_LTO=ON -DSINEW_TESTS=OFF \
        -DSINEW_MUJOCO_HEADER=ON -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON "$@"
    cmake --build "$build"
    cmake --install "$build" --prefix "$build/$name" --strip
    cp "$source/README.md" "$source/CHANGELOG.md" "$source/CITATION.cff" "$source/LICENSE" "$build/$name"
    {
        echo "Sinew $version: bin/sinew, lib/, include/; lib/pkgconfig and lib/cmake for what is built with it. It may lie anywhere."
        echo "These libraries of the system are wanted:"
        needed "$build/$name/lib/libsinew.so.$version"
    } >"$build/$name/INSTALL"
    tar -c -C "$build" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+w \
        --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -9n >"$out/$name.tar.gz"
}

python_packages "$@"
tarball "$@"
(cd "$out" && sha256sum -- *.gz *.whl >SHA256SUMS)
