# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of the front ends share (tests/crash, tests/gdb, tests/drgn). Sourced, by their
# common.sh.
#
# VMLINUX, VMCORE	another dump than the bundled one

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 99
BUILD=${BUILD:-build}

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

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# bundled [arm64]: unpacks the bundled dump, if it is that
bundled()
{
	local dir=$BUILD/vmcores${1:+/$1}

	[ -z "$VMCORE" ] || return 0
	VMLINUX=$dir/vmlinux
	VMCORE=$dir/vmcore.elf
	[ -x tests/vmcores/unpack ] || skip "there is no bundled dump"
	tests/vmcores/unpack "$dir" $1 || broken "tests/vmcores/unpack failed"
}
