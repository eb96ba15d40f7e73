# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shell functions of check and guest-captures; tests/lab/common.sh comes first.
# Wants $here (this folder) and $lab. Sourced, never run.

cache=${OTST_LAB_CACHE:-$HOME/.cache/otst-lab}

value()
{
	sed -n "s/^$1=//p" <<<"$info"
}

# otst.ko, allie.ko and the hammer for release $1, without a warning, into
# $modules; sets $info, $release.
kernel_modules()
{
	local src
	release=$1
	split_release "$release"
	export MAKEDUMPFILE=${cross:+$(their_makedumpfile "$release")}
	info=$("$lab/fetch-kernel" "$release") || return
	modules=$cache/otst-modules/$release
	for src in "$here/../../kernel" "$here/guest"; do
		KCFLAGS="-Wall -Werror" modules_for "$release" "$(value headers)" "$src" \
			"$modules" || return
	done
	# for the VMCOREINFO note in QEMU's own dump
	fw_cfg_module "$(value modules)" "$modules"
}

# boot_guest OUT BOOT-OPTION...: one guest at a time on this machine.
boot_guest()
{
	local out=$1
	shift
	mkdir -p "$out"
	flock "$cache/kernel-tests.lock" nice "$lab/boot" \
		--kernel "$(value vmlinuz)" --modules "$modules" --out "$out" \
		--init "$here/guest/init" "$@"
}
