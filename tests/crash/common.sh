# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of the crash extension share. Sourced, at the top of a test.
#
# VMLINUX, VMCORE	another dump than the bundled one
# dumps			set here: all forms of the dump
# CRASH			another crash

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 99
BUILD=${BUILD:-build}
CRASH=${CRASH:-crash}
export BUILD CRASH

skip()
{
	echo "SKIP: $*"
	exit 77
}

broken()
{
	echo "broken: $*"
	exit 99
}

failed=0
complain()
{
	echo "$*"
	failed=1
}

command -v "$CRASH" >/dev/null || skip "crash is not installed"
[ -e "$BUILD/otst.so" ] || skip "$BUILD/otst.so was not built: crash's header is missing"
[ -x "$BUILD/otst" ] || broken "$BUILD/otst was not built"

if [ -z "$VMCORE" ]; then
	VMLINUX=$BUILD/vmcores/vmlinux
	VMCORE=$BUILD/vmcores/vmcore.elf
	[ -x tests/vmcores/unpack ] || skip "there is no bundled dump"
	tests/vmcores/unpack "$BUILD/vmcores" || broken "tests/vmcores/unpack failed"
	dumps=$(ls "$BUILD"/vmcores/vmcore.*)
fi
dumps=${dumps:-$VMCORE}
export VMLINUX VMCORE

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# crash_run [OPTION ..]: runs the commands on standard input in crash; its output on standard
# output. Fails when crash does not end by its own "quit".
crash_run()
{
	local commands=$work/commands.$RANDOM

	{ cat; echo quit; } >"$commands"
	HOME=$work timeout -k 10 300 "$CRASH" -s --no_scroll "$@" -i "$commands" "$VMLINUX" "$VMCORE" \
		</dev/null 2>&1
}
