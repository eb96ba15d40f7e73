# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of the crash extension share. Sourced, at the top of a test.
#
# VMLINUX, VMCORE	another dump than the bundled one
# dumps			set here: all forms of the dump
# CRASH			another crash; CRASH_TIMEOUT	seconds for one session (300)

. "$(dirname "${BASH_SOURCE[0]}")/../session.sh"
CRASH=${CRASH:-crash}
export BUILD CRASH

command -v "$CRASH" >/dev/null || skip "crash is not installed"
[ -e "$BUILD/otst.so" ] || skip "$BUILD/otst.so was not built: crash's header is missing"
[ -x "$BUILD/otst" ] || broken "$BUILD/otst was not built"

dumps=$VMCORE
bundled
dumps=${dumps:-$(ls "$BUILD"/vmcores/vmcore.*)}
export VMLINUX VMCORE

# crash_run [OPTION ..]: runs the commands on standard input in crash; its output on standard
# output. Fails when crash does not end by its own "quit".
crash_run()
{
	local commands=$work/commands.$RANDOM

	{ cat; echo quit; } >"$commands"
	HOME=$work timeout -k 10 "${CRASH_TIMEOUT:-300}" "$CRASH" -s --no_scroll "$@" -i "$commands" "$VMLINUX" "$VMCORE" \
		</dev/null 2>&1
}
