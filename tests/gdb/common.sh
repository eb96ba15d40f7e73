# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of gdb's command share. Sourced, at the top of a test.
#
# VMLINUX, VMCORE	another dump than the bundled one, kdump-style ELF
# GDB			another gdb

. "$(dirname "${BASH_SOURCE[0]}")/../session.sh"
GDB=${GDB:-gdb}
export OTST_LIB=$BUILD/libotst.so

command -v "$GDB" >/dev/null || skip "gdb is not installed"
[ -e "$OTST_LIB" ] || broken "$OTST_LIB was not built"
"$GDB" -nx -batch -ex 'python import ctypes' >/dev/null 2>&1 || skip "this gdb has no python with ctypes"

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
