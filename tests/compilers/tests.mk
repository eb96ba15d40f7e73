# SPDX-License-Identifier: GPL-2.0-or-later

# no compiler warns; tests/setup compilers installs the oldest and the newest of each family
check-compilers:
	@BUILD=$(BUILD) tests/run tests/compilers/build,gcc,oldest,-O3 tests/compilers/build,gcc,newest,-O3,-flto=auto \
		tests/compilers/build,clang,oldest,-O2 tests/compilers/build,clang,newest,-O3

.PHONY: check-compilers
