# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of gdb's command share. Sourced, at the top of a test.
#
# VMLINUX, VMCORE	another dump than the bundled one, kdump-style ELF
# GDB			another gdb

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 99
BUILD=${BUILD:-build}
GDB=${GDB:-gdb}
export OTST_LIB=$BUILD/libotst.so

skip()
{
	echo "SKIP: $*"
	exit 77
}

failed=0
complain()
{
	echo "$*"
	failed=1
}

command -v "$GDB" >/dev/null || skip "gdb is not installed"
[ -e "$OTST_LIB" ] || { echo "$OTST_LIB was not built"; exit 99; }
"$GDB" -nx -batch -ex 'python import ctypes' >/dev/null 2>&1 || skip "this gdb has no python with ctypes"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# unpacks the bundled dump, if it is that
bundled()
{
	[ -z "$VMCORE" ] || return 0
	VMLINUX=$BUILD/vmcores/vmlinux
	VMCORE=$BUILD/vmcores/vmcore.elf
	[ -x tests/vmcores/unpack ] || skip "there is no bundled dump"
	tests/vmcores/unpack "$BUILD/vmcores" || { echo "tests/vmcores/unpack failed"; exit 99; }
}

# in_gdb COMMAND .. [-- ARGUMENT ..]: gdb's commands one after the other, output and errors
in_gdb()
{
	local words=()

	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		words+=(-ex "$1")
		shift
	done
	shift
	HOME=$work timeout -k 10 300 "$GDB" -nx -batch "${words[@]}" "$@" </dev/null 2>&1
}
