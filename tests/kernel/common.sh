# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shell functions of check and guest-captures; tests/lab/common.sh comes first.
# Wants $here (this folder) and $lab. Sourced, never run.

cache=${OTST_LAB_CACHE:-$HOME/.cache/otst-lab}

value()
{
	sed -n "s/^$1=//p" <<<"$info"
}

# A kernel's build tools and flags want a machine at least as new as its own.
builds_here()
{
	local theirs ours
	theirs=$(sed -n 's/^CONFIG_GCC_VERSION=//p' "$1/include/config/auto.conf" \
		"$1/.config" 2>/dev/null | head -1)
	ours=$(gcc -dumpversion 2>/dev/null | cut -d. -f1)
	[ "${ours:-0}" -ge "$((${theirs:-9999999} / 10000))" ]
}

# otst.ko, allie.ko and the hammer for release $1, without a warning, into
# $modules; sets $info, $release.
kernel_modules()
{
	local headers src fw
	local -a build
	release=$1
	info=$("$lab/fetch-kernel" "$release") || return
	headers=$(value headers)
	if builds_here "$headers"; then
		build=("$headers")
	else
		build=(--chroot "$("$lab/chroot-for" "$release")" \
			"/usr/src/${headers##*/}") || return
	fi
	modules=$cache/otst-modules/$release
	mkdir -p "$modules"
	for src in "$here/../../kernel" "$here/guest"; do
		KCFLAGS="-Wall -Werror" "$lab/build-modules" --src "$src" \
			"${build[@]}" "$modules" || return 1
	done
	# For the VMCOREINFO note in QEMU's own dump.
	fw=$(find "$(value modules)" -name 'qemu_fw_cfg.ko*' | head -1)
	case $fw in
	*.xz) xz -dc "$fw" >"$modules/qemu_fw_cfg.ko" ;;
	*.zst) zstd -dc "$fw" >"$modules/qemu_fw_cfg.ko" ;;
	*.ko) cp "$fw" "$modules/" ;;
	esac
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
