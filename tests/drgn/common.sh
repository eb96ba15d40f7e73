# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of drgn's otst share. Sourced, at the top of a test.
#
# VMLINUX, VMCORE	another dump than the bundled one
# DRGN			another drgn

. "$(dirname "${BASH_SOURCE[0]}")/../session.sh"
DRGN=${DRGN:-drgn}
export OTST_LIB=$BUILD/libotst.so

command -v "$DRGN" >/dev/null || skip "drgn is not installed"
[ -e "$OTST_LIB" ] || broken "$OTST_LIB was not built"
version=$("$DRGN" --version | sed -n 's/^drgn \([0-9.]*\).*/\1/p')

# in_drgn VMCORE [VMLINUX] <SCRIPT: drgn's output and errors; the script has prog and otst
in_drgn()
{
	{
		echo 'import sys; sys.path.append("drgn"); import otst'
		cat
	} >"$work/script.py"
	HOME=$work timeout -k 10 300 "$DRGN" --no-default-symbols -c "$1" ${2:+-s "$2"} "$work/script.py" </dev/null 2>&1
}
