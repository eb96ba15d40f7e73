# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# To be sourced at the top of the tree, with BUILD set: what programs that damage text
# dumps open them with. A dump's .expect names its image files: of the option --NAME that is
# text-NAME, which is built with the tests.

# text_image DUMP: the first one that its .expect names; nothing when there is none
text_image()
{
	# words, not lines
	# shellcheck disable=SC2013
	for _word in $(sed -n 's/^\$ //p' "${1%.txt}.expect"); do
		if [ "$_word" != "${_word#--}" ] && [ -f "$BUILD/tests/text-${_word#--}" ]; then
			echo "$BUILD/tests/text-${_word#--}"
			break
		fi
	done
}

# text_dumps [WORD]: a line for each text dump that is neither damaged nor only included: "[--vmlinux IMAGE] DUMP";
# with a word, for the damaged ones, too
text_dumps()
{
	# without them no dump would seem to have one
	[ -f "$BUILD/tests/text-vmlinux" ] || { echo "no image files: make test-programs" >&2; return 99; }
	for _dump in tests/text/dumps/*.txt; do
		case $_dump in
		*-types.txt | *-base.txt) continue ;;
		*-damaged.txt) [ -n "$1" ] || continue ;;
		esac
		_image=$(text_image "$_dump")
		echo "${_image:+--vmlinux $_image }$_dump"
	done
}
