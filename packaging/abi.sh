#!/bin/sh
# Holds the tarball of a release against that of an older one: abi.sh OLDER NEWER.
# Functions are compared in the libraries, structs as the headers of both define them: a library of pointers to all of
# them is compiled with each. Exit code 1 where a program that was built with the older one would not run as before, though
# both have the same minor version; between others differences are told alone.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# unpacked WHICH TARBALL: its folder.
unpacked() {
    mkdir -p "$work/$1"
    tar -x -f "$2" -C "$work/$1" --strip-components=1
}

# structs WHICH: a library with a pointer to each struct of its headers.
structs() {
    include=$work/$1/include
    {
        echo '#include <sinew/sinew.h>'
        cat "$include"/sinew/*.h | sed -n 's/^} \(snv\{0,1\}[A-Z][A-Za-z]*\);.*/\1* abi_\1;/p' | sort
    } >"$work/$1.c"
    cc -g -shared -fPIC "-I$include" "$work/$1.c" -o "$work/$1.so"
}

# minor WHICH: "0.2".
minor() { sed -n 's/^Version: \([0-9]*\.[0-9]*\)\..*/\1/p' "$work/$1/lib/pkgconfig/sinew.pc"; }

unpacked older "$1"
unpacked newer "$2"
structs older
structs newer
status=0
# of abidiff's exit code the bits 4 and 8 are changes, and 8 those that break programs
abidiff "$work/older/lib/libsinew.so" "$work/newer/lib/libsinew.so" || status=$?
[ $((status & 3)) -eq 0 ] || exit 2
# structs are open: every change of one that was there breaks what was built
structs=0
abidiff --no-added-syms "$work/older.so" "$work/newer.so" || structs=$?
[ $((structs & 3)) -eq 0 ] || exit 2
[ $structs -eq 0 ] || status=$((status | 8))
if [ $((status & 12)) -eq 0 ]; then
    echo "nothing differs"
elif [ "$(minor older)" != "$(minor newer)" ]; then
    echo "versions $(minor older) and $(minor newer) differ, as they may"
elif [ $((status & 8)) -eq 0 ]; then
    echo "what was built with the older one runs with the newer one"
else
    echo "version $(minor newer) breaks what was built with the one before: raise the minor version" >&2
    exit 1
fi
