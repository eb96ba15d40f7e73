# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shell functions that the lab's scripts share: messages, and apt for another
# Debian suite with state of its own.  Sourced, never run.

say()
{
	echo "lab: $*" >&2
}

die()
{
	echo "lab: error: $*" >&2
	exit 99
}

# Leave with the test suite's code for "cannot run here", and say why.
skip()
{
	echo "SKIP: $*" >&2
	exit 77
}

# A script that makes $1 waits here for another one that is making it, and then finds it made.
# The lock is held until this script ends.
hold_lock()
{
	mkdir -p "${1%/*}"
	exec {lock}>"$1.lock"
	flock "$lock"
}

# Print the first argument that exists.
first_file()
{
	local f
	for f; do
		if [ -e "$f" ]; then
			echo "$f"
			return 0
		fi
	done
	return 1
}

# Print the release that has the kernel of release $1: some boot another release's kernel in
# another way.
kernel_of()
{
	echo "${1%-hash}"
}

# Set what the name of release $1 says: suite, base (the suite that it builds
# upon), series (of the kernel, or empty), arch (Debian's name), flavour (of the
# kernel's package), machine (QEMU's name), qemu, cpu (QEMU's model, or empty for its
# usual one), append (arguments of the kernel), one_cpu (it cannot have more), and, for
# a kernel that is not for this machine, cross (the compiler's prefix).
split_release()
{
	local name=${1%%=*}

	series=${1#"$name"}
	series=${series#=}
	arch=$(sed -nE 's/^.*-(amd64|arm64|riscv64|s390x|ppc64el)(-.*)?$/\1/p' <<<"$name")
	suite=${name%%"${arch:+-$arch}"*}
	[ -n "$arch" ] || suite=$name
	flavour=${name#"$suite"-}
	append=
	base=${suite%-backports}
	[ "$base" != experimental ] || base=sid
	case $arch in
	arm64)
		[ "$flavour" != arm64 ] || flavour=cloud-arm64
		machine=aarch64
		;;
	riscv64 | s390x)
		machine=$arch
		;;
	ppc64el)
		flavour=powerpc64le${flavour#ppc64el}
		machine=powerpc64le
		# the same kernel with the hash MMU
		[ "$flavour" = "${flavour%-hash}" ] || append=disable_radix
		flavour=${flavour%-hash}
		;;
	*)
		[ -n "$arch" ] || flavour=cloud-amd64
		arch=amd64
		machine=x86_64
		;;
	esac
	case $flavour in *-rt) flavour=rt-$arch ;; *-generic) flavour=$arch ;; esac
	qemu=qemu-system-${machine/powerpc64le/ppc64}
	cross=$machine-linux-gnu-
	[ "$arch" != amd64 ] || cross=
	cpu=
	# other models have no pages of 16 KiB, and hang silently
	[ "$flavour" != arm64-16k ] || cpu=cortex-a76
	# since 6.16 ftrace makes the firmware flush the other cpus for each place that it
	# changes: under emulation, tracing all functions takes a quarter of an hour
	one_cpu=
	case $suite-$arch in
	sid-riscv64 | experimental-riscv64 | *-backports-riscv64) one_cpu=1 ;;
	esac
}

# Print the archive addresses that this machine's apt uses for Debian
# ($1 = Debian) or its security updates ($1 = Debian-Security).
mirror_uris()
{
	apt-get indextargets --format '$(LABEL)|$(REPO_URI)' |
		sed -n "s/^$1|//p" | sort -u
}

# Set up apt for suite $1 and architecture $3 with its state below $2; then use
# suite_apt and suite_apt_cache.  Packages of another architecture than this
# machine's are unpacked, never installed.
suite_apt_setup()
{
	local suite=$1 top=$2 arch=${3:-amd64} uri key=

	mkdir -p "$top"/etc "$top"/state/lists/partial "$top"/cache/archives/partial
	: >"$top/state/status"
	[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] &&
		key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
	{
		for uri in $(mirror_uris Debian); do
			echo "deb $key $uri $suite main"
		done
		# These have no security suite of their own.
		case $suite in
		sid | experimental | *-backports) ;;
		*)
			for uri in $(mirror_uris Debian-Security); do
				echo "deb $key $uri $suite-security main"
			done
			;;
		esac
	} >"$top/etc/sources.list"
	grep -q . "$top/etc/sources.list" ||
		skip "apt lists of this machine are empty: run apt-get update"
	suite_opts=(-o "Dir::State=$top/state" -o "Dir::State::status=$top/state/status"
		-o "Dir::Cache=$top/cache" -o "Dir::Etc::sourcelist=$top/etc/sources.list"
		-o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root
		-o "APT::Architecture=$arch" -o "APT::Architectures=$arch,amd64"
		-o Acquire::Languages=none -o APT::Get::List-Cleanup=1)
}

suite_apt()
{
	apt-get -q -y "${suite_opts[@]}" "$@"
}

# Update the index set up for release $1 below $2. A mirror's index may lag behind its
# signature. If it is the index of security updates, do without them. If it is the suite's
# own, the mirror may have an older one, as it was signed, under the suite's other name.
suite_apt_update()
{
	local name without

	cp "$2/etc/sources.list" "$2/sources"
	: >"$2/log"
	for name in "$suite" stable oldstable; do
		for without in '' security; do
			sed "/-${without:-nothing} main\$/d; s/ $suite\(-security\)\? main\$/ $name\1 main/" \
				"$2/sources" >"$2/etc/sources.list"
			suite_apt update >>"$2/log" 2>&1 || continue
			[ "$name" = "$suite" ] ||
				grep -qsx "Codename: $suite" "$2"/state/lists/*_dists_"${name}"_InRelease || continue
			[ "$name$without" = "$suite" ] || say "$1: the index of $name${without:+, without security updates}"
			return
		done
	done
	skip "$1: the mirror does not serve $suite"
}

suite_apt_cache()
{
	apt-cache -q "${suite_opts[@]}" "$@"
}

# Download package $1 into the working directory; a mirror may list a version that it no
# longer has, beside an older one.
suite_download()
{
	local version

	suite_apt download "$1" && return
	for version in $(suite_apt_cache madison "$1" 2>/dev/null | awk '{ print $3 }'); do
		suite_apt download "$1=$version" && return
	done
	return 1
}

# Unpack packages $2... and what they depend on into the tree $1, unless they are in it
# already; none of their scripts runs. $1.packages has a line NAME=VERSION for each.
suite_unpack()
{
	local root=$1 plan package deb new=()
	shift

	touch "$root.packages"
	plan=$(suite_apt -s --no-install-recommends install "$@") || return
	rm -rf "$root.debs"
	mkdir -p "$root.debs"
	for package in $(sed -n 's/^Inst \([^ :]*\).*/\1/p' <<<"$plan"); do
		grep -q "^$package=" "$root.packages" || new+=("$package")
	done
	[ ${#new[@]} != 0 ] || return 0
	# all at once, because each start of apt reads the whole index; then those that failed
	(cd "$root.debs" && suite_apt download "${new[@]}") || true
	for package in "${new[@]}"; do
		deb=$(first_file "$root.debs/${package}"_*.deb) || {
			(cd "$root.debs" && suite_download "$package") || return
			deb=$(first_file "$root.debs/${package}"_*.deb) || return
		}
		# /lib and others stay links, even if the package has a directory there
		dpkg-deb --fsys-tarfile "$deb" | tar -xC "$root" --keep-directory-symlink || return
		echo "$package=$(dpkg-deb -f "$deb" Version)" >>"$root.packages"
	done
	rm -rf "$root.debs"
}

# A kernel's build tools and flags need a machine at least as new as the one it was built on.
builds_here()
{
	local theirs ours
	theirs=$(sed -n 's/^CONFIG_GCC_VERSION=//p' "$1/include/config/auto.conf" \
		"$1/.config" 2>/dev/null | head -1)
	ours=$(gcc -dumpversion 2>/dev/null | cut -d. -f1)
	[ "${ours:-0}" -ge "$((${theirs:-9999999} / 10000))" ]
}

# Build the modules of folder $3 for release $1, whose headers are $2, into $4.
modules_for()
{
	local root

	mkdir -p "$4"
	if builds_here "$2"; then
		"$lab/build-modules" --src "$3" "$2" "$4"
	else
		root=$("$lab/chroot-for" "$1") || return
		"$lab/build-modules" --chroot "$root" --src "$3" \
			"/usr/src/${2##*/}" "$4"
	fi
}

# Unpack the shipped module $3 from lib/modules/KVER $1 into $2; a kernel that
# has it built in has no such file.
shipped_module()
{
	local file

	file=$(find "$1" -name "$3.ko*" | head -1)
	case $file in
	*.xz) xz -dc "$file" >"$2/$3.ko" ;;
	*.zst) zstd -dc "$file" >"$2/$3.ko" ;;
	*.ko) cp "$file" "$2/" ;;
	esac
}

# The module that puts the VMCOREINFO note into QEMU's dumps.
fw_cfg_module()
{
	shipped_module "$1" "$2" qemu_fw_cfg
}

# Print the release's own makedumpfile, run with its own libraries, if there is a
# chroot of it; ours knows neither kernels newer than itself nor arm64's. From dumps of
# ppc64le's 6.12 and 7.2 with pages of 4 KiB, makedumpfile 1.7.6 and 1.7.8 lose page
# tables even with -d 0: none is used there.
their_makedumpfile()
{
	local root=$cache/roots/$1 guest=$cache/kernels/$(kernel_of "$1")/root
	local loader=$root/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
	local suite base series arch flavour machine qemu cross cpu append one_cpu

	split_release "$1"
	if [ "$suite-$flavour" = trixie-powerpc64le ] || [ "$suite-$flavour" = sid-powerpc64le ]; then
		echo false
	elif [ -n "$cross" ]; then
		echo "qemu-${machine/powerpc/ppc}-static -L $guest $guest/usr/bin/makedumpfile"
	elif [ -x "$root/usr/bin/makedumpfile" ]; then
		echo "$loader --library-path $root/usr/lib/x86_64-linux-gnu $root/usr/bin/makedumpfile"
	else
		echo makedumpfile
	fi
}

# makedumpfile up to 1.7.8 takes the slab pages of these suites' kernels for user
# pages, and for riscv64's 6.12 it takes all memory after the first 128 MiB for page cache.
filter()
{
	case $1 in
	*-riscv64) echo 25 ;;
	sid | sid-* | experimental* | *-backports*) echo 23 ;;
	*) echo 31 ;;
	esac
}

# For programs of a guest of release $1: set cross, as split_release does, and libs, the
# compiler's options for libbpf and what it needs; for another architecture also guest_root.
guest_compiler()
{
	split_release "$1"
	libs=()
	guest_root=
	[ -n "$cross" ] || return 0
	guest_root=$("$lab/guest-root" "$arch" bpftool libbpf-dev libelf-dev zlib1g-dev libzstd-dev) || return
	libs=("-I$guest_root/usr/include" "-L$guest_root/usr/lib/${cross%-}")
}

# Print the libraries of program $1, one per line: the file here (for another architecture, in
# the tree $2), a colon, and the name that it has in the guest.
libraries_of()
{
	local file lib loader

	if [ -z "$2" ]; then
		for file in $(ldd "$1" | grep -o '/[^ ]*'); do
			echo "$(realpath "$file"):$file"
		done
		return
	fi
	# the loader's own line has the program's path for the loader, and where it is here
	loader=$(first_file "$2"/lib/ld*.so.[0-9] "$2"/lib/*/ld*.so.[0-9]) || return
	for lib in $("qemu-${machine/powerpc/ppc}-static" -L "$2" "$loader" --list "$1" |
		awk '{ print $1 ~ "^/" ? $1 : $3 }' | grep ^/); do
		file=$2$lib
		[ -e "$file" ] || file=$2/usr$lib
		[ -e "$file" ] || file=$loader
		echo "$(realpath "$file"):$lib"
	done
}
