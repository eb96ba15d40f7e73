# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of drgn's otst share. Sourced, at the top of a test.
#
# VMLINUX, VMCORE	another dump than the bundled one
# DRGN			another drgn

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 99
BUILD=${BUILD:-build}
DRGN=${DRGN:-drgn}
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

command -v "$DRGN" >/dev/null || skip "drgn is not installed"
[ -e "$OTST_LIB" ] || { echo "$OTST_LIB was not built"; exit 99; }
version=$("$DRGN" --version | sed -n 's/^drgn \([0-9.]*\).*/\1/p')

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

# in_drgn VMCORE [VMLINUX] <SCRIPT: drgn's output and errors; the script has prog and otst
in_drgn()
{
	{
		echo 'import sys; sys.path.append("drgn"); import otst'
		cat
	} >"$work/script.py"
	HOME=$work timeout -k 10 300 "$DRGN" --no-default-symbols -c "$1" ${2:+-s "$2"} "$work/script.py" </dev/null 2>&1
}
