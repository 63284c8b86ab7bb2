#!/usr/bin/env bash
# Debian's headers of RDKit cannot tell a compiler which RDKit they are of: the macro RDKIT_VERSION, which is there to be compared in #if,
# holds the placeholders of the build that should have replaced them.
#
#   librdkit-dev 202209.3-1 (Debian 12), g++ 12
#   expected  #if RDKIT_VERSION >= RDKIT_VERSION_CHECK(2022, 9, 0) is true
#   seen      the macro expands to @RDKit_Year @ and others, so that a file with this line does not compile; the variable rdkitVersion of
#             the library has 2022.09.3
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download librdkit-dev=202209.3-1 librdkit1=202209.3-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done
seen=$(
	grep -o 'RDKIT_VERSION_CHECK(@.*' usr/include/rdkit/RDGeneral/versions.h
	printf '#include "RDGeneral/versions.h"\n#if RDKIT_VERSION >= RDKIT_VERSION_CHECK(2022, 9, 0)\n#endif\n' >version.cc
	g++ -fsyntax-only -Iusr/include/rdkit version.cc 2>/dev/null && echo compiles || echo "does not compile"
	strings -n 9 usr/lib/libRDKitRDGeneral.so.1.2022.09.3 | grep -x '2022\.09\.3'
)
want=$(cat <<'TEXT'
RDKIT_VERSION_CHECK(@RDKit_Year @, @RDKit_intMonth @, @RDKit_Revision @)
does not compile
2022.09.3
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "Debian's headers of RDKit state their version otherwise than when this was found" >&2; exit 1; }
