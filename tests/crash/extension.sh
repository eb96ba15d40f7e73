# SPDX-License-Identifier: GPL-2.0-or-later
#
# An extension for another crash than the installed one. Sourced.

# extension DIR INCLUDE VARIABLE=VALUE ..: make DIR/otst.so against the header below INCLUDE, of
# the engine's objects as they were built in BUILD; the reader is beside it.
extension()
{
	local to=$1 include=$2
	shift 2

	mkdir -p "$to" && ln -s "$BUILD/src" "$BUILD/offline" "$BUILD/otst" "$to" &&
		env -u MAKEFLAGS -u MFLAGS -u CRASH_ARCH make -s BUILD="$to" CRASH_INCLUDE="$include" "$@" "$to/otst.so"
}
