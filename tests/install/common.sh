# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of `make install` share. Sourced.

# stage DIR [VARIABLE=VALUE ..]: installs into DIR; what is built is not built again
stage()
{
	env -u MAKEFLAGS -u MAKELEVEL -u CRASH_EXTENSIONS make -s install BUILD="$BUILD" DESTDIR="$1" "${@:2}"
}
