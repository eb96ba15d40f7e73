# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
#
# Bash completion for otst-fleet's command line.

_otst_fleet()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}

	compopt -o filenames
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "scan report show" -- "$word"))
	elif [[ $before == --into || $before == --modules ]]; then
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
	elif [[ $word == -* ]]; then
		case ${COMP_WORDS[1]} in
		scan) COMPREPLY=($(compgen -W "--into --scheduler --workers --time --memory --copy --match --modules --control --quiet" -- "$word")) ;;
		report) COMPREPLY=($(compgen -W "--json --html --force" -- "$word")) ;;
		show) COMPREPLY=($(compgen -W "--json" -- "$word")) ;;
		esac
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}
complete -F _otst_fleet otst-fleet
