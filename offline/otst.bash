# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
#
# Bash completion for otst's command line. The program itself lists the options,
# kinds, sources, formats and files of tracefs.

# _otst_help PROGRAM OPTION ..: first words of a list that the program prints
_otst_help()
{
	"$@" help 2>/dev/null | sed 's/ .*//'
}

# the command among the words before the cursor: "l", "t", ...
_otst_command()
{
	local word

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word =~ ^-[a-zA-Z]*([lftTaiw])[a-zA-Z]*$ ]] && echo "${BASH_REMATCH[1]}" && return
	done
}

# _otst_list WORD CANDIDATES: completes the last item of a comma-separated list
_otst_list()
{
	local done=

	[[ $1 == *,* ]] && done=${1%,*},
	COMPREPLY=($(compgen -P "$done" -W "$2" -- "${1##*,}"))
}

# _otst_files f|d WORD [PREFIX]: files or directories
_otst_files()
{
	compopt -o filenames
	mapfile -t COMPREPLY < <(compgen "-$1" -P "$3" -- "$2")
}

# _otst_outputs SUFFIX WORD [PREFIX]: directories, and files of this suffix: what an option may write
_otst_outputs()
{
	compopt +o default -o filenames
	mapfile -t COMPREPLY < <(compgen -d -P "$3" -- "$2"; compgen -f -X "!*$1" -P "$3" -- "$2")
}

_otst_argument()
{
	local program=$1 option=$2 word=$3

	case $option in
	-k)	_otst_list "$word" "$(_otst_help "$program" "-$(_otst_command)" -k)" ;;
	-s)	_otst_list "$word" "$(_otst_help "$program" -t -s)" ;;
	-x)
		if [[ $word == *:* ]]; then
			_otst_outputs .dat "${word#*:}" "${word%%:*}:"
		else
			COMPREPLY=($(compgen -W "$(_otst_help "$program" -t -x)" -- "$word"))
		fi ;;
	--modules | --bundle)	_otst_files d "$word" ;;
	--text | --memory-map | --btf)	_otst_files f "$word" ;;
	--report)	_otst_outputs .html "$word" ;;
	--color)	COMPREPLY=($(compgen -W "auto always never" -- "$word")) ;;
	-[pcn] | --from | --to | --width | --memory | --report-limit | --threads)
		compopt +o default ;;
	*)	return 1 ;;
	esac
}

_otst()
{
	local program=${COMP_WORDS[0]/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} word option i
	local IFS=$' \t\n'

	# readline also splits words at colons and equals signs
	word=${line##*[[:space:]]}
	line=${line%"$word"}
	option=${line%"${line##*[![:space:]]}"}
	option=${option##*[[:space:]]}
	[[ $option == -[!-]* ]] && option=-${option: -1}
	if [[ $word == --*=* ]]; then
		_otst_argument "$program" "${word%%=*}" "${word#*=}"
		return
	fi
	if ! _otst_argument "$program" "$option" "$word"; then
		if [[ $word == -* ]]; then
			COMPREPLY=($(compgen -W "$("$program" --help 2>/dev/null |
				sed -nE 's/^ +(-[a-zA-Z]|--[a-z-]+) .*/\1/p')" -- "$word"))
		elif [ "$(_otst_command)" = T ]; then
			# the names that are not patterns, besides the dump's file
			_otst_files f "$word"
			COMPREPLY+=($(compgen -W "$(_otst_help "$program" -T | grep -v '[A-Z]')" -- "$word"))
		fi
	fi
	if [[ $word == *:* ]]; then
		for i in "${!COMPREPLY[@]}"; do
			COMPREPLY[i]=${COMPREPLY[i]#"${word%:*}:"}
		done
	fi
}

complete -o default -F _otst otst
